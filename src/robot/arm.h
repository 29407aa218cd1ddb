// arm: the geometry of a robot arm, and where its joints must stand for its fingers to be
// somewhere.
//
//                 elbow
//                  o──────fore──────o wrist       a place on the table is x to the right, y
//                  forward,
//           upper /                 │ hand        z up from the middle of the arm's base, in cm
//                o shoulder         ▼ fingers
//        ────────┴──────────────────────── table
//
// Points are counted from where the middle of the base should stand, by the game's table. One that
// was set down a little beside that says so (`base_x`, `base_y`), instead of being moved.
//
// An arm turns on its base; the rest moves in one upright plane. Angles are in degrees, as the
// files of S3Games give them:
//     base      0 straight ahead, positive to the right
//     shoulder  0 upright, negative forward
//     elbow     0 a right angle between the two arms, positive stretched
//     wrist     0 in line with the forearm, negative downward
//     hand      turn of the fingers round their own axis
// An Arm is plain data, made from a file (arm_read) or the built-in AL5D (arm_usual).
#ifndef LUDENS_ARM_H
#define LUDENS_ARM_H

#include "base/diag.h"

#include <stdbool.h>

// X(joint, name in arm files)
#define ARM_JOINTS_TABLE(X)                                                                        \
    X(ARM_BASE, "base")                                                                            \
    X(ARM_SHOULDER, "shoulder")                                                                    \
    X(ARM_ELBOW, "elbow")                                                                          \
    X(ARM_WRIST, "wrist")                                                                          \
    X(ARM_HAND, "hand")                                                                            \
    X(ARM_FINGERS, "fingers")

typedef enum ArmJointName {
#define X(joint, name) joint,
    ARM_JOINTS_TABLE(X)
#undef X
        ARM_SERVOS,
    ARM_JOINTS = ARM_FINGERS // those that have angles
} ArmJointName;

typedef struct Pose {
    double angle[ARM_JOINTS]; // degrees
} Pose;

// How a joint and its servo belong together: a pulse of `zero + per_degree * angle` microseconds.
// Of the fingers there are no angles, only two pulses.
typedef struct ArmJoint {
    int channel;       // of the controller
    double low, high;  // degrees
    double zero;       // microseconds at 0 degrees
    double per_degree; // negative if it turns the other way
    int least, most;   // microseconds that the servo may get
    double speed;      // degrees a second, at most
    int open, close;   // ARM_FINGERS
} ArmJoint;

// By which measures tables are laid out, if not by those of the arm: those that it had before it
// was fitted, so that a board that is drawn stays where it is.
typedef struct ArmLaid {
    bool given;
    double shoulder_height, upper, fore, hand;
    double low[ARM_JOINTS], high[ARM_JOINTS];
} ArmLaid;

typedef struct Arm {
    char name[64];
    double base_x, base_y;  // cm: where the middle of the base really stands; 0, 0: where it should
    double shoulder_height; // cm above the table
    double upper, fore, hand;
    double hover;     // cm above a place before going down to it
    double hand_turn; // degrees of the hand when it takes and puts pieces
    double tilt;      // degrees that the hand may lean outward where straight down does not reach
    Pose home;        // where it rests; see path_home
    ArmJoint joint[ARM_SERVOS];
    ArmLaid laid;
} Arm;

typedef struct Point {
    double x, y, z; // cm
} Point;

const char *arm_joint_name(int joint);
void arm_usual(Arm *arm);        // the Lynxmotion AL5D
Arm arm_laid(const Arm *arm);    // as it is taken to be where tables are laid out
ArmLaid arm_lay(const Arm *arm); // its own, or else by the measures that it has now

// --- arm_file.c ---
// From the text of an arm file, over what *arm holds: what the file does not say stays. False with
// everything that is wrong in `diags`; then *arm is as it was.
bool arm_read(const Source *source, Arm *arm, Diags *diags);
void arm_write(const Arm *arm, Text *out); // a text that arm_read takes

// --- kinematics.c ---
// Where the fingers are.
Point arm_point(const Arm *arm, const Pose *pose);
// Degrees of the fingers over the horizon: -90 is straight down.
double arm_pitch(const Pose *pose);
// Which joint would leave its limits by how much; -1 if none does.
int arm_beyond(const Arm *arm, const Pose *pose, double *degrees);

typedef enum ReachFault {
    REACH_OK,
    REACH_FAR,   // `missing` cm too far away
    REACH_NEAR,  // `missing` cm too near to the shoulder
    REACH_JOINT, // `joint` would have to turn `missing` degrees further than it can
    REACH_NUMBER // not a number, or absurdly large
} ReachFault;
typedef struct Reach {
    ReachFault fault;
    double missing;
    int joint;
} Reach;

// The pose with the fingers at a point with a given pitch. Of the two ways to bend the elbow, and
// of facing it or reaching over the back, the one within the limits that is nearest to `from`
// (NULL: to the middle of the limits). On a fault *pose is left as it was.
Reach arm_reach(const Arm *arm, Point to, double pitch, const Pose *from, Pose *pose);
// The same, straight down or, where that does not reach, leaning outward as little as possible, at
// most by `tilt`. The fault is that of straight down.
Reach arm_reach_down(const Arm *arm, Point to, const Pose *from, Pose *pose);
// "3.2 cm too far away", "the elbow would have to turn 12 degrees further than it can"
void arm_reach_text(const Reach *reach, Text *out);

// The pulse for an angle, in microseconds; false if it is not within the servo's range.
bool arm_pulse(const Arm *arm, int joint, double angle, int *pulse);
double arm_angle(const Arm *arm, int joint, int pulse);

#endif
