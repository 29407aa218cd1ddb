// check_stmt: the statements of `setup` and `turn`. See checker.h.

#include "lang/checker.h"

#include <inttypes.h>

// More rounds of a loop than this are not a turn of a board game.
#define WHILE_MAX 1000

typedef struct Statements { // a block being built
    IrStmt *first, *last;
} Statements;

IrStmt *stmt_new(Checker *c, IrStmtKind kind, const Node *node) {
    IrStmt *s = ARENA_NEW(c->arena, IrStmt);
    s->kind = kind;
    s->span = node->span;
    if (c->statements++ == CHECK_STATEMENTS)
        diag_error(c->diags, node->span, "the rules have more than %d statements",
                   CHECK_STATEMENTS);
    return s;
}

static void append(Statements *b, IrStmt *s) {
    if (b->last)
        b->last->next = s;
    else
        b->first = s;
    while (s->next)
        s = s->next;
    b->last = s;
}

static bool any_chooses(const IrStmt *s) {
    for (; s; s = s->next)
        if (s->chooses)
            return true;
    return false;
}

// --- choices ---

static int bits_for(int64_t values) {
    int bits = 0;
    while (((int64_t)1 << bits) < values)
        bits++;
    return bits;
}

static IrSite *new_site(Checker *c, const Node *node, const char *name) {
    if (c->g->sites == CHECK_SITES) {
        diag_error(c->diags, node->span, "a turn can have at most %d choices", CHECK_SITES);
        return NULL;
    }
    ARENA_GROW(c->arena, IrSite, c->g->site, c->g->sites, c->g->site_cap);
    IrSite *s = &c->g->site[c->g->sites++];
    *s = (IrSite){.name = name, .say = c->say, .before = "-", .after = "", .span = node->span};
    return s;
}

// Takes a choice's domain apart, so that a refusal can name the part that refused:
// `A & B where C` has the parts A, B and C.
typedef struct ProbeList {
    Checker *c;
    const Local *choice;
    IrProbe *probes;
    int count, cap;
} ProbeList;

static void add_probe(ProbeList *l, IrExpr *cond, const Node *node) {
    if (!cond || cond->op == IR_CONST)
        return;
    ARENA_GROW(l->c->arena, IrProbe, l->probes, l->count, l->cap);
    l->probes[l->count++] = (IrProbe){cond, ast_text(l->c->source, node, l->c->arena), node->span};
}

static void probe_set(ProbeList *l, const Node *node) {
    Checker *c = l->c;
    if (node->kind == N_BINARY && !strcmp(node->word, "&")) {
        probe_set(l, node->kids[0]);
        probe_set(l, node->kids[1]);
        return;
    }
    IrExpr *set = check_set(c, node);
    IrExpr *value = expr_local(c, l->choice, node);
    add_probe(l, expr_binary(c, IR_MEMBER, type_of(TY_BOOL), node, value, set), node);
}

static void probe_cond(ProbeList *l, const Node *node) {
    if (node->kind == N_BINARY && !strcmp(node->word, "and")) {
        probe_cond(l, node->kids[0]);
        probe_cond(l, node->kids[1]);
        return;
    }
    add_probe(l, check_cond(l->c, node), node);
}

static void make_probes(Checker *c, IrSite *site, const Node *domain, const Local *choice) {
    ProbeList l = {.c = c, .choice = choice};
    const Node *base = domain->kind == N_WHERE ? domain->kids[0] : domain;
    Local *mark = c->locals;
    if (choice->type.kind == TY_CELL) {
        c->locals = choice->up; // the set was read before the choice had its name
        probe_set(&l, base);
        c->locals = mark;
    }
    if (domain->kind == N_WHERE) {
        names_alias(c, "it", (Span){0}, choice->slot, choice->type, choice->lo, choice->hi);
        probe_cond(&l, domain->kids[1]);
        c->locals = mark;
    }
    site->probes = l.probes;
    site->probe_count = l.count;
}

static void warn_if_empty(Checker *c, const IrDomain *d, const Node *node) {
    if (d->kind != DOM_SET || d->a->op != IR_SET || d->a->bound)
        return;
    uint64_t any = 0;
    for (int i = 0; i < c->g->board->words; i++)
        any |= d->a->set[i];
    if (!any)
        check_warn(c, node->span, "this set is always empty");
}

static IrStmt *check_choose(Checker *c, const Node *node) {
    Local *l;
    IrDomain *d = check_domain(c, node->kids[0], node->word, node->extra_span, true, &l);
    IrSite *site = d ? new_site(c, node, node->word) : NULL;
    if (!site) {
        names_broken(c, node->word, node->extra_span);
        return NULL;
    }
    l->used = true; // a choice names the move, even if nothing else uses it
    warn_if_empty(c, d, node->kids[0]);
    site->type = l->type;
    site->lo = l->lo;
    site->hi = l->hi;
    site->slot = l->slot;
    site->bits = bits_for((int64_t)l->hi - l->lo + 1);
    IrStmt *s = stmt_new(c, ST_CHOOSE, node);
    s->id = c->g->sites - 1;
    s->domain = d;
    s->chooses = true;
    make_probes(c, site, node->kids[0], l);
    return s;
}

// --- names that all branches declare ---

// Lets the coming branch reuse the slots of the names before it; returns what to restore.
static Local *enter_branch(Checker *c, Local *names) {
    Local *outer = c->reuse;
    if (names)
        c->reuse = names;
    return outer;
}

static Local *find_local(Local *list, const char *name) {
    while (list && strcmp(list->name, name) != 0)
        list = list->up;
    return list;
}

// The names of `a` that `b` declares too, with the same type, with the bounds of both. A name of
// only one branch ends here.
static Local *names_in_both(Checker *c, Local *a, Local *b) {
    Local *both = NULL;
    for (Local *l = a; l; l = l->up) {
        Local *other = find_local(b, l->name);
        bool broken = l->broken || (other && other->broken);
        if (!other || (other->slot != l->slot && !broken)) {
            names_unused(c, l);
            names_end(c, &(Local){.name = l->name, .span = l->span});
            continue;
        }
        Local *shared = ARENA_NEW(c->arena, Local);
        *shared = *l;
        shared->broken = broken;
        shared->lo = other->lo < l->lo ? other->lo : l->lo;
        shared->hi = other->hi > l->hi ? other->hi : l->hi;
        shared->type.optional |= other->type.optional;
        shared->used |= other->used;
        shared->variable &= other->variable;
        shared->up = both;
        both = shared;
    }
    for (Local *l = b; l; l = l->up)
        if (!find_local(both, l->name)) {
            names_unused(c, l);
            names_end(c, &(Local){.name = l->name, .span = l->span});
        }
    return both;
}

// Declares the shared names after the branches.
static void share_names(Checker *c, Local *shared) {
    for (Local *l = shared; l; l = l->up) {
        Local *after = names_alias(c, l->name, l->span, l->slot, l->type, l->lo, l->hi);
        after->used = l->used;
        after->variable = l->variable;
        after->broken = l->broken;
    }
}

static IrStmt *check_either(Checker *c, const Node *node) {
    IrSite *site = new_site(c, node, "");
    if (!site)
        return NULL;
    int id = c->g->sites - 1;
    site->type = type_of(TY_INT);
    site->hi = node->count - 1;
    site->bits = bits_for(node->count);
    site->labels = ARENA_ARRAY(c->arena, const char *, node->count);
    site->probes = NULL;
    IrStmt *s = stmt_new(c, ST_EITHER, node), **tail = &s->body;
    s->id = id;
    s->chooses = true;
    int before = c->diags->errors;
    Local *shared = NULL;
    for (int i = 0; i < node->count; i++) {
        const Node *branch = node->kids[i];
        Local *names;
        c->g->site[id].labels[i] = branch->word ? branch->word : "";
        IrStmt *b = stmt_new(c, ST_BRANCH, branch);
        Local *reuse = enter_branch(c, i ? shared : NULL);
        b->body = check_branch(c, branch->kids[0], &names);
        c->reuse = reuse;
        shared = i ? names_in_both(c, shared, names) : names;
        b->chooses = any_chooses(b->body);
        *tail = b;
        tail = &b->sibling;
    }
    share_names(c, shared);
    return c->diags->errors == before ? s : NULL;
}

// --- control ---

// A condition that is constant though no parameter decides it is a mistake.
static void warn_if_constant(Checker *c, const IrExpr *e, const Node *node) {
    int64_t v;
    if (expr_is_constant(e, &v) && !e->bound && node->kind != N_BOOL)
        check_warn(c, node->span, "this is always %s", v ? "true" : "false");
}

static IrStmt *check_require(Checker *c, const Node *node) {
    IrExpr *e = check_cond(c, node->kids[0]);
    if (!e)
        return NULL;
    warn_if_constant(c, e, node->kids[0]);
    IrStmt *s = stmt_new(c, ST_REQUIRE, node);
    s->e[0] = e;
    s->text = node->word ? node->word
                         : arena_printf(c->arena, "`%s` does not hold",
                                        ast_text(c->source, node->kids[0], c->arena));
    s->chooses = true;
    return s;
}

// `names` gets the names that both branches declare.
static IrStmt *check_if_stmt(Checker *c, const Node *node, Local **names) {
    IrExpr *e = check_cond(c, node->kids[0]);
    if (e)
        warn_if_constant(c, e, node->kids[0]);
    IrStmt *s = stmt_new(c, ST_IF, node);
    s->e[0] = e;
    int before = c->diags->errors;
    Local *first, *second = NULL;
    s->body = check_branch(c, node->kids[1], &first);
    const Node *other = node->count > 2 ? node->kids[2] : NULL;
    if (other) {
        Local *reuse = enter_branch(c, first);
        s->other = other->kind == N_IF ? check_if_stmt(c, other, &second)
                                       : check_branch(c, other, &second);
        c->reuse = reuse;
    }
    *names = names_in_both(c, first, second);
    if (!e || c->diags->errors > before)
        return NULL;
    s->chooses = any_chooses(s->body) || any_chooses(s->other);
    return s;
}

// If a parameter has decided the condition, only the branch that counts is kept.
static IrStmt *decided_if(Checker *c, const Node *node) {
    Local *names;
    int64_t v;
    IrStmt *s = check_if_stmt(c, node, &names);
    share_names(c, names);
    if (!s || !expr_is_constant(s->e[0], &v))
        return s;
    IrStmt *kept = v ? s->body : s->other;
    if (kept)
        return kept;
    IrStmt *nothing = stmt_new(c, ST_IF, node);
    nothing->e[0] = s->e[0];
    return nothing;
}

static IrStmt *check_for(Checker *c, const Node *node) {
    Local *mark = c->locals;
    IrStmt *s = stmt_new(c, ST_FOR, node);
    s->domain = check_domain(c, node->kids[0], node->word, node->extra_span, false, NULL);
    int before = c->diags->errors;
    if (s->domain)
        s->body = check_block(c, node->kids[1]);
    names_pop(c, mark);
    names_end(c, &(Local){.name = node->word, .span = node->extra_span});
    s->chooses = any_chooses(s->body);
    return s->domain && c->diags->errors == before ? s : NULL;
}

static IrStmt *check_while(Checker *c, const Node *node) {
    IrStmt *s = stmt_new(c, ST_WHILE, node);
    int64_t limit;
    s->e[0] = check_cond(c, node->kids[0]);
    if (!check_constant(c, node->kids[1], &limit))
        return NULL;
    if (limit < 1 || limit > WHILE_MAX) {
        diag_error(c->diags, node->kids[1]->span, "a loop can have 1..%d rounds, not %d", WHILE_MAX,
                   (int)limit);
        return NULL;
    }
    s->id = (int)limit;
    int before = c->diags->errors;
    s->body = check_block(c, node->kids[2]);
    s->chooses = any_chooses(s->body);
    return s->e[0] && c->diags->errors == before ? s : NULL;
}

// --- names and assignments ---

static IrStmt *set_local(Checker *c, int slot, IrExpr *value, const Node *node) {
    IrStmt *s = stmt_new(c, ST_LET, node);
    s->id = slot;
    s->e[0] = value;
    return s;
}

static IrStmt *check_let_stmt(Checker *c, const Node *node) {
    if (node->count > 1) {
        diag_error(c->diags, node->span, "a `let` inside a turn cannot have parameters");
        diag_help(c->diags, "define it outside the turn");
        return NULL;
    }
    IrExpr *e = check_expr(c, node->kids[0]);
    if (e && (e->type.kind == TY_NONE || e->type.kind == TY_LINES)) {
        diag_error(c->diags, node->kids[0]->span, "%s cannot be given a name",
                   ir_type_name(c->g, e->type));
        e = NULL;
    }
    if (!e) {
        names_broken(c, node->word, node->extra_span);
        return NULL;
    }
    Local *l = names_declare(c, node->word, node->extra_span, e->type, e->lo, e->hi);
    return set_local(c, l->slot, e, node);
}

// Locals have no check at run time: their values must stay inside by construction.
static bool local_fits(Checker *c, const IrExpr *e, const char *name, IrType type, int32_t lo,
                       int32_t hi, const Node *node) {
    if (ir_is_set(type) || type.kind == TY_MASK)
        return true;
    if (e->type.optional && !type.optional) {
        diag_error(c->diags, node->span, "this can be `none`, but `%s` cannot", name);
        diag_help(c->diags, "declare it with `or none`");
        return false;
    }
    if (type.kind != TY_INT || (e->lo >= lo && e->hi <= hi))
        return true;
    diag_error(c->diags, node->span, "`%s` can become %d..%d, outside its range %d..%d", name,
               e->lo, e->hi, lo, hi);
    diag_help(c->diags, "bound it: `min(%d, …)` or `max(%d, …)`", hi, lo);
    return false;
}

static IrStmt *check_local(Checker *c, const Node *node) {
    IrType type;
    int32_t lo, hi;
    IrExpr *e =
        check_type(c, node->kids[0], &type, &lo, &hi) ? check_typed(c, node->kids[1], type) : NULL;
    if (!e || !local_fits(c, e, node->word, type, lo, hi, node->kids[1])) {
        names_broken(c, node->word, node->extra_span);
        return NULL;
    }
    Local *l = names_declare(c, node->word, node->extra_span, type, lo, hi);
    l->variable = true;
    return set_local(c, l->slot, e, node);
}

// The value to assign, for = += -=. `old` is the value the target has.
static IrExpr *new_value(Checker *c, const Node *node, IrExpr *old) {
    const Node *value = node->kids[1];
    IrExpr *e = check_expr(c, value);
    if (!e || !old)
        return NULL;
    // `flags -= K` is short for `flags -= {K}`, and likewise for cells.
    bool set = old->type.kind == TY_SET || old->type.kind == TY_MASK;
    if (old->type.kind == TY_MASK && e->type.kind == old->type.of)
        e = expr_unary(c, IR_MASK_OF, old->type, value, e);
    else if (old->type.kind == TY_SET && e->type.kind == TY_CELL && node->word[1])
        e = expr_unary(c, IR_SINGLE, old->type, value, e);
    e = convert(c, e, old->type, value);
    if (!e || !node->word[1])
        return e;
    bool plus = node->word[0] == '+';
    if (set)
        return expr_binary(c, plus ? IR_OR : IR_MINUS, old->type, value, old, e);
    if (old->type.kind != TY_INT) {
        diag_error(c->diags, node->span, "only numbers and sets can be changed with `%s`",
                   node->word);
        diag_help(c->diags, "write `%s = …`", ast_text(c->source, node->kids[0], c->arena));
        return NULL;
    }
    return expr_sum(c, plus ? IR_ADD : IR_SUB, value, old, e);
}

// Finds assignments that can never be right.
static bool value_possible(Checker *c, const IrExpr *e, const char *name, int32_t lo, int32_t hi,
                           const Node *node) {
    if (e->type.kind == TY_SET || e->type.kind == TY_MASK || (e->hi >= lo && e->lo <= hi))
        return true;
    if (e->type.kind == TY_INT && e->lo == e->hi)
        diag_error(c->diags, node->span, "`%s` would be %d, outside its range %d..%d", name, e->lo,
                   lo, hi);
    else if (e->type.kind == TY_INT)
        diag_error(c->diags, node->span, "`%s` would be %d..%d, outside its range %d..%d", name,
                   e->lo, e->hi, lo, hi);
    else
        diag_error(c->diags, node->span, "`%s` cannot be none", name);
    return false;
}

static IrStmt *assign_local(Checker *c, const Node *node, Local *l) {
    if (l->broken)
        return NULL;
    if (!l->variable) {
        diag_error(c->diags, node->kids[0]->span, "`%s` cannot be changed", l->name);
        diag_help(c->diags, "choices and `let` are fixed; declare `var %s : … = …` instead",
                  l->name);
        return NULL;
    }
    l->used = true;
    IrExpr *e = new_value(c, node, expr_local(c, l, node->kids[0]));
    if (!e || !local_fits(c, e, l->name, l->type, l->lo, l->hi, node->kids[1]))
        return NULL;
    return set_local(c, l->slot, e, node);
}

static IrStmt *assign_variable(Checker *c, const Node *node, Symbol *s) {
    const Node *target = node->kids[0];
    const IrVar *v = &c->g->var[s->id];
    IrExpr *old = check_expr(c, target);
    if (!old)
        return NULL;
    IrExpr *e = new_value(c, node, old);
    if (!e || !value_possible(c, e, v->name, v->lo, v->hi, node->kids[1]))
        return NULL;
    IrStmt *st = stmt_new(c, ST_ASSIGN, node);
    st->id = s->id;
    st->e[0] = e;
    st->e[1] = old->kid[0];
    return st;
}

static IrStmt *assign_attribute(Checker *c, const Node *node, Symbol *s) {
    const IrAttr *a = &c->g->attr[s->id];
    IrExpr *old = check_expr(c, node->kids[0]);
    IrExpr *e = new_value(c, node, old);
    if (!e || !value_possible(c, e, a->name, a->lo, a->hi, node->kids[1]))
        return NULL;
    IrStmt *st = stmt_new(c, ST_SET_ATTR, node);
    st->id = s->id;
    st->e[0] = e;
    st->e[1] = old->kid[0];
    return st;
}

static void report_target(Checker *c, const Node *target, const Symbol *s) {
    if (!target->word) {
        diag_error(c->diags, target->span,
                   "only variables and attributes of pieces can be changed");
    } else if (!s) {
        names_unknown(c, target->word, names_word(target),
                      arena_printf(c->arena, "declare it outside the turn: `var %s : 0..9 = 0`",
                                   target->word));
    } else if (s->kind == SYM_VAR) {
        diag_error(c->diags, target->span, "`%s` is a variable, not an attribute", s->name);
        diag_help(c->diags, "write `%s[…]`", s->name);
    } else if (s->kind == SYM_ATTR) {
        diag_error(c->diags, target->span, "whose `%s`?", s->name);
        diag_help(c->diags, "write `%s(c) = …` for the piece on cell c", s->name);
    } else {
        diag_error(c->diags, target->span, "`%s` cannot be changed", target->word);
        diag_help(c->diags, "only variables and attributes of pieces can: declare `var … : 0..9`");
    }
}

static IrStmt *check_assign(Checker *c, const Node *node) {
    const Node *target = node->kids[0];
    Local *l = target->kind == N_NAME ? names_local(c, target->word) : NULL;
    if (l)
        return assign_local(c, node, l);
    Symbol *s = target->word ? names_find(c, target->word) : NULL;
    if (s && s->kind == SYM_VAR && (target->kind == N_NAME || target->kind == N_INDEX))
        return assign_variable(c, node, s);
    if (s && s->kind == SYM_ATTR && target->kind == N_CALL)
        return assign_attribute(c, node, s);
    report_target(c, target, s);
    return NULL;
}

// --- pieces ---

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
        *owner = check_typed(c, node->kids[1], type_of(TY_PLAYER));
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
        if (!e || !value_possible(c, e, s->name, c->g->attr[s->id].lo, c->g->attr[s->id].hi,
                                  init->kids[0]))
            return NULL;
        IrStmt *st = stmt_new(c, ST_SET_ATTR, init);
        st->id = s->id;
        st->e[0] = e;
        st->e[1] = cell;
        append(out, st);
    }
    return out->first;
}

// place … at a set with …: the attributes of each cell of it.
static bool init_set(Checker *c, const Node *inits, int kind, IrExpr *set, Statements *out) {
    IrStmt *loop = stmt_new(c, ST_FOR, inits);
    loop->domain = ARENA_NEW(c->arena, IrDomain);
    *loop->domain = (IrDomain){.kind = DOM_SET, .a = set};
    loop->domain->slot = ir_add_slot(c->g, c->frame, type_of(TY_CELL), "placed");
    IrExpr *cell = expr_new(c, IR_LOCAL, type_of(TY_CELL), inits);
    cell->id = loop->domain->slot;
    Statements body = {0};
    if (!init_attributes(c, inits, kind, expr_done(c, cell), &body))
        return false;
    loop->body = body.first;
    append(out, loop);
    return true;
}

static IrStmt *check_place(Checker *c, const Node *node) {
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
        IrStmt *s = stmt_new(c, ST_PLACE, node);
        s->id = kind;
        s->e[0] = where;
        s->e[1] = owner;
        s->e[2] = kind_expr;
        append(&out, s);
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
    IrType yes_no = type_of(TY_BOOL), set = type_of(TY_SET);
    IrExpr *occupied = expr_done(c, expr_new(c, IR_OCCUPIED, set, node));
    IrStmt *test = stmt_new(c, ST_IF, node);
    if (where->type.kind == TY_CELL)
        test->e[0] = expr_binary(c, IR_MEMBER, yes_no, node, where, occupied);
    else
        test->e[0] = expr_unary(c, IR_SOME, yes_no, node,
                                expr_binary(c, IR_AND, set, node, where, occupied));
    test->body = set_local(c, c->removed_slot, expr_const(c, yes_no, 1, node), node);
    append(out, test);
}

static IrStmt *check_move(Checker *c, const Node *node) {
    IrExpr *from = check_typed(c, node->kids[0], type_of(TY_CELL));
    IrExpr *to = check_typed(c, node->kids[1], type_of(TY_CELL));
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
    IrStmt *s = stmt_new(c, stacks ? ST_MOVE_ABOVE : ST_MOVE, node);
    s->e[0] = from;
    s->e[1] = to;
    s->e[2] = level;
    append(&out, s);
    return out.first;
}

static IrStmt *check_remove(Checker *c, const Node *node) {
    bool clear = node->kind == N_CLEAR && c->g->board->stack > 1;
    Statements out = {0};
    for (int i = 0; i < node->count; i++) {
        IrExpr *where = check_cell_or_set(c, node->kids[i]);
        if (!where)
            return NULL;
        note_removal(c, node, where, &out);
        IrStmt *s = stmt_new(c, clear ? ST_CLEAR : ST_REMOVE, node);
        s->e[0] = where;
        append(&out, s);
    }
    return out.first;
}

static IrStmt *check_change(Checker *c, const Node *node) {
    IrStmt *s = stmt_new(c, ST_CHANGE, node);
    s->e[0] = check_cell_or_set(c, node->kids[0]);
    if (!s->e[0] || !check_piece(c, node->kids[1], &s->id, &s->e[2], &s->e[1]))
        return NULL;
    return s;
}

// --- setup only ---

static IrStmt *check_scatter(Checker *c, const Node *node) {
    IrStmt *s = stmt_new(c, ST_SCATTER, node);
    IrExpr *kind_expr;
    s->e[2] = check_number(c, node->kids[0]);
    if (!s->e[2] || !check_piece(c, node->kids[1], &s->id, &kind_expr, &s->e[1]))
        return NULL;
    s->e[0] = check_set(c, node->kids[2]);
    if (!s->e[0] || !check_constant(c, node->kids[3], &s->value))
        return NULL;
    if (kind_expr) {
        diag_error(c->diags, node->kids[1]->span, "which piece must be known before the game");
        return NULL;
    }
    return s;
}

static bool check_scramble(Checker *c, const Node *node) {
    int64_t n;
    if (!check_constant(c, node->kids[0], &n) ||
        !check_constant(c, node->kids[1], &c->g->scramble_seed))
        return false;
    if (n < 0 || n > 100000) {
        diag_error(c->diags, node->kids[0]->span, "scramble takes 0..100000 moves, not %" PRId64,
                   n);
        return false;
    }
    c->g->scramble_moves = n;
    return true;
}

static int plane_lettered(const IrGame *g, const char *s, int n) {
    for (int i = 0; i < g->planes; i++)
        if ((int)strlen(g->plane[i].letter) == n && !strncmp(g->plane[i].letter, s, (size_t)n))
            return i;
    return -1;
}

// The cells of a row of the screen, from the left; rows count from the top.
static int row_cells(Checker *c, int row, bool full, int16_t *cells) {
    const Board *b = c->g->board;
    int n = 0, line = b->matrix ? row + 1 : b->height - row;
    if (full) {
        for (int x = 1; x <= b->width; x++)
            cells[n++] = (int16_t)board_cell_at(b, x, line);
        return n;
    }
    for (int i = 0; i < b->cells; i++)
        if (b->cell[i].row == line)
            cells[n++] = (int16_t)i;
    return n;
}

// One row of a diagram: a character for each place of the row, or for each cell that exists.
static bool diagram_row(Checker *c, const Node *text, int row, uint64_t *planes) {
    const Board *b = c->g->board;
    int16_t cells[BOARD_MAX_CELLS];
    int n = 0;
    for (const char *s = text->word; *s; s += text_utf8(s, strlen(s)) ? text_utf8(s, strlen(s)) : 1)
        n += *s != ' ';
    int most = row_cells(c, row, b->shape == BOARD_SQUARE, cells);
    if (n != most)
        most = row_cells(c, row, false, cells);
    if (n != most) {
        diag_error(c->diags, text->span, "row %d of the diagram has %d places, the board %d",
                   row + 1, n, most);
        return false;
    }
    n = 0;
    for (const char *s = text->word; *s;) {
        int bytes = text_utf8(s, strlen(s));
        bytes = bytes ? bytes : 1;
        int plane = plane_lettered(c->g, s, bytes);
        if (plane < 0 && *s != '.' && *s != ' ') {
            diag_error(c->diags, text->span, "no piece has the letter `%.*s`", bytes, s);
            return false;
        }
        if (plane >= 0 && cells[n] >= b->cells) {
            diag_error(c->diags, text->span, "`%.*s` stands where the board has no cell", bytes, s);
            return false;
        }
        if (plane >= 0)
            planes[plane * b->words + cells[n] / 64] |= (uint64_t)1 << (cells[n] % 64);
        n += *s != ' ';
        s += bytes;
    }
    return true;
}

static IrStmt *check_diagram(Checker *c, const Node *node) {
    const Board *b = c->g->board;
    if (node->count != b->height) {
        diag_error(c->diags, node->span, "the diagram has %d rows, the board %d", node->count,
                   b->height);
        return NULL;
    }
    uint64_t *planes = ARENA_ARRAY(c->arena, uint64_t, c->g->planes * b->words + 1);
    for (int i = 0; i < node->count; i++)
        if (!diagram_row(c, node->kids[i], i, planes))
            return NULL;
    Statements out = {0};
    for (int i = 0; i < c->g->planes; i++) {
        const IrPlane *p = &c->g->plane[i];
        uint64_t any = 0;
        for (int k = 0; k < b->words; k++)
            any |= planes[i * b->words + k];
        if (!any)
            continue;
        IrStmt *s = stmt_new(c, ST_PLACE, node);
        s->id = p->kind;
        s->e[0] = expr_const_set(c, planes + i * b->words, node);
        s->e[1] =
            p->owner < c->g->players ? expr_const(c, type_of(TY_PLAYER), p->owner, node) : NULL;
        names_find(c, c->g->kind[p->kind].name)->used = true;
        append(&out, s);
    }
    if (!out.first) {
        diag_error(c->diags, node->span, "the diagram is empty");
        return NULL;
    }
    return out.first;
}

// --- blocks ---

static bool allowed_here(Checker *c, const Node *node) {
    bool turn_only = node->kind == N_CHOOSE || node->kind == N_EITHER || node->kind == N_REQUIRE ||
                     node->kind == N_AGAIN || node->kind == N_SAY;
    bool setup_only =
        node->kind == N_SCATTER || node->kind == N_SCRAMBLE || node->kind == N_DIAGRAM;
    bool input_only = node->kind == N_READ || node->kind == N_ANSWER;
    if (turn_only && c->place == AT_SETUP) {
        diag_error(c->diags, node->span, "this belongs in `turn`: nobody chooses during setup");
        return false;
    }
    if (setup_only && c->place == AT_TURN) {
        diag_error(c->diags, node->span, "this belongs in `setup`, before the game begins");
        return false;
    }
    if (input_only) {
        diag_error(c->diags, node->span, "this belongs in `input`");
        return false;
    }
    return true;
}

static IrStmt *check_statement(Checker *c, const Node *node) {
    switch (node->kind) {
    case N_CHOOSE: return check_choose(c, node);
    case N_EITHER: return check_either(c, node);
    case N_REQUIRE: return check_require(c, node);
    case N_IF: return decided_if(c, node);
    case N_FOR: return check_for(c, node);
    case N_WHILE: return check_while(c, node);
    case N_LET: return check_let_stmt(c, node);
    case N_LOCAL: return check_local(c, node);
    case N_ASSIGN: return check_assign(c, node);
    case N_PLACE: return check_place(c, node);
    case N_MOVE: return check_move(c, node);
    case N_REMOVE:
    case N_CLEAR: return check_remove(c, node);
    case N_CHANGE: return check_change(c, node);
    case N_AGAIN: return stmt_new(c, ST_AGAIN, node);
    case N_SCATTER: return check_scatter(c, node);
    case N_DIAGRAM: return check_diagram(c, node);
    default: return NULL;
    }
}

IrStmt *check_block(Checker *c, const Node *block) {
    Local *names;
    IrStmt *first = check_branch(c, block, &names);
    names_end(c, names);
    for (; names; names = names->up)
        names_unused(c, names);
    return first;
}

IrStmt *check_branch(Checker *c, const Node *block, Local **names) {
    Statements out = {0};
    Local *mark = c->locals;
    const char *say = c->say;
    for (int i = 0; i < block->count; i++) {
        const Node *node = block->kids[i];
        if (!allowed_here(c, node)) {
            if (node->kind == N_CHOOSE || node->kind == N_READ)
                names_broken(c, node->word, node->extra_span);
            continue;
        }
        if (node->kind == N_SAY) {
            c->say = node->word;
            continue;
        }
        if (node->kind == N_SCRAMBLE) {
            check_scramble(c, node);
            continue;
        }
        IrStmt *s = check_statement(c, node);
        if (s)
            append(&out, s);
    }
    // Cut the names of this block off the chain.
    *names = c->locals == mark ? NULL : c->locals;
    for (Local *l = c->locals; l != mark; l = l->up)
        if (l->up == mark) {
            l->up = NULL;
            break;
        }
    c->locals = mark;
    c->say = say;
    return out.first;
}

// --- how much a move can hold ---

static double domain_size(const IrGame *g, const IrDomain *d) {
    if (d->kind == DOM_RANGE)
        return d->b->hi < d->a->lo ? 0 : (double)d->b->hi - d->a->lo + 1;
    if (d->kind != DOM_MASK)
        return d->kind == DOM_SET ? g->board->cells : g->board->lines;
    IrType member = {.kind = d->a->type.of, .of_enum = d->a->type.of_enum};
    return member.kind == TY_INT ? 64 : ir_domain_size(g, member, 0, 0);
}

static void count_branches(const IrGame *g, const IrStmt *s, double *bits, double *choices) {
    double most_bits = 0, most_choices = 0;
    for (const IrStmt *b = s->body; b; b = b->sibling) {
        double x = 0, y = 0;
        count_choices(g, b->body, &x, &y);
        most_bits = x > most_bits ? x : most_bits;
        most_choices = y > most_choices ? y : most_choices;
    }
    *bits += most_bits + g->site[s->id].bits;
    *choices += most_choices + 1;
}

void count_choices(const IrGame *g, const IrStmt *s, double *bits, double *choices) {
    for (; s; s = s->next) {
        double x = 0, y = 0, u = 0, v = 0, times = 1;
        if (s->kind == ST_CHOOSE) {
            *bits += g->site[s->id].bits;
            *choices += 1;
        } else if (s->kind == ST_EITHER) {
            count_branches(g, s, bits, choices);
        } else if (s->body || s->other) {
            count_choices(g, s->body, &x, &y);
            count_choices(g, s->other, &u, &v);
            if (s->kind == ST_FOR)
                times = domain_size(g, s->domain);
            else if (s->kind == ST_WHILE)
                times = s->id;
            *bits += times * (x > u ? x : u);
            *choices += times * (y > v ? y : v);
        }
    }
}
