// Tests of src/match/rating.c and rate_all.c: known values, and players of known strength whose
// games are drawn by lot with fixed seeds.
#include "match/rating.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define NEAR(a, b, within)                                                                         \
    do {                                                                                           \
        double a_ = (a), b_ = (b);                                                                 \
        if (!(fabs(a_ - b_) <= (within)))                                                          \
            fail_msg("%s is %g, not %g", #a, a_, b_);                                              \
    } while (0)

static double chance(Rng *rng) {
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

// 2: won, 1: drawn, 0: lost, for a side that expects that share of the points.
static int lot(Rng *rng, double share, double draws) {
    double d = draws * 2 * fmin(share, 1 - share), x = chance(rng);
    return x < share - d / 2 ? 2 : x < share + d / 2 ? 1 : 0;
}

static void count(Score *s, int result) {
    s->won += result == 2;
    s->drawn += result == 1;
    s->lost += result == 0;
}

static void test_known_values(void **state) {
    (void)state;
    NEAR(elo_expected(0), 0.5, 0);
    NEAR(elo_expected(400), 10.0 / 11, 1e-12);
    NEAR(elo_expected(-400), 1.0 / 11, 1e-12);
    Score s = {.won = 60, .drawn = 20, .lost = 20};
    NEAR(score_share(&s), 0.7, 1e-12);
    Elo e = elo_of(&s);
    // By hand: 400 log10(7/3); variance 0.16, standard error 0.04, ends 0.7784 and 0.6216.
    NEAR(e.elo, 147.19, 0.01);
    NEAR(e.error, (218.23 - 86.22) / 2, 0.1);
    NEAR(e.los, 1, 1e-5);
    // 1000 games: variance 0.1369, standard error 0.0117, ends 0.5479 and 0.5021.
    s = (Score){.won = 300, .drawn = 450, .lost = 250};
    e = elo_of(&s);
    NEAR(e.elo, 17.39, 0.01);
    NEAR(e.error, 16.0, 0.1);
    NEAR(e.los, 0.9835, 0.001);
    Score turned = {.won = 250, .drawn = 450, .lost = 300};
    NEAR(elo_of(&turned).elo, -e.elo, 1e-9);
    NEAR(elo_of(&turned).los, 1 - e.los, 1e-9);
}

static void test_pairs_scatter_less(void **state) {
    (void)state;
    // Openings that decide: each pair is one win for each side. Single games scatter a lot.
    Score s = {.won = 105, .lost = 95}, paired = s;
    paired.pairs[2] = 90;
    paired.pairs[3] = 0;
    paired.pairs[4] = 7;
    paired.pairs[0] = 2;
    paired.pairs[2] += 1;
    assert_true(elo_of(&paired).error < elo_of(&s).error / 2);
    NEAR(elo_of(&paired).elo, elo_of(&s).elo, 1e-9);
    // Independent games: both ways say the same, nearly.
    Rng rng;
    rng_seed(&rng, 3);
    s = (Score){0};
    for (int i = 0; i < 5000; i++) {
        int a = lot(&rng, 0.55, 0.3), b = lot(&rng, 0.55, 0.3);
        count(&s, a);
        count(&s, b);
        s.pairs[a + b]++;
    }
    Score single = s;
    memset(single.pairs, 0, sizeof single.pairs);
    NEAR(elo_of(&s).error, elo_of(&single).error, 0.5);
}

static void test_infinite_and_empty(void **state) {
    (void)state;
    Score none = {0}, won = {.won = 10}, lost = {.lost = 10}, drawn = {.drawn = 10};
    Elo e = elo_of(&none);
    NEAR(e.elo, 0, 0);
    NEAR(e.los, 0.5, 0);
    assert_true(isinf(e.error));
    NEAR(score_share(&none), 0.5, 0);
    e = elo_of(&won);
    assert_true(isinf(e.elo) && e.elo > 0 && isinf(e.error) && e.los > 0.99 && e.los < 1);
    e = elo_of(&lost);
    assert_true(isinf(e.elo) && e.elo < 0 && isinf(e.error) && e.los < 0.01);
    e = elo_of(&drawn);
    NEAR(e.elo, 0, 0);
    NEAR(e.los, 0.5, 1e-12);
    assert_true(e.error > 10 && isfinite(e.error)); // ten draws are no certainty
    Sprt t = {true, 0, 10, 0.05, 0.05};
    NEAR(sprt_llr(&t, &none), 0, 0);
    assert_int_equal(sprt_verdict(&t, &none), SPRT_GOES_ON);
    Score many = {.won = 10000};
    assert_int_equal(sprt_verdict(&t, &many), SPRT_H1);
    assert_true(isfinite(sprt_llr(&t, &many)));
    many = (Score){.lost = 10000};
    assert_int_equal(sprt_verdict(&t, &many), SPRT_H0);
    many = (Score){.drawn = 10000};
    assert_true(isfinite(sprt_llr(&t, &many)));
}

static void test_sprt_values(void **state) {
    (void)state;
    Sprt t = {true, 0, 5, 0.05, 0.05};
    double lower, upper;
    sprt_bounds(&t, &lower, &upper);
    NEAR(lower, -2.94, 0.01);
    NEAR(upper, 2.94, 0.01);
    t.beta = 0.1;
    sprt_bounds(&t, &lower, &upper);
    NEAR(lower, log(0.1 / 0.95), 1e-12);
    NEAR(upper, log(0.9 / 0.05), 1e-12);
    // Close to the normal approximation n (s1-s0)(2m-s0-s1) / (2 var) where differences are small.
    Score s = {.won = 5200, .drawn = 9800, .lost = 5000};
    double n = 20000, m = score_share(&s), s0 = 0.5, s1 = elo_expected(5);
    double var = (5200 * (1 - m) * (1 - m) + 9800 * (0.5 - m) * (0.5 - m) + 5000 * m * m) / n;
    NEAR(sprt_llr(&t, &s), n * (s1 - s0) * (2 * m - s0 - s1) / (2 * var), 0.02);
    // Midway between the hypotheses nothing is learnt.
    s = (Score){.won = 100000 + 1440, .lost = 100000 - 1440};
    t = (Sprt){true, 0, 10, 0.05, 0.05};
    NEAR(sprt_llr(&t, &s), 0, 0.5);
}

// How many of 1,000 matches end with H1 for a side of that strength.
static int accepted(const Sprt *t, double elo, double draws, bool pairs, uint64_t seed) {
    int h1 = 0;
    double share = elo_expected(elo);
    for (int run = 0; run < 1000; run++) {
        Rng rng;
        rng_seed(&rng, seed + (uint64_t)run);
        Score s = {0};
        SprtVerdict verdict = SPRT_GOES_ON;
        for (int n = 0; verdict == SPRT_GOES_ON && n < 100000; n++) {
            int a = lot(&rng, share, draws), b = lot(&rng, share, draws);
            count(&s, a);
            count(&s, b);
            s.pairs[a + b] += pairs;
            if (n >= 5) // the errors are promised for many games: a handful is no test
                verdict = sprt_verdict(t, &s);
        }
        assert_int_not_equal(verdict, SPRT_GOES_ON);
        h1 += verdict == SPRT_H1;
    }
    return h1;
}

static void test_sprt_errors(void **state) {
    (void)state;
    // 50 of 1,000 are allowed; with a standard deviation of 7, 70 would be a fault of the test.
    Sprt t = {true, 0, 40, 0.05, 0.05};
    for (int pairs = 0; pairs < 2; pairs++) {
        int wrong = accepted(&t, 0, 0.4, pairs, 1000), right = accepted(&t, 40, 0.4, pairs, 5000);
        print_message("# of 1000: H1 %d times when H0 holds, %d when H1 holds\n", wrong, right);
        assert_in_range(wrong, 15, 70);
        assert_in_range(right, 930, 985);
    }
    t = (Sprt){true, -30, 30, 0.1, 0.02};
    assert_in_range(accepted(&t, -30, 0.2, false, 9000), 40, 125);
    assert_in_range(accepted(&t, 30, 0.2, false, 12000), 965, 998);
}

static void test_all_are_ranked(void **state) {
    (void)state;
    enum { N = 12, GAMES = 400 };
    Score score[N * N] = {0};
    Rng rng;
    rng_seed(&rng, 11);
    double truth[N], mean = 0, elo[N], error[N];
    for (int i = 0; i < N; i++) {
        truth[i] = 60 * i - 330; // mean 0
        mean += truth[i];
    }
    NEAR(mean, 0, 1e-9);
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++)
            for (int k = 0; k < GAMES; k++) {
                int r = lot(&rng, elo_expected(truth[i] - truth[j]), 0.3);
                count(&score[i * N + j], r);
                count(&score[j * N + i], 2 - r);
            }
    assert_true(rate_all(score, N, elo, error));
    double sum = 0;
    int outside = 0;
    for (int i = 0; i < N; i++) {
        sum += elo[i];
        assert_true(i == 0 || elo[i] > elo[i - 1]);
        assert_in_range((int)error[i], 5, 30);
        outside += fabs(elo[i] - truth[i]) > error[i];
    }
    NEAR(sum, 0, 1e-6);
    assert_true(outside <= 2); // of 12, 0.6 are expected
}

static void test_two_are_as_in_a_match(void **state) {
    (void)state;
    Score s = {.won = 600, .drawn = 200, .lost = 200}, t = {.won = 200, .drawn = 200, .lost = 600};
    Score score[4] = {{0}, s, t, {0}};
    double elo[2], error[2];
    assert_true(rate_all(score, 2, elo, error));
    NEAR(elo[0] - elo[1], elo_of(&s).elo, 1);
    // Each is half the difference away from the mean; draws make the true error a little smaller.
    assert_true(2 * error[0] >= elo_of(&s).error && 2 * error[0] < 1.3 * elo_of(&s).error);
}

static void test_extremes_are_rated(void **state) {
    (void)state;
    double elo[3], error[3];
    Score none[9] = {0};
    assert_true(rate_all(none, 3, elo, error));
    for (int i = 0; i < 3; i++) {
        NEAR(elo[i], 0, 1e-9);
        assert_true(isfinite(error[i]) && error[i] > 500);
    }
    // One who wins everything, one who loses everything, millions of games.
    Score score[9] = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (i != j)
                score[i * 3 + j] = i < j ? (Score){.won = 10000000} : (Score){.lost = 10000000};
    assert_true(rate_all(score, 3, elo, error));
    assert_true(elo[0] > elo[1] + 1000 && elo[1] > elo[2] + 1000);
    for (int i = 0; i < 3; i++)
        assert_true(isfinite(elo[i]) && isfinite(error[i]));
    assert_true(rate_all(none, 1, elo, error));
    NEAR(elo[0], 0, 1e-9);
    assert_false(rate_all(none, 0, elo, error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_values),          cmocka_unit_test(test_pairs_scatter_less),
        cmocka_unit_test(test_infinite_and_empty),    cmocka_unit_test(test_sprt_values),
        cmocka_unit_test(test_sprt_errors),           cmocka_unit_test(test_all_are_ranked),
        cmocka_unit_test(test_two_are_as_in_a_match), cmocka_unit_test(test_extremes_are_rated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
