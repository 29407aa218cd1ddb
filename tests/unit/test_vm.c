// The interpreter: every game of the library against a plain walk over the IR (walk_ir.h), moves
// that are none, and small rules for what is easy to get wrong: locals behind resumed choices,
// where the search for moves may stop, faults, bounds, stacks, sets of several words.
#include "walk_ir.h"

#include "base/rng.h"
#include "game/game.h"
#include "game/library.h"
#include "vm/vm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define MAX_MOVES 5000
#define SCATTERED 0x31c8 // the cells that seed 11 gives

// A small game under test.
typedef struct Bench {
    Game *game;
    Vm *vm;
    uint64_t state[IR_MAX_STATE / 8];
    Move move[MAX_MOVES];
} Bench;

static uint8_t *bytes(uint64_t *state) {
    return (uint8_t *)state;
}

static Bench *bench_of(Game *game, Diags *diags) {
    if (!game) {
        Text text = {0};
        diag_print(diags, &text, false);
        print_error("%s\n", text_c(&text));
        text_free(&text);
        fail();
    }
    Bench *b = calloc(1, sizeof *b);
    b->game = game;
    b->vm = vm_new(game->program);
    assert_non_null(b->vm);
    memcpy(b->state, game->start, (size_t)game_state_size(game));
    return b;
}

// Rules without their heading: two players, W and B.
static Bench *rules(const char *text) {
    Diags diags = {0};
    Text all = {0};
    text_add(&all, "game \"Test\"\nplayers W, B\n");
    text_add(&all, text);
    if (!strstr(text, "\nend"))
        text_add(&all, "end\n    draw when me == B and me == W\n");
    Game *game = game_compile("test.game", all.s, all.n, NULL, 0, &diags);
    Bench *b = bench_of(game, &diags);
    text_free(&all);
    diag_free(&diags);
    return b;
}

static void done(Bench *b) {
    vm_free(b->vm);
    game_free(b->game);
    free(b);
}

static int moves(Bench *b) {
    int n = vm_moves(b->vm, bytes(b->state), b->move, MAX_MOVES);
    assert_int_equal(vm_count(b->vm, bytes(b->state)), n);
    assert_int_equal(vm_any(b->vm, bytes(b->state)), n > 0);
    return n;
}

static void play(Bench *b, int n) {
    assert_true(moves(b) > n);
    assert_true(vm_apply(b->vm, bytes(b->state), b->move[n], bytes(b->state)));
}

// --- every game, against the walk ---

typedef struct Variant {
    const char *name;
    const char *param[3];
} Variant;

static const Variant variants[] = {
    {"mill", {"flying=no", "men=4"}},
    {"mill", {"mills_are_safe=yes"}},
    {"byte", {"size=10"}},
    {"skirmish", {"reds=2", "blues=4", "rocks=6"}},
    {"domineering", {"rows=5", "columns=16"}},
    {"alquerque", {"compulsory=no"}},
    {"connect-four", {"width=9", "height=9"}},
    {"reversi", {"size=10"}},
    {"hex", {"size=9"}},
    {"breakthrough", {"size=5"}},
};

static void differ(const Bench *b, const char *what) {
    print_error("%s: %s\n", b->game->name, what);
    fail();
}

// All moves of a state, by walking; compares them and the states they lead to.
static void compare_moves(Bench *b, Walk *w, int n) {
    uint64_t walked[IR_MAX_STATE / 8], applied[IR_MAX_STATE / 8];
    size_t size = (size_t)game_state_size(b->game);
    int found = 0;
    w->length = 0;
    do {
        if (!walk_run(w, bytes(b->state), bytes(walked)))
            continue;
        if (found >= n || !move_equal(w->move, b->move[found]))
            differ(b, "other moves than by walking");
        VmChoice choice[VM_MAX_CHOICES];
        int choices = vm_choices(b->vm, bytes(b->state), b->move[found], choice, VM_MAX_CHOICES);
        int made = 0;
        for (int i = 0; i < choices; i++) {
            const IrSite *site = &b->game->ir->site[choice[i].site];
            if (site->bits == 0 && site->lo < site->hi)
                continue; // a name in the text of the move
            assert_int_equal(choice[i].value, w->chosen[made]);
            made++;
        }
        assert_int_equal(made, w->at);
        VmStop stop = vm_follow(b->vm, bytes(b->state), w->chosen, w->at);
        assert_int_equal(stop.kind, VM_DONE);
        assert_int_equal(stop.index, w->at);
        assert_true(move_equal(stop.move, w->move));
        assert_true(vm_apply(b->vm, bytes(b->state), b->move[found], bytes(applied)));
        if (memcmp(walked, applied, size) != 0)
            differ(b, "another state than by walking");
        found++;
    } while (walk_next(w));
    if (found != n)
        differ(b, "more moves than by walking");
}

static bool is_move(const Bench *b, int n, Move m) {
    for (int i = 0; i < n; i++)
        if (move_equal(b->move[i], m))
            return true;
    return false;
}

// Moves with a few bits turned are played exactly if they are in the list; the state stays whole.
static void try_false_moves(Bench *b, Rng *rng, int n) {
    uint64_t to[IR_MAX_STATE / 8], before[IR_MAX_STATE / 8];
    size_t size = (size_t)game_state_size(b->game);
    memcpy(before, b->state, size);
    for (int i = 0; i < 50; i++) {
        Move m = n ? b->move[rng_below(rng, (uint64_t)n)] : (Move){{0, 0}};
        for (uint64_t k = rng_below(rng, 4); k > 0; k--)
            m.w[0] ^= (uint64_t)1 << rng_below(rng, 20);
        if (rng_below(rng, 10) == 0)
            m.w[rng_below(rng, 2)] ^= (uint64_t)1 << rng_below(rng, 63);
        if (move_is_pass(m))
            continue;
        memset(to, 0x5a, size);
        bool played = vm_apply(b->vm, bytes(b->state), m, bytes(to));
        if (played != is_move(b, n, m) && !vm_fault(b->vm).message)
            differ(b, played ? "plays a false move" : "does not play a move");
        if (!played)
            assert_int_equal(to[0], 0x5a5a5a5a5a5a5a5a);
    }
    assert_memory_equal(before, b->state, size);
}

static void compare_stuck(Bench *b, Walk *w) {
    w->s = bytes(b->state);
    w->me = game_player(b->game, bytes(b->state));
    int result = walk_rules(w, &b->game->ir->stuck, RESULT_OVER);
    assert_int_equal(vm_stuck(b->vm, bytes(b->state), false), result < 0 ? VM_PASS : result);
    result = walk_rules(w, &b->game->ir->all_stuck, RESULT_OVER);
    assert_int_equal(vm_stuck(b->vm, bytes(b->state), true), result < 0 ? VM_PASS : result);
}

static void compare_game(Game *game, Diags *diags, int plies) {
    Bench *b = bench_of(game, diags);
    Rng rng;
    rng_seed(&rng, 42);
    Walk w = {.g = game->ir};
    for (int ply = 0; ply < plies; ply++) {
        int n = moves(b);
        if (n <= 200 || ply % 8 == 0)
            compare_moves(b, &w, n);
        try_false_moves(b, &rng, n);
        compare_stuck(b, &w);
        if (n == 0 || bytes(b->state)[game->ir->layout.result])
            memcpy(b->state, game->start, (size_t)game_state_size(game));
        else
            assert_true(vm_apply(b->vm, bytes(b->state), b->move[rng_below(&rng, (uint64_t)n)],
                                 bytes(b->state)));
    }
    done(b);
}

static void test_library(void **state) {
    (void)state;
    for (int i = 0; i < library_count; i++) {
        Diags diags = {0};
        bool large = strcmp(library_games[i].name, "amazons") == 0;
        Game *game = game_load(library_games[i].name, NULL, 0, &diags);
        compare_game(game, &diags, large ? 3 : 40);
        diag_free(&diags);
    }
}

static void test_variants(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        Diags diags = {0};
        int n = 0;
        while (n < 3 && variants[i].param[n])
            n++;
        Game *game = game_load(variants[i].name, variants[i].param, n, &diags);
        compare_game(game, &diags, 60);
        diag_free(&diags);
    }
}

// Small rules against the walk.
static void compare_rules(const char *text, int plies) {
    Bench *b = rules(text);
    Rng rng;
    rng_seed(&rng, 7);
    Walk w = {.g = b->game->ir};
    for (int ply = 0; ply < plies; ply++) {
        int n = moves(b);
        compare_moves(b, &w, n);
        try_false_moves(b, &rng, n);
        if (n == 0)
            break;
        play(b, (int)rng_below(&rng, (uint64_t)n));
    }
    done(b);
}

// --- choices ---

static void test_choice_in_while(void **state) {
    (void)state;
    Bench *b = rules("board square 2 x 2\n"
                     "piece man of W, B\n"
                     "turn\n"
                     "    var total : 0..20 = 0\n"
                     "    while total < 5 up to 9\n"
                     "        let before = total\n"
                     "        choose part in 1 .. 3\n"
                     "        total = min(20, before + part)\n"
                     "    require total == 5\n");
    // Compositions of 5 into parts 1, 2, 3.
    assert_int_equal(moves(b), 13);
    Walk w = {.g = b->game->ir};
    compare_moves(b, &w, 13);
    done(b);
}

static void test_choice_in_for(void **state) {
    (void)state;
    compare_rules("board square 3 x 2\n"
                  "piece man of W, B\n"
                  "var seen : 0..1000 = 0\n"
                  "turn\n"
                  "    var all_in : 0..20 = 0\n"
                  "    for c in cells where column(it) < 3\n"
                  "        let old = all_in\n"
                  "        either \"stay\"\n"
                  "            all_in = min(20, old + 1)\n"
                  "        or \"put\"\n"
                  "            require c in empty\n"
                  "            place man at c\n"
                  "            choose extra in 1 .. 2\n"
                  "            all_in = min(20, old + extra)\n"
                  "        or \"take\"\n"
                  "            require c in mine\n"
                  "            remove c\n"
                  "    require all_in % 2 == 0\n"
                  "    choose last in mine\n"
                  "    seen = min(1000, seen + all_in)\n"
                  "    remove last\n",
                  12);
}

static void test_nested_loops(void **state) {
    (void)state;
    compare_rules("board square 3 x 3\n"
                  "piece man of W, B\n"
                  "turn\n"
                  "    var at : cell or none = b2\n"
                  "    choose start in empty\n"
                  "    place man at start\n"
                  "    while at != none up to 3\n"
                  "        let here = at\n"
                  "        choose d in directions where step(here, it) in empty\n"
                  "        for x in {here} | next(here) where it in mine\n"
                  "            either\n"
                  "                at = step(here, d)\n"
                  "            or\n"
                  "                at = none\n"
                  "                require x != start\n"
                  "        if at != none\n"
                  "            place man at at\n",
                  3);
}

// The members of a loop are fixed when it begins, whatever the body changes.
static void test_members_are_fixed(void **state) {
    (void)state;
    compare_rules("board square 4 x 4\n"
                  "    lines of 2\n"
                  "piece man of W, B\n"
                  "var n : 0..100 = 1\n"
                  "turn\n"
                  "    choose to in empty\n"
                  "    place man at to\n"
                  "    for c in mine where some next(it) & occupied\n"
                  "        remove next(c)\n"
                  "        n = min(100, n + 1)\n"
                  "    for l in lines where no l & occupied\n"
                  "        place man at l & next(to)\n"
                  "    for k in -5 .. 90 where (it + n) % 4 == 0\n"
                  "        n = max(0, n - k % 3)\n"
                  "    for k in 1 .. 3 where it != n\n"
                  "        either\n"
                  "            n = k\n"
                  "        or\n"
                  "            require k != 2\n"
                  "            choose more in k .. 5 where it % 2 == 1\n"
                  "            n = min(100, n + more)\n"
                  "    require n != 7\n",
                  12);
}

// The same name in two branches is one local; between them lies a choice that is resumed.
static void test_shared_slot(void **state) {
    (void)state;
    compare_rules("board square 3 x 3\n"
                  "piece man of W, B\n"
                  "var turns : 0..9 = 0\n"
                  "turn\n"
                  "    if turns % 2 == 0\n"
                  "        choose to in empty where column(it) != 2\n"
                  "    else\n"
                  "        choose from in occupied\n"
                  "        choose to in empty & next(from)\n"
                  "        remove from\n"
                  "    choose also in next(to) & empty\n"
                  "    place man at to, also\n"
                  "    choose third in next(to) where it != also\n"
                  "    require count (next(third) & mine) != 1\n"
                  "    turns = min(9, turns + 1)\n",
                  6);
}

// Behind the last choice nothing is executed, but a requirement there still counts, and so does
// what it reads.
static void test_requirement_last(void **state) {
    (void)state;
    Bench *b = rules("board square 3 x 3\n"
                     "piece man of W, B\n"
                     "var n[player] : 0..9 = 0\n"
                     "turn\n"
                     "    choose to in empty\n"
                     "    place man at to\n"
                     "    n[me] += column(to)\n"
                     "    n[opponent] = 9\n"
                     "    if n[me] < 9\n"
                     "        require n[me] >= 2 \"too far to the left\"\n"
                     "    n[me] = 0\n");
    assert_int_equal(moves(b), 6);
    int64_t left[] = {0};
    VmStop stop = vm_follow(b->vm, bytes(b->state), left, 1);
    assert_int_equal(stop.kind, VM_FAILED);
    assert_string_equal(stop.why, "too far to the left");
    assert_int_equal(stop.span.line, 12);
    Walk w = {.g = b->game->ir};
    compare_moves(b, &w, 6);
    done(b);
}

static void test_tail_is_cut(void **state) {
    (void)state;
    Bench *b = rules("board square 3 x 3\n"
                     "piece man of W, B\n"
                     "turn\n"
                     "    choose to in empty\n"
                     "    place man at to\n");
    Text text = {0};
    vm_print(b->game->program, &text);
    char *end = strstr(text.s, "apply:");
    assert_non_null(end);
    *end = 0;
    assert_non_null(strstr(text.s, "EMIT_SET"));
    assert_null(strstr(text.s, "FORK"));
    assert_null(strstr(text.s, "PLACE"));
    text_free(&text);
    done(b);
}

static void test_follow(void **state) {
    (void)state;
    Bench *b = rules("board square 3 x 3\n"
                     "piece man of W, B\n"
                     "turn\n"
                     "    choose to in empty where column(it) > 1\n"
                     "    either \"one\"\n"
                     "        place man at to\n"
                     "    or \"two\"\n"
                     "        choose also in empty where row(it) == 1 and it != to\n"
                     "        place man at to, also\n");
    int64_t values[] = {1, 1, 2, 5};
    VmStop stop = vm_follow(b->vm, bytes(b->state), values, 0);
    assert_int_equal(stop.kind, VM_ASKS);
    assert_string_equal(b->game->ir->site[stop.site].name, "to");
    stop = vm_follow(b->vm, bytes(b->state), values, 1);
    assert_int_equal(stop.kind, VM_ASKS);
    assert_string_equal(b->game->ir->site[stop.site].name, "");
    stop = vm_follow(b->vm, bytes(b->state), values, 4);
    assert_int_equal(stop.kind, VM_DONE);
    assert_int_equal(stop.index, 3);
    values[2] = 5;
    stop = vm_follow(b->vm, bytes(b->state), values, 3);
    assert_int_equal(stop.kind, VM_REFUSED);
    assert_int_equal(stop.index, 2);
    assert_string_equal(stop.why, "row(it) == 1");
    values[2] = 1;
    stop = vm_follow(b->vm, bytes(b->state), values, 3);
    assert_int_equal(stop.kind, VM_REFUSED);
    assert_string_equal(stop.why, "it != to");
    values[1] = 2;
    stop = vm_follow(b->vm, bytes(b->state), values, 2);
    assert_int_equal(stop.kind, VM_REFUSED);
    assert_int_equal(stop.index, 1);
    values[0] = 9;
    assert_int_equal(vm_follow(b->vm, bytes(b->state), values, 1).kind, VM_REFUSED);
    values[0] = -1;
    assert_int_equal(vm_follow(b->vm, bytes(b->state), values, 1).kind, VM_REFUSED);
    done(b);
}

// --- faults and bounds ---

static void test_range_fault(void **state) {
    (void)state;
    Bench *b = rules("board square 3 x 3\n"
                     "piece man of W, B\n"
                     "var total : 0..5 = 3\n"
                     "turn\n"
                     "    choose k in 1 .. 3\n"
                     "    total += k\n");
    uint64_t before = b->state[0];
    assert_int_equal(moves(b), 3);
    assert_false(vm_apply(b->vm, bytes(b->state), b->move[2], bytes(b->state)));
    assert_string_equal(vm_fault(b->vm).message, "`total` would become 6, outside 0..5");
    assert_int_equal(vm_fault(b->vm).span.line, 8);
    assert_int_equal(b->state[0], before);
    assert_true(vm_apply(b->vm, bytes(b->state), b->move[1], bytes(b->state)));
    done(b);
}

static void test_steps_are_bounded(void **state) {
    (void)state;
    Bench *b = rules("board square 20 x 20\n"
                     "piece man of W, B\n"
                     "turn\n"
                     "    choose to in empty where\n"
                     "        (sum a in cells : sum b in cells : sum c in cells :\n"
                     "        if a in occupied or b != c then 1 else 0) != column(it)\n"
                     "    place man at to\n");
    assert_int_equal(vm_moves(b->vm, bytes(b->state), b->move, MAX_MOVES), -1);
    assert_string_equal(vm_fault(b->vm).message, "the rules take too many steps");
    assert_int_equal(vm_fault(b->vm).span.line, 6);
    done(b);
}

static void test_moves_are_bounded(void **state) {
    (void)state;
    Bench *b = rules("board square 20 x 20\n"
                     "piece man of W, B\n"
                     "turn\n"
                     "    choose a in cells\n"
                     "    choose b in cells\n"
                     "    choose c in cells\n"
                     "    place man at c\n");
    assert_int_equal(vm_count(b->vm, bytes(b->state)), -1);
    assert_string_equal(vm_fault(b->vm).message, "there are more than a million moves");
    assert_int_equal(vm_any(b->vm, bytes(b->state)), 1);
    done(b);
}

// Two calls in each definition, with other arguments: 2^30 instructions.
static void test_code_is_bounded(void **state) {
    (void)state;
    Text text = {0};
    text_add(&text, "game \"Test\"\nplayers W, B\nboard square 8 x 8\npiece man of W, B\n"
                    "let f0(c) = some next(c) & mine\n");
    for (int i = 1; i <= 30; i++)
        text_f(&text, "let f%d(c) = f%d(step(c, n)) or f%d(step(c, e))\n", i, i - 1, i - 1);
    text_add(&text, "turn\n    choose to in empty where f30(it)\n    place man at to\n"
                    "end\n    me wins when no empty\n");
    Diags diags = {0};
    Game *game = game_compile("test.game", text.s, text.n, NULL, 0, &diags);
    assert_null(game);
    assert_int_equal(diags.errors, 1);
    assert_non_null(strstr(diags.items[0].message, "more code than"));
    diag_free(&diags);
    text_free(&text);
}

// A long chain of definitions must not exhaust the stack, nor take long.
static void test_depth_is_bounded(void **state) {
    (void)state;
    Text text = {0};
    text_add(&text, "game \"Test\"\nplayers W, B\nboard square 8 x 8\npiece man of W, B\n"
                    "let f0(c) = c in mine\nlet g0 = me == W\n");
    for (int i = 1; i <= 1500; i++) {
        text_f(&text, "let f%d(c) = not (c in empty) and f%d(c)\n", i, i - 1);
        text_f(&text, "let g%d = not g%d\n", i, i - 1);
    }
    text_add(&text, "turn\n    choose to in empty where f1500(it) or g1500\n    place man at to\n"
                    "end\n    me wins when no empty\n");
    Diags diags = {0};
    Game *game = game_compile("test.game", text.s, text.n, NULL, 0, &diags);
    assert_true(game || diags.errors);
    game_free(game);
    diag_free(&diags);
    text_free(&text);
}

static void test_out_of_memory(void **state) {
    (void)state;
    Bench *b = rules("board square 2 x 2\n"
                     "piece man of W, B\n"
                     "turn\n"
                     "    choose to in empty\n"
                     "    place man at to\n");
    for (int n = 1;; n++) {
        mem_fail_at(n);
        Vm *vm = vm_new(b->game->program);
        mem_fail_at(0);
        if (!vm)
            continue;
        assert_int_equal(n, 9);
        vm_free(vm);
        break;
    }
    done(b);
}

// --- the board ---

static void test_stacks(void **state) {
    (void)state;
    const char *text = "board square 2 x 2\n"
                       "    stacks of 3\n"
                       "piece man of W, B\n"
                       "piece rock\n"
                       "turn\n"
                       "    either\n"
                       "        choose at in cells\n"
                       "        place man at at\n"
                       "    or\n"
                       "        choose from in occupied\n"
                       "        choose to in cells - {from}\n"
                       "        choose level in 0 .. height(from) - 1\n"
                       "        require height(to) + height(from) - level <= 3\n"
                       "        move from above level to to\n"
                       "    or\n"
                       "        choose gone in occupied where owner(it, 0) != me\n"
                       "        remove gone\n"
                       "    or\n"
                       "        choose turned in mine\n"
                       "        change turned to rock\n"
                       "    or\n"
                       "        choose cleared in rocks\n"
                       "        clear cleared\n";
    Bench *b = rules(text);
    Rng rng;
    rng_seed(&rng, 3);
    Walk w = {.g = b->game->ir};
    int faults = 0;
    for (int ply = 0; ply < 60; ply++) {
        uint64_t to[8];
        int n = moves(b);
        w.length = 0;
        do {
            bool walked = walk_run(&w, bytes(b->state), bytes(to));
            bool played = !w.failed && vm_apply(b->vm, bytes(b->state), w.move, bytes(to));
            assert_int_equal(played, walked);
            if (w.faulted) {
                faults++;
                assert_string_equal(vm_fault(b->vm).message, "a stack of more than 3");
            }
        } while (walk_next(&w));
        for (int k = 0; k < 20; k++)
            if (vm_apply(b->vm, bytes(b->state), b->move[rng_below(&rng, (uint64_t)n)],
                         bytes(b->state)))
                break;
    }
    assert_true(faults > 0);
    done(b);
}

// Attributes go along, and are 0 where no piece has them.
static void test_attributes(void **state) {
    (void)state;
    compare_rules("board square 3 x 3\n"
                  "piece man, king of W, B with hp : 0..9 = 5, ready : bool = yes\n"
                  "piece lord of W, B with far : -300..300 = -7, mark : 0..70000 = 70000\n"
                  "turn\n"
                  "    either\n"
                  "        choose at in empty\n"
                  "        place man at at with hp = 2\n"
                  "    or\n"
                  "        choose from in mine\n"
                  "        choose to in cells - {from}\n"
                  "        hp(from) = max(0, hp(from) - 1)\n"
                  "        far(to) = -300\n"
                  "        mark(from) = 5\n"
                  "        ready(to) = no\n"
                  "        require not (ready(from) and hp(to) == 4 and far(from) < 0)\n"
                  "        move from to to\n"
                  "        choose again_at in cells where hp(it) > 0 or mark(it) > 5\n"
                  "        if hp(again_at) > 1\n"
                  "            remove again_at\n"
                  "    or\n"
                  "        choose up in mine\n"
                  "        change up to (if hp(up) % 2 == 0 then king else lord)\n"
                  "    or\n"
                  "        change mine to lord\n"
                  "    or\n"
                  "        choose target in theirs\n"
                  "        change target to man of me\n"
                  "        remove mine & next(target)\n",
                  30);
}

// Sets of two words, and everything that works on them.
static void test_wide_sets(void **state) {
    (void)state;
    compare_rules(
        "board square 10 x 9\n"
        "    lines of 3\n"
        "piece man of W, B\n"
        "piece rock\n"
        "var kept : cells = {a1, j9}\n"
        "var spot[player] : cells\n"
        "var home : cell or none = none\n"
        "let wide(c) = union d in {n, e, sw} : ray(c, d while empty) | ray(c, d until kept)\n"
        "let free = flood(from {e5} through empty)\n"
        "setup\n"
        "    scatter 9 rock on cells where row(it) > 1 by 5\n"
        "turn\n"
        "    choose to in wide(if home == none then e5 else home) & free where\n"
        "        not (it in kept and row(it) == 9)\n"
        "    place man at to\n"
        "    spot[me] = (spot[me] | next(to)) - step(mine, ne)\n"
        "    kept = if kept within spot[me] or some kept & rocks then {to} else kept | {to}\n"
        "    home = the c in spot[me] with most distance(c, to) + 3 * column(c)\n"
        "    if some l in lines through to : l within mine | rocks\n"
        "        choose gone in occupied - {to}\n"
        "        remove gone\n"
        "    if some l in lines : l within theirs\n"
        "        home = none\n"
        "    require count (spot[me] & next(next({to}))) % 7 != 3\n"
        "    require past(to, e while empty) == none or kept != spot[opponent]\n",
        40);
}

// A board of exactly one word has no bit for `none`.
static void test_none_on_full_word(void **state) {
    (void)state;
    compare_rules("board square 8 x 8\n"
                  "piece man of W, B\n"
                  "var last : cell or none = none\n"
                  "var best : player or none = none\n"
                  "var score[player] : 0..99 = 5\n"
                  "turn\n"
                  "    choose to in empty where not (step(it, n) in occupied) and\n"
                  "        step(it, w) != last and piece(step(it, e)) != man and\n"
                  "        not (owner(step(it, s)) == me)\n"
                  "    place man at to, step(to, ne)\n"
                  "    move step(to, se) to last\n"
                  "    remove step(step(to, nw), nw)\n"
                  "    best = owner(step(to, w))\n"
                  "    score[best] = min(99, score[best] + 1)\n"
                  "    last = if score[me] > 6 then step(to, n) else none\n",
                  40);
}

static void test_scatter_is_the_same(void **state) {
    (void)state;
    Bench *b = rules("board square 5 x 5\n"
                     "piece man of W, B\n"
                     "piece rock\n"
                     "setup\n"
                     "    scatter 6 rock on cells where column(it) > 1 by 11\n"
                     "turn\n"
                     "    choose to in empty\n"
                     "    place man at to\n");
    uint64_t rocks = 0;
    for (int n = 0; n < b->game->ir->planes; n++)
        rocks |= b->state[n];
    assert_int_equal(bits_count(rocks), 6);
    uint64_t again[IR_MAX_STATE / 8];
    assert_true(vm_setup(b->vm, bytes(again)));
    assert_memory_equal(again, b->state, (size_t)game_state_size(b->game));
    assert_int_equal(rocks, SCATTERED);
    done(b);
}

// --- results ---

static void test_results(void **state) {
    (void)state;
    Bench *b = rules("board square 4 x 1\n"
                     "piece man of W, B\n"
                     "var points[player] : 0..9 = 0\n"
                     "turn\n"
                     "    choose to in empty\n"
                     "    place man at to\n"
                     "    points[me] += column(to)\n"
                     "    if column(to) == 1\n"
                     "        again\n"
                     "end\n"
                     "    most points[it] wins when no empty\n"
                     "when stuck\n"
                     "    pass when count mine == 1\n"
                     "    opponent wins when count mine == 2\n");
    const IrLayout *l = &b->game->ir->layout;
    play(b, 0); // W a1, again
    assert_int_equal(bytes(b->state)[l->player], 0);
    play(b, 2); // W d1
    assert_int_equal(bytes(b->state)[l->player], 1);
    play(b, 0); // B b1
    assert_int_equal(bytes(b->state)[l->result], 0);
    assert_int_equal(vm_stuck(b->vm, bytes(b->state), false), RESULT_OVER | 2);
    assert_int_equal(vm_stuck(b->vm, bytes(b->state), true), RESULT_OVER);
    assert_true(vm_apply(b->vm, bytes(b->state), MOVE_PASS, bytes(b->state)));
    assert_int_equal(bytes(b->state)[l->player], 1);
    assert_int_equal(vm_stuck(b->vm, bytes(b->state), false), VM_PASS);
    play(b, 0); // B c1: 5 against 5
    assert_int_equal(bytes(b->state)[l->result], RESULT_OVER);
    assert_int_equal(bytes(b->state)[l->player], 0);
    done(b);
}

static void test_input(void **state) {
    (void)state;
    Diags diags = {0};
    Bench *b = bench_of(game_load("byte", NULL, 0, &diags), &diags);
    const IrInput *in = b->game->ir->input;
    int64_t low, high, value;
    vm_input_begin(b->vm, bytes(b->state));
    int64_t typed[] = {2, 2, 0};
    int word = 0;
    for (int n = 0; n < in->steps; n++) {
        const IrInputRead *read = in->step[n].read;
        if (!read) {
            moves(b); // other calls do not disturb it
            assert_true(vm_input_step(b->vm, n, &value));
            if (in->step[n].check)
                assert_int_equal(value, 1);
        } else if (read->words) {
            assert_true(vm_input_word(b->vm, n, 3, &value));
            vm_input_set(b->vm, read->slot, value);
        } else {
            if (read->low) {
                assert_true(vm_input_bounds(b->vm, n, &low, &high));
                assert_true(low <= typed[word] && typed[word] <= high);
            }
            vm_input_set(b->vm, read->slot, typed[word++]);
        }
    }
    int64_t answers[3];
    assert_int_equal(in->answers, 3);
    for (int n = 0; n < 3; n++)
        assert_true(vm_input_answer(b->vm, n, &answers[n]));
    assert_int_equal(vm_follow(b->vm, bytes(b->state), answers, 3).kind, VM_DONE);
    diag_free(&diags);
    done(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_choice_in_while),
        cmocka_unit_test(test_choice_in_for),
        cmocka_unit_test(test_nested_loops),
        cmocka_unit_test(test_members_are_fixed),
        cmocka_unit_test(test_shared_slot),
        cmocka_unit_test(test_requirement_last),
        cmocka_unit_test(test_tail_is_cut),
        cmocka_unit_test(test_follow),
        cmocka_unit_test(test_range_fault),
        cmocka_unit_test(test_steps_are_bounded),
        cmocka_unit_test(test_moves_are_bounded),
        cmocka_unit_test(test_code_is_bounded),
        cmocka_unit_test(test_depth_is_bounded),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_wide_sets),
        cmocka_unit_test(test_none_on_full_word),
        cmocka_unit_test(test_scatter_is_the_same),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
