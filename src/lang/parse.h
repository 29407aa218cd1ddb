// parse: rules text -> tree (ast.h).
//
// Reports every error it can find in `diags` and recovers at the next line; always returns an
// N_FILE node, which is complete exactly when no error was reported. Nesting is bounded by
// PARSE_DEPTH, so that no text can exhaust the stack.
#ifndef LUDENS_PARSE_H
#define LUDENS_PARSE_H

#include "lang/ast.h"

// Deeper nesting of blocks or parentheses than this is not written by people; each level takes
// about half a kilobyte of stack.
#define PARSE_DEPTH 200

Node *parse_file(Arena *arena, const Source *source, Diags *diags);

#endif
