// frame: pixels as cameras and films deliver them, made into pictures.
//
// Colours are brightness (16 to 235) and two differences (16 to 240), by the rule of BT.601.
#ifndef LUDENS_FRAME_H
#define LUDENS_FRAME_H

#include "vision/picture.h"

// Two pixels in four bytes: Y U Y V; `stride` bytes from row to row. False if there are too few
// bytes, or the size is odd or too large.
bool frame_yuyv(const uint8_t *data, size_t size, int width, int height, size_t stride,
                Picture *picture, Text *why);
// A JPEG picture, of which webcams leave out tables, with or without bytes behind it.
bool frame_mjpeg(const uint8_t *data, size_t size, Picture *picture, Text *why);
// Three planes; those of the differences are smaller by `across` and `down`, 1 or 2 each.
typedef struct FramePlanes {
    const uint8_t *y, *u, *v;
    int across, down;
    bool full; // 0 to 255 instead
} FramePlanes;
// The picture has its size already.
void frame_planes(const FramePlanes *planes, Picture *picture);

#endif
