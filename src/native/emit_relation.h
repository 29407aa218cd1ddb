// emit_relation: what the files that make knowledge into C share. Private to native/.
//
// A relation is an array of rows: one argument (a cell if there is one) is told by the bits of a
// row, the others by which row it is. Rows of cells are sets, others one word or several.
//
//     emit_knowledge.c     the whole file: worth, priorities, exports
//     emit_rounds.c        what needs what; relations that need themselves, in rounds
//     emit_relation.c      rows, and what expressions ask of relations
//     emit_clause.c        a clause: its literals in a good order, as loops and conditions
//     emit_clause_read.c   the literals as they are planned
//     emit_clause_order.c  which literal comes next
//     emit_clause_sets.c   its last variables as sets, without loops
//     emit_clause_lines.c  its last variable as 64 lines at a time
#ifndef LUDENS_NATIVE_EMIT_RELATION_H
#define LUDENS_NATIVE_EMIT_RELATION_H

#include "ir/relations.h"
#include "native/emitter.h"

typedef struct EmitRelation {
    const IrRelation *r;
    const char *name;
    int bit;       // the argument that the bits of a row stand for; -1: there is none
    int rows;      // of the others
    bool cells;    // a row is a set of cells,
    int words;     //   or so many words
    int group;     // relations that need each other have the same number
    bool loops;    // it needs itself, perhaps through others
    bool of_me;    // depends on `me`
    unsigned uses; // what it is needed for
} EmitRelation;

enum { USE_WORTH = 1, USE_AFTER = 2, USE_BEFORE = 4, USE_ALL = 8 };

struct EmitKnowing {
    const IrKnowledge *k;
    EmitRelation *rel;
    const char *in; // the pointer to what is known of the state em->s
};

// Where a tuple is looked for (IrExpr.value of IR_KNOWN...): in all that is known, or in what the
// last round found.
enum { KNOWN_ALL, KNOWN_LAST };

// --- emit_relation.c ---
void emit_choose_rows(Emitter *em, EmitRelation *rel);
size_t emit_rows_size(const Emitter *em, const EmitRelation *rel); // bytes
const char *emit_row_type(Emitter *em, const EmitRelation *rel);
const char *emit_row_empty(Emitter *em, const EmitRelation *rel);
const char *emit_row_or(Emitter *em, const EmitRelation *rel, const char *a, const char *b);
const char *emit_row_and(Emitter *em, const EmitRelation *rel, const char *a, const char *b);
const char *emit_row_minus(Emitter *em, const EmitRelation *rel, const char *a, const char *b);
const char *emit_row_some(Emitter *em, const EmitRelation *rel, const char *row);
const char *emit_row_count(Emitter *em, const EmitRelation *rel, const char *row);
const char *emit_row_has(Emitter *em, const EmitRelation *rel, const char *row, const char *bit);
// Adds a bit, if `only` (NULL: always).
void emit_row_add(Emitter *em, const EmitRelation *rel, const char *row, const char *bit,
                  const char *only);
void emit_row_types(Emitter *em, Text *out);
// The array of rows of the relation, as KNOWN_... says.
const char *emit_rows(Emitter *em, const EmitRelation *rel, int64_t where);
// A value as a number from 0: of a bit, or for the place of a row.
const char *emit_from_zero(Emitter *em, const char *value, int lo);

// The arguments where a relation is asked: known values, or slots that take what is found (-1 for
// anything).
typedef struct EmitAtom {
    const EmitRelation *rel;
    const IrExpr *value[IR_MAX_ARGS];
    int slot[IR_MAX_ARGS];
    int64_t where;
} EmitAtom;
typedef void EmitRow(Emitter *em, EmitFrame *f, const char *row, void *context);
// Writes the body for each row that fits, its slots bound. The argument of the bits is left alone.
void emit_each_row(Emitter *em, EmitFrame *f, const EmitAtom *a, EmitRow *body, void *context);
// Which row the known arguments tell; `*only` as below.
const char *emit_row_place(Emitter *em, EmitFrame *f, const EmitAtom *a, const char **only);
// The number of the bit that the known argument of the bits stands for; `*only` is a condition
// without which there is none, NULL if there always is.
const char *emit_bit_number(Emitter *em, EmitFrame *f, const EmitAtom *a, const char **only);
// Opens a loop over the members of a row and binds the slot to each.
void emit_each_bit(Emitter *em, EmitFrame *f, const EmitRelation *rel, const char *row, int slot);

const char *emit_known_expr(Emitter *em, EmitFrame *f, const IrExpr *e); // IR_KNOWN .. IR_BEFORE
// {it : e} for IR_KNOWN, NULL if it cannot: `preimage` finds {it : x(it) in set}.
typedef const char *EmitPreimage(Emitter *em, EmitFrame *f, const IrExpr *x, const char *set);
const char *emit_known_lift(Emitter *em, EmitFrame *f, const IrExpr *e, EmitPreimage *preimage);
// Whether a relation is asked, here or in a definition that is used.
bool emit_asks(const Emitter *em, const IrExpr *e);

// --- emit_rounds.c ---
#define EMIT_KNOWING_PARAMS "const State *const s, const int me, const int mover, Known *const k"
// Sets em->knowing->rel: relations that need each other get one number, that of the first. False
// if all of them take too much room.
bool emit_find_groups(Emitter *em);
// The function find_N for the group with that number; false if a clause is too long.
bool emit_group(Emitter *em, int group);
void emit_knowing_begin(Emitter *em); // a function about relations, and
void emit_knowing_end(Emitter *em, const char *head);

// --- emit_clause.c ---
typedef struct EmitTarget {
    const EmitRelation *rel;
    const char *rows; // to which tuples are added
} EmitTarget;
// Writes what finds all that the clause derives. Literal `last` (-1: none) takes what the last
// round found. False if the clause is too long.
bool emit_clause(Emitter *em, const EmitTarget *to, const IrClause *clause, int last);

// A clause's variables are what its literals give values to, numbered from 0; what is only a name
// for an expression is not among them. Literals are taken in any order in which each has what it
// needs, and each may give values to variables or, where they have some, be a condition.
#define CLAUSE_MOST 60 // variables, and literals
typedef enum ClauseLitKind { CLAUSE_ATOM, CLAUSE_MEMBER, CLAUSE_COND, CLAUSE_NAME } ClauseLitKind;
typedef struct ClauseLit {
    ClauseLitKind kind;
    EmitAtom atom;        // values of arguments that are expressions
    int var[IR_MAX_ARGS]; // of an argument that is a variable; -1
    int x;                // CLAUSE_MEMBER: the variable; CLAUSE_NAME: the slot
    const IrDomain *domain;
    const IrExpr *cond; // the literal where all variables have values; what a name stands for
    uint64_t needs;     // variables
    uint64_t gives;     // variables that it can give values
    // A condition that says what a variable is, `fixes` (-1: none); it is the value of this
    // expression. The rest of the literal does without that variable.
    int fixes;
    const IrExpr *value;
    EmitFrame *value_frame;
    bool implied; // by other literals: not to be tested
} ClauseLit;
typedef struct ClausePlan {
    Emitter *em;
    EmitFrame *f;
    const EmitTarget *to;
    ClauseLit *lit;
    int lits;
    struct ClauseVar {
        int slot;
        IrType type;
        int32_t lo, hi; // of the values that it can have
    } var[CLAUSE_MOST];
    int vars;
    int extra; // slots for sets on the way, from here on
    const IrExpr *head[IR_MAX_ARGS];
    uint64_t head_vars;
    int set_var; // the variable that the bits of the head's row stand for; -1
} ClausePlan;
typedef struct ClauseNow {
    uint64_t bound;   // variables that have values
    uint64_t left;    // literals
    uint64_t some;    // literals of which it is known that some tuple may fit
    const char *stop; // the head is known already: one way to derive it is enough, then go there
} ClauseNow;

// --- emit_clause_read.c ---
bool clause_read(ClausePlan *p, const IrClause *clause, int last); // false: too many
uint64_t clause_vars(const ClausePlan *p, const IrExpr *e);        // the variables it depends on
int clause_var(const ClausePlan *p, int slot);                     // -1: none

// --- emit_clause_order.c ---
// What comes next: all values of a variable; or a literal that gives values to variables, or (no
// variable given) to its own in the way of its kind.
typedef struct ClauseChoice {
    const ClauseLit *l; // NULL: nothing is left
    int value_of;       // -1
    double cost;
} ClauseChoice;
ClauseChoice clause_choose(const ClausePlan *p, const ClauseNow *now);
uint64_t clause_alone(const ClausePlan *p, const ClauseNow *now, int var); // the literals about it

// --- emit_clause_sets.c ---
// The members that a variable can have by these literals, which leave no other variable open.
const char *clause_set(ClausePlan *p, int var, uint64_t lits);
// Takes a variable that the head does not need out of the literals, as a set; a condition without
// which nothing follows goes to `*only`. False if there is none.
bool clause_drop_var(ClausePlan *p, ClauseNow *now, const char **only);
uint64_t clause_open(const ClausePlan *p, const ClauseNow *now); // variables without values
IrExpr *clause_local(ClausePlan *p, int var);

// --- emit_clause_lines.c ---
// Adds to a row, whose bits are lines, those that the variable can be by these literals. False, and
// nothing is written, if that takes a loop.
bool clause_lines(ClausePlan *p, const char *row, int var, uint64_t lits);

#endif
