// show: one position: board, line of text, who is on move or who has won.
#include "cli/cli.h"

#include "game/describe.h"
#include "game/statetext.h"

static void json_show(const Desk *t, int result, int64_t moves, Text *out) {
    const IrGame *ir = t->game->ir;
    text_char(out, '{');
    cli_json_position(t, out);
    text_f(out, ",\"moves\":%lld,\"over\":%s,\"winners\":[", (long long)moves,
           result ? "true" : "false");
    for (int p = 0, seen = 0; p < ir->players; p++) {
        if (!(result >> p & 1))
            continue;
        text_add(out, seen++ ? "," : "");
        text_json(out, ir->player[p]);
    }
    text_add(out, "]}\n");
}

// Everything that drawing needs. A game that is over has no options.
static void json_layout(const Desk *t, int64_t moves, Text *out) {
    Text why = {0};
    text_add(out, "{\"game\":");
    describe_game(t->game, out);
    text_add(out, ",\"position\":");
    describe_position(t->runner, t->start, out);
    text_add(out, ",\"options\":");
    if (!moves || !describe_options(t->runner, t->start, NULL, 0, out, &why))
        text_add(out, "null");
    text_add(out, "}\n");
    text_free(&why);
}

static void print_show(const Cli *cli, const Desk *t, int result, Text *out) {
    draw_board(t->game, t->start, cli_style(cli), out);
    state_text(t->game, t->start, out);
    text_char(out, '\n');
    if (result)
        game_result_text(t->game, result, out);
    else
        text_f(out, "%s to move", t->game->ir->player[game_player(t->game, t->start)]);
    text_char(out, '\n');
}

int cmd_show(const Cli *cli) {
    Desk t;
    int status = desk_open(cli, &t);
    if (status == EXIT_OK) {
        int result = runner_result(t.runner, t.start);
        int64_t moves = result < 0 ? -1 : runner_count(t.runner, t.start);
        Text out = {0};
        if (moves < 0)
            status = cli_error("%s", runner_error(t.runner));
        else if (cli->option[OPT_LAYOUT])
            json_layout(&t, moves, &out);
        else if (cli->option[OPT_JSON])
            json_show(&t, result, moves, &out);
        else
            print_show(cli, &t, result, &out);
        cli_print(&out);
        text_free(&out);
    }
    desk_close(&t);
    return status;
}
