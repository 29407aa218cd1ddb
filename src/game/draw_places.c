// Boards of places: cells at their drawn points, row by row, each with its name beside it.
//
//     w s(1,1)  · s(2,1)  b s(3,1)
//     · s(1,2)  · s(2,2)  · s(3,2)
//     beside: stack 7 w
//
// Points that are nearly level share a row, points that are nearly above one another a column.
// Columns are as close as their cells allow, so that as much as possible fits on a screen; where
// that is not enough the names are left out but for the first and last of each row. Hidden cells
// are only counted.
#include "game/draw_parts.h"
#include "game/statetext.h"

#include <stdlib.h>
#include <string.h>

// Wider pictures than this leave the names out.
#define SCREEN_COLUMNS 100
// Points this close, in units of the board, share a row or a column.
#define CLOSE 0.4
#define MOST_LETTERS 24

typedef struct Places {
    Drawing *d;
    int shown; // cells, in the order of `cell`: by row, then by column
    int16_t cell[BOARD_MAX_CELLS];
    int16_t row[BOARD_MAX_CELLS]; // of each cell of the board
    int16_t column[BOARD_MAX_CELLS];
    int rows, columns;
    int left[BOARD_MAX_CELLS]; // of each column on the canvas
    int margin;
    bool named;
    Text below[8]; // lines under the board
    int lines;
} Places;

static bool is_hidden(const Places *k, int cell) {
    const uint64_t *hidden = k->d->ir->hidden;
    return hidden && hidden[cell / 64] >> (cell % 64) & 1;
}

// --- Rows and columns ---

typedef struct Level {
    double at;
    int cell;
} Level;

static int compare_levels(const void *a, const void *b) {
    const Level *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->cell - y->cell;
}

// Numbers the groups of values that are close together; returns how many there are.
static int group(Level *levels, int n, int16_t *number) {
    int groups = 0;
    double first = 0;
    qsort(levels, (size_t)n, sizeof *levels, compare_levels);
    for (int i = 0; i < n; i++) {
        if (i == 0 || levels[i].at - first > CLOSE) {
            first = levels[i].at;
            groups++;
        }
        number[levels[i].cell] = (int16_t)(groups - 1);
    }
    return groups;
}

static void find_rows(Places *k) {
    const Board *b = k->d->b;
    Level levels[BOARD_MAX_CELLS];
    int n = 0;
    for (int c = 0; c < b->cells; c++)
        if (!is_hidden(k, c))
            levels[n++] = (Level){-b->cell[c].y, c};
    k->shown = n;
    k->rows = group(levels, n, k->row);
    for (int i = 0; i < n; i++)
        levels[i].at = b->cell[levels[i].cell].x;
    k->columns = group(levels, n, k->column);
    // Sorted by column already; the rows keep that order.
    int at = 0;
    for (int row = 0; row < k->rows; row++)
        for (int i = 0; i < n; i++)
            if (k->row[levels[i].cell] == row)
                k->cell[at++] = (int16_t)levels[i].cell;
}

// --- Places on the canvas ---

static int cell_columns(const Places *k, int cell) {
    return k->d->content + (k->named ? 1 + text_columns(k->d->b->cell[cell].name) : 0) + 2;
}

// Gives each column the first place that leaves room for the cells to its left, row by row;
// returns the width of the whole.
static int place_columns(Places *k) {
    int width = 0;
    int *end = mem_alloc(sizeof *end * (size_t)(k->rows + 1)); // of what stands in each row
    if (!end)
        return -1;
    for (int column = 0; column < k->columns; column++) {
        int left = column ? k->left[column - 1] + 1 : k->margin;
        for (int i = 0; i < k->shown; i++)
            if (k->column[k->cell[i]] == column && end[k->row[k->cell[i]]] > left)
                left = end[k->row[k->cell[i]]];
        k->left[column] = left;
        for (int i = 0; i < k->shown; i++) {
            int cell = k->cell[i], row = k->row[cell];
            if (k->column[cell] != column)
                continue;
            int from = end[row] > left ? end[row] : left;
            end[row] = from + cell_columns(k, cell);
            width = end[row] > width ? end[row] : width;
        }
    }
    mem_free(end);
    return width;
}

static int widest_name(const Places *k) {
    int most = 0;
    for (int i = 0; i < k->shown; i++) {
        int n = text_columns(k->d->b->cell[k->cell[i]].name);
        most = n > most ? n : most;
    }
    return most;
}

static int draw_one(Places *k, int cell, int x) {
    Drawing *d = k->d;
    int y = k->row[cell];
    int columns = draw_cell(d, cell, x, y);
    if (columns == 0)
        columns = draw_text(d, x, y, draw_dot(d), INK_DIM);
    if (draw_is_marked(d, cell)) {
        draw_mark(d, x, y, columns);
        draw_brackets(d, x - 1, x + columns, y);
    }
    if (k->named)
        draw_text(d, x + d->content + 1, y, d->b->cell[cell].name, INK_DIM);
    return x + cell_columns(k, cell);
}

static void draw_rows(Places *k) {
    int row = -1, free = 0;
    for (int i = 0; i < k->shown; i++) {
        int cell = k->cell[i];
        if (k->row[cell] != row) {
            row = k->row[cell];
            free = k->margin;
            if (!k->named)
                draw_text(k->d, 0, row, k->d->b->cell[cell].name, INK_DIM);
        }
        int x = k->left[k->column[cell]];
        free = draw_one(k, cell, x > free ? x : free);
        bool last = i + 1 == k->shown || k->row[k->cell[i + 1]] != row;
        if (!k->named && last)
            draw_text(k->d, free, row, k->d->b->cell[cell].name, INK_DIM);
    }
}

// --- Below the board ---

static void add_line(Places *k, const char *word, const char *separator) {
    Text *line = &k->below[k->lines ? k->lines - 1 : 0];
    bool full = line->n && text_columns(text_c(line)) + text_columns(word) > SCREEN_COLUMNS - 4;
    if (full && k->lines < 8)
        line = &k->below[k->lines++];
    text_f(line, "%s%s", line->n ? separator : "", word);
}

static const char *sign_of(const Places *k, int plane) {
    const IrPlane *p = &k->d->ir->plane[plane];
    return k->d->style.ascii || !p->symbol[0] ? p->letter : p->symbol;
}

static size_t base_length(const char *name) {
    return strcspn(name, "(");
}

// "stack 7 w 2 b" for the hidden cells whose names begin alike.
static void add_hidden_group(Places *k, int first, bool *done, Text *out) {
    const Board *b = k->d->b;
    int count[IR_MAX_KINDS * (IR_MAX_PLAYERS + 1)] = {0};
    size_t n = base_length(b->cell[first].name);
    for (int c = first; c < b->cells; c++) {
        const char *name = b->cell[c].name;
        if (!is_hidden(k, c) || done[c] || base_length(name) != n ||
            strncmp(name, b->cell[first].name, n) != 0)
            continue;
        done[c] = true;
        int plane = state_plane(k->d->g, k->d->state, c, 0);
        if (plane >= 0)
            count[plane]++;
    }
    text_add_n(out, b->cell[first].name, n);
    bool any = false;
    for (int p = 0; p < k->d->ir->planes; p++)
        if (count[p]) {
            text_f(out, " %d %s", count[p], sign_of(k, p));
            any = true;
        }
    if (!any)
        text_add(out, " empty");
}

static void add_hidden(Places *k) {
    bool done[BOARD_MAX_CELLS] = {0};
    Text word = {0};
    const char *separator = "beside: ";
    for (int c = 0; c < k->d->b->cells; c++) {
        if (!is_hidden(k, c) || done[c])
            continue;
        if (k->lines == 0)
            k->lines = 1;
        text_clear(&word);
        text_add(&word, *separator == 'b' ? separator : "");
        add_hidden_group(k, c, done, &word);
        add_line(k, text_c(&word), ", ");
        separator = "";
    }
    text_free(&word);
}

// What the letters stand for; a letter that is its own name needs no words.
static void add_letters(Places *k) {
    const IrGame *ir = k->d->ir;
    Text word = {0};
    bool begun = false;
    for (int p = 0; p < ir->planes && ir->planes <= MOST_LETTERS && k->lines < 8; p++) {
        const char *name = ir->kind[ir->plane[p].kind].name;
        if (strcmp(name, sign_of(k, p)) == 0)
            continue;
        if (!begun)
            k->lines++;
        begun = true;
        text_clear(&word);
        text_f(&word, "%s %s", sign_of(k, p), name);
        int owner = ir->plane[p].owner;
        if (owner < ir->players && __builtin_popcount(ir->kind[ir->plane[p].kind].owners) > 1)
            text_f(&word, " of %s", ir->player[owner]);
        add_line(k, text_c(&word), ", ");
    }
    text_free(&word);
}

static int arrange(Places *k) {
    find_rows(k);
    k->named = true;
    k->margin = 1; // for a bracket
    int width = place_columns(k);
    if (width > SCREEN_COLUMNS) {
        k->named = false;
        k->margin = widest_name(k) + 3;
        width = place_columns(k) + widest_name(k);
    }
    return width;
}

bool draw_places(Drawing *d) {
    Places *k = mem_alloc(sizeof *k);
    if (!k)
        return false;
    k->d = d;
    int width = arrange(k);
    add_hidden(k);
    add_letters(k);
    for (int i = 0; i < k->lines; i++) {
        int n = text_columns(text_c(&k->below[i])) + 1;
        width = n > width && width >= 0 ? n : width;
    }
    bool drawn = width >= 0 && draw_canvas(d, width + 2, k->rows + k->lines);
    if (drawn)
        draw_rows(k);
    for (int i = 0; i < 8; i++) {
        if (drawn && i < k->lines)
            draw_text(d, 1, k->rows + i, text_c(&k->below[i]), INK_DIM);
        text_free(&k->below[i]);
    }
    mem_free(k);
    return drawn;
}
