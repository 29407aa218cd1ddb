// The arm: published poses, there and back on random points, limits, arm files.
#include "base/rng.h"
#include "robot/arm.h"
#include "robot/path.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define TARGETS 1000000

static double uniform(Rng *rng, double low, double high) {
    return low + (high - low) * (double)(rng_next(rng) >> 11) / 9007199254740992.0;
}

// An arm without limits worth mentioning: what is compared is the geometry.
static Arm free_arm(void) {
    Arm arm;
    arm_usual(&arm);
    for (int j = 0; j < ARM_JOINTS; j++) {
        arm.joint[j].low = -180;
        arm.joint[j].high = 180;
    }
    return arm;
}

// Poses that the inverse kinematics of S3Games was published with: above a place, and at it.
static void test_published_poses(void **state) {
    (void)state;
    static const struct {
        Point at;
        double above[5], down[5];
    } rows[] = {
        {{0, 20, 0}, {0, -5.5822, -1.7502, -82.6676, 85}, {0, -17.4964, -16.0684, -56.4352, 85}},
        {{-9, 20, 0},
         {-24.2277, -13.1188, 6.7473, -83.6285, 85},
         {-24.2277, -24.0280, -7.3975, -58.5745, 85}},
        {{0, 25, 3}, {0, -25.8808, 32.0246, -96.1438, 85}, {0, -29.9157, 10.9551, -71.0394, 85}},
    };
    Arm arm = free_arm();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int down = 0; down < 2; down++) {
            Point to = rows[i].at;
            to.z += down ? 0 : arm.hover;
            const double *angle = down ? rows[i].down : rows[i].above;
            Pose near, pose;
            memcpy(near.angle, angle, sizeof near.angle);
            assert_int_equal(arm_reach(&arm, to, -90, &near, &pose).fault, REACH_OK);
            for (int j = 0; j < ARM_JOINTS; j++)
                assert_true(fabs(pose.angle[j] - angle[j]) < 0.0001);
            Point back = arm_point(&arm, &near); // from the angles, to the centimetres
            assert_true(hypot(hypot(back.x - to.x, back.y - to.y), back.z - to.z) < 0.001);
        }
    }
    Pose pose;
    Reach far = arm_reach(&arm, (Point){0, 40, 0}, -90, NULL, &pose);
    assert_int_equal(far.fault, REACH_FAR);
    assert_true(far.missing > 0);
}

// A random pose says where the fingers are; from there the way back leads to the same point.
static void test_there_and_back(void **state) {
    (void)state;
    Arm arm;
    arm_usual(&arm);
    Rng rng;
    rng_seed(&rng, 1);
    double worst = 0;
    for (int i = 0; i < TARGETS; i++) {
        Pose pose, found;
        for (int j = 0; j < ARM_JOINTS; j++)
            pose.angle[j] = uniform(&rng, arm.joint[j].low, arm.joint[j].high);
        pose.angle[ARM_HAND] = arm.hand_turn;
        Point to = arm_point(&arm, &pose);
        Reach reach = arm_reach(&arm, to, arm_pitch(&pose), &pose, &found);
        assert_int_equal(reach.fault, REACH_OK);
        Point back = arm_point(&arm, &found);
        worst = fmax(worst, hypot(hypot(back.x - to.x, back.y - to.y), back.z - to.z));
        double degrees;
        assert_int_equal(arm_beyond(&arm, &found, &degrees), -1);
    }
    assert_true(worst < 0.001); // cm: a hundredth of a millimetre
}

static double strange(Rng *rng) {
    static const double values[] = {0,      -0.0, 5,        14.605,    -14.605,     33.3375,
                                    1e-300, 1e9,  HUGE_VAL, -HUGE_VAL, (double)NAN, 9999.9};
    if (rng_below(rng, 8) == 0)
        return values[rng_below(rng, sizeof values / sizeof *values)];
    return uniform(rng, -60, 60);
}

// Whatever is asked for: an angle outside the limits never, nor one that is no number.
static void test_any_target(void **state) {
    (void)state;
    Arm arm;
    arm_usual(&arm);
    Rng rng;
    rng_seed(&rng, 2);
    int reached = 0, leaning = 0;
    for (int i = 0; i < TARGETS; i++) {
        Point to = {strange(&rng), strange(&rng), strange(&rng)};
        Pose pose = {{12345, 12345, 12345, 12345, 12345}};
        Reach reach = arm_reach_down(&arm, to, NULL, &pose);
        if (reach.fault != REACH_OK) {
            assert_true(pose.angle[0] == 12345); // untouched
            assert_true(reach.fault == REACH_NUMBER || isfinite(reach.missing));
            continue;
        }
        reached++;
        for (int j = 0; j < ARM_JOINTS; j++) {
            int pulse;
            assert_true(pose.angle[j] >= arm.joint[j].low && pose.angle[j] <= arm.joint[j].high);
            assert_true(arm_pulse(&arm, j, pose.angle[j], &pulse));
            assert_true(pulse >= arm.joint[j].least && pulse <= arm.joint[j].most);
            assert_true(fabs(arm_angle(&arm, j, pulse) - pose.angle[j]) < 0.06);
        }
        double pitch = arm_pitch(&pose);
        leaning += pitch > -89.5;
        assert_true(pitch > -90.001 && pitch < -90 + arm.tilt + 0.001);
        Point back = arm_point(&arm, &pose);
        assert_true(hypot(hypot(back.x - to.x, back.y - to.y), back.z - to.z) < 0.001);
    }
    assert_true(reached > 10000 && leaning > 1000);
}

// Of two ways to bend the elbow the nearer one is taken.
static void test_nearer_elbow(void **state) {
    (void)state;
    Arm arm = free_arm();
    Pose one, other, again;
    Point to = {3, 18, 4};
    assert_int_equal(arm_reach(&arm, to, -60, NULL, &one).fault, REACH_OK);
    other = one;
    other.angle[ARM_ELBOW] = 180 - one.angle[ARM_ELBOW]; // bent the other way
    other.angle[ARM_SHOULDER] -= 60;
    assert_int_equal(arm_reach(&arm, to, -60, &other, &again).fault, REACH_OK);
    assert_true(fabs(again.angle[ARM_ELBOW] - one.angle[ARM_ELBOW]) > 20);
    assert_int_equal(arm_reach(&arm, to, -60, &one, &again).fault, REACH_OK);
    assert_true(fabs(again.angle[ARM_ELBOW] - one.angle[ARM_ELBOW]) < 1e-9);
}

static void test_faults_have_words(void **state) {
    (void)state;
    Arm arm;
    arm_usual(&arm);
    Pose pose;
    Text text = {0};
    Reach far = arm_reach_down(&arm, (Point){0, 60, 0}, NULL, &pose);
    arm_reach_text(&far, &text);
    assert_non_null(strstr(text_c(&text), "too far away"));
    text_clear(&text);
    Reach behind = arm_reach_down(&arm, (Point){0, -20, 5}, NULL, &pose);
    arm_reach_text(&behind, &text);
    assert_non_null(strstr(text_c(&text), "base"));
    text_free(&text);
}

// --- arm files ---

static bool read_text(const char *text, Arm *arm, Diags *diags) {
    Source source = {"test.arm", text, strlen(text)};
    return arm_read(&source, arm, diags);
}

static void test_file_there_and_back(void **state) {
    (void)state;
    Arm arm, copy;
    arm_usual(&arm);
    arm.joint[ARM_ELBOW].per_degree = -9.7;
    arm.joint[ARM_ELBOW].low = -40;
    arm.fore = 18.3;
    arm.home = (Pose){{1.5, 50, -30, -80, 0}};
    Text text = {0};
    arm_write(&arm, &text);
    arm_usual(&copy);
    Diags diags = {0};
    assert_true(read_text(text_c(&text), &copy, &diags));
    assert_int_equal(diags.count, 0);
    assert_true(copy.fore == arm.fore && copy.joint[ARM_ELBOW].low == -40 &&
                copy.joint[ARM_ELBOW].per_degree == -9.7);
    assert_memory_equal(&copy.home, &arm.home, sizeof arm.home);
    assert_string_equal(copy.name, "AL5D");
    Text again = {0};
    arm_write(&copy, &again);
    assert_string_equal(text_c(&again), text_c(&text));
    text_free(&text);
    text_free(&again);
    diag_free(&diags);
}

#define HOME "`home` is a list of 5 angles, from the base to the hand"
#define HOME_LINE "home = 0, 53, -60, -90, 13\n"
#define HOME_ANGLES "angles of `home` are numbers from -180 to 180"

static void test_wrong_files(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
        int line;
    } rows[] = {
        {"upper = long\n", "`upper` is a number", 1},
        {"upper = 0x10\n", "`upper` is a number", 1},
        {"# arm\nupper = -3\n", "`upper` can be 0.1 to 200", 2},
        {"[elbo]\nlow = 3\n", "an arm has no joint `elbo`", 1},
        {"[base]\nchannel = 1.5\n", "`channel` is a whole number", 2},
        {"[base]\nchanel = 1\n", "nothing is known about `chanel` here", 2},
        {"[base]\nspeed = 5.9\n", "`speed` can be 6 to 360", 2},
        {"[base\n", "a heading is the name of a joint in brackets: `[elbow]`", 1},
        {"upper\n", "a line is `name = value`, or a heading in brackets", 1},
        {"[base]\nchannel = 1\n", "[base] and [shoulder] have the same channel", 0},
        {"[base]\nlow = 50\nhigh = 20\n", "[base]: `low` is below `high`", 0},
        {"[base]\nhigh = 170\n", "[base]: its angles need pulses outside 600 to 2400", 0},
        {"[fingers]\nopen = 2450\n", "[fingers]: `open` and `close` lie between 600 and 2400", 0},
        {"home = 0, 53, -60, -90\n", HOME, 1},
        {"home = 0, 53, -60, -90, 13, 1\n", HOME, 1},
        {"home = 0, 53, , -90, 13\n", HOME_ANGLES, 1},
        {"home = 0, 53, -60, -90, 181\n", HOME_ANGLES, 1},
        {"home = 0, nan, -60, -90, 13\n", HOME_ANGLES, 1},
        {"home =\n", HOME_ANGLES, 1},
        {"[fingers]\nopen = 1500\nclose = 1500\n", "[fingers]: `open` and `close` are not the same",
         0},
        {"upper = 14\nfore = 18\nupper = 15\n", "`upper` was said already, in line 1", 3},
        {"[base]\nlow = -80\n[elbow]\nlow = -60\n[base]\nlow = -70\n",
         "`low` was said already, in line 2", 6},
        {"name = a\nname = b\n", "`name` was said already, in line 1", 2},
        {HOME_LINE HOME_LINE, "`home` was said already, in line 1", 2},
        {"[tables]\nupper = 14\nupper = 14\n", "`upper` was said already, in line 2", 3},
        {"hand_turn = 100\n", "`hand_turn` is not within the angles of [hand]", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arm arm, before;
        arm_usual(&arm);
        before = arm;
        Diags diags = {0};
        assert_false(read_text(rows[i].text, &arm, &diags));
        assert_int_equal(diags.count, 1);
        assert_string_equal(diags.items[0].message, rows[i].message);
        assert_int_equal(diags.items[0].span.line, rows[i].line);
        assert_memory_equal(&arm, &before, sizeof arm);
        diag_free(&diags);
    }
}

// Where it rests is never moved into the limits without a word, nor lies in the table.
static void test_home(void **state) {
    (void)state;
    static const struct {
        const char *text, *why; // NULL: it is all right
    } rows[] = {
        {"", NULL},
        {"[elbow]\nlow = -55\n", "the elbow cannot stand at -60.0 degrees at home: it can from "
                                 "-55.0 to 90.0. `home` in the "
                                 "file of the arm says where it rests"},
        {"home = 0, 53, -55, -90, 13\n[elbow]\nlow = -55\n", NULL},
        {"home = 0, 53, -60, -90, 100\n",
         "the hand cannot stand at 100.0 degrees at home: it can from -90.0 to 90.0. `home` in the "
         "file of the arm says where it rests"},
        {"home = 0, -60, 0, -60, 13\n",
         "at home the hand would be 11.3 cm deep in the table or the board. `home` in the file of "
         "the arm says where it rests"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arm arm;
        Diags diags = {0};
        Text why = {0};
        arm_usual(&arm);
        assert_true(read_text(rows[i].text, &arm, &diags));
        assert_int_equal(path_home(&arm, 0, &why), rows[i].why == NULL);
        assert_string_equal(text_c(&why), rows[i].why ? rows[i].why : "");
        text_free(&why);
        diag_free(&diags);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_poses),   cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_any_target),        cmocka_unit_test(test_nearer_elbow),
        cmocka_unit_test(test_faults_have_words), cmocka_unit_test(test_file_there_and_back),
        cmocka_unit_test(test_wrong_files),       cmocka_unit_test(test_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
