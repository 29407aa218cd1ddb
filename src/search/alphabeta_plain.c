// alphabeta_plain: minimax that leaves out what cannot matter.
//
// The step from minimax.c: a window. `alpha` is what max is already sure of, somewhere above, and
// `beta` what min is sure of. As soon as a position is worth beta or more, min will not let it come
// to this position; worth alpha or less, max will not. Its other moves need not be looked at. The
// value of the root is the one of minimax, always.
//
// Knuth and Moore, An analysis of alpha-beta pruning (1975). The next step is ordered.c: the sooner
// the best move is looked at, the more is left out.
#include "search/tree.h"

static Value alphabeta(Tree *t, int depth, Value alpha, Value beta) {
    Value value;
    tree_window(t, alpha, beta);
    if (tree_is_over(t, &value))
        return value;
    if (depth == 0)
        return tree_estimate(t);
    bool max = tree_maximises(t);
    Value best = max ? -VALUE_INFINITE : VALUE_INFINITE;
    MoveList moves = tree_moves(t);
    for (int i = 0; i < moves.count && !tree_stopped(t); i++) {
        Move move = tree_move(t, &moves, i);
        tree_play(t, move);
        value = alphabeta(t, depth - 1, alpha, beta);
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
    return alphabeta(t, depth, -VALUE_INFINITE, VALUE_INFINITE);
}

bool search_plain_alphabeta(Player *p, const SearchTask *task, SearchResult *result) {
    Tree t;
    bool found = tree_begin(&t, p, task, result) && tree_search(&t, walk, false);
    tree_end(&t);
    return found;
}
