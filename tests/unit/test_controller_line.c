// What the controller sends, whatever comes back: at the other end of a real pseudo-terminal sits a
// Spy with its own idea of what may be sent. It answers well, badly or not at all, and notes when
// the arm is stopped.
#define _GNU_SOURCE // ptsname_r, memmem
#include "base/now.h"
#include "base/rng.h"
#include "robot/controller.h"
#include "robot/serial.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#define CHANNELS 32

typedef struct Spy {
    Arm arm;
    pthread_t thread;
    int fd, keep;
    char port[64];
    atomic_bool end, paused;
    _Atomic double gap;    // the longest time that it did not listen
    atomic_int late;       // milliseconds before a question is answered
    atomic_int wild;       // of 100 answers that are not what they should be
    atomic_bool may_move;  // after a stop: the arm was told to go on
    regex_t command, part; // what may be sent
    Rng rng;
    char line[600];
    size_t n;
    int pulse[CHANNELS]; // as commanded; 0: cold
    double until;        // something moves until then
    char later;          // an answer that is late, and when it comes
    double later_at;
    int stops;   // STOP lines since the last movement
    bool halted; // all servos were stopped
    // for the test
    pthread_mutex_t lock;
    char bad[700]; // the first line that should not have been sent
    int lines, moves;
    double stopped_at; // when all servos had been told to stop for the first time
    char heard[4096];  // the last bytes since `paused` ended
    size_t hears;
} Spy;

static void note_bad(Spy *s, const char *what) {
    pthread_mutex_lock(&s->lock);
    if (!s->bad[0])
        snprintf(s->bad, sizeof s->bad, "%s: `%s`", what, s->line);
    pthread_mutex_unlock(&s->lock);
}

static int joint_of(const Spy *s, int channel) {
    for (int j = 0; j < ARM_SERVOS; j++)
        if (s->arm.joint[j].channel == channel)
            return j;
    return -1;
}

// --- what was sent ---

static void hear_move(Spy *s) {
    regmatch_t m[3];
    const char *at = s->line, *time = strchr(s->line, 'T');
    long ms = time ? strtol(time + 1, NULL, 10) : 0;
    if (time && (ms < 1 || ms > 65535))
        note_bad(s, "a time out of range");
    if (s->halted && !atomic_load(&s->may_move))
        note_bad(s, "a movement after a stop");
    for (; regexec(&s->part, at, 3, m, 0) == 0; at += m[0].rm_eo) {
        int channel = atoi(at + m[1].rm_so), pulse = atoi(at + m[2].rm_so);
        int joint = joint_of(s, channel);
        if (joint < 0)
            note_bad(s, "a channel that is not the arm's");
        else if (pulse < s->arm.joint[joint].least || pulse > s->arm.joint[joint].most)
            note_bad(s, "a pulse out of range");
        else if (time && s->pulse[channel] == 0)
            note_bad(s, "the first movement of a servo has a time");
        if (joint >= 0)
            s->pulse[channel] = pulse;
    }
    s->halted = false;
    s->stops = 0;
    s->until = now_seconds() + (double)ms / 1000;
    pthread_mutex_lock(&s->lock);
    s->moves++;
    pthread_mutex_unlock(&s->lock);
}

static void hear_stop(Spy *s) {
    if (joint_of(s, atoi(s->line + 4)) < 0)
        note_bad(s, "a channel that is not the arm's");
    s->until = 0;
    if (++s->stops < ARM_SERVOS)
        return;
    s->halted = true;
    s->stops = 0;
    pthread_mutex_lock(&s->lock);
    if (s->stopped_at == 0)
        s->stopped_at = now_seconds();
    pthread_mutex_unlock(&s->lock);
}

// --- what is answered ---

static void say(Spy *s, const void *data, size_t size) {
    if (write(s->fd, data, size) < 0 && errno != EAGAIN && errno != EIO)
        note_bad(s, strerror(errno));
}

// Nothing, half of it, other bytes, or far too much.
static void say_wild(Spy *s, const char *data, size_t size) {
    unsigned char noise[64];
    size_t n = rng_below(&s->rng, sizeof noise) + 1;
    for (size_t i = 0; i < n; i++)
        noise[i] = (unsigned char)rng_below(&s->rng, 256);
    switch (rng_below(&s->rng, 6)) {
    case 0: break;
    case 1: say(s, data, size / 2); break;
    case 2: say(s, noise, 1); break;
    case 3: say(s, noise, n); break;
    case 4:
        say(s, noise, n);
        say(s, data, size);
        break;
    default:
        for (int i = 0; i < 40; i++)
            say(s, noise, n);
    }
}

static void answer(Spy *s, const void *data, size_t size) {
    int late = atomic_load(&s->late);
    if (late > 0 && size == 1) { // the one that comes while it is waited for
        s->later = *(const char *)data;
        s->later_at = now_seconds() + late / 1000.0;
    } else if ((int)rng_below(&s->rng, 100) < atomic_load(&s->wild))
        say_wild(s, data, size);
    else
        say(s, data, size);
}

static void hear_line(Spy *s) {
    s->line[s->n] = 0;
    pthread_mutex_lock(&s->lock);
    s->lines++;
    pthread_mutex_unlock(&s->lock);
    if (s->line[0] == 'V')
        s->halted = false; // that is not asked before it was told to go on
    if (regexec(&s->command, s->line, 0, NULL, 0) != 0) {
        note_bad(s, "no command");
    } else if (s->line[0] == '#') {
        hear_move(s);
    } else if (s->line[0] == 'S') {
        hear_stop(s);
    } else if (s->line[0] == 'V') {
        answer(s, "SSC32U-SPY\r", 11);
    } else if (s->line[1] == 'P') {
        int channel = atoi(s->line + 2);
        unsigned char byte = (unsigned char)(s->pulse[channel % CHANNELS] / 10);
        if (joint_of(s, channel) < 0)
            note_bad(s, "a channel that is not the arm's");
        answer(s, &byte, 1);
    } else {
        answer(s, now_seconds() < s->until ? "+" : ".", 1);
    }
}

static void hear_byte(Spy *s, char byte) {
    pthread_mutex_lock(&s->lock);
    if (s->hears == sizeof s->heard)
        memmove(s->heard, s->heard + 1, --s->hears);
    s->heard[s->hears++] = byte;
    pthread_mutex_unlock(&s->lock);
    if (byte == 27) {
        s->n = 0;
    } else if (byte == '\r') {
        hear_line(s);
        s->n = 0;
    } else if (s->n + 1 < sizeof s->line) {
        s->line[s->n++] = byte;
    } else {
        note_bad(s, "a line without an end");
        s->n = 0;
    }
}

static void *listen_to(void *with) {
    Spy *s = with;
    double last = now_seconds();
    while (!atomic_load(&s->end)) {
        double now = now_seconds();
        if (now - last > atomic_load(&s->gap))
            atomic_store(&s->gap, now - last);
        last = now;
        struct pollfd p = {.fd = atomic_load(&s->paused) ? -1 : s->fd, .events = POLLIN};
        char bytes[128];
        ssize_t n = poll(&p, 1, 1) > 0 ? read(s->fd, bytes, sizeof bytes) : 0;
        for (ssize_t i = 0; i < n; i++)
            hear_byte(s, bytes[i]);
        if (s->later_at > 0 && atomic_load(&s->late) == 0)
            s->later_at = 0; // it is none to the next question
        if (s->later_at > 0 && now_seconds() >= s->later_at) {
            say(s, &s->later, 1);
            s->later_at = 0;
        }
    }
    return NULL;
}

static void spy_begin(Spy *s, uint64_t seed) {
    memset(s, 0, sizeof *s);
    arm_usual(&s->arm);
    for (int j = 0; j < ARM_JOINTS; j++)
        s->arm.joint[j].speed = 360; // so that waiting is short
    rng_seed(&s->rng, seed);
    pthread_mutex_init(&s->lock, NULL);
    static const char grammar[] =
        "^(VER|Q|QP[0-9]{1,2}|STOP[0-9]{1,2}|(#[0-9]{1,2}P[0-9]{3,4}){1,6}(T[0-9]{1,5})?)$";
    assert_int_equal(regcomp(&s->command, grammar, REG_EXTENDED), 0);
    assert_int_equal(regcomp(&s->part, "#([0-9]+)P([0-9]+)", REG_EXTENDED), 0);
    s->fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    assert_true(s->fd >= 0 && grantpt(s->fd) == 0 && unlockpt(s->fd) == 0);
    assert_int_equal(ptsname_r(s->fd, s->port, sizeof s->port), 0);
    s->keep = open(s->port, O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct termios t;
    assert_int_equal(tcgetattr(s->keep, &t), 0);
    cfmakeraw(&t);
    assert_int_equal(tcsetattr(s->keep, TCSANOW, &t), 0);
    assert_int_equal(pthread_create(&s->thread, NULL, listen_to, s), 0);
}

static void spy_end(Spy *s) {
    atomic_store(&s->end, true);
    pthread_join(s->thread, NULL);
    close(s->keep);
    close(s->fd);
    regfree(&s->command);
    regfree(&s->part);
    pthread_mutex_destroy(&s->lock);
    if (s->bad[0])
        fail_msg("%s", s->bad);
}

// Waits until what was sent has been heard.
static void spy_sync(Spy *s) {
    struct pollfd p = {.fd = s->fd, .events = POLLIN};
    do
        usleep(2000);
    while (poll(&p, 1, 0) > 0);
}

static const ControllerOptions hasty = {
    .baud = 115200, .poll = 0.001, .answer = 0.01, .patience = 0.05, .wake_seconds = 0.001};
static const ControllerOptions calm = {
    .baud = 115200, .poll = 0.002, .answer = 0.5, .patience = 2, .wake_seconds = 0.002};
static const Pose home = {{0, 20, -20, -60, 85}};

static Pose any_pose(Rng *rng, const Arm *arm, double beyond) {
    Pose pose;
    for (int j = 0; j < ARM_JOINTS; j++) {
        double part = (double)rng_below(rng, 10001) / 10000 * (1 + 2 * beyond) - beyond;
        pose.angle[j] = arm->joint[j].low + part * (arm->joint[j].high - arm->joint[j].low);
    }
    return pose;
}

static bool within(const Arm *arm, const Pose *pose) {
    double degrees;
    return arm_beyond(arm, pose, &degrees) < 0;
}

// --- anything may come back ---

static void try_anything(Spy *s, Controller *c, Rng *rng, Text *why) {
    Pose pose = any_pose(rng, &s->arm, rng_below(rng, 3) == 0 ? 0.2 : 0);
    static const double odd[] = {-1, 0, 1e-9, 1e9, HUGE_VAL, NAN};
    double seconds = rng_below(rng, 5) ? 0.03 : odd[rng_below(rng, 6)];
    text_clear(why);
    switch (rng_below(rng, 9)) {
    case 0:
    case 1:
    case 2: {
        ControllerFault fault = controller_move(c, &pose, seconds, why);
        if (!within(&s->arm, &pose))
            assert_int_equal(fault, CONTROLLER_RANGE);
        if (fault != CONTROLLER_OK && why->n == 0)
            fail_msg("%s, and no word why", controller_fault_word(fault));
        break;
    }
    case 3: controller_fingers(c, rng_below(rng, 2), seconds, why); break;
    case 4: controller_wake(c, &home, NULL, NULL, why); break;
    case 5: controller_find(c, why); break;
    case 6: {
        spy_sync(s);
        atomic_store(&s->may_move, false);
        controller_stop(c, NULL);
        ControllerFault arm = controller_move(c, &home, 0.1, why);
        ControllerFault fingers = controller_fingers(c, true, 0.1, why);
        assert_true(arm == CONTROLLER_STOPPED || arm == CONTROLLER_COLD);
        assert_true(fingers == CONTROLLER_STOPPED || fingers == CONTROLLER_COLD);
        break;
    }
    case 7:
        atomic_store(&s->may_move, true);
        controller_resume(c, why);
        break;
    default: controller_reconnect(c, why);
    }
    if (!controller_is_stopped(c))
        atomic_store(&s->may_move, true);
}

static void test_any_answer(void **state) {
    (void)state;
    int rounds = getenv("LUDENS_ALL") ? 400 : 24, lines = 0, moves = 0;
    for (int round = 0; round < rounds; round++) {
        Spy s;
        Rng rng;
        Text why = {0};
        spy_begin(&s, (uint64_t)round);
        rng_seed(&rng, (uint64_t)round + 1000);
        atomic_store(&s.may_move, true);
        atomic_store(&s.wild, round % 4 == 3 ? 100 : round % 4 * 30);
        Controller *c = NULL;
        for (int i = 0; i < 5 && !c; i++)
            c = controller_open(&s.arm, s.port, &hasty, &why);
        for (int i = 0; c && i < 30; i++) {
            double before = now_seconds();
            try_anything(&s, c, &rng, &why);
            assert_true(now_seconds() - before < 20); // nothing hangs
        }
        controller_close(c);
        text_free(&why);
        spy_end(&s);
        lines += s.lines;
        moves += s.moves;
    }
    assert_true(lines > 10 * rounds);
    assert_true(moves > rounds);
}

// From nonsense nobody concludes that the arm was woken: the first movement would be a jump.
static void test_nonsense_wakes_nothing(void **state) {
    (void)state;
    Spy s;
    Text why = {0};
    spy_begin(&s, 5);
    Controller *c = controller_open(&s.arm, s.port, &calm, &why);
    if (!c)
        fail_msg("%s", text_c(&why));
    controller_close(c);
    c = controller_open(&s.arm, s.port, &hasty, &why);
    for (int i = 0; c && i < 60; i++) {
        atomic_store(&s.wild, 100);
        assert_int_not_equal(controller_find(c, &why), CONTROLLER_OK);
    }
    controller_close(c);
    text_free(&why);
    spy_end(&s);
}

// --- stopping ---

typedef struct Playing {
    Spy spy;
    Controller *c;
    Rng rng;
    atomic_bool end;
    ControllerFault fault; // that ended the movements
} Playing;

// A plan that never ends: there, fingers, back, fingers.
static void *play(void *with) {
    Playing *p = with;
    Text why = {0};
    p->fault = CONTROLLER_OK;
    while (p->fault == CONTROLLER_OK && !atomic_load(&p->end)) {
        Pose pose = any_pose(&p->rng, &p->spy.arm, 0);
        p->fault = controller_move(p->c, &pose, 0.05, &why);
        if (p->fault == CONTROLLER_OK)
            p->fault = controller_fingers(p->c, rng_below(&p->rng, 2), 0.02, &why);
    }
    text_free(&why);
    return NULL;
}

// How long this machine lets threads wait that want nothing but to wake up: while it is long, no
// time that is measured means anything.
typedef struct Watch {
    atomic_bool end;
    _Atomic double worst;
} Watch;

static void *watch_machine(void *with) {
    Watch *w = with;
    double last = now_seconds();
    while (!atomic_load(&w->end)) {
        usleep(2000);
        double now = now_seconds();
        if (now - last > atomic_load(&w->worst))
            atomic_store(&w->worst, now - last);
        last = now;
    }
    return NULL;
}

static void begin_playing(Playing *p) {
    Text why = {0};
    memset(p, 0, sizeof *p);
    spy_begin(&p->spy, 1);
    atomic_store(&p->spy.may_move, true);
    rng_seed(&p->rng, 2);
    p->c = controller_open(&p->spy.arm, p->spy.port, &calm, &why);
    if (!p->c || controller_wake(p->c, &home, NULL, NULL, &why) != CONTROLLER_OK)
        fail_msg("%s", text_c(&why));
    text_free(&why);
}

// One stop at a random moment: seconds from the call to the last byte at the other end.
static double stop_once(Playing *p, Rng *rng) {
    pthread_t player;
    Text why = {0};
    assert_int_equal(pthread_create(&player, NULL, play, p), 0);
    usleep((useconds_t)rng_below(rng, 120000));
    atomic_store(&p->spy.may_move, false);
    pthread_mutex_lock(&p->spy.lock);
    p->spy.stopped_at = 0;
    pthread_mutex_unlock(&p->spy.lock);
    double before = now_seconds(), at = 0;
    controller_stop(p->c, NULL);
    while (at < before && now_seconds() < before + 5) {
        usleep(200);
        pthread_mutex_lock(&p->spy.lock);
        at = p->spy.stopped_at;
        pthread_mutex_unlock(&p->spy.lock);
    }
    pthread_join(player, NULL);
    assert_int_equal(p->fault, CONTROLLER_STOPPED);
    assert_true(at >= before); // it came at all
    atomic_store(&p->spy.may_move, true);
    atomic_store(&p->spy.late, 0);
    spy_sync(&p->spy);
    ControllerFault fault = CONTROLLER_SILENT; // on a busy machine it takes a few times
    for (int i = 0; i < 5 && fault == CONTROLLER_SILENT; i++)
        fault = controller_resume(p->c, &why);
    assert_int_equal(fault, CONTROLLER_OK);
    text_free(&why);
    return at - before;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// On a machine that is busy with other things single times mean little: nine of ten count, and none
// while threads were kept waiting. Half of the stops come while an answer is late, so that a stop
// that waited for answers would be seen.
static void test_stop_at_any_moment(void **state) {
    (void)state;
    static double took[500];
    Playing p;
    Watch watch = {0};
    pthread_t watcher;
    Rng rng;
    rng_seed(&rng, 3);
    begin_playing(&p);
    assert_int_equal(pthread_create(&watcher, NULL, watch_machine, &watch), 0);
    int wanted = getenv("LUDENS_ALL") ? 500 : 30, counted = 0;
    for (int i = 0; i < 10 * wanted && counted < wanted; i++) {
        atomic_store(&watch.worst, 0);
        atomic_store(&p.spy.gap, 0);
        atomic_store(&p.spy.late, counted % 2 ? 80 : 0);
        took[counted] = stop_once(&p, &rng);
        double away = fmax(atomic_load(&watch.worst), atomic_load(&p.spy.gap));
        if (took[counted] < 0.05 || away < 0.01)
            counted++; // else the machine was elsewhere
    }
    atomic_store(&watch.end, true);
    pthread_join(watcher, NULL);
    controller_close(p.c);
    spy_end(&p.spy);
    assert_int_equal(counted, wanted);
    qsort(took, (size_t)counted, sizeof *took, by_size);
    print_message(
        "# %d stops: half within %.1f ms, nine of ten within %.1f ms, all within %.1f ms\n",
        counted, took[counted / 2] * 1e3, took[counted * 9 / 10] * 1e3, took[counted - 1] * 1e3);
    assert_true(took[counted * 9 / 10] < 0.05);
}

// A line on which nothing gets through for a while: stopping neither waits for answers nor for
// room, and no movement comes out behind it. (What waits is dropped by real lines, not by this
// one.) The first copy is out within 40 ms also at 9600 baud.
static void test_stop_while_nothing_gets_through(void **state) {
    (void)state;
    Playing p;
    pthread_t player;
    begin_playing(&p);
    atomic_store(&p.spy.paused, true);
    usleep(20000);
    assert_int_equal(pthread_create(&player, NULL, play, &p), 0);
    usleep(50000); // a movement and a question are on their way
    pthread_mutex_lock(&p.spy.lock);
    p.spy.hears = 0;
    pthread_mutex_unlock(&p.spy.lock);
    Text why = {0};
    assert_int_equal(controller_stop(p.c, &why), CONTROLLER_SILENT);
    assert_non_null(strstr(text_c(&why), "switch"));
    text_free(&why);
    pthread_join(player, NULL);
    assert_int_equal(p.fault, CONTROLLER_STOPPED);
    atomic_store(&p.spy.paused, false);
    for (double until = now_seconds() + 5, at = 0; at == 0;) {
        assert_true(now_seconds() < until);
        usleep(1000);
        pthread_mutex_lock(&p.spy.lock);
        at = p.spy.stopped_at;
        pthread_mutex_unlock(&p.spy.lock);
    }
    static const char stop[] = "\x1bSTOP0\rSTOP1\rSTOP2\rSTOP3\rSTOP4\rSTOP5\r";
    assert_true(10.0 * (sizeof stop - 1) / 9600 < 0.04);
    usleep(20000);
    pthread_mutex_lock(&p.spy.lock);
    const char *first = memmem(p.spy.heard, p.spy.hears, stop, sizeof stop - 1);
    assert_non_null(first);
    size_t left = p.spy.hears - (size_t)(first - p.spy.heard);
    assert_null(memchr(first, '#', left));
    int copies = 0;
    for (const char *at = first; at; copies++) {
        left = p.spy.hears - (size_t)(at - p.spy.heard) - 1;
        at = memmem(at + 1, left, stop, sizeof stop - 1);
    }
    assert_true(copies >= 5); // at this speed
    pthread_mutex_unlock(&p.spy.lock);
    controller_close(p.c);
    spy_end(&p.spy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_answer),
        cmocka_unit_test(test_nonsense_wakes_nothing),
        cmocka_unit_test(test_stop_at_any_moment),
        cmocka_unit_test(test_stop_while_nothing_gets_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
