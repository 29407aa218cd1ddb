// hash: FNV-1a, a number of 64 bits that tells texts apart.
//
// It finds mistakes and changes, no attacks: who chooses both texts can make them agree.
#ifndef LUDENS_HASH_H
#define LUDENS_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

// Goes on from `hash`, which is HASH_START or what an earlier call returned.
static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t n) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
