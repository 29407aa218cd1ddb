// board: the geometry of a game: cells, directions, lines, neighbours, symmetries.
//
// A Board is built once from a BoardSpec and never changes. It lives in the arena given to
// board_build. Cells are numbered 0..cells-1: square and hexagonal boards row by row from row 1,
// each row from column 1 (so a1 is 0, b1 is 1); line boards by row and column of their drawn
// places. The missing cell, `none`, is the number `cells`; tables have an entry for it.
#ifndef LUDENS_BOARD_H
#define LUDENS_BOARD_H

#include "base/diag.h"
#include "base/mem.h"

#include <stdint.h>

// 512 cells hold a 22 x 22 board; a set is then eight words.
#define BOARD_MAX_CELLS 512
#define BOARD_MAX_WORDS (BOARD_MAX_CELLS / 64)
#define BOARD_MAX_SIDE 64 // of the grid that cells are taken from
// A 19 x 19 board has about 1,400 lines of five.
#define BOARD_MAX_LINES 8192
#define BOARD_MAX_STACK 32

typedef enum BoardShape {
    BOARD_SQUARE,
    BOARD_RHOMBUS,  // hexagonal cells, width x height, sheared to the right row by row
    BOARD_HEXAGON,  // hexagonal cells, `width` cells a side; the grid is 2*width-1 a side
    BOARD_TRIANGLE, // hexagonal cells, `width` cells a side; row r has width+1-r cells
    BOARD_LINES,    // named points joined by lines
    BOARD_PLACES,   // named places and nothing between them: board_of_places
} BoardShape;

// What a rules file says about its board. Grid positions are counted row by row:
// (row - 1) * grid_width + (column - 1).
typedef struct BoardSpec {
    BoardShape shape;
    int width, height;
    bool matrix;      // A1 at the top left, rows lettered; otherwise a1 at the bottom left
    const bool *keep; // per grid position, NULL: all
    int stack;        // pieces on a cell at most; 1 if the board has no stacks
    Span span;

    // Directions by name, each perhaps only from some cells; none given: all of the shape.
    struct BoardSpecDirection {
        const char *name;
        Span span;
        const bool *from; // per grid position, NULL: everywhere
    } * directions;
    int direction_count;

    // Lines by name (line boards; also allowed on others) and generated ones.
    struct BoardSpecLine {
        const char **names;
        Span *spans;
        int count;
    } * lines;
    int line_count;
    int lines_of; // every straight row of that many cells; 0: none

    struct BoardSpecPoint { // drawn places of points of a line board
        const char *name;
        Span span;
        int x, y;
    } * points;
    int point_count;

    struct BoardSpecSymmetry {
        const char *name; // all, rotations, mirrors, left_right, up_down, half_turn, diagonals
        Span span;
    } * symmetries;
    int symmetry_count;
} BoardSpec;

typedef struct BoardCell {
    const char *name;
    int column, row; // counted from 1; on line boards the ranks of the drawn places, on boards
                     //   of places the runs of the file's order (places.c)
    double x, y;     // drawn place, in units of one cell; y grows up the screen
} BoardCell;

typedef struct BoardLine {
    int count;
    int16_t *cells; // in order along the line
} BoardLine;

typedef struct Board {
    BoardShape shape;
    int width, height; // of the grid
    bool matrix;
    int stack;
    int cells;
    int words; // of a set of cells: (cells + 63) / 64
    BoardCell *cell;
    int16_t *at; // grid position -> cell, or `cells` for none

    int directions;
    const char **direction_name;
    uint8_t *opposite;  // direction -> the one back, or itself if the board has none
    int16_t *step;      // [cell * directions + d], also for cell == cells
    uint64_t *next;     // [cell * words], also for cell == cells; sorted out of step or lines
    uint16_t *distance; // [a * (cells + 1) + b]; `cells` where there is no way, or for none

    int lines;
    BoardLine *line;
    uint64_t *line_set; // [line * words]
    int *through_start; // [cell], cells + 2 entries: lines through c are
    int16_t *through;   //   through[through_start[c]] .. through[through_start[c + 1] - 1]

    int symmetries;     // declared ones, the identity first; 0 if none declared
    int16_t **symmetry; // [s][cell] -> cell, also [cells] -> cells
} Board;

// Reports what is wrong in `diags` and returns NULL, or the board.
Board *board_build(Arena *arena, const BoardSpec *spec, Diags *diags);

// A board of `count` named cells in the given order, drawn at their points, without lines and
// directions. Points are those of a screen, in pixels, y downwards; any may coincide, and be
// BOARD_NO_POINT; x and y may be NULL. The names are copied. NULL if there are no cells or more
// than BOARD_MAX_CELLS.
#define BOARD_NO_POINT INT32_MIN
Board *board_of_places(Arena *arena, const char *const *names, const int *x, const int *y,
                       int count);

int board_cell_named(const Board *b, const char *name); // -1 if there is none
int board_direction_named(const Board *b, const char *name);
int board_cell_at(const Board *b, int column, int row); // `cells` if there is none
// The grid a spec's positions count in; false if the size is impossible (reported in diags).
bool board_grid(const BoardSpec *spec, int *width, int *height, Diags *diags);
// Whether a grid position (column, row from 1) is on the shape before `keep`.
bool board_on_grid(const BoardSpec *spec, int column, int row);

#endif
