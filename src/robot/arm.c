// arm: the usual arm; see arm.h.
#include "robot/arm.h"

#include <string.h>

const char *arm_joint_name(int joint) {
    static const char *const names[] = {
#define X(joint, name) name,
        ARM_JOINTS_TABLE(X)
#undef X
    };
    return joint >= 0 && joint < ARM_SERVOS ? names[joint] : "?";
}

// Lengths, directions and pulses as the program S3Games has them; a servo turns a degree in 10
// microseconds of pulse there. Speeds are ours: calm enough to be watched.
void arm_usual(Arm *arm) {
    *arm = (Arm){
        .name = "AL5D",
        .shoulder_height = 5,
        .upper = 14.605,
        .fore = 18.7325,
        .hand = 8.5725,
        .hover = 8.5725,
        .hand_turn = 85,
        .tilt = 45,
        .home = {{0, 53, -60, -90, 13}}, // folded over its base, as S3Games has it, within limits
        .joint =
            {
                [ARM_BASE] = {0, -90, 90, 1500, 10, 600, 2400, 60, 0, 0},
                [ARM_SHOULDER] = {1, -90, 90, 1500, 10, 600, 2400, 60, 0, 0},
                [ARM_ELBOW] = {2, -60, 90, 1800, -10, 900, 2400, 60, 0, 0},
                [ARM_WRIST] = {3, -90, 90, 1500, 10, 600, 2400, 90, 0, 0},
                [ARM_HAND] = {4, -90, 90, 1500, 10, 600, 2400, 90, 0, 0},
                [ARM_FINGERS] = {5, 0, 0, 0, 0, 600, 2400, 0, 1000, 1800},
            },
    };
}

ArmLaid arm_lay(const Arm *arm) {
    ArmLaid laid = {true, arm->shoulder_height, arm->upper, arm->fore, arm->hand, {0}, {0}};
    for (int j = 0; j < ARM_JOINTS; j++) {
        laid.low[j] = arm->joint[j].low;
        laid.high[j] = arm->joint[j].high;
    }
    return arm->laid.given ? arm->laid : laid;
}

Arm arm_laid(const Arm *arm) {
    Arm a = *arm;
    const ArmLaid laid = arm_lay(arm);
    a.base_x = a.base_y = 0;
    a.shoulder_height = laid.shoulder_height;
    a.upper = laid.upper;
    a.fore = laid.fore;
    a.hand = laid.hand;
    for (int j = 0; j < ARM_JOINTS; j++) {
        a.joint[j].low = laid.low[j];
        a.joint[j].high = laid.high[j];
    }
    return a;
}
