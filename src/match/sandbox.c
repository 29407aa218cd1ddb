// sandbox: see sandbox.h.
#include "match/sandbox.h"

#include "base/mem.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS 64
#define KILL_ROUNDS 100

// Programs with the address sanitizer reserve terabytes that count as data; so would the rules
// server that bots start.
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif
#define ENVIRONMENT 32768 // bytes that are looked at; shells sort as they like

// --- what this machine can do ---

static bool unwanted(void) {
    const char *wish = getenv("LUDENS_SANDBOX");
    return wish && strcmp(wish, "none") == 0;
}

static const char *bwrap_path(void) {
    static const char *const places[] = {"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"};
    for (int i = 0; i < 3; i++)
        if (access(places[i], X_OK) == 0)
            return places[i];
    return NULL;
}

static bool works(char *const *words) {
    pid_t child = fork();
    if (child < 0)
        return false;
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        for (int fd = 0; fd < 3; fd++)
            dup2(null, fd);
        execv(words[0], words);
        _exit(127);
    }
    int status = -1;
    while (waitpid(child, &status, 0) < 0)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool try_bubblewrap(Sandbox *s) {
    static char *const command[] = {(char *)"true", NULL};
    char **words = sandbox_wrap(s, command, NULL, NULL);
    bool ok = words && works(words);
    sandbox_free(words);
    return ok;
}

static Sandbox here; // a fact about the machine: written once, before anybody reads it
static pthread_once_t looked = PTHREAD_ONCE_INIT;

static void look_around(void) {
    here.bubblewrap = here.proc = bwrap_path() && !unwanted();
    if (here.bubblewrap && !try_bubblewrap(&here)) {
        here.proc = false;
        here.bubblewrap = try_bubblewrap(&here);
    }
    const char *fence = here.bubblewrap ? "no network, writes in its folder only"
                        : unwanted()    ? "network and files not limited (LUDENS_SANDBOX is none)"
                        : bwrap_path()
                            ? "network and files not limited (bubblewrap is not allowed here)"
                            : "network and files not limited (bubblewrap is not installed)";
    snprintf(here.words, sizeof here.words, "%s, %zu MB, %d processes, files of %zu MB, %d s CPU",
             fence, SANDBOX_MEMORY >> 20, SANDBOX_PROCESSES, SANDBOX_FILE >> 20,
             SANDBOX_CPU_SECONDS);
}

const Sandbox *sandbox_here(void) {
    pthread_once(&looked, look_around);
    return &here;
}

// --- the command ---

typedef struct Words {
    char *word[WORDS];
    int count;
    bool failed;
} Words;

static void add(Words *w, const char *word) {
    char *copy = w->count < WORDS - 1 ? mem_text(word) : NULL;
    w->failed = w->failed || !copy;
    if (copy)
        w->word[w->count++] = copy;
}

static void add_all(Words *w, const char *const *words) {
    for (; *words; words++)
        add(w, *words);
}

static bool lies_in(const char *path, const char *folder) {
    size_t n = strlen(folder);
    return path && strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

// Folders with sockets and files of others are emptied, unless something in them is needed.
static void hide(Words *w, const char *folder, const char *program, const char *const *needed) {
    char here_now[4096];
    bool keep = access(folder, F_OK) != 0 || lies_in(program, folder);
    keep = keep || (getcwd(here_now, sizeof here_now) && lies_in(here_now, folder));
    for (int i = 0; needed && needed[i]; i++)
        keep = keep || lies_in(needed[i], folder);
    if (!keep)
        add_all(w, (const char *const[]){"--tmpfs", folder, NULL});
}

static void add_fence(Words *w, const Sandbox *s, const char *program, const char *folder,
                      const char *const *needed) {
    add(w, bwrap_path());
    add_all(w,
            (const char *const[]){"--ro-bind", "/", "/", "--dev", "/dev", "--unshare-net",
                                  "--unshare-ipc", "--unshare-uts", "--unshare-pid",
                                  "--die-with-parent", "--new-session", "--cap-drop", "ALL", NULL});
    if (s->proc)
        add_all(w, (const char *const[]){"--proc", "/proc", NULL});
    hide(w, "/run", program, needed);
    hide(w, "/tmp", program, needed);
    if (folder)
        add_all(w, (const char *const[]){"--bind", folder, folder, NULL});
    add(w, "--");
}

char **sandbox_wrap(const Sandbox *s, char *const *command, const char *folder,
                    const char *const *needed) {
    Words w = {0};
    if (s->bubblewrap)
        add_fence(&w, s, command[0], folder, needed);
    add_all(&w, (const char *const *)command);
    char **words = w.failed ? NULL : mem_alloc(sizeof *words * WORDS);
    if (words)
        memcpy(words, w.word, sizeof w.word);
    for (int i = 0; !words && i < w.count; i++)
        mem_free(w.word[i]);
    return words;
}

void sandbox_free(char **words) {
    for (int i = 0; words && words[i]; i++)
        mem_free(words[i]);
    mem_free(words);
}

// --- limits ---

static void limit(__rlimit_resource_t what, size_t most) {
    struct rlimit r = {0};
    getrlimit(what, &r);
    if (r.rlim_max == RLIM_INFINITY || r.rlim_max > most)
        r.rlim_max = most;
    r.rlim_cur = r.rlim_max;
    setrlimit(what, &r);
}

// Memory that is asked for counts, not what is reserved: Node reserves terabytes. The processes of
// a bot are counted by sandbox_look: the system counts all of a user together, and those of root
// not at all.
size_t sandbox_tasks(void) {
    char text[128];
    unsigned long all = 0;
    const char *slash = NULL;
    FILE *load = fopen("/proc/loadavg", "re");
    if (load && fgets(text, sizeof text, load))
        slash = strchr(text, '/');
    if (slash)
        all = strtoul(slash + 1, NULL, 10);
    if (load)
        fclose(load);
    return all ? all + SANDBOX_TASKS : 0;
}

bool sandbox_data(void) {
    return !unwanted() && !SANITIZED;
}

void sandbox_limit(size_t tasks, bool data) {
    if (tasks)
        limit(RLIMIT_NPROC, tasks);
    if (data)
        limit(RLIMIT_DATA, SANDBOX_DATA);
    limit(RLIMIT_FSIZE, SANDBOX_FILE);
    limit(RLIMIT_CPU, SANDBOX_CPU_SECONDS);
    limit(RLIMIT_CORE, 0);
}

// --- the processes of a bot ---

// A file of /proc into a buffer; the bytes that were read, 0 if there is none.
static size_t read_proc(const char *pid, const char *name, char *buffer, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%.20s/%s", pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, buffer, size - 1);
    close(fd);
    buffer[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

static bool has_token(const char *pid, const char *token) {
    char environment[ENVIRONMENT];
    size_t n = strlen(SANDBOX_TOKEN), got = read_proc(pid, "environ", environment, ENVIRONMENT);
    for (const char *s = environment; s < environment + got; s += strlen(s) + 1)
        if (strncmp(s, SANDBOX_TOKEN "=", n + 1) == 0)
            return strcmp(s + n + 1, token) == 0;
    return false;
}

typedef void Visit(void *with, const char *pid);

static void each_process(const char *token, Visit *visit, void *with) {
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    while (proc && (entry = readdir(proc)))
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && has_token(entry->d_name, token))
            visit(with, entry->d_name);
    if (proc)
        closedir(proc);
}

static void count_use(void *with, const char *pid) {
    SandboxUse *use = with;
    char numbers[128];
    unsigned long size = 0, resident = 0;
    if (read_proc(pid, "statm", numbers, sizeof numbers) == 0)
        return;
    use->processes++;
    if (sscanf(numbers, "%lu %lu", &size, &resident) == 2)
        use->memory += (size_t)resident * (size_t)sysconf(_SC_PAGESIZE);
}

void sandbox_look(const char *token, SandboxUse *use) {
    *use = (SandboxUse){0};
    each_process(token, count_use, use);
}

static void kill_one(void *with, const char *pid) {
    ++*(int *)with;
    kill((pid_t)strtol(pid, NULL, 10), SIGKILL);
}

// Again and again: a process may have made another one meanwhile.
void sandbox_kill(const char *token) {
    int found = 1;
    for (int i = 0; i < KILL_ROUNDS && found > 0; i++) {
        found = 0;
        each_process(token, kill_one, &found);
    }
}
