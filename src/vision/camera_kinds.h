// camera_kinds: the makers of cameras, for camera.c. Each gives NULL with the reason.
#ifndef LUDENS_CAMERA_KINDS_H
#define LUDENS_CAMERA_KINDS_H

#include "vision/camera.h"

struct Camera {
    bool (*take)(void *self, Picture *picture, double seconds, Text *why);
    void (*close)(void *self);
    void *self;
};

// Takes `self`: without memory it is closed.
Camera *camera_made(Camera c, Text *why);

// --- camera_v4l2.c ---
Camera *camera_open_device(const char *path, int width, int height, Text *notes, Text *why);

// --- camera_files.c ---
Camera *camera_open_folder(const char *path, Text *why);
Camera *camera_open_file(const char *path, Text *why);

#endif
