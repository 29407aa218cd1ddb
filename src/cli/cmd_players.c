// players: the players and their parameters.
#include "cli/cli.h"

int cmd_players(const Cli *cli) {
    if (cli->word_count > 1 || cli->param_count)
        return cli_usage(cli, "`%s` is one word too many",
                         cli->param_count ? cli->params[0] : cli->words[1]);
    Text out = {0}, why = {0};
    int status = EXIT_OK;
    if (cli->word_count == 0)
        player_list(&out, cli->option[OPT_JSON]);
    else if (!player_describe(cli->words[0], cli->option[OPT_JSON], &out, &why))
        status = cli_error("%s", text_c(&why));
    cli_print(&out);
    text_free(&out);
    text_free(&why);
    return status;
}
