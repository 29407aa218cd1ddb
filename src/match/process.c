// process: see process.h.
#include "match/process_parts.h"

#include "base/mem.h"
#include "base/now.h"
#include "match/guard.h"
#include "match/sandbox.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TICK 0.02       // seconds between two looks at `stop`
#define LOOK 0.25       // seconds between two looks at memory and processes,
#define LOOK_AT_LEAST 2 //   if it answers quickly
#define END_SECONDS 0.5 // that a process has to end when its output has ended

void process_close(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void rest(double seconds) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

// --- ending ---

static bool has_ended(Process *p) {
    struct rusage use;
    if (!p->ended && p->pid > 0 && wait4(p->pid, &p->status, WNOHANG, &use) == p->pid) {
        p->ended = true;
        p->most = (size_t)use.ru_maxrss << 10;
    }
    return p->ended;
}

static void kill_all(Process *p) {
    if (p->pid <= 0)
        return;
    kill(-p->pid, SIGKILL);
    if (!p->ended)
        kill(p->pid, SIGKILL);
    sandbox_kill(p->token);
    guard_remove(p->pid);
    while (!p->ended && waitpid(p->pid, &p->status, 0) < 0 && errno == EINTR)
        ;
    p->ended = true;
}

void process_free(Process *p) {
    if (!p)
        return;
    kill_all(p);
    process_close(&p->in);
    process_close(&p->out);
    process_close(&p->err);
    text_free(&p->heard);
    text_free(&p->errors);
    mem_free(p);
}

bool process_ending(Process *p, Text *out) {
    for (double until = now_seconds() + END_SECONDS; !has_ended(p) && now_seconds() < until;)
        rest(0.002);
    if (!p->ended) {
        text_f(out, "has closed its %s", p->out < 0 ? "output" : "input, or does not read it");
        return false;
    }
    int number = WIFSIGNALED(p->status) ? WTERMSIG(p->status) : 0;
    if (WIFEXITED(p->status) && WEXITSTATUS(p->status) > 128 && sandbox_here()->bubblewrap)
        number = WEXITSTATUS(p->status) - 128; // bubblewrap tells it so
    if (number)
        text_f(out, "was ended by signal %d (%s)", number, strsignal(number));
    else
        text_f(out, "has ended with status %d", WEXITSTATUS(p->status));
    return number == SIGXCPU || number == SIGXFSZ || p->most > SANDBOX_MEMORY;
}

const char *process_errors(const Process *p) {
    return text_c(&p->errors);
}

// --- listening ---

// The end is what tells most.
static void keep_errors(Process *p, const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        text_char(&p->errors, s[i] ? s[i] : '?'); // it is read as a C string
    if (p->errors.n > 2 * PROCESS_TAIL) {
        size_t cut = p->errors.n - PROCESS_TAIL;
        memmove(p->errors.s, p->errors.s + cut, PROCESS_TAIL + 1);
        p->errors.n = PROCESS_TAIL;
    }
}

// What is there to be read now.
static void drain(Process *p, int *fd, bool is_output) {
    char portion[8192];
    for (int i = 0; i < 8 && *fd >= 0; i++) {
        ssize_t n = read(*fd, portion, sizeof portion);
        if (n < 0 && errno != EINTR)
            return;
        if (n == 0)
            process_close(fd);
        if (n <= 0)
            continue;
        p->since += (size_t)n;
        if (is_output)
            text_add_n(&p->heard, portion, (size_t)n);
        else
            keep_errors(p, portion, (size_t)n);
    }
}

static bool floods(const Process *p) {
    double seconds = now_seconds() - p->said;
    return (double)p->since > (double)PROCESS_FLOOD + (double)PROCESS_RATE * seconds;
}

// A line that is complete; at the end of the output also one without its end.
static bool take_line(Process *p, Text *line) {
    size_t left = p->heard.n - p->taken;
    const char *s = text_c(&p->heard) + p->taken, *end = left ? memchr(s, '\n', left) : NULL;
    if (!end && !(p->out < 0 && left > 0))
        return false;
    size_t n = end ? (size_t)(end - s) : left;
    text_clear(line);
    text_add_n(line, s, n);
    p->taken += n + (end != NULL);
    if (p->taken == p->heard.n) {
        text_clear(&p->heard);
        p->taken = 0;
    }
    return true;
}

// Not while an answer may come at once, unless the last look was long ago: it takes milliseconds.
static bool breaks_limits(Process *p, bool waits, Text *why) {
    double since = now_seconds() - p->looked;
    SandboxUse use;
    if (since < (waits ? LOOK : LOOK_AT_LEAST))
        return false;
    sandbox_look(p->token, &use);
    p->looked = now_seconds();
    if (use.processes > SANDBOX_PROCESSES)
        text_f(why, "%d processes, more than %d", use.processes, SANDBOX_PROCESSES);
    else if (use.memory > SANDBOX_MEMORY)
        text_f(why, "%zu MB of memory, more than %zu", use.memory >> 20, SANDBOX_MEMORY >> 20);
    return use.processes > SANDBOX_PROCESSES || use.memory > SANDBOX_MEMORY;
}

static void wait_for_news(Process *p, double seconds) {
    struct pollfd fds[2] = {{.fd = p->out, .events = POLLIN}, {.fd = p->err, .events = POLLIN}};
    int ms = (int)(seconds * 1000) + 1;
    poll(fds, 2, ms);
    drain(p, &p->out, true);
    drain(p, &p->err, false);
}

Heard process_hear(Process *p, double deadline, const atomic_bool *stop, Text *line) {
    for (bool waits = false;; waits = true) {
        text_clear(line);
        if (take_line(p, line) && line->n <= PROCESS_LINE)
            return HEARD_LINE;
        if (line->n || p->heard.n - p->taken > PROCESS_LINE) {
            text_clear(line);
            text_f(line, "a line of more than %zu bytes", PROCESS_LINE);
            return HEARD_TOO_LONG;
        }
        if (floods(p)) {
            text_f(line, "%zu bytes of output at once", p->since);
            return HEARD_FLOOD;
        }
        if (p->out < 0) {
            drain(p, &p->err, false);
            return HEARD_END;
        }
        if (breaks_limits(p, waits, line))
            return HEARD_LIMIT;
        double now = now_seconds();
        if (stop && atomic_load(stop))
            return HEARD_STOPPED;
        if (now >= deadline)
            return HEARD_NOTHING;
        double left = deadline - now, most = stop ? TICK : LOOK;
        wait_for_news(p, left < most ? left : most);
    }
}

// --- speaking ---

// A write to a pipe that nobody reads ends a program by a signal; here it is an answer.
static ssize_t write_quietly(int fd, const char *s, size_t n) {
    sigset_t broken, before;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    ssize_t written = write(fd, s, n);
    int reason = errno;
    if (written < 0 && reason == EPIPE)
        sigtimedwait(&broken, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return written;
}

bool process_say(Process *p, const char *line, double deadline) {
    Text text = {0};
    text_f(&text, "%s\n", line);
    size_t done = 0;
    bool ok = !text.failed && p->in >= 0;
    while (ok && done < text.n) {
        ssize_t n = write_quietly(p->in, text.s + done, text.n - done);
        if (n > 0)
            done += (size_t)n;
        else if (n < 0 && errno != EAGAIN && errno != EINTR)
            ok = false;
        else if (now_seconds() >= deadline || floods(p))
            ok = false;
        else // it may be stuck because nobody reads what it says
            wait_for_news(p, TICK);
    }
    p->since = p->heard.n - p->taken;
    p->said = now_seconds();
    text_free(&text);
    return ok;
}
