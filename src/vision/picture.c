// picture: see picture.h. PPM is read and written here, the rest in picture_png and picture_jpeg.
#include "vision/picture.h"

#include "base/file.h"
#include "base/mem.h"
#include "vision/picture_codec.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define JPEG_QUALITY 92

bool picture_size(Picture *p, int width, int height) {
    bool fits = width > 0 && height > 0 && width <= PICTURE_SIDE_MOST &&
                height <= PICTURE_SIDE_MOST && width * height <= PICTURE_PIXELS_MOST;
    if (fits && p->pixel && p->width == width && p->height == height)
        return true; // frames of a camera come in the same size again and again
    picture_free(p);
    if (!fits)
        return false;
    p->pixel = mem_alloc((size_t)width * (size_t)height * 3);
    if (!p->pixel)
        return false;
    p->width = width;
    p->height = height;
    return true;
}

void picture_free(Picture *p) {
    mem_free(p->pixel);
    *p = (Picture){0};
}

bool picture_copy(Picture *to, const Picture *from) {
    if (!picture_size(to, from->width, from->height))
        return false;
    memcpy(to->pixel, from->pixel, (size_t)from->width * (size_t)from->height * 3);
    return true;
}

bool picture_make_room(Picture *p, uint64_t width, uint64_t height, Text *why) {
    if (width == 0 || height == 0) {
        text_add(why, "the picture has no pixels");
        return false;
    }
    if (width > PICTURE_SIDE_MOST || height > PICTURE_SIDE_MOST ||
        width * height > PICTURE_PIXELS_MOST) {
        text_f(why, "a picture of %llu x %llu pixels is too large", (unsigned long long)width,
               (unsigned long long)height);
        return false;
    }
    if (!picture_size(p, (int)width, (int)height)) {
        text_add(why, "out of memory");
        return false;
    }
    return true;
}

// --- PPM ---

typedef struct Bytes {
    const uint8_t *at, *end;
} Bytes;

static bool is_blank(uint8_t c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// The next number of a PPM header, after blanks and comments; -1 if there is none.
static int ppm_number(Bytes *b) {
    while (b->at < b->end && (is_blank(*b->at) || *b->at == '#')) {
        if (*b->at == '#')
            while (b->at < b->end && *b->at != '\n')
                b->at++;
        else
            b->at++;
    }
    if (b->at == b->end || *b->at < '0' || *b->at > '9')
        return -1;
    int n = 0;
    for (; b->at < b->end && *b->at >= '0' && *b->at <= '9'; b->at++)
        n = n < 10000000 ? n * 10 + (*b->at - '0') : n;
    return n;
}

static bool read_ppm(Picture *p, const uint8_t *data, size_t size, Text *why) {
    Bytes b = {data + 2, data + size};
    int width = ppm_number(&b), height = ppm_number(&b), most = ppm_number(&b);
    if (width < 0 || height < 0 || most < 1 || b.at == b.end || !is_blank(*b.at)) {
        text_add(why, "the PPM header is damaged");
        return false;
    }
    b.at++;
    if (most > 255) {
        text_add(why, "a PPM picture with more than 8 bits a colour cannot be read");
        return false;
    }
    if ((uint64_t)(b.end - b.at) < (uint64_t)width * (uint64_t)height * 3) {
        text_add(why, "the picture is cut short");
        return false;
    }
    if (!picture_make_room(p, (uint64_t)width, (uint64_t)height, why))
        return false;
    size_t n = (size_t)width * (size_t)height * 3;
    for (size_t i = 0; i < n; i++) {
        int v = b.at[i] < most ? b.at[i] : most;
        p->pixel[i] = (uint8_t)((v * 255 + most / 2) / most);
    }
    return true;
}

static bool save_ppm(const Picture *p, const char *path, Text *why) {
    Text out = {0};
    text_f(&out, "P6\n%d %d\n255\n", p->width, p->height);
    text_add_n(&out, (const char *)p->pixel, (size_t)p->width * (size_t)p->height * 3);
    bool ok = !out.failed;
    if (ok)
        ok = file_write_atomic(path, out.s, out.n, why);
    else
        text_add(why, "out of memory");
    text_free(&out);
    return ok;
}

// --- files ---

bool picture_read(Picture *p, const uint8_t *data, size_t size, Text *why) {
    bool ok = false;
    if (size >= 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0)
        ok = png_read_picture(p, data, size, why);
    else if (size >= 3 && memcmp(data, "\xff\xd8\xff", 3) == 0)
        ok = jpeg_read_picture(p, data, size, why);
    else if (size >= 3 && memcmp(data, "P6", 2) == 0)
        ok = read_ppm(p, data, size, why);
    else
        text_add(why, "this is no PNG, JPEG or PPM picture");
    if (!ok)
        picture_free(p);
    return ok;
}

bool picture_load(Picture *p, const char *path, Text *why) {
    size_t size;
    char *data = file_read_regular(path, PICTURE_FILE_MOST, &size, why);
    if (!data) {
        picture_free(p);
        return false;
    }
    Text reason = {0};
    bool ok = picture_read(p, (const uint8_t *)data, size, &reason);
    if (!ok) {
        text_add(why, "cannot read `");
        text_visible(why, path, strlen(path));
        text_f(why, "`: %s", text_c(&reason));
    }
    text_free(&reason);
    mem_free(data);
    return ok;
}

static bool ends_with(const char *path, const char *ending) {
    size_t n = strlen(path), k = strlen(ending);
    return n > k && strcasecmp(path + n - k, ending) == 0;
}

bool picture_named(const char *path) {
    return ends_with(path, ".png") || ends_with(path, ".jpg") || ends_with(path, ".jpeg") ||
           ends_with(path, ".ppm");
}

static bool save_jpeg(const Picture *p, const char *path, Text *why) {
    uint8_t *data = NULL;
    size_t size = 0;
    bool ok = picture_jpeg(p, JPEG_QUALITY, &data, &size);
    if (ok)
        ok = file_write_atomic(path, (const char *)data, size, why);
    else
        text_add(why, "cannot make a JPEG picture of it");
    free(data);
    return ok;
}

static bool save_png(const Picture *p, const char *path, Text *why) {
    uint8_t *data = NULL;
    size_t size = 0;
    bool ok = png_write_picture(p, &data, &size, why) &&
              file_write_atomic(path, (const char *)data, size, why);
    mem_free(data);
    return ok;
}

bool picture_save(const Picture *p, const char *path, Text *why) {
    if (!p->pixel) {
        text_add(why, "the picture is empty");
        return false;
    }
    if (ends_with(path, ".png"))
        return save_png(p, path, why);
    if (ends_with(path, ".jpg") || ends_with(path, ".jpeg"))
        return save_jpeg(p, path, why);
    if (ends_with(path, ".ppm"))
        return save_ppm(p, path, why);
    text_add(why, "a picture is saved as .png, .jpg or .ppm, not as `");
    text_visible(why, path, strlen(path));
    text_add(why, "`");
    return false;
}
