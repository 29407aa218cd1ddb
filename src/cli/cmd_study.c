// study: whether a game is any good, by letting players of known strength play it.
#include "cli/cli.h"

#include "base/file.h"
#include "base/now.h"
#include "match/archive.h"
#include "match/contest_make.h"
#include "match/study.h"
#include "match/workers.h"

#include <stdio.h>
#include <unistd.h>

#define RANDOM_GAMES 500
#define RANDOM_SECONDS 20
#define SPEED_UP_AFTER 0.3 // seconds; shorter work is done before a compiler has even started

typedef struct Studying {
    const Cli *cli;
    Game *game;
    Contest *contest[STUDY_PARTS];
    Study *study;
    StudyPart part;
    Archive *archive; // of this part; NULL: games are not kept
    Schedule *schedule;
    int jobs;
    int64_t games; // in all
    double began, last;
    bool compiles, shown;
    const atomic_bool *stop;
} Studying;

static bool keep(void *with, const Played *const *played, int count, Text *why) {
    Studying *t = with;
    bool ok = !t->archive || archive_add_all(t->archive, played, count, why);
    for (int i = 0; ok && i < count; i++)
        ok = study_add(t->study, t->part, played[i], why);
    return ok;
}

// A game of an earlier run.
typedef struct Found {
    Studying *t;
    bool wrong;
    Text *why;
} Found;

static bool take_found(void *with, const Played *p) {
    Found *f = with;
    f->wrong = p->pairing.game != 0 ||
               !schedule_result(f->t->schedule, p->pairing.number, p->ending, p->result) ||
               !study_add(f->t->study, f->t->part, p, f->why);
    return !f->wrong;
}

// Takes the games that the database has already.
static bool open_archive(Studying *t, const char *db, Text *why) {
    Found found = {.t = t, .why = why};
    t->archive = archive_open(db, t->contest[t->part], why);
    if (!t->archive || !archive_each(t->archive, take_found, &found, why))
        return false;
    if (found.wrong && why->n == 0)
        text_f(why, "%s: a game in it cannot be of this study", db);
    return !found.wrong;
}

static void tell(void *with, const WorkersNews *news) {
    Studying *t = with;
    (void)news;
    double now = now_seconds();
    if (!t->compiles && now - t->began > SPEED_UP_AFTER) {
        Text ignored = {0}; // the interpreter does as well
        t->compiles = true;
        game_use(t->game, BACKEND_AUTO, &ignored);
        text_free(&ignored);
    }
    if (now - t->last < 0.5 || !isatty(STDERR_FILENO))
        return;
    t->last = now;
    t->shown = true;
    double done = (double)t->study->replayed, left = (double)t->games - done;
    fprintf(stderr, "\r%.0f of %lld games", done, (long long)t->games);
    if (done > 0)
        fprintf(stderr, ", about %.0f s to go   ", left * (now - t->began) / done);
}

static bool run_part(Studying *t, Text *why) {
    int players = t->game->ir->players;
    const char *db = t->cli->option[OPT_DB];
    t->schedule = schedule_new(t->contest[t->part], &players, why);
    WorkersTask task = {.contest = t->contest[t->part],
                        .games = &t->game,
                        .schedule = t->schedule,
                        .jobs = t->jobs,
                        .stop = t->stop,
                        .with = t,
                        .keep = keep,
                        .tell = tell};
    bool ok = t->schedule && (!db || open_archive(t, db, why));
    ok = ok && (schedule_over(t->schedule) || workers_run(&task, why));
    archive_close(t->archive);
    t->archive = NULL;
    schedule_free(t->schedule);
    t->schedule = NULL;
    return ok;
}

static bool stopped(const Studying *t) {
    return atomic_load(t->stop) || cli_interrupted();
}

// Games by chance are quick: hundreds take a part of a second in most games. The limit is for those
// that never end; it is so long that the same seed gives the same study nearly everywhere.
static bool run_random(Studying *t, uint64_t seed, Text *why) {
    double until = now_seconds() + RANDOM_SECONDS;
    for (int64_t i = 0; i < t->games && i < RANDOM_GAMES && !stopped(t) && now_seconds() < until;
         i++)
        if (!study_random(t->study, seed + (uint64_t)i, why))
            return false;
    return true;
}

// How many games there are in all; the schedule knows.
static bool count_games(Studying *t, Text *why) {
    int players = t->game->ir->players;
    t->games = 0;
    for (int i = 0; i < STUDY_PARTS; i++) {
        Schedule *schedule = schedule_new(t->contest[i], &players, why);
        if (!schedule)
            return false;
        t->games += schedule_total(schedule);
        schedule_free(schedule);
    }
    return true;
}

static bool run(Studying *t, uint64_t seed, Text *why) {
    bool ok = count_games(t, why) && run_random(t, seed, why);
    for (int i = 0; ok && i < STUDY_PARTS && !stopped(t); i++) {
        t->part = (StudyPart)i;
        ok = run_part(t, why);
    }
    if (t->shown)
        fprintf(stderr, "\r%50s\r", "");
    if (ok && !study_finish(t->study)) {
        text_add(why, "out of memory");
        ok = false;
    }
    return ok;
}

static int show(const Studying *t) {
    Text out = {0}, why = {0};
    const char *page = t->cli->option[OPT_HTML];
    if (page)
        study_html(t->study, &out);
    bool ok = !page || (!out.failed && file_write_atomic(page, text_c(&out), out.n, &why));
    text_clear(&out);
    if (!ok)
        cli_error("%s", why.n ? text_c(&why) : "out of memory");
    if (t->cli->option[OPT_JSON]) {
        study_json(t->study, &out);
        text_char(&out, '\n');
    } else {
        study_text(t->study, &out);
    }
    cli_print(&out);
    text_free(&out);
    text_free(&why);
    if (!ok || !stopped(t))
        return ok ? EXIT_OK : EXIT_INPUT;
    cli_error("stopped after %lld of %lld games%s", (long long)t->study->replayed,
              (long long)t->games,
              t->cli->option[OPT_DB] ? "; the same command again goes on" : "");
    return EXIT_INTERRUPTED;
}

static int load(Studying *t, const ContestGame *cg) {
    Diags diags = {0};
    t->game = game_load(cg->name, cg->params, cg->param_count, &diags);
    cli_print_diags(&diags, false);
    diag_free(&diags);
    if (!t->game)
        return EXIT_INPUT;
    if (t->game->ir->players < 2)
        return cli_error("%s is a puzzle; a study is about games of two or more: "
                         "see `ludens search`",
                         t->game->name);
    return EXIT_OK;
}

// A study may take an hour: that its page cannot be written is told before.
static bool has_room_for_page(const char *page, Text *why) {
    if (!page || access(page, F_OK) == 0)
        return true;
    bool ok = file_write_atomic(page, "", 0, why);
    if (ok)
        unlink(page); // a study that is broken off leaves no empty one
    return ok;
}

static int study(Studying *t, const ContestGame *cg, uint64_t seed) {
    Text why = {0};
    int status = load(t, cg);
    if (status == EXIT_OK && !has_room_for_page(t->cli->option[OPT_HTML], &why))
        status = cli_error("%s", text_c(&why));
    // Half of the games between equals; the other half for the pairs of the ladder.
    int64_t each[STUDY_PARTS] = {t->games / 2, t->games / 6};
    bool ok = status == EXIT_OK;
    for (int i = 0; ok && i < STUDY_PARTS; i++) {
        int64_t n = each[i] / 2 * 2;
        t->contest[i] =
            study_contest((StudyPart)i, cg, t->game->ir->players, n > 2 ? n : 2, seed, &why);
        ok = t->contest[i] != NULL;
    }
    if (ok && !(t->study = study_new(t->game, t->contest))) {
        text_add(&why, "out of memory");
        ok = false;
    }
    if (ok) {
        t->stop = cli_begin_search();
        t->began = t->last = now_seconds();
        ok = run(t, seed, &why);
        cli_end_search();
    }
    if (ok)
        status = show(t);
    else if (status == EXIT_OK)
        status = cli_error("%s", text_c(&why));
    text_free(&why);
    study_free(t->study);
    for (int i = 0; i < STUDY_PARTS; i++)
        contest_free(t->contest[i]);
    game_free(t->game);
    return status;
}

int cmd_study(const Cli *cli) {
    int64_t games = 120, seed = 1, jobs = workers_usual();
    if (cli->word_count != 1)
        return cli_usage(
            cli, cli->word_count ? "`%s` is one word too many" : "the name of a game is missing",
            cli->word_count ? cli->words[1] : "");
    if (!cli_number(cli, OPT_GAMES, 12, 1000000, &games) ||
        !cli_number(cli, OPT_SEED, 0, INT64_MAX, &seed) ||
        !cli_number(cli, OPT_JOBS, 1, WORKERS_MAX, &jobs))
        return EXIT_USAGE;
    Studying t = {.cli = cli, .games = games, .jobs = (int)jobs};
    ContestGame cg = {cli->words[0], cli->params, cli->param_count};
    return study(&t, &cg, (uint64_t)seed);
}
