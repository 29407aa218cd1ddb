// bot_check: whether a bot behaves: handshake, options, whole games, time, stop, nonsense, leaving.
#ifndef LUDENS_BOT_CHECK_H
#define LUDENS_BOT_CHECK_H

#include "match/bot.h"

#define BOT_CHECKS 16 // at most

typedef enum CheckResult { CHECK_OK, CHECK_WARNING, CHECK_FAILED, CHECK_LEFT_OUT } CheckResult;

typedef struct BotCheck {
    const char *name;
    CheckResult result;
    Text text; // what was found, one line
    Text log;  // of a check that failed: what was said last
} BotCheck;

typedef struct BotReport {
    Text name; // as the bot calls itself
    BotCheck check[BOT_CHECKS];
    int count, failed, warnings;
} BotReport;

// Calls `tell` after each check (NULL: nobody). False with the reason if the command is none.
typedef void BotCheckTell(void *with, const BotCheck *check);
bool bot_check(const Game *game, const char *command, BotReport *report, BotCheckTell *tell,
               void *with, Text *why);
void bot_report_free(BotReport *report);

#endif
