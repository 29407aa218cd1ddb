// plan_motion: a step as motions of an arm, none of which hits what stands on the table.
//
// Joints of a motion start and arrive together, so between two poses every angle changes evenly.
// Each motion is walked through in small turns; at each the hand is a rod from the fingers to the
// wrist, what it holds a cylinder below it, and every pile a cylinder on the board. A way that hits
// a pile is tried in smaller parts, then higher, from and to home also by way of a point far above;
// if nothing helps, the plan is refused and names the pile.
#include "robot/plan_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEGREES (180 / 3.14159265358979323846)
#define LIFT 3.0        // cm over travel height: a way round that leads from and to home
#define FINGER_TIME 0.5 // seconds
#define SHORT_TIME 0.15 // seconds: no motion is shorter

// --- motions ---

static bool add(Way *w, MotionKind kind, Pose pose, double seconds, const char *phase, int site) {
    if (w->count == PLAN_MOTIONS) {
        text_add(w->why, "the way has too many parts");
        w->refused = true;
        return false;
    }
    Motion *m = &w->motion[w->count++];
    *m = (Motion){.kind = kind, .pose = pose, .seconds = seconds, .phase = phase};
    snprintf(m->text, sizeof m->text, "%s %s", phase, site >= 0 ? w->t->site[site].name : "");
    if (site < 0)
        m->text[strlen(phase)] = 0;
    w->at = pose;
    return true;
}

static double time_for(const Arm *arm, const Pose *from, const Pose *to) {
    double seconds = SHORT_TIME;
    for (int j = 0; j < ARM_JOINTS; j++)
        seconds = fmax(seconds, fabs(from->angle[j] - to->angle[j]) / arm->joint[j].speed);
    return seconds;
}

static bool add_move(Way *w, const Pose *to, const char *phase, int site) {
    return add(w, MOTION_MOVE, *to, time_for(w->t->arm, &w->at, to), phase, site);
}

static bool refuse(Way *w, const char *what, int site, const Reach *reach) {
    text_f(w->why, "the arm does not reach %s%s: ", what, w->t->site[site].name);
    arm_reach_text(reach, w->why);
    w->refused = true;
    return false;
}

// The pose over a site with the fingers at a height; leaning as taught where that was taught.
static bool pose_at(Way *w, int site, double z, const char *what, Pose *pose) {
    const Site *s = &w->t->site[site];
    const Arm *arm = w->t->arm;
    Point to = way_hold(w, site);
    to.z = z;
    Reach reach;
    if (s->posed) {
        reach = arm_reach(arm, to, arm_pitch(&s->down), &s->down, pose);
        if (reach.fault != REACH_OK)
            reach = arm_reach_down(arm, to, &s->down, pose);
        pose->angle[ARM_HAND] = s->down.angle[ARM_HAND];
    } else {
        reach = arm_reach_down(arm, to, &w->at, pose);
    }
    return reach.fault == REACH_OK || refuse(w, what, site, &reach);
}

static bool pose_above(Way *w, int site, Pose *pose) {
    const Site *s = &w->t->site[site];
    if (s->posed && arm_point(w->t->arm, &s->above).z >= w->high - PLAN_TOUCH) {
        *pose = s->above;
        return true;
    }
    return pose_at(w, site, w->high, "above ", pose);
}

// --- straight down and up ---

static double strays(const Arm *arm, const Pose *from, const Pose *to) {
    Pose half = pose_between(from, to, 0.5);
    Point a = arm_point(arm, from), b = arm_point(arm, to), m = arm_point(arm, &half);
    return hypot(m.x - (a.x + b.x) / 2, m.y - (a.y + b.y) / 2);
}

// In so many parts that the fingers keep to the line. What was taught is followed as it is.
static bool upright(Way *w, int site, const Pose *to, const char *phase, int depth) {
    const Arm *arm = w->t->arm;
    if (depth > 0 && !w->t->site[site].posed && strays(arm, &w->at, to) > PLAN_STRAIGHT) {
        Point a = arm_point(arm, &w->at), b = arm_point(arm, to);
        Pose half;
        if (!pose_at(w, site, (a.z + b.z) / 2, "above ", &half))
            return false;
        return upright(w, site, &half, phase, depth - 1) && upright(w, site, to, phase, depth - 1);
    }
    return way_is_free(w, &w->at, to) && add_move(w, to, phase, site);
}

static bool go_down(Way *w, int site, int level) {
    const Site *s = &w->t->site[site];
    Pose down = s->down;
    if (!s->posed || level > 0) {
        double z = way_hold(w, site).z + level * w->t->kind[0].height;
        if (!pose_at(w, site, z, level > 0 ? "the top of " : "", &down))
            return false;
    }
    w->handled = site;
    return upright(w, site, &down, "down", 2);
}

static bool go_up(Way *w, int site) {
    Pose above;
    bool ok = pose_above(w, site, &above) && upright(w, site, &above, "up", 2);
    w->handled = -1;
    return ok;
}

// --- across ---

static bool is_home(const Arm *arm, const Pose *pose) {
    Pose home = arm->home;
    return pose_turns(&home, pose) < 1;
}

static Pose lifted(const Way *w, double base) {
    const Arm *arm = w->t->arm;
    Pose pose = w->at;
    double out = (arm->upper + arm->fore) / 2;
    Point to = {arm->base_x + out * sin(base / DEGREES), arm->base_y + out * cos(base / DEGREES),
                w->high + LIFT};
    arm_reach_down(arm, to, NULL, &pose);
    return pose;
}

static bool through(Way *w, const Pose *pose, int poses, const char *phase, int site) {
    Pose at = w->at;
    for (int i = 0; i < poses; i++) {
        if (!way_is_free(w, &at, &pose[i]))
            return false;
        at = pose[i];
    }
    for (int i = 0; i < poses; i++)
        if (!add_move(w, &pose[i], phase, site))
            return false;
    return true;
}

// In parts at the same height: round the base and outward evenly.
static bool in_parts(Way *w, const Pose *to, int parts, const char *phase, int site) {
    const Arm *arm = w->t->arm;
    Point a = arm_point(arm, &w->at), b = arm_point(arm, to);
    double from_out = hypot(a.x - arm->base_x, a.y - arm->base_y);
    double to_out = hypot(b.x - arm->base_x, b.y - arm->base_y);
    Pose pose[8];
    for (int i = 1; i < parts; i++) {
        double part = (double)i / parts;
        double base = pose_between(&w->at, to, part).angle[ARM_BASE] / DEGREES;
        double out = from_out + (to_out - from_out) * part;
        Point p = {arm->base_x + out * sin(base), arm->base_y + out * cos(base),
                   a.z + (b.z - a.z) * part};
        if (arm_reach_down(arm, p, i > 1 ? &pose[i - 2] : &w->at, &pose[i - 1]).fault != REACH_OK)
            return false;
        pose[i - 1].angle[ARM_HAND] = pose_between(&w->at, to, part).angle[ARM_HAND];
    }
    pose[parts - 1] = *to;
    return through(w, pose, parts, phase, site);
}

static bool go_across(Way *w, const Pose *to, const char *phase, int site) {
    if (through(w, to, 1, phase, site))
        return true;
    int hit = w->hit;
    for (int parts = 2; parts <= 8; parts *= 2)
        if (in_parts(w, to, parts, phase, site))
            return true;
    Pose round[3] = {lifted(w, w->at.angle[ARM_BASE]), lifted(w, to->angle[ARM_BASE]), *to};
    if ((is_home(w->t->arm, &w->at) || is_home(w->t->arm, to)) &&
        (through(w, round + 1, 2, phase, site) || through(w, round, 3, phase, site)))
        return true;
    w->hit = hit;
    return false;
}

// --- the whole ---

// From anywhere: up first, away from what the fingers are about.
static bool rise(Way *w) {
    const Arm *arm = w->t->arm;
    Point tip = arm_point(arm, &w->at);
    if (tip.z >= w->high - PLAN_TOUCH || is_home(arm, &w->at))
        return true;
    Point over = {tip.x, tip.y, w->high};
    Pose up;
    if (arm_reach_down(arm, over, &w->at, &up).fault != REACH_OK)
        return true; // other ways may do
    w->handled = way_touches(w, &w->at);
    bool ok = through(w, &up, 1, "up", -1);
    w->handled = -1;
    return ok;
}

static bool go_above(Way *w, int site, const char *phase) {
    Pose above;
    return pose_above(w, site, &above) && go_across(w, &above, phase, site);
}

static bool fingers(Way *w, MotionKind kind, const char *phase, int site) {
    return add(w, kind, w->at, FINGER_TIME, phase, site);
}

static bool carry(Way *w, const Scene *now, const Step *step) {
    const Table *t = w->t;
    double height = t->kind[step->kind].height;
    int level = scene_height(now, step->from) - 1, to_level = scene_height(now, step->to);
    if (!rise(w) || !go_above(w, step->from, "above") ||
        !fingers(w, MOTION_OPEN, "open over", step->from) || !go_down(w, step->from, level) ||
        !fingers(w, MOTION_CLOSE, "take from", step->from))
        return false;
    w->top[step->from] -= height;
    w->kind = step->kind;
    w->foot = fmax(0, t->site[step->from].at.z - t->surface);
    if (!go_up(w, step->from) || !go_above(w, step->to, "across to") ||
        !go_down(w, step->to, to_level) || !fingers(w, MOTION_OPEN, "put on", step->to))
        return false;
    w->top[step->to] += height;
    w->kind = -1;
    return go_up(w, step->to);
}

static Way way_from(const Scene *now, const Pose *from, Motion *motion, Text *why) {
    Way w = {.t = now->table, .motion = motion, .at = *from, .kind = -1, .handled = -1, .hit = -1};
    w.why = why;
    for (int i = 0; i < w.t->sites; i++)
        w.top[i] = scene_height(now, i) * w.t->kind[0].height;
    return w;
}

// Goes on with a greater height, or tells what is in the way. `before` was in the way at the last
// height; -1: nothing was.
static bool higher(const Way *w, double *pile, int before, const char *to, Text *why) {
    double top = w->hit >= 0 ? w->top[w->hit] : 0;
    int in_the_way = w->refused ? before : w->hit;
    if (!w->refused && w->hit >= 0 && top > *pile + PLAN_TOUCH) {
        *pile = top;
        return true;
    }
    if (in_the_way >= 0)
        text_f(why, "what stands on %s is in the way to %s", w->t->site[in_the_way].name, to);
    else if (!w->refused)
        text_f(why, "there is no way to %s", to);
    if (w->refused)
        text_f(why, "%s%s", in_the_way >= 0 ? "; higher up " : "", text_c(w->why));
    return false;
}

static bool pose_is_possible(const Table *t, const Pose *pose, Text *why) {
    double degrees;
    int joint = arm_beyond(t->arm, pose, &degrees);
    if (joint < 0)
        return true;
    text_f(why, "the %s would be %.1f degrees beyond what the arm can", arm_joint_name(joint),
           degrees);
    return false;
}

static int checked(const Way *w, Text *why) {
    for (int i = 0; i < w->count; i++)
        if (!pose_is_possible(w->t, &w->motion[i].pose, why))
            return -1;
    return w->count;
}

// What the arm is out for: a step, a look at a site, or else going home.
typedef struct Errand {
    const Step *step;
    int site; // -1: none
    bool down;
} Errand;

static bool visit(Way *w, const Scene *now, const Errand *e) {
    int height = scene_height(now, e->site);
    return rise(w) && go_above(w, e->site, "above") &&
           (!e->down || go_down(w, e->site, height > 0 ? height - 1 : 0));
}

static bool run(Way *w, const Scene *now, const Errand *e) {
    if (e->step)
        return carry(w, now, e->step);
    if (e->site >= 0)
        return visit(w, now, e);
    Pose home = w->t->arm->home;
    w->kind = 0; // it may hold a piece
    w->foot = w->t->grip;
    return rise(w) && go_across(w, &home, "home", -1);
}

// Tries heights of travel until a way is found.
static int find_way(const Scene *now, const Errand *e, const Pose *from, double pile,
                    Motion *motion, Text *why) {
    const Table *t = now->table;
    int site = e->step ? e->step->to : e->site;
    const char *to = site >= 0 ? t->site[site].name : "home";
    int count = -1, before = -1;
    Text reason = {0};
    for (bool more = true; more;) {
        Way w = way_from(now, from, motion, &reason);
        w.high = t->surface + table_travel(t, pile);
        bool found = run(&w, now, e);
        more = !found && higher(&w, &pile, before, to, why);
        before = w.hit;
        if (found)
            count = checked(&w, why);
    }
    text_free(&reason);
    return count;
}

int plan_motions(const Scene *now, const Step *step, const Pose *from, Motion *motion, Text *why) {
    const Table *t = now->table;
    Scene after;
    if (!scene_init(&after, t)) {
        text_add(why, "out of memory");
        return -1;
    }
    scene_copy(&after, now);
    bool possible = scene_step(&after, step);
    scene_free(&after);
    if (!possible) {
        text_add(why, "this step is not possible: ");
        step_text(t, step, why);
        return -1;
    }
    double height = t->kind[step->kind].height;
    double pile = fmax(scene_height(now, step->from), scene_height(now, step->to) + 1) * height;
    return find_way(now, &(Errand){step, -1, false}, from, pile, motion, why);
}

int plan_home(const Scene *now, const Pose *from, Motion *motion, Text *why) {
    const Errand home = {NULL, -1, false};
    return is_home(now->table->arm, from) ? 0 : find_way(now, &home, from, 0, motion, why);
}

int plan_visit(const Scene *now, int site, bool down, const Pose *from, Motion *motion, Text *why) {
    const Table *t = now->table;
    const Errand errand = {NULL, site, down};
    double pile = scene_height(now, site) * t->kind[0].height;
    double hover = t->arm->hover - table_travel(t, 0) + t->grip;
    Text high = {0};
    int n = find_way(now, &errand, from, fmax(pile, hover), motion, &high);
    text_free(&high);
    return n >= 0 ? n : find_way(now, &errand, from, pile, motion, why);
}
