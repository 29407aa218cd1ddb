// watcher: several frames that agree, see see.h.
//
// Something moves where a block of the picture has a colour that none of the blocks around it had
// in the frame before: a camera that shakes a little moves nothing that far.
//
// Frames that never agree must not keep everybody waiting: a place between two colours may look now
// like this, now like that for ever. After a while their mean is taken, too; but then a place is
// read no more surely than the frames voted.
#include "base/mem.h"
#include "vision/eye_parts.h"

#include <math.h>
#include <string.h>

#define BLOCK 8    // pixels of a side
#define MOVED 20   // of 255: more than noise
#define PATIENCE 5 // times as many frames as have to agree
// Of a place that was read in two ways; less than the 3 (20 times likelier) from which on others
// rely on a reading.
#define LEAD_MOST 2.9

struct Watcher {
    Eye *eye;
    int frames; // that have to agree
    int across, down;
    uint8_t *now, *before; // [down][across][3]
    bool has_before;
    int agreed, looked; // since something moved
    Sight last;
    double sum[VIEW_PLACES][VIEW_KINDS + 1];
    int votes[VIEW_PLACES][VIEW_KINDS + 1]; // frames in which this was the likeliest
};

Watcher *watcher_new(const View *v, int frames) {
    Watcher *w = mem_alloc(sizeof *w);
    if (!w)
        return NULL;
    w->frames = frames < 1 ? 1 : frames;
    w->across = v->width / BLOCK;
    w->down = v->height / BLOCK;
    size_t size = (size_t)w->across * (size_t)w->down * 3 + 1;
    w->now = mem_alloc(size);
    w->before = mem_alloc(size);
    w->eye = eye_new(v);
    if (w->now && w->before && w->eye)
        return w;
    watcher_free(w);
    return NULL;
}

void watcher_free(Watcher *w) {
    if (!w)
        return;
    eye_free(w->eye);
    mem_free(w->now);
    mem_free(w->before);
    mem_free(w);
}

static void fill_blocks(const Watcher *w, const Picture *p) {
    uint8_t *to = w->now;
    for (int by = 0; by < w->down; by++)
        for (int bx = 0; bx < w->across; bx++, to += 3) {
            int sum[3] = {0};
            for (int y = by * BLOCK; y < (by + 1) * BLOCK; y++) {
                const uint8_t *at =
                    p->pixel + ((size_t)y * (size_t)p->width + (size_t)(bx * BLOCK)) * 3;
                for (int x = 0; x < BLOCK; x++, at += 3)
                    for (int c = 0; c < 3; c++)
                        sum[c] += at[c];
            }
            for (int c = 0; c < 3; c++)
                to[c] = (uint8_t)(sum[c] / (BLOCK * BLOCK));
        }
}

static bool block_moved(const Watcher *w, int bx, int by) {
    const uint8_t *now = w->now + (by * w->across + bx) * 3;
    int least[3] = {255, 255, 255}, most[3] = {0};
    for (int y = by - 1; y <= by + 1; y++)
        for (int x = bx - 1; x <= bx + 1; x++) {
            if (x < 0 || y < 0 || x >= w->across || y >= w->down)
                continue;
            const uint8_t *at = w->before + (y * w->across + x) * 3;
            for (int c = 0; c < 3; c++) {
                least[c] = at[c] < least[c] ? at[c] : least[c];
                most[c] = at[c] > most[c] ? at[c] : most[c];
            }
        }
    for (int c = 0; c < 3; c++)
        if (now[c] < least[c] - MOVED || now[c] > most[c] + MOVED)
            return true;
    return false;
}

// A quarter of a piece is enough, but one block alone is chance.
static bool moves(const Watcher *w) {
    const Box *b = &w->eye->board;
    int s = w->eye->shrink, n = 0, most = (int)(w->eye->piece * s * s / (BLOCK * BLOCK) / 4);
    for (int by = b->top * s / BLOCK; by < w->down && by * BLOCK < b->bottom * s; by++)
        for (int bx = b->left * s / BLOCK; bx < w->across && bx * BLOCK < b->right * s; bx++)
            n += block_moved(w, bx, by);
    return n > (most > 1 ? most : 1);
}

static bool agrees(const Sight *a, const Sight *b) {
    for (int i = 0; i < a->places; i++)
        if (a->seen[i].kind != b->seen[i].kind)
            return false;
    return true;
}

static void begin_again(Watcher *w) {
    w->agreed = w->looked = 0;
    memset(w->sum, 0, sizeof w->sum);
    memset(w->votes, 0, sizeof w->votes);
}

static int content_of(const Seen *s) {
    return s->kind == SEE_NOTHING ? VIEW_KINDS : s->kind;
}

static void add_up(Watcher *w, const Sight *s) {
    for (int i = 0; i < s->places; i++) {
        w->votes[i][content_of(&s->seen[i])]++;
        for (int k = 0; k <= VIEW_KINDS; k++)
            w->sum[i][k] += (double)s->seen[i].support[k];
    }
}

// A content leads another that some frames saw only by as much as it has more votes: of 15 frames
// 14 against 1 make it 14 times likelier.
static void divide(const Watcher *w, int place, Seen *s) {
    const int *votes = w->votes[place];
    int best = content_of(s);
    for (int k = 0; k <= VIEW_KINDS; k++) {
        if (k == best || votes[k] == 0)
            continue;
        double lead = votes[best] > votes[k] ? log((double)votes[best] / votes[k]) : 0;
        s->support[k] = fmaxf(s->support[k], s->support[best] - (float)fmin(lead, LEAD_MOST));
    }
    seen_choose(s, w->eye->v.kinds);
}

// The frames together: the mean, since their errors have the same causes. The last ones may have
// agreed on something else.
static void mean(const Watcher *w, Sight *s, bool agreed) {
    for (int i = 0; i < s->places; i++) {
        for (int k = 0; k <= VIEW_KINDS; k++)
            s->seen[i].support[k] = (float)(w->sum[i][k] / w->looked);
        seen_choose(&s->seen[i], w->eye->v.kinds);
        if (!agreed || s->seen[i].kind != w->last.seen[i].kind)
            divide(w, i, &s->seen[i]);
    }
}

Watched watcher_look(Watcher *w, const Picture *p, Sight *sight) {
    if (!eye_look(w->eye, p, sight))
        return WATCH_MORE;
    fill_blocks(w, p);
    bool moving = w->has_before && moves(w);
    uint8_t *swap = w->before;
    w->before = w->now;
    w->now = swap;
    w->has_before = true;
    if (moving || sight->hand) {
        begin_again(w);
        return sight->hand ? WATCH_HAND : WATCH_MOVING;
    }
    w->agreed = w->looked && agrees(&w->last, sight) ? w->agreed + 1 : 1;
    w->looked++;
    w->last = *sight;
    add_up(w, sight);
    bool agreed = w->agreed >= w->frames;
    if (!agreed && w->looked < w->frames * PATIENCE)
        return WATCH_MORE;
    mean(w, sight, agreed);
    begin_again(w);
    return WATCH_STILL;
}
