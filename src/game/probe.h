// probe: finds faults of the rules that only show in play, by playing random games.
//
// Looked for: faults of the interpreter (a number leaves its range, a runaway turn), two moves of
// a position with the same text, states and moves whose text does not read back, declared
// symmetries that change what can be played. The first fault is reported and ends the search.
#ifndef LUDENS_PROBE_H
#define LUDENS_PROBE_H

#include "game/game.h"

// Games are left after so many moves; the next one sees other positions.
#define PROBE_PLIES 500

typedef struct ProbeLimits {
    int64_t games;  // 0: as many as the time allows
    double seconds; // 0: no limit
    uint64_t seed;
    bool (*stop)(void); // asked between moves; NULL: never
} ProbeLimits;

typedef struct ProbeFindings {
    int64_t games; // played to the end or to PROBE_PLIES
    int64_t ended; // of these, the ones that came to an end by the rules
    int64_t plies;
    int longest;
} ProbeFindings;

// True if no fault was found; otherwise it is in `diags`.
bool probe_game(const Game *g, ProbeLimits limits, ProbeFindings *findings, Diags *diags);

#endif
