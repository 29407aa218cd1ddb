// effects: what statements do to the board in a state.
//
// Equal positions must be equal memory, so attributes of cells without a piece are 0, and on
// boards with stacks the planes always show the top pieces. Attributes belong to the piece on
// top; a piece that comes to the top again has its defaults.
#include "vm/code.h"

#include "base/rng.h"

#include <stdio.h>
#include <string.h>

static uint64_t *plane_word(const VmProgram *p, uint8_t *s, int plane, int cell) {
    return (uint64_t *)(void *)(s + p->plane_offset[plane]) + (cell >> 6);
}

static uint64_t bit_of(int cell) {
    return (uint64_t)1 << (cell & 63);
}

int vm_plane_at(const VmProgram *p, const uint8_t *s, uint64_t cell) {
    if (cell >= (uint64_t)p->cells)
        return -1;
    for (int n = 0; n < p->planes; n++) {
        const uint64_t *plane = (const uint64_t *)(const void *)(s + p->plane_offset[n]);
        if (plane[cell >> 6] >> (cell & 63) & 1)
            return n;
    }
    return -1;
}

static void set_top(const VmProgram *p, uint8_t *s, int cell, int plane) {
    for (int n = 0; n < p->planes; n++)
        *plane_word(p, s, n, cell) &= ~bit_of(cell);
    if (plane >= 0)
        *plane_word(p, s, plane, cell) |= bit_of(cell);
}

// --- stacks: a 1, then the pieces from the bottom to the top, each in stack_bits bits ---

static uint64_t stack_get(const VmProgram *p, const uint8_t *s, uint64_t cell) {
    const IrLayout *l = &p->game->layout;
    const uint8_t *at = s + l->stack_offset + cell * (uint64_t)l->stack_width;
    switch (l->stack_width) {
    case 1: return *at;
    case 2: return *(const uint16_t *)(const void *)at;
    case 4: return *(const uint32_t *)(const void *)at;
    default: return *(const uint64_t *)(const void *)at;
    }
}

static void stack_put(const VmProgram *p, uint8_t *s, int cell, uint64_t v) {
    const IrLayout *l = &p->game->layout;
    uint8_t *at = s + l->stack_offset + cell * l->stack_width;
    switch (l->stack_width) {
    case 1: *at = (uint8_t)v; break;
    case 2: *(uint16_t *)(void *)at = (uint16_t)v; break;
    case 4: *(uint32_t *)(void *)at = (uint32_t)v; break;
    default: *(uint64_t *)(void *)at = v; break;
    }
}

static bool has_stacks(const VmProgram *p) {
    return p->game->layout.stack_width > 0;
}

static int stack_bits(const VmProgram *p) {
    return p->game->layout.stack_bits;
}

static int stack_height(const VmProgram *p, uint64_t v) {
    if (v <= 1)
        return 0;
    int length = 63 - __builtin_clzll(v); // a division takes long, and mostly it is by 1
    return stack_bits(p) == 1 ? length : length / stack_bits(p);
}

static int stack_top(const VmProgram *p, uint64_t v) {
    return v <= 1 ? -1 : (int)(v & (((uint64_t)1 << stack_bits(p)) - 1));
}

int vm_height(const VmProgram *p, const uint8_t *s, uint64_t cell) {
    if (cell >= (uint64_t)p->cells)
        return 0;
    if (!has_stacks(p))
        return vm_plane_at(p, s, cell) >= 0;
    return stack_height(p, stack_get(p, s, cell));
}

int vm_plane_in(const VmProgram *p, const uint8_t *s, uint64_t cell, int64_t level) {
    if (!has_stacks(p))
        return level == 0 ? vm_plane_at(p, s, cell) : -1;
    if (cell >= (uint64_t)p->cells)
        return -1;
    uint64_t v = stack_get(p, s, cell);
    int above = stack_height(p, v) - 1 - (int)level;
    if (level < 0 || level >= BOARD_MAX_STACK || above < 0)
        return -1;
    return (int)(v >> (above * stack_bits(p)) & (((uint64_t)1 << stack_bits(p)) - 1));
}

// --- attributes ---

static bool attr_is_set(const IrAttr *a) {
    return a->width == 0;
}

static int64_t attr_get(const IrAttr *a, const uint8_t *s, int cell) {
    const uint8_t *at = s + a->offset;
    switch (a->width) {
    case 0: return ((const uint64_t *)(const void *)at)[cell >> 6] >> (cell & 63) & 1;
    case 1: return a->lo < 0 ? ((const int8_t *)at)[cell] : at[cell];
    case 2:
        return a->lo < 0 ? ((const int16_t *)(const void *)at)[cell]
                         : ((const uint16_t *)(const void *)at)[cell];
    case 4: return ((const int32_t *)(const void *)at)[cell];
    default: return ((const int64_t *)(const void *)at)[cell];
    }
}

static void attr_put(const IrAttr *a, uint8_t *s, int cell, int64_t v) {
    uint8_t *at = s + a->offset;
    if (attr_is_set(a)) {
        uint64_t *word = (uint64_t *)(void *)at + (cell >> 6);
        *word = v ? *word | bit_of(cell) : *word & ~bit_of(cell);
        return;
    }
    switch (a->width) {
    case 1: at[cell] = (uint8_t)v; break;
    case 2: ((uint16_t *)(void *)at)[cell] = (uint16_t)v; break;
    case 4: ((uint32_t *)(void *)at)[cell] = (uint32_t)v; break;
    default: ((uint64_t *)(void *)at)[cell] = (uint64_t)v; break;
    }
}

// The attributes that a piece of this plane has; none for no piece.
static uint64_t attrs_of(const VmProgram *p, int plane) {
    return plane < 0 ? 0 : p->game->kind[p->game->plane[plane].kind].attributes;
}

// After the piece on a cell became another: `kept` attributes stay if the new one has them too.
static void fit_attrs(const VmProgram *p, uint8_t *s, int cell, uint64_t kept, int plane) {
    uint64_t has = attrs_of(p, plane);
    for (int n = 0; n < p->game->attrs; n++) {
        const IrAttr *a = &p->game->attr[n];
        if (!(has >> n & 1))
            attr_put(a, s, cell, 0);
        else if (!(kept >> n & 1))
            attr_put(a, s, cell, a->initial);
    }
}

bool vm_set_attr(Vm *vm, uint8_t *s, int attr, int cell, int64_t value) {
    const VmProgram *p = vm->p;
    const IrAttr *a = &p->game->attr[attr];
    if (!(attrs_of(p, vm_plane_at(p, s, (uint64_t)cell)) >> attr & 1))
        return true;
    if (a->type.kind == TY_INT && (value < a->lo || value > a->hi)) {
        snprintf(vm->message, sizeof vm->message, "`%s` would become %lld, outside %d..%d", a->name,
                 (long long)value, a->lo, a->hi);
        return false;
    }
    attr_put(a, s, cell, value);
    return true;
}

// --- the statements ---

static void show_stack(const VmProgram *p, uint8_t *s, int cell, uint64_t v) {
    stack_put(p, s, cell, v);
    set_top(p, s, cell, stack_top(p, v));
    fit_attrs(p, s, cell, 0, stack_top(p, v));
}

static bool too_high(Vm *vm) {
    snprintf(vm->message, sizeof vm->message, "a stack of more than %d", vm->p->game->board->stack);
    return false;
}

bool vm_place(Vm *vm, uint8_t *s, int cell, int plane) {
    const VmProgram *p = vm->p;
    if (has_stacks(p)) {
        uint64_t v = stack_get(p, s, (uint64_t)cell);
        if (stack_height(p, v) >= p->game->board->stack)
            return too_high(vm);
        show_stack(p, s, cell, v << stack_bits(p) | (uint64_t)plane);
        return true;
    }
    set_top(p, s, cell, plane);
    fit_attrs(p, s, cell, 0, plane);
    return true;
}

void vm_clear(Vm *vm, uint8_t *s, int cell) {
    const VmProgram *p = vm->p;
    if (has_stacks(p)) {
        show_stack(p, s, cell, 1);
    } else {
        set_top(p, s, cell, -1);
        fit_attrs(p, s, cell, 0, -1);
    }
}

void vm_remove(Vm *vm, uint8_t *s, int cell) {
    const VmProgram *p = vm->p;
    if (has_stacks(p)) {
        uint64_t v = stack_get(p, s, (uint64_t)cell);
        if (v > 1)
            show_stack(p, s, cell, v >> stack_bits(p));
    } else {
        vm_clear(vm, s, cell);
    }
}

void vm_change(Vm *vm, uint8_t *s, int cell, int plane) {
    const VmProgram *p = vm->p;
    int old = vm_plane_at(p, s, (uint64_t)cell);
    if (old < 0)
        return;
    if (has_stacks(p)) {
        uint64_t v = stack_get(p, s, (uint64_t)cell);
        stack_put(p, s, cell, (v >> stack_bits(p) << stack_bits(p)) | (uint64_t)plane);
    }
    set_top(p, s, cell, plane);
    fit_attrs(p, s, cell, attrs_of(p, old), plane);
}

void vm_move(Vm *vm, uint8_t *s, int from, int to) {
    const VmProgram *p = vm->p;
    if (has_stacks(p)) {
        vm_move_stack(vm, s, from, to, vm_height(p, s, (uint64_t)from) - 1);
        return;
    }
    set_top(p, s, to, vm_plane_at(p, s, (uint64_t)from));
    set_top(p, s, from, -1);
    for (int n = 0; n < p->game->attrs; n++) {
        const IrAttr *a = &p->game->attr[n];
        attr_put(a, s, to, attr_get(a, s, from));
        attr_put(a, s, from, 0);
    }
}

bool vm_move_stack(Vm *vm, uint8_t *s, int from, int to, int64_t level) {
    const VmProgram *p = vm->p;
    if (!has_stacks(p)) {
        if (level <= 0)
            vm_move(vm, s, from, to);
        return true;
    }
    uint64_t lower = stack_get(p, s, (uint64_t)from);
    uint64_t under = stack_get(p, s, (uint64_t)to);
    int64_t n = stack_height(p, lower) - (level > 0 ? level : 0);
    if (n <= 0)
        return true;
    if (stack_height(p, under) + n > p->game->board->stack)
        return too_high(vm);
    int shift = (int)n * stack_bits(p);
    show_stack(p, s, to, under << shift | (lower & (((uint64_t)1 << shift) - 1)));
    show_stack(p, s, from, lower >> shift);
    return true;
}

// Deals the first `count` cards of a shuffle (Fisher and Yates) of the members in ascending
// order, with the generator of base/rng.h: the same seed gives the same cells everywhere.
bool vm_scatter(Vm *vm, uint8_t *s, const uint64_t *set, int64_t wanted, int plane, uint64_t seed) {
    int cell[BOARD_MAX_CELLS];
    int n = 0;
    for (int w = 0; w < vm->p->words; w++)
        for (uint64_t left = set[w]; left;)
            cell[n++] = 64 * w + bits_pop(&left);
    if (wanted > n) {
        snprintf(vm->message, sizeof vm->message, "there are only %d cells for %lld pieces", n,
                 (long long)wanted);
        return false;
    }
    Rng rng;
    rng_seed(&rng, seed);
    for (int k = 0; k < wanted; k++) {
        int other = k + (int)rng_below(&rng, (uint64_t)(n - k));
        int chosen = cell[other];
        cell[other] = cell[k];
        if (!vm_place(vm, s, chosen, plane))
            return false;
    }
    return true;
}
