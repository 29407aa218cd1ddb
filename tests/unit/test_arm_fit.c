// Tests of src/robot/arm_fit.c: the measures of an arm that differs from its file, found from
// places to which somebody moved its fingers.
#include "robot/arm_fit.h"

#include "base/rng.h"
#include "robot/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NEAR 0.2 // cm: what fingers may be off
#define ALL 64

typedef struct Fixture {
    Game *game;
    Arm said;
    Table *table;
    Rng rng;
    FitPlace place[ALL];
    char name[ALL][8];
    int places;
    Text why;
} Fixture;

static void begin(Fixture *f, uint64_t seed) {
    Diags diags = {0};
    *f = (Fixture){0};
    arm_usual(&f->said);
    rng_seed(&f->rng, seed);
    f->game = game_load("mill", NULL, 0, &diags);
    f->table = table_new(f->game, &f->said, &f->why);
    if (!f->table)
        fail_msg("%s", text_c(&f->why));
    diag_free(&diags);
}

static void end(Fixture *f) {
    table_free(f->table);
    game_free(f->game);
    text_free(&f->why);
}

// -1 .. 1
static double chance(Fixture *f) {
    return (double)(rng_next(&f->rng) >> 11) / 4503599627370496.0 - 1;
}

// An arm as one gets it out of its box: servos some degrees off, links by 2 %, set down askew.
static Arm real_arm(Fixture *f) {
    Arm a = f->said;
    a.base_x = 0.5 * chance(f);
    a.base_y = 0.5 * chance(f);
    a.shoulder_height += 0.2 * chance(f);
    a.upper *= 1 + 0.02 * chance(f);
    a.fore *= 1 + 0.02 * chance(f);
    a.hand *= 1 + 0.02 * chance(f);
    for (int j = 0; j < ARM_HAND; j++) {
        ArmJoint *joint = &a.joint[j];
        joint->zero += 5 * joint->per_degree * chance(f);
        joint->per_degree *= 1 + 0.02 * chance(f);
        joint->low -= 15; // its stops are where they are
        joint->high += 15;
    }
    return a;
}

// False if it is out of reach.
static bool pulses_to(const Arm *arm, Point to, int *pulse) {
    Pose pose;
    bool ok = arm_reach_down(arm, to, NULL, &pose).fault == REACH_OK;
    for (int j = 0; j < ARM_JOINTS && ok; j++)
        ok = arm_pulse(arm, j, pose.angle[j], &pulse[j]);
    return ok;
}

// As a person does it: the arm goes by its file, and is moved on by as much as it is seen to miss.
static bool move_there(Fixture *f, const Arm *real, Point to, int *pulse) {
    Point aim = to;
    for (int i = 0; i < 30; i++) {
        Pose pose;
        if (!pulses_to(&f->said, aim, pulse))
            return false;
        for (int j = 0; j < ARM_JOINTS; j++)
            pose.angle[j] = arm_angle(real, j, pulse[j]);
        Point at = arm_point(real, &pose);
        aim = (Point){aim.x + 0.7 * (to.x - at.x), aim.y + 0.7 * (to.y - at.y),
                      aim.z + 0.7 * (to.z - at.z)};
    }
    for (int j = 0; j < ARM_JOINTS; j++) // and a servo does not know better than to a step
        pulse[j] += (int)lround(chance(f));
    return true;
}

static void record(Fixture *f, const Arm *real, const char *name) {
    FitPlace *p = &f->place[f->places];
    const Site *site = &f->table->site[table_site_named(f->table, name)];
    *p = (FitPlace){.name = name, .at = site->at};
    f->places += move_there(f, real, site->at, p->pulse);
}

static void record_all(Fixture *f, const Arm *real, const char *names) {
    f->places = 0;
    for (const char *s = names; *s; s += strspn(s, " ")) {
        size_t n = strcspn(s, " ");
        snprintf(f->name[f->places], sizeof f->name[0], "%.*s", (int)n, s);
        record(f, real, f->name[f->places]);
        s += n;
    }
}

// How far a real arm is off at the worst place if it goes by these measures.
static double worst_by(Fixture *f, const Arm *real, const Arm *measures, int *reached) {
    double worst = 0;
    *reached = 0;
    for (int i = 0; i < f->table->sites; i++) {
        int pulse[ARM_JOINTS];
        if (!pulses_to(measures, f->table->site[i].at, pulse))
            continue;
        (*reached)++;
        worst = fmax(worst, arm_off(real, pulse, f->table->site[i].at));
    }
    return worst;
}

static void test_reaches_all_places(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Fixture f;
        Arm found;
        begin(&f, seed);
        Arm real = real_arm(&f);
        record_all(&f, &real, "a1 g1 a7 g7 d2 d6 b4 f4 d1");
        int reached;
        double before = worst_by(&f, &real, &f.said, &reached);
        if (!arm_fit(&f.said, f.place, f.places, &found, &f.why))
            fail_msg("%s", text_c(&f.why));
        double after = worst_by(&f, &real, &found, &reached);
        assert_true(reached >= f.table->sites - 2); // a joint may be too short of turn for some
        assert_true(before > NEAR);
        assert_true(after < NEAR);
        for (int i = 0; i < f.places; i++)
            assert_true(f.place[i].off < NEAR && f.place[i].before > f.place[i].off);
        end(&f);
    }
}

// The corners and the middle are enough, if less well.
static void test_five_places(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Fixture f;
        Arm found;
        int reached;
        begin(&f, seed);
        Arm real = real_arm(&f);
        record_all(&f, &real, "a1 g1 a7 g7 d3");
        if (f.places == FIT_LEAST) {
            if (!arm_fit(&f.said, f.place, f.places, &found, &f.why))
                fail_msg("%s", text_c(&f.why));
            assert_true(worst_by(&f, &real, &found, &reached) < 1.5 * NEAR);
            assert_true(reached >= f.table->sites - 2);
        }
        end(&f);
    }
}

// A place that was taken for another, or recorded badly, is named.
static void test_one_is_wrong(void **state) {
    static const char *const names[] = {"a1 g1 a7 g7 d3", "a1 g1 a7 g7 d2 d6 b4 f4 d1"};
    (void)state;
    for (int i = 0; i < 40; i++) {
        Fixture f;
        Arm found = {0};
        char said[40];
        begin(&f, (uint64_t)i + 1);
        Arm real = real_arm(&f);
        record_all(&f, &real, names[i % 2]);
        FitPlace *wrong = &f.place[i / 2 % f.places];
        wrong->at.x += 1;
        wrong->at.y += 0.5;
        bool ok = f.places >= FIT_LEAST && arm_fit(&f.said, f.place, f.places, &found, &f.why);
        snprintf(said, sizeof said, "by all others %s is ", wrong->name);
        assert_false(ok);
        assert_int_equal(found.upper, 0); // nothing is written
        if (f.places >= FIT_LEAST && !strstr(text_c(&f.why), said))
            fail_msg("%s is wrong, but: %s", wrong->name, text_c(&f.why));
        end(&f);
    }
}

// Places of another game, or recorded with another file.
static void test_all_are_wrong(void **state) {
    Fixture f;
    Arm found;
    (void)state;
    begin(&f, 3);
    Arm real = real_arm(&f);
    record_all(&f, &real, "a1 g1 a7 g7 d2 d6 b4 f4 d1");
    for (int i = 0; i < f.places; i++)
        f.place[i].at.x *= -1;
    assert_false(arm_fit(&f.said, f.place, f.places, &found, &f.why));
    assert_non_null(strstr(text_c(&f.why), "does the board lie as the game says?"));
    end(&f);
}

static void test_refused(void **state) {
    Fixture f;
    Arm found;
    (void)state;
    begin(&f, 2);
    Arm real = real_arm(&f);
    record_all(&f, &real, "a1 g1 a7 g7");
    assert_false(arm_fit(&f.said, f.place, f.places, &found, &f.why));
    assert_string_equal(text_c(&f.why), "4 places are too few: record at least 5, the corners of "
                                        "the board and its middle");
    text_clear(&f.why);
    record_all(&f, &real, "d1 d2 d3 d5 d6");
    assert_false(arm_fit(&f.said, f.place, f.places, &found, &f.why));
    assert_string_equal(text_c(&f.why), "the places are nearly in a row: record others, at least "
                                        "4 cm beside it");
    end(&f);
}

// What was found can be written, is read as it was, stays within the pulses of the servos, and the
// table of a game lies where it lay.
static void test_file(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        Fixture f;
        Arm found, again;
        Text out = {0};
        Diags diags = {0};
        begin(&f, seed);
        Arm real = real_arm(&f);
        record_all(&f, &real, "a1 g1 a7 g7 d2 d6 b4 f4 d1");
        assert_true(arm_fit(&f.said, f.place, f.places, &found, &f.why));
        for (int j = 0; j < ARM_JOINTS; j++) { // it rests where it did, counted in pulses
            int was, is;
            assert_true(arm_pulse(&f.said, j, f.said.home.angle[j], &was));
            assert_true(arm_pulse(&found, j, found.home.angle[j], &is));
            assert_in_range(is - was + 1, 0, 2);
        }
        arm_write(&found, &out);
        Source source = {"a.arm", text_c(&out), out.n};
        arm_usual(&again);
        if (!arm_read(&source, &again, &diags))
            fail_msg("%s", text_c(&out));
        assert_true(fabs(again.fore - found.fore) < 1e-6 && again.laid.given);
        assert_true(fabs(again.base_x - found.base_x) < 1e-6);
        Table *t = table_new(f.game, &again, &f.why);
        if (t) { // a cell that its joints do not reach is named instead
            assert_int_equal(t->sites, f.table->sites);
            int moved = 0; // stores that its joints do not reach
            for (int i = 0; i < t->sites; i++) {
                bool same = memcmp(&t->site[i].at, &f.table->site[i].at, sizeof(Point)) == 0;
                assert_true(same || i >= t->cells);
                moved += !same;
            }
            assert_true(moved <= 2);
        } else {
            assert_non_null(strstr(text_c(&f.why), "the arm does not reach"));
        }
        for (int j = 0; j < ARM_JOINTS; j++) {
            int low, high;
            assert_true(arm_pulse(&found, j, found.joint[j].low, &low));
            assert_true(arm_pulse(&found, j, found.joint[j].high, &high));
            int was_low, was_high;
            arm_pulse(&f.said, j, f.said.joint[j].low, &was_low);
            arm_pulse(&f.said, j, f.said.joint[j].high, &was_high);
            assert_int_equal(low, was_low);
            assert_int_equal(high, was_high);
        }
        table_free(t);
        text_free(&out);
        diag_free(&diags);
        end(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reaches_all_places),
        cmocka_unit_test(test_five_places),
        cmocka_unit_test(test_one_is_wrong),
        cmocka_unit_test(test_all_are_wrong),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
