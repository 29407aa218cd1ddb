// A camera of Linux that is not there: /dev/zero, of which the ioctl below makes a V4L2 device.
#define _XOPEN_SOURCE 600
#include "base/mem.h"
#include "vision/camera.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>
#include <linux/videodev2.h>

#define WIDTH 32
#define HEIGHT 16

static struct Fake {
    bool pulled;       // it is out: every question fails
    bool dark;         // no frames come
    int damaged;       // so many frames to come
    bool stubborn;     // its exposure stays automatic
    int frames, opens; // taken; streams begun
    int exposure_auto, white_auto;
} fake;

static int failed(int with) {
    errno = with;
    return -1;
}

static int control(unsigned long request, struct v4l2_control *c) {
    int *value = c->id == V4L2_CID_EXPOSURE_AUTO        ? &fake.exposure_auto
                 : c->id == V4L2_CID_AUTO_WHITE_BALANCE ? &fake.white_auto
                                                        : NULL;
    if (!value)
        return failed(EINVAL);
    if (request == VIDIOC_G_CTRL)
        c->value = *value;
    else if (value != &fake.exposure_auto || !fake.stubborn)
        *value = c->value;
    return 0;
}

static int frame(struct v4l2_buffer *b) {
    if (fake.dark)
        return failed(EAGAIN);
    b->index = (uint32_t)(fake.frames++ % 2);
    b->bytesused = fake.damaged > 0 ? 7 : 2 * WIDTH * HEIGHT;
    fake.damaged -= fake.damaged > 0;
    return 0;
}

// Instead of that of the system: all of it that a camera is asked.
int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *with = va_arg(rest, void *);
    va_end(rest);
    (void)fd;
    if (fake.pulled)
        return failed(ENODEV);
    switch (request) {
    case VIDIOC_QUERYCAP:
        ((struct v4l2_capability *)with)->capabilities =
            V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
        return 0;
    case VIDIOC_S_FMT: {
        struct v4l2_pix_format *f = &((struct v4l2_format *)with)->fmt.pix;
        f->width = WIDTH;
        f->height = HEIGHT;
        f->bytesperline = 2 * WIDTH;
        return f->pixelformat == V4L2_PIX_FMT_YUYV ? 0 : failed(EINVAL);
    }
    case VIDIOC_REQBUFS: ((struct v4l2_requestbuffers *)with)->count = 2; return 0;
    case VIDIOC_QUERYBUF: ((struct v4l2_buffer *)with)->length = 2 * WIDTH * HEIGHT; return 0;
    case VIDIOC_QBUF: return 0;
    case VIDIOC_STREAMON: fake.opens++; return 0;
    case VIDIOC_STREAMOFF: return 0;
    case VIDIOC_DQBUF: return frame(with);
    case VIDIOC_G_CTRL:
    case VIDIOC_S_CTRL: return control(request, with);
    default: return failed(ENOTTY);
    }
}

static char folder[64], device[96];

// The name under which it is plugged in.
static void plug(bool in) {
    fake.pulled = !in;
    if (in)
        assert_int_equal(symlink("/dev/zero", device), 0);
    else
        assert_int_equal(unlink(device), 0);
}

static int begin(void **state) {
    (void)state;
    fake = (struct Fake){.exposure_auto = V4L2_EXPOSURE_AUTO, .white_auto = 1};
    strcpy(folder, "/tmp/ludens-device-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(device, sizeof device, "%s/video0", folder);
    plug(true);
    return 0;
}

static int end(void **state) {
    (void)state;
    unlink(device);
    return rmdir(folder);
}

static void assert_says(Text *why, const char *words) {
    if (!strstr(text_c(why), words))
        fail_msg("`%s` does not say `%s`", text_c(why), words);
    text_clear(why);
}

static Camera *opened(Text *notes) {
    Text why = {0};
    Camera *c = camera_open(device, WIDTH, HEIGHT, notes, &why);
    if (!c)
        fail_msg("%s", text_c(&why));
    return c;
}

static void test_automatics(void **state) {
    (void)state;
    Text notes = {0};
    Picture p = {0};
    Camera *c = opened(&notes);
    assert_int_equal(notes.n, 0);
    assert_int_equal(fake.exposure_auto, V4L2_EXPOSURE_MANUAL);
    assert_int_equal(fake.white_auto, 0);
    assert_int_equal(fake.frames, 30); // dropped
    assert_true(camera_take(c, &p, 1, &notes));
    assert_int_equal(p.width, WIDTH);
    assert_int_equal(p.height, HEIGHT);
    camera_close(c);
    fake.stubborn = true;
    fake.exposure_auto = V4L2_EXPOSURE_AUTO;
    c = opened(&notes);
    assert_says(&notes, "the camera keeps its automatic exposure");
    camera_close(c);
    picture_free(&p);
    text_free(&notes);
}

// /dev/zero always says that there is something to read: the time counts, not that.
static void test_no_frames(void **state) {
    (void)state;
    Text why = {0};
    Picture p = {0};
    Camera *c = opened(NULL);
    fake.dark = true;
    assert_false(camera_take(c, &p, 0.05, &why));
    assert_says(&why, "no frame came from");
    fake.dark = false;
    fake.damaged = 5; // damaged ones happen, and are skipped
    assert_true(camera_take(c, &p, 1, &why));
    camera_close(c);
    picture_free(&p);
    text_free(&why);
}

static void test_pulled_out(void **state) {
    (void)state;
    Text why = {0};
    Picture p = {0};
    Camera *c = opened(NULL);
    assert_true(camera_take(c, &p, 1, &why));
    plug(false);
    assert_false(camera_take(c, &p, 1, &why));
    assert_says(&why, "is gone: was it pulled out?");
    assert_false(camera_take(c, &p, 1, &why));
    assert_says(&why, "is it plugged in?");
    plug(true);
    fake.exposure_auto = V4L2_EXPOSURE_AUTO; // it has forgotten what it was told
    assert_true(camera_take(c, &p, 1, &why));
    assert_int_equal(fake.opens, 2);
    assert_int_equal(fake.exposure_auto, V4L2_EXPOSURE_MANUAL);
    plug(false);
    assert_false(camera_take(c, &p, 1, &why));
    camera_close(c);
    plug(true);
    picture_free(&p);
    text_free(&why);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_automatics, begin, end),
        cmocka_unit_test_setup_teardown(test_no_frames, begin, end),
        cmocka_unit_test_setup_teardown(test_pulled_out, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
