// The evaluator of expressions on a state (ir/eval*.c) against the plain walk of walk_ir.h, which
// the interpreter is held to as well: every value that comes up in turns and end rules of all
// games of the library, on positions of random games. And what it does when it may not go on.
#include <stdbool.h>
#include <stddef.h>

struct Walk;
struct IrExpr;
union IrValue;
static void compare(const struct Walk *w, const struct IrExpr *e, const union IrValue *value,
                    const union IrValue *locals);
#define WALK_NOTE(walk, expr, value) compare(walk, expr, &(value), locals)
#include "walk_ir.h"

#include "base/rng.h"
#include "game/game.h"
#include "game/library.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define PLIES 100
#define WALKS 10      // of a turn in each position
#define VALUES 100000 // compared in each game, at most

static bool seen[IR_BEFORE + 1];
static long compared;

static void compare(const Walk *w, const IrExpr *e, const IrValue *value, const IrValue *locals) {
    if (compared >= VALUES || w->faulted)
        return;
    compared++;
    seen[e->op] = true;
    long steps = 10000000;
    IrView view = {.state = w->s, .me = w->me};
    IrEval eval = {w->g, &view, (IrValue *)(uintptr_t)locals, INT_MAX, &steps};
    IrValue out;
    bool ok = ir_value(&eval, e, &out);
    bool same = ok && out.number == value->number;
    if (ok && e->type.kind == TY_SET)
        same = memcmp(out.set, value->set, 8 * (size_t)w->g->board->words) == 0;
    if (same)
        return;
    Text text = {0};
    ir_print_expr(w->g, NULL, e, &text);
    print_error("%s: line %d: %s is %lld, not %lld\n", w->g->title, e->span.line, text_c(&text),
                ok ? (long long)out.number : -1, (long long)value->number);
    text_free(&text);
    fail();
}

// Runs the turn along a few ways through its choices.
static void walk_turn(Walk *w, const uint8_t *state, uint8_t *to, Rng *rng) {
    w->length = 0;
    for (int i = 0; i < WALKS && compared < VALUES; i++) {
        walk_run(w, state, to);
        if (w->at == 0)
            return;
        int k = (int)rng_below(rng, (uint64_t)w->at);
        w->script[k] = (int)rng_below(rng, (uint64_t)w->members[k]);
        w->length = k + 1;
    }
}

static void walk_game(Game *g, const char *name) {
    if (!g)
        fail_msg("%s does not load", name);
    Runner *r = runner_new(g);
    Rng rng;
    rng_seed(&rng, 7);
    static uint64_t now[IR_MAX_STATE / 8], to[IR_MAX_STATE / 8];
    uint8_t *state = (uint8_t *)now;
    memcpy(now, g->start, (size_t)game_state_size(g));
    Walk *w = calloc(1, sizeof *w);
    w->g = g->ir;
    compared = 0;
    for (int ply = 0; ply < PLIES && compared < VALUES; ply++) {
        walk_turn(w, state, (uint8_t *)to, &rng);
        w->s = state;
        w->me = game_player(g, state);
        w->failed = w->faulted = false;
        walk_rules(w, &g->ir->stuck, 0);
        walk_rules(w, &g->ir->all_stuck, 0);
        Move move;
        if (runner_random(r, state, rng_next(&rng), &move) != 1 ||
            !runner_apply(r, state, move, state))
            memcpy(now, g->start, (size_t)game_state_size(g));
    }
    assert_true(compared > 0);
    free(w);
    runner_free(r);
    game_free(g);
}

// What no game of the library asks while it is played.
static const char rest[] =
    "game \"Rest\"\n"
    "players Red, Green, Blue\n"
    "board square 5 x 5\n"
    "    stacks of 6\n"
    "piece man of Red \"r\", Green \"g\", Blue \"b\"\n"
    "piece king of Red \"R\", Green \"G\", Blue \"B\"\n"
    "piece rock \"x\"\n"
    "var last : cell or none = none\n"
    "var n : -100..100 = 3\n"
    "let tall = the c in occupied with most height(c)\n"
    "let far(c) = max d in directions : count ray(c, d while empty)\n"
    "turn\n"
    "    choose to in cells where height(it) < 6 and far(it) >= 0\n"
    "    require piece(to, 0) != king or height(to) > 1 or n % 2 == 0 or last == none\n"
    "    if abs(n - 5) % 3 == 1\n"
    "        place king at to\n"
    "    else\n"
    "        place man at to\n"
    "    n = min(max(-n + (sum c in occupied : height(c) - 1) + count c in occupied : height(c) > "
    "1, -90), 90)\n"
    "    last = to\n"
    "end\n"
    "    me wins when owner(tall) in {me, owner(last)} and count (cells where height(it) > 2) > 3\n"
    "    draw when (sum c in occupied : height(c)) > 60\n";

static void test_rest(void **state) {
    (void)state;
    Diags diags = {0};
    Game *g = game_compile("rest.game", rest, sizeof rest - 1, NULL, 0, &diags);
    if (!g) {
        Text text = {0};
        diag_print(&diags, &text, false);
        print_error("%s", text_c(&text));
        text_free(&text);
    }
    diag_free(&diags);
    walk_game(g, "rest");
}

static void test_library(void **state) {
    (void)state;
    static const char *const names[] = {
#define X(op, name, meaning) #op,
        IR_OPS(X)
#undef X
    };
    for (int i = 0; i < library_count; i++) {
        Diags diags = {0};
        const char *name = library_games[i].name;
        walk_game(game_load(name, NULL, 0, &diags), name);
        diag_free(&diags);
    }
    seen[IR_WRAP] = true; // only in S3 files whose numbers may overflow
    for (int op = 0; op < IR_KNOWN; op++)
        if (!seen[op])
            print_error("%s was never asked\n", names[op]);
    for (int op = 0; op < IR_KNOWN; op++)
        assert_true(seen[op]);
}

// Out of steps is no value, wherever that happens; with enough of them there is one.
static void test_steps(void **state) {
    (void)state;
    Diags diags = {0};
    Game *g = game_load("mill", NULL, 0, &diags);
    assert_non_null(g);
    const IrExpr *cond = g->ir->end.rule[0].cond;
    IrValue *locals = calloc((size_t)g->ir->end.frame.slots + 1, sizeof *locals);
    IrView view = {.state = g->start};
    IrValue out;
    long needed = 0;
    for (bool done = false; !done; needed++) {
        long steps = needed;
        IrEval eval = {g->ir, &view, locals, g->ir->end.frame.slots, &steps};
        done = ir_value(&eval, cond, &out);
        assert_true(done == (steps >= 0));
        assert_true(needed < 1000);
    }
    assert_true(needed > 3);
    long steps = 1000;
    assert_false(ir_eval(g->ir, cond, locals, &out, &steps)); // not without a state
    free(locals);
    game_free(g);
    diag_free(&diags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_library),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests_name("eval", tests, NULL, NULL);
}
