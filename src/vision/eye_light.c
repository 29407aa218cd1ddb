// eye_light: pictures made half as large and evenly bright.
//
// One side of a board is often darker than the other. Most of what is seen there is the board
// itself: a plane laid through the brightness of as many pixels as possible follows the light, not
// the pieces.
#include "vision/eye_parts.h"

#include <math.h>
#include <string.h>

#define STEP 4 // every so many pixels are looked at
#define SAMPLES_MOST 8192

void light_halve(const Picture *p, uint8_t *half) {
    int width = p->width / 2, height = p->height / 2;
    size_t row = (size_t)p->width * 3;
    for (int y = 0; y < height; y++) {
        const uint8_t *up = p->pixel + 2 * (size_t)y * row, *down = up + row;
        for (int x = 0; x < width; x++, up += 6, down += 6, half += 3)
            for (int c = 0; c < 3; c++)
                half[c] = (uint8_t)((up[c] + up[c + 3] + down[c] + down[c + 3] + 2) >> 2);
    }
}

// As large as it was: each pixel with its neighbours to the right and below.
void light_smooth(const Picture *p, uint8_t *smooth) {
    size_t row = (size_t)p->width * 3;
    for (int y = 0; y < p->height; y++) {
        const uint8_t *up = p->pixel + (size_t)y * row, *down = y + 1 < p->height ? up + row : up;
        for (size_t i = 0; i < row; i++) {
            size_t next = i + 3 < row ? i + 3 : i;
            *smooth++ = (uint8_t)((up[i] + up[next] + down[i] + down[next] + 2) >> 2);
        }
    }
}

typedef struct Sample {
    short x, y;
    uint8_t value;
} Sample;

static int take_samples(const uint8_t *half, int width, const Box *box, Sample *to) {
    int n = 0, step = STEP;
    while ((box->right - box->left) / step * ((box->bottom - box->top) / step) > SAMPLES_MOST / 2)
        step++;
    for (int y = box->top; y < box->bottom; y += step)
        for (int x = box->left; x < box->right && n < SAMPLES_MOST; x += step) {
            const uint8_t *at = half + ((size_t)y * (size_t)width + (size_t)x) * 3;
            uint8_t most = at[0] > at[1] ? at[0] : at[1];
            to[n++] = (Sample){(short)x, (short)y, most > at[2] ? most : at[2]};
        }
    return n;
}

// The brightness round which most samples are, within 15 %.
static double commonest(const Sample *sample, int n) {
    int count[256] = {0}, best = 0, level = 128;
    for (int i = 0; i < n; i++)
        count[sample[i].value]++;
    for (int v = 24; v < 250; v += 4) {
        int sum = 0;
        for (int k = v * 85 / 100; k <= v * 115 / 100 && k < 256; k++)
            sum += count[k];
        if (sum > best) {
            best = sum;
            level = v;
        }
    }
    return level;
}

// One step: the plane through the samples that lie within `wide` of the last one.
static bool refit(const Sample *sample, int n, double wide, double mx, double my, Light *l) {
    double m[3][4] = {0};
    for (int i = 0; i < n; i++) {
        double x = sample[i].x - mx, y = sample[i].y - my, v = sample[i].value;
        double was = l->a + l->b * x + l->c * y, off = (v - was) / (wide * fmax(was, 20));
        if (fabs(off) >= 1)
            continue;
        double weight = (1 - off * off) * (1 - off * off), row[4] = {1, x, y, v};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++)
                m[r][c] += weight * row[r] * row[c];
    }
    for (int c = 0; c < 3; c++) {
        if (!(m[c][c] > 1))
            return false;
        for (int r = 0; r < 3; r++)
            for (int k = 3; r != c && k >= c; k--)
                m[r][k] -= m[r][c] / m[c][c] * m[c][k];
    }
    *l = (Light){m[0][3] / m[0][0], m[1][3] / m[1][1], m[2][3] / m[2][2], 0};
    return true;
}

Light light_fit(const uint8_t *half, int width, const Box *box) {
    static const double wide[] = {0.4, 0.3, 0.22, 0.16, 0.16};
    Sample sample[SAMPLES_MOST];
    int n = take_samples(half, width, box, sample);
    double mx = (box->left + box->right) / 2.0, my = (box->top + box->bottom) / 2.0;
    double level = commonest(sample, n);
    Light l = {level, 0, 0, 0}, flat = {level, 0, 0, level};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (!refit(sample, n, wide[i], mx, my, &l))
            return flat;
    // A slope so steep that a side is black is no light but a mistake.
    double slope = fabs(l.b) * (box->right - mx) + fabs(l.c) * (box->bottom - my);
    if (!(l.a > 10) || !(slope < 0.7 * l.a))
        return flat;
    l.level = l.a + slope / 4; // nearer to the bright side: that is how colours are meant
    l.a -= l.b * mx + l.c * my;
    return l;
}

double light_gain(const Light *l, double wanted, double x, double y) {
    double here = fmax(l->a + l->b * x + l->c * y, 0.3 * l->level);
    return fmin(fmax(wanted / here, 0.4), 2.5);
}

void light_even(uint8_t *half, int width, int height, const Light *l, double wanted) {
    for (int y = 0; y < height; y++)
        for (int left = 0; left < width; left += TILE) {
            int right = left + TILE < width ? left + TILE : width;
            int gain = (int)(light_gain(l, wanted, left + TILE / 2.0, y) * 256);
            uint8_t *at = half + ((size_t)y * (size_t)width + (size_t)left) * 3;
            for (int i = 0; i < (right - left) * 3; i++) {
                int v = at[i] * gain >> 8;
                at[i] = (uint8_t)(v > 255 ? 255 : v);
            }
        }
}
