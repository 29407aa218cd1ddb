// arm_fit: see arm_fit.h. Levenberg and Marquardt's way to least squares, on what is known of a
// measure before (a term for each, of how far it may stray) and what was seen.
#include "robot/arm_fit.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define SEEN 0.05      // cm: as well a person, and a step of a servo, meet a point
#define STRAY_BASE 1.5 // cm
#define STRAY_HEIGHT 0.6
#define STRAY_LENGTH 0.03 // of a link
#define STRAY_ZERO 8.0    // degrees
#define STRAY_SCALE 0.05  // of the pulses a degree
#define ROUNDS 60
#define ENOUGH 1e-10 // of the sum: less gain is none
#define NUDGE 1e-4   // of a measure's stray, for derivatives
#define EDGE 1e-6    // degrees: limits lie so far inside, or rounding would put them outside

enum {
    BASE_X,
    BASE_Y,
    HEIGHT,
    UPPER,
    FORE,
    HAND,
    ZERO, // of four joints
    SCALE = ZERO + ARM_HAND,
    MEASURES = SCALE + ARM_HAND
};

typedef struct Fit {
    const Arm *said;
    const FitPlace *place;
    int places;
    int without; // a place that is left out; -1: none
} Fit;

// The arm with measures that stray so far, in units of what is usual.
static void arm_with(const Arm *said, const double *stray, Arm *arm) {
    *arm = *said;
    arm->base_x += STRAY_BASE * stray[BASE_X];
    arm->base_y += STRAY_BASE * stray[BASE_Y];
    arm->shoulder_height += STRAY_HEIGHT * stray[HEIGHT];
    arm->upper *= 1 + STRAY_LENGTH * stray[UPPER];
    arm->fore *= 1 + STRAY_LENGTH * stray[FORE];
    arm->hand *= 1 + STRAY_LENGTH * stray[HAND];
    for (int j = 0; j < ARM_HAND; j++) {
        ArmJoint *a = &arm->joint[j];
        a->zero += STRAY_ZERO * fabs(a->per_degree) * stray[ZERO + j];
        a->per_degree *= 1 + STRAY_SCALE * stray[SCALE + j];
    }
}

static Point point_at(const Arm *arm, const int *pulse) {
    Pose pose;
    for (int j = 0; j < ARM_JOINTS; j++)
        pose.angle[j] = arm_angle(arm, j, pulse[j]);
    return arm_point(arm, &pose);
}

double arm_off(const Arm *arm, const int *pulse, Point at) {
    Point p = point_at(arm, pulse);
    return sqrt((p.x - at.x) * (p.x - at.x) + (p.y - at.y) * (p.y - at.y) +
                (p.z - at.z) * (p.z - at.z));
}

static double sum_of(const Fit *f, const double *stray) {
    Arm arm;
    double sum = 0;
    arm_with(f->said, stray, &arm);
    for (int i = 0; i < MEASURES; i++)
        sum += stray[i] * stray[i];
    for (int i = 0; i < f->places; i++) {
        double off = i == f->without ? 0 : arm_off(&arm, f->place[i].pulse, f->place[i].at) / SEEN;
        sum += off * off;
    }
    return sum;
}

// The sum near `stray` as a bowl: its slope, and the matrix of how it bends.
static void bowl(const Fit *f, const double *stray, double bend[MEASURES][MEASURES],
                 double slope[MEASURES]) {
    Arm now, nudged[MEASURES];
    memset(bend, 0, sizeof(double[MEASURES][MEASURES]));
    arm_with(f->said, stray, &now);
    for (int m = 0; m < MEASURES; m++) {
        double near[MEASURES];
        memcpy(near, stray, sizeof near);
        near[m] += NUDGE;
        arm_with(f->said, near, &nudged[m]);
        bend[m][m] = 1;
        slope[m] = stray[m];
    }
    for (int i = 0; i < f->places; i++) {
        if (i == f->without)
            continue;
        const FitPlace *place = &f->place[i];
        Point p = point_at(&now, place->pulse);
        double off[3] = {(p.x - place->at.x) / SEEN, (p.y - place->at.y) / SEEN,
                         (p.z - place->at.z) / SEEN};
        double by[MEASURES][3];
        for (int m = 0; m < MEASURES; m++) {
            Point q = point_at(&nudged[m], place->pulse);
            by[m][0] = (q.x - p.x) / (SEEN * NUDGE);
            by[m][1] = (q.y - p.y) / (SEEN * NUDGE);
            by[m][2] = (q.z - p.z) / (SEEN * NUDGE);
        }
        for (int m = 0; m < MEASURES; m++)
            for (int axis = 0; axis < 3; axis++) {
                slope[m] += by[m][axis] * off[axis];
                for (int n = 0; n < MEASURES; n++)
                    bend[m][n] += by[m][axis] * by[n][axis];
            }
    }
}

// The step to the bottom of the bowl, by Cholesky's root of its matrix; damped ones are shorter.
static void bottom(double bend[MEASURES][MEASURES], const double *slope, double damping,
                   double step[MEASURES]) {
    double root[MEASURES][MEASURES] = {{0}};
    for (int m = 0; m < MEASURES; m++)
        for (int n = 0; n <= m; n++) {
            double rest = bend[m][n] * (m == n ? 1 + damping : 1);
            for (int k = 0; k < n; k++)
                rest -= root[m][k] * root[n][k];
            root[m][n] = m == n ? sqrt(fmax(rest, 1e-12)) : rest / root[n][n];
        }
    for (int m = 0; m < MEASURES; m++) {
        double rest = -slope[m];
        for (int k = 0; k < m; k++)
            rest -= root[m][k] * step[k];
        step[m] = rest / root[m][m];
    }
    for (int m = MEASURES; m-- > 0;) {
        for (int k = m + 1; k < MEASURES; k++)
            step[m] -= root[k][m] * step[k];
        step[m] /= root[m][m];
    }
}

static void find(const Fit *f, double stray[MEASURES]) {
    double damping = 1e-3, bend[MEASURES][MEASURES], slope[MEASURES];
    double sum = sum_of(f, stray);
    for (int round = 0; round < ROUNDS && damping < 1e9; round++) {
        double step[MEASURES], next[MEASURES];
        bowl(f, stray, bend, slope);
        bottom(bend, slope, damping, step);
        for (int m = 0; m < MEASURES; m++)
            next[m] = stray[m] + step[m];
        double found = sum_of(f, next);
        if (!(found < sum)) { // also if it is not a number
            damping *= 10;
            continue;
        }
        memcpy(stray, next, sizeof next);
        bool enough = sum - found < ENOUGH * sum;
        sum = found;
        damping /= 10;
        if (enough)
            return;
    }
}

// --- whether the places can tell ---

// The width of the places across the line that fits them best, in cm.
static double width_of(const FitPlace *place, int places) {
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (int i = 0; i < places; i++) {
        x += place[i].at.x / places;
        y += place[i].at.y / places;
    }
    for (int i = 0; i < places; i++) {
        double dx = place[i].at.x - x, dy = place[i].at.y - y;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    double turn = atan2(2 * xy, xx - yy) / 2, low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < places; i++) {
        double across = (place[i].at.y - y) * cos(turn) - (place[i].at.x - x) * sin(turn);
        low = fmin(low, across);
        high = fmax(high, across);
    }
    return high - low;
}

static bool places_do(const FitPlace *place, int places, Text *why) {
    if (places < FIT_LEAST) {
        text_f(why,
               "%d place%s too few: record at least %d, the corners of the board and its middle",
               places, places == 1 ? " is" : "s are", FIT_LEAST);
        return false;
    }
    if (places > FIT_MOST) {
        text_f(why, "%d places are too many: at most %d", places, FIT_MOST);
        return false;
    }
    if (width_of(place, places) >= FIT_WIDTH)
        return true;
    text_f(why, "the places are nearly in a row: record others, at least %.0f cm beside it",
           FIT_WIDTH);
    return false;
}

// --- the whole ---

static double fit_without(const Fit *f, int without, const double *from, Arm *arm) {
    Fit some = *f;
    double stray[MEASURES], worst = 0;
    memcpy(stray, from, sizeof stray);
    some.without = without;
    find(&some, stray);
    arm_with(f->said, stray, arm);
    for (int i = 0; i < f->places; i++)
        if (i != without)
            worst = fmax(worst, arm_off(arm, f->place[i].pulse, f->place[i].at));
    return worst;
}

// Names the place with which the others disagree, if without it they agree well.
static bool refuse(const FitPlace *culprit, const FitPlace *worst, Text *why) {
    text_add(why, "no arm like this one stands so at all these places: ");
    if (culprit)
        text_f(why, "by all others %s is %.1f mm elsewhere; record it again", culprit->name,
               10 * culprit->alone);
    else
        text_f(why,
               "at %s it would be %.1f mm off; were they recorded with the file of this arm, and "
               "does the board lie as the game says?",
               worst->name, 10 * worst->off);
    return false;
}

// Joints can turn as far as before, and rest where they did: their stops are where pulses take
// them, not angles.
static void keep_limits(const Arm *said, Arm *arm) {
    arm->laid = arm_lay(said);
    for (int j = 0; j < ARM_HAND; j++) {
        const ArmJoint *was = &said->joint[j];
        ArmJoint *a = &arm->joint[j];
        a->low = (was->zero + was->per_degree * was->low - a->zero) / a->per_degree + EDGE;
        a->high = (was->zero + was->per_degree * was->high - a->zero) / a->per_degree - EDGE;
        a->low = fmax(a->low, -180);
        a->high = fmin(a->high, 180);
        // It rests where it did; at most by EDGE elsewhere, if that was at a limit.
        double rest = was->zero + was->per_degree * said->home.angle[j];
        arm->home.angle[j] = fmax(a->low, fmin(a->high, (rest - a->zero) / a->per_degree));
    }
}

bool arm_fit(const Arm *said, FitPlace *place, int places, Arm *fitted, Text *why) {
    if (!places_do(place, places, why))
        return false;
    Fit f = {said, place, places, -1};
    double stray[MEASURES] = {0}, best = FIT_BAD;
    Arm arm, other;
    const FitPlace *worst = place, *culprit = NULL;
    bool good = true;
    find(&f, stray);
    arm_with(said, stray, &arm);
    for (int i = 0; i < places; i++) {
        FitPlace *p = &place[i];
        double rest = fit_without(&f, i, stray, &other);
        p->before = arm_off(said, p->pulse, p->at);
        p->off = arm_off(&arm, p->pulse, p->at);
        p->alone = arm_off(&other, p->pulse, p->at);
        good = good && p->off <= FIT_BAD && p->alone <= FIT_ALONE;
        if (p->off > worst->off)
            worst = p;
        if (p->alone > FIT_ALONE && rest < best) {
            best = rest;
            culprit = p;
        }
    }
    if (!good)
        return refuse(culprit, worst, why);
    keep_limits(said, &arm);
    *fitted = arm;
    return true;
}
