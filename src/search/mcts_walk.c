// mcts_walk: one thread's walks down the tree; see mcts.h.
//
// A walk follows the moves that mcts_select prefers until it leaves the tree. The position there
// becomes a node if it was visited often enough. Behind it random games are played, and their mean
// goes into all edges on the way back. What is proven goes up too: a node with a winning edge is
// won, a node whose edges are all proven is worth the best of them.
//
// Visits are counted on the way down, with a loss that is taken back later: other threads see where
// somebody is already and go elsewhere (virtual loss).
#include "base/now.h"
#include "search/mcts.h"

#include <string.h>

#define PREFERRED 100           // rewards for a move that the rules prefer twice as much,
#define PREFERRED_MOST 400      //   and at most
#define MEASURE 64              // one walk of so many is timed
#define TELL_WALKS 256          // between two looks whether to tell the news
#define VISITS_MOST 4000000000u // of the root, before the numbers are too large
#define BATCH_MOST 96           // more in one place hardly tell anything new
#define BATCH_SHARE 6.5         // time for random games against the time for the tree

// --- numbers that threads share; alone, plain additions do ---

static void add32(const MctsShared *s, _Atomic uint32_t *to, uint32_t n) {
    if (s->threads > 1)
        atomic_fetch_add_explicit(to, n, memory_order_relaxed);
    else
        MCTS_STORE(*to, MCTS_LOAD(*to) + n);
}

static void add64(const MctsShared *s, _Atomic int64_t *to, int64_t n) {
    if (s->threads > 1)
        atomic_fetch_add_explicit(to, n, memory_order_relaxed);
    else
        MCTS_STORE(*to, MCTS_LOAD(*to) + n);
}

// --- what is proven ---

static Proven further(Proven p) { // one move earlier
    return p >> 8 < 255 ? (Proven)(p + 256) : p;
}

// A quick win is better, and a late loss.
static int preference(const Mcts *m, Proven p, int player) {
    int reward = mcts_reward(m, p & 0xff, player), distance = p >> 8;
    return 256 * reward + (reward > 0 ? -distance : reward < 0 ? distance : 0);
}

Proven mcts_prove(const MctsShared *s, MctsNode *n) {
    const Mcts *m = s->mcts;
    MctsEdge *edges = mcts_edges(n);
    Proven best = 0;
    bool all = true, same = true;
    for (uint32_t i = 0; i < n->count; i++) {
        Proven p = MCTS_LOAD(edges[i].proven);
        all = all && p;
        if (!p)
            continue;
        same = same && (!best || (best & 0xff) == (p & 0xff));
        if (!best || preference(m, p, n->player) > preference(m, best, n->player))
            best = p;
    }
    bool won = best && mcts_reward(m, best & 0xff, n->player) == MCTS_REWARD;
    // Of three players, one who cannot win may decide who does: that is not proven.
    bool settled = all && (same || m->game->ir->players <= 2);
    return won || settled ? further(best) : 0;
}

// --- expanding ---

// What the rules prefer makes a move look better, or worse. w->other is the position behind it.
static int16_t prefer(MctsWorker *w, const uint8_t *state, Move move, int16_t prior) {
    double more = PREFERRED * player_doublings(w->reasoner, state, move, w->other);
    double sum = prior + (more > PREFERRED_MOST    ? PREFERRED_MOST
                          : more < -PREFERRED_MOST ? -PREFERRED_MOST
                                                   : more);
    return (int16_t)(sum > MCTS_REWARD ? MCTS_REWARD : sum < -MCTS_REWARD ? -MCTS_REWARD : sum);
}

// Looks at the position behind each move: the end of the game, or what the heuristic says.
static bool look_ahead(MctsWorker *w, const uint8_t *state, MctsNode *n) {
    const MctsShared *s = w->shared;
    const Game *g = s->player->game;
    MctsEdge *edges = mcts_edges(n);
    for (uint32_t i = 0; i < n->count; i++) {
        if (!runner_apply(w->runner, state, mcts_move(s->mcts, n, i), w->other))
            return false;
        int result = w->other[g->ir->layout.result];
        if (result && s->solver)
            MCTS_STORE(edges[i].proven, (Proven)result);
        if (result)
            edges[i].prior = (int16_t)mcts_reward(s->mcts, result, n->player);
        else if (s->estimates)
            edges[i].prior = mcts_estimate(w, w->other, n->player);
        MCTS_STORE(edges[i].minimax, edges[i].prior);
        if (w->reasoner && !result)
            edges[i].prior = prefer(w, state, mcts_move(s->mcts, n, i), edges[i].prior);
        if (s->rave > 0)
            edges[i].effect = s->mcts->by_moves
                                  ? mcts_move_effect(s->mcts, mcts_move(s->mcts, n, i), n->player)
                                  : mcts_effect(s->mcts, state, w->other, n->player);
    }
    w->nodes += n->count;
    return true;
}

uint32_t mcts_expand(MctsWorker *w, const uint8_t *state) {
    MctsShared *s = w->shared;
    Mcts *m = s->mcts;
    uint64_t key = m->slots ? mcts_key(m, state) : 0;
    uint32_t at = mcts_find(m, key);
    if (at)
        return at;
    const Move *moves;
    int count = runner_moves(w->runner, state, &moves);
    w->failed = w->failed || count < 0;
    MctsNode *n = count > 0 ? mcts_new_node(m, (uint32_t)count, &at) : NULL;
    if (!n)
        return 0;
    n->key = key;
    n->player = (uint8_t)game_player(m->game, state);
    mcts_set_moves(m, n, moves);
    bool looked = !s->looks || look_ahead(w, state, n);
    for (uint32_t i = 0; i < n->count; i++)
        mcts_rate(s, &mcts_edges(n)[i]);
    if (!looked) {
        w->failed = true;
        return 0; // its room is lost until the next clearing up, which is of no interest now
    }
    if (s->solver)
        MCTS_STORE(n->proven, mcts_prove(s, n));
    mcts_enter(m, at);
    return at;
}

// --- repetition ---

// Whether the position ends the walk because it has been there before.
static bool is_repeated(const MctsWorker *w) {
    const MctsShared *s = w->shared;
    uint64_t key = w->keys[w->depth];
    for (int i = w->depth - 1; i >= 0; i--)
        if (w->keys[i] == key)
            return true;
    int times = 1;
    for (int i = 0; i < s->seen_count; i++)
        times += s->seen[i] == key;
    return times >= s->player->game->ir->repeated && s->player->game->ir->repeated > 0;
}

static bool watches_repetition(const Game *g) {
    return g->ir->repeated > 0 || g->ir->players == 1;
}

// --- a walk ---

static void step(MctsWorker *w, MctsNode *n, MctsEdge *e, int sure) {
    const MctsShared *s = w->shared;
    const Game *g = s->player->game;
    uint32_t times = (uint32_t)w->batch;
    w->path[w->depth++] = (MctsStep){n, e, sure};
    add32(s, &n->visits, times);
    add32(s, &e->visits, times);
    if (s->threads > 1) {
        add64(s, &e->sum, -(int64_t)times * MCTS_REWARD);
        mcts_rate(s, e);
    }
    uint32_t child = MCTS_LOAD(e->child);
    if (child && child != MCTS_BUSY) // where the walk goes on, after the move is made
        __builtin_prefetch(mcts_node(s->mcts, child));
    Move move = mcts_move(s->mcts, n, (uint32_t)(e - mcts_edges(n)));
    w->failed = w->failed || !runner_apply(w->runner, w->state, move, w->state);
    if (watches_repetition(g))
        w->keys[w->depth] = game_hash(g, w->state);
    w->nodes++;
}

// The node behind an edge, made if it was visited often enough; NULL: the walk leaves the tree.
static MctsNode *go_on(MctsWorker *w, MctsEdge *e) {
    const MctsShared *s = w->shared;
    Mcts *m = s->mcts;
    uint32_t at = atomic_load_explicit(&e->child, memory_order_acquire);
    if (at == 0 && MCTS_LOAD(e->visits) > (uint32_t)(s->expand * w->batch) && !MCTS_LOAD(m->full)) {
        if (s->threads > 1 &&
            !atomic_compare_exchange_strong_explicit(&e->child, &at, MCTS_BUSY,
                                                     memory_order_relaxed, memory_order_relaxed))
            return NULL;
        at = mcts_expand(w, w->state);
        atomic_store_explicit(&e->child, at, memory_order_release);
    }
    return at && at != MCTS_BUSY ? mcts_node(m, at) : NULL;
}

// Down to where the walk ends. True if an edge was proven: then it has to go up.
static bool descend(MctsWorker *w, bool timed, double *playing) {
    const MctsShared *s = w->shared;
    const Game *g = s->player->game;
    MctsNode *n = mcts_node(s->mcts, s->mcts->root);
    for (;;) {
        int sure;
        MctsTally *table = s->rave > 0 ? mcts_table(w, n) : NULL;
        if (table && w->table_count < MCTS_TABLES_MOST)
            w->tables[w->table_count++] = table;
        MctsEdge *e = mcts_select(w, n, &sure);
        step(w, n, e, sure);
        if (w->failed)
            return false;
        Proven proven = MCTS_LOAD(e->proven);
        bool before = proven != 0;
        if (!proven && watches_repetition(g) && is_repeated(w)) {
            mcts_reward_all(w, RESULT_OVER, w->batch);
            return false;
        }
        if (!proven && w->state[g->ir->layout.result])
            proven = w->state[g->ir->layout.result];
        bool leaf = MCTS_LOAD(e->child) == 0;
        n = proven ? NULL : go_on(w, e);
        if (n && s->solver)
            proven = MCTS_LOAD(n->proven);
        if (proven) {
            mcts_reward_all(w, proven & 0xff, w->batch);
        } else if (s->judges && (leaf || !n || w->depth == MCTS_MAX_DEPTH)) {
            proven = mcts_judge(w, n);
        } else if (!n || w->depth == MCTS_MAX_DEPTH) {
            double begin = timed ? now_seconds() : 0;
            proven = mcts_play(w);
            *playing = timed ? now_seconds() - begin : 0;
        } else {
            continue;
        }
        if (proven && s->solver && !before)
            MCTS_STORE(e->proven, proven);
        return proven && s->solver && !before;
    }
}

// The best that the heuristic promises the player on move further down.
static int16_t minimax_of(MctsNode *n) {
    MctsEdge *edges = mcts_edges(n);
    int16_t best = INT16_MIN;
    for (uint32_t i = 0; i < n->count; i++) {
        int16_t v = MCTS_LOAD(edges[i].minimax);
        best = v > best ? v : best;
    }
    return best;
}

static void ascend(MctsWorker *w, bool proven) {
    const MctsShared *s = w->shared;
    int virtual = s->threads > 1 ? w->batch * MCTS_REWARD : 0;
    bool minimax = s->minimax > 0, two = s->player->game->ir->players == 2;
    for (int i = w->depth - 1; i >= 0; i--) {
        MctsNode *n = w->path[i].node;
        MctsEdge *above = i > 0 ? w->path[i - 1].edge : NULL;
        add64(s, &w->path[i].edge->sum, w->reward[n->player] + virtual);
        mcts_rate(s, w->path[i].edge);
        // A player with something better for certain would not have come here.
        int sure = w->path[i].sure * w->batch;
        if (two && w->reward[n->player] < sure) {
            w->reward[n->player] = sure;
            w->reward[1 - n->player] = -sure;
        }
        if (proven) {
            Proven p = mcts_prove(s, n);
            proven = p != 0;
            if (p) {
                MCTS_STORE(n->proven, p);
                if (above)
                    MCTS_STORE(above->proven, p);
            }
        }
        if (minimax && above) {
            int16_t v = minimax_of(n);
            v = w->path[i - 1].node->player == n->player ? v : (int16_t)-v;
            minimax = v != MCTS_LOAD(above->minimax);
            MCTS_STORE(above->minimax, v);
        }
    }
}

// What a walk cost goes into the mean. A walk in which the system gave the processor to others
// tells nothing: it counts for at most three usual ones.
static void note_cost(double *mean, double cost) {
    cost = *mean > 0 && cost > 3 * *mean ? 3 * *mean : cost;
    *mean += (*mean > 0 ? 0.05 : 1) * (cost - *mean);
}

static void walk(MctsWorker *w) {
    const MctsShared *s = w->shared;
    const Game *g = s->player->game;
    bool timed = ++w->walks % MEASURE == 0 && s->batch == 0;
    double begin = timed ? now_seconds() : 0, playing = 0;
    memcpy(w->state, s->root, (size_t)game_state_size(g));
    memset(w->reward, 0, sizeof w->reward);
    w->depth = w->table_count = 0;
    if (watches_repetition(g))
        w->keys[0] = game_hash(g, w->state);
    bool proven = descend(w, timed, &playing);
    if (!w->failed)
        ascend(w, proven);
    w->deepest = w->depth > w->deepest ? w->depth : w->deepest;
    w->done += w->batch;
    if (timed && playing > 0) {
        double tree = now_seconds() - begin - playing;
        note_cost(&w->play_cost, playing / w->batch);
        note_cost(&w->tree_cost, tree);
        double wanted = BATCH_SHARE * w->tree_cost / w->play_cost;
        w->batch = wanted < 1 ? 1 : wanted > BATCH_MOST ? BATCH_MOST : (int)(wanted + 0.5);
    }
}

// Counts the random games of the next walk; false if there have been enough.
static bool take_playouts(MctsWorker *w) {
    MctsShared *s = w->shared;
    if (s->most == 0)
        return true;
    int64_t taken = atomic_fetch_add_explicit(&s->playouts, w->batch, memory_order_relaxed);
    if (s->most - taken < w->batch)
        w->batch = (int)(s->most - taken);
    return w->batch > 0;
}

void mcts_run(MctsWorker *w) {
    MctsShared *s = w->shared;
    Mcts *m = s->mcts;
    MctsNode *root = mcts_node(m, m->root);
    for (;;) {
        bool clear_up = MCTS_LOAD(m->full) && !s->frozen;
        if (clear_up || MCTS_LOAD(s->halt))
            return;
        bool over = MCTS_LOAD(root->proven) || MCTS_LOAD(root->visits) > VISITS_MOST || w->failed ||
                    clock_look(&w->clock);
        if (over || !take_playouts(w) || (w->clock.node_limit && w->nodes > w->clock.node_limit))
            break;
        walk(w);
        if (w->walks % TELL_WALKS == 0)
            mcts_tell(w);
    }
    MCTS_STORE(s->halt, true);
}
