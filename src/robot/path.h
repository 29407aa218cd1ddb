// path: whether a way of the hand, and where it rests, is clear of the table, where nothing else is
// known of what stands there. Plans of games (plan.h) know more and check more.
//
// Joints of a movement start and arrive together, so on the way every angle changes evenly.
#ifndef LUDENS_PATH_H
#define LUDENS_PATH_H

#include "robot/arm.h"

#define PATH_BELOW (-1.5) // cm: lower is into the table, however badly an arm is measured

double path_lowest(const Arm *arm, const Pose *pose); // cm: of fingers and wrist the lower one
// False with the reason, if a joint would leave its limits, or fingers or wrist would go into the
// table on the way. Out of a place that is too low already there is a way up.
bool path_clear(const Arm *arm, const Pose *from, const Pose *to, Text *why);
// Whether the arm can rest where its file says, within the limits and not below so many cm; else
// false with the reason, which names the joint.
bool path_home(const Arm *arm, double surface, Text *why);

#endif
