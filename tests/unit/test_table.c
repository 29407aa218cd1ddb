// Tables: where cells and stores are, how many pieces there are, what is refused.
#include "game/library.h"
#include "robot/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static Game *load(const char *name) {
    Diags diags = {0};
    Game *g = game_load(name, NULL, 0, &diags);
    assert_non_null(g);
    diag_free(&diags);
    return g;
}

// Nothing stands on something else, and the arm gets everywhere: down, and over the highest pile.
static void check_table(const Table *t) {
    for (int i = 0; i < t->sites; i++) {
        const Site *s = &t->site[i];
        assert_int_equal(s->cell, i < t->cells ? i : -1);
        assert_int_equal(table_site_named(t, s->name), i);
        Pose pose;
        if (!s->posed)
            assert_int_equal(arm_reach_down(t->arm, s->at, NULL, &pose).fault, REACH_OK);
        Point over = {s->at.x, s->at.y, t->surface + table_travel(t, s->room * t->kind[0].height)};
        assert_int_equal(arm_reach_down(t->arm, over, NULL, &pose).fault, REACH_OK);
        for (int j = 0; j < i; j++)
            assert_true(hypot(s->at.x - t->site[j].at.x, s->at.y - t->site[j].at.y) >=
                        2 * t->kind[0].radius);
        assert_true(s->at.x > t->corner[0] && s->at.x < t->corner[2]);
        assert_true(s->at.y > t->corner[1] && s->at.y < t->corner[5]);
    }
}

// All pieces there are stand somewhere.
static void check_scene(const Table *t) {
    Scene s;
    int n[VIEW_KINDS] = {0};
    assert_true(scene_init(&s, t));
    scene_of_state(&s, t->game->start);
    assert_int_equal(scene_differs(&s, t->game->start), -1);
    for (int i = 0; i < t->sites; i++) {
        assert_true(scene_height(&s, i) <= t->site[i].room);
        for (int level = 0; level < scene_height(&s, i); level++) {
            int kind = s.kind[i * SCENE_LEVELS + level];
            assert_true(t->site[i].takes >> kind & 1);
            n[kind]++;
        }
    }
    for (int k = 0; k < t->kinds; k++)
        assert_int_equal(n[k], t->kind[k].count);
    scene_free(&s);
}

static void test_library(void **state) {
    (void)state;
    Arm arm;
    arm_usual(&arm);
    for (int i = 0; i < library_count; i++) {
        Game *g = load(library_games[i].name);
        Text why = {0};
        Table *t = table_new(g, &arm, &why);
        if (!t)
            fail_msg("%s: %s", library_games[i].name, text_c(&why));
        print_message("# %s: %d cells, %d stores, radius %.2f, %d of %s\n", g->name, t->cells,
                      t->sites - t->cells, t->kind[0].radius, t->kind[0].count, t->kind[0].name);
        check_table(t);
        check_scene(t);
        table_free(t);
        text_free(&why);
        game_free(g);
    }
}

static void test_counts(void **state) {
    (void)state;
    static const struct {
        const char *game;
        int count[2], stores;
    } rows[] = {{"mill", {9, 9}, 18},
                {"tic-tac-toe", {5, 4}, 9},
                {"frogs", {3, 3}, 1},
                {"alquerque", {12, 12}, 24}};
    Arm arm;
    arm_usual(&arm);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Game *g = load(rows[i].game);
        Text why = {0};
        Table *t = table_new(g, &arm, &why);
        assert_non_null(t);
        for (int k = 0; k < 2; k++)
            assert_int_equal(t->kind[k].count, rows[i].count[k]);
        assert_int_equal(t->sites - t->cells, rows[i].stores);
        table_free(t);
        game_free(g);
    }
}

// --- places that are given one by one ---

// Two frogs and three pads in an S3 file.
static void s3_frogs(Text *out, const char *const robot[3], const char *more) {
    text_add(out, "[ELEMENT TYPES]\nname=frog\nstates=1\nname=toad\nstates=1\n"
                  "[LOCATION TYPES]\nname=pad\npoint=1,1\n[LOCATIONS]\n");
    for (int i = 0; i < 3; i++)
        text_f(out, "name=pad(%d)\ntype=pad\npoint=%d,50\n%s%s\n", i + 1, 50 * i + 50,
               robot[i] ? "robot=" : "", robot[i] ? robot[i] : "");
    text_add(out, "[PLAYER NAMES]\n1=Solver\n[MOVABLE ELEMENTS]\n"
                  "name=a\ntype=frog\nplayer=1\nlocation=pad(1)\n"
                  "name=b\ntype=toad\nplayer=1\nlocation=pad(2)\n[GAME RULES]\n"
                  "name=go\nelement=a\nfrom=pad($P)\nto=pad($Q)\ncondition=true\n");
    text_add(out, more);
}

static Game *s3_game(const char *const robot[3], const char *more) {
    Text text = {0};
    s3_frogs(&text, robot, more);
    Diags diags = {0};
    Game *g = game_compile("frogs", text_c(&text), text.n, NULL, 0, &diags);
    if (!g) {
        Text t = {0};
        diag_print(&diags, &t, false);
        fail_msg("%s", text_c(&t));
    }
    diag_free(&diags);
    text_free(&text);
    return g;
}

#define SAME                                                                                       \
    ": the file has to say by `robot` lines where each place is, for instance "                    \
    "robot=-4,20,0 in cm from the arm's base"

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *robot[3], *why;
    } rows[] = {
        {{"-4,20,0", "0,20,0", "0,20,0"},
         "pad(2) and pad(3) are at the same point, 0.0, 20.0" SAME},
        {{"10,20,-30,-40,50,10,20,-30,-40,50", "10,20,-30,-40,50,10,20,-30,-40,50", "0,20,0"},
         "pad(1) and pad(2) are at the same point, 3.3, 18.7" SAME},
        {{"-4,20,0", NULL, "0,20,0"},
         "pad(2): the file does not say where it is (it has no `robot` line)"},
        {{"-4,20,0", "0,50,0", "0,20,0"},
         "the arm does not reach pad(2) at 0.0, 50.0, 0.0: 16.8 cm too far away"},
        {{"-4,20,0", "0,-37,15,-66,77,0,-37,15,-166,77", "0,20,0"},
         "pad(2): the wrist at the place is 76.0 degrees beyond what the arm can"},
        {{"-4,20,0", "0,-37,15,-66,97,0,-37,15,-66,77", "0,20,0"},
         "pad(2): the hand above the place is 7.0 degrees beyond what the arm can"},
    };
    Arm arm;
    arm_usual(&arm);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Game *g = s3_game(rows[i].robot, "");
        Text why = {0};
        assert_null(table_new(g, &arm, &why));
        assert_string_equal(text_c(&why), rows[i].why);
        text_free(&why);
        game_free(g);
    }
}

// An arm that cannot rest where it should has no table.
static void test_home(void **state) {
    (void)state;
    const char *const robot[3] = {"-4,20,0", "0,20,0", "4,20,0"};
    Game *g = s3_game(robot, "");
    Arm arm;
    Text why = {0};
    arm_usual(&arm);
    arm.home.angle[ARM_ELBOW] = -76;
    assert_null(table_new(g, &arm, &why));
    assert_non_null(strstr(text_c(&why), "the elbow cannot stand at -76.0 degrees at home"));
    text_clear(&why);
    arm.home = (Pose){{0, -60, 0, -60, 13}};
    assert_null(table_new(g, &arm, &why));
    assert_non_null(strstr(text_c(&why), "cm deep in the table"));
    text_free(&why);
    game_free(g);
}

// Three, five and ten numbers say the same.
static void test_ways_to_give_a_place(void **state) {
    (void)state;
    static const char *const robot[] = {
        "-9,20,0", "0,-17.4964,-16.0684,-56.4352,85",
        "12,-13.1188,6.7473,-83.6285,85,12,-24.0280,-7.3975,-58.5745,85"};
    Arm arm;
    arm_usual(&arm);
    Game *g = s3_game(robot, "");
    Text why = {0};
    Table *t = table_new(g, &arm, &why);
    if (!t)
        fail_msg("%s", text_c(&why));
    const Site *s = t->site;
    assert_false(s[0].posed);
    assert_true(s[1].posed && s[2].posed);
    assert_true(fabs(s[1].at.x) < 0.001 && fabs(s[1].at.y - 20) < 0.001 && fabs(s[1].at.z) < 0.001);
    Point above = arm_point(&arm, &s[1].above);
    assert_true(fabs(above.y - 20) < 0.001 && fabs(above.z - arm.hover) < 0.001);
    assert_true(fabs(hypot(s[2].at.x, s[2].at.y) - hypot(9, 20)) < 0.001);
    assert_true(s[2].above.angle[ARM_ELBOW] == 6.7473 && s[2].down.angle[ARM_ELBOW] == -7.3975);
    check_table(t);
    check_scene(t);
    table_free(t);
    game_free(g);
}

static void test_colours(void **state) {
    (void)state;
    static const char *const robot[] = {"-4,20,0", "0,20,0", "4,20,0"};
    static const char frog[] = "[REALBOARD ELEMENT TYPES]\nname=frog\nstate=1\nhueMin=71\n"
                               "hueMax=192\nsaturationMin=0.27\nsaturationMax=1\nvalueMin=0.09\n"
                               "valueMax=0.9\nsizeMin=200\nsizeMax=5000\n";
    Arm arm;
    arm_usual(&arm);
    Game *g = s3_game((const char *const[]){"-4,20,0\ncamera=10,20", robot[1], robot[2]}, frog);
    Text why = {0};
    Table *t = table_new(g, &arm, &why);
    assert_non_null(t);
    assert_true(t->kind[0].colours.hue_min == 71 && t->kind[0].colours.size_max == 5000);
    assert_true(t->kind[1].colours.hue_max < 71 || t->kind[1].colours.hue_min >= 192);
    assert_true(t->site[0].seen && t->site[0].picture_y == 20 && !t->site[1].seen);
    table_free(t);
    game_free(g);
    Text both = {0};
    text_f(&both, "%s%s", frog, frog + 26);
    memcpy(strstr(both.s + 60, "frog"), "toad", 4);
    g = s3_game((const char *const[]){"-4,20,0\ncamera=10,20", robot[1], robot[2]}, text_c(&both));
    assert_null(table_new(g, &arm, &why));
    assert_string_equal(text_c(&why), "frog and toad look alike: their colours overlap");
    game_free(g);
    text_free(&both);
    text_free(&why);
}

// --- the section `table` ---

static Game *with_table(const char *lines) {
    Text text = {0};
    text_add(&text, "game \"T\"\nplayers White, Black\nboard square 3 x 3\n"
                    "piece man of White, Black\nturn\n    choose to in empty\n"
                    "    place man at to\nend\n    draw when no empty\ntable\n");
    text_add(&text, lines);
    Diags diags = {0};
    Game *g = game_compile("t", text_c(&text), text.n, NULL, 0, &diags);
    if (!g) {
        Text t = {0};
        diag_print(&diags, &t, false);
        fail_msg("%s", text_c(&t));
    }
    diag_free(&diags);
    text_free(&text);
    return g;
}

static void test_section(void **state) {
    (void)state;
    Arm arm;
    arm_usual(&arm);
    Game *g = with_table("    middle 10, 210\n    pitch 30\n    turn 90\n    surface 5\n"
                         "    piece height 12 width 22 grip 8\n"
                         "    store man of White at -120, 120 step 0, 30 places 3 stack 2\n"
                         "    colour man of White green\n    colour man of Black hue 350..10\n");
    Text why = {0};
    Table *t = table_new(g, &arm, &why);
    if (!t)
        fail_msg("%s", text_c(&why));
    const Site *a1 = &t->site[0], *c1 = &t->site[2], *store = &t->site[10];
    assert_true(fabs(a1->at.x - 4) < 1e-9 && fabs(a1->at.y - 18) < 1e-9); // turned to the left
    assert_true(fabs(c1->at.x - 4) < 1e-9 && fabs(c1->at.y - 24) < 1e-9);
    assert_true(fabs(a1->at.z - 1.3) < 1e-9);
    assert_true(store->at.x == -12 && store->at.y == 15 && store->room == 2);
    assert_true(store->takes == 1);
    assert_int_equal(t->sites, 9 + 3 + 4); // those of Black were laid by themselves
    assert_true(t->kind[0].colours.hue_min == 95 && t->kind[1].colours.hue_min == 350);
    assert_false(t->fitted);
    check_table(t);
    check_scene(t);
    table_free(t);
    game_free(g);
    text_free(&why);
}

static void test_section_refused(void **state) {
    (void)state;
    static const struct {
        const char *lines, *why;
    } rows[] = {
        {"    middle 0, 380\n    pitch 40\n",
         "the arm does not reach a3 at -4.0, 42.0, 0.7: 9.1 cm too far away"},
        {"    pitch 300\n", "the arm does not reach a board with 30.0 cm from cell to cell"},
        {"    middle 0, 200\n    pitch 30\n    store man of White at -120, 120 stack 3\n",
         "white man: there can be 5, but the stores have room for 3"},
        {"    middle 0, 200\n    pitch 30\n    store man at -120, 120 stack 5\n",
         "there can be 9 pieces, but the stores have room for 5"},
        {"    middle 0, 200\n    pitch 30\n    store man at 0, 200 step 100, 0 places 2 stack 9\n",
         "b2 and store 1 are at the same point, 0.0, 20.0"},
        {"    middle 0, 200\n    pitch 30\n    store man at 0, 215 step 100, 0 places 2 stack 9\n",
         "pieces of 2.2 cm on b2 and store 1 would touch: they are 1.5 cm apart"},
        {"    colour man of White red\n    colour man of Black hue 0..30\n",
         "white man and black man look alike: their colours overlap"},
    };
    Arm arm;
    arm_usual(&arm);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Game *g = with_table(rows[i].lines);
        Text why = {0};
        assert_null(table_new(g, &arm, &why));
        assert_string_equal(text_c(&why), rows[i].why);
        text_free(&why);
        game_free(g);
    }
}

// Frogs has a section whose numbers follow from its parameter.
static void test_parameters(void **state) {
    (void)state;
    Arm arm;
    arm_usual(&arm);
    for (int n = 1; n <= 12; n++) {
        Text param = {0}, why = {0};
        text_f(&param, "frogs=%d", n);
        const char *params[] = {text_c(&param)};
        Diags diags = {0};
        Game *g = game_load("frogs", params, 1, &diags);
        assert_non_null(g);
        Table *t = table_new(g, &arm, &why);
        if (!t)
            fail_msg("%d frogs: %s", n, text_c(&why));
        check_table(t);
        table_free(t);
        game_free(g);
        diag_free(&diags);
        text_free(&param);
    }
}

// Every allocation fails once: a reason, and nothing is lost.
static void test_memory(void **state) {
    (void)state;
    Arm arm;
    arm_usual(&arm);
    Game *g = load("tic-tac-toe");
    for (long n = 1;; n++) {
        Text why = {0};
        mem_fail_at(n);
        Table *t = table_new(g, &arm, &why);
        bool failed = mem_fail_at(0) == 0;
        assert_true(t ? !failed : failed);
        table_free(t);
        text_free(&why);
        if (t)
            break;
    }
    game_free(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library),         cmocka_unit_test(test_counts),
        cmocka_unit_test(test_refused),         cmocka_unit_test(test_ways_to_give_a_place),
        cmocka_unit_test(test_colours),         cmocka_unit_test(test_section),
        cmocka_unit_test(test_section_refused), cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_memory),          cmocka_unit_test(test_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
