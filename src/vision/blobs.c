// blobs: see blobs.h.
#include "vision/blobs.h"

#include "base/mem.h"

#include <string.h>

void blobs_free(Blobs *b) {
    mem_free(b->run);
    mem_free(b->sum);
    *b = (Blobs){0};
}

static bool add_run(Blobs *b, Run run) {
    if (b->runs == b->run_room) {
        int room = b->run_room ? b->run_room * 2 : 1024;
        Run *grown = mem_resize(b->run, (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        b->run = grown;
        b->run_room = room;
    }
    run.root = b->runs;
    run.blob = -1;
    b->run[b->runs++] = run;
    return true;
}

static bool add_sum(Blobs *b, BlobSum sum) {
    if (b->sums == b->sum_room) {
        int room = b->sum_room ? b->sum_room * 2 : 256;
        BlobSum *grown = mem_resize(b->sum, (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        b->sum = grown;
        b->sum_room = room;
    }
    b->sum[b->sums++] = sum;
    return true;
}

// Paths get shorter whenever they are walked.
static int root_of(Blobs *b, int run) {
    while (b->run[run].root != run)
        run = b->run[run].root = b->run[b->run[run].root].root;
    return run;
}

// The smaller number stays: a root comes before all its runs.
static void join(Blobs *b, int one, int other) {
    one = root_of(b, one);
    other = root_of(b, other);
    if (one < other)
        b->run[other].root = one;
    else
        b->run[one].root = other;
}

static bool cut_row(Blobs *b, const uint8_t *row, int y, int width) {
    for (int x = 0; x < width;) {
        int left = x;
        uint8_t kind = row[x];
        while (x < width && row[x] == kind)
            x++;
        if (kind != BLOB_NONE && !add_run(b, (Run){.y = y, .left = left, .right = x, .kind = kind}))
            return false;
    }
    return true;
}

// Both rows are sorted: one walk along both meets every pair that overlaps.
static void join_rows(Blobs *b, int above, int begin, int end) {
    int i = above, k = begin;
    while (i < begin && k < end) {
        const Run *up = &b->run[i], *down = &b->run[k];
        if (up->kind == down->kind && up->left < down->right && down->left < up->right)
            join(b, i, k);
        if (up->right < down->right)
            i++;
        else
            k++;
    }
}

static void add_up(BlobSum *s, const Run *r) {
    int n = r->right - r->left;
    s->size += n;
    s->x += (double)n * (r->left + r->right - 1) / 2;
    s->y += (double)n * r->y;
    s->left = r->left < s->left ? r->left : s->left;
    s->right = r->right > s->right ? r->right : s->right;
    s->bottom = r->y + 1;
}

bool blobs_find(Blobs *b, const uint8_t *map, int width, int height) {
    b->runs = b->sums = 0;
    int above = 0;
    for (int y = 0; y < height; y++) {
        int begin = b->runs;
        if (!cut_row(b, map + (size_t)y * (size_t)width, y, width))
            return false;
        join_rows(b, above, begin, b->runs);
        above = begin;
    }
    for (int i = 0; i < b->runs; i++) {
        Run *r = &b->run[i];
        int root = root_of(b, i);
        if (root == i) {
            r->blob = b->sums;
            if (!add_sum(b, (BlobSum){r->kind, 0, 0, 0, r->left, r->y, r->right, r->y + 1, 0}))
                return false;
        }
        r->blob = b->run[root].blob;
        add_up(&b->sum[r->blob], r);
    }
    return true;
}

void blobs_remove(const Blobs *b, int blob, uint8_t *map, int width) {
    for (int i = 0; i < b->runs; i++) {
        const Run *r = &b->run[i];
        if (r->blob == blob)
            memset(map + (size_t)r->y * (size_t)width + r->left, BLOB_NONE,
                   (size_t)(r->right - r->left));
    }
}
