// layout: where everything is in a state. See IrLayout in ir.h.
//
// Fields are placed by falling width, so that each is aligned to itself without gaps; clocks come
// after everything that tells positions apart.

#include "ir/ir.h"

#include <math.h>
#include <string.h>

// Bytes that hold every value of lo..hi.
static int width_for(int64_t lo, int64_t hi) {
    if (lo >= 0)
        return hi <= 0xff ? 1 : hi <= 0xffff ? 2 : 4;
    return lo >= -0x80 && hi <= 0x7f ? 1 : lo >= -0x8000 && hi <= 0x7fff ? 2 : 4;
}

// Bits of information in one value of lo..hi.
static double bits_for(int64_t lo, int64_t hi) {
    return log2((double)(hi - lo + 1));
}

static int var_width(const IrGame *g, const IrVar *v) {
    if (v->type.kind == TY_SET)
        return 8 * g->board->words;
    if (v->type.kind == TY_MASK)
        return 8;
    return width_for(v->lo, v->hi);
}

static double var_bits(const IrGame *g, const IrVar *v) {
    double each = bits_for(v->lo, v->hi);
    if (v->type.kind == TY_SET)
        each = g->board->cells;
    else if (v->type.kind == TY_MASK)
        each = v->type.of == TY_FLAG ? g->enums[v->type.of_enum].count
                                     : ir_domain_size(g, (IrType){.kind = v->type.of}, 0, 63);
    return each * v->count;
}

// The alignment a field of that entry width wants: sets are words.
static int alignment(int width) {
    return width > 8 ? 8 : width;
}

static void place_vars(IrGame *g, int align, bool clock, int *at) {
    for (int i = 0; i < g->vars; i++) {
        IrVar *v = &g->var[i];
        if (v->clock != clock || alignment(v->width) != align)
            continue;
        v->offset = *at;
        *at += v->width * v->count;
    }
}

static void place_attrs(IrGame *g, int align, int *at) {
    const Board *b = g->board;
    for (int i = 0; i < g->attrs; i++) {
        IrAttr *a = &g->attr[i];
        int bytes = a->width ? a->width * b->cells : 8 * b->words;
        if ((a->width ? a->width : 8) != align)
            continue;
        a->offset = *at;
        *at += bytes;
    }
}

static void place_stacks(IrGame *g, int align, int *at) {
    IrLayout *l = &g->layout;
    if (g->board->stack == 1 || l->stack_width != align)
        return;
    l->stack_offset = *at;
    *at += l->stack_width * g->board->cells;
}

static bool size_stacks(IrGame *g, Span board, Diags *diags) {
    IrLayout *l = &g->layout;
    if (g->board->stack == 1)
        return true;
    while ((1 << l->stack_bits) < g->planes)
        l->stack_bits++;
    if (!l->stack_bits)
        l->stack_bits = 1;
    int bits = l->stack_bits * g->board->stack + 1;
    if (bits > 64) {
        diag_error(diags, board, "stacks of %d out of %d different pieces need %d bits; 64 fit",
                   g->board->stack, g->planes, bits);
        diag_help(diags, "make the stacks at most %d high", 63 / l->stack_bits);
        return false;
    }
    l->stack_width = bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    return true;
}

// --- hidden cells ---

static bool is_hidden(const IrGame *g, int cell) {
    return g->hidden && g->hidden[cell / 64] >> (cell % 64) & 1;
}

static void clear_bytes(uint8_t *mask, int offset, int width) {
    for (int i = 0; i < width; i++)
        mask[offset + i] = 0;
}

static void clear_bit(uint8_t *mask, int set, int cell) {
    uint64_t word;
    uint8_t *at = mask + set + cell / 64 * 8;
    memcpy(&word, at, sizeof word);
    word &= ~((uint64_t)1 << (cell % 64));
    memcpy(at, &word, sizeof word);
}

// What stands on hidden cells does not tell positions apart; everything else does.
static void make_mask(IrGame *g) {
    IrLayout *l = &g->layout;
    bool any = false;
    for (int c = 0; c < g->board->cells; c++)
        any |= is_hidden(g, c);
    if (!any)
        return;
    uint64_t *words = ARENA_ARRAY(g->arena, uint64_t, l->identity / 8);
    uint8_t *mask = (uint8_t *)words;
    memset(mask, 0xff, (size_t)l->identity);
    for (int c = 0; c < g->board->cells; c++) {
        if (!is_hidden(g, c))
            continue;
        for (int i = 0; i < g->planes; i++)
            clear_bit(mask, g->plane[i].offset, c);
        for (int i = 0; i < g->attrs; i++) {
            const IrAttr *a = &g->attr[i];
            if (a->width)
                clear_bytes(mask, a->offset + c * a->width, a->width);
            else
                clear_bit(mask, a->offset, c);
        }
        if (g->board->stack > 1)
            clear_bytes(mask, l->stack_offset + c * l->stack_width, l->stack_width);
    }
    l->mask = words;
}

// log2 of the number of states: an upper bound, for people and for numbering.
static double count_bits(const IrGame *g) {
    double cell_values = g->planes + 1;
    if (g->board->stack > 1) { // 1 + p + p^2 + ... + p^stack, at most
        cell_values = 0;
        for (int i = 0; i <= g->board->stack; i++)
            cell_values += pow(g->planes, i);
    }
    int cells = g->board->cells;
    for (int c = 0; c < g->board->cells; c++)
        cells -= is_hidden(g, c);
    double bits = cells * log2(cell_values) + log2(g->players);
    for (int i = 0; i < g->attrs; i++)
        bits += cells * bits_for(g->attr[i].lo, g->attr[i].hi);
    for (int i = 0; i < g->vars; i++)
        bits += var_bits(g, &g->var[i]);
    return bits;
}

bool ir_lay_out(IrGame *g, Span board, Diags *diags) {
    IrLayout *l = &g->layout;
    if (!size_stacks(g, board, diags))
        return false;
    for (int i = 0; i < g->vars; i++)
        g->var[i].width = var_width(g, &g->var[i]);
    for (int i = 0; i < g->attrs; i++) {
        IrAttr *a = &g->attr[i];
        a->width = a->type.kind == TY_BOOL ? 0 : width_for(a->lo, a->hi);
    }
    int at = 0;
    for (int i = 0; i < g->planes; i++) {
        g->plane[i].offset = at;
        at += 8 * g->board->words;
    }
    for (int align = 8; align >= 1; align /= 2) {
        place_vars(g, align, false, &at);
        place_attrs(g, align, &at);
        place_stacks(g, align, &at);
    }
    l->player = at++;
    l->result = at++;
    l->identity = (at + 7) / 8 * 8;
    at = l->identity;
    for (int align = 8; align >= 1; align /= 2)
        place_vars(g, align, true, &at);
    l->size = (at + 7) / 8 * 8;
    l->bits = count_bits(g);
    make_mask(g);
    if (l->size > IR_MAX_STATE) {
        diag_error(diags, board, "a position of this game takes %d bytes; at most %d are possible",
                   l->size, IR_MAX_STATE);
        diag_help(diags, "use a smaller board, fewer kinds of piece or fewer variables per cell");
        return false;
    }
    return true;
}
