// convert_eval: S3 expressions followed symbolically, without effects on the position.
#include "s3/convert_parts.h"

#include <stdarg.h>
#include <string.h>

void cv_fail(Convert *c, Span at, const char *format, ...) {
    Text t = {0};
    va_list args;
    va_start(args, format);
    text_vf(&t, format, args);
    va_end(args);
    c->reason = arena_printf(c->arena, "%s", text_c(&t));
    c->reason_at = at;
    text_free(&t);
    longjmp(*c->trap, 1);
}

int cv_var(Convert *c, const char *name) {
    for (int i = 0; i < c->vars; i++)
        if (strcmp(c->var[i], name) == 0)
            return i;
    if (c->vars == CV_VARS)
        cv_fail(c, (Span){0}, "the file has too many variables");
    c->var[c->vars] = name;
    return c->vars++;
}

const char *cv_lower(Convert *c, const char *name) {
    char *s = arena_text(c->arena, name, strlen(name));
    bool capitals = true; // a name of capitals only becomes small, others lose their first
    for (char *p = s; *p; p++)
        capitals &= !(*p >= 'a' && *p <= 'z');
    for (char *p = s; *p && (capitals || p == s); p++)
        if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p - 'A' + 'a');
    return s;
}

const Sv *cv_sv(Convert *c, SvKind kind, Gx *x) {
    Sv *v = ARENA_NEW(c->arena, Sv);
    v->kind = kind;
    v->x = x;
    return v;
}

const Sv *cv_lost(Convert *c, const char *why) {
    Sv *v = ARENA_NEW(c->arena, Sv);
    v->kind = SV_LOST;
    v->text = why;
    return v;
}

static bool same_sv(const Sv *a, const Sv *b) {
    if (a == b)
        return true;
    if (!a || !b || a->kind != b->kind || a->indices != b->indices || a->old != b->old ||
        (a->x && b->x ? !gx_equal(a->x, b->x) : a->x != b->x) || a->kind == SV_LOST ||
        (a->text && b->text ? strcmp(a->text, b->text) != 0 : a->text != b->text))
        return false;
    for (int i = 0; i < a->indices; i++)
        if (!gx_equal(a->index[i], b->index[i]))
            return false;
    return true;
}

void cv_merge(Convert *c, Gx *cond, const Env *a, const Env *b, Env *out) {
    Env merged = *a;
    for (int i = 0; i < CV_VARS; i++) {
        const Sv *x = a->var[i], *y = b->var[i];
        if (same_sv(x, y))
            continue;
        if (x && y && cond && x->kind == y->kind && (x->kind == SV_INT || x->kind == SV_BOOL) &&
            x->x->op != GX_BY_ME && y->x->op != GX_BY_ME)
            merged.var[i] = cv_sv(c, x->kind, gx_if(c, cond, x->x, y->x));
        else
            merged.var[i] = cv_lost(c, "its value depends on how the rules came here");
    }
    if (a->turn != b->turn)
        merged.turn = -1;
    *out = merged;
}

static const Sv *name_value(Convert *c, const S3Node *n, Env *env) {
    Gx **index = ARENA_ARRAY(c->arena, Gx *, 32);
    int indices = 0;
    Text key = {0};
    bool digits = false;
    for (int i = 0; i < n->parts; i++) {
        for (const char *p = n->part[i].text; *p;) {
            digits = *p >= '0' && *p <= '9';
            if (!digits) {
                text_char(&key, *p++);
                continue;
            }
            int32_t v = 0;
            for (; *p >= '0' && *p <= '9'; p++)
                v = v < 1000000 ? v * 10 + (*p - '0') : v;
            if (indices < 31)
                index[indices++] = gx_int(c, v);
        }
        if (!n->part[i].var)
            break;
        const Sv *v = env->var[cv_var(c, n->part[i].var)];
        const char *next = n->part[i + 1].text;
        if (!v || v->kind != SV_INT || digits || (*next >= '0' && *next <= '9') || indices > 30) {
            text_free(&key);
            cv_fail(c, n->span, "`$%s` in the name is no number that is known here%s%s",
                    n->part[i].var, v && v->kind == SV_LOST ? ": " : "",
                    v && v->kind == SV_LOST ? v->text : "");
        }
        index[indices++] = v->x;
        digits = false;
    }
    Sv *v = ARENA_NEW(c->arena, Sv);
    v->kind = SV_TEXT;
    v->text = arena_printf(c->arena, "%s", text_c(&key));
    v->index = index;
    v->indices = indices;
    text_free(&key);
    return v;
}

const Family *cv_place_of(Convert *c, const Sv *v, Span at) {
    int i = v->kind == SV_TEXT ? cv_find(c->place, c->places, v->text) : -1;
    if (i < 0 || c->place[i].arity != v->indices)
        cv_fail(c, at, "this names no family of places");
    return &c->place[i];
}

Gx *cv_cell_of(Convert *c, const S3Node *n, Env *env) {
    const Sv *v = cv_eval(c, n, env);
    const Family *f = cv_place_of(c, v, n->span);
    if (f->role != R_MAIN)
        cv_fail(c, n->span, "the rules look at single places of `%s`, which is off the board",
                f->base);
    return cv_cell(c, f, v->index);
}

// The type with that name as a value; NULL if no piece on the board has it.
Gx *cv_type_value(Convert *c, const Sv *v, Span at) {
    if (v->kind == SV_TYPE)
        return v->x;
    if (v->kind != SV_TEXT)
        cv_fail(c, at, "a type is compared with something else");
    if (v->text[0] == '\0' && v->indices == 0)
        return gx_word(c, "none", false);
    for (int i = 0; i < c->kinds; i++) {
        const Family *f = &c->element[c->kind[i].family];
        if (f->type >= 0 && v->indices == 0 &&
            strcmp(c->file->look->piece[f->type].name, v->text) == 0)
            return c->merged ? cv_player(c, c->kind[i].player) : gx_word(c, c->kind[i].name, false);
    }
    return NULL;
}

// owner(x) == me   is   x in mine
static Gx *same_type(Convert *c, Gx *a, Gx *b) {
    if (a->op == GX_WORD)
        return b->op == GX_WORD ? gx_same_value(c, a, b, true) : same_type(c, b, a);
    if (b->op == GX_WORD && a->op == GX_CALL && a->kids == 1 &&
        strcmp(a->text, c->merged ? "owner" : "piece") == 0) {
        if (strcmp(b->text, "none") == 0)
            return gx_not(c, gx_in(c, a->kid[0], gx_word(c, "occupied", true)));
        if (!c->merged)
            return gx_in(c, a->kid[0], gx_word(c, b->text, true));
        if (strcmp(b->text, "me") == 0)
            return gx_in(c, a->kid[0], gx_word(c, "mine", true));
        if (strcmp(b->text, "opponent") == 0)
            return gx_in(c, a->kid[0], gx_word(c, "theirs", true));
    }
    return gx_same_value(c, a, b, true);
}

static bool is_state(const Convert *c, const Gx *x) {
    return x->op == GX_CALL && c->states && strcmp(x->text, c->state_name) == 0;
}

static Gx *same_owner(Convert *c, const Sv *owner, const Sv *other, Span at) {
    if (other->kind == SV_OWNER)
        return gx_same_value(c, owner->x, other->x, true);
    if (other->kind != SV_INT || !c->merged)
        cv_fail(c, at, "an owner is compared with something else");
    if (other->x->op == GX_INT && other->x->value >= 1 && other->x->value <= c->players)
        return same_type(c, owner->x, cv_player(c, other->x->value));
    bool me = other->x->op == GX_BY_ME;
    for (int i = 0; me && i < c->players; i++)
        me = other->x->by[i] == i + 1;
    if (!me)
        cv_fail(c, at, "an owner is compared with something else");
    return same_type(c, owner->x, gx_word(c, "me", false));
}

static Gx *equal(Convert *c, const Sv *a, const Sv *b, Span at) {
    if (a->kind == SV_INT && b->kind == SV_INT)
        return gx_math(c, S3_EQ, a->x, b->x, at);
    if (a->kind == SV_OWNER || b->kind == SV_OWNER)
        return a->kind == SV_OWNER ? same_owner(c, a, b, at) : same_owner(c, b, a, at);
    if (a->kind == SV_TYPE || b->kind == SV_TYPE) {
        Gx *x = cv_type_value(c, a, at), *y = cv_type_value(c, b, at);
        return x && y ? same_type(c, x, y) : gx_bool(c, false);
    }
    if (a->kind == SV_BOOL && b->kind == SV_BOOL)
        return gx_if(c, a->x, b->x, gx_not(c, b->x));
    const Sv *at_cell = a->kind == SV_AT ? a : b, *text = a->kind == SV_AT ? b : a;
    if (at_cell->kind == SV_AT && text->kind == SV_TEXT && text->text[0] == '\0')
        return gx_not(c, gx_in(c, at_cell->x, gx_word(c, "occupied", true)));
    if (a->kind == SV_AT && b->kind == SV_AT && !a->old && !b->old)
        return gx_same_value(c, a->x, b->x, true);
    if (a->kind == SV_TEXT && b->kind == SV_TEXT) {
        Gx *all = gx_bool(c, strcmp(a->text, b->text) == 0 && a->indices == b->indices);
        for (int i = 0; i < a->indices && i < b->indices; i++)
            all = gx_and(c, all, gx_math(c, S3_EQ, a->index[i], b->index[i], at));
        return all;
    }
    cv_fail(c, at, "values of different kinds are compared");
}

static Gx *compare(Convert *c, const S3Node *n, Env *env) {
    const Sv *a = cv_eval(c, n->kid[0], env), *b = cv_eval(c, n->kid[1], env);
    bool numbers = a->kind == SV_INT && b->kind == SV_INT;
    // Where nothing stands the state is -1 there and 0 here: the same against 1 and more.
    if (numbers && (is_state(c, a->x) || is_state(c, b->x))) {
        const Gx *other = is_state(c, a->x) ? b->x : a->x;
        if (is_state(c, other) ? n->op > S3_NE
                               : other->op != GX_BY_ME && (other->op != GX_INT || other->value < 1))
            cv_fail(c, n->span, "the state of what may be missing is compared");
    }
    if (n->op == S3_EQ || n->op == S3_NE) {
        Gx *x = equal(c, a, b, n->span);
        return n->op == S3_EQ ? x : gx_not(c, x);
    }
    if (!numbers)
        cv_fail(c, n->span, "what `%s` compares are no numbers", s3_op_name(n->op));
    return gx_math(c, n->op, a->x, b->x, n->span);
}

Gx *cv_int(Convert *c, const S3Node *n, Env *env) {
    const Sv *v = cv_eval(c, n, env);
    if (v->kind != SV_INT)
        cv_fail(c, n->span, "this is no number");
    return v->x;
}

static Gx *member(Convert *c, const S3Node *n, Env *env) {
    const S3Node *set = n->kid[1];
    if (set->kind != S3_SET)
        cv_fail(c, n->span, "sets are only known where they are written out");
    const Sv *v = cv_eval(c, n->kid[0], env);
    Gx *any = gx_bool(c, false);
    for (int i = 0; i < set->kids; i++)
        any = gx_or(c, any, equal(c, v, cv_eval(c, set->kid[i], env), n->span));
    return any;
}

static void need(Convert *c, const S3Node *n, int kids) {
    if (n->kids < kids)
        cv_fail(c, n->span, "`%s` has too few arguments", s3_op_name(n->op));
}

static Gx *built_cond(Convert *c, const S3Node *n, const Env *in, Env *yes, Env *no) {
    need(c, n, s3_op_arguments(n->op));
    if (n->op == S3_FORALL || n->op == S3_FORSOME)
        return cv_loop(c, n, in, yes, no);
    if (n->op == S3_EMPTY) {
        *yes = *in;
        Gx *cell = cv_cell_of(c, n->kid[0], yes);
        *no = *yes;
        if (cell->op == GX_LOCAL)
            return gx_in(c, cell, gx_word(c, "empty", true));
        return gx_not(c, gx_in(c, cell, gx_word(c, "occupied", true)));
    }
    if (n->op == S3_IF) {
        Env t, f, ty, tn, fy, fn;
        Gx *cond = cv_cond(c, n->kid[0], in, &t, &f);
        Gx *a = cv_cond(c, n->kid[1], &t, &ty, &tn), *b = cv_cond(c, n->kid[2], &f, &fy, &fn);
        cv_merge(c, cond, &ty, &fy, yes);
        cv_merge(c, cond, &tn, &fn, no);
        return gx_if(c, cond, a, b);
    }
    cv_fail(c, n->span, "`%s` inside a condition", s3_op_name(n->op));
}

static bool is_condition(const S3Node *n) {
    switch (n->kind) {
    case S3_BOOL: return true;
    case S3_UNARY: return n->op == S3_NOT;
    case S3_BINARY:
        return (n->op >= S3_EQ && n->op <= S3_GE) || n->op == S3_ASSIGN || n->op == S3_AND ||
               n->op == S3_OR || n->op == S3_IN || n->op == S3_SUBSET;
    case S3_BUILT:
        return n->op == S3_FORALL || n->op == S3_FORSOME || n->op == S3_EMPTY ||
               (n->op >= S3_MOVE && n->op <= S3_NEXTPLAYER);
    default: return false;
    }
}

static Gx *binary_cond(Convert *c, const S3Node *n, const Env *in, Env *yes, Env *no) {
    Env ay, an, by, bn;
    if (n->op == S3_AND) {
        Gx *a = cv_cond(c, n->kid[0], in, &ay, &an);
        if (gx_is(a, false)) {
            *yes = *no = an;
            return a;
        }
        Gx *b = cv_cond(c, n->kid[1], &ay, yes, &bn);
        if (gx_is(a, true))
            *no = bn;
        else
            cv_merge(c, a, &bn, &an, no);
        return gx_and(c, a, b);
    }
    if (n->op == S3_OR) {
        Gx *a = cv_cond(c, n->kid[0], in, &ay, &an);
        if (gx_is(a, true)) {
            *yes = *no = ay;
            return a;
        }
        Gx *b = cv_cond(c, n->kid[1], &an, &by, no);
        if (gx_is(a, false))
            *yes = by;
        else
            cv_merge(c, a, &ay, &by, yes);
        return gx_or(c, a, b);
    }
    *yes = *in;
    if (n->op == S3_ASSIGN) {
        if (n->kid[0]->kind != S3_VAR)
            cv_fail(c, n->span, "only a variable can be set");
        const Sv *v = cv_eval(c, n->kid[1], yes);
        yes->var[cv_var(c, n->kid[0]->name)] = v;
        *no = *yes;
        return gx_bool(c, true);
    }
    Gx *x = n->op == S3_IN ? member(c, n, yes) : n->op <= S3_GE ? compare(c, n, yes) : NULL;
    if (!x)
        cv_fail(c, n->span, "`%s` inside a condition", s3_op_name(n->op));
    *no = *yes;
    return x;
}

static Gx *cond(Convert *c, const S3Node *n, const Env *in, Env *yes, Env *no) {
    if (n->kind == S3_BOOL) {
        *yes = *no = *in;
        return gx_bool(c, n->value != 0);
    }
    if (n->kind == S3_UNARY && n->op == S3_NOT)
        return gx_not(c, cv_cond(c, n->kid[0], in, no, yes));
    if (n->kind == S3_BINARY && is_condition(n))
        return binary_cond(c, n, in, yes, no);
    if (n->kind == S3_BUILT && (is_condition(n) || n->op == S3_IF))
        return built_cond(c, n, in, yes, no);
    const Sv *v;
    if (n->kind == S3_CALL) {
        v = cv_call(c, n, in, yes, no);
    } else {
        *yes = *in;
        v = cv_eval(c, n, yes);
        *no = *yes;
    }
    if (v->kind != SV_BOOL)
        cv_fail(c, n->span, "this is no condition");
    return v->x;
}

Gx *cv_cond(Convert *c, const S3Node *n, const Env *in, Env *yes, Env *no) {
    if (++c->nesting > 250)
        cv_fail(c, n->span, "conditions are too deep inside each other");
    Gx *x = cond(c, n, in, yes, no);
    c->nesting--;
    return x;
}

static Gx *on_move(Convert *c, const Env *env, Span at) {
    int32_t by[IR_MAX_PLAYERS + 1] = {0};
    if (env->turn < 0)
        cv_fail(c, at, "who is on move depends on how the rules came here");
    if (c->rule_player)
        return gx_int(c, (c->rule_player - 1 + env->turn) % c->players + 1);
    for (int i = 0; i < c->players; i++)
        by[i] = (i + env->turn) % c->players + 1;
    return gx_by_me(c, by);
}

static const Sv *element(Convert *c, const S3Node *n, Env *env) {
    const Sv *v = cv_eval(c, n, env);
    if (v->kind == SV_TEXT && c->named && strcmp(v->text, c->named) == 0 && v->indices == 1 &&
        gx_equal(v->index[0], c->named_index))
        return cv_sv(c, SV_AT, c->named_cell);
    if (v->kind != SV_AT)
        cv_fail(c, n->span, "elements are looked up by their names");
    if (v->old)
        cv_fail(c, n->span, "an element is looked at after it may have moved");
    return v;
}

static const Sv *built(Convert *c, const S3Node *n, Env *env) {
    need(c, n, s3_op_arguments(n->op));
    switch (n->op) {
    case S3_PLAYER: return cv_sv(c, SV_INT, on_move(c, env, n->span));
    case S3_CONTENT: return cv_sv(c, SV_AT, cv_cell_of(c, n->kid[0], env));
    case S3_ELTYPE:
        return cv_sv(
            c, SV_TYPE,
            gx_call1(c, c->merged ? "owner" : "piece", element(c, n->kid[0], env)->x, true));
    case S3_STATE:
        return cv_sv(c, SV_INT, gx_call1(c, c->state_name, element(c, n->kid[0], env)->x, true));
    case S3_OWNER:
        if (!c->merged)
            cv_fail(c, n->span, "`OWNER` where the pieces are not one kind for each player");
        return cv_sv(c, SV_OWNER, gx_call1(c, "owner", element(c, n->kid[0], env)->x, true));
    case S3_INDEX: {
        const Sv *v = cv_eval(c, n->kid[0], env);
        if (v->kind == SV_TEXT && v->indices)
            return cv_sv(c, SV_INT, v->index[0]);
        if (v->kind == SV_AT && !v->old)
            return cv_sv(c, SV_INT, gx_call1(c, c->index_name, v->x, true));
        cv_fail(c, n->span, "the number of an element that is not known");
    }
    case S3_IF: {
        Env t, f;
        Gx *cond = cv_cond(c, n->kid[0], env, &t, &f);
        const Sv *a = cv_eval(c, n->kid[1], &t), *b = cv_eval(c, n->kid[2], &f);
        if (!same_sv(a, b) && (a->kind != b->kind || (a->kind != SV_INT && a->kind != SV_BOOL)))
            cv_fail(c, n->span, "`IF` between values of different kinds");
        cv_merge(c, cond, &t, &f, env);
        return same_sv(a, b) ? a : cv_sv(c, a->kind, gx_if(c, cond, a->x, b->x));
    }
    default: cv_fail(c, n->span, "`%s` has nothing like it in `.game` files", s3_op_name(n->op));
    }
}

const Sv *cv_eval(Convert *c, const S3Node *n, Env *env) {
    if (is_condition(n)) {
        Env yes, no;
        Gx *x = cv_cond(c, n, env, &yes, &no);
        cv_merge(c, x, &yes, &no, env);
        return cv_sv(c, SV_BOOL, x);
    }
    switch (n->kind) {
    case S3_INT: return cv_sv(c, SV_INT, gx_int(c, n->value));
    case S3_STRING: return name_value(c, n, env);
    case S3_VAR: {
        const Sv *v = env->var[cv_var(c, n->name)];
        if (!v || v->kind == SV_LOST)
            cv_fail(c, n->span, "`$%s` is not known here%s%s", n->name, v ? ": " : "",
                    v ? v->text : "");
        return v;
    }
    case S3_UNARY: {
        Gx *x = cv_int(c, n->kid[0], env);
        return cv_sv(c, SV_INT, n->op == S3_ABS ? gx_abs(c, x) : gx_neg(c, x));
    }
    case S3_BINARY: {
        if (n->op < S3_ADD || n->op > S3_MOD)
            cv_fail(c, n->span, "`%s` has nothing like it in `.game` files", s3_op_name(n->op));
        Gx *a = cv_int(c, n->kid[0], env), *b = cv_int(c, n->kid[1], env);
        return cv_sv(c, SV_INT, gx_math(c, n->op, a, b, n->span));
    }
    case S3_CALL: {
        Env yes, no;
        const Sv *v = cv_call(c, n, env, &yes, &no);
        if (v->kind == SV_BOOL)
            cv_merge(c, v->x, &yes, &no, env);
        else
            *env = yes;
        return v;
    }
    case S3_BUILT: return built(c, n, env);
    default: cv_fail(c, n->span, "sets have nothing like them in `.game` files");
    }
}
