// web: the files of the page; see web.h.
#include "server/web.h"

#include "base/file.h"
#include "base/mem.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *web_type(const char *name) {
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".json", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".txt", "text/plain; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".jpeg", "image/jpeg"},
        {".gif", "image/gif"},
        {".bmp", "image/bmp"},
        {".webp", "image/webp"},
    };
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (strcmp(dot, types[i][0]) == 0)
            return types[i][1];
    return NULL;
}

static void none(Answer *out) {
    answer_error(out, 404, "there is nothing at this address");
}

bool web_inside(const char *name, bool packed, Answer *out) {
    for (const WebFile *f = web_files; f->name; f++) {
        if (strcmp(f->name, name) != 0)
            continue;
        out->packed = packed && f->packed_size > 0;
        out->data = out->packed ? f->packed : f->data;
        out->size = out->packed ? f->packed_size : f->size;
        out->status = 200;
        out->type = web_type(name);
        // Two forms of one content are told apart.
        snprintf(out->tag, sizeof out->tag, "%s%s", f->tag, out->packed ? "z" : "");
        return true;
    }
    return false;
}

// Each part of the path begins with a letter or digit: no hidden files, no `..`, nothing empty.
static bool is_plain(const char *name) {
    bool first = true;
    for (const char *c = name; *c; c++) {
        bool word =
            (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (!word && (first || !strchr("._-/", *c)))
            return false;
        first = *c == '/';
    }
    return !first;
}

// The folder is opened anew each time and its files by way of it; symbolic links in it are not
// followed, so nothing outside can be reached.
static int open_inside(const char *folder, const char *name) {
    int here = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (here >= 0) {
        const char *slash = strchr(name, '/');
        char part[128];
        size_t n = slash ? (size_t)(slash - name) : strlen(name);
        int next = -1;
        if (n < sizeof part) {
            memcpy(part, name, n);
            part[n] = 0;
            int kind = slash ? O_RDONLY | O_DIRECTORY : O_RDONLY | O_NONBLOCK;
            next = openat(here, part, kind | O_NOFOLLOW | O_CLOEXEC);
        }
        close(here);
        if (!slash)
            return next;
        here = next;
        name = slash + 1;
    }
    return -1;
}

static void from_folder(const char *folder, const char *name, Answer *out) {
    struct stat about;
    int fd = open_inside(folder, name);
    if (fd < 0 || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_size > (off_t)FILE_LIMIT) {
        if (fd >= 0)
            close(fd);
        none(out);
        return;
    }
    char buffer[16384];
    ssize_t n;
    while ((n = read(fd, buffer, sizeof buffer)) > 0 && out->text.n < FILE_LIMIT)
        text_add_n(&out->text, buffer, (size_t)n);
    close(fd);
    if (n < 0 || out->text.failed) {
        answer_error(out, 500, "the file cannot be read");
        return;
    }
    out->status = 200;
    out->type = web_type(name);
    out->private = true; // whoever works on the page wants to see it change
}

void web_answer(const char *folder, const char *path, bool packed, Answer *out) {
    const char *name = strcmp(path, "/") == 0 ? "index.html" : path + (*path == '/');
    if (!is_plain(name) || !web_type(name))
        none(out);
    else if (folder)
        from_folder(folder, name, out);
    else if (!web_inside(name, packed, out))
        none(out);
}
