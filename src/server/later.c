// later: stands in for parts that are still being built, until their own functions replace these
// (weak symbols). Deleted when none is left.
#include "server/parts.h"
#include "server/room.h"

#define LATER __attribute__((weak))

static bool not_yet(Text *why) {
    text_add(why, "this is not built yet");
    return false;
}

#define X(name)                                                                                    \
    LATER bool name##_begin(Hub *hub, Text *why) {                                                 \
        (void)hub, (void)why;                                                                      \
        return true;                                                                               \
    }                                                                                              \
    LATER void name##_end(Hub *hub) {                                                              \
        (void)hub;                                                                                 \
    }                                                                                              \
    LATER int name##_tick(Hub *hub, double now) {                                                  \
        (void)hub, (void)now;                                                                      \
        return -1;                                                                                 \
    }                                                                                              \
    LATER void name##_leave(Hub *hub, Client *c) {                                                 \
        (void)hub, (void)c;                                                                        \
    }
HUB_PARTS(X)
#undef X

LATER bool watch_contest(Hub *hub, const char *title, Text *out, Text *why) {
    (void)hub, (void)title, (void)out;
    return not_yet(why);
}
