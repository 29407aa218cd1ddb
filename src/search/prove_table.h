// prove_table: what is known about positions while proving.
//
//     key   64 bits of the position's hash
//     data  | check: 36 bits of another hash | work 6 | best 16 | unused 2 | high 2 | low 2 |
//
// The table begins small and grows up to its limit. Four entries fill a cache line and are looked
// at together. The entry that cost least work goes when a new one comes. A hundred bits are
// compared, so that two positions taken for one are not to be expected in the lifetime of a
// machine.
#ifndef LUDENS_PROVE_TABLE_H
#define LUDENS_PROVE_TABLE_H

#include "search/player.h"
#include "search/prove.h"

#define PROVE_BUCKET 4
#define PROVE_NO_BEST 0xffff

typedef struct ProveKey {
    uint64_t a, b;
} ProveKey;

typedef struct ProveKnown {
    int low, high;
    unsigned best; // number of the best move in the way's own counting, or PROVE_NO_BEST
} ProveKnown;

typedef struct ProveEntry {
    uint64_t key, data; // data 0: free
} ProveEntry;

typedef struct ProveTable {
    void *memory;
    ProveEntry *entry;      // within `memory`, at a cache line or a large page
    uint64_t buckets, most; // now, and when it is fully grown
    uint64_t used;          // entries
    Clock *clock;           // of the search: growing takes long
} ProveTable;

// At most so many bytes; false when out of memory. Once the clock is over the table grows no more.
bool prove_table_open(ProveTable *t, size_t bytes, Clock *clock);
void prove_table_close(ProveTable *t);

static inline uint64_t prove_mix(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

static inline ProveKey prove_key_of(uint64_t x, uint64_t y) { // two words, mixed
    ProveKey k;
    k.a = prove_mix(x ^ prove_mix(y + 0x9e3779b97f4a7c15u));
    k.b = prove_mix(y + 0x2545f4914f6cdd1du * (x ^ 0x6a09e667f3bcc909u));
    return k;
}

static inline ProveEntry *prove_bucket(const ProveTable *t, ProveKey k) {
    uint64_t i = (uint64_t)((unsigned __int128)(k.a) * t->buckets >> 64);
    return t->entry + PROVE_BUCKET * i;
}

static inline void prove_table_prefetch(const ProveTable *t, ProveKey k) {
    __builtin_prefetch(prove_bucket(t, k));
}

#define PROVE_CHECK(k) ((k).b << 28)

static inline bool prove_table_get(const ProveTable *t, ProveKey k, ProveKnown *out) {
    const ProveEntry *e = prove_bucket(t, k);
    for (int i = 0; i < PROVE_BUCKET; i++)
        if (e[i].key == k.a && e[i].data && (e[i].data ^ PROVE_CHECK(k)) >> 28 == 0) {
            out->low = (int)(e[i].data & 3) - 1;
            out->high = (int)(e[i].data >> 2 & 3) - 1;
            out->best = (unsigned)(e[i].data >> 6 & 0xffff);
            return true;
        }
    *out = (ProveKnown){PROVE_LOST, PROVE_WON, PROVE_NO_BEST};
    return false;
}

// What the entry of a position cost: the bits of the number of positions; 0: there is none.
int prove_table_cost(const ProveTable *t, ProveKey k);
void prove_table_put(ProveTable *t, ProveKey k, ProveKnown known, int64_t work);

#endif
