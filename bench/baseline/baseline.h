// baseline: the yardstick. One game per file, written by hand for that game alone.
//
// Playouts play one game at a time from the start, every legal move equally likely; perft counts
// move sequences, those of the last ply in bulk, without tables of positions and without
// symmetry. Meant for x86-64 with BMI2 and AVX2; elsewhere it is right, but slower.
#ifndef LUDENS_BASELINE_H
#define LUDENS_BASELINE_H

#include <stdint.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef struct Baseline {
    const char *name;
    uint64_t (*perft)(int depth);   // move sequences of that length from the start, depth >= 1
    int (*playout)(uint64_t *rng);  // one random game; its plies, forced passes among them
} Baseline;

extern const Baseline baseline_breakthrough, baseline_byte, baseline_connect_four,
    baseline_domineering, baseline_mill, baseline_reversi;

__extension__ typedef unsigned __int128 uint128;

// Random numbers: wyrand by Wang Yi, public domain. Only the addition depends on the number
// before, so the multiplications run ahead of the game, which is one long chain of dependencies.
static inline uint64_t random_next(uint64_t *rng) {
    *rng += 0xA0761D6478BD642Fu;
    uint128 product = (uint128)*rng * (*rng ^ 0xE7037ED1A0B428DBu);
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

// The share of `random` in 0 .. n - 1. No number is likelier than another by more than n / 2^64.
static inline uint64_t random_scale(uint64_t random, uint64_t n) {
    return (uint64_t)(((uint128)random * n) >> 64);
}

static inline uint64_t random_below(uint64_t *rng, uint64_t n) {
    return random_scale(random_next(rng), n);
}

static inline uint64_t bit_count(uint64_t set) {
    return (unsigned)__builtin_popcountll(set);
}

static inline unsigned bit_index(uint64_t set) {
    return (unsigned)__builtin_ctzll(set);
}

// The members of `set` at the places that are set in `ranks`: for ranks = 1 << k the k-th, or
// none if it has no more than k.
static inline uint64_t bit_deposit(uint64_t ranks, uint64_t set) {
#ifdef __BMI2__
    return _pdep_u64(ranks, set);
#else
    uint64_t found = 0;
    for (; set && ranks; set &= set - 1, ranks >>= 1)
        if (ranks & 1)
            found |= set & (0 - set);
    return found;
#endif
}

#endif
