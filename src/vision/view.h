// view: how a camera sees a flat board: where points of the table are in the picture, and which
// colours are which pieces.
//
// A View is plain data: set up from tags, from four clicked corners, or from places whose pixels
// are known. Points of the table are in cm, as the arm has them; pixels count from the top left.
// The homography holds for one plane, `plane` cm over the table the arm stands on: usually the top
// of the board. Set `width`, `height` and `plane` before view_place.
#ifndef LUDENS_VIEW_H
#define LUDENS_VIEW_H

#include "vision/picture.h"

typedef struct Colours {     // a box of hue, saturation and value, and a size
    double hue_min, hue_max; // degrees; a range that ends below its begin goes through 0; one
                             //   that ends where it begins is all hues
    double saturation_min, saturation_max, value_min, value_max; // 0..1
    int size_min, size_max; // pixels of a piece in the picture; 0, 0: worked out from the radius
} Colours;

#define VIEW_KINDS 32
typedef struct ViewKind {
    Colours colours;
    double radius;    // cm
    double height;    // cm over the board: what stands up is seen shifted
    const char *name; // for messages; borrowed, may be NULL
} ViewKind;

#define VIEW_PLACES 640
typedef struct ViewPlace {
    double x, y; // cm
    double z;    // cm, of the surface a piece stands on there, as `plane` is counted
    bool seen;   // px, py are known, whatever the homography says
    double px, py;
    int room; // pieces that may stand on top of each other; 0: one
} ViewPlace;

typedef struct View {
    int width, height;                 // of pictures
    bool placed;                       // the homography is known
    double plane;                      // cm: the height at which it holds
    double to_picture[9], to_table[9]; // row by row, each the inverse of the other
    double upright[3];                 // what a cm upwards adds to a pixel, homogeneous
    double light; // brightness of the board, 0..255, when its colours were learnt; 0: not learnt
    ViewKind kind[VIEW_KINDS];
    int kinds;
    ViewPlace place[VIEW_PLACES];
    int places;
} View;

// --- homography.c ---
// The map that takes points of the table (x, y pairs) to pixels; at least four, no three on a line
// among any four that decide. False if there is none.
bool homography_fit(const double *table, const double *pixels, int points, double to_picture[9]);
bool homography_inverse(const double from[9], double to[9]);
void homography_map(const double h[9], double x, double y, double *to_x, double *to_y);

// --- view.c ---
// Sets where the camera stands, from points of the plane and their pixels. False, and nothing has
// changed, if homography_fit finds nothing.
bool view_place(View *v, const double *table, const double *pixels, int points);
// The same from the places whose pixels are known: at least four that are not in a row say it
// exactly; else two are enough if the camera looks straight down, as it is believed to do then.
// For pictures of this size; 0, 0: of whatever size, then nothing is known of what stands up. False
// if there are fewer, or some are not in such a picture.
bool view_by_pixels(View *v, int width, int height);
// After the board was found otherwise, by tags or corners: pixels of places that are not near where
// it has them are those of another camera. Then all are forgotten.
void view_check_pixels(View *v);
// The pixel of a point of the table, also above or below the plane. False: behind the camera.
bool view_point(const View *v, double x, double y, double z, double *px, double *py);

// --- tags.c ---
// Four AprilTags (tagStandard41h12, numbers 0 to 3) lie at the corners of the board: their middles
// are at `corner` (x, y pairs in cm, in the order of their numbers: front left, front right, back
// right, back left as the arm sees it). False with the reason: which were not found. Without the
// tag library it says so. Tags is the finder with its tables, made once.
typedef struct Tags Tags;
Tags *tags_new(Text *why);
void tags_free(Tags *t);
bool tags_find(Tags *t, const Picture *p, double pixels[8], Text *why); // the middles
// The same for as many as there are: a bit for each that is seen; `why` tells the others.
#define TAGS_ALL 15
int tags_seen(Tags *t, const Picture *p, double pixels[8], Text *why);
// A tag to print, `cm` wide, with a white margin. False: there is no such number, or no library.
bool tags_svg(int number, double cm, Text *out);
// All four on a page of A4, each with the corner it is for.
bool tags_page(double cm, Text *out);
#define TAG_CM 3.6 // as large as they are usually
#define TAG_CELLS 9
// The same as cells, row by row from the top: 0 black, 255 white.
bool tags_cells(int number, uint8_t cell[TAG_CELLS * TAG_CELLS]);

// --- colours.c, learn.c ---
void colours_hsv(const uint8_t rgb[3], double *hue, double *saturation, double *value);
bool colours_match(const Colours *c, const uint8_t rgb[3]);
// Learns the ranges of all kinds from a picture of a board on which it is known what stands where:
// `content[place]` is a kind or 255. False with the reason: a kind that is nowhere, or kinds whose
// colours cannot be told apart from each other or from the empty board; then nothing has changed.
bool colours_learn(View *v, const Picture *p, const uint8_t *content, Text *why);

#endif
