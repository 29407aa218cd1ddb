// bestfirst: greedy best-first search. Goes on where the heuristic says that the goal is nearest,
// however long the way there was. It often finds some way sooner than others find the shortest.
//
// The step from astar.c: the moves so far do not count, and the goal counts when it is seen.
#include "search/heap.h"
#include "search/puzzle.h"

static int best_first(Puzzle *z) {
    Heap heap = {0};
    int goal = -1;
    z->full = !heap_put(&heap, (HeapItem){.node = 0});
    while (heap.count > 0 && goal < 0 && !puzzle_stopped(z)) {
        int node = heap_take(&heap).node;
        int n = puzzle_moves(z, node);
        for (int i = 0; i < n && goal < 0 && !puzzle_stopped(z); i++) {
            int to;
            PuzzleStep step = puzzle_step(z, node, z->moves[i], &to);
            if (step == PUZZLE_GOAL)
                goal = to;
            else if ((step == PUZZLE_NEW || (step == PUZZLE_SHORTER && z->deepest)) &&
                     !heap_put(&heap, (HeapItem){.cost = z->nodes[to].to_go, .node = to}))
                z->full = true;
        }
    }
    heap_free(&heap);
    return goal;
}

bool search_bestfirst(Player *p, const SearchTask *task, SearchResult *result) {
    if (plan_follow(p, task, result))
        return true;
    Puzzle z;
    if (puzzle_begin(&z, p, task))
        puzzle_report(&z, best_first(&z), result);
    puzzle_end(&z);
    return result->found;
}
