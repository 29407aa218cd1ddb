// cache: see cache.h.
//
// A sealed file ends with 16 bytes: a mark, and the hash of its key and all before it. The dynamic
// loader ignores them; they tell a whole file from one cut short, and one game from another.

#include "native/cache.h"

#include "base/file.h"
#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SEAL_MARK 0x31736e6564756cULL // "ludens1"
// Compiled games are some hundred kilobytes; a file beyond this is not one of ours.
#define ENTRY_LIMIT ((size_t)64 << 20)

typedef struct Seal {
    uint64_t mark;
    uint64_t hash;
} Seal;

uint64_t cache_hash(uint64_t h, const void *data, size_t size) {
    const unsigned char *p = data;
    h ^= size * 0x9E3779B97F4A7C15u;
    while (size > 0) {
        uint64_t word = 0;
        size_t n = size < 8 ? size : 8;
        memcpy(&word, p, n);
        h = (h ^ word) * 0xD6E8FEB86659FD93u;
        h ^= h >> 32;
        p += n;
        size -= n;
    }
    return h;
}

// Makes a folder for this user alone, and those it lies in; what is already there is fine.
static bool make_folder(Text *path, Text *why) {
    for (size_t i = 1; !path->failed && i <= path->n; i++) {
        char c = path->s[i];
        if (c && c != '/')
            continue;
        path->s[i] = 0;
        bool ok = mkdir(path->s, 0700) == 0 || errno == EEXIST || access(path->s, F_OK) == 0;
        if (!ok)
            text_f(why, "cannot make the folder %s: %s", path->s, strerror(errno));
        path->s[i] = c;
        if (!ok)
            return false;
    }
    if (path->failed)
        text_add(why, "out of memory");
    return !path->failed;
}

bool cache_folder(Text *out, Text *why) {
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (base && base[0] == '/') {
        text_add(out, base);
    } else if (home && home[0] == '/') {
        text_f(out, "%s/.cache", home);
    } else {
        text_add(why, "there is no cache folder: neither XDG_CACHE_HOME nor HOME is set");
        return false;
    }
    text_add(out, "/ludens");
    if (!make_folder(out, why))
        return false;
    struct stat s;
    if (stat(text_c(out), &s) != 0 || !S_ISDIR(s.st_mode)) {
        text_f(why, "%s is not a folder", text_c(out));
        return false;
    }
    if (s.st_uid != geteuid() || (s.st_mode & 022)) {
        text_f(why, "the cache folder %s can be changed by others", text_c(out));
        return false;
    }
    return true;
}

void cache_remove(const char *folder) {
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        unlinkat(dirfd(d), e->d_name, 0); // fails for `.` and `..`, and for what we never make
    if (d)
        closedir(d);
    rmdir(folder);
}

void cache_sweep(const char *cache, int seconds) {
    DIR *d = opendir(cache);
    Text path = {0};
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat s;
        if (!strstr(e->d_name, ".so.") || // see build in load.c
            fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(s.st_mode) ||
            s.st_mtime > time(NULL) - seconds)
            continue;
        text_clear(&path);
        text_f(&path, "%s/%s", cache, e->d_name);
        if (!path.failed)
            cache_remove(text_c(&path));
    }
    if (d)
        closedir(d);
    text_free(&path);
}

uint64_t cache_machine(void) {
    Text ignored = {0};
    size_t size = 0;
    uint64_t h = 0;
    char *info = file_read("/proc/cpuinfo", ENTRY_LIMIT, &size, &ignored);
    // The features of the first processor: what -march=native looks at.
    for (const char *s = info; s; s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL) {
        bool model = strncmp(s, "model name", 10) == 0, flags = strncmp(s, "flags", 5) == 0;
        bool arm = strncmp(s, "Features", 8) == 0;
        if (model || flags || arm)
            h = cache_hash(h, s, strcspn(s, "\n"));
        if (flags || arm)
            break;
    }
    mem_free(info);
    text_free(&ignored);
    return h;
}

// `*hash` goes on with the first `end` bytes, with all for 0.
static bool hash_file(const char *path, size_t end, uint64_t *hash) {
    Text ignored = {0};
    size_t size = 0;
    char *data = file_read(path, ENTRY_LIMIT, &size, &ignored);
    bool ok = data && size >= end;
    if (ok)
        *hash = cache_hash(*hash, data, end ? end : size);
    mem_free(data);
    text_free(&ignored);
    return ok;
}

bool cache_seal(const char *path, uint64_t key) {
    Seal seal = {.mark = SEAL_MARK, .hash = key};
    if (!hash_file(path, 0, &seal.hash))
        return false;
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = write(fd, &seal, sizeof seal) == (ssize_t)sizeof seal && fsync(fd) == 0;
    return close(fd) == 0 && ok;
}

bool cache_is_sound(const char *path, uint64_t key) {
    struct stat s;
    Seal seal;
    uint64_t hash = key;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); // it may be a pipe
    if (fd < 0)
        return false;
    bool ok = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid() &&
              !(s.st_mode & 022) && s.st_size > (off_t)sizeof seal &&
              pread(fd, &seal, sizeof seal, s.st_size - (off_t)sizeof seal) == (ssize_t)sizeof seal;
    close(fd);
    return ok && seal.mark == SEAL_MARK &&
           hash_file(path, (size_t)s.st_size - sizeof seal, &hash) && hash == seal.hash;
}
