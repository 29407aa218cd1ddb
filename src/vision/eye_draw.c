// eye_draw: what was recognised, drawn over the picture.
#include "vision/eye_parts.h"

#include <math.h>

static void dot(Picture *p, double x, double y, const uint8_t rgb[3]) {
    int px = (int)lround(x), py = (int)lround(y);
    if (px < 0 || py < 0 || px >= p->width || py >= p->height)
        return;
    uint8_t *at = p->pixel + ((size_t)py * (size_t)p->width + (size_t)px) * 3;
    for (int c = 0; c < 3; c++)
        at[c] = rgb[c];
}

// The edge of a disc of the smaller picture; `part` of it, from 0 to 1.
static void ring(Picture *p, const Disc *d, int shrink, double share, double part,
                 const uint8_t rgb[3]) {
    int steps = (int)(7 * shrink * (hypot(d->ax, d->ay) + hypot(d->bx, d->by)) * share) + 8;
    for (int i = 0; i < steps * part; i++) {
        double a = 2 * M_PI * i / steps;
        dot(p, shrink * (d->x + share * (cos(a) * d->ax + sin(a) * d->bx)),
            shrink * (d->y + share * (cos(a) * d->ay + sin(a) * d->by)), rgb);
    }
}

static void box(Picture *p, const Blob *b, const uint8_t rgb[3]) {
    for (int x = b->left; x < b->right; x++) {
        dot(p, x, b->top, rgb);
        dot(p, x, b->bottom - 1, rgb);
    }
    for (int y = b->top; y < b->bottom; y++) {
        dot(p, b->left, y, rgb);
        dot(p, b->right - 1, y, rgb);
    }
}

// A colour from the middle of a kind's ranges, as full as it can be.
static void paint_of(const Colours *c, uint8_t rgb[3]) {
    double wide = fmod(c->hue_max - c->hue_min + 720, 360);
    double hue = fmod(c->hue_min + wide / 2, 360) / 60;
    double saturation = c->saturation_max, value = (c->value_min + c->value_max) / 2;
    if (c->hue_max - c->hue_min >= 360 || c->hue_max == c->hue_min)
        saturation = 0;
    for (int i = 0; i < 3; i++) {
        double full = fmax(0, fmin(1, 2 - fabs(remainder(hue - 2 * i, 6))));
        rgb[i] = (uint8_t)lround(255 * value * (1 - saturation * (1 - full)));
    }
}

static void draw_place(const Eye *e, const Sight *sight, int i, Picture *p) {
    static const uint8_t dark[3] = {20, 20, 20}, light[3] = {250, 250, 250};
    const ViewPlace *place = &e->v.place[i];
    const Seen *s = &sight->seen[i];
    Disc d;
    if (s->kind == SEE_NOTHING) {
        if (disc_of(e, place, place->z, 0.3, &d)) {
            ring(p, &d, e->shrink, 1, 1, dark);
            ring(p, &d, e->shrink, 0.7, 1, light);
        }
        return;
    }
    const ViewKind *k = &e->v.kind[s->kind];
    if (!disc_of(e, place, place->z + k->height, k->radius, &d))
        return;
    uint8_t rgb[3];
    paint_of(&k->colours, rgb);
    ring(p, &d, e->shrink, 1.1, 1, dark);
    ring(p, &d, e->shrink, 1.18, (double)s->sure, light); // the surer, the longer
    ring(p, &d, e->shrink, 1.26, 1, rgb);
}

void eye_draw(const Eye *e, const Sight *sight, Picture *p) {
    static const uint8_t loose[3] = {255, 0, 255};
    if (!e->v.placed || p->width != e->v.width || p->height != e->v.height || !p->pixel)
        return;
    for (int i = 0; i < sight->places && i < e->v.places; i++)
        draw_place(e, sight, i, p);
    for (int i = 0; i < sight->blobs; i++)
        if (sight->blob[i].place < 0)
            box(p, &sight->blob[i], loose);
}
