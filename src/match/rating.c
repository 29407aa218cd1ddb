// rating: Elo differences and their errors, and the sequential test. See rating.h.
//
// Elo means: a side that is 400 points better scores ten times as many points as the other. A
// difference comes from the share of the points, and its error from how much the results scatter:
// by single games (won, drawn, lost), or, better, by pairs of games with the same opening and
// seats changed, which scatter less because an opening that favours a seat does so for both.
#include "match/rating.h"

#include <math.h>

#define SURE 1.959964 // standard deviations on both sides that hold 95 %

static double elo_from(double share) {
    return share <= 0 ? -INFINITY : share >= 1 ? INFINITY : -400 * log10(1 / share - 1);
}

double elo_expected(double elo) {
    return 1 / (1 + pow(10, -elo / 400));
}

static double normal(double z) { // the share of a normal distribution below z
    return 0.5 * erfc(-z / sqrt(2));
}

static double games_of(const Score *s) {
    return (double)s->won + (double)s->drawn + (double)s->lost;
}

double score_share(const Score *s) {
    double n = games_of(s);
    return n > 0 ? ((double)s->won + 0.5 * (double)s->drawn) / n : 0.5;
}

// --- results as a distribution over shares of points ---

typedef struct Spread {
    double count[5];
    int kinds;    // 3: games with 0, 1/2, 1; 5: pairs with 0, 1/4, … 1
    double total; // games or pairs
} Spread;

static double share_at(const Spread *d, int i) {
    return (double)i / (d->kinds - 1);
}

static Spread spread_of(const Score *s) {
    Spread d = {.kinds = 5};
    for (int i = 0; i < 5; i++) {
        d.count[i] = (double)s->pairs[i];
        d.total += d.count[i];
    }
    if (d.total > 0)
        return d;
    return (Spread){{(double)s->lost, (double)s->drawn, (double)s->won}, 3, games_of(s)};
}

static double spread_mean(const Spread *d) {
    double sum = 0;
    for (int i = 0; i < d->kinds; i++)
        sum += d->count[i] * share_at(d, i);
    return sum / d->total;
}

static double spread_variance(const Spread *d) {
    double mean = spread_mean(d), sum = 0;
    for (int i = 0; i < d->kinds; i++)
        sum += d->count[i] * (share_at(d, i) - mean) * (share_at(d, i) - mean);
    return sum / d->total;
}

// The standard error of the share. Results that are all the same do not scatter, which does not
// make them certain: then it is as if there were one more, half won and half lost.
static double standard_error(const Score *s) {
    Spread d = spread_of(s);
    double each = d.kinds == 5 ? 2 : 1;
    double n = games_of(s) / each; // single games without their pair count too
    if (spread_variance(&d) <= 0) {
        d.count[0] += 0.5;
        d.count[d.kinds - 1] += 0.5;
        d.total += 1;
        n += 1;
    }
    return sqrt(spread_variance(&d) / n);
}

Elo elo_of(const Score *s) {
    if (games_of(s) <= 0)
        return (Elo){0, INFINITY, 0.5};
    double share = score_share(s), error = standard_error(s);
    Elo e = {.elo = elo_from(share), .los = normal((share - 0.5) / error)};
    double high = elo_from(share + SURE * error), low = elo_from(share - SURE * error);
    e.error = isinf(e.elo) || isinf(high) || isinf(low) ? INFINITY : (high - low) / 2;
    return e;
}

// --- sequential probability ratio test, generalised: the likelihood of the most likely
// distribution with the expected share of H1 over that with the share of H0 ---

#define NEVER 1e-3 // what a result that never happened counts: it is possible all the same

// The t for which sum of p (a - share) / (1 + t (a - share)) is 0: falls from plus to minus.
static double tilt(const Spread *d, double share) {
    double low = -1 / (1 - share), high = 1 / share;
    for (int step = 0; step < 100; step++) {
        double t = (low + high) / 2, sum = 0;
        for (int i = 0; i < d->kinds; i++) {
            double a = share_at(d, i) - share;
            sum += d->count[i] * a / (1 + t * a);
        }
        if (sum > 0)
            low = t;
        else
            high = t;
    }
    return (low + high) / 2;
}

double sprt_llr(const Sprt *test, const Score *s) {
    Spread d = spread_of(s);
    if (d.total <= 0)
        return 0;
    for (int i = 0; i < d.kinds; i++)
        d.count[i] = d.count[i] > 0 ? d.count[i] : NEVER;
    double share0 = elo_expected(test->elo0), share1 = elo_expected(test->elo1);
    double t0 = tilt(&d, share0), t1 = tilt(&d, share1), llr = 0;
    for (int i = 0; i < d.kinds; i++)
        llr += d.count[i] *
               (log1p(t0 * (share_at(&d, i) - share0)) - log1p(t1 * (share_at(&d, i) - share1)));
    return llr;
}

void sprt_bounds(const Sprt *t, double *lower, double *upper) {
    *lower = log(t->beta / (1 - t->alpha));
    *upper = log((1 - t->beta) / t->alpha);
}

SprtVerdict sprt_verdict(const Sprt *t, const Score *s) {
    double lower, upper, llr = sprt_llr(t, s);
    sprt_bounds(t, &lower, &upper);
    return llr <= lower ? SPRT_H0 : llr >= upper ? SPRT_H1 : SPRT_GOES_ON;
}
