// rng: random numbers that are the same on every machine for the same seed.
//
// xoshiro256** by Blackman and Vigna, seeded through splitmix64; both are in the public domain.
// An Rng is a plain value: copy it to repeat a sequence. Not for secrets.
#ifndef LUDENS_RNG_H
#define LUDENS_RNG_H

#include <stdint.h>

typedef struct Rng {
    uint64_t s[4];
} Rng;

// One step of splitmix64: turns neighbouring values of *x into unrelated ones. Also good as a
// mixer of hash values.
static inline uint64_t rng_splitmix(uint64_t *x) {
    uint64_t z = *x += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline void rng_seed(Rng *r, uint64_t seed) {
    for (int i = 0; i < 4; i++)
        r->s[i] = rng_splitmix(&seed);
}

static inline uint64_t rng_rotate(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t rng_next(Rng *r) {
    uint64_t *s = r->s;
    uint64_t result = rng_rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rng_rotate(s[3], 45);
    return result;
}

// A number in 0 .. n - 1, each equally likely; 0 for n = 0. Below 2^32 it takes one
// multiplication and hardly ever a division (Lemire 2019), since playouts live on it.
static inline uint64_t rng_below(Rng *r, uint64_t n) {
    if (n <= UINT32_MAX) {
        uint32_t bound = (uint32_t)n;
        uint64_t product = (rng_next(r) >> 32) * bound;
        if ((uint32_t)product < bound) {
            uint32_t threshold = (uint32_t)(0u - bound) % bound;
            while ((uint32_t)product < threshold)
                product = (rng_next(r) >> 32) * bound;
        }
        return product >> 32;
    }
    uint64_t threshold = (0 - n) % n;
    uint64_t x;
    do
        x = rng_next(r);
    while (x < threshold);
    return x % n;
}

#endif
