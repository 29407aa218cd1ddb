// Tests of what the strong alpha-beta does besides finding one move: several best moves, players
// who play for themselves, time, the tree it walked.
#include "search_fixture.h"

#include "search/alphabeta.h"

#include <stdio.h>
#include <stdlib.h>

static SearchResult ask(const Fixture *f, Player *p, SearchTask task) {
    SearchResult result;
    task.record = f->record;
    assert_true(player_search(p, &task, &result));
    assert_true(runner_is_legal(f->runner, record_now(f->record), result.move));
    return result;
}

// Some random moves from the beginning; the game is not over behind them.
static void wander(Fixture *f, Rng *rng, int plies) {
    record_restart(f->record);
    for (int i = 0; i < plies; i++) {
        Move move;
        if (runner_random(f->runner, record_now(f->record), rng_next(rng), &move) != 1)
            break;
        assert_true(record_play(f->record, move));
        if (record_result(f->record)) {
            record_undo(f->record);
            break;
        }
    }
}

// --- several best moves ---

// What a move is worth by minimax to a depth, for who plays it.
static Value value_of_move(Fixture *f, Player *minimax, Move move, int depth) {
    int player = game_player(f->game, record_now(f->record));
    assert_true(record_play(f->record, move));
    int over = record_result(f->record);
    Value value;
    if (over) {
        value = value_of_result(f->game, over, player, 1);
    } else {
        SearchResult r = ask(f, minimax, (SearchTask){.limits = {.depth = depth - 1}});
        bool same = game_player(f->game, record_now(f->record)) == player;
        value = same ? r.value : -r.value;
        value -= value >= VALUE_SURE ? 1 : value <= -VALUE_SURE ? -1 : 0; // one move further
    }
    record_undo(f->record);
    return value;
}

static int by_value(const void *a, const void *b) {
    return *(const Value *)b - *(const Value *)a;
}

// The values of the best moves are those of minimax, in order; those of others are bounds.
static void check_best(Fixture *f, Player *strong, Player *minimax, int depth, int wanted) {
    const Move *moves;
    int n = runner_moves(f->runner, record_now(f->record), &moves);
    Value *sorted = mem_alloc(sizeof *sorted * (size_t)n);
    Move *copy = mem_alloc(sizeof *copy * (size_t)n);
    memcpy(copy, moves, sizeof *copy * (size_t)n);
    for (int i = 0; i < n; i++)
        sorted[i] = value_of_move(f, minimax, copy[i], depth);
    qsort(sorted, (size_t)n, sizeof *sorted, by_value);
    SearchResult r = ask(f, strong, (SearchTask){.limits = {.depth = depth}, .best = wanted});
    int known = wanted < n ? wanted : n;
    assert_int_equal(r.best_count, n < SEARCH_MAX_BEST ? n : SEARCH_MAX_BEST);
    for (int i = 0; i < r.best_count; i++) {
        Value true_value = value_of_move(f, minimax, r.best[i].move, depth);
        assert_int_equal(r.best[i].at_most, i >= known);
        if (i < known) {
            assert_int_equal(r.best[i].value, sorted[i]);
            assert_int_equal(r.best[i].value, true_value);
            assert_true(r.best[i].line_length > 0);
            assert_true(move_equal(r.best[i].line[0], r.best[i].move));
            for (int k = 0; k < r.best[i].line_length; k++)
                assert_true(record_play(f->record, r.best[i].line[k]));
            for (int k = 0; k < r.best[i].line_length; k++)
                record_undo(f->record);
        } else if (r.depth == depth) {
            assert_true(r.best[i].value >= true_value);
        }
    }
    mem_free(sorted);
    mem_free(copy);
}

static void test_best_moves(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *params;
        int depth, plies;
    } games[] = {
        {"connect-four", "width=5 height=4", 4, 10},
        {"tic-tac-toe", "", 3, 6},
        {"reversi", "size=6", 3, 20},
        {"dots-and-boxes", "", 2, 40},
    };
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Fixture f = open_game(games[i].game, games[i].params, NULL);
        Player *minimax = make_player(f.game, "minimax:heuristic=mobility");
        Player *strong = make_player(f.game, "alphabeta:threads=1,memory=2,heuristic=mobility");
        alphabeta_be_plain(strong, true);
        Rng rng;
        rng_seed(&rng, 21);
        for (int k = 0; k < 6; k++) {
            wander(&f, &rng, (int)rng_below(&rng, (uint64_t)games[i].plies));
            check_best(&f, strong, minimax, games[i].depth, 1 + k % 4);
        }
        player_free(minimax);
        player_free(strong);
        close_game(&f);
    }
}

// Late moves are looked at less deep: a move may turn out better than the one that was found first.
static void test_best_in_order(void **unused) {
    (void)unused;
    Fixture f = open_game("reversi", "", NULL);
    Player *p = make_player(f.game, "alphabeta:threads=1,heuristic=mobility");
    Rng rng;
    rng_seed(&rng, 4);
    wander(&f, &rng, 9);
    for (int depth = 4; depth <= 8; depth++) {
        SearchResult r = ask(&f, p, (SearchTask){.limits = {.depth = depth}, .best = 4});
        assert_true(move_equal(r.best[0].move, r.move));
        assert_int_equal(r.best[0].value, r.value);
        for (int i = 1; i < 4; i++)
            assert_true(r.best[i].value <= r.best[i - 1].value);
    }
    player_free(p);
    close_game(&f);
}

// --- draws that are despised ---

static const char peace[] = "game \"Peace\"\n"
                            "players A, B\n"
                            "board square 3 x 1\n"
                            "piece disc of A, B\n"
                            "var peace : 0..1 = 0\n"
                            "setup\n"
                            "    place disc of A at a1\n"
                            "    place disc of B at b1, c1\n"
                            "turn\n"
                            "    choose way in 0 .. 1\n"
                            "    peace = way\n"
                            "end\n"
                            "    draw when peace == 1\n"
                            "facts\n"
                            "    has(p, c) for p in players, c in discs of p\n"
                            "worth\n"
                            "    has(me, _) 1 \"a disc\"\n"
                            "    opponent -1\n";

// A has a disc less: a draw is better than to go on, unless it is despised more than the disc is
// worth. Whoever is asked is the one who despises it, and a draw is told as a draw.
static void test_contempt(void **unused) {
    (void)unused;
    Fixture f = compile_game(peace);
    Player *p = make_player(f.game, "alphabeta:threads=1,memory=1,depth=1,heuristic=own");
    static const struct { Value contempt, value; } known[] = {{0, 0}, {50, 0}, {150, -100}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        alphabeta_despise_draws(p, known[i].contempt);
        SearchResult r = ask(&f, p, (SearchTask){0});
        assert_int_equal(r.value, known[i].value);
        assert_int_equal(r.best[0].value, r.value);
        assert_true(record_play(f.record, r.move));
        assert_int_equal(record_result(f.record) != 0, known[i].value == 0);
        if (known[i].value)
            assert_int_equal(ask(&f, p, (SearchTask){0}).value, 100);
        record_undo(f.record);
    }
    player_free(p);
    close_game(&f);
}

// --- what it is worth to be on move ---

static const char to_and_fro[] = "game \"To and fro\"\n"
                                 "players A, B\n"
                                 "board square 2 x 1\n"
                                 "piece disc of A, B\n"
                                 "var last : 0..1 = 0\n"
                                 "setup\n"
                                 "    place disc of A at a1\n"
                                 "    place disc of B at b1\n"
                                 "turn\n"
                                 "    choose way in 0 .. 1\n"
                                 "    last = way\n"
                                 "end\n"
                                 "    me wins when no theirs\n"
                                 "facts\n"
                                 "    has(p, c) for p in players, c in discs of p\n"
                                 "worth\n"
                                 "    has(me, _) if mover == me then 1 else 0 \"on move\"\n"
                                 "    opponent -1\n";

static Value value_at(const Fixture *f, Player *p, int depth) {
    return ask(f, p, (SearchTask){.limits = {.depth = depth}}).value;
}

// By what the rules say whoever is on move is better off, so that odd and even depths never agree.
// After one search they do; a search that plays by the letter does not care.
static void test_turn(void **unused) {
    (void)unused;
    Fixture f = compile_game(to_and_fro);
    Player *p = make_player(f.game, "alphabeta:threads=1,memory=1,heuristic=own");
    assert_int_equal(value_at(&f, p, 3), -100);
    assert_int_equal(value_at(&f, p, 4), 100);
    alphabeta_weigh_turn(p);
    assert_int_equal(value_at(&f, p, 4), 100);
    assert_int_equal(value_at(&f, p, 5), 0);
    assert_int_equal(value_at(&f, p, 6), 0);
    alphabeta_be_plain(p, true);
    assert_int_equal(value_at(&f, p, 3), -100);
    player_free(p);
    close_game(&f);
}

// --- each for himself ---

static const char three_players[] = "game \"Three\"\n"
                                    "players A, B, C\n"
                                    "board square 4 x 3\n"
                                    "    lines of 3\n"
                                    "piece disc of A, B, C\n"
                                    "turn\n"
                                    "    choose at in empty\n"
                                    "    place disc at at\n"
                                    "end\n"
                                    "    me wins when some l in lines : l within mine\n"
                                    "    draw when no empty\n";

typedef struct Vector {
    Value of[3];
} Vector;

// Better for `player`; among equals worse for `me`, then for A, B and C.
static bool prefers(int player, int me, Vector a, Vector b) {
    if (a.of[player] != b.of[player])
        return a.of[player] > b.of[player];
    if (a.of[me] != b.of[me])
        return a.of[me] < b.of[me];
    for (int i = 0; i < 3; i++)
        if (a.of[i] != b.of[i])
            return a.of[i] < b.of[i];
    return false;
}

static Vector plain_maxn(Fixture *f, const Evaluation *e, int me, int ply, int depth) {
    Vector best = {{0}};
    const uint8_t *state = record_now(f->record);
    int over = record_result(f->record), player = game_player(f->game, state);
    for (int i = 0; i < 3 && over; i++)
        best.of[i] = value_of_result(f->game, over, i, ply);
    if (!over && depth == 0)
        evaluation_values(e, f->runner, state, best.of);
    if (over || depth == 0)
        return best;
    const Move *moves;
    int n = runner_moves(f->runner, state, &moves);
    Move copy[16];
    assert_in_range(n, 1, 16);
    memcpy(copy, moves, sizeof *copy * (size_t)n);
    for (int i = 0; i < n; i++) {
        assert_true(record_play(f->record, copy[i]));
        Vector v = plain_maxn(f, e, me, ply + 1, depth - 1);
        record_undo(f->record);
        if (i == 0 || prefers(player, me, v, best))
            best = v;
    }
    return best;
}

static void test_maxn(void **unused) {
    (void)unused;
    Fixture f = compile_game(three_players);
    Text why = {0};
    Evaluation *e = evaluation_new(f.game, "mobility", &why);
    assert_non_null(e);
    text_free(&why);
    Player *p = make_player(f.game, "alphabeta:threads=2,memory=1,heuristic=mobility,maxn=1");
    Player *paranoid = make_player(f.game, "alphabeta:threads=1,memory=1,heuristic=mobility");
    Rng rng;
    rng_seed(&rng, 8);
    int differs = 0;
    for (int i = 0; i < 24; i++) {
        wander(&f, &rng, 3 + (int)rng_below(&rng, 6));
        int depth = 1 + i % 4, me = game_player(f.game, record_now(f.record));
        Vector expected = plain_maxn(&f, e, me, 0, depth);
        SearchResult r = ask(&f, p, (SearchTask){.limits = {.depth = depth}});
        assert_int_equal(r.value, expected.of[me]);
        assert_int_equal(r.best[0].value, r.value);
        assert_true(move_equal(r.best[0].move, r.move));
        for (int k = 0; k < r.best_count; k++) { // all values are known
            assert_false(r.best[k].at_most);
            assert_true(record_play(f.record, r.best[k].move));
            Vector v = plain_maxn(&f, e, me, 1, depth - 1);
            record_undo(f.record);
            assert_int_equal(r.best[k].value, v.of[me]);
        }
        differs += ask(&f, paranoid, (SearchTask){.limits = {.depth = depth}}).value != r.value;
    }
    assert_true(differs > 0); // it is not what it would be against all others
    player_free(p);
    player_free(paranoid);
    evaluation_free(e);
    close_game(&f);
}

// --- several threads at one position ---

// Without reductions the value does not depend on who searched what, and the line is legal.
static void test_together(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *params, *heuristic;
        int depth, plies;
    } games[] = {
        {"connect-four", "width=5 height=4", "mobility", 8, 8},
        {"fox-and-hounds", "", "mobility", 7, 10},
        {"english-draughts", "", "material", 7, 40},
        {"breakthrough", "", "material", 5, 40},
        {"skirmish", "", "mobility", 5, 40},
        {"domineering", "rows=5 columns=5", "none", 12, 6},
    };
    int64_t helped = 0;
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Fixture f = open_game(games[i].game, games[i].params, NULL);
        char text[100];
        snprintf(text, sizeof text, "alphabeta:threads=1,memory=4,heuristic=%s",
                 games[i].heuristic);
        Player *one = make_player(f.game, text);
        snprintf(text, sizeof text, "alphabeta:threads=4,memory=4,heuristic=%s",
                 games[i].heuristic);
        Player *four = make_player(f.game, text);
        alphabeta_be_plain(one, true);
        alphabeta_be_plain(four, true);
        Rng rng;
        rng_seed(&rng, 21);
        for (int k = 0; k < 6; k++) {
            wander(&f, &rng, (int)rng_below(&rng, (uint64_t)games[i].plies));
            SearchTask task = {.limits = {.depth = games[i].depth}};
            SearchResult a = ask(&f, one, task), b = ask(&f, four, task);
            if (a.value != b.value || a.exact != b.exact)
                fail_msg("%s, position %d: %d alone, %d together", games[i].game, k, a.value,
                         b.value);
            for (int m = 0; m < b.line_length; m++)
                assert_true(record_play(f.record, b.line[m]));
            helped += atomic_load(&((AlphaBeta *)four->own)->helped);
        }
        player_free(one);
        player_free(four);
        close_game(&f);
    }
    assert_true(helped > 1000); // nodes
}

// A limit of nodes is used up by all threads together, whoever of them has something to do.
static void test_nodes_together(void **unused) {
    (void)unused;
    static const char *const games[] = {"reversi", "mill"};
    for (size_t i = 0; i < 2; i++) {
        Fixture f = open_game(games[i], NULL, NULL);
        for (int threads = 1; threads <= 8; threads *= 2) {
            char text[100];
            snprintf(text, sizeof text, "alphabeta:threads=%d,memory=4,heuristic=mobility",
                     threads);
            Player *p = make_player(f.game, text);
            SearchResult r = ask(&f, p, (SearchTask){.limits = {.nodes = 50000}});
            if (r.nodes < 45000 || r.nodes > 55000)
                fail_msg("%s, %d threads: %lld nodes", games[i], threads, (long long)r.nodes);
            player_free(p);
        }
        close_game(&f);
    }
}

// --- time ---

// Also the first search; by processor time of two threads, and generous, since tests run sanitized.
static void test_time(void **unused) {
    (void)unused;
    static const char *const games[] = {"amazons", "chess"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Fixture f = open_game(games[i], "", NULL);
        Player *p = make_player(f.game, "alphabeta:threads=2,heuristic=mobility,time=30ms");
        for (int k = 0; k < 3; k++) {
            double begin = clock_spent();
            SearchResult r = ask(&f, p, (SearchTask){0});
            double took = clock_spent() - begin;
            if (took > 0.53)
                fail_msg("%s: %.0f ms instead of 30", games[i], 1000 * took);
            assert_true(record_play(f.record, r.move));
        }
        player_free(p);
        close_game(&f);
    }
}

static double slept(const Player *p) {
    Clock clock;
    clock_start(&clock, p, &(SearchTask){0});
    nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
    return clock_seconds(&clock);
}

// With LUDENS_CLOCK=cpu only the time counts that the program itself uses.
static void test_clock_cpu(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", "", NULL);
    Player *p = make_player(f.game, "random");
    const char *before = getenv("LUDENS_CLOCK");
    setenv("LUDENS_CLOCK", "cpu", 1);
    double cpu = slept(p);
    setenv("LUDENS_CLOCK", "wall", 1);
    double wall = slept(p);
    if (before)
        setenv("LUDENS_CLOCK", before, 1);
    else
        unsetenv("LUDENS_CLOCK");
    assert_true(cpu >= 0 && cpu < 0.05);
    assert_true(wall >= 0.06);
    player_free(p);
    close_game(&f);
}

// A clock for the whole game: a hard move may take more than its share, never much of the rest.
static void test_clock(void **unused) {
    (void)unused;
    Fixture f = open_game("mill", "", NULL);
    Player *p = make_player(f.game, "alphabeta:threads=1,heuristic=material,clock=800ms");
    double begin = clock_spent();
    ask(&f, p, (SearchTask){0});
    assert_true(clock_spent() - begin < 0.2 + 0.5);
    assert_true(p->timing.left < 0.8);
    p->timing.left = 1;
    assert_true(timing_stretch(p, 0.02) > 0.02);
    assert_true(timing_stretch(p, 0.2) <= 0.25);
    assert_true(timing_stretch(p, 0.3) >= 0.3);
    player_free(p);
    close_game(&f);
}

// --- the tree ---

static void test_trace(void **unused) {
    (void)unused;
    Fixture f = open_game("connect-four", "", NULL);
    Player *p = make_player(f.game, "alphabeta:threads=1,memory=1,heuristic=mobility");
    Trace *trace = trace_new(4000);
    SearchResult r = ask(&f, p, (SearchTask){.limits = {.depth = 6}, .trace = trace});
    assert_true(r.depth == 6);
    int64_t dropped;
    int count = trace_count(trace, &dropped);
    assert_in_range(count, 100, 4000);
    Text text = {0}, json = {0};
    assert_true(trace_text(trace, f.runner, record_now(f.record), &text));
    assert_true(trace_json(trace, f.runner, record_now(f.record), &json));
    static const char *const words[] = {"to depth 6", "null window", "less deep",
                                        "left out",   "table",       "max [-inf, +inf]"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strstr(text_c(&text), words[i]))
            fail_msg("no `%s` in the trace", words[i]);
    assert_non_null(strstr(text_c(&json), "\"null_window\":true"));
    text_free(&text);
    text_free(&json);
    trace_free(trace);
    player_free(p);
    close_game(&f);
}

// A trace changes nothing, and what does not fit is counted.
static void test_trace_is_bounded(void **unused) {
    (void)unused;
    Fixture f = open_game("mill", "", NULL);
    SearchResult r[2];
    for (int i = 0; i < 2; i++) {
        Player *p = make_player(f.game, "alphabeta:threads=1,memory=1,heuristic=material");
        Trace *trace = i ? trace_new(50) : NULL;
        r[i] = ask(&f, p, (SearchTask){.limits = {.depth = 4}, .trace = trace});
        int64_t dropped = 0;
        if (trace)
            assert_int_equal(trace_count(trace, &dropped), 50);
        assert_int_equal(dropped > 0, i);
        trace_free(trace);
        player_free(p);
    }
    assert_int_equal(r[0].nodes, r[1].nodes);
    assert_int_equal(r[0].value, r[1].value);
    assert_true(move_equal(r[0].move, r[1].move));
    close_game(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_moves),     cmocka_unit_test(test_best_in_order),
        cmocka_unit_test(test_contempt),       cmocka_unit_test(test_turn),
        cmocka_unit_test(test_maxn),           cmocka_unit_test(test_together),
        cmocka_unit_test(test_nodes_together), cmocka_unit_test(test_time),
        cmocka_unit_test(test_clock),          cmocka_unit_test(test_clock_cpu),
        cmocka_unit_test(test_trace),          cmocka_unit_test(test_trace_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
