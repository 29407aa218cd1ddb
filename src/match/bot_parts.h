// bot_parts: what the files of a bot share; see bot.h.
#ifndef LUDENS_BOT_PARTS_H
#define LUDENS_BOT_PARTS_H

#include "match/bot.h"
#include "match/command.h"

#define BOT_LOG_LINES 40 // of the protocol that are kept

struct Bot {
    const Game *game;
    Runner *runner;
    Command command;
    BotPatience patience;
    Process *process;
    Text game_text, rules;   // the value of the option Game; LUDENS_RULES
    Text name, options;      // options as ` Game Seed `
    const atomic_bool *stop; // of the call that runs; may be NULL
    Ending failed;
    Text why;
    Text log[BOT_LOG_LINES]; // a ring
    int logged;
    Text ended, errors; // of the process that failed last
};

// Notes what went wrong, unless something did before, and ends the process; always false.
bool bot_fail(Bot *b, Ending ending, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
