// Irregular boards: words made out of sets by looking parts of them up.
//
// On a board of lines no few shifts make one set out of another. But a map that gives every cell a
// word, and a set the union of the words of its cells, is four small tables: one for each six
// cells. Two such maps and an `and` find all steps from a man to a free neighbour at once, with a
// bit for every pair of neighbours ("edge"); two more find which of them close a line.
#include "native/emitter.h"

#include <string.h>

#define CHUNK 6       // bits looked up at once
#define MOST_CELLS 36 // larger boards would take too many tables
#define MOST_MAPS 12  // to find lines; beyond that other ways are shorter

bool emit_map_fits(const Emitter *em) {
    return em->one && em->cells <= MOST_CELLS;
}

// The name of a function that gives the union of word[c] over the cells c of a set.
const char *emit_map(Emitter *em, const uint64_t *word) {
    for (int n = 0; n < em->maps; n++)
        if (memcmp(em->map[n], word, (size_t)em->cells * sizeof *word) == 0)
            return emit_f(em, "map_%d", n);
    ARENA_GROW(em->arena, const uint64_t *, em->map, em->maps, em->map_cap);
    uint64_t *copy = ARENA_ARRAY(em->arena, uint64_t, em->cells);
    memcpy(copy, word, (size_t)em->cells * sizeof *word);
    em->map[em->maps] = copy;
    const char *name = emit_f(em, "map_%d", em->maps++);
    int chunks = (em->cells + CHUNK - 1) / CHUNK;
    const char *sum = "";
    text_f(em->constants, "static const uint64_t %s_table[%d][%d] = {\n", name, chunks, 1 << CHUNK);
    for (int n = 0; n < chunks; n++) {
        text_add(em->constants, "    {");
        for (int bits = 0; bits < 1 << CHUNK; bits++) {
            uint64_t all = 0;
            for (int i = 0; i < CHUNK; i++)
                if (bits >> i & 1 && n * CHUNK + i < em->cells)
                    all |= word[n * CHUNK + i];
            text_f(em->constants, "%s%s",
                   bits == 0       ? ""
                   : bits % 4 == 0 ? ",\n     "
                                   : ", ",
                   emit_hex(em, all));
        }
        text_add(em->constants, "},\n");
        sum = emit_f(em, "%s%s%s_table[%d][x >> %d & %d]", sum, n ? " | " : "", name, n, n * CHUNK,
                     (1 << CHUNK) - 1);
    }
    text_add(em->constants, "};\n\n");
    text_f(em->helpers, "static INLINE uint64_t %s(const Set x) {\n    return %s;\n}\n\n", name,
           sum);
    return name;
}

// --- lines that are complete but for one cell ---

// Of line l, the i-th cell that is not c.
static int other_cell(const BoardLine *line, int c, int i) {
    for (int n = 0; n < line->count; n++)
        if (line->cells[n] != c && i-- == 0)
            return line->cells[n];
    return -1;
}

static bool on_line(const BoardLine *line, int c) {
    for (int n = 0; n < line->count; n++)
        if (line->cells[n] == c)
            return true;
    return false;
}

// The j-th line through `to` that does not go through `from` (-1: any); NULL if there is none.
static const BoardLine *line_at(const Emitter *em, int to, int from, int j) {
    const Board *b = em->b;
    for (int n = b->through_start[to]; n < b->through_start[to + 1]; n++) {
        const BoardLine *line = &b->line[b->through[n]];
        if ((from < 0 || !on_line(line, from)) && j-- == 0)
            return line;
    }
    return NULL;
}

// Which slots' lines are complete but for their own cell: slot n stands for the j-th line through
// to[n], where to[n] < 0 stands for none. All maps are `and`ed.
static const char *all_others(Emitter *em, int n, const BoardLine **line, const int *to,
                              const char *x) {
    int length = 0;
    const char *all = NULL;
    for (int e = 0; e < n; e++) {
        if (line[e] && length && line[e]->count != length)
            return NULL;
        if (line[e])
            length = line[e]->count;
    }
    if (length < 2 || length > MOST_MAPS)
        return NULL;
    for (int i = 0; i < length - 1; i++) {
        uint64_t word[MOST_CELLS] = {0};
        for (int e = 0; e < n; e++)
            if (line[e])
                word[other_cell(line[e], to[e], i)] |= (uint64_t)1 << e;
        const char *part = emit_f(em, "%s(%s)", emit_map(em, word), x);
        all = all ? emit_f(em, "%s & %s", all, part) : part;
    }
    return all;
}

// The cells that complete a line with others in the set x, as text; NULL if it cannot be made so.
// Two lines of each cell are looked up at once, one in each half of a word.
const char *emit_closing_cells(Emitter *em, const char *x) {
    const char *sum = NULL;
    if (em->cells > 32)
        return NULL;
    for (int j = 0;; j += 2) {
        const BoardLine *line[64] = {0};
        int to[64] = {0};
        bool any = false;
        for (int e = 0; e < 64; e++) {
            to[e] = e % 32;
            if (e % 32 < em->cells)
                line[e] = line_at(em, e % 32, -1, j + e / 32);
            any |= line[e] != NULL;
        }
        if (!any)
            return sum;
        const char *all = j < MOST_MAPS ? all_others(em, 64, line, to, x) : NULL;
        if (!all)
            return NULL;
        sum = sum ? emit_f(em, "%s | (%s)", sum, all) : emit_f(em, "(%s)", all);
    }
}

// The C text of a word over `x`: bit n is set if some line through to[n] (but not from[n]) has all
// its other cells in x. NULL if that takes too many maps.
const char *emit_closing_word(Emitter *em, int n, const int *from, const int *to, const char *x) {
    const char *sum = NULL;
    for (int j = 0;; j++) {
        const BoardLine *line[64] = {0};
        bool any = false;
        for (int e = 0; e < n; e++) {
            line[e] = line_at(em, to[e], from[e], j);
            any |= line[e] != NULL;
        }
        if (!any)
            return sum ? sum : "UINT64_C(0)";
        const char *all = j < MOST_MAPS ? all_others(em, n, line, to, x) : NULL;
        if (!all)
            return NULL;
        sum = sum ? emit_f(em, "(%s | (%s))", sum, all) : emit_f(em, "(%s)", all);
    }
}
