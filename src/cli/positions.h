// positions: sets of positions, and layers of states, for the commands states and perft --merge.
//
// Positions are known by 128 bits made of the words of a state under a mask: two different ones
// are taken for one with a probability of less than one to 10^20 for a thousand million of them.
// A layer holds whole states with a number each. Both count against one limit of memory.
#ifndef LUDENS_POSITIONS_H
#define LUDENS_POSITIONS_H

#include "cli/cli.h"

typedef struct Positions {
    uint64_t (*key)[2];
    uint32_t *slot; // 0: free; else 1 + the number of a position
    size_t count, cap, slots;
} Positions;

typedef struct Layer {
    uint8_t *states;
    uint64_t *number; // what the caller counts
    size_t count, cap;
} Layer;

typedef struct Moves { // a copy: those of a Runner are gone with its next call
    Move *list;
    int cap;
} Moves;
bool moves_copy(Moves *m, const Move *moves, int count); // false when out of memory
void moves_free(Moves *m);

typedef enum PositionsStatus { POSITION_NEW, POSITION_KNOWN, POSITION_NO_MEMORY } PositionsStatus;

typedef struct Store { // what the sets and layers of a command share
    const Game *game;
    uint64_t *mask; // of a whole state
    size_t bytes, limit;
} Store;

// `merge`: states count as the same if they have the same moves, and these lead to the same;
// otherwise if they are the same position. False when out of memory.
bool positions_open(Store *s, const Game *g, bool merge, int64_t megabytes);
void positions_close(Store *s);

// Adds a position; `*index` is its number in order of appearance.
PositionsStatus positions_add(Store *s, Positions *p, const uint8_t *state, size_t *index);
void positions_free(Store *s, Positions *p);
bool layer_add(Store *s, Layer *l, const uint8_t *state, uint64_t number);
static inline const uint8_t *layer_state(const Store *s, const Layer *l, size_t n) {
    return l->states + n * (size_t)game_state_size(s->game);
}
void layer_free(Store *s, Layer *l);
// "more than 2048 MB ..." to standard error; returns EXIT_INPUT.
int store_full(const Store *s, int depth);

// --memory, in megabytes.
#define STORE_MEGABYTES 2048
#define STORE_MEGABYTES_MAX 1048576

#endif
