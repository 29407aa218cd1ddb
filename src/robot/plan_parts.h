// plan_parts: a way of the hand while it is planned; for the files plan_*.c alone.
#ifndef LUDENS_PLAN_PARTS_H
#define LUDENS_PLAN_PARTS_H

#include "robot/plan.h"

#define PLAN_TOUCH 0.05   // cm: nearer counts as touching
#define PLAN_STRAIGHT 0.1 // cm that the fingers may stray from straight up and down

typedef struct Way {
    const Table *t;
    double top[VIEW_PLACES]; // cm over the surface, of each pile
    Motion *motion;
    int count;
    Pose at;
    int kind;     // of the piece between the fingers; -1: none
    double foot;  // cm from its foot to the fingers
    int handled;  // the pile that the hand is about: its piece may be touched; -1: none
    int hit;      // the pile that was in the way last
    double high;  // cm: travel height of the fingers
    bool refused; // `why` has the reason, another height does not help
    Text *why;
} Way;

// --- plan_touch.c ---
double pose_turns(const Pose *a, const Pose *b); // degrees of the joint that turns furthest
Pose pose_between(const Pose *a, const Pose *b, double part);
// Where the fingers hold the lowest piece of a site.
Point way_hold(const Way *w, int site);
int way_touches(const Way *w, const Pose *pose); // a pile, or -1
// Whether nothing is hit from one pose to the other; what would be is in w->hit.
bool way_is_free(Way *w, const Pose *from, const Pose *to);

#endif
