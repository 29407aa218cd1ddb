// idastar: IDA*. Iterative deepening with a heuristic: shortest ways with hardly any memory.
//
// The step from iddfs.c: the bound is on the moves so far and the moves to go, by the heuristic,
// together. What cannot reach the goal within the bound is not entered. As with astar.c the way
// is a shortest one as long as the heuristic never says too much.
//
// Korf, Depth-first iterative-deepening: an optimal admissible tree search (1985).
#include "search/travel.h"
#include "search/ways.h"

static bool walk(Ways *w) {
    Tree *t = &w->tree;
    bool dead;
    if (ways_at_goal(w, &dead))
        return true;
    if (dead)
        return false;
    int to_go = evaluation_distance(t->player->evaluation, t->player->runner, tree_state(t));
    trace_to_go(t->task->trace, t->nodes[t->ply], to_go);
    if (to_go >= TRAVEL_NEVER)
        return false;
    to_go = to_go > 0 ? to_go : 1; // it is not the goal
    if (t->ply + to_go > w->bound) {
        ways_out_of_bounds(w, t->ply + to_go);
        return false;
    }
    return ways_go_on(w, walk);
}

bool search_idastar(Player *p, const SearchTask *task, SearchResult *result) {
    return ways_search(p, task, result, walk);
}
