// convert_do: followups, the S3 expressions that change the position, become statements.
#include "s3/convert_parts.h"

#include <string.h>

enum { TURN_SETTLED = -2 }; // `again` was said where it is needed

bool cv_effect(const Convert *c, const S3Node *n, int depth) {
    if (!n || depth > CV_DEPTH)
        return false;
    if (n->kind == S3_BUILT && n->op >= S3_MOVE)
        return true;
    if (n->kind == S3_CALL && n->function >= 0) {
        const S3Function *f = &c->file->function[n->function];
        for (int i = 0; i < f->lines; i++)
            if (cv_effect(c, f->line[i], depth + 1))
                return true;
    }
    for (int i = 0; i < n->kids; i++)
        if (cv_effect(c, n->kid[i], depth + 1))
            return true;
    return false;
}

St *cv_st(Convert *c, StWhat what, Gx *a, Gx *b, St ***tail) {
    St *s = ARENA_NEW(c->arena, St);
    s->what = what;
    s->a = a;
    s->b = b;
    **tail = s;
    *tail = &s->next;
    return s;
}

void cv_stale(Convert *c, Env *env) {
    for (int i = 0; i < CV_VARS; i++) {
        const Sv *v = env->var[i];
        if (!v || v->kind == SV_LOST)
            continue;
        bool live = v->kind != SV_AT && v->x && v->x->live;
        for (int k = 0; k < v->indices; k++)
            live |= v->index[k]->live;
        if (live) {
            env->var[i] = cv_lost(c, "it was worked out before the position changed");
        } else if (v->kind == SV_AT && !v->old) {
            Sv *old = ARENA_NEW(c->arena, Sv);
            *old = *v;
            old->old = true;
            env->var[i] = old;
        }
    }
}

// What runs after v: all of `run` if v holds. Both ways meet again afterwards.
typedef Gx *Run(Convert *c, const void *what, int from, Env *env, St ***tail);

static void meet(Convert *c, Gx *cond, Env *a, St ***a_tail, Env *b, St ***b_tail, Env *out) {
    int turn = a->turn;
    if (a->turn != b->turn) {
        bool plain = (a->turn == 0 || a->turn == 1 || a->turn == TURN_SETTLED) &&
                     (b->turn == 0 || b->turn == 1 || b->turn == TURN_SETTLED);
        if (!plain)
            cv_fail(c, (Span){0}, "who is on move next depends on too much");
        if (a->turn == 0)
            cv_st(c, DO_AGAIN, NULL, NULL, a_tail);
        if (b->turn == 0)
            cv_st(c, DO_AGAIN, NULL, NULL, b_tail);
        turn = TURN_SETTLED;
    }
    cv_merge(c, cond && !cond->live ? cond : NULL, a, b, out);
    out->turn = turn;
}

static Gx *guarded(Convert *c, Gx *v, Run *run, const void *what, int from, Env *env, St ***tail) {
    if (gx_is(v, true))
        return run(c, what, from, env, tail);
    if (gx_is(v, false))
        return v;
    St *branch = cv_st(c, DO_IF, v, NULL, tail);
    Env yes = *env, no = *env;
    St **body = &branch->body, **other = &branch->other;
    Gx *rest = run(c, what, from, &yes, &body);
    meet(c, v, &yes, &body, &no, &other, env);
    return gx_is(rest, true) && !v->live ? v : gx_word(c, "?", true);
}

static Gx *run_node(Convert *c, const void *what, int from, Env *env, St ***tail) {
    (void)from;
    return cv_do(c, what, env, tail);
}

static Gx *run_lines(Convert *c, const void *what, int from, Env *env, St ***tail) {
    const S3Function *f = what;
    if (from == f->lines)
        return gx_bool(c, true);
    Gx *v = cv_do(c, f->line[from], env, tail);
    if (v->op == GX_WORD && v->text[0] == '?' && from < f->lines - 1)
        cv_fail(c, f->line[from]->span, "what follows depends on what happened here");
    if (from == f->lines - 1)
        return v;
    return guarded(c, v, run_lines, what, from + 1, env, tail);
}

static Gx *call(Convert *c, const S3Node *n, Env *env, St ***tail) {
    if (n->function < 0 || c->file->function[n->function].params != n->kids)
        cv_fail(c, n->span, "`%s` cannot be called like this", n->name);
    const S3Function *f = &c->file->function[n->function];
    for (int i = 0; i < f->params; i++) {
        const Sv *v = cv_eval(c, n->kid[i], env);
        env->var[cv_var(c, f->param[i])] = v;
    }
    cv_enter(c, n->function, n->span);
    Gx *v = run_lines(c, f, 0, env, tail);
    cv_leave(c);
    return v;
}

static Gx *choice(Convert *c, const S3Node *n, Env *env, St ***tail) {
    Env yes, no;
    Gx *cond = cv_cond(c, n->kid[0], env, &yes, &no);
    if (cond->op == GX_BOOL) {
        *env = cond->value ? yes : no;
        return cv_do(c, n->kid[cond->value ? 1 : 2], env, tail);
    }
    St *branch = cv_st(c, DO_IF, cond, NULL, tail);
    St **body = &branch->body, **other = &branch->other;
    Gx *a = cv_do(c, n->kid[1], &yes, &body), *b = cv_do(c, n->kid[2], &no, &other);
    meet(c, cond, &yes, &body, &no, &other, env);
    return gx_is(a, true) && gx_is(b, true) ? a : gx_word(c, "?", true);
}

static Gx *set_state(Convert *c, const S3Node *n, Gx *cell, Env *env, St ***tail) {
    Gx *state = cv_int(c, n->kid[1], env);
    if (state->op == GX_INT && (state->value < c->state_low || state->value > c->state_high))
        cv_fail(c, n->span, "there is no state %d", (int)state->value);
    cv_st(c, DO_SET, gx_call1(c, c->state_name, cell, true), state, tail);
    cv_stale(c, env);
    return gx_bool(c, true);
}

// FORALL($E, first, last, SETSTATE("b($E)", 3))
static Gx *set_all(Convert *c, const S3Node *n, Env *env, St ***tail) {
    const S3Node *set = n->kid[3];
    Gx *low, *high;
    cv_bounds(c, n, env, &low, &high);
    int f = cv_whole_family(c, set->kid[0], n->kid[0]->name, low, high);
    if (f < 0)
        cv_fail(c, n->span, "the elements are not a whole family");
    Gx *cell = gx_local(c, "c");
    St *each = cv_st(c, DO_EACH, cell, cv_kind_set(c, c->element[f].kind), tail);
    St **body = &each->body;
    set_state(c, set, cell, env, &body);
    const Gx *value = each->body->b;
    c->states_given |= value->op == GX_INT && value->value < 64 ? 1ull << value->value : ~0ull;
    c->unset &= ~(1ull << c->element[f].kind);
    env->var[cv_var(c, n->kid[0]->name)] = cv_lost(c, "a loop ran with it");
    return gx_bool(c, true);
}

// FORSOME($S, first, last, MOVE(element, "place", "stack($S)")): the first free place of a stack.
static Gx *push(Convert *c, const S3Node *n, Env *env, St ***tail) {
    const S3Node *move = n->kid[3];
    Gx *low, *high;
    cv_bounds(c, n, env, &low, &high);
    Gx *local = gx_local(c, "place");
    int depth = c->depth;
    env->var[cv_var(c, n->kid[0]->name)] = cv_sv(c, SV_INT, local);
    while (move->kind == S3_CALL && move->function >= 0 &&
           c->file->function[move->function].lines == 1 &&
           c->file->function[move->function].params == move->kids) {
        const S3Function *f = &c->file->function[move->function];
        for (int i = 0; i < f->params; i++) {
            const Sv *v = cv_eval(c, move->kid[i], env);
            env->var[cv_var(c, f->param[i])] = v;
        }
        cv_enter(c, move->function, move->span);
        move = f->line[0];
    }
    c->depth = depth;
    if (move->kind != S3_BUILT || move->op != S3_MOVE || move->kids < 3)
        cv_fail(c, n->span, "`FORSOME` with effects other than one `MOVE` to a stack");
    const Sv *element = cv_eval(c, move->kid[0], env);
    Gx *cell = cv_cell_of(c, move->kid[1], env);
    const Sv *to = cv_eval(c, move->kid[2], env);
    Family *f = (Family *)(uintptr_t)cv_place_of(c, to, move->kid[2]->span);
    if (f->role != R_COUNTER || !gx_equal(to->index[0], local) || low->op != GX_INT ||
        high->op != GX_INT || low->value != f->low[0] || high->value != f->high[0])
        cv_fail(c, n->span, "`MOVE` in a loop, and not to the free places of a whole stack");
    if (element->kind != SV_TEXT && (element->kind != SV_AT || !gx_equal(element->x, cell)))
        cv_fail(c, move->span, "it is not clear that the element stands there");
    if (!f->ended && f->count < c->file->elements)
        cv_fail(c, n->span, "the stack `%s` could become full", f->base);
    cv_st(c, DO_REMOVE, cell, NULL, tail);
    if (f->variable)
        cv_st(c, DO_ADD, cv_counter(c, f), gx_int(c, 1), tail);
    c->unset = (1ull << c->kinds) - 1;
    cv_stale(c, env);
    env->var[cv_var(c, n->kid[0]->name)] = cv_lost(c, "a loop ran with it");
    return gx_bool(c, true);
}

// Any other loop whose rounds all hold.
static Gx *repeat(Convert *c, const S3Node *n, Env *env, St ***tail) {
    Gx *low, *high;
    cv_bounds(c, n, env, &low, &high);
    if (low->op != GX_INT || high->op != GX_INT || n->kid[1]->kind != S3_INT ||
        n->kid[1]->value != low->value)
        cv_fail(c, n->span, "a loop with effects whose bounds are no rising numbers");
    Gx *local = gx_local(c, cv_lower(c, n->kid[0]->name));
    St *loop = cv_st(c, DO_RANGE, local, low, tail);
    loop->c = high;
    St **body = &loop->body;
    cv_stale(c, env);
    Env round = *env;
    round.var[cv_var(c, n->kid[0]->name)] = cv_sv(c, SV_INT, local);
    Env before = round;
    Gx *v = cv_do(c, n->kid[3], &round, &body);
    bool changed = round.turn != env->turn;
    for (int i = 0; i < CV_VARS; i++)
        changed |= round.var[i] != before.var[i];
    if (!gx_is(v, true) || changed)
        cv_fail(c, n->span, "a loop whose rounds depend on each other");
    env->var[cv_var(c, n->kid[0]->name)] = cv_lost(c, "a loop ran with it");
    return v;
}

static Gx *built(Convert *c, const S3Node *n, Env *env, St ***tail) {
    if (n->kids < s3_op_arguments(n->op))
        cv_fail(c, n->span, "`%s` has too few arguments", s3_op_name(n->op));
    switch (n->op) {
    case S3_NEXTPLAYER:
        if (env->turn < 0)
            cv_fail(c, n->span, "who is on move next depends on too much");
        env->turn++;
        return gx_bool(c, true);
    case S3_IF: return choice(c, n, env, tail);
    case S3_FORSOME: return push(c, n, env, tail);
    case S3_FORALL:
        if (n->kid[3]->kind == S3_BUILT && n->kid[3]->op == S3_SETSTATE && n->kid[3]->kids == 2 &&
            n->kid[3]->kid[0]->kind == S3_STRING)
            return set_all(c, n, env, tail);
        return repeat(c, n, env, tail);
    case S3_SETSTATE: {
        const Sv *v = cv_eval(c, n->kid[0], env);
        if (v->kind != SV_AT || v->old)
            cv_fail(c, n->span, "`SETSTATE` of an element by its name");
        return set_state(c, n, v->x, env, tail);
    }
    case S3_MOVE: {
        const Sv *to = cv_eval(c, n->kid[2], env);
        if (cv_place_of(c, to, n->span)->role == R_SWITCH)
            return gx_bool(c, true); // its place is who is on move: nobody asks
        cv_fail(c, n->span, "`MOVE` to a single place");
    }
    default: cv_fail(c, n->span, "`%s` has nothing like it here", s3_op_name(n->op));
    }
}

static Gx *pure(Convert *c, const S3Node *n, Env *env) {
    Env yes, no;
    if (n->kind == S3_VAR || n->kind == S3_INT || n->kind == S3_STRING) {
        cv_eval(c, n, env);
        return gx_bool(c, true);
    }
    if (n->kind == S3_CALL) {
        const Sv *v = cv_call(c, n, env, &yes, &no);
        *env = yes;
        return v->kind == SV_BOOL ? v->x : gx_bool(c, true);
    }
    Gx *x = cv_cond(c, n, env, &yes, &no);
    if (x->op == GX_BOOL)
        *env = x->value ? yes : no;
    else
        cv_merge(c, x->live ? NULL : x, &yes, &no, env);
    return x;
}

Gx *cv_do(Convert *c, const S3Node *n, Env *env, St ***tail) {
    if (!cv_effect(c, n, 0))
        return pure(c, n, env);
    switch (n->kind) {
    case S3_CALL: return call(c, n, env, tail);
    case S3_BUILT: return built(c, n, env, tail);
    case S3_BINARY: {
        if (n->op != S3_AND && n->op != S3_OR)
            break;
        Gx *a = cv_do(c, n->kid[0], env, tail);
        if (a->op == GX_WORD && a->text[0] == '?')
            cv_fail(c, n->span, "what follows depends on what happened here");
        if (n->op == S3_AND)
            return guarded(c, a, run_node, n->kid[1], 0, env, tail);
        if (gx_is(a, true))
            return a;
        guarded(c, gx_not(c, a), run_node, n->kid[1], 0, env, tail);
        return n->kid[1]->kind == S3_BOOL && n->kid[1]->value ? gx_bool(c, true)
                                                              : gx_word(c, "?", true);
    }
    default: break;
    }
    cv_fail(c, n->span, "an effect inside an expression");
}
