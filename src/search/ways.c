// ways: see ways.h.
#include "search/ways.h"

#include "search/puzzle.h"

#include <limits.h>
#include <string.h>

static bool on_path(const Ways *w) {
    const Tree *t = &w->tree;
    const Game *g = t->player->game;
    size_t size = (size_t)game_state_size(g), telling = clocks_bytes(g, w->clocks);
    for (int i = t->ply - 1; i >= 0; i--)
        if (t->hashes[i] == t->hashes[t->ply] &&
            memcmp(t->states + size * (size_t)i, tree_state(t), telling) == 0)
            return true;
    return false;
}

// A draw by repetition.
static bool is_repeated(const Ways *w) {
    const Tree *t = &w->tree;
    int limit = t->player->game->ir->repeated;
    return limit && t->ply > 0 && tree_occurrences(t) >= limit;
}

bool ways_at_goal(Ways *w, bool *dead) {
    Tree *t = &w->tree;
    const Game *g = t->player->game;
    int result = puzzle_result(t->player, tree_state(t));
    bool goal = puzzle_won(result, t->me);
    t->hashes[t->ply] = game_hash(g, tree_state(t));
    bool seen = !result && (on_path(w) || is_repeated(w));
    *dead = !goal && (result || seen);
    if (goal || *dead)
        tree_cut(t, goal ? TRACE_GOAL : seen ? TRACE_SEEN : TRACE_OVER, 0);
    return goal;
}

void ways_out_of_bounds(Ways *w, int count) {
    tree_cut(&w->tree, TRACE_FAR, 0);
    w->next = count < w->next ? count : w->next;
}

bool ways_go_on(Ways *w, WaysWalk *walk) {
    Tree *t = &w->tree;
    if (t->ply == TREE_MAX_PLY)
        return false;
    MoveList moves = tree_moves(t);
    for (int i = 0; i < moves.count && !tree_stopped(t); i++) {
        tree_play(t, tree_move(t, &moves, i));
        if (!tree_stopped(t) && walk(w))
            return true; // the path stays: it is the way
        tree_undo(t, 0);
    }
    tree_release(t, &moves);
    return false;
}

// The bound grows to the least that was out of bounds: nothing is left out.
static bool find(Ways *w, WaysWalk *walk) {
    Tree *t = &w->tree;
    int most = player_depth(t->player, t->task);
    most = most && most < TREE_MAX_PLY ? most : TREE_MAX_PLY;
    w->next = 1;
    while (w->next <= most && !tree_stopped(t)) {
        w->bound = w->next;
        w->next = INT_MAX;
        t->nodes[0] = trace_add(t->task->trace, TRACE_ROOT, (Move){{0, 0}}, w->bound);
        if (walk(w))
            return true;
        trace_close(t->task->trace, t->nodes[0], 0, TRACE_INNER, 0);
        t->ply = 0;
        t->move_count = 0;
    }
    return false;
}

bool ways_search(Player *p, const SearchTask *task, SearchResult *result, WaysWalk *walk) {
    if (plan_follow(p, task, result))
        return true;
    Ways w;
    Tree *t = &w.tree;
    trace_ways(task->trace);
    w.clocks = clocks_of(p->game);
    if (tree_begin(t, p, task, result)) {
        if (find(&w, walk)) {
            plan_result(p, t->path + 1, t->ply, result);
            plan_keep(p, task, t->path + 1, t->ply);
        } else if (!tree_stopped(t) && w.next == INT_MAX && p->game->ir->players == 1) {
            result->value = -VALUE_WIN; // everything was seen: there is no way
            result->exact = true;
        } else {
            plan_missed(p, &t->clock, false, w.next != INT_MAX);
        }
        result->nodes = t->clock.nodes;
    }
    result->best_count = 0; // the tree has noted moves, but they have no values
    tree_end(t);
    return result->found;
}
