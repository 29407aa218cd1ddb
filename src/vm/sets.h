// sets: what the instructions of run.c do with sets of cells: steps, rays, lines, floods, and with
// the fields of a state. Sets of one word have forms of their own (`_1`), as most boards have.
//
// Only run.c includes this; it is a header so that the compiler still sees all of the loop at once.
#ifndef LUDENS_VM_SETS_H
#define LUDENS_VM_SETS_H

#include "vm/code.h"

#include <string.h>

#define EACH_WORD for (int w = 0; w < words; w++)

static inline bool has_bit(uint64_t set, uint64_t bit) {
    return bit < 64 && (set >> bit & 1);
}

static inline bool has_bit_n(const uint64_t *set, uint64_t bit, int words) {
    return bit < 64 * (uint64_t)words && (set[bit >> 6] >> (bit & 63) & 1);
}

static inline bool within(const uint64_t *a, const uint64_t *b, int words) {
    for (int w = 0; w < words; w++)
        if (a[w] & ~b[w])
            return false;
    return true;
}

static inline bool meet(const uint64_t *a, const uint64_t *b, int words) {
    for (int w = 0; w < words; w++)
        if (a[w] & b[w])
            return true;
    return false;
}

static inline bool same(const uint64_t *a, const uint64_t *b, int words) {
    for (int w = 0; w < words; w++)
        if (a[w] != b[w])
            return false;
    return true;
}

static inline bool some(const uint64_t *a, int words) {
    for (int w = 0; w < words; w++)
        if (a[w])
            return true;
    return false;
}

static inline int64_t count(const uint64_t *a, int words) {
    int64_t n = 0;
    for (int w = 0; w < words; w++)
        n += bits_count(a[w]);
    return n;
}

// Takes the first member out of a set; -1 if there is none.
static inline int pop(uint64_t *a, int words) {
    for (int w = 0; w < words; w++)
        if (a[w])
            return 64 * w + bits_pop(&a[w]);
    return -1;
}

static inline bool some_line(const VmProgram *p, uint64_t cell, const uint64_t *set) {
    const int words = p->words;
    if (cell >= (uint64_t)p->cells)
        return false;
    const int *start = &p->game->board->through_start[cell];
    const uint64_t *line = p->through_set + (size_t)start[0] * (size_t)words;
    for (int n = start[1] - start[0]; n > 0; n--, line += words)
        if (within(line, set, words))
            return true;
    return false;
}

static inline bool some_line_1(const VmProgram *p, uint64_t cell, uint64_t set) {
    if (cell >= (uint64_t)p->cells)
        return false;
    const int *start = &p->game->board->through_start[cell];
    const uint64_t *line = p->through_set + start[0];
    const uint64_t *end = p->through_set + start[1];
    for (; line < end; line++)
        if ((*line & ~set) == 0)
            return true;
    return false;
}

static inline bool any_line(const VmProgram *p, const uint64_t *set) {
    const int words = p->words;
    for (int v = 0; v < words; v++)
        for (uint64_t left = set[v]; left;) {
            int cell = 64 * v + bits_pop(&left);
            for (int n = p->first_start[cell]; n < p->first_start[cell + 1]; n++)
                if (within(p->first_set + (size_t)n * (size_t)words, set, words))
                    return true;
        }
    return false;
}

// The plane with this cell, or -1.
static inline int top_plane(const VmProgram *p, const uint8_t *s, uint64_t cell) {
    if (p->words > 1 || !p->planes_in_row)
        return vm_plane_at(p, s, cell);
    const uint64_t *plane = (const uint64_t *)(const void *)s;
    for (int n = 0; n < p->planes; n++)
        if (has_bit(plane[n], cell))
            return n;
    return -1;
}

static inline void union_list(const VmProgram *p, const uint8_t *s, VmList list, uint64_t *out) {
    const int words = p->words;
    const uint16_t *offset = p->list_offset + list.first;
    EACH_WORD out[w] = 0;
    for (int n = 0; n < list.count; n++)
        EACH_WORD out[w] |= ((const uint64_t *)(const void *)(s + offset[n]))[w];
}

static inline void occupied(const VmProgram *p, const uint8_t *s, uint64_t *out) {
    const int words = p->words;
    EACH_WORD out[w] = 0;
    for (int n = 0; n < p->planes; n++)
        EACH_WORD out[w] |= ((const uint64_t *)(const void *)(s + p->plane_offset[n]))[w];
}

static inline void image(const VmProgram *p, const VmView *view, const uint64_t *in,
                         uint64_t *out) {
    const int words = p->words;
    uint64_t sum[BOARD_MAX_WORDS] = {0};
    for (int v = 0; v < words; v++)
        for (uint64_t left = in[v]; left;) {
            uint64_t cell = 64 * (uint64_t)v + (uint64_t)bits_pop(&left);
            if (cell < view->size[0])
                EACH_WORD sum[w] |= view->sets[cell * view->stride * (uint64_t)words + (uint64_t)w];
        }
    EACH_WORD out[w] = sum[w];
}

static inline void steps(const VmProgram *p, const VmView *view, const uint64_t *in, uint64_t d,
                         uint64_t *out) {
    const int words = p->words;
    uint64_t sum[BOARD_MAX_WORDS] = {0};
    if (d < view->size[1])
        for (int v = 0; v < words; v++)
            for (uint64_t left = in[v]; left;) {
                uint64_t cell = 64 * (uint64_t)v + (uint64_t)bits_pop(&left);
                if (cell >= view->size[0])
                    break;
                uint64_t to = (uint64_t)(int64_t)view->numbers[cell * view->stride + d];
                if (to < (uint64_t)p->cells)
                    sum[to >> 6] |= (uint64_t)1 << (to & 63);
            }
    EACH_WORD out[w] = sum[w];
}

static inline uint64_t shift_by(uint64_t set, int delta) {
    return delta >= 0 ? set << delta : set >> -delta;
}

static inline uint64_t shift(const VmProgram *p, uint64_t in, uint64_t d) {
    if (d >= (uint64_t)p->game->board->directions)
        return 0;
    const VmStep *step = &p->step[d];
    uint64_t out = 0;
    for (int n = 0; n < step->parts; n++)
        out |= shift_by(in & step->mask[n], step->delta[n]);
    return out;
}

static inline uint64_t unshift(const VmProgram *p, uint64_t in, uint64_t d) {
    if (d >= (uint64_t)p->game->board->directions)
        return 0;
    const VmStep *step = &p->step[d];
    uint64_t out = 0;
    for (int n = 0; n < step->parts; n++)
        out |= shift_by(in, -step->delta[n]) & step->mask[n];
    return out;
}

static inline uint64_t shifts(const VmProgram *p, uint64_t in, uint64_t directions) {
    uint64_t out = 0;
    while (directions)
        out |= shift(p, in, (uint64_t)bits_pop(&directions));
    return out;
}

static inline uint64_t hops(const VmProgram *p, uint64_t in, uint64_t over, uint64_t directions) {
    uint64_t out = 0;
    while (directions) {
        uint64_t d = (uint64_t)bits_pop(&directions);
        uint64_t at = shift(p, in, d) & over;
        if (at)
            out |= shift(p, at, d);
    }
    return out;
}

// The cells from `cell` in direction d while in `set`; the first beyond it, or none, is returned.
static inline uint64_t walk(const VmProgram *p, uint64_t cell, uint64_t d, const uint64_t *set,
                            uint64_t *out) {
    const Board *b = p->game->board;
    const int words = p->words;
    const uint64_t none = (uint64_t)p->cells;
    EACH_WORD out[w] = 0;
    // A ring of cells would lead round and round: no ray is longer than the board.
    for (int n = 0; n < p->cells; n++) {
        cell = (uint64_t)b->step[cell * (uint64_t)b->directions + d];
        if (cell >= none || !has_bit_n(set, cell, words))
            return cell;
        out[cell >> 6] |= (uint64_t)1 << (cell & 63);
    }
    return none;
}

// The first cell of a set on the way up or down, or -1.
static inline int first_on_way(const uint64_t *set, int words, bool up) {
    if (up) {
        for (int w = 0; w < words; w++)
            if (set[w])
                return 64 * w + bits_lowest(set[w]);
    } else {
        for (int w = words - 1; w >= 0; w--)
            if (set[w])
                return 64 * w + 63 - __builtin_clzll(set[w]);
    }
    return -1;
}

// The same as walk, from the table of rays: what lies behind the first cell not in `set` is cut.
static inline uint64_t ray(const VmProgram *p, uint64_t cell, uint64_t d, const uint64_t *set,
                           uint64_t *out) {
    const int words = p->words;
    const uint64_t directions = (uint64_t)p->game->board->directions;
    if (cell >= (uint64_t)p->cells || d >= directions) {
        EACH_WORD out[w] = 0;
        return (uint64_t)p->cells;
    }
    if (!p->ray)
        return walk(p, cell, d, set, out);
    const uint64_t *whole = p->ray + (cell * directions + d) * (uint64_t)words;
    uint64_t stops[BOARD_MAX_WORDS];
    EACH_WORD stops[w] = whole[w] & ~set[w];
    int first = first_on_way(stops, words, p->ray_up[d]);
    if (first < 0) {
        EACH_WORD out[w] = whole[w];
        return (uint64_t)p->cells;
    }
    const uint64_t *behind = p->ray + ((uint64_t)first * directions + d) * (uint64_t)words;
    EACH_WORD out[w] = whole[w] & ~behind[w];
    out[first >> 6] &= ~((uint64_t)1 << (first & 63));
    return (uint64_t)first;
}

static inline void ray_while(const VmProgram *p, uint64_t cell, uint64_t d, const uint64_t *set,
                             uint64_t *out) {
    const int words = p->words;
    uint64_t found[BOARD_MAX_WORDS];
    ray(p, cell, d, set, found);
    EACH_WORD out[w] = found[w];
}

static inline void ray_until(const VmProgram *p, uint64_t cell, uint64_t d, const uint64_t *set,
                             uint64_t *out) {
    const int words = p->words;
    uint64_t open[BOARD_MAX_WORDS] = {0}, found[BOARD_MAX_WORDS];
    EACH_WORD open[w] = ~set[w];
    uint64_t last = ray(p, cell, d, open, found);
    if (last < (uint64_t)p->cells)
        found[last >> 6] |= (uint64_t)1 << (last & 63);
    EACH_WORD out[w] = found[w];
}

static inline uint64_t past(const VmProgram *p, uint64_t cell, uint64_t d, const uint64_t *set) {
    uint64_t found[BOARD_MAX_WORDS];
    return ray(p, cell, d, set, found);
}

static inline void slide(const VmProgram *p, uint64_t cell, uint64_t directions,
                         const uint64_t *set, bool until, uint64_t *out) {
    const int words = p->words;
    uint64_t sum[BOARD_MAX_WORDS] = {0}, one[BOARD_MAX_WORDS];
    while (directions) {
        uint64_t d = (uint64_t)bits_pop(&directions);
        if (until)
            ray_until(p, cell, d, set, one);
        else
            ray_while(p, cell, d, set, one);
        EACH_WORD sum[w] |= one[w];
    }
    EACH_WORD out[w] = sum[w];
}

// One word, rays from the table: what most boards are. `stops` is where a ray ends.
static inline uint64_t ray_1(const VmProgram *p, uint64_t cell, uint64_t d, uint64_t stops,
                             bool until) {
    const uint64_t directions = (uint64_t)p->game->board->directions;
    if (cell >= (uint64_t)p->cells || d >= directions)
        return 0;
    uint64_t whole = p->ray[cell * directions + d];
    stops &= whole;
    if (!stops)
        return whole;
    uint64_t first = (uint64_t)(p->ray_up[d] ? bits_lowest(stops) : 63 - __builtin_clzll(stops));
    whole &= ~p->ray[first * directions + d];
    return until ? whole : whole & ~((uint64_t)1 << first);
}

static inline uint64_t past_1(const VmProgram *p, uint64_t cell, uint64_t d, uint64_t set) {
    const uint64_t directions = (uint64_t)p->game->board->directions;
    if (cell >= (uint64_t)p->cells || d >= directions)
        return (uint64_t)p->cells;
    uint64_t stops = p->ray[cell * directions + d] & ~set;
    if (!stops)
        return (uint64_t)p->cells;
    return (uint64_t)(p->ray_up[d] ? bits_lowest(stops) : 63 - __builtin_clzll(stops));
}

static inline uint64_t slide_1(const VmProgram *p, uint64_t cell, uint64_t directions,
                               uint64_t stops, bool until) {
    uint64_t sum = 0;
    while (directions)
        sum |= ray_1(p, cell, (uint64_t)bits_pop(&directions), stops, until);
    return sum;
}

static inline void flood(const VmProgram *p, const uint64_t *from, const uint64_t *through,
                         uint64_t *out) {
    const int words = p->words;
    const uint64_t *next = p->game->board->next;
    uint64_t reached[BOARD_MAX_WORDS], border[BOARD_MAX_WORDS];
    EACH_WORD reached[w] = border[w] = from[w];
    for (int cell; (cell = pop(border, words)) >= 0 && cell < p->cells;) {
        const uint64_t *beside = next + (size_t)cell * (size_t)words;
        EACH_WORD {
            uint64_t fresh = beside[w] & through[w] & ~reached[w];
            reached[w] |= fresh;
            border[w] |= fresh;
        }
    }
    EACH_WORD out[w] = reached[w];
}

static inline void store(uint8_t *s, const VmField *field, uint64_t index, const uint64_t *value) {
    uint8_t *to = s + field->offset + index * field->width;
    switch (field->width) {
    case 1: *to = (uint8_t)*value; break;
    case 2: *(uint16_t *)(void *)to = (uint16_t)*value; break;
    case 4: *(uint32_t *)(void *)to = (uint32_t)*value; break;
    default: memcpy(to, value, field->width); break;
    }
}

static inline void place_set(const VmProgram *p, uint64_t *plane, uint64_t set, uint64_t to) {
    for (int n = 0; n < p->planes; n++)
        plane[n] &= ~set;
    plane[to] |= set & p->all[0];
}

static inline void change_set(const VmProgram *p, uint64_t *plane, uint64_t set, uint64_t to) {
    uint64_t here = 0;
    for (int n = 0; n < p->planes; n++) {
        here |= plane[n] & set;
        plane[n] &= ~set;
    }
    plane[to] |= here;
}

static inline void copy_state(uint8_t *to, const uint8_t *from, int size) {
    uint64_t *t = (uint64_t *)(void *)to;
    const uint64_t *f = (const uint64_t *)(const void *)from;
    for (int n = size / 8; n > 0; n--)
        *t++ = *f++;
}

static inline int64_t quotient(int64_t a, int64_t b) {
    if (b == 0)
        return 0;
    return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static inline int64_t remainder_of(int64_t a, int64_t b) {
    return b == 0 || b == -1 ? 0 : a % b;
}

#endif
