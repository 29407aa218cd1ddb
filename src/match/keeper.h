// keeper: games that ended are kept, which means on the disk, and count then. Where the schedule
// wants it (a match that a test may end), they are kept in the order of their numbers, and what
// ended beyond the end of the test was never played.
//
//     keeper_take     games that ended come in
//     keeper_ready    how many of them can be kept now      \  under the lock of the schedule,
//     keeper_keep     puts so many on the disk               > if there is one; keeper_keep
//     keeper_count    they count                            /  without it
//
// Owns the games it has taken. Borrows the Schedule.
#ifndef LUDENS_KEEPER_H
#define LUDENS_KEEPER_H

#include "match/pool.h"

// Puts games on the disk, all or none.
typedef bool KeepGames(void *with, const Played *const *played, int count, Text *why);

typedef struct Keeper {
    Schedule *schedule;
    KeepGames *keep;
    void *with;
    Ended **held; // by number
    int count, cap;
    int64_t next; // where games count in order: the number that comes next
} Keeper;

void keeper_begin(Keeper *k, Schedule *schedule, KeepGames *keep, void *with);
void keeper_end(Keeper *k);
bool keeper_take(Keeper *k, Ended *list, int count); // false: out of memory, and nothing is taken
int keeper_ready(Keeper *k);
bool keeper_keep(Keeper *k, int n, Text *why);
void keeper_count(Keeper *k, int n); // and lets them go

#endif
