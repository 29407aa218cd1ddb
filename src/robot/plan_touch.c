// plan_touch: what a hand on its way would touch.
//
// Each motion is walked through in small turns; at each the hand is a rod from the fingers to the
// wrist, what it holds a cylinder below it, and every pile a cylinder on the board.
#include "robot/plan_parts.h"

#include <math.h>

#define DEGREES (180 / 3.14159265358979323846)
#define TURN 1.5    // degrees of the fastest joint between two looks at the way
#define FINGER 0.15 // cm that fingers are wider than the piece between them

// Where the fingers hold the lowest piece. What was taught tells it better than the measures do.
Point way_hold(const Way *w, int site) {
    const Site *s = &w->t->site[site];
    return s->posed ? arm_point(w->t->arm, &s->down) : s->at;
}

static Point wrist_of(const Arm *arm, const Pose *pose, Point tip) {
    double pitch = arm_pitch(pose) / DEGREES, base = pose->angle[ARM_BASE] / DEGREES;
    return (Point){tip.x - arm->hand * cos(pitch) * sin(base),
                   tip.y - arm->hand * cos(pitch) * cos(base), tip.z - arm->hand * sin(pitch)};
}

// How near to an upright axis the part of a rod comes that is below a height; far away if none is.
static double rod_distance(Point a, Point b, double below, double x, double y) {
    if (a.z > b.z) {
        Point low = b;
        b = a;
        a = low;
    }
    if (a.z >= below)
        return HUGE_VAL;
    double part = b.z > below ? (below - a.z) / (b.z - a.z) : 1;
    double dx = (b.x - a.x) * part, dy = (b.y - a.y) * part, length = dx * dx + dy * dy;
    double along = length > 0 ? ((x - a.x) * dx + (y - a.y) * dy) / length : 0;
    along = fmax(0, fmin(1, along));
    return hypot(a.x + along * dx - x, a.y + along * dy - y);
}

int way_touches(const Way *w, const Pose *pose) {
    const Table *t = w->t;
    Point tip = arm_point(t->arm, pose), wrist = wrist_of(t->arm, pose, tip);
    double radius = t->kind[0].radius;
    for (int i = 0; i < t->sites; i++) {
        if (w->top[i] <= 0 || i == w->handled)
            continue;
        double top = t->surface + w->top[i] + PLAN_TOUCH, x = t->site[i].at.x, y = t->site[i].at.y;
        if (rod_distance(tip, wrist, top, x, y) < 2 * radius + FINGER)
            return i;
        if (w->kind >= 0 && tip.z - w->foot < top &&
            hypot(tip.x - x, tip.y - y) < radius + t->kind[w->kind].radius + PLAN_TOUCH)
            return i;
    }
    return -1;
}

double pose_turns(const Pose *a, const Pose *b) {
    double most = 0;
    for (int j = 0; j < ARM_JOINTS; j++)
        most = fmax(most, fabs(a->angle[j] - b->angle[j]));
    return most;
}

Pose pose_between(const Pose *a, const Pose *b, double part) {
    Pose p;
    for (int j = 0; j < ARM_JOINTS; j++)
        p.angle[j] = a->angle[j] + (b->angle[j] - a->angle[j]) * part;
    return p;
}

// The fingers never go below the board, where they would break. What was taught may seem to be
// lower, if the arm is not measured well, and out of there is a way up.
static double floor_of(const Way *w, const Pose *from) {
    double low = fmin(w->t->surface, arm_point(w->t->arm, from).z);
    if (w->handled >= 0 && w->t->site[w->handled].taught)
        low = fmin(low, way_hold(w, w->handled).z);
    return low - PLAN_STRAIGHT;
}

bool way_is_free(Way *w, const Pose *from, const Pose *to) {
    int steps = (int)(pose_turns(from, to) / TURN) + 1;
    double floor = floor_of(w, from);
    for (int i = 1; i <= steps; i++) {
        Pose pose = pose_between(from, to, (double)i / steps);
        w->hit = way_touches(w, &pose);
        if (w->hit >= 0 || arm_point(w->t->arm, &pose).z < floor)
            return false;
    }
    return true;
}
