// Numbers and conditions, simplified as they are made. See lower.h.

#include "s3/lower_make.h"

#include <limits.h>

static int32_t wrap(int64_t v) {
    return (int32_t)(uint32_t)(uint64_t)v;
}

// --- arithmetic ---

typedef struct Sum {
    int64_t value;
    X **kid;
    int32_t *tab;
    int kids;
} Sum;

static void sum_term(Sum *s, X *x, int64_t factor) {
    if (x->op == X_CONST) {
        s->value += factor * x->value;
        return;
    }
    if (x->op == X_SUM) {
        s->value += factor * x->value;
        for (int i = 0; i < x->kids; i++)
            sum_term(s, x->kid[i], factor * x->tab[i]);
        return;
    }
    for (int i = 0; i < s->kids; i++)
        if (s->kid[i] == x) {
            s->tab[i] += (int32_t)factor;
            if (!s->tab[i]) {
                s->kids--;
                for (int n = i; n < s->kids; n++) {
                    s->kid[n] = s->kid[n + 1];
                    s->tab[n] = s->tab[n + 1];
                }
            }
            return;
        }
    s->kid[s->kids] = x;
    s->tab[s->kids++] = (int32_t)factor;
}

static int terms(const X *x) {
    return x->op == X_SUM ? x->kids : 1;
}

static X *sum_done(Lower *l, const Sum *s) {
    if (!s->kids)
        return x_int(l, wrap(s->value));
    if (s->kids == 1 && s->tab[0] == 1 && !s->value)
        return s->kid[0];
    int64_t lo = s->value, hi = s->value;
    for (int i = 0; i < s->kids; i++) {
        int64_t a = (int64_t)s->tab[i] * s->kid[i]->lo, b = (int64_t)s->tab[i] * s->kid[i]->hi;
        lo += a < b ? a : b;
        hi += a < b ? b : a;
    }
    bool over = lo < INT32_MIN || hi > INT32_MAX;
    X draft = {.op = X_SUM,
               .type = T_INT,
               .value = s->value,
               .kid = s->kid,
               .kids = s->kids,
               .tab = s->tab};
    draft.lo = over ? INT32_MIN : (int32_t)lo;
    draft.hi = over ? INT32_MAX : (int32_t)hi;
    X *x = x_intern(l, &draft);
    if (over)
        x = x_make(l, X_WRAP, T_INT, INT32_MIN, INT32_MAX, x, NULL, NULL);
    return x_fold(l, x);
}

X *x_add(Lower *l, X *a, X *b, int factor) {
    int n = terms(a) + terms(b);
    Sum s = {.kid = ARENA_ARRAY(l->arena, X *, n), .tab = ARENA_ARRAY(l->arena, int32_t, n)};
    sum_term(&s, a, 1);
    sum_term(&s, b, factor);
    bool odd = s.value < INT32_MIN || s.value > INT32_MAX;
    for (int i = 0; i < s.kids; i++)
        odd |= s.tab[i] < -1000 || s.tab[i] > 1000;
    if (odd || n > 4096) { // sums that grow: no longer taken apart
        X *kid[2] = {a, b};
        int32_t tab[2] = {1, factor};
        Sum plain = {0, kid, tab, 2};
        if (a->op == X_CONST) {
            plain = (Sum){a->value, &kid[1], &tab[1], 1};
        } else if (b->op == X_CONST) {
            plain = (Sum){factor * b->value, kid, tab, 1};
        }
        return sum_done(l, &plain);
    }
    return sum_done(l, &s);
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}
static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static X *multiply(Lower *l, X *a, X *b) {
    int64_t k;
    if (x_known(a, &k)) {
        X *t = a;
        a = b;
        b = t;
    }
    if (x_known(b, &k) && k >= -1000 && k <= 1000) {
        if (!k)
            return x_int(l, 0);
        return x_add(l, x_int(l, 0), a, (int)k);
    }
    int64_t p[4] = {(int64_t)a->lo * b->lo, (int64_t)a->lo * b->hi, (int64_t)a->hi * b->lo,
                    (int64_t)a->hi * b->hi};
    int64_t lo = least(least(p[0], p[1]), least(p[2], p[3]));
    int64_t hi = most(most(p[0], p[1]), most(p[2], p[3]));
    if (lo >= INT32_MIN && hi <= INT32_MAX)
        return x_make(l, X_MUL, T_INT, lo, hi, a, b, NULL);
    X *x = x_make(l, X_MUL, T_INT, INT32_MIN, INT32_MAX, a, b, NULL);
    return x->op == X_CONST ? x : x_make(l, X_WRAP, T_INT, INT32_MIN, INT32_MAX, x, NULL, NULL);
}

X *x_arith(Lower *l, XOp op, X *a, X *b) {
    int64_t lo = INT32_MIN, hi = INT32_MAX, k;
    switch (op) {
    case X_MUL: return multiply(l, a, b);
    case X_ABS:
        if (a->lo >= 0)
            return a;
        lo = a->lo == INT32_MIN ? INT32_MIN : 0;
        hi = most(a->hi, a->lo == INT32_MIN ? INT32_MAX : -(int64_t)a->lo);
        if (a->lo == INT32_MIN) // the least number has no opposite: it stays what it is
            return x_cond(
                l, x_compare(l, X_EQ, a, x_int(l, INT32_MIN)), a,
                x_cond(l, x_compare(l, X_LT, a, x_int(l, 0)), x_add(l, x_int(l, 0), a, -1), a));
        return x_make(l, X_ABS, T_INT, lo, hi, a, NULL, NULL);
    case X_DIV:
        if (x_known(b, &k) && k > 0)
            return x_make(l, X_DIV, T_INT, a->lo / k, a->hi / k, a, b, NULL);
        if (a->lo == INT32_MIN && b->lo <= -1)
            return x_make(l, X_WRAP, T_INT, lo, hi, x_make(l, X_DIV, T_INT, lo, hi, a, b, NULL),
                          NULL, NULL);
        hi = most(most(a->hi, a->lo), most(-(int64_t)a->hi, -(int64_t)a->lo));
        return x_make(l, X_DIV, T_INT, -hi, hi, a, b, NULL);
    case X_MOD:
        hi = most(most(b->hi, b->lo), most(-(int64_t)b->hi, -(int64_t)b->lo)) - 1;
        lo = a->lo < 0 ? -least(hi, -(int64_t)a->lo) : 0;
        hi = a->hi > 0 ? least(hi, a->hi) : 0;
        return x_make(l, X_MOD, T_INT, lo, hi, a, b, NULL);
    default: return a;
    }
}

X *x_compare(Lower *l, XOp op, X *a, X *b) {
    if (a == b)
        return x_bool(l, op == X_EQ);
    if (op == X_EQ) {
        if (a->hi < b->lo || b->hi < a->lo)
            return x_bool(l, false);
        if (a->op == X_CONST) {
            X *t = a;
            a = b;
            b = t;
        }
        if (a->type == T_BOOL && b->op == X_CONST)
            return b->value ? a : x_not(l, a);
        // Comparing what was chosen between: compare each.
        if (a->op == X_COND && b->op == X_CONST)
            return x_cond(l, a->kid[0], x_compare(l, op, a->kid[1], b),
                          x_compare(l, op, a->kid[2], b));
    } else {
        if (a->hi < b->lo)
            return x_bool(l, true);
        if (a->lo >= b->hi)
            return x_bool(l, false);
        // At an end of the range it is the same as asking for one number.
        if (a->op == X_CONST && a->value == b->lo)
            return x_not(l, x_compare(l, X_EQ, b, a));
        if (b->op == X_CONST && b->value == (int64_t)a->lo + 1)
            return x_compare(l, X_EQ, a, x_int(l, a->lo));
    }
    return x_make(l, op, T_BOOL, 0, 1, a, b, NULL);
}

// --- conditions ---

X *x_not(Lower *l, X *a) {
    if (a->op == X_CONST)
        return x_bool(l, !a->value);
    if (a->op == X_NOT)
        return a->kid[0];
    return x_make(l, X_NOT, T_BOOL, 0, 1, a, NULL, NULL);
}

X *x_both(Lower *l, X *a, X *b) {
    if (a->op == X_CONST)
        return a->value ? b : a;
    if (b->op == X_CONST)
        return b->value ? a : b;
    if (a == b)
        return a;
    return x_make(l, X_BOTH, T_BOOL, 0, 1, a, b, NULL);
}

X *x_either(Lower *l, X *a, X *b) {
    if (a->op == X_CONST)
        return a->value ? a : b;
    if (b->op == X_CONST)
        return b->value ? b : a;
    if (a == b)
        return a;
    return x_make(l, X_EITHER, T_BOOL, 0, 1, a, b, NULL);
}

// What b is more than a, if that is a known number.
static bool difference(Lower *l, X *a, X *b, int64_t *by) {
    if (a->type != T_INT || b->type != T_INT)
        return false;
    if (a->op == X_SUM || b->op == X_SUM || (a->op == X_FUN && b->op == X_FUN)) {
        X *d = x_add(l, b, a, -1);
        return x_known(d, by);
    }
    return false;
}

X *x_cond(Lower *l, X *c, X *a, X *b) {
    if (c->op == X_CONST)
        return c->value ? a : b;
    if (a == b)
        return a;
    if (c->op == X_NOT)
        return x_cond(l, c->kid[0], b, a);
    if (a->type == T_BOOL) {
        if (a->op == X_CONST)
            return a->value ? x_either(l, c, b) : x_both(l, x_not(l, c), b);
        if (b->op == X_CONST)
            return b->value ? x_either(l, x_not(l, c), a) : x_both(l, c, a);
    }
    int64_t by;
    if (difference(l, a, b, &by)) // counting: a, or a and so many more
        return x_add(l, a, x_cond(l, c, x_int(l, 0), x_int(l, by)), 1);
    return x_make(l, X_COND, a->type, least(a->lo, b->lo), most(a->hi, b->hi), c, a, b);
}
