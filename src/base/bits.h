// bits: the few operations on words that sets of cells are made of.
#ifndef LUDENS_BITS_H
#define LUDENS_BITS_H

#include <stdint.h>

static inline int bits_count(uint64_t x) {
    return __builtin_popcountll(x);
}

// The index of the lowest set bit; x must not be 0.
static inline int bits_lowest(uint64_t x) {
    return __builtin_ctzll(x);
}

// Removes the lowest set bit of *x, which must not be 0, and returns its index.
static inline int bits_pop(uint64_t *x) {
    int i = bits_lowest(*x);
    *x &= *x - 1;
    return i;
}

// How many bits hold the numbers 0 .. n - 1: 0 for n = 0 and 1, 1 for 2, 2 for 3 and 4, ...
static inline int bits_needed(uint64_t n) {
    return n <= 1 ? 0 : 64 - __builtin_clzll(n - 1);
}

#endif
