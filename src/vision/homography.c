// homography: how a plane of the table maps to the picture, see view.h.
//
// With a = (x, y) of the table and b = (u, v) of the picture, u = (h0 x + h1 y + h2) / w and
// v = (h3 x + h4 y + h5) / w, where w = h6 x + h7 y + h8. Each pair of points gives two equations
// that are linear in h. Both sides are first moved and scaled to be near 0 and of size 1, which
// keeps the equations well-conditioned; then h8 = 1 may be asked for, since the middle of the
// points is seen.
#include "vision/view.h"

#include <math.h>
#include <string.h>

#define UNKNOWNS 8

typedef struct Scale { // to (x - mx) / s, (y - my) / s
    double mx, my, s;
} Scale;

static Scale scale_of(const double *xy, int n) {
    Scale c = {0};
    for (int i = 0; i < n; i++) {
        c.mx += xy[2 * i] / n;
        c.my += xy[2 * i + 1] / n;
    }
    for (int i = 0; i < n; i++)
        c.s += hypot(xy[2 * i] - c.mx, xy[2 * i + 1] - c.my) / n;
    return c;
}

// Gauss with pivots, in place; `m` has the right side as its last column. False if singular.
static bool solve(double m[UNKNOWNS][UNKNOWNS + 1], double x[UNKNOWNS]) {
    for (int c = 0; c < UNKNOWNS; c++) {
        int best = c;
        for (int r = c + 1; r < UNKNOWNS; r++)
            if (fabs(m[r][c]) > fabs(m[best][c]))
                best = r;
        if (!(fabs(m[best][c]) > 1e-9)) // of numbers of about 1
            return false;
        for (int k = 0; k <= UNKNOWNS; k++) {
            double t = m[c][k];
            m[c][k] = m[best][k];
            m[best][k] = t;
        }
        for (int r = c + 1; r < UNKNOWNS; r++) {
            double f = m[r][c] / m[c][c];
            for (int k = c; k <= UNKNOWNS; k++)
                m[r][k] -= f * m[c][k];
        }
    }
    for (int r = UNKNOWNS - 1; r >= 0; r--) {
        x[r] = m[r][UNKNOWNS];
        for (int k = r + 1; k < UNKNOWNS; k++)
            x[r] -= m[r][k] * x[k];
        x[r] /= m[r][r];
    }
    return true;
}

// Adds one equation, row * h = right, to the sum of squares.
static void add_equation(double m[UNKNOWNS][UNKNOWNS + 1], const double row[UNKNOWNS],
                         double right) {
    for (int i = 0; i < UNKNOWNS; i++) {
        for (int k = 0; k < UNKNOWNS; k++)
            m[i][k] += row[i] * row[k];
        m[i][UNKNOWNS] += row[i] * right;
    }
}

static void multiply(const double a[9], const double b[9], double to[9]) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            to[3 * r + c] = a[3 * r] * b[c] + a[3 * r + 1] * b[3 + c] + a[3 * r + 2] * b[6 + c];
}

// All points lie before the camera, or the map folds the plane over.
static bool in_front(const double h[9], const double *table, int points) {
    for (int i = 0; i < points; i++)
        if (!(h[6] * table[2 * i] + h[7] * table[2 * i + 1] + h[8] > 1e-9))
            return false;
    return true;
}

static double determinant(const double h[9]) {
    return h[0] * (h[4] * h[8] - h[5] * h[7]) - h[1] * (h[3] * h[8] - h[5] * h[6]) +
           h[2] * (h[3] * h[7] - h[4] * h[6]);
}

bool homography_fit(const double *table, const double *pixels, int points, double to_picture[9]) {
    if (points < 4)
        return false;
    Scale a = scale_of(table, points), b = scale_of(pixels, points);
    if (!(a.s > 0 && a.s < 1e6 && b.s > 0 && b.s < 1e6)) // also false for what is no number
        return false;
    double m[UNKNOWNS][UNKNOWNS + 1] = {0};
    for (int i = 0; i < points; i++) {
        double x = (table[2 * i] - a.mx) / a.s, y = (table[2 * i + 1] - a.my) / a.s;
        double u = (pixels[2 * i] - b.mx) / b.s, v = (pixels[2 * i + 1] - b.my) / b.s;
        double along[UNKNOWNS] = {x, y, 1, 0, 0, 0, -u * x, -u * y};
        double down[UNKNOWNS] = {0, 0, 0, x, y, 1, -v * x, -v * y};
        add_equation(m, along, u);
        add_equation(m, down, v);
    }
    double h[9];
    if (!solve(m, h))
        return false;
    h[8] = 1;
    if (!(fabs(determinant(h)) > 1e-6))
        return false;
    double from[9] = {1 / a.s, 0, -a.mx / a.s, 0, 1 / a.s, -a.my / a.s, 0, 0, 1};
    double to[9] = {b.s, 0, b.mx, 0, b.s, b.my, 0, 0, 1};
    double half[9], whole[9];
    multiply(h, from, half);
    multiply(to, half, whole);
    if (!in_front(whole, table, points))
        return false;
    memcpy(to_picture, whole, sizeof whole);
    return true;
}

bool homography_inverse(const double h[9], double to[9]) {
    double d = determinant(h), size = 0;
    for (int i = 0; i < 9; i++)
        size = fmax(size, fabs(h[i]));
    if (!(fabs(d) > 1e-15 * size * size * size))
        return false;
    double t[9] = {
        h[4] * h[8] - h[5] * h[7], h[2] * h[7] - h[1] * h[8], h[1] * h[5] - h[2] * h[4],
        h[5] * h[6] - h[3] * h[8], h[0] * h[8] - h[2] * h[6], h[2] * h[3] - h[0] * h[5],
        h[3] * h[7] - h[4] * h[6], h[1] * h[6] - h[0] * h[7], h[0] * h[4] - h[1] * h[3],
    };
    for (int i = 0; i < 9; i++)
        to[i] = t[i] / d;
    return true;
}

void homography_map(const double h[9], double x, double y, double *to_x, double *to_y) {
    double w = h[6] * x + h[7] * y + h[8];
    *to_x = (h[0] * x + h[1] * y + h[2]) / w;
    *to_y = (h[3] * x + h[4] * y + h[5]) / w;
}
