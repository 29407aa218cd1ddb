// think_player: players that pages name: which ones are allowed, and making them in threads.
#include "server/think_parts.h"

#include "search/parameters.h"

#include <string.h>
#include <time.h>

#define PLAYER_TEXT 1000 // bytes of a player's text, at most
#define WAIT_NS 10000000 // between two looks at the stop flag

// --- what may be named ---

// A file of the server is nothing to be read by its name; rule sets of the library are.
static bool check_knowledge(const char *text, Text *why) {
    const char *at = strstr(text, "knowledge=");
    if (!at)
        return true;
    at += strlen("knowledge=");
    if (player_rule_set(at, strcspn(at, ",")))
        return true;
    text_add(why, "knowledge: only rule sets of the library can be named here");
    return false;
}

bool think_player(Hub *hub, const char *text, Text *safe, Text *why) {
    if (strlen(text) > PLAYER_TEXT) {
        text_f(why, "the text of a player has at most %d characters", PLAYER_TEXT);
        return false;
    }
    if (strncmp(text, "bot:", 4) == 0) {
        if (!hub_options(hub)->bots) {
            text_add(why, "this server does not allow bots");
            return false;
        }
        if (safe)
            text_add(safe, text);
        return true;
    }
    Text held = {0};
    bool ok = player_held_down(text, 1, TASK_MEMORY_MB, &held, why) &&
              check_knowledge(text_c(&held), why);
    if (ok && held.failed) {
        text_add(why, "out of memory");
        ok = false;
    }
    if (ok && safe)
        text_add(safe, text_c(&held));
    text_free(&held);
    return ok;
}

// --- making them ---

static bool is_being_made(const Think *t, const Game *g) {
    for (int i = 0; i < t->makings; i++)
        if (t->making[i] == g)
            return true;
    return false;
}

// What is learnt about a game is learnt once: others wait for it and find it kept.
static bool begin_making(Think *t, const Game *g, const atomic_bool *stop) {
    pthread_mutex_lock(&t->lock);
    while (is_being_made(t, g) && !atomic_load(stop)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WAIT_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&t->made, &t->lock, &until);
    }
    bool mine = !atomic_load(stop);
    if (mine)
        t->making[t->makings++] = g;
    pthread_mutex_unlock(&t->lock);
    return mine;
}

static void end_making(Think *t, const Game *g) {
    pthread_mutex_lock(&t->lock);
    for (int i = 0; i < t->makings; i++)
        if (t->making[i] == g) {
            t->making[i] = t->making[--t->makings];
            break;
        }
    pthread_cond_broadcast(&t->made);
    pthread_mutex_unlock(&t->lock);
}

Player *think_make(Task *task, const Game *g, const char *text, Text *why) {
    bool mine = begin_making(task->think, g, &task->stop);
    Player *p = player_stoppable(g, text, NULL, &task->stop, why);
    if (mine)
        end_making(task->think, g);
    return p;
}

double think_seconds(const Player *p, double most) {
    PlayerOptions o = p->options;
    Text ignored = {0};
    if (!parameters_limit(&o) && !o.clock_ms)
        parameters_read(p->kind, p->kind->usual, &o, &ignored);
    text_free(&ignored);
    double own = (double)o.time_ms / 1000;
    return own > 0 && own < most ? own : most;
}
