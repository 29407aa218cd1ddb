// iddfs: iterative-deepening depth-first search. Depth-first, but only one move deep; then again,
// two moves deep; and so on. The first way that is found is a shortest one, as with bfs.c, and
// nothing has to be remembered but the path. The price: positions that can be reached in many
// ways are looked at as often.
//
// The next step is idastar.c, which also knows how far it is to the goal.
#include "search/ways.h"

static bool walk(Ways *w) {
    bool dead;
    if (ways_at_goal(w, &dead))
        return true;
    if (dead)
        return false;
    if (w->tree.ply == w->bound) {
        ways_out_of_bounds(w, w->bound + 1);
        return false;
    }
    return ways_go_on(w, walk);
}

bool search_iddfs(Player *p, const SearchTask *task, SearchResult *result) {
    return ways_search(p, task, result, walk);
}
