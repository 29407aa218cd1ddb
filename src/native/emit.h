// native: a game's rules as one self-contained C file.
//
//     IrGame --native_emit--> C text --cc -O3 -shared--> functions of native/abi.h
//
// The text depends on nothing but the IrGame: the same rules and parameters give the same bytes.
// It needs a C11 compiler with the usual builtins, <stdint.h> and <stddef.h>; no library.
#ifndef LUDENS_NATIVE_EMIT_H
#define LUDENS_NATIVE_EMIT_H

#include "base/text.h"
#include "ir/ir.h"

// Appends the C file to `out`. False when out of memory; `out` is then of no use.
bool native_emit(const IrGame *g, Text *out);
// The same for knowledge about the game. False also where it is too large for machine code.
bool native_emit_knowledge(const IrGame *g, const struct IrKnowledge *k, Text *out);

#endif
