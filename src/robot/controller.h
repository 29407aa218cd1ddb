// controller: a servo controller SSC-32U on a serial line, and the arm behind it.
//
// Every command is checked against the arm's limits before anything is sent: what is out of range
// is an error and moves nothing. Joints of one movement start and arrive together. The controller
// gives no receipt for movements; it is asked until it says that it is done, within a deadline,
// and then for every servo where it was sent: a byte that is lost on the line is noticed.
//
// After power-on it does not know where its servos stand ("cold"): the first command to a channel
// makes it jump. So nothing moves before controller_wake, which moves one joint after the other.
//
// controller_stop may be called by any thread at any time. Its commands are on the line at once,
// and several times; it comes back when all servos are seen to stand, in 0.2 seconds or, where
// there is no clear answer, one. Nothing moves from its beginning on until controller_resume. All
// else belongs to one thread.
#ifndef LUDENS_CONTROLLER_H
#define LUDENS_CONTROLLER_H

#include "robot/arm.h"

typedef struct Controller Controller;

typedef enum ControllerFault {
    CONTROLLER_OK,
    CONTROLLER_RANGE,   // outside the limits: nothing was sent
    CONTROLLER_COLD,    // not woken yet: nothing was sent
    CONTROLLER_STOPPED, // by controller_stop
    CONTROLLER_SILENT,  // it does not answer, or answers nonsense
    CONTROLLER_SLOW,    // it says that it is moving long after it should have arrived
    CONTROLLER_LOST,    // the line is gone
} ControllerFault;

typedef struct ControllerOptions {
    int baud;            // 0: 9600, as it is sold
    double poll;         // seconds between two questions whether it is done; 0: 0.025
    double answer;       // seconds until a question counts as not answered; 0: 0.3
    double patience;     // seconds more than planned; 0: 1
    double wake_seconds; // for each joint of controller_wake; 0: 1.5
} ControllerOptions;

// Opens the line and asks for the version, so that somebody is there. The arm is copied. NULL with
// the reason.
Controller *controller_open(const Arm *arm, const char *port, const ControllerOptions *options,
                            Text *why);
// The same without asking anything: for a stop, which is worth sending also to one that is silent.
Controller *controller_attach(const Arm *arm, const char *port, const ControllerOptions *options,
                              Text *why);
void controller_close(Controller *c); // leaves the arm as it stands
const char *controller_version(const Controller *c);
const Arm *controller_arm(const Controller *c);

// The first movement after power-on: one joint after the other, without a speed that could be kept.
// The fingers open last. `before` (may be NULL) is asked before each joint; false ends it. Each
// joint is asked whether the command arrived, which is repeated if not; one that goes elsewhere is
// named.
ControllerFault controller_wake(Controller *c, const Pose *home,
                                bool (*before)(void *with, int joint), void *with, Text *why);
// For an arm that another program has woken, and that has had power since: asks the controller
// where every servo was sent and takes that for the pose. CONTROLLER_COLD if one was sent nowhere,
// or where this arm cannot be.
ControllerFault controller_find(Controller *c, Text *why);
// Moves to a pose in the time given, or longer if a joint would be too fast, and waits.
ControllerFault controller_move(Controller *c, const Pose *to, double seconds, Text *why);
ControllerFault controller_fingers(Controller *c, bool open, double seconds, Text *why);
// Where it was told to be last; false if that is not known (cold, or stopped on the way).
bool controller_pose(const Controller *c, Pose *pose);

// CONTROLLER_OK: nothing moves any more. CONTROLLER_LOST: it could not be sent. CONTROLLER_SILENT
// and CONTROLLER_SLOW: it was sent again and again, but nobody answers, or something still moves.
// `why` may be NULL.
ControllerFault controller_stop(Controller *c, Text *why);
bool controller_is_stopped(const Controller *c);
// Asks the controller where it stopped and takes that for the pose; then it may move again.
ControllerFault controller_resume(Controller *c, Text *why);
// After the line was gone: opens it anew. The arm counts as cold, since it may have been without
// power; unless the controller still knows just where it was sent: then it goes on from there.
ControllerFault controller_reconnect(Controller *c, Text *why);
// The same after a stop, in place of controller_resume: what may still move there is stopped first.
ControllerFault controller_restart(Controller *c, Text *why);
bool controller_at(Controller *c, const char *port); // before that: it has another name now

// The arm was measured anew: poses are by these measures from now on, and it stands as before.
void controller_measured(Controller *c, const Arm *arm);

// Questions and commands that had to be repeated so far, since something was lost on the line.
int controller_repeats(const Controller *c);

const char *controller_fault_word(ControllerFault fault); // "stopped"

#endif
