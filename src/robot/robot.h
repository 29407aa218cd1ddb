// robot: plays what was decided: carries out plans with an arm, and looks with a camera whether it
// came out as planned.
//
// Only robot_play moves pieces, and it is given states of a game that was really played: searching
// has no way to it. After each step the arm goes home and the camera is asked; a step that failed
// is tried once more, then a person is asked for help, and what to do next is worked out anew from
// what the camera sees. A camera sees only the top of a pile: what is below is remembered.
// The tags at the corners are looked for again and again: a camera that was pushed is followed, or
// waited for until it sees them.
// A controller that does not answer or whose line is gone is connected anew, with help; if it was
// without power meanwhile, the arm is woken again. robot_stop may be called by any thread.
#ifndef LUDENS_ROBOT_H
#define LUDENS_ROBOT_H

#include "robot/controller.h"
#include "robot/plan.h"
#include "vision/camera.h"
#include "vision/see.h"

typedef struct Robot Robot;

typedef enum RobotNews { // what it tells while it works
    ROBOT_STEP,          // begins a step
    ROBOT_MOTION,        // begins a motion
    ROBOT_WAIT,          // waits for a hand to go away, or the camera was moved
    ROBOT_SEEN,          // has read the table: robot_scene is what it saw
    ROBOT_FAILED,        // something did not come out as planned: it tries again by itself
    ROBOT_HELP,          // a person has to do something
    ROBOT_DONE,
} RobotNews;

typedef struct RobotOptions {
    // Called with a line for people; for ROBOT_HELP it returns when the person has helped (true) or
    // gives up (false). May be NULL: nobody helps.
    bool (*tell)(void *with, RobotNews news, const char *line);
    // Where the line is when it is connected again: it may have another name then. May be NULL.
    const char *(*port)(void *with);
    void *with;
    bool tags;       // lie at the corners of the board: a camera that is pushed is followed
    int frames;      // that have to agree; 0: 3
    double patience; // seconds that a hand may be over the board before it says so; 0: 10
} RobotOptions;

// Everything is borrowed. `camera` may be NULL: then everything is believed to have worked. The
// arm is awake and at home, and stands so that it does not hide the table.
Robot *robot_new(const Table *t, Controller *c, Camera *camera, const View *v,
                 const RobotOptions *options, Text *why);
void robot_free(Robot *r);
const Scene *robot_scene(const Robot *r); // what it believes to stand on the table
void robot_believe(Robot *r, const Scene *scene);
// The table is known to show this state of the game, for a person has made a move: piles on the
// board that look like it from above are believed to be as it has them, also below.
void robot_know(Robot *r, const uint8_t *state);
// Whether there is a piece there that is too far from the middle of its place to be taken, or lies
// beside it. Before the arm does anything, a person is asked to put it straight.
bool robot_askew(const Robot *r, int site);

// Sends the arm home, waits until nothing moves, then reads the table. False with the reason
// (camera gone, stopped). The scene is what it believed, with what the camera sees on top of every
// site.
bool robot_look(Robot *r, Sight *sight, Text *why);
// Makes the board as it is in a state of the game. False with the reason; the board may then be
// between two states, and robot_play again goes on from what is seen.
bool robot_play(Robot *r, const uint8_t *state, Text *why);
bool robot_home(Robot *r, Text *why);
void robot_stop(Robot *r);
bool robot_is_stopped(const Robot *r);
// After a stop: what was begun goes on with the next robot_play. A piece in the fingers is first
// put where it was to go. Where the line was gone or silent too, it is opened anew, and the arm is
// woken, with the question for that, unless it is where it was sent. False with the reason: try
// again when that is mended.
bool robot_resume(Robot *r, Text *why);

// --- person.c ---
// Which legal move explains what is seen.
typedef enum PersonFound {
    PERSON_NOTHING, // as before
    PERSON_MOVE,    // *move, for sure
    PERSON_UNSURE,  // the best three in `best`
    PERSON_WRONG,   // no legal move looks like this: `why` says what is wrong where
    PERSON_HALF,    // on the way: some legal move's pieces are lifted but not put down
} PersonFound;
typedef struct PersonMove {
    PersonFound found;
    Move move;
    Move best[3];
    int bests;
} PersonMove;
// `r` is a runner of the table's game. False on a fault of the rules, with the reason in `why`.
bool person_find(const Table *t, Runner *r, const uint8_t *state, const Sight *sight,
                 PersonMove *found, Text *why);

#endif
