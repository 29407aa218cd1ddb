// timing: a clock for the whole game, divided into moves; see player.h.
#include "search/player.h"

#include <string.h>

#define LOOK_GAMES 8 // random games that tell how long a game is
#define LOOK_PLIES 400
#define MOVES_LEAST 10  // moves that are always expected to come: there may be as many
#define MOVES_MOST 40   // later moves have the increments, and most games are over before
#define INCREMENT 0.8   // share of it that is spent at once
#define SHARE_MOST 0.25 // of what is left, for one move
#define STRETCH 2.5     // times the usual for a hard move, within that share
#define RESERVE 0.02    // seconds for what happens between moves
#define LEAST 0.001

// Moves of one player in a random game.
static int moves_of_game(Player *p) {
    const Game *g = p->game;
    uint8_t *state = mem_alloc((size_t)game_state_size(g));
    int64_t plies = 0;
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; state && i < LOOK_GAMES; i++) {
        memcpy(state, g->start, (size_t)game_state_size(g));
        int n = runner_playout(p->runner, state, &rng, LOOK_PLIES);
        plies += n > 0 ? n : 0;
    }
    mem_free(state);
    return 1 + (int)(plies / LOOK_GAMES / g->ir->players);
}

double timing_share(Player *p, const Record *record, double left, double increment) {
    Timing *t = &p->timing;
    if (t->moves == 0)
        t->moves = moves_of_game(p);
    int gone = record_length(record) / p->game->ir->players, to_come = t->moves - gone;
    to_come = to_come < MOVES_LEAST ? MOVES_LEAST : to_come > MOVES_MOST ? MOVES_MOST : to_come;
    double seconds = left / to_come + INCREMENT * increment;
    double most = left * SHARE_MOST + (left > increment ? INCREMENT * increment : 0);
    most = most < left - RESERVE ? most : left - RESERVE;
    seconds = seconds < most ? seconds : most;
    return seconds > LEAST ? seconds : LEAST;
}

double timing_begin(Player *p, const Record *record) {
    Timing *t = &p->timing;
    if (!p->options.clock_ms)
        return 0;
    int length = record_length(record);
    if (t->left == 0 || length < t->length)
        t->left = (double)p->options.clock_ms / 1000;
    t->length = length;
    return timing_share(p, record, t->left, (double)p->options.increment_ms / 1000);
}

double timing_stretch(const Player *p, double seconds) {
    double most = p->timing.left * SHARE_MOST, wanted = STRETCH * seconds;
    wanted = wanted < most ? wanted : most;
    return wanted > seconds ? wanted : seconds;
}

void timing_end(Player *p, double seconds) {
    Timing *t = &p->timing;
    if (!p->options.clock_ms)
        return;
    t->left += (double)p->options.increment_ms / 1000 - seconds;
    t->left = t->left > LEAST ? t->left : LEAST; // the flag has fallen: it plays on, at once
}
