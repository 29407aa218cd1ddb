// contest_make: making contests, from words of a command line or lines of a file.
//
//     Contest *c = contest_new();
//     contest_add_game(c, "mill", NULL, 0, why) && contest_add_entrant(c, NULL, "random", why) && …
//     contest_finish(c, why)                      from here on it does not change
//
// A Contest owns its texts; contest_free releases it. Functions that can fail add one line to
// `why`, without a newline, that says what would be right.
#ifndef LUDENS_CONTEST_MAKE_H
#define LUDENS_CONTEST_MAKE_H

#include "match/contest.h"

#define CONTEST_NAME 100          // bytes of a name or title: they stand in tables
#define CONTEST_TEXT 4000         // bytes of an entrant's text, or of a game with its parameters
#define CONTEST_PARAMS 64         // of a game
#define CONTEST_EACH 100000000    // games of a pair
#define CONTEST_ROUNDS 1000       // of a Swiss tournament
#define CONTEST_OPENING_PLIES 100 // random moves at the beginning
#define CONTEST_MOST_PLIES 50000  // half of what a record can hold

Contest *contest_new(void); // with the usual values; NULL when out of memory
void contest_free(Contest *c);
bool contest_set_title(Contest *c, const char *title, Text *why);
bool contest_add_game(Contest *c, const char *name, const char *const *params, int count,
                      Text *why);
// `name` NULL: the text itself. Its time is the contest's until it is given its own.
bool contest_add_entrant(Contest *c, const char *name, const char *text, Text *why);
// Whether everything fits together; gives a title if there is none, and `time` to the entrants that
// have no time of their own.
bool contest_finish(Contest *c, const TimeControl *time, Text *why);

const char *contest_kind_name(ContestKind kind);             // `round-robin`
bool contest_kind_read(const char *word, ContestKind *kind); // false: there is no such kind

// `0.5s` for each move, `5m+3s` for a game; or any of time=0.5s, clock=5m+3s, margin=50ms,
// nodes=10k, depth=4, with commas between them. Times without a unit are seconds. With a time, the
// margin is 200 ms if none is given.
bool time_control_read(const char *text, TimeControl *time, Text *why);
void time_control_text(const TimeControl *time, Text *out); // reads back; "" without any limit
bool time_control_limits(const TimeControl *time);          // whether anything is limited
// `0,10`: the hypotheses; perhaps two more numbers, the errors of both kinds, 0.05 without.
bool sprt_read(const char *text, Sprt *sprt, Text *why);

#endif
