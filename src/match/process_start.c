// process_start: a bot is started; see process.h.
#include "match/process_parts.h"

#include "base/mem.h"
#include "base/now.h"
#include "match/guard.h"
#include "match/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define FDS_MOST 4096 // open files of this program, at most

extern char **environ;

typedef struct Pipes {
    int in[2], out[2], err[2], failed[2];
} Pipes;

static void close_pipes(Pipes *p) {
    int *all[] = {p->in, p->out, p->err, p->failed};
    for (int i = 0; i < 4; i++) {
        process_close(&all[i][0]);
        process_close(&all[i][1]);
    }
}

static bool open_pipes(Pipes *p) {
    int *all[] = {p->in, p->out, p->err, p->failed};
    bool ok = true;
    for (int i = 0; i < 4; i++)
        all[i][0] = all[i][1] = -1;
    for (int i = 0; i < 4 && ok; i++) {
        ok = pipe(all[i]) == 0;
        for (int k = 0; k < 2 && ok; k++) // 0, 1 and 2 may be closed in this program
            while (ok && all[i][k] <= 3) {
                int higher = fcntl(all[i][k], F_DUPFD, 10);
                ok = higher >= 0;
                close(all[i][k]);
                all[i][k] = higher;
            }
        for (int k = 0; k < 2 && ok; k++)
            ok = fcntl(all[i][k], F_SETFD, FD_CLOEXEC) == 0;
    }
    return ok;
}

// Behind fork: nothing but calls that are safe there. Everything else that is open is closed:
// files of the contest, and pipes of other bots, whose end would not be seen otherwise.
static _Noreturn void become(Pipes *p, char *const *words, char *const *environment, pid_t parent,
                             size_t tasks, bool data) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    dup2(p->in[0], 0);
    dup2(p->out[1], 1);
    dup2(p->err[1], 2);
    dup2(p->failed[1], 3);
    fcntl(3, F_SETFD, FD_CLOEXEC);
    for (int fd = 4; fd < FDS_MOST; fd++)
        close(fd);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    sandbox_limit(tasks, data);
    execve(words[0], words, environment);
    int reason = errno;
    ssize_t ignored = write(3, &reason, sizeof reason);
    (void)ignored;
    _exit(127);
}

// A bot is no rank of the program that mpirun started, whatever it is linked with.
static bool is_ours(const char *variable) {
    static const char *const names[] = {
        "LUDENS_RULES=", SANDBOX_TOKEN "=", "TMPDIR=", "OMPI_", "PMIX_", "PMI_"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(variable, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

// The variables of this program with the token in front.
static char **make_environment(const Process *p, const char *rules, const char *folder, Text *own) {
    int n = 0;
    while (environ[n])
        n++;
    char **all = mem_alloc(sizeof *all * (size_t)(n + 4));
    text_f(own, "%s=%s%cLUDENS_RULES=%s%cTMPDIR=%s", SANDBOX_TOKEN, p->token, 0, rules, 0,
           folder ? folder : "/tmp");
    if (!all || own->failed)
        return all;
    int k = 0;
    char *s = own->s;
    for (int i = 0; i < 3; i++) {
        all[k++] = s;
        s += strlen(s) + 1;
    }
    for (int i = 0; i < n; i++)
        if (!is_ours(environ[i]))
            all[k++] = environ[i];
    return all;
}

// The program that a word means, with its whole path; false if there is none.
static bool find_program(const char *word, Text *path, Text *why) {
    if (strchr(word, '/')) {
        text_add(path, word);
        if (access(word, X_OK) == 0)
            return true;
        text_f(why, "`%s` cannot be started: %s", word, strerror(errno));
        if (errno == EACCES)
            text_f(why, "; try `chmod +x %s`", word);
        return false;
    }
    const char *folders = getenv("PATH");
    for (const char *s = folders ? folders : "/usr/bin:/bin"; *s;) {
        size_t n = strcspn(s, ":");
        text_clear(path);
        text_f(path, "%.*s/%s", (int)n, s, word);
        if (n > 0 && access(text_c(path), X_OK) == 0)
            return true;
        s += n + (s[n] == ':');
    }
    text_f(why, "there is no program `%s`; a file in this folder is `./%s`", word, word);
    return false;
}

bool process_find(char *const *command, Text *why) {
    Text path = {0};
    bool found = find_program(command[0], &path, why);
    text_free(&path);
    return found;
}

static bool launch(Process *p, Pipes *pipes, char *const *words, char *const *environment,
                   Text *why) {
    pid_t parent = getpid();
    size_t tasks = sandbox_tasks();
    bool data = sandbox_data();
    p->pid = fork();
    if (p->pid == 0)
        become(pipes, words, environment, parent, tasks, data);
    if (p->pid < 0) {
        text_f(why, "no process can be started: %s", strerror(errno));
        return false;
    }
    setpgid(p->pid, p->pid);
    guard_add(p->pid);
    process_close(&pipes->failed[1]);
    int reason = 0;
    ssize_t n;
    while ((n = read(pipes->failed[0], &reason, sizeof reason)) < 0 && errno == EINTR)
        ;
    if (n == (ssize_t)sizeof reason) {
        text_f(why, "`%s` cannot be started: %s", words[0], strerror(reason));
        if (reason == ENOEXEC)
            text_add(why, "; a script begins with `#!` and its program");
        return false;
    }
    return true;
}

static void take_over(Process *p, Pipes *pipes) {
    p->in = pipes->in[1];
    p->out = pipes->out[0];
    p->err = pipes->err[0];
    pipes->in[1] = pipes->out[0] = pipes->err[0] = -1;
    fcntl(p->in, F_SETFL, O_NONBLOCK);
    fcntl(p->out, F_SETFL, O_NONBLOCK);
    fcntl(p->err, F_SETFL, O_NONBLOCK);
    p->said = p->looked = now_seconds();
}

Process *process_start(const ProcessSetup *setup, Text *why) {
    static atomic_uint started;
    Process *p = mem_alloc(sizeof *p);
    Text path = {0}, own = {0};
    Pipes pipes;
    bool ok = open_pipes(&pipes) && p, found = ok && find_program(setup->command[0], &path, why);
    char **words = NULL, **environment = NULL;
    if (p) {
        p->in = p->out = p->err = -1;
        const char *mark = guard_mark(!sandbox_here()->bubblewrap);
        snprintf(p->token, sizeof p->token, "%s%u", mark, atomic_fetch_add(&started, 1));
    }
    if (found) {
        char *first = setup->command[0];
        char **command = (char **)setup->command;
        command[0] = path.s;
        words = sandbox_wrap(sandbox_here(), command, setup->folder, setup->needed);
        command[0] = first;
        environment = make_environment(p, setup->rules, setup->folder, &own);
    }
    if (ok && found && words && environment && !own.failed)
        ok = launch(p, &pipes, words, environment, why);
    else
        ok = false;
    if (ok)
        take_over(p, &pipes);
    else if (!why->n)
        text_add(why, "out of memory or of files");
    close_pipes(&pipes);
    sandbox_free(words);
    mem_free(environment);
    text_free(&path);
    text_free(&own);
    if (ok)
        return p;
    process_free(p);
    return NULL;
}
