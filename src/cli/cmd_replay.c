// replay: a saved game, move by move.
#include "cli/saved.h"

#include "cli/cli.h"
#include "cli/line.h"
#include "game/movetext.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void no_completion(void *context, const char *typed, Text *out) {
    (void)context;
    (void)typed;
    (void)out;
}

static void show_position(const Cli *cli, const Saved *s, int ply) {
    const Game *g = s->desk.game;
    const uint8_t *state = record_state(s->record, ply);
    Text out = {0};
    if (ply > 0) {
        const uint8_t *before = record_state(s->record, ply - 1);
        text_f(&out, "\n%d. %s: ", ply, g->ir->player[game_player(g, before)]);
        move_text(s->desk.runner, before, record_move(s->record, ply - 1), &out);
        text_char(&out, '\n');
    }
    draw_board(g, state, cli_style(cli), &out);
    draw_values(g, state, &out);
    cli_print(&out);
    text_free(&out);
}

static void show_end(const Saved *s) {
    Text out = {0};
    int result = record_result(s->record);
    text_char(&out, '\n');
    game_result_text(s->desk.game, result < 0 ? 0 : result, &out);
    const char *reason = record_reason(s->record);
    text_f(&out, reason[0] ? ": %s\n" : "%s\n", reason);
    cli_print(&out);
    text_free(&out);
}

static int replay(const Cli *cli, const Saved *s) {
    bool waits = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    Line *line = line_open(waits, no_completion, NULL);
    if (!line)
        return cli_error("out of memory");
    cli_catch_interrupt();
    printf("%s\n", s->desk.game->ir->title);
    int length = record_length(s->record);
    for (int ply = 0; ply <= length; ply++) {
        show_position(cli, s, ply);
        const char *typed = waits && ply < length ? line_read(line, "Enter: next move> ") : "";
        if (!typed || typed[0] == 'q') {
            line_close(line);
            return cli_interrupted() ? EXIT_INTERRUPTED : EXIT_OK;
        }
    }
    show_end(s);
    line_close(line);
    return EXIT_OK;
}

int cmd_replay(const Cli *cli) {
    if (cli->word_count != 1)
        return cli_usage(cli, cli->word_count ? "one file at a time" : "a file is missing");
    Saved s;
    int status = saved_open(cli, cli->words[0], &s);
    if (status == EXIT_OK)
        status = replay(cli, &s);
    saved_close(&s);
    return status;
}
