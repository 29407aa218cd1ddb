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
