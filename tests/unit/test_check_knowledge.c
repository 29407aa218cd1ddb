// Tests of the checker for facts, rules, worth and prefer: src/lang/check_knowledge*.c, and of
// rules files beside a game. What it says about mistakes is in tests/bad and tests/bad-rules.

#include "game/game.h"
#include "knowledge/knowledge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const char head[] = "game \"T\"\n"
                           "players White, Black\n"
                           "parameter size : 1..16 = 4\n"
                           "board square size x size\n"
                           "    lines of 3\n"
                           "piece man, king of White, Black\n"
                           "let ahead(c) = step(c, n)\n"
                           "let good(c) = some spot(me, c)\n"
                           "turn\n"
                           "    choose to in empty\n"
                           "    place man at to\n"
                           "    if some mine - {to}\n"
                           "        choose victim in mine - {to}\n"
                           "        remove victim\n"
                           "    else\n"
                           "        choose twist in 2 .. 3\n"
                           "        require twist > 0\n"
                           "end\n"
                           "    draw when no empty\n"
                           "facts\n"
                           "    spot(p, c) for p in players, c in men of p\n"
                           "    full when no empty\n";

static Game *loaded;
static Diags diags;

static int teardown(void **state) {
    (void)state;
    game_free(loaded);
    diag_free(&diags);
    loaded = NULL;
    return 0;
}

// The game above with these lines; NULL if something is wrong with them.
static const IrKnowledge *know_with(const char *lines, const char *const *params, int count) {
    teardown(NULL);
    Text text = {0};
    text_f(&text, "%s%s", head, lines);
    loaded = game_compile("t.game", text_c(&text), text.n, params, count, &diags);
    text_free(&text);
    return loaded ? loaded->ir->knowledge : NULL;
}

static const IrKnowledge *know(const char *lines) {
    const IrKnowledge *k = know_with(lines, NULL, 0);
    if (!k && diags.count)
        print_message("# %s\n", diags.items[diags.count - 1].message);
    return k;
}

static const IrRelation *find(const IrKnowledge *k, const char *name) {
    assert_non_null(k);
    for (int i = 0; i < k->relations; i++)
        if (strcmp(k->relation[i].name, name) == 0)
            return &k->relation[i];
    fail_msg("no relation %s", name);
    return NULL;
}

static const IrClause *only_clause(const IrKnowledge *k, const char *name) {
    const IrRelation *r = find(k, name);
    assert_int_equal(r->clauses, 1);
    return &r->clause[0];
}

// "EKC": the kinds of the literals in their order
static const char *kinds(const IrClause *clause) {
    static char text[32];
    int n = 0;
    for (; n < clause->literals; n++)
        text[n] = "EKCL"[clause->literal[n].kind];
    text[n] = '\0';
    return text;
}

// --- relations ---

static void types_and_tuples(void **state) {
    (void)state;
    const IrKnowledge *k = know("    near(c, d, n) for c in cells, d in next(c), n in -1 .. 3\n"
                                "    odd(p, man, n, p == me) for p in players\n"
                                "    here\n");
    const IrRelation *r = find(k, "near");
    assert_int_equal(r->params, 3);
    assert_int_equal(r->type[0].kind, TY_CELL);
    assert_int_equal(r->type[2].kind, TY_INT);
    assert_int_equal(r->lo[2], -1);
    assert_int_equal(r->size[2], 5);
    assert_int_equal(r->tuples, 16 * 16 * 5);
    assert_false(r->derived);
    assert_int_equal(r->stratum, 0);
    r = find(k, "odd");
    assert_int_equal(r->params, IR_MAX_ARGS);
    assert_int_equal(r->type[1].kind, TY_KIND);
    assert_int_equal(r->type[2].kind, TY_DIRECTION);
    assert_int_equal(r->type[3].kind, TY_BOOL);
    assert_true(r->of_me);
    r = find(k, "here");
    assert_int_equal(r->tuples, 1);
    assert_string_equal(kinds(&r->clause[0]), "");
    assert_string_equal(kinds(only_clause(k, "full")), "C");
    assert_string_equal(kinds(only_clause(k, "spot")), "EE");
    assert_int_equal(only_clause(k, "spot")->frame.type[IR_MOVER].kind, TY_PLAYER);
}

static void ranges_of_lines_are_joined(void **state) {
    (void)state;
    const IrKnowledge *k = know("    a(3)\n"
                                "    a(n) for n in -2 .. 1\n"
                                "rules\n"
                                "    b(n * 2) if a(n)\n"
                                "    b(9)     if full\n");
    assert_int_equal(find(k, "a")->lo[0], -2);
    assert_int_equal(find(k, "a")->size[0], 6);
    assert_int_equal(find(k, "b")->lo[0], -4);
    assert_int_equal(find(k, "b")->size[0], 14);
    assert_int_equal(find(k, "b")->clauses, 2);
}

// 65536 tuples are as many as there may be.
static void most_tuples(void **state) {
    (void)state;
    const char *const wide[] = {"size=16"};
    const IrKnowledge *k =
        know_with("    pair(c, d) for c in cells, d in cells\n", wide, LENGTH(wide));
    assert_int_equal(find(k, "pair")->tuples, IR_MAX_TUPLES);
    assert_null(know_with("    pair(c, d, full_) for c in cells, d in cells, full_ in 0 .. 1\n",
                          wide, LENGTH(wide)));
    assert_non_null(strstr(diags.items[0].message, "256 x 256 x 2 tuples"));
    assert_non_null(know("    a(n) for n in 0 .. 65535\n"));
    assert_null(know_with("    a(n + size % 1) for n in 0 .. 65535\n    a(-1)\n", NULL, 0));
}

static void most_relations(void **state) {
    (void)state;
    for (int more = 0; more < 2; more++) {
        Text text = {0};
        for (int i = 2; i < IR_MAX_RELATIONS + more; i++)
            text_f(&text, "    f%d\n", i);
        assert_int_equal(know_with(text_c(&text), NULL, 0) != NULL, !more);
        text_free(&text);
    }
    assert_non_null(strstr(diags.items[0].message, "more than 200 facts and rules"));
}

// --- strata ---

static void strata(void **state) {
    (void)state;
    const IrKnowledge *k = know("rules\n"
                                "    ra(p)    if spot(p, _)\n"
                                "    rb(p)    if ra(p), rc(p)\n"
                                "    rc(p)    if spot(p, d), not full, d in cells\n"
                                "    rc(p)    if rb(p)\n"
                                "    rd(p)    if p in players, not rc(p)\n"
                                "    re       if count rd(_) > 1\n"
                                "    rg(c)    if c in mine, good(c)\n"
                                "    rh(p, c) if rg(c), ra(p)\n");
    assert_int_equal(find(k, "ra")->stratum, 1);
    assert_int_equal(find(k, "rb")->stratum, 2);
    assert_int_equal(find(k, "rc")->stratum, 2);
    assert_int_equal(find(k, "rd")->stratum, 3);
    assert_int_equal(find(k, "re")->stratum, 4);
    assert_int_equal(find(k, "rh")->stratum, 2);
    assert_int_equal(k->strata, 5);
    assert_true(find(k, "rb")->recursive && find(k, "rc")->recursive);
    assert_false(find(k, "ra")->recursive || find(k, "rd")->recursive);
    // `me` counts through definitions and other relations.
    assert_true(find(k, "rg")->of_me && find(k, "rh")->of_me);
    assert_false(find(k, "re")->of_me || find(k, "spot")->of_me);
    bool seen[IR_MAX_RELATIONS] = {false};
    for (int i = 0; i < k->relations; i++) {
        assert_false(seen[k->order[i]]);
        seen[k->order[i]] = true;
        assert_true(i == 0 ||
                    k->relation[k->order[i - 1]].stratum <= k->relation[k->order[i]].stratum);
    }
}

// A circle may go through atoms only.
static void circles(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "rules\n    a(p) if p in players, not a(p)\n",
        "rules\n    a(p) if p in players, no b(p)\n    b(p) if a(p)\n",
        "rules\n    a(p) if p in players, count b(_) > 1\n    b(p) if a(p)\n",
        "rules\n    a(c) if c in mine, c in b(_)\n    b(c) if a(c)\n",
        "rules\n    a(p) if spot(p, _), b(p) == yes\n    b(p) if a(p)\n",
        "rules\n    a(p) if spot(p, c), (b(p) or full)\n    b(p) if a(p)\n",
        "let asked(p) = b(p)\nrules\n    a(p) if spot(p, _), asked(p)\n    b(p) if a(p)\n",
    };
    for (int i = 0; i < LENGTH(wrong); i++) {
        assert_null(know_with(wrong[i], NULL, 0));
        assert_non_null(strstr(diags.items[0].message, "complete before"));
    }
    assert_non_null(know("rules\n    a(p) if spot(p, _)\n    a(p) if b(p) and b(p)\n"
                         "    b(p) if a(p), p in players\n"));
}

// --- ranges that go in a circle ---

static void ranges_in_a_circle(void **state) {
    (void)state;
    const IrKnowledge *k = know("rules\n"
                                "    far(c, 0)             if c in {a1}\n"
                                "    far(d, min(n + 1, 9)) if far(c, n), d in next(c)\n"
                                "    up(0)                 if full\n"
                                "    up(min(n + 3, 500))   if up(n)\n"
                                "    down(5)               if full\n"
                                "    down(max(n - 1, -700)) if down(n)\n"
                                "    x(0)                  if full\n"
                                "    x(n)                  if y(n)\n"
                                "    y(n % 40 + 1)         if x(n)\n");
    assert_int_equal(find(k, "far")->lo[1], 0);
    assert_int_equal(find(k, "far")->size[1], 10);
    assert_int_equal(find(k, "up")->lo[0], 0);
    assert_int_equal(find(k, "up")->size[0], 501);
    assert_int_equal(find(k, "down")->lo[0], -700);
    assert_int_equal(find(k, "down")->size[0], 706);
    assert_int_equal(find(k, "x")->lo[0], 0);
    assert_int_equal(find(k, "x")->size[0], 41);
    assert_int_equal(find(k, "y")->lo[0], 1);
    // Nothing of the trials is left behind.
    assert_int_equal(loaded->ir->funcs <= 2, 1);
}

// --- literals ---

static void literals_in_order(void **state) {
    (void)state;
    static const struct {
        const char *rule, *kinds;
    } cases[] = {
        {"spot(p, c), king of p == {}, d in next(c)", "KCE"},
        {"d in next(c), spot(p, c)", "KE"},
        {"d != c, d in next(e), e = ahead(c), spot(p, c)", "KLEC"},
        {"spot(p, c), c in row 1, d in {c}", "KCE"},
        {"p in players, c in men of p where row(it) == 1, d in {c}", "EEE"},
        {"spot(p, c), c in mine where row(it) == 1, d in {c}", "KCCE"},
        {"spot(p, c) and spot(p, d) and c != d", "KKC"},
        {"not spot(p, d), spot(p, c), d in next(c)", "KEC"},
        {"spot(p, c), spot(_, d), l in lines through c, l in lines through d", "KKEC"},
        {"p in players, d in cells, n in 1 .. 2, c = cell(n, 1), c != none", "EEELC"},
    };
    for (int i = 0; i < LENGTH(cases); i++) {
        Text text = {0};
        text_f(&text, "rules\n    a(p, d) if %s\n", cases[i].rule);
        const IrKnowledge *k = know(text_c(&text));
        text_free(&text);
        assert_string_equal(kinds(only_clause(k, "a")), cases[i].kinds);
    }
}

static void terms(void **state) {
    (void)state;
    const IrKnowledge *k = know("    at(c, d, n) for c in cells, d in cells, n in 0 .. 2\n"
                                "rules\n"
                                "    ra(c) if at(c, _, 2)\n"
                                "    rb(c) if at(c, c, n), n > 0\n");
    const IrLiteral *lit = only_clause(k, "ra")->literal;
    assert_null(lit->term[0].value);
    assert_true(lit->term[0].slot > IR_MOVER);
    assert_null(lit->term[1].value);
    assert_int_equal(lit->term[1].slot, -1);
    assert_int_equal(lit->term[2].value->value, 2);
    // A name that stands twice is found twice and compared.
    assert_string_equal(kinds(only_clause(k, "rb")), "KCC");
    assert_int_not_equal(only_clause(k, "rb")->literal[0].term[0].slot,
                         only_clause(k, "rb")->literal[0].term[1].slot);
    assert_null(know_with("rules\n    z(c) if spot(p, c), spot(c, p)\n", NULL, 0));
}

// Names of directions and cells mean these where such a value stands, else they are new.
static void names_of_the_board(void **state) {
    (void)state;
    const IrKnowledge *k = know("    way(d) for d in directions\n"
                                "    num(m) for m in 0 .. 3\n"
                                "rules\n"
                                "    ra    if way(n)\n"
                                "    rb(n) if num(n)\n"
                                "    rd    if spot(_, a1)\n"
                                "    re(n) if n in 2 .. 3\n"
                                "    rf(e) if e in directions, way(e)\n");
    assert_non_null(only_clause(k, "ra")->literal[0].term[0].value);
    assert_null(only_clause(k, "rb")->literal[0].term[0].value);
    assert_non_null(only_clause(k, "rd")->literal[0].term[1].value);
    assert_string_equal(kinds(only_clause(k, "re")), "E");
    assert_string_equal(kinds(only_clause(k, "rf")), "EK");
}

// A head that can be none holds only where it is not.
static void heads_that_may_be_none(void **state) {
    (void)state;
    const IrKnowledge *k = know("    next_to(ahead(c)) for c in mine\n");
    const IrClause *clause = only_clause(k, "next_to");
    assert_string_equal(kinds(clause), "ELC");
    assert_int_equal(clause->head[0]->op, IR_LOCAL);
    assert_false(clause->head[0]->type.optional);
    assert_false(find(k, "next_to")->type[0].optional);
    assert_int_equal(find(k, "next_to")->size[0], 16);
}

static void asked_in_expressions(void **state) {
    (void)state;
    static const struct {
        const char *cond;
        IrOp op;
    } cases[] = {
        {"full or full", IR_EITHER},
        {"not full", IR_NOT},
        {"some spot(p, _)", IR_KNOWN},
        {"no spot(_, _)", IR_NOT},
        {"count spot(_, _) > 3", IR_LT},
        {"a1 in spot(p, _)", IR_MEMBER},
        {"some spot(p, _) & empty", IR_SOME},
        {"not spot(p, _)", IR_NOT},
        {"count (spot(p, _) - row 1) == 1", IR_EQ},
        {"all c in spot(p, _) : row(c) > 1", IR_ALL},
    };
    for (int i = 0; i < LENGTH(cases); i++) {
        Text text = {0};
        text_f(&text, "rules\n    a(p) if p in players, (%s)\n", cases[i].cond);
        const IrKnowledge *k = know(text_c(&text));
        text_free(&text);
        assert_int_equal(only_clause(k, "a")->literal[1].cond->op, cases[i].op);
    }
    const IrKnowledge *k =
        know("rules\n    a(count spot(p, _), count spot(_, _)) if p in players\n");
    assert_int_equal(find(k, "a")->size[0], 17);
    assert_int_equal(find(k, "a")->size[1], 33);
}

// --- worth and prefer ---

static void worth(void **state) {
    (void)state;
    const IrKnowledge *k = know("worth\n"
                                "    spot(me, _)  3  \"a man\"\n"
                                "    spot(p, c)   if p == mover then row(c) else -size\n"
                                "    full         -7\n"
                                "worth\n"
                                "    opponent     -2\n");
    assert_int_equal(k->worths, 3);
    assert_string_equal(k->worth[0].sentence, "a man");
    assert_int_equal(k->worth[0].atom.kind, LIT_KNOWN);
    assert_int_equal(k->worth[0].atom.term[0].value->op, IR_ME);
    assert_null(k->worth[1].sentence);
    assert_int_equal(k->worth[1].weight->lo, -4);
    assert_int_equal(k->worth[2].weight->value, -7);
    assert_int_equal(k->opponent, -2);
}

static void prefer(void **state) {
    (void)state;
    const IrKnowledge *k =
        know("prefer\n"
             "    times 8    if row(to) == 1 \"home\"\n"
             "    times 1/2  if before (to in next(victim)) and not before full\n"
             "    times size if mover != me\n"
             "    times 0    if twist == 3 and row(to) == 2\n");
    assert_int_equal(k->prefers, 4);
    assert_int_equal(k->choices, 3);
    assert_int_equal(k->prefer[0].times, 8);
    assert_int_equal(k->prefer[1].over, 2);
    assert_int_equal(k->prefer[2].times, 4);
    assert_int_equal(k->prefer[0].choices, 1);
    assert_int_equal(k->prefer[1].choices, 3);
    assert_int_equal(k->prefer[2].choices, 0);
    assert_int_equal(k->prefer[3].choices, 5);
    assert_string_equal(k->choice[1].name, "victim");
    assert_int_equal(k->choice[2].lo, 2);
    assert_int_equal(k->choice[2].hi, 3);
    const IrGame *g = loaded->ir;
    for (int i = 0; i < g->sites; i++)
        assert_string_equal(k->choice[k->site_choice[i]].name, g->site[i].name);
    assert_int_equal(k->prefer[1].cond->kid[0]->op, IR_BEFORE);
    assert_int_equal(k->prefer[1].cond->kid[1]->op, IR_NOT);
}

// The words of knowledge are names wherever a name can stand.
static void words_are_names(void **state) {
    (void)state;
    static const char text[] =
        "game \"T\"\n"
        "players White, Black\n"
        "parameter times : 1..3 = 2\n"
        "board square 3 x 3\n"
        "piece rules of White, Black\n"
        "piece prefer\n"
        "var worth : 0..9\n"
        "var mover : player = White\n"
        "let facts(c) = row(c) + times\n"
        "let knowledge = row 2\n"
        "turn\n"
        "    choose before in empty & (knowledge | row 1) where facts(it) > 2\n"
        "    place rules at before\n"
        "    mover = me\n"
        "    worth = min(worth + 1, 9)\n"
        "end\n"
        "    draw when no empty or worth == 9 and mover == White\n"
        "rules\n"
        "    lead(p) if p in players, p == mover\n"
        "worth\n"
        "    lead(me) times\n"
        "prefer\n"
        "    times times if before == a1 or before (no occupied)\n";
    teardown(NULL);
    loaded = game_compile("t.game", text, strlen(text), NULL, 0, &diags);
    for (int i = 0; i < diags.count; i++)
        print_message("# %d %s\n", diags.items[i].span.line, diags.items[i].message);
    assert_non_null(loaded);
    assert_int_equal(loaded->ir->knowledge->prefer[0].choices, 1);
}

// --- rules files ---

static Knowledge *beside(const char *text) {
    Knowledge *k = knowledge_compile(loaded, "mine.rules", text, strlen(text), &diags);
    for (int i = 0; !k && i < diags.count; i++)
        print_message("# %s\n", diags.items[i].message);
    return k;
}

static void rules_files(void **state) {
    (void)state;
    const char *const params[] = {"size=5"};
    assert_non_null(know_with("worth\n"
                              "    spot(me, _) 1\n"
                              "    opponent    -1\n"
                              "prefer\n"
                              "    times 2 if row(to) == 1\n",
                              params, LENGTH(params)));
    Knowledge *own = knowledge_own(loaded);
    assert_ptr_equal(knowledge_game(own), loaded->ir);
    assert_string_equal(knowledge_title(own), "T");
    knowledge_free(own);

    Knowledge *k = beside("knowledge \"Mine\"\n"
                          "let edge(c) = row(c) == size\n"
                          "facts\n"
                          "    far(p, c) for p in players, c in men of p where edge(c)\n"
                          "rules\n"
                          "    both(p) if far(p, c), spot(p, ahead(c))\n"
                          "    best(p) if both(p), good(a1)\n"
                          "worth\n"
                          "    far(me, _) 4\n"
                          "    best(me)   5\n");
    assert_non_null(k);
    const IrKnowledge *ir = knowledge_ir(k);
    assert_string_equal(knowledge_title(k), "Mine");
    assert_int_equal(knowledge_game(k)->layout.size, loaded->ir->layout.size);
    assert_int_equal(find(ir, "spot")->tuples, 50);
    assert_int_equal(find(ir, "far")->tuples, 50);
    assert_int_equal(ir->relations, 5);
    assert_int_equal(find(ir, "best")->stratum, 2);
    assert_true(find(ir, "best")->of_me);
    // Its worth stands for that of the game; the game's priorities stay.
    assert_int_equal(ir->worths, 2);
    assert_int_equal(ir->opponent, 0);
    assert_int_equal(ir->prefers, 1);
    // The game itself is as it was.
    assert_int_equal(loaded->ir->knowledge->worths, 1);
    assert_int_equal(loaded->ir->knowledge->relations, 2);
    knowledge_free(k);

    k = beside("prefer\n    times 3 if row(victim) == 1\n    times 2 if best == 2\n");
    assert_null(k);
    diag_free(&diags);
    k = beside("prefer\n    times 3 if row(victim) == 1\n    times 2 if far(me)\n"
               "facts\n    far(p) for p in players\n");
    assert_non_null(k);
    assert_string_equal(knowledge_title(k), "mine.rules");
    assert_int_equal(knowledge_ir(k)->prefers, 2);
    assert_int_equal(knowledge_ir(k)->worths, 1);
    assert_string_equal(knowledge_ir(k)->choice[0].name, "victim");
    knowledge_free(k);
    assert_null(knowledge_load(loaded, "no-such-rules", &diags));
    assert_null(knowledge_load(loaded, "no/such.rules", &diags));
}

// A game that says nothing of its own.
static void rules_beside_a_silent_game(void **state) {
    (void)state;
    teardown(NULL);
    loaded = game_load("tic-tac-toe", NULL, 0, &diags);
    assert_non_null(loaded);
    assert_null(knowledge_own(loaded));
    Knowledge *k = beside("facts\n    mid(p) for p in players where b2 in marks of p\n"
                          "worth\n    mid(me) 1\n    opponent -1\n");
    assert_non_null(k);
    knowledge_free(k);
}

static void rules_beside_an_s3_game(void **state) {
    (void)state;
    teardown(NULL);
    loaded = game_load("s3-alquerque", NULL, 0, &diags);
    assert_non_null(loaded);
    Knowledge *k = beside("facts\n    has(p, c) for p in players, c in cells where owner(c) == p\n"
                          "worth\n    has(me, _) 1\n    opponent -1\n");
    assert_non_null(k);
    knowledge_free(k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(types_and_tuples, teardown),
        cmocka_unit_test_teardown(ranges_of_lines_are_joined, teardown),
        cmocka_unit_test_teardown(most_tuples, teardown),
        cmocka_unit_test_teardown(most_relations, teardown),
        cmocka_unit_test_teardown(strata, teardown),
        cmocka_unit_test_teardown(circles, teardown),
        cmocka_unit_test_teardown(ranges_in_a_circle, teardown),
        cmocka_unit_test_teardown(literals_in_order, teardown),
        cmocka_unit_test_teardown(terms, teardown),
        cmocka_unit_test_teardown(names_of_the_board, teardown),
        cmocka_unit_test_teardown(heads_that_may_be_none, teardown),
        cmocka_unit_test_teardown(asked_in_expressions, teardown),
        cmocka_unit_test_teardown(worth, teardown),
        cmocka_unit_test_teardown(prefer, teardown),
        cmocka_unit_test_teardown(words_are_names, teardown),
        cmocka_unit_test_teardown(rules_files, teardown),
        cmocka_unit_test_teardown(rules_beside_a_silent_game, teardown),
        cmocka_unit_test_teardown(rules_beside_an_s3_game, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
