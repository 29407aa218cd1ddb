// alphabeta: the strong alpha-beta; see alphabeta.h for its parts.
//
// Depth 1, 2, 3 and so on, until the limits are reached or the value is known; and how long to go
// on with that.
#include "search/alphabeta.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

#define TABLE_LEAST ((size_t)1 << 20)
#define NODE_BYTES 64 // of the table for each position that a search may look at
#define ONLY_MOVE 0.1 // of the time, where there is no choice
#define MOVED_MOST 2000
// With a clock for the whole game: the share of the time for a move after which no iteration begins
#define SHARE_CALM 0.45
#define SHARE_CHANGED 0.9 // where the best move has just changed,
#define SHARE_FELL 1.4    //   or is worth much less than it was

// --- beginning and end ---

bool alphabeta_begin(Player *p, Text *why) {
    AlphaBeta *ab = mem_alloc(sizeof *ab);
    p->own = ab;
    if (ab) {
        pthread_mutex_init(&ab->lock, NULL);
        pthread_cond_init(&ab->wake, NULL);
        ab->player = p;
        ab->game = p->game;
        size_t bytes = (size_t)p->options.memory_mb << 20;
        while (p->options.nodes && bytes > TABLE_LEAST &&
               (double)bytes / 2 > (double)p->options.nodes * NODE_BYTES)
            bytes /= 2; // so few positions do not need more
        double bits = p->game->ir->layout.bits;
        while (bytes > TABLE_LEAST && bits < 40 && exp2(bits) * 16 < (double)bytes / 2)
            bytes /= 2; // the game does not have so many positions
        ab->past = mem_alloc(sizeof *ab->past * AB_PAST);
        if (ab->past && ttable_begin(&ab->table, bytes) && ab_threads_begin(ab) &&
            forcing_begin(&ab->forcing, p->game, p->runner)) {
            ab->clocks = clocks_of(p->game);
            // Clocks may belong to cells: then mirror images are not worth the same.
            ab->canonical = ab->clocks == CLOCKS_COUNT ? NULL : canonical_new(p->game);
            for (int i = 1; i < AB_LOGS; i++)
                ab->log[i] = (int)(1000 * log(i));
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
    pthread_mutex_destroy(&ab->lock);
    pthread_cond_destroy(&ab->wake);
    mem_free(ab);
}

void alphabeta_be_plain(Player *p, bool plain) {
    ((AlphaBeta *)p->own)->plain = plain;
}

void alphabeta_despise_draws(Player *p, Value contempt) {
    AlphaBeta *ab = p->own;
    ab->contempt = p->game->ir->players == 2 ? contempt : 0;
}

void alphabeta_weigh_turn(Player *p) {
    AlphaBeta *ab = p->own;
    ab->weighs_turn = p->game->ir->players == 2 && !ab->forcing.again;
}

Value alphabeta_usual_change(const Player *p) {
    return (Value)(((const AlphaBeta *)p->own)->thread[0].usual_change >> 8);
}

// --- deepening ---

typedef struct Deepening {
    int depth;
    int wanted, place;            // so many moves with their exact values; which one it is at
    Value last[SEARCH_MAX_BEST];  // values of the last iteration,
    Value moved[SEARCH_MAX_BEST]; //   how much they had changed,
    bool exact[SEARCH_MAX_BEST];  //   and whether they are proven
    bool settled;                 // no depth will change any of them
    bool fell;                    // the best value is much worse than before
    int64_t odd;                  // by how much odd depths say more than even ones, all together,
    int odds;                     //   and how often they were compared
} Deepening;

// How many of the best moves get exact values.
static int moves_wanted(const AbThread *t) {
    int n = t->ab->task->best > 1 ? t->ab->task->best : 1;
    n = n < SEARCH_MAX_BEST ? n : SEARCH_MAX_BEST;
    return n < t->root_count ? n : t->root_count;
}

// Whether looking further cannot change the value. Wins that were found with reductions may be
// longer than the depth: the next depths find out.
static bool is_settled(const AbThread *t, Value value, int depth) {
    if (!value_is_proven(value))
        return !t->open;
    return VALUE_WIN - (value < 0 ? -value : value) <= depth;
}

static Value within(Value v, Value most) {
    return v > most ? most : v < -most ? -most : v;
}

// Late moves are looked at less deep, so a search without the best move may find a better one: then
// that comes first.
static void put_in_place(AbThread *t, Deepening *d, int from) {
    int to = from;
    while (to > 0 && d->last[to - 1] < d->last[from])
        to--;
    if (to == from)
        return;
    Value last = d->last[from], moved = d->moved[from];
    bool exact = d->exact[from];
    ab_root_promote(t, from, to);
    for (int i = from; i > to; i--) {
        d->last[i] = d->last[i - 1];
        d->moved[i] = d->moved[i - 1];
        d->exact[i] = d->exact[i - 1];
    }
    d->last[to] = last;
    d->moved[to] = moved;
    d->exact[to] = exact;
}

// One iteration: the best move, the second best without it, and so on. False if it was stopped.
static bool deepen(AbThread *t, Deepening *d) {
    d->settled = true;
    for (d->place = 0; d->place < d->wanted; d->place++) {
        int k = d->place;
        Value value = ab_root_window(t, d->depth, k, d->last[k], d->moved[k]);
        if (ab_stopped(t))
            return false;
        Value change = value > d->last[k] ? value - d->last[k] : d->last[k] - value;
        d->exact[k] = value_is_proven(value) || !t->open;
        if (k == 0)
            d->fell = d->depth > 1 && d->last[0] - value > (Value)(t->usual_change >> 8);
        if (k == 0 && d->depth > 1 && !value_is_proven(value)) {
            Value more = d->depth % 2 ? value - d->last[k] : d->last[k] - value;
            d->odd += within(more, 2 * (Value)(t->usual_change >> 8));
            d->odds++;
        }
        d->settled = d->settled && is_settled(t, value, d->depth);
        d->moved[k] = change < MOVED_MOST ? change : MOVED_MOST;
        d->last[k] = t->root[k].value = value;
        put_in_place(t, d, k);
    }
    return true;
}

// A clock for the whole game: the next iteration takes longer than all before together. It is begun
// where there is time for it, or where things have just changed.
static bool is_enough(const AbThread *t, const Deepening *d, bool changed) {
    double share = d->fell ? SHARE_FELL : changed ? SHARE_CHANGED : SHARE_CALM;
    return t->ab->aim > 0 && clock_seconds(&t->clock) >= share * t->ab->aim;
}

static void report_stopped(AbThread *t, const Deepening *d) {
    if (t->failed || d->place > 0)
        return;
    if (t->raised && d->wanted == 1) // where lines are wanted, the last ones are better
        ab_report(t, t->root[0].value, d->depth - 1, false, 1);
    else if (d->depth == 1)
        ab_report(t, 0, 0, false, 1); // at least what a first look liked best
}

// Of one move only: where more are wanted, it would take the time of the others.
static void make_distance_exact(AbThread *t, const Deepening *d) {
    Value value = d->last[0];
    if (d->wanted > 1 || !ab_prove_distance(t, &value))
        return;
    ab_report(t, value, d->depth, true, 1);
}

// Deepens until a limit is reached or the value is known. Only the first thread does.
static void think(AbThread *t) {
    AlphaBeta *ab = t->ab;
    bool puzzle = ab->game->ir->players == 1;
    int wanted = player_depth(ab->player, ab->task);
    int most = wanted && wanted < AB_MAX_DEPTH ? wanted : AB_MAX_DEPTH;
    Deepening d = {.wanted = moves_wanted(t)};
    for (int i = 0; i < d.wanted; i++)
        d.last[i] = -AB_INFINITE;
    t->plain = ab->plain;
    for (d.depth = 1; d.depth <= most; d.depth++) {
        Move before = t->root[0].move;
        t->iteration = d.depth;
        t->raised = false;
        if (!deepen(t, &d)) {
            report_stopped(t, &d);
            break;
        }
        ab_report(t, d.last[0], d.depth, d.exact[0], d.wanted);
        if (d.settled) {
            if (!t->plain && !puzzle && value_is_proven(d.last[0]))
                make_distance_exact(t, &d);
            break;
        }
        if (is_enough(t, &d, !move_equal(before, t->root[0].move)))
            break;
    }
    t->odd = d.odds ? (Value)(d.odd / d.odds) : 0;
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
    bool differs = players > 2 || (ab->contempt && ab->me > 0); // what is worth what, by who asks
    uint64_t past = clocks_past(ab->game, ab->clocks, ab->task->record);
    ab->key_salt = (differs ? rng_splitmix(&mix) : 0) ^ past;
    ab->mirrors = ab->canonical && !past;
    for (int i = 0; i < players; i++)
        ab->side[i] = players > 2 ? i != ab->me : i;
}

// An odd depth ends with the other player on move, an even one with this one. What being on move is
// worth besides what the estimate says is half of how much they differ. As one search may be
// mistaken, later ones go half the way, and it is never more than what two moves usually change.
static void weigh_turn(AlphaBeta *ab) {
    const AbThread *t = &ab->thread[0];
    Value turn = ab->turn + t->odd / (ab->turn ? 4 : 2);
    ab->turn = within(turn, 2 * (Value)(t->usual_change >> 8));
}

static bool only_time_limits(const AlphaBeta *ab) {
    return player_depth(ab->player, ab->task) == 0 && player_nodes(ab->player, ab->task) == 0;
}

bool search_alphabeta(Player *p, const SearchTask *task, SearchResult *result) {
    AlphaBeta *ab = p->own;
    ab->task = task;
    ab->result = result;
    ab->aim = task->limits.stretch > 0 ? player_seconds(p, task) : 0;
    set_sides(ab);
    note_past(ab);
    ttable_new_search(&ab->table);
    atomic_store(&ab->helped, 0);
    atomic_store(&ab->spent, 0);
    bool ok = true;
    for (int i = 0; i < ab->threads && ok; i++) {
        AbThread *t = &ab->thread[i];
        clock_start(&t->clock, p, task);
        t->told = 0;
        ab->node_limit = ab->threads > 1 ? t->clock.node_limit : 0;
        t->failed = t->cut = false;
        t->trace = i == 0 ? task->trace : NULL;
        t->plain = false;
        t->odd = 0;
        t->usual_change = t->usual_change > 0 ? t->usual_change : 100 << 8;
        ab_forget(t);
        ok = i > 0 || ab_root_begin(t);
        double time = t->clock.until - t->clock.begin;
        if (ab->aim > 0)
            t->clock.until = t->clock.begin + task->limits.stretch;
        if (ok && ab->thread[0].root_count == 1 && time > 0 && only_time_limits(ab))
            t->clock.until = t->clock.begin + ONLY_MOVE * time;
    }
    if (!ok)
        return false;
    bool maxn = p->options.maxn && p->game->ir->players > 2;
    ab_run(ab, maxn ? ab_think_maxn : think);
    if (ab->weighs_turn)
        weigh_turn(ab);
    result->nodes = ab_nodes(ab);
    result->seconds = clock_seconds(&ab->thread[0].clock);
    return result->found;
}
