// alphabeta: the inside of the strong alpha-beta, for the files alphabeta.c and ab_*.c.
//
//     alphabeta.c     deepening, time
//     ab_root.c       the moves of the root: windows round the last value, distances made exact
//     ab_node.c       the search of a position: table, order, reductions, cuts
//     ab_frontier.c   the last move: many positions at a time
//     ab_path.c       playing moves, keys of positions, repetition
//     ab_quiet.c      the end of a line: estimates, and exchanges played out
//     ab_order.c      which move is looked at first, and what is learnt about that
//     ab_split.c      several threads at one position
//     ab_parallel.c   threads, and the memory of each
//     ab_maxn.c       more than two players, each for himself
//     ab_report.c     the result
//     ab_trace.c      the tree that is walked, for people to look at
//
// Values are for the side on move. With two players the sides are the players. With more, the
// player who is asked is one side and all others are the other: each of them is taken to play
// against it ("paranoid"), which keeps cuts as deep as with two. A puzzle has one side.
//
// Two ways to search: `plain` looks at every move to the full depth, follows the rule of repeated
// positions to the letter, and uses only what was found to the same depth: its values are those of
// minimax. The other reduces late moves, plays out exchanges, and calls the first repetition a
// draw, unless there are clocks that can be waited for.
#ifndef LUDENS_ALPHABETA_H
#define LUDENS_ALPHABETA_H

#include "game/clocks.h"
#include "search/canonical.h"
#include "search/evaluate.h"
#include "search/forcing.h"
#include "search/player.h"
#include "search/trace.h"
#include "search/ttable.h"

#include <pthread.h>

#define AB_INFINITE (2 * VALUE_WIN)
#define AB_MAX_PLY 512     // states that a thread has room for
#define AB_MAX_DEPTH 480   // so that extensions have room too
#define AB_LINE 128        // moves of a line that are kept
#define AB_HISTORY 8192    // a power of two
#define AB_ESTIMATES 16384 // a power of two; 256 KB are near enough to be quicker than rules
#define AB_FRONT 64        // positions that are looked at together at the end of the depth
#define AB_NO_PATH INT32_MAX
#define AB_PLAIN_SALT 0x5bd1e9955bd1e995u  // keys of the plain search,
#define AB_MIRROR_SALT 0x2545f4914f6cdd1du //   and those that mirror images share
#define AB_LOGS 64
#define AB_SPLITS 8      // positions that a thread has split at a time
#define AB_SPLIT_DEPTH 4 // nearer to the end, splitting takes longer than searching
#define AB_APART 128 // bytes between what two threads write: a line of the cache, and the next one
// Scores of moves: what is at least as much is forcing, or known to refute neighbours.
#define AB_SCORE_FORCING 60000
#define AB_SCORE_KILLER 18000
// Positions of the game so far that a search knows; older ones have hardly ever a way back.
#define AB_PAST 1024

typedef struct AlphaBeta AlphaBeta;
typedef struct AbSplit AbSplit; // see ab_split.c

typedef struct AbLine {
    Move move[AB_LINE];
    int length;
} AbLine;

// What is known about the position at a ply of the path.
typedef struct AbPly {
    uint64_t hash; // of the position, where the game needs it
    uint32_t move; // hash of the move that led here
    uint32_t killer[2];
    Move refuter; // at the frontier, the move that was too good last
    Move played;  // for the trace, as the next one
    int node;
} AbPly;

// What a position was estimated at, by all of its state; see ab_quiet.c.
typedef struct AbEstimate {
    uint64_t key;
    Value value;
} AbEstimate;

typedef struct RootMove {
    Move move;
    Value value;   // of the last search; an upper bound unless it was the best
    int64_t nodes; // that the threads looked at which searched it, without their helpers
    AbLine line;
    bool raised; // it was better than those before, and has not come to its place yet
} RootMove;

// One thread's part; nobody else looks at it while it runs.
typedef struct AbThread {
    AlphaBeta *ab;
    int id;
    Runner *runner;
    Reasoner *reasoner; // for priorities of moves; NULL: there are none
    Clock clock;
    int64_t told; // of its nodes, those that all know of
    bool failed;  // the rules, or memory
    bool cut;     // what it works for is settled: back to the split
    bool plain;
    Trace *trace; // NULL: nobody looks
    // what the value returned last rests on
    bool open;     // on an estimate or a repetition: looking further may change it
    int32_t path;  // the first ply of the path that it depends on
    int iteration; // depth of this iteration
    // the path
    uint8_t *states;
    AbPly *plies;
    // moves of the positions on the path, one behind the other
    Move *moves;
    int32_t *scores;
    uint32_t *hashes;
    uint64_t *order; // see ab_order.c
    size_t move_count, move_cap;
    // what is learnt about moves
    int32_t (*history)[AB_HISTORY]; // [side]
    uint32_t *counter;              // the move that refuted this one
    int64_t usual_change;           // of the estimate by a move, times 256
    AbLine *lines;
    uint8_t *front;        // states behind the last move, AB_FRONT of them
    AbEstimate *estimates; // [AB_ESTIMATES]; NULL: asking again is as quick
    // what it works for with others, and the positions it has split; see ab_split.c
    AbSplit *split, *splits;
    int split_count;
    // the root
    RootMove *root;
    int root_count, root_cap;
    bool raised; // in this iteration the best move of the root is known
    Value odd;   // of the whole search: by how much odd depths said more than even ones
    char apart[AB_APART];
} AbThread;

struct AlphaBeta {
    Player *player;
    const Game *game;
    const SearchTask *task;
    SearchResult *result;
    TTable table;
    Canonical *canonical; // NULL: no symmetries
    bool mirrors;         // mirror images are the same position, in the game so far, too
    Forcing forcing;
    AbThread *thread;
    int threads;
    // what threads tell each other, see ab_split.c; all but the numbers belongs to the lock
    pthread_mutex_t lock;
    pthread_cond_t wake;
    atomic_uint news; // how often something happened that others wait for
    atomic_int idle;  // threads without work
    int asleep;
    bool done;
    AbSplit *open_splits;
    atomic_llong helped; // nodes of all but the first thread
    int64_t node_limit;  // of all together, counted in `spent`; 0: none, or there is one thread
    atomic_llong spent;
    // of this search
    int me;
    int side[IR_MAX_PLAYERS];
    uint64_t key_salt;
    uint64_t *past; // hashes of the positions of the game so far, this one included
    int past_count;
    uint64_t past_filter[16];
    int log[AB_LOGS]; // 1000 times the logarithms, for reductions
    Clocks clocks;    // of the rules: equal keys may be nearer to a draw, or are part of the key
    Value contempt;   // what a draw is worse than nothing to the player who is asked
    bool weighs_turn; // the next is found out,
    Value turn;       //   and added to estimates: what it is worth to be on move
    bool plain;       // all iterations are (tests)
    double aim;       // seconds that should do, where a hard move may take more; 0: all of them
};

// --- the rules, as a thread asks them ---

static inline uint8_t *ab_state(const AbThread *t, int ply) {
    return t->states + (size_t)ply * (size_t)game_state_size(t->ab->game);
}
static inline int ab_side(const AlphaBeta *ab, const uint8_t *state) {
    return ab->side[game_player(ab->game, state)];
}
static inline bool ab_stopped(const AbThread *t) {
    return t->clock.over || t->failed || t->cut;
}
static inline int64_t ab_nodes(const AlphaBeta *ab) { // of all threads, as the first one sees it
    return ab->thread[0].clock.nodes + atomic_load_explicit(&ab->helped, memory_order_relaxed);
}
static inline uint32_t ab_move_hash(Move m) { // never 0
    uint64_t h = (m.w[0] * 0x9E3779B97F4A7C15u) ^ (m.w[1] * 0xD6E8FEB86659FD93u);
    h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9u;
    uint32_t hash = (uint32_t)(h >> 40);
    return hash ? hash : 1;
}

// Wins and losses count moves from the root; in the table they count from the position.
static inline Value ab_to_table(Value v, int ply) {
    return v >= VALUE_SURE ? v + ply : v <= -VALUE_SURE ? v - ply : v;
}
static inline Value ab_from_table(Value v, int ply) {
    return v >= VALUE_SURE ? v - ply : v <= -VALUE_SURE ? v + ply : v;
}

// --- ab_node.c ---
typedef struct AbMoves { // moves of one position, until ab_release
    size_t begin;
    int count;
    int next;       // the first that was not yet taken
    int ply, stage; // see ab_order.c
} AbMoves;
typedef struct AbNode { // a position that is searched
    AbThread *t;
    int ply, depth;
    Value alpha, beta;
    Value low, high; // the window as it was
    uint64_t key, plain_key;
    AbMoves list;
    int tried;
    Value best;
    size_t best_at;
    bool far_below; // only the first moves are looked at
    bool open;      // of all moves so far
    int32_t path;   //   and the first ply that they depend on
} AbNode;
typedef struct AbTry { // a move that is to be searched
    Move move;
    uint32_t hash;
    int32_t score;
    int turn; // its place in the order
} AbTry;
AbTry ab_try_at(const AbThread *t, size_t at, int turn);
// Searches a move that is not the first one: is it better than alpha?
Value ab_try(const AbNode *n, const AbTry *try);
// Searches the moves that are left, in their order. True if one cuts the others off.
bool ab_try_all(AbNode *n);
// What was found about the move at `at`, by that thread or another one.
void ab_note(AbNode *n, const AbTry *try, size_t at, Value value, const AbThread *by,
             int64_t nodes);
// Whether the moves before this turn were enough.
bool ab_is_enough(const AbNode *n, int turn);
// The value of the position at `ply`, for the side on move there, to a depth. Inside the window it
// is exact, outside a bound. Means nothing when the thread has stopped.
Value ab_search(AbThread *t, int ply, int depth, Value alpha, Value beta);
// Searches the position after a move that was played, as seen from the side on move before it.
// `less` is what the depth was reduced by, for the trace.
Value ab_child(AbThread *t, int ply, int depth, int less, Value alpha, Value beta);

// --- ab_frontier.c ---
bool ab_frontier_begin(AbThread *t); // false without memory
static inline bool ab_has_frontier(const AbThread *t) {
    const AlphaBeta *ab = t->ab;
    return !t->plain && !t->estimates && ab->game->ir->players == 2 && !ab->forcing.again;
}
// ab_search to depth 1, of a position that is not over.
Value ab_frontier(AbThread *t, int ply, Value alpha, Value beta);

// --- ab_root.c ---
bool ab_root_begin(AbThread *t); // the moves of the root, in the order of a first look
void ab_root_promote(AbThread *t, int from, int to); // to an earlier place; the others keep theirs
// Notes what ab_note was told about a move of the root; `raised`: it was better than all before.
void ab_root_note(const AbNode *n, size_t at, Value value, bool raised, int64_t nodes);
// Searches the moves from place `first` on; the best comes to that place. The window is narrow
// round `last` and what it `moved`, and becomes wider until the value is inside.
Value ab_root_window(AbThread *t, int depth, int first, Value last, Value moved);
// Is there a shorter win, or a loss that takes longer? False if that could not be found out.
bool ab_prove_distance(AbThread *t, Value *value);

// --- ab_report.c ---
// Of the moves of the root the first `known` have exact values, the others at most theirs.
void ab_report(AbThread *t, Value value, int depth, bool exact, int known);

// --- ab_maxn.c ---
void ab_think_maxn(AbThread *t);

// --- ab_trace.c: all do nothing if nobody looks ---
void ab_trace_root(AbThread *t, int depth, Value alpha, Value beta);
// Into the position at ply + 1 and out again; window and value as seen from the one at `ply`.
void ab_trace_enter(AbThread *t, int ply, int less, Value alpha, Value beta);
void ab_trace_leave(AbThread *t, int ply, Value value);
void ab_trace_why(AbThread *t, int ply, TraceWhy why, int left_out);

// --- ab_path.c ---
Value ab_end_value(const AbThread *t, const uint8_t *state, int result, int ply);
Value ab_draw_value(const AlphaBeta *ab, const uint8_t *state);
// How many moves the clocks of the rules leave at most.
int ab_clock_left(const Game *g, const uint8_t *state);
// Whether the position is a draw by repetition. In a puzzle it is on the path already: no shortest
// way leads through it twice.
bool ab_is_repeated(AbThread *t, int ply);
// `canonical`: the key that all mirror images share; their moves differ, and so do their own keys.
uint64_t ab_key(const AbThread *t, int ply, bool canonical);
void ab_line_add(AbThread *t, int ply, Move move); // the best so far at `ply`
void ab_line_take(AbThread *t, int ply, Move move, const AbThread *from); // who found it
void ab_line_end(AbThread *t, int ply, Move move); //   with nothing behind it
// Plays a move of the position at `ply` and notes what is known about the new one. Counts a node.
void ab_play(AbThread *t, int ply, Move move, uint32_t hash);

// --- ab_quiet.c ---
Value ab_estimate(AbThread *t, const uint8_t *state);
// The same of n states that come one after the other.
void ab_estimates(AbThread *t, const uint8_t *states, int n, Value *values);
// Where the depth is used up. The result of the rules is not yet known.
Value ab_leaf(AbThread *t, int ply, Value alpha, Value beta);

// --- ab_order.c ---
bool ab_list(AbThread *t, int ply, AbMoves *list);  // only the moves; false on failure
bool ab_moves(AbThread *t, int ply, AbMoves *list); // and their hashes
bool ab_make_room(AbThread *t, size_t more);        // for so many moves; false without memory
void ab_release(AbThread *t, const AbMoves *list);
// Puts the move of the table in front; whether it is there.
bool ab_order_first(AbThread *t, AbMoves *list, uint32_t hash);
// Scores what was not yet taken. A win at once is found here: true, with the move in front.
bool ab_order_rest(AbThread *t, int ply, int depth, AbMoves *list);
// Leaves the moves in the order that they have.
void ab_order_as_listed(AbThread *t, const AbMoves *list);
// The best of the rest, by its place in t->moves.
size_t ab_order_next(AbThread *t, AbMoves *list);
// The move at `best` was too good for the other side; those that were taken before it were not.
void ab_learn(AbThread *t, int ply, int depth, const AbMoves *list, size_t best);
void ab_forget(AbThread *t); // halves what was learnt, before a new search

// --- ab_parallel.c ---
// Runs `work` on the first thread, which is this one; the others help until it is done.
void ab_run(AlphaBeta *ab, void (*work)(AbThread *));
bool ab_threads_begin(AlphaBeta *ab); // as the player's options say; false without memory
void ab_threads_end(AlphaBeta *ab);

// --- ab_split.c ---
bool ab_split_begin(AbThread *t); // false without memory
void ab_split_end(AbThread *t);
static inline bool ab_may_split(const AbNode *n) {
    const AbThread *t = n->t;
    return n->depth >= AB_SPLIT_DEPTH && t->ab->threads > 1 && n->tried > 0 &&
           n->list.count - n->list.next > 1 && !t->trace && t->split_count < AB_SPLITS &&
           atomic_load_explicit(&t->ab->idle, memory_order_relaxed) > 0;
}
// Searches the moves that are left together with others. False if that was not possible: nothing
// has happened then.
bool ab_split(AbNode *n);
bool ab_split_is_over(const AbSplit *s); // or one that it is part of
// The other threads: helps until the first one is done,
void ab_help(AbThread *t);
void ab_help_no_more(AlphaBeta *ab); //   which says so.

// Two players: draws are worth so much less than nothing to whoever is asked from now on. In values
// and lines that are told a draw is a draw.
void alphabeta_despise_draws(Player *p, Value contempt);
// How much a move usually changes the estimate, as searches so far have seen.
Value alphabeta_usual_change(const Player *p);
// Two players: estimates are levelled, so that those of odd and even depths agree.
void alphabeta_weigh_turn(Player *p);
// For tests: values as of minimax.
void alphabeta_be_plain(Player *p, bool plain);

#endif
