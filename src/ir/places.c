// A board of named places without lines or directions: board_of_places of board.h.
//
// Rows of the grid are runs of places that follow one another in the given order: as long as the
// part of the name before a bracket stays the same and, where names have several indices, the
// points go on along one row or column.
// So every place has a grid position of its own, wherever it is drawn, and the rows of a state's
// text are the groups that the file has.
#include "ir/board.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Places {
    Board *b;
    const int *x, *y;
} Places;

static bool has_point(const Places *p, int c) {
    return p->x && p->y && p->x[c] != BOARD_NO_POINT && p->y[c] != BOARD_NO_POINT;
}

static size_t base_length(const char *name) {
    return strcspn(name, "(");
}

static bool same_base(const char *a, const char *b) {
    size_t n = base_length(a);
    return base_length(b) == n && strncmp(a, b, n) == 0;
}

// Whether place c goes on with the run that begins at `first` and reaches up to c - 1.
static bool goes_on(const Places *p, int first, int c) {
    if (!same_base(p->b->cell[first].name, p->b->cell[c].name))
        return false;
    if (!has_point(p, first) || !has_point(p, c))
        return has_point(p, first) == has_point(p, c);
    if (!strchr(p->b->cell[c].name, ',') && !strchr(p->b->cell[first].name, ','))
        return true; // one index, one row
    bool row = p->y[c] == p->y[first], column = p->x[c] == p->x[first];
    if (c - first == 1)
        return row || column;
    return (row && p->y[first + 1] == p->y[first]) || (column && p->x[first + 1] == p->x[first]);
}

static void make_grid(Arena *arena, Places *p) {
    Board *b = p->b;
    for (int c = 0, first = 0; c < b->cells; c++) {
        if (c == 0 || !goes_on(p, first, c)) {
            first = c;
            b->height++;
        }
        b->cell[c].row = b->height;
        b->cell[c].column = c - first + 1;
        b->width = b->cell[c].column > b->width ? b->cell[c].column : b->width;
    }
    b->at = ARENA_ARRAY(arena, int16_t, b->width * b->height);
    for (int i = 0; i < b->width * b->height; i++)
        b->at[i] = (int16_t)b->cells;
    for (int c = 0; c < b->cells; c++)
        b->at[(b->cell[c].row - 1) * b->width + b->cell[c].column - 1] = (int16_t)c;
}

static int compare_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// How far a place usually is from its nearest neighbour: the unit of the board.
static double usual_gap(Arena *arena, const Places *p) {
    double *gaps = ARENA_ARRAY(arena, double, p->b->cells + 1);
    int n = 0;
    for (int c = 0; c < p->b->cells; c++) {
        double least = INFINITY;
        for (int o = 0; o < p->b->cells && has_point(p, c); o++) {
            double apart =
                !has_point(p, o) ? 0 : hypot((double)p->x[o] - p->x[c], (double)p->y[o] - p->y[c]);
            if (apart > 0)
                least = fmin(least, apart);
        }
        if (!isinf(least))
            gaps[n++] = least;
    }
    qsort(gaps, (size_t)n, sizeof *gaps, compare_numbers);
    return n ? gaps[n / 2] : 1;
}

// Places without a point stand in rows of their own below the others, by run.
static void draw_places(Arena *arena, Places *p) {
    Board *b = p->b;
    double gap = usual_gap(arena, p), bottom = 0;
    bool any = false;
    for (int c = 0; c < b->cells; c++)
        if (has_point(p, c)) {
            b->cell[c].x = p->x[c] / gap;
            b->cell[c].y = -p->y[c] / gap; // the file's y grows down the screen
            bottom = any ? fmin(bottom, b->cell[c].y) : b->cell[c].y;
            any = true;
        }
    for (int c = 0, row = 0; c < b->cells; c++) {
        if (has_point(p, c))
            continue;
        if (b->cell[c].row != row)
            bottom--;
        row = b->cell[c].row;
        b->cell[c].x = b->cell[c].column;
        b->cell[c].y = bottom;
    }
}

static void make_tables(Arena *arena, Board *b) {
    int n = b->cells + 1;
    b->direction_name = ARENA_ARRAY(arena, const char *, 1);
    b->opposite = ARENA_ARRAY(arena, uint8_t, 1);
    b->step = ARENA_ARRAY(arena, int16_t, 1);
    b->next = ARENA_ARRAY(arena, uint64_t, n * b->words);
    b->distance = ARENA_ARRAY(arena, uint16_t, n * n);
    for (int i = 0; i < n * n; i++)
        b->distance[i] = (uint16_t)(i % (n + 1) == 0 && i / n < b->cells ? 0 : b->cells);
    b->line = ARENA_ARRAY(arena, BoardLine, 1);
    b->line_set = ARENA_ARRAY(arena, uint64_t, b->words);
    b->through_start = ARENA_ARRAY(arena, int, n + 1);
    b->through = ARENA_ARRAY(arena, int16_t, 1);
}

Board *board_of_places(Arena *arena, const char *const *names, const int *x, const int *y,
                       int count) {
    if (count < 1 || count > BOARD_MAX_CELLS)
        return NULL;
    Board *b = ARENA_NEW(arena, Board);
    Places p = {b, x, y};
    b->shape = BOARD_PLACES;
    b->matrix = true;
    b->stack = 1;
    b->cells = count;
    b->words = (count + 63) / 64;
    b->cell = ARENA_ARRAY(arena, BoardCell, count);
    for (int c = 0; c < count; c++)
        b->cell[c].name = arena_text(arena, names[c], strlen(names[c]));
    make_grid(arena, &p);
    draw_places(arena, &p);
    make_tables(arena, b);
    return b;
}
