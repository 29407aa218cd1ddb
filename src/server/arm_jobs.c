// arm_jobs: the line to the arm, and what the worker does with it; see arm_work.h.
#include "server/arm_work_parts.h"

#include "base/now.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

// --- the line ---

void work_close_line(ArmWork *w) {
    pthread_mutex_lock(&w->gate);
    pthread_mutex_lock(&w->swap);
    Controller *c = w->controller;
    w->controller = NULL;
    w->board = NULL;
    pthread_mutex_unlock(&w->swap);
    pthread_mutex_unlock(&w->gate);
    controller_close(c);
}

// Opened anew even if it was open: what stands at the other end is cold then, and not stopped; so
// the brake is pulled again.
static ControllerFault open_line(ArmWork *w, Text *why) {
    Text port = {0};
    SimBoard *board = NULL;
    Controller *c = NULL;
    work_close_line(w);
    if (w->options.line.open(w->options.line.with, &port, &board, why))
        c = controller_open(&w->arm, text_c(&port), &w->options.controller, why);
    text_free(&port);
    pthread_mutex_lock(&w->gate);
    pthread_mutex_lock(&w->swap);
    w->controller = c;
    w->board = c ? board : NULL;
    pthread_mutex_unlock(&w->swap);
    pthread_mutex_unlock(&w->gate);
    pthread_mutex_lock(&w->lock);
    ArmState *s = &w->state;
    bool stopped = s->stopped;
    s->there = c != NULL;
    s->awake = s->posed = s->known = false;
    s->fingers = -1;
    snprintf(s->version, sizeof s->version, "%s", c ? controller_version(c) : "");
    pthread_mutex_unlock(&w->lock);
    if (c && stopped)
        controller_stop(c, NULL);
    return c ? CONTROLLER_OK : CONTROLLER_LOST;
}

// --- jobs ---

// Before each joint: waits until a person says yes.
static bool ask_joint(void *with, int joint) {
    ArmWork *w = with;
    pthread_mutex_lock(&w->lock);
    w->state.asking = work_must_end(w) ? -1 : joint;
    w->answer = -1;
    pthread_mutex_unlock(&w->lock);
    work_changed(w);
    pthread_mutex_lock(&w->lock);
    while (w->answer < 0 && !work_must_end(w))
        pthread_cond_wait(&w->work, &w->lock);
    bool yes = w->answer == 1 && !work_must_end(w);
    w->state.asking = -1;
    pthread_mutex_unlock(&w->lock);
    work_changed(w);
    return yes;
}

static ControllerFault wake(ArmWork *w, bool ask, Text *why) {
    ControllerFault fault =
        controller_wake(w->controller, &w->options.home, ask ? ask_joint : NULL, w, why);
    pthread_mutex_lock(&w->lock);
    ArmState *s = &w->state;
    s->awake = fault == CONTROLLER_OK;
    s->known = s->posed = controller_pose(w->controller, &s->pose);
    s->goal = s->pose;
    s->fingers = s->awake ? 1 : -1;
    if (w->broken && fault == CONTROLLER_COLD) { // a person wanted it so
        fault = CONTROLLER_OK;
        text_clear(why);
    }
    pthread_mutex_unlock(&w->lock);
    return fault;
}

// Another simulated arm in place of one that was awake is woken at once: nobody stands in its way.
static ControllerFault open_again(ArmWork *w, Text *why) {
    bool awake = w->board && w->state.awake; // only this thread changes them
    ControllerFault fault = open_line(w, why);
    return fault == CONTROLLER_OK && awake && w->board ? wake(w, false, why) : fault;
}

static ControllerFault resume(ArmWork *w, Text *why) {
    pthread_mutex_lock(&w->lock);
    int64_t stops = w->stops;
    while (w->braked < stops && !w->closing) // else an old stop would come behind the resume
        pthread_cond_wait(&w->work, &w->lock);
    pthread_mutex_unlock(&w->lock);
    ControllerFault fault = controller_resume(w->controller, why);
    pthread_mutex_lock(&w->lock);
    ArmState *s = &w->state;
    bool again = stops != w->stops;
    if (fault == CONTROLLER_OK && !again) {
        s->stopped = false;
        s->known = controller_pose(w->controller, &s->pose);
        s->posed |= s->known;
        s->goal = s->pose;
    }
    pthread_mutex_unlock(&w->lock);
    if (again)
        controller_stop(w->controller, NULL);
    return fault;
}

// As long as the fastest joint needs: the controller works out the same.
static double leg_seconds(const ArmWork *w, const Pose *from, const Leg *leg) {
    double seconds = leg->seconds;
    for (int j = 0; j < ARM_JOINTS; j++)
        seconds = fmax(seconds, fabs(leg->pose.angle[j] - from->angle[j]) / w->arm.joint[j].speed);
    return seconds;
}

static ControllerFault move(ArmWork *w, const Leg *leg, Text *why) {
    pthread_mutex_lock(&w->lock);
    ArmState *s = &w->state;
    w->travel = (Travel){s->pose, leg->pose, now_seconds(), leg_seconds(w, &s->pose, leg)};
    double seconds = w->travel.seconds;
    s->known = false;
    pthread_mutex_unlock(&w->lock);
    work_changed(w);
    ControllerFault fault = controller_move(w->controller, &leg->pose, seconds, why);
    pthread_mutex_lock(&w->lock);
    if (fault == CONTROLLER_OK)
        s->known = controller_pose(w->controller, &s->pose);
    else // it is about there; after a resume it is known again
        work_between(&w->travel, now_seconds(), &s->pose);
    w->travel = (Travel){s->pose, s->pose, 0, 0};
    pthread_mutex_unlock(&w->lock);
    return fault;
}

static ControllerFault fingers(ArmWork *w, const Leg *leg, Text *why) {
    bool open = leg->kind == LEG_OPEN;
    ControllerFault fault = controller_fingers(w->controller, open, leg->seconds, why);
    pthread_mutex_lock(&w->lock);
    w->state.fingers = fault == CONTROLLER_OK ? open : -1;
    w->state.known = controller_pose(w->controller, &w->state.pose) && w->state.known;
    pthread_mutex_unlock(&w->lock);
    return fault;
}

static void pause_for(ArmWork *w, double seconds) {
    struct timespec until = now_plus(seconds);
    pthread_mutex_lock(&w->lock);
    while (!work_must_end(w) && pthread_cond_timedwait(&w->work, &w->lock, &until) == 0)
        ;
    pthread_mutex_unlock(&w->lock);
}

static ControllerFault one_leg(ArmWork *w, const Leg *leg, Text *why) {
    switch (leg->kind) {
    case LEG_MOVE: return move(w, leg, why);
    case LEG_OPEN:
    case LEG_CLOSE: return fingers(w, leg, why);
    case LEG_PAUSE: pause_for(w, leg->seconds); return CONTROLLER_OK;
    }
    return CONTROLLER_OK;
}

// The next leg of the job; false if there is none, or it is to end.
static bool next_leg(ArmWork *w, int i, Leg *leg, ControllerFault *fault) {
    pthread_mutex_lock(&w->lock);
    bool more = i < w->legs;
    if (more) {
        *leg = w->leg[i];
    } else if (w->has_target) {
        more = true;
        *leg = w->target;
        w->state.ends = leg->pose;
        w->has_target = false;
    }
    if (w->state.stopped)
        *fault = CONTROLLER_STOPPED;
    more = more && !work_must_end(w);
    w->state.leg = i;
    w->state.site = more ? leg->site : -1;
    pthread_mutex_unlock(&w->lock);
    return more;
}

static ControllerFault go(ArmWork *w, Text *why) {
    ControllerFault fault = CONTROLLER_OK;
    Leg leg;
    for (int i = 0; fault == CONTROLLER_OK && next_leg(w, i, &leg, &fault); i++) {
        work_changed(w);
        fault = one_leg(w, &leg, why);
    }
    return fault;
}

ControllerFault work_do(ArmWork *w, WorkDoing doing, Text *why) {
    if (doing == WORK_OPENING)
        return open_again(w, why);
    if (!w->controller) { // only this thread changes it
        text_add(why, "there is no line to the arm");
        return CONTROLLER_LOST;
    }
    switch (doing) {
    case WORK_WAKING: return wake(w, true, why);
    case WORK_RESUMING: return resume(w, why);
    default: return go(w, why);
    }
}
