// perft --merge: the same numbers layer by layer. States that are alike are kept once, with the
// number of ways that lead to them, so that depths can be counted whose sequences nobody could
// walk through one by one.
#include "cli/perft_merge.h"
#include "base/now.h"
#include "cli/positions.h"

#include <stdio.h>
#include <unistd.h>

#define LOOK_EVERY 1024

typedef struct Merge {
    Desk *t;
    Store store;
    Positions known; // of the next layer: number i is state i there
    Layer now, next;
    uint8_t *state;
    Moves moves;
    double begin;
} Merge;

typedef enum Outcome { GOES_ON, FAULT, STOPPED, FULL, TOO_MANY } Outcome;

static void show_progress(const Merge *x, int depth, size_t done) {
    if (isatty(STDERR_FILENO) && now_seconds() - x->begin > 1)
        fprintf(stderr, "\rdepth %d: %zu of %zu states ", depth, done, x->now.count);
}

static void clear_progress(const Merge *x) {
    if (isatty(STDERR_FILENO) && now_seconds() - x->begin > 1)
        fprintf(stderr, "\r%70s\r", "");
}

static bool is_time(Merge *x, int depth, size_t done) {
    if (done % LOOK_EVERY != LOOK_EVERY - 1)
        return false;
    desk_speed_up(x->t);
    show_progress(x, depth, done);
    return cli_interrupted();
}

static Outcome add_way(Merge *x, const uint8_t *state, uint64_t ways) {
    size_t index;
    switch (positions_add(&x->store, &x->known, state, &index)) {
    case POSITION_NEW: return layer_add(&x->store, &x->next, state, ways) ? GOES_ON : FULL;
    case POSITION_NO_MEMORY: return FULL;
    case POSITION_KNOWN: break;
    }
    uint64_t *number = &x->next.number[index];
    return __builtin_add_overflow(*number, ways, number) ? TOO_MANY : GOES_ON;
}

static Outcome expand(Merge *x, const uint8_t *state, uint64_t ways) {
    const Move *moves;
    Runner *r = x->t->runner;
    int n = runner_moves(r, state, &moves);
    Outcome how = n < 0 ? FAULT : moves_copy(&x->moves, moves, n) ? GOES_ON : FULL;
    for (int i = 0; i < n && how == GOES_ON; i++)
        how =
            runner_apply(r, state, x->moves.list[i], x->state) ? add_way(x, x->state, ways) : FAULT;
    return how;
}

// The number of sequences that are one move longer than those that lead to this layer.
static Outcome count_next(Merge *x, int depth, uint64_t *total) {
    *total = 0;
    for (size_t i = 0; i < x->now.count; i++) {
        int64_t n = runner_count(x->t->runner, layer_state(&x->store, &x->now, i));
        uint64_t ways;
        if (n < 0)
            return FAULT;
        if (__builtin_mul_overflow(x->now.number[i], (uint64_t)n, &ways) ||
            __builtin_add_overflow(*total, ways, total))
            return TOO_MANY;
        if (is_time(x, depth, i))
            return STOPPED;
    }
    return cli_interrupted() ? STOPPED : GOES_ON;
}

static Outcome next_layer(Merge *x, int depth) {
    Outcome how = GOES_ON;
    positions_free(&x->store, &x->known);
    for (size_t i = 0; i < x->now.count && how == GOES_ON; i++) {
        how = expand(x, layer_state(&x->store, &x->now, i), x->now.number[i]);
        if (is_time(x, depth, i) && how == GOES_ON)
            how = STOPPED;
    }
    layer_free(&x->store, &x->now);
    x->now = x->next;
    x->next = (Layer){0};
    return how;
}

static int report(const Merge *x, Outcome how, int depth) {
    switch (how) {
    case GOES_ON: return EXIT_OK;
    case FAULT: return cli_error("%s", runner_error(x->t->runner));
    case FULL: return store_full(&x->store, depth);
    case TOO_MANY: return cli_error("the number at depth %d has more than 64 bits", depth);
    case STOPPED: break;
    }
    cli_error("stopped at depth %d", depth);
    return EXIT_INTERRUPTED;
}

static void print_row(const Merge *x, bool json, int depth, uint64_t total, size_t states,
                      Text *out) {
    double seconds = now_seconds() - x->begin;
    if (json) {
        text_char(out, '{');
        cli_json_game(x->t->game, out);
        text_f(out, ",\"depth\":%d,\"nodes\":%llu,\"states\":%zu,\"seconds\":%.3f}\n", depth,
               (unsigned long long)total, states, seconds);
    } else {
        text_f(out, "%5d %15llu %10.3f %12zu\n", depth, (unsigned long long)total, seconds, states);
    }
    cli_print(out);
    fflush(stdout);
}

// Depth after depth; --json prints the last alone.
static int count(Merge *x, bool json, int most) {
    Text out = {0};
    Outcome how = layer_add(&x->store, &x->next, x->t->start, 1) ? GOES_ON : FULL;
    if (!json)
        text_add(&out, "depth           nodes    seconds       states\n");
    x->now = x->next;
    x->next = (Layer){0};
    int depth = 1;
    if (most == 0 && how == GOES_ON)
        print_row(x, json, 0, 1, 1, &out);
    for (; depth <= most && how == GOES_ON; depth++) {
        uint64_t total = 0;
        // `states`: those that sequences one move shorter lead to.
        how = count_next(x, depth, &total);
        clear_progress(x);
        if (how == GOES_ON && (!json || depth == most))
            print_row(x, json, depth, total, x->now.count, &out);
        if (how != GOES_ON)
            break;
        if (depth < most)
            how = next_layer(x, depth + 1);
        clear_progress(x);
    }
    cli_print(&out);
    text_free(&out);
    return report(x, how, depth);
}

int perft_merge(const Cli *cli, Desk *t, int depth) {
    int64_t memory = STORE_MEGABYTES;
    if (!cli_number(cli, OPT_MEMORY, 1, STORE_MEGABYTES_MAX, &memory))
        return EXIT_USAGE;
    if (cli->option[OPT_DIVIDE])
        return cli_usage(cli, "--merge keeps no first moves apart: it goes without --divide");
    Merge x = {.t = t, .begin = now_seconds()};
    int status;
    x.state = mem_alloc((size_t)game_state_size(t->game));
    if (positions_open(&x.store, t->game, true, memory) && x.state)
        status = count(&x, cli->option[OPT_JSON], depth);
    else
        status = cli_error("out of memory");
    positions_free(&x.store, &x.known);
    layer_free(&x.store, &x.now);
    layer_free(&x.store, &x.next);
    positions_close(&x.store);
    moves_free(&x.moves);
    mem_free(x.state);
    return status;
}
