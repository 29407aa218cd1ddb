#include "baseline.h"

#define NOT_LAST_COLUMN 0x7F7F7F7F7F7F7F7Fu
typedef uint64_t Set;

static inline Set upright(Set e) { return e & e >> 8; }
static inline Set flat(Set e) { return e & e >> 1 & NOT_LAST_COLUMN; }

static uint64_t count_upright(Set e, int depth);
static uint64_t count_flat(Set e, int depth) {
    Set room = flat(e);
    if (depth == 1) return (uint64_t)bit_count(room);
    uint64_t n = 0;
    for (; room; room &= room - 1) { Set at = room & (0 - room); n += count_upright(e ^ (at * 3), depth - 1); }
    return n;
}
static uint64_t count_upright(Set e, int depth) {
    Set room = upright(e);
    if (depth == 1) return (uint64_t)bit_count(room);
    uint64_t n = 0;
    for (; room; room &= room - 1) { Set at = room & (0 - room); n += count_flat(e ^ (at * 257), depth - 1); }
    return n;
}
static uint64_t perft(int depth) { return count_upright(~(Set)0, depth); }

#ifndef VAR
#define VAR 0
#endif
#if VAR == 0
static int playout(uint64_t *rng) {
    Set e = ~(Set)0;
    for (int ply = 0;; ply += 2) {
        Set room = upright(e);
        if (!room) return ply;
        Set at = bit_deposit((Set)1 << random_below(rng, (uint64_t)bit_count(room)), room);
        e ^= at | at << 8;
        room = flat(e);
        if (!room) return ply + 1;
        at = bit_deposit((Set)1 << random_below(rng, (uint64_t)bit_count(room)), room);
        e ^= at | at << 1;
    }
}
#else
static int playout(uint64_t *rng) {
    Set e = ~(Set)0;
    int plies = 0;
    for (int turn = 0; turn < 16; turn ++) {
        Set room = upright(e);
        Set at = bit_deposit((Set)1 << random_below(rng, (uint64_t)bit_count(room)), room);
        plies += room != 0;
        e ^= at | at << 8;
        if (room == 0) e = 0;
        room = flat(e);
        at = bit_deposit((Set)1 << random_below(rng, (uint64_t)bit_count(room)), room);
        plies += room != 0;
        e ^= at | at << 1;
        if (room == 0) e = 0;
    }
    return plies;
}
#endif
const Baseline baseline_domineering = {"domineering", perft, playout};
