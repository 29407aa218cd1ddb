// anchor: see anchor.h.
#include "vision/anchor.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

#define NEAR 3.0 // pixels: a camera that shakes a little is where it was

struct Anchor {
    Tags *tags;
    double corner[8];
};

Anchor *anchor_new(const double corner[8], Text *why) {
    Anchor *a = mem_alloc(sizeof *a);
    if (!a) {
        text_add(why, "out of memory");
        return NULL;
    }
    memcpy(a->corner, corner, sizeof a->corner);
    a->tags = tags_new(why);
    if (a->tags)
        return a;
    anchor_free(a);
    return NULL;
}

void anchor_free(Anchor *a) {
    if (!a)
        return;
    tags_free(a->tags);
    mem_free(a);
}

static bool is_near(const Anchor *a, const View *v, int tag, const double pixels[8]) {
    double x, y;
    return view_point(v, a->corner[2 * tag], a->corner[2 * tag + 1], v->plane, &x, &y) &&
           hypot(x - pixels[2 * tag], y - pixels[2 * tag + 1]) <= NEAR;
}

Anchored anchor_look(Anchor *a, const Picture *p, View *v, Text *why) {
    double pixels[8];
    Text missing = {0};
    int seen = tags_seen(a->tags, p, pixels, &missing), near = 0, away = 0;
    for (int tag = 0; tag < 4; tag++)
        if (seen >> tag & 1) {
            bool is = is_near(a, v, tag, pixels);
            near += is;
            away += !is;
        }
    bool holds = near >= 3 || (near > 0 && away == 0);
    bool moved = !holds && seen == TAGS_ALL && p->width == v->width && p->height == v->height &&
                 view_place(v, a->corner, pixels, 4);
    if (moved)
        view_check_pixels(v);
    else if (!holds)
        text_add(why, missing.n ? text_c(&missing) : "the tags do not lie at the corners");
    text_free(&missing);
    return holds ? ANCHOR_HOLDS : moved ? ANCHOR_MOVED : ANCHOR_LOST;
}
