// view: points above the board. The homography says how the camera sees the plane of the board; a
// camera with square pixels that looks through the middle of its picture has then only one unknown
// left, how wide it sees, and what stands up can be worked out too.
#include "vision/view.h"

#include <math.h>
#include <string.h>

// How long the lens of a usual camera is, in widths of the picture: 60 degrees from left to right.
#define USUAL_LENGTH 0.866
// How much to believe in the usual one. Straight from above every length explains the plane; the
// more the camera is tilted, the better the plane itself says which.
#define BELIEF 1e-3

// The columns of the homography with the picture's middle as origin.
typedef struct Columns {
    double a[3], b[3], t[3];
} Columns;

static Columns columns_of(const View *v) {
    const double *h = v->to_picture;
    Columns c;
    double *column[3] = {c.a, c.b, c.t};
    for (int i = 0; i < 3; i++) {
        column[i][0] = h[i] - v->width / 2.0 * h[6 + i];
        column[i][1] = h[3 + i] - v->height / 2.0 * h[6 + i];
        column[i][2] = h[6 + i];
    }
    return c;
}

// The length of the lens, in pixels: the two directions of the table are at right angles and of the
// same length, which gives two equations for its square.
static double lens(const View *v, const Columns *c) {
    const double *a = c->a, *b = c->b;
    double usual = USUAL_LENGTH * fmax(v->width, v->height);
    double unit = (a[0] * a[0] + a[1] * a[1] + b[0] * b[0] + b[1] * b[1]) / 2;
    double f2 = usual * usual / unit;
    double left[2] = {a[2] * b[2] * f2, (a[2] * a[2] - b[2] * b[2]) * f2};
    double right[2] = {-(a[0] * b[0] + a[1] * b[1]) / unit,
                       (b[0] * b[0] + b[1] * b[1] - a[0] * a[0] - a[1] * a[1]) / unit};
    double ratio = (left[0] * right[0] + left[1] * right[1] + BELIEF) /
                   (left[0] * left[0] + left[1] * left[1] + BELIEF);
    return usual * sqrt(fmin(fmax(ratio, 0.1), 10));
}

// What a cm upwards adds to the homogeneous pixel: across both directions of the table, as long as
// they are, and towards the camera.
static void find_upright(View *v) {
    Columns c = columns_of(v);
    double f = lens(v, &c);
    for (int i = 0; i < 2; i++) {
        c.a[i] /= f;
        c.b[i] /= f;
        c.t[i] /= f;
    }
    const double *a = c.a, *b = c.b;
    double up[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                    a[0] * b[1] - a[1] * b[0]};
    double length = sqrt(up[0] * up[0] + up[1] * up[1] + up[2] * up[2]);
    double towards = up[0] * c.t[0] + up[1] * c.t[1] + up[2] * c.t[2];
    double scale = (towards > 0 ? -1 : 1) / sqrt(length); // |a| |b| over their own length
    for (int i = 0; i < 3; i++)
        up[i] *= scale;
    v->upright[0] = up[0] * f + v->width / 2.0 * up[2];
    v->upright[1] = up[1] * f + v->height / 2.0 * up[2];
    v->upright[2] = up[2];
}

bool view_place(View *v, const double *table, const double *pixels, int points) {
    double to_picture[9], to_table[9];
    if (!homography_fit(table, pixels, points, to_picture) ||
        !homography_inverse(to_picture, to_table))
        return false;
    memcpy(v->to_picture, to_picture, sizeof to_picture);
    memcpy(v->to_table, to_table, sizeof to_table);
    v->placed = true;
    memset(v->upright, 0, sizeof v->upright);
    if (v->width > 0 && v->height > 0)
        find_upright(v);
    return true;
}

bool view_point(const View *v, double x, double y, double z, double *px, double *py) {
    const double *h = v->to_picture, *u = v->upright;
    double up = z - v->plane;
    double w = h[6] * x + h[7] * y + h[8] + u[2] * up;
    if (!(w > 1e-12))
        return false;
    *px = (h[0] * x + h[1] * y + h[2] + u[0] * up) / w;
    *py = (h[3] * x + h[4] * y + h[5] + u[1] * up) / w;
    return true;
}

// --- places whose pixels are known ---

#define NEAR_PIXELS 0.4 // of the way to the next place: so far they may be off
#define AROUND 10.0     // cm

typedef struct Pairs {
    double table[2 * VIEW_PLACES], pixels[2 * VIEW_PLACES];
    int count;
} Pairs;

static bool pairs_of(const View *v, int width, int height, Pairs *p) {
    p->count = 0;
    for (int i = 0; i < v->places; i++) {
        const ViewPlace *place = &v->place[i];
        if (!place->seen)
            continue;
        if (width > 0 &&
            !(place->px >= 0 && place->px <= width && place->py >= 0 && place->py <= height))
            return false;
        p->table[2 * p->count] = place->x;
        p->table[2 * p->count + 1] = place->y;
        p->pixels[2 * p->count] = place->px;
        p->pixels[2 * p->count++ + 1] = place->py;
    }
    return p->count >= 2;
}

// Straight down: the picture is the table turned and made larger, with forward upwards. Four points
// around the middle take the place of the pairs.
static bool straight_down(Pairs *p) {
    double x = 0, y = 0, u = 0, v = 0, square = 0, along = 0, across = 0;
    for (int i = 0; i < p->count; i++) {
        x += p->table[2 * i] / p->count;
        y += p->table[2 * i + 1] / p->count;
        u += p->pixels[2 * i] / p->count;
        v += p->pixels[2 * i + 1] / p->count;
    }
    for (int i = 0; i < p->count; i++) {
        double dx = p->table[2 * i] - x, dy = -(p->table[2 * i + 1] - y);
        double du = p->pixels[2 * i] - u, dv = p->pixels[2 * i + 1] - v;
        square += dx * dx + dy * dy;
        along += dx * du + dy * dv;
        across += dx * dv - dy * du;
    }
    if (!(square > 0))
        return false;
    along /= square;
    across /= square;
    for (int i = 0; i < 4; i++) {
        double dx = i % 2 ? AROUND : -AROUND, dy = i < 2 ? AROUND : -AROUND;
        p->table[2 * i] = x + dx;
        p->table[2 * i + 1] = y - dy;
        p->pixels[2 * i] = u + along * dx - across * dy;
        p->pixels[2 * i + 1] = v + across * dx + along * dy;
    }
    p->count = 4;
    return true;
}

// Whether a cm to the side and one forward look about as long as each other, at about right angles:
// places that are nearly in a row give a map of anything.
static bool is_square(const View *v, const Pairs *p) {
    double x = 0, y = 0, m[2], a[2], b[2];
    for (int i = 0; i < p->count; i++) {
        x += p->table[2 * i] / p->count;
        y += p->table[2 * i + 1] / p->count;
    }
    homography_map(v->to_picture, x, y, &m[0], &m[1]);
    homography_map(v->to_picture, x + 1, y, &a[0], &a[1]);
    homography_map(v->to_picture, x, y + 1, &b[0], &b[1]);
    double side = hypot(a[0] - m[0], a[1] - m[1]), forward = hypot(b[0] - m[0], b[1] - m[1]);
    double area = (a[0] - m[0]) * (b[1] - m[1]) - (a[1] - m[1]) * (b[0] - m[0]);
    return side < 3 * forward && forward < 3 * side && fabs(area) > side * forward / 3;
}

bool view_by_pixels(View *v, int width, int height) {
    Pairs pairs;
    if (!pairs_of(v, width, height, &pairs))
        return false;
    View next = *v;
    next.width = width;
    next.height = height;
    bool exact = view_place(&next, pairs.table, pairs.pixels, pairs.count);
    if (!(exact && is_square(&next, &pairs)) &&
        !(straight_down(&pairs) && view_place(&next, pairs.table, pairs.pixels, 4)))
        return false;
    *v = next;
    return true;
}

// How far it is in the picture from a place to the next, as the homography has it.
static double to_next(const View *v, int place) {
    double x, y, least = HUGE_VAL;
    homography_map(v->to_picture, v->place[place].x, v->place[place].y, &x, &y);
    for (int i = 0; i < v->places; i++) {
        double px, py;
        homography_map(v->to_picture, v->place[i].x, v->place[i].y, &px, &py);
        if (i != place)
            least = fmin(least, hypot(px - x, py - y));
    }
    return least;
}

void view_check_pixels(View *v) {
    bool agree = true;
    for (int i = 0; i < v->places && agree; i++) {
        const ViewPlace *p = &v->place[i];
        double x, y;
        homography_map(v->to_picture, p->x, p->y, &x, &y);
        agree = !p->seen || hypot(p->px - x, p->py - y) < NEAR_PIXELS * to_next(v, i);
    }
    for (int i = 0; i < v->places && !agree; i++)
        v->place[i].seen = false;
}
