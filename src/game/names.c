// names: which piece stands where, on boards of places; see state_parts.h.
//
// Pieces that look alike have names there, which a state holds in two clocks: `content`, by cells,
// the number of the piece on a cell or 0, and `at`, by these numbers, its cell. A person who writes
// a position down does not care: what is not said is worked out from the board, as close to the
// first position as can be. Texts leave out what would be worked out just so.
#include "game/state_parts.h"
#include "game/statetext.h"

#include <string.h>

static int find_var(const IrGame *ir, const char *name, IrTypeKind type) {
    for (int v = 0; v < ir->vars && ir->board->shape == BOARD_PLACES; v++)
        if (ir->var[v].clock && ir->var[v].indexed && ir->var[v].type.kind == type &&
            strcmp(ir->var[v].name, name) == 0)
            return v;
    return -1;
}

int names_content(const IrGame *ir) {
    int v = find_var(ir, "content", TY_INT);
    return v >= 0 && ir->var[v].count == ir->board->cells ? v : -1;
}

int names_at(const IrGame *ir) {
    return names_content(ir) < 0 ? -1 : find_var(ir, "at", TY_CELL);
}

static int content(const Game *g, const uint8_t *state, int cell) {
    return (int)state_variable(g, state, names_content(g->ir), cell);
}

static void set_entry(const Game *g, uint8_t *state, int var, int index, int64_t value) {
    const IrVar *v = &g->ir->var[var];
    if (index >= 0 && index < v->count)
        state_store(state + v->offset + index * v->width, v->width, value);
}

void names_follow_content(const Game *g, uint8_t *state) {
    int at = names_at(g->ir), cells = g->ir->board->cells;
    if (at < 0)
        return;
    for (int i = 0; i < g->ir->var[at].count; i++)
        set_entry(g, state, at, i, cells);
    for (int c = 0; c < cells; c++)
        if (content(g, state, c) > 0)
            set_entry(g, state, at, content(g, state, c) - g->ir->var[at].index_base, c);
}

// Kinds that differ only in what a piece can become: the part behind the last `_` aside.
static bool alike(const IrGame *ir, int plane, int other) {
    const char *a = ir->kind[ir->plane[plane].kind].name, *b = ir->kind[ir->plane[other].kind].name;
    const char *end = strrchr(a, '_');
    size_t n = end ? (size_t)(end - a) : strlen(a);
    return strncmp(a, b, n) == 0 && (b[n] == '_' || !b[n]);
}

typedef struct Naming {
    const Game *g;
    uint8_t *state;
    int var;
    int most;       // the highest number
    int16_t *plane; // of each piece in the first position; -1: it was not there
    bool *used;
} Naming;

typedef enum Fits { SAME_PLANE, ALIKE, ANY, FITS_COUNT } Fits;

static bool fits(const Naming *n, int piece, int plane, Fits how) {
    if (n->used[piece])
        return false;
    if (how == ANY)
        return true;
    int was = n->plane[piece];
    return was >= 0 && (was == plane || (how == ALIKE && alike(n->g->ir, plane, was)));
}

// Whoever stands where it stood at first keeps its name, then each cell in order takes the first
// piece that is left and fits.
static void name_all(Naming *n) {
    const Game *g = n->g;
    int cells = g->ir->board->cells;
    for (int c = 0; c < cells; c++) {
        int plane = state_plane(g, n->state, c, 0), was = content(g, g->start, c);
        bool keeps = plane >= 0 && was > 0 && was <= n->most && n->plane[was] == plane;
        set_entry(g, n->state, n->var, c, keeps ? was : 0);
        if (keeps)
            n->used[was] = true;
    }
    for (Fits how = SAME_PLANE; how < FITS_COUNT; how++)
        for (int c = 0; c < cells; c++) {
            int plane = state_plane(g, n->state, c, 0), piece = 1;
            if (plane < 0 || content(g, n->state, c))
                continue;
            while (piece <= n->most && !fits(n, piece, plane, how))
                piece++;
            if (piece > n->most)
                continue;
            n->used[piece] = true;
            set_entry(g, n->state, n->var, c, piece);
        }
}

bool names_follow_board(const Game *g, uint8_t *state) {
    Naming n = {.g = g, .state = state, .var = names_content(g->ir)};
    if (n.var < 0)
        return true;
    n.most = g->ir->var[n.var].hi;
    n.plane = mem_alloc(sizeof *n.plane * (size_t)(n.most + 1));
    n.used = mem_alloc(sizeof *n.used * (size_t)(n.most + 1));
    bool ok = n.plane && n.used;
    for (int i = 0; ok && i <= n.most; i++)
        n.plane[i] = -1;
    for (int c = 0; ok && c < g->ir->board->cells; c++) {
        int piece = content(g, g->start, c);
        if (piece > 0 && piece <= n.most)
            n.plane[piece] = (int16_t)state_plane(g, g->start, c, 0);
    }
    if (ok)
        name_all(&n);
    mem_free(n.plane);
    mem_free(n.used);
    names_follow_content(g, state);
    return ok;
}

int names_misfit(const Game *g, const uint8_t *state) {
    int cells = g->ir->board->cells;
    for (int c = 0; c < cells && names_content(g->ir) >= 0; c++) {
        int piece = content(g, state, c);
        bool wrong = (piece > 0) != (state_plane(g, state, c, 0) >= 0);
        for (int o = 0; o < c && piece > 0; o++)
            wrong |= content(g, state, o) == piece;
        if (wrong)
            return c;
    }
    return -1;
}

static bool same_entries(const IrVar *v, const uint8_t *a, const uint8_t *b) {
    return memcmp(a + v->offset, b + v->offset, (size_t)(v->width * v->count)) == 0;
}

static void put_initial(const IrVar *v, uint8_t *state) {
    for (int i = 0; i < v->count && v->initial; i++)
        state_store(state + v->offset + i * v->width, v->width, v->initial[i]);
}

void names_left_out(const Game *g, const uint8_t *state, bool *left_out) {
    const IrGame *ir = g->ir;
    int named = names_content(ir), at = names_at(ir);
    size_t size = (size_t)ir->layout.size;
    uint8_t *usual = named < 0 ? NULL : mem_alloc(size);
    if (!usual)
        return;
    memcpy(usual, state, size);
    for (int v = 0; v < ir->vars; v++) {
        if (!ir->var[v].clock || ir->var[v].type.kind == TY_SET || v == named || v == at)
            continue;
        put_initial(&ir->var[v], usual);
        left_out[v] = same_entries(&ir->var[v], state, usual);
    }
    if (names_follow_board(g, usual)) {
        left_out[named] = same_entries(&ir->var[named], state, usual);
        if (!left_out[named]) { // then it will be read, and `at` follows
            memcpy(usual, state, size);
            names_follow_content(g, usual);
        }
        if (at >= 0)
            left_out[at] = same_entries(&ir->var[at], state, usual);
    }
    mem_free(usual);
}
