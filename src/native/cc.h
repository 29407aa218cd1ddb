// cc: the system's C compiler, run as a child.
#ifndef LUDENS_NATIVE_CC_H
#define LUDENS_NATIVE_CC_H

#include "base/text.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// -march=native: the code is made for this processor and kept under its name. No stack protector
// and no unwinding tables: the code calls nothing.
#define CC_FLAGS                                                                                   \
    "-std=gnu11", "-O3", "-march=native", "-fPIC", "-shared", "-fno-stack-protector",              \
        "-fno-asynchronous-unwind-tables", "-w"

// The compiler in use: $CC (words separated by blanks) or cc. False (with a reason) if there is
// none on the PATH. `id` tells compilers and their versions apart.
bool cc_find(uint64_t *id, Text *why);

// Compiles a C file to a shared object; temporary files go into the object's folder. False with the
// compiler's first line in `why`, or when it takes longer than CC_SECONDS, or when `cancel` becomes
// true.
#define CC_SECONDS 120
bool cc_run(const char *source, const char *object, const atomic_bool *cancel, Text *why);

#endif
