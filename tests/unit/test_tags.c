// Tags: drawn at the corners of a board and found again, missing ones, tags to print.
#include "board_picture.h"
#include "vision/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t ground[3] = {118, 116, 112}, paper[3] = {250, 250, 250}, ink[3] = {15, 15, 15};
static const double corner[8] = {-13, 8, 13, 8, 13, 34, -13, 34};

static void draw_square(Drawing *d, double x, double y, double side, const uint8_t rgb[3]) {
    double xy[8] = {x, y, x + side, y, x + side, y + side, x, y + side};
    draw_shape(d, xy, 4, 0.5, rgb);
}

static void draw_tag(Drawing *d, int number, double x, double y, double wide) {
    uint8_t cell[TAG_CELLS * TAG_CELLS];
    double side = wide / TAG_CELLS;
    assert_true(tags_cells(number, cell));
    draw_square(d, x - wide / 2 - side, y - wide / 2 - side, wide + 2 * side, paper);
    for (int i = 0; i < TAG_CELLS * TAG_CELLS; i++)
        draw_square(d, x - wide / 2 + i % TAG_CELLS * side,
                    y + wide / 2 - (i / TAG_CELLS + 1) * side, side, cell[i] ? paper : ink);
}

static Tags *tags_or_skip(void) {
    Text why = {0};
    Tags *t = tags_new(&why);
    if (t)
        return t;
    assert_non_null(strstr(text_c(&why), "libapriltag"));
    text_free(&why);
    skip();
    return NULL;
}

static void test_found(void **state) {
    (void)state;
    Tags *t = tags_or_skip();
    Rng rng;
    rng_seed(&rng, 3);
    Drawing d = {0};
    Picture p = {0};
    double worst = 0;
    for (int round = 0; round < 8; round++) {
        Pinhole c = {70, round % 4 * 9.0, draw_uniform(&rng, -180, 180), 560, 640, 480};
        Weather w = {.noise = 12, .light = 0.3, .where = round * 45.0, .dim = 0.9};
        draw_begin(&d, &c, ground);
        for (int i = 0; i < 4; i++)
            draw_tag(&d, i, corner[2 * i], corner[2 * i + 1], 3.6);
        draw_end(&d, &w, &rng, &p);
        double pixels[8];
        Text why = {0};
        if (!tags_find(t, &p, pixels, &why))
            fail_msg("%s", text_c(&why));
        for (int i = 0; i < 4; i++) {
            double x, y;
            pinhole_see(&c, corner[2 * i], corner[2 * i + 1], 0.5, &x, &y);
            worst = fmax(worst, hypot(x - pixels[2 * i], y - pixels[2 * i + 1]));
        }
    }
    print_message("# worst error of a tag's middle: %.2f pixels\n", worst);
    assert_true(worst < 1);
    tags_free(t);
    picture_free(&p);
    picture_free(&d.fine);
}

static void test_missing(void **state) {
    (void)state;
    Tags *t = tags_or_skip();
    Rng rng;
    rng_seed(&rng, 4);
    Drawing d = {0};
    Picture p = {0};
    Text why = {0};
    Pinhole c = {70, 0, 0, 560, 640, 480};
    Weather w = {.dim = 1};
    double pixels[8];
    assert_false(tags_find(t, &p, pixels, &why));
    assert_string_equal(text_c(&why), "the picture is empty");
    text_clear(&why);
    draw_begin(&d, &c, ground);
    draw_tag(&d, 0, corner[0], corner[1], 3.6);
    draw_tag(&d, 3, corner[6], corner[7], 3.6);
    draw_tag(&d, 7, corner[4], corner[5], 3.6); // one that is not ours
    draw_end(&d, &w, &rng, &p);
    assert_false(tags_find(t, &p, pixels, &why));
    assert_string_equal(text_c(&why), "these tags are not seen: 1 (front right), 2 (back right)");
    text_free(&why);
    tags_free(t);
    picture_free(&p);
    picture_free(&d.fine);
}

// Noise, so that there is something to be looked into.
static int seen_in_noise(Tags *t, int width, int height, Text *why) {
    Picture p = {0};
    double pixels[8];
    Rng rng;
    rng_seed(&rng, 5);
    assert_true(picture_size(&p, width, height));
    for (int i = 0; i < width * height * 3; i++)
        p.pixel[i] = rng_below(&rng, 2) ? 255 : 0;
    text_clear(why);
    int seen = tags_seen(t, &p, pixels, why);
    picture_free(&p);
    return seen;
}

// Around the least size that the library can take.
static void test_flat(void **state) {
    (void)state;
    static const int flat[][2] = {{1, 1},   {4, 4},   {640, 1},  {640, 3},
                                  {640, 6}, {3, 100}, {15, 480}, {640, 15}};
    static const int enough[][2] = {{16, 16}, {17, 16}, {16, 480}, {640, 16}, {8192, 16}};
    Tags *t = tags_or_skip();
    Text why = {0};
    for (size_t i = 0; i < sizeof flat / sizeof *flat; i++) {
        assert_int_equal(seen_in_noise(t, flat[i][0], flat[i][1], &why), 0);
        assert_non_null(strstr(text_c(&why), " pixels are too few to see tags"));
    }
    for (size_t i = 0; i < sizeof enough / sizeof *enough; i++) {
        assert_int_equal(seen_in_noise(t, enough[i][0], enough[i][1], &why), 0);
        assert_non_null(strstr(text_c(&why), "these tags are not seen: 0"));
    }
    text_free(&why);
    tags_free(t);
}

static void test_to_print(void **state) {
    (void)state;
    tags_free(tags_or_skip());
    Text svg[4] = {0}, none = {0};
    for (int i = 0; i < 4; i++) {
        assert_true(tags_svg(i, 3.6, &svg[i]));
        assert_int_equal(strncmp(svg[i].s, "<svg ", 5), 0);
        assert_non_null(strstr(svg[i].s, "width=\"4.40cm\""));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(svg[i].s, svg[k].s);
    }
    assert_false(tags_svg(-1, 3.6, &none));
    assert_false(tags_svg(1 << 30, 3.6, &none));
    assert_false(tags_svg(0, 0, &none));
    assert_int_equal(none.n, 0);
    for (int i = 0; i < 4; i++)
        text_free(&svg[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_to_print),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
