// bits: the few operations on words that sets of cells are made of.
#ifndef LUDENS_BITS_H
#define LUDENS_BITS_H

#include <stdint.h>

// Without an instruction for it the compiler would call a function for every word.
static inline int bits_count(uint64_t x) {
#ifdef __POPCNT__
    return __builtin_popcountll(x);
#else
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)(x * UINT64_C(0x0101010101010101) >> 56);
#endif
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
