// A small table made by hand, simulated, with an arm at it that is moved through its port.
#ifndef LUDENS_SIM_FIXTURE_H
#define LUDENS_SIM_FIXTURE_H

#include "base/mem.h"
#include "robot/controller.h"
#include "robot/serial.h"
#include "robot/sim_table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define CELLS 9
#define SITES 17
#define FIRST_STORE 9
#define PITCH 3.0
#define HOVER 7.0 // cm over a place: there nothing stands in the way

typedef struct Bench {
    Arm arm;
    Table table;
    Site site[SITES];
    TableKind kind[2];
    SimTable *sim;
    Controller *c;
    Camera *camera;
    Scene scene;
    Text why;
} Bench;

static const ControllerOptions quick = {
    .baud = 115200, .poll = 0.001, .answer = 2, .patience = 5, .wake_seconds = 0.005};

// Nine cells before the arm, four stores on each side; pieces of 2.2 cm, two kinds.
static inline void bench_table(Bench *b) {
    static const char *const names[SITES] = {"a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3",
                                             "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8"};
    arm_usual(&b->arm);
    for (int i = 0; i < SITES; i++) {
        int store = i - FIRST_STORE;
        Point at = {(i % 3 - 1) * PITCH, 18 + i / 3 * PITCH, 1.3};
        if (store >= 0)
            at = (Point){store < 4 ? -9 : 9, 16 + store % 4 * PITCH, 1.3};
        b->site[i] = (Site){.name = names[i], .cell = store < 0 ? i : -1, .at = at, .room = 3};
        b->site[i].takes = ~(uint64_t)0;
    }
    b->kind[0] = (TableKind){.name = "yellow",
                             .count = 4,
                             .radius = 1.1,
                             .height = 1.2,
                             .colours = {40, 70, 0.5, 1, 0.4, 1, 0, 0},
                             .paint = {232, 200, 30}};
    b->kind[1] = (TableKind){.name = "blue",
                             .count = 4,
                             .radius = 1.1,
                             .height = 1.2,
                             .colours = {205, 245, 0.4, 1, 0.15, 1, 0, 0},
                             .paint = {30, 70, 190}};
    b->table = (Table){.arm = &b->arm,
                       .site = b->site,
                       .sites = SITES,
                       .cells = CELLS,
                       .kind = b->kind,
                       .kinds = 2,
                       .surface = 0.5,
                       .grip = 0.8,
                       .tall = 3.6,
                       .corner = {-13, 13, 13, 13, 13, 28, -13, 28}};
}

// Yellow pieces in the stores on the left, blue ones on the right.
static inline void bench_pieces(Bench *b) {
    memset(b->scene.kind, SCENE_NOTHING, SITES * SCENE_LEVELS);
    for (int i = 0; i < 8; i++)
        b->scene.kind[(FIRST_STORE + i) * SCENE_LEVELS] = (uint8_t)(i / 4);
    sim_table_set(b->sim, &b->scene);
}

static const Pose bench_home = {{-85, 20, -30, -60, 85}};

static inline void bench_wake(Bench *b) {
    b->c = controller_open(&b->arm, sim_table_port(b->sim), &quick, &b->why);
    if (!b->c || controller_wake(b->c, &bench_home, NULL, NULL, &b->why) != CONTROLLER_OK)
        fail_msg("%s", text_c(&b->why));
}

static inline void bench_begin(Bench *b, const SimLook *look, double rate) {
    *b = (Bench){0};
    bench_table(b);
    b->sim = sim_table_new(&b->table, look, rate, 5, &b->why);
    if (!b->sim)
        fail_msg("%s", text_c(&b->why));
    b->scene = (Scene){&b->table, mem_alloc(SITES * SCENE_LEVELS)};
    b->camera = sim_table_camera(b->sim);
    assert_non_null(b->camera);
    bench_pieces(b);
    bench_wake(b);
}

static inline void bench_end(Bench *b) {
    controller_close(b->c);
    camera_close(b->camera);
    sim_table_free(b->sim);
    mem_free(b->scene.kind);
    text_free(&b->why);
}

static inline ControllerFault bench_go(Bench *b, double x, double y, double z) {
    Pose from, to;
    bool known = controller_pose(b->c, &from);
    Reach reach = arm_reach_down(&b->arm, (Point){x, y, z}, known ? &from : NULL, &to);
    if (reach.fault != REACH_OK)
        fail_msg("%.1f, %.1f, %.1f cannot be reached", x, y, z);
    text_clear(&b->why);
    return controller_move(b->c, &to, 0.3, &b->why);
}

static inline ControllerFault bench_fingers(Bench *b, bool open) {
    text_clear(&b->why);
    return controller_fingers(b->c, open, 0.2, &b->why);
}

// Over a point, down to it, fingers, up again; `off` cm beside it.
static inline ControllerFault bench_at(Bench *b, int site, int level, double off, bool open) {
    Point at = b->site[site].at;
    double x = at.x + off, y = at.y, z = at.z + level * 1.2;
    ControllerFault fault = bench_go(b, x, y, z + HOVER);
    if (fault == CONTROLLER_OK)
        fault = bench_go(b, x, y, z);
    if (fault == CONTROLLER_OK)
        fault = bench_fingers(b, open);
    return fault == CONTROLLER_OK ? bench_go(b, x, y, z + HOVER) : fault;
}

static inline SimTold bench_told(Bench *b) {
    SimTold told;
    sim_table_told(b->sim, &told);
    return told;
}

static inline int bench_kind(Bench *b, int site, int level) {
    sim_table_get(b->sim, &b->scene);
    return b->scene.kind[site * SCENE_LEVELS + level];
}

#endif
