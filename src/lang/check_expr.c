// check_expr: expressions of the rules language become typed IR. See checker.h.

#include "lang/checker.h"

#include <inttypes.h>

// Numbers stay in 31 bits, so that no sum or product of two of them can overflow 64.
#define NUMBER_LIMIT 2000000000

IrType type_of(IrTypeKind kind) {
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
    case IR_OCCUPIED:
    case IR_OWNED:
    case IR_PLANE:
    case IR_PIECES:
    case IR_KIND_AT:
    case IR_OWNER_AT:
    case IR_KIND_IN:
    case IR_OWNER_IN:
    case IR_HEIGHT: return true;
    default: return false;
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

static void set_flags(Checker *c, IrExpr *e) {
    e->dynamic |= reads_state(e->op);
    if (e->op == IR_LOCAL)
        e->uses |= slot_bit(e->id);
    if (e->op == IR_CALL) {
        inherit(e, c->g->func[e->id]->body);
        e->uses = 0;
        for (int i = 0; i < c->g->func[e->id]->params; i++)
            inherit(e, e->args[i]);
    }
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
    set_flags(c, e);
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
    IrExpr *e = expr_new(c, IR_SET, type_of(TY_SET), node);
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
    return expr_done(c, expr_new(c, IR_ME, type_of(TY_PLAYER), node));
}

// --- conversions ---

static int64_t none_value(Checker *c, IrTypeKind kind) {
    return kind == TY_CELL ? c->g->board->cells : kind == TY_PLAYER ? c->g->players : c->g->kinds;
}

static bool needs_board(Checker *c, const Node *node, const char *word);

static IrExpr *empty_set(Checker *c, const Node *node) {
    if (!needs_board(c, node, "a set of cells"))
        return NULL;
    return expr_const_set(c, ARENA_ARRAY(c->arena, uint64_t, c->g->board->words), node);
}

static IrExpr *pieces(Checker *c, int kind, IrExpr *kind_expr, IrExpr *player, const Node *node);

static IrExpr *convert_none(Checker *c, IrType want, const Node *node) {
    if (want.kind == TY_SET)
        return empty_set(c, node);
    if (want.kind == TY_MASK)
        return expr_const(c, want, 0, node);
    if (want.kind == TY_CELL && !needs_board(c, node, "none"))
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

IrExpr *convert(Checker *c, IrExpr *e, IrType want, const Node *node) {
    if (!e)
        return NULL;
    bool can_be_none = want.kind == TY_CELL || want.kind == TY_PLAYER || want.kind == TY_KIND ||
                       want.kind == TY_SET || want.kind == TY_MASK;
    if (e->type.kind == TY_NONE && can_be_none)
        return convert_none(c, want, node);
    if (want.kind == TY_SET && e->type.kind == TY_LINE)
        return expr_unary(c, IR_LINE_SET, want, node, e);
    if (want.kind == TY_SET && e->type.kind == TY_KIND && e->op == IR_CONST)
        return pieces(c, (int)e->value, NULL, NULL, node);
    // `{}` fits any kind of set.
    if (want.kind == TY_MASK && node->kind == N_BRACES && !node->count)
        return expr_const(c, want, 0, node);
    if (want.kind == TY_SET && e->type.kind == TY_MASK && e->op == IR_CONST && !e->value)
        return empty_set(c, node);
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
    return convert(c, check_expr(c, node), want, node);
}

IrExpr *check_cond(Checker *c, const Node *node) {
    return check_typed(c, node, type_of(TY_BOOL));
}

IrExpr *check_set(Checker *c, const Node *node) {
    return check_typed(c, node, type_of(TY_SET));
}

IrExpr *check_number(Checker *c, const Node *node) {
    return check_typed(c, node, type_of(TY_INT));
}

IrExpr *check_cell_or_set(Checker *c, const Node *node) {
    IrExpr *e = check_expr(c, node);
    if (!e || e->type.kind == TY_CELL)
        return e;
    IrTypeKind k = e->type.kind;
    if (k == TY_SET || k == TY_NONE || k == TY_LINE || k == TY_LINES || k == TY_KIND)
        return convert(c, e, type_of(TY_SET), node);
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

// --- names ---

// Whether the state may be looked at here; reports it if not.
static bool needs_state(Checker *c, const Node *node, const char *word) {
    if (c->place >= AT_SETUP)
        return true;
    diag_error(c->diags, node->span, "`%s` depends on the position, which is not known here", word);
    return false;
}

static bool needs_board(Checker *c, const Node *node, const char *word) {
    if (c->g->board)
        return true;
    diag_error(c->diags, node->span, "`%s` needs the board, which is not known here", word);
    if (c->place == AT_BOARD)
        diag_help(c->diags, "a condition on cells of the board may use `column` and `row`");
    return false;
}

// The cells of one kind of piece, of one player or of anyone.
static IrExpr *pieces(Checker *c, int kind, IrExpr *kind_expr, IrExpr *player, const Node *node) {
    if (!needs_state(c, node, kind >= 0 ? c->g->kind[kind].name : "piece"))
        return NULL;
    int64_t p;
    if (kind >= 0) {
        const IrKind *k = &c->g->kind[kind];
        bool known = expr_is_constant(player, &p);
        if (player && !k->owners) {
            diag_error(c->diags, node->span, "a `%s` belongs to nobody", k->name);
            diag_help(c->diags, "write `%s` without `of`, or declare `piece %s of …`", k->name,
                      k->name);
            return NULL;
        }
        if (known && p < c->g->players && k->plane[p] < 0) {
            diag_error(c->diags, node->span, "%s has no `%s`", c->g->player[p], k->name);
            return NULL;
        }
        if (known || (!player && !k->owners)) {
            IrExpr *e = expr_new(c, IR_PLANE, type_of(TY_SET), node);
            e->id = k->plane[player ? p : c->g->players];
            return expr_done(c, e);
        }
    }
    IrExpr *e = expr_new(c, IR_PIECES, type_of(TY_SET), node);
    e->id = kind;
    e->kid[0] = player;
    e->kid[1] = kind_expr;
    return expr_done(c, e);
}

static IrExpr *opponent(Checker *c, const Node *node) {
    if (c->g->players != 2) {
        diag_error(c->diags, node->span, "`opponent` is for games of two players; this has %d",
                   c->g->players);
        diag_help(c->diags, "the players are %s", names_list(c, c->g->player, c->g->players));
        return NULL;
    }
    IrExpr *one = expr_const(c, type_of(TY_PLAYER), 1, node);
    return expr_binary(c, IR_SUB, type_of(TY_PLAYER), node, one, expr_me(c, node));
}

static IrExpr *theirs(Checker *c, const Node *node) {
    if (c->g->players == 2)
        return expr_unary(c, IR_OWNED, type_of(TY_SET), node, opponent(c, node));
    IrExpr *all = empty_set(c, node);
    for (int i = 0; i < c->g->planes; i++) {
        if (c->g->plane[i].owner == c->g->players)
            continue;
        IrExpr *plane = expr_new(c, IR_PLANE, type_of(TY_SET), node);
        plane->id = i;
        all = expr_binary(c, IR_OR, type_of(TY_SET), node, all, expr_done(c, plane));
    }
    IrExpr *mine = expr_unary(c, IR_OWNED, type_of(TY_SET), node, expr_me(c, node));
    return expr_binary(c, IR_MINUS, type_of(TY_SET), node, all, mine);
}

static IrExpr *all_of(Checker *c, IrTypeKind kind, int count, const Node *node) {
    IrType type = {.kind = TY_MASK, .of = kind};
    return expr_const(c, type, (int64_t)(((uint64_t)1 << count) - 1), node);
}

static IrExpr *all_cells(Checker *c, const Node *node) {
    return expr_unary(c, IR_NOT_SET, type_of(TY_SET), node, empty_set(c, node));
}

static bool knows_players(Checker *c, const Node *node) {
    if (c->g->players)
        return true;
    diag_error(c->diags, node->span, "the players are not known here");
    diag_help(c->diags, "a parameter can depend on numbers and earlier parameters only");
    return false;
}

static bool has_lines(Checker *c, const Node *node) {
    if (c->g->board->lines)
        return true;
    diag_error(c->diags, node->span, "the board has no lines");
    diag_help(c->diags, "say `lines of 3` under `board`");
    return false;
}

// me, mine, empty, …; *found says whether the word is one of them.
static IrExpr *reserved_name(Checker *c, const Node *node, bool *found) {
    const char *w = node->word;
    *found = true;
    if (!strcmp(w, "none"))
        return expr_const(c, type_of(TY_NONE), 0, node);
    if (!strcmp(w, "players") && knows_players(c, node))
        return all_of(c, TY_PLAYER, c->g->players, node);
    if (!strcmp(w, "directions") && needs_board(c, node, w))
        return all_of(c, TY_DIRECTION, c->g->board->directions, node);
    if (!strcmp(w, "cells") && needs_board(c, node, w))
        return all_cells(c, node);
    if (!strcmp(w, "lines") && needs_board(c, node, w) && has_lines(c, node))
        return expr_const(c, type_of(TY_LINES), 0, node);
    static const char *const of_state[] = {"me", "opponent", "mine", "theirs", "empty", "occupied"};
    int which = -1;
    for (int i = 0; i < 6; i++)
        if (!strcmp(w, of_state[i]))
            which = i;
    *found = which >= 0 || !strcmp(w, "directions") || !strcmp(w, "cells") || !strcmp(w, "lines") ||
             !strcmp(w, "players");
    if (which < 0 || !needs_state(c, node, w))
        return NULL;
    switch (which) {
    case 0: return expr_me(c, node);
    case 1: return opponent(c, node);
    case 2: return expr_unary(c, IR_OWNED, type_of(TY_SET), node, expr_me(c, node));
    case 3: return theirs(c, node);
    case 4:
        return expr_unary(c, IR_NOT_SET, type_of(TY_SET), node,
                          expr_done(c, expr_new(c, IR_OCCUPIED, type_of(TY_SET), node)));
    default: return expr_done(c, expr_new(c, IR_OCCUPIED, type_of(TY_SET), node));
    }
}

static IrExpr *parameter_value(Checker *c, const Symbol *s, const Node *node) {
    const IrParameter *p = &c->g->parameter[s->id];
    if (p->list) {
        diag_error(c->diags, node->span, "`%s` is a list", p->name);
        diag_help(c->diags, "write `%s[1]` for its first number, `count %s` for its length",
                  p->name, p->name);
        return NULL;
    }
    IrExpr *e = expr_const(c, type_of(p->boolean ? TY_BOOL : TY_INT), p->values[0], node);
    e->bound = true;
    return e;
}

static IrExpr *variable_value(Checker *c, const Symbol *s, IrExpr *index, const Node *node) {
    const IrVar *v = &c->g->var[s->id];
    if (!needs_state(c, node, v->name))
        return NULL;
    IrExpr *e = expr_new(c, IR_VAR, v->type, node);
    e->id = s->id;
    e->kid[0] = index;
    bool zero = index && index->type.optional; // what reading at `none` gives
    e->lo = zero && v->lo > 0 ? 0 : v->lo;
    e->hi = zero && v->hi < 0 ? 0 : v->hi;
    return expr_done(c, e);
}

static IrExpr *symbol_value(Checker *c, Symbol *s, const Node *node) {
    s->used = true;
    switch (s->kind) {
    case SYM_PARAMETER: return parameter_value(c, s, node);
    case SYM_PLAYER: return expr_const(c, type_of(TY_PLAYER), s->id, node);
    case SYM_KIND: return expr_const(c, type_of(TY_KIND), s->id, node);
    case SYM_LET: return check_let(c, s, node);
    case SYM_FLAG: return expr_const(c, (IrType){.kind = TY_FLAG, .of_enum = s->id}, s->sub, node);
    case SYM_ATTR:
        diag_error(c->diags, node->span, "whose `%s`?", s->name);
        diag_help(c->diags, "write `%s(c)` for the piece on cell c", s->name);
        return NULL;
    case SYM_VAR: break;
    }
    if (c->g->var[s->id].indexed) {
        diag_error(c->diags, node->span, "`%s` has a value for each %s", s->name,
                   c->g->var[s->id].index.kind == TY_PLAYER ? "player" : "index");
        diag_help(c->diags, "say which: `%s[%s]`", s->name,
                  c->g->var[s->id].index.kind == TY_PLAYER ? "me" : "…");
        return NULL;
    }
    return variable_value(c, s, NULL, node);
}

// Bare `row` and `column` mean those of `it`.
static IrExpr *coordinate_of_it(Checker *c, const Node *node) {
    Local *it = names_local(c, "it");
    if (!it || it->type.kind != TY_CELL) {
        diag_error(c->diags, node->span, "the %s of which cell?", node->word);
        diag_help(c->diags, "write `%s(c)`; alone it stands for `%s(it)` after `where`", node->word,
                  node->word);
        return NULL;
    }
    it->used = true;
    return table_column(c, node, expr_local(c, it, node), !strcmp(node->word, "row"));
}

static IrExpr *check_name(Checker *c, const Node *node) {
    const char *w = node->word;
    Local *local = names_local(c, w);
    if (local) {
        local->used = true;
        return local->broken ? NULL : expr_local(c, local, node);
    }
    bool found;
    IrExpr *e = reserved_name(c, node, &found);
    if (found)
        return e;
    Symbol *s = names_find(c, w);
    if (s)
        return symbol_value(c, s, node);
    int kind;
    bool plural;
    if (names_kind(c, w, &kind, &plural)) {
        names_find(c, c->g->kind[kind].name)->used = true;
        return pieces(c, kind, NULL, NULL, node);
    }
    if (!strcmp(w, "row") || !strcmp(w, "column"))
        return coordinate_of_it(c, node);
    if (!strcmp(w, "it")) {
        diag_error(c->diags, node->span, "`it` means something only after `where`");
        diag_help(c->diags, "elsewhere give the member a name: `some c in mine : row(c) == 3`");
        return NULL;
    }
    if (c->g->board) {
        int i = board_direction_named(c->g->board, w);
        if (i >= 0)
            return expr_const(c, type_of(TY_DIRECTION), i, node);
        i = board_cell_named(c->g->board, w);
        if (i >= 0)
            return expr_const(c, type_of(TY_CELL), i, node);
    }
    names_unknown(c, w, node->span, NULL);
    if (names_reserved_call(w))
        diag_help(c->diags, "`%s` is a function: give it arguments, `%s(…)`", w, w);
    return NULL;
}

// --- indexing ---

static IrExpr *list_element(Checker *c, const Symbol *s, const Node *node, IrExpr *index) {
    const IrParameter *p = &c->g->parameter[s->id];
    if (!p->list) {
        diag_error(c->diags, node->span, "`%s` is not a list", s->name);
        return NULL;
    }
    if (index->lo < 1 || index->hi > p->count) {
        diag_error(c->diags, node->kids[0]->span,
                   "the index can be %d..%d, but `%s` has the numbers 1..%d", index->lo, index->hi,
                   s->name, p->count);
        return NULL;
    }
    int64_t known;
    if (expr_is_constant(index, &known)) {
        IrExpr *value = expr_const(c, type_of(TY_INT), p->values[known - 1], node);
        value->bound = true;
        return value;
    }
    IrTable *t = ARENA_NEW(c->arena, IrTable);
    *t = (IrTable){
        .name = s->name, .type = type_of(TY_INT), .dims = 1, .size = {p->count}, .base = {1}};
    t->numbers = ARENA_ARRAY(c->arena, int32_t, p->count);
    int32_t lo = INT32_MAX, hi = INT32_MIN;
    for (int i = 0; i < p->count; i++) {
        t->numbers[i] = (int32_t)p->values[i];
        lo = t->numbers[i] < lo ? t->numbers[i] : lo;
        hi = t->numbers[i] > hi ? t->numbers[i] : hi;
    }
    IrExpr *e = expr_new(c, IR_TABLE, type_of(TY_INT), node);
    e->id = ir_add_table(c->g, t);
    e->kid[0] = index;
    e->lo = lo;
    e->hi = hi;
    e->bound = true;
    return expr_done(c, e);
}

static bool index_fits(Checker *c, const IrVar *v, const IrExpr *index, const Node *node) {
    int lo = v->index_base, hi = v->index_base + v->count - 1;
    if (index->lo >= lo && index->hi <= hi)
        return true;
    // `none` is allowed: reading gives 0, assigning does nothing.
    if (index->type.kind != TY_INT)
        return true;
    diag_error(c->diags, node->span, "the index can be %d..%d, but `%s` has %d..%d", index->lo,
               index->hi, v->name, lo, hi);
    return false;
}

static IrExpr *check_index(Checker *c, const Node *node) {
    Symbol *s = names_find(c, node->word);
    if (!s || (s->kind != SYM_VAR && s->kind != SYM_PARAMETER)) {
        if (s || names_local(c, node->word)) {
            diag_error(c->diags, node->span, "`%s` cannot be indexed", node->word);
            diag_help(c->diags, "only variables declared with `[…]` and list parameters can");
        } else {
            names_unknown(c, node->word, names_word(node), NULL);
        }
        return NULL;
    }
    s->used = true;
    IrExpr *index = check_expr(c, node->kids[0]);
    if (!index)
        return NULL;
    if (s->kind == SYM_PARAMETER) {
        index = convert(c, index, type_of(TY_INT), node->kids[0]);
        return index ? list_element(c, s, node, index) : NULL;
    }
    const IrVar *v = &c->g->var[s->id];
    if (!v->indexed) {
        diag_error(c->diags, node->span, "`%s` is a single value and has no index", s->name);
        return NULL;
    }
    index = convert(c, index, v->index, node->kids[0]);
    if (!index || !index_fits(c, v, index, node->kids[0]))
        return NULL;
    return variable_value(c, s, index, node);
}

// --- operators ---

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
    IrExpr *e = expr_new(c, op, type_of(TY_INT), node);
    e->kid[0] = a;
    e->kid[1] = b;
    return number_range(c, e, node) ? expr_done(c, e) : NULL;
}

static IrExpr *check_arithmetic(Checker *c, IrOp op, const Node *node, IrExpr *a, IrExpr *b) {
    const Node *bn = node->count > 1 ? node->kids[1] : node->kids[0];
    a = convert(c, a, type_of(TY_INT), node->kids[0]);
    b = b ? convert(c, b, type_of(TY_INT), bn) : NULL;
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
    IrType type = type_of(TY_SET);
    if (a->type.kind == TY_MASK || b->type.kind == TY_MASK)
        type = a->type.kind == TY_MASK ? a->type : b->type;
    a = convert(c, a, type, node->kids[0]);
    b = convert(c, b, type, node->kids[1]);
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
            return convert(c, a, type_of(TY_SET), node->kids[0]);
        if (a->type.kind == TY_NONE)
            a = convert(c, a, b->type, node->kids[0]);
        else if (a->type.kind == TY_KIND && b->type.kind == TY_SET)
            a = convert(c, a, b->type, node->kids[0]);
        else
            b = convert(c, b, a->type, node->kids[1]);
        return a && b ? expr_binary(c, op, type_of(TY_BOOL), node, a, b) : NULL;
    }
    a = convert(c, a, type_of(TY_INT), node->kids[0]);
    b = convert(c, b, type_of(TY_INT), node->kids[1]);
    if (w[0] == '<')
        return expr_binary(c, w[1] ? IR_LE : IR_LT, type_of(TY_BOOL), node, a, b);
    return expr_binary(c, w[1] ? IR_LE : IR_LT, type_of(TY_BOOL), node, b, a);
}

static IrExpr *negate(Checker *c, IrExpr *e, const Node *node) {
    return expr_unary(c, IR_NOT, type_of(TY_BOOL), node, e);
}

// x in a .. b
static IrExpr *check_in_range(Checker *c, const Node *node, IrExpr *x) {
    const Node *range = node->kids[1];
    x = convert(c, x, type_of(TY_INT), node->kids[0]);
    IrExpr *lo = check_number(c, range->kids[0]);
    IrExpr *hi = check_number(c, range->kids[1]);
    IrType b = type_of(TY_BOOL);
    return expr_binary(c, IR_BOTH, b, node, expr_binary(c, IR_LE, b, node, lo, x),
                       expr_binary(c, IR_LE, b, node, x, hi));
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
    if (x->type.kind == TY_CELL || x->type.kind == TY_NONE || s->type.kind != TY_MASK) {
        s = convert(c, s, type_of(TY_SET), node->kids[1]);
        x = s ? convert(c, x, type_of(TY_CELL), node->kids[0]) : NULL;
    } else {
        x = convert(c, x, (IrType){.kind = s->type.of, .of_enum = s->type.of_enum}, node->kids[0]);
    }
    return expr_binary(c, IR_MEMBER, type_of(TY_BOOL), node, x, s);
}

static IrExpr *check_within(Checker *c, const Node *node) {
    IrExpr *a = check_expr(c, node->kids[0]), *b = check_expr(c, node->kids[1]);
    if (!a || !b)
        return NULL;
    IrType type = a->type.kind == TY_MASK ? a->type : type_of(TY_SET);
    return expr_binary(c, IR_WITHIN, type_of(TY_BOOL), node, convert(c, a, type, node->kids[0]),
                       convert(c, b, type, node->kids[1]));
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
    return expr_binary(c, both ? IR_BOTH : IR_EITHER, type_of(TY_BOOL), node, x, y);
}

static IrExpr *check_binary(Checker *c, const Node *node) {
    const char *w = node->word;
    if (!strcmp(w, "and") || !strcmp(w, "or"))
        return check_logic(c, node);
    if (!strcmp(w, "in"))
        return check_in(c, node);
    if (!strcmp(w, "not in"))
        return negate(c, check_in(c, node), node);
    if (!strcmp(w, "within"))
        return check_within(c, node);
    if (!strcmp(w, "not within"))
        return negate(c, check_within(c, node), node);
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
        IrExpr *e = expr_const(c, type_of(TY_INT), c->g->parameter[s->id].count, node);
        e->bound = true;
        return e;
    }
    IrExpr *set = check_expr(c, of);
    if (set && set->type.kind != TY_MASK)
        set = convert(c, set, type_of(TY_SET), of);
    if (!set)
        return NULL;
    IrExpr *e = expr_new(c, IR_COUNT, type_of(TY_INT), node);
    e->kid[0] = set;
    e->hi = set->type.kind == TY_MASK ? 64 : c->g->board->cells;
    return expr_done(c, e);
}

static IrExpr *check_unary(Checker *c, const Node *node) {
    const char *w = node->word;
    if (!strcmp(w, "not"))
        return negate(c, check_cond(c, node->kids[0]), node);
    if (!strcmp(w, "-"))
        return check_arithmetic(c, IR_NEG, node, check_expr(c, node->kids[0]), NULL);
    if (!strcmp(w, "count"))
        return check_count(c, node);
    if (!strcmp(w, "the"))
        return expr_unary(c, IR_FIRST, (IrType){.kind = TY_CELL, .optional = true}, node,
                          check_set(c, node->kids[0]));
    IrExpr *set = check_expr(c, node->kids[0]);
    if (set && set->type.kind != TY_MASK)
        set = convert(c, set, type_of(TY_SET), node->kids[0]);
    IrExpr *some = expr_unary(c, IR_SOME, type_of(TY_BOOL), node, set);
    return !strcmp(w, "no") ? negate(c, some, node) : some;
}

static IrExpr *check_if(Checker *c, const Node *node) {
    IrExpr *cond = check_cond(c, node->kids[0]);
    IrExpr *a = check_expr(c, node->kids[1]), *b = check_expr(c, node->kids[2]);
    if (!cond || !a || !b)
        return NULL;
    bool set = b->type.kind == TY_SET || (b->type.kind == TY_MASK && a->type.kind == TY_SET);
    if (a->type.kind == TY_NONE || (is_collection(a) && set))
        a = convert(c, a, b->type, node->kids[1]);
    else if (a->type.kind == TY_LINE)
        a = convert(c, a, type_of(TY_SET), node->kids[1]);
    if (!a)
        return NULL;
    b = convert(c, b, a->type, node->kids[2]);
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
    IrExpr *all = all_of(c, e->type.kind, ir_domain_size(c->g, e->type, 0, 0), node);
    return expr_binary(c, IR_AND, mask, node, set, all);
}

static IrExpr *check_braces(Checker *c, const Node *node) {
    if (!node->count) {
        if (!needs_board(c, node, "{}"))
            return NULL;
        return empty_set(c, node);
    }
    IrExpr *sum = NULL;
    for (int i = 0; i < node->count; i++) {
        const Node *kid = node->kids[i];
        IrExpr *e = check_expr(c, kid);
        if (!e)
            return NULL;
        if (sum && sum->type.kind == TY_SET)
            e = convert(c, e, type_of(TY_CELL), kid);
        else if (sum)
            e = convert(c, e, (IrType){.kind = sum->type.of, .of_enum = sum->type.of_enum}, kid);
        if (!e)
            return NULL;
        IrTypeKind k = e->type.kind;
        if (k == TY_NONE || k == TY_CELL) {
            e = convert(c, e, type_of(TY_CELL), kid);
            e = expr_unary(c, IR_SINGLE, type_of(TY_SET), kid, e);
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

// --- domains and loops ---

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
        *type = type_of(TY_LINE);
        return d;
    }
    if (e->type.kind == TY_MASK) {
        *d = (IrDomain){.kind = DOM_MASK, .a = e};
        *type = (IrType){.kind = e->type.of, .of_enum = e->type.of_enum};
        return d;
    }
    e = convert(c, e, type_of(TY_SET), node);
    *d = (IrDomain){.kind = DOM_SET, .a = e};
    *type = type_of(TY_CELL);
    return e ? d : NULL;
}

IrDomain *check_domain(Checker *c, const Node *node, const char *name, Span span, bool choice,
                       Local **local) {
    const Node *base = node->kind == N_WHERE ? node->kids[0] : node;
    IrType type = type_of(TY_INT);
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
static IrExpr *check_where(Checker *c, const Node *node) {
    if (!needs_board(c, node, "where"))
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
    IrExpr *e = expr_new(c, IR_FILTER, type_of(TY_SET), node);
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

static IrExpr *check_quantifier(Checker *c, const Node *node) {
    IrOp op = quantifier(node->word);
    Local *mark = c->locals, *l;
    IrDomain *d = check_domain(c, node->kids[0], node->extra, node->extra_span, false, &l);
    if (!d) {
        c->locals = mark;
        return NULL;
    }
    bool number = op == IR_SUM || op == IR_MIN || op == IR_MAX;
    IrTypeKind body_type = op == IR_UNION ? TY_SET : number ? TY_INT : TY_BOOL;
    IrExpr *body = check_typed(c, node->kids[1], type_of(body_type));
    names_pop(c, mark);
    if (!body)
        return NULL;
    IrExpr *e = expr_new(c, op, type_of(op == IR_TALLY ? TY_INT : body_type), node);
    e->domain = d;
    e->kid[0] = body;
    if ((number || op == IR_TALLY) && !fold_range(c, e, l, node))
        return NULL;
    e = expr_done(c, e);
    return !strcmp(node->word, "no") ? negate(c, e, node) : e;
}

// the c in S with least e
static IrExpr *check_the(Checker *c, const Node *node) {
    Local *mark = c->locals, *l;
    IrDomain *d = check_domain(c, node->kids[0], node->extra, node->extra_span, false, &l);
    if (!d) {
        c->locals = mark;
        return NULL;
    }
    IrExpr *score = node->count > 1 && node->kids[1] ? check_number(c, node->kids[1])
                                                     : expr_const(c, type_of(TY_INT), 0, node);
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

static IrExpr *check_of(Checker *c, const Node *node) {
    const Node *what = node->kids[0];
    IrExpr *player = check_typed(c, node->kids[1], type_of(TY_PLAYER));
    int kind;
    bool plural;
    if (what->kind == N_NAME && !names_local(c, what->word) &&
        names_kind(c, what->word, &kind, &plural)) {
        names_find(c, c->g->kind[kind].name)->used = true;
        return player ? pieces(c, kind, NULL, player, node) : NULL;
    }
    IrExpr *e = check_expr(c, what);
    if (!e || !player)
        return NULL;
    if (e->type.kind != TY_KIND) {
        diag_error(c->diags, what->span, "`of` follows a kind of piece; this is %s",
                   ir_type_name(c->g, e->type));
        return NULL;
    }
    return pieces(c, -1, e, player, node);
}

static IrExpr *check_lines_through(Checker *c, const Node *node) {
    IrExpr *cell = check_typed(c, node->kids[0], type_of(TY_CELL));
    if (!cell)
        return NULL;
    if (!has_lines(c, node))
        return NULL;
    IrExpr *e = expr_new(c, IR_CONST, type_of(TY_LINES), node);
    e->kid[0] = cell;
    set_flags(c, e);
    return e;
}

bool expr_descend(Checker *c, const Node *node, int below) {
    if (c->level + below >= CHECK_LEVELS) {
        diag_error(c->diags, node->span, "this is nested too deeply, with the definitions it uses");
        diag_help(c->diags, "expressions and definitions can nest %d deep", CHECK_LEVELS);
        return false;
    }
    if (c->level + below >= c->deepest)
        c->deepest = c->level + below + 1;
    return true;
}

static IrExpr *check_kind_of_expr(Checker *c, const Node *node) {
    switch (node->kind) {
    case N_INT: return expr_const(c, type_of(TY_INT), node->number, node);
    case N_BOOL: return expr_const(c, type_of(TY_BOOL), node->number, node);
    case N_NAME: return check_name(c, node);
    case N_CALL: return check_call(c, node);
    case N_INDEX: return check_index(c, node);
    case N_BINARY: return check_binary(c, node);
    case N_UNARY: return check_unary(c, node);
    case N_COND: return check_if(c, node);
    case N_WHERE: return check_where(c, node);
    case N_BRACES: return check_braces(c, node);
    case N_OF: return check_of(c, node);
    case N_LINES_THROUGH: return check_lines_through(c, node);
    case N_QUANT: return check_quantifier(c, node);
    case N_THE: return check_the(c, node);
    case N_RANGE:
        diag_error(c->diags, node->span, "a range can only stand after `in`");
        return NULL;
    case N_STRING: diag_error(c->diags, node->span, "a text cannot stand here"); return NULL;
    default: diag_error(c->diags, node->span, "this cannot stand in an expression"); return NULL;
    }
}

IrExpr *check_expr(Checker *c, const Node *node) {
    if (c->expressions > CHECK_EXPRESSIONS || !expr_descend(c, node, 0))
        return NULL;
    c->level++;
    IrExpr *e = check_kind_of_expr(c, node);
    c->level--;
    return e;
}
