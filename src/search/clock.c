// clock: when a search has to stop; see player.h.
#include "search/player.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define QUICK 0.0002 // seconds between two looks at the time that are too few,
#define SLOW 0.002   //   and too many
#define STEP_MOST 1024

static double now(bool cpu) {
    struct timespec t;
    clock_gettime(cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void clock_start(Clock *c, const Player *p, const SearchTask *task) {
    double seconds = player_seconds(p, task);
    const char *which = getenv("LUDENS_CLOCK");
    bool cpu = which && strcmp(which, "cpu") == 0;
    *c = (Clock){
        .begin = now(cpu), .cpu = cpu, .node_limit = player_nodes(p, task), .stop = task->stop};
    c->until = seconds > 0 ? c->begin + seconds : 0;
    c->looked = c->begin;
    c->step = 1;
}

// Looks at the time. The step to the next look doubles as long as looks come in quick succession.
static bool is_late(Clock *c) {
    double time = now(c->cpu), since = time - c->looked;
    c->calls = 0;
    c->looked = time;
    if (since > SLOW)
        c->step = 1;
    else if (since < QUICK && c->step < STEP_MOST)
        c->step *= 2;
    return time >= c->until;
}

bool clock_look(Clock *c) {
    if (c->over)
        return true;
    bool stopped = c->stop && atomic_load_explicit(c->stop, memory_order_relaxed);
    bool late = c->until > 0 && ++c->calls >= c->step && is_late(c);
    c->over = stopped || late;
    return c->over;
}

bool clock_count(Clock *c, int n) {
    c->nodes += n;
    if (c->node_limit && c->nodes > c->node_limit)
        c->over = true;
    return clock_look(c);
}

int clock_most(const Clock *c, int n) {
    if (c->until > 0 && n > c->step) // where they take long, the time is looked at sooner
        n = c->step;
    bool past = c->node_limit && c->nodes + n > c->node_limit;
    return !past ? n : c->nodes >= c->node_limit ? 1 : (int)(c->node_limit - c->nodes + 1);
}

bool clock_over(Clock *c) {
    return clock_count(c, 1);
}

double clock_seconds(const Clock *c) {
    return now(c->cpu) - c->begin;
}
