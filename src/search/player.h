// player: what kinds of players are made of. A new one is a file with a function of type
// PlayerSearch and a row of SEARCH_PLAYERS here; docs/players.md shows how.
#ifndef LUDENS_PLAYER_H
#define LUDENS_PLAYER_H

#include "base/rng.h"
#include "knowledge/knowledge.h"
#include "search/search.h"

#define PLAYER_THREADS 256 // at most

// Parameters that a player may have. X(field, name, kind, usual value, least, most, help)
//     TIME       milliseconds, written `500ms`, `2s`, `1.5s`, `3m`
//     COUNT      a number, also `10k`, `2M`, `1G`
//     SIZE       megabytes, written `64`, `64MB`, `2GB`
//     REAL       a number with a fraction
//     HEURISTIC  a name of evaluate.h
//     KNOWLEDGE  a rules file, or the name of a rule set of the library
//     CLOCK      a time for the whole game, and perhaps more for each move: `5m+3s`
//     LEVEL      1 to 10, or a name of levels.h
// A limit (time, nodes, depth, iterations) of 0 is none; people cannot write 0, they leave it out.
#define PLAYER_OPTIONS(X)                                                                          \
    X(time_ms, "time", TIME, 0, 1, 86400000, "time for a move, such as 500ms, 2s or 1m")           \
    X(clock_ms, "clock", CLOCK, 0, 1, 86400000,                                                    \
      "time for a whole game, such as 5m or 5m+3s a move")                                         \
    X(nodes, "nodes", COUNT, 0, 1, 1e15, "positions looked at for a move, such as 10k or 2M")      \
    X(depth, "depth", COUNT, 0, 1, 1000000, "how many moves it looks ahead")                       \
    X(iterations, "iterations", COUNT, 0, 1, 1e15, "random games, or walks down the tree")         \
    X(memory_mb, "memory", SIZE, 64, 1, 1048576, "megabytes of tables and trees")                  \
    X(threads, "threads", COUNT, 1, 1, PLAYER_THREADS,                                             \
      "how many threads search; alphabeta by itself: as many as there are cores")                  \
    X(seed, "seed", COUNT, 0, 0, 1e15, "of its random numbers")                                    \
    X(heuristic, "heuristic", HEURISTIC, 0, 0, 0, "what a position is worth before the end")       \
    X(knowledge, "knowledge", KNOWLEDGE, 0, 0, 0,                                                  \
      "a rules file or a rule set; else what the game's file says")                                \
    X(keep, "keep", REAL, 0.7, 0.01, 1, "share of its own moves that are kept, each by chance")    \
    X(discount, "discount", REAL, 0.9, 0, 1, "weight of a trial for every reply of an opponent")   \
    X(explore, "explore", REAL, -1, 0, 100, "how much it tries moves it knows little about")       \
    X(fpu, "fpu", REAL, 1.1, 0, 100, "what a move counts as before it is tried, 1 for a win")      \
    X(rave, "rave", REAL, -1, 0, 1e6, "visits that all moves as first count as; else by the game") \
    X(bias, "bias", REAL, -1, 0, 100, "weight of the heuristic where there are few visits")        \
    X(minimax, "minimax", REAL, -1, 0, 1, "share of the heuristic further down in a value")        \
    X(expand, "expand", COUNT, 0, 1, 1e6, "visits after which a position gets its moves")          \
    X(batch, "batch", COUNT, 0, 0, 1000, "random games in one place; 0: what costs little")        \
    X(judge, "judge", COUNT, -1, 0, 1,                                                             \
      "1: the heuristic instead of random games; else by the game")                                \
    X(cut, "cut", COUNT, 0, 0, 1e6, "moves of a random game at most; 0: by itself")                \
    X(solver, "solver", COUNT, 1, 0, 1, "0: proven wins and losses are not used")                  \
    X(decisive, "decisive", COUNT, 1, 0, 1, "0: does not look for moves that end the game")        \
    X(transpositions, "transpositions", COUNT, 1, 0, 1, "0: each way to a position by itself")     \
    X(reuse, "reuse", COUNT, 1, 0, 1, "0: every move begins with an empty tree")                   \
    X(maxn, "maxn", COUNT, 0, 0, 1, "more than two players: 1: each plays for himself (max-n)")    \
    X(level, "level", LEVEL, 0, 1, 10, "1 or beginner to 10 or strongest")

// The rows: X(function, name, parameters it reads, limits if nobody gives any, begin, end, help).
// `search_FUNCTION` is its PlayerSearch; begin and end may be NULL.
#define SEARCH_PLAYERS(X)                                                                          \
    X(random, "random", "seed", "", NULL, NULL, "any legal move, each equally likely")             \
    X(rules, "rules", "knowledge seed", "", rules_begin, rules_end,                                \
      "the move that the game's rules prefer, or those of a file, without search")                 \
    X(greedy, "greedy", "heuristic=plain knowledge seed", "", NULL, NULL,                          \
      "the move after which the position is worth most")                                           \
    X(minimax, "minimax", "time nodes depth heuristic=plain knowledge", "time=1s", NULL, NULL,     \
      "looks at everything within a depth")                                                        \
    X(plain_alphabeta, "plain-alphabeta", "time nodes depth heuristic=plain knowledge", "time=1s", \
      NULL, NULL, "minimax that leaves out what cannot matter")                                    \
    X(ordered_alphabeta, "ordered-alphabeta", "time nodes depth heuristic=plain knowledge",        \
      "time=1s", NULL, NULL, "alpha-beta that looks at good moves first")                          \
    X(deepening_alphabeta, "deepening-alphabeta", "time nodes depth heuristic=plain knowledge",    \
      "time=1s", NULL, NULL, "alpha-beta to depth 1, 2, 3 and so on, the last best line first")    \
    X(table_alphabeta, "table-alphabeta", "time nodes depth heuristic=plain knowledge memory",     \
      "time=1s", table_begin, table_end, "deepening alpha-beta that remembers positions")          \
    X(alphabeta, "alphabeta", "time nodes depth heuristic knowledge memory threads maxn",          \
      "time=1s", alphabeta_begin, alphabeta_end, "the strong alpha-beta")                          \
    X(stochastic_minimax, "stochastic-minimax",                                                    \
      "time nodes depth heuristic=plain knowledge keep seed", "time=1s", NULL, NULL,               \
      "minimax that leaves out some of its own moves by chance")                                   \
    X(montecarlo, "montecarlo", "time nodes iterations seed", "time=1s", NULL, NULL,               \
      "the move whose random games are won most often")                                            \
    X(montecarlo_breadth, "montecarlo-breadth", "time nodes iterations seed", "time=1s", NULL,     \
      NULL, "random games count less the more replies there were")                                 \
    X(montecarlo_depth, "montecarlo-depth", "time nodes iterations seed discount", "time=1s",      \
      NULL, NULL, "random games count less the more replies they took")                            \
    X(mcts, "mcts",                                                                                \
      "time nodes iterations memory threads seed heuristic knowledge explore fpu rave bias "       \
      "minimax expand "                                                                            \
      "batch judge cut solver decisive transpositions reuse",                                      \
      "time=1s", mcts_begin, mcts_end, "the strong Monte Carlo tree search")                       \
    X(auto, "auto", "time nodes depth memory threads seed level knowledge", "time=1s", auto_begin, \
      auto_end, "looks at the game and picks the player that suits it; can play weaker, too")      \
    X(dfs, "dfs", "time nodes depth memory", "time=10s", plan_begin, plan_end,                     \
      "puzzles: depth-first, some way to the goal")                                                \
    X(bfs, "bfs", "time nodes depth memory", "time=10s", plan_begin, plan_end,                     \
      "puzzles: breadth-first, a shortest way")                                                    \
    X(iddfs, "iddfs", "time nodes depth", "time=10s", plan_begin, plan_end,                        \
      "puzzles: depth-first to depth 1, 2, 3 and so on, a shortest way")                           \
    X(astar, "astar", "time nodes depth memory heuristic=plain knowledge", "time=10s", plan_begin, \
      plan_end, "puzzles: A*, a shortest way by the heuristic")                                    \
    X(idastar, "idastar", "time nodes depth heuristic=plain knowledge", "time=10s", plan_begin,    \
      plan_end, "puzzles: IDA*, a shortest way with hardly any memory")                            \
    X(bestfirst, "bestfirst", "time nodes depth memory heuristic=plain knowledge", "time=10s",     \
      plan_begin, plan_end, "puzzles: goes on where the goal seems nearest, some way")

typedef struct PlayerOptions {
    int64_t time_ms, nodes, depth, iterations, memory_mb, threads, seed;
    const char *heuristic; // NULL: auto
    char *knowledge;       // NULL: not given; owned by the Player
    double keep, discount, explore, fpu, rave, bias, minimax;
    int64_t expand, batch, judge, cut, solver, decisive, transpositions, reuse, maxn;
    int64_t clock_ms, increment_ms; // of the whole game; for each move
    int64_t level;
    uint32_t given; // a bit for each parameter that the text has, in the order of PLAYER_OPTIONS
} PlayerOptions;

// timing.c: what is left on a clock for the whole game. Everybody who reads `time` has it.
typedef struct Timing {
    double left; // seconds
    int length;  // of the game when it was looked at last; less than before: another game
    int moves;   // that a game has, roughly; 0: not known yet
} Timing;

typedef struct PlayerKind PlayerKind;
struct Player {
    const PlayerKind *kind;
    const Game *game;
    Runner *runner;
    PlayerOptions options;
    Knowledge *knowledge;          // of its text, lent, or of the game's file; NULL: none
    bool knowledge_lent;           // somebody else frees it
    const atomic_bool *stop;       // while it is made; may be NULL
    struct Evaluation *evaluation; // if the kind reads `heuristic`, else NULL
    void *own;                     // what the kind keeps between moves; freed by its `end`
    Timing timing;                 // with a clock for the whole game
    Text text, why;
};

typedef bool PlayerSearch(Player *p, const SearchTask *task, SearchResult *result);
typedef bool PlayerBegin(Player *p, Text *why); // false: not for this game, or no memory
typedef void PlayerEnd(Player *p);
struct PlayerKind {
    const char *name;
    const char *help;
    // Names of the parameters it reads, separated by blanks; `name=value` where what is usual is
    // not what PLAYER_OPTIONS says.
    const char *options;
    const char *usual; // the limits it has if neither its text nor the task has one, as text
    PlayerSearch *search;
    PlayerBegin *begin; // may be NULL; called after everything else of the Player is set
    PlayerEnd *end;     // may be NULL; called too after a `begin` that failed
};

#define X(function, name, options, usual, begin, end, help) PlayerSearch search_##function;
SEARCH_PLAYERS(X)
#undef X
PlayerBegin auto_begin, alphabeta_begin, table_begin, plan_begin, mcts_begin, rules_begin;
PlayerEnd auto_end, alphabeta_end, table_end, plan_end, mcts_end, rules_end;

// player_search calls a PlayerSearch with an empty result and only if there is a move to play. It
// fills in what is missing: the first legal move if none was found, the time, the line.

// --- player_knowledge.c: what a player knows about the game besides the rules ---
// Sets p->knowledge if the kind reads that parameter: what its text names, else what is lent, else
// what the game's file says. False with the reason.
bool player_knowledge_begin(Player *p, Knowledge *lent, Text *why);
void player_knowledge_end(Player *p);
// Has it made into machine code, in the background, if that of the game was asked for.
void player_knowledge_use(Player *p);
bool player_prefers(const Player *p); // it knows priorities of moves
// How often the priority of a move is twice the usual one; between -16 and 16.
double player_doublings(Reasoner *r, const uint8_t *before, Move move, const uint8_t *after);
// A rule set of the library, its name as a constant; NULL: there is none. Those with `prefer` are
// players by their own name, `rules:knowledge=NAME`.
const char *player_rule_set(const char *name, size_t n);
void player_list_rule_sets(Text *out, bool json);

// --- limits: what holds is the stricter of the player's own and the task's; 0: none ---
double player_seconds(const Player *p, const SearchTask *task);
int64_t player_nodes(const Player *p, const SearchTask *task);
int64_t player_iterations(const Player *p, const SearchTask *task);
int player_depth(const Player *p, const SearchTask *task);
size_t player_memory(const Player *p, const SearchTask *task); // bytes, never 0
// Random numbers for this move: by the seed, and different from move to move.
void player_random(const Player *p, const SearchTask *task, Rng *rng);

// Seconds for a move if so many are left for the game, and so many come with each move.
double timing_share(Player *p, const Record *record, double left, double increment);
// Seconds for this move, 0 without a clock; what it took is taken off behind it.
double timing_begin(Player *p, const Record *record);
double timing_stretch(const Player *p, double seconds); // what a hard move may take instead
void timing_end(Player *p, double seconds);

// Sorts a move into the result's list of the best; of equal ones the first stays in front.
void result_note(SearchResult *result, Scored scored);

// What an end of the game (runner_result) is worth to a player, `ply` moves from the root. Wins
// that are shared with some, but not with all, are worth half a win.
Value value_of_result(const Game *g, int result, int player, int ply);

// --- clock.c: when to stop, for all players: the stop flag, the time and the nodes ---
// With LUDENS_CLOCK=cpu in the environment time is the processor time of the program, so that a
// match on a busy machine is fair; it runs faster with several threads.
typedef struct Clock {
    bool cpu;            // which time it is
    double begin, until; // seconds; until 0: no limit
    int64_t nodes, node_limit;
    const atomic_bool *stop;
    double looked;   // when the time was looked at last
    int calls, step; // since then; how many calls there are between two looks
    bool over;       // stays set
} Clock;
void clock_start(Clock *c, const Player *p, const SearchTask *task);
// Counts one node. Looks at the stop flag every time, and at the time so often that a few
// milliseconds are not missed, whether nodes take nanoseconds or milliseconds.
bool clock_over(Clock *c);
bool clock_count(Clock *c, int n); // the same for n positions
// Of n positions that are to be looked at together, those that the limit of nodes leaves, and one
// more, and not so many that they would take long where there is a limit of time.
int clock_most(const Clock *c, int n);
bool clock_look(Clock *c);            // the same without counting: for work between two nodes
double clock_seconds(const Clock *c); // since clock_start

#endif
