// The servo controller over a real pseudo-terminal, with the simulated board at its other end.
#include "base/mem.h"
#include "base/now.h"
#include "base/rng.h"
#include "robot/controller.h"
#include "robot/serial.h"
#include "robot/sim_board.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define RATE 50 // time passes so much faster

static const ControllerOptions quick = {
    .baud = 115200, .poll = 0.002, .answer = 1, .patience = 1, .wake_seconds = 0.01};
static const Pose home = {{0, -20, 20, -60, 85}};
static const Pose left = {{-40, -30, 10, -50, 85}};
static const Pose right = {{50, -10, -20, -40, 60}};

typedef struct Bench {
    Arm arm;
    SimBoard *board;
    Controller *c;
    Text why;
} Bench;

static void begin_by(Bench *b, double rate, uint64_t seed, const ControllerOptions *options) {
    *b = (Bench){0};
    arm_usual(&b->arm);
    b->board = sim_board_new(rate, seed, &b->why);
    assert_non_null(b->board);
    b->c = controller_open(&b->arm, sim_board_port(b->board), options, &b->why);
    if (!b->c)
        fail_msg("%s", text_c(&b->why));
}

static void begin(Bench *b, double rate, bool awake) {
    begin_by(b, rate, 7, &quick);
    if (awake)
        assert_int_equal(controller_wake(b->c, &home, NULL, NULL, &b->why), CONTROLLER_OK);
}

static void end(Bench *b) {
    controller_close(b->c);
    sim_board_free(b->board);
    text_free(&b->why);
}

// Waits until the servos themselves are where they were sent; they follow what is commanded.
static void assert_stands(Bench *b, const Pose *pose) {
    double pulse[SIM_CHANNELS];
    for (int i = 0; i < 5000 && sim_board_pulses(b->board, pulse); i++)
        usleep(1000);
    usleep(20000);
    sim_board_pulses(b->board, pulse);
    for (int j = 0; j < ARM_JOINTS; j++)
        assert_true(fabs(arm_angle(&b->arm, j, (int)lround(pulse[b->arm.joint[j].channel])) -
                         pose->angle[j]) < 0.2);
}

static void test_version(void **state) {
    (void)state;
    Bench b;
    begin(&b, RATE, false);
    assert_non_null(strstr(controller_version(b.c), "SSC32U"));
    end(&b);
}

static void test_nothing_moves_cold(void **state) {
    (void)state;
    Bench b;
    begin(&b, RATE, false);
    assert_int_equal(controller_move(b.c, &left, 1, &b.why), CONTROLLER_COLD);
    assert_int_equal(controller_fingers(b.c, true, 1, &b.why), CONTROLLER_COLD);
    SimCounts counts;
    sim_board_counts(b.board, &counts);
    assert_int_equal(counts.moves, 0);
    Pose pose;
    assert_false(controller_pose(b.c, &pose));
    end(&b);
}

static void test_moves(void **state) {
    (void)state;
    Bench b;
    begin(&b, RATE, true);
    assert_stands(&b, &home);
    Pose pose;
    for (int i = 0; i < 4; i++) {
        const Pose *to = i % 2 ? &left : &right;
        assert_int_equal(controller_move(b.c, to, 0.5, &b.why), CONTROLLER_OK);
        assert_stands(&b, to);
        assert_true(controller_pose(b.c, &pose));
        assert_true(fabs(pose.angle[ARM_BASE] - to->angle[ARM_BASE]) < 0.1);
        assert_int_equal(controller_fingers(b.c, i % 2, 0.3, &b.why), CONTROLLER_OK);
        double pulse[SIM_CHANNELS];
        sim_board_pulses(b.board, pulse);
    }
    SimCounts counts;
    sim_board_counts(b.board, &counts);
    assert_int_equal(counts.wrong, 0);
    assert_int_equal(counts.beyond, 0);
    assert_int_equal(counts.jumps, ARM_SERVOS); // each servo once, when it was woken
    end(&b);
}

// All joints are on their way for the same time: half of it, half of the way.
static void test_joints_arrive_together(void **state) {
    (void)state;
    Bench b;
    begin(&b, RATE, true);
    double before[SIM_CHANNELS], during[SIM_CHANNELS];
    assert_stands(&b, &home);
    sim_board_pulses(b.board, before);
    // The line is spoken to directly, so that one can look on.
    controller_close(b.c);
    b.c = NULL;
    Serial *line = serial_open(sim_board_port(b.board), 115200, &b.why);
    assert_non_null(line);
    static const char move[] = "#0P2000#1P1000T20000\r";
    assert_true(serial_write(line, move, sizeof move - 1, 1, &b.why));
    bool together = false;
    for (int i = 0; i < 200 && !together; i++) {
        usleep(2000);
        sim_board_pulses(b.board, during);
        double one = (during[0] - before[0]) / (2000 - before[0]);
        double other = (during[1] - before[1]) / (1000 - before[1]);
        if (one > 0.2 && one < 0.8) {
            assert_true(fabs(one - other) < 0.05);
            together = true;
        }
    }
    assert_true(together);
    serial_close(line);
    end(&b);
}

// Out of range is an error before anything is sent, never a clamp.
static void test_limits(void **state) {
    (void)state;
    Bench b;
    begin(&b, RATE, true);
    SimCounts before, after;
    sim_board_counts(b.board, &before);
    Rng rng;
    rng_seed(&rng, 5);
    int refused = 0;
    for (int i = 0; i < 2000; i++) {
        Pose to = home;
        int j = (int)rng_below(&rng, ARM_JOINTS);
        to.angle[j] = i % 10 ? (double)rng_below(&rng, 400) + 90.5 : (double)NAN;
        if (i % 2)
            to.angle[j] = -to.angle[j];
        text_clear(&b.why);
        assert_int_equal(controller_move(b.c, &to, 0.1, &b.why), CONTROLLER_RANGE);
        assert_non_null(strstr(text_c(&b.why), arm_joint_name(j)));
        refused++;
    }
    assert_int_equal(controller_move(b.c, &home, 1e9, &b.why), CONTROLLER_RANGE);
    assert_int_equal(controller_fingers(b.c, true, HUGE_VAL, &b.why), CONTROLLER_RANGE);
    sim_board_counts(b.board, &after);
    assert_int_equal(after.moves, before.moves);
    assert_int_equal(refused, 2000);
    end(&b);
}

typedef struct Mover {
    Controller *c;
    ControllerFault fault;
} Mover;

static void *move_slowly(void *with) {
    Mover *m = with;
    Text why = {0};
    m->fault = controller_move(m->c, &right, 30, &why);
    text_free(&why);
    return NULL;
}

// Stopped in the middle: it stays where it is, nothing moves before it is resumed, then it does.
static void test_stop(void **state) {
    (void)state;
    Bench b;
    begin(&b, 10, true);
    assert_int_equal(controller_move(b.c, &left, 0.5, &b.why), CONTROLLER_OK);
    assert_stands(&b, &left);
    Mover mover = {.c = b.c};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, move_slowly, &mover), 0);
    double pulse[SIM_CHANNELS], later[SIM_CHANNELS], target = 2000;
    sim_board_pulses(b.board, pulse);
    for (int i = 0; i < 30000 && pulse[0] < 1200; i++) { // until it is well on its way
        usleep(1000);
        sim_board_pulses(b.board, pulse);
    }
    assert_true(pulse[0] >= 1200);
    controller_stop(b.c, NULL);
    pthread_join(thread, NULL);
    assert_int_equal(mover.fault, CONTROLLER_STOPPED);
    usleep(30000);
    sim_board_pulses(b.board, pulse);
    assert_true(pulse[0] > 1150 && pulse[0] < target - 50);
    usleep(100000);
    sim_board_pulses(b.board, later);
    assert_true(fabs(pulse[0] - later[0]) < 0.5);
    assert_true(controller_is_stopped(b.c));
    assert_int_equal(controller_move(b.c, &home, 1, &b.why), CONTROLLER_STOPPED);
    sim_board_pulses(b.board, later);
    assert_true(fabs(pulse[0] - later[0]) < 0.5);
    assert_int_equal(controller_resume(b.c, &b.why), CONTROLLER_OK);
    Pose pose;
    assert_true(controller_pose(b.c, &pose)); // where it stopped, not where it should have gone
    assert_true(fabs(pose.angle[ARM_BASE] - (pulse[0] - 1500) / 10) < 1);
    assert_int_equal(controller_move(b.c, &home, 1, &b.why), CONTROLLER_OK);
    assert_stands(&b, &home);
    end(&b);
}

static void wait_for_base(Bench *b, double least) {
    double pulse[SIM_CHANNELS] = {0};
    for (int i = 0; i < 30000 && pulse[0] < least; i++) {
        usleep(1000);
        sim_board_pulses(b->board, pulse);
    }
    assert_true(pulse[0] >= least);
}

// A line that loses bytes just then: what the stop says is so, and it stops all the same.
static void test_stop_on_a_bad_line(void **state) {
    (void)state;
    Bench b;
    int sure = 0;
    begin(&b, 10, true);
    for (int i = 0; i < 12; i++) {
        assert_int_equal(controller_move(b.c, &left, 0.1, &b.why), CONTROLLER_OK);
        assert_stands(&b, &left);
        Mover mover = {.c = b.c};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, move_slowly, &mover), 0);
        wait_for_base(&b, 1120);
        sim_board_fail(b.board, &(SimFaults){.lose = 0.04, .lose_back = 0.04});
        ControllerFault stop = controller_stop(b.c, NULL);
        pthread_join(thread, NULL);
        assert_int_equal(mover.fault, CONTROLLER_STOPPED);
        double pulse[SIM_CHANNELS], later[SIM_CHANNELS];
        sim_board_pulses(b.board, pulse);
        usleep(50000);
        sim_board_pulses(b.board, later);
        for (int j = 0; j < ARM_SERVOS; j++)
            assert_true(fabs(pulse[j] - later[j]) < 0.5);
        sure += stop == CONTROLLER_OK;
        sim_board_fail(b.board, &(SimFaults){0});
        assert_int_equal(controller_resume(b.c, &b.why), CONTROLLER_OK);
    }
    assert_true(sure >= 6);
    end(&b);
}

// A stop that nobody confirms is told, and so is one that cannot be sent.
static void test_stop_in_vain(void **state) {
    (void)state;
    Bench b;
    begin(&b, RATE, true);
    assert_int_equal(controller_stop(b.c, &b.why), CONTROLLER_OK);
    assert_int_equal(b.why.n, 0);
    sim_board_fail(b.board, &(SimFaults){.silent = true});
    assert_int_equal(controller_stop(b.c, &b.why), CONTROLLER_SILENT);
    assert_non_null(strstr(text_c(&b.why), "switch"));
    text_clear(&b.why);
    sim_board_fail(b.board, &(SimFaults){.pulled = true});
    assert_int_equal(controller_stop(b.c, &b.why), CONTROLLER_LOST);
    assert_non_null(strstr(text_c(&b.why), "cable"));
    end(&b);
}

static void test_silence(void **state) {
    (void)state;
    Bench b;
    begin(&b, RATE, true);
    sim_board_fail(b.board, &(SimFaults){.silent = true});
    assert_int_equal(controller_move(b.c, &left, 0.1, &b.why), CONTROLLER_SILENT);
    assert_non_null(strstr(text_c(&b.why), "power"));
    Pose pose;
    assert_false(controller_pose(b.c, &pose));
    sim_board_fail(b.board, &(SimFaults){0});
    assert_int_equal(controller_move(b.c, &left, 0.1, &b.why), CONTROLLER_OK);
    assert_stands(&b, &left);
    end(&b);
    assert_null(controller_open(&b.arm, "/nowhere/port", &quick, &b.why));
    text_free(&b.why);
}

static void test_cable(void **state) {
    (void)state;
    Bench b;
    begin(&b, RATE, true);
    sim_board_pull(b.board);
    assert_int_equal(controller_move(b.c, &left, 0.1, &b.why), CONTROLLER_LOST);
    assert_non_null(strstr(text_c(&b.why), "cable"));
    controller_stop(b.c, NULL); // also then
    controller_close(b.c);
    text_clear(&b.why);
    b.c = controller_open(&b.arm, sim_board_port(b.board), &quick, &b.why);
    assert_non_null(b.c);
    assert_int_equal(controller_move(b.c, &left, 0.1, &b.why), CONTROLLER_COLD);
    assert_int_equal(controller_wake(b.c, &home, NULL, NULL, &b.why), CONTROLLER_OK);
    // The board had power all the time, and knows where it was sent.
    sim_board_pull(b.board);
    assert_int_equal(controller_move(b.c, &left, 0.1, &b.why), CONTROLLER_LOST);
    assert_int_not_equal(controller_reconnect(b.c, &b.why), CONTROLLER_OK);
    assert_true(controller_at(b.c, sim_board_port(b.board)));
    assert_int_equal(controller_reconnect(b.c, &b.why), CONTROLLER_OK);
    assert_int_equal(controller_move(b.c, &left, 0.1, &b.why), CONTROLLER_OK);
    assert_stands(&b, &left);
    // Another board does not.
    SimBoard *other = sim_board_new(RATE, 8, &b.why);
    assert_true(controller_at(b.c, sim_board_port(other)));
    assert_int_equal(controller_reconnect(b.c, &b.why), CONTROLLER_OK);
    assert_int_equal(controller_move(b.c, &right, 0.1, &b.why), CONTROLLER_COLD);
    end(&b);
    sim_board_free(other);
}

static int open_files(void) {
    int n = 0;
    for (int fd = 0; fd < 1024; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

// However often the cable is pulled, nothing of the old lines stays open.
static void test_cable_often(void **state) {
    (void)state;
    Bench b;
    begin(&b, RATE, true);
    int before = open_files();
    for (int i = 0; i < 50; i++) {
        const Pose *to = i % 2 ? &right : &left;
        sim_board_pull(b.board);
        assert_int_equal(controller_move(b.c, to, 0.1, &b.why), CONTROLLER_LOST);
        if (i % 10 == 0) // the old port is gone
            assert_int_not_equal(controller_reconnect(b.c, &b.why), CONTROLLER_OK);
        assert_true(controller_at(b.c, sim_board_port(b.board)));
        assert_int_equal(controller_reconnect(b.c, &b.why), CONTROLLER_OK);
        assert_int_equal(controller_move(b.c, to, 0.1, &b.why), CONTROLLER_OK);
    }
    assert_int_equal(open_files(), before);
    end(&b);
}

// Bytes that are lost on their way make other commands of the ones that were sent: a movement that
// is reported as done is the right one all the same.
static void test_lost_bytes(void **state) {
    (void)state;
    Bench b;
    begin(&b, 200, true);
    SimFaults faults = {.lose = 0.01};
    sim_board_fail(b.board, &faults);
    int done = 0;
    for (int i = 0; i < 30; i++) {
        const Pose *to = i % 2 ? &left : &right;
        if (controller_move(b.c, to, 0.05, &b.why) == CONTROLLER_OK) {
            done++;
            assert_stands(&b, to);
            continue;
        }
        // It may have been sent so far away that only waking helps.
        sim_board_fail(b.board, &(SimFaults){0});
        assert_int_equal(controller_wake(b.c, &home, NULL, NULL, &b.why), CONTROLLER_OK);
        sim_board_fail(b.board, &faults);
    }
    assert_true(done > 10);
    end(&b);
}

// A command to a cold joint that is lost on the line is noticed and sent again: a wake that went
// well has really moved every joint.
static void test_wake_on_a_bad_line(void **state) {
    (void)state;
    ControllerOptions impatient = quick;
    impatient.answer = 0.2; // what is lost is not waited for long
    int done = 0, repeats = 0;
    for (int i = 0; i < 10; i++) {
        Bench b;
        begin_by(&b, 200, (uint64_t)i, &impatient);
        sim_board_fail(b.board, &(SimFaults){.lose = 0.03});
        ControllerFault fault = controller_wake(b.c, &home, NULL, NULL, &b.why);
        Pose pose;
        assert_int_equal(controller_pose(b.c, &pose), fault == CONTROLLER_OK);
        if (fault == CONTROLLER_OK) {
            done++;
            repeats += controller_repeats(b.c);
            assert_stands(&b, &home);
        } else {
            assert_true(b.why.n > 0);
        }
        end(&b);
    }
    assert_true(done >= 5);
    assert_true(repeats > 0);
}

// A channel that does not answer: not awake.
static void test_wake_in_vain(void **state) {
    (void)state;
    Bench b;
    begin(&b, RATE, false);
    b.arm.joint[ARM_ELBOW].channel = 33; // which this board does not have
    controller_measured(b.c, &b.arm);
    assert_int_equal(controller_wake(b.c, &home, NULL, NULL, &b.why), CONTROLLER_SILENT);
    Pose pose;
    assert_false(controller_pose(b.c, &pose));
    assert_int_equal(controller_move(b.c, &left, 0.1, &b.why), CONTROLLER_COLD);
    end(&b);
}

// What another program did with the arm is found out; a cold arm is not taken for a woken one.
static void test_find(void **state) {
    (void)state;
    Bench b;
    begin(&b, RATE, false);
    assert_int_equal(controller_find(b.c, &b.why), CONTROLLER_COLD);
    assert_int_equal(controller_wake(b.c, &home, NULL, NULL, &b.why), CONTROLLER_OK);
    assert_int_equal(controller_move(b.c, &left, 0.1, &b.why), CONTROLLER_OK);
    controller_close(b.c);
    b.c = controller_open(&b.arm, sim_board_port(b.board), &quick, &b.why);
    assert_non_null(b.c);
    assert_int_equal(controller_move(b.c, &right, 0.1, &b.why), CONTROLLER_COLD);
    assert_int_equal(controller_find(b.c, &b.why), CONTROLLER_OK);
    Pose pose;
    assert_true(controller_pose(b.c, &pose));
    for (int j = 0; j < ARM_JOINTS; j++) // to ten microseconds, which is a degree
        assert_true(fabs(pose.angle[j] - left.angle[j]) < 1);
    assert_int_equal(controller_move(b.c, &right, 0.1, &b.why), CONTROLLER_OK);
    assert_stands(&b, &right);
    SimCounts counts;
    sim_board_counts(b.board, &counts);
    assert_int_equal(counts.jumps, ARM_SERVOS);
    sim_board_fail(b.board, &(SimFaults){.silent = true});
    assert_int_equal(controller_find(b.c, &b.why), CONTROLLER_SILENT);
    end(&b);
}

static void *pull_soon(void *board) {
    usleep(50000);
    sim_board_fail(board, &(SimFaults){.pulled = true});
    return NULL;
}

// The cable goes while an answer is waited for: that is noticed then, not when patience ends.
static void test_cable_while_waiting(void **state) {
    (void)state;
    Bench b;
    begin(&b, RATE, true);
    sim_board_fail(b.board, &(SimFaults){.silent = true});
    pthread_t puller;
    double before = now_seconds();
    assert_int_equal(pthread_create(&puller, NULL, pull_soon, b.board), 0);
    assert_int_equal(controller_move(b.c, &left, 0.1, &b.why), CONTROLLER_LOST);
    assert_true(now_seconds() - before < 3 * quick.answer);
    pthread_join(puller, NULL);
    assert_int_equal(controller_reconnect(b.c, &b.why), CONTROLLER_LOST); // there is no port
    sim_board_fail(b.board, &(SimFaults){0});
    assert_non_null(sim_board_port(b.board));
    end(&b);
}

// Bytes are lost and wrong in both directions: no crash, and no servo beyond its limits, ever.
static void test_bad_lines(void **state) {
    (void)state;
    Bench b;
    begin(&b, 200, true);
    controller_close(b.c);
    ControllerOptions impatient = quick;
    impatient.answer = 0.03; // answers that are lost are not waited for long
    for (b.c = NULL; !b.c;)  // on a busy machine it takes a few times
        b.c = controller_open(&b.arm, sim_board_port(b.board), &impatient, &b.why);
    controller_wake(b.c, &home, NULL, NULL, &b.why);
    Rng rng;
    rng_seed(&rng, 11);
    for (int i = 0; i < 30; i++) {
        SimFaults faults = {.lose = 0.02, .lose_back = 0.2, .garble = 0.2};
        sim_board_fail(b.board, &faults);
        Pose to;
        for (int j = 0; j < ARM_JOINTS; j++) {
            int span = (int)(b.arm.joint[j].high - b.arm.joint[j].low);
            to.angle[j] = b.arm.joint[j].low + (double)rng_below(&rng, (uint64_t)span);
        }
        text_clear(&b.why);
        controller_move(b.c, &to, 0.1, &b.why);
        double pulse[SIM_CHANNELS];
        sim_board_pulses(b.board, pulse);
        for (int j = 0; j < SIM_CHANNELS; j++)
            assert_true(pulse[j] == 0 || (pulse[j] >= 500 && pulse[j] <= 2500));
    }
    sim_board_fail(b.board, &(SimFaults){0});
    controller_close(b.c);
    b.c = controller_open(&b.arm, sim_board_port(b.board), &quick, &b.why);
    assert_non_null(b.c);
    assert_int_equal(controller_wake(b.c, &home, NULL, NULL, &b.why), CONTROLLER_OK);
    end(&b);
}

static void test_exclusive(void **state) {
    (void)state;
    Bench b;
    begin(&b, RATE, false);
    assert_null(controller_open(&b.arm, sim_board_port(b.board), &quick, &b.why));
    assert_non_null(strstr(text_c(&b.why), "in use"));
    end(&b);
    Text why = {0};
    assert_null(serial_open("/dev/null", 9600, &why));
    assert_non_null(strstr(text_c(&why), "no serial line"));
    text_clear(&why);
    assert_null(serial_open("/dev/null", 12345, &why));
    assert_non_null(strstr(text_c(&why), "12345"));
    text_free(&why);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_nothing_moves_cold),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_joints_arrive_together),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_stop_on_a_bad_line),
        cmocka_unit_test(test_stop_in_vain),
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_cable),
        cmocka_unit_test(test_cable_often),
        cmocka_unit_test(test_wake_on_a_bad_line),
        cmocka_unit_test(test_wake_in_vain),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_cable_while_waiting),
        cmocka_unit_test(test_bad_lines),
        cmocka_unit_test(test_exclusive),
        cmocka_unit_test(test_lost_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
