// guess_value: what can be said about values of which only something is known; see guess.h.
#include "search/guess_parts.h"

#include "base/bits.h"

#include <string.h>

// --- values ---

void guess_open(Guess *out) {
    out->any = true;
    memset(out->may, 0xff, sizeof out->may);
    memset(out->must, 0, sizeof out->must);
}

void guess_value(Guess *out, int value) {
    if (value < 0 || value >= GUESS_VALUES) {
        guess_open(out);
        return;
    }
    *out = (Guess){0};
    out->may[value / 64] |= (uint64_t)1 << (value % 64);
}

bool guess_has(const Guess *g, int value) {
    return g->may[value / 64] >> (value % 64) & 1;
}

bool guess_must_have(const Guess *g, int value) {
    return g->must[value / 64] >> (value % 64) & 1;
}

void guess_add_may(Guess *g, int value) {
    g->may[value / 64] |= (uint64_t)1 << (value % 64);
}

void guess_add_must(Guess *g, int value) {
    guess_add_may(g, value);
    g->must[value / 64] |= (uint64_t)1 << (value % 64);
}

// The only value it can have; -1 if there are several, or none.
int guess_single(const Guess *g) {
    int found = -1;
    for (int w = 0; w < GUESS_WORDS && !g->any; w++) {
        if (!g->may[w])
            continue;
        if (found >= 0 || (g->may[w] & (g->may[w] - 1)))
            return -1;
        found = 64 * w + bits_lowest(g->may[w]);
    }
    return found;
}

Truth guess_truth(const Guess *g) {
    int value = guess_single(g);
    return value < 0 ? TRUTH_OPEN : value ? TRUTH_YES : TRUTH_NO;
}

void guess_set_truth(Guess *out, Truth t) {
    if (t == TRUTH_OPEN)
        guess_open(out);
    else
        guess_value(out, t == TRUTH_YES);
}

// --- operators ---

void guess_combine(IrOp op, const Guess *a, const Guess *b, Guess *out) {
    out->any = false;
    for (int w = 0; w < GUESS_WORDS; w++) {
        if (op == IR_AND) {
            out->may[w] = a->may[w] & b->may[w];
            out->must[w] = a->must[w] & b->must[w];
        } else if (op == IR_OR) {
            out->may[w] = a->may[w] | b->may[w];
            out->must[w] = a->must[w] | b->must[w];
        } else {
            out->may[w] = a->may[w] & ~b->must[w];
            out->must[w] = a->must[w] & ~b->may[w];
        }
    }
}

Truth guess_within(const Guess *a, const Guess *b) {
    bool yes = true;
    for (int w = 0; w < GUESS_WORDS; w++) {
        if (a->must[w] & ~b->may[w])
            return TRUTH_NO;
        yes = yes && !(a->may[w] & ~b->must[w]);
    }
    return yes ? TRUTH_YES : TRUTH_OPEN;
}

Truth guess_member(const Guess *value, const Guess *set) {
    bool can = false, sure = !value->any;
    for (int w = 0; w < GUESS_WORDS; w++) {
        can = can || (value->may[w] & set->may[w]);
        sure = sure && !(value->may[w] & ~set->must[w]);
    }
    return !can ? TRUTH_NO : sure ? TRUTH_YES : TRUTH_OPEN;
}

Truth guess_equal(const IrExpr *e, const Guess *a, const Guess *b) {
    if (guess_is_set(e->kid[0])) {
        Truth x = guess_within(a, b), y = guess_within(b, a);
        return x == TRUTH_NO || y == TRUTH_NO     ? TRUTH_NO
               : x == TRUTH_YES && y == TRUTH_YES ? TRUTH_YES
                                                  : TRUTH_OPEN;
    }
    if (a->any || b->any)
        return TRUTH_OPEN;
    bool common = false;
    for (int w = 0; w < GUESS_WORDS; w++)
        common = common || (a->may[w] & b->may[w]);
    return !common                                        ? TRUTH_NO
           : guess_single(a) >= 0 && guess_single(b) >= 0 ? TRUTH_YES
                                                          : TRUTH_OPEN;
}

Truth guess_opposite(Truth t) {
    return t == TRUTH_OPEN ? TRUTH_OPEN : t == TRUTH_YES ? TRUTH_NO : TRUTH_YES;
}

void guess_number(const IrExpr *e, const Guess *a, const Guess *b, Guess *out) {
    int x = guess_single(a), y = b ? guess_single(b) : 0;
    guess_open(out);
    if (x < 0 || y < 0)
        return;
    switch (e->op) {
    case IR_ADD: guess_value(out, x + y); break;
    case IR_SUB: guess_value(out, x - y); break;
    case IR_MUL: guess_value(out, x * y); break;
    case IR_DIV: guess_value(out, y ? x / y : -1); break;
    case IR_MOD: guess_value(out, y ? x % y : -1); break;
    case IR_ABS: guess_value(out, x); break;
    case IR_LT: guess_value(out, x < y); break;
    case IR_LE: guess_value(out, x <= y); break;
    case IR_LOWER: guess_value(out, x < y ? x : y); break;
    case IR_HIGHER: guess_value(out, x > y ? x : y); break;
    default: break;
    }
}
