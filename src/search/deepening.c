// deepening: alpha-beta to depth 1, then to depth 2, and so on.
//
// The step from ordered.c: the best line of one depth is looked at first in the next. Searching
// again costs little, since each depth is several times the work of the one before, and it brings
// two things: a better order of moves, and a good answer at any time. So the search can end by the
// clock instead of by the depth.
//
// The next step is table.c, which remembers more than one line.
#include "search/order.h"

static Value deepening(Tree *t, int depth, Value alpha, Value beta, bool on_line) {
    Value value;
    tree_window(t, alpha, beta);
    if (tree_is_over(t, &value))
        return value;
    if (depth == 0)
        return tree_estimate(t);
    bool max = tree_maximises(t);
    Value best = max ? -VALUE_INFINITE : VALUE_INFINITE;
    MoveList moves = tree_moves(t);
    if (depth > 1)
        order_by_worth(t, &moves);
    on_line = on_line && t->ply < t->last_line.length;
    if (on_line)
        order_first(t, &moves, t->last_line.move[t->ply]);
    for (int i = 0; i < moves.count && !tree_stopped(t); i++) {
        Move move = tree_move(t, &moves, i);
        tree_play(t, move);
        value = deepening(t, depth - 1, alpha, beta, on_line && i == 0);
        tree_undo(t, value);
        if (tree_stopped(t))
            break;
        if (max ? value > best : value < best) {
            best = value;
            tree_best(t, move);
        }
        if (max && best > alpha)
            alpha = best;
        if (!max && best < beta)
            beta = best;
        if (alpha >= beta) {
            tree_cut(t, max ? TRACE_CUT_HIGH : TRACE_CUT_LOW, moves.count - i - 1);
            break;
        }
    }
    tree_release(t, &moves);
    return best;
}

static Value walk(Tree *t, int depth) {
    return deepening(t, depth, -VALUE_INFINITE, VALUE_INFINITE, true);
}

bool search_deepening_alphabeta(Player *p, const SearchTask *task, SearchResult *result) {
    Tree t;
    bool found = tree_begin(&t, p, task, result) && tree_search(&t, walk, true);
    tree_end(&t);
    return found;
}
