// controller_ask: commands out, answers in; as the SSC-32U's user guide has them.
#include "robot/controller_parts.h"

#include "base/now.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define QUIET 0.005 // seconds; at 9600 baud a byte takes one thousandth
#define PIECE 0.01  // seconds: so soon a stop ends the waiting for an answer

ControllerFault controller_send(Controller *c, const char *text, Text *why) {
    pthread_mutex_lock(&c->sending);
    ControllerFault fault = CONTROLLER_OK;
    if (atomic_load(&c->stopped)) {
        fault = controller_was_stopped(why);
    } else if (!c->line || !serial_write(c->line, text, strlen(text), CONTROLLER_WRITE, why)) {
        if (!c->line)
            text_add(why, "the line is closed");
        fault = CONTROLLER_LOST;
    }
    pthread_mutex_unlock(&c->sending);
    return fault;
}

// One byte, or why there is none.
static ControllerFault read_byte(Controller *c, double until, unsigned char *byte, Text *why) {
    for (;;) {
        if (atomic_load(&c->stopped))
            return controller_was_stopped(why);
        double left = until - now_seconds();
        if (left <= 0)
            return CONTROLLER_SILENT;
        int n = serial_read(c->line, byte, 1, fmin(left, PIECE), why);
        if (n != 0)
            return n > 0 ? CONTROLLER_OK : CONTROLLER_LOST;
    }
}

static ControllerFault silent(const Controller *c, Text *why) {
    text_f(why, "the controller at `%s` does not answer: has the board power (VL, VS)?", c->port);
    return CONTROLLER_SILENT;
}

// VER answers with a text and a carriage return.
static ControllerFault ask_version(Controller *c, Text *why) {
    for (int attempt = 0; attempt < CONTROLLER_TRIES; attempt++) {
        c->repeats += attempt > 0;
        serial_forget(c->line);
        ControllerFault fault = controller_send(c, "VER\r", why);
        double until = now_seconds() + c->options.answer;
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
    for (int attempt = 0; attempt < CONTROLLER_TRIES; attempt++) {
        c->repeats += attempt > 0;
        serial_forget(c->line);
        ControllerFault fault = controller_send(c, "Q\r", why);
        double until = now_seconds() + c->options.answer;
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
    for (int attempt = 0; attempt < CONTROLLER_TRIES; attempt++) {
        c->repeats += attempt > 0;
        serial_forget(c->line);
        ControllerFault fault = controller_send(c, text, why);
        unsigned char byte;
        if (fault == CONTROLLER_OK)
            fault = read_byte(c, now_seconds() + c->options.answer, &byte, why);
        if (fault == CONTROLLER_OK) {
            *pulse = byte * 10;
            return CONTROLLER_OK;
        }
        if (fault != CONTROLLER_SILENT)
            return fault;
    }
    return silent(c, why);
}

bool controller_is_quiet(Controller *c) {
    unsigned char byte;
    Text ignored = {0};
    pthread_mutex_lock(&c->asking);
    bool quiet = read_byte(c, now_seconds() + QUIET, &byte, &ignored) == CONTROLLER_SILENT;
    pthread_mutex_unlock(&c->asking);
    text_free(&ignored);
    return quiet;
}

// --- one question at a time ---

ControllerFault controller_ask_version(Controller *c, Text *why) {
    pthread_mutex_lock(&c->asking);
    ControllerFault fault = ask_version(c, why);
    pthread_mutex_unlock(&c->asking);
    return fault;
}

ControllerFault controller_ask_done(Controller *c, bool *done, Text *why) {
    pthread_mutex_lock(&c->asking);
    ControllerFault fault = ask_done(c, done, why);
    pthread_mutex_unlock(&c->asking);
    return fault;
}

ControllerFault controller_ask_pulse(Controller *c, int joint, int *pulse, Text *why) {
    pthread_mutex_lock(&c->asking);
    ControllerFault fault = ask_pulse(c, joint, pulse, why);
    pthread_mutex_unlock(&c->asking);
    return fault;
}
