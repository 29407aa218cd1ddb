// learn: which colours kinds have, from a picture of a board on which it is known what stands
// where.
//
// Ranges are laid round the colours that were seen, as wide as they can be without taking in
// another kind or the empty board: light changes later, and noise is not always the same.
#include "base/mem.h"
#include "vision/eye_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INNER 0.7       // of a piece's radius: its edge is blurred
#define PIXELS_LEAST 30 // of a kind, to learn from
#define PIXELS_MOST 6000
#define OWN 0.85   // of a kind's pixels have to be within its ranges
#define OTHER 0.12 // of another's, or of the board's, at most

typedef struct Sampled { // pixels of one kind, or of the empty board
    uint8_t (*rgb)[3];
    int n;
} Sampled;

static void sample_disc(const Eye *e, int place, double height, double radius, Sampled *s) {
    const ViewPlace *p = &e->v.place[place];
    Disc d;
    int top, bottom, left, right;
    if (!disc_of(e, p, p->z + height, radius, &d))
        return;
    disc_rows(&d, INNER, e->height, &top, &bottom);
    for (int y = top; y < bottom; y++) {
        if (!disc_row(&d, INNER, y, e->width, &left, &right))
            continue;
        for (int x = left; x < right && s->n < PIXELS_MOST; x++)
            memcpy(s->rgb[s->n++], e->pixel + ((size_t)y * (size_t)e->width + (size_t)x) * 3, 3);
    }
}

// --- ranges ---

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

typedef struct Spread { // of a number, over the pixels of a kind
    double low, middle, high;
} Spread;

static Spread spread_of(double *v, int n) {
    qsort(v, (size_t)n, sizeof *v, by_size);
    return (Spread){v[n * 3 / 100], v[n / 2], v[n - 1 - n * 3 / 100]};
}

typedef struct Look {
    double hue, wide; // the middle, and how far most are from it
    Spread saturation, value;
} Look;

static void look_of(const Sampled *s, double *room, Look *l) {
    double x = 0, y = 0, hue, saturation, value;
    double *hues = room, *saturations = room + s->n, *values = room + 2 * s->n;
    for (int i = 0; i < s->n; i++) {
        colours_hsv(s->rgb[i], &hue, &saturation, &value);
        x += saturation * cos(hue * M_PI / 180);
        y += saturation * sin(hue * M_PI / 180);
        hues[i] = hue;
        saturations[i] = saturation;
        values[i] = value;
    }
    l->hue = fmod(atan2(y, x) * 180 / M_PI + 360, 360);
    for (int i = 0; i < s->n; i++)
        hues[i] = fabs(remainder(hues[i] - l->hue, 360));
    l->wide = spread_of(hues, s->n).high;
    l->saturation = spread_of(saturations, s->n);
    l->value = spread_of(values, s->n);
}

static double part(double v) {
    return fmin(fmax(v, 0), 1);
}

// `margin` from 1, wide, to 0.
static Colours ranges(const Look *l, double margin) {
    Colours c = {.hue_max = 360, .saturation_max = 1, .value_max = 1};
    const Spread *s = &l->saturation, *v = &l->value;
    if (v->middle < 0.25) { // black: its hue and saturation are chance
        c.value_max = part(v->high + 0.1 * margin);
    } else if (s->middle < 0.25) {
        c.saturation_max = part(s->high + 0.1 * margin);
        c.value_min = part(v->low - 0.2 * margin);
        c.value_max = v->high > 0.75 ? 1 : part(v->high + 0.2 * margin);
    } else {
        double half = fmin(l->wide + 12 * margin, 60);
        c.hue_min = fmod(l->hue - half + 360, 360);
        c.hue_max = fmod(l->hue + half, 360);
        c.saturation_min = part(s->low - 0.2 * margin);
        c.value_min = part(v->low - 0.4 * margin);
    }
    return c;
}

// --- telling apart ---

static double share(const Colours *c, const Sampled *s) {
    int n = 0;
    for (int i = 0; i < s->n; i++)
        n += colours_match(c, s->rgb[i]);
    return s->n ? (double)n / s->n : 0;
}

static bool hues_meet(const Colours *a, const Colours *b) {
    double wide_a = fmod(a->hue_max - a->hue_min + 720, 360);
    double wide_b = fmod(b->hue_max - b->hue_min + 720, 360);
    double from = fmod(b->hue_min - a->hue_min + 720, 360);
    return a->hue_max - a->hue_min >= 360 || b->hue_max - b->hue_min >= 360 || from <= wide_a ||
           from + wide_b >= 360;
}

static bool meet(const Colours *a, const Colours *b) {
    return hues_meet(a, b) && a->saturation_min <= b->saturation_max &&
           b->saturation_min <= a->saturation_max && a->value_min <= b->value_max &&
           b->value_min <= a->value_max;
}

typedef struct Lesson {
    int kinds;
    Sampled sampled[VIEW_KINDS + 1]; // the last is the empty board
    Look look[VIEW_KINDS];
    Colours colours[VIEW_KINDS];
    double margin[VIEW_KINDS];
} Lesson;

// What kind k takes in that is not its own: another kind, l->kinds for the board, -1: nothing.
static int mistaken(const Lesson *l, int k) {
    for (int i = 0; i <= l->kinds; i++) {
        if (i == k)
            continue;
        if (share(&l->colours[k], &l->sampled[i == l->kinds ? VIEW_KINDS : i]) > OTHER)
            return i;
        if (i < l->kinds && meet(&l->colours[k], &l->colours[i]))
            return i;
    }
    return -1;
}

// Margins of those that take in too much are made smaller, until nobody does.
static bool settle(Lesson *l, int *one, int *other) {
    for (int k = 0; k < l->kinds; k++) {
        l->margin[k] = 1;
        l->colours[k] = ranges(&l->look[k], 1);
    }
    for (;;) {
        bool narrower = false;
        *one = -1;
        for (int k = 0; k < l->kinds; k++) {
            int with = mistaken(l, k);
            if (with < 0)
                continue;
            *one = k;
            *other = with;
            if (l->margin[k] > 0) {
                l->margin[k] = fmax(0, l->margin[k] - 0.1);
                l->colours[k] = ranges(&l->look[k], l->margin[k]);
                narrower = true;
            }
        }
        if (*one < 0 || !narrower)
            return *one < 0;
    }
}

static void name_kind(const View *v, int kind, Text *why) {
    if (kind == v->kinds)
        text_add(why, "the empty board");
    else if (v->kind[kind].name)
        text_add(why, v->kind[kind].name);
    else
        text_f(why, "kind %d", kind + 1);
}

static bool learn_from(Lesson *l, View *v, double *room, Text *why) {
    for (int k = 0; k < v->kinds; k++) {
        if (l->sampled[k].n < PIXELS_LEAST) {
            text_add(why, "there is no ");
            name_kind(v, k, why);
            text_add(why, " to be seen in this picture");
            return false;
        }
        look_of(&l->sampled[k], room, &l->look[k]);
    }
    int one, other;
    if (!settle(l, &one, &other)) {
        text_add(why, "the colours of ");
        name_kind(v, one, why);
        text_add(why, " and ");
        name_kind(v, other, why);
        text_add(why, " cannot be told apart");
        return false;
    }
    for (int k = 0; k < v->kinds; k++)
        if (share(&l->colours[k], &l->sampled[k]) < OWN) {
            name_kind(v, k, why);
            text_add(why, " has no colour of its own: does it stand where it should?");
            return false;
        }
    return true;
}

// The evenly lit half of the picture, in e->pixel; returns its brightness.
static double prepare(Eye *e, const Picture *p) {
    if (e->shrink == 2)
        light_halve(p, e->pixel);
    else
        light_smooth(p, e->pixel);
    Light light = light_fit(e->pixel, e->width, &e->board);
    light_even(e->pixel, e->width, e->height, &light, light.level);
    return light.level;
}

static bool learn_with(Lesson *l, Eye *e, View *v, const Picture *p, const uint8_t *content,
                       double *room, Text *why) {
    double level = prepare(e, p);
    for (int i = 0; i < v->places; i++) {
        int k = content[i];
        if (k < v->kinds)
            sample_disc(e, i, v->kind[k].height, v->kind[k].radius, &l->sampled[k]);
        else
            sample_disc(e, i, 0, v->kind[0].radius, &l->sampled[VIEW_KINDS]);
    }
    if (!learn_from(l, v, room, why))
        return false;
    for (int k = 0; k < v->kinds; k++) // sizes stay as they are
        v->kind[k].colours = (Colours){
            l->colours[k].hue_min,        l->colours[k].hue_max,       l->colours[k].saturation_min,
            l->colours[k].saturation_max, l->colours[k].value_min,     l->colours[k].value_max,
            v->kind[k].colours.size_min,  v->kind[k].colours.size_max,
        };
    v->light = level;
    return true;
}

bool colours_learn(View *v, const Picture *p, const uint8_t *content, Text *why) {
    if (!v->placed || p->width != v->width || p->height != v->height || !p->pixel || v->kinds < 1) {
        text_add(why, v->placed ? "the picture has another size than the camera's"
                                : "it is not known yet where the board is in the picture");
        return false;
    }
    Eye *e = eye_new(v);
    Lesson *l = mem_alloc(sizeof *l);
    double *room = mem_alloc(3 * PIXELS_MOST * sizeof *room);
    uint8_t(*rgb)[3] = mem_alloc((VIEW_KINDS + 1) * PIXELS_MOST * sizeof *rgb);
    bool ok = e && e->pixel && l && room && rgb;
    if (ok) {
        l->kinds = v->kinds;
        for (int i = 0; i <= VIEW_KINDS; i++)
            l->sampled[i].rgb = rgb + i * PIXELS_MOST;
        ok = learn_with(l, e, v, p, content, room, why);
    } else {
        text_add(why, e && !e->pixel ? "the picture is too small" : "out of memory");
    }
    eye_free(e);
    mem_free(l);
    mem_free(room);
    mem_free(rgb);
    return ok;
}
