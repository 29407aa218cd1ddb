// ab_trace: what the strong alpha-beta tells a trace (trace.h). Only the first thread does. Values
// and windows of a trace are those of the side that is asked.
#include "search/alphabeta.h"

static bool is_max(const AbThread *t, int ply) {
    return ab_side(t->ab, ab_state(t, ply)) == ab_side(t->ab, ab_state(t, 0));
}

void ab_trace_root(AbThread *t, int depth, Value alpha, Value beta) {
    if (!t->trace)
        return;
    t->plies[0].node = trace_add(t->trace, TRACE_ROOT, (Move){{0, 0}}, depth);
    trace_window(t->trace, t->plies[0].node, alpha, beta);
}

void ab_trace_enter(AbThread *t, int ply, int less, Value alpha, Value beta) {
    if (!t->trace)
        return;
    AbPly *next = &t->plies[ply + 1];
    bool max = is_max(t, ply);
    next->node = trace_add(t->trace, t->plies[ply].node, next->played, ply + 1);
    trace_window(t->trace, next->node, max ? alpha : -beta, max ? beta : -alpha);
    if (beta - alpha == 1)
        trace_scout(t->trace, next->node, less);
}

void ab_trace_leave(AbThread *t, int ply, Value value) {
    if (t->trace && !ab_stopped(t))
        trace_close(t->trace, t->plies[ply + 1].node, is_max(t, ply) ? value : -value, TRACE_INNER,
                    0);
}

void ab_trace_why(AbThread *t, int ply, TraceWhy why, int left_out) {
    if (!t->trace)
        return;
    if (why == TRACE_CUT_HIGH && !is_max(t, ply))
        why = TRACE_CUT_LOW;
    trace_close(t->trace, t->plies[ply].node, 0, why, left_out);
}
