// eye_judge: what stands on each place.
//
// A piece of kind k on a place fills a disc of the picture. The share f of its pixels that have the
// colours of k would be 1 if it stands there and 0 if not, but for noise, shadows, lines of the
// board and what stands before it, which are taken together as an error of f with a deviation of
// SPREAD. That makes the log-likelihood of k -(1 - f)²/2 SPREAD², and that of nothing -f²/2 SPREAD²
// for the kind that is most to be seen.
#include "vision/eye_parts.h"

#include <math.h>
#include <string.h>

#define SPREAD 0.18
#define INNER 0.75       // of the radius: the edge of a piece is blurred, and it may stand askew
#define SILHOUETTE 1.12  // what counts as the piece itself
#define FREE_LEAST 0.35  // of a disc has to be free of others before it, for a sure answer
#define SEEN_LEAST 0.3   // of a disc: with less of a kind it does not stand there in any case
#define ASKEW 0.35       // radii that a piece may be off its place as if nothing were
#define ASKEW_SPREAD 0.2 // and what is beyond that has this deviation
#define NEAR_LEAST 1.7   // radii: a blob further off belongs to no place

// How many pixels of a disc have which class, without those that belong to a piece before it.
typedef struct Count {
    int of[VIEW_KINDS];
    int all, hidden;
} Count;

static void count_disc(const Eye *e, const Disc *d, Count *c) {
    *c = (Count){0};
    int top, bottom, left, right;
    disc_rows(d, INNER, e->height, &top, &bottom);
    for (int y = top; y < bottom; y++) {
        if (!disc_row(d, INNER, y, e->width, &left, &right))
            continue;
        const uint8_t *map = e->map + (size_t)y * (size_t)e->width;
        const uint8_t *owner = e->owner + (size_t)y * (size_t)e->width;
        for (int x = left; x < right; x++) {
            bool hidden = owner[x] != BLOB_NONE && owner[x] == map[x];
            c->hidden += hidden;
            c->all += !hidden;
            if (!hidden && map[x] != BLOB_NONE)
                c->of[map[x]]++;
        }
    }
}

// What is known of one place.
typedef struct Judged {
    double share[VIEW_KINDS]; // the best of all levels
    int level[VIEW_KINDS];    // where that was
    double free;              // of the disc, 0..1: not hidden, not out of the picture
} Judged;

// Kinds of the same shape are counted together; `first` is the first of them.
static bool same_shape(const ViewKind *a, const ViewKind *b) {
    return a->radius == b->radius && a->height == b->height;
}

static bool is_first(const Eye *e, int kind) {
    for (int i = 0; i < kind; i++)
        if (same_shape(&e->v.kind[i], &e->v.kind[kind]))
            return false;
    return true;
}

static void judge_shape(const Eye *e, int place, int first, Judged *j) {
    const ViewPlace *p = &e->v.place[place];
    const ViewKind *shape = &e->v.kind[first];
    int levels = p->room < 1 ? 1 : p->room > LEVELS_MOST ? LEVELS_MOST : p->room;
    for (int level = 1; level <= levels; level++) {
        Disc d;
        Count c;
        if (!disc_of(e, p, p->z + level * shape->height, shape->radius, &d))
            continue;
        count_disc(e, &d, &c);
        double whole = disc_area(&d) * INNER * INNER;
        j->free = fmax(j->free, fmin(1, c.all / whole));
        for (int k = first; k < e->v.kinds && c.all > 0; k++)
            if (same_shape(shape, &e->v.kind[k]) && c.of[k] > j->share[k] * c.all) {
                j->share[k] = (double)c.of[k] / c.all;
                j->level[k] = level;
            }
    }
}

static void judge(const Eye *e, int place, Judged *j) {
    *j = (Judged){0};
    for (int k = 0; k < e->v.kinds; k++)
        if (is_first(e, k))
            judge_shape(e, place, k, j);
}

// How far a piece stands from the middle of its place, in radii. Of a disc that is shifted we see
// within the right one a lens, whose middle is half as far off.
static double askew(const Eye *e, int place, int kind, int level) {
    const ViewPlace *p = &e->v.place[place];
    const ViewKind *k = &e->v.kind[kind];
    Disc d;
    int top, bottom, left, right, n = 0, all = 0, hidden = 0;
    double x = 0, y = 0;
    if (!disc_of(e, p, p->z + level * k->height, k->radius, &d))
        return 0;
    disc_rows(&d, 1, e->height, &top, &bottom);
    for (int row = top; row < bottom; row++) {
        if (!disc_row(&d, 1, row, e->width, &left, &right))
            continue;
        size_t at = (size_t)row * (size_t)e->width;
        all += right - left;
        for (int i = left; i < right; i++) {
            hidden += e->owner[at + (size_t)i] != BLOB_NONE;
            if (e->map[at + (size_t)i] != kind)
                continue;
            n++;
            x += i;
            y += row;
        }
    }
    if (!n || hidden * 20 > all) // what stands before it would shift it too
        return 0;
    double dx = x / n - d.x, dy = y / n - d.y;
    return 2 * disc_off(&d, dx, dy);
}

// The same for pieces that stand alone, by the middle of all that is seen of them: it lies evenly
// between where foot and top should be.
static void measure_alone(Eye *e, int first) {
    const ViewKind *shape = &e->v.kind[first];
    Disc top[VIEW_PLACES], foot[VIEW_PLACES];
    bool there[VIEW_PLACES];
    for (int i = 0; i < e->v.places; i++) {
        const ViewPlace *p = &e->v.place[i];
        there[i] = !p->seen && p->room <= 1 &&
                   disc_of(e, p, p->z + shape->height, shape->radius, &top[i]) &&
                   disc_of(e, p, p->z, shape->radius, &foot[i]);
    }
    for (int b = 0; b < e->blobs.sums; b++) {
        const BlobSum *s = &e->blobs.sum[b];
        if (s->size < e->piece / 2 || !same_shape(shape, &e->v.kind[s->kind]))
            continue;
        double x = s->x / s->size, y = s->y / s->size, least = NEAR_LEAST;
        int near = -1;
        for (int i = 0; i < e->v.places; i++) {
            if (!there[i])
                continue;
            double off =
                disc_off(&top[i], x - (top[i].x + foot[i].x) / 2, y - (top[i].y + foot[i].y) / 2);
            if (off < least) {
                least = off;
                near = i;
            }
        }
        if (near >= 0 && stands_alone(s, &top[near], &foot[near])) {
            e->alone[near].kind = (uint8_t)s->kind;
            e->alone[near].off = least;
        }
    }
}

static double likelihood(double error, double weight) {
    return -weight * error * error / (2 * SPREAD * SPREAD);
}

// The likeliest, and how sure that is among all.
void seen_choose(Seen *s, int kinds) {
    double best = s->support[VIEW_KINDS], sum = 0;
    s->kind = SEE_NOTHING;
    for (int k = 0; k < kinds; k++)
        if (s->support[k] > best) {
            best = s->support[k];
            s->kind = (uint8_t)k;
        }
    for (int k = 0; k < kinds; k++)
        sum += exp(s->support[k] - best);
    sum += exp(s->support[VIEW_KINDS] - best);
    s->sure = (float)(1 / sum);
}

static void weigh(const Eye *e, int place, const Judged *j, Seen *s) {
    double most = 0, weight = fmin(1, j->free / FREE_LEAST);
    *s = (Seen){0};
    for (int k = 0; k < e->v.kinds; k++) {
        double off = j->share[k] > SEEN_LEAST ? askew(e, place, k, j->level[k]) : 0;
        if (e->alone[place].kind == k)
            off = fmax(off, e->alone[place].off);
        off = fmax(0, off - ASKEW);
        double apart = off * off / (2 * ASKEW_SPREAD * ASKEW_SPREAD);
        s->support[k] = (float)(likelihood(1 - j->share[k], weight) - weight * apart);
        most = fmax(most, j->share[k]);
    }
    s->support[VIEW_KINDS] = (float)likelihood(most, weight);
    seen_choose(s, e->v.kinds);
}

// Marks what is seen of a piece, from its foot to its top.
static void own(Eye *e, int place, int kind, int level) {
    const ViewPlace *p = &e->v.place[place];
    double high = level * e->v.kind[kind].height;
    int steps = 2 + 2 * level;
    for (int i = 0; i <= steps; i++) {
        Disc d;
        int top, bottom, left, right;
        if (!disc_of(e, p, p->z + high * i / steps, e->v.kind[kind].radius, &d))
            continue;
        disc_rows(&d, SILHOUETTE, e->height, &top, &bottom);
        for (int y = top; y < bottom; y++)
            if (disc_row(&d, SILHOUETTE, y, e->width, &left, &right))
                memset(e->owner + (size_t)y * (size_t)e->width + left, kind,
                       (size_t)(right - left));
    }
}

void judge_all(Eye *e, Sight *sight) {
    for (int i = 0; i < e->v.places; i++)
        e->alone[i].kind = BLOB_NONE;
    for (int k = 0; k < e->v.kinds; k++)
        if (is_first(e, k))
            measure_alone(e, k);
    memset(e->owner, BLOB_NONE, (size_t)e->width * (size_t)e->height);
    for (int i = 0; i < e->v.places; i++) {
        int place = e->order[i];
        Judged j;
        judge(e, place, &j);
        Seen *s = &sight->seen[place];
        weigh(e, place, &j, s);
        if (s->kind != SEE_NOTHING)
            own(e, place, s->kind, j.level[s->kind]);
    }
}
