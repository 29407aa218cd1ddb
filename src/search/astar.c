// astar: A*. Goes on where the moves so far and the moves to go, by the heuristic, are least.
//
// The step from bfs.c: the positions that wait are sorted by that sum instead of by the moves so
// far alone. As long as the heuristic never says too much, the way found is a shortest one: the
// goal counts when it is its turn, not when it is first seen, and a position to which a shorter
// way turns up is looked at again. Without a heuristic this is breadth-first search.
//
// Hart, Nilsson and Raphael (1968).
#include "search/heap.h"
#include "search/puzzle.h"

static bool wait(Heap *heap, const Puzzle *z, int node) {
    const PuzzleNode *n = &z->nodes[node];
    // Of equal sums, the one that is nearer to the goal.
    return heap_put(
        heap,
        (HeapItem){.cost = n->depth + n->to_go, .tie = n->to_go, .node = node, .depth = n->depth});
}

static int a_star(Puzzle *z) {
    Heap heap = {0};
    int goal = -1;
    z->full = !wait(&heap, z, 0);
    while (heap.count > 0 && goal < 0 && !puzzle_stopped(z)) {
        HeapItem item = heap_take(&heap);
        if (item.depth > z->nodes[item.node].depth)
            continue; // it has a shorter way since, and waits once more with it
        if (puzzle_is_goal(z, puzzle_state(z, item.node))) {
            goal = item.node;
            break;
        }
        int n = puzzle_moves(z, item.node);
        for (int i = 0; i < n && !puzzle_stopped(z); i++) {
            int to;
            if (puzzle_step(z, item.node, z->moves[i], &to) != PUZZLE_OLD && !wait(&heap, z, to))
                z->full = true;
        }
    }
    heap_free(&heap);
    return goal;
}

bool search_astar(Player *p, const SearchTask *task, SearchResult *result) {
    if (plan_follow(p, task, result))
        return true;
    Puzzle z;
    if (puzzle_begin(&z, p, task))
        puzzle_report(&z, a_star(&z), result);
    puzzle_end(&z);
    return result->found;
}
