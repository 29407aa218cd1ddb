// learned: an evaluation that every game has, from features of its states, weighted by self-play.
//
// A state is taken apart into *slots*, each with the player it belongs to: a kind of piece on a
// cell, an attribute of a kind, a variable of the player, lines that lack so many pieces, stacks
// by height, moves, being on move. An evaluation is a weight for each slot of each player; what a
// state is worth to a player is the sum of the player's slots against the mean of the others'.
//
//     learned_mirror.c   in which mirrors the rules look the same: those share weights
//     learned_play.c     plays games, random ones first, then by what was learnt from them
//     learned_look.c     a small search, for better games
//     learned_fit.c      logistic regression: which weights explain the results best
//     learned_match.c    which of several fits plays best
//     learned_fast.c     evaluates by tables made of the weights
//     learned_fast_*.c   the same: sums, lines
//     learned_columns.c  from slots to what is weighted
//     learned_learn.c    from one to the other
//     learned.c          keeping; evaluating
#ifndef LUDENS_LEARNED_H
#define LUDENS_LEARNED_H

#include "game/mirror.h"
#include "search/search.h"

#ifndef LEARNED_SHARE // builds with sanitizers learn from a part of the games
#define LEARNED_SHARE 1
#endif
#define LEARNED_MISSING 8 // lines that lack this many pieces or more do not count
#define LEARNED_SCALE 32  // weights are kept in parts of a Value
#define LEARNED_UNIT 500  // Values to a logit: near 0 values are thousandths of a win

// Where the slots of a player begin; before `attr` a slot for each kind on each cell.
typedef struct LearnedSlots {
    int attr, var, line, stack, mobility, tempo, bias, count;
} LearnedSlots;
void learned_slots(const IrGame *ir, LearnedSlots *out);

// Which slots are looked at: the others cost time and are known to weigh nothing.
enum { LEARNED_LINES = 1, LEARNED_MOBILITY = 2, LEARNED_ATTRS = 4, LEARNED_STACKS = 8 };

typedef struct Learned {
    const Game *game;
    LearnedSlots slots;
    unsigned uses;
    const atomic_bool *stop;  // set by others: nothing more is learnt; may be NULL
    int32_t *weight;          // [player * slots.count + slot]
    struct LearnedFast *fast; // made of the weights as they are; NULL: the slots are walked over
} Learned;

typedef struct LearnedSlot {
    int player, slot, value;
} LearnedSlot;

static inline bool learned_stopped(const Learned *l) {
    return l->stop && atomic_load_explicit(l->stop, memory_order_relaxed);
}

// --- learned_slots.c ---
// The slots of a state that are not 0, at most `cap`; how many there are.
int learned_take(const Learned *l, Runner *r, const uint8_t *state, LearnedSlot *out, int cap);
// What the state is worth to each player, before the others are taken off; in LEARNED_SCALE.
void learned_sums(const Learned *l, Runner *r, const uint8_t *state, int64_t *sums);
Value learned_value(const Learned *l, Runner *r, const uint8_t *state, int player);
// The same for n states that come one after the other, each for the player on move there; false
// where that is not quicker than one by one.
bool learned_each(const Learned *l, Runner *r, const uint8_t *states, int n, Value *values);
// The moves of a player, as they count.
#define LEARNED_MOVES_MOST 500

// --- learned_fast.c ---
// The same sums by tables. NULL when out of memory, or where that is not possible.
typedef struct LearnedFast LearnedFast;
LearnedFast *learned_fast_new(const Learned *l);
void learned_fast_free(LearnedFast *f);
// A sum for each player; with two players only one, that of the first less that of the second.
void learned_fast_sums(const LearnedFast *f, Runner *r, const uint8_t *state, int64_t *sums);
// With two players: the sums of n states that come one after the other, at most LEARNED_EACH.
#define LEARNED_EACH 64
void learned_fast_each(const LearnedFast *f, Runner *r, const uint8_t *states, int n,
                       int64_t *sums);

// --- learned_mirror.c ---
typedef struct LearnedFrame {
    bool shared;                           // all players have the same weights
    int16_t to[2][BOARD_MAX_CELLS];        // shared, two players: a player's cell as the first's
    int16_t orbit[BOARD_MAX_CELLS], count; // cells that are the same in some mirror
} LearnedFrame;
// Plays some random games to find out. False when out of memory or the rules fail.
bool learned_frame(const Game *g, Runner *r, LearnedFrame *out);

// --- learned_fit.c ---
// Rows of numbers, each with the chance that it stands for, to be explained by a weighted sum.
typedef struct FitRows { // begins as {0}
    int columns;
    int rows, row_cap;
    int *start;                      // of each row, and the end of the last
    float *chance, *weight, *offset; // the offset is added to the sum
    int size, cap;
    uint16_t *column;
    float *value;
    const atomic_bool *stop; // fits no further; may be NULL
} FitRows;
// False when out of memory.
bool fit_begin_row(FitRows *f, double chance, double weight, double offset);
bool fit_add(FitRows *f, int column, double value); // to the last row
void fit_clear(FitRows *f);
void fit_free(FitRows *f);
double fit_least(const FitRows *f); // the deviance of one who knows all chances: of draws not 0
// Logistic regression. Column i is pulled to 0 by ridge[i]; `w` begins anywhere. Returns the
// deviance per row, in nats; negative when out of memory, of no meaning when it was stopped.
double fit_logistic(const FitRows *f, const double *ridge, double *w);

// --- learned_look.c ---
#define LEARNED_DEPTH 4 // at most
typedef struct LearnedLook {
    const Learned *l;
    Runner *runner;
    uint8_t *states; // one for each depth
    Move *moves, *root;
    int root_cap;
    int64_t work; // positions; where there are very many moves each counts as several
    int64_t each; //   as so many
    bool failed;  // the rules
} LearnedLook;
bool learned_look_begin(LearnedLook *s, const Learned *l, Runner *r); // false: out of memory
void learned_look_end(LearnedLook *s);
// What a state is worth to `me`, looking `depth` moves ahead: exact between low and high.
Value learned_look(LearnedLook *s, const uint8_t *state, int me, int depth, Value low, Value high);
// A move of a position that is not over, and its value: of the moves that seem best at once the one
// that is best when looking `depth` moves ahead, 1 to LEARNED_DEPTH - 1.
bool learned_choose(LearnedLook *s, const uint8_t *state, int depth, Move *move, Value *value);

// --- learned_learn.c ---
// Plays and fits; false with the reason, also if nothing could be learnt.
bool learned_learn(Learned *l, Text *why);

#endif
