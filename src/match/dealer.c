// dealer: see dealer.h.
#include "match/dealer.h"

#include "base/now.h"
#include "match/keeper.h"
#include "match/wire.h"

#define TELL_SECONDS 0.1
#define KEEP_SECONDS 0.004   // between two times of keeping: what ends meanwhile goes together
#define FAREWELL_SECONDS 0.6 // for last words: mpirun kills a second after it has asked to stop

typedef struct Rank {
    bool gone;
    int64_t most;   // games that it can have
    int64_t wants;  // games that it has asked for and not got
    Pairing *dealt; // that it has
    int count, cap;
} Rank;

typedef struct Dealer {
    const WorkersTask *task;
    Ranks *ranks;
    DealerComplain *complain;
    Rank *rank; // [count]; 0 is not used
    int count, left;
    Keeper keeper;
    Ended *ended; // came in, not taken by the keeper yet
    int ended_count;
    Text message;
    bool leaving; // all are sent home: nobody minds who goes
    bool failed;
    Text why;
} Dealer;

static void fail(Dealer *d, const char *why) {
    if (!d->failed)
        text_add(&d->why, why);
    d->failed = true;
}

// --- ranks ---

static void lose_rank(Dealer *d, int which, const char *why) {
    Rank *r = &d->rank[which];
    if (r->gone)
        return;
    r->gone = true;
    d->left--;
    for (int i = 0; i < r->count; i++)
        schedule_forget(d->task->schedule, r->dealt[i].number);
    r->count = 0;
    r->wants = 0;
    if (why && d->complain && !d->leaving)
        d->complain(d->task->with, which, why);
}

// It is told to go; what it says from now on is not heard.
static void send_away(Dealer *d, int which, const char *why) {
    Text quit = {0};
    wire_word(&quit, WIRE_QUIT);
    ranks_send(d->ranks, which, &quit);
    text_free(&quit);
    lose_rank(d, which, why);
}

void dealer_dismiss(Ranks *ranks) {
    Text quit = {0};
    wire_word(&quit, WIRE_QUIT);
    for (int i = 1; i < ranks_count(ranks); i++)
        ranks_send(ranks, i, &quit);
    text_free(&quit);
}

static Pairing *find_dealt(Rank *r, int64_t number) {
    for (int i = 0; i < r->count; i++)
        if (r->dealt[i].number == number)
            return &r->dealt[i];
    return NULL;
}

// --- what they say ---

// False: it makes no sense.
static bool hear_played(Dealer *d, Rank *r) {
    int64_t number;
    Pairing *dealt = wire_played_number(&d->message, &number) ? find_dealt(r, number) : NULL;
    if (!dealt)
        return false;
    Ended *e = mem_alloc(sizeof *e);
    if (!e) {
        fail(d, "out of memory");
        return true;
    }
    int players = d->task->games[dealt->game]->ir->players;
    if (!wire_read_played(&d->message, d->task->contest, dealt, players, &e->played)) {
        ended_free(e);
        return false;
    }
    *dealt = r->dealt[--r->count];
    e->next = d->ended;
    d->ended = e;
    d->ended_count++;
    return true;
}

static bool hear_want(Dealer *d, Rank *r) {
    int64_t more;
    if (!wire_read_number(&d->message, r->most, &more) || r->count + r->wants + more > r->most)
        return false;
    r->wants += more;
    return true;
}

static bool hear_ready(Dealer *d, Rank *r) {
    int64_t jobs;
    bool ok = r->most == 0 && wire_read_number(&d->message, WORKERS_MAX, &jobs);
    r->most = ok ? jobs * (1 + WIRE_AHEAD) : r->most;
    return ok;
}

static void hear(Dealer *d, int from) {
    Rank *r = &d->rank[from];
    bool sense = true;
    if (r->gone)
        return;
    switch (wire_kind(&d->message)) {
    case WIRE_READY: sense = hear_ready(d, r); break;
    case WIRE_WANT: sense = hear_want(d, r); break;
    case WIRE_PLAYED: sense = hear_played(d, r); break;
    case WIRE_BYE: lose_rank(d, from, "it has left"); break;
    case WIRE_FAILED: {
        Text why = {0};
        wire_read_failed(&d->message, &why);
        lose_rank(d, from, text_c(&why));
        text_free(&why);
        break;
    }
    default: sense = false;
    }
    if (!sense)
        send_away(d, from, "it has sent something that makes no sense");
}

// All that is there now; false: no more can come.
static bool hear_all(Dealer *d) {
    int from, there;
    while ((there = ranks_take(d->ranks, &from, &d->message)) > 0)
        if (from > 0 && from < d->count)
            hear(d, from);
    return there == 0;
}

// --- dealing ---

static bool give(Dealer *d, int which, const Pairing *pairing) {
    Rank *r = &d->rank[which];
    if (r->count == r->cap) {
        int cap = r->cap ? 2 * r->cap : 16;
        Pairing *grown = mem_resize(r->dealt, sizeof *grown * (size_t)cap);
        if (!grown)
            return false;
        r->dealt = grown;
        r->cap = cap;
    }
    r->dealt[r->count++] = *pairing;
    r->wants--;
    wire_game(&d->message, pairing);
    if (!ranks_send(d->ranks, which, &d->message))
        lose_rank(d, which, "it cannot be reached");
    return true;
}

// A game to each that wants one, in turn, as long as there are any.
static void deal(Dealer *d) {
    for (bool more = true; more && !d->failed;) {
        more = false;
        for (int i = 1; i < d->count && !d->failed; i++) {
            Pairing pairing;
            if (d->rank[i].wants <= 0)
                continue;
            ScheduleNext next = schedule_next(d->task->schedule, &pairing);
            if (next == NEXT_FAILED || (next == NEXT_GAME && !give(d, i, &pairing)))
                fail(d, "out of memory");
            if (next != NEXT_GAME)
                return;
            more = true;
        }
    }
}

// --- keeping ---

static void keep(Dealer *d) {
    Ended *list = d->ended;
    int count = d->ended_count;
    d->ended = NULL;
    d->ended_count = 0;
    if (!keeper_take(&d->keeper, list, count))
        fail(d, "out of memory");
    int n = d->failed ? 0 : keeper_ready(&d->keeper);
    if (n == 0)
        return;
    Text why = {0};
    if (keeper_keep(&d->keeper, n, &why))
        keeper_count(&d->keeper, n);
    else
        fail(d, text_c(&why));
    text_free(&why);
}

static void tell(Dealer *d) {
    const Schedule *s = d->task->schedule;
    WorkersNews news = {schedule_played(s), schedule_total(s), schedule_score(s)};
    if (d->task->tell)
        d->task->tell(d->task->with, &news);
}

// --- the whole ---

static bool stopped(const Dealer *d) {
    return d->task->stop && atomic_load(d->task->stop);
}

static void deal_all(Dealer *d) {
    double kept = 0, told = now_seconds();
    while (!d->failed && !stopped(d) && !schedule_over(d->task->schedule)) {
        if (!hear_all(d))
            fail(d, "the other ranks cannot be heard any more");
        double time = now_seconds();
        if (d->ended && time - kept >= KEEP_SECONDS) {
            keep(d);
            kept = time;
            tell(d);
            told = time;
        }
        deal(d);
        if (d->left == 0 && !d->ended && !schedule_over(d->task->schedule))
            fail(d, "no rank is left to play");
        if (time - told >= TELL_SECONDS) {
            tell(d);
            told = time;
        }
        ranks_rest(d->ranks);
    }
}

// All are sent home. What they have ended until then counts.
static void say_goodbye(Dealer *d) {
    d->leaving = true;
    dealer_dismiss(d->ranks);
    for (double until = now_seconds() + FAREWELL_SECONDS; d->left > 0 && now_seconds() < until;) {
        if (!hear_all(d))
            break;
        ranks_rest(d->ranks);
    }
    keep(d);
    tell(d);
}

static void release(Dealer *d) {
    while (d->ended) {
        Ended *e = d->ended;
        d->ended = e->next;
        ended_free(e);
    }
    for (int i = 1; d->rank && i < d->count; i++) {
        lose_rank(d, i, NULL);
        mem_free(d->rank[i].dealt);
    }
    mem_free(d->rank);
    keeper_end(&d->keeper);
    text_free(&d->message);
    text_free(&d->why);
}

bool dealer_run(const WorkersTask *task, Ranks *ranks, DealerComplain *complain, Text *why) {
    Dealer d = {.task = task, .ranks = ranks, .complain = complain, .count = ranks_count(ranks)};
    d.left = d.count - 1;
    keeper_begin(&d.keeper, task->schedule, task->keep, task->with);
    d.rank = mem_alloc(sizeof *d.rank * (size_t)d.count);
    if (d.rank) {
        wire_hello(&d.message, task->contest, task->games);
        for (int i = 1; i < d.count; i++)
            if (!ranks_send(ranks, i, &d.message))
                lose_rank(&d, i, "it cannot be reached");
        deal_all(&d);
    } else {
        fail(&d, "out of memory");
    }
    say_goodbye(&d);
    if (d.failed)
        text_add(why, text_c(&d.why));
    bool ok = !d.failed;
    release(&d);
    return ok;
}
