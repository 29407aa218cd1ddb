// think_parts: what the files of think share. See think.h.
#ifndef LUDENS_THINK_PARTS_H
#define LUDENS_THINK_PARTS_H

#include "server/think.h"

#include <pthread.h>

typedef enum OwnerCount { OWNS_ALL, OWNS_WAITING, OWNS_RUNNING, OWNS_COUNTS } OwnerCount;

// Who has tasks: a client, and the address that it is of. Both are kept for a while behind their
// last task: who comes back at once has not been served any longer ago. The list belongs to the
// loop's thread, the numbers are under the lock of Think.
typedef struct TaskOwner {
    struct TaskOwner *next;    // of all
    struct TaskOwner *address; // of a client; NULL: this is an address
    char name[64];             // of an address
    int64_t client;            // its number
    double used;               // when a task came or went
    uint64_t served;           // when one was taken up last, as a count of all
    int count[OWNS_COUNTS][TASK_RANKS];
} TaskOwner;

struct Task {
    Think *think;
    int64_t number;
    TaskRank rank;
    Client *client; // NULL: gone, or none; the loop's thread
    TaskRun *run;
    TaskEnd *end;
    void *with;
    atomic_bool stop;
    Task *before, *after; // of all tasks; the loop's thread
    // Below: under the lock.
    TaskOwner *owner;
    Task *next;       // that waits
    Task *next_ready; //   that has something to tell
    double began;     // when it was taken up; 0: it waits
    bool runs;        // and was not told to stop
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
    TaskOwner own;             // of tasks that no client asked for
    TaskOwner *owners;         // all, with that one
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

// By rank: how many may wait, and how many of one client be there at once; how long one may run
// while others wait (nobody waits for ever), at least that even if many do, and in any case; how
// nice its threads are: answering pages comes before thinking, moves before all that was asked for
// besides.
typedef struct TaskRow {
    int most, own;
    double turn, least, seconds;
    int nice;
} TaskRow;

// --- think_owner.c: all but the first two are called under the lock ---
extern const TaskRow task_ranks[TASK_RANKS];
TaskOwner *owner_find(Think *t, TaskFor who);           // NULL: out of memory
void owner_drop(Think *t, double now);                  // those who had no tasks for a while
bool owner_has_place(const Think *t, const Task *task); // for one more task of this owner
void owner_count(const Task *task, OwnerCount what, int change);
void owner_runs(Task *task, bool now);
void owner_served(Think *t, Task *task);
// The address that was served longest ago, and there the client; the server's own comes first.
bool owner_goes_before(const Task *a, const Task *b);
// How long a task may run: as many as wait for its place share its time. Who waits is counted by
// address, and at the task's own address by client. An owner with several places gives one back as
// soon as others wait.
double owner_turn(const Think *t, const Task *task);

// --- think_move.c ---
bool thoughts_begin(Think *t, Text *why);
void thoughts_end(Think *t);              // behind the last task
void thoughts_tick(Think *t, double now); // lets go of players that nobody needs any more

#endif
