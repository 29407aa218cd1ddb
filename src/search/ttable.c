// ttable: see ttable.h.
//
//     data   | value 21 | depth 10 | bound 2 | final 1 | age 6 | move 24 |
//             63                                                        0
#include "search/ttable.h"

#include "base/mem.h"

#include <string.h>
#include <sys/mman.h>

#define AGES 64
#define HUGE_PAGE ((size_t)2 << 20)
#define FILL_MOST ((size_t)256 << 20) // bytes that are made ready in advance: some 50 ms
#define VALUE_ZERO (1 << 20)
// An entry of an earlier search gives way to one that was searched by so many plies less.
#define AGE_WEIGHT 4

bool ttable_begin(TTable *t, size_t bytes) {
    size_t count = 1;
    while (2 * count * sizeof(TableBucket) <= bytes)
        count *= 2;
    size_t size = count * sizeof(TableBucket);
    size_t align = size >= HUGE_PAGE ? HUGE_PAGE : sizeof(TableBucket);
    *t = (TTable){.mask = count - 1, .memory = mem_alloc(size + align)};
    if (!t->memory)
        return false;
    char *memory = t->memory;
    t->bucket = (TableBucket *)(void *)(memory + (align - (uintptr_t)memory % align) % align);
#ifdef MADV_HUGEPAGE
    if (size >= HUGE_PAGE)
        (void)madvise(t->bucket, size, MADV_HUGEPAGE); // without them it is only slower
#endif
    // A first search must not wait for the system to clear pages of megabytes, one by one.
    memset(t->bucket, 0, size < FILL_MOST ? size : FILL_MOST);
    return true;
}

void ttable_end(TTable *t) {
    mem_free(t->memory);
    *t = (TTable){0};
}

void ttable_new_search(TTable *t) {
    t->age = (t->age + 1) % AGES;
}

static uint64_t pack(const TableEntry *e, unsigned age) {
    return (uint64_t)(e->value + VALUE_ZERO) << 43 | (uint64_t)e->depth << 33 |
           (uint64_t)e->bound << 31 | (uint64_t)e->final << 30 | (uint64_t)age << 24 |
           (e->move & TTABLE_MOVE_MASK);
}

static TableEntry unpack(uint64_t data) {
    return (TableEntry){.value = (Value)(data >> 43) - VALUE_ZERO,
                        .depth = (int)(data >> 33 & TTABLE_DEPTH_MOST),
                        .bound = (TableBound)(data >> 31 & 3),
                        .final = data >> 30 & 1,
                        .move = (uint32_t)(data & TTABLE_MOVE_MASK)};
}

static unsigned age_of(uint64_t data) {
    return (unsigned)(data >> 24) % AGES;
}

static uint64_t load(const _Atomic uint64_t *word) {
    return atomic_load_explicit(word, memory_order_relaxed);
}

bool ttable_find(const TTable *t, uint64_t key, TableEntry *found) {
    const TableBucket *b = ttable_bucket(t, key);
    for (int i = 0; i < TTABLE_ENTRIES; i++) {
        uint64_t data = load(&b->slot[i].data);
        if ((load(&b->slot[i].check) ^ data) == key && data) {
            *found = unpack(data);
            return true;
        }
    }
    return false;
}

// What an entry is worth keeping: deep ones, and those of this search.
static int worth(const TTable *t, uint64_t data) {
    if (!data)
        return -1000000;
    int old = (int)((t->age + AGES - age_of(data)) % AGES);
    int depth = (int)(data >> 33 & TTABLE_DEPTH_MOST);
    return depth - AGE_WEIGHT * old;
}

void ttable_store(TTable *t, uint64_t key, const TableEntry *entry) {
    TableBucket *b = ttable_bucket(t, key);
    TableSlot *to = NULL;
    int least = 0;
    TableEntry fresh = *entry;
    for (int i = 0; i < TTABLE_ENTRIES; i++) {
        uint64_t data = load(&b->slot[i].data);
        if (data && (load(&b->slot[i].check) ^ data) == key) {
            TableEntry old = unpack(data);
            if (!fresh.move)
                fresh.move = old.move;
            bool better = old.final && !fresh.final;
            bool deeper = old.depth > fresh.depth + 2 && fresh.bound != TTABLE_EXACT &&
                          age_of(data) == t->age && !fresh.final;
            if (better || deeper)
                return;
            to = &b->slot[i];
            break;
        }
        int value = worth(t, data);
        if (!to || value < least) {
            to = &b->slot[i];
            least = value;
        }
    }
    uint64_t data = pack(&fresh, t->age);
    atomic_store_explicit(&to->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&to->data, data, memory_order_relaxed);
}
