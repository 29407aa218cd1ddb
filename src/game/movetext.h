// movetext: moves as text, and back; and a move made choice by choice.
//
// Text of a move: its choices in order, each between the notation of its site, the first without
// what stands before it when that is the default "-"; labels of either/or where the rules give
// them; "pass".
#ifndef LUDENS_MOVETEXT_H
#define LUDENS_MOVETEXT_H

#include "game/game.h"

bool move_text(Runner *r, const uint8_t *state, Move move, Text *out);

// Finds the legal move a person means. Accepted: the move's own text (letter case and blanks do
// not matter where that is unambiguous), its choices as separate words, and the form of the
// rules' `input` section. Otherwise false, with a message that says which part was refused and
// why, and what could stand there. An incomplete move says which choice comes next.
bool move_read(Runner *r, const uint8_t *state, const char *text, Move *move, Text *error);

// The next choice after the ones already made (`values`, in order of the turn).
typedef struct MoveOptions {
    bool complete; // the values make a whole move: `move`
    Move move;
    int site;        // otherwise: the site that asks
    const char *say; // its help text, or NULL
    int64_t *values; // its members that lead to a legal move, ascending; owned by the Runner
    int count;       //   until its next call
} MoveOptions;
bool move_options(Runner *r, const uint8_t *state, const int64_t *values, int count,
                  MoveOptions *out);

// The values that make up a move of this state, as move_options takes them; how many, or -1. (The
// choices of runner_choices may be more: rules can name what was chosen.)
int move_values(Runner *r, const uint8_t *state, Move move, int64_t *values, int cap);

// Why the last of these values cannot be chosen, or why no move can follow, as a sentence without
// its full stop. False, with nothing said, if the values begin a legal move.
bool move_why(Runner *r, const uint8_t *state, const int64_t *values, int count, Text *why);

// The same from what a person types: a text that some legal moves begin with.
typedef struct MoveBegun {
    Text text;  // the choices made, as they stand in the text of a move
    Text words; //   and with blanks between them: move_read takes them with more choices behind
    uint64_t cells[BOARD_MAX_WORDS]; // those among them
    const char *name;                // of the next choice; NULL for a branch
    const char *say;                 // its help text, or NULL
    Text next;                       // what can stand there, a line each
    int count;
} MoveBegun;
// False, with nothing begun, if no legal move goes on after the text. `out` begins as {0} and may
// be used again; "" begins every move.
bool move_begin(Runner *r, const uint8_t *state, const char *text, MoveBegun *out);
void move_begun_free(MoveBegun *begun);
// Whether a move begins with the words of one that was begun.
bool move_continues(Runner *r, const uint8_t *state, Move move, const MoveBegun *begun);

#endif
