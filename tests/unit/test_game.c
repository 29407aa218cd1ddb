// Tests of src/game/game.c: loading, starting, passing, being stuck, results; and of the public
// library over it.
#include "base/rng.h"
#include "game/game.h"
#include "ludens.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// Players put stones into three cells; only Red may use a1.
static const char stones[] = "game \"Stones\"\n"
                             "players Red, Blue\n"
                             "parameter spare : 0..3 = 1\n"
                             "board square 3 x 1\n"
                             "piece stone of Red, Blue\n"
                             "var left : 0..3 = spare\n"
                             "turn\n"
                             "    choose at in if me == Red then empty else empty - {a1}\n"
                             "    place stone at at\n"
                             "when stuck\n"
                             "    pass\n"
                             "when all stuck\n"
                             "    most count stones of it wins\n";

// A puzzle that is mixed by its own moves.
static const char walk[] = "game \"Walk\"\n"
                           "players Solver\n"
                           "parameter seed : 0..1000 = 0\n"
                           "board square 5 x 5\n"
                           "piece king\n"
                           "setup\n"
                           "    place king at c3\n"
                           "    scramble 20 by seed\n"
                           "turn\n"
                           "    choose to in next(the king)\n"
                           "    move the king to to\n"
                           "end\n"
                           "    me wins when the king == c3\n";

static Game *compile(const char *text, const char *param) {
    Diags diags = {0};
    Game *g = game_compile("test.game", text, strlen(text), &param, param ? 1 : 0, &diags);
    if (!g) {
        Text t = {0};
        diag_print(&diags, &t, false);
        print_message("%s", text_c(&t));
        text_free(&t);
    }
    diag_free(&diags);
    assert_non_null(g);
    return g;
}

static void *new_state(const Game *g) {
    void *state = mem_alloc((size_t)game_state_size(g));
    assert_non_null(state);
    memcpy(state, g->start, (size_t)game_state_size(g));
    return state;
}

static void a_name_is_the_file_without_folder(void **state) {
    (void)state;
    Diags diags = {0};
    Game *g = game_compile("some/folder/stones.game", stones, strlen(stones), NULL, 0, &diags);
    assert_non_null(g);
    assert_string_equal(g->name, "stones");
    assert_string_equal(g->source.name, "some/folder/stones.game");
    assert_ptr_equal(diags.source, &g->source);
    game_free(g);
    diag_free(&diags);
}

static void errors_outlive_the_game(void **state) {
    (void)state;
    Diags diags = {0};
    assert_null(game_compile("bad.game", "gaem\n", 5, NULL, 0, &diags));
    assert_null(diags.source);
    assert_true(diags.errors > 0);
    assert_string_equal(diags.items[0].source_name, "bad.game");
    diag_free(&diags);
}

static void unknown_names_get_help(void **state) {
    (void)state;
    Diags diags = {0};
    assert_null(game_load("mil", NULL, 0, &diags));
    assert_string_equal(diags.items[0].message, "there is no game `mil`");
    assert_string_equal(diags.items[0].help, "did you mean `mill`? `ludens games` lists all games");
    diag_free(&diags);
    assert_null(game_load("./no/such.game", NULL, 0, &diags));
    assert_non_null(strstr(diags.items[0].message, "cannot read `./no/such.game`"));
    diag_free(&diags);
}

static void equal_positions_have_equal_hashes(void **unused) {
    (void)unused;
    Game *g = compile(stones, NULL);
    Runner *r = runner_new(g);
    uint8_t *state = new_state(g), *other = new_state(g);
    const Move *moves;
    assert_int_equal(game_hash(g, state), game_hash(g, other));
    assert_int_equal(runner_moves(r, state, &moves), 3);
    assert_true(runner_apply(r, state, moves[0], state));
    assert_int_not_equal(game_hash(g, state), game_hash(g, other));
    mem_free(state);
    mem_free(other);
    runner_free(r);
    game_free(g);
}

// Red b1, Blue c1, Red a1: nobody can move, Red has more.
static void the_end_comes_when_all_are_stuck(void **unused) {
    (void)unused;
    Game *g = compile(stones, NULL);
    Runner *r = runner_new(g);
    uint8_t *state = new_state(g);
    const Move *moves;
    static const int counts[] = {3, 1, 1, 0};
    static const int picks[] = {1, 0, 0};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(runner_moves(r, state, &moves), counts[i]);
        assert_int_equal(runner_count(r, state), counts[i]);
        assert_int_equal(runner_result(r, state), i < 3 ? 0 : RESULT_OVER | 1);
        if (i < 3)
            assert_true(runner_apply(r, state, moves[picks[i]], state));
    }
    Move move;
    assert_int_equal(runner_random(r, state, 0, &move), 0);
    mem_free(state);
    runner_free(r);
    game_free(g);
}

// Red b1, then Blue has c1 only; Red c1: Blue must pass, and Red takes a1.
static void a_player_without_a_move_passes(void **unused) {
    (void)unused;
    Game *g = compile(stones, NULL);
    Runner *r = runner_new(g);
    uint8_t *state = new_state(g);
    state[g->ir->layout.player] = 1; // Blue begins
    const Move *moves;
    assert_int_equal(runner_moves(r, state, &moves), 2);
    assert_true(runner_apply(r, state, moves[0], state)); // Blue b1
    assert_int_equal(runner_moves(r, state, &moves), 2);
    assert_true(runner_apply(r, state, moves[1], state)); // Red c1
    assert_int_equal(runner_result(r, state), 0);
    assert_int_equal(runner_count(r, state), 1);
    assert_int_equal(runner_moves(r, state, &moves), 1);
    assert_true(move_is_pass(moves[0]));
    assert_true(runner_apply(r, state, moves[0], state));
    assert_int_equal(game_player(g, state), 0);
    assert_int_equal(runner_moves(r, state, &moves), 1);
    assert_true(runner_apply(r, state, moves[0], state)); // Red a1
    assert_int_equal(runner_result(r, state), RESULT_OVER | 1);
    mem_free(state);
    runner_free(r);
    game_free(g);
}

static void results_have_words(void **state) {
    (void)state;
    Game *g = compile(stones, NULL), *puzzle = compile(walk, NULL);
    static const struct {
        int result;
        const char *text;
    } cases[] = {{0, "unfinished"},
                 {RESULT_OVER, "a draw"},
                 {RESULT_OVER | 2, "Blue wins"},
                 {RESULT_OVER | 3, "Red and Blue win"}};
    Text t = {0};
    for (int i = 0; i < 4; i++) {
        text_clear(&t);
        assert_string_equal(game_result_text(g, cases[i].result, &t), cases[i].text);
    }
    text_clear(&t);
    assert_string_equal(game_result_text(puzzle, RESULT_OVER, &t), "Solver loses");
    text_free(&t);
    game_free(g);
    game_free(puzzle);
}

static void scrambling_is_reproducible(void **state) {
    (void)state;
    Game *a = compile(walk, "seed=7"), *b = compile(walk, "seed=7");
    size_t size = (size_t)game_state_size(a);
    assert_memory_equal(a->start, b->start, size);
    bool differs = false;
    for (int seed = 0; seed < 20; seed++) {
        Text param = {0};
        text_f(&param, "seed=%d", seed);
        Game *c = compile(walk, text_c(&param));
        assert_int_equal(c->start[c->ir->layout.result], 0);
        differs = differs || memcmp(a->start, c->start, size) != 0;
        text_free(&param);
        game_free(c);
    }
    assert_true(differs);
    game_free(a);
    game_free(b);
}

static void random_moves_are_even(void **unused) {
    (void)unused;
    Game *g = compile(stones, NULL);
    Runner *r = runner_new(g);
    const Move *moves;
    Move first[3];
    int seen[3] = {0};
    assert_int_equal(runner_moves(r, g->start, &moves), 3);
    memcpy(first, moves, sizeof first);
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < 3000; i++) {
        Move move;
        assert_int_equal(runner_random(r, g->start, rng_next(&rng), &move), 1);
        for (int k = 0; k < 3; k++)
            seen[k] += move_equal(move, first[k]);
    }
    for (int k = 0; k < 3; k++)
        assert_in_range(seen[k], 900, 1100);
    runner_free(r);
    game_free(g);
}

// Moves listed into room of one's own are those of runner_moves; where there is too little room,
// the first of them. Under machine code as under the interpreter.
static void moves_are_listed_elsewhere(void **unused) {
    (void)unused;
    Game *g = compile(stones, NULL);
    Runner *r = runner_new(g);
    uint8_t *state = new_state(g);
    Rng rng;
    rng_seed(&rng, 3);
    for (int i = 0; i < 200; i++) {
        memcpy(state, g->start, (size_t)game_state_size(g));
        assert_true(runner_playout(r, state, &rng, i % 9) >= 0);
        const Move *moves;
        Move room[64], few[2] = {{{9, 9}}, {{9, 9}}};
        int n = runner_moves(r, state, &moves);
        assert_in_range(n, 0, 64);
        Move expected[64];
        memcpy(expected, moves, sizeof *moves * (size_t)n);
        assert_int_equal(runner_list(r, state, room, 64), n);
        assert_memory_equal(room, expected, sizeof *room * (size_t)n);
        assert_int_equal(runner_list(r, state, few, 1), n);
        assert_true(n == 0 || move_equal(few[0], expected[0]));
        assert_int_equal(few[1].w[0], 9); // not written
    }
    mem_free(state);
    runner_free(r);
    game_free(g);
}

// Games from one position are those that single calls play; one that is cut off is the last.
static void games_are_played_in_a_row(void **unused) {
    (void)unused;
    Game *g = compile(stones, NULL);
    Runner *r = runner_new(g);
    uint8_t *room = new_state(g), results[20];
    int64_t plies = 0, expected = 0;
    Rng rng, same;
    rng_seed(&rng, 5);
    rng_seed(&same, 5);
    assert_int_equal(runner_playouts(r, g->start, &rng, 20, 1000, room, results, &plies), 20);
    for (int i = 0; i < 20; i++) {
        memcpy(room, g->start, (size_t)game_state_size(g));
        expected += runner_playout(r, room, &same, 1000);
        assert_true(results[i] & RESULT_OVER);
        assert_int_equal(results[i], room[g->ir->layout.result]);
    }
    assert_true(plies == expected);
    plies = 0;
    assert_int_equal(runner_playouts(r, g->start, &rng, 20, 1, room, results, &plies), 1);
    assert_int_equal(results[0], 0);
    assert_true(plies == 1);
    assert_true(runner_playout(r, room, &rng, 1000) > 0); // it goes on from there
    mem_free(room);
    runner_free(r);
    game_free(g);
}

// A number leaves its range after a few moves: the call fails and says where.
static void faults_have_a_place(void **unused) {
    (void)unused;
    static const char text[] = "game \"Fault\"\n"
                               "players Red, Blue\n"
                               "board square 3 x 1\n"
                               "piece stone of Red, Blue\n"
                               "var left : 0..1 = 1\n"
                               "turn\n"
                               "    choose at in empty\n"
                               "    place stone at at\n"
                               "    left -= 1\n"
                               "when stuck\n"
                               "    draw\n";
    Game *g = compile(text, NULL);
    Runner *r = runner_new(g);
    uint8_t *state = new_state(g);
    const Move *moves;
    assert_int_equal(runner_moves(r, state, &moves), 3);
    assert_true(runner_apply(r, state, moves[0], state));
    int n = runner_moves(r, state, &moves);
    if (n >= 0)
        assert_false(runner_apply(r, state, moves[0], state));
    assert_string_equal(runner_error(r), "test.game:9:5: `left` would become -1, outside 0..1");
    mem_free(state);
    runner_free(r);
    game_free(g);
}

// Every allocation of a load fails once: no crash, no leak, and always a message.
static void loading_survives_exhausted_memory(void **state) {
    (void)state;
    for (long n = 1;; n++) {
        Diags diags = {0};
        mem_fail_at(n);
        Game *g = game_compile("test.game", walk, strlen(walk), NULL, 0, &diags);
        mem_fail_at(0);
        bool done = g && diags.count == 0;
        assert_true(g || diags.errors > 0);
        diag_free(&diags);
        Runner *r = g ? runner_new(g) : NULL;
        assert_true(!g || r);
        runner_free(r);
        game_free(g);
        if (done && n > 100)
            break;
    }
}

// A game of the public library from start to end, all texts on the way.
static void the_public_library_plays(void **unused) {
    (void)unused;
    static const char *const params[] = {"spare=2"};
    char *error;
    LudensGame *game = ludens_compile("stones.game", stones, params, 1, &error);
    assert_non_null(game);
    assert_null(error);
    assert_string_equal(ludens_name(game), "stones");
    assert_string_equal(ludens_title(game), "Stones");
    assert_int_equal(ludens_players(game), 2);
    assert_string_equal(ludens_player_name(game, 1), "Blue");
    assert_null(ludens_player_name(game, 2));
    assert_int_equal(ludens_repeated(game), 0);
    LudensRunner *runner = ludens_runner_new(game);
    uint64_t state[LUDENS_STATE_MAX / 8], again[LUDENS_STATE_MAX / 8];
    assert_true(ludens_state_size(game) <= sizeof state);
    ludens_start(game, state);
    const LudensMove *moves;
    while (ludens_moves(runner, state, &moves) > 0) {
        LudensMove move = moves[0], read;
        assert_int_equal(ludens_result(runner, state), 0);
        char *text = ludens_move_text(runner, state, move);
        assert_true(ludens_move_read(runner, state, text, &read, &error));
        assert_memory_equal(&read, &move, sizeof move);
        assert_true(ludens_apply(runner, state, move, state));
        ludens_free_text(text);
        text = ludens_state_text(game, state);
        assert_true(ludens_state_read(game, text, again, &error));
        assert_memory_equal(state, again, ludens_state_size(game));
        assert_int_equal(ludens_hash(game, state), ludens_hash(game, again));
        assert_int_equal(ludens_player(game, state), ludens_player(game, again));
        ludens_free_text(text);
    }
    char *result = ludens_result_text(game, ludens_result(runner, state));
    assert_string_equal(result, "Red wins");
    ludens_free_text(result);
    char *board = ludens_board(game, state, LUDENS_ASCII);
    assert_non_null(strchr(board, '\n'));
    ludens_free_text(board);
    ludens_runner_free(runner);
    ludens_free(game);
}

static void the_public_library_explains(void **unused) {
    (void)unused;
    char *error;
    assert_null(ludens_load("no-such-game", NULL, 0, &error));
    assert_non_null(strstr(error, "there is no game `no-such-game`"));
    ludens_free_text(error);
    assert_null(ludens_load("no-such-game", NULL, 0, NULL));
    LudensGame *game = ludens_compile("stones.game", stones, NULL, 0, NULL);
    LudensRunner *runner = ludens_runner_new(game);
    uint64_t state[LUDENS_STATE_MAX / 8];
    LudensMove move;
    assert_false(ludens_state_read(game, "nonsense", state, &error));
    assert_non_null(error);
    ludens_free_text(error);
    ludens_start(game, state);
    assert_false(ludens_move_read(runner, state, "z9", &move, &error));
    assert_string_equal(error, "`at`: there is no cell `z9`; possible: a1, b1, c1");
    ludens_free_text(error);
    assert_string_equal(ludens_library(0), "alquerque");
    assert_null(ludens_library(100000));
    assert_null(ludens_library(-1));
    ludens_runner_free(runner);
    ludens_free(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_the_file_without_folder),
        cmocka_unit_test(errors_outlive_the_game),
        cmocka_unit_test(unknown_names_get_help),
        cmocka_unit_test(equal_positions_have_equal_hashes),
        cmocka_unit_test(the_end_comes_when_all_are_stuck),
        cmocka_unit_test(a_player_without_a_move_passes),
        cmocka_unit_test(results_have_words),
        cmocka_unit_test(scrambling_is_reproducible),
        cmocka_unit_test(random_moves_are_even),
        cmocka_unit_test(moves_are_listed_elsewhere),
        cmocka_unit_test(games_are_played_in_a_row),
        cmocka_unit_test(faults_have_a_place),
        cmocka_unit_test(loading_survives_exhausted_memory),
        cmocka_unit_test(the_public_library_plays),
        cmocka_unit_test(the_public_library_explains),
    };
    return cmocka_run_group_tests_name("game", tests, NULL, NULL);
}
