// Sets of cells, and questions about expressions. See lower.h.

#include "s3/lower_make.h"

// --- sets ---

X *x_cells(Lower *l, const uint64_t *words) {
    X draft = {.op = X_CELLS, .type = T_SET};
    draft.words = (uint64_t *)(uintptr_t)words; // only read
    return x_intern(l, &draft);
}

static bool is_empty(const Lower *l, const X *x) {
    if (x->op == X_PIECES)
        return !x->mask;
    for (int i = 0; x->op == X_CELLS && i < l_words(l); i++)
        if (x->words[i])
            return false;
    return x->op == X_CELLS;
}

static X *make_set(Lower *l, XOp op, X *a, X *b, X *c) {
    X *kid[3] = {a, b, c};
    X draft = {.op = op, .type = T_SET, .kid = kid, .kids = c ? 3 : b ? 2 : a ? 1 : 0};
    return x_intern(l, &draft);
}

X *x_pieces(Lower *l, uint64_t mask) {
    X draft = {.op = X_PIECES, .type = T_SET, .mask = mask, .reads = READS_PLACES | READS_LOOKS};
    return x_intern(l, &draft);
}

X *x_free(Lower *l) {
    X draft = {.op = X_FREE, .type = T_SET, .reads = READS_PLACES};
    return x_intern(l, &draft);
}

X *x_set(Lower *l, XOp op, X *a, X *b) {
    if (is_empty(l, a))
        return op == X_OR ? b : a;
    if (is_empty(l, b))
        return op == X_AND ? b : a;
    if (a == b)
        return op == X_MINUS ? x_pieces(l, 0) : a;
    if (a->op == X_CELLS && b->op == X_CELLS) {
        uint64_t *words = ARENA_ARRAY(l->arena, uint64_t, l_words(l));
        for (int i = 0; i < l_words(l); i++)
            words[i] = op == X_OR    ? a->words[i] | b->words[i]
                       : op == X_AND ? a->words[i] & b->words[i]
                                     : a->words[i] & ~b->words[i];
        return x_cells(l, words);
    }
    return make_set(l, op, a, b, NULL);
}

X *x_single(Lower *l, X *cell) {
    if (cell->op == X_CONST) {
        uint64_t *words = ARENA_ARRAY(l->arena, uint64_t, l_words(l));
        if (cell->value < l->f->locations)
            words[cell->value / 64] |= (uint64_t)1 << (cell->value % 64);
        return x_cells(l, words);
    }
    return make_set(l, X_SINGLE, cell, NULL, NULL);
}

X *x_sets(Lower *l, X *cell, uint64_t *words) {
    X draft = {.op = X_SETS, .type = T_SET, .kid = &cell, .kids = 1, .words = words};
    return x_intern(l, &draft);
}

X *x_filter(Lower *l, X *set, int slot, X *cond) {
    if (cond->op == X_CONST)
        return cond->value ? set : x_pieces(l, 0);
    X *kid[2] = {set, cond};
    X draft = {.op = X_FILTER, .type = T_SET, .value = slot, .kid = kid, .kids = 2};
    return x_intern(l, &draft);
}

X *x_first(Lower *l, X *set) {
    X draft = {.op = X_FIRST, .type = T_CELL, .hi = l->f->locations, .kid = &set, .kids = 1};
    X *x = x_intern(l, &draft);
    x->atoms = 3;
    return x;
}

X *x_some(Lower *l, X *set) {
    if (is_empty(l, set))
        return x_bool(l, false);
    X draft = {.op = X_SOME, .type = T_BOOL, .hi = 1, .kid = &set, .kids = 1};
    X *x = x_intern(l, &draft);
    x->atoms = 3;
    return x;
}

X *x_has(Lower *l, X *cell, X *set) {
    if (is_empty(l, set))
        return x_bool(l, false);
    X *kid[2] = {cell, set};
    X draft = {.op = X_HAS, .type = T_BOOL, .hi = 1, .kid = kid, .kids = 2};
    X *x = x_intern(l, &draft);
    if (set->op != X_CELLS) {
        x->atoms = 3;
        return x;
    }
    return x_fold(l, x);
}

// --- questions ---

bool x_is_static(const X *x) {
    if (x->type == T_SET || x->reads || x->atoms > 2)
        return false;
    for (int i = 0; i < x->atoms; i++)
        if (x->atom[i]->op != X_LOCAL)
            return false;
    return true;
}

X *x_decide(Lower *l, X *x) {
    if (x->op == X_CONST || x->atoms != 2 || !x_is_static(x))
        return x;
    X *a = x->atom[0], *b = x->atom[1];
    int64_t n = (int64_t)x_domain(a) * x_domain(b);
    if (n > 300000)
        return x;
    int found = -1;
    for (int64_t i = a->lo; i <= a->hi; i++)
        for (int64_t k = b->lo; k <= b->hi; k++) {
            if (!x_in_domain(a, i) || !x_in_domain(b, k))
                continue;
            int v = x_eval(l, x, i, k) != 0;
            if (found >= 0 && v != found)
                return x;
            found = v;
        }
    return x_bool(l, found > 0);
}

X *x_narrow(Lower *l, X *x, X *given) {
    if (x->atoms != 2 || !x_is_static(x) || !x_is_static(given))
        return x;
    for (int i = 0; i < given->atoms; i++)
        if (given->atom[i] != x->atom[0] && given->atom[i] != x->atom[1])
            return x;
    if ((int64_t)x_domain(x->atom[0]) * x_domain(x->atom[1]) > 300000)
        return x;
    for (int on = 0; on < 2; on++) {
        X *a = x->atom[on], *b = x->atom[!on];
        int32_t *tab = ARENA_ARRAY(l->arena, int32_t, x_domain(a));
        bool fits = true, any = false;
        int32_t some = 0;
        bool *known = ARENA_ARRAY(l->arena, bool, x_domain(a));
        for (int64_t i = a->lo; i <= a->hi && fits; i++)
            for (int64_t k = b->lo; k <= b->hi && fits; k++) {
                int64_t v[2] = {on ? k : i, on ? i : k}, g[2] = {0};
                for (int n = 0; n < given->atoms; n++)
                    g[n] = given->atom[n] == x->atom[0] ? v[0] : v[1];
                if (!x_in_domain(a, i) || !x_in_domain(b, k) || !x_eval(l, given, g[0], g[1]))
                    continue;
                some = (int32_t)x_eval(l, x, v[0], v[1]);
                fits = !known[i - a->lo] || tab[i - a->lo] == some;
                tab[i - a->lo] = some;
                known[i - a->lo] = any = true;
            }
        for (int64_t i = 0; i < x_domain(a); i++)
            if (!known[i])
                tab[i] = some;
        if (fits && any)
            return x_map(l, a, x->type, tab);
    }
    return x;
}

bool x_mentions(const X *x, const X *local) {
    if (x == local)
        return true;
    if (x->top < local->top)
        return false;
    for (int i = 0; i < x->kids; i++)
        if (x_mentions(x->kid[i], local))
            return true;
    return false;
}
