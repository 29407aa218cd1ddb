// learned_slots: a state taken apart into slots; see learned.h.
#include "base/bits.h"
#include "game/statetext.h"
#include "search/learned.h"

#include <string.h>

#define NOBODY 0xFF

void learned_slots(const IrGame *ir, LearnedSlots *s) {
    s->attr = ir->kinds * ir->board->cells;
    s->var = s->attr + ir->attrs * ir->kinds;
    s->line = s->var + ir->vars;
    s->stack = s->line + LEARNED_MISSING;
    s->mobility = s->stack + ir->board->stack + 1;
    s->tempo = s->mobility + 1;
    s->bias = s->tempo + 1;
    s->count = s->bias + 1;
}

typedef void Take(void *with, int player, int slot, int value);
#define INLINE static inline __attribute__((always_inline))

INLINE void take_piece(const Learned *l, const uint8_t *state, const IrPlane *p, int cell,
                       Take *take, void *with) {
    const IrGame *ir = l->game->ir;
    take(with, p->owner, p->kind * ir->board->cells + cell, 1);
    if (l->uses & LEARNED_ATTRS)
        for (int a = 0; a < ir->attrs; a++)
            if (ir->kind[p->kind].attributes >> a & 1 &&
                (ir->attr[a].type.kind == TY_INT || ir->attr[a].type.kind == TY_BOOL))
                take(with, p->owner, l->slots.attr + a * ir->kinds + p->kind,
                     (int)state_attribute(l->game, state, a, cell));
    if (l->uses & LEARNED_STACKS)
        take(with, p->owner, l->slots.stack + state_height(l->game, state, cell), 1);
}

// Lines on which nobody else stands.
INLINE void take_lines(const Learned *l, const uint8_t *owner, Take *take, void *with) {
    const Board *b = l->game->ir->board;
    for (int i = 0; i < b->lines; i++) {
        const BoardLine *line = &b->line[i];
        int who = NOBODY, own = 0;
        bool open = true;
        for (int j = 0; j < line->count; j++) {
            int at = owner[line->cells[j]];
            open = open && (at == NOBODY || who == NOBODY || at == who);
            who = at == NOBODY ? who : at;
            own += at != NOBODY;
        }
        if (open && who < l->game->ir->players && line->count - own < LEARNED_MISSING)
            take(with, who, l->slots.line + line->count - own, 1);
    }
}

INLINE void take_mobility(const Learned *l, Runner *r, const uint8_t *state, Take *take,
                          void *with) {
    int32_t moves[IR_MAX_PLAYERS];
    runner_counts(r, state, 1, moves);
    for (int i = 0; i < l->game->ir->players; i++)
        take(with, i, l->slots.mobility,
             moves[i] < LEARNED_MOVES_MOST ? moves[i] : LEARNED_MOVES_MOST);
}

INLINE void walk(const Learned *l, Runner *r, const uint8_t *state, Take *take, void *with) {
    const IrGame *ir = l->game->ir;
    uint8_t owner[BOARD_MAX_CELLS];
    bool lines = l->uses & LEARNED_LINES;
    if (lines)
        memset(owner, NOBODY, (size_t)ir->board->cells);
    for (int i = 0; i < ir->planes; i++) {
        const IrPlane *p = &ir->plane[i];
        for (int w = 0; w < ir->board->words; w++) {
            uint64_t word;
            memcpy(&word, state + p->offset + 8 * w, sizeof word);
            while (word) {
                int cell = 64 * w + bits_pop(&word);
                if (lines)
                    owner[cell] = (uint8_t)p->owner;
                if (p->owner < ir->players)
                    take_piece(l, state, p, cell, take, with);
            }
        }
    }
    for (int v = 0; v < ir->vars; v++)
        if (ir->var[v].indexed && ir->var[v].index.kind == TY_PLAYER && !ir->var[v].clock &&
            (ir->var[v].type.kind == TY_INT || ir->var[v].type.kind == TY_BOOL))
            for (int i = 0; i < ir->players; i++)
                take(with, i, l->slots.var + v, (int)state_variable(l->game, state, v, i));
    if (lines)
        take_lines(l, owner, take, with);
    if (l->uses & LEARNED_MOBILITY)
        take_mobility(l, r, state, take, with);
    take(with, state[ir->layout.player], l->slots.tempo, 1);
    for (int i = 0; i < ir->players; i++)
        take(with, i, l->slots.bias, 1);
}

typedef struct List {
    LearnedSlot *slot;
    int count, cap;
} List;

static void take_to_list(void *with, int player, int slot, int value) {
    List *list = with;
    if (value && list->count < list->cap)
        list->slot[list->count++] = (LearnedSlot){player, slot, value};
}

int learned_take(const Learned *l, Runner *r, const uint8_t *state, LearnedSlot *out, int cap) {
    List list = {out, 0, cap};
    walk(l, r, state, take_to_list, &list);
    return list.count;
}

typedef struct Sums {
    const int32_t *weight;
    int slots;
    int64_t *sum;
} Sums;

INLINE void take_to_sums(void *with, int player, int slot, int value) {
    Sums *s = with;
    s->sum[player] += (int64_t)s->weight[player * s->slots + slot] * value;
}

void learned_sums(const Learned *l, Runner *r, const uint8_t *state, int64_t *sums) {
    Sums s = {l->weight, l->slots.count, sums};
    for (int i = 0; i < l->game->ir->players; i++)
        sums[i] = 0;
    walk(l, r, state, take_to_sums, &s);
}

static Value within(int64_t value) {
    return (Value)(value >= VALUE_SURE    ? VALUE_SURE - 1
                   : value <= -VALUE_SURE ? 1 - VALUE_SURE
                                          : value);
}

Value learned_value(const Learned *l, Runner *r, const uint8_t *state, int player) {
    int64_t sums[IR_MAX_PLAYERS], others = 0, value;
    int players = l->game->ir->players;
    if (l->fast)
        learned_fast_sums(l->fast, r, state, sums);
    else
        learned_sums(l, r, state, sums);
    if (l->fast && players == 2) {
        value = (player == 0 ? sums[0] : -sums[0]) / LEARNED_SCALE;
    } else {
        for (int i = 0; i < players; i++)
            others += i == player ? 0 : sums[i];
        value = (sums[player] - others / (players - 1)) / LEARNED_SCALE;
    }
    return within(value);
}

bool learned_each(const Learned *l, Runner *r, const uint8_t *states, int n, Value *values) {
    int64_t sums[LEARNED_EACH];
    if (!l->fast || l->game->ir->players != 2 || n > LEARNED_EACH)
        return false;
    learned_fast_each(l->fast, r, states, n, sums);
    for (int i = 0; i < n; i++, states += game_state_size(l->game)) {
        int64_t value = sums[i] / LEARNED_SCALE;
        values[i] = within(game_player(l->game, states) == 0 ? value : -value);
    }
    return true;
}
