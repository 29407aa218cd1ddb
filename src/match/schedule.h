// schedule: who plays whom, in which order. What comes next is a function of the contest and of the
// results so far, and of nothing else: neither of the order in which games end nor of how many run
// at a time. So a contest that was interrupted goes on with the same numbers.
//
// A group of entrants (two, or as many as a game has players) meets for some games; seats rotate
// from game to game. Match, round robin and gauntlet know all their groups in advance; a knock-out
// or a Swiss tournament makes the groups of a round when the games of the round before have ended.
//
// Not for several threads at once. Borrows the Contest.
#ifndef LUDENS_SCHEDULE_H
#define LUDENS_SCHEDULE_H

#include "match/contest.h"
#include "match/rating.h"

#define SCHEDULE_GROUPS 2000000 // more would not be over in a lifetime
#define SCHEDULE_GAMES 1000000000
#define SCHEDULE_TIES 5 // further pairs of a knock-out that is drawn; then the earlier entrant wins

typedef struct Schedule Schedule;

// `players` is how many players each game of the contest has. NULL with the reason.
Schedule *schedule_new(const Contest *c, const int *players, Text *why);
void schedule_free(Schedule *s);

typedef enum ScheduleNext {
    NEXT_GAME,
    NEXT_WAITS, // for results of games that were given out
    NEXT_OVER,
    NEXT_FAILED, // out of memory
} ScheduleNext;
// The game with the lowest number that was neither given out nor played.
ScheduleNext schedule_next(Schedule *s, Pairing *pairing);
// A game was played, or turned out to be played already. False if the schedule cannot have given it
// out: another contest's.
bool schedule_result(Schedule *s, int64_t number, Ending ending, int result);
void schedule_forget(Schedule *s, int64_t number); // a game that was given out was not played

int64_t schedule_played(const Schedule *s);
int64_t schedule_total(const Schedule *s); // games in all; of rounds to come, as far as is known
bool schedule_over(Schedule *s);

// --- who stands where ---

typedef struct Standing {
    int entrant;
    int64_t won, drawn, lost; // games
    double points;            // a draw is shared; a bye is won
    double buchholz;          // points of those that it met
    int round;                // knock-out: that it has reached, counted from 0; champion: the last
    int64_t offences;
} Standing;
// All entrants, the best first.
void schedule_standings(const Schedule *s, Standing *out);
// Of the first entrant against the second, with pairs if seats are swapped.
Score schedule_score(const Schedule *s);
// A test that has come to a verdict ends the match: only the games up to then count.
SprtVerdict schedule_verdict(const Schedule *s);
// Whether games count only in the order of their numbers.
bool schedule_in_order(const Schedule *s);

#endif
