// kept: see kept.h.
#include "game/kept.h"

#include "base/file.h"
#include "native/cache.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEAL_SIZE 16 // of cache_seal, behind the data

static uint64_t key_of(const Game *g, const char *what, uint32_t version) {
    const IrGame *ir = g->ir;
    uint64_t h = cache_hash(version, what, strlen(what));
    h = cache_hash(h, g->source.text, g->source.size);
    for (int i = 0; i < ir->parameters; i++) {
        const IrParameter *p = &ir->parameter[i];
        h = cache_hash(h, p->values, sizeof *p->values * (size_t)p->count);
    }
    return h;
}

static bool path_of(const char *what, uint64_t key, Text *path) {
    Text why = {0};
    bool ok = cache_folder(path, &why);
    text_f(path, "/%s-%016llx", what, (unsigned long long)key);
    text_free(&why);
    return ok && !path->failed;
}

bool kept_read(const Game *g, const char *what, uint32_t version, void *data, size_t size) {
    uint64_t key = key_of(g, what, version);
    Text path = {0}, why = {0};
    char *content = NULL;
    size_t n = 0;
    if (path_of(what, key, &path) && cache_is_sound(text_c(&path), key))
        content = file_read(text_c(&path), KEPT_LIMIT + SEAL_SIZE, &n, &why);
    bool ok = content && n == size + SEAL_SIZE;
    if (ok)
        memcpy(data, content, size);
    mem_free(content);
    text_free(&path);
    text_free(&why);
    return ok;
}

bool kept_write(const Game *g, const char *what, uint32_t version, const void *data, size_t size) {
    uint64_t key = key_of(g, what, version);
    Text path = {0}, beside = {0}, why = {0};
    bool ok = size <= KEPT_LIMIT && path_of(what, key, &path);
    text_f(&beside, "%s.%ld", text_c(&path), (long)getpid());
    ok = ok && !beside.failed && file_write_atomic(text_c(&beside), data, size, &why);
    if (ok) {
        ok = chmod(text_c(&beside), 0600) == 0 && cache_seal(text_c(&beside), key) &&
             rename(text_c(&beside), text_c(&path)) == 0;
        if (!ok)
            unlink(text_c(&beside));
    }
    text_free(&path);
    text_free(&beside);
    text_free(&why);
    return ok;
}
