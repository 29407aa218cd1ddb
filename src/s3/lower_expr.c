// Expressions as IR: each X becomes one IrExpr. See lower_out.h.

#include "s3/lower_out.h"

IrType out_type(IrTypeKind kind) {
    return (IrType){.kind = kind};
}

// --- making expressions ---

static bool reads_state(IrOp op) {
    switch (op) {
    case IR_VAR:
    case IR_ATTR:
    case IR_ME:
    case IR_OCCUPIED:
    case IR_PLANE:
    case IR_KIND_AT: return true;
    default: return false;
    }
}

static void inherit(IrExpr *e, const IrExpr *from) {
    if (from) {
        e->dynamic |= from->dynamic;
        e->uses |= from->uses;
    }
}

IrExpr *out_new(Lower *l, IrOp op, IrType type, IrExpr *a, IrExpr *b, IrExpr *c) {
    IrExpr *e = ARENA_NEW(l->arena, IrExpr);
    *e = (IrExpr){.op = op, .type = type, .kid = {a, b, c}};
    e->dynamic = reads_state(op);
    inherit(e, a);
    inherit(e, b);
    inherit(e, c);
    switch (type.kind) {
    case TY_BOOL: e->hi = 1; break;
    case TY_CELL: e->hi = l->f->locations - !type.optional; break;
    case TY_KIND: e->hi = l->planes - !type.optional; break;
    case TY_PLAYER: e->hi = l->f->players - !type.optional; break;
    default: break;
    }
    return e;
}

IrExpr *out_const(Lower *l, IrTypeKind kind, int64_t value) {
    IrType type = out_type(kind);
    type.optional = (kind == TY_CELL && value == l->f->locations) ||
                    (kind == TY_PLAYER && value == l->f->players);
    IrExpr *e = out_new(l, IR_CONST, type, NULL, NULL, NULL);
    e->value = value;
    e->lo = e->hi = (int32_t)value;
    return e;
}

IrExpr *out_cells(Lower *l, const uint64_t *words) {
    IrExpr *e = out_new(l, IR_SET, out_type(TY_SET), NULL, NULL, NULL);
    e->set = words;
    return e;
}

static IrExpr *local_of(Lower *l, int slot) {
    const Slot *s = &l->slot[slot];
    IrType type = out_type(s->type == T_BOOL   ? TY_BOOL
                           : s->type == T_CELL ? TY_CELL
                           : s->type == T_SET  ? TY_SET
                                               : TY_INT);
    type.optional = s->type == T_CELL && s->hi == l->f->locations;
    IrExpr *e = out_new(l, IR_LOCAL, type, NULL, NULL, NULL);
    e->id = s->final;
    e->lo = s->lo;
    e->hi = s->hi;
    e->uses = (uint64_t)1 << (s->final < 63 ? s->final : 63);
    return e;
}

IrExpr *out_not(Lower *l, IrExpr *e) {
    return e->op == IR_NOT ? e->kid[0] : out_new(l, IR_NOT, out_type(TY_BOOL), e, NULL, NULL);
}

IrExpr *out_ranged(IrExpr *e, int64_t lo, int64_t hi) {
    e->lo = lo < INT32_MIN ? INT32_MIN : (int32_t)lo;
    e->hi = hi > INT32_MAX ? INT32_MAX : (int32_t)hi;
    return e;
}

IrExpr *out_fitting(Lower *l, IrExpr *e, int64_t lo, int64_t hi) {
    out_ranged(e, lo, hi);
    if (lo >= INT32_MIN && hi <= INT32_MAX)
        return e;
    return out_ranged(out_new(l, IR_WRAP, out_type(TY_INT), e, NULL, NULL), INT32_MIN, INT32_MAX);
}

IrExpr *out_pieces(Lower *l, uint64_t mask) {
    uint64_t all = ((uint64_t)1 << l->planes) - 1;
    if ((mask & all) == all && all)
        return out_new(l, IR_OCCUPIED, out_type(TY_SET), NULL, NULL, NULL);
    IrExpr *e = NULL;
    for (int p = 0; p < l->planes; p++) {
        if (!(mask >> p & 1))
            continue;
        IrExpr *plane = out_new(l, IR_PLANE, out_type(TY_SET), NULL, NULL, NULL);
        plane->id = p;
        e = e ? out_new(l, IR_OR, out_type(TY_SET), e, plane, NULL) : plane;
    }
    return e ? e : out_cells(l, ARENA_ARRAY(l->arena, uint64_t, l_words(l) + 1));
}

// --- everything ---

static IrExpr *var_of(Lower *l, int var, IrExpr *index) {
    const IrVar *v = &l->g->var[var];
    IrExpr *e = out_new(l, IR_VAR, v->type, index, NULL, NULL);
    e->id = var;
    e->lo = v->lo;
    e->hi = v->hi;
    return e;
}

static IrExpr *where_is(Lower *l, X *x) {
    IrExpr *e = out_convert(l, x->kid[0]), *at = var_of(l, l->var_id[VAR_AT], e);
    if (x->kid[0]->lo > 0)
        return at;
    IrExpr *none = out_new(l, IR_EQ, out_type(TY_BOOL), e, out_const(l, TY_INT, 0), NULL);
    IrType type = {.kind = TY_CELL, .optional = true};
    return out_new(l, IR_COND, type, none, out_const(l, TY_CELL, l->f->locations), at);
}

static IrExpr *score(Lower *l, X *x) {
    IrExpr *k = out_convert(l, x->kid[0]);
    IrExpr *who = ARENA_NEW(l->arena, IrExpr);
    *who = *k;
    who->type = out_type(TY_PLAYER); // checked before
    who->lo = who->lo < 0 ? 0 : who->lo;
    who->hi = who->hi >= l->f->players ? l->f->players - 1 : who->hi;
    return var_of(l, l->var_id[VAR_SCORE], who);
}

static IrExpr *of_kids(Lower *l, X *x) {
    IrExpr *a = x->kids > 0 ? out_convert(l, x->kid[0]) : NULL;
    IrExpr *b = x->kids > 1 ? out_convert(l, x->kid[1]) : NULL;
    IrExpr *c = x->kids > 2 ? out_convert(l, x->kid[2]) : NULL;
    IrType set = out_type(TY_SET), yes_no = out_type(TY_BOOL), cell = {.kind = TY_CELL},
           number = out_type(TY_INT);
    switch (x->op) {
    case X_MUL: return out_fitting(l, out_new(l, IR_MUL, number, a, b, NULL), x->lo, x->hi);
    case X_DIV: return out_ranged(out_new(l, IR_DIV, number, a, b, NULL), x->lo, x->hi);
    case X_MOD: return out_ranged(out_new(l, IR_MOD, number, a, b, NULL), x->lo, x->hi);
    case X_ABS: return out_ranged(out_new(l, IR_ABS, number, a, NULL, NULL), x->lo, x->hi);
    case X_WRAP:
        if (a->op == IR_WRAP)
            return a;
        return out_ranged(out_new(l, IR_WRAP, number, a, NULL, NULL), x->lo, x->hi);
    case X_EQ: return out_new(l, IR_EQ, yes_no, a, b, NULL);
    case X_LT: return out_new(l, IR_LT, yes_no, a, b, NULL);
    case X_NOT: return out_not(l, a);
    case X_HAS: return out_new(l, IR_MEMBER, yes_no, a, b, NULL);
    case X_COND: {
        IrType type = b->type;
        type.optional |= c->type.optional;
        IrExpr *e = out_new(l, IR_COND, type, a, b, c);
        if (x->type == T_INT)
            out_ranged(e, b->lo < c->lo ? b->lo : c->lo, b->hi > c->hi ? b->hi : c->hi);
        return e;
    }
    case X_AND: return out_new(l, IR_AND, set, a, b, NULL);
    case X_OR: return out_new(l, IR_OR, set, a, b, NULL);
    case X_MINUS: return out_new(l, IR_MINUS, set, a, b, NULL);
    case X_SINGLE: return out_new(l, IR_SINGLE, set, a, NULL, NULL);
    case X_SOME: return out_new(l, IR_SOME, yes_no, a, NULL, NULL);
    case X_FIRST: cell.optional = true; return out_new(l, IR_FIRST, cell, a, NULL, NULL);
    case X_FILTER: {
        IrExpr *e = out_new(l, IR_FILTER, set, NULL, NULL, NULL);
        e->domain = ARENA_NEW(l->arena, IrDomain);
        *e->domain =
            (IrDomain){.kind = DOM_SET, .a = a, .where = b, .slot = l->slot[x->value].final};
        inherit(e, b);
        if (e->domain->slot < 63)
            e->uses &= ~((uint64_t)1 << e->domain->slot);
        inherit(e, a);
        return e;
    }
    default: return a;
    }
}

static IrExpr *make(Lower *l, X *x) {
    IrType cell = {.kind = TY_CELL};
    switch (x->op) {
    case X_CONST:
        return out_const(l,
                         x->type == T_BOOL   ? TY_BOOL
                         : x->type == T_CELL ? TY_CELL
                                             : TY_INT,
                         x->value);
    case X_LOCAL: return local_of(l, (int)x->value);
    case X_ME: return out_new(l, IR_ME, out_type(TY_PLAYER), NULL, NULL, NULL);
    case X_PLANE: {
        IrType kind = {.kind = TY_KIND, .optional = true};
        return out_new(l, IR_KIND_AT, kind, out_convert(l, x->kid[0]), NULL, NULL);
    }
    case X_ELEM: return var_of(l, l->var_id[VAR_CONTENT], out_convert(l, x->kid[0]));
    case X_WHERE: return where_is(l, x);
    case X_SCORE: return score(l, x);
    case X_VAR: return var_of(l, l->var_id[VAR_SCRATCH] + (int)x->value, NULL);
    case X_DEPTH: {
        IrExpr *e = out_new(l, IR_ATTR, out_type(TY_INT), out_convert(l, x->kid[0]), NULL, NULL);
        return out_ranged(e, INT32_MIN, INT32_MAX);
    }
    case X_CELLS: return out_cells(l, x->words);
    case X_PIECES: return out_pieces(l, x->mask);
    case X_FREE:
        return out_new(l, IR_NOT_SET, out_type(TY_SET),
                       out_new(l, IR_OCCUPIED, out_type(TY_SET), NULL, NULL, NULL), NULL, NULL);
    case X_SETS: return out_sets(l, x->kid[0], x->words);
    default: break;
    }
    if (x->atoms == 2 && x_is_static(x) && x->weight > 2) {
        IrExpr *e = out_two(l, x);
        if (e)
            return e;
    }
    (void)cell;
    switch (x->op) {
    case X_FUN: return out_function(l, x);
    case X_NAME: return out_named(l, x);
    case X_SUM: return out_sum(l, x);
    case X_BOTH:
    case X_EITHER: return out_chain(l, x);
    default: return of_kids(l, x);
    }
}

IrExpr *out_convert(Lower *l, X *x) {
    if (!x->ir)
        x->ir = make(l, x);
    return x->ir;
}
