// baseline: the yardstick. Six games, one file each, every one written by hand for that game alone.
//
// A playout plays one game from the start, every legal move equally likely. perft counts sequences
// of moves: it makes every move but the last of a sequence, and counts the last ones. This is the
// yardstick. perft_two goes further and does not make the last two: it counts them for many moves
// at a time, which is another kind of count. There are no tables of positions, no symmetry and no
// two games at a time: what is measured is how fast one game goes. Written for x86-64 with BMI2 and
// AVX2 or AVX-512; elsewhere right, but slow.
#ifndef LUDENS_BASELINE_H
#define LUDENS_BASELINE_H

#include <stdint.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

typedef struct Baseline {
    const char *name;
    uint64_t (*perft)(int depth);     // sequences of `depth` moves from the start; depth >= 1
    uint64_t (*perft_two)(int depth); // the same number; NULL if there is no such count
    int (*playout)(uint64_t *rng);    // one random game: how many plies, forced passes among them
    // For the check: sequences from a position late in the game; NULL if the start shows all.
    uint64_t (*perft_late)(int depth);
} Baseline;

extern const Baseline baseline_breakthrough, baseline_byte, baseline_connect_four,
    baseline_domineering, baseline_mill, baseline_reversi;

__extension__ typedef unsigned __int128 Uint128;

// wyrand by Wang Yi, public domain. Only one addition depends on the number before: the rest runs
// ahead of the game, and a playout is one long chain of dependencies, so that it costs nothing.
static inline uint64_t random_next(uint64_t *rng) {
    *rng += 0xA0761D6478BD642Fu;
    Uint128 product = (Uint128)*rng * (*rng ^ 0xE7037ED1A0B428DBu);
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

// A number in 0 .. n - 1 from a random one, which keeps the randomness that is left. Uniform to
// within n / 2^64, or the product of all n if several are taken.
static inline uint64_t random_share(uint64_t *random, uint64_t n) {
    Uint128 product = (Uint128)*random * n;
    *random = (uint64_t)product;
    return (uint64_t)(product >> 64);
}

static inline uint64_t random_below(uint64_t *rng, uint64_t n) {
    uint64_t random = random_next(rng);
    return random_share(&random, n);
}

static inline uint64_t bit_count(uint64_t set) {
    return (unsigned)__builtin_popcountll(set);
}

// The index of the lowest member of a set that is not empty.
static inline unsigned bit_index(uint64_t set) {
    return (unsigned)__builtin_ctzll(set);
}

static inline uint64_t bit_lowest(uint64_t set) {
    return set & (0 - set);
}

// Ranks become members: bit k of `ranks` turns into the k-th member of `set`, or nothing if there
// are not so many.
static inline uint64_t bit_deposit(uint64_t ranks, uint64_t set) {
#ifdef __BMI2__
    return _pdep_u64(ranks, set);
#else
    uint64_t found = 0;
    for (; set && ranks; set &= set - 1, ranks >>= 1)
        found |= ranks & 1 ? bit_lowest(set) : 0;
    return found;
#endif
}

// The k-th member of a set, k < 64.
static inline uint64_t bit_pick(uint64_t set, uint64_t k) {
    return bit_deposit((uint64_t)1 << k, set);
}

static inline uint64_t bit_draw(uint64_t set, uint64_t *rng) {
    return bit_pick(set, random_below(rng, bit_count(set)));
}

#endif
