// perft_merge: perft --merge.
#ifndef LUDENS_PERFT_MERGE_H
#define LUDENS_PERFT_MERGE_H

#include "cli/cli.h"
#include "game/perft.h"

int perft_merge(const Cli *cli, Desk *t, int depth); // an exit status

#endif
