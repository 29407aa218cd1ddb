// match: many games between players.
#include "cli/contest_run.h"

#include "match/contest_make.h"

#include <string.h>

static int fill(const Cli *cli, Contest *c) {
    TimeControl time = {0};
    c->kind = MATCH;
    c->each = 100;
    if (!cli_number(cli, OPT_GAMES, 1, CONTEST_EACH, &c->each))
        return EXIT_USAGE;
    int status = contest_options(cli, c, &time);
    if (status != EXIT_OK)
        return status;
    Text why = {0};
    bool ok = contest_add_game(c, cli->words[0], cli->params, cli->param_count, &why);
    status = ok ? contest_players(cli, c, cli->words + 1, cli->word_count - 1) : EXIT_USAGE;
    if (status == EXIT_OK)
        ok = contest_finish(c, &time, &why);
    if (!ok)
        status = cli_usage(cli, "%s", text_c(&why));
    text_free(&why);
    return status;
}

static int match(const Cli *cli) {
    if (cli->word_count < 3) {
        for (int i = 0; i < cli->param_count; i++)
            if (strncmp(cli->params[i], "level=", 6) == 0)
                return cli_usage(cli, "write `auto:%s`: alone it is a parameter of the game",
                                 cli->params[i]);
        return cli_usage(cli, cli->word_count ? "a match is between players: name them"
                                              : "the name of a game is missing");
    }
    Contest *c = contest_new();
    if (!c)
        return cli_error("out of memory");
    int status = fill(cli, c);
    if (status == EXIT_OK)
        status = contest_run(cli, c, cli->option[OPT_DB] ? cli->option[OPT_DB] : "ludens.db");
    contest_free(c);
    return status;
}

int cmd_match(const Cli *cli) {
    return contest_on_ranks(cli, match);
}
