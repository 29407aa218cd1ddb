// fuzz_picture: any bytes as a picture file, a film, and a frame of a camera.
//
// What is read has a size within the limits and all its pixels; what is not has a reason. Tags are
// looked for in small pictures, where the library that does it has little room.
#define _GNU_SOURCE // fmemopen
#include "base/mem.h"
#include "vision/film.h"
#include "vision/frame.h"
#include "vision/picture.h"
#include "vision/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 65536
#define FRAMES 20
#define TAGS_MOST 4096 // pixels: more take too long, and are no other case

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what) {
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void check(bool read, Picture *p, const Text *why) {
    must(read == (p->pixel != NULL), "read, but there is no picture");
    must(read == (why->n == 0), "a reason where there is none, or none where there is one");
    if (!read)
        return;
    must(p->width > 0 && p->width <= PICTURE_SIDE_MOST, "width");
    must(p->height > 0 && p->height <= PICTURE_SIDE_MOST, "height");
    unsigned sum = 0;
    for (int i = 0; i < p->width * p->height * 3; i++) // all of them are there
        sum += p->pixel[i];
    must(sum <= 255u * 3u * (unsigned)(p->width * p->height), "pixels");
}

static void try_film(const uint8_t *data, size_t size) {
    Text why = {0};
    Picture p = {0};
    FILE *file = size ? fmemopen((void *)data, size, "rb") : NULL;
    if (!file)
        return;
    Film *f = film_open(file, &why);
    must((f == NULL) == (why.n > 0), "a film without a reason");
    FilmRead read = FILM_FRAME;
    for (int i = 0; f && i < FRAMES && read == FILM_FRAME; i++) {
        read = film_next(f, &p, &why);
        must((read == FILM_DAMAGED) == (why.n > 0), "a frame without a reason");
    }
    film_close(f);
    picture_free(&p);
    text_free(&why);
}

static void try_tags(const Picture *p) {
    static Tags *tags; // its tables take long
    double pixels[8];
    Text why = {0};
    if (!p->pixel || p->width * p->height > TAGS_MOST)
        return;
    if (!tags)
        tags = tags_new(&why);
    bool all = tags && tags_find(tags, p, pixels, &why);
    must(all == (why.n == 0), "tags are not found without a reason");
    text_free(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > LARGEST)
        return -1;
    Picture p = {0};
    Text why = {0};
    check(picture_read(&p, data, size, &why), &p, &why);
    try_tags(&p);
    picture_free(&p);
    text_clear(&why);
    if (!frame_mjpeg(data, size, &p, &why))
        must(why.n > 0, "a frame without a reason");
    text_clear(&why);
    if (size > 2) {
        int width = data[0] * 2, height = data[1];
        size_t stride = (size_t)width * 2 + data[2] % 16;
        bool read = frame_yuyv(data + 3, size - 3, width, height, stride, &p, &why);
        must(read == (why.n == 0), "a frame without a reason");
    }
    picture_free(&p);
    text_free(&why);
    try_film(data, size);
    return 0;
}
