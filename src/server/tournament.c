// tournament: a small tournament on the server itself, as a task.
//
// Everybody plays everybody; the games go into an archive of the server's own, which is watched
// like any other (watch.h). An archive has one writer: a tournament takes the first that nobody
// writes to. As many run at once as there are threads for long work; the others wait in the queue
// of tasks.
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
    Text out, why;
} Tournament;

static void free_tournament(Hub *hub, Tournament *t) {
    contest_free(t->contest);
    rules_free(hub, &t->rules);
    text_free(&t->path);
    text_free(&t->out);
    text_free(&t->why);
    mem_free(t);
}

// --- in the thread ---

static bool keep(void *with, const Played *const *played, int count, Text *why) {
    Tournament *t = with;
    return archive_add_all(t->archive, played, count, why);
}

static void write_progress(Tournament *t) {
    text_clear(&t->out);
    text_add(&t->out, "\"title\":");
    text_json(&t->out, t->contest->title);
    text_f(&t->out, ",\"games\":%lld,\"of\":%lld,\"stopped\":%s",
           (long long)schedule_played(t->schedule), (long long)schedule_total(t->schedule),
           atomic_load(task_stop(t->task)) ? "true" : "false");
}

static void tell(void *with, const WorkersNews *news) {
    Tournament *t = with;
    (void)news;
    write_progress(t);
    task_news(t->task, text_c(&t->out));
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
                           .keep = keep,
                           .tell = tell};
    bool ok = workers_run(&workers, &t->why);
    if (ok)
        write_progress(t);
    return ok;
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
    if (t->ok && !t->out.failed)
        task_done(task, text_c(&t->out));
    else
        task_failed(task, t->why.n ? text_c(&t->why) : "stopped before it began");
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

// A title that no other tournament has: games are told apart by it.
static bool set_title(Tournament *t, Text *why) {
    char when[40];
    struct timespec now;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &parts);
    Text title = {0};
    text_f(&title, "%.60s, %d players, %s.%03ld", t->rules.game->name, t->contest->entrants, when,
           now.tv_nsec / 1000000);
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

static void answer(Client *c, int64_t id, const Task *task, const char *title) {
    Text out = {0};
    text_f(&out, "\"task\":%lld,\"title\":", (long long)task_number(task));
    text_json(&out, title);
    client_reply(c, id, text_c(&out));
    text_free(&out);
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
    Task *task =
        prepared ? task_begin(hub_think(hub), client, TASK_LONG, run_tournament, end_tournament, t)
                 : NULL;
    if (task) {
        answer(client, id, task, t->contest->title);
        watch_expect(hub, t->contest->title);
    } else {
        if (ok && !prepared)
            client_error(client, id, "bad", NULL, "%s", text_c(&why));
        else if (ok)
            client_error(client, id, "busy", NULL, "too much is going on already");
        free_tournament(hub, t);
    }
    text_free(&why);
}
