// s3: files of the S3Games system, read as they are and made into the same IrGame as `.game` files.
//
//     text --read.c--> S3File (records, expression trees) --lower*.c--> IrGame
//
// An S3File lives in one arena. Names are compared as in the original: case counts everywhere but
// in section names, keys, END, yes and true/false. docs/s3games.md has the language and every
// difference from the original.
#ifndef LUDENS_S3_H
#define LUDENS_S3_H

#include "ir/ir.h"
#include "ir/look.h"

// ---- Expressions -----------------------------------------------------------------------------

typedef enum S3Kind {
    S3_INT,    // value
    S3_BOOL,   // value 0, 1
    S3_STRING, // parts: text and variables by turns; blanks are gone
    S3_VAR,    // name, without $
    S3_SET,    // { kids }
    S3_LAZY,   // [ kids ]
    S3_UNARY,  // op, kid 0
    S3_BINARY, // op, kids 0 and 1; all operators group to the right
    S3_CALL,   // name, kids: a named expression (bound at load time: `function`)
    S3_BUILT,  // op, kids: a built-in function
} S3Kind;

// X(name, as written)
#define S3_OPERATORS(X)                                                                            \
    X(S3_EQ, "==")                                                                                 \
    X(S3_NE, "!=")                                                                                 \
    X(S3_LT, "<")                                                                                  \
    X(S3_LE, "<=")                                                                                 \
    X(S3_GT, ">")                                                                                  \
    X(S3_GE, ">=")                                                                                 \
    X(S3_ADD, "+")                                                                                 \
    X(S3_SUB, "-") /* also unary */                                                                \
    X(S3_MUL, "*")                                                                                 \
    X(S3_DIV, "/")                                                                                 \
    X(S3_MOD, "%")                                                                                 \
    X(S3_ASSIGN, "=")                                                                              \
    X(S3_AND, "AND")                                                                               \
    X(S3_OR, "OR")                                                                                 \
    X(S3_NOT, "NOT") /* unary */                                                                   \
    X(S3_ABS, "ABS") /* unary */                                                                   \
    X(S3_IN, "IN")                                                                                 \
    X(S3_SUBSET, "SUBSET")                                                                         \
    X(S3_SETMINUS, "SETMINUS")                                                                     \
    X(S3_UNION, "UNION")                                                                           \
    X(S3_INTERSECT, "INTERSECT")
// X(name, as written, arguments that it reads)
#define S3_BUILT_INS(X)                                                                            \
    X(S3_IF, "IF", 3)                                                                              \
    X(S3_FORALL, "FORALL", 4)                                                                      \
    X(S3_FORSOME, "FORSOME", 4)                                                                    \
    X(S3_LOCTYPE, "LOCTYPE", 1)                                                                    \
    X(S3_ELTYPE, "ELTYPE", 1)                                                                      \
    X(S3_STATE, "STATE", 1)                                                                        \
    X(S3_LOCATION, "LOCATION", 1)                                                                  \
    X(S3_CONTENT, "CONTENT", 1)                                                                    \
    X(S3_EMPTY, "EMPTY", 1)                                                                        \
    X(S3_INDEX, "INDEX", 1)                                                                        \
    X(S3_INDEXA, "INDEXA", 2)                                                                      \
    X(S3_UNINDEX, "UNINDEX", 1)                                                                    \
    X(S3_OWNER, "OWNER", 1)                                                                        \
    X(S3_PLAYER, "PLAYER", 0)                                                                      \
    X(S3_SCORE, "SCORE", 1)                                                                        \
    X(S3_ZINDEX, "ZINDEX", 1)                                                                      \
    X(S3_MOVE, "MOVE", 3)                                                                          \
    X(S3_SETOWNER, "SETOWNER", 2)                                                                  \
    X(S3_SETSTATE, "SETSTATE", 2)                                                                  \
    X(S3_SETZINDEX, "SETZINDEX", 2)                                                                \
    X(S3_NEXTPLAYER, "NEXTPLAYER", 0)

typedef enum S3Op {
    S3_NO_OP,
#define X(op, text) op,
    S3_OPERATORS(X)
#undef X
#define X(op, text, arguments) op,
        S3_BUILT_INS(X)
#undef X
} S3Op;

typedef struct S3Part { // of a string: text, then a variable unless it is the last part
    const char *text;
    const char *var; // NULL in the last part
} S3Part;

typedef struct S3Node S3Node;
struct S3Node {
    S3Kind kind;
    S3Op op;
    int32_t value;
    const char *name;
    S3Part *part; // S3_STRING: at least one
    int parts;
    S3Node **kid;
    int kids;
    int function; // S3_CALL: of S3File.function, -1 if there is none of that name
    Span span;
};

// One expression. NULL (reported) if it is none. `at` is where `text` stands in the source.
S3Node *s3_parse(Arena *arena, const char *text, Span at, Diags *diags);
// The text of an element, from or to pattern: always a string.
S3Node *s3_parse_template(Arena *arena, const char *text, Span at, Diags *diags);
// Two variables of a text without anything between them stand at one place: the first is lost.
bool s3_is_lost(const S3Node *string, int part);
const char *s3_op_name(S3Op op);
// How many arguments a built-in function reads; 0 for operators.
int s3_op_arguments(S3Op op);
// Whether a name fits a template, as the original decides it: a template without variables fits
// its own text only; otherwise each variable stands for a whole run of digits, and there are no
// other digits in the name, nor one at its beginning. value[i] is then the number of the i-th
// variable (parts - 1 of them, in the order of the template; a later one of the same name wins).
// One that is lost has none.
bool s3_match(const S3Node *pattern, const char *name, int32_t *value);

// ---- Files ------------------------------------------------------------------------------------

typedef struct S3Function {
    const char *name;
    const char **param; // without $
    int params;
    S3Node **line;
    int lines;
    Span span;
} S3Function;

typedef struct S3Location {
    const char *name;
    int type; // of Look.place_type; -1: none
    bool relevant;
    Span span;
} S3Location; // the rest is in Look.place, at the same index

typedef struct S3Element {
    const char *name;
    int type;                  // of Look.piece; -1: none, or not known
    const char *type_name;     // as written; NULL: none
    int owner;                 // 0: nobody
    int location;              // of S3File.location; -1: none or not known
    const char *location_name; // as written; NULL: none
    int state, zindex;
    Span span;
    Span type_span, location_span, owner_span, state_span; // line 0 where nothing is said
} S3Element;

typedef struct S3Award { // awardPlayer/withScore, or player/score
    S3Node *player, *score;
} S3Award;
typedef struct S3Scoring {
    S3Node *situation;
    S3Award *award;
    int awards;
    Span span;
} S3Scoring;
typedef struct S3End {
    S3Node *situation, *winner;
    Span span;
} S3End;
typedef struct S3Rule {
    const char *name;
    S3Node *element, *from, *to; // templates; to may be NULL with to_locations
    S3Node *state, *player;      // NULL: any
    S3Node *condition;           // NULL: true
    S3Node *followup;            // NULL: none
    S3Node *to_locations;        // NULL: none
    S3Award *award;
    int awards;
    Span span;
} S3Rule;

typedef struct S3File {
    const Source *source;
    const char *name; // of the game: the file's name without folder and ending
    Look *look;
    const char **player; // names
    int players;
    int score; // at the start, of every player
    S3Location *location;
    int locations;
    S3Element *element;
    int elements;
    S3Function *function;
    int functions;
    S3Scoring *scoring;
    int scorings;
    S3End *end;
    int ends;
    S3Rule *rule;
    int rules;
} S3File;

// Whether a text is an S3 file rather than a `.game` file: by its first section headers.
bool s3_recognised(const char *text, size_t size);
// Everything of the file, with cross references looked up. NULL (reported) if it cannot be played;
// what is merely odd is a warning with its line. Duplicates: the later replaces the earlier in its
// place.
S3File *s3_read(Arena *arena, const Source *source, Diags *diags);
// The game. `params` are those of every S3 game: `moves=distinct` (default: moves that differ only
// in irrelevant places or in which of equal elements moves count once) or `moves=all`. NULL
// (reported) on what cannot be played.
IrGame *s3_lower(Arena *arena, const S3File *file, const char *const *params, int count,
                 Diags *diags);

#endif
