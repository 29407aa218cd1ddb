// draw: the canvas, what stands on a cell, and the legend. The shapes are in draw_square.c,
// draw_hex.c, draw_lines.c and draw_places.c.
#include "game/draw.h"

#include "game/draw_parts.h"
#include "game/state_parts.h"
#include "game/statetext.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

// --- Canvas ---

bool draw_canvas(Drawing *d, int width, int height) {
    d->spots = mem_alloc(sizeof(Spot) * (size_t)width * (size_t)height);
    d->width = width;
    d->height = height;
    return d->spots != NULL;
}

static Spot *spot_at(const Drawing *d, int x, int y) {
    bool inside = d->spots && x >= 0 && x < d->width && y >= 0 && y < d->height;
    return inside ? &d->spots[y * d->width + x] : NULL;
}

int draw_text(Drawing *d, int x, int y, const char *s, Ink ink) {
    int columns = 0;
    while (*s) {
        int n = text_utf8(s, strlen(s));
        bool known = n == 1 ? isprint((unsigned char)*s) : n > 1 && !d->style.ascii;
        Spot *spot = spot_at(d, x + columns++, y);
        if (spot) {
            bool marked = spot->marked;
            *spot = (Spot){.s = "?", .ink = (uint8_t)ink, .marked = marked};
            if (known)
                memcpy(spot->s, s, (size_t)n);
        }
        s += n > 0 ? n : 1;
    }
    return columns;
}

void draw_mark(Drawing *d, int x, int y, int columns) {
    for (int i = 0; i < columns && d->style.colour; i++) {
        Spot *spot = spot_at(d, x + i, y);
        if (spot)
            spot->marked = true;
    }
}

void draw_brackets(Drawing *d, int left, int right, int y) {
    if (d->style.colour)
        return;
    Spot *spot = spot_at(d, left, y);
    // A place between two marked cells closes one and opens the other.
    draw_text(d, left, y, spot && strcmp(spot->s, "]") == 0 ? "|" : "[", INK_PLAIN);
    draw_text(d, right, y, "]", INK_PLAIN);
}

// --- Writing the canvas ---

// A player called Red is red; the others take the colours of the list in turn.
static int player_colour(const IrGame *ir, int player) {
    static const char *const names[] = {"red", "green", "yellow", "blue", "magenta", "cyan"};
    static const int others[] = {33, 36, 35, 32, 31, 34, 37};
    for (int i = 0; i < 6; i++)
        if (strcasecmp(ir->player[player], names[i]) == 0)
            return 31 + i;
    return others[player % 7];
}

static void change_ink(const Drawing *d, const Spot *spot, Text *out) {
    text_add(out, "\x1b[0");
    if (spot->ink == INK_DIM && !spot->marked)
        text_add(out, ";2");
    if (spot->ink >= INK_PLAYER)
        text_f(out, ";1;%d", player_colour(d->ir, spot->ink - INK_PLAYER));
    if (spot->marked)
        text_add(out, ";7");
    text_char(out, 'm');
}

static bool is_blank(const Spot *spot) {
    return !spot->s[0] || strcmp(spot->s, " ") == 0;
}

static int used_columns(const Drawing *d, int y) {
    const Spot *row = &d->spots[y * d->width];
    int n = d->width;
    while (n > 0 && is_blank(&row[n - 1]) && !row[n - 1].marked)
        n--;
    return n;
}

static void write_row(const Drawing *d, int y, Text *out) {
    Spot ink = {.ink = INK_PLAIN};
    int n = used_columns(d, y);
    for (int x = 0; x < n; x++) {
        const Spot *spot = &d->spots[y * d->width + x];
        bool same = spot->marked == ink.marked && (spot->ink == ink.ink || is_blank(spot));
        if (d->style.colour && !same) {
            change_ink(d, spot, out);
            ink = *spot;
        }
        text_add(out, spot->s[0] ? spot->s : " ");
    }
    if (ink.ink != INK_PLAIN || ink.marked)
        text_add(out, "\x1b[0m");
    text_char(out, '\n');
}

// --- Pieces ---

bool draw_is_marked(const Drawing *d, int cell) {
    return d->style.mark && d->style.mark[cell / 64] >> (cell % 64) & 1;
}

const char *draw_dot(const Drawing *d) {
    return d->style.ascii ? "." : "·";
}

static Ink plane_ink(const Drawing *d, int plane) {
    int owner = d->ir->plane[plane].owner;
    return owner < d->ir->players ? (Ink)(INK_PLAYER + owner) : INK_PLAIN;
}

static int draw_plane(Drawing *d, int plane, int x, int y) {
    const IrPlane *p = &d->ir->plane[plane];
    char look[2] = "";
    if (!d->style.ascii)
        return draw_text(d, x, y, p->symbol[0] ? p->symbol : p->letter, plane_ink(d, plane));
    // A letter outside ASCII gives way to the first of the kind's name that is inside.
    look[0] = p->letter[0];
    for (const char *s = d->ir->kind[p->kind].name; *s && (signed char)look[0] < 0; s++)
        look[0] = *s;
    return draw_text(d, x, y, look, plane_ink(d, plane));
}

int draw_level(Drawing *d, int cell, int level, int x, int y) {
    int plane = state_plane(d->g, d->state, cell, level);
    return plane < 0 ? 0 : draw_plane(d, plane, x, y);
}

// The values of a piece: 1:10, and for each yes or no that is not as usual its first letter.
static void add_values(const Drawing *d, int plane, int cell, Text *out) {
    const IrGame *ir = d->ir;
    uint64_t has = ir->kind[ir->plane[plane].kind].attributes;
    int n = 0;
    for (int a = 0; a < ir->attrs; a++) {
        if (!(has >> a & 1) || ir->attr[a].type.kind == TY_BOOL)
            continue;
        text_add(out, n++ ? ":" : "");
        value_text(ir, ir->attr[a].type, state_attribute(d->g, d->state, a, cell), out);
    }
    for (int a = 0; a < ir->attrs; a++)
        if (has >> a & 1 && ir->attr[a].type.kind == TY_BOOL &&
            state_attribute(d->g, d->state, a, cell) != ir->attr[a].initial)
            text_char(out, ir->attr[a].name[0]);
}

int draw_cell(Drawing *d, int cell, int x, int y) {
    int height = state_height(d->g, d->state, cell), columns = 0;
    for (int level = 0; level < height && !d->bare; level++)
        columns += draw_level(d, cell, level, x + columns, y);
    int plane = height == 1 ? state_plane(d->g, d->state, cell, 0) : -1;
    if (plane < 0 || !d->ir->kind[d->ir->plane[plane].kind].attributes)
        return columns;
    Text values = {0};
    add_values(d, plane, cell, &values);
    columns += draw_text(d, x + columns, y, text_c(&values), plane_ink(d, plane));
    text_free(&values);
    return columns;
}

// --- Measures ---

static int value_columns(const IrGame *ir, const IrAttr *a) {
    int most = 1;
    Text t = {0};
    // The longest word of a type; for numbers one of the ends is the longest.
    int64_t count = a->type.kind == TY_INT ? 2 : (int64_t)a->hi + 1;
    for (int64_t i = 0; i < count; i++) {
        text_clear(&t);
        value_text(ir, a->type, a->type.kind != TY_INT ? i : i ? a->hi : a->lo, &t);
        int n = text_columns(text_c(&t));
        most = n > most ? n : most;
    }
    text_free(&t);
    return most;
}

// From what the rules allow, not from this state: the picture must not jump between moves.
static void measure_content(Drawing *d) {
    const IrGame *ir = d->ir;
    d->bare = ir->kinds == 1 && !ir->kind[0].owners && d->b->stack == 1;
    bool numbers = false;
    for (int a = 0; a < ir->attrs; a++)
        numbers |= ir->attr[a].type.kind == TY_INT;
    d->bare = d->bare && numbers;
    d->content = 1;
    for (int k = 0; k < ir->kinds; k++) {
        int columns = d->bare ? 0 : 1, values = 0;
        for (int a = 0; a < ir->attrs; a++) {
            if (!(ir->kind[k].attributes >> a & 1))
                continue;
            bool word = ir->attr[a].type.kind != TY_BOOL;
            columns += word ? value_columns(ir, &ir->attr[a]) + (values++ > 0) : 1;
        }
        d->content = columns > d->content ? columns : d->content;
    }
}

int draw_column_label(const Drawing *d, int column, char out[12]) {
    const Board *b = d->b;
    if (b->matrix)
        return snprintf(out, 12, "%d", column);
    if (column > 26)
        return snprintf(out, 12, "%c%c", 'a' + (column - 1) / 26 - 1, 'a' + (column - 1) % 26);
    return snprintf(out, 12, "%c", 'a' + column - 1);
}

int draw_row_label(const Drawing *d, int row, char out[12]) {
    if (!d->b->matrix)
        return snprintf(out, 12, "%d", row);
    if (row > 26)
        return snprintf(out, 12, "%c%c", 'A' + (row - 1) / 26 - 1, 'A' + (row - 1) % 26);
    return snprintf(out, 12, "%c", 'A' + row - 1);
}

// --- Legend ---

// fighter: number:hp, r = not ready
static void add_legend_of(const Drawing *d, int kind, Text *out) {
    const IrGame *ir = d->ir;
    uint64_t has = ir->kind[kind].attributes;
    int n = 0;
    text_f(out, "%s: ", ir->kind[kind].name);
    for (int a = 0; a < ir->attrs; a++)
        if (has >> a & 1 && ir->attr[a].type.kind != TY_BOOL)
            text_f(out, "%s%s", n++ ? ":" : "", ir->attr[a].name);
    for (int a = 0; a < ir->attrs; a++)
        if (has >> a & 1 && ir->attr[a].type.kind == TY_BOOL)
            text_f(out, "%s%c = %s%s", n++ ? ", " : "", ir->attr[a].name[0],
                   ir->attr[a].initial ? "not " : "", ir->attr[a].name);
    text_char(out, '\n');
}

static void add_legend(const Drawing *d, Text *out) {
    Text legend = {0};
    for (int k = 0; k < d->ir->kinds && !d->bare; k++)
        if (d->ir->kind[k].attributes)
            add_legend_of(d, k, &legend);
    for (const char *s = text_c(&legend); *s; s++) // names may hold any letters
        if (!d->style.ascii || (signed char)*s > 0)
            text_char(out, *s);
        else if (((unsigned char)*s & 0xC0) != 0x80)
            text_char(out, '?');
    text_free(&legend);
}

// Whether some steps between neighbouring cells are missing, as the diagonals of alquerque: then
// the ways must be seen, and the cells are drawn as points with lines between.
static bool shows_ways(const Board *b) {
    for (int d = 0; d < b->directions && b->stack == 1; d++) {
        int dx = 0, dy = 0; // found from the first step there is
        for (int c = 0; c < b->cells && dx == 0 && dy == 0; c++) {
            int to = b->step[c * b->directions + d];
            if (to == b->cells)
                continue;
            dx = b->cell[to].column - b->cell[c].column;
            dy = b->cell[to].row - b->cell[c].row;
        }
        for (int c = 0; c < b->cells && (dx || dy); c++)
            if (b->step[c * b->directions + d] == b->cells &&
                board_cell_at(b, b->cell[c].column + dx, b->cell[c].row + dy) < b->cells)
                return true;
    }
    return false;
}

void draw_board(const Game *g, const uint8_t *state, DrawStyle style, Text *out) {
    Drawing d = {.g = g, .ir = g->ir, .b = g->ir->board, .state = state, .style = style};
    measure_content(&d);
    bool points = d.b->shape == BOARD_LINES || (d.b->shape == BOARD_SQUARE && shows_ways(d.b));
    bool drawn = d.b->shape == BOARD_PLACES   ? draw_places(&d)
                 : points                     ? draw_lines(&d)
                 : d.b->shape == BOARD_SQUARE ? draw_square(&d)
                                              : draw_hex(&d);
    if (!drawn)
        out->failed = true; // out of memory, as in any other writer
    for (int y = 0; y < d.height && drawn; y++)
        write_row(&d, y, out);
    if (drawn)
        add_legend(&d, out);
    mem_free(d.spots);
}
