// canonical: see canonical.h.
//
// A set of cells is mapped eight cells at a time: for every symmetry and every byte of a set there
// is a table of the images of its 256 values. A position of two planes of 24 cells takes six
// look-ups a symmetry.
#include "search/canonical.h"

#include "base/mem.h"

#include <string.h>

// Tables larger than this would push everything else out of the cache.
#define TABLES_MOST ((size_t)1 << 20)

typedef struct CellField { // a variable that holds a cell, of 1 or 2 bytes
    int offset, width;
} CellField;

struct Canonical {
    const Game *game;
    int symmetries, words, bytes;
    uint64_t *image; // [symmetry][byte of a set][value][word]
    int *set;        // offsets of the sets of cells in a state
    int sets;
    CellField *cell;
    int cells;
};

// Numbers and players mean no place; directions, lines and what is stored for each cell are left
// to the plain key.
static bool has_image(const IrVar *v) {
    bool by_player = !v->indexed || v->index.kind == TY_PLAYER;
    IrTypeKind kind = v->type.kind;
    bool plain = kind == TY_INT || kind == TY_BOOL || kind == TY_PLAYER || kind == TY_KIND ||
                 kind == TY_SET || (kind == TY_CELL && v->width <= 2) ||
                 (kind == TY_MASK && (v->type.of == TY_PLAYER || v->type.of == TY_KIND));
    return by_player && plain;
}

static bool is_usable(const Game *g) {
    const IrGame *ir = g->ir;
    const Board *b = ir->board;
    if (b->symmetries < 2 || b->stack > 1 || b->words > 2)
        return false;
    for (int i = 0; i < ir->vars; i++)
        if (!has_image(&ir->var[i]))
            return false;
    for (int i = 0; i < ir->attrs; i++)
        if (ir->attr[i].width != 0)
            return false;
    size_t bytes = (size_t)(b->cells + 7) / 8;
    return (size_t)b->symmetries * bytes * 256 * 8 * (size_t)b->words <= TABLES_MOST;
}

static void fill_images(Canonical *c) {
    const Board *b = c->game->ir->board;
    uint64_t *out = c->image;
    for (int s = 0; s < c->symmetries; s++)
        for (int byte = 0; byte < c->bytes; byte++)
            for (int value = 0; value < 256; value++, out += c->words)
                for (int bit = 0; bit < 8; bit++) {
                    int cell = 8 * byte + bit;
                    if (!(value >> bit & 1) || cell >= b->cells)
                        continue;
                    int to = b->symmetry[s][cell];
                    out[to / 64] |= (uint64_t)1 << (to % 64);
                }
}

static void list_fields(Canonical *c) {
    const IrGame *ir = c->game->ir;
    for (int i = 0; i < ir->planes; i++)
        c->set[c->sets++] = ir->plane[i].offset;
    for (int i = 0; i < ir->attrs; i++)
        c->set[c->sets++] = ir->attr[i].offset;
    for (int i = 0; i < ir->vars; i++) {
        const IrVar *v = &ir->var[i];
        for (int k = 0; k < v->count && !v->clock; k++) {
            int offset = v->offset + v->width * k;
            if (v->type.kind == TY_SET)
                c->set[c->sets++] = offset;
            else if (v->type.kind == TY_CELL)
                c->cell[c->cells++] = (CellField){offset, v->width};
        }
    }
}

Canonical *canonical_new(const Game *game) {
    if (!is_usable(game))
        return NULL;
    Canonical *c = mem_alloc(sizeof *c);
    if (!c)
        return NULL;
    const IrGame *ir = game->ir;
    const Board *b = ir->board;
    c->game = game;
    c->symmetries = b->symmetries;
    c->words = b->words;
    c->bytes = (b->cells + 7) / 8;
    size_t entries = 0;
    for (int i = 0; i < ir->vars; i++)
        entries += (size_t)ir->var[i].count;
    size_t tables = (size_t)c->symmetries * (size_t)c->bytes * 256 * (size_t)c->words;
    c->image = mem_alloc(tables * sizeof *c->image);
    c->set = mem_alloc(sizeof *c->set * (entries + (size_t)(ir->planes + ir->attrs) + 1));
    c->cell = mem_alloc(sizeof *c->cell * (entries + 1));
    if (!c->image || !c->set || !c->cell) {
        canonical_free(c);
        return NULL;
    }
    fill_images(c);
    list_fields(c);
    return c;
}

void canonical_free(Canonical *c) {
    if (!c)
        return;
    mem_free(c->image);
    mem_free(c->set);
    mem_free(c->cell);
    mem_free(c);
}

// The same on boards of one word, as most are.
static inline void map_word(int bytes, const uint64_t *image, const uint8_t *in, uint8_t *out) {
    uint64_t from, to = 0;
    memcpy(&from, in, sizeof from);
    for (int byte = 0; byte < bytes; byte++, from >>= 8, image += 256)
        to |= image[from & 0xff];
    memcpy(out, &to, sizeof to);
}

static void map_set(const Canonical *c, const uint64_t *image, const uint8_t *in, uint8_t *out) {
    uint64_t from[2], to[2] = {0, 0};
    memcpy(from, in, sizeof *from * (size_t)c->words);
    for (int byte = 0; byte < c->bytes; byte++) {
        int value = (int)(from[byte / 8] >> (8 * (byte % 8)) & 0xff);
        const uint64_t *part = image + (size_t)(256 * byte + value) * (size_t)c->words;
        to[0] |= part[0];
        if (c->words > 1)
            to[1] |= part[1];
    }
    memcpy(out, to, sizeof *to * (size_t)c->words);
}

static void map_cell(const Canonical *c, int symmetry, CellField f, const uint8_t *in,
                     uint8_t *out) {
    const Board *b = c->game->ir->board;
    const int16_t *map = b->symmetry[symmetry]; // none, the number after the last, is its own image
    if (f.width == 1) {
        int cell = in[f.offset];
        out[f.offset] = (uint8_t)(cell <= b->cells ? map[cell] : cell);
    } else {
        uint16_t cell;
        memcpy(&cell, in + f.offset, sizeof cell);
        cell = (uint16_t)(cell <= b->cells ? map[cell] : cell);
        memcpy(out + f.offset, &cell, sizeof cell);
    }
}

uint64_t canonical_hash(const Canonical *c, const uint8_t *state) {
    uint64_t copy[IR_MAX_STATE / 8]; // aligned as states are
    uint8_t *mapped = (uint8_t *)copy;
    memcpy(mapped, state, (size_t)c->game->ir->layout.identity);
    uint64_t least = game_hash(c->game, state);
    for (int s = 1; s < c->symmetries; s++) {
        const uint64_t *image = c->image + (size_t)s * (size_t)c->bytes * 256 * (size_t)c->words;
        for (int i = 0; i < c->sets; i++)
            if (c->words == 1)
                map_word(c->bytes, image, state + c->set[i], mapped + c->set[i]);
            else
                map_set(c, image, state + c->set[i], mapped + c->set[i]);
        for (int i = 0; i < c->cells; i++)
            map_cell(c, s, c->cell[i], state, mapped);
        uint64_t hash = game_hash(c->game, mapped);
        least = hash < least ? hash : least;
    }
    return least;
}
