// The symmetries of a board: ways to lay its cells onto its cells so that steps and lines stay.
//
// A board on a grid has those of the grid's turns and mirrors that fit its cells. A line board
// has the same about its drawn places, and with `all` also those that no picture shows: on the
// mill board the inner and the outer ring can be exchanged.
#include "base/bits.h"
#include "ir/board_build.h"

#include <math.h>
#include <string.h>

// The mill has 16, a cube 48. A board with more is a heap of loose lines, where listing every
// exchange helps nobody.
#define MAX_SYMMETRIES 128
// Attempts to place a point while looking for them; a board of 512 points needs far fewer.
#define MAX_ATTEMPTS 2000000L

typedef struct Turn { // x' = a x + b y, y' = c x + d y
    int a, b, c, d;
} Turn;

typedef struct SymmetryMaker {
    BoardMaker *m;
    int16_t *map[MAX_SYMMETRIES];
    int count;
    bool overflow;
} SymmetryMaker;

#define MAX_TURNS 12

// --- Turns of a grid ---

static Turn turn_after(Turn p, Turn q) {
    return (Turn){p.a * q.a + p.b * q.c, p.a * q.b + p.b * q.d, p.c * q.a + p.d * q.c,
                  p.c * q.b + p.d * q.d};
}

// All turns and mirrors of the square or hexagonal grid; the identity first.
static int list_turns(bool hex, Turn *out) {
    int n = hex ? 6 : 4;
    Turn rotation = hex ? (Turn){0, -1, 1, 1} : (Turn){0, -1, 1, 0};
    Turn swap = {0, 1, 1, 0};
    out[0] = (Turn){1, 0, 0, 1};
    for (int i = 1; i < n; i++)
        out[i] = turn_after(rotation, out[i - 1]);
    for (int i = 0; i < n; i++)
        out[n + i] = turn_after(swap, out[i]);
    return 2 * n;
}

static bool turn_is(Turn t, int a, int b, int c, int d) {
    return t.a == a && t.b == b && t.c == c && t.d == d;
}

static bool turn_mirrors(Turn t) {
    return t.a * t.d - t.b * t.c < 0;
}

// X(name, which turns it means); `hex` tells the grid. On a hexagonal grid x is column + row/2.
#define SYMMETRY_NAMES(X)                                                                          \
    X("all", true)                                                                                 \
    X("rotations", !turn_mirrors(t))                                                               \
    X("mirrors", turn_mirrors(t))                                                                  \
    X("left_right", hex ? turn_is(t, -1, -1, 0, 1) : turn_is(t, -1, 0, 0, 1))                      \
    X("up_down", hex ? turn_is(t, 1, 1, 0, -1) : turn_is(t, 1, 0, 0, -1))                          \
    X("half_turn", turn_is(t, -1, 0, 0, -1))                                                       \
    X("diagonals", turn_is(t, 0, 1, 1, 0) || turn_is(t, 0, -1, -1, 0))

static const char *const symmetry_names[] = {
#define X(name, means) name,
    SYMMETRY_NAMES(X)
#undef X
};
#define SYMMETRY_NAME_COUNT ((int)(sizeof symmetry_names / sizeof *symmetry_names))

static bool name_means(const char *name, Turn t, bool hex) {
#define X(known, means)                                                                            \
    if (strcmp(name, known) == 0)                                                                  \
        return means;
    SYMMETRY_NAMES(X)
#undef X
    return false;
}

// --- Maps of cells ---

// Moves the turned cells onto the board's own frame; false if they do not fit it.
static bool map_of_turn(const Board *b, Turn t, int16_t *map) {
    bool lines = b->shape == BOARD_LINES;
    double low[2] = {INFINITY, INFINITY}, turned_low[2] = {INFINITY, INFINITY};
    for (int c = 0; c < b->cells; c++) {
        double x = lines ? b->cell[c].x : b->cell[c].column;
        double y = lines ? b->cell[c].y : b->cell[c].row;
        low[0] = fmin(low[0], x);
        low[1] = fmin(low[1], y);
        turned_low[0] = fmin(turned_low[0], t.a * x + t.b * y);
        turned_low[1] = fmin(turned_low[1], t.c * x + t.d * y);
    }
    for (int c = 0; c < b->cells; c++) {
        double x = lines ? b->cell[c].x : b->cell[c].column;
        double y = lines ? b->cell[c].y : b->cell[c].row;
        double to_x = t.a * x + t.b * y - turned_low[0] + low[0];
        double to_y = t.c * x + t.d * y - turned_low[1] + low[1];
        map[c] = (int16_t)b->cells;
        if (!lines)
            map[c] = (int16_t)board_cell_at(b, (int)lround(to_x), (int)lround(to_y));
        for (int to = 0; lines && to < b->cells; to++)
            if (fabs(b->cell[to].x - to_x) < 1e-6 && fabs(b->cell[to].y - to_y) < 1e-6)
                map[c] = (int16_t)to;
        if (map[c] == b->cells)
            return false;
    }
    map[b->cells] = (int16_t)b->cells;
    return true;
}

// Whether each direction turns into a direction, and each step into a step.
static bool keeps_steps(const BoardMaker *m, Turn t, const int16_t *map) {
    const Board *b = m->b;
    for (int d = 0; d < b->directions; d++) {
        int dx = t.a * m->dx[d] + t.b * m->dy[d], dy = t.c * m->dx[d] + t.d * m->dy[d];
        int turned = 0;
        while (turned < b->directions && (m->dx[turned] != dx || m->dy[turned] != dy))
            turned++;
        if (turned == b->directions)
            return false;
        for (int c = 0; c < b->cells; c++)
            if (map[b->step[c * b->directions + d]] != b->step[map[c] * b->directions + turned])
                return false;
    }
    return true;
}

static bool keeps_line(const Board *b, const BoardLine *line, const int16_t *map) {
    uint64_t set[BOARD_MAX_WORDS] = {0};
    for (int i = 0; i < line->count; i++)
        board_set_add(set, map[line->cells[i]]);
    int first = map[line->cells[0]];
    for (int i = b->through_start[first]; i < b->through_start[first + 1]; i++)
        if (memcmp(&b->line_set[b->through[i] * b->words], set,
                   sizeof(uint64_t) * (size_t)b->words) == 0)
            return true;
    return false;
}

static bool keeps_lines(const Board *b, const int16_t *map) {
    for (int l = 0; l < b->lines; l++)
        if (!keeps_line(b, &b->line[l], map))
            return false;
    return true;
}

static bool keeps_next(const Board *b, const int16_t *map) {
    for (int c = 0; c < b->cells; c++)
        for (int w = 0; w < b->words; w++) {
            uint64_t near = b->next[c * b->words + w];
            while (near) {
                int to = 64 * w + bits_pop(&near);
                if (!board_set_has(&b->next[map[c] * b->words], map[to]))
                    return false;
            }
        }
    return true;
}

static bool turn_fits(const BoardMaker *m, Turn t, int16_t *map) {
    return map_of_turn(m->b, t, map) && keeps_steps(m, t, map) && keeps_lines(m->b, map) &&
           keeps_next(m->b, map);
}

static void add_map(SymmetryMaker *k, const int16_t *map) {
    size_t size = sizeof(int16_t) * (size_t)(k->m->b->cells + 1);
    for (int s = 0; s < k->count; s++)
        if (memcmp(k->map[s], map, size) == 0)
            return;
    if (k->count == MAX_SYMMETRIES) {
        k->overflow = true;
        return;
    }
    k->map[k->count] = ARENA_ARRAY(k->m->arena, int16_t, k->m->b->cells + 1);
    memcpy(k->map[k->count++], map, size);
}

// What follows from the declared ones: one after the other is a symmetry too.
static void close_maps(SymmetryMaker *k) {
    int cells = k->m->b->cells;
    int16_t both[BOARD_MAX_CELLS + 1];
    for (int i = 0; i < k->count && !k->overflow; i++)
        for (int j = 0; j <= i && !k->overflow; j++)
            for (int order = 0; order < 2; order++) {
                const int16_t *p = k->map[order ? i : j], *q = k->map[order ? j : i];
                for (int c = 0; c <= cells; c++)
                    both[c] = p[q[c]];
                add_map(k, both);
            }
}

// --- Every symmetry of a line board ---

// Points are placed one after the other, each beside one already placed where that is possible;
// its image must then stand beside that one's image.
typedef struct Search {
    SymmetryMaker *k;
    int16_t order[BOARD_MAX_CELLS];  // points in the order they are placed
    int16_t parent[BOARD_MAX_CELLS]; // a neighbour placed earlier, or -1
    int16_t place[BOARD_MAX_CELLS];  // when a point is placed
    int degree[BOARD_MAX_CELLS];
    int16_t map[BOARD_MAX_CELLS + 1];
    bool taken[BOARD_MAX_CELLS];
    long attempts;
} Search;

static void order_points(Search *s) {
    const Board *b = s->k->m->b;
    bool known[BOARD_MAX_CELLS] = {false};
    int n = 0, done = 0;
    for (int start = 0; start < b->cells; start++) {
        if (known[start])
            continue;
        known[start] = true;
        s->parent[start] = -1;
        s->order[n++] = (int16_t)start;
        for (; done < n; done++)
            for (int to = 0; to < b->cells; to++)
                if (!known[to] && board_set_has(&b->next[s->order[done] * b->words], to)) {
                    known[to] = true;
                    s->parent[to] = s->order[done];
                    s->order[n++] = (int16_t)to;
                }
    }
    for (int i = 0; i < n; i++) {
        s->place[s->order[i]] = (int16_t)i;
        for (int w = 0; w < b->words; w++)
            s->degree[i] += bits_count(b->next[i * b->words + w]);
    }
}

// Whether point c may lie on `to`, given those placed before it.
static bool may_lie(const Search *s, int c, int to) {
    const Board *b = s->k->m->b;
    if (s->taken[to] || s->degree[c] != s->degree[to] ||
        b->through_start[c + 1] - b->through_start[c] !=
            b->through_start[to + 1] - b->through_start[to])
        return false;
    for (int i = 0; i < s->place[c]; i++) {
        int before = s->order[i];
        if (board_set_has(&b->next[c * b->words], before) !=
            board_set_has(&b->next[to * b->words], s->map[before]))
            return false;
    }
    return true;
}

// Whether the lines that c completes lie on lines.
static bool completes_lines(const Search *s, int c) {
    const Board *b = s->k->m->b;
    for (int i = b->through_start[c]; i < b->through_start[c + 1]; i++) {
        const BoardLine *line = &b->line[b->through[i]];
        bool complete = true;
        for (int j = 0; j < line->count && complete; j++)
            complete = s->place[line->cells[j]] <= s->place[c];
        if (complete && !keeps_line(b, line, s->map))
            return false;
    }
    return true;
}

// Depth is bounded by the number of points.
static void place_from(Search *s, int depth) {
    const Board *b = s->k->m->b;
    if (depth == b->cells) {
        add_map(s->k, s->map);
        return;
    }
    int c = s->order[depth], parent = s->parent[c];
    for (int to = 0; to < b->cells && !s->k->overflow; to++) {
        if (parent >= 0 && !board_set_has(&b->next[s->map[parent] * b->words], to))
            continue;
        if (++s->attempts > MAX_ATTEMPTS) {
            s->k->overflow = true;
            return;
        }
        if (!may_lie(s, c, to))
            continue;
        s->map[c] = (int16_t)to;
        s->taken[to] = true;
        if (completes_lines(s, c))
            place_from(s, depth + 1);
        s->taken[to] = false;
    }
}

static void find_all(SymmetryMaker *k) {
    Search *s = ARENA_NEW(k->m->arena, Search);
    s->k = k;
    s->map[k->m->b->cells] = (int16_t)k->m->b->cells;
    order_points(s);
    place_from(s, 0);
}

// --- Declarations ---

static bool report_unknown(SymmetryMaker *k, const struct BoardSpecSymmetry *given) {
    Diags *diags = k->m->diags;
    diag_error(diags, given->span, "there is no symmetry `%s`", given->name);
    Text list = {0};
    for (int i = 0; i < SYMMETRY_NAME_COUNT; i++)
        text_f(&list, "%s%s",
               i == 0                         ? ""
               : i == SYMMETRY_NAME_COUNT - 1 ? " and "
                                              : ", ",
               symmetry_names[i]);
    const char *near = text_nearest(given->name, symmetry_names, SYMMETRY_NAME_COUNT);
    if (near)
        diag_help(diags, "did you mean `%s`? The symmetries are %s", near, text_c(&list));
    else
        diag_help(diags, "the symmetries are %s", text_c(&list));
    text_free(&list);
    return false;
}

static bool report_missing(SymmetryMaker *k, const struct BoardSpecSymmetry *given) {
    Diags *diags = k->m->diags;
    bool hex = k->m->b->shape != BOARD_SQUARE && k->m->b->shape != BOARD_LINES;
    diag_error(diags, given->span, "the board does not have the symmetry `%s`", given->name);
    Turn turns[MAX_TURNS];
    int16_t map[BOARD_MAX_CELLS + 1];
    int n = list_turns(hex, turns);
    Text list = {0};
    for (int i = 1; i < SYMMETRY_NAME_COUNT; i++)
        for (int t = 1; t < n; t++)
            if (name_means(symmetry_names[i], turns[t], hex) && turn_fits(k->m, turns[t], map)) {
                text_f(&list, "%s%s", list.n ? ", " : "", symmetry_names[i]);
                break;
            }
    if (list.n)
        diag_help(diags, "it has %s", text_c(&list));
    text_free(&list);
    return false;
}

static bool is_known(const char *name) {
    for (int i = 0; i < SYMMETRY_NAME_COUNT; i++)
        if (strcmp(symmetry_names[i], name) == 0)
            return true;
    return false;
}

static bool add_declared(SymmetryMaker *k, const struct BoardSpecSymmetry *given) {
    const Board *b = k->m->b;
    bool hex = b->shape != BOARD_SQUARE && b->shape != BOARD_LINES;
    bool all = strcmp(given->name, "all") == 0;
    if (!is_known(given->name))
        return report_unknown(k, given);
    if (all && b->shape == BOARD_LINES) {
        find_all(k);
        return true;
    }
    Turn turns[MAX_TURNS];
    int16_t map[BOARD_MAX_CELLS + 1];
    int n = list_turns(hex, turns);
    bool found = all;
    for (int t = 1; t < n; t++)
        if (name_means(given->name, turns[t], hex) && turn_fits(k->m, turns[t], map)) {
            add_map(k, map);
            found = true;
        }
    return found || report_missing(k, given);
}

bool board_make_symmetries(BoardMaker *m) {
    Board *b = m->b;
    const BoardSpec *spec = m->spec;
    if (spec->symmetry_count == 0)
        return true;
    SymmetryMaker maker = {.m = m};
    int16_t identity[BOARD_MAX_CELLS + 1];
    for (int c = 0; c <= b->cells; c++)
        identity[c] = (int16_t)c;
    add_map(&maker, identity);
    bool ok = true;
    for (int i = 0; i < spec->symmetry_count; i++)
        ok &= add_declared(&maker, &spec->symmetries[i]);
    if (!ok)
        return false;
    close_maps(&maker);
    if (maker.overflow) {
        diag_error(m->diags, spec->symmetries[0].span,
                   "the board has more than %d symmetries, too many to use", MAX_SYMMETRIES);
        diag_help(m->diags, "name those that matter: rotations, mirrors, left_right, up_down, …");
        return false;
    }
    b->symmetries = maker.count;
    b->symmetry = ARENA_ARRAY(m->arena, int16_t *, maker.count);
    memcpy(b->symmetry, maker.map, sizeof(int16_t *) * (size_t)maker.count);
    return true;
}
