// ab_quiet: the end of a line.
//
// A position is only estimated where nothing is hanging in the air: in games where who takes is
// mostly taken in turn, the forcing replies to a forcing move are looked at, unless the side on
// move is content with things as they stand or is too far behind for that to help. Where who can
// take has to, it must not be content. Longer exchanges cost more than they tell.
#include "search/alphabeta.h"

#include <string.h>

#define EXCHANGE_MOST 1 // moves of an exchange
#define HOPE 3          // usual changes of the estimate that a reply can bring at most

// Rules may ask for anything that is in a state, clocks too.
static uint64_t key_of(const Game *g, const uint8_t *state) {
    uint64_t key = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < game_state_size(g); i += 8) {
        uint64_t word;
        memcpy(&word, state + i, sizeof word);
        key = (key ^ word) * 0xD6E8FEB86659FD93u;
        key ^= key >> 32;
    }
    return key | 1; // what is not used is 0
}

// Estimates that take long are kept: a position near the leaves is met again in every iteration,
// and once more where it is searched behind the one in which its move was looked at.
static Value evaluate(AbThread *t, const uint8_t *state) {
    const Evaluation *e = t->ab->player->evaluation;
    if (!t->estimates)
        return evaluation_value(e, t->runner, state);
    uint64_t key = key_of(t->ab->game, state);
    AbEstimate *kept = &t->estimates[key >> 20 & (AB_ESTIMATES - 1)];
    if (kept->key != key)
        *kept = (AbEstimate){key, evaluation_value(e, t->runner, state)};
    return kept->value;
}

// With what it is worth to be on move.
static Value levelled(const AbThread *t, Value value) {
    Value turn = t->plain ? 0 : t->ab->turn, most = VALUE_SURE - 1;
    value += turn;
    return value > most ? most : value < -most ? -most : value;
}

Value ab_estimate(AbThread *t, const uint8_t *state) {
    const AlphaBeta *ab = t->ab;
    const Evaluation *e = ab->player->evaluation;
    t->open = true;
    if (ab->game->ir->players <= 2)
        return levelled(t, evaluate(t, state));
    Value value = evaluation_for(e, t->runner, state, ab->me);
    return ab_side(ab, state) == 0 ? value : -value;
}

void ab_estimates(AbThread *t, const uint8_t *states, int n, Value *values) {
    const AlphaBeta *ab = t->ab;
    t->open = true;
    if (!t->estimates && ab->game->ir->players <= 2) {
        evaluation_each(ab->player->evaluation, t->runner, states, n, values);
        for (int i = 0; i < n; i++)
            values[i] = levelled(t, values[i]);
        return;
    }
    for (int i = 0; i < n; i++, states += game_state_size(ab->game))
        values[i] = ab_estimate(t, states);
}

// Keeps the forcing moves of a list, and those that end the game, in its front. `*takes`: some of
// them are forcing.
static int keep_forcing(AbThread *t, int ply, const AbMoves *list, bool *takes) {
    const Forcing *f = &t->ab->forcing;
    const uint8_t *before = ab_state(t, ply);
    uint8_t *after = ab_state(t, ply + 1);
    int kept = 0;
    *takes = false;
    for (int i = 0; i < list->count && !ab_stopped(t); i++) {
        Move move = t->moves[list->begin + (size_t)i];
        clock_over(&t->clock);
        t->failed = t->failed || !runner_apply(t->runner, before, move, after);
        if (t->failed)
            break;
        bool forcing = forcing_is(f, before, after);
        *takes = *takes || forcing;
        if (forcing || after[t->ab->game->ir->layout.result])
            t->moves[list->begin + (size_t)kept++] = move;
    }
    return kept;
}

// The position is not over.
static Value exchange(AbThread *t, int ply, int length, Value alpha, Value beta) {
    Value best = ab_estimate(t, ab_state(t, ply));
    bool must = t->ab->forcing.compulsory;
    if (length >= EXCHANGE_MOST || ply >= AB_MAX_PLY - 2 || (best >= beta && !must))
        return best;
    if (!must && best + HOPE * (t->usual_change >> 8) <= alpha)
        return best;
    AbMoves list;
    if (!ab_moves(t, ply, &list))
        return 0;
    bool takes;
    int kept = keep_forcing(t, ply, &list, &takes);
    if (must && takes)
        best = 1 - VALUE_SURE; // that who can take has to is what some games tell, and no proof
    for (int i = 0; i < kept && !ab_stopped(t) && best < beta; i++) {
        ab_play(t, ply, t->moves[list.begin + (size_t)i], 0);
        if (ab_stopped(t))
            break;
        const uint8_t *after = ab_state(t, ply + 1);
        bool same = ab_side(t->ab, after) == ab_side(t->ab, ab_state(t, ply));
        Value low = best > alpha ? best : alpha, value;
        int result = runner_result(t->runner, after);
        if (result < 0)
            t->failed = true;
        if (result)
            value = ab_end_value(t, after, result, ply + 1);
        else
            value = same ? exchange(t, ply + 1, length + 1, low, beta)
                         : exchange(t, ply + 1, length + 1, -beta, -low);
        value = same ? value : -value;
        if (value > best)
            best = value;
    }
    ab_release(t, &list);
    t->open = true;
    return best;
}

Value ab_leaf(AbThread *t, int ply, Value alpha, Value beta) {
    const AlphaBeta *ab = t->ab;
    const uint8_t *state = ab_state(t, ply);
    int result = runner_result(t->runner, state);
    if (result < 0)
        t->failed = true;
    ab_trace_why(t, ply, result > 0 ? TRACE_OVER : TRACE_ESTIMATE, 0);
    if (result > 0)
        return ab_end_value(t, state, result, ply);
    if (result < 0 || t->plain || !ab->forcing.exchanges || ply == 0)
        return ab_estimate(t, state);
    const uint8_t *before = ab_state(t, ply - 1);
    if (forcing_is(&ab->forcing, before, state))
        return exchange(t, ply, 0, alpha, beta);
    return ab_estimate(t, state);
}
