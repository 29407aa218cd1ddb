// ast: what the parser makes of a rules file.
//
// One kind of node for everything: a kind, a place, perhaps a word, a number, and children.
// The table below says for every kind which children it has; the checker (check.c) relies on
// exactly that. Nodes live in the compilation's arena. After a syntax error the parser leaves
// the broken statement out and goes on, so a tree never holds a malformed node.
#ifndef LUDENS_AST_H
#define LUDENS_AST_H

#include "base/diag.h"
#include "base/mem.h"

#include <stdint.h>

// X(kind, what `word` holds, what `number` holds, the children)
//   name?   the child may be absent: then its place holds NULL
//   name*   any number of children, to the end
#define AST_KINDS(X)                                                                               \
    /* The file. */                                                                                \
    X(N_FILE, "", "", "item*")                                                                     \
    X(N_GAME, "title", "", "gameline*")                                                            \
    X(N_ALSO, "", "", "N_STRING*")                                                                 \
    X(N_ABOUT, "one sentence about the game", "", "")                                              \
    X(N_SOURCE, "where the rules come from", "", "")                                               \
    X(N_LANGUAGE, "", "version", "")                                                               \
    X(N_PLAYERS, "", "", "N_DECLARED*")                                                            \
    X(N_DECLARED, "name", "", "look:N_STRING?")                                                    \
    X(N_PARAMETER, "name", "", "ptype default:expr* ; help text in `extra`")                       \
    X(N_DEMAND, "message", "", "condition")                                                        \
    /* Types of parameters, variables and attributes. */                                           \
    X(N_TYPE_NAME, "bool player cell cells direction piece", "1 if `or none`", "")                 \
    X(N_TYPE_RANGE, "", "", "low high")                                                            \
    X(N_TYPE_ONE_OF, "", "", "value*")                                                             \
    X(N_TYPE_LIST_OF, "", "", "low high")                                                          \
    X(N_TYPE_SOME_OF, "", "", "N_DECLARED*")                                                       \
    /* The board. */                                                                               \
    X(N_BOARD, "square rhombus hexagon triangle lines", "", "width? height? boardline*")           \
    X(N_LINES, "", "", "N_LINE*")                                                                  \
    X(N_LINE, "", "", "N_NAME*")                                                                   \
    X(N_LINES_OF, "", "", "length")                                                                \
    X(N_CELLS_WHERE, "", "", "condition")                                                          \
    X(N_DIRECTIONS, "", "", "condition? N_NAME*")                                                  \
    X(N_STACKS_OF, "", "", "height")                                                               \
    X(N_SYMMETRY, "", "", "N_NAME*")                                                               \
    X(N_COORDINATES, "chess or matrix", "", "")                                                    \
    X(N_POINT, "cell name", "", "x y")                                                             \
    /* Pieces, variables, definitions. */                                                          \
    X(N_PIECE, "", "", "kinds:N_LIST owners:N_LIST attributes:N_LIST")                             \
    X(N_LIST, "", "", "any*")                                                                      \
    X(N_ATTRIBUTE, "name", "", "type default:expr?")                                               \
    X(N_VAR, "name", "1 for a clock", "index:N_TYPE_*? type initial:expr*")                        \
    X(N_LET, "name", "1 if it has a parameter list", "body N_NAME*")                               \
    /* Sections. */                                                                                \
    X(N_SETUP, "", "", "block")                                                                    \
    X(N_TURN, "", "", "block")                                                                     \
    X(N_END, "", "", "N_RULE*")                                                                    \
    X(N_STUCK, "", "1 for `when all stuck`", "N_RULE*")                                            \
    X(N_RULE, "", "", "outcome condition? ; sentence in `extra`")                                  \
    X(N_WINS, "", "1 if `loses`", "player")                                                        \
    X(N_DRAW, "", "", "")                                                                          \
    X(N_MOST, "", "1 if `least`", "score")                                                         \
    X(N_PASS, "", "", "")                                                                          \
    X(N_REPEATED, "", "", "times")                                                                 \
    X(N_WITHOUT, "", "", "moves")                                                                  \
    X(N_NOTATION, "", "", "N_FORMAT*")                                                             \
    X(N_FORMAT, "choice name", "", "N_STRING")                                                     \
    X(N_INPUT, "", "", "block")                                                                    \
    X(N_WORDS, "language", "", "N_PHRASE*")                                                        \
    X(N_PHRASE, "text or name", "1 if a name", "N_STRING")                                         \
    X(N_TABLE, "", "", "tableline*")                                                               \
    X(N_TABLE_MIDDLE, "", "", "x y")                                                               \
    X(N_TABLE_NUMBER, "pitch turn surface height width grip", "", "value")                         \
    X(N_TABLE_PIECE, "", "", "N_TABLE_NUMBER*")                                                    \
    X(N_TABLE_STORE, "kind, NULL for all", "", "owner:N_NAME? x y step-x? step-y? places? stack?") \
    X(N_TABLE_COLOUR, "kind", "column of the colour's name",                                       \
      "owner:N_NAME? hue:N_TYPE_RANGE? saturation? value? ; colour in `extra`")                    \
    /* Knowledge. */                                                                               \
    X(N_KNOWLEDGE, "title", "", "")                                                                \
    X(N_FACTS, "", "", "N_FACT*")                                                                  \
    X(N_FACT, "", "", "N_ATOM condition? N_EACH*")                                                 \
    X(N_EACH, "name", "", "domain")                                                                \
    X(N_RULES, "", "", "N_CLAUSE*")                                                                \
    X(N_CLAUSE, "", "", "N_ATOM (expr or N_BIND)*")                                                \
    X(N_ATOM, "relation", "1 if it has brackets", "argument*")                                     \
    X(N_BIND, "name", "", "value")                                                                 \
    X(N_WORTH, "", "", "(N_WORTH_LINE or N_WORTH_OPPONENT)*")                                      \
    X(N_WORTH_LINE, "", "", "N_ATOM weight ; sentence in `extra`")                                 \
    X(N_WORTH_OPPONENT, "", "", "weight ; sentence in `extra`")                                    \
    X(N_PREFER, "", "", "N_TIMES*")                                                                \
    X(N_TIMES, "", "", "factor condition ; sentence in `extra`")                                   \
    /* Statements. */                                                                              \
    X(N_BLOCK, "", "", "statement*")                                                               \
    X(N_SAY, "text", "", "")                                                                       \
    X(N_CHOOSE, "name", "", "domain")                                                              \
    X(N_EITHER, "", "", "N_BRANCH*")                                                               \
    X(N_BRANCH, "label or NULL", "", "block")                                                      \
    X(N_REQUIRE, "message or NULL", "", "condition")                                               \
    X(N_IF, "", "", "condition then:block else:(block or N_IF)?")                                  \
    X(N_FOR, "name", "", "domain block")                                                           \
    X(N_WHILE, "", "", "condition limit block")                                                    \
    X(N_LOCAL, "name", "", "type initial")                                                         \
    X(N_ASSIGN, "= += -=", "", "target value")                                                     \
    X(N_PLACE, "", "", "piece cells:N_LIST inits:N_LIST of N_INIT")                                \
    X(N_INIT, "attribute", "", "value")                                                            \
    X(N_MOVE, "", "", "from to above-level?")                                                      \
    X(N_REMOVE, "", "", "cells*")                                                                  \
    X(N_CLEAR, "", "", "cells*")                                                                   \
    X(N_CHANGE, "", "", "cells piece")                                                             \
    X(N_AGAIN, "", "", "")                                                                         \
    X(N_SCATTER, "", "", "count piece cells seed")                                                 \
    X(N_SCRAMBLE, "", "", "count seed")                                                            \
    X(N_DIAGRAM, "", "", "N_STRING*")                                                              \
    X(N_READ, "name", "1 if `as letter`",                                                          \
      "domain:(expr or N_LIST of N_INIT)? ; message in `extra`")                                   \
    X(N_ANSWER, "", "", "N_INIT*")                                                                 \
    /* Expressions. */                                                                             \
    X(N_INT, "", "value", "")                                                                      \
    X(N_BOOL, "", "0 or 1", "")                                                                    \
    X(N_STRING, "text", "", "")                                                                    \
    X(N_NAME, "name", "", "")                                                                      \
    X(N_CALL, "name", "", "argument*")                                                             \
    X(N_LABELLED, "from through while until", "", "argument")                                      \
    X(N_INDEX, "name", "", "index")                                                                \
    X(N_BINARY, "operator", "", "left right")                                                      \
    X(N_UNARY, "- not before some no count the", "", "operand")                                    \
    X(N_COND, "", "", "condition then else")                                                       \
    X(N_WHERE, "", "", "domain condition")                                                         \
    X(N_BRACES, "", "", "member*")                                                                 \
    X(N_RANGE, "", "", "low high")                                                                 \
    X(N_OF, "", "", "piece player")                                                                \
    X(N_LINES_THROUGH, "", "", "cell")                                                             \
    X(N_QUANT, "some all no count sum min max union", "", "domain body ; variable in `extra`")     \
    X(N_THE, "least or most, NULL for the first", "", "domain score? ; variable in `extra`")

typedef enum NodeKind {
#define X(kind, word, number, children) kind,
    AST_KINDS(X)
#undef X
} NodeKind;

typedef struct Node {
    NodeKind kind;
    Span span;         // the words that make the node; for blocks and sections, the first word
    size_t offset;     // of the span's first byte in the source; 0 also if it is not known
    const char *word;  // see the table; NULL if unused
    const char *extra; // see the table; NULL if unused
    Span extra_span;   // the place of `extra` or of a declared name, where there is one
    int64_t number;
    struct Node **kids; // NULL entries where an optional child is absent
    int count;
} Node;

// Binary operators keep their source spelling in `word`:
//   or and == != < <= > >= in "not in" within "not within" + - | * / % &
// `a not in b` is one operator. Comparisons do not chain.

// A printed tree, for tests and for looking: one node per line, indented.
void ast_print(const Node *node, Text *out);
// The source text that a node was read from, on one line with single blanks; for messages.
const char *ast_text(const Source *source, const Node *node, Arena *arena);

#endif
