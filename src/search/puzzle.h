// puzzle: what the searches for a way to the goal share.
//
// The goal is a position where the game is over and the player whose move is wanted has won, also
// because somebody has no move. In games of several players these searches look for any line of
// play that ends so, everybody helping: that is how they are defined, and it is no way to play
// against anybody.
//
// A Puzzle is a graph of the positions that were reached, each once, with the way there. Its
// memory is limited; when it is used up the search ends as if it were stopped. The way that was
// found is a plan that the player keeps: as long as the game follows it, no search is needed.
#ifndef LUDENS_PUZZLE_H
#define LUDENS_PUZZLE_H

#include "game/clocks.h"
#include "search/evaluate.h"
#include "search/player.h"
#include "search/trace.h"

typedef struct PuzzleNode {
    int parent; // -1: the root
    int depth;  // moves from the root
    int to_go;  // what the heuristic says
    int trace;
    Move move; // that led here
} PuzzleNode;

typedef struct Puzzle {
    Player *player;
    const SearchTask *task;
    Clock clock;
    Clocks clocks; // what tells positions apart here
    int me;
    int deepest; // moves from the root that are allowed; 0: any number
    PuzzleNode *nodes;
    uint8_t *states; // of the nodes
    int count, cap;
    int *slots; // hash table of nodes: number + 1, 0 is free
    uint32_t mask;
    Move *moves; // of the node that is looked at
    int move_cap;
    uint8_t *next;  // the position behind the move that is tried
    int best;       // the node nearest to the goal by the heuristic
    bool failed;    // the rules
    bool full;      // the memory is used up
    bool cut_short; // something lay deeper than allowed
    bool repeats;   // a way was given up that others could go on: a draw by repetition
} Puzzle;

// Begins with the root as node 0. False when out of memory.
bool puzzle_begin(Puzzle *z, Player *p, const SearchTask *task);
void puzzle_end(Puzzle *z);
static inline bool puzzle_stopped(const Puzzle *z) {
    return z->failed || z->full || z->clock.over;
}
static inline const uint8_t *puzzle_state(const Puzzle *z, int node) {
    return z->states + (size_t)node * (size_t)game_state_size(z->player->game);
}

// The moves of a node, in z->moves; 0 if the game is over there.
int puzzle_moves(Puzzle *z, int node);
// Follows a move of a node. A position that is new becomes a node: PUZZLE_NEW. One that is
// known: PUZZLE_OLD, unless this way is shorter: PUZZLE_SHORTER, and the node has the new way.
// The goal is a node too, always a new one: PUZZLE_GOAL. Other ends are PUZZLE_OLD, draws by
// repetition among them.
typedef enum PuzzleStep { PUZZLE_NEW, PUZZLE_SHORTER, PUZZLE_OLD, PUZZLE_GOAL } PuzzleStep;
PuzzleStep puzzle_step(Puzzle *z, int node, Move move, int *to);
bool puzzle_is_goal(const Puzzle *z, const uint8_t *state);

// How the game ended in a position: 0 if it goes on. That nobody can move is noticed where somebody
// can win by it; elsewhere such a position is a dead end, which needs no look at its moves here.
int puzzle_result(const Player *p, const uint8_t *state);
static inline bool puzzle_won(int result, int me) {
    return result && (result & ~RESULT_OVER) == 1 << me;
}

// Fills in the result: the way to `goal`, or, if that is -1, a move towards the best node, and
// whether it is proven that there is no way.
void puzzle_report(Puzzle *z, int goal, SearchResult *result);

// --- the plan ---
// (plan_begin and plan_end are declared with the table of players.)
// Takes the next move of the plan if the game has followed it so far.
bool plan_follow(Player *p, const SearchTask *task, SearchResult *result);
// Keeps a way of `length` moves from the position of the task.
void plan_keep(Player *p, const SearchTask *task, const Move *moves, int length);
// Says in p->why that no way was found, and what was in the way of it: the memory, the limits of
// the clock, or the depth; nothing if everything was seen.
void plan_missed(Player *p, const Clock *clock, bool full, bool too_deep);
// What is known when a way of so many moves to the goal was found.
void plan_result(const Player *p, const Move *moves, int length, SearchResult *result);

#endif
