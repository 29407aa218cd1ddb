// walk_ir: the meaning of the IR, spelled out as slowly and plainly as possible, for tests.
//
// A walk runs a turn from the top with the choices of a script; at the end of the script it takes
// the first member of each further choice. The next script is the last one counted up, so that all
// runs are tried in the order of the rules. Nothing is shared with src/vm: no code, no caches, no
// undoing; only the layout of states.
#ifndef LUDENS_WALK_IR_H
#define LUDENS_WALK_IR_H

#include "base/bits.h"
#include "ir/ir.h"
#include "ir/move.h"

#include <stdlib.h>
#include <string.h>

typedef IrValue WalkValue;
#define WALK_ZERO                                                                                  \
    {                                                                                              \
        .set = { 0 }                                                                               \
    } // the whole of it, not only the number

// What is done with every value on the way; whoever includes this may have more in mind.
#ifndef WALK_NOTE
#define WALK_NOTE(walk, expr, value) (void)0
#endif

#define WALK_MAX_CHOICES 130
#define WALK_MAX_MEMBERS 600

typedef struct Walk {
    const IrGame *g;
    uint8_t *s;
    int me;
    bool again;
    int next;     // the player that ST_NEXT names, or -1
    int depth;    // of calls
    bool failed;  // a requirement
    bool faulted; // a value out of its range, a stack too high
    int script[WALK_MAX_CHOICES], members[WALK_MAX_CHOICES];
    int64_t chosen[WALK_MAX_CHOICES];
    int length; // of the script
    int at;     // choices made in this run
    Move move;
    int bits;
} Walk;

static WalkValue walk_eval(Walk *w, const IrExpr *e, WalkValue *locals);

static inline bool walk_has(const uint64_t *set, int64_t n) {
    return n >= 0 && n < BOARD_MAX_CELLS && (set[n / 64] >> (n % 64) & 1);
}

static inline void walk_put(uint64_t *set, int64_t n, bool in) {
    uint64_t bit = (uint64_t)1 << (n % 64);
    set[n / 64] = in ? set[n / 64] | bit : set[n / 64] & ~bit;
}

static inline int64_t walk_load(const uint8_t *p, int width, bool is_signed) {
    uint64_t v = 0;
    for (int i = 0; i < width; i++)
        v |= (uint64_t)p[i] << (8 * i);
    if (is_signed && width < 8 && v >> (8 * width - 1))
        v |= ~(uint64_t)0 << (8 * width);
    return (int64_t)v;
}

static inline void walk_store(uint8_t *p, int width, int64_t v) {
    for (int i = 0; i < width; i++)
        p[i] = (uint8_t)((uint64_t)v >> (8 * i));
}

// --- the board ---

static inline uint64_t *walk_plane(Walk *w, int plane) {
    return (uint64_t *)(void *)(w->s + w->g->plane[plane].offset);
}

static inline int walk_top(Walk *w, int64_t cell) {
    for (int n = 0; cell < w->g->board->cells && n < w->g->planes; n++)
        if (walk_has(walk_plane(w, n), cell))
            return n;
    return -1;
}

// The pieces on a cell from the bottom; returns how many.
static int walk_stack(Walk *w, int64_t cell, int *planes) {
    const IrLayout *l = &w->g->layout;
    if (cell >= w->g->board->cells)
        return 0;
    if (!l->stack_width) {
        planes[0] = walk_top(w, cell);
        return planes[0] >= 0;
    }
    uint64_t v =
        (uint64_t)walk_load(w->s + l->stack_offset + cell * l->stack_width, l->stack_width, false);
    int n = 0;
    for (uint64_t rest = v; rest > 1; rest >>= l->stack_bits)
        n++;
    for (int i = n - 1; i >= 0; i--, v >>= l->stack_bits)
        planes[i] = (int)(v & (((uint64_t)1 << l->stack_bits) - 1));
    return n;
}

static uint64_t walk_attrs(Walk *w, int plane) {
    return plane < 0 ? 0 : w->g->kind[w->g->plane[plane].kind].attributes;
}

static int64_t walk_attr(Walk *w, int attr, int64_t cell) {
    const IrAttr *a = &w->g->attr[attr];
    if (cell >= w->g->board->cells)
        return 0;
    if (!a->width)
        return walk_has((uint64_t *)(void *)(w->s + a->offset), cell);
    return walk_load(w->s + a->offset + cell * a->width, a->width, a->lo < 0);
}

static void walk_set_attr(Walk *w, int attr, int64_t cell, int64_t v) {
    const IrAttr *a = &w->g->attr[attr];
    if (a->width)
        walk_store(w->s + a->offset + cell * a->width, a->width, v);
    else
        walk_put((uint64_t *)(void *)(w->s + a->offset), cell, v);
}

// Puts a whole stack on a cell. Attributes named in `keep` stay if the top piece has them.
static void walk_show(Walk *w, int64_t cell, const int *planes, int n, uint64_t keep) {
    const IrGame *g = w->g;
    const IrLayout *l = &g->layout;
    if (n > g->board->stack) {
        w->faulted = true;
        return;
    }
    int top = n ? planes[n - 1] : -1;
    for (int i = 0; i < g->planes; i++)
        walk_put(walk_plane(w, i), cell, i == top);
    if (l->stack_width) {
        uint64_t v = 1;
        for (int i = 0; i < n; i++)
            v = v << l->stack_bits | (uint64_t)planes[i];
        walk_store(w->s + l->stack_offset + cell * l->stack_width, l->stack_width, (int64_t)v);
    }
    for (int i = 0; i < g->attrs; i++) {
        if (!(walk_attrs(w, top) >> i & 1))
            walk_set_attr(w, i, cell, 0);
        else if (!(keep >> i & 1))
            walk_set_attr(w, i, cell, g->attr[i].initial);
    }
}

static void walk_place(Walk *w, int64_t cell, int plane) {
    int planes[BOARD_MAX_STACK + 1];
    int n = w->g->board->stack > 1 ? walk_stack(w, cell, planes) : 0;
    planes[n] = plane;
    walk_show(w, cell, planes, n + 1, 0);
}

static void walk_move(Walk *w, int64_t from, int64_t to, int64_t level) {
    int lower[2 * BOARD_MAX_STACK], upper[2 * BOARD_MAX_STACK];
    if (from == to || from >= w->g->board->cells || to >= w->g->board->cells)
        return;
    int n = walk_stack(w, from, lower), m = walk_stack(w, to, upper);
    if (w->g->board->stack == 1) {
        walk_show(w, to, lower, n, ~(uint64_t)0);
        for (int i = 0; i < w->g->attrs; i++)
            walk_set_attr(w, i, to, walk_attr(w, i, from));
        walk_show(w, from, NULL, 0, 0);
        return;
    }
    int first = level < 0 ? 0 : level > n ? n : (int)level;
    if (first == n)
        return;
    for (int i = first; i < n; i++)
        upper[m++] = lower[i];
    walk_show(w, to, upper, m, 0);
    if (!w->faulted)
        walk_show(w, from, lower, first, 0);
}

// --- domains ---

static bool walk_passes(Walk *w, const IrDomain *d, WalkValue *locals, int64_t member) {
    WalkValue kept = locals[d->slot];
    locals[d->slot].number = member;
    bool in = !d->where || walk_eval(w, d->where, locals).number;
    locals[d->slot] = kept;
    return in;
}

static int walk_members(Walk *w, const IrDomain *d, WalkValue *locals, int64_t *out) {
    const Board *b = w->g->board;
    int64_t low = 0, high = b->lines - 1;
    WalkValue a = WALK_ZERO;
    if (d->a)
        a = walk_eval(w, d->a, locals);
    if (d->kind == DOM_RANGE) {
        low = a.number;
        high = walk_eval(w, d->b, locals).number;
    } else if (d->kind != DOM_LINES) {
        high = d->kind == DOM_MASK ? 63 : b->cells - 1;
    }
    int n = 0;
    for (int64_t x = low; x <= high; x++) {
        bool in = true;
        if (d->kind == DOM_SET)
            in = walk_has(a.set, x);
        else if (d->kind == DOM_MASK)
            in = (uint64_t)a.number >> x & 1;
        else if (d->kind == DOM_LINES && d->a)
            in = a.number < b->cells && walk_has(b->line_set + x * b->words, a.number);
        if (in && n < WALK_MAX_MEMBERS && walk_passes(w, d, locals, x))
            out[n++] = x;
    }
    return n;
}

// --- expressions ---

static WalkValue walk_number(int64_t n) {
    WalkValue v = WALK_ZERO;
    v.number = n;
    return v;
}

static WalkValue walk_table(Walk *w, const IrTable *t, int64_t i, int64_t j) {
    i -= t->base[0];
    if (t->dims == 2)
        i = i * t->size[1] + j - t->base[1];
    WalkValue v = WALK_ZERO;
    if (t->sets)
        memcpy(v.set, t->sets + i * w->g->board->words, (size_t)w->g->board->words * 8);
    else
        v.number = t->numbers[i];
    return v;
}

// Cells with a piece of this kind and this owner; -1: any.
static WalkValue walk_pieces(Walk *w, int64_t kind, int64_t owner) {
    WalkValue v = WALK_ZERO;
    for (int c = 0; c < w->g->board->cells; c++) {
        int plane = walk_top(w, c);
        if (plane >= 0 && (kind < 0 || w->g->plane[plane].kind == kind) &&
            (owner < 0 || w->g->plane[plane].owner == owner))
            walk_put(v.set, c, true);
    }
    return v;
}

static WalkValue walk_ray(Walk *w, const IrExpr *e, WalkValue *locals) {
    const Board *b = w->g->board;
    int64_t cell = walk_eval(w, e->kid[0], locals).number;
    int64_t d = walk_eval(w, e->kid[1], locals).number;
    WalkValue set = walk_eval(w, e->kid[2], locals), out = WALK_ZERO;
    for (int n = 0; n < b->cells; n++) {
        cell = b->step[cell * b->directions + d];
        if (cell == b->cells)
            break;
        bool in = walk_has(set.set, cell);
        if (e->op == IR_PAST && !in)
            return walk_number(cell);
        if (e->op == IR_RAY_WHILE && !in)
            break;
        walk_put(out.set, cell, true);
        if (e->op == IR_RAY_UNTIL && in)
            break;
    }
    return e->op == IR_PAST ? walk_number(b->cells) : out;
}

static WalkValue walk_flood(Walk *w, WalkValue from, WalkValue through) {
    const Board *b = w->g->board;
    for (bool grew = true; grew;) {
        grew = false;
        for (int c = 0; c < b->cells; c++)
            for (int d = 0; walk_has(from.set, c) && d < b->cells; d++)
                if (walk_has(b->next + c * b->words, d) && walk_has(through.set, d) &&
                    !walk_has(from.set, d)) {
                    walk_put(from.set, d, true);
                    grew = true;
                }
    }
    return from;
}

static WalkValue walk_image(Walk *w, const IrExpr *e, WalkValue *locals) {
    const IrTable *t = w->g->table[e->id];
    const Board *b = w->g->board;
    WalkValue in = walk_eval(w, e->kid[0], locals), out = WALK_ZERO;
    int64_t d = e->kid[1] ? walk_eval(w, e->kid[1], locals).number : 0;
    for (int c = 0; c < b->cells; c++) {
        if (!walk_has(in.set, c))
            continue;
        WalkValue to = walk_table(w, t, c, d);
        if (!t->sets && to.number < b->cells)
            walk_put(out.set, to.number, true);
        for (int i = 0; t->sets && i < b->words; i++)
            out.set[i] |= to.set[i];
    }
    return out;
}

static WalkValue walk_fold(Walk *w, const IrExpr *e, WalkValue *locals) {
    int64_t member[WALK_MAX_MEMBERS];
    int n = walk_members(w, e->domain, locals, member);
    WalkValue out = WALK_ZERO;
    int64_t best = 0;
    if (e->op == IR_ALL)
        out.number = 1;
    if (e->op == IR_MIN || e->op == IR_MAX || e->op == IR_LEAST || e->op == IR_MOST)
        out.number = e->value;
    for (int i = 0; i < n; i++) {
        if (e->op == IR_FILTER) {
            if (e->type.kind == TY_MASK)
                out.number |= (int64_t)((uint64_t)1 << member[i]);
            else
                walk_put(out.set, member[i], true);
            continue;
        }
        locals[e->domain->slot].number = member[i];
        WalkValue v = walk_eval(w, e->kid[0], locals);
        switch (e->op) {
        case IR_ANY: out.number |= v.number; break;
        case IR_ALL: out.number &= v.number; break;
        case IR_TALLY: out.number += v.number != 0; break;
        case IR_SUM: out.number += v.number; break;
        case IR_MIN: out.number = v.number < out.number ? v.number : out.number; break;
        case IR_MAX: out.number = v.number > out.number ? v.number : out.number; break;
        case IR_UNION:
            for (int k = 0; k < BOARD_MAX_WORDS; k++)
                out.set[k] |= v.set[k];
            break;
        default:
            if (i == 0 || (e->op == IR_LEAST ? v.number < best : v.number > best)) {
                best = v.number;
                out.number = member[i];
            }
        }
    }
    return out;
}

static int64_t walk_none(const IrGame *g, IrType t) {
    switch (t.kind) {
    case TY_PLAYER: return g->players;
    case TY_CELL: return g->board->cells;
    case TY_KIND: return g->kinds;
    default: return -1;
    }
}

static WalkValue walk_sets(Walk *w, const IrExpr *e, WalkValue a, WalkValue b) {
    WalkValue out = WALK_ZERO;
    for (int i = 0; i < BOARD_MAX_WORDS; i++)
        switch (e->op) {
        case IR_AND: out.set[i] = a.set[i] & b.set[i]; break;
        case IR_OR: out.set[i] = a.set[i] | b.set[i]; break;
        default: out.set[i] = a.set[i] & ~b.set[i]; break;
        }
    (void)w;
    return out;
}

static int64_t walk_count(WalkValue a) {
    int64_t n = 0;
    for (int i = 0; i < BOARD_MAX_WORDS; i++)
        n += bits_count(a.set[i]);
    return n;
}

static WalkValue walk_call(Walk *w, const IrExpr *e, WalkValue *locals) {
    const IrFunc *func = w->g->func[e->id];
    WalkValue *inner = calloc((size_t)func->frame.slots + 1, sizeof *inner);
    for (int i = 0; i < func->params; i++)
        inner[i] = walk_eval(w, e->args[i], locals);
    WalkValue v = walk_eval(w, func->body, inner);
    free(inner);
    return v;
}

static int64_t walk_piece(Walk *w, const IrExpr *e, int64_t cell, int64_t level) {
    int planes[BOARD_MAX_STACK + 1];
    int n = walk_stack(w, cell, planes);
    bool kind = e->op == IR_KIND_AT || e->op == IR_KIND_IN;
    if (e->op == IR_KIND_AT || e->op == IR_OWNER_AT)
        level = n - 1;
    if (level < 0 || level >= n)
        return kind ? w->g->kinds : w->g->players;
    return kind ? w->g->plane[planes[level]].kind : w->g->plane[planes[level]].owner;
}

static WalkValue walk_variable(Walk *w, const IrVar *v, int64_t index) {
    WalkValue out = WALK_ZERO;
    int64_t n = v->indexed ? index - v->index_base : 0;
    if (n < 0 || n >= v->count)
        return out;
    if (v->type.kind == TY_SET)
        memcpy(out.set, w->s + v->offset + n * v->width, (size_t)v->width);
    else
        out.number = walk_load(w->s + v->offset + n * v->width, v->width, v->lo < 0);
    return out;
}

// Conditions and what must not evaluate all its kids.
static bool walk_special(Walk *w, const IrExpr *e, WalkValue *locals, WalkValue *out) {
    switch (e->op) {
    case IR_BOTH:
        *out = walk_eval(w, e->kid[0], locals);
        if (out->number)
            *out = walk_eval(w, e->kid[1], locals);
        return true;
    case IR_EITHER:
        *out = walk_eval(w, e->kid[0], locals);
        if (!out->number)
            *out = walk_eval(w, e->kid[1], locals);
        return true;
    case IR_COND:
        *out = walk_eval(w, e->kid[walk_eval(w, e->kid[0], locals).number ? 1 : 2], locals);
        return true;
    case IR_CALL: *out = walk_call(w, e, locals); return true;
    case IR_RAY_WHILE:
    case IR_RAY_UNTIL:
    case IR_PAST: *out = walk_ray(w, e, locals); return true;
    case IR_IMAGE: *out = walk_image(w, e, locals); return true;
    default:
        if (!e->domain)
            return false;
        *out = walk_fold(w, e, locals);
        return true;
    }
}

static WalkValue walk_value(Walk *w, const IrExpr *e, WalkValue *locals) {
    const IrGame *g = w->g;
    const Board *brd = g->board;
    WalkValue out = WALK_ZERO, a = WALK_ZERO, b = WALK_ZERO;
    if (walk_special(w, e, locals, &out))
        return out;
    if (e->kid[0])
        a = walk_eval(w, e->kid[0], locals);
    if (e->kid[1])
        b = walk_eval(w, e->kid[1], locals);
    int64_t x = a.number, y = b.number;
    bool sets = e->kid[0] && e->kid[0]->type.kind == TY_SET;
    switch (e->op) {
    case IR_CONST: return walk_number(e->value);
    case IR_SET: memcpy(out.set, e->set, (size_t)brd->words * 8); return out;
    case IR_LOCAL: return locals[e->id];
    case IR_VAR: return walk_variable(w, &g->var[e->id], x);
    case IR_ATTR: return walk_number(walk_attr(w, e->id, x));
    case IR_ME: return walk_number(w->me);
    case IR_TABLE: return walk_table(w, g->table[e->id], x, y);
    case IR_OCCUPIED: return walk_pieces(w, -1, -1);
    case IR_OWNED: return walk_pieces(w, -1, x);
    case IR_PLANE: return walk_pieces(w, g->plane[e->id].kind, g->plane[e->id].owner);
    case IR_PIECES: return walk_pieces(w, e->id >= 0 ? e->id : y, e->kid[0] ? x : -1);
    case IR_KIND_AT:
    case IR_OWNER_AT:
    case IR_KIND_IN:
    case IR_OWNER_IN: return walk_number(walk_piece(w, e, x, y));
    case IR_HEIGHT: {
        int planes[BOARD_MAX_STACK + 1];
        return walk_number(walk_stack(w, x, planes));
    }
    case IR_AND:
    case IR_OR:
    case IR_MINUS: return walk_sets(w, e, a, b);
    case IR_NOT_SET:
        for (int c = 0; c < brd->cells; c++)
            walk_put(out.set, c, !walk_has(a.set, c));
        return out;
    case IR_SINGLE:
        if (x < brd->cells)
            walk_put(out.set, x, true);
        return out;
    case IR_MASK_OF:
        return walk_number(x == walk_none(g, e->kid[0]->type) ? 0 : (int64_t)((uint64_t)1 << x));
    case IR_MEMBER:
        if (x == walk_none(g, e->kid[0]->type))
            return walk_number(0);
        if (e->kid[1]->type.kind == TY_SET)
            return walk_number(walk_has(b.set, x));
        return walk_number(x >= 0 && x < 64 && ((uint64_t)y >> x & 1));
    case IR_WITHIN: return walk_number(walk_count(walk_sets(w, e, a, b)) == 0);
    case IR_SOME: return walk_number(walk_count(a) > 0);
    case IR_COUNT: return walk_number(walk_count(a));
    case IR_FIRST:
        for (int c = 0; c < BOARD_MAX_CELLS; c++)
            if (walk_has(a.set, c))
                return walk_number(c);
        return walk_number(walk_none(g, e->type));
    case IR_FLOOD: return walk_flood(w, a, b);
    case IR_LINE_SET:
        memcpy(out.set, brd->line_set + x * brd->words, (size_t)brd->words * 8);
        return out;
    case IR_ADD: return walk_number(x + y);
    case IR_SUB: return walk_number(x - y);
    case IR_MUL: return walk_number(x * y);
    case IR_DIV: return walk_number(x / y);
    case IR_MOD: return walk_number(x % y);
    case IR_NEG: return walk_number(-x);
    case IR_WRAP: return walk_number((int32_t)(uint32_t)(uint64_t)x);
    case IR_ABS: return walk_number(x < 0 ? -x : x);
    case IR_LOWER: return walk_number(x < y ? x : y);
    case IR_HIGHER: return walk_number(x > y ? x : y);
    case IR_EQ:
    case IR_NE: {
        bool same = sets ? memcmp(&a, &b, sizeof a) == 0 : x == y;
        return walk_number(same == (e->op == IR_EQ));
    }
    case IR_LT: return walk_number(x < y);
    case IR_LE: return walk_number(x <= y);
    case IR_NOT: return walk_number(!x);
    default: abort();
    }
}

static WalkValue walk_eval(Walk *w, const IrExpr *e, WalkValue *locals) {
    WalkValue v = walk_value(w, e, locals);
    WALK_NOTE(w, e, v);
    return v;
}

// --- statements ---

static void walk_block(Walk *w, const IrStmt *list, WalkValue *locals);

// Index of the member to take, of n; the script is extended where it ends.
static int walk_choose(Walk *w, int n) {
    if (n == 0) {
        w->failed = true;
        return -1;
    }
    int k = w->at++;
    if (k == w->length)
        w->script[w->length++] = 0;
    w->members[k] = n;
    return w->script[k];
}

static void walk_record(Walk *w, const IrSite *site, int64_t value) {
    w->chosen[w->at - 1] = value;
    w->bits = move_put(&w->move, w->bits, (uint64_t)(value - site->lo), site->bits);
}

static int walk_plane_of(Walk *w, const IrStmt *s, WalkValue *locals, bool scatter) {
    int64_t owner = s->e[1] ? walk_eval(w, s->e[1], locals).number : w->g->players;
    int64_t kind = s->id >= 0 || scatter ? s->id : walk_eval(w, s->e[2], locals).number;
    return kind < w->g->kinds ? w->g->kind[kind].plane[owner] : -1;
}

// The cells a statement speaks of, as a set.
static WalkValue walk_cells(Walk *w, const IrExpr *e, WalkValue *locals) {
    WalkValue v = walk_eval(w, e, locals);
    if (e->type.kind == TY_SET)
        return v;
    WalkValue out = WALK_ZERO;
    if (v.number < w->g->board->cells)
        walk_put(out.set, v.number, true);
    return out;
}

static void walk_change_board(Walk *w, const IrStmt *s, WalkValue *locals) {
    WalkValue cells = walk_cells(w, s->e[0], locals);
    int plane = -1, planes[BOARD_MAX_STACK + 1];
    if (s->kind == ST_PLACE || s->kind == ST_CHANGE) {
        plane = walk_plane_of(w, s, locals, false);
        w->faulted |= plane < 0;
    }
    for (int c = 0; c < w->g->board->cells && !w->faulted; c++) {
        if (!walk_has(cells.set, c))
            continue;
        int n = walk_stack(w, c, planes);
        if (s->kind == ST_PLACE) {
            walk_place(w, c, plane);
        } else if (s->kind == ST_CLEAR) {
            walk_show(w, c, NULL, 0, 0);
        } else if (s->kind == ST_REMOVE && n) {
            walk_show(w, c, planes, n - 1, 0);
        } else if (s->kind == ST_CHANGE && n) {
            uint64_t old = walk_attrs(w, planes[n - 1]);
            planes[n - 1] = plane;
            walk_show(w, c, planes, n, old);
        }
    }
}

static void walk_assign(Walk *w, const IrStmt *s, WalkValue *locals) {
    const IrVar *v = &w->g->var[s->id];
    WalkValue value = walk_eval(w, s->e[0], locals);
    int64_t n = v->indexed ? walk_eval(w, s->e[1], locals).number - v->index_base : 0;
    if (n < 0 || n >= v->count)
        return;
    if (v->type.kind == TY_SET) {
        memcpy(w->s + v->offset + n * v->width, value.set, (size_t)v->width);
        return;
    }
    bool ranged = v->type.kind != TY_MASK && v->type.kind != TY_BOOL;
    if (ranged && (value.number < v->lo || value.number > v->hi))
        w->faulted = true;
    else
        walk_store(w->s + v->offset + n * v->width, v->width, value.number);
}

static void walk_attribute(Walk *w, const IrStmt *s, WalkValue *locals) {
    int64_t value = walk_eval(w, s->e[0], locals).number;
    int64_t cell = walk_eval(w, s->e[1], locals).number;
    const IrAttr *a = &w->g->attr[s->id];
    if (!(walk_attrs(w, walk_top(w, cell)) >> s->id & 1))
        return;
    if (a->type.kind == TY_INT && (value < a->lo || value > a->hi))
        w->faulted = true;
    else
        walk_set_attr(w, s->id, cell, value);
}

static void walk_stmt(Walk *w, const IrStmt *s, WalkValue *locals) {
    int64_t member[WALK_MAX_MEMBERS];
    int n, k;
    switch (s->kind) {
    case ST_CHOOSE:
        n = walk_members(w, s->domain, locals, member);
        if ((k = walk_choose(w, n)) < 0)
            return;
        locals[s->domain->slot] = walk_number(member[k]);
        walk_record(w, &w->g->site[s->id], member[k]);
        break;
    case ST_EITHER: {
        const IrStmt *branch = s->body;
        n = 0;
        for (const IrStmt *b = branch; b; b = b->sibling)
            n++;
        k = walk_choose(w, n);
        walk_record(w, &w->g->site[s->id], k);
        while (k-- > 0)
            branch = branch->sibling;
        walk_block(w, branch->body, locals);
        break;
    }
    case ST_BRANCH: break;
    case ST_REQUIRE:
        if (!walk_eval(w, s->e[0], locals).number)
            w->failed = true;
        break;
    case ST_IF:
        walk_block(w, walk_eval(w, s->e[0], locals).number ? s->body : s->other, locals);
        break;
    case ST_FOR:
        n = walk_members(w, s->domain, locals, member);
        for (int i = 0; i < n && !w->failed && !w->faulted; i++) {
            locals[s->domain->slot] = walk_number(member[i]);
            walk_block(w, s->body, locals);
        }
        break;
    case ST_WHILE:
        for (int i = 0; i < s->id && !w->failed && !w->faulted; i++) {
            if (!walk_eval(w, s->e[0], locals).number)
                break;
            walk_block(w, s->body, locals);
        }
        break;
    case ST_LET: locals[s->id] = walk_eval(w, s->e[0], locals); break;
    case ST_ASSIGN: walk_assign(w, s, locals); break;
    case ST_SET_ATTR: walk_attribute(w, s, locals); break;
    case ST_MOVE:
    case ST_MOVE_ABOVE: {
        int planes[BOARD_MAX_STACK + 1];
        int64_t from = walk_eval(w, s->e[0], locals).number;
        int64_t to = walk_eval(w, s->e[1], locals).number;
        int64_t level = walk_stack(w, from, planes) - 1;
        if (s->kind == ST_MOVE_ABOVE && s->e[2])
            level = walk_eval(w, s->e[2], locals).number;
        walk_move(w, from, to, level);
        break;
    }
    case ST_PLACE:
    case ST_REMOVE:
    case ST_CLEAR:
    case ST_CHANGE: walk_change_board(w, s, locals); break;
    case ST_AGAIN:
        w->again = true;
        w->next = -1;
        break;
    case ST_NEXT:
        w->again = false;
        w->next = (int)walk_eval(w, s->e[0], locals).number;
        break;
    case ST_FAIL: w->faulted = true; break;
    case ST_CALL: {
        const IrProc *proc = w->g->proc[s->id];
        WalkValue *own = calloc((size_t)proc->frame.slots + 1, sizeof *own);
        if (own && ++w->depth <= IR_MAX_CALLS)
            walk_block(w, proc->body, own);
        else
            w->faulted = true;
        w->depth--;
        free(own);
        break;
    }
    case ST_SCATTER: abort(); // setup only
    }
}

static void walk_block(Walk *w, const IrStmt *list, WalkValue *locals) {
    for (; list && !w->failed && !w->faulted; list = list->next)
        walk_stmt(w, list, locals);
}

// --- turns and results ---

// The result byte of the first rule that holds; `otherwise` if none does; -1 for a pass.
static inline int walk_rules(Walk *w, const IrRules *rules, int otherwise) {
    WalkValue *locals = calloc((size_t)rules->frame.slots + 1, sizeof *locals);
    int result = otherwise, everyone = (1 << w->g->players) - 1;
    for (int n = 0; n < rules->count; n++) {
        const IrRule *rule = &rules->rule[n];
        if (rule->cond && !walk_eval(w, rule->cond, locals).number)
            continue;
        int64_t player = rule->player ? walk_eval(w, rule->player, locals).number : 0;
        result = RESULT_OVER;
        if (rule->outcome == OUT_PASS)
            result = -1;
        else if (rule->outcome == OUT_WINS && player < w->g->players)
            result |= 1 << player;
        else if (rule->outcome == OUT_LOSES && player < w->g->players)
            result |= everyone & ~(1 << player);
        else if (rule->outcome == OUT_MOST || rule->outcome == OUT_LEAST) {
            int64_t best = 0;
            int leaders = 0;
            for (int p = 0; p < w->g->players; p++) {
                locals[rule->slot] = walk_number(p);
                int64_t score = walk_eval(w, rule->score, locals).number;
                if (rule->outcome == OUT_LEAST)
                    score = -score;
                if (p == 0 || score > best)
                    leaders = 0;
                if (p == 0 || score >= best) {
                    best = score;
                    leaders |= 1 << p;
                }
            }
            if (bits_count((uint64_t)leaders) == 1)
                result |= leaders;
        }
        break;
    }
    free(locals);
    return result;
}

// Runs the turn along the script. True if it is a move: then w->move is its name and `to` the
// state after it.
static inline bool walk_run(Walk *w, const uint8_t *from, uint8_t *to) {
    const IrGame *g = w->g;
    memcpy(to, from, (size_t)g->layout.size);
    w->s = to;
    w->me = from[g->layout.player];
    w->again = w->failed = w->faulted = false;
    w->next = -1;
    w->depth = 0;
    w->at = w->bits = 0;
    w->move = (Move){{0, 0}};
    WalkValue *locals = calloc((size_t)g->turn_frame.slots + 1, sizeof *locals);
    walk_block(w, g->turn, locals);
    free(locals);
    if (w->failed || w->faulted)
        return false;
    to[g->layout.result] = (uint8_t)walk_rules(w, &g->end, 0);
    if (w->next >= 0 && w->next < w->g->players)
        w->s[w->g->layout.player] = (uint8_t)w->next;
    else if (!w->again)
        to[g->layout.player] = (uint8_t)((w->me + 1) % g->players);
    return true;
}

// The script after the last one; false when all runs were tried.
static inline bool walk_next(Walk *w) {
    w->length = w->at;
    while (w->length && w->script[w->length - 1] + 1 >= w->members[w->length - 1])
        w->length--;
    if (!w->length)
        return false;
    w->script[w->length - 1]++;
    return true;
}

#endif
