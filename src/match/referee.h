// referee: plays the games of a contest, one after the other, in one thread: openings, clocks,
// limits, and what was done wrong.
//
// A Referee keeps the contestants of the last pairing, so that bots are not started for each game.
// It borrows the Contest and the Games, which must outlive it.
#ifndef LUDENS_REFEREE_H
#define LUDENS_REFEREE_H

#include "game/record.h"
#include "match/contest.h"

#include <stdatomic.h>

typedef struct Referee Referee;

Referee *referee_new(const Contest *c, Game *const *games); // NULL when out of memory
void referee_free(Referee *r);
// Plays a game; what goes wrong in it is in `played`, which the caller frees. `stop` as in
// contestant.h: the game ends with END_STOPPED. False with the reason: out of memory, or an
// entrant's text that means nothing.
bool referee_play(Referee *r, const Pairing *pairing, const atomic_bool *stop, Played *played,
                  Text *why);
// Whether all entrants can play all games, by opening each once; nothing is started. A bot without
// a program is a mistake of who enters it, and would lose everything.
bool referee_check(const Contest *c, Game *const *games, Text *why);

// Random moves up to a position that is not decided: not over, and nobody wins with the next move.
// Fewer moves if that cannot be found. False on a fault of the rules.
bool referee_opening(Runner *runner, Record *record, uint64_t seed, int plies);

#endif
