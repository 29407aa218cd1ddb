// order: sorts the moves of a position so that good ones are looked at first.
#ifndef LUDENS_ORDER_H
#define LUDENS_ORDER_H

#include "search/tree.h"

// By what the heuristic says about the positions they lead to, best for the player on move first;
// an end of the game counts as its value. Moves of equal worth stay in the order of the rules.
void order_by_worth(Tree *t, const MoveList *list);
// Puts a move in front of all others, which stay in order; nothing if it is not in the list.
void order_first(Tree *t, const MoveList *list, Move move);

#endif
