// load: a game's rules as machine code, compiled while the program runs.
//
//     IrGame --native_emit--> C text --cc--> shared object in the cache --dlopen--> Native
//
// A NativeJob compiles on a thread of its own, so that the interpreter can play meanwhile. Compiled
// games stay in the user's cache directory ($XDG_CACHE_HOME/ludens, or ~/.cache/ludens) under a key
// made of the C text, the compiler, its flags and this processor; entries are written beside and
// renamed, carry a checksum, and are used only if they are whole and belong to this user. Anything
// else is built anew.
#ifndef LUDENS_NATIVE_LOAD_H
#define LUDENS_NATIVE_LOAD_H

#include "base/text.h"
#include "ir/ir.h"
#include "native/abi.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct Native {
#define X(type, name) type *name;
    NATIVE_SYMBOLS(X)
#undef X
    void *handle;
    double seconds; // it took to compile; 0 from the cache
} Native;

// Compiles or finds the game. NULL with the reason in `why`: no compiler, its first message, …
// `cancel` (may be NULL) ends the compiler early when it becomes true.
Native *native_load(const IrGame *g, const atomic_bool *cancel, Text *why);
void native_free(Native *n);

// The same in the background. The IrGame is borrowed until native_job_end. When the job is over
// and all went well, *publish holds the Native; it stays the job's own.
typedef struct NativeJob NativeJob;
NativeJob *native_job_start(const IrGame *g, _Atomic(const Native *) *publish); // NULL: no thread
bool native_job_over(const NativeJob *job);
void native_job_wait(NativeJob *job);
const char *native_job_why(const NativeJob *job); // once it is over: why there is no Native
void native_job_end(NativeJob *job); // cancels if need be, frees the Native; NULL is fine

#endif
