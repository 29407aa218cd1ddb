// mem: every allocation of the program goes through here.
//
// Two ways to own memory:
//   - an Arena owns everything that lives as long as one compilation; it is freed as a whole.
//     arena_* never returns NULL: when memory is exhausted it jumps to the arena's recovery
//     point (arena_recover), where the caller reports "out of memory" and frees the arena.
//   - mem_* is malloc and friends, for buffers that grow; the caller checks for NULL.
// For tests, mem_fail_at(n) makes the n-th allocation from now fail once (0 switches it off). It
// returns what was left of the number given before, so it also counts allocations.
#ifndef LUDENS_MEM_H
#define LUDENS_MEM_H

#include <setjmp.h>
#include <stddef.h>

void *mem_alloc(size_t size);           // zeroed; NULL when exhausted
void *mem_resize(void *p, size_t size); // like realloc: new bytes are not zeroed, NULL keeps p
void mem_free(void *p);
char *mem_text(const char *s);             // a copy, mem_free; NULL when exhausted
char *mem_text_n(const char *s, size_t n); // the first n bytes, ended with NUL
long mem_fail_at(long n);

typedef struct ArenaBlock ArenaBlock;
typedef struct Arena {
    ArenaBlock *blocks;
    size_t used;       // bytes handed out so far
    size_t limit;      // the most this arena may hand out; beyond it counts as exhausted
    jmp_buf *recovery; // where to go when exhausted; must be set before the first allocation
} Arena;

// 256 MB is far more than the largest game needs and far less than a machine has: a rules file
// cannot exhaust memory.
#define ARENA_LIMIT ((size_t)256 << 20)

void arena_init(Arena *a, jmp_buf *recovery);

// Zeroed and aligned for any type; an array whose size in bytes overflows counts as exhausted.
void *arena_alloc(Arena *a, size_t size);
void *arena_array(Arena *a, size_t size, size_t n);

// Copies n bytes and ends them with NUL.
char *arena_text(Arena *a, const char *s, size_t n);
char *arena_printf(Arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Releases everything; the arena may be used again.
void arena_free(Arena *a);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, n) ((type *)arena_array((arena), sizeof(type), (size_t)(n)))

// Makes room for one more element in an arena array that is grown by doubling.
// `p` is the array, `n` its length, `cap` its capacity (an int lvalue).
#define ARENA_GROW(arena, type, p, n, cap)                                                         \
    do {                                                                                           \
        if ((n) == (cap)) {                                                                        \
            (cap) = (cap) ? 2 * (cap) : 8;                                                         \
            type *grown_ = ARENA_ARRAY((arena), type, (cap));                                      \
            for (int i_ = 0; i_ < (n); i_++)                                                       \
                grown_[i_] = (p)[i_];                                                              \
            (p) = grown_;                                                                          \
        }                                                                                          \
    } while (0)

#endif
