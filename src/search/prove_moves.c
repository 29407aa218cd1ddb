// prove_moves: see prove_parts.h. States are addressed by offsets, since the buffer moves when it
// grows.
#include "search/prove_parts.h"

#include "base/mem.h"

#include <string.h>

static bool make_room(Brood *b, int children) {
    size_t bytes = b->p->size * (size_t)children;
    if (b->count + children > b->cap) {
        int cap = 2 * b->cap + children + 64;
        Child *grown = mem_resize(b->child, sizeof *grown * (size_t)cap);
        if (!grown)
            return false;
        b->child = grown;
        b->cap = cap;
    }
    if (b->end + bytes > b->states_cap) {
        size_t cap = 2 * b->states_cap + bytes;
        uint8_t *grown = mem_resize(b->states, cap);
        if (!grown)
            return false;
        b->states = grown;
        b->states_cap = cap;
    }
    return true;
}

bool brood_begin(Brood *b, const uint8_t *root) {
    b->count = 0;
    b->end = 0;
    if (!make_room(b, 1)) {
        prover_fail(b->p, "out of memory");
        return false;
    }
    memcpy(b->states, root, b->p->size);
    b->end = b->p->size;
    return true;
}

#define LOOK_UP 256 // moves after which it asks whether it has to stop

int brood_expand(Brood *b, size_t state) {
    Prover *p = b->p;
    const Move *moves;
    int n = runner_moves(p->runner, b->states + state, &moves);
    if (n < 0 || !make_room(b, n)) {
        prover_fail(p, n < 0 ? NULL : "out of memory");
        return -1;
    }
    Child *child = b->child + b->count;
    for (int i = 0; i < n; i++, b->end += p->size) {
        child[i] = (Child){.move = moves[i], .state = b->end, .number = (unsigned)i};
        uint8_t *to = b->states + b->end;
        if (!runner_apply(p->runner, b->states + state, moves[i], to)) {
            prover_fail(p, NULL);
            return -1;
        }
        child[i].result = to[p->game->ir->layout.result];
        if (i % LOOK_UP == LOOK_UP - 1 && clock_look(&p->clock))
            return -1;
    }
    b->count += n;
    return n;
}

int brood_value_of_end(Brood *b, size_t state) {
    int result = runner_result(b->p->runner, b->states + state);
    if (result < 0)
        prover_fail(b->p, NULL);
    return result > 0 ? prover_value_of(b->p, result) : prover_endless(b->p);
}

void brood_free(Brood *b) {
    mem_free(b->child);
    mem_free(b->states);
}
