// random_expr: expressions of the rules language that are well typed, at random.
//
// Words stand for what every game has (players, cells, directions); lines, stacks and attributes
// only where the game has them, so some of what is made here is refused, most of it is not.
#ifndef LUDENS_RANDOM_EXPR_H
#define LUDENS_RANDOM_EXPR_H

#include "base/rng.h"
#include "base/text.h"

typedef struct ExprMaker {
    Rng *rng;
    Text *out;
    int names; // variables of quantifiers that are open: v0, v1, …; each is a cell
    int it;    // `it` is a cell
} ExprMaker;

static void make_set(ExprMaker *m, int depth);
static void make_cell(ExprMaker *m, int depth);
static void make_number(ExprMaker *m, int depth);
static void make_condition(ExprMaker *m, int depth);

static int make_pick(ExprMaker *m, int n) {
    return (int)rng_below(m->rng, (uint64_t)n);
}

static void make_word(ExprMaker *m, const char *const *words, int n) {
    text_add(m->out, words[make_pick(m, n)]);
}
#define MAKE_WORD(m, ...)                                                                          \
    make_word(m, (const char *const[]){__VA_ARGS__},                                               \
              (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))

// Writes `format`: S C N B D P make a set, cell, number, condition, direction, player; `[` and `]`
// are the reach of `it`, `$` names a new variable and `~` ends it; the rest stands for itself.
static void make(ExprMaker *m, int depth, const char *format) {
    for (; *format; format++) {
        switch (*format) {
        case 'S': make_set(m, depth - 1); break;
        case 'C': make_cell(m, depth - 1); break;
        case 'N': make_number(m, depth - 1); break;
        case 'B': make_condition(m, depth - 1); break;
        case 'D': MAKE_WORD(m, "n", "e", "s", "w", "ne", "sw", "opposite(e)"); break;
        case 'P': MAKE_WORD(m, "me", "opponent", "owner(the occupied)"); break;
        case '[': m->it++; break;
        case ']': m->it--; break;
        case '$': text_f(m->out, "v%d", m->names++); break;
        case '~': m->names--; break;
        default: text_char(m->out, *format);
        }
    }
}

#define MAKE(m, depth, ...)                                                                        \
    make(m, depth,                                                                                 \
         ((const char *const[]){__VA_ARGS__})[make_pick(                                           \
             m, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))])

static void make_set(ExprMaker *m, int depth) {
    if (depth <= 0) {
        MAKE_WORD(m, "empty", "mine", "theirs", "occupied", "cells", "row 2", "column 1", "{}");
        return;
    }
    MAKE(m, depth, "(S & S)", "(S | S)", "(S - S)", "{C}", "{C, C}", "next(C)", "next(S)",
         "step(S, D)", "ray(C, D)", "ray(C, D while S)", "ray(C, D until S)",
         "flood(from S through S)", "(S where [B])", "(if B then S else S)",
         "(union $ in S : S~)", "row N",
         "(cells where row > 1 and column < 3)");
}

static void make_cell(ExprMaker *m, int depth) {
    if (m->names && make_pick(m, 2)) {
        text_f(m->out, "v%d", make_pick(m, m->names));
        return;
    }
    if (m->it && make_pick(m, 2)) {
        text_add(m->out, "it");
        return;
    }
    if (depth <= 0) {
        MAKE_WORD(m, "a1", "b2", "a2", "none", "the occupied");
        return;
    }
    MAKE(m, depth, "step(C, D)", "(the S)", "past(C, D while S)", "cell(N, N)",
         "(the $ in S with least N~)", "(the $ in S with most N~)", "(if B then C else C)");
}

static void make_number(ExprMaker *m, int depth) {
    if (depth <= 0) {
        MAKE_WORD(m, "0", "1", "2", "3", "7", "count mine", "count empty");
        return;
    }
    MAKE(m, depth, "(N + N)", "(N - N)", "(N * 2)", "(N / 3)", "(N % 4)", "(-N)", "abs(N)",
         "min(N, N)", "max(N, N)", "(count S)", "(count $ in S : B~)", "(sum $ in S : N~)",
         "(min $ in S : N~)", "(max $ in S : N~)", "row(C)", "column(C)", "distance(C, C)",
         "(if B then N else N)", "height(C)");
}

static void make_condition(ExprMaker *m, int depth) {
    if (depth <= 0) {
        MAKE_WORD(m, "some mine", "no theirs", "yes", "no", "me == opponent");
        return;
    }
    MAKE(m, depth, "(B and B)", "(B or B)", "(not B)", "(N < N)", "(N == N)", "(N >= N)",
         "(N in N .. N)", "(some S)", "(no S)", "(C in S)", "(C not in S)", "(S within S)",
         "(S == S)", "(C == C)", "(C != none)", "(owner(C) == P)", "(some $ in S : B~)",
         "(all $ in S : B~)", "(no $ in S : B~)", "(D == D)", "(P in {P, P})", "(P != P)");
}

#endif
