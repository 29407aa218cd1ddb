// mirror: see mirror.h.
#include "game/mirror.h"

#include "base/bits.h"
#include "game/state_parts.h"

#include <math.h>
#include <string.h>

#define NEAR 0.01 // of the distance of two cells: drawn places are exact to less

// --- boards ---

static int cell_near(const Board *b, double x, double y) {
    for (int c = 0; c < b->cells; c++)
        if (fabs(b->cell[c].x - x) < NEAR && fabs(b->cell[c].y - y) < NEAR)
            return c;
    return -1;
}

static bool turn_board(const Board *b, double x0, double y0, double angle, bool flip, Mirror *m) {
    *m = (Mirror){0};
    for (int c = 0; c < b->cells; c++) {
        double x = (b->cell[c].x - x0) * (flip ? -1 : 1), y = b->cell[c].y - y0;
        int to = cell_near(b, x0 + x * cos(angle) - y * sin(angle),
                           y0 + x * sin(angle) + y * cos(angle));
        if (to < 0)
            return false;
        m->cell[c] = (int16_t)to;
    }
    m->cell[b->cells] = (int16_t)b->cells;
    return true;
}

int mirror_list(const Board *b, Mirror *out) {
    double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
    for (int c = 0; c < b->cells; c++) {
        left = fmin(left, b->cell[c].x);
        right = fmax(right, b->cell[c].x);
        low = fmin(low, b->cell[c].y);
        high = fmax(high, b->cell[c].y);
    }
    int n = 0;
    for (int i = 0; i < MIRROR_MOST; i++)
        n += turn_board(b, (left + right) / 2, (low + high) / 2, acos(-1) / 6 * (i / 2), i % 2,
                        &out[n]);
    return n;
}

Mirror mirror_declared(const Board *b, int symmetry) {
    Mirror m = {0};
    memcpy(m.cell, b->symmetry[symmetry], sizeof *m.cell * (size_t)(b->cells + 1));
    return m;
}

// --- states ---

static int64_t mirror_value(const IrGame *ir, const Mirror *m, IrType type, int64_t value) {
    if (type.kind == TY_CELL && value >= 0 && value <= ir->board->cells)
        return m->cell[value];
    if (type.kind == TY_PLAYER && m->exchange && value < ir->players)
        return ir->players - 1 - value;
    if (type.kind == TY_MASK && type.of == TY_PLAYER && m->exchange)
        return (value & 1) << 1 | (value >> 1 & 1);
    return value;
}

static bool can_mirror(IrType type) {
    return type.kind != TY_DIRECTION && type.kind != TY_LINE &&
           !(type.kind == TY_MASK && (type.of == TY_DIRECTION || type.of == TY_LINE));
}

static void mirror_set(const Board *b, const Mirror *m, const uint8_t *from, uint8_t *to) {
    uint64_t in[BOARD_MAX_WORDS], out[BOARD_MAX_WORDS] = {0};
    size_t size = sizeof *in * (size_t)b->words;
    memcpy(in, from, size);
    for (int w = 0; w < b->words; w++)
        while (in[w]) {
            int c = m->cell[64 * w + bits_pop(&in[w])];
            out[c / 64] |= (uint64_t)1 << c % 64;
        }
    memcpy(to, out, size);
}

static int plane_after(const IrGame *ir, const Mirror *m, int plane) {
    const IrPlane *p = &ir->plane[plane];
    if (!m->exchange || p->owner == ir->players)
        return plane;
    return ir->kind[p->kind].plane[ir->players - 1 - p->owner];
}

static void mirror_stacks(const IrGame *ir, const Mirror *m, const uint8_t *from, uint8_t *to) {
    const IrLayout *l = &ir->layout;
    uint64_t mask = ((uint64_t)1 << l->stack_bits) - 1;
    for (int c = 0; c < ir->board->cells; c++) {
        const uint8_t *at = from + l->stack_offset + c * l->stack_width;
        uint64_t stack = (uint64_t)state_load(at, l->stack_width, false), copy = stack;
        for (int shift = 0; stack >> shift > 1; shift += l->stack_bits) {
            int plane = (int)(stack >> shift & mask);
            if (plane < ir->planes) {
                copy &= ~(mask << shift);
                copy |= (uint64_t)plane_after(ir, m, plane) << shift;
            }
        }
        state_store(to + l->stack_offset + m->cell[c] * l->stack_width, l->stack_width,
                    (int64_t)copy);
    }
}

static bool mirror_variable(const IrGame *ir, const Mirror *m, const IrVar *v, const uint8_t *from,
                            uint8_t *to) {
    if (!can_mirror(v->type) || (v->indexed && !can_mirror(v->index)))
        return false;
    for (int i = 0; i < v->count; i++) {
        int64_t j =
            v->indexed ? mirror_value(ir, m, v->index, i + v->index_base) - v->index_base : i;
        if (j < 0 || j >= v->count)
            return false;
        const uint8_t *a = from + v->offset + i * v->width;
        uint8_t *b = to + v->offset + j * v->width;
        if (v->type.kind == TY_SET)
            mirror_set(ir->board, m, a, b);
        else
            state_store(b, v->width,
                        mirror_value(ir, m, v->type, state_load(a, v->width, v->lo < 0)));
    }
    return true;
}

static bool mirror_attribute(const IrGame *ir, const Mirror *m, const IrAttr *a,
                             const uint8_t *from, uint8_t *to) {
    if (!can_mirror(a->type))
        return false;
    if (a->width == 0)
        mirror_set(ir->board, m, from + a->offset, to + a->offset);
    for (int c = 0; a->width > 0 && c < ir->board->cells; c++) {
        int64_t value = state_load(from + a->offset + c * a->width, a->width, a->lo < 0);
        state_store(to + a->offset + m->cell[c] * a->width, a->width,
                    mirror_value(ir, m, a->type, value));
    }
    return true;
}

bool mirror_state(const Game *g, const Mirror *m, const uint8_t *from, uint8_t *to) {
    const IrGame *ir = g->ir;
    bool ok = !m->exchange || ir->players == 2;
    memcpy(to, from, (size_t)ir->layout.size);
    for (int i = 0; i < ir->planes && ok; i++) {
        int after = plane_after(ir, m, i);
        ok = after >= 0;
        if (ok)
            mirror_set(ir->board, m, from + ir->plane[i].offset, to + ir->plane[after].offset);
    }
    if (ok && ir->board->stack > 1)
        mirror_stacks(ir, m, from, to);
    for (int i = 0; i < ir->vars && ok; i++)
        ok = mirror_variable(ir, m, &ir->var[i], from, to);
    for (int i = 0; i < ir->attrs && ok; i++)
        ok = mirror_attribute(ir, m, &ir->attr[i], from, to);
    if (ok && m->exchange) {
        int result = from[ir->layout.result];
        to[ir->layout.player] = (uint8_t)(1 - from[ir->layout.player]);
        to[ir->layout.result] =
            (uint8_t)((result & RESULT_OVER) | (result & 1) << 1 | (result >> 1 & 1));
    }
    return ok;
}
