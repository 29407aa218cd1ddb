// playout: one random game from start to end, for the commands random and bench.
#ifndef LUDENS_PLAYOUT_H
#define LUDENS_PLAYOUT_H

#include "base/rng.h"
#include "game/game.h"

// Longer games are left unfinished: random play without a rule against it can go on for ever.
#define PLAYOUT_PLIES 10000

typedef struct Playout {
    Runner *runner;
    uint8_t *state;
    uint64_t *seen; // hashes of the positions so far, only for games that end by repetition
    int plies_max;
    // Of the game played last:
    int result; // 0 if it was left unfinished
    int plies;
    int64_t choices; // legal moves, summed over the plies
    int most;        // legal moves in one position
} Playout;

bool playout_open(Playout *p, Runner *r, int plies_max); // false when out of memory
void playout_close(Playout *p);
// False on a fault (runner_error).
bool playout_run(Playout *p, const uint8_t *start, Rng *rng);

#endif
