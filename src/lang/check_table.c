// check_table: the `table` section: where the board lies before an arm and a camera, and how large
// and of which colour pieces are. Rules never depend on it. Lengths are whole millimetres here and
// centimetres in LookTable.
#include "lang/checker.h"

typedef struct Bounds {
    const char *what; // completes "… is"
    int64_t least, most;
    const char *unit;
} Bounds;

// What could lie on a table within reach of an arm.
static const Bounds place_bounds = {"a place on the table", -2000, 2000, " mm"};
static const Bounds number_bounds[] = {
    {"pitch", 5, 500, " mm"},  {"turn", -180, 180, " degrees"}, {"surface", -100, 500, " mm"},
    {"height", 1, 200, " mm"}, {"width", 1, 200, " mm"},        {"grip", 1, 200, " mm"},
};
static const Bounds step_bounds = {"`step`", -500, 500, " mm"};
static const Bounds places_bounds = {"`places`", 1, 100, ""};
static const Bounds stack_bounds = {"`stack`", 1, BOARD_MAX_STACK, ""};

static bool number(Checker *c, const Node *node, const Bounds *b, int64_t *value) {
    if (!check_constant(c, node, value))
        return false;
    if (*value >= b->least && *value <= b->most)
        return true;
    diag_error(c->diags, node->span, "%s is %lld to %lld%s, not %lld", b->what, (long long)b->least,
               (long long)b->most, b->unit, (long long)*value);
    return false;
}

// Into centimetres.
static bool length(Checker *c, const Node *node, const Bounds *b, double *cm) {
    int64_t value;
    if (!number(c, node, b, &value))
        return false;
    *cm = (double)value / 10;
    return true;
}

static bool which(Checker *c, const Node *line, const char **kind, int *owner) {
    int k;
    bool plural;
    const Node *of = line->kids[0];
    *owner = -1;
    *kind = NULL;
    if (!line->word)
        return true;
    if (!names_kind(c, line->word, &k, &plural)) {
        names_unknown(c, line->word, line->extra_span, "name a kind of piece");
        return false;
    }
    *kind = c->g->kind[k].name;
    if (!of)
        return true;
    Symbol *s = names_find(c, of->word);
    if (!s || s->kind != SYM_PLAYER) {
        diag_error(c->diags, of->span, "there is no player `%s`", of->word);
        const char *near = text_nearest(of->word, c->g->player, c->g->players);
        if (near)
            diag_help(c->diags, "did you mean `%s`?", near);
        return false;
    }
    *owner = s->id;
    if (c->g->kind[k].owners >> s->id & 1)
        return true;
    diag_error(c->diags, of->span, "`%s` has no `%s`", of->word, *kind);
    return false;
}

// --- lines ---

static void check_measure(Checker *c, const Node *n, LookTable *t) {
    double *to[] = {&t->pitch, &t->turn, &t->surface, &t->piece_height, &t->piece_radius, &t->grip};
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        if (strcmp(n->word, number_bounds[i].what) != 0)
            continue;
        Bounds b = number_bounds[i];
        b.what = arena_printf(c->arena, "`%s`", b.what);
        if (!length(c, n->kids[0], &b, to[i]))
            return;
        if (i == 1)
            t->turn *= 10; // degrees
        if (i == 4)
            t->piece_radius /= 2;
    }
}

static void check_store(Checker *c, const Node *n, LookTable *t) {
    LookStore s = {.span = n->span, .count = 1, .room = 1};
    int64_t places = 1, room = 1;
    if (!which(c, n, &s.kind, &s.owner) || !length(c, n->kids[1], &place_bounds, &s.x) ||
        !length(c, n->kids[2], &place_bounds, &s.y))
        return;
    if (n->kids[3] && (!length(c, n->kids[3], &step_bounds, &s.dx) ||
                       !length(c, n->kids[4], &step_bounds, &s.dy)))
        return;
    if ((n->kids[5] && !number(c, n->kids[5], &places_bounds, &places)) ||
        (n->kids[6] && !number(c, n->kids[6], &stack_bounds, &room)))
        return;
    if (places > 1 && s.dx == 0 && s.dy == 0) {
        diag_error(c->diags, n->span, "%d places at the same point", (int)places);
        diag_help(c->diags, "say how far the next is: `step 0, 30`");
        return;
    }
    s.count = (int)places;
    s.room = (int)room;
    t->store[t->stores++] = s;
}

static bool is_colour(const char *name) {
    static const char *const names[] = {
#define X(name, h0, h1, s0, s1, v0, v1, red, green, blue) name,
        LOOK_COLOURS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void unknown_colour(Checker *c, const Node *n) {
    static const char *const names[] = {
#define X(name, h0, h1, s0, s1, v0, v1, red, green, blue) name,
        LOOK_COLOURS(X)
#undef X
    };
    int count = (int)(sizeof names / sizeof *names);
    Span span = {n->span.line, (int)n->number, (int)strlen(n->extra)};
    diag_error(c->diags, span, "no colour is called `%.40s`", n->extra);
    const char *near = text_nearest(n->extra, names, count);
    if (near)
        diag_help(c->diags, "did you mean `%s`?", near);
    else
        diag_help(c->diags, "they are %s; others are given as `hue 40..60`",
                  names_list(c, names, count));
}

static bool range(Checker *c, const Node *n, const Bounds *b, double scale, double *low,
                  double *high) {
    int64_t from, to;
    if (!n)
        return true;
    if (!number(c, n->kids[0], b, &from) || !number(c, n->kids[1], b, &to))
        return false;
    *low = (double)from / scale;
    *high = (double)to / scale;
    if (from < to || (scale == 1 && from != to))
        return true;
    diag_error(c->diags, n->span, "%s from %lld to %lld has nothing in it", b->what,
               (long long)from, (long long)to);
    return false;
}

static void check_colour(Checker *c, const Node *n, LookTable *t) {
    static const Bounds hue = {"`hue`", 0, 360, " degrees"};
    static const Bounds saturation = {"`saturation`", 0, 100, " percent"};
    static const Bounds value = {"`value`", 0, 100, " percent"};
    LookPaint paint = {.colour = n->extra,
                       .saturation_min = 0.3,
                       .saturation_max = 1,
                       .value_min = 0.2,
                       .value_max = 1,
                       .span = n->span};
    if (!which(c, n, &paint.kind, &paint.owner))
        return;
    if (n->extra && !is_colour(n->extra)) {
        unknown_colour(c, n);
        return;
    }
    if (!range(c, n->kids[1], &hue, 1, &paint.hue_min, &paint.hue_max) ||
        !range(c, n->kids[2], &saturation, 100, &paint.saturation_min, &paint.saturation_max) ||
        !range(c, n->kids[3], &value, 100, &paint.value_min, &paint.value_max))
        return;
    t->paint[t->paints++] = paint;
}

static void check_line(Checker *c, const Node *n, LookTable *t) {
    switch (n->kind) {
    case N_TABLE_MIDDLE:
        t->has_middle = length(c, n->kids[0], &place_bounds, &t->x) &&
                        length(c, n->kids[1], &place_bounds, &t->y);
        break;
    case N_TABLE_PIECE:
        for (int i = 0; i < n->count; i++)
            check_measure(c, n->kids[i], t);
        break;
    case N_TABLE_STORE: check_store(c, n, t); break;
    case N_TABLE_COLOUR: check_colour(c, n, t); break;
    default: check_measure(c, n, t); break;
    }
}

// --- the whole ---

static bool same_kind_of_line(const Node *a, const Node *b) {
    return a->kind == b->kind && (a->kind != N_TABLE_NUMBER || strcmp(a->word, b->word) == 0);
}

static void check_twice(Checker *c, Node *const *line, int i) {
    NodeKind kind = line[i]->kind;
    for (int j = 0; j < i && kind != N_TABLE_STORE && kind != N_TABLE_COLOUR; j++)
        if (same_kind_of_line(line[i], line[j])) {
            diag_error(c->diags, line[i]->span, "the table says this twice");
            diag_help(c->diags, "the first is in line %d", line[j]->span.line);
            return;
        }
}

static void check_sizes(Checker *c, const Node *n, const LookTable *t) {
    if (t->pitch > 0 && 2 * t->piece_radius >= t->pitch)
        diag_error(c->diags, n->span, "pieces %.0f mm wide touch each other on cells %.0f mm apart",
                   20 * t->piece_radius, 10 * t->pitch);
    if (t->grip > 0 && t->piece_height > 0 && t->grip > t->piece_height)
        diag_error(c->diags, n->span, "pieces %.0f mm high cannot be held %.0f mm over the board",
                   10 * t->piece_height, 10 * t->grip);
}

void check_table(Checker *c) {
    const Node *section = check_find_item(c, N_TABLE);
    if (!section)
        return;
    LookTable *t = ARENA_NEW(c->arena, LookTable);
    t->store = ARENA_ARRAY(c->arena, LookStore, section->count + 1);
    t->paint = ARENA_ARRAY(c->arena, LookPaint, section->count + 1);
    t->span = section->span;
    c->place = AT_DECLARATION;
    int before = c->diags->errors;
    for (int i = 0; i < section->count; i++) {
        check_twice(c, section->kids, i);
        check_line(c, section->kids[i], t);
    }
    if (c->diags->errors == before)
        check_sizes(c, section, t);
    c->g->on_table = t;
}
