// ab_node: the search of a position.
//
// In this order: the end of the game, repetition, what is known from the table, the move of the
// table, an estimate far outside the window, a win at once, the other moves by their order. The
// first move is searched with the whole window; the others only have to show that they are not
// better (principal variation search), late ones at first to a smaller depth.
//
// A win or a loss that is returned is always one: nothing is left out without being looked at, and
// estimates are no wins. What reductions may miss is a shorter way (alphabeta.c makes up for that).
#include "search/alphabeta.h"

#define REDUCE_DEPTH 3   // from here on late moves are reduced,
#define REDUCE_AFTER 2   //   after so many others
#define REDUCE_LESS 1700 // the larger, the less
#define FAR_DEPTH 4      // up to here estimates far outside the window count,
#define FAR 2            //   so many usual changes for each move to go;
#define FAR_MOVES 3      //   so many moves are looked at in any case, and more where it is deeper
#define HINT_DEPTH 4     // without a move from the table: one ply less
#define MIRROR_DEPTH 3   // from here on mirror images are the same position

// --- the table ---

// Whether an entry settles the position for this window.
static bool settles(const AbThread *t, const TableEntry *e, int ply, int depth, Value alpha,
                    Value beta, Value *value) {
    *value = ab_from_table(e->value, ply);
    bool low = e->bound & TTABLE_MOST && *value <= alpha;
    bool high = e->bound & TTABLE_LEAST && *value >= beta;
    bool proven = (low && *value <= -VALUE_SURE) || (high && *value >= VALUE_SURE);
    if (t->plain ? e->depth != depth : e->depth < depth && !e->final && !proven)
        return false;
    if (t->ab->clocks == CLOCKS_DRAW && value_is_proven(*value)) {
        int moves = VALUE_WIN - (e->value < 0 ? -e->value : e->value);
        if (moves > ab_clock_left(t->ab->game, ab_state(t, ply)))
            return false;
    }
    bool wide = beta - alpha > 1; // the line is wanted, not only the value
    return low || high || (e->bound == TTABLE_EXACT && (!wide || e->final));
}

static void store(const AbNode *n, bool final) {
    AbThread *t = n->t;
    if (t->plain && t->path < n->ply)
        return;
    TableBound bound = n->best >= n->high  ? TTABLE_LEAST
                       : n->best <= n->low ? TTABLE_MOST
                                           : TTABLE_EXACT;
    TableEntry e = {.value = ab_to_table(n->best, n->ply),
                    .depth = n->depth < TTABLE_DEPTH_MOST ? n->depth : TTABLE_DEPTH_MOST,
                    .bound = bound,
                    .final = final,
                    .move = bound == TTABLE_MOST ? 0 : t->hashes[n->best_at]};
    ttable_store(&t->ab->table, n->key, &e);
    if (n->key != n->plain_key && e.move)
        ttable_store(&t->ab->table, n->plain_key, &e);
}

// True if the table settles the position; else the move it knows, or 0.
static bool ask_table(AbNode *n, Value *value, uint32_t *move) {
    AbThread *t = n->t;
    AlphaBeta *ab = t->ab;
    TableEntry e;
    *move = 0;
    if (ttable_find(&ab->table, n->key, &e)) {
        *move = e.move;
        if (n->ply > 0 && settles(t, &e, n->ply, n->depth, n->alpha, n->beta, value)) {
            t->open = !e.final;
            return true;
        }
    }
    if (n->key != n->plain_key && ttable_find(&ab->table, n->plain_key, &e) && e.move)
        *move = e.move;
    else if (!*move && t->plain && ttable_find(&ab->table, n->plain_key ^ AB_PLAIN_SALT, &e))
        *move = e.move;
    return false;
}

// --- moves ---

Value ab_child(AbThread *t, int ply, int depth, int less, Value alpha, Value beta) {
    bool same = ab_side(t->ab, ab_state(t, ply + 1)) == ab_side(t->ab, ab_state(t, ply));
    ab_trace_enter(t, ply, less, alpha, beta);
    Value value = same ? ab_search(t, ply + 1, depth, alpha, beta)
                       : -ab_search(t, ply + 1, depth, -beta, -alpha);
    ab_trace_leave(t, ply, value);
    return value;
}

// Whether the move that was just played is worth a look one ply deeper: it was the only one, or it
// won something and its player goes on.
static bool extends(const AbNode *n) {
    AbThread *t = n->t;
    const AlphaBeta *ab = t->ab;
    if (t->plain || ab->game->ir->players == 1 || n->ply == 0 || n->ply >= 2 * t->iteration)
        return false; // values of the moves of the root are compared: all are looked at alike
    if (n->list.count == 1)
        return true;
    const uint8_t *before = ab_state(t, n->ply), *after = ab_state(t, n->ply + 1);
    int player = game_player(ab->game, before);
    if (game_player(ab->game, after) != player || !forcing_any(&ab->forcing))
        return false;
    return forcing_is(&ab->forcing, before, after);
}

// By how much less deep a late move is looked at first.
static int reduction(const AbNode *n, const AbTry *try, int depth) {
    const AbThread *t = n->t;
    if (t->plain || n->depth < REDUCE_DEPTH || n->ply == 0 || try->turn < REDUCE_AFTER ||
        t->ab->game->ir->players == 1 || try->score >= AB_SCORE_FORCING)
        return 0;
    int deep = n->depth < AB_LOGS ? n->depth : AB_LOGS - 1;
    int late = try->turn < AB_LOGS ? try->turn : AB_LOGS - 1;
    int r = (t->ab->log[deep] * t->ab->log[late] / REDUCE_LESS + 400) / 1000;
    r -= n->high - n->low > 1;
    r -= try->score >= AB_SCORE_KILLER;
    return r < 0 ? 0 : r > depth - 1 ? depth - 1 : r;
}

AbTry ab_try_at(const AbThread *t, size_t at, int turn) {
    return (AbTry){t->moves[at], t->hashes[at], t->scores[at], turn};
}

Value ab_try(const AbNode *n, const AbTry *try) {
    AbThread *t = n->t;
    int ply = n->ply;
    Value alpha = n->alpha, beta = n->beta;
    ab_play(t, ply, try->move, try->hash);
    if (ab_stopped(t))
        return 0;
    int depth = n->depth - 1 + extends(n);
    int less = reduction(n, try, depth);
    Value value = ab_child(t, ply, depth - less, less, alpha, alpha + 1);
    if (value > alpha && less > 0 && !ab_stopped(t))
        value = ab_child(t, ply, depth, 0, alpha, alpha + 1);
    if (value > alpha && value < beta && !ab_stopped(t))
        value = ab_child(t, ply, depth, 0, alpha, beta);
    return value;
}

// The first move, with the whole window.
static Value try_first(const AbNode *n, const AbTry *try) {
    AbThread *t = n->t;
    ab_play(t, n->ply, try->move, try->hash);
    if (ab_stopped(t))
        return 0;
    if (n->depth > 1) // the others were looked at already
        ttable_prefetch(&t->ab->table,
                        game_hash(t->ab->game, ab_state(t, n->ply + 1)) ^ t->ab->key_salt);
    return ab_child(t, n->ply, n->depth - 1 + extends(n), 0, n->alpha, n->beta);
}

void ab_note(AbNode *n, const AbTry *try, size_t at, Value value, const AbThread *by,
             int64_t nodes) {
    bool raised = value > n->alpha;
    n->tried++;
    n->open = n->open || by->open;
    n->path = by->path < n->path ? by->path : n->path;
    if (value > n->best) {
        n->best = value;
        n->best_at = at;
    }
    if (raised) {
        n->alpha = value;
        ab_line_take(n->t, n->ply, try->move, by);
    }
    if (n->ply == 0)
        ab_root_note(n, at, value, raised, nodes);
}

// Searches one move. True if it cuts the rest off.
static bool try_move(AbNode *n, size_t at, int turn) {
    AbThread *t = n->t;
    AbTry try = ab_try_at(t, at, turn);
    int64_t before = t->clock.nodes;
    Value value = n->tried == 0 ? try_first(n, &try) : ab_try(n, &try);
    if (ab_stopped(t))
        return true;
    ab_note(n, &try, at, value, t, t->clock.nodes - before);
    return n->alpha >= n->beta;
}

bool ab_is_enough(const AbNode *n, int turn) {
    return n->far_below && turn >= FAR_MOVES + n->depth * n->depth && n->best > -VALUE_SURE;
}

bool ab_try_all(AbNode *n) {
    while (n->list.next < n->list.count) {
        if (ab_may_split(n) && ab_split(n))
            return n->alpha >= n->beta;
        int turn = n->list.next;
        if (try_move(n, ab_order_next(n->t, &n->list), turn))
            return true;
        if (ab_is_enough(n, turn + 1)) {
            n->open = true;
            break;
        }
    }
    return false;
}

// The moves of a position that is not over and that the table does not settle.
static Value search_moves(AbNode *n, uint32_t known) {
    AbThread *t = n->t;
    int ply = n->ply;
    if (!ab_moves(t, ply, &n->list))
        return 0;
    if (n->list.count == 0) {
        const uint8_t *state = ab_state(t, ply);
        int result = runner_result(t->runner, state);
        t->failed = t->failed || result <= 0;
        return t->failed ? 0 : ab_end_value(t, state, result, ply);
    }
    bool first = known && ab_order_first(t, &n->list, known);
    if (!first && n->depth >= HINT_DEPTH && !t->plain && t->ab->game->ir->players > 1)
        n->depth--;
    if (first) {
        n->list.next = 1;
        if (try_move(n, n->list.begin, 0)) {
            if (ab_stopped(t))
                return 0;
            store(n, !t->open);
            ab_trace_why(t, ply, TRACE_CUT_HIGH, n->list.count - 1);
            ab_learn(t, ply, n->depth, &n->list, n->list.begin);
            return n->best;
        }
    }
    if (ab_order_rest(t, ply, n->depth, &n->list)) {
        n->best = VALUE_WIN - (ply + 1);
        n->best_at = n->list.begin + (size_t)n->list.next;
        if (ply + 1 < AB_LINE)
            t->lines[ply + 1].length = 0;
        ab_line_add(t, ply, t->moves[n->best_at]);
        t->open = false;
        t->path = AB_NO_PATH;
        store(n, true);
        ab_trace_why(t, ply, TRACE_WIN, n->list.count - n->tried);
        return n->best;
    }
    bool cut = !ab_stopped(t) && ab_try_all(n);
    if (ab_stopped(t))
        return 0;
    if (cut) { // what the other moves rest on does not matter
        ab_trace_why(t, ply, TRACE_CUT_HIGH, n->list.count - n->tried);
        ab_learn(t, ply, n->depth, &n->list, n->best_at);
    } else {
        t->open = n->open;
        t->path = n->path;
    }
    store(n, !t->open);
    return n->best;
}

// Near the end of the depth an estimate that is far outside a null window will not come back into
// it: far by what moves of this game usually change. Far above, the position is not looked at; far
// below, only its first moves are. Neither gives a win or a loss.
static bool is_far_above(AbNode *n, Value *value) {
    AbThread *t = n->t;
    int64_t usual = t->usual_change >> 8;
    if (t->plain || n->depth > FAR_DEPTH || n->beta - n->alpha > 1 || n->ply == 0 || usual < 1 ||
        t->ab->game->ir->players == 1 || value_is_proven(n->alpha) || value_is_proven(n->beta))
        return false;
    *value = ab_estimate(t, ab_state(t, n->ply));
    t->open = *value - FAR * usual * n->depth >= n->beta;
    n->far_below = *value + FAR * usual * n->depth <= n->alpha;
    return t->open;
}

Value ab_search(AbThread *t, int ply, int depth, Value alpha, Value beta) {
    AlphaBeta *ab = t->ab;
    const uint8_t *state = ab_state(t, ply);
    const IrGame *ir = ab->game->ir;
    t->open = false;
    t->path = AB_NO_PATH;
    if (ply < AB_LINE)
        t->lines[ply].length = 0;
    int result = state[ir->layout.result];
    if (result) { // a draw by a clock may come later on another way
        ab_trace_why(t, ply, TRACE_OVER, 0);
        t->open = ab->clocks == CLOCKS_DRAW && (result & ~RESULT_OVER) == 0;
        return ab_end_value(t, state, result, ply);
    }
    bool puzzle = ir->players == 1;
    if (depth > 0 || ir->repeated > 0 || puzzle) {
        t->plies[ply].hash = game_hash(ab->game, state);
        if (ab_is_repeated(t, ply)) {
            ab_trace_why(t, ply, TRACE_REPEATED, 0);
            return puzzle ? 1 - VALUE_SURE : ab_draw_value(ab, state);
        }
    }
    if (depth <= 0 || ply >= AB_MAX_PLY - 2)
        return ab_leaf(t, ply, alpha, beta);
    int least = puzzle ? evaluation_distance(ab->player->evaluation, t->runner, state) : 1;
    if (least > depth)
        return ab_leaf(t, ply, alpha, beta);
    // Nobody can win sooner than that.
    Value most = VALUE_WIN - ply - (least > 1 ? least : 1), worst = ply - VALUE_WIN;
    if (most <= alpha)
        return most;
    if (worst >= beta)
        return worst;

    if (depth == 1 && ply > 0 && ab_has_frontier(t))
        return ab_frontier(t, ply, alpha, beta);

    AbNode n = {.t = t, .ply = ply, .depth = depth, .alpha = alpha, .beta = beta};
    n.low = alpha;
    n.high = beta;
    n.best = -AB_INFINITE;
    n.path = AB_NO_PATH;
    n.plain_key = n.key = ab_key(t, ply, false);
    if (t->plain)
        n.plain_key = n.key ^= AB_PLAIN_SALT;
    else if (ab->mirrors && depth >= MIRROR_DEPTH)
        n.key = ab_key(t, ply, true);
    Value value;
    uint32_t known;
    if (ask_table(&n, &value, &known)) {
        ab_trace_why(t, ply, TRACE_TABLE, 0);
        return value;
    }
    if (is_far_above(&n, &value)) {
        ab_trace_why(t, ply, TRACE_GUESS, 0);
        return value;
    }
    size_t mark = t->move_count;
    value = search_moves(&n, known);
    t->move_count = mark;
    return value;
}
