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

// Whether a player's name is one word that no other player has; others are written as numbers
// from 1.
bool player_named(const IrGame *ir, int player);

// --- names.c: boards of places whose pieces have names ---
int names_content(const IrGame *ir); // the variable; -1: pieces have no names
int names_at(const IrGame *ir);      // likewise
// Gives each piece on the board a name; false when out of memory. `at` follows.
bool names_follow_board(const Game *g, uint8_t *state);
void names_follow_content(const Game *g, uint8_t *state); // `at` alone
// A cell with a piece but no name, the other way round, or with a name that is used twice; -1.
int names_misfit(const Game *g, const uint8_t *state);
// Sets left_out[v] for the variables that a text need not have: reading works them out.
void names_left_out(const Game *g, const uint8_t *state, bool *left_out);

// One entry of a variable as the text of a state has it.
void state_entry_text(const Game *g, const uint8_t *state, int var, int index, Text *out);

// Whether flags of an enumeration are written one after the other, without `+` between.
bool value_flags_joined(const IrGame *ir, IrType mask);

#endif
