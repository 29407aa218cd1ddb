// positions: see positions.h for the contract.
#include "cli/positions.h"

#include <string.h>

static bool make_mask(Store *s, bool merge) {
    const IrGame *ir = s->game->ir;
    const IrLayout *l = &ir->layout;
    uint8_t *mask = (uint8_t *)s->mask;
    if (!merge) {
        memset(mask, 0xff, (size_t)l->identity);
        if (l->mask)
            memcpy(mask, l->mask, (size_t)l->identity);
        return true;
    }
    Arena arena;
    jmp_buf recovery;
    arena_init(&arena, &recovery);
    if (setjmp(recovery)) {
        arena_free(&arena);
        return false;
    }
    bool *silent = ARENA_ARRAY(&arena, bool, ir->vars + 1);
    ir_silent(ir, &arena, silent);
    memset(mask, 0xff, (size_t)l->size);
    for (int i = 0; i < ir->vars; i++)
        if (silent[i])
            memset(mask + ir->var[i].offset, 0, (size_t)(ir->var[i].width * ir->var[i].count));
    arena_free(&arena);
    return true;
}

bool positions_open(Store *s, const Game *g, bool merge, int64_t megabytes) {
    *s = (Store){.game = g, .limit = (size_t)megabytes << 20};
    s->mask = mem_alloc((size_t)game_state_size(g));
    return s->mask && make_mask(s, merge);
}

void positions_close(Store *s) {
    mem_free(s->mask);
    *s = (Store){0};
}

int store_full(const Store *s, int depth) {
    cli_error("depth %d takes more than %zu MB of memory; --memory MB allows more", depth,
              s->limit >> 20);
    return EXIT_INPUT;
}

// Memory that grows from one size to another, within the limit; NULL if it cannot.
static void *grown(Store *s, void *old, size_t from, size_t to) {
    if (s->bytes - from + to > s->limit)
        return NULL;
    void *p = mem_resize(old, to);
    if (p)
        s->bytes = s->bytes - from + to;
    return p;
}

// --- sets ---

static void key_of(const Store *s, const uint8_t *state, uint64_t key[2]) {
    uint64_t a = UINT64_C(0x9E3779B97F4A7C15), b = UINT64_C(0xC2B2AE3D27D4EB4F);
    int words = game_state_size(s->game) / 8;
    for (int i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, state + 8 * i, sizeof word);
        word &= s->mask[i];
        a = (a ^ word) * UINT64_C(0xD6E8FEB86659FD93);
        a ^= a >> 32;
        b = (b + word) * UINT64_C(0xA0761D6478BD642F);
        b ^= b >> 29;
    }
    key[0] = (a ^ (a >> 31)) * UINT64_C(0xE7037ED1A0B428DB);
    key[1] = (b ^ (b >> 32)) * UINT64_C(0x8EBC6AF09C88C6E3);
    key[0] ^= key[0] >> 29;
    key[1] ^= key[1] >> 31;
}

// The slot where a key is or belongs.
static size_t slot_of(const Positions *p, const uint64_t key[2]) {
    size_t at = (size_t)key[0] & (p->slots - 1);
    while (p->slot[at] && memcmp(p->key[p->slot[at] - 1], key, sizeof *p->key) != 0)
        at = (at + 1) & (p->slots - 1);
    return at;
}

static bool grow_slots(Store *s, Positions *p) {
    size_t slots = p->slots ? 2 * p->slots : 1024;
    // The old ones are not needed any more: what counts is in `key`.
    uint32_t *fresh = grown(s, NULL, p->slots * sizeof *fresh, slots * sizeof *fresh);
    if (!fresh)
        return false;
    mem_free(p->slot);
    memset(fresh, 0, slots * sizeof *fresh);
    p->slot = fresh;
    p->slots = slots;
    for (size_t i = 0; i < p->count; i++)
        p->slot[slot_of(p, p->key[i])] = (uint32_t)(i + 1);
    return true;
}

static bool grow_keys(Store *s, Positions *p) {
    size_t cap = p->cap ? 2 * p->cap : 512;
    void *key = grown(s, p->key, p->cap * sizeof *p->key, cap * sizeof *p->key);
    if (!key)
        return false;
    p->key = key;
    p->cap = cap;
    return true;
}

PositionsStatus positions_add(Store *s, Positions *p, const uint8_t *state, size_t *index) {
    uint64_t key[2];
    if (p->slots < 2 * (p->count + 1) && !grow_slots(s, p))
        return POSITION_NO_MEMORY;
    key_of(s, state, key);
    size_t at = slot_of(p, key);
    if (p->slot[at]) {
        *index = p->slot[at] - 1;
        return POSITION_KNOWN;
    }
    if (p->count == UINT32_MAX - 1 || (p->count == p->cap && !grow_keys(s, p)))
        return POSITION_NO_MEMORY;
    memcpy(p->key[p->count], key, sizeof key);
    *index = p->count++;
    p->slot[at] = (uint32_t)p->count;
    return POSITION_NEW;
}

void positions_free(Store *s, Positions *p) {
    s->bytes -= p->cap * sizeof *p->key + p->slots * sizeof *p->slot;
    mem_free(p->key);
    mem_free(p->slot);
    *p = (Positions){0};
}

// --- layers ---

bool layer_add(Store *s, Layer *l, const uint8_t *state, uint64_t number) {
    size_t size = (size_t)game_state_size(s->game);
    if (l->count == l->cap) {
        size_t cap = l->cap ? 2 * l->cap : 256;
        uint8_t *states = grown(s, l->states, l->cap * size, cap * size);
        if (!states)
            return false;
        l->states = states;
        uint64_t *numbers = grown(s, l->number, l->cap * sizeof *numbers, cap * sizeof *numbers);
        if (!numbers) {
            s->bytes -= (cap - l->cap) * size; // cap stays: that is what is given back later
            return false;
        }
        l->number = numbers;
        l->cap = cap;
    }
    memcpy(l->states + l->count * size, state, size);
    l->number[l->count++] = number;
    return true;
}

void layer_free(Store *s, Layer *l) {
    s->bytes -= l->cap * ((size_t)game_state_size(s->game) + sizeof *l->number);
    mem_free(l->states);
    mem_free(l->number);
    *l = (Layer){0};
}

// --- moves ---

bool moves_copy(Moves *m, const Move *moves, int count) {
    if (count > m->cap) {
        Move *list = mem_resize(m->list, sizeof *list * (size_t)count);
        if (!list)
            return false;
        m->list = list;
        m->cap = count;
    }
    for (int i = 0; i < count; i++)
        m->list[i] = moves[i];
    return true;
}

void moves_free(Moves *m) {
    mem_free(m->list);
    *m = (Moves){0};
}
