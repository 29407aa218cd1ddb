// fuzz_game: any text as a rules file.
//
// Whatever it is, it is read, formatted, checked, compiled, printed and played for a few moves
// without a crash, a leak or a hang, and what is written reads back.

#include "base/rng.h"
#include "game/draw.h"
#include "game/game.h"
#include "game/library.h"
#include "game/movetext.h"
#include "game/statetext.h"
#include "lang/check.h"
#include "lang/format.h"
#include "lang/parse.h"
#include "random_expr.h"
#include "second_opinion.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Long enough for what people write, short enough for thousands of inputs a second.
#define LARGEST 8192
#define PLIES 6
// Reading a text back lists all moves again; a few are enough.
#define MOVES 3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static _Noreturn void fault(const char *what, const char *a, const char *b) {
    fprintf(stderr, "%s\n--- first\n%s\n--- second\n%s\n", what, a, b);
    abort();
}

// --- format ---

static void print_tree(const Source *source, Text *out) {
    Diags diags = {.source = source};
    jmp_buf recovery;
    Arena arena;
    arena_init(&arena, &recovery);
    if (!setjmp(recovery))
        ast_print(parse_file(&arena, source, &diags), out);
    arena_free(&arena);
    diag_free(&diags);
}

// Formatting keeps the meaning, and formatting twice changes nothing more.
static void try_format(const Source *source) {
    Diags diags = {.source = source};
    Text once = {0}, twice = {0}, tree = {0}, tree_again = {0};
    if (format_file(source, &diags, &once)) {
        Source formatted = {"formatted", text_c(&once), once.n};
        Diags again = {.source = &formatted};
        if (!format_file(&formatted, &again, &twice))
            fault("the formatted text has errors", source->text, text_c(&once));
        if (strcmp(text_c(&once), text_c(&twice)) != 0)
            fault("formatting twice differs", text_c(&once), text_c(&twice));
        print_tree(source, &tree);
        print_tree(&formatted, &tree_again);
        if (strcmp(text_c(&tree), text_c(&tree_again)) != 0)
            fault("formatting changes the meaning", text_c(&tree), text_c(&tree_again));
        diag_free(&again);
    }
    diag_free(&diags);
    text_free(&once);
    text_free(&twice);
    text_free(&tree);
    text_free(&tree_again);
}

// --- play ---

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

static void play(const Game *g, Runner *r, Vm *vm, uint64_t seed) {
    uint64_t room[IR_MAX_STATE / 8];
    uint8_t *state = (uint8_t *)room;
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
        for (int i = 0; i < MOVES; i++)
            try_move_text(r, state, some[i]);
        if (!runner_apply(r, state, some[MOVES], state) || runner_result(r, state) < 0)
            return;
    }
}

// The same as game_compile, but without `scramble`: thousands of moves would take too long.
static bool compile(Game *g, Diags *diags) {
    Node *file = parse_file(&g->arena, &g->source, diags);
    IrGame *ir = diags->errors ? NULL : check_game(&g->arena, file, &g->source, NULL, 0, diags);
    g->ir = ir;
    g->program = ir ? vm_compile(&g->arena, ir, diags) : NULL;
    if (!g->program)
        return false;
    g->start = arena_alloc(&g->arena, (size_t)ir->layout.size);
    Vm *vm = vm_new(g->program);
    bool ok = vm && vm_setup(vm, g->start);
    vm_free(vm);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > LARGEST)
        return -1;
    char *text = mem_alloc(size + 1);
    if (size)
        memcpy(text, data, size);
    Game g = {.name = "fuzz", .source = {"fuzz.game", text, size}};
    Diags diags = {.source = &g.source};
    Text out = {0};
    jmp_buf recovery;
    arena_init(&g.arena, &recovery);
    if (!setjmp(recovery)) {
        bool ok = compile(&g, &diags);
        if (g.ir)
            ir_print(g.ir, &out);
        if (g.program)
            vm_print(g.program, &out);
        Runner *r = ok ? runner_new(&g) : NULL;
        Vm *vm = ok ? vm_new(g.program) : NULL;
        if (r && vm)
            play(&g, r, vm, size);
        runner_free(r);
        vm_free(vm);
    }
    diag_print(&diags, &out, true);
    diag_json(&diags, &out);
    diag_free(&diags);
    arena_free(&g.arena);
    try_format(&g.source);
    text_free(&out);
    mem_free(text);
    return 0;
}

// --- changes that a person would make ---

// Part of a text: a line with its newline, or a word, number or symbol.
typedef struct Part {
    size_t from, length;
} Part;

static size_t token_length(const char *s, size_t n) {
    size_t i = 1;
    if (isalnum((unsigned char)s[0]) || s[0] == '_')
        while (i < n && (isalnum((unsigned char)s[i]) || s[i] == '_'))
            i++;
    else if (strchr("=!<>+-.", s[0]) && n > 1 && (s[1] == '=' || s[1] == '.'))
        i = 2;
    return i;
}

// The line or token around a random place.
static Part pick(const char *s, size_t n, bool line, Rng *rng) {
    Part p = {rng_below(rng, n), 0};
    if (line) {
        while (p.from > 0 && s[p.from - 1] != '\n')
            p.from--;
        const char *end = memchr(s + p.from, '\n', n - p.from);
        p.length = end ? (size_t)(end - s) - p.from + 1 : n - p.from;
        return p;
    }
    while (p.from + 1 < n && s[p.from] == ' ')
        p.from++;
    while (p.from > 0 && isalnum((unsigned char)s[p.from]) && isalnum((unsigned char)s[p.from - 1]))
        p.from--;
    p.length = token_length(s + p.from, n - p.from);
    return p;
}

// Puts `with` in the place of a part. Returns the new size; too large a change is left out.
static size_t replace(char *s, size_t n, size_t most, Part at, const char *with, size_t length) {
    if (n - at.length + length > most)
        return n;
    memmove(s + at.from + length, s + at.from + at.length, n - at.from - at.length);
    memcpy(s + at.from, with, length);
    return n - at.length + length;
}

static bool is_word(const char *s, Part p, const char *const *words) {
    for (; *words; words++)
        if (strlen(*words) == p.length && memcmp(*words, s + p.from, p.length) == 0)
            return true;
    return false;
}

// Puts an expression in the place of a word of the same type, the first after a random place.
static size_t replace_expr(char *s, size_t n, size_t most, Rng *rng) {
    static const char *const sets[] = {"empty", "mine", "theirs", "occupied", "cells", NULL};
    static const char *const conditions[] = {"yes", "no", "true", "false", NULL};
    Text text = {0};
    ExprMaker m = {.rng = rng, .out = &text};
    int depth = 1 + (int)rng_below(rng, 4);
    for (Part p = pick(s, n, false, rng); p.from < n && !text.n; p.from += p.length) {
        p.length = token_length(s + p.from, n - p.from);
        if (is_word(s, p, sets))
            make_set(&m, depth);
        else if (is_word(s, p, conditions))
            make_condition(&m, depth);
        else if (isdigit((unsigned char)s[p.from]))
            make_number(&m, depth);
        if (text.n)
            n = replace(s, n, most, p, text.s, text.n);
    }
    text_free(&text);
    return n;
}

// Bytes changed at random hardly ever make rules that compile. So most changes take a line or a
// word out, bring one in from another place or from a game of the library, or make an expression.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    Rng rng;
    rng_seed(&rng, seed);
    if (size == 0 || rng_below(&rng, 8) == 0)
        return LLVMFuzzerMutate(data, size, most);
    char *s = (char *)data, copy[LARGEST];
    for (uint64_t changes = 1 + rng_below(&rng, 3); changes > 0 && size > 0; changes--) {
        if (rng_below(&rng, 2)) {
            size = replace_expr(s, size, most, &rng);
            continue;
        }
        bool line = rng_below(&rng, 3) == 0;
        const LibraryGame *game = &library_games[rng_below(&rng, (uint64_t)library_count)];
        bool own = rng_below(&rng, 2);
        const char *source = own ? s : game->text;
        Part from = pick(source, own ? size : game->size, line, &rng);
        Part to = pick(s, size, line, &rng);
        if (from.length > sizeof copy)
            continue;
        memcpy(copy, source + from.from, from.length);
        uint64_t what = rng_below(&rng, 8);
        if (what == 0)
            size = replace(s, size, most, to, "", 0);
        else if (what == 1)
            size = replace(s, size, most, (Part){to.from, 0}, copy, from.length);
        else
            size = replace(s, size, most, to, copy, from.length);
    }
    return size;
}
