// guess: what an expression of the rules can be if only a few cells of the board are known.
//
// From a win condition and what stands on one cell, it tells whether the goal can be reached
// without changing that cell; from a choice and two cells, whether a piece can go from one to the
// other. What cannot be decided stays open: a Guess is never too narrow.
#ifndef LUDENS_GUESS_H
#define LUDENS_GUESS_H

#include "ir/ir.h"

#include <stdbool.h>

// Cells and `none`, small numbers; one word more than a set has.
#define GUESS_WORDS (BOARD_MAX_WORDS + 1)
#define GUESS_VALUES (64 * GUESS_WORDS)
#define GUESS_SLOTS 32 // locals of a frame that are kept track of

// Of a number: the values it can have, or `any` if that is not known. Of a set: the members it
// may have and those it must have.
typedef struct Guess {
    bool any;
    uint64_t may[GUESS_WORDS];
    uint64_t must[GUESS_WORDS];
} Guess;

typedef struct GuessCell {
    int cell;
    int plane;           // what stands there; -1: nothing
    const int64_t *attr; // by attribute; NULL: not known
} GuessCell;

typedef struct Guesser {
    const IrGame *game;
    GuessCell known[2];
    int known_count;
    // An expression without locals whose value is given: all that look the same have it too, since
    // they are evaluated in the same position.
    const IrExpr *same;
    int same_value;
    long steps; // counted down; at 0 everything is open
} Guesser;

typedef struct GuessFrame {
    Guess local[GUESS_SLOTS];
} GuessFrame;

void guess_open(Guess *out); // anything at all
void guess_value(Guess *out, int value);
bool guess_has(const Guess *g, int value); // whether it can be, or can have, that value

void guess_expr(Guesser *gs, const GuessFrame *frame, const IrExpr *e, Guess *out);
// Whether a condition can hold.
bool guess_can_hold(Guesser *gs, const GuessFrame *frame, const IrExpr *e);

#endif
