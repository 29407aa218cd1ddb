// A simulated table: pieces, an arm that moves them, what goes wrong, persons, and pictures.
#include "sim_fixture.h"

#include "base/rng.h"
#include "robot/sim_world.h"
#include "vision/see.h"

#include <time.h>

#define RATE 100

static const SimLook look = {.noise = 4, .light = 0.15, .tilt = 12};

#define fine(call) assert_int_equal(call, CONTROLLER_OK)

// --- pieces and the arm ---

static void test_takes_and_puts(void **state) {
    (void)state;
    Bench b;
    bench_begin(&b, &look, RATE);
    assert_int_equal(bench_kind(&b, FIRST_STORE, 0), 0);
    fine(bench_at(&b, FIRST_STORE, 0, 0, false));
    assert_int_equal(bench_kind(&b, FIRST_STORE, 0), SCENE_NOTHING); // it is in the fingers
    fine(bench_at(&b, 4, 0, 0, true));
    assert_int_equal(bench_kind(&b, 4, 0), 0);
    SimTold told = bench_told(&b);
    assert_int_equal(told.picked, 1);
    assert_int_equal(told.placed, 1);
    assert_int_equal(told.collisions, 0);
    assert_int_equal(told.fallen, 0);
    bench_end(&b);
}

// Piece by piece onto a pile as high as there is room, and one more.
static void test_piles(void **state) {
    (void)state;
    Bench b;
    bench_begin(&b, &look, RATE);
    for (int i = 0; i < 4; i++) {
        int store = FIRST_STORE + (i % 2 ? 4 + i / 2 : i / 2);
        fine(bench_at(&b, store, 0, 0, false));
        fine(bench_at(&b, 4, i, 0, true));
    }
    for (int i = 0; i < 3; i++)
        assert_int_equal(bench_kind(&b, 4, i), i % 2);
    assert_int_equal(bench_kind(&b, 4, 3), SCENE_NOTHING);
    SimTold told = bench_told(&b);
    assert_int_equal(told.placed, 3);
    assert_int_equal(told.fallen, 1);
    assert_int_equal(told.collisions, 0);
    // From the top down again; what is under the top is not to be had.
    fine(bench_at(&b, 4, 2, 0, false));
    fine(bench_at(&b, 0, 0, 0, true));
    assert_int_equal(bench_kind(&b, 0, 0), 0);
    assert_int_equal(bench_kind(&b, 4, 2), SCENE_NOTHING);
    bench_end(&b);
}

// How far off the fingers may be, on both sides of the limit.
static void test_tolerance(void **state) {
    (void)state;
    Bench b;
    static const double off[] = {0.5, 0.8};
    for (int i = 0; i < 2; i++) {
        bench_begin(&b, &look, RATE);
        fine(bench_at(&b, FIRST_STORE, 0, off[i], false));
        assert_int_equal(bench_told(&b).picked, i == 0);
        bench_end(&b);
        bench_begin(&b, &look, RATE);
        fine(bench_at(&b, FIRST_STORE, 0, 0, false));
        fine(bench_at(&b, 4, 0, off[i], true));
        assert_int_equal(bench_told(&b).placed, i == 0);
        assert_int_equal(bench_told(&b).fallen, i == 1);
        assert_int_equal(bench_kind(&b, 4, 0), i == 0 ? 0 : SCENE_NOTHING);
        bench_end(&b);
    }
}

static void test_dropped_from_above(void **state) {
    (void)state;
    Bench b;
    bench_begin(&b, &look, RATE);
    fine(bench_at(&b, FIRST_STORE, 0, 0, false));
    fine(bench_go(&b, 0, 21, 8));
    fine(bench_fingers(&b, true));
    SimTold told = bench_told(&b);
    assert_int_equal(told.fallen, 1);
    assert_int_equal(told.placed, 0);
    sim_table_repair(b.sim);
    assert_int_equal(bench_told(&b).fallen, 0);
    int stored = 0;
    for (int s = FIRST_STORE; s < SITES; s++)
        for (int level = 0; level < 3; level++)
            stored += bench_kind(&b, s, level) == 0;
    assert_int_equal(stored, 4);
    bench_end(&b);
}

// Along the stores on the left, in small steps: an arm does not move on straight lines.
static void sweep(Bench *b, double z) {
    fine(bench_go(b, -9, 13, 9));
    for (int y = 13; y <= 27; y++)
        fine(bench_go(b, -9, y, z));
    fine(bench_go(b, -9, 27, 9));
}

// Through the pieces, low and high, at any speed of time.
static void test_collisions(void **state) {
    (void)state;
    static const double rates[] = {20, 200, 1000};
    for (int i = 0; i < 3; i++) {
        Bench b;
        bench_begin(&b, &look, rates[i]);
        fine(bench_fingers(&b, false));
        sweep(&b, 5);
        assert_int_equal(bench_told(&b).collisions, 0);
        sweep(&b, 1.5);
        SimTold told = bench_told(&b);
        assert_int_equal(told.collisions, 4);
        assert_int_equal(told.fallen, 4);
        fine(bench_go(&b, 0, 21, 9));
        fine(bench_go(&b, 0, 21, -0.9));
        assert_int_equal(bench_told(&b).collisions, told.collisions + 1); // the table itself
        bench_end(&b);
    }
}

// What is carried is in the way too, though the fingers pass.
static void test_carried_piece_collides(void **state) {
    (void)state;
    Bench b;
    bench_begin(&b, &look, RATE);
    fine(bench_at(&b, FIRST_STORE + 1, 0, 0, false));
    fine(bench_go(&b, 9, 19, 2.4)); // its foot is at 1.6, and 1.7 is the top of what stands there
    fine(bench_go(&b, 9, 19, 2.0));
    fine(bench_go(&b, 9, 23, 2.0));
    assert_true(bench_told(&b).collisions > 0);
    bench_end(&b);
}

// --- what goes wrong ---

static void carry(Bench *b, int from, int to) {
    if (bench_at(b, from, 0, 0, false) == CONTROLLER_OK)
        bench_at(b, to, 0, 0, true);
}

static void test_drop_and_miss(void **state) {
    (void)state;
    for (int t = SIM_DROP; t <= SIM_MISS; t++) {
        Bench b;
        bench_begin(&b, &look, RATE);
        sim_table_trouble(b.sim, (SimTrouble)t);
        for (int i = 0; i < 3; i++)
            carry(&b, FIRST_STORE + i, i);
        SimTold told = bench_told(&b);
        assert_int_equal(told.troubles, 1);
        assert_int_equal(told.placed, 2);
        assert_int_equal(told.picked, t == SIM_DROP ? 3 : 2);
        assert_int_equal(told.fallen, t == SIM_DROP ? 1 : 0);
        bench_end(&b);
    }
}

static void test_stuck(void **state) {
    (void)state;
    Bench b;
    bench_begin(&b, &look, RATE);
    sim_table_trouble(b.sim, SIM_STUCK);
    for (int i = 0; i < 3; i++)
        carry(&b, FIRST_STORE + i, i);
    SimTold told = bench_told(&b);
    assert_int_equal(told.troubles, 1);
    assert_true(told.placed < 3);
    controller_close(b.c);
    sim_table_repair(b.sim);
    bench_pieces(&b);
    bench_wake(&b);
    int64_t before = bench_told(&b).placed;
    carry(&b, FIRST_STORE, 4);
    assert_int_equal(bench_told(&b).placed, before + 1);
    bench_end(&b);
}

static void test_pulled(void **state) {
    (void)state;
    Bench b;
    bench_begin(&b, &look, RATE);
    sim_table_trouble(b.sim, SIM_PULL);
    ControllerFault fault = CONTROLLER_OK;
    for (int i = 0; i < 20 && fault == CONTROLLER_OK; i++)
        fault = bench_at(&b, 4, 2, 0, true);
    assert_int_equal(fault, CONTROLLER_LOST);
    assert_int_equal(bench_told(&b).troubles, 1);
    controller_close(b.c);
    text_clear(&b.why);
    b.c = controller_open(&b.arm, sim_table_port(b.sim), &quick, &b.why);
    assert_null(b.c);
    sim_table_repair(b.sim);
    bench_wake(&b);
    carry(&b, FIRST_STORE, 4);
    assert_int_equal(bench_told(&b).placed, 1);
    bench_end(&b);
}

// Bytes are lost for a while; afterwards everything is as before.
static void test_lost_bytes(void **state) {
    (void)state;
    Bench b;
    bench_begin(&b, &look, RATE);
    ControllerOptions impatient = quick;
    impatient.answer = 0.05;
    controller_close(b.c);
    b.c = controller_open(&b.arm, sim_table_port(b.sim), &impatient, &b.why);
    assert_non_null(b.c);
    for (int i = 0; i < 20 && controller_find(b.c, &b.why) != CONTROLLER_OK; i++)
        usleep(10000);
    sim_table_trouble(b.sim, SIM_LOSE);
    for (int i = 0; i < 200 && bench_told(&b).troubles == 0; i++)
        bench_at(&b, 4, 2, 0, true);
    assert_int_equal(bench_told(&b).troubles, 1);
    sim_table_repair(b.sim);
    bench_pieces(&b);
    controller_close(b.c);
    b.c = controller_open(&b.arm, sim_table_port(b.sim), &quick, &b.why);
    assert_non_null(b.c);
    fine(controller_find(b.c, &b.why));
    fine(bench_fingers(&b, true));
    fine(bench_go(&b, 0, 21, 9));
    int64_t before = bench_told(&b).placed;
    carry(&b, FIRST_STORE, 4);
    assert_int_equal(bench_told(&b).placed, before + 1);
    bench_end(&b);
}

// --- persons ---

static void test_person(void **state) {
    (void)state;
    Bench b;
    bench_begin(&b, &look, 3);
    assert_false(sim_table_person(b.sim, 4, 5, 1)); // nothing there
    assert_false(sim_table_person(b.sim, -1, 5, 1));
    assert_false(sim_table_person(b.sim, FIRST_STORE, SITES, 1));
    assert_true(sim_table_person(b.sim, FIRST_STORE, 4, 2));
    assert_true(sim_table_person(b.sim, 4, 5, 2)); // behind the first
    assert_false(sim_table_person(b.sim, FIRST_STORE, 3, 2));
    assert_int_equal(bench_kind(&b, FIRST_STORE, 0), 0);
    double end = sim_board_seconds(sim_table_board(b.sim)) + 5;
    bool lifted = false, between = false;
    while (sim_board_seconds(sim_table_board(b.sim)) < end) {
        bool first = bench_kind(&b, FIRST_STORE, 0) == 0, middle = bench_kind(&b, 4, 0) == 0;
        bool last = bench_kind(&b, 5, 0) == 0;
        lifted = lifted || (!first && !middle && !last);
        between = between || middle;
    }
    assert_true(lifted);
    assert_true(between);
    assert_int_equal(bench_kind(&b, 5, 0), 0);
    assert_int_equal(bench_kind(&b, 4, 0), SCENE_NOTHING);
    assert_true(sim_table_person(b.sim, 5, 4, 0)); // at once
    assert_int_equal(bench_kind(&b, 4, 0), 0);
    for (int i = 0; i < 50; i++) // as many as a move of Reversi may take
        assert_true(sim_table_person(b.sim, i % 2 ? 5 : 4, i % 2 ? 4 : 5, 0.1));
    bench_end(&b);
}

// --- pictures ---

static const uint8_t *pixel_at(const Picture *p, double x, double y) {
    int px = (int)lround(x), py = (int)lround(y);
    assert_in_range(px, 0, p->width - 1);
    assert_in_range(py, 0, p->height - 1);
    return &p->pixel[((size_t)py * (size_t)p->width + (size_t)px) * 3];
}

// Where a site is in the picture, at the height of the top of a piece.
static const uint8_t *pixel_of(Bench *b, const Picture *p, const View *v, int site) {
    double x, y;
    homography_map(v->to_picture, b->site[site].at.x, b->site[site].at.y, &x, &y);
    return pixel_at(p, x, y);
}

static bool near_paint(const uint8_t *seen, const uint8_t *paint, double least, double most) {
    int strongest = paint[0] > paint[2] ? 0 : 2;
    double part = (double)seen[strongest] / paint[strongest];
    return part > least && part < most && (seen[0] > seen[2]) == (paint[0] > paint[2]);
}

static void test_picture(void **state) {
    (void)state;
    static const SimLook looks[] = {{0}, {.tilt = 25}, {.noise = 6, .light = 0.3, .shake = 2}};
    for (int i = 0; i < 3; i++) {
        Bench b;
        bench_begin(&b, &looks[i], RATE);
        Picture p = {0};
        View v = {0};
        sim_table_view(b.sim, &v);
        assert_true(v.placed);
        if (!camera_take(b.camera, &p, 1, &b.why))
            fail_msg("%s", text_c(&b.why));
        assert_int_equal(p.width, 640);
        assert_int_equal(p.height, 480);
        for (int s = FIRST_STORE; s < SITES; s++)
            assert_true(
                near_paint(pixel_of(&b, &p, &v, s), b.kind[s >= FIRST_STORE + 4].paint, 0.5, 1.2));
        for (int s = 0; s < CELLS; s++) { // wood
            const uint8_t *c = pixel_of(&b, &p, &v, s);
            assert_true(c[0] > c[2] && c[2] > 40);
        }
        picture_free(&p);
        bench_end(&b);
    }
}

static double difference(const Picture *a, const Picture *b) {
    double sum = 0;
    for (size_t i = 0; i < (size_t)a->width * (size_t)a->height * 3; i++)
        sum += (a->pixel[i] - b->pixel[i]) * (a->pixel[i] - b->pixel[i]);
    return sqrt(sum / ((double)a->width * a->height * 3));
}

// Two frames differ by the noise that was asked for, and by nothing without.
static void test_noise(void **state) {
    (void)state;
    for (int noise = 0; noise <= 10; noise += 5) {
        Bench b;
        SimLook with = {.noise = noise};
        bench_begin(&b, &with, RATE);
        Picture p = {0}, q = {0};
        assert_true(camera_take(b.camera, &p, 1, &b.why));
        assert_true(camera_take(b.camera, &q, 1, &b.why));
        double d = difference(&p, &q) / sqrt(2);
        assert_true(noise == 0 ? d == 0 : fabs(d - noise) < 0.1 * noise);
        picture_free(&p);
        picture_free(&q);
        bench_end(&b);
    }
}

// A hand and the arm are seen while they are over the board, and gone afterwards.
static void test_seen_over_the_board(void **state) {
    (void)state;
    Bench b;
    bench_begin(&b, &(SimLook){.tilt = 12}, 5);
    Picture empty = {0}, p = {0};
    View v = {0};
    sim_table_view(b.sim, &v);
    assert_true(camera_take(b.camera, &empty, 1, &b.why));
    assert_true(sim_table_person(b.sim, FIRST_STORE, 4, 3));
    double most = 0, end = sim_board_seconds(sim_table_board(b.sim)) + 3.1;
    while (sim_board_seconds(sim_table_board(b.sim)) < end) {
        assert_true(camera_take(b.camera, &p, 1, &b.why));
        most = fmax(most, difference(&p, &empty));
        usleep(5000);
    }
    assert_true(most > 15);
    assert_true(camera_take(b.camera, &p, 1, &b.why));
    assert_true(difference(&p, &empty) < 15); // a piece is elsewhere now
    assert_true(near_paint(pixel_of(&b, &p, &v, 4), b.kind[0].paint, 0.8, 1.1));
    fine(bench_go(&b, 0, 21, 4));
    assert_true(camera_take(b.camera, &empty, 1, &b.why));
    assert_true(difference(&p, &empty) > 10);
    picture_free(&p);
    picture_free(&empty);
    bench_end(&b);
}

// Tags lie where the table says; without their library a table with tags is refused.
static void test_tags(void **state) {
    (void)state;
    Text why = {0};
    Tags *tags = tags_new(&why);
    static const SimLook with = {.noise = 5, .light = 0.2, .tilt = 15, .tags = true};
    if (!tags) {
        Bench none = {0};
        bench_table(&none);
        assert_null(sim_table_new(&none.table, &with, RATE, 1, &why));
        text_free(&why);
        return;
    }
    Bench b;
    bench_begin(&b, &with, RATE);
    Picture p = {0};
    View v = {0};
    double found[8];
    sim_table_view(b.sim, &v);
    assert_true(camera_take(b.camera, &p, 1, &b.why));
    if (!tags_find(tags, &p, found, &b.why))
        fail_msg("%s", text_c(&b.why));
    for (int k = 0; k < 4; k++) {
        double x, y;
        homography_map(v.to_picture, b.table.corner[k * 2], b.table.corner[k * 2 + 1], &x, &y);
        assert_true(hypot(x - found[k * 2], y - found[k * 2 + 1]) < 1);
    }
    tags_free(tags);
    picture_free(&p);
    text_free(&why);
    bench_end(&b);
}

// What is put on the table is what is read from its pictures.
static void test_read_back(void **state) {
    (void)state;
    static const SimLook with = {.noise = 8, .light = 0.25, .tilt = 18, .shake = 1};
    Bench b;
    bench_begin(&b, &with, RATE);
    View v = {0};
    sim_table_view(b.sim, &v);
    Eye *eye = eye_new(&v);
    Sight *sight = mem_alloc(sizeof *sight);
    Picture p = {0};
    Rng rng;
    rng_seed(&rng, 9);
    assert_non_null(eye);
    assert_non_null(sight);
    for (int round = 0; round < 20; round++) {
        memset(b.scene.kind, SCENE_NOTHING, SITES * SCENE_LEVELS);
        for (int s = 0; s < SITES; s++)
            if (rng_below(&rng, 2))
                b.scene.kind[s * SCENE_LEVELS] = (uint8_t)rng_below(&rng, 2);
        sim_table_set(b.sim, &b.scene);
        assert_true(camera_take(b.camera, &p, 1, &b.why));
        assert_true(eye_look(eye, &p, sight));
        assert_int_equal(sight->places, SITES);
        for (int s = 0; s < SITES; s++)
            assert_int_equal(sight->seen[s].kind, b.scene.kind[s * SCENE_LEVELS]);
    }
    eye_free(eye);
    mem_free(sight);
    picture_free(&p);
    bench_end(&b);
}

// A file that says where its places are in the picture gets a camera that sees them there.
static void test_camera_of_a_file(void **state) {
    (void)state;
    Bench b = {0};
    bench_table(&b);
    for (int i = 0; i < CELLS; i++) { // mirrored, turned, in perspective
        double x = b.site[i].at.x, y = b.site[i].at.y - 21, w = 1 + 0.02 * x + 0.01 * y;
        b.site[i].seen = true;
        b.site[i].picture_x = 320 + (-14 * x + 4 * y) / w;
        b.site[i].picture_y = 240 + (4 * x + 13 * y) / w;
    }
    b.sim = sim_table_new(&b.table, &(SimLook){0}, RATE, 1, &b.why);
    assert_non_null(b.sim);
    b.scene = (Scene){&b.table, mem_alloc(SITES * SCENE_LEVELS)};
    memset(b.scene.kind, SCENE_NOTHING, SITES * SCENE_LEVELS);
    for (int i = 0; i < CELLS; i++)
        b.scene.kind[i * SCENE_LEVELS] = (uint8_t)(i % 2);
    sim_table_set(b.sim, &b.scene);
    b.camera = sim_table_camera(b.sim);
    Picture p = {0};
    View v = {0};
    sim_table_view(b.sim, &v);
    assert_true(camera_take(b.camera, &p, 1, &b.why));
    for (int i = 0; i < CELLS; i++) {
        double x, y;
        homography_map(v.to_picture, b.site[i].at.x, b.site[i].at.y, &x, &y);
        assert_true(hypot(x - b.site[i].picture_x, y - b.site[i].picture_y) < 0.01);
        assert_true(near_paint(pixel_at(&p, x, y), b.kind[i % 2].paint, 0.6, 1.1));
    }
    picture_free(&p);
    bench_end(&b);
}

// Some milliseconds of a processor a frame; sanitizers take their time.
static void test_frames_are_quick(void **state) {
    (void)state;
    Bench b;
    bench_begin(&b, &(SimLook){.noise = 6, .light = 0.2, .tilt = 12, .shake = 1}, RATE);
    Picture p = {0};
    struct timespec from, to;
    double best = HUGE_VAL;
    for (int i = 0; i < 20; i++) {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
        assert_true(camera_take(b.camera, &p, 1, &b.why));
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
        best = fmin(best, (double)(to.tv_sec - from.tv_sec) * 1e3 +
                              (double)(to.tv_nsec - from.tv_nsec) / 1e6);
    }
    print_message("# %.2f ms a frame\n", best);
    assert_true(best < 100);
    if (getenv("LUDENS_SHOTS"))
        picture_save(&p, "sim_table.png", &b.why);
    picture_free(&p);
    bench_end(&b);
}

static void test_words(void **state) {
    (void)state;
    assert_string_equal(sim_trouble_word(SIM_DROP), "drop");
    assert_string_equal(sim_trouble_word(SIM_PULL), "pull");
    assert_string_equal(sim_trouble_word(SIM_TROUBLES), "?");
}

// Without memory there is no table, and nothing leaks.
static void test_out_of_memory(void **state) {
    (void)state;
    Bench b = {0};
    bench_table(&b);
    SimTable *s = NULL;
    int failed = 0;
    for (long n = 1; !s && n < 100; n++) {
        mem_fail_at(n);
        s = sim_table_new(&b.table, &look, RATE, 1, &b.why);
        mem_fail_at(0);
        failed += !s;
    }
    assert_non_null(s);
    assert_in_range(failed, 5, 50);
    sim_table_free(s);
    text_free(&b.why);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_takes_and_puts),
        cmocka_unit_test(test_piles),
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_dropped_from_above),
        cmocka_unit_test(test_collisions),
        cmocka_unit_test(test_carried_piece_collides),
        cmocka_unit_test(test_drop_and_miss),
        cmocka_unit_test(test_stuck),
        cmocka_unit_test(test_pulled),
        cmocka_unit_test(test_lost_bytes),
        cmocka_unit_test(test_person),
        cmocka_unit_test(test_picture),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_seen_over_the_board),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_read_back),
        cmocka_unit_test(test_camera_of_a_file),
        cmocka_unit_test(test_frames_are_quick),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
