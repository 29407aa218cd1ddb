// coverage: which parts of the rules took part in games: statements, and rules of the end.
//
// Moves are played once more by the interpreter, with notes of where it has been. Owns its memory,
// borrows the Game, and belongs to one thread. Only what is certain is a gap: a body of `if`, `for`
// or `while` that no move went into.
#ifndef LUDENS_COVERAGE_H
#define LUDENS_COVERAGE_H

#include "game/game.h"

typedef struct Coverage Coverage;

Coverage *coverage_new(const Game *g); // NULL when out of memory
void coverage_free(Coverage *c);

bool coverage_move(Coverage *c, const uint8_t *state, Move move); // false on a fault
// Who is on move there cannot move; `over`: the game ends by it. False on a fault.
bool coverage_stuck(Coverage *c, const uint8_t *state, bool over);

// It has decided something, or its condition does not depend on the position.
bool coverage_rule(const Coverage *c, const IrRule *rule);

typedef struct CoverageGap {
    const IrStmt *at;   // the statement with the body
    bool otherwise;     // it is the body of `else`
    const IrStmt *body; // what was never run
} CoverageGap;
// Calls `visit` for each gap that is not inside another, from top to bottom; false stops.
typedef bool CoverageVisit(void *with, const CoverageGap *gap);
bool coverage_gaps(const Coverage *c, CoverageVisit *visit, void *with);

#endif
