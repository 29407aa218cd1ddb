// lower: what the files lower*.c share. Private to them; see s3.h for the contract.
//
// The rules are followed symbolically, once for each player on move. Every S3 variable has a Value:
// what is known of it at that point, as an expression over the chosen cells and the position. An
// expression is an X. Equal ones are the same object, and whatever depends on one small thing only
// (the chosen cell, what stands on a cell) is at once a table over that thing; so conditions with
// known results disappear, loops and recursions that end of themselves are unrolled, and what is
// left reads like rules written for sets of cells. Effects become statements Y. In the end, what
// nobody reads is dropped, and the rest becomes IR.
//
// Where the growth gets out of hand, everything is done again with loops as loops (Lower.frugal).
#ifndef LUDENS_S3_LOWER_H
#define LUDENS_S3_LOWER_H

#include "base/mem.h"
#include "s3/s3.h"

#include <string.h>

// --- expressions ---

typedef enum XOp {
    X_CONST, // value
    X_LOCAL, // local `value`: a number, cell or set
    X_PLANE, // atom: the plane on cell kid 0; planes where there is none
    X_ELEM,  // atom: the element on cell kid 0, counted from 1; 0 where there is none
    X_WHERE, // atom: the cell of element kid 0 (counted from 1); none
    X_SCORE, // atom: of player kid 0 (0..)
    X_VAR,   // atom: scratch variable `value`
    X_ME,    // atom: the player on move, 0..
    X_DEPTH, // atom: the z-index of the piece on cell kid 0
    X_FUN,   // tab[kid 0 - kid 0's lo]
    X_NAME,  // what a text with the numbers kids in it names; `shape`, result in `space`
    X_SUM,   // value + sum of tab[i] * kid i
    X_MUL,
    X_DIV, // the divisor is not 0
    X_MOD,
    X_ABS,
    X_WRAP,
    X_EQ,
    X_LT,
    X_BOTH,
    X_EITHER,
    X_NOT,
    X_COND,
    X_HAS, // cell kid 0 in set kid 1
    // sets of cells
    X_CELLS,  // a constant: words
    X_PIECES, // cells with one of the planes in mask
    X_FREE,   // cells with nothing
    X_AND,
    X_OR,
    X_MINUS,
    X_SINGLE,
    X_SETS,   // constant sets by local kid 0: words
    X_FILTER, // members of kid 0, each in local `value`, that pass kid 1
    X_FIRST,  // first member of kid 0, a cell
    X_SOME,
} XOp;

typedef enum XType { T_INT, T_BOOL, T_CELL, T_SET } XType;

// What the value hangs on that can change in the course of a turn.
enum { READS_PLACES = 1, READS_LOOKS = 2, READS_SCORE = 4, READS_SCRATCH = 8 };

typedef struct Shape Shape;
typedef struct X X;
struct X {
    XOp op;
    XType type;
    int32_t lo, hi;
    int64_t value;
    X **kid;
    int kids;
    int32_t *tab;    // X_FUN: entries; X_SUM: factors
    uint64_t *words; // X_CELLS, X_SETS; domain of a cell X_LOCAL (NULL: all)
    uint64_t mask;   // X_PIECES; domain of an X_PLANE
    const Shape *shape;
    int space;
    X *atom[2]; // what it is a function of, if that is not more than two
    int atoms;  // 3: more
    unsigned reads;
    int top;    // one more than the highest local in it, 0 if there is none
    int weight; // nodes, as a tree; capped
    uint32_t hash;
    X *chain;
    unsigned seen; // by walks
    IrExpr *ir;
    int table; // X_FUN, X_SETS: id once made
};

// --- names ---

// Texts that matter, each with its number: number 0 is "", 1 is "a text that names nothing".
typedef struct Word {
    const char *text;
    int element, cell; // -1 if it names none
    int base;          // number of the name without indices
    struct Word *chain;
    int number;
} Word;

struct Shape { // the text of a template: text 0, index 0, text 1, …
    const char **text;
    int indices;
};

typedef enum Space { SP_ELEMENT, SP_CELL, SP_WORD, SP_TEXT } Space;

// --- values ---

// V_LOST: a set that came out of a loop that is not written out; it cannot be read.
typedef enum ValueKind {
    V_UNBOUND,
    V_INT,
    V_BOOL,
    V_STRING,
    V_SET,
    V_LOST,
    V_EITHER,
    V_ACTION
} ValueKind;
typedef struct Value Value;
typedef struct Item Item;
struct Value {
    ValueKind kind;
    Space space;        // V_STRING: what x is a number of; SP_TEXT: shape and index instead
    X *x;               // V_INT, V_BOOL, V_STRING; V_EITHER: whether it is a
    const Shape *shape; // SP_TEXT
    X **index;
    Item *item; // V_SET: members in order, each perhaps there
    int items;
    bool lazy;          // V_SET: written with [ ]
    const Value *a, *b; // V_EITHER
    const S3Node *call; // V_ACTION: with arguments `item`
};
struct Item {
    X *when; // it is a member; never constant 0
    Value value;
};

// --- statements ---

typedef struct Y Y;
struct Y {
    IrStmtKind kind;
    int id;  // as in IrStmt; variables by VAR_…; ST_CHOOSE, ST_FOR: the local
    X *x[3]; // as in IrStmt.e; ST_CHOOSE, ST_FOR: the set, or both ends of the range
    Y *body, *other, *next;
    const char *text;
    const char *say, *before, *name; // ST_CHOOSE, or an ST_LET that names what was chosen
    const char **labels;
    bool needed;
    Span span;
};
typedef struct Block {
    Y *first, *last;
} Block;

// Variables of the state, before it is known which are used.
enum { VAR_CONTENT, VAR_AT, VAR_SCORE, VAR_WINNER, VAR_SCRATCH };

typedef struct Slot {
    XType type;
    int32_t lo, hi;
    const char *name;
    X *x;
    int frame; // 0: of the turn, else of procedure frame - 1
    bool used;
    int final; // its number in the frame
} Slot;

typedef struct Plane { // a kind of piece and its owner
    int type;          // number of the word for its type
    int look;          // of S3File.look->piece, -1
    int group;         // elements that the rules' patterns tell apart
    int state, owner;
    int depth; // z-index, if it cannot change
} Plane;

typedef struct Fact {
    X *x;
    bool holds;
} Fact;

// What calling a named expression may do, found from the text alone.
typedef struct Effects {
    uint64_t *assigns; // variables, a bit each
    bool moves, looks, next;
} Effects;

// How a variable is handed from one round of a loop, or one call, to the next.
typedef struct Carrier {
    ValueKind kind; // V_UNBOUND: not at all; V_EITHER: of several kinds, the tag tells which
    Space space;
    bool maybe; // it may have no value
} Carrier;

// A named expression that calls itself. Its variables go through variables of the state.
typedef struct Proc Proc;
struct Proc {
    int function, number;
    IrProc *ir;
    Block block;
    Proc *next;
};
typedef struct ProcKinds { // what attempts have found out so far about a function
    bool known;
    Carrier *in, *out; // of the variables at its begin and end
    Carrier result;
} ProcKinds;
typedef struct Scratch {
    int32_t lo, hi;
} Scratch;

typedef struct Turn Turn;
typedef struct Lower {
    Arena *arena;
    const S3File *f;
    Diags *diags;
    IrGame *g;
    bool distinct; // moves=distinct
    int frugal;    // 0: unroll what ends; 1: loops stay loops, calls of themselves procedures
    bool broken;   // an error was reported
    bool too_large;
    int made, statements; // X and Y so far

    // names
    Word **word;
    int words, word_cap;
    Word *bucket[1024];
    const char **var;
    int vars, var_cap;
    int *element_word, *cell_word;
    const Shape **shape;
    int shapes, shape_cap;

    // pieces
    Plane plane[IR_MAX_KINDS];
    int planes;
    uint64_t *element_planes; // by element: the planes it can be
    int *element_plane;       // at the start, -1 if not on the board
    bool state_changes, owner_changes, depth_changes, depth_asked, scores;
    int *start; // element on a cell, counted from 1

    // expressions
    X *table[4096];
    unsigned walk;
    Slot *slot;
    int slots, slot_cap;
    int frame;

    // following the rules
    Value *env;
    X *player; // 1..
    Block *block;
    bool dead;  // an error has certainly occurred
    bool quiet; // a trial: no warnings
    Fact *fact;
    int facts, fact_cap;
    int *calls;    // by function: how often it is being followed
    bool *as_proc; // by function: it does not end of itself
    bool again;    // something was found that the next attempt can do better
    int depth;
    bool position_fixed;    // a condition: nothing may be changed
    X *from, *to, *element; // locals of the turn
    X *chosen_from, *chosen_to, *chosen_element;
    X *named_from, *named_element; // the same where their names are asked for
    X *from_plane;                 // what is known to stand on `from` before the move
    bool moved;
    Effects *effects; // by function
    Turn *turns;
    Proc *proc;
    ProcKinds *proc_kinds; // by function
    Scratch *scratches;
    int scratch, scratch_cap;
    int *scratch_of; // by variable: its value, and behind it whether it has one; -1
    int scratch_result, scratch_player;
    bool uses_at;
    int var_id[VAR_SCRATCH + 1]; // of IrGame.var, -1 if there is none
    Span at;                     // of what is being followed
} Lower;

// --- lower_x.c ---
int l_words(const Lower *l); // of a set of cells
X *x_int(Lower *l, int64_t value);
X *x_bool(Lower *l, bool value);
X *x_cell(Lower *l, int cell); // `cells` for none
X *x_local(Lower *l, int slot);
// The same local, known to be in a part of its domain; `tag` tells such parts apart.
X *x_local_in(Lower *l, int slot, uint64_t *domain, int tag);
int x_new_slot(Lower *l, XType type, int32_t lo, int32_t hi, const char *name, uint64_t *domain);
X *x_plane(Lower *l, X *cell);
X *x_plane_in(Lower *l, X *cell, uint64_t mask); // known to be one of these
X *x_elem(Lower *l, X *cell);
X *x_where(Lower *l, X *element);
X *x_atom(Lower *l, XOp op, X *kid, int64_t value, int32_t lo, int32_t hi, unsigned reads);
// tab[x - x's lo], with one entry for each number of x's range.
X *x_map(Lower *l, X *x, XType type, const int32_t *tab);
X *x_name(Lower *l, const Shape *shape, Space space, X **index);
X *x_add(Lower *l, X *a, X *b, int factor); // a + factor * b, with 32 bits
X *x_arith(Lower *l, XOp op, X *a, X *b);   // X_MUL, X_DIV, X_MOD, X_ABS (b NULL)
X *x_compare(Lower *l, XOp op, X *a, X *b); // X_EQ, X_LT
X *x_both(Lower *l, X *a, X *b);
X *x_either(Lower *l, X *a, X *b);
X *x_not(Lower *l, X *a);
X *x_cond(Lower *l, X *c, X *a, X *b); // numbers, conditions, cells or sets
X *x_has(Lower *l, X *cell, X *set);
X *x_cells(Lower *l, const uint64_t *words);
X *x_pieces(Lower *l, uint64_t mask);
X *x_free(Lower *l);
X *x_set(Lower *l, XOp op, X *a, X *b); // X_AND, X_OR, X_MINUS
X *x_single(Lower *l, X *cell);
X *x_sets(Lower *l, X *cell, uint64_t *words); // a set for each cell
X *x_filter(Lower *l, X *set, int slot, X *cond);
X *x_first(Lower *l, X *set);
X *x_some(Lower *l, X *set);
static inline bool x_is(const X *x, int64_t value) {
    return x->op == X_CONST && x->value == value;
}
bool x_known(const X *x, int64_t *value);
// The value where its atoms have the values given.
int64_t x_eval(Lower *l, const X *x, int64_t first, int64_t second);
// Whether it hangs on locals of the turn only, at most two, so that it can be a table.
bool x_is_static(const X *x);
// A condition that is the same for all values of its atoms becomes a constant.
X *x_decide(Lower *l, X *x);
// x where `given` holds, as a function of one thing if it is one there.
X *x_narrow(Lower *l, X *x, X *given);
bool x_in_domain(const X *atom, int64_t value);
bool x_mentions(const X *x, const X *local);

// --- lower_words.c ---
bool word_prepare(Lower *l);
int word_var(Lower *l, const char *name); // its number
// The variables of a template, at most 16, those that are lost left out.
int word_variables(const S3Node *s, const char **var);
int word_of(Lower *l, const char *text);
const Shape *word_shape(Lower *l, const S3Node *string);
// The text of a shape with numbers in it, as a word.
int word_fill(Lower *l, const Shape *s, const int64_t *index);
// Whether a name fits a template; then `index` takes the numbers in it.
bool word_match(const S3Node *pattern, const char *name, int64_t *index);
// The numbers that make a shape into a text; false if it is none of that shape.
bool word_read(const char *text, const Shape *s, int64_t *index);
// The numbers in a name such as base(1,2); -1 if it has none.
int word_indices(const char *name, int64_t *index, int most);
// The word for the element or cell with that number (elements from 1; 0 and none are "").
int word_element(const Lower *l, int element);
int word_cell(const Lower *l, int cell);

// --- lower_kinds.c ---
bool kinds_prepare(Lower *l);
bool kinds_finish(Lower *l);                                      // board, kinds, variables, setup
int kinds_plane(const Lower *l, int plane, int state, int owner); // like it, but; -1

// --- lower_effects.c ---
void kinds_find_effects(Lower *l);
unsigned kinds_changes(const Lower *l, const S3Node *node); // READS_… that it may change
// Which variables it may read, and which functions that takes (both by number).
void kinds_reads(Lower *l, const S3Node *node, bool *reads, bool *seen);
Effects *kinds_effects(Lower *l, const S3Node *node, Effects *out);

// --- lower_flow.c, lower_join.c: statements, branches, what is known ---
Y *y_add(Lower *l, IrStmtKind kind, Span span);
X *y_let(Lower *l, X *x, const char *name); // x now, in a local of its own
void flow_fail(Lower *l, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
// An error while playing where `x` holds.
void flow_fail_if(Lower *l, X *x, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
X *flow_known(Lower *l, X *x);          // a constant if what is known decides it
Value flow_narrowed(Lower *l, Value v); // what is known left out of what it hangs on
void flow_assume(Lower *l, X *x, bool holds);
// Values that would change with the position are kept as they are now.
void flow_freeze(Lower *l, unsigned changes);
Value flow_frozen(Lower *l, Value v, unsigned changes);
typedef struct Path { // one way through a branch
    Value *env;
    X *player;
    Block block;
    bool dead;
    Value value;
    Fact *fact;
    int facts;
} Path;
typedef struct Fork {
    X *cond;
    int facts, slots;
    Value *env;
    X *player;
    Block *block;
    bool dead;
    Fact *fact;
    Path path[2];
} Fork;
// if cond: flow_enter(0), follow, flow_leave(0); else likewise 1; then flow_join.
void flow_fork(Lower *l, Fork *k, X *cond, unsigned changes);
void flow_enter(Lower *l, Fork *k, int which);
void flow_leave(Lower *l, Fork *k, int which, Value value);
Value flow_join(Lower *l, Fork *k);
// Everything about the point that the rules are followed at, to come back to it.
typedef struct Kept {
    Value *env;
    X *player, *from, *to, *element, *from_plane;
    Block *block;
    Fact *fact;
    int facts, fact_cap, frame;
    bool dead, quiet, position_fixed, moved;
} Kept;
Kept flow_keep(const Lower *l);
void flow_put_back(Lower *l, const Kept *k);
void flow_own_facts(Lower *l); // what is found out from here on stays here
Value value_merge(Lower *l, X *cond, Value a, Value b);
bool value_same(const Value *a, const Value *b);
Value *env_copy(Lower *l);
void lower_error(Lower *l, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void lower_warn(Lower *l, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));

// --- lower_follow.c ---
// `holds`: it is known to be true; only its effects count.
Value follow(Lower *l, const S3Node *node, bool holds);
X *follow_true(Lower *l, const S3Node *node); // is it the value true? no error otherwise
Value follow_call(Lower *l, const S3Node *node, bool holds);
Value follow_lines(Lower *l, const S3Function *f);                   // its body
Value follow_action(Lower *l, const S3Node *call, const Item *args); // a kept action
Value value_int(X *x);
Value value_bool(X *x);
Value value_string(Space space, X *x);
X *need_int(Lower *l, Value v, Span span);
X *need_bool(Lower *l, Value v, Span span);
Value need_kind(Lower *l, Value v, ValueKind kind, Span span);
X *need_cell(Lower *l, Value v, Span span);    // none where it names no place
X *need_element(Lower *l, Value v, Span span); // 0 where it names no element
X *string_as(Lower *l, Value v, Space space);
X *value_equal(Lower *l, Value a, Value b, Span span);

// --- lower_built.c ---
Value follow_built(Lower *l, const S3Node *node, bool holds);
void built_move(Lower *l, X *element, X *from, X *to); // without any check

// --- lower_set.c ---
Value set_literal(Lower *l, const S3Node *node);
Value set_binary(Lower *l, const S3Node *node, Value a, Value b);
X *set_equal(Lower *l, Value a, Value b, Span span);
Value set_merge(Lower *l, X *cond, Value a, Value b);

// --- lower_loop.c ---
Carrier carrier_of(const Value *v);
Carrier carrier_join(Carrier a, Carrier b);
void carrier_range(const Lower *l, Carrier c, XType *type, int32_t *lo, int32_t *hi);
// Whether a tag goes with the number, and its range: whether it has a value, or its kind.
bool carrier_tagged(Carrier c, XType *type, int32_t *hi);
// A value as a number (and a tag), and back.
void carrier_pack(Lower *l, Carrier c, const Value *v, X **x, X **has);
Value carrier_value(Lower *l, Carrier c, X *x, X *has);
Value follow_loop(Lower *l, const S3Node *node, bool holds);

// --- lower_proc.c ---
Value proc_call(Lower *l, const S3Node *node);

// --- lower_turn.c ---
typedef struct RuleUse { // a rule for one player and one group of pieces
    const S3Rule *rule;
    X *ok;           // the set of targets, over `from`
    uint64_t *fixed; // by from cell: targets that can ever be
} RuleUse;
bool turn_build(Lower *l, Block *out);
// When it is known what the turn reads (marked by l->walk): which pieces can be chosen.
void turn_settle(Lower *l);
// --- lower_targets.c ---
bool targets_find(Lower *l, RuleUse *use, X *from, uint64_t *cells, int player);
// --- lower_apply.c: what happens once a move is chosen ---
// Variables of a pattern, from the name of what was chosen.
void apply_bind(Lower *l, const S3Node *pattern, X *chosen, Space space);
void apply_clear(Lower *l, int player);
void apply_bind_rule(Lower *l, const S3Rule *r, X *element, X *from, int player);
void apply_move(Lower *l, const RuleUse *rules, int count, int player);
// The target of a member of toLocations, and its own action (NULL: none).
X *apply_target(Lower *l, const Value *member, const Value **action, Span span);

// --- lower_tidy.c, lower_ir.c ---
void tidy_statements(Lower *l, Block *turn);
void ir_make_turn(Lower *l, Block *turn);

#endif
