// module: see module.h.

#include "native/module.h"

#include "base/file.h"
#include "base/now.h"
#include "native/cache.h"
#include "native/cc.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    text_f(&source, "%s/module.c", text_c(&folder));
    text_f(&object, "%s/module.so", text_c(&folder));
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

// --- opening ---

typedef struct Opening {
    const char *path, *what;
    ModuleBind *bind;
    void *of;
} Opening;

static bool open_object(Module *m, const Opening *o, Text *why) {
    m->handle = dlopen(o->path, RTLD_NOW | RTLD_LOCAL);
    if (m->handle && o->bind(o->of, m->handle))
        return true;
    const char *error = m->handle ? "not one of this version" : dlerror();
    text_f(why, "the compiled %s cannot be loaded: %s", o->what, error ? error : "unknown reason");
    module_close(m);
    return false;
}

bool module_open(Module *m, const Text *c_text, const char *what, ModuleBind *bind, void *of,
                 const atomic_bool *cancel, Text *why) {
    Text path = {0};
    uint64_t key = 0;
    double begin = now_seconds(), took = 0;
    bool open = false, ok = entry_path(c_text, &key, &path, why);
    Opening o = {text_c(&path), what, bind, of};
    *m = (Module){0};
    if (ok && !cache_is_sound(o.path, key)) {
        ok = build(c_text, o.path, key, cancel, why);
        took = now_seconds() - begin;
    }
    if (ok)
        open = open_object(m, &o, why);
    // Sound and yet of no use: the compiler made nonsense, now or then. It may do better today.
    if (ok && !open && took == 0) {
        text_clear(why);
        ok = build(c_text, o.path, key, cancel, why);
        took = now_seconds() - begin;
        open = ok && open_object(m, &o, why);
    }
    if (ok && !open)
        unlink(o.path);
    m->seconds = took;
    text_free(&path);
    return open;
}

void module_close(Module *m) {
    if (m->handle)
        dlclose(m->handle);
    m->handle = NULL;
}
