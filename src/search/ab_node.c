// ab_node: the search of a position.
//
// In this order: the end of the game, repetition, what is known from the table, the move of the
// table, a win at once, the other moves by their order. The first move is searched with the whole
// window; the others only have to show that they are not better (principal variation search), late
// ones at first to a smaller depth.
//
// A win or a loss that is returned is always one: nothing is left out without being looked at, and
// estimates are no wins. What reductions may miss is a shorter way (alphabeta.c makes up for that).
#include "search/alphabeta.h"

#include <string.h>

#define REDUCE_DEPTH 3   // from here on late moves are reduced,
#define REDUCE_AFTER 3   //   after so many others
#define REDUCE_LESS 2200 // the larger, the less
#define HINT_DEPTH 4     // without a move from the table: one ply less
#define MIRROR_DEPTH 3   // from here on mirror images are the same position
#define SHARE_DEPTH 3    // from here on threads keep out of each other's way
#define DEFERRED 64
#define CLOCK_NEAR 12 // so near to the end of a clock its value is part of the position

// --- the rules ---

Value ab_end_value(const AbThread *t, const uint8_t *state, int result, int ply) {
    const AlphaBeta *ab = t->ab;
    if (ab->game->ir->players <= 2)
        return value_of_result(ab->game, result, game_player(ab->game, state), ply);
    Value value = value_of_result(ab->game, result, ab->me, ply);
    return ab_side(ab, state) == 0 ? value : -value;
}

void ab_play(AbThread *t, int ply, Move move, uint32_t hash) {
    if (!runner_apply(t->runner, ab_state(t, ply), move, ab_state(t, ply + 1)))
        t->failed = true;
    t->plies[ply + 1].move = hash;
    clock_over(&t->clock);
}

void ab_line_add(AbThread *t, int ply, Move move) {
    if (ply >= AB_LINE - 1)
        return;
    AbLine *line = &t->lines[ply];
    const AbLine *rest = &t->lines[ply + 1];
    int n = rest->length < AB_LINE - 1 ? rest->length : AB_LINE - 1;
    line->move[0] = move;
    memcpy(line->move + 1, rest->move, sizeof *rest->move * (size_t)n);
    line->length = n + 1;
}

// How many moves the clocks of the rules leave at most.
static int clock_left(const Game *g, const uint8_t *state) {
    int left = INT32_MAX;
    for (int i = 0; i < g->ir->vars; i++) {
        const IrVar *v = &g->ir->var[i];
        if (!v->clock || v->type.kind != TY_INT || v->lo < 0 || v->width > 2)
            continue;
        for (int k = 0; k < v->count; k++) {
            const uint8_t *at = state + v->offset + v->width * k;
            uint16_t wide;
            memcpy(&wide, at, v->width == 2 ? 2 : 1);
            int value = v->width == 2 ? wide : *at;
            left = v->hi - value < left ? v->hi - value : left;
        }
    }
    return left;
}

uint64_t ab_key(const AbThread *t, int ply, bool canonical) {
    const AlphaBeta *ab = t->ab;
    const uint8_t *state = ab_state(t, ply);
    uint64_t key = canonical ? canonical_hash(ab->canonical, state) : t->plies[ply].hash;
    key ^= ab->key_salt;
    int left = ab->clocks ? clock_left(ab->game, state) : CLOCK_NEAR;
    if (left < CLOCK_NEAR) {
        uint64_t mix = (uint64_t)left + 1;
        key ^= rng_splitmix(&mix);
    }
    return key;
}

// --- repetition ---

static int past_times(const AlphaBeta *ab, uint64_t hash) {
    if (!(ab->past_filter[hash >> 6 & 15] >> (hash & 63) & 1))
        return 0;
    int times = 0;
    for (int i = 0; i < ab->past_count; i++)
        times += ab->past[i] == hash;
    return times;
}

// Whether the position is a draw by repetition. In a puzzle it is on the path already: no shortest
// way leads through it twice.
static bool is_repeated(AbThread *t, int ply) {
    const AlphaBeta *ab = t->ab;
    int limit = ab->game->ir->repeated, times = 1, first = AB_NO_PATH;
    bool puzzle = ab->game->ir->players == 1;
    if (ply == 0 || (limit == 0 && !puzzle))
        return false;
    uint64_t hash = t->plies[ply].hash;
    for (int i = ply - 1; i > 0; i--)
        if (t->plies[i].hash == hash) {
            times++;
            first = i;
        }
    if (hash == t->plies[0].hash)
        first = 0;
    int past = past_times(ab, hash); // the root is one of them
    bool once = first < AB_NO_PATH && (puzzle || !t->plain);
    if (!once && (limit == 0 || times + past < limit))
        return false;
    t->open = true;
    t->path = past > 0 && !once ? -1 : first;
    return true;
}

// --- the table ---

static Value to_table(Value v, int ply) {
    return v >= VALUE_SURE ? v + ply : v <= -VALUE_SURE ? v - ply : v;
}

static Value from_table(Value v, int ply) {
    return v >= VALUE_SURE ? v - ply : v <= -VALUE_SURE ? v + ply : v;
}

// Whether an entry settles the position for this window.
static bool settles(const AbThread *t, const TableEntry *e, int ply, int depth, Value alpha,
                    Value beta, Value *value) {
    *value = from_table(e->value, ply);
    bool low = e->bound & TTABLE_MOST && *value <= alpha;
    bool high = e->bound & TTABLE_LEAST && *value >= beta;
    bool proven = (low && *value <= -VALUE_SURE) || (high && *value >= VALUE_SURE);
    if (t->plain ? e->depth != depth : e->depth < depth && !e->final && !proven)
        return false;
    if (t->ab->clocks && value_is_proven(*value)) {
        int moves = VALUE_WIN - (e->value < 0 ? -e->value : e->value);
        if (moves > clock_left(t->ab->game, ab_state(t, ply)))
            return false;
    }
    bool wide = beta - alpha > 1; // the line is wanted, not only the value
    return low || high || (e->bound == TTABLE_EXACT && (!wide || e->final));
}

typedef struct Node {
    AbThread *t;
    int ply, depth;
    Value alpha, beta;
    Value low, high; // the window as it was
    uint64_t key, plain_key;
    AbMoves list;
    int tried;
    Value best;
    size_t best_at;
    bool open;    // of all moves so far
    int32_t path; //   and the first ply that they depend on
} Node;

static void store(const Node *n, bool final) {
    AbThread *t = n->t;
    if (t->plain && t->path < n->ply)
        return;
    TableBound bound = n->best >= n->high  ? TTABLE_LEAST
                       : n->best <= n->low ? TTABLE_MOST
                                           : TTABLE_EXACT;
    TableEntry e = {.value = to_table(n->best, n->ply),
                    .depth = n->depth < TTABLE_DEPTH_MOST ? n->depth : TTABLE_DEPTH_MOST,
                    .bound = bound,
                    .final = final,
                    .move = bound == TTABLE_MOST ? 0 : t->hashes[n->best_at]};
    ttable_store(&t->ab->table, n->key, &e);
    if (n->key != n->plain_key && e.move)
        ttable_store(&t->ab->table, n->plain_key, &e);
}

// True if the table settles the position; else the move it knows, or 0.
static bool ask_table(Node *n, Value *value, uint32_t *move) {
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

Value ab_child(AbThread *t, int ply, int depth, Value alpha, Value beta) {
    bool same = ab_side(t->ab, ab_state(t, ply + 1)) == ab_side(t->ab, ab_state(t, ply));
    return same ? ab_search(t, ply + 1, depth, alpha, beta)
                : -ab_search(t, ply + 1, depth, -beta, -alpha);
}

// Whether the move that was just played is worth a look one ply deeper: it was the only one, or it
// won something and its player goes on.
static bool extends(const Node *n) {
    AbThread *t = n->t;
    const AlphaBeta *ab = t->ab;
    if (t->plain || ab->game->ir->players == 1 || n->ply >= 2 * t->iteration)
        return false;
    if (n->list.count == 1)
        return true;
    const uint8_t *before = ab_state(t, n->ply), *after = ab_state(t, n->ply + 1);
    int player = game_player(ab->game, before);
    if (game_player(ab->game, after) != player || !forcing_any(&ab->forcing))
        return false;
    return forcing_is(&ab->forcing, before, forcing_others(&ab->forcing, before, player), after);
}

static int reduction(const Node *n, size_t at, int depth) {
    AbThread *t = n->t;
    if (t->plain || n->depth < REDUCE_DEPTH || n->tried < REDUCE_AFTER ||
        t->ab->game->ir->players == 1 || t->scores[at] >= AB_SCORE_FORCING)
        return 0;
    int deep = n->depth < AB_LOGS ? n->depth : AB_LOGS - 1;
    int late = n->tried < AB_LOGS ? n->tried : AB_LOGS - 1;
    int r = (t->ab->log[deep] * t->ab->log[late] / REDUCE_LESS + 400) / 1000;
    r -= n->high - n->low > 1;
    r -= t->scores[at] >= AB_SCORE_KILLER;
    return r < 0 ? 0 : r > depth - 1 ? depth - 1 : r;
}

// Searches one move. True if it cuts the rest off.
static bool try_move(Node *n, size_t at) {
    AbThread *t = n->t;
    int ply = n->ply;
    Move move = t->moves[at];
    uint32_t hash = t->hashes[at];
    bool share = t->ab->threads > 1 && n->depth >= SHARE_DEPTH;
    if (share)
        ab_enter(t->ab, n->key, hash);
    ab_play(t, ply, move, hash);
    if (n->depth > 1 && n->tried == 0) // the others were looked at already
        ttable_prefetch(&t->ab->table,
                        game_hash(t->ab->game, ab_state(t, ply + 1)) ^ t->ab->key_salt);
    Value value = 0;
    if (!ab_stopped(t)) {
        int depth = n->depth - 1 + extends(n);
        Value alpha = n->alpha, beta = n->beta;
        if (n->tried == 0) {
            value = ab_child(t, ply, depth, alpha, beta);
        } else {
            int less = reduction(n, at, depth);
            value = ab_child(t, ply, depth - less, alpha, alpha + 1);
            if (value > alpha && less > 0 && !ab_stopped(t))
                value = ab_child(t, ply, depth, alpha, alpha + 1);
            if (value > alpha && value < beta && !ab_stopped(t))
                value = ab_child(t, ply, depth, alpha, beta);
        }
    }
    if (share)
        ab_leave(t->ab, n->key, hash);
    if (ab_stopped(t))
        return true;
    n->tried++;
    n->open = n->open || t->open;
    n->path = t->path < n->path ? t->path : n->path;
    if (value > n->best) {
        n->best = value;
        n->best_at = at;
        if (value > n->alpha) {
            n->alpha = value;
            ab_line_add(t, ply, move);
        }
    }
    return n->alpha >= n->beta;
}

// The moves that are left, in order; those that another thread is at come last.
static bool try_rest(Node *n) {
    AbThread *t = n->t;
    AlphaBeta *ab = t->ab;
    size_t deferred[DEFERRED];
    int waiting = 0;
    bool share = ab->threads > 1 && n->depth >= SHARE_DEPTH;
    while (n->list.next < n->list.count) {
        size_t at = ab_order_next(t, &n->list);
        if (share && n->tried > 0 && waiting < DEFERRED && ab_busy(ab, n->key, t->hashes[at]))
            deferred[waiting++] = at;
        else if (try_move(n, at))
            return true;
    }
    for (int i = 0; i < waiting; i++)
        if (try_move(n, deferred[i]))
            return true;
    return false;
}

// The moves of a position that is not over and that the table does not settle.
static Value search_moves(Node *n, uint32_t known) {
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
        if (try_move(n, n->list.begin)) {
            if (ab_stopped(t))
                return 0;
            store(n, !t->open);
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
        return n->best;
    }
    bool cut = try_rest(n);
    if (ab_stopped(t))
        return 0;
    if (cut) { // what the other moves rest on does not matter
        ab_learn(t, ply, n->depth, &n->list, n->best_at);
    } else {
        t->open = n->open;
        t->path = n->path;
    }
    store(n, !t->open);
    return n->best;
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
        t->open = ab->clocks && (result & ~RESULT_OVER) == 0;
        return ab_end_value(t, state, result, ply);
    }
    bool puzzle = ir->players == 1;
    if (depth > 0 || ir->repeated > 0 || puzzle) {
        t->plies[ply].hash = game_hash(ab->game, state);
        if (is_repeated(t, ply))
            return puzzle ? 1 - VALUE_SURE : 0;
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

    Node n = {.t = t, .ply = ply, .depth = depth, .alpha = alpha, .beta = beta};
    n.low = alpha;
    n.high = beta;
    n.best = -AB_INFINITE;
    n.path = AB_NO_PATH;
    n.plain_key = n.key = ab_key(t, ply, false);
    if (t->plain)
        n.plain_key = n.key ^= AB_PLAIN_SALT;
    else if (ab->canonical && depth >= MIRROR_DEPTH)
        n.key = ab_key(t, ply, true);
    Value value;
    uint32_t known;
    if (ask_table(&n, &value, &known))
        return value;
    size_t mark = t->move_count;
    value = search_moves(&n, known);
    t->move_count = mark;
    return value;
}
