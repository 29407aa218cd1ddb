// results: what the games of a contest come to: points, scores of each pair and by seat, ratings,
// times, lengths, openings, offences. For tables and reports, after the games.
//
// Owns its memory and borrows the Contest. Games are added in the order of their numbers: two that
// follow each other with the same opening and seats changed are a pair.
#ifndef LUDENS_RESULTS_H
#define LUDENS_RESULTS_H

#include "match/archive.h"
#include "match/rating.h"

#define RESULTS_LENGTHS 24  // bars in a picture of the lengths of games
#define RESULTS_OPENINGS 12 // openings that are listed
#define RESULTS_OFFENCES 50 // offences that are listed with what is known about them

typedef struct ResultsSide { // an entrant
    Score score;             // of its games; in games of three and more a win may be shared
    double points;
    Score seat[IR_MAX_PLAYERS]; // the same in each seat
    double seat_points[IR_MAX_PLAYERS];
    int64_t offences;
    double seconds, longest; // of thinking, openings aside; of a move
    int64_t moves, nodes;
    double elo, error;
} ResultsSide;

typedef struct ResultsOpening {
    char text[120]; // its moves
    int64_t games;
    Score first; // of the first seat
} ResultsOpening;

typedef struct ResultsOffence {
    int64_t number;
    int entrant;
    Ending ending;
    Text reason, log;
} ResultsOffence;

typedef struct Results {
    const Contest *contest;
    int n;             // entrants
    Score *score;      // [n * n]: the row's against the column's
    ResultsSide *side; // [n]
    int *order;        // [n]: entrants, the best first
    int64_t games, faults;
    int64_t drawn; // nobody won, or all did
    int64_t ending[END_STOPPED + 1];
    Score seat[IR_MAX_PLAYERS]; // of each seat
    Score opener;               // the first seat against each of the others
    int seats;                  // the most that a game had
    int *length;                // of each game, ascending after results_finish
    int64_t lengths, lengths_cap;
    ResultsOpening *opening; // the most frequent first after results_finish
    int openings, openings_cap;
    ResultsOffence *offence;
    int offences; // listed
    int64_t offences_all;
    double began, ended;
    Pairing last; // of the game added last
    int last_points;
    bool failed; // out of memory
    // Of the rules, if all games have the same: names of the seats, else "", and who begins.
    char seat_name[IR_MAX_PLAYERS][40];
    int first;
} Results;

Results *results_new(const Contest *c); // NULL when out of memory
void results_free(Results *r);
bool results_add(Results *r, const Played *p); // false when out of memory
bool results_finish(Results *r);               // ratings and orders
// All of it from an archive; NULL with the reason.
Results *results_of(Archive *s, Text *why);

// Points of a seat, for a game of `seats` players: a win is shared by those who won, a draw by all.
double results_points(int result, int seat, int seats);
int results_seats(const Pairing *p);

// --- crosstable.c ---
// For a terminal: rank, name, Elo, points, won, drawn, lost, and everybody against everybody if
// that fits `width` columns.
void crosstable_text(const Results *r, int width, Text *out);
// Behind a table of standings, with its order of entrants: everybody against everybody, if that
// fits, and Elo.
void crosstable_against(const Results *r, const int *order, int width, Text *out);
void crosstable_json(const Results *r, Text *out); // an object without a newline
// `+12 ± 30`, or what is known instead.
void elo_text(double elo, double error, Text *out);
// Adds the name, cut or filled to that many columns.
void crosstable_name(const char *name, int width, Text *out);

#endif
