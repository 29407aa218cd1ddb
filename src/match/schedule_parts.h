// schedule_parts: what the files of a schedule share; see schedule.h.
#ifndef LUDENS_SCHEDULE_PARTS_H
#define LUDENS_SCHEDULE_PARTS_H

#include "match/schedule.h"

// Entrants that meet for `count` games in each of `games` games from `game` on, numbered from
// `first`.
typedef struct Group {
    int64_t first, count;
    int round;
    int16_t game, games;
    int16_t entrant[IR_MAX_PLAYERS];
    int8_t size;
    bool swap;    // seats rotate
    bool further; // because the games before were drawn
} Group;

#define MARK_FAULT 0x01 // of Schedule.result: played, without a result
#define MARK_OVER 0x80  // played; the other bits are the winners

struct Schedule {
    const Contest *c;
    int players[CONTEST_GAMES];
    Group *group;
    int groups, group_cap;
    int64_t games;   // of all groups so far
    uint8_t *result; // [games]: 0, MARK_FAULT or the result
    uint8_t *out;    // [games]: given out; 2: an offence ended it
    int64_t cap;
    int64_t cursor; // nothing to give out before it
    int64_t played;
    int round;       // of the groups made last
    int round_first; // the first group of the stage (round or further pairs) made last
    bool over;       // no groups will follow
    // Knock-out: who is left, in the order of the draw; -1: a bye.
    int16_t *left;
    int left_count, ties;
    int *reached; // [entrants]: the round
    // Swiss: who has met whom, and who had a bye.
    uint8_t *met;
    uint8_t *bye;
    int rounds;
    // SPRT: games before `prefix` have been played and are in `score`.
    int64_t prefix;
    Score score;
    SprtVerdict verdict;
    Score live; // of all games
};

// Adds a group; false when out of memory or room.
bool schedule_add_group(Schedule *s, const int *entrant, int size, int game, int games,
                        int64_t count, bool swap);
// Points of a group of two in its games so far.
void schedule_pair_points(const Schedule *s, const Group *g, double points[2]);
const Group *schedule_group_of(const Schedule *s, int64_t number);
void schedule_seats(const Schedule *s, const Group *g, int64_t number, int *game, int64_t *index,
                    int *seat);
double schedule_points(int result, int seat, int players);

// --- schedule_all.c: everybody meets everybody ---
bool schedule_match(Schedule *s, Text *why);
bool schedule_round_robin(Schedule *s, Text *why);
bool schedule_gauntlet(Schedule *s, Text *why);
// --- schedule_knockout.c ---
bool knockout_begin(Schedule *s, Text *why);
bool knockout_next(Schedule *s); // after all games so far; sets `over` when there is a champion
// --- schedule_swiss.c ---
bool swiss_begin(Schedule *s, Text *why);
bool swiss_next(Schedule *s);

#endif
