// Square boards. Small ones, and all with stacks, are drawn as a grid of lines; larger ones as
// rows of dots, half as high:
//
//       ┌───┬───┬───┐
//     3 │   │ X │   │         15  · · · · ·
//       ├───┼───┼───┤         14  · · X · ·
//     2 │ O │ X │   │         13  · · · O ·
//       └───┴───┴───┘              a b c d e
//         a   b   c
//
// A stack is written from the bottom to the top; in several rows if the cells would otherwise be
// too wide, the lowest first.
#include "game/draw_parts.h"
#include "game/statetext.h"

#include <string.h>

// Higher boards would not fit on a terminal of 24 rows with lines between the cells.
#define GRID_ROWS 8

typedef struct Grid {
    Drawing *d;
    int margin; // columns for the labels of rows
    int pad;    // blanks on both sides of a cell's content, where brackets go
    int inner;  // columns between two lines
    int deep;   // rows between two lines
} Grid;

// The cell in column i from the left and row j from the top, both from 0; `cells` for none.
static int cell_at(const Board *b, int i, int j) {
    return board_cell_at(b, i + 1, b->matrix ? j + 1 : b->height - j);
}

static bool exists(const Board *b, int i, int j) {
    return cell_at(b, i, j) < b->cells;
}

// A missing cell with cells on all its sides belongs to the picture too: the light fields of a
// draughts board.
static bool is_framed(const Board *b, int i, int j) {
    if (i < 0 || j < 0 || i >= b->width || j >= b->height)
        return false;
    if (exists(b, i, j))
        return true;
    return (i == 0 || exists(b, i - 1, j)) && (i == b->width - 1 || exists(b, i + 1, j)) &&
           (j == 0 || exists(b, i, j - 1)) && (j == b->height - 1 || exists(b, i, j + 1));
}

// Tells such a field from an empty cell.
static const char *shade(const Drawing *d) {
    return d->style.ascii ? "" : "░";
}

static int margin_of(const Drawing *d) {
    int most = 0;
    char label[12];
    for (int row = 1; row <= d->b->height; row++) {
        int n = draw_row_label(d, row, label);
        most = n > most ? n : most;
    }
    return most + 1;
}

// --- The grid of lines ---

// The line through a corner, by the arms that leave it: up 1, right 2, down 4, left 8.
static const char *corner(const Drawing *d, int arms) {
    static const char *const signs[] = {" ", "╵", "╶", "└", "╷", "│", "┌", "├",
                                        "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"};
    if (!d->style.ascii)
        return signs[arms];
    return arms == 0 ? " " : arms == 5 ? "|" : arms == 10 ? "-" : "+";
}

static bool line_right(const Board *b, int i, int j) { // from corner (i, j)
    return is_framed(b, i, j - 1) || is_framed(b, i, j);
}

static bool line_down(const Board *b, int i, int j) {
    return is_framed(b, i - 1, j) || is_framed(b, i, j);
}

static void draw_corner(Grid *k, int i, int j, int x, int y) {
    Drawing *d = k->d;
    const Board *b = d->b;
    bool right = line_right(b, i, j), down = line_down(b, i, j);
    int arms = line_down(b, i, j - 1) * 1 + right * 2 + down * 4 + line_right(b, i - 1, j) * 8;
    if (arms)
        draw_text(d, x, y, corner(d, arms), INK_DIM);
    for (int n = 1; n <= k->inner && right; n++)
        draw_text(d, x + n, y, corner(d, 10), INK_DIM);
    for (int n = 1; n <= k->deep && down; n++)
        draw_text(d, x, y + n, corner(d, 5), INK_DIM);
}

// The pieces of a stack in `deep` rows, the lowest first; (x, y) is the upper left place.
static void draw_stack(Grid *k, int cell, int x, int y) {
    Drawing *d = k->d;
    int height = state_height(d->g, d->state, cell);
    for (int level = 0; level < height; level++)
        draw_level(d, cell, level, x + k->pad + level % (k->inner - 2 * k->pad),
                   y + k->deep - 1 - level / (k->inner - 2 * k->pad));
    if (height == 0)
        draw_text(d, x + k->pad, y + k->deep - 1, draw_dot(d), INK_DIM);
}

static void draw_content(Grid *k, int cell, int x, int y) {
    Drawing *d = k->d;
    if (d->b->stack > 1) {
        draw_stack(k, cell, x, y);
        return;
    }
    Drawing measure = *d;
    measure.spots = NULL;
    int columns = draw_cell(&measure, cell, 0, 0);
    if (columns > 0) // numbers stand to the right, everything else in the middle
        draw_cell(d, cell, x + (k->inner - columns + d->bare) / 2, y);
    else if (d->b->cells < d->b->width * d->b->height)
        draw_text(d, x + k->inner / 2, y, draw_dot(d), INK_DIM);
}

static void draw_field(Grid *k, int i, int j, int x, int y) {
    Drawing *d = k->d;
    int cell = cell_at(d->b, i, j);
    if (cell == d->b->cells) {
        for (int n = 0; n < k->inner * k->deep && is_framed(d->b, i, j); n++)
            draw_text(d, x + 1 + n % k->inner, y + 1 + n / k->inner, shade(d), INK_DIM);
        return;
    }
    draw_content(k, cell, x + 1, y + 1);
    if (!draw_is_marked(d, cell))
        return;
    for (int n = 1; n <= k->deep; n++)
        draw_mark(d, x + 1, y + n, k->inner);
    // Without blanks around the content the brackets stand on the lines.
    int out = k->pad ? 0 : 1;
    for (int n = 1; n <= k->deep; n++)
        draw_brackets(d, x + 1 - out, x + k->inner + out, y + n);
}

static void draw_grid_labels(Grid *k, int top) {
    Drawing *d = k->d;
    const Board *b = d->b;
    char label[12];
    for (int i = 0; i < b->width; i++) {
        int n = draw_column_label(d, i + 1, label);
        int x = k->margin + i * (k->inner + 1) + 1 + (k->inner - n) / 2;
        draw_text(d, x, top ? 0 : b->height * (k->deep + 1) + 1, label, INK_DIM);
    }
    for (int j = 0; j < b->height; j++) {
        int n = draw_row_label(d, b->matrix ? j + 1 : b->height - j, label);
        draw_text(d, k->margin - 1 - n, top + j * (k->deep + 1) + (k->deep + 1) / 2, label,
                  INK_DIM);
    }
}

static int grid_columns(const Grid *k) {
    return k->margin + k->d->b->width * (k->inner + 1) + 1;
}

// Chooses the size of a cell: as roomy as the width allows. False if no size is narrow enough.
static bool fit_grid(Grid *k) {
    const Board *b = k->d->b;
    for (k->deep = 1; k->deep <= b->stack; k->deep++) {
        int content = b->stack > 1 ? (b->stack + k->deep - 1) / k->deep : k->d->content;
        for (k->pad = 1; k->pad >= 0; k->pad--) {
            k->inner = content + 2 * k->pad;
            if (grid_columns(k) <= DRAW_COLUMNS)
                return true;
        }
    }
    k->deep--;
    k->pad = 0;
    return false;
}

static bool draw_grid(Grid *k) {
    Drawing *d = k->d;
    const Board *b = d->b;
    int top = b->matrix ? 1 : 0;
    if (!draw_canvas(d, grid_columns(k), b->height * (k->deep + 1) + 2))
        return false;
    for (int j = 0; j <= b->height; j++)
        for (int i = 0; i <= b->width; i++)
            draw_corner(k, i, j, k->margin + i * (k->inner + 1), top + j * (k->deep + 1));
    for (int j = 0; j < b->height; j++)
        for (int i = 0; i < b->width; i++)
            draw_field(k, i, j, k->margin + i * (k->inner + 1), top + j * (k->deep + 1));
    draw_grid_labels(k, top);
    return true;
}

// --- Rows of dots ---

static void draw_dots_cell(Drawing *d, int cell, int x, int y) {
    int columns = draw_cell(d, cell, x, y);
    if (columns == 0)
        draw_text(d, x, y, draw_dot(d), INK_DIM);
    if (draw_is_marked(d, cell)) {
        draw_mark(d, x, y, d->content);
        draw_brackets(d, x - 1, x + d->content, y);
    }
}

static bool draw_dots(Drawing *d) {
    const Board *b = d->b;
    char label[12];
    int widest = draw_column_label(d, b->width, label);
    int stride = (widest > d->content ? widest : d->content) + 1;
    int margin = margin_of(d) + 1, top = b->matrix ? 1 : 0;
    if (!draw_canvas(d, margin + b->width * stride + 1, b->height + 1))
        return false;
    for (int j = 0; j < b->height; j++) {
        int n = draw_row_label(d, b->matrix ? j + 1 : b->height - j, label);
        draw_text(d, margin - 2 - n, top + j, label, INK_DIM);
        for (int i = 0; i < b->width; i++)
            if (exists(b, i, j))
                draw_dots_cell(d, cell_at(b, i, j), margin + i * stride, top + j);
            else if (is_framed(b, i, j))
                draw_text(d, margin + i * stride, top + j, shade(d), INK_DIM);
    }
    for (int i = 0; i < b->width; i++) {
        draw_column_label(d, i + 1, label);
        draw_text(d, margin + i * stride, top ? 0 : b->height, label, INK_DIM);
    }
    return true;
}

bool draw_square(Drawing *d) {
    Grid k = {.d = d, .margin = margin_of(d)};
    bool fits = fit_grid(&k);
    if (d->b->stack > 1 || (fits && d->b->height <= GRID_ROWS))
        return draw_grid(&k);
    return draw_dots(d);
}
