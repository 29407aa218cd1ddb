// controller: movements; see controller.h.
#include "robot/controller_parts.h"

#include "base/now.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TIME_MOST 60.0 // of one movement, in seconds; the controller takes 65535 ms
#define TIME_LEAST 0.02
#define PULSE_LEAST 500 // microseconds: what the controller takes at all
#define PULSE_MOST 2500

const char *controller_fault_word(ControllerFault fault) {
    static const char *const words[] = {"fine",   "out of range", "cold", "stopped",
                                        "silent", "slow",         "lost"};
    return words[fault];
}

// --- movements ---

// Sleeps in pieces, so that a stop is noticed.
static bool wait_seconds(const Controller *c, double seconds) {
    double until = now_seconds() + seconds;
    for (double left = seconds; left > 0; left = until - now_seconds()) {
        if (atomic_load(&c->stopped))
            return false;
        double piece = fmin(left, 0.02);
        struct timespec t = {(time_t)piece, (long)((piece - floor(piece)) * 1e9)};
        nanosleep(&t, NULL);
    }
    return !atomic_load(&c->stopped);
}

static ControllerFault wait_until_done(Controller *c, double planned, Text *why) {
    double until = now_seconds() + planned + c->options.patience;
    for (;;) {
        bool done = false;
        if (!wait_seconds(c, c->options.poll))
            return controller_was_stopped(why);
        ControllerFault fault = controller_ask_done(c, &done, why);
        if (fault != CONTROLLER_OK)
            return fault;
        if (done)
            return CONTROLLER_OK;
        if (now_seconds() > until) {
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

ControllerFault controller_locate(Controller *c, Text *why) {
    bool warm = true;
    c->known = false;
    for (int j = 0; j < ARM_SERVOS; j++) {
        ControllerFault fault = CONTROLLER_OK;
        bool sane = !c->warm[j];
        for (int attempt = 0; attempt < CONTROLLER_TRIES && !sane && fault == CONTROLLER_OK;
             attempt++) {
            fault = controller_ask_pulse(c, j, &c->pulse[j], why);
            sane = c->pulse[j] >= PULSE_LEAST && c->pulse[j] <= PULSE_MOST;
        }
        if (fault == CONTROLLER_OK && !sane) {
            text_f(why, "the controller at `%s` says that it sent the %s where no servo can be",
                   c->port, arm_joint_name(j));
            fault = CONTROLLER_SILENT;
        }
        if (fault != CONTROLLER_OK)
            return fault;
        warm = warm && c->warm[j];
    }
    c->known = warm;
    return CONTROLLER_OK;
}

// Seconds from pulses to others, so that no joint is too fast.
static double time_of(const Controller *c, const int *from, const int *to, double seconds) {
    double time = seconds >= TIME_LEAST ? seconds : TIME_LEAST;
    for (int j = 0; j < ARM_JOINTS; j++) {
        const ArmJoint *a = &c->arm.joint[j];
        time = fmax(time, abs(to[j] - from[j]) / fabs(a->per_degree) / a->speed);
    }
    return time;
}

static ControllerFault send_group(Controller *c, int first, int end, const int *pulse,
                                  double seconds, Text *why) {
    Text line = {0};
    for (int j = first; j < end; j++) {
        if (pulse[j] < c->arm.joint[j].least || pulse[j] > c->arm.joint[j].most) {
            text_f(why, "the %s cannot take %d microseconds", arm_joint_name(j), pulse[j]);
            text_free(&line);
            return CONTROLLER_RANGE;
        }
        text_f(&line, "#%dP%d", c->arm.joint[j].channel, pulse[j]);
    }
    text_f(&line, "T%d\r", (int)lround(seconds * 1000));
    ControllerFault fault = CONTROLLER_SILENT;
    if (line.failed)
        text_add(why, "out of memory");
    else
        fault = controller_send(c, text_c(&line), why);
    text_free(&line);
    return fault == CONTROLLER_OK ? wait_until_done(c, seconds, why) : fault;
}

// Whether a servo was really sent to its target, and where to.
static ControllerFault ask_target(Controller *c, int j, int *told, bool *there, Text *why) {
    ControllerFault fault = controller_ask_pulse(c, j, told, why);
    if (fault == CONTROLLER_OK && !controller_near(*told, c->target[j]))
        fault = controller_ask_pulse(c, j, told, why); // the answer may have been what was wrong
    *there = fault == CONTROLLER_OK && controller_near(*told, c->target[j]);
    return fault;
}

// Whether all servos were really sent where they should be: a byte that is lost on the line may
// make another command of the one that was sent. `astray` is a joint that was not; -1: none.
static ControllerFault find_astray(Controller *c, int *told, int *astray, Text *why) {
    *astray = -1;
    for (int j = 0; j < ARM_SERVOS; j++) {
        bool there = true;
        told[j] = 0;
        ControllerFault fault =
            c->warm[j] ? ask_target(c, j, &told[j], &there, why) : CONTROLLER_OK;
        if (fault != CONTROLLER_OK)
            return fault;
        if (!there)
            *astray = j;
    }
    return CONTROLLER_OK;
}

static ControllerFault goes_astray(const Controller *c, int joint, Text *why) {
    text_f(why, "the controller at `%s` does not do as it is told: the %s goes astray", c->port,
           arm_joint_name(joint));
    return CONTROLLER_SILENT;
}

// Sends servos [first, end) to their pulses as one group, and waits. What went astray is sent
// again, then with all servos.
static ControllerFault run_group(Controller *c, int first, int end, const int *pulse,
                                 double seconds, Text *why) {
    bool warm = true;
    for (int j = first; j < end; j++)
        warm = warm && c->warm[j];
    if (!warm) {
        text_add(why, "the arm does not know yet where it stands: wake it first");
        return CONTROLLER_COLD;
    }
    for (int j = 0; j < ARM_SERVOS; j++) { // a byte that was lost may have sent it out of limits
        const ArmJoint *a = &c->arm.joint[j];
        int at = c->pulse[j];
        c->target[j] = at < a->least ? a->least : at > a->most ? a->most : at;
    }
    memcpy(c->target + first, pulse + first, sizeof *pulse * (size_t)(end - first));
    bool whole = c->known && first == 0; // what moves fingers moves nothing else
    c->known = false;
    int astray = -1, told[ARM_SERVOS];
    for (int attempt = 0; attempt < CONTROLLER_TRIES; attempt++) {
        c->repeats += attempt > 0;
        ControllerFault fault = send_group(c, first, end, c->target, seconds, why);
        if (fault == CONTROLLER_OK)
            fault = find_astray(c, told, &astray, why);
        if (fault != CONTROLLER_OK)
            return fault;
        if (astray < 0) {
            memcpy(c->pulse, c->target, sizeof c->pulse);
            c->known = true;
            return CONTROLLER_OK;
        }
        if (whole)
            end = ARM_SERVOS;
        else if (astray < first || astray >= end)
            break;
        seconds = time_of(c, told, c->target, seconds); // it may have gone far
    }
    return goes_astray(c, astray, why);
}

ControllerFault controller_move(Controller *c, const Pose *to, double seconds, Text *why) {
    int pulse[ARM_SERVOS];
    if (!pulses_of(c, to, pulse, why))
        return CONTROLLER_RANGE;
    ControllerFault fault = c->known ? CONTROLLER_OK : controller_locate(c, why);
    if (fault != CONTROLLER_OK)
        return fault;
    double time = time_of(c, c->pulse, pulse, seconds);
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
    ControllerFault fault = c->known ? CONTROLLER_OK : controller_locate(c, why);
    if (fault != CONTROLLER_OK)
        return fault;
    return run_group(c, ARM_FINGERS, ARM_SERVOS, pulse, fmax(seconds, TIME_LEAST), why);
}

// Sends one joint to its target as often as it takes. Without speed and time, as the first command
// to a channel must be. It counts as warm when it is known that the command arrived.
static ControllerFault wake_joint(Controller *c, int j, Text *why) {
    char line[32];
    snprintf(line, sizeof line, "#%dP%d\r", c->arm.joint[j].channel, c->target[j]);
    for (int attempt = 0; attempt < CONTROLLER_TRIES; attempt++) {
        int told;
        bool there;
        c->repeats += attempt > 0;
        ControllerFault fault = controller_send(c, line, why);
        if (fault == CONTROLLER_OK && !wait_seconds(c, c->options.wake_seconds))
            fault = controller_was_stopped(why);
        if (fault == CONTROLLER_OK)
            fault = ask_target(c, j, &told, &there, why);
        if (fault != CONTROLLER_OK)
            return fault;
        if (there) {
            c->warm[j] = true;
            c->pulse[j] = c->target[j];
            return CONTROLLER_OK;
        }
    }
    return goes_astray(c, j, why);
}

ControllerFault controller_wake(Controller *c, const Pose *home,
                                bool (*before)(void *with, int joint), void *with, Text *why) {
    int pulse[ARM_SERVOS], told[ARM_SERVOS], astray = -1;
    if (!pulses_of(c, home, pulse, why))
        return CONTROLLER_RANGE;
    pulse[ARM_FINGERS] = c->arm.joint[ARM_FINGERS].open;
    c->known = false;
    for (int j = 0; j < ARM_SERVOS; j++) {
        if (before && !before(with, j)) {
            text_add(why, "waking the arm was broken off");
            return CONTROLLER_COLD;
        }
        c->target[j] = pulse[j];
        ControllerFault fault = wake_joint(c, j, why);
        if (fault != CONTROLLER_OK)
            return fault;
    }
    ControllerFault fault = wait_until_done(c, c->options.wake_seconds, why);
    if (fault == CONTROLLER_OK) // what was meant for one joint may have moved another
        fault = find_astray(c, told, &astray, why);
    if (fault == CONTROLLER_OK && astray >= 0)
        fault = goes_astray(c, astray, why);
    c->known = fault == CONTROLLER_OK;
    return fault;
}

ControllerFault controller_find(Controller *c, Text *why) {
    int pulse[ARM_SERVOS], alike = 0;
    for (int j = 0; j < ARM_SERVOS; j++) {
        int again = 0; // nothing else can tell: what is believed was said twice
        ControllerFault fault = controller_ask_pulse(c, j, &pulse[j], why);
        if (fault == CONTROLLER_OK)
            fault = controller_ask_pulse(c, j, &again, why);
        if (fault == CONTROLLER_OK && (again != pulse[j] || !controller_is_quiet(c))) {
            text_f(why, "the controller at `%s` does not say clearly where it sent the %s", c->port,
                   arm_joint_name(j));
            fault = CONTROLLER_SILENT;
        }
        if (fault != CONTROLLER_OK)
            return fault;
        alike += pulse[j] == pulse[0]; // all in the middle: so boards begin that know nothing yet
        if (pulse[j] < c->arm.joint[j].least || pulse[j] > c->arm.joint[j].most)
            alike = ARM_SERVOS;
    }
    if (alike >= ARM_SERVOS) {
        text_add(why, "the arm does not know yet where it stands: wake it first");
        return CONTROLLER_COLD;
    }
    for (int j = 0; j < ARM_SERVOS; j++)
        c->warm[j] = true;
    memcpy(c->pulse, pulse, sizeof pulse);
    c->known = true;
    return CONTROLLER_OK;
}

bool controller_pose(const Controller *c, Pose *pose) {
    for (int j = 0; j < ARM_JOINTS && c->known; j++)
        pose->angle[j] = arm_angle(&c->arm, j, c->pulse[j]);
    return c->known;
}
