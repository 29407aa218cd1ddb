// check_operator: operators on numbers, conditions and sets, and sets in braces. See checker.h.

#include "lang/checker.h"

#include <inttypes.h>

// Bounds of a sum or product; false (reported) if they are out of hand.
static bool number_range(Checker *c, IrExpr *e, const Node *node) {
    int64_t a = e->kid[0]->lo, b = e->kid[0]->hi;
    int64_t x = e->kid[1] ? e->kid[1]->lo : 0, y = e->kid[1] ? e->kid[1]->hi : 0;
    int64_t v[4] = {a, b, x, y};
    switch (e->op) {
    case IR_ADD: v[0] = a + x, v[1] = b + y, v[2] = v[0], v[3] = v[1]; break;
    case IR_SUB: v[0] = a - y, v[1] = b - x, v[2] = v[0], v[3] = v[1]; break;
    case IR_MUL: v[0] = a * x, v[1] = a * y, v[2] = b * x, v[3] = b * y; break;
    case IR_DIV: v[0] = a / x, v[1] = a / y, v[2] = b / x, v[3] = b / y; break;
    case IR_MOD: {
        int64_t most = (x < 0 ? -x : x) > (y < 0 ? -y : y) ? (x < 0 ? -x : x) : (y < 0 ? -y : y);
        v[0] = v[2] = a < 0 ? -(most - 1) : 0;
        v[1] = v[3] = b > 0 ? most - 1 : 0;
        if (a >= 0 && b < v[1])
            v[1] = v[3] = b;
        break;
    }
    case IR_NEG: v[0] = v[2] = -b, v[1] = v[3] = -a; break;
    case IR_ABS:
        v[1] = v[3] = -a > b ? -a : b;
        v[0] = v[2] = a > 0 ? a : b < 0 ? -b : 0;
        break;
    case IR_LOWER: v[0] = v[2] = a < x ? a : x, v[1] = v[3] = b < y ? b : y; break;
    case IR_HIGHER: v[0] = v[2] = a > x ? a : x, v[1] = v[3] = b > y ? b : y; break;
    default: break;
    }
    int64_t lo = v[0], hi = v[0];
    for (int i = 1; i < 4; i++) {
        lo = v[i] < lo ? v[i] : lo;
        hi = v[i] > hi ? v[i] : hi;
    }
    if (lo < -NUMBER_LIMIT || hi > NUMBER_LIMIT) {
        diag_error(c->diags, node->span, "this can be as large as %" PRId64, -lo > hi ? lo : hi);
        diag_help(c->diags, "numbers go up to %d", NUMBER_LIMIT);
        return false;
    }
    e->lo = (int32_t)lo;
    e->hi = (int32_t)hi;
    return true;
}

IrExpr *expr_sum(Checker *c, IrOp op, const Node *node, IrExpr *a, IrExpr *b) {
    IrExpr *e = expr_new(c, op, type_plain(TY_INT), node);
    e->kid[0] = a;
    e->kid[1] = b;
    return number_range(c, e, node) ? expr_done(c, e) : NULL;
}

static IrExpr *check_arithmetic(Checker *c, IrOp op, const Node *node, IrExpr *a, IrExpr *b) {
    const Node *bn = node->count > 1 ? node->kids[1] : node->kids[0];
    a = check_convert(c, a, type_plain(TY_INT), node->kids[0]);
    b = b ? check_convert(c, b, type_plain(TY_INT), bn) : NULL;
    if (!a || (node->count > 1 && !b))
        return NULL;
    if ((op == IR_DIV || op == IR_MOD) && b->lo <= 0 && b->hi >= 0) {
        diag_error(c->diags, bn->span, "the divisor can be 0");
        diag_help(c->diags, "its range is %d..%d; use `max(1, …)` or a variable that starts at 1",
                  b->lo, b->hi);
        return NULL;
    }
    return expr_sum(c, op, node, a, b);
}

static bool is_collection(const IrExpr *e) {
    return e->type.kind == TY_SET || e->type.kind == TY_MASK || e->type.kind == TY_LINE ||
           e->type.kind == TY_KIND || e->type.kind == TY_NONE;
}

// `mine & theirs` and the like: parts of the board that never share a cell.
static bool disjoint(const IrExpr *a, const IrExpr *b) {
    if (a->op == IR_NOT_SET && a->kid[0]->op == IR_OCCUPIED)
        return b->op == IR_OWNED || b->op == IR_PLANE || b->op == IR_PIECES || b->op == IR_OCCUPIED;
    if (a->op == IR_OWNED && b->op == IR_OWNED)
        return (a->kid[0]->op == IR_ME && b->kid[0]->op == IR_SUB) ||
               (b->kid[0]->op == IR_ME && a->kid[0]->op == IR_SUB);
    return a->op == IR_PLANE && b->op == IR_PLANE && a->id != b->id;
}

static IrExpr *check_set_operator(Checker *c, IrOp op, const Node *node, IrExpr *a, IrExpr *b) {
    IrType type = type_plain(TY_SET);
    if (a->type.kind == TY_MASK || b->type.kind == TY_MASK)
        type = a->type.kind == TY_MASK ? a->type : b->type;
    a = check_convert(c, a, type, node->kids[0]);
    b = check_convert(c, b, type, node->kids[1]);
    if (!a || !b)
        return NULL;
    if (op == IR_AND && (disjoint(a, b) || disjoint(b, a)))
        check_warn(c, node->span, "this set is always empty");
    return expr_binary(c, op, type, node, a, b);
}

static IrExpr *check_compare(Checker *c, const Node *node, IrExpr *a, IrExpr *b) {
    const char *w = node->word;
    if (!strcmp(w, "==") || !strcmp(w, "!=")) {
        IrOp op = w[0] == '=' ? IR_EQ : IR_NE;
        if (a->type.kind == TY_LINES)
            return check_convert(c, a, type_plain(TY_SET), node->kids[0]);
        if (a->type.kind == TY_NONE)
            a = check_convert(c, a, b->type, node->kids[0]);
        else if (a->type.kind == TY_KIND && b->type.kind == TY_SET)
            a = check_convert(c, a, b->type, node->kids[0]);
        else
            b = check_convert(c, b, a->type, node->kids[1]);
        return a && b ? expr_binary(c, op, type_plain(TY_BOOL), node, a, b) : NULL;
    }
    a = check_convert(c, a, type_plain(TY_INT), node->kids[0]);
    b = check_convert(c, b, type_plain(TY_INT), node->kids[1]);
    if (w[0] == '<')
        return expr_binary(c, w[1] ? IR_LE : IR_LT, type_plain(TY_BOOL), node, a, b);
    return expr_binary(c, w[1] ? IR_LE : IR_LT, type_plain(TY_BOOL), node, b, a);
}

IrExpr *expr_not(Checker *c, IrExpr *e, const Node *node) {
    return expr_unary(c, IR_NOT, type_plain(TY_BOOL), node, e);
}

// x in a .. b
static IrExpr *check_in_range(Checker *c, const Node *node, IrExpr *x) {
    const Node *range = node->kids[1];
    x = check_convert(c, x, type_plain(TY_INT), node->kids[0]);
    IrExpr *lo = check_number(c, range->kids[0]);
    IrExpr *hi = check_number(c, range->kids[1]);
    IrType b = type_plain(TY_BOOL);
    return expr_binary(c, IR_BOTH, b, node, expr_binary(c, IR_LE, b, node, lo, x),
                       expr_binary(c, IR_LE, b, node, x, hi));
}

// l in lines through c: the cell is on the line
static IrExpr *check_in_lines(Checker *c, const Node *node, IrExpr *line, const IrExpr *lines) {
    if (!lines->kid[0])
        return expr_const(c, type_plain(TY_BOOL), 1, node);
    return expr_binary(c, IR_MEMBER, type_plain(TY_BOOL), node, lines->kid[0],
                       expr_unary(c, IR_LINE_SET, type_plain(TY_SET), node, line));
}

static IrExpr *check_in(Checker *c, const Node *node) {
    IrExpr *x = check_expr(c, node->kids[0]);
    if (!x)
        return NULL;
    if (node->kids[1]->kind == N_RANGE)
        return check_in_range(c, node, x);
    IrExpr *s = check_expr(c, node->kids[1]);
    if (!s)
        return NULL;
    if (x->type.kind == TY_LINE && s->type.kind == TY_LINES)
        return check_in_lines(c, node, x, s);
    if (x->type.kind == TY_CELL || x->type.kind == TY_NONE || s->type.kind != TY_MASK) {
        s = check_convert(c, s, type_plain(TY_SET), node->kids[1]);
        x = s ? check_convert(c, x, type_plain(TY_CELL), node->kids[0]) : NULL;
    } else {
        x = check_convert(c, x, (IrType){.kind = s->type.of, .of_enum = s->type.of_enum},
                          node->kids[0]);
    }
    return expr_binary(c, IR_MEMBER, type_plain(TY_BOOL), node, x, s);
}

static IrExpr *check_within(Checker *c, const Node *node) {
    IrExpr *a = check_expr(c, node->kids[0]), *b = check_expr(c, node->kids[1]);
    if (!a || !b)
        return NULL;
    IrType type = a->type.kind == TY_MASK ? a->type : type_plain(TY_SET);
    return expr_binary(c, IR_WITHIN, type_plain(TY_BOOL), node,
                       check_convert(c, a, type, node->kids[0]),
                       check_convert(c, b, type, node->kids[1]));
}

// `yes and x` is x; `no and x` is no; likewise for `or`. Parameters often decide one side.
static IrExpr *decided_logic(bool both, IrExpr *known, IrExpr *other) {
    IrExpr *e = (known->value != 0) == both ? other : known;
    e->bound |= known->bound;
    return e;
}

static IrExpr *check_logic(Checker *c, const Node *node) {
    bool both = node->word[0] == 'a';
    IrExpr *x = check_cond(c, node->kids[0]), *y = check_cond(c, node->kids[1]);
    int64_t v;
    if (x && y && expr_is_constant(x, &v))
        return decided_logic(both, x, y);
    if (x && y && expr_is_constant(y, &v))
        return decided_logic(both, y, x);
    return expr_binary(c, both ? IR_BOTH : IR_EITHER, type_plain(TY_BOOL), node, x, y);
}

IrExpr *check_binary(Checker *c, const Node *node) {
    const char *w = node->word;
    if (!strcmp(w, "and") || !strcmp(w, "or"))
        return check_logic(c, node);
    if (!strcmp(w, "in"))
        return check_in(c, node);
    if (!strcmp(w, "not in"))
        return expr_not(c, check_in(c, node), node);
    if (!strcmp(w, "within"))
        return check_within(c, node);
    if (!strcmp(w, "not within"))
        return expr_not(c, check_within(c, node), node);
    IrExpr *x = check_expr(c, node->kids[0]), *y = check_expr(c, node->kids[1]);
    if (!x || !y)
        return NULL;
    switch (w[0]) {
    case '+':
        if (is_collection(x) && is_collection(y)) {
            diag_error(c->diags, node->span, "sets are not joined with `+`");
            diag_help(c->diags, "write `%s | %s`", ast_text(c->source, node->kids[0], c->arena),
                      ast_text(c->source, node->kids[1], c->arena));
            return NULL;
        }
        return check_arithmetic(c, IR_ADD, node, x, y);
    case '*': return check_arithmetic(c, IR_MUL, node, x, y);
    case '/': return check_arithmetic(c, IR_DIV, node, x, y);
    case '%': return check_arithmetic(c, IR_MOD, node, x, y);
    case '&': return check_set_operator(c, IR_AND, node, x, y);
    case '|': return check_set_operator(c, IR_OR, node, x, y);
    case '-':
        if (is_collection(x) || is_collection(y))
            return check_set_operator(c, IR_MINUS, node, x, y);
        return check_arithmetic(c, IR_SUB, node, x, y);
    default: return check_compare(c, node, x, y);
    }
}

static IrExpr *check_count(Checker *c, const Node *node) {
    const Node *of = node->kids[0];
    Symbol *s = of->kind == N_NAME && !names_local(c, of->word) ? names_find(c, of->word) : NULL;
    if (s && s->kind == SYM_PARAMETER && c->g->parameter[s->id].list) {
        s->used = true;
        IrExpr *e = expr_const(c, type_plain(TY_INT), c->g->parameter[s->id].count, node);
        e->bound = true;
        return e;
    }
    Symbol *relation = check_relation_of(c, of);
    if (relation)
        return check_known(c, relation, of, ASK_COUNT);
    IrExpr *set = check_expr(c, of);
    if (set && set->type.kind != TY_MASK)
        set = check_convert(c, set, type_plain(TY_SET), of);
    if (!set)
        return NULL;
    IrExpr *e = expr_new(c, IR_COUNT, type_plain(TY_INT), node);
    e->kid[0] = set;
    e->hi = set->type.kind == TY_MASK ? 64 : c->g->board->cells;
    return expr_done(c, e);
}

IrExpr *check_unary(Checker *c, const Node *node) {
    const char *w = node->word;
    if (!strcmp(w, "before"))
        return check_before(c, node);
    Symbol *relation = check_relation_of(c, node->kids[0]);
    if (!strcmp(w, "not"))
        return expr_not(c,
                        relation ? check_known(c, relation, node->kids[0], ASK_ANY)
                                 : check_cond(c, node->kids[0]),
                        node);
    if (!strcmp(w, "-"))
        return check_arithmetic(c, IR_NEG, node, check_expr(c, node->kids[0]), NULL);
    if (!strcmp(w, "count"))
        return check_count(c, node);
    if (!strcmp(w, "the"))
        return expr_unary(c, IR_FIRST, (IrType){.kind = TY_CELL, .optional = true}, node,
                          check_set(c, node->kids[0]));
    if (relation) {
        IrExpr *known = check_known(c, relation, node->kids[0], ASK_ANY);
        return !strcmp(w, "no") ? expr_not(c, known, node) : known;
    }
    IrExpr *set = check_expr(c, node->kids[0]);
    if (set && set->type.kind != TY_MASK)
        set = check_convert(c, set, type_plain(TY_SET), node->kids[0]);
    IrExpr *some = expr_unary(c, IR_SOME, type_plain(TY_BOOL), node, set);
    return !strcmp(w, "no") ? expr_not(c, some, node) : some;
}

IrExpr *check_if(Checker *c, const Node *node) {
    IrExpr *cond = check_cond(c, node->kids[0]);
    IrExpr *a = check_expr(c, node->kids[1]), *b = check_expr(c, node->kids[2]);
    if (!cond || !a || !b)
        return NULL;
    bool set = b->type.kind == TY_SET || (b->type.kind == TY_MASK && a->type.kind == TY_SET);
    if (a->type.kind == TY_NONE || (is_collection(a) && set))
        a = check_convert(c, a, b->type, node->kids[1]);
    else if (a->type.kind == TY_LINE)
        a = check_convert(c, a, type_plain(TY_SET), node->kids[1]);
    if (!a)
        return NULL;
    b = check_convert(c, b, a->type, node->kids[2]);
    if (!b)
        return NULL;
    int64_t known;
    if (expr_is_constant(cond, &known)) {
        IrExpr *chosen = ARENA_NEW(c->arena, IrExpr);
        *chosen = known ? *a : *b;
        chosen->bound |= cond->bound;
        return chosen;
    }
    IrType type = a->type;
    type.optional = a->type.optional || b->type.optional;
    IrExpr *e = expr_new(c, IR_COND, type, node);
    e->kid[0] = cond;
    e->kid[1] = a;
    e->kid[2] = b;
    e->lo = a->lo < b->lo ? a->lo : b->lo;
    e->hi = a->hi > b->hi ? a->hi : b->hi;
    return expr_done(c, e);
}

// --- sets in braces ---

// The set with one member that is no cell; empty for `none`.
static IrExpr *mask_of(Checker *c, const Node *node, IrExpr *e) {
    IrType mask = {.kind = TY_MASK, .of = e->type.kind, .of_enum = e->type.of_enum};
    IrExpr *set = expr_unary(c, IR_MASK_OF, mask, node, e);
    if (!e->type.optional)
        return set;
    IrExpr *all = expr_all_of(c, e->type.kind, ir_domain_size(c->g, e->type, 0, 0), node);
    return expr_binary(c, IR_AND, mask, node, set, all);
}

IrExpr *check_braces(Checker *c, const Node *node) {
    if (!node->count) {
        if (!check_needs_board(c, node, "{}"))
            return NULL;
        return expr_empty_set(c, node);
    }
    IrExpr *sum = NULL;
    for (int i = 0; i < node->count; i++) {
        const Node *kid = node->kids[i];
        IrExpr *e = check_expr(c, kid);
        if (!e)
            return NULL;
        if (sum && sum->type.kind == TY_SET)
            e = check_convert(c, e, type_plain(TY_CELL), kid);
        else if (sum)
            e = check_convert(c, e, (IrType){.kind = sum->type.of, .of_enum = sum->type.of_enum},
                              kid);
        if (!e)
            return NULL;
        IrTypeKind k = e->type.kind;
        if (k == TY_NONE || k == TY_CELL) {
            e = check_convert(c, e, type_plain(TY_CELL), kid);
            e = expr_unary(c, IR_SINGLE, type_plain(TY_SET), kid, e);
        } else if (k == TY_PLAYER || k == TY_DIRECTION || k == TY_KIND || k == TY_FLAG ||
                   k == TY_INT) {
            if (k == TY_INT && (e->lo < 0 || e->hi > 63)) {
                diag_error(c->diags, kid->span, "a set of numbers can hold 0..63");
                return NULL;
            }
            e = mask_of(c, kid, e);
        } else {
            diag_error(c->diags, kid->span, "%s cannot stand in braces",
                       ir_type_name(c->g, e->type));
            diag_help(c->diags, "use `|` to join sets");
            return NULL;
        }
        sum = sum ? expr_binary(c, IR_OR, sum->type, node, sum, e) : e;
    }
    return sum;
}
