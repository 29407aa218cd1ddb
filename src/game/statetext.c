// statetext: what is in a state, and a state as one line. Reading is in stateread.c, the words
// for single values in valuetext.c.
#include "game/statetext.h"

#include "game/state_parts.h"

#include <ctype.h>
#include <strings.h>

// --- Bytes ---

int64_t state_load(const uint8_t *at, int width, bool is_signed) {
    switch (width) {
    case 1: return is_signed ? (int8_t)*at : *at;
    case 2: {
        uint16_t v;
        memcpy(&v, at, sizeof v);
        return is_signed ? (int16_t)v : v;
    }
    case 4: {
        uint32_t v;
        memcpy(&v, at, sizeof v);
        return is_signed ? (int64_t)(int32_t)v : (int64_t)v;
    }
    default: {
        int64_t v;
        memcpy(&v, at, sizeof v);
        return v;
    }
    }
}

void state_store(uint8_t *at, int width, int64_t value) {
    uint8_t v1 = (uint8_t)value;
    uint16_t v2 = (uint16_t)value;
    uint32_t v4 = (uint32_t)value;
    switch (width) {
    case 1: memcpy(at, &v1, sizeof v1); break;
    case 2: memcpy(at, &v2, sizeof v2); break;
    case 4: memcpy(at, &v4, sizeof v4); break;
    default: memcpy(at, &value, sizeof value); break;
    }
}

// --- What stands where ---

static uint8_t *stack_at(const IrGame *ir, const uint8_t *state, int cell) {
    return (uint8_t *)state + ir->layout.stack_offset + cell * ir->layout.stack_width;
}

// A stack is a 1 followed by the planes of its pieces, the top one in the lowest bits.
static uint64_t load_stack(const IrGame *ir, const uint8_t *state, int cell) {
    uint64_t stack = (uint64_t)state_load(stack_at(ir, state, cell), ir->layout.stack_width, false);
    return stack ? stack : 1;
}

static int stack_height(const IrGame *ir, uint64_t stack) {
    return (63 - __builtin_clzll(stack)) / ir->layout.stack_bits;
}

static int plane_on_top(const IrGame *ir, const uint8_t *state, int cell) {
    for (int i = 0; i < ir->planes; i++)
        if (state_set_has(state + ir->plane[i].offset, cell))
            return i;
    return -1;
}

int state_height(const Game *g, const uint8_t *state, int cell) {
    if (g->ir->board->stack > 1)
        return stack_height(g->ir, load_stack(g->ir, state, cell));
    return plane_on_top(g->ir, state, cell) >= 0;
}

int state_plane(const Game *g, const uint8_t *state, int cell, int level) {
    const IrGame *ir = g->ir;
    if (ir->board->stack == 1)
        return level == 0 ? plane_on_top(ir, state, cell) : -1;
    uint64_t stack = load_stack(ir, state, cell);
    int height = stack_height(ir, stack);
    if (level < 0 || level >= height)
        return -1;
    uint64_t mask = ((uint64_t)1 << ir->layout.stack_bits) - 1;
    int plane = (int)(stack >> ((height - 1 - level) * ir->layout.stack_bits) & mask);
    return plane < ir->planes ? plane : -1;
}

int64_t state_attribute(const Game *g, const uint8_t *state, int attr, int cell) {
    const IrAttr *a = &g->ir->attr[attr];
    if (a->width == 0)
        return state_set_has(state + a->offset, cell);
    return state_load(state + a->offset + cell * a->width, a->width, a->lo < 0);
}

void state_set_attribute(const Game *g, uint8_t *state, int attr, int cell, int64_t value) {
    const IrAttr *a = &g->ir->attr[attr];
    if (a->width == 0)
        state_set_change(state + a->offset, cell, value != 0);
    else
        state_store(state + a->offset + cell * a->width, a->width, value);
}

int64_t state_variable(const Game *g, const uint8_t *state, int var, int index) {
    const IrVar *v = &g->ir->var[var];
    return state_load(state + v->offset + index * v->width, v->width, v->lo < 0);
}

bool state_variable_has(const Game *g, const uint8_t *state, int var, int index, int cell) {
    const IrVar *v = &g->ir->var[var];
    return state_set_has(state + v->offset + index * v->width, cell);
}

void state_set_variable(const Game *g, uint8_t *state, int var, int index, int64_t value) {
    const IrVar *v = &g->ir->var[var];
    state_store(state + v->offset + index * v->width, v->width, value);
}

void state_set_cells(const Game *g, uint8_t *state, int var, int index, const uint64_t *set) {
    const IrVar *v = &g->ir->var[var];
    memcpy(state + v->offset + index * v->width, set, (size_t)v->width);
}

void state_follow(const Game *g, uint8_t *state) {
    if (names_content(g->ir) >= 0)
        names_follow_board(g, state);
}

static void set_stack(const IrGame *ir, uint8_t *state, int cell, int plane) {
    uint64_t stack = plane < 0 ? 1 : load_stack(ir, state, cell) << ir->layout.stack_bits;
    if (plane >= 0)
        stack |= (uint64_t)plane;
    state_store(stack_at(ir, state, cell), ir->layout.stack_width, (int64_t)stack);
}

void state_put(const Game *g, uint8_t *state, int cell, int plane) {
    const IrGame *ir = g->ir;
    if (ir->board->stack > 1) {
        if (plane >= 0 && state_height(g, state, cell) >= ir->board->stack)
            return; // full: nothing can go on top
        set_stack(ir, state, cell, plane);
    }
    for (int i = 0; i < ir->planes; i++)
        state_set_change(state + ir->plane[i].offset, cell, i == plane);
    uint64_t has = plane < 0 ? 0 : ir->kind[ir->plane[plane].kind].attributes;
    for (int a = 0; a < ir->attrs; a++)
        state_set_attribute(g, state, a, cell, has >> a & 1 ? ir->attr[a].initial : 0);
}

// --- Rows ---

void state_rows(const Board *b, StateRows *rows) {
    int n = 0;
    rows->rows = 0;
    for (int i = 1; i <= b->height; i++) {
        int row = b->matrix ? i : b->height + 1 - i;
        int before = n;
        for (int column = 1; column <= b->width; column++) {
            int c = board_cell_at(b, column, row);
            if (c < b->cells)
                rows->cell[n++] = (int16_t)c;
        }
        if (n > before)
            rows->start[rows->rows++] = before;
    }
    rows->start[rows->rows] = n;
}

// --- Writing ---

static void piece_text(const Game *g, const uint8_t *state, int cell, int plane, bool top,
                       Text *out) {
    const IrGame *ir = g->ir;
    uint64_t has = ir->kind[ir->plane[plane].kind].attributes;
    text_add(out, ir->plane[plane].letter);
    if (!has || !top)
        return;
    for (int a = 0, n = 0; a < ir->attrs; a++) {
        if (!(has >> a & 1))
            continue;
        text_char(out, n++ ? ',' : '(');
        value_text(ir, ir->attr[a].type, state_attribute(g, state, a, cell), out);
    }
    text_char(out, ')');
}

static void cell_text(const Game *g, const uint8_t *state, int cell, Text *out) {
    int height = state_height(g, state, cell);
    text_add(out, height > 1 ? "[" : "");
    for (int level = 0; level < height; level++) {
        int plane = state_plane(g, state, cell, level);
        if (plane >= 0)
            piece_text(g, state, cell, plane, level == height - 1, out);
    }
    text_add(out, height > 1 ? "]" : "");
}

static void row_text(const Game *g, const uint8_t *state, const int16_t *cells, int n, Text *out) {
    int empty = 0;
    for (int i = 0; i < n; i++) {
        if (state_height(g, state, cells[i]) == 0) {
            empty++;
            continue;
        }
        if (empty)
            text_f(out, "%d", empty);
        empty = 0;
        cell_text(g, state, cells[i], out);
    }
    if (empty)
        text_f(out, "%d", empty);
}

// How many letters of a player's name tell it from all others.
static size_t telling_letters(const IrGame *ir, int player) {
    const char *name = ir->player[player];
    size_t n = 1, length = strlen(name);
    for (int p = 0; p < ir->players; p++)
        while (p != player && n < length && strncasecmp(name, ir->player[p], n) == 0)
            n++;
    while (n < length && ((unsigned char)name[n] & 0xC0) == 0x80)
        n++; // whole characters
    return n;
}

bool player_named(const IrGame *ir, int player) {
    const char *name = ir->player[player];
    for (int p = 0; p < ir->players; p++)
        if (p != player && strcasecmp(name, ir->player[p]) == 0)
            return false;
    return name[0] && !isdigit((unsigned char)name[0]) && !strpbrk(name, " \t=+,-*");
}

static void player_text(const IrGame *ir, int player, Text *out) {
    if (ir->player_letter && ir->player_letter[player] && ir->player_letter[player][0]) {
        text_add(out, ir->player_letter[player]);
        return;
    }
    size_t n = telling_letters(ir, player);
    if (!player_named(ir, player)) {
        text_f(out, "%d", player + 1);
        return;
    }
    for (size_t i = 0; i < n; i++)
        text_char(out, (char)tolower((unsigned char)ir->player[player][i]));
}

static void set_text(const Game *g, const uint8_t *state, int var, int index, Text *out) {
    const Board *b = g->ir->board;
    int n = 0;
    for (int c = 0; c < b->cells; c++)
        if (state_variable_has(g, state, var, index, c))
            text_f(out, "%s%s", n++ ? "+" : "", b->cell[c].name);
    if (n == 0)
        text_char(out, '-');
}

void state_entry_text(const Game *g, const uint8_t *state, int var, int index, Text *out) {
    IrType type = g->ir->var[var].type;
    if (type.kind == TY_SET)
        set_text(g, state, var, index, out);
    else
        value_text(g->ir, type, state_variable(g, state, var, index), out);
}

// How many entries from `first` on are equal.
static int run_length(const IrVar *v, const uint8_t *state, int first) {
    const uint8_t *at = state + v->offset + first * v->width;
    int n = 1;
    while (first + n < v->count && memcmp(at, at + n * v->width, (size_t)v->width) == 0)
        n++;
    return n;
}

// Long lists write a run of equal entries as 12*0.
#define LONG_LIST 16
#define LONG_RUN 4

static void variable_text(const Game *g, const uint8_t *state, int var, Text *out) {
    const IrVar *v = &g->ir->var[var];
    text_f(out, " %s=", v->name);
    for (int i = 0; i < v->count; i++) {
        int run = v->count > LONG_LIST ? run_length(v, state, i) : 1;
        text_add(out, i ? "," : "");
        if (run >= LONG_RUN) {
            text_f(out, "%d*", run);
            i += run - 1;
        }
        state_entry_text(g, state, var, i, out);
    }
}

static void result_text(const IrGame *ir, int result, Text *out) {
    int n = 0;
    text_add(out, " result=");
    for (int p = 0; p < ir->players; p++)
        if (result >> p & 1) {
            text_add(out, n++ ? "+" : "");
            if (player_named(ir, p))
                text_add(out, ir->player[p]);
            else
                text_f(out, "%d", p + 1);
        }
    if (n == 0)
        text_char(out, '-');
}

void state_text(const Game *g, const uint8_t *state, Text *out) {
    const IrGame *ir = g->ir;
    StateRows rows;
    state_rows(ir->board, &rows);
    for (int r = 0; r < rows.rows; r++) {
        text_add(out, r ? "/" : "");
        row_text(g, state, &rows.cell[rows.start[r]], rows.start[r + 1] - rows.start[r], out);
    }
    text_char(out, ' ');
    player_text(ir, game_player(g, state), out);
    bool *left_out = mem_alloc((size_t)ir->vars + 1);
    if (left_out)
        names_left_out(g, state, left_out);
    for (int v = 0; v < ir->vars; v++)
        if (!left_out || !left_out[v])
            variable_text(g, state, v, out);
    mem_free(left_out);
    if (state[ir->layout.result])
        result_text(ir, state[ir->layout.result], out);
}
