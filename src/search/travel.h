// travel: what the turn of a game can do to the board, for the bounds of goal.c.
#ifndef LUDENS_TRAVEL_H
#define LUDENS_TRAVEL_H

#include "search/guess.h"

#define TRAVEL_NEVER 0xffff // in place of a number of moves: there is no way

// How many cells one move can change at most, at least 1.
int travel_changes(const IrGame *g);

// If all that a move ever does to the board is to bring one piece, as it is, to an empty cell:
// [plane * cells * cells + from * cells + to] is 1 where that may be possible for the piece.
// NULL if a move can do something else, if that is not certain, or without memory. The caller
// frees it.
uint8_t *travel_steps(const IrGame *g);

#endif
