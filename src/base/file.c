// file: see file.h for the contract.
#include "base/file.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Names tried for the file beside; another process may be writing the same file.
#define TEMPORARY_TRIES 100

#define NOT_REGULAR "it is not a regular file"

static void explain(Text *why, const char *verb, const char *path, const char *reason) {
    text_f(why, "cannot %s `", verb);
    text_visible(why, path, strlen(path));
    text_f(why, "`: %s", reason);
}

// Reads to the end, at most `limit` bytes. Returns NULL or what went wrong.
static const char *read_all(int fd, size_t limit, Text *s) {
    char buffer[16 << 10];
    for (;;) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0) // EINTR, too: files on disks are not interrupted, and a pipe may never go on
            return strerror(errno);
        if (n == 0)
            break;
        if ((size_t)n > limit - s->n)
            return "the file is too large";
        text_add_n(s, buffer, (size_t)n);
        if (s->failed)
            break;
    }
    text_add(s, ""); // an empty file is a string too
    return s->failed ? strerror(ENOMEM) : NULL;
}

// Directories are refused by read_all, which says so.
static const char *check_regular(int fd) {
    struct stat is;
    if (fstat(fd, &is) != 0)
        return strerror(errno);
    return S_ISREG(is.st_mode) || S_ISDIR(is.st_mode) ? NULL : NOT_REGULAR;
}

static char *read_path(const char *path, bool regular, size_t limit, size_t *size, Text *why) {
    // O_NONBLOCK: opening a named pipe would wait for a writer. Regular files do not heed it.
    int fd = open(path, O_RDONLY | O_CLOEXEC | (regular ? O_NONBLOCK : 0));
    if (fd < 0) {
        explain(why, "read", path, strerror(errno));
        return NULL;
    }
    Text s = {0};
    const char *reason = regular ? check_regular(fd) : NULL;
    if (!reason)
        reason = read_all(fd, limit, &s);
    close(fd);
    if (reason) {
        explain(why, "read", path, reason);
        text_free(&s);
        return NULL;
    }
    if (size)
        *size = s.n;
    return s.s;
}

char *file_read(const char *path, size_t limit, size_t *size, Text *why) {
    return read_path(path, false, limit, size, why);
}

char *file_read_regular(const char *path, size_t limit, size_t *size, Text *why) {
    return read_path(path, true, limit, size, why);
}

static bool write_all(int fd, const char *data, size_t n) {
    while (n) {
        ssize_t done = write(fd, data, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        data += done;
        n -= (size_t)done;
    }
    return fsync(fd) == 0;
}

// Creates a new file beside `path` and puts its name into `name`; -1 on failure. The mode is that
// of the file to be replaced, or for a new file what the umask allows.
static int open_beside(const char *path, const struct stat *old, Text *name) {
    for (int i = 0; i < TEMPORARY_TRIES; i++) {
        text_clear(name);
        text_f(name, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        if (name->failed) {
            errno = ENOMEM;
            return -1;
        }
        int fd = open(text_c(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 && old)
            (void)!fchmod(fd, old->st_mode & 0777); // at worst the mode is the default one
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

// Makes the new name itself last. Not every file system can; the content is safe in any case.
static void sync_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    Text folder = {0};
    if (slash)
        text_add_n(&folder, path, (size_t)(slash - path) + 1);
    else
        text_add(&folder, ".");
    int fd = open(text_c(&folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    text_free(&folder);
}

// Writes to `name`, open as fd, and renames it to `path`. Removes it again on failure.
static bool write_and_rename(int fd, const char *name, const char *path, const char *data,
                             size_t n) {
    bool written = write_all(fd, data, n);
    int error = errno;
    if (close(fd) != 0 && written) {
        written = false;
        error = errno;
    }
    if (written && rename(name, path) == 0)
        return true;
    if (written)
        error = errno;
    unlink(name);
    errno = error;
    return false;
}

bool file_write_atomic(const char *path, const char *data, size_t n, Text *why) {
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) {
        bool folder = S_ISDIR(old.st_mode);
        explain(why, "write", path, folder ? strerror(EISDIR) : NOT_REGULAR);
        return false;
    }
    char *target = exists ? realpath(path, NULL) : NULL;
    const char *to = target ? target : path;
    Text name = {0};
    int fd = open_beside(to, exists ? &old : NULL, &name);
    bool ok = fd >= 0 && write_and_rename(fd, text_c(&name), to, data, n);
    if (ok)
        sync_folder(to);
    else
        explain(why, "write", path, strerror(errno));
    text_free(&name);
    free(target);
    return ok;
}
