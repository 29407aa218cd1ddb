// Tests of what `auto` is made of: mirrors, the learned evaluation and how it is kept, levels, the
// clock for a whole game, and which player is picked.
#include "search_fixture.h"

#include <pthread.h>
#include <time.h>

#include "game/kept.h"
#include "game/movetext.h"
#include "game/statetext.h"
#include "search/evaluate.h"
#include "search/learned.h"
#include "search/levels.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// A cache folder of the test's own, empty.
static char folder[] = "/tmp/ludens-test-XXXXXX";

static int use_folder(void **unused) {
    (void)unused;
    if (!mkdtemp(folder))
        return -1;
    return setenv("XDG_CACHE_HOME", folder, 1);
}

static int drop_folder(void **unused) {
    (void)unused;
    char path[600];
    snprintf(path, sizeof path, "%s/ludens", folder);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));)
        unlinkat(dirfd(d), e->d_name, 0);
    if (d)
        closedir(d);
    rmdir(path);
    rmdir(folder);
    return 0;
}

// --- mirrors ---

static void test_mirrors(void **unused) {
    (void)unused;
    static const struct {
        const char *game;
        int mirrors; // of the drawn board
        bool shared; // both players are alike
        int orbits;
    } known[] = {{"tic-tac-toe", 8, true, 3},    {"connect-four", 4, true, 24},
                 {"breakthrough", 8, true, 32},  {"domineering", 8, true, 16},
                 {"reversi", 8, true, 10},       {"mill", 8, true, 6},
                 {"fox-and-hounds", 4, false, 0}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        Fixture f = open_game(known[i].game, NULL, NULL);
        Mirror list[MIRROR_MOST];
        LearnedFrame frame;
        assert_int_equal(mirror_list(f.game->ir->board, list), known[i].mirrors);
        for (int c = 0; c < f.game->ir->board->cells; c++)
            assert_int_equal(list[0].cell[c], c);
        assert_true(learned_frame(f.game, f.runner, &frame));
        assert_int_equal(frame.shared, known[i].shared);
        if (known[i].orbits)
            assert_int_equal(frame.count, known[i].orbits);
        close_game(&f);
    }
}

// Twice in the same mirror is the same state again.
static void test_mirror_twice(void **unused) {
    (void)unused;
    static const char *const names[] = {"mill", "byte", "skirmish", "chess", "reversi"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        Fixture f = open_game(names[i], NULL, NULL);
        size_t size = (size_t)game_state_size(f.game);
        uint8_t *s = mem_alloc(size), *once = mem_alloc(size), *twice = mem_alloc(size);
        memcpy(s, f.game->start, size);
        Rng rng;
        rng_seed(&rng, 3);
        runner_playout(f.runner, s, &rng, 9);
        Mirror list[MIRROR_MOST];
        assert_true(mirror_list(f.game->ir->board, list) >= 2);
        list[1].exchange = true; // a flip
        assert_true(mirror_state(f.game, &list[1], s, once));
        assert_true(mirror_state(f.game, &list[1], once, twice));
        assert_int_not_equal(game_player(f.game, s), game_player(f.game, once));
        assert_memory_equal(s, twice, size);
        mem_free(s);
        mem_free(once);
        mem_free(twice);
        close_game(&f);
    }
}

// --- fitting ---

static void test_fit(void **unused) {
    (void)unused;
    FitRows f = {.columns = 3};
    Rng rng;
    rng_seed(&rng, 1);
    const double true_weight[3] = {1.5, -0.5, 0};
    for (int i = 0; i < 4000; i++) {
        double x[3], sum = 0;
        for (int j = 0; j < 3; j++) {
            x[j] = (double)(rng_next(&rng) >> 11) * 0x1p-52 - 1;
            sum += x[j] * true_weight[j];
        }
        assert_true(fit_begin_row(&f, 1 / (1 + exp(-sum)), 1, 0));
        for (int j = 0; j < 3; j++)
            assert_true(fit_add(&f, j, x[j]));
    }
    double ridge[3] = {1e-6, 1e-6, 1e-6}, w[3] = {0};
    double loss = fit_logistic(&f, ridge, w);
    for (int j = 0; j < 3; j++)
        assert_true(fabs(w[j] - true_weight[j]) < 1e-3);
    assert_true(fabs(loss - fit_least(&f)) < 1e-6);
    ridge[0] = 1e12; // a strong pull keeps a weight at 0
    fit_logistic(&f, ridge, w);
    assert_true(fabs(w[0]) < 1e-6);
    fit_free(&f);
}

// --- keeping ---

static void test_kept(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", NULL, NULL), g = open_game("nim", NULL, NULL);
    char data[40] = "what was worked out", back[40] = {0};
    assert_false(kept_read(f.game, "test", 1, back, sizeof back));
    assert_true(kept_write(f.game, "test", 1, data, sizeof data));
    assert_true(kept_read(f.game, "test", 1, back, sizeof back));
    assert_memory_equal(data, back, sizeof data);
    // Another version, another game, another size: nothing.
    assert_false(kept_read(f.game, "test", 2, back, sizeof back));
    assert_false(kept_read(g.game, "test", 1, back, sizeof back));
    assert_false(kept_read(f.game, "test", 1, back, sizeof back - 1));
    close_game(&f);
    close_game(&g);
}

// Changes a byte in every entry of the cache, or cuts it short.
static int damage(bool cut) {
    char path[600];
    int n = 0;
    snprintf(path, sizeof path, "%s/ludens", folder);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        char name[900];
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        FILE *file = e->d_name[0] == '.' ? NULL : fopen(name, "r+b");
        if (!file)
            continue;
        n++;
        if (cut)
            assert_int_equal(ftruncate(fileno(file), 30), 0);
        else
            fputc(0x55, file);
        fclose(file);
    }
    if (d)
        closedir(d);
    return n;
}

static void test_learned_is_kept(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", NULL, "XX1/OO1/3 c");
    Value first = 0;
    for (int i = 0; i < 4; i++) { // learnt, read, damaged and learnt again, cut and learnt again
        if (i >= 2)
            assert_true(damage(i == 3) > 0);
        Text why = {0};
        Evaluation *e = evaluation_new(f.game, "learned", &why);
        if (!e)
            fail_msg("%s", text_c(&why));
        Value v = evaluation_value(e, f.runner, record_now(f.record));
        first = i == 0 ? v : first;
        assert_int_equal(v, first);
        assert_int_equal(evaluation_for(e, f.runner, record_now(f.record), 0),
                         -evaluation_for(e, f.runner, record_now(f.record), 1));
        evaluation_free(e);
        text_free(&why);
    }
    close_game(&f);
}

// Who is told to stop while learning does without, at once, and keeps nothing that is half learnt.
static void test_learning_stops(void **unused) {
    (void)unused;
    Fixture f = open_game("chess", NULL, NULL);
    atomic_bool stop = true;
    Text why = {0};
    assert_null(evaluation_stoppable(f.game, "learned", NULL, &stop, &why));
    assert_string_equal(text_c(&why), "heuristic `learned`: nothing was learnt: it was stopped");
    text_clear(&why);
    Evaluation *e = evaluation_stoppable(f.game, NULL, NULL, &stop, &why);
    assert_non_null(e);
    assert_string_equal(evaluation_name(e), "mobility"); // the one that needs no look at the game
    evaluation_free(e);
    static const char *const who[] = {"alphabeta", "mcts", "auto", "level=easy"};
    for (size_t i = 0; i < sizeof who / sizeof who[0]; i++) {
        Player *p = player_stoppable(f.game, who[i], NULL, &stop, &why);
        if (!p)
            fail_msg("%s: %s", who[i], text_c(&why));
        SearchTask task = {.record = f.record, .stop = &stop};
        SearchResult result;
        assert_true(player_search(p, &task, &result));
        assert_true(result.nodes < 1000000);
        if (strcmp(who[i], "auto") == 0) // it tells nothing about a game that it did not look at
            assert_non_null(strstr(text_c(&p->why), "stopped before it had looked at the game"));
        player_free(p);
    }
    text_free(&why);
    close_game(&f);
}

// What is learnt makes sense: more men in the mill, a disc in the corner, a man about to arrive.
static void test_learned_sense(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *good;
    } known[] = {
        {"mill", "W1W/1WB/1W1/1B4/3/3/3 w hand=0,0"},
        {"reversi", "B7/1W6/8/3WB3/3BW3/8/8/8 w"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        Fixture f = open_game(known[i].game, NULL, known[i].good);
        Evaluation *e = evaluation_new(f.game, "learned", &(Text){0});
        assert_non_null(e);
        assert_true(evaluation_for(e, f.runner, record_now(f.record), 0) > 0);
        evaluation_free(e);
        close_game(&f);
    }
    Fixture f = open_game("frogs", NULL, NULL);
    Text why = {0};
    assert_null(evaluation_new(f.game, "learned", &why));
    assert_string_equal(text_c(&why),
                        "heuristic `learned`: not available for this game: it has one player");
    text_free(&why);
    close_game(&f);
}

// Minimax without cuts, on a state of the learner's evaluation.
static Value full_value(const Learned *l, Runner *r, const uint8_t *state, int me, int depth) {
    const Move *found;
    int n = runner_moves(r, state, &found), result = runner_result(r, state);
    if (result)
        return result >> me & 1 ? VALUE_SURE : result & 3 ? -VALUE_SURE : 0;
    if (depth == 0)
        return learned_value(l, r, state, me);
    Move moves[64];
    assert_in_range(n, 1, 40);
    memcpy(moves, found, sizeof *moves * (size_t)n);
    size_t size = (size_t)game_state_size(l->game);
    uint8_t *next = mem_alloc(size);
    Value best = 0;
    bool mine = game_player(l->game, state) == me;
    for (int i = 0; i < n; i++) {
        assert_true(runner_apply(r, state, moves[i], next));
        Value v = full_value(l, r, next, me, depth - 1);
        best = i == 0 || (mine ? v > best : v < best) ? v : best;
    }
    mem_free(next);
    return best;
}

// The small search leaves out nothing that matters, and its moves win and defend.
static void test_learned_look(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *state, *move; // NULL: any
    } known[] = {{"tic-tac-toe", "XX1/OO1/3 c", "c3"},
                 {"tic-tac-toe", "XX1/1O1/3 n", "c3"},
                 {"connect-four", "7/7/7/7/7/RRR1YY1 y", "d1"},
                 {"connect-four", "7/7/7/7/7/RRR1YYY y", "d1"},
                 {"reversi", "B7/1W6/8/3WB3/3BW3/8/8/8 w", NULL}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        Fixture f = open_game(known[i].game, NULL, known[i].state);
        Evaluation *e = evaluation_new(f.game, "learned", &(Text){0});
        assert_non_null(e);
        const Learned *l = e->own;
        const uint8_t *s = record_now(f.record);
        LearnedLook look;
        assert_true(learned_look_begin(&look, l, f.runner));
        for (int depth = 0; depth < LEARNED_DEPTH; depth++)
            for (int me = 0; me < 2; me++)
                assert_int_equal(learned_look(&look, s, me, depth, -VALUE_WIN, VALUE_WIN),
                                 full_value(l, f.runner, s, me, depth));
        Move move;
        Value value;
        assert_true(learned_choose(&look, s, 2, &move, &value));
        Text text = {0};
        move_text(f.runner, s, move, &text);
        if (known[i].move)
            assert_string_equal(text_c(&text), known[i].move);
        assert_true(look.work > 0 && !look.failed);
        text_free(&text);
        learned_look_end(&look);
        evaluation_free(e);
        close_game(&f);
    }
}

// --- levels, clocks ---

static void test_texts(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    static const char *const good[][2] = {{"level=easy", "auto:level=3"},
                                          {"auto:level=10", "auto:level=10"},
                                          {"level=beginner", "auto:level=1"},
                                          {"minimax:clock=5m+3s", "minimax:clock=5m+3s"},
                                          {"minimax:clock=90s", "minimax:clock=90s"}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        Player *p = make_player(f.game, good[i][0]);
        assert_string_equal(player_text(p), good[i][1]);
        player_free(p);
    }
    static const char *const bad[] = {"level=0",         "level=11",          "level=strong-ish",
                                      "level=",          "minimax:level=3",   "minimax:clock=5",
                                      "random:clock=1m", "minimax:clock=5m+", "minimax:clock=+3s"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Text why = {0};
        assert_null(player_new(f.game, bad[i], &why));
        assert_true(why.n > 0);
        text_free(&why);
    }
    for (int i = 1; i <= LEVELS; i++)
        assert_int_equal(level_find(level_name(i)), i);
    close_game(&f);
}

// From `easy` on a win at once is taken, and a loss at once is stopped.
static void test_levels_see(void **unused) {
    (void)unused;
    static const struct {
        const char *state, *move;
    } known[] = {{"XX1/OO1/3 c", "c3"}, {"XX1/O2/3 n", "c3"}};
    for (size_t i = 0; i < 2; i++) {
        Fixture f = open_game("tic-tac-toe", NULL, known[i].state);
        for (int level = 3; level <= LEVELS; level++) {
            char text[32];
            snprintf(text, sizeof text, "level=%d", level);
            Player *p = make_player(f.game, text);
            for (uint64_t seed = 0; seed < 5; seed++) {
                SearchTask task = {.record = f.record, .seed = seed};
                SearchResult r;
                Text move = {0};
                assert_true(player_search(p, &task, &r));
                move_text(f.runner, record_now(f.record), r.move, &move);
                assert_string_equal(text_c(&move), known[i].move);
                text_free(&move);
            }
            player_free(p);
        }
        close_game(&f);
    }
}

// Limits that are given with a level hold, too.
static void test_level_limits(void **unused) {
    (void)unused;
    static const struct {
        const char *player;
        int depth, least, most; // positions
    } known[] = {
        {"level=hard", 5, 10000, 30000},          {"auto:level=hard,depth=2", 2, 100, 1000},
        {"auto:level=hard,depth=1", 1, 24, 24},   {"auto:level=hard,nodes=2000", 5, 1000, 2200},
        {"auto:level=hard,nodes=100", 1, 24, 24}, // not one reply of most moves: their values
        {"auto:level=hard,nodes=10", 1, 10, 13},
    };
    Fixture f = open_game("mill", NULL, NULL);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        Player *p = make_player(f.game, known[i].player);
        SearchTask task = {.record = f.record, .seed = 1};
        SearchResult r;
        assert_true(player_search(p, &task, &r));
        assert_int_equal(r.depth, known[i].depth);
        assert_in_range(r.nodes, known[i].least, known[i].most);
        player_free(p);
    }
    close_game(&f);
}

// A clock never runs out: the shares get smaller with what is left.
static void test_clock(void **unused) {
    (void)unused;
    Fixture f = open_game("mill", NULL, NULL);
    Player *p = make_player(f.game, "minimax:clock=10s+1s");
    double first = timing_begin(p, f.record);
    assert_true(first > 0.5 && first < 4);
    for (int i = 0; i < 200; i++) {
        double seconds = timing_begin(p, f.record);
        assert_true(seconds > 0 && seconds < p->timing.left);
        timing_end(p, seconds);
    }
    assert_true(p->timing.left > 0);
    player_free(p);
    p = make_player(f.game, "minimax:clock=1s");
    for (int i = 0; i < 500; i++) {
        double seconds = timing_begin(p, f.record);
        assert_true(seconds > 0 && (seconds < p->timing.left || p->timing.left < 0.05));
        timing_end(p, seconds);
    }
    player_free(p);
    close_game(&f);
}

// --- auto ---

static void test_picks(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *why;
    } known[] = {{"tic-tac-toe", "alphabeta: "},
                 {"connect-four", "alphabeta: "},
                 {"hex", "mcts: "},
                 {"gomoku", "alphabeta: "}, // lines: the heuristic knows more than random games
                 {"frogs", "a puzzle: "}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        Fixture f = open_game(known[i].game, NULL, NULL);
        Player *p = make_player(f.game, "auto:nodes=1000");
        if (strncmp(player_why(p), known[i].why, strlen(known[i].why)) != 0)
            fail_msg("%s: %s", known[i].game, player_why(p));
        SearchTask task = {.record = f.record};
        SearchResult r;
        assert_true(player_search(p, &task, &r));
        player_free(p);
        close_game(&f);
    }
}

// It plays on where it can, but a draw that nobody can avoid is one.
static void test_draw_is_told(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    Player *p = make_player(f.game, "auto:threads=1,nodes=1M");
    SearchTask task = {.record = f.record};
    SearchResult r;
    assert_true(player_search(p, &task, &r));
    assert_true(r.exact);
    assert_int_equal(r.value, 0);
    player_free(p);
    close_game(&f);
}

// Whoever is ahead goes to the others, though nothing is in sight there and they go to and fro.
static void test_approach(void **unused) {
    (void)unused;
    Fixture f = open_game("skirmish", "reds=2 blues=1 health=2", NULL);
    Player *p = make_player(f.game, "auto:nodes=100,threads=1");
    int result = 0, n = 0;
    for (; n < 400 && result == 0; n++) {
        const uint8_t *now = record_now(f.record);
        const Move *moves;
        SearchResult r = {0};
        SearchTask task = {.record = f.record};
        if (game_player(f.game, now) == 0) {
            assert_true(player_search(p, &task, &r));
        } else {
            int count = runner_moves(f.runner, now, &moves);
            assert_true(count > 0);
            r.move = moves[n / 3 % count];
        }
        assert_true(record_play(f.record, r.move));
        result = record_result(f.record);
    }
    assert_int_equal(result & 3, 1);
    player_free(p);
    close_game(&f);
}

static void *stop_soon(void *stop) {
    struct timespec t = {0, 300 * 1000 * 1000};
    nanosleep(&t, NULL);
    atomic_store((atomic_bool *)stop, true);
    return NULL;
}

// Who is stopped while it proves has looked for a move before.
static void test_stop_while_proving(void **unused) {
    (void)unused;
    Fixture f = open_game("domineering", NULL, NULL);
    Player *p = make_player(f.game, "auto:threads=1");
    atomic_bool stop = false;
    SearchTask task = {.record = f.record, .limits = {.seconds = 1000}, .stop = &stop};
    SearchResult result;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stop), 0);
    assert_true(player_search(p, &task, &result));
    pthread_join(thread, NULL);
    assert_true(result.depth > 0 && result.line_length > 1);
    player_free(p);
    close_game(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mirrors),
        cmocka_unit_test(test_mirror_twice),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_learned_is_kept),
        cmocka_unit_test(test_learning_stops),
        cmocka_unit_test(test_learned_sense),
        cmocka_unit_test(test_learned_look),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_levels_see),
        cmocka_unit_test(test_level_limits),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_picks),
        cmocka_unit_test(test_draw_is_told),
        cmocka_unit_test(test_approach),
        cmocka_unit_test(test_stop_while_proving),
    };
    return cmocka_run_group_tests(tests, use_folder, drop_folder);
}
