// table: a game as it stands on a real table: the places that an arm reaches and a camera sees, and
// the pieces that stand there.
//
// A place of the table is a *site*. There is one for each cell of the board, in the same order, and
// behind them the *stores*: where pieces stand that are not on the board, before they come into
// play and after they were taken. A *kind* is a piece as one can tell it from others by looking at
// it; it is a plane of the rules, and has the same number.
//
// Where sites are comes from the file of the game: a `table` section (IrGame.on_table), or the
// `robot` and `camera` lines of an S3 file. Games that say nothing get a table that the arm can
// reach, if their board is not too large for it. A Table is immutable and belongs to one Game and
// one Arm, which outlive it.
#ifndef LUDENS_TABLE_H
#define LUDENS_TABLE_H

#include "game/game.h"
#include "robot/arm_fit.h"
#include "vision/view.h"

typedef struct Site {
    const char *name; // "d3", "store 4"
    int cell;         // of the board; -1: a store
    Point at;         // where the fingers hold the lowest piece, cm
    int room;         // pieces on top of each other, at most
    uint64_t takes;   // a bit for each kind that may be put there; of cells all bits
    bool posed;       // the joints are given: then `above` and `down` are used as they are,
    Pose above, down; //   for the lowest piece
    bool taught;     // by people (table_teach), in place of what the game's file says, if anything:
    bool file_posed; //   that waits here
    Pose file_above, file_down;
    bool seen; // the file says where the camera sees it, else the view works it out
    double picture_x, picture_y; // in pixels
} Site;

typedef struct TableKind {
    const char *name; // "white man"
    int count;        // pieces of that kind that there are, on the board and in stores
    double radius;    // cm
    double height;    // cm
    Colours colours;  // how a camera knows it
    uint8_t paint[3]; // red, green, blue of a simulated one
} TableKind;

typedef struct Table {
    Arena arena; // what the table is made of
    const Game *game;
    const Arm *arm;
    Site *site;
    int sites;
    int cells; // the first sites are the board
    TableKind *kind;
    int kinds;
    double surface; // cm: the top of the board over the table the arm stands on
    double grip;    // cm over the foot of a piece: where the fingers hold it
    double tall;    // cm over the surface: what is higher than that passes over everything
    double
        corner[8]; // x, y of the tags at the corners, cm: front left, front right, back right, back
                   //   left as the arm sees them
    bool fitted;   // the game's file says nothing: the table was made to fit
} Table;

// NULL with the reason: places missing, two places at the same point, a place the arm cannot reach
// (which, how far, which joint), an arm that cannot rest at its home, pieces that look alike, more
// pieces than stores.
Table *table_new(const Game *g, const Arm *arm, Text *why);
void table_free(Table *t);
// Kinds and places of a view. Where the camera stands is known only if the file gives the pixels of
// places (view_by_pixels, for pictures of whatever size).
void table_view(const Table *t, View *v);
int table_site_named(const Table *t, const char *name); // -1: none
int table_kind_named(const Table *t, const char *name); // -1: none
// cm over the surface: the least height of a hand that carries a piece over piles so high.
double table_travel(const Table *t, double pile);

// --- table_teach.c ---
void table_teach(Table *t, int site, const Pose *above, const Pose *down);
void table_forget(Table *t, int site); // what was taught: it is again as the game's file says
// The arm has other measures now, which are in place already: where people taught it to stand it
// stands as before, at the same pulses. Of a pose that it cannot have any more the place is
// forgotten. Stores that it does not reach any more lie elsewhere; `told` gets a line about those.
// False with the reason in `told` if the table cannot be laid for it.
bool table_measured(Table *t, const Arm *before, Text *told);
// Places that were taught and whose points are known, for arm_fit. At most `most`.
int table_fit_places(const Table *t, FitPlace *place, int most);

// --- table_file.c ---
// What people taught: poses of sites, colours of kinds, corners of the board in the picture; as a
// text file over what the game's own file says. Same form as arm files:
//     [d3]
//     above = 0, -5.6, -1.8, -82.7, 85
//     down = 0, -17.5, -16.1, -56.4, 85
//     [white man]
//     hue = 40, 60
// False with everything that is wrong in `diags`; then *t and *view are as they were. `view` may be
// NULL.
bool table_read(const Source *source, Table *t, View *view, Diags *diags);
void table_write(const Table *t, const View *view, Text *out); // a text that table_read takes

// --- scene.c ---
// Which pieces stand where. Level 0 is the lowest.
#define SCENE_NOTHING 255
#define SCENE_LEVELS 32
typedef struct Scene {
    const Table *table;
    uint8_t *kind; // [site * SCENE_LEVELS + level]; SCENE_NOTHING above the top
} Scene;

bool scene_init(Scene *s, const Table *t); // everything empty; false when out of memory
void scene_free(Scene *s);
void scene_copy(Scene *to, const Scene *from);
int scene_height(const Scene *s, int site);
int scene_top(const Scene *s, int site); // the kind, or SCENE_NOTHING
// The board as in a state; stores filled from the first with what is not on the board.
void scene_of_state(Scene *s, const uint8_t *state);
// Whether the board of a scene is that of a state. The first cell that differs, or -1.
int scene_differs(const Scene *s, const uint8_t *state);

#endif
