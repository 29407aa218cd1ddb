// study: whether a game is any good, by games that were played: how long they last, how much there
// is to choose, whether moving first helps, how often nobody wins, whether strength pays, whether
// one can come back, and which rules never matter.
//
// There are two contests: of equals, two of the same strength, and of a ladder, three strengths
// that meet each other. Games by chance come on top. A Study belongs to one thread, owns its memory
// and borrows the Game and the Contests. What it finds does not depend on the order of the games.
#ifndef LUDENS_STUDY_H
#define LUDENS_STUDY_H

#include "game/record.h"
#include "match/results.h"

typedef enum StudyPart { STUDY_EQUALS, STUDY_LADDER, STUDY_PARTS } StudyPart;
enum { STUDY_WEAK, STUDY_MIDDLE, STUDY_STRONG, STUDY_SIDES }; // entrants of the ladder

typedef struct StudyUnused { // something in the rules that never happened
    char text[160];
    int line; // in the rules; 0: nowhere
} StudyUnused;

typedef struct Study {
    const Game *game;
    Runner *runner;
    Results *results[STUDY_PARTS];
    int64_t replayed, positions, choices, forced;
    int most; // moves in one position
    // Games by chance alone.
    int64_t random_games, random_moves, random_unfinished;
    Score random_first;
    // Games of two in which somebody won, and how the values went that players told: a number a
    // move, for the first player, and END_OF_GAME behind each game.
    int32_t *lead;
    int64_t leads, leads_cap;
    int64_t decided;
    // After study_finish:
    int64_t comebacks;   // won by somebody whom the other had thought beaten
    double lead_changes; // in a game
    double loser_best;   // the value of the later loser at its best, on average
    int32_t clear;       // a value from which on somebody is clearly ahead
    StudyUnused *unused;
    int unused_count, unused_cap;
    struct StudySeen *seen; // what happened in the rules: study_rules.c
} Study;

// The contest for a part: a game of so many players, `each` games of each pair. NULL with the
// reason.
Contest *study_contest(StudyPart part, const ContestGame *game, int players, int64_t each,
                       uint64_t seed, Text *why);
Study *study_new(const Game *g, Contest *const *contests); // NULL when out of memory
void study_free(Study *s);
bool study_add(Study *s, StudyPart part, const Played *p, Text *why);
// Plays a game by chance and adds it; a seed for each. False with the reason.
bool study_random(Study *s, uint64_t seed, Text *why);
bool study_finish(Study *s);

// --- study_rules.c ---
bool study_see_begin(Study *s); // false when out of memory
void study_see_end(Study *s);
bool study_see(Study *s, Record *record); // what happened in a game; false on a fault
bool study_see_finish(Study *s);          // fills `unused`

// --- study_text.c ---
void study_text(const Study *s, Text *out);
void study_json(const Study *s, Text *out);      // an object without a newline
void study_html(const Study *s, Text *out);      // a whole page
void study_sentences(const Study *s, Text *out); // [["length","…"],…], as JSON

#endif
