// arm_work_parts: what the files of arm_work share.
#ifndef LUDENS_ARM_WORK_PARTS_H
#define LUDENS_ARM_WORK_PARTS_H

#include "server/arm_work.h"

#include <pthread.h>

typedef struct Travel { // the leg being done, to tell where the arm is about now
    Pose from, to;
    double began, seconds;
} Travel;

struct ArmWork {
    WorkOptions options;
    Arm arm;
    pthread_t worker, brake;
    bool has_worker, has_brake;

    pthread_mutex_t gate; // held while the controller changes, or the brake uses it, for long
    pthread_mutex_t swap; // of the arm and two pointers: held while they change, never for long
    Controller *controller;
    SimBoard *board;

    pthread_mutex_t lock; // of all that follows
    pthread_cond_t work, braking;
    bool closing, broken; // no more jobs; the job is to end
    bool brake_wanted;
    int64_t stops;    // grows with each arm_work_stop: a resume does not swallow a newer one
    int64_t braked;   // the last of them that the brake thread has carried out
    WorkDoing wanted; // a job that waits; WORK_IDLE: none
    Leg *leg;         //   its legs, or those being done
    int legs;
    bool has_target; // of WORK_FOLLOWING, newer than the leg being done
    Leg target;
    int answer; // to `asking`: -1 none yet
    Travel travel;
    ArmState state;
};

void work_changed(ArmWork *w);
// Where a movement is at a moment.
void work_between(const Travel *t, double now, Pose *pose);
bool work_must_end(const ArmWork *w); // under the lock

// --- arm_jobs.c: in the worker's thread ---
ControllerFault work_do(ArmWork *w, WorkDoing doing, Text *why);
void work_close_line(ArmWork *w);

#endif
