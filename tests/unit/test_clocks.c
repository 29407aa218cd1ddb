// Tests of clocks: what those of a game mean, and that players and provers tell positions apart
// that differ only there where it matters.
#include "search_fixture.h"

#include "game/clocks.h"
#include "search/prove.h"

// A king walks; who is asked wins at the right moment, or before it is too late.
#define WALK(players, board, ends)                                                                 \
    "game \"Walk\"\n"                                                                              \
    "players " players "\n"                                                                        \
    "board square " board "\n"                                                                     \
    "piece king\n"                                                                                 \
    "clock steps : 0..9 = 0\n"                                                                     \
    "setup\n"                                                                                      \
    "    place king at a1\n"                                                                       \
    "turn\n"                                                                                       \
    "    choose to in next(the king)\n"                                                            \
    "    require steps < 9\n"                                                                      \
    "    move the king to to\n"                                                                    \
    "    steps += 1\n"                                                                             \
    "end\n" ends
#define PUZZLE                                                                                     \
    WALK("Solver", "4 x 1", "    me wins when king within {d1} and steps == 7\n")                  \
    "when stuck\n    me loses\n"
#define LATE                                                                                       \
    WALK("Red, Blue", "3 x 3",                                                                     \
         "    me wins when steps >= 6 and row(the king) == 3\n"                                    \
         "    opponent wins when steps >= 6 and column(the king) == 2\n")
#define DRAWN                                                                                      \
    WALK("Red, Blue", "3 x 3",                                                                     \
         "    me wins when row(the king) == 3 and column(the king) == 3\n"                         \
         "    draw when steps >= 9\n")
#define UNREAD                                                                                     \
    "game \"Unread\"\n"                                                                            \
    "players Red, Blue\n"                                                                          \
    "board square 3 x 1\n"                                                                         \
    "piece king\n"                                                                                 \
    "clock steps : 0..9 = 0\n"                                                                     \
    "setup\n"                                                                                      \
    "    place king at a1\n"                                                                       \
    "turn\n"                                                                                       \
    "    choose to in next(the king)\n"                                                            \
    "    move the king to to\n"                                                                    \
    "    steps = min(steps + 1, 9)\n"
#define IDLE WALK("Red, Blue", "3 x 3", "    me wins when row(the king) == 3\n")

static Clocks of_library(const char *name) {
    Fixture f = open_game(name, NULL, NULL);
    Clocks clocks = clocks_of(f.game);
    close_game(&f);
    return clocks;
}

static Clocks of_text(const char *text) {
    Fixture f = compile_game(text);
    Clocks clocks = clocks_of(f.game);
    close_game(&f);
    return clocks;
}

static void test_meaning(void **unused) {
    (void)unused;
    assert_int_equal(of_library("tic-tac-toe"), CLOCKS_SILENT);
    assert_int_equal(of_library("mill"), CLOCKS_DRAW);
    assert_int_equal(of_library("chess"), CLOCKS_DRAW);
    assert_int_equal(of_text(UNREAD "end\n    draw when repeated 3\n"), CLOCKS_SILENT);
    assert_int_equal(of_text(UNREAD "end\n    draw when steps == 9 and some kings & {c1}\n"),
                     CLOCKS_DRAW);
    assert_int_equal(of_text(UNREAD "end\n    draw when steps == 8\n"), CLOCKS_COUNT);
    assert_int_equal(of_text(DRAWN), CLOCKS_COUNT); // `require steps < 9` asks, too
    assert_int_equal(of_text(LATE), CLOCKS_COUNT);
    assert_int_equal(of_text(PUZZLE), CLOCKS_COUNT);
}

static void test_hash(void **unused) {
    (void)unused;
    static const char *const texts[] = {LATE, DRAWN, PUZZLE};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Fixture f = compile_game(texts[i]);
        const Move *moves;
        uint64_t begin[IR_MAX_STATE / 8], now[IR_MAX_STATE / 8];
        memcpy(begin, f.game->start, (size_t)game_state_size(f.game));
        for (int k = 0; k < 4; k++) { // there and back, with both players twice on move
            assert_true(runner_moves(f.runner, k ? (uint8_t *)now : f.game->start, &moves) > 0);
            Move move = moves[0];
            assert_true(
                runner_apply(f.runner, k ? (uint8_t *)now : f.game->start, move, (uint8_t *)now));
        }
        const uint8_t *a = (uint8_t *)begin, *b = (uint8_t *)now;
        assert_true(clocks_hash(f.game, CLOCKS_SILENT, a) == clocks_hash(f.game, CLOCKS_SILENT, b));
        assert_true(clocks_hash(f.game, CLOCKS_COUNT, a) != clocks_hash(f.game, CLOCKS_COUNT, b));
        close_game(&f);
    }
}

// --- players ---

static Value value_by(const Fixture *f, Player *p) {
    SearchResult r;
    SearchTask task = {.record = f->record};
    assert_true(player_search(p, &task, &r));
    if (!r.exact)
        fail_msg("%s: %d is not proven", text_c(&p->text), r.value);
    return r.value;
}

// The same position comes back seven moves long before it is worth anything.
static void test_puzzle(void **unused) {
    (void)unused;
    static const char *const solvers[] = {
        "bfs", "dfs", "iddfs", "astar", "idastar", "bestfirst", "alphabeta:threads=1"};
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++) {
        Fixture f = compile_game(PUZZLE);
        Player *p = make_player(f.game, solvers[i]);
        while (record_result(f.record) == 0) { // and the plan holds to the end
            SearchResult r;
            SearchTask task = {.record = f.record};
            assert_true(player_search(p, &task, &r));
            assert_true(record_play(f.record, r.move));
        }
        assert_int_equal(record_length(f.record), 7);
        assert_int_equal(record_result(f.record) & 1, 1);
        player_free(p);
        close_game(&f);
    }
}

// Players that keep what they know from move to move, against one that knows no position again.
static void compare(const char *text) {
    static const char *const players[] = {"table-alphabeta:depth=9", "alphabeta:depth=30,threads=1",
                                          "mcts:iterations=200k"};
    enum { PLAYERS = sizeof players / sizeof players[0] };
    for (uint64_t seed = 0; seed < 6; seed++) {
        Fixture f = compile_game(text);
        Player *plain = make_player(f.game, "minimax:depth=9"), *p[PLAYERS];
        for (int i = 0; i < PLAYERS; i++)
            p[i] = make_player(f.game, players[i]);
        Rng rng;
        rng_seed(&rng, seed);
        while (record_result(f.record) == 0) {
            Value value = value_by(&f, plain);
            for (int i = 0; i < PLAYERS; i++) {
                Value other = value_by(&f, p[i]);
                assert_int_equal(other > 0, value > 0); // mcts: wins in at most so many moves
                assert_int_equal(other < 0, value < 0);
            }
            Move move;
            assert_true(runner_random(f.runner, record_now(f.record), rng_next(&rng), &move) > 0);
            assert_true(record_play(f.record, move));
        }
        for (int i = 0; i < PLAYERS; i++)
            player_free(p[i]);
        player_free(plain);
        close_game(&f);
    }
}

static void test_players(void **unused) {
    (void)unused;
    compare(LATE);
    compare(DRAWN);
    compare(IDLE);
}

static void test_prove(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        int value;
    } rows[] = {{LATE, PROVE_LOST}, {PUZZLE, PROVE_WON}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Fixture f = compile_game(rows[i].text);
        ProveResult r;
        Text why = {0};
        assert_true(prove_position(&(ProveTask){.game = f.game}, &r, &why));
        assert_int_equal(r.low, rows[i].value);
        assert_int_equal(r.high, rows[i].value);
        text_free(&why);
        close_game(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meaning), cmocka_unit_test(test_hash),  cmocka_unit_test(test_puzzle),
        cmocka_unit_test(test_players), cmocka_unit_test(test_prove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
