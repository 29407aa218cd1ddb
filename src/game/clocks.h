// clocks: what the clocks of the rules mean for who wants to know a position again.
//
// A clock does not tell positions apart (layout.h): two that differ only there are drawn alike and
// count as repeated. What they are worth may differ all the same.
#ifndef LUDENS_CLOCKS_H
#define LUDENS_CLOCKS_H

#include "base/rng.h"
#include "game/game.h"

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

#endif
