// camera_v4l2: cameras of Linux. Frames lie in buffers that the driver fills and we map; we keep
// none longer than it takes to convert it.
//
// The automatics of a camera make colours change while somebody plays: they may settle on the first
// frames, then they are switched off where they are, and asked whether they really are off.
#include "base/mem.h"
#include "base/now.h"
#include "vision/camera_kinds.h"
#include "vision/frame.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/videodev2.h>

#define BUFFERS 4
#define SETTLING 20       // frames that the automatics may have
#define DROPPED 10        // frames that still show the settings from before
#define FIRST_SECONDS 5.0 // for the first frame: some cameras take long to wake up
#define USUAL_WIDTH 640
#define USUAL_HEIGHT 480

typedef struct Device {
    int fd;
    char path[256];
    int width, height;
    size_t stride;
    uint32_t format;
    int buffers;
    struct {
        void *start;
        size_t size;
    } buffer[BUFFERS];
} Device;

static int ask(int fd, unsigned long request, void *with) {
    int n;
    do
        n = ioctl(fd, request, with);
    while (n != 0 && errno == EINTR);
    return n;
}

// One that was pulled out gets its name again only when nobody holds it open any more.
static void disconnect(Device *d) {
    enum v4l2_buf_type type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (d->fd < 0)
        return;
    ask(d->fd, VIDIOC_STREAMOFF, &type);
    for (int i = 0; i < d->buffers; i++)
        munmap(d->buffer[i].start, d->buffer[i].size);
    close(d->fd);
    d->fd = -1;
    d->buffers = 0;
}

static void device_close(void *self) {
    Device *d = self;
    disconnect(d);
    mem_free(d);
}

// --- opening ---

static void explain_open(const char *path, Text *why) {
    switch (errno) {
    case ENOENT:
    case ENXIO:
    case ENODEV: text_f(why, "there is no camera `%s`: is it plugged in?", path); break;
    case EACCES:
    case EPERM:
        text_f(why, "no permission for `%s`: add yourself to its group, usually video", path);
        break;
    case EBUSY: text_f(why, "`%s` is in use by another program", path); break;
    default: text_f(why, "cannot open `%s`: %s", path, strerror(errno));
    }
}

static bool is_camera(const Device *d, Text *why) {
    struct v4l2_capability can = {0};
    if (ask(d->fd, VIDIOC_QUERYCAP, &can) != 0) {
        text_f(why, "`%s` is no camera", d->path);
        return false;
    }
    uint32_t caps = can.capabilities & V4L2_CAP_DEVICE_CAPS ? can.device_caps : can.capabilities;
    if (!(caps & V4L2_CAP_VIDEO_CAPTURE)) { // many cameras have a second device without pictures
        text_f(why, "`%s` gives no pictures: perhaps another /dev/video does", d->path);
        return false;
    }
    if (!(caps & V4L2_CAP_STREAMING)) {
        text_f(why, "`%s` cannot stream pictures into memory", d->path);
        return false;
    }
    return true;
}

static bool try_format(Device *d, uint32_t format, int width, int height) {
    struct v4l2_format f = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    f.fmt.pix.width = (uint32_t)width;
    f.fmt.pix.height = (uint32_t)height;
    f.fmt.pix.pixelformat = format;
    f.fmt.pix.field = V4L2_FIELD_NONE;
    if (ask(d->fd, VIDIOC_S_FMT, &f) != 0 || f.fmt.pix.pixelformat != format ||
        f.fmt.pix.width > PICTURE_SIDE_MOST || f.fmt.pix.height > PICTURE_SIDE_MOST)
        return false;
    d->format = format;
    d->width = (int)f.fmt.pix.width;
    d->height = (int)f.fmt.pix.height;
    d->stride = f.fmt.pix.bytesperline;
    if (d->stride < (size_t)d->width * 2)
        d->stride = (size_t)d->width * 2;
    return true;
}

// Small pictures as they are; large ones would come too slowly over USB, so as JPEG.
static bool choose_format(Device *d, int width, int height, Text *notes, Text *why) {
    bool small = width * height <= USUAL_WIDTH * USUAL_HEIGHT;
    uint32_t first = small ? V4L2_PIX_FMT_YUYV : V4L2_PIX_FMT_MJPEG;
    uint32_t second = small ? V4L2_PIX_FMT_MJPEG : V4L2_PIX_FMT_YUYV;
    if (!try_format(d, first, width, height) && !try_format(d, second, width, height)) {
        bool busy = errno == EBUSY;
        text_f(why,
               busy ? "`%s` is in use by another program"
                    : "`%s` gives pictures neither as YUYV nor as MJPEG",
               d->path);
        return false;
    }
    if (notes && (d->width != width || d->height != height))
        text_f(notes, "the camera gives pictures of %d x %d, not %d x %d\n", d->width, d->height,
               width, height);
    return true;
}

static bool map_buffers(Device *d, Text *why) {
    struct v4l2_requestbuffers want = {
        .count = BUFFERS, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    if (ask(d->fd, VIDIOC_REQBUFS, &want) != 0 || want.count < 1) {
        if (errno == EBUSY)
            text_f(why, "`%s` is in use by another program", d->path);
        else
            text_f(why, "`%s` gives no room for frames: %s", d->path, strerror(errno));
        return false;
    }
    for (uint32_t i = 0; i < want.count && i < BUFFERS; i++) {
        struct v4l2_buffer b = {
            .index = i, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
        void *start = MAP_FAILED;
        if (ask(d->fd, VIDIOC_QUERYBUF, &b) == 0)
            start = mmap(NULL, b.length, PROT_READ | PROT_WRITE, MAP_SHARED, d->fd, b.m.offset);
        if (start == MAP_FAILED) {
            text_f(why, "the frames of `%s` cannot be mapped: %s", d->path, strerror(errno));
            return false;
        }
        d->buffer[i].start = start;
        d->buffer[i].size = b.length;
        d->buffers = (int)i + 1;
        if (ask(d->fd, VIDIOC_QBUF, &b) != 0) {
            text_f(why, "`%s` takes no buffer: %s", d->path, strerror(errno));
            return false;
        }
    }
    enum v4l2_buf_type type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (ask(d->fd, VIDIOC_STREAMON, &type) != 0) {
        text_f(why, "`%s` does not start: %s", d->path, strerror(errno));
        return false;
    }
    return true;
}

// --- frames ---

typedef enum Got { GOT_FRAME, GOT_LATE, GOT_GONE } Got;

static Got wait_frame(Device *d, double until, struct v4l2_buffer *b) {
    for (;;) {
        *b = (struct v4l2_buffer){.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
        if (ask(d->fd, VIDIOC_DQBUF, b) == 0)
            return b->index < (uint32_t)d->buffers ? GOT_FRAME : GOT_GONE;
        if (errno != EAGAIN)
            return GOT_GONE;
        double left = until - now_seconds();
        struct pollfd p = {.fd = d->fd, .events = POLLIN};
        int n = left > 0 ? poll(&p, 1, (int)(left * 1000) + 1) : 0;
        if (n == 0)
            return GOT_LATE;
        if ((n < 0 && errno != EINTR) || (n > 0 && p.revents & (POLLERR | POLLHUP | POLLNVAL)))
            return GOT_GONE;
    }
}

static bool convert(const Device *d, const struct v4l2_buffer *b, Picture *picture, Text *why) {
    const uint8_t *data = d->buffer[b->index].start;
    size_t size = b->bytesused;
    if (size > d->buffer[b->index].size)
        size = d->buffer[b->index].size;
    if (b->flags & V4L2_BUF_FLAG_ERROR) {
        text_add(why, "the camera says that the frame is damaged");
        return false;
    }
    if (d->format == V4L2_PIX_FMT_MJPEG)
        return frame_mjpeg(data, size, picture, why);
    return frame_yuyv(data, size, d->width, d->height, d->stride, picture, why);
}

// The next frame; with no picture it is only dropped. Damaged ones, which happen, are skipped.
static bool next(Device *d, Picture *picture, double seconds, Text *why) {
    double until = now_seconds() + seconds;
    Text damage = {0};
    for (;;) {
        struct v4l2_buffer b;
        Got got = wait_frame(d, until, &b);
        if (got == GOT_LATE && damage.n)
            text_f(why, "`%s` gives damaged frames: %s", d->path, text_c(&damage));
        else if (got == GOT_LATE)
            text_f(why, "no frame came from `%s` within %.1f s", d->path, seconds);
        if (got == GOT_GONE) {
            text_f(why, "the camera `%s` is gone: was it pulled out?", d->path);
            disconnect(d);
        }
        text_clear(&damage);
        bool done = got != GOT_FRAME || !picture || convert(d, &b, picture, &damage);
        if (got == GOT_FRAME)
            ask(d->fd, VIDIOC_QBUF, &b);
        if (done) {
            text_free(&damage);
            return got == GOT_FRAME;
        }
    }
}

// --- automatics ---

static bool get(int fd, uint32_t id, int32_t *value) {
    struct v4l2_control c = {.id = id};
    if (ask(fd, VIDIOC_G_CTRL, &c) != 0)
        return false;
    *value = c.value;
    return true;
}

static void set(int fd, uint32_t id, int32_t value) {
    struct v4l2_control c = {.id = id, .value = value};
    ask(fd, VIDIOC_S_CTRL, &c);
}

// Switches automatics off; what they had found stays. A camera that has no such setting is silent.
static void hold_settings(Device *d, Text *notes) {
    static const struct {
        uint32_t automatic;
        int32_t off;
        uint32_t value; // what the automatic moves; 0: nothing that can be asked
        const char *name;
    } rows[] = {
        {V4L2_CID_EXPOSURE_AUTO, V4L2_EXPOSURE_MANUAL, V4L2_CID_EXPOSURE_ABSOLUTE, "exposure"},
        {V4L2_CID_AUTO_WHITE_BALANCE, 0, V4L2_CID_WHITE_BALANCE_TEMPERATURE, "white balance"},
        {V4L2_CID_FOCUS_AUTO, 0, V4L2_CID_FOCUS_ABSOLUTE, "focus"},
        {V4L2_CID_AUTOGAIN, 0, V4L2_CID_GAIN, "gain"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int32_t was, value;
        if (!get(d->fd, rows[i].automatic, &was) || was == rows[i].off)
            continue;
        bool known = get(d->fd, rows[i].value, &value);
        set(d->fd, rows[i].automatic, rows[i].off);
        if (known)
            set(d->fd, rows[i].value, value);
        bool off = get(d->fd, rows[i].automatic, &was) && was == rows[i].off;
        if (!off && notes)
            text_f(notes, "the camera keeps its automatic %s: colours may change\n", rows[i].name);
    }
}

static bool drop(Device *d, int frames, Text *why) {
    for (int i = 0; i < frames; i++)
        if (!next(d, NULL, FIRST_SECONDS, why))
            return false;
    return true;
}

static bool start(Device *d, int width, int height, Text *notes, Text *why) {
    if (!is_camera(d, why) || !choose_format(d, width, height, notes, why) ||
        !map_buffers(d, why) || !drop(d, SETTLING, why))
        return false;
    hold_settings(d, notes);
    return drop(d, DROPPED, why);
}

static bool connect_to(Device *d, int width, int height, Text *notes, Text *why) {
    d->fd = open(d->path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (d->fd < 0)
        explain_open(d->path, why);
    else if (start(d, width, height, notes, why))
        return true;
    disconnect(d);
    return false;
}

// --- the whole ---

// What has waited in the buffers shows the past: the newest frame is wanted. A camera that was gone
// is opened anew: it may be plugged in again.
static bool device_take(void *self, Picture *picture, double seconds, Text *why) {
    Device *d = self;
    struct v4l2_buffer b;
    if (d->fd < 0 && !connect_to(d, d->width, d->height, NULL, why))
        return false;
    for (int i = 0; i < d->buffers && wait_frame(d, 0, &b) == GOT_FRAME; i++)
        ask(d->fd, VIDIOC_QBUF, &b);
    return next(d, picture, seconds, why);
}

Camera *camera_open_device(const char *path, int width, int height, Text *notes, Text *why) {
    Device *d = mem_alloc(sizeof *d);
    if (!d) {
        text_add(why, "out of memory");
        return NULL;
    }
    if (strlen(path) >= sizeof d->path) {
        text_add(why, "the camera's name is too long");
        mem_free(d);
        return NULL;
    }
    strcpy(d->path, path);
    if (connect_to(d, width > 0 ? width : USUAL_WIDTH, height > 0 ? height : USUAL_HEIGHT, notes,
                   why))
        return camera_made((Camera){device_take, device_close, d}, why);
    mem_free(d);
    return NULL;
}
