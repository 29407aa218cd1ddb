// hint: the move that a player would play, and why.
#include "cli/found.h"

#include "game/movetext.h"

static void print_hint(const Cli *cli, const Position *p, const SearchResult *result) {
    Runner *r = p->saved.desk.runner;
    const uint8_t *from = record_now(p->saved.record);
    Text out = {0};
    if (cli->option[OPT_JSON]) {
        text_char(&out, '{');
        cli_json_game(p->saved.desk.game, &out);
        text_char(&out, ',');
        found_json(p, result, &out);
        text_char(&out, '}');
    } else {
        move_text(r, from, result->move, &out);
        text_add(&out, " (");
        result_describe(result, &out);
        if (result->line_length > 1) {
            text_add(&out, "; then ");
            uint64_t copy[IR_MAX_STATE / 8];
            uint8_t *next = (uint8_t *)copy;
            if (runner_apply(r, from, result->line[0], next))
                found_line(r, next, result->line + 1, result->line_length - 1, &out);
        }
        text_char(&out, ')');
    }
    text_char(&out, '\n');
    cli_print(&out);
    text_free(&out);
}

int cmd_hint(const Cli *cli) {
    Position p;
    SearchResult result;
    int status = position_open(cli, &p);
    if (status == EXIT_OK)
        status = position_search(&p, NULL, &result);
    if (status == EXIT_OK)
        print_hint(cli, &p, &result);
    position_close(&p);
    return status;
}
