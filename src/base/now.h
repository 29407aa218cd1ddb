// now: seconds of a clock that never jumps, from any beginning; and ends for those who wait.
#ifndef LUDENS_NOW_H
#define LUDENS_NOW_H

#include <time.h>

static inline double now_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// So many seconds from now, as pthread_cond_timedwait takes it.
static inline struct timespec now_plus(double seconds) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    long long ns = t.tv_nsec + (long long)(seconds * 1e9);
    t.tv_sec += (time_t)(ns / 1000000000);
    t.tv_nsec = (long)(ns % 1000000000);
    return t;
}

#endif
