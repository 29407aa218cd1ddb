// draw: the board as text for a terminal.
//
// Square, hexagonal, line and stack boards, in Unicode or plain ASCII, with colour on request.
// The picture ends with a newline; coordinates stand at the edges.
#ifndef LUDENS_DRAW_H
#define LUDENS_DRAW_H

#include "game/game.h"

typedef struct DrawStyle {
    bool ascii;           // no character outside ASCII
    bool colour;          // ANSI escapes: players by colour, marks inverted
    const uint64_t *mark; // a set of cells to mark (legal choices, the last move), or NULL
} DrawStyle;

void draw_board(const Game *g, const uint8_t *state, DrawStyle style, Text *out);

#endif
