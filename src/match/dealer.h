// dealer: rank 0. Deals the games of a contest to the other ranks as they ask for them, keeps what
// they have played, and counts it then; see wire.h for what is said.
//
// A rank that leaves or says something wrong gets no more games; what it had is dealt again. Which
// games are played and how they end depends neither on the number of ranks nor on their speed, as
// long as no clock decides.
#ifndef LUDENS_DEALER_H
#define LUDENS_DEALER_H

#include "match/ranks.h"
#include "match/workers.h"

// As workers_run; `jobs` of the task is not used. `complain` (may be NULL) hears about ranks that
// are of no use. False also when no rank is left to play.
typedef void DealerComplain(void *with, int rank, const char *why);
bool dealer_run(const WorkersTask *task, Ranks *ranks, DealerComplain *complain, Text *why);
// Before dealer_run, or instead of it: all others may go home.
void dealer_dismiss(Ranks *ranks);

#endif
