// test_ir_parts: parts of the IR that no rules file of the library leads to, on both back ends:
// boards of places, hidden cells, numbers that go round, rules that fail, a player who is named,
// procedures that call themselves.
//
// The games are built by hand. Each is compared with the plain walk of walk_ir.h and, where there
// is a compiler, with machine code.

#include "walk_ir.h"

#include "game/draw.h"
#include "game/game.h"
#include "game/movetext.h"
#include "game/runner.h"
#include "game/statetext.h"
#include "native/abi.h"
#include "vm/vm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Made { // a game in the making
    Game *g;
    IrGame *ir;
    Arena *arena;
    IrStmt **end; // of the list that grows
} Made;

// --- expressions and statements ---

static IrExpr *expr(Made *m, IrOp op, IrTypeKind type, IrExpr *a, IrExpr *b) {
    IrExpr *e = ARENA_NEW(m->arena, IrExpr);
    *e = (IrExpr){.op = op, .type = {.kind = type}, .kid = {a, b, NULL}, .dynamic = true};
    e->lo = INT32_MIN;
    e->hi = INT32_MAX;
    if (type == TY_CELL || type == TY_BOOL || type == TY_PLAYER) {
        e->lo = 0;
        e->hi = type == TY_CELL ? m->ir->board->cells : type == TY_BOOL ? 1 : m->ir->players - 1;
    }
    return e;
}

static IrExpr *number(Made *m, int64_t value) {
    IrExpr *e = expr(m, IR_CONST, TY_INT, NULL, NULL);
    e->value = value;
    e->lo = e->hi = (int32_t)value;
    return e;
}

static IrExpr *id(Made *m, IrOp op, IrTypeKind type, int which) {
    IrExpr *e = expr(m, op, type, NULL, NULL);
    e->id = which;
    return e;
}

static IrExpr *local(Made *m, int slot) {
    return id(m, IR_LOCAL, m->ir->turn_frame.type[slot].kind, slot);
}

static IrExpr *wrap(Made *m, IrOp op, IrExpr *a, IrExpr *b) {
    return expr(m, IR_WRAP, TY_INT, expr(m, op, TY_INT, a, b), NULL);
}

static IrExpr *empty_cells(Made *m) {
    return expr(m, IR_NOT_SET, TY_SET, expr(m, IR_OCCUPIED, TY_SET, NULL, NULL), NULL);
}

static IrStmt *add(Made *m, IrStmtKind kind, int which, IrExpr *a, IrExpr *b) {
    IrStmt *s = ARENA_NEW(m->arena, IrStmt);
    *s = (IrStmt){.kind = kind, .id = which, .e = {a, b, NULL}, .span = {1, 1, 1}};
    *m->end = s;
    m->end = &s->next;
    return s;
}

// Statements added until leave() go into `list`.
static IrStmt **enter(Made *m, IrStmt **list) {
    IrStmt **kept = m->end;
    m->end = list;
    return kept;
}

static IrStmt *assign(Made *m, int var, IrExpr *value) {
    return add(m, ST_ASSIGN, var, value, NULL);
}

// A choice with a slot of its own, which is returned.
static int choose(Made *m, const char *name, IrDomainKind kind, IrExpr *a, IrExpr *b, int lo,
                  int hi) {
    IrGame *g = m->ir;
    IrType type = {.kind = kind == DOM_SET ? TY_CELL : TY_INT};
    int slot = ir_add_slot(g, &g->turn_frame, type, name);
    ARENA_GROW(m->arena, IrSite, g->site, g->sites, g->site_cap);
    IrSite *site = &g->site[g->sites];
    *site = (IrSite){.name = name, .type = type, .lo = lo, .hi = hi, .slot = slot};
    site->before = "-";
    site->after = "";
    while (hi - lo >= 1 << site->bits)
        site->bits++;
    IrStmt *s = add(m, ST_CHOOSE, g->sites++, NULL, NULL);
    s->domain = ARENA_NEW(m->arena, IrDomain);
    *s->domain = (IrDomain){.kind = kind, .a = a, .b = b, .slot = slot};
    return slot;
}

// --- games ---

static const char source_text[] = "built by hand\n";

// A board of places with one kind of piece for each of the players, and variables a and b.
static Made begin(int cells, int players, const uint64_t *hidden) {
    static const char *const names[] = {"White", "Black", "Red"};
    Made m = {.g = mem_alloc(sizeof(Game))};
    assert_non_null(m.g);
    arena_init(&m.g->arena, NULL);
    m.arena = &m.g->arena;
    m.g->name = "made";
    m.g->source = (Source){"made", source_text, sizeof source_text - 1};
    IrGame *g = m.ir = ir_new(m.arena, &m.g->source);
    g->title = "Made";
    g->players = players;
    g->player = ARENA_ARRAY(m.arena, const char *, players);
    for (int p = 0; p < players; p++)
        g->player[p] = names[p];
    const char **cell = ARENA_ARRAY(m.arena, const char *, cells);
    int *x = ARENA_ARRAY(m.arena, int, cells), *y = ARENA_ARRAY(m.arena, int, cells);
    for (int c = 0; c < cells; c++) {
        cell[c] = arena_printf(m.arena, "s(%d,%d)", c % 10 + 1, c / 10 + 1);
        x[c] = 50 * (c % 10);
        y[c] = 50 * (c / 10);
    }
    g->board = board_of_places(m.arena, cell, x, y, cells);
    ir_add_board_tables(g);
    g->kind = ARENA_ARRAY(m.arena, IrKind, 1);
    g->kinds = 1;
    g->kind[0] = (IrKind){.name = "man", .owners = (1u << players) - 1};
    g->plane = ARENA_ARRAY(m.arena, IrPlane, players);
    g->planes = players;
    for (int p = 0; p < players; p++) {
        g->plane[p] = (IrPlane){.kind = 0, .owner = p};
        g->plane[p].letter[0] = names[p][0];
        g->kind[0].plane[p] = p;
    }
    g->kind[0].plane[players] = -1;
    g->var = ARENA_ARRAY(m.arena, IrVar, 2);
    g->vars = 2;
    for (int i = 0; i < 2; i++)
        g->var[i] = (IrVar){.name = i ? "b" : "a",
                            .type = {.kind = TY_INT},
                            .lo = INT32_MIN,
                            .hi = INT32_MAX,
                            .count = 1,
                            .initial = ARENA_ARRAY(m.arena, int64_t, 1)};
    g->hidden = hidden;
    return m;
}

static IrExpr *var(Made *m, int which) {
    return id(m, IR_VAR, TY_INT, which);
}

static int add_proc(Made *m, const char *name) {
    IrGame *g = m->ir;
    ARENA_GROW(m->arena, IrProc *, g->proc, g->procs, g->proc_cap);
    g->proc[g->procs] = ARENA_NEW(m->arena, IrProc);
    g->proc[g->procs]->name = name;
    return g->procs++;
}

static void place_at(Made *m, int slot) {
    add(m, ST_PLACE, 0, local(m, slot), id(m, IR_ME, TY_PLAYER, 0));
}

// A player without a move loses; the game has no other end.
static void finish(Made *m) {
    Diags diags = {0};
    IrGame *g = m->ir;
    assert_true(ir_note_choices(g));
    g->stuck.rule = ARENA_ARRAY(m->arena, IrRule, 1);
    g->stuck.count = 1;
    g->stuck.rule[0] = (IrRule){.outcome = OUT_DRAW};
    assert_true(ir_lay_out(g, (Span){0}, &diags));
    m->g->ir = g;
    m->g->program = vm_compile(m->arena, g, &diags);
    assert_non_null(m->g->program);
    m->g->start = arena_alloc(m->arena, (size_t)g->layout.size);
    Runner *r = runner_new(m->g);
    assert_true(vm_setup(r->vm, m->g->start));
    runner_free(r);
    Text printed = {0}, code = {0};
    ir_print(g, &printed);
    vm_print(m->g->program, &code);
    assert_true(printed.n > 0 && code.n > 0);
    text_free(&printed);
    text_free(&code);
}

static void end(Made *m) {
    native_job_end(m->g->job);
    arena_free(&m->g->arena);
    mem_free(m->g);
}

// --- comparing ---

static bool have_compiler(void) {
    return system("cc --version > /dev/null 2>&1") == 0;
}

static const Native *native(Made *m) {
    Text why = {0};
    if (!have_compiler())
        return NULL;
    bool ok = game_use(m->g, BACKEND_NATIVE, &why);
    if (!ok)
        print_error("%s\n", text_c(&why));
    assert_true(ok);
    text_free(&why);
    return atomic_load(&m->g->native);
}

#define MOVES 512

// Every run of the turn, one after the other: the moves and the states they lead to.
static int walk_all(const IrGame *g, const uint8_t *state, Move *moves, uint8_t *states) {
    Walk w = {.g = g};
    uint64_t to[IR_MAX_STATE / 8];
    int n = 0;
    do {
        if (!walk_run(&w, state, (uint8_t *)to))
            continue;
        assert_true(n < MOVES);
        memcpy(states + n * g->layout.size, to, (size_t)g->layout.size);
        moves[n++] = w.move;
    } while (walk_next(&w));
    return n;
}

typedef struct Sides {
    const Game *g;
    const Native *n; // NULL: no compiler
    Vm *vm;
    uint8_t *walked; // states
} Sides;

static int same_moves(const Sides *x, const uint8_t *state, Move *moves) {
    static Move other[MOVES];
    int count = vm_moves(x->vm, state, moves, MOVES);
    size_t size = sizeof(Move) * (size_t)count;
    assert_true(count >= 0 && count <= MOVES);
    assert_int_equal(walk_all(x->g->ir, state, other, x->walked), count);
    assert_memory_equal(moves, other, size);
    if (!x->n)
        return count;
    assert_int_equal(x->n->moves(state, other, MOVES), count);
    assert_memory_equal(moves, other, size);
    assert_int_equal(x->n->count(state), count);
    assert_true(x->n->hash(state) == game_hash(x->g, state));
    return count;
}

static void same_state(const Sides *x, const uint8_t *state, const Move *moves, int which,
                       uint8_t *to) {
    size_t size = (size_t)x->g->ir->layout.size;
    uint64_t other[IR_MAX_STATE / 8];
    assert_true(vm_apply(x->vm, state, moves[which], to));
    assert_memory_equal(to, x->walked + (size_t)which * size, size);
    if (!x->n)
        return;
    assert_int_equal(x->n->apply(state, &moves[which], other), 0);
    assert_memory_equal(to, other, size);
}

// Random games: moves, what they lead to and the hashes are the same everywhere.
static void compare(Made *m, int games, int plies) {
    const Game *g = m->g;
    size_t size = (size_t)g->ir->layout.size;
    Sides x = {g, native(m), vm_new(g->program), malloc(MOVES * size)};
    static Move moves[MOVES];
    uint64_t now[IR_MAX_STATE / 8], to[IR_MAX_STATE / 8];
    assert_true(x.vm && x.walked);
    Rng rng;
    rng_seed(&rng, 5);
    for (int i = 0; i < games; i++) {
        memcpy(now, g->start, size);
        for (int ply = 0; ply < plies; ply++) {
            int count = same_moves(&x, (const uint8_t *)now, moves);
            if (!count)
                break;
            int which = (int)rng_below(&rng, (uint64_t)count);
            same_state(&x, (const uint8_t *)now, moves, which, (uint8_t *)to);
            memcpy(now, to, size);
        }
    }
    if (x.n) {
        uint64_t seed[4] = {7, 7, 7, 7};
        memcpy(now, g->start, size);
        assert_true(x.n->playout(now, seed, 50) >= 0);
        Runner *r = runner_new(g);
        int64_t two = 0;
        int count = same_moves(&x, g->start, moves);
        for (int i = 0; i < count; i++) {
            assert_true(vm_apply(x.vm, g->start, moves[i], (uint8_t *)to));
            two += vm_count(x.vm, (uint8_t *)to);
        }
        assert_int_equal(runner_native_perft(r, g->start, 2), two);
        runner_free(r);
    }
    free(x.walked);
    vm_free(x.vm);
}

// The rules fail where `text` says it, in the interpreter and by a number in machine code.
static void fails(Made *m, const uint8_t *state, const Move *move, const char *text) {
    const Native *n = native(m);
    Runner *r = runner_new(m->g);
    uint64_t to[IR_MAX_STATE / 8];
    const Move *moves;
    if (n && move)
        assert_int_equal(n->apply(state, move, to), NATIVE_FAULT_RULES);
    if (n && !move)
        assert_int_equal(n->moves(state, (Move[1]){0}, 1), NATIVE_FAULT_RULES);
    if (move)
        assert_false(runner_apply(r, state, *move, (uint8_t *)to));
    else
        assert_int_equal(runner_moves(r, state, &moves), -1);
    if (!strstr(runner_error(r), text))
        print_error("%s\n", runner_error(r));
    assert_non_null(strstr(runner_error(r), text));
    runner_free(r);
}

// --- boards ---

static void test_places(void **state) {
    (void)state;
    Arena arena;
    arena_init(&arena, NULL);
    static const char *const names[] = {"s(1,1)", "s(2,1)", "s(1,2)", "s(2,2)",
                                        "t(1)",   "t(2)",   "u"};
    static const int x[] = {10, 60, 10, 60, 200, 200, BOARD_NO_POINT};
    static const int y[] = {10, 10, 60, 60, 10, 10, 3};
    Board *b = board_of_places(&arena, names, x, y, 7);
    assert_non_null(b);
    assert_int_equal(b->cells, 7);
    assert_int_equal(b->words, 1);
    assert_int_equal(b->height, 4); // s, s, t, u
    assert_int_equal(b->directions + b->lines, 0);
    for (int c = 0; c < 7; c++) {
        assert_string_equal(b->cell[c].name, names[c]);
        assert_int_equal(board_cell_named(b, names[c]), c);
        assert_int_equal(board_cell_at(b, b->cell[c].column, b->cell[c].row), c);
        for (int o = 0; o <= 7; o++)
            assert_int_equal(b->distance[c * 8 + o], c == o ? 0 : 7);
    }
    assert_true(b->cell[1].x - b->cell[0].x == 1 && b->cell[0].y - b->cell[2].y == 1);
    assert_true(b->cell[6].y < b->cell[3].y);
    assert_non_null(board_of_places(&arena, names, NULL, NULL, 7));
    assert_null(board_of_places(&arena, names, x, y, 0));
    assert_null(board_of_places(&arena, names, x, y, BOARD_MAX_CELLS + 1));
    arena_free(&arena);
}

// --- identity ---

// Two of the cells are hidden; what stands there is counted in `a`.
static void play_with_hidden(int cells) {
    uint64_t hidden[BOARD_MAX_WORDS] = {0};
    hidden[(cells - 1) / 64] |= (uint64_t)1 << ((cells - 1) % 64);
    hidden[0] |= 2;
    Made m = begin(cells, 2, hidden);
    m.end = &m.ir->turn;
    int to = choose(&m, "to", DOM_SET, empty_cells(&m), NULL, 0, cells - 1);
    place_at(&m, to);
    finish(&m);
    compare(&m, 20, 12);
    const Game *g = m.g;
    uint64_t one[IR_MAX_STATE / 8], two[IR_MAX_STATE / 8];
    memcpy(one, g->start, (size_t)g->ir->layout.size);
    memcpy(two, one, sizeof one);
    state_put(g, (uint8_t *)two, cells - 1, 0);
    state_put(g, (uint8_t *)two, 1, 1);
    assert_true(game_same(g, (uint8_t *)one, (uint8_t *)two));
    assert_true(game_hash(g, (uint8_t *)one) == game_hash(g, (uint8_t *)two));
    state_put(g, (uint8_t *)two, 2, 1);
    assert_false(game_same(g, (uint8_t *)one, (uint8_t *)two));
    assert_true(game_hash(g, (uint8_t *)one) != game_hash(g, (uint8_t *)two));
    end(&m);
}

static void test_hidden(void **state) {
    (void)state;
    play_with_hidden(9);
    play_with_hidden(70);
}

// --- numbers ---

static void test_wrap(void **state) {
    (void)state;
    Made m = begin(4, 1, NULL);
    m.end = &m.ir->turn;
    int n = choose(&m, "n", DOM_RANGE, number(&m, 0), number(&m, 6), 0, 6);
    IrExpr *big = number(&m, INT32_MAX), *least = number(&m, INT32_MIN);
    // a = a * 31 + (big - n): wraps in both parts; b by turns of the others.
    assign(&m, 0,
           wrap(&m, IR_ADD, wrap(&m, IR_MUL, var(&m, 0), number(&m, 1103515245)),
                wrap(&m, IR_SUB, big, local(&m, n))));
    assign(&m, 1, wrap(&m, IR_ADD, var(&m, 0), big));
    add(&m, ST_IF, 0, expr(&m, IR_EQ, TY_BOOL, local(&m, n), number(&m, 3)), NULL);
    IrStmt *list = NULL, **kept = enter(&m, &list), *test;
    assign(&m, 1, wrap(&m, IR_NEG, least, NULL));
    assign(&m, 0, wrap(&m, IR_ABS, var(&m, 1), NULL));
    assign(&m, 1, wrap(&m, IR_DIV, var(&m, 0), number(&m, -1)));
    assign(&m, 1,
           expr(&m, IR_MOD, TY_INT, var(&m, 1), wrap(&m, IR_SUB, local(&m, n), number(&m, 4))));
    m.end = kept;
    for (test = m.ir->turn; test->kind != ST_IF; test = test->next)
        ;
    test->body = list;
    finish(&m);
    compare(&m, 20, 40);
    end(&m);
}

// --- players ---

static void test_next(void **state) {
    (void)state;
    Made m = begin(12, 3, NULL);
    m.end = &m.ir->turn;
    int to = choose(&m, "to", DOM_SET, empty_cells(&m), NULL, 0, 11);
    place_at(&m, to);
    add(&m, ST_AGAIN, 0, NULL, NULL);
    IrStmt *test = add(&m, ST_IF, 0,
                       expr(&m, IR_LT, TY_BOOL, local(&m, to), id(&m, IR_CONST, TY_INT, 0)), NULL);
    test->e[0]->kid[1] = number(&m, 8);
    IrExpr *who = expr(&m, IR_MOD, TY_PLAYER, local(&m, to), number(&m, 3));
    IrStmt **kept = enter(&m, &test->body);
    add(&m, ST_NEXT, 0, who, NULL);
    m.end = kept;
    finish(&m);
    compare(&m, 30, 20);
    end(&m);
}

// --- faults ---

// At the end of the turn after one choice, before another after the next.
static void test_fail(void **state) {
    (void)state;
    Made m = begin(9, 2, NULL);
    m.end = &m.ir->turn;
    int from = choose(&m, "from", DOM_SET, empty_cells(&m), NULL, 0, 8);
    IrExpr *low = expr(&m, IR_LT, TY_BOOL, number(&m, 0), var(&m, 1));
    IrStmt *early = add(&m, ST_IF, 0, low, NULL);
    IrStmt **kept = enter(&m, &early->body);
    IrStmt *loop = add(&m, ST_WHILE, 5, expr(&m, IR_CONST, TY_BOOL, NULL, NULL), NULL);
    loop->e[0]->value = 1;
    enter(&m, &loop->body);
    add(&m, ST_FAIL, 0, NULL, NULL)->text = "too early";
    m.end = kept;
    int to = choose(&m, "to", DOM_SET, empty_cells(&m), NULL, 0, 8);
    place_at(&m, from);
    place_at(&m, to);
    assign(&m, 0, wrap(&m, IR_ADD, var(&m, 0), number(&m, 1)));
    IrStmt *late = add(&m, ST_IF, 0, expr(&m, IR_EQ, TY_BOOL, local(&m, to), number(&m, 8)), NULL);
    enter(&m, &late->body);
    add(&m, ST_FAIL, 0, NULL, NULL)->text = "too late";
    finish(&m);
    uint64_t bad[IR_MAX_STATE / 8];
    memcpy(bad, m.g->start, (size_t)m.ir->layout.size);
    Move move = {{0, 0}};
    move_put(&move, move_put(&move, 0, 1, 4), 8, 4);
    fails(&m, m.g->start, &move, "made:1:1: too late");
    move = (Move){{0, 0}};
    move_put(&move, move_put(&move, 0, 1, 4), 7, 4);
    Runner *r = runner_new(m.g);
    const Move *moves;
    assert_int_equal(runner_moves(r, m.g->start, &moves), 81);
    assert_true(runner_apply(r, m.g->start, move, (uint8_t *)bad));
    runner_free(r);
    memcpy((uint8_t *)bad + m.ir->var[1].offset, &(int32_t){1}, 4);
    fails(&m, (uint8_t *)bad, NULL, "made:1:1: too early");
    end(&m);
}

// --- procedures ---

// count(): a = how many of the first n cells are taken, by going down from n = b.
static int counting_proc(Made *m, int extra_depth) {
    int proc = add_proc(m, "count");
    IrFrame *frame = &m->ir->proc[proc]->frame;
    int cell = ir_add_slot(m->ir, frame, (IrType){.kind = TY_INT}, "cell");
    int seen = ir_add_slot(m->ir, frame, (IrType){.kind = TY_SET}, "seen");
    IrExpr *here = id(m, IR_LOCAL, TY_INT, cell);
    here->lo = 0;
    IrStmt **kept = enter(m, &m->ir->proc[proc]->body);
    add(m, ST_LET, cell, var(m, 1), NULL);
    add(m, ST_LET, seen, expr(m, IR_OCCUPIED, TY_SET, NULL, NULL), NULL);
    IrStmt *deeper = add(m, ST_IF, 0, expr(m, IR_LT, TY_BOOL, number(m, -extra_depth), here), NULL);
    enter(m, &deeper->body);
    assign(m, 1, wrap(m, IR_SUB, here, number(m, 1)));
    add(m, ST_CALL, proc, NULL, NULL);
    // Behind the call the locals are those of this call.
    IrExpr *of = expr(m, IR_LOCAL, TY_CELL, NULL, NULL);
    of->id = cell;
    IrExpr *in = expr(m, IR_MEMBER, TY_BOOL, of, id(m, IR_LOCAL, TY_SET, seen));
    IrStmt *taken =
        add(m, ST_IF, 0, expr(m, IR_BOTH, TY_BOOL, expr(m, IR_LE, TY_BOOL, number(m, 0), here), in),
            NULL);
    enter(m, &taken->body);
    assign(m, 0, wrap(m, IR_ADD, var(m, 0), number(m, 1)));
    m->end = kept;
    return proc;
}

static void play_with_calls(int cells) {
    Made m = begin(cells, 2, NULL);
    int proc = counting_proc(&m, 0);
    m.end = &m.ir->turn;
    int to = choose(&m, "to", DOM_SET, empty_cells(&m), NULL, 0, cells - 1);
    place_at(&m, to);
    assign(&m, 0, number(&m, 0));
    assign(&m, 1, local(&m, to));
    add(&m, ST_CALL, proc, NULL, NULL);
    // Only cells below which an even number is taken: the call decides about moves.
    IrExpr *even = expr(&m, IR_EQ, TY_BOOL, expr(&m, IR_MOD, TY_INT, var(&m, 0), number(&m, 2)),
                        number(&m, 1));
    add(&m, ST_REQUIRE, 0, even, NULL);
    int n = choose(&m, "n", DOM_RANGE, number(&m, 0), var(&m, 0), 0, cells);
    assign(&m, 1, local(&m, n));
    add(&m, ST_CALL, proc, NULL, NULL);
    finish(&m);
    compare(&m, 20, 12);
    end(&m);
}

static void test_calls(void **state) {
    (void)state;
    play_with_calls(9);
    play_with_calls(70);
}

// Just deep enough, and one deeper.
static void test_depth(void **state) {
    (void)state;
    for (int more = 0; more < 2; more++) {
        Made m = begin(9, 1, NULL);
        int proc = counting_proc(&m, IR_MAX_CALLS - 1 - 5 + more);
        m.end = &m.ir->turn;
        choose(&m, "n", DOM_RANGE, number(&m, 0), number(&m, 1), 0, 1);
        assign(&m, 1, number(&m, 5));
        add(&m, ST_CALL, proc, NULL, NULL);
        finish(&m);
        if (more)
            fails(&m, m.g->start, &(Move){{0, 0}}, "too deeply");
        else
            compare(&m, 1, 2);
        end(&m);
    }
}

// A procedure that calls itself twice, which would take longer than anybody can wait.
static void test_often(void **state) {
    (void)state;
    Made m = begin(9, 1, NULL);
    int proc = add_proc(&m, "twice");
    m.end = &m.ir->proc[proc]->body;
    IrStmt *deeper = add(&m, ST_IF, 0, expr(&m, IR_LT, TY_BOOL, number(&m, 0), var(&m, 0)), NULL);
    m.end = &deeper->body;
    assign(&m, 0, wrap(&m, IR_SUB, var(&m, 0), number(&m, 1)));
    add(&m, ST_CALL, proc, NULL, NULL);
    add(&m, ST_CALL, proc, NULL, NULL);
    assign(&m, 0, wrap(&m, IR_ADD, var(&m, 0), number(&m, 1)));
    m.end = &m.ir->turn;
    choose(&m, "n", DOM_RANGE, number(&m, 0), number(&m, 1), 0, 1);
    assign(&m, 0, number(&m, 40));
    add(&m, ST_CALL, proc, NULL, NULL);
    finish(&m);
    fails(&m, m.g->start, &(Move){{0, 0}}, "too often");
    end(&m);
}

// --- texts ---

// Pieces with names go to empty places: s(1,1)->s(2,1):man(1).
static Made named_game(int cells) {
    static uint64_t hidden[BOARD_MAX_WORDS];
    memset(hidden, 0, sizeof hidden);
    hidden[0] = 2;
    Made m = begin(cells, 2, hidden);
    IrGame *g = m.ir;
    m.end = &g->setup;
    IrExpr *first = expr(&m, IR_CONST, TY_CELL, NULL, NULL), *me = id(&m, IR_CONST, TY_PLAYER, 0);
    add(&m, ST_PLACE, 0, first, me);
    IrExpr *third = expr(&m, IR_CONST, TY_CELL, NULL, NULL);
    third->value = 1;
    add(&m, ST_PLACE, 0, third, me);
    m.end = &g->turn;
    int from = choose(&m, "from", DOM_SET, id(&m, IR_PLANE, TY_SET, 0), NULL, 0, cells - 1);
    int to = choose(&m, "to", DOM_SET, empty_cells(&m), NULL, 0, cells - 1);
    IrExpr *which = expr(&m, IR_LOCAL, TY_INT, NULL, NULL);
    which->id = from;
    choose(&m, "element", DOM_RANGE, which, which, -2, cells - 1);
    add(&m, ST_MOVE, 0, local(&m, from), local(&m, to));
    add(&m, ST_AGAIN, 0, NULL, NULL);
    g->site[0].before = "";
    g->site[1].before = "->";
    g->site[2].before = ":";
    g->site[2].labels = ARENA_ARRAY(m.arena, const char *, cells + 2);
    for (int i = 0; i < cells + 2; i++)
        g->site[2].labels[i] = arena_printf(m.arena, "man(%d)", i - 1);
    finish(&m);
    return m;
}

static void reads_as(Runner *r, const uint8_t *state, const char *typed, const char *move) {
    Text error = {0}, text = {0};
    Move found;
    bool ok = move_read(r, state, typed, &found, &error);
    if (!ok)
        print_error("%s: %s\n", typed, text_c(&error));
    assert_true(ok);
    assert_true(move_text(r, state, found, &text));
    assert_string_equal(text_c(&text), move);
    text_free(&error);
    text_free(&text);
}

static void refuses(Runner *r, const uint8_t *state, const char *typed, const char *message) {
    Text error = {0};
    Move found;
    assert_false(move_read(r, state, typed, &found, &error));
    assert_string_equal(text_c(&error), message);
    text_free(&error);
}

static void test_move_texts(void **state) {
    (void)state;
    Made m = named_game(12);
    const uint8_t *start = m.g->start;
    Runner *r = runner_new(m.g);
    const Move *moves;
    assert_int_equal(runner_moves(r, start, &moves), 20);
    reads_as(r, start, "s(1,1)->s(3,1):man(1)", "s(1,1)->s(3,1):man(1)");
    reads_as(r, start, " S(1,1) -> s(3,1) : MAN(1)", "s(1,1)->s(3,1):man(1)");
    reads_as(r, start, "s(2,1)-s(1,2)", "s(2,1)->s(1,2):man(2)");
    reads_as(r, start, "s(2,1) s(10,1)", "s(2,1)->s(10,1):man(2)");
    refuses(r, start, "s(1,1)->s(3,1):man(2)",
            "`man(2)` is not allowed for `element`; possible: man(1)");
    refuses(r, start, "s(9,9)", "`from`: there is no cell `s(9,9)`; possible: s(1,1), s(2,1)");
    refuses(r, start, "s(1,1)->s(3,1):man(77)", "`man(77)` does not fit here; possible: man(1)");
    runner_free(r);
    end(&m);
}

static void test_state_texts(void **state) {
    (void)state;
    Made m = named_game(12);
    m.ir->player[0] = "The first";
    Text text = {0}, error = {0};
    uint64_t read[IR_MAX_STATE / 8];
    state_text(m.g, m.g->start, &text);
    assert_string_equal(text_c(&text), "WW8/2 1 a=0 b=0");
    assert_true(state_read(m.g, text_c(&text), (uint8_t *)read, &error));
    assert_memory_equal(read, m.g->start, (size_t)m.ir->layout.size);
    text_clear(&text);
    draw_board(m.g, m.g->start, (DrawStyle){.ascii = true}, &text);
    assert_string_equal(text_c(&text),
                        " W s(1,1)   . s(3,1)  . s(4,1)  . s(5,1)  . s(6,1)  . s(7,1)  . s(8,1)  "
                        ". s(9,1)  . s(10,1)\n"
                        " . s(1,2)  . s(2,2)\n"
                        " beside: s 1 W\n"
                        " W man of The first, B man of Black\n");
    text_free(&text);
    text_free(&error);
    end(&m);
}

// Long lists, and cells whose names have commas.
static void test_lists(void **state) {
    (void)state;
    Made m = begin(30, 1, NULL);
    IrGame *g = m.ir;
    g->var[0] = (IrVar){.name = "list",
                        .type = {.kind = TY_INT},
                        .hi = 99,
                        .clock = true,
                        .index = {.kind = TY_CELL},
                        .indexed = true,
                        .count = 30};
    g->var[1] = (IrVar){.name = "where",
                        .type = {.kind = TY_CELL, .optional = true},
                        .hi = 30,
                        .clock = true,
                        .index = {.kind = TY_INT},
                        .indexed = true,
                        .count = 20};
    g->var[0].initial = ARENA_ARRAY(m.arena, int64_t, 30);
    g->var[1].initial = ARENA_ARRAY(m.arena, int64_t, 20);
    for (int i = 0; i < 20; i++)
        g->var[1].initial[i] = i < 3 ? 10 + i : 30;
    g->var[0].initial[10] = 7;
    m.end = &g->turn;
    choose(&m, "to", DOM_SET, empty_cells(&m), NULL, 0, 29);
    finish(&m);
    Text text = {0}, error = {0};
    uint64_t read[IR_MAX_STATE / 8];
    state_text(m.g, m.g->start, &text);
    assert_string_equal(text_c(&text),
                        "10/10/10 w list=10*0,7,19*0 where=s(1,2),s(2,2),s(3,2),17*-");
    assert_true(state_read(m.g, text_c(&text), (uint8_t *)read, &error));
    assert_memory_equal(read, m.g->start, (size_t)g->layout.size);
    static const char *const wrong[] = {"list=10*0,7,18*0",   "list=0*0,30*0",
                                        "list=31*0",          "list=99999999999*0",
                                        "where=s(1,2),s(2,2", "where=20*s(9,9)"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        text_clear(&text);
        text_f(&text, "10/10/10 w %s", wrong[i]);
        text_clear(&error);
        assert_false(state_read(m.g, text_c(&text), (uint8_t *)read, &error));
        assert_true(error.n > 0);
    }
    text_free(&text);
    text_free(&error);
    end(&m);
}

// --- names of pieces ---

// Three pieces of two kinds: content and at say which is where.
static void test_names(void **state) {
    (void)state;
    Made m = begin(9, 2, NULL);
    IrGame *g = m.ir;
    g->var[0] = (IrVar){.name = "content",
                        .type = {.kind = TY_INT},
                        .hi = 3,
                        .clock = true,
                        .index = {.kind = TY_CELL},
                        .indexed = true,
                        .count = 9};
    g->var[1] = (IrVar){.name = "at",
                        .type = {.kind = TY_CELL, .optional = true},
                        .hi = 9,
                        .clock = true,
                        .index = {.kind = TY_INT},
                        .indexed = true,
                        .index_base = 1,
                        .count = 3};
    g->var[0].initial = ARENA_ARRAY(m.arena, int64_t, 9);
    g->var[1].initial = ARENA_ARRAY(m.arena, int64_t, 3);
    m.end = &g->setup;
    for (int i = 0; i < 3; i++) {
        IrExpr *cell = expr(&m, IR_CONST, TY_CELL, NULL, NULL);
        IrExpr *who = expr(&m, IR_CONST, TY_PLAYER, NULL, NULL);
        cell->value = i;
        who->value = i == 2;
        add(&m, ST_PLACE, 0, cell, who);
        g->var[0].initial[i] = i + 1;
        g->var[1].initial[i] = i;
    }
    m.end = &g->turn;
    choose(&m, "to", DOM_SET, empty_cells(&m), NULL, 0, 8);
    finish(&m);
    // What is typed, what is written, and where the pieces are then (`-`: refused).
    static const struct {
        const char *typed, *written, *at;
    } texts[] = {
        {"WWB6 w", "WWB6 w", "012"},
        {"1WWB5 w", "1WWB5 w", "213"},
        {"1WWB5 w content=0,1,2,3,5*0", "1WWB5 w content=0,1,2,3,0,0,0,0,0", "123"},
        {"BW7 b", "BW7 b", "910"},
        {"BBB6 b", "BBB6 b", "012"},
        {"BBBB5 b", NULL, "there are only 3 pieces, so there is none for s(4,1)"},
        {"WWB6 w content=1,1,2,6*0", NULL,
         "content: what it says of s(2,1) does not fit the board"},
        {"WWB6 w content=1,2,0,3,5*0", NULL,
         "content: what it says of s(3,1) does not fit the board"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        uint64_t read[IR_MAX_STATE / 8];
        Text text = {0}, error = {0};
        bool ok = state_read(m.g, texts[i].typed, (uint8_t *)read, &error);
        assert_int_equal(ok, texts[i].written != NULL);
        if (!ok) {
            assert_string_equal(text_c(&error), texts[i].at);
        } else {
            state_text(m.g, (uint8_t *)read, &text);
            assert_string_equal(text_c(&text), texts[i].written);
            for (int n = 0; n < 3; n++)
                assert_int_equal(state_variable(m.g, (uint8_t *)read, 1, n), texts[i].at[n] - '0');
        }
        text_free(&text);
        text_free(&error);
    }
    end(&m);
}

// --- variables that decide nothing ---

static bool *silent_vars(Made *m) {
    bool *silent = ARENA_ARRAY(m->arena, bool, m->ir->vars);
    ir_silent(m->ir, m->arena, silent);
    return silent;
}

// a goes round through a local and a labelled choice; b may also decide whether a move is legal.
static void test_silent(void **state) {
    (void)state;
    for (int decides = 0; decides < 2; decides++) {
        Made m = begin(9, 1, NULL);
        IrGame *g = m.ir;
        g->var[0].clock = g->var[1].clock = true;
        m.end = &g->turn;
        int kept = ir_add_slot(g, &g->turn_frame, (IrType){.kind = TY_INT}, "kept");
        add(&m, ST_LET, kept, var(&m, 0), NULL);
        choose(&m, "to", DOM_SET, empty_cells(&m), NULL, 0, 8);
        choose(&m, "name", DOM_RANGE, var(&m, 0), var(&m, 0), 0, 7);
        g->site[1].labels = ARENA_ARRAY(m.arena, const char *, 8);
        for (int i = 0; i < 8; i++)
            g->site[1].labels[i] = "x";
        if (decides)
            add(&m, ST_REQUIRE, 0, expr(&m, IR_LT, TY_BOOL, var(&m, 1), number(&m, 5)), NULL);
        assign(&m, 0, var(&m, 1));
        assign(&m, 1, local(&m, kept));
        finish(&m);
        const bool *silent = silent_vars(&m);
        assert_int_equal(silent[0], !decides);
        assert_int_equal(silent[1], !decides);
        end(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),     cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_wrap),       cmocka_unit_test(test_next),
        cmocka_unit_test(test_fail),       cmocka_unit_test(test_calls),
        cmocka_unit_test(test_depth),      cmocka_unit_test(test_often),
        cmocka_unit_test(test_move_texts), cmocka_unit_test(test_state_texts),
        cmocka_unit_test(test_lists),      cmocka_unit_test(test_silent),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests_name("ir_parts", tests, NULL, NULL);
}
