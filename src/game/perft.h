// perft: counting sequences of moves.
//
// Owns its buffers. Belongs to one thread.
#ifndef LUDENS_PERFT_H
#define LUDENS_PERFT_H

#include "game/game.h"

// Beyond this the numbers have no names; it bounds the buffers.
#define PERFT_MAX 200

typedef struct Perft {
    Runner *runner;
    bool (*halt)(void *with); // asked often: whether to stop; may be NULL
    void (*busy)(void *with); // told that there is work; may be NULL
    void *with;
    bool stopped;   // by `halt`: the count is not complete
    int64_t leaves; // sequences counted so far, also of counts that were stopped
    struct PerftLevel {
        uint8_t *state;
        Move *moves;
        int cap;
    } level[PERFT_MAX + 1];
} Perft;

// The number of sequences of `depth` moves from `state`; -1 on a fault (runner_error) or when
// stopped. A Perft starts as {.runner = ...}.
int64_t perft_count(Perft *p, const uint8_t *state, int depth);
void perft_free(Perft *p);

#endif
