// mcts_play: what a position is worth where a walk leaves the tree; see mcts.h.
//
// Either random games say so, played to their end, or the heuristic (`judge`): then the position
// gets its moves at once, and what counts is the best that the heuristic says about those.
#include "search/mcts.h"

#include <math.h>
#include <string.h>

#define CHUNK 256 // moves of a random game between two looks at the clock
#define MANY 64   // random games that one call plays

void mcts_reward_all(MctsWorker *w, int result, int times) {
    const Mcts *m = w->shared->mcts;
    for (int p = 0; p < m->game->ir->players; p++)
        w->reward[p] += times * mcts_reward(m, result, p);
}

// --- the heuristic ---

// Values of the heuristic are taken for thousandths of a win where they are small, as those of
// `learned` are: half a logit is 500.
#define LOGIT 1000

int16_t mcts_estimate(MctsWorker *w, const uint8_t *state, int player) {
    Value v = evaluation_for(w->shared->player->evaluation, w->runner, state, player);
    return (int16_t)(MCTS_REWARD * tanh((double)v / LOGIT));
}

static void reward_estimate(MctsWorker *w, const uint8_t *state) {
    int players = w->shared->player->game->ir->players;
    if (players != 2) {
        for (int p = 0; p < players; p++)
            w->reward[p] += mcts_estimate(w, state, p);
        return;
    }
    int first = mcts_estimate(w, state, 0);
    w->reward[0] += first;
    w->reward[1] -= first;
}

Proven mcts_judge(MctsWorker *w, MctsNode *n) {
    int players = w->shared->player->game->ir->players;
    int over = n ? 0 : runner_result(w->runner, w->state); // a player may be stuck
    if (over > 0) {
        mcts_reward_all(w, over, 1);
        return (Proven)over;
    }
    w->failed = w->failed || over < 0;
    if (!n || players != 2) {
        reward_estimate(w, w->state);
        return 0;
    }
    const MctsEdge *edges = mcts_edges(n);
    int best = -MCTS_REWARD;
    for (uint32_t i = 0; i < n->count; i++) { // what is preferred is no value
        int v = w->reasoner ? MCTS_LOAD(edges[i].minimax) : edges[i].prior;
        best = v > best ? v : best;
    }
    w->reward[n->player] += best;
    w->reward[1 - n->player] -= best;
    return 0;
}

// --- random games ---

// Move by move, so that the moves are known.
static void play_told(MctsWorker *w) {
    const MctsShared *s = w->shared;
    const Game *g = s->player->game;
    int plies = 0;
    w->trail_length = 0;
    while (plies < s->cut && !w->other[g->ir->layout.result]) {
        Move move;
        int player = game_player(g, w->other);
        int found = runner_random(w->runner, w->other, rng_next(&w->rng), &move);
        if (found == 0) { // an end by a stuck player is not in the state yet
            int result = runner_result(w->runner, w->other);
            w->other[g->ir->layout.result] = (uint8_t)(result < 0 ? 0 : result);
            w->failed = result < 0;
            break;
        }
        if (found < 0 || !runner_apply(w->runner, w->other, move, w->other)) {
            w->failed = true;
            break;
        }
        if (plies < MCTS_TRAIL) {
            w->trail[plies].effect = mcts_move_effect(s->mcts, move, player);
            w->trail[plies].player = (uint8_t)player;
            w->trail_length = plies + 1;
        }
        plies++;
        if (plies % CHUNK == 0 && clock_look(&w->clock))
            break;
    }
    w->nodes += plies;
}

// Goes on with a game that is not over yet.
static void play_on(MctsWorker *w, int plies) {
    int cut = w->shared->cut;
    const uint8_t *end = w->other + w->shared->player->game->ir->layout.result;
    while (!*end && plies < cut && !(plies > 0 && clock_look(&w->clock))) {
        int most = cut - plies < CHUNK ? cut - plies : CHUNK;
        int played = runner_playout(w->runner, w->other, &w->rng, most);
        if (played < 0) {
            w->failed = true;
            return;
        }
        plies += played;
        w->nodes += played;
    }
}

static void reward_end(MctsWorker *w) {
    int result = w->other[w->shared->player->game->ir->layout.result];
    if (result)
        mcts_reward_all(w, result, 1);
    else
        reward_estimate(w, w->other);
}

// Returns the result if the game was over before the first move, else 0.
static int play_many(MctsWorker *w, int games) {
    uint8_t results[MANY];
    int cut = w->shared->cut < CHUNK ? w->shared->cut : CHUNK;
    for (int n; games > 0 && !w->failed; games -= n) {
        int64_t plies = 0;
        n = games < MANY ? games : MANY;
        n = runner_playouts(w->runner, w->state, &w->rng, n, cut, w->other, results, &plies);
        if (n <= 0) {
            w->failed = true;
            return 0;
        }
        w->nodes += plies;
        for (int i = 0; i < n - 1; i++)
            mcts_reward_all(w, results[i], 1);
        if (!results[n - 1])
            play_on(w, cut);
        reward_end(w);
        if (plies == 0 && results[0])
            return results[0];
    }
    return 0;
}

// One that counts for all moves as first.
static int play_counted(MctsWorker *w) {
    const Mcts *m = w->shared->mcts;
    int64_t before = w->nodes;
    memcpy(w->other, w->state, (size_t)game_state_size(m->game));
    if (m->by_moves)
        play_told(w);
    else
        play_on(w, 0);
    if (w->failed)
        return 0;
    reward_end(w);
    int result = w->other[m->game->ir->layout.result];
    if (result && m->by_moves)
        mcts_amaf_note_moves(w, result);
    else if (result)
        mcts_amaf_note(w, w->other, result);
    return w->nodes == before ? result : 0;
}

// The first game of a batch counts for all moves as first: more would cost more than they tell.
// Where the game is over already, one game tells as much as all.
Proven mcts_play(MctsWorker *w) {
    bool counts = w->table_count > 0;
    int over = counts ? play_counted(w) : 0;
    if (!over && !w->failed)
        over = play_many(w, w->batch - counts);
    if (over) {
        memset(w->reward, 0, sizeof w->reward);
        mcts_reward_all(w, over, w->batch);
    }
    return (Proven)over;
}
