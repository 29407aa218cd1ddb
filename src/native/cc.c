// cc: see cc.h.

#include "native/cc.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/now.h"
#include "native/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

// `CC="ccache gcc -m64"` has three words; more than this is not a compiler's name.
#define CC_WORDS 16
#define CC_LENGTH 512

// Splits $CC into words inside `buffer`; returns how many.
static int command_words(char buffer[CC_LENGTH], char *words[CC_WORDS]) {
    const char *cc = getenv("CC");
    if (!cc || !*cc || strlen(cc) >= CC_LENGTH)
        cc = "cc";
    memcpy(buffer, cc, strlen(cc) + 1);
    int n = 0;
    char *rest = NULL;
    for (char *w = strtok_r(buffer, " \t", &rest); w && n < CC_WORDS;
         w = strtok_r(NULL, " \t", &rest))
        words[n++] = w;
    return n;
}

// Finds a program on the PATH, as execvp would.
static bool find_program(const char *name, Text *path) {
    if (strchr(name, '/')) {
        text_add(path, name);
        return access(name, X_OK) == 0;
    }
    const char *s = getenv("PATH");
    while (s && *s) {
        size_t n = strcspn(s, ":");
        text_clear(path);
        text_add_n(path, s, n);
        text_f(path, "%s%s", n ? "/" : "./", name);
        if (access(text_c(path), X_OK) == 0)
            return true;
        s += n + (s[n] == ':');
    }
    return false;
}

bool cc_find(uint64_t *id, Text *why) {
    char buffer[CC_LENGTH], *words[CC_WORDS];
    int n = command_words(buffer, words);
    Text path = {0};
    struct stat s;
    bool found = n > 0 && find_program(words[0], &path) && stat(text_c(&path), &s) == 0;
    if (!found) {
        text_f(why, "there is no C compiler `%s`", n ? words[0] : "cc");
    } else {
        // A compiler that is replaced has another size or time.
        int64_t facts[4] = {(int64_t)s.st_size, (int64_t)s.st_mtim.tv_sec,
                            (int64_t)s.st_mtim.tv_nsec, (int64_t)s.st_ino};
        *id = cache_hash(0, facts, sizeof facts);
        for (int i = 0; i < n; i++)
            *id = cache_hash(*id, words[i], strlen(words[i]));
        static const char *const flags[] = {CC_FLAGS};
        for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
            *id = cache_hash(*id, flags[i], strlen(flags[i]));
    }
    text_free(&path);
    return found;
}

// The environment with TMPDIR=folder: what a compiler that is killed leaves behind goes with the
// folder. NULL when out of memory.
static char **environment(char *tmpdir) {
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **list = mem_alloc(sizeof *list * (n + 2));
    for (size_t i = 0; list && i < n; i++)
        if (strncmp(environ[i], "TMPDIR=", 7) != 0)
            list[kept++] = environ[i];
    if (list)
        list[kept] = tmpdir;
    return list;
}

static bool start(const char *source, const char *object, const char *messages, pid_t *child) {
    static const char *const flags[] = {CC_FLAGS};
    char buffer[CC_LENGTH], *words[CC_WORDS];
    const char *argv[CC_WORDS + 32];
    int n = command_words(buffer, words), argc = 0;
    for (int i = 0; i < n; i++)
        argv[argc++] = words[i];
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        argv[argc++] = flags[i];
    argv[argc++] = "-o";
    argv[argc++] = object;
    argv[argc++] = source;
    argv[argc] = NULL;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    // A group of its own: Ctrl-C in the terminal is for the program, which then ends the group.
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    Text tmpdir = {0};
    text_f(&tmpdir, "TMPDIR=%.*s", (int)(strrchr(object, '/') - object), object);
    char **env = tmpdir.failed ? NULL : environment(tmpdir.s);
    int error = env ? posix_spawnp(child, words[0], &actions, &attributes, (char *const *)argv, env)
                    : ENOMEM;
    mem_free(env);
    text_free(&tmpdir);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    errno = error;
    return error == 0;
}

// Waits in small steps, so that a cancelled compilation ends within milliseconds.
static bool wait_for(pid_t child, const atomic_bool *cancel, int *status, Text *why) {
    double limit = now_seconds() + CC_SECONDS;
    for (;;) {
        pid_t done = waitpid(child, status, WNOHANG);
        if (done == child)
            return true;
        if (done < 0 && errno == ECHILD) { // the process ignores SIGCHLD: no status is kept
            *status = 0;                   // what there is of an object tells
            return true;
        }
        bool cancelled = cancel && atomic_load(cancel);
        if (cancelled || now_seconds() > limit || (done < 0 && errno != EINTR)) {
            kill(-child, SIGKILL);
            waitpid(child, status, 0);
            text_f(why, cancelled ? "cancelled" : "the C compiler takes more than %d seconds",
                   CC_SECONDS);
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

// The first lines of what the compiler said.
static void add_messages(const char *messages, Text *why) {
    Text ignored = {0};
    size_t size = 0;
    char *text = file_read(messages, FILE_LIMIT, &size, &ignored);
    text_add(why, "the C compiler failed");
    if (text && size) {
        size_t n = strcspn(text, "\n");
        text_add(why, ": ");
        text_visible(why, text, n < 300 ? n : 300);
    }
    mem_free(text);
    text_free(&ignored);
}

bool cc_run(const char *source, const char *object, const atomic_bool *cancel, Text *why) {
    Text messages = {0};
    text_f(&messages, "%s.log", object);
    pid_t child;
    int status;
    bool ok = start(source, object, text_c(&messages), &child);
    if (!ok)
        text_f(why, "the C compiler cannot be started: %s", strerror(errno));
    ok = ok && wait_for(child, cancel, &status, why);
    if (ok && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        add_messages(text_c(&messages), why);
        ok = false;
    }
    unlink(text_c(&messages));
    text_free(&messages);
    return ok;
}
