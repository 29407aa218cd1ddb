// think_owner: on whose account tasks run: whose turn it is, and how long a turn is.
//
// Who opens more connections has no more of the machine: places and turns are those of addresses
// first, and only then of the clients of an address.
#include "server/think_parts.h"

#include "base/mem.h"
#include "base/now.h"

#include <stdio.h>
#include <string.h>

#define OWNER_SECONDS 60.0 // that an owner without tasks is remembered

const TaskRow task_ranks[TASK_RANKS] = {
    [TASK_MOVE] = {4096, 128, 5, 1, 120, 5}, // 128: more than a client has rooms
    [TASK_QUICK] = {256, 8 * TASK_CLIENT, 10, 10, 10, 5},
    [TASK_ASKED] = {256, TASK_CLIENT, 10, 1, TASK_SECONDS, 10},
    [TASK_LONG] = {64, TASK_CLIENT, 120, 30, TASK_SECONDS, 15},
    [TASK_CONTEST] = {32, TASK_CLIENT, 3600, 600, 12 * 3600, 15},
};

// --- owners ---

static TaskOwner *address_of(TaskOwner *o) {
    return o->address ? o->address : o;
}

static TaskOwner *get_owner(Think *t, TaskOwner *address, const char *name, int64_t client) {
    TaskOwner *o = t->owners;
    while (o && (o->address != address || o->client != client || strcmp(o->name, name) != 0))
        o = o->next;
    if (!o && (o = mem_alloc(sizeof *o))) {
        snprintf(o->name, sizeof o->name, "%s", name);
        o->address = address;
        o->client = client;
        o->next = t->owners;
        t->owners = o;
    }
    if (o)
        o->used = now_seconds();
    return o;
}

TaskOwner *owner_find(Think *t, TaskFor who) {
    char name[sizeof t->own.name];
    snprintf(name, sizeof name, "%s", who.address);
    pthread_mutex_lock(&t->lock);
    TaskOwner *address = get_owner(t, NULL, name, 0);
    TaskOwner *owner = address ? get_owner(t, address, "", who.client) : NULL;
    pthread_mutex_unlock(&t->lock);
    return owner;
}

// What the owner of a task has of its rank, and its address with it.
void owner_count(const Task *task, OwnerCount what, int change) {
    for (TaskOwner *o = task->owner; o; o = o->address) {
        o->count[what][task->rank] += change;
        o->used = now_seconds();
    }
}

void owner_runs(Task *task, bool now) {
    if (task->runs != now)
        owner_count(task, OWNS_RUNNING, now ? 1 : -1);
    task->runs = now;
}

static bool has_tasks(const TaskOwner *o) {
    for (int rank = 0; rank < TASK_RANKS; rank++)
        if (o->count[OWNS_ALL][rank])
            return true;
    return false;
}

// Addresses are used whenever their clients are: they are never dropped before them.
void owner_drop(Think *t, double now) {
    for (TaskOwner **link = &t->owners; *link;) {
        TaskOwner *o = *link;
        if (o == &t->own || has_tasks(o) || now - o->used <= OWNER_SECONDS) {
            link = &o->next;
        } else {
            *link = o->next;
            mem_free(o);
        }
    }
}

// --- whose turn it is ---

bool owner_goes_before(const Task *a, const Task *b) {
    uint64_t one = address_of(a->owner)->served, other = address_of(b->owner)->served;
    return one < other || (one == other && a->owner->served < b->owner->served);
}

void owner_served(Think *t, Task *task) {
    t->served++;
    for (TaskOwner *o = task->owner; o && o != &t->own; o = o->address)
        o->served = t->served;
}

bool owner_has_place(const Think *t, const Task *task) {
    const TaskRow *row = &task_ranks[task->rank];
    if (t->queue[task->rank].waiting >= row->most)
        return false;
    return task->owner == &t->own ||
           (task->owner->count[OWNS_ALL][task->rank] < row->own &&
            address_of(task->owner)->count[OWNS_ALL][task->rank] < row->most / TASK_ADDRESS);
}

double owner_turn(const Think *t, const Task *task) {
    const TaskRow *row = &task_ranks[task->rank];
    const TaskOwner *me = task->owner, *home = address_of(task->owner);
    int strangers = 0, neighbours = 0;
    for (const TaskOwner *o = t->owners; o; o = o->next) {
        if (o == me || o->count[OWNS_WAITING][task->rank] == 0)
            continue;
        strangers += !o->address && o != home;
        neighbours += o->address == home;
    }
    if (strangers + neighbours == 0)
        return row->seconds;
    const TaskOwner *whole = strangers ? home : me;
    if (whole->count[OWNS_RUNNING][task->rank] > 1)
        return row->least;
    double turn = row->turn / (strangers + neighbours);
    return turn < row->least ? row->least : turn;
}
