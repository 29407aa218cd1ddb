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

// --- draw_values.c ---
// The variables of the position for people, `hand White=9 Black=8  quiet=2`, in lines to stand
// under the board. What is nothing yet (0, no, an empty set) is left out.
void draw_values(const Game *g, const uint8_t *state, Text *out);

#endif
