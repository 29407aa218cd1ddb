// Rules of small games made at random, for the tests of what claims to be proven: boards of up to
// nine cells, placing, moving and taking, turns of several moves, clocks, repetition and ends of
// many kinds. A number always makes the same game; not every text is one.
#ifndef LUDENS_RANDOM_RULES_H
#define LUDENS_RANDOM_RULES_H

#include "base/rng.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Maker {
    Rng rng;
    Text text;
    int players, width, height;
    bool king, stones, marks; // what the pieces are
    int clock;                // it goes to this number; 0: there is none
    bool counts;              // the clock decides more than a draw
    int repeated;
    bool lopsided; // the rules do not look the same in a mirror
} Maker;

static int any(Maker *m, int n) {
    return (int)rng_below(&m->rng, (uint64_t)n);
}

static bool chance(Maker *m, int percent) {
    return any(m, 100) < percent;
}

static void say(Maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(Maker *m, const char *format, ...) {
    char line[300];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    text_add(&m->text, line);
}

static const char *const names[] = {"Red", "Blue", "Green"};

// A cell, or another; the rules are not the same in a mirror then.
static const char *cell(Maker *m) {
    static const char *const all[4][6] = {{"a1", "b1", "c1", "d1", "e1", "f1"},
                                          {"a2", "b2", "c2", "d2", "e2", "f2"},
                                          {"a3", "b3", "c3", "d3", "e3", "f3"},
                                          {"a4", "b4", "c4", "d4", "e4", "f4"}};
    m->lopsided = true;
    return all[any(m, m->height)][any(m, m->width)];
}

static const char *who(Maker *m) {
    switch (any(m, 6)) {
    case 0: return m->players == 2 ? "opponent" : "me";
    case 1: return names[any(m, m->players)];
    default: return "me";
    }
}

// Something that may hold behind a move.
static void condition(Maker *m) {
    if (m->king) {
        switch (any(m, 3)) {
        case 0: say(m, "some kings & {%s, %s}", cell(m), cell(m)); break;
        case 1:
            m->lopsided = true;
            say(m, "some kings & row %d", 1 + any(m, m->height));
            break;
        default: say(m, "the king == %s", cell(m));
        }
        return;
    }
    const char *mine = m->stones ? "occupied" : "mine";
    switch (any(m, 8)) {
    case 0:
    case 1: say(m, "some l in lines : l within %s", mine); break;
    case 2: say(m, "%s in %s", cell(m), mine); break;
    case 3: say(m, "count %s >= %d", mine, 2 + any(m, 3)); break;
    case 4: say(m, "count %s == %d", mine, 1 + any(m, 3)); break;
    case 5: say(m, m->stones || m->players == 1 ? "no empty" : "no theirs"); break;
    case 6: say(m, "{%s, %s} within %s", cell(m), cell(m), mine); break;
    default: say(m, "no {%s, %s} & empty", cell(m), cell(m));
    }
}

static void make_board(Maker *m) {
    static const int sizes[][2] = {{2, 2}, {3, 2}, {2, 3}, {3, 3}, {4, 1},
                                   {5, 1}, {6, 1}, {4, 2}, {3, 1}, {3, 3}};
    int i = any(m, 10);
    m->width = sizes[i][0];
    m->height = sizes[i][1];
    say(m, "board square %d x %d\n", m->width, m->height);
    say(m, "    lines of %d\n", m->width > 2 || m->height > 2 ? 2 + any(m, 2) : 2);
    if (chance(m, 50))
        say(m, "    directions n, e, s, w\n");
}

static void make_pieces(Maker *m) {
    if (m->king)
        say(m, "piece king\n");
    else if (m->stones)
        say(m, "piece man\n");
    else {
        say(m, "piece man of Red \"R\"");
        for (int i = 1; i < m->players; i++)
            say(m, ", %s \"%c\"", names[i], names[i][0]);
        say(m, "\n");
    }
}

static void make_setup(Maker *m, bool moves) {
    if (m->king) {
        say(m, "setup\n    place king at %s\n", cell(m));
    } else if (m->stones) {
        say(m, "setup\n    place man at cells\n    clear {%s} | {%s}\n", cell(m), cell(m));
    } else if (moves) {
        say(m, "setup\n");
        int men = 1 + any(m, m->width * m->height > 4 ? 2 : 1);
        for (int i = 0; i < men; i++)
            for (int p = 0; p < m->players; p++)
                say(m, "    place man of %s at %s\n", names[p], cell(m));
    }
}

static void make_place(Maker *m, const char *blanks) {
    static const char *const where[] = {"empty", "empty", "empty - step(empty, s)",
                                        "empty where no next(it) & mine",
                                        "empty where some next(it) & mine or no mine"};
    int i = any(m, 5);
    m->lopsided = m->lopsided || i == 2;
    say(m, "%schoose to in %s\n%splace man at to\n", blanks, where[i], blanks);
}

static void make_move(Maker *m, const char *blanks, const char *from, const char *to) {
    say(m, "%schoose from in %s\n%schoose to in %s\n%smove from to to\n", blanks, from, blanks, to,
        blanks);
}

static void make_turn(Maker *m, int kind) {
    static const char *const goes[] = {"empty & next(from)", "next(from) - mine", "empty",
                                       "(empty | theirs) & next(from)"};
    say(m, "turn\n");
    switch (kind) {
    case 0: make_place(m, "    "); break;
    case 1: make_move(m, "    ", "mine", goes[any(m, 4)]); break;
    case 2: // who can take has to
        say(m, "    if some c in mine : some next(c) & theirs\n");
        make_move(m, "        ", "mine where some next(it) & theirs", "next(from) & theirs");
        say(m, "    else\n");
        make_move(m, "        ", "mine", "empty & next(from)");
        break;
    case 3:
        say(m, "    if count mine < %d\n", 1 + any(m, 3));
        make_place(m, "        ");
        say(m, "    else\n");
        make_move(m, "        ", "mine", goes[any(m, 4)]);
        break;
    case 4:
        say(m, "    either \"lay\"\n        require count mine < 2\n");
        make_place(m, "        ");
        say(m, "    or \"go\"\n");
        make_move(m, "        ", "mine", goes[any(m, 4)]);
        break;
    case 5: say(m, "    choose to in next(the king)\n    move the king to to\n"); break;
    case 6:
        say(m, "    choose to in next(the king) - burnt\n    burnt += the king\n"
               "    move the king to to\n");
        break;
    case 7:
        m->lopsided = true;
        say(m, "    choose to in occupied\n    remove {to} | ray(to, %s while occupied)\n",
            chance(m, 50) ? "e" : "n");
        break;
    default:
        m->lopsided = true;
        say(m, "    choose to in empty & step(empty, if me == Red then s else w)\n"
               "    place man at to, step(to, if me == Red then n else e)\n");
    }
    if (chance(m, 15)) {
        say(m, "    require not (");
        condition(m);
        say(m, ")\n");
    }
    if (chance(m, 20)) {
        say(m, "    if ");
        condition(m);
        say(m, "\n        again\n");
    }
    if (m->clock)
        say(m, "    steps = min(steps + 1, %d)\n", m->clock);
}

static void make_ends(Maker *m, int kind) {
    int ends = 1 + any(m, 3);
    say(m, "end\n");
    for (int i = 0; i < ends; i++) {
        if (chance(m, 12)) {
            say(m, "    draw when ");
            condition(m);
        } else {
            say(m, "    %s %s when ", who(m), chance(m, 70) ? "wins" : "loses");
            if (m->counts && chance(m, 60)) {
                say(m, "steps %s %d", chance(m, 50) ? ">=" : "==", 1 + any(m, m->clock));
                say(m, " and ");
            }
            condition(m);
        }
        say(m, "\n");
    }
    if (!m->king && !m->stones && m->players > 1 && chance(m, 20))
        say(m, "    most count men of it wins when no empty\n");
    if (kind == 0 && chance(m, 50))
        say(m, "    draw when no empty\n");
    if (m->clock)
        say(m, "    %s when steps == %d\n", m->counts && chance(m, 40) ? "Red wins" : "draw",
            m->clock);
    if (m->repeated)
        say(m, "    draw when repeated %d\n", m->repeated);
    else if (kind > 0 && chance(m, 15))
        say(m, "    draw when %d moves without remove\n", 2 + any(m, 5));
    static const char *const stuck[] = {"me loses", "me wins", "pass", "draw", "Red wins"};
    if (chance(m, 75))
        say(m, "when stuck\n    %s\n",
            stuck[any(m, 10) < 5 || m->players == 1 ? any(m, 2) : any(m, 5)]);
    if (m->players > 1 && !m->king && !m->stones && chance(m, 20))
        say(m, "when all stuck\n    most count men of it wins\n");
}

static void make_rules(Maker *m, uint64_t number) {
    *m = (Maker){0};
    rng_seed(&m->rng, number);
    m->players = chance(m, 25) ? 1 : chance(m, 75) ? 2 : 3;
    int kind = any(m, 9);
    m->king = kind == 5 || kind == 6;
    m->stones = kind == 7;
    if (kind > 0 && kind < 8 && chance(m, 35)) {
        m->clock = 3 + any(m, 5);
        m->counts = chance(m, 60);
    }
    if (kind > 0 && chance(m, 40))
        m->repeated = 2 + any(m, 2);
    say(m, "game \"Number %llu\"\nplayers Red", (unsigned long long)number);
    for (int i = 1; i < m->players; i++)
        say(m, ", %s", names[i]);
    say(m, "\n");
    make_board(m);
    size_t board = m->text.n;
    make_pieces(m);
    if (m->clock)
        say(m, "clock steps : 0..%d = 0\n", m->clock);
    if (kind == 6)
        say(m, "var burnt : cells\n");
    make_setup(m, kind >= 1 && kind <= 4);
    make_turn(m, kind);
    make_ends(m, kind);
    if (!m->lopsided && chance(m, 70)) { // among the lines of the board
        Text whole = {0};
        text_add_n(&whole, m->text.s, board);
        text_add(&whole, m->width == m->height ? "    symmetry all\n" : "    symmetry half_turn\n");
        text_add(&whole, m->text.s + board);
        text_free(&m->text);
        m->text = whole;
    }
}

#endif
