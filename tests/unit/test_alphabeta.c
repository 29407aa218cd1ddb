// Tests of the strong alpha-beta: values against minimax, distances of wins, threads, limits,
// memory; and of its parts: the table, canonical keys, forcing moves.
#include "sanitized.h"
#include "search_fixture.h"

#include "game/movetext.h"
#include "game/statetext.h"
#include "search/alphabeta.h"

#include <pthread.h>
#include <stdio.h>

static SearchResult ask(const Fixture *f, Player *p, int depth) {
    SearchTask task = {.record = f->record, .seed = 1, .limits = {.depth = depth}};
    SearchResult result;
    assert_true(player_search(p, &task, &result));
    assert_true(runner_is_legal(f->runner, record_now(f->record), result.move));
    return result;
}

static void set_state(Fixture *f, const char *text) {
    uint8_t *state = mem_alloc((size_t)game_state_size(f->game));
    Text why = {0};
    if (!state_read(f->game, text, state, &why))
        fail_msg("%s", text_c(&why));
    text_free(&why);
    record_free(f->record);
    f->record = record_new(f->runner, state);
    assert_non_null(f->record);
    mem_free(state);
}

// A new game that begins with the position after some random moves and is not over.
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
    Record *fresh = record_new(f->runner, record_now(f->record));
    assert_non_null(fresh);
    record_free(f->record);
    f->record = fresh;
}

// --- the table ---

static void test_table(void **unused) {
    (void)unused;
    TTable t = {0};
    assert_true(ttable_begin(&t, 4 << 20));
    assert_int_equal((uintptr_t)t.bucket % 64, 0);
    static const TableEntry entries[] = {
        {.value = VALUE_WIN, .depth = 0, .bound = TTABLE_EXACT, .final = true, .move = 1},
        {.value = -VALUE_WIN, .depth = TTABLE_DEPTH_MOST, .bound = TTABLE_LEAST, .move = 0xffffff},
        {.value = -1, .depth = 7, .bound = TTABLE_MOST, .move = 0x123456},
        {.value = 0, .depth = 1, .bound = TTABLE_MOST},
    };
    uint64_t mix = 7;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        uint64_t key = rng_splitmix(&mix);
        TableEntry found;
        assert_false(ttable_find(&t, key, &found));
        ttable_store(&t, key, &entries[i]);
        assert_true(ttable_find(&t, key, &found));
        assert_int_equal(found.value, entries[i].value);
        assert_int_equal(found.depth, entries[i].depth);
        assert_int_equal(found.bound, entries[i].bound);
        assert_int_equal(found.final, entries[i].final);
        assert_int_equal(found.move, entries[i].move);
    }
    ttable_end(&t);
}

// A bucket is full: shallow entries go first, and those of earlier searches before them.
static void test_replacement(void **unused) {
    (void)unused;
    TTable t = {0};
    TableEntry found, e = {.value = 5, .bound = TTABLE_EXACT, .move = 9};
    assert_true(ttable_begin(&t, 64));
    assert_int_equal(t.mask, 0);
    for (int i = 1; i <= 4; i++) {
        e.depth = 10 * i;
        ttable_store(&t, (uint64_t)i << 32, &e);
    }
    e.depth = 1;
    ttable_store(&t, (uint64_t)5 << 32, &e);
    assert_false(ttable_find(&t, (uint64_t)1 << 32, &found));
    assert_true(ttable_find(&t, (uint64_t)4 << 32, &found));
    for (int i = 0; i < 20; i++)
        ttable_new_search(&t);
    for (int i = 6; i <= 9; i++)
        ttable_store(&t, (uint64_t)i << 32, &e);
    assert_false(ttable_find(&t, (uint64_t)4 << 32, &found));
    ttable_end(&t);
}

// --- canonical keys ---

// Mirror images of random positions of the mill have one key, neighbours another.
static void test_canonical(void **unused) {
    (void)unused;
    Fixture f = open_game("connect-four", "width=7 height=6", NULL);
    Canonical *c = canonical_new(f.game);
    assert_non_null(c);
    static const char *const pairs[][2] = {
        {"7/7/7/7/7/Y6 r", "7/7/7/7/7/6Y r"},
        {"7/7/7/7/2R4/2Y1Y2 r", "7/7/7/7/4R2/2Y1Y2 r"},
    };
    uint64_t hash[2][2];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            set_state(&f, pairs[i][k]);
            hash[i][k] = canonical_hash(c, record_now(f.record));
        }
    assert_true(hash[0][0] == hash[0][1]);
    assert_true(hash[1][0] == hash[1][1]);
    assert_true(hash[0][0] != hash[1][0]);
    canonical_free(c);
    close_game(&f);
    f = open_game("domineering", "", NULL);
    assert_null(canonical_new(f.game)); // declares none
    close_game(&f);
}

// --- forcing moves ---

static void test_forcing(void **unused) {
    (void)unused;
    static const struct {
        const char *game;
        bool pieces, compulsory, exchanges;
        int fields;
    } expected[] = {
        {"mill", true, false, false, 0},        {"chess", true, false, true, 0},
        {"reversi", false, false, false, 0},    {"connect-four", false, false, false, 0},
        {"breakthrough", true, false, true, 0}, {"english-draughts", true, true, false, 0},
        {"byte", false, false, false, 1},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        Fixture f = open_game(expected[i].game, "", NULL);
        Forcing forcing;
        assert_true(forcing_begin(&forcing, f.game, f.runner));
        if (forcing.pieces != expected[i].pieces || forcing.compulsory != expected[i].compulsory ||
            forcing.exchanges != expected[i].exchanges || forcing.fields != expected[i].fields)
            fail_msg("%s: pieces %d, compulsory %d, exchanges %d, fields %d", expected[i].game,
                     forcing.pieces, forcing.compulsory, forcing.exchanges, forcing.fields);
        close_game(&f);
    }
}

// A move is forcing where the others have fewer pieces after it, whatever else it changes.
static void test_forcing_moves(void **unused) {
    (void)unused;
    Fixture f = open_game("mill", "", NULL);
    const IrGame *ir = f.game->ir;
    Forcing forcing = {.game = f.game, .pieces = true};
    uint64_t before[IR_MAX_STATE / 8] = {0}, after[IR_MAX_STATE / 8];
    uint8_t *a = (uint8_t *)before, *b = (uint8_t *)after;
    memcpy(a, f.game->start, (size_t)game_state_size(f.game));
    int player = game_player(f.game, a), others = ir->plane[0].owner == player ? 1 : 0;
    a[ir->plane[others].offset] = 7;
    a[ir->plane[1 - others].offset] = 8;
    memcpy(b, a, (size_t)game_state_size(f.game));
    assert_false(forcing_is(&forcing, a, b));
    b[ir->plane[1 - others].offset] = 0; // one's own piece
    assert_false(forcing_is(&forcing, a, b));
    b[ir->plane[others].offset] = 0x16; // moved
    assert_false(forcing_is(&forcing, a, b));
    b[ir->plane[others].offset] = 0x12;
    assert_true(forcing_is(&forcing, a, b));
    b[ir->plane[others].offset] = 0xff;
    assert_false(forcing_is(&forcing, a, b));
    close_game(&f);
}

// --- values ---

static const char three_players[] = "game \"Three\"\n"
                                    "players A, B, C\n"
                                    "board square 3 x 3\n"
                                    "    lines of 3\n"
                                    "piece disc of A, B, C\n"
                                    "turn\n"
                                    "    choose at in empty\n"
                                    "    place disc at at\n"
                                    "end\n"
                                    "    me wins when some l in lines : l within mine\n"
                                    "    draw when no empty\n";

static void compare(Fixture *f, const char *title, int depth, int positions, int plies,
                    const char *heuristic) {
    Rng rng;
    rng_seed(&rng, 4);
    char text[100];
    snprintf(text, sizeof text, "minimax:heuristic=%s", heuristic);
    Player *minimax = make_player(f->game, text);
    snprintf(text, sizeof text, "alphabeta:threads=1,memory=4,heuristic=%s", heuristic);
    Player *strong = make_player(f->game, text);
    alphabeta_be_plain(strong, true);
    for (int i = 0; i < positions; i++) {
        wander(f, &rng, (int)rng_below(&rng, (uint64_t)plies));
        SearchResult a = ask(f, minimax, depth), b = ask(f, strong, depth);
        // One may end early with a win that the other finds again at the full depth.
        if (a.value != b.value)
            fail_msg("%s, position %d: minimax %d, alpha-beta %d", title, i, a.value, b.value);
    }
    player_free(minimax);
    player_free(strong);
}

static void test_plain_is_minimax(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *params, *heuristic;
        int depth, positions, plies;
    } games[] = {
        {"tic-tac-toe", "", "mobility", 4, 20, 6},
        {"connect-four", "width=5 height=4", "mobility", 5, 10, 14},
        {"mill", "", "material", 3, 8, 60},
        {"reversi", "size=6", "mobility", 4, 10, 30},
        {"english-draughts", "", "material", 4, 10, 50},
        {"alquerque", "", "material", 4, 10, 40},
        {"breakthrough", "", "material", 3, 6, 40},
        {"skirmish", "", "mobility", 4, 10, 60},
        {"byte", "", "mobility", 3, 5, 30},
        {"dots-and-boxes", "", "mobility", 3, 5, 40},
        {"nim", "", "none", 4, 5, 4},
        {"fox-and-hounds", "", "mobility", 5, 8, 12},
    };
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Fixture f = open_game(games[i].game, games[i].params, NULL);
        compare(&f, games[i].game, games[i].depth, games[i].positions, games[i].plies,
                games[i].heuristic);
        close_game(&f);
    }
    Fixture f = compile_game(three_players);
    compare(&f, "three players", 4, 10, 5, "mobility");
    close_game(&f);
}

// Wins and losses of the full search, with its reductions, take exactly as long as minimax says.
static void test_distances(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *params;
        int depth, positions, plies;
    } games[] = {
        {"connect-four", "width=4 height=4 length=3", 7, 20, 6},
        {"tic-tac-toe", "", 9, 20, 5},
        {"domineering", "rows=4 columns=4", 8, 10, 4},
        {"three-mens-morris", "", 5, 15, 10},
        {"fox-and-hounds", "", 6, 10, 25},
        {"breakthrough", "", 3, 10, 60},
    };
    int proven = 0;
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Fixture f = open_game(games[i].game, games[i].params, NULL);
        Player *minimax = make_player(f.game, "minimax:heuristic=none");
        Player *strong = make_player(f.game, "alphabeta:threads=1,memory=4,heuristic=none");
        Rng rng;
        rng_seed(&rng, 11);
        for (int k = 0; k < games[i].positions; k++) {
            wander(&f, &rng, (int)rng_below(&rng, (uint64_t)games[i].plies));
            SearchResult a = ask(&f, minimax, games[i].depth);
            SearchResult b = ask(&f, strong, games[i].depth);
            if (value_is_proven(a.value) ? a.value != b.value : b.exact && a.exact && b.value != 0)
                fail_msg("%s, position %d: minimax %d, alpha-beta %d", games[i].game, k, a.value,
                         b.value);
            proven += value_is_proven(a.value);
        }
        player_free(minimax);
        player_free(strong);
        close_game(&f);
    }
    assert_true(proven > 20);
}

static void test_known_values(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *params;
        int value; // of the first player; 2: any loss or win counts, by its sign
    } games[] = {
        {"tic-tac-toe", "", 0},
        {"connect-four", "width=4 height=4", 0},
        {"domineering", "rows=4 columns=4", 1},
        {"domineering", "rows=5 columns=5", -1},
        {"domineering", "rows=2 columns=4", -1},
    };
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        for (int threads = 1; threads <= 2; threads++) {
            Fixture f = open_game(games[i].game, games[i].params, NULL);
            Player *p = make_player(f.game, threads == 1 ? "alphabeta:time=60s,threads=1"
                                                         : "alphabeta:time=60s,threads=2");
            SearchResult r = ask(&f, p, 0);
            assert_true(r.exact);
            int sign = r.value > 0 ? 1 : r.value < 0 ? -1 : 0;
            if (sign != games[i].value)
                fail_msg("%s %s: %d", games[i].game, games[i].params, r.value);
            player_free(p);
            close_game(&f);
        }
}

static void test_puzzles(void **unused) {
    (void)unused;
    Fixture f = open_game("frogs", "", NULL);
    Player *p = make_player(f.game, "alphabeta:threads=1,time=100s");
    SearchResult r = ask(&f, p, 0);
    assert_int_equal(r.value, VALUE_WIN - 15);
    assert_int_equal(r.line_length, 15);
    for (int i = 0; i < 15; i++) { // searching anew for every move comes to the goal as fast
        r = ask(&f, p, 0);
        assert_int_equal(r.value, VALUE_WIN - (15 - i));
        assert_true(record_play(f.record, r.move));
    }
    assert_int_equal(record_result(f.record), RESULT_OVER | 1);
    player_free(p);
    close_game(&f);
}

// --- lines ---

// The line is legal, and the best moves are different legal ones, best first.
static void test_lines(void **unused) {
    (void)unused;
    static const char *const games[] = {"mill", "reversi", "breakthrough", "skirmish"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Fixture f = open_game(games[i], "", NULL);
        Player *p = make_player(f.game, "alphabeta:threads=2,heuristic=mobility");
        SearchResult r = ask(&f, p, 4);
        assert_true(r.line_length >= 2 && move_equal(r.line[0], r.move));
        assert_true(r.best_count > 1 && move_equal(r.best[0].move, r.move));
        assert_int_equal(r.best[0].value, r.value);
        for (int k = 0; k < r.best_count; k++) {
            assert_true(runner_is_legal(f.runner, record_now(f.record), r.best[k].move));
            for (int j = 0; j < k; j++)
                assert_false(move_equal(r.best[k].move, r.best[j].move));
        }
        for (int k = 0; k < r.line_length; k++) {
            assert_true(runner_is_legal(f.runner, record_now(f.record), r.line[k]));
            assert_true(record_play(f.record, r.line[k]));
        }
        player_free(p);
        close_game(&f);
    }
}

// The same limits, the same answer; and no more nodes than allowed.
static void test_same_answer(void **unused) {
    (void)unused;
    Fixture f = open_game("mill", "", NULL);
    SearchResult r[2];
    for (int i = 0; i < 2; i++) {
        Player *p = make_player(f.game, "alphabeta:threads=1,nodes=20k,heuristic=material");
        SearchTask task = {.record = f.record, .seed = 3};
        assert_true(player_search(p, &task, &r[i]));
        player_free(p);
    }
    assert_true(move_equal(r[0].move, r[1].move));
    assert_int_equal(r[0].value, r[1].value);
    assert_int_equal(r[0].nodes, r[1].nodes);
    assert_true(r[0].nodes <= 20001);
    close_game(&f);
}

// --- stopping ---

typedef struct Stopper {
    atomic_bool stop;
    double at;
} Stopper;

static void *stop_soon(void *with) {
    Stopper *s = with;
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    atomic_store(&s->stop, true);
    s->at = clock_spent();
    return NULL;
}

static void test_stop(void **unused) {
    (void)unused;
    static const char *const games[] = {"mill", "chess", "amazons"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Fixture f = open_game(games[i], "", NULL);
        Player *p = make_player(f.game, "alphabeta:threads=2,heuristic=mobility");
        Stopper s = {0};
        SearchTask task = {.record = f.record, .stop = &s.stop, .limits = {.seconds = 60}};
        SearchResult r;
        pthread_t id;
        assert_int_equal(pthread_create(&id, NULL, stop_soon, &s), 0);
        assert_true(player_search(p, &task, &r));
        double end = clock_spent();
        pthread_join(id, NULL);
        double late = end - s.at;
        if (late > 0.5) // 20 ms are promised, for two threads 40; sanitized it may be more
            fail_msg("%s: stopped %.0f ms late", games[i], 1000 * late);
        player_free(p);
        close_game(&f);
    }
}

// --- memory ---

// In pages; sanitizers keep freed memory, so they see nothing here.
static long resident(void) {
    if (SANITIZED_ADDRESS || SANITIZED_THREAD)
        return 0;
    long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%ld %ld", &size, &pages) != 2)
        pages = 0;
    fclose(file);
    return pages;
}

static void test_many_searches(void **unused) {
    (void)unused;
    Fixture f = open_game("mill", "", NULL);
    Player *p = make_player(f.game, "alphabeta:threads=2,memory=1,nodes=300,heuristic=material");
    Rng rng;
    rng_seed(&rng, 5);
    long before = 0;
    for (int i = 0; i < 1000; i++) {
        SearchTask task = {.record = f.record};
        SearchResult r;
        if (!player_search(p, &task, &r) || !record_play(f.record, r.move) ||
            record_result(f.record))
            record_restart(f.record);
        if (i == 200)
            before = resident();
    }
    long after = resident();
    assert_true(after <= before + 512); // 2 MB
    player_free(p);
    close_game(&f);
}

static void test_out_of_memory(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", "", NULL);
    bool made = false;
    for (long n = 1; n < 1000 && !made; n++) {
        Text why = {0};
        mem_fail_at(n);
        Player *p = player_new(f.game, "alphabeta:threads=2,memory=1,heuristic=mobility", &why);
        mem_fail_at(0);
        made = p && n > 20;
        player_free(p);
        text_free(&why);
    }
    assert_true(made);
    close_game(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),         cmocka_unit_test(test_replacement),
        cmocka_unit_test(test_canonical),     cmocka_unit_test(test_forcing),
        cmocka_unit_test(test_forcing_moves), cmocka_unit_test(test_plain_is_minimax),
        cmocka_unit_test(test_distances),     cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_puzzles),       cmocka_unit_test(test_lines),
        cmocka_unit_test(test_same_answer),   cmocka_unit_test(test_stop),
        cmocka_unit_test(test_many_searches), cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
