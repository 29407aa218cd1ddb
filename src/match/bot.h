// bot: somebody who plays as a process of its own and speaks the protocol of docs/protocol.md: the
// side that asks. What goes wrong is an Ending with a reason in words, and stays until bot_begin
// starts a new process.
#ifndef LUDENS_BOT_H
#define LUDENS_BOT_H

#include "match/contestant.h"
#include "match/process.h"
#include "match/protocol.h"

typedef struct Bot Bot;

typedef struct BotPatience { // seconds
    double hello;            // until `ugiok`: some programs load for long
    double ready;            // until `readyok`
    double grace;            // after the time is up, or after `stop`, until `bestmove`
    double longest;          // for a move without any limit of time
} BotPatience;
extern const BotPatience bot_patience; // the usual

// `command` as in `bot:COMMAND`, without `bot:`. NULL with the reason: it cannot be understood.
Bot *bot_new(const Game *game, const char *command, const BotPatience *patience, Text *why);
void bot_free(Bot *b);
bool bot_check_program(const Bot *b, Text *why); // there is one to start; else the reason

// A new game; starts the process if there is none, or if something went wrong before. `stop` as in
// contestant_move.
bool bot_begin(Bot *b, uint64_t seed, const atomic_bool *stop);
// The move for the position that the record has come to. `seconds` is the time that it has, 0: none
// is told. It may take `margin` longer.
void bot_move(Bot *b, const Record *record, const GoLimits *go, double seconds, double margin,
              const atomic_bool *stop, Answer *answer);
void bot_quit(Bot *b, double seconds); // asks it to leave, and ends it then

Ending bot_failed(const Bot *b, const char **why); // END_RULES: nothing went wrong
const char *bot_name(const Bot *b);                // as it calls itself; may be ""
void bot_log(const Bot *b, Text *out);

// --- for `ludens bot check` ---
bool bot_say(Bot *b, const char *line);
// The next line up to the deadline; false: there is none, see bot_failed. At the deadline nothing
// has failed.
bool bot_hear(Bot *b, double deadline, const atomic_bool *stop, Text *line);
bool bot_wait_for(Bot *b, const char *word, double seconds); // a line that is this word
bool bot_has_option(const Bot *b, const char *name);
bool bot_running(const Bot *b);

#endif
