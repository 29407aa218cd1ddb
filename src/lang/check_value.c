// check_value: what a name or an index means: pieces, variables, parameters, definitions.
// See checker.h.

#include "lang/checker.h"

// Whether the state may be looked at here; reports it if not.
static bool needs_state(Checker *c, const Node *node, const char *word) {
    if (c->place >= AT_SETUP)
        return true;
    diag_error(c->diags, node->span, "`%s` depends on the position, which is not known here", word);
    return false;
}

bool check_needs_board(Checker *c, const Node *node, const char *word) {
    if (c->g->board)
        return true;
    diag_error(c->diags, node->span, "`%s` needs the board, which is not known here", word);
    if (c->place == AT_BOARD)
        diag_help(c->diags, "a condition on cells of the board may use `column` and `row`");
    return false;
}

// The cells of one kind of piece, of one player or of anyone.
IrExpr *expr_pieces(Checker *c, int kind, IrExpr *kind_expr, IrExpr *player, const Node *node) {
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
            IrExpr *e = expr_new(c, IR_PLANE, type_plain(TY_SET), node);
            e->id = k->plane[player ? p : c->g->players];
            return expr_done(c, e);
        }
    }
    IrExpr *e = expr_new(c, IR_PIECES, type_plain(TY_SET), node);
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
    IrExpr *one = expr_const(c, type_plain(TY_PLAYER), 1, node);
    return expr_binary(c, IR_SUB, type_plain(TY_PLAYER), node, one, expr_me(c, node));
}

static IrExpr *theirs(Checker *c, const Node *node) {
    if (c->g->players == 2)
        return expr_unary(c, IR_OWNED, type_plain(TY_SET), node, opponent(c, node));
    IrExpr *all = expr_empty_set(c, node);
    for (int i = 0; i < c->g->planes; i++) {
        if (c->g->plane[i].owner == c->g->players)
            continue;
        IrExpr *plane = expr_new(c, IR_PLANE, type_plain(TY_SET), node);
        plane->id = i;
        all = expr_binary(c, IR_OR, type_plain(TY_SET), node, all, expr_done(c, plane));
    }
    IrExpr *mine = expr_unary(c, IR_OWNED, type_plain(TY_SET), node, expr_me(c, node));
    return expr_binary(c, IR_MINUS, type_plain(TY_SET), node, all, mine);
}

IrExpr *expr_all_of(Checker *c, IrTypeKind kind, int count, const Node *node) {
    IrType type = {.kind = TY_MASK, .of = kind};
    return expr_const(c, type, (int64_t)(((uint64_t)1 << count) - 1), node);
}

static IrExpr *all_cells(Checker *c, const Node *node) {
    return expr_unary(c, IR_NOT_SET, type_plain(TY_SET), node, expr_empty_set(c, node));
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
        return expr_const(c, type_plain(TY_NONE), 0, node);
    if (!strcmp(w, "players") && knows_players(c, node))
        return expr_all_of(c, TY_PLAYER, c->g->players, node);
    if (!strcmp(w, "directions") && check_needs_board(c, node, w))
        return expr_all_of(c, TY_DIRECTION, c->g->board->directions, node);
    if (!strcmp(w, "cells") && check_needs_board(c, node, w))
        return all_cells(c, node);
    if (!strcmp(w, "lines") && check_needs_board(c, node, w) && has_lines(c, node))
        return expr_const(c, type_plain(TY_LINES), 0, node);
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
    case 2: return expr_unary(c, IR_OWNED, type_plain(TY_SET), node, expr_me(c, node));
    case 3: return theirs(c, node);
    case 4:
        return expr_unary(c, IR_NOT_SET, type_plain(TY_SET), node,
                          expr_done(c, expr_new(c, IR_OCCUPIED, type_plain(TY_SET), node)));
    default: return expr_done(c, expr_new(c, IR_OCCUPIED, type_plain(TY_SET), node));
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
    IrExpr *e = expr_const(c, type_plain(p->boolean ? TY_BOOL : TY_INT), p->values[0], node);
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
    case SYM_PLAYER: return expr_const(c, type_plain(TY_PLAYER), s->id, node);
    case SYM_KIND: return expr_const(c, type_plain(TY_KIND), s->id, node);
    case SYM_LET: return check_let(c, s, node);
    case SYM_RELATION: return check_known(c, s, node, ASK_VALUE);
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
    return check_column(c, node, expr_local(c, it, node), !strcmp(node->word, "row"));
}

static void use_kind(Checker *c, int kind) {
    Symbol *s = names_find(c, c->g->kind[kind].name);
    if (s)
        s->used = true;
}

IrExpr *check_name(Checker *c, const Node *node) {
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
        use_kind(c, kind);
        return expr_pieces(c, kind, NULL, NULL, node);
    }
    if (!strcmp(w, "row") || !strcmp(w, "column"))
        return coordinate_of_it(c, node);
    if (!strcmp(w, "_")) {
        diag_error(c->diags, node->span, "`_` can only stand for an argument of a fact or rule");
        return NULL;
    }
    if (!strcmp(w, "it")) {
        diag_error(c->diags, node->span, "`it` means something only after `where`");
        diag_help(c->diags, "elsewhere give the member a name: `some c in mine : row(c) == 3`");
        return NULL;
    }
    if (c->g->board) {
        int i = board_direction_named(c->g->board, w);
        if (i >= 0)
            return expr_const(c, type_plain(TY_DIRECTION), i, node);
        i = board_cell_named(c->g->board, w);
        if (i >= 0)
            return expr_const(c, type_plain(TY_CELL), i, node);
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
        IrExpr *value = expr_const(c, type_plain(TY_INT), p->values[known - 1], node);
        value->bound = true;
        return value;
    }
    IrTable *t = ARENA_NEW(c->arena, IrTable);
    *t = (IrTable){
        .name = s->name, .type = type_plain(TY_INT), .dims = 1, .size = {p->count}, .base = {1}};
    t->numbers = ARENA_ARRAY(c->arena, int32_t, p->count);
    int32_t lo = INT32_MAX, hi = INT32_MIN;
    for (int i = 0; i < p->count; i++) {
        t->numbers[i] = (int32_t)p->values[i];
        lo = t->numbers[i] < lo ? t->numbers[i] : lo;
        hi = t->numbers[i] > hi ? t->numbers[i] : hi;
    }
    IrExpr *e = expr_new(c, IR_TABLE, type_plain(TY_INT), node);
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

IrExpr *check_index(Checker *c, const Node *node) {
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
        index = check_convert(c, index, type_plain(TY_INT), node->kids[0]);
        return index ? list_element(c, s, node, index) : NULL;
    }
    const IrVar *v = &c->g->var[s->id];
    if (!v->indexed) {
        diag_error(c->diags, node->span, "`%s` is a single value and has no index", s->name);
        return NULL;
    }
    index = check_convert(c, index, v->index, node->kids[0]);
    if (!index || !index_fits(c, v, index, node->kids[0]))
        return NULL;
    return variable_value(c, s, index, node);
}

IrExpr *check_of(Checker *c, const Node *node) {
    const Node *what = node->kids[0];
    IrExpr *player = check_typed(c, node->kids[1], type_plain(TY_PLAYER));
    int kind;
    bool plural;
    if (what->kind == N_NAME && !names_local(c, what->word) &&
        names_kind(c, what->word, &kind, &plural)) {
        use_kind(c, kind);
        return player ? expr_pieces(c, kind, NULL, player, node) : NULL;
    }
    IrExpr *e = check_expr(c, what);
    if (!e || !player)
        return NULL;
    if (e->type.kind != TY_KIND) {
        diag_error(c->diags, what->span, "`of` follows a kind of piece; this is %s",
                   ir_type_name(c->g, e->type));
        return NULL;
    }
    return expr_pieces(c, -1, e, player, node);
}

IrExpr *check_lines_through(Checker *c, const Node *node) {
    IrExpr *cell = check_typed(c, node->kids[0], type_plain(TY_CELL));
    if (!cell)
        return NULL;
    if (!has_lines(c, node))
        return NULL;
    IrExpr *e = expr_new(c, IR_CONST, type_plain(TY_LINES), node);
    e->kid[0] = cell;
    expr_set_flags(c, e);
    return e;
}
