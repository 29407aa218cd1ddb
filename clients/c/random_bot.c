/* Plays any legal move. */
#include "ludens_bot.h"

#include <stdio.h>

static void random_move(const char *position, const BotLimits *limits, char *move) {
    (void)limits;
    BotSuccessor *s;
    int n = bot_successors(position, &s);
    if (n > 0)
        snprintf(move, BOT_MOVE, "%s", s[bot_random(n)].move);
    bot_free_successors(s, n);
}

int main(void) {
    return bot_run("Random in C", random_move);
}
