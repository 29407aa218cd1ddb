// learned_fast: what learned_sums finds by walking over the pieces, found by tables; see learned.h.
//
// A kind of piece: for every eight cells the sums of the weights of all 256 ways to stand there; on
// larger boards with many kinds, where such tables would fill the cache, piece by piece. Lines: a
// byte for each that counts the pieces on it; the lines of four cells at a time are added by a
// table of their 16 ways, sixteen lines in one step. What weighs nothing is left out.
//
// With two players only the difference is wanted: the weights of the second are taken negative.
#include "search/learned.h"

#include "base/bits.h"
#include "base/mem.h"

#include <string.h>

#define TABLES_MOST 32                  // tables of 256 sums: half of a small cache
#define LINE_TABLE_MOST ((size_t)48 << 10) // bytes
#define LANES 16
#define VECTORS_MOST 128

typedef uint8_t Lanes __attribute__((vector_size(LANES)));

typedef struct FastPlane {
    int offset, to;        // of its set; the sum that it adds to
    int32_t *table;        // [byte of the set][256], or NULL
    int32_t *cell;         // [cell], where there is no table
    const int32_t *height; // [bits of the stack], NULL: stacks weigh nothing
} FastPlane;
typedef struct FastNumber { // an attribute of a plane's pieces, or a variable
    int offset, width, to;
    bool sign;
    int plane; // of an attribute
    int32_t weight;
} FastNumber;
typedef struct FastGroup { // lines of the same length
    int length, begin, end; // vectors
} FastGroup;

struct LearnedFast {
    int words, bytes, cells, players, player_at, state_size;
    int sums; // 1: only the difference of two players
    int64_t *constant; // [player on move][sum]
    FastPlane *plane;
    int planes;
    FastNumber *attribute, *variable;
    int attributes, variables;
    int stack_at, stack_width;
    int32_t *height; // [player][64]
    int32_t mobility[IR_MAX_PLAYERS];
    bool moves; // mobility weighs something
    // lines
    int vectors, groups, owners;
    FastGroup *group;
    Lanes *lines;      // [four cells][16][vector]; NULL: too many
    int *first;        // [cell], and the end: where the lines of a cell begin
    int16_t *through;  // lines, as lanes
    int32_t *missing;  // [player][LEARNED_MISSING]
    int *owner_plane;  // offsets of the planes, by owner
    int *owner_begin;  // [owner], and the end
    void *parts[16]; // what there is to free
    int part_count;
};

// --- making ---

static void *part(LearnedFast *f, size_t size, size_t count) {
    void *memory = mem_alloc(size * (count + 1));
    if (memory)
        f->parts[f->part_count++] = memory;
    return memory;
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
                f->attribute[f->attributes++] =
                    (FastNumber){at->offset, at->width, f->sums > 1 ? p->owner : 0,
                                 at->lo < 0, p->offset, w};
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

// The lane of each line: by length, each length from a new vector on. False: too many.
static bool place_lines(LearnedFast *f, const Board *b, int16_t *lane) {
    int longest = 0;
    for (int i = 0; i < b->lines; i++)
        longest = b->line[i].count > longest ? b->line[i].count : longest;
    if (longest > 255)
        return false;
    for (int length = 1; length <= longest; length++) {
        int n = LANES * f->vectors, begin = f->vectors;
        for (int i = 0; i < b->lines; i++)
            if (b->line[i].count == length)
                lane[i] = (int16_t)n++;
        if (n == LANES * begin)
            continue;
        f->vectors = (n + LANES - 1) / LANES;
        if (f->vectors > VECTORS_MOST)
            return false;
        f->group[f->groups++] = (FastGroup){length, begin, f->vectors};
    }
    return true;
}

static void fill_line_table(LearnedFast *f, const Board *b, const int16_t *lane) {
    uint8_t *bytes = (uint8_t *)f->lines;
    size_t row = (size_t)f->vectors * LANES;
    for (int i = 0; i < b->lines; i++)
        for (int j = 0; j < b->line[i].count; j++) {
            int cell = b->line[i].cells[j];
            for (int value = 0; value < 16; value++)
                bytes[(size_t)(16 * (cell / 4) + value) * row + (size_t)lane[i]] +=
                    (uint8_t)(value >> (cell % 4) & 1);
        }
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
    bool some = false;
    f->missing = part(f, sizeof *f->missing, (size_t)f->players * LEARNED_MISSING);
    f->group = part(f, sizeof *f->group, 256);
    int16_t *lane = part(f, sizeof *lane, (size_t)b->lines);
    if (!f->missing || !f->group || !lane || !list_owners(f, l->game->ir))
        return false;
    for (int p = 0; p < f->players; p++)
        for (int m = 0; m < LEARNED_MISSING && l->uses & LEARNED_LINES; m++) {
            f->missing[p * LEARNED_MISSING + m] = weight_of(l, p, l->slots.line + m);
            some = some || f->missing[p * LEARNED_MISSING + m];
        }
    if (!some)
        return true;
    if (!place_lines(f, b, lane))
        return false;
    size_t table = (size_t)((f->cells + 3) / 4) * 16 * (size_t)f->vectors * sizeof(Lanes);
    if (table > LINE_TABLE_MOST)
        return list_lines_of_cells(f, b, lane);
    char *memory = part(f, 1, table + LANES);
    if (!memory)
        return false;
    f->lines = (Lanes *)(void *)(memory + (LANES - (uintptr_t)memory % LANES) % LANES);
    fill_line_table(f, b, lane);
    return true;
}

LearnedFast *learned_fast_new(const Learned *l) {
    const IrGame *ir = l->game->ir;
    LearnedFast *f = mem_alloc(sizeof *f);
    if (!f)
        return NULL;
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

// --- evaluating ---

static inline uint64_t load_word(const uint8_t *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static inline int64_t load_number(const uint8_t *at, int width, bool sign) {
    uint16_t w2;
    uint32_t w4;
    switch (width) {
    case 1: return sign ? (int8_t)*at : *at;
    case 2: memcpy(&w2, at, sizeof w2); return sign ? (int16_t)w2 : w2;
    case 4: memcpy(&w4, at, sizeof w4); return sign ? (int64_t)(int32_t)w4 : (int64_t)w4;
    default: return (int64_t)load_word(at);
    }
}

static int64_t sum_table(const LearnedFast *f, const FastPlane *p, const uint8_t *state) {
    const int32_t *table = p->table;
    int64_t sum = 0;
    for (int byte = 0; byte < f->bytes;) {
        uint64_t word = load_word(state + p->offset + byte);
        int end = byte + 8 < f->bytes ? byte + 8 : f->bytes;
        for (; byte < end; byte++, word >>= 8, table += 256)
            sum += table[word & 0xff];
    }
    return sum;
}

static int64_t sum_pieces(const LearnedFast *f, const FastPlane *p, const uint8_t *state) {
    int64_t sum = 0;
    for (int w = 0; w < f->words; w++) {
        uint64_t word = load_word(state + p->offset + 8 * w);
        while (word) {
            int cell = 64 * w + bits_pop(&word);
            sum += p->cell[cell];
            if (p->height) {
                uint64_t stack = (uint64_t)load_number(
                    state + f->stack_at + cell * f->stack_width, f->stack_width, false);
                sum += p->height[63 - __builtin_clzll(stack | 1)];
            }
        }
    }
    return sum;
}

static int64_t sum_attribute(const LearnedFast *f, const FastNumber *a, const uint8_t *state) {
    int64_t sum = 0;
    for (int w = 0; w < f->words; w++) {
        uint64_t word = load_word(state + a->plane + 8 * w);
        if (a->width == 0)
            word &= load_word(state + a->offset + 8 * w);
        while (word) {
            int cell = 64 * w + bits_pop(&word);
            sum += a->width == 0 ? 1
                                 : (int)load_number(state + a->offset + cell * a->width, a->width,
                                                    a->sign);
        }
    }
    return sum * a->weight;
}

// How many pieces of an owner stand on each line.
static void count_lines(const LearnedFast *f, int owner, const uint8_t *state, Lanes *count) {
    memset(count, 0, sizeof *count * (size_t)f->vectors);
    for (int w = 0; w < f->words; w++) {
        uint64_t word = 0;
        for (int i = f->owner_begin[owner]; i < f->owner_begin[owner + 1]; i++)
            word |= load_word(state + f->owner_plane[i] + 8 * w);
        const Lanes *row = f->lines ? f->lines + (size_t)w * 16 * 16 * (size_t)f->vectors : NULL;
        int end = f->cells - 64 * w;
        for (int cell = 0; row && cell < 64 && cell < end; cell += 4, word >>= 4) {
            const Lanes *add = row + (word & 15) * (size_t)f->vectors;
            for (int v = 0; v < f->vectors; v++)
                count[v] += add[v];
            row += 16 * (size_t)f->vectors;
        }
        while (!row && word) {
            int cell = 64 * w + bits_pop(&word);
            for (int i = f->first[cell]; i < f->first[cell + 1]; i++)
                ((uint8_t *)count)[f->through[i]]++;
        }
    }
}

static int sum_lanes(Lanes x) { // each at most VECTORS_MOST
    const uint64_t odd = UINT64_C(0x00ff00ff00ff00ff);
    uint64_t half[2];
    memcpy(half, &x, sizeof half);
    uint64_t sum = (half[0] & odd) + (half[0] >> 8 & odd) + (half[1] & odd) + (half[1] >> 8 & odd);
    return (int)(sum * UINT64_C(0x0001000100010001) >> 48);
}

static void add_lines(const LearnedFast *f, const uint8_t *state, int64_t *sums) {
    Lanes count[IR_MAX_PLAYERS + 1][VECTORS_MOST], all[VECTORS_MOST];
    for (int owner = 0; owner < f->owners; owner++)
        count_lines(f, owner, state, count[owner]);
    for (int v = 0; v < f->vectors; v++) {
        all[v] = count[0][v];
        for (int owner = 1; owner < f->owners; owner++)
            all[v] += count[owner][v];
    }
    for (int g = 0; g < f->groups; g++) {
        const FastGroup *group = &f->group[g];
        int missing = group->length - 1 < LEARNED_MISSING ? group->length - 1 : LEARNED_MISSING - 1;
        for (; missing >= 0; missing--) {
            Lanes own = (Lanes){0} + (uint8_t)(group->length - missing);
            for (int p = 0; p < f->players && p < f->owners; p++) {
                int32_t weight = f->missing[p * LEARNED_MISSING + missing];
                if (!weight)
                    continue;
                Lanes found = {0};
                for (int v = group->begin; v < group->end; v++)
                    found -= (Lanes)((all[v] == own) & (count[p][v] == own));
                sums[f->sums > 1 ? p : 0] += (int64_t)weight * sum_lanes(found);
            }
        }
    }
}

static void add_moves(const LearnedFast *f, Runner *r, const uint8_t *state, int64_t *sums) {
    uint64_t copy[IR_MAX_STATE / 8]; // aligned as states are
    uint8_t *other = (uint8_t *)copy;
    memcpy(other, state, (size_t)f->state_size);
    for (int i = 0; i < f->players; i++) {
        if (!f->mobility[i])
            continue;
        other[f->player_at] = (uint8_t)i;
        sums[f->sums > 1 ? i : 0] += (int64_t)f->mobility[i] * learned_mobility(r, other);
    }
}

void learned_fast_sums(const LearnedFast *f, Runner *r, const uint8_t *state, int64_t *sums) {
    memcpy(sums, f->constant + state[f->player_at] * f->sums, sizeof *sums * (size_t)f->sums);
    for (int i = 0; i < f->planes; i++) {
        const FastPlane *p = &f->plane[i];
        sums[p->to] += p->table ? sum_table(f, p, state) : sum_pieces(f, p, state);
    }
    for (int i = 0; i < f->attributes; i++)
        sums[f->attribute[i].to] += sum_attribute(f, &f->attribute[i], state);
    for (int i = 0; i < f->variables; i++) {
        const FastNumber *v = &f->variable[i];
        sums[v->to] += (int64_t)v->weight * (int)load_number(state + v->offset, v->width, v->sign);
    }
    if (f->vectors)
        add_lines(f, state, sums);
    if (f->moves)
        add_moves(f, r, state, sums);
}
