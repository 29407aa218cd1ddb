// prove: what a position is worth with best play, exactly.
//
// The value is seen from the player on move in the position, who is called first here: won, drawn
// or lost. All others play against that player, so in games of more than two a win means that
// nobody can prevent it. Games that never end are drawn; a puzzle is won if its goal can be
// reached and lost otherwise.
//
// What is found by a search that is stopped, or runs out of time, still holds: bounds.
#ifndef LUDENS_PROVE_H
#define LUDENS_PROVE_H

#include "search/search.h"

enum { PROVE_LOST = -1, PROVE_DRAWN = 0, PROVE_WON = 1 };

// Ways to prove, for tests that compare them. X(constant, name)
#define PROVE_WAYS(X)                                                                              \
    X(PROVE_AUTO, "auto")                                                                          \
    X(PROVE_PLACING, "placing")       /* games of placing pieces, seen as sets of cells */         \
    X(PROVE_SUM, "sum")               /* games of parts, each a heap */                            \
    X(PROVE_ALPHABETA, "alphabeta")   /* any game, to the end, with a table */                     \
    X(PROVE_DFPN, "dfpn")             /* any game, by proof numbers */                             \
    X(PROVE_RETROGRADE, "retrograde") /* all positions, from the ends backwards */                 \
    X(PROVE_PATH, "path")             /* puzzles: some way to the goal */

typedef enum ProveWay {
#define X(constant, name) constant,
    PROVE_WAYS(X)
#undef X
} ProveWay;

typedef struct ProveTask {
    const Game *game;
    const uint8_t *state; // NULL: the game's own start
    double seconds;       // 0: no limit
    int64_t nodes;        // 0: no limit
    size_t memory;        // bytes of tables; 0: PROVE_MEMORY
    const atomic_bool *stop;
    ProveWay way;
    void (*hurry)(void *with); // NULL, or called when the rules begin to be run many times
    void *with;
} ProveTask;

#define PROVE_MEMORY ((size_t)512 << 20)

typedef struct ProveResult {
    int low, high;              // the value is between them; equal: proven
    Move line[SEARCH_MAX_LINE]; // best play, as far as it is known
    int line_length;
    int64_t nodes; // positions looked at
    double seconds;
    bool too_large;  // not proven though there was time: no way has room for the game
    const char *way; // the name of the way that settled it, or that was tried last
} ProveResult;

// False with the reason if the rules fail, memory is short, or the way is not for this game.
bool prove_position(const ProveTask *task, ProveResult *result, Text *why);

#endif
