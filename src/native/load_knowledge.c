// load_knowledge: see load_knowledge.h.

#include "native/load_knowledge.h"

#include "base/mem.h"
#include "native/emit.h"
#include "native/load.h"

#include <dlfcn.h>

typedef struct Binding {
    const IrGame *g;
    NativeKnowledge *n;
} Binding;

static bool bind(void *of, void *handle) {
    const Binding *b = of;
    NativeKnowledge *n = b->n;
    bool all = native_fits(b->g, handle, "ludens_knowledge_info");
#define X(type, name)                                                                              \
    *(void **)&n->name = dlsym(handle, "ludens_" #name);                                           \
    all = all && n->name;
    NATIVE_KNOWLEDGE_SYMBOLS(X)
#undef X
    return all;
}

NativeKnowledge *native_knowledge_load(const IrGame *g, const IrKnowledge *k,
                                       const atomic_bool *cancel, Text *why) {
    Text c_text = {0};
    NativeKnowledge *n = mem_alloc(sizeof *n);
    Binding b = {g, n};
    bool ok = n && native_emit_knowledge(g, k, &c_text);
    if (!ok)
        text_add(why, c_text.failed || !n ? "out of memory"
                                          : "the rules are too large for machine code");
    ok = ok && module_open(&n->module, &c_text, "rule set", bind, &b, cancel, why);
    text_free(&c_text);
    if (!ok) {
        mem_free(n);
        return NULL;
    }
    return n;
}

void native_knowledge_free(NativeKnowledge *n) {
    if (!n)
        return;
    module_close(&n->module);
    mem_free(n);
}

// --- in the background ---

static void *make(const NativeWork *work, const atomic_bool *cancel, Text *why) {
    return native_knowledge_load(work->game, work->knowledge, cancel, why);
}

static void publish(void *place, void *made) {
    atomic_store_explicit((_Atomic(const NativeKnowledge *) *)place, made, memory_order_release);
}

static void drop(void *made) {
    native_knowledge_free(made);
}

NativeJob *native_knowledge_start(const IrGame *g, const IrKnowledge *k,
                                  _Atomic(const NativeKnowledge *) *place) {
    NativeWork work = {
        .game = g, .knowledge = k, .make = make, .publish = publish, .free = drop, .place = place};
    return job_start(&work);
}
