// archive_lock: only one process writes to a file at a time. See archive_parts.h.
//
// SQLite's own locks last as long as a transaction. A contest lasts longer: a second program that
// plays the same games in between would waste its work. So there is a file beside the database
// that is locked; the system gives the lock back when the process ends, however it ends. It is a
// file of its own because closing any descriptor of the database would undo SQLite's locks.
#include "match/archive_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// Who holds it, if that can be read.
static void name_holder(int file, Text *why) {
    char pid[32];
    ssize_t n = pread(file, pid, sizeof pid - 1, 0);
    pid[n > 0 ? n : 0] = '\0';
    long number = strtol(pid, NULL, 10);
    if (number > 0)
        text_f(why, ", process %ld", number);
}

// The lock is of no use if the file was removed meanwhile: somebody else makes a new one.
static bool is_still_there(int file, const char *path) {
    struct stat ours, there;
    return fstat(file, &ours) == 0 && stat(path, &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

bool archive_lock(Archive *s, Text *why) {
    for (;;) {
        int file = open(s->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (file < 0) {
            text_f(why, "cannot write `%s`: %s", s->path, strerror(errno));
            return false;
        }
        if (flock(file, LOCK_EX | LOCK_NB) != 0) {
            int error = errno;
            text_f(why, "`%s` is in use by another program that writes to it", s->path);
            if (error == EWOULDBLOCK)
                name_holder(file, why);
            close(file);
            return false;
        }
        if (is_still_there(file, s->lock_path)) {
            char pid[32];
            int n = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
            // Only for the message above: failing to write it does no harm.
            if (ftruncate(file, 0) != 0 || pwrite(file, pid, (size_t)n, 0) != n)
                errno = 0;
            s->lock = file;
            return true;
        }
        close(file);
    }
}

void archive_unlock(Archive *s) {
    if (s->lock < 0)
        return;
    unlink(s->lock_path); // before the lock is given back: see is_still_there
    close(s->lock);
    s->lock = -1;
}
