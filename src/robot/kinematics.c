// kinematics: from joints to a point and back, in closed form; see arm.h.
//
// In the upright plane of the arm, `out` is the distance from the axis of the base and `up` the
// height over the shoulder. With the elevations of the upper arm (E1) and of the forearm (E2)
//     E1 = 90 + shoulder     E2 = E1 + elbow - 90     pitch = E2 + wrist
// the wrist is at upper * (cos E1, sin E1) + fore * (cos E2, sin E2), a triangle with two known
// sides.
#include "robot/arm.h"

#include <math.h>

#define DEGREES (180 / 3.14159265358979323846)
#define ABSURD 1e4  // cm; no table is that large
#define SLACK 1e-9  // of a cosine: rounding must not make the very edge unreachable
#define TILT_STEP 1 // degrees

static double sine(double degrees) {
    return sin(degrees / DEGREES);
}

static double cosine(double degrees) {
    return cos(degrees / DEGREES);
}

// To -180 .. 180.
static double turn(double degrees) {
    return remainder(degrees, 360);
}

double arm_pitch(const Pose *pose) {
    double e1 = 90 + pose->angle[ARM_SHOULDER];
    return e1 + pose->angle[ARM_ELBOW] - 90 + pose->angle[ARM_WRIST];
}

Point arm_point(const Arm *arm, const Pose *pose) {
    double e1 = 90 + pose->angle[ARM_SHOULDER];
    double e2 = e1 + pose->angle[ARM_ELBOW] - 90;
    double pitch = e2 + pose->angle[ARM_WRIST];
    double out = arm->upper * cosine(e1) + arm->fore * cosine(e2) + arm->hand * cosine(pitch);
    double up = arm->upper * sine(e1) + arm->fore * sine(e2) + arm->hand * sine(pitch);
    return (Point){arm->base_x + out * sine(pose->angle[ARM_BASE]),
                   arm->base_y + out * cosine(pose->angle[ARM_BASE]), arm->shoulder_height + up};
}

int arm_beyond(const Arm *arm, const Pose *pose, double *degrees) {
    int worst = -1;
    *degrees = 0;
    for (int j = 0; j < ARM_JOINTS; j++) {
        double low = arm->joint[j].low - pose->angle[j];
        double high = pose->angle[j] - arm->joint[j].high;
        double by = fmax(low, high);
        if (!(by <= 0) && !(by <= *degrees)) { // also if it is not a number
            worst = j;
            *degrees = by;
        }
    }
    return worst;
}

// How far apart two poses are: the joint that has to turn longest.
static double apart(const Pose *a, const Pose *b) {
    double most = 0;
    for (int j = 0; j < ARM_JOINTS; j++)
        most = fmax(most, fabs(a->angle[j] - b->angle[j]));
    return most;
}

static Pose middle(const Arm *arm) {
    Pose p;
    for (int j = 0; j < ARM_JOINTS; j++)
        p.angle[j] = (arm->joint[j].low + arm->joint[j].high) / 2;
    return p;
}

// One way: facing the point or away from it (`over`), the elbow above the line or below it.
static Reach one_way(const Arm *arm, Point to, double pitch, bool over, bool below, Pose *pose) {
    double right = to.x - arm->base_x, ahead = to.y - arm->base_y;
    double out = hypot(right, ahead) * (over ? -1 : 1) - arm->hand * cosine(pitch);
    double up = to.z - arm->shoulder_height - arm->hand * sine(pitch);
    double far = hypot(out, up), a = arm->upper, b = arm->fore;
    double at_shoulder = (far * far + a * a - b * b) / (2 * far * a);
    double at_elbow = (a * a + b * b - far * far) / (2 * a * b);
    if (far > a + b + SLACK)
        return (Reach){REACH_FAR, far - (a + b), -1};
    if (far < fabs(a - b) - SLACK || !(far > 0))
        return (Reach){REACH_NEAR, fabs(a - b) - far, -1};
    double alpha = acos(fmax(-1, fmin(1, at_shoulder))) * DEGREES;
    double bend = 180 - acos(fmax(-1, fmin(1, at_elbow))) * DEGREES;
    double e1 = atan2(up, out) * DEGREES + (below ? -alpha : alpha);
    double e2 = e1 + (below ? bend : -bend);
    double base = right == 0 && ahead == 0 ? 0 : atan2(right, ahead) * DEGREES;
    *pose = (Pose){{turn(base + (over ? 180 : 0)), turn(e1 - 90), turn(e2 - e1 + 90),
                    turn(pitch - e2), arm->hand_turn}};
    Reach reach = {.fault = REACH_OK};
    reach.joint = arm_beyond(arm, pose, &reach.missing);
    if (reach.joint >= 0)
        reach.fault = REACH_JOINT;
    return reach;
}

Reach arm_reach(const Arm *arm, Point to, double pitch, const Pose *from, Pose *pose) {
    if (!(fabs(to.x) < ABSURD && fabs(to.y) < ABSURD && fabs(to.z) < ABSURD && fabs(pitch) <= 360))
        return (Reach){REACH_NUMBER, 0, -1};
    Pose usual = middle(arm), found;
    Reach best = {REACH_FAR, HUGE_VAL, -1};
    double nearest = HUGE_VAL;
    for (int way = 0; way < 4; way++) {
        Reach reach = one_way(arm, to, pitch, way >= 2, way & 1, &found);
        if (reach.fault == REACH_OK) {
            double d = apart(&found, from ? from : &usual);
            if (d < nearest)
                *pose = found;
            nearest = fmin(d, nearest);
            best = reach;
        } else if (best.fault != REACH_OK && way == 0) {
            best = reach; // what is told is why the plainest way does not do
        }
    }
    return best;
}

Reach arm_reach_down(const Arm *arm, Point to, const Pose *from, Pose *pose) {
    Reach down = arm_reach(arm, to, -90, from, pose);
    for (double lean = TILT_STEP; down.fault != REACH_OK && lean <= arm->tilt; lean += TILT_STEP) {
        Reach reach = arm_reach(arm, to, -90 + lean, from, pose);
        if (reach.fault == REACH_OK)
            return reach;
    }
    return down;
}

void arm_reach_text(const Reach *reach, Text *out) {
    switch (reach->fault) {
    case REACH_OK: text_add(out, "within reach"); break;
    case REACH_FAR: text_f(out, "%.1f cm too far away", reach->missing); break;
    case REACH_NEAR: text_f(out, "%.1f cm too near to the arm", reach->missing); break;
    case REACH_JOINT:
        text_f(out, "the %s would have to turn %.1f degrees further than it can",
               arm_joint_name(reach->joint), reach->missing);
        break;
    case REACH_NUMBER: text_add(out, "no place on any table"); break;
    }
}

bool arm_pulse(const Arm *arm, int joint, double angle, int *pulse) {
    const ArmJoint *j = &arm->joint[joint];
    double p = j->zero + j->per_degree * angle;
    if (!(p >= j->least && p <= j->most))
        return false;
    *pulse = (int)lround(p);
    return *pulse >= j->least && *pulse <= j->most;
}

double arm_angle(const Arm *arm, int joint, int pulse) {
    return (pulse - arm->joint[joint].zero) / arm->joint[joint].per_degree;
}
