// blobs: pixels of one class that touch each other, by runs: each row is cut into runs of the same
// class, runs that lie on each other are joined, and a second pass adds them up.
#ifndef LUDENS_BLOBS_H
#define LUDENS_BLOBS_H

#include <stdbool.h>
#include <stdint.h>

#define BLOB_NONE 255 // the class of pixels that belong to no blob

typedef struct Run {
    int y, left, right; // right is the first pixel behind
    int root;           // a run before it, or itself
    int blob;           // in the list; -1: none
    uint8_t kind;
} Run;

typedef struct BlobSum {
    int kind, size;
    double x, y; // sums
    int left, top, right, bottom;
    int loose; // pixels that belong to no piece on a place; for whoever uses the list
} BlobSum;

typedef struct Blobs {
    Run *run;
    int runs, run_room;
    BlobSum *sum;
    int sums, sum_room;
} Blobs;

// All blobs of a map of classes. False when out of memory.
bool blobs_find(Blobs *b, const uint8_t *map, int width, int height);
// Takes the pixels of a blob out of the map.
void blobs_remove(const Blobs *b, int blob, uint8_t *map, int width);
void blobs_free(Blobs *b);

#endif
