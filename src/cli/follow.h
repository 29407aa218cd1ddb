// follow: positions and their moves along a game that standard input gives move by move.
#ifndef LUDENS_FOLLOW_H
#define LUDENS_FOLLOW_H

#include "cli/cli.h"

// Prints the position and its moves, then again after each line of input: a move, `restart`,
// or `state TEXT`.
// With `json` a line for each position; a fault of the rules is {"fault":...}, and the last line.
// An exit status.
int moves_follow(const Desk *t, bool json);

#endif
