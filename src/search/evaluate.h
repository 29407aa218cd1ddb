// evaluate: what a position that is not over is worth, for any game, without knowing it.
//
//     none       0
//     material   own pieces minus the others', each kind by its weight
//     mobility   own moves minus the others'
//     goal       puzzles: how far from the goal, a number of moves that is never too large
//     learned    a weighted sum of such features, with weights from self-play (learned.c), cached
//     own        what the game's rules say (`worth`), where they do
//     auto       the best of these that the game has
#ifndef LUDENS_EVALUATE_H
#define LUDENS_EVALUATE_H

#include "search/search.h"

typedef struct Evaluation Evaluation;

// Immutable and shared between threads after it is made. NULL with the reason.
Evaluation *evaluation_new(const Game *game, const char *name, Text *why);
void evaluation_free(Evaluation *e);
const char *evaluation_name(const Evaluation *e);
// For the player on move; strictly between -VALUE_SURE and VALUE_SURE.
Value evaluation_value(const Evaluation *e, Runner *r, const uint8_t *state);
// For each player (games of more than two): `values` has room for all.
void evaluation_values(const Evaluation *e, Runner *r, const uint8_t *state, Value *values);
// A lower bound of the moves to the goal of a puzzle; 0 if nothing is known.
int evaluation_distance(const Evaluation *e, Runner *r, const uint8_t *state);

#endif
