// lower_make: how expressions are made. Private to lower_x.c, lower_math.c and lower_cells.c; see
// lower.h.
#ifndef LUDENS_S3_LOWER_MAKE_H
#define LUDENS_S3_LOWER_MAKE_H

#include "s3/lower.h"

X *x_const(Lower *l, XType type, int64_t value);
X *x_intern(Lower *l, const X *draft); // the one object that is like the draft
X *x_fold(Lower *l, X *x);             // a function of one atom in its shortest form
// From one to three kids (the others NULL), folded.
X *x_make(Lower *l, XOp op, XType type, int64_t lo, int64_t hi, X *a, X *b, X *c);
int x_domain(const X *x); // how many values, capped

#endif
