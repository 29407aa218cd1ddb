// record: a game being played: its start, its moves and states, and who has won.
//
// Owns its memory. Knows what a single state cannot: repetition. Undo keeps the undone moves for
// redo until another move is played.
#ifndef LUDENS_RECORD_H
#define LUDENS_RECORD_H

#include "game/game.h"

typedef struct Record Record;

Record *record_new(Runner *r, const uint8_t *start); // start NULL: the game's own
void record_free(Record *rec);
void record_use(Record *rec, Runner *r); // from now on; of the same rules, with the same parameters

int record_length(const Record *rec);                    // moves played
const uint8_t *record_state(const Record *rec, int ply); // 0 is the start
const uint8_t *record_now(const Record *rec);
Move record_move(const Record *rec, int ply); // the move played in state `ply`
// Whether the players moved one after the other all the time: nobody moved twice or was left out.
bool record_in_turn(const Record *rec);
// How often a position has occurred in the game so far.
int record_times(const Record *rec, const uint8_t *state);
// The positions that have occurred so often or more, and how often, as one number; 0: none.
uint64_t record_past(const Record *rec, int times);
bool record_play(Record *rec, Move move); // false on a fault or out of memory (runner_error)
bool record_undo(Record *rec);
bool record_redo(Record *rec);
void record_restart(Record *rec);

// 0 while the game goes on, else RESULT_OVER | winners; -1 on a fault.
int record_result(Record *rec);
// Why the game is over, in words: those that the file has for the rule that ended it; without such
// as in "the position occurred 3 times", "Black cannot move".
const char *record_reason(Record *rec);

// A text that replays: game, parameters, start if it is not the usual one, moves, result.
//     ludens game 1
//     game mill men=9
//     start ……            (only if not the initial state)
//     moves
//     1. a1 d2            (as many moves as there are players; if somebody moved twice: a line
//     …                    for each time a player is on move, with the name, `2. White: a1 a4`)
//     result White wins
void record_save(Record *rec, const char *const *params, int count, Text *out);
// Plays the moves of a saved text into `rec` (made for the same game); false with the line that
// is wrong. record_read_game tells beforehand which game and parameters it is for.
bool record_load(Record *rec, const char *text, Text *error);
bool record_read_game(const char *text, char *game, size_t size, char ***params, int *count,
                      Text *error);

#endif
