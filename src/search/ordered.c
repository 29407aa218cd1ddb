// ordered: alpha-beta that looks at good moves first.
//
// The step from alphabeta_plain.c: moves are sorted by what the heuristic says about the positions
// they lead to. If the best move always came first, alpha-beta would look at about the square root
// of the positions that minimax looks at: twice as deep in the same time. Just above the
// estimates sorting costs more than it saves, so there the order of the rules stays.
//
// The next step is deepening.c, which finds good moves by searching less deep before.
#include "search/order.h"

static Value ordered(Tree *t, int depth, Value alpha, Value beta) {
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
    for (int i = 0; i < moves.count && !tree_stopped(t); i++) {
        Move move = tree_move(t, &moves, i);
        tree_play(t, move);
        value = ordered(t, depth - 1, alpha, beta);
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
    return ordered(t, depth, -VALUE_INFINITE, VALUE_INFINITE);
}

bool search_ordered_alphabeta(Player *p, const SearchTask *task, SearchResult *result) {
    Tree t;
    bool found = tree_begin(&t, p, task, result) && tree_search(&t, walk, false);
    tree_end(&t);
    return found;
}
