// Plans: from what stands on the table to a state of the game, step by step, and how an arm does
// it.
#include "game/library.h"
#include "game/statetext.h"
#include "robot/plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Desk {
    Arm arm;
    Game *game;
    Table *table;
    Runner *runner;
    Scene scene;
    uint8_t *state;
    Plan plan;
    Text why;
    Pose pose;
} Desk;

static void open_desk(Desk *d, Game *g) {
    *d = (Desk){.game = g};
    arm_usual(&d->arm);
    d->table = table_new(g, &d->arm, &d->why);
    if (!d->table)
        fail_msg("%s: %s", g->name, text_c(&d->why));
    d->runner = runner_new(g);
    d->state = mem_alloc((size_t)game_state_size(g));
    assert_true(d->runner && d->state && scene_init(&d->scene, d->table));
    memcpy(d->state, g->start, (size_t)game_state_size(g));
    scene_of_state(&d->scene, d->state);
    d->pose = d->arm.home;
}

static void open_game(Desk *d, const char *name) {
    Diags diags = {0};
    Game *g = game_load(name, NULL, 0, &diags);
    assert_non_null(g);
    diag_free(&diags);
    open_desk(d, g);
}

static void close_desk(Desk *d) {
    plan_free(&d->plan);
    scene_free(&d->scene);
    mem_free(d->state);
    runner_free(d->runner);
    table_free(d->table);
    game_free(d->game);
    text_free(&d->why);
}

static void set_state(Desk *d, const char *text) {
    Text error = {0};
    if (!state_read(d->game, text, d->state, &error))
        fail_msg("%s: %s", text, text_c(&error));
}

static void count_pieces(const Scene *s, int *n) {
    memset(n, 0, VIEW_KINDS * sizeof *n);
    for (int i = 0; i < s->table->sites; i++)
        for (int level = 0; level < scene_height(s, i); level++)
            n[s->kind[i * SCENE_LEVELS + level]]++;
}

// --- motions, looked at by another eye: the fingers and what they hold as points and discs ---

static void check_way(const Desk *d, const Step *step, const Motion *motion, int n) {
    const Table *t = d->table;
    Pose at = d->pose;
    bool held = false;
    int taken = 0, put = 0;
    for (int i = 0; i < n; i++) {
        double degrees;
        assert_int_equal(arm_beyond(t->arm, &motion[i].pose, &degrees), -1);
        assert_true(motion[i].seconds > 0 && motion[i].text[0]);
        if (motion[i].kind != MOTION_MOVE) {
            int site = motion[i].kind == MOTION_CLOSE || taken == 0 ? step->from : step->to;
            Point tip = arm_point(t->arm, &at);
            taken += motion[i].kind == MOTION_CLOSE;
            put += motion[i].kind == MOTION_OPEN && held;
            held = motion[i].kind == MOTION_CLOSE;
            const Site *s = &t->site[site];
            int level = scene_height(&d->scene, site) - (site == step->from);
            if (!s->posed)
                assert_true(hypot(tip.x - s->at.x, tip.y - s->at.y) < 0.01);
            if (taken > 0 && !s->posed)
                assert_true(fabs(tip.z - s->at.z - level * t->kind[0].height) < 0.01);
            continue;
        }
        for (int part = 1; part <= 10; part++) {
            Pose p;
            for (int j = 0; j < ARM_JOINTS; j++)
                p.angle[j] = at.angle[j] + (motion[i].pose.angle[j] - at.angle[j]) * part / 10;
            Point tip = arm_point(t->arm, &p);
            double foot = tip.z - (held ? t->site[step->from].at.z - t->surface : 0);
            for (int s = 0; s < t->sites; s++) {
                double top = t->surface + scene_height(&d->scene, s) * t->kind[0].height;
                if (s != step->from && s != step->to && scene_height(&d->scene, s) > 0 &&
                    hypot(tip.x - t->site[s].at.x, tip.y - t->site[s].at.y) < 2 * t->kind[0].radius)
                    if (foot < top)
                        fail_msg("%s: %s (%d held %d) hits %s: %.3f < %.3f", d->game->name,
                                 motion[i].text, part, held, t->site[s].name, foot, top);
            }
            assert_true(tip.z > t->surface - 0.2);
        }
        at = motion[i].pose;
    }
    assert_int_equal(taken, 1);
    assert_int_equal(put, 1);
}

static void do_step(Desk *d, const Step *step, bool motions) {
    Motion motion[PLAN_MOTIONS];
    if (motions) {
        int n = plan_motions(&d->scene, step, &d->pose, motion, &d->why);
        if (n < 0) {
            Text t = {0};
            step_text(d->table, step, &t);
            fail_msg("%s: %s: %s", d->game->name, text_c(&t), text_c(&d->why));
        }
        check_way(d, step, motion, n);
        d->pose = motion[n - 1].pose;
        n = plan_home(&d->scene, &d->pose, motion, &d->why);
        if (n < 0)
            fail_msg("%s: %s", d->game->name, text_c(&d->why));
        if (step->to % 2)
            d->pose = d->arm.home;
    } else {
        d->pose = d->arm.home;
    }
    assert_true(scene_step(&d->scene, step));
}

// Carries a plan out, in the mind. How many steps it took.
static int play(Desk *d, bool motions) {
    int before[VIEW_KINDS], after[VIEW_KINDS];
    count_pieces(&d->scene, before);
    if (!plan_to_state(&d->plan, &d->scene, d->state, &d->why))
        fail_msg("%s: %s", d->game->name, text_c(&d->why));
    for (int i = 0; i < d->plan.steps; i++)
        do_step(d, &d->plan.step[i], motions);
    assert_int_equal(scene_differs(&d->scene, d->state), -1);
    count_pieces(&d->scene, after);
    assert_memory_equal(before, after, sizeof before);
    return d->plan.steps;
}

// A set of chess pieces has no third knight.
static bool enough_pieces(const Desk *d) {
    int n[VIEW_KINDS] = {0};
    for (int c = 0; c < d->table->cells; c++)
        for (int level = 0; level < state_height(d->game, d->state, c); level++)
            n[state_plane(d->game, d->state, c, level)]++;
    for (int k = 0; k < d->table->kinds; k++)
        if (n[k] > d->table->kind[k].count)
            return false;
    return true;
}

static void random_game(Desk *d, uint64_t seed, int plies, int motions) {
    Rng rng;
    rng_seed(&rng, seed);
    memcpy(d->state, d->game->start, (size_t)game_state_size(d->game));
    scene_of_state(&d->scene, d->state);
    Move move;
    for (int ply = 0; ply < plies; ply++) {
        if (runner_random(d->runner, d->state, rng_next(&rng), &move) != 1)
            break;
        assert_true(runner_apply(d->runner, d->state, move, d->state));
        if (!enough_pieces(d))
            break;
        play(d, ply < motions || rng_below(&rng, 20) == 0);
    }
}

static bool thorough(void) {
    return getenv("LUDENS_ALL") != NULL;
}

static void test_random_games(void **state) {
    (void)state;
    for (int i = 0; i < library_count; i++) {
        Desk d;
        open_game(&d, library_games[i].name);
        for (int n = 0; n < (thorough() ? 20 : 2); n++)
            random_game(&d, (uint64_t)n + 1, 150, 3);
        close_desk(&d);
    }
}

// From any position to any other: what a camera may find after an interruption.
static void test_any_to_any(void **state) {
    (void)state;
    static const char *const games[] = {"mill", "byte", "chess", "reversi", "river-crossing"};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        Desk d;
        open_game(&d, games[i]);
        for (int n = 0; n < (thorough() ? 100 : 10); n++) {
            Rng rng;
            rng_seed(&rng, (uint64_t)n);
            memcpy(d.state, d.game->start, (size_t)game_state_size(d.game));
            runner_playout(d.runner, d.state, &rng, 10 * n);
            if (enough_pieces(&d))
                play(&d, n < 3);
        }
        close_desk(&d);
    }
}

static void test_few_steps(void **state) {
    (void)state;
    static const struct {
        const char *game, *from, *to;
        int steps;
    } rows[] = {
        {"tic-tac-toe", "3/3/3 c", "3/1X1/3 n", 1},
        {"frogs", "GGG1BBB", "GG1GBBB", 1},
        {"frogs", "GGG1BBB", "BBB1GGG", 7}, // a swap by way of the free cell or the store
        {"chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0", "Q3k3/8/8/8/8/8/8/4K3 b - - 0", 2},
        {"chess", "4k3/8/8/8/8/8/8/4K2R w K - 0", "4k3/8/8/8/8/8/8/5RK1 b - - 0", 2},
        {"chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0", "4k3/8/8/3P4/8/8/8/4K3 b - - 0", 2},
        {"alquerque", "5/5/1B3/W4/5 w", "5/2W2/5/5/5 b", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Desk d;
        open_game(&d, rows[i].game);
        set_state(&d, rows[i].from);
        scene_of_state(&d.scene, d.state);
        set_state(&d, rows[i].to);
        int steps = play(&d, true);
        if (steps != rows[i].steps)
            fail_msg("%s %s: %d steps", rows[i].game, rows[i].to, steps);
        assert_int_equal(play(&d, true), 0);
        close_desk(&d);
    }
}

// A pile is carried in order: the lower pieces stay below.
static void test_piles(void **state) {
    (void)state;
    Desk d;
    open_game(&d, "byte");
    int a = -1, b = -1;
    for (int c = 0; c < d.table->cells && b < 0; c++)
        a < 0 ? (a = c) : (b = c);
    static const int pile[] = {0, 1, 1, 0, 1};
    for (int c = 0; c < d.table->cells; c++)
        state_put(d.game, d.state, c, -1);
    for (int i = 0; i < 5; i++)
        state_put(d.game, d.state, a, pile[i]);
    scene_of_state(&d.scene, d.state);
    state_put(d.game, d.state, a, -1);
    for (int i = 0; i < 5; i++)
        state_put(d.game, d.state, b, pile[i]);
    int steps = play(&d, true);
    assert_true(steps >= 5 && steps <= 9);
    for (int i = 0; i < 5; i++)
        assert_int_equal(d.scene.kind[b * SCENE_LEVELS + i], pile[i]);
    close_desk(&d);
}

static void expect_no_plan(Desk *d, const char *reason) {
    text_clear(&d->why);
    assert_false(plan_to_state(&d->plan, &d->scene, d->state, &d->why));
    assert_string_equal(text_c(&d->why), reason);
}

static void test_what_is_missing(void **state) {
    (void)state;
    Desk d;
    open_game(&d, "tic-tac-toe");
    for (int i = d.table->cells; i < d.table->sites; i++)
        if (scene_top(&d.scene, i) == 0)
            d.scene.kind[i * SCENE_LEVELS] = SCENE_NOTHING; // somebody took the crosses away
    set_state(&d, "3/1X1/3 n");
    expect_no_plan(&d, "b2 should get a cross mark, but there is none left beside the board");
    for (int i = d.table->cells; i < d.table->sites; i++)
        d.scene.kind[i * SCENE_LEVELS] = 0; // no free store at all
    for (int c = 0; c < 3; c++)
        d.scene.kind[c * SCENE_LEVELS] = 0;
    set_state(&d, "3/3/3 c");
    expect_no_plan(&d, "there is no free store for the cross mark on a1");
    close_desk(&d);
}

// The hand goes over what stands in its way, just high enough; what is too high is refused.
static void test_over_piles(void **state) {
    (void)state;
    Desk d;
    open_game(&d, "frogs");
    Motion motion[PLAN_MOTIONS];
    const Table *t = d.table;
    Step step = {0, 3, 0};
    d.pose = (Pose){{0}};
    arm_reach_down(&d.arm, (Point){t->site[0].at.x, t->site[0].at.y, 8}, NULL, &d.pose);
    double high[4];
    for (int level = 0; level < 4; level++) {
        d.scene.kind[1 * SCENE_LEVELS + level] = 0; // one frog on the other, where the way leads
        int n = plan_motions(&d.scene, &step, &d.pose, motion, &d.why);
        assert_true(n > 0);
        check_way(&d, &step, motion, n);
        high[level] = arm_point(&d.arm, &motion[n - 1].pose).z;
    }
    assert_true(high[1] > high[0] && high[2] > high[1] && high[3] > high[2]);
    for (int level = 0; level < 30; level++)
        d.scene.kind[1 * SCENE_LEVELS + level] = 0;
    text_clear(&d.why);
    assert_int_equal(plan_motions(&d.scene, &step, &d.pose, motion, &d.why), -1);
    assert_string_equal(text_c(&d.why),
                        "what stands on b1 is in the way to d1; higher up the arm does not reach "
                        "above a1: 8.3 cm too far away");
    close_desk(&d);
}

// After an interruption the hand may be anywhere: it goes up first.
static void test_from_below(void **state) {
    (void)state;
    Desk d;
    open_game(&d, "mill");
    set_state(&d, "W2/3/3/6/3/3/B2 w");
    scene_of_state(&d.scene, d.state);
    Motion motion[PLAN_MOTIONS];
    for (int c = 0; c < d.table->cells; c++) {
        assert_int_equal(arm_reach_down(&d.arm, d.table->site[c].at, NULL, &d.pose).fault, 0);
        int n = plan_home(&d.scene, &d.pose, motion, &d.why);
        if (n < 2)
            fail_msg("%s", text_c(&d.why));
        assert_string_equal(motion[0].phase, "up");
        Pose home = d.arm.home;
        assert_memory_equal(&motion[n - 1].pose, &home, sizeof home);
    }
    close_desk(&d);
}

// The frogs of S3Games: a real arm was taught these poses, above each place and at it.
static const char *const taught[] = {
    "-32,-10,15,-66,77,-32,-37,15,-66,77", "-24,-10,9,-66,77,-24,-33,9,-66,77",
    "-13,-10,6,-68,90,-13,-31,6,-68,90",   "-3,-10,6,-68,-88,-3,-31,6,-68,-88",
    "6,-10,6,-65,-81,6,-31,6,-65,-81",     "16,-10,6,-61,-72,16,-31,6,-61,-72",
    "23,-10,15,-65,-65,23,-37,15,-65,-65",
};

// The library's file, with a line of our own for each `robot` line.
static Game *frogs_with(const char *const robot[7]) {
    const char *text = NULL;
    for (int i = 0; i < library_count; i++)
        if (strcmp(library_games[i].name, "s3-frogs") == 0)
            text = library_games[i].text;
    assert_non_null(text);
    Text out = {0};
    for (int place = 0; *text;) {
        const char *end = strchr(text, '\n') ? strchr(text, '\n') + 1 : text + strlen(text);
        if (strncmp(text, "robot=", 6) == 0)
            text_f(&out, "robot=%s\n", robot[place++]);
        else
            text_add_n(&out, text, (size_t)(end - text));
        text = end;
    }
    Diags diags = {0};
    Game *g = game_compile("frogs", text_c(&out), out.n, NULL, 0, &diags);
    assert_non_null(g);
    diag_free(&diags);
    text_free(&out);
    return g;
}

static void test_taught_poses(void **state) {
    (void)state;
    Desk d;
    open_desk(&d, frogs_with(taught));
    for (uint64_t n = 0; n < 10; n++)
        random_game(&d, n, 20, 20);
    memcpy(d.state, d.game->start, (size_t)game_state_size(d.game));
    scene_of_state(&d.scene, d.state);
    Motion motion[PLAN_MOTIONS];
    Step step = {2, 3, 0};
    int n = plan_motions(&d.scene, &step, &d.pose, motion, &d.why);
    int above = 0, down = 0;
    for (int i = 0; i < n; i++) { // used as they were taught
        above += memcmp(&motion[i].pose, &d.table->site[3].above, sizeof(Pose)) == 0;
        down += memcmp(&motion[i].pose, &d.table->site[3].down, sizeof(Pose)) == 0;
    }
    assert_true(above == 2 && down == 2); // across and up; down and open
    close_desk(&d);
}

// A place that was taught a little beside where the measures have it: higher up too.
static void test_taught_pile(void **state) {
    (void)state;
    Desk d;
    open_game(&d, "byte");
    Site *site = &d.table->site[5];
    Point beside = {site->at.x + 0.3, site->at.y - 0.2, site->at.z + 0.1};
    Point over = {beside.x, beside.y, beside.z + 6};
    assert_int_equal(arm_reach_down(&d.arm, beside, NULL, &site->down).fault, REACH_OK);
    assert_int_equal(arm_reach_down(&d.arm, over, NULL, &site->above).fault, REACH_OK);
    site->posed = true;
    memset(d.scene.kind, SCENE_NOTHING, (size_t)d.table->sites * SCENE_LEVELS);
    for (int level = 0; level < 3; level++)
        d.scene.kind[5 * SCENE_LEVELS + level] = 0;
    d.scene.kind[9 * SCENE_LEVELS] = 1;
    Motion motion[PLAN_MOTIONS];
    Step step = {9, 5, 1};
    int n = plan_motions(&d.scene, &step, &d.pose, motion, &d.why);
    if (n < 0)
        fail_msg("%s", text_c(&d.why));
    for (int i = 0; i < n; i++)
        if (strcmp(motion[i].phase, "put on") == 0) {
            Point tip = arm_point(&d.arm, &motion[i].pose);
            assert_true(hypot(tip.x - beside.x, tip.y - beside.y) < 0.001);
            assert_true(fabs(tip.z - beside.z - 3 * d.table->kind[0].height) < 0.001);
            n = 0; // seen
        }
    assert_int_equal(n, 0);
    close_desk(&d);
}

// Every place is shown, over what stands there; one that is hemmed in is refused and says by what.
static void test_visits(void **state) {
    (void)state;
    Desk d;
    open_game(&d, "mill");
    Motion motion[PLAN_MOTIONS];
    Pose from = d.pose;
    for (int i = 0; i < d.table->sites; i++) {
        int n = plan_visit(&d.scene, i, true, &from, motion, &d.why);
        if (n <= 0)
            fail_msg("%s", text_c(&d.why));
        from = motion[n - 1].pose;
        Point tip = arm_point(&d.arm, &from), at = d.table->site[i].at;
        assert_true(hypot(tip.x - at.x, tip.y - at.y) < 0.001 && fabs(tip.z - at.z) < 0.001);
    }
    Site *low = &d.table->site[0], *beside = &d.table->site[1];
    beside->at = (Point){low->at.x + 1.5, low->at.y, low->at.z};
    memset(d.scene.kind, SCENE_NOTHING, (size_t)d.table->sites * SCENE_LEVELS);
    assert_true(plan_visit(&d.scene, 0, true, &d.pose, motion, &d.why) > 0);
    d.scene.kind[1 * SCENE_LEVELS] = 0;
    assert_true(plan_visit(&d.scene, 0, false, &d.pose, motion, &d.why) > 0);
    assert_int_equal(plan_visit(&d.scene, 0, true, &d.pose, motion, &d.why), -1);
    Text said = {0};
    text_f(&said, "what stands on %s is in the way to %s", beside->name, low->name);
    assert_string_equal(text_c(&d.why), text_c(&said));
    text_free(&said);
    close_desk(&d);
}

// What was taught to an arm that is not measured well may seem to be in the board: it can be gone
// to, and left; what was not taught cannot be so low.
static void test_seems_low(void **state) {
    (void)state;
    Desk d;
    open_game(&d, "mill");
    Motion motion[PLAN_MOTIONS];
    Site *site = &d.table->site[0];
    Point low = {site->at.x, site->at.y, d.table->surface - 0.8}, over = low;
    Pose down, above;
    over.z += 6;
    assert_int_equal(arm_reach_down(&d.arm, low, NULL, &down).fault, REACH_OK);
    assert_int_equal(arm_reach_down(&d.arm, over, NULL, &above).fault, REACH_OK);
    table_teach(d.table, 0, &above, &down);
    int n = plan_visit(&d.scene, 0, true, &d.pose, motion, &d.why);
    if (n <= 0)
        fail_msg("%s", text_c(&d.why));
    assert_true(plan_visit(&d.scene, 5, true, &motion[n - 1].pose, motion, &d.why) > 0);
    table_forget(d.table, 0);
    assert_false(site->taught || site->posed);
    double z = site->at.z;
    site->at.z = low.z;
    assert_int_equal(plan_visit(&d.scene, 0, true, &d.pose, motion, &d.why), -1);
    site->at.z = z;
    close_desk(&d);
}

// The same places in centimetres: the arm comes to the same joints, as well as it was taught. The
// hand was not held quite upright then; it is now.
static void test_centimetres_and_angles(void **state) {
    (void)state;
    Desk posed, given;
    Text line[7] = {0};
    const char *robot[7];
    open_desk(&posed, frogs_with(taught));
    for (int i = 0; i < 7; i++) {
        Point at = posed.table->site[i].at;
        text_f(&line[i], "%.2f,%.2f,%.2f", at.x, at.y, at.z);
        robot[i] = text_c(&line[i]);
        assert_true(fabs(at.z - 1) < 1); // a row on the table
        assert_true(i == 0 || fabs(at.x - posed.table->site[i - 1].at.x - 4) < 1.2);
        assert_true(fabs(at.y - 23.5) < 2);
    }
    open_desk(&given, frogs_with(robot));
    for (int i = 0; i < 7; i++) {
        const Site *a = &posed.table->site[i], *b = &given.table->site[i];
        Pose down, same;
        assert_int_equal(arm_reach_down(&given.arm, b->at, NULL, &down).fault, REACH_OK);
        assert_int_equal(arm_reach(&given.arm, b->at, arm_pitch(&a->down), NULL, &same).fault,
                         REACH_OK);
        assert_true(fabs(arm_pitch(&a->down) + 90) < 5);
        for (int j = 0; j < ARM_HAND; j++) {
            assert_true(fabs(down.angle[j] - a->down.angle[j]) < 6);
            assert_true(fabs(same.angle[j] - a->down.angle[j]) < 0.1);
        }
        Point there = arm_point(&given.arm, &down);
        assert_true(hypot(there.x - a->at.x, there.y - a->at.y) < 0.01);
        text_free(&line[i]);
    }
    close_desk(&posed);
    close_desk(&given);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_games),    cmocka_unit_test(test_any_to_any),
        cmocka_unit_test(test_few_steps),       cmocka_unit_test(test_piles),
        cmocka_unit_test(test_what_is_missing), cmocka_unit_test(test_over_piles),
        cmocka_unit_test(test_from_below),      cmocka_unit_test(test_taught_poses),
        cmocka_unit_test(test_visits),          cmocka_unit_test(test_seems_low),
        cmocka_unit_test(test_taught_pile),     cmocka_unit_test(test_centimetres_and_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
