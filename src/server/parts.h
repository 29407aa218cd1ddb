// parts: what the hub calls of its parts, and what it keeps for them.
//
// A part is a row of HUB_PARTS with four functions:
//     bool NAME_begin(Hub *hub, Text *why)    when the hub is made; false with the reason
//     void NAME_end(Hub *hub)                 when it is freed; also if NAME_begin returned false
//     int NAME_tick(Hub *hub, double now)     what is due; milliseconds until the next, -1: never
//     void NAME_leave(Hub *hub, Client *c)    the client goes: frees what client_slot has
// They begin in the order of the table and end in the opposite one: `think` ends first, while
// everything that its tasks come back to is still there.
//
// A round is what the loop does between two waits: messages taken up, posts run, clocks that ran
// out. Nothing that is sent to clients in a round leaves before rooms_settle has put the round on
// the disk; when that fails, nothing leaves at all.
#ifndef LUDENS_PARTS_H
#define LUDENS_PARTS_H

#include "server/hub.h"

#define HUB_PARTS(X)                                                                               \
    X(rooms)                                                                                       \
    X(insight)                                                                                     \
    X(workshop)                                                                                    \
    X(watch)                                                                                       \
    X(teach)                                                                                       \
    X(think)

typedef enum HubPart {
#define X(name) PART_##name,
    HUB_PARTS(X)
#undef X
        PART_COUNT
} HubPart;

#define X(name)                                                                                    \
    bool name##_begin(Hub *hub, Text *why);                                                        \
    void name##_end(Hub *hub);                                                                     \
    int name##_tick(Hub *hub, double now);                                                         \
    void name##_leave(Hub *hub, Client *c);
HUB_PARTS(X)
#undef X

// A pointer that belongs to the part; NULL at first.
void **hub_slot(Hub *hub, HubPart part);
void **client_slot(Client *c, HubPart part);

// rooms.c: the end of a round. False: what it changed could not be written and is undone.
bool rooms_settle(Hub *hub, Text *why);

// A request that is no message: NULL if the address has asked for too much already; else to be
// given back with the seconds of work that it was.
void *hub_visit(Hub *hub, const char *address);
void hub_visited(void *visit, double seconds);

// --- what pages.c asks of the parts; false with the reason ---
bool games_library(Hub *hub, Text *out, Text *why); // /library.json
// Whether the name is that of a game of the library, and not of a file of the server's.
bool games_is_usual(const Hub *hub, const char *name);
// The file of a picture that a rules file of the server names; nothing else is ever given out.
bool games_picture(Hub *hub, const char *game, const char *file, Text *path, Text *why);
// The text of a rules file of the library or of the server: /rules.
bool games_rules(const Hub *hub, const char *name, Text *out, Text *why);
bool room_text(Hub *hub, const char *room, Text *out, Text *why); // /record/ROOM
// The newest picture of the arm's camera, drawn over or not: /robot/picture.jpg
bool teach_picture(Hub *hub, bool drawn, Text *out, Text *why);
bool watch_contest(Hub *hub, const char *title, Text *out, Text *why); // /contest.json

#endif
