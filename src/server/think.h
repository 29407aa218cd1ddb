// think: long work in threads, apart from the event loop.
//
// A Task is run by one of a few threads and tells its news through hub_post. Tasks of one client,
// of one address and all together are limited; the rest waits in a fair queue: one of each address
// in turn, and there one of each client. Each rank of tasks has threads of its own, so that a
// player who is on move never waits for an analysis. A task that has had its turn is stopped when
// others of its rank wait, and ends with what it has; turns are short while many wait, and for who
// has several threads at once.
#ifndef LUDENS_THINK_H
#define LUDENS_THINK_H

#include "search/search.h"
#include "server/hub.h"

typedef struct Think Think;
typedef struct Task Task;
typedef enum TaskRank {
    TASK_MOVE,    // a player on move
    TASK_QUICK,   // over in a moment by itself: compiling, reading, reasons
    TASK_ASKED,   // searches that somebody asked for
    TASK_LONG,    // studies
    TASK_CONTEST, // tournaments
    TASK_RANKS
} TaskRank;

#define TASK_SECONDS 600.0 // at most, whatever is asked for; tournaments have longer
#define TASK_CLIENT 4      // at once, of one client and rank, running or waiting; more quick ones
#define TASK_ADDRESS 4     // an address has at most one of so many places in a queue
#define TASK_MEMORY_MB 64  // of a player's tables

Think *think_new(Hub *hub, int threads, Text *why);
void think_free(Think *t); // stops all and waits: at most some 20 ms
Think *hub_think(Hub *hub);

typedef void TaskRun(Task *task, void *with);
typedef void TaskEnd(Hub *hub, Task *task, void *with);
// `run` is called in a thread of its own with `with`, and returns when it is done or `stop` is set.
// `end` is called in the loop's thread afterwards, always, and frees `with`. NULL: too much is
// going on already. `client` may be NULL: the server's own, which no client's limits concern.
Task *task_begin(Think *t, Client *client, TaskRank rank, TaskRun *run, TaskEnd *end, void *with);
// The same on account of a client that may go, or has gone, without its end.
typedef struct TaskFor {
    const char *address;
    int64_t client;
} TaskFor;
Task *task_begin_for(Think *t, TaskFor who, TaskRank rank, TaskRun *run, TaskEnd *end, void *with);
int64_t task_number(const Task *task);
const atomic_bool *task_stop(const Task *task);
void task_cancel(Task *task); // the loop's thread; `end` still comes
// A task of this client that is not over; NULL: there is none. The loop's thread.
Task *task_find(Think *t, const Client *client, int64_t number);
Client *task_client(const Task *task); // NULL: gone, or none. The loop's thread
// From the task's thread: news for the client, members of an object. The newest replaces one that
// was not sent yet.
void task_news(Task *task, const char *members);
// From `end`: the last message.
void task_done(Task *task, const char *members);
void task_failed(Task *task, const char *why); // the same with `error` and `code`

// Whether a page may name this player, and the text to make it by: threads and memory held down, no
// files of the server, bots only where they are allowed. False with the reason. `safe` may be NULL.
bool think_player(Hub *hub, const char *text, Text *safe, Text *why);

// From a task's thread: makes such a player. The first one of a game may have to learn for seconds;
// others wait for it. When the task is stopped, it does without what is not learnt yet. NULL with
// the reason.
Player *think_make(Task *task, const Game *g, const char *text, Text *why);
// The seconds that it takes for a move by itself, at most `most`.
double think_seconds(const Player *p, double most);

// A player who is on move: takes a copy of the room's game so far, searches, plays into the room if
// it is still the same position (room_play); room_fail if it cannot move. For rooms.c.
bool think_move(Think *t, struct Room *room, const char *player, double seconds, Text *why);
void think_forget(Think *t, struct Room *room); // it changed: whatever is thought about it is void

#endif
