// players: the players and their parameters.
#include "cli/cli.h"

int cmd_players(const Cli *cli) {
    if (cli->word_count || cli->param_count)
        return cli_usage(cli, "`%s` is one word too many",
                         cli->word_count ? cli->words[0] : cli->params[0]);
    Text out = {0};
    player_list(&out, cli->option[OPT_JSON]);
    cli_print(&out);
    text_free(&out);
    return EXIT_OK;
}
