// kept: what was worked out about a game and is worth keeping between runs of the program.
//
// Each entry is a small file beside the compiled games, under a key made of the rules, their
// parameters, what it is and its version. It ends with a checksum for that key; one that is cut
// short, damaged, of another user or of another game is as good as none.
#ifndef LUDENS_KEPT_H
#define LUDENS_KEPT_H

#include "game/game.h"

#define KEPT_LIMIT ((size_t)1 << 22) // bytes of an entry; what is larger is not kept

// Fills `data` with an entry of exactly `size` bytes; false if there is none.
bool kept_read(const Game *g, const char *what, uint32_t version, void *data, size_t size);
// Written beside and renamed. False if it cannot be kept: then it is worked out again next time.
bool kept_write(const Game *g, const char *what, uint32_t version, const void *data, size_t size);

#endif
