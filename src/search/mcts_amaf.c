// mcts_amaf: all moves as first (RAVE, GRAVE): what a move is worth by the games in which its
// effect came about at any time, by whomever's way.
//
// Random games run as machine code that does not tell its moves. What is left of them is on the
// board at the end: a piece of some kind on some cell that was not there before. So the effect of a
// move is the first such change it makes, and a game counts for all effects that it ends with. In
// games of laying pieces that is the same as counting moves.
//
// Nodes with many visits have a table of all effects. A node below takes the table of the nearest
// node above that has one (GRAVE): few visits need much company. There are TABLES of them; they
// begin anew with every search.
#include "search/mcts.h"

#include "base/bits.h"

#include <string.h>

#define TABLES 64
#define TABLE_VISITS 400 // of a node that gets one

bool mcts_amaf_begin(Mcts *m) {
    int effects = m->game->ir->planes * m->game->ir->board->cells;
    if (effects == 0 || effects >= MCTS_NO_EFFECT)
        return true;
    m->effects = effects;
    m->tallies = mem_alloc(sizeof *m->tallies * (size_t)effects * TABLES);
    return m->tallies != NULL;
}

void mcts_amaf_end(Mcts *m) {
    mem_free(m->tallies);
}

void mcts_amaf_forget(Mcts *m) {
    m->epoch = (m->epoch + 1) & 0xffffff;
    size_t used = (size_t)MCTS_LOAD(m->tables);
    if (m->tallies)
        memset(m->tallies, 0,
               sizeof *m->tallies * (size_t)m->effects * (used < TABLES ? used : TABLES));
    MCTS_STORE(m->tables, 0);
}

// --- whether it suits the game ---

// Games where pieces are only ever laid, one at a time, and where there are many places to choose
// from: what a piece is good for hardly depends on when it is laid. In hex that wins nine games of
// ten against a search without, on narrow boards or where pieces move it loses most of them.
#define SUITS_MOVES 64
#define SUITS_GAMES 2
#define SUITS_PLIES 40
#define SUITS_VISITS 200

static uint64_t word_of(const uint8_t *state, int offset) {
    uint64_t word;
    memcpy(&word, state + offset, sizeof word);
    return word;
}

// Whether a move has laid one piece and changed nothing else on the board.
static bool lays_one(const IrGame *ir, const uint8_t *before, const uint8_t *after) {
    int laid = 0;
    for (int p = 0; p < ir->planes; p++)
        for (int w = 0; w < ir->board->words; w++) {
            int at = ir->plane[p].offset + 8 * w;
            uint64_t old = word_of(before, at), new = word_of(after, at);
            if (old & ~new)
                return false;
            laid += bits_count(new & ~old);
        }
    return laid == 1;
}

double mcts_amaf_suits(const Mcts *m, Runner *r, uint8_t *before, uint8_t *after) {
    const Game *g = m->game;
    if (!m->tallies || runner_count(r, g->start) < SUITS_MOVES)
        return 0;
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < SUITS_GAMES; i++) {
        memcpy(before, g->start, (size_t)game_state_size(g));
        for (int ply = 0; ply < SUITS_PLIES; ply++) {
            Move move;
            if (runner_random(r, before, rng_next(&rng), &move) != 1)
                break;
            if (!runner_apply(r, before, move, after) || !lays_one(g->ir, before, after))
                return 0;
            memcpy(before, after, (size_t)game_state_size(g));
        }
    }
    return SUITS_VISITS;
}

// --- counting ---

// Pieces of the player who moves come before others.
uint16_t mcts_effect(const Mcts *m, const uint8_t *before, const uint8_t *after, int player) {
    const IrGame *ir = m->game->ir;
    uint16_t found = MCTS_NO_EFFECT;
    for (int p = 0; p < ir->planes; p++) {
        bool own = ir->plane[p].owner == player;
        for (int w = 0; w < ir->board->words; w++) {
            int at = ir->plane[p].offset + 8 * w;
            uint64_t fresh = word_of(after, at) & ~word_of(before, at);
            if (!fresh)
                continue;
            uint16_t effect = (uint16_t)(p * ir->board->cells + 64 * w + bits_lowest(fresh));
            if (own)
                return effect;
            found = found == MCTS_NO_EFFECT ? effect : found;
        }
    }
    return found;
}

MctsTally *mcts_table(MctsWorker *w, MctsNode *n) {
    Mcts *m = w->shared->mcts;
    uint32_t tag = MCTS_LOAD(n->table);
    if (tag >> 8 != m->epoch || !tag) {
        if (MCTS_LOAD(n->visits) < (uint32_t)(TABLE_VISITS * w->batch) ||
            MCTS_LOAD(m->tables) >= TABLES)
            return NULL;
        uint32_t number = atomic_fetch_add_explicit(&m->tables, 1, memory_order_relaxed);
        if (number >= TABLES)
            return NULL;
        tag = m->epoch << 8 | number;
        MCTS_STORE(n->table, tag);
    }
    return m->tallies + (size_t)(tag & 0xff) * (size_t)m->effects;
}

// Goes through the pieces that stand at the end and did not stand at the root.
void mcts_amaf_note(MctsWorker *w, const uint8_t *end, int result) {
    const MctsShared *s = w->shared;
    const Mcts *m = s->mcts;
    const IrGame *ir = m->game->ir;
    for (int p = 0; p < ir->planes; p++) {
        int owner = ir->plane[p].owner;
        int reward = owner < ir->players ? mcts_reward(m->game, result, owner) : 0;
        for (int i = 0; i < ir->board->words && owner < ir->players; i++) {
            int at = ir->plane[p].offset + 8 * i, base = p * ir->board->cells + 64 * i;
            for (uint64_t fresh = word_of(end, at) & ~word_of(s->root, at); fresh;
                 fresh &= fresh - 1) {
                int effect = base + bits_lowest(fresh);
                for (int k = 0; k < w->table_count; k++) {
                    MctsTally *t = &w->tables[k][effect];
                    MCTS_STORE(t->visits, MCTS_LOAD(t->visits) + 1);
                    MCTS_STORE(t->sum, MCTS_LOAD(t->sum) + reward);
                }
            }
        }
    }
}
