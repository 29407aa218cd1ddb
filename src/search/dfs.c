// dfs: depth-first search. Follows one way as far as it goes and turns back only at a dead end or
// at a position it has seen. It finds some way to the goal, often a long one.
//
// The step from bfs.c: the positions that wait are a stack instead of a queue. The moves of a
// position are taken from the last to the first.
#include "search/puzzle.h"

static int depth_first(Puzzle *z) {
    int *stack = mem_alloc(sizeof *stack * (size_t)z->cap);
    int top = 0, goal = -1;
    if (!stack) {
        z->full = true;
        return -1;
    }
    stack[top++] = 0;
    while (top > 0 && goal < 0 && !puzzle_stopped(z)) {
        int node = stack[--top];
        int n = puzzle_moves(z, node);
        for (int i = 0; i < n && goal < 0 && !puzzle_stopped(z); i++) {
            int to;
            PuzzleStep step = puzzle_step(z, node, z->moves[i], &to);
            if (step == PUZZLE_GOAL)
                goal = to;
            else if (step == PUZZLE_NEW || (step == PUZZLE_SHORTER && z->deepest && top < z->cap))
                stack[top++] = to; // with a limit, a shorter way leads to more
        }
    }
    mem_free(stack);
    return goal;
}

bool search_dfs(Player *p, const SearchTask *task, SearchResult *result) {
    if (plan_follow(p, task, result))
        return true;
    Puzzle z;
    if (puzzle_begin(&z, p, task))
        puzzle_report(&z, depth_first(&z), result);
    puzzle_end(&z);
    return result->found;
}
