// fuzz_ugi: any lines for an engine and for a rules server of the protocol of docs/protocol.md.
//
// The first byte picks the game and whether there is a player. Every `go` is answered with one
// `bestmove`, every `query` with one `response`, every `isready` with one `readyok`, and a line
// that is said has no end inside.

#include "match/ugi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const games[] = {"tic-tac-toe",    "mill", "nim",
                                    "river-crossing", "byte", "connect-four width=4 height=4",
                                    "chess"};
#define GAMES ((int)(sizeof games / sizeof *games))

typedef struct Heard {
    int moves, responses, ready;
} Heard;

static void hear(void *with, const char *line, size_t n) {
    Heard *h = with;
    if (memchr(line, '\n', n) || memchr(line, 0, n)) {
        fprintf(stderr, "a line has a line end inside: %.*s\n", (int)n, line);
        abort();
    }
    h->moves += strncmp(line, "bestmove ", 9) == 0;
    h->responses += strncmp(line, "response", 8) == 0;
    h->ready += strncmp(line, "readyok", 7) == 0;
}

// The first word that is a command, as the engine sees it.
static void expect(const char *line, Heard *wanted) {
    static const char *const others[] = {"ugi",  "setoption", "uginewgame", "position",
                                         "stop", "show",      "quit"};
    size_t n;
    for (const char *s = protocol_word(line, &n); n > 0; s = protocol_word(s + n, &n)) {
        bool go = protocol_is(s, n, "go"), query = protocol_is(s, n, "query");
        bool ready = protocol_is(s, n, "isready"), other = false;
        for (int i = 0; i < 7; i++)
            other = other || protocol_is(s, n, others[i]);
        wanted->moves += go;
        wanted->responses += query;
        wanted->ready += ready;
        if (go || query || ready || other)
            return;
    }
}

// Files of the machine are not to be read as rules here.
static bool names_a_file(const char *line) {
    return strstr(line, "Game") && (strchr(line, '/') || strchr(line, '.'));
}

// Engines are kept, because it takes long to load a game.
static Ugi *kept[2][GAMES];
static Heard heard;

static Ugi **engine(uint8_t which) {
    Ugi **u = &kept[which >> 7][which % GAMES];
    Text why = {0};
    UgiSetup setup = {.name = "Fuzz",
                      .game = games[which % GAMES],
                      .player = which & 0x80 ? NULL : "random",
                      .say = hear,
                      .with = &heard};
    if (!*u)
        *u = ugi_new(&setup, &why);
    if (!*u)
        abort();
    text_free(&why);
    return u;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1 || size > LARGEST)
        return -1;
    Ugi **place = engine(data[0]), *u = *place;
    heard = (Heard){0};
    Heard wanted = {0};
    Text line = {0};
    bool goes_on = ugi_line(u, "uginewgame"), changed = false;
    for (size_t i = 1; i < size && goes_on; i++) {
        size_t n = 0;
        while (i + n < size && data[i + n] != '\n')
            n++;
        text_clear(&line);
        text_add_n(&line, (const char *)data + i, n);
        if (!names_a_file(text_c(&line))) {
            expect(text_c(&line), &wanted);
            changed = changed || strstr(text_c(&line), "setoption");
            goes_on = ugi_line(u, text_c(&line));
        }
        i += n;
    }
    ugi_finish(u);
    if (memcmp(&heard, &wanted, sizeof heard) != 0) {
        fprintf(stderr, "%d of %d bestmove, %d of %d response, %d of %d readyok\n", heard.moves,
                wanted.moves, heard.responses, wanted.responses, heard.ready, wanted.ready);
        abort();
    }
    if (changed || !goes_on) {
        ugi_free(u);
        *place = NULL;
    }
    text_free(&line);
    return 0;
}
