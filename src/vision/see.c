// see: what stands on each place, see see.h and eye_parts.h: an eye and how it looks.
#include "vision/see.h"

#include "base/mem.h"
#include "vision/eye_parts.h"

#include <math.h>
#include <string.h>

#define SMALL 90        // pixels of a piece in half the picture: then the whole is looked at
#define SHIFT_LEAST 0.4 // pixels: less does not matter
#define SHIFT_PIECES 4  // that say so, at least
#define SIDE_LEAST 16   // pixels of a picture

// --- making ---

static void fill_classes(Eye *e) {
    for (int i = 0; i < CLASSES; i++) {
        uint8_t rgb[3] = {(uint8_t)((i >> 10 << 3) + 4), (uint8_t)((i >> 5 & 31) * 8 + 4),
                          (uint8_t)((i & 31) * 8 + 4)};
        e->class_of[i] = BLOB_NONE;
        for (int k = e->v.kinds - 1; k >= 0; k--)
            if (colours_match(&e->v.kind[k].colours, rgb))
                e->class_of[i] = (uint8_t)k;
    }
}

static double usual_radius(const View *v) {
    double sum = 0;
    for (int k = 0; k < v->kinds; k++)
        sum += v->kind[k].radius;
    return v->kinds ? sum / v->kinds : 1;
}

// Where the camera's foot is in the picture, everything upright leans away from it.
static void sort_places(Eye *e) {
    const double *u = e->v.upright;
    double far[VIEW_PLACES];
    for (int i = 0; i < e->v.places; i++) {
        const ViewPlace *p = &e->v.place[i];
        double x = 0, y = 0;
        far[i] = 0;
        if (u[2] != 0 && view_point(&e->v, p->x, p->y, p->z, &x, &y))
            far[i] = hypot(x - u[0] / u[2], y - u[1] / u[2]);
        int k = i;
        for (; k > 0 && far[e->order[k - 1]] > far[i]; k--)
            e->order[k] = e->order[k - 1];
        e->order[k] = i;
    }
}

static int within(double v, int most) {
    return v < 0 ? 0 : v > most ? most : (int)v;
}

// The size of the smaller picture, the box around all places, and how large a usual piece is.
static void measure(Eye *e) {
    e->width = e->v.width / e->shrink;
    e->height = e->v.height / e->shrink;
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9, area = 0,
           radius = usual_radius(&e->v);
    int n = 0;
    for (int i = 0; i < e->v.places; i++) {
        Disc d;
        if (!disc_of(e, &e->v.place[i], e->v.place[i].z, radius, &d))
            continue;
        double wide = hypot(d.ax, d.bx) * 2, high = hypot(d.ay, d.by) * 2;
        left = fmin(left, d.x - wide);
        right = fmax(right, d.x + wide);
        top = fmin(top, d.y - high);
        bottom = fmax(bottom, d.y + high);
        area += disc_area(&d);
        n++;
    }
    e->piece = n ? area / n : 100;
    e->board = (Box){within(left, e->width), within(top, e->height), within(right, e->width),
                     within(bottom, e->height)};
    if (e->board.right - e->board.left < SIDE_LEAST || e->board.bottom - e->board.top < SIDE_LEAST)
        e->board = (Box){0, 0, e->width, e->height};
}

Eye *eye_new(const View *v) {
    Eye *e = mem_alloc(sizeof *e);
    if (!e)
        return NULL;
    e->v = *v;
    e->shrink = 2;
    if (v->width < SIDE_LEAST || v->height < SIDE_LEAST || !v->placed)
        return e; // which looks at nothing
    measure(e);
    e->shrink = e->piece < SMALL ? 1 : 2;
    measure(e);
    e->tiles_across = (e->width + TILE - 1) / TILE;
    e->tiles_down = (e->height + TILE - 1) / TILE;
    size_t n = (size_t)e->width * (size_t)e->height;
    size_t tiles = (size_t)e->tiles_across * (size_t)e->tiles_down;
    e->pixel = mem_alloc(n * 3);
    e->map = mem_alloc(n);
    e->owner = mem_alloc(n);
    e->tile = mem_alloc(tiles * sizeof *e->tile);
    e->usual = mem_alloc(tiles * sizeof *e->usual);
    e->stack = mem_alloc(tiles * sizeof *e->stack);
    if (!e->pixel || !e->map || !e->owner || !e->tile || !e->usual || !e->stack) {
        eye_free(e);
        return NULL;
    }
    fill_classes(e);
    sort_places(e);
    return e;
}

void eye_free(Eye *e) {
    if (!e)
        return;
    mem_free(e->pixel);
    mem_free(e->map);
    mem_free(e->owner);
    mem_free(e->tile);
    mem_free(e->usual);
    mem_free(e->stack);
    blobs_free(&e->blobs);
    mem_free(e);
}

// --- pixels ---

static void classify(Eye *e) {
    const uint8_t *at = e->pixel;
    size_t n = (size_t)e->width * (size_t)e->height;
    for (size_t i = 0; i < n; i++, at += 3)
        e->map[i] = e->class_of[(at[0] >> 3) << 10 | (at[1] >> 3) << 5 | at[2] >> 3];
}

// Blobs of a size that the kind never has, where it is said which it has, are none.
static void drop_sizes(Eye *e) {
    int pixels = e->shrink * e->shrink;
    for (int i = 0; i < e->blobs.sums; i++) {
        const BlobSum *s = &e->blobs.sum[i];
        const Colours *c = &e->v.kind[s->kind].colours;
        if (c->size_max > 0 && (s->size * pixels < c->size_min || s->size * pixels > c->size_max))
            blobs_remove(&e->blobs, i, e->map, e->width);
    }
}

// --- blobs ---

static void add_blob(const Eye *e, Sight *s, const BlobSum *b, int place) {
    int n = e->shrink;
    if (s->blobs == SEE_BLOBS)
        return;
    s->blob[s->blobs++] = (Blob){
        .kind = b->kind,
        .size = b->size * n * n,
        .x = b->x / b->size * n + 0.5,
        .y = b->y / b->size * n + 0.5,
        .left = b->left * n,
        .top = b->top * n,
        .right = b->right * n,
        .bottom = b->bottom * n,
        .place = place,
    };
}

// The place that has a piece of the blob's kind nearest to its middle, where pieces touch each
// other in the picture.
static int place_of(const Eye *e, const Sight *s, const BlobSum *b) {
    const ViewKind *k = &e->v.kind[b->kind];
    int best = -1;
    double near = 1e9;
    for (int i = 0; i < e->v.places; i++) {
        const ViewPlace *p = &e->v.place[i];
        Disc d;
        if (s->seen[i].kind != b->kind || !disc_of(e, p, p->z + k->height, k->radius, &d))
            continue;
        double away = hypot(d.x - b->x / b->size, d.y - b->y / b->size);
        if (away < near && d.x + hypot(d.ax, d.bx) > b->left &&
            d.x - hypot(d.ax, d.bx) < b->right) {
            near = away;
            best = i;
        }
    }
    return best;
}

// Blobs on places; then what is left beside them, where no piece is known to stand.
static bool list_blobs(Eye *e, Sight *s) {
    s->blobs = 0;
    for (int i = 0; i < e->blobs.sums; i++) {
        const BlobSum *b = &e->blobs.sum[i];
        int place = b->size < e->piece / 6 ? -1 : place_of(e, s, b);
        if (place >= 0)
            add_blob(e, s, b, place);
    }
    size_t n = (size_t)e->width * (size_t)e->height;
    for (size_t i = 0; i < n; i++)
        e->owner[i] = e->owner[i] == BLOB_NONE ? e->map[i] : BLOB_NONE;
    if (!blobs_find(&e->blobs, e->owner, e->width, e->height))
        return false;
    for (int i = 0; i < e->blobs.sums; i++)
        if (e->blobs.sum[i].size > e->piece / 2)
            add_blob(e, s, &e->blobs.sum[i], -1);
    return true;
}

// --- all of it ---

// Half the picture, evenly lit, and its classes.
static bool prepare(Eye *e, const Picture *p, Sight *sight) {
    if (e->shrink == 2)
        light_halve(p, e->pixel);
    else
        light_smooth(p, e->pixel);
    Light l = light_fit(e->pixel, e->width, &e->board);
    double wanted = l.level;
    if (e->v.light > 0)
        wanted = fmin(fmax(e->v.light, l.level * 0.6), l.level * 1.7);
    sight->spread = e->v.light > 0 ? l.level / e->v.light : 1;
    light_even(e->pixel, e->width, e->height, &l, wanted);
    classify(e);
    if (!blobs_find(&e->blobs, e->map, e->width, e->height))
        return false;
    drop_sizes(e);
    return true;
}

static double middle_of(double *v, int n) {
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && v[k] < v[k - 1]; k--) {
            double t = v[k];
            v[k] = v[k - 1];
            v[k - 1] = t;
        }
    return v[n / 2];
}

// A camera that was pushed or shakes: how far pieces that stand alone are from where they should be
// seen, as most of them say. What is seen of a piece lies evenly between its foot and its top.
static bool find_shift(Eye *e, const Sight *s) {
    double dx[VIEW_PLACES], dy[VIEW_PLACES];
    int n = 0;
    for (int i = 0; i < e->blobs.sums && n < VIEW_PLACES; i++) {
        const BlobSum *b = &e->blobs.sum[i];
        if (b->size < e->piece / 2)
            continue;
        int place = place_of(e, s, b);
        const ViewKind *k = &e->v.kind[b->kind];
        Disc top, foot;
        if (place < 0 || e->v.place[place].seen || e->v.place[place].room > 1 ||
            !disc_of(e, &e->v.place[place], e->v.place[place].z + k->height, k->radius, &top) ||
            !disc_of(e, &e->v.place[place], e->v.place[place].z, k->radius, &foot))
            continue;
        if (!stands_alone(b, &top, &foot))
            continue;
        dx[n] = b->x / b->size - (top.x + foot.x) / 2;
        dy[n++] = b->y / b->size - (top.y + foot.y) / 2;
    }
    if (n < SHIFT_PIECES)
        return false;
    double x = middle_of(dx, n), y = middle_of(dy, n), most = sqrt(e->piece) / 2;
    if (hypot(x, y) < SHIFT_LEAST || hypot(x, y) > most)
        return false;
    e->shift_x = x;
    e->shift_y = y;
    return true;
}

bool eye_look(Eye *e, const Picture *p, Sight *sight) {
    if (!e->v.placed || !e->pixel || p->width != e->v.width || p->height != e->v.height ||
        !p->pixel)
        return false;
    sight->places = e->v.places;
    sight->hand = false;
    e->shift_x = e->shift_y = 0;
    if (!prepare(e, p, sight))
        return false;
    judge_all(e, sight);
    if (find_shift(e, sight))
        judge_all(e, sight);
    sight->hand = hand_find(e);
    for (int i = 0; i < e->v.places && sight->hand; i++)
        if (hand_covers(e, &e->v.place[i])) { // nobody knows what is under it
            for (int k = 0; k <= VIEW_KINDS; k++)
                sight->seen[i].support[k] /= 20;
            seen_choose(&sight->seen[i], e->v.kinds);
        }
    return list_blobs(e, sight);
}
