// helper: see helper.h.
#include "match/helper.h"

#include "base/now.h"
#include "match/wire.h"

#include <string.h>

// Games that are so short that asking for each would take longer than playing it: there are always
// enough here for so many seconds.
#define AHEAD_SECONDS 0.1
#define TELL_SECONDS 0.1

typedef struct Helper {
    const WorkersTask *task;
    Ranks *ranks;
    Pool *pool;
    Text message;
    bool over;           // rank 0 said so, or cannot be reached
    int64_t hand, asked; // games that are here; that were asked for and have not come
    double began, spent; // when it began; seconds that threads had for the games so far
    int64_t played;
    // Under the lock of the pool: what was dealt and nobody has begun.
    Pairing *queue;
    int first, count, cap;
    int64_t lost; // games that were stopped
} Helper;

// --- the queue ---

static ScheduleNext next_game(void *with, Pairing *pairing) {
    Helper *h = with;
    if (h->first == h->count)
        return NEXT_WAITS;
    *pairing = h->queue[h->first++];
    if (h->first == h->count)
        h->first = h->count = 0;
    return NEXT_GAME;
}

static void forget_game(void *with, int64_t number) {
    Helper *h = with;
    (void)number; // rank 0 deals again what does not come back
    h->lost++;
}

static bool queue_game(Helper *h, const Pairing *pairing) {
    bool ok = true;
    pool_lock(h->pool);
    if (h->first > 0 && h->count == h->cap) {
        memmove(h->queue, h->queue + h->first, sizeof *h->queue * (size_t)(h->count - h->first));
        h->count -= h->first;
        h->first = 0;
    }
    if (h->count == h->cap) {
        int cap = h->cap ? 2 * h->cap : 64;
        Pairing *grown = mem_resize(h->queue, sizeof *grown * (size_t)cap);
        ok = grown != NULL;
        h->queue = ok ? grown : h->queue;
        h->cap = ok ? cap : h->cap;
    }
    if (ok)
        h->queue[h->count++] = *pairing;
    pool_wake(h->pool);
    pool_unlock(h->pool);
    return ok;
}

// --- rank 0 ---

bool helper_begin(Ranks *ranks, Text *hello) {
    int from, there;
    while ((there = ranks_take(ranks, &from, hello)) >= 0) {
        if (there == 0)
            ranks_rest(ranks);
        else if (from == 0)
            return wire_kind(hello) == WIRE_HELLO;
    }
    return false;
}

static void say(Helper *h) {
    if (!ranks_send(h->ranks, 0, &h->message))
        h->over = true;
}

void helper_refuse(Ranks *ranks, const char *why) {
    Text message = {0};
    wire_failed(&message, why);
    ranks_send(ranks, 0, &message);
    text_free(&message);
}

// False with the reason: what rank 0 says makes no sense.
static bool hear(Helper *h, Text *why) {
    Pairing pairing;
    switch (wire_kind(&h->message)) {
    case WIRE_QUIT: h->over = true; return true;
    case WIRE_GAME:
        if (!wire_read_game(&h->message, h->task->contest, h->task->games, &pairing))
            break;
        h->hand++;
        h->asked -= h->asked > 0;
        if (queue_game(h, &pairing))
            return true;
        text_add(why, "out of memory");
        return false;
    default: break;
    }
    text_add(why, "rank 0 has sent something that makes no sense");
    return false;
}

static bool hear_all(Helper *h, Text *why) {
    int from, there;
    while ((there = ranks_take(h->ranks, &from, &h->message)) > 0)
        if (from == 0 && !hear(h, why))
            return false;
    h->over = h->over || there < 0;
    return true;
}

// As many as there are threads, and some more of those that are over in a moment.
static void ask(Helper *h) {
    double mean = h->played ? h->spent / (double)h->played : AHEAD_SECONDS;
    double ahead = mean > 0 ? AHEAD_SECONDS / mean : WIRE_AHEAD;
    int64_t jobs = h->task->jobs;
    int64_t more = (int64_t)(ahead < WIRE_AHEAD ? ahead : WIRE_AHEAD);
    int64_t wanted = jobs + (h->played ? more * jobs : 0), has = h->hand + h->asked;
    // Not for each game, if there are many.
    if (has >= jobs && has > wanted / 2)
        return;
    wire_number(&h->message, WIRE_WANT, wanted - has);
    h->asked += wanted - has;
    say(h);
}

static void send_ended(Helper *h, Ended *list) {
    while (list) {
        Ended *e = list;
        list = e->next;
        wire_played(&h->message, &e->played);
        say(h);
        h->played++;
        h->hand--;
        h->spent += e->played.ended - e->played.began;
        ended_free(e);
    }
}

// --- the whole ---

static bool stopped(const Helper *h) {
    return h->task->stop && atomic_load(h->task->stop);
}

static void play_all(Helper *h, Text *why) {
    double told = now_seconds();
    bool ok = true;
    while (ok && !h->over && !stopped(h)) {
        ok = hear_all(h, why);
        if (ok && !h->over)
            ask(h);
        int count;
        pool_lock(h->pool);
        pool_wait(h->pool, ranks_pause(h->ranks));
        Ended *list = pool_take(h->pool, &count);
        const char *failure = pool_failure(h->pool);
        if (failure)
            text_add(why, failure);
        pool_unlock(h->pool);
        ok = ok && !failure;
        send_ended(h, list);
        if (h->task->tell && now_seconds() - told > TELL_SECONDS) {
            h->task->tell(h->task->with, NULL);
            told = now_seconds();
        }
    }
}

// Running games end; those that have ended by then still count.
static void finish(Helper *h, const char *failure) {
    bool waits = true;
    pool_lock(h->pool);
    pool_halt(h->pool);
    h->hand -= h->count - h->first;
    pool_unlock(h->pool);
    while (waits) {
        int count;
        pool_lock(h->pool);
        pool_wait(h->pool, 0.01);
        Ended *list = pool_take(h->pool, &count);
        waits = pool_running(h->pool) && h->hand - count > h->lost;
        pool_unlock(h->pool);
        send_ended(h, list);
    }
    if (failure)
        wire_failed(&h->message, failure);
    else
        wire_word(&h->message, WIRE_BYE);
    say(h);
}

bool helper_run(const WorkersTask *task, Ranks *ranks, const Text *hello, Text *why) {
    Helper h = {.task = task, .ranks = ranks};
    PoolTask games = {.contest = task->contest,
                      .games = task->games,
                      .jobs = task->jobs,
                      .with = &h,
                      .next = next_game,
                      .forget = forget_game};
    if (!wire_same(hello, task->contest, task->games, why) || !(h.pool = pool_start(&games, why))) {
        helper_refuse(ranks, text_c(why));
        return false;
    }
    wire_number(&h.message, WIRE_READY, task->jobs);
    say(&h);
    play_all(&h, why);
    finish(&h, why->n ? text_c(why) : NULL);
    pool_free(h.pool);
    mem_free(h.queue);
    text_free(&h.message);
    return why->n == 0;
}
