// robot_play: from what stands on the table to a state of the game, step by step; see robot.h.
//
// After every step the table is read and everything is planned anew from what is seen. So a step
// that failed, a piece that was knocked away and a person who helps are all the same case.
#include "robot/robot_parts.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define STEPS_MOST 2000    // of one move; more means that it goes in circles
#define STRAIGHTEN_MOST 3  // pieces in one move: then it has to do as it is
#define SECOND_GLANCE 0.05 // of the patience: before a step counts as failed
#define HELPS_MOST 8       // without a step that came out well in between

typedef struct Play {
    Robot *r;
    const uint8_t *state;
    Step failed; // the last step that did not come out
    int tries;   //   how often
    int helps;
    int straightened;
    bool helped; // since it was looked last
    Text *why;
} Play;

static bool same_step(const Step *a, const Step *b) {
    return a->from == b->from && a->to == b->to && a->kind == b->kind;
}

static bool ask(Play *p, const char *line) {
    if (++p->helps > HELPS_MOST) {
        text_f(p->why, "%s; asking for help has not helped", line);
        return false;
    }
    p->tries = 0;
    p->helped = true;
    return robot_help(p->r, line, p->why);
}

// "white man from store 3 to d2 did not come out: d2 is empty"
static void failure_text(const Robot *r, const Step *s, Text *out) {
    const Table *t = r->table;
    int top = scene_top(&r->scene, s->to);
    step_text(t, s, out);
    text_f(out, " did not come out: ");
    if (top == SCENE_NOTHING)
        text_f(out, "%s is empty", t->site[s->to].name);
    else
        text_f(out, "on %s is a %s", t->site[s->to].name, t->kind[top].name);
}

// A kind of which a piece was knocked away, best that of the step; -1: none.
static int lost_kind(const Robot *r, const Step *s) {
    int kind = r->table->kinds - 1;
    if (robot_lost(r, s->kind))
        return s->kind;
    while (kind >= 0 && !robot_lost(r, kind))
        kind--;
    return kind;
}

static bool has_arrived(const Robot *r, const Step *s) {
    return scene_top(&r->scene, s->from) == scene_top(&r->before, s->from) &&
           scene_top(&r->scene, s->to) == scene_top(&r->before, s->to);
}

// Whether what is seen is what should be behind the step.
static bool came_out(const Robot *r, const Step *s) {
    return has_arrived(r, s) && lost_kind(r, s) < 0;
}

static bool look(Play *p) {
    p->helped = false;
    return !p->r->camera || robot_look(p->r, &p->r->sight, p->why);
}

// The picture may be an old one: a moment later it is another.
static bool look_again(Play *p) {
    double seconds = p->r->options.patience * SECOND_GLANCE;
    struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    nanosleep(&t, NULL);
    return look(p);
}

// What to do about a step that was made. False: nobody helps.
static bool judge(Play *p, const Step *s) {
    Robot *r = p->r;
    if (!came_out(r, s) && !look_again(p))
        return false;
    if (came_out(r, s)) {
        r->step = (Step){-1, -1, -1}; // what a person does to that piece later is no failure of it
        p->tries = p->helps = 0;
        return true;
    }
    int lost = lost_kind(r, s);
    Text line = {0};
    if (lost >= 0 && lost != s->kind && has_arrived(r, s))
        text_f(&line, "a %s is nowhere to be seen any more", r->table->kind[lost].name);
    else
        failure_text(r, s, &line);
    p->tries = same_step(s, &p->failed) ? p->tries + 1 : 1;
    p->failed = *s;
    bool ok = true;
    robot_tell(r, ROBOT_FAILED, text_c(&line));
    if (lost == s->kind) {
        text_f(&line, ". Put the %s on %s, or on any place beside the board",
               r->table->kind[lost].name, r->table->site[s->to].name);
        ok = ask(p, text_c(&line));
    } else if (lost >= 0) {
        text_f(&line, ". Put the %s where it was, or on any place beside the board",
               r->table->kind[lost].name);
        ok = ask(p, text_c(&line));
    } else if (p->tries > 1) {
        text_add(&line,
                 ", for the second time. See whether the arm moves freely, and put the piece "
                 "where it has to go");
        ok = ask(p, text_c(&line));
    }
    text_free(&line);
    return ok;
}

// Carries out one step. *made: it was carried out to its end, which says nothing about the piece.
static bool take_step(Play *p, const Step *s, bool *made) {
    Robot *r = p->r;
    Pose pose;
    Text line = {0}, reason = {0};
    bool ok = controller_pose(r->controller, &pose), woken = false;
    int n = 0;
    *made = false;
    step_text(r->table, s, &line);
    if (!ok)
        text_add(p->why, "it is not known where the arm stands");
    else
        n = plan_motions(&r->scene, s, &pose, r->motion, &reason);
    if (n < 0) {
        text_f(&line, " is not possible: %s. Make room", text_c(&reason));
        ok = ask(p, text_c(&line));
    } else if (ok) {
        robot_tell(r, ROBOT_STEP, text_c(&line));
        r->motions = n;
        r->next = 0;
        r->step = *s;
        scene_copy(&r->before, &r->scene);
        scene_step(&r->before, s);
        ok = robot_carry_out(r, &woken, p->why);
        *made = ok && !woken;
    }
    text_free(&line);
    text_free(&reason);
    return ok;
}

// The belief behind a step: as planned. The camera corrects it.
static void believe_step(Robot *r, const Step *s) {
    scene_step(&r->scene, s);
    r->upset = false;
}

// What was interrupted with a piece in the fingers is finished before anything is read.
static bool finish(Play *p) {
    Robot *r = p->r;
    bool woken = false;
    Step s = r->step;
    if (r->motions == 0 || !r->holding)
        return true;
    if (!robot_carry_out(r, &woken, p->why))
        return false;
    if (!woken)
        scene_step(&r->scene, &s);
    return true;
}

// What does not stand in the middle of its place cannot be taken, and may be hit.
static bool straighten(Play *p) {
    Robot *r = p->r;
    int site = 0;
    while (site < r->table->sites && !r->askew[site])
        site++;
    if (site == r->table->sites || p->straightened >= STRAIGHTEN_MOST)
        return true;
    p->straightened++;
    Text line = {0};
    text_f(&line,
           "a %s is not in the middle of %s. Put it there, or on a free place beside the board",
           r->table->kind[r->askew[site] - 1].name, r->table->site[site].name);
    bool ok = ask(p, text_c(&line)) && look(p);
    text_free(&line);
    return ok;
}

// One round: plan, make the first step, look. *done when the board is as it should be.
static bool round_of(Play *p, bool *done) {
    Robot *r = p->r;
    Text reason = {0};
    bool made = false, ok = true;
    if ((p->helped && !look(p)) || (r->camera && !straighten(p)))
        return false;
    *done = scene_differs(&r->scene, p->state) < 0;
    if (*done)
        return true;
    if (!plan_to_state(&r->plan, &r->scene, p->state, &reason)) {
        ok = ask(p, text_c(&reason));
    } else if (r->plan.steps > 0) {
        Step s = r->plan.step[0];
        ok = take_step(p, &s, &made);
        if (ok && made)
            believe_step(r, &s);
        ok = ok && look(p) && (!made || judge(p, &s));
    }
    text_free(&reason);
    return ok;
}

bool robot_play(Robot *r, const uint8_t *state, Text *why) {
    Play p = {.r = r, .state = state, .failed = {-1, -1, -1}, .why = why};
    bool done = false, ok = finish(&p) && look(&p);
    for (int i = 0; ok && !done; i++) {
        ok = i < STEPS_MOST && round_of(&p, &done);
        if (i == STEPS_MOST)
            text_add(why, "the arm goes in circles");
    }
    ok = ok && robot_home(r, why);
    if (ok)
        robot_tell(r, ROBOT_DONE, "");
    return ok;
}
