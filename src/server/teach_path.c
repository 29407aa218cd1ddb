// teach_path: ways for the fingers that are safe to go; see teach.h.
#include "server/teach.h"

#include <math.h>

#define FOLDED 9.0 // cm from the base: nearer there are no places
#define LIFT 4.0   // cm over the height of travel, where it is stretched out
#define DEGREES (180 / 3.14159265358979323846)

static Leg move_to(const Pose *pose) {
    return (Leg){.kind = LEG_MOVE, .site = -1, .pose = *pose, .seconds = TEACH_SECONDS};
}

// Folded over its base the hand is low, but nothing stands there.
static bool is_folded(const Arm *arm, const Pose *pose) {
    Point p = arm_point(arm, pose);
    return hypot(p.x - arm->base_x, p.y - arm->base_y) < FOLDED;
}

// High over the board in the direction of a base angle: what is between folded and stretched.
static bool lifted(const Arm *arm, double base, double travel, Pose *pose) {
    double out = (arm->upper + arm->fore) / 2;
    Point to = {arm->base_x + out * sin(base / DEGREES), arm->base_y + out * cos(base / DEGREES),
                travel + LIFT};
    return arm_reach_down(arm, to, NULL, pose).fault == REACH_OK;
}

// Straight up, if it is low and that can be reached.
static bool raised(const Arm *arm, const Pose *from, double travel, Pose *pose) {
    Point up = arm_point(arm, from);
    if (up.z >= travel)
        return false;
    up.z = travel;
    if (arm_reach_down(arm, up, from, pose).fault != REACH_OK)
        return false;
    pose->angle[ARM_HAND] = from->angle[ARM_HAND];
    return true;
}

bool path_to(const Arm *arm, const Pose *from, const Pose *to, double travel, Leg *leg, int *legs,
             Text *why) {
    bool unfold = is_folded(arm, from) && !is_folded(arm, to);
    bool fold = is_folded(arm, to) && !is_folded(arm, from);
    double base = (unfold ? to : from)->angle[ARM_BASE];
    Pose pose, turned = unfold ? *from : *to;
    int n = 0;
    turned.angle[ARM_BASE] = base;
    if (unfold)
        leg[n++] = move_to(&turned);
    else if (raised(arm, from, travel, &pose))
        leg[n++] = move_to(&pose);
    if ((fold || unfold) && lifted(arm, base, travel, &pose))
        leg[n++] = move_to(&pose);
    if (fold)
        leg[n++] = move_to(&turned);
    leg[n++] = move_to(to);
    *legs = n;
    for (int i = 0; i < n; i++)
        if (!path_clear(arm, i ? &leg[i - 1].pose : from, &leg[i].pose, why))
            return false;
    return true;
}

bool path_jog(const Arm *arm, const Pose *from, Point by, Leg *leg, int *legs, Text *why) {
    double far = sqrt(by.x * by.x + by.y * by.y + by.z * by.z);
    int n = (int)ceil(far / TEACH_JOG_STEP);
    n = n < 1 ? 1 : n > TEACH_LEGS ? TEACH_LEGS : n;
    Point start = arm_point(arm, from);
    double pitch = arm_pitch(from);
    Pose before = *from;
    for (int i = 1; i <= n; i++) {
        double part = (double)i / n;
        Point to = {start.x + part * by.x, start.y + part * by.y, start.z + part * by.z};
        Leg *l = &leg[i - 1];
        *l = (Leg){.kind = LEG_MOVE, .site = -1, .seconds = TEACH_SECONDS / n};
        Reach reach = arm_reach(arm, to, pitch, &before, &l->pose);
        if (reach.fault != REACH_OK) {
            arm_reach_text(&reach, why);
            return false;
        }
        l->pose.angle[ARM_HAND] = from->angle[ARM_HAND];
        if (!path_clear(arm, &before, &l->pose, why))
            return false;
        before = l->pose;
    }
    *legs = n;
    return true;
}
