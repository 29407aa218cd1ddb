// mcts_report: what a search has found, from the tree; see mcts.h.
//
// The best move is one that is proven to win, the quickest; else the one with the most visits among
// those that are not proven to lose; and if all lose, the one that lasts longest.
#include "search/mcts.h"

static Value value_of(const MctsShared *s, const MctsNode *n, const MctsEdge *e) {
    Proven proven = MCTS_LOAD(e->proven);
    if (proven)
        return value_of_result(s->player->game, proven & 0xff, n->player, (proven >> 8) + 1);
    uint32_t visits = MCTS_LOAD(e->visits);
    return visits ? (Value)(MCTS_LOAD(e->sum) / (int64_t)visits) : 0;
}

// How the edges of a node are put in order.
typedef struct Order {
    const MctsShared *shared;
    const MctsNode *node;
    Value top; // of the most visited edge without a proof
} Order;

static Order order_of(const MctsShared *s, MctsNode *n) {
    const MctsEdge *edges = mcts_edges(n), *top = NULL;
    for (uint32_t i = 0; i < n->count; i++)
        if (!MCTS_LOAD(edges[i].proven) &&
            (!top || MCTS_LOAD(edges[i].visits) > MCTS_LOAD(top->visits)))
            top = &edges[i];
    return (Order){s, n, top ? value_of(s, n, top) : 0};
}

// Proven draws get no more visits once they are proven: they stand before all open moves or
// behind them, as the best of those promises more or less.
static bool is_better(const Order *o, const MctsEdge *a, const MctsEdge *b) {
    Value va = value_of(o->shared, o->node, a), vb = value_of(o->shared, o->node, b);
    bool known_a = MCTS_LOAD(a->proven), known_b = MCTS_LOAD(b->proven);
    if (value_is_proven(va) || value_is_proven(vb) || (known_a && known_b))
        return va > vb;
    if (known_a)
        return va >= o->top;
    if (known_b)
        return o->top > vb;
    uint32_t na = MCTS_LOAD(a->visits), nb = MCTS_LOAD(b->visits);
    return na > nb || (na == nb && va > vb);
}

static const MctsEdge *best_edge(const MctsShared *s, MctsNode *n) {
    const MctsEdge *edges = mcts_edges(n), *best = edges;
    Order order = order_of(s, n);
    for (uint32_t i = 1; i < n->count; i++)
        if (is_better(&order, &edges[i], best))
            best = &edges[i];
    return best;
}

static void add_line(Mcts *m, const MctsShared *s, SearchResult *result) {
    uint32_t at = m->root;
    result->line_length = 0;
    while (at && result->line_length < SEARCH_MAX_LINE) {
        MctsNode *n = mcts_node(m, at);
        const MctsEdge *best = best_edge(s, n);
        if (MCTS_LOAD(best->visits) == 0 && !MCTS_LOAD(best->proven))
            break;
        result->line[result->line_length++] = mcts_move(m, n, (uint32_t)(best - mcts_edges(n)));
        at = MCTS_LOAD(best->child);
        if (at == MCTS_BUSY)
            break;
    }
}

// The moves of the root, as many as there is room for, best first.
static void add_best(Mcts *m, const MctsShared *s, SearchResult *result) {
    MctsNode *n = mcts_node(m, m->root);
    const MctsEdge *edges = mcts_edges(n), *best[SEARCH_MAX_BEST];
    Order order = order_of(s, n);
    int count = 0;
    for (uint32_t i = 0; i < n->count; i++) {
        int at = count;
        while (at > 0 && is_better(&order, &edges[i], best[at - 1]))
            at--;
        if (at == SEARCH_MAX_BEST)
            continue;
        count += count < SEARCH_MAX_BEST;
        for (int k = count - 1; k > at; k--)
            best[k] = best[k - 1];
        best[at] = &edges[i];
    }
    for (int i = 0; i < count; i++)
        result->best[i] = (Scored){.move = mcts_move(m, n, (uint32_t)(best[i] - edges)),
                                   .value = value_of(s, n, best[i]),
                                   .visits = MCTS_LOAD(best[i]->visits)};
    result->best_count = count;
}

static void add_tried(Mcts *m, SearchVisits *tried) {
    MctsNode *n = mcts_node(m, m->root);
    const MctsEdge *edges = mcts_edges(n);
    tried->count = 0;
    for (uint32_t i = 0; i < n->count; i++) {
        int64_t visits = MCTS_LOAD(edges[i].visits);
        int at = tried->count;
        while (at > 0 && tried->visits[at - 1] < visits)
            at--;
        if (visits == 0 || at == SEARCH_MAX_TRIED)
            continue;
        tried->count += tried->count < SEARCH_MAX_TRIED;
        for (int k = tried->count - 1; k > at; k--) {
            tried->move[k] = tried->move[k - 1];
            tried->visits[k] = tried->visits[k - 1];
        }
        tried->move[at] = mcts_move(m, n, i);
        tried->visits[at] = visits;
    }
}

void mcts_report(Mcts *m, const MctsShared *s, SearchResult *result) {
    if (!m->root)
        return;
    MctsNode *root = mcts_node(m, m->root);
    add_best(m, s, result);
    if (s->task->tried)
        add_tried(m, s->task->tried);
    add_line(m, s, result);
    result->found = true;
    result->move = result->best[0].move;
    result->value = result->best[0].value;
    result->exact = MCTS_LOAD(root->proven) != 0;
}

// --- trace ---

typedef struct Tracer {
    Mcts *mcts;
    const MctsShared *shared;
    Trace *trace;
    uint32_t least; // visits of what is shown
} Tracer;

static void trace_edges(const Tracer *t, MctsNode *n, int parent, int depth) {
    MctsEdge *edges = mcts_edges(n);
    int root = game_player(t->mcts->game, t->shared->root);
    for (uint32_t i = 0; i < n->count; i++) {
        uint32_t visits = MCTS_LOAD(edges[i].visits), child = MCTS_LOAD(edges[i].child);
        if (visits < t->least)
            continue;
        // Values of a trace are those of the player at the root.
        Value value = value_of(t->shared, n, &edges[i]);
        value = n->player == root ? value : -value;
        int at = trace_add(t->trace, parent, mcts_move(t->mcts, n, i), depth);
        bool goes_on = child && child != MCTS_BUSY && at != TRACE_DROPPED;
        if (goes_on && depth < MCTS_MAX_DEPTH)
            trace_edges(t, mcts_node(t->mcts, child), at, depth + 1);
        trace_close(t->trace, at, value, TRACE_TRIALS, visits);
    }
}

void mcts_trace(Mcts *m, const MctsShared *s, Trace *trace) {
    if (!m->root || !trace)
        return;
    MctsNode *root = mcts_node(m, m->root);
    uint32_t least = MCTS_LOAD(root->visits) / 1000;
    Tracer t = {.mcts = m, .shared = s, .trace = trace, .least = least ? least : 1};
    int at = trace_add(trace, TRACE_ROOT, (Move){{0, 0}}, 1);
    trace_edges(&t, root, at, 1);
    trace_close(trace, at, value_of(s, root, best_edge(s, root)), TRACE_INNER, 0);
}
