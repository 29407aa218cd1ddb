// A game with a record to search in, for the tests of players.
#ifndef LUDENS_SEARCH_FIXTURE_H
#define LUDENS_SEARCH_FIXTURE_H

#include "bare_game.h"
#include "base/mem.h"
#include "game/statetext.h"
#include "search/player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

typedef struct Fixture {
    Game *game;
    Runner *runner;
    Record *record;
} Fixture;

// Takes over the game; `state` NULL: from its start.
static inline Fixture begin_game(Game *game, const char *state) {
    Fixture f = {.game = game};
    assert_non_null(game);
    f.runner = runner_new(game);
    assert_non_null(f.runner);
    size_t size = (size_t)game_state_size(game);
    uint8_t *start = mem_alloc(size);
    assert_non_null(start);
    memcpy(start, game->start, size);
    Text why = {0};
    if (state && !state_read(game, state, start, &why))
        fail_msg("%s", text_c(&why));
    text_free(&why);
    f.record = record_new(f.runner, start);
    assert_non_null(f.record);
    mem_free(start);
    return f;
}

// A game of the library with parameters, as words in one text ("" or NULL: none).
static inline Fixture open_game(const char *name, const char *params, const char *state) {
    char words[200] = "";
    const char *list[8];
    int count = 0;
    strncpy(words, params ? params : "", sizeof words - 1);
    for (char *word = strtok(words, " "); word && count < 8; word = strtok(NULL, " "))
        list[count++] = word;
    // Interpreted rules about good moves would make these tests many times slower.
    Diags diags = {0};
    Text text = {0}, title = {0};
    text_f(&title, "%s.game", name);
    bool bare = strncmp(name, "s3-", 3) != 0 && bare_game(name, &text);
    Game *game = bare ? game_compile(text_c(&title), text_c(&text), text.n, list, count, &diags)
                      : game_load(name, list, count, &diags);
    text_free(&title);
    text_free(&text);
    diag_free(&diags);
    return begin_game(game, state);
}

static inline Fixture compile_game(const char *text) {
    Diags diags = {0};
    Game *game = game_compile("test.game", text, strlen(text), NULL, 0, &diags);
    diag_free(&diags);
    return begin_game(game, NULL);
}

static inline void close_game(Fixture *f) {
    record_free(f->record);
    runner_free(f->runner);
    game_free(f->game);
}

static inline Player *make_player(const Game *g, const char *text) {
    Text why = {0};
    Player *p = player_new(g, text, &why);
    if (!p)
        fail_msg("%s: %s", text, text_c(&why));
    text_free(&why);
    return p;
}

static inline double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Processor time of all threads, for upper limits: while others have the processors it stands
// still.
static inline double clock_spent(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
