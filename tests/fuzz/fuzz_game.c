// fuzz_game: any text as a rules file.
//
// Whatever it is, it is read, formatted, checked, compiled, printed and played for a few moves
// without a crash, a leak or a hang, and what is written reads back.

#include "change_text.h"
#include "game/library.h"
#include "lang/format.h"
#include "random_rules.h"
#include "try_game.h"

// Long enough for what people write, short enough for thousands of inputs a second.
#define LARGEST 8192

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > LARGEST)
        return -1;
    char *text = mem_alloc(size + 1);
    if (size)
        memcpy(text, data, size);
    Source source = {"fuzz.game", text, size};
    Diags diags = {.source = &source};
    try_rules(&source, &diags);
    try_format(&source);
    diag_free(&diags);
    mem_free(text);
    return 0;
}

// --- changes that a person would make ---

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
    Maker m = {.rng = rng, .out = &text};
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
