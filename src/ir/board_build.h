// board_build: what the files that build a board share; nobody else needs it.
//
// Order of work: cells (board.c; points.c for line boards), directions and steps (board.c),
// lines (lines.c), neighbours and distances (board.c), symmetries (symmetry.c). Each step
// reports what is wrong and returns false; later steps may rely on the earlier ones.
#ifndef LUDENS_BOARD_BUILD_H
#define LUDENS_BOARD_BUILD_H

#include "ir/board.h"

#define BOARD_MAX_DIRECTIONS 8

typedef struct BoardMaker {
    Arena *arena;
    const BoardSpec *spec;
    Diags *diags;
    Board *b;
    // How a step in each direction changes column and row.
    int dx[BOARD_MAX_DIRECTIONS], dy[BOARD_MAX_DIRECTIONS];
} BoardMaker;

// points.c: the cells of a line board and where they are drawn.
bool board_make_points(BoardMaker *m);
// lines.c: lines given by name, lines of N, and which lines go through which cell.
bool board_make_lines(BoardMaker *m);
// symmetry.c: the declared symmetries and all that follow from them.
bool board_make_symmetries(BoardMaker *m);

static inline bool board_set_has(const uint64_t *set, int cell) {
    return set[cell / 64] >> (cell % 64) & 1;
}

static inline void board_set_add(uint64_t *set, int cell) {
    set[cell / 64] |= (uint64_t)1 << (cell % 64);
}

#endif
