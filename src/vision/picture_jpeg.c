// picture_jpeg: JPEG pictures, by libjpeg. Its faults jump back to where the work began. What
// changes on the way and is needed afterwards is therefore in a struct of the caller of the
// function with setjmp, which has no such variables itself.
#include "vision/picture_codec.h"

#ifdef LUDENS_HAVE_JPEG

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jerror.h>
#include <jpeglib.h>

// A picture in many passes makes a small file cost much time; real ones have about ten.
#define SCANS_MOST 64

typedef struct Work {
    struct jpeg_error_mgr errors; // first: libjpeg hands out a pointer to it
    jmp_buf back;
    char message[JMSG_LENGTH_MAX];
} Work;

static void fault(j_common_ptr j) {
    Work *w = (Work *)j->err;
    j->err->format_message(j, w->message);
    longjmp(w->back, 1);
}

// Warnings that mean missing or wrong pixels are faults; others, about the file's head, are not.
static void message(j_common_ptr j, int level) {
    int code = j->err->msg_code;
    bool harmless = code == JWRN_EXTRANEOUS_DATA || code == JWRN_JFIF_MAJOR ||
                    code == JWRN_ADOBE_XFORM || code == JWRN_BOGUS_PROGRESSION;
    if (level < 0 && !harmless)
        fault(j);
}

static void watch_scans(j_common_ptr j) {
    Work *w = (Work *)j->err;
    if (!j->is_decompressor || ((j_decompress_ptr)j)->input_scan_number <= SCANS_MOST)
        return;
    snprintf(w->message, sizeof w->message, "more than %d passes", SCANS_MOST);
    longjmp(w->back, 1);
}

static void work_init(Work *w) {
    jpeg_std_error(&w->errors);
    w->errors.error_exit = fault;
    w->errors.emit_message = message;
    w->message[0] = 0;
}

// False: too large, with the reason. Faults of the data jump out of here.
static bool read_all(struct jpeg_decompress_struct *j, Picture *p, const uint8_t *data, size_t size,
                     Text *why, struct jpeg_progress_mgr *progress) {
    jpeg_create_decompress(j);
    j->progress = progress;
    jpeg_mem_src(j, data, (unsigned long)size);
    jpeg_read_header(j, TRUE);
    if (!picture_make_room(p, j->image_width, j->image_height, why))
        return false;
    j->out_color_space = JCS_RGB;
    jpeg_start_decompress(j);
    while (j->output_scanline < j->output_height) {
        JSAMPROW row = p->pixel + (size_t)j->output_scanline * (size_t)p->width * 3;
        jpeg_read_scanlines(j, &row, 1);
    }
    jpeg_finish_decompress(j);
    return true;
}

static bool try_to_read(Work *w, struct jpeg_decompress_struct *j, Picture *p, const uint8_t *data,
                        size_t size, Text *why, struct jpeg_progress_mgr *progress) {
    if (setjmp(w->back)) {
        text_f(why, "the JPEG picture is damaged: %s", w->message);
        return false;
    }
    return read_all(j, p, data, size, why, progress);
}

bool jpeg_read_picture(Picture *p, const uint8_t *data, size_t size, Text *why) {
    Work w;
    struct jpeg_decompress_struct j = {0};
    struct jpeg_progress_mgr progress = {.progress_monitor = watch_scans};
    work_init(&w);
    j.err = &w.errors;
    bool ok = try_to_read(&w, &j, p, data, size, why, &progress);
    jpeg_destroy_decompress(&j); // also of what was never created
    return ok;
}

typedef struct Made {
    unsigned char *data;
    unsigned long size;
} Made;

static void write_all(struct jpeg_compress_struct *j, const Picture *p, int quality, Made *made) {
    jpeg_create_compress(j);
    jpeg_mem_dest(j, &made->data, &made->size);
    j->image_width = (JDIMENSION)p->width;
    j->image_height = (JDIMENSION)p->height;
    j->input_components = 3;
    j->in_color_space = JCS_RGB;
    jpeg_set_defaults(j);
    jpeg_set_quality(j, quality < 1 ? 1 : quality > 100 ? 100 : quality, TRUE);
    jpeg_start_compress(j, TRUE);
    while (j->next_scanline < j->image_height) {
        JSAMPROW row = p->pixel + (size_t)j->next_scanline * (size_t)p->width * 3;
        jpeg_write_scanlines(j, &row, 1);
    }
    jpeg_finish_compress(j);
}

static bool try_to_write(Work *w, struct jpeg_compress_struct *j, const Picture *p, int quality,
                         Made *made) {
    if (setjmp(w->back))
        return false;
    write_all(j, p, quality, made);
    return true;
}

bool picture_jpeg(const Picture *p, int quality, uint8_t **data, size_t *size) {
    *data = NULL;
    *size = 0;
    if (!p->pixel)
        return false;
    Work w;
    struct jpeg_compress_struct j = {0};
    Made made = {0};
    work_init(&w);
    j.err = &w.errors;
    bool ok = try_to_write(&w, &j, p, quality, &made);
    jpeg_destroy_compress(&j);
    if (!ok) {
        free(made.data);
        return false;
    }
    *data = made.data;
    *size = made.size;
    return true;
}

#else

bool jpeg_read_picture(Picture *p, const uint8_t *data, size_t size, Text *why) {
    (void)p, (void)data, (void)size;
    text_add(why, "this program was built without libjpeg: it reads no JPEG pictures");
    return false;
}

bool picture_jpeg(const Picture *p, int quality, uint8_t **data, size_t *size) {
    (void)p, (void)quality;
    *data = NULL;
    *size = 0;
    return false;
}

#endif
