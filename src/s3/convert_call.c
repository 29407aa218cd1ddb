// convert_call: named expressions become definitions. The parameters of a definition are those of
// the author and whatever else its expression depends on: chosen cells, numbers of a loop.
#include "s3/convert_parts.h"

#include <string.h>

typedef struct Call {
    const S3Function *f;
    const S3Node *n;
    Gx *formal[CV_PARAMS], *actual[CV_PARAMS];
    int formals;
} Call;

void cv_enter(Convert *c, int function, Span at) {
    for (int i = 0; i < c->depth; i++)
        if (c->calls[i] == function)
            cv_fail(c, at, "`%s` calls itself", c->file->function[function].name);
    if (c->depth == CV_DEPTH)
        cv_fail(c, at, "named expressions are too deep inside each other");
    c->calls[c->depth++] = function;
}

void cv_leave(Convert *c) {
    c->depth--;
}

static Gx *renamed(Convert *c, Gx *body, Gx **from, Gx **to, int n) {
    for (int i = 0; i < n; i++)
        body = gx_put(c, body, from[i], to[i]);
    return body;
}

const char *cv_let(Convert *c, const char *wish, Gx **param, int params, Gx *body) {
    for (int i = 0; i < c->lets; i++) {
        Let *l = &c->let[i];
        if (l->params == params && gx_equal(renamed(c, body, param, l->param, params), l->body))
            return l->name;
    }
    if (c->lets == CV_LETS)
        cv_fail(c, (Span){0}, "there would be too many definitions");
    Let *l = &c->let[c->lets++];
    *l = (Let){.name = cv_name(c, cv_lower(c, wish)), .params = params, .body = body};
    for (int i = 0; i < params; i++)
        l->param[i] = param[i];
    return l->name;
}

static bool trivial(const Gx *x) {
    if (x->op == GX_INT || x->op == GX_BOOL || x->op == GX_BY_ME || x->op == GX_LOCAL ||
        x->op == GX_WORD)
        return true;
    if (x->op != GX_CALL)
        return false;
    for (int i = 0; i < x->kids; i++)
        if (!trivial(x->kid[i]))
            return false;
    return true;
}

static void sort_locals(Gx **local, int n) {
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && local[k]->value < local[k - 1]->value; k--) {
            Gx *swap = local[k];
            local[k] = local[k - 1];
            local[k - 1] = swap;
        }
}

// The definition of x: what it depends on, in the order of creation; chosen cells come first and
// the author's parameters last.
static Gx *named(Convert *c, const char *wish, Gx *x) {
    Gx *param[CV_PARAMS];
    int n = gx_free(x, param, 0);
    if (n == CV_PARAMS)
        cv_fail(c, (Span){0}, "`%s` depends on too much", wish);
    sort_locals(param, n);
    const char *name = cv_let(c, wish, param, n, x);
    return gx_call(c, name, n, param, x->live);
}

Gx *cv_named(Convert *c, const char *wish, Gx *body) {
    return trivial(body) ? body : named(c, wish, body);
}

static const Sv *put_sv(Convert *c, const Sv *v, const Call *call) {
    if (!v || v->kind == SV_LOST || call->formals == 0)
        return v;
    Sv *copy = ARENA_NEW(c->arena, Sv);
    *copy = *v;
    copy->index = v->indices ? ARENA_ARRAY(c->arena, Gx *, v->indices) : NULL;
    for (int k = call->formals - 1; k >= 0; k--)
        if (copy->x)
            copy->x = gx_put(c, copy->x, call->formal[k], call->actual[k]);
    for (int i = 0; i < v->indices; i++) {
        copy->index[i] = v->index[i];
        for (int k = call->formals - 1; k >= 0; k--)
            copy->index[i] = gx_put(c, copy->index[i], call->formal[k], call->actual[k]);
    }
    return copy;
}

static void put_env(Convert *c, Env *env, const Env *in, const Call *call) {
    for (int i = 0; i < CV_VARS; i++)
        if (env->var[i] != in->var[i])
            env->var[i] = put_sv(c, env->var[i], call);
}

static void arguments(Convert *c, Call *call, Env *env, bool abstract) {
    for (int i = 0; i < call->f->params; i++) {
        const Sv *v = cv_eval(c, call->n->kid[i], env);
        if (abstract && v->kind == SV_TEXT && v->indices == 0 && c->types_asked) {
            Gx *type = cv_type_value(c, v, call->n->span);
            v = type ? cv_sv(c, SV_TYPE, type) : v;
        }
        bool value = (v->kind == SV_INT && v->x->op != GX_BY_ME) || v->kind == SV_TYPE;
        if (abstract && value && call->formals < CV_PARAMS) {
            call->actual[call->formals] = v->x;
            Gx *local = gx_local(c, cv_lower(c, call->f->param[i]));
            call->formal[call->formals++] = local;
            v = cv_sv(c, v->kind, local);
        }
        env->var[cv_var(c, call->f->param[i])] = v;
    }
}

// The lines of the body: all of them must hold, or the last one has the value.
static const Sv *lines(Convert *c, const Call *call, Env *env, Env *yes, Env *no) {
    Gx *all = gx_bool(c, true);
    bool failed = false;
    for (int i = 0; i < call->f->lines; i++) {
        const S3Node *line = call->f->line[i];
        Env y, n;
        const Sv *v;
        if (line->kind == S3_CALL) {
            v = cv_call(c, line, env, &y, &n);
        } else {
            // A variable, a number or a text has a value of its own; all else is tried as a
            // condition.
            bool value = line->kind == S3_VAR || line->kind == S3_INT || line->kind == S3_STRING ||
                         (line->kind == S3_BINARY && line->op >= S3_ADD && line->op <= S3_MOD) ||
                         (line->kind == S3_UNARY && line->op != S3_NOT) ||
                         (line->kind == S3_BUILT && line->op >= S3_LOCTYPE &&
                          line->op <= S3_ZINDEX && line->op != S3_EMPTY);
            y = *env;
            v = value ? cv_eval(c, line, &y) : cv_sv(c, SV_BOOL, cv_cond(c, line, env, &y, &n));
            if (value)
                n = y;
        }
        *env = y;
        if (v->kind != SV_BOOL) {
            if (i < call->f->lines - 1)
                continue;
            if (!gx_is(all, true))
                cv_fail(c, line->span, "`%s` is sometimes false and sometimes a value",
                        call->f->name);
            *yes = *no = y;
            return v;
        }
        if (!gx_is(v->x, true)) {
            if (failed)
                cv_merge(c, all, &n, no, no);
            else
                *no = n;
            failed = true;
        }
        all = gx_and(c, all, v->x);
        if (gx_is(v->x, false))
            break;
    }
    *yes = *env;
    if (!failed)
        *no = *env;
    return cv_sv(c, SV_BOOL, all);
}

static const Sv *follow(Convert *c, const S3Node *n, const Env *in, Env *yes, Env *no,
                        bool abstract) {
    Call call = {.f = &c->file->function[n->function], .n = n};
    Env env = *in;
    arguments(c, &call, &env, abstract);
    cv_enter(c, n->function, n->span);
    const Sv *v = lines(c, &call, &env, yes, no);
    cv_leave(c);
    if ((v->kind == SV_INT || v->kind == SV_BOOL || v->kind == SV_TYPE) && !trivial(v->x))
        v = cv_sv(c, v->kind, named(c, call.f->name, v->x));
    put_env(c, yes, in, &call);
    put_env(c, no, in, &call);
    return put_sv(c, v, &call);
}

// With parameters in place of the arguments if that works, else with the arguments as they are.
static const Sv *attempt(Convert *c, const S3Node *n, const Env *in, Env *yes, Env *no) {
    jmp_buf here, *outer = c->trap;
    int depth = c->depth, lets = c->lets, names = c->taken_count, nesting = c->nesting;
    const Sv *v = NULL;
    if (setjmp(here) == 0) {
        c->trap = &here;
        v = follow(c, n, in, yes, no, true);
        c->trap = outer;
        return v;
    }
    c->trap = outer;
    c->depth = depth;
    c->lets = lets;
    c->taken_count = names;
    c->nesting = nesting;
    return NULL;
}

const Sv *cv_call(Convert *c, const S3Node *n, const Env *in, Env *yes, Env *no) {
    if (n->function < 0)
        cv_fail(c, n->span, "there is no expression `%s`", n->name);
    const S3Function *f = &c->file->function[n->function];
    if (f->params != n->kids || f->lines == 0)
        cv_fail(c, n->span, "`%s` has %d parameters and %d lines", n->name, f->params, f->lines);
    const Sv *v = f->params ? attempt(c, n, in, yes, no) : NULL;
    return v ? v : follow(c, n, in, yes, no, false);
}
