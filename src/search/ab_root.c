// ab_root: the moves of the position that is asked about.
//
// They are searched with a narrow window round the last value. A win or a loss that was found with
// reductions is proven, but there may be a shorter one: a plain search to one move less makes the
// distance exact, as long as that does not cost much more than finding it.
#include "search/alphabeta.h"

#include "base/mem.h"

#include <string.h>

#define WINDOW_DEPTH 4 // from here on windows are narrow
#define WINDOW 24      // half of the first one, besides what the value moved last time
// To prove that there is no shorter win, so many times the work of finding it, and so much more.
#define PROOF_TIMES 20
#define PROOF_MORE 2000000

// --- the root ---

static bool root_room(AbThread *t, int count) {
    if (count > t->root_cap) {
        RootMove *root = mem_resize(t->root, sizeof *root * (size_t)count);
        if (!root)
            return false;
        t->root = root;
        t->root_cap = count;
    }
    t->root_count = count;
    return count > 0;
}

static void root_position(AbThread *t) {
    AlphaBeta *ab = t->ab;
    memcpy(ab_state(t, 0), record_now(ab->task->record), (size_t)game_state_size(ab->game));
    t->plies[0].hash = game_hash(ab->game, ab_state(t, 0));
    t->plies[0].move = 0;
    t->move_count = 0;
}

static bool is_left_out(const SearchTask *task, Move move) {
    for (int i = 0; i < task->without_count; i++)
        if (move_equal(task->without[i], move))
            return true;
    return false;
}

bool ab_root_begin(AbThread *t) {
    AlphaBeta *ab = t->ab;
    AbMoves list;
    root_position(t);
    if (!ab_moves(t, 0, &list) || !root_room(t, list.count))
        return false;
    TableEntry e;
    if (ttable_find(&ab->table, ab_key(t, 0, false), &e) && ab_order_first(t, &list, e.move))
        list.next = 1;
    int first = list.next;
    ab_order_rest(t, 0, AB_MAX_DEPTH, &list);
    t->root_count = 0;
    for (int i = 0; i < list.count; i++) {
        size_t at = i < first ? list.begin : ab_order_next(t, &list);
        if (!is_left_out(ab->task, t->moves[at]))
            t->root[t->root_count++] = (RootMove){.move = t->moves[at], .value = -AB_INFINITE};
    }
    ab_release(t, &list);
    return t->root_count > 0;
}

void ab_root_promote(AbThread *t, int from, int to) {
    RootMove move = t->root[from];
    memmove(&t->root[to + 1], &t->root[to], sizeof move * (size_t)(from - to));
    t->root[to] = move;
}

// The moves of the root from `first` on, in their order, as those of any other position.
static bool list_moves(AbThread *t, int first, AbMoves *list) {
    int n = t->root_count - first;
    if ((size_t)n > t->move_cap && !ab_make_room(t, (size_t)n)) {
        t->failed = true;
        return false;
    }
    *list = (AbMoves){.count = n};
    t->move_count = (size_t)n;
    for (int i = 0; i < n; i++) {
        RootMove *root = &t->root[first + i];
        root->raised = false;
        t->moves[i] = root->move;
        t->hashes[i] = ab_move_hash(root->move);
    }
    ab_order_as_listed(t, list);
    return true;
}

void ab_root_note(const AbNode *n, size_t at, Value value, bool raised, int64_t nodes) {
    AbThread *t = n->t;
    RootMove *root = &t->root[t->root_count - n->list.count + (int)at];
    root->value = value;
    root->nodes += nodes;
    root->raised = raised;
    t->raised = t->raised || raised;
    if (raised)
        root->line = t->lines[0];
}

// Each of them was better than those that were noted before: the worse come to `first` first.
static void promote_raised(AbThread *t, int first) {
    for (;;) {
        int least = -1;
        for (int i = first; i < t->root_count; i++)
            if (t->root[i].raised && (least < 0 || t->root[i].value < t->root[least].value))
                least = i;
        if (least < 0)
            return;
        t->root[least].raised = false;
        ab_root_promote(t, least, first);
    }
}

// Searches the moves of the root from `first` on. The best one comes to that place.
static Value root_search(AbThread *t, int depth, int first, Value alpha, Value beta) {
    AbNode n = {.t = t, .depth = depth, .alpha = alpha, .beta = beta};
    n.low = alpha;
    n.high = beta;
    n.best = -AB_INFINITE;
    n.path = AB_NO_PATH;
    ab_trace_root(t, depth, alpha, beta);
    if (!list_moves(t, first, &n.list))
        return n.best;
    bool cut = ab_try_all(&n);
    promote_raised(t, first);
    ab_release(t, &n.list);
    if (ab_stopped(t))
        return n.best;
    if (!cut)
        t->open = n.open;
    trace_close(t->trace, t->plies[0].node, n.best, cut ? TRACE_CUT_HIGH : TRACE_INNER,
                n.list.count - n.tried);
    return n.best;
}

Value ab_root_window(AbThread *t, int depth, int first, Value last, Value moved) {
    int64_t half = WINDOW + 2 * (int64_t)moved;
    Value alpha = -AB_INFINITE, beta = AB_INFINITE;
    bool narrow = depth >= WINDOW_DEPTH && !value_is_proven(last) && last > -AB_INFINITE;
    if (narrow) {
        alpha = (Value)(last - half);
        beta = (Value)(last + half);
    }
    for (;;) {
        Value value = root_search(t, depth, first, alpha, beta);
        if (ab_stopped(t) || (value > alpha && value < beta))
            return value;
        if (alpha == -AB_INFINITE && beta == AB_INFINITE)
            return value;
        half *= 4;
        bool far = half > 20000 || value_is_proven(value);
        if (value <= alpha)
            alpha = far ? -AB_INFINITE : (Value)(value - half);
        else
            beta = far ? AB_INFINITE : (Value)(value + half);
    }
}

// --- exact distances ---

// Plain, to one move less than the win or loss takes.
bool ab_prove_distance(AbThread *t, Value *value) {
    int64_t limit = t->clock.node_limit;
    int64_t budget = t->clock.nodes * (PROOF_TIMES + 1) + PROOF_MORE;
    bool ours = limit == 0 || budget < limit, known = false;
    if (ours)
        t->clock.node_limit = budget;
    t->plain = true;
    while (!known && !ab_stopped(t)) {
        int moves = VALUE_WIN - (*value < 0 ? -*value : *value);
        if (moves <= 1) {
            known = true;
            break;
        }
        Value alpha = *value > 0 ? *value : *value - 1;
        Value found = root_search(t, moves - 1, 0, alpha, alpha + 1);
        if (ab_stopped(t))
            break;
        known = *value > 0 ? found <= alpha : found > alpha;
        if (!known)
            *value = found;
    }
    t->plain = false;
    if (ours) {
        t->clock.node_limit = limit;
        bool spent = t->clock.nodes > budget;
        if (spent && !(t->clock.stop && atomic_load(t->clock.stop)))
            t->clock.over = false; // only what was allowed for this
    }
    return known;
}
