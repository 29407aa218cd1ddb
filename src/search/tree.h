// tree: what the classics share: a walk through the tree of moves below a position.
//
// A Tree holds the path from the root to where the walk is, asks the rules, counts positions,
// watches the clock, sees repetition, keeps the best line, and tells the trace. The searches
// themselves are then as short as in a textbook.
//
// Values are seen from one player, `me`, who is on move at the root: `me` maximises and everybody
// else minimises, in games of any number of players and with any order of turns.
#ifndef LUDENS_TREE_H
#define LUDENS_TREE_H

#include "search/evaluate.h"
#include "search/player.h"
#include "search/trace.h"

#define VALUE_INFINITE (2 * VALUE_WIN)
// Deeper than any game is searched; the stack of a thread holds so many calls.
#define TREE_MAX_PLY 1000
#define TREE_LINE 64 // moves of the best line that are kept

typedef struct Tree Tree;
typedef struct MoveList { // of one position; holds until tree_release
    size_t begin;
    int count;
} MoveList;
typedef struct TreeLine {
    Move move[TREE_LINE];
    int length;
} TreeLine;

struct Tree {
    Player *player;
    const SearchTask *task;
    SearchResult *result;
    Clock clock;
    int me;
    int ply;         // of the position where the walk is; 0: the root
    bool horizon;    // some position was estimated because the search went no deeper
    int64_t repeats; // positions that were draws by repetition
    bool failed;     // the rules or memory: everything returns at once
    // the path
    uint8_t *states;
    uint64_t *hashes;
    Move *path;        // path[ply] led to ply
    int *nodes;        // of the trace
    bool windows;      // the search has some: a move that is not better has a bound, no value
    int64_t root_mark; // positions counted before the move of the root that is looked at
    TreeLine *lines;
    TreeLine last_line; // of the depth before, when deepening
    Move *moves;
    size_t move_count, move_cap;
};

bool tree_begin(Tree *t, Player *p, const SearchTask *task, SearchResult *result);
void tree_end(Tree *t);

static inline const uint8_t *tree_state(const Tree *t) {
    return t->states + (size_t)t->ply * (size_t)game_state_size(t->player->game);
}
static inline bool tree_maximises(const Tree *t) { // whether `me` is on move
    return game_player(t->player->game, tree_state(t)) == t->me;
}
// Whether the walk has to end; from then on values mean nothing.
static inline bool tree_stopped(const Tree *t) {
    return t->clock.over || t->failed;
}

int tree_occurrences(const Tree *t); // of the position, in the game so far and on the path
// Whether the game is over here, with its value.
bool tree_is_over(Tree *t, Value *value);
Value tree_estimate(Tree *t); // by the heuristic, because the search goes no deeper
MoveList tree_moves(Tree *t);
static inline Move tree_move(const Tree *t, const MoveList *list, int i) {
    return t->moves[list->begin + (size_t)i];
}
void tree_release(Tree *t, const MoveList *list);
void tree_play(Tree *t, Move move); // one move down; counts one position
// And back, with the value of where it was. Moves of the root go to the result's list of the best;
// searches that cut know only an upper bound for those that are not the best.
void tree_undo(Tree *t, Value value);
void tree_best(Tree *t, Move move); // the best so far in this position: extends the best line

// For the trace: the window of a position, and why not all its moves are looked at.
void tree_window(Tree *t, Value alpha, Value beta);
void tree_cut(Tree *t, TraceWhy why, int left_out);

// Searches by `walk`, which returns the value of the root to a depth. If a depth is demanded and
// `deepens` is false, at once to that depth; else to depth 1, 2, 3, ... until a limit is reached
// or the value is exact. Interrupted, it keeps what the last complete depth found; and what a
// search that looks at the last best move first has found since.
typedef Value TreeWalk(Tree *t, int depth);
bool tree_search(Tree *t, TreeWalk *walk, bool deepens);

#endif
