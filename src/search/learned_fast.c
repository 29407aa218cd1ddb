// learned_fast: what learned_sums finds by walking over the pieces, found by tables; see
// learned_fast.h. This file makes the tables, learned_fast_sum.c uses them.
#include "search/learned_fast.h"

#include "base/mem.h"

#define TABLES_MOST 32                     // tables of 256 sums: half of a small cache
#define LINE_TABLE_MOST ((size_t)48 << 10) // bytes
#define LENGTH_MOST 64                     // of a line

// --- making ---

static void *part(LearnedFast *f, size_t size, size_t count) {
    void *memory = mem_alloc(size * (count + 1));
    if (memory)
        f->parts[f->part_count++] = memory;
    return memory;
}

static void *part_aligned(LearnedFast *f, size_t bytes) {
    char *memory = part(f, 1, bytes + LANES);
    return memory ? memory + (LANES - (uintptr_t)memory % LANES) % LANES : NULL;
}

static int32_t weight_of(const Learned *l, int player, int slot) {
    int32_t w = l->weight[player * l->slots.count + slot];
    return l->game->ir->players == 2 && player == 1 ? -w : w;
}

static bool make_planes(LearnedFast *f, const Learned *l) {
    const IrGame *ir = l->game->ir;
    bool tables = ir->planes * f->bytes <= TABLES_MOST && !(l->uses & LEARNED_STACKS);
    size_t size = tables ? (size_t)f->bytes * 256 : (size_t)f->cells;
    f->plane = part(f, sizeof *f->plane, (size_t)ir->planes);
    int32_t *sums = part(f, sizeof *sums, size * (size_t)ir->planes);
    f->height = part(f, sizeof *f->height, (size_t)ir->players * 64);
    if (!f->plane || !sums || !f->height)
        return false;
    for (int p = 0; p < ir->players && l->uses & LEARNED_STACKS; p++)
        for (int top = 0; top < 64; top++) {
            int height = top / ir->layout.stack_bits;
            f->height[64 * p + top] =
                height <= ir->board->stack ? weight_of(l, p, l->slots.stack + height) : 0;
        }
    for (int i = 0; i < ir->planes; i++, sums += size) {
        const IrPlane *p = &ir->plane[i];
        if (p->owner >= ir->players)
            continue;
        FastPlane *to = &f->plane[f->planes++];
        *to = (FastPlane){.offset = p->offset, .to = f->sums > 1 ? p->owner : 0};
        to->height = l->uses & LEARNED_STACKS ? f->height + 64 * p->owner : NULL;
        for (int c = 0; c < f->cells; c++) {
            int32_t w = weight_of(l, p->owner, p->kind * f->cells + c);
            for (int value = 0; value < 256 && tables; value++)
                sums[256 * (c / 8) + value] += value >> (c % 8) & 1 ? w : 0;
            if (!tables)
                sums[c] = w;
        }
        to->table = tables ? sums : NULL;
        to->cell = tables ? NULL : sums;
    }
    return true;
}

static bool is_number(IrType type) {
    return type.kind == TY_INT || type.kind == TY_BOOL;
}

static bool make_numbers(LearnedFast *f, const Learned *l) {
    const IrGame *ir = l->game->ir;
    f->attribute = part(f, sizeof *f->attribute, (size_t)(ir->attrs * ir->planes));
    f->variable = part(f, sizeof *f->variable, (size_t)(ir->vars * ir->players));
    if (!f->attribute || !f->variable)
        return false;
    for (int i = 0; i < ir->planes && l->uses & LEARNED_ATTRS; i++)
        for (int a = 0; a < ir->attrs; a++) {
            const IrPlane *p = &ir->plane[i];
            const IrAttr *at = &ir->attr[a];
            if (p->owner >= ir->players || !(ir->kind[p->kind].attributes >> a & 1) ||
                !is_number(at->type))
                continue;
            int32_t w = weight_of(l, p->owner, l->slots.attr + a * ir->kinds + p->kind);
            if (w)
                f->attribute[f->attributes++] = (FastNumber){
                    at->offset, at->width, f->sums > 1 ? p->owner : 0, at->lo < 0, p->offset, w};
        }
    for (int v = 0; v < ir->vars; v++)
        for (int i = 0; i < ir->players; i++) {
            const IrVar *at = &ir->var[v];
            if (!at->indexed || at->index.kind != TY_PLAYER || at->clock || !is_number(at->type))
                continue;
            int32_t w = weight_of(l, i, l->slots.var + v);
            if (w)
                f->variable[f->variables++] = (FastNumber){
                    at->offset + i * at->width, at->width, f->sums > 1 ? i : 0, at->lo < 0, 0, w};
        }
    return true;
}

static bool make_constants(LearnedFast *f, const Learned *l) {
    int players = f->players;
    f->constant = part(f, sizeof *f->constant, (size_t)(players * f->sums));
    if (!f->constant)
        return false;
    for (int on_move = 0; on_move < players; on_move++)
        for (int i = 0; i < players; i++) {
            int64_t *to = &f->constant[on_move * f->sums + (f->sums > 1 ? i : 0)];
            *to += weight_of(l, i, l->slots.bias);
            *to += i == on_move ? weight_of(l, i, l->slots.tempo) : 0;
        }
    for (int i = 0; i < players && l->uses & LEARNED_MOBILITY; i++) {
        f->mobility[i] = weight_of(l, i, l->slots.mobility);
        f->moves = f->moves || f->mobility[i];
    }
    return true;
}

typedef struct LineGroup {  // lines of the same length
    int length, begin, end; // vectors
} LineGroup;

// The lane of each line: by length, each length from a new vector on. Returns how many lengths
// there are; -1: too many lines.
static int place_lines(LearnedFast *f, const Board *b, int16_t *lane, LineGroup *group) {
    int groups = 0;
    for (int length = 1; length <= LENGTH_MOST; length++) {
        int n = LANES * f->vectors, begin = f->vectors;
        for (int i = 0; i < b->lines; i++)
            if (b->line[i].count == length)
                lane[i] = (int16_t)n++;
        if (n == LANES * begin)
            continue;
        f->vectors = (n + LANES - 1) / LANES;
        if (f->vectors > VECTORS_MOST)
            return -1;
        group[groups++] = (LineGroup){length, begin, f->vectors};
    }
    for (int i = 0; i < b->lines; i++)
        if (b->line[i].count > LENGTH_MOST)
            return -1;
    return groups;
}

// Which lines weigh something. False: so much that sums of 32 bits do not hold them.
static bool weigh_lines(LearnedFast *f, const Learned *l, const LineGroup *group, int groups) {
    int64_t most = INT32_MAX / (l->game->ir->board->lines + 1);
    for (int p = 0; p < f->players && p < f->owners; p++) {
        for (int g = 0; g < groups; g++)
            for (int m = 0; m < LEARNED_MISSING && m < group[g].length; m++) {
                int32_t w = weight_of(l, p, l->slots.line + m);
                if (w > most || w < -most)
                    return false;
                if (w)
                    f->weigh[f->weighs++] = (FastLines){.player = p,
                                                        .to = f->sums > 1 ? p : 0,
                                                        .begin = group[g].begin,
                                                        .end = group[g].end,
                                                        .own = (uint8_t)(group[g].length - m),
                                                        .weight = w};
            }
        if (f->weighs > 0 && (f->sums > 1 || p == f->players - 1))
            f->weigh[f->weighs - 1].last = true;
    }
    if (f->weighs > 0)
        f->weigh[f->weighs - 1].last = true;
    else
        f->vectors = 0;
    return true;
}

static void fill_line_table(LearnedFast *f, const Board *b, const int16_t *lane) {
    uint8_t *bytes = (uint8_t *)f->lines;
    for (int i = 0; i < b->lines; i++)
        for (int j = 0; j < b->line[i].count; j++) {
            int cell = b->line[i].cells[j];
            for (int value = 0; value < 16; value++)
                bytes[(16 * (cell / 4) + value) * f->vectors * LANES + lane[i]] +=
                    (uint8_t)(value >> (cell % 4) & 1);
        }
}

// Tables for learned_fast_lines.c: two players, lines that are not too long, weights of two bytes.
// False without memory.
static bool make_look(LearnedFast *f) {
    if (!learned_fast_can_look() || f->sums > 1 || f->owners > 2)
        return true;
    for (int i = 0; i < f->weighs; i++)
        if (f->weigh[i].own >= FAST_SHUT || f->weigh[i].weight >= FAST_ZERO ||
            f->weigh[i].weight < -FAST_ZERO)
            return true;
    FastLook *look = part_aligned(f, sizeof *look * (size_t)(2 * f->vectors));
    if (!look)
        return false;
    for (int i = 0; i < 2 * f->vectors; i++) {
        look[i].low = (Lanes){0};
        look[i].high = (Lanes){0} + FAST_ZERO / 256;
    }
    for (int i = 0; i < f->weighs; i++) {
        const FastLines *lines = &f->weigh[i];
        unsigned number = (unsigned)(lines->weight + FAST_ZERO);
        for (int v = lines->begin; v < lines->end; v++)
            for (int at = lines->own; at < LANES; at += 16) {
                look[2 * v + lines->player].low[at] = (uint8_t)number;
                look[2 * v + lines->player].high[at] = (uint8_t)(number >> 8);
            }
    }
    f->look = look;
    return true;
}

static bool list_lines_of_cells(LearnedFast *f, const Board *b, const int16_t *lane) {
    size_t n = 0;
    for (int i = 0; i < b->lines; i++)
        n += (size_t)b->line[i].count;
    f->first = part(f, sizeof *f->first, (size_t)f->cells + 1);
    f->through = part(f, sizeof *f->through, n);
    if (!f->first || !f->through)
        return false;
    int at = 0;
    for (int cell = 0; cell < f->cells; cell++) {
        f->first[cell] = at;
        for (int i = 0; i < b->lines; i++)
            for (int j = 0; j < b->line[i].count; j++)
                if (b->line[i].cells[j] == cell)
                    f->through[at++] = lane[i];
    }
    f->first[f->cells] = at;
    return true;
}

static bool list_owners(LearnedFast *f, const IrGame *ir) {
    f->owner_plane = part(f, sizeof *f->owner_plane, (size_t)ir->planes);
    f->owner_begin = part(f, sizeof *f->owner_begin, (size_t)ir->players + 2);
    if (!f->owner_plane || !f->owner_begin)
        return false;
    int at = 0;
    for (int owner = 0; owner <= ir->players; owner++) {
        f->owner_begin[owner] = at;
        for (int i = 0; i < ir->planes; i++)
            if (ir->plane[i].owner == owner)
                f->owner_plane[at++] = ir->plane[i].offset;
        if (at > f->owner_begin[owner])
            f->owners = owner + 1;
    }
    f->owner_begin[ir->players + 1] = at;
    return true;
}

static bool make_lines(LearnedFast *f, const Learned *l) {
    const Board *b = l->game->ir->board;
    if (!(l->uses & LEARNED_LINES))
        return true;
    LineGroup group[LENGTH_MOST];
    int16_t *lane = part(f, sizeof *lane, (size_t)b->lines);
    int groups = lane ? place_lines(f, b, lane, group) : -1;
    f->weigh = part(f, sizeof *f->weigh, (size_t)(f->players * LEARNED_MISSING * (groups + 1)));
    if (groups < 0 || !f->weigh || !list_owners(f, l->game->ir) ||
        !weigh_lines(f, l, group, groups))
        return false;
    if (!f->vectors)
        return true;
    size_t table = (size_t)((f->cells + 3) / 4) * 16 * (size_t)f->vectors * sizeof(Lanes);
    if (table > LINE_TABLE_MOST)
        return list_lines_of_cells(f, b, lane);
    f->lines = part_aligned(f, table);
    if (!f->lines)
        return false;
    fill_line_table(f, b, lane);
    return make_look(f);
}

LearnedFast *learned_fast_new(const Learned *l) {
    const IrGame *ir = l->game->ir;
    LearnedFast *f = mem_alloc(sizeof *f);
    if (!f)
        return NULL;
    f->sum = learned_fast_sum();
    f->words = ir->board->words;
    f->cells = ir->board->cells;
    f->bytes = (f->cells + 7) / 8;
    f->players = ir->players;
    f->player_at = ir->layout.player;
    f->state_size = ir->layout.size;
    f->stack_at = ir->layout.stack_offset;
    f->stack_width = ir->layout.stack_width;
    f->sums = ir->players == 2 ? 1 : ir->players;
    if (make_planes(f, l) && make_numbers(f, l) && make_constants(f, l) && make_lines(f, l))
        return f;
    learned_fast_free(f);
    return NULL;
}

void learned_fast_free(LearnedFast *f) {
    if (!f)
        return;
    for (int i = 0; i < f->part_count; i++)
        mem_free(f->parts[i]);
    mem_free(f);
}
