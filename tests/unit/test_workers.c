// Tests of src/match/referee.c, opening.c and workers.c: games are played, on any number of
// threads.
#include "contest_fixture.h"
#include "match/referee.h"

#include <stdlib.h>

static bool run(Run *r, int jobs, Text *why) {
    WorkersTask task = {.contest = r->c,
                        .games = r->games,
                        .schedule = r->schedule,
                        .jobs = jobs,
                        .stop = &r->stop,
                        .with = r,
                        .keep = keep,
                        .tell = tell};
    return workers_run(&task, why);
}

static void run_well(Run *r, int jobs) {
    Text why = {0};
    if (!run(r, jobs, &why))
        fail_msg("%s", text_c(&why));
    text_free(&why);
}

// --- workers ---

static void threads_do_not_matter(void **state) {
    (void)state;
    for (int kind = ROUND_ROBIN; kind <= SWISS; kind++) {
        Run one, other;
        begin(&one, (ContestKind)kind, two_games, four, 2);
        begin(&other, (ContestKind)kind, two_games, four, 2);
        run_well(&one, 1);
        run_well(&other, 5);
        assert_true(one.kept >= 12 && one.told > 0);
        assert_true(schedule_over(one.schedule) && schedule_over(other.schedule));
        assert_same_games(&one, &other);
        end(&one);
        end(&other);
    }
}

static void a_test_ends_at_the_same_game(void **state) {
    (void)state;
    Run one, other;
    begin(&one, MATCH, one_game, two, MOST);
    begin(&other, MATCH, one_game, two, MOST);
    one.c->sprt = other.c->sprt = (Sprt){true, 0, 100, 0.05, 0.05};
    run_well(&one, 1);
    run_well(&other, 4);
    assert_int_equal(schedule_verdict(one.schedule), SPRT_H0);
    assert_true(one.kept < MOST);
    assert_int_equal(one.kept, schedule_played(one.schedule));
    assert_same_games(&one, &other);
    end(&one);
    end(&other);
}

static void stopped_contests_go_on(void **state) {
    (void)state;
    Run whole, r;
    begin(&whole, MATCH, one_game, two, MOST);
    begin(&r, MATCH, one_game, two, MOST);
    run_well(&whole, 2);
    assert_int_equal(whole.kept, MOST);
    for (int runs = 0; !schedule_over(r.schedule); runs++) {
        assert_true(runs < MOST);
        r.stop_after = r.kept + 20;
        atomic_store(&r.stop, false);
        run_well(&r, 3);
        assert_int_equal(r.kept, schedule_played(r.schedule));
    }
    assert_same_games(&whole, &r);
    end(&whole);
    end(&r);
}

static void long_thinking_is_stopped(void **state) {
    (void)state;
    static const char *const slow[] = {"random", "mcts:time=1000s", NULL};
    Run r;
    begin(&r, MATCH, two_games + 1, slow, 10);
    atomic_store(&r.stop, true);
    run_well(&r, 2);
    assert_int_equal(r.kept, 0);
    end(&r);
}

static void full_disks_end_it(void **state) {
    (void)state;
    Run r;
    Text why = {0};
    begin(&r, MATCH, one_game, two, MOST);
    r.fail_after = 1;
    assert_false(run(&r, 2, &why));
    assert_string_equal(text_c(&why), "the disk is full");
    assert_int_equal(schedule_played(r.schedule), r.kept);
    text_free(&why);
    end(&r);
}

// --- the referee ---

static Played play_one(Run *r, int64_t number) {
    Pairing p;
    Text why = {0};
    Played played;
    Referee *referee = referee_new(r->c, r->games);
    do
        assert_int_equal(schedule_next(r->schedule, &p), NEXT_GAME);
    while (p.number < number);
    if (!referee_play(referee, &p, NULL, &played, &why))
        fail_msg("%s", text_c(&why));
    referee_free(referee);
    text_free(&why);
    return played;
}

static void records_replay(void **state) {
    (void)state;
    for (int number = 0; number < 20; number++) {
        Run r;
        begin(&r, MATCH, one_game, two, 20);
        Played p = play_one(&r, number);
        Fixture f = open_game("tic-tac-toe", NULL, NULL);
        Text why = {0};
        assert_true(record_load(f.record, text_c(&p.record), &why));
        assert_int_equal(record_length(f.record), p.moves);
        assert_int_equal(record_result(f.record), p.result);
        assert_int_equal(p.openings, 2);
        assert_true(p.ending == END_RULES && p.culprit == -1 && p.ended >= p.began);
        assert_true(!p.move[0].known && !p.move[1].known && p.move[2].known);
        text_free(&why);
        close_game(&f);
        played_free(&p);
        end(&r);
    }
}

static void long_games_are_drawn(void **state) {
    (void)state;
    Run r;
    begin(&r, MATCH, one_game, two, 2);
    r.c->plies = 4;
    Played p = play_one(&r, 0);
    assert_true(p.ending == END_LENGTH && p.result == RESULT_OVER && p.moves == 4);
    played_free(&p);
    end(&r);
}

static void offences_lose(void **state) {
    (void)state;
    static const char *const bots[] = {"random", "bot:tests/match/hostile/illegal.py", NULL};
    for (int number = 0; number < 2; number++) { // from both seats
        Run r;
        begin(&r, MATCH, one_game, bots, 2);
        r.c->entrant[1].time = (TimeControl){.move = 60};
        Played p = play_one(&r, number);
        int seat = number == 0 ? 1 : 0;
        assert_int_equal(p.ending, END_ILLEGAL);
        assert_int_equal(p.culprit, seat);
        assert_int_equal(p.result, RESULT_OVER | 1 << (1 - seat));
        assert_non_null(strstr(text_c(&p.reason), "z9"));
        assert_non_null(strstr(text_c(&p.log), "bestmove z9"));
        played_free(&p);
        end(&r);
    }
}

static void openings_are_open(void **state) {
    (void)state;
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    int longest = 0;
    for (int plies = 0; plies < 12; plies++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            assert_true(referee_opening(f.runner, f.record, seed, plies));
            int length = record_length(f.record);
            assert_int_equal(record_result(f.record), 0);
            assert_true(length == plies || (plies > 7 && length < plies));
            longest = length > longest ? length : longest;
            Text one = {0}, other = {0};
            record_save(f.record, NULL, 0, &one);
            assert_true(referee_opening(f.runner, f.record, seed, plies));
            record_save(f.record, NULL, 0, &other);
            assert_string_equal(text_c(&one), text_c(&other));
            text_free(&one);
            text_free(&other);
        }
    assert_true(longest >= 7);
    close_game(&f);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"random", "nobody:depth=3", NULL};
    Run r;
    Text why = {0};
    begin(&r, MATCH, one_game, bad, 2);
    assert_false(referee_check(r.c, r.games, &why));
    assert_non_null(strstr(text_c(&why), "nobody"));
    text_clear(&why);
    assert_false(run(&r, 2, &why));
    assert_non_null(strstr(text_c(&why), "nobody"));
    text_free(&why);
    end(&r);
}

static void memory_runs_out(void **state) {
    (void)state;
    Run r;
    begin(&r, MATCH, one_game, two, 2);
    Pairing pairing;
    assert_int_equal(schedule_next(r.schedule, &pairing), NEXT_GAME);
    long left = 0;
    for (long n = 1; left == 0 && n < 10000; n++) {
        Text why = {0};
        Played p = {0};
        mem_fail_at(n);
        Referee *referee = referee_new(r.c, r.games);
        bool ok = referee && referee_play(referee, &pairing, NULL, &p, &why);
        left = mem_fail_at(0);
        if (ok) // a fault, or as if nothing had been
            assert_true(p.ending == END_FAULT || p.ending == END_RULES);
        played_free(&p);
        referee_free(referee);
        text_free(&why);
    }
    assert_true(left > 0);
    end(&r);
}

int main(void) {
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1); // nothing is left in the tree
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),  cmocka_unit_test(a_test_ends_at_the_same_game),
        cmocka_unit_test(stopped_contests_go_on), cmocka_unit_test(long_thinking_is_stopped),
        cmocka_unit_test(full_disks_end_it),      cmocka_unit_test(records_replay),
        cmocka_unit_test(long_games_are_drawn),   cmocka_unit_test(offences_lose),
        cmocka_unit_test(openings_are_open),      cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
