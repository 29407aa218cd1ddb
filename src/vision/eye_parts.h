// eye_parts: what an Eye is made of, for the files of the eye.
//
// A picture is first made half as wide and high, or where pieces are small only smoothed, which
// takes away most of its noise, and evenly bright. Each pixel of that gets a class by its colour.
// Then places are judged one after the other, those nearest to the camera first, since what stands
// there may hide what stands behind.
#ifndef LUDENS_EYE_PARTS_H
#define LUDENS_EYE_PARTS_H

#include "vision/blobs.h"
#include "vision/see.h"

#define TILE 8         // pixels of the half picture, along each side
#define LEVELS_MOST 12 // pieces on top of each other that are looked for
#define CLASSES 32768  // colours of 5 bits each

// Brightness as a plane over the half picture: a + b x + c y.
typedef struct Light {
    double a, b, c;
    double level; // what counts as the usual brightness of this picture
} Light;

typedef enum TileMark { TILE_PLAIN, TILE_STRANGE, TILE_HAND } TileMark;
typedef struct Tile { // what the board looks like here, where no piece is
    float red, blue;  // shares of all three
    float bright;
    int n; // pixels
    TileMark mark;
} Tile;

typedef struct Box {
    int left, top, right, bottom;
} Box;

// A disc as the camera sees it, in pixels of the half picture: its middle and two of its radii.
typedef struct Disc {
    double x, y, ax, ay, bx, by;
} Disc;

struct Eye {
    View v;
    uint8_t class_of[CLASSES];
    int shrink;              // 2, or 1 where pieces are small
    double shift_x, shift_y; // of this picture against the view
    int width, height;       // of the half picture
    uint8_t *pixel;          // [height][width][3]
    uint8_t *map;            // [height][width], a kind or BLOB_NONE
    uint8_t *owner; // [height][width], the kind of the piece that is seen there, or BLOB_NONE
    Blobs blobs;
    int order[VIEW_PLACES]; // from the camera's foot outwards
    struct {                // a piece that touches no other in the picture, nearest to this place
        uint8_t kind;       // BLOB_NONE: there is none
        double off;         // radii from where it should be
    } alone[VIEW_PLACES];
    Box board;          // around all places
    double piece;       // pixels of a usual piece
    Tile *tile, *usual; // [tiles_down][tiles_across]; usual: when no hand was there
    int *stack;         // of the flood over tiles
    int tiles_across, tiles_down;
    bool has_usual;
    int hands; // pictures with a hand, one after the other
};

// --- eye_judge.c ---
void judge_all(Eye *e, Sight *sight); // every place, and e->owner
void seen_choose(Seen *s, int kinds); // the likeliest, by its support, and how sure that is

// --- eye_light.c ---
void light_halve(const Picture *p, uint8_t *half);
void light_smooth(const Picture *p, uint8_t *smooth);
Light light_fit(const uint8_t *half, int width, const Box *box);
// What a colour value at a place is to be multiplied with.
double light_gain(const Light *l, double wanted, double x, double y);
void light_even(uint8_t *half, int width, int height, const Light *l, double wanted);

// --- eye_disc.c ---
// A circle of the table round a point, `radius` cm, z cm over the table. False: out of the picture.
bool disc_of(const Eye *e, const ViewPlace *place, double z, double radius, Disc *d);
double disc_area(const Disc *d);
// The pixels of a row inside the disc grown by `share`: left to right - 1. False: none.
bool disc_row(const Disc *d, double share, int y, int width, int *left, int *right);
// How many radii a point so far from the middle is away.
double disc_off(const Disc *d, double dx, double dy);
// Whether a blob is as large as one piece, from its foot to its top: not hidden, not two of them.
bool stands_alone(const BlobSum *b, const Disc *top, const Disc *foot);
void disc_rows(const Disc *d, double share, int height, int *top, int *bottom);

// --- eye_hand.c ---
// After all places were judged: is there something large that is neither board nor piece?
bool hand_find(Eye *e);
bool hand_covers(const Eye *e, const ViewPlace *place);

#endif
