// rate_all: ratings of all who played each other, by maximum likelihood. See rating.h.
//
// The share of points that i expects against j is 1 / (1 + exp(r[j] - r[i])); draws are half a
// game won and half lost. As a weak prior everybody has drawn PRIOR games with somebody of rating
// 0: who won all games gets a large rating instead of an infinite one, and groups that never met
// can be compared at all. The logarithm of the likelihood is concave: Newton's method finds its
// top, and the curvature there gives the errors.
#include "match/rating.h"

#include <math.h>
#include <string.h>

#define PRIOR 0.5
#define STEPS 100
#define LONGEST_STEP 2.0 // of a rating in one step of Newton's method; far from the top it jumps
#define SURE 1.959964
#define UNIT 173.71779276130073 // Elo in a unit of the logistic function: 400 / ln 10

typedef struct Fit {
    int n;
    const Score *score;
    double *rating;  // [n]
    double *slope;   // [n]
    double *bend;    // [n * n]: minus the second derivatives, then their Cholesky factor
    double *inverse; // [n * n]
} Fit;

static double logistic(double x) {
    return 1 / (1 + exp(-x));
}

static void differentiate(Fit *f) {
    int n = f->n;
    memset(f->bend, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++) {
        double p = logistic(f->rating[i]);
        f->slope[i] = PRIOR * (0.5 - p);
        f->bend[i * n + i] = PRIOR * p * (1 - p);
    }
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            const Score *s = &f->score[i * n + j];
            double games = (double)(s->won + s->drawn + s->lost);
            double p = logistic(f->rating[i] - f->rating[j]);
            double more = (double)s->won + 0.5 * (double)s->drawn - games * p;
            double curve = games * p * (1 - p);
            f->slope[i] += more;
            f->slope[j] -= more;
            f->bend[i * n + i] += curve;
            f->bend[j * n + j] += curve;
            f->bend[i * n + j] -= curve;
            f->bend[j * n + i] -= curve;
        }
}

static void factorise(Fit *f) { // bend = L * transposed L, in its lower half
    int n = f->n;
    double *a = f->bend;
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            a[j * n + j] -= a[j * n + k] * a[j * n + k];
        a[j * n + j] = sqrt(fmax(a[j * n + j], 1e-12));
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
            a[i * n + j] /= a[j * n + j];
        }
    }
}

static void solve(const Fit *f, double *x) { // in place
    int n = f->n;
    const double *a = f->bend;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= a[i * n + k] * x[k];
        x[i] /= a[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= a[k * n + i] * x[k];
        x[i] /= a[i * n + i];
    }
}

static void climb(Fit *f) {
    for (int step = 0; step < STEPS; step++) {
        differentiate(f);
        factorise(f);
        solve(f, f->slope);
        double longest = 0;
        for (int i = 0; i < f->n; i++)
            longest = fmax(longest, fabs(f->slope[i]));
        double scale = longest > LONGEST_STEP ? LONGEST_STEP / longest : 1;
        for (int i = 0; i < f->n; i++)
            f->rating[i] += scale * f->slope[i];
        if (longest < 1e-10)
            break;
    }
}

// Ratings and errors against the mean of all: what the prior leaves open about everybody together
// is nobody's error.
static void conclude(Fit *f, double *elo, double *error) {
    int n = f->n;
    double mean = 0, all = 0;
    for (int j = 0; j < n; j++) {
        double *column = &f->inverse[j * n];
        memset(column, 0, sizeof(double) * (size_t)n);
        column[j] = 1;
        solve(f, column);
        mean += f->rating[j] / n;
        for (int i = 0; i < n; i++)
            all += column[i] / n / n;
    }
    for (int i = 0; i < n; i++) {
        double with_all = 0;
        for (int j = 0; j < n; j++)
            with_all += f->inverse[i * n + j] / n;
        elo[i] = UNIT * (f->rating[i] - mean);
        error[i] = UNIT * SURE * sqrt(fmax(f->inverse[i * n + i] - 2 * with_all + all, 0));
    }
}

bool rate_all(const Score *score, int n, double *elo, double *error) {
    if (n < 1)
        return false;
    size_t size = (size_t)n;
    double *memory = mem_alloc(sizeof(double) * (2 * size + 2 * size * size));
    if (!memory)
        return false;
    Fit f = {n, score, memory, memory + size, memory + 2 * size, memory + 2 * size + size * size};
    climb(&f);
    conclude(&f, elo, error);
    mem_free(memory);
    return true;
}
