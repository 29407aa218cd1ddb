// sim_board: see sim_board.h. The commands are those of the SSC-32U's user guide.
#define _GNU_SOURCE // ptsname_r
#include "robot/sim_board.h"

#include "base/mem.h"
#include "base/now.h"
#include "base/rng.h"
#include "robot/serial.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define LINE 512
#define SERVO_SPEED                                                                                \
    5000.0 // microseconds of pulse a second that a servo can follow: 90 degrees in 0.2 s
#define RATE_MOST 1000.0

typedef struct Servo {
    bool warm;              // was commanded since power-on
    double from, to;        // of the movement it makes
    double begin, duration; // simulated seconds
    double real, looked;    // where the servo itself was, and when
} Servo;

struct SimBoard {
    pthread_t thread;
    pthread_mutex_t lock; // of everything below
    atomic_bool end;
    int fd, keep; // the board's side; the other side, held open so that nothing hangs up
    char port[64];
    double rate, started;
    Rng rng;
    SimFaults faults;
    SimCounts counts;
    Servo servo[SIM_CHANNELS];
    double at; // simulated seconds: so far the servos have been followed
    SimStep step;
    void *step_with;
    char line[LINE];
    int n;
    bool too_long;
};

// --- servos ---

double sim_board_seconds(const SimBoard *b) {
    return (now_seconds() - b->started) * b->rate;
}

static double commanded(const Servo *s, double now) {
    double part = s->duration > 0 ? (now - s->begin) / s->duration : 1;
    return part >= 1 ? s->to : s->from + (s->to - s->from) * fmax(part, 0);
}

// The servo itself follows as fast as it can, unless it is stuck.
static void follow(SimBoard *b, int channel, double now) {
    Servo *s = &b->servo[channel];
    double want = commanded(s, now), most = (now - s->looked) * SERVO_SPEED;
    if (s->warm && !(b->faults.stuck >> channel & 1)) {
        if (s->real == 0)
            s->real = want;
        else
            s->real += fmax(-most, fmin(most, want - s->real));
    }
    s->looked = now;
}

// Whether a servo is on its way, or about to be.
static bool under_way(const SimBoard *b) {
    for (int i = 0; i < SIM_CHANNELS; i++) {
        const Servo *s = &b->servo[i];
        if (s->warm && (b->at < s->begin + s->duration || fabs(s->real - s->to) > 0.01))
            return true;
    }
    return false;
}

// Brings the servos from where they were to where they are now.
static void advance(SimBoard *b, double now) {
    while (b->at < now) {
        bool step = b->step && under_way(b);
        double pulse[SIM_CHANNELS];
        b->at = step ? fmin(b->at + SIM_STEP, now) : now;
        for (int i = 0; i < SIM_CHANNELS; i++) {
            follow(b, i, b->at);
            pulse[i] = b->servo[i].real;
        }
        if (step)
            b->step(b->step_with, pulse, &b->faults);
    }
}

static void start(SimBoard *b, int channel, double to, double seconds, double now) {
    Servo *s = &b->servo[channel];
    bool jump = !s->warm || seconds <= 0;
    b->counts.jumps += jump;
    *s = (Servo){true, jump ? to : commanded(s, now), to, now, jump ? 0 : seconds, s->real, now};
}

static bool moving(const SimBoard *b, double now) {
    for (int i = 0; i < SIM_CHANNELS; i++)
        if (b->servo[i].warm && now < b->servo[i].begin + b->servo[i].duration)
            return true;
    return false;
}

// --- answers ---

static bool chance(SimBoard *b, double share) {
    return share > 0 && (double)(rng_next(&b->rng) >> 11) < share * 9007199254740992.0;
}

static void answer(SimBoard *b, const char *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        char byte = data[i];
        if (chance(b, b->faults.lose_back))
            continue;
        if (chance(b, b->faults.garble))
            byte = (char)rng_below(&b->rng, 256);
        if (write(b->fd, &byte, 1) < 0 && errno != EAGAIN)
            return; // nobody listens: the real one would not notice either
    }
}

// --- commands ---

typedef struct Cursor {
    const char *at;
} Cursor;

static bool word(Cursor *c, const char *text) {
    size_t n = strlen(text);
    if (strncmp(c->at, text, n) != 0)
        return false;
    c->at += n;
    return true;
}

static bool number(Cursor *c, long *out) {
    char *end;
    if (!isdigit((unsigned char)*c->at) && *c->at != '-')
        return false;
    *out = strtol(c->at, &end, 10);
    bool ok = end > c->at && labs(*out) < 1000000;
    c->at = end;
    return ok;
}

// #ch P width [S speed] … [T time]: all of it, or nothing.
static bool move_group(SimBoard *b, Cursor c, double now) {
    struct {
        int channel;
        double to, speed;
    } part[SIM_CHANNELS];
    int parts = 0;
    long channel, width, speed, time = 0;
    while (word(&c, "#")) {
        if (parts == SIM_CHANNELS || !number(&c, &channel) || channel < 0 ||
            channel >= SIM_CHANNELS || !word(&c, "P") || !number(&c, &width))
            return false;
        if (width < 500 || width > 2500) {
            b->counts.beyond++;
            return false;
        }
        speed = 0;
        if (word(&c, "S") && (!number(&c, &speed) || speed < 1))
            return false;
        part[parts].channel = (int)channel;
        part[parts].to = (double)width;
        part[parts++].speed = (double)speed;
    }
    if (word(&c, "T") && (!number(&c, &time) || time < 1 || time > 65535))
        return false;
    if (*c.at || parts == 0)
        return false;
    double seconds = (double)time / 1000; // the slowest decides for the group
    for (int i = 0; i < parts; i++) {
        const Servo *s = &b->servo[part[i].channel];
        if (s->warm && part[i].speed > 0)
            seconds = fmax(seconds, fabs(part[i].to - commanded(s, now)) / part[i].speed);
    }
    for (int i = 0; i < parts; i++)
        start(b, part[i].channel, part[i].to, seconds, now);
    b->counts.moves++;
    return true;
}

static bool run(SimBoard *b, double now) {
    Cursor c = {b->line};
    long n;
    if (*c.at == '#')
        return move_group(b, c, now);
    if (strcmp(c.at, "VER") == 0) {
        answer(b, "SSC32U-V2.03USB(simulated)\r", 27);
        return true;
    }
    if (strcmp(c.at, "Q") == 0) {
        answer(b, moving(b, now) ? "+" : ".", 1);
        return true;
    }
    bool query = word(&c, "QP"), stop = !query && word(&c, "STOP");
    if ((!query && !stop) || !number(&c, &n) || *c.at || n < 0 || n >= SIM_CHANNELS)
        return false;
    Servo *s = &b->servo[n];
    if (query) {
        char byte = (char)(unsigned char)lround((s->warm ? commanded(s, now) : 0) / 10);
        answer(b, &byte, 1);
    } else if (s->warm) {
        double here = commanded(s, now);
        double left = fmax(0, s->begin + s->duration - now); // Q goes on with `+` until then
        *s = (Servo){true, here, here, now, left, s->real, now};
    }
    return true;
}

static void take_byte(SimBoard *b, char byte, double now) {
    if (byte == 27) {
        b->n = 0;
        b->too_long = false;
    } else if (byte == '\r') {
        b->line[b->n] = 0;
        bool ok = !b->too_long && b->n > 0 && run(b, now);
        if (b->n > 0)
            ok ? b->counts.commands++ : b->counts.wrong++;
        b->n = 0;
        b->too_long = false;
    } else if (byte != ' ' && byte != '\t' && byte != '\n') {
        if (b->n + 1 < LINE)
            b->line[b->n++] = (char)toupper((unsigned char)byte);
        else
            b->too_long = true;
    }
}

// --- the line ---

static bool open_port(SimBoard *b, Text *why) {
    b->fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    b->keep = -1;
    if (b->fd >= 0 && grantpt(b->fd) == 0 && unlockpt(b->fd) == 0 &&
        ptsname_r(b->fd, b->port, sizeof b->port) == 0)
        b->keep = open(b->port, O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct termios t;
    if (b->keep >= 0 && tcgetattr(b->keep, &t) == 0) {
        cfmakeraw(&t); // no echo before somebody sets it up
        if (tcsetattr(b->keep, TCSANOW, &t) == 0)
            return true;
    }
    if (why)
        text_f(why, "there is no pseudo-terminal to be had: %s", strerror(errno));
    return false;
}

static void close_port(SimBoard *b) {
    if (b->keep >= 0)
        close(b->keep);
    if (b->fd >= 0)
        close(b->fd);
    b->fd = b->keep = -1;
}

// A new port; half a command of before is forgotten.
static void plug_in(SimBoard *b) {
    open_port(b, NULL);
    b->n = 0;
    b->too_long = false;
}

static void serve(SimBoard *b) {
    char bytes[256];
    ssize_t n = b->fd >= 0 ? read(b->fd, bytes, sizeof bytes) : 0;
    double now = sim_board_seconds(b);
    advance(b, now);
    for (ssize_t i = 0; i < n; i++)
        if (!b->faults.silent && !chance(b, b->faults.lose))
            take_byte(b, bytes[i], now);
    if (b->faults.pulled)
        close_port(b);
}

static void *thread(void *with) {
    SimBoard *b = with;
    while (!atomic_load(&b->end)) {
        pthread_mutex_lock(&b->lock);
        struct pollfd p = {.fd = b->fd, .events = POLLIN};
        pthread_mutex_unlock(&b->lock);
        poll(&p, 1, 2);
        pthread_mutex_lock(&b->lock);
        serve(b);
        pthread_mutex_unlock(&b->lock);
    }
    return NULL;
}

SimBoard *sim_board_new(double rate, uint64_t seed, Text *why) {
    SimBoard *b = mem_alloc(sizeof *b);
    if (!b || !(rate > 0 && rate <= RATE_MOST)) {
        text_add(why, b ? "time passes 0 to 1000 times as fast" : "out of memory");
        mem_free(b);
        return NULL;
    }
    b->rate = rate;
    b->started = now_seconds();
    rng_seed(&b->rng, seed);
    pthread_mutex_init(&b->lock, NULL);
    atomic_init(&b->end, false);
    bool ok = open_port(b, why);
    if (ok && pthread_create(&b->thread, NULL, thread, b) != 0) {
        text_add(why, "there is no thread to be had");
        ok = false;
    }
    if (!ok) {
        close_port(b);
        pthread_mutex_destroy(&b->lock);
        mem_free(b);
        return NULL;
    }
    return b;
}

void sim_board_free(SimBoard *b) {
    if (!b)
        return;
    atomic_store(&b->end, true);
    pthread_join(b->thread, NULL);
    close_port(b);
    pthread_mutex_destroy(&b->lock);
    mem_free(b);
}

const char *sim_board_port(const SimBoard *b) {
    return b->port;
}

void sim_board_fail(SimBoard *b, const SimFaults *faults) {
    pthread_mutex_lock(&b->lock);
    b->faults = *faults;
    if (faults->pulled)
        close_port(b);
    else if (b->fd < 0)
        plug_in(b);
    pthread_mutex_unlock(&b->lock);
}

void sim_board_watch(SimBoard *b, SimStep step, void *with) {
    pthread_mutex_lock(&b->lock);
    b->step = step;
    b->step_with = with;
    pthread_mutex_unlock(&b->lock);
}

void sim_board_pull(SimBoard *b) {
    pthread_mutex_lock(&b->lock);
    close_port(b);
    plug_in(b);
    pthread_mutex_unlock(&b->lock);
}

bool sim_board_pulses(SimBoard *b, double pulse[SIM_CHANNELS]) {
    pthread_mutex_lock(&b->lock);
    double now = sim_board_seconds(b);
    bool any = moving(b, now);
    advance(b, now);
    for (int i = 0; i < SIM_CHANNELS; i++)
        pulse[i] = b->servo[i].real;
    pthread_mutex_unlock(&b->lock);
    return any;
}

void sim_board_counts(SimBoard *b, SimCounts *counts) {
    pthread_mutex_lock(&b->lock);
    *counts = b->counts;
    pthread_mutex_unlock(&b->lock);
}
