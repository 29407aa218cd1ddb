// speak: see speak.h.
#include "cli/speak.h"

#include "ludens.h"
#include "match/ugi.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PORTION 4096

static void print_line(void *with, const char *line, size_t n) {
    (void)with;
    fwrite(line, 1, n, stdout);
    fputc('\n', stdout);
    fflush(stdout); // somebody waits for it
}

// Hands over a line that is complete; false after `quit`.
static bool hand_over(Ugi *u, Text *line, bool *too_long) {
    bool goes_on = true;
    if (*too_long || line->failed)
        ugi_too_long(u);
    else
        goes_on = ugi_line(u, text_c(line));
    *too_long = false;
    text_clear(line);
    return goes_on;
}

// Bytes of a line; those of a line that is too long are dropped up to its end.
static void collect(Text *line, const char *s, size_t n, bool *too_long) {
    if (line->n + n > PROTOCOL_LINE)
        *too_long = true;
    if (*too_long)
        text_clear(line);
    else
        text_add_n(line, s, n);
}

static void listen_to(Ugi *u) {
    char portion[PORTION];
    Text line = {0};
    bool goes_on = true, too_long = false;
    while (goes_on) {
        ssize_t got = read(STDIN_FILENO, portion, sizeof portion);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        const char *s = portion, *end = portion + got;
        while (goes_on && s < end) {
            const char *newline = memchr(s, '\n', (size_t)(end - s));
            collect(&line, s, (size_t)((newline ? newline : end) - s), &too_long);
            if (newline)
                goes_on = hand_over(u, &line, &too_long);
            s = newline ? newline + 1 : end;
        }
    }
    if (goes_on && (line.n > 0 || too_long))
        goes_on = hand_over(u, &line, &too_long);
    if (goes_on)
        ugi_finish(u);
    text_free(&line);
}

int speak(const Cli *cli, const char *player) {
    static const char *usual[] = {"tic-tac-toe"};
    Cli own = *cli;
    if (cli->word_count == 0) {
        own.words = usual;
        own.word_count = 1;
    }
    Desk desk;
    Text game = {0}, name = {0}, why = {0};
    int status = desk_open(&own, &desk);
    if (status == EXIT_OK)
        status = desk_backend(&own, &desk, BACKEND_AUTO);
    if (status == EXIT_OK) {
        protocol_game(desk.game, &game);
        text_f(&name, "Ludens %s", ludens_version());
        UgiSetup setup = {.name = text_c(&name),
                          .game = text_c(&game),
                          .player = player,
                          .backend = desk.backend,
                          .say = print_line};
        desk_close(&desk);
        Ugi *u = ugi_new(&setup, &why);
        if (u)
            listen_to(u);
        else
            status = cli_usage(cli, "--player: %s", text_c(&why));
        ugi_free(u);
    }
    desk_close(&desk);
    text_free(&game);
    text_free(&name);
    text_free(&why);
    return status;
}
