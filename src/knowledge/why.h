// why: what a position is worth and what a move changes, with reasons, as text and as JSON; for
// `ludens explain`.
#ifndef LUDENS_WHY_H
#define LUDENS_WHY_H

#include "base/rows.h"
#include "knowledge/knowledge.h"

typedef struct Why {
    const Game *game;
    const Knowledge *k;
    const IrKnowledge *ir;
    Reasoner *reasoner;
    bool deep;
    int lines; // of reasons that may still be written
    Text *out;
    // Tuples whose reasons were written already, in this position and for this player.
    Support *told;
    int told_count, told_cap;
} Why;

// What a line of `worth` counts in a position, for one player.
typedef struct WhyLine {
    int count;
    int64_t sum;
} WhyLine;

// What a position is worth to a player.
typedef struct WhySum {
    int64_t own;   // of all lines
    int64_t other; // what the opponent has, where it counts
    int64_t value;
    WhyLine *line, *theirs; // [worths]; owned
} WhySum;

// All return false with the reason in the reasoner's error, or out of memory.
bool why_sum(Why *w, const uint8_t *state, int me, WhySum *sum);
void why_sum_free(WhySum *sum);

// --- why_value.c ---
bool why_value(Why *w, const uint8_t *state, int me);      // as lines
bool why_value_json(Why *w, const uint8_t *state, int me); // as an object
// The sentence of a line of `worth`, or its text where there is none.
const char *why_sentence(const IrWorth *worth);
void why_signed(Text *out, int64_t value); // +3, 0, -3
// --- why_reason.c ---
// Why a tuple holds, after reasoner_conclude: indented lines, or a JSON object.
void why_tuple(Why *w, int relation, int tuple, int64_t weight, bool weighed, int indent);
void why_tuple_json(Why *w, int relation, int tuple, int64_t weight);
// --- why_move.c ---
// The moves of the position are those of `runner`.
bool why_move(Why *w, Runner *runner, const uint8_t *before, Move move, const uint8_t *after);
bool why_move_json(Why *w, Runner *runner, const uint8_t *before, Move move, const uint8_t *after);

#endif
