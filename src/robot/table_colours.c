// table_colours: which colours pieces have, for a camera and in a simulation.
//
// What the file says comes first: a `colour` line, or a camera's ranges in an S3 file. A piece or
// an owner that is called by a colour has it. The others get colours that differ from those and
// from each other.
#include "robot/table_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct NamedColour {
    const char *name;
    double hue_min, hue_max, saturation_min, saturation_max, value_min, value_max;
    uint8_t paint[3];
} NamedColour;

static const NamedColour colours[] = {
#define X(name, h0, h1, s0, s1, v0, v1, red, green, blue)                                          \
    {name, h0, h1, s0, s1, v0, v1, {red, green, blue}},
    LOOK_COLOURS(X)
#undef X
};
#define COLOURS ((int)(sizeof colours / sizeof *colours))
#define GIVEN_OUT 10 // the first so many

static Colours ranges_of(const NamedColour *c) {
    return (Colours){
        c->hue_min, c->hue_max, c->saturation_min, c->saturation_max, c->value_min, c->value_max,
        0,          0};
}

static const NamedColour *colour_named(const char *name) {
    for (int i = 0; i < COLOURS; i++)
        if (strcasecmp(colours[i].name, name) == 0)
            return &colours[i];
    return NULL;
}

// --- comparing ---

static bool hues_meet(const Colours *a, const Colours *b) {
    double wide = fmod(a->hue_max - a->hue_min + 720, 360);
    double from = fmod(b->hue_min - a->hue_min + 720, 360);
    double b_wide = fmod(b->hue_max - b->hue_min + 720, 360);
    if (a->hue_max - a->hue_min >= 360 || b->hue_max - b->hue_min >= 360)
        return true;
    return from < wide || from + b_wide > 360;
}

static bool look_alike(const Colours *a, const Colours *b) {
    return hues_meet(a, b) && a->saturation_min < b->saturation_max &&
           b->saturation_min < a->saturation_max && a->value_min < b->value_max &&
           b->value_min < a->value_max;
}

// The middle of the ranges as red, green and blue.
static void paint_of(const Colours *c, uint8_t paint[3]) {
    double wide = fmod(c->hue_max - c->hue_min + 720, 360);
    double hue = fmod(c->hue_min + wide / 2, 360) / 60;
    double s = (c->saturation_min + c->saturation_max) / 2;
    double v = (c->value_min + c->value_max) / 2;
    for (int i = 0; i < 3; i++) { // each is full over a third of the circle, and fades beside it
        double at = fabs(remainder(hue - 2 * i, 6));
        double full = fmax(0, fmin(1, 2 - at));
        paint[i] = (uint8_t)lround(255 * v * (1 - s * (1 - full)));
    }
}

// --- what is said ---

static const LookPaint *said_paint(const Maker *m, int kind) {
    const IrGame *ir = m->t->game->ir;
    const IrPlane *p = &ir->plane[kind];
    for (int i = 0; m->said && i < m->said->paints; i++) {
        const LookPaint *paint = &m->said->paint[i];
        if (strcmp(paint->kind, ir->kind[p->kind].name) == 0 &&
            (paint->owner < 0 || paint->owner == p->owner))
            return paint;
    }
    return NULL;
}

static const LookColour *said_colour(const Look *look, const LookPicture *picture) {
    for (int i = 0; look && picture && i < look->pieces; i++) {
        const LookPiece *piece = &look->piece[i];
        for (int state = 0; state < piece->states; state++)
            for (int c = 0; picture == &piece->picture[state] && c < look->colours; c++)
                if (look->colour[c].state == state + 1 &&
                    strcmp(look->colour[c].name, piece->name) == 0)
                    return &look->colour[c];
    }
    return NULL;
}

static bool camera_is_used(const Table *t) {
    for (int i = 0; i < t->cells; i++)
        if (t->site[i].seen)
            return true;
    return false;
}

static const NamedColour *called_by_colour(const IrGame *ir, int kind) {
    const IrPlane *p = &ir->plane[kind];
    const NamedColour *c = colour_named(ir->kind[p->kind].name);
    if (!c && p->owner < ir->players)
        c = colour_named(ir->player[p->owner]);
    return c && c - colours < GIVEN_OUT ? c : NULL;
}

static bool say_colour(Maker *m, int kind) {
    const IrGame *ir = m->t->game->ir;
    TableKind *k = &m->t->kind[kind];
    const LookPaint *paint = said_paint(m, kind);
    const LookColour *c =
        camera_is_used(m->t) ? said_colour(ir->look, ir->plane[kind].picture) : NULL;
    const NamedColour *named = paint && paint->colour ? colour_named(paint->colour)
                               : paint || c           ? NULL
                                                      : called_by_colour(ir, kind);
    if (paint && !named)
        k->colours = (Colours){paint->hue_min,
                               paint->hue_max,
                               paint->saturation_min,
                               paint->saturation_max,
                               paint->value_min,
                               paint->value_max,
                               0,
                               0};
    else if (c)
        k->colours = (Colours){c->hue_min,   c->hue_max,   c->saturation_min, c->saturation_max,
                               c->value_min, c->value_max, c->size_min,       c->size_max};
    else if (named)
        k->colours = ranges_of(named);
    else
        return false;
    if (named)
        memcpy(k->paint, named->paint, sizeof k->paint);
    else
        paint_of(&k->colours, k->paint);
    return true;
}

// --- the others ---

static bool like_another(const Table *t, const bool *has, const Colours *c) {
    for (int k = 0; k < t->kinds; k++)
        if (has[k] && look_alike(c, &t->kind[k].colours))
            return true;
    return false;
}

// Colours for many kinds: hues all round, each dull and full, dark and bright.
static Colours fine_colour(int i, int steps) {
    double hue = 360.0 / steps * (i % steps), half = 180.0 / steps - 2;
    bool dark = i / steps % 2;
    return (Colours){fmod(hue - half + 360, 360), fmod(hue + half, 360), 0.5, 1,
                     dark ? 0.2 : 0.68,           dark ? 0.55 : 1,       0,   0};
}

static bool give_colour(Table *t, bool *has, int kind) {
    TableKind *k = &t->kind[kind];
    for (int i = 0; i < GIVEN_OUT; i++) {
        Colours c = ranges_of(&colours[i]);
        if (like_another(t, has, &c))
            continue;
        k->colours = c;
        memcpy(k->paint, colours[i].paint, sizeof k->paint);
        return true;
    }
    for (int i = 0; i < 2 * VIEW_KINDS; i++) {
        k->colours = fine_colour(i, VIEW_KINDS / 2);
        paint_of(&k->colours, k->paint);
        if (!like_another(t, has, &k->colours))
            return true;
    }
    return false;
}

static bool all_differ(Maker *m) {
    const Table *t = m->t;
    for (int k = 0; k < t->kinds; k++)
        for (int j = 0; j < k; j++)
            if (look_alike(&t->kind[k].colours, &t->kind[j].colours)) {
                text_f(m->why, "%s and %s look alike: their colours overlap", t->kind[j].name,
                       t->kind[k].name);
                return false;
            }
    return true;
}

bool table_colours(Maker *m) {
    Table *t = m->t;
    bool has[VIEW_KINDS] = {0};
    bool many = t->kinds > GIVEN_OUT - 2; // then even shares, not those given out to few
    for (int k = 0; k < t->kinds; k++)
        has[k] = say_colour(m, k);
    for (int k = 0; k < t->kinds; k++) {
        if (has[k])
            continue;
        if (many) {
            t->kind[k].colours = fine_colour(k, (t->kinds + 1) / 2);
            paint_of(&t->kind[k].colours, t->kind[k].paint);
            has[k] = !like_another(t, has, &t->kind[k].colours);
        }
        has[k] = has[k] || give_colour(t, has, k);
        if (!has[k]) {
            text_f(m->why, "there is no colour left for %s that differs from the others",
                   t->kind[k].name);
            return false;
        }
    }
    return all_differ(m);
}
