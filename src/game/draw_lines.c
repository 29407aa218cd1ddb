// Line boards, and square ones on which the ways matter: points at their drawn places, four columns
// and two rows apart, joined by lines.
//
//     3 ·───·───·
//       │ ╲ │ ╱ │
//     2 ·───X───·
//       │ ╱ │ ╲ │
//     1 O───·───·
//       a   b   c
//
// When all names are a column letter and a row number they are left to the edges; otherwise each
// point's name stands beside it.
#include "game/draw_parts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Longer names are cut in the picture.
#define LABEL_COLUMNS 20

typedef struct LinePicture {
    Drawing *d;
    double unit_x, unit_y; // columns and rows of the canvas to one unit of the board
    double left, top;      // of the board, in its units
    int margin;            // columns for the labels of rows
    bool named;            // names stand beside the points
} LinePicture;

static int place_x(const LinePicture *k, int cell) {
    return k->margin + (int)lround((k->d->b->cell[cell].x - k->left) * k->unit_x);
}

static int place_y(const LinePicture *k, int cell) {
    return (int)lround((k->top - k->d->b->cell[cell].y) * k->unit_y);
}

// --- Lines ---

static const char *stroke(const Drawing *d, int dx, int dy) {
    if (dy == 0)
        return d->style.ascii ? "-" : "─";
    if (dx == 0)
        return d->style.ascii ? "|" : "│";
    if ((dx > 0) == (dy > 0)) // y grows downwards
        return d->style.ascii ? "\\" : "╲";
    return d->style.ascii ? "/" : "╱";
}

// From one point to the next. A slanted line has one stroke a row; one that is flatter runs level
// between its slanted strokes. On a grid of points every stroke lies exactly on the way.
static void draw_edge(LinePicture *k, int from, int to) {
    Drawing *d = k->d;
    int x0 = place_x(k, from), y0 = place_y(k, from);
    int dx = place_x(k, to) - x0, dy = place_y(k, to) - y0;
    bool flat = abs(dx) > 2 * abs(dy);
    int steps = flat ? abs(dx) : abs(dy), before = y0;
    for (int i = 1; i < steps; i++) {
        int x = x0 + (int)lround((double)dx * i / steps);
        int y = y0 + (int)lround((double)dy * i / steps);
        draw_text(d, x, y, stroke(d, dx, flat && y == before ? 0 : dy), INK_DIM);
        before = y;
    }
}

static bool is_next(const Board *b, int from, int to) {
    return b->next[from * b->words + to / 64] >> (to % 64) & 1;
}

static void draw_edges(LinePicture *k) {
    const Board *b = k->d->b;
    for (int c = 0; c < b->cells; c++)
        for (int to = 0; to < c; to++)
            if (is_next(b, c, to) || is_next(b, to, c))
                draw_edge(k, c, to);
}

// --- Points ---

static const char *point_sign(const Drawing *d) {
    return d->style.ascii ? "+" : "·";
}

static void draw_point(LinePicture *k, int cell) {
    Drawing *d = k->d;
    int x = place_x(k, cell), y = place_y(k, cell);
    int columns = draw_cell(d, cell, x, y);
    if (columns == 0)
        columns = draw_text(d, x, y, point_sign(d), INK_DIM);
    if (draw_is_marked(d, cell)) {
        draw_mark(d, x, y, columns);
        draw_brackets(d, x - 1, x + columns, y);
    }
    if (!k->named)
        return;
    Text name = {0};
    text_char(&name, ' ');
    const char *s = d->b->cell[cell].name;
    for (int n = 0; *s && n < LABEL_COLUMNS; n++) {
        int size = text_utf8(s, strlen(s));
        text_add_n(&name, s, size > 0 ? (size_t)size : 1);
        s += size > 0 ? size : 1;
    }
    text_char(&name, ' ');
    draw_text(d, x + columns + (draw_is_marked(d, cell) && !d->style.colour), y, text_c(&name),
              INK_DIM);
    text_free(&name);
}

// --- Labels at the edges ---

// Splits d6 into its letters and its number; false if the name is not of that form.
static bool split_name(const char *name, int *letters) {
    int n = 0, digits = 0;
    while (isalpha((unsigned char)name[n]))
        n++;
    while (isdigit((unsigned char)name[n + digits]))
        digits++;
    *letters = n;
    return n >= 1 && n <= 2 && digits >= 1 && digits <= 2 && !name[n + digits];
}

// Whether the names say the places: then letters stand below and numbers at the left, or, with
// `coordinates matrix`, the other way round.
static bool names_say_places(const Board *b) {
    int letters, other;
    for (int c = 0; c < b->cells; c++) {
        if (!split_name(b->cell[c].name, &letters))
            return false;
        for (int o = 0; o < c; o++) {
            const char *name = b->cell[c].name, *before = b->cell[o].name;
            split_name(before, &other);
            bool letter = letters == other && strncasecmp(name, before, (size_t)letters) == 0;
            bool number = atoi(name + letters) == atoi(before + other);
            bool column = b->cell[c].column == b->cell[o].column;
            bool row = b->cell[c].row == b->cell[o].row;
            if (letter != (b->matrix ? row : column) || number != (b->matrix ? column : row))
                return false;
        }
    }
    return true;
}

static int row_label_columns(const Board *b) {
    int most = 0;
    for (int c = 0; c < b->cells; c++) {
        int letters;
        split_name(b->cell[c].name, &letters);
        int n = b->matrix ? letters : (int)strlen(b->cell[c].name) - letters;
        most = n > most ? n : most;
    }
    return most;
}

static void draw_edge_labels(LinePicture *k) {
    Drawing *d = k->d;
    const Board *b = d->b;
    for (int c = 0; c < b->cells; c++) {
        int letters;
        char first[4] = "";
        split_name(b->cell[c].name, &letters);
        memcpy(first, b->cell[c].name, (size_t)letters);
        const char *number = b->cell[c].name + letters;
        const char *column = b->matrix ? number : first, *row = b->matrix ? first : number;
        draw_text(d, k->margin - 2 - (int)strlen(row), place_y(k, c), row, INK_DIM);
        draw_text(d, place_x(k, c), d->height - 1, column, INK_DIM);
    }
}

// --- The whole ---

// The least distance between different values, but 1 at least; `n` values, sorted.
static double least_gap(const Board *b, bool vertical) {
    double gap = INFINITY;
    for (int c = 0; c < b->cells; c++)
        for (int o = 0; o < c; o++) {
            double apart = vertical ? b->cell[c].y - b->cell[o].y : b->cell[c].x - b->cell[o].x;
            if (fabs(apart) > 1e-6)
                gap = fmin(gap, fabs(apart));
        }
    return isinf(gap) || gap < 1 ? 1 : gap;
}

static int widest_name(const Board *b) {
    int most = 0;
    for (int c = 0; c < b->cells; c++) {
        int n = text_columns(b->cell[c].name);
        most = n > most ? n : most;
    }
    return most < LABEL_COLUMNS ? most : LABEL_COLUMNS;
}

bool draw_lines(Drawing *d) {
    const Board *b = d->b;
    LinePicture k = {.d = d, .named = !names_say_places(b)};
    if (b->stack > 1)
        d->content = b->stack;
    double unit = fmin(least_gap(b, false), least_gap(b, true));
    int room = d->content + (k.named ? widest_name(b) + 2 : 0); // for a point and its name
    k.unit_x = (room + 3) / unit;
    k.unit_y = 2 / unit;
    double right = -INFINITY, bottom = INFINITY;
    k.left = INFINITY;
    k.top = -INFINITY;
    for (int c = 0; c < b->cells; c++) {
        k.left = fmin(k.left, b->cell[c].x);
        right = fmax(right, b->cell[c].x);
        k.top = fmax(k.top, b->cell[c].y);
        bottom = fmin(bottom, b->cell[c].y);
    }
    k.margin = k.named ? 2 : row_label_columns(b) + 2;
    int width = k.margin + (int)lround((right - k.left) * k.unit_x) + room + 2;
    int height = (int)lround((k.top - bottom) * k.unit_y) + 1 + !k.named;
    if (!draw_canvas(d, width, height))
        return false;
    draw_edges(&k);
    for (int c = 0; c < b->cells; c++)
        draw_point(&k, c);
    if (!k.named)
        draw_edge_labels(&k);
    return true;
}
