// test_clips: rules in CLIPS. The facts they get, what they are worth, rules that are written
// twice, files with faults, rules that run away, memory, threads. Without CLIPS only the message is
// tested.
//
// LUDENS_STATES says on how many positions the two forms of Byte's rules are compared; then machine
// code is compared too.
#include "bare_game.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "game/game.h"
#include "game/statetext.h"
#include "knowledge/knowledge.h"
#include "search/evaluate.h"

#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STATES 150

// --- tools ---

static Game *load_game(const char *name) {
    Diags diags = {0};
    Text text = {0}, title = {0};
    assert_true(bare_game(name, &text));
    text_f(&title, "%s.game", name);
    Game *g = game_compile(text_c(&title), text_c(&text), text.n, NULL, 0, &diags);
    assert_non_null(g);
    text_free(&title);
    text_free(&text);
    diag_free(&diags);
    return g;
}

static Game *compile_game(const char *text) {
    Diags diags = {0};
    Game *g = game_compile("test.game", text, strlen(text), NULL, 0, &diags);
    if (!g) {
        Text out = {0};
        diag_print(&diags, &out, false);
        fail_msg("%s", text_c(&out));
    }
    diag_free(&diags);
    return g;
}

static Knowledge *compile(const Game *g, const char *text) {
    Diags diags = {0};
    Knowledge *k = knowledge_compile(g, "test.clp", text, strlen(text), &diags);
    if (!k) {
        Text out = {0};
        diag_print(&diags, &out, false);
        fail_msg("%s", text_c(&out));
    }
    diag_free(&diags);
    return k;
}

static bool have_clips(void) {
    Game *g = load_game("tic-tac-toe");
    Diags diags = {0};
    Knowledge *k = knowledge_compile(g, "empty.clp", "", 0, &diags);
    bool have = k != NULL;
    if (!have) {
        assert_int_equal(diags.errors, 1);
        assert_string_equal(diags.items[0].message, "this Ludens was built without CLIPS");
    }
    knowledge_free(k);
    diag_free(&diags);
    game_free(g);
    return have;
}

static void skip_without_clips(void) {
    if (!have_clips())
        skip();
}

static void *state_of(const Game *g, const char *text) {
    void *state = calloc(1, IR_MAX_STATE);
    Text why = {0};
    if (!state_read(g, text, state, &why))
        fail_msg("%s: %s", text, text_c(&why));
    text_free(&why);
    return state;
}

// All facts of that name, in the order in which they were asserted, with blanks between them.
static void facts_of(const ClipsFound *found, const char *name, Text *out) {
    for (int i = 0; i < found->facts; i++)
        if (strcmp(found->fact[i].name, name) == 0)
            text_f(out, "%s%s", out->n ? " " : "", found->fact[i].text);
}

static void expect_facts(const ClipsFound *found, const char *name, const char *expected) {
    Text text = {0};
    facts_of(found, name, &text);
    assert_string_equal(text_c(&text), expected);
    text_free(&text);
}

// --- facts ---

static const char all_types[] =
    "game \"All\"\n"
    "players White, Black\n"
    "board square 3 x 2\n"
    "    lines of 3\n"
    "piece man of White \"M\", Black \"m\" with hp : 0..9 = 3\n"
    "piece rock \"O\"\n"
    "var hand[player] : 0..9 = 4\n"
    "var target : cell or none = none\n"
    "var marked : cells\n"
    "var ready : bool = yes\n"
    "var rights : some of short, long = {short, long}\n"
    "setup\n"
    "    place man of White at a1\n"
    "    place rock at c2\n"
    "turn\n"
    "    choose to in empty\n"
    "    place man at to\n"
    "end\n"
    "    draw when no empty\n"
    "facts\n"
    "    full(p, l)  for p in players, l in lines where some (l & men of p)\n"
    "    late        when count occupied > 1\n"
    "    many(n)     for n in 0 .. 9 where n == count occupied\n"
    "rules\n"
    "    derived(p)  if full(p, _)\n";

static void test_facts(void **unused) {
    (void)unused;
    skip_without_clips();
    Game *g = compile_game(all_types);
    Knowledge *k = compile(g, "(defrule r (on ?c $?) => (assert (seen ?c)))");
    Reasoner *r = reasoner_new(k);
    const ClipsFound *f = reasoner_clips(r, g->start, 1, CLIPS_ALL);
    assert_non_null(f);
    expect_facts(f, "me", "(me Black)");
    expect_facts(f, "opponent", "(opponent White)");
    expect_facts(f, "mover", "(mover White)");
    expect_facts(f, "player", "(player White) (player Black)");
    expect_facts(f, "on", "(on a1 man White) (on c2 rock none)");
    expect_facts(f, "empty", "(empty b1) (empty c1) (empty a2) (empty b2)");
    expect_facts(f, "line", "(line a1-b1-c1 a1 b1 c1) (line a2-b2-c2 a2 b2 c2)");
    expect_facts(f, "attribute", "(attribute hp a1 3)");
    expect_facts(f, "var",
                 "(var hand White 4) (var hand Black 4) (var target none) (var marked) "
                 "(var ready yes) (var rights short long)");
    expect_facts(f, "full", "(full White a1-b1-c1)");
    expect_facts(f, "late", "(late)");
    expect_facts(f, "many", "(many 2)");
    expect_facts(f, "derived", ""); // conclusions of the game's own rules are not facts
    expect_facts(f, "seen", "(seen c2) (seen a1)");
    expect_facts(f, "height", "");
    assert_int_equal(f->facts > 0 && f->fact[0].given, true);
    assert_false(f->fact[f->facts - 1].given);
    f = reasoner_clips(r, g->start, 0, CLIPS_FACTS); // only what the rules ask for
    expect_facts(f, "me", "");
    expect_facts(f, "on", "(on a1 man White) (on c2 rock none)");
    reasoner_free(r);
    knowledge_free(k);
    game_free(g);
}

static void test_stacks(void **unused) {
    (void)unused;
    skip_without_clips();
    Game *g = load_game("byte");
    Knowledge *k = compile(g, "");
    Reasoner *r = reasoner_new(k);
    void *state = state_of(g, "4/4/[BWB]3/4/4/4/4/3W w bytes=1,2");
    const ClipsFound *f = reasoner_clips(r, state, 0, CLIPS_ALL);
    assert_non_null(f);
    expect_facts(f, "on",
                 "(on C1 checker Black 0) (on C1 checker White 1) (on C1 checker Black 2) "
                 "(on H8 checker White 0)");
    expect_facts(f, "top", "(top C1 checker Black) (top H8 checker White)");
    expect_facts(f, "var", "(var bytes Black 1) (var bytes White 2)");
    expect_facts(f, "mover", "(mover White)");
    free(state);
    reasoner_free(r);
    knowledge_free(k);
    game_free(g);
}

// A fact of the game's own stands in place of one that every game has.
static void test_own_name(void **unused) {
    (void)unused;
    skip_without_clips();
    Game *g = compile_game("game \"Own\"\nplayers White, Black\nboard square 2 x 2\n"
                           "piece man of White, Black\nsetup\n    place man of Black at a2\n"
                           "turn\n    choose to in empty\n    place man at to\n"
                           "end\n    draw when no empty\n"
                           "facts\n    top(c) for c in occupied\n");
    Knowledge *k = compile(g, "(defrule r (top ?c) => (assert (worth 5 \"a top\" ?c)))");
    Reasoner *r = reasoner_new(k);
    const ClipsFound *f = reasoner_clips(r, g->start, 0, CLIPS_FACTS);
    expect_facts(f, "top", "(top a2)");
    assert_int_equal(f->value, 5);
    reasoner_free(r);
    knowledge_free(k);
    game_free(g);
}

// --- worth ---

static void test_worth(void **unused) {
    (void)unused;
    skip_without_clips();
    Game *g = load_game("tic-tac-toe");
    Knowledge *k =
        compile(g, "(deffunction half (?x) (/ ?x 2))\n"
                   "(defglobal ?*count* = 0)\n"
                   "(deffacts more (bonus 7))\n"
                   "(defrule same (player ?p) => (assert (worth 3)))\n"
                   "(defrule text (bonus ?n) => (assert (worth ?n \"a bonus\" x 1 2.5)))\n"
                   "(defrule half => (assert (worth (half 5) \"rounded\")))\n"
                   "(defrule once (player ?p) => (assert (seen it)))\n"
                   "(defrule count (empty ?) => (bind ?*count* (+ ?*count* 1)))\n"
                   "(defrule last (declare (salience -9)) =>\n"
                   "  (assert (worth (* 100 ?*count*)))\n"
                   "  (printout t \"counted \" ?*count* crlf))\n");
    assert_true(knowledge_is_clips(k));
    assert_string_equal(knowledge_title(k), "test.clp");
    Reasoner *r = reasoner_new(k);
    // Globals begin anew in each position; equal ones count each.
    for (int i = 0; i < 3; i++)
        assert_int_equal(reasoner_worth(r, g->start, 0), 3 + 3 + 7 + 3 + 900);
    const ClipsFound *f = reasoner_clips(r, g->start, 0, CLIPS_FACTS);
    assert_int_equal(f->worths, 5);
    expect_facts(f, "seen", "(seen it)");
    assert_string_equal(f->printed, "counted 9\n");
    for (int i = 0; i < f->worths; i++)
        if (f->worth[i].weight == 7) {
            assert_string_equal(f->worth[i].sentence, "a bonus");
            assert_string_equal(f->worth[i].about, "x 1 2.5");
        }
    // The rest of the calls: facts of the game, no priorities, no machine code.
    Text why = {0};
    const Move *moves;
    Runner *runner = runner_new(g);
    uint64_t after[IR_MAX_STATE / 8];
    assert_true(knowledge_use(k, BACKEND_NATIVE, &why));
    assert_int_equal(runner_moves(runner, g->start, &moves), 9);
    Move move = moves[0];
    assert_true(runner_apply(runner, g->start, move, (uint8_t *)after));
    assert_int_equal(reasoner_priority(r, g->start, move, (uint8_t *)after), PRIORITY_ONE);
    assert_int_equal(reference_worth(r, (uint8_t *)after, 0), 3 + 3 + 7 + 3 + 800);
    assert_null(reasoner_error(r));
    runner_free(runner);
    text_free(&why);
    reasoner_free(r);
    knowledge_free(k);
    game_free(g);
}

// --- rules that are written twice ---

static void test_byte(void **unused) {
    (void)unused;
    skip_without_clips();
    const char *given = getenv("LUDENS_STATES");
    long states = given ? atol(given) : STATES;
    Game *g = load_game("byte");
    Diags diags = {0};
    Knowledge *rules = knowledge_load(g, "tests/knowledge/byte.rules", &diags);
    Knowledge *clips = knowledge_load(g, "tests/knowledge/byte.clp", &diags);
    assert_non_null(rules);
    assert_non_null(clips);
    Text why = {0};
    bool native = given && knowledge_use(rules, BACKEND_NATIVE, &why);
    Reasoner *ours = reasoner_new(rules), *theirs = reasoner_new(clips);
    Runner *runner = runner_new(g);
    Rng rng;
    Move move;
    uint64_t state[IR_MAX_STATE / 8];
    int64_t different = 0, last = 0;
    rng_seed(&rng, 5);
    memcpy(state, g->start, (size_t)game_state_size(g));
    for (long i = 0; i < states; i++) {
        const uint8_t *s = (const uint8_t *)state;
        int me = (int)(i % 2);
        int64_t value = reasoner_worth(theirs, s, me);
        assert_null(reasoner_error(theirs));
        if (value != reference_worth(ours, s, me) || value != reasoner_worth(ours, s, me)) {
            Text text = {0};
            state_text(g, s, &text);
            fail_msg("%s, for player %d: CLIPS %lld, reference %lld, code %lld", text_c(&text), me,
                     (long long)value, (long long)reference_worth(ours, s, me),
                     (long long)reasoner_worth(ours, s, me));
        }
        different += value != last;
        last = value;
        if (runner_random(runner, s, rng_next(&rng), &move) != 1 ||
            !runner_apply(runner, s, move, (uint8_t *)state))
            memcpy(state, g->start, (size_t)game_state_size(g));
    }
    assert_true(different > states / 2); // the positions say something
    print_message("# %ld positions%s\n", states, native ? ", with machine code" : "");
    text_free(&why);
    runner_free(runner);
    reasoner_free(ours);
    reasoner_free(theirs);
    knowledge_free(rules);
    knowledge_free(clips);
    diag_free(&diags);
    game_free(g);
}

// Players judge by them as by other rules.
static void test_players(void **unused) {
    (void)unused;
    skip_without_clips();
    Game *g = load_game("byte");
    Diags diags = {0};
    Text why = {0};
    Knowledge *known[2] = {knowledge_load(g, "tests/knowledge/byte.rules", &diags),
                           knowledge_load(g, "tests/knowledge/byte.clp", &diags)};
    Runner *runner = runner_new(g);
    Record *record = record_new(runner, NULL);
    SearchResult result[2];
    for (int i = 0; i < 2; i++) {
        assert_non_null(known[i]);
        Evaluation *e = evaluation_knowing(g, "auto", known[i], &why);
        assert_string_equal(evaluation_name(e), "own");
        evaluation_free(e);
        Player *p = player_knowing(g, "plain-alphabeta:depth=2", known[i], &why);
        assert_non_null(p);
        SearchTask task = {.record = record};
        assert_true(player_search(p, &task, &result[i]));
        player_free(p);
        knowledge_free(known[i]);
    }
    assert_true(move_equal(result[0].move, result[1].move));
    assert_int_equal(result[0].value, result[1].value);
    record_free(record);
    runner_free(runner);
    text_free(&why);
    diag_free(&diags);
    game_free(g);
}

// --- faults ---

typedef struct Fault {
    const char *text;
    int line; // 0: none
    const char *message;
} Fault;

static const Fault faults[] = {
    {"\n(defrule a\n  (me ?p)\n  (on ?c\n  =>\n  (assert (worth 1)))", 6, "Syntax Error"},
    {"(defrule a =>\n (assert (worth (foo 1))))", 2, "Missing function declaration for foo"},
    {"(defrule a\n => (system \"true\"))", 2, "system is not available"},
    {"(defrule a => (open \"x\" f \"w\"))", 1, "open is not available"},
    {"(defrule a => (load \"x\"))", 1, "load is not available"},
    {"(defrule a => (batch \"x\"))", 1, "batch is not available"},
    {"(defrule a => (exit))", 1, "exit is not available"},
    {"(defrule a => (eval \"(exit)\"))", 1, "eval is not available"},
    {"(defrule a => (build \"(defrule b =>)\"))", 1, "build is not available"},
    {"(defrule a => (read))", 1, "read is not available"},
    {"(defrule a => (format nil \"%9999d\" 1))", 1, "format is not available"},
    {"(defrule a => (assert (worth (random))))", 1, "random is not available"},
    {"(defrule a => (funcall dribble-on \"x\"))", 0, "Function funcall expected argument #1"},
    {"(defclass X (is-a USER))", 1, "no objects"},
    {"(defmethod m ((?x INTEGER)) 1)", 1, "no objects"},
    {"(defrule a => (make-instance x of USER))", 1, "make-instance is not available"},
    {"(assert (worth 1))", 1, "Expected the beginning of a construct"},
    {"some text", 1, "Expected the beginning of a construct"},
    {"(defrule a => (bind ?x \"open", 1, "End-Of-File"},
    {"(deftemplate on (slot cell))", 0, "`on` is a fact without slots"},
    {"(deftemplate worth (slot n))", 0, "`worth` is a fact without slots"},
    {"(defrule a => (assert (worth)))", 0, "`(worth)` has no number"},
    {"(defrule a => (assert (worth ten)))", 0, "begins with a number"},
    {"(defrule a => (assert (worth 1e30)))", 0, "larger than 1000000000000"},
    {"(defrule a (me ?p) => (assert (worth (+ 1 ?p))))", 0, "[ARGACCES5]"},
    {"(defrule a (me ?p) (test (> ?p 3)) => (assert (worth 1)))", 0, "[ARGACCES5]"},
    {"(defrule a => (assert (worth (div 1 0))))", 0, "divide by zero"},
    {"(defrule a => (assert (worth (mod 1 0))))", 0, "divide by zero"},
    {"(deffacts s (n 1)) (defrule a (n ?x) => (assert (n (+ ?x 1))))", 0, "more than 100000 rules"},
    {"(deffunction f (?x) (f (+ 1 ?x))) (defrule a => (f 1))", 0, "too deep"},
    {"(deffunction f (?x)) (deffunction g (?x) (f ?x)) (deffunction f (?x) (g ?x))\n"
     "(defrule a => (f 1))",
     0, "too deep"},
    {"(defrule a => (while TRUE do (bind ?x 1)))", 0, "too long"},
    {"(defrule a => (bind ?x \"a\") (loop-for-count (?i 1 60) do (bind ?x (str-cat ?x ?x))))", 0,
     "a text that is too long"},
    {"(defrule a => (bind ?m (create$ 1 2)) (while TRUE do (bind ?m (create$ ?m ?m))))", 0,
     "a multifield that is too long"},
    {"(deffacts s (x 1 2 3 4 5 6 7 8 9))\n"
     "(defrule a ?f <- (x $?m) (test (< (length$ ?m) 250)) => (retract ?f) (assert (x ?m ?m)))\n"
     "(defrule b (x $? ?a $? ?b $? ?c $? ?d $? none $?) => )",
     0, "too long"},
    {"(defrule a => (loop-for-count 10001 (assert (worth 1))))", 0, "too many facts `worth`"},
    {"(defmodule OTHER) (deftemplate worth (slot x)) (defrule a => (assert (worth (x 3))))\n"
     "(defrule MAIN::go => (focus OTHER))",
     0, "needs no deftemplate"},
    {"(defrule a => (sort assert 3 1 2))", 0, "[ARGACCES5]"},
    {"(defrule a => (sort switch 3 1 2))", 0, "[ARGACCES5]"},
    {"(defrule b (go) (cell ?a $?) (cell ?b $?) (cell ?c $?) (cell ?d $?) (cell ?e $?)\n"
     "  (cell ?f $?) (cell ?g $?) (cell ?h $?) (cell ?i $?) => )\n"
     "(defrule z => (assert (go)))",
     0, "too much memory"},
};

static void expect_fault(const Game *g, const char *text, size_t size, int line,
                         const char *message) {
    Diags diags = {0};
    Knowledge *k = knowledge_compile(g, "test.clp", text, size, &diags);
    if (k || !diags.errors || !diags.count)
        fail_msg("accepted: %s", text);
    const Diag *d = &diags.items[0];
    bool slow = strstr(message, "memory") || strstr(message, "100000"); // or time runs out first
    bool said = strstr(d->message, message) || (slow && strstr(d->message, "too long"));
    if (!said || d->span.line != line)
        fail_msg("line %d, not %d, `%s`: %s", d->span.line, line, message, d->message);
    diag_free(&diags);
}

static void test_faults(void **unused) {
    (void)unused;
    skip_without_clips();
    Game *g = load_game("tic-tac-toe");
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        expect_fault(g, faults[i].text, strlen(faults[i].text), faults[i].line, faults[i].message);
    expect_fault(g, "(defrule a\0 =>)", 15, 0, "is not a text");
    game_free(g);
}

// A rule in place of another of the same name is seldom meant.
static void test_warning(void **unused) {
    (void)unused;
    skip_without_clips();
    static const char text[] = "(deffunction f (?x))\n(deffunction f (?x) 1)\n"
                               "(defrule a =>)\n(defrule a (me ?p) =>)\n";
    Game *g = load_game("tic-tac-toe");
    Diags diags = {0};
    Knowledge *k = knowledge_compile(g, "test.clp", text, strlen(text), &diags);
    assert_non_null(k);
    assert_int_equal(diags.count, 1);
    assert_int_equal(diags.items[0].span.line, 4);
    assert_non_null(strstr(diags.items[0].message, "Redefining defrule: a"));
    knowledge_free(k);
    diag_free(&diags);
    game_free(g);
}

// The deepest that is read, and one more.
static void test_depth(void **unused) {
    (void)unused;
    skip_without_clips();
    Game *g = load_game("tic-tac-toe");
    for (int depth = 200; depth <= 201; depth++) {
        Text text = {0};
        text_add(&text, "(defrule a => (assert (worth ");
        for (int i = 4; i <= depth; i++)
            text_add(&text, "(+ 1 ");
        text_add(&text, "1");
        for (int i = 4; i <= depth; i++)
            text_add(&text, ")");
        // In comments and strings they do not count.
        text_add(&text, "))) ; ((((\n(defrule b => (printout t \"((\\\"((\"))");
        if (depth == 200) {
            Knowledge *k = compile(g, text_c(&text));
            knowledge_free(k);
        } else {
            expect_fault(g, text_c(&text), text.n, 1, "more than 200 parentheses");
        }
        text_free(&text);
    }
    game_free(g);
}

// Statements and conditions inside one another: CLIPS itself indents them in 120 bytes.
static void test_nested(void **unused) {
    (void)unused;
    skip_without_clips();
    static const struct {
        const char *head, *open, *close;
        int depth;
    } nested[] = {
        {"(defrule a (me ?) =>", "(if TRUE then ", ")", 190},
        {"(defrule a =>", "(while FALSE do ", ")", 190},
        {"(defrule a (me ?)", "(not (and (me ?) ", "))", 60},
    };
    Game *g = load_game("tic-tac-toe");
    for (size_t i = 0; i < sizeof nested / sizeof *nested; i++) {
        Text text = {0};
        Diags diags = {0};
        text_add(&text, nested[i].head);
        for (int k = 0; k < nested[i].depth; k++)
            text_add(&text, nested[i].open);
        text_add(&text, strchr(nested[i].head, '>') ? "(bind ?x 1)" : "(mover ?)");
        for (int k = 0; k < nested[i].depth; k++)
            text_add(&text, nested[i].close);
        text_add(&text, strchr(nested[i].head, '>') ? ")" : " =>)");
        Knowledge *k = knowledge_compile(g, "test.clp", text_c(&text), text.n, &diags);
        if (!k && (!diags.count || !strstr(diags.items[0].message, "too")))
            fail_msg("%s: %s", nested[i].open, diags.count ? diags.items[0].message : "no reason");
        knowledge_free(k);
        diag_free(&diags);
        text_free(&text);
    }
    game_free(g);
}

// As many facts `worth` as there can be; test_faults has one more.
static void test_many_worths(void **unused) {
    (void)unused;
    skip_without_clips();
    Game *g = load_game("tic-tac-toe");
    Knowledge *k = compile(g, "(defrule a => (loop-for-count 10000 (assert (worth 2))))");
    Reasoner *r = reasoner_new(k);
    assert_non_null(r);
    assert_int_equal(reasoner_worth(r, g->start, 0), 20000);
    assert_int_equal(reasoner_worth(r, g->start, 1), 20000);
    reasoner_free(r);
    knowledge_free(k);
    game_free(g);
}

// What is harmless although it looks otherwise.
static void test_harmless(void **unused) {
    (void)unused;
    skip_without_clips();
    Game *g = load_game("tic-tac-toe");
    Knowledge *k =
        compile(g, "(defrule a => (assert (open b) (system c)))\n"
                   "(defrule b (open ?x) (system ?y) =>\n"
                   "  (assert (worth (mod -9223372036854775808 -1))\n"
                   "          (worth (div 17 2 -1)) (worth (mod 7.5 2))))\n"
                   "(defrule c => (bind ?x (div -9223372036854775808 -1)))\n"
                   "(deffunction fac (?n) (if (<= ?n 1) then 1 else (* ?n (fac (- ?n 1)))))\n"
                   "(defrule d => (assert (worth (fac 10))))\n");
    Reasoner *r = reasoner_new(k);
    assert_int_equal(reasoner_worth(r, g->start, 0), 0 - 8 + 2 + 3628800);
    reasoner_free(r);
    knowledge_free(k);
    game_free(g);
}

// A fault in one position says nothing about the next.
static void test_goes_on(void **unused) {
    (void)unused;
    skip_without_clips();
    Game *g = load_game("tic-tac-toe");
    Knowledge *k = compile(g, "(deffunction f (?x) (f ?x))\n"
                              "(defrule a (on a1 $?) => (f 1))\n"
                              "(defrule b (on a2 ?k ?p) => (assert (worth (+ ?p 1))))\n"
                              "(defrule c => (assert (worth 4)))\n");
    Reasoner *r = reasoner_new(k);
    void *deep = state_of(g, "3/3/X2 n"), *wrong = state_of(g, "3/X2/3 n");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(reasoner_worth(r, deep, 0), 0);
        assert_string_equal(reasoner_error(r), "test.clp: functions call one another too deep");
        assert_int_equal(reasoner_worth(r, g->start, 0), 4);
        assert_null(reasoner_error(r));
        assert_int_equal(reasoner_worth(r, wrong, 0), 0);
        assert_non_null(strstr(reasoner_error(r), "[ARGACCES5] Function + expected argument #1"));
    }
    free(deep);
    free(wrong);
    reasoner_free(r);
    knowledge_free(k);
    game_free(g);
}

// --- memory ---

// After some positions CLIPS has all it needs: more of them take nothing. With LUDENS_STATES so
// many are judged.
static void test_memory(void **unused) {
    (void)unused;
    skip_without_clips();
    const char *given = getenv("LUDENS_STATES");
    long states = given ? atol(given) : STATES;
    Game *g = load_game("byte");
    Diags diags = {0};
    Knowledge *k = knowledge_load(g, "tests/knowledge/byte.clp", &diags);
    assert_non_null(k);
    Reasoner *r = reasoner_new(k);
    for (int i = 0; i < 10; i++)
        (void)reasoner_worth(r, g->start, i % 2);
    mem_fail_at(LONG_MAX);
    for (long i = 0; i < states; i++)
        (void)reasoner_worth(r, g->start, (int)(i % 2));
    long taken = LONG_MAX - mem_fail_at(0);
    assert_true(taken < 20);
    reasoner_free(r);
    knowledge_free(k);
    diag_free(&diags);
    game_free(g);
}

static void test_out_of_memory(void **unused) {
    (void)unused;
    skip_without_clips();
    static const char rules[] = "(deffunction f (?x) (* ?x 2))\n"
                                "(defrule a (empty ?c) => (assert (worth (f 2) \"room\" ?c)))\n";
    Game *g = load_game("tic-tac-toe");
    mem_fail_at(LONG_MAX);
    Knowledge *k = compile(g, rules);
    Reasoner *r = reasoner_new(k);
    assert_int_equal(reasoner_clips(r, g->start, 0, CLIPS_ALL)->value, 36);
    long all = LONG_MAX - mem_fail_at(0);
    reasoner_free(r);
    knowledge_free(k);
    assert_true(all > 1000);
    for (long n = 1; n <= all; n += n < 60 || n > all - 60 ? 1 : 97) {
        Diags diags = {0};
        mem_fail_at(n);
        k = knowledge_compile(g, "test.clp", rules, sizeof rules - 1, &diags);
        r = k ? reasoner_new(k) : NULL;
        const ClipsFound *f = r ? reasoner_clips(r, g->start, 0, CLIPS_ALL) : NULL;
        mem_fail_at(0);
        if (f)
            assert_int_equal(f->value, 36);
        else if (!k)
            assert_true(diags.errors > 0);
        if (r) // and now there is memory again
            assert_int_equal(reasoner_worth(r, g->start, 0), 36);
        reasoner_free(r);
        knowledge_free(k);
        diag_free(&diags);
    }
    game_free(g);
}

// --- threads ---

typedef struct Thread {
    pthread_t id;
    const Knowledge *k;
    const Game *g;
    uint64_t sum; // of the values, each with its place; 0: the rules failed
} Thread;

static void *judge(void *with) {
    Thread *t = with;
    Reasoner *r = reasoner_new(t->k);
    Runner *runner = runner_new(t->g);
    uint64_t state[IR_MAX_STATE / 8];
    Rng rng;
    Move move;
    rng_seed(&rng, 9);
    memcpy(state, t->g->start, (size_t)game_state_size(t->g));
    for (int i = 0; i < 30; i++) {
        t->sum = 7 * t->sum + (uint64_t)reasoner_worth(r, (uint8_t *)state, i % 2);
        if (runner_random(runner, (uint8_t *)state, rng_next(&rng), &move) == 1)
            (void)runner_apply(runner, (uint8_t *)state, move, (uint8_t *)state);
    }
    if (reasoner_error(r))
        t->sum = 0;
    runner_free(runner);
    reasoner_free(r);
    return NULL;
}

static void test_threads(void **unused) {
    (void)unused;
    skip_without_clips();
    Game *g = load_game("byte");
    Diags diags = {0};
    Knowledge *k = knowledge_load(g, "tests/knowledge/byte.clp", &diags);
    assert_non_null(k);
    Thread t[4] = {0};
    for (int i = 0; i < 4; i++) {
        t[i] = (Thread){.k = k, .g = g};
        assert_int_equal(pthread_create(&t[i].id, NULL, judge, &t[i]), 0);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(t[i].id, NULL);
    for (int i = 1; i < 4; i++)
        assert_int_equal(t[i].sum, t[0].sum);
    assert_true(t[0].sum != 0);
    knowledge_free(k);
    diag_free(&diags);
    game_free(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts),    cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_own_name), cmocka_unit_test(test_worth),
        cmocka_unit_test(test_byte),     cmocka_unit_test(test_faults),
        cmocka_unit_test(test_warning),  cmocka_unit_test(test_depth),
        cmocka_unit_test(test_nested),   cmocka_unit_test(test_many_worths),
        cmocka_unit_test(test_harmless), cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_memory),   cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_threads),  cmocka_unit_test(test_players),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
