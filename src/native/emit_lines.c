// Lines of cells: is one of them within a set? Lines that have the same distances between their
// cells are tested together, by shifting the set over itself:
//
//     four in a row, any row:   x & x >> 1 & x >> 2 & x >> 3 & cells that begin a row of four
#include "native/emitter.h"

#include <string.h>

typedef struct LineGroup {
    int count; // cells of a line
    const BoardLine *like;
    int by[64]; // from the first cell to each
    uint64_t first[BOARD_MAX_WORDS];
    int lines;
} LineGroup;

// Beyond this a loop over all lines is shorter.
#define MOST_GROUPS 24
#define MOST_CELLS 24

static void sort_cells(const int16_t *a, int n, int *sorted) {
    for (int i = 0; i < n; i++) {
        int k = i;
        for (; k > 0 && sorted[k - 1] > a[i]; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = a[i];
    }
}

// Sorts the lines into groups; -1 if there are too many.
static int group_lines(const Emitter *em, LineGroup *group) {
    int groups = 0;
    for (int l = 0; l < em->b->lines; l++) {
        const BoardLine *line = &em->b->line[l];
        int sorted[MOST_CELLS];
        if (line->count > MOST_CELLS)
            return -1;
        sort_cells(line->cells, line->count, sorted);
        int g = 0;
        for (; g < groups; g++) {
            bool fits = group[g].count == line->count;
            for (int i = 0; fits && i < line->count; i++)
                fits = group[g].by[i] == sorted[i] - sorted[0];
            if (fits)
                break;
        }
        if (g == groups) {
            if (groups == MOST_GROUPS)
                return -1;
            memset(&group[g], 0, sizeof group[g]);
            group[g].count = line->count;
            for (int i = 0; i < line->count; i++)
                group[g].by[i] = sorted[i] - sorted[0];
            groups++;
        }
        group[g].first[sorted[0] / 64] |= (uint64_t)1 << (sorted[0] % 64);
        group[g].lines++;
    }
    return groups;
}

static const char *down(Emitter *em, const char *x, int by) {
    if (by == 0)
        return x;
    return emit_f(em, em->one ? "(%s >> %d)" : "set_down(%s, %d)", x, by);
}

static const char *up(Emitter *em, const char *x, int by) {
    if (by == 0)
        return x;
    return emit_f(em, em->one ? "(%s << %d)" : "set_up(%s, %d)", x, by);
}

static bool is_even(const LineGroup *g) {
    for (int i = 1; i < g->count; i++)
        if (g->by[i] != i * g->by[1])
            return false;
    return g->count > 1;
}

// Writes statements that leave in the returned name the first cells of the group's lines in x.
static const char *hits(Emitter *em, const LineGroup *g) {
    const char *y = "x";
    if (is_even(g)) { // twos, fours, ...
        int have = 1;
        while (have < g->count) {
            int more = 2 * have <= g->count ? have : g->count - have;
            y = emit_temp(em, "Set", emit_and(em, y, down(em, y, more * g->by[1])));
            have += more;
        }
    } else {
        for (int i = 1; i < g->count; i++)
            y = emit_and(em, y, down(em, "x", g->by[i]));
    }
    return emit_and(em, y, emit_set_literal(em, g->first));
}

static const char *lane_list(Emitter *em, const LineGroup *group, int groups, int times) {
    const char *list = "";
    for (int g = 0; g < 4; g++)
        list = emit_f(em, "%s%s%d", list, g ? ", " : "", g < groups ? times * group[g].by[1] : 0);
    return list;
}

// Up to four groups of lines of the same length fit side by side into a vector.
static bool fits_lanes(const Emitter *em, const LineGroup *group, int groups) {
    if (!em->one || groups < 2 || groups > 4)
        return false;
    for (int g = 0; g < groups; g++)
        if (!is_even(&group[g]) || group[g].count != group[0].count)
            return false;
    return true;
}

static bool print_lanes(Emitter *em, const LineGroup *group, int groups) {
    if (!fits_lanes(em, group, groups))
        return false;
    emit_lanes(em);
    text_add(em->helpers, "#ifdef LANES\n"
                          "// Whether some line of the board is within x: each way in a lane.\n"
                          "static INLINE int some_line(const Set x) {\n"
                          "    Lanes y = {x, x, x, x};\n");
    for (int have = 1; have < group[0].count;) {
        int more = 2 * have <= group[0].count ? have : group[0].count - have;
        text_f(em->helpers, "    y &= y >> (Lanes){%s};\n", lane_list(em, group, groups, more));
        have += more;
    }
    const char *masks = "";
    for (int g = 0; g < 4; g++)
        masks = emit_f(em, "%s%s%s", masks, g ? ", " : "",
                       g < groups ? emit_hex(em, group[g].first[0]) : "0");
    text_f(em->helpers, "    y &= (Lanes){%s};\n    return LANES_SOME(y);\n}\n#else\n", masks);
    return true;
}

static void print_some_line(Emitter *em) {
    LineGroup *group = ARENA_ARRAY(em->arena, LineGroup, MOST_GROUPS);
    int groups = group_lines(em, group);
    Text *outer = em->t;
    int indent = em->indent, temps = em->temps;
    em->t = emit_text(em);
    em->indent = 1;
    em->temps = 0;
    if (groups < 0) {
        emit_line(em, "for (int n = 0; n < %d; n++)", em->b->lines);
        emit_line(em, "    if (set_within(line_set[n], x)) return 1;");
        emit_line(em, "return 0;");
    } else {
        const char *sum = "SET_EMPTY";
        for (int g = 0; g < groups; g++)
            sum = emit_or(em, sum, hits(em, &group[g]));
        emit_line(em, "return %s;", emit_some(em, sum));
    }
    bool lanes = print_lanes(em, group, groups);
    text_f(em->helpers,
           "// Whether some line of the board is within x.\n"
           "static INLINE int some_line(const Set x) {\n%s}\n%s\n",
           text_c(em->t), lanes ? "#endif\n" : "");
    em->t = outer;
    em->indent = indent;
    em->temps = temps;
}

static void print_lined(Emitter *em) {
    LineGroup *group = ARENA_ARRAY(em->arena, LineGroup, MOST_GROUPS);
    int groups = group_lines(em, group);
    Text *outer = em->t;
    int indent = em->indent, temps = em->temps;
    em->t = emit_text(em);
    em->indent = 1;
    em->temps = 0;
    emit_line(em, "Set r = SET_EMPTY;");
    for (int g = 0; g < groups; g++) {
        const LineGroup *it = &group[g];
        const char *m = emit_temp(em, "Set", hits(em, it));
        const char *sum = "r";
        for (int i = 0; i < it->count; i++)
            sum = emit_or(em, sum, up(em, m, it->by[i]));
        emit_line(em, "r = %s;", sum);
    }
    if (groups < 0) {
        emit_line(em, "for (int n = 0; n < %d; n++)", em->b->lines);
        emit_line(em, "    if (set_within(line_set[n], x)) r = %s;",
                  emit_or(em, "r", "line_set[n]"));
    }
    emit_line(em, "return r;");
    text_f(em->helpers,
           "// The cells of all lines that are within x.\n"
           "static INLINE Set lined(const Set x) {\n%s}\n\n",
           text_c(em->t));
    em->t = outer;
    em->indent = indent;
    em->temps = temps;
}

// Position i of a group's lines: cells there whose fellows are all in x.
static const char *missing(Emitter *em, const LineGroup *g, int i) {
    const char *all = NULL;
    for (int j = 0; j < g->count; j++) {
        if (j == i)
            continue;
        int by = g->by[i] - g->by[j];
        const char *part = by > 0 ? up(em, "x", by) : down(em, "x", -by);
        all = all ? emit_and(em, all, part) : part;
    }
    return emit_and(em, all ? all : "SET_ALL", up(em, emit_set_literal(em, g->first), g->by[i]));
}

// The fellows of a cell that is number i in its line: i before it, the others behind it.
static bool print_closing_lanes(Emitter *em, const LineGroup *group, int groups) {
    if (!fits_lanes(em, group, groups))
        return false;
    emit_lanes(em);
    text_add(em->helpers,
             "#ifdef LANES\n"
             "// The cells that complete a line with others in x: each way in a lane.\n"
             "static INLINE Set closing(const Set x) {\n"
             "    const Lanes y = {x, x, x, x};\n");
    int count = group[0].count;
    const char *sum = "";
    for (int i = 1; i < count; i++) {
        const char *by = lane_list(em, group, groups, i);
        const char *of = i > 1 ? emit_f(em, "before%d & ", i - 1) : "";
        text_f(em->helpers, "    const Lanes before%d = %sy << (Lanes){%s};\n", i, of, by);
        of = i > 1 ? emit_f(em, "behind%d & ", i - 1) : "";
        text_f(em->helpers, "    const Lanes behind%d = %sy >> (Lanes){%s};\n", i, of, by);
    }
    for (int i = 0; i < count; i++) {
        const char *masks = "";
        for (int g = 0; g < 4; g++)
            masks = emit_f(em, "%s%s%s", masks, g ? ", " : "",
                           g < groups ? emit_hex(em, group[g].first[0] << group[g].by[i]) : "0");
        const char *before = i ? emit_f(em, "before%d & ", i) : "";
        const char *behind = i < count - 1 ? emit_f(em, "behind%d & ", count - 1 - i) : "";
        sum = emit_f(em, "%s%s(%s%s(Lanes){%s})", sum, i ? " |\n        " : "", before, behind,
                     masks);
    }
    text_f(em->helpers,
           "    const Lanes found = %s;\n"
           "    return (found[0] | found[1]) | (found[2] | found[3]);\n}\n#else\n",
           sum);
    return true;
}

static void print_closing(Emitter *em) {
    LineGroup *group = ARENA_ARRAY(em->arena, LineGroup, MOST_GROUPS);
    int groups = group_lines(em, group);
    const char *sum = NULL;
    const char *words = emit_map_fits(em) ? emit_closing_cells(em, "x") : NULL;
    const char *loop = "";
    if (words) {
        loop = emit_f(em, "    const uint64_t two = %s;\n", words);
        sum = "((two | two >> 32) & SET_ALL)";
    }
    if (!sum && groups >= 0) {
        sum = "SET_EMPTY";
        for (int g = 0; g < groups; g++)
            for (int i = 0; i < group[g].count; i++)
                sum = emit_or(em, sum, missing(em, &group[g], i));
    }
    if (!sum) {
        loop = emit_f(em,
                      "    Set r = SET_EMPTY;\n"
                      "    for (int n = 0; n < %d; n++) {\n"
                      "        const Set gap = %s;\n"
                      "        if (set_count(gap) <= 1) r = %s;\n"
                      "    }\n",
                      em->b->lines, emit_minus(em, "line_set[n]", "x"),
                      emit_or(em, "r", emit_f(em, "(set_count(gap) ? gap : line_set[n])")));
        sum = "r";
    }
    bool lanes = !words && groups >= 0 && print_closing_lanes(em, group, groups);
    text_f(em->helpers,
           "// The cells that complete a line with others in x.\n"
           "static INLINE Set closing(const Set x) {\n%s    return %s;\n}\n%s\n",
           loop, sum, lanes ? "#endif\n" : "");
}

const char *emit_closing(Emitter *em, const char *set) {
    emit_line_sets(em);
    if (emit_once(em, "closing"))
        print_closing(em);
    return emit_f(em, "closing(%s)", set);
}

void emit_line_sets(Emitter *em) {
    if (!emit_once(em, "line_set"))
        return;
    text_f(em->constants, "static const Set line_set[%d] = {\n", em->b->lines + 1);
    for (int n = 0; n < em->b->lines; n++)
        text_f(em->constants, "    %s,\n",
               emit_set_initial(em, em->b->line_set + (size_t)n * (size_t)em->words));
    text_f(em->constants, "    %s\n};\n\n", em->one ? "0" : "{{0}}");
}

const char *emit_lined(Emitter *em, const char *set) {
    if (emit_map_fits(em)) {
        set = emit_temp(em, "Set", set);
        return emit_and(em, set, emit_closing(em, set));
    }
    emit_line_sets(em);
    if (emit_once(em, "lined"))
        print_lined(em);
    return emit_f(em, "lined(%s)", set);
}

// Lines through each cell, as sets, the same number for every cell: lines are repeated where
// there are fewer, and a cell without lines has sets that are never within another.
static void print_lines_at(Emitter *em, int most) {
    const Board *b = em->b;
    text_f(em->constants, "static const Set lines_at[CELLS + 1][%d] = {\n", most);
    uint64_t never[BOARD_MAX_WORDS];
    memset(never, 0xff, sizeof never);
    for (int c = 0; c <= b->cells; c++) {
        int start = b->through_start[c], n = c < b->cells ? b->through_start[c + 1] - start : 0;
        text_add(em->constants, "    {");
        for (int i = 0; i < most; i++) {
            const uint64_t *set =
                n ? b->line_set + (size_t)b->through[start + i % n] * (size_t)em->words : never;
            text_f(em->constants, "%s%s", i ? ", " : "", emit_set_initial(em, set));
        }
        text_add(em->constants, "},\n");
    }
    text_add(em->constants, "};\n\n");
}

static const char *within(Emitter *em, const char *a, const char *b) {
    return em->one ? emit_f(em, "!(%s & ~%s)", a, b) : emit_f(em, "set_within(%s, %s)", a, b);
}

static const char *line_through(Emitter *em, const char *cell, const char *set) {
    const Board *b = em->b;
    int most = 0;
    bool bare = em->cells % 64 == 0; // a full board would hold the set that is never within
    for (int c = 0; c < b->cells; c++) {
        int n = b->through_start[c + 1] - b->through_start[c];
        most = n > most ? n : most;
    }
    if (most == 0)
        return "0";
    if (emit_once(em, "lines_at")) {
        print_lines_at(em, most);
        text_add(em->helpers, "// Whether some line through c is within x.\n"
                              "static INLINE int line_through(const int c, const Set x) {\n");
        if (bare)
            text_add(em->helpers, "    if (c >= CELLS) return 0;\n");
        if (most <= 4) {
            const char *sum = "";
            for (int i = 0; i < most; i++)
                sum = emit_f(em, "%s%s%s", sum, i ? " | " : "",
                             within(em, emit_f(em, "lines_at[c][%d]", i), "x"));
            text_f(em->helpers, "    return %s;\n}\n\n", sum);
        } else {
            text_f(em->helpers,
                   "    for (int n = 0; n < %d; n++)\n        if (%s) return 1;\n"
                   "    return 0;\n}\n\n",
                   most, within(em, "lines_at[c][n]", "x"));
        }
    }
    return emit_f(em, "line_through(%s, %s)", cell, set);
}

// `l within S` for the line in the loop's slot, with an S that does not depend on it.
const IrExpr *emit_line_within(Emitter *em, const IrExpr *e) {
    const IrDomain *d = e->domain;
    const IrExpr *body = e->kid[0];
    if (e->op != IR_ANY || d->kind != DOM_LINES || d->where || body->op != IR_WITHIN)
        return NULL;
    const IrExpr *line = body->kid[0];
    bool is_line = line->op == IR_LINE_SET ||
                   (line->op == IR_TABLE && strcmp(em->g->table[line->id]->name, "line") == 0);
    if (!is_line || line->kid[0]->op != IR_LOCAL || line->kid[0]->id != d->slot)
        return NULL;
    return emit_uses(em, body->kid[1], d->slot) ? NULL : body->kid[1];
}

const char *emit_some_line(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const IrExpr *set = emit_line_within(em, e);
    if (!set)
        return NULL;
    const char *x = emit_expr(em, f, set);
    if (e->domain->a)
        return line_through(em, emit_expr(em, f, e->domain->a), x);
    emit_line_sets(em);
    if (emit_once(em, "some_line"))
        print_some_line(em);
    return emit_f(em, "some_line(%s)", x);
}
