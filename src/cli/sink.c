// sink: see sink.h.
#include "cli/sink.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool refuse(Text *why, const char *path, const char *reason) {
    text_f(why, "cannot write `%s`: %s", path, reason);
    return false;
}

bool sink_open(Sink *s, const char *path, Text *why) {
    *s = (Sink){.file = stdout};
    if (!path)
        return true;
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return refuse(why, path, S_ISDIR(st.st_mode) ? "it is a folder" : "it is no usual file");
    size_t n = strlen(path) + 16;
    s->path = mem_alloc(n);
    s->unfinished = mem_alloc(n);
    int fd = -1;
    if (s->path && s->unfinished) {
        snprintf(s->path, n, "%s", path);
        snprintf(s->unfinished, n, "%s.XXXXXX", path);
        fd = mkstemp(s->unfinished);
        if (fd >= 0)
            fchmod(fd, 0644);
    } else {
        errno = ENOMEM;
    }
    s->file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (s->file)
        return true;
    refuse(why, path, strerror(errno));
    mem_free(s->path);
    mem_free(s->unfinished);
    return false;
}

bool sink_write(Sink *s, Text *t) {
    bool ok = !t->failed && fwrite(text_c(t), 1, t->n, s->file) == t->n;
    text_clear(t);
    return ok;
}

bool sink_close(Sink *s, bool keep, Text *why) {
    if (!s->path) {
        if (fflush(s->file) == 0 && !ferror(s->file))
            return true;
        return refuse(why, "standard output", strerror(errno));
    }
    bool ok = fflush(s->file) == 0 && !ferror(s->file) && fsync(fileno(s->file)) == 0;
    ok = fclose(s->file) == 0 && ok;
    ok = ok && (!keep || rename(s->unfinished, s->path) == 0);
    if (!ok)
        refuse(why, s->path, strerror(errno));
    if (!ok || !keep)
        unlink(s->unfinished);
    mem_free(s->path);
    mem_free(s->unfinished);
    return ok;
}
