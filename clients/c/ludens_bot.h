/* ludens_bot: what a bot in C needs to play any game of Ludens. Nothing but POSIX is needed.
 *
 *     static void my_move(const char *position, const BotLimits *limits, char *move) {
 *         ...                      fill in a word of bot_ask("moves", ...)
 *     }
 *     int main(void) {
 *         return bot_run("My bot", my_move);
 *     }
 *
 * A position is what follows `position` in the protocol: "startpos moves a1", "fen STATE".
 * Questions about it are answered by the rules server of Ludens, which Ludens names in
 * LUDENS_RULES. */
#ifndef LUDENS_BOT_H
#define LUDENS_BOT_H

#include <stdbool.h>
#include <stdlib.h>

#define BOT_MOVE 256   /* bytes of a move, at most */
#define BOT_LINE 65536 /* bytes of a position, at most */

typedef struct BotLimits {
    double seconds; /* for this move */
    int depth;      /* 0: no limit */
    double began;   /* by bot_now */
} BotLimits;

typedef void BotMove(const char *position, const BotLimits *limits, char *move);
int bot_run(const char *name, BotMove *move);

double bot_now(void);
/* Whether the time is up, or Ludens has said `stop`. */
bool bot_over(const BotLimits *limits);

/* 0 to n - 1. */
static inline int bot_random(int n) {
    return (int)(random() % n);
}

/* Asks for moves, player, players, state or result; the answer holds until the next question. */
const char *bot_ask(const char *position, const char *what);

typedef struct BotSuccessor {
    char move[BOT_MOVE];
    int player;      /* 1, 2, ...: who is on move then */
    char result[64]; /* "none" while the game goes on, "p1win", "draw", ... */
    char *position;  /* "fen ..." */
} BotSuccessor;
/* All legal moves with what comes behind them; returns how many there are. */
int bot_successors(const char *position, BotSuccessor **out);
void bot_free_successors(BotSuccessor *s, int n);

#endif
