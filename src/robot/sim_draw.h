// sim_draw: the lens of a simulated camera, and polygons in its picture.
//
// A Lens takes points of the table to pixels, in perspective: three rows of four, whose third gives
// the depth.
#ifndef LUDENS_SIM_DRAW_H
#define LUDENS_SIM_DRAW_H

#include "robot/arm.h"
#include "vision/view.h"

typedef struct Lens {
    double m[12];
} Lens;

typedef struct Pixel {
    double x, y;
} Pixel;

// A camera over the table, leaning by `tilt` degrees towards the far side, that sees all of the
// points; the top of the picture is what is far from the arm.
void lens_over(Lens *lens, const Point *points, int count, double tilt, int width, int height);
// A camera that sees as a view says; `middle` is a point that it sees.
void lens_of(Lens *lens, const View *v, Point middle);
bool lens_see(const Lens *lens, Point at, Pixel *to); // false: behind or too near to the camera
double lens_scale(const Lens *lens, Point at);        // pixels that a cm across takes there
void lens_plane(const Lens *lens, double z, double to_picture[9]);

typedef struct Shade { // a colour, times a brightness that changes from left to right
    uint8_t rgb[3];
    double left, right;
} Shade;

#define DRAW_CORNERS 64
// A convex polygon. `light` is a brightness of 256 for each pixel of the picture; NULL: even.
void draw_polygon(Picture *p, const uint16_t *light, const Pixel *corner, int corners, Shade shade);
void draw_line(Picture *p, const uint16_t *light, Pixel a, Pixel b, double wide_a, double wide_b,
               Shade shade);
// The smallest convex polygon round points, of which there are at most DRAW_CORNERS; in place.
int draw_hull(Pixel *point, int points);
// A circle on the table; false if it is not seen whole.
bool draw_circle(const Lens *lens, Point middle, double radius, Pixel *corner, int corners);

#endif
