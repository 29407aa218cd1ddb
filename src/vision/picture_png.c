// picture_png: PNG pictures, by libpng's simple interface, which reports faults as results.
#include "vision/picture_codec.h"

#ifdef LUDENS_HAVE_PNG

#include "base/mem.h"

#include <png.h>

// libpng's own words, unless it failed without any.
static bool failed(png_image *image, Text *why) {
    text_add(why, "the PNG picture is damaged: ");
    text_add(why, image->message[0] ? image->message : "no reason given");
    png_image_free(image);
    return false;
}

bool png_read_picture(Picture *p, const uint8_t *data, size_t size, Text *why) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&image, data, size))
        return failed(&image, why);
    if (!picture_make_room(p, image.width, image.height, why)) {
        png_image_free(&image);
        return false;
    }
    image.format = PNG_FORMAT_RGB;
    png_color white = {255, 255, 255}; // behind what is transparent
    if (!png_image_finish_read(&image, &white, p->pixel, 0, NULL))
        return failed(&image, why);
    return true;
}

bool png_write_picture(const Picture *p, uint8_t **data, size_t *size, Text *why) {
    png_image image = {
        .version = PNG_IMAGE_VERSION,
        .width = (png_uint_32)p->width,
        .height = (png_uint_32)p->height,
        .format = PNG_FORMAT_RGB,
        .flags = PNG_IMAGE_FLAG_FAST,
    };
    png_alloc_size_t room = PNG_IMAGE_PNG_SIZE_MAX(image);
    *data = mem_alloc(room);
    if (!*data) {
        text_add(why, "out of memory");
        return false;
    }
    if (!png_image_write_to_memory(&image, *data, &room, 0, p->pixel, 0, NULL)) {
        text_f(why, "cannot make a PNG picture of it: %s", image.message);
        mem_free(*data);
        *data = NULL;
        return false;
    }
    *size = room;
    return true;
}

#else

bool png_read_picture(Picture *p, const uint8_t *data, size_t size, Text *why) {
    (void)p, (void)data, (void)size;
    text_add(why, "this program was built without libpng: it reads no PNG pictures");
    return false;
}

bool png_write_picture(const Picture *p, uint8_t **data, size_t *size, Text *why) {
    (void)p, (void)data, (void)size;
    text_add(why, "this program was built without libpng: it writes no PNG pictures");
    return false;
}

#endif
