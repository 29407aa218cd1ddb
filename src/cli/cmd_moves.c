// moves: the legal moves of a position, one a line.
#include "cli/cli.h"
#include "cli/follow.h"

#include "game/movetext.h"
#include "game/statetext.h"

static void json_head(const Desk *t, Text *out) {
    text_char(out, '{');
    cli_json_position(t, out);
    text_add(out, ",\"moves\":[");
}

static int print_moves(const Desk *t, bool json) {
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
    Desk t;
    int status = desk_open(cli, &t);
    if (status == EXIT_OK)
        status = desk_backend(cli, &t, BACKEND_INTERP);
    if (status == EXIT_OK)
        status = cli->option[OPT_FOLLOW] ? moves_follow(&t, cli->option[OPT_JSON])
                                         : print_moves(&t, cli->option[OPT_JSON]);
    desk_close(&t);
    return status;
}
