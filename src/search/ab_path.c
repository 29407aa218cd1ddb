// ab_path: the positions between the root and where a thread is: playing moves, the keys of
// positions, repetition.
#include "search/alphabeta.h"

#include <string.h>

#define CLOCK_NEAR 12 // so near to the end of a clock its value is part of the position
#define TELL_NODES 32 // so many of its nodes a thread keeps to itself

// --- the rules ---

// For the side on move.
Value ab_draw_value(const AlphaBeta *ab, const uint8_t *state) {
    return game_player(ab->game, state) == ab->me ? -ab->contempt : ab->contempt;
}

Value ab_end_value(const AbThread *t, const uint8_t *state, int result, int ply) {
    const AlphaBeta *ab = t->ab;
    if (ab->game->ir->players <= 2) {
        Value value = value_of_result(ab->game, result, game_player(ab->game, state), ply);
        return value == 0 ? ab_draw_value(ab, state) : value;
    }
    Value value = value_of_result(ab->game, result, ab->me, ply);
    return ab_side(ab, state) == 0 ? value : -value;
}

// A limit of nodes is one for all threads.
static void tell_nodes(AbThread *t) {
    int64_t more = t->clock.nodes - t->told;
    int64_t spent = more + atomic_fetch_add_explicit(&t->ab->spent, more, memory_order_relaxed);
    t->told = t->clock.nodes;
    t->clock.over = t->clock.over || spent > t->ab->node_limit;
}

void ab_play(AbThread *t, int ply, Move move, uint32_t hash) {
    if (!runner_apply(t->runner, ab_state(t, ply), move, ab_state(t, ply + 1)))
        t->failed = true;
    t->plies[ply + 1].move = hash;
    t->plies[ply + 1].played = move;
    clock_over(&t->clock);
    if (t->ab->node_limit && t->clock.nodes - t->told >= TELL_NODES)
        tell_nodes(t);
    if (t->split && ab_split_is_over(t->split))
        t->cut = true;
}

void ab_line_take(AbThread *t, int ply, Move move, const AbThread *from) {
    if (ply >= AB_LINE - 1)
        return;
    AbLine *line = &t->lines[ply];
    const AbLine *rest = &from->lines[ply + 1];
    int n = rest->length < AB_LINE - 1 ? rest->length : AB_LINE - 1;
    line->move[0] = move;
    memcpy(line->move + 1, rest->move, sizeof *rest->move * (size_t)n);
    line->length = n + 1;
}

void ab_line_add(AbThread *t, int ply, Move move) {
    ab_line_take(t, ply, move, t);
}

void ab_line_end(AbThread *t, int ply, Move move) {
    if (ply >= AB_LINE - 1)
        return;
    t->lines[ply].move[0] = move;
    t->lines[ply].length = 1;
}

int ab_clock_left(const Game *g, const uint8_t *state) {
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
    if (ab->clocks == CLOCKS_COUNT) {
        uint64_t way = 0;
        for (int i = 1; clocks_whole_way(ab->game, ab->clocks) && i < ply; i++)
            way += clocks_step(t->plies[i].hash);
        return clocks_hash(ab->game, CLOCKS_COUNT, state) ^ ab->key_salt ^ way;
    }
    uint64_t key =
        canonical ? canonical_hash(ab->canonical, state) ^ AB_MIRROR_SALT : t->plies[ply].hash;
    key ^= ab->key_salt;
    int left = ab->clocks == CLOCKS_DRAW ? ab_clock_left(ab->game, state) : CLOCK_NEAR;
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

bool ab_is_repeated(AbThread *t, int ply) {
    const AlphaBeta *ab = t->ab;
    int limit = ab->game->ir->repeated, times = 1, first = AB_NO_PATH;
    // In a puzzle nothing is gained by coming back, unless a clock has to go on.
    bool puzzle = ab->game->ir->players == 1 && ab->clocks != CLOCKS_COUNT;
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
    int past = past_times(ab, hash);                      // the root is one of them
    bool letter = t->plain || ab->clocks == CLOCKS_COUNT; // a clock may be waited for
    bool once = first < AB_NO_PATH && (puzzle || !letter);
    if (!once && (limit == 0 || times + past < limit))
        return false;
    t->open = true;
    t->path = past > 0 && !once ? -1 : first;
    return true;
}
