// ab_order: which move of a position is looked at first.
//
//   1. the move of the table
//   2. a win at once, which needs no search at all
//   3. moves that are forcing (forcing.h), moves that refuted a neighbour of this position
//      (killers) or the move before (counter moves)
//   4. the rest by what the heuristic says of the positions they lead to, where the search is deep
//      enough to pay for that, by the priorities that a rule set gives them, where it is deeper
//      still (byte to depth 7: 14 % fewer positions; nearer to the leaves asking costs more than it
//      saves), and by how often they were good elsewhere (history)
//
// Moves are known by their hashes: the same choices are the same move, whatever the position.
#include "search/alphabeta.h"

#include "base/mem.h"

#include <string.h>

#define LOOK_DEPTH 3   // from here on every move is played once to see what it does,
#define LOOK_EARLY 2   //   or from here where the last ply does not do that itself (ab_frontier.c),
#define WORTH_DEPTH 4  //   and the position behind it is estimated
#define PREFER_DEPTH 6 // from here on the priorities of moves are asked for, where there are any
#define HISTORY_MOST 16384
#define SCORE_LOSES (-(1 << 28))
#define SCORE_KILLER 20000
#define SCORE_COUNTER 16000
#define SCORE_SURE (SCORE_KILLER + HISTORY_MOST / 2)
#define SCORE_WORTH 8000 // for a move that changes the estimate as much as moves do on the average
#define SCORE_PREFERRED 2000 // for a move that the rules prefer twice as much as another
enum { STAGE_READY, STAGE_KNOWN, STAGE_KNOWN_2, STAGE_SCORE }; // of AbMoves
#define PICKED 12 // so many are picked one by one; if more are needed, the rest is sorted

// Lists moves behind those of the path, as many as there is room for; returns how many there are.
static int list_behind(AbThread *t, int ply) {
    size_t room = t->move_cap - t->move_count;
    return runner_list(t->runner, ab_state(t, ply), t->moves + t->move_count,
                       room < INT32_MAX ? (int)room : INT32_MAX);
}

bool ab_list(AbThread *t, int ply, AbMoves *list) {
    int n = list_behind(t, ply);
    *list = (AbMoves){.begin = t->move_count};
    if (n > 0 && t->move_count + (size_t)n > t->move_cap)
        n = ab_make_room(t, (size_t)n) ? list_behind(t, ply) : -1;
    if (n < 0) {
        t->failed = true;
        return false;
    }
    t->move_count += (size_t)n;
    list->count = n;
    return true;
}

bool ab_moves(AbThread *t, int ply, AbMoves *list) {
    if (!ab_list(t, ply, list))
        return false;
    for (size_t i = list->begin; i < t->move_count; i++)
        t->hashes[i] = ab_move_hash(t->moves[i]);
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
    uint64_t *order = mem_resize(t->order, sizeof *order * cap);
    t->order = order ? order : t->order;
    if (!moves || !scores || !hashes || !order)
        return false;
    t->move_cap = cap;
    return true;
}

void ab_release(AbThread *t, const AbMoves *list) {
    t->move_count = list->begin;
}

// The order is a list of numbers, the score above the place of the move in the list (counted
// backwards: of equal ones the first comes first). The moves themselves stay where they are.

static uint64_t order_of(int32_t score, int place) {
    return (uint64_t)((uint32_t)score ^ 0x80000000u) << 32 | (0xffffffffu - (uint32_t)place);
}

static size_t place_of(const AbMoves *list, uint64_t order) {
    return list->begin + (size_t)(0xffffffffu - (uint32_t)order);
}

static void swap(AbThread *t, size_t a, size_t b) {
    Move move = t->moves[a];
    uint32_t hash = t->hashes[a];
    t->moves[a] = t->moves[b];
    t->hashes[a] = t->hashes[b];
    t->moves[b] = move;
    t->hashes[b] = hash;
}

bool ab_order_first(AbThread *t, AbMoves *list, uint32_t hash) {
    const uint32_t *hashes = t->hashes + list->begin;
    for (int i = list->next; i < list->count; i++)
        if (hashes[i] == hash) {
            swap(t, list->begin + (size_t)i, list->begin + (size_t)list->next);
            t->order[list->begin + (size_t)list->next] = order_of(0, list->next);
            return true;
        }
    return false;
}

// --- scores ---

// What is learnt about the moves of a position.
typedef struct Learnt {
    const int32_t *history;
    uint32_t killer[2], counter;
} Learnt;

static Learnt learnt_at(const AbThread *t, int ply) {
    const AbPly *here = &t->plies[ply];
    return (Learnt){.history = t->history[ab_side(t->ab, ab_state(t, ply))],
                    .killer = {here->killer[0], here->killer[1]},
                    .counter = t->counter[here->move % AB_HISTORY]};
}

static inline int32_t learnt_score(const Learnt *l, uint32_t hash) {
    int32_t score = l->history[hash % AB_HISTORY];
    score += hash == l->killer[0] || hash == l->killer[1] ? SCORE_KILLER : 0;
    return score + (hash == l->counter ? SCORE_COUNTER : 0);
}

// How good a position looks for the side that moved there, in shares of what moves usually change.
static int32_t look_worth(AbThread *t, Value change) {
    int64_t size = change < 0 ? -(int64_t)change : change;
    t->usual_change += ((size << 8) - t->usual_change) / 256;
    int64_t usual = (t->usual_change >> 8) + 1;
    int64_t score = (int64_t)SCORE_WORTH * change / usual;
    return (int32_t)(score > 4 * SCORE_WORTH    ? 4 * SCORE_WORTH
                     : score < -4 * SCORE_WORTH ? -4 * SCORE_WORTH
                                                : score);
}

typedef struct OrderLook {
    int ply, depth, side;
    bool worth; // estimates are asked for
    Value now;  // that of the position itself
} OrderLook;

// What the position behind a move shows; `value` is its estimate. True if the move wins at once.
static bool look(AbThread *t, const OrderLook *l, size_t at, const uint8_t *after, Value value) {
    const AlphaBeta *ab = t->ab;
    const uint8_t *before = ab_state(t, l->ply);
    int result = after[ab->game->ir->layout.result];
    bool same = ab_side(ab, after) == l->side;
    if (result) {
        value = ab_end_value(t, after, result, 0);
        value = same ? value : -value;
        t->scores[at] = value >= VALUE_SURE    ? -SCORE_LOSES
                        : value <= -VALUE_SURE ? SCORE_LOSES
                                               : t->scores[at];
        return value >= VALUE_SURE;
    }
    if (l->depth > 2 || !ab_has_frontier(t))
        ttable_prefetch(&ab->table, game_hash(ab->game, after) ^ ab->key_salt);
    if (forcing_any(&ab->forcing) && forcing_is(&ab->forcing, before, after))
        t->scores[at] += AB_SCORE_FORCING;
    if (t->reasoner && l->depth >= PREFER_DEPTH)
        t->scores[at] +=
            (int32_t)(SCORE_PREFERRED * player_doublings(t->reasoner, before, t->moves[at], after));
    if (l->worth)
        t->scores[at] += look_worth(t, (same ? value : -value) - l->now);
    return false;
}

// Many moves at a time. The place of one that wins at once, or `end`.
static size_t look_at_all(AbThread *t, const OrderLook *l, size_t begin, size_t end) {
    size_t size = (size_t)game_state_size(t->ab->game);
    Value values[AB_FRONT] = {0};
    int n;
    for (size_t from = begin; from < end && !ab_stopped(t); from += (size_t)n) {
        n = clock_most(&t->clock, end - from < AB_FRONT ? (int)(end - from) : AB_FRONT);
        if (!runner_children(t->runner, ab_state(t, l->ply), t->moves + from, n, t->front, NULL)) {
            t->failed = true;
            break;
        }
        clock_count(&t->clock, n);
        if (l->worth)
            ab_estimates(t, t->front, n, values);
        for (size_t i = 0; i < (size_t)n; i++)
            if (look(t, l, from + i, t->front + i * size, values[i]))
                return from + i;
    }
    return end;
}

static void set_order(AbThread *t, const AbMoves *list) {
    const int32_t *scores = t->scores + list->begin;
    uint64_t *order = t->order + list->begin;
    for (int i = list->next; i < list->count; i++)
        order[i] = order_of(scores[i], i);
}

void ab_order_as_listed(AbThread *t, const AbMoves *list) {
    for (int i = list->next; i < list->count; i++) {
        t->scores[list->begin + (size_t)i] = 0;
        t->order[list->begin + (size_t)i] = order_of(0, i);
    }
}

bool ab_order_rest(AbThread *t, int ply, int depth, AbMoves *list) {
    if (depth < (ab_has_frontier(t) ? LOOK_EARLY : LOOK_DEPTH) ||
        list->count < 2) { // scored when they are taken
        list->ply = ply;
        list->stage = STAGE_KNOWN;
        return false;
    }
    const uint8_t *state = ab_state(t, ply);
    Learnt known = learnt_at(t, ply);
    size_t begin = list->begin + (size_t)list->next, end = list->begin + (size_t)list->count;
    for (size_t i = begin; i < end; i++)
        t->scores[i] = learnt_score(&known, t->hashes[i]);
    OrderLook l = {.ply = ply, .depth = depth, .side = ab_side(t->ab, state)};
    l.worth = depth >= WORTH_DEPTH;
    bool open = t->open;
    if (l.worth)
        l.now = ab_estimate(t, state);
    size_t wins = look_at_all(t, &l, begin, end);
    t->open = open;
    if (wins < end) {
        t->scores[wins] = t->scores[begin];
        t->scores[begin] = -SCORE_LOSES;
        swap(t, begin, wins);
        set_order(t, list);
        return true;
    }
    set_order(t, list);
    return false;
}

// --- taking ---

// Shell's sort, best first: in place, and short lists are the rule.
static void sort(uint64_t *order, int count) {
    static const int gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++)
        for (int gap = gaps[g], i = gap; i < count; i++) {
            uint64_t one = order[i];
            int k = i;
            for (; k >= gap && one > order[k - gap]; k -= gap)
                order[k] = order[k - gap];
            order[k] = one;
        }
}

// At the last ply most positions are cut by a move that refuted others: it is taken before all the
// moves are scored. False: it is not among them.
static bool take_known(AbThread *t, AbMoves *list, size_t *at) {
    Learnt known = learnt_at(t, list->ply);
    while (list->stage < STAGE_SCORE) {
        uint32_t hash = known.killer[list->stage++ - STAGE_KNOWN];
        bool first = learnt_score(&known, hash) >= SCORE_SURE; // no other one has a higher score
        if (hash && first && ab_order_first(t, list, hash)) {
            *at = list->begin + (size_t)list->next++;
            return true;
        }
    }
    return false;
}

static void score_rest(AbThread *t, AbMoves *list) {
    Learnt known = learnt_at(t, list->ply);
    const uint32_t *hashes = t->hashes + list->begin;
    uint64_t *order = t->order + list->begin;
    for (int i = list->next; i < list->count; i++)
        order[i] = order_of(learnt_score(&known, hashes[i]), i);
    list->stage = STAGE_READY;
}

size_t ab_order_next(AbThread *t, AbMoves *list) {
    if (list->stage != STAGE_READY) {
        size_t at;
        if (take_known(t, list, &at))
            return at;
        score_rest(t, list);
    }
    uint64_t *order = t->order + list->begin + list->next;
    int left = list->count - list->next++;
    if (list->next == PICKED)
        sort(order, left);
    if (list->next < PICKED) {
        uint64_t best = order[0];
        int at = 0;
        for (int i = 1; i < left; i++) { // without a branch: it would be guessed wrong
            bool better = order[i] > best;
            at = better ? i : at;
            best = better ? order[i] : best;
        }
        order[at] = order[0];
        order[0] = best;
    }
    return place_of(list, order[0]);
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
    for (int i = 0; i < list->next; i++) {
        size_t at = place_of(list, t->order[list->begin + (size_t)i]);
        if (at == best)
            break;
        credit(&t->history[side][t->hashes[at] % AB_HISTORY], -bonus);
    }
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
