// alphabeta: the strong alpha-beta; see alphabeta.h for its parts.
//
// Depth 1, 2, 3 and so on, each with a narrow window round the value of the one before. A win or a
// loss that was found with reductions is proven, but there may be a shorter one: a plain search to
// one move less makes the distance exact, as long as that does not cost much more than finding it.
#include "search/alphabeta.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

#define WINDOW_DEPTH 4 // from here on windows are narrow
#define WINDOW 24      // half of the first one, besides what the value moved last time
// To prove that there is no shorter win, so many times the work of finding it, and so much more.
#define PROOF_TIMES 20
#define PROOF_MORE 2000000
#define ONLY_MOVE 0.1 // of the time, where there is no choice

// --- beginning and end ---

bool alphabeta_begin(Player *p, Text *why) {
    AlphaBeta *ab = mem_alloc(sizeof *ab);
    p->own = ab;
    if (ab) {
        ab->player = p;
        ab->game = p->game;
        size_t bytes = (size_t)p->options.memory_mb << 20;
        double bits = p->game->ir->layout.bits;
        while (bytes > ((size_t)1 << 20) && bits < 40 && exp2(bits) * 16 < (double)bytes / 2)
            bytes /= 2; // the game does not have so many positions
        ab->past = mem_alloc(sizeof *ab->past * AB_PAST);
        if (ab->past && ttable_begin(&ab->table, bytes) && ab_threads_begin(ab) &&
            forcing_begin(&ab->forcing, p->game, p->runner)) {
            ab->canonical = canonical_new(p->game);
            for (int i = 1; i < AB_LOGS; i++)
                ab->log[i] = (int)(1000 * log(i));
            for (int i = 0; i < p->game->ir->vars; i++)
                ab->clocks = ab->clocks || p->game->ir->var[i].clock;
            return true;
        }
    }
    text_add(why, "out of memory");
    return false;
}

void alphabeta_end(Player *p) {
    AlphaBeta *ab = p->own;
    if (!ab)
        return;
    ab_threads_end(ab);
    ttable_end(&ab->table);
    canonical_free(ab->canonical);
    mem_free(ab->past);
    mem_free(ab);
}

void alphabeta_be_plain(Player *p, bool plain) {
    ((AlphaBeta *)p->own)->plain = plain;
}

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

// The moves of the root, in the order of a first look.
static bool root_begin(AbThread *t) {
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
    for (int i = 0; i < list.count; i++) {
        size_t at = i < first ? list.begin : ab_order_next(t, &list);
        t->root[i] = (RootMove){.move = t->moves[at], .value = -AB_INFINITE};
    }
    ab_release(t, &list);
    return list.count > 0;
}

// The same for the other threads: from the first one.
static bool root_copy(AbThread *t, const AbThread *from) {
    root_position(t);
    if (!root_room(t, from->root_count))
        return false;
    memcpy(t->root, from->root, sizeof *t->root * (size_t)from->root_count);
    return true;
}

// Puts a move of the root to an earlier place; the others keep their order.
static void root_promote(AbThread *t, int from, int to) {
    RootMove move = t->root[from];
    memmove(&t->root[to + 1], &t->root[to], sizeof move * (size_t)(from - to));
    t->root[to] = move;
}

// Searches the moves of the root from `first` on. The best one comes to that place.
static Value root_search(AbThread *t, int depth, int first, Value alpha, Value beta) {
    AlphaBeta *ab = t->ab;
    Value best = -AB_INFINITE;
    bool open = false, share = ab->threads > 1 && !t->plain;
    uint64_t key = t->plies[0].hash ^ ab->key_salt;
    for (int i = first; i < t->root_count; i++)
        t->root[i].known = false;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = first; i < t->root_count; i++) {
            RootMove *root = &t->root[i];
            uint32_t hash = ab_move_hash(root->move);
            if (root->known || (pass == 0 && share && i > first && ab_busy(ab, key, hash)))
                continue;
            int64_t before = t->clock.nodes;
            if (share)
                ab_enter(ab, key, hash);
            ab_play(t, 0, root->move, hash);
            bool whole = best == -AB_INFINITE;
            Value low = best > alpha ? best : alpha, value = 0;
            if (!ab_stopped(t))
                value = ab_child(t, 0, depth - 1, low, whole ? beta : low + 1);
            if (!whole && value > low && value < beta && !ab_stopped(t))
                value = ab_child(t, 0, depth - 1, low, beta);
            if (share)
                ab_leave(ab, key, hash);
            if (ab_stopped(t))
                return best;
            open = open || t->open;
            root->known = true;
            root->value = value;
            root->nodes += t->clock.nodes - before;
            if (value > low || whole) {
                root->line.move[0] = root->move;
                int n = t->lines[1].length < AB_LINE - 1 ? t->lines[1].length : AB_LINE - 1;
                memcpy(root->line.move + 1, t->lines[1].move, sizeof(Move) * (size_t)n);
                root->line.length = n + 1;
            }
            if (value > best) {
                best = value;
                if (value > alpha) {
                    root_promote(t, i, first);
                    t->raised = true;
                }
            }
            if (best >= beta)
                return best;
        }
    }
    t->open = open;
    return best;
}

// The same with a narrow window, wider and wider until the value is inside.
static Value root_window(AbThread *t, int depth, int first, Value last, Value moved) {
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

// Plain, to one move less than the win or loss takes: is there a shorter one? False if that could
// not be found out.
static bool prove_distance(AbThread *t, Value *value) {
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

// --- the result ---

// Lines end where the table knew the value; its moves go on from there. The path of the thread is
// free for this.
static void extend_line(AbThread *t, AbLine *line) {
    int ply = 0;
    bool over = false;
    for (; ply < AB_LINE && !over; ply++) {
        AbMoves list;
        t->plies[ply].hash = game_hash(t->ab->game, ab_state(t, ply));
        for (int i = 0; i < ply; i++)
            over = over || t->plies[i].hash == t->plies[ply].hash;
        if (over || !ab_moves(t, ply, &list))
            break;
        TableEntry e;
        if (ply >= line->length) {
            bool known = ttable_find(&t->ab->table, ab_key(t, ply, false), &e) && e.move &&
                         e.bound == TTABLE_EXACT;
            if (!known && t->ab->canonical)
                known = ttable_find(&t->ab->table, ab_key(t, ply, true), &e) && e.move &&
                        e.bound == TTABLE_EXACT;
            if (!known || !ab_order_first(t, &list, e.move)) {
                ab_release(t, &list);
                break;
            }
            line->move[line->length++] = t->moves[list.begin];
        }
        ab_release(t, &list);
        over = !runner_apply(t->runner, ab_state(t, ply), line->move[ply], ab_state(t, ply + 1));
    }
}

static void report(AbThread *t, Value value, int depth, bool exact) {
    AlphaBeta *ab = t->ab;
    SearchResult *result = ab->result;
    RootMove *best = &t->root[0];
    extend_line(t, &best->line);
    result->found = true;
    result->move = best->move;
    result->value = value;
    result->exact = exact;
    result->depth = depth;
    result->line_length = best->line.length;
    memcpy(result->line, best->line.move, sizeof(Move) * (size_t)best->line.length);
    result->best_count = 0;
    for (int i = 0; i < t->root_count; i++)
        if (t->root[i].value > -AB_INFINITE)
            result_note(result, (Scored){.move = t->root[i].move,
                                         .value = i ? t->root[i].value : value,
                                         .visits = t->root[i].nodes,
                                         .at_most = i > 0});
    for (int i = 1; i < result->best_count; i++) // bounds of others do not come before the best
        if (move_equal(result->best[i].move, best->move)) {
            Scored own = result->best[i];
            memmove(&result->best[1], &result->best[0], sizeof own * (size_t)i);
            result->best[0] = own;
        }
    result->nodes = t->clock.nodes;
    result->seconds = clock_seconds(&t->clock);
    if (ab->task->tell)
        ab->task->tell(ab->task->with, result);
}

// Deepens until a limit is reached or the value is known. Only the first thread reports.
static void think(AbThread *t) {
    AlphaBeta *ab = t->ab;
    bool first = t->id == 0, puzzle = ab->game->ir->players == 1;
    int wanted = player_depth(ab->player, ab->task);
    int most = wanted && wanted < AB_MAX_DEPTH ? wanted : AB_MAX_DEPTH;
    Value last = -AB_INFINITE, moved = 0;
    t->plain = ab->plain;
    for (int depth = 1; depth <= most; depth++) {
        t->iteration = depth;
        t->raised = false;
        Value value = root_window(t, depth, 0, last, moved);
        if (ab_stopped(t)) {
            if (first && t->raised && !t->failed)
                report(t, t->root[0].value, depth - 1, false);
            else if (first && depth == 1 && !t->failed)
                report(t, 0, 0, false); // at least what a first look liked best
            break;
        }
        t->root[0].value = value;
        moved = value > last ? value - last : last - value;
        moved = moved > 2000 ? 2000 : moved;
        last = value;
        bool proven = value_is_proven(value), exact = proven || !t->open;
        int moves = VALUE_WIN - (value < 0 ? -value : value);
        if (first)
            report(t, value, depth, exact);
        if (!proven && exact)
            break;
        if (proven && moves <= depth) {
            if (first && !t->plain && !puzzle && prove_distance(t, &value))
                report(t, value, depth, true);
            break;
        }
    }
    t->total = t->clock.nodes;
}

// --- asking ---

static void note_past(AlphaBeta *ab) {
    const Record *record = ab->task->record;
    int length = record_length(record), from = length >= AB_PAST ? length - AB_PAST + 1 : 0;
    memset(ab->past_filter, 0, sizeof ab->past_filter);
    ab->past_count = 0;
    for (int i = from; i <= length; i++) {
        uint64_t hash = game_hash(ab->game, record_state(record, i));
        ab->past[ab->past_count++] = hash;
        ab->past_filter[hash >> 6 & 15] |= (uint64_t)1 << (hash & 63);
    }
}

static void set_sides(AlphaBeta *ab) {
    int players = ab->game->ir->players;
    ab->me = game_player(ab->game, record_now(ab->task->record));
    uint64_t mix = (uint64_t)ab->me + 1;
    ab->key_salt = players > 2 ? rng_splitmix(&mix) : 0;
    for (int i = 0; i < players; i++)
        ab->side[i] = players > 2 ? i != ab->me : i;
}

static bool only_time_limits(const AlphaBeta *ab) {
    return player_depth(ab->player, ab->task) == 0 && player_nodes(ab->player, ab->task) == 0;
}

bool search_alphabeta(Player *p, const SearchTask *task, SearchResult *result) {
    AlphaBeta *ab = p->own;
    ab->task = task;
    ab->result = result;
    set_sides(ab);
    note_past(ab);
    ttable_new_search(&ab->table);
    bool ok = true;
    for (int i = 0; i < ab->threads && ok; i++) {
        AbThread *t = &ab->thread[i];
        clock_start(&t->clock, p, task);
        if (t->clock.node_limit)
            t->clock.node_limit = 1 + (t->clock.node_limit - 1) / ab->threads;
        if (i > 0)
            t->clock.stop = &ab->stop;
        t->failed = false;
        t->plain = false;
        t->total = 0;
        t->usual_change = t->usual_change > 0 ? t->usual_change : 100 << 8;
        ab_forget(t);
        ok = i == 0 ? root_begin(t) : root_copy(t, &ab->thread[0]);
        double time = t->clock.until - t->clock.begin;
        if (ok && t->root_count == 1 && time > 0 && only_time_limits(ab))
            t->clock.until = t->clock.begin + ONLY_MOVE * time;
    }
    if (!ok)
        return false;
    ab_run(ab, think);
    result->nodes = 0;
    for (int i = 0; i < ab->threads; i++)
        result->nodes += ab->thread[i].total;
    result->seconds = clock_seconds(&ab->thread[0].clock);
    return result->found;
}
