// mcts_look: what kind of game it is, by a few random games; see mcts.h.
#include "search/mcts.h"

#include "base/bits.h"

#include <string.h>

#define LOOK_GAMES 2
#define LOOK_PLIES 40

static uint64_t word_of(const uint8_t *state, int plane, int w, const IrGame *ir) {
    uint64_t word;
    memcpy(&word, state + ir->plane[plane].offset + 8 * w, sizeof word);
    return word;
}

static int taken_cells(const IrGame *ir, const uint8_t *state) {
    int count = 0;
    for (int w = 0; w < ir->board->words; w++) {
        uint64_t any = 0;
        for (int p = 0; p < ir->planes; p++)
            any |= word_of(state, p, w, ir);
        count += bits_count(any);
    }
    return count;
}

static bool lays_one(const IrGame *ir, const uint8_t *before, const uint8_t *after) {
    int laid = 0;
    for (int p = 0; p < ir->planes; p++)
        for (int w = 0; w < ir->board->words; w++) {
            uint64_t old = word_of(before, p, w, ir), new = word_of(after, p, w, ir);
            if (old & ~new)
                return false;
            laid += bits_count(new & ~old);
        }
    return laid == 1;
}

void mcts_look(Mcts *m, Runner *r, uint8_t *before, uint8_t *after) {
    const Game *g = m->game;
    size_t size = (size_t)game_state_size(g);
    int64_t moves = runner_count(r, g->start);
    m->moves = moves < 0 ? 0 : moves > 1000000 ? 1000000 : (int)moves;
    m->laying = m->filling = true;
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < LOOK_GAMES && (m->laying || m->filling); i++) {
        memcpy(before, g->start, size);
        for (int ply = 0; ply < LOOK_PLIES; ply++) {
            Move move;
            if (runner_random(r, before, rng_next(&rng), &move) != 1 ||
                !runner_apply(r, before, move, after))
                break;
            bool pass = move_is_pass(move);
            m->laying = m->laying && lays_one(g->ir, before, after);
            m->filling =
                m->filling && (pass || taken_cells(g->ir, after) > taken_cells(g->ir, before));
            memcpy(before, after, size);
        }
    }
}
