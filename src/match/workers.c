// workers: see workers.h.
#define _GNU_SOURCE // sched_getaffinity
#include "match/workers.h"

#include "base/now.h"
#include "match/keeper.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#define BATCH_SECONDS 0.004 // between two times of keeping: what ends meanwhile goes together
#define TELL_SECONDS 0.1

static ScheduleNext next_game(void *with, Pairing *pairing) {
    return schedule_next(with, pairing);
}

static void forget_game(void *with, int64_t number) {
    schedule_forget(with, number);
}

// --- keeping ---

static void keep_ready(Pool *pool, Keeper *k) {
    pool_lock(pool);
    int n = keeper_ready(k);
    pool_unlock(pool);
    if (n == 0)
        return;
    Text why = {0};
    bool ok = keeper_keep(k, n, &why);
    pool_lock(pool);
    if (ok)
        keeper_count(k, n);
    else
        pool_fail(pool, text_c(&why));
    pool_wake(pool);
    pool_unlock(pool);
    text_free(&why);
}

static void tell(const WorkersTask *task, Pool *pool) {
    if (!task->tell)
        return;
    pool_lock(pool);
    const Schedule *s = task->schedule;
    WorkersNews news = {schedule_played(s), schedule_total(s), schedule_score(s)};
    pool_unlock(pool);
    task->tell(task->with, &news);
}

// What ended within a moment goes to the disk together. True: something may be ready.
static bool gather(const WorkersTask *task, Pool *pool, Keeper *k, double *last, bool *more) {
    int count;
    pool_lock(pool);
    pool_wait(pool, TELL_SECONDS);
    if (task->stop && atomic_load(task->stop) && !pool_halted(pool))
        pool_halt(pool);
    Ended *list = pool_take(pool, &count);
    *more = pool_running(pool) || count > 0;
    pool_unlock(pool);
    double pause = *last + BATCH_SECONDS - now_seconds();
    if (count > 0 && pause > 0)
        nanosleep(&(struct timespec){.tv_nsec = (long)(pause * 1e9)}, NULL);
    *last = now_seconds();
    bool ok = keeper_take(k, list, count);
    pool_lock(pool);
    list = pool_take(pool, &count);
    ok = keeper_take(k, list, count) && ok;
    if (!ok)
        pool_fail(pool, "out of memory");
    ok = !pool_failure(pool);
    pool_unlock(pool);
    return ok;
}

// --- the whole ---

bool workers_run(const WorkersTask *task, Text *why) {
    PoolTask games = {.contest = task->contest,
                      .games = task->games,
                      .jobs = task->jobs,
                      .with = task->schedule,
                      .next = next_game,
                      .forget = forget_game};
    Keeper keeper;
    keeper_begin(&keeper, task->schedule, task->keep, task->with);
    Pool *pool = pool_start(&games, why);
    double last = 0;
    for (bool more = pool != NULL; more;) {
        if (gather(task, pool, &keeper, &last, &more))
            keep_ready(pool, &keeper);
        tell(task, pool);
    }
    const char *failure = pool ? pool_failure(pool) : NULL;
    bool ok = pool && !failure;
    if (failure)
        text_add(why, failure);
    pool_free(pool);
    keeper_end(&keeper);
    return ok;
}

// A program may be bound to some of the processors: by `taskset`, mpirun or a container.
int workers_usual(void) {
    cpu_set_t ours;
    long n = sched_getaffinity(0, sizeof ours, &ours) == 0 ? CPU_COUNT(&ours)
                                                           : sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > WORKERS_MAX ? WORKERS_MAX : (int)n;
}
