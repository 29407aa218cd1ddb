// ab_parallel: threads, and the memory of each. They share a table and positions that are split
// (ab_split.c); everything else each has for itself.
#include "search/alphabeta.h"

#include "base/mem.h"

#include <pthread.h>
#include <unistd.h>

#define STACK ((size_t)16 << 20) // of a thread: AB_MAX_PLY calls with room to spare
#define FIRST_MOVES 4096

enum Option { // the bits of PlayerOptions.given
#define X(field, name, kind, usual, least, most, help) OPTION_##field,
    PLAYER_OPTIONS(X)
#undef X
};

// --- threads ---

typedef struct Helper {
    AbThread *thread;
    pthread_t id;
    bool runs;
} Helper;

static void *run(void *with) {
    ab_help(((Helper *)with)->thread);
    return NULL;
}

void ab_run(AlphaBeta *ab, void (*work)(AbThread *)) {
    Helper helper[PLAYER_THREADS];
    pthread_attr_t attributes;
    bool ready = ab->threads > 1 && pthread_attr_init(&attributes) == 0;
    if (ready)
        (void)pthread_attr_setstacksize(&attributes, STACK);
    ab->done = false;
    for (int i = 1; i < ab->threads; i++) { // one that cannot be had is done without
        helper[i] = (Helper){.thread = &ab->thread[i]};
        helper[i].runs = ready && pthread_create(&helper[i].id, &attributes, run, &helper[i]) == 0;
    }
    work(&ab->thread[0]);
    ab_help_no_more(ab);
    for (int i = 1; i < ab->threads; i++)
        if (helper[i].runs)
            pthread_join(helper[i].id, NULL);
    if (ready)
        pthread_attr_destroy(&attributes);
}

// --- memory ---

static int wanted_threads(const PlayerOptions *o) {
    if (o->given >> OPTION_threads & 1)
        return (int)o->threads;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > PLAYER_THREADS ? PLAYER_THREADS : (int)cores;
}

static bool thread_begin(AbThread *t, AlphaBeta *ab, int id) {
    size_t size = (size_t)game_state_size(ab->game);
    t->ab = ab;
    t->id = id;
    t->runner = runner_new(ab->game);
    t->states = mem_alloc(size * AB_MAX_PLY);
    t->plies = mem_alloc(sizeof *t->plies * AB_MAX_PLY);
    t->history = mem_alloc(sizeof *t->history * 2);
    t->counter = mem_alloc(sizeof *t->counter * AB_HISTORY);
    t->lines = mem_alloc(sizeof *t->lines * AB_LINE);
    bool prefers = player_prefers(ab->player), slow = evaluation_is_slow(ab->player->evaluation);
    t->estimates = slow ? mem_alloc(sizeof *t->estimates * AB_ESTIMATES) : NULL;
    t->reasoner = prefers ? reasoner_new(ab->player->knowledge) : NULL;
    return ab_frontier_begin(t) && ab_split_begin(t) && t->runner && (t->reasoner || !prefers) &&
           (t->estimates || !slow) && t->states && t->plies && t->history && t->counter &&
           t->lines && ab_make_room(t, FIRST_MOVES);
}

bool ab_threads_begin(AlphaBeta *ab) {
    ab->threads = wanted_threads(&ab->player->options);
    ab->thread = mem_alloc(sizeof *ab->thread * (size_t)ab->threads);
    bool ok = ab->thread != NULL;
    for (int i = 0; i < ab->threads && ok; i++)
        ok = thread_begin(&ab->thread[i], ab, i);
    return ok;
}

void ab_threads_end(AlphaBeta *ab) {
    for (int i = 0; i < ab->threads && ab->thread; i++) {
        AbThread *t = &ab->thread[i];
        ab_split_end(t);
        runner_free(t->runner);
        reasoner_free(t->reasoner);
        mem_free(t->states);
        mem_free(t->front);
        mem_free(t->plies);
        mem_free(t->moves);
        mem_free(t->scores);
        mem_free(t->hashes);
        mem_free(t->order);
        mem_free(t->history);
        mem_free(t->counter);
        mem_free(t->lines);
        mem_free(t->estimates);
        mem_free(t->root);
    }
    mem_free(ab->thread);
}
