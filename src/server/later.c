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

LATER bool rooms_settle(Hub *hub, Text *why) {
    (void)hub, (void)why;
    return true;
}

LATER bool games_library(Hub *hub, Text *out, Text *why) {
    (void)hub, (void)out;
    return not_yet(why);
}

LATER bool games_picture(Hub *hub, const char *game, const char *file, Text *path, Text *why) {
    (void)hub, (void)game, (void)file, (void)path;
    return not_yet(why);
}

LATER bool room_text(Hub *hub, const char *room, Text *out, Text *why) {
    (void)hub, (void)room, (void)out;
    return not_yet(why);
}

LATER bool watch_contest(Hub *hub, const char *title, Text *out, Text *why) {
    (void)hub, (void)title, (void)out;
    return not_yet(why);
}

LATER Room *room_find(Hub *hub, const char *name) {
    (void)hub, (void)name;
    return NULL;
}

LATER int64_t room_seq(const Room *room) {
    (void)room;
    return 0;
}

LATER bool room_joined(const Room *room, const Client *c) {
    (void)room, (void)c;
    return false;
}

LATER void room_json(Room *room, const Client *c, Text *out) {
    (void)room, (void)c, (void)out;
}

LATER const Game *games_take(Hub *hub, const char *name, const char *const *params, int count,
                             Text *why) {
    (void)hub, (void)name, (void)params, (void)count;
    not_yet(why);
    return NULL;
}

LATER void games_drop(Hub *hub, const Game *game) {
    (void)hub, (void)game;
}

LATER void describe_game(const Game *g, Text *out) {
    (void)g, (void)out;
}

LATER void games_hold(Hub *hub, const Game *game) {
    (void)hub, (void)game;
}

LATER const char *room_name(const Room *room) {
    (void)room;
    return "";
}

LATER const Game *room_game(Room *room) {
    (void)room;
    return NULL;
}

LATER Runner *room_runner(Room *room) {
    (void)room;
    return NULL;
}

LATER Record *room_record(Room *room) {
    (void)room;
    return NULL;
}

LATER bool room_play(Room *room, Move move, double seconds, Text *why) {
    (void)room, (void)move, (void)seconds;
    return not_yet(why);
}

LATER void room_fail(Room *room, const char *why) {
    (void)room, (void)why;
}
