// check_knowledge_clause: one line of `facts` or `rules` becomes a clause. The literals of a rule
// are brought into an order in which each uses only names that have a value. See check_knowledge.h.

#include "lang/check_knowledge.h"

#include "lang/lex.h"

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

// --- names ---

bool check_is_new_name(Checker *c, const char *word, IrTypeKind wanted) {
    int kind;
    bool plural;
    if (names_local(c, word) || names_find(c, word) || lex_is_reserved(word) ||
        names_kind(c, word, &kind, &plural) || !strcmp(word, "_"))
        return false;
    // A name such as a1 is nothing but that cell.
    bool digit = strpbrk(word, "0123456789");
    if ((wanted == TY_CELL || digit) && board_cell_named(c->g->board, word) >= 0)
        return false;
    return wanted != TY_DIRECTION || board_direction_named(c->g->board, word) < 0;
}

// A name that gets its value in the clause.
typedef struct Variable {
    const char *name;
    Local *local; // NULL: none yet
} Variable;

typedef struct Skip { // what quantifiers around an expression introduce
    const char *name;
    const struct Skip *up;
} Skip;

typedef struct Clause { // being built
    Checker *c;
    IrClause *out;
    int cap; // of out->literal
    const Node **literal;
    bool *done;
    int literals, literal_cap;
    Variable *variable;
    int variables, variable_cap;
    const Node *open; // a name without a value
    const Skip *skip;
} Clause;

static Variable *find_variable(const Clause *k, const char *name) {
    for (int i = 0; i < k->variables; i++)
        if (!strcmp(k->variable[i].name, name))
            return &k->variable[i];
    return NULL;
}

static void add_variable(Clause *k, const char *name) {
    if (find_variable(k, name))
        return;
    ARENA_GROW(k->c->arena, Variable, k->variable, k->variables, k->variable_cap);
    k->variable[k->variables++] = (Variable){.name = name};
}

static bool is_skipped(const Clause *k, const char *name) {
    const Skip *s = k->skip;
    while (s && strcmp(s->name, name) != 0)
        s = s->up;
    return s;
}

// Notes the first name in the expression that has no value yet.
static void find_open(Clause *k, const Node *node) {
    if (!node || k->open)
        return;
    if (node->kind == N_NAME) {
        const Variable *v = find_variable(k, node->word);
        if (v && !v->local && !is_skipped(k, node->word))
            k->open = node;
    }
    const Skip *outer = k->skip, here = {node->extra, outer};
    if (node->kind == N_QUANT || node->kind == N_THE)
        k->skip = &here;
    for (int i = 0; i < node->count; i++)
        find_open(k, node->kids[i]);
    k->skip = outer;
}

static bool has_values(Clause *k, const Node *node) {
    k->open = NULL;
    find_open(k, node);
    return !k->open;
}

// --- literals ---

static IrLiteral *add_literal(Clause *k, IrLiteralKind kind, const Node *node) {
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

static bool add_condition(Clause *k, IrExpr *cond, const Node *node) {
    int64_t v;
    if (!cond)
        return false;
    if (expr_is_constant(cond, &v) && !cond->bound)
        check_warn(k->c, node->span, "this is always %s", v ? "true" : "false");
    add_literal(k, LIT_COND, node)->cond = cond;
    return true;
}

// The condition that two locals are equal.
static bool add_equal(Clause *k, const Local *a, const Local *b, const Node *node) {
    Checker *c = k->c;
    return add_condition(k,
                         expr_binary(c, IR_EQ, type_plain(TY_BOOL), node, expr_local(c, a, node),
                                     expr_local(c, b, node)),
                         node);
}

// R(t, …): new names take what is found.
static bool check_atom(Clause *k, Symbol *s, const Node *node) {
    Checker *c = k->c;
    s->used = true;
    if (!check_argument_count(c, s, node->kind == N_NAME ? 0 : node->count, node->span))
        return false;
    const IrRelation *r = &c->know->k->relation[s->id];
    if (!c->know->relation[s->id].typed)
        return false;
    IrLiteral lit = *add_literal(k, LIT_KNOWN, node);
    int at = k->out->literals - 1;
    lit.relation = s->id;
    Local *before = c->locals;
    Local twice[IR_MAX_ARGS];
    const Local *first[IR_MAX_ARGS] = {NULL};
    bool ok = true;
    for (int i = 0; i < r->params; i++) {
        const Node *t = node->kids[i];
        Variable *v = t->kind == N_NAME ? find_variable(k, t->word) : NULL;
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
        return add_condition(k, check_cond(c, node), node);
    Node *kids[2] = {node->kids[0], domain->kids[0]};
    Node plain = *node;
    plain.kids = kids;
    if (!add_condition(k, check_cond(c, &plain), &plain))
        return false;
    Local *mark = c->locals;
    names_alias(c, "it", (Span){0}, v->local->slot, v->local->type, v->local->lo, v->local->hi);
    IrExpr *where = check_cond(c, domain->kids[1]);
    c->locals = mark;
    return add_condition(k, where, domain->kids[1]);
}

static bool check_member(Clause *k, const Node *node) {
    Checker *c = k->c;
    Variable *v = find_variable(k, node->kids[0]->word);
    if (v->local)
        return check_in_known(k, v, node);
    Local *l;
    const Node *name = node->kids[0];
    IrDomain *d = check_domain(c, node->kids[1], name->word, name->span, false, &l);
    if (!d)
        return false;
    v->local = l;
    add_literal(k, LIT_EACH, node)->domain = d;
    return true;
}

// x = EXPR
static bool check_bind(Clause *k, const Node *node) {
    Checker *c = k->c;
    Variable *v = find_variable(k, node->word);
    const Node *value = node->kids[0];
    IrExpr *e = check_expr(c, value);
    if (v && v->local) {
        e = check_convert(c, e, v->local->type, value);
        v->local->used = true;
        return add_condition(
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
    IrLiteral *lit = add_literal(k, LIT_LET, node);
    lit->cond = e;
    lit->term[0].slot = l->slot;
    if (v)
        v->local = l;
    return true;
}

static bool is_member(const Clause *k, const Node *node) {
    return node->kind == N_BINARY && !strcmp(node->word, "in") && node->kids[0]->kind == N_NAME &&
           find_variable(k, node->kids[0]->word);
}

static bool check_literal(Clause *k, const Node *node) {
    Symbol *s = check_relation_of(k->c, node);
    if (s)
        return check_atom(k, s, node);
    if (is_member(k, node))
        return check_member(k, node);
    if (node->kind == N_BIND)
        return check_bind(k, node);
    return add_condition(k, check_cond(k->c, node), node);
}

// --- their order ---

// Whether all that the literal needs has a value; else k->open is what has none.
static bool is_ready(Clause *k, const Node *node) {
    if (is_member(k, node))
        return has_values(k, node->kids[1]);
    if (!check_relation_of(k->c, node))
        return has_values(k, node);
    for (int i = 0; i < node->count; i++)
        if (node->kids[i]->kind != N_NAME && !has_values(k, node->kids[i]))
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

// The names that a literal can give a value.
static void find_variables(Clause *k, const Node *node) {
    Checker *c = k->c;
    Symbol *s = check_relation_of(c, node);
    const IrRelation *r = s ? &c->know->k->relation[s->id] : NULL;
    for (int i = 0; r && i < node->count && i < r->params; i++) {
        const Node *t = node->kids[i];
        if (t->kind == N_NAME && check_is_new_name(c, t->word, r->type[i].kind))
            add_variable(k, t->word);
    }
    if (node->kind == N_BINARY && !strcmp(node->word, "in") && node->kids[0]->kind == N_NAME) {
        const char *word = node->kids[0]->word;
        const Node *d = node->kids[1]->kind == N_WHERE ? node->kids[1]->kids[0] : node->kids[1];
        if (check_is_new_name(c, word, d->kind == N_RANGE ? TY_INT : TY_CELL))
            add_variable(k, word);
    }
    if (node->kind == N_BIND)
        add_variable(k, node->word);
}

static void report_open(Checker *c, const Node *name, const char *help) {
    diag_error(c->diags, name->span, "`%s` is never given a value", name->word);
    const char *near = names_near(c, name->word);
    if (near && strcmp(near, name->word) != 0)
        diag_help(c->diags, "did you mean `%s`?", near);
    else
        diag_help(c->diags, help, name->word, name->word);
}

typedef struct Unknown {
    Clause *k;
    bool calls; // look for calls, else for names
    const Node *found;
} Unknown;

static bool is_unknown_call(Checker *c, const Node *node) {
    return node->kind == N_CALL && !names_find(c, node->word) && !names_reserved_call(node->word);
}

// Names that nothing gives a value and that mean nothing else.
static void find_unknown(Unknown *u, const Node *node) {
    if (!node || u->found)
        return;
    Clause *k = u->k;
    bool skip = node->kind == N_NAME && is_skipped(k, node->word);
    if (u->calls && is_unknown_call(k->c, node))
        u->found = node;
    if (!u->calls && node->kind == N_NAME && !skip && !find_variable(k, node->word) &&
        check_is_new_name(k->c, node->word, TY_DIRECTION) &&
        check_is_new_name(k->c, node->word, TY_CELL) && strcmp(node->word, "row") != 0 &&
        strcmp(node->word, "column") != 0)
        u->found = node;
    const Skip *outer = k->skip, here = {node->extra, outer};
    if (node->kind == N_QUANT || node->kind == N_THE)
        k->skip = &here;
    for (int i = 0; i < node->count; i++)
        find_unknown(u, node->kids[i]);
    k->skip = outer;
}

// A relation that is not there would leave its names without a value: it is reported first.
static bool all_calls_known(Clause *k, const Node *node) {
    Unknown u = {.k = k, .calls = true};
    find_unknown(&u, node);
    if (u.found)
        names_unknown(k->c, u.found->word, names_word(u.found),
                      "say what it is under `facts` or `rules`, or define it with `let`");
    return !u.found;
}

static bool all_known(Clause *k, const Node *node) {
    Unknown u = {.k = k};
    find_unknown(&u, node);
    if (u.found)
        report_open(k->c, u.found,
                    "what gives it one: `%s in …`, `%s = …`, or a fact or rule that has it");
    return !u.found;
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
            report_open(k->c, k->open,
                        "what could give `%s` one needs another value first, and "
                        "that one needs `%s`");
            return false;
        }
        k->done[i] = true;
        if (!check_literal(k, k->literal[i]))
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
    IrLiteral *lit = add_literal(k, LIT_LET, node);
    lit->cond = e;
    lit->term[0].slot = l.slot;
    IrExpr *none = expr_const(c, e->type, ir_domain_size(c->g, e->type, 0, 0), node);
    IrExpr *cond = expr_binary(c, IR_NE, type_plain(TY_BOOL), node, expr_local(c, &l, node), none);
    add_literal(k, LIT_COND, node)->cond = cond;
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
        IrExpr *e = all_known(k, arg) ? check_expr(c, arg) : NULL;
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
            add_literal(&k, LIT_EACH, each)->domain = d;
        ok = d != NULL;
    }
    if (ok && line->kids[1])
        ok = add_condition(&k, check_cond(c, line->kids[1]), line->kids[1]);
    return end(&k, relation, ok && check_head(&k, relation, line->kids[0]));
}

bool check_clause_line(Checker *c, int relation, const Node *line, IrClause *clause) {
    Clause k = begin(c, line, clause);
    for (int i = 1; i < line->count; i++)
        split(&k, line->kids[i]);
    k.done = ARENA_ARRAY(c->arena, bool, k.literals + 1);
    bool ok = true;
    for (int i = 0; i < k.literals; i++)
        find_variables(&k, k.literal[i]);
    for (int i = 0; ok && i < k.literals; i++)
        ok = all_calls_known(&k, k.literal[i]);
    for (int i = 0; ok && i < k.literals; i++)
        ok = all_known(&k, k.literal[i]);
    ok = ok && check_in_order(&k) && check_head(&k, relation, line->kids[0]);
    return end(&k, relation, ok);
}

bool check_worth_atom(Checker *c, Symbol *s, const Node *atom, IrLiteral *out) {
    IrClause clause = {0};
    Clause k = {.c = c, .out = &clause};
    check_push_mover(c);
    find_variables(&k, atom);
    for (int i = 0; i < atom->count; i++)
        if (!all_known(&k, atom->kids[i]))
            return false;
    if (!is_ready(&k, atom)) {
        report_open(c, k.open, "`%s` stands for what is found: use it as an argument by itself");
        return false;
    }
    if (!check_atom(&k, s, atom))
        return false;
    if (clause.literals > 1) {
        diag_error(c->diags, atom->span, "a name can stand only once here");
        diag_help(c->diags, "make a rule of it, and say what that is worth");
        return false;
    }
    *out = clause.literal[0];
    return true;
}
