// perft: the number of positions after so many moves.
#include "cli/perft_merge.h"

#include "base/now.h"
#include "cli/cli.h"
#include "game/movetext.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Overflow of 64 bits would take centuries.
typedef struct Count {
    int64_t nodes;
    double seconds;
} Count;

typedef struct Divide { // the count behind each first move
    Move *moves;
    int64_t *nodes;
    int count, done;
} Divide;

// On a terminal, how far a long count has come.
static void show_progress(const Divide *d, int depth, double since, int64_t nodes) {
    if (isatty(STDERR_FILENO) && now_seconds() - since > 1)
        fprintf(stderr, "\rdepth %d: %d of %d first moves, %lld so far ", depth, d->done, d->count,
                (long long)nodes);
}

static void clear_progress(double since) {
    if (isatty(STDERR_FILENO) && now_seconds() - since > 1)
        fprintf(stderr, "\r%70s\r", "");
}

static bool divide_open(Divide *d, const Desk *t) {
    const Move *moves;
    int n = runner_moves(t->runner, t->start, &moves);
    if (n < 0)
        return false;
    d->moves = mem_alloc(sizeof *moves * (size_t)(n + 1));
    d->nodes = mem_alloc(sizeof *d->nodes * (size_t)(n + 1));
    d->count = d->moves && d->nodes ? n : 0;
    for (int i = 0; i < d->count; i++)
        d->moves[i] = moves[i];
    return d->moves && d->nodes;
}

static void divide_close(Divide *d) {
    mem_free(d->moves);
    mem_free(d->nodes);
}

static bool interrupted(void *with) {
    (void)with;
    return cli_interrupted();
}

static void speed_up(void *with) {
    desk_speed_up(with);
}

// One depth, first move by first move. False when stopped or on a fault.
static bool count_depth(Perft *p, const Desk *t, Divide *d, int depth, Count *c) {
    double since = now_seconds();
    uint8_t *state = mem_alloc((size_t)game_state_size(t->game));
    bool ok = state;
    *c = (Count){.nodes = depth == 0};
    d->done = 0;
    for (int i = 0; ok && depth > 0 && i < d->count; i++) {
        ok = runner_apply(t->runner, t->start, d->moves[i], state);
        int64_t below = ok ? perft_count(p, state, depth - 1) : -1;
        ok = below >= 0 && !cli_interrupted();
        if (!ok)
            break;
        c->nodes += d->nodes[i] = below;
        d->done = i + 1;
        show_progress(d, depth, since, c->nodes);
    }
    clear_progress(since);
    c->seconds = now_seconds() - since;
    mem_free(state);
    return ok;
}

static void print_divide(const Desk *t, const Divide *d, bool json, Text *out) {
    Text text = {0};
    for (int i = 0; i < d->done; i++) {
        text_clear(&text);
        move_text(t->runner, t->start, d->moves[i], &text);
        if (json) {
            text_add(out, i ? "," : "");
            text_json(out, text_c(&text));
            text_f(out, ":%lld", (long long)d->nodes[i]);
        } else {
            text_f(out, "%s: %lld\n", text_c(&text), (long long)d->nodes[i]);
        }
    }
    text_free(&text);
}

static void print_json(const Cli *cli, const Desk *t, const Divide *d, int depth, Count c,
                       Text *out) {
    text_char(out, '{');
    cli_json_game(t->game, out);
    text_f(out, ",\"depth\":%d,\"nodes\":%lld,\"seconds\":%.3f", depth, (long long)c.nodes,
           c.seconds);
    if (cli->option[OPT_DIVIDE]) {
        text_add(out, ",\"divide\":{");
        print_divide(t, d, true, out);
        text_char(out, '}');
    }
    text_add(out, "}\n");
}

static void print_row(int depth, Count c, Text *out) {
    text_f(out, "%5d %15lld %10.3f", depth, (long long)c.nodes, c.seconds);
    if (c.seconds > 0.001)
        text_f(out, " %12.0f", (double)c.nodes / c.seconds);
    text_char(out, '\n');
}

static int failure(const Desk *t, int depth) {
    if (!cli_interrupted())
        return cli_error("%s", runner_error(t->runner));
    cli_error("stopped at depth %d", depth);
    return EXIT_INTERRUPTED;
}

// Depth after depth, so that there is something to see; --json and --divide want the last alone.
static int run(const Cli *cli, const Desk *t, int depth, Perft *p, Divide *d) {
    bool json = cli->option[OPT_JSON], divide = cli->option[OPT_DIVIDE];
    Text out = {0};
    int status = EXIT_OK;
    if (!json && !divide)
        text_add(&out, "depth           nodes    seconds      nodes/s\n");
    for (int n = json || divide ? depth : depth > 0; n <= depth && status == EXIT_OK; n++) {
        Count c;
        bool ok = count_depth(p, t, d, n, &c);
        if (!ok)
            status = failure(t, n);
        else if (json)
            print_json(cli, t, d, n, c, &out);
        else if (!divide)
            print_row(n, c, &out);
        if (divide && !json) {
            print_divide(t, d, false, &out);
            text_f(&out, ok ? "%lld\n" : "%lld so far\n", (long long)c.nodes);
        }
        cli_print(&out);
        fflush(stdout);
    }
    text_free(&out);
    return status;
}

int cmd_perft(const Cli *cli) {
    int depth = 0;
    int status = cli_depth(cli, PERFT_MAX, &depth);
    if (status != EXIT_OK)
        return status;
    if (cli->option[OPT_MEMORY] && !cli->option[OPT_MERGE])
        return cli_usage(cli, "--memory is for --merge: else nothing is kept");
    Desk t;
    status = desk_open_game(cli, cli->words[0], cli->params, cli->param_count, &t);
    if (status == EXIT_OK)
        status = desk_backend(cli, &t, BACKEND_AUTO);
    if (status == EXIT_OK && cli->option[OPT_MERGE]) {
        cli_catch_interrupt();
        status = perft_merge(cli, &t, depth);
    } else if (status == EXIT_OK) {
        cli_catch_interrupt();
        Perft p = {.runner = t.runner, .halt = interrupted, .busy = speed_up, .with = &t};
        Divide d = {0};
        if (divide_open(&d, &t))
            status = run(cli, &t, depth, &p, &d);
        else
            status = cli_error("%s", runner_error(t.runner));
        divide_close(&d);
        perft_free(&p);
    }
    desk_close(&t);
    return status;
}
