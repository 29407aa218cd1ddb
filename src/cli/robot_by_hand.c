// robot_by_hand: small commands that move an arm, each by itself.
//
// A command knows nothing of those before it; but the controller knows where it sent its servos, as
// long as it has power. So the arm is woken once, and every further command asks where it stands.
//
// Whoever ends a command ends the movement: while one goes on, a guard waits for Ctrl-C and other
// signals that end programs, and stops the arm.
#include "cli/robot_commands.h"

#include "robot/path.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECONDS 2.0            // of a movement, unless --seconds says otherwise
#define GUARD_NANOSECONDS 5e6L // between two looks whether a signal has come

typedef struct Hand {
    Arm arm;
    Controller *c;
    double seconds;
    pthread_t guard;
    bool guarded;
    atomic_bool done; // the guard may go
    Text why, unsure; // the second: why it is not certain that a stop has worked
} Hand;

// --- the guard ---

static void *keep_guard(void *with) {
    Hand *h = with;
    const struct timespec t = {0, GUARD_NANOSECONDS};
    while (!atomic_load(&h->done) && !cli_interrupted())
        nanosleep(&t, NULL);
    if (!atomic_load(&h->done))
        controller_stop(h->c, &h->unsure);
    return NULL;
}

// From now on signals stop the arm; false if nobody can see to that.
static bool begin_guard(Hand *h) {
    h->guarded = pthread_create(&h->guard, NULL, keep_guard, h) == 0;
    if (!h->guarded)
        cli_error("there is no thread to be had that could stop the arm");
    return h->guarded;
}

static void end_guard(Hand *h) {
    atomic_store(&h->done, true);
    if (h->guarded)
        pthread_join(h->guard, NULL);
    h->guarded = false;
}

// --- beginning and ending ---

// What is the same for all of them before the arm; an exit status.
static int prepare(const Cli *cli, int words, int wanted, Hand *h) {
    *h = (Hand){.seconds = SECONDS};
    atomic_init(&h->done, false);
    if (words != wanted)
        return cli_usage(cli, "`%s` takes %d words, not %d", cli->words[0], wanted, words);
    return cli_seconds(cli, &h->seconds) ? arm_of(cli, &h->arm) : EXIT_USAGE;
}

// Opens the arm; an exit status. `awake`: it has to be.
static int begin(const Cli *cli, int words, int wanted, bool awake, Hand *h) {
    int status = prepare(cli, words, wanted, h);
    cli_catch_interrupt();
    if (status == EXIT_OK)
        status = arm_open(cli, &h->arm, &h->c);
    if (status == EXIT_OK && awake && controller_find(h->c, &h->why) != CONTROLLER_OK) {
        cli_error("%s", text_c(&h->why));
        status = EXIT_INPUT;
    }
    return status;
}

static int end(Hand *h, int status) {
    end_guard(h);
    controller_close(h->c);
    text_free(&h->why);
    text_free(&h->unsure);
    return status;
}

static int ended(Hand *h, ControllerFault fault) {
    int status = fault == CONTROLLER_OK ? EXIT_OK : cli_error("%s", text_c(&h->why));
    end_guard(h); // then it is known what came of a stop
    if (h->unsure.n)
        cli_error("%s", text_c(&h->unsure));
    return end(h, fault == CONTROLLER_STOPPED ? EXIT_INTERRUPTED : status);
}

static void print_where(const Cli *cli, Hand *h) {
    Pose pose = {0};
    controller_pose(h->c, &pose);
    Point at = arm_point(&h->arm, &pose);
    Text out = {0};
    bool json = cli->option[OPT_JSON] != NULL;
    for (int j = 0; j < ARM_JOINTS; j++)
        text_f(&out, json ? "%s\"%s\":%.1f" : "%s%s %.1f",
               j == 0 ? json ? "{" : ""
               : json ? ","
                      : ", ",
               arm_joint_name(j), pose.angle[j]);
    text_f(&out,
           json ? ",\"x\":%.1f,\"y\":%.1f,\"z\":%.1f}\n" : "\nfingers at %.1f, %.1f, %.1f cm\n",
           at.x, at.y, at.z);
    cli_print(&out);
    text_free(&out);
}

int robot_where(const Cli *cli, const char *const *words, int count) {
    (void)words;
    Hand h;
    int status = begin(cli, count, 0, true, &h);
    if (status == EXIT_OK)
        print_where(cli, &h);
    return end(&h, status);
}

int robot_wake(const Cli *cli, const char *const *words, int count) {
    (void)words;
    Hand h;
    int status = begin(cli, count, 0, false, &h);
    if (status != EXIT_OK)
        return end(&h, status);
    if (!path_home(&h.arm, 0, &h.why))
        return end(&h, cli_error("%s", text_c(&h.why)));
    if (!begin_guard(&h))
        return end(&h, EXIT_INPUT);
    return ended(&h, controller_wake(h.c, &h.arm.home, NULL, NULL, &h.why));
}

int robot_move(const Cli *cli, const char *const *words, int count) {
    Hand h;
    double number[3] = {0};
    for (int i = 0; i < count && count == 3; i++) {
        char *rest;
        number[i] = strtod(words[i], &rest);
        if (!*words[i] || *rest || !isfinite(number[i]))
            return cli_usage(cli, "X, Y and Z are numbers of cm, not `%s`", words[i]);
    }
    int status = begin(cli, count, 3, true, &h);
    if (status != EXIT_OK)
        return end(&h, status);
    Pose from = {0}, to;
    controller_pose(h.c, &from);
    Reach reach = arm_reach_down(&h.arm, (Point){number[0], number[1], number[2]}, &from, &to);
    if (reach.fault != REACH_OK) {
        text_f(&h.why, "the arm does not reach %s, %s, %s: ", words[0], words[1], words[2]);
        arm_reach_text(&reach, &h.why);
        return end(&h, cli_error("%s", text_c(&h.why)));
    }
    if (!path_clear(&h.arm, &from, &to, &h.why))
        return end(&h, cli_error("%s", text_c(&h.why)));
    return begin_guard(&h) ? ended(&h, controller_move(h.c, &to, h.seconds, &h.why))
                           : end(&h, EXIT_INPUT);
}

int robot_fingers(const Cli *cli, const char *const *words, int count) {
    Hand h;
    if (count == 1 && strcmp(words[0], "open") != 0 && strcmp(words[0], "close") != 0)
        return cli_usage(cli, "fingers can `open` and `close`, not `%s`", words[0]);
    int status = begin(cli, count, 1, true, &h);
    if (status != EXIT_OK)
        return end(&h, status);
    if (!begin_guard(&h))
        return end(&h, EXIT_INPUT);
    return ended(&h, controller_fingers(h.c, strcmp(words[0], "open") == 0, 0.5, &h.why));
}

// Nothing is asked before the stop is out.
int robot_halt(const Cli *cli, const char *const *words, int count) {
    (void)words;
    Hand h;
    int status = prepare(cli, count, 0, &h);
    if (status == EXIT_OK)
        status = arm_attach(cli, &h.arm, &h.c);
    if (status == EXIT_OK && controller_stop(h.c, &h.why) != CONTROLLER_OK)
        status = cli_error("%s", text_c(&h.why));
    return end(&h, status);
}
