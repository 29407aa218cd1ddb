// workshop_long: perft and studies: work on rules that takes a while.
#include "server/insight.h"
#include "server/rules_text.h"

#include "base/mem.h"
#include "base/now.h"
#include "game/perft.h"
#include "match/contest_make.h"
#include "match/study.h"
#include "match/workers.h"

#define PERFT_DEPTH 5
#define PERFT_MOST 30
#define NEWS_SECONDS 0.2
#define STUDY_GAMES 60
#define STUDY_MOST 600
#define RANDOM_GAMES 200
#define RANDOM_SECONDS 5.0

typedef struct Work {
    Rules rules;
    Task *task;
    bool ok;
    Text out, why;
    double told;
    // perft
    int depth;
    Text counts; // of the depths that are done
    // study
    int64_t games;
    Contest *contest[STUDY_PARTS];
    Study *study;
    StudyPart part;
} Work;

static void free_work(Hub *hub, Work *w) {
    study_free(w->study);
    for (int i = 0; i < STUDY_PARTS; i++)
        contest_free(w->contest[i]);
    rules_free(hub, &w->rules);
    text_free(&w->out);
    text_free(&w->why);
    text_free(&w->counts);
    mem_free(w);
}

static bool stopped(const Work *w) {
    return atomic_load(task_stop(w->task));
}

// The rules, or what is wrong with them as one line.
static bool compile(Work *w) {
    Diags diags = {0};
    bool ok = rules_compile(&w->rules, &diags);
    if (!ok && diags.count)
        text_f(&w->why, "line %d: %s", diags.items[0].span.line, diags.items[0].message);
    else if (!ok)
        text_add(&w->why, "out of memory");
    diag_free(&diags);
    return ok;
}

static void end_work(Hub *hub, Task *task, void *with) {
    Work *w = with;
    if (w->ok && !w->out.failed)
        task_done(task, text_c(&w->out));
    else
        task_failed(task, w->why.n ? text_c(&w->why) : "stopped before it began");
    free_work(hub, w);
}

static void begin_work(Hub *hub, Client *c, const cJSON *in, int64_t id, const char *number,
                       double usual, double least, double most, void (*run)(Task *, void *)) {
    Work *w = mem_alloc(sizeof *w);
    double n = usual;
    if (!w) {
        client_error(c, id, "failed", NULL, "out of memory");
        return;
    }
    bool ok =
        rules_read(&w->rules, c, in, id) && question_number(c, in, id, number, least, most, &n);
    w->depth = (int)n;
    w->games = (int64_t)n;
    if (!ok || !question_task(c, id, task_begin(hub_think(hub), c, TASK_LONG, run, end_work, w)))
        free_work(hub, w);
}

// --- perft ---

static bool perft_halts(void *with) {
    return stopped(with);
}

static void run_perft(Task *task, void *with) {
    Work *w = with;
    w->task = task;
    Runner *r = compile(w) ? runner_new(w->rules.game) : NULL;
    if (!r)
        return;
    Perft perft = {.runner = r, .halt = perft_halts, .with = w};
    w->ok = true;
    for (int depth = 1; depth <= w->depth && w->ok && !perft.stopped; depth++) {
        double began = now_seconds();
        int64_t nodes = perft_count(&perft, w->rules.game->start, depth);
        w->ok = nodes >= 0 || perft.stopped;
        if (nodes < 0)
            break;
        double seconds = now_seconds() - began;
        text_f(&w->counts, "%s{\"depth\":%d,\"nodes\":%lld,\"seconds\":%.4f}",
               w->counts.n ? "," : "", depth, (long long)nodes, seconds);
        text_clear(&w->out);
        text_f(&w->out, "\"depth\":%d,\"nodes\":%lld,\"seconds\":%.4f,\"counts\":[%s]", depth,
               (long long)nodes, seconds, text_c(&w->counts));
        task_news(task, text_c(&w->out));
    }
    if (!w->ok)
        text_add(&w->why, runner_error(r)[0] ? runner_error(r) : "out of memory");
    text_f(&w->out, "%s\"stopped\":%s", w->out.n ? "," : "", perft.stopped ? "true" : "false");
    perft_free(&perft);
    runner_free(r);
}

void hub_do_perft(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    begin_work(hub, client, in, id, "depth", PERFT_DEPTH, 1, PERFT_MOST, run_perft);
}

// --- study ---

static bool keep(void *with, const Played *const *played, int count, Text *why) {
    Work *w = with;
    for (int i = 0; i < count; i++)
        if (!study_add(w->study, w->part, played[i], why))
            return false;
    return true;
}

static void tell(void *with, const WorkersNews *news) {
    Work *w = with;
    double now = now_seconds();
    (void)news;
    if (now - w->told < NEWS_SECONDS)
        return;
    w->told = now;
    text_clear(&w->out);
    text_f(&w->out, "\"games\":%lld,\"of\":%lld", (long long)w->study->replayed,
           (long long)w->games);
    task_news(w->task, text_c(&w->out));
}

static bool run_part(Work *w) {
    Game *game = (Game *)w->rules.game; // workers do not change it
    int players = game->ir->players;
    Schedule *schedule = schedule_new(w->contest[w->part], &players, &w->why);
    WorkersTask workers = {.contest = w->contest[w->part],
                           .games = &game,
                           .schedule = schedule,
                           .jobs = 1,
                           .stop = task_stop(w->task),
                           .with = w,
                           .keep = keep,
                           .tell = tell};
    bool ok = schedule && workers_run(&workers, &w->why);
    schedule_free(schedule);
    return ok;
}

static bool run_random(Work *w) {
    double until = now_seconds() + RANDOM_SECONDS;
    bool ok = true;
    for (int i = 0; ok && i < RANDOM_GAMES && !stopped(w) && now_seconds() < until; i++)
        ok = study_random(w->study, (uint64_t)i + 1, &w->why);
    return ok;
}

// Half of the games between equals; the other half for the pairs of the ladder.
static bool prepare(Work *w) {
    const char *list[RULES_PARAMS];
    for (int i = 0; i < w->rules.params; i++)
        list[i] = w->rules.param[i];
    const Game *g = w->rules.game;
    ContestGame game = {g->name, list, w->rules.params};
    int64_t each[STUDY_PARTS] = {w->games / 2, w->games / 6};
    if (g->ir->players < 2) {
        text_add(&w->why, "this is a puzzle; a study is about games of two or more");
        return false;
    }
    w->games = 0;
    for (int i = 0; i < STUDY_PARTS; i++) {
        int64_t n = each[i] / 2 * 2;
        int players = g->ir->players;
        w->contest[i] = study_contest((StudyPart)i, &game, players, n > 2 ? n : 2, 1, &w->why);
        Schedule *s = w->contest[i] ? schedule_new(w->contest[i], &players, &w->why) : NULL;
        if (!s)
            return false;
        w->games += schedule_total(s);
        schedule_free(s);
    }
    w->study = study_new(g, w->contest);
    if (!w->study)
        text_add(&w->why, "out of memory");
    return w->study != NULL;
}

static void run_study(Task *task, void *with) {
    Work *w = with;
    w->task = task;
    bool ok = compile(w) && prepare(w) && run_random(w);
    for (int i = 0; ok && i < STUDY_PARTS && !stopped(w); i++) {
        w->part = (StudyPart)i;
        ok = run_part(w);
    }
    if (ok && !study_finish(w->study)) {
        text_add(&w->why, "out of memory");
        ok = false;
    }
    if (!ok)
        return;
    Text page = {0}, *out = &w->out;
    text_clear(out);
    text_f(out,
           "\"games\":%lld,\"of\":%lld,\"stopped\":%s,\"study\":", (long long)w->study->replayed,
           (long long)w->games, stopped(w) ? "true" : "false");
    study_json(w->study, out);
    text_add(out, ",\"sentences\":");
    study_sentences(w->study, out);
    study_html(w->study, &page);
    text_add(out, ",\"html\":");
    text_json(out, text_c(&page));
    text_free(&page);
    w->ok = true;
}

void hub_do_study(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    begin_work(hub, client, in, id, "games", STUDY_GAMES, 12, STUDY_MOST, run_study);
}
