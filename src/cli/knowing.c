// knowing: see knowing.h.
#include "cli/knowing.h"

int knowing_open(const Cli *cli, const Game *g, Knowledge **k) {
    const char *file = cli->option[OPT_KNOWLEDGE];
    Diags diags = {0};
    *k = file ? knowledge_load(g, file, &diags) : knowledge_own(g);
    cli_print_diags(&diags, false);
    diag_free(&diags);
    if (*k)
        return EXIT_OK;
    if (!file)
        cli_error("the rules of `%s` have no facts: give some with --knowledge FILE", g->name);
    return EXIT_INPUT;
}

int knowing_lend(const Cli *cli, const Game *g, Knowledge **k) {
    *k = NULL;
    return cli->option[OPT_KNOWLEDGE] ? knowing_open(cli, g, k) : EXIT_OK;
}
