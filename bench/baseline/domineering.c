// domineering 8x8: the empty cells are one word, a domino is a bit and its neighbour.
//
// Who cannot move loses, so a game is: room for me? take one of it. 13 cycles a ply, all of them
// latency: shift, and, count, multiply, deposit, xor.
#include "baseline.h"

typedef uint64_t Set;

#define NOT_LAST_COLUMN 0x7F7F7F7F7F7F7F7Fu

// The lower (left) cells of the dominoes that fit.
static inline Set upright_room(Set empty) {
    return empty & empty >> 8;
}

static inline Set flat_room(Set empty) {
    return (empty & NOT_LAST_COLUMN) & empty >> 1;
}

static inline Set lay_upright(Set empty, Set at) {
    return (empty ^ at) ^ at << 8; // in this order: only one xor waits for the shift
}

static inline Set lay_flat(Set empty, Set at) {
    return (empty ^ at) ^ at << 1;
}

// All dominoes, upright and flat, in rows of seven.
#define ROW(d, i)                                                                                  \
    (Set)(d) << (i), (Set)(d) << ((i) + 1), (Set)(d) << ((i) + 2), (Set)(d) << ((i) + 3),          \
        (Set)(d) << ((i) + 4), (Set)(d) << ((i) + 5), (Set)(d) << ((i) + 6)
static const Set upright[56] = {ROW(257, 0),  ROW(257, 7),  ROW(257, 14), ROW(257, 21),
                                ROW(257, 28), ROW(257, 35), ROW(257, 42), ROW(257, 49)};
static const Set flat[56] = {ROW(3, 0),  ROW(3, 8),  ROW(3, 16), ROW(3, 24),
                             ROW(3, 32), ROW(3, 40), ROW(3, 48), ROW(3, 56)};

// One ply before the last all 56 dominoes are tried, whether they fit or not: a loop without
// branches, which the compiler turns into vectors with a vector popcount.
static uint64_t count_after_upright(Set empty) {
    uint64_t n = 0;
    for (int i = 0; i < 56; i++) {
        uint64_t replies = bit_count(flat_room(empty & ~upright[i]));
        n += upright[i] & ~empty ? 0 : replies;
    }
    return n;
}

static uint64_t count_after_flat(Set empty) {
    uint64_t n = 0;
    for (int i = 0; i < 56; i++) {
        uint64_t replies = bit_count(upright_room(empty & ~flat[i]));
        n += flat[i] & ~empty ? 0 : replies;
    }
    return n;
}

static uint64_t count_twos_flat(Set empty, int depth);

static uint64_t count_twos_upright(Set empty, int depth) {
    if (depth == 2)
        return count_after_upright(empty);
    uint64_t n = 0;
    for (Set room = upright_room(empty); room; room &= room - 1)
        n += count_twos_flat(lay_upright(empty, bit_lowest(room)), depth - 1);
    return n;
}

static uint64_t count_twos_flat(Set empty, int depth) {
    if (depth == 2)
        return count_after_flat(empty);
    uint64_t n = 0;
    for (Set room = flat_room(empty); room; room &= room - 1)
        n += count_twos_upright(lay_flat(empty, bit_lowest(room)), depth - 1);
    return n;
}

static uint64_t perft_two(int depth) {
    Set empty = ~(Set)0;
    return depth == 1 ? bit_count(upright_room(empty)) : count_twos_upright(empty, depth);
}

// Domino by domino.
static uint64_t count_flat(Set empty, int depth);

static uint64_t count_upright(Set empty, int depth) {
    uint64_t n = 0;
    if (depth == 2) {
        for (Set room = upright_room(empty); room; room &= room - 1)
            n += bit_count(flat_room(lay_upright(empty, bit_lowest(room))));
        return n;
    }
    for (Set room = upright_room(empty); room; room &= room - 1)
        n += count_flat(lay_upright(empty, bit_lowest(room)), depth - 1);
    return n;
}

static uint64_t count_flat(Set empty, int depth) {
    uint64_t n = 0;
    if (depth == 2) {
        for (Set room = flat_room(empty); room; room &= room - 1)
            n += bit_count(upright_room(lay_flat(empty, bit_lowest(room))));
        return n;
    }
    for (Set room = flat_room(empty); room; room &= room - 1)
        n += count_upright(lay_flat(empty, bit_lowest(room)), depth - 1);
    return n;
}

static uint64_t perft(int depth) {
    Set empty = ~(Set)0;
    return depth == 1 ? bit_count(upright_room(empty)) : count_upright(empty, depth);
}

static int playout(uint64_t *rng) {
    uint64_t random = *rng;
    // The first domino needs no count: there are always 56 places.
    Set empty = lay_upright(~(Set)0, (Set)1 << random_below(&random, 56));
    int plies = 1;
    for (;; plies += 2) {
        Set room = flat_room(empty);
        if (!room)
            break;
        empty = lay_flat(empty, bit_draw(room, &random));
        room = upright_room(empty);
        if (!room) {
            plies++;
            break;
        }
        empty = lay_upright(empty, bit_draw(room, &random));
    }
    *rng = random;
    return plies;
}

const Baseline baseline_domineering = {"domineering", perft, perft_two, playout, NULL};
