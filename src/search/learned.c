// learned: the evaluation `learned`: made once for a game and its parameters, then kept.
#include "search/learned.h"

#include "base/mem.h"
#include "game/kept.h"
#include "search/evaluate.h"

#include <string.h>

// Changes whenever what is learnt would be another: slots, games, fitting.
#define VERSION (6 * LEARNED_SHARE)
#define WEIGHT_MOST (1 << 24)

// The form in which it is kept: the uses, whether there is anything, then the weights.
static size_t kept_size(const Learned *l) {
    return sizeof(int32_t) * (2 + (size_t)(l->game->ir->players * l->slots.count));
}

static bool load(Learned *l, bool *useless) {
    int32_t *data = mem_alloc(kept_size(l));
    int n = l->game->ir->players * l->slots.count;
    bool ok = data && kept_read(l->game, "learned", VERSION, data, kept_size(l));
    for (int i = 0; ok && i < n; i++)
        ok = data[2 + i] >= -WEIGHT_MOST && data[2 + i] <= WEIGHT_MOST;
    if (ok) {
        l->uses = (unsigned)data[0] & l->uses;
        *useless = data[1] == 0;
        memcpy(l->weight, data + 2, sizeof *data * (size_t)n);
    }
    mem_free(data);
    return ok;
}

static void keep(const Learned *l, bool useless) {
    int32_t *data = mem_alloc(kept_size(l));
    if (!data)
        return;
    data[0] = (int32_t)l->uses;
    data[1] = !useless;
    memcpy(data + 2, l->weight, kept_size(l) - 2 * sizeof *data);
    kept_write(l->game, "learned", VERSION, data, kept_size(l));
    mem_free(data);
}

// Lines take longer than anything else where there are very many.
#define LINES_MOST 1000

static unsigned possible_uses(const IrGame *ir) {
    unsigned uses = LEARNED_MOBILITY;
    uses |= ir->board->lines > 0 && ir->board->lines <= LINES_MOST ? LEARNED_LINES : 0;
    uses |= ir->attrs > 0 ? LEARNED_ATTRS : 0;
    return uses | (ir->board->stack > 1 ? LEARNED_STACKS : 0);
}

void evaluate_learned_end(Evaluation *e) {
    Learned *l = e->own;
    if (l) {
        mem_free(l->weight);
        learned_fast_free(l->fast);
    }
    mem_free(l);
}

bool evaluate_learned_begin(Evaluation *e, Text *why) {
    const IrGame *ir = e->game->ir;
    if (ir->players < 2) {
        text_add(why, "not available for this game: it has one player");
        return false;
    }
    Learned *l = e->own = mem_alloc(sizeof *l);
    if (!l) {
        text_add(why, "out of memory");
        return false;
    }
    l->game = e->game;
    l->stop = e->stop;
    l->uses = possible_uses(ir);
    learned_slots(ir, &l->slots);
    l->weight = mem_alloc(sizeof *l->weight * (size_t)(ir->players * l->slots.count));
    if (!l->weight) {
        text_add(why, "out of memory");
        return false;
    }
    bool useless = false;
    if (load(l, &useless)) {
        if (useless)
            text_add(why, "not available for this game: nothing tells who will win");
        else
            l->fast = learned_fast_new(l);
        return !useless;
    }
    size_t before = why->n;
    bool ok = learned_learn(l, why);
    if (ok || (why->n > before && strstr(text_c(why), "nothing tells")))
        keep(l, !ok);
    l->fast = ok ? learned_fast_new(l) : NULL;
    return ok;
}

Value evaluate_learned(const Evaluation *e, Runner *r, const uint8_t *state, int player) {
    return learned_value(e->own, r, state, player);
}
