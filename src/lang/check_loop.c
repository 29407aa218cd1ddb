// check_loop: what loops run over, `where`, and quantifiers. See checker.h.

#include "lang/checker.h"

#include <inttypes.h>

static IrDomain *range_domain(Checker *c, const Node *node, int32_t *lo, int32_t *hi) {
    IrExpr *a = check_number(c, node->kids[0]), *b = check_number(c, node->kids[1]);
    if (!a || !b)
        return NULL;
    *lo = a->lo;
    *hi = b->hi < a->lo ? a->lo : b->hi;
    if ((int64_t)b->hi - a->lo > 65535) {
        diag_error(c->diags, node->span, "this range can hold more than 65536 numbers");
        return NULL;
    }
    int64_t x, y;
    if (expr_is_constant(a, &x) && expr_is_constant(b, &y) && x > y && !a->bound && !b->bound)
        check_warn(c, node->span, "this range is always empty");
    IrDomain *d = ARENA_NEW(c->arena, IrDomain);
    *d = (IrDomain){.kind = DOM_RANGE, .a = a, .b = b};
    return d;
}

static IrDomain *expr_domain(Checker *c, const Node *node, IrType *type) {
    IrExpr *e = check_expr(c, node);
    if (!e)
        return NULL;
    IrDomain *d = ARENA_NEW(c->arena, IrDomain);
    if (e->type.kind == TY_LINES) {
        *d = (IrDomain){.kind = DOM_LINES, .a = e->kid[0]};
        *type = type_plain(TY_LINE);
        return d;
    }
    if (e->type.kind == TY_MASK) {
        *d = (IrDomain){.kind = DOM_MASK, .a = e};
        *type = (IrType){.kind = e->type.of, .of_enum = e->type.of_enum};
        return d;
    }
    e = check_convert(c, e, type_plain(TY_SET), node);
    *d = (IrDomain){.kind = DOM_SET, .a = e};
    *type = type_plain(TY_CELL);
    return e ? d : NULL;
}

IrDomain *check_domain(Checker *c, const Node *node, const char *name, Span span, bool choice,
                       Local **local) {
    const Node *base = node->kind == N_WHERE ? node->kids[0] : node;
    IrType type = type_plain(TY_INT);
    int32_t lo = 0, hi = 0;
    IrDomain *d =
        base->kind == N_RANGE ? range_domain(c, base, &lo, &hi) : expr_domain(c, base, &type);
    if (!d)
        return NULL;
    if (d->kind != DOM_RANGE)
        hi = type.kind == TY_INT ? 63 : ir_domain_size(c->g, type, 0, 0) - 1;
    Local *l = choice ? names_declare(c, name, span, type, lo, hi)
                      : names_push(c, name, span, type, lo, hi);
    d->slot = l->slot;
    if (local)
        *local = l;
    if (node->kind == N_WHERE) {
        Local *mark = c->locals;
        Local *it = names_alias(c, "it", (Span){0}, l->slot, type, lo, hi);
        d->where = check_cond(c, node->kids[1]);
        l->used |= it->used && !strcmp(name, "it");
        c->locals = mark;
        if (!d->where)
            return NULL;
    }
    return d;
}

// S where COND as a value.
IrExpr *check_where(Checker *c, const Node *node) {
    if (!check_needs_board(c, node, "where"))
        return NULL;
    Local *mark = c->locals;
    IrDomain *d = check_domain(c, node, "it", (Span){0}, false, NULL);
    c->locals = mark;
    if (!d)
        return NULL;
    if (d->kind != DOM_SET) {
        diag_error(c->diags, node->span, "`where` makes a set of cells only from a set of cells");
        diag_help(c->diags, "it may also follow the domain of choose, for and quantifiers");
        return NULL;
    }
    IrExpr *e = expr_new(c, IR_FILTER, type_plain(TY_SET), node);
    e->domain = d;
    return expr_done(c, e);
}

static int64_t domain_most(Checker *c, const IrDomain *d, IrType type, const Local *l) {
    if (d->kind == DOM_RANGE)
        return (int64_t)l->hi - l->lo + 1;
    return type.kind == TY_INT ? 64 : ir_domain_size(c->g, type, 0, 0);
}

// The bounds of sum, min and max, and what the latter are over nothing.
static bool fold_range(Checker *c, IrExpr *e, const Local *l, const Node *node) {
    const IrExpr *body = e->kid[0];
    e->lo = body->lo;
    e->hi = body->hi;
    int64_t n = domain_most(c, e->domain, l->type, l);
    if (e->op == IR_TALLY) {
        e->lo = 0;
        e->hi = (int32_t)n;
    } else if (e->op == IR_SUM) {
        int64_t lo = body->lo < 0 ? body->lo * n : 0, hi = body->hi > 0 ? body->hi * n : 0;
        if (lo < -NUMBER_LIMIT || hi > NUMBER_LIMIT) {
            diag_error(c->diags, node->span, "this sum can be as large as %" PRId64,
                       -lo > hi ? lo : hi);
            return false;
        }
        e->lo = (int32_t)lo;
        e->hi = (int32_t)hi;
    }
    e->value = e->op == IR_MIN ? e->hi : e->op == IR_MAX ? e->lo : 0;
    return true;
}

static IrOp quantifier(const char *w) {
    static const struct {
        const char *word;
        IrOp op;
    } table[] = {{"some", IR_ANY}, {"no", IR_ANY},  {"all", IR_ALL}, {"count", IR_TALLY},
                 {"sum", IR_SUM},  {"min", IR_MIN}, {"max", IR_MAX}, {"union", IR_UNION}};
    for (int i = 0; i < 8; i++)
        if (!strcmp(w, table[i].word))
            return table[i].op;
    return IR_ANY;
}

IrExpr *check_quantifier(Checker *c, const Node *node) {
    IrOp op = quantifier(node->word);
    Local *mark = c->locals, *l;
    IrDomain *d = check_domain(c, node->kids[0], node->extra, node->extra_span, false, &l);
    if (!d) {
        c->locals = mark;
        return NULL;
    }
    bool number = op == IR_SUM || op == IR_MIN || op == IR_MAX;
    IrTypeKind body_type = op == IR_UNION ? TY_SET : number ? TY_INT : TY_BOOL;
    IrExpr *body = check_typed(c, node->kids[1], type_plain(body_type));
    names_pop(c, mark);
    if (!body)
        return NULL;
    IrExpr *e = expr_new(c, op, type_plain(op == IR_TALLY ? TY_INT : body_type), node);
    e->domain = d;
    e->kid[0] = body;
    if ((number || op == IR_TALLY) && !fold_range(c, e, l, node))
        return NULL;
    e = expr_done(c, e);
    return !strcmp(node->word, "no") ? expr_not(c, e, node) : e;
}

// the c in S with least e
IrExpr *check_the(Checker *c, const Node *node) {
    Local *mark = c->locals, *l;
    IrDomain *d = check_domain(c, node->kids[0], node->extra, node->extra_span, false, &l);
    if (!d) {
        c->locals = mark;
        return NULL;
    }
    IrExpr *score = node->count > 1 && node->kids[1] ? check_number(c, node->kids[1])
                                                     : expr_const(c, type_plain(TY_INT), 0, node);
    l->used |= node->count < 2 || !node->kids[1];
    names_pop(c, mark);
    if (!score)
        return NULL;
    if (d->kind != DOM_SET) {
        diag_error(c->diags, node->span, "`the` picks a cell; this is no set of cells");
        return NULL;
    }
    bool most = node->word && !strcmp(node->word, "most");
    IrExpr *e =
        expr_new(c, most ? IR_MOST : IR_LEAST, (IrType){.kind = TY_CELL, .optional = true}, node);
    e->domain = d;
    e->kid[0] = score;
    e->value = c->g->board->cells;
    return expr_done(c, e);
}
