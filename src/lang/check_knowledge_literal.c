// check_knowledge_literal: one condition of a clause. See check_knowledge.h.

#include "lang/check_knowledge.h"

IrLiteral *clause_add(Clause *k, IrLiteralKind kind, const Node *node) {
    Checker *c = k->c;
    ARENA_GROW(c->arena, IrLiteral, k->out->literal, k->out->literals, k->cap);
    IrLiteral *lit = &k->out->literal[k->out->literals++];
    *lit = (IrLiteral){.kind = kind,
                       .relation = -1,
                       .text = node->offset || node->span.line ? ast_text(c->source, node, c->arena)
                                                               : "",
                       .span = node->span};
    for (int i = 0; i < IR_MAX_ARGS; i++)
        lit->term[i].slot = -1;
    return lit;
}

bool clause_add_condition(Clause *k, IrExpr *cond, const Node *node) {
    int64_t v;
    if (!cond)
        return false;
    if (expr_is_constant(cond, &v) && !cond->bound)
        check_warn(k->c, node->span, "this is always %s", v ? "true" : "false");
    clause_add(k, LIT_COND, node)->cond = cond;
    return true;
}

// The condition that two locals are equal.
static bool add_equal(Clause *k, const Local *a, const Local *b, const Node *node) {
    Checker *c = k->c;
    return clause_add_condition(k,
                                expr_binary(c, IR_EQ, type_plain(TY_BOOL), node,
                                            expr_local(c, a, node), expr_local(c, b, node)),
                                node);
}

// R(t, …): new names take what is found.
bool clause_atom(Clause *k, Symbol *s, const Node *node) {
    Checker *c = k->c;
    s->used = true;
    if (!check_argument_count(c, s, node->kind == N_NAME ? 0 : node->count, node->span))
        return false;
    const IrRelation *r = &c->know->k->relation[s->id];
    if (!c->know->relation[s->id].typed)
        return false;
    IrLiteral lit = *clause_add(k, LIT_KNOWN, node);
    int at = k->out->literals - 1;
    lit.relation = s->id;
    Local *before = c->locals;
    Local twice[IR_MAX_ARGS];
    const Local *first[IR_MAX_ARGS] = {NULL};
    bool ok = true;
    for (int i = 0; i < r->params; i++) {
        const Node *t = node->kids[i];
        Variable *v = t->kind == N_NAME ? clause_variable(k, t->word) : NULL;
        int32_t hi = r->lo[i] + r->size[i] - 1;
        if (check_is_any(t))
            continue;
        bool here = false; // the same atom gives its value
        for (Local *l = c->locals; v && l != before; l = l->up)
            here |= l == v->local;
        if (v && here) {
            first[i] = v->local;
            v->local->used = true;
            twice[i] = (Local){.slot = ir_add_slot(c->g, c->frame, r->type[i], t->word),
                               .type = r->type[i],
                               .lo = r->lo[i],
                               .hi = hi};
            lit.term[i].slot = twice[i].slot;
            if (!type_same(v->local->type, r->type[i]))
                ok = check_convert(c, expr_local(c, v->local, t), r->type[i], t) != NULL;
        } else if (v && !v->local) {
            v->local = names_push(c, t->word, t->span, r->type[i], r->lo[i], hi);
            lit.term[i].slot = v->local->slot;
        } else {
            lit.term[i].value = check_typed(c, t, r->type[i]);
            ok &= lit.term[i].value != NULL;
        }
    }
    k->out->literal[at] = lit;
    for (int i = 0; i < r->params; i++)
        if (ok && first[i])
            ok = add_equal(k, first[i], &twice[i], node->kids[i]);
    return ok;
}

// x in D, where x has a value: a condition; `it` in a `where` is x.
static bool check_in_known(Clause *k, const Variable *v, const Node *node) {
    Checker *c = k->c;
    const Node *domain = node->kids[1];
    if (domain->kind != N_WHERE)
        return clause_add_condition(k, check_cond(c, node), node);
    Node *kids[2] = {node->kids[0], domain->kids[0]};
    Node plain = *node;
    plain.kids = kids;
    if (!clause_add_condition(k, check_cond(c, &plain), &plain))
        return false;
    Local *mark = c->locals;
    names_alias(c, "it", (Span){0}, v->local->slot, v->local->type, v->local->lo, v->local->hi);
    IrExpr *where = check_cond(c, domain->kids[1]);
    c->locals = mark;
    return clause_add_condition(k, where, domain->kids[1]);
}

static bool check_member(Clause *k, const Node *node) {
    Checker *c = k->c;
    Variable *v = clause_variable(k, node->kids[0]->word);
    if (v->local)
        return check_in_known(k, v, node);
    Local *l;
    const Node *name = node->kids[0];
    IrDomain *d = check_domain(c, node->kids[1], name->word, name->span, false, &l);
    if (!d)
        return false;
    v->local = l;
    clause_add(k, LIT_EACH, node)->domain = d;
    return true;
}

// x = EXPR
static bool check_bind(Clause *k, const Node *node) {
    Checker *c = k->c;
    Variable *v = clause_variable(k, node->word);
    const Node *value = node->kids[0];
    IrExpr *e = check_expr(c, value);
    if (v && v->local) {
        e = check_convert(c, e, v->local->type, value);
        v->local->used = true;
        return clause_add_condition(
            k, expr_binary(c, IR_EQ, type_plain(TY_BOOL), node, expr_local(c, v->local, node), e),
            node);
    }
    if (!e)
        return false;
    if (e->type.kind == TY_LINES || e->type.kind == TY_NONE) {
        diag_error(c->diags, value->span, "%s cannot have a name here",
                   ir_type_name(c->g, e->type));
        return false;
    }
    Local *l = names_push(c, node->word, node->extra_span, e->type, e->lo, e->hi);
    IrLiteral *lit = clause_add(k, LIT_LET, node);
    lit->cond = e;
    lit->term[0].slot = l->slot;
    if (v)
        v->local = l;
    return true;
}

bool clause_is_member(const Clause *k, const Node *node) {
    return node->kind == N_BINARY && !strcmp(node->word, "in") && node->kids[0]->kind == N_NAME &&
           clause_variable(k, node->kids[0]->word);
}

bool clause_literal(Clause *k, const Node *node) {
    Symbol *s = check_relation_of(k->c, node);
    if (s)
        return clause_atom(k, s, node);
    if (clause_is_member(k, node))
        return check_member(k, node);
    if (node->kind == N_BIND)
        return check_bind(k, node);
    return clause_add_condition(k, check_cond(k->c, node), node);
}
