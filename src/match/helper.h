// helper: a rank other than 0. Asks rank 0 for games, plays them on its threads, and sends them
// back; see wire.h for what is said.
#ifndef LUDENS_HELPER_H
#define LUDENS_HELPER_H

#include "match/ranks.h"
#include "match/workers.h"

// Waits until rank 0 says what is to be done. False: nothing; the rank leaves.
bool helper_begin(Ranks *ranks, Text *hello);
// The same contest could not be made here: rank 0 hears why.
void helper_refuse(Ranks *ranks, const char *why);
// Plays until rank 0 has no more, or `stop` of the task is set. Of the task also contest, games and
// jobs are used, and `tell` without news. False with the reason.
bool helper_run(const WorkersTask *task, Ranks *ranks, const Text *hello, Text *why);

#endif
