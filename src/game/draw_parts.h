// draw_parts: what the files draw*.c share. A picture is made on a canvas of character places,
// then written out row by row; so lines, pieces and labels can be drawn in any order.
#ifndef LUDENS_DRAW_PARTS_H
#define LUDENS_DRAW_PARTS_H

#include "game/draw.h"

// Pictures try to stay within this many columns, the width of most terminals.
#define DRAW_COLUMNS 80

typedef enum Ink {
    INK_PLAIN,
    INK_DIM,    // lines, coordinates, empty cells
    INK_PLAYER, // + the number of the player
} Ink;

typedef struct Spot { // one place of the canvas
    char s[5];        // one UTF-8 character; "" for a blank
    uint8_t ink;
    bool marked;
} Spot;

typedef struct Drawing {
    const Game *g;
    const IrGame *ir;
    const Board *b;
    const uint8_t *state;
    DrawStyle style;
    int width, height; // of the canvas
    Spot *spots;       // NULL until draw_canvas: then drawing only measures
    int content;       // columns that the content of a cell can take, without stacks
    bool bare;         // only one kind of piece, without owner: its values say it all
} Drawing;

// False when out of memory. The caller of draw_square and the others frees the canvas.
bool draw_canvas(Drawing *d, int width, int height);
// Writes a text from (x, y), y counted from the top; what lies outside is left out. Characters
// outside ASCII become `?` on an ASCII drawing. Returns its columns.
int draw_text(Drawing *d, int x, int y, const char *s, Ink ink);
void draw_mark(Drawing *d, int x, int y, int columns); // inverts them, on a coloured drawing
// Brackets at both places around a marked cell, on a drawing without colour.
void draw_brackets(Drawing *d, int left, int right, int y);
bool draw_is_marked(const Drawing *d, int cell);

// The piece at a level, one column; and all there is on a cell: its pieces from the bottom to
// the top, or its one piece with its values. Both return the columns.
int draw_level(Drawing *d, int cell, int level, int x, int y);
int draw_cell(Drawing *d, int cell, int x, int y);
const char *draw_dot(const Drawing *d); // an empty cell

// Labels at the edge: letters or a number, as in the names of cells.
int draw_column_label(const Drawing *d, int column, char out[12]);
int draw_row_label(const Drawing *d, int row, char out[12]);

bool draw_square(Drawing *d);
bool draw_hex(Drawing *d);
bool draw_lines(Drawing *d);
bool draw_places(Drawing *d); // draw_places.c

#endif
