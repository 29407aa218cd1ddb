/* Looks ahead with alpha-beta, deeper and deeper, as long as there is time.
 *
 * It knows no rules: it asks Ludens for the moves and for the positions behind them. What it knows
 * is who has won. Yours could know more: `value` is the place for it. */
#include "ludens_bot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIN 1000000
#define INFINITE (2 * WIN)

typedef struct Search {
    const BotLimits *limits;
    double seconds;
    int me;
    long nodes;
    bool over;
} Search;

/* What a position is worth before anybody has won: nothing is known here. */
static int value(const char *position) {
    (void)position;
    return 0;
}

static int value_of_result(const char *result, int me, int ply) {
    char won[32];
    snprintf(won, sizeof won, "p%dwin", me);
    if (strstr(result, won))
        return WIN - ply;
    return strcmp(result, "draw") == 0 ? 0 : ply - WIN;
}

/* The value for `me` of a position that was reached, inside a window. */
static int search(Search *s, const BotSuccessor *reached, int depth, int alpha, int beta, int ply) {
    s->nodes++;
    s->over = s->over || bot_over(s->limits) || bot_now() - s->limits->began > s->seconds;
    if (s->over)
        return 0;
    if (strcmp(reached->result, "none") != 0)
        return value_of_result(reached->result, s->me, ply);
    if (depth <= 0)
        return value(reached->position);
    bool mine = reached->player == s->me;
    int best = mine ? -INFINITE : INFINITE;
    BotSuccessor *next;
    int n = bot_successors(reached->position, &next);
    for (int i = 0; i < n && alpha < beta && !s->over; i++) {
        int v = search(s, &next[i], depth - 1, alpha, beta, ply + 1);
        if (mine ? v > best : v < best)
            best = v;
        if (mine && best > alpha)
            alpha = best;
        if (!mine && best < beta)
            beta = best;
    }
    bot_free_successors(next, n);
    return best;
}

/* The best move of a depth is looked at first in the next. */
static void to_front(BotSuccessor *s, int i) {
    BotSuccessor best = s[i];
    memmove(s + 1, s, sizeof *s * (size_t)i);
    s[0] = best;
}

static void alphabeta_move(const char *position, const BotLimits *limits, char *move) {
    Search s = {.limits = limits, .seconds = 0.8 * limits->seconds};
    s.me = atoi(bot_ask(position, "player"));
    BotSuccessor *next;
    int n = bot_successors(position, &next);
    int deepest = limits->depth ? limits->depth : 100;
    if (n > 0)
        to_front(next, bot_random(n)); /* any move, to begin with */
    for (int depth = 1; n > 0 && depth <= deepest; depth++) {
        int score = -INFINITE, best = 0;
        for (int i = 0; i < n && !s.over; i++) {
            int v = search(&s, &next[i], depth - 1, score, INFINITE, 1);
            if (!s.over && v > score) {
                score = v;
                best = i;
            }
        }
        if (s.over)
            break;
        to_front(next, best);
        printf("info depth %d nodes %ld score cp %d\n", depth, s.nodes, score / 10);
        if (score > WIN / 2 || score < -WIN / 2)
            break;
    }
    if (n > 0)
        snprintf(move, BOT_MOVE, "%s", next[0].move);
    bot_free_successors(next, n);
}

int main(void) {
    return bot_run("Alpha-beta in C", alphabeta_move);
}
