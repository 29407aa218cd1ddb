// protocol: how moves, positions, limits and results are written in the protocol of
// docs/protocol.md. Both sides use it: those who are asked (ugi.h) and those who ask (bot.h).
//
// No state. Everything that is read may be wrong: false, with the reason in words.
#ifndef LUDENS_PROTOCOL_H
#define LUDENS_PROTOCOL_H

#include "match/contest.h"
#include "search/search.h"

// The longest line that is read: a position with a hundred thousand moves. More is a mistake.
#define PROTOCOL_LINE ((size_t)1 << 20)

// The next word of a line: where it begins, and its length in `n`; 0 at the end of the line.
const char *protocol_word(const char *s, size_t *n);
bool protocol_is(const char *word, size_t n, const char *text);

// A move is one word: its text with `_` for a blank, `%5F` for `_` and `%25` for `%`.
bool protocol_move(Runner *r, const uint8_t *state, Move move, Text *out);
// The legal move of that word; what people may type without blanks is understood too.
bool protocol_read_move(Runner *r, const uint8_t *state, const char *word, size_t n, Move *move,
                        Text *why);

// The game with its parameters, `mill men=9 flying=yes`; a rules file with its whole path.
void protocol_game(const Game *g, Text *out);
Game *protocol_read_game(const char *text, Text *why);

// `startpos [moves ...]` or `fen STATE [moves ...]`, STATE being everything up to `moves`.
void protocol_position(Runner *r, const Record *record, Text *out);
Record *protocol_read_position(Runner *r, const char *text, Text *why); // NULL: wrong
// Plays the moves of a text on; false after those that can be played.
bool protocol_play(Runner *r, Record *record, const char *text, Text *why);

typedef struct GoLimits {                                   // what follows `go`; 0: not given
    double left[IR_MAX_PLAYERS], increment[IR_MAX_PLAYERS]; // seconds
    double move;                                            // seconds
    int64_t nodes;
    int depth;
    bool clocks; // some pNtime was given
    bool infinite;
} GoLimits;
void protocol_go(const GoLimits *go, int players, Text *out);
void protocol_read_go(const char *text, GoLimits *go); // what is not understood is left out

// `p1win`, `p1win+p3win`, `draw`, `none` while the game goes on, `p1loss` of a puzzle.
void protocol_result(const Game *g, int result, Text *out);

// `cp 12` in hundredths, or `mate 3` in plies, negative for who loses.
void protocol_score(Value value, Text *out);
// Takes depth, nodes and score out of what follows `info`.
void protocol_read_info(const char *text, PlayedMove *told);

#endif
