// Hexagonal boards: rows of cells, each shifted by half a cell against the next.
//
//     3     · · ·
//     2    · X ·
//     1   · · O
//        a b c
//
// A column runs upwards to the right (with `coordinates matrix` downwards); its label stands
// before its first cell. Rows are labelled at the left; on a hexagon at the right, since the
// labels of columns are in the way.
#include "game/draw_parts.h"

#include <string.h>

typedef struct HexPicture {
    Drawing *d;
    int stride; // columns from a cell to the next, even
    int left;   // of the whole picture, in columns as counted by place_x
    int top;    // rows above the first row of cells
} HexPicture;

static int most(int a, int b) {
    return a > b ? a : b;
}

static int place_x(const HexPicture *k, int column, int row) {
    return column * k->stride + row * (k->stride / 2) - k->left;
}

static int place_y(const HexPicture *k, int row) {
    const Board *b = k->d->b;
    return k->top + (b->matrix ? row - 1 : b->height - row);
}

// The first (or last) column with a cell in a row; 0 if the row has none.
static int end_of_row(const Board *b, int row, bool last) {
    for (int i = 1; i <= b->width; i++) {
        int column = last ? b->width + 1 - i : i;
        if (board_cell_at(b, column, row) < b->cells)
            return column;
    }
    return 0;
}

static int first_of_column(const Board *b, int column) {
    for (int row = 1; row <= b->height; row++)
        if (board_cell_at(b, column, row) < b->cells)
            return row;
    return 0;
}

static void draw_labels(HexPicture *k) {
    Drawing *d = k->d;
    const Board *b = d->b;
    bool right = b->shape == BOARD_HEXAGON;
    char label[12];
    for (int row = 1; row <= b->height; row++) {
        int column = end_of_row(b, row, right);
        int n = draw_row_label(d, row, label);
        if (column)
            draw_text(d,
                      right ? place_x(k, column, row) + d->content + 2
                            : place_x(k, column, row) - n - 2,
                      place_y(k, row), label, INK_DIM);
    }
    for (int column = 1; column <= b->width; column++) {
        int row = first_of_column(b, column);
        draw_column_label(d, column, label);
        if (row)
            draw_text(d, place_x(k, column, row - 1), place_y(k, row - 1), label, INK_DIM);
    }
}

static void draw_hex_cell(HexPicture *k, int cell) {
    Drawing *d = k->d;
    int x = place_x(k, d->b->cell[cell].column, d->b->cell[cell].row);
    int y = place_y(k, d->b->cell[cell].row);
    if (draw_cell(d, cell, x, y) == 0)
        draw_text(d, x, y, draw_dot(d), INK_DIM);
    if (draw_is_marked(d, cell)) {
        draw_mark(d, x, y, d->content);
        draw_brackets(d, x - 1, x + d->content, y);
    }
}

bool draw_hex(Drawing *d) {
    const Board *b = d->b;
    HexPicture k = {.d = d, .top = b->matrix ? 1 : 0};
    char label[12];
    int row_label = draw_row_label(d, b->height, label);
    if (b->stack > 1)
        d->content = b->stack;
    k.stride = most(draw_column_label(d, b->width, label), d->content) + 1;
    k.stride += k.stride % 2;
    int low = place_x(&k, b->width, b->height), high = 0;
    for (int c = 0; c < b->cells; c++) {
        int x = place_x(&k, b->cell[c].column, b->cell[c].row);
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    k.left = low - row_label - 2;
    if (!draw_canvas(d, high - k.left + d->content + row_label + 3, b->height + 1))
        return false;
    for (int c = 0; c < b->cells; c++)
        draw_hex_cell(&k, c);
    draw_labels(&k);
    return true;
}
