// moves: the legal moves of a position, one a line.
#include "cli/cli.h"
#include "cli/follow.h"

#include "game/movetext.h"
#include "game/statetext.h"

static void json_head(const Table *t, Text *out) {
    Text text = {0};
    text_char(out, '{');
    cli_json_game(t->game, out);
    text_add(out, ",\"state\":");
    state_text(t->game, t->start, &text);
    text_json(out, text_c(&text));
    text_add(out, ",\"player\":");
    text_json(out, t->game->ir->player[game_player(t->game, t->start)]);
    text_add(out, ",\"moves\":[");
    text_free(&text);
}

static int print_moves(const Table *t, bool json) {
    Text out = {0}, text = {0};
    const Move *moves;
    int n = runner_moves(t->runner, t->start, &moves);
    bool ok = n >= 0;
    if (json)
        json_head(t, &out);
    for (int i = 0; ok && i < n; i++) {
        text_clear(&text);
        ok = move_text(t->runner, t->start, moves[i], &text);
        if (json) {
            text_add(&out, i ? "," : "");
            text_json(&out, text_c(&text));
        } else {
            text_f(&out, "%s\n", text_c(&text));
        }
    }
    if (json)
        text_add(&out, "]}\n");
    if (ok)
        cli_print(&out);
    else
        cli_error("%s", runner_error(t->runner));
    text_free(&out);
    text_free(&text);
    return ok ? EXIT_OK : EXIT_INPUT;
}

int cmd_moves(const Cli *cli) {
    Table t;
    int status = table_open(cli, &t);
    if (status == EXIT_OK)
        status = table_backend(cli, &t, BACKEND_INTERP);
    if (status == EXIT_OK)
        status = cli->option[OPT_FOLLOW] ? moves_follow(&t, cli->option[OPT_JSON])
                                         : print_moves(&t, cli->option[OPT_JSON]);
    table_close(&t);
    return status;
}
