// mcts: Monte Carlo tree search; what the files mcts*.c share.
//
// The tree lies in one block of memory that is allocated with the player. A node is a position
// whose moves are known; an edge is one of its moves, with all that is known about it. Positions
// that were not visited often enough to become nodes are edges only:
//
//     | node | edge edge edge ... | move move move ... |   node ...
//
// Moves take 4, 8 or 16 bytes, as many as the game needs. Places in the block are numbers of
// MCTS_UNIT bytes; 0 is none. When the block is full, the least visited parts are thrown away and
// the rest moves together (mcts_memory.c).
//
// Rewards are thousandths of a win for one player. An edge sums the rewards of the player who
// chooses it, so any number of players and any order of turns is the same. Several threads walk
// the same tree: numbers change by atomic operations, nothing is ever locked.
#ifndef LUDENS_MCTS_H
#define LUDENS_MCTS_H

#include "game/clocks.h"
#include "search/evaluate.h"
#include "search/player.h"
#include "search/trace.h"

#include <string.h>

#define MCTS_UNIT 16
#define MCTS_MAX_DEPTH 512   // of a walk; positions may return, so walks need an end
#define MCTS_BUSY UINT32_MAX // in place of a child: a thread is making it
#define MCTS_REWARD 1000     // for a win

#define MCTS_NO_EFFECT UINT16_MAX
#define MCTS_TABLES_MOST 16 // on one walk
#define MCTS_TRAIL 512      // moves of a random game that count as first

// A proven result: the byte of runner_result, and in the high byte the moves to that end (at most
// 255 are told apart). 0: nothing is proven.
typedef uint16_t Proven;

typedef struct MctsEdge {
    _Atomic int64_t sum; // of rewards, for the player on move
    _Atomic uint32_t visits;
    _Atomic uint32_t child;
    int16_t prior;           // what the heuristic says about the position behind, in rewards, and
                             //   what the rules prefer
    _Atomic int16_t minimax; // the same from deeper down: the best that both can reach
    _Atomic Proven proven;
    uint16_t effect; // of the move, for all moves as first; MCTS_NO_EFFECT: none
    // Of the numbers above, so that a selection need not work it out for every move: what the move
    // is worth, and the share of exploring that comes on top (mcts_select.c)
    _Atomic float worth, unsure;
} MctsEdge;

typedef struct MctsNode {
    uint64_t key;            // of the position, clocks included
    _Atomic uint32_t visits; // of its edges
    uint32_t count;          // edges
    uint32_t forward;        // where it moves when memory is cleared up; a list while marking
    _Atomic Proven proven;
    uint8_t player;
    uint8_t marked;
    _Atomic uint32_t table; // of effects: the number of the search, and its own in the low byte
    uint32_t unused;
} MctsNode;

typedef struct MctsTally { // of an effect
    _Atomic int64_t sum;   // of rewards, for the owner of the piece
    _Atomic uint32_t visits;
} MctsTally;

typedef struct Mcts { // what a player keeps between moves
    const Game *game;
    int move_bytes;
    // The block
    char *block;
    uint32_t units;        // in the block
    uint32_t limit;        // of these, what this search may use
    _Atomic uint32_t used; // 0 and up are nodes without gaps
    atomic_bool full;
    // Nodes by position; empty without transpositions
    _Atomic uint32_t *slots;
    uint32_t slot_mask;
    // All moves as first
    MctsTally *tallies; // NULL: the game has too many effects
    int effects;
    uint32_t epoch;
    _Atomic uint32_t tables;
    bool by_moves; // effects are moves, not pieces
    // What a look at the game tells
    bool laying;  // each move lays one piece and changes nothing else on the board
    bool filling; // each move leaves fewer cells empty
    int moves;    // at the start
    // The root, and where in the game it was
    uint32_t root;
    uint8_t *root_state;
    int root_ply;
    Clocks clocks;
    uint64_t past;                       // what matters of the game up to there
    int batch;                           // the last that the time suggested; 0: none
    int16_t reward[256][IR_MAX_PLAYERS]; // what a result is worth to a player
} Mcts;

static inline MctsNode *mcts_node(const Mcts *m, uint32_t at) {
    return (MctsNode *)(void *)(m->block + (size_t)at * MCTS_UNIT);
}
static inline MctsEdge *mcts_edges(MctsNode *n) {
    return (MctsEdge *)(void *)(n + 1);
}
static inline int mcts_reward(const Mcts *m, int result, int player) {
    return m->reward[result][player];
}
uint32_t mcts_size(const Mcts *m, uint32_t count); // of a node with so many edges, in units
// The moves lie behind the edges, in as few bytes as the game allows; a pass is the highest bit.
static inline char *mcts_moves(MctsNode *n) {
    return (char *)(mcts_edges(n) + n->count);
}
static inline Move mcts_move(const Mcts *m, MctsNode *n, uint32_t edge) {
    Move move = {{0, 0}};
    const char *from = mcts_moves(n) + (size_t)m->move_bytes * edge;
    if (m->move_bytes == 4) {
        uint32_t half;
        memcpy(&half, from, sizeof half);
        move.w[0] = half;
        return half >> 31 ? MOVE_PASS : move;
    }
    memcpy(&move, from, m->move_bytes == 8 ? sizeof move.w[0] : sizeof move);
    return m->move_bytes == 8 && move.w[0] >> 63 ? MOVE_PASS : move;
}
void mcts_set_moves(const Mcts *m, MctsNode *n, const Move *moves);

// --- mcts_memory.c ---
bool mcts_alloc_block(Mcts *m, size_t bytes, bool transpositions);
void mcts_free_block(Mcts *m);
void mcts_forget(Mcts *m); // everything
// Room for a node; NULL with `full` set if there is none.
MctsNode *mcts_new_node(Mcts *m, uint32_t count, uint32_t *at);
uint64_t mcts_key(const Mcts *m, const uint8_t *state);
uint32_t mcts_find(const Mcts *m, uint64_t key); // 0: not there, or not looked for
void mcts_enter(Mcts *m, uint32_t at);
// Keeps what can be reached from the root and, if `halve`, only what was visited most, so that at
// least half of the block is free. Asks the clock now and then; when that is over, everything is
// forgotten and it returns false.
bool mcts_clear_up(Mcts *m, bool halve, Clock *clock);
// Makes the position of the record the root if it is known, and what is known still holds;
// otherwise forgets everything and the root is 0.
void mcts_follow(Mcts *m, const Record *record);

// --- mcts_amaf.c ---
bool mcts_amaf_begin(Mcts *m);
void mcts_amaf_end(Mcts *m);
double mcts_amaf_suits(const Mcts *m); // the parameter `rave` that suits the game; 0: none
void mcts_amaf_forget(Mcts *m);        // a new search begins
uint16_t mcts_move_effect(const Mcts *m, Move move, int player);
uint16_t mcts_effect(const Mcts *m, const uint8_t *before, const uint8_t *after, int player);
struct MctsWorker;
MctsTally *mcts_table(struct MctsWorker *w, MctsNode *n); // NULL: it has none yet
// Counts a game that ended so for the tables of the walk.
void mcts_amaf_note(struct MctsWorker *w, const uint8_t *end, int result);
void mcts_amaf_note_moves(struct MctsWorker *w, int result); // those of the path and the trail

// --- mcts_look.c ---
// Plays some random games to see what kind of game it is; `before` and `after` are room for states.
void mcts_look(Mcts *m, Runner *r, uint8_t *before, uint8_t *after);

// --- mcts_walk.c: the search of one thread ---
typedef struct MctsStep {
    MctsNode *node;
    MctsEdge *edge;
    int sure; // the reward that another edge gives for certain
} MctsStep;

typedef struct MctsShared { // by the threads of one search
    Mcts *mcts;
    Player *player;
    const SearchTask *task;
    const uint8_t *root; // the state
    int threads;
    int64_t most;             // playouts; 0: no limit
    _Atomic int64_t playouts; // begun
    int batch;                // playouts behind one leaf; 0: as the time they take suggests
    int cut;                  // playouts are cut after so many moves
    bool solver, decisive, estimates, looks;
    bool prefers; // priorities of moves are known
    bool judges;  // the heuristic instead of random games
    double rave, bias, minimax, fpu, explore;
    int expand;
    uint64_t *seen; // keys of the positions of the record, for repetition
    int seen_count;
    bool frozen; // the block is full and stays so: the tree does not grow
    struct MctsWorker *workers;
    atomic_bool halt; // all threads: the search is over
} MctsShared;

typedef struct MctsWorker {
    MctsShared *shared;
    Runner *runner;
    Reasoner *reasoner; // for priorities of moves; NULL: there are none
    Rng rng;
    Clock clock;
    uint8_t *state, *other; // of the walk; for random games and moves that are looked at
    MctsStep path[MCTS_MAX_DEPTH];
    uint64_t keys[MCTS_MAX_DEPTH + 1];
    int depth, deepest;
    MctsTally *tables[MCTS_TABLES_MOST]; // of the nodes on the path that have one
    int table_count;
    struct {
        uint16_t effect;
        uint8_t player;
    } trail[MCTS_TRAIL]; // moves of the random game that counts for all moves as first
    int trail_length;
    int batch;
    double tree_cost, play_cost; // seconds of a walk without, and of one random game
    int64_t walks;
    double told; // when the news is told next, in seconds
    int64_t nodes;
    int64_t done; // playouts
    int32_t reward[IR_MAX_PLAYERS];
    bool failed;
} MctsWorker;

// Walks until the limits end, the root is proven, the block is full or the rules fail.
void mcts_run(MctsWorker *w);
// A node for a state: its moves, with what can be said about each at once. 0 if there is no room
// or the rules fail.
uint32_t mcts_expand(MctsWorker *w, const uint8_t *state);
// What is proven about a node by what is proven about its edges; 0: nothing.
Proven mcts_prove(const MctsShared *s, MctsNode *n);

// --- mcts_play.c ---
// Random games from the state of the walk, as many as a batch, into `reward`; the result if the
// game is over there, else 0.
Proven mcts_play(MctsWorker *w);
// The same by the heuristic; `n` is the node of the state, NULL if there is no room for one.
Proven mcts_judge(MctsWorker *w, MctsNode *n);
int16_t mcts_estimate(MctsWorker *w, const uint8_t *state, int player); // in rewards
void mcts_reward_all(MctsWorker *w, int result, int times);

// --- mcts_select.c ---
MctsEdge *mcts_select(MctsWorker *w, MctsNode *n, int *sure);
void mcts_rate(const MctsShared *s, MctsEdge *e); // what it is worth, after its numbers changed

// --- mcts.c ---
void mcts_tell(MctsWorker *w); // the news, if it is time and somebody listens

// --- mcts_report.c ---
void mcts_report(Mcts *m, const MctsShared *s, SearchResult *result);
void mcts_trace(Mcts *m, const MctsShared *s, Trace *trace);

// --- small things of everywhere ---
#define MCTS_LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define MCTS_STORE(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)

#endif
