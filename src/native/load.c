// load: see load.h.

#include "native/load.h"

#include "base/file.h"
#include "base/mem.h"
#include "native/cache.h"
#include "native/cc.h"
#include "native/emit.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// --- opening ---

// Looks all functions up; false if one is missing or the object is not for this game.
static bool bind(Native *n, const IrGame *g) {
    const LudensNativeInfo *info = dlsym(n->handle, "ludens_info");
    if (!info || info->abi != NATIVE_ABI || info->state_size != (uint32_t)g->layout.size ||
        info->identity != (uint32_t)g->layout.identity)
        return false;
    bool all = true;
    // dlsym gives an object pointer; POSIX makes the conversion to a function well defined.
#define X(type, name)                                                                              \
    *(void **)&n->name = dlsym(n->handle, "ludens_" #name);                                        \
    all = all && n->name;
    NATIVE_SYMBOLS(X)
#undef X
    return all;
}

static Native *open_object(const char *path, const IrGame *g, Text *why) {
    Native *n = mem_alloc(sizeof *n);
    if (!n) {
        text_add(why, "out of memory");
        return NULL;
    }
    n->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (n->handle && bind(n, g))
        return n;
    const char *error = n->handle ? "not a game of this version" : dlerror();
    text_f(why, "the compiled game cannot be loaded: %s", error ? error : "unknown reason");
    native_free(n);
    return NULL;
}

void native_free(Native *n) {
    if (!n)
        return;
    if (n->handle)
        dlclose(n->handle);
    mem_free(n);
}

// --- building ---

// Compiles inside a folder of its own beside the entry, then renames the result over it.
static bool build(const Text *c_text, const char *entry, uint64_t key, const atomic_bool *cancel,
                  Text *why) {
    Text folder = {0}, source = {0}, object = {0};
    text_add_n(&folder, entry, (size_t)(strrchr(entry, '/') - entry));
    cache_sweep(text_c(&folder), 2 * CC_SECONDS);
    text_clear(&folder);
    text_f(&folder, "%s.XXXXXX", entry);
    bool ok = !folder.failed && mkdtemp(folder.s);
    if (!ok) {
        text_f(why, "cannot write to the cache: %s", strerror(errno));
        text_free(&folder);
        return false;
    }
    text_f(&source, "%s/game.c", text_c(&folder));
    text_f(&object, "%s/game.so", text_c(&folder));
    ok = file_write_atomic(text_c(&source), text_c(c_text), c_text->n, why) &&
         cc_run(text_c(&source), text_c(&object), cancel, why);
    if (ok && access(text_c(&object), F_OK) != 0) {
        text_add(why, "the C compiler says that all is well but made no file");
        ok = false;
    }
    if (ok && !(chmod(text_c(&object), 0700) == 0 && cache_seal(text_c(&object), key) &&
                rename(text_c(&object), entry) == 0)) {
        text_f(why, "cannot write to the cache: %s", strerror(errno));
        ok = false;
    }
    cache_remove(text_c(&folder));
    text_free(&folder);
    text_free(&source);
    text_free(&object);
    return ok;
}

// The file of the cache for this text, compiler and machine.
static bool entry_path(const Text *c_text, uint64_t *key, Text *path, Text *why) {
    uint64_t compiler;
    if (!cc_find(&compiler, why) || !cache_folder(path, why))
        return false;
    *key = cache_hash(compiler ^ cache_machine(), text_c(c_text), c_text->n);
    text_f(path, "/%016llx.so", (unsigned long long)*key);
    return !path->failed;
}

Native *native_load(const IrGame *g, const atomic_bool *cancel, Text *why) {
    Text c_text = {0}, path = {0};
    Native *n = NULL;
    uint64_t key = 0;
    double begin = now(), took = 0;
    bool ok = native_emit(g, &c_text);
    if (!ok)
        text_add(why, "out of memory");
    ok = ok && entry_path(&c_text, &key, &path, why);
    if (ok && !cache_is_sound(text_c(&path), key)) {
        ok = build(&c_text, text_c(&path), key, cancel, why);
        took = now() - begin;
    }
    if (ok)
        n = open_object(text_c(&path), g, why);
    // Sound and yet of no use: the compiler made nonsense, now or then. It may do better today.
    if (ok && !n && took == 0) {
        text_clear(why);
        ok = build(&c_text, text_c(&path), key, cancel, why);
        took = now() - begin;
        n = ok ? open_object(text_c(&path), g, why) : NULL;
    }
    if (ok && !n)
        unlink(text_c(&path));
    if (n)
        n->seconds = took;
    text_free(&c_text);
    text_free(&path);
    return n;
}

// --- in the background ---

struct NativeJob {
    pthread_t thread;
    const IrGame *game;
    _Atomic(const Native *) *publish;
    atomic_bool cancel;
    atomic_bool over; // set last: everything below is then final
    Native *native;
    Text why;
    bool joined;
};

static void *work(void *argument) {
    NativeJob *job = argument;
    job->native = native_load(job->game, &job->cancel, &job->why);
    atomic_store_explicit(job->publish, job->native, memory_order_release);
    atomic_store(&job->over, true);
    return NULL;
}

NativeJob *native_job_start(const IrGame *g, _Atomic(const Native *) *publish) {
    NativeJob *job = mem_alloc(sizeof *job);
    if (!job)
        return NULL;
    job->game = g;
    job->publish = publish;
    if (pthread_create(&job->thread, NULL, work, job) != 0) {
        mem_free(job);
        return NULL;
    }
    return job;
}

bool native_job_over(const NativeJob *job) {
    return atomic_load(&job->over);
}

void native_job_wait(NativeJob *job) {
    if (!job->joined)
        pthread_join(job->thread, NULL);
    job->joined = true;
}

const char *native_job_why(const NativeJob *job) {
    return text_c(&job->why);
}

void native_job_end(NativeJob *job) {
    if (!job)
        return;
    atomic_store(&job->cancel, true);
    native_job_wait(job);
    atomic_store(job->publish, NULL);
    native_free(job->native);
    text_free(&job->why);
    mem_free(job);
}
