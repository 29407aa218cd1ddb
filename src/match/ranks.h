// ranks: the copies of this program that mpirun started, on one machine or on many. Rank 0 deals
// games to the others and keeps them (dealer.h); the others play (helper.h).
//
// One Ranks in a process, used by the thread that opened it. Messages come whole, and from one rank
// in the order they were sent; what is in them is checked by who reads them (wire.h).
#ifndef LUDENS_RANKS_H
#define LUDENS_RANKS_H

#include "base/text.h"

#define RANKS_MESSAGE TEXT_LIMIT // a longer one is none
#define RANKS_MOST 65536

typedef struct Ranks Ranks;
struct RanksLink;

// What mpirun says to the programs that it starts: false if nobody did, or if there is only one.
typedef struct RanksLaunch {
    int rank, count;
    int neighbours; // ranks on this machine
} RanksLaunch;
bool ranks_launched(RanksLaunch *launch);

// Loads MPI and begins. NULL with the reason: built without it, or it does not work.
Ranks *ranks_open(Text *why);
// Over another link than MPI, which it borrows: for tests. NULL when out of memory.
Ranks *ranks_over(const struct RanksLink *link);
// Waits until all have closed.
void ranks_close(Ranks *r);

int ranks_rank(const Ranks *r);
int ranks_count(const Ranks *r);
bool ranks_send(Ranks *r, int to, const Text *message); // false: it did not get there
// The next message: 1, 0 if there is none now, -1 if no more can come.
int ranks_take(Ranks *r, int *from, Text *message);
// Sleeps for a moment, the longer the longer nothing came. MPI itself would wait at full speed.
void ranks_rest(Ranks *r);
double ranks_pause(Ranks *r); // the seconds it would sleep, for those who wait otherwise

#endif
