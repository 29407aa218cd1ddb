// eye_disc: circles of the table as a camera sees them.
#include "vision/eye_parts.h"

#include <math.h>

bool disc_of(const Eye *e, const ViewPlace *place, double z, double radius, Disc *d) {
    const View *v = &e->v;
    double mx, my, ax, ay, bx, by;
    if (!view_point(v, place->x, place->y, z, &mx, &my) ||
        !view_point(v, place->x + radius, place->y, z, &ax, &ay) ||
        !view_point(v, place->x, place->y + radius, z, &bx, &by))
        return false;
    ax -= mx, ay -= my, bx -= mx, by -= my;
    if (place->seen) {
        mx = place->px;
        my = place->py;
    }
    double s = e->shrink;
    *d = (Disc){mx / s + e->shift_x, my / s + e->shift_y, ax / s, ay / s, bx / s, by / s};
    return d->x > -1e4 && d->x < 1e4 && d->y > -1e4 && d->y < 1e4 && disc_area(d) > 1;
}

double disc_area(const Disc *d) {
    return M_PI * fabs(d->ax * d->by - d->ay * d->bx);
}

double disc_off(const Disc *d, double dx, double dy) {
    double det = d->ax * d->by - d->ay * d->bx;
    return hypot((dx * d->by - dy * d->bx) / det, (dy * d->ax - dx * d->ay) / det);
}

bool stands_alone(const BlobSum *b, const Disc *top, const Disc *foot) {
    double whole = disc_area(top), lean = hypot(top->x - foot->x, top->y - foot->y);
    whole += 2 * sqrt(whole / M_PI) * lean;
    return b->size > 0.85 * whole && b->size < 1.2 * whole;
}

void disc_rows(const Disc *d, double share, int height, int *top, int *bottom) {
    double high = hypot(d->ay, d->by) * share;
    *top = (int)fmax(0, ceil(d->y - high));
    *bottom = (int)fmin(height, floor(d->y + high) + 1);
}

// A pixel (x, y) is s a + t b from the middle; inside is s² + t² <= share². Along a row that is a
// square of x.
bool disc_row(const Disc *d, double share, int y, int width, int *left, int *right) {
    double det = d->ax * d->by - d->ay * d->bx, dy = y - d->y;
    double s1 = d->by / det, s0 = -d->bx * dy / det; // s = s0 + s1 dx
    double t1 = -d->ay / det, t0 = d->ax * dy / det;
    double a = s1 * s1 + t1 * t1, half = (s0 * s1 + t0 * t1) / a;
    double inside = half * half - (s0 * s0 + t0 * t0 - share * share) / a;
    if (!(inside >= 0))
        return false;
    *left = (int)fmax(0, ceil(d->x - half - sqrt(inside)));
    *right = (int)fmin(width, floor(d->x - half + sqrt(inside)) + 1);
    return *left < *right;
}
