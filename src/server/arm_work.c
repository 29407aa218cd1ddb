// arm_work: the threads that move an arm; see arm_work.h.
#include "server/arm_work_parts.h"

#include "base/mem.h"
#include "base/now.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

const char *work_doing_word(WorkDoing doing) {
    static const char *const words[] = {
#define X(constant, word) word,
        WORK_DOINGS(X)
#undef X
    };
    return words[doing];
}

void work_changed(ArmWork *w) {
    if (w->options.changed)
        w->options.changed(w->options.with);
}

bool work_must_end(const ArmWork *w) {
    return w->closing || w->broken || w->state.stopped;
}

// --- where it is ---

void work_between(const Travel *t, double now, Pose *pose) {
    double part = t->seconds > 0 ? fmin(1, fmax(0, (now - t->began) / t->seconds)) : 1;
    for (int j = 0; j < ARM_JOINTS; j++)
        pose->angle[j] = t->from.angle[j] + part * (t->to.angle[j] - t->from.angle[j]);
}

// Where the joints of a simulated arm really are; false for one that is there, or is cold.
static bool simulated(ArmWork *w, Pose *pose) {
    double pulse[SIM_CHANNELS];
    bool found = true;
    pthread_mutex_lock(&w->swap);
    if (w->board)
        sim_board_pulses(w->board, pulse);
    else
        found = false;
    for (int j = 0; j < ARM_JOINTS && found; j++) {
        const ArmJoint *a = &w->arm.joint[j];
        found = a->channel >= 0 && a->channel < SIM_CHANNELS && pulse[a->channel] > 0;
        if (found)
            pose->angle[j] = (pulse[a->channel] - a->zero) / a->per_degree;
    }
    pthread_mutex_unlock(&w->swap);
    return found;
}

void arm_work_state(ArmWork *w, ArmState *out) {
    Pose real;
    bool simulation = simulated(w, &real);
    pthread_mutex_lock(&w->lock);
    *out = w->state;
    if (out->posed && !out->known)
        work_between(&w->travel, now_seconds(), &out->pose);
    pthread_mutex_unlock(&w->lock);
    if (simulation && !out->known) {
        out->pose = real;
        out->posed = true;
    }
}

// Under the lock.
static void end_job(ArmWork *w, ControllerFault fault, const Text *why) {
    ArmState *s = &w->state;
    s->doing = WORK_IDLE;
    s->fault = fault;
    snprintf(s->why, sizeof s->why, "%s", fault == CONTROLLER_OK ? "" : text_c(why));
    if (fault == CONTROLLER_LOST) {
        s->there = s->awake = s->known = false;
        s->fingers = -1;
    }
    s->goal = s->pose;
    s->site = -1;
    s->leg = s->legs = w->legs = 0;
    w->has_target = false;
    mem_free(w->leg);
    w->leg = NULL;
}

static void *run_worker(void *with) {
    ArmWork *w = with;
    pthread_mutex_lock(&w->lock);
    while (!w->closing) {
        if (w->wanted == WORK_IDLE) {
            pthread_cond_wait(&w->work, &w->lock);
            continue;
        }
        WorkDoing doing = w->wanted;
        w->wanted = WORK_IDLE;
        pthread_mutex_unlock(&w->lock);
        Text why = {0};
        ControllerFault fault = work_do(w, doing, &why);
        pthread_mutex_lock(&w->lock);
        if (fault == CONTROLLER_OK && w->has_target && !work_must_end(w)) {
            w->legs = 0; // a newer target came in the last moment
            w->wanted = doing;
        } else {
            end_job(w, fault, &why);
        }
        pthread_mutex_unlock(&w->lock);
        text_free(&why);
        work_changed(w);
        pthread_mutex_lock(&w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

// --- the brake ---

// Without the lock. What came of it is told if it is not certain that nothing moves.
static void brake(ArmWork *w) {
    Text why = {0};
    ControllerFault fault = CONTROLLER_OK;
    pthread_mutex_lock(&w->gate);
    if (w->controller)
        fault = controller_stop(w->controller, &why);
    pthread_mutex_unlock(&w->gate);
    if (fault == CONTROLLER_OK)
        return;
    pthread_mutex_lock(&w->lock);
    w->state.fault = fault;
    snprintf(w->state.why, sizeof w->state.why, "%s", text_c(&why));
    pthread_mutex_unlock(&w->lock);
    text_free(&why);
    work_changed(w);
}

static void *run_brake(void *with) {
    ArmWork *w = with;
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (!w->brake_wanted && !w->closing)
            pthread_cond_wait(&w->braking, &w->lock);
        if (!w->brake_wanted)
            break;
        w->brake_wanted = false;
        int64_t stops = w->stops;
        pthread_mutex_unlock(&w->lock);
        brake(w);
        pthread_mutex_lock(&w->lock);
        w->braked = stops;
        pthread_cond_signal(&w->work);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

// Under the lock.
static void pull_brake(ArmWork *w) {
    w->state.stopped = true;
    w->state.asking = -1;
    w->stops++;
    w->brake_wanted = true;
    pthread_cond_signal(&w->braking);
    pthread_cond_signal(&w->work); // whoever waits for a person, or makes a pause
}

void arm_work_stop(ArmWork *w) {
    pthread_mutex_lock(&w->lock);
    pull_brake(w);
    pthread_mutex_unlock(&w->lock);
    work_changed(w);
}

// --- giving ---

void arm_work_answer(ArmWork *w, bool yes) {
    pthread_mutex_lock(&w->lock);
    if (w->state.asking >= 0) {
        w->answer = yes;
        w->state.asking = -1; // a second answer is not for the next joint
        w->broken |= !yes;
        pthread_cond_signal(&w->work);
    }
    pthread_mutex_unlock(&w->lock);
}

void arm_work_break(ArmWork *w) {
    pthread_mutex_lock(&w->lock);
    if (w->state.doing != WORK_IDLE) {
        w->broken = true;
        w->state.asking = -1;
        pthread_cond_signal(&w->work);
    }
    pthread_mutex_unlock(&w->lock);
}

// Why a job cannot be taken now, or NULL.
static const char *refusal(const ArmState *s, WorkDoing doing) {
    if (s->doing != WORK_IDLE)
        return "the arm is busy";
    if (doing == WORK_OPENING)
        return NULL;
    if (!s->there)
        return "there is no line to the arm";
    if (doing == WORK_RESUMING)
        return s->stopped || !s->known ? NULL : "the arm is not stopped";
    if (s->stopped)
        return "the arm was stopped: resume first";
    if (doing != WORK_WAKING && !s->awake)
        return "the arm does not know yet where it stands: wake it first";
    return NULL;
}

// Under the lock.
static bool begin_job(ArmWork *w, WorkDoing doing, const Leg *leg, int legs, Text *why) {
    const char *no = refusal(&w->state, doing);
    Leg *copy = no || legs == 0 ? NULL : mem_alloc(sizeof *copy * (size_t)legs);
    if (no || (legs > 0 && !copy)) {
        text_add(why, no ? no : "out of memory");
        return false;
    }
    if (legs > 0)
        memcpy(copy, leg, sizeof *copy * (size_t)legs);
    w->leg = copy;
    w->legs = w->state.legs = legs;
    w->broken = false;
    w->wanted = w->state.doing = doing;
    w->state.fault = CONTROLLER_OK;
    w->state.why[0] = 0;
    for (int i = 0; i < legs; i++)
        if (leg[i].kind == LEG_MOVE)
            w->state.goal = leg[i].pose;
    w->state.ends = w->state.goal;
    pthread_cond_signal(&w->work);
    return true;
}

bool arm_work_give(ArmWork *w, WorkDoing doing, const Leg *leg, int legs, Text *why) {
    bool ok = true;
    pthread_mutex_lock(&w->lock);
    bool follow =
        doing == WORK_FOLLOWING && w->state.doing == doing && !work_must_end(w) && legs == 1;
    if (follow) {
        w->target = *leg;
        w->has_target = true;
        w->state.goal = leg->pose;
    } else {
        ok = begin_job(w, doing, leg, legs, why);
    }
    pthread_mutex_unlock(&w->lock);
    return ok;
}

// The worker waits, and does not look at them.
bool arm_work_measured(ArmWork *w, const Arm *arm, const Pose *home, Text *why) {
    pthread_mutex_lock(&w->lock);
    ArmState *s = &w->state;
    bool ok = s->doing == WORK_IDLE && w->braked == w->stops; // the brake looks at them
    if (ok) {
        pthread_mutex_lock(&w->swap);
        w->arm = *arm;
        w->options.home = *home;
        if (w->controller) {
            controller_measured(w->controller, arm);
            s->known = controller_pose(w->controller, &s->pose) && s->known;
        }
        pthread_mutex_unlock(&w->swap);
        s->goal = s->pose;
    } else {
        text_add(why, "the arm is busy");
    }
    pthread_mutex_unlock(&w->lock);
    if (ok)
        work_changed(w);
    return ok;
}

// --- beginning and ending ---

static bool start(ArmWork *w) {
    sigset_t all, before;
    sigfillset(&all); // signals are for the program's own thread
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->has_worker = pthread_create(&w->worker, NULL, run_worker, w) == 0;
    w->has_brake = pthread_create(&w->brake, NULL, run_brake, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return w->has_worker && w->has_brake;
}

ArmWork *arm_work_new(const WorkOptions *options, Text *why) {
    ArmWork *w = mem_alloc(sizeof *w);
    if (!w) {
        text_add(why, "out of memory");
        return NULL;
    }
    w->options = *options;
    w->arm = *options->arm;
    w->options.arm = &w->arm;
    w->state = (ArmState){.doing = WORK_OPENING, .asking = -1, .fingers = -1, .site = -1};
    w->state.pose = w->state.goal = options->home;
    w->wanted = WORK_OPENING;
    pthread_mutex_init(&w->gate, NULL);
    pthread_mutex_init(&w->swap, NULL);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->work, NULL);
    pthread_cond_init(&w->braking, NULL);
    if (start(w))
        return w;
    text_add(why, "cannot start threads");
    arm_work_free(w);
    return NULL;
}

void arm_work_free(ArmWork *w) {
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    if (w->state.doing != WORK_IDLE)
        pull_brake(w);
    w->closing = true;
    pthread_cond_broadcast(&w->work);
    pthread_cond_broadcast(&w->braking);
    pthread_mutex_unlock(&w->lock);
    if (w->has_brake)
        pthread_join(w->brake, NULL);
    if (w->has_worker)
        pthread_join(w->worker, NULL);
    work_close_line(w);
    w->options.line.close(w->options.line.with);
    mem_free(w->leg);
    pthread_cond_destroy(&w->work);
    pthread_cond_destroy(&w->braking);
    pthread_mutex_destroy(&w->gate);
    pthread_mutex_destroy(&w->swap);
    pthread_mutex_destroy(&w->lock);
    mem_free(w);
}
