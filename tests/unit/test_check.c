// Tests of the checker and of what it folds: src/lang/check*.c, src/ir/eval.c, src/ir/layout.c.
//
// What the checker says about mistakes is in tests/bad.

#include "game/game.h"
#include "lang/check.h"
#include "lang/checker.h"
#include "lang/parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

// --- a game to try things in ---

// What a test needs to look at: the game of the last call of check_text or check_in.
static struct {
    Text text;
    Source source;
    Diags diags;
    Arena arena;
    IrGame *g;
} last;

static void forget(void) {
    arena_free(&last.arena);
    diag_free(&last.diags);
    text_free(&last.text);
    last.g = NULL;
}

static int teardown(void **state) {
    (void)state;
    forget();
    return 0;
}

static void check_last(void) {
    static jmp_buf recovery;
    last.source = (Source){"t.game", text_c(&last.text), last.text.n};
    last.diags = (Diags){.source = &last.source};
    arena_init(&last.arena, &recovery);
    if (setjmp(recovery))
        fail_msg("out of memory");
    Node *file = parse_file(&last.arena, &last.source, &last.diags);
    if (!last.diags.errors)
        last.g = check_game(&last.arena, file, &last.source, NULL, 0, &last.diags);
}

static const char head[] = "game \"T\"\n"
                           "players White, Black\n"
                           "parameter size : 1..9 = 4\n"
                           "parameter heaps : list of 1..9 = 3, 5, 2\n"
                           "board square 4 x 3\n"
                           "    lines of 3\n"
                           "piece man, king of White, Black with hp : -2..5 = 1\n"
                           "piece rock\n"
                           "var score[player] : 0..9\n"
                           "var level[player] : 3..5\n"
                           "var here : cell = a1\n"
                           "var way : direction = e\n"
                           "var two : 2..2 = 2\n"
                           "var flags : some of K, Q = K\n";

// A turn, a definition or nothing, and the rest of a game around it.
static IrGame *check_in(const char *lets, const char *turn) {
    forget();
    text_f(&last.text, "%s%sturn\n%send\n    me wins when no empty\n", head, lets, turn);
    check_last();
    return last.g;
}

static void show_messages(void) {
    Text out = {0};
    diag_print(&last.diags, &out, false);
    print_error("%s", text_c(&out));
    text_free(&out);
}

static IrGame *must_check(const char *lets, const char *turn) {
    if (!check_in(lets, turn)) {
        show_messages();
        fail_msg("the game has errors");
    }
    return last.g;
}

static void must_fail(const char *lets, const char *turn, const char *message) {
    if (check_in(lets, turn))
        fail_msg("accepted, but wanted: %s", message);
    for (int i = 0; i < last.diags.count; i++)
        if (strcmp(last.diags.items[i].message, message) == 0)
            return;
    show_messages();
    fail_msg("wanted: %s", message);
}

// How many messages contain the text.
static int said(const char *text) {
    int n = 0;
    for (int i = 0; i < last.diags.count; i++)
        n += strstr(last.diags.items[i].message, text) != NULL;
    return n;
}

// The statement that gives local `name` its value, also inside branches.
static const IrStmt *find_let(const IrStmt *s, const char *name) {
    for (; s; s = s->next) {
        if (s->kind == ST_LET && strcmp(last.g->turn_frame.name[s->id], name) == 0)
            return s;
        const IrStmt *inside = find_let(s->body, name);
        if (!inside)
            inside = find_let(s->other, name);
        if (inside)
            return inside;
    }
    return NULL;
}

// The IR of an expression in a turn in which the cell `at` has been chosen.
static const IrExpr *value_of(const char *lets, const char *expr) {
    char turn[1000];
    snprintf(turn, sizeof turn, "    choose at in empty\n    let x = %s\n    place man at at\n",
             expr);
    must_check(lets, turn);
    return find_let(last.g->turn, "x")->e[0];
}

// --- ranges ---

static void ranges(void **state) {
    (void)state;
    static const struct {
        const char *expr;
        int lo, hi;
    } cases[] = {
        {"1 + 2", 3, 3},
        {"count mine", 0, 12},
        {"count mine * 2 - 3", -3, 21},
        {"3 - count mine", -9, 3},
        {"(count mine - 3) * (count mine - 4)", -36, 72},
        {"-count mine", -12, 0},
        {"count mine / 5", 0, 2},
        {"(count mine - 6) / 4", -1, 1},
        {"count mine / (0 - two)", -6, 0},
        {"count mine % 5", 0, 4},
        {"count mine % 100", 0, 12},
        {"(count mine - 6) % 4", -3, 3},
        {"abs(count mine - 5)", 0, 7},
        {"abs(0 - two)", 2, 2},
        {"min(count mine, 3)", 0, 3},
        {"max(count mine, 3)", 3, 12},
        {"if some mine then 2 else 7", 2, 7},
        {"sum c in mine : row(c)", 0, 36},
        {"sum c in mine : row(c) - 4", -36, 0},
        {"sum i in 2 .. 4 : score[me]", 0, 27},
        {"min c in mine : row(c)", 1, 3},
        {"max p in players : score[p]", 0, 9},
        {"count c in mine : row(c) == 1", 0, 12},
        {"count l in lines : l within mine", 0, 14},
        {"row(at)", 1, 3},
        {"row(step(at, n))", 0, 3},
        {"column(at)", 1, 4},
        {"distance(at, a1)", 0, 12},
        {"score[me]", 0, 9},
        {"level[me]", 3, 5},
        {"level[owner(at)]", 0, 5}, // 0 where there is no owner
        {"hp(at)", -2, 5},
        {"heaps[1]", 3, 3},
        {"heaps[count mine % 3 + 1]", 2, 5},
        {"count heaps", 3, 3},
        {"size * 2", 8, 8},
        {"height(at)", 0, 1},
        {"count {White, me}", 0, 64},
    };
    for (int i = 0; i < LENGTH(cases); i++) {
        const IrExpr *e = value_of("", cases[i].expr);
        if (e->type.kind != TY_INT || e->lo != cases[i].lo || e->hi != cases[i].hi)
            fail_msg("%s: %d..%d instead of %d..%d", cases[i].expr, e->lo, e->hi, cases[i].lo,
                     cases[i].hi);
    }
}

static void ranges_of_values_that_are_no_numbers(void **state) {
    (void)state;
    static const struct {
        const char *expr;
        IrTypeKind kind;
        bool optional;
        int hi;
    } cases[] = {
        {"some mine", TY_BOOL, false, 1},
        {"owner(at)", TY_PLAYER, true, 2},
        {"opponent", TY_PLAYER, false, 1},
        {"piece(at)", TY_KIND, true, 3},
        {"step(at, n)", TY_CELL, true, 12},
        {"the mine", TY_CELL, true, 12},
        {"at", TY_CELL, false, 11},
        {"opposite(way)", TY_DIRECTION, false, 7},
        {"if some mine then at else none", TY_CELL, true, 12},
        {"if some mine then at else a1", TY_CELL, false, 11},
        {"the c in mine with least row(c)", TY_CELL, true, 12},
        {"cell(1, 1)", TY_CELL, false, 0}, // known to be there
        {"cell(9, 1)", TY_CELL, true, 12}, // known to be none
        {"cell(two, 1)", TY_CELL, true, 12},
    };
    for (int i = 0; i < LENGTH(cases); i++) {
        const IrExpr *e = value_of("", cases[i].expr);
        if (e->type.kind != cases[i].kind || e->type.optional != cases[i].optional ||
            e->hi != cases[i].hi)
            fail_msg("%s: kind %d, optional %d, hi %d", cases[i].expr, (int)e->type.kind,
                     e->type.optional, e->hi);
    }
}

static void numbers_out_of_hand(void **state) {
    (void)state;
    const char *fits =
        "    choose at in empty\n    require count mine + 1000000000 + 999999988 > 0\n"
        "    place man at at\n";
    must_check("", fits);
    must_fail("", "    choose at in empty\n    require count mine + 1000000000 + 999999989 > 0\n",
              "this can be as large as 2000000001");
    must_fail("", "    choose at in empty\n    require (sum c in mine : 1000000000) > 0\n",
              "this sum can be as large as 12000000000");
}

// --- constants ---

typedef struct Fold {
    const char *expr;
    int value;
} Fold;

static const Fold folds[] = {
    {"7 / 2", 3},
    {"-7 / 2", -3},
    {"7 % 3", 1},
    {"-7 % 3", -1},
    {"7 % -3", 1},
    {"abs(3 - 8)", 5},
    {"min(4, 9) + max(4, 9)", 13},
    {"if 2 > 1 then 5 else 6", 5},
    {"sum i in 1 .. 4 : i * i", 30},
    {"sum i in 3 .. 1 : i", 0},
    {"count i in 1 .. 9 : i % 2 == 0", 4},
    {"min i in 1 .. 9 where it > 4 : 10 - i", 1},
    {"max i in 1 .. 9 where it > 4 : 10 - i", 5},
    {"min i in 1 .. 9 where it > 9 : i", 9}, // over nothing: the top of the range
    {"max i in 1 .. 9 where it > 9 : i", 1},
    {"count cells", 12},
    {"count (row 1 | column 2)", 6},
    {"count (row 1 & column 2)", 1},
    {"count (cells - row 1)", 8},
    {"count (cells where column > row)", 6},
    {"count next(a1)", 3},
    {"count next(row 1)", 8},
    {"count step(cells, n)", 8},
    {"count ray(a1, e)", 3},
    {"count ray(a1, e while row 1 - {d1})", 2},
    {"count ray(a1, e until {c1})", 2},
    {"count ray(a1, e until {})", 3},
    {"column(past(a1, e while row 1 - {d1}))", 4},
    {"column(past(a1, e while row 1))", 0},
    {"count flood(from {a1} through row 1)", 4},
    {"count flood(from {a3} through row 1)", 1},
    {"distance(a1, d3)", 3},
    {"distance(a1, none)", 12},
    {"row(the (cells - row 1))", 2},
    {"row(the {})", 0},
    {"row(the c in cells with most distance(c, a1))", 1},
    {"column(the c in cells with least 10 * distance(c, b2) - column(c))", 2},
    {"count l in lines : a1 in l", 3},
    {"count l in lines through b2 : yes", 5},
    {"count (union l in lines through a1 : l)", 7},
    {"count {White, Black, White}", 2},
    {"count (({n, e} | {e, s}) - {n})", 2},
    {"count {1, 2, 3, 63}", 4},
    {"count {none}", 0},
    {"count heaps * heaps[2]", 15},
    {"if a1 in row 1 and not (b2 in row 1) then 1 else 0", 1},
    {"if row 1 within cells - row 2 then 1 else 0", 1},
    {"if row 1 == row 1 | {} then 1 else 0", 1},
    {"if White != Black and n == opposite(s) then 1 else 0", 1},
    {"if step(a1, s) == none then 1 else 0", 1},
    {"if some c in row 2 : all d in next(c) : d != c then 1 else 0", 1},
    {"if 3 in 2 .. 4 and 5 not in 2 .. 4 then 1 else 0", 1},
};

static void constants_fold(void **state) {
    (void)state;
    for (int i = 0; i < LENGTH(folds); i++) {
        const IrExpr *e = value_of("", folds[i].expr);
        if (e->op != IR_CONST || e->value != folds[i].value)
            fail_msg("%s: op %d, value %lld instead of %d", folds[i].expr, (int)e->op,
                     (long long)e->value, folds[i].value);
    }
}

// Replaces whole words of an expression.
static void add_replaced(Text *out, const char *expr, const char *const (*pairs)[2], int count) {
    while (*expr) {
        size_t n = strspn(expr, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        bool found = false;
        for (int i = 0; i < count && !found; i++)
            if (n && strlen(pairs[i][0]) == n && !strncmp(expr, pairs[i][0], n)) {
                text_add(out, pairs[i][1]);
                found = true;
            }
        n = n ? n : 1;
        if (!found)
            text_add_n(out, expr, n);
        expr += n;
    }
}

// The interpreter must agree with what folds: the same expressions again, but with variables that
// happen to have the same values, so that nothing is known before the game.
static void interpreter_agrees(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"a1", "a_1"},      {"b2", "b_2"}, {"c1", "c_1"},   {"d1", "d_1"},   {"d3", "d_3"},
        {"a3", "a_3"},      {"n", "nn"},   {"e", "ee"},     {"s", "ss"},     {"9", "nine"},
        {"cells", "all_c"}, {"4", "four"}, {"White", "ww"}, {"Black", "bb"},
    };
    static const char vars[] =
        "var a_1 : cell = a1\nvar b_2 : cell = b2\nvar c_1 : cell = c1\nvar d_1 : cell = d1\n"
        "var d_3 : cell = d3\nvar a_3 : cell = a3\nvar nn : direction = n\n"
        "var ee : direction = e\nvar ss : direction = s\nvar nine : 9..9 = 9\nvar four : 4..4 = 4\n"
        "var all_c : cells = cells\nvar ww : player = White\nvar bb : player = Black\n";
    for (int i = 0; i < LENGTH(folds); i++) {
        Text text = {0};
        text_f(&text, "%s%sturn\n    choose at in {a1}\n    require (", head, vars);
        add_replaced(&text, folds[i].expr, pairs, LENGTH(pairs));
        text_f(&text, ") == %d\n    place man at at\nend\n    me wins when no empty\n",
               folds[i].value);
        Diags diags = {0};
        Game *g = game_compile("t.game", text_c(&text), text.n, NULL, 0, &diags);
        if (!g) {
            Text out = {0};
            diag_print(&diags, &out, false);
            fail_msg("%s", text_c(&out));
        }
        Runner *r = runner_new(g);
        if (runner_count(r, g->start) != 1)
            fail_msg("the interpreter disagrees: %s", folds[i].expr);
        runner_free(r);
        game_free(g);
        diag_free(&diags);
        text_free(&text);
    }
}

static void parameters_mark_what_they_decide(void **state) {
    (void)state;
    const IrExpr *e = value_of("", "size > 3");
    assert_int_equal(e->op, IR_CONST);
    assert_true(e->bound);
    assert_false(value_of("", "4 > 3")->bound);
    // A condition that a parameter decides is no mistake, and only the branch that counts stays.
    must_check("", "    choose at in empty\n    if size > 3\n        place man at at\n"
                   "    else\n        place king at at\n");
    assert_int_equal(said("always"), 0);
    const IrStmt *second = last.g->turn->next;
    assert_int_equal(second->kind, ST_PLACE);
    assert_int_equal(second->id, 0); // a man
    assert_null(second->next);
}

// --- definitions ---

static const char *const play = "    choose at in empty\n    place man at at\n";

static const IrTable *table_named(const char *name) {
    for (int i = 0; i < last.g->tables; i++)
        if (strcmp(last.g->table[i]->name, name) == 0)
            return last.g->table[i];
    return NULL;
}

static int functions_named(const char *name) {
    int n = 0;
    for (int i = 0; i < last.g->funcs; i++)
        n += strcmp(last.g->func[i]->name, name) == 0;
    return n;
}

static void static_definitions_become_tables(void **state) {
    (void)state;
    const IrExpr *e = value_of("let edge(c) = row(c) == 1\n", "edge(at)");
    const IrTable *t = table_named("edge");
    assert_int_equal(e->op, IR_TABLE);
    assert_ptr_equal(last.g->table[e->id], t);
    assert_int_equal(t->dims, 1);
    assert_int_equal(t->size[0], 13); // and one for none
    for (int c = 0; c < 13; c++)
        assert_int_equal(t->numbers[c], c < 4);
    assert_int_equal(last.g->funcs, 0);

    e = value_of("let beside(a, b) = b in next(a)\n", "beside(at, b2)");
    t = table_named("beside");
    assert_int_equal(e->op, IR_TABLE);
    assert_int_equal(t->size[0], 13);
    assert_int_equal(t->size[1], 13);
    assert_int_equal(t->numbers[0 * 13 + 5], 1);  // a1, b2
    assert_int_equal(t->numbers[0 * 13 + 11], 0); // a1, d3
    assert_int_equal(t->numbers[12 * 13 + 5], 0); // none

    e = value_of("let upper(k) = cells where row > k\n", "upper(score[me] % 3 + 1)");
    t = table_named("upper");
    assert_int_equal(e->op, IR_TABLE);
    assert_int_equal(t->base[0], 1);
    assert_int_equal(t->size[0], 3);
    assert_int_equal(t->sets[0], 0xff0);
    assert_int_equal(t->sets[2], 0);

    e = value_of("let corner = a1\nlet rim = row 1 | row 3\n", "corner in rim");
    assert_int_equal(e->op, IR_CONST);
    assert_int_equal(e->value, 1);
    assert_int_equal(last.g->tables, TABLE_FIRST_FREE);
}

static void definitions_of_the_position_become_functions(void **state) {
    (void)state;
    const IrExpr *e = value_of("let taken(c) = c in occupied\n", "taken(at)");
    assert_int_equal(e->op, IR_CALL);
    assert_true(e->dynamic);
    assert_int_equal(last.g->func[e->id]->params, 1);
    // Three parameters, or more than a table holds: no state needed, but a function all the same.
    e = value_of("let sum3(a, b, c) = row(a) + row(b) + row(c)\n", "sum3(at, at, at)");
    assert_int_equal(e->op, IR_CALL);
    assert_false(e->dynamic);
    e = value_of("let far(n) = n / 2\n", "far(score[me] * 10000)");
    assert_int_equal(e->op, IR_CALL);
    // Sets and what is made of masks have no tables.
    assert_int_equal(value_of("let half(s) = s & row 1\n", "half(mine)")->op, IR_CALL);
    assert_int_equal(value_of("let both(p) = {p, White}\n", "both(me)")->op, IR_CALL);
}

static void definitions_are_made_once_for_each_kind_of_argument(void **state) {
    (void)state;
    must_check("let near(c) = c in next(occupied)\n",
               "    choose at in empty where near(it)\n    require near(at) and near(a1)\n"
               "    place man at at\n");
    assert_int_equal(functions_named("near"), 1);
    must_check("let near(c) = c in next(occupied)\n",
               "    choose at in empty where near(it)\n    require near(step(at, n))\n"
               "    place man at at\n");
    assert_int_equal(functions_named("near"), 2); // a cell, and a cell or none
    must_check("let big(k) = k + count mine > 3\n",
               "    choose at in empty\n    require big(1) or big(2) or big(1)\n"
               "    place man at at\n");
    assert_int_equal(functions_named("big"), 2); // numbers bring their range
}

// A definition that is first used in the second branch of an `if` must not see the slots of names
// of the first branch.
static void definitions_have_slots_of_their_own(void **state) {
    (void)state;
    must_check("let reach(from) = next(from) & empty\n",
               "    if some mine\n        let one = 1\n        require one == 1\n"
               "        choose from in mine\n        move from to from\n"
               "    else\n        choose to in reach(a1)\n        place man at to\n");
    const IrFunc *f = last.g->func[0];
    assert_string_equal(f->name, "reach");
    assert_int_equal(f->frame.slots, 1);
    assert_int_equal(f->body->kid[0]->kid[0]->op, IR_LOCAL);
    assert_int_equal(f->body->kid[0]->kid[0]->id, 0);
}

// The value of a loop may go to a name that another branch shares; its variable, though of the same
// name, is something else.
static void variables_of_loops_share_no_slot(void **state) {
    (void)state;
    must_check("", "    either\n        choose to in mine\n    or\n"
                   "        let to = the to in empty with most row(to)\n    place man at to\n");
    const IrStmt *let = last.g->turn->body->sibling->body;
    assert_int_equal(let->kind, ST_LET);
    assert_int_equal(let->id, last.g->site[1].slot);
    assert_int_not_equal(let->id, let->e[0]->domain->slot);
    // Nor do those of the set that a choice is made from.
    must_check("", "    if some mine\n        choose to in mine\n    else\n"
                   "        choose to in union to in occupied : next(to)\n    place man at to\n");
    assert_int_equal(last.g->site[0].slot, last.g->site[1].slot);
    const IrExpr *set = last.g->turn->other->domain->a;
    assert_int_equal(set->op, IR_UNION);
    assert_int_not_equal(set->domain->slot, last.g->site[1].slot);
    assert_int_equal(last.g->site[1].probe_count, 1);
    assert_int_not_equal(last.g->site[1].probes[0].cond->kid[1]->domain->slot,
                         last.g->site[1].slot);
}

static void recursion_is_found_whatever_the_ranges(void **state) {
    (void)state;
    must_fail("let down(k) = if k == 0 then 0 else down(k - 1)\n",
              "    choose at in empty\n    require down(count mine) == 0\n",
              "`down` is defined by itself");
    must_fail("let a(k) = b(k + 1)\nlet b(k) = a(k + 1)\n",
              "    choose at in empty\n    require a(count mine) == 0\n",
              "`a` is defined by itself");
    // Used inside its own argument it is not recursive.
    must_check("let up(c) = step(c, n)\n",
               "    choose at in empty\n    require up(up(at)) in empty\n    place man at at\n");
}

static void a_wrong_definition_is_reported_once(void **state) {
    (void)state;
    assert_null(check_in("let odd = xyzzy\nlet more = odd\n",
                         "    choose at in empty\n    require odd == 1 or odd == 2 or more == 3\n"
                         "    place man at at\n"));
    assert_int_equal(last.diags.errors, 1);
}

static void warnings_are_given_once(void **state) {
    (void)state;
    must_check("let twice(k, unused) = k + count (mine & theirs)\n",
               "    choose at in empty & theirs\n    require twice(1, 1) + twice(2, 2) > 0\n"
               "    place man at at\n");
    assert_int_equal(said("`unused` is never used"), 1);
    assert_int_equal(said("always empty"), 2); // the definition and the choice
}

// --- names ---

static void names_of_all_branches_go_on(void **state) {
    (void)state;
    must_check("", "    choose at in empty\n    if some mine\n        let k = 1\n"
                   "    else if some theirs\n        let k = count empty\n"
                   "    else\n        let k = 7\n    let x = k\n    place man at at\n");
    const IrExpr *e = find_let(last.g->turn, "x")->e[0];
    assert_int_equal(e->op, IR_LOCAL);
    assert_int_equal(e->lo, 0);
    assert_int_equal(e->hi, 12);
    assert_int_equal(find_let(last.g->turn, "k")->id, e->id);
    assert_int_equal(last.g->turn_frame.slots, 3); // at, k, x

    must_check("", "    either\n        choose to in empty\n    or\n        choose to in mine\n"
                   "    or\n        let to = the mine\n    place man at to\n");
    assert_int_equal(last.g->turn_frame.slots, 1);
    assert_int_equal(last.g->site[1].slot, 0);
    assert_int_equal(last.g->site[2].slot, 0);
    assert_int_equal(last.g->turn->next->e[0]->type.optional, 1); // the third can be none
}

static void names_of_some_branches_end(void **state) {
    (void)state;
    must_fail("",
              "    if some mine\n        choose to in empty\n    else\n"
              "        choose at in empty\n    place man at to\n",
              "`to` is not known any more");
    must_fail("", "    if some mine\n        choose to in empty\n    place man at to\n",
              "`to` is not known any more");
    must_fail("",
              "    either\n        choose to in empty\n    or\n"
              "        choose to in 1 .. 3\n    place man at to\n",
              "`to` is not known any more");
}

static void what_uses_a_wrong_name_says_nothing_more(void **state) {
    (void)state;
    assert_null(check_in("", "    if some mine\n        choose to in xyzzy\n    else\n"
                             "        choose to in empty\n    place man at to\n"
                             "    if to in row 1\n        remove to\n"));
    assert_int_equal(last.diags.errors, 1);
}

static void locals_stay_in_their_range(void **state) {
    (void)state;
    static const char *const fits = "    choose at in empty\n    var k : 0..3 = 0\n"
                                    "    for c in next(at)\n        k = min(3, k + 1)\n"
                                    "    require k > 0\n    place man at at\n";
    must_check("", fits);
    must_fail("", "    choose at in empty\n    var k : 0..3 = count mine\n",
              "`k` can become 0..12, outside its range 0..3");
    must_fail("", "    choose at in empty\n    var c : cell = step(at, n)\n",
              "this can be `none`, but `c` cannot");
}

// --- choices ---

static void choices_are_taken_apart_for_refusals(void **state) {
    (void)state;
    must_check("", "    choose from in mine\n"
                   "    choose to in empty & next(from) where row(it) > 1 and it != b2\n"
                   "    move from to to\n");
    const IrSite *from = &last.g->site[0], *to = &last.g->site[1];
    assert_int_equal(from->probe_count, 1);
    assert_string_equal(from->probes[0].text, "mine");
    assert_int_equal(to->probe_count, 4);
    static const char *const texts[] = {"empty", "next(from)", "row(it) > 1", "it != b2"};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(to->probes[i].text, texts[i]);
        assert_true(to->probes[i].cond->uses & 1u << to->slot);
    }
    assert_int_equal(to->probes[2].span.line, 17);
    must_check("", "    choose k in 1 .. 3 where it != two\n    place man at cell(k, 1)\n");
    assert_int_equal(last.g->site[0].probe_count, 1);
}

static void most_choices_and_bits(void **state) {
    (void)state;
    static const struct {
        const char *turn;
        int choices, bits;
    } cases[] = {
        {"    choose at in empty\n    place man at at\n", 1, 4},
        {"    choose k in 1 .. 1\n    place man at cell(k, 1)\n", 1, 0},
        {"    choose k in -3 .. 4\n    place man at cell(k, 1)\n", 1, 3},
        {"    choose w in directions\n    place man at step(a1, w)\n", 1, 3},
        {"    choose p in players\n    place man of p at a1\n", 1, 1},
        {"    choose l in lines\n    place man at l\n", 1, 4},
        {"    choose q in {man, king}\n    place q at a1\n", 1, 2}, // of three kinds
        {"    if some mine\n        choose a in empty\n        choose b in empty\n"
         "    else\n        choose c in 1 .. 2\n",
         2, 8},
        {"    either\n        choose a in empty\n    or\n        choose b in 1 .. 2\n"
         "    or\n        place man at a1\n",
         2, 6},
        {"    while some empty up to 3\n        choose a in empty\n        place man at a\n", 3,
         12},
        {"    for p in players\n        choose a in empty\n        place man of p at a\n", 2, 8},
        {"    for i in 2 .. 4\n        choose a in row i\n        place man at a\n", 3, 12},
        {"    for w in {n, e}\n        choose a in ray(a1, w)\n        place man at a\n", 8, 32},
    };
    for (int i = 0; i < LENGTH(cases); i++) {
        must_check("", cases[i].turn);
        if (last.g->most_choices != cases[i].choices || last.g->move_bits != cases[i].bits)
            fail_msg("%s: %d choices, %d bits", cases[i].turn, last.g->most_choices,
                     last.g->move_bits);
    }
}

static void a_move_holds_so_many_bits(void **state) {
    (void)state;
    must_check("", "    while some empty up to 31\n        choose a in empty\n"
                   "        place man at a\n    choose b in 0 .. 7\n    require b > 0\n");
    assert_int_equal(last.g->move_bits, IR_MOVE_BITS);
    must_fail("",
              "    while some empty up to 32\n        choose a in empty\n"
              "        place man at a\n",
              "a move can take 128 bits of choices; 127 fit");
}

// --- sets that are no cells ---

static void members_that_are_none_are_no_members(void **state) {
    (void)state;
    const IrExpr *e = value_of("", "count {owner(a1), White}");
    assert_int_equal(e->kid[0]->op, IR_OR);
    assert_int_equal(e->kid[0]->kid[0]->op, IR_AND); // only players
    assert_int_equal(e->kid[0]->kid[0]->kid[1]->value, 3);
    assert_int_equal(value_of("", "count {me}")->kid[0]->op, IR_MASK_OF);
}

static void empty_braces_fit_every_kind_of_set(void **state) {
    (void)state;
    must_check("", "    choose at in empty\n    flags = {}\n"
                   "    require {White} | {} != {}\n"
                   "    require (if some mine then {} else {n}) == {}\n    place man at at\n");
}

static void flags(void **state) {
    (void)state;
    must_check("", "    choose at in empty\n    flags -= K\n    flags += {K, Q}\n"
                   "    require Q in flags\n    place man at at\n");
    const IrVar *v = NULL;
    for (int i = 0; i < last.g->vars; i++)
        v = strcmp(last.g->var[i].name, "flags") == 0 ? &last.g->var[i] : v;
    assert_int_equal(v->initial[0], 1);
    assert_int_equal(v->type.kind, TY_MASK);
}

// --- the quiet clock ---

static void removals_are_noted_only_when_something_goes(void **state) {
    (void)state;
    forget();
    text_f(&last.text,
           "%sturn\n    choose at in empty\n    remove next(at) & theirs\n"
           "    remove at\n    place man at at\nend\n"
           "    draw when 20 moves without remove\n"
           "    draw when 30 moves without remove\n",
           head);
    check_last();
    assert_non_null(last.g);
    const IrVar *quiet = &last.g->var[last.g->vars - 1];
    assert_string_equal(quiet->name, "quiet");
    assert_true(quiet->clock);
    assert_int_equal(quiet->hi, 30);
    // removed = no; choose; if some …: removed = yes; remove; if … in …: removed = yes; remove;
    // place; quiet = …
    static const IrStmtKind kinds[] = {ST_LET, ST_CHOOSE, ST_IF,    ST_REMOVE,
                                       ST_IF,  ST_REMOVE, ST_PLACE, ST_ASSIGN};
    const IrStmt *s = last.g->turn;
    for (int i = 0; i < LENGTH(kinds); i++, s = s->next)
        assert_int_equal(s->kind, kinds[i]);
    assert_null(s);
    s = last.g->turn->next->next;
    assert_int_equal(s->e[0]->op, IR_SOME);
    assert_int_equal(s->next->next->e[0]->op, IR_MEMBER);
}

// --- boards ---

static void symmetries_that_follow(void **state) {
    (void)state;
    static const struct {
        const char *names;
        int count;
    } cases[] = {{"left_right", 2}, {"left_right, up_down", 4}, {"half_turn", 2}, {"all", 4}};
    for (int i = 0; i < LENGTH(cases); i++) {
        forget();
        text_f(&last.text,
               "game \"T\"\nplayers A, B\nboard square 4 x 3\n    symmetry %s\n"
               "piece man of A, B\nturn\n%send\n    me wins when no empty\n",
               cases[i].names, play);
        check_last();
        assert_non_null(last.g);
        assert_int_equal(last.g->board->symmetries, cases[i].count);
    }
}

// --- layout ---

static void fields_are_aligned_and_apart(void **state) {
    (void)state;
    must_check("var wide : -70000..5 = 0\nvar narrow : -100..100 = 0\n"
               "var short_one : 0..60000 = 0\nvar marked[player] : cells\nclock tick : 0..300\n",
               play);
    const IrGame *g = last.g;
    uint8_t used[IR_MAX_STATE] = {0};
    for (int i = 0; i < g->planes; i++) {
        assert_int_equal(g->plane[i].offset % 8, 0);
        for (int k = 0; k < 8; k++)
            assert_int_equal(used[g->plane[i].offset + k]++, 0);
    }
    for (int i = 0; i < g->vars; i++) {
        const IrVar *v = &g->var[i];
        int unit = v->width > 8 ? 8 : v->width;
        assert_int_equal(v->offset % unit, 0);
        assert_int_equal(v->clock, v->offset >= g->layout.identity);
        for (int k = 0; k < v->width * v->count; k++)
            assert_int_equal(used[v->offset + k]++, 0);
    }
    for (int i = 0; i < g->attrs; i++)
        for (int k = 0; k < g->attr[i].width * g->board->cells; k++)
            assert_int_equal(used[g->attr[i].offset + k]++, 0);
    assert_int_equal(used[g->layout.player]++, 0);
    assert_int_equal(used[g->layout.result]++, 0);
    assert_int_equal(g->layout.size % 8, 0);
    assert_int_equal(g->layout.identity % 8, 0);
}

static void widths(void **state) {
    (void)state;
    static const struct {
        const char *type;
        int width;
    } cases[] = {{"0..255", 1},    {"0..256", 2},    {"0..65535", 2},    {"0..65536", 4},
                 {"-128..127", 1}, {"-129..127", 2}, {"-1..128", 2},     {"-32768..32767", 2},
                 {"-1..32768", 4}, {"-1..0", 1},     {"cell", 1},        {"cell or none", 1},
                 {"bool", 1},      {"cells", 8},     {"some of A, B", 8}};
    for (int i = 0; i < LENGTH(cases); i++) {
        char lets[100];
        snprintf(lets, sizeof lets, "var v : %s\n", cases[i].type);
        must_check(lets, play);
        assert_int_equal(last.g->var[last.g->vars - 1].width, cases[i].width);
    }
}

// --- limits: just below and just above ---

static void lines_of(Text *out, int count, const char *format) {
    for (int i = 0; i < count; i++) {
        char line[100];
        snprintf(line, sizeof line, format, i, i + 1, i);
        text_add(out, line);
    }
}

static void try_limit(const char *lets, const char *turn, const char *message) {
    if (message)
        must_fail(lets, turn, message);
    else
        must_check(lets, turn);
}

static void limits(void **state) {
    (void)state;
    Text t = {0};
    static const int declared = 16; // by `head`: everything but the definitions added here
    for (int above = 0; above < 2; above++) {
        text_clear(&t);
        lines_of(&t, CHECK_SYMBOLS - declared + above, "let d%d = row 1\n");
        try_limit(text_c(&t), play, above ? "more than 1000 names are declared" : NULL);

        text_clear(&t);
        lines_of(&t, CHECK_SITES + above, "    if no empty\n        choose c%d in 1 .. 1\n");
        try_limit("", text_c(&t), above ? "a turn can have at most 200 choices" : NULL);

        text_clear(&t);
        lines_of(&t, CHECK_SLOTS - 1 + above, "    let n%d = 1\n");
        text_add(&t, play);
        try_limit("", text_c(&t),
                  above ? "more than 1000 names are declared in one section" : NULL);

        // Each definition adds a level for itself, its sum and what it sums.
        text_clear(&t);
        lines_of(&t, 480 + 40 * above, "let d%d = d%d + 1\n");
        text_f(&t, "let d%d = count mine\n", 480 + 40 * above);
        try_limit(text_c(&t), "    choose at in empty\n    require d0 > 0\n    place man at at\n",
                  above ? "this is nested too deeply, with the definitions it uses" : NULL);
    }
    text_free(&t);
}

// Definitions that double each other end in a message, soon.
static void definitions_that_explode(void **state) {
    (void)state;
    Text t = {0};
    lines_of(&t, 28, "let d%1$d(x) = d%2$d(2 * x) + d%2$d(2 * x + 1)\n");
    text_add(&t, "let d28(x) = x * 0\n");
    assert_null(check_in(text_c(&t), "    choose at in empty\n    require d0(0) == 0\n"));
    text_free(&t);
}

// What a file says in other languages is kept by language, in the order of the file.
static void test_words(void **state) {
    (void)state;
    static const char text[] = "game \"Stones\"\n"
                               "players White, Black\n"
                               "board square 2 x 2\n"
                               "piece man of White, Black\n"
                               "turn\n"
                               "    say \"Place a man.\"\n"
                               "    choose to in empty\n"
                               "    place man at to\n"
                               "end\n"
                               "    draw when no empty \"full\"\n"
                               "words de\n"
                               "    \"Place a man.\" = \"Setze einen Stein.\"\n"
                               "    White = \"Weiß\"\n"
                               "    \"full\" = \"voll\"\n"
                               "words hu\n"
                               "    man = \"bábu\"\n"
                               "    to = \"hova\"\n";
    Diags diags = {0};
    Game *g = game_compile("stones.game", text, strlen(text), NULL, 0, &diags);
    assert_non_null(g);
    assert_int_equal(diags.count, 0);
    assert_int_equal(g->ir->phrases, 5);
    assert_string_equal(g->ir->end.rule[0].text, "draw when no empty");
    assert_string_equal(g->ir->end.rule[0].why, "full");
    assert_string_equal(g->ir->phrase[0].language, "de");
    assert_string_equal(g->ir->phrase[0].from, "Place a man.");
    assert_string_equal(g->ir->phrase[0].to, "Setze einen Stein.");
    assert_string_equal(g->ir->phrase[4].language, "hu");
    assert_string_equal(g->ir->phrase[4].from, "to");
    game_free(g);
    diag_free(&diags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(ranges),
        cmocka_unit_test(ranges_of_values_that_are_no_numbers),
        cmocka_unit_test(numbers_out_of_hand),
        cmocka_unit_test(constants_fold),
        cmocka_unit_test(interpreter_agrees),
        cmocka_unit_test(parameters_mark_what_they_decide),
        cmocka_unit_test(static_definitions_become_tables),
        cmocka_unit_test(definitions_of_the_position_become_functions),
        cmocka_unit_test(definitions_are_made_once_for_each_kind_of_argument),
        cmocka_unit_test(definitions_have_slots_of_their_own),
        cmocka_unit_test(variables_of_loops_share_no_slot),
        cmocka_unit_test(recursion_is_found_whatever_the_ranges),
        cmocka_unit_test(a_wrong_definition_is_reported_once),
        cmocka_unit_test(warnings_are_given_once),
        cmocka_unit_test(names_of_all_branches_go_on),
        cmocka_unit_test(names_of_some_branches_end),
        cmocka_unit_test(what_uses_a_wrong_name_says_nothing_more),
        cmocka_unit_test(locals_stay_in_their_range),
        cmocka_unit_test(choices_are_taken_apart_for_refusals),
        cmocka_unit_test(most_choices_and_bits),
        cmocka_unit_test(a_move_holds_so_many_bits),
        cmocka_unit_test(members_that_are_none_are_no_members),
        cmocka_unit_test(empty_braces_fit_every_kind_of_set),
        cmocka_unit_test(flags),
        cmocka_unit_test(removals_are_noted_only_when_something_goes),
        cmocka_unit_test(symmetries_that_follow),
        cmocka_unit_test(fields_are_aligned_and_apart),
        cmocka_unit_test(widths),
        cmocka_unit_test(limits),
        cmocka_unit_test(definitions_that_explode),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
