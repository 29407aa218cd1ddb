// prove_parts: what the ways of proving share.
//
// A way answers one kind of question: is this position worth at least `goal` to the first player?
// `first` is the player on move in the position that is to be proven, in all positions below too.
#ifndef LUDENS_PROVE_PARTS_H
#define LUDENS_PROVE_PARTS_H

#include "search/player.h"
#include "search/prove_table.h"

// A game of more moves is not proven by walking through it.
#define PROVE_MAX_PLY 4000

typedef struct Prover {
    const Game *game;
    Runner *runner;
    int first;
    size_t size;     // of a state
    size_t identity; // of what tells positions apart: with the clocks, if there are some
    size_t memory;
    Clock clock;
    bool failed;  // the rules or memory: `why`
    bool cyclic;  // a position was repeated
    bool too_big; // more positions, or longer games, than this way can take
    // Where the whole way to a position matters (clocks.h): the hashes of those that were played
    bool whole_way;
    uint64_t past[SEARCH_MAX_LINE + 1];
    int past_count;
    const char *why;
} Prover;

static inline bool prover_stopped(const Prover *p) {
    return p->failed || p->too_big || p->clock.over;
}

// What an end of the game is worth to the first player.
int prover_value_of(const Prover *p, int result);
// What a game without end is worth.
static inline int prover_endless(const Prover *p) {
    return p->game->ir->players == 1 ? PROVE_LOST : PROVE_DRAWN;
}
void prover_fail(Prover *p, const char *why); // NULL: what the runner says

// Begins the way for positions of the game; NULL if it is not for this game, or without memory
// (prover_stopped). `ask` returns a bound of the value: at least goal, or less; what it returns
// after prover_stopped means nothing.
typedef struct ProveMethod {
    ProveWay way;
    void *(*begin)(Prover *p, const uint8_t *state);
    int (*ask)(void *with, const uint8_t *state, int goal);
    void (*end)(void *with);
    // Moves to the end with best play, where somebody wins; NULL: this way does not know.
    int (*distance)(void *with, const uint8_t *state);
} ProveMethod;

// prove_path.c: asks once more whether the goal of a puzzle can be reached. False if the game is
// none, or with the reason in the Prover.
bool prove_path(Prover *p, const uint8_t *state, ProveResult *result);

extern const ProveMethod prove_placing, prove_sum, prove_alphabeta, prove_dfpn, prove_retrograde;

// --- prove_moves.c: the positions behind the moves of all positions on the way from the root ---
typedef struct Child {
    Move move;
    ProveKey key;
    size_t state; // offset
    int result;   // of the game; 0: it goes on
    int order;    // greater ones first
    unsigned number;
} Child;

typedef struct Brood { // begins as {.p = ...}; brood_free releases it
    Prover *p;
    Child *child;
    int count, cap;
    uint8_t *states;
    size_t end, states_cap;
} Brood;

bool brood_begin(Brood *b, const uint8_t *root); // empties it; the root has offset 0
// Plays all moves of a position; they are the last children. Returns how many there are, or -1
// (prover_stopped).
int brood_expand(Brood *b, size_t state);
int brood_value_of_end(Brood *b, size_t state); // of a position without moves
void brood_free(Brood *b);

// --- prove_key.c: keys of positions, equal for positions that are mirror images ---
typedef struct Keyer Keyer;
Keyer *keyer_new(const Prover *p); // NULL when out of memory
void keyer_free(Keyer *k);
ProveKey keyer_key(Keyer *k, const uint8_t *state);

#endif
