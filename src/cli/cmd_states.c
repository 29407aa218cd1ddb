// states: how many different positions there are after each number of moves.
#include "base/now.h"
#include "cli/cli.h"
#include "cli/positions.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// More moves than any game has that can be searched through.
#define DEPTH_MAX 1000000
// Now and then: look at the clock, whether machine code is there, and show how far it is.
#define LOOK_EVERY 1024

typedef struct Search {
    Desk *t;
    Store store;
    Positions known;
    Layer now, next;
    uint8_t *state;
    Moves moves; // of the state that is looked at
    double begin;
} Search;

typedef enum Outcome { GOES_ON, FAULT, STOPPED, FULL } Outcome;

static void show_progress(const Search *x, int depth, size_t done) {
    if (isatty(STDERR_FILENO) && now_seconds() - x->begin > 1)
        fprintf(stderr, "\rdepth %d: %zu of %zu positions, %zu new ", depth, done, x->now.count,
                x->next.count);
}

static void clear_progress(const Search *x) {
    if (isatty(STDERR_FILENO) && now_seconds() - x->begin > 1)
        fprintf(stderr, "\r%70s\r", "");
}

static Outcome keep(Search *x, const uint8_t *state) {
    size_t index;
    switch (positions_add(&x->store, &x->known, state, &index)) {
    case POSITION_NEW: return layer_add(&x->store, &x->next, state, 0) ? GOES_ON : FULL;
    case POSITION_NO_MEMORY: return FULL;
    case POSITION_KNOWN: break;
    }
    return GOES_ON;
}

static Outcome expand(Search *x, const uint8_t *state) {
    const Move *moves;
    Runner *r = x->t->runner;
    int n = runner_moves(r, state, &moves);
    Outcome how = n < 0 ? FAULT : moves_copy(&x->moves, moves, n) ? GOES_ON : FULL;
    for (int i = 0; i < n && how == GOES_ON; i++)
        how = runner_apply(r, state, x->moves.list[i], x->state) ? keep(x, x->state) : FAULT;
    return how;
}

static Outcome next_layer(Search *x, int depth) {
    Outcome how = GOES_ON;
    for (size_t i = 0; i < x->now.count && how == GOES_ON; i++) {
        how = expand(x, layer_state(&x->store, &x->now, i));
        if (i % LOOK_EVERY != LOOK_EVERY - 1)
            continue;
        desk_speed_up(x->t);
        show_progress(x, depth, i);
        if (cli_interrupted() && how == GOES_ON)
            how = STOPPED;
    }
    clear_progress(x);
    return how == GOES_ON && cli_interrupted() ? STOPPED : how;
}

static int report(const Search *x, Outcome how, int depth) {
    switch (how) {
    case GOES_ON: return EXIT_OK;
    case FAULT: return cli_error("%s", runner_error(x->t->runner));
    case FULL: return store_full(&x->store, depth);
    case STOPPED: break;
    }
    cli_error("stopped at depth %d: %zu new positions so far", depth, x->next.count);
    return EXIT_INTERRUPTED;
}

static void print_row(const Search *x, bool json, int depth, Text *out) {
    if (json)
        text_f(out, "%s%zu", depth ? "," : "", x->now.count);
    else
        text_f(out, "%5d %15zu %15zu %10.3f\n", depth, x->now.count, x->known.count,
               now_seconds() - x->begin);
    if (!json) {
        cli_print(out);
        fflush(stdout);
    }
}

static int search(Search *x, bool json, int most) {
    Text out = {0};
    Outcome how = keep(x, x->t->start);
    int depth = 0;
    bool reached = false; // the depth that was asked for
    if (json) {
        text_char(&out, '{');
        cli_json_game(x->t->game, &out);
        text_add(&out, ",\"new\":[");
    } else {
        text_add(&out, "depth             new           total    seconds\n");
    }
    for (; how == GOES_ON && x->next.count > 0; depth++) {
        layer_free(&x->store, &x->now);
        x->now = x->next;
        x->next = (Layer){0};
        print_row(x, json, depth, &out);
        reached = depth == most;
        if (reached)
            break;
        how = next_layer(x, depth + 1);
    }
    bool all = how == GOES_ON && !reached;
    size_t total = x->known.count - (how == GOES_ON ? 0 : x->next.count);
    if (json)
        text_f(&out, "],\"total\":%zu,\"complete\":%s,\"seconds\":%.3f}\n", total,
               all ? "true" : "false", now_seconds() - x->begin);
    else if (all)
        text_f(&out, "these are all: %zu positions\n", total);
    cli_print(&out);
    text_free(&out);
    return report(x, how, depth);
}

int cmd_states(const Cli *cli) {
    int depth = 0;
    int64_t memory = STORE_MEGABYTES;
    int status = cli_depth(cli, DEPTH_MAX, &depth);
    if (status != EXIT_OK)
        return status;
    if (!cli_number(cli, OPT_MEMORY, 1, STORE_MEGABYTES_MAX, &memory))
        return EXIT_USAGE;
    Desk t;
    status = desk_open_game(cli, cli->words[0], cli->params, cli->param_count, &t);
    if (status == EXIT_OK)
        status = desk_backend(cli, &t, BACKEND_AUTO);
    if (status == EXIT_OK) {
        cli_catch_interrupt();
        Search x = {.t = &t, .begin = now_seconds()};
        x.state = mem_alloc((size_t)game_state_size(t.game));
        if (positions_open(&x.store, t.game, false, memory) && x.state)
            status = search(&x, cli->option[OPT_JSON], depth);
        else
            status = cli_error("out of memory");
        positions_free(&x.store, &x.known);
        layer_free(&x.store, &x.now);
        layer_free(&x.store, &x.next);
        positions_close(&x.store);
        moves_free(&x.moves);
        mem_free(x.state);
    }
    desk_close(&t);
    return status;
}
