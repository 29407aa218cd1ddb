// eval_state: what only a state can tell: variables, attributes, and what stands where; see eval.c.
//
// States are read byte by byte as IrLayout describes them.

#include "ir/eval.h"

#include <string.h>

// A number of 1, 2, 4 or 8 bytes.
static int64_t load(const uint8_t *at, int width, bool is_signed) {
    uint64_t value = 0;
    for (int i = 0; i < width; i++)
        value |= (uint64_t)at[i] << (8 * i);
    if (is_signed && width < 8 && value >> (8 * width - 1))
        value |= ~(uint64_t)0 << (8 * width);
    return (int64_t)value;
}

static bool variable(IrEval *v, const IrExpr *e, IrValue *out) {
    const IrVar *var = &v->g->var[e->id];
    int64_t n = 0;
    if (var->indexed && !eval_number(v, e->kid[0], &n))
        return false;
    n -= var->indexed ? var->index_base : 0;
    memset(out, 0, sizeof *out);
    if (n < 0 || n >= (var->indexed ? var->count : 1))
        return true;
    const uint8_t *at = v->view->state + var->offset + n * var->width;
    if (ir_is_set(var->type))
        memcpy(out->set, at, (size_t)var->width);
    else
        out->number = load(at, var->width, var->lo < 0);
    return true;
}

// --- pieces ---

static bool on_plane(const IrEval *v, int plane, int64_t cell) {
    uint64_t word;
    memcpy(&word, v->view->state + v->g->plane[plane].offset + cell / 64 * 8, sizeof word);
    return word >> (cell % 64) & 1;
}

static bool is_cell(const IrEval *v, int64_t cell) {
    return cell >= 0 && cell < v->g->board->cells;
}

// The plane on top of a cell; -1 if it is empty or none.
static int top_of(const IrEval *v, int64_t cell) {
    for (int p = 0; is_cell(v, cell) && p < v->g->planes; p++)
        if (on_plane(v, p, cell))
            return p;
    return -1;
}

// The pieces on a cell, bottom first; returns how many.
static int stack_of(const IrEval *v, int64_t cell, int *planes) {
    const IrLayout *l = &v->g->layout;
    if (!l->stack_width) {
        planes[0] = top_of(v, cell);
        return planes[0] >= 0;
    }
    if (!is_cell(v, cell))
        return 0;
    uint64_t whole = (uint64_t)load(v->view->state + l->stack_offset + cell * l->stack_width,
                                    l->stack_width, false);
    int n = 0;
    for (uint64_t rest = whole; rest > 1 && n < BOARD_MAX_STACK; rest >>= l->stack_bits)
        n++;
    for (int i = n - 1; i >= 0; i--, whole >>= l->stack_bits)
        planes[i] = (int)(whole & (((uint64_t)1 << l->stack_bits) - 1));
    return n;
}

// Cells with a piece of this kind and this owner on top; -1: of any.
static void pieces(const IrEval *v, int64_t kind, int64_t owner, IrValue *out) {
    memset(out, 0, sizeof *out);
    *v->steps -= v->g->planes;
    for (int p = 0; p < v->g->planes; p++) {
        const IrPlane *plane = &v->g->plane[p];
        if ((kind >= 0 && plane->kind != kind) || (owner >= 0 && plane->owner != owner))
            continue;
        for (int i = 0; i < v->g->board->words; i++) {
            uint64_t word;
            memcpy(&word, v->view->state + plane->offset + 8 * i, sizeof word);
            out->set[i] |= word;
        }
    }
}

static bool pieces_asked(IrEval *v, const IrExpr *e, IrValue *out) {
    int64_t kind = e->id, owner = -1;
    if (e->kid[0] && !eval_number(v, e->kid[0], &owner))
        return false;
    if (kind < 0 && !eval_number(v, e->kid[1], &kind))
        return false;
    pieces(v, kind, owner, out);
    return true;
}

static bool attribute(IrEval *v, const IrExpr *e, IrValue *out) {
    const IrAttr *a = &v->g->attr[e->id];
    int64_t cell;
    if (!eval_number(v, e->kid[0], &cell))
        return false;
    out->number = 0;
    if (!is_cell(v, cell))
        return true;
    const uint8_t *at = v->view->state + a->offset;
    if (a->width)
        out->number = load(at + cell * a->width, a->width, a->lo < 0);
    else
        out->number = load(at + cell / 64 * 8, 8, false) >> (cell % 64) & 1;
    return true;
}

// Kind or owner of the piece on a cell, or at a level of it; its height.
static bool piece_at(IrEval *v, const IrExpr *e, IrValue *out) {
    int planes[BOARD_MAX_STACK + 1];
    int64_t cell, level = 0;
    bool inside = e->op == IR_KIND_IN || e->op == IR_OWNER_IN;
    if (!eval_number(v, e->kid[0], &cell) || (inside && !eval_number(v, e->kid[1], &level)))
        return false;
    *v->steps -= v->g->planes;
    int plane = -1, n = inside || e->op == IR_HEIGHT ? stack_of(v, cell, planes) : 0;
    if (inside && level >= 0 && level < n)
        plane = planes[level];
    else if (!inside)
        plane = top_of(v, cell);
    switch (e->op) {
    case IR_HEIGHT: out->number = n; break;
    case IR_KIND_AT:
    case IR_KIND_IN: out->number = plane < 0 ? v->g->kinds : v->g->plane[plane].kind; break;
    default: out->number = plane < 0 ? v->g->players : v->g->plane[plane].owner;
    }
    return true;
}

bool eval_state(IrEval *v, const IrExpr *e, IrValue *out) {
    int64_t owner;
    switch (e->op) {
    case IR_ME: out->number = v->view->me; return true;
    case IR_VAR: return variable(v, e, out);
    case IR_ATTR: return attribute(v, e, out);
    case IR_OCCUPIED: pieces(v, -1, -1, out); return true;
    case IR_OWNED:
        if (!eval_number(v, e->kid[0], &owner))
            return false;
        pieces(v, -1, owner, out);
        return true;
    case IR_PLANE: pieces(v, v->g->plane[e->id].kind, v->g->plane[e->id].owner, out); return true;
    case IR_PIECES: return pieces_asked(v, e, out);
    case IR_KIND_AT:
    case IR_OWNER_AT:
    case IR_KIND_IN:
    case IR_OWNER_IN:
    case IR_HEIGHT: return piece_at(v, e, out);
    default: return false;
    }
}
