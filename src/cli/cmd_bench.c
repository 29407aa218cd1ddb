// bench: how fast random games and perft run, game by game, in seconds of the processor, so that
// other work on the machine disturbs little.
#include "base/now.h"
#include "cli/bench_frogs.h"
#include "cli/bench_knowledge.h"
#include "cli/bench_search.h"
#include "cli/cli.h"
#include "cli/playout.h"
#include "game/library.h"
#include "game/perft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Speed {
    RandomSpeed random;
    double nodes; // per second
} Speed;

typedef struct Effort {
    double seconds;
    int depth; // of perft; 0: as deep as there is time
} Effort;

// Between two looks at the clock, which take time too.
#define LOOK_SECONDS 1e-3

// Random games without a look at repetition, which would measure the looking.
bool bench_random(const Desk *t, double seconds, RandomSpeed *s) {
    size_t size = (size_t)game_state_size(t->game);
    uint8_t *state = mem_alloc(size);
    Rng rng;
    rng_seed(&rng, 1);
    int64_t plies = 0, games = 0;
    double start = cli_cpu(), now = start;
    int batch = 1;
    bool ok = state != NULL;
    while (ok && now - start < seconds && !cli_interrupted()) {
        double before = now;
        for (int i = 0; ok && i < batch; i++) {
            memcpy(state, t->start, size);
            int n = runner_playout(t->runner, state, &rng, PLAYOUT_PLIES);
            ok = n >= 0;
            plies += n;
            games++;
        }
        now = cli_cpu();
        batch *= now - before < LOOK_SECONDS ? 2 : 1;
    }
    s->plies = (double)plies / (now - start);
    s->games = (double)games / (now - start);
    mem_free(state);
    return ok;
}

// `with` is when the time is over; 0: never.
static bool is_late(void *with) {
    double until = *(const double *)with;
    return cli_interrupted() || (until > 0 && now_seconds() > until);
}

// Deeper and deeper until the time is over; or one tree, as often as there is time. What counts is
// the leaves: the moves that are made on the way to them are not figures of speed.
static bool measure_perft(const Desk *t, double seconds, int only, Speed *s) {
    double start = cli_cpu(), now, until = only ? 0 : now_seconds() + seconds;
    Perft p = {.runner = t->runner, .halt = is_late, .with = &until};
    int64_t n;
    do { // a small game is counted out before the time is over: again from the start
        n = 1;
        for (int depth = only ? only : 1; depth <= PERFT_MAX && n > 0 && !p.stopped; depth++) {
            n = perft_count(&p, t->start, depth);
            if (only)
                break;
        }
        now = cli_cpu();
    } while (n >= 0 && !p.stopped && p.leaves > 0 && now - start < seconds && !cli_interrupted());
    s->nodes = (double)p.leaves / (now - start);
    bool ok = n >= 0 || p.stopped;
    perft_free(&p);
    return ok;
}

static void print_speed(const Game *g, Speed s, bool json, bool first, Text *out) {
    if (json) {
        text_add(out, first ? "[{" : ",\n {");
        cli_json_game(g, out);
        text_f(out,
               ",\"plies_per_second\":%.0f,\"games_per_second\":%.1f,"
               "\"perft_nodes_per_second\":%.0f}",
               s.random.plies, s.random.games, s.nodes);
    } else {
        text_f(out, "%-20s %12.0f %12.1f %14.0f\n", g->name, s.random.plies, s.random.games,
               s.nodes);
    }
    cli_print(out);
    fflush(stdout);
}

static int bench_game(const Cli *cli, const char *name, Effort e, bool first, Text *out) {
    Desk t;
    int status = desk_open_game(cli, name, cli->params, cli->param_count, &t);
    Speed s;
    if (status == EXIT_OK)
        status = desk_backend(cli, &t, BACKEND_NATIVE);
    if (status == EXIT_OK) {
        if (bench_random(&t, e.seconds / 2, &s.random) &&
            measure_perft(&t, e.seconds / 2, e.depth, &s))
            print_speed(t.game, s, cli->option[OPT_JSON], first, out);
        else
            status = cli_error("%s: %s", name, runner_error(t.runner));
    }
    desk_close(&t);
    return status;
}

static bool read_depth(const Cli *cli, int *depth) {
    const char *text = cli->option[OPT_DEPTH];
    if (!text)
        return true;
    char *end;
    long n = strtol(text, &end, 10);
    if (end == text || *end || n < 1 || n > PERFT_MAX) {
        cli_usage(cli, "--depth is a number from 1 to %d, not `%s`", PERFT_MAX, text);
        return false;
    }
    *depth = (int)n;
    return true;
}

int cmd_bench(const Cli *cli) {
    if (cli->option[OPT_S3_FROGS])
        return bench_frogs(cli);
    if (cli->option[OPT_GAMES])
        return cli_usage(cli, "--games goes with --s3-frogs");
    bool search = cli->option[OPT_SEARCH];
    if (search && cli->option[OPT_DEPTH])
        return cli_usage(cli, "--depth is of perft: it does not go with --search");
    Effort e = {.seconds = 1};
    if (!cli_seconds(cli, &e.seconds) || !read_depth(cli, &e.depth))
        return EXIT_USAGE;
    cli_catch_interrupt();
    if (cli->option[OPT_KNOWLEDGE])
        return bench_knowledge(cli, e.seconds);
    bool json = cli->option[OPT_JSON];
    if (!json && search)
        bench_search_head();
    else if (!json)
        printf("%-20s %12s %12s %14s\n", "game", "plies/s", "games/s", "perft nodes/s");
    int status = EXIT_OK;
    int count = cli->word_count ? cli->word_count : library_count;
    Text out = {0};
    bool first = true;
    for (int i = 0; i < count && !cli_interrupted(); i++) {
        const char *name = cli->word_count ? cli->words[i] : library_games[i].name;
        int each = search ? bench_search(cli, name, e.seconds, first, &out)
                          : bench_game(cli, name, e, first, &out);
        first = first && each != EXIT_OK;
        status = each != EXIT_OK ? each : status;
    }
    if (json)
        puts(first ? "[]" : "]");
    text_free(&out);
    return cli_interrupted() ? EXIT_INTERRUPTED : status;
}
