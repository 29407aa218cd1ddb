// stochastic: minimax that leaves out some of its own moves by chance.
//
// The step from minimax.c: below the root, each move of `max` is kept with the chance `keep`, and
// at least one is. The tree has fewer branches, so the search sees deeper in the same time; what
// it misses are moves of its own, never a threat: the moves of the others stay complete.
#include "search/tree.h"

typedef struct Stochastic {
    Tree tree;
    Rng rng;
} Stochastic;

// Keeps some of the moves, in their order.
static void thin_out(Stochastic *s, MoveList *list) {
    Move *moves = s->tree.moves + list->begin;
    double keep = s->tree.player->options.keep;
    int kept = 0, always = (int)rng_below(&s->rng, (uint64_t)list->count);
    Move one = moves[always];
    for (int i = 0; i < list->count; i++)
        if ((double)(rng_next(&s->rng) >> 11) * 0x1p-53 < keep)
            moves[kept++] = moves[i];
    if (kept == 0)
        moves[kept++] = one;
    list->count = kept;
}

static Value stochastic(Tree *t, int depth) {
    Value value;
    if (tree_is_over(t, &value))
        return value;
    if (depth == 0)
        return tree_estimate(t);
    bool max = tree_maximises(t);
    Value best = max ? -VALUE_INFINITE : VALUE_INFINITE;
    MoveList moves = tree_moves(t);
    int all = moves.count;
    if (max && t->ply > 0 && all > 0)
        thin_out((Stochastic *)t, &moves); // the Tree is its first member
    if (moves.count < all) {
        t->horizon = true; // what was left out could have changed the value
        tree_cut(t, TRACE_INNER, all - moves.count);
    }
    for (int i = 0; i < moves.count && !tree_stopped(t); i++) {
        Move move = tree_move(t, &moves, i);
        tree_play(t, move);
        value = stochastic(t, depth - 1);
        tree_undo(t, value);
        if (!tree_stopped(t) && (max ? value > best : value < best)) {
            best = value;
            tree_best(t, move);
        }
    }
    tree_release(t, &moves);
    if (moves.count < all && best <= -VALUE_SURE)
        best = 1 - VALUE_SURE; // one that was left out may save it: that is no proven loss
    return best;
}

bool search_stochastic_minimax(Player *p, const SearchTask *task, SearchResult *result) {
    Stochastic s;
    bool found = tree_begin(&s.tree, p, task, result);
    player_random(p, task, &s.rng);
    found = found && tree_search(&s.tree, stochastic, false);
    tree_end(&s.tree);
    return found;
}
