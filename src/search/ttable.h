// ttable: a table of positions that several threads read and write without locks.
//
// An entry is two words, the data and the key xor the data: a reader that meets half an entry of
// one writer and half of another sees a wrong key, not wrong data. Four entries fill a line of the
// cache. Owned by whoever began it; ttable_end frees it.
#ifndef LUDENS_TTABLE_H
#define LUDENS_TTABLE_H

#include "search/search.h"

typedef enum TableBound { // which bounds a value is
    TTABLE_NONE = 0,
    TTABLE_LEAST = 1,
    TTABLE_MOST = 2,
    TTABLE_EXACT = 3,
} TableBound;

#define TTABLE_DEPTH_MOST 1023
#define TTABLE_MOVE_MASK 0xffffffu // so much is kept of a move's hash

typedef struct TableEntry {
    Value value; // between -VALUE_WIN and VALUE_WIN; wins and losses count from the position
    int depth;   // 0 .. TTABLE_DEPTH_MOST
    TableBound bound;
    bool final;    // no search will ever find a better bound by looking further
    uint32_t move; // hash of the best move, 0 if there is none
} TableEntry;

#define TTABLE_ENTRIES 4 // of 16 bytes: a line of the cache
typedef struct TableSlot {
    _Atomic uint64_t check, data;
} TableSlot;
typedef struct TableBucket {
    TableSlot slot[TTABLE_ENTRIES];
} TableBucket;
typedef struct TTable {
    void *memory; // as allocated
    TableBucket *bucket;
    uint64_t mask; // their number minus one, a power of two minus one
    unsigned age;  // of the entries that are written now
} TTable;

// At most `bytes`, a power of two of entries; in huge pages where the system has them. False when
// out of memory.
bool ttable_begin(TTable *t, size_t bytes);
void ttable_end(TTable *t); // fine for one of zeroes
// A new search: what was stored before is replaced first. Not while others use the table.
void ttable_new_search(TTable *t);
bool ttable_find(const TTable *t, uint64_t key, TableEntry *found);
// A move of 0 leaves the one that is known.
void ttable_store(TTable *t, uint64_t key, const TableEntry *entry);

static inline TableBucket *ttable_bucket(const TTable *t, uint64_t key) {
    return &t->bucket[key & t->mask];
}
static inline void ttable_prefetch(const TTable *t, uint64_t key) { // it will be asked for soon
    __builtin_prefetch(ttable_bucket(t, key));
}

#endif
