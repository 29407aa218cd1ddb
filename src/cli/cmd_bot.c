// bot: bots of other people: whether they behave, and a folder to begin one.
#include "cli/bot_new.h"
#include "match/bot_check.h"
#include "match/sandbox.h"

#include <stdio.h>
#include <string.h>

static const char *const results[] = {"ok", "warning", "FAILED", "-"};
static const char *const json_results[] = {"ok", "warning", "failed", "left out"};

static void print_check(void *with, const BotCheck *check) {
    (void)with;
    printf("%-8s %-9s %s\n", results[check->result], check->name, text_c(&check->text));
    for (const char *s = text_c(&check->log); *s;) {
        size_t n = strcspn(s, "\n");
        printf("    %.*s\n", (int)n, s);
        s += n + (s[n] == '\n');
    }
    fflush(stdout);
}

static void print_json(const Game *g, const char *command, const BotReport *r) {
    Text out = {0};
    text_char(&out, '{');
    cli_json_game(g, &out);
    text_add(&out, ",\"bot\":");
    text_json(&out, command);
    text_add(&out, ",\"name\":");
    text_json(&out, text_c(&r->name));
    text_add(&out, ",\"enforced\":");
    text_json(&out, sandbox_here()->words);
    text_add(&out, ",\"checks\":[");
    for (int i = 0; i < r->count; i++) {
        text_f(&out, "%s{\"name\":\"%s\",\"result\":\"%s\",\"text\":", i ? "," : "",
               r->check[i].name, json_results[r->check[i].result]);
        text_json(&out, text_c(&r->check[i].text));
        text_add(&out, ",\"log\":");
        text_json(&out, text_c(&r->check[i].log));
        text_char(&out, '}');
    }
    text_f(&out, "],\"failed\":%d,\"warnings\":%d}\n", r->failed, r->warnings);
    cli_print(&out);
    text_free(&out);
}

// `bot:./mybot` is as good as `./mybot`.
static const char *plain_command(const char *word) {
    return strncmp(word, "bot:", 4) == 0 ? word + 4 : word;
}

static int check(const Cli *cli) {
    if (cli->word_count < 2)
        return cli_usage(cli, "the command of a bot is missing");
    if (cli->word_count > 3)
        return cli_usage(cli, "`%s` is one word too many", cli->words[3]);
    const char *command = plain_command(cli->words[1]);
    const char *game = cli->word_count > 2 ? cli->words[2] : "tic-tac-toe";
    bool json = cli->option[OPT_JSON] != NULL;
    Desk desk;
    int status = desk_open_game(cli, game, cli->params, cli->param_count, &desk);
    if (status == EXIT_OK) {
        BotReport report;
        Text why = {0};
        if (!json) {
            printf("%s plays %s; %s\n", command, desk.game->name, sandbox_here()->words);
            fflush(stdout);
        }
        if (!bot_check(desk.game, command, &report, json ? NULL : print_check, NULL, &why))
            status = cli_usage(cli, "%s", text_c(&why));
        else if (json)
            print_json(desk.game, command, &report);
        else
            printf("%d checks, %d failed, %d warnings\n", report.count, report.failed,
                   report.warnings);
        if (status == EXIT_OK && report.failed)
            status = EXIT_INPUT;
        bot_report_free(&report);
        text_free(&why);
    }
    desk_close(&desk);
    return status;
}

static int make(const Cli *cli) {
    if (!cli->option[OPT_LANG])
        return cli_usage(cli, "--lang is missing: c, python or js");
    if (cli->word_count != 2)
        return cli_usage(cli, "a bot has one name");
    return bot_new_folder(cli, cli->option[OPT_LANG], cli->words[1]);
}

int cmd_bot(const Cli *cli) {
    const char *what = cli->word_count ? cli->words[0] : "";
    if (strcmp(what, "check") == 0)
        return check(cli);
    if (strcmp(what, "new") == 0)
        return make(cli);
    return cli_usage(cli, "`bot check COMMAND [GAME]` or `bot new --lang LANGUAGE NAME`");
}
