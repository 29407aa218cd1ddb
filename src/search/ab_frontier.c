// ab_frontier: positions one move before the end of the depth, where most of a search takes place.
//
// All that is wanted of the positions behind is an estimate. So they are made and estimated many at
// a time, without an order, without keys and without the table: that takes less time than to find
// out which of them could be left out. Only the move that refuted a neighbour is tried before.
//
// Not where estimates take long, so that each one that is left out counts, and not where a player
// has several moves in a row: these lead to the same positions in many orders, and the table knows
// them. Repetition is not looked for behind the last move: one ply deeper it is seen.
#include "search/alphabeta.h"

#include "base/mem.h"

#define FAR 2   // usual changes of the estimate by which it must be above the window
#define FIRST 4 // moves that are looked at together first: often one of them is too good,
#define STEP 4  //   and so many times more each time after

typedef struct Front {
    AbThread *t;
    int ply, side;
    Value alpha, beta;
    size_t begin;      // of the moves; searching may move them to another place in memory
    int count, looked; // all moves; those that were looked at
    Value best;
    int best_at;
    bool best_open, open; // what the best, and any, rests on
} Front;

static Move *moves_of(const Front *f) {
    return f->t->moves + f->begin;
}

bool ab_frontier_begin(AbThread *t) {
    size_t size = (size_t)game_state_size(t->ab->game);
    t->front = mem_alloc(size * AB_FRONT);
    return t->front != NULL;
}

// --- one position behind ---

// The move is worth more than an estimate: its player goes on after it, or it can be answered in
// kind. Then the position behind it is searched.
static bool is_searched(const Front *f, const uint8_t *after, Value value) {
    const AbThread *t = f->t;
    const Forcing *forcing = &t->ab->forcing;
    bool same = ab_side(t->ab, after) == f->side;
    if (same ? f->ply >= 2 * t->iteration || !forcing_any(forcing) : !forcing->exchanges)
        return false;
    if (!same && !forcing->compulsory && value <= f->alpha)
        return false; // it need not be answered
    return forcing_is(forcing, ab_state(t, f->ply), after);
}

static void take(Front *f, int at, Value value, bool open) {
    f->open = f->open || open;
    if (value > f->best) {
        f->best = value;
        f->best_at = at;
        f->best_open = open;
    }
}

static void note(Front *f, int at, Value value, bool open) {
    AbThread *t = f->t;
    if (t->trace) { // as if it had been searched
        t->plies[f->ply + 1].played = moves_of(f)[at];
        ab_trace_enter(t, f->ply, 0, f->alpha, f->beta);
        ab_trace_why(t, f->ply + 1, open ? TRACE_ESTIMATE : TRACE_OVER, 0);
        ab_trace_leave(t, f->ply, value);
    }
    take(f, at, value, open);
}

// Who goes on, or has no choice, looks one ply deeper.
static void search_behind(Front *f, int at) {
    AbThread *t = f->t;
    Value low = f->best > f->alpha ? f->best : f->alpha;
    Move move = moves_of(f)[at];
    ab_play(t, f->ply, move, ab_move_hash(move));
    if (ab_stopped(t))
        return;
    bool same = ab_side(t->ab, ab_state(t, f->ply + 1)) == f->side;
    int depth = (same || f->count == 1) && f->ply < 2 * t->iteration;
    Value value = ab_child(t, f->ply, depth, 0, low, f->beta);
    take(f, at, value, t->open);
}

// The position behind is over, or its player is stuck. False if the game goes on.
static bool note_end(Front *f, int at, const uint8_t *after) {
    AbThread *t = f->t;
    int result = runner_result(t->runner, after);
    t->failed = t->failed || result < 0;
    if (result <= 0)
        return false;
    bool drawn = (result & ~RESULT_OVER) == 0;
    Value value = ab_end_value(t, after, result, f->ply + 1);
    note(f, at, ab_side(t->ab, after) == f->side ? value : -value,
         t->ab->clocks == CLOCKS_DRAW && drawn);
    return true;
}

// --- many ---

// Looks at the moves from `from` to `to`, at most AB_FRONT. True if one is too good, or it has to
// stop.
static bool look(Front *f, int from, int to) {
    AbThread *t = f->t;
    const Game *g = t->ab->game;
    const uint8_t *before = ab_state(t, f->ply), *after = t->front;
    int n = to - from, searched = 0;
    uint8_t can_move[AB_FRONT];
    Value values[AB_FRONT];
    uint8_t wait[AB_FRONT];
    if (!runner_children(t->runner, before, moves_of(f) + from, n, t->front, can_move)) {
        t->failed = true;
        return true;
    }
    ab_estimates(t, t->front, n, values);
    clock_count(&t->clock, n);
    f->looked = to;
    bool may_search = forcing_any(&t->ab->forcing);
    for (int i = 0; i < n; i++, after += game_state_size(g)) {
        if ((after[g->ir->layout.result] || !can_move[i]) && note_end(f, from + i, after))
            continue;
        Value value = ab_side(t->ab, after) == f->side ? values[i] : -values[i];
        if (may_search && is_searched(f, after, value))
            wait[searched++] = (uint8_t)i;
        else
            note(f, from + i, value, true);
    }
    for (int i = 0; i < searched && f->best < f->beta && !ab_stopped(t); i++)
        search_behind(f, from + wait[i]);
    return f->best >= f->beta || ab_stopped(t);
}

static bool look_at_all(Front *f) {
    Move *moves = moves_of(f), refuter = f->t->plies[f->ply].refuter;
    int from = 0;
    for (int i = 0; i < f->count && from == 0; i++)
        if (move_equal(moves[i], refuter)) {
            moves[i] = moves[0];
            moves[0] = refuter;
            if (look(f, 0, 1))
                return true;
            from = 1;
        }
    for (int to, step = FIRST; from < f->count; from = to) {
        to = from + clock_most(&f->t->clock, step < f->count - from ? step : f->count - from);
        step = step * STEP < AB_FRONT ? step * STEP : AB_FRONT;
        if (look(f, from, to))
            return true;
    }
    return false;
}

// --- a position ---

static Value end_here(AbThread *t, int ply) {
    const uint8_t *state = ab_state(t, ply);
    int result = runner_result(t->runner, state);
    t->failed = t->failed || result <= 0;
    return t->failed ? 0 : ab_end_value(t, state, result, ply);
}

static bool is_far_above(AbThread *t, int ply, Value alpha, Value beta, Value *value) {
    int64_t usual = t->usual_change >> 8;
    if (beta - alpha > 1 || usual < 1 || value_is_proven(alpha) || value_is_proven(beta))
        return false;
    *value = ab_estimate(t, ab_state(t, ply));
    t->open = *value - FAR * usual >= beta;
    return t->open;
}

Value ab_frontier(AbThread *t, int ply, Value alpha, Value beta) {
    const uint8_t *state = ab_state(t, ply);
    Value value;
    if (is_far_above(t, ply, alpha, beta, &value)) {
        ab_trace_why(t, ply, TRACE_GUESS, 0);
        return value;
    }
    AbMoves list;
    if (!ab_list(t, ply, &list))
        return 0;
    if (list.count == 0)
        return end_here(t, ply);
    Front f = {.t = t,
               .ply = ply,
               .side = ab_side(t->ab, state),
               .alpha = alpha,
               .beta = beta,
               .begin = list.begin,
               .count = list.count,
               .best = -AB_INFINITE};
    bool cut = false;
    if (list.count == 1)
        search_behind(&f, 0);
    else
        cut = look_at_all(&f);
    if (!ab_stopped(t)) {
        Move move = moves_of(&f)[f.best_at];
        t->open = cut ? f.best_open : f.open;
        t->path = AB_NO_PATH;
        if (f.best > alpha)
            ab_line_end(t, ply, move);
        if (cut) {
            t->plies[ply].refuter = move;
            ab_trace_why(t, ply, TRACE_CUT_HIGH, f.count - f.looked);
        }
    }
    ab_release(t, &list);
    return f.best;
}
