// think_move: computers on move.
//
// A Thought is the search for the move of one room. It has a copy of the game so far, and a Mover:
// a player or a bot, which is kept for the next move of the room, with what it has learnt. Only so
// many are kept, and not for long: a player has tables.
#include "server/think_parts.h"

#include "base/mem.h"
#include "base/now.h"
#include "base/rng.h"
#include "match/contestant.h"
#include "search/player.h"
#include "server/insight.h"
#include "server/past.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define KEPT_MOST 8        // movers between two moves: with their tables at most half a gigabyte
#define KEPT_SECONDS 300.0 // nobody thinks that long about a move
#define MOVE_SECONDS 60.0  // for a move, whatever is asked for

typedef struct Mover {
    struct Mover *next; // of those that are kept, the youngest first
    char room[16];
    char *text;
    const Game *game; // held
    Player *player;
    Contestant *bot;
    double used;
} Mover;

typedef struct Thought {
    struct Thought *next;
    Task *task;
    char room[16];
    int64_t seq;
    Past past;
    Mover *mover;
    double limit, seconds;
    uint64_t seed;
    bool forgotten; // the room has changed; the loop's thread
    bool whole;     // its mover was made without being stopped
    bool found;
    uint64_t key; // of the position
    SearchResult result;
    Text why;
} Thought;

struct Thoughts {
    Thought *first;
    Mover *kept;
    int kept_count;
    Rng rng;
};

bool thoughts_begin(Think *t, Text *why) {
    t->thoughts = mem_alloc(sizeof *t->thoughts);
    if (!t->thoughts) {
        text_add(why, "out of memory");
        return false;
    }
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    rng_seed(&t->thoughts->rng, (uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec);
    return true;
}

// --- movers ---

static void close_mover(Mover *m) {
    player_free(m->player);
    contestant_close(m->bot);
    m->player = NULL;
    m->bot = NULL;
}

static void run_close(Task *task, void *with) {
    (void)task;
    close_mover(with);
}

static void end_close(Hub *hub, Task *task, void *with) {
    Mover *m = with;
    (void)task;
    close_mover(m); // if the task did not run
    games_drop(hub, m->game);
    mem_free(m->text);
    mem_free(m);
}

// Elsewhere, because a bot takes a moment to leave.
static void drop_mover(Think *t, Mover *m) {
    if (!m)
        return;
    if (!m->bot || !task_begin(t, NULL, TASK_QUICK, run_close, end_close, m))
        end_close(t->hub, NULL, m);
}

static Mover *new_mover(Think *t, const Game *g, const char *room, const char *text) {
    Mover *m = mem_alloc(sizeof *m);
    size_t n = strlen(text) + 1;
    if (!m || !(m->text = mem_alloc(n))) {
        mem_free(m);
        return NULL;
    }
    memcpy(m->text, text, n);
    snprintf(m->room, sizeof m->room, "%s", room);
    m->game = g;
    games_hold(t->hub, g);
    return m;
}

static Mover *take_mover(Think *t, const Game *g, const char *room, const char *text) {
    struct Thoughts *s = t->thoughts;
    for (Mover **at = &s->kept; *at; at = &(*at)->next) {
        Mover *m = *at;
        if (m->game != g || strcmp(m->room, room) != 0 || strcmp(m->text, text) != 0)
            continue;
        *at = m->next;
        s->kept_count--;
        return m;
    }
    return new_mover(t, g, room, text);
}

// Lets go of all that were not used since then, and of the oldest if there are too many.
static void thin_out(Think *t, double since, int most) {
    struct Thoughts *s = t->thoughts;
    int n = 0;
    for (Mover **at = &s->kept; *at;) {
        Mover *m = *at;
        if (n < most && m->used >= since) {
            n++;
            at = &m->next;
            continue;
        }
        *at = m->next;
        s->kept_count--;
        drop_mover(t, m);
    }
}

static void keep_mover(Think *t, Mover *m) {
    struct Thoughts *s = t->thoughts;
    m->used = now_seconds();
    m->next = s->kept;
    s->kept = m;
    s->kept_count++;
    thin_out(t, 0, KEPT_MOST);
}

void thoughts_tick(Think *t, double now) {
    if (t->thoughts->kept)
        thin_out(t, now - KEPT_SECONDS, KEPT_MOST);
}

void thoughts_end(Think *t) {
    if (!t->thoughts)
        return;
    thin_out(t, 0, 0);
    mem_free(t->thoughts);
    t->thoughts = NULL;
}

// --- searching: in a thread ---

static bool ask_bot(Thought *o, Record *record, const atomic_bool *stop) {
    Mover *m = o->mover;
    Answer answer = {0};
    Entrant e = {.name = m->text, .text = m->text, .time = {.move = o->limit}};
    bool ok = true;
    if (!m->bot) {
        m->bot = contestant_open(m->game, &e, &o->why);
        ok = m->bot && contestant_begin(m->bot, o->seed, &o->why);
    }
    if (!ok)
        return false;
    contestant_move(m->bot, record, NULL, stop, &answer);
    ok = answer.ending == END_RULES;
    if (!ok)
        text_f(&o->why, "%s: %s", m->text, text_c(&answer.why));
    o->result.move = answer.move;
    text_free(&answer.why);
    return ok;
}

static bool ask_player(Thought *o, Task *task, Record *record) {
    Mover *m = o->mover;
    if (!m->player)
        m->player = think_make(task, m->game, m->text, &o->why);
    if (!m->player)
        return false;
    o->whole = !atomic_load(task_stop(task));
    SearchTask search = {.record = record,
                         .limits = {.seconds = think_seconds(m->player, o->limit),
                                    .memory = (size_t)TASK_MEMORY_MB << 20},
                         .stop = task_stop(task),
                         .seed = o->seed};
    if (player_search(m->player, &search, &o->result))
        return true;
    const char *error = runner_error(m->player->runner);
    text_add(&o->why, error && error[0] ? error : "the player found no move");
    return false;
}

static void run_thought(Task *task, void *with) {
    Thought *o = with;
    double began = now_seconds();
    Runner *r = runner_new(o->past.game);
    Record *record = r ? past_record(&o->past, r) : NULL;
    if (record)
        o->key = insight_key(o->past.game, insight_game(o->past.game), record_now(record));
    if (!record)
        text_add(&o->why, r && runner_error(r) ? runner_error(r) : "out of memory");
    else if (strncmp(o->mover->text, "bot:", 4) == 0)
        o->found = o->whole = ask_bot(o, record, task_stop(task));
    else
        o->found = ask_player(o, task, record);
    o->seconds = now_seconds() - began;
    record_free(record);
    runner_free(r);
}

// --- back in the loop ---

static void unlink_thought(Think *t, Thought *o) {
    for (Thought **at = &t->thoughts->first; *at; at = &(*at)->next)
        if (*at == o) {
            *at = o->next;
            return;
        }
}

static void play(Thought *o, Room *room) {
    Text why = {0};
    if (!o->found)
        room_fail(room, o->why.n ? text_c(&o->why) : "the computer found no move");
    else if (!room_play(room, o->result.move, o->seconds, &why))
        room_fail(room, text_c(&why));
    text_free(&why);
}

static void end_thought(Hub *hub, Task *task, void *with) {
    Thought *o = with;
    Think *t = hub_think(hub);
    (void)task;
    unlink_thought(t, o);
    if (o->found && o->mover->player)
        insight_remember(hub, o->key, &o->result);
    if (o->mover && o->whole && o->found)
        keep_mover(t, o->mover);
    else
        drop_mover(t, o->mover);
    Room *room = o->forgotten || t->ending ? NULL : room_find(hub, o->room);
    if (room && room_seq(room) == o->seq)
        play(o, room);
    past_drop(hub, &o->past);
    text_free(&o->why);
    mem_free(o);
}

// --- asked by the room ---

void think_forget(Think *t, Room *room) {
    for (Thought *i = t->thoughts->first; i; i = i->next)
        if (!i->forgotten && strcmp(i->room, room_name(room)) == 0) {
            i->forgotten = true;
            task_cancel(i->task);
        }
}

static Thought *new_thought(Think *t, Room *room, const char *player) {
    Thought *o = mem_alloc(sizeof *o);
    if (!o || !past_take(t->hub, room, -1, &o->past)) {
        mem_free(o);
        return NULL;
    }
    snprintf(o->room, sizeof o->room, "%s", room_name(room));
    o->seq = room_seq(room);
    o->seed = rng_next(&t->thoughts->rng);
    o->mover = take_mover(t, o->past.game, o->room, player);
    if (!o->mover) {
        past_drop(t->hub, &o->past);
        mem_free(o);
        return NULL;
    }
    return o;
}

bool think_move(Think *t, Room *room, const char *player, double seconds, Text *why) {
    think_forget(t, room);
    Text safe = {0};
    if (!think_player(t->hub, player, &safe, why)) {
        text_free(&safe);
        return false;
    }
    Thought *o = safe.failed ? NULL : new_thought(t, room, text_c(&safe));
    text_free(&safe);
    if (!o) {
        text_add(why, "out of memory");
        return false;
    }
    o->limit = seconds > 0 && seconds < MOVE_SECONDS ? seconds : MOVE_SECONDS;
    TaskFor who = {0};
    who.client = room_account(room, &who.address);
    o->task = task_begin_for(t, who, TASK_MOVE, run_thought, end_thought, o);
    if (!o->task) {
        text_add(why, "too many computers are thinking already");
        drop_mover(t, o->mover);
        past_drop(t->hub, &o->past);
        mem_free(o);
        return false;
    }
    o->next = t->thoughts->first;
    t->thoughts->first = o;
    return true;
}
