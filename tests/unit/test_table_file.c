// Tests of src/robot/table_file.c: what was taught is written and read again.
#include "robot/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct Fixture {
    Game *game;
    Arm arm;
    Table *table;
    View view;
} Fixture;

static void begin(Fixture *f, const char *name) {
    Diags diags = {0};
    Text why = {0};
    arm_usual(&f->arm);
    f->game = game_load(name, NULL, 0, &diags);
    f->table = table_new(f->game, &f->arm, &why);
    if (!f->table)
        fail_msg("%s", text_c(&why));
    table_view(f->table, &f->view);
    diag_free(&diags);
    text_free(&why);
}

static void end(Fixture *f) {
    table_free(f->table);
    game_free(f->game);
}

static bool reads(Fixture *f, const char *text, Text *said) {
    Source source = {"t.table", text, strlen(text)};
    Diags diags = {0};
    bool ok = table_read(&source, f->table, &f->view, &diags);
    text_clear(said);
    diag_print(&diags, said, false);
    diag_free(&diags);
    return ok;
}

static void test_round_trip(void **state) {
    Fixture f, g;
    Text out = {0}, again = {0}, said = {0};
    (void)state;
    begin(&f, "mill");
    begin(&g, "mill");
    int site = table_site_named(f.table, "d3");
    assert_true(site >= 0);
    table_teach(f.table, site, &(Pose){{0, -5.6, -1.8, -82.7, 85}},
                &(Pose){{0.1, -17.5, -16.1, -56.4, 85}});
    f.view.kind[0].colours = (Colours){350, 20, 0.25, 1, 0.5, 0.75, 10, 900};
    f.view.light = 183.5;
    f.view.width = 640;
    f.view.height = 480;
    const double pixels[] = {80, 420, 560, 400, 500, 100, 120, 90};
    assert_true(view_place(&f.view, f.table->corner, pixels, 4));
    f.view.placed = true;
    table_write(f.table, &f.view, &out);
    if (!reads(&g, text_c(&out), &said))
        fail_msg("%s", text_c(&said));
    assert_true(g.table->site[site].posed);
    for (int j = 0; j < ARM_JOINTS; j++) {
        assert_true(g.table->site[site].above.angle[j] == f.table->site[site].above.angle[j]);
        assert_true(g.table->site[site].down.angle[j] == f.table->site[site].down.angle[j]);
    }
    assert_true(g.view.placed && g.view.width == 640 && g.view.height == 480);
    for (int i = 0; i < 4; i++) {
        double x, y;
        assert_true(view_point(&g.view, g.table->corner[2 * i], g.table->corner[2 * i + 1],
                               g.table->surface, &x, &y));
        assert_true(fabs(x - pixels[2 * i]) < 0.01 && fabs(y - pixels[2 * i + 1]) < 0.01);
    }
    const Colours *c = &g.view.kind[0].colours;
    assert_true(c->hue_min == 350 && c->hue_max == 20 && c->saturation_min == 0.25);
    assert_true(c->size_min == 10 && c->size_max == 900);
    assert_true(g.view.light == 183.5);
    table_write(g.table, &g.view, &again);
    assert_string_equal(text_c(&out), text_c(&again));
    text_free(&out);
    text_free(&again);
    text_free(&said);
    end(&f);
    end(&g);
}

// An arm that is measured anew stands at taught places as it stood there; one that was forgotten is
// not written.
static void test_measured(void **state) {
    Fixture f;
    Text out = {0};
    (void)state;
    begin(&f, "mill");
    Pose above = {{0, -5.6, -1.8, -82.7, 85}}, down = {{0.1, -17.5, -16.1, -56.4, 85}};
    table_teach(f.table, 2, &above, &down);
    table_teach(f.table, 3, &above, &down);
    table_teach(f.table, 4, &(Pose){{-89, 0, 0, -80, 85}}, &down);
    table_forget(f.table, 3);
    Arm before = f.arm;
    f.arm.joint[ARM_BASE].zero += 30;
    f.arm.joint[ARM_ELBOW].per_degree *= 1.02;
    f.arm.joint[ARM_BASE].low = -85;
    Text told = {0};
    assert_true(table_measured(f.table, &before, &told));
    assert_string_equal(text_c(&told), "d2 cannot be reached as it was taught");
    assert_false(f.table->site[4].taught);
    text_free(&told);
    for (int j = 0; j < ARM_JOINTS; j++) {
        int was, is;
        assert_true(arm_pulse(&before, j, down.angle[j], &was));
        assert_true(arm_pulse(&f.arm, j, f.table->site[2].down.angle[j], &is));
        assert_int_equal(was, is);
    }
    FitPlace place[4];
    assert_int_equal(table_fit_places(f.table, place, 4), 1);
    assert_string_equal(place[0].name, f.table->site[2].name);
    assert_int_equal(place[0].pulse[ARM_BASE], 1501);
    table_write(f.table, &f.view, &out);
    Text heading = {0};
    text_f(&heading, "[%s]", f.table->site[2].name);
    assert_non_null(strstr(text_c(&out), text_c(&heading)));
    text_clear(&heading);
    text_f(&heading, "[%s]", f.table->site[3].name);
    assert_null(strstr(text_c(&out), text_c(&heading)));
    text_free(&heading);
    text_free(&out);
    end(&f);
}

static void test_mistakes(void **state) {
    static const struct {
        const char *text, *said;
    } wrong[] = {
        {"game = chess", "this is about `chess`, not about `mill`"},
        {"light = 300", "the board's `light` is from 1 to 255"},
        {"light = bright", "`light` has 1 numbers"},
        {"name = x", "nothing is known about `name` here"},
        {"[z9]", "no place and no piece `z9`"},
        {"[d3", "a heading is"},
        {"[d3]\nabove", "a line is"},
        {"[d3]\nabove = 0, 0, 0, 0, 0", "`d3` needs both `above` and `down`"},
        {"[d3]\nabove = 0, 0, 0, 0", "`above` has 5 numbers"},
        {"[d3]\nabove = 0, 0, 0, 0, nan", "`above` has 5 numbers"},
        {"[d3]\nabove = 0, 0, 0, 0, 1e999", "`above` has 5 numbers"},
        {"[d3]\nabove = 0, 0, 0, 0, 0, 0", "`above` has 5 numbers"},
        {"[d3]\nabove = 0, 0, 95, 0, 0", "the elbow cannot stand at 95 degrees"},
        {"[d3]\nbeside = 0, 0, 0, 0, 0", "a place has `above` and `down`"},
        {"[corners]\nfront left = 1, 1", "corners are four"},
        {"[corners]\nfront = 1, 1", "corners are `front left`"},
        {"[corners]\npicture = 640, 480\nfront left = 0, 0\nfront right = 1, 1\n"
         "back right = 2, 2\nback left = 3, 3",
         "three of the corners are in a row"},
        {"[corners]\npicture = 0, 480", "a picture has"},
        {"[white man]\nhue = 0, 361", "`hue` is from 0 to 360"},
        {"[white man]\nvalue = 50, 40", "the smaller first"},
        {"[white man]\ntaste = 1", "a piece has `hue`"},
    };
    Fixture f;
    Text said = {0}, before = {0}, after = {0};
    (void)state;
    begin(&f, "mill");
    assert_string_equal(f.table->kind[0].name, "white man");
    table_write(f.table, &f.view, &before);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(reads(&f, wrong[i].text, &said));
        if (!strstr(text_c(&said), wrong[i].said))
            fail_msg("`%s` says: %s", wrong[i].text, text_c(&said));
    }
    // One mistake, and nothing is taken over.
    assert_false(
        reads(&f, "[d3]\nabove = 0, -5, -1, -80, 85\ndown = 0, -17, -16, -56, 85\n[x]\n", &said));
    table_write(f.table, &f.view, &after);
    assert_string_equal(text_c(&before), text_c(&after));
    assert_true(reads(&f,
                      "# nothing\n\n  [d3]  # a place\nabove = 0,-5,-1,-80,85 # so\n"
                      "down = 0 , -17, -16, -56, 85\r\n",
                      &said));
    assert_true(f.table->site[table_site_named(f.table, "d3")].posed);
    text_free(&said);
    text_free(&before);
    text_free(&after);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_measured),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
