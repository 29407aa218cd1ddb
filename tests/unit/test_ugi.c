// Tests of src/match/protocol.c and ugi.c: texts there and back for every game, and an engine.
#include "game/library.h"
#include "match/ugi.h"
#include "search_fixture.h"

#define PLIES 30
#define MOVES 12 // of a position, about

// --- texts ---

// Plays a random game and reads every move and position back.
static void walk(Game *game, uint64_t seed) {
    Fixture f = begin_game(game, NULL);
    Rng rng;
    rng_seed(&rng, seed);
    Text text = {0}, why = {0};
    for (int ply = 0; ply < PLIES && record_result(f.record) == 0; ply++) {
        const uint8_t *now = record_now(f.record);
        const Move *moves;
        int n = runner_moves(f.runner, now, &moves);
        assert_true(n > 0);
        Move *own = mem_alloc(sizeof *own * (size_t)n), back;
        memcpy(own, moves, sizeof *own * (size_t)n);
        for (int i = 0; i < n; i += 1 + n / MOVES) {
            text_clear(&text);
            assert_true(protocol_move(f.runner, now, own[i], &text));
            assert_null(strpbrk(text_c(&text), " \t\n"));
            assert_true(protocol_read_move(f.runner, now, text.s, text.n, &back, &why));
            assert_true(move_equal(back, own[i]));
        }
        assert_true(record_play(f.record, own[rng_below(&rng, (uint64_t)n)]));
        mem_free(own);
    }
    text_clear(&text);
    protocol_position(f.runner, f.record, &text);
    Record *back = protocol_read_position(f.runner, text_c(&text), &why);
    if (!back)
        fail_msg("%s: %s: %s", game->name, text_c(&text), text_c(&why));
    size_t size = (size_t)game_state_size(game);
    assert_int_equal(record_length(back), record_length(f.record));
    assert_memory_equal(record_now(back), record_now(f.record), size);
    record_free(back);

    // The last position without its history.
    text_clear(&text);
    text_add(&text, "fen ");
    state_text(game, record_now(f.record), &text);
    back = protocol_read_position(f.runner, text_c(&text), &why);
    if (!back)
        fail_msg("%s: %s: %s", game->name, text_c(&text), text_c(&why));
    assert_memory_equal(record_now(back), record_now(f.record), size);
    record_free(back);

    // The game itself.
    text_clear(&text);
    protocol_game(game, &text);
    Game *again = protocol_read_game(text_c(&text), &why);
    if (!again)
        fail_msg("%s: %s", text_c(&text), text_c(&why));
    assert_memory_equal(again->start, game->start, size);
    game_free(again);
    text_free(&text);
    text_free(&why);
    close_game(&f);
}

static void every_game_there_and_back(void **state) {
    (void)state;
    for (int i = 0; i < library_count; i++) {
        Diags diags = {0};
        Game *game = game_load(library_games[i].name, NULL, 0, &diags);
        diag_free(&diags);
        walk(game, (uint64_t)i);
    }
}

// Blanks, `_` and `%` in the text of a move.
static void odd_moves_are_one_word(void **state) {
    (void)state;
    static const char rules[] = "game \"Odd\"\n"
                                "players A, B\n"
                                "board square 2 x 1\n"
                                "piece man of A, B\n"
                                "turn\n"
                                "    choose at in empty\n"
                                "    choose n in 1..2\n"
                                "    place man at at\n"
                                "end\n"
                                "    draw when no empty\n"
                                "notation\n"
                                "    at \"put {} \"\n"
                                "    n \"_% {}\"\n";
    Diags diags = {0};
    Game *game = game_compile("odd.game", rules, strlen(rules), NULL, 0, &diags);
    if (!game)
        fail_msg("%s", diags.items[0].message);
    Fixture f = begin_game(game, NULL);
    const Move *moves;
    assert_int_equal(runner_moves(f.runner, game->start, &moves), 4);
    Move first = moves[0], back;
    Text text = {0}, why = {0};
    assert_true(protocol_move(f.runner, game->start, first, &text));
    assert_string_equal(text_c(&text), "put_a1_%5F%25_1");
    assert_true(protocol_read_move(f.runner, game->start, text.s, text.n, &back, &why));
    assert_true(move_equal(back, first));
    text_free(&text);
    text_free(&why);
    diag_free(&diags);
    close_game(&f);
}

static void numbers_there_and_back(void **state) {
    (void)state;
    GoLimits go;
    Text text = {0};
    protocol_read_go("p1time 1500 p3time 2000 p1inc 10 odd words movetime 20 depth 4 nodes 7", &go);
    assert_true(go.clocks && !go.infinite);
    assert_true(go.left[0] == 1.5 && go.left[2] == 2 && go.increment[0] == 0.01);
    assert_true(go.move == 0.02 && go.depth == 4 && go.nodes == 7);
    protocol_go(&go, 3, &text);
    assert_string_equal(text_c(&text), "go p1time 1500 p2time 0 p3time 2000 p1inc 10 movetime 20 "
                                       "depth 4 nodes 7");
    protocol_read_go("infinite p0time 5 p99time 5 ptime 5 depth -3 nodes 99999999999999999999",
                     &go);
    assert_true(go.infinite && !go.clocks && go.depth == 1 && go.nodes == INT64_MAX);

    static const Value values[] = {0, 120, -50, VALUE_WIN - 3, 4 - VALUE_WIN, -VALUE_WIN};
    for (int i = 0; i < 6; i++) {
        PlayedMove told = {0};
        text_clear(&text);
        text_add(&text, "depth 5 nodes 10 score ");
        protocol_score(values[i], &text);
        text_add(&text, " pv nodes 3");
        protocol_read_info(text_c(&text), &told);
        assert_true(told.known);
        assert_int_equal(told.value, values[i]);
        assert_int_equal(told.depth, 5);
        assert_int_equal(told.nodes, 10);
    }
    PlayedMove told = {0};
    protocol_read_info("score mate -9223372036854775808 nodes -4 depth 99999", &told);
    assert_int_equal(told.value, -VALUE_SURE);
    assert_int_equal(told.nodes, 0);
    protocol_read_info("score cp 999999999999", &told);
    assert_true(!value_is_proven(told.value));
    text_free(&text);
}

// --- the engine ---

static void keep_line(void *with, const char *line, size_t n) {
    text_add_n(with, line, n);
    text_char(with, '\n');
}

static Ugi *open_engine(const char *game, const char *player, Text *said) {
    Text why = {0};
    UgiSetup setup = {
        .name = "Test", .game = game, .player = player, .say = keep_line, .with = said};
    Ugi *u = ugi_new(&setup, &why);
    if (!u)
        fail_msg("%s", text_c(&why));
    text_free(&why);
    return u;
}

static void says(Ugi *u, Text *said, const char *line, const char *expected) {
    text_clear(said);
    assert_true(ugi_line(u, line));
    assert_string_equal(text_c(said), expected);
}

static void rules_are_served(void **state) {
    (void)state;
    Text said = {0};
    Ugi *u = open_engine("tic-tac-toe", NULL, &said);
    says(u, &said, "ugi",
         "id name Test\nid author the authors of Ludens\n"
         "option name Game type string default tic-tac-toe\nugiok\n");
    says(u, &said, "isready\r", "readyok\n");
    says(u, &said, "", "");
    says(u, &said, "nothing of this is known", "");
    says(u, &said, "position startpos", "");
    says(u, &said, "position startpos moves a1", "");
    says(u, &said, "position startpos moves a1 b2 b1 a2  \r", "");
    says(u, &said, "query p1turn", "response true\n");
    says(u, &said, "query gameover", "response false\n");
    says(u, &said, "query result", "response none\n");
    says(u, &said, "query state", "response 3/OO1/XX1 c\n");
    says(u, &said, "query moves", "response c1 c2 a3 b3 c3\n");
    says(u, &said, "position startpos moves a1 b2 b1 a2 c1", "");
    says(u, &said, "query gameover", "response true\n");
    says(u, &said, "query result", "response p1win\n");
    says(u, &said, "query moves", "response\n");
    says(u, &said, "query successors", "response 0\n");
    says(u, &said, "position fen XO1/1X1/O2 n moves c1", "");
    says(u, &said, "query state", "response XO1/1X1/O1O c\n");
    says(u, &said, "position fen XO1/1X1/O2 n moves c1 c2", "");
    says(u, &said, "query state", "response XO1/1XX/O1O n\n");
    says(u, &said, "position startpos moves c2", "");
    says(u, &said, "position startpos moves c1", ""); // another, not one more
    says(u, &said, "query state", "response 3/3/2X n\n");
    says(u, &said, "position startpos moves c1 a3 b2", "");
    says(u, &said, "position startpos moves c1 a3", ""); // fewer
    says(u, &said, "query state", "response O2/3/2X c\n");
    says(u, &said, "go depth 3",
         "info string error: this is a rules server: it does not search\nbestmove none\n");
    says(u, &said, "setoption name Game value nim heaps=2,1", "");
    text_clear(&said);
    ugi_line(u, "query successors");
    assert_int_equal(strncmp(text_c(&said), "info successor A1 2 none ", 25), 0);
    assert_non_null(strstr(text_c(&said), "info successor B1 2 none "));
    assert_non_null(strstr(text_c(&said), "response 3\n"));
    ugi_free(u);
    text_free(&said);
}

static void wrong_positions_are_told(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "position",
        "position fen",
        "position fen nonsense",
        "position here",
        "position startpos a1",
        "position startpos moves a1 a1",
        "position startpos moves a1 a2 b1 b2 c1 c2", // over before the last
    };
    Text said = {0};
    Ugi *u = open_engine("tic-tac-toe", "random", &said);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        text_clear(&said);
        assert_true(ugi_line(u, wrong[i]));
        assert_int_equal(strncmp(text_c(&said), "info string error: ", 19), 0);
        says(u, &said, "query moves", "response error\n");
        says(u, &said, "go", "info string error: there is no position\nbestmove none\n");
        says(u, &said, "show", "");
    }
    says(u, &said, "uginewgame", "");
    says(u, &said, "query state", "response 3/3/3 c\n");
    text_clear(&said);
    ugi_line(u, "setoption name Game value no-such-game");
    assert_non_null(strstr(text_c(&said), "there is no game `no-such-game`"));
    says(u, &said, "query state", "response 3/3/3 c\n");
    says(u, &said, "setoption name Player value nobody",
         "info string error: there is no player `nobody`; `ludens players` lists them\n");
    assert_false(ugi_line(u, "quit"));
    ugi_free(u);
    text_free(&said);
}

static int count(const char *text, const char *what) {
    int n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

// Every `go` has one `bestmove`, whatever comes between.
static void searches_end_with_a_move(void **state) {
    (void)state;
    Text said = {0};
    Ugi *u = open_engine("connect-four", "alphabeta", &said);
    ugi_line(u, "go depth 3");
    ugi_finish(u);
    assert_int_equal(count(text_c(&said), "bestmove "), 1);
    assert_int_equal(count(text_c(&said), "bestmove none"), 0);
    assert_non_null(strstr(text_c(&said), " pv "));
    static const char *const next[] = {"stop",        "position startpos moves d1",
                                       "go infinite", "isready",
                                       "uginewgame",  "setoption name Seed value 3"};
    for (int i = 0; i < 6; i++) {
        text_clear(&said);
        ugi_line(u, "go infinite");
        ugi_line(u, next[i]);
        ugi_line(u, "stop");
        assert_int_equal(count(text_c(&said), "bestmove "), i == 2 ? 2 : 1);
    }
    text_clear(&said);
    ugi_line(u, "go p1time 200 p2time 200 p1inc 0 p2inc 0");
    ugi_finish(u);
    ugi_line(u, "stop"); // nothing is searched
    assert_int_equal(count(text_c(&said), "bestmove "), 1);
    text_clear(&said);
    ugi_line(u, "go infinite");
    assert_false(ugi_line(u, "quit"));
    assert_int_equal(count(text_c(&said), "bestmove "), 1);
    ugi_line(u, "go infinite");
    ugi_free(u); // ends it too
    text_free(&said);
}

// A search that finds everything out at once waits for `stop` all the same.
static void infinite_waits(void **state) {
    (void)state;
    Text said = {0};
    Ugi *u = open_engine("tic-tac-toe", "random", &said);
    ugi_line(u, "go infinite");
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    ugi_line(u, "isready");
    ugi_line(u, "stop");
    const char *ready = strstr(text_c(&said), "readyok"), *move = strstr(said.s, "bestmove");
    assert_true(ready && move && ready < move);
    ugi_free(u);
    text_free(&said);
}

// Wherever memory runs out, nothing is lost and nothing crashes.
static void memory_runs_out(void **state) {
    (void)state;
    static const char *const lines[] = {
        "ugi",
        "position startpos moves a1",
        "position startpos moves a1 b2",
        "query moves",
        "query successors",
        "query state",
        "show",
        "setoption name Game value tic-tac-toe",
        "position fen XX1/OO1/3 c",
        "query result",
        "uginewgame",
        "go depth 1",
    };
    Text said = {0};
    UgiSetup setup = {.name = "Test", .game = "nim heaps=2,1", .say = keep_line, .with = &said};
    long left = 0;
    for (long n = 1; left == 0 && n < 100000; n += 1 + n / 20) {
        Text why = {0};
        mem_fail_at(n);
        Ugi *u = ugi_new(&setup, &why);
        for (size_t i = 0; u && i < sizeof lines / sizeof *lines; i++)
            assert_true(ugi_line(u, lines[i]));
        ugi_free(u);
        left = mem_fail_at(0);
        text_free(&why);
        text_free(&said);
    }
    assert_true(left > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_game_there_and_back),
        cmocka_unit_test(odd_moves_are_one_word),
        cmocka_unit_test(numbers_there_and_back),
        cmocka_unit_test(rules_are_served),
        cmocka_unit_test(wrong_positions_are_told),
        cmocka_unit_test(searches_end_with_a_move),
        cmocka_unit_test(infinite_waits),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
