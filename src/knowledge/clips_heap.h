// clips_heap: memory, time and depth of one CLIPS environment.
//
// CLIPS ends the program when memory is short, never asks how much it takes, and has no way to stop
// in the middle of matching. So its archive is linked with other names for what it takes from the C
// library (tools/guard_clips.sh): memory comes from a ClipsHeap, which knows all blocks, files do
// not exist, and `exit` only ends the work under way. Work that is stopped leaves an environment
// that nobody can use or take apart, but its heap can be freed as a whole: nothing leaks.
#ifndef LUDENS_CLIPS_HEAP_H
#define LUDENS_CLIPS_HEAP_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

// More than the largest sensible rule set needs in a position, little enough that a file whose
// patterns multiply is stopped before the machine feels it.
#define CLIPS_MEMORY ((size_t)256 << 20)
// Of processor time, for one position.
#define CLIPS_SECONDS 2
// Of stack, where functions of a file call one another: what is inside one of them needs less than
// as much again, and no thread of ours has less than 2 MB.
#define CLIPS_STACK ((size_t)512 << 10)

typedef struct ClipsBlock ClipsBlock;
typedef struct ClipsHeap {
    ClipsBlock *blocks;
    size_t used;
    double deadline;  // in seconds of this thread
    unsigned looked;  // how often the time was asked for
    const char *base; // where the stack was when the work began
    jmp_buf stop;     // where stopped work ends
    const char *why;  // it was stopped; NULL: no memory
} ClipsHeap;

typedef void ClipsWork(void *with);
// Does the work with this heap; false if it was stopped, with `why`: the environment is lost then,
// and the heap must be freed. Not inside other work of the same thread.
bool clips_heap_run(ClipsHeap *h, ClipsWork *work, void *with);
// Ends the work under way.
_Noreturn void clips_heap_stop(const char *why);
// Ends it if it has taken too long.
void clips_heap_look(void);
// Ends it if calls inside one another have taken too much of the stack.
void clips_heap_deeper(void);
void clips_heap_free(ClipsHeap *h);

// --- what CLIPS finds in place of the C library ---
void *clips_malloc(size_t size);
void clips_free(void *p);
_Noreturn void clips_exit(int status);
void *clips_fopen(const char *path, const char *mode);
int clips_remove(const char *path);
int clips_rename(const char *from, const char *to);
char *clips_setlocale(int category, const char *name);

#endif
