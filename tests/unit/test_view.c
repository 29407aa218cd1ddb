// Where things are in the picture: homographies from points, and what stands above the board.
#include "board_picture.h"
#include "vision/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double corner[8] = {-12, 9, 12, 9, 12, 33, -12, 33};

static void test_plane(void **state) {
    (void)state;
    Rng rng;
    rng_seed(&rng, 7);
    for (int round = 0; round < 2000; round++) {
        Pinhole c = {draw_uniform(&rng, 30, 90),
                     draw_uniform(&rng, 0, 50),
                     draw_uniform(&rng, -180, 180),
                     draw_uniform(&rng, 300, 900),
                     640,
                     480};
        double pixels[8], h[9], back[9];
        for (int i = 0; i < 4; i++)
            pinhole_see(&c, corner[2 * i], corner[2 * i + 1], 0, &pixels[2 * i],
                        &pixels[2 * i + 1]);
        assert_true(homography_fit(corner, pixels, 4, h));
        assert_true(homography_inverse(h, back));
        for (int i = 0; i < 20; i++) {
            double x = draw_uniform(&rng, -12, 12), y = draw_uniform(&rng, 9, 33), px, py, qx, qy;
            pinhole_see(&c, x, y, 0, &px, &py);
            homography_map(h, x, y, &qx, &qy);
            assert_true(hypot(px - qx, py - qy) < 1e-6);
            homography_map(back, px, py, &qx, &qy);
            assert_true(hypot(x - qx, y - qy) < 1e-6);
        }
    }
}

// Many points that were clicked within a pixel: the error gets smaller, not larger.
static void test_many_points(void **state) {
    (void)state;
    Rng rng;
    rng_seed(&rng, 8);
    Pinhole c = {60, 20, 30, 550, 640, 480};
    double table[128], pixels[128], h[9];
    for (int i = 0; i < 64; i++) {
        table[2 * i] = -12 + 24 * (i % 8) / 7.0;
        table[2 * i + 1] = 9 + 24 * (i / 8) / 7.0;
        pinhole_see(&c, table[2 * i], table[2 * i + 1], 0, &pixels[2 * i], &pixels[2 * i + 1]);
        pixels[2 * i] += draw_uniform(&rng, -1, 1);
        pixels[2 * i + 1] += draw_uniform(&rng, -1, 1);
    }
    assert_true(homography_fit(table, pixels, 64, h));
    for (int i = 0; i < 64; i++) {
        double px, py, qx, qy;
        pinhole_see(&c, table[2 * i], table[2 * i + 1], 0, &px, &py);
        homography_map(h, table[2 * i], table[2 * i + 1], &qx, &qy);
        assert_true(hypot(px - qx, py - qy) < 0.7);
    }
}

static void test_no_map(void **state) {
    (void)state;
    static const double good[8] = {100, 400, 500, 400, 450, 100, 150, 100};
    static const double crossed[8] = {100, 400, 500, 400, 150, 100, 450, 100};
    static const double line[8] = {0, 0, 1, 1, 2, 2, 3, 3};
    static const double three[8] = {0, 0, 1, 1, 2, 2, 3, 0};
    static const double one[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const double odd[8] = {0, 0, 10, NAN, 10, 10, 0, 10};
    double h[9];
    assert_true(homography_fit(corner, good, 4, h));
    assert_false(homography_fit(corner, good, 3, h));
    assert_false(homography_fit(corner, crossed, 4, h));
    assert_false(homography_fit(corner, line, 4, h));
    assert_false(homography_fit(line, good, 4, h));
    assert_false(homography_fit(corner, three, 4, h));
    assert_false(homography_fit(three, good, 4, h));
    assert_false(homography_fit(corner, one, 4, h));
    assert_false(homography_fit(corner, odd, 4, h));
    static const double flat[9] = {1, 2, 3, 2, 4, 6, 0, 0, 1};
    double back[9];
    assert_false(homography_inverse(flat, back));
    View v = {.width = 640, .height = 480, .plane = 3};
    assert_false(view_place(&v, corner, crossed, 4));
    assert_false(v.placed);
}

// What stands up to 5 cm over the plane, from four corners within a third of a pixel.
static void test_above(void **state) {
    (void)state;
    Rng rng;
    rng_seed(&rng, 9);
    double worst[2] = {0, 0};
    for (int round = 0; round < 3000; round++) {
        Pinhole c = {draw_uniform(&rng, 50, 90),
                     draw_uniform(&rng, 0, 45),
                     draw_uniform(&rng, -180, 180),
                     draw_uniform(&rng, 450, 700),
                     640,
                     480};
        View v = {.width = 640, .height = 480, .plane = 0.5};
        double pixels[8];
        for (int i = 0; i < 4; i++) {
            pinhole_see(&c, corner[2 * i], corner[2 * i + 1], 0.5, &pixels[2 * i],
                        &pixels[2 * i + 1]);
            for (int k = 0; k < 2; k++)
                pixels[2 * i + k] += draw_uniform(&rng, -0.3, 0.3);
        }
        assert_true(view_place(&v, corner, pixels, 4));
        for (int high = 0; high < 2; high++) {
            double x = draw_uniform(&rng, -12, 12), y = draw_uniform(&rng, 9, 33),
                   z = high ? 5.5 : 1.7;
            double px, py, qx, qy;
            pinhole_see(&c, x, y, z, &px, &py);
            assert_true(view_point(&v, x, y, z, &qx, &qy));
            worst[high] = fmax(worst[high], hypot(px - qx, py - qy));
        }
    }
    print_message("# worst error 1.2 cm over the board %.2f pixels, 5 cm %.2f\n", worst[0],
                  worst[1]);
    assert_true(worst[0] < 2.5 && worst[1] < 8);
}

// A mirrored picture, as some webcam programs make it, has its tops on the right side too.
static void test_mirrored(void **state) {
    (void)state;
    Pinhole c = {60, 25, 0, 550, 640, 480};
    View v = {.width = 640, .height = 480};
    double pixels[8], px, py, qx, qy;
    for (int i = 0; i < 4; i++) {
        pinhole_see(&c, corner[2 * i], corner[2 * i + 1], 0, &pixels[2 * i], &pixels[2 * i + 1]);
        pixels[2 * i] = 640 - pixels[2 * i];
    }
    assert_true(view_place(&v, corner, pixels, 4));
    pinhole_see(&c, 10, 30, 3, &px, &py);
    assert_true(view_point(&v, 10, 30, 3, &qx, &qy));
    assert_true(hypot(640 - px - qx, py - qy) < 1);
}

// Pads in a row, as S3 files have them: the camera looks down on them.
static void set_row(View *v, int places, double left, double step, double y) {
    *v = (View){.places = places};
    for (int i = 0; i < places; i++)
        v->place[i] =
            (ViewPlace){.x = 4 * i, .y = 20, .seen = true, .px = left + step * i, .py = y};
}

static void test_by_pixels(void **state) {
    (void)state;
    static View v;
    double x, y;
    set_row(&v, 7, 80, 80, 240);
    assert_true(view_by_pixels(&v, 640, 480));
    assert_true(v.placed && v.width == 640 && v.height == 480);
    assert_true(view_point(&v, 4, 22, 0, &x, &y)); // forward is upwards in the picture
    assert_true(fabs(x - 160) < 0.01 && fabs(y - 200) < 0.01);
    set_row(&v, 2, 100, 0, 240); // turned
    v.place[1].py = 160;
    assert_true(view_by_pixels(&v, 0, 0));
    assert_true(v.placed && v.width == 0);
    assert_true(view_point(&v, 0, 24, 0, &x, &y));
    assert_true(fabs(x - 20) < 0.01 && fabs(y - 240) < 0.01);
    set_row(&v, 5, 80, 80, 240); // with a fifth that is not in the row it is known better
    v.place[4] = (ViewPlace){.x = 6, .y = 30, .seen = true, .px = 200, .py = 40};
    v.place[3] = (ViewPlace){.x = 0, .y = 30, .seen = true, .px = 80, .py = 40};
    assert_true(view_by_pixels(&v, 640, 480));
    assert_true(view_point(&v, 3, 25, 0, &x, &y));
    assert_true(fabs(x - 140) < 0.01 && fabs(y - 140) < 0.01);
    set_row(&v, 1, 80, 80, 240);
    assert_false(view_by_pixels(&v, 640, 480));
    set_row(&v, 9, 80, 80, 240); // the last is at 720
    assert_false(view_by_pixels(&v, 640, 480));
    set_row(&v, 3, 80, 0, 240); // all at one pixel
    assert_false(view_by_pixels(&v, 640, 480));
    assert_false(v.placed);
}

// Pixels of places are believed where the board is found near them, not where it is elsewhere.
static void test_check_pixels(void **state) {
    (void)state;
    static View v;
    for (int off = 0; off <= 1; off++) {
        set_row(&v, 7, 80, 80, 240);
        assert_true(view_by_pixels(&v, 640, 480));
        v.place[3].px += off ? 40 : 20;
        view_check_pixels(&v);
        for (int i = 0; i < 7; i++)
            assert_int_equal(v.place[i].seen, !off);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),        cmocka_unit_test(test_many_points),
        cmocka_unit_test(test_no_map),       cmocka_unit_test(test_above),
        cmocka_unit_test(test_mirrored),     cmocka_unit_test(test_by_pixels),
        cmocka_unit_test(test_check_pixels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
