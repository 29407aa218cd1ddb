// learned_fast_lines: what lines weigh, looked up 32 at a time; see learned_fast.h.
//
// The number of own pieces on a line, a byte, is the place in a table of 16 bytes that holds what
// such a line weighs: one instruction looks 32 lines up. Weights have two bytes, so there are two
// tables, and their bytes are added up by an instruction that adds eight at a time.
#include "search/learned_fast.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#include <string.h>

#define WIDE __attribute__((target("avx2,bmi")))
#define INLINE WIDE static inline __attribute__((always_inline))

bool learned_fast_can_look(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
}

INLINE uint64_t set_of(const LearnedFast *f, int owner, const uint8_t *state, int word) {
    uint64_t set = 0, one;
    for (int i = f->owner_begin[owner]; i < f->owner_begin[owner + 1]; i++) {
        memcpy(&one, state + f->owner_plane[i] + 8 * word, sizeof one);
        set |= one;
    }
    return set;
}

typedef struct Four { // vectors; named one by one, they stay in registers
    __m256i a, b, c, d;
} Four;

// How many pieces of an owner are on each line of `n` vectors, at most 4; `n` and `stride` are
// constants where it matters.
INLINE Four count_lines(const LearnedFast *f, int n, int stride, int owner, const uint8_t *state,
                        int first) {
    __m256i zero = _mm256_setzero_si256(), a = zero, b = zero, c = zero, d = zero;
    const Lanes *row = f->lines + first;
    for (int cell = 0; cell < f->cells;) {
        uint64_t word = set_of(f, owner, state, cell / 64);
        int end = f->cells < cell + 64 ? f->cells : cell + 64;
        for (; cell < end; cell += 4, word >>= 4, row += 16 * stride) {
            const Lanes *add = row + (word & 15) * (unsigned)stride;
            a = _mm256_add_epi8(a, (__m256i)add[0]);
            if (n > 1)
                b = _mm256_add_epi8(b, (__m256i)add[1]);
            if (n > 2)
                c = _mm256_add_epi8(c, (__m256i)add[2]);
            if (n > 3)
                d = _mm256_add_epi8(d, (__m256i)add[3]);
        }
    }
    return (Four){a, b, c, d};
}

// What the lines of a vector weigh, added to low and high bytes.
INLINE void look_up(const FastLook *look, __m256i first, __m256i second, __m256i *low,
                    __m256i *high) {
    __m256i zero = _mm256_setzero_si256(), shut = _mm256_set1_epi8(FAST_SHUT);
    __m256i no_first = _mm256_cmpeq_epi8(first, zero), no_second = _mm256_cmpeq_epi8(second, zero);
    __m256i at = _mm256_or_si256(first, _mm256_andnot_si256(no_second, shut));
    __m256i at_2 = _mm256_or_si256(second, _mm256_andnot_si256(no_first, shut));
    __m256i down = _mm256_sad_epu8(_mm256_shuffle_epi8((__m256i)look[0].low, at), zero);
    __m256i up = _mm256_sad_epu8(_mm256_shuffle_epi8((__m256i)look[0].high, at), zero);
    __m256i down_2 = _mm256_sad_epu8(_mm256_shuffle_epi8((__m256i)look[1].low, at_2), zero);
    __m256i up_2 = _mm256_sad_epu8(_mm256_shuffle_epi8((__m256i)look[1].high, at_2), zero);
    *low = _mm256_add_epi64(*low, _mm256_add_epi64(down, down_2));
    *high = _mm256_add_epi64(*high, _mm256_add_epi64(up, up_2));
}

INLINE __m256i look_some(const LearnedFast *f, int n, int stride, const uint8_t *state, int first) {
    Four own = count_lines(f, n, stride, 0, state, first);
    Four other = count_lines(f, n, stride, 1, state, first);
    const FastLook *look = f->look + 2 * first;
    __m256i low = _mm256_setzero_si256(), high = low;
    look_up(look, own.a, other.a, &low, &high);
    if (n > 1)
        look_up(look + 2, own.b, other.b, &low, &high);
    if (n > 2)
        look_up(look + 4, own.c, other.c, &low, &high);
    if (n > 3)
        look_up(look + 6, own.d, other.d, &low, &high);
    return _mm256_add_epi64(low, _mm256_slli_epi64(high, 8));
}

INLINE __m256i look_at(const LearnedFast *f, const uint8_t *state) {
    __m256i sum = _mm256_setzero_si256();
    switch (f->vectors) {
    case 1: return look_some(f, 1, 1, state, 0);
    case 2: return look_some(f, 2, 2, state, 0);
    case 3: return look_some(f, 3, 3, state, 0);
    case 4: return look_some(f, 4, 4, state, 0);
    default:
        for (int v = 0; v < f->vectors; v++)
            sum = _mm256_add_epi64(sum, look_some(f, 1, f->vectors, state, v));
    }
    return sum;
}

WIDE void learned_fast_look(const LearnedFast *f, const uint8_t *states, int n, int64_t *sums) {
    int64_t zero = (int64_t)2 * LANES * f->vectors * FAST_ZERO;
    for (int i = 0; i < n; i++, states += f->state_size) {
        __m256i sum = look_at(f, states);
        __m128i half = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
        sums[i] += _mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1) - zero;
    }
}
#else
bool learned_fast_can_look(void) {
    return false;
}

void learned_fast_look(const LearnedFast *f, const uint8_t *states, int n, int64_t *sums) {
    (void)f, (void)states, (void)n, (void)sums;
}
#endif
