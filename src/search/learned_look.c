// learned_look: a small search for the games that are learnt from; see learned.h.
//
// Everybody but the player who is asked plays against it, as in minimax: this holds for any number
// of players and for turns that do not alternate. Moves are tried in the order of the rules; what
// cannot matter is left out.
#include "search/learned.h"

#include "base/mem.h"

#include <string.h>

#define WIDTH 8    // moves that seem best, and are looked at further
#define REPLIES 40 // moves of a position that are looked at below the first
#define ROOT                                                                                       \
    300 // moves of the first that are looked at, more or less: of more every second and so on
#define COSTLY 200 // moves that are counted in the time of a position

bool learned_look_begin(LearnedLook *s, const Learned *l, Runner *r) {
    *s = (LearnedLook){.l = l, .runner = r, .each = 1};
    s->states = mem_alloc((size_t)game_state_size(l->game) * LEARNED_DEPTH);
    s->moves = mem_alloc(sizeof *s->moves * LEARNED_DEPTH * REPLIES);
    return s->states && s->moves;
}

void learned_look_end(LearnedLook *s) {
    mem_free(s->states);
    mem_free(s->moves);
    mem_free(s->root);
}

static Value of_result(const Game *g, int result, int me) {
    int winners = result & ((1 << g->ir->players) - 1);
    bool mine = winners >> me & 1;
    return winners == 0 ? 0 : mine ? (winners == 1 << me ? VALUE_SURE : 0) : -VALUE_SURE;
}

Value learned_look(LearnedLook *s, const uint8_t *state, int me, int depth, Value low, Value high) {
    const Game *g = s->l->game;
    int result = state[g->ir->layout.result];
    if (result)
        return of_result(g, result, me);
    const Move *found;
    int n = depth > 0 ? runner_moves(s->runner, state, &found) : 0;
    s->work += s->each;
    s->failed = s->failed || learned_stopped(s->l);
    if (n <= 0) {
        s->failed = s->failed || n < 0;
        return learned_value(s->l, s->runner, state, me);
    }
    n = n < REPLIES ? n : REPLIES;
    Move *moves = s->moves + (depth - 1) * REPLIES;
    memcpy(moves, found, sizeof *moves * (size_t)n);
    uint8_t *next = s->states + (size_t)game_state_size(g) * (size_t)(depth - 1);
    bool mine = game_player(g, state) == me;
    Value best = mine ? -2 * VALUE_SURE : 2 * VALUE_SURE;
    for (int i = 0; i < n && low < high && !s->failed; i++) {
        if (!runner_apply(s->runner, state, moves[i], next)) {
            s->failed = true;
            break;
        }
        Value v = learned_look(s, next, me, depth - 1, low, high);
        best = mine == (v > best) ? v : best;
        if (mine && best > low)
            low = best;
        else if (!mine && best < high)
            high = best;
    }
    return best;
}

typedef struct Tried {
    Move move;
    Value value;
} Tried;

// The best few by what they seem to be worth at once, best first; how many.
static int best_of(LearnedLook *s, const uint8_t *state, int me, Tried *best) {
    const Game *g = s->l->game;
    const Move *found;
    int n = runner_moves(s->runner, state, &found), count = 0;
    if (n > s->root_cap) {
        Move *grown = mem_resize(s->root, sizeof *grown * (size_t)n);
        s->root = grown ? grown : s->root;
        s->root_cap = grown ? n : s->root_cap;
        s->failed = s->failed || !grown;
    }
    s->failed = s->failed || n < 0;
    if (s->failed)
        return 0;
    memcpy(s->root, found, sizeof *found * (size_t)n);
    uint8_t *next = s->states + (size_t)game_state_size(g) * (LEARNED_DEPTH - 1);
    s->each = n < 2 * COSTLY ? 1 : n / COSTLY;
    int step = n < 2 * ROOT ? 1 : n / ROOT, looked = 0;
    for (int i = 0; i < n && !s->failed; i += step, looked++) {
        s->work++;
        if (!runner_apply(s->runner, state, s->root[i], next)) {
            s->failed = true;
            return 0;
        }
        Value v = learned_look(s, next, me, 0, -VALUE_SURE, VALUE_SURE);
        int at = count < WIDTH ? count++ : WIDTH - 1;
        if (at == WIDTH - 1 && count == WIDTH && looked >= WIDTH && v <= best[at].value)
            continue;
        for (; at > 0 && v > best[at - 1].value; at--)
            best[at] = best[at - 1];
        best[at] = (Tried){s->root[i], v};
    }
    return count;
}

bool learned_choose(LearnedLook *s, const uint8_t *state, int depth, Move *move, Value *value) {
    const Game *g = s->l->game;
    int me = game_player(g, state);
    Tried list[WIDTH];
    int n = best_of(s, state, me, list);
    uint8_t *next = s->states + (size_t)game_state_size(g) * (LEARNED_DEPTH - 1);
    *value = -2 * VALUE_SURE;
    for (int i = 0; i < n && !s->failed; i++) {
        s->failed = !runner_apply(s->runner, state, list[i].move, next);
        Value v = s->failed ? 0 : learned_look(s, next, me, depth - 1, *value, 2 * VALUE_SURE);
        if (v > *value) {
            *value = v;
            *move = list[i].move;
        }
    }
    return n > 0 && !s->failed;
}
