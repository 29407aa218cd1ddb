// eval_board: tables, and what the geometry of the board tells; see eval.c.

#include "ir/eval.h"

#include <string.h>

bool eval_table(IrEval *v, const IrExpr *e, IrValue *out) {
    const IrTable *t = v->g->table[e->id];
    int64_t at = 0;
    for (int i = 0; i < t->dims; i++) {
        int64_t index;
        if (!eval_number(v, e->kid[i], &index))
            return false;
        index -= t->base[i];
        if (index < 0 || index >= t->size[i])
            return false; // the checker sees to it that this cannot be
        at = i ? at * t->size[1] + index : index;
    }
    if (t->sets)
        memcpy(out->set, t->sets + at * v->g->board->words, 8 * (size_t)v->g->board->words);
    else
        out->number = t->numbers[at];
    return true;
}

bool eval_ray(IrEval *v, const IrExpr *e, IrValue *out) {
    const Board *b = v->g->board;
    int64_t cell, direction;
    IrValue stop;
    if (!eval_number(v, e->kid[0], &cell) || !eval_number(v, e->kid[1], &direction) ||
        !eval(v, e->kid[2], &stop))
        return false;
    memset(out, 0, sizeof *out);
    if (e->op == IR_PAST)
        out->number = b->cells;
    if (cell < 0 || cell >= b->cells || direction < 0 || direction >= b->directions)
        return true;
    // A ray can only come back to its cell on a board that wraps, so it ends after `cells` steps.
    int64_t at = cell;
    for (int i = 0; i < b->cells; i++) {
        at = b->step[at * b->directions + direction];
        if (at == b->cells)
            break;
        bool in = eval_has(stop.set, at);
        if (e->op == IR_RAY_UNTIL ? in : !in) {
            if (e->op == IR_RAY_UNTIL)
                eval_insert(out->set, at);
            else if (e->op == IR_PAST)
                out->number = at;
            break;
        }
        if (e->op != IR_PAST)
            eval_insert(out->set, at);
    }
    return true;
}

bool eval_flood(IrEval *v, const IrExpr *e, IrValue *out) {
    const Board *b = v->g->board;
    IrValue through;
    if (!eval(v, e->kid[0], out) || !eval(v, e->kid[1], &through))
        return false;
    for (bool grew = true; grew;) {
        grew = false;
        *v->steps -= b->cells; // a step is what a simple operation costs
        if (*v->steps < 0)
            return false;
        for (int c = 0; c < b->cells; c++) {
            if (!eval_has(out->set, c))
                continue;
            for (int i = 0; i < b->words; i++) {
                uint64_t more = b->next[c * b->words + i] & through.set[i] & ~out->set[i];
                out->set[i] |= more;
                grew |= more != 0;
            }
        }
    }
    return true;
}

bool eval_image(IrEval *v, const IrExpr *e, IrValue *out) {
    const Board *b = v->g->board;
    const IrTable *t = v->g->table[e->id];
    IrValue from;
    int64_t direction = 0;
    if (!eval(v, e->kid[0], &from) || (!t->sets && !eval_number(v, e->kid[1], &direction)))
        return false;
    memset(out, 0, sizeof *out);
    *v->steps -= b->cells / 8;
    if (!t->sets && (direction < 0 || direction >= t->size[1]))
        return true;
    for (int c = 0; c < b->cells && c < t->size[0]; c++) {
        if (!eval_has(from.set, c))
            continue;
        if (t->sets) {
            for (int i = 0; i < b->words; i++)
                out->set[i] |= t->sets[c * b->words + i];
        } else {
            int32_t to = t->numbers[c * t->size[1] + direction];
            if (to < b->cells)
                eval_insert(out->set, to);
        }
    }
    return true;
}
