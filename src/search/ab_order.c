// ab_order: which move of a position is looked at first.
//
//   1. the move of the table
//   2. a win at once, which needs no search at all
//   3. moves that are forcing (forcing.h), moves that refuted a neighbour of this position
//      (killers) or the move before (counter moves)
//   4. the rest by what the heuristic says of the positions they lead to, where the search is deep
//      enough to pay for that, and by how often they were good elsewhere (history)
//
// Moves are known by their hashes: the same choices are the same move, whatever the position.
#include "search/alphabeta.h"

#include "base/mem.h"

#include <string.h>

#define LOOK_DEPTH 2  // from here on every move is played once to see what it does
#define WORTH_DEPTH 4 //   and the position behind it is estimated
#define HISTORY_MOST 16384
#define SCORE_LOSES (-(1 << 28))
#define SCORE_KILLER 20000
#define SCORE_COUNTER 16000
#define SCORE_WORTH 8000 // for a move that changes the estimate as much as moves do on the average
#define PICKED 12        // so many are picked one by one; if more are needed, the rest is sorted

bool ab_moves(AbThread *t, int ply, AbMoves *list) {
    const Move *moves;
    int n = runner_moves(t->runner, ab_state(t, ply), &moves);
    *list = (AbMoves){.begin = t->move_count};
    if (n < 0) {
        t->failed = true;
        return false;
    }
    if (t->move_count + (size_t)n > t->move_cap && !ab_make_room(t, (size_t)n)) {
        t->failed = true;
        return false;
    }
    memcpy(t->moves + t->move_count, moves, sizeof *moves * (size_t)n);
    for (int i = 0; i < n; i++)
        t->hashes[t->move_count + (size_t)i] = ab_move_hash(moves[i]);
    t->move_count += (size_t)n;
    list->count = n;
    return true;
}

bool ab_make_room(AbThread *t, size_t more) {
    size_t cap = 2 * t->move_cap + more;
    Move *moves = mem_resize(t->moves, sizeof *moves * cap);
    t->moves = moves ? moves : t->moves;
    int32_t *scores = mem_resize(t->scores, sizeof *scores * cap);
    t->scores = scores ? scores : t->scores;
    uint32_t *hashes = mem_resize(t->hashes, sizeof *hashes * cap);
    t->hashes = hashes ? hashes : t->hashes;
    if (!moves || !scores || !hashes)
        return false;
    t->move_cap = cap;
    return true;
}

void ab_release(AbThread *t, const AbMoves *list) {
    t->move_count = list->begin;
}

static void swap(AbThread *t, size_t a, size_t b) {
    Move move = t->moves[a];
    int32_t score = t->scores[a];
    uint32_t hash = t->hashes[a];
    t->moves[a] = t->moves[b];
    t->scores[a] = t->scores[b];
    t->hashes[a] = t->hashes[b];
    t->moves[b] = move;
    t->scores[b] = score;
    t->hashes[b] = hash;
}

bool ab_order_first(AbThread *t, AbMoves *list, uint32_t hash) {
    for (int i = list->next; i < list->count; i++)
        if (t->hashes[list->begin + (size_t)i] == hash) {
            swap(t, list->begin + (size_t)i, list->begin + (size_t)list->next);
            return true;
        }
    return false;
}

// --- scores ---

static int32_t learnt(const AbThread *t, int ply, int side, uint32_t hash) {
    const AbPly *here = &t->plies[ply];
    int32_t score = t->history[side][hash % AB_HISTORY];
    if (hash == here->killer[0] || hash == here->killer[1])
        score += SCORE_KILLER;
    if (hash == t->counter[here->move % AB_HISTORY])
        score += SCORE_COUNTER;
    return score;
}

// How good a position looks for the side that moved there, in shares of what moves usually change.
static int32_t look_worth(AbThread *t, const uint8_t *after, int side, Value now) {
    bool open = t->open;
    Value value = ab_estimate(t, after);
    t->open = open;
    if (ab_side(t->ab, after) != side)
        value = -value;
    Value change = value - now;
    int64_t size = change < 0 ? -(int64_t)change : change;
    t->usual_change += ((size << 8) - t->usual_change) / 256;
    int64_t usual = (t->usual_change >> 8) + 1;
    int64_t score = (int64_t)SCORE_WORTH * change / usual;
    return (int32_t)(score > 4 * SCORE_WORTH    ? 4 * SCORE_WORTH
                     : score < -4 * SCORE_WORTH ? -4 * SCORE_WORTH
                                                : score);
}

// What playing the move shows. True if it wins at once.
static bool look(AbThread *t, int ply, int depth, int others, Value now, size_t at) {
    const AlphaBeta *ab = t->ab;
    const uint8_t *before = ab_state(t, ply);
    uint8_t *after = ab_state(t, ply + 1);
    int side = ab_side(ab, before);
    if (!runner_apply(t->runner, before, t->moves[at], after)) {
        t->failed = true;
        return false;
    }
    int result = after[ab->game->ir->layout.result];
    if (result) {
        Value value = ab_end_value(t, after, result, 0);
        if (ab_side(ab, after) != side)
            value = -value;
        t->scores[at] = value > 0 ? -SCORE_LOSES : value < 0 ? SCORE_LOSES : t->scores[at];
        return value >= VALUE_SURE;
    }
    if (forcing_any(&ab->forcing) && forcing_is(&ab->forcing, before, others, after))
        t->scores[at] += AB_SCORE_FORCING;
    if (depth >= WORTH_DEPTH)
        t->scores[at] += look_worth(t, after, side, now);
    return false;
}

bool ab_order_rest(AbThread *t, int ply, int depth, AbMoves *list) {
    const uint8_t *state = ab_state(t, ply);
    int side = ab_side(t->ab, state);
    size_t begin = list->begin + (size_t)list->next, end = list->begin + (size_t)list->count;
    for (size_t i = begin; i < end; i++)
        t->scores[i] = learnt(t, ply, side, t->hashes[i]);
    if (depth < LOOK_DEPTH || list->count < 2)
        return false;
    int others = forcing_any(&t->ab->forcing)
                     ? forcing_others(&t->ab->forcing, state, game_player(t->ab->game, state))
                     : 0;
    bool open = t->open;
    Value now = depth >= WORTH_DEPTH ? ab_estimate(t, state) : 0;
    t->open = open;
    for (size_t i = begin; i < end && !ab_stopped(t); i++) {
        clock_over(&t->clock);
        if (look(t, ply, depth, others, now, i)) {
            swap(t, begin, i);
            return true;
        }
    }
    return false;
}

// --- taking ---

// Shell's sort, best first: in place, and short lists are the rule.
static void sort(AbThread *t, size_t begin, size_t end) {
    static const size_t gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++)
        for (size_t i = begin + gaps[g]; i < end; i++)
            for (size_t k = i; k >= begin + gaps[g] && t->scores[k] > t->scores[k - gaps[g]];
                 k -= gaps[g])
                swap(t, k, k - gaps[g]);
}

size_t ab_order_next(AbThread *t, AbMoves *list) {
    size_t begin = list->begin + (size_t)list->next++, end = list->begin + (size_t)list->count;
    if (list->next == PICKED)
        sort(t, begin, end);
    if (list->next >= PICKED)
        return begin;
    size_t best = begin;
    for (size_t i = begin + 1; i < end; i++)
        if (t->scores[i] > t->scores[best])
            best = i;
    if (best != begin)
        swap(t, begin, best);
    return begin;
}

// --- learning ---

static void credit(int32_t *entry, int32_t bonus) {
    int32_t size = bonus < 0 ? -bonus : bonus;
    *entry += bonus - (int32_t)((int64_t)*entry * size / HISTORY_MOST);
}

void ab_learn(AbThread *t, int ply, int depth, const AbMoves *list, size_t best) {
    AbPly *here = &t->plies[ply];
    int side = ab_side(t->ab, ab_state(t, ply));
    uint32_t hash = t->hashes[best];
    int32_t bonus = depth < 10 ? 16 * depth * depth + 16 * depth : 1760;
    credit(&t->history[side][hash % AB_HISTORY], bonus);
    for (size_t i = list->begin; i < best; i++)
        credit(&t->history[side][t->hashes[i] % AB_HISTORY], -bonus);
    if (here->killer[0] != hash) {
        here->killer[1] = here->killer[0];
        here->killer[0] = hash;
    }
    t->counter[here->move % AB_HISTORY] = hash;
}

void ab_forget(AbThread *t) {
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < AB_HISTORY; i++)
            t->history[side][i] /= 2;
    for (int i = 0; i < AB_MAX_PLY; i++)
        t->plies[i].killer[0] = t->plies[i].killer[1] = 0;
}
