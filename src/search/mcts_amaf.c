// mcts_amaf: all moves as first (RAVE, GRAVE): what a move is worth by the games in which its
// effect came about at any time, by whomever's way.
//
// Random games run as machine code that does not tell its moves. Where each move lays one piece and
// does nothing else, they are on the board at the end: pieces that were not there before. So the
// effect of a move is the piece it lays, and a game counts for all effects that it ends with.
// In all other games the effect is the move itself, as a number below MOVE_EFFECTS that few others
// share, and the games that count are played move by move, which takes some times as long.
//
// Nodes with many visits have a table of all effects. A node below takes the table of the nearest
// node above that has one (GRAVE): few visits need much company. There are TABLES of them; they
// begin anew with every search.
#include "search/mcts.h"

#include "base/bits.h"

#include <string.h>

#define TABLES 64
#define TABLE_VISITS 400 // of a node that gets one
#define MOVE_EFFECTS 4096

bool mcts_amaf_begin(Mcts *m) {
    int effects = m->game->ir->planes * m->game->ir->board->cells;
    m->by_moves = !m->laying || effects == 0 || effects >= MCTS_NO_EFFECT;
    m->effects = m->by_moves ? MOVE_EFFECTS : effects;
    m->tallies = mem_alloc(sizeof *m->tallies * (size_t)m->effects * TABLES);
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

// Games where pieces are only ever laid, one at a time, and where there are many places to choose
// from: what a piece is good for hardly depends on when it is laid. In hex that wins nine games of
// ten against a search without, on narrow boards or where pieces move it loses most of them.
#define SUITS_MOVES 64
#define SUITS_VISITS 200

double mcts_amaf_suits(const Mcts *m) {
    return m->laying && m->moves >= SUITS_MOVES ? SUITS_VISITS : 0;
}

// --- counting ---

static uint64_t word_of(const uint8_t *state, int offset) {
    uint64_t word;
    memcpy(&word, state + offset, sizeof word);
    return word;
}

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

uint16_t mcts_move_effect(const Mcts *m, Move move, int player) {
    uint64_t x = (uint64_t)player;
    for (int i = 0; i < (m->move_bytes < 16 ? 1 : 2); i++)
        x = rng_splitmix(&(uint64_t){x ^ move.w[i]});
    return (uint16_t)(x % MOVE_EFFECTS);
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

static void note(MctsWorker *w, int effect, int reward) {
    for (int k = 0; k < w->table_count; k++) {
        MctsTally *t = &w->tables[k][effect];
        MCTS_STORE(t->visits, MCTS_LOAD(t->visits) + 1);
        MCTS_STORE(t->sum, MCTS_LOAD(t->sum) + reward);
    }
}

void mcts_amaf_note_moves(MctsWorker *w, int result) {
    const Mcts *m = w->shared->mcts;
    int reward[IR_MAX_PLAYERS];
    for (int p = 0; p < m->game->ir->players; p++)
        reward[p] = mcts_reward(m, result, p);
    for (int i = 0; i < w->depth; i++)
        note(w, w->path[i].edge->effect, reward[w->path[i].node->player]);
    for (int i = 0; i < w->trail_length; i++)
        note(w, w->trail[i].effect, reward[w->trail[i].player]);
}

// Goes through the pieces that stand at the end and did not stand at the root.
void mcts_amaf_note(MctsWorker *w, const uint8_t *end, int result) {
    const MctsShared *s = w->shared;
    const Mcts *m = s->mcts;
    const IrGame *ir = m->game->ir;
    for (int p = 0; p < ir->planes; p++) {
        int owner = ir->plane[p].owner;
        int reward = owner < ir->players ? mcts_reward(m, result, owner) : 0;
        for (int i = 0; i < ir->board->words && owner < ir->players; i++) {
            int at = ir->plane[p].offset + 8 * i, base = p * ir->board->cells + 64 * i;
            for (uint64_t fresh = word_of(end, at) & ~word_of(s->root, at); fresh;
                 fresh &= fresh - 1) {
                note(w, base + bits_lowest(fresh), reward);
            }
        }
    }
}
