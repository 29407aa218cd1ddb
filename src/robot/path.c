// path: whether a way of the hand is clear of the table; see path.h.
#include "robot/path.h"

#include <math.h>

#define SAMPLES 24 // of a movement that are looked at
#define DEGREES (180 / 3.14159265358979323846)

double path_lowest(const Arm *arm, const Pose *pose) {
    double e1 = (90 + pose->angle[ARM_SHOULDER]) / DEGREES;
    double e2 = e1 + (pose->angle[ARM_ELBOW] - 90) / DEGREES;
    double wrist = arm->shoulder_height + arm->upper * sin(e1) + arm->fore * sin(e2);
    return fmin(wrist, arm_point(arm, pose).z);
}

bool path_clear(const Arm *arm, const Pose *from, const Pose *to, Text *why) {
    double degrees;
    int joint = arm_beyond(arm, to, &degrees);
    if (joint >= 0) {
        text_f(why, "the %s cannot stand at %.1f degrees: it can from %.1f to %.1f",
               arm_joint_name(joint), to->angle[joint], arm->joint[joint].low,
               arm->joint[joint].high);
        return false;
    }
    // Out of a place that is too low already there is a way up.
    double floor = fmin(PATH_BELOW, path_lowest(arm, from) - 1e-6);
    for (int i = 1; i <= SAMPLES; i++) {
        Pose at;
        for (int j = 0; j < ARM_JOINTS; j++)
            at.angle[j] = from->angle[j] + (to->angle[j] - from->angle[j]) * i / SAMPLES;
        double z = path_lowest(arm, &at);
        if (z < floor) {
            text_f(why, "the hand would go into the table, %.1f cm deep", -z);
            return false;
        }
    }
    return true;
}

bool path_home(const Arm *arm, double surface, Text *why) {
    double degrees, low;
    int joint = arm_beyond(arm, &arm->home, &degrees);
    if (joint >= 0) {
        text_f(
            why,
            "the %s cannot stand at %.1f degrees at home: it can from %.1f to %.1f. `home` in the "
            "file of the arm says where it rests",
            arm_joint_name(joint), arm->home.angle[joint], arm->joint[joint].low,
            arm->joint[joint].high);
        return false;
    }
    low = path_lowest(arm, &arm->home);
    if (low >= surface)
        return true;
    text_f(
        why,
        "at home the hand would be %.1f cm deep in the table or the board. `home` in the file of "
        "the arm says where it rests",
        surface - low);
    return false;
}
