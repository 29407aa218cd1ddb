// teach: an arm that people move and teach from pages.
//
// There is one arm, and one page at a time has the controls: it took them by `arm-take`, on this
// machine or with the word that was printed when the server began. Everybody may watch and stop.
// What moves the arm is planned and checked here, in the loop's thread, and done by arm_work.h.
// Without an arm (ServerOptions.arm) `arm` answers how to get one, and all else is refused.
#ifndef LUDENS_TEACH_H
#define LUDENS_TEACH_H

#include "robot/path.h"
#include "robot/table.h"
#include "server/arm_eye.h"
#include "server/arm_work.h"
#include "server/parts.h"
#include "server/rules_text.h"

#define TEACH_PERIOD 0.05  // seconds between two messages about an arm that moves
#define TEACH_WATCHERS 256 // pages that are told
#define TEACH_JOG 5.0      // cm in one go, along each axis
#define TEACH_JOG_STEP 0.5 // cm: so straight are its lines
#define TEACH_SECONDS 0.4  // for a movement, at least
#define TEACH_TRAVEL 12.0  // cm: as high as fingers travel where nothing is known of the table
#define TEACH_LEGS 16      // of a way from one place to another, at most

typedef struct TeachWatcher {
    Client *client;
    bool trusted; // knows the word
    bool looks;   // wants pictures
} TeachWatcher;

typedef struct Stage { // a game on the arm's table
    Rules rules;
    Table *table;
    View view;    // how the camera sees it
    Scene scene;  // which pieces stand where: as the game begins
    Text problem; // what is wrong with the file of what was taught; then nothing is written
    bool ready;
} Stage;

typedef struct Teach {
    Hub *hub;
    Arm arm;  // as it is said, or was found, to be
    Arm real; // as a simulated one is
    Pose home;
    ArmWork *work;        // NULL: there is no arm
    struct SimTable *sim; // a simulated one with a game; the worker's while it opens the line
    SimBoard *board;      // of a simulated one, likewise
    ArmEye *eye;          // NULL: there is no camera
    TeachWatcher watcher[TEACH_WATCHERS];
    int watchers;
    Stage *stage;    // NULL: no game was chosen yet
    Stage *next;     // comes as soon as the worker rests
    Stage *retired;  // the one before, until the worker does not look at it any more
    int staging;     // tasks that lay a table for the arm: its measures stay so long
    int learning;    // tasks that look at the stage: it stays so long
    bool new_view;   // the camera is to know of it
    double pieces;   // when simulated pieces are looked at again
    int64_t version; // of the stage and what was taught: pages ask anew when it grows
    bool begun;      // the first game was looked for
    Client *holder;  // has the controls; NULL: nobody
    bool news;       // something is to be told
    double told;     // when
} Teach;

Teach *hub_teach(Hub *hub);
TeachWatcher *teach_watcher(Teach *t, const Client *c); // NULL: it does not watch
bool teach_may(const Teach *t, const Client *c);        // take the controls
// There is an arm, and the client has its controls; else an error is sent.
bool teach_holds(Teach *t, Client *c, int64_t id);
void teach_changed(Teach *t);        // everybody is told in this round
void teach_use(Teach *t, Stage *s);  // takes it: soon that game is on the table
double teach_travel(const Teach *t); // cm: so high the fingers travel

// --- teach_do.c ---
// The state if it can move from where it is; else an error is sent.
bool teach_ready(Teach *t, Client *c, int64_t id, ArmState *s);
// Gives a job to the worker, and answers.
void teach_give(Teach *t, Client *c, int64_t id, WorkDoing doing, const Leg *leg, int legs);

// --- teach_places.c ---
void stage_free(Hub *hub, Stage *s);
// The stage, if there is one, and the place that a message names; else NULL, and an error is sent.
Stage *teach_place(Teach *t, Client *c, int64_t id, const cJSON *in, int *site, bool *down);
void teach_first_game(Teach *t); // that the server was started with
// Writes what was taught; false with an error sent.
bool teach_save(Teach *t, Client *c, int64_t id);

// --- teach_sim.c ---
bool teach_simulated(const Teach *t);
bool teach_open_line(void *with, Text *port, SimBoard **board, Text *why); // WorkLine
void teach_close_line(void *with);
// Where a simulated camera sees the table, unless it was taught.
void teach_sim_view(const Teach *t, View *view);
void teach_sim_pieces(Teach *t, double now); // where simulated pieces stand now

// --- teach_see.c ---
void teach_looks(Teach *t); // who wants pictures has changed

// --- teach_json.c: members of objects, as docs/web-protocol.md has them ---
void teach_json_state(Teach *t, const Client *c, const ArmState *s, Text *out);
void teach_json_arm(const Teach *t, Text *out);   // what does not change
void teach_json_table(const Teach *t, Text *out); // what changes with `version`

// --- teach_path.c: ways for the fingers; all false with the reason, if a joint would leave its
// limits, something is out of reach, or fingers or wrist would go into the table ---
// Up to `travel` cm if the fingers are lower, then to the pose; from and to where it rests, folded
// over its base, by way of a pose that is high over the board. At most TEACH_LEGS.
bool path_to(const Arm *arm, const Pose *from, const Pose *to, double travel, Leg *leg, int *legs,
             Text *why);
// On a straight line, by so many cm, with the fingers as they point now.
bool path_jog(const Arm *arm, const Pose *from, Point by, Leg *leg, int *legs, Text *why);

#endif
