// random_rules: expressions, statements and whole games that are nearly always right, at random.
//
// The choices come from the bytes of a fuzzer, which then finds its way to rules that reach new
// code, or from random numbers.
#ifndef LUDENS_RANDOM_RULES_H
#define LUDENS_RANDOM_RULES_H

#include "base/rng.h"
#include "base/text.h"

typedef struct Maker {
    Rng *rng; // NULL: the bytes decide, and 0 when they are used up
    const uint8_t *bytes;
    size_t size, at;
    Text *out;
    int names;   // cells that have a name here: v0, v1, …
    int numbers; // numbers that have a name here: k0, k1, …
    int its;     // how many `where` are open, in which `it` is a cell
    bool whole;  // makes a whole game, which declares more names than every game has
    bool in_let; // in a definition: no other definition is used
    bool lines, stacks;
    bool knows; // facts may be asked for
    int indent;
} Maker;

static void make_set(Maker *m, int depth);
static void make_cell(Maker *m, int depth);
static void make_number(Maker *m, int depth);
static void make_condition(Maker *m, int depth);

static int make_pick(Maker *m, int n) {
    if (m->rng)
        return (int)rng_below(m->rng, (uint64_t)n);
    return m->at < m->size ? m->bytes[m->at++] % n : 0;
}

static void make_word(Maker *m, const char *const *words, int n) {
    text_add(m->out, words[make_pick(m, n)]);
}

#define MAKE_LIST(...)                                                                             \
    (const char *const[]){__VA_ARGS__},                                                            \
        (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

// Writes `format`: S C N B D P make a set, cell, number, condition, direction, player. `?` writes a
// new name for a cell, which is known from `;` to `~`; `#` does so for a number, known from ` to '.
// `it` is known from `@` to `^`; `_` is a number that is another one inside; `$` writes `_`. The
// rest is text.
static void make(Maker *m, int depth, const char *format) {
    for (; *format; format++) {
        switch (*format) {
        case 'S': make_set(m, depth - 1); break;
        case 'C': make_cell(m, depth - 1); break;
        case 'N': make_number(m, depth - 1); break;
        case 'B': make_condition(m, depth - 1); break;
        case 'D':
            make_word(m, MAKE_LIST("e", "w", "ne", "sw", "opposite(e)", "opposite(ne)"));
            break;
        case 'P': make_word(m, MAKE_LIST("me", "opponent", "White", "owner(the occupied)")); break;
        case '_': text_f(m->out, "%d", depth + 9); break;
        case '$': text_char(m->out, '_'); break;
        case '@': m->its++; break;
        case '^': m->its--; break;
        case '?': text_f(m->out, "v%d", m->names); break;
        case ';': m->names++; break;
        case '~': m->names--; break;
        case '#': text_f(m->out, "k%d", m->numbers); break;
        case '`': m->numbers++; break;
        case '\'': m->numbers--; break;
        case '\n':
            text_char(m->out, '\n');
            for (int i = 0; i < m->indent && format[1]; i++)
                text_add(m->out, "    ");
            break;
        default: text_char(m->out, *format);
        }
    }
}

static void make_one(Maker *m, int depth, const char *const *formats, int n) {
    make(m, depth, formats[make_pick(m, n)]);
}

// --- expressions ---

static void make_set(Maker *m, int depth) {
    if (m->whole && !m->in_let && make_pick(m, 8) == 0)
        make_one(m, depth, MAKE_LIST("marks", "men", "men of P", "rocks", "home", "(reach(C))"));
    else if (m->lines && make_pick(m, 8) == 0)
        make_one(m, depth,
                 MAKE_LIST("(union l_ in lines : l_)", "(union l_ in lines through C : l_)"));
    else if (depth <= 0)
        make_one(m, 0, MAKE_LIST("empty", "mine", "theirs", "occupied", "cells", "row 2", "{}"));
    else
        make_one(m, depth,
                 MAKE_LIST("(S & S)", "(S | S)", "(S - S)", "{C}", "{C, C}", "next(C)", "next(S)",
                           "step(S, D)", "ray(C, D)", "ray(C, D while S)", "ray(C, D until S)",
                           "flood(from S through S)", "(S where @B^)", "(if B then S else S)",
                           "(union ? in S : ;S~)", "row N", "(cells where row > 1)"));
}

static void make_cell(Maker *m, int depth) {
    if (m->names && make_pick(m, 2))
        text_f(m->out, "v%d", make_pick(m, m->names));
    else if (m->its && make_pick(m, 2))
        text_add(m->out, "it");
    else if (m->whole && make_pick(m, 8) == 0)
        make_one(m, depth, MAKE_LIST("last", "seen[me]"));
    else if (depth <= 0)
        make_one(m, 0, MAKE_LIST("c1", "b2", "c3", "(the occupied)", "(the mine)"));
    else
        make_one(m, depth,
                 MAKE_LIST("step(C, D)", "(the S)", "past(C, D while S)", "cell(N, N)",
                           "(the ? in S with least ;N~)", "(the ? in S with most ;N~)",
                           "(if B then C else C)", "(if B then C else none)"));
}

static void make_number(Maker *m, int depth) {
    if (m->numbers && make_pick(m, 3) == 0)
        text_f(m->out, "k%d", make_pick(m, m->numbers));
    else if (m->whole && !m->in_let && make_pick(m, 6) == 0)
        make_one(m, depth,
                 MAKE_LIST("score[me]", "score[P]", "ticks", "far(C)", "half(N)", "near(C, C)"));
    else if (m->whole && !m->stacks && make_pick(m, 8) == 0)
        make(m, depth, "hp(C)");
    else if (depth <= 0)
        make_one(m, 0, MAKE_LIST("0", "1", "2", "3", "7", "count mine", "count empty"));
    else
        make_one(m, depth,
                 MAKE_LIST("(N + N)", "(N - N)", "(N * 2)", "(N / 3)", "(N % 4)", "(-N)", "abs(N)",
                           "min(N, N)", "max(N, N)", "(count S)", "(count ? in S : ;B~)",
                           "(sum ? in S : ;N~)", "(min ? in S : ;N~)", "(max ? in S : ;N~)",
                           "(sum # in 1 .. 3 : `N')", "(min # in 0 .. N where it < 5 : `N')",
                           "row(C)", "column(C)", "distance(C, C)", "(if B then N else N)",
                           "height(C)", "(count p_ in players : score[p_] > N)"));
}

static void make_condition(Maker *m, int depth) {
    if (m->knows && make_pick(m, 4) == 0)
        make_one(m, depth,
                 MAKE_LIST("hot", "here(C)", "(no here($))", "(some owns(P, $))", "owns(P, C)",
                           "(C in owns(P, $))", "(count owns($, $) > N)", "(some here($) & S)"));
    else if (m->lines && make_pick(m, 8) == 0)
        make_one(m, depth,
                 MAKE_LIST("(some l_ in lines : l_ within S)",
                           "(all l_ in lines through C : some (l_ & S))"));
    else if (m->whole && !m->in_let && make_pick(m, 8) == 0)
        make_one(m, depth, MAKE_LIST("safe(C)", "(K in flags)", "(flags == {})", "open"));
    else if (depth <= 0)
        make_one(m, 0, MAKE_LIST("some mine", "no theirs", "yes", "no", "me == White"));
    else
        make_one(m, depth,
                 MAKE_LIST("(B and B)", "(B or B)", "(not B)", "(N < N)", "(N == N)", "(N >= N)",
                           "(N in N .. N)", "(some S)", "(no S)", "(C in S)", "(C not in S)",
                           "(S within S)", "(S == S)", "(C == C)", "(C != none)", "(owner(C) == P)",
                           "(piece(C) != none)", "(some ? in S : ;B~)", "(all ? in S : ;B~)",
                           "(no ? in S : ;B~)", "(D == D)", "(P in {P, P})", "(N in {1, 3, 5})",
                           "(some d_ in directions : step(C, d_) in S)"));
}

// --- statements ---

static void make_block(Maker *m, int depth, int choices);

static void make_line(Maker *m, int depth, const char *format) {
    for (int i = 0; i < m->indent; i++)
        text_add(m->out, "    ");
    make(m, depth, format);
    text_char(m->out, '\n');
}

// A header and a block under it, in which the names of the header are known.
static void make_nested(Maker *m, int depth, int choices, const char *header) {
    int names = m->names, numbers = m->numbers;
    make_line(m, depth, header);
    m->indent++;
    make_block(m, depth - 1, choices);
    m->indent--;
    m->names = names;
    m->numbers = numbers;
}

static const char *const plain_statements[] = {
    "place man at C",
    "place man at S",
    "place man of P at C",
    "place rock at C",
    "move C to C",
    "remove C",
    "remove S",
    "clear C",
    "change C to man of P",
    "change S to rock",
    "require B",
    "score[me] = min(9, max(0, N))",
    "score[P] = abs(N) % 10",
    "last = C",
    "last = none",
    "marks = S",
    "marks += C",
    "marks -= S",
    "flags -= K",
    "flags = {Q}",
    "open = B",
    "ticks = min(20, max(0, ticks + N))",
    "if B\n    again",
    "let # = N`",
};
#define PLAIN ((int)(sizeof plain_statements / sizeof *plain_statements))

static void make_statement(Maker *m, int depth, int choices) {
    int what = make_pick(m, depth > 0 ? 40 : 28);
    if (what < PLAIN) {
        make_line(m, 2, plain_statements[what]);
    } else if (what < 28) {
        make_line(m, 2, m->stacks ? "move C above N to C" : "hp(C) = abs(N) % 4");
    } else if (what < 31) {
        make_nested(m, depth, choices, "if B");
        if (make_pick(m, 2))
            make_nested(m, depth, choices, "else");
    } else if (what < 34) {
        make_nested(m, depth, choices, "either");
        make_nested(m, depth, choices, "or");
    } else if (what < 36) {
        make_nested(m, depth, 0, "for ? in S;");
    } else if (what < 38) {
        make_nested(m, depth, choices ? 1 : 0, "while B up to 2");
    } else {
        make_nested(m, depth, 0, "for # in 1 .. 3`");
    }
}

static void make_block(Maker *m, int depth, int choices) {
    if (choices > 0 && make_pick(m, 2))
        make_line(m, 2, make_pick(m, 2) ? "choose ? in S;" : "choose ? in S where ;@B^");
    int n = 1 + make_pick(m, 3);
    for (int i = 0; i < n; i++)
        make_statement(m, depth, choices - 1);
}

// --- games ---

static void make_board(Maker *m) {
    static const char *const boards[] = {
        "board square 3 x 3",
        "board square 4 x 3\n    lines of 3\n    symmetry all",
        "board square 9 x 8",
        "board hex rhombus 3 x 4",
        "board hex hexagon 3\n    lines of 3",
        "board square 3 x 3\n    stacks of 3",
        "board square 5 x 5\n    cells where (column + row) % 2 == 0\n    directions ne, e, sw, w",
        "board square 3 x 4\n    stacks of 5\n    lines of 3",
    };
    int which = make_pick(m, 8);
    m->lines = which == 1 || which == 4 || which == 7;
    m->stacks = which == 5 || which == 7;
    text_f(m->out, "%s\n", boards[which]);
}

// A line in which v0 is known.
static void make_clause(Maker *m, int depth, const char *format) {
    m->names = 1;
    make_line(m, depth, format);
    m->names = 0;
}

static void make_knowledge(Maker *m) {
    text_add(m->out, "facts\n");
    make_line(m, 3, "here(?) for ? in S where ;B~");
    make_line(m, 2, "owns(p, ?) for p in players, ? in men of p where ;B~");
    make_clause(m, 3, "size(v0, min(max(N, -1), 4)) for v0 in cells");
    make_line(m, 2, "hot when B");
    m->knows = true;
    text_add(m->out, "rules\n");
    make_clause(m, 3, "r1(v0) if here(v0), B");
    make_clause(m, 3, "r1(C) if owns(P, v0), B");
    make_clause(m, 3, "r2(v0, y) if y in S, B, r1(v0)");
    make_clause(m, 2, "r2(y, v0) if r2(v0, u), r1(y), u in S, B");
    make_clause(m, 2, "r3(p, count r1($)) if owns(p, v0), not r2(v0, $), size(v0, n1), n1 > N");
    make_clause(m, 2, "r4(v0, 0) if r1(v0), B");
    make_clause(m, 2, "r4(y, min(n1 + 1, 5)) if r4(v0, n1), y in next(v0) & S");
    make_line(m, 2, "r5 if hot, x = S, B, some x & r1($)");
    text_add(m->out, "worth\n");
    make_clause(m, 2, "r1(v0) N");
    make_clause(m, 2, "r2($, v0) N");
    make_line(m, 2, "r3(me, n1) n1 + N");
    make_line(m, 2, "r4($, $) if mover == me and r5 then N else 2");
    make_line(m, 2, "opponent -1");
    text_add(m->out, "prefer\n");
    make_clause(m, 3, "times 3 if B");
    make_clause(m, 3, "times 1/2 if before B and not B \"as before\"");
}

static inline void make_game(Maker *m) {
    text_add(m->out, "game \"R\"\nplayers White, Black\n");
    make_board(m);
    text_f(m->out, "piece man of White, Black%s\npiece rock\n",
           m->stacks ? "" : " with hp : 0..3 = 2");
    text_add(m->out, "var score[player] : 0..9\nvar last : cell or none\nvar seen[player] : cell\n"
                     "var marks : cells\nvar flags : some of K, Q = K\nvar open : bool\n"
                     "clock ticks : 0..20\n");
    m->whole = m->in_let = true;
    m->names = 1; // v0 is the parameter
    make_line(m, 3, "let reach(v0) = S");
    make_line(m, 3, "let safe(v0) = B");
    make_line(m, 3, "let far(v0) = N");
    m->names = 2;
    make_line(m, 3, "let near(v0, v1) = N");
    m->names = 0;
    m->numbers = 1;
    make_line(m, 2, "let half(k0) = N");
    m->numbers = 0;
    make_line(m, 3, "let home = S");
    m->in_let = false;
    text_add(m->out, "setup\n    place man of White at c1, b2\n    place man of Black at c3\n");
    m->indent = 1;
    make_line(m, 2, "place rock at S");
    text_add(m->out, "turn\n");
    make_line(m, 2, "choose ? in S;");
    make_block(m, 2, 2);
    text_add(m->out, "end\n");
    m->names = m->numbers = 0;
    make_line(m, 3, "P wins when B \"so\"");
    make_line(m, 2, make_pick(m, 2) ? "draw when 9 moves without remove" : "most N wins when B");
    text_add(m->out, "when stuck\n");
    make_line(m, 2, make_pick(m, 2) ? "pass" : "me loses when B");
    if (make_pick(m, 2))
        make_knowledge(m);
}

#endif
