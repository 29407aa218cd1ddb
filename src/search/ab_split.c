// ab_split: several threads at one position.
//
// The first thread deepens. Where it has searched a move of a position that did not cut the others
// off, chances are that no move will, and all of them have to be searched: the position is split,
// if some thread has nothing to do. Owner and helpers take one move after the other and raise one
// common window. If a move turns out too good, all leave at once (young brothers wait).
//
//     owner      ... ply - 1, ply: a split with the moves that are left
//                                 \__ ply + 1 ... the owner goes on below, and may split again
//     helper     a copy of the path to ply, then  \__ ply + 1 ... its own way
//
// An owner that finds no more moves waits for its helpers. Meanwhile it helps, but only below its
// own split: there its path is the one it has, and what it waits for is over sooner.
//
// One lock is for all splits. They are few, for near the leaves nothing is split; a thread that
// looks for work counts what is new without the lock, and sleeps after a while.
#include "search/alphabeta.h"

#include "base/mem.h"

#include <sched.h>
#include <string.h>

#define SPIN 60000 // looks for news before a thread goes to sleep: about a millisecond

typedef struct SplitMove {
    AbTry try;
    size_t at; // its place in the owner's list
} SplitMove;

// All but `move`, `count` and what the owner was given belong to the lock.
struct AbSplit {
    AbThread *owner;
    AbSplit *above;  // the split that the owner itself works for, or NULL
    AbSplit *next;   // open ones
    AbNode *node;    // the owner's
    SplitMove *move; // those that are left, best first
    int count, cap;
    int taken;        // the first that nobody has taken
    int *back;        // moves that a helper could not search to the end
    int backs;        //   because its limits were reached
    int helpers;      // others who are at some move
    bool open;        // what the value of the move that was too good rests on,
    int32_t path;     //   as in AbThread
    atomic_bool over; // a move was too good, or the owner has to stop
};

// --- beginning and ending ---

bool ab_split_begin(AbThread *t) {
    t->splits = mem_alloc(sizeof *t->splits * AB_SPLITS);
    for (int i = 0; t->splits && i < AB_SPLITS; i++)
        if (!(t->splits[i].back = mem_alloc(sizeof(int) * PLAYER_THREADS)))
            return false;
    return t->splits != NULL;
}

void ab_split_end(AbThread *t) {
    for (int i = 0; t->splits && i < AB_SPLITS; i++) {
        mem_free(t->splits[i].move);
        mem_free(t->splits[i].back);
    }
    mem_free(t->splits);
}

// --- news ---

static void tell_news(AlphaBeta *ab) {
    atomic_fetch_add_explicit(&ab->news, 1, memory_order_release);
    if (ab->asleep > 0)
        pthread_cond_broadcast(&ab->wake);
}

// Gives up the lock until there is something new.
static void wait_for_news(AlphaBeta *ab) {
    unsigned seen = atomic_load_explicit(&ab->news, memory_order_relaxed);
    atomic_fetch_add_explicit(&ab->idle, 1, memory_order_relaxed);
    pthread_mutex_unlock(&ab->lock);
    for (int i = 0; i < SPIN; i++) {
        if (atomic_load_explicit(&ab->news, memory_order_acquire) != seen)
            break;
        if (i % 64 == 63)
            sched_yield(); // others may need the processor
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
    pthread_mutex_lock(&ab->lock);
    ab->asleep++;
    while (atomic_load_explicit(&ab->news, memory_order_relaxed) == seen)
        pthread_cond_wait(&ab->wake, &ab->lock);
    ab->asleep--;
    atomic_fetch_sub_explicit(&ab->idle, 1, memory_order_relaxed);
}

// --- one split, under the lock ---

bool ab_split_is_over(const AbSplit *s) {
    for (; s; s = s->above)
        if (atomic_load_explicit(&s->over, memory_order_relaxed))
            return true;
    return false;
}

// A move that is to be searched, or -1.
static int take(AbSplit *s) {
    if (atomic_load_explicit(&s->over, memory_order_relaxed))
        return -1;
    if (s->backs > 0)
        return s->back[--s->backs];
    if (s->taken == s->count)
        return -1;
    if (ab_is_enough(s->node, s->move[s->taken].try.turn)) {
        s->node->open = true;
        s->taken = s->count;
        return -1;
    }
    return s->taken++;
}

static void note(AbSplit *s, AbThread *t, const SplitMove *m, Value value, int64_t nodes) {
    AbNode *n = s->node;
    if (atomic_load_explicit(&s->over, memory_order_relaxed))
        return;
    ab_note(n, &m->try, m->at, value, t, nodes);
    if (n->alpha >= n->beta) {
        s->open = t->open;
        s->path = t->path;
        atomic_store_explicit(&s->over, true, memory_order_relaxed);
    }
}

// Searches moves of the split as long as there are some.
static void work(AbSplit *s, AbThread *t) {
    AlphaBeta *ab = t->ab;
    AbSplit *before = t->split;
    AbNode n = *s->node;
    n.t = t;
    t->split = s;
    for (int i; !ab_stopped(t) && (i = take(s)) >= 0;) {
        const SplitMove *m = &s->move[i];
        n.alpha = s->node->alpha;
        int64_t nodes = t->clock.nodes;
        pthread_mutex_unlock(&ab->lock);
        Value value = ab_try(&n, &m->try);
        pthread_mutex_lock(&ab->lock);
        if (!ab_stopped(t))
            note(s, t, m, value, t->clock.nodes - nodes);
        else if (!t->cut)
            s->back[s->backs++] = i;
    }
    t->split = before;
    t->cut = ab_split_is_over(before);
}

// --- helpers ---

static bool is_below(const AbSplit *s, const AbSplit *above) {
    while (s && s != above)
        s = s->above;
    return s == above;
}

// The split with most to do, of those below `above`; NULL: there is none.
static AbSplit *find(const AlphaBeta *ab, const AbSplit *above) {
    AbSplit *best = NULL;
    for (AbSplit *s = ab->open_splits; s; s = s->next)
        if ((s->taken < s->count || s->backs > 0) && s != above && is_below(s, above) &&
            (!best || s->node->depth > best->node->depth) && !ab_split_is_over(s))
            best = s;
    return best;
}

// The path to a split does not change while somebody helps. The beginning of it is that of `own`,
// and what does not depend on the path is known there.
static void copy_path(AbThread *t, const AbSplit *s, const AbSplit *own) {
    const AbThread *from = s->owner;
    int first = own ? own->node->ply + 1 : 0, ply = s->node->ply;
    size_t size = (size_t)game_state_size(t->ab->game);
    memcpy(ab_state(t, first), ab_state(from, first), size * (size_t)(ply + 1 - first));
    for (int i = first; i <= ply; i++) {
        t->plies[i].hash = from->plies[i].hash;
        t->plies[i].move = from->plies[i].move;
    }
    if (!own) {
        t->iteration = from->iteration;
        t->plain = from->plain;
    }
}

// `own` is the split that the thread itself waits for, or NULL.
static void help(AbSplit *s, AbThread *t, const AbSplit *own) {
    AlphaBeta *ab = t->ab;
    int64_t before = t->clock.nodes;
    s->helpers++;
    pthread_mutex_unlock(&ab->lock);
    copy_path(t, s, own);
    pthread_mutex_lock(&ab->lock);
    work(s, t);
    s->helpers--;
    if (t->id > 0)
        atomic_fetch_add_explicit(&ab->helped, t->clock.nodes - before, memory_order_relaxed);
    tell_news(ab);
}

void ab_help(AbThread *t) {
    AlphaBeta *ab = t->ab;
    pthread_mutex_lock(&ab->lock);
    while (!ab->done && !ab_stopped(t)) {
        AbSplit *s = find(ab, NULL);
        if (s)
            help(s, t, NULL);
        else
            wait_for_news(ab);
    }
    pthread_mutex_unlock(&ab->lock);
}

void ab_help_no_more(AlphaBeta *ab) {
    pthread_mutex_lock(&ab->lock);
    ab->done = true;
    tell_news(ab);
    pthread_mutex_unlock(&ab->lock);
}

// --- the owner ---

// The moves that are left, in their order. False without memory: then nothing is split.
static bool fill(AbSplit *s, AbNode *n) {
    AbThread *t = n->t;
    int left = n->list.count - n->list.next;
    if (left > s->cap) {
        SplitMove *move = mem_resize(s->move, sizeof *move * (size_t)left);
        if (!move)
            return false;
        s->move = move;
        s->cap = left;
    }
    s->count = left;
    for (int i = 0; i < left; i++) {
        int turn = n->list.next;
        size_t at = ab_order_next(t, &n->list);
        s->move[i] = (SplitMove){ab_try_at(t, at, turn), at};
    }
    return true;
}

static void open_split(AlphaBeta *ab, AbSplit *s, AbNode *n) {
    s->owner = n->t;
    s->above = n->t->split;
    s->node = n;
    s->taken = s->backs = s->helpers = 0;
    atomic_store_explicit(&s->over, false, memory_order_relaxed);
    s->next = ab->open_splits;
    ab->open_splits = s;
    tell_news(ab);
}

static void close_split(AlphaBeta *ab, AbSplit *s) {
    AbSplit **at = &ab->open_splits;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
}

static void wait_for_helpers(AbSplit *s, AbThread *t) {
    while (s->helpers > 0) {
        AbSplit *below = ab_stopped(t) ? NULL : find(t->ab, s);
        if (below)
            help(below, t, s);
        else
            wait_for_news(t->ab);
    }
}

bool ab_split(AbNode *n) {
    AbThread *t = n->t;
    AlphaBeta *ab = t->ab;
    AbSplit *s = &t->splits[t->split_count];
    int first = n->list.next;
    if (!fill(s, n))
        return false;
    t->split_count++;
    pthread_mutex_lock(&ab->lock);
    open_split(ab, s, n);
    do {
        work(s, t);
        if (ab_stopped(t))
            atomic_store_explicit(&s->over, true, memory_order_relaxed);
        wait_for_helpers(s, t);
    } while (!ab_stopped(t) && !atomic_load(&s->over) && s->backs > 0);
    // Meanwhile a split above may have been settled: helpers have dropped their moves then.
    t->cut = t->cut || ab_split_is_over(t->split);
    close_split(ab, s);
    pthread_mutex_unlock(&ab->lock);
    t->split_count--;
    n->list.next = first + s->taken;
    if (n->alpha >= n->beta) {
        t->open = s->open;
        t->path = s->path;
    }
    return true;
}
