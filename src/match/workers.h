// workers: the games of a contest, played by several threads. Each has a Referee of its own; the
// thread that calls workers_run keeps what they have played and counts it then.
//
//     schedule ──► pairing ──► a worker plays ──► ended games ──► keep (on the disk) ──► schedule
//
// Which games are played and how they end does not depend on the number of threads, as long as no
// clock decides: the random numbers of a game come from its number.
#ifndef LUDENS_WORKERS_H
#define LUDENS_WORKERS_H

#include "match/pool.h"

#include <stdatomic.h>

#define WORKERS_MAX POOL_THREADS

typedef struct WorkersNews {
    int64_t played, total;
    Score score; // of a match of two
} WorkersNews;

typedef struct WorkersTask {
    const Contest *contest;
    Game *const *games;
    Schedule *schedule; // has the results of earlier runs
    int jobs;
    const atomic_bool *stop; // set by others: running games end and do not count
    void *with;              // what the functions get
    // Puts games on the disk, all or none; they count as soon as it returns true.
    bool (*keep)(void *with, const Played *const *played, int count, Text *why);
    // Called about ten times a second, and when games were counted: for those who look on.
    void (*tell)(void *with, const WorkersNews *news);
} WorkersTask;

// Until the contest is over or stopped. False with the reason: memory, threads, `keep`. What was
// kept until then counts.
bool workers_run(const WorkersTask *task, Text *why);
int workers_usual(void); // as many as there are processors for this program

#endif
