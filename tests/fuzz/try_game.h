// try_game: what fuzz targets do with rules: compile, print and play them for a few moves, with a
// second opinion on every position.
#ifndef LUDENS_TRY_GAME_H
#define LUDENS_TRY_GAME_H

#include "base/rng.h"
#include "game/draw.h"
#include "game/game.h"
#include "game/movetext.h"
#include "game/statetext.h"
#include "knowledge/knowledge.h"
#include "lang/check.h"
#include "lang/parse.h"
#include "second_opinion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLIES 6
// Reading a text back may write the text of every move: a few are read, where there are not many.
#define MOVES 3
#define TEXTS 30
// Of the interpreter, and of conclusions about a position: rules that take long are not waited for.
#define STEPS 200000L

static _Noreturn void fault(const char *what, const char *a, const char *b) {
    fprintf(stderr, "%s\n--- first\n%s\n--- second\n%s\n", what, a, b);
    abort();
}

static void try_state_text(const Game *g, const uint8_t *state) {
    uint64_t room[IR_MAX_STATE / 8];
    uint8_t *back = (uint8_t *)room;
    Text text = {0}, error = {0}, again = {0};
    state_text(g, state, &text);
    if (!state_read(g, text_c(&text), back, &error))
        fault("the text of a state does not read back", text_c(&text), text_c(&error));
    state_text(g, back, &again);
    if (memcmp(state, back, (size_t)game_state_size(g)) != 0)
        fault("a state reads back as another", text_c(&text), text_c(&again));
    DrawStyle style = {.ascii = true};
    draw_board(g, state, style, &again);
    text_free(&text);
    text_free(&error);
    text_free(&again);
}

// Rules may give two moves the same text; then another move is read, but a move it is.
static void try_move_text(Runner *r, const uint8_t *state, Move move) {
    Text text = {0}, error = {0};
    Move back;
    if (move_text(r, state, move, &text))
        move_read(r, state, text_c(&text), &back, &error);
    text_free(&text);
    text_free(&error);
}

// The moves of the turn program, by the interpreter and by walking.
static void try_moves(const Game *g, Vm *vm, const uint8_t *state) {
    static Move moves[10000];
    int n = vm_moves(vm, state, moves, 10000);
    if (n <= 10000)
        second_opinion(g, vm, state, moves, n);
}

// What is known about a position, and a move that leads to another.
static void try_known(const Game *g, Reasoner *know, const uint8_t *from, Move move,
                      const uint8_t *to) {
    for (int p = 0; p < g->ir->players; p++)
        reasoner_worth(know, to, p);
    if (reasoner_priority(know, from, move, to) < -1)
        fault("a priority is below 0", "", "");
}

static void play(const Game *g, Runner *r, Vm *vm, Reasoner *know, uint64_t seed) {
    uint64_t room[IR_MAX_STATE / 8], room_before[IR_MAX_STATE / 8];
    uint8_t *state = (uint8_t *)room, *before = (uint8_t *)room_before;
    Rng rng;
    rng_seed(&rng, seed);
    memcpy(state, g->start, (size_t)game_state_size(g));
    for (int ply = 0; ply < PLIES; ply++) {
        const Move *moves;
        try_state_text(g, state);
        try_moves(g, vm, state);
        int n = runner_moves(r, state, &moves);
        if (n <= 0 || n != runner_count(r, state))
            return;
        runner_moves(r, state, &moves);
        Move some[MOVES + 1];
        for (int i = 0; i <= MOVES; i++)
            some[i] = moves[rng_below(&rng, (uint64_t)n)];
        for (int i = 0; i < MOVES && n < TEXTS; i++)
            try_move_text(r, state, some[i]);
        memcpy(before, state, (size_t)game_state_size(g));
        if (!runner_apply(r, state, some[MOVES], state) || runner_result(r, state) < 0)
            return;
        if (know)
            try_known(g, know, before, some[MOVES], state);
    }
}

// A language: the source of a game to its IR, NULL if it has errors.
typedef IrGame *FrontEnd(Game *g, Diags *diags);

static IrGame *rules_front(Game *g, Diags *diags) {
    Node *file = parse_file(&g->arena, &g->source, diags);
    return diags->errors ? NULL : check_game(&g->arena, file, &g->source, NULL, 0, diags);
}

static Vm *new_vm(const VmProgram *p) {
    Vm *vm = vm_new(p);
    if (vm)
        vm_limit(vm, STEPS, 0);
    return vm;
}

// The same as game_compile, but without `scramble`: thousands of moves would take too long.
static bool compile(Game *g, FrontEnd *front, Diags *diags) {
    IrGame *ir = front(g, diags);
    g->ir = ir;
    g->program = ir ? vm_compile(&g->arena, ir, diags) : NULL;
    if (!g->program)
        return false;
    g->start = arena_alloc(&g->arena, (size_t)ir->layout.size);
    Vm *vm = new_vm(g->program);
    bool ok = vm && vm_setup(vm, g->start);
    vm_free(vm);
    return ok;
}

// Tries the rules; true if they are right. Messages go to `diags`, whose source is theirs.
static bool try_source(const Source *source, FrontEnd *front, Diags *diags) {
    Game g = {.name = "fuzz", .source = *source, .steps = STEPS};
    Text out = {0};
    jmp_buf recovery;
    volatile bool ok = false;
    arena_init(&g.arena, &recovery);
    if (!setjmp(recovery)) {
        ok = compile(&g, front, diags);
        if (g.ir)
            ir_print(g.ir, &out);
        if (g.program)
            vm_print(g.program, &out);
        Runner *r = ok ? runner_new(&g) : NULL;
        Vm *vm = ok ? new_vm(g.program) : NULL;
        Knowledge *k = ok ? knowledge_own(&g) : NULL;
        Reasoner *know = k ? reasoner_new(k) : NULL;
        if (know)
            reasoner_limit(know, STEPS);
        if (r && vm)
            play(&g, r, vm, know, source->size);
        reasoner_free(know);
        knowledge_free(k);
        runner_free(r);
        vm_free(vm);
    }
    diag_print(diags, &out, true);
    diag_json(diags, &out);
    arena_free(&g.arena);
    text_free(&out);
    return ok;
}

static inline bool try_rules(const Source *source, Diags *diags) {
    return try_source(source, rules_front, diags);
}

#endif
