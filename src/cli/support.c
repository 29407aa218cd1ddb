// support: what the commands share; see cli.h.
#include "cli/cli.h"

#include "base/now.h"
#include "game/statetext.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

// --- messages ---

static void print_error(const char *format, va_list args) {
    fflush(stdout);
    fputs("ludens: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

int cli_error(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_error(format, args);
    va_end(args);
    return EXIT_INPUT;
}

int cli_usage(const Cli *cli, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_error(format, args);
    va_end(args);
    fprintf(stderr, "try `ludens help %s`\n", cli->command);
    return EXIT_USAGE;
}

void cli_print(Text *t) {
    if (t->failed)
        cli_error("out of memory: the output is incomplete");
    fwrite(text_c(t), 1, t->n, stdout);
    text_clear(t);
}

static bool has_colour(int fd) {
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return isatty(fd) && !(no_color && no_color[0]) && !(term && strcmp(term, "dumb") == 0);
}

void cli_print_diags(const Diags *diags, bool warnings) {
    Text t = {0};
    if (diags->errors || warnings)
        diag_print(diags, &t, has_colour(STDERR_FILENO));
    fflush(stdout);
    fwrite(text_c(&t), 1, t.n, stderr);
    text_free(&t);
}

// --- numbers ---

bool cli_number(const Cli *cli, CliOption option, int64_t low, int64_t high, int64_t *value) {
    static const char *const names[] = {
#define X(constant, name, letter, value_name, help) name,
        CLI_OPTIONS(X) CLI_ARM_OPTIONS(X)
#undef X
    };
    const char *text = cli->option[option];
    if (!text)
        return true;
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (errno == 0 && end != text && !*end && number >= low && number <= high) {
        *value = number;
        return true;
    }
    cli_usage(cli, "--%s is a number from %lld to %lld, not `%s`", names[option], (long long)low,
              (long long)high, text);
    return false;
}

int cli_depth(const Cli *cli, int most, int *depth) {
    if (cli->word_count < 2)
        return cli_usage(cli, "%s is missing", cli->word_count ? "the depth" : "a game");
    if (cli->word_count > 2)
        return cli_usage(cli, "`%s` is one word too many", cli->words[2]);
    char *end;
    long n = strtol(cli->words[1], &end, 10);
    if (end == cli->words[1] || *end || n < 0 || n > most)
        return cli_usage(cli, "the depth is a number from 0 to %d, not `%s`", most, cli->words[1]);
    *depth = (int)n;
    return EXIT_OK;
}

bool cli_seconds(const Cli *cli, double *value) {
    const char *text = cli->option[OPT_SECONDS];
    if (!text)
        return true;
    char *end;
    double number = strtod(text, &end);
    if (end != text && !*end && isfinite(number) && number > 0 && number <= 86400) {
        *value = number;
        return true;
    }
    cli_usage(cli, "--seconds is a number above 0 and at most 86400, not `%s`", text);
    return false;
}

// --- games ---

int cli_no_game(const Cli *cli, const char *name) {
    const char *dot = strrchr(name, '.');
    if (!dot || (strcmp(dot, ".rules") != 0 && strcmp(dot, ".clp") != 0))
        return EXIT_OK;
    return cli_usage(cli, "`%s` is no game but stands beside one: GAME --knowledge %s", name, name);
}

int desk_open_game(const Cli *cli, const char *name, const char *const *params, int count,
                   Desk *t) {
    *t = (Desk){.opened = now_seconds()};
    int status = cli_no_game(cli, name);
    if (status != EXIT_OK)
        return status;
    Diags diags = {0};
    t->game = game_load(name, params, count, &diags);
    cli_print_diags(&diags, false);
    diag_free(&diags);
    if (!t->game)
        return EXIT_INPUT;
    size_t size = (size_t)game_state_size(t->game);
    t->runner = runner_new(t->game);
    t->start = mem_alloc(size);
    if (!t->runner || !t->start)
        return cli_error("out of memory");
    memcpy(t->start, t->game->start, size);
    if (!cli->option[OPT_STATE])
        return EXIT_OK;
    Text why = {0};
    bool ok = state_read(t->game, cli->option[OPT_STATE], t->start, &why);
    if (!ok)
        cli_error("--state: %s", text_c(&why));
    text_free(&why);
    return ok ? EXIT_OK : EXIT_INPUT;
}

int desk_open(const Cli *cli, Desk *t) {
    *t = (Desk){0};
    if (cli->word_count == 0)
        return cli_usage(cli, "the name of a game is missing");
    if (cli->word_count > 1)
        return cli_usage(cli, "`%s` is one word too many", cli->words[cli->word_count - 1]);
    return desk_open_game(cli, cli->words[0], cli->params, cli->param_count, t);
}

static int find_player(const IrGame *ir, const char *text) {
    char *end;
    long number = strtol(text, &end, 10);
    if (end != text && !*end)
        return number >= 1 && number <= ir->players ? (int)number - 1 : -1;
    for (int i = 0; i < ir->players; i++)
        if (strcasecmp(ir->player[i], text) == 0)
            return i;
    return -1;
}

int desk_first(const Cli *cli, Desk *t) {
    const IrGame *ir = t->game->ir;
    const char *text = cli->option[OPT_FIRST];
    if (!text)
        return EXIT_OK;
    int player = find_player(ir, text);
    if (player >= 0) {
        t->start[ir->layout.player] = (uint8_t)player;
        return EXIT_OK;
    }
    Text names = {0};
    for (int i = 0; i < ir->players; i++)
        text_f(&names, "%s%s", i ? ", " : "", ir->player[i]);
    int status = cli_usage(cli, "--first: there is no player `%s`, only %s", text, text_c(&names));
    text_free(&names);
    return status;
}

// In small steps: Ctrl-C ends the waiting, and desk_close then the compiler.
static bool wait_for_native(Game *g, Text *why) {
    cli_catch_interrupt();
    if (!game_use(g, BACKEND_AUTO, why))
        return false;
    while (!native_job_over(g->job) && !cli_interrupted())
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    return !cli_interrupted() && game_wait(g, why);
}

int desk_backend(const Cli *cli, Desk *t, Backend usual) {
    static const char *const names[] = {"interp", "native", "auto"};
    const char *how = cli->option[OPT_BACKEND];
    t->backend = usual;
    for (int i = 0; how && i < 3; i++)
        if (strcmp(how, names[i]) == 0) {
            t->backend = (Backend)i;
            how = NULL;
        }
    if (how)
        return cli_usage(cli, "--backend is interp, native or auto, not `%s`", how);
    Text why = {0};
    int status = EXIT_OK;
    if (t->backend == BACKEND_NATIVE && !wait_for_native(t->game, &why))
        status =
            cli_interrupted() ? EXIT_INTERRUPTED : cli_error("no machine code: %s", text_c(&why));
    text_free(&why);
    return status;
}

// Shorter work is done before a compiler has even started.
#define SPEED_UP_AFTER 0.1

void desk_speed_up(Desk *t) {
    if (t->backend != BACKEND_AUTO || t->told)
        return;
    Text why = {0};
    if (!t->game->job && now_seconds() - t->opened > SPEED_UP_AFTER)
        game_use(t->game, BACKEND_AUTO, &why);
    if (t->game->job && native_job_over(t->game->job) && !game_wait(t->game, &why)) {
        fprintf(stderr, "ludens: no machine code, the interpreter goes on: %s\n", text_c(&why));
        t->told = true;
    }
    text_free(&why);
}

void desk_close(Desk *t) {
    runner_free(t->runner);
    game_free(t->game);
    mem_free(t->start);
    *t = (Desk){0};
}

static void json_value(const IrParameter *p, int64_t value, Text *out) {
    if (p->words)
        text_json(out, p->words[value]);
    else if (p->boolean)
        text_add(out, value ? "true" : "false");
    else
        text_f(out, "%lld", (long long)value);
}

void cli_json_parameter(const IrParameter *p, Text *out) {
    if (!p->list) {
        json_value(p, p->values[0], out);
        return;
    }
    for (int i = 0; i < p->count; i++) {
        text_char(out, i ? ',' : '[');
        json_value(p, p->values[i], out);
    }
    text_char(out, ']');
}

void cli_json_game(const Game *g, Text *out) {
    text_add(out, "\"game\":");
    text_json(out, g->name);
    text_add(out, ",\"params\":{");
    for (int i = 0; i < g->ir->parameters; i++) {
        if (i)
            text_char(out, ',');
        text_json(out, g->ir->parameter[i].name);
        text_char(out, ':');
        cli_json_parameter(&g->ir->parameter[i], out);
    }
    text_char(out, '}');
}

void cli_json_position(const Desk *t, Text *out) {
    Text text = {0};
    cli_json_game(t->game, out);
    text_add(out, ",\"state\":");
    state_text(t->game, t->start, &text);
    text_json(out, text_c(&text));
    text_add(out, ",\"player\":");
    text_json(out, t->game->ir->player[game_player(t->game, t->start)]);
    text_free(&text);
}

// --- the terminal ---

double cli_cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool cli_out_colour(const Cli *cli) {
    return !cli->option[OPT_NO_COLOUR] && has_colour(STDOUT_FILENO);
}

int cli_columns(void) {
    struct winsize size;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 120;
}

size_t cli_fitting(const char *line, int columns) {
    size_t n = 0, length = strlen(line);
    for (int i = 0; line[n] && i < columns; i++) {
        int bytes = text_utf8(line + n, length - n);
        n += bytes ? (size_t)bytes : 1;
    }
    return n;
}

// Whether the terminal's locale, if standard output is one, can show more than ASCII.
static bool has_unicode(void) {
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    if (!isatty(STDOUT_FILENO))
        return true;
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        const char *charset = value ? strchr(value, '.') : NULL;
        if (value && value[0])
            return charset && (strncasecmp(charset, ".UTF-8", 6) == 0 ||
                               strncasecmp(charset, ".UTF8", 5) == 0);
    }
    return false;
}

DrawStyle cli_style(const Cli *cli) {
    return (DrawStyle){.ascii = cli->option[OPT_ASCII] || !has_unicode(),
                       .colour = cli_out_colour(cli)};
}

static volatile sig_atomic_t interrupted; // the one thing a signal handler may touch

static volatile sig_atomic_t searching, warned;
static atomic_bool stop_search; // lock-free: a signal handler may set it

static void interrupt(int signal) {
    atomic_store(&stop_search, true);
    if (searching && !warned && signal == SIGINT)
        warned = 1;
    else
        interrupted = 1;
}

void cli_catch_interrupt(void) {
    struct sigaction action = {.sa_handler = interrupt}; // no SA_RESTART: waiting ends
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction usual; // under nohup it stays ignored
    if (sigaction(SIGHUP, NULL, &usual) == 0 && usual.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

const atomic_bool *cli_begin_search(void) {
    atomic_store(&stop_search, false);
    searching = 1;
    cli_catch_interrupt();
    return &stop_search;
}

void cli_end_search(void) {
    if (searching && atomic_load(&stop_search) && isatty(STDOUT_FILENO))
        fputs("\r\033[K", stdout); // where the terminal has written `^C`
    searching = 0;
}

void cli_forget_interrupt(void) {
    warned = 0;
}

void cli_interrupt(void) {
    interrupt(SIGINT);
}

bool cli_interrupted(void) {
    return interrupted;
}

// The signals are blocked until the very moment of waiting: one that comes just before it is not
// lost.
bool cli_wait_for_input(int fd) {
    sigset_t ours, usual;
    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    sigaddset(&ours, SIGHUP);
    sigprocmask(SIG_BLOCK, &ours, &usual);
    fd_set files;
    FD_ZERO(&files);
    FD_SET(fd, &files);
    int ready = interrupted ? 0 : pselect(fd + 1, &files, NULL, NULL, NULL, &usual);
    sigprocmask(SIG_SETMASK, &usual, NULL);
    return ready > 0 && !interrupted;
}
