// fuzz_text: any text as a state, a move or a saved game of a library game.
//
// The first byte picks the game, the second what is read and how far the game has come. What is
// accepted must be legal, print, and read back equal.

#include "base/rng.h"
#include "game/draw.h"
#include "game/game.h"
#include "game/movetext.h"
#include "game/record.h"
#include "game/statetext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Between them: lines, stacks, hexagons, attributes, flags, sets, clocks, chains and `input`.
static const char *const games[][5] = {
    {"mill"},
    {"byte"},
    {"chess"},
    {"skirmish", "reds=2", "blues=2", "rocks=2", "health=3"},
    {"hex", "size=4"},
    {"english-draughts"},
    {"nim"},
    {"river-crossing"},
    {"dots-and-boxes", "width=2", "height=2"},
    {"connect-four", "width=4", "height=4"},
    {"eight-puzzle"},
    {"alquerque"},
    {"domineering", "rows=5", "columns=12"},
    {"reversi", "size=6"},
    {"peg-solitaire"},
    {"tic-tac-toe"},
};
#define GAMES ((int)(sizeof games / sizeof *games))

typedef struct Loaded {
    Game *game;
    Runner *runner;
    const char **params;
    int count;
    uint8_t *states; // of a random game, so that texts meet other positions than the first
} Loaded;

#define STATES 40

// Compiled once and kept: the texts are what is tried here.
static Loaded loaded[GAMES];

static _Noreturn void fault(const char *what, const char *a, const char *b) {
    fprintf(stderr, "%s\n--- first\n%s\n--- second\n%s\n", what, a, b);
    abort();
}

static uint8_t *state_at(const Loaded *l, int ply) {
    return l->states + (size_t)game_state_size(l->game) * (size_t)ply;
}

// When the game is over, its last state is repeated.
static void make_states(Loaded *l) {
    Rng rng;
    rng_seed(&rng, 1);
    size_t size = (size_t)game_state_size(l->game);
    l->states = mem_alloc(size * STATES);
    memcpy(l->states, l->game->start, size);
    for (int i = 1; i < STATES; i++) {
        Move move;
        if (runner_random(l->runner, state_at(l, i - 1), rng_next(&rng), &move) <= 0)
            memcpy(state_at(l, i), state_at(l, i - 1), size);
        else if (!runner_apply(l->runner, state_at(l, i - 1), move, state_at(l, i)))
            fault("a legal move fails", runner_error(l->runner), "");
    }
}

static Loaded *load(int which) {
    Loaded *l = &loaded[which];
    if (l->game)
        return l;
    Diags diags = {0};
    l->params = (const char **)&games[which][1];
    while (l->count < 4 && l->params[l->count])
        l->count++;
    l->game = game_load(games[which][0], l->params, l->count, &diags);
    if (!l->game)
        fault("a library game does not load", games[which][0], "");
    l->runner = runner_new(l->game);
    diag_free(&diags);
    make_states(l);
    return l;
}

static void draw(const Game *g, const uint8_t *state, bool ascii) {
    Text out = {0};
    DrawStyle style = {.ascii = ascii};
    draw_board(g, state, style, &out);
    text_free(&out);
}

// A state that is read is one that the game can deal with.
static void try_state(const Loaded *l, const char *text) {
    uint64_t room[2][IR_MAX_STATE / 8];
    uint8_t *state = (uint8_t *)room[0], *back = (uint8_t *)room[1];
    Text error = {0}, first = {0}, second = {0};
    bool ok = state_read(l->game, text, state, &error);
    if (!ok && !error.n)
        fault("a state is refused without a reason", text, "");
    if (ok) {
        state_text(l->game, state, &first);
        if (!state_read(l->game, text_c(&first), back, &error))
            fault("the text of a state does not read back", text_c(&first), text_c(&error));
        state_text(l->game, back, &second);
        if (memcmp(state, back, (size_t)game_state_size(l->game)) != 0)
            fault("a state reads back as another", text_c(&first), text_c(&second));
        draw(l->game, state, text[0] & 1);
        const Move *moves;
        int n = runner_moves(l->runner, state, &moves);
        for (int i = 0; i < n && i < 4; i++) {
            Move move = moves[i];
            if (!runner_apply(l->runner, state, move, back))
                break; // an unlikely position may lead a number out of its range
            draw(l->game, back, true);
            n = runner_moves(l->runner, state, &moves);
        }
        runner_result(l->runner, state);
    }
    text_free(&error);
    text_free(&first);
    text_free(&second);
}

static bool is_legal(Runner *r, const uint8_t *state, Move move) {
    const Move *moves;
    int n = runner_moves(r, state, &moves);
    for (int i = 0; i < n; i++)
        if (move_equal(moves[i], move))
            return true;
    return false;
}

static void try_move(const Loaded *l, const uint8_t *state, const char *text) {
    Text error = {0}, written = {0};
    Move move, back;
    bool ok = move_read(l->runner, state, text, &move, &error);
    if (!ok && !error.n)
        fault("a move is refused without a reason", text, "");
    if (ok) {
        if (!is_legal(l->runner, state, move))
            fault("an illegal move is read", text, "");
        if (!move_text(l->runner, state, move, &written))
            fault("a move has no text", text, runner_error(l->runner));
        if (!move_read(l->runner, state, text_c(&written), &back, &error))
            fault("the text of a move does not read back", text_c(&written), text_c(&error));
        if (!move_equal(move, back))
            fault("a move reads back as another", text, text_c(&written));
    }
    text_free(&error);
    text_free(&written);
}

static void try_record(const Loaded *l, const char *text) {
    Text error = {0}, first = {0}, second = {0};
    char name[64];
    char **params = NULL;
    int count = 0;
    if (record_read_game(text, name, sizeof name, &params, &count, &error)) {
        for (int i = 0; i < count; i++)
            mem_free(params[i]);
        mem_free(params);
    }
    text_clear(&error);
    Record *rec = record_new(l->runner, NULL);
    bool ok = record_load(rec, text, &error);
    if (!ok && !error.n)
        fault("a saved game is refused without a reason", text, "");
    if (ok) {
        record_save(rec, l->params, l->count, &first);
        Record *again = record_new(l->runner, NULL);
        if (!record_load(again, text_c(&first), &error))
            fault("a saved game does not load", text_c(&first), text_c(&error));
        record_save(again, l->params, l->count, &second);
        if (strcmp(text_c(&first), text_c(&second)) != 0)
            fault("a saved game loads as another", text_c(&first), text_c(&second));
        record_free(again);
    }
    record_result(rec);
    record_free(rec);
    text_free(&error);
    text_free(&first);
    text_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2 || size > LARGEST)
        return -1;
    const Loaded *l = load(data[0] % GAMES);
    char *text = mem_alloc(size - 1);
    memcpy(text, data + 2, size - 2);
    if (data[1] < 64)
        try_state(l, text);
    else if (data[1] >= 224)
        try_record(l, text);
    else
        try_move(l, state_at(l, (data[1] - 64) / 4), text);
    mem_free(text);
    return 0;
}
