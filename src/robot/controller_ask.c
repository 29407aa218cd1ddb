// controller_ask: commands out, answers in; as the SSC-32U's user guide has them.
#include "robot/controller_parts.h"

#include "base/now.h"

#include <stdio.h>
#include <string.h>

#define QUIET 0.005 // seconds; at 9600 baud a byte takes one thousandth

ControllerFault controller_send(Controller *c, const char *text, Text *why) {
    pthread_mutex_lock(&c->sending);
    ControllerFault fault = CONTROLLER_OK;
    if (atomic_load(&c->stopped)) {
        text_add(why, "the arm was stopped");
        fault = CONTROLLER_STOPPED;
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
    double left = until - now_seconds();
    int n = left > 0 ? serial_read(c->line, byte, 1, left, why) : 0;
    return n > 0 ? CONTROLLER_OK : n < 0 ? CONTROLLER_LOST : CONTROLLER_SILENT;
}

static ControllerFault silent(const Controller *c, Text *why) {
    text_f(why, "the controller at `%s` does not answer: has the board power (VL, VS)?", c->port);
    return CONTROLLER_SILENT;
}

// VER answers with a text and a carriage return.
ControllerFault controller_ask_version(Controller *c, Text *why) {
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
ControllerFault controller_ask_done(Controller *c, bool *done, Text *why) {
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
ControllerFault controller_ask_pulse(Controller *c, int joint, int *pulse, Text *why) {
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
    bool quiet = read_byte(c, now_seconds() + QUIET, &byte, &ignored) == CONTROLLER_SILENT;
    text_free(&ignored);
    return quiet;
}
