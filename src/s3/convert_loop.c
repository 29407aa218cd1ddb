// convert_loop: FORALL and FORSOME become quantifiers; variables that a loop counts up become
// counts and sums; a loop that goes on as long as something holds becomes the count of its rounds.
#include "s3/convert_parts.h"

#include <string.h>

typedef struct Loop {
    const S3Node *n;
    bool all;
    Gx *local, *low, *high;
    int count; // of rounds if the bounds are numbers, else -1
    int assigned[CV_VARS];
    Gx *carry[CV_VARS]; // what the variable is when a round begins
    Gx *delta[CV_VARS]; // what a round that holds adds to it; NULL: something else happens
    int n_assigned;
} Loop;

static bool sort_bounds(Gx **low, Gx **high) {
    if ((*low)->op != GX_INT || (*high)->op != GX_INT)
        return false;
    if ((*low)->value > (*high)->value) {
        Gx *swap = *low;
        *low = *high;
        *high = swap;
    }
    return true;
}

void cv_bounds(Convert *c, const S3Node *n, Env *env, Gx **low, Gx **high) {
    if (n->kid[0]->kind != S3_VAR)
        cv_fail(c, n->span, "the first argument of `%s` is no variable", s3_op_name(n->op));
    *low = cv_int(c, n->kid[1], env);
    *high = cv_int(c, n->kid[2], env);
    if (sort_bounds(low, high))
        return;
    // The original counts down where the second is smaller.
    Gx *pair[2] = {*low, *high};
    *low = gx_call(c, "min", 2, pair, false);
    *high = gx_call(c, "max", 2, pair, false);
}

static void assigned_in(Convert *c, const S3Node *n, Loop *l, int depth) {
    if (depth > CV_DEPTH)
        return;
    if (n->kind == S3_CALL && n->function >= 0) {
        const S3Function *f = &c->file->function[n->function];
        for (int i = 0; i < f->lines; i++)
            assigned_in(c, f->line[i], l, depth + 1);
    }
    const char *name = NULL;
    if ((n->kind == S3_BINARY && n->op == S3_ASSIGN) ||
        (n->kind == S3_BUILT && (n->op == S3_FORALL || n->op == S3_FORSOME) && n->kids))
        name = n->kid[0]->kind == S3_VAR ? n->kid[0]->name : NULL;
    if (name) {
        int v = cv_var(c, name);
        bool found = false;
        for (int i = 0; i < l->n_assigned; i++)
            found |= l->assigned[i] == v;
        if (!found)
            l->assigned[l->n_assigned++] = v;
    }
    for (int i = 0; i < n->kids; i++)
        assigned_in(c, n->kid[i], l, depth + 1);
}

// x less the variable: 3 for v + 3, NULL if x is not of that form.
static Gx *delta(Convert *c, Gx *x, const Gx *v) {
    if (x->op == GX_LOCAL && x->value == v->value)
        return gx_int(c, 0);
    if (x->op == GX_BINARY && (x->text[0] == '+' || x->text[0] == '-') && !gx_has(x->kid[1], v)) {
        Gx *rest = delta(c, x->kid[0], v);
        S3Op op = x->text[0] == '+' ? S3_ADD : S3_SUB;
        return rest ? gx_math(c, op, rest, x->kid[1], (Span){0}) : NULL;
    }
    if (x->op == GX_IF && !gx_has(x->kid[0], v)) {
        Gx *a = delta(c, x->kid[1], v), *b = delta(c, x->kid[2], v);
        return a && b ? gx_if(c, x->kid[0], a, b) : NULL;
    }
    return NULL;
}

static bool any_carry(const Loop *l, const Gx *x) {
    for (int i = 0; i < l->n_assigned; i++)
        if (l->carry[i] && gx_has(x, l->carry[i]))
            return true;
    return false;
}

static bool whole(const Convert *c, const Gx *range, bool columns) {
    return range->op == GX_RANGE && range->kid[1]->op == GX_INT && range->kid[1]->value == 1 &&
           range->kid[2]->op == GX_INT && range->kid[2]->value == (columns ? c->width : c->height);
}

// A range inside a range over all columns and rows is one quantifier over the cells.
static Gx *over_board(Convert *c, Gx *outer) {
    Gx *inner = outer->kid[3];
    if (inner->op != GX_RANGE || c->numbered || c->row < 0 || !c->place[c->main].complete)
        return outer;
    const char *word = inner->text;
    if (strcmp(outer->text, word) != 0 &&
        !(strcmp(outer->text, "sum") == 0 && strcmp(word, "count") == 0))
        return outer;
    for (int turned = 0; turned < 2; turned++) {
        if (!whole(c, outer, !turned) || !whole(c, inner, turned))
            continue;
        Gx *at[2] = {outer->kid[0], inner->kid[0]};
        if (turned) {
            at[0] = inner->kid[0];
            at[1] = outer->kid[0];
        }
        Gx *cell = gx_local(c, "c"), *name = gx_call(c, "cell", 2, at, false);
        Gx *body = gx_replace(c, inner->kid[3], name, cell);
        if (!gx_has(body, at[0]) && !gx_has(body, at[1]))
            return gx_each(c, word, cell, gx_word(c, "cells", false), body);
    }
    return outer;
}

static Gx *quantifier(Convert *c, const char *word, const Loop *l, Gx *body) {
    return over_board(c, gx_range(c, word, l->local, l->low, l->high, body));
}

// The sum of d over the rounds.
static Gx *total(Convert *c, const Loop *l, Gx *d) {
    if (d->op == GX_INT && (d->value == 0 || l->count > 0))
        return gx_int(c, d->value * (d->value ? l->count : 0));
    if (d->op == GX_IF && d->kid[1]->op == GX_INT && d->kid[2]->op == GX_INT) {
        int a = d->kid[1]->value, b = d->kid[2]->value;
        if ((a == 1 && b == 0) || (a == 0 && b == 1))
            return quantifier(c, "count", l, a ? d->kid[0] : gx_not(c, d->kid[0]));
    }
    return quantifier(c, "sum", l, d);
}

static void forget(Convert *c, const Loop *l, Env *env) {
    for (int i = 0; i < l->n_assigned; i++)
        env->var[l->assigned[i]] = cv_lost(c, "a loop changed it");
    env->var[cv_var(c, l->n->kid[0]->name)] = cv_lost(c, "a loop ran with it");
}

// Every round holds: what it adds is added up.
static Gx *adding(Convert *c, Loop *l, const Env *in, Env *yes, Env *no) {
    Env out = *in;
    forget(c, l, &out);
    for (int i = 0; i < l->n_assigned; i++)
        if (l->carry[i] && l->delta[i] && !any_carry(l, l->delta[i])) {
            const Sv *v = in->var[l->assigned[i]];
            out.var[l->assigned[i]] =
                cv_sv(c, SV_INT, gx_math(c, S3_ADD, v->x, total(c, l, l->delta[i]), l->n->span));
        }
    *yes = *no = out;
    return gx_bool(c, true);
}

// start + d * (rounds before the j-th); start is often what the first round would have added.
static Gx *in_round(Convert *c, Gx *start, Gx *d, Gx *j) {
    Span none = {0};
    if (start->op == GX_BINARY && start->text[0] == '+' && gx_equal(start->kid[1], d))
        return gx_math(c, S3_ADD, start->kid[0], gx_math(c, S3_MUL, d, j, none), none);
    Gx *before = gx_math(c, S3_SUB, j, gx_int(c, 1), none);
    return gx_math(c, S3_ADD, start, gx_math(c, S3_MUL, d, before, none), none);
}

// Rounds as long as x holds, which looks at variables that each round changes in the same way.
static Gx *going_on(Convert *c, Loop *l, Gx *x, const Env *in, const Env *stop, Env *yes, Env *no) {
    Span none = {0};
    if (l->count < 0)
        cv_fail(c, l->n->span, "a loop changes what it looks at, and its bounds are no numbers");
    Gx *i = gx_local(c, "i"), *j = gx_local(c, "j");
    Gx *held = gx_put(c, x, l->local, gx_math(c, S3_ADD, j, gx_int(c, l->low->value - 1), none));
    for (int k = 0; k < l->n_assigned; k++) {
        if (!l->carry[k] || (!gx_has(x, l->carry[k]) && !l->delta[k]))
            continue;
        const Sv *stopped = stop->var[l->assigned[k]];
        if (!l->delta[k] || any_carry(l, l->delta[k]) || gx_has(l->delta[k], l->local) ||
            l->delta[k]->live || stopped->kind != SV_INT || !gx_equal(stopped->x, l->carry[k]))
            cv_fail(c, l->n->span, "a loop looks at `$%s`, which it changes in a way of its own",
                    c->var[l->assigned[k]]);
        held =
            gx_put(c, held, l->carry[k], in_round(c, in->var[l->assigned[k]]->x, l->delta[k], j));
    }
    Gx *one = gx_int(c, 1);
    Gx *rounds = gx_range(c, "count", i, one, l->high, gx_range(c, "all", j, one, i, held));
    rounds->kid[2] = gx_int(c, l->count);
    Env out = *in;
    forget(c, l, &out);
    for (int k = 0; k < l->n_assigned; k++)
        if (l->carry[k] && l->delta[k])
            out.var[l->assigned[k]] =
                cv_sv(c, SV_INT,
                      gx_math(c, S3_ADD, in->var[l->assigned[k]]->x,
                              gx_math(c, S3_MUL, rounds, l->delta[k], none), none));
    *yes = *no = out;
    return gx_range(c, "all", j, one, gx_int(c, l->count), held);
}

// FORALL($V, first, last, NOT EMPTY("stack($V)")) and its like for a stack that is a number here.
static Gx *stack_test(Convert *c, const S3Node *n, const Loop *l, Env *env) {
    const S3Node *body = n->kid[3];
    bool filled = body->kind == S3_UNARY && body->op == S3_NOT;
    body = filled ? body->kid[0] : body;
    if (body->kind != S3_BUILT || body->op != S3_EMPTY || body->kids < 1 ||
        body->kid[0]->kind != S3_STRING)
        return NULL;
    const Sv *v = cv_eval(c, body->kid[0], env);
    int f = v->kind == SV_TEXT ? cv_find(c->place, c->places, v->text) : -1;
    if (f < 0 || c->place[f].role != R_COUNTER)
        return NULL;
    const Family *stack = &c->place[f];
    if (v->indices != 1 || !gx_equal(v->index[0], l->local) || l->count != stack->count ||
        l->low->value != stack->low[0] || !stack->variable)
        cv_fail(c, n->span, "the stack `%s` is not looked at as a whole", stack->base);
    Gx *in = cv_counter(c, stack), *size = gx_int(c, stack->count), *zero = gx_int(c, 0);
    if (l->all)
        return gx_math(c, S3_EQ, in, filled ? size : zero, n->span);
    return filled ? gx_math(c, S3_GT, in, zero, n->span) : gx_math(c, S3_LT, in, size, n->span);
}

static const S3Node *state_by_name(const S3Node *n) {
    if (n->kind == S3_BUILT && n->op == S3_STATE && n->kids == 1 && n->kid[0]->kind == S3_STRING)
        return n->kid[0];
    for (int i = 0; i < n->kids; i++) {
        const S3Node *found = state_by_name(n->kid[i]);
        if (found)
            return found;
    }
    return NULL;
}

int cv_whole_family(Convert *c, const S3Node *text, const char *var, Gx *low, Gx *high) {
    if (text->kind != S3_STRING || text->parts != 2 || strcmp(text->part[0].var, var) != 0 ||
        low->op != GX_INT || high->op != GX_INT)
        return -1;
    const char *key = arena_printf(c->arena, "%s%s", text->part[0].text, text->part[1].text);
    int f = cv_find(c->element, c->elements, key);
    if (f < 0 || c->element[f].arity != 1 || !c->element[f].complete || c->element[f].kind < 0 ||
        c->element[f].low[0] != low->value || c->element[f].high[0] != high->value)
        return -1;
    return f;
}

// Elements by name, all of a family: a quantifier over the pieces of that kind.
static Gx *by_name(Convert *c, const S3Node *body, const Loop *l, const Env *env) {
    S3Op split = l->all ? S3_AND : S3_OR;
    if (body->kind == S3_BINARY && body->op == split) {
        Gx *a = by_name(c, body->kid[0], l, env), *b = by_name(c, body->kid[1], l, env);
        return l->all ? gx_and(c, a, b) : gx_or(c, a, b);
    }
    const S3Node *name = state_by_name(body);
    int f = name ? cv_whole_family(c, name, l->n->kid[0]->name, l->low, l->high) : -1;
    if (f < 0)
        cv_fail(c, body->span, "elements are looked up by their names, and not a whole family");
    if (l->all)
        cv_fail(c, body->span, "the state of all elements is asked for, also off the board");
    Gx *cell = gx_local(c, "c");
    c->named = c->element[f].key;
    c->named_index = l->local;
    c->named_cell = cell;
    Env yes, no;
    Gx *x = cv_cond(c, body, env, &yes, &no);
    c->named = NULL;
    if (gx_has(x, l->local))
        cv_fail(c, body->span, "the numbers of elements are looked at, not only their states");
    bool plain = x->op == GX_BINARY && strcmp(x->text, "==") == 0 && x->kid[1]->op == GX_INT &&
                 x->kid[1]->value >= 0 && x->kid[1]->value < 64;
    c->states_asked |= plain ? 1ull << x->kid[1]->value : ~0ull;
    return gx_each(c, "some", cell, cv_kind_set(c, c->element[f].kind), x);
}

void cv_named_check(Convert *c) {
    bool leave = false;
    uint64_t given = c->states_given;
    for (int i = 0; i < c->places; i++)
        leave |= c->place[i].role == R_COUNTER || c->place[i].role == R_SUPPLY;
    for (int i = 0; i < c->file->elements; i++) {
        int state = c->file->element[i].state;
        given |= 1ull << (state >= 0 && state < 64 ? state : 0);
    }
    if (c->states_asked && leave && (c->loose || (c->states_asked & given)))
        cv_fail(c, (Span){0}, "the states of elements off the board play a part");
}

Gx *cv_loop(Convert *c, const S3Node *n, const Env *in, Env *yes, Env *no) {
    Loop *l = ARENA_NEW(c->arena, Loop);
    l->n = n;
    l->all = n->op == S3_FORALL;
    Env env = *in, y, stop;
    cv_bounds(c, n, &env, &l->low, &l->high);
    bool numbers = l->low->op == GX_INT && l->high->op == GX_INT;
    l->count = numbers ? l->high->value - l->low->value + 1 : -1;
    const char *name = n->kid[0]->name;
    l->local = gx_local(c, cv_lower(c, name));
    int v = cv_var(c, name);
    env.var[v] = cv_sv(c, SV_INT, l->local);
    Gx *x = stack_test(c, n, l, &env);
    if (!x && state_by_name(n->kid[3]) && !state_by_name(n->kid[3])->part[0].var)
        x = NULL;
    if (!x && state_by_name(n->kid[3]))
        x = by_name(c, n->kid[3], l, &env);
    Env before = env;
    before.var[v] = in->var[v];
    assigned_in(c, n->kid[3], l, 0);
    if (x) {
        forget(c, l, &before);
        *yes = *no = before;
        return x;
    }
    for (int i = 0; i < l->n_assigned; i++) {
        const Sv *old = env.var[l->assigned[i]];
        if (!old || old->kind != SV_INT || l->assigned[i] == v)
            continue;
        l->carry[i] = gx_local(c, cv_lower(c, c->var[l->assigned[i]]));
        env.var[l->assigned[i]] = cv_sv(c, SV_INT, l->carry[i]);
    }
    x = cv_cond(c, n->kid[3], &env, &y, &stop);
    for (int i = 0; i < l->n_assigned; i++) {
        const Sv *now = y.var[l->assigned[i]];
        if (l->carry[i] && now && now->kind == SV_INT)
            l->delta[i] = delta(c, now->x, l->carry[i]);
    }
    if (l->all && gx_is(x, true))
        return adding(c, l, &before, yes, no);
    bool carried = any_carry(l, x);
    for (int i = 0; i < l->n_assigned; i++) // a counter, for whoever reads it later
        carried |= l->carry[i] && l->delta[i] && !gx_is(x, true) &&
                   !(l->delta[i]->op == GX_INT && l->delta[i]->value == 0) && l->all;
    if (carried && !l->all)
        cv_fail(c, n->span, "a loop looks at what it changes");
    if (carried)
        return going_on(c, l, x, &before, &stop, yes, no);
    forget(c, l, &before);
    *yes = *no = before;
    Env *end = l->all ? yes : no; // here the loop ran to its end
    if (n->kid[2]->kind == S3_INT)
        end->var[v] = cv_sv(c, SV_INT, gx_int(c, n->kid[2]->value));
    if (x->op == GX_BOOL)
        return x;
    return quantifier(c, l->all ? "all" : "some", l, x);
}
