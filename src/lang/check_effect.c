// check_effect: statements that place, move, change and remove pieces. See checker.h.

#include "lang/checker.h"

bool check_piece(Checker *c, const Node *node, int *kind, IrExpr **kind_expr, IrExpr **owner) {
    const Node *what = node->kind == N_OF ? node->kids[0] : node;
    *kind_expr = *owner = NULL;
    IrExpr *e = check_expr(c, what);
    if (!e)
        return false;
    if (e->type.kind != TY_KIND) {
        diag_error(c->diags, what->span, "a piece is wanted here; this is %s",
                   ir_type_name(c->g, e->type));
        int named;
        bool plural;
        if (what->kind == N_NAME && names_kind(c, what->word, &named, &plural))
            diag_help(c->diags, "write `%s`, one of them", c->g->kind[named].name);
        return false;
    }
    int64_t k;
    *kind = expr_is_constant(e, &k) ? (int)k : -1;
    if (*kind < 0)
        *kind_expr = e;
    bool owned = *kind < 0 || c->g->kind[*kind].owners;
    if (node->kind == N_OF) {
        *owner = check_typed(c, node->kids[1], type_plain(TY_PLAYER));
        if (!*owner)
            return false;
        if (!owned) {
            diag_error(c->diags, node->span, "a `%s` belongs to nobody", c->g->kind[*kind].name);
            return false;
        }
        int64_t p;
        if (*kind >= 0 && expr_is_constant(*owner, &p) &&
            (p >= c->g->players || c->g->kind[*kind].plane[p] < 0)) {
            diag_error(c->diags, node->span, "%s has no `%s`",
                       p < c->g->players ? c->g->player[p] : "nobody", c->g->kind[*kind].name);
            return false;
        }
    } else if (owned && c->place == AT_SETUP && c->g->players > 1) {
        diag_error(c->diags, node->span, "whose `%s`?", what->word ? what->word : "piece");
        diag_help(c->diags, "write `%s of %s`", what->word ? what->word : "…", c->g->player[0]);
        return false;
    } else if (owned) {
        *owner = expr_me(c, node);
    }
    return true;
}

static void report_attribute(Checker *c, const Node *init, int kind) {
    const char *names[64];
    int n = 0;
    for (int i = 0; i < c->g->attrs; i++)
        if (kind < 0 || c->g->kind[kind].attributes >> i & 1)
            names[n++] = c->g->attr[i].name;
    diag_error(c->diags, names_word(init), "%s%s%s has no attribute `%s`",
               kind < 0 ? "this piece" : "a `", kind < 0 ? "" : c->g->kind[kind].name,
               kind < 0 ? "" : "`", init->word);
    const char *near = text_nearest(init->word, names, n);
    if (near)
        diag_help(c->diags, "did you mean `%s`?", near);
    else if (n)
        diag_help(c->diags, "it has %s", names_list(c, names, n));
    else
        diag_help(c->diags, "declare one: `piece … with %s : 0..9`", init->word);
}

static IrStmt *init_attributes(Checker *c, const Node *inits, int kind, IrExpr *cell,
                               Statements *out) {
    for (int i = 0; i < inits->count; i++) {
        const Node *init = inits->kids[i];
        Symbol *s = names_find(c, init->word);
        if (!s || s->kind != SYM_ATTR ||
            (kind >= 0 && !(c->g->kind[kind].attributes >> s->id & 1))) {
            report_attribute(c, init, kind);
            return NULL;
        }
        s->used = true;
        IrExpr *e = check_typed(c, init->kids[0], c->g->attr[s->id].type);
        if (!e || !check_possible(c, e, s->name, c->g->attr[s->id].lo, c->g->attr[s->id].hi,
                                  init->kids[0]))
            return NULL;
        IrStmt *st = check_new_stmt(c, ST_SET_ATTR, init);
        st->id = s->id;
        st->e[0] = e;
        st->e[1] = cell;
        block_append(out, st);
    }
    return out->first;
}

// place … at a set with …: the attributes of each cell of it.
static bool init_set(Checker *c, const Node *inits, int kind, IrExpr *set, Statements *out) {
    IrStmt *loop = check_new_stmt(c, ST_FOR, inits);
    loop->domain = ARENA_NEW(c->arena, IrDomain);
    *loop->domain = (IrDomain){.kind = DOM_SET, .a = set};
    loop->domain->slot = ir_add_slot(c->g, c->frame, type_plain(TY_CELL), "placed");
    IrExpr *cell = expr_new(c, IR_LOCAL, type_plain(TY_CELL), inits);
    cell->id = loop->domain->slot;
    Statements body = {0};
    if (!init_attributes(c, inits, kind, expr_done(c, cell), &body))
        return false;
    loop->body = body.first;
    block_append(out, loop);
    return true;
}

IrStmt *check_place(Checker *c, const Node *node) {
    int kind;
    IrExpr *kind_expr, *owner;
    const Node *cells = node->kids[1], *inits = node->kids[2];
    if (!check_piece(c, node->kids[0], &kind, &kind_expr, &owner))
        return NULL;
    Statements out = {0};
    for (int i = 0; i < cells->count; i++) {
        IrExpr *where = check_cell_or_set(c, cells->kids[i]);
        if (!where)
            return NULL;
        IrStmt *s = check_new_stmt(c, ST_PLACE, node);
        s->id = kind;
        s->e[0] = where;
        s->e[1] = owner;
        s->e[2] = kind_expr;
        block_append(&out, s);
        bool set = where->type.kind == TY_SET;
        if (inits->count && (set ? !init_set(c, inits, kind, where, &out)
                                 : !init_attributes(c, inits, kind, where, &out)))
            return NULL;
    }
    return out.first;
}

// Notes for `moves without remove` if what stands on a cell or set is about to go.
static void note_removal(Checker *c, const Node *node, IrExpr *where, Statements *out) {
    if (c->removed_slot < 0 || c->place != AT_TURN)
        return;
    IrType yes_no = type_plain(TY_BOOL), set = type_plain(TY_SET);
    IrExpr *occupied = expr_done(c, expr_new(c, IR_OCCUPIED, set, node));
    IrStmt *test = check_new_stmt(c, ST_IF, node);
    if (where->type.kind == TY_CELL)
        test->e[0] = expr_binary(c, IR_MEMBER, yes_no, node, where, occupied);
    else
        test->e[0] = expr_unary(c, IR_SOME, yes_no, node,
                                expr_binary(c, IR_AND, set, node, where, occupied));
    test->body = check_set_local(c, c->removed_slot, expr_const(c, yes_no, 1, node), node);
    block_append(out, test);
}

IrStmt *check_move(Checker *c, const Node *node) {
    IrExpr *from = check_typed(c, node->kids[0], type_plain(TY_CELL));
    IrExpr *to = check_typed(c, node->kids[1], type_plain(TY_CELL));
    const Node *above = node->count > 2 ? node->kids[2] : NULL;
    bool stacks = c->g->board->stack > 1;
    if (above && !stacks) {
        diag_error(c->diags, above->span, "this board has no stacks");
        diag_help(c->diags, "say `stacks of 8` under `board`");
        return NULL;
    }
    IrExpr *level = above ? check_number(c, above) : NULL;
    if (!from || !to || (above && !level))
        return NULL;
    Statements out = {0};
    if (!stacks)
        note_removal(c, node, to, &out);
    IrStmt *s = check_new_stmt(c, stacks ? ST_MOVE_ABOVE : ST_MOVE, node);
    s->e[0] = from;
    s->e[1] = to;
    s->e[2] = level;
    block_append(&out, s);
    return out.first;
}

IrStmt *check_remove(Checker *c, const Node *node) {
    bool clear = node->kind == N_CLEAR && c->g->board->stack > 1;
    Statements out = {0};
    for (int i = 0; i < node->count; i++) {
        IrExpr *where = check_cell_or_set(c, node->kids[i]);
        if (!where)
            return NULL;
        note_removal(c, node, where, &out);
        IrStmt *s = check_new_stmt(c, clear ? ST_CLEAR : ST_REMOVE, node);
        s->e[0] = where;
        block_append(&out, s);
    }
    return out.first;
}

IrStmt *check_change(Checker *c, const Node *node) {
    IrStmt *s = check_new_stmt(c, ST_CHANGE, node);
    s->e[0] = check_cell_or_set(c, node->kids[0]);
    if (!s->e[0] || !check_piece(c, node->kids[1], &s->id, &s->e[2], &s->e[1]))
        return NULL;
    return s;
}
