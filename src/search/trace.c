// trace: keeps nodes; see trace.h. How they are shown is in trace_print.c.
#include "search/trace_parts.h"

#define FIRST_NODES 256

Trace *trace_new(int most) {
    Trace *t = mem_alloc(sizeof *t);
    if (t)
        t->most = most;
    return t;
}

void trace_free(Trace *t) {
    if (!t)
        return;
    mem_free(t->nodes);
    mem_free(t);
}

static bool make_room(Trace *t) {
    if (t->count < t->cap)
        return true;
    int cap = t->cap ? 2 * t->cap : FIRST_NODES;
    TraceNode *grown = mem_resize(t->nodes, sizeof *grown * (size_t)cap);
    if (!grown)
        return false;
    t->nodes = grown;
    t->cap = cap;
    return true;
}

// Nodes below one that was not kept are not kept either.
int trace_add(Trace *t, int parent, Move move, int depth) {
    if (!t)
        return TRACE_DROPPED;
    if (parent == TRACE_DROPPED || t->count >= t->most || !make_room(t)) {
        t->dropped++;
        return TRACE_DROPPED;
    }
    t->nodes[t->count] = (TraceNode){.parent = parent, .move = move, .depth = depth, .to_go = -1};
    return t->count++;
}

void trace_ways(Trace *t) {
    if (t)
        t->ways = true;
}

void trace_window(Trace *t, int node, Value alpha, Value beta) {
    if (!t || node < 0)
        return;
    t->nodes[node].has_window = true;
    t->nodes[node].alpha = alpha;
    t->nodes[node].beta = beta;
}

void trace_scout(Trace *t, int node, int less) {
    if (!t || node < 0)
        return;
    t->nodes[node].scout = true;
    t->nodes[node].less = less;
}

void trace_to_go(Trace *t, int node, int moves) {
    if (t && node >= 0)
        t->nodes[node].to_go = moves;
}

void trace_close(Trace *t, int node, Value value, TraceWhy why, int64_t left_out) {
    if (!t || node < 0)
        return;
    TraceNode *n = &t->nodes[node];
    n->value = value;
    n->has_value = true;
    if (n->why == TRACE_OPEN) // the reason that came first
        n->why = why;
    if (left_out)
        n->left_out = left_out;
}

const TraceNode *trace_node(const Trace *t, int node) {
    return &t->nodes[node];
}

bool trace_has_values(const Trace *t) {
    return !t->ways;
}

int trace_count(const Trace *t, int64_t *dropped) {
    *dropped = t->dropped;
    return t->count;
}
