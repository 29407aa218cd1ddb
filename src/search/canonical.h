// canonical: one key for all mirror images of a position.
//
// Only for games whose board declares symmetries, and whose states have images: what is on the
// cells, sets of cells, cells, and numbers that mean no place. Immutable after it is made.
#ifndef LUDENS_CANONICAL_H
#define LUDENS_CANONICAL_H

#include "game/game.h"

typedef struct Canonical Canonical;

// NULL if the game has no symmetries that can be used, or without memory.
Canonical *canonical_new(const Game *game);
void canonical_free(Canonical *c);
// The least hash of all images. It is game_hash of the state itself if that is the least.
uint64_t canonical_hash(const Canonical *c, const uint8_t *state);

#endif
