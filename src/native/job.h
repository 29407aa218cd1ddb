// job: something compiled on a thread of its own, so that the interpreter can work meanwhile.
#ifndef LUDENS_NATIVE_JOB_H
#define LUDENS_NATIVE_JOB_H

#include "base/text.h"

#include <stdatomic.h>
#include <stdbool.h>

struct IrGame;
struct IrKnowledge;

// What is to be made, of what (borrowed until native_job_end), and the place where others find it.
typedef struct NativeWork {
    const struct IrGame *game;
    const struct IrKnowledge *knowledge;
    void *(*make)(const struct NativeWork *work, const atomic_bool *cancel, Text *why);
    void (*publish)(void *place, void *made); // NULL: it is gone
    void (*free)(void *made);
    void *place;
} NativeWork;

typedef struct NativeJob NativeJob;
NativeJob *job_start(const NativeWork *work); // NULL: no thread
bool native_job_over(const NativeJob *job);
void native_job_wait(NativeJob *job);
// Waits, but not after `stop` is set: that is looked at every few milliseconds.
void native_job_wait_unless(NativeJob *job, const atomic_bool *stop);
const char *native_job_why(const NativeJob *job); // once it is over: why nothing was made
void native_job_end(NativeJob *job); // cancels if need be, frees what was made; NULL is fine

#endif
