// prove_table: see prove_table.h.
#include "search/prove_table.h"

#include "base/bits.h"
#include "base/mem.h"

#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

#define FIRST_BUCKETS ((uint64_t)1 << 14) // a megabyte
#define GROWTH 8
#define LOOK ((uint64_t)1 << 14) // buckets that are moved between two looks at the clock

static bool allocate(ProveTable *t, uint64_t buckets) {
    const size_t line = PROVE_BUCKET * sizeof(ProveEntry);
    size_t size = buckets * line;
    bool huge = size >= 8 * HUGE_PAGE;
    size_t align = huge ? HUGE_PAGE : line;
    void *memory = mem_alloc(size + align);
    if (!memory)
        return false;
    t->memory = memory;
    t->entry = (ProveEntry *)(((uintptr_t)memory + align - 1) / align * align);
    t->buckets = buckets;
    t->used = 0;
    // Look-ups go all over the table: with small pages each would also miss the page table.
    if (huge)
        (void)madvise(t->entry, size / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    return true;
}

bool prove_table_open(ProveTable *t, size_t bytes, Clock *clock) {
    uint64_t most = bytes / (PROVE_BUCKET * sizeof(ProveEntry)), times = 1;
    // While it grows for the last time, the one before is there, too.
    most -= most / (GROWTH + 1);
    while (most / times > FIRST_BUCKETS)
        times *= GROWTH;
    uint64_t first = most ? most / times : 1;
    *t = (ProveTable){.most = first * times, .clock = clock};
    return allocate(t, first);
}

void prove_table_close(ProveTable *t) {
    mem_free(t->memory);
    *t = (ProveTable){0};
}

int prove_table_cost(const ProveTable *t, ProveKey k) {
    const ProveEntry *e = prove_bucket(t, k);
    for (int i = 0; i < PROVE_BUCKET; i++)
        if (e[i].key == k.a && e[i].data && (e[i].data ^ PROVE_CHECK(k)) >> 28 == 0)
            return (int)(e[i].data >> 22 & 63);
    return 0;
}

// Where an entry goes: the same position, a free place, or what cost least.
static ProveEntry *find_place(const ProveTable *t, uint64_t key, uint64_t data) {
    ProveEntry *e = prove_bucket(t, (ProveKey){key, 0}), *to = e;
    for (int i = 0; i < PROVE_BUCKET; i++) {
        if (e[i].data == 0 || (e[i].key == key && (e[i].data ^ data) >> 28 == 0))
            return &e[i];
        if ((e[i].data >> 22 & 63) < (to->data >> 22 & 63))
            to = &e[i];
    }
    return to;
}

static void insert(ProveTable *t, uint64_t key, uint64_t data) {
    ProveEntry *to = find_place(t, key, data);
    t->used += to->data == 0;
    *to = (ProveEntry){key, data};
}

// False if the clock was over before all entries were moved.
static bool take_over(ProveTable *t, const ProveTable *old) {
    for (uint64_t i = 0; i < old->buckets; i++) {
        if (i % LOOK == 0 && clock_look(t->clock))
            return false;
        const ProveEntry *e = old->entry + PROVE_BUCKET * i;
        for (int k = 0; k < PROVE_BUCKET; k++)
            if (e[k].data)
                insert(t, e[k].key, e[k].data);
    }
    return true;
}

// Without memory for it, the table stays as it is and forgets more.
static void grow(ProveTable *t) {
    ProveTable old = *t;
    if (!allocate(t, GROWTH * old.buckets)) {
        t->most = t->buckets;
        return;
    }
    bool whole = take_over(t, &old);
    mem_free(whole ? old.memory : t->memory);
    if (!whole)
        *t = old;
}

void prove_table_put(ProveTable *t, ProveKey k, ProveKnown known, int64_t work) {
    uint64_t cost = (uint64_t)bits_needed((uint64_t)work + 2); // at least 1: never free
    if (t->used > PROVE_BUCKET * t->buckets / 2 && t->buckets < t->most)
        grow(t);
    insert(t, k.a,
           PROVE_CHECK(k) | cost << 22 | (uint64_t)known.best << 6 |
               (uint64_t)(known.high + 1) << 2 | (uint64_t)(known.low + 1));
}
