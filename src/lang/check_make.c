// check_make: typed expressions are made: their ranges and flags, folding of constants,
// conversions. See checker.h.

#include "ir/relations.h"
#include "lang/checker.h"

IrType type_plain(IrTypeKind kind) {
    return (IrType){.kind = kind};
}

bool type_same(IrType a, IrType b) {
    return a.kind == b.kind && a.of == b.of &&
           ((a.kind != TY_FLAG && a.of != TY_FLAG) || a.of_enum == b.of_enum);
}

bool expr_is_constant(const IrExpr *e, int64_t *value) {
    if (!e || e->op != IR_CONST || e->type.kind == TY_LINES)
        return false;
    *value = e->value;
    return true;
}

// --- making expressions ---

// The values a scalar type can have; numbers get theirs from the operator.
static void default_range(Checker *c, IrExpr *e) {
    switch (e->type.kind) {
    case TY_BOOL: e->hi = 1; break;
    case TY_PLAYER: e->hi = c->g->players - (e->type.optional ? 0 : 1); break;
    case TY_KIND: e->hi = c->g->kinds - (e->type.optional ? 0 : 1); break;
    case TY_CELL: e->hi = c->g->board->cells - (e->type.optional ? 0 : 1); break;
    case TY_DIRECTION: e->hi = c->g->board->directions - 1; break;
    case TY_LINE: e->hi = c->g->board->lines - 1; break;
    default: break;
    }
}

IrExpr *expr_new(Checker *c, IrOp op, IrType type, const Node *node) {
    IrExpr *e = ARENA_NEW(c->arena, IrExpr);
    e->op = op;
    e->type = type;
    e->span = node->span;
    default_range(c, e);
    if (c->expressions++ == CHECK_EXPRESSIONS) {
        diag_error(c->diags, node->span, "the definitions expand to more than %d operations",
                   CHECK_EXPRESSIONS);
        diag_help(c->diags, "a definition that uses another twice doubles it each time");
    }
    return e;
}

static bool reads_state(IrOp op) {
    switch (op) {
    case IR_VAR:
    case IR_ATTR:
    case IR_ME:
    case IR_KNOWN:
    case IR_KNOWN_COUNT:
    case IR_KNOWN_SET:
    case IR_BEFORE: return true;
    default: return ir_reads_board(op);
    }
}

static void inherit(IrExpr *e, const IrExpr *from) {
    if (!from)
        return;
    e->dynamic |= from->dynamic;
    e->bound |= from->bound;
    e->uses |= from->uses;
}

static uint64_t slot_bit(int slot) {
    return (uint64_t)1 << (slot < 63 ? slot : 63);
}

void expr_set_flags(Checker *c, IrExpr *e) {
    e->dynamic |= reads_state(e->op);
    if (e->op == IR_LOCAL)
        e->uses |= slot_bit(e->id);
    if (e->op == IR_CALL) {
        inherit(e, c->g->func[e->id]->body);
        e->uses = 0;
        for (int i = 0; i < c->g->func[e->id]->params; i++)
            inherit(e, e->args[i]);
    }
    if (e->op == IR_KNOWN || e->op == IR_KNOWN_COUNT || e->op == IR_KNOWN_SET)
        for (int i = 0; i < IR_MAX_ARGS; i++)
            inherit(e, e->args[i]);
    for (int i = 0; i < 3; i++)
        inherit(e, e->kid[i]);
    if (e->domain) {
        inherit(e, e->domain->where);
        if (e->domain->slot < 63)
            e->uses &= ~slot_bit(e->domain->slot);
        inherit(e, e->domain->a);
        inherit(e, e->domain->b);
    }
}

bool expr_evaluate(Checker *c, const IrExpr *e, IrValue *locals, IrValue *value, long *steps) {
    long given = *steps < c->steps ? *steps : c->steps, left = given;
    bool done = ir_eval(c->g, e, locals, value, &left);
    c->steps -= given - left;
    *steps -= given - left;
    return done;
}

IrExpr *expr_done(Checker *c, IrExpr *e) {
    expr_set_flags(c, e);
    if (e->dynamic || e->uses || e->op == IR_CONST || e->op == IR_SET)
        return e;
    long steps = CHECK_CONSTANT_STEPS;
    IrValue locals[32], value = {.set = {0}};
    if (!expr_evaluate(c, e, locals, &value, &steps))
        return e;
    IrExpr *folded =
        expr_new(c, ir_is_set(e->type) ? IR_SET : IR_CONST, e->type, &(Node){.span = e->span});
    folded->bound = e->bound;
    if (folded->op == IR_SET) {
        uint64_t *words = ARENA_ARRAY(c->arena, uint64_t, c->g->board->words);
        memcpy(words, value.set, 8 * (size_t)c->g->board->words);
        folded->set = words;
    } else {
        folded->value = value.number;
        if (e->type.kind != TY_MASK)
            folded->lo = folded->hi = (int32_t)value.number;
        if (e->type.optional)
            folded->type.optional = value.number == ir_domain_size(c->g, e->type, e->lo, e->hi);
    }
    return folded;
}

IrExpr *expr_unary(Checker *c, IrOp op, IrType type, const Node *node, IrExpr *a) {
    if (!a)
        return NULL;
    IrExpr *e = expr_new(c, op, type, node);
    e->kid[0] = a;
    return expr_done(c, e);
}

IrExpr *expr_binary(Checker *c, IrOp op, IrType type, const Node *node, IrExpr *a, IrExpr *b) {
    if (!a || !b)
        return NULL;
    IrExpr *e = expr_new(c, op, type, node);
    e->kid[0] = a;
    e->kid[1] = b;
    return expr_done(c, e);
}

IrExpr *expr_const(Checker *c, IrType type, int64_t value, const Node *node) {
    IrExpr *e = expr_new(c, IR_CONST, type, node);
    e->value = value;
    if (type.kind != TY_MASK)
        e->lo = e->hi = (int32_t)value;
    return e;
}

IrExpr *expr_const_set(Checker *c, const uint64_t *words, const Node *node) {
    IrExpr *e = expr_new(c, IR_SET, type_plain(TY_SET), node);
    e->set = words;
    return e;
}

IrExpr *expr_local(Checker *c, const Local *l, const Node *node) {
    IrExpr *e = expr_new(c, IR_LOCAL, l->type, node);
    e->id = l->slot;
    e->lo = l->lo;
    e->hi = l->hi;
    return expr_done(c, e);
}

IrExpr *expr_me(Checker *c, const Node *node) {
    return expr_done(c, expr_new(c, IR_ME, type_plain(TY_PLAYER), node));
}

// --- conversions ---

static int64_t none_value(Checker *c, IrTypeKind kind) {
    return kind == TY_CELL ? c->g->board->cells : kind == TY_PLAYER ? c->g->players : c->g->kinds;
}

IrExpr *expr_empty_set(Checker *c, const Node *node) {
    if (!check_needs_board(c, node, "a set of cells"))
        return NULL;
    return expr_const_set(c, ARENA_ARRAY(c->arena, uint64_t, c->g->board->words), node);
}

static IrExpr *convert_none(Checker *c, IrType want, const Node *node) {
    if (want.kind == TY_SET)
        return expr_empty_set(c, node);
    if (want.kind == TY_MASK)
        return expr_const(c, want, 0, node);
    if (want.kind == TY_CELL && !check_needs_board(c, node, "none"))
        return NULL;
    want.optional = true;
    return expr_const(c, want, none_value(c, want.kind), node);
}

static void report_mismatch(Checker *c, const IrExpr *e, IrType want, const Node *node) {
    diag_error(c->diags, node->span, "this is %s, but %s is wanted here",
               ir_type_name(c->g, e->type), ir_type_name(c->g, want));
    const char *text = ast_text(c->source, node, c->arena);
    if (want.kind == TY_SET && e->type.kind == TY_CELL)
        diag_help(c->diags, "write `{%s}` for the set with this one cell", text);
    else if (want.kind == TY_CELL && e->type.kind == TY_SET)
        diag_help(c->diags, "write `the %s` for its first cell", text);
    else if (want.kind == TY_BOOL && (e->type.kind == TY_SET || e->type.kind == TY_MASK))
        diag_help(c->diags, "write `some %s` to ask whether it has a member", text);
    else if (want.kind == TY_INT && e->type.kind == TY_SET)
        diag_help(c->diags, "write `count %s` for the number of its cells", text);
    else if (want.kind == TY_BOOL && e->type.kind == TY_INT)
        diag_help(c->diags, "compare it with something: `%s > 0`", text);
    else if (want.kind == TY_MASK && e->type.kind == want.of)
        diag_help(c->diags, "write `{%s}` for the set with this one member", text);
    else if (want.kind == TY_PLAYER && c->g->players == 2)
        diag_help(c->diags, "a player is `me`, `opponent`, %s or %s", c->g->player[0],
                  c->g->player[1]);
}

IrExpr *check_convert(Checker *c, IrExpr *e, IrType want, const Node *node) {
    if (!e)
        return NULL;
    bool can_be_none = want.kind == TY_CELL || want.kind == TY_PLAYER || want.kind == TY_KIND ||
                       want.kind == TY_SET || want.kind == TY_MASK;
    if (e->type.kind == TY_NONE && can_be_none)
        return convert_none(c, want, node);
    if (want.kind == TY_SET && e->type.kind == TY_LINE)
        return expr_unary(c, IR_LINE_SET, want, node, e);
    if (want.kind == TY_SET && e->type.kind == TY_KIND && e->op == IR_CONST)
        return expr_pieces(c, (int)e->value, NULL, NULL, node);
    // `{}` fits any kind of set.
    if (want.kind == TY_MASK && node->kind == N_BRACES && !node->count)
        return expr_const(c, want, 0, node);
    if (want.kind == TY_SET && e->type.kind == TY_MASK && e->op == IR_CONST && !e->value)
        return expr_empty_set(c, node);
    if (e->type.kind == TY_LINES) {
        diag_error(c->diags, node->span, "`lines` can only be gone through one by one");
        diag_help(c->diags, "for example `some l in lines : l within mine`");
        return NULL;
    }
    if (type_same(e->type, want))
        return e;
    report_mismatch(c, e, want, node);
    return NULL;
}

IrExpr *check_typed(Checker *c, const Node *node, IrType want) {
    return check_convert(c, check_expr(c, node), want, node);
}

IrExpr *check_cond(Checker *c, const Node *node) {
    return check_typed(c, node, type_plain(TY_BOOL));
}

IrExpr *check_set(Checker *c, const Node *node) {
    return check_typed(c, node, type_plain(TY_SET));
}

IrExpr *check_number(Checker *c, const Node *node) {
    return check_typed(c, node, type_plain(TY_INT));
}

IrExpr *check_cell_or_set(Checker *c, const Node *node) {
    IrExpr *e = check_expr(c, node);
    if (!e || e->type.kind == TY_CELL)
        return e;
    IrTypeKind k = e->type.kind;
    if (k == TY_SET || k == TY_NONE || k == TY_LINE || k == TY_LINES || k == TY_KIND)
        return check_convert(c, e, type_plain(TY_SET), node);
    diag_error(c->diags, node->span, "this is %s, but a cell or a set of cells is wanted here",
               ir_type_name(c->g, e->type));
    return NULL;
}

bool check_constant(Checker *c, const Node *node, int64_t *value) {
    IrExpr *e = check_number(c, node);
    if (!e)
        return false;
    if (expr_is_constant(e, value))
        return true;
    diag_error(c->diags, node->span, "this number must be known before the game begins");
    diag_help(c->diags, "use numbers and parameters only");
    return false;
}
