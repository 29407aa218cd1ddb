// minimax: looks at everything that can happen within a depth. It takes for granted that everybody
// plays what is best for them: the player whose move is wanted, `max`, chooses the move with the
// highest value, and all the others, `min`, the one with the lowest.
//
// The next step is alphabeta_plain.c, which finds the same value without looking at everything.
#include "search/tree.h"

static Value minimax(Tree *t, int depth) {
    Value value;
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
        value = minimax(t, depth - 1);
        tree_undo(t, value);
        if (!tree_stopped(t) && (max ? value > best : value < best)) {
            best = value;
            tree_best(t, move);
        }
    }
    tree_release(t, &moves);
    return best;
}

bool search_minimax(Player *p, const SearchTask *task, SearchResult *result) {
    Tree t;
    bool found = tree_begin(&t, p, task, result) && tree_search(&t, minimax, false);
    tree_end(&t);
    return found;
}
