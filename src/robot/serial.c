// serial: see serial.h.
#include "robot/serial.h"

#include "base/mem.h"
#include "base/now.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

struct Serial {
    int fd;
    char *path;
};

static speed_t speed_of(int baud) {
    static const struct {
        int baud;
        speed_t speed;
    } speeds[] = {{2400, B2400},   {9600, B9600},     {19200, B19200},  {38400, B38400},
                  {57600, B57600}, {115200, B115200}, {230400, B230400}};
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        if (speeds[i].baud == baud)
            return speeds[i].speed;
    return B0;
}

static void explain_open(const char *path, Text *why) {
    switch (errno) {
    case ENOENT:
    case ENXIO:
    case ENODEV: text_f(why, "there is no port `%s`: is the cable plugged in?", path); break;
    case EACCES:
    case EPERM:
        text_f(why, "no permission for `%s`: add yourself to its group, usually dialout", path);
        break;
    case EBUSY: text_f(why, "`%s` is in use by another program", path); break;
    default: text_f(why, "cannot open `%s`: %s", path, strerror(errno));
    }
}

// Raw bytes at that speed; what the line was set to before is of no interest afterwards.
static bool set_up(int fd, speed_t speed) {
    struct termios t;
    if (tcgetattr(fd, &t) != 0)
        return false;
    cfmakeraw(&t);
    t.c_cflag |= CLOCAL | CREAD;
    t.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
    t.c_cc[VMIN] = 0;
    t.c_cc[VTIME] = 0;
    return cfsetispeed(&t, speed) == 0 && cfsetospeed(&t, speed) == 0 &&
           tcsetattr(fd, TCSANOW, &t) == 0;
}

Serial *serial_open(const char *path, int baud, Text *why) {
    speed_t speed = speed_of(baud);
    if (speed == B0) {
        text_f(why, "a serial line has no speed of %d baud", baud);
        return NULL;
    }
    int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        explain_open(path, why);
        return NULL;
    }
    bool ok = isatty(fd);
    if (!ok) {
        text_f(why, "`%s` is no serial line", path);
    } else if (flock(fd, LOCK_EX | LOCK_NB) != 0 || ioctl(fd, TIOCEXCL) != 0) {
        ok = false;
        text_f(why, "`%s` is in use by another program", path);
    } else if (!set_up(fd, speed)) {
        ok = false;
        text_f(why, "cannot set up `%s`: %s", path, strerror(errno));
    }
    Serial *s = ok ? mem_alloc(sizeof *s) : NULL;
    char *copy = s ? mem_alloc(strlen(path) + 1) : NULL;
    if (ok && !copy)
        text_add(why, "out of memory");
    if (!copy) {
        mem_free(s);
        close(fd);
        return NULL;
    }
    strcpy(copy, path);
    *s = (Serial){fd, copy};
    serial_forget(s);
    return s;
}

void serial_close(Serial *s) {
    if (!s)
        return;
    ioctl(s->fd, TIOCNXCL);
    close(s->fd);
    mem_free(s->path);
    mem_free(s);
}

const char *serial_path(const Serial *s) {
    return s->path;
}

void serial_forget(Serial *s) {
    tcflush(s->fd, TCIFLUSH);
}

void serial_unsend(Serial *s) {
    tcflush(s->fd, TCOFLUSH);
}

// 1: ready, 2: ready, but hung up, 0: not in time, -1: the line is gone.
static int wait_for(const Serial *s, short event, double until) {
    for (;;) {
        double left = until - now_seconds();
        struct pollfd p = {.fd = s->fd, .events = event};
        int n = poll(&p, 1, left > 0 ? (int)(left * 1000) + 1 : 0);
        if (n > 0 && p.revents & event)
            return p.revents & POLLHUP ? 2 : 1; // what came before the line went is still read
        if (n > 0)
            return -1;
        if (n == 0)
            return 0;
        if (errno != EINTR)
            return -1;
    }
}

static void gone(const Serial *s, Text *why) {
    text_f(why, "the line `%s` is gone: was the cable pulled out?", s->path);
}

bool serial_write(Serial *s, const char *data, size_t size, double seconds, Text *why) {
    double until = now_seconds() + seconds;
    while (size > 0) {
        ssize_t n = write(s->fd, data, size);
        if (n > 0) {
            data += n;
            size -= (size_t)n;
            continue;
        }
        if (n < 0 && errno != EAGAIN && errno != EINTR) {
            gone(s, why);
            return false;
        }
        int ready = wait_for(s, POLLOUT, until);
        if (ready < 0)
            gone(s, why);
        else if (ready == 0)
            text_f(why, "`%s` does not take what is sent to it", s->path);
        if (ready <= 0)
            return false;
    }
    return true;
}

int serial_read(Serial *s, void *data, size_t size, double seconds, Text *why) {
    double until = now_seconds() + seconds;
    bool hung_up = false;
    for (;;) {
        ssize_t n = read(s->fd, data, size);
        if (n > 0)
            return (int)n;
        if (hung_up || (n < 0 && errno != EAGAIN && errno != EINTR)) {
            gone(s, why);
            return -1;
        }
        int ready = wait_for(s, POLLIN, until);
        hung_up = ready == 2; // then no bytes are not "none yet", but the end
        if (ready < 0)
            gone(s, why);
        if (ready <= 0)
            return ready;
    }
}
