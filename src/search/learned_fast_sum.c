// learned_fast_sum: evaluates by the tables of learned_fast.c.
#include "base/bits.h"
#include "search/learned_fast.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t load_word(const uint8_t *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

INLINE int64_t load_number(const uint8_t *at, int width, bool sign) {
    uint16_t w2;
    uint32_t w4;
    switch (width) {
    case 1: return sign ? (int8_t)*at : *at;
    case 2: memcpy(&w2, at, sizeof w2); return sign ? (int16_t)w2 : w2;
    case 4: memcpy(&w4, at, sizeof w4); return sign ? (int64_t)(int32_t)w4 : (int64_t)w4;
    default: return (int64_t)load_word(at);
    }
}

INLINE int64_t sum_bytes(const int32_t *table, uint64_t word, int bytes) {
    int64_t sum = 0;
    for (int byte = 0; byte < bytes; byte++, word >>= 8, table += 256)
        sum += table[word & 0xff];
    return sum;
}

INLINE int64_t sum_table(const LearnedFast *f, const FastPlane *p, const uint8_t *state) {
    const uint8_t *set = state + p->offset;
    switch (f->bytes) { // the sizes of many boards, without a loop
    case 3: return sum_bytes(p->table, load_word(set), 3);
    case 6: return sum_bytes(p->table, load_word(set), 6);
    case 8: return sum_bytes(p->table, load_word(set), 8);
    default: break;
    }
    int64_t sum = 0;
    for (int byte = 0; byte < f->bytes; byte += 8)
        sum += sum_bytes(p->table + 256 * byte, load_word(set + byte),
                         f->bytes - byte < 8 ? f->bytes - byte : 8);
    return sum;
}

INLINE int64_t sum_pieces(const LearnedFast *f, const FastPlane *p, const uint8_t *state) {
    int64_t sum = 0;
    for (int w = 0; w < f->words; w++) {
        uint64_t word = load_word(state + p->offset + 8 * w);
        while (word) {
            int cell = 64 * w + bits_pop(&word);
            sum += p->cell[cell];
            if (p->height) {
                uint64_t stack = (uint64_t)load_number(state + f->stack_at + cell * f->stack_width,
                                                       f->stack_width, false);
                sum += p->height[63 - __builtin_clzll(stack | 1)];
            }
        }
    }
    return sum;
}

INLINE int64_t sum_attribute(const LearnedFast *f, const FastNumber *a, const uint8_t *state) {
    int64_t sum = 0;
    for (int w = 0; w < f->words; w++) {
        uint64_t word = load_word(state + a->plane + 8 * w);
        if (a->width == 0)
            word &= load_word(state + a->offset + 8 * w);
        while (word) {
            int cell = 64 * w + bits_pop(&word);
            sum += a->width == 0
                       ? 1
                       : (int)load_number(state + a->offset + cell * a->width, a->width, a->sign);
        }
    }
    return sum * a->weight;
}

// Some vectors of the counts of all lines: `n`, at most 4, and `stride` are constants where it
// matters, so that the sums stay in registers.
INLINE void count_some(const LearnedFast *f, int n, int stride, const uint64_t *set, int first,
                       Lanes *count) {
    Lanes a = {0}, b = {0}, c = {0}, d = {0};
    const Lanes *row = f->lines + first;
    for (int cell = 0; cell < f->cells;) {
        uint64_t word = set[cell / 64];
        int end = f->cells < cell + 64 ? f->cells : cell + 64;
        for (; cell < end; cell += 4, word >>= 4, row += 16 * stride) {
            const Lanes *add = row + (word & 15) * (unsigned)stride;
            a += add[0];
            if (n > 1)
                b += add[1];
            if (n > 2)
                c += add[2];
            if (n > 3)
                d += add[3];
        }
    }
    count[first] = a;
    if (n > 1)
        count[first + 1] = b;
    if (n > 2)
        count[first + 2] = c;
    if (n > 3)
        count[first + 3] = d;
}

// How many pieces of an owner stand on each line.
INLINE void count_lines(const LearnedFast *f, int owner, const uint8_t *state, Lanes *count) {
    uint64_t set[BOARD_MAX_CELLS / 64];
    for (int w = 0; w < f->words; w++) {
        set[w] = 0;
        for (int i = f->owner_begin[owner]; i < f->owner_begin[owner + 1]; i++)
            set[w] |= load_word(state + f->owner_plane[i] + 8 * w);
    }
    if (f->lines) {
        switch (f->vectors) {
        case 1: count_some(f, 1, 1, set, 0, count); break;
        case 2: count_some(f, 2, 2, set, 0, count); break;
        case 3: count_some(f, 3, 3, set, 0, count); break;
        case 4: count_some(f, 4, 4, set, 0, count); break;
        default:
            for (int v = 0; v < f->vectors; v++)
                count_some(f, 1, f->vectors, set, v, count);
        }
        return;
    }
    memset(count, 0, sizeof *count * (size_t)f->vectors);
    for (int w = 0; w < f->words; w++)
        while (set[w]) {
            int cell = 64 * w + bits_pop(&set[w]);
            for (int i = f->first[cell]; i < f->first[cell + 1]; i++)
                ((uint8_t *)count)[f->through[i]]++;
        }
}

typedef uint32_t Fours __attribute__((vector_size(LANES))); // lanes, four together

INLINE int64_t sum_fours(const Fours *x) {
    int64_t sum = 0;
    for (int i = 0; i < LANES / 4; i++)
        sum += (int32_t)(*x)[i];
    return sum;
}

INLINE void add_lines(const LearnedFast *f, const uint8_t *state, int64_t *sums) {
    Lanes count[IR_MAX_PLAYERS + 1][VECTORS_MOST], all[VECTORS_MOST];
    for (int owner = 0; owner < f->owners; owner++)
        count_lines(f, owner, state, count[owner]);
    for (int v = 0; v < f->vectors; v++) {
        all[v] = count[0][v];
        for (int owner = 1; owner < f->owners; owner++)
            all[v] += count[owner][v];
    }
    Fours sum = {0};
    for (int i = 0; i < f->weighs; i++) {
        const FastLines *lines = &f->weigh[i];
        Lanes own = (Lanes){0} + lines->own, found = {0};
        for (int v = lines->begin; v < lines->end; v++)
            found -= (Lanes)((all[v] == own) & (count[lines->player][v] == own));
        Fours n = (Fours)found; // at most VECTORS_MOST in a byte
        n = (n & 0x00ff00ff) + (n >> 8 & 0x00ff00ff);
        n = (n & 0xffff) + (n >> 16);
        sum += n * (uint32_t)lines->weight;
        if (lines->last) {
            sums[lines->to] += sum_fours(&sum);
            sum = (Fours){0};
        }
    }
}

INLINE void add_moves(const LearnedFast *f, Runner *r, const uint8_t *states, int n,
                      int64_t *sums) {
    int32_t moves[LEARNED_EACH * IR_MAX_PLAYERS];
    int players = f->players;
    runner_counts(r, states, n, moves);
    for (int i = 0; i < n; i++)
        for (int p = 0; p < players; p++) {
            int32_t most = LEARNED_MOVES_MOST, count = moves[players * i + p];
            sums[f->sums > 1 ? p : i] += (int64_t)f->mobility[p] * (count < most ? count : most);
        }
}

// With two players `n` states, otherwise one.
INLINE void add_all(const LearnedFast *f, Runner *r, const uint8_t *states, int n, int64_t *sums) {
    const uint8_t *state = states;
    for (int i = 0; i < n; i++, state += f->state_size, sums += f->sums) {
        for (int k = 0; k < f->sums; k++) // mostly one: a call of memcpy takes longer
            sums[k] = f->constant[state[f->player_at] * f->sums + k];
        for (int k = 0; k < f->planes; k++) {
            const FastPlane *p = &f->plane[k];
            sums[p->to] += p->table ? sum_table(f, p, state) : sum_pieces(f, p, state);
        }
        for (int k = 0; k < f->attributes; k++)
            sums[f->attribute[k].to] += sum_attribute(f, &f->attribute[k], state);
        for (int k = 0; k < f->variables; k++) {
            const FastNumber *v = &f->variable[k];
            sums[v->to] +=
                (int64_t)v->weight * (int)load_number(state + v->offset, v->width, v->sign);
        }
        if (f->vectors && !f->look)
            add_lines(f, state, sums);
    }
    sums -= n * f->sums;
    if (f->look)
        learned_fast_look(f, states, n, sums);
    if (f->moves)
        add_moves(f, r, states, n, sums);
}

static void sum_plain(const LearnedFast *f, Runner *r, const uint8_t *states, int n,
                      int64_t *sums) {
    add_all(f, r, states, n, sums);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2,bmi"))) static void
sum_wide(const LearnedFast *f, Runner *r, const uint8_t *states, int n, int64_t *sums) {
    add_all(f, r, states, n, sums);
}

FastSum *learned_fast_sum(void) {
    bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
    return wide ? sum_wide : sum_plain;
}
#else
FastSum *learned_fast_sum(void) {
    return sum_plain;
}
#endif

void learned_fast_sums(const LearnedFast *f, Runner *r, const uint8_t *state, int64_t *sums) {
    f->sum(f, r, state, 1, sums);
}

void learned_fast_each(const LearnedFast *f, Runner *r, const uint8_t *states, int n,
                       int64_t *sums) {
    f->sum(f, r, states, n, sums);
}
