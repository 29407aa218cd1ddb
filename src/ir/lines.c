// The lines of a board: those given by the names of their cells, and every straight run of N.
#include "ir/board_build.h"

#include <string.h>

typedef struct LineMaker {
    BoardMaker *m;
    int16_t *room;  // for the cells of lines, all in one piece
    uint64_t *hash; // per line, of its set; equal sets have equal hashes
    uint64_t *set;  // the set of the line being made
} LineMaker;

static uint64_t hash_set(const uint64_t *set, int words) {
    uint64_t h = 0;
    for (int w = 0; w < words; w++)
        h = (h ^ set[w]) * 0x9E3779B97F4A7C15u + (h >> 29);
    return h;
}

// The line before `count` with the same cells, or -1.
static int same_line(const LineMaker *k, uint64_t hash, int count) {
    const Board *b = k->m->b;
    for (int l = 0; l < count; l++)
        if (k->hash[l] == hash &&
            memcmp(&b->line_set[l * b->words], k->set, sizeof(uint64_t) * (size_t)b->words) == 0)
            return l;
    return -1;
}

static void clear_set(LineMaker *k) {
    memset(k->set, 0, sizeof(uint64_t) * (size_t)k->m->b->words);
}

// Adds the `count` cells at k->room, whose set is k->set, as a line.
static void add_line(LineMaker *k, int count, uint64_t hash) {
    Board *b = k->m->b;
    b->line[b->lines] = (BoardLine){.count = count, .cells = k->room};
    memcpy(&b->line_set[b->lines * b->words], k->set, sizeof(uint64_t) * (size_t)b->words);
    k->hash[b->lines++] = hash;
    k->room += count;
}

// --- Lines by name ---

static void report_unknown_cell(BoardMaker *m, const char *name, Span span) {
    const char *names[BOARD_MAX_CELLS];
    for (int c = 0; c < m->b->cells; c++)
        names[c] = m->b->cell[c].name;
    diag_error(m->diags, span, "the board has no cell `%s`", name);
    const char *near = text_nearest(name, names, m->b->cells);
    if (near)
        diag_help(m->diags, "did you mean `%s`?", near);
}

// Reads the cells of a line to k->room and k->set.
static bool read_line(LineMaker *k, const struct BoardSpecLine *line) {
    BoardMaker *m = k->m;
    bool ok = true;
    clear_set(k);
    for (int i = 0; i < line->count; i++) {
        int c = board_cell_named(m->b, line->names[i]);
        if (c < 0) {
            report_unknown_cell(m, line->names[i], line->spans[i]);
            ok = false;
        } else if (board_set_has(k->set, c)) {
            diag_error(m->diags, line->spans[i], "`%s` stands twice in this line", line->names[i]);
            ok = false;
        } else {
            board_set_add(k->set, c);
            k->room[i] = (int16_t)c;
        }
        if (m->diags->errors > DIAG_MAX)
            return false;
    }
    if (line->count < 2 && ok) {
        Span at = line->count ? line->spans[0] : m->spec->span;
        diag_error(m->diags, at, "a line joins at least two points");
        ok = false;
    }
    return ok;
}

static bool make_named_lines(LineMaker *k) {
    BoardMaker *m = k->m;
    bool ok = true;
    for (int l = 0; l < m->spec->line_count; l++) {
        const struct BoardSpecLine *line = &m->spec->lines[l];
        if (!read_line(k, line)) {
            ok = false;
            continue;
        }
        uint64_t hash = hash_set(k->set, m->b->words);
        if (same_line(k, hash, m->b->lines) >= 0) {
            diag_error(m->diags, line->spans[0], "this line has been given already");
            diag_help(m->diags, "a line is the same from both of its ends");
            ok = false;
            continue;
        }
        add_line(k, line->count, hash);
    }
    return ok;
}

// --- Lines of N ---

// Walks n cells from c in direction d into `cells`; false if the way ends before.
static bool walk(const Board *b, int c, int d, int n, int16_t *cells) {
    for (int i = 0; i < n; i++) {
        if (c == b->cells)
            return false;
        cells[i] = (int16_t)c;
        c = b->step[c * b->directions + d];
    }
    return true;
}

// Whether the n cells can be walked backwards in direction d.
static bool walks_back(const Board *b, const int16_t *cells, int n, int d) {
    for (int i = n - 1; i > 0; i--)
        if (b->step[cells[i] * b->directions + d] != cells[i - 1])
            return false;
    return true;
}

// Every run is found in a direction or its opposite, perhaps in both: then only in the first.
static void make_runs(LineMaker *k, int n) {
    Board *b = k->m->b;
    int named = b->lines;
    for (int d = 0; d < b->directions; d++)
        for (int c = 0; c < b->cells; c++) {
            if (!walk(b, c, d, n, k->room))
                continue;
            if (b->opposite[d] < d && walks_back(b, k->room, n, b->opposite[d]))
                continue;
            clear_set(k);
            for (int i = 0; i < n; i++)
                board_set_add(k->set, k->room[i]);
            uint64_t hash = hash_set(k->set, b->words);
            if (same_line(k, hash, named) < 0)
                add_line(k, n, hash);
        }
}

static bool make_lines_of(LineMaker *k) {
    BoardMaker *m = k->m;
    int n = m->spec->lines_of, before = m->b->lines;
    if (n == 0 || (m->b->directions == 0 && m->spec->shape != BOARD_LINES))
        return true; // none wanted, or the directions are wrong and that is reported
    if (n < 2) {
        diag_error(m->diags, m->spec->span, "a line joins at least two cells: `lines of %d`", n);
        return false;
    }
    if (m->spec->shape == BOARD_LINES) {
        diag_error(m->diags, m->spec->span, "`lines of %d` needs a board with directions", n);
        return false;
    }
    if (n <= BOARD_MAX_SIDE)
        make_runs(k, n);
    if (m->b->lines > before)
        return true;
    diag_error(m->diags, m->spec->span, "no line of %d fits on the board", n);
    return false;
}

// --- Lines through a cell ---

static void make_through(BoardMaker *m) {
    Board *b = m->b;
    int total = 0;
    for (int l = 0; l < b->lines; l++)
        total += b->line[l].count;
    b->through_start = ARENA_ARRAY(m->arena, int, b->cells + 2);
    b->through = ARENA_ARRAY(m->arena, int16_t, total);
    for (int l = 0; l < b->lines; l++)
        for (int i = 0; i < b->line[l].count; i++)
            b->through_start[b->line[l].cells[i] + 1]++;
    for (int c = 0; c <= b->cells; c++)
        b->through_start[c + 1] += b->through_start[c];
    int *fill = ARENA_ARRAY(m->arena, int, b->cells);
    for (int l = 0; l < b->lines; l++)
        for (int i = 0; i < b->line[l].count; i++) {
            int c = b->line[l].cells[i];
            b->through[b->through_start[c] + fill[c]++] = (int16_t)l;
        }
}

static bool lines_fit(BoardMaker *m, int lines) {
    if (lines <= BOARD_MAX_LINES)
        return true;
    diag_error(m->diags, m->spec->span, "the board has %d lines; at most %d are possible", lines,
               BOARD_MAX_LINES);
    return false;
}

bool board_make_lines(BoardMaker *m) {
    Board *b = m->b;
    const BoardSpec *spec = m->spec;
    if (!lines_fit(m, spec->line_count))
        return false;
    // Room for all that can be found: a run can start on each cell in each direction.
    int runs = spec->lines_of >= 2 ? b->cells * b->directions : 0;
    int most = spec->line_count + runs;
    int room = runs * (spec->lines_of < BOARD_MAX_SIDE ? spec->lines_of : BOARD_MAX_SIDE);
    for (int l = 0; l < spec->line_count; l++)
        room += spec->lines[l].count;
    b->line = ARENA_ARRAY(m->arena, BoardLine, most);
    b->line_set = ARENA_ARRAY(m->arena, uint64_t, most * b->words);
    LineMaker maker = {
        .m = m,
        // One line more, for the run that turns out not to be one.
        .room = ARENA_ARRAY(m->arena, int16_t, room + BOARD_MAX_SIDE),
        .hash = ARENA_ARRAY(m->arena, uint64_t, most),
        .set = ARENA_ARRAY(m->arena, uint64_t, b->words),
    };
    bool named = make_named_lines(&maker);
    if (!make_lines_of(&maker) || !named || !lines_fit(m, b->lines))
        return false;
    make_through(m);
    return true;
}
