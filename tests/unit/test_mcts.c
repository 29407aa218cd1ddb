// Tests of src/search/mcts*: proofs against minimax and known values, visits with several threads,
// the same answer for the same seed, memory, tree reuse, stopping.
#include "sanitized.h"
#include "search_fixture.h"

#include "game/movetext.h"
#include "game/statetext.h"
#include "search/mcts.h"

#include <pthread.h>

static bool ask_player(const Fixture *f, Player *p, SearchResult *result) {
    SearchTask task = {.record = f->record, .seed = 1};
    return player_search(p, &task, result);
}

static bool ask(const Fixture *f, const char *text, SearchResult *result) {
    Player *p = make_player(f->game, text);
    bool found = ask_player(f, p, result);
    player_free(p);
    return found;
}

static void wander(Fixture *f, Rng *rng, int plies) {
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

static int sign(Value v) {
    return v >= VALUE_SURE ? 1 : v <= -VALUE_SURE ? -1 : 0;
}

// --- proofs ---

static void test_tic_tac_toe_is_drawn(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "mcts:iterations=1M,heuristic=none",
        "mcts:iterations=1M,heuristic=none,transpositions=0",
        "mcts:iterations=1M,heuristic=none,batch=8",
        "mcts:iterations=1M,heuristic=none,decisive=0,rave=0",
        "mcts:iterations=1M,threads=2",
    };
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        SearchResult r;
        assert_true(ask(&f, texts[i], &r));
        assert_true(r.exact);
        assert_int_equal(r.value, 0);
        assert_int_equal(r.best_count, 9);
    }
    SearchResult r;
    assert_true(ask(&f, "mcts:iterations=20k,solver=0", &r));
    assert_false(r.exact);
    close_game(&f);
}

static void test_known_values(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *params;
        int value;
    } known[] = {
        {"domineering", "rows=4 columns=4", 1},
        {"domineering", "rows=4 columns=3", 1},
        {"domineering", "rows=3 columns=4", -1},
        {"connect-four", "width=4 height=3", 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        Fixture f = open_game(known[i].game, known[i].params, NULL);
        SearchResult r;
        assert_true(ask(&f, "mcts:iterations=2M,heuristic=none", &r));
        assert_true(r.exact);
        assert_int_equal(sign(r.value), known[i].value);
        close_game(&f);
    }
}

// Positions near the end: what is proven is what minimax finds, and the move keeps it.
static void test_agrees_with_minimax(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *param;
        int plies;
    } games[] = {{"tic-tac-toe", NULL, 3},
                 {"connect-four", "width=4", 16},
                 {"nim", NULL, 3},
                 {"dots-and-boxes", NULL, 12},
                 {"domineering", "rows=5", 8}};
    Rng rng;
    rng_seed(&rng, 5);
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        for (int k = 0; k < 4; k++) {
            Fixture f = open_game(games[i].game, games[i].param, NULL);
            wander(&f, &rng, games[i].plies);
            SearchResult exact, r;
            assert_true(ask(&f, "table-alphabeta:nodes=50k,heuristic=none", &exact));
            assert_true(ask(&f, "mcts:iterations=20k,heuristic=none", &r));
            if (exact.exact && r.exact) {
                assert_int_equal(sign(r.value), sign(exact.value));
                assert_true(record_play(f.record, r.move));
                int over = record_result(f.record);
                int me = game_player(f.game, record_state(f.record, record_length(f.record) - 1));
                SearchResult reply = {0};
                if (over) {
                    assert_int_equal(sign(value_of_result(f.game, over, me, 0)), sign(r.value));
                } else if (ask(&f, "table-alphabeta:nodes=50k,heuristic=none", &reply)) {
                    int other = game_player(f.game, record_now(f.record));
                    if (reply.exact)
                        assert_int_equal(sign(reply.value), (other == me ? 1 : -1) * sign(r.value));
                }
            }
            close_game(&f);
        }
    }
}

// A win at once, and a loss that has to be stopped.
static void test_decisive_moves(void **unused) {
    (void)unused;
    Fixture f = open_game("connect-four", NULL, "7/7/7/7/RRR4/YYY4 y");
    SearchResult r;
    assert_true(ask(&f, "mcts:iterations=100", &r));
    assert_true(r.exact);
    assert_int_equal(r.value, VALUE_WIN - 1);
    close_game(&f);
    f = open_game("connect-four", NULL, "7/7/7/7/7/YYY2RR r");
    assert_true(ask(&f, "mcts:iterations=5k", &r));
    Text text = {0};
    assert_true(move_text(f.runner, record_now(f.record), r.move, &text));
    assert_string_equal(text_c(&text), "d1");
    text_free(&text);
    close_game(&f);
}

static void test_puzzle(void **unused) {
    (void)unused;
    const char *param = "frogs=1";
    Fixture f = open_game("frogs", param, NULL);
    SearchResult r;
    assert_true(ask(&f, "mcts:iterations=10k", &r));
    assert_true(r.exact);
    assert_int_equal(r.value, VALUE_WIN - 3);
    close_game(&f);
}

// --- counts ---

static int64_t visits_of(const SearchResult *r) {
    int64_t sum = 0;
    for (int i = 0; i < r->best_count; i++)
        sum += r->best[i].visits;
    return sum;
}

static void test_visits_add_up(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "mcts:iterations=20000,solver=0",
        "mcts:iterations=20000,solver=0,threads=4",
        "mcts:iterations=20000,solver=0,threads=3,batch=7",
        "mcts:iterations=20000,solver=0,threads=4,memory=1,expand=1",
    };
    Fixture f = open_game("connect-four", NULL, NULL);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        SearchResult r;
        assert_true(ask(&f, texts[i], &r));
        assert_int_equal(r.playouts, 20000);
        assert_int_equal(visits_of(&r), 20000);
        for (int k = 0; k < r.best_count; k++)
            assert_true(r.best[k].value >= -1000 && r.best[k].value <= 1000);
        assert_true(r.line_length > 0 && move_equal(r.line[0], r.move));
    }
    close_game(&f);
}

static void test_same_seed_same_answer(void **unused) {
    (void)unused;
    static const char *const games[] = {"mill", "reversi", "hex", "dots-and-boxes", "amazons"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Fixture f = open_game(games[i], NULL, NULL);
        SearchResult a, b;
        assert_true(ask(&f, "mcts:iterations=300", &a));
        assert_true(ask(&f, "mcts:iterations=300", &b));
        assert_true(move_equal(a.move, b.move));
        assert_int_equal(a.value, b.value);
        assert_int_equal(a.nodes, b.nodes);
        assert_int_equal(a.line_length, b.line_length);
        assert_memory_equal(a.line, b.line, sizeof(Move) * (size_t)a.line_length);
        close_game(&f);
    }
}

// --- what kind of game it is ---

static void test_look(void **unused) {
    (void)unused;
    static const struct {
        const char *game;
        bool laying, filling;
    } known[] = {{"hex", true, true},          {"connect-four", true, true},
                 {"domineering", false, true}, {"reversi", false, true},
                 {"amazons", false, true},     {"mill", false, false},
                 {"byte", false, false},       {"breakthrough", false, false}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        Fixture f = open_game(known[i].game, NULL, NULL);
        Player *p = make_player(f.game, "mcts:iterations=10,heuristic=none");
        const Mcts *m = p->own;
        assert_int_equal(m->laying, known[i].laying);
        assert_int_equal(m->filling, known[i].filling);
        assert_int_equal(m->moves, runner_count(f.runner, f.game->start));
        player_free(p);
        close_game(&f);
    }
}

// The heuristic instead of random games: a walk is a look at each of some moves, not a game.
static void test_judging(void **unused) {
    (void)unused;
    Fixture f = open_game("mill", NULL, NULL);
    SearchResult judged, played, usual;
    assert_true(ask(&f, "mcts:iterations=500,heuristic=mobility,judge=1", &judged));
    assert_true(ask(&f, "mcts:iterations=500,heuristic=mobility,judge=0", &played));
    assert_true(ask(&f, "mcts:iterations=500,heuristic=mobility", &usual));
    assert_int_equal(visits_of(&judged) <= 500, 1);
    assert_true(2 * judged.nodes < played.nodes);
    assert_int_equal(usual.nodes, judged.nodes); // pieces move about: that is the usual way here
    for (int k = 0; k < judged.best_count; k++)
        assert_true(judged.best[k].value >= -1000 && judged.best[k].value <= 1000);
    close_game(&f);
    f = open_game("domineering", NULL, NULL);
    assert_true(ask(&f, "mcts:iterations=300,heuristic=mobility,judge=0", &played));
    assert_true(ask(&f, "mcts:iterations=300,heuristic=mobility", &usual));
    assert_int_equal(usual.nodes, played.nodes);
    Player *p = make_player(f.game, "mcts:heuristic=mobility,judge=1");
    assert_non_null(strstr(player_why(p), "mobility"));
    player_free(p);
    close_game(&f);
    // What is proven holds with it, too.
    f = open_game("domineering", "rows=4 columns=3", NULL);
    assert_true(ask(&f, "mcts:iterations=1M,heuristic=mobility,judge=1,threads=2", &judged));
    assert_true(judged.exact && sign(judged.value) == 1);
    close_game(&f);
}

// All moves as first, by the moves of random games: each one that counts leaves one tally for each
// of its moves in the table of the root.
static void test_moves_as_first(void **unused) {
    (void)unused;
    Fixture f = open_game("domineering", "rows=5 columns=5", NULL);
    Player *p = make_player(f.game, "mcts:iterations=2000,heuristic=none,rave=50");
    Mcts *m = p->own;
    assert_true(m->by_moves);
    SearchResult r;
    assert_true(ask_player(&f, p, &r));
    int64_t sum = 0;
    for (int i = 0; i < m->effects; i++)
        sum += atomic_load(&m->tallies[i].visits);
    int64_t games = 2000 - 400;                       // a table begins after 400 visits
    assert_true(sum > games * 6 && sum < games * 12); // of 25 cells, 12 pieces at most
    // The root's moves have tallies of their own player.
    MctsNode *root = mcts_node(m, m->root);
    uint16_t effect = mcts_move_effect(m, mcts_move(m, root, 0), root->player);
    assert_int_equal(mcts_edges(root)[0].effect, effect);
    assert_true(atomic_load(&m->tallies[effect].visits) > 0);
    assert_true(effect != mcts_move_effect(m, mcts_move(m, root, 0), 1 - root->player));
    player_free(p);
    close_game(&f);
}

// --- memory ---

static void test_memory(void **unused) {
    (void)unused;
    Fixture f = open_game("reversi", NULL, NULL);
    Player *p = make_player(f.game, "mcts:iterations=5000,memory=1,expand=1");
    Mcts *m = p->own;
    assert_true((size_t)m->units * MCTS_UNIT <= (size_t)1 << 20);
    SearchResult r;
    assert_true(ask_player(&f, p, &r));
    assert_int_equal(visits_of(&r), 5000);
    assert_true(atomic_load(&m->used) <= m->units);
    // A stricter limit of the task
    SearchTask task = {.record = f.record, .seed = 1, .limits = {.memory = 1 << 18}};
    assert_true(player_search(p, &task, &r));
    assert_true((size_t)m->limit * MCTS_UNIT <= 1 << 18);
    assert_true(atomic_load(&m->used) <= m->limit);
    player_free(p);
    close_game(&f);
}

static void test_tree_is_kept(void **unused) {
    (void)unused;
    Fixture f = open_game("reversi", NULL, NULL);
    Player *p = make_player(f.game, "mcts:iterations=3000");
    SearchResult r;
    for (int i = 0; i < 4; i++) {
        assert_true(ask_player(&f, p, &r));
        assert_true(i == 0 ? visits_of(&r) == 3000 : visits_of(&r) > 3000);
        assert_true(record_play(f.record, r.move));
    }
    record_undo(f.record); // back: nothing is known there any more
    record_undo(f.record);
    assert_true(ask_player(&f, p, &r));
    assert_int_equal(visits_of(&r), 3000);
    player_free(p);
    p = make_player(f.game, "mcts:iterations=3000,reuse=0");
    for (int i = 0; i < 2; i++) {
        assert_true(ask_player(&f, p, &r));
        assert_int_equal(visits_of(&r), 3000);
    }
    player_free(p);
    close_game(&f);
}

// The thread sanitizer makes this test take a quarter of an hour; races show in a few searches.
#define MANY_MOVES (SANITIZED_THREAD ? 6 : 60)

// Whole games of one player, with a block that is always too small: what moves in memory is right.
static void test_many_searches(void **unused) {
    (void)unused;
    static const char *const games[] = {"mill", "byte", "english-draughts", "connect-four"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Fixture f = open_game(games[i], NULL, NULL);
        Player *p = make_player(f.game, "mcts:iterations=400,memory=1,expand=1,cut=60,threads=2");
        for (int k = 0; k < MANY_MOVES && !record_result(f.record); k++) {
            SearchResult r;
            assert_true(ask_player(&f, p, &r));
            assert_true(runner_is_legal(f.runner, record_now(f.record), r.move));
            assert_true(record_play(f.record, r.move));
        }
        player_free(p);
        close_game(&f);
    }
}

static void test_out_of_memory(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    for (long n = 1; n < 30; n++) {
        Text why = {0};
        mem_fail_at(n);
        Player *p = player_new(f.game, "mcts:iterations=50,threads=2,heuristic=none", &why);
        SearchResult r;
        if (p)
            ask_player(&f, p, &r);
        mem_fail_at(0);
        if (p)
            assert_true(runner_is_legal(f.runner, record_now(f.record), r.move) || !r.found);
        player_free(p);
        text_free(&why);
    }
    close_game(&f);
}

// --- time ---

static void test_time(void **unused) {
    (void)unused;
    static const char *const games[] = {"mill", "domineering", "chess"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Fixture f = open_game(games[i], NULL, NULL);
        Player *p = make_player(f.game, "mcts:time=50ms,heuristic=none,threads=2");
        SearchResult r;
        double begin = clock_now(), spent = clock_spent();
        assert_true(ask_player(&f, p, &r));
        assert_true(clock_now() - begin > 0.04);
        assert_true(clock_spent() - spent < 1); // of two threads, sanitized
        player_free(p);
        close_game(&f);
    }
}

static void *raise_flag(void *flag) {
    nanosleep(&(struct timespec){0, 30000000}, NULL);
    atomic_store((atomic_bool *)flag, true);
    return NULL;
}

static void test_stop(void **unused) {
    (void)unused;
    Fixture f = open_game("mill", NULL, NULL);
    Player *p = make_player(f.game, "mcts:time=1m,heuristic=none,threads=2");
    atomic_bool stop = false;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, raise_flag, &stop), 0);
    SearchTask task = {.record = f.record, .stop = &stop};
    SearchResult r;
    double begin = clock_spent();
    assert_true(player_search(p, &task, &r));
    assert_true(clock_spent() - begin < 2);
    assert_true(r.playouts > 0);
    pthread_join(thread, NULL);
    player_free(p);
    close_game(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tic_tac_toe_is_drawn),
        cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_agrees_with_minimax),
        cmocka_unit_test(test_decisive_moves),
        cmocka_unit_test(test_puzzle),
        cmocka_unit_test(test_visits_add_up),
        cmocka_unit_test(test_same_seed_same_answer),
        cmocka_unit_test(test_look),
        cmocka_unit_test(test_judging),
        cmocka_unit_test(test_moves_as_first),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_tree_is_kept),
        cmocka_unit_test(test_many_searches),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
