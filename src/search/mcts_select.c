// mcts_select: which move a walk follows; see mcts.h.
//
// UCB1: the mean of the rewards, on a scale from 0 to 1, plus what little visits leave open,
//
//     mean + explore * sqrt(ln N / n) + bias * prior / (n + 1)
//
// A move without visits counts as `fpu` (first-play urgency): with a value above 1 each is tried
// once before any is tried again; below, a good move keeps the others waiting. Moves that are
// proven are left out. With implicit minimax backups the mean is mixed with the value of the
// heuristic further down.
#include "search/mcts.h"

#include <math.h>

#define SCALE (0.5f / MCTS_REWARD)

// The worth of an edge is kept with it: a walk changes the numbers of one edge of a node, and a
// selection looks at all of them. Only what exploring is worth changes with every visit of the
// node.
void mcts_rate(const MctsShared *s, MctsEdge *e) {
    uint32_t visits = MCTS_LOAD(e->visits);
    float prior = (float)e->prior * SCALE, worth, unsure = 0;
    if (visits == 0 && s->judges) { // the heuristic has judged this move already
        worth = 0.5f + prior;
        unsure = 1;
    } else if (visits == 0) {
        worth = (float)s->fpu + (float)s->bias * prior;
    } else {
        float one = 1.0f / (float)visits;
        float mean = (float)MCTS_LOAD(e->sum) * one * SCALE;
        float minimax = (float)MCTS_LOAD(e->minimax) * SCALE;
        mean += (float)s->minimax * (minimax - mean);
        worth = 0.5f + mean + (float)s->bias * prior / ((float)visits + 1);
        unsure = sqrtf(one);
    }
    MCTS_STORE(e->worth, worth);
    MCTS_STORE(e->unsure, unsure);
}

// --- with all moves as first ---

typedef struct Scale {
    float explore, bias, minimax, fpu, rave;
    const MctsTally *table;
} Scale;

// The mean of the games with this effect takes the place of few visits.
static float company(const Scale *s, const MctsEdge *e, float visits, float mean) {
    const MctsTally *t = &s->table[e->effect];
    float n = (float)MCTS_LOAD(t->visits);
    if (n < 1)
        return mean;
    float among = (float)MCTS_LOAD(t->sum) / n * SCALE;
    float share = n / (n + visits + n * visits / s->rave);
    return mean + share * (among - mean);
}

static float worth_in_company(const Scale *s, const MctsEdge *e) {
    uint32_t visits = MCTS_LOAD(e->visits);
    float prior = (float)e->prior * SCALE;
    if (visits == 0)
        return company(s, e, 0, s->fpu - 0.5f) + 0.5f + s->bias * prior;
    float one = 1.0f / (float)visits;
    float mean = company(s, e, (float)visits, (float)MCTS_LOAD(e->sum) * one * SCALE);
    float minimax = (float)MCTS_LOAD(e->minimax) * SCALE;
    mean += s->minimax * (minimax - mean);
    return 0.5f + mean + s->explore * sqrtf(one) + s->bias * prior / ((float)visits + 1);
}

// --- selecting ---

// Moves whose value is proven need no more visits: others are tried instead, as long as there are
// any. `*sure` is what they give the player on move at least.
MctsEdge *mcts_select(MctsWorker *w, MctsNode *n, int *sure) {
    const MctsShared *shared = w->shared;
    uint32_t count = n->count;
    MctsEdge *edges = mcts_edges(n), *best = NULL, *settled = NULL;
    float most = 0, visits = (float)MCTS_LOAD(n->visits);
    float explore = (float)shared->explore * sqrtf(logf(visits + 1));
    Scale scale = {.explore = explore,
                   .bias = (float)shared->bias,
                   .minimax = (float)shared->minimax,
                   .fpu = (float)shared->fpu,
                   .rave = (float)(shared->rave * w->batch),
                   .table = w->table_count ? w->tables[w->table_count - 1] : NULL};
    *sure = -MCTS_REWARD;
    // Among equals the first wins: beginning anywhere makes that fair.
    uint32_t i = count > 1 ? (uint32_t)(((rng_next(&w->rng) >> 32) * count) >> 32) : 0;
    for (uint32_t k = 0; k < count; k++, i = i + 1 < count ? i + 1 : 0) {
        MctsEdge *e = &edges[i];
        Proven proven = MCTS_LOAD(e->proven);
        if (proven) {
            int reward = mcts_reward(shared->mcts, proven & 0xff, n->player);
            if (!settled || reward > *sure)
                settled = e;
            *sure = reward > *sure ? reward : *sure;
            continue;
        }
        float u = scale.table && e->effect != MCTS_NO_EFFECT
                      ? worth_in_company(&scale, e)
                      : MCTS_LOAD(e->worth) + explore * MCTS_LOAD(e->unsure);
        if (!best || u > most) {
            best = e;
            most = u;
        }
    }
    return best && *sure < MCTS_REWARD ? best : settled;
}
