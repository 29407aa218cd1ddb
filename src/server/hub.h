// hub: what the server does with a message, apart from how it came.
//
// A Hub owns all rooms, tasks and clients. It belongs to one thread, the event loop's; others use
// hub_post. A Client is a page that is connected, however: by a socket, or in a test by nothing at
// all. Messages and their answers are in docs/web-protocol.md. Everything a client sends is checked
// here: sizes, rates, types, ranges, rights.
#ifndef LUDENS_HUB_H
#define LUDENS_HUB_H

#include "base/text.h"
#include "server/server.h"

#include <cjson/cJSON.h>
#include <stdint.h>

typedef struct Hub Hub;
typedef struct Client Client;
typedef struct Room Room;

#define HUB_MESSAGE ((size_t)256 << 10) // bytes of a message from a page, at most
#define HUB_QUEUE ((size_t)4 << 20) // bytes that may wait for a slow client; more: it is dropped
#define HUB_RATE 50                 // messages a second, with a burst of four times that
#define HUB_HEADROOM 32     // bytes in front of a message that is sent, for the head of a frame
#define HUB_NO_ID INT64_MIN // of a message that has none: its answer says `"re":null`

// X(name, function): hub_do_FUNCTION answers message `do: name`.
#define HUB_COMMANDS(X)                                                                            \
    /* rooms.c, room_do.c */                                                                       \
    X("hello", hello)                                                                              \
    X("upload", upload)                                                                            \
    X("open", open)                                                                                \
    X("join", join)                                                                                \
    X("leave", leave)                                                                              \
    X("options", options)                                                                          \
    X("move", move)                                                                                \
    X("undo", undo)                                                                                \
    X("redo", redo)                                                                                \
    X("restart", restart)                                                                          \
    X("goto", goto)                                                                                \
    X("takeback", takeback)                                                                        \
    X("draw", draw)                                                                                \
    X("answer", answer)                                                                            \
    X("resign", resign)                                                                            \
    X("seat", seat)                                                                                \
    X("rename", rename)                                                                            \
    X("why", why)                                                                                  \
    X("captures", captures)                                                                        \
    X("edit", edit)                                                                                \
    X("pace", pace)                                                                                \
    X("step", step)                                                                                \
    /* insight*.c */                                                                               \
    X("hint", hint)                                                                                \
    X("analyse", analyse)                                                                          \
    X("explain", explain)                                                                          \
    X("facts", facts)                                                                              \
    X("tree", tree)                                                                                \
    X("branch", branch)                                                                            \
    X("graph", graph)                                                                              \
    X("stop", stop)                                                                                \
    /* workshop.c */                                                                               \
    X("compile", compile)                                                                          \
    X("format", format)                                                                            \
    X("perft", perft)                                                                              \
    X("study", study)                                                                              \
    X("save", save)                                                                                \
    /* watch.c */                                                                                  \
    X("contests", contests)                                                                        \
    X("contest", contest)                                                                          \
    X("tournament", tournament)                                                                    \
    /* teach*.c */                                                                                 \
    X("arm", arm)                                                                                  \
    X("arm-take", arm_take)                                                                        \
    X("arm-leave", arm_leave)                                                                      \
    X("arm-stop", arm_stop)                                                                        \
    X("arm-resume", arm_resume)                                                                    \
    X("arm-connect", arm_connect)                                                                  \
    X("arm-break", arm_break)                                                                      \
    X("arm-wake", arm_wake)                                                                        \
    X("arm-joints", arm_joints)                                                                    \
    X("arm-jog", arm_jog)                                                                          \
    X("arm-fingers", arm_fingers)                                                                  \
    X("arm-home", arm_home)                                                                        \
    X("arm-table", arm_table)                                                                      \
    X("arm-go", arm_go)                                                                            \
    X("arm-tour", arm_tour)                                                                        \
    X("arm-record", arm_record)                                                                    \
    X("arm-forget", arm_forget)                                                                    \
    X("arm-fit", arm_fit)                                                                          \
    X("arm-look", arm_look)                                                                        \
    X("arm-corners", arm_corners)                                                                  \
    X("arm-tags", arm_tags)                                                                        \
    X("arm-learn", arm_learn)

typedef void HubCommand(Hub *hub, Client *client, const cJSON *in, int64_t id);
#define X(name, function) HubCommand hub_do_##function;
HUB_COMMANDS(X)
#undef X

// `options` outlive the hub. NULL with the reason.
Hub *hub_new(const ServerOptions *options, Text *why);
void hub_free(Hub *hub); // ends tasks, keeps rooms
const ServerOptions *hub_options(const Hub *hub);

// --- clients: client.c ---
// `wake` is called by hub_tick when something waits to be sent to the client, or when it is to be
// closed (client_failed); `with` is the socket's.
Client *client_new(Hub *hub, const char *address, void (*wake)(void *with), void *with);
void client_free(Client *c); // leaves its rooms, ends its tasks
// Takes up a message. Answers leave behind the next hub_tick, which puts on the disk what they tell
// of.
void client_receive(Client *c, const char *message, size_t size);
// The oldest message that waits, or NULL; client_sent drops it. There are HUB_HEADROOM bytes in
// front of it that may be written to.
char *client_next(Client *c, size_t *size);
void client_sent(Client *c);
bool client_failed(const Client *c); // it is too slow or misbehaves: close it
Hub *client_hub(const Client *c);
const char *client_address(const Client *c);
int64_t client_number(const Client *c); // never used again by another client of this hub
// Whether it is on this machine: its address says so, and client_set_far was not called, as it is
// for one that knows the server by another name: then something in between only passes it on.
bool client_near(const Client *c);
void client_set_far(Client *c);

// Answers. `members` are members of an object without braces: "\"seq\":18"; may be "".
void client_reply(Client *c, int64_t id, const char *members);
// Codes of docs/web-protocol.md, a sentence, and further members or NULL.
void client_error(Client *c, int64_t id, const char *code, const char *members, const char *format,
                  ...) __attribute__((format(printf, 5, 6)));
// Instead of an answer now: it comes later, by one of the two above, unless the client has gone.
void client_later(Client *c, int64_t id);
void client_push(Client *c, const char *on, const char *members);

// --- the loop ---
// What is due: clocks, thinking that is done, news of tasks; then what waits for clients may leave.
// `now` is in seconds, of a clock that never jumps (now_seconds). Milliseconds until it wants to be
// called again; messages and posts want it at once.
int hub_tick(Hub *hub, double now);
// From any thread: hub_tick calls `run` soon in the loop's thread. False when out of memory.
bool hub_post(Hub *hub, void (*run)(Hub *hub, void *with), void *with);
// How hub_post gets the loop's attention; set by the server.
void hub_on_post(Hub *hub, void (*wake)(void *with), void *with);

// --- reading members of a message: all false with an error sent if missing or of another type ---
bool in_text(Client *c, int64_t id, const cJSON *in, const char *name, const char **out);
bool in_number(Client *c, int64_t id, const cJSON *in, const char *name, double low, double high,
               double *out); // whole or not; NaN never
bool in_whole(Client *c, int64_t id, const cJSON *in, const char *name, int64_t low, int64_t high,
              int64_t *out);
bool in_room(Client *c, int64_t id, const cJSON *in, Room **out); // and joined by the client
bool in_seq(Client *c, int64_t id, const cJSON *in, Room *room);  // else `behind`, with the room

#endif
