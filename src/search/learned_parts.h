// learned_parts: what the files that learn share; see learned.h.
#ifndef LUDENS_LEARNED_PARTS_H
#define LUDENS_LEARNED_PARTS_H

#include "base/rng.h"
#include "search/learned.h"

#define LEARNED_PLIES 400 // longer games are left unfinished: they are judged, and count half
#define LEARNED_STAGES 4
#define LEARNED_SLOTS 4096 // of a state, at most

enum { SHAPE_COUNT, SHAPE_ROW, SHAPE_COLUMN, SHAPE_CENTRE, SHAPE_ORBITS }; // of a kind's cells

typedef struct Learner {
    Learned *l;
    Runner *runner;
    LearnedFrame frame;
    double shape[SHAPE_ORBITS][BOARD_MAX_CELLS];
    int of_kind, of_player; // columns
    FitRows rows;
    double *ridge, *w;
    int32_t *guess; // NULL, or the weights it began with, in the form of Learned
    uint8_t *states, *next;
    Move *moves;
    int move_cap;
    LearnedSlot *slots;
    LearnedLook look;
    Rng rng;
    int64_t work;
    int games, decided;
    bool failed;
} Learner;

static inline size_t learned_size(const Learner *k) {
    return (size_t)game_state_size(k->l->game);
}
int32_t learned_rounded(double x); // as a weight

// --- learned_columns.c: what is weighted, from slots to columns of the regression ---
void learned_columns(Learner *k);                             // after the frame is known
int learned_column(const Learner *k, int player, int slot);   // of a slot that is no cell
double learned_slot_weight(Learner *k, int player, int slot); // from the columns' weights
// A position that led to a result with these chances; sets `failed` when out of memory.
void learned_row(Learner *k, const uint8_t *state, const double *chance, double weight);
void learned_ridge(Learner *k); // how strongly each column is pulled to 0, by the rows there are
#define LEARNED_FIXED 1e12      // keeps a column at 0

// --- learned_play.c ---
// 1 for a sole winner; 0.5 where nobody is better off than the others.
double learned_chance(int players, int result, int player);
void learned_play(Learner *k, int stage); // the games of a stage; they become rows

// --- learned_match.c ---
typedef struct LearnedCandidate { // begins as {0}
    int32_t *weight;
    unsigned uses;
} LearnedCandidate;
bool learned_candidate(const Learned *l, LearnedCandidate *out); // a copy; false: out of memory
void learned_candidate_free(LearnedCandidate *c);
// Whether the first is clearly better. Needs k->states; sets `failed` if it cannot be played.
bool learned_beats(Learner *k, const LearnedCandidate *a, const LearnedCandidate *b);

#endif
