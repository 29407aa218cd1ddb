// controller: see controller.h. Commands and answers are those of the SSC-32U's user guide.
#include "robot/controller.h"

#include "base/mem.h"
#include "robot/serial.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIES 3        // questions, before it counts as silent
#define WRITE 0.5      // seconds to get a command out
#define TIME_MOST 60.0 // of one movement, in seconds; the controller takes 65535 ms
#define TIME_LEAST 0.02

struct Controller {
    Arm arm;
    Serial *line;
    char port[200];
    ControllerOptions options;
    char version[80];
    bool warm[ARM_SERVOS];   // it knows where this servo stands
    int pulse[ARM_SERVOS];   //   and so do we
    bool known;              // the pulses are those of a movement that came to its end
    pthread_mutex_t sending; // stop comes from other threads
    atomic_bool stopped;
};

const char *controller_fault_word(ControllerFault fault) {
    static const char *const words[] = {"fine",   "out of range", "cold", "stopped",
                                        "silent", "slow",         "lost"};
    return words[fault];
}

// --- lines out and in ---

// Sends unless it was stopped meanwhile: after a stop not one byte of a movement goes out.
static ControllerFault send_line(Controller *c, const char *text, Text *why) {
    pthread_mutex_lock(&c->sending);
    ControllerFault fault = CONTROLLER_OK;
    if (atomic_load(&c->stopped)) {
        text_add(why, "the arm was stopped");
        fault = CONTROLLER_STOPPED;
    } else if (!c->line || !serial_write(c->line, text, strlen(text), WRITE, why)) {
        if (!c->line)
            text_add(why, "the line is closed");
        fault = CONTROLLER_LOST;
    }
    pthread_mutex_unlock(&c->sending);
    return fault;
}

// One byte, or why there is none.
static ControllerFault read_byte(Controller *c, double until, unsigned char *byte, Text *why) {
    double left = until - serial_now();
    int n = left > 0 ? serial_read(c->line, byte, 1, left, why) : 0;
    return n > 0 ? CONTROLLER_OK : n < 0 ? CONTROLLER_LOST : CONTROLLER_SILENT;
}

static ControllerFault silent(const Controller *c, Text *why) {
    text_f(why, "the controller at `%s` does not answer: has the board power (VL, VS)?", c->port);
    return CONTROLLER_SILENT;
}

// VER answers with a text and a carriage return.
static ControllerFault ask_version(Controller *c, Text *why) {
    for (int attempt = 0; attempt < TRIES; attempt++) {
        serial_forget(c->line);
        ControllerFault fault = send_line(c, "VER\r", why);
        double until = serial_now() + c->options.answer;
        size_t n = 0;
        while (fault == CONTROLLER_OK) {
            unsigned char byte;
            fault = read_byte(c, until, &byte, why);
            if (fault == CONTROLLER_OK && byte == '\r' && n > 0) {
                c->version[n] = 0;
                return CONTROLLER_OK;
            }
            if (fault == CONTROLLER_OK && byte >= ' ' && byte < 127 && n + 1 < sizeof c->version)
                c->version[n++] = (char)byte;
        }
        if (fault != CONTROLLER_SILENT)
            return fault;
    }
    return silent(c, why);
}

// Q answers with a dot, or a plus while something moves.
static ControllerFault ask_done(Controller *c, bool *done, Text *why) {
    for (int attempt = 0; attempt < TRIES; attempt++) {
        serial_forget(c->line);
        ControllerFault fault = send_line(c, "Q\r", why);
        double until = serial_now() + c->options.answer;
        while (fault == CONTROLLER_OK) {
            unsigned char byte = 0;
            fault = read_byte(c, until, &byte, why);
            if (fault == CONTROLLER_OK && (byte == '.' || byte == '+')) {
                *done = byte == '.';
                return CONTROLLER_OK;
            }
        }
        if (fault != CONTROLLER_SILENT)
            return fault;
    }
    return silent(c, why);
}

// QP answers with one byte of any value: tens of microseconds, as they were commanded.
static ControllerFault ask_pulse(Controller *c, int joint, int *pulse, Text *why) {
    char text[16];
    snprintf(text, sizeof text, "QP%d\r", c->arm.joint[joint].channel);
    for (int attempt = 0; attempt < TRIES; attempt++) {
        serial_forget(c->line);
        ControllerFault fault = send_line(c, text, why);
        unsigned char byte;
        if (fault == CONTROLLER_OK)
            fault = read_byte(c, serial_now() + c->options.answer, &byte, why);
        if (fault == CONTROLLER_OK) {
            *pulse = byte * 10;
            return CONTROLLER_OK;
        }
        if (fault != CONTROLLER_SILENT)
            return fault;
    }
    return silent(c, why);
}

// --- open, close ---

static bool open_line(Controller *c, Text *why) {
    serial_close(c->line);
    c->line = serial_open(c->port, c->options.baud, why);
    memset(c->warm, 0, sizeof c->warm);
    c->known = false;
    return c->line != NULL;
}

Controller *controller_open(const Arm *arm, const char *port, const ControllerOptions *options,
                            Text *why) {
    Controller *c = mem_alloc(sizeof *c);
    if (!c || strlen(port) >= sizeof c->port) {
        text_add(why, c ? "the name of the port is too long" : "out of memory");
        mem_free(c);
        return NULL;
    }
    c->arm = *arm;
    c->options = options ? *options : (ControllerOptions){0};
    snprintf(c->port, sizeof c->port, "%s", port);
    if (c->options.baud == 0)
        c->options.baud = 9600;
    if (!(c->options.poll > 0))
        c->options.poll = 0.025;
    if (!(c->options.answer > 0))
        c->options.answer = 0.3;
    if (!(c->options.patience > 0))
        c->options.patience = 1;
    if (!(c->options.wake_seconds > 0))
        c->options.wake_seconds = 1.5;
    pthread_mutex_init(&c->sending, NULL);
    atomic_init(&c->stopped, false);
    if (!open_line(c, why) || ask_version(c, why) != CONTROLLER_OK) {
        controller_close(c);
        return NULL;
    }
    return c;
}

void controller_close(Controller *c) {
    if (!c)
        return;
    serial_close(c->line);
    pthread_mutex_destroy(&c->sending);
    mem_free(c);
}

const char *controller_version(const Controller *c) {
    return c->version;
}

const Arm *controller_arm(const Controller *c) {
    return &c->arm;
}

ControllerFault controller_reconnect(Controller *c, Text *why) {
    pthread_mutex_lock(&c->sending);
    bool ok = open_line(c, why);
    pthread_mutex_unlock(&c->sending);
    return ok ? ask_version(c, why) : CONTROLLER_LOST;
}

// --- movements ---

// Sleeps in pieces, so that a stop is noticed.
static bool wait_seconds(const Controller *c, double seconds) {
    double until = serial_now() + seconds;
    for (double left = seconds; left > 0; left = until - serial_now()) {
        if (atomic_load(&c->stopped))
            return false;
        double piece = fmin(left, 0.02);
        struct timespec t = {(time_t)piece, (long)((piece - floor(piece)) * 1e9)};
        nanosleep(&t, NULL);
    }
    return !atomic_load(&c->stopped);
}

static ControllerFault was_stopped(Text *why) {
    text_add(why, "the arm was stopped");
    return CONTROLLER_STOPPED;
}

static ControllerFault wait_until_done(Controller *c, double planned, Text *why) {
    double until = serial_now() + planned + c->options.patience;
    for (;;) {
        bool done = false;
        if (!wait_seconds(c, c->options.poll))
            return was_stopped(why);
        ControllerFault fault = ask_done(c, &done, why);
        if (fault != CONTROLLER_OK)
            return fault;
        if (done)
            return CONTROLLER_OK;
        if (serial_now() > until) {
            text_f(why, "the arm still moves %.1f s after it should have arrived",
                   c->options.patience);
            return CONTROLLER_SLOW;
        }
    }
}

// Pulses of a pose; false (with the joint and its limits) if one is out of range.
static bool pulses_of(const Controller *c, const Pose *to, int *pulse, Text *why) {
    for (int j = 0; j < ARM_JOINTS; j++) {
        const ArmJoint *a = &c->arm.joint[j];
        double angle = to->angle[j];
        if (!(angle >= a->low && angle <= a->high) || !arm_pulse(&c->arm, j, angle, &pulse[j])) {
            text_f(why, "the %s cannot stand at %.1f degrees: it can from %.1f to %.1f",
                   arm_joint_name(j), angle, a->low, a->high);
            return false;
        }
    }
    return true;
}

// Where it stands, as far as the controller knows; after a movement that did not come to its end.
static ControllerFault locate(Controller *c, Text *why) {
    ControllerFault fault = CONTROLLER_OK;
    bool warm = true;
    for (int j = 0; j < ARM_SERVOS && fault == CONTROLLER_OK; j++) {
        warm = warm && c->warm[j];
        if (c->warm[j])
            fault = ask_pulse(c, j, &c->pulse[j], why);
    }
    c->known = warm && fault == CONTROLLER_OK;
    return fault;
}

// Sends servos [first, end) to their pulses as one group, and waits.
static ControllerFault run_group(Controller *c, int first, int end, const int *pulse,
                                 double seconds, Text *why) {
    for (int j = first; j < end; j++) {
        if (!c->warm[j]) {
            text_add(why, "the arm does not know yet where it stands: wake it first");
            return CONTROLLER_COLD;
        }
    }
    Text line = {0};
    for (int j = first; j < end; j++)
        text_f(&line, "#%dP%d", c->arm.joint[j].channel, pulse[j]);
    text_f(&line, "T%d\r", (int)lround(seconds * 1000));
    ControllerFault fault = CONTROLLER_SILENT;
    c->known = false;
    if (line.failed)
        text_add(why, "out of memory");
    else
        fault = send_line(c, text_c(&line), why);
    text_free(&line);
    if (fault == CONTROLLER_OK)
        fault = wait_until_done(c, seconds, why);
    if (fault == CONTROLLER_OK) {
        memcpy(c->pulse + first, pulse + first, sizeof *pulse * (size_t)(end - first));
        c->known = true;
    }
    return fault;
}

ControllerFault controller_move(Controller *c, const Pose *to, double seconds, Text *why) {
    int pulse[ARM_SERVOS];
    if (!pulses_of(c, to, pulse, why))
        return CONTROLLER_RANGE;
    ControllerFault fault = c->known ? CONTROLLER_OK : locate(c, why);
    if (fault != CONTROLLER_OK)
        return fault;
    double time = seconds >= TIME_LEAST ? seconds : TIME_LEAST;
    for (int j = 0; j < ARM_JOINTS; j++) {
        const ArmJoint *a = &c->arm.joint[j];
        time = fmax(time, abs(pulse[j] - c->pulse[j]) / fabs(a->per_degree) / a->speed);
    }
    if (!(time <= TIME_MOST)) {
        text_f(why, "a movement takes at most %.0f seconds", TIME_MOST);
        return CONTROLLER_RANGE;
    }
    return run_group(c, 0, ARM_JOINTS, pulse, time, why);
}

ControllerFault controller_fingers(Controller *c, bool open, double seconds, Text *why) {
    int pulse[ARM_SERVOS];
    const ArmJoint *f = &c->arm.joint[ARM_FINGERS];
    if (!(seconds <= TIME_MOST)) {
        text_f(why, "a movement takes at most %.0f seconds", TIME_MOST);
        return CONTROLLER_RANGE;
    }
    pulse[ARM_FINGERS] = open ? f->open : f->close;
    return run_group(c, ARM_FINGERS, ARM_SERVOS, pulse, fmax(seconds, TIME_LEAST), why);
}

ControllerFault controller_wake(Controller *c, const Pose *home,
                                bool (*before)(void *with, int joint), void *with, Text *why) {
    int pulse[ARM_SERVOS];
    if (!pulses_of(c, home, pulse, why))
        return CONTROLLER_RANGE;
    pulse[ARM_FINGERS] = c->arm.joint[ARM_FINGERS].open;
    for (int j = 0; j < ARM_SERVOS; j++) {
        char line[32];
        if (before && !before(with, j)) {
            text_add(why, "waking the arm was broken off");
            return CONTROLLER_COLD;
        }
        // Without speed and time, as the first command to a channel must be.
        snprintf(line, sizeof line, "#%dP%d\r", c->arm.joint[j].channel, pulse[j]);
        ControllerFault fault = send_line(c, line, why);
        if (fault != CONTROLLER_OK)
            return fault;
        c->warm[j] = true;
        c->pulse[j] = pulse[j];
        if (!wait_seconds(c, c->options.wake_seconds))
            return was_stopped(why);
    }
    ControllerFault fault = wait_until_done(c, c->options.wake_seconds, why);
    c->known = fault == CONTROLLER_OK;
    return fault;
}

bool controller_pose(const Controller *c, Pose *pose) {
    for (int j = 0; j < ARM_JOINTS && c->known; j++)
        pose->angle[j] = arm_angle(&c->arm, j, c->pulse[j]);
    return c->known;
}

// --- stopping ---

void controller_stop(Controller *c) {
    static const char escape[] = "\x1b"; // drops a command that is half sent
    atomic_store(&c->stopped, true);
    pthread_mutex_lock(&c->sending);
    Text why = {0};
    char line[24 * ARM_SERVOS];
    int n = snprintf(line, sizeof line, "%s", escape);
    for (int j = 0; j < ARM_SERVOS; j++)
        n += snprintf(line + n, sizeof line - (size_t)n, "STOP %d\r", c->arm.joint[j].channel);
    if (c->line)
        serial_write(c->line, line, (size_t)n, WRITE, &why);
    text_free(&why); // the line is gone: then nothing moves on our account any more
    pthread_mutex_unlock(&c->sending);
}

bool controller_is_stopped(const Controller *c) {
    return atomic_load(&c->stopped);
}

ControllerFault controller_resume(Controller *c, Text *why) {
    if (!c->line) {
        text_add(why, "the line is closed");
        return CONTROLLER_LOST;
    }
    atomic_store(&c->stopped, false);
    ControllerFault fault = locate(c, why);
    if (fault != CONTROLLER_OK)
        atomic_store(&c->stopped, true);
    return fault;
}
