// prove_placing: games in which pieces are placed on free cells and stay, as sets of cells.
//
// Worked out of the rules, for two players and at most 64 cells: a move is one choice of a cell;
// whether it is legal depends on which cells are free and which are not, cell by cell; it fills
// some cells. The end is a line of one's own pieces, a full board, or having no move. Other games
// are refused.
#ifndef LUDENS_PROVE_PLACING_H
#define LUDENS_PROVE_PLACING_H

#include "search/prove_parts.h"

#define PLACING_GROUPS 16
#define PLACING_LINES 512
#define PLACING_THROUGH (16 * PLACING_LINES)
#define PLACING_SYMMETRIES 8
#define PLACING_UNKNOWN 2 // in place of a value: the rules do not say

// For the choices of `mask`: the cell `shift` further on has to be free, or filled.
typedef struct PlacingGroup {
    uint64_t mask;
    int shift;
    bool filled;
} PlacingGroup;

typedef struct PlacingShape { // lines that look alike
    uint64_t cells;           // of the one that begins with the first cell
    uint64_t starts;          // the first cells of all
} PlacingShape;

typedef struct PlacingSide {
    uint64_t possible; // choices that can be legal at all
    PlacingGroup group[PLACING_GROUPS];
    int groups;
    uint64_t fills[64];                 // cells that a choice fills, by choice
    PlacingGroup cover[PLACING_GROUPS]; // the same for many choices at once
    int covers;
    PlacingGroup
        overlap[PLACING_GROUPS]; // choices that fill a cell of the choice `shift` further on
    int overlaps;
    bool chained; // choices, least first, can be packed without loss (see prove_packing.c)
} PlacingSide;

typedef struct Placing {
    int cells;
    uint64_t all;
    PlacingSide side[2];
    bool same; // both sides have the same choices, and fill just the cell they choose
    int lines; // a complete one wins; 0: there are none
    uint64_t line[PLACING_LINES];
    PlacingShape shape[PLACING_LINES];
    int shapes;
    int through_start[65];
    int16_t through[PLACING_THROUGH];
    int most_fills[2], least_fills[2]; // cells of a move, of each side
    int full;                          // 0: a full board is a draw
    int stuck;                         // what having no move is worth to the player on move
    int symmetries;                    // without the identity
    uint64_t symmetry[PLACING_SYMMETRIES][8][256]; // [which][byte][its value] -> cells
} Placing;

bool placing_derive(const Game *g, Placing *out); // false: another kind of game

// What it cost to prove something about a position, by the table of the way `with` (prove_placing):
// the bits of the number of positions; 0 if it needed no search.
int placing_cost(void *with, const uint8_t *state);

// --- prove_packing.c ---
// What a position of a game without lines is worth to the side on move; means nothing when the
// prover has stopped.
int packing_look(Prover *p, ProveTable *table, const Placing *m, uint64_t filled, int side);
ProveKey packing_key(const Placing *m, uint64_t filled, int side);

static inline uint64_t placing_shift(uint64_t set, int by) { // the cell by further on is in set
    return by >= 0 ? set >> by : set << -by;
}

static inline uint64_t placing_legal(const PlacingSide *s, uint64_t filled) {
    uint64_t legal = s->possible;
    for (int i = 0; i < s->groups; i++) {
        uint64_t good = s->group[i].filled ? filled : ~filled;
        legal &= ~s->group[i].mask | placing_shift(good, s->group[i].shift);
    }
    return legal;
}

static inline uint64_t placing_mirror(const Placing *m, int symmetry, uint64_t set) {
    uint64_t out = 0;
    for (int i = 0; i < 8; i++)
        out |= m->symmetry[symmetry][i][set >> 8 * i & 255];
    return out;
}

#endif
