// convert_expr: expressions of the `.game` language, simplified while they are made.
#include "s3/convert_parts.h"

#include <stdlib.h>
#include <string.h>

static Gx *make(Convert *c, GxOp op, const char *text, int kids, Gx **kid) {
    if (++c->work > 400000)
        cv_fail(c, (Span){0}, "the rules expand to too much");
    Gx *x = ARENA_NEW(c->arena, Gx);
    x->op = op;
    x->text = text;
    x->kids = kids;
    x->kid = kids ? ARENA_ARRAY(c->arena, Gx *, kids) : NULL;
    for (int i = 0; i < kids; i++) {
        x->kid[i] = kid[i];
        x->live |= kid[i]->live;
    }
    return x;
}

Gx *gx_int(Convert *c, int32_t v) {
    Gx *x = make(c, GX_INT, NULL, 0, NULL);
    x->value = v;
    return x;
}

Gx *gx_bool(Convert *c, bool v) {
    Gx *x = make(c, GX_BOOL, NULL, 0, NULL);
    x->value = v;
    return x;
}

Gx *gx_local(Convert *c, const char *wish) {
    Gx *x = make(c, GX_LOCAL, wish, 0, NULL);
    x->value = c->next_local++;
    return x;
}

Gx *gx_word(Convert *c, const char *text, bool live) {
    Gx *x = make(c, GX_WORD, text, 0, NULL);
    x->live = live;
    return x;
}

Gx *gx_call(Convert *c, const char *name, int n, Gx **kid, bool live) {
    Gx *x = make(c, GX_CALL, name, n, kid);
    x->live |= live;
    return x;
}

Gx *gx_call1(Convert *c, const char *name, Gx *a, bool live) {
    return gx_call(c, name, 1, &a, live);
}

Gx *gx_entry(Convert *c, const char *name, Gx *index) {
    Gx *x = make(c, GX_ENTRY, name, 1, &index);
    x->live = true;
    return x;
}

Gx *gx_by_me(Convert *c, const int32_t *by) {
    bool same = true;
    for (int i = 1; i < c->players; i++)
        same &= by[i] == by[0];
    if (same)
        return gx_int(c, by[0]);
    int32_t *copy = ARENA_ARRAY(c->arena, int32_t, c->players);
    for (int i = 0; i < c->players; i++)
        copy[i] = by[i];
    Gx *x = make(c, GX_BY_ME, NULL, 0, NULL);
    x->by = copy;
    return x;
}

bool gx_is(const Gx *x, bool value) {
    return x->op == GX_BOOL && (x->value != 0) == value;
}

static bool known(const Gx *x) {
    return x->op == GX_INT || x->op == GX_BY_ME;
}

static int32_t known_value(const Gx *x, int player) {
    return x->op == GX_INT ? x->value : x->by[player];
}

static const char *op_text(S3Op op) {
    return s3_op_name(op);
}

static S3Op text_op(const char *text) {
    for (S3Op op = S3_EQ; op <= S3_MOD; op++)
        if (strcmp(s3_op_name(op), text) == 0)
            return op;
    return S3_NO_OP;
}

static bool fold(S3Op op, int32_t a, int32_t b, int64_t *out) {
    int64_t x = a, y = b;
    switch (op) {
    case S3_EQ: *out = x == y; break;
    case S3_NE: *out = x != y; break;
    case S3_LT: *out = x < y; break;
    case S3_LE: *out = x <= y; break;
    case S3_GT: *out = x > y; break;
    case S3_GE: *out = x >= y; break;
    case S3_ADD: *out = x + y; break;
    case S3_SUB: *out = x - y; break;
    case S3_MUL: *out = x * y; break;
    case S3_DIV: *out = y ? x / y : 0; return y != 0;
    case S3_MOD: *out = y ? x % y : 0; return y != 0;
    default: return false;
    }
    return *out >= -1000000000 && *out <= 1000000000;
}

static Gx *binary(Convert *c, const char *text, Gx *a, Gx *b) {
    return make(c, GX_BINARY, text, 2, (Gx *[]){a, b});
}

static bool is_op(const Gx *x, const char *text) {
    return x->op == GX_BINARY && strcmp(x->text, text) == 0;
}

static Gx *fold_known(Convert *c, S3Op op, const Gx *a, const Gx *b) {
    int32_t by[IR_MAX_PLAYERS + 1] = {0};
    for (int p = 0; p < c->players; p++) {
        int64_t v;
        if (!fold(op, known_value(a, p), known_value(b, p), &v))
            return NULL;
        by[p] = (int32_t)v;
    }
    Gx *x = gx_by_me(c, by);
    if (op > S3_GE)
        return x;
    return x->op == GX_INT ? gx_bool(c, x->value != 0) : NULL;
}

// x + v for a number v.
static Gx *add_number(Convert *c, Gx *x, int32_t v) {
    if (v == 0)
        return x;
    if ((is_op(x, "+") || is_op(x, "-")) && x->kid[1]->op == GX_INT && abs(v) < 1000000 &&
        abs(x->kid[1]->value) < 1000000) {
        int32_t old = x->kid[1]->value;
        return add_number(c, x->kid[0], v + (x->text[0] == '+' ? old : -old));
    }
    return v > 0 ? binary(c, "+", x, gx_int(c, v)) : binary(c, "-", x, gx_int(c, -v));
}

static Gx *plus(Convert *c, Gx *a, Gx *b) {
    if (a->op == GX_INT)
        return add_number(c, b, a->value);
    if (b->op == GX_INT && b->value > -1000000000)
        return add_number(c, a, b->value);
    if (b->op == GX_NEG)
        return binary(c, "-", a, b->kid[0]);
    return binary(c, "+", a, b);
}

Gx *gx_math(Convert *c, S3Op op, Gx *a, Gx *b, Span at) {
    if (known(a) && known(b)) {
        Gx *x = fold_known(c, op, a, b);
        if (x)
            return x;
    }
    if (a->op == GX_BY_ME || b->op == GX_BY_ME)
        cv_fail(c, at, "the number of the player on move is used in a calculation");
    if (op == S3_ADD)
        return plus(c, a, b);
    if (op == S3_SUB && b->op == GX_INT && b->value > -1000000000)
        return add_number(c, a, -b->value);
    if (op == S3_SUB && gx_equal(a, b))
        return gx_int(c, 0);
    if (op == S3_MUL && (a->op == GX_INT || b->op == GX_INT)) {
        Gx *number = a->op == GX_INT ? a : b, *other = a->op == GX_INT ? b : a;
        if (number->value == 0 || number->value == 1)
            return number->value ? other : number;
        if (number->value == -1)
            return gx_neg(c, other);
    }
    if ((op == S3_DIV || op == S3_MOD) && (b->op != GX_INT || b->value == 0))
        cv_fail(c, at, "the divisor is not a number other than 0");
    if ((op == S3_EQ || op == S3_NE) && gx_equal(a, b))
        return gx_bool(c, op == S3_EQ);
    return binary(c, op_text(op), a, b);
}

Gx *gx_same_value(Convert *c, Gx *a, Gx *b, bool equal) {
    if (gx_equal(a, b))
        return gx_bool(c, equal);
    return binary(c, equal ? "==" : "!=", a, b);
}

Gx *gx_in(Convert *c, Gx *a, Gx *set) {
    return binary(c, "in", a, set);
}

Gx *gx_neg(Convert *c, Gx *a) {
    if (a->op == GX_INT)
        return gx_int(c, -a->value);
    return a->op == GX_NEG ? a->kid[0] : make(c, GX_NEG, NULL, 1, &a);
}

Gx *gx_abs(Convert *c, Gx *a) {
    return a->op == GX_INT ? gx_int(c, abs(a->value)) : gx_call1(c, "abs", a, false);
}

// A comparison or membership: its opposite is as simple.
static bool simple(const Gx *x) {
    return x->op == GX_BINARY && !is_op(x, "or") && !is_op(x, "and");
}

Gx *gx_not(Convert *c, Gx *a) {
    static const char *const opposite[][2] = {
        {"==", "!="}, {"<", ">="}, {">", "<="}, {"in", "not in"}};
    if (a->op == GX_BOOL)
        return gx_bool(c, !a->value);
    if (a->op == GX_NOT)
        return a->kid[0];
    for (int i = 0; i < 4; i++)
        for (int side = 0; side < 2; side++)
            if (is_op(a, opposite[i][side]))
                return binary(c, opposite[i][1 - side], a->kid[0], a->kid[1]);
    if ((is_op(a, "or") || is_op(a, "and")) && simple(a->kid[0]) && simple(a->kid[1])) {
        Gx *x = gx_not(c, a->kid[0]), *y = gx_not(c, a->kid[1]);
        return is_op(a, "or") ? gx_and(c, x, y) : gx_or(c, x, y);
    }
    return make(c, GX_NOT, NULL, 1, &a);
}

Gx *gx_and(Convert *c, Gx *a, Gx *b) {
    if (a->op == GX_BOOL)
        return a->value ? b : a;
    if (gx_is(b, false))
        return b;
    return gx_is(b, true) || gx_equal(a, b) ? a : binary(c, "and", a, b);
}

// some x in A : P or some x in B : P   is   some x in A | B : P
static Gx *join_sets(Convert *c, const Gx *a, const Gx *b) {
    if (a->op != GX_EACH || b->op != GX_EACH || strcmp(a->text, "some") || strcmp(b->text, "some"))
        return NULL;
    Gx *body = gx_put(c, b->kid[2], b->kid[0], a->kid[0]);
    if (!gx_equal(body, a->kid[2]))
        return NULL;
    bool all = c->kinds == 2 && a->kid[1]->op != GX_BINARY && b->kid[1]->op != GX_BINARY;
    Gx *set = all ? gx_word(c, "occupied", true) : binary(c, "|", a->kid[1], b->kid[1]);
    return gx_each(c, "some", a->kid[0], set, body);
}

Gx *gx_or(Convert *c, Gx *a, Gx *b) {
    if (a->op == GX_BOOL)
        return a->value ? a : b;
    if (gx_is(b, false) || gx_equal(a, b))
        return a;
    if (gx_is(b, true))
        return b;
    Gx *joined = join_sets(c, a, b);
    return joined ? joined : binary(c, "or", a, b);
}

Gx *gx_if(Convert *c, Gx *cond, Gx *a, Gx *b) {
    if (cond->op == GX_BOOL)
        return cond->value ? a : b;
    if (gx_equal(a, b))
        return a;
    if (b->op == GX_BOOL && !b->value)
        return gx_and(c, cond, a);
    if (a->op == GX_BOOL && a->value)
        return gx_or(c, cond, b);
    if (b->op == GX_BOOL)
        return gx_or(c, gx_not(c, cond), a);
    if (a->op == GX_BOOL)
        return gx_and(c, gx_not(c, cond), b);
    return make(c, GX_IF, NULL, 3, (Gx *[]){cond, a, b});
}

Gx *gx_range(Convert *c, const char *word, Gx *local, Gx *low, Gx *high, Gx *body) {
    return make(c, GX_RANGE, word, 4, (Gx *[]){local, low, high, body});
}

Gx *gx_each(Convert *c, const char *word, Gx *local, Gx *set, Gx *body) {
    return make(c, GX_EACH, word, 3, (Gx *[]){local, set, body});
}

static bool same(const Gx *a, const Gx *b, int32_t (*pair)[2], int pairs) {
    if (a == b && pairs == 0)
        return true;
    if (a->op == GX_LOCAL && b->op == GX_LOCAL) {
        for (int i = pairs - 1; i >= 0; i--)
            if (pair[i][0] == a->value || pair[i][1] == b->value)
                return pair[i][0] == a->value && pair[i][1] == b->value;
        return a->value == b->value;
    }
    if (a->op != b->op || a->kids != b->kids || a->value != b->value ||
        (a->text != b->text && (!a->text || !b->text || strcmp(a->text, b->text) != 0)) ||
        a->by != b->by)
        return false;
    int bound = a->op == GX_RANGE || a->op == GX_EACH;
    if (bound && pairs == 30)
        return false;
    for (int i = bound; i < a->kids; i++) {
        bool inside = bound && i == a->kids - 1;
        if (inside) {
            pair[pairs][0] = a->kid[0]->value;
            pair[pairs][1] = b->kid[0]->value;
        }
        if (!same(a->kid[i], b->kid[i], pair, pairs + inside))
            return false;
    }
    return true;
}

bool gx_equal(const Gx *a, const Gx *b) {
    int32_t pair[32][2];
    return same(a, b, pair, 0);
}

bool gx_has(const Gx *x, const Gx *local) {
    if (x->op == GX_LOCAL)
        return x->value == local->value;
    for (int i = 0; i < x->kids; i++)
        if (gx_has(x->kid[i], local))
            return true;
    return false;
}

static Gx *rebuild(Convert *c, const Gx *x, Gx **kid) {
    switch (x->op) {
    case GX_BINARY:
        if (strcmp(x->text, "and") == 0)
            return gx_and(c, kid[0], kid[1]);
        if (strcmp(x->text, "or") == 0)
            return gx_or(c, kid[0], kid[1]);
        if (text_op(x->text))
            return gx_math(c, text_op(x->text), kid[0], kid[1], (Span){0});
        return binary(c, x->text, kid[0], kid[1]);
    case GX_NOT: return gx_not(c, kid[0]);
    case GX_NEG: return gx_neg(c, kid[0]);
    case GX_IF: return gx_if(c, kid[0], kid[1], kid[2]);
    case GX_CALL:
        if (strcmp(x->text, "cell") == 0 && x->kids == 2 && kid[0]->op == GX_CALL &&
            kid[1]->op == GX_CALL && strcmp(kid[0]->text, "column") == 0 &&
            strcmp(kid[1]->text, "row") == 0 && gx_equal(kid[0]->kid[0], kid[1]->kid[0]))
            return kid[0]->kid[0];
        break;
    default: break;
    }
    Gx *copy = make(c, x->op, x->text, x->kids, kid);
    copy->value = x->value;
    copy->by = x->by;
    copy->live |= x->live;
    return copy;
}

Gx *gx_put(Convert *c, Gx *x, const Gx *local, Gx *with) {
    if (x->op == GX_LOCAL)
        return x->value == local->value ? with : x;
    if (x->kids == 0 || !gx_has(x, local))
        return x;
    Gx **kid = ARENA_ARRAY(c->arena, Gx *, x->kids);
    for (int i = 0; i < x->kids; i++)
        kid[i] = gx_put(c, x->kid[i], local, with);
    return rebuild(c, x, kid);
}

Gx *gx_replace(Convert *c, Gx *x, const Gx *what, Gx *with) {
    if (gx_equal(x, what))
        return with;
    if (x->kids == 0)
        return x;
    Gx **kid = ARENA_ARRAY(c->arena, Gx *, x->kids);
    for (int i = 0; i < x->kids; i++)
        kid[i] = gx_replace(c, x->kid[i], what, with);
    return rebuild(c, x, kid);
}

int gx_free(const Gx *x, Gx **local, int n) {
    if (x->op == GX_LOCAL) {
        for (int i = 0; i < n; i++)
            if (local[i]->value == x->value)
                return n;
        if (n < CV_PARAMS)
            local[n++] = (Gx *)(uintptr_t)x;
        return n;
    }
    for (int i = 0; i < x->kids; i++) {
        bool binds = (x->op == GX_RANGE || x->op == GX_EACH);
        if (binds && i == 0)
            continue;
        int before = n;
        n = gx_free(x->kid[i], local, n);
        if (binds && i == x->kids - 1) // the bound variable is not free; it is new if it is there
            for (int k = before; k < n; k++)
                if (local[k]->value == x->kid[0]->value) {
                    for (int j = k; j + 1 < n; j++)
                        local[j] = local[j + 1];
                    n--;
                    break;
                }
    }
    return n;
}
