// table_talk: see table_talk.h.
#include "cli/table_talk.h"

#include "base/mem.h"
#include "base/now.h"
#include "cli/cli.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define SPEAKER "espeak-ng"
#define CTRL_C 3
#define CTRL_D 4
#define POLL_MS 5 // how soon a Ctrl-C from outside the terminal is seen

extern char **environ;

struct Talk {
    bool voice, terminal;
    TalkWhere where;
    struct termios usual; // of the terminal
    pid_t speaker;        // who speaks just now, or 0
    pthread_t thread;
    pthread_mutex_t lock; // of everything below
    pthread_cond_t news;
    bool end, over;
    Controller *moving;
    bool looking;       // it does not move: keys are for typing
    bool waking;        // what stops it is not taken up again
    Text typing, lines; // what is being typed; whole lines, each with its end
};

// --- saying ---

static bool has_speaker(void) {
    const char *path = getenv("PATH");
    for (const char *s = path ? path : ""; *s;) {
        size_t n = strcspn(s, ":");
        Text file = {0};
        text_f(&file, "%.*s/%s", (int)n, s, SPEAKER);
        bool found = access(text_c(&file), X_OK) == 0;
        text_free(&file);
        if (found)
            return true;
        s += n + (s[n] == ':');
    }
    return false;
}

// Whoever still speaks is interrupted: what is new is what matters.
static void hush(Talk *t) {
    if (t->speaker > 0) {
        kill(t->speaker, SIGTERM);
        waitpid(t->speaker, NULL, 0);
    }
    t->speaker = 0;
}

static void speak(Talk *t, const char *line) {
    char *const argv[] = {SPEAKER, "--", (char *)line, NULL};
    posix_spawn_file_actions_t files;
    hush(t);
    if (posix_spawn_file_actions_init(&files) != 0)
        return;
    for (int fd = 0; fd < 3; fd++)
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", fd ? O_WRONLY : O_RDONLY, 0);
    if (posix_spawnp(&t->speaker, SPEAKER, &files, NULL, argv, environ) != 0)
        t->speaker = 0;
    posix_spawn_file_actions_destroy(&files);
}

static void show_line(const Talk *t, const char *line) {
    FILE *to = t->where == TALK_OUT ? stdout : stderr;
    fprintf(to, "%s\n", line);
    fflush(to);
}

void talk_show(Talk *t, const char *format, ...) {
    Text line = {0};
    va_list args;
    if (t->where == TALK_QUESTIONS)
        return;
    va_start(args, format);
    text_vf(&line, format, args);
    va_end(args);
    show_line(t, text_c(&line));
    text_free(&line);
}

void talk_say(Talk *t, const char *line) {
    talk_show(t, "%s", line);
    if (t->voice)
        speak(t, line);
}

// --- keys ---

static void echo(const Talk *t, const char *s) {
    int to = t->where == TALK_OUT ? STDOUT_FILENO : STDERR_FILENO;
    if (t->terminal && write(to, s, strlen(s)) < 0)
        return; // nobody sees it
}

static void end_line(Talk *t) {
    text_add(&t->lines, text_c(&t->typing));
    text_char(&t->lines, '\n');
    text_clear(&t->typing);
    pthread_cond_signal(&t->news);
}

// The lock is held.
static void stop_arm(Talk *t) {
    Text why = {0};
    if (controller_stop(t->moving, &why) != CONTROLLER_OK)
        talk_show(t, "%s", text_c(&why));
    text_free(&why);
}

// The lock is held.
static void take_key(Talk *t, char key) {
    bool stops = key == CTRL_C || (!t->looking && (key == ' ' || key == '\r' || key == '\n'));
    if (t->moving && stops) {
        stop_arm(t);
        if (key == CTRL_C && t->waking)
            cli_interrupt();
    } else if (key == CTRL_C) {
        cli_interrupt();
    } else if (key == CTRL_D && t->typing.n == 0) {
        text_add(&t->typing, "quit");
        end_line(t);
    } else if (key == '\r' || key == '\n') {
        echo(t, "\n");
        end_line(t);
    } else if ((key == 127 || key == 8) && t->typing.n > 0) {
        t->typing.s[--t->typing.n] = 0;
        echo(t, "\b \b");
    } else if ((unsigned char)key >= ' ' && key != 127 && t->typing.n < 200) {
        char text[2] = {key, 0};
        text_char(&t->typing, key);
        echo(t, text);
    }
}

// Takes what is there. The lock is held, so that talk_ask can drop all that came before. False if
// there was nothing.
static bool read_keys(Talk *t) {
    struct pollfd p = {.fd = t->over ? -1 : STDIN_FILENO, .events = POLLIN};
    char keys[64];
    ssize_t n = poll(&p, 1, 0) > 0 ? read(STDIN_FILENO, keys, sizeof keys) : -1;
    bool gone = (p.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0; // a terminal that was closed
    for (ssize_t i = 0; i < n; i++)
        take_key(t, keys[i]);
    if (n == 0 || (n < 0 && gone) || cli_interrupted()) {
        t->over = true;
        pthread_cond_signal(&t->news);
    }
    return n > 0;
}

static void *listen(void *with) {
    Talk *t = with;
    bool end = false, over = false;
    while (!end) {
        struct pollfd p = {.fd = over ? -1 : STDIN_FILENO, .events = POLLIN};
        poll(&p, 1, POLL_MS);
        pthread_mutex_lock(&t->lock);
        read_keys(t);
        if (cli_interrupted() && t->moving && !controller_is_stopped(t->moving))
            stop_arm(t);
        over = t->over;
        end = t->end;
        pthread_mutex_unlock(&t->lock);
    }
    return NULL;
}

// Lines that a pipe has before the arm moves are answers, and no keys that stop it.
static void stop_by_keys(Talk *t, Controller *c, bool looking, bool waking) {
    pthread_mutex_lock(&t->lock);
    while (c && !t->moving && !t->terminal && read_keys(t))
        ;
    t->moving = c;
    t->looking = looking;
    t->waking = waking;
    pthread_mutex_unlock(&t->lock);
}

void talk_moving(Talk *t, Controller *c) {
    stop_by_keys(t, c, false, false);
}

void talk_looking(Talk *t, Controller *c) {
    stop_by_keys(t, c, true, false);
}

void talk_waking(Talk *t, Controller *c) {
    stop_by_keys(t, c, false, true);
}

void talk_ask(Talk *t, const char *question) {
    pthread_mutex_lock(&t->lock);
    if (t->terminal) {
        tcflush(STDIN_FILENO, TCIFLUSH);
        if (t->typing.n)
            echo(t, "\n");
        text_clear(&t->typing);
        text_clear(&t->lines);
    }
    pthread_mutex_unlock(&t->lock);
    show_line(t, question);
    if (t->voice)
        speak(t, question);
}

bool talk_line(Talk *t, double seconds, Text *line) {
    struct timespec until = now_plus(seconds);
    pthread_mutex_lock(&t->lock);
    while (t->lines.n == 0 && !t->over && pthread_cond_timedwait(&t->news, &t->lock, &until) == 0)
        ;
    bool found = t->lines.n > 0;
    if (found) {
        size_t n = strcspn(t->lines.s, "\n");
        text_add_n(line, t->lines.s, n);
        memmove(t->lines.s, t->lines.s + n + 1, t->lines.n - n);
        t->lines.n -= n + 1;
    }
    pthread_mutex_unlock(&t->lock);
    return found;
}

bool talk_over(Talk *t) {
    pthread_mutex_lock(&t->lock);
    bool over = t->over && t->lines.n == 0;
    pthread_mutex_unlock(&t->lock);
    return over;
}

// --- the whole ---

// Keys come one by one and Ctrl-C is a key.
static void take_terminal(Talk *t) {
    struct termios keys;
    t->terminal = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &t->usual) == 0;
    if (!t->terminal)
        return;
    keys = t->usual;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &keys);
}

Talk *talk_open(bool voice, TalkWhere where, Text *why) {
    Talk *t = mem_alloc(sizeof *t);
    if (!t) {
        text_add(why, "out of memory");
        return NULL;
    }
    t->where = where;
    t->voice = voice && has_speaker();
    if (voice && !t->voice)
        text_add(why, SPEAKER " is not installed: nothing is said aloud");
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->news, NULL);
    take_terminal(t);
    if (pthread_create(&t->thread, NULL, listen, t) == 0)
        return t;
    text_add(why, "there is no thread to be had");
    if (t->terminal)
        tcsetattr(STDIN_FILENO, TCSANOW, &t->usual);
    mem_free(t);
    return NULL;
}

void talk_close(Talk *t) {
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->end = true;
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    if (t->terminal)
        tcsetattr(STDIN_FILENO, TCSANOW, &t->usual);
    if (t->speaker > 0)
        waitpid(t->speaker, NULL, WNOHANG); // it may finish without us
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->news);
    text_free(&t->typing);
    text_free(&t->lines);
    mem_free(t);
}
