// playout: see playout.h for the contract.
#include "cli/playout.h"

#include <string.h>

bool playout_open(Playout *p, Runner *r, int plies_max) {
    const Game *g = runner_game(r);
    *p = (Playout){.runner = r, .plies_max = plies_max};
    p->state = mem_alloc((size_t)game_state_size(g));
    if (g->ir->repeated)
        p->seen = mem_alloc(sizeof *p->seen * (size_t)(plies_max + 1));
    return p->state && (p->seen || !g->ir->repeated);
}

void playout_close(Playout *p) {
    mem_free(p->state);
    mem_free(p->seen);
    *p = (Playout){0};
}

// Whether the position after `plies` moves makes a draw by repetition. Only every second position
// or so could be equal, but looking through all is cheap beside making a move.
static bool is_repeated(Playout *p) {
    const Game *g = runner_game(p->runner);
    if (!p->seen)
        return false;
    uint64_t hash = game_hash(g, p->state);
    int times = 1;
    for (int i = 0; i < p->plies; i++)
        times += p->seen[i] == hash;
    p->seen[p->plies] = hash;
    return times >= g->ir->repeated;
}

bool playout_run(Playout *p, const uint8_t *start, Rng *rng) {
    const Game *g = runner_game(p->runner);
    memcpy(p->state, start, (size_t)game_state_size(g));
    p->plies = p->most = p->result = 0;
    p->choices = 0;
    for (;;) {
        if (is_repeated(p)) {
            p->result = RESULT_OVER;
            return true;
        }
        const Move *moves;
        int n = runner_moves(p->runner, p->state, &moves);
        if (n == 0)
            p->result = runner_result(p->runner, p->state);
        if (n < 0 || p->result < 0)
            return false;
        if (n == 0 || p->plies == p->plies_max)
            return true;
        p->choices += n;
        p->most = n > p->most ? n : p->most;
        Move move = moves[rng_below(rng, (uint64_t)n)];
        if (!runner_apply(p->runner, p->state, move, p->state))
            return false;
        p->plies++;
    }
}
