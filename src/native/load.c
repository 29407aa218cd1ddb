// load: see load.h.

#include "native/load.h"

#include "base/mem.h"
#include "native/emit.h"

#include <dlfcn.h>

typedef struct Binding {
    const IrGame *g;
    Native *n;
} Binding;

bool native_fits(const IrGame *g, void *handle, const char *name) {
    const LudensNativeInfo *info = dlsym(handle, name);
    return info && info->abi == NATIVE_ABI && info->state_size == (uint32_t)g->layout.size &&
           info->identity == (uint32_t)g->layout.identity;
}

// Looks all functions up; false if one is missing or the object is not for this game.
static bool bind(void *of, void *handle) {
    const Binding *b = of;
    Native *n = b->n;
    bool all = native_fits(b->g, handle, "ludens_info");
    // dlsym gives an object pointer; POSIX makes the conversion to a function well defined.
#define X(type, name)                                                                              \
    *(void **)&n->name = dlsym(handle, "ludens_" #name);                                           \
    all = all && n->name;
    NATIVE_SYMBOLS(X)
#undef X
    return all;
}

Native *native_load(const IrGame *g, const atomic_bool *cancel, Text *why) {
    Text c_text = {0};
    Native *n = mem_alloc(sizeof *n);
    Binding b = {g, n};
    bool ok = n && native_emit(g, &c_text);
    if (!ok)
        text_add(why, "out of memory");
    ok = ok && module_open(&n->module, &c_text, "game", bind, &b, cancel, why);
    text_free(&c_text);
    if (!ok) {
        mem_free(n);
        return NULL;
    }
    return n;
}

void native_free(Native *n) {
    if (!n)
        return;
    module_close(&n->module);
    mem_free(n);
}

// --- in the background ---

static void *make(const NativeWork *work, const atomic_bool *cancel, Text *why) {
    return native_load(work->game, cancel, why);
}

static void publish(void *place, void *made) {
    atomic_store_explicit((_Atomic(const Native *) *)place, made, memory_order_release);
}

static void drop(void *made) {
    native_free(made);
}

NativeJob *native_job_start(const IrGame *g, _Atomic(const Native *) *place) {
    NativeWork work = {.game = g, .make = make, .publish = publish, .free = drop, .place = place};
    return job_start(&work);
}
