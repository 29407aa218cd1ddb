// sim_camera: what a camera over a simulated table sees.
//
// What does not change, the table, the board and the light, is painted once. A SimEye belongs to
// one thread at a time.
#ifndef LUDENS_SIM_CAMERA_H
#define LUDENS_SIM_CAMERA_H

#include "base/rng.h"
#include "robot/sim_draw.h"
#include "robot/sim_table.h"
#include "robot/sim_world.h"

typedef struct SimEye {
    const Table *table;
    SimLook look;
    Lens lens;
    double corner[8]; // of what the sites take, x and y: what it would be calibrated by
    Picture background, frame;
    uint16_t *light; // of each pixel, of 256
    int8_t *noise;   // SIM_NOISE numbers, to be used from anywhere on
    int *order;      // of pieces, the lowest first
    Rng rng;
} SimEye;

// False with the reason; release in any case.
bool sim_eye_init(SimEye *e, const Table *t, const SimLook *look, uint64_t seed, Text *why);
void sim_eye_free(SimEye *e);
// Somebody pushes the camera: all is seen turned by so many degrees round the middle of the picture
// and then shifted by so many pixels. False with the reason.
bool sim_eye_push(SimEye *e, double degrees, double right, double down, Text *why);
// A picture of the pieces and the arm. `person` is where a hand is, or NULL. False when out of
// memory.
bool sim_eye_take(SimEye *e, const SimWorld *w, const Point *person, Picture *out);

#endif
