// think: the threads and their queues; see think.h.
//
//     loop: task_begin ──► queue of the rank ──► thread: run ──► ready ──hub_post──► loop: end
//                                                  └── news ──► ready ──hub_post──► loop: push
#include "server/think_parts.h"

#include "base/mem.h"
#include "base/now.h"
#include "server/parts.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CONTESTS_MOST 8 // that run: there are so many archives (WATCH_OWNS)
#define LOOK_MS 200     // between two looks at who has had its turn
#define THREADS_MOST 64

Think *hub_think(Hub *hub) {
    return *hub_slot(hub, PART_think);
}

// --- telling the loop ---

static void take_up(Hub *hub, void *with);

// Under the lock. If there is no memory to post, think_tick looks soon.
static void make_ready(Task *task) {
    Think *t = task->think;
    if (!task->ready) {
        task->ready = true;
        task->next_ready = NULL;
        *(t->ready ? &t->ready_last->next_ready : &t->ready) = task;
        t->ready_last = task;
    }
    if (!t->posted)
        t->posted = hub_post(t->hub, take_up, NULL);
}

void task_news(Task *task, const char *members) {
    Think *t = task->think;
    pthread_mutex_lock(&t->lock);
    text_clear(&task->news);
    text_add(&task->news, members);
    task->has_news = !task->news.failed;
    make_ready(task);
    pthread_mutex_unlock(&t->lock);
}

static void push(Task *task, const char *members, bool done) {
    if (!task->client)
        return;
    Text out = {0};
    text_f(&out, "\"task\":%lld,%s%s\"done\":%s", (long long)task->number, members,
           members[0] ? "," : "", done ? "true" : "false");
    if (!out.failed)
        client_push(task->client, "task", text_c(&out));
    text_free(&out);
}

void task_done(Task *task, const char *members) {
    push(task, members, true);
}

void task_failed(Task *task, const char *why) {
    Text out = {0};
    text_add(&out, "\"code\":\"failed\",\"error\":");
    text_json(&out, why);
    push(task, text_c(&out), true);
    text_free(&out);
}

// The loop's thread, in which alone tasks go.
static void free_task(Task *task) {
    Think *t = task->think;
    *(task->before ? &task->before->after : &t->tasks) = task->after;
    if (task->after)
        task->after->before = task->before;
    pthread_mutex_lock(&t->lock);
    owner_count(task, OWNS_ALL, -1);
    pthread_mutex_unlock(&t->lock);
    text_free(&task->news);
    mem_free(task);
}

static void finish(Task *task) {
    task->end(task->think->hub, task, task->with);
    free_task(task);
}

static void take_up(Hub *hub, void *with) {
    Think *t = hub_think(hub);
    (void)with;
    if (!t) // it ended meanwhile
        return;
    pthread_mutex_lock(&t->lock);
    t->posted = false;
    for (Task *task; (task = t->ready);) {
        t->ready = task->next_ready;
        task->ready = false;
        Text news = task->news;
        bool has_news = task->has_news, finished = task->finished;
        task->news = (Text){0};
        task->has_news = false;
        pthread_mutex_unlock(&t->lock);
        if (has_news)
            push(task, text_c(&news), false);
        text_free(&news);
        if (finished)
            finish(task);
        pthread_mutex_lock(&t->lock);
    }
    pthread_mutex_unlock(&t->lock);
}

// --- the threads ---

// Takes a task that waits out of the queue; under the lock. False: it is not there.
static bool take_out(Think *t, Task *task) {
    RankQueue *q = &t->queue[task->rank];
    Task *before = NULL;
    for (Task **at = &q->first; *at; before = *at, at = &(*at)->next)
        if (*at == task) {
            *at = task->next;
            task->next = NULL;
            q->last = q->last == task ? before : q->last;
            q->waiting--;
            owner_count(task, OWNS_WAITING, -1);
            return true;
        }
    return false;
}

// Of those that wait, the one whose turn it is; under the lock.
static Task *take_task(Think *t, RankQueue *q) {
    Task *best = q->first;
    for (Task *i = best->next; i; i = i->next)
        if (owner_goes_before(i, best))
            best = i;
    take_out(t, best);
    owner_runs(best, true);
    owner_served(t, best);
    return best;
}

static void *think(void *with) {
    Thinker *me = with;
    Think *t = me->think;
    RankQueue *q = &t->queue[me->rank];
    // Of this thread alone, and of those it will start. Failing does no harm.
    (void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), task_ranks[me->rank].nice);
    pthread_mutex_lock(&t->lock);
    for (;;) {
        while (!q->first && !t->closing)
            pthread_cond_wait(&q->work, &t->lock);
        if (t->closing)
            break;
        Task *task = take_task(t, q);
        task->began = now_seconds();
        pthread_mutex_unlock(&t->lock);
        if (!atomic_load(&task->stop))
            task->run(task, task->with);
        pthread_mutex_lock(&t->lock);
        owner_runs(task, false);
        task->finished = true;
        make_ready(task);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

// --- tasks ---

static bool add_waiting(Think *t, Task *task) {
    RankQueue *q = &t->queue[task->rank];
    pthread_mutex_lock(&t->lock);
    bool ok = owner_has_place(t, task);
    if (ok) {
        *(q->first ? &q->last->next : &q->first) = task;
        q->last = task;
        q->waiting++;
        owner_count(task, OWNS_ALL, 1);
        owner_count(task, OWNS_WAITING, 1);
        pthread_cond_signal(&q->work);
    }
    pthread_mutex_unlock(&t->lock);
    return ok;
}

static Task *begin_task(Think *t, TaskOwner *owner, Client *client, TaskRank rank, TaskRun *run,
                        TaskEnd *end, void *with) {
    Task *task = t->ending || !owner ? NULL : mem_alloc(sizeof *task);
    if (!task)
        return NULL;
    task->think = t;
    task->number = t->last_number + 1;
    task->rank = rank;
    task->client = client;
    task->owner = owner;
    task->run = run;
    task->end = end;
    task->with = with;
    // Before it is run: the thread may be quick, but only the loop looks at this list.
    task->after = t->tasks;
    if (!add_waiting(t, task)) {
        mem_free(task);
        return NULL;
    }
    if (t->tasks)
        t->tasks->before = task;
    t->tasks = task;
    t->last_number++;
    return task;
}

Task *task_begin(Think *t, Client *client, TaskRank rank, TaskRun *run, TaskEnd *end, void *with) {
    TaskFor who = {0};
    if (client)
        who = (TaskFor){client_address(client), client_number(client)};
    return begin_task(t, client ? owner_find(t, who) : &t->own, client, rank, run, end, with);
}

Task *task_begin_for(Think *t, TaskFor who, TaskRank rank, TaskRun *run, TaskEnd *end, void *with) {
    return begin_task(t, owner_find(t, who), NULL, rank, run, end, with);
}

int64_t task_number(const Task *task) {
    return task->number;
}

const atomic_bool *task_stop(const Task *task) {
    return &task->stop;
}

Client *task_client(const Task *task) {
    return task->client;
}

void task_cancel(Task *task) {
    Think *t = task->think;
    pthread_mutex_lock(&t->lock);
    atomic_store(&task->stop, true);
    owner_runs(task, false);
    if (take_out(t, task)) {
        task->finished = true;
        make_ready(task);
    }
    pthread_mutex_unlock(&t->lock);
}

Task *task_find(Think *t, const Client *client, int64_t number) {
    for (Task *i = t->tasks; i; i = i->after)
        if (i->number == number && i->client == client)
            return i;
    return NULL;
}

void think_leave(Hub *hub, Client *c) {
    Think *t = hub_think(hub);
    for (Task *i = t ? t->tasks : NULL; i; i = i->after) {
        if (i->client != c)
            continue;
        i->client = NULL;
        task_cancel(i);
    }
}

// --- whose turn it is ---

static void stop_those_whose_turn_is_over(Think *t, double now) {
    for (Task *i = t->tasks; i; i = i->after)
        if (i->runs && now - i->began > owner_turn(t, i)) {
            atomic_store(&i->stop, true);
            owner_runs(i, false);
        }
}

int think_tick(Hub *hub, double now) {
    Think *t = hub_think(hub);
    bool lost; // something is ready, but there was no memory to tell so
    if (!t)
        return -1;
    pthread_mutex_lock(&t->lock);
    stop_those_whose_turn_is_over(t, now);
    owner_drop(t, now);
    lost = t->ready && !t->posted;
    pthread_mutex_unlock(&t->lock);
    if (lost)
        take_up(hub, NULL);
    thoughts_tick(t, now);
    return t->tasks ? LOOK_MS : 5000;
}

// --- beginning and ending ---

static int threads_of(TaskRank rank, int n) {
    switch (rank) {
    case TASK_QUICK: return n > 4 ? 4 : n < 2 ? 2 : n;
    case TASK_LONG: return n / 2 > 2 ? n / 2 : 2; // a short study does not wait for a long one
    case TASK_CONTEST: return n > 2 * CONTESTS_MOST ? CONTESTS_MOST : n > 4 ? n / 2 : 2;
    default: return n;
    }
}

static bool start(Think *t, int n, Text *why) {
    sigset_t all, before;
    sigfillset(&all); // signals are for the program's own thread
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = 0;
    for (int rank = 0; rank < TASK_RANKS; rank++)
        for (int i = 0; error == 0 && i < threads_of((TaskRank)rank, n); i++) {
            Thinker *one = &t->thinker[t->thinkers];
            *one = (Thinker){.think = t, .rank = (TaskRank)rank};
            error = pthread_create(&one->thread, NULL, think, one);
            t->thinkers += error == 0;
        }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        text_add(why, "cannot start threads");
    return error == 0;
}

Think *think_new(Hub *hub, int threads, Text *why) {
    int n = threads > 0 ? threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
    n = n < 1 ? 1 : n > THREADS_MOST ? THREADS_MOST : n;
    Think *t = mem_alloc(sizeof *t);
    size_t most = (size_t)TASK_RANKS * (size_t)(n + 2);
    if (!t) {
        text_add(why, "out of memory");
        return NULL;
    }
    t->hub = hub;
    t->owners = &t->own;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->made, NULL);
    for (int i = 0; i < TASK_RANKS; i++)
        pthread_cond_init(&t->queue[i].work, NULL);
    t->thinker = mem_alloc(sizeof *t->thinker * most);
    t->making = mem_alloc(sizeof *t->making * most);
    if (!t->thinker || !t->making)
        text_add(why, "out of memory");
    if (t->thinker && t->making && thoughts_begin(t, why) && start(t, n, why))
        return t;
    think_free(t);
    return NULL;
}

void think_free(Think *t) {
    if (!t)
        return;
    t->ending = true;
    pthread_mutex_lock(&t->lock);
    t->closing = true;
    for (Task *i = t->tasks; i; i = i->after)
        atomic_store(&i->stop, true);
    for (int i = 0; i < TASK_RANKS; i++)
        pthread_cond_broadcast(&t->queue[i].work);
    pthread_cond_broadcast(&t->made);
    pthread_mutex_unlock(&t->lock);
    for (int i = 0; i < t->thinkers; i++)
        pthread_join(t->thinker[i].thread, NULL);
    while (t->tasks)
        finish(t->tasks);
    thoughts_end(t);
    owner_drop(t, INFINITY);
    for (int i = 0; i < TASK_RANKS; i++)
        pthread_cond_destroy(&t->queue[i].work);
    pthread_cond_destroy(&t->made);
    pthread_mutex_destroy(&t->lock);
    mem_free(t->thinker);
    mem_free(t->making);
    mem_free(t);
}

bool think_begin(Hub *hub, Text *why) {
    *hub_slot(hub, PART_think) = think_new(hub, hub_options(hub)->threads, why);
    return hub_think(hub) != NULL;
}

void think_end(Hub *hub) {
    think_free(hub_think(hub));
    *hub_slot(hub, PART_think) = NULL;
}
