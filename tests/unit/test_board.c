// Boards: cells, names, steps, distances, lines and symmetries, and every message of board_build.
#include "base/bits.h"
#include "ir/board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_LINES 600

// A board under test and the lists its spec needs.
typedef struct Bench {
    Arena arena;
    jmp_buf recovery;
    Diags diags;
    BoardSpec spec;
    struct BoardSpecLine line[MAX_LINES];
    struct BoardSpecDirection direction[16];
    struct BoardSpecSymmetry symmetry[8];
    struct BoardSpecPoint point[16];
    Board *board;
} Bench;

static int set_up(void **state) {
    Bench *t = calloc(1, sizeof *t);
    arena_init(&t->arena, &t->recovery);
    t->spec = (BoardSpec){.shape = BOARD_SQUARE, .width = 3, .height = 3, .stack = 1};
    t->spec.lines = t->line;
    t->spec.directions = t->direction;
    t->spec.symmetries = t->symmetry;
    t->spec.points = t->point;
    *state = t;
    return 0;
}

static int tear_down(void **state) {
    Bench *t = *state;
    diag_free(&t->diags);
    arena_free(&t->arena);
    free(t);
    return 0;
}

static void shape(Bench *t, BoardShape kind, int width, int height) {
    t->spec.shape = kind;
    t->spec.width = width;
    t->spec.height = height;
}

static void add_line(Bench *t, const char *text) {
    struct BoardSpecLine *line = &t->line[t->spec.line_count++];
    char *copy = arena_text(&t->arena, text, strlen(text));
    line->names = ARENA_ARRAY(&t->arena, const char *, 600);
    line->spans = ARENA_ARRAY(&t->arena, Span, 600);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        line->spans[line->count] = (Span){t->spec.line_count, (int)(word - copy) + 1, 1};
        line->names[line->count++] = word;
    }
}

static void add_direction(Bench *t, const char *name, const bool *from) {
    t->direction[t->spec.direction_count++] =
        (struct BoardSpecDirection){.name = name, .from = from};
}

static void add_symmetry(Bench *t, const char *name) {
    t->symmetry[t->spec.symmetry_count++] = (struct BoardSpecSymmetry){.name = name};
}

static void add_point(Bench *t, const char *name, int x, int y) {
    t->point[t->spec.point_count++] = (struct BoardSpecPoint){.name = name, .x = x, .y = y};
}

static Board *build(Bench *t) {
    if (setjmp(t->recovery))
        fail_msg("out of memory");
    t->board = board_build(&t->arena, &t->spec, &t->diags);
    return t->board;
}

// Builds a board that must be right.
static Board *good(Bench *t) {
    Board *b = build(t);
    if (!b)
        fail_msg("%s", t->diags.count ? t->diags.items[0].message : "no message");
    assert_int_equal(t->diags.errors, 0);
    return b;
}

// Builds a board that must be wrong, with this as its first message and help.
static void bad(Bench *t, const char *message, const char *help) {
    assert_null(build(t));
    assert_true(t->diags.count > 0);
    assert_string_equal(t->diags.items[0].message, message);
    if (help) {
        assert_non_null(t->diags.items[0].help);
        assert_string_equal(t->diags.items[0].help, help);
    } else {
        assert_null(t->diags.items[0].help);
    }
}

static int cell(const Bench *t, const char *name) {
    int c = board_cell_named(t->board, name);
    if (c < 0)
        fail_msg("no cell %s", name);
    return c;
}

// The name of the cell one step away, or "-".
static const char *step(const Bench *t, const char *from, const char *direction) {
    const Board *b = t->board;
    int d = board_direction_named(b, direction);
    assert_true(d >= 0);
    int to = b->step[cell(t, from) * b->directions + d];
    return to == b->cells ? "-" : b->cell[to].name;
}

static int next_count(const Bench *t, const char *name) {
    const Board *b = t->board;
    int n = 0;
    for (int w = 0; w < b->words; w++)
        n += bits_count(b->next[cell(t, name) * b->words + w]);
    return n;
}

static int distance(const Bench *t, const char *from, const char *to) {
    const Board *b = t->board;
    return b->distance[cell(t, from) * (b->cells + 1) + cell(t, to)];
}

static int through(const Bench *t, const char *name) {
    int c = cell(t, name);
    return t->board->through_start[c + 1] - t->board->through_start[c];
}

// What every symmetry must fulfil, and the group as a whole.
static void check_symmetries(const Board *b) {
    for (int s = 0; s < b->symmetries; s++) {
        bool hit[BOARD_MAX_CELLS] = {false};
        const int16_t *map = b->symmetry[s];
        assert_int_equal(map[b->cells], b->cells);
        for (int c = 0; c < b->cells; c++) {
            assert_in_range(map[c], 0, b->cells - 1);
            assert_false(hit[map[c]]);
            hit[map[c]] = true;
            if (s == 0)
                assert_int_equal(map[c], c);
            for (int o = 0; o < b->cells; o++)
                assert_int_equal(b->distance[c * (b->cells + 1) + o],
                                 b->distance[map[c] * (b->cells + 1) + map[o]]);
        }
    }
}

// --- Cells and names ---

static void test_square_cells(void **state) {
    Bench *t = *state;
    shape(t, BOARD_SQUARE, 8, 8);
    Board *b = good(t);
    assert_int_equal(b->cells, 64);
    assert_int_equal(b->words, 1);
    assert_int_equal(cell(t, "a1"), 0);
    assert_int_equal(cell(t, "b1"), 1);
    assert_int_equal(cell(t, "a2"), 8);
    assert_int_equal(cell(t, "h8"), 63);
    assert_int_equal(board_cell_named(b, "i1"), -1);
    assert_int_equal(board_cell_named(b, "A1"), -1);
    assert_int_equal(board_cell_at(b, 8, 1), 7);
    assert_int_equal(board_cell_at(b, 9, 1), 64);
    assert_int_equal(board_cell_at(b, 0, 1), 64);
    assert_int_equal(board_cell_at(b, 1, -3), 64);
    assert_int_equal(b->symmetries, 0);
    assert_int_equal(b->lines, 0);
    assert_int_equal(through(t, "a1"), 0);
}

static void test_wide_names(void **state) {
    Bench *t = *state;
    shape(t, BOARD_SQUARE, 64, 8);
    Board *b = good(t);
    assert_int_equal(b->cells, BOARD_MAX_CELLS);
    assert_string_equal(b->cell[25].name, "z1");
    assert_string_equal(b->cell[26].name, "aa1");
    assert_string_equal(b->cell[51].name, "az1");
    assert_string_equal(b->cell[52].name, "ba1");
    assert_string_equal(b->cell[63].name, "bl1");
    assert_string_equal(b->cell[511].name, "bl8");
}

static void test_matrix(void **state) {
    Bench *t = *state;
    shape(t, BOARD_SQUARE, 8, 8);
    t->spec.matrix = true;
    Board *b = good(t);
    assert_int_equal(cell(t, "A1"), 0);
    assert_int_equal(cell(t, "A8"), 7);
    assert_int_equal(cell(t, "E3"), 4 * 8 + 2);
    assert_string_equal(step(t, "E3", "se"), "F4");
    assert_string_equal(step(t, "E3", "n"), "D3");
    assert_string_equal(step(t, "A3", "n"), "-");
    assert_true(b->cell[0].y > b->cell[8].y);
    assert_string_equal(b->direction_name[0], "n");
}

static void test_kept_cells(void **state) {
    Bench *t = *state;
    bool keep[64];
    for (int p = 0; p < 64; p++)
        keep[p] = (p % 8 + p / 8) % 2 == 0;
    shape(t, BOARD_SQUARE, 8, 8);
    t->spec.keep = keep;
    t->spec.stack = 8;
    add_direction(t, "ne", NULL);
    add_direction(t, "nw", NULL);
    add_direction(t, "se", NULL);
    add_direction(t, "sw", NULL);
    Board *b = good(t);
    assert_int_equal(b->cells, 32);
    assert_int_equal(b->stack, 8);
    assert_int_equal(board_cell_named(b, "a2"), -1);
    assert_int_equal(cell(t, "c1"), 1);
    assert_int_equal(board_cell_at(b, 2, 1), 32);
    assert_int_equal(next_count(t, "a1"), 1);
    assert_int_equal(next_count(t, "d4"), 4);
    assert_int_equal(distance(t, "a1", "h8"), 7);
    assert_int_equal(distance(t, "a1", "g1"), 6);
}

// --- Directions, steps, distances ---

static void test_steps(void **state) {
    Bench *t = *state;
    Board *b = good(t);
    static const char *const names[] = {"n", "ne", "e", "se", "s", "sw", "w", "nw"};
    static const char *const from_b2[] = {"b3", "c3", "c2", "c1", "b1", "a1", "a2", "a3"};
    assert_int_equal(b->directions, 8);
    for (int d = 0; d < 8; d++) {
        assert_string_equal(b->direction_name[d], names[d]);
        assert_int_equal(b->opposite[d], (d + 4) % 8);
        assert_string_equal(step(t, "b2", names[d]), from_b2[d]);
        assert_int_equal(b->step[b->cells * 8 + d], b->cells);
    }
    assert_string_equal(step(t, "a1", "w"), "-");
    assert_int_equal(next_count(t, "b2"), 8);
    assert_int_equal(next_count(t, "a1"), 3);
    assert_int_equal(distance(t, "a1", "c3"), 2);
    assert_int_equal(distance(t, "a1", "a1"), 0);
    assert_int_equal(b->distance[b->cells], b->cells);
    assert_int_equal(b->distance[b->cells * (b->cells + 1) + b->cells], b->cells);
    assert_int_equal(board_direction_named(b, "up"), -1);
}

static void test_one_way(void **state) {
    Bench *t = *state;
    add_direction(t, "n", NULL);
    add_direction(t, "e", NULL);
    Board *b = good(t);
    assert_int_equal(b->directions, 2);
    assert_int_equal(b->opposite[0], 0); // no way back
    assert_int_equal(distance(t, "a1", "c3"), 4);
    assert_int_equal(distance(t, "c3", "a1"), 9);
}

// Alquerque: diagonals only where column + row is even.
static void test_alquerque(void **state) {
    Bench *t = *state;
    bool even[25];
    for (int p = 0; p < 25; p++)
        even[p] = (p % 5 + p / 5) % 2 == 0;
    shape(t, BOARD_SQUARE, 5, 5);
    static const char *const straight[] = {"n", "e", "s", "w"};
    static const char *const slanted[] = {"ne", "se", "sw", "nw"};
    for (int i = 0; i < 4; i++)
        add_direction(t, straight[i], NULL);
    for (int i = 0; i < 4; i++)
        add_direction(t, slanted[i], even);
    add_symmetry(t, "all");
    t->spec.lines_of = 3;
    Board *b = good(t);
    assert_int_equal(b->directions, 8);
    assert_int_equal(next_count(t, "a1"), 3);
    assert_int_equal(next_count(t, "b1"), 3);
    assert_int_equal(next_count(t, "c3"), 8);
    assert_int_equal(next_count(t, "b3"), 4);
    assert_string_equal(step(t, "a1", "ne"), "b2");
    assert_string_equal(step(t, "b1", "ne"), "-");
    // 15 across, 15 up, and on diagonals of the even cells 5 of each slant.
    assert_int_equal(b->lines, 40);
    assert_int_equal(b->symmetries, 8);
    check_symmetries(b);
}

static void test_direction_union(void **state) {
    Bench *t = *state;
    bool first[9] = {true}, last[9] = {false, false, false, true};
    add_direction(t, "e", first);
    add_direction(t, "e", last);
    Board *b = good(t);
    assert_int_equal(b->directions, 1);
    assert_string_equal(step(t, "a1", "e"), "b1");
    assert_string_equal(step(t, "b1", "e"), "-");
    assert_string_equal(step(t, "a2", "e"), "b2");
}

// --- Hexagonal boards ---

static void test_rhombus(void **state) {
    Bench *t = *state;
    shape(t, BOARD_RHOMBUS, 11, 11);
    add_symmetry(t, "all");
    Board *b = good(t);
    assert_int_equal(b->cells, 121);
    assert_int_equal(b->directions, 6);
    assert_int_equal(next_count(t, "a1"), 2);
    assert_int_equal(next_count(t, "k1"), 3);
    assert_int_equal(next_count(t, "a11"), 3);
    assert_int_equal(next_count(t, "k11"), 2);
    assert_int_equal(next_count(t, "e1"), 4);
    assert_int_equal(next_count(t, "f6"), 6);
    assert_string_equal(step(t, "f6", "ne"), "f7");
    assert_string_equal(step(t, "f6", "nw"), "e7");
    assert_string_equal(step(t, "f6", "e"), "g6");
    assert_string_equal(step(t, "f6", "w"), "e6");
    assert_string_equal(step(t, "f6", "se"), "g5");
    assert_string_equal(step(t, "f6", "sw"), "f5");
    for (int d = 0; d < 6; d++)
        assert_int_equal(b->opposite[d], (d + 3) % 6);
    assert_int_equal(distance(t, "a1", "k11"), 20);
    assert_int_equal(distance(t, "a11", "k1"), 10);
    assert_int_equal(b->symmetries, 4);
    check_symmetries(b);
}

// Every direction must lead where its name says in the picture.
static void check_picture(const Board *b) {
    for (int c = 0; c < b->cells; c++)
        for (int d = 0; d < b->directions; d++) {
            int to = b->step[c * b->directions + d];
            if (to == b->cells)
                continue;
            const char *name = b->direction_name[d];
            double dx = b->cell[to].x - b->cell[c].x, dy = b->cell[to].y - b->cell[c].y;
            assert_int_equal(strchr(name, 'n') != NULL, dy > 0.5);
            assert_int_equal(strchr(name, 's') != NULL, dy < -0.5);
            assert_int_equal(strchr(name, 'e') != NULL, dx > 0.3);
            assert_int_equal(strchr(name, 'w') != NULL, dx < -0.3);
        }
}

static void test_directions_match_picture(void **state) {
    Bench *t = *state;
    for (int kind = BOARD_SQUARE; kind < BOARD_LINES; kind++)
        for (int matrix = 0; matrix < 2; matrix++) {
            shape(t, (BoardShape)kind, 5, 5);
            t->spec.matrix = matrix;
            check_picture(good(t));
        }
}

static void test_hexagon(void **state) {
    Bench *t = *state;
    shape(t, BOARD_HEXAGON, 4, 0);
    add_symmetry(t, "all");
    Board *b = good(t);
    assert_int_equal(b->cells, 37);
    assert_int_equal(b->width, 7);
    assert_int_equal(next_count(t, "d4"), 6);
    assert_int_equal(next_count(t, "d1"), 3);
    assert_int_equal(board_cell_named(b, "a1"), -1);
    assert_int_equal(b->symmetries, 12);
    check_symmetries(b);
}

static void test_triangle(void **state) {
    Bench *t = *state;
    shape(t, BOARD_TRIANGLE, 5, 0);
    add_symmetry(t, "all");
    Board *b = good(t);
    assert_int_equal(b->cells, 15);
    assert_int_equal(next_count(t, "a1"), 2);
    assert_int_equal(next_count(t, "a5"), 2);
    assert_int_equal(next_count(t, "e1"), 2);
    assert_int_equal(next_count(t, "b2"), 6);
    assert_int_equal(b->symmetries, 6);
    check_symmetries(b);
}

// --- Lines ---

static void test_lines_of(void **state) {
    Bench *t = *state;
    static const struct {
        int width, height, length, lines;
    } counts[] = {{3, 3, 3, 8},      {7, 6, 4, 69}, {15, 15, 5, 572},
                  {19, 19, 5, 1020}, {4, 1, 2, 3},  {1, 4, 4, 1}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        shape(t, BOARD_SQUARE, counts[i].width, counts[i].height);
        t->spec.lines_of = counts[i].length;
        Board *b = good(t);
        assert_int_equal(b->lines, counts[i].lines);
        for (int l = 0; l < b->lines; l++) {
            int n = 0;
            assert_int_equal(b->line[l].count, counts[i].length);
            for (int w = 0; w < b->words; w++)
                n += bits_count(b->line_set[l * b->words + w]);
            assert_int_equal(n, counts[i].length);
        }
    }
}

static void test_lines_through(void **state) {
    Bench *t = *state;
    t->spec.lines_of = 3;
    Board *b = good(t);
    assert_int_equal(through(t, "b2"), 4);
    assert_int_equal(through(t, "a1"), 3);
    assert_int_equal(through(t, "a2"), 2);
    assert_int_equal(b->through_start[b->cells], b->through_start[b->cells + 1]);
    for (int c = 0; c < b->cells; c++)
        for (int i = b->through_start[c]; i < b->through_start[c + 1]; i++) {
            int l = b->through[i];
            assert_true(b->line_set[l * b->words + c / 64] >> (c % 64) & 1);
        }
}

static void test_lines_by_name_on_a_grid(void **state) {
    Bench *t = *state;
    add_line(t, "a1 b3");
    add_line(t, "c3 b3 a3"); // also found as a line of three: kept once
    t->spec.lines_of = 3;
    Board *b = good(t);
    assert_int_equal(b->lines, 9);
    assert_int_equal(b->line[1].cells[0], cell(t, "c3"));
    assert_int_equal(next_count(t, "a1"), 3); // lines do not add neighbours to a grid
}

// --- Line boards ---

static void add_mill(Bench *t) {
    static const char *const lines[] = {
        "a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3",
        "b2 d2 f2", "a1 d1 g1", "a7 a4 a1", "b6 b4 b2", "c5 c4 c3", "d7 d6 d5",
        "d3 d2 d1", "e5 e4 e3", "f6 f4 f2", "g7 g4 g1",
    };
    shape(t, BOARD_LINES, 0, 0);
    for (int i = 0; i < 16; i++)
        add_line(t, lines[i]);
}

static void test_mill(void **state) {
    Bench *t = *state;
    add_mill(t);
    add_symmetry(t, "all");
    Board *b = good(t);
    assert_int_equal(b->cells, 24);
    assert_int_equal(b->lines, 16);
    assert_int_equal(b->directions, 0);
    assert_int_equal(cell(t, "a1"), 0);
    assert_int_equal(cell(t, "d1"), 1);
    assert_int_equal(cell(t, "g7"), 23);
    assert_int_equal(b->cell[23].column, 7);
    assert_int_equal(b->cell[23].row, 7);
    assert_int_equal(board_cell_at(b, 4, 4), b->cells);
    assert_int_equal(board_cell_at(b, 4, 5), cell(t, "d5"));
    assert_int_equal(next_count(t, "a1"), 2);
    assert_int_equal(next_count(t, "d1"), 3);
    assert_int_equal(next_count(t, "d2"), 4);
    assert_int_equal(distance(t, "a1", "g7"), 4);
    for (int c = 0; c < b->cells; c++)
        assert_int_equal(b->through_start[c + 1] - b->through_start[c], 2);
    assert_int_equal(b->symmetries, 16);
    check_symmetries(b);
}

static void test_mill_geometry(void **state) {
    Bench *t = *state;
    add_mill(t);
    add_symmetry(t, "rotations");
    assert_int_equal(good(t)->symmetries, 4);
    t->symmetry[0].name = "mirrors"; // two mirrors make a turn
    assert_int_equal(good(t)->symmetries, 8);
    t->symmetry[0].name = "left_right";
    Board *b = good(t);
    assert_int_equal(b->symmetries, 2);
    assert_string_equal(b->cell[b->symmetry[1][cell(t, "b2")]].name, "f2");
}

static void test_given_points(void **state) {
    Bench *t = *state;
    shape(t, BOARD_LINES, 0, 0);
    add_line(t, "left middle right");
    add_line(t, "top middle bottom");
    add_point(t, "left", 0, 5);
    add_point(t, "middle", 3, 5);
    add_point(t, "right", 6, 5);
    add_point(t, "top", 3, 9);
    add_point(t, "bottom", 3, 1);
    add_symmetry(t, "all");
    Board *b = good(t);
    assert_int_equal(b->width, 3);
    assert_int_equal(b->height, 3);
    assert_int_equal(cell(t, "bottom"), 0);
    assert_int_equal(cell(t, "left"), 1);
    assert_int_equal(cell(t, "top"), 4);
    assert_int_equal(b->cell[1].row, 2);
    assert_int_equal(b->symmetries, 8);
    check_symmetries(b);
}

static void test_points_on_a_circle(void **state) {
    Bench *t = *state;
    shape(t, BOARD_LINES, 0, 0);
    add_line(t, "left_bank boat right_bank");
    Board *b = good(t);
    assert_int_equal(b->cells, 3);
    assert_true(b->cell[cell(t, "left_bank")].y > b->cell[cell(t, "boat")].y);
    assert_int_equal(distance(t, "left_bank", "right_bank"), 2);
}

static void test_too_many_exchanges(void **state) {
    Bench *t = *state;
    static const char *const lines[] = {"a b", "c d", "e f", "g h", "i j", "k l", "m n"};
    shape(t, BOARD_LINES, 0, 0);
    for (int i = 0; i < 7; i++)
        add_line(t, lines[i]);
    add_symmetry(t, "all");
    bad(t, "the board has more than 128 symmetries, too many to use",
        "name those that matter: rotations, mirrors, left_right, up_down, …");
}

// --- Symmetries of grids ---

static void test_square_symmetries(void **state) {
    Bench *t = *state;
    static const struct {
        int width, height;
        const char *name;
        int count;
    } cases[] = {
        {8, 8, "all", 8},        {8, 8, "rotations", 4}, {8, 8, "mirrors", 8},
        {8, 8, "left_right", 2}, {8, 8, "up_down", 2},   {8, 8, "half_turn", 2},
        {8, 8, "diagonals", 4},  {7, 6, "all", 4},       {7, 6, "rotations", 2},
        {7, 6, "mirrors", 4},    {5, 1, "all", 2},       {1, 1, "all", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shape(t, BOARD_SQUARE, cases[i].width, cases[i].height);
        t->spec.symmetry_count = 0;
        add_symmetry(t, cases[i].name);
        Board *b = good(t);
        assert_int_equal(b->symmetries, cases[i].count);
        check_symmetries(b);
    }
}

static void test_symmetry_needs_its_directions(void **state) {
    Bench *t = *state;
    add_direction(t, "nw", NULL);
    add_direction(t, "n", NULL);
    add_direction(t, "ne", NULL);
    add_symmetry(t, "all");
    Board *b = good(t);
    assert_int_equal(b->symmetries, 2);
    assert_int_equal(b->symmetry[1][0], 2); // left and right exchanged
}

// A shape in a corner of its grid is as symmetric as it would be in the middle.
static void test_symmetry_ignores_the_margin(void **state) {
    Bench *t = *state;
    bool keep[16] = {true, true, false, false, true, true};
    shape(t, BOARD_SQUARE, 4, 4);
    t->spec.keep = keep;
    add_symmetry(t, "all");
    assert_int_equal(good(t)->symmetries, 8);
}

static void test_symmetry_needs_its_lines(void **state) {
    Bench *t = *state;
    add_line(t, "a1 a2 a3");
    add_symmetry(t, "all");
    assert_int_equal(good(t)->symmetries, 2);
}

// --- What can be wrong ---

static void test_bad_sizes(void **state) {
    Bench *t = *state;
    shape(t, BOARD_SQUARE, 0, 5);
    bad(t, "a board is 1 to 64 cells wide, not 0", NULL);
    diag_free(&t->diags);
    shape(t, BOARD_RHOMBUS, 5, 65);
    bad(t, "a board is 1 to 64 cells high, not 65", NULL);
    diag_free(&t->diags);
    shape(t, BOARD_HEXAGON, 33, 0);
    bad(t, "a board is 1 to 32 cells a side, not 33", NULL);
    diag_free(&t->diags);
    shape(t, BOARD_SQUARE, 23, 23);
    bad(t, "the board has 529 cells; at most 512 are possible", NULL);
    diag_free(&t->diags);
    shape(t, BOARD_SQUARE, 3, 3);
    t->spec.stack = 33;
    bad(t, "a stack holds 1 to 32 pieces, not 33", NULL);
}

static void test_no_cell_left(void **state) {
    Bench *t = *state;
    bool keep[9] = {false};
    t->spec.keep = keep;
    bad(t, "the board has no cell left",
        "`cells where` keeps the cells for which the condition holds");
}

static void test_bad_directions(void **state) {
    Bench *t = *state;
    add_direction(t, "n", NULL);
    add_direction(t, "north", NULL);
    bad(t, "there is no direction `north` on this board",
        "the directions are n, ne, e, se, s, sw, w and nw");
    diag_free(&t->diags);
    t->spec.direction_count = 0;
    shape(t, BOARD_HEXAGON, 3, 0);
    add_direction(t, "NE", NULL);
    bad(t, "there is no direction `NE` on this board",
        "did you mean `ne`? The directions are ne, e, se, sw, w and nw");
    diag_free(&t->diags);
    shape(t, BOARD_LINES, 0, 0);
    add_line(t, "a1 a2");
    bad(t, "a board of lines has no directions", "pieces go along the lines: `next(c)`");
}

static void test_bad_lines(void **state) {
    Bench *t = *state;
    static const struct {
        const char *line, *other, *message, *help;
    } cases[] = {
        {"a1 b1 a1", NULL, "`a1` stands twice in this line", NULL},
        {"a1", NULL, "a line joins at least two points", NULL},
        {"a1 b1 c1", "c1 b1 a1", "this line has been given already",
         "a line is the same from both of its ends"},
        {"a1 b1 d1", NULL, "the board has no cell `d1`", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        t->spec.line_count = 0;
        memset(t->line, 0, sizeof t->line);
        add_line(t, cases[i].line);
        if (cases[i].other)
            add_line(t, cases[i].other);
        bad(t, cases[i].message, cases[i].help);
        diag_free(&t->diags);
    }
}

static void test_bad_lines_of(void **state) {
    Bench *t = *state;
    t->spec.lines_of = 1;
    bad(t, "a line joins at least two cells: `lines of 1`", NULL);
    diag_free(&t->diags);
    t->spec.lines_of = 4;
    bad(t, "no line of 4 fits on the board", NULL);
    diag_free(&t->diags);
    t->spec.lines_of = 1000000;
    bad(t, "no line of 1000000 fits on the board", NULL);
    diag_free(&t->diags);
    t->spec.lines_of = 3;
    shape(t, BOARD_LINES, 0, 0);
    bad(t, "the board has no lines", "give each line as the names of its points: `a1 b1 c1`");
    diag_free(&t->diags);
    add_line(t, "a1 b1");
    bad(t, "`lines of 3` needs a board with directions", NULL);
}

static void test_bad_points(void **state) {
    Bench *t = *state;
    shape(t, BOARD_LINES, 0, 0);
    add_line(t, "here there");
    add_point(t, "here", 1, 1);
    bad(t, "the point `there` has no place", "add `point there at X, Y`, or give no places at all");
    diag_free(&t->diags);
    add_point(t, "ther", 1, 1);
    bad(t, "no line has a point `ther`", "did you mean `there`?");
    diag_free(&t->diags);
    t->point[1].name = "here";
    bad(t, "the point `here` has a place already", NULL);
    diag_free(&t->diags);
    t->point[1].name = "there";
    bad(t, "`here` and `there` are drawn at the same place",
        "give each point a place of its own: `point there at X, Y`");
    diag_free(&t->diags);
    t->point[1].x = 101;
    bad(t, "places go from -100 to 100, not to 101, 1", NULL);
}

static void test_most_points(void **state) {
    Bench *t = *state;
    shape(t, BOARD_LINES, 0, 0);
    for (int i = 0; i < BOARD_MAX_CELLS / 2; i++)
        add_line(t, arena_printf(&t->arena, "p_%d q_%d", i, i));
    assert_int_equal(good(t)->cells, BOARD_MAX_CELLS);
    add_line(t, "p_1 more");
    bad(t, "the lines have more than 512 points", NULL);
}

static void test_bad_symmetries(void **state) {
    Bench *t = *state;
    add_symmetry(t, "mirror");
    bad(t, "there is no symmetry `mirror`",
        "did you mean `mirrors`? The symmetries are all, rotations, mirrors, left_right, up_down, "
        "half_turn and diagonals");
    diag_free(&t->diags);
    shape(t, BOARD_SQUARE, 4, 3);
    t->symmetry[0].name = "diagonals";
    bad(t, "the board does not have the symmetry `diagonals`",
        "it has rotations, mirrors, left_right, up_down, half_turn");
}

// With any one allocation failing, board_build leaves through the arena's recovery point.
static void test_out_of_memory(void **state) {
    Bench *t = *state;
    for (volatile long n = 1; n < 1000; n++) {
        arena_free(&t->arena);
        t->spec.line_count = 0;
        memset(t->line, 0, sizeof t->line);
        add_mill(t);
        t->spec.symmetry_count = 0;
        add_symmetry(t, "all");
        if (setjmp(t->recovery) == 0) {
            mem_fail_at(n);
            Board *b = board_build(&t->arena, &t->spec, &t->diags);
            mem_fail_at(0);
            assert_non_null(b);
            return;
        }
    }
    fail_msg("board_build does not come to an end");
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(test_square_cells),
        T(test_wide_names),
        T(test_matrix),
        T(test_kept_cells),
        T(test_steps),
        T(test_one_way),
        T(test_alquerque),
        T(test_direction_union),
        T(test_rhombus),
        T(test_directions_match_picture),
        T(test_hexagon),
        T(test_triangle),
        T(test_lines_of),
        T(test_lines_through),
        T(test_lines_by_name_on_a_grid),
        T(test_mill),
        T(test_mill_geometry),
        T(test_given_points),
        T(test_points_on_a_circle),
        T(test_too_many_exchanges),
        T(test_square_symmetries),
        T(test_symmetry_needs_its_directions),
        T(test_symmetry_ignores_the_margin),
        T(test_symmetry_needs_its_lines),
        T(test_bad_sizes),
        T(test_no_cell_left),
        T(test_bad_directions),
        T(test_bad_lines),
        T(test_bad_lines_of),
        T(test_bad_points),
        T(test_most_points),
        T(test_bad_symmetries),
        T(test_out_of_memory),
    };
#undef T
    return cmocka_run_group_tests(tests, NULL, NULL);
}
