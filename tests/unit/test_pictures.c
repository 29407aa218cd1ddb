// Pictures: every format there and back, damaged files, limits, frames of cameras, films.
#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "vision/film.h"
#include "vision/frame.h"
#include "vision/picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// Smooth colours, as a photograph has them: JPEG keeps these well.
static void paint(Picture *p, int width, int height) {
    assert_true(picture_size(p, width, height));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *at = p->pixel + (y * width + x) * 3;
            at[0] = (uint8_t)(x * 255 / width);
            at[1] = (uint8_t)(y * 255 / height);
            at[2] = (uint8_t)(128 + (x + y) % 16);
        }
}

static int largest_difference(const Picture *a, const Picture *b) {
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    int most = 0;
    for (int i = 0; i < a->width * a->height * 3; i++) {
        int d = abs(a->pixel[i] - b->pixel[i]);
        most = d > most ? d : most;
    }
    return most;
}

static void folder_of(char folder[64]) {
    strcpy(folder, "/tmp/ludens-pictures-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static const char *path_in(const char *folder, const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void test_there_and_back(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int differs;
    } rows[] = {{"a.png", 0}, {"a.ppm", 0}, {"a.jpg", 24}, {"a.JPEG", 24}};
    char folder[64];
    folder_of(folder);
    for (int width = 1; width < 80; width += 13) {
        Picture p = {0}, back = {0};
        paint(&p, width, 47);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            Text why = {0};
            const char *path = path_in(folder, rows[i].name);
            assert_true(picture_save(&p, path, &why));
            assert_true(picture_load(&back, path, &why));
            assert_int_equal(why.n, 0);
            assert_true(largest_difference(&p, &back) <= rows[i].differs);
            unlink(path);
        }
        picture_free(&p);
        picture_free(&back);
    }
    assert_int_equal(rmdir(folder), 0); // and nothing is left beside
}

static void assert_says(const Text *why, const char *words) {
    if (!strstr(text_c(why), words))
        fail_msg("`%s` does not say `%s`", text_c(why), words);
}

static void test_what_cannot_be_read(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        const char *says;
    } rows[] = {
        {"", "no PNG, JPEG or PPM"},
        {"GIF89a...", "no PNG, JPEG or PPM"},
        {"P6", "no PNG, JPEG or PPM"},
        {"P6\n", "header is damaged"},
        {"P6 x", "header is damaged"},
        {"P6 1 1 0 abc", "header is damaged"},
        {"P6 1 1 255", "header is damaged"},
        {"P6 1 1 255 ab", "cut short"},
        {"P6 0 1 255 ab", "no pixels"},
        {"P6 1 1 65535 abcdef", "8 bits"},
        {"P6 99999999999 99999999999 255 abc", "cut short"},
        {"\x89PNG\r\n\x1a\n", "PNG"},
        {"\x89PNG\r\n\x1a\n....IHDR", "PNG"},
        {"\xff\xd8\xff\xd9", "JPEG"},
        {"\xff\xd8\xff", "JPEG"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Picture p = {0};
        Text why = {0};
        assert_false(picture_read(&p, (const uint8_t *)rows[i].bytes, strlen(rows[i].bytes), &why));
        assert_null(p.pixel);
        assert_says(&why, rows[i].says);
        text_free(&why);
    }
    Picture p = {0};
    Text why = {0};
    assert_true(picture_read(&p, (const uint8_t *)"P6 # size\n2 # high\n1 15\n\0\x0f\x05\x1e\x0f\0",
                             30, &why));
    static const uint8_t is[] = {0, 255, 85, 255, 255, 0}; // and what is too bright is bright
    assert_memory_equal(p.pixel, is, sizeof is);
    assert_false(picture_save(&p, "/nowhere/a.png", &why));
    assert_says(&why, "/nowhere/a.png");
    text_clear(&why);
    assert_false(picture_save(&p, "a.gif", &why));
    assert_says(&why, "not as `a.gif`");
    text_clear(&why);
    assert_false(picture_load(&p, "/nowhere/a.png", &why));
    assert_null(p.pixel);
    assert_says(&why, "No such file");
    text_clear(&why);
    assert_false(picture_save(&p, "a.png", &why));
    assert_says(&why, "empty");
    text_free(&why);
}

static void test_limits(void **state) {
    (void)state;
    Picture p = {0};
    assert_true(picture_size(&p, PICTURE_SIDE_MOST, PICTURE_PIXELS_MOST / PICTURE_SIDE_MOST));
    assert_false(picture_size(&p, PICTURE_SIDE_MOST, PICTURE_PIXELS_MOST / PICTURE_SIDE_MOST + 1));
    assert_null(p.pixel);
    assert_true(picture_size(&p, PICTURE_SIDE_MOST, 1));
    assert_false(picture_size(&p, PICTURE_SIDE_MOST + 1, 1));
    assert_false(picture_size(&p, 0, 1));
    assert_false(picture_size(&p, 1, -1));
    mem_fail_at(1);
    assert_false(picture_size(&p, 10, 10));
    mem_fail_at(0);
    assert_null(p.pixel);
}

// Every file cut short at every place, and with bytes changed: refused or read, never worse.
static void test_damaged(void **state) {
    (void)state;
    static const char *const names[] = {"a.png", "a.jpg", "a.ppm"};
    char folder[64];
    folder_of(folder);
    Picture p = {0}, back = {0};
    Rng rng;
    rng_seed(&rng, 1);
    paint(&p, 40, 30);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Text why = {0};
        const char *path = path_in(folder, names[i]);
        assert_true(picture_save(&p, path, &why));
        size_t size;
        char *data = file_read(path, PICTURE_FILE_MOST, &size, &why);
        assert_non_null(data);
        unlink(path);
        for (size_t n = 0; n < size; n++) {
            uint8_t *part = malloc(n ? n : 1); // of just that size, for the sanitizer
            memcpy(part, data, n);
            bool ok = picture_read(&back, part, n, &why);
            assert_true(!ok || n + 16 > size); // a missing end mark is no harm
            assert_true(ok == (back.pixel != NULL));
            free(part);
        }
        for (int round = 0; round < 2000; round++) {
            uint8_t *other = malloc(size);
            memcpy(other, data, size);
            for (int k = 0; k < 3; k++)
                other[rng_below(&rng, size)] = (uint8_t)rng_next(&rng);
            bool ok = picture_read(&back, other, size, &why);
            assert_true(ok == (back.pixel != NULL));
            free(other);
        }
        mem_free(data);
        text_free(&why);
    }
    rmdir(folder);
    picture_free(&p);
    picture_free(&back);
}

// --- frames ---

static void test_yuyv(void **state) {
    (void)state;
    static const uint8_t data[] = {
        16, 128, 235, 128, 0, 0, // black and white, and two bytes at the end of the row
        81, 90,  81,  240,       // red
    };
    Picture p = {0};
    Text why = {0};
    assert_true(frame_yuyv(data, sizeof data, 2, 2, 6, &p, &why));
    static const uint8_t is[] = {0, 0, 0, 255, 255, 255, 254, 0, 0, 254, 0, 0};
    assert_memory_equal(p.pixel, is, sizeof is);
    assert_false(frame_yuyv(data, sizeof data - 1, 2, 2, 6, &p, &why));
    assert_says(&why, "cut short");
    assert_false(frame_yuyv(data, sizeof data, 3, 1, 6, &p, &why));
    assert_false(frame_yuyv(data, sizeof data, 2, 0, 6, &p, &why));
    assert_false(frame_yuyv(data, sizeof data, 4, 1, 6, &p, &why)); // rows longer than their step
    assert_false(frame_yuyv(data, sizeof data, 100000, 1, 200000, &p, &why));
    picture_free(&p);
    text_free(&why);
}

// A webcam's JPEG has no Huffman tables: the usual ones are meant.
static size_t without_tables(const uint8_t *data, size_t size, uint8_t *to) {
    size_t n = 2, at = 2;
    memcpy(to, data, 2);
    while (at + 4 <= size && data[at + 1] != 0xda) {
        size_t length = 2 + (size_t)data[at + 2] * 256 + data[at + 3];
        if (data[at + 1] != 0xc4) {
            memcpy(to + n, data + at, length);
            n += length;
        }
        at += length;
    }
    memcpy(to + n, data + at, size - at);
    return n + size - at;
}

static void test_mjpeg(void **state) {
    (void)state;
    Picture p = {0}, back = {0};
    Text why = {0};
    uint8_t *data;
    size_t size;
    paint(&p, 64, 48);
    if (!picture_jpeg(&p, 95, &data, &size)) {
        picture_free(&p);
        skip(); // no libjpeg
    }
    uint8_t *bare = calloc(1, size + 100); // webcams put zeros behind the picture
    size_t n = without_tables(data, size, bare);
    assert_true(n < size);
    assert_true(frame_mjpeg(bare, n, &back, &why));
    assert_true(largest_difference(&p, &back) < 24);
    assert_true(frame_mjpeg(bare, n + 50, &back, &why));
    assert_false(frame_mjpeg(bare, n / 2, &back, &why)); // half a frame is none
    assert_says(&why, "damaged");
    text_clear(&why);
    assert_false(frame_mjpeg((const uint8_t *)"AVI1", 4, &back, &why));
    assert_says(&why, "no JPEG");
    free(bare);
    free(data);
    text_free(&why);
    picture_free(&p);
    picture_free(&back);
}

// --- films ---

static Film *film_of(const char *bytes, size_t size, Text *why) {
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    rewind(file);
    return film_open(file, why);
}

static void test_films(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        int frames;
        uint8_t last[3]; // the pixel at the bottom right of the last
    } rows[] = {
        {"YUV4MPEG2 W3 H1 F25:1 Ip A1:1 C420jpeg "
         "XYSCSS=420JPEG\nFRAME\n\x10\x10\xeb\x80\x80\x80\x80"
         "FRAME Ixyz\n\x10\x10\x51\x80\x5a\x80\xf0",
         2,
         {254, 0, 0}},
        {"YUV4MPEG2 W2 H1\nFRAME\n\xeb\xeb\x80\x80", 1, {255, 255, 255}},
        {"YUV4MPEG2 W1 H2 C444\nFRAME\n\x10\x51\x80\x5a\x80\xf0", 1, {254, 0, 0}},
        {"YUV4MPEG2 W1 H2 C422\nFRAME\n\x10\x51\x80\x5a\x80\xf0", 1, {254, 0, 0}},
        {"YUV4MPEG2 W1 H2 Cmono XCOLORRANGE=FULL\nFRAME\n\x10\x51", 1, {0x51, 0x51, 0x51}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text why = {0};
        Picture p = {0};
        Film *f = film_of(rows[i].bytes, strlen(rows[i].bytes), &why);
        assert_non_null(f);
        for (int k = 0; k < rows[i].frames; k++)
            assert_int_equal(film_next(f, &p, &why), FILM_FRAME);
        assert_memory_equal(p.pixel + (p.width * p.height - 1) * 3, rows[i].last, 3);
        assert_int_equal(film_next(f, &p, &why), FILM_END);
        assert_int_equal(film_next(f, &p, &why), FILM_END);
        film_close(f);
        picture_free(&p);
        // Cut short anywhere: no frame more than was there.
        for (size_t n = 0; n < strlen(rows[i].bytes); n++) {
            int frames = 0;
            f = film_of(rows[i].bytes, n, &why);
            while (f && film_next(f, &p, &why) == FILM_FRAME)
                frames++;
            assert_true(frames < rows[i].frames);
            film_close(f);
            picture_free(&p);
        }
        text_free(&why);
    }
}

static void test_damaged_films(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        const char *says;
    } rows[] = {
        {"RIFF\n", "no Y4M film"},
        {"YUV4MPEG2 W2\n", "does not say"},
        {"YUV4MPEG2 W0 H1\n", "width `0` cannot be"},
        {"YUV4MPEG2 W2x H1\n", "width `2x` cannot be"},
        {"YUV4MPEG2 W2 H-1\n", "height `-1` cannot be"},
        {"YUV4MPEG2 W8192 H8192\n", "too large"},
        {"YUV4MPEG2 W8193 H1\n", "width `8193` cannot be"},
        {"YUV4MPEG2 W2 H1 C420p10\n", "form `420p10`"},
        {"YUV4MPEG2 W2 H1\nFRAMES\n", "damaged after frame 0"},
        {"YUV4MPEG2 W2 H1\nFRAME\nab", "middle of frame 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Text why = {0};
        Picture p = {0};
        Film *f = film_of(rows[i].bytes, strlen(rows[i].bytes), &why);
        if (f)
            assert_int_equal(film_next(f, &p, &why), FILM_DAMAGED);
        assert_says(&why, rows[i].says);
        film_close(f);
        picture_free(&p);
        text_free(&why);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_what_cannot_be_read),
        cmocka_unit_test(test_limits),         cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_yuyv),           cmocka_unit_test(test_mjpeg),
        cmocka_unit_test(test_films),          cmocka_unit_test(test_damaged_films),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
