// contest_run: see contest_run.h.
#include "cli/contest_run.h"

#include "base/now.h"
#include "match/archive.h"
#include "match/contest_make.h"
#include "match/referee.h"
#include "match/sandbox.h"

#include <stdio.h>
#include <string.h>

// Shorter contests are over before a compiler has even started.
#define SPEED_UP_AFTER 0.3

// --- what the command line says ---

int contest_options(const Cli *cli, Contest *c, TimeControl *time) {
    int64_t plies = c->plies, openings = c->opening_plies, seed = (int64_t)c->seed;
    if (!cli_number(cli, OPT_PLIES, 1, CONTEST_MOST_PLIES, &plies) ||
        !cli_number(cli, OPT_OPENINGS, 0, CONTEST_OPENING_PLIES, &openings) ||
        !cli_number(cli, OPT_SEED, 0, INT64_MAX, &seed))
        return EXIT_USAGE;
    if (cli->option[OPT_SWAP] && cli->option[OPT_NO_SWAP])
        return cli_usage(cli, "--swap or --no-swap, not both");
    c->plies = (int)plies;
    c->opening_plies = (int)openings;
    c->seed = (uint64_t)seed;
    c->swap = !cli->option[OPT_NO_SWAP];
    Text why = {0};
    bool ok = !cli->option[OPT_TIME] || time_control_read(cli->option[OPT_TIME], time, &why);
    ok = ok && (!cli->option[OPT_SPRT] || sprt_read(cli->option[OPT_SPRT], &c->sprt, &why));
    int status =
        ok ? EXIT_OK
           : cli_usage(cli, "--%s: %s", c->sprt.on || !cli->option[OPT_SPRT] ? "time" : "sprt",
                       text_c(&why));
    text_free(&why);
    return status;
}

static int times_before(const char *const *text, int at) {
    int n = 0;
    for (int i = 0; i < at; i++)
        n += strcmp(text[i], text[at]) == 0;
    return n;
}

int contest_players(const Cli *cli, Contest *c, const char *const *text, int count) {
    Text why = {0}, name = {0};
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        int before = times_before(text, i);
        text_clear(&name);
        text_f(&name, "%s (%d)", text[i], before + 1);
        ok = contest_add_entrant(c, before ? text_c(&name) : NULL, text[i], &why);
    }
    int status = ok ? EXIT_OK : cli_usage(cli, "%s", text_c(&why));
    text_free(&name);
    text_free(&why);
    return status;
}

// --- what happened ---

static void count(ContestRun *r, const Played *p) {
    int players = r->games[p->pairing.game]->ir->players, everybody = (1 << players) - 1;
    int culprit = p->culprit >= 0 ? p->pairing.seat[p->culprit] : CONTEST_ENTRANTS;
    r->endings[culprit][p->ending]++;
    r->moves += p->moves;
    int winners = p->result & everybody;
    if (p->ending == END_FAULT)
        return;
    if (winners == 0 || winners == everybody)
        r->drawn++;
    else
        for (int i = 0; i < players; i++)
            r->won[i] += winners >> i & 1;
}

typedef struct Running {
    ContestRun *run;
    Archive *archive;
    Progress progress;
    double began;
    bool compiles;
} Running;

static bool keep(void *with, const Played *const *played, int n, Text *why) {
    Running *g = with;
    if (!archive_add_all(g->archive, played, n, why))
        return false;
    for (int i = 0; i < n; i++)
        count(g->run, played[i]);
    return true;
}

// Only this thread has to do with the compiler; the others find the code when it is there.
static void speed_up(Running *g) {
    const char *how = g->run->cli->option[OPT_BACKEND];
    if (g->compiles || now_seconds() - g->began < SPEED_UP_AFTER ||
        (how && strcmp(how, "auto") != 0))
        return;
    g->compiles = true;
    Text ignored = {0}; // the interpreter does as well
    for (int i = 0; i < g->run->contest->games; i++)
        game_use(g->run->games[i], BACKEND_AUTO, &ignored);
    text_free(&ignored);
}

static void tell(void *with, const WorkersNews *news) {
    Running *g = with;
    speed_up(g);
    if (news)
        progress_show(&g->progress, news);
}

// A game that the database has.
typedef struct Found {
    ContestRun *run;
    bool wrong;
} Found;

static bool take_found(void *with, const Played *p) {
    Found *f = with;
    f->wrong = p->pairing.game < 0 || p->pairing.game >= f->run->contest->games ||
               !schedule_result(f->run->schedule, p->pairing.number, p->ending, p->result);
    if (!f->wrong)
        count(f->run, p);
    return !f->wrong;
}

// --- running ---

static int load_games(ContestRun *r) {
    for (int i = 0; i < r->contest->games; i++) {
        const ContestGame *game = &r->contest->game[i];
        Diags diags = {0};
        r->games[i] = game_load(game->name, game->params, game->param_count, &diags);
        cli_print_diags(&diags, false);
        diag_free(&diags);
        if (!r->games[i])
            return EXIT_INPUT;
    }
    const char *how = r->cli->option[OPT_BACKEND];
    if (how && strcmp(how, "interp") != 0 && strcmp(how, "native") != 0 && strcmp(how, "auto") != 0)
        return cli_usage(r->cli, "--backend is interp, native or auto, not `%s`", how);
    Text why = {0};
    bool ok = true;
    for (int i = 0; ok && how && strcmp(how, "native") == 0 && i < r->contest->games; i++)
        ok = game_use(r->games[i], BACKEND_NATIVE, &why);
    int status = ok ? EXIT_OK : cli_error("no machine code: %s", text_c(&why));
    text_free(&why);
    return status;
}

static int prepare(ContestRun *r) {
    int players[CONTEST_GAMES], status = load_games(r);
    if (status != EXIT_OK)
        return status;
    for (int i = 0; i < r->contest->games; i++)
        players[i] = r->games[i]->ir->players;
    Text why = {0};
    r->schedule = schedule_new(r->contest, players, &why);
    if (!r->schedule || !referee_check(r->contest, r->games, &why))
        status = cli_usage(r->cli, "%s", text_c(&why));
    text_free(&why);
    return status;
}

static bool has_bots(const Contest *c) {
    for (int i = 0; i < c->entrants; i++)
        if (strncmp(c->entrant[i].text, "bot:", 4) == 0)
            return true;
    return false;
}

// Who scored what against whom is read from the database: only here is it wanted.
static int print_result(ContestRun *r, Archive *archive, bool over) {
    Text out = {0}, why = {0};
    Results *results = NULL;
    if (r->cli->option[OPT_JSON]) {
        contest_show_json(r, over, &out);
    } else {
        bool table = r->contest->kind != MATCH && schedule_played(r->schedule) > 0;
        r->results = results = table ? results_of(archive, &why) : NULL;
        contest_show(r, &out);
        r->results = NULL;
    }
    cli_print(&out);
    results_free(results);
    text_free(&out);
    text_free(&why);
    if (over)
        return EXIT_OK;
    cli_error("stopped after %lld of %lld games; the same command again goes on",
              (long long)schedule_played(r->schedule), (long long)schedule_total(r->schedule));
    return EXIT_INTERRUPTED;
}

static int play(ContestRun *r, Archive *archive, int jobs) {
    Text why = {0};
    Found found = {.run = r};
    if (!archive_each(archive, take_found, &found, &why) || found.wrong) {
        int status = cli_error(
            "%s: %s", r->db, found.wrong ? "a game in it cannot be of this contest" : text_c(&why));
        text_free(&why);
        return status;
    }
    r->found = schedule_played(r->schedule);
    bool json = r->cli->option[OPT_JSON] != NULL;
    if (r->found && !json)
        fprintf(stderr, "%s has %lld of %lld games already\n", r->db, (long long)r->found,
                (long long)schedule_total(r->schedule));
    if (has_bots(r->contest) && !json)
        fprintf(stderr, "bots: %s\n", sandbox_here()->words);
    Running g = {.run = r, .archive = archive, .began = now_seconds()};
    progress_begin(&g.progress, r->contest, r->found);
    WorkersTask task = {.contest = r->contest,
                        .games = r->games,
                        .schedule = r->schedule,
                        .jobs = jobs,
                        .stop = cli_begin_search(),
                        .with = &g,
                        .keep = keep,
                        .tell = tell};
    bool over = schedule_over(r->schedule);
    bool ok = over || (r->cli->ranks ? contest_deal(r, &task, &why) : workers_run(&task, &why));
    progress_end(&g.progress);
    r->seconds = now_seconds() - g.began;
    int status =
        ok ? print_result(r, archive, schedule_over(r->schedule)) : cli_error("%s", text_c(&why));
    text_free(&why);
    return status;
}

// A rank that has no database.
static int help(ContestRun *r, int jobs) {
    Running g = {.run = r, .began = now_seconds()};
    WorkersTask task = {.contest = r->contest,
                        .games = r->games,
                        .jobs = jobs,
                        .stop = cli_begin_search(),
                        .with = &g,
                        .tell = tell};
    return contest_help(r, &task);
}

static int open_and_play(ContestRun *r) {
    int64_t jobs = contest_jobs(r->cli);
    if (!cli_number(r->cli, OPT_JOBS, 1, WORKERS_MAX, &jobs))
        return EXIT_USAGE;
    int status = prepare(r);
    if (status != EXIT_OK)
        return status;
    if (r->cli->ranks && ranks_rank(r->cli->ranks->ranks) > 0)
        return help(r, (int)jobs);
    Text why = {0};
    Archive *archive = archive_open(r->db, r->contest, &why);
    if (archive)
        status = play(r, archive, (int)jobs);
    else
        status = cli_error("%s", text_c(&why));
    archive_close(archive);
    text_free(&why);
    return status;
}

int contest_run(const Cli *cli, const Contest *c, const char *db) {
    ContestRun *r = mem_alloc(sizeof *r);
    if (!r)
        return cli_error("out of memory");
    *r = (ContestRun){.cli = cli, .contest = c, .db = db};
    int status = open_and_play(r);
    schedule_free(r->schedule);
    for (int i = 0; i < c->games; i++)
        game_free(r->games[i]);
    mem_free(r);
    return status;
}
