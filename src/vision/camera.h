// camera: where pictures come from: a V4L2 device, files, or a program's own function.
//
//     /dev/video0           a camera; its automatic exposure, white balance and focus are switched
//                           off where that is possible, and its first frames dropped
//     table.png             one picture, again and again; read anew when the file has changed
//     FOLDER                its pictures in the order of their names, the last again and again
//     film.y4m              uncompressed film (film.h), the last frame again and again
//
// A Camera belongs to one thread at a time. Nothing here waits longer than it is told, but opening
// a device takes the time of some thirty frames.
#ifndef LUDENS_CAMERA_H
#define LUDENS_CAMERA_H

#include "vision/picture.h"

typedef struct Camera Camera;

// NULL with the reason, in words that help (no such device, no permission and the group to join, in
// use, not a camera). `notes` (may be NULL) gets lines about settings that the driver refused.
// Size 0: 640 x 480. Files have their own size.
Camera *camera_open(const char *where, int width, int height, Text *notes, Text *why);
// A function gives the pictures: a simulated table, for instance. NULL when out of memory.
typedef bool (*CameraTake)(void *with, Picture *picture, Text *why);
Camera *camera_of(CameraTake take, void *with);
void camera_close(Camera *c);
// The next frame, of at most `seconds` waiting. False with the reason (unplugged, no frame came).
bool camera_take(Camera *c, Picture *picture, double seconds, Text *why);

#endif
