// prove: who wins with best play.
#include "cli/cli.h"

#include "cli/found.h"
#include "game/movetext.h"
#include "search/prove.h"

#include <string.h>

// A petabyte is more than anybody has; the number is then still far from overflow.
#define MEGABYTES_MOST 1000000000

static const char *value_word(int value) {
    return value == PROVE_WON ? "first" : value == PROVE_LOST ? "second" : "draw";
}

// In the words of the game.
static void add_value(const Game *g, const uint8_t *state, int value, Text *out) {
    int players = g->ir->players, first = game_player(g, state);
    if (players == 1)
        text_add(out,
                 value == PROVE_WON ? "the goal can be reached" : "the goal cannot be reached");
    else if (value == PROVE_DRAWN)
        text_add(out, "a draw");
    else if (value == PROVE_WON)
        text_f(out, "%s wins, who moves first", g->ir->player[first]);
    else if (players == 2)
        text_f(out, "%s wins, who moves second", g->ir->player[1 - first]);
    else
        text_f(out, "the others can beat %s, who moves first", g->ir->player[first]);
}

static void add_bounds(const Game *g, const uint8_t *state, const ProveResult *r, Text *out) {
    const char *first = g->ir->player[game_player(g, state)];
    if (r->high == PROVE_DRAWN)
        text_f(out, "not proven; %s, who moves first, does not win", first);
    else if (r->low == PROVE_DRAWN)
        text_f(out, "not proven; %s, who moves first, does not lose", first);
    else
        text_add(out, "not proven; nothing is certain");
    if (r->too_large)
        text_add(out, ": the game is too large for the memory, or too long");
}

static void print_text(const Desk *t, const ProveResult *r, Text *out) {
    text_add(out, "value  ");
    if (r->low == r->high)
        add_value(t->game, t->start, r->low, out);
    else
        add_bounds(t->game, t->start, r, out);
    if (r->line_length > 0) {
        text_add(out, "\nline   ");
        found_line(t->runner, t->start, r->line, r->line_length, out);
    }
    text_f(out, "\nwork   %lld position%s in %.2f s, by %s\n", (long long)r->nodes,
           r->nodes == 1 ? "" : "s", r->seconds, r->way);
}

static void json_line(const Desk *t, const ProveResult *r, Text *out) {
    uint64_t state[IR_MAX_STATE / 8];
    Text move = {0};
    memcpy(state, t->start, (size_t)game_state_size(t->game));
    text_char(out, '[');
    for (int i = 0; i < r->line_length; i++) {
        text_clear(&move);
        move_text(t->runner, (uint8_t *)state, r->line[i], &move);
        text_add(out, i ? "," : "");
        text_json(out, text_c(&move));
        if (!runner_apply(t->runner, (uint8_t *)state, r->line[i], (uint8_t *)state))
            break;
    }
    text_char(out, ']');
    text_free(&move);
}

static void print_json(const Desk *t, const ProveResult *r, Text *out) {
    text_char(out, '{');
    cli_json_game(t->game, out);
    if (r->low == r->high)
        text_f(out, ",\"value\":\"%s\"", value_word(r->low));
    else
        text_add(out, ",\"value\":null");
    text_f(out, ",\"at_least\":\"%s\",\"at_most\":\"%s\",\"line\":", value_word(r->low),
           value_word(r->high));
    json_line(t, r, out);
    text_f(out, ",\"nodes\":%lld,\"seconds\":%.6f,\"way\":\"%s\"}\n", (long long)r->nodes,
           r->seconds, r->way);
}

static void start_compiler(void *with) {
    Desk *t = with;
    Text ignored = {0};
    if (t->backend == BACKEND_AUTO)
        game_use(t->game, BACKEND_AUTO, &ignored); // without it, it is slower
    text_free(&ignored);
}

static int prove(const Cli *cli, Desk *t, double seconds, int64_t megabytes) {
    ProveResult result;
    Text out = {0};
    ProveTask task = {.game = t->game,
                      .state = t->start,
                      .seconds = seconds,
                      .memory = (size_t)megabytes << 20,
                      .stop = cli_begin_search(),
                      .hurry = start_compiler,
                      .with = t};
    bool ok = prove_position(&task, &result, &out);
    bool stopped = atomic_load(task.stop);
    cli_end_search();
    int status = EXIT_OK;
    if (!ok)
        status = cli_error("%s", text_c(&out));
    else if (cli->option[OPT_JSON])
        print_json(t, &result, &out);
    else
        print_text(t, &result, &out);
    if (ok)
        cli_print(&out);
    text_free(&out);
    return ok && stopped ? EXIT_INTERRUPTED : status;
}

int cmd_prove(const Cli *cli) {
    double seconds = 0;
    int64_t megabytes = 0;
    if (!cli_seconds(cli, &seconds) || !cli_number(cli, OPT_MEMORY, 1, MEGABYTES_MOST, &megabytes))
        return EXIT_USAGE;
    Desk t;
    int status = desk_open(cli, &t);
    if (status == EXIT_OK)
        status = desk_first(cli, &t);
    if (status == EXIT_OK)
        status = desk_backend(cli, &t, BACKEND_AUTO);
    if (status == EXIT_OK)
        status = prove(cli, &t, seconds, megabytes);
    desk_close(&t);
    return status;
}
