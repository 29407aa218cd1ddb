// state_parts: how the bytes of a state are read and changed, and the rows a board is shown in.
// For the files of game/ that write, read and draw states; others see statetext.h.
#ifndef LUDENS_STATE_PARTS_H
#define LUDENS_STATE_PARTS_H

#include "game/game.h"

#include <string.h>

// The cells row by row as they stand on the screen: top row first, each from left to right.
typedef struct StateRows {
    int rows;
    int start[BOARD_MAX_CELLS + 1]; // of each row in `cell`, and the end of the last
    int16_t cell[BOARD_MAX_CELLS];
} StateRows;

void state_rows(const Board *b, StateRows *rows);

// A number of 1, 2, 4 or 8 bytes, as IrVar and IrAttr describe them.
int64_t state_load(const uint8_t *at, int width, bool is_signed);
void state_store(uint8_t *at, int width, int64_t value);
void state_set_attribute(const Game *g, uint8_t *state, int attr, int cell, int64_t value);

static inline bool state_set_has(const uint8_t *set, int cell) {
    uint64_t word;
    memcpy(&word, set + cell / 64 * 8, sizeof word);
    return word >> (cell % 64) & 1;
}

static inline void state_set_change(uint8_t *set, int cell, bool member) {
    uint64_t word, bit = (uint64_t)1 << (cell % 64);
    memcpy(&word, set + cell / 64 * 8, sizeof word);
    word = member ? word | bit : word & ~bit;
    memcpy(set + cell / 64 * 8, &word, sizeof word);
}

// Whether flags of an enumeration are written one after the other, without `+` between.
bool value_flags_joined(const IrGame *ir, IrType mask);

#endif
