// emitter: what the files of native/ share. Private; others see emit.h.
//
// An expression of the IR becomes the text of a C expression; what does not fit in one (loops)
// is written before it as statements of the current block, with temporaries. Expressions have no
// effects and every C text made here is defined for all values, so order does not matter.
//
// Files, in reading order:
//     emit.c emit_prelude.c emit_state.c   the whole file, its fixed parts, the state
//     emit_text.c emit_eval.c              lines and names; values that are known now
//     emit_expr.c emit_loop.c emit_known.c expressions; loops; what was computed already
//     emit_sets.c emit_lines.c emit_map.c  shifts, rays and tables; lines; irregular boards
//     emit_lift.c emit_levels.c emit_enclose.c  conditions on a member as set algebra
//     emit_live.c emit_stmt.c emit_effect.c     what is read later; statements; the board
//     emit_turn.c emit_choose.c            finding moves; better ways to find random ones:
//     emit_family.c emit_pairs.c           all moves from a choice on as a few sets
//     emit_columns.c emit_column_text.c    parts of stacks, for all stacks at once
//     emit_lazy.c                          random moves out of more than there are
//     emit_play.c emit_kept.c              exported functions; what they keep beside a state
//     emit_outside.c                       states in memory, outside of the functions
#ifndef LUDENS_NATIVE_EMITTER_H
#define LUDENS_NATIVE_EMITTER_H

#include "base/bits.h"
#include "native/emit.h"

// What is known about a cell in a local, until the board changes.
enum { FACT_EMPTY = 1, FACT_MINE = 2, FACT_NOT_MINE = 4, FACT_THEIRS = 8 };

typedef enum EmitBind {
    BIND_NONE,
    BIND_TEXT,  // a C variable (or another short text)
    BIND_VALUE, // a number known now
    BIND_EXPR,  // stands for an expression in another frame
    BIND_IT,    // the member of a condition that is being made a set (emit_lift.c)
} EmitBind;

typedef struct EmitFrame EmitFrame;
typedef struct EmitLocal {
    EmitBind kind;
    const char *text;
    const char *bit; // BIND_TEXT: the set of that one cell, if there is a variable for it
    int64_t value;
    const IrExpr *expr;
    EmitFrame *in;
    unsigned facts;
} EmitLocal;

struct EmitFrame { // what the locals of a body are now
    const IrFrame *ir;
    EmitLocal *local;
};

typedef struct EmitText { // all texts in the making, so that they can be freed
    Text text;
    struct EmitText *up;
} EmitText;

// What code after a place may read. Bit 63 stands for all numbers from 63 on.
typedef struct EmitLive {
    uint64_t slots, vars, attrs;
    bool board;
} EmitLive;

typedef enum EmitStream { EMIT_VALUE, EMIT_GENERATE, EMIT_APPLY } EmitStream;

typedef struct Emitter {
    const IrGame *g;
    const Board *b;
    Arena *arena;
    int words, cells;
    bool one;              // a set is one word
    bool simple;           // a turn is one choice of a cell
    const IrExpr *pending; // unless it holds there is at most one way to go on
    bool ordered;          // now: moves are found in the order of the rules
    bool exclusive;        // now: nothing was chosen yet, and nothing else will be
    bool in_family;        // now: in a function that finds moves as sets
    bool remembers;        // some moves are found in other ways
    bool unlucky;          // a random move may not be found at once
    bool small;            // playing a move is little code
    bool leaves;           // emit_leaves.c counts the last plies of perft
    bool ends_early;       //   and knows some choices that end the game
    bool columns;          // moves are found in a vector of all stacks
    const char *list_any;  // the function that lists all moves in any order, if there is one
    bool draws;            // the family just written draws a number itself where k->left < 0
    bool family_columns;   // the family just written is there if USE_COLUMNS
    bool else_remembers;   // otherwise moves are remembered
    const IrStmt *split;   // where some moves go on to a further choice, as families see it
    bool splits_differ;    // in several places
    bool chained;          // random games draw chains
    bool kept;             // states keep their free cells (emit_kept.c)
    bool leaves_whole;     // states are copied to the outside as they are (emit_outside.c)
    bool paired;           // a turn is a pair of cells, found as a few sets
    EmitText *texts;

    // Parts of the file, in this order.
    Text *constants; // tables
    Text *helpers;   // functions on sets and states that are needed
    Text *protos;
    Text *bodies;
    const char **once; // names of helpers that exist
    int onces, once_cap;

    // The function being written.
    Text *t;
    int indent;
    int temps;
    const char *s; // the state now, a pointer
    bool own;      // it is ours to change
    EmitStream stream;
    bool *declared;    // slots of the turn that are variables of `play`
    const char *again; // where it is noted who moves next: a variable, or what a procedure got
    bool in_proc;
    int functions; // of choices, numbered

    // The move so far, while moves are found.
    const char *m;  // its text
    const char *at; // how many bits it has: a text ("" for none) plus
    int at_plus;

    EmitLocal *it;          // the member being lifted, and
    EmitFrame *owner_frame; // its owner, if its domain says it
    const IrExpr *owner_expr;
    struct EmitKnown { // emit_known.c: expensive values and the variables that hold them
        const IrExpr *e;
        const EmitFrame *f;
        const char *text, *s;
        int indent;
    } * known;
    int knowns, known_cap, known_base;

    struct EmitKnowing *knowing; // emit_relation.h; NULL in the rules of a game

    bool *func_done;
    const uint64_t **map; // emit_map.c
    int maps, map_cap;
    const char **back; // tables of emit_family.c
    int backs, back_cap;

    // While a choice is looked at as a whole (emit_family.c): its effects put a piece of mine on
    // the member, and change other things.
    bool grown;
    int grown_kind;
    const char *grown_minus; // a set of cells that my pieces leave, NULL if none
    uint64_t changed_vars, changed_slots;
    bool closing_only;       // leave finding the members that complete a line to the caller:
    const char *closing_men; //   lines of these
    struct EmitFuncReads {
        bool done;
        EmitLive live;
    } * func_reads;
} Emitter;

// --- emit_prelude.c ---
void emit_prelude(Emitter *em, Text *out);
void emit_prelude_sets(Emitter *em, Text *out); // the part without moves

// --- emit.c ---
void emit_heading(Emitter *em, Text *out);
void emit_occupied(Emitter *em);
uint64_t emit_text_hash(const Text *t);
// Runs `whole` with an emitter of its own; false when out of memory.
typedef bool EmitWhole(Emitter *em, const void *context, Text *out);
bool emit_whole(const IrGame *g, EmitWhole *whole, const void *context, Text *out);

// --- emit_text.c ---
const char *emit_f(Emitter *em, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_line(Emitter *em, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_open(Emitter *em, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_scope(Emitter *em); // {
void emit_close(Emitter *em); // }
void emit_else(Emitter *em);  // } else {
void emit_comment(Emitter *em, const char *before, const IrFrame *frame, const IrExpr *e);
Text *emit_text(Emitter *em); // a new text, freed with the emitter
// Writes what follows into a new text, one level deeper, until emit_uncapture; capture returns the
// text to go back to.
Text *emit_capture(Emitter *em);
Text *emit_uncapture(Emitter *em, Text *outer);
bool emit_once(Emitter *em, const char *name);             // true the first time
const char *emit_word(Emitter *em, const char *name);      // as part of a C name
const char *emit_word_line(Emitter *em, const char *text); // as part of a comment
const char *emit_local_name(Emitter *em, const IrFrame *frame, int slot);
const char *emit_number(Emitter *em, int64_t value);
const char *emit_hex(Emitter *em, uint64_t value);
const char *emit_set_literal(Emitter *em, const uint64_t *set);
const char *emit_set_initial(Emitter *em, const uint64_t *set); // for use in a table
const char *emit_type(IrType type);                             // int, uint64_t, Set
const char *emit_new(Emitter *em);                              // a fresh name
// The text itself if it is a name or a number, else a new constant with its value.
const char *emit_temp(Emitter *em, const char *type, const char *text);
EmitFrame *emit_frame(Emitter *em, const IrFrame *frame);

// --- emit_eval.c ---
// The value of an expression that depends on no state, `player` being on move (-1: unknown).
bool emit_eval(Emitter *em, EmitFrame *f, const IrExpr *e, int player, IrValue *out);
bool emit_constant(Emitter *em, EmitFrame *f, const IrExpr *e, int64_t *value);
// The C text of an expression that depends on nothing but the player on move; NULL if it does.
const char *emit_fixed(Emitter *em, EmitFrame *f, const IrExpr *e);
// All members that a mask can ever have.
uint64_t emit_mask_bound(Emitter *em, EmitFrame *f, const IrExpr *e);
bool emit_same(const Emitter *em, const IrExpr *a, const IrExpr *b); // in the same frame
int emit_none(const Emitter *em, IrType type);
int emit_args(const Emitter *em, const IrExpr *e); // how many it has; some may be NULL

// --- emit_expr.c ---
const char *emit_expr(Emitter *em, EmitFrame *f, const IrExpr *e);
EmitFrame *emit_call_frame(Emitter *em, EmitFrame *f, const IrExpr *e); // arguments unevaluated
const char *emit_index(Emitter *em, EmitFrame *f, const IrExpr *e, int base);
bool emit_may_be_none(const Emitter *em, const IrExpr *e); // a cell that may be missing
// x in set, for a text x of a cell; `none`: it may be none.
const char *emit_has(Emitter *em, const char *set, const char *x, bool none);
const char *emit_single(Emitter *em, const char *x, bool none);
// {x}, empty for none: steps from a cell whose set is at hand stay sets.
const char *emit_cell_set(Emitter *em, EmitFrame *f, const IrExpr *x);
// The set of which `piece(x) == man` or `owner(x) == me` asks for one bit, in `set`; gives x.
const IrExpr *emit_bit_set(Emitter *em, const IrExpr *e, IrExpr *set);

// --- emit_known.c ---
bool emit_expensive(const Emitter *em, const IrExpr *e);
const char *emit_find_known(Emitter *em, const EmitFrame *f, const IrExpr *e); // or NULL
void emit_learn(Emitter *em, EmitFrame *f, const IrExpr *e, const char *text);
void emit_forget_inner(Emitter *em); // a block was closed
void emit_forget_known(Emitter *em); // the state changed
// Before a loop: computes what its condition and body need and what does not depend on the member.
void emit_hoist(Emitter *em, EmitFrame *f, const IrDomain *d, const IrExpr *body);
// The same where all these slots vary.
void emit_hoist_over(Emitter *em, EmitFrame *f, const int *slots, int count, const IrExpr *e);

// --- emit_levels.c ---
const char *emit_lift_levels(Emitter *em, EmitFrame *f, const IrExpr *e); // ==, !=, <, <=
const char *emit_least_level(Emitter *em, EmitFrame *f, const IrExpr *e);
const char *emit_some_level(Emitter *em, EmitFrame *f, const IrExpr *e);

// --- emit_loop.c ---
typedef void EmitBody(Emitter *em, EmitFrame *f, void *context);
// Writes the body for each member of the domain; `stop`: a variable that ends the loop, or NULL.
void emit_each(Emitter *em, EmitFrame *f, const IrDomain *d, const char *stop, EmitBody *body,
               void *context);
// Opens a loop over a set or mask and gives the member's text, `name` if not NULL.
const char *emit_each_member(Emitter *em, bool is_set, const char *set, const char *name,
                             const char *stop);
void emit_lines_through(Emitter *em); // tables of the lines through each cell
const char *emit_loop(Emitter *em, EmitFrame *f, const IrExpr *e);      // any .. most
const char *emit_members(Emitter *em, EmitFrame *f, const IrDomain *d); // of a set or mask

// --- emit_sets.c ---
const char *emit_and(Emitter *em, const char *a, const char *b);
const char *emit_or(Emitter *em, const char *a, const char *b);
const char *emit_minus(Emitter *em, const char *a, const char *b);
const char *emit_not(Emitter *em, const char *a);
const char *emit_some(Emitter *em, const char *a);
bool emit_is_step(const Emitter *em, const IrTable *t);
bool emit_is_next(const Emitter *em, const IrTable *t);
const char *emit_shift(Emitter *em, EmitFrame *f, const char *set, const IrExpr *d, bool back);
// Where a map of the cells (`cells` for nowhere) leads from a set; back: from where it leads there.
const char *emit_moved(Emitter *em, const char *set, const int *to, bool back);
const char *emit_image(Emitter *em, EmitFrame *f, const IrExpr *e);
// The cells whose entry of the set table meets `set`.
const char *emit_meeting(Emitter *em, int table, const char *set);
const char *emit_ray(Emitter *em, EmitFrame *f, const IrExpr *e);
const char *emit_past_set(Emitter *em, EmitFrame *f, const IrExpr *e); // past as a set
const char *emit_flood(Emitter *em, EmitFrame *f, const IrExpr *e);
// Cells from which the steps through `through` in direction d reach `set`, d given as IR:
// while: one of the cells of ray(c, d while through); until: likewise; past: the cell after them.
const char *emit_fill(Emitter *em, EmitFrame *f, IrOp op, const IrExpr *d, const char *through,
                      const char *set);
void emit_step_table(Emitter *em);
void emit_lanes(Emitter *em);                // a type of four words, if the machine has it
void emit_rays(Emitter *em);                 // ray_while, ray_until, past, past_set
const char *emit_table(Emitter *em, int id); // its C name; prints it once

// --- emit_lines.c ---
void emit_line_sets(Emitter *em);                             // the table of all lines
const IrExpr *emit_line_within(Emitter *em, const IrExpr *e); // S of `some l ... : l within S`
const char *emit_some_line(Emitter *em, EmitFrame *f, const IrExpr *e); // NULL if it is not that
const char *emit_lined(Emitter *em, const char *set); // cells on lines that are within the set

const char *emit_closing(Emitter *em, const char *set); // cells that would complete a line

// --- emit_enclose.c ---
const char *emit_lift_enclosing(Emitter *em, EmitFrame *f, const IrExpr *e);
// A domain of cells next to those that the rows go through: all such cells are next to them anyway.
// The filtered set, or NULL if it is not that; `em->it` is the member.
const char *emit_filter_enclosing(Emitter *em, EmitFrame *f, const IrDomain *d);
const char *emit_enclosed(Emitter *em, EmitFrame *f, const IrExpr *e);

// --- emit_map.c ---
bool emit_map_fits(const Emitter *em);
const char *emit_map(Emitter *em, const uint64_t *word);
const char *emit_closing_cells(Emitter *em, const char *x);
const char *emit_closing_word(Emitter *em, int n, const int *from, const int *to, const char *x);

// --- emit_lift.c ---
bool emit_uses(const Emitter *em, const IrExpr *e, int slot); // depends on the local
// The members of the set `base` (a C text) that pass the condition on the domain's slot.
const char *emit_filter(Emitter *em, EmitFrame *f, const IrDomain *d);
const char *emit_lift(Emitter *em, EmitFrame *f, const IrExpr *cond); // NULL if it cannot
bool emit_is_it(EmitFrame *f, const IrExpr *e);
bool emit_is_opponent(const Emitter *em, const IrExpr *e);     // 1 - me, of two players
bool emit_depends(Emitter *em, EmitFrame *f, const IrExpr *e); // on the member
const IrExpr *emit_resolve(EmitFrame **f, const IrExpr *e);    // follows names of expressions

// --- emit_live.c ---
bool emit_chooses(const IrStmt *list);
void emit_reads(Emitter *em, const IrExpr *e, EmitLive *live);
void emit_domain_reads(Emitter *em, const IrDomain *d, EmitLive *live);
// From what is read after a list to what is read before it.
EmitLive emit_live_before(Emitter *em, const IrStmt *list, EmitLive after);
EmitLive emit_loop_live(Emitter *em, const IrStmt *s, EmitLive after); // at the head of a loop
bool emit_matters(Emitter *em, const IrStmt *s, EmitLive after);       // has an effect that is read
bool emit_writes(const IrStmt *s); // changes the state, in it or deeper
EmitLive emit_live_all(void);
static inline uint64_t emit_bit(int n) {
    return (uint64_t)1 << (n < 63 ? n : 63);
}

// --- emit_state.c ---
void emit_state(Emitter *em, Text *out); // the type
const char *emit_var_field(Emitter *em, int var);
const char *emit_attr_field(Emitter *em, int attr);
const char *emit_plane_name(Emitter *em, int plane);
const char *emit_owned(Emitter *em, const char *owner);
const char *emit_pieces(Emitter *em, EmitFrame *f, const IrExpr *e);
const char *emit_read_board(Emitter *em, EmitFrame *f, const IrExpr *e); // kind, owner, height
void emit_stacks(Emitter *em);                                           // helpers for stacks

// --- emit_effect.c ---
void emit_effect(Emitter *em, EmitFrame *f, const IrStmt *s); // place .. change, set_attr
void emit_forget(EmitFrame *f);                               // facts
unsigned emit_facts(Emitter *em, EmitFrame *f, const IrExpr *set);

// --- emit_stmt.c ---
void emit_statement(Emitter *em, EmitFrame *f, const IrStmt *s, EmitLive after);
void emit_block(Emitter *em, EmitFrame *f, const IrStmt *list, EmitLive after);
void emit_apply(Emitter *em);
void emit_procs(Emitter *em);
bool emit_says(const Emitter *em, IrStmtKind kind); // in the turn or in a procedure
void emit_rules(Emitter *em, const IrRules *rules, const char *name, int otherwise);

// --- emit_turn.c ---
void emit_generate(Emitter *em);

typedef struct EmitRest { // what follows a statement
    const IrStmt *next;
    const char *call;  // or the function that goes on (with `next`, if it is not a loop),
    const char *extra; //   its own arguments
    EmitLive live;     //   and what it reads
    bool loop;
    // Where loops are around it: their counters, which every function on the way hands on, as
    // parameters and as arguments. `outer`: those of the loops around this loop.
    const char *carry_params, *carry, *outer;
    const struct EmitRest *up;
} EmitRest;
typedef struct EmitFunction { // the place to come back to
    Text *t;
    int indent, temps, at_plus;
    const char *s, *m, *at;
    bool own, exclusive, in_family;
    int known_base;
} EmitFunction;
typedef struct EmitPlace { // where a branch begins
    const char *s, *m;
    int at_plus;
    bool own, exclusive;
    EmitLocal *local;
} EmitPlace;
EmitFunction emit_begin_function(Emitter *em);
void emit_end_function(Emitter *em, const EmitFunction *kept);
EmitFrame *emit_function_frame(Emitter *em, EmitLive live); // has the slots in `live`
void emit_print_function(Emitter *em, const char *name, const char *params);
const char *emit_slots_text(Emitter *em, const EmitFrame *f, EmitLive live, bool types);
EmitPlace emit_mark(Emitter *em, const EmitFrame *f);
void emit_go_back(Emitter *em, EmitFrame *f, const EmitPlace *p);
void emit_turn_block(Emitter *em, EmitFrame *f, const IrStmt *list, const EmitRest *rest);
void emit_choose_each(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here);
bool emit_chooses_later(const EmitRest *rest);
const char *emit_carry(const EmitRest *rest, bool params); // "" outside loops
EmitLive emit_live_at(Emitter *em, const EmitRest *rest);
const char *emit_at(Emitter *em, int plus); // where a choice goes in a move, `plus` bits later

// --- emit_choose.c ---
void emit_choose(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here);

// --- emit_family.c ---
// The moves from a choice on as a few sets. Writes nothing and returns false if that cannot be.
// Otherwise the text holds for all modes but LIST.
bool emit_family(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here);
// Notes what a statement without choices changes; false if that is more than a piece of mine that
// comes to the member's cell. `from` is the slot that a move may start from, -1 if none.
bool emit_note_effect(Emitter *em, EmitFrame *f, const IrStmt *s, int member, unsigned facts,
                      int from);

// --- emit_pairs.c ---
bool emit_pairs(Emitter *em, EmitFrame *f, const IrStmt *s, const IrStmt *second);

// --- emit_leaves.c ---
void emit_ends(Emitter *em);                             // after emit_generate
void emit_leaf_loops(Emitter *em, Text *out);            // pairs_0 .., if em->leaves
void emit_leaf_tree(Emitter *em, Text *out, int player); // a part of perft_0 ..

// --- emit_columns.c ---
// Like emit_family; what it wrote on the way to a failure is left to the caller to drop.
bool emit_columns(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here);

// --- emit_column_text.c ---
int emit_column_lanes(const Emitter *em); // of a vector of all stacks; 0 if there is none
int emit_column_bits(const Emitter *em);  // of a lane
void emit_column_helpers(Emitter *em);

// --- emit_lazy.c ---
typedef struct EmitLazy { // members that go on to a third choice
    EmitFrame *f;
    const IrExpr *third;      // what it chooses from
    const char *bound;        // a set of which that is a part
    const char *count, *move; // how many members; the move so far, of number `first`
    const char *at_third;
    int third_lo;
} EmitLazy;
typedef struct EmitApart { // pairs of `from` and `to` that go on if a line of `men` is complete
    const char *from, *to, *men;
} EmitApart;
// A set that has the members of e and is empty only if e is; NULL if there is none at hand.
const IrExpr *emit_bound(const Emitter *em, const IrExpr *e);
const char *emit_lazy_if(Emitter *em, EmitFrame *f, const IrExpr *const *plain, int plains);
void emit_lazy_product(Emitter *em, const EmitLazy *lazy);
// The same for pairs of cells; `move` uses `one` and `two`.
void emit_lazy_pairs(Emitter *em, const EmitLazy *lazy, const EmitApart *apart);
void emit_note_split(Emitter *em, const IrStmt *branch);

// --- emit_kept.c ---
void emit_decide_kept(Emitter *em);
void emit_kept_field(Emitter *em, Text *out);
// The statement that keeps the free cells of `s` right when those of `x` get or lose pieces.
const char *emit_keep(Emitter *em, const char *s, const char *x, bool full);
// Random games by chains, `in_order` and `chain_game`; false if there are none. Every ply of such a
// game fills one cell, and the game ends when none is free.
bool emit_chains(Emitter *em, Text *out);

// --- emit_outside.c ---
void emit_print_outside(Emitter *em, Text *out);       // functions from states outside and back
const char *emit_enter(Emitter *em, const char *from); // the state there, as an expression
const char *emit_leave(Emitter *em, const char *to);   // a statement: `s` goes there

// --- emit_play.c ---
bool emit_in_turn(const Emitter *em); // players move one after the other
void emit_exports(Emitter *em, Text *out);

// --- emit_children.c ---
void emit_children(Emitter *em, Text *out, const char *look); // `look` makes `s` of `state`

#endif
