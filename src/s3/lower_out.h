// lower_out: expressions on their way to IR. Private to lower_expr.c, lower_table.c, lower_chain.c
// and lower_ir.c; see lower.h.
#ifndef LUDENS_S3_LOWER_OUT_H
#define LUDENS_S3_LOWER_OUT_H

#include "s3/lower.h"

#define OUT_MOST_PAIRS 300000 // entries of a table over two things

// A condition on what stands on a cell: is it one of these? `none`: it also holds if nothing does.
typedef struct OnCell {
    X *cell;
    uint64_t mask; // planes with which it holds, or if `none` those with which it does not
    bool none;
} OnCell;

// --- lower_expr.c ---
IrExpr *out_convert(Lower *l, X *x); // the same object each time
IrType out_type(IrTypeKind kind);
IrExpr *out_new(Lower *l, IrOp op, IrType type, IrExpr *a, IrExpr *b, IrExpr *c);
IrExpr *out_const(Lower *l, IrTypeKind kind, int64_t value);
IrExpr *out_cells(Lower *l, const uint64_t *words);
IrExpr *out_pieces(Lower *l, uint64_t mask);
IrExpr *out_not(Lower *l, IrExpr *e);
IrExpr *out_ranged(IrExpr *e, int64_t lo, int64_t hi);
// With these bounds, and going round where they do not fit.
IrExpr *out_fitting(Lower *l, IrExpr *e, int64_t lo, int64_t hi);

// --- lower_table.c ---
IrExpr *out_look_up(Lower *l, const X *x, IrTable *t, IrExpr *a, IrExpr *b);
IrExpr *out_sets(Lower *l, X *cell, const uint64_t *words);
// A function of two locals as a table; NULL if that is too large.
IrExpr *out_two(Lower *l, X *x);
IrExpr *out_function(Lower *l, X *x);
IrExpr *out_named(Lower *l, X *x);

// --- lower_chain.c ---
bool out_on_cell(const Lower *l, const X *x, OnCell *out);
IrExpr *out_chain(Lower *l, X *x);
IrExpr *out_sum(Lower *l, X *x);

#endif
