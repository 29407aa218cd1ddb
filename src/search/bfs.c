// bfs: breadth-first search. Looks at everything one move away, then at everything two moves away,
// and so on: the first way to the goal is a shortest one. The nodes of the graph, in the order in
// which they were found, are the queue.
#include "search/puzzle.h"

static int breadth_first(Puzzle *z) {
    for (int node = 0; node < z->count && !puzzle_stopped(z); node++) {
        int n = puzzle_moves(z, node);
        for (int i = 0; i < n && !puzzle_stopped(z); i++) {
            int to;
            if (puzzle_step(z, node, z->moves[i], &to) == PUZZLE_GOAL)
                return to;
        }
    }
    return -1;
}

bool search_bfs(Player *p, const SearchTask *task, SearchResult *result) {
    if (plan_follow(p, task, result))
        return true;
    Puzzle z;
    if (puzzle_begin(&z, p, task))
        puzzle_report(&z, breadth_first(&z), result);
    puzzle_end(&z);
    return result->found;
}
