// Cells, directions, steps, neighbours and distances of a board.
// Points of line boards are in points.c, lines in lines.c, symmetries in symmetry.c.
#include "ir/board.h"

#include "base/bits.h"
#include "ir/board_build.h"

#include <string.h>

// sin 60 degrees: how far apart rows of hexagonal cells are when cells in a row are 1 apart.
#define HEX_ROW 0.86602540378443865

typedef struct Way {
    const char *name;
    int dx, dy; // change of column and row
} Way;

// Both clockwise from the north. Rows grow upwards; see way_of for `coordinates matrix`.
static const Way square_ways[] = {
    {"n", 0, 1},  {"ne", 1, 1},   {"e", 1, 0},  {"se", 1, -1},
    {"s", 0, -1}, {"sw", -1, -1}, {"w", -1, 0}, {"nw", -1, 1},
};
static const Way hex_ways[] = {
    {"ne", 0, 1}, {"e", 1, 0}, {"se", 1, -1}, {"sw", 0, -1}, {"w", -1, 0}, {"nw", -1, 1},
};
// The same picture with rows that grow downwards: each row still half a cell further right.
static const Way hex_matrix_ways[] = {
    {"ne", 1, -1}, {"e", 1, 0}, {"se", 0, 1}, {"sw", -1, 1}, {"w", -1, 0}, {"nw", 0, -1},
};

static int way_count(const BoardSpec *spec) {
    switch (spec->shape) {
    case BOARD_SQUARE: return 8;
    case BOARD_LINES:
    case BOARD_PLACES: return 0;
    default: return 6;
    }
}

static Way way_of(const BoardSpec *spec, int i) {
    if (spec->shape != BOARD_SQUARE)
        return spec->matrix ? hex_matrix_ways[i] : hex_ways[i];
    Way way = square_ways[i];
    if (spec->matrix)
        way.dy = -way.dy;
    return way;
}

// --- The grid ---

static bool side_fits(const BoardSpec *spec, const char *what, int n, int most, Diags *diags) {
    if (n >= 1 && n <= most)
        return true;
    diag_error(diags, spec->span, "a board is 1 to %d cells %s, not %d", most, what, n);
    return false;
}

bool board_grid(const BoardSpec *spec, int *width, int *height, Diags *diags) {
    *width = *height = 0;
    switch (spec->shape) {
    case BOARD_PLACES: return false;
    case BOARD_LINES: return true; // its points are not taken from a grid
    case BOARD_SQUARE:
    case BOARD_RHOMBUS:
        if (!side_fits(spec, "wide", spec->width, BOARD_MAX_SIDE, diags) ||
            !side_fits(spec, "high", spec->height, BOARD_MAX_SIDE, diags))
            return false;
        *width = spec->width;
        *height = spec->height;
        return true;
    case BOARD_HEXAGON:
        if (!side_fits(spec, "a side", spec->width, (BOARD_MAX_SIDE + 1) / 2, diags))
            return false;
        *width = *height = 2 * spec->width - 1;
        return true;
    case BOARD_TRIANGLE:
        if (!side_fits(spec, "a side", spec->width, BOARD_MAX_SIDE, diags))
            return false;
        *width = *height = spec->width;
        return true;
    }
    return false;
}

bool board_on_grid(const BoardSpec *spec, int column, int row) {
    int side = spec->width;
    if (column < 1 || row < 1)
        return false;
    switch (spec->shape) {
    case BOARD_LINES:
    case BOARD_PLACES: return false;
    case BOARD_SQUARE:
    case BOARD_RHOMBUS: return column <= spec->width && row <= spec->height;
    case BOARD_TRIANGLE: return column + row <= side + 1;
    case BOARD_HEXAGON: {
        // The third axis of the hexagonal grid cuts off two corners of the rhombus.
        int sum = column + row - 2 * side;
        return column < 2 * side && row < 2 * side && sum > -side && sum < side;
    }
    }
    return false;
}

// --- Cells ---

// a .. z, aa, ab, … for 1, 2, …; a board has at most 64 columns, so two letters do.
static int letters_of(int n, char first, char out[3]) {
    int len = 0;
    if (n > 26)
        out[len++] = (char)(first + (n - 1) / 26 - 1);
    out[len++] = (char)(first + (n - 1) % 26);
    out[len] = '\0';
    return len;
}

static const char *cell_name(Arena *arena, bool matrix, int column, int row) {
    char letters[3];
    letters_of(matrix ? row : column, matrix ? 'A' : 'a', letters);
    return arena_printf(arena, "%s%d", letters, matrix ? column : row);
}

static void place_cell(const BoardMaker *m, int c, int column, int row) {
    bool hex = m->spec->shape != BOARD_SQUARE;
    double up = m->spec->matrix ? -1.0 : 1.0;
    m->b->cell[c] = (BoardCell){
        .name = cell_name(m->arena, m->spec->matrix, column, row),
        .column = column,
        .row = row,
        .x = hex ? column + row / 2.0 : column,
        .y = up * (hex ? row * HEX_ROW : row),
    };
}

static bool cell_kept(const BoardSpec *spec, int grid_width, int column, int row) {
    return board_on_grid(spec, column, row) &&
           (!spec->keep || spec->keep[(row - 1) * grid_width + column - 1]);
}

static bool make_grid_cells(BoardMaker *m) {
    Board *b = m->b;
    if (!board_grid(m->spec, &b->width, &b->height, m->diags))
        return false;
    for (int row = 1; row <= b->height; row++)
        for (int column = 1; column <= b->width; column++)
            b->cells += cell_kept(m->spec, b->width, column, row);
    if (b->cells == 0) {
        diag_error(m->diags, m->spec->span, "the board has no cell left");
        diag_help(m->diags, "`cells where` keeps the cells for which the condition holds");
        return false;
    }
    if (b->cells > BOARD_MAX_CELLS) {
        diag_error(m->diags, m->spec->span, "the board has %d cells; at most %d are possible",
                   b->cells, BOARD_MAX_CELLS);
        return false;
    }
    b->cell = ARENA_ARRAY(m->arena, BoardCell, b->cells);
    b->at = ARENA_ARRAY(m->arena, int16_t, b->width * b->height);
    int c = 0;
    for (int row = 1; row <= b->height; row++)
        for (int column = 1; column <= b->width; column++) {
            bool kept = cell_kept(m->spec, b->width, column, row);
            b->at[(row - 1) * b->width + column - 1] = (int16_t)(kept ? c : b->cells);
            if (kept)
                place_cell(m, c++, column, row);
        }
    return true;
}

// --- Directions and steps ---

static void report_direction(BoardMaker *m, const char *name, Span span) {
    const char *names[BOARD_MAX_DIRECTIONS];
    int n = way_count(m->spec);
    for (int i = 0; i < n; i++)
        names[i] = way_of(m->spec, i).name;
    Text list = {0};
    for (int i = 0; i < n; i++)
        text_f(&list, "%s%s", i == 0 ? "" : i == n - 1 ? " and " : ", ", names[i]);
    diag_error(m->diags, span, "there is no direction `%s` on this board", name);
    const char *near = text_nearest(name, names, n);
    if (near)
        diag_help(m->diags, "did you mean `%s`? The directions are %s", near, text_c(&list));
    else
        diag_help(m->diags, "the directions are %s", text_c(&list));
    text_free(&list);
}

static int direction_index(BoardMaker *m, const char *name) {
    Board *b = m->b;
    int known = board_direction_named(b, name);
    if (known >= 0)
        return known;
    for (int i = 0; i < way_count(m->spec); i++) {
        Way way = way_of(m->spec, i);
        if (strcmp(way.name, name) != 0)
            continue;
        m->dx[b->directions] = way.dx;
        m->dy[b->directions] = way.dy;
        b->direction_name[b->directions] = way.name;
        return b->directions++;
    }
    return -1;
}

static void make_opposites(BoardMaker *m) {
    Board *b = m->b;
    b->opposite = ARENA_ARRAY(m->arena, uint8_t, b->directions);
    for (int d = 0; d < b->directions; d++) {
        b->opposite[d] = (uint8_t)d;
        for (int o = 0; o < b->directions; o++)
            if (m->dx[o] == -m->dx[d] && m->dy[o] == -m->dy[d])
                b->opposite[d] = (uint8_t)o;
    }
}

// `from` holds, per direction and grid position, whether the direction may be used there.
static void make_steps(BoardMaker *m, const bool *from) {
    Board *b = m->b;
    int positions = b->width * b->height;
    b->step = ARENA_ARRAY(m->arena, int16_t, (b->cells + 1) * b->directions);
    for (int c = 0; c <= b->cells; c++)
        for (int d = 0; d < b->directions; d++) {
            int to = b->cells;
            if (c < b->cells) {
                const BoardCell *cell = &b->cell[c];
                int position = (cell->row - 1) * b->width + cell->column - 1;
                if (from[d * positions + position])
                    to = board_cell_at(b, cell->column + m->dx[d], cell->row + m->dy[d]);
            }
            b->step[c * b->directions + d] = (int16_t)to;
        }
}

static bool make_directions(BoardMaker *m) {
    Board *b = m->b;
    const BoardSpec *spec = m->spec;
    b->direction_name = ARENA_ARRAY(m->arena, const char *, BOARD_MAX_DIRECTIONS);
    if (spec->shape == BOARD_LINES) {
        if (spec->direction_count == 0)
            return true;
        diag_error(m->diags, spec->directions[0].span, "a board of lines has no directions");
        diag_help(m->diags, "pieces go along the lines: `next(c)`");
        return false;
    }
    int positions = b->width * b->height;
    bool *from = ARENA_ARRAY(m->arena, bool, BOARD_MAX_DIRECTIONS *positions);
    if (spec->direction_count == 0) {
        for (int i = 0; i < way_count(spec); i++)
            direction_index(m, way_of(spec, i).name);
        memset(from, 1, (size_t)(BOARD_MAX_DIRECTIONS * positions));
    }
    bool ok = true;
    for (int i = 0; i < spec->direction_count; i++) {
        const struct BoardSpecDirection *given = &spec->directions[i];
        int d = direction_index(m, given->name);
        if (d < 0) {
            report_direction(m, given->name, given->span);
            ok = false;
            continue;
        }
        for (int p = 0; p < positions; p++)
            from[d * positions + p] |= !given->from || given->from[p];
    }
    if (!ok)
        return false;
    make_opposites(m);
    make_steps(m, from);
    return true;
}

// --- Neighbours and distances ---

static void make_next(BoardMaker *m) {
    Board *b = m->b;
    b->next = ARENA_ARRAY(m->arena, uint64_t, (b->cells + 1) * b->words);
    for (int c = 0; c < b->cells; c++)
        for (int d = 0; d < b->directions; d++) {
            int to = b->step[c * b->directions + d];
            if (to < b->cells)
                board_set_add(&b->next[c * b->words], to);
        }
    if (b->shape != BOARD_LINES)
        return;
    for (int l = 0; l < b->lines; l++)
        for (int i = 1; i < b->line[l].count; i++) {
            int here = b->line[l].cells[i - 1], there = b->line[l].cells[i];
            board_set_add(&b->next[here * b->words], there);
            board_set_add(&b->next[there * b->words], here);
        }
}

// Breadth first from one cell; `queue` has room for every cell.
static void measure_from(Board *b, int from, int16_t *queue) {
    uint16_t *distance = &b->distance[from * (b->cells + 1)];
    int first = 0, last = 0;
    distance[from] = 0;
    queue[last++] = (int16_t)from;
    while (first < last) {
        int c = queue[first++];
        for (int w = 0; w < b->words; w++) {
            uint64_t near = b->next[c * b->words + w];
            while (near) {
                int to = 64 * w + bits_pop(&near);
                if (distance[to] < b->cells || to == from)
                    continue;
                distance[to] = (uint16_t)(distance[c] + 1);
                queue[last++] = (int16_t)to;
            }
        }
    }
}

static void make_distances(BoardMaker *m) {
    Board *b = m->b;
    int n = b->cells + 1;
    b->distance = ARENA_ARRAY(m->arena, uint16_t, n * n);
    int16_t *queue = ARENA_ARRAY(m->arena, int16_t, n);
    for (int i = 0; i < n * n; i++)
        b->distance[i] = (uint16_t)b->cells;
    for (int c = 0; c < b->cells; c++)
        measure_from(b, c, queue);
}

// --- The whole ---

static bool stack_fits(BoardMaker *m) {
    if (m->spec->stack >= 1 && m->spec->stack <= BOARD_MAX_STACK)
        return true;
    diag_error(m->diags, m->spec->span, "a stack holds 1 to %d pieces, not %d", BOARD_MAX_STACK,
               m->spec->stack);
    return false;
}

Board *board_build(Arena *arena, const BoardSpec *spec, Diags *diags) {
    Board *b = ARENA_NEW(arena, Board);
    BoardMaker maker = {.arena = arena, .spec = spec, .diags = diags, .b = b};
    BoardMaker *m = &maker;
    b->shape = spec->shape;
    b->matrix = spec->matrix;
    b->stack = spec->stack;
    if (!stack_fits(m))
        return NULL;
    if (!(spec->shape == BOARD_LINES ? board_make_points(m) : make_grid_cells(m)))
        return NULL;
    b->words = (b->cells + 63) / 64;
    // Both are tried, so that a wrong direction does not hide a wrong line.
    bool directions = make_directions(m);
    if (!directions)
        b->directions = 0;
    if (!board_make_lines(m) || !directions)
        return NULL;
    make_next(m);
    make_distances(m);
    return board_make_symmetries(m) ? b : NULL;
}

int board_cell_named(const Board *b, const char *name) {
    for (int c = 0; c < b->cells; c++)
        if (strcmp(b->cell[c].name, name) == 0)
            return c;
    return -1;
}

int board_direction_named(const Board *b, const char *name) {
    for (int d = 0; d < b->directions; d++)
        if (strcmp(b->direction_name[d], name) == 0)
            return d;
    return -1;
}

int board_cell_at(const Board *b, int column, int row) {
    if (column < 1 || column > b->width || row < 1 || row > b->height)
        return b->cells;
    return b->at[(row - 1) * b->width + column - 1];
}
