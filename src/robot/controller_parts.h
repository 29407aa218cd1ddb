// controller_parts: what the files of the controller share.
#ifndef LUDENS_CONTROLLER_PARTS_H
#define LUDENS_CONTROLLER_PARTS_H

#include "robot/controller.h"
#include "robot/serial.h"

#include <pthread.h>
#include <stdatomic.h>

#define CONTROLLER_TRIES 3   // questions, before it counts as silent
#define CONTROLLER_WRITE 0.5 // seconds to get a command out
#define CONTROLLER_STEP 10   // microseconds: what the controller tells pulses in

struct Controller {
    Arm arm;
    Serial *line;
    char port[200];
    ControllerOptions options;
    char version[80];
    bool warm[ARM_SERVOS];  // it knows where this servo stands
    int pulse[ARM_SERVOS];  //   and so do we
    int target[ARM_SERVOS]; // where it was sent last, whether it has arrived or not
    bool known;             // the pulses are those of a movement that came to its end
    int repeats;
    // Stop comes from other threads. Who needs both takes `asking` first.
    pthread_mutex_t asking;  // held from a question to its answer
    pthread_mutex_t sending; // held while bytes go out
    atomic_bool stopped;
};

// --- controller.c ---
// Where it stands, as far as the controller knows; after a movement that did not come to its end.
ControllerFault controller_locate(Controller *c, Text *why);

// --- controller_ask.c ---
static inline ControllerFault controller_was_stopped(Text *why) {
    text_add(why, "the arm was stopped");
    return CONTROLLER_STOPPED;
}
// Sends unless it was stopped meanwhile: after a stop not one byte of a movement goes out.
ControllerFault controller_send(Controller *c, const char *text, Text *why);
// A question ends as soon as the arm is stopped.
ControllerFault controller_ask_version(Controller *c, Text *why);
ControllerFault controller_ask_done(Controller *c, bool *done, Text *why);
// Where a servo was sent, in microseconds, to CONTROLLER_STEP.
ControllerFault controller_ask_pulse(Controller *c, int joint, int *pulse, Text *why);
// Whether nothing comes behind an answer of one byte; a line full of nonsense goes on.
bool controller_is_quiet(Controller *c);

static inline bool controller_near(int told, int pulse) {
    int apart = told - pulse;
    return apart >= -CONTROLLER_STEP && apart <= CONTROLLER_STEP;
}

#endif
