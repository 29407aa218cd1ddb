// plan: what an arm does so that the board becomes as the rules say.
//
// A *step* takes the top piece of a site and puts it on top of another. A *plan* is steps in an
// order in which every step is possible: what is taken goes first, stacks go piece by piece,
// pieces in a circle go by way of a free store, what comes onto the board comes from a store.
// A plan is made of two scenes and knows nothing of moves: so it also mends what a camera sees to
// be wrong, and goes on after an interruption.
//
// A step is carried out as *motions*. Everything is worked out and checked before the first one:
// poses within limits, nothing standing in the way. The hand travels at a height at which what
// hangs in its fingers passes over everything that stands, and goes straight down and up.
#ifndef LUDENS_PLAN_H
#define LUDENS_PLAN_H

#include "robot/table.h"

typedef struct Step {
    int from, to; // sites
    int kind;     // of the piece that is moved
} Step;

typedef struct Plan {
    Step *step;
    int steps, cap;
} Plan;

// From what stands on the table to a state of the game, in as few steps as the order allows. False
// with the reason: a piece of some kind is missing, no free store. The plan may be used again.
bool plan_to_state(Plan *p, const Scene *now, const uint8_t *state, Text *why);
void plan_free(Plan *p);
// The scene behind a step; false if it is not possible there.
bool scene_step(Scene *s, const Step *step);
void step_text(const Table *t, const Step *step, Text *out); // "white man from store 3 to d2"

typedef enum MotionKind { MOTION_MOVE, MOTION_OPEN, MOTION_CLOSE } MotionKind;
typedef struct Motion {
    MotionKind kind;
    Pose pose;         // where the arm is behind it
    double seconds;    // at least
    const char *phase; // "above", "down", "take", "up", "across", "put", "home"
    char text[48];     // "above d2", for people
} Motion;

// The motions of one step, from a pose at travel height or home: above, open, down, close, up,
// across, down, open, up. From a lower one the hand goes up first. How many; -1 with the reason
// (which site, what stands in the way, which joint).
#define PLAN_MOTIONS 64
int plan_motions(const Scene *now, const Step *step, const Pose *from, Motion *motion, Text *why);
// The same for showing a site: the hand goes above it, by the arm's `hover` if it can, or on to
// where it would take the top piece there, with open fingers, or put the first one. -1 with the
// reason.
int plan_visit(const Scene *now, int site, bool down, const Pose *from, Motion *motion, Text *why);
// The same for going out of the camera's sight. What the fingers may hold counts as a piece.
int plan_home(const Scene *now, const Pose *from, Motion *motion, Text *why);

#endif
