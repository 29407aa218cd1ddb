// describe: games, positions, choices and moves as the JSON of docs/web-protocol.md.
//
// Everything is written into a Text; nothing is kept. Works without a server, for the command line.
#ifndef LUDENS_DESCRIBE_H
#define LUDENS_DESCRIBE_H

#include "game/game.h"
#include "game/record.h"

// --- describe_game.c ---
void describe_game(const Game *g, Text *out); // GAME
// CARD. `length`: moves that a game usually takes, 0 if that is not known.
void describe_card(const Game *g, int length, Text *out);

// --- describe.c ---
void describe_position(Runner *r, const uint8_t *state, Text *out); // POSITION
// `record` knows about repetition; the position is that of its last ply.
void describe_record_position(Record *rec, Runner *r, Text *out);
// A value as JSON: numbers and flags as such, cells and players as numbers, none as null, the rest
// as text.
void describe_value(const IrGame *ir, IrType type, int64_t value, Text *out);
const char *describe_kind(IrType type); // the word for a type

// --- describe_options.c ---
// OPTIONS. False, with the reason, if no legal move begins with these values.
bool describe_options(Runner *r, const uint8_t *state, const int64_t *values, int count, Text *out,
                      Text *why);
// The values of a move's choices, and the cells it changes, as JSON lists.
void describe_move(Runner *r, const uint8_t *before, Move move, Text *values, Text *cells);
// The cells that differ between two states, as a JSON list.
void describe_changed(const Game *g, const uint8_t *before, const uint8_t *after, Text *cells);
// Cells with pieces of others that some move takes off the board or changes the owner of, as a JSON
// list; of positions with very many moves only some are tried. False on a fault of the rules.
bool describe_captures(Runner *r, const uint8_t *state, Text *cells);

// --- describe_aims.c ---
// ,"aims":[…]: for each player a list of sets of cells that are its own by the rules of the end; or
// [].
void describe_aims(const Game *g, Text *out);

// --- describe_look.c ---
void describe_look(const Game *g, Text *out); // what a file says about pictures, or null

#endif
