// Tests of lexer and parser: the tree of every construct, the message of every usual mistake,
// limits just below and just above, places, and texts that nobody would write.
#include "lang/parse.h"

#include "lang/lex.h"
#include "sample_games.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

typedef struct Parsed {
    Source source;
    Diags diags;
    Arena arena;
    jmp_buf recovery;
    Node *file; // NULL when memory was exhausted
} Parsed;

// On the heap: its fields are read after a jump, and the arena points into it.
static Parsed *parse_bytes(const char *text, size_t size) {
    Parsed *parsed = calloc(1, sizeof *parsed);
    parsed->source = (Source){"test.game", text, size};
    parsed->diags.source = &parsed->source;
    arena_init(&parsed->arena, &parsed->recovery);
    if (setjmp(parsed->recovery) == 0)
        parsed->file = parse_file(&parsed->arena, &parsed->source, &parsed->diags);
    return parsed;
}

static Parsed *parse_text(const char *text) {
    return parse_bytes(text, strlen(text));
}

static void release(Parsed *parsed) {
    arena_free(&parsed->arena);
    diag_free(&parsed->diags);
    free(parsed);
}

// A tree on one line: KIND word(child, child). Each node is printed by ast_print alone.
static void fold(const Node *node, Text *out) {
    if (!node) {
        text_add(out, "-");
        return;
    }
    Node alone = *node;
    alone.count = 0;
    Text line = {0};
    ast_print(&alone, &line);
    text_add_n(out, line.s + 2, line.n - 3); // without N_ and the end of the line
    text_free(&line);
    for (int i = 0; i < node->count; i++) {
        text_add(out, i == 0 ? "(" : ", ");
        fold(node->kids[i], out);
    }
    if (node->count > 0)
        text_char(out, ')');
}

static void fold_messages(const Diags *diags, Text *out) {
    for (int i = 0; i < diags->count; i++) {
        const Diag *diag = &diags->items[i];
        text_f(out, "%d:%d: %s%s%s\n", diag->span.line, diag->span.column, diag->message,
               diag->help ? " | " : "", diag->help ? diag->help : "");
    }
}

static void expect(const char *source, const char *expected) {
    Parsed *parsed = parse_text(source);
    Text found = {0};
    fold_messages(&parsed->diags, &found);
    for (int i = 0; parsed->diags.errors == 0 && i < parsed->file->count; i++) {
        fold(parsed->file->kids[i], &found);
        text_char(&found, '\n');
    }
    if (strcmp(text_c(&found), expected) != 0)
        print_error("%s", source);
    assert_string_equal(text_c(&found), expected);
    text_free(&found);
    release(parsed);
}

typedef struct Case {
    const char *source;
    const char *expected;
} Case;

// ---- Trees ----------------------------------------------------------------------------------

static const Case expressions[] = {
    {"a or b and c", "BINARY or(NAME a, BINARY and(NAME b, NAME c))"},
    {"not a and not b or c", "BINARY or(BINARY and(UNARY not(NAME a), UNARY not(NAME b)), NAME c)"},
    {"not a == b", "UNARY not(BINARY ==(NAME a, NAME b))"},
    {"a + b * c - d", "BINARY -(BINARY +(NAME a, BINARY *(NAME b, NAME c)), NAME d)"},
    {"a - b - c", "BINARY -(BINARY -(NAME a, NAME b), NAME c)"},
    {"a | b & c", "BINARY |(NAME a, BINARY &(NAME b, NAME c))"},
    {"a & b - c", "BINARY -(BINARY &(NAME a, NAME b), NAME c)"},
    {"a + b == c - d", "BINARY ==(BINARY +(NAME a, NAME b), BINARY -(NAME c, NAME d))"},
    {"a in b where c == d or e",
     "WHERE(BINARY in(NAME a, NAME b), BINARY or(BINARY ==(NAME c, NAME d), NAME e))"},
    {"a not in b", "BINARY \"not in\"(NAME a, NAME b)"},
    {"a not within b", "BINARY \"not within\"(NAME a, NAME b)"},
    {"1 .. n - 1", "RANGE(INT 1, BINARY -(NAME n, INT 1))"},
    {"x in 1 .. 3", "BINARY in(NAME x, RANGE(INT 1, INT 3))"},
    {"a % 2 == 0 and b", "BINARY and(BINARY ==(BINARY %(NAME a, INT 2), INT 0), NAME b)"},
    {"- a * b", "BINARY *(UNARY -(NAME a), NAME b)"},
    {"- - a", "UNARY -(UNARY -(NAME a))"},
    {"some mine", "UNARY some(NAME mine)"},
    {"some mine or a", "BINARY or(UNARY some(NAME mine), NAME a)"},
    {"some mine & row 2 where able(it) and x", "UNARY some(WHERE(BINARY &(NAME mine, CALL row(INT "
                                               "2)), BINARY and(CALL able(NAME it), NAME x)))"},
    {"no theirs", "UNARY no(NAME theirs)"},
    {"x == no", "BINARY ==(NAME x, BOOL 0)"},
    {"no", "BOOL 0"},
    {"no and yes", "BINARY and(BOOL 0, BOOL 1)"},
    {"count mine - 1", "BINARY -(UNARY count(NAME mine), INT 1)"},
    {"count (a & b) == 3", "BINARY ==(UNARY count(BINARY &(NAME a, NAME b)), INT 3)"},
    {"count men of White", "UNARY count(OF(NAME men, NAME White))"},
    {"count x in mine : able(x)", "QUANT count ; x(NAME mine, CALL able(NAME x))"},
    {"some l in lines through p : l within men of owner(p)",
     "QUANT some ; l(LINES_THROUGH(NAME p), BINARY within(NAME l, OF(NAME men, CALL owner(NAME "
     "p))))"},
    {"all x in a : b and c", "QUANT all ; x(NAME a, BINARY and(NAME b, NAME c))"},
    {"no x in a where b(x) : c", "QUANT no ; x(WHERE(NAME a, CALL b(NAME x)), NAME c)"},
    {"sum x in a : f(x) + 1", "QUANT sum ; x(NAME a, BINARY +(CALL f(NAME x), INT 1))"},
    {"min o in occupied - {c} : distance(c, o)",
     "QUANT min ; o(BINARY -(NAME occupied, BRACES(NAME c)), CALL distance(NAME c, NAME o))"},
    {"max(a, b) + min(c, d)", "BINARY +(CALL max(NAME a, NAME b), CALL min(NAME c, NAME d))"},
    {"union x in a : next(x)", "QUANT union ; x(NAME a, CALL next(NAME x))"},
    {"the mine where a", "UNARY the(WHERE(NAME mine, NAME a))"},
    {"the c in mine where able(it) with least number(c)",
     "THE least ; c(WHERE(NAME mine, CALL able(NAME it)), CALL number(NAME c))"},
    {"the c in mine with most a + b", "THE most ; c(NAME mine, BINARY +(NAME a, NAME b))"},
    {"the c in mine", "THE ; c(NAME mine, -)"},
    {"if a then b else c", "COND(NAME a, NAME b, NAME c)"},
    {"if a then b else if c then d else e", "COND(NAME a, NAME b, COND(NAME c, NAME d, NAME e))"},
    {"(if a then b else c) + 1", "BINARY +(COND(NAME a, NAME b, NAME c), INT 1)"},
    {"empty & next(from)", "BINARY &(NAME empty, CALL next(NAME from))"},
    {"f(a, b)", "CALL f(NAME a, NAME b)"},
    {"flood(from a through b)", "CALL flood(LABELLED from(NAME a), LABELLED through(NAME b))"},
    {"flood(from a where ready(it) == no through b)",
     "CALL flood(LABELLED from(WHERE(NAME a, BINARY ==(CALL ready(NAME it), BOOL 0))), LABELLED "
     "through(NAME b))"},
    {"ray(c, d while empty | mine)",
     "CALL ray(NAME c, NAME d, LABELLED while(BINARY |(NAME empty, NAME mine)))"},
    {"ray(from, n until occupied)", "CALL ray(NAME from, NAME n, LABELLED until(NAME occupied))"},
    {"next(from)", "CALL next(NAME from)"},
    {"distance(from, to)", "CALL distance(NAME from, NAME to)"},
    {"hand[me] + hand[opponent]", "BINARY +(INDEX hand(NAME me), INDEX hand(NAME opponent))"},
    {"{a, b, c}", "BRACES(NAME a, NAME b, NAME c)"},
    {"{}", "BRACES"},
    {"lines", "NAME lines"},
    {"lines through c", "LINES_THROUGH(NAME c)"},
    {"row 2", "CALL row(INT 2)"},
    {"row(c)", "CALL row(NAME c)"},
    {"column + row", "BINARY +(NAME column, NAME row)"},
    {"row - 1", "BINARY -(NAME row, INT 1)"},
    {"row where x", "WHERE(NAME row, NAME x)"},
    {"column size & mine", "BINARY &(CALL column(NAME size), NAME mine)"},
    {"checker of (if a then b else c)", "OF(NAME checker, COND(NAME a, NAME b, NAME c))"},
    {"man of me & row 2", "BINARY &(OF(NAME man, NAME me), CALL row(INT 2))"},
    {"true", "BOOL 1"},
    {"false", "BOOL 0"},
    {"none", "NAME none"},
    {"it", "NAME it"},
    {"a where no b", "WHERE(NAME a, UNARY no(NAME b))"},
    {"count a where b", "WHERE(UNARY count(NAME a), NAME b)"},
    {"a == (b == c)", "BINARY ==(NAME a, BINARY ==(NAME b, NAME c))"},
    {"(((a)))", "NAME a"},
};

static void expressions_group_as_the_grammar_says(void **state) {
    (void)state;
    for (int i = 0; i < LENGTH(expressions); i++) {
        char source[200];
        char expected[400];
        snprintf(source, sizeof source, "let t = %s\n", expressions[i].source);
        snprintf(expected, sizeof expected, "LET t(%s)\n", expressions[i].expected);
        expect(source, expected);
    }
}

static const Case constructs[] = {
    {"knowledge \"Mine\"\n", "KNOWLEDGE Mine\n"},
    {"facts\n"
     "    pair(p, l) for p in players, l in lines where x\n"
     "    late when no empty\n"
     "    far(a1)\n",
     "FACTS(FACT(ATOM pair 1(NAME p, NAME l), -, EACH p(NAME players), EACH l(WHERE(NAME lines, "
     "NAME x))), FACT(ATOM late, UNARY no(NAME empty)), FACT(ATOM far 1(NAME a1), -))\n"},
    {"rules\n"
     "    a(x) if b(x, _), not c, x in d where e, y = 1 + x\n"
     "    b if some before and before(x)\n",
     "RULES(CLAUSE(ATOM a 1(NAME x), CALL b(NAME x, NAME _), UNARY not(NAME c), WHERE(BINARY "
     "in(NAME x, NAME d), NAME e), BIND y(BINARY +(INT 1, NAME x))), CLAUSE(ATOM b, BINARY "
     "and(UNARY some(NAME before), CALL before(NAME x))))\n"},
    {"worth\n"
     "    a(me, _) 12 \"a mill\"\n"
     "    b -1\n"
     "    opponent -1\n",
     "WORTH(WORTH_LINE ; \"a mill\"(ATOM a 1(NAME me, NAME _), INT 12), WORTH_LINE(ATOM b, UNARY "
     "-(INT 1)), WORTH_OPPONENT(UNARY -(INT 1)))\n"},
    {"prefer\n"
     "    times 1/2 if before a and not before (b) \"why\"\n"
     "    times times if before == b or before not b\n",
     "PREFER(TIMES ; why(BINARY /(INT 1, INT 2), BINARY and(UNARY before(NAME a), UNARY not(UNARY "
     "before(NAME b)))), TIMES(NAME times, BINARY or(BINARY ==(NAME before, NAME b), UNARY "
     "before(UNARY not(NAME b)))))\n"},
    {"game \"T\"\n", "GAME T\n"},
    {"game \"T\"\n"
     "    also \"A\", \"B\"\n"
     "    about \"One.\"\n"
     "    source \"Book\"\n"
     "    language 1\n",
     "GAME T(ALSO(STRING A, STRING B), ABOUT One., SOURCE Book, LANGUAGE 1)\n"},
    {"players White \"w\", Black\n", "PLAYERS(DECLARED White(STRING w), DECLARED Black(-))\n"},
    {"parameter size : 1..16 = 8 \"n x n\"\n",
     "PARAMETER size ; \"n x n\"(TYPE_RANGE(INT 1, INT 16), INT 8)\n"},
    {"parameter a : bool = no\n", "PARAMETER a(TYPE_NAME bool, BOOL 0)\n"},
    {"parameter a : one of 8, 10 = 8\n", "PARAMETER a(TYPE_ONE_OF(INT 8, INT 10), INT 8)\n"},
    {"parameter a : list of 0..64 = 1, 2, 3\n",
     "PARAMETER a(TYPE_LIST_OF(INT 0, INT 64), INT 1, INT 2, INT 3)\n"},
    {"require size % 2 == 0 \"even\"\n",
     "DEMAND even(BINARY ==(BINARY %(NAME size, INT 2), INT 0))\n"},
    {"board square 2 * n + 1 x 1\n",
     "BOARD square(BINARY +(BINARY *(INT 2, NAME n), INT 1), INT 1)\n"},
    {"board hex rhombus 11 x n\n", "BOARD rhombus(INT 11, NAME n)\n"},
    {"board hex hexagon 5\n", "BOARD hexagon(INT 5, -)\n"},
    {"board hex triangle n\n"
     "    coordinates matrix\n",
     "BOARD triangle(NAME n, -, COORDINATES matrix)\n"},
    {"board\n"
     "    lines\n"
     "        a1 b1 c1\n"
     "        a1 a2\n"
     "    symmetry all\n"
     "    point a1 at 0, -1\n",
     "BOARD lines(-, -, LINES(LINE(NAME a1, NAME b1, NAME c1), LINE(NAME a1, NAME a2)), "
     "SYMMETRY(NAME all), POINT a1(INT 0, UNARY -(INT 1)))\n"},
    {"board square 8 x 8\n"
     "    lines of 3\n"
     "    cells where row == 1\n"
     "    directions n, e\n"
     "    directions ne where row > 2\n"
     "    stacks of 8\n"
     "    symmetry rotate, mirror\n",
     "BOARD square(INT 8, INT 8, LINES_OF(INT 3), CELLS_WHERE(BINARY ==(NAME row, INT 1)), "
     "DIRECTIONS(-, NAME n, NAME e), DIRECTIONS(BINARY >(NAME row, INT 2), NAME ne), STACKS_OF(INT "
     "8), SYMMETRY(NAME rotate, NAME mirror))\n"},
    {"piece man\n", "PIECE(LIST(DECLARED man(-)), LIST, LIST)\n"},
    {"piece man \"M\", king \"K\" of White, Black \"b\" with hp : 0..9 = 9, ready : bool\n",
     "PIECE(LIST(DECLARED man(STRING M), DECLARED king(STRING K)), LIST(DECLARED White(-), "
     "DECLARED Black(STRING b)), LIST(ATTRIBUTE hp(TYPE_RANGE(INT 0, INT 9), INT 9), ATTRIBUTE "
     "ready(TYPE_NAME bool, -)))\n"},
    {"piece king with rights : some of k, q, hp : 0..3\n",
     "PIECE(LIST(DECLARED king(-)), LIST, LIST(ATTRIBUTE rights(TYPE_SOME_OF(DECLARED k(-), "
     "DECLARED q(-)), -), ATTRIBUTE hp(TYPE_RANGE(INT 0, INT 3), -)))\n"},
    {"var x : 0..9 = 3\n", "VAR x(-, TYPE_RANGE(INT 0, INT 9), INT 3)\n"},
    {"var x[player] : cell or none = none, none\n",
     "VAR x(TYPE_NAME player, TYPE_NAME cell 1, NAME none, NAME none)\n"},
    {"clock t : -1..100\n", "VAR t 1(-, TYPE_RANGE(UNARY -(INT 1), INT 100))\n"},
    {"var s[0..3] : some of a, b = {a}\n", "VAR s(TYPE_RANGE(INT 0, INT 3), TYPE_SOME_OF(DECLARED "
                                           "a(-), DECLARED b(-)), BRACES(NAME a))\n"},
    {"let f(a, b) = a + b\n", "LET f 1(BINARY +(NAME a, NAME b), NAME a, NAME b)\n"},
    {"setup\n"
     "    place man of White at a1, b1\n"
     "    diagram\n"
     "        \"..x\"\n"
     "        \"x..\"\n"
     "    scatter 3 rock on cells by seed\n"
     "    scramble 100 by seed\n",
     "SETUP(BLOCK(PLACE(OF(NAME man, NAME White), LIST(NAME a1, NAME b1), LIST), DIAGRAM(STRING "
     "..x, STRING x..), SCATTER(INT 3, NAME rock, NAME cells, NAME seed), SCRAMBLE(INT 100, NAME "
     "seed)))\n"},
    {"turn\n"
     "    say \"Go.\"\n"
     "    choose x in empty\n"
     "    choose y in 1, 2, 3\n"
     "    choose z in if a then b else c\n",
     "TURN(BLOCK(SAY Go., CHOOSE x(NAME empty), CHOOSE y(BRACES(INT 1, INT 2, INT 3)), CHOOSE "
     "z(COND(NAME a, NAME b, NAME c))))\n"},
    {"turn\n"
     "    either\n"
     "        again\n"
     "    or \"label\"\n"
     "        again\n"
     "    or\n"
     "        again\n",
     "TURN(BLOCK(EITHER(BRANCH(BLOCK(AGAIN)), BRANCH label(BLOCK(AGAIN)), "
     "BRANCH(BLOCK(AGAIN)))))\n"},
    {"turn\n"
     "    require a == b\n"
     "    require c \"no\"\n",
     "TURN(BLOCK(REQUIRE(BINARY ==(NAME a, NAME b)), REQUIRE no(NAME c)))\n"},
    {"turn\n"
     "    if a\n"
     "        again\n"
     "    else if b\n"
     "        again\n"
     "    else\n"
     "        again\n",
     "TURN(BLOCK(IF(NAME a, BLOCK(AGAIN), IF(NAME b, BLOCK(AGAIN), BLOCK(AGAIN)))))\n"},
    {"turn\n"
     "    for i in 1 .. 3\n"
     "        again\n"
     "    for d in n, e\n"
     "        again\n",
     "TURN(BLOCK(FOR i(RANGE(INT 1, INT 3), BLOCK(AGAIN)), FOR d(BRACES(NAME n, NAME e), "
     "BLOCK(AGAIN))))\n"},
    {"turn\n"
     "    while a up to 5\n"
     "        again\n"
     "    while a == no up to n\n"
     "        again\n",
     "TURN(BLOCK(WHILE(NAME a, INT 5, BLOCK(AGAIN)), WHILE(BINARY ==(NAME a, BOOL 0), NAME n, "
     "BLOCK(AGAIN))))\n"},
    {"turn\n"
     "    let a = 3\n"
     "    var b : 0..9 = a\n"
     "    b += 1\n"
     "    hand[me] -= 1\n"
     "    hp(c) = no\n"
     "    move = 3\n"
     "    from[1] = 2\n",
     "TURN(BLOCK(LET a(INT 3), LOCAL b(TYPE_RANGE(INT 0, INT 9), NAME a), ASSIGN +=(NAME b, INT "
     "1), ASSIGN -=(INDEX hand(NAME me), INT 1), ASSIGN =(CALL hp(NAME c), BOOL 0), ASSIGN =(NAME "
     "move, INT 3), ASSIGN =(INDEX from(INT 1), INT 2)))\n"},
    {"turn\n"
     "    place man at at, other(at)\n"
     "    place checker of (if a then b else c) at c with hp = 3, ready = no\n"
     "    place p at c\n",
     "TURN(BLOCK(PLACE(NAME man, LIST(NAME at, CALL other(NAME at)), LIST), PLACE(OF(NAME checker, "
     "COND(NAME a, NAME b, NAME c)), LIST(NAME c), LIST(INIT hp(INT 3), INIT ready(BOOL 0))), "
     "PLACE(NAME p, LIST(NAME c), LIST)))\n"},
    {"turn\n"
     "    move from to to\n"
     "    move from above level to to\n"
     "    remove a, b\n"
     "    clear a\n"
     "    change c to queen of me\n"
     "    again\n",
     "TURN(BLOCK(MOVE(NAME from, NAME to, -), MOVE(NAME from, NAME to, NAME level), REMOVE(NAME a, "
     "NAME b), CLEAR(NAME a), CHANGE(NAME c, OF(NAME queen, NAME me)), AGAIN))\n"},
    {"end\n"
     "    me wins when no theirs\n"
     "    opponent loses\n"
     "    draw when repeated 3\n"
     "    draw when 100 moves without remove\n"
     "    most score[it] wins when full\n"
     "    least x wins\n"
     "    White wins when repeated\n",
     "END(RULE(WINS(NAME me), UNARY no(NAME theirs)), RULE(WINS 1(NAME opponent), -), RULE(DRAW, "
     "REPEATED(INT 3)), RULE(DRAW, WITHOUT(INT 100)), RULE(MOST(INDEX score(NAME it)), NAME full), "
     "RULE(MOST 1(NAME x), -), RULE(WINS(NAME White), NAME repeated))\n"},
    {"end\n"
     "    me wins when a \"all are taken\"\n"
     "    draw when repeated 3 \"again\"\n"
     "    draw when 9 moves without remove \"quiet\"\n"
     "    least x wins \"few\"\n"
     "when all stuck\n"
     "    draw \"over\"\n",
     "END(RULE ; \"all are taken\"(WINS(NAME me), NAME a), RULE ; again(DRAW, REPEATED(INT 3)), "
     "RULE ; quiet(DRAW, WITHOUT(INT 9)), RULE ; few(MOST 1(NAME x), -))\n"
     "STUCK 1(RULE ; over(DRAW, -))\n"},
    {"when stuck\n"
     "    pass when a\n"
     "    me loses\n"
     "when all stuck\n"
     "    draw\n",
     "STUCK(RULE(PASS, NAME a), RULE(WINS 1(NAME me), -))\n"
     "STUCK 1(RULE(DRAW, -))\n"},
    {"notation\n"
     "    victim \"x{}\"\n",
     "NOTATION(FORMAT victim(STRING x{}))\n"},
    {"input\n"
     "    read c in cells \"a cell\"\n"
     "    read d in up = n, left = w \"a direction\"\n"
     "    read l as letter \"a letter\"\n"
     "    answer from = c, to = step(c, d)\n",
     "INPUT(BLOCK(READ c ; \"a cell\"(NAME cells), READ d ; \"a direction\"(LIST(INIT up(NAME n), "
     "INIT left(NAME w))), READ l 1 ; \"a letter\"(-), ANSWER(INIT from(NAME c), INIT to(CALL "
     "step(NAME c, NAME d)))))\n"},
};

static void every_construct_has_its_tree(void **state) {
    (void)state;
    for (int i = 0; i < LENGTH(constructs); i++)
        expect(constructs[i].source, constructs[i].expected);
}

static void a_printed_tree_has_one_node_per_line(void **state) {
    (void)state;
    Parsed *parsed = parse_text("board hex hexagon 5\nlet f(a) = \"\"\nlet g = - a not in {}\n"
                                "parameter p : bool = no \"help\"\n");
    assert_int_equal(parsed->diags.errors, 1);
    Text out = {0};
    ast_print(parsed->file, &out);
    assert_string_equal(text_c(&out), "N_FILE\n"
                                      "  N_BOARD hexagon\n"
                                      "    N_INT 5\n"
                                      "    -\n"
                                      "  N_LET g\n"
                                      "    N_BINARY \"not in\"\n"
                                      "      N_UNARY -\n"
                                      "        N_NAME a\n"
                                      "      N_BRACES\n"
                                      "  N_PARAMETER p ; help\n"
                                      "    N_TYPE_NAME bool\n"
                                      "    N_BOOL 0\n");
    text_free(&out);
    release(parsed);
}

static void the_sample_games_are_read(void **state) {
    (void)state;
    for (int i = 0; i < SAMPLE_GAMES; i++) {
        Parsed *parsed = parse_text(sample_games[i]);
        Text messages = {0};
        fold_messages(&parsed->diags, &messages);
        assert_string_equal(text_c(&messages), "");
        assert_true(parsed->file->count > 5);
        text_free(&messages);
        release(parsed);
    }
}

// ---- Lines ----------------------------------------------------------------------------------

static void a_line_goes_on_where_more_is_needed(void **state) {
    (void)state;
    expect("let x = a +\n  b\n", "LET x(BINARY +(NAME a, NAME b))\n");
    expect("let x =\n  a\n", "LET x(NAME a)\n");
    expect("let x = f(a,\n\n  # note\n  b\n)\n", "LET x(CALL f(NAME a, NAME b))\n");
    expect("let x = some y in a :\n  b\n", "LET x(QUANT some ; y(NAME a, NAME b))\n");
    expect("turn\n    if some y in a :\n            b\n        again\n",
           "TURN(BLOCK(IF(QUANT some ; y(NAME a, NAME b), BLOCK(AGAIN), -)))\n");
    expect("let x = a or # note\n  b\n", "LET x(BINARY or(NAME a, NAME b))\n");
    expect("let x = {\n  a\n}\n", "LET x(BRACES(NAME a))\n");
}

static void blank_lines_comments_and_line_ends_do_not_matter(void **state) {
    (void)state;
    expect("", "");
    expect("\n\n# only a comment", "");
    expect("players A\r\n\r\nturn\r\n    again\r\n",
           "PLAYERS(DECLARED A(-))\nTURN(BLOCK(AGAIN))\n");
    expect("turn\n# left\n    again\n        # right\n\n    again", "TURN(BLOCK(AGAIN, AGAIN))\n");
    expect("\357\273\277players A\n", "PLAYERS(DECLARED A(-))\n");
    expect("players\tA ,B\n", "PLAYERS(DECLARED A(-), DECLARED B(-))\n");
}

static void comments_are_kept_aside(void **state) {
    (void)state;
    const char *text = "# one \nplayers A # two\n";
    Source source = {"test.game", text, strlen(text)};
    Diags diags = {.source = &source};
    jmp_buf recovery;
    Arena arena;
    arena_init(&arena, &recovery);
    if (setjmp(recovery))
        fail();
    Tokens tokens = lex_file(&arena, &source, &diags);
    assert_int_equal(tokens.comment_count, 2);
    assert_int_equal(tokens.comments[0].span.length, 5);
    assert_int_equal(tokens.comments[1].span.line, 2);
    assert_int_equal(tokens.comments[1].span.column, 11);
    assert_int_equal(tokens.count, 4); // players A NEWLINE END
    assert_int_equal(tokens.items[0].line_end, 10);
    arena_free(&arena);
}

// ---- Messages -------------------------------------------------------------------------------

static const Case mistakes[] = {
    {"playrs A, B\n", "1:1: there is no section `playrs` | did you mean `players`?\n"},
    {"gam \"T\"\n", "1:1: there is no section `gam` | did you mean `game`?\n"},
    {"foo\n",
     "1:1: there is no section `foo` | the sections are game, players, parameter, require, board, "
     "piece, var, clock, let, setup, turn, end, when stuck, notation, input, words, table, facts, "
     "rules, "
     "worth and prefer\n"},
    {"choose x in empty\n", "1:1: `choose` is a statement and stands inside `turn` or `setup` | "
                            "indent it by four blanks\n"},
    {"game Title\n", "1:6: expected the game's title, found `Title` | write `game \"Title\"`\n"},
    {"players: A\n", "1:8: expected the name of a player, found `:` | leave the `:` out\n"},
    {"players A B\n",
     "1:11: expected `,` or the end of the line, found `B` | write `players White, Black`\n"},
    {"players A,\n", "1:11: expected the name of a player, found the end of the line\n"},
    {"parameter size = 8\n", "1:16: expected `:` and what values it can have, found `=` | write "
                             "`parameter size : 1..16 = 8`\n"},
    {"parameter min : 1..3 = 1\n", "1:11: `min` is a reserved word and cannot be the name of a "
                                   "parameter | take another name, such as `my_min`\n"},
    {"parameter a : int = 3\n", "1:15: there is no type `int` for parameters | a parameter is "
                                "`bool`, a range `1..8`, `one of 6, 8, 10` or `list of 0..64`\n"},
    {"require a\n", "1:10: expected the message for wrong parameters, found the end of the line | "
                    "write `require size % 2 == 0 \"the size must be even\"`\n"},
    {"board square 8 8\n",
     "1:16: expected `x` between width and height, found `8` | write `board square 8 x 8`\n"},
    {"board square 8x8\n", "1:14: a size needs blanks around its `x` | write `8 x 8`\n"},
    {"board square 8\n", "1:15: expected `x` between width and height, found the end of the line | "
                         "write `board square 8 x 8`\n"},
    {"board square\n", "1:13: expected the size of the board, found the end of the line | write "
                       "`board square 8 x 8`\n"},
    {"board sqare 8 x 8\n", "1:7: expected `square`, `hex` or the end of the line, found `sqare` | "
                            "did you mean `square`?\n"},
    {"board hex 5\n", "1:11: expected `rhombus`, `hexagon` or `triangle`, found `5` | write `hex "
                      "rhombus 11 x 11`, `hex hexagon 5` or `hex triangle 6`\n"},
    {"board\n", "1:1: this board has neither a size nor lines | write `board square 8 x 8`, or put "
                "`lines` below\n"},
    {"board\n"
     "    lines\n"
     "        a, b\n",
     "3:10: only blanks stand between the cells of a line | write `a1 b1 c1`\n"},
    {"board\n"
     "    lines\n"
     "        a\n",
     "3:9: a line has at least two cells | write `a1 b1 c1`\n"},
    {"board square 3 x 3\n"
     "    line of 3\n",
     "2:5: a board has no `line` | did you mean `lines`?\n"},
    {"board square 3 x 3\n"
     "    coordinates ches\n",
     "2:17: expected `chess` or `matrix`, found `ches` | did you mean `chess`?\n"},
    {"piece man of White Black\n",
     "1:20: expected `,`, `with` or the end of the line, found `Black` | write `piece man of "
     "White, Black with hp : 0..9 = 9`\n"},
    {"var x = 3\n", "1:7: expected `:` and a type, found `=` | write `var name : 0..9 = 0` or `var "
                    "name[player] : 0..9 = 0`\n"},
    {"var x : int = 3\n",
     "1:9: there is no type `int` | a number has its bounds as type: `0..9`\n"},
    {"var x : boolean = no\n", "1:9: there is no type `boolean` | did you mean `bool`?\n"},
    {"var x : 0..9 or none = 1\n", "1:14: a number or a set of flags cannot be `none` | only a "
                                   "player, a cell or a piece can be none\n"},
    {"turn\n"
     "    chose to in empty\n",
     "2:5: there is no statement `chose` | did you mean `choose`?\n"},
    {"turn\n"
     "    choose to empty\n",
     "2:15: expected `in` after `choose to`, found `empty` | write `choose to in SET`\n"},
    {"turn\n"
     "    choose in empty\n",
     "2:12: a name is missing after `choose` | write `choose x in SET`\n"},
    {"turn\n"
     "    choose min in empty\n",
     "2:12: `min` is a reserved word and cannot be the name of a choice | take another name, such "
     "as `my_min`\n"},
    {"turn\n"
     "    choose x in\n"
     "    again\n",
     "2:16: expected a value, found the end of the line | a line that goes on in the next one is "
     "indented more there\n"},
    {"turn\n"
     "    if a = 3\n"
     "        again\n",
     "2:10: `=` sets a value and does not compare | write `==` to ask whether two values are "
     "equal\n"},
    {"turn\n"
     "    require f(a = 3)\n",
     "2:17: `=` sets a value and does not compare | write `==` to ask whether two values are "
     "equal\n"},
    {"let x = mine where a = 3\n", "1:22: `=` sets a value and does not compare | write `==` to "
                                   "ask whether two values are equal\n"},
    {"turn\n"
     "    if a == 3:\n"
     "        again\n",
     "2:14: no `:` is needed at the end of a line | leave it out; the block is indented below\n"},
    {"turn:\n"
     "    again\n",
     "1:5: no `:` is needed at the end of a line | leave it out; the block is indented below\n"},
    {"turn\n"
     "    if a\n"
     "        again\n"
     "    else:\n"
     "        again\n",
     "4:9: no `:` is needed at the end of a line | leave it out; the block is indented below\n"},
    {"turn\n"
     "    if a\n"
     "        again\n"
     "    elif b\n"
     "        again\n",
     "4:5: there is no `elif` | write `else if`\n"},
    {"turn\n"
     "    elif b\n"
     "        again\n",
     "2:5: `elif` without `if` | an `else` has the same indentation as its `if`\n"},
    {"turn\n"
     "    else\n"
     "        again\n",
     "2:5: `else` without `if` | an `else` has the same indentation as its `if`\n"},
    {"turn\n"
     "    if a && b || !c\n"
     "        again\n",
     "2:10: there is no `&&` in the rules language | write `and`\n"
     "2:15: there is no `||` in the rules language | write `or`\n"
     "2:18: there is no `!` in the rules language | write `not`\n"},
    {"turn\n"
     "    if a <> b\n"
     "        again\n",
     "2:10: there is no `<>` in the rules language | write `!=`\n"},
    {"turn\n"
     "    if a {\n"
     "        again\n"
     "    }\n",
     "2:10: blocks are made by indentation, not by `{` and `}` | indent the lines of the block by "
     "four blanks instead\n"},
    {"turn {\n"
     "    again\n"
     "}\n",
     "1:6: blocks are made by indentation, not by `{` and `}` | indent the lines of the block by "
     "four blanks instead\n"},
    {"let x = if a b else c\n", "1:14: expected `then` after the condition, found `b` | a value "
                                "that depends on a condition: `if a then b else c`\n"},
    {"let x = if a then b\n", "1:20: expected `else` and the other value, found the end of the "
                              "line | a value that depends on a condition: `if a then b else c`\n"},
    {"turn\n"
     "    if a then\n"
     "        again\n",
     "2:10: expected the end of the line, found `then` | an `if` that begins a line has no `then`; "
     "what it does is indented below it\n"},
    {"turn\n"
     "    if a again\n",
     "2:10: expected the end of the line, found `again` | `again` begins a line of its own\n"},
    {"let x = (a + b\n"
     "let y = 3\n",
     "1:9: this `(` is never closed | add `)`; a line that goes on inside brackets is indented "
     "more\n"},
    {"let x = f(g(a)\n", "1:10: this `(` is never closed | add `)`; a line that goes on inside "
                         "brackets is indented more\n"},
    {"turn\n"
     "    choose y in {a, b\n"
     "    again\n",
     "2:17: this `{` is never closed | add `}`; if this is meant as a block, indentation alone "
     "makes it\n"},
    {"let x = (a]\n", "1:11: `]` cannot close the `(` opened at 1:9 | write `)`, or close the "
                      "inner bracket first\n"},
    {"let x = a)\n", "1:10: this `)` closes nothing\n"},
    {"turn\n"
     "    or\n"
     "        again\n",
     "2:5: `or` without `either` | an `or` branch has the same indentation as its `either`\n"},
    {"turn\n"
     "    either\n"
     "        again\n",
     "2:5: `either` has only one branch | add an `or` line with its own block, at the same "
     "indentation\n"},
    {"turn\n"
     "    if a\n"
     "    again\n",
     "2:5: `if` has no lines below it | put what belongs to it below, indented by four blanks\n"},
    {"turn\n"
     "end\n"
     "    draw\n",
     "1:1: `turn` has no lines below it | put what belongs to it below, indented by four blanks\n"},
    {"turn\n"
     "    # nothing\n",
     "1:1: `turn` has no lines below it | put what belongs to it below, indented by four blanks\n"},
    {"turn\n"
     "    again\n"
     "        again\n",
     "3:9: this line is indented more, but nothing above opens a block | indent it like the line "
     "above it\n"},
    {"players A\n"
     "    piece man\n",
     "2:5: this line is indented, but nothing above opens a block | begin the line without "
     "blanks\n"},
    {"players A\n"
     "    again\n"
     "    again\n",
     "2:5: this line is indented, but nothing above opens a block | begin the line without "
     "blanks\n"},
    {"let x = empty until occupied\n",
     "1:15: expected the end of the line, found `until` | `until` stands inside a call: `ray(from, "
     "n until occupied)`\n"},
    {"let x = ray(c, d until)\n",
     "1:18: `until` needs a set after it | for instance `ray(from, n until occupied)`\n"},
    {"let x = cells through c\n", "1:15: expected the end of the line, found `through` | `through` "
                                  "follows `lines`, or stands in `flood(from a through empty)`\n"},
    {"let x = f()\n", "1:11: nothing stands between the brackets of `f` | write `f` alone\n"},
    {"let x = 0 < a < 5\n", "1:15: comparisons do not chain | write `0 < a and a < ...`\n"},
    {"let x = a in b == c\n",
     "1:16: comparisons do not chain | put one of the comparisons in parentheses\n"},
    {"let x = a adn b\n",
     "1:11: expected the end of the line, found `adn` | did you mean `and`?\n"},
    {"let x = a == not b\n",
     "1:14: expected a value, found `not` | put it in parentheses: `(not ...)`\n"},
    {"let x = a + if b then c else d\n",
     "1:13: expected a value, found `if` | put it in parentheses: `(if ...)`\n"},
    {"let x = a where b where c\n", "1:19: expected the end of the line, found `where` | only one "
                                    "`where` is possible; join its conditions with `and`\n"},
    {"let x = all mine\n",
     "1:9: `all` needs a variable and a set | write `all x in SET : condition`\n"},
    {"let x = some c in mine\n", "1:23: expected `:` and what to ask of each member, found the end "
                                 "of the line | write `some x in SET : condition`\n"},
    {"let x = the c in mine with smallest f(c)\n",
     "1:28: expected `least` or `most`, found `smallest` | write `the c in SET with least VALUE` "
     "or `with most VALUE`\n"},
    {"turn\n"
     "    x == 3\n",
     "2:7: `==` compares and does not set a value | write `=` to set a value, `require` to check "
     "one\n"},
    {"turn\n"
     "    x *= 3\n",
     "2:7: there is no `*=` | write `name = value`, `name += value` or `name -= value`\n"},
    {"turn\n"
     "    empty = 3\n",
     "2:5: `empty` cannot be set\n"},
    {"turn\n"
     "    hp(a, b) = 1\n",
     "2:5: a value is set on one cell at a time | write `attribute(cell) = value`\n"},
    {"turn\n"
     "    hp(a)\n",
     "2:10: expected `=`, `+=` or `-=`, found the end of the line | write `name = value`, `name += "
     "value` or `name -= value`\n"},
    {"turn\n"
     "    let f(x) = 3\n",
     "2:10: a `let` inside a block has no parameters | put the `let` outside, at the beginning of "
     "a line\n"},
    {"turn\n"
     "    var x = 3\n",
     "2:11: expected `:` and a type, found `=` | write `var name : 0..9 = 0`\n"},
    {"turn\n"
     "    while a\n"
     "        again\n",
     "2:5: this `while` has no bound | every loop has a bound: `while COND up to 8`\n"},
    {"turn\n"
     "    move a b\n",
     "2:12: expected `to`, found `b` | write `move CELL to CELL`\n"},
    {"turn\n"
     "    place man to a\n",
     "2:15: expected `at`, found `to` | write `place man at CELL`\n"},
    {"turn\n"
     "    end\n",
     "2:5: `end` begins a section and cannot stand inside a block | begin the line with it, "
     "without indentation\n"},
    {"turn\n"
     "    3\n",
     "2:5: expected a statement, found `3`\n"},
    {"end\n"
     "    me win when a\n",
     "2:8: expected `wins` or `loses`, found `win` | did you mean `wins`?\n"},
    {"end\n"
     "    me wins if a\n",
     "2:13: expected `when` and a condition, found `if` | write `when` instead of `if`\n"},
    {"end\n"
     "    draw \"full\" when a\n",
     "2:10: the text stands behind the condition, at the end of the line | write `draw when "
     "CONDITION \"why\"`\n"},
    {"end\n"
     "    draw when a \"full\" \"or so\"\n",
     "2:24: expected the end of the line, found a text\n"},
    {"end\n"
     "    draw when\n",
     "2:14: expected a condition after `when`, found the end of the line\n"},
    {"end\n"
     "    draw when 3 moves witout remove\n",
     "2:23: expected `without`, found `witout` | did you mean `without`?\n"},
    {"when stuk\n"
     "    pass\n",
     "1:6: expected `stuck` or `all stuck`, found `stuk` | did you mean `stuck`?\n"},
    {"when stuck pass\n",
     "1:12: what happens stands on the next line | indent it by four blanks\n"},
    {"notation\n"
     "    x y\n",
     "2:7: expected a text after the choice, found `y` | write `victim \"x{}\"`\n"},
    {"turn\n"
     "\tagain\n"
     "\tagain\n",
     "2:1: a tab in the indentation | indent with blanks, four for each level (said once per "
     "file)\n"},
    {"turn\n"
     "    if a\n"
     "        again\n"
     "      again\n"
     "      again\n"
     "    again\n",
     "4:1: this line is indented by 6, which fits no block above | indent it by 0, 4 or 8\n"},
    {"let x = 1000000001\n", "1:9: this number is too large | numbers go up to 1000000000\n"},
    {"let x = \"abc\n",
     "1:9: this text has no closing `\"` | a text stands on one line: \"like this\"\n"},
    {"let x = a @ b # c\n", "1:11: unexpected character `@`\n"},
    {"let x = 3;\n", "1:10: a line ends without `;`\n"},
    {"let x = 'a'\n", "1:9: a text stands between double quotes | write \"like this\"\n"},
    {"// note\n"
     "players A\n",
     "1:1: a comment begins with `#`\n"},
    {"let x = M\303\274hle\n", "1:9: names are made of the letters a-z and A-Z, digits and `_` | "
                               "other letters are fine inside texts: \"M\303\274hle\"\n"},
    {"let x = a \342\211\244 b\n",
     "1:11: there is no `\342\211\244` in the rules language | write `<=`\n"},
    {"let x = 3men\n", "1:9: a name cannot begin with a digit\n"},
    {"let x = 1.5\n",
     "1:10: unexpected character `.` | numbers are whole; a range is written `1 .. 8`, in `prefer` "
     "a fraction `1/2`\n"},
    {"game \"\\n\"\n",
     "1:7: `\\` in a text stands before `\"` or `\\` | for a single `\\` write `\\\\`\n"},
    {"turn\n"
     "    chose a in b\n"
     "    move a b\n"
     "end\n"
     "    draw wen a\n",
     "2:5: there is no statement `chose` | did you mean `choose`?\n"
     "3:12: expected `to`, found `b` | write `move CELL to CELL`\n"
     "5:10: expected `when` and a condition, found `wen` | did you mean `when`?\n"},
};

static void every_mistake_has_its_message(void **state) {
    (void)state;
    for (int i = 0; i < LENGTH(mistakes); i++)
        expect(mistakes[i].source, mistakes[i].expected);
}

static void bytes_that_are_no_text_are_named(void **state) {
    (void)state;
    expect("game \"\374\"\n# \374\nlet x = \374\n",
           "1:7: the byte 0xFC is not UTF-8 text | save the file in the encoding UTF-8\n");
    expect("game \"\001\"\n", "1:7: the control character 0x01 in a text\n");
    expect("# \001\n", "1:3: the control character 0x01 in a comment\n");
    expect("let x = \002 \002\n", "1:9: unexpected character 0x02\n");
    expect("game \"\355\240\200\"\n",
           "1:7: the byte 0xED is not UTF-8 text | save the file in the encoding UTF-8\n");
    Parsed *parsed = parse_bytes("let \0x = 1\n", 11);
    assert_int_equal(parsed->diags.errors, 1);
    release(parsed);
}

static void a_broken_line_does_not_hide_the_next(void **state) {
    (void)state;
    expect("turn\n"
           "    fro a in b\n"
           "        again\n"
           "    else\n"
           "        chose x in y\n"
           "    if a = b\n"
           "        again\n"
           "    or\n"
           "        again\n"
           "    move a b\n"
           "players 3\n",
           "2:5: there is no statement `fro` | did you mean `for`?\n"
           "6:10: `=` sets a value and does not compare | write `==` to ask whether two values are "
           "equal\n"
           "10:12: expected `to`, found `b` | write `move CELL to CELL`\n"
           "11:9: expected the name of a player, found `3`\n");
}

static void a_tree_holds_only_what_was_understood(void **state) {
    (void)state;
    Parsed *parsed = parse_text("players A,\nturn\n    move a b\n    again\n");
    assert_int_equal(parsed->diags.errors, 2);
    Text out = {0};
    fold(parsed->file, &out);
    assert_string_equal(text_c(&out), "FILE(TURN(BLOCK(AGAIN)))");
    text_free(&out);
    release(parsed);
}

static void a_message_shows_the_place(void **state) {
    (void)state;
    Parsed *parsed = parse_text("turn\n    chose to in empty\n");
    Text out = {0};
    diag_print(&parsed->diags, &out, false);
    assert_string_equal(text_c(&out), "test.game:2:5: error: there is no statement `chose`\n"
                                      "    2 |     chose to in empty\n"
                                      "      |     ^~~~~\n"
                                      "      = help: did you mean `choose`?\n");
    text_free(&out);
    release(parsed);
}

// ---- Places ---------------------------------------------------------------------------------

static const Node *kid(const Node *node, int a, int b) {
    const Node *first = node->kids[a];
    return b < 0 ? first : first->kids[b];
}

static void expect_text(const Parsed *parsed, const Node *node, const char *text) {
    Arena *arena = (Arena *)&parsed->arena;
    assert_string_equal(ast_text(&parsed->source, node, arena), text);
}

static void expect_span(Span span, int line, int column, int length) {
    assert_int_equal(span.line, line);
    assert_int_equal(span.column, column);
    assert_int_equal(span.length, length);
}

static void expressions_know_their_text(void **state) {
    (void)state;
    Parsed *parsed = parse_text("let x =   (a  | b) &\tf(c,d)   # note\n"
                                "let y = f(a,  # note\n"
                                "    b)\n");
    const Node *product = kid(parsed->file, 0, 0);
    expect_text(parsed, product, "(a | b) & f(c,d)");
    expect_text(parsed, product->kids[0], "a | b");
    expect_text(parsed, product->kids[1], "f(c,d)");
    expect_span(product->span, 1, 11, 17);
    expect_span(product->kids[1]->span, 1, 22, 6);
    expect_text(parsed, kid(parsed->file, 1, 0), "f(a,");
    expect_text(parsed, parsed->file->kids[0], "let x = (a | b) & f(c,d)");
    release(parsed);
}

static void declared_names_know_their_place(void **state) {
    (void)state;
    Parsed *parsed = parse_text("parameter size : 1..3 = 2 \"help\"\n"
                                "let x = some who in mine : the one in who\n"
                                "turn\n"
                                "    choose target in empty &\n"
                                "        mine\n");
    expect_span(parsed->file->kids[0]->extra_span, 1, 11, 4);
    expect_span(parsed->file->kids[1]->extra_span, 2, 5, 1);
    const Node *quantifier = kid(parsed->file, 1, 0);
    expect_span(quantifier->extra_span, 2, 14, 3);
    expect_span(quantifier->kids[1]->extra_span, 2, 32, 3);
    const Node *turn = parsed->file->kids[2];
    expect_span(turn->span, 3, 1, 4);
    expect_span(turn->kids[0]->span, 4, 5, 6);
    expect_span(turn->kids[0]->kids[0]->extra_span, 4, 12, 6);
    expect_span(turn->kids[0]->kids[0]->span, 4, 5, 24);
    release(parsed);
}

// ---- Limits ---------------------------------------------------------------------------------

static int count_errors(const Text *text) {
    Parsed *parsed = parse_bytes(text_c(text), text->n);
    int errors = parsed->diags.errors;
    release(parsed);
    return errors;
}

static void add_times(Text *text, const char *s, int n) {
    for (int i = 0; i < n; i++)
        text_add(text, s);
}

// before, n times open, middle, n times close
static int errors_of(const char *before, const char *open, const char *middle, const char *close,
                     int n) {
    Text text = {0};
    text_add(&text, before);
    add_times(&text, open, n);
    text_add(&text, middle);
    add_times(&text, close, n);
    text_char(&text, '\n');
    int errors = count_errors(&text);
    text_free(&text);
    return errors;
}

static void nesting_is_bounded(void **state) {
    (void)state;
    // The expression itself is the first level.
    assert_int_equal(errors_of("let x = ", "(", "a", ")", PARSE_DEPTH - 1), 0);
    assert_int_equal(errors_of("let x = ", "(", "a", ")", PARSE_DEPTH), 1);
    assert_int_equal(errors_of("let x = ", "- ", "a", "", PARSE_DEPTH - 1), 0);
    assert_int_equal(errors_of("let x = ", "- ", "a", "", PARSE_DEPTH), 1);
    static const char *const prefixes[] = {
        "not ", "(", "{", "f(", "some ", "count ", "a of ", "row ", "lines through ", "if a then "};
    for (int i = 0; i < LENGTH(prefixes); i++) {
        assert_int_equal(errors_of("let x = ", prefixes[i], "a", "", 50000), 1);
        assert_true(errors_of("turn\n    x = ", prefixes[i], "", "", 50000) <= 2);
    }
}

static void blocks_are_bounded(void **state) {
    (void)state;
    for (int depth = PARSE_DEPTH - 1; depth <= PARSE_DEPTH; depth++) {
        Text text = {0};
        text_add(&text, "turn\n");
        for (int i = 1; i <= depth; i++) {
            add_times(&text, " ", i);
            text_add(&text, "for x in y\n");
        }
        add_times(&text, " ", depth + 1);
        text_add(&text, "again\n");
        assert_int_equal(count_errors(&text), depth < PARSE_DEPTH ? 0 : 1);
        text_free(&text);
    }
}

static void trees_are_bounded_in_height(void **state) {
    (void)state;
    // One level each for the `let` and for the last operand.
    assert_int_equal(errors_of("let x = a", " + a", "", "", 4 * PARSE_DEPTH - 2), 0);
    assert_int_equal(errors_of("let x = a", " + a", "", "", 4 * PARSE_DEPTH - 1), 1);
    assert_int_equal(errors_of("let x = a", " or a", "", "", 100000), 1);
    const char *branch = "    else if a\n        again\n";
    assert_int_equal(errors_of("turn\n    if a\n        again\n", branch, "", "", PARSE_DEPTH - 1),
                     0);
    assert_int_equal(errors_of("turn\n    if a\n        again\n", branch, "", "", 50 * PARSE_DEPTH),
                     1);
}

static void files_and_numbers_are_bounded(void **state) {
    (void)state;
    expect("let x = 1000000000\n", "LET x(INT 1000000000)\n");
    expect("let x = 999999999999999999999999999999\n",
           "1:9: this number is too large | numbers go up to 1000000000\n");
    for (int more = 0; more < 2; more++) {
        Text text = {0};
        text_add(&text, "players A\n");
        while (text.n < LEX_FILE_LIMIT + (size_t)more)
            text_char(&text, '#');
        assert_int_equal(count_errors(&text), more);
        text_free(&text);
    }
}

static void a_long_file_of_errors_ends(void **state) {
    (void)state;
    static const char *const lines[] = {
        "x + 1\n", "turn:\n    if a {\n", "(\n",     "  \t \t(a\n", "'\n", "    or\n", "\"", "\\",
        "{}",      "some x in y :\n ",    " : :\n  "};
    for (int i = 0; i < LENGTH(lines); i++)
        assert_true(errors_of("", lines[i], "", "", 20000) > 0);
}

// ---- Texts that nobody would write ----------------------------------------------------------

static unsigned next_random(uint64_t *seed, unsigned n) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*seed >> 33) % n;
}

static void insert(Text *text, size_t at, const char *s) {
    Text grown = {0};
    text_add_n(&grown, text->s, at);
    text_add(&grown, s);
    text_add_n(&grown, text->s + at, text->n - at);
    text_free(text);
    *text = grown;
}

// Changes a byte, adds a piece of the language, or drops a few bytes.
static void mutate(Text *text, uint64_t *seed) {
    static const char *const pieces[] = {
        "(",  ")",      "{",      "]",    ":",         "=",        "..",   ",",
        "\n", "\n    ", "    ",   "if ",  "or ",       "some ",    "no ",  "the ",
        "x",  " in ",   "where ", "not ", "-",         "#",        "\"",   "\\",
        "\t", "\r",     "\377",   "8x8",  "end\n",     "else\n",   "&&",   "!",
        "'",  "//",     "until ", "of ",  "\n  # c\n", "either\n", "row ", "as "};
    size_t at = next_random(seed, (unsigned)text->n);
    switch (next_random(seed, 3)) {
    case 0: text->s[at] = (char)next_random(seed, 256); break;
    case 1: insert(text, at, pieces[next_random(seed, LENGTH(pieces))]); break;
    default: {
        size_t n = next_random(seed, 12);
        n = n < text->n - at ? n : text->n - at - 1;
        memmove(text->s + at, text->s + at + n, text->n - at - n + 1);
        text->n -= n;
    }
    }
}

static void random_changes_do_no_harm(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 4000; i++) {
        Text text = {0};
        text_add(&text, sample_games[next_random(&seed, SAMPLE_GAMES)]);
        for (unsigned n = 1 + next_random(&seed, 4); n > 0; n--)
            mutate(&text, &seed);
        Parsed *parsed = parse_bytes(text_c(&text), text.n);
        Text out = {0};
        ast_print(parsed->file, &out);
        diag_print(&parsed->diags, &out, false);
        text_free(&out);
        release(parsed);
        text_free(&text);
    }
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    const char *text = "game \"T\"\nturn\n    chose x in y\n    if a = 3\n        again\n";
    bool failed = true;
    for (long n = 1; n < 200 && failed; n++) {
        mem_fail_at(n);
        Parsed *parsed = parse_text(text);
        mem_fail_at(0);
        failed = !parsed->file || parsed->diags.count < parsed->diags.errors ||
                 !parsed->diags.items[0].help || !parsed->diags.items[1].help;
        release(parsed);
    }
    assert_false(failed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_group_as_the_grammar_says),
        cmocka_unit_test(every_construct_has_its_tree),
        cmocka_unit_test(a_printed_tree_has_one_node_per_line),
        cmocka_unit_test(the_sample_games_are_read),
        cmocka_unit_test(a_line_goes_on_where_more_is_needed),
        cmocka_unit_test(blank_lines_comments_and_line_ends_do_not_matter),
        cmocka_unit_test(comments_are_kept_aside),
        cmocka_unit_test(every_mistake_has_its_message),
        cmocka_unit_test(bytes_that_are_no_text_are_named),
        cmocka_unit_test(a_broken_line_does_not_hide_the_next),
        cmocka_unit_test(a_tree_holds_only_what_was_understood),
        cmocka_unit_test(a_message_shows_the_place),
        cmocka_unit_test(expressions_know_their_text),
        cmocka_unit_test(declared_names_know_their_place),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(blocks_are_bounded),
        cmocka_unit_test(trees_are_bounded_in_height),
        cmocka_unit_test(files_and_numbers_are_bounded),
        cmocka_unit_test(a_long_file_of_errors_ends),
        cmocka_unit_test(random_changes_do_no_harm),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
