// Tests of src/match/schedule*.c: who plays whom, whatever the order in which games end.
#include "match/contest_make.h"
#include "match/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "same_pairing.h"

// --- contests for tests ---

static Contest *make(ContestKind kind, int entrants, int games, int64_t each) {
    Contest *c = contest_new();
    Text why = {0};
    c->kind = kind;
    c->each = each;
    for (int i = 0; i < entrants; i++) {
        Text name = {0};
        text_f(&name, "e%d", i);
        assert_true(contest_add_entrant(c, text_c(&name), "random", &why));
        text_free(&name);
    }
    for (int i = 0; i < games; i++)
        assert_true(contest_add_game(c, "mill", NULL, 0, &why));
    assert_true(contest_finish(c, &(TimeControl){0}, &why));
    text_free(&why);
    return c;
}

static Schedule *begin(const Contest *c, int players) {
    int each[CONTEST_GAMES];
    for (int i = 0; i < CONTEST_GAMES; i++)
        each[i] = players;
    Text why = {0};
    Schedule *s = schedule_new(c, each, &why);
    if (!s)
        fail_msg("%s", text_c(&why));
    return s;
}

static void refused(const Contest *c, int players, const char *message) {
    int each[CONTEST_GAMES];
    for (int i = 0; i < CONTEST_GAMES; i++)
        each[i] = players;
    Text why = {0};
    assert_null(schedule_new(c, each, &why));
    assert_non_null(strstr(text_c(&why), message));
    text_free(&why);
}

typedef int Outcome(const Pairing *p, int players);

// Who stands earlier in the list wins.
static int earlier_wins(const Pairing *p, int players) {
    int best = 0;
    for (int i = 1; i < players; i++)
        best = p->seat[i] < p->seat[best] ? i : best;
    return RESULT_OVER | 1 << best;
}

static int drawn(const Pairing *p, int players) {
    (void)p;
    (void)players;
    return RESULT_OVER;
}

// By chance, but always the same for a game.
static int by_seed(const Pairing *p, int players) {
    uint64_t x = p->seed, n = rng_splitmix(&x) % (uint64_t)(players + 1);
    return RESULT_OVER | (n < (uint64_t)players ? 1 << n : 0);
}

#define MOST 20000
typedef struct Log {
    Pairing pairing[MOST];
    int count;
} Log;

// Plays everything with up to `at_once` games running, which end in an order by chance.
static void play(Schedule *s, int players, Outcome *outcome, int at_once, uint64_t order,
                 Log *log) {
    Pairing running[64];
    int n = 0;
    Rng rng;
    rng_seed(&rng, order);
    log->count = 0;
    for (;;) {
        Pairing p;
        ScheduleNext next = n < at_once ? schedule_next(s, &p) : NEXT_WAITS;
        assert_int_not_equal(next, NEXT_FAILED);
        if (next == NEXT_GAME) {
            assert_true(log->count < MOST);
            log->pairing[log->count++] = running[n++] = p;
            continue;
        }
        if (n == 0) {
            assert_int_equal(next, NEXT_OVER);
            break;
        }
        int i = (int)rng_below(&rng, (uint64_t)n);
        p = running[i];
        running[i] = running[--n];
        if (rng_below(&rng, 10) == 0) { // stopped: it is given out again
            log->count--;
            for (int k = 0; k <= log->count; k++)
                if (log->pairing[k].number == p.number)
                    log->pairing[k] = log->pairing[log->count];
            schedule_forget(s, p.number);
        } else {
            assert_true(schedule_result(s, p.number, END_RULES, outcome(&p, players)));
            assert_false(schedule_result(s, p.number, END_RULES, outcome(&p, players)));
        }
    }
    assert_true(schedule_over(s));
    assert_int_equal(schedule_played(s), log->count);
    assert_int_equal(schedule_total(s), log->count);
}

static int by_number(const void *a, const void *b) {
    const Pairing *p = a, *q = b;
    return p->number < q->number ? -1 : p->number > q->number;
}

static Log *play_contest(const Contest *c, int players, Outcome *outcome, int at_once,
                         uint64_t order, Standing *standing) {
    Log *log = calloc(1, sizeof *log);
    Schedule *s = begin(c, players);
    play(s, players, outcome, at_once, order, log);
    qsort(log->pairing, (size_t)log->count, sizeof log->pairing[0], by_number);
    for (int i = 0; i < log->count; i++)
        assert_int_equal(log->pairing[i].number, i);
    if (standing)
        schedule_standings(s, standing);
    schedule_free(s);
    return log;
}

// --- all kinds ---

static void order_does_not_matter(void **state) {
    (void)state;
    for (int kind = MATCH; kind <= SWISS; kind++)
        for (int n = 2; n <= 9; n++) {
            if (kind == MATCH && n > 2)
                continue;
            Contest *c = make((ContestKind)kind, n, 1 + n % 2, 3);
            Standing one_standing[CONTEST_ENTRANTS], other_standing[CONTEST_ENTRANTS];
            Log *one = play_contest(c, 2, by_seed, 1, 1, one_standing);
            for (uint64_t order = 2; order < 6; order++) {
                Log *other = play_contest(c, 2, by_seed, 1 + 7 * (int)order, order, other_standing);
                assert_int_equal(one->count, other->count);
                for (int i = 0; i < one->count; i++)
                    assert_same_pairing(&one->pairing[i], &other->pairing[i]);
                assert_memory_equal(one_standing, other_standing,
                                    sizeof one_standing[0] * (size_t)n);
                free(other);
            }
            free(one);
            contest_free(c);
        }
}

// Stopped anywhere and begun again with the results so far, the rest is the same.
static void contests_go_on(void **state) {
    (void)state;
    for (int kind = MATCH; kind <= SWISS; kind++) {
        Contest *c = make((ContestKind)kind, kind == MATCH ? 2 : 6, 1, 4);
        Log *whole = play_contest(c, 2, by_seed, 1, 1, NULL);
        for (int stopped = 0; stopped <= whole->count; stopped++) {
            Schedule *s = begin(c, 2);
            for (int i = 0; i < stopped; i++)
                assert_true(schedule_result(s, i, END_RULES, by_seed(&whole->pairing[i], 2)));
            Pairing p;
            ScheduleNext next = schedule_next(s, &p);
            assert_int_equal(next, stopped < whole->count ? NEXT_GAME : NEXT_OVER);
            if (next == NEXT_GAME)
                assert_same_pairing(&p, &whole->pairing[stopped]);
            assert_false(schedule_result(s, 1000000, END_RULES, RESULT_OVER));
            assert_false(schedule_result(s, -1, END_RULES, RESULT_OVER));
            schedule_free(s);
        }
        free(whole);
        contest_free(c);
    }
}

static void pairs_change_seats(void **state) {
    (void)state;
    Contest *c = make(MATCH, 2, 1, 10);
    Log *log = play_contest(c, 2, by_seed, 1, 1, NULL);
    assert_int_equal(log->count, 10);
    for (int i = 0; i < 10; i += 2) {
        const Pairing *p = &log->pairing[i], *q = p + 1;
        assert_true(p->opening == q->opening && p->seed != q->seed);
        assert_true(p->seat[0] == q->seat[1] && p->seat[1] == q->seat[0] && p->seat[0] == 0);
        assert_int_equal(p->seat[2], -1);
        if (i)
            assert_true(p->opening != log->pairing[i - 1].opening);
    }
    free(log);
    c->swap = false;
    log = play_contest(c, 2, by_seed, 1, 1, NULL);
    for (int i = 1; i < 10; i++) {
        assert_int_equal(log->pairing[i].seat[0], 0);
        assert_true(log->pairing[i].opening != log->pairing[i - 1].opening);
    }
    free(log);
    contest_free(c);
}

static void other_seeds_other_games(void **state) {
    (void)state;
    Contest *c = make(MATCH, 2, 1, 2);
    Log *one = play_contest(c, 2, by_seed, 1, 1, NULL);
    c->seed = 2;
    Log *other = play_contest(c, 2, by_seed, 1, 1, NULL);
    assert_true(one->pairing[0].opening != other->pairing[0].opening);
    assert_true(one->pairing[0].seed != other->pairing[0].seed);
    free(one);
    free(other);
    contest_free(c);
}

// --- round robin and gauntlet ---

static void everybody_meets_everybody(void **state) {
    (void)state;
    for (int n = 2; n <= 12; n++) {
        Contest *c = make(ROUND_ROBIN, n, 2, 2);
        Log *log = play_contest(c, 2, drawn, 1, 1, NULL);
        int met[12][12] = {0}, first[12] = {0}, round_of[12] = {0};
        assert_int_equal(log->count, n * (n - 1) / 2 * 4);
        for (int i = 0; i < log->count; i++) {
            const Pairing *p = &log->pairing[i];
            met[p->seat[0]][p->seat[1]]++;
            first[p->seat[0]]++;
            if (i % 4 == 0) // once in a round
                for (int k = 0; k < 2; k++) {
                    assert_true(round_of[p->seat[k]] <= p->round);
                    round_of[p->seat[k]] = p->round + 1;
                }
        }
        for (int i = 0; i < n; i++) {
            assert_int_equal(first[i], 2 * (n - 1));
            for (int k = 0; k < n; k++)
                assert_int_equal(met[i][k], i == k ? 0 : 2);
        }
        free(log);
        c->each = 1; // seats are about even without swapping
        log = play_contest(c, 2, drawn, 1, 1, NULL);
        memset(first, 0, sizeof first);
        for (int i = 0; i < log->count; i += 2)
            first[log->pairing[i].seat[0]]++;
        for (int i = 0; i < n; i++)
            assert_true(abs(2 * first[i] - (n - 1)) <= 2);
        free(log);
        contest_free(c);
    }
}

static void gauntlet_is_of_the_first(void **state) {
    (void)state;
    Contest *c = make(GAUNTLET, 5, 1, 2);
    Standing standing[CONTEST_ENTRANTS];
    Log *log = play_contest(c, 2, earlier_wins, 4, 1, standing);
    assert_int_equal(log->count, 8);
    for (int i = 0; i < log->count; i++)
        assert_true(log->pairing[i].seat[0] == 0 || log->pairing[i].seat[1] == 0);
    assert_true(standing[0].entrant == 0 && standing[0].won == 8 && standing[0].points == 8);
    free(log);
    contest_free(c);
}

static void seats_of_many_go_round(void **state) {
    (void)state;
    Contest *c = make(ROUND_ROBIN, 5, 1, 3);
    Standing standing[CONTEST_ENTRANTS];
    Log *log = play_contest(c, 3, earlier_wins, 5, 1, standing);
    assert_int_equal(log->count, 30); // 10 groups
    int seat[5][3] = {0};
    for (int i = 0; i < log->count; i++) {
        for (int k = 0; k < 3; k++)
            seat[log->pairing[i].seat[k]][k]++;
        assert_true(log->pairing[i].opening == log->pairing[i / 3 * 3].opening);
    }
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++)
            assert_int_equal(seat[i][k], 6);
    assert_true(standing[0].entrant == 0 && standing[0].points == 18);
    assert_true(standing[4].entrant == 4 && standing[4].lost == 18);
    free(log);
    contest_free(c);
    c = make(KNOCKOUT, 4, 1, 2);
    refused(c, 3, "for games of two players");
    contest_free(c);
    c = make(SWISS, 4, 1, 2);
    refused(c, 3, "for games of two players");
    contest_free(c);
    c = make(MATCH, 3, 1, 2);
    refused(c, 2, "has 2 entrants, not 3");
    contest_free(c);
    c = make(ROUND_ROBIN, 2, 1, 2);
    refused(c, 3, "for 3 players");
    refused(c, 1, "nobody to play against");
    contest_free(c);
    c = make(ROUND_ROBIN, CONTEST_ENTRANTS, 1, 2);
    refused(c, 6, "more than");
    contest_free(c);
}

// --- knock-out ---

static void who_loses_is_out(void **state) {
    (void)state;
    for (int n = 2; n <= 17; n++) {
        Contest *c = make(KNOCKOUT, n, 1, 2);
        Standing standing[CONTEST_ENTRANTS];
        Log *log = play_contest(c, 2, earlier_wins, 8, 3, standing);
        assert_int_equal(log->count, 2 * (n - 1));
        for (int i = 0; i < 2 && i < n; i++) // the first two meet in the last round
            assert_int_equal(standing[i].entrant, i);
        const Pairing *last = &log->pairing[log->count - 1];
        assert_true(last->seat[0] + last->seat[1] == 1);
        free(log);
        contest_free(c);
    }
}

static void ties_are_broken(void **state) {
    (void)state;
    Contest *c = make(KNOCKOUT, 4, 2, 2);
    Standing standing[CONTEST_ENTRANTS];
    Log *log = play_contest(c, 2, drawn, 8, 3, standing);
    // Two games in each of two games, then further pairs; three meetings.
    assert_int_equal(log->count, 3 * (4 + 2 * SCHEDULE_TIES));
    assert_int_equal(standing[0].entrant, 0);
    assert_int_equal(standing[1].entrant, 1);
    assert_true(log->pairing[8].opening == log->pairing[9].opening);
    assert_true(log->pairing[8].opening != log->pairing[12].opening);
    assert_true(log->pairing[8].game == 0 && log->pairing[12].game == 1);
    free(log);
    contest_free(c);
}

// --- Swiss ---

static void nobody_meets_twice(void **state) {
    (void)state;
    for (int n = 2; n <= 33; n++) {
        Contest *c = make(SWISS, n, 1, 2);
        Standing standing[CONTEST_ENTRANTS];
        Log *log = play_contest(c, 2, n % 3 ? by_seed : earlier_wins, 8, 5, standing);
        int rounds = 0;
        while (1 << rounds < n)
            rounds++;
        assert_int_equal(log->count, 2 * rounds * (n / 2));
        uint8_t met[33][33] = {0};
        for (int i = 0; i < log->count; i += 2) {
            const Pairing *p = &log->pairing[i];
            assert_int_equal(met[p->seat[0]][p->seat[1]]++, 0);
            assert_int_equal(met[p->seat[1]][p->seat[0]]++, 0);
        }
        if (n % 3 == 0)
            assert_int_equal(standing[0].entrant, 0);
        double points = 0;
        for (int i = 0; i < n; i++) {
            points += standing[i].points;
            assert_true(i == 0 || standing[i].points <= standing[i - 1].points);
        }
        assert_true(points == log->count + 2 * rounds * (n % 2)); // byes are won
        free(log);
        contest_free(c);
    }
}

static void rounds_are_limited(void **state) {
    (void)state;
    Contest *c = make(SWISS, 6, 1, 1);
    c->rounds = 5;
    Log *log = play_contest(c, 2, by_seed, 3, 1, NULL);
    assert_int_equal(log->count, 15);
    free(log);
    c->rounds = 6;
    refused(c, 2, "at most 5 rounds");
    contest_free(c);
}

// --- results ---

static void offences_and_faults_are_counted(void **state) {
    (void)state;
    Contest *c = make(MATCH, 2, 1, 4);
    Schedule *s = begin(c, 2);
    assert_true(schedule_result(s, 0, END_CRASH, RESULT_OVER | 2)); // e0 lost
    assert_true(schedule_result(s, 1, END_FAULT, 0));
    assert_true(schedule_result(s, 2, END_LENGTH, RESULT_OVER));
    assert_true(schedule_result(s, 3, END_RULES, RESULT_OVER | 2)); // e0 sits second and wins
    Standing standing[CONTEST_ENTRANTS];
    schedule_standings(s, standing);
    assert_true(schedule_over(s));
    for (int i = 0; i < 2; i++) {
        assert_true(standing[i].won == 1 && standing[i].drawn == 1 && standing[i].lost == 1);
        assert_int_equal(standing[i].offences, standing[i].entrant == 0);
    }
    Score score = schedule_score(s);
    assert_true(score.won == 1 && score.drawn == 1 && score.lost == 1);
    assert_true(score.pairs[3] == 1 && score.pairs[0] + score.pairs[1] + score.pairs[2] == 0);
    schedule_free(s);
    contest_free(c);
}

static void a_test_ends_a_match(void **state) {
    (void)state;
    Contest *c = make(MATCH, 2, 1, 100000);
    c->sprt = (Sprt){true, 0, 20, 0.05, 0.05};
    Schedule *s = begin(c, 2);
    assert_true(schedule_in_order(s));
    Pairing p;
    int64_t n = 0;
    while (schedule_next(s, &p) == NEXT_GAME) {
        int result = n % 5 == 4 ? RESULT_OVER : earlier_wins(&p, 2);
        assert_true(schedule_result(s, p.number, END_RULES, result));
        n++;
    }
    assert_int_equal(schedule_verdict(s), SPRT_H1);
    assert_true(n > 2 && n < 1000 && n % 2 == 0); // after a whole pair
    assert_int_equal(schedule_played(s), n);
    assert_true(schedule_over(s));
    schedule_free(s);
    contest_free(c);
}

static void memory_runs_out(void **state) {
    (void)state;
    int players[] = {2};
    for (int kind = MATCH; kind <= SWISS; kind++) {
        Contest *c = make((ContestKind)kind, kind == MATCH ? 2 : 5, 1, 1000);
        long left = 0;
        for (long n = 1; left == 0 && n < 1000; n++) {
            Text why = {0};
            mem_fail_at(n);
            Schedule *s = schedule_new(c, players, &why);
            Pairing p;
            ScheduleNext next = NEXT_OVER;
            while (s && (next = schedule_next(s, &p)) == NEXT_GAME)
                schedule_result(s, p.number, END_RULES, by_seed(&p, 2));
            left = mem_fail_at(0);
            if (s && left > 0)
                assert_int_equal(next, NEXT_OVER);
            schedule_free(s);
            text_free(&why);
        }
        assert_true(left > 0);
        contest_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(contests_go_on),
        cmocka_unit_test(pairs_change_seats),
        cmocka_unit_test(other_seeds_other_games),
        cmocka_unit_test(everybody_meets_everybody),
        cmocka_unit_test(gauntlet_is_of_the_first),
        cmocka_unit_test(seats_of_many_go_round),
        cmocka_unit_test(who_loses_is_out),
        cmocka_unit_test(ties_are_broken),
        cmocka_unit_test(nobody_meets_twice),
        cmocka_unit_test(rounds_are_limited),
        cmocka_unit_test(offences_and_faults_are_counted),
        cmocka_unit_test(a_test_ends_a_match),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
