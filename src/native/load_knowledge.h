// load_knowledge: knowledge about a game as machine code. It is a module of its own: a game may be
// played with several rule sets.
//
//     IrKnowledge --native_emit_knowledge--> C text --module_open--> NativeKnowledge
#ifndef LUDENS_NATIVE_LOAD_KNOWLEDGE_H
#define LUDENS_NATIVE_LOAD_KNOWLEDGE_H

#include "ir/relations.h"
#include "native/abi.h"
#include "native/job.h"
#include "native/module.h"

typedef struct NativeKnowledge {
#define X(type, name) type *name;
    NATIVE_KNOWLEDGE_SYMBOLS(X)
#undef X
    Module module;
} NativeKnowledge;

// As native_load; `g` is the IR that the knowledge's expressions belong to.
NativeKnowledge *native_knowledge_load(const IrGame *g, const IrKnowledge *k,
                                       const atomic_bool *cancel, Text *why);
void native_knowledge_free(NativeKnowledge *n);
// As native_job_start; native_job_wait and the others of job.h are the same.
NativeJob *native_knowledge_start(const IrGame *g, const IrKnowledge *k,
                                  _Atomic(const NativeKnowledge *) *place);

#endif
