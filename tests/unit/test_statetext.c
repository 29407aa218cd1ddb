// States as text: what is written reads back to the same bytes, and every message of the reader.
// Rules are compiled from text; nothing is played, so only the front end is needed.
#include "base/rng.h"
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

// What every game below ends with.
#define TURN                                                                                       \
    "turn\n"                                                                                       \
    "    choose to in empty\n"                                                                     \
    "    remove to\n"                                                                              \
    "end\n"                                                                                        \
    "    draw when no empty\n"

// One of everything that a state can hold.
#define SKIRMISH                                                                                   \
    "game \"g\"\n"                                                                                 \
    "players Red, Blue, Black\n"                                                                   \
    "board square 4 x 2\n"                                                                         \
    "piece fighter of Red \"R\", Blue \"B\" with number : 1..4 = 1, hp : -5..300 = 10, ready : "   \
    "bool = yes\n"                                                                                 \
    "piece rock \"O ▲\"\n"                                                                       \
    "var hand[player] : 0..9 = 9\n"                                                                \
    "var debt : -3..3 = 0\n"                                                                       \
    "var rights : some of K, Q, k = {K, Q, k}\n"                                                   \
    "var modes : some of fast, slow\n"                                                             \
    "var last : cell or none\n"                                                                    \
    "var heading : direction = n\n"                                                                \
    "var holds : piece or none\n"                                                                  \
    "var leader : player or none\n"                                                                \
    "var burnt : cells\n"                                                                          \
    "var begun : bool = no\n"                                                                      \
    "clock quiet : 0..100 = 0\n" TURN
#define BYTE                                                                                       \
    "game \"g\"\nplayers Black, White\nboard square 3 x 2\n    stacks of 4\n    coordinates "      \
    "matrix\npiece checker of Black, White\n" TURN
#define CHESS                                                                                      \
    "game \"g\"\nplayers White \"w\", Black \"b\"\nboard square 2 x 2\n"                           \
    "piece king of White \"K\", Black \"k\"\nvar castling : some of K, k = {K, k}\n"               \
    "var en_passant : cell or none\nclock halfmoves : 0..100 = 0\n" TURN

typedef struct Bench {
    Game game;
    jmp_buf recovery;
    uint8_t *state, *other;
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
    t->other = arena_alloc(&g->arena, (size_t)g->ir->layout.size);
}

static void read_good(Bench *t, const char *text) {
    Text error = {0};
    if (!state_read(&t->game, text, t->state, &error))
        fail_msg("%s", text_c(&error));
    assert_int_equal(error.n, 0);
    text_free(&error);
}

// Reads a text, whose state must be written like `canonical` and read back the same.
static void same(Bench *t, const char *text, const char *canonical) {
    Text error = {0};
    size_t size = (size_t)t->game.ir->layout.size;
    read_good(t, text);
    text_clear(&t->text);
    state_text(&t->game, t->state, &t->text);
    assert_string_equal(text_c(&t->text), canonical);
    memset(t->other, 0xAA, size);
    assert_true(state_read(&t->game, canonical, t->other, &error));
    assert_memory_equal(t->state, t->other, size);
    text_free(&error);
}

// Reads a text that is wrong; the state must stay as it was.
static void bad(Bench *t, const char *text, const char *message) {
    Text error = {0};
    size_t size = (size_t)t->game.ir->layout.size;
    memset(t->other, 0x55, size);
    assert_false(state_read(&t->game, text, t->other, &error));
    assert_string_equal(text_c(&error), message);
    for (size_t i = 0; i < size; i++)
        assert_int_equal(t->other[i], 0x55);
    text_free(&error);
}

// --- Good texts ---

static void test_everything(void **state) {
    Bench *t = *state;
    load(t, SKIRMISH);
    same(t, "4/4",
         "4/4 r hand=9,9,9 debt=0 rights=KQk modes=- last=- heading=n holds=- leader=- "
         "burnt=- begun=no quiet=0");
    same(t,
         "1R(2,-5,no)B1/O3 bla hand=0,1,2 debt=-3 rights=Qk modes=slow+fast last=d2 heading=sw "
         "holds=rock leader=BLUE burnt=b1+A1 begun=YES quiet=100 result=Blue+Red",
         "1R(2,-5,no)B(1,10,yes)1/O3 bla hand=0,1,2 debt=-3 rights=Qk modes=fast+slow last=d2 "
         "heading=sw holds=rock leader=Blue burnt=a1+b1 begun=yes quiet=100 result=Red+Blue");
    same(t, "  4/4\tblue\n result=- quiet=007 ",
         "4/4 blu hand=9,9,9 debt=0 rights=KQk modes=- last=- heading=n holds=- leader=- burnt=- "
         "begun=no quiet=7 result=-");
}

static void test_stacks(void **state) {
    Bench *t = *state;
    load(t, BYTE);
    same(t, "[BWWB]1W/2[BB] w", "[BWWB]1W/2[BB] w");
    same(t, "[B]2/3", "B2/3 b");
    same(t, "3/3", "3/3 b");
    assert_int_equal(state_height(&t->game, t->state, 0), 0);
    read_good(t, "[BWW]1W/2[BB]");
    assert_int_equal(state_height(&t->game, t->state, 0), 3);
    assert_int_equal(state_plane(&t->game, t->state, 0, 0), 0);
    assert_int_equal(state_plane(&t->game, t->state, 0, 2), 1);
    assert_int_equal(state_plane(&t->game, t->state, 0, 3), -1);
    assert_int_equal(state_plane(&t->game, t->state, 0, -1), -1);
}

// A position as in chess books: bare values in order, and the number of the move at the end.
static void test_bare_values(void **state) {
    Bench *t = *state;
    load(t, CHESS);
    same(t, "k1/1K b k a2 12 30", "k1/1K b castling=k en_passant=a2 halfmoves=12");
    same(t, "k1/1K w - - 0 1", "k1/1K w castling=- en_passant=- halfmoves=0");
    same(t, "k1/1K w halfmoves=3 K", "k1/1K w castling=K en_passant=- halfmoves=3");
    same(t, "k1/1K White", "k1/1K w castling=Kk en_passant=- halfmoves=0");
}

static void test_rows_of_line_boards(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard\n    lines\n        a1 b2 c3\n"
            "        a3 b2 c1\npiece man of White, Black\n" TURN);
    same(t, "W1/1/1B", "W1/1/1B w");
    assert_int_equal(state_plane(&t->game, t->state, board_cell_named(t->game.ir->board, "a3"), 0),
                     0);
}

static void test_put(void **state) {
    Bench *t = *state;
    load(t, SKIRMISH);
    read_good(t, "4/4");
    memcpy(t->other, t->state, (size_t)t->game.ir->layout.size);
    state_put(&t->game, t->state, 0, 1);
    assert_int_equal(state_plane(&t->game, t->state, 0, 0), 1);
    assert_int_equal(state_attribute(&t->game, t->state, 1, 0), 10);
    state_put(&t->game, t->state, 0, 2); // a rock has no attributes
    assert_int_equal(state_attribute(&t->game, t->state, 1, 0), 0);
    state_put(&t->game, t->state, 0, -1);
    assert_memory_equal(t->state, t->other, (size_t)t->game.ir->layout.size);
}

static void test_put_on_stacks(void **state) {
    Bench *t = *state;
    load(t, BYTE);
    read_good(t, "3/3");
    memcpy(t->other, t->state, (size_t)t->game.ir->layout.size);
    for (int i = 0; i < 6; i++) // two more than fit
        state_put(&t->game, t->state, 2, i % 2);
    text_clear(&t->text);
    state_text(&t->game, t->state, &t->text);
    assert_string_equal(text_c(&t->text), "2[BWBW]/3 b");
    state_put(&t->game, t->state, 2, -1);
    assert_memory_equal(t->state, t->other, (size_t)t->game.ir->layout.size);
}

// --- Bad texts ---

static void test_bad_boards(void **state) {
    Bench *t = *state;
    load(t, SKIRMISH);
    bad(t, "", "the text is empty");
    bad(t, " \n", "the text is empty");
    bad(t, "1x2/4", "column 2: `x` is not a piece; the pieces are R, B and O");
    bad(t, "4/▲3", "column 3: `▲` is not a piece; the pieces are R, B and O");
    bad(t, "\xff/4", "column 1: `\xEF\xBF\xBD` is not a piece; the pieces are R, B and O");
    bad(t, "5/4", "column 1: row 1 from the top has only 4 cells");
    bad(t, "4/3OO", "column 3: row 2 from the top has only 4 cells");
    bad(t, "4/99999999999999999999", "column 3: row 2 from the top has only 4 cells");
    bad(t, "3/4", "column 1: row 1 from the top has 4 cells, not 3");
    bad(t, "4", "the board has 2 rows, not 1");
    bad(t, "4/4/4", "column 4: the board has only 2 rows");
    bad(t, "4/0O3", "column 3: 0 is not a number of empty cells");
    bad(t, "4/[OO]3", "column 3: this board has no stacks");
    bad(t, "R(1,10,yes3/4", "column 2: the parenthesis is not closed");
    bad(t, "R(1,10)3/4", "column 2: R has 3 values in parentheses (number,hp,ready), not 2");
    bad(t, "O(1)3/4", "column 2: O has no values in parentheses");
    bad(t, "R(5,10,yes)3/4", "number: 5 is not in 1..4");
    bad(t, "R(1,x,yes)3/4", "hp: `x` is not a number");
    bad(t, "R(1,,yes)3/4", "hp: `` is not a number");
    bad(t, "R(1,10,maybe)3/4", "ready: `maybe` is neither yes nor no");
}

static void test_bad_fields(void **state) {
    Bench *t = *state;
    load(t, SKIRMISH);
    bad(t, "4/4 w", "there is no player `w`; the players are Red, Blue and Black");
    bad(t, "4/4 bl", "there is no player `bl`; the players are Red, Blue and Black");
    bad(t, "4/4 r hand=1,2", "hand has 3 values, not 2");
    bad(t, "4/4 r hand=1,2,10", "hand: 10 is not in 0..9");
    bad(t, "4/4 r hand=1,2,99999999999", "hand: `99999999999` is too large a number");
    bad(t, "4/4 r debt=--1", "debt: `--1` is not a number");
    bad(t, "4/4 r dept=1", "there is no variable `dept`; did you mean `debt`?");
    bad(t, "4/4 r =1", "there is no variable ``");
    bad(t, "4/4 r debt=1 debt=1", "debt is given twice");
    bad(t, "4/4 r rights=Kx", "rights: there is no word `x`; there are K, Q and k");
    bad(t, "4/4 r modes=fast+slwo", "modes: there is no word `slwo`; did you mean `slow`?");
    bad(t, "4/4 r last=e9",
        "last: there is no cell `e9`; there are a1, b1, c1, d1, a2, b2, c2 and "
        "d2");
    bad(t, "4/4 r heading=-",
        "heading: there is no direction `-`; there are n, ne, e, se, s, sw, w "
        "and nw");
    bad(t, "4/4 r holds=fihgter", "holds: there is no piece `fihgter`; did you mean `fighter`?");
    bad(t, "4/4 r burnt=a1+",
        "burnt: there is no cell ``; there are a1, b1, c1, d1, a2, b2, c2 and "
        "d2");
    bad(t, "4/4 r result=Green",
        "result: there is no player `Green`; there are Red, Blue and Black");
    bad(t, "4/4 r result=Red result=-", "result is given twice");
}

static void test_bad_stacks(void **state) {
    Bench *t = *state;
    load(t, BYTE);
    bad(t, "[BWBWB]2/3", "column 6: a stack has at most 4 pieces");
    bad(t, "[]2/3", "column 1: the stack has no pieces");
    bad(t, "[BW2/3", "column 4: `2` is not a piece; the pieces are B and W");
    bad(t, "[BW", "column 1: the bracket is not closed");
    bad(t, "3/[BW/3", "column 3: the bracket is not closed");
}

static void test_left_over(void **state) {
    Bench *t = *state;
    load(t, CHESS);
    bad(t, "k1/1K w - - 0 1 1", "`1` is left over: every variable has a value");
    bad(t, "k1/1K w - - 0 x", "`x` is left over: every variable has a value");
}

static void test_long_words_are_cut(void **state) {
    Bench *t = *state;
    load(t, CHESS);
    char text[400] = "k1/1K ";
    memset(text + 6, 'x', 300);
    bad(t, text,
        "there is no player `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…`; the players are "
        "White and Black");
}

// --- Any bytes ---

// Random changes to good texts: each is refused with a message, or reads to a state that is
// written and read back the same.
static void test_random_changes(void **state) {
    static const struct {
        const char *rules, *text;
    } starts[] = {
        {SKIRMISH, "1R(2,-5,no)B1/O3 bla hand=0,1,2 debt=-3 rights=Qk modes=slow+fast last=d2 "
                   "heading=sw holds=rock leader=Blue burnt=b1+a1 begun=yes quiet=9 result=Red"},
        {BYTE, "[BWWB]1W/2[BB] w"},
        {CHESS, "k1/1K b k a2 12 30"},
    };
    static const char alphabet[] = "RBOkKW/()[]0123456789,+-= abd\t\xC3\xBC\xff";
    Bench *t = *state;
    Rng rng;
    rng_seed(&rng, 7);
    for (int s = 0; s < 3; s++) {
        load(t, starts[s].rules);
        for (int round = 0; round < 3000; round++) {
            char text[300];
            snprintf(text, sizeof text, "%s", starts[s].text);
            size_t n = strlen(text);
            for (uint64_t i = rng_below(&rng, 4); i < 5; i++)
                text[rng_below(&rng, n)] = alphabet[rng_below(&rng, sizeof alphabet - 1)];
            Text error = {0};
            if (state_read(&t->game, text, t->state, &error)) {
                text_clear(&t->text);
                state_text(&t->game, t->state, &t->text);
                char *canonical = strdup(text_c(&t->text));
                same(t, canonical, canonical);
                free(canonical);
            } else {
                assert_true(error.n > 0);
            }
            text_free(&error);
        }
    }
}

static void test_out_of_memory(void **state) {
    Bench *t = *state;
    load(t, CHESS);
    for (long n = 1; n <= 3; n++) { // the copy, the state, what was seen
        Text error = {0};
        mem_fail_at(n);
        assert_false(state_read(&t->game, "k1/1K b", t->state, &error));
        mem_fail_at(0);
        text_free(&error);
    }
    read_good(t, "k1/1K b");
}

// --- Values ---

static void value(Bench *t, IrType type, const char *word, const char *expected) {
    int64_t v = -1;
    Text error = {0};
    text_clear(&t->text);
    if (value_read(t->game.ir, type, word, &v, &error))
        value_text(t->game.ir, type, v, &t->text);
    else
        text_add(&t->text, text_c(&error));
    assert_string_equal(text_c(&t->text), expected);
    text_free(&error);
}

static void test_values(void **state) {
    Bench *t = *state;
    load(t, "game \"g\"\nplayers White, Black\nboard square 3 x 3\n    lines of 3\n"
            "piece man of White, Black\n" TURN);
    IrType cell = {.kind = TY_CELL}, perhaps = {.kind = TY_CELL, .optional = true};
    value(t, cell, "b2", "b2");
    value(t, cell, "B2", "b2");
    value(t, cell, "-", "there is no cell `-`; there are a1, b1, c1, a2, b2, c2, a3, b3 and c3");
    value(t, perhaps, "none", "-");
    value(t, (IrType){.kind = TY_INT}, "-12", "-12");
    value(t, (IrType){.kind = TY_INT}, "12x", "`12x` is not a number");
    value(t, (IrType){.kind = TY_BOOL}, "True", "yes");
    value(t, (IrType){.kind = TY_PLAYER}, "black", "Black");
    value(t, (IrType){.kind = TY_PLAYER}, "Blakc",
          "there is no player `Blakc`; did you mean "
          "`Black`?");
    value(t, (IrType){.kind = TY_DIRECTION}, "NW", "nw");
    value(t, (IrType){.kind = TY_KIND}, "man", "man");
    value(t, (IrType){.kind = TY_LINE}, "c1+A1+b1", "a1+b1+c1");
    value(t, (IrType){.kind = TY_LINE}, "a1+b1", "there is no line `a1+b1`");
    value(t, (IrType){.kind = TY_LINE}, "", "there is no line ``");
    value(t, (IrType){.kind = TY_MASK, .of = TY_INT}, "3+0+63", "0+3+63");
    value(t, (IrType){.kind = TY_MASK, .of = TY_INT}, "64", "64 is not in 0..63");
    value(t, (IrType){.kind = TY_MASK, .of = TY_PLAYER}, "-", "-");
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(test_everything),
        T(test_stacks),
        T(test_bare_values),
        T(test_rows_of_line_boards),
        T(test_put),
        T(test_put_on_stacks),
        T(test_bad_boards),
        T(test_bad_fields),
        T(test_bad_stacks),
        T(test_left_over),
        T(test_long_words_are_cut),
        T(test_random_changes),
        T(test_out_of_memory),
        T(test_values),
    };
#undef T
    return cmocka_run_group_tests(tests, NULL, NULL);
}
