// board_picture: drawings of a board with pieces, as a camera in space sees them, for tests.
// Written without anything from src/vision but the struct Picture: what is drawn is known by
// itself.
#ifndef LUDENS_BOARD_PICTURE_H
#define LUDENS_BOARD_PICTURE_H

#include "base/rng.h"
#include "vision/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRAW_FINE 2 // pixels of the drawing for one of the picture, along each side

// A camera in space: it looks from `distance` cm at (0, 21), `tilt` degrees from straight down,
// from the side `turn`; `length` is that of its lens, in pixels.
typedef struct Pinhole {
    double distance, tilt, turn, length;
    int width, height;
} Pinhole;

static inline void pinhole_see(const Pinhole *c, double x, double y, double z, double *px,
                               double *py) {
    double tilt = c->tilt * M_PI / 180, turn = c->turn * M_PI / 180;
    y -= 21;
    double rx = x * cos(turn) + y * sin(turn), ry = -x * sin(turn) + y * cos(turn);
    double up = ry * cos(tilt) + z * sin(tilt); // in the picture
    double depth = c->distance + ry * sin(tilt) - z * cos(tilt);
    *px = c->width / 2.0 + c->length * rx / depth;
    *py = c->height / 2.0 - c->length * up / depth;
}

static inline double draw_uniform(Rng *rng, double low, double high) {
    return low + (high - low) * (double)(rng_next(rng) >> 11) / 9007199254740992.0;
}

// Three numbers of deviation 1, each the sum of five bytes.
static inline void draw_normal(Rng *rng, double to[3]) {
    uint64_t bits[2] = {rng_next(rng), rng_next(rng)};
    for (int c = 0; c < 3; c++) {
        int sum = 0;
        for (int i = 5 * c; i < 5 * c + 5; i++)
            sum += (int)(bits[i / 8] >> i % 8 * 8 & 255);
        to[c] = (sum - 637.5) / 165.2;
    }
}

typedef struct Drawing {
    Pinhole camera;
    Picture fine;
} Drawing;

static inline void draw_begin(Drawing *d, const Pinhole *c, const uint8_t rgb[3]) {
    d->camera = *c;
    if (!picture_size(&d->fine, c->width * DRAW_FINE, c->height * DRAW_FINE))
        abort();
    for (int i = 0; i < d->fine.width * d->fine.height; i++)
        memcpy(d->fine.pixel + i * 3, rgb, 3);
}

// A flat shape with corners (x, y pairs) at height z, which bulges nowhere.
static inline void draw_shape(Drawing *d, const double *xy, int n, double z, const uint8_t rgb[3]) {
    double px[64], py[64], low = 1e9, high = -1e9;
    for (int i = 0; i < n; i++) {
        pinhole_see(&d->camera, xy[2 * i], xy[2 * i + 1], z, &px[i], &py[i]);
        px[i] *= DRAW_FINE;
        py[i] *= DRAW_FINE;
        low = fmin(low, py[i]);
        high = fmax(high, py[i]);
    }
    for (int y = (int)fmax(0, low); y <= fmin(high, d->fine.height - 1); y++) {
        double left = 1e9, right = -1e9, at = y + 0.5;
        for (int i = 0; i < n; i++) {
            int k = (i + 1) % n;
            if ((py[i] <= at) == (py[k] <= at))
                continue;
            double x = px[i] + (at - py[i]) / (py[k] - py[i]) * (px[k] - px[i]);
            left = fmin(left, x);
            right = fmax(right, x);
        }
        for (int x = (int)fmax(0, left + 0.5); x < fmin(right + 0.5, d->fine.width); x++)
            memcpy(d->fine.pixel + ((size_t)y * (size_t)d->fine.width + (size_t)x) * 3, rgb, 3);
    }
}

static inline void draw_disc(Drawing *d, double x, double y, double z, double radius,
                             const uint8_t rgb[3]) {
    double xy[64];
    for (int i = 0; i < 32; i++) {
        xy[2 * i] = x + radius * cos(i * M_PI / 16);
        xy[2 * i + 1] = y + radius * sin(i * M_PI / 16);
    }
    draw_shape(d, xy, 32, z, rgb);
}

// A round piece: its side is darker than its top.
static inline void draw_piece(Drawing *d, double x, double y, double foot, double height,
                              double radius, const uint8_t rgb[3]) {
    uint8_t side[3];
    for (int c = 0; c < 3; c++)
        side[c] = (uint8_t)(rgb[c] * 0.8);
    for (int i = 0; i < 12; i++)
        draw_disc(d, x, y, foot + height * i / 12, radius, side);
    draw_disc(d, x, y, foot + height, radius, rgb);
}

static inline void draw_line(Drawing *d, double x0, double y0, double x1, double y1, double wide,
                             double z, const uint8_t rgb[3]) {
    double l = hypot(x1 - x0, y1 - y0), nx = -(y1 - y0) / l * wide / 2,
           ny = (x1 - x0) / l * wide / 2;
    double xy[8] = {x0 + nx, y0 + ny, x1 + nx, y1 + ny, x1 - nx, y1 - ny, x0 - nx, y0 - ny};
    draw_shape(d, xy, 4, z, rgb);
}

typedef struct Weather {
    double noise;        // standard deviation, of 255
    double light, where; // one side darker, the other brighter by so much; the direction, degrees
    double dim;          // all of it, 1 is as drawn
    double dx, dy;       // pixels that the picture is shifted
} Weather;

// What the camera makes of it.
static inline void draw_end(Drawing *d, const Weather *w, Rng *rng, Picture *p) {
    if (!picture_size(p, d->camera.width, d->camera.height))
        abort();
    double ux = cos(w->where * M_PI / 180) / p->width * 2,
           uy = sin(w->where * M_PI / 180) / p->height * 2;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            double gain = 1 + w->light * ((x - p->width / 2) * ux + (y - p->height / 2) * uy);
            gain *= w->dim;
            double noise[3] = {0};
            if (w->noise > 0)
                draw_normal(rng, noise);
            for (int c = 0; c < 3; c++) {
                int sum = 0;
                for (int i = 0; i < DRAW_FINE * DRAW_FINE; i++) {
                    int fx = (int)((x + w->dx) * DRAW_FINE) + i % DRAW_FINE;
                    int fy = (int)((y + w->dy) * DRAW_FINE) + i / DRAW_FINE;
                    fx = fx < 0 ? 0 : fx >= d->fine.width ? d->fine.width - 1 : fx;
                    fy = fy < 0 ? 0 : fy >= d->fine.height ? d->fine.height - 1 : fy;
                    sum += d->fine.pixel[((size_t)fy * (size_t)d->fine.width + (size_t)fx) * 3 +
                                         (size_t)c];
                }
                double v = gain * sum / (DRAW_FINE * DRAW_FINE) + w->noise * noise[c];
                p->pixel[((size_t)y * (size_t)p->width + (size_t)x) * 3 + (size_t)c] =
                    (uint8_t)(v < 0     ? 0
                              : v > 255 ? 255
                                        : v + 0.5);
            }
        }
}

#endif
