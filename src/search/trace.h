// trace: the tree that a search walked, to look at.
//
// A search adds a node for every position it comes to and closes it with what it found out. Only
// the first `most` nodes are kept; the others are counted. All functions take NULL for "nobody
// looks" and TRACE_DROPPED for a node that was not kept. Printing plays the moves again from the
// root.
#ifndef LUDENS_TRACE_H
#define LUDENS_TRACE_H

#include "search/search.h"

// Why there is nothing below a node, or less than there could be. X(constant, name, explanation)
#define TRACE_WHYS(X)                                                                              \
    X(TRACE_OPEN, "open", "not finished when the search ended")                                    \
    X(TRACE_INNER, "inner", "")                                                                    \
    X(TRACE_OVER, "over", "the game is over")                                                      \
    X(TRACE_REPEATED, "repeated", "a draw by repetition")                                          \
    X(TRACE_ESTIMATE, "estimate", "as deep as wanted: the heuristic's value")                      \
    X(TRACE_CUT_HIGH, "beta", "at least beta: min has as good or better elsewhere")                \
    X(TRACE_CUT_LOW, "alpha", "at most alpha: max has as good or better elsewhere")                \
    X(TRACE_WIN, "win", "a win at once")                                                           \
    X(TRACE_GUESS, "guess", "the heuristic's value is far outside the window")                     \
    X(TRACE_TABLE, "table", "known from the table")                                                \
    X(TRACE_SEEN, "seen", "this position was reached before, in no more moves")                    \
    X(TRACE_FAR, "far", "moves so far and moves to go are more than allowed")                      \
    X(TRACE_GOAL, "goal", "the goal")                                                              \
    X(TRACE_TRIALS, "trials", "random games")

typedef enum TraceWhy {
#define X(constant, name, explanation) constant,
    TRACE_WHYS(X)
#undef X
} TraceWhy;

// In place of a parent: the root of a tree; a search may walk several, one after the other.
#define TRACE_ROOT (-1)
#define TRACE_DROPPED (-2)

typedef struct TraceNode {
    int parent;
    Move move; // that leads here; of a root nothing
    TraceWhy why;
    bool has_window, has_value;
    Value alpha, beta, value;
    int64_t left_out; // moves that were not looked at
    bool scout;       // the question is only whether it is better than alpha (a null window),
    int less;         //   and at first so many moves less far
    int depth;        // roots: how deep this tree may go; others: distance from the root
    int to_go;        // puzzles: how many moves are needed at least; -1: not asked
} TraceNode;

Trace *trace_new(int most); // NULL when out of memory
void trace_free(Trace *t);
int trace_add(Trace *t, int parent, Move move, int depth);
void trace_ways(Trace *t); // it is about ways to a goal: values mean nothing
void trace_window(Trace *t, int node, Value alpha, Value beta);
void trace_scout(Trace *t, int node, int less);
void trace_to_go(Trace *t, int node, int moves);
void trace_close(Trace *t, int node, Value value, TraceWhy why, int64_t left_out);
int trace_count(const Trace *t, int64_t *dropped); // nodes that were kept
// A node that was kept; parents come before their children, in the order they were walked.
const TraceNode *trace_node(const Trace *t, int node);
bool trace_has_values(const Trace *t);    // false: see trace_ways
const char *trace_why_name(TraceWhy why); // one word
const char *trace_why_text(TraceWhy why); // the explanation; may be ""

// `root` is the position that was searched. False if the rules fail or memory is short.
bool trace_text(const Trace *t, Runner *r, const uint8_t *root, Text *out);
bool trace_json(const Trace *t, Runner *r, const uint8_t *root, Text *out); // a line a node
bool trace_dot(const Trace *t, Runner *r, const uint8_t *root, Text *out);  // Graphviz

// A value as people read it: `+12`, `wins in 3`, `loses in 4`, `-inf`.
void value_describe(Value v, Text *out);
// The same of what a search has found: proven draws, too.
void result_describe(const SearchResult *result, Text *out);

#endif
