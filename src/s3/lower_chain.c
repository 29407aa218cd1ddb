// Conditions on single cells brought together: all of these cells hold white stones is `{cells}
// within white`, how many of them do is a count. See lower_out.h.

#include "s3/lower_out.h"

bool out_on_cell(const Lower *l, const X *x, OnCell *out) {
    if (x->op != X_FUN || x->type == T_CELL || x->kid[0]->op != X_PLANE)
        return false;
    const X *plane = x->kid[0];
    *out = (OnCell){.cell = plane->kid[0], .none = x->tab[l->planes] != 0};
    if (!x_in_domain(plane, l->planes)) // something does stand there: the shorter way
        out->none = false;
    for (int p = 0; p < l->planes; p++) {
        if (x->type == T_INT && x->tab[p] != 0 && x->tab[p] != 1)
            return false;
        if (x_in_domain(plane, p) && (x->tab[p] != 0) != out->none)
            out->mask |= (uint64_t)1 << p;
    }
    return x->type == T_BOOL || x->tab[l->planes] == 0 || x->tab[l->planes] == 1;
}

// --- many conditions of one kind ---

typedef struct List {
    X **x;
    int count, cap;
} List;

static void flatten(Lower *l, X *x, XOp op, List *out) {
    if (x->op == op) {
        flatten(l, x->kid[0], op, out);
        flatten(l, x->kid[1], op, out);
        return;
    }
    ARENA_GROW(l->arena, X *, out->x, out->count, out->cap);
    out->x[out->count++] = x;
}

// The cells of conditions from `first` on that ask the same of other known cells.
static int same_asked(Lower *l, const List *list, int first, bool *done, uint64_t *cells) {
    OnCell a, b;
    if (!out_on_cell(l, list->x[first], &a) || a.cell->op != X_CONST)
        return 0;
    int n = 0;
    for (int i = first; i < list->count; i++) {
        if (done[i] || !out_on_cell(l, list->x[i], &b) || b.cell->op != X_CONST ||
            b.mask != a.mask || b.none != a.none ||
            (cells[b.cell->value / 64] >> (b.cell->value % 64) & 1))
            continue;
        cells[b.cell->value / 64] |= (uint64_t)1 << (b.cell->value % 64);
        done[i] = true;
        n++;
    }
    return n;
}

// Elements by name: if all that can be a kind are asked whether they are, the board is asked.
static int same_elements(Lower *l, const List *list, int first, bool *done) {
    OnCell a, b;
    if (!out_on_cell(l, list->x[first], &a) || a.none || a.cell->op != X_WHERE ||
        a.cell->kid[0]->op != X_CONST)
        return 0;
    bool asked[4096] = {0};
    for (int i = first; i < list->count; i++)
        if (!done[i] && out_on_cell(l, list->x[i], &b) && !b.none && b.mask == a.mask &&
            b.cell->op == X_WHERE && b.cell->kid[0]->op == X_CONST)
            asked[b.cell->kid[0]->value % 4096] = true;
    for (int e = 0; e < l->f->elements && e < 4095; e++)
        if ((l->element_planes[e] & a.mask) && !asked[e + 1])
            return 0;
    int n = 0;
    for (int i = first; i < list->count; i++)
        if (!done[i] && out_on_cell(l, list->x[i], &b) && !b.none && b.mask == a.mask &&
            b.cell->op == X_WHERE && b.cell->kid[0]->op == X_CONST) {
            done[i] = true;
            n++;
        }
    return n;
}

IrExpr *out_chain(Lower *l, X *x) {
    bool both = x->op == X_BOTH;
    List list = {0};
    flatten(l, x, x->op, &list);
    bool *done = ARENA_ARRAY(l->arena, bool, list.count);
    IrExpr *sum = NULL;
    for (int i = 0; i < list.count; i++) {
        if (done[i])
            continue;
        uint64_t *cells = ARENA_ARRAY(l->arena, uint64_t, l_words(l) + 1);
        OnCell a = {0};
        bool *kept = ARENA_ARRAY(l->arena, bool, list.count);
        memcpy(kept, done, (size_t)list.count);
        int n = same_asked(l, &list, i, done, cells);
        IrExpr *e;
        if (n > 1) {
            out_on_cell(l, list.x[i], &a);
            IrExpr *asked = out_cells(l, cells), *here = out_pieces(l, a.mask);
            // all in; none in; some in; not all in
            if (both != a.none) {
                e = both ? out_new(l, IR_WITHIN, out_type(TY_BOOL), asked, here, NULL)
                         : out_new(l, IR_SOME, out_type(TY_BOOL),
                                   out_new(l, IR_AND, out_type(TY_SET), asked, here, NULL), NULL,
                                   NULL);
            } else {
                e = NULL;
            }
            if (both && a.none)
                e = out_not(l, out_new(l, IR_SOME, out_type(TY_BOOL),
                                       out_new(l, IR_AND, out_type(TY_SET), asked, here, NULL),
                                       NULL, NULL));
            else if (!both && !a.none)
                e = out_new(l, IR_SOME, out_type(TY_BOOL),
                            out_new(l, IR_AND, out_type(TY_SET), asked, here, NULL), NULL, NULL);
            else if (!both && a.none)
                e = out_not(l, out_new(l, IR_WITHIN, out_type(TY_BOOL), asked, here, NULL));
        } else {
            memcpy(done, kept, (size_t)list.count);
            if (!both && same_elements(l, &list, i, done)) {
                out_on_cell(l, list.x[i], &a);
                e = out_new(l, IR_SOME, out_type(TY_BOOL), out_pieces(l, a.mask), NULL, NULL);
            } else {
                e = out_convert(l, list.x[i]);
            }
        }
        sum = sum ? out_new(l, both ? IR_BOTH : IR_EITHER, out_type(TY_BOOL), sum, e, NULL) : e;
    }
    return sum;
}

// --- sums ---

static IrExpr *plus(Lower *l, IrExpr *sum, IrExpr *e, bool minus) {
    if (!sum && !minus)
        return e;
    if (!sum)
        return out_fitting(l, out_new(l, IR_NEG, out_type(TY_INT), e, NULL, NULL), -(int64_t)e->hi,
                           -(int64_t)e->lo);
    IrExpr *s = out_new(l, minus ? IR_SUB : IR_ADD, out_type(TY_INT), sum, e, NULL);
    return out_fitting(l, s, (int64_t)sum->lo + (minus ? -(int64_t)e->hi : e->lo),
                       (int64_t)sum->hi + (minus ? -(int64_t)e->lo : e->hi));
}

static IrExpr *times(Lower *l, IrExpr *e, int64_t factor) {
    if (factor == 1)
        return e;
    int64_t a = e->lo * factor, b = e->hi * factor;
    return out_fitting(l,
                       out_new(l, IR_MUL, out_type(TY_INT), e, out_const(l, TY_INT, factor), NULL),
                       a < b ? a : b, a < b ? b : a);
}

static IrExpr *count_of(Lower *l, const uint64_t *cells, uint64_t mask, int most) {
    IrExpr *set =
        out_new(l, IR_AND, out_type(TY_SET), out_cells(l, cells), out_pieces(l, mask), NULL);
    return out_ranged(out_new(l, IR_COUNT, out_type(TY_INT), set, NULL, NULL), 0, most);
}

IrExpr *out_sum(Lower *l, X *x) {
    bool *done = ARENA_ARRAY(l->arena, bool, x->kids + 1);
    IrExpr *e = NULL;
    int64_t rest = x->value;
    for (int i = 0; i < x->kids; i++) {
        if (done[i])
            continue;
        List list = {.x = x->kid, .count = x->kids};
        OnCell a;
        uint64_t *cells = ARENA_ARRAY(l->arena, uint64_t, l_words(l) + 1);
        bool *mine = ARENA_ARRAY(l->arena, bool, x->kids + 1);
        for (int k = 0; k < x->kids; k++)
            mine[k] = done[k] || x->tab[k] != x->tab[i];
        int n = same_asked(l, &list, i, mine, cells);
        if (n > 1) {
            out_on_cell(l, x->kid[i], &a);
            for (int k = i; k < x->kids; k++)
                done[k] |= x->tab[k] == x->tab[i] && mine[k];
            IrExpr *count = count_of(l, cells, a.mask, n);
            // Counted where it does not hold: the others.
            int64_t factor = a.none ? -(int64_t)x->tab[i] : x->tab[i];
            if (a.none)
                rest += (int64_t)x->tab[i] * n;
            bool minus = factor < 0;
            e = plus(l, e, times(l, count, minus ? -factor : factor), minus);
            continue;
        }
        bool minus = x->tab[i] < 0;
        e = plus(l, e, times(l, out_convert(l, x->kid[i]), minus ? -(int64_t)x->tab[i] : x->tab[i]),
                 minus);
    }
    if (!rest)
        return e ? e : out_const(l, TY_INT, 0);
    rest = (int32_t)(uint32_t)(uint64_t)rest;
    bool minus = rest < 0 && rest != INT32_MIN && e;
    return plus(l, e, out_const(l, TY_INT, minus ? -rest : rest), minus);
}
