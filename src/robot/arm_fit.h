// arm_fit: the measures of a real arm, from places at which its fingers were seen to stand.
//
// Somebody moves the fingers to points of the table that are known, and the pulses of the servos
// are kept. Each point gives three equations for where the base stands, how high the shoulder is,
// how long the three links are, and of four joints the pulse at 0 degrees and the pulses a degree.
// Few points cannot tell all of these apart, and need not: whatever they leave open stays near to
// the measures that the arm is said to have.
#ifndef LUDENS_ARM_FIT_H
#define LUDENS_ARM_FIT_H

#include "robot/arm.h"

#define FIT_LEAST 5   // places: the corners of the board and its middle
#define FIT_MOST 64   // places: each is left out once, which takes its time
#define FIT_WIDTH 4.0 // cm: places that are nearer to a line are in a row
#define FIT_BAD 0.3   // cm: an arm that is farther off somewhere was not measured
#define FIT_ALONE 0.5 // cm: the same for a place that was left out of the fit

typedef struct FitPlace {
    const char *name; // borrowed
    Point at;
    int pulse[ARM_JOINTS];
    // --- found, in cm ---
    double before; // how far the fingers seem to be off by the measures that were said
    double off;    //   and by those that were found
    double alone;  //   and by those found without this place: what to expect elsewhere
} FitPlace;

// The measures with which the fingers were where they stood. False with the reason: too few places,
// all in a row, or places that no such arm has; then one that the others do not agree with is named
// if there is one. Everything else about the arm is as in `said`; joints can turn as far as before,
// counted in pulses, and tables are laid out as before.
bool arm_fit(const Arm *said, FitPlace *place, int places, Arm *fitted, Text *why);

// How far the fingers are from a point at these pulses, in cm.
double arm_off(const Arm *arm, const int *pulse, Point at);

#endif
