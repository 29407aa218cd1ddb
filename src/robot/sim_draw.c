// sim_draw: see sim_draw.h.
#include "robot/sim_draw.h"

#include <math.h>
#include <stdlib.h>

#define RADIANS (3.14159265358979323846 / 180)
#define NEAR 2.0   // cm before the lens: nothing is seen there
#define HIGH 50.0  // cm from the camera to the middle of the table, at least
#define EDGE 0.94  // of the picture is used
#define USUAL 1.25 // focal length in widths of a picture, where nothing tells

// --- the lens ---

bool lens_see(const Lens *lens, Point at, Pixel *to) {
    const double *m = lens->m;
    double w = m[8] * at.x + m[9] * at.y + m[10] * at.z + m[11];
    if (w < NEAR)
        return false;
    to->x = (m[0] * at.x + m[1] * at.y + m[2] * at.z + m[3]) / w;
    to->y = (m[4] * at.x + m[5] * at.y + m[6] * at.z + m[7]) / w;
    return true;
}

double lens_scale(const Lens *lens, Point at) {
    Pixel a, b;
    Point beside = {at.x + 1, at.y, at.z};
    return lens_see(lens, at, &a) && lens_see(lens, beside, &b) ? hypot(a.x - b.x, a.y - b.y) : 0;
}

void lens_plane(const Lens *lens, double z, double h[9]) {
    for (int row = 0; row < 3; row++) {
        const double *m = &lens->m[row * 4];
        h[row * 3] = m[0];
        h[row * 3 + 1] = m[1];
        h[row * 3 + 2] = m[2] * z + m[3];
    }
}

// Rows of the matrix from the camera's axes: right, up, forward, the place, the focal length.
static void look_at(Lens *lens, double lean, Point eye, double focal, double x, double y) {
    const double axis[3][3] = {{1, 0, 0}, {0, cos(lean), -sin(lean)}, {0, -sin(lean), -cos(lean)}};
    double row[3][4];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            row[i][k] = axis[i][k];
        row[i][3] = -(axis[i][0] * eye.x + axis[i][1] * eye.y + axis[i][2] * eye.z);
    }
    for (int k = 0; k < 4; k++) {
        lens->m[k] = focal * row[0][k] + x * row[2][k];
        lens->m[4 + k] = -focal * row[1][k] + y * row[2][k];
        lens->m[8 + k] = row[2][k];
    }
}

void lens_over(Lens *lens, const Point *points, int count, double tilt, int width, int height) {
    Point low = points[0], high = points[0];
    for (int i = 1; i < count; i++) {
        low = (Point){fmin(low.x, points[i].x), fmin(low.y, points[i].y), fmin(low.z, points[i].z)};
        high = (Point){fmax(high.x, points[i].x), fmax(high.y, points[i].y), high.z};
    }
    Point middle = {(low.x + high.x) / 2, (low.y + high.y) / 2, low.z};
    double far = fmax(HIGH, 1.2 * fmax(high.x - low.x, high.y - low.y)), lean = tilt * RADIANS;
    Point eye = {middle.x, middle.y + far * sin(lean), middle.z + far * cos(lean)};
    look_at(lens, lean, eye, 1, 0, 0);
    double wide = 0;
    for (int i = 0; i < count; i++) {
        Pixel p;
        if (lens_see(lens, points[i], &p))
            wide = fmax(wide, fmax(fabs(p.x) / width, fabs(p.y) / height));
    }
    double focal = wide > 0 ? EDGE / 2 / wide : width * USUAL;
    look_at(lens, lean, eye, focal, width / 2.0, height / 2.0);
}

void lens_of(Lens *lens, const View *v, Point middle) {
    const double *h = v->to_picture;
    double depth = h[6] * middle.x + h[7] * middle.y + h[8];
    // The third row becomes the depth in cm: a step upwards, aside and forward are equally long.
    double f = USUAL * v->width;
    double a = hypot(hypot(h[0] - v->width / 2.0 * h[6], h[3] - v->height / 2.0 * h[6]) / f, h[6]);
    double scale = depth < 0 ? -1 / a : 1 / a;
    for (int row = 0; row < 3; row++) {
        double *m = &lens->m[row * 4];
        m[0] = h[row * 3] * scale;
        m[1] = h[row * 3 + 1] * scale;
        m[2] = v->upright[row] * scale;
        m[3] = h[row * 3 + 2] * scale - m[2] * v->plane;
    }
}

// --- polygons ---

static uint8_t clamp(double v) {
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

// Where a row of pixels cuts a polygon.
static bool cut(const Pixel *corner, int corners, double y, double *left, double *right) {
    *left = HUGE_VAL;
    *right = -HUGE_VAL;
    for (int i = 0; i < corners; i++) {
        Pixel a = corner[i], b = corner[(i + 1) % corners];
        if ((a.y <= y) == (b.y <= y))
            continue;
        double x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
        *left = fmin(*left, x);
        *right = fmax(*right, x);
    }
    return *left <= *right;
}

void draw_polygon(Picture *p, const uint16_t *light, const Pixel *corner, int corners,
                  Shade shade) {
    double low = HUGE_VAL, high = -HUGE_VAL, west = HUGE_VAL, east = -HUGE_VAL;
    for (int i = 0; i < corners; i++) {
        low = fmin(low, corner[i].y);
        high = fmax(high, corner[i].y);
        west = fmin(west, corner[i].x);
        east = fmax(east, corner[i].x);
    }
    int from = (int)fmax(0, ceil(low - 0.5)), to = (int)fmin(p->height - 1, floor(high - 0.5));
    double slope = east > west ? (shade.right - shade.left) / (east - west) : 0;
    for (int y = from; y <= to; y++) {
        double left, right;
        if (!cut(corner, corners, y + 0.5, &left, &right))
            continue;
        int begin = (int)fmax(0, ceil(left - 0.5)), end = (int)fmin(p->width - 1, right - 0.5);
        for (int x = begin; x <= end; x++) {
            size_t at = (size_t)y * (size_t)p->width + (size_t)x;
            double bright = shade.left + slope * (x + 0.5 - west);
            if (light)
                bright *= light[at] / 256.0;
            for (int k = 0; k < 3; k++)
                p->pixel[at * 3 + (size_t)k] = clamp(shade.rgb[k] * bright);
        }
    }
}

void draw_line(Picture *p, const uint16_t *light, Pixel a, Pixel b, double wide_a, double wide_b,
               Shade shade) {
    double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
    if (!(length > 0))
        return;
    double x = -dy / length / 2, y = dx / length / 2;
    Pixel corner[4] = {{a.x + x * wide_a, a.y + y * wide_a},
                       {b.x + x * wide_b, b.y + y * wide_b},
                       {b.x - x * wide_b, b.y - y * wide_b},
                       {a.x - x * wide_a, a.y - y * wide_a}};
    draw_polygon(p, light, corner, 4, shade);
}

static int by_x(const void *a, const void *b) {
    const Pixel *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

static bool turns_left(Pixel a, Pixel b, Pixel c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0;
}

int draw_hull(Pixel *point, int points) {
    Pixel hull[2 * DRAW_CORNERS];
    int n = 0;
    qsort(point, (size_t)points, sizeof *point, by_x);
    for (int side = 0; side < 2; side++) { // below, then above
        int first = n;
        for (int k = 0; k < points; k++) {
            Pixel next = point[side ? points - 1 - k : k];
            while (n - first >= 2 && !turns_left(hull[n - 2], hull[n - 1], next))
                n--;
            hull[n++] = next;
        }
        n--; // the last one begins the other side
    }
    for (int i = 0; i < n; i++)
        point[i] = hull[i];
    return n;
}

bool draw_circle(const Lens *lens, Point middle, double radius, Pixel *corner, int corners) {
    for (int i = 0; i < corners; i++) {
        double turn = i * 360.0 / corners * RADIANS;
        Point at = {middle.x + radius * cos(turn), middle.y + radius * sin(turn), middle.z};
        if (!lens_see(lens, at, &corner[i]))
            return false;
    }
    return true;
}
