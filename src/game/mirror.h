// mirror: positions laid onto the board in another way, or with the players exchanged.
//
// Whether the rules look the same in the mirror is not known here: whoever wants to know plays on
// both sides of it and compares.
#ifndef LUDENS_MIRROR_H
#define LUDENS_MIRROR_H

#include "game/game.h"

#define MIRROR_MOST 24 // ways to turn a drawn board: steps of 30 degrees, and flipped

typedef struct Mirror {
    int16_t cell[BOARD_MAX_CELLS + 1]; // where each cell goes; none stays none
    bool exchange;                     // two players: each gets what the other has
} Mirror;

// The ways in which the board as it is drawn comes to lie on itself, the identity first.
int mirror_list(const Board *b, Mirror *out); // room for MIRROR_MOST
// A symmetry that the rules declare: 0 .. b->symmetries - 1, the identity first.
Mirror mirror_declared(const Board *b, int symmetry);
// False if the state holds what cannot be mirrored (directions, lines), or a player has pieces
// that the other cannot have. `to` must not be `from`.
bool mirror_state(const Game *g, const Mirror *m, const uint8_t *from, uint8_t *to);

#endif
