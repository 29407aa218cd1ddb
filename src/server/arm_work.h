// arm_work: moves an arm on behalf of people who teach it, in threads of its own.
//
//     loop ── arm_work_give ──► worker thread: owns the Controller, does one job after the other
//     loop ── arm_work_stop ──► brake thread: only stops, so that nobody waits for the worker
//
// A job is a list of *legs*. Whoever gives it has checked each of them against the arm's limits;
// the controller checks them once more. One job at a time: what comes while one is done is refused,
// apart from a stop, and from a newer target of a hand that follows a slider.
//
// All functions may be called by any thread but arm_work_new and arm_work_free, and none of them
// waits for the line.
#ifndef LUDENS_ARM_WORK_H
#define LUDENS_ARM_WORK_H

#include "robot/controller.h"
#include "robot/sim_board.h"

#include <stdint.h>

typedef struct ArmWork ArmWork;

typedef enum LegKind { LEG_MOVE, LEG_OPEN, LEG_CLOSE, LEG_PAUSE } LegKind;
typedef struct Leg {
    LegKind kind;
    int site;       // that it belongs to; -1: none
    Pose pose;      // LEG_MOVE
    double seconds; // at least
} Leg;

// X(constant, word of the protocol)
#define WORK_DOINGS(X)                                                                             \
    X(WORK_IDLE, "idle")                                                                           \
    X(WORK_OPENING, "opening")                                                                     \
    X(WORK_WAKING, "waking")                                                                       \
    X(WORK_MOVING, "moving")                                                                       \
    X(WORK_FOLLOWING, "following") /* a slider: the target may change on the way */                \
    X(WORK_TOURING, "touring")                                                                     \
    X(WORK_RESUMING, "resuming")
typedef enum WorkDoing {
#define X(constant, word) constant,
    WORK_DOINGS(X)
#undef X
} WorkDoing;
const char *work_doing_word(WorkDoing doing);

// Opens what is at the other end of a line; called by the worker's thread. The simulated board
// (NULL: a real one) is looked at until the next call, which comes when the line is to be opened
// anew, or until `close`.
typedef struct WorkLine {
    bool (*open)(void *with, Text *port, SimBoard **board, Text *why);
    void (*close)(void *with); // the controller is closed already
    void *with;
} WorkLine;

typedef struct WorkOptions {
    const Arm *arm; // copied
    Pose home;
    WorkLine line;
    ControllerOptions controller;
    void (*changed)(void *with); // something in arm_work_state is new; from any thread
    void *with;
} WorkOptions;

typedef struct ArmState {
    WorkDoing doing;
    bool there;   // the controller answers
    bool awake;   // all joints have been woken
    bool stopped; // nothing moves until WORK_RESUMING, which also asks where it is
    int asking;   // the joint that waits to be woken; -1: none
    bool posed;   // `pose` is where it is now, about: on the way, too
    Pose pose;
    bool known;  // it rests in that pose for sure
    Pose goal;   // where it will be when the job is done; `pose` if there is none
    Pose ends;   // WORK_FOLLOWING: where the leg under way ends; a newer target counts from there
    int fingers; // 1 open, 0 closed, -1 not known
    int site;    // of the leg that is done; -1: none
    int leg, legs;
    ControllerFault fault; // of the last job
    char why[200];         //   in words; "" if it went well
    char version[80];
} ArmState;

// Begins with WORK_OPENING. NULL with the reason.
ArmWork *arm_work_new(const WorkOptions *options, Text *why);
void arm_work_free(ArmWork *w); // stops the arm if it moves
void arm_work_state(ArmWork *w, ArmState *out);

// False with the reason if something else is being done or it is stopped. Legs are copied.
bool arm_work_give(ArmWork *w, WorkDoing doing, const Leg *leg, int legs, Text *why);
void arm_work_answer(ArmWork *w, bool yes); // to `asking`
void arm_work_break(ArmWork *w); // ends a job behind the leg that is being done, without a fault
void arm_work_stop(ArmWork *w);
// The arm was measured anew. False with the reason if something is being done.
bool arm_work_measured(ArmWork *w, const Arm *arm, const Pose *home, Text *why);

#endif
