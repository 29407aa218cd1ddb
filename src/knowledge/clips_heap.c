// clips_heap: see clips_heap.h.
#include "knowledge/clips_heap.h"

#include "base/mem.h"

#include <time.h>

// The time is asked for once in so many looks: asking takes longer than most of what CLIPS does.
#define LOOKS 512

struct ClipsBlock {
    ClipsBlock *before, *after;
    size_t size;
    size_t pad; // what follows is aligned for any type
};
_Static_assert(sizeof(ClipsBlock) % _Alignof(max_align_t) == 0, "blocks keep their alignment");

// The heap of the work under way. Neither malloc nor exit has a parameter for it.
static _Thread_local ClipsHeap *current;

static double thread_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool clips_heap_run(ClipsHeap *h, ClipsWork *work, void *with) {
    h->deadline = thread_seconds() + CLIPS_SECONDS;
    h->base = __builtin_frame_address(0);
    h->why = NULL;
    current = h;
    bool done = !setjmp(h->stop);
    if (done)
        work(with);
    current = NULL;
    return done;
}

void clips_heap_stop(const char *why) {
    current->why = why;
    longjmp(current->stop, 1);
}

void clips_heap_look(void) {
    if (++current->looked % LOOKS == 0 && thread_seconds() > current->deadline)
        clips_heap_stop("the rules take too long");
}

void clips_heap_deeper(void) {
    const char *now = __builtin_frame_address(0);
    size_t used = (size_t)(now < current->base ? current->base - now : now - current->base);
    if (used > CLIPS_STACK)
        clips_heap_stop("functions call one another too deep");
    clips_heap_look();
}

void clips_heap_free(ClipsHeap *h) {
    for (ClipsBlock *b = h->blocks, *after; b; b = after) {
        after = b->after;
        mem_free(b);
    }
    h->blocks = NULL;
    h->used = 0;
}

void *clips_malloc(size_t size) {
    ClipsHeap *h = current;
    clips_heap_look();
    if (size > CLIPS_MEMORY - h->used)
        clips_heap_stop("the rules take too much memory");
    ClipsBlock *b = mem_alloc(sizeof *b + size);
    if (!b)
        clips_heap_stop(NULL);
    *b = (ClipsBlock){.after = h->blocks, .size = size};
    if (h->blocks)
        h->blocks->before = b;
    h->blocks = b;
    h->used += size;
    return b + 1;
}

void clips_free(void *p) {
    if (!p)
        return;
    ClipsBlock *b = (ClipsBlock *)p - 1;
    if (b->before)
        b->before->after = b->after;
    else
        current->blocks = b->after;
    if (b->after)
        b->after->before = b->before;
    current->used -= b->size;
    mem_free(b);
}

void clips_exit(int status) {
    (void)status;
    clips_heap_stop("CLIPS gave up");
}

void *clips_fopen(const char *path, const char *mode) {
    (void)path, (void)mode;
    return NULL;
}

int clips_remove(const char *path) {
    (void)path;
    return -1;
}

int clips_rename(const char *from, const char *to) {
    (void)from, (void)to;
    return -1;
}

// Numbers are written in one way everywhere, and threads have the locale in common.
char *clips_setlocale(int category, const char *name) {
    static char plain[] = "C";
    (void)category, (void)name;
    return plain;
}
