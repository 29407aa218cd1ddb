// player: what kinds of players are made of. A new one is a file with a function of type
// PlayerSearch and a row here.
#ifndef LUDENS_PLAYER_H
#define LUDENS_PLAYER_H

#include "search/search.h"

// Parameters that a player may have: X(field, name, usual value, least, most, help). Times are in
// milliseconds and are written `time=500ms`, `time=2s`, sizes in megabytes `memory=64`.
typedef struct PlayerOptions {
    int64_t time_ms, nodes, depth, iterations, memory_mb, threads, seed;
    const char *heuristic; // none, material, mobility, goal, own: see evaluate.h
    double keep;           // stochastic minimax: share of own moves that are kept
    double discount;       // Monte Carlo: weight of a trial per reply of the opponent
    double explore;        // MCTS
    int level;             // 0: none; 1 beginner .. 10 strongest
} PlayerOptions;

typedef struct PlayerKind PlayerKind;
struct Player {
    const PlayerKind *kind;
    const Game *game;
    Runner *runner;
    PlayerOptions options;
    void *own; // what the kind keeps between moves; freed by its `end`
    Text text, why;
};

typedef bool PlayerSearch(Player *p, const SearchTask *task, SearchResult *result);
struct PlayerKind {
    const char *name;
    const char *help;
    const char *options; // names of the parameters it reads, separated by blanks
    PlayerSearch *search;
    bool (*begin)(Player *p, Text *why); // may be NULL
    void (*end)(Player *p);              // may be NULL
};

// When to stop, for all players: asks the stop flag, the clock (not at every call) and the nodes.
typedef struct Clock {
    double begin, until; // seconds; until 0: no limit
    int64_t nodes, node_limit;
    const atomic_bool *stop;
    bool over; // stays set
} Clock;
void clock_start(Clock *c, const Player *p, const SearchTask *task);
bool clock_over(Clock *c); // counts one node
double clock_seconds(const Clock *c);

#endif
