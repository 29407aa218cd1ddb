// robot_parts: what the files of the robot share.
#ifndef LUDENS_ROBOT_PARTS_H
#define LUDENS_ROBOT_PARTS_H

#include "robot/robot.h"
#include "vision/anchor.h"

struct Robot {
    const Table *table;
    Controller *controller;
    Camera *camera;
    View view;
    RobotOptions options;
    Watcher *watcher; // made by the first look
    Anchor *anchor;   // if there are tags
    double anchored;  // when they were looked for last
    bool stirred;     // something has moved since
    bool astray;      // it is not known where the camera sees the board
    Picture picture;
    Sight sight;
    Scene scene;                // what it believes
    uint8_t askew[VIEW_PLACES]; // 0, or 1 + the kind of a piece that is not in the middle there
    Scene before;               // what it believed of `step`, had it come out
    Plan plan;
    Motion motion[PLAN_MOTIONS]; // what is being carried out
    int motions, next;
    Step step;    // of which they are
    bool holding; // a piece of that step is in the fingers
    bool home;
    bool upset; // the last step did not come out, and nobody has helped since
};

bool robot_tell(Robot *r, RobotNews news, const char *line);
// Asks a person; false with `line` in `why` if nobody helps.
bool robot_help(Robot *r, const char *line, Text *why);

// Whether a piece of the kind is nowhere to be seen since the last step.
bool robot_lost(const Robot *r, int kind);

// --- robot_move.c ---
// Carries out the motions that are left, mends the line to the controller on the way. False with
// the reason. Afterwards all motions are made; or, after the arm had to be woken, none is left and
// *woken is true.
bool robot_carry_out(Robot *r, bool *woken, Text *why);

#endif
