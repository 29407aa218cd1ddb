// pool: threads that play games, each with a Referee of its own: pairings in, ended games out.
//
// Where the pairings come from is the caller's affair: `next` and `forget` are called by the
// threads, under the lock. A Pool is used by one thread besides its own; it borrows the Contest and
// the Games.
#ifndef LUDENS_POOL_H
#define LUDENS_POOL_H

#include "match/schedule.h"

#define POOL_THREADS 256

typedef struct Ended { // a game that was played; the list is in no order
    struct Ended *next;
    Played played;
} Ended;

typedef struct PoolTask {
    const Contest *contest;
    Game *const *games;
    int jobs;
    void *with;
    ScheduleNext (*next)(void *with, Pairing *pairing);
    void (*forget)(void *with, int64_t number); // it was given out and not played
} PoolTask;

typedef struct Pool Pool;

Pool *pool_start(const PoolTask *task, Text *why); // NULL: no memory, no thread
void pool_free(Pool *p);                           // halts, waits for the threads

void pool_lock(Pool *p);
void pool_unlock(Pool *p);

// --- under the lock ---
void pool_wake(Pool *p);                  // there may be something to play again
void pool_halt(Pool *p);                  // running games end and do not count
bool pool_halted(const Pool *p);          // by pool_halt or by a failure
bool pool_running(const Pool *p);         // some thread has not left yet
void pool_wait(Pool *p, double seconds);  // until a game ended or a thread left, or so long
Ended *pool_take(Pool *p, int *count);    // the games that ended; the caller's
void pool_fail(Pool *p, const char *why); // halts; the first reason stays
// NULL: nothing failed.
const char *pool_failure(const Pool *p);

void ended_free(Ended *e); // one of them

#endif
