// Tests of the formatter: exact layouts, and that formatting changes no token, keeps every
// comment and finds nothing to change the second time.
#include "lang/format.h"

#include "lang/lex.h"
#include "sample_games.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

static bool format_bytes(const char *text, size_t size, Text *out) {
    Source source = {"test.game", text, size};
    Diags diags = {.source = &source};
    bool done = format_file(&source, &diags, out);
    assert_true(done == (diags.errors == 0));
    diag_free(&diags);
    return done;
}

static void expect(const char *source, const char *expected) {
    Text out = {0};
    assert_true(format_bytes(source, strlen(source), &out));
    assert_string_equal(text_c(&out), expected);
    Text again = {0};
    assert_true(format_bytes(text_c(&out), out.n, &again));
    assert_string_equal(text_c(&again), expected);
    text_free(&again);
    text_free(&out);
}

typedef struct Case {
    const char *source;
    const char *expected;
} Case;

static void expect_all(const Case *cases, int n) {
    for (int i = 0; i < n; i++)
        expect(cases[i].source, cases[i].expected);
}

// ---- Layout ---------------------------------------------------------------------------------

static void blanks_between_tokens(void **state) {
    (void)state;
    static const Case cases[] = {
        {"let x=a+b*c\n", "let x = a + b * c\n"},
        {"let x  =  ( a|b )&{ c,d }\n", "let x = (a | b) & {c, d}\n"},
        {"let f( a,b )=g ( a )+h [ b ]\n", "let f(a, b) = g(a) + h[b]\n"},
        {"let x = -a - - 1 * ( - b)\n", "let x = -a - -1 * (-b)\n"},
        {"let x = count( a&b )\n", "let x = count (a & b)\n"},
        {"let x = min( a,b )+row( c )\n", "let x = min(a, b) + row(c)\n"},
        {"let x = row   (c)+column(c)\n", "let x = row (c) + column(c)\n"},
        {"let x = a and(b or c)and not(d)\n", "let x = a and (b or c) and not (d)\n"},
        {"let x = a in(1..3)\n", "let x = a in (1 .. 3)\n"},
        {"let x = some c in S:f(c)\n", "let x = some c in S : f(c)\n"},
        {"let x = flood( from(a)through(b) )\n", "let x = flood(from (a) through (b))\n"},
        {"var x[ 0 .. 3 ]:0 .. 9=3\n", "var x[0..3] : 0..9 = 3\n"},
        {"var x:- 3..n=3\n", "var x : -3..n = 3\n"},
        {"var x : 0..2*n = 3\n", "var x : 0 .. 2 * n = 3\n"},
        {"parameter p:list of 0 .. 9=1,2\n", "parameter p : list of 0..9 = 1, 2\n"},
        {"piece man\"M\",king of A\"a\"with hp:0 .. 9=9,on:bool\n",
         "piece man \"M\", king of A \"a\" with hp : 0..9 = 9, on : bool\n"},
        {"board square 8   x(n)\n", "board square 8 x (n)\n"},
        {"board\n  lines\n    a1   b1 \t c1\n", "board\n    lines\n        a1 b1 c1\n"},
        {"players\tA,B   \n", "players A, B\n"},
    };
    expect_all(cases, LENGTH(cases));
}

static void knowledge(void **state) {
    (void)state;
    static const Case cases[] = {
        {"facts\n  pair( p,l )for p in players,l in lines where x\n  late when no empty\n  far "
         "(a1)\n",
         "facts\n    pair(p, l) for p in players, l in lines where x\n"
         "    late       when no empty\n    far(a1)\n"},
        {"rules\n a (f (x),1)if b(x,_) ,not c,\n  y=d(x)\n b if c\n",
         "rules\n    a(f(x), 1) if b(x, _), not c,\n        y = d(x)\n    b if c\n"},
        {"worth\n a(me,_)12 \"a mill\"\n long(me)-x+1\n opponent -1\n",
         "worth\n    a(me, _) 12                         \"a mill\"\n    long(me) -x + 1\n"
         "    opponent -1\n"},
        {"prefer\n times 8 if a \"why\" # so\n times 1 / (2+n) if before(b)\n",
         "prefer\n    times 8         if a                \"why\"   # so\n"
         "    times 1/(2 + n) if before (b)\n"},
        {"knowledge   \"Mine\"\n", "knowledge \"Mine\"\n"},
    };
    expect_all(cases, LENGTH(cases));
}

static void sentences_of_rules_are_aligned(void **state) {
    (void)state;
    static const Case cases[] = {
        {"end\n me wins when no theirs \"all are taken\" # so\n draw when repeated 3\"again\"\n",
         "end\n    me wins when no theirs              \"all are taken\"     # so\n"
         "    draw when repeated 3                \"again\"\n"},
        {"when stuck\n pass when a\n me loses when b \"why\"\n draw\"else\"\n",
         "when stuck\n    pass when a\n    me loses when b                     \"why\"\n"
         "    draw                                \"else\"\n"},
        {"end\n draw when a and\n    b    \"why\"\n",
         "end\n    draw when a and\n        b \"why\"\n"},
    };
    expect_all(cases, LENGTH(cases));
}

static void indentation_and_blank_lines(void **state) {
    (void)state;
    static const Case cases[] = {
        {"", ""},
        {"\n\n", ""},
        {"\n\nplayers A", "players A\n"},
        {"players A\n\n\n\nturn\n  again\n\n\n", "players A\n\nturn\n    again\n"},
        {"turn\n if a\n  again\n else\n         again\n",
         "turn\n    if a\n        again\n    else\n        again\n"},
        {"players A\r\nturn\r\n  again\r\n", "players A\nturn\n    again\n"},
        {"\357\273\277players A\n", "players A\n"},
    };
    expect_all(cases, LENGTH(cases));
}

static void lines_that_go_on(void **state) {
    (void)state;
    static const Case cases[] = {
        {"let x = a +\n b\n", "let x = a +\n    b\n"},
        {"turn\n  x = f(a,\n   b\n  )\n", "turn\n    x = f(a,\n        b\n    )\n"},
        {"turn\n  if a and\n   b\n    again\n",
         "turn\n    if a and\n            b\n        again\n"},
        {"let x = f(a,\n\n\n # note\n b)\n", "let x = f(a,\n\n    # note\n    b)\n"},
    };
    expect_all(cases, LENGTH(cases));
}

static void comments_keep_their_block(void **state) {
    (void)state;
    static const Case cases[] = {
        {"# only\n\n\n# this", "# only\n\n# this\n"},
        {"turn\n  # in\n  again\n  # still in\n# out\nend\n  draw\n",
         "turn\n    # in\n    again\n    # still in\n# out\nend\n    draw\n"},
        {"turn\n  if a\n    again\n    # deep\n   # middle\n # low\n  again\n",
         "turn\n    if a\n        again\n        # deep\n    # middle\n    # low\n    again\n"},
        {"turn\n# before\n  again\n     # after\n", "turn\n# before\n    again\n    # after\n"},
        {"turn\n  again\n  # last", "turn\n    again\n    # last\n"},
        {"   # first\n", "# first\n"},
    };
    expect_all(cases, LENGTH(cases));
}

#define TEN "          "

static void texts_and_comments_go_aside(void **state) {
    (void)state;
    static const Case cases[] = {
        {"players Ab #x  \n", "players Ab" TEN TEN TEN "#x\n"},
        {"parameter a : bool = no \"one\"\nparameter along : bool = no \"two\"# three\n",
         "parameter a : bool = no    " TEN "   \"one\"\n"
         "parameter along : bool = no" TEN "   \"two\"   # three\n"},
        // Two blanks at least, and a multiple of four.
        {"let x = a + a + a + a + a + a + a + abc # x\n",
         "let x = a + a + a + a + a + a + a + abc     # x\n"},
        {"let x = a + a + a + a + a + a + a + a # x\n",
         "let x = a + a + a + a + a + a + a + a   # x\n"},
        // Neighbours share the column of the longest; a blank line ends the company.
        {"let x = a + a + a + a + a + a + a + abc # x\nlet y = 1 # y\n\nlet z = 12 # z\n",
         "let x = a + a + a + a + a + a + a + abc     # x\n"
         "let y = 1" TEN TEN TEN "     # y\n\n"
         "let z = 12" TEN TEN TEN "# z\n"},
        {"game \"\303\274\" # x\nplayers Ab # y\n",
         "game \"\303\274\"  " TEN TEN TEN "# x\nplayers Ab" TEN TEN TEN "# y\n"},
        {"turn\n    require a   \"no\"\n    require all_of_it   \"no\"\n",
         "turn\n    require a \"no\"\n    require all_of_it \"no\"\n"},
    };
    expect_all(cases, LENGTH(cases));
}

static void neighbours_are_aligned(void **state) {
    (void)state;
    static const Case cases[] = {
        {"let a = 1\nlet long(c) = 2\n\nlet b = 3\n",
         "let a       = 1\nlet long(c) = 2\n\nlet b = 3\n"},
        {"let a = 1\nlet bb = 2\nlet a_name_that_is_very_long = 2\n",
         "let a  = 1\nlet bb = 2\nlet a_name_that_is_very_long = 2\n"},
        {"turn\n  let a = 1\n  let bb = 2\n", "turn\n    let a  = 1\n    let bb = 2\n"},
        {"piece man of A\npiece queen \"of\" of A\npiece rock\n",
         "piece man        of A\npiece queen \"of\" of A\npiece rock\n"},
        {"piece man of A\nlet ab = 1\n", "piece man of A\nlet ab = 1\n"},
    };
    expect_all(cases, LENGTH(cases));
}

static void sample_games_are_canonical(void **state) {
    (void)state;
    for (int i = 0; i < SAMPLE_GAMES; i++)
        expect(sample_games[i], sample_games[i]);
}

static void a_file_with_errors_is_left_alone(void **state) {
    (void)state;
    static const char *const sources[] = {"turn\n    chose a in b\n", "let x = (\n", "\377",
                                          "turn\n"};
    for (int i = 0; i < LENGTH(sources); i++) {
        Text out = {0};
        text_add(&out, "old");
        assert_false(format_bytes(sources[i], strlen(sources[i]), &out));
        assert_string_equal(text_c(&out), "");
        text_free(&out);
    }
}

// ---- Nothing but layout changes -------------------------------------------------------------

static unsigned next_random(uint64_t *seed, unsigned n) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*seed >> 33) % n;
}

// The tokens and comments of a text, one per line.
static void list_tokens(const char *text, size_t size, Text *out) {
    Source source = {"test.game", text, size};
    Diags diags = {.source = &source};
    jmp_buf recovery;
    Arena arena;
    arena_init(&arena, &recovery);
    if (setjmp(recovery))
        fail();
    Tokens tokens = lex_file(&arena, &source, &diags);
    for (int i = 0; i < tokens.count; i++)
        text_f(out, "%d %d %s\n", (int)tokens.items[i].kind, tokens.items[i].number,
               tokens.items[i].text);
    for (int i = 0; i < tokens.comment_count; i++) {
        text_add_n(out, text + tokens.comments[i].offset, (size_t)tokens.comments[i].span.length);
        text_char(out, '\n');
    }
    diag_free(&diags);
    arena_free(&arena);
}

static void expect_same_tokens(const Text *a, const Text *b) {
    Text before = {0};
    Text after = {0};
    list_tokens(text_c(a), a->n, &before);
    list_tokens(text_c(b), b->n, &after);
    assert_string_equal(text_c(&before), text_c(&after));
    text_free(&before);
    text_free(&after);
}

// Copies a text with blanks doubled or dropped, comments, blank lines and other bytes put in.
static void disturb(const char *text, uint64_t *seed, Text *out) {
    static const char *const more[] = {"  ",     "",        "\t",         " # c", "\n",
                                       "\n\n\n", "\n# c\n", "\n   # c\n", "\r\n", " x ",
                                       "(",      " + ",     " - 1",       "\"",   "\n    "};
    for (const char *c = text; *c; c++) {
        bool between = *c == ' ' || *c == '\n';
        unsigned chance = between ? next_random(seed, 60) : 60;
        if (*c == ' ' && chance < 2 && c[1] != ' ')
            text_add(out, chance ? "   " : " ");
        else if (*c == '\n' && chance < 6)
            text_add(out, more[chance < 5 ? 3 + chance : 8]);
        else if (chance == 59 && next_random(seed, 4) == 0)
            text_add(out, more[next_random(seed, (unsigned)LENGTH(more))]);
        text_char(out, *c);
    }
}

static void disturbed_games_format_well(void **state) {
    (void)state;
    uint64_t seed = 7;
    int formatted = 0;
    for (int i = 0; i < 1500; i++) {
        Text text = {0};
        Text out = {0};
        Text again = {0};
        disturb(sample_games[next_random(&seed, SAMPLE_GAMES)], &seed, &text);
        if (format_bytes(text_c(&text), text.n, &out)) {
            formatted++;
            expect_same_tokens(&text, &out);
            assert_true(format_bytes(text_c(&out), out.n, &again));
            assert_string_equal(text_c(&again), text_c(&out));
        }
        text_free(&again);
        text_free(&out);
        text_free(&text);
    }
    assert_true(formatted > 300);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    const char *text = "game \"T\"\n# t\nturn\n    if a == 3\n        again\n";
    bool done = false;
    for (long n = 1; n < 200 && !done; n++) {
        Text out = {0};
        Source source = {"test.game", text, strlen(text)};
        Diags diags = {.source = &source};
        mem_fail_at(n);
        done = format_file(&source, &diags, &out);
        mem_fail_at(0);
        assert_true(done || diags.errors > 0);
        assert_string_equal(text_c(&out), done ? text : "");
        diag_free(&diags);
        text_free(&out);
    }
    assert_true(done);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blanks_between_tokens),
        cmocka_unit_test(knowledge),
        cmocka_unit_test(sentences_of_rules_are_aligned),
        cmocka_unit_test(indentation_and_blank_lines),
        cmocka_unit_test(lines_that_go_on),
        cmocka_unit_test(comments_keep_their_block),
        cmocka_unit_test(texts_and_comments_go_aside),
        cmocka_unit_test(neighbours_are_aligned),
        cmocka_unit_test(sample_games_are_canonical),
        cmocka_unit_test(a_file_with_errors_is_left_alone),
        cmocka_unit_test(disturbed_games_format_well),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
