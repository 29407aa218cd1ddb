// random: how random games of a game go: results, lengths, branching.
#include "base/now.h"
#include "cli/cli.h"
#include "cli/playout.h"

#include <stdio.h>
#include <unistd.h>

typedef struct Tally {
    int64_t games, wanted;
    int64_t results[256]; // by result byte; 0: unfinished
    int64_t plies, choices;
    int shortest, longest, most;
    uint64_t seed;
} Tally;

static void add_game(Tally *t, const Playout *p) {
    t->results[p->result]++;
    t->plies += p->plies;
    t->choices += p->choices;
    t->shortest = t->games == 0 || p->plies < t->shortest ? p->plies : t->shortest;
    t->longest = p->plies > t->longest ? p->plies : t->longest;
    t->most = p->most > t->most ? p->most : t->most;
    t->games++;
}

static double per(int64_t sum, int64_t count) {
    return count ? (double)sum / (double)count : 0;
}

static void print_table(const Game *g, const Tally *t, Text *out) {
    Text name = {0};
    text_f(out, "%s: %lld random games, seed %llu\n", g->name, (long long)t->games,
           (unsigned long long)t->seed);
    // Results in the order of their bytes, the unfinished last.
    for (int i = 1; i <= 256; i++) {
        int64_t n = t->results[i % 256];
        if (n == 0)
            continue;
        text_clear(&name);
        text_f(out, "  %-20s %10lld  %5.1f %%\n", game_result_text(g, i % 256, &name), (long long)n,
               100 * per(n, t->games));
    }
    text_f(out, "  %-20s mean %.1f, shortest %d, longest %d\n", "moves in a game",
           per(t->plies, t->games), t->shortest, t->longest);
    text_f(out, "  %-20s mean %.1f, most %d\n", "choices in a move", per(t->choices, t->plies),
           t->most);
    text_free(&name);
}

static void print_json(const Game *g, const Tally *t, Text *out) {
    Text name = {0};
    text_char(out, '{');
    cli_json_game(g, out);
    text_f(out, ",\"seed\":%llu,\"games\":%lld,\"results\":{", (unsigned long long)t->seed,
           (long long)t->games);
    for (int i = 1, shown = 0; i <= 256; i++) {
        if (t->results[i % 256] == 0)
            continue;
        text_clear(&name);
        text_add(out, shown++ ? "," : "");
        text_json(out, game_result_text(g, i % 256, &name));
        text_f(out, ":%lld", (long long)t->results[i % 256]);
    }
    text_f(out, "},\"length\":{\"mean\":%.3f,\"min\":%d,\"max\":%d}", per(t->plies, t->games),
           t->shortest, t->longest);
    text_f(out, ",\"branching\":{\"mean\":%.3f,\"max\":%d}}\n", per(t->choices, t->plies), t->most);
    text_free(&name);
}

static void show_progress(const Tally *t, double *last) {
    if (now_seconds() - *last < 1)
        return;
    *last = now_seconds();
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%lld of %lld games ", (long long)t->games, (long long)t->wanted);
}

static int run(const Cli *cli, Desk *desk, Playout *p, Tally *t) {
    Rng rng;
    rng_seed(&rng, t->seed);
    bool ok = true;
    double start = now_seconds(), last = start;
    while (ok && t->games < t->wanted && !cli_interrupted()) {
        ok = playout_run(p, desk->start, &rng);
        if (ok)
            add_game(t, p);
        show_progress(t, &last);
        desk_speed_up(desk);
    }
    if (isatty(STDERR_FILENO) && last > start)
        fprintf(stderr, "\r%40s\r", "");
    Text out = {0};
    if (cli->option[OPT_JSON])
        print_json(desk->game, t, &out);
    else
        print_table(desk->game, t, &out);
    cli_print(&out);
    text_free(&out);
    if (!ok)
        return cli_error("game %lld: %s", (long long)t->games + 1, runner_error(desk->runner));
    if (t->games == t->wanted)
        return EXIT_OK;
    cli_error("stopped after %lld of %lld games", (long long)t->games, (long long)t->wanted);
    return EXIT_INTERRUPTED;
}

int cmd_random(const Cli *cli) {
    int64_t games = 100, plies = PLAYOUT_PLIES, seed = 1;
    if (!cli_number(cli, OPT_GAMES, 1, 1000000000, &games) ||
        !cli_number(cli, OPT_PLIES, 1, 10000000, &plies) ||
        !cli_number(cli, OPT_SEED, 0, INT64_MAX, &seed))
        return EXIT_USAGE;
    Desk desk;
    int status = desk_open(cli, &desk);
    if (status == EXIT_OK)
        status = desk_backend(cli, &desk, BACKEND_AUTO);
    if (status == EXIT_OK) {
        cli_catch_interrupt();
        Playout p;
        Tally t = {.wanted = games, .seed = (uint64_t)seed};
        if (playout_open(&p, desk.runner, (int)plies))
            status = run(cli, &desk, &p, &t);
        else
            status = cli_error("out of memory");
        playout_close(&p);
    }
    desk_close(&desk);
    return status;
}
