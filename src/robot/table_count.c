// table_count: how many pieces of each kind a game needs, found by playing it at random.
//
// Rules do not say how many pieces there are: they say what is put where. Random games show the
// most that ever stand on the board; where later games still showed more than earlier ones, a
// quarter is added.
#include "robot/table_parts.h"

#include "game/statetext.h"

#include <string.h>

#define PLIES 6000 // of all games together: enough to see every kind, in a fraction of a second
#define GAMES 64

typedef struct Count {
    int least[IR_MAX_KINDS], most[IR_MAX_KINDS];
} Count;

static void count_board(const Game *g, const uint8_t *state, int *n) {
    memset(n, 0, IR_MAX_KINDS * sizeof *n);
    for (int c = 0; c < g->ir->board->cells; c++)
        for (int level = 0; level < state_height(g, state, c); level++)
            n[state_plane(g, state, c, level)]++;
}

static void count_state(const Game *g, const uint8_t *state, Count *count) {
    int n[IR_MAX_KINDS];
    count_board(g, state, n);
    for (int k = 0; k < g->ir->planes; k++) {
        if (n[k] < count->least[k])
            count->least[k] = n[k];
        if (n[k] > count->most[k])
            count->most[k] = n[k];
    }
}

static int play_one(const Game *g, Runner *r, uint8_t *state, Rng *rng, int plies, Count *count) {
    int ply = 0;
    memcpy(state, g->start, (size_t)game_state_size(g));
    count_state(g, state, count);
    for (Move move; ply < plies && runner_random(r, state, rng_next(rng), &move) == 1; ply++) {
        if (!runner_apply(r, state, move, state))
            break;
        count_state(g, state, count);
    }
    return ply;
}

static void settle(Maker *m, const Count *half, const Count *all) {
    const Board *b = m->t->game->ir->board;
    for (int k = 0; k < m->t->kinds; k++) {
        int most = all->most[k];
        if (most > half->most[k])
            most += most / 4 + 1;
        if (most > b->cells * b->stack)
            most = b->cells * b->stack;
        m->most[k] = most;
        m->comes[k] = all->least[k] != all->most[k];
        m->t->kind[k].count = most;
    }
}

bool table_count(Maker *m) {
    const Game *g = m->t->game;
    Runner *r = runner_new(g);
    uint8_t *state = mem_alloc((size_t)game_state_size(g));
    bool ok = r && state;
    if (!ok)
        text_add(m->why, "out of memory");
    Rng rng;
    rng_seed(&rng, 1);
    Count all, half;
    for (int k = 0; k < IR_MAX_KINDS; k++) {
        all.least[k] = INT32_MAX;
        all.most[k] = 0;
    }
    half = all;
    count_state(g, g->start, &half); // pieces that are there from the first are no surprise
    int plies = 0;
    for (int game = 0; ok && game < GAMES && plies < PLIES; game++) {
        plies += play_one(g, r, state, &rng, PLIES - plies, &all);
        if (game < GAMES / 2 && plies < PLIES / 2)
            half = all;
    }
    if (ok)
        settle(m, &half, &all);
    mem_free(state);
    runner_free(r);
    return ok;
}
