// The robot at a simulated table: steps that fail, a line that is gone, a stop.
#include "base/mem.h"
#include "game/statetext.h"
#include "robot/robot.h"
#include "robot/sim_table.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define RATE 500

typedef struct Bench {
    Game *game;
    Arm arm;
    Table *table;
    SimTable *sim;
    Controller *controller;
    Camera *camera;
    View view;
    Robot *robot;
    Scene truth;
    uint8_t *state;
    int told[ROBOT_DONE + 1];
    atomic_int motions; // that have begun, for another thread
    int deaf;           // so many motions to come are not heard
    bool deafened;      // by the one under way
    int gone;           // a site whose piece goes when the next step begins, if not 0
    uint8_t went;       // what stood there, until a person helps
    double back;        // pixels by which a person who helps pushes the camera
    Text line;          // of all help
    Text why;
} Bench;

static bool tell(void *with, RobotNews news, const char *line) {
    Bench *b = with;
    b->told[news]++;
    if (news == ROBOT_MOTION)
        atomic_fetch_add(&b->motions, 1);
    bool deafens = news == ROBOT_MOTION && b->deaf > 0;
    if (deafens || (b->deafened && news == ROBOT_FAILED)) {
        sim_board_fail(sim_table_board(b->sim), &(SimFaults){.silent = deafens});
        b->deaf -= deafens;
        b->deafened = deafens;
    }
    if (b->gone && (news == ROBOT_STEP || news == ROBOT_HELP)) {
        uint8_t *kind = &b->truth.kind[b->gone * SCENE_LEVELS], there = *kind;
        sim_table_get(b->sim, &b->truth);
        *kind = news == ROBOT_STEP ? SCENE_NOTHING : b->went;
        sim_table_set(b->sim, &b->truth);
        if (news == ROBOT_STEP)
            b->went = there;
        else
            b->gone = 0;
    }
    if (news != ROBOT_HELP)
        return false;
    text_f(&b->line, "%s\n", line);
    sim_table_repair(b->sim);
    assert_true(sim_table_push(b->sim, 0, b->back, 0));
    b->back = 0;
    return true;
}

static const char *port(void *with) {
    return sim_table_port(((Bench *)with)->sim);
}

// NULL: there is no such simulation here, for want of the library of tags.
static Bench *begin_seen(const char *game, bool with_camera, bool tags, double rate) {
    Bench *b = calloc(1, sizeof *b);
    Diags diags = {0};
    b->game = game_load(game, NULL, 0, &diags);
    diag_free(&diags);
    arm_usual(&b->arm);
    b->table = table_new(b->game, &b->arm, &b->why);
    assert_non_null(b->table);
    SimLook look = {.noise = 6, .light = 0.2, .tilt = 15, .tags = tags};
    b->sim = sim_table_new(b->table, &look, rate, 3, &b->why);
    if (!b->sim && tags && strstr(text_c(&b->why), "library of tags")) {
        table_free(b->table);
        game_free(b->game);
        text_free(&b->why);
        free(b);
        return NULL;
    }
    assert_non_null(b->sim);
    ControllerOptions line = {.poll = 0.002, .answer = 1, .wake_seconds = 0.01};
    b->controller = controller_open(&b->arm, sim_table_port(b->sim), &line, &b->why);
    assert_non_null(b->controller);
    Pose home = b->arm.home;
    assert_int_equal(controller_wake(b->controller, &home, NULL, NULL, &b->why), CONTROLLER_OK);
    b->camera = with_camera ? sim_table_camera(b->sim) : NULL;
    sim_table_view(b->sim, &b->view);
    RobotOptions options = {
        .tell = tell, .port = port, .with = b, .tags = tags, .patience = tags ? 1 : 5};
    b->robot = robot_new(b->table, b->controller, b->camera, &b->view, &options, &b->why);
    assert_non_null(b->robot);
    assert_true(scene_init(&b->truth, b->table));
    b->state = malloc((size_t)game_state_size(b->game));
    scene_of_state(&b->truth, b->game->start);
    sim_table_set(b->sim, &b->truth);
    robot_believe(b->robot, &b->truth);
    return b;
}

static Bench *begin_game(const char *game, bool with_camera, double rate) {
    return begin_seen(game, with_camera, false, rate);
}

static Bench *begin(bool with_camera, double rate) {
    return begin_game("tic-tac-toe", with_camera, rate);
}

static void end(Bench *b) {
    robot_free(b->robot);
    controller_close(b->controller);
    camera_close(b->camera);
    sim_table_free(b->sim);
    table_free(b->table);
    scene_free(&b->truth);
    game_free(b->game);
    text_free(&b->line);
    text_free(&b->why);
    free(b->state);
    free(b);
}

static bool play(Bench *b, const char *state) {
    text_clear(&b->why);
    assert_true(state_read(b->game, state, b->state, &b->why));
    return robot_play(b->robot, b->state, &b->why);
}

static void assert_stands(Bench *b, const char *state, int collisions) {
    SimTold told;
    assert_true(state_read(b->game, state, b->state, &b->why));
    sim_table_get(b->sim, &b->truth);
    assert_int_equal(scene_differs(&b->truth, b->state), -1);
    sim_table_told(b->sim, &told);
    assert_true(told.collisions <= collisions);
    assert_int_equal(told.fallen, 0);
}

static void assert_plays(Bench *b, const char *state, int collisions) {
    if (!play(b, state))
        fail_msg("%s: %s", state, text_c(&b->why));
    assert_stands(b, state, collisions);
}

// Also several pieces at once, and back into the stores.
static void test_plays(void **state) {
    (void)state;
    Bench *b = begin(true, RATE);
    assert_plays(b, "3/1X1/3 n", 0);
    assert_plays(b, "O2/1X1/X1O n", 0);
    assert_plays(b, "3/3/O2 c", 0);
    assert_int_equal(b->told[ROBOT_FAILED] + b->told[ROBOT_HELP], 0);
    assert_true(b->told[ROBOT_SEEN] >= b->told[ROBOT_STEP]);
    end(b);
}

// Everything is believed to have worked: nothing is noticed, and that is known.
static void test_blind(void **state) {
    (void)state;
    Bench *b = begin(false, RATE);
    Sight *sight = calloc(1, sizeof *sight);
    assert_plays(b, "3/1X1/3 n", 0);
    assert_false(robot_look(b->robot, sight, &b->why));
    free(sight);
    end(b);
}

// Sets the table to a state; what the robot believes stays.
static void set_table(Bench *b, const char *state) {
    assert_true(state_read(b->game, state, b->state, &b->why));
    scene_of_state(&b->truth, b->state);
    sim_table_set(b->sim, &b->truth);
}

// A person has put one pile on another, of which only the top is seen: the rest is as the game
// says.
static void test_knows_piles(void **state) {
    (void)state;
    Bench *b = begin_game("byte", true, RATE);
    Sight *sight = calloc(1, sizeof *sight);
    set_table(b, "4/1[BWB]2/3[WB]/4/4/4/4/4 b bytes=0,0");
    robot_believe(b->robot, &b->truth);
    set_table(b, "4/1[BWBWB]2/4/4/4/4/4/4 w bytes=0,0");
    assert_true(robot_look(b->robot, sight, &b->why));
    assert_true(scene_differs(robot_scene(b->robot), b->state) >= 0);
    robot_know(b->robot, b->state);
    assert_int_equal(scene_differs(robot_scene(b->robot), b->state), -1);
    assert_true(robot_play(b->robot, b->state, &b->why));
    assert_int_equal(b->told[ROBOT_STEP] + b->told[ROBOT_HELP], 0);
    // What does not look like the state from above is believed as it was seen.
    assert_true(state_read(b->game, "4/1[BWBWW]2/4/4/4/4/4/4 w bytes=0,0", b->state, &b->why));
    robot_know(b->robot, b->state);
    assert_true(scene_differs(robot_scene(b->robot), b->state) >= 0);
    free(sight);
    end(b);
}

// The fingers miss the top of a pile: it is still there, and so is what lies below it.
static void test_miss_on_pile(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
    } rows[] = {
        {"4/1[BW]2/3[BW]/4/4/4/4/4 b bytes=0,0", "4/1[BWW]2/3B/4/4/4/4/4 b bytes=0,0"},
        {"4/1B2/3[WW]/4/4/4/4/4 b bytes=0,0", "4/1[BW]2/3W/4/4/4/4/4 b bytes=0,0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bench *b = begin_game("byte", true, RATE);
        set_table(b, rows[i].from);
        robot_believe(b->robot, &b->truth);
        sim_table_trouble(b->sim, SIM_MISS);
        assert_plays(b, rows[i].to, 0);
        assert_int_equal(b->told[ROBOT_FAILED], 1);
        end(b);
    }
}

static void test_miss(void **state) {
    (void)state;
    Bench *b = begin(true, RATE);
    sim_table_trouble(b->sim, SIM_MISS);
    assert_plays(b, "3/1X1/3 n", 0);
    assert_int_equal(b->told[ROBOT_FAILED], 1); // then it worked by itself
    assert_int_equal(b->told[ROBOT_HELP], 0);
    end(b);
}

static void test_drop(void **state) {
    (void)state;
    Bench *b = begin(true, RATE);
    sim_table_trouble(b->sim, SIM_DROP);
    assert_plays(b, "3/1X1/3 n", 0);
    assert_true(b->told[ROBOT_HELP] > 0);
    assert_non_null(strstr(text_c(&b->line), "cross mark"));
    end(b);
}

// A piece that the step has nothing to do with is knocked off the table, so that it is not seen.
static void test_other_piece_lost(void **state) {
    (void)state;
    Bench *b = begin(true, RATE);
    for (int i = b->table->cells; i < b->table->sites; i++)
        b->gone = scene_top(&b->truth, i) == 1 ? i : b->gone;
    assert_plays(b, "3/1X1/3 n", 0);
    assert_int_equal(b->told[ROBOT_HELP], 1);
    assert_non_null(strstr(text_c(&b->line), "a nought mark is nowhere to be seen any more"));
    assert_int_equal(b->gone, 0);
    end(b);
}

static void test_pull(void **state) {
    (void)state;
    Bench *b = begin(true, RATE);
    sim_table_trouble(b->sim, SIM_PULL);
    assert_plays(b, "3/1X1/3 n", 0);
    assert_true(b->told[ROBOT_HELP] > 0);
    assert_non_null(strstr(text_c(&b->line), "Plug the cable"));
    end(b);
}

// A camera that is pushed so far that every place lies elsewhere in the picture is followed by the
// tags; pushed further, it is waited for, and a person is asked.
static void test_camera_pushed(void **state) {
    (void)state;
    Bench *b = begin_seen("tic-tac-toe", true, true, RATE);
    if (!b)
        skip();
    assert_plays(b, "3/1X1/3 n", 0);
    assert_int_equal(b->told[ROBOT_WAIT], 0);
    assert_true(sim_table_push(b->sim, 0, 30, 0));
    assert_plays(b, "O2/1X1/3 c", 0);
    assert_true(b->told[ROBOT_WAIT] > 0);
    assert_true(sim_table_push(b->sim, 1, -55, 0));
    assert_plays(b, "O2/1X1/2X n", 0);
    assert_int_equal(b->told[ROBOT_FAILED] + b->told[ROBOT_HELP], 0);
    assert_true(sim_table_push(b->sim, 0, 200, 0));
    b->back = -200;
    assert_plays(b, "O2/OX1/2X c", 0);
    assert_true(b->told[ROBOT_HELP] > 0);
    assert_non_null(strstr(text_c(&b->line), "these tags are not seen"));
    end(b);
}

// Where the board is is not known in pictures of another size: nobody can put that right on the
// table.
static void test_other_size(void **state) {
    (void)state;
    Bench *b = begin(true, RATE);
    RobotOptions options = {.tell = tell, .with = b, .patience = 0.2};
    robot_free(b->robot);
    b->view.width = 320;
    b->robot = robot_new(b->table, b->controller, b->camera, &b->view, &options, &b->why);
    assert_false(play(b, "3/1X1/3 n"));
    assert_string_equal(text_c(&b->why),
                        "the camera gives pictures of 640 x 480 pixels now, not of 320 x 480");
    assert_int_equal(b->told[ROBOT_HELP], 0);
    end(b);
}

// A line that is deaf to every movement, but well again when it is connected anew: after a few
// attempts a person is asked.
static void test_line_often_fails(void **state) {
    (void)state;
    Bench *b = begin(true, RATE);
    ControllerOptions line = {.poll = 0.002, .answer = 0.3, .wake_seconds = 0.01};
    RobotOptions options = {.tell = tell, .port = port, .with = b};
    Pose home = b->arm.home;
    robot_free(b->robot);
    controller_close(b->controller);
    b->controller = controller_open(&b->arm, sim_table_port(b->sim), &line, &b->why);
    assert_int_equal(controller_wake(b->controller, &home, NULL, NULL, &b->why), CONTROLLER_OK);
    b->robot = robot_new(b->table, b->controller, NULL, NULL, &options, &b->why);
    robot_believe(b->robot, &b->truth);
    b->deaf = 3;
    assert_plays(b, "3/1X1/3 n", 0);
    assert_int_equal(b->told[ROBOT_FAILED], 3);
    assert_int_equal(b->told[ROBOT_HELP], 1);
    assert_non_null(strstr(text_c(&b->line), "does not answer: has the board power (VL, VS)? See"));
    end(b);
}

static void *stop_soon(void *with) {
    Bench *b = with;
    usleep((useconds_t)(1e4 + 1e4 * b->told[ROBOT_DONE]));
    robot_stop(b->robot);
    return NULL;
}

// At any moment: what was begun goes on, and nothing is hit or lost.
static void test_stop(void **state) {
    (void)state;
    Bench *b = begin(true, 30);
    int stopped = 0;
    for (int i = 0; i < 8; i++) {
        const char *to = i % 2 ? "3/3/3 c" : "3/1X1/3 n";
        b->told[ROBOT_DONE] = i * 7 % 12 * 3;
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, stop_soon, b), 0);
        bool done = play(b, to);
        pthread_join(thread, NULL);
        if (!done) {
            assert_true(robot_is_stopped(b->robot));
            stopped++;
            assert_false(play(b, to)); // it stays so until it is told
        }
        text_clear(&b->why);
        if (!robot_resume(b->robot, &b->why))
            fail_msg("%s", text_c(&b->why));
        assert_plays(b, to, 0);
    }
    assert_true(stopped > 1);
    assert_int_equal(b->told[ROBOT_HELP], 0);
    end(b);
}

static void *stop_in_motion(void *with) {
    Bench *b = with;
    for (int i = 0; i < 20000 && atomic_load(&b->motions) == 0; i++)
        usleep(1000);
    usleep(15000); // the first motion is a long one
    robot_stop(b->robot);
    return NULL;
}

// Stopped on the way, so that the arm is not where it was sent.
static void stop_on_the_way(Bench *b, const char *to) {
    pthread_t thread;
    atomic_store(&b->motions, 0);
    assert_int_equal(pthread_create(&thread, NULL, stop_in_motion, b), 0);
    assert_false(play(b, to));
    pthread_join(thread, NULL);
    text_clear(&b->why);
    text_clear(&b->line);
    b->told[ROBOT_HELP] = 0;
}

// After a stop the cable is pulled, or the power fails: as long as that is so there is no going on,
// then there is.
static void test_stop_and_cable(void **state) {
    (void)state;
    static const SimFaults faults[] = {{.pulled = true}, {.silent = true}};
    for (int i = 0; i < 2; i++) {
        Bench *b = begin(true, 10);
        SimBoard *board = sim_table_board(b->sim);
        stop_on_the_way(b, "3/1X1/3 n");
        sim_board_fail(board, &faults[i]);
        assert_false(robot_resume(b->robot, &b->why));
        assert_true(robot_is_stopped(b->robot));
        assert_true(b->why.n > 0);
        assert_int_equal(b->told[ROBOT_HELP], 0);
        sim_board_fail(board, &(SimFaults){0});
        text_clear(&b->why);
        if (!robot_resume(b->robot, &b->why))
            fail_msg("%s", text_c(&b->why));
        if (i == 0) // it stands where it was not sent to: nobody knows whether it had power
            assert_non_null(strstr(text_c(&b->line), "keep a hand at the switch"));
        assert_plays(b, "3/1X1/3 n", 20);
        end(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plays),
        cmocka_unit_test(test_blind),
        cmocka_unit_test(test_miss),
        cmocka_unit_test(test_knows_piles),
        cmocka_unit_test(test_miss_on_pile),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_other_piece_lost),
        cmocka_unit_test(test_pull),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_camera_pushed),
        cmocka_unit_test(test_stop_and_cable),
        cmocka_unit_test(test_other_size),
        cmocka_unit_test(test_line_often_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
