// convert_rules: the rules as they are understood, between convert_turn.c and what is printed.
#ifndef LUDENS_CONVERT_RULES_H
#define LUDENS_CONVERT_RULES_H

#include "s3/convert_parts.h"

typedef enum Shape { SHAPE_MOVE, SHAPE_PLACE, SHAPE_SWITCH } Shape;
typedef struct Rule { // one for each player that it is for
    const S3Rule *rule;
    const char *name; // without the player's name
    int player;
    Shape shape;
    int from, to; // of Convert.place
    int kind;     // that moves; -1: the switch
    Gx *cond;     // of Convert.from and Convert.to
    St *todo;     // after the move
    Env after;
} Rule;
typedef struct Rules {
    Rule *rule;
    int count;
} Rules;

// Puts down the reason of cv_fail, at a place of its own or else at `at`; *good becomes false.
void cv_report(Convert *c, bool *good, Span at);
bool cv_rules(Convert *c, Rules *out);
void cv_after(Convert *c, const Rules *rules, Env *after);
// Whether the hand of a player can be empty while there is something to do.
void cv_hands(Convert *c, const Rules *rules);
void cv_print_turn(Convert *c, const Rules *rules, Text *out);

// --- convert_table.c ---
void cv_table(Convert *c, Text *out); // the table section, and remarks about what is not in it

#endif
