// trace_parts: the inside of a Trace, for trace.c and trace_print.c.
#ifndef LUDENS_TRACE_PARTS_H
#define LUDENS_TRACE_PARTS_H

#include "search/trace.h"

struct Trace {
    TraceNode *nodes; // parents before their children
    int count, cap, most;
    int64_t dropped;
    bool ways;
};

#endif
