// serve: Ludens in a browser.
#include "cli/cli.h"

#ifdef LUDENS_HAVE_WEB

#include "server/server.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

#define SERVE_PORT 8642 // unless another program has it: then any

typedef struct Serving {
    const Cli *cli;
    char game[128]; // that the address leads to, by the name that pages know; "": the library
    char token[24]; // with which the arm may be moved from elsewhere; "": from this machine only
} Serving;

static bool has_screen(void) {
#ifdef __APPLE__
    return true;
#else
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x && *x) || (wayland && *wayland);
#endif
}

// Whether a program that opens pages in a browser took it. These return at once.
static bool open_browser(const char *address) {
    static const char *const programs[] = {"xdg-open", "open", "sensible-browser"};
    for (size_t i = 0; has_screen() && i < sizeof programs / sizeof *programs; i++) {
        char *const argv[] = {(char *)programs[i], (char *)address, NULL};
        pid_t child;
        posix_spawn_file_actions_t quiet;
        posix_spawn_file_actions_init(&quiet);
        posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1, 0);
        posix_spawn_file_actions_adddup2(&quiet, STDOUT_FILENO, STDERR_FILENO);
        int wrong = posix_spawnp(&child, programs[i], &quiet, NULL, argv, environ);
        posix_spawn_file_actions_destroy(&quiet);
        if (wrong == 0)
            return true; // reaped when this program ends: it lasts as long as the page is wanted
    }
    return false;
}

// As browsers write it behind `#`.
static void add_escaped(Text *out, const char *s) {
    for (; *s; s++) {
        bool plain = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
                     (*s >= '0' && *s <= '9') || strchr("-._~", *s);
        if (plain)
            text_char(out, *s);
        else
            text_f(out, "%%%02X", (unsigned char)*s);
    }
}

static void add_place(const Serving *serving, Text *out) {
    if (!serving->game[0])
        return;
    text_add(out, "#/setup/");
    add_escaped(out, serving->game);
    for (int i = 0; i < serving->cli->param_count; i++) {
        const char *param = serving->cli->params[i];
        const char *equals = strchr(param, '=');
        text_char(out, i ? '&' : '?');
        text_add_n(out, param, (size_t)(equals + 1 - param));
        add_escaped(out, equals + 1);
    }
}

static void tell(void *with, const char *address) {
    const Serving *serving = with;
    Text place = {0}, line = {0};
    text_add(&place, address);
    add_place(serving, &place);
    bool wanted = serving->cli->option[OPT_OPEN] != NULL;
    bool opened = wanted && open_browser(text_c(&place));
    if (serving->cli->option[OPT_JSON]) {
        text_add(&line, "{\"address\":");
        text_json(&line, text_c(&place));
        text_f(&line, ",\"opened\":%s", opened ? "true" : "false");
        if (serving->token[0])
            text_f(&line, ",\"arm\":\"%s#/robot?token=%s\"", address, serving->token);
        text_add(&line, "}\n");
    } else {
        text_f(&line, "Ludens is at %s\n", text_c(&place));
        if (wanted && !opened)
            text_f(&line,
                   "There is no browser here to open it in: open the address in one, or play in "
                   "the terminal: ludens play %s\n",
                   serving->game[0] ? serving->cli->words[0] : "mill");
        if (serving->token[0])
            text_f(&line, "Who has this address may move the arm: %s#/robot?token=%s\n", address,
                   serving->token);
        text_add(&line, "Ctrl-C ends it.\n");
    }
    cli_print(&line);
    fflush(stdout);
    text_free(&line);
    text_free(&place);
}

// A wrong name or value is better told here than on the page. Parameters are those of the first
// game.
static int check_game(const Cli *cli, int which, Serving *serving) {
    Desk desk;
    int count = which == 0 ? cli->param_count : 0;
    int status = desk_open_game(cli, cli->words[which], cli->params, count, &desk);
    if (status == EXIT_OK && which == 0)
        snprintf(serving->game, sizeof serving->game, "%s", desk.game->name);
    desk_close(&desk);
    return status;
}

static bool is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

// For those who are not at this machine. Without --host nobody else can reach the page.
static bool make_token(Serving *serving) {
    static const char letters[] = "abcdefghjkmnpqrstuvwxyz23456789ABCDEFGHJKLMNPQRSTUVWXYZ"; // 55
    unsigned char byte[sizeof serving->token - 1];
    if (getentropy(byte, sizeof byte) != 0)
        return false;
    for (size_t i = 0; i < sizeof byte; i++)
        serving->token[i] = letters[byte[i] % (sizeof letters - 1)];
    serving->token[sizeof byte] = 0;
    return true;
}

// What --arm and its companions say; an exit status.
static int read_arm_options(const Cli *cli, Serving *serving, ServerOptions *options) {
    int64_t baud = 0, rate = 1;
    if (!cli_number(cli, OPT_BAUD, 300, 1000000, &baud) ||
        !cli_number(cli, OPT_RATE, 1, 100, &rate))
        return EXIT_USAGE;
    static const CliOption companions[] = {OPT_CAMERA,     OPT_BAUD, OPT_ARM_FILE,
                                           OPT_TABLE_FILE, OPT_REAL, OPT_RATE};
    for (size_t i = 0; i < sizeof companions / sizeof *companions && !cli->option[OPT_ARM]; i++)
        if (cli->option[companions[i]])
            return cli_usage(cli, "without --arm there is no arm to say more about");
    options->arm = cli->option[OPT_ARM];
    options->arm_file = cli->option[OPT_ARM_FILE];
    options->arm_real = cli->option[OPT_REAL];
    if (options->arm_real && strcmp(options->arm, "sim") != 0)
        return cli_usage(cli, "--real is for a simulated arm");
    options->camera = cli->option[OPT_CAMERA];
    options->table_file = cli->option[OPT_TABLE_FILE];
    options->arm_baud = (int)baud;
    options->arm_rate = (double)rate;
    if (options->arm && options->host && !make_token(serving))
        return cli_error("there are no random numbers to be had");
    options->arm_token = serving->token[0] ? serving->token : NULL;
    return EXIT_OK;
}

static int serve(const Cli *cli, ServerOptions *options) {
    Text why = {0};
    const atomic_bool *stop = cli_begin_search(); // Ctrl-C only sets it
    bool ok = server_run(options, stop, &why);
    if (!ok && !cli->option[OPT_PORT] && strstr(text_c(&why), strerror(EADDRINUSE))) {
        text_clear(&why);
        options->port = 0;
        ok = server_run(options, stop, &why);
    }
    cli_end_search();
    int status = ok ? EXIT_OK : cli_error("%s", text_c(&why));
    text_free(&why);
    return status;
}

int cmd_serve(const Cli *cli) {
    int64_t port = SERVE_PORT;
    if (cli->param_count > 0 && cli->word_count == 0)
        return cli_usage(cli, "`%s` belongs to a game, which is missing", cli->params[0]);
    if (!cli_number(cli, OPT_PORT, 0, 65535, &port))
        return EXIT_USAGE;
    const char *folders[] = {cli->option[OPT_WEB], cli->option[OPT_SAVE]};
    for (int i = 0; i < 2; i++)
        if (folders[i] && !is_folder(folders[i]))
            return cli_error("there is no folder `%s`", folders[i]);
    Serving serving = {.cli = cli};
    for (int i = 0; i < cli->word_count; i++) {
        int status = check_game(cli, i, &serving);
        if (status != EXIT_OK)
            return status;
    }
    ServerOptions options = {
        .host = cli->option[OPT_HOST],
        .port = (int)port,
        .store = cli->option[OPT_STORE],
        .web = cli->option[OPT_WEB],
        .save = cli->option[OPT_SAVE],
        .games = (const char *const *)cli->words, // names of the library do no harm
        .game_count = cli->word_count,
        .archives = cli->archives,
        .archive_count = cli->archive_count,
        .native = cli->option[OPT_ALLOW_NATIVE] != NULL,
        .bots = cli->option[OPT_ALLOW_BOTS] != NULL,
        .ready = tell,
        .with = &serving,
    };
    int status = read_arm_options(cli, &serving, &options);
    return status == EXIT_OK ? serve(cli, &options) : status;
}

#else

int cmd_serve(const Cli *cli) {
    (void)cli;
    return cli_error("this Ludens was built without its page for browsers: install "
                     "libwebsockets-dev and libcjson-dev, then `make clean` and `make`; "
                     "`ludens play mill` plays in the terminal");
}

#endif
