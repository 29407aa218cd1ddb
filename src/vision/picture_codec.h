// picture_codec: the formats of picture files, for picture.c. Each reader sets the size itself and
// returns false with the reason; what it has left in *p is then thrown away by picture_read.
#ifndef LUDENS_PICTURE_CODEC_H
#define LUDENS_PICTURE_CODEC_H

#include "vision/picture.h"

// picture_size, with a reason.
bool picture_make_room(Picture *p, uint64_t width, uint64_t height, Text *why);

// --- picture_png.c ---
bool png_read_picture(Picture *p, const uint8_t *data, size_t size, Text *why);
// Into memory that mem_free releases.
bool png_write_picture(const Picture *p, uint8_t **data, size_t *size, Text *why);

// --- picture_jpeg.c ---
// What is cut short or damaged is refused: half a picture of a board would be misread.
bool jpeg_read_picture(Picture *p, const uint8_t *data, size_t size, Text *why);

#endif
