// rating: what results say about strength. No state; numbers in, numbers out.
#ifndef LUDENS_RATING_H
#define LUDENS_RATING_H

#include "match/contest.h"

typedef struct Score { // of one side against another
    int64_t won, drawn, lost;
    int64_t pairs[5]; // pairs of games with the same opening by points 0, 1/2, 1, 3/2, 2; all 0 if
                      // unknown
} Score;

double score_share(const Score *s); // points by games, 0.5 without games
typedef struct Elo {
    double elo, error; // 95 %: elo +- error; infinite where all games were won or lost
    double los;        // likelihood of superiority
} Elo;
Elo elo_of(const Score *s);
double elo_expected(double elo); // share of the points for a difference

typedef enum SprtVerdict { SPRT_GOES_ON, SPRT_H0, SPRT_H1 } SprtVerdict;
double sprt_llr(const Sprt *t, const Score *s);
void sprt_bounds(const Sprt *t, double *lower, double *upper);
SprtVerdict sprt_verdict(const Sprt *t, const Score *s);

// Ratings of all from the results of everybody against everybody (maximum likelihood with a weak
// prior, mean 0), with 95 % errors. `score` is [n * n], the row's against the column's.
bool rate_all(const Score *score, int n, double *elo, double *error);

#endif
