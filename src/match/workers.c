// workers: see workers.h.
#include "match/workers.h"

#include "match/referee.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define WAITING_MOST 4096   // games that ended and are not kept yet: then workers wait
#define BATCH_SECONDS 0.004 // between two times of keeping: what ends meanwhile goes together
#define TELL_SECONDS 0.1

typedef struct Ended { // a game that waits to be kept
    struct Ended *next;
    Played played;
} Ended;

typedef struct Workers {
    const WorkersTask *task;
    atomic_bool halt; // ours: something failed, or `stop` was seen; what contestants look at
    pthread_mutex_t lock;
    pthread_cond_t work;  // there may be something to play, or to stop for
    pthread_cond_t ended; // there is something to keep, or a worker has left
    // Below: under the lock.
    Ended *first;
    int waiting, running; // ended games; workers
    bool failed;
    Text why;
} Workers;

static struct timespec in_seconds(double seconds) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    long nano = t.tv_nsec + (long)(seconds * 1e9);
    return (struct timespec){t.tv_sec + nano / 1000000000, nano % 1000000000};
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(Workers *w, const char *why) {
    if (!w->failed)
        text_add(&w->why, why);
    w->failed = true;
    atomic_store(&w->halt, true);
    pthread_cond_broadcast(&w->work);
}

// --- the workers ---

// The next pairing, under the lock; false: nothing more to do.
static bool take_pairing(Workers *w, Pairing *pairing) {
    while (!atomic_load(&w->halt)) {
        if (w->waiting >= WAITING_MOST) {
            pthread_cond_wait(&w->work, &w->lock);
            continue;
        }
        switch (schedule_next(w->task->schedule, pairing)) {
        case NEXT_GAME: return true;
        case NEXT_OVER: return false;
        case NEXT_FAILED: fail(w, "out of memory"); return false;
        case NEXT_WAITS: pthread_cond_wait(&w->work, &w->lock); break;
        }
    }
    return false;
}

// Plays without the lock; false: the worker has to leave.
static bool play(Workers *w, Referee *referee, const Pairing *pairing) {
    Text why = {0};
    Ended *e = mem_alloc(sizeof *e);
    pthread_mutex_unlock(&w->lock);
    bool ok = e && referee && referee_play(referee, pairing, &w->halt, &e->played, &why);
    pthread_mutex_lock(&w->lock);
    bool counts = ok && e->played.ending != END_STOPPED;
    if (counts) {
        e->next = w->first;
        w->first = e;
        w->waiting++;
        pthread_cond_signal(&w->ended);
    } else {
        schedule_forget(w->task->schedule, pairing->number);
        if (!ok)
            fail(w, why.n ? text_c(&why) : "out of memory");
        if (e)
            played_free(&e->played);
        mem_free(e);
    }
    text_free(&why);
    return ok;
}

static void *work(void *with) {
    Workers *w = with;
    Pairing pairing;
    Referee *referee = referee_new(w->task->contest, w->task->games);
    pthread_mutex_lock(&w->lock);
    while (take_pairing(w, &pairing) && play(w, referee, &pairing)) {
    }
    pthread_mutex_unlock(&w->lock);
    referee_free(referee); // bots take a moment to leave
    pthread_mutex_lock(&w->lock);
    w->running--;
    pthread_cond_signal(&w->ended);
    pthread_cond_broadcast(&w->work);
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

// --- keeping ---

static int by_number(const void *one, const void *other) {
    const Ended *a = *(Ended *const *)one, *b = *(Ended *const *)other;
    return a->played.pairing.number < b->played.pairing.number ? -1 : 1;
}

// Games that ended, by number. Of a test only those without a gap before them: the others wait in
// `held`, for the test may end before them.
typedef struct Keeper {
    Ended **held;
    int count, cap;
    int64_t next; // of a test: the number that comes next
    double last;  // when something was kept
} Keeper;

static bool take_ended(Workers *w, Keeper *k) {
    if (k->count + w->waiting > k->cap) {
        int cap = 2 * (k->count + w->waiting);
        Ended **held = mem_resize(k->held, sizeof *held * (size_t)cap);
        if (!held)
            return false;
        k->held = held;
        k->cap = cap;
    }
    for (; w->first; w->first = w->first->next)
        k->held[k->count++] = w->first;
    if (w->waiting >= WAITING_MOST)
        pthread_cond_broadcast(&w->work);
    w->waiting = 0;
    if (k->count > 1) // qsort may not be given NULL, not even for nothing
        qsort(k->held, (size_t)k->count, sizeof *k->held, by_number);
    return true;
}

static int ready_count(const Workers *w, const Keeper *k) {
    if (schedule_verdict(w->task->schedule) != SPRT_GOES_ON)
        return 0; // what lies beyond the end of the test was not played
    if (!schedule_in_order(w->task->schedule))
        return k->count;
    int n = 0;
    while (n < k->count && k->held[n]->played.pairing.number == k->next + n)
        n++;
    return n;
}

static void drop(Keeper *k, int n) {
    for (int i = 0; i < n; i++) {
        played_free(&k->held[i]->played);
        mem_free(k->held[i]);
    }
    for (int i = n; i < k->count; i++)
        k->held[i - n] = k->held[i];
    k->count -= n;
}

static void count(Workers *w, const Keeper *k, int n) {
    for (int i = 0; i < n; i++) {
        const Played *p = &k->held[i]->played;
        schedule_result(w->task->schedule, p->pairing.number, p->ending, p->result);
    }
}

// Asks the test game by game; how many count until its end. It cannot wait until they are kept, but
// nobody hears of it before.
static int count_in_order(Workers *w, const Keeper *k, int ready) {
    int n = 0;
    while (n < ready && schedule_verdict(w->task->schedule) == SPRT_GOES_ON) {
        const Played *p = &k->held[n++]->played;
        schedule_result(w->task->schedule, p->pairing.number, p->ending, p->result);
    }
    return n;
}

static void keep_ready(Workers *w, Keeper *k) {
    const WorkersTask *task = w->task;
    bool in_order = schedule_in_order(task->schedule);
    pthread_mutex_lock(&w->lock);
    int n = ready_count(w, k);
    n = in_order ? count_in_order(w, k, n) : n;
    pthread_mutex_unlock(&w->lock);
    if (n == 0)
        return;
    Text why = {0};
    const Played **list = mem_alloc(sizeof *list * (size_t)n);
    for (int i = 0; list && i < n; i++)
        list[i] = &k->held[i]->played;
    bool ok = list && task->keep(task->with, list, n, &why);
    mem_free(list);
    pthread_mutex_lock(&w->lock);
    if (!ok)
        fail(w, why.n ? text_c(&why) : "out of memory");
    else if (!in_order)
        count(w, k, n);
    pthread_cond_broadcast(&w->work);
    pthread_mutex_unlock(&w->lock);
    text_free(&why);
    k->next += n;
    drop(k, n);
}

// Waits until something ended, but not longer than until the next time to tell.
static void wait_for_games(Workers *w, double until) {
    double left = until - now();
    struct timespec at = in_seconds(left > 0 ? left : 0);
    if (!w->first && w->running)
        pthread_cond_timedwait(&w->ended, &w->lock, &at);
}

static void tell(Workers *w) {
    if (!w->task->tell)
        return;
    pthread_mutex_lock(&w->lock);
    const Schedule *s = w->task->schedule;
    WorkersNews news = {schedule_played(s), schedule_total(s), schedule_score(s)};
    pthread_mutex_unlock(&w->lock);
    w->task->tell(w->task->with, &news);
}

static void keep_games(Workers *w) {
    Keeper k = {.next = schedule_played(w->task->schedule)};
    for (bool more = true; more;) {
        pthread_mutex_lock(&w->lock);
        wait_for_games(w, now() + TELL_SECONDS);
        if (w->task->stop && atomic_load(w->task->stop) && !atomic_load(&w->halt)) {
            atomic_store(&w->halt, true);
            pthread_cond_broadcast(&w->work);
        }
        bool ended = w->first != NULL;
        more = w->running > 0 || ended;
        pthread_mutex_unlock(&w->lock);
        double pause = k.last + BATCH_SECONDS - now();
        if (ended && more && pause > 0)
            nanosleep(&(struct timespec){.tv_nsec = (long)(pause * 1e9)}, NULL);
        k.last = now();
        pthread_mutex_lock(&w->lock);
        if (!take_ended(w, &k))
            fail(w, "out of memory");
        bool failed = w->failed;
        pthread_mutex_unlock(&w->lock);
        if (!failed)
            keep_ready(w, &k);
        tell(w);
    }
    drop(&k, k.count);
    mem_free(k.held);
}

// --- the whole ---

static void open_locks(Workers *w) {
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->work, NULL);
    pthread_cond_init(&w->ended, &clock);
    pthread_condattr_destroy(&clock);
}

static void close_locks(Workers *w) {
    pthread_cond_destroy(&w->ended);
    pthread_cond_destroy(&w->work);
    pthread_mutex_destroy(&w->lock);
}

bool workers_run(const WorkersTask *task, Text *why) {
    Workers w = {.task = task};
    pthread_t thread[WORKERS_MAX];
    int threads = 0;
    open_locks(&w);
    pthread_mutex_lock(&w.lock);
    while (threads < task->jobs && threads < WORKERS_MAX &&
           pthread_create(&thread[threads], NULL, work, &w) == 0)
        threads++;
    w.running = threads;
    if (threads == 0)
        fail(&w, "no thread can be started");
    pthread_mutex_unlock(&w.lock);
    keep_games(&w);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    close_locks(&w);
    text_add(why, text_c(&w.why));
    text_free(&w.why);
    return !w.failed;
}

int workers_usual(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > WORKERS_MAX ? WORKERS_MAX : (int)n;
}
