// frame: see frame.h.
#include "vision/frame.h"

#include "vision/picture_codec.h"

static uint8_t clamp(int v) {
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

// In 1/65536: the weights of BT.601 for 16..235 and 16..240.
static void narrow(int y, int u, int v, uint8_t rgb[3]) {
    int l = (y - 16) * 76309 + 32768;
    u -= 128;
    v -= 128;
    rgb[0] = clamp((l + v * 104597) >> 16);
    rgb[1] = clamp((l - u * 25675 - v * 53279) >> 16);
    rgb[2] = clamp((l + u * 132201) >> 16);
}

static void full(int y, int u, int v, uint8_t rgb[3]) {
    int l = y * 65536 + 32768;
    u -= 128;
    v -= 128;
    rgb[0] = clamp((l + v * 91881) >> 16);
    rgb[1] = clamp((l - u * 22554 - v * 46802) >> 16);
    rgb[2] = clamp((l + u * 116130) >> 16);
}

bool frame_yuyv(const uint8_t *data, size_t size, int width, int height, size_t stride,
                Picture *picture, Text *why) {
    if (width < 2 || height < 1 || width % 2 != 0 || stride < (size_t)width * 2) {
        text_f(why, "frames of %d x %d cannot be read", width, height);
        return false;
    }
    if (!picture_make_room(picture, (uint64_t)width, (uint64_t)height, why))
        return false;
    if (size < stride * (size_t)(height - 1) + (size_t)width * 2) {
        text_add(why, "the frame is cut short");
        return false;
    }
    uint8_t *to = picture->pixel;
    for (int y = 0; y < height; y++) {
        const uint8_t *at = data + stride * (size_t)y;
        for (int x = 0; x < width; x += 2, at += 4, to += 6) {
            narrow(at[0], at[1], at[3], to);
            narrow(at[2], at[1], at[3], to + 3);
        }
    }
    return true;
}

bool frame_mjpeg(const uint8_t *data, size_t size, Picture *picture, Text *why) {
    if (size < 4 || data[0] != 0xff || data[1] != 0xd8) {
        text_add(why, "the frame is no JPEG picture");
        return false;
    }
    return jpeg_read_picture(picture, data, size, why);
}

void frame_planes(const FramePlanes *planes, Picture *picture) {
    int width = picture->width, small = (width + planes->across - 1) / planes->across;
    uint8_t *to = picture->pixel;
    for (int y = 0; y < picture->height; y++) {
        const uint8_t *line = planes->y + (size_t)y * (size_t)width;
        size_t row = (size_t)(y / planes->down) * (size_t)small;
        for (int x = 0; x < width; x++, to += 3) {
            size_t i = row + (size_t)(x / planes->across);
            if (planes->full)
                full(line[x], planes->u[i], planes->v[i], to);
            else
                narrow(line[x], planes->u[i], planes->v[i], to);
        }
    }
}
