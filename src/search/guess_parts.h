// guess_parts: what guess.c and guess_value.c share.
#ifndef LUDENS_GUESS_PARTS_H
#define LUDENS_GUESS_PARTS_H

#include "search/guess.h"

typedef enum Truth { TRUTH_NO, TRUTH_YES, TRUTH_OPEN } Truth;

static inline bool guess_is_set(const IrExpr *e) {
    return e->type.kind == TY_SET || e->type.kind == TY_MASK;
}

bool guess_must_have(const Guess *g, int value); // of a set
void guess_add_may(Guess *g, int value);
void guess_add_must(Guess *g, int value);
int guess_single(const Guess *g); // the only value it can have; -1 if there are several, or none
Truth guess_truth(const Guess *g);
void guess_set_truth(Guess *out, Truth t);
Truth guess_opposite(Truth t);

void guess_combine(IrOp op, const Guess *a, const Guess *b, Guess *out); // &, | and - of sets
Truth guess_within(const Guess *a, const Guess *b);
Truth guess_member(const Guess *value, const Guess *set);
Truth guess_equal(const IrExpr *e, const Guess *a, const Guess *b); // the kids of e
void guess_number(const IrExpr *e, const Guess *a, const Guess *b, Guess *out);

#endif
