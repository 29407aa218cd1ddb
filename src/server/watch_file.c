// watch_file: what the loop sees of an archive without reading it; see watch.h.
#include "server/watch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

WatchStamp watch_stamp(const char *path) {
    struct stat info;
    WatchStamp s = {0};
    Text log = {0};
    if (stat(path, &info) == 0) {
        s.size = info.st_size;
        s.seconds = info.st_mtim.tv_sec;
        s.nano = info.st_mtim.tv_nsec;
    }
    text_f(&log, "%s-wal", path);
    if (stat(text_c(&log), &info) == 0) {
        s.log_size = info.st_size;
        s.log_seconds = info.st_mtim.tv_sec;
        s.log_nano = info.st_mtim.tv_nsec;
    }
    text_free(&log);
    return s;
}

bool watch_running(const char *path) {
    Text lock = {0};
    text_f(&lock, "%s-lock", path);
    int file = open(text_c(&lock), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    text_free(&lock);
    if (file < 0)
        return false;
    bool held = flock(file, LOCK_SH | LOCK_NB) != 0;
    close(file);
    return held;
}

bool watch_own_path(const Hub *hub, int number, Text *path, Text *why) {
    const char *store = hub_options(hub)->store;
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    const char *slash = store ? strrchr(store, '/') : NULL;
    char name[40] = WATCH_OWN ".db";
    if (number > 0)
        snprintf(name, sizeof name, "%s-%d.db", WATCH_OWN, number + 1);
    if (store && strcmp(store, ":memory:") == 0) {
        text_add(why, "this server keeps nothing: it has no folder for tournaments");
        return false;
    }
    if (store && slash)
        text_f(path, "%.*s/%s", (int)(slash - store), store, name);
    else if (store)
        text_add(path, name);
    else if (data && data[0] == '/')
        text_f(path, "%s/ludens/%s", data, name);
    else if (home && home[0] == '/')
        text_f(path, "%s/.local/share/ludens/%s", home, name);
    else
        text_add(why, "there is no folder for tournaments: say --store FILE");
    return path->n > 0;
}
