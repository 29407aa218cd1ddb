// mcts_play: what a position is worth where a walk leaves the tree; see mcts.h.
//
// Either random games say so, played to their end, or the heuristic (`judge`): then the position
// gets its moves at once, and what counts is the best that the heuristic says about those.
#include "search/mcts.h"

#include <math.h>
#include <string.h>

#define CHUNK 256 // moves of a random game between two looks at the clock

void mcts_reward_all(MctsWorker *w, int result, int times) {
    const Game *g = w->shared->player->game;
    for (int p = 0; p < g->ir->players; p++)
        w->reward[p] += times * mcts_reward(g, result, p);
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

// Move by move, so that the moves are known. Returns the plies, or -1 on a fault.
static int play_told(MctsWorker *w) {
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
            return result < 0 ? -1 : plies;
        }
        if (found < 0 || !runner_apply(w->runner, w->other, move, w->other))
            return -1;
        if (plies < MCTS_TRAIL) {
            w->trail[plies].effect = mcts_move_effect(s->mcts, move, player);
            w->trail[plies].player = (uint8_t)player;
            w->trail_length = plies + 1;
        }
        plies++;
        if (plies % CHUNK == 0 && clock_look(&w->clock))
            break;
    }
    return plies;
}

// By machine code, where there is any.
static int play_untold(MctsWorker *w) {
    int cut = w->shared->cut;
    for (int plies = 0;;) {
        int most = cut - plies < CHUNK ? cut - plies : CHUNK;
        int played = runner_playout(w->runner, w->other, &w->rng, most);
        if (played < 0)
            return -1;
        plies += played;
        if (played < most || plies >= cut || clock_look(&w->clock))
            return plies;
    }
}

// Returns the result if the game was over before the first move, else 0.
static int play_out(MctsWorker *w, bool told) {
    const Game *g = w->shared->player->game;
    memcpy(w->other, w->state, (size_t)game_state_size(g));
    int plies = told ? play_told(w) : play_untold(w);
    if (plies < 0) {
        w->failed = true;
        return 0;
    }
    w->nodes += plies;
    int result = w->other[g->ir->layout.result];
    if (result)
        mcts_reward_all(w, result, 1);
    else
        reward_estimate(w, w->other);
    return plies == 0 ? result : 0;
}

// The first game of a batch counts for all moves as first: more would cost more than they tell.
Proven mcts_play(MctsWorker *w) {
    bool by_moves = w->shared->mcts->by_moves;
    for (int i = 0; i < w->batch && !w->failed; i++) {
        bool counts = i == 0 && w->table_count > 0;
        int over = play_out(w, counts && by_moves);
        int end = w->other[w->shared->player->game->ir->layout.result];
        if (counts && end && by_moves)
            mcts_amaf_note_moves(w, end);
        else if (counts && end)
            mcts_amaf_note(w, w->other, end);
        if (over) {
            mcts_reward_all(w, over, w->batch - 1);
            return (Proven)over;
        }
    }
    return 0;
}
