// Pictures of boards, exactly. Rules are compiled from text, states read from text; nothing is
// played, so only the front end is needed.
#include "game/draw.h"
#include "game/statetext.h"
#include "lang/check.h"
#include "lang/parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// What every game below has in common after its board and pieces.
#define TURN                                                                                       \
    "turn\n"                                                                                       \
    "    choose to in empty\n"                                                                     \
    "    remove to\n"                                                                              \
    "end\n"                                                                                        \
    "    draw when no empty\n"

typedef struct Bench {
    Game game;
    jmp_buf recovery;
    uint8_t *state;
    Text text;
} Bench;

static int set_up(void **state) {
    Bench *t = calloc(1, sizeof *t);
    arena_init(&t->game.arena, &t->recovery);
    *state = t;
    return 0;
}

static int tear_down(void **state) {
    Bench *t = *state;
    text_free(&t->text);
    arena_free(&t->game.arena);
    free(t);
    return 0;
}

static void load(Bench *t, const char *rules) {
    Game *g = &t->game;
    g->source = (Source){.name = "test", .text = rules, .size = strlen(rules)};
    Diags diags = {.source = &g->source};
    if (setjmp(t->recovery))
        fail_msg("out of memory");
    const Node *file = parse_file(&g->arena, &g->source, &diags);
    g->ir = diags.errors ? NULL : check_game(&g->arena, file, &g->source, NULL, 0, &diags);
    if (!g->ir)
        fail_msg("%s", diags.count ? diags.items[0].message : "no message");
    diag_free(&diags);
    t->state = arena_alloc(&g->arena, (size_t)g->ir->layout.size);
}

static void put(Bench *t, const char *text) {
    Text error = {0};
    if (!state_read(&t->game, text, t->state, &error))
        fail_msg("%s", text_c(&error));
    text_free(&error);
}

// Draws with the named cells marked, and compares.
static void expect(Bench *t, DrawStyle style, const char *marks, const char *picture) {
    uint64_t mark[BOARD_MAX_WORDS] = {0};
    char names[200];
    snprintf(names, sizeof names, "%s", marks);
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
        int c = board_cell_named(t->game.ir->board, name);
        assert_true(c >= 0);
        mark[c / 64] |= (uint64_t)1 << (c % 64);
        style.mark = mark;
    }
    text_clear(&t->text);
    draw_board(&t->game, t->state, style, &t->text);
    assert_string_equal(text_c(&t->text), picture);
    for (const char *s = text_c(&t->text); style.ascii && *s; s++)
        assert_true((unsigned char)*s < 128);
}

static const DrawStyle plain = {0};
static const DrawStyle ascii = {.ascii = true};
static const DrawStyle coloured = {.colour = true};

// --- Square boards ---

#define STONES "piece stone of White \"W ○\", Black \"B ●\"\n"

static void test_grid(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard square 3 x 2\n" STONES TURN);
    put(t, "W1B/3");
    expect(t, plain, "a1 b1 c2",
           "  ┌───┬───┬───┐\n"
           "2 │ ○ │   │[●]│\n"
           "  ├───┼───┼───┤\n"
           "1 │[ ]│[ ]│   │\n"
           "  └───┴───┴───┘\n"
           "    a   b   c\n");
    expect(t, ascii, "",
           "  +---+---+---+\n"
           "2 | W |   | B |\n"
           "  +---+---+---+\n"
           "1 |   |   |   |\n"
           "  +---+---+---+\n"
           "    a   b   c\n");
}

static void test_colour(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers Red, Black\nboard square 2 x 1\n"
            "piece stone of Red, Black\n" TURN);
    put(t, "RB");
    expect(t, coloured, "b1",
           "  \x1b[0;2m┌───┬───┐\x1b[0m\n"
           "\x1b[0;2m1 │ \x1b[0;1;31mR \x1b[0;2m│\x1b[0;7m \x1b[0;1;36;7mB \x1b[0;2m│\x1b[0m\n"
           "  \x1b[0;2m└───┴───┘\x1b[0m\n"
           "    \x1b[0;2ma   b\x1b[0m\n");
}

static void test_matrix_and_numbers(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers Solver\nboard square 4 x 2\n    coordinates matrix\n"
            "piece tile with number : 1..10 = 1\n" TURN);
    put(t, "TT(2)T(10)1/4");
    expect(t, plain, "A2",
           "    1    2    3    4\n"
           "  ┌────┬────┬────┬────┐\n"
           "A │  1 │[ 2]│ 10 │    │\n"
           "  ├────┼────┼────┼────┤\n"
           "B │    │    │    │    │\n"
           "  └────┴────┴────┴────┘\n");
}

static void test_dark_cells(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard square 4 x 4\n"
            "    cells where (column + row) % 2 == 0\n" STONES TURN);
    put(t, "BB/2/2/WW");
    expect(t, plain, "b2",
           "  ┌───┬───┬───┬───┐\n"
           "4 │░░░│ ● │░░░│ ● │\n"
           "  ├───┼───┼───┼───┤\n"
           "3 │ · │░░░│ · │░░░│\n"
           "  ├───┼───┼───┼───┤\n"
           "2 │░░░│[·]│░░░│ · │\n"
           "  ├───┼───┼───┼───┤\n"
           "1 │ ○ │░░░│ ○ │░░░│\n"
           "  └───┴───┴───┴───┘\n"
           "    a   b   c   d\n");
    expect(t, ascii, "",
           "  +---+---+---+---+\n"
           "4 |   | B |   | B |\n"
           "  +---+---+---+---+\n"
           "3 | . |   | . |   |\n"
           "  +---+---+---+---+\n"
           "2 |   | . |   | . |\n"
           "  +---+---+---+---+\n"
           "1 | W |   | W |   |\n"
           "  +---+---+---+---+\n"
           "    a   b   c   d\n");
}

static void test_cross(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers Solver\nboard square 7 x 3\n"
            "    cells where column in 3 .. 5 or row == 1\npiece peg \"P ●\"\n" TURN);
    put(t, "3/PPP/PP1PPPP");
    expect(t, plain, "c1",
           "          ┌───┬───┬───┐\n"
           "3         │ · │ · │ · │\n"
           "          ├───┼───┼───┤\n"
           "2         │ ● │ ● │ ● │\n"
           "  ┌───┬───┼───┼───┼───┼───┬───┐\n"
           "1 │ ● │ ● │[·]│ ● │ ● │ ● │ ● │\n"
           "  └───┴───┴───┴───┴───┴───┴───┘\n"
           "    a   b   c   d   e   f   g\n");
}

static void test_rows_of_dots(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard square 5 x 10\n" STONES TURN);
    put(t, "5/5/5/5/5/5/1WB2/5/5/5");
    expect(t, plain, "b4 c4 e1",
           "10  · · · · ·\n"
           " 9  · · · · ·\n"
           " 8  · · · · ·\n"
           " 7  · · · · ·\n"
           " 6  · · · · ·\n"
           " 5  · · · · ·\n"
           " 4  ·[○|●]· ·\n"
           " 3  · · · · ·\n"
           " 2  · · · · ·\n"
           " 1  · · · ·[·]\n"
           "    a b c d e\n");
}

static void test_attributes(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers Red, Blue\nboard square 9 x 2\n"
            "piece fighter of Red, Blue with number : 1..4 = 1, hp : 0..10 = 10, ready : bool = "
            "yes\npiece rock \"O ▲\"\n" TURN);
    put(t, "1R(2,7,no)7/O6B1");
    expect(t, plain, "b2",
           "  ┌──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┬──────┐\n"
           "2 │      [R2:7r ]      │      │      │      │      │      │      │\n"
           "  ├──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┼──────┤\n"
           "1 │  ▲   │      │      │      │      │      │      │B1:10 │      │\n"
           "  └──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┴──────┘\n"
           "     a      b      c      d      e      f      g      h      i\n"
           "fighter: number:hp, r = not ready\n");
}

// Alquerque: where only some cells have diagonals, the ways are drawn.
static void test_ways(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard square 3 x 3\n    directions n, e, s, w\n"
            "    directions ne, nw, se, sw where (column + row) % 2 == 0\n" STONES TURN);
    put(t, "3/1W1/B2");
    expect(t, plain, "b2",
           "3  ·───·───·\n"
           "   │ ╲ │ ╱ │\n"
           "2  ·──[○]──·\n"
           "   │ ╱ │ ╲ │\n"
           "1  ●───·───·\n"
           "   a   b   c\n");
}

// --- Stacks ---

static void test_stacks(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard square 4 x 2\n"
            "    cells where (column + row) % 2 == 0\n    stacks of 4\n" STONES TURN);
    put(t, "W[BW]/[WBWB]1");
    expect(t, plain, "d2",
           "  ┌──────┬──────┬──────┬──────┐\n"
           "2 │░░░░░░│ ○    │░░░░░░│[●○  ]│\n"
           "  ├──────┼──────┼──────┼──────┤\n"
           "1 │ ○●○● │░░░░░░│ ·    │░░░░░░│\n"
           "  └──────┴──────┴──────┴──────┘\n"
           "     a      b      c      d\n");
}

// Wide boards break stacks into rows, the lowest first.
static void test_high_stacks(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard square 16 x 1\n    stacks of 8\n" STONES TURN);
    put(t, "[WWWBBBWB]15");
    expect(t, ascii, "a1",
           "  +---+---+---+---+---+---+---+---+---+---+---+---+---+---+---+---+\n"
           "  [WB ]   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |\n"
           "1 [BBB]   |   |   |   |   |   |   |   |   |   |   |   |   |   |   |\n"
           "  [WWW].  |.  |.  |.  |.  |.  |.  |.  |.  |.  |.  |.  |.  |.  |.  |\n"
           "  +---+---+---+---+---+---+---+---+---+---+---+---+---+---+---+---+\n"
           "    a   b   c   d   e   f   g   h   i   j   k   l   m   n   o   p\n");
}

// --- Hexagonal boards ---

static void test_rhombus(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard hex rhombus 4 x 3\n" STONES TURN);
    put(t, "4/1W2/B3");
    expect(t, plain, "a1 b1 b2",
           "  3  · · · ·\n"
           " 2  ·[○]· ·\n"
           "1 [●|·]· ·\n"
           "  a b c d\n");
}

static void test_rhombus_matrix(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard hex rhombus 4 x 3\n"
            "    coordinates matrix\n" STONES TURN);
    put(t, "W3/4/3B");
    expect(t, ascii, "",
           "  1 2 3 4\n"
           "A  W . . .\n"
           " B  . . . .\n"
           "  C  . . . B\n");
}

static void test_hexagon(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard hex hexagon 3\n" STONES TURN);
    put(t, "3/4/2W2/4/2B");
    expect(t, plain, "",
           "     · · ·  5\n"
           "    · · · ·  4\n"
           "   · · ○ · ·  3\n"
           "  a · · · ·  2\n"
           "   b · · ●  1\n"
           "    c d e\n");
}

static void test_triangle(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard hex triangle 3\n" STONES TURN);
    put(t, "W/2/3");
    expect(t, plain, "",
           "  3  ○\n"
           " 2  · ·\n"
           "1  · · ·\n"
           "  a b c\n");
}

// --- Line boards ---

static void test_mill(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard\n    lines\n"
            "        a7 d7 g7\n        b6 d6 f6\n        c5 d5 e5\n        a4 b4 c4\n"
            "        e4 f4 g4\n        c3 d3 e3\n        b2 d2 f2\n        a1 d1 g1\n"
            "        a7 a4 a1\n        b6 b4 b2\n        c5 c4 c3\n        d7 d6 d5\n"
            "        d3 d2 d1\n        e5 e4 e3\n        f6 f4 f2\n        g7 g4 g1\n" STONES TURN);
    put(t, "W2/1B1/3/6/3/1W1/3");
    expect(t, plain, "a1 d7",
           "7  ○──────────[·]──────────·\n"
           "   │           │           │\n"
           "6  │   ·───────●───────·   │\n"
           "   │   │       │       │   │\n"
           "5  │   │   ·───·───·   │   │\n"
           "   │   │   │       │   │   │\n"
           "4  ·───·───·       ·───·───·\n"
           "   │   │   │       │   │   │\n"
           "3  │   │   ·───·───·   │   │\n"
           "   │   │       │       │   │\n"
           "2  │   ·───────○───────·   │\n"
           "   │           │           │\n"
           "1 [·]──────────·───────────·\n"
           "   a   b   c   d   e   f   g\n");
}

static void test_diagonals(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard\n    lines\n"
            "        a1 b2 c3\n        a3 b2 c1\n        a1 b1 c1\n" STONES TURN);
    put(t, "2/W/3");
    expect(t, ascii, "",
           "3  +       +\n"
           "     \\   /\n"
           "2      W\n"
           "     /   \\\n"
           "1  +---+---+\n"
           "   a   b   c\n");
}

static void test_named_points(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard\n    lines\n"
            "        west centre east\n        north centre south\n"
            "    point north at 1, 2\n    point south at 1, 0\n    point west at 0, 1\n"
            "    point east at 2, 1\n    point centre at 1, 1\n" STONES TURN);
    put(t, "1/W1B/1");
    expect(t, plain, "north",
           "             [·] north\n"
           "              │\n"
           "  ○ west ─────· centre ───● east\n"
           "              │\n"
           "              · south\n");
}

// --- Robustness ---

static void test_letters_outside_ascii(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard square 2 x 1\n"
            "piece stone of White \"Ж\", Black \"Я ●\"\n" TURN);
    put(t, "ЖЯ");
    expect(t, ascii, "",
           "  +---+---+\n"
           "1 | s | s |\n"
           "  +---+---+\n"
           "    a   b\n");
}

static void test_out_of_memory(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard square 3 x 2\n" STONES TURN);
    put(t, "W1B/3");
    for (long n = 1;; n++) {
        Text out = {0};
        mem_fail_at(n);
        draw_board(&t->game, t->state, plain, &out);
        mem_fail_at(0);
        bool failed = out.failed;
        text_free(&out);
        if (!failed)
            break;
        assert_true(n < 1000);
    }
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(test_grid),          T(test_colour),       T(test_matrix_and_numbers),
        T(test_dark_cells),    T(test_cross),        T(test_rows_of_dots),
        T(test_attributes),    T(test_ways),         T(test_stacks),
        T(test_high_stacks),   T(test_rhombus),      T(test_rhombus_matrix),
        T(test_hexagon),       T(test_triangle),     T(test_mill),
        T(test_diagonals),     T(test_named_points), T(test_letters_outside_ascii),
        T(test_out_of_memory),
    };
#undef T
    return cmocka_run_group_tests(tests, NULL, NULL);
}
