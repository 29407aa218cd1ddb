// check: tree -> game. Names, types, ranges and finiteness are checked here, parameters are
// bound, and the result is the IR that every back end reads.
//
// All that is wrong is reported in `diags`; the game is NULL exactly when an error was.
// `params` are texts such as "rows=6"; parameters not named take their defaults.
#ifndef LUDENS_CHECK_H
#define LUDENS_CHECK_H

#include "ir/ir.h"
#include "lang/ast.h"

// A rules file beside a game: the game's file is checked again, with the same parameters, and what
// the rules file says is added to it and stands for what the game's says about the same.
IrGame *check_rules_file(Arena *arena, const Node *game, const Source *game_source,
                         const char *const *params, int count, const Node *rules,
                         const Source *source, Diags *diags);
// The same for a game that comes from elsewhere and is not used otherwise.
IrGame *check_rules_for(IrGame *g, const Node *rules, const Source *source, Diags *diags);

IrGame *check_game(Arena *arena, const Node *file, const Source *source, const char *const *params,
                   int count, Diags *diags);

#endif
