// perft: see perft.h for the contract.
#include "game/perft.h"

#include "base/mem.h"

#include <string.h>

// The runner's list of moves is gone at its next call: this level keeps a copy.
static bool keep_moves(struct PerftLevel *level, const Move *moves, int n) {
    if (n > level->cap) {
        Move *list = mem_resize(level->moves, sizeof *list * (size_t)n);
        if (!list)
            return false;
        level->moves = list;
        level->cap = n;
    }
    if (n > 0) // an empty list may have no memory at all
        memcpy(level->moves, moves, sizeof *moves * (size_t)n);
    return true;
}

static bool must_stop(Perft *p) {
    p->stopped = p->stopped || (p->halt && p->halt(p->with));
    return p->stopped;
}

// Machine code counts whole trees of, by a guess, this size: soon over, so that
// `halt` is asked. Deeper trees grow more than the moves at their top
// tell, so less is trusted to be small.
#define BULK_DEPTH 3
#define BULK_NODES 3e7
#define DEEP_DEPTH 7
#define DEEP_FACTOR 20.0 // a position may soon have so many moves

static bool is_small(Perft *p, const uint8_t *state, int depth) {
    if (depth < 2 || depth > DEEP_DEPTH)
        return depth == 1;
    double n = (double)runner_count(p->runner, state), nodes = n;
    for (int i = 1; i < depth; i++)
        nodes *= depth > BULK_DEPTH && n < DEEP_FACTOR ? DEEP_FACTOR : n;
    return nodes < BULK_NODES;
}

static int64_t count(Perft *p, const uint8_t *state, int depth) {
    if (depth == 0)
        return 1;
    if (depth > 1 && must_stop(p))
        return -1;
    int64_t bulk = is_small(p, state, depth) ? runner_native_perft(p->runner, state, depth) : -1;
    if (bulk >= 0) {
        p->leaves += bulk;
        return bulk;
    }
    if (depth == 1) {
        int64_t n = runner_count(p->runner, state);
        p->leaves += n > 0 ? n : 0;
        return n;
    }
    if (p->busy)
        p->busy(p->with);
    struct PerftLevel *level = &p->level[depth];
    const Move *moves;
    int n = runner_moves(p->runner, state, &moves);
    if (!level->state)
        level->state = mem_alloc((size_t)game_state_size(runner_game(p->runner)));
    if (n < 0 || !level->state || !keep_moves(level, moves, n))
        return -1;
    int64_t total = 0;
    for (int i = 0; i < n; i++) {
        if (!runner_apply(p->runner, state, level->moves[i], level->state))
            return -1;
        int64_t below = count(p, level->state, depth - 1);
        if (below < 0)
            return -1;
        total += below;
    }
    return total;
}

int64_t perft_count(Perft *p, const uint8_t *state, int depth) {
    p->stopped = false;
    return count(p, state, depth);
}

void perft_free(Perft *p) {
    for (int i = 0; i <= PERFT_MAX; i++) {
        mem_free(p->level[i].state);
        mem_free(p->level[i].moves);
    }
    *p = (Perft){.runner = p->runner};
}
