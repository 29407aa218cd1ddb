// module: generated C as a loaded shared object.
//
//     C text --cc--> shared object in the cache --dlopen--> functions
//
// Compiled modules stay in the user's cache directory ($XDG_CACHE_HOME/ludens, or ~/.cache/ludens)
// under a key made of the C text, the compiler, its flags and this processor; entries are written
// beside and renamed, carry a checksum, and are used only if they are whole and belong to this
// user. Anything else is built anew.
#ifndef LUDENS_NATIVE_MODULE_H
#define LUDENS_NATIVE_MODULE_H

#include "base/text.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct Module {
    void *handle;   // NULL: none
    double seconds; // it took to compile; 0 from the cache
} Module;

// Looks up in `handle` what `of` needs; false if that is not there or does not fit.
typedef bool ModuleBind(void *of, void *handle);

// Compiles or finds the text and binds its functions. False with the reason in `why`: no compiler,
// its first message, … `cancel` (may be NULL) ends the compiler early when it becomes true. `what`
// it is stands in messages: "game".
bool module_open(Module *m, const Text *c_text, const char *what, ModuleBind *bind, void *of,
                 const atomic_bool *cancel, Text *why);
void module_close(Module *m);

#endif
