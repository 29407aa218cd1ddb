// arm_eye: looks through a camera for pages, in a thread of its own: pictures as JPEG, plain and
// with what was recognised drawn over them.
//
// It looks only while somebody wants to see (arm_eye_look). All functions may be called by any
// thread; arm_eye_camera waits for the picture that is being taken, the others wait for nothing.
#ifndef LUDENS_ARM_EYE_H
#define LUDENS_ARM_EYE_H

#include "vision/camera.h"
#include "vision/see.h"

#define ARM_EYE_PERIOD 0.2 // seconds between two pictures

typedef struct ArmEye ArmEye;

typedef struct EyeState {
    int64_t frame; // grows with each picture; 0: there is none yet
    int width, height;
    bool placed;           // it is known where on the table the picture is: pieces are recognised
    int count[VIEW_KINDS]; // places on which a piece of that kind was seen
    bool hand;             // something covers the board
    char why[200];         // what is wrong with the camera; "" if nothing is
} EyeState;

// `device` as of camera_open; NULL: arm_eye_camera gives one. `changed` is called when there is
// something new, from its thread. NULL with the reason.
ArmEye *arm_eye_new(const char *device, void (*changed)(void *with), void *with, Text *why);
void arm_eye_free(ArmEye *e);
void arm_eye_camera(ArmEye *e, Camera *camera); // takes it, and closes the one before; may be NULL
void arm_eye_view(ArmEye *e, const View *view); // copied; NULL: nothing is recognised
void arm_eye_look(ArmEye *e, bool on);
void arm_eye_state(ArmEye *e, EyeState *out);
// The newest picture. False with the reason if there is none.
bool arm_eye_jpeg(ArmEye *e, bool drawn, Text *out, Text *why);
bool arm_eye_picture(ArmEye *e, Picture *out, Text *why);

#endif
