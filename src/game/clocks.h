// clocks: what the clocks of the rules mean for who wants to know a position again.
//
// A clock does not tell positions apart (layout.h): two that differ only there are drawn alike and
// count as repeated. What they are worth may differ all the same.
#ifndef LUDENS_CLOCKS_H
#define LUDENS_CLOCKS_H

#include "base/rng.h"
#include "game/record.h"

typedef enum Clocks {
    CLOCKS_SILENT, // there are none, or nothing is decided by them
    CLOCKS_DRAW,   // all they do is to end the game as a draw, at the most they can say
    CLOCKS_COUNT,  // anything else
} Clocks;
Clocks clocks_of(const Game *g);

// How many bytes of a state, from the first on, say what it is worth.
static inline size_t clocks_bytes(const Game *g, Clocks clocks) {
    return (size_t)(clocks == CLOCKS_SILENT ? g->ir->layout.identity : g->ir->layout.size);
}
// The hash of these: states of one value have equal ones.
static inline uint64_t clocks_hash(const Game *g, Clocks clocks, const uint8_t *state) {
    uint64_t key = game_hash(g, state);
    size_t bytes = clocks_bytes(g, clocks);
    for (size_t i = (size_t)g->ir->layout.identity; i < bytes; i += 8) {
        uint64_t word;
        memcpy(&word, state + i, sizeof word);
        word ^= key;
        key = rng_splitmix(&word);
    }
    return key;
}

// Repetition. Nobody needs to come to a position twice to win, so all that matters of the way to a
// position is where the game is a draw by coming once more. But a clock may be waited for: then
// what a position is worth depends on the whole way.
static inline bool clocks_whole_way(const Game *g, Clocks clocks) {
    return g->ir->repeated > 0 && clocks == CLOCKS_COUNT;
}
// What matters of the game so far, as one number: what was worth so much stays so while this does.
static inline uint64_t clocks_past(const Game *g, Clocks clocks, const Record *record) {
    int times = clocks_whole_way(g, clocks) ? 1 : g->ir->repeated - 1;
    return times > 0 ? record_past(record, times) : 0;
}
// What a position on the way from there adds to that, where the whole way matters.
static inline uint64_t clocks_step(uint64_t hash) {
    return rng_splitmix(&hash);
}

#endif
