// check_knowledge_clause: one line of `facts` or `rules` becomes a clause. The literals of a rule
// are brought into an order in which each uses only names that have a value. See check_knowledge.h.

#include "lang/check_knowledge.h"

void check_begin_frame(Checker *c, IrFrame *frame) {
    c->frame = frame;
    c->locals = c->reuse = NULL;
    if (frame->slots) // of `prefer`: more than one line
        return;
    ir_add_slot(c->g, frame, type_plain(TY_PLAYER), "mover");
}

void check_push_mover(Checker *c) {
    if (!names_find(c, "mover"))
        names_alias(c, "mover", (Span){0}, IR_MOVER, type_plain(TY_PLAYER), 0, c->g->players - 1);
}

// --- the order of literals ---

// Whether all that the literal needs has a value; else k->open is what has none.
static bool is_ready(Clause *k, const Node *node) {
    if (clause_is_member(k, node))
        return clause_has_values(k, node->kids[1]);
    if (!check_relation_of(k->c, node))
        return clause_has_values(k, node);
    for (int i = 0; i < node->count; i++)
        if (node->kids[i]->kind != N_NAME && !clause_has_values(k, node->kids[i]))
            return false;
    return true;
}

// `a and b` are two literals; `x in D where C` is read as it is after `for`.
static void split(Clause *k, Node *node) {
    Checker *c = k->c;
    if (node->kind == N_BINARY && !strcmp(node->word, "and")) {
        split(k, node->kids[0]);
        split(k, node->kids[1]);
        return;
    }
    Node *in = node->kind == N_WHERE ? node->kids[0] : node;
    if (in != node && in->kind == N_BINARY && !strcmp(in->word, "in")) {
        Node *whole = ARENA_NEW(c->arena, Node), *domain = ARENA_NEW(c->arena, Node);
        *whole = *node;
        *domain = *node;
        domain->kids = ARENA_ARRAY(c->arena, Node *, 2);
        domain->kids[0] = in->kids[1];
        domain->kids[1] = node->kids[1];
        domain->span = in->kids[1]->span;
        whole->kind = N_BINARY;
        whole->word = in->word;
        whole->kids = ARENA_ARRAY(c->arena, Node *, 2);
        whole->kids[0] = in->kids[0];
        whole->kids[1] = domain;
        node = whole;
    }
    ARENA_GROW(c->arena, const Node *, k->literal, k->literals, k->literal_cap);
    k->literal[k->literals++] = node;
}

// Takes the literals as they are written, but each only when it can be asked.
static bool check_in_order(Clause *k) {
    for (int n = 0; n < k->literals; n++) {
        int i = 0;
        while (i < k->literals && (k->done[i] || !is_ready(k, k->literal[i])))
            i++;
        if (i == k->literals) {
            for (i = 0; k->done[i];)
                i++;
            is_ready(k, k->literal[i]);
            clause_report_open(k->c, k->open,
                               "what could give `%s` one needs another value first, and "
                               "that one needs `%s`");
            return false;
        }
        k->done[i] = true;
        if (!clause_literal(k, k->literal[i]))
            return false;
    }
    return true;
}

// --- heads ---

bool check_same_type(Checker *c, int relation, int i, const IrExpr *e, const Node *node) {
    IrRelation *r = &c->know->k->relation[relation];
    Relation *from = &c->know->relation[relation];
    IrTypeKind kind = e->type.kind;
    if (kind == TY_SET || kind == TY_MASK || kind == TY_LINES || kind == TY_NONE) {
        diag_error(c->diags, node->span, "an argument is a single value; this is %s",
                   ir_type_name(c->g, e->type));
        if (kind == TY_SET)
            diag_help(c->diags, "for each of its cells: `x in %s`",
                      ast_text(c->source, node, c->arena));
        return false;
    }
    IrType type = e->type;
    type.optional = false;
    int32_t lo = kind == TY_INT ? e->lo : 0;
    int32_t hi = kind == TY_INT ? e->hi : ir_domain_size(c->g, type, 0, 0) - 1;
    if ((int64_t)hi - lo >= IR_MAX_TUPLES) {
        diag_error(c->diags, node->span,
                   "this number can be %d..%d; an argument has at most %d values", lo, hi,
                   IR_MAX_TUPLES);
        diag_help(c->diags, "bound it, for example with `min(%s, 8)`",
                  ast_text(c->source, node, c->arena));
        return false;
    }
    if (!from->typed) {
        r->type[i] = type;
        r->lo[i] = lo;
        r->size[i] = hi - lo + 1;
        return true;
    }
    if (!type_same(r->type[i], type)) {
        diag_error(c->diags, node->span, "this is %s, but in line %d it is %s",
                   ir_type_name(c->g, type), from->first_line, ir_type_name(c->g, r->type[i]));
        diag_help(c->diags, "all lines of `%s` have arguments of the same types", r->name);
        return false;
    }
    int32_t most = r->lo[i] + r->size[i] - 1;
    lo = lo < r->lo[i] ? lo : r->lo[i];
    hi = hi > most ? hi : most;
    r->lo[i] = lo;
    r->size[i] = hi - lo + 1;
    return true;
}

// What may be none is no tuple where it is none.
static IrExpr *without_none(Clause *k, IrExpr *e, const Node *node) {
    Checker *c = k->c;
    int64_t v;
    if (!e->type.optional)
        return e;
    if (expr_is_constant(e, &v)) {
        diag_error(c->diags, node->span, "this is always none");
        return NULL;
    }
    Local l = {.slot = ir_add_slot(c->g, c->frame, e->type, ""), .type = e->type, .hi = e->hi};
    IrLiteral *lit = clause_add(k, LIT_LET, node);
    lit->cond = e;
    lit->term[0].slot = l.slot;
    IrExpr *none = expr_const(c, e->type, ir_domain_size(c->g, e->type, 0, 0), node);
    IrExpr *cond = expr_binary(c, IR_NE, type_plain(TY_BOOL), node, expr_local(c, &l, node), none);
    clause_add(k, LIT_COND, node)->cond = cond;
    l.type.optional = false;
    l.hi--;
    return expr_local(c, &l, node);
}

static bool check_head(Clause *k, int relation, const Node *atom) {
    Checker *c = k->c;
    bool ok = true;
    for (int i = 0; i < atom->count; i++) {
        const Node *arg = atom->kids[i];
        if (check_is_any(arg)) {
            diag_error(c->diags, arg->span, "`_` says nothing about what follows here");
            diag_help(c->diags, "give it a name that the conditions give a value");
            ok = false;
            continue;
        }
        IrExpr *e = clause_names_known(k, arg) ? check_expr(c, arg) : NULL;
        if (!e || !check_same_type(c, relation, i, e, arg)) {
            ok = false;
            continue;
        }
        k->out->head[i] = without_none(k, e, arg);
        ok &= k->out->head[i] != NULL;
    }
    return ok;
}

static Clause begin(Checker *c, const Node *line, IrClause *out) {
    *out = (IrClause){.text = ast_text(c->source, line, c->arena), .span = line->span};
    check_begin_frame(c, &out->frame);
    check_push_mover(c);
    return (Clause){.c = c, .out = out};
}

static bool end(Clause *k, int relation, bool ok) {
    Relation *r = &k->c->know->relation[relation];
    if (ok && !r->typed) {
        r->typed = true;
        r->first_line = k->out->span.line;
    }
    if (ok)
        names_pop(k->c, NULL);
    k->c->locals = NULL;
    return ok;
}

bool check_fact_line(Checker *c, int relation, const Node *line, IrClause *clause) {
    Clause k = begin(c, line, clause);
    Span where;
    for (int i = 2; i < line->count; i++)
        if (check_relation_of(c, &(Node){.kind = N_NAME, .word = line->kids[i]->word})) {
            names_alias(c, line->kids[i]->word, line->kids[i]->extra_span, 0, type_plain(TY_INT), 0,
                        0); // says what is wrong
            return false;
        }
    int asked = check_mentioned(c, line, &where);
    if (asked >= 0) {
        diag_error(c->diags, where, "a fact asks the position only, not `%s`",
                   c->know->k->relation[asked].name);
        diag_help(c->diags, "move this line to `rules`");
        return false;
    }
    bool ok = true;
    for (int i = 2; ok && i < line->count; i++) {
        const Node *each = line->kids[i];
        Local *l;
        IrDomain *d = check_domain(c, each->kids[0], each->word, each->extra_span, false, &l);
        if (d)
            clause_add(&k, LIT_EACH, each)->domain = d;
        ok = d != NULL;
    }
    if (ok && line->kids[1])
        ok = clause_add_condition(&k, check_cond(c, line->kids[1]), line->kids[1]);
    return end(&k, relation, ok && check_head(&k, relation, line->kids[0]));
}

bool check_clause_line(Checker *c, int relation, const Node *line, IrClause *clause) {
    Clause k = begin(c, line, clause);
    for (int i = 1; i < line->count; i++)
        split(&k, line->kids[i]);
    k.done = ARENA_ARRAY(c->arena, bool, k.literals + 1);
    bool ok = true;
    for (int i = 0; i < k.literals; i++)
        clause_find_variables(&k, k.literal[i]);
    for (int i = 0; ok && i < k.literals; i++)
        ok = clause_calls_known(&k, k.literal[i]);
    for (int i = 0; ok && i < k.literals; i++)
        ok = clause_names_known(&k, k.literal[i]);
    ok = ok && check_in_order(&k) && check_head(&k, relation, line->kids[0]);
    return end(&k, relation, ok);
}

bool check_worth_atom(Checker *c, Symbol *s, const Node *atom, IrLiteral *out) {
    IrClause clause = {0};
    Clause k = {.c = c, .out = &clause};
    check_push_mover(c);
    clause_find_variables(&k, atom);
    for (int i = 0; i < atom->count; i++)
        if (!clause_names_known(&k, atom->kids[i]))
            return false;
    if (!is_ready(&k, atom)) {
        clause_report_open(c, k.open,
                           "`%s` stands for what is found: use it as an argument by itself");
        return false;
    }
    if (!clause_atom(&k, s, atom))
        return false;
    if (clause.literals > 1) {
        diag_error(c->diags, atom->span, "a name can stand only once here");
        diag_help(c->diags, "make a rule of it, and say what that is worth");
        return false;
    }
    *out = clause.literal[0];
    return true;
}
