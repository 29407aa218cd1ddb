// prove_key: a hash of what tells positions apart, the same for all mirror images of a position
// that the rules declare to be equal. A state with directions or lines in it is taken as it is.
#include "search/prove_parts.h"

#include "base/mem.h"
#include "game/mirror.h"

#include <string.h>

struct Keyer {
    const Game *game;
    size_t bytes;   // that are hashed
    Mirror *mirror; // all but the identity
    int mirrors;
    uint64_t *image, *best;
};

Keyer *keyer_new(const Prover *p) {
    const Board *b = p->game->ir->board;
    Keyer *k = mem_alloc(sizeof *k);
    if (!k)
        return NULL;
    *k = (Keyer){.game = p->game, .bytes = p->identity};
    k->mirror = mem_alloc(sizeof *k->mirror * (size_t)(b->symmetries + 1));
    k->image = mem_alloc(p->size);
    k->best = mem_alloc(p->size);
    if (!k->mirror || !k->image || !k->best) {
        keyer_free(k);
        return NULL;
    }
    for (int s = 1; s < b->symmetries && !p->whole_way; s++) { // ways have no mirror images here
        k->mirror[k->mirrors] = mirror_declared(b, s);
        k->mirrors +=
            mirror_state(p->game, &k->mirror[k->mirrors], p->game->start, (uint8_t *)k->image);
    }
    return k;
}

void keyer_free(Keyer *k) {
    if (!k)
        return;
    mem_free(k->mirror);
    mem_free(k->image);
    mem_free(k->best);
    mem_free(k);
}

ProveKey keyer_key(Keyer *k, const uint8_t *state) {
    memcpy(k->best, state, k->bytes);
    for (int s = 0; s < k->mirrors; s++) {
        mirror_state(k->game, &k->mirror[s], state, (uint8_t *)k->image);
        if (memcmp(k->image, k->best, k->bytes) < 0) {
            uint64_t *better = k->image;
            k->image = k->best;
            k->best = better;
        }
    }
    ProveKey key = {0x243f6a8885a308d3u, 0x13198a2e03707344u};
    for (size_t i = 0; i < k->bytes / 8; i++) {
        ProveKey word = prove_key_of(k->best[i], i);
        key.a = prove_mix(key.a * 3 ^ word.a);
        key.b = prove_mix(key.b * 5 + word.b);
    }
    return key;
}
