// api: the public library, ludens.h, as a thin layer over game.h.
//
// A LudensGame is a Game and a LudensRunner a Runner: the names differ so that the header shows
// nothing of the inside.
#include "game/draw.h"
#include "game/game.h"
#include "game/library.h"
#include "game/movetext.h"
#include "game/statetext.h"
#include "ludens.h"

#include <string.h>

#define STRINGIFY(x) #x
#define NUMBER(x) STRINGIFY(x)

_Static_assert(sizeof(LudensMove) == sizeof(Move), "a LudensMove is a Move");
_Static_assert(LUDENS_OVER == RESULT_OVER, "results are the same byte");
_Static_assert(LUDENS_STATE_MAX == IR_MAX_STATE, "states fit");

static const Game *game_in(const LudensGame *game) {
    return (const Game *)game;
}

static Runner *runner_in(LudensRunner *runner) {
    return (Runner *)runner;
}

// The text as a string that the caller owns; NULL if it failed. Uses `t` up.
static char *take(Text *t) {
    if (!t->failed && !t->s)
        text_add(t, "");
    if (t->failed)
        text_free(t);
    return t->s;
}

static void set_error(char **error, Text *t) {
    if (error)
        *error = take(t);
    else
        text_free(t);
}

static LudensGame *loaded(Game *g, Diags *diags, char **error) {
    if (error)
        *error = NULL;
    if (!g) {
        Text t = {0};
        diag_print(diags, &t, false);
        set_error(error, &t);
    }
    diag_free(diags);
    return (LudensGame *)g;
}

const char *ludens_version(void) {
    return NUMBER(LUDENS_VERSION_MAJOR) "." NUMBER(LUDENS_VERSION_MINOR) "." NUMBER(
        LUDENS_VERSION_PATCH);
}

LudensGame *ludens_load(const char *name, const char *const *params, int count, char **error) {
    Diags diags = {0};
    return loaded(game_load(name, params, count, &diags), &diags, error);
}

LudensGame *ludens_compile(const char *title, const char *text, const char *const *params,
                           int count, char **error) {
    Diags diags = {0};
    Game *g = game_compile(title, text, strlen(text), params, count, &diags);
    return loaded(g, &diags, error);
}

void ludens_free(LudensGame *game) {
    game_free((Game *)game);
}

const char *ludens_library(int i) {
    return i >= 0 && i < library_count ? library_games[i].name : NULL;
}

const char *ludens_name(const LudensGame *game) {
    return game_in(game)->name;
}

const char *ludens_title(const LudensGame *game) {
    return game_in(game)->ir->title;
}

int ludens_players(const LudensGame *game) {
    return game_in(game)->ir->players;
}

const char *ludens_player_name(const LudensGame *game, int player) {
    const IrGame *ir = game_in(game)->ir;
    return player >= 0 && player < ir->players ? ir->player[player] : NULL;
}

size_t ludens_state_size(const LudensGame *game) {
    return (size_t)game_state_size(game_in(game));
}

void ludens_start(const LudensGame *game, void *state) {
    memcpy(state, game_in(game)->start, ludens_state_size(game));
}

int ludens_player(const LudensGame *game, const void *state) {
    return game_player(game_in(game), state);
}

uint64_t ludens_hash(const LudensGame *game, const void *state) {
    return game_hash(game_in(game), state);
}

char *ludens_state_text(const LudensGame *game, const void *state) {
    Text t = {0};
    state_text(game_in(game), state, &t);
    return take(&t);
}

bool ludens_state_read(const LudensGame *game, const char *text, void *state, char **error) {
    Text why = {0};
    if (error)
        *error = NULL;
    bool ok = state_read(game_in(game), text, state, &why);
    if (ok)
        text_free(&why);
    else
        set_error(error, &why);
    return ok;
}

char *ludens_board(const LudensGame *game, const void *state, int flags) {
    Text t = {0};
    DrawStyle style = {.ascii = flags & LUDENS_ASCII, .colour = flags & LUDENS_COLOUR};
    draw_board(game_in(game), state, style, &t);
    return take(&t);
}

LudensRunner *ludens_runner_new(const LudensGame *game) {
    return (LudensRunner *)runner_new(game_in(game));
}

void ludens_runner_free(LudensRunner *runner) {
    runner_free(runner_in(runner));
}

const char *ludens_error(const LudensRunner *runner) {
    return runner_error((const Runner *)runner);
}

int ludens_moves(LudensRunner *runner, const void *state, const LudensMove **moves) {
    const Move *found;
    int n = runner_moves(runner_in(runner), state, &found);
    *moves = (const LudensMove *)found;
    return n;
}

bool ludens_apply(LudensRunner *runner, const void *from, LudensMove move, void *to) {
    return runner_apply(runner_in(runner), from, (Move){{move.w[0], move.w[1]}}, to);
}

int ludens_result(LudensRunner *runner, const void *state) {
    return runner_result(runner_in(runner), state);
}

int ludens_repeated(const LudensGame *game) {
    return game_in(game)->ir->repeated;
}

char *ludens_result_text(const LudensGame *game, int result) {
    Text t = {0};
    game_result_text(game_in(game), result, &t);
    return take(&t);
}

char *ludens_move_text(LudensRunner *runner, const void *state, LudensMove move) {
    Text t = {0};
    if (!move_text(runner_in(runner), state, (Move){{move.w[0], move.w[1]}}, &t))
        t.failed = true;
    return take(&t);
}

bool ludens_move_read(LudensRunner *runner, const void *state, const char *text, LudensMove *move,
                      char **error) {
    Text why = {0};
    Move found;
    if (error)
        *error = NULL;
    bool ok = move_read(runner_in(runner), state, text, &found, &why);
    if (ok) {
        *move = (LudensMove){{found.w[0], found.w[1]}};
        text_free(&why);
    } else {
        set_error(error, &why);
    }
    return ok;
}

void ludens_free_text(char *text) {
    mem_free(text);
}
