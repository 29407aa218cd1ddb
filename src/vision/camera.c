// camera: see camera.h. Which kind of camera a path means, and cameras that are functions.
#include "vision/camera.h"

#include "base/mem.h"
#include "vision/camera_kinds.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

Camera *camera_made(Camera c, Text *why) {
    Camera *made = mem_alloc(sizeof *made);
    if (made) {
        *made = c;
        return made;
    }
    c.close(c.self);
    text_add(why, "out of memory");
    return NULL;
}

static void no_such(const char *where, Text *why) {
    bool device = strncmp(where, "/dev/", 5) == 0;
    text_add(why, device ? "there is no camera `" : "there is no file or folder `");
    text_visible(why, where, strlen(where));
    text_add(why, device ? "`: is it plugged in?" : "`");
}

Camera *camera_open(const char *where, int width, int height, Text *notes, Text *why) {
    struct stat s;
    if (stat(where, &s) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            no_such(where, why);
        } else {
            text_add(why, "cannot open `");
            text_visible(why, where, strlen(where));
            text_f(why, "`: %s", strerror(errno));
        }
        return NULL;
    }
    if (S_ISDIR(s.st_mode))
        return camera_open_folder(where, why);
    if (S_ISCHR(s.st_mode))
        return camera_open_device(where, width, height, notes, why);
    if (!S_ISREG(s.st_mode)) { // a pipe would be waited for, and has no second picture
        text_add(why, "cannot read `");
        text_visible(why, where, strlen(where));
        text_add(why, "`: it is not a regular file");
        return NULL;
    }
    return camera_open_file(where, why);
}

// --- a function ---

typedef struct OwnCamera {
    CameraTake take;
    void *with;
} OwnCamera;

static bool own_take(void *self, Picture *picture, double seconds, Text *why) {
    (void)seconds;
    OwnCamera *o = self;
    return o->take(o->with, picture, why);
}

static void own_close(void *self) {
    mem_free(self);
}

Camera *camera_of(CameraTake take, void *with) {
    OwnCamera *o = mem_alloc(sizeof *o);
    if (!o)
        return NULL;
    *o = (OwnCamera){take, with};
    Text why = {0};
    Camera *c = camera_made((Camera){own_take, own_close, o}, &why);
    text_free(&why);
    return c;
}

void camera_close(Camera *c) {
    if (!c)
        return;
    c->close(c->self);
    mem_free(c);
}

bool camera_take(Camera *c, Picture *picture, double seconds, Text *why) {
    return c->take(c->self, picture, seconds, why);
}
