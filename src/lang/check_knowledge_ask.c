// check_knowledge_ask: relations that are asked for inside expressions. See check_knowledge.h.

#include "lang/check_knowledge.h"

#include <inttypes.h>

Symbol *check_relation_of(Checker *c, const Node *node) {
    if (node->kind != N_CALL && node->kind != N_NAME && node->kind != N_ATOM)
        return NULL;
    Symbol *s = names_find(c, node->word);
    return s && s->kind == SYM_RELATION ? s : NULL;
}

bool check_is_any(const Node *node) {
    return node->kind == N_NAME && !strcmp(node->word, "_");
}

bool check_argument_count(Checker *c, const Symbol *s, int given, Span span) {
    const IrRelation *r = &c->know->k->relation[s->id];
    if (given == r->params)
        return true;
    if (!given) {
        diag_error(c->diags, span, "`%s` is a %s with %d argument%s", s->name, relation_noun(r),
                   r->params, r->params == 1 ? "" : "s");
        diag_help(c->diags, "it is declared %s; for something else choose another name",
                  names_place(c, s));
        return false;
    }
    diag_error(c->diags, span, "`%s` has %d argument%s, not %d", s->name, r->params,
               r->params == 1 ? "" : "s", given);
    diag_help(c->diags, "this %s is declared %s; `_` stands for anything", relation_noun(r),
              names_place(c, s));
    return false;
}

// The arguments of a call, NULL for `_`; counts those.
static bool check_asked_arguments(Checker *c, const Symbol *s, const Node *node, IrExpr **args,
                                  int *any) {
    const IrRelation *r = &c->know->k->relation[s->id];
    bool ok = true;
    for (int i = 0; i < r->params; i++) {
        const Node *kid = node->kids[i];
        if (check_is_any(kid))
            ++*any;
        else if (!(args[i] = check_typed(c, kid, r->type[i])))
            ok = false;
    }
    return ok;
}

// The one `_` of a set, or -1 (reported) if this is no set of cells.
static int check_set_place(Checker *c, const IrRelation *r, const Node *node, IrExpr **args,
                           int any) {
    int place = 0;
    while (args[place])
        place++;
    if (any == 1 && r->type[place].kind == TY_CELL)
        return place;
    diag_error(c->diags, node->kids[place]->span,
               any > 1 ? "several `_` can only be counted or asked for"
                       : "a `_` makes a set of cells, but here it stands for %s",
               ir_type_name(c->g, r->type[place]));
    const char *text = ast_text(c->source, node, c->arena);
    diag_help(c->diags, "write `some %s`, `no %s` or `count %s`", text, text, text);
    return -1;
}

static bool check_may_ask(Checker *c, const Symbol *s, const Node *node) {
    const IrRelation *r = &c->know->k->relation[s->id];
    if (c->place != AT_KNOWLEDGE) {
        diag_error(c->diags, names_word(node), "`%s` is a %s, which the game itself cannot ask for",
                   s->name, relation_noun(r));
        diag_help(c->diags, "only `rules`, `worth` and `prefer` can; define it with `let` as well");
        return false;
    }
    // Where it has no types, what is wrong with it has been said.
    return check_argument_count(c, s, node->kind == N_NAME ? 0 : node->count, node->span) &&
           c->know->relation[s->id].typed;
}

IrExpr *check_known(Checker *c, Symbol *s, const Node *node, AskHow how) {
    s->used = true;
    if (!check_may_ask(c, s, node))
        return NULL;
    const IrRelation *r = &c->know->k->relation[s->id];
    IrExpr **args = ARENA_ARRAY(c->arena, IrExpr *, IR_MAX_ARGS);
    int any = 0;
    if (!check_asked_arguments(c, s, node, args, &any))
        return NULL;
    IrOp op = how == ASK_COUNT ? IR_KNOWN_COUNT : IR_KNOWN;
    IrTypeKind type = how == ASK_COUNT ? TY_INT : TY_BOOL;
    if (how == ASK_VALUE && any) {
        if (check_set_place(c, r, node, args, any) < 0)
            return NULL;
        op = IR_KNOWN_SET;
        type = TY_SET;
    }
    IrExpr *e = expr_new(c, op, type_plain(type), node);
    e->id = s->id;
    e->args = args;
    e->hi = 1;
    for (int i = 0; i < r->params && how == ASK_COUNT; i++)
        e->hi *= args[i] ? 1 : r->size[i];
    return expr_done(c, e);
}

IrExpr *check_before(Checker *c, const Node *node) {
    if (!c->know || !c->know->prefers || c->know->before) {
        diag_error(c->diags, node->span, "`before` cannot stand %s",
                   c->know && c->know->before ? "inside `before`" : "here");
        diag_help(c->diags, "in `prefer` it asks about the position before the move");
        return NULL;
    }
    c->know->before = true;
    IrExpr *e = expr_unary(c, IR_BEFORE, type_plain(TY_BOOL), node, check_cond(c, node->kids[0]));
    c->know->before = false;
    return e;
}
