// load: a game's rules as machine code, compiled while the program runs.
//
//     IrGame --native_emit--> C text --cc--> shared object in the cache --dlopen--> Native
//
// module.h has the way from the text to the functions, job.h what happens in the background.
#ifndef LUDENS_NATIVE_LOAD_H
#define LUDENS_NATIVE_LOAD_H

#include "base/text.h"
#include "ir/ir.h"
#include "native/abi.h"
#include "native/job.h"
#include "native/module.h"

typedef struct Native {
#define X(type, name) type *name;
    NATIVE_SYMBOLS(X)
#undef X
    Module module;
} Native;

// Compiles or finds the game. NULL with the reason in `why`: no compiler, its first message, …
// `cancel` (may be NULL) ends the compiler early when it becomes true.
Native *native_load(const IrGame *g, const atomic_bool *cancel, Text *why);
void native_free(Native *n);

// Whether what a loaded object says about itself under that name is meant for this game.
bool native_fits(const IrGame *g, void *handle, const char *name);

// The same in the background. The IrGame is borrowed until native_job_end. When the job is over
// and all went well, *place holds the Native; it stays the job's own.
NativeJob *native_job_start(const IrGame *g, _Atomic(const Native *) *place); // NULL: no thread

#endif
