// tournament: a tournament from a file, or of players given on the command line.
#include "cli/contest_run.h"

#include "base/file.h"
#include "match/contest_file.h"

#include <string.h>

static const struct KindRow {
    CliOption option;
    ContestKind kind;
} kind_rows[] = {{OPT_ROUND_ROBIN, ROUND_ROBIN},
                 {OPT_GAUNTLET, GAUNTLET},
                 {OPT_KNOCKOUT, KNOCKOUT},
                 {OPT_SWISS, SWISS}};
enum { KIND_ROWS = sizeof kind_rows / sizeof kind_rows[0] };

// --- of players ---

static int fill(const Cli *cli, Contest *c) {
    TimeControl time = {0};
    int64_t rounds = 0;
    if (!cli_number(cli, OPT_GAMES, 1, CONTEST_EACH, &c->each) ||
        !cli_number(cli, OPT_ROUNDS, 1, CONTEST_ROUNDS, &rounds))
        return EXIT_USAGE;
    c->rounds = (int)rounds;
    int status = contest_options(cli, c, &time);
    if (status == EXIT_OK)
        status = contest_players(cli, c, cli->words, cli->word_count);
    if (status != EXIT_OK)
        return status;
    Text why = {0};
    if (!contest_add_game(c, cli->option[OPT_GAME], cli->params, cli->param_count, &why) ||
        !contest_finish(c, &time, &why))
        status = cli_usage(cli, "%s", text_c(&why));
    text_free(&why);
    return status;
}

static int of_players(const Cli *cli, ContestKind kind) {
    if (!cli->option[OPT_GAME])
        return cli_usage(cli, "--game is missing: what shall they play?");
    Contest *c = contest_new();
    if (!c)
        return cli_error("out of memory");
    c->kind = kind;
    int status = fill(cli, c);
    if (status == EXIT_OK)
        status = contest_run(cli, c, cli->option[OPT_DB] ? cli->option[OPT_DB] : "ludens.db");
    contest_free(c);
    return status;
}

// --- of a file ---

// cup.txt: cup.db. What has no ending gets one.
static void usual_db(const char *path, Text *db) {
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    const char *dot = strrchr(name, '.');
    text_add_n(db, path, dot && dot > name ? (size_t)(dot - path) : strlen(path));
    text_add(db, ".db");
}

static int run_file(const Cli *cli, const char *path, const Contest *c) {
    Text db = {0};
    usual_db(path, &db);
    int status;
    if (cli->option[OPT_DB])
        status = contest_run(cli, c, cli->option[OPT_DB]);
    else if (db.failed)
        status = cli_error("out of memory");
    else if (strcmp(text_c(&db), path) == 0)
        status = cli_usage(cli, "`%s` is a database: the file of the tournament is wanted", path);
    else
        status = contest_run(cli, c, text_c(&db));
    text_free(&db);
    return status;
}

static int of_file(const Cli *cli) {
    static const CliOption elsewhere[] = {OPT_GAME, OPT_GAMES,   OPT_ROUNDS,
                                          OPT_SWAP, OPT_NO_SWAP, OPT_OPENINGS,
                                          OPT_TIME, OPT_PLIES,   OPT_SEED};
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        if (cli->option[elsewhere[i]])
            return cli_usage(cli, "what is played and how stands in the file");
    if (cli->word_count != 1 || cli->param_count)
        return cli_usage(cli, cli->word_count || cli->param_count
                                  ? "one file, or --round-robin, --gauntlet, --knockout or --swiss "
                                    "before players"
                                  : "a file is missing");
    const char *path = cli->words[0];
    Text why = {0};
    size_t size;
    char *text = file_read(path, FILE_LIMIT, &size, &why);
    int status = text ? EXIT_INPUT : cli_error("%s", text_c(&why));
    if (text) {
        Source source = {path, text, size};
        Diags diags = {.source = &source};
        Contest *c = contest_read(&source, &diags);
        cli_print_diags(&diags, false);
        diag_free(&diags);
        if (c)
            status = run_file(cli, path, c);
        contest_free(c);
    }
    mem_free(text);
    text_free(&why);
    return status;
}

static int tournament(const Cli *cli) {
    const struct KindRow *kind = NULL;
    for (int i = 0; i < KIND_ROWS; i++) {
        if (!cli->option[kind_rows[i].option])
            continue;
        if (kind)
            return cli_usage(cli, "a tournament is of one kind");
        kind = &kind_rows[i];
    }
    return kind ? of_players(cli, kind->kind) : of_file(cli);
}

int cmd_tournament(const Cli *cli) {
    return contest_on_ranks(cli, tournament);
}
