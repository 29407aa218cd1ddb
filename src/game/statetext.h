// statetext: a state as one line of text, and back.
//
//     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w castling=KQkq en_passant=- halfmoves=0
//
// Board: rows from the top of the screen to the bottom, separated by `/`, cells from left to
// right (only cells that exist), a number for a run of empty ones, a letter per piece; attributes
// in parentheses after it, R(1,10,yes), in order of declaration; a stack in brackets, bottom
// first, [BWB], a single piece without. Then the player on move by the shortest unambiguous
// lower-case beginning of the name (or the letter the rules give), then variables and clocks in
// order of declaration as name=value (lists of an indexed one separated by `,`; a set of cells as
// names joined by `+`; flags joined; `-` for none or nothing; yes/no), then, if the game is over,
// `result=White`, `result=White+Black`, or `result=-` for a draw.
// Reading takes bare values in order too (chess FEN), initial values for missing ones, and one
// surplus trailing number (FEN's move number), and says exactly what is wrong with anything else.
#ifndef LUDENS_STATETEXT_H
#define LUDENS_STATETEXT_H

#include "game/game.h"

void state_text(const Game *g, const uint8_t *state, Text *out);
bool state_read(const Game *g, const char *text, uint8_t *state, Text *error);
// Puts a piece, attributes at their defaults, or takes everything off a cell. On stack boards
// the piece goes on top. For editors and the reader above. `plane` < 0 clears.
void state_put(const Game *g, uint8_t *state, int cell, int plane);

// Other parts of a state, for editors; values must be in their range. A set of cells has
// board->words words.
void state_set_attribute(const Game *g, uint8_t *state, int attr, int cell, int64_t value);
void state_set_variable(const Game *g, uint8_t *state, int var, int index, int64_t value);
void state_set_cells(const Game *g, uint8_t *state, int var, int index, const uint64_t *set);
// After pieces were put: what follows from them (names of pieces on boards of places) is as near to
// the first position as can be.
void state_follow(const Game *g, uint8_t *state);

// Values as people write them, e.g. a cell's name.
void value_text(const IrGame *ir, IrType type, int64_t value, Text *out);
// Reads a value of a site's type; false with a message if there is no such value.
bool value_read(const IrGame *ir, IrType type, const char *word, int64_t *value, Text *error);

// What stands where, for drawing: the number of pieces on a cell (0 or 1 without stacks), and
// the plane at a level, 0 at the bottom.
int state_height(const Game *g, const uint8_t *state, int cell);
int state_plane(const Game *g, const uint8_t *state, int cell, int level);
int64_t state_attribute(const Game *g, const uint8_t *state, int attr, int cell);
int64_t state_variable(const Game *g, const uint8_t *state, int var, int index); // not for sets
bool state_variable_has(const Game *g, const uint8_t *state, int var, int index, int cell); // sets

#endif
