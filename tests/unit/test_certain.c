// Tests of what `auto` proves while it plays: whoever can win wins, whoever can draw does not lose,
// within the limits, and with any allocation failing.
#include "search_fixture.h"

#include "search/certain.h"
#include "search/prove.h"

#include <stdlib.h>

#define MEMORY ((size_t)8 << 20)

static CertainResult look(Fixture *f, Certain *c, Player *p, int64_t nodes) {
    CertainResult r;
    SearchTask task = {.record = f->record, .limits = {.nodes = nodes}};
    assert_true(certain_look(c, p, &task, &r));
    return r;
}

static int value_of(const Fixture *f, const uint8_t *state) {
    ProveResult r;
    Text why = {0};
    ProveTask task = {.game = f->game, .state = state, .memory = MEMORY, .way = PROVE_ALPHABETA};
    assert_true(prove_position(&task, &r, &why));
    assert_int_equal(r.low, r.high);
    text_free(&why);
    return r.low;
}

static void play_random(Fixture *f, Rng *rng) {
    Move move;
    assert_true(runner_random(f->runner, record_now(f->record), rng_next(rng), &move) > 0);
    assert_true(record_play(f->record, move));
}

// --- moves ---

static const struct {
    const char *game, *parameters;
    int value; // of the beginning, known from elsewhere
} games[] = {{"tic-tac-toe", NULL, PROVE_DRAWN},
             {"domineering", "rows=4 columns=4", PROVE_WON},
             {"domineering", "rows=5 columns=5", PROVE_LOST},
             {"connect-four", "width=4 height=4", PROVE_DRAWN}};
enum { GAMES = sizeof games / sizeof games[0] };

// All bounds against another prover, which plays by the rules themselves.
static void test_bounds(void **unused) {
    (void)unused;
    for (int g = 0; g < GAMES; g++) {
        Fixture f = open_game(games[g].game, games[g].parameters, NULL);
        Player *p = make_player(f.game, "alphabeta:threads=1");
        Certain *c = certain_new(f.game, f.runner, MEMORY);
        assert_non_null(c);
        Rng rng;
        rng_seed(&rng, 7);
        for (int n = 0; record_result(f.record) == 0; n++) {
            CertainResult r = look(&f, c, p, n % 2 ? 1000 : 1000000);
            uint64_t room[IR_MAX_STATE / 8];
            for (int i = 0; i < r.count; i++) {
                assert_true(
                    runner_apply(f.runner, record_now(f.record), r.move[i].move, (uint8_t *)room));
                int result = runner_result(f.runner, (uint8_t *)room);
                int value = result ? (result & ~RESULT_OVER) == 0 ? PROVE_DRAWN
                                     : result >> game_player(f.game, record_now(f.record)) & 1
                                         ? PROVE_WON
                                         : PROVE_LOST
                                   : -value_of(&f, (uint8_t *)room);
                assert_in_range(value + 1, r.move[i].low + 1, r.move[i].high + 1);
            }
            if (n == 0)
                assert_true(r.low == games[g].value && r.high == games[g].value);
            play_random(&f, &rng);
        }
        certain_free(c);
        player_free(p);
        close_game(&f);
    }
}

// `auto` keeps what the position is worth, whatever the other plays.
static void test_keeps_value(void **unused) {
    (void)unused;
    for (int g = 0; g < GAMES; g++)
        for (int me = 0; me < 2; me++) {
            Fixture f = open_game(games[g].game, games[g].parameters, NULL);
            Player *p = make_player(f.game, "auto:nodes=100k,threads=1");
            Rng rng;
            rng_seed(&rng, (uint64_t)(10 * g + me));
            int worth = me ? -games[g].value : games[g].value;
            while (record_result(f.record) == 0) {
                SearchResult r;
                SearchTask task = {.record = f.record};
                if (game_player(f.game, record_now(f.record)) == me) {
                    assert_true(player_search(p, &task, &r));
                    assert_true(r.exact);
                    int value = r.value > 0 ? PROVE_WON : r.value < 0 ? PROVE_LOST : PROVE_DRAWN;
                    assert_true(value >= worth); // the other one may have made a mistake
                    worth = value;
                    assert_true(record_play(f.record, r.move));
                } else {
                    play_random(&f, &rng);
                }
            }
            int winners = record_result(f.record) & 3;
            int end = winners == 0 ? PROVE_DRAWN : winners >> me & 1 ? PROVE_WON : PROVE_LOST;
            assert_int_equal(end, worth);
            player_free(p);
            close_game(&f);
        }
}

// Of moves that all lose, those are left that were hardest to refute; looking again does not change
// that.
static void test_lost(void **unused) {
    (void)unused;
    Fixture f = open_game("domineering", "rows=5 columns=5", NULL);
    Player *p = make_player(f.game, "alphabeta:threads=1");
    Certain *c = certain_new(f.game, f.runner, MEMORY);
    for (int again = 0; again < 2; again++) {
        CertainResult r = look(&f, c, p, 1000000);
        assert_int_equal(r.high, PROVE_LOST);
        int best = certain_best(&r);
        for (int i = 0; i < r.count; i++) {
            assert_true(r.move[i].cost <= r.move[best].cost);
            assert_int_equal(certain_is_worse(&r, i), r.move[i].cost + 1 < r.move[best].cost);
        }
    }
    certain_free(c);
    player_free(p);
    close_game(&f);
}

// --- limits ---

static void test_refused(void **unused) {
    (void)unused;
    static const char *const others[] = {"mill", "reversi", "hex", "frogs"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        Fixture f = open_game(others[i], NULL, NULL);
        assert_null(certain_new(f.game, f.runner, MEMORY));
        close_game(&f);
    }
}

static void test_stops(void **unused) {
    (void)unused;
    Fixture f = open_game("connect-four", NULL, NULL);
    Player *p = make_player(f.game, "alphabeta:threads=1");
    Certain *c = certain_new(f.game, f.runner, MEMORY);
    atomic_bool stop = true;
    CertainResult r;
    SearchTask task = {.record = f.record, .limits = {.seconds = 1000}, .stop = &stop};
    assert_true(certain_look(c, p, &task, &r));
    assert_true(r.nodes <= r.count + 1);
    assert_true(r.low == PROVE_LOST && r.high == PROVE_WON);
    atomic_store(&stop, false);
    task.limits = (Limits){.nodes = 5000};
    assert_true(certain_look(c, p, &task, &r));
    assert_true(r.nodes > 1000 && r.nodes <= 5000 + r.count);
    task.limits = (Limits){.depth = 3}; // nothing to take a part of
    assert_false(certain_look(c, p, &task, &r));
    certain_free(c);
    player_free(p);
    close_game(&f);
}

// Questions that have an end of their own do not put the end of the time off.
static void test_time(void **unused) {
    (void)unused;
    Fixture f = open_game("domineering", NULL, NULL);
    Player *p = make_player(f.game, "alphabeta:threads=1,heuristic=none");
    Certain *c = certain_new(f.game, f.runner, MEMORY);
    CertainResult r;
    SearchTask task = {.record = f.record, .limits = {.seconds = 0.2}};
    setenv("LUDENS_CLOCK", "cpu", 1); // others use the machine as well
    assert_true(certain_look(c, p, &task, &r));
    unsetenv("LUDENS_CLOCK");
    assert_true(r.seconds > 0 && r.seconds < 0.3);
    certain_free(c);
    player_free(p);
    close_game(&f);
}

static void test_memory(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    Player *p = make_player(f.game, "alphabeta:threads=1,heuristic=none");
    for (long n = 1;; n++) {
        CertainResult r;
        SearchTask task = {.record = f.record, .limits = {.nodes = 100000}};
        mem_fail_at(n);
        Certain *c = certain_new(f.game, f.runner, MEMORY);
        bool ok = c && certain_look(c, p, &task, &r);
        certain_free(c);
        long left = mem_fail_at(0);
        assert_true(!ok || (r.low == PROVE_DRAWN && r.high == PROVE_DRAWN));
        if (left > 0)
            break;
        assert_in_range(n, 1, 100);
    }
    player_free(p);
    close_game(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds), cmocka_unit_test(test_keeps_value),
        cmocka_unit_test(test_lost),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_stops),  cmocka_unit_test(test_time),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
