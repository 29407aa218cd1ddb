// Tests of expressions and patterns of S3 files: how they are cut, how they group, what is said
// about broken ones, and which names fit a pattern.
#include "s3/s3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

typedef struct Parsed {
    Source source;
    Diags diags;
    Arena arena;
    jmp_buf recovery;
    S3Node *node;
} Parsed;

typedef S3Node *Parse(Arena *arena, const char *text, Span at, Diags *diags);

// On the heap: its fields are read after a jump, and the arena points into it.
static Parsed *parse_with(Parse *parse, const char *text) {
    Parsed *p = calloc(1, sizeof *p);
    p->source = (Source){"test", text, strlen(text)};
    p->diags.source = &p->source;
    arena_init(&p->arena, &p->recovery);
    if (setjmp(p->recovery) == 0)
        p->node = parse(&p->arena, text, (Span){1, 1, (int)strlen(text)}, &p->diags);
    return p;
}

static void release(Parsed *p) {
    arena_free(&p->arena);
    diag_free(&p->diags);
    free(p);
}

// A tree on one line: operators as (op a b), calls as name(a b), strings with ${VAR}.
static void fold(const S3Node *node, Text *out) {
    static const char *const open[] = {[S3_SET] = "{", [S3_LAZY] = "["};
    switch (node->kind) {
    case S3_INT: text_f(out, "%d", node->value); return;
    case S3_BOOL: text_add(out, node->value ? "true" : "false"); return;
    case S3_VAR: text_f(out, "$%s", node->name); return;
    case S3_STRING:
        text_char(out, '"');
        for (int i = 0; i < node->parts; i++) {
            text_add(out, node->part[i].text);
            if (node->part[i].var)
                text_f(out, "${%s}", node->part[i].var);
            assert_int_equal(node->part[i].var == NULL, i == node->parts - 1);
        }
        text_char(out, '"');
        return;
    case S3_SET:
    case S3_LAZY: text_add(out, open[node->kind]); break;
    case S3_UNARY:
    case S3_BINARY: text_f(out, "(%s ", s3_op_name(node->op)); break;
    case S3_CALL: text_f(out, "%s(", node->name); break;
    case S3_BUILT: text_f(out, "%s!(", s3_op_name(node->op)); break;
    }
    for (int i = 0; i < node->kids; i++) {
        text_add(out, i ? " " : "");
        fold(node->kid[i], out);
    }
    text_add(out, node->kind == S3_SET ? "}" : node->kind == S3_LAZY ? "]" : ")");
}

static void expect(Parse *parse, const char *text, const char *expected) {
    Parsed *p = parse_with(parse, text);
    Text found = {0};
    for (int i = 0; i < p->diags.count; i++) {
        const Diag *diag = &p->diags.items[i];
        text_f(&found, "%d+%d: %s%s%s%s", diag->span.column, diag->span.length, diag->message,
               diag->help ? " | " : "", diag->help ? diag->help : "", p->node ? " => " : "");
    }
    assert_int_equal(p->node == NULL, p->diags.errors > 0);
    if (p->node)
        fold(p->node, &found);
    if (strcmp(text_c(&found), expected) != 0)
        print_error("%s\n", text);
    assert_string_equal(text_c(&found), expected);
    text_free(&found);
    release(p);
}

typedef struct Case {
    const char *text, *expected;
} Case;

static void expect_all(const Case *cases, int count) {
    for (int i = 0; i < count; i++)
        expect(s3_parse, cases[i].text, cases[i].expected);
}

// ---- Grouping --------------------------------------------------------------------------------

static void everything_groups_to_the_right(void **state) {
    (void)state;
    static const Case cases[] = {
        {"1-2-3", "(- 1 (- 2 3))"},
        {"2*3+4", "(* 2 (+ 3 4))"},
        {"-1+2", "(- (+ 1 2))"},
        {"NOT false OR true", "(NOT (OR false true))"},
        {"ABS(3)-5", "(ABS (- 3 5))"},
        {"ABS(-3)+1", "(ABS (+ (- 3) 1))"},
        {"A AND B OR C", "(AND A() (OR B() C()))"},
        {"A OR B AND C", "(OR A() (AND B() C()))"},
        {"$A = $B = 3", "(= $A (= $B 3))"},
        {"$X = $Y + 1", "(= $X (+ $Y 1))"},
        {"$L==$K+1", "(== $L (+ $K 1))"},
        {"($M == 5) OR NOT EMPTY(\"b($L,$N)\")", "(OR (== $M 5) (NOT EMPTY!(\"b(${L},${N})\")))"},
        {"FullBoard AND SCORE(1)>SCORE(2)", "(AND FullBoard() (> SCORE!(1) SCORE!(2)))"},
        {"(3-PLAYER)", "(- 3 PLAYER!())"},
        {"1 - -2 * -3", "(- 1 (- (* 2 (- 3))))"},
        {"((((7))))", "7"},
        {"5 = 6", "(= 5 6)"},
        {"{ 1 , 3 } UNION { 2 , 1 } SETMINUS { 3 }", "(UNION {1 3} (SETMINUS {2 1} {3}))"},
        {"1 IN { 1 } INTERSECT { 2 } SUBSET { 3 }", "(IN 1 (INTERSECT {1} (SUBSET {2} {3})))"},
        {"1 / 2 % 3 >= 4 != 5", "(/ 1 (% 2 (>= 3 (!= 4 5))))"},
    };
    expect_all(cases, LENGTH(cases));
}

static void calls_sets_and_lazy_sets(void **state) {
    (void)state;
    static const Case cases[] = {
        {"f", "f()"},
        {"f()", "f()"},
        {"f ( 1 , $X )", "f(1 $X)"},
        {"swap($Q,$P)", "swap($Q $P)"},
        {"$N*fact($N-1)", "(* $N fact((- $N 1)))"},
        {"PLAYER", "PLAYER!()"},
        {"NEXTPLAYER()", "NEXTPLAYER!()"},
        {"player", "player()"},
        {"IF(true,1)", "IF!(true 1)"},
        {"FORALL($I,1,0,x)", "FORALL!($I 1 0 x())"},
        {"FORSOME($SB, 12, 1, MOVE($M, \"s($MX,$MY)\", \"sb($SB)\"))",
         "FORSOME!($SB 12 1 MOVE!($M \"s(${MX},${MY})\" \"sb(${SB})\"))"},
        {"{}", "{}"},
        {"{ }", "{}"},
        {"{1,2}", "{1 2}"},
        {"{{1},{}}", "{{1} {}}"},
        {"[]", "[]"},
        {"[\"s($CX,$CY)\", AfterJump($MX,$MY)]", "[\"s(${CX},${CY})\" AfterJump($MX $MY)]"},
        {"$P UNION {\"s($J)\"}", "(UNION $P {\"s(${J})\"})"},
        {"{1,,2}", "4+1: there is nothing before this `,` => {1 2}"},
        {"{1,}", "{1}"},
    };
    expect_all(cases, LENGTH(cases));
}

// ---- Words -----------------------------------------------------------------------------------

static void blanks_vanish(void **state) {
    (void)state;
    static const Case cases[] = {
        {"\"a b\"", "\"ab\""},      {"\"s( 1 )\" == \"s(1)\"", "(== \"s(1)\" \"s(1)\")"},
        {"1 < = 2", "(<= 1 2)"},    {"1 ! = 2", "(!= 1 2)"},
        {"$ X = = 3", "(== $X 3)"}, {"\t 1\t+ 2 ", "(+ 1 2)"},
        {"1>=2", "(>= 1 2)"},       {"$A=-1", "(= $A (- 1))"},
    };
    expect_all(cases, LENGTH(cases));
}

static void words_are_told_apart(void **state) {
    (void)state;
    static const Case cases[] = {
        {"TRUE", "true"},
        {"False", "false"},
        {"2147483647", "2147483647"},
        {"007", "7"},
        {"$5", "$5"},
        {"$AND", "$AND"},
        {"ANDy", "ANDy()"},
        {"a.b_c:d", "a.b_c:d()"},
        {"!x", "!x()"},
        {"\"\"", "\"\""},
        {"\"$A.x\"", "\"${A.x}\""},
        {"\"s($X,$Y)\"", "\"s(${X},${Y})\""},
        {"\"s( $X )-$Y\"", "\"s(${X})-${Y}\""},
        {"\"a=b!{c}[d]\"", "\"a=b!{c}[d]\""},
        {"\"$A$B\"", "4+2: `$A` and `$B` stand at the same place | only the second counts; put "
                     "text between them => \"${B}\""},
        {"\"x$A$B\"", "5+2: `$A` and `$B` stand at the same place | only the second counts; put "
                      "text between them => \"x${B}\""},
    };
    expect_all(cases, LENGTH(cases));
}

// ---- Mistakes --------------------------------------------------------------------------------

static void every_mistake_has_its_message(void **state) {
    (void)state;
    static const Case cases[] = {
        {"", "1+0: expected a value, found the end of the line"},
        {"5 6", "3+1: expected an operator, found `6`"},
        {"true and false", "6+3: expected an operator, found `and` | write `AND`"},
        {"a ISPARTOF b", "3+8: expected an operator, found `ISPARTOF` | write `SUBSET`"},
        {"a && b", "3+2: expected an operator, found `&&` | write `AND`"},
        {"5 $X", "3+2: expected an operator, found `$X`"},
        {"a NOT b", "3+3: expected an operator, found `NOT`"},
        {"1 +", "4+0: expected a value, found the end of the line"},
        {"1 <", "4+0: expected a value, found the end of the line"},
        {"* 1", "1+1: expected a value, found `*` | `*` stands between two values"},
        {"1,2", "2+1: a `,` stands only between arguments or items"},
        {"(1,2)", "3+1: a `,` stands only between arguments or items | these parentheses only "
                  "group; a set is written `{ 1, 2 }`"},
        {"()", "2+1: expected a value, found `)`"},
        {"(1", "1+1: this `(` is never closed"},
        {"(", "1+1: this `(` is never closed"},
        {"f(1,", "2+1: this `(` is never closed"},
        {"{1", "1+1: this `{` is never closed"},
        {"1)", "2+1: this `)` closes nothing"},
        {"]", "1+1: expected a value, found `]`"},
        {"(1]", "3+1: `]` cannot close the `(` opened at 1:1"},
        {"f({1)}", "5+1: `)` cannot close the `{` opened at 1:3"},
        {"f(1 2)", "5+1: expected an operator, found `2`"},
        {"\"abc", "1+4: this text has no closing `\"`"},
        {"\"$\"", "2+1: `$` is not followed by a name | a variable is a word after `$`, such as "
                  "`$X`"},
        {"$ + 1", "1+1: `$` is not followed by a name | a variable is a word after `$`, such as "
                  "`$X`"},
        {"$", "1+1: `$` is not followed by a name | a variable is a word after `$`, such as `$X`"},
        {"3x", "1+2: `3x` is no number | a name does not begin with a digit"},
        {"1.5", "1+3: `1.5` is no number | expressions know whole numbers only"},
        {"2147483648", "1+10: this number is too large | numbers go up to 2147483647"},
        {"99999999999999999999999999",
         "1+26: this number is too large | numbers go up to 2147483647"},
        {"!", "1+1: `!` stands only in `!=` | write `NOT`"},
        {"!(a)", "1+1: `!` stands only in `!=` | write `NOT`"},
    };
    expect_all(cases, LENGTH(cases));
}

static void grouping_that_can_only_fail_is_pointed_out(void **state) {
    (void)state;
    static const Case cases[] = {
        {"1==1 AND 2==2", "2+2: `==` takes everything up to the end as its right side | put the "
                          "comparison before `AND` in parentheses => (== 1 (AND 1 (== 2 2)))"},
        {"$A < $B OR x", "4+1: `<` takes everything up to the end as its right side | put the "
                         "comparison before `OR` in parentheses => (< $A (OR $B x()))"},
        {"$A == (1 AND 2)", "(== $A (AND 1 2))"},
        {"$A == $B AND $C", "(== $A (AND $B $C))"},
    };
    expect_all(cases, LENGTH(cases));
}

// n opening parentheses around a number.
static bool nests(const char *open, const char *close, int n) {
    Text text = {0};
    for (int i = 0; i < n; i++)
        text_add(&text, open);
    text_add(&text, "1");
    for (int i = 0; i < n; i++)
        text_add(&text, close);
    Parsed *p = parse_with(s3_parse, text_c(&text));
    bool ok = p->node;
    if (!ok)
        assert_non_null(strstr(p->diags.items[0].message, "nested more than 200 levels deep"));
    release(p);
    text_free(&text);
    return ok;
}

static void nesting_is_bounded(void **state) {
    (void)state;
    static const char *const open[] = {"(", "{", "[", "f(", "- ", "1 + ", "IF(true,"};
    static const char *const close[] = {")", "}", "]", ")", "", "", ")"};
    for (int i = 0; i < LENGTH(open); i++) {
        assert_true(nests(open[i], close[i], 199));
        assert_false(nests(open[i], close[i], 200));
        assert_false(nests(open[i], close[i], 20000));
    }
}

static void places_are_those_of_the_text(void **state) {
    (void)state;
    Parsed *p = parse_with(s3_parse, "  (1 + $X) == f( 3 )");
    assert_int_equal(p->node->span.column, 3);
    assert_int_equal(p->node->span.length, 18);
    assert_int_equal(p->node->kid[0]->span.column, 3);
    assert_int_equal(p->node->kid[0]->span.length, 8);
    assert_int_equal(p->node->kid[0]->kid[1]->span.column, 8);
    assert_int_equal(p->node->kid[0]->kid[1]->span.length, 2);
    assert_int_equal(p->node->kid[1]->span.column, 15);
    assert_int_equal(p->node->kid[1]->span.length, 6);
    release(p);
}

static void operators_know_their_names(void **state) {
    (void)state;
    assert_string_equal(s3_op_name(S3_SETMINUS), "SETMINUS");
    assert_string_equal(s3_op_name(S3_NEXTPLAYER), "NEXTPLAYER");
    assert_string_equal(s3_op_name(S3_NO_OP), "");
    assert_int_equal(s3_op_arguments(S3_FORALL), 4);
    assert_int_equal(s3_op_arguments(S3_ADD), 0);
    assert_int_equal(s3_op_arguments(S3_NO_OP), 0);
}

// ---- Patterns --------------------------------------------------------------------------------

static void patterns_are_always_texts(void **state) {
    (void)state;
    static const Case cases[] = {
        {"w($J)", "\"w(${J})\""},
        {"s( $X , $Y )", "\"s(${X},${Y})\""},
        {"switch", "\"switch\""},
        {"", "\"\""},
        {"a+b", "\"a+b\""},
        {"\"w\"", "1+1: a pattern is written without quotes"},
        {"w($)", "3+1: `$` is not followed by a name | a variable is a word after `$`, such as "
                 "`$X`"},
    };
    for (int i = 0; i < LENGTH(cases); i++)
        expect(s3_parse_template, cases[i].text, cases[i].expected);
}

// What fits, and the numbers of the variables.
static void expect_match(const char *pattern, const char *name, const char *expected) {
    Parsed *p = parse_with(s3_parse_template, pattern);
    int32_t value[8] = {0};
    Text found = {0};
    if (s3_match(p->node, name, value)) {
        text_add(&found, "fits");
        for (int i = 0; i < p->node->parts - 1; i++)
            text_f(&found, " %d", value[i]);
    } else {
        text_add(&found, "no");
    }
    if (strcmp(text_c(&found), expected) != 0)
        print_error("%s and %s\n", pattern, name);
    assert_string_equal(text_c(&found), expected);
    text_free(&found);
    release(p);
}

static void names_fit_patterns_as_in_the_original(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"s($X)", "s(3)", "fits 3"},
        {"s($X)", "s(12)", "fits 12"},
        {"s($X)", "s(007)", "fits 7"},
        {"s($X)", "s(2147483647)", "fits 2147483647"},
        {"s($X)", "s(2147483648)", "no"},
        {"s($X)", "s(99999999999999999999999)", "no"},
        {"s($X)", "s()", "no"},
        {"s($X)", "s(3", "no"},
        {"s($X)", "s(3))", "no"},
        {"s($X)", "s(1,2)", "no"},
        {"s($X)", "sw(3)", "no"},
        {"s($X)", "s(-3)", "no"},
        {"s( $X )", "s(3)", "fits 3"},
        {"s($X)", "s( 3)", "no"},
        {"s($X,$Y)", "s(1,2)", "fits 1 2"},
        {"s($X,$X)", "s(1,2)", "fits 1 2"},
        {"s(1,$Y)", "s(1,2)", "no"},
        {"s1($X)", "s1(3)", "no"},
        {"$X(a)", "3(a)", "no"},
        {"a$X", "a3", "fits 3"},
        {"a$X", "3", "no"},
        {"switch", "switch", "fits"},
        {"s(1,2)", "s(1,2)", "fits"},
        {"s(1,2)", "s(1,3)", "no"},
        {"switch", "Switch", "no"},
        {"", "", "fits"},
        {"", "a", "no"},
    };
    for (int i = 0; i < LENGTH(cases); i++)
        expect_match(cases[i][0], cases[i][1], cases[i][2]);
}

// ---- Memory ----------------------------------------------------------------------------------

static void every_allocation_may_fail(void **state) {
    (void)state;
    const char *text = "FORALL($I, 1, 3, NOT EMPTY(\"s($I,$J)\")) AND {1,,2} IN f(\"$A$B\") 7";
    for (long n = 1; n < 100; n++) {
        mem_fail_at(n);
        Parsed *p = parse_with(s3_parse, text);
        long left = mem_fail_at(0);
        assert_null(p->node);
        release(p);
        if (left > 0)
            return;
    }
    fail();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_groups_to_the_right),
        cmocka_unit_test(calls_sets_and_lazy_sets),
        cmocka_unit_test(blanks_vanish),
        cmocka_unit_test(words_are_told_apart),
        cmocka_unit_test(every_mistake_has_its_message),
        cmocka_unit_test(grouping_that_can_only_fail_is_pointed_out),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(places_are_those_of_the_text),
        cmocka_unit_test(operators_know_their_names),
        cmocka_unit_test(patterns_are_always_texts),
        cmocka_unit_test(names_fit_patterns_as_in_the_original),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
