// contestant: somebody who plays a seat: a player of this program, or a bot, which is a process of
// its own that speaks the protocol of docs/protocol.md.
//
// A Contestant belongs to one game and one thread. It survives whatever a bot does: every failure
// is an Answer with the offence in it, and the next contestant_begin starts a new process.
#ifndef LUDENS_CONTESTANT_H
#define LUDENS_CONTESTANT_H

#include "game/record.h"
#include "match/contest.h"

#include <stdatomic.h>

typedef struct Contestant Contestant;

typedef struct Clocks { // seconds that are left, by player; unused without a time for the game
    double left[IR_MAX_PLAYERS];
    double increment[IR_MAX_PLAYERS];
} Clocks;

typedef struct Answer {
    Ending ending; // END_RULES: a legal move; else what went wrong
    Move move;
    PlayedMove told;
    Text why; // of an ending that is none of END_RULES: in words; the caller frees it
} Answer;

// NULL with the reason (no such player; a command that cannot be understood).
Contestant *contestant_open(const Game *game, const Entrant *e, Text *why);
void contestant_close(Contestant *c);
// Whether a bot has a program that can be started, without starting it; false with the reason.
bool contestant_check(const Contestant *c, Text *why);
// A new game. A bot is started with its first move: if it cannot be or does not shake hands, that
// Answer has the offence. False only when out of memory.
bool contestant_begin(Contestant *c, uint64_t seed, Text *why);
// The move for the position that the record has come to. `stop` (set by others, may be NULL) ends
// it with END_STOPPED.
void contestant_move(Contestant *c, const Record *record, const Clocks *clocks,
                     const atomic_bool *stop, Answer *answer);
// What is kept of a bot that failed: last lines of the protocol, signal, tail of standard error.
void contestant_log(const Contestant *c, Text *out);
// What holds a bot back here ("no network, 512 MB, 8 processes, writes in its folder only").
const char *contestant_enforced(const Contestant *c);

#endif
