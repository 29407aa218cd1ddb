// pool: see pool.h.
#include "match/pool.h"

#include "match/referee.h"

#include <pthread.h>
#include <time.h>

#define WAITING_MOST 4096 // games that ended and were not taken yet: then threads wait

struct Pool {
    PoolTask task;
    atomic_bool halt; // what contestants look at
    pthread_t thread[POOL_THREADS];
    int threads;
    pthread_mutex_t lock;
    pthread_cond_t work;  // there may be something to play, or to stop for
    pthread_cond_t ended; // there is something to take, or a thread has left
    // Below: under the lock.
    Ended *first;
    int waiting, running; // ended games; threads
    bool failed;
    Text why;
};

void pool_lock(Pool *p) {
    pthread_mutex_lock(&p->lock);
}

void pool_unlock(Pool *p) {
    pthread_mutex_unlock(&p->lock);
}

void pool_wake(Pool *p) {
    pthread_cond_broadcast(&p->work);
}

void pool_halt(Pool *p) {
    atomic_store(&p->halt, true);
    pool_wake(p);
}

bool pool_halted(const Pool *p) {
    return atomic_load(&p->halt);
}

bool pool_running(const Pool *p) {
    return p->running > 0;
}

void pool_fail(Pool *p, const char *why) {
    if (!p->failed)
        text_add(&p->why, why);
    p->failed = true;
    pool_halt(p);
}

const char *pool_failure(const Pool *p) {
    return p->failed ? text_c(&p->why) : NULL;
}

void ended_free(Ended *e) {
    played_free(&e->played);
    mem_free(e);
}

// --- the threads ---

// The next pairing, under the lock; false: nothing more to do.
static bool take_pairing(Pool *p, Pairing *pairing) {
    while (!atomic_load(&p->halt)) {
        if (p->waiting >= WAITING_MOST) {
            pthread_cond_wait(&p->work, &p->lock);
            continue;
        }
        switch (p->task.next(p->task.with, pairing)) {
        case NEXT_GAME: return true;
        case NEXT_OVER: return false;
        case NEXT_FAILED: pool_fail(p, "out of memory"); return false;
        case NEXT_WAITS: pthread_cond_wait(&p->work, &p->lock); break;
        }
    }
    return false;
}

// Plays without the lock; false: the thread has to leave.
static bool play(Pool *p, Referee *referee, const Pairing *pairing) {
    Text why = {0};
    Ended *e = mem_alloc(sizeof *e);
    pthread_mutex_unlock(&p->lock);
    bool ok = e && referee && referee_play(referee, pairing, &p->halt, &e->played, &why);
    pthread_mutex_lock(&p->lock);
    bool counts = ok && e->played.ending != END_STOPPED;
    if (counts) {
        e->next = p->first;
        p->first = e;
        p->waiting++;
        pthread_cond_signal(&p->ended);
    } else {
        p->task.forget(p->task.with, pairing->number);
        if (!ok)
            pool_fail(p, why.n ? text_c(&why) : "out of memory");
        if (e)
            ended_free(e);
    }
    text_free(&why);
    return ok;
}

static void *work(void *with) {
    Pool *p = with;
    Pairing pairing;
    Referee *referee = referee_new(p->task.contest, p->task.games);
    pthread_mutex_lock(&p->lock);
    while (take_pairing(p, &pairing) && play(p, referee, &pairing)) {
    }
    pthread_mutex_unlock(&p->lock);
    referee_free(referee); // bots take a moment to leave
    pthread_mutex_lock(&p->lock);
    p->running--;
    pthread_cond_signal(&p->ended);
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

// --- the side of who started them ---

void pool_wait(Pool *p, double seconds) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    long nano = t.tv_nsec + (long)((seconds > 0 ? seconds : 0) * 1e9);
    struct timespec at = {t.tv_sec + nano / 1000000000, nano % 1000000000};
    if (!p->first && p->running)
        pthread_cond_timedwait(&p->ended, &p->lock, &at);
}

Ended *pool_take(Pool *p, int *count) {
    Ended *all = p->first;
    *count = p->waiting;
    if (p->waiting >= WAITING_MOST)
        pool_wake(p);
    p->first = NULL;
    p->waiting = 0;
    return all;
}

static void open_locks(Pool *p) {
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->ended, &clock);
    pthread_condattr_destroy(&clock);
}

Pool *pool_start(const PoolTask *task, Text *why) {
    Pool *p = mem_alloc(sizeof *p);
    if (!p) {
        text_add(why, "out of memory");
        return NULL;
    }
    p->task = *task;
    open_locks(p);
    pthread_mutex_lock(&p->lock);
    while (p->threads < task->jobs && p->threads < POOL_THREADS &&
           pthread_create(&p->thread[p->threads], NULL, work, p) == 0)
        p->threads++;
    p->running = p->threads;
    pthread_mutex_unlock(&p->lock);
    if (p->threads > 0)
        return p;
    text_add(why, "no thread can be started");
    pool_free(p);
    return NULL;
}

void pool_free(Pool *p) {
    if (!p)
        return;
    pool_lock(p);
    pool_halt(p);
    pool_unlock(p);
    for (int i = 0; i < p->threads; i++)
        pthread_join(p->thread[i], NULL);
    while (p->first) {
        Ended *e = p->first;
        p->first = e->next;
        ended_free(e);
    }
    pthread_cond_destroy(&p->ended);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    text_free(&p->why);
    mem_free(p);
}
