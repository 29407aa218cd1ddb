// trace_print: a trace as text, as JSON lines and for Graphviz; see trace.h.
#include "search/trace_parts.h"

#include "game/movetext.h"
#include "search/player.h"

#include <stdlib.h>
#include <string.h>

static const struct WhyText {
    const char *name, *text;
} reasons[] = {
#define X(constant, name, explanation) {name, explanation},
    TRACE_WHYS(X)
#undef X
};

// --- what is printed of a node ---

typedef struct Printer {
    const Trace *trace;
    const Game *game;
    Runner *runner;
    uint8_t *states;    // of all nodes
    int *child, *other; // first child, next child of the same parent; -1: none
    Text move;          // of the node asked about last
    Text *out;
} Printer;

static uint8_t *state_of(const Printer *p, int node) {
    return p->states + (size_t)node * (size_t)game_state_size(p->game);
}

static bool is_root(const TraceNode *n) {
    return n->parent == TRACE_ROOT;
}

static bool set_states(Printer *p, const uint8_t *root) {
    for (int i = 0; i < p->trace->count; i++) {
        const TraceNode *n = &p->trace->nodes[i];
        if (is_root(n))
            memcpy(state_of(p, i), root, (size_t)game_state_size(p->game));
        else if (!runner_apply(p->runner, state_of(p, n->parent), n->move, state_of(p, i)))
            return false;
    }
    return true;
}

static void set_children(Printer *p) {
    for (int i = 0; i < p->trace->count; i++)
        p->child[i] = -1;
    for (int i = p->trace->count - 1; i >= 0; i--) { // from the last: lists in order
        const TraceNode *n = &p->trace->nodes[i];
        if (is_root(n))
            continue;
        p->other[i] = p->child[n->parent];
        p->child[n->parent] = i;
    }
}

static bool printer_begin(Printer *p, const Trace *t, Runner *r, const uint8_t *root, Text *out) {
    size_t n = (size_t)t->count + 1;
    *p = (Printer){.trace = t, .game = runner_game(r), .runner = r, .out = out};
    p->states = mem_alloc(n * (size_t)game_state_size(p->game));
    p->child = mem_alloc(n * sizeof *p->child);
    p->other = mem_alloc(n * sizeof *p->other);
    if (!p->states || !p->child || !p->other || !set_states(p, root))
        return false;
    set_children(p);
    return true;
}

static bool printer_end(Printer *p, bool ok) {
    mem_free(p->states);
    mem_free(p->child);
    mem_free(p->other);
    text_free(&p->move);
    return ok && !p->out->failed;
}

static const char *move_of(Printer *p, int node) {
    const TraceNode *n = &p->trace->nodes[node];
    text_clear(&p->move);
    move_text(p->runner, state_of(p, n->parent), n->move, &p->move);
    return text_c(&p->move);
}

static bool maximises(const Printer *p, int node) {
    return game_player(p->game, state_of(p, node)) == game_player(p->game, state_of(p, 0));
}

static bool shows_value(const Printer *p, const TraceNode *n) {
    return n->has_value && !p->trace->ways;
}

void value_describe(Value v, Text *out) {
    if (v > VALUE_WIN || v < -VALUE_WIN)
        text_add(out, v > 0 ? "+inf" : "-inf");
    else if (v >= VALUE_SURE)
        text_f(out, "wins in %d", VALUE_WIN - v);
    else if (v == -VALUE_WIN)
        text_add(out, "lost");
    else if (v <= -VALUE_SURE)
        text_f(out, "loses in %d", VALUE_WIN + v);
    else
        text_f(out, v ? "%+d" : "%d", v);
}

void result_describe(const SearchResult *result, Text *out) {
    if (result->exact && !value_is_proven(result->value))
        text_add(out, result->value == 0 ? "a draw" : "a shared win");
    else
        value_describe(result->value, out);
}

const char *trace_why_name(TraceWhy why) {
    return reasons[why].name;
}

const char *trace_why_text(TraceWhy why) {
    return reasons[why].text;
}

// --- text ---

static void add_reason(const TraceNode *n, Text *out) {
    if (n->why == TRACE_TRIALS)
        text_f(out, "  (%lld trial%s)", (long long)n->left_out, n->left_out == 1 ? "" : "s");
    else if (n->left_out)
        text_f(out, "  (%lld move%s left out%s%s)", (long long)n->left_out,
               n->left_out == 1 ? "" : "s", reasons[n->why].text[0] ? ": " : "",
               reasons[n->why].text);
    else if (reasons[n->why].text[0])
        text_f(out, "  (%s)", reasons[n->why].text);
}

static void text_node(Printer *p, int node) {
    const TraceNode *n = &p->trace->nodes[node];
    if (is_root(n))
        text_f(p->out, n->depth > 0 ? "to depth %d" : "the position", n->depth);
    else
        text_f(p->out, "%*s%s", 2 * n->depth, "", move_of(p, node));
    if (n->has_window) {
        text_f(p->out, "  %s [", maximises(p, node) ? "max" : "min");
        value_describe(n->alpha, p->out);
        text_add(p->out, ", ");
        value_describe(n->beta, p->out);
        text_char(p->out, ']');
    }
    if (n->scout)
        text_add(p->out, "  null window");
    if (n->less)
        text_f(p->out, ", %d less deep", n->less);
    if (shows_value(p, n)) {
        text_add(p->out, "  = ");
        value_describe(n->value, p->out);
    }
    if (n->to_go >= 0 && n->why != TRACE_GOAL)
        text_f(p->out, "  at least %d to go", n->to_go);
    add_reason(n, p->out);
    text_char(p->out, '\n');
}

// Depth-first without recursion: trees may be as deep as a trace is long.
static void text_tree(Printer *p, int root) {
    int node = root;
    for (;;) {
        text_node(p, node);
        if (p->child[node] >= 0) {
            node = p->child[node];
            continue;
        }
        while (node != root && p->other[node] < 0)
            node = p->trace->nodes[node].parent;
        if (node == root)
            return;
        node = p->other[node];
    }
}

bool trace_text(const Trace *t, Runner *r, const uint8_t *root, Text *out) {
    Printer p;
    bool ok = printer_begin(&p, t, r, root, out);
    for (int i = 0; ok && i < t->count; i++)
        if (is_root(&t->nodes[i]))
            text_tree(&p, i);
    if (t->dropped)
        text_f(out, "%lld more position%s not shown\n", (long long)t->dropped,
               t->dropped == 1 ? " is" : "s are");
    else if (!t->count)
        text_add(out, "no tree: there was no search\n");
    return printer_end(&p, ok);
}

// --- JSON ---

static void json_node(Printer *p, int node) {
    const TraceNode *n = &p->trace->nodes[node];
    Text *out = p->out;
    text_f(out, "{\"node\":%d", node);
    if (is_root(n)) {
        text_f(out, ",\"parent\":null,\"to_depth\":%d", n->depth);
    } else {
        text_f(out, ",\"parent\":%d,\"depth\":%d,\"move\":", n->parent, n->depth);
        text_json(out, move_of(p, node));
    }
    text_add(out, ",\"player\":");
    text_json(out, p->game->ir->player[game_player(p->game, state_of(p, node))]);
    text_f(out, ",\"max\":%s", maximises(p, node) ? "true" : "false");
    if (n->has_window)
        text_f(out, ",\"alpha\":%d,\"beta\":%d", n->alpha, n->beta);
    if (n->scout)
        text_f(out, ",\"null_window\":true,\"less_deep\":%d", n->less);
    if (shows_value(p, n))
        text_f(out, ",\"value\":%d", n->value);
    if (n->to_go >= 0)
        text_f(out, ",\"to_go\":%d", n->to_go);
    if (n->left_out)
        text_f(out, ",\"%s\":%lld", n->why == TRACE_TRIALS ? "trials" : "left_out",
               (long long)n->left_out);
    text_f(out, ",\"why\":\"%s\"}\n", reasons[n->why].name);
}

bool trace_json(const Trace *t, Runner *r, const uint8_t *root, Text *out) {
    Printer p;
    bool ok = printer_begin(&p, t, r, root, out);
    for (int i = 0; ok && i < t->count; i++)
        json_node(&p, i);
    text_f(out, "{\"nodes\":%d,\"not_shown\":%lld}\n", t->count, (long long)t->dropped);
    return printer_end(&p, ok);
}

// --- Graphviz ---

// Both DOT and JSON quote strings with a backslash before quotes and backslashes.
static void dot_node(Printer *p, int node) {
    const TraceNode *n = &p->trace->nodes[node];
    Text label = {0};
    if (n->has_window) {
        text_char(&label, '[');
        value_describe(n->alpha, &label);
        text_add(&label, ", ");
        value_describe(n->beta, &label);
        text_add(&label, "] ");
    }
    if (shows_value(p, n))
        value_describe(n->value, &label);
    if (n->to_go >= 0)
        text_f(&label, "%d to go", n->to_go);
    if (n->why != TRACE_INNER)
        text_f(&label, " %s", reasons[n->why].name);
    if (n->left_out)
        text_f(&label, " %lld", (long long)n->left_out);
    bool cut = n->why == TRACE_CUT_HIGH || n->why == TRACE_CUT_LOW || n->why == TRACE_FAR;
    text_f(p->out, "  n%d [shape=%s%s,label=", node, maximises(p, node) ? "box" : "ellipse",
           cut                    ? ",style=dashed"
           : n->why == TRACE_GOAL ? ",style=bold"
                                  : "");
    text_json(p->out, text_c(&label));
    text_add(p->out, "];\n");
    if (!is_root(n)) {
        text_f(p->out, "  n%d -> n%d [label=", n->parent, node);
        text_json(p->out, move_of(p, node));
        text_add(p->out, "];\n");
    }
    text_free(&label);
}

bool trace_dot(const Trace *t, Runner *r, const uint8_t *root, Text *out) {
    Printer p;
    bool ok = printer_begin(&p, t, r, root, out);
    text_add(out, "digraph search {\n  node [fontsize=10];\n  edge [fontsize=10];\n");
    for (int i = 0; ok && i < t->count; i++)
        dot_node(&p, i);
    if (t->dropped)
        text_f(out, "  more [shape=plaintext,label=\"%lld more positions\"];\n",
               (long long)t->dropped);
    text_add(out, "}\n");
    return printer_end(&p, ok);
}
