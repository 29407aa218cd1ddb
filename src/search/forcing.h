// forcing: which moves of a game change what counts, found by watching random games.
//
// A move is forcing if an opponent has fewer pieces after it, or if it changes a number that each
// player has (points, stacks won), provided that this happens now and then: where nearly every
// move does it, as in reversi, it tells nothing. Immutable after forcing_begin.
#ifndef LUDENS_FORCING_H
#define LUDENS_FORCING_H

#include "game/game.h"

#define FORCING_FIELDS 8

typedef struct Forcing {
    const Game *game;
    bool pieces;     // pieces get lost now and then
    bool compulsory; // who can take has to
    bool exchanges;  // who has lost a piece can mostly take one in turn
    bool again;      // players have several moves in a row
    struct ForcingField {
        int offset, size;
    } field[FORCING_FIELDS]; // numbers that tell
    int fields;
} Forcing;

// Watches some random games; false without memory. Where the rules fail it stops watching.
bool forcing_begin(Forcing *f, const Game *game, Runner *r);
static inline bool forcing_any(const Forcing *f) {
    return f->pieces || f->fields > 0;
}
// Whether the move from `before` to `after` was forcing.
bool forcing_is(const Forcing *f, const uint8_t *before, const uint8_t *after);

#endif
