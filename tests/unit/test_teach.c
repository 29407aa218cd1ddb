// Tests of src/server/arm_work.c and teach*.c: a simulated arm behind a real pseudo-terminal, moved
// by pages.
#include "server_fixture.h"

#include "base/file.h"
#include "base/now.h"
#include "base/rng.h"
#include "robot/plan.h"
#include "server/origin.h"
#include "server/pages.h"
#include "server/teach.h"

#include <math.h>

#define RATE 40 // simulated seconds in a second

static void arm_bench(Bench *b) {
    bench_folder(b);
    b->options.arm = "sim";
    b->options.arm_rate = RATE;
    b->options.arm_token = "sesame";
}

static cJSON *arm_state(Bench *b, Page *p) {
    return page_answer(b, p, page_send(p, "\"do\":\"arm\""));
}

// Sends a message that has to succeed.
#define page_does(b, p, ...)                                                                       \
    do {                                                                                           \
        cJSON *done_ = page_answer(b, p, page_send(p, __VA_ARGS__));                               \
        if (member(done_, "error"))                                                                \
            fail_msg("%s", text_member(done_, "error"));                                           \
        cJSON_Delete(done_);                                                                       \
    } while (0)

// Waits until the arm does nothing, or asks something; messages would be too many.
static void settle(Bench *b, Page *p) {
    ArmState s;
    for (double until = now_seconds() + WAIT_SECONDS; now_seconds() < until; usleep(2000)) {
        page_look(b, p);
        arm_work_state(hub_teach(b->hub)->work, &s);
        if (s.doing == WORK_IDLE || s.asking >= 0)
            return;
    }
    fail_msg("the arm does not come to rest");
}

static cJSON *rest(Bench *b, Page *p) {
    settle(b, p);
    cJSON *s = arm_state(b, p);
    assert_string_equal(text_member(s, "doing"), "idle");
    return s;
}

static void rested(Bench *b, Page *p) {
    cJSON_Delete(rest(b, p));
}

static double numbers(const cJSON *state, const char *name, int i) {
    return cJSON_GetArrayItem(member(state, name), i)->valuedouble;
}

// The game that the server begins with comes when its table has been made, and then a simulated arm
// opens its line anew.
static void lay_first_game(Bench *b, Page *p) {
    for (double until = now_seconds() + WAIT_SECONDS; now_seconds() < until; usleep(2000)) {
        page_look(b, p);
        if (b->options.game_count == 0 || hub_teach(b->hub)->stage)
            return;
    }
    fail_msg("the first game does not come to the table");
}

static void wake(Bench *b, Page *p) {
    lay_first_game(b, p);
    rested(b, p);
    page_does(b, p, "\"do\":\"arm-take\"");
    page_does(b, p, "\"do\":\"arm-wake\"");
    for (int j = 0; j < ARM_SERVOS; j++) {
        settle(b, p);
        cJSON *s = arm_state(b, p);
        const char *joint = text_member(s, "asking");
        assert_string_equal(joint, arm_joint_name(j));
        page_does(b, p, "\"do\":\"arm-wake\",\"joint\":\"%s\",\"yes\":true", joint);
        // A second click on the same button is not for the next joint.
        page_refused(b, p, "illegal", "\"do\":\"arm-wake\",\"joint\":\"%s\",\"yes\":true", joint);
        cJSON_Delete(s);
    }
    cJSON *s = rest(b, p);
    assert_true(cJSON_IsTrue(member(s, "awake")));
    assert_true(cJSON_IsTrue(member(s, "known")));
    assert_string_equal(text_member(s, "fingers"), "open");
    cJSON_Delete(s);
}

static void test_without_an_arm(void **state) {
    Bench b;
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    cJSON *s = arm_state(&b, &p);
    assert_true(cJSON_IsNull(member(s, "arm")));
    cJSON_Delete(s);
    const char *const words[] = {"arm-take", "arm-stop", "arm-wake", "arm-joints", "arm-home"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        page_refused(&b, &p, "gone", "\"do\":\"%s\"", words[i]);
    page_close(&p);
    bench_end(&b);
}

static void test_a_port_that_is_not_there(void **state) {
    Bench b;
    (void)state;
    bench_folder(&b);
    b.options.arm = "/dev/no-such-port";
    bench_start(&b);
    Page p = page_open(&b);
    cJSON *s = rest(&b, &p);
    assert_true(cJSON_IsFalse(member(s, "there")));
    assert_non_null(strstr(text_member(member(s, "fault"), "text"), "no-such-port"));
    cJSON_Delete(s);
    page_does(&b, &p, "\"do\":\"arm-take\"");
    page_refused(&b, &p, "illegal", "\"do\":\"arm-wake\"");
    page_does(&b, &p, "\"do\":\"arm-connect\"");
    s = rest(&b, &p);
    assert_true(cJSON_IsFalse(member(s, "there")));
    cJSON_Delete(s);
    page_close(&p);
    bench_end(&b);
}

static void test_moving(void **state) {
    Bench b;
    (void)state;
    arm_bench(&b);
    bench_start(&b);
    Page p = page_open(&b);
    rested(&b, &p);
    page_refused(&b, &p, "denied", "\"do\":\"arm-home\"");
    page_does(&b, &p, "\"do\":\"arm-take\"");
    page_refused(&b, &p, "illegal", "\"do\":\"arm-joints\",\"pose\":[0,0,0,0,0]"); // not woken
    wake(&b, &p);
    page_does(&b, &p, "\"do\":\"arm-joints\",\"pose\":[30,-10,5,-70,45]");
    // The target of a hand that follows a slider may change on the way.
    page_does(&b, &p, "\"do\":\"arm-joints\",\"pose\":[-20,-10,5,-70,45]");
    cJSON *s = rest(&b, &p);
    if (!cJSON_IsTrue(member(s, "known")))
        fail_msg("%s", text_member(member(s, "fault"), "text"));
    const double pose[] = {-20, -10, 5, -70, 45};
    for (int j = 0; j < ARM_JOINTS; j++)
        assert_true(fabs(numbers(s, "pose", j) - pose[j]) < 0.11);
    double x = numbers(s, "point", 0), y = numbers(s, "point", 1), z = numbers(s, "point", 2);
    double pitch = number_member(s, "pitch");
    cJSON_Delete(s);
    page_does(&b, &p, "\"do\":\"arm-jog\",\"x\":20,\"y\":-10,\"z\":5");
    s = rest(&b, &p);
    assert_true(fabs(numbers(s, "point", 0) - x - 2) < 0.1);
    assert_true(fabs(numbers(s, "point", 1) - y + 1) < 0.1);
    assert_true(fabs(numbers(s, "point", 2) - z - 0.5) < 0.1);
    assert_true(fabs(number_member(s, "pitch") - pitch) < 0.5);
    assert_true(fabs(numbers(s, "pose", ARM_HAND) - 45) < 0.11);
    cJSON_Delete(s);
    page_does(&b, &p, "\"do\":\"arm-fingers\",\"open\":false");
    s = rest(&b, &p);
    assert_string_equal(text_member(s, "fingers"), "closed");
    cJSON_Delete(s);
    page_does(&b, &p, "\"do\":\"arm-home\"");
    s = rest(&b, &p);
    for (int j = 0; j < ARM_JOINTS; j++)
        assert_true(fabs(numbers(s, "pose", j) - hub_teach(b.hub)->home.angle[j]) < 0.11);
    cJSON_Delete(s);
    page_close(&p);
    bench_end(&b);
}

static Pose random_pose(Rng *rng) {
    Pose pose = {{0, 0, 0, 0, 45}};
    for (int j = ARM_SHOULDER; j <= ARM_WRIST; j++)
        pose.angle[j] = (int)rng_below(rng, 150) - 90;
    return pose;
}

// Three poses, of which the way from one to the next is clear, but not from the first to the last.
static void find_detour(const Pose *from, Pose *pose) {
    Arm arm;
    Rng rng;
    Text why = {0};
    arm_usual(&arm);
    rng_seed(&rng, 3);
    bool found = false;
    while (!found) {
        for (int i = 0; i < 3; i++)
            pose[i] = random_pose(&rng);
        found = path_clear(&arm, from, &pose[0], &why) &&
                path_clear(&arm, &pose[0], &pose[1], &why) &&
                path_clear(&arm, &pose[1], &pose[2], &why) &&
                !path_clear(&arm, &pose[0], &pose[2], &why) && arm_point(&arm, &pose[2]).z > 2;
    }
    text_free(&why);
}

static void joints_text(const Pose *pose, char *text, size_t size) {
    snprintf(text, size, "\"do\":\"arm-joints\",\"pose\":[%.0f,%.0f,%.0f,%.0f,%.0f]",
             pose->angle[0], pose->angle[1], pose->angle[2], pose->angle[3], pose->angle[4]);
}

// A newer target of a slider takes the place of one that waits: then the arm does not come by
// there, and the way has to be clear without it.
static void test_newer_target(void **state) {
    Bench b;
    (void)state;
    arm_bench(&b);
    b.options.arm_rate = 1;
    bench_start(&b);
    Page p = page_open(&b);
    wake(&b, &p);
    Pose pose[3];
    char text[3][200];
    find_detour(&hub_teach(b.hub)->home, pose);
    for (int i = 0; i < 3; i++)
        joints_text(&pose[i], text[i], sizeof text[i]);
    page_does(&b, &p, "%s", text[0]);
    page_does(&b, &p, "%s", text[1]);
    page_refused(&b, &p, "illegal", "%s", text[2]);
    cJSON *s = rest(&b, &p);
    for (int j = 0; j < ARM_JOINTS; j++)
        assert_true(fabs(numbers(s, "pose", j) - pose[1].angle[j]) < 0.11);
    cJSON_Delete(s);
    page_does(&b, &p, "%s", text[2]); // from there it may
    rested(&b, &p);
    page_close(&p);
    bench_end(&b);
}

// A stop that nobody confirms is told to the pages.
static void test_stop_in_vain(void **state) {
    Bench b;
    (void)state;
    arm_bench(&b);
    bench_start(&b);
    Page p = page_open(&b);
    wake(&b, &p);
    sim_board_fail(hub_teach(b.hub)->board, &(SimFaults){.silent = true});
    page_does(&b, &p, "\"do\":\"arm-stop\"");
    bool told = false;
    for (double until = now_seconds() + WAIT_SECONDS; !told && now_seconds() < until;) {
        cJSON *s = arm_state(&b, &p);
        const cJSON *fault = member(s, "fault");
        told = cJSON_IsObject(fault) && strstr(text_member(fault, "text"), "use the switch");
        cJSON_Delete(s);
        usleep(20000);
    }
    assert_true(told);
    page_close(&p);
    bench_end(&b);
}

// Nothing of this moves anything.
static void test_hostile_messages(void **state) {
    Bench b;
    (void)state;
    arm_bench(&b);
    bench_start(&b);
    Page p = page_open(&b);
    wake(&b, &p);
    SimCounts before, after;
    sim_board_counts(hub_teach(b.hub)->board, &before);
    static const struct {
        const char *code, *members;
    } wrong[] = {
        {"bad", "\"do\":\"arm-joints\""},
        {"bad", "\"do\":\"arm-joints\",\"pose\":7"},
        {"bad", "\"do\":\"arm-joints\",\"pose\":[0,0,0,0]"},
        {"bad", "\"do\":\"arm-joints\",\"pose\":[0,0,0,0,0,0]"},
        {"bad", "\"do\":\"arm-joints\",\"pose\":[0,0,\"0\",0,0]"},
        {"bad", "\"do\":\"arm-joints\",\"pose\":[0,0,null,0,0]"},
        {"bad", "\"do\":\"arm-joints\",\"pose\":[1e999,0,0,0,0]"},
        {"illegal", "\"do\":\"arm-joints\",\"pose\":[1e300,0,0,0,0]"},
        {"illegal", "\"do\":\"arm-joints\",\"pose\":[91,0,0,0,0]"},
        {"illegal", "\"do\":\"arm-joints\",\"pose\":[0,0,0,0,-90.01]"},
        {"illegal", "\"do\":\"arm-joints\",\"pose\":[0,-80,0,-90,0]"}, // into the table
        {"bad", "\"do\":\"arm-jog\",\"x\":0,\"y\":0"},
        {"bad", "\"do\":\"arm-jog\",\"x\":51,\"y\":0,\"z\":0"},
        {"bad", "\"do\":\"arm-jog\",\"x\":-1e300,\"y\":0,\"z\":0"},
        {"bad", "\"do\":\"arm-jog\",\"x\":true,\"y\":0,\"z\":0"},
        {"bad", "\"do\":\"arm-fingers\""},
        {"bad", "\"do\":\"arm-fingers\",\"open\":1"},
        {"bad", "\"do\":\"arm-wake\",\"yes\":7"},
        {"illegal", "\"do\":\"arm-wake\",\"yes\":true,\"joint\":\"base\""},
        {"illegal", "\"do\":\"arm-resume\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        page_refused(&b, &p, wrong[i].code, "%s", wrong[i].members);
    static const char broken[] = "{\"id\":900,\"do\":\"arm-joints\",\"pose\":[NaN,0,0,0,0]}";
    client_receive(p.client, broken, sizeof broken - 1);
    rested(&b, &p);
    sim_board_counts(hub_teach(b.hub)->board, &after);
    assert_int_equal(before.moves, after.moves);
    assert_int_equal(before.jumps, after.jumps);
    assert_int_equal(after.beyond, 0);
    page_close(&p);
    bench_end(&b);
}

static void test_stopping(void **state) {
    Bench b;
    (void)state;
    arm_bench(&b);
    b.options.arm_rate = 1;
    bench_start(&b);
    Page p = page_open(&b), q = page_open(&b);
    wake(&b, &p);
    page_does(&b, &p, "\"do\":\"arm-joints\",\"pose\":[80,0,0,-60,0]");
    usleep(100000);                           // on the way
    page_does(&b, &q, "\"do\":\"arm-stop\""); // by a page without the controls
    rested(&b, &p);
    usleep(200000); // for the simulated board to hear of it, on a busy machine
    cJSON *s = rest(&b, &p);
    assert_true(cJSON_IsTrue(member(s, "stopped")));
    assert_true(cJSON_IsFalse(member(s, "known")));
    assert_string_equal(text_member(member(s, "fault"), "word"), "stopped");
    double base = numbers(s, "pose", ARM_BASE);
    assert_true(base > 0 && base < 79);
    cJSON_Delete(s);
    page_refused(&b, &p, "illegal", "\"do\":\"arm-joints\",\"pose\":[0,0,0,-60,0]");
    page_refused(&b, &p, "illegal", "\"do\":\"arm-home\"");
    page_refused(&b, &p, "illegal", "\"do\":\"arm-wake\"");
    page_refused(&b, &q, "denied", "\"do\":\"arm-resume\"");
    usleep(100000);
    s = arm_state(&b, &p);
    assert_true(fabs(numbers(s, "pose", ARM_BASE) - base) < 0.5); // it stays where it was stopped
    cJSON_Delete(s);
    page_does(&b, &p, "\"do\":\"arm-resume\"");
    s = rest(&b, &p);
    assert_true(cJSON_IsFalse(member(s, "stopped")));
    assert_true(cJSON_IsTrue(member(s, "known")));
    assert_true(fabs(numbers(s, "pose", ARM_BASE) - base) < 1.1);
    cJSON_Delete(s);
    page_does(&b, &p, "\"do\":\"arm-home\"");
    rested(&b, &p);
    page_close(&q);
    page_close(&p);
    bench_end(&b);
}

static void test_stopping_while_it_is_woken(void **state) {
    Bench b;
    (void)state;
    arm_bench(&b);
    bench_start(&b);
    Page p = page_open(&b);
    rested(&b, &p);
    page_does(&b, &p, "\"do\":\"arm-take\"");
    page_does(&b, &p, "\"do\":\"arm-wake\"");
    page_does(&b, &p, "\"do\":\"arm-stop\"");
    cJSON *s = rest(&b, &p);
    assert_true(cJSON_IsFalse(member(s, "awake")));
    cJSON_Delete(s);
    page_does(&b, &p, "\"do\":\"arm-resume\"");
    rested(&b, &p);
    // Broken off by a person: no fault.
    page_does(&b, &p, "\"do\":\"arm-wake\"");
    page_does(&b, &p, "\"do\":\"arm-break\"");
    s = rest(&b, &p);
    assert_true(cJSON_IsNull(member(s, "fault")));
    assert_true(cJSON_IsFalse(member(s, "awake")));
    cJSON_Delete(s);
    wake(&b, &p);
    page_close(&p);
    bench_end(&b);
}

static void test_controls(void **state) {
    Bench b;
    (void)state;
    arm_bench(&b);
    bench_start(&b);
    Page p = page_open(&b), q = page_open(&b), far = page_open(&b);
    client_free(far.client);
    far.client = client_new(b.hub, "192.0.2.7", NULL, NULL);
    wake(&b, &p);
    page_refused(&b, &q, "denied", "\"do\":\"arm-home\"");
    page_refused(&b, &q, "busy", "\"do\":\"arm-take\"");
    page_does(&b, &q, "\"do\":\"arm-take\",\"over\":true");
    page_refused(&b, &p, "denied", "\"do\":\"arm-home\"");
    cJSON *s = arm_state(&b, &p);
    assert_string_equal(text_member(s, "controls"), "other");
    cJSON_Delete(s);
    // Who goes leaves the controls to others.
    page_close(&q);
    s = arm_state(&b, &p);
    assert_string_equal(text_member(s, "controls"), "nobody");
    cJSON_Delete(s);
    // From elsewhere only with the word.
    page_refused(&b, &far, "denied", "\"do\":\"arm-take\"");
    const char *const words[] = {"", "sesam", "sesame!", "SESAME"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        page_does(&b, &far, "\"do\":\"arm\",\"token\":\"%s\"", words[i]);
        page_refused(&b, &far, "denied", "\"do\":\"arm-take\"");
    }
    page_does(&b, &far, "\"do\":\"arm-stop\"");
    page_does(&b, &far, "\"do\":\"arm\",\"token\":\"sesame\"");
    page_does(&b, &far, "\"do\":\"arm-take\"");
    page_does(&b, &far, "\"do\":\"arm-resume\"");
    rested(&b, &far);
    page_does(&b, &far, "\"do\":\"arm-leave\"");
    page_refused(&b, &far, "denied", "\"do\":\"arm-leave\"");
    // Something in between that passes pages on makes nobody near.
    client_set_far(p.client);
    page_refused(&b, &p, "denied", "\"do\":\"arm-take\"");
    page_close(&far);
    page_close(&p);
    bench_end(&b);
}

// --- places ---

static void place_bench(Bench *b, char *file, const char *const *games) {
    arm_bench(b);
    snprintf(file, 128, "%s/taught.table", b->folder);
    b->options.table_file = file;
    b->options.games = games;
    b->options.game_count = 1;
    bench_start(b);
}

// The table, once it has been made.
static cJSON *table_of(Bench *b, Page *p) {
    lay_first_game(b, p);
    cJSON *s = arm_state(b, p);
    cJSON *table = cJSON_DetachItemFromObject(s, "table");
    cJSON_Delete(s);
    return table;
}

static const cJSON *site_of(const cJSON *table, const char *name) {
    const cJSON *site;
    cJSON_ArrayForEach(site, member(table, "sites")) if (strcmp(text_member(site, "name"), name) ==
                                                         0) return site;
    fail_msg("there is no place %s", name);
    return NULL;
}

static void assert_at(const cJSON *state, const cJSON *site, double dz) {
    for (int i = 0; i < 3; i++)
        assert_true(fabs(numbers(state, "point", i) - numbers(site, "at", i) - (i == 2 ? dz : 0)) <
                    0.25);
}

static void test_going_and_teaching(void **state) {
    static const char *const games[] = {"tic-tac-toe"};
    Bench b;
    char file[128];
    (void)state;
    place_bench(&b, file, games);
    Page p = page_open(&b);
    cJSON *table = table_of(&b, &p);
    assert_string_equal(text_member(table, "game"), "tic-tac-toe");
    assert_true(cJSON_IsTrue(member(table, "saves")));
    assert_true(cJSON_GetArraySize(member(table, "pieces")) > 0);
    wake(&b, &p);
    const cJSON *a1 = site_of(table, "a1");
    page_does(&b, &p, "\"do\":\"arm-go\",\"place\":\"a1\",\"where\":\"down\"");
    cJSON *s = rest(&b, &p);
    assert_at(s, a1, 0);
    cJSON_Delete(s);
    page_does(&b, &p, "\"do\":\"arm-go\",\"place\":\"b2\",\"where\":\"above\"");
    s = rest(&b, &p);
    assert_at(s, site_of(table, "b2"), hub_teach(b.hub)->arm.hover);
    cJSON_Delete(s);
    // A little beside is where the piece really stands.
    page_does(&b, &p, "\"do\":\"arm-go\",\"place\":\"a1\",\"where\":\"down\"");
    rested(&b, &p);
    page_does(&b, &p, "\"do\":\"arm-jog\",\"x\":5,\"y\":0,\"z\":2");
    s = rest(&b, &p);
    double x = numbers(s, "point", 0);
    cJSON_Delete(s);
    page_does(&b, &p, "\"do\":\"arm-record\",\"place\":\"a1\",\"where\":\"down\"");
    Text why = {0};
    char *text = file_read(file, FILE_LIMIT, NULL, &why);
    assert_non_null(text);
    assert_non_null(strstr(text, "[a1]\nabove = "));
    assert_null(strstr(text, "[b2]"));
    mem_free(text);
    cJSON_Delete(table);
    table = table_of(&b, &p);
    assert_true(cJSON_IsTrue(member(site_of(table, "a1"), "taught")));
    page_does(&b, &p, "\"do\":\"arm-home\"");
    rested(&b, &p);
    page_does(&b, &p, "\"do\":\"arm-go\",\"place\":\"a1\",\"where\":\"down\"");
    s = rest(&b, &p);
    assert_true(fabs(numbers(s, "point", 0) - x) < 0.05);
    cJSON_Delete(s);
    cJSON_Delete(table);
    // Another server reads it; the file is of another game for another one.
    page_close(&p);
    hub_free(b.hub);
    bench_start(&b);
    p = page_open(&b);
    table = table_of(&b, &p);
    assert_true(cJSON_IsTrue(member(site_of(table, "a1"), "taught")));
    cJSON_Delete(table);
    page_does(&b, &p, "\"do\":\"arm-take\"");
    rested(&b, &p);
    page_does(&b, &p, "\"do\":\"arm-table\",\"game\":\"frogs\",\"params\":{}");
    table = table_of(&b, &p);
    assert_string_equal(text_member(table, "game"), "frogs");
    assert_non_null(strstr(text_member(table, "problem"), "tic-tac-toe"));
    assert_true(cJSON_IsFalse(member(table, "saves")));
    cJSON_Delete(table);
    wake(&b, &p);
    page_refused(&b, &p, "failed", "\"do\":\"arm-record\",\"place\":\"a1\",\"where\":\"above\"");
    page_close(&p);
    bench_end(&b);
    text_free(&why);
}

static bool fits_place(const cJSON *m, const void *with) {
    const char *place = text_member(m, "place");
    return fits_push(m, "arm") && (with ? strcmp(place, with) == 0 : *place != 0);
}

// An arm that is not as its file says, moved to places as a person would; then measured by them.
static void test_measuring(void **state) {
    static const char *const names[] = {"a1", "c1", "a3", "c3", "b2"};
    Bench b;
    Text real_path = {0}, arm_path = {0}, table_path = {0}, out = {0}, why = {0};
    Arm real, usual;
    (void)state;
    arm_bench(&b);
    arm_usual(&usual);
    real = usual;
    real.fore *= 1.02;
    real.base_x = 0.3;
    real.joint[ARM_BASE].zero += 30;
    real.joint[ARM_SHOULDER].zero -= 12;
    for (int j = 0; j < ARM_HAND; j++) {
        real.joint[j].low += 5;
        real.joint[j].high -= 5;
    }
    arm_write(&real, &out);
    text_f(&real_path, "%s/real.arm", b.folder);
    text_f(&arm_path, "%s/my.arm", b.folder);
    text_f(&table_path, "%s/my.table", b.folder);
    assert_true(file_write_atomic(text_c(&real_path), out.s, out.n, &why));
    b.options.arm_real = text_c(&real_path);
    b.options.arm_file = text_c(&arm_path); // not there yet
    b.options.table_file = text_c(&table_path);
    const char *game = "tic-tac-toe";
    b.options.games = &game;
    b.options.game_count = 1;
    bench_start(&b);
    Page p = page_open(&b);
    wake(&b, &p);
    const Teach *t = hub_teach(b.hub);
    page_refused(&b, &p, "illegal", "\"do\":\"arm-fit\"");
    page_refused(&b, &p, "gone", "\"do\":\"arm-forget\",\"place\":\"a1\"");
    for (int i = 0; i < 5; i++) {
        int site = table_site_named(t->stage->table, names[i]), pulse;
        Pose pose, said;
        assert_int_equal(arm_reach_down(&real, t->stage->table->site[site].at, NULL, &pose).fault,
                         REACH_OK);
        for (int j = 0; j < ARM_JOINTS; j++) {
            assert_true(arm_pulse(&real, j, pose.angle[j], &pulse));
            said.angle[j] = arm_angle(&usual, j, pulse);
        }
        page_does(&b, &p, "\"do\":\"arm-go\",\"place\":\"%s\",\"where\":\"above\"", names[i]);
        rested(&b, &p);
        page_does(&b, &p, "\"do\":\"arm-joints\",\"pose\":[%.3f,%.3f,%.3f,%.3f,%.3f]",
                  said.angle[0], said.angle[1], said.angle[2], said.angle[3], said.angle[4]);
        rested(&b, &p);
        page_does(&b, &p, "\"do\":\"arm-record\",\"place\":\"%s\",\"where\":\"down\"", names[i]);
    }
    cJSON *found = page_answer(&b, &p, page_send(&p, "\"do\":\"arm-fit\""));
    if (member(found, "error"))
        fail_msg("%s", text_member(found, "error"));
    assert_int_equal(cJSON_GetArraySize(member(found, "places")), 5);
    for (int i = 0; i < 5; i++) {
        const cJSON *place = cJSON_GetArrayItem(member(found, "places"), i);
        assert_true(member(place, "before")->valuedouble > 5);
        assert_true(member(place, "now")->valuedouble < 0.5);
    }
    cJSON_Delete(found);
    // Everything goes by the new measures: pages, places, the worker, the files.
    cJSON *s = rest(&b, &p);
    assert_true(cJSON_IsTrue(member(s, "known")));
    assert_true(fabs(numbers(member(s, "arm"), "base", 0) - 0.3) < 0.1);
    cJSON_Delete(s);
    for (int i = 0; i < t->stage->table->cells; i++) {
        const Site *site = &t->stage->table->site[i];
        ArmState stands;
        int pulse[ARM_JOINTS];
        page_does(&b, &p, "\"do\":\"arm-go\",\"place\":\"%s\",\"where\":\"down\"", site->name);
        rested(&b, &p);
        arm_work_state(t->work, &stands);
        for (int j = 0; j < ARM_JOINTS; j++)
            assert_true(arm_pulse(&t->arm, j, stands.pose.angle[j], &pulse[j]));
        assert_true(arm_off(&real, pulse, site->at) < 0.2);
    }
    page_does(&b, &p, "\"do\":\"arm-forget\",\"place\":\"a1\"");
    page_refused(&b, &p, "gone", "\"do\":\"arm-forget\",\"place\":\"a1\"");
    page_refused(&b, &p, "illegal", "\"do\":\"arm-fit\""); // four are too few
    Arm again;
    Diags diags = {0};
    Source source = {.name = "my.arm"};
    char *text = file_read(text_c(&arm_path), FILE_LIMIT, &source.size, &why);
    source.text = text;
    arm_usual(&again);
    assert_true(arm_read(&source, &again, &diags));
    assert_true(fabs(again.joint[ARM_BASE].zero - real.joint[ARM_BASE].zero) < 5);
    mem_free(text);
    diag_free(&diags);
    page_close(&p);
    bench_end(&b);
    text_free(&real_path);
    text_free(&arm_path);
    text_free(&table_path);
    text_free(&out);
    text_free(&why);
}

static void test_a_tour(void **state) {
    static const char *const games[] = {"tic-tac-toe"};
    Bench b;
    char file[128];
    (void)state;
    place_bench(&b, file, games);
    b.options.table_file = NULL;
    Page p = page_open(&b);
    cJSON *table = table_of(&b, &p);
    wake(&b, &p);
    page_does(&b, &p, "\"do\":\"arm-tour\",\"pause\":0.05,\"down\":false");
    page_refused(&b, &p, "busy", "\"do\":\"arm-home\"");
    cJSON_Delete(page_wait(&b, &p, fits_place, NULL));
    cJSON *s = rest(&b, &p);
    assert_true(cJSON_IsNull(member(s, "fault")));
    const cJSON *sites = member(table, "sites");
    assert_at(s, cJSON_GetArrayItem(sites, cJSON_GetArraySize(sites) - 1),
              hub_teach(b.hub)->arm.hover);
    cJSON_Delete(s);
    cJSON_Delete(table);
    // Broken off behind the present movement.
    page_does(&b, &p, "\"do\":\"arm-tour\",\"pause\":10,\"down\":true");
    cJSON_Delete(page_wait(&b, &p, fits_place, "a1"));
    double begin = now_seconds();
    page_does(&b, &p, "\"do\":\"arm-break\"");
    s = rest(&b, &p);
    assert_true(now_seconds() - begin < 9);
    assert_true(cJSON_IsNull(member(s, "fault")));
    cJSON_Delete(s);
    // Nothing to write to, and nonsense.
    page_refused(&b, &p, "denied", "\"do\":\"arm-record\",\"place\":\"a1\",\"where\":\"above\"");
    static const struct {
        const char *code, *members;
    } wrong[] = {
        {"gone", "\"do\":\"arm-go\",\"place\":\"z9\",\"where\":\"above\""},
        {"bad", "\"do\":\"arm-go\",\"place\":\"a1\",\"where\":\"below\""},
        {"bad", "\"do\":\"arm-go\",\"place\":7,\"where\":\"above\""},
        {"bad", "\"do\":\"arm-go\",\"place\":\"a1\""},
        {"gone", "\"do\":\"arm-record\",\"place\":\"\",\"where\":\"above\""},
        {"bad", "\"do\":\"arm-tour\",\"pause\":-1"},
        {"bad", "\"do\":\"arm-tour\",\"pause\":1e9"},
        {"bad", "\"do\":\"arm-tour\""},
        {"gone", "\"do\":\"arm-table\",\"game\":\"no such game\",\"params\":{}"},
        {"bad", "\"do\":\"arm-table\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        page_refused(&b, &p, wrong[i].code, "%s", wrong[i].members);
    page_close(&p);
    bench_end(&b);
}

// --- the camera ---

static bool fits_frame(const cJSON *m, const void *with) {
    const cJSON *camera = member(m, "camera");
    return fits_push(m, "arm") && camera && member(camera, "frame")->valuedouble > 0 &&
           cJSON_IsTrue(member(camera, "placed")) == *(const bool *)with;
}

static int pieces_of(const cJSON *table) {
    int n = 0;
    const cJSON *pile;
    cJSON_ArrayForEach(pile, member(table, "pieces")) n += cJSON_GetArraySize(pile) - 1;
    return n;
}

static void assert_picture(Bench *b, const char *query, size_t *size) {
    const char *const list[] = {query};
    Request request = {
        .path = "/robot/picture.jpg", .query = list, .query_count = 1, .address = "127.0.0.1"};
    Answer answer;
    pages_answer(b->hub, &request, &answer);
    const char *data = answer_data(&answer, size);
    assert_int_equal(answer.status, 200);
    assert_string_equal(answer.type, "image/jpeg");
    assert_true(*size > 1000 && memcmp(data, "\xff\xd8", 2) == 0);
    answer_free(&answer);
}

static void test_seeing(void **state) {
    static const char *const games[] = {"frogs"};
    static const char *const corners = "\"do\":\"arm-corners\",\"pixels\":";
    const bool yes = true;
    Bench b;
    char file[128];
    size_t plain, drawn;
    (void)state;
    arm_bench(&b);
    b.options.camera = "sim";
    b.options.games = games;
    b.options.game_count = 1;
    snprintf(file, sizeof file, "%s/taught.table", b.folder);
    b.options.table_file = file;
    bench_start(&b);
    Page p = page_open(&b);
    cJSON *table = table_of(&b, &p);
    int all = pieces_of(table);
    assert_true(all > 2);
    cJSON_Delete(table);
    page_does(&b, &p, "\"do\":\"arm-look\",\"on\":true");
    cJSON *push = page_wait(&b, &p, fits_frame, &yes);
    const cJSON *camera = member(push, "camera");
    assert_int_equal((int)number_member(camera, "width"), 640);
    int seen = 0;
    const cJSON *count;
    cJSON_ArrayForEach(count, member(camera, "sees")) seen += (int)count->valuedouble;
    assert_int_equal(seen, all); // frogs stand one on a place
    cJSON_Delete(push);
    assert_picture(&b, "drawn=0", &plain);
    assert_picture(&b, "drawn=1", &drawn);
    assert_true(plain != drawn);
    // Corners are said anew, and kept; nonsense is not.
    page_refused(&b, &p, "denied", "%s[0,0,1,0,1,1,0,1]", corners);
    rested(&b, &p);
    page_does(&b, &p, "\"do\":\"arm-take\"");
    table = table_of(&b, &p);
    char *pixels = cJSON_PrintUnformatted(member(table, "pixels"));
    cJSON_Delete(table);
    page_does(&b, &p, "%s%s", corners, pixels);
    Text why = {0};
    char *text = file_read(file, FILE_LIMIT, NULL, &why);
    assert_non_null(strstr(text, "[corners]\npicture = 640, 480\nfront left = "));
    mem_free(text);
    page_refused(&b, &p, "bad", "%s7", corners);
    page_refused(&b, &p, "bad", "%s[0,0,1,0,1,1,0]", corners);
    page_refused(&b, &p, "bad", "%s[0,0,641,0,1,1,0,1]", corners);
    page_refused(&b, &p, "bad", "%s[0,0,1e999,0,1,1,0,1]", corners);
    page_refused(&b, &p, "bad", "%s[0,0,null,0,1,1,0,1]", corners);
    page_refused(&b, &p, "illegal", "%s[0,0,1,1,2,2,3,3]", corners);
    page_refused(&b, &p, "bad", "\"do\":\"arm-look\"");
    // Tags at the corners are found where the camera sees them.
    page_does(&b, &p, "\"do\":\"arm-corners\",\"pixels\":[10,470,600,470,600,10,10,10]");
    cJSON_Delete(page_answer(&b, &p, page_send(&p, "\"do\":\"arm-tags\"")));
    table = table_of(&b, &p);
    double x = cJSON_GetArrayItem(member(table, "pixels"), 0)->valuedouble;
    cJSON_Delete(table);
    Tags *tags = tags_new(&why); // NULL: built without the library
    assert_true(tags ? x > 20 : x < 20);
    tags_free(tags);
    page_does(&b, &p, "%s%s", corners, pixels);
    cJSON_free(pixels);
    // What colours pieces have is learnt from the picture.
    page_does(&b, &p, "\"do\":\"arm-learn\"");
    push = page_wait(&b, &p, fits_frame, &yes);
    cJSON_Delete(push);
    text_free(&why);
    page_close(&p);
    bench_end(&b);
}

// A simulated arm moves simulated pieces, and pages see where they are.
static void test_taking_a_piece(void **state) {
    static const char *const games[] = {"frogs"};
    Bench b;
    (void)state;
    arm_bench(&b);
    b.options.games = games;
    b.options.game_count = 1;
    bench_start(&b);
    Page p = page_open(&b);
    cJSON *table = table_of(&b, &p);
    int all = pieces_of(table);
    const cJSON *pile = cJSON_GetArrayItem(member(table, "pieces"), 0);
    const cJSON *site =
        cJSON_GetArrayItem(member(table, "sites"), (int)cJSON_GetArrayItem(pile, 0)->valuedouble);
    char name[40];
    snprintf(name, sizeof name, "%s", text_member(site, "name"));
    cJSON_Delete(table);
    wake(&b, &p);
    page_does(&b, &p, "\"do\":\"arm-go\",\"place\":\"%s\",\"where\":\"down\"", name);
    rested(&b, &p);
    page_does(&b, &p, "\"do\":\"arm-fingers\",\"open\":false");
    rested(&b, &p);
    page_does(&b, &p, "\"do\":\"arm-go\",\"place\":\"%s\",\"where\":\"above\"", name);
    rested(&b, &p);
    usleep(400000);
    page_look(&b, &p);
    table = table_of(&b, &p);
    assert_int_equal(pieces_of(table), all - 1);
    cJSON_Delete(table);
    page_refused(&b, &p, "gone", "\"do\":\"arm-look\",\"on\":true"); // no camera
    page_refused(&b, &p, "gone", "\"do\":\"arm-learn\"");
    // Another game: another simulated table, awake as the one before.
    page_does(&b, &p, "\"do\":\"arm-table\",\"game\":\"tic-tac-toe\",\"params\":{}");
    for (double until = now_seconds() + WAIT_SECONDS;
         now_seconds() < until &&
         strcmp(hub_teach(b.hub)->stage->table->game->name, "tic-tac-toe");)
        page_look(&b, &p);
    cJSON *s = rest(&b, &p);
    assert_true(cJSON_IsTrue(member(s, "awake")));
    assert_string_equal(text_member(member(s, "table"), "game"), "tic-tac-toe");
    cJSON_Delete(s);
    page_close(&p);
    bench_end(&b);
}

static void test_a_camera_that_is_not_there(void **state) {
    Bench b;
    (void)state;
    arm_bench(&b);
    b.options.camera = "/dev/no-such-camera";
    bench_start(&b);
    Page p = page_open(&b);
    page_refused(&b, &p, "denied", "\"do\":\"arm-look\",\"on\":true"); // watch first
    rested(&b, &p);
    page_does(&b, &p, "\"do\":\"arm-look\",\"on\":true");
    for (bool told = false; !told; usleep(2000)) {
        cJSON *push = page_wait(&b, &p, fits_push, "arm");
        told = strstr(text_member(member(push, "camera"), "problem"), "no-such-camera");
        cJSON_Delete(push);
    }
    Request request = {.path = "/robot/picture.jpg", .address = "127.0.0.1"};
    Answer answer;
    pages_answer(b.hub, &request, &answer);
    assert_int_equal(answer.status, 404);
    answer_free(&answer);
    page_close(&p);
    bench_end(&b);
}

static void test_loopback(void **state) {
    (void)state;
    assert_true(origin_is_loopback("127.0.0.1"));
    assert_true(origin_is_loopback("127.9.8.7"));
    assert_true(origin_is_loopback("::1"));
    assert_true(origin_is_loopback("::ffff:127.0.0.1"));
    assert_false(origin_is_loopback("128.0.0.1"));
    assert_false(origin_is_loopback("::ffff:10.0.0.1"));
    assert_false(origin_is_loopback("::2"));
    assert_false(origin_is_loopback("127.0.0.1.example"));
    assert_false(origin_is_loopback(""));
}

// The server may end at any moment: the arm stands still, and no thread is left.
static void test_ending_on_the_way(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        Bench b;
        arm_bench(&b);
        b.options.arm_rate = 10;
        bench_start(&b);
        Page p = page_open(&b);
        if (i > 0) {
            wake(&b, &p);
            page_does(&b, &p, "\"do\":\"arm-joints\",\"pose\":[80,0,0,-60,0]");
        }
        if (i == 2)
            page_does(&b, &p, "\"do\":\"arm-stop\"");
        page_close(&p);
        bench_end(&b);
    }
}

static void test_paths(void **state) {
    Arm arm;
    Text why = {0};
    Leg leg[TEACH_LEGS];
    int legs;
    (void)state;
    arm_usual(&arm);
    Pose home = arm.home, at;
    assert_true(path_clear(&arm, &home, &home, &why));
    assert_int_equal(arm_reach_down(&arm, (Point){0, 20, 2}, &home, &at).fault, REACH_OK);
    assert_true(path_to(&arm, &at, &home, TEACH_TRAVEL, leg, &legs, &why));
    assert_int_equal(legs, 4); // up, high over the board, folded, home
    for (int j = 0; j < ARM_JOINTS; j++)
        assert_true(leg[3].pose.angle[j] == home.angle[j]);
    assert_true(path_to(&arm, &home, &at, TEACH_TRAVEL, leg + 4, &legs, &why));
    assert_int_equal(legs, 3);
    assert_true(arm_point(&arm, &leg[0].pose).z > TEACH_TRAVEL - 0.01);
    assert_true(fabs(arm_point(&arm, &leg[0].pose).y - 20) < 0.01);
    assert_false(path_jog(&arm, &at, (Point){0, 0, -4.9}, leg, &legs, &why));
    assert_non_null(strstr(text_c(&why), "into the table"));
    text_clear(&why);
    assert_true(path_jog(&arm, &at, (Point){0, 0, 3}, leg, &legs, &why));
    assert_int_equal(legs, 6);
    for (int i = 0; i < legs; i++) { // straight up
        Point p = arm_point(&arm, &leg[i].pose);
        assert_true(fabs(p.x) < 1e-6 && fabs(p.y - 20) < 1e-6);
        assert_true(fabs(p.z - 2 - 0.5 * (i + 1)) < 1e-6);
    }
    text_free(&why);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_loopback),
        cmocka_unit_test(test_without_an_arm),
        cmocka_unit_test(test_a_port_that_is_not_there),
        cmocka_unit_test(test_moving),
        cmocka_unit_test(test_newer_target),
        cmocka_unit_test(test_stop_in_vain),
        cmocka_unit_test(test_hostile_messages),
        cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_stopping_while_it_is_woken),
        cmocka_unit_test(test_controls),
        cmocka_unit_test(test_ending_on_the_way),
        cmocka_unit_test(test_going_and_teaching),
        cmocka_unit_test(test_a_tour),
        cmocka_unit_test(test_measuring),
        cmocka_unit_test(test_seeing),
        cmocka_unit_test(test_taking_a_piece),
        cmocka_unit_test(test_a_camera_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
