// guard: see guard.h.
#define _GNU_SOURCE // syscall
#include "match/guard.h"

#include "match/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FDS_MOST 4096
#define ENVIRONMENT 32768 // bytes that are looked at
#define ROUNDS 100        // of killing: a process may have made another one meanwhile

// About this process: written once, before anybody reads it. The end of a pipe that only this
// program has: when it is gone, the guard reads the end of the file.
static char mark[64];
static int to_guard = -1;
static pthread_once_t marked = PTHREAD_ONCE_INIT, started = PTHREAD_ONCE_INIT;

// --- the guard itself: a fork of a program with threads, so only calls that are safe there ---

static bool is_number(const char *name) {
    return name[0] >= '1' && name[0] <= '9';
}

static pid_t number_of(const char *name) {
    pid_t n = 0;
    for (; *name >= '0' && *name <= '9'; name++)
        n = n * 10 + (*name - '0');
    return n;
}

// Whether /proc/PID/environ has the mark behind the name of the token.
static bool is_marked(int proc, const char *pid) {
    static const char name[] = SANDBOX_TOKEN "=";
    char path[64] = "", text[ENVIRONMENT];
    strncat(path, pid, 20);
    strcat(path, "/environ");
    int fd = openat(proc, path, O_RDONLY);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    for (const char *s = text; s < text + n; s += strlen(s) + 1)
        if (strncmp(s, name, sizeof name - 1) == 0)
            return strncmp(s + sizeof name - 1, mark, strlen(mark)) == 0;
    return false;
}

struct Entry { // as the kernel writes them
    uint64_t number;
    int64_t next;
    unsigned short length;
    unsigned char type;
    char name[];
};

static int kill_marked(void) {
    _Alignas(struct Entry) char buffer[8192];
    int killed = 0, proc = open("/proc", O_RDONLY | O_DIRECTORY);
    long n;
    while (proc >= 0 && (n = syscall(SYS_getdents64, proc, buffer, sizeof buffer)) > 0)
        for (long at = 0; at < n;) {
            const struct Entry *e = (const struct Entry *)(const void *)(buffer + at);
            if (is_number(e->name) && is_marked(proc, e->name))
                killed += kill(number_of(e->name), SIGKILL) == 0;
            at += e->length;
        }
    if (proc >= 0)
        close(proc);
    return killed;
}

static void note(pid_t *groups, int *count, pid_t news) { // negative: it has ended
    for (int i = 0; i < *count; i++)
        if (groups[i] == -news) {
            groups[i] = groups[--*count];
            return;
        }
    if (news > 0 && *count < GUARD_GROUPS)
        groups[(*count)++] = news;
}

static _Noreturn void stand_guard(int from) {
    pid_t groups[GUARD_GROUPS], news;
    int count = 0;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    setsid();
    prctl(PR_SET_NAME, "ludens-guard");
    for (int fd = 0; fd < FDS_MOST; fd++)
        if (fd != from)
            close(fd);
    ssize_t n;
    while ((n = read(from, &news, sizeof news)) == (ssize_t)sizeof news ||
           (n < 0 && errno == EINTR))
        if (n > 0)
            note(groups, &count, news);
    for (int i = 0; i < count; i++)
        kill(-groups[i], SIGKILL);
    for (int i = 0; i < ROUNDS && kill_marked() > 0; i++) {
    }
    _exit(0);
}

// --- in the program ---

static void make_mark(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    snprintf(mark, sizeof mark, "%ld-%lld.%09ld-", (long)getpid(), (long long)t.tv_sec, t.tv_nsec);
}

static void start(void) {
    int ends[2];
    if (pipe(ends) != 0)
        return;
    int higher = fcntl(ends[1], F_DUPFD_CLOEXEC, 10); // 0, 1 and 2 may be closed in this program
    close(ends[1]);
    pid_t guard = higher >= 0 ? fork() : -1;
    if (guard == 0) {
        close(higher);
        stand_guard(ends[0]);
    }
    close(ends[0]);
    if (guard < 0 && higher >= 0)
        close(higher);
    to_guard = guard > 0 ? higher : -1;
}

const char *guard_mark(bool wanted) {
    pthread_once(&marked, make_mark);
    if (wanted)
        pthread_once(&started, start);
    return mark;
}

static void tell(pid_t news) {
    // A guard that somebody has killed must not be the end of this program.
    sigset_t broken, before;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    if (to_guard >= 0 && write(to_guard, &news, sizeof news) < 0 && errno == EPIPE)
        sigtimedwait(&broken, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void guard_add(pid_t group) {
    tell(group);
}

void guard_remove(pid_t group) {
    tell(-group);
}
