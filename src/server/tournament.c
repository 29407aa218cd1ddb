// tournament: a small tournament on the server itself, as a task.
//
// Everybody plays everybody; the games go into an archive of the server's own, which is watched
// like any other (watch.h). An archive has one writer: a tournament takes the first that nobody
// writes to. As many run at once as there are threads for them; the others wait in the queue of
// tasks. It goes on when the page that began it has gone, which may stop it when it is back.
#include "server/insight.h"
#include "server/rules_text.h"
#include "server/watch.h"

#include "base/mem.h"
#include "match/archive.h"
#include "match/contest_make.h"
#include "match/referee.h"
#include "match/workers.h"

#include <stdint.h>
#include <string.h>
#include <time.h>

#define PLAYERS_MOST 8
#define GAMES_USUAL 4
#define GAMES_MOST 100 // of a pair
#define SECONDS_USUAL 0.2
#define SECONDS_MOST 10.0
#define PLIES_MOST 1000

typedef struct Tournament {
    Hub *hub;
    Rules rules;
    Contest *contest;
    Text path;
    Task *task;
    Schedule *schedule;
    Archive *archive;
    bool ok;
    Text why;
} Tournament;

static void free_tournament(Hub *hub, Tournament *t) {
    contest_free(t->contest);
    rules_free(hub, &t->rules);
    text_free(&t->path);
    text_free(&t->why);
    mem_free(t);
}

// --- in the thread ---

static bool keep(void *with, const Played *const *played, int count, Text *why) {
    Tournament *t = with;
    return archive_add_all(t->archive, played, count, why);
}

// What players have to learn first is learnt here, where it can be stopped.
static bool learn(Tournament *t) {
    bool ok = true;
    for (int i = 0; ok && i < t->contest->entrants && !atomic_load(task_stop(t->task)); i++) {
        if (strncmp(t->contest->entrant[i].text, "bot:", 4) == 0)
            continue;
        Player *p = think_make(t->task, t->rules.game, t->contest->entrant[i].text, &t->why);
        ok = p != NULL;
        player_free(p);
    }
    return ok;
}

// In the loop: the archive is there. The tournament may have ended meanwhile, so that only the
// number of its archive is left of it.
static void watch_archive(Hub *hub, void *with) {
    Text path = {0}, ignored = {0};
    if (watch_own_path(hub, (int)(intptr_t)with, &path, &ignored))
        watch_add(hub, text_c(&path), &ignored);
    text_free(&path);
    text_free(&ignored);
}

static bool open_archive(Tournament *t) {
    for (int i = 0; i < WATCH_OWNS; i++) {
        text_clear(&t->path);
        text_clear(&t->why);
        if (!watch_own_path(t->hub, i, &t->path, &t->why))
            return false;
        t->archive = archive_open(text_c(&t->path), t->contest, &t->why);
        if (t->archive)
            return hub_post(t->hub, watch_archive, (void *)(intptr_t)i);
        if (!watch_running(text_c(&t->path)))
            return false; // not because of another that writes
    }
    return false;
}

static bool play(Tournament *t) {
    Game *game = (Game *)t->rules.game; // workers do not change it
    int players = game->ir->players;
    t->schedule = schedule_new(t->contest, &players, &t->why);
    if (!t->schedule || !referee_check(t->contest, &game, &t->why))
        return false;
    if (!open_archive(t))
        return false;
    WorkersTask workers = {.contest = t->contest,
                           .games = &game,
                           .schedule = t->schedule,
                           .jobs = 1,
                           .stop = task_stop(t->task),
                           .with = t,
                           .keep = keep};
    return workers_run(&workers, &t->why);
}

static void run_tournament(Task *task, void *with) {
    Tournament *t = with;
    t->task = task;
    t->ok = learn(t) && play(t);
    archive_close(t->archive);
    schedule_free(t->schedule);
}

// --- in the loop ---

static void end_tournament(Hub *hub, Task *task, void *with) {
    Tournament *t = with;
    (void)task;
    const char *why = t->why.n ? text_c(&t->why) : "stopped before it began";
    watch_ended(hub, t->contest->title, t->ok ? NULL : why);
    free_tournament(hub, t);
}

static bool add_players(Tournament *t, Hub *hub, const cJSON *list, Text *why) {
    const cJSON *item;
    int n = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    if (n < 2 || n > PLAYERS_MOST) {
        text_f(why, "`players` are 2 to %d texts", PLAYERS_MOST);
        return false;
    }
    bool ok = true;
    cJSON_ArrayForEach(item, list) {
        Text safe = {0}, name = {0};
        ok = ok && cJSON_IsString(item) && think_player(hub, item->valuestring, &safe, why);
        if (ok) {
            int before = 0;
            for (int i = 0; i < t->contest->entrants; i++)
                before += strcmp(t->contest->entrant[i].text, text_c(&safe)) == 0;
            text_f(&name, before ? "%.80s (%d)" : "%.80s", item->valuestring, before + 1);
            ok = contest_add_entrant(t->contest, text_c(&name), text_c(&safe), why);
        }
        text_free(&safe);
        text_free(&name);
    }
    if (!ok && !why->n)
        text_f(why, "`players` are 2 to %d texts", PLAYERS_MOST);
    return ok;
}

static void write_title(const Tournament *t, struct timespec when, Text *title) {
    char text[40];
    struct tm parts;
    gmtime_r(&when.tv_sec, &parts);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
    text_clear(title);
    text_f(title, "%.60s, %d players, %s.%03ld", t->rules.game->name, t->contest->entrants, text,
           when.tv_nsec / 1000000);
}

// A title that no other tournament has: games are told apart by it.
static bool set_title(Tournament *t, Text *why) {
    struct timespec now;
    Text title = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_nsec -= now.tv_nsec % 1000000;
    write_title(t, now, &title);
    while (watch_find_owned(*watch_owned(t->hub), text_c(&title))) { // of the same millisecond
        now.tv_nsec += 1000000;
        now.tv_sec += now.tv_nsec / 1000000000;
        now.tv_nsec %= 1000000000;
        write_title(t, now, &title);
    }
    bool ok = contest_set_title(t->contest, text_c(&title), why);
    text_free(&title);
    return ok;
}

static bool prepare(Tournament *t, Client *c, const cJSON *in, double games, double seconds,
                    Text *why) {
    Hub *hub = client_hub(c);
    const char *list[RULES_PARAMS];
    for (int i = 0; i < t->rules.params; i++)
        list[i] = t->rules.param[i];
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(in, "game");
    const cJSON *players = cJSON_GetObjectItemCaseSensitive(in, "players");
    TimeControl time = {.move = seconds, .margin = 2};
    t->contest = contest_new();
    if (!t->contest) {
        text_add(why, "out of memory");
        return false;
    }
    if (!t->rules.game) {
        text_add(why, "the archive names the game: a text of rules is not enough, `upload` it");
        return false;
    }
    if (t->rules.game->ir->players < 2) {
        text_add(why, "this is a puzzle: there is nobody to play against");
        return false;
    }
    t->contest->each = (int64_t)games;
    t->contest->plies = PLIES_MOST;
    return contest_add_game(t->contest, name->valuestring, list, t->rules.params, why) &&
           add_players(t, hub, players, why) && set_title(t, why) &&
           contest_finish(t->contest, &time, why) && watch_own_path(hub, 0, &t->path, why);
}

// Everybody plays everybody.
static int64_t games_of(const Contest *c) {
    return c->each * c->entrants * (c->entrants - 1) / 2;
}

static void answer(Client *c, int64_t id, const char *title) {
    Text out = {0};
    text_add(&out, "\"title\":");
    text_json(&out, title);
    client_reply(c, id, text_c(&out));
    text_free(&out);
}

// It belongs to no page, but counts among what the page has asked for.
static Task *begin(Tournament *t, Client *c) {
    TaskFor who = {client_address(c), client_number(c)};
    return task_begin_for(hub_think(t->hub), who, TASK_CONTEST, run_tournament, end_tournament, t);
}

void hub_do_tournament(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Tournament *t = mem_alloc(sizeof *t);
    double games = GAMES_USUAL, seconds = SECONDS_USUAL;
    Text why = {0};
    if (!t) {
        client_error(client, id, "failed", NULL, "out of memory");
        return;
    }
    t->hub = hub;
    const char *game;
    bool ok = in_text(client, id, in, "game", &game) && rules_read(&t->rules, client, in, id) &&
              question_number(client, in, id, "games", 1, GAMES_MOST, &games) &&
              question_number(client, in, id, "seconds", 0.01, SECONDS_MOST, &seconds);
    bool prepared = ok && prepare(t, client, in, games, seconds, &why);
    Task *task = prepared ? begin(t, client) : NULL;
    if (task && !watch_began(hub, client, task, t->contest->title, games_of(t->contest))) {
        client_error(client, id, "failed", NULL, "out of memory");
        task_cancel(task);
    } else if (task) {
        answer(client, id, t->contest->title);
    } else {
        if (ok && !prepared)
            client_error(client, id, "bad", NULL, "%s", text_c(&why));
        else if (ok)
            client_error(client, id, "busy", NULL, "too much is going on already");
        free_tournament(hub, t);
    }
    text_free(&why);
}
