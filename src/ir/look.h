// look: how a game looks and is handled outside its rules: pictures, places on a screen, what a
// camera sees, where an arm reaches. Rules never depend on it. It lives in the game's arena.
//
// A front end fills it in where its files say such things; NULL in IrGame means that nothing is
// said, and the board's own geometry is all there is.
#ifndef LUDENS_LOOK_H
#define LUDENS_LOOK_H

#include "base/diag.h"

typedef struct LookPicture {
    const char *file; // relative to the picture folder; NULL: none
    int x, y;         // the middle of the picture is put so far left of and above the place
    Span span;
} LookPicture;

typedef struct LookPiece { // a type of piece
    const char *name;
    int states;
    LookPicture *picture; // [states], the first for every state that was given none
    Span span;
} LookPiece;

typedef struct LookColour { // how a camera knows a piece of that type in that state
    const char *name;
    int state;
    double hue_min, hue_max; // degrees; a range that ends below its begin goes through 0
    double saturation_min, saturation_max, value_min, value_max; // 0..1
    int size_min, size_max;                                      // pixels
    Span span;
} LookColour;

typedef enum LookShape { LOOK_NO_SHAPE, LOOK_CIRCLE, LOOK_RECTANGLE } LookShape;
typedef struct LookPlaceType {
    const char *name;
    bool relevant;
    LookPicture picture;
    LookShape shape;
    int width, height; // circle: width is the radius
    Span span;
} LookPlaceType;

typedef struct LookPlace { // by cell
    const char *name;
    int type; // of Look.place_type; -1: none
    bool has_point, has_camera;
    int x, y; // screen
    int camera_x, camera_y;
    int robot_count; // of numbers: 0, 3 (x, y, z in cm), 5 (angles) or 10 (above, at)
    double robot[10];
    Span span;
} LookPlace;

// A row of stores, where pieces of a kind stand beside the board.
typedef struct LookStore {
    const char *kind; // of the piece; NULL: for every kind
    int owner;        // a player; -1: every owner
    double x, y;      // cm: the first of them
    double dx, dy;    // cm to the next
    int count;        // of places
    int room;         // pieces on top of each other in one place
    Span span;
} LookStore;

// Colours that have names. X(name, hue from, to, saturation from, to, value from, to, red, green,
// blue): how a camera knows it, and what it looks like. In the order in which pieces without a
// colour get one; no two of the first eight overlap. Those without a hue, last, are not given out:
// light and shadow look like them.
#define LOOK_COLOURS(X)                                                                            \
    X("yellow", 42, 68, 0.35, 1, 0.3, 1, 240, 205, 30)                                             \
    X("blue", 205, 250, 0.35, 1, 0.2, 1, 40, 80, 215)                                              \
    X("red", 345, 10, 0.4, 1, 0.25, 1, 215, 30, 35)                                                \
    X("green", 95, 150, 0.35, 1, 0.2, 1, 40, 165, 60)                                              \
    X("purple", 262, 295, 0.3, 1, 0.2, 1, 135, 50, 190)                                            \
    X("cyan", 168, 195, 0.35, 1, 0.25, 1, 30, 190, 200)                                            \
    X("orange", 16, 36, 0.5, 1, 0.65, 1, 240, 120, 20)                                             \
    X("pink", 305, 338, 0.3, 1, 0.3, 1, 235, 90, 170)                                              \
    X("brown", 12, 36, 0.35, 1, 0.15, 0.6, 120, 70, 30)                                            \
    X("lime", 72, 92, 0.35, 1, 0.3, 1, 160, 225, 40)                                               \
    X("white", 0, 360, 0, 0.22, 0.75, 1, 240, 240, 240)                                            \
    X("grey", 0, 360, 0, 0.22, 0.35, 0.65, 128, 128, 128)                                          \
    X("black", 0, 360, 0, 1, 0, 0.2, 20, 20, 20)

typedef struct LookPaint { // the colour of a piece: a name, or ranges for a camera
    const char *kind;
    int owner;          // a player; -1: every owner
    const char *colour; // "yellow"; NULL: the ranges
    double hue_min, hue_max, saturation_min, saturation_max, value_min, value_max;
    Span span;
} LookPaint;

// Where the board lies on a table, from the arm's base: the `table` section of a rules file, there
// in whole millimetres, here in cm and degrees. IrGame.on_table.
typedef struct LookTable {
    bool has_middle;
    double x, y;         // the middle of the board
    double pitch;        // from a cell to the next; 0: not said
    double turn;         // of the board, to the left
    double surface;      // its top over the table
    double piece_height; // from the surface to the top of one piece; 0: not said
    double piece_radius; // 0: not said
    double grip;         // over the surface: where fingers hold the lowest piece; 0: not said
    LookStore *store;
    int stores;
    LookPaint *paint;
    int paints;
    Span span;
} LookTable;

typedef struct Look {
    const char *board_picture; // NULL: none
    Span board_span;
    LookPiece *piece;
    int pieces;
    LookColour *colour;
    int colours;
    LookPlaceType *place_type;
    int place_types;
    LookPlace *place; // one for each cell of the board, in the same order
    int places;
} Look;

#endif
