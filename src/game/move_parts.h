// move_parts: what the files of game/ that write, read and explain moves share; others see
// movetext.h.
#ifndef LUDENS_MOVE_PARTS_H
#define LUDENS_MOVE_PARTS_H

#include "game/runner.h"

// Longer texts are not moves: 128 choices of a few letters each fit.
#define MOVE_TEXT_MAX 2000
// More possibilities than this are not read by anybody.
#define MOVE_LISTED_MAX 12
// What is shown of a word that a person typed.
#define MOVE_SHOWN_MAX 40

// --- movetext.c ---
// A choice by itself: its value, or the label of its branch.
void move_add_choice(const IrGame *ir, int site, int64_t value, Text *out);
// Whether a choice has a text at all: unlabelled branches have none.
bool move_choice_shown(const IrGame *ir, VmChoice c);
// Choices in order as a text; `bare`: with blanks between them instead of the notation.
void move_add_choices(const IrGame *ir, const VmChoice *choices, int n, bool bare, Text *out);
// The text of a move; `bare`: its choices with blanks between them. Leaves r->moves alone.
bool move_add(Runner *r, const uint8_t *state, Move move, bool bare, Text *out);
// The same without numbers that have labels: they name what the other choices say already.
bool move_add_brief(Runner *r, const uint8_t *state, Move move, Text *out);

// --- moveread.c ---
// Values of choices by name, in the order of the answers in the rules' `input` section.
typedef struct MoveAnswers {
    int64_t values[VM_MAX_CHOICES];
    int count;
} MoveAnswers;

// --- explain.c ---
// Says what is wrong with a text, or with answers (one of the two is NULL). True, with the move,
// if they turn out to be a move after all.
bool move_explain(Runner *r, const uint8_t *state, const char *text, const MoveAnswers *answers,
                  Move *move, Text *error);
void move_add_quoted(Text *out, const char *s, size_t n); // `s`, cut and safe for terminals
// Whether a condition on the member refused it, not a set that it must be in.
bool move_is_condition(const IrGame *ir, VmStop stop);

// --- letters ---
static inline bool move_is_blank(char c) {
    return c == ' ' || c == '\t';
}

static inline const char *move_skip_blanks(const char *s) {
    while (move_is_blank(*s))
        s++;
    return s;
}

static inline bool move_is_word(char c) { // a letter or a digit
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80 || c == '_';
}

static inline char move_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// What follows `part` in s, letter case aside; NULL if s does not begin with it.
static inline const char *move_after(const char *s, const char *part) {
    for (; *part; part++, s++)
        if (move_lower(*s) != move_lower(*part))
            return NULL;
    return s;
}

#endif
