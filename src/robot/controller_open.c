// controller_open: the line to the controller: opened, closed, opened anew.
#include "robot/controller_parts.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

static bool open_line(Controller *c, Text *why) {
    serial_close(c->line);
    c->line = serial_open(c->port, c->options.baud, why);
    memset(c->warm, 0, sizeof c->warm);
    c->known = false;
    return c->line != NULL;
}

Controller *controller_attach(const Arm *arm, const char *port, const ControllerOptions *options,
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
    pthread_mutex_init(&c->asking, NULL);
    pthread_mutex_init(&c->sending, NULL);
    atomic_init(&c->stopped, false);
    if (!open_line(c, why)) {
        controller_close(c);
        return NULL;
    }
    return c;
}

Controller *controller_open(const Arm *arm, const char *port, const ControllerOptions *options,
                            Text *why) {
    Controller *c = controller_attach(arm, port, options, why);
    if (c && controller_ask_version(c, why) != CONTROLLER_OK) {
        controller_close(c);
        return NULL;
    }
    return c;
}

void controller_close(Controller *c) {
    if (!c)
        return;
    serial_close(c->line);
    pthread_mutex_destroy(&c->asking);
    pthread_mutex_destroy(&c->sending);
    mem_free(c);
}

const char *controller_version(const Controller *c) {
    return c->version;
}

int controller_repeats(const Controller *c) {
    return c->repeats;
}

const Arm *controller_arm(const Controller *c) {
    return &c->arm;
}

void controller_measured(Controller *c, const Arm *arm) {
    pthread_mutex_lock(&c->asking); // a stop looks at the channels
    pthread_mutex_lock(&c->sending);
    c->arm = *arm;
    pthread_mutex_unlock(&c->sending);
    pthread_mutex_unlock(&c->asking);
}

bool controller_at(Controller *c, const char *port) {
    if (strlen(port) >= sizeof c->port)
        return false;
    snprintf(c->port, sizeof c->port, "%s", port);
    return true;
}

// A controller that tells just what it was sent, servo by servo, has not been without power.
static ControllerFault ask_memory(Controller *c, const bool *warm, Text *why) {
    int pulse[ARM_SERVOS];
    bool before = true, after = true; // where it stood, and where it was sent last
    for (int j = 0; j < ARM_SERVOS; j++) {
        if (!warm[j])
            return CONTROLLER_OK;
        ControllerFault fault = controller_ask_pulse(c, j, &pulse[j], why);
        if (fault != CONTROLLER_OK)
            return fault;
        before = before && controller_near(pulse[j], c->pulse[j]);
        after = after && controller_near(pulse[j], c->target[j]);
    }
    if (before || after) {
        memcpy(c->pulse, after ? c->target : c->pulse, sizeof c->pulse);
        memcpy(c->warm, warm, sizeof c->warm);
        c->known = true;
    }
    return CONTROLLER_OK;
}

static bool open_anew(Controller *c, Text *why) {
    pthread_mutex_lock(&c->asking);
    pthread_mutex_lock(&c->sending);
    bool ok = open_line(c, why);
    pthread_mutex_unlock(&c->sending);
    pthread_mutex_unlock(&c->asking);
    return ok;
}

// Who is at the other end, and what is known there of the servos that were warm.
static ControllerFault know_again(Controller *c, const bool *warm, Text *why) {
    ControllerFault fault = controller_ask_version(c, why);
    return fault == CONTROLLER_OK ? ask_memory(c, warm, why) : fault;
}

static ControllerFault reconnected(Controller *c, ControllerFault fault, const bool *warm) {
    if (fault != CONTROLLER_OK)
        memcpy(c->warm, warm, sizeof c->warm); // another attempt asks again
    c->known = c->known && fault == CONTROLLER_OK;
    return fault;
}

ControllerFault controller_reconnect(Controller *c, Text *why) {
    bool warm[ARM_SERVOS];
    memcpy(warm, c->warm, sizeof warm);
    ControllerFault fault = open_anew(c, why) ? know_again(c, warm, why) : CONTROLLER_LOST;
    return reconnected(c, fault, warm);
}

ControllerFault controller_restart(Controller *c, Text *why) {
    bool warm[ARM_SERVOS];
    memcpy(warm, c->warm, sizeof warm);
    ControllerFault fault = open_anew(c, why) ? controller_stop(c, why) : CONTROLLER_LOST;
    if (fault == CONTROLLER_OK) {
        atomic_store(&c->stopped, false);
        fault = know_again(c, warm, why);
    }
    if (fault != CONTROLLER_OK)
        atomic_store(&c->stopped, true);
    return reconnected(c, fault, warm);
}
