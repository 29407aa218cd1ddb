// save: rules from a page as a file, in the one folder that the server was told.
//
// A name is letters, digits, `-` and `_`, with `.game` behind it: it cannot leave the folder. The
// file is written beside its place under a name of its own and then moved there, so that a reader
// sees the old content or the new, and a symbolic link is replaced and never followed.
#include "server/hub.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_MOST 64

static bool is_word(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char c = s[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && ((c != '-' && c != '_') || i == 0))
            return false;
    }
    return n > 0;
}

// "mill" and "mill.game" are `mill.game`.
static bool file_name(const char *name, char out[NAME_MOST + 8]) {
    size_t n = strlen(name);
    if (n > 5 && strcmp(name + n - 5, ".game") == 0)
        n -= 5;
    if (n > NAME_MOST || !is_word(name, n))
        return false;
    snprintf(out, NAME_MOST + 8, "%.*s.game", (int)n, name);
    return true;
}

static bool write_all(int file, const char *text, size_t n) {
    while (n > 0) {
        ssize_t done = write(file, text, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        text += done;
        n -= (size_t)done;
    }
    return fsync(file) == 0;
}

static bool save_in(int folder, const char *name, const char *text) {
    char beside[NAME_MOST + 32];
    struct stat there;
    if (fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(there.st_mode) &&
        !S_ISLNK(there.st_mode)) {
        errno = EISDIR;
        return false;
    }
    snprintf(beside, sizeof beside, ".%s.%ld", name, (long)getpid());
    unlinkat(folder, beside, 0); // of a server that was killed
    int file = openat(folder, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (file < 0)
        return false;
    bool ok = write_all(file, text, strlen(text));
    int error = errno;
    ok = close(file) == 0 && ok;
    ok = ok && renameat(folder, beside, folder, name) == 0;
    if (!ok) {
        error = error ? error : errno;
        unlinkat(folder, beside, 0);
        errno = error;
    }
    return ok && fsync(folder) == 0;
}

void hub_do_save(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    const char *name, *text, *where = hub_options(hub)->save;
    char file[NAME_MOST + 8];
    if (!in_text(client, id, in, "name", &name) || !in_text(client, id, in, "text", &text))
        return;
    if (!where) {
        client_error(client, id, "denied", NULL, "this server was given no folder to save to");
        return;
    }
    if (!file_name(name, file)) {
        client_error(client, id, "bad", NULL,
                     "a name is up to %d letters, digits, `-` and `_`, such as `my-game`",
                     NAME_MOST);
        return;
    }
    int folder = open(where, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || !save_in(folder, file, text)) {
        client_error(client, id, "failed", NULL, "cannot write `%s`: %s", file, strerror(errno));
    } else {
        Text path = {0}, out = {0};
        text_f(&path, "%s/%s", where, file);
        text_add(&out, "\"path\":");
        text_json(&out, text_c(&path));
        client_reply(client, id, text_c(&out));
        text_free(&path);
        text_free(&out);
    }
    if (folder >= 0)
        close(folder);
}
