// print_table: where the board lies on a real table; see look.h.
#include "ir/printer.h"

static void which(const Printer *p, const char *kind, int owner) {
    if (kind)
        text_f(p->out, " %s", kind);
    if (kind && owner >= 0)
        text_f(p->out, " of %s", p->g->player[owner]);
}

static void measure(const Printer *p, const char *word, double value, const char *unit) {
    if (value != 0)
        text_f(p->out, "    %s %g%s\n", word, value, unit);
}

static void store(const Printer *p, const LookStore *s) {
    text_add(p->out, "    store");
    which(p, s->kind, s->owner);
    text_f(p->out, " at %g, %g", s->x, s->y);
    if (s->count > 1)
        text_f(p->out, " step %g, %g places %d", s->dx, s->dy, s->count);
    text_f(p->out, " stack %d\n", s->room);
}

static void paint(const Printer *p, const LookPaint *c) {
    text_add(p->out, "    colour");
    which(p, c->kind, c->owner);
    if (c->colour)
        text_f(p->out, " %s\n", c->colour);
    else
        text_f(p->out, " hue %g..%g saturation %g..%g value %g..%g\n", c->hue_min, c->hue_max,
               c->saturation_min, c->saturation_max, c->value_min, c->value_max);
}

void printer_table(const Printer *p) {
    const LookTable *t = p->g->on_table;
    text_add(p->out, "\ntable    # in cm\n");
    if (t->has_middle)
        text_f(p->out, "    middle %g, %g\n", t->x, t->y);
    measure(p, "pitch", t->pitch, "");
    measure(p, "turn", t->turn, " degrees");
    measure(p, "surface", t->surface, "");
    measure(p, "piece height", t->piece_height, "");
    measure(p, "piece radius", t->piece_radius, "");
    measure(p, "grip", t->grip, "");
    for (int i = 0; i < t->stores; i++)
        store(p, &t->store[i]);
    for (int i = 0; i < t->paints; i++)
        paint(p, &t->paint[i]);
}
