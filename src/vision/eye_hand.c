// eye_hand: something large over the board that is neither board nor piece.
//
// The picture is cut into tiles, and each compared with how it usually looks where no piece is.
// That is learnt from pictures without a hand. In the first picture of all the board is what most
// tiles look like, in up to three colours: a chessboard and the table around it.
#include "vision/eye_parts.h"

#include <math.h>
#include <string.h>

#define LOOKS 3 // colours of a board
#define CANDIDATES 101
#define VOTERS 401
#define LOOK_SHARE 0.12    // of all tiles that such a colour has at least
#define NEAR 0.014         // shares of red and blue that differ by less are the same
#define NEAR_AT_FIRST 0.02 // and in the first picture
#define MIXED 10           // of 255, from the line between two looks
#define PATIENCE 150       // pictures with a hand: then what is usual may have been learnt wrongly
#define BRIGHTER 1.25      // more or less bright than that is another thing
#define PIXELS_LEAST 12    // of the board in a tile, to say anything
#define PIECES 4           // as large as so many pieces: smaller things are no hand

// Whether the board itself is seen there: no piece, and none near, whose edge is of mixed colours.
static bool plain(const Eye *e, int x, int y) {
    static const int near[4][2] = {{-2, 0}, {2, 0}, {0, -2}, {0, 2}};
    size_t i = (size_t)y * (size_t)e->width + (size_t)x;
    if (e->map[i] != BLOB_NONE || e->owner[i] != BLOB_NONE)
        return false;
    for (int k = 0; k < 4; k++) {
        int nx = x + near[k][0], ny = y + near[k][1];
        if (nx >= 0 && ny >= 0 && nx < e->width && ny < e->height &&
            e->map[(size_t)ny * (size_t)e->width + (size_t)nx] != BLOB_NONE)
            return false;
    }
    return true;
}

static void add_tile(Eye *e, int tx, int ty) {
    int sum[3] = {0}, n = 0, loose = 0;
    for (int y = ty * TILE; y < (ty + 1) * TILE && y < e->height; y++)
        for (int x = tx * TILE; x < (tx + 1) * TILE && x < e->width; x++) {
            size_t i = (size_t)y * (size_t)e->width + (size_t)x;
            loose += e->map[i] != BLOB_NONE && e->owner[i] == BLOB_NONE;
            if (!plain(e, x, y))
                continue;
            for (int c = 0; c < 3; c++)
                sum[c] += e->pixel[i * 3 + (size_t)c];
            n++;
        }
    Tile *t = &e->tile[ty * e->tiles_across + tx];
    int all = sum[0] + sum[1] + sum[2];
    *t = (Tile){.n = n >= PIXELS_LEAST && all > 0 ? n : 0};
    // Full of the colour of a piece, but not of a piece that stands somewhere.
    t->mark = loose > TILE * TILE / 2 ? TILE_STRANGE : TILE_PLAIN;
    if (!t->n)
        return;
    t->red = (float)sum[0] / (float)all;
    t->blue = (float)sum[2] / (float)all;
    t->bright = (float)all / (float)(3 * n);
}

static bool alike(const Tile *a, const Tile *b, double near) {
    return fabsf(a->red - b->red) < near && fabsf(a->blue - b->blue) < near &&
           a->bright < b->bright * BRIGHTER && b->bright < a->bright * BRIGHTER;
}

static bool like_any(const Tile *t, const Tile *look, int looks, double near) {
    for (int i = 0; i < looks; i++)
        if (alike(t, &look[i], near))
            return true;
    return false;
}

static void rgb_of(const Tile *t, double rgb[3]) {
    double all = 3 * (double)t->bright;
    rgb[0] = (double)t->red * all;
    rgb[2] = (double)t->blue * all;
    rgb[1] = all - rgb[0] - rgb[2];
}

// Between two looks: a tile on the edge of the board shows something of both sides.
static bool between(const Tile *t, const Tile *one, const Tile *other) {
    double a[3], b[3], c[3], along = 0, length = 0, away = 0;
    rgb_of(one, a);
    rgb_of(other, b);
    rgb_of(t, c);
    for (int i = 0; i < 3; i++) {
        along += (c[i] - a[i]) * (b[i] - a[i]);
        length += (b[i] - a[i]) * (b[i] - a[i]);
    }
    double part = length > 0 ? along / length : 0;
    for (int i = 0; i < 3; i++) {
        double d = c[i] - a[i] - part * (b[i] - a[i]);
        away += d * d;
    }
    return part > 0 && part < 1 && away < MIXED * MIXED;
}

static bool mixed(const Tile *t, const Tile *look, int looks) {
    for (int i = 0; i < looks; i++)
        for (int k = 0; k < i; k++)
            if (between(t, &look[i], &look[k]))
                return true;
    return false;
}

typedef struct TileBox {
    int left, top, right, bottom;
} TileBox;

static TileBox tiles_of(const Eye *e) {
    return (TileBox){e->board.left / TILE, e->board.top / TILE, (e->board.right + TILE - 1) / TILE,
                     (e->board.bottom + TILE - 1) / TILE};
}

// Some of the tiles, evenly taken, that show enough of the board. Returns how many.
static int choose_tiles(const Eye *e, const Tile *tile, const Tile *chosen[], int most) {
    TileBox b = tiles_of(e);
    int all = (b.right - b.left) * (b.bottom - b.top), n = 0;
    for (int i = 0; i < most && b.right > b.left; i++) {
        int k = all < most ? i : (int)((long)i * all / most);
        if (k >= all)
            break;
        int x = b.left + k % (b.right - b.left), y = b.top + k / (b.right - b.left);
        const Tile *t = &tile[y * e->tiles_across + x];
        if (t->n)
            chosen[n++] = t;
    }
    return n;
}

// The looks that many tiles share: some tiles stand for election, more vote.
static int common_looks(const Eye *e, const Tile *tile, double near, Tile look[LOOKS]) {
    const Tile *stands[CANDIDATES], *voter[VOTERS];
    int stand = choose_tiles(e, tile, stands, CANDIDATES);
    int voters = choose_tiles(e, tile, voter, VOTERS), looks = 0;
    while (looks < LOOKS) {
        const Tile *best = NULL;
        int most = 0;
        for (int i = 0; i < stand; i++) {
            if (like_any(stands[i], look, looks, near))
                continue;
            int votes = 0;
            for (int k = 0; k < voters; k++)
                votes += alike(stands[i], voter[k], near);
            if (votes > most) {
                most = votes;
                best = stands[i];
            }
        }
        if (!best || most < LOOK_SHARE * voters)
            break;
        look[looks++] = *best;
    }
    return looks;
}

// Marks tiles that look strange.
static void mark(Eye *e) {
    const Tile *known = e->has_usual ? e->usual : e->tile;
    double near = e->has_usual ? NEAR : NEAR_AT_FIRST;
    Tile look[LOOKS];
    int looks = common_looks(e, known, near, look);
    TileBox b = tiles_of(e);
    for (int y = b.top; y < b.bottom; y++)
        for (int x = b.left; x < b.right; x++) {
            int i = y * e->tiles_across + x;
            Tile *t = &e->tile[i];
            if (!t->n)
                continue;
            bool usual = e->has_usual && e->usual[i].n && alike(t, &e->usual[i], NEAR);
            if (!usual && !like_any(t, look, looks, near) && !mixed(t, look, looks))
                t->mark = TILE_STRANGE;
        }
}

// The tiles of one mark that hang together with one get another mark. Returns how many they are.
static int flood(Eye *e, int start, TileMark from, TileMark to) {
    static const int step[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    int depth = 0, size = 0;
    e->stack[depth++] = start;
    e->tile[start].mark = to;
    while (depth) {
        int at = e->stack[--depth], x = at % e->tiles_across, y = at / e->tiles_across;
        size++;
        for (int k = 0; k < 4; k++) {
            int nx = x + step[k][0], ny = y + step[k][1], next = ny * e->tiles_across + nx;
            if (nx < 0 || ny < 0 || nx >= e->tiles_across || ny >= e->tiles_down ||
                e->tile[next].mark != from)
                continue;
            e->tile[next].mark = to;
            e->stack[depth++] = next;
        }
    }
    return size;
}

// What is seen without a hand is usual from now on; slowly, so that noise and single mistakes fade.
static void learn(Eye *e) {
    for (int i = 0; i < e->tiles_across * e->tiles_down; i++) {
        const Tile *t = &e->tile[i];
        Tile *u = &e->usual[i];
        if (!t->n)
            continue;
        float part = u->n ? 0.125f : 1;
        u->red += (t->red - u->red) * part;
        u->blue += (t->blue - u->blue) * part;
        u->bright += (t->bright - u->bright) * part;
        u->n = t->n;
    }
    e->has_usual = true;
}

static void forget(Eye *e) {
    memset(e->usual, 0, (size_t)e->tiles_across * (size_t)e->tiles_down * sizeof *e->usual);
    e->has_usual = false;
}

// A glove of a piece's colour: over places it looks like pieces, but much of it is left over.
#define LOOSE_PIECES 3
static void mark_gloves(Eye *e) {
    const Blobs *b = &e->blobs;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < b->runs; i++) {
            const Run *r = &b->run[i];
            BlobSum *s = &b->sum[r->blob];
            if (round == 1 && s->loose < LOOSE_PIECES * e->piece)
                continue;
            size_t row = (size_t)r->y * (size_t)e->width;
            for (int x = r->left; x < r->right; x++) {
                bool loose =
                    e->map[row + (size_t)x] == r->kind && e->owner[row + (size_t)x] == BLOB_NONE;
                if (round == 0)
                    s->loose += loose;
                else
                    e->tile[r->y / TILE * e->tiles_across + x / TILE].mark = TILE_STRANGE;
            }
        }
}

bool hand_covers(const Eye *e, const ViewPlace *place) {
    Disc d;
    if (!disc_of(e, place, place->z, 1, &d) || d.x < 0 || d.y < 0 || d.x >= e->width ||
        d.y >= e->height)
        return false;
    return e->tile[(int)d.y / TILE * e->tiles_across + (int)d.x / TILE].mark == TILE_HAND;
}

bool hand_find(Eye *e) {
    memset(e->tile, 0, (size_t)e->tiles_across * (size_t)e->tiles_down * sizeof *e->tile);
    TileBox b = tiles_of(e);
    for (int y = b.top; y < b.bottom; y++)
        for (int x = b.left; x < b.right; x++)
            add_tile(e, x, y);
    mark(e);
    mark_gloves(e);
    bool hand = false;
    for (int i = 0; i < e->tiles_across * e->tiles_down; i++)
        if (e->tile[i].mark == TILE_STRANGE) {
            if (flood(e, i, TILE_STRANGE, TILE_HAND) * TILE * TILE >= PIECES * e->piece)
                hand = true;
            else
                flood(e, i, TILE_HAND, TILE_PLAIN);
        }
    bool covers = false;
    for (int i = 0; i < e->v.places && hand && !covers; i++)
        covers = hand_covers(e, &e->v.place[i]);
    e->hands = covers ? e->hands + 1 : 0;
    if (!covers)
        learn(e);
    else if (e->hands % PATIENCE == 0)
        forget(e);
    return covers;
}
