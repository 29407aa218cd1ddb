// ways: what the searches share that look for a way to the goal and remember only the path.
//
// A walk goes no further than a bound; then it walks again with the next larger one, until it
// comes to the goal or nothing was out of bounds. What lies on the path is not entered again.
#ifndef LUDENS_WAYS_H
#define LUDENS_WAYS_H

#include "game/clocks.h"
#include "search/tree.h"

typedef struct Ways {
    Tree tree;
    Clocks clocks; // what tells positions apart here
    int bound;     // on what a walk counts; at first 1
    int next;      // the least that was out of bounds in this walk
} Ways;

typedef bool WaysWalk(Ways *w); // true: the walk is at the goal

// Whether the walk is at the goal. Otherwise `*dead` tells whether it has to turn back: the game
// is over, or the position is on the path already or a draw by repetition.
bool ways_at_goal(Ways *w, bool *dead);
void ways_out_of_bounds(Ways *w,
                        int count); // turns back; `count` is what the bound would have to be
// Goes on with every move; true as soon as `walk` is at the goal.
bool ways_go_on(Ways *w, WaysWalk *walk);

bool ways_search(Player *p, const SearchTask *task, SearchResult *result, WaysWalk *walk);

#endif
