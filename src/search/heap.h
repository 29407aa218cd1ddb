// heap: nodes of a puzzle that wait, the one with the least cost first; of equal costs the one
// with the lesser `tie`, then the one that came last.
#ifndef LUDENS_HEAP_H
#define LUDENS_HEAP_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct HeapItem {
    int32_t cost, tie;
    uint32_t age; // counts down: later ones have lesser numbers
    int node;
    int depth; // of the node when it was put in: it may have a shorter way since
} HeapItem;

typedef struct Heap { // begins as {0}; heap_free releases it
    HeapItem *item;
    int count, cap;
    uint32_t ages;
} Heap;

static inline bool heap_before(const HeapItem *a, const HeapItem *b) {
    if (a->cost != b->cost)
        return a->cost < b->cost;
    return a->tie != b->tie ? a->tie < b->tie : a->age < b->age;
}

static inline bool heap_put(Heap *h, HeapItem item) { // false when out of memory
    if (h->count == h->cap) {
        int cap = h->cap ? 2 * h->cap : 256;
        HeapItem *grown = (HeapItem *)mem_resize(h->item, sizeof *grown * (size_t)cap);
        if (!grown)
            return false;
        h->item = grown;
        h->cap = cap;
    }
    item.age = --h->ages;
    int at = h->count++;
    for (; at > 0 && heap_before(&item, &h->item[(at - 1) / 2]); at = (at - 1) / 2)
        h->item[at] = h->item[(at - 1) / 2];
    h->item[at] = item;
    return true;
}

static inline HeapItem heap_take(Heap *h) { // there must be one
    HeapItem first = h->item[0], last = h->item[--h->count];
    int at = 0;
    for (;;) {
        int kid = 2 * at + 1;
        if (kid + 1 < h->count && heap_before(&h->item[kid + 1], &h->item[kid]))
            kid++;
        if (kid >= h->count || !heap_before(&h->item[kid], &last))
            break;
        h->item[at] = h->item[kid];
        at = kid;
    }
    h->item[at] = last;
    return first;
}

static inline void heap_free(Heap *h) {
    mem_free(h->item);
}

#endif
