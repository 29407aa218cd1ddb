// mem: see mem.h for the contract.
#include "base/mem.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_CHECKED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_CHECKED 1
#endif

// Small allocations share a block. Under the address sanitizer each has a block of its own, so
// that it sees an overrun of one object into the next, and mem_fail_at reaches every allocation.
#if defined(ARENA_CHECKED)
#define ARENA_BLOCK ((size_t)0)
#else
#define ARENA_BLOCK ((size_t)64 << 10)
#endif

struct ArenaBlock {
    ArenaBlock *next;
    size_t used;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

// Allocations left until the one that fails; zero and below: none does. The only mutable global
// of the program, never touched outside tests. Threads may push it below zero, which is harmless.
static atomic_long fail_countdown;

long mem_fail_at(long n) {
    return atomic_exchange(&fail_countdown, n);
}

static bool fails_now(void) {
    if (atomic_load_explicit(&fail_countdown, memory_order_relaxed) <= 0)
        return false;
    return atomic_fetch_sub(&fail_countdown, 1) == 1;
}

void *mem_alloc(size_t size) {
    if (fails_now())
        return NULL;
    return calloc(1, size ? size : 1);
}

void *mem_resize(void *p, size_t size) {
    if (fails_now())
        return NULL;
    return realloc(p, size ? size : 1);
}

char *mem_text(const char *s) {
    return mem_text_n(s, strlen(s));
}

char *mem_text_n(const char *s, size_t n) {
    char *copy = mem_alloc(n + 1);
    if (copy)
        memcpy(copy, s, n);
    return copy;
}

void mem_free(void *p) {
    free(p);
}

void arena_init(Arena *a, jmp_buf *recovery) {
    *a = (Arena){.limit = ARENA_LIMIT, .recovery = recovery};
}

static _Noreturn void arena_exhausted(Arena *a) {
    if (!a->recovery)
        abort(); // a fault of the caller: the contract asks for a recovery point
    longjmp(*a->recovery, 1);
}

// Puts a new block in front. When the first block still has more room than the new one will have
// after this allocation, it stays in front.
static ArenaBlock *arena_block(Arena *a, size_t size) {
    size_t room = size > ARENA_BLOCK ? size : ARENA_BLOCK;
    ArenaBlock *b = mem_alloc(sizeof(ArenaBlock) + room);
    if (!b)
        arena_exhausted(a);
    b->size = room;
    if (a->blocks && a->blocks->size - a->blocks->used > room - size) {
        b->next = a->blocks->next;
        a->blocks->next = b;
    } else {
        b->next = a->blocks;
        a->blocks = b;
    }
    return b;
}

void *arena_alloc(Arena *a, size_t size) {
    const size_t unit = alignof(max_align_t);
    if (size > a->limit)
        arena_exhausted(a);
#if !defined(ARENA_CHECKED)
    size = (size + unit - 1) / unit * unit;
#endif
    if (size == 0)
        size = unit;
    if (size > a->limit - a->used)
        arena_exhausted(a);
    ArenaBlock *b = a->blocks;
    if (!b || size > b->size - b->used)
        b = arena_block(a, size);
    void *p = b->bytes + b->used;
    b->used += size;
    a->used += size;
    return p;
}

void *arena_array(Arena *a, size_t size, size_t n) {
    if (size && n > SIZE_MAX / size)
        arena_exhausted(a);
    return arena_alloc(a, size * n);
}

char *arena_text(Arena *a, const char *s, size_t n) {
    if (n == SIZE_MAX)
        arena_exhausted(a);
    char *copy = arena_alloc(a, n + 1);
    if (n)
        memcpy(copy, s, n);
    copy[n] = '\0';
    return copy;
}

char *arena_printf(Arena *a, const char *format, ...) {
    va_list args;
    va_list again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *s = n < 0 ? NULL : arena_alloc(a, (size_t)n + 1);
    if (s)
        vsnprintf(s, (size_t)n + 1, format, again);
    va_end(again);
    if (!s)
        arena_exhausted(a);
    return s;
}

void arena_free(Arena *a) {
    ArenaBlock *b = a->blocks;
    while (b) {
        ArenaBlock *next = b->next;
        mem_free(b);
        b = next;
    }
    a->blocks = NULL;
    a->used = 0;
}
