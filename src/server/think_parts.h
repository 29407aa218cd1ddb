// think_parts: what the files of think share. See think.h.
#ifndef LUDENS_THINK_PARTS_H
#define LUDENS_THINK_PARTS_H

#include "server/think.h"

#include <pthread.h>

// Who has tasks: the slot of a client. Its numbers are under the lock of Think.
typedef struct TaskOwner {
    uint64_t served;       // when a task of this client was taken up last, as a count of all
    int tasks[TASK_RANKS]; // running or waiting
} TaskOwner;

struct Task {
    Think *think;
    int64_t number;
    TaskRank rank;
    Client *client; // NULL: gone, or none; the loop's thread
    void (*run)(Task *task, void *with);
    void (*end)(Hub *hub, Task *task, void *with);
    void *with;
    atomic_bool stop;
    Task *before, *after; // of all tasks; the loop's thread
    // Below: under the lock.
    TaskOwner *owner; // NULL: none, or gone
    Task *next;       // that waits
    Task *next_ready; //   that has something to tell
    double began;     // when it was taken up; 0: it waits
    bool finished, ready;
    Text news;
    bool has_news;
};

typedef struct RankQueue {
    pthread_cond_t work;
    Task *first, *last; // that wait, in the order they came
    int waiting;
} RankQueue;

typedef struct Thinker { // a thread
    Think *think;
    TaskRank rank;
    pthread_t thread;
} Thinker;

struct Think {
    Hub *hub;
    Task *tasks; // all of them; the loop's thread
    int64_t last_number;
    bool ending; // the loop's thread
    Thinker *thinker;
    int thinkers;
    struct Thoughts *thoughts; // think_move.c; the loop's thread
    pthread_mutex_t lock;
    pthread_cond_t made; // a player was made
    // Below: under the lock.
    RankQueue queue[TASK_RANKS];
    uint64_t served;
    Task *ready, *ready_last;
    bool closing;
    bool posted;
    const Game **making; // games whose players are being made; [thinkers]
    int makings;
};

// --- think_move.c ---
bool thoughts_begin(Think *t, Text *why);
void thoughts_end(Think *t);              // behind the last task
void thoughts_tick(Think *t, double now); // lets go of players that nobody needs any more

#endif
