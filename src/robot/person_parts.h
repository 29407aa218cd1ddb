// person_parts: what the two halves of finding a person's move share.
#ifndef LUDENS_PERSON_PARTS_H
#define LUDENS_PERSON_PARTS_H

#include "robot/robot.h"

typedef struct Candidate { // a legal move, and how badly the picture speaks against it
    Move move;
    double cost;
    double worst; // of one cell
    uint64_t key; // of the position behind it: equal ones are the same move to everybody
    int order;    // in the list of moves
} Candidate;

typedef struct Person {
    const Table *table;
    const Game *game;
    Runner *runner;
    const uint8_t *state;
    int cells, kinds;
    float *cost; // [cell * (kinds + 1) + kind]: against that content; the last is nothing
    uint8_t *seen, *before, *after; // tops by cell: a kind or SCENE_NOTHING
    uint8_t *next;                  // a state
    Candidate *move;                // by cost
    int moves;
} Person;

// Plays a move and notes the tops behind it in `after`. False on a fault of the rules.
bool person_play(Person *p, Move move);

// --- person_why.c ---
// Words about a board that no legal move explains: what is different, why that cannot be, and which
// legal move is nearest.
bool person_wrong(Person *p, Text *why);
// Whether the board is on the way to some legal move; then what is left to be done, in words.
bool person_half(Person *p, Text *why);

#endif
