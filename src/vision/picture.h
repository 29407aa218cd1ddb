// picture: a rectangle of pixels, red, green and blue, a byte each; and files of them.
//
// A Picture owns its pixels; {0} is an empty one. Functions that fail return false and add the
// reason to `why`, in one line without a newline.
#ifndef LUDENS_PICTURE_H
#define LUDENS_PICTURE_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

// More than any camera has; together they keep a made-up header from taking all memory.
#define PICTURE_SIDE_MOST 8192
#define PICTURE_PIXELS_MOST (1 << 25)
#define PICTURE_FILE_MOST ((size_t)48 << 20) // bytes of a file

typedef struct Picture {
    int width, height;
    uint8_t *pixel; // [(y * width + x) * 3], y downwards
} Picture;

// Sets the size; what was there is lost. False when out of memory or too large: then it is empty.
bool picture_size(Picture *p, int width, int height);
void picture_free(Picture *p);
bool picture_copy(Picture *to, const Picture *from);

// PNG, JPEG or PPM, by what the bytes say. False with the reason; then *p is empty.
bool picture_read(Picture *p, const uint8_t *data, size_t size, Text *why);
bool picture_load(Picture *p, const char *path, Text *why);
// By the ending of the path: .png, .jpg, .jpeg or .ppm. Beside, then renamed.
bool picture_save(const Picture *p, const char *path, Text *why);
// Whether a path ends like a picture's.
bool picture_named(const char *path);
// As JPEG, quality 1 to 100, into memory that free() releases. False when out of memory or without
// the JPEG library.
bool picture_jpeg(const Picture *p, int quality, uint8_t **data, size_t *size);

#endif
