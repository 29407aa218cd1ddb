// prove_key: a hash of what tells positions apart, the same for all mirror images of a position
// that the rules declare to be equal.
//
// Everything in a state that has to do with cells is carried along: planes, stacks, sets, cells in
// variables, what is stored for each cell. A state with directions or lines in it is taken as it
// is.
#include "search/prove_parts.h"

#include "base/bits.h"
#include "base/mem.h"

#include <string.h>

typedef struct CellField { // stored for each cell
    int offset, width;
} CellField;

struct Keyer {
    const IrGame *ir;
    size_t bytes; // that are hashed
    int symmetries;
    int *sets; // offsets of sets of cells
    int set_count;
    CellField *fields;
    int field_count;
    CellField *cells; // numbers that are cells
    int cell_count;
    uint64_t *image, *best;
};

static bool is_turned(IrType t) { // its values change in a mirror, in a way not known here
    IrTypeKind k = t.kind == TY_MASK ? t.of : t.kind;
    return k == TY_DIRECTION || k == TY_LINE;
}

static bool add_variable(Keyer *k, const IrVar *v) {
    if (v->clock)
        return true;
    if (is_turned(v->type) || (v->indexed && is_turned(v->index)) ||
        (v->type.kind == TY_MASK && v->type.of == TY_CELL))
        return false;
    bool by_cell = v->indexed && v->index.kind == TY_CELL;
    if (by_cell && (v->type.kind == TY_CELL || v->type.kind == TY_SET))
        return false;
    if (by_cell) {
        if (v->index_base != 0 || v->count < k->ir->board->cells)
            return false;
        k->fields[k->field_count++] = (CellField){v->offset, v->width};
        return true;
    }
    for (int i = 0; i < v->count; i++) {
        int at = v->offset + i * v->width;
        if (v->type.kind == TY_SET)
            k->sets[k->set_count++] = at;
        else if (v->type.kind == TY_CELL)
            k->cells[k->cell_count++] = (CellField){at, v->width};
    }
    return true;
}

static bool find_fields(Keyer *k) {
    const IrGame *ir = k->ir;
    for (int i = 0; i < ir->planes; i++)
        k->sets[k->set_count++] = ir->plane[i].offset;
    for (int i = 0; i < ir->attrs; i++) {
        const IrAttr *a = &ir->attr[i];
        if (is_turned(a->type) || a->type.kind == TY_CELL)
            return false;
        if (a->width == 0)
            k->sets[k->set_count++] = a->offset;
        else
            k->fields[k->field_count++] = (CellField){a->offset, a->width};
    }
    if (ir->board->stack > 1)
        k->fields[k->field_count++] = (CellField){ir->layout.stack_offset, ir->layout.stack_width};
    for (int i = 0; i < ir->vars; i++)
        if (!add_variable(k, &ir->var[i]))
            return false;
    return true;
}

Keyer *keyer_new(const Prover *p) {
    const IrGame *ir = p->game->ir;
    Keyer *k = mem_alloc(sizeof *k);
    if (!k)
        return NULL;
    int entries = ir->planes + ir->attrs + 1;
    for (int i = 0; i < ir->vars; i++)
        entries += ir->var[i].count > 0 ? ir->var[i].count : 1;
    *k = (Keyer){.ir = ir, .bytes = p->identity};
    k->sets = mem_alloc(sizeof(int) * (size_t)entries);
    k->fields = mem_alloc(sizeof(CellField) * (size_t)entries);
    k->cells = mem_alloc(sizeof(CellField) * (size_t)entries);
    k->image = mem_alloc(p->size);
    k->best = mem_alloc(p->size);
    if (!k->sets || !k->fields || !k->cells || !k->image || !k->best) {
        keyer_free(k);
        return NULL;
    }
    k->symmetries = find_fields(k) ? ir->board->symmetries : 0;
    return k;
}

void keyer_free(Keyer *k) {
    if (!k)
        return;
    mem_free(k->sets);
    mem_free(k->fields);
    mem_free(k->cells);
    mem_free(k->image);
    mem_free(k->best);
    mem_free(k);
}

static void turn_set(const Keyer *k, const int16_t *map, const uint8_t *from, uint8_t *to) {
    int words = k->ir->board->words;
    uint64_t in[BOARD_MAX_WORDS], out[BOARD_MAX_WORDS] = {0};
    memcpy(in, from, 8 * (size_t)words);
    for (int w = 0; w < words; w++)
        while (in[w]) {
            int c = map[64 * w + bits_pop(&in[w])];
            out[c / 64] |= (uint64_t)1 << c % 64;
        }
    memcpy(to, out, 8 * (size_t)words);
}

static void turn_cell(const Keyer *k, const int16_t *map, CellField f, const uint8_t *from,
                      uint8_t *to) {
    uint16_t value = 0;
    if (f.width > 2)
        return;
    memcpy(&value, from + f.offset, (size_t)f.width); // the machine is little-endian
    value = value <= k->ir->board->cells ? (uint16_t)map[value] : value;
    memcpy(to + f.offset, &value, (size_t)f.width);
}

static void turn(const Keyer *k, const int16_t *map, const uint8_t *from, uint8_t *to) {
    memcpy(to, from, k->bytes);
    for (int i = 0; i < k->set_count; i++)
        turn_set(k, map, from + k->sets[i], to + k->sets[i]);
    for (int i = 0; i < k->field_count; i++) {
        size_t width = (size_t)k->fields[i].width;
        for (int c = 0; c < k->ir->board->cells; c++)
            memcpy(to + k->fields[i].offset + width * (size_t)map[c],
                   from + k->fields[i].offset + width * (size_t)c, width);
    }
    for (int i = 0; i < k->cell_count; i++)
        turn_cell(k, map, k->cells[i], from, to);
}

ProveKey keyer_key(Keyer *k, const uint8_t *state) {
    memcpy(k->best, state, k->bytes);
    for (int s = 1; s < k->symmetries; s++) {
        turn(k, k->ir->board->symmetry[s], state, (uint8_t *)k->image);
        if (memcmp(k->image, k->best, k->bytes) < 0) {
            uint64_t *better = k->image;
            k->image = k->best;
            k->best = better;
        }
    }
    ProveKey key = {0x243f6a8885a308d3u, 0x13198a2e03707344u};
    for (size_t i = 0; i < k->bytes / 8; i++) {
        ProveKey word = prove_key_of(k->best[i], i);
        key.a = prove_mix(key.a * 3 ^ word.a);
        key.b = prove_mix(key.b * 5 + word.b);
    }
    return key;
}
