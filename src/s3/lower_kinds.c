// Kinds of pieces: what the rules can tell apart, and what can change. See lower.h.

#include "s3/lower.h"

// --- which functions the rules use ---

typedef struct Uses {
    bool op[S3_NEXTPLAYER + 1];
} Uses;

static void note_uses(const S3Node *node, Uses *u) {
    if (!node)
        return;
    if (node->kind == S3_BUILT)
        u->op[node->op] = true;
    for (int i = 0; i < node->kids; i++)
        note_uses(node->kid[i], u);
}

static void all_uses(const S3File *f, Uses *u) {
    for (int i = 0; i < f->functions; i++)
        for (int k = 0; k < f->function[i].lines; k++)
            note_uses(f->function[i].line[k], u);
    for (int i = 0; i < f->scorings; i++) {
        note_uses(f->scoring[i].situation, u);
        for (int k = 0; k < f->scoring[i].awards; k++) {
            note_uses(f->scoring[i].award[k].player, u);
            note_uses(f->scoring[i].award[k].score, u);
        }
    }
    for (int i = 0; i < f->ends; i++) {
        note_uses(f->end[i].situation, u);
        note_uses(f->end[i].winner, u);
    }
    for (int i = 0; i < f->rules; i++) {
        note_uses(f->rule[i].condition, u);
        note_uses(f->rule[i].followup, u);
        note_uses(f->rule[i].to_locations, u);
        for (int k = 0; k < f->rule[i].awards; k++) {
            note_uses(f->rule[i].award[k].player, u);
            note_uses(f->rule[i].award[k].score, u);
        }
    }
}

// --- planes ---

// Elements whose names the rules' patterns treat alike are of one group: the first of them.
static int group_of(const S3File *f, int element) {
    int64_t index[16];
    for (int i = 0; i < element; i++) {
        bool alike = true;
        for (int r = 0; alike && r < f->rules; r++)
            alike = word_match(f->rule[r].element, f->element[i].name, index) ==
                    word_match(f->rule[r].element, f->element[element].name, index);
        if (alike)
            return i;
    }
    return element;
}

static int find_plane(Lower *l, Plane p) {
    for (int i = 0; i < l->planes; i++) {
        const Plane *old = &l->plane[i];
        if (old->type == p.type && old->group == p.group && old->state == p.state &&
            old->owner == p.owner && old->depth == p.depth)
            return i;
    }
    // One number is left for "nothing".
    if (l->planes == IR_MAX_KINDS - 1)
        return -1;
    l->plane[l->planes] = p;
    return l->planes++;
}

int kinds_plane(const Lower *l, int plane, int state, int owner) {
    for (int i = 0; i < l->planes; i++) {
        const Plane *p = &l->plane[i], *old = &l->plane[plane];
        if (p->type == old->type && p->group == old->group && p->state == state &&
            p->owner == owner && p->depth == old->depth)
            return i;
    }
    return -1;
}

static bool element_planes(Lower *l, int e) {
    const S3Element *s = &l->f->element[e];
    Plane p = {.type = word_of(l, s->type_name ? s->type_name : ""),
               .look = s->type,
               .group = group_of(l->f, e),
               .state = s->state,
               .owner = s->owner,
               .depth = l->depth_changes ? 0 : s->zindex};
    int first = find_plane(l, p);
    if (first < 0)
        return false;
    l->element_plane[e] = first;
    l->element_planes[e] = (uint64_t)1 << first;
    int states = l->state_changes && s->type >= 0 ? l->f->look->piece[s->type].states : 0;
    int owners = l->owner_changes ? l->f->players : -1;
    for (int state = 0; state <= states; state++)
        for (int owner = -1; owner <= owners; owner++) {
            p.state = state ? state : s->state;
            p.owner = owner >= 0 ? owner : s->owner;
            int n = find_plane(l, p);
            if (n < 0)
                return false;
            l->element_planes[e] |= (uint64_t)1 << n;
        }
    return true;
}

bool kinds_prepare(Lower *l) {
    const S3File *f = l->f;
    Uses u = {0};
    all_uses(f, &u);
    kinds_find_effects(l);
    l->state_changes = u.op[S3_SETSTATE];
    l->owner_changes = u.op[S3_SETOWNER];
    l->depth_changes = u.op[S3_SETZINDEX];
    l->depth_asked = u.op[S3_ZINDEX];
    l->scores = f->scorings > 0;
    for (int i = 0; i < f->rules; i++)
        l->scores |= f->rule[i].awards > 0;
    l->element_plane = ARENA_ARRAY(l->arena, int, f->elements + 1);
    l->element_planes = ARENA_ARRAY(l->arena, uint64_t, f->elements + 1);
    l->start = ARENA_ARRAY(l->arena, int, f->locations + 1);
    for (int i = 0; i < f->elements; i++) {
        if (!element_planes(l, i)) {
            lower_error(l, f->element[i].span,
                        "the elements are of more than %d kinds (by type, state, owner and the "
                        "rules that they fit)",
                        IR_MAX_KINDS - 1);
            return false;
        }
        int at = f->element[i].location;
        if (at < 0)
            continue;
        l->start[at] = i + 1; // the reader has told if something was there
    }
    return true;
}

// --- the state of the game ---

static bool make_board(Lower *l) {
    const S3File *f = l->f;
    const char **names = ARENA_ARRAY(l->arena, const char *, f->locations + 1);
    int *x = ARENA_ARRAY(l->arena, int, f->locations + 1);
    int *y = ARENA_ARRAY(l->arena, int, f->locations + 1);
    uint64_t *hidden = ARENA_ARRAY(l->arena, uint64_t, l_words(l) + 1);
    bool any = false;
    for (int i = 0; i < f->locations; i++) {
        const LookPlace *p = &f->look->place[i];
        names[i] = f->location[i].name;
        x[i] = p->has_point ? p->x : BOARD_NO_POINT;
        y[i] = p->has_point ? p->y : BOARD_NO_POINT;
        if (!f->location[i].relevant) {
            hidden[i / 64] |= (uint64_t)1 << (i % 64);
            any = true;
        }
    }
    l->g->board = board_of_places(l->arena, names, x, y, f->locations);
    if (!l->g->board) {
        lower_error(l, (Span){0}, "a game has 1..%d places, this has %d", BOARD_MAX_CELLS,
                    f->locations);
        return false;
    }
    if (any)
        l->g->hidden = hidden;
    return true;
}

static bool letter_taken(const IrGame *g, int planes, char c) {
    for (int i = 0; i < planes; i++)
        if (g->plane[i].letter[0] == c)
            return true;
    return c == '.' || c == '/';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The first letter of the type's name that is free, small or capital, or any other.
static char pick_letter(const IrGame *g, int planes, const char *name) {
    for (const char *s = name; *s; s++) {
        if (!is_letter(*s))
            continue;
        char low = (char)(*s | 0x20), high = (char)(*s & ~0x20);
        if (!letter_taken(g, planes, low))
            return low;
        if (!letter_taken(g, planes, high))
            return high;
    }
    for (char c = 'a'; c <= 'z'; c++)
        if (!letter_taken(g, planes, c))
            return c;
    for (char c = 'A'; c <= 'Z'; c++)
        if (!letter_taken(g, planes, c))
            return c;
    for (const char *s = "+*#@!$%&=?:;<>~^"; *s; s++)
        if (!letter_taken(g, planes, *s))
            return *s;
    return 'x';
}

static const char *plain_kind_name(Lower *l, int n) {
    const Plane *p = &l->plane[n];
    bool states = false, owners = false, groups = false;
    for (int i = 0; i < l->planes; i++)
        if (l->plane[i].type == p->type) {
            states |= l->plane[i].state != p->state;
            owners |= l->plane[i].owner != p->owner;
            groups |= l->plane[i].group != p->group;
        }
    const char *name = l->word[p->type]->text;
    name = *name ? name : "piece";
    if (groups)
        name = arena_printf(l->arena, "%s_%s", name,
                            l->word[l->word[l->element_word[p->group]]->base]->text);
    if (states)
        name = arena_printf(l->arena, "%s_%d", name, p->state);
    if (owners)
        name = arena_printf(l->arena, "%s_of_%d", name, p->owner);
    return name;
}

// Kinds that differ in nothing that has a name (their z-index) are numbered.
static const char *kind_name(Lower *l, int n) {
    const char *name = plain_kind_name(l, n), *made = name;
    for (int number = 2;; number++) {
        int i = 0;
        while (i < n && strcmp(l->g->kind[i].name, made) != 0)
            i++;
        if (i == n)
            return made;
        made = arena_printf(l->arena, "%s_%d", name, number);
    }
}

static const LookPicture *plane_picture(const Lower *l, const Plane *p) {
    if (p->look < 0)
        return NULL;
    const LookPiece *piece = &l->f->look->piece[p->look];
    return p->state >= 1 && p->state <= piece->states ? &piece->picture[p->state - 1] : NULL;
}

static void make_kinds(Lower *l) {
    IrGame *g = l->g;
    g->kind = ARENA_ARRAY(l->arena, IrKind, l->planes + 1);
    g->plane = ARENA_ARRAY(l->arena, IrPlane, l->planes + 1);
    g->kinds = g->planes = l->planes;
    for (int i = 0; i < l->planes; i++) {
        const Plane *p = &l->plane[i];
        int owner = p->owner > 0 && p->owner <= g->players ? p->owner - 1 : g->players;
        IrKind *k = &g->kind[i];
        k->name = kind_name(l, i);
        k->owners = owner < g->players ? (uint32_t)1 << owner : 0;
        for (int n = 0; n <= IR_MAX_PLAYERS; n++)
            k->plane[n] = n == owner ? i : -1;
        k->attributes = l->depth_changes;
        g->plane[i].kind = i;
        g->plane[i].owner = owner;
        g->plane[i].picture = plane_picture(l, p);
        const char *type = l->word[p->type]->text;
        g->plane[i].letter[0] = pick_letter(g, i, *type ? type : "x");
        g->plane[i].symbol[0] = g->plane[i].letter[0];
    }
    if (l->depth_changes) {
        g->attr = ARENA_ARRAY(l->arena, IrAttr, 1);
        g->attrs = 1;
        g->attr[0] =
            (IrAttr){.name = "zindex", .type = {.kind = TY_INT}, .lo = INT32_MIN, .hi = INT32_MAX};
    }
}

static IrVar *add_var_of(Lower *l, const char *name, int32_t lo, int32_t hi, int count,
                         bool clock) {
    IrVar *v = &l->g->var[l->g->vars++];
    *v = (IrVar){.name = name,
                 .type = {.kind = TY_INT},
                 .lo = lo,
                 .hi = hi,
                 .clock = clock,
                 .count = count,
                 .indexed = count > 0};
    if (!count)
        v->count = 1;
    v->initial = ARENA_ARRAY(l->arena, int64_t, v->count + 1);
    return v;
}

static void make_vars(Lower *l) {
    const S3File *f = l->f;
    IrGame *g = l->g;
    g->var = ARENA_ARRAY(l->arena, IrVar, VAR_SCRATCH + l->scratch + 1);
    for (int i = 0; i < 4; i++)
        l->var_id[i] = -1;
    l->var_id[VAR_CONTENT] = g->vars;
    IrVar *v = add_var_of(l, "content", 0, f->elements, f->locations, true);
    v->index = (IrType){.kind = TY_CELL};
    for (int i = 0; i < f->locations; i++)
        v->initial[i] = l->start[i];
    if (l->uses_at) {
        l->var_id[VAR_AT] = g->vars;
        v = add_var_of(l, "at", 0, f->locations, f->elements, true);
        v->type = (IrType){.kind = TY_CELL, .optional = true};
        v->index = (IrType){.kind = TY_INT};
        v->index_base = 1;
        for (int i = 0; i < f->elements; i++)
            v->initial[i] = f->locations;
        for (int i = 0; i < f->locations; i++)
            if (l->start[i])
                v->initial[l->start[i] - 1] = i;
    }
    if (l->scores) {
        l->var_id[VAR_SCORE] = g->vars;
        v = add_var_of(l, "score", INT32_MIN, INT32_MAX, g->players, false);
        v->index = (IrType){.kind = TY_PLAYER};
        for (int i = 0; i < g->players; i++)
            v->initial[i] = f->score;
    }
    if (f->ends) {
        l->var_id[VAR_WINNER] = g->vars;
        add_var_of(l, "winner", 0, g->players + 1, 0, true);
    }
    l->var_id[VAR_SCRATCH] = g->vars;
    for (int i = 0; i < l->scratch; i++) {
        const Scratch *s = &l->scratches[i];
        add_var_of(l, arena_printf(l->arena, "scratch%d", i + 1), s->lo, s->hi, 0, true);
    }
}

static void make_setup(Lower *l) {
    IrGame *g = l->g;
    IrStmt **tail = &g->setup;
    for (int p = 0; p < l->planes; p++) {
        uint64_t *words = ARENA_ARRAY(l->arena, uint64_t, l_words(l) + 1);
        bool any = false;
        for (int i = 0; i < l->f->locations; i++)
            if (l->start[i] && l->element_plane[l->start[i] - 1] == p) {
                words[i / 64] |= (uint64_t)1 << (i % 64);
                any = true;
            }
        if (!any)
            continue;
        IrExpr *cells = ARENA_NEW(l->arena, IrExpr);
        *cells = (IrExpr){.op = IR_SET, .type = {.kind = TY_SET}, .set = words};
        IrStmt *s = ARENA_NEW(l->arena, IrStmt);
        s->kind = ST_PLACE;
        s->id = p;
        s->e[0] = cells;
        if (g->plane[p].owner < g->players) {
            s->e[1] = ARENA_NEW(l->arena, IrExpr);
            *s->e[1] = (IrExpr){.op = IR_CONST,
                                .type = {.kind = TY_PLAYER},
                                .value = g->plane[p].owner,
                                .lo = g->plane[p].owner,
                                .hi = g->plane[p].owner};
        }
        *tail = s;
        tail = &s->next;
    }
    for (int i = 0; l->depth_changes && i < l->f->locations; i++) {
        int z = l->start[i] ? l->f->element[l->start[i] - 1].zindex : 0;
        if (!z)
            continue;
        IrStmt *s = ARENA_NEW(l->arena, IrStmt);
        s->kind = ST_SET_ATTR;
        for (int k = 0; k < 2; k++) {
            int v = k ? i : z;
            s->e[k] = ARENA_NEW(l->arena, IrExpr);
            *s->e[k] = (IrExpr){.op = IR_CONST,
                                .type = {.kind = k ? TY_CELL : TY_INT},
                                .value = v,
                                .lo = v,
                                .hi = v};
        }
        *tail = s;
        tail = &s->next;
    }
}

bool kinds_finish(Lower *l) {
    if (!make_board(l))
        return false;
    ir_add_board_tables(l->g);
    make_kinds(l);
    make_vars(l);
    make_setup(l);
    return true;
}
