// move: the choices of one move, packed into 16 bytes.
//
// Choices stand one after the other from the low end, each in the bits of its site (IrSite.bits),
// stored as value - site.lo. The bits left over are zero, so moves compare as memory. Which
// choice comes next only the turn program knows: reading a move means running it.
#ifndef LUDENS_MOVE_H
#define LUDENS_MOVE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Move {
    uint64_t w[2];
} Move;

#define MOVE_PASS ((Move){{0, (uint64_t)1 << 63}})

static inline bool move_is_pass(Move m) {
    return m.w[1] >> 63;
}

static inline bool move_equal(Move a, Move b) {
    return a.w[0] == b.w[0] && a.w[1] == b.w[1];
}

// Appends `bits` (0..32) of `value` at position `at`; returns the position after them.
static inline int move_put(Move *m, int at, uint64_t value, int bits) {
    if (at < 64) {
        m->w[0] |= value << at;
        if (at + bits > 64)
            m->w[1] |= value >> (64 - at);
    } else {
        m->w[1] |= value << (at - 64);
    }
    return at + bits;
}

static inline uint64_t move_get(Move m, int at, int bits) {
    uint64_t v = at < 64 ? m.w[0] >> at : m.w[1] >> (at - 64);
    if (at < 64 && at + bits > 64)
        v |= m.w[1] << (64 - at);
    return v & (((uint64_t)1 << bits) - 1);
}

#endif
