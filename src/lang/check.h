// check: tree -> game. Names, types, ranges and finiteness are checked here, parameters are
// bound, and the result is the IR that every back end reads.
//
// All that is wrong is reported in `diags`; the game is NULL exactly when an error was.
// `params` are texts such as "rows=6"; parameters not named take their defaults.
#ifndef LUDENS_CHECK_H
#define LUDENS_CHECK_H

#include "ir/ir.h"
#include "lang/ast.h"

IrGame *check_game(Arena *arena, const Node *file, const Source *source, const char *const *params,
                   int count, Diags *diags);

#endif
