// controller_stop: stopping, and seeing that it stopped; see controller.h.
//
// A line may lose bytes, and of all that it can lose a stop is the worst. So a stop goes out
// several times, at once and without waiting for anything; then every servo is asked where it is,
// again and again, until it stays there, with another stop in between. One too many does no harm.
#include "robot/controller_parts.h"

#include "base/now.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define BLIND_SECONDS 0.045 // so long it is repeated without asking anything
#define GAP_SECONDS 0.004   // between two of them: what disturbs a line hits one, not the next
#define SURE_SECONDS 0.1    // so long a servo has to stay where it is: 10 degrees a second are seen
#define ASK_SECONDS 0.05    // for an answer; USB alone takes 16 ms
#define CHECK_SECONDS 0.6   // then it is given up

typedef struct Standing { // of a servo
    bool told;            // it has answered
    bool sure;
    int pulse;
    double since; // it is there
} Standing;

static void pause_for(double seconds) {
    struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    nanosleep(&t, NULL);
}

// Without the blanks that people would write: at 9600 baud each takes a millisecond.
static size_t stop_line(const Controller *c, char *line, size_t size) {
    size_t n = (size_t)snprintf(line, size, "\x1b"); // drops a command that is half sent
    for (int j = 0; j < ARM_SERVOS; j++)
        n += (size_t)snprintf(line + n, size - n, "STOP%d\r", c->arm.joint[j].channel);
    return n;
}

// One stop; *seconds is how long the line takes to get it out.
static ControllerFault send_stop(Controller *c, bool first, double *seconds, Text *why) {
    char line[16 * ARM_SERVOS];
    pthread_mutex_lock(&c->sending);
    size_t n = stop_line(c, line, sizeof line);
    if (c->line && first)
        serial_unsend(c->line); // at 9600 baud what waits there would take longer than stopping
    bool ok = c->line && serial_write(c->line, line, n, CONTROLLER_WRITE, why);
    if (!c->line)
        text_add(why, "the line is closed");
    pthread_mutex_unlock(&c->sending);
    *seconds = 10.0 * (double)n / c->options.baud;
    return ok ? CONTROLLER_OK : CONTROLLER_LOST;
}

static ControllerFault stop_blindly(Controller *c, Text *why) {
    double until = now_seconds() + BLIND_SECONDS, takes;
    ControllerFault fault = send_stop(c, true, &takes, why);
    while (fault == CONTROLLER_OK && now_seconds() < until) {
        pause_for(fmax(takes, GAP_SECONDS));
        fault = send_stop(c, false, &takes, why);
    }
    return fault;
}

// Asks one servo once. Whoever waited for an answer when it was stopped waits no more.
static ControllerFault ask_standing(Controller *c, int joint, Standing *s, Text *why) {
    char text[16];
    unsigned char byte;
    int n = snprintf(text, sizeof text, "QP%d\r", c->arm.joint[joint].channel);
    pthread_mutex_lock(&c->sending);
    bool ok = c->line != NULL;
    if (ok) {
        serial_forget(c->line);
        ok = serial_write(c->line, text, (size_t)n, CONTROLLER_WRITE, why);
    }
    pthread_mutex_unlock(&c->sending);
    n = ok ? serial_read(c->line, &byte, 1, ASK_SECONDS, why) : -1;
    if (n <= 0)
        return n < 0 ? CONTROLLER_LOST : CONTROLLER_SILENT;
    double now = now_seconds();
    if (!s->told || s->pulse != byte)
        *s = (Standing){.told = true, .pulse = byte, .since = now};
    s->sure = now - s->since >= SURE_SECONDS;
    return CONTROLLER_OK;
}

// Asks who may still move, up to one that does not answer: then another stop is worth more.
static ControllerFault ask_all(Controller *c, Standing *standing, bool *sure, Text *why) {
    ControllerFault fault = CONTROLLER_OK;
    *sure = true;
    pthread_mutex_lock(&c->asking);
    for (int j = 0; j < ARM_SERVOS && fault == CONTROLLER_OK; j++) {
        if (!standing[j].sure)
            fault = ask_standing(c, j, &standing[j], why);
        *sure = *sure && standing[j].sure;
    }
    pthread_mutex_unlock(&c->asking);
    return fault;
}

static ControllerFault not_sure(const Controller *c, const Standing *standing, Text *why) {
    for (int j = 0; j < ARM_SERVOS; j++) {
        if (standing[j].told)
            continue;
        text_f(why,
               "the controller at `%s` was told to stop, but does not answer whether it did: use "
               "the switch of the arm's power",
               c->port);
        return CONTROLLER_SILENT;
    }
    text_f(why,
           "the controller at `%s` was told to stop, but the arm still seems to move: use the "
           "switch of its power",
           c->port);
    return CONTROLLER_SLOW;
}

static ControllerFault see_to_it(Controller *c, Text *why) {
    Standing standing[ARM_SERVOS] = {0};
    double until = now_seconds() + CHECK_SECONDS, takes;
    while (now_seconds() < until) {
        bool sure;
        ControllerFault fault = ask_all(c, standing, &sure, why);
        if (sure && fault == CONTROLLER_OK)
            return CONTROLLER_OK;
        if (fault != CONTROLLER_LOST)
            fault = send_stop(c, false, &takes, why);
        if (fault != CONTROLLER_OK)
            return fault;
        pause_for(takes);
    }
    return not_sure(c, standing, why);
}

ControllerFault controller_stop(Controller *c, Text *why) {
    Text reason = {0};
    atomic_store(&c->stopped, true);
    ControllerFault fault = stop_blindly(c, &reason);
    if (fault == CONTROLLER_OK)
        fault = see_to_it(c, &reason);
    if (why && reason.n)
        text_add(why, text_c(&reason));
    text_free(&reason);
    return fault;
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
    ControllerFault fault = controller_locate(c, why);
    if (fault != CONTROLLER_OK)
        atomic_store(&c->stopped, true);
    return fault;
}
