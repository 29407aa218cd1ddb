// check_stmt: the statements of `setup` and `turn`. See checker.h.

#include "lang/checker.h"

#include <inttypes.h>

// More rounds of a loop than this are not a turn of a board game.
#define WHILE_MAX 1000

IrStmt *check_new_stmt(Checker *c, IrStmtKind kind, const Node *node) {
    IrStmt *s = ARENA_NEW(c->arena, IrStmt);
    s->kind = kind;
    s->span = node->span;
    if (c->statements++ == CHECK_STATEMENTS)
        diag_error(c->diags, node->span, "the rules have more than %d statements",
                   CHECK_STATEMENTS);
    return s;
}

void block_append(Statements *b, IrStmt *s) {
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
    add_probe(l, expr_binary(c, IR_MEMBER, type_plain(TY_BOOL), node, value, set), node);
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
    IrStmt *s = check_new_stmt(c, ST_CHOOSE, node);
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
    site->type = type_plain(TY_INT);
    site->hi = node->count - 1;
    site->bits = bits_for(node->count);
    site->labels = ARENA_ARRAY(c->arena, const char *, node->count);
    site->probes = NULL;
    IrStmt *s = check_new_stmt(c, ST_EITHER, node), **tail = &s->body;
    s->id = id;
    s->chooses = true;
    int before = c->diags->errors;
    Local *shared = NULL;
    for (int i = 0; i < node->count; i++) {
        const Node *branch = node->kids[i];
        Local *names;
        c->g->site[id].labels[i] = branch->word ? branch->word : "";
        IrStmt *b = check_new_stmt(c, ST_BRANCH, branch);
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
    IrStmt *s = check_new_stmt(c, ST_REQUIRE, node);
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
    IrStmt *s = check_new_stmt(c, ST_IF, node);
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
    IrStmt *nothing = check_new_stmt(c, ST_IF, node);
    nothing->e[0] = s->e[0];
    return nothing;
}

static IrStmt *check_for(Checker *c, const Node *node) {
    Local *mark = c->locals;
    IrStmt *s = check_new_stmt(c, ST_FOR, node);
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
    IrStmt *s = check_new_stmt(c, ST_WHILE, node);
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

IrStmt *check_set_local(Checker *c, int slot, IrExpr *value, const Node *node) {
    IrStmt *s = check_new_stmt(c, ST_LET, node);
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
    return check_set_local(c, l->slot, e, node);
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
    return check_set_local(c, l->slot, e, node);
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
    e = check_convert(c, e, old->type, value);
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
bool check_possible(Checker *c, const IrExpr *e, const char *name, int32_t lo, int32_t hi,
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
    return check_set_local(c, l->slot, e, node);
}

static IrStmt *assign_variable(Checker *c, const Node *node, Symbol *s) {
    const Node *target = node->kids[0];
    const IrVar *v = &c->g->var[s->id];
    IrExpr *old = check_expr(c, target);
    if (!old)
        return NULL;
    IrExpr *e = new_value(c, node, old);
    if (!e || !check_possible(c, e, v->name, v->lo, v->hi, node->kids[1]))
        return NULL;
    IrStmt *st = check_new_stmt(c, ST_ASSIGN, node);
    st->id = s->id;
    st->e[0] = e;
    st->e[1] = old->kid[0];
    return st;
}

static IrStmt *assign_attribute(Checker *c, const Node *node, Symbol *s) {
    const IrAttr *a = &c->g->attr[s->id];
    IrExpr *old = check_expr(c, node->kids[0]);
    IrExpr *e = new_value(c, node, old);
    if (!e || !check_possible(c, e, a->name, a->lo, a->hi, node->kids[1]))
        return NULL;
    IrStmt *st = check_new_stmt(c, ST_SET_ATTR, node);
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
    case N_AGAIN: return check_new_stmt(c, ST_AGAIN, node);
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
            block_append(&out, s);
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
