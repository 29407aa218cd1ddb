// test_properties: what must hold in every state of every game, tried on random play.
//
// For each library game and some parameter sets: states and moves read back from their own text,
// equal states have equal hashes, counting agrees with listing, playing leaves the old state
// alone, and a finished game has no moves.

#include "base/rng.h"
#include "game/game.h"
#include "game/library.h"
#include "game/movetext.h"
#include "game/record.h"
#include "game/statetext.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Games with other parameters than their defaults; every library game is tried with its own.
static const char *const variants[][4] = {
    {"byte", "size=10"},
    {"domineering", "rows=5", "columns=9"},
    {"mill", "men=3", "flying=no"},
    {"mill", "mills_are_safe=yes"},
    {"skirmish", "reds=4", "blues=2", "rocks=6"},
    {"skirmish", "health=1", "seed=7", "rocks=3"},
    {"frogs", "frogs=5"},
    {"alquerque", "compulsory=no", "chains=no"},
    {"alquerque", "compulsory=yes", "chains=yes"},
    {"connect-four", "width=9", "height=8", "length=5"},
    {"reversi", "size=6"},
    {"breakthrough", "size=5"},
    {"hex", "size=4"},
    {"nim", "heaps=1,5,9"},
    {"eight-puzzle", "width=4", "height=3"},
    {"dots-and-boxes", "width=2", "height=3"},
};

#define GAMES 3
#define PLIES 60    // a game; more would only repeat late positions
#define READ_BACK 4 // moves a state whose text is read back; listing them all is quadratic

static void fail_in(const Game *g, const uint8_t *state, const char *what, const char *why) {
    Text text = {0};
    state_text(g, state, &text);
    print_error("%s: %s\n  in %s\n  %s\n", g->name, what, text_c(&text), why);
    text_free(&text);
    fail();
}

static void check_state_text(const Game *g, const uint8_t *state) {
    uint64_t again[IR_MAX_STATE / 8];
    Text text = {0}, error = {0}, second = {0};
    state_text(g, state, &text);
    if (!state_read(g, text_c(&text), (uint8_t *)again, &error))
        fail_in(g, state, "the text of a state does not read back", text_c(&error));
    state_text(g, (uint8_t *)again, &second);
    if (memcmp(again, state, (size_t)game_state_size(g)) != 0)
        fail_in(g, state, "a state reads back differently", text_c(&second));
    assert_string_equal(text_c(&text), text_c(&second));
    assert_true(game_hash(g, state) == game_hash(g, (uint8_t *)again));
    text_free(&text);
    text_free(&second);
    text_free(&error);
}

static void check_move_text(Runner *r, const uint8_t *state, Move move) {
    const Game *g = runner_game(r);
    Text text = {0}, error = {0};
    Move again;
    if (!move_text(r, state, move, &text))
        fail_in(g, state, "a move has no text", runner_error(r));
    if (!move_read(r, state, text_c(&text), &again, &error))
        fail_in(g, state, "a move does not read back", text_c(&error));
    if (!move_equal(move, again))
        fail_in(g, state, "a move reads back as another", text_c(&text));
    text_free(&text);
    text_free(&error);
}

// A copy of the legal moves: the Runner's own list ends with its next call.
static int list_moves(Runner *r, const uint8_t *state, Move *copy, int cap) {
    const Move *moves;
    int n = runner_moves(r, state, &moves);
    if (n < 0)
        fail_in(runner_game(r), state, "the rules fail", runner_error(r));
    for (int i = 0; i < n && i < cap; i++)
        copy[i] = moves[i];
    return n;
}

static void check_state(Runner *r, const uint8_t *state, const Move *moves, int n, Rng *rng) {
    const Game *g = runner_game(r);
    check_state_text(g, state);
    assert_int_equal(runner_count(r, state), n);
    int result = runner_result(r, state);
    if ((result == 0) != (n > 0))
        fail_in(g, state, "moves and result disagree", "");
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i && n < 200; k++)
            if (move_equal(moves[i], moves[k]))
                fail_in(g, state, "a move is listed twice", "");
    for (int i = 0; i < READ_BACK && n > 0; i++)
        check_move_text(r, state, moves[rng_below(rng, (uint64_t)n)]);
}

static void play_one(Runner *r, Rng *rng) {
    const Game *g = runner_game(r);
    size_t size = (size_t)game_state_size(g);
    uint64_t now[IR_MAX_STATE / 8], before[IR_MAX_STATE / 8], after[IR_MAX_STATE / 8];
    static Move moves[8192];
    memcpy(now, g->start, size);
    for (int ply = 0; ply < PLIES; ply++) {
        int n = list_moves(r, (uint8_t *)now, moves, 8192);
        check_state(r, (uint8_t *)now, moves, n, rng);
        if (!n)
            return;
        Move move = moves[rng_below(rng, (uint64_t)n)];
        memcpy(before, now, size);
        if (!runner_apply(r, (uint8_t *)now, move, (uint8_t *)after))
            fail_in(g, (uint8_t *)now, "a legal move cannot be played", runner_error(r));
        assert_memory_equal(before, now, size);
        // In place gives the same.
        assert_true(runner_apply(r, (uint8_t *)now, move, (uint8_t *)now));
        assert_memory_equal(after, now, size);
    }
}

// Playing allocates nothing. The games before this one have made room for the list of moves.
static void play_without_memory(Runner *r, Rng *rng) {
    const Game *g = runner_game(r);
    uint64_t now[IR_MAX_STATE / 8];
    memcpy(now, g->start, (size_t)game_state_size(g));
    Move first;
    assert_true(runner_random(r, (uint8_t *)now, 0, &first) >= 0);
    const long many = 1L << 30;
    mem_fail_at(many);
    for (int ply = 0; ply < PLIES; ply++) {
        Move move;
        if (runner_random(r, (uint8_t *)now, rng_next(rng), &move) != 1)
            break;
        assert_true(runner_apply(r, (uint8_t *)now, move, (uint8_t *)now));
    }
    if (mem_fail_at(0) != many)
        fail_in(g, (uint8_t *)now, "playing allocates memory", "");
}

static void play_game(const char *name, const char *const *params, int count) {
    Diags diags = {0};
    Game *g = game_load(name, params, count, &diags);
    if (!g) {
        Text text = {0};
        diag_print(&diags, &text, false);
        print_error("%s\n", text_c(&text));
        text_free(&text);
    }
    assert_non_null(g);
    // Everything that a loaded game keeps is in its arena.
    assert_true(g->arena.used < (size_t)10 << 20);
    Runner *r = runner_new(g);
    assert_non_null(r);
    Rng rng;
    rng_seed(&rng, 12345);
    for (int i = 0; i < GAMES; i++)
        play_one(r, &rng);
    play_without_memory(r, &rng);
    runner_free(r);
    game_free(g);
    diag_free(&diags);
}

static void test_library(void **state) {
    (void)state;
    assert_true(library_count >= 24);
    for (int i = 0; i < library_count; i++)
        play_game(library_games[i].name, NULL, 0);
}

static void test_variants(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        int n = 0;
        while (n < 3 && variants[i][n + 1])
            n++;
        play_game(variants[i][0], variants[i] + 1, n);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library),
        cmocka_unit_test(test_variants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
