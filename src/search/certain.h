// certain: what can be proven about the moves of a position while a game is played.
//
// For games of placing pieces (prove_placing.h). Every move is asked about for a few positions,
// then for twice as many, and so on, until the time for it is over or everything is known. What was
// found out is kept for the next moves of the game. Where hardly anything can be proven yet, little
// time is spent on trying.
#ifndef LUDENS_CERTAIN_H
#define LUDENS_CERTAIN_H

#include "search/player.h"

typedef struct Certain Certain;

// What is known about one move, seen from the player on move: PROVE_LOST to PROVE_WON.
typedef struct CertainMove {
    Move move;
    int low, high; // its value is between them
    int cost;      // of finding out: the bits of the number of positions
} CertainMove;

typedef struct CertainResult {
    const CertainMove *move; // all moves; they belong to the Certain, until it looks again
    int count;
    int low, high; // the value of the position
    int length;    // moves that the game can go on for at most
    int64_t nodes;
    double seconds;
} CertainResult;

// NULL: it is another kind of game, or there is no memory. `bytes` are for its table, at most.
Certain *certain_new(const Game *game, Runner *runner, size_t bytes);
void certain_free(Certain *c);
// Takes a part of what `task` allows; false if the rules failed, or if there is no limit to take a
// part of.
bool certain_look(Certain *c, const Player *p, const SearchTask *task, CertainResult *out);
// Whether a move is known to be worse than another one, or does not surely win while another one
// does. Where all lose, those are that were much
// easier to refute.
bool certain_is_worse(const CertainResult *r, int move);
// Which of the moves is best, as far as is known. Of those that win it is the one that was easiest
// to prove, and one that wins at once in any case; of those that lose the one that was hardest to
// refute.
int certain_best(const CertainResult *r);

#endif
