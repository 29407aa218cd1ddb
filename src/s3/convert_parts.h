// convert_parts: what the files of the converter share.
//
// Gx is an expression of the `.game` language, made by functions that simplify as they go. Names of
// variables are chosen when it is printed; until then a Gx_LOCAL is known by its number. Sv is the
// value of an S3 expression while it is followed: a Gx, or something that `.game` files have no
// value for (a text, an element). An Env is what is known of the S3 variables at some point.
#ifndef LUDENS_CONVERT_PARTS_H
#define LUDENS_CONVERT_PARTS_H

#include "s3/convert.h"

#include <setjmp.h>

enum { CV_VARS = 160, CV_FAMILIES = 64, CV_LETS = 200, CV_DEPTH = 40, CV_PARAMS = 24 };

typedef enum GxOp {
    GX_INT,    // value
    GX_BOOL,   // value
    GX_BY_ME,  // by[player on move]
    GX_LOCAL,  // value is its number, text the wished name
    GX_WORD,   // text
    GX_CALL,   // text(kids)
    GX_ENTRY,  // text[kid]
    GX_BINARY, // text is the operator, value how tightly it binds
    GX_NOT,
    GX_NEG,
    GX_IF,    // kid 0 then kid 1 else kid 2
    GX_RANGE, // text (some, all, count, sum) kid 0 in kid 1 .. kid 2 : kid 3
    GX_EACH,  // text kid 0 in the set kid 1 : kid 2
} GxOp;

typedef struct Gx Gx;
struct Gx {
    GxOp op;
    const char *text;
    int32_t value;
    const int32_t *by;
    Gx **kid;
    int kids;
    bool live; // depends on the position
};

typedef enum SvKind {
    SV_LOST,  // text says why it is not known
    SV_INT,   // x
    SV_BOOL,  // x
    SV_TEXT,  // a name: text is its key (digits cut out), index its numbers
    SV_TYPE,  // the type of a piece: x is a player or a kind
    SV_OWNER, // x
    SV_AT,    // the element on the cell x
} SvKind;
typedef struct Sv {
    SvKind kind;
    Gx *x;
    const char *text;
    Gx **index;
    int indices;
    bool old; // SV_AT: it stood there before something changed
} Sv;

typedef struct Env {
    const Sv *var[CV_VARS]; // NULL: nothing was assigned
    int turn;               // how often NEXTPLAYER was met; -1: not known
} Env;

typedef enum Role { R_NONE, R_MAIN, R_SUPPLY, R_COUNTER, R_SWITCH } Role;
typedef struct Family { // names that differ in their numbers only
    const char *key;
    const char *base;
    int arity;
    int low[4], high[4];
    int count;
    int first; // index of the first member in the file
    bool complete;
    // of places
    Role role;
    bool relevant, read;    // whether conditions ask for it
    int player;             // 1..: whose supply or stack; 0: nobody's
    bool downwards;         // a stack that is filled from the last place
    int start;              // elements at the start
    const char *variable;   // its `var`; NULL: it needs none
    bool per_player, ended; // the variable has an entry for each; the game ends when it is full
    // of elements
    int kind, type; // type -1: several
} Family;

typedef struct Kind {
    const char *name;
    int family; // of elements
    int player; // 0: nobody
    char letter;
} Kind;

typedef struct Let {
    const char *name;
    Gx *param[CV_PARAMS];
    int params;
    Gx *body;
} Let;

typedef enum StWhat {
    DO_MOVE,
    DO_REMOVE,
    DO_SET,
    DO_ADD,
    DO_EACH,
    DO_RANGE,
    DO_IF,
    DO_AGAIN
} StWhat;
typedef struct St St;
struct St {
    StWhat what;
    Gx *a, *b, *c;
    St *body, *other, *next;
};

typedef struct Convert {
    Arena *arena;
    const S3File *file;
    Diags *diags;
    jmp_buf *trap; // where cv_fail goes
    Span reason_at;
    const char *reason;

    const char *var[CV_VARS];
    int vars;
    Family place[CV_FAMILIES], element[CV_FAMILIES];
    int places, elements;
    int main; // of place
    // The board: which number of a place is its column and which its row; -1: there is none.
    int column, row;
    int width, height;
    bool numbered, matrix; // one number runs through a grid; row 1 at the top
    const char *cell_name, *number_name;

    Kind kind[CV_FAMILIES];
    int kinds;
    bool merged;            // one kind of piece, the types are the players
    const char *piece_name; // of it
    bool states, numbers;   // attributes of the pieces
    int state_low, state_high, number_low, number_high;
    const char *state_name, *index_name;
    bool types_asked;

    const char *player[IR_MAX_PLAYERS + 1]; // by number, from 1
    int players;
    int rule_player; // the player of the rule that is looked at; 0: any
    const char *last_name, *origin_name;
    bool last_used, origin_used;

    Let let[CV_LETS];
    int lets;
    const char *taken[600];
    int taken_count;
    int next_local;
    int calls[CV_DEPTH]; // functions that are being looked at
    int depth;
    int nesting;
    long work;
    // An element that is looked up by name, "b($EL)" with $EL running through all of them, is the
    // piece on a cell: named[0] is the key, named_index the loop's variable.
    const char *named;
    Gx *named_index, *named_cell;
    // What must hold so that pieces off the board do not count there; see cv_named_check.
    uint64_t states_asked, states_given;
    uint64_t unset;
    bool loose;
    Gx *from, *to; // the chosen cells
    S3Reach *reach;
} Convert;

// --- convert_expr.c: making ---
Gx *gx_int(Convert *c, int32_t v);
Gx *gx_bool(Convert *c, bool v);
Gx *gx_local(Convert *c, const char *wish);
Gx *gx_word(Convert *c, const char *text, bool live);
Gx *gx_call(Convert *c, const char *name, int n, Gx **kid, bool live);
Gx *gx_call1(Convert *c, const char *name, Gx *a, bool live);
Gx *gx_entry(Convert *c, const char *name, Gx *index);
Gx *gx_by_me(Convert *c, const int32_t *by);
Gx *gx_math(Convert *c, S3Op op, Gx *a, Gx *b, Span at); // arithmetic and comparisons
Gx *gx_same_value(Convert *c, Gx *a, Gx *b, bool equal); // of cells, players, kinds
Gx *gx_in(Convert *c, Gx *a, Gx *set);
Gx *gx_not(Convert *c, Gx *a);
Gx *gx_and(Convert *c, Gx *a, Gx *b);
Gx *gx_or(Convert *c, Gx *a, Gx *b);
Gx *gx_if(Convert *c, Gx *cond, Gx *a, Gx *b);
Gx *gx_neg(Convert *c, Gx *a);
Gx *gx_abs(Convert *c, Gx *a);
Gx *gx_range(Convert *c, const char *word, Gx *local, Gx *low, Gx *high, Gx *body);
Gx *gx_each(Convert *c, const char *word, Gx *local, Gx *set, Gx *body);
bool gx_is(const Gx *x, bool value);     // the constant
bool gx_equal(const Gx *a, const Gx *b); // the same tree
bool gx_has(const Gx *x, const Gx *local);
Gx *gx_put(Convert *c, Gx *x, const Gx *local, Gx *with);
Gx *gx_replace(Convert *c, Gx *x, const Gx *what, Gx *with); // a part that is equal to `what`
int gx_free(const Gx *x, Gx **local, int n); // adds the free variables; at most CV_PARAMS
// --- convert_print.c ---
typedef struct Names {
    Gx *local[64];
    const char *name[64];
    int n;
} Names;
void gx_print(Convert *c, const Gx *x, Names *names, int level, Text *out);
const char *gx_name(Convert *c, Names *names, Gx *local, const char *wish);
void st_print(Convert *c, const St *s, Names *names, int indent, Text *out);
bool cv_taken(const Convert *c, const char *name);
// A name for something of the whole file, near to `wish`; nobody else gets it.
const char *cv_name(Convert *c, const char *wish);

// --- convert_place.c ---
void cv_families(Convert *c);
int cv_find(const Family *f, int n, const char *key);
const char *cv_key(Convert *c, const char *name, int *index, int *indices);
Gx *cv_cell(Convert *c, const Family *f, Gx **index);
Gx *cv_index(Convert *c, const Family *f, Gx *cell, int which);
// --- convert_kind.c ---
void cv_kinds(Convert *c);
Gx *cv_player(Convert *c, int number);       // as the rule looked at sees it
Gx *cv_kind_set(Convert *c, int kind);       // its cells
Gx *cv_counter(Convert *c, const Family *f); // the variable of a supply or stack

// --- convert_eval.c ---
_Noreturn void cv_fail(Convert *c, Span at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int cv_var(Convert *c, const char *name);
const Sv *cv_sv(Convert *c, SvKind kind, Gx *x);
const Sv *cv_lost(Convert *c, const char *why);
const Sv *cv_eval(Convert *c, const S3Node *n, Env *env);
Gx *cv_int(Convert *c, const S3Node *n, Env *env);
// A condition; *yes and *no are what is known where it holds and where it does not.
Gx *cv_cond(Convert *c, const S3Node *n, const Env *in, Env *yes, Env *no);
void cv_merge(Convert *c, Gx *cond, const Env *a, const Env *b, Env *out);
Gx *cv_type_value(Convert *c, const Sv *v, Span at); // NULL: no piece of that type
const Family *cv_place_of(Convert *c, const Sv *v, Span at);
Gx *cv_cell_of(Convert *c, const S3Node *n, Env *env); // a place of the board
const char *cv_lower(Convert *c, const char *name);
// --- convert_call.c ---
const Sv *cv_call(Convert *c, const S3Node *n, const Env *in, Env *yes, Env *no);
const char *cv_let(Convert *c, const char *wish, Gx **param, int params, Gx *body);
Gx *cv_named(Convert *c, const char *wish, Gx *body); // a let over its free variables
void cv_enter(Convert *c, int function, Span at);
void cv_leave(Convert *c);
// --- convert_loop.c ---
Gx *cv_loop(Convert *c, const S3Node *n, const Env *in, Env *yes, Env *no);
// Off the board, pieces still have states. Where the rules ask for one by name, it must be a state
// that only pieces on the board can have; otherwise this is a reason not to convert.
void cv_named_check(Convert *c);
void cv_bounds(Convert *c, const S3Node *n, Env *env, Gx **low, Gx **high);
// The element family whose members a text runs through with the variable, from the first to the
// last; -1 if it does not.
int cv_whole_family(Convert *c, const S3Node *text, const char *var, Gx *low, Gx *high);
// --- convert_do.c ---
bool cv_effect(const Convert *c, const S3Node *n, int depth);
Gx *cv_do(Convert *c, const S3Node *n, Env *env, St ***tail);
void cv_stale(Convert *c, Env *env);
St *cv_st(Convert *c, StWhat what, Gx *a, Gx *b, St ***tail);

#endif
