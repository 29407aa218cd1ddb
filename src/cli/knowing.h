// knowing: a game, a position and what is known about it, for the commands that explain.
#ifndef LUDENS_KNOWING_H
#define LUDENS_KNOWING_H

#include "cli/cli.h"
#include "knowledge/knowledge.h"

// The rules of --knowledge, or those of the game's own file. An exit status (failures reported,
// also that there are none).
int knowing_open(const Cli *cli, const Game *g, Knowledge **k);
// For players: the rules of --knowledge alone; NULL without it.
int knowing_lend(const Cli *cli, const Game *g, Knowledge **k);

#endif
