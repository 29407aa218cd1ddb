// eval: what the files of the evaluator share; others see ir.h.
#ifndef LUDENS_EVAL_H
#define LUDENS_EVAL_H

#include "ir/ir.h"

// Frames larger than this get memory of their own; smaller ones lie on the stack.
#define EVAL_SLOTS 32

// All return false if the value cannot be had: see ir_eval and ir_value. Without a view, no state
// may be asked.
bool eval(IrEval *v, const IrExpr *e, IrValue *out);

static inline bool eval_number(IrEval *v, const IrExpr *e, int64_t *out) {
    IrValue value;
    if (!eval(v, e, &value))
        return false;
    *out = value.number;
    return true;
}

// The value of a scalar type that stands for none.
static inline int64_t eval_none(const IrGame *g, IrType type) {
    switch (type.kind) {
    case TY_BOOL: return 2;
    case TY_PLAYER: return g->players;
    case TY_CELL: return g->board->cells;
    case TY_DIRECTION: return g->board->directions;
    case TY_KIND: return g->kinds;
    case TY_LINE: return g->board->lines;
    case TY_FLAG: return g->enums[type.of_enum].count;
    default: return 64;
    }
}

static inline bool eval_has(const uint64_t *set, int64_t n) {
    return (set[n / 64] >> (n % 64)) & 1;
}

static inline void eval_insert(uint64_t *set, int64_t n) {
    set[n / 64] |= (uint64_t)1 << (n % 64);
}

// --- eval_loop.c: ir_each, and ---
bool eval_loop(IrEval *v, const IrExpr *e, IrValue *out);
// --- eval_board.c: tables and geometry ---
bool eval_table(IrEval *v, const IrExpr *e, IrValue *out);
bool eval_ray(IrEval *v, const IrExpr *e, IrValue *out);
bool eval_flood(IrEval *v, const IrExpr *e, IrValue *out);
bool eval_image(IrEval *v, const IrExpr *e, IrValue *out);
// --- eval_state.c: what only a state can tell ---
bool eval_state(IrEval *v, const IrExpr *e, IrValue *out);
// --- eval_known.c: relations of knowledge ---
bool eval_known(IrEval *v, const IrExpr *e, IrValue *out);

#endif
