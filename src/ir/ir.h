// ir: a game as typed expressions and statements over finite domains.
//
// This is where front ends meet back ends. A front end (lang/check.c) binds the parameters and
// builds an IrGame; the interpreter (vm/) and code generators read it; nobody changes it after
// ir_finish. Everything lives in one arena, which the IrGame owns.
//
// Values at run time are numbers, or sets of cells (board->words 64-bit words):
//     bool 0, 1        int its value      player 0..players-1, none = players
//     cell 0..cells-1, none = cells       direction 0..    line 0..
//     kind 0..kinds-1, none = kinds       flag 0..63       mask: one 64-bit word of members
#ifndef LUDENS_IR_H
#define LUDENS_IR_H

#include "ir/board.h"
#include "ir/look.h"

#define IR_MAX_PLAYERS 7 // a result is one byte: a mark and one bit a player
#define IR_MAX_KINDS 60
#define IR_MAX_STATE 4096 // bytes; a search copies states all the time
#define IR_MOVE_BITS 127  // of the choices of one move; the top bit marks a pass

typedef enum IrTypeKind {
    TY_BOOL,
    TY_INT,
    TY_PLAYER,
    TY_CELL,
    TY_DIRECTION,
    TY_KIND,
    TY_LINE,
    TY_FLAG,  // a member of enumeration `of_enum`
    TY_SET,   // of cells
    TY_MASK,  // of values of type `of`: players, directions, kinds, flags, or ints 0..63
    TY_LINES, // only as a domain
    TY_RANGE, // only as a domain
    TY_NONE,  // the literal `none`, before it is known of what
} IrTypeKind;

typedef struct IrType {
    IrTypeKind kind;
    IrTypeKind of;
    int of_enum;   // TY_FLAG, or TY_MASK of flags: index into IrGame.enums
    bool optional; // may be none
} IrType;

typedef struct IrExpr IrExpr;
typedef struct IrStmt IrStmt;

// What a loop runs over, in ascending order.
typedef enum IrDomainKind { DOM_SET, DOM_MASK, DOM_RANGE, DOM_LINES } IrDomainKind;
typedef struct IrDomain {
    IrDomainKind kind;
    IrExpr *a;     // the set; the mask; the low bound; the cell of `lines through`, or NULL
    IrExpr *b;     // the high bound of a range
    int slot;      // the local that takes each member
    IrExpr *where; // NULL, or a condition on that local
} IrDomain;

// X(op, name in the printed IR, meaning). `k0 k1 k2` are kid[0..2]; `id` see IrExpr.
#define IR_OPS(X)                                                                                  \
    X(IR_CONST, "const", "value")                                                                  \
    X(IR_SET, "set", "the constant set `set`")                                                     \
    X(IR_LOCAL, "local", "local `id`, a number or a set")                                          \
    X(IR_VAR, "var", "variable `id`, [k0] if indexed; 0 where k0 is none (out of 0..count-1)")     \
    X(IR_ATTR, "attr", "attribute `id` of the piece on cell k0; 0 for none")                       \
    X(IR_ME, "me", "player on move")                                                               \
    X(IR_TABLE, "table", "table `id` at [k0] or [k0, k1]")                                         \
    X(IR_CALL, "call", "function `id` with args")                                                  \
    /* what stands where */                                                                        \
    X(IR_OCCUPIED, "occupied", "set")                                                              \
    X(IR_OWNED, "owned", "set of cells with a piece of player k0 on top")                          \
    X(IR_PLANE, "plane", "set of cells with plane `id` (a kind of one owner) on top")              \
    X(IR_PIECES, "pieces", "set: kind `id` (kind k1 if id < 0) of player k0 (NULL: of anyone)")    \
    X(IR_KIND_AT, "kind", "kind on top of cell k0; none")                                          \
    X(IR_OWNER_AT, "owner", "owner on top of cell k0; none")                                       \
    X(IR_KIND_IN, "kind_in", "kind at level k1 of cell k0; none")                                  \
    X(IR_OWNER_IN, "owner_in", "owner at level k1 of cell k0; none")                               \
    X(IR_HEIGHT, "height", "pieces on cell k0; 0 for none")                                        \
    /* sets of cells and masks */                                                                  \
    X(IR_AND, "&", "")                                                                             \
    X(IR_OR, "|", "")                                                                              \
    X(IR_MINUS, "-", "set difference")                                                             \
    X(IR_NOT_SET, "~", "all cells but those of k0")                                                \
    X(IR_SINGLE, "single", "the set {k0}; empty for none")                                         \
    X(IR_MASK_OF, "mask_of", "the mask {k0}")                                                      \
    X(IR_MEMBER, "in", "k0 in set or mask k1; false for none")                                     \
    X(IR_WITHIN, "within", "k0 is a subset of k1")                                                 \
    X(IR_SOME, "some", "set or mask k0 has a member")                                              \
    X(IR_COUNT, "count", "number of members")                                                      \
    X(IR_FIRST, "first", "first member of a set; none")                                            \
    X(IR_FILTER, "filter", "set of the members of the domain that pass its `where`")               \
    X(IR_IMAGE, "image",                                                                           \
      "union of set table `id` over the cells of set k0 (next), or cells "                         \
      "table[c, k1] over the cells c of k0 (step)")                                                \
    X(IR_RAY_WHILE, "ray_while", "cells from k0 in direction k1 while in set k2")                  \
    X(IR_RAY_UNTIL, "ray_until", "cells from k0 in direction k1 up to and with the first in k2")   \
    X(IR_PAST, "past", "first cell from k0 in direction k1 not in k2; none")                       \
    X(IR_FLOOD, "flood", "k0 and all of k1 reached from it by `next` inside k1")                   \
    X(IR_LINE_SET, "line_set", "the cells of line k0")                                             \
    /* loops over `domain`, body k0 */                                                             \
    X(IR_ANY, "any", "")                                                                           \
    X(IR_ALL, "all", "")                                                                           \
    X(IR_TALLY, "tally", "how many members pass k0")                                               \
    X(IR_SUM, "sum", "")                                                                           \
    X(IR_MIN, "min", "`value` over nothing")                                                       \
    X(IR_MAX, "max", "`value` over nothing")                                                       \
    X(IR_UNION, "union", "of the sets k0")                                                         \
    X(IR_LEAST, "least", "first member with the least k0; `value` (none) over nothing")            \
    X(IR_MOST, "most", "first member with the most k0; `value` (none) over nothing")               \
    /* numbers and conditions */                                                                   \
    X(IR_ADD, "+", "")                                                                             \
    X(IR_SUB, "-", "")                                                                             \
    X(IR_MUL, "*", "")                                                                             \
    X(IR_DIV, "/", "truncates; the divisor is never 0")                                            \
    X(IR_MOD, "%", "sign of the dividend; the divisor is never 0")                                 \
    X(IR_NEG, "neg", "")                                                                           \
    X(IR_WRAP, "wrap",                                                                             \
      "k0 as a number of 32 bits: what does not fit goes round. Directly around each + - * / neg " \
      "abs that may not fit")                                                                      \
    X(IR_ABS, "abs", "")                                                                           \
    X(IR_LOWER, "lower", "the smaller of k0, k1")                                                  \
    X(IR_HIGHER, "higher", "the larger of k0, k1")                                                 \
    X(IR_EQ, "==", "numbers; sets when the kids are sets")                                         \
    X(IR_NE, "!=", "likewise")                                                                     \
    X(IR_LT, "<", "")                                                                              \
    X(IR_LE, "<=", "")                                                                             \
    X(IR_BOTH, "and", "k1 only if k0")                                                             \
    X(IR_EITHER, "or", "k1 only if not k0")                                                        \
    X(IR_NOT, "not", "")                                                                           \
    X(IR_COND, "if", "k1 if k0, else k2; numbers or sets")                                         \
    /* only in knowledge (relations.h); args: one for each parameter, NULL for any */              \
    X(IR_KNOWN, "known", "relation `id` has a tuple with args")                                    \
    X(IR_KNOWN_COUNT, "known_count", "how many it has")                                            \
    X(IR_KNOWN_SET, "known_set", "set: what stands for the one NULL among args, a cell")           \
    X(IR_BEFORE, "before", "k0 in the position before the move")

typedef enum IrOp {
#define X(op, name, meaning) op,
    IR_OPS(X)
#undef X
} IrOp;

struct IrExpr {
    IrOp op;
    IrType type;
    int32_t lo, hi; // bounds of the value, for numbers of any type
    int id;         // slot, variable, attribute, table, function, plane or kind; see the table
    int64_t value;
    const uint64_t *set;
    IrExpr *kid[3];
    IrExpr **args; // IR_CALL, IR_KNOWN...: as many as the function or relation has parameters
    IrDomain *domain;
    bool dynamic;  // depends on the state (not only on constants and locals)
    bool bound;    // depends on a parameter: being constant is then no mistake
    uint64_t uses; // the locals it depends on, bit 63 for all from 63 on
    Span span;
};

// A constant table over one or two indices, each with its own size. Entries are numbers, or sets
// (board->words words each) when `sets` is set. Indices are always inside; cells have cells + 1.
typedef struct IrTable {
    const char *name; // step, next, column, or the rules' own name for a static definition
    IrType type;      // of an entry
    int dims;
    int size[2];
    int base[2]; // subtracted from the index first (numbers that do not start at 0)
    int32_t *numbers;
    uint64_t *sets;
} IrTable;

// Tables that every game has, in this order; distance and the like are added when used.
enum { TABLE_STEP, TABLE_NEXT, TABLE_LINE, TABLE_FIRST_FREE };

typedef struct IrFrame { // the locals of a body
    int slots;
    int cap;
    IrType *type;
    const char **name; // for the printed IR
} IrFrame;

typedef struct IrFunc { // a `let` for one list of argument types
    const char *name;
    int params; // locals 0..params-1
    IrFrame frame;
    IrExpr *body;
    Span span;
} IrFunc;

typedef enum IrStmtKind {
    ST_CHOOSE,     // site `id`: domain; the member goes into domain->slot
    ST_EITHER,     // site `id`: branches `body`, linked by `sibling`
    ST_BRANCH,     // one branch of ST_EITHER: `body`
    ST_REQUIRE,    // e0, or this run is no move; `text` says why, may be NULL
    ST_IF,         // e0: body, else other
    ST_FOR,        // domain: body. Members are fixed when the loop begins
    ST_WHILE,      // e0, at most `id` rounds: body
    ST_LET,        // local `id` = e0 (also for assigning to a local variable). With `value` > 0 it
                   //   also stands in the text of a move, like a choice of site `value` - 1: a
                   //   name for what was chosen, which takes no bits of the move
    ST_ASSIGN,     // variable `id` [e1 if indexed] = e0, checked against the variable's range;
                   //   nothing where e1 is none
    ST_SET_ATTR,   // attribute `id` of cell e1 = e0, checked; nothing where no piece stands
    ST_PLACE,      // plane (kind `id`, or kind e2 if id < 0; owner e1 or NULL) on cell or set e0
    ST_MOVE,       // cell e0 to cell e1 with all attributes; what stood on e1 is gone
    ST_MOVE_ABOVE, // stacks: levels e2 and up of cell e0 on top of cell e1 (e2 NULL: the top piece)
    ST_REMOVE,     // what stands on cell or set e0; the top piece on stack boards
    ST_CLEAR,      // the whole stack on cell or set e0
    ST_CHANGE,     // piece on cell or set e0 becomes kind `id` (or e2) of owner e1 (NULL: none);
                   //   attributes the new kind lacks become 0, new ones their default
    ST_AGAIN,      // the same player moves next
    ST_NEXT,       // player e0 moves next, whoever was said before
    ST_FAIL,       // the rules fail here: a fault that says `text`
    ST_CALL,       // the statements of procedure `id`, on the same state
    ST_SCATTER,    // setup: e2 pieces of plane kind `id`, owner e1, on e0 by seed `value`
} IrStmtKind;
// Cells that are `none` make ST_PLACE .. ST_CHANGE do nothing. Moving a cell to itself does
// nothing. A piece that its owner does not have (`man of none`) is a fault wherever it would go.
// ST_PLACE sets attributes of the new piece to their defaults; an ST_SET_ATTR for each `with`
// follows.

struct IrStmt {
    IrStmtKind kind;
    int id;
    IrExpr *e[3];
    IrDomain *domain;
    const char *text;
    int64_t value;
    IrStmt *body, *other;
    IrStmt *sibling; // next branch
    IrStmt *next;    // next statement of the block
    bool chooses;    // a choice or a requirement is in here or deeper
    Span span;
};

// A place in the rules where a choice is made, and how it reads in the text of a move.
typedef struct IrProbe { // part of a choice's domain that can refuse a member
    IrExpr *cond;        // over the site's slot
    const char *text;    // the source text of that part
    Span span;
} IrProbe;
typedef struct IrSite {
    const char *name;           // of the choice; "" for either/or
    IrType type;                // TY_INT for either/or
    int32_t lo, hi;             // of the values; stored in a move as value - lo
    int bits;                   // in a move
    const char *say;            // help text, NULL if the rules give none
    const char *before, *after; // notation around the value; before is "-" by default
    const char **labels;        // either/or: of each branch, "" if none; choices of numbers: the
                                //   text of each value from lo on; NULL for other choices
    int slot;                   // choices: the local that takes the member
    IrProbe *probes;
    int probe_count;
    Span span;
} IrSite;

static inline bool ir_is_either(const IrSite *site) { // not a choice with a name
    return site->labels && !site->name[0];
}

// Statements with a name and locals of their own, which may call themselves. They choose nothing;
// what they give back goes into variables. Locals begin as 0 and empty in each call. More than
// IR_MAX_CALLS inside one another are a fault, and so are more than IR_MOST_CALLS that a call from
// outside leads to.
#define IR_MAX_CALLS 200
#define IR_MOST_CALLS 1000000
typedef struct IrProc {
    const char *name;
    IrFrame frame;
    IrStmt *body;
    Span span;
} IrProc;

typedef enum IrOutcome { OUT_DRAW, OUT_WINS, OUT_LOSES, OUT_MOST, OUT_LEAST, OUT_PASS } IrOutcome;
typedef struct IrRule {
    IrOutcome outcome;
    IrExpr *player; // wins, loses
    IrExpr *score;  // most, least: over local `slot`, a player
    int slot;
    IrExpr *cond; // NULL: always
    Span span;
    const char *text; // as in the rules file
    const char *why;  // the same for people; NULL: nothing is said
} IrRule;
typedef struct IrRules {
    IrRule *rule;
    int count;
    IrFrame frame;
} IrRules;

typedef struct IrKind {
    const char *name;
    uint32_t owners;               // bit per player; 0: a piece without owner
    int plane[IR_MAX_PLAYERS + 1]; // by owner, [players] without; -1 if there is none
    uint64_t attributes;           // bit per attribute it has
    Span span;
} IrKind;
typedef struct IrPlane {
    int kind, owner;            // owner == players: without
    char letter[8];             // in state texts, one UTF-8 character
    char symbol[16];            // on Unicode boards; the letter if the rules give none
    int offset;                 // of its set in a state: cells where this piece is (on top)
    const LookPicture *picture; // of IrGame.look; NULL: nothing is said
} IrPlane;
typedef struct IrAttr {
    const char *name;
    IrType type;
    int32_t lo, hi, initial;
    int offset, width; // width 0: a set (bool); else bytes per cell, value - lo is not applied:
                       // stored as is, unsigned if lo >= 0 else signed
    Span span;
} IrAttr;
typedef struct IrVar {
    const char *name;
    IrType type;
    int32_t lo, hi;
    bool clock;
    IrType index; // meaningful when count > 1 or indexed
    bool indexed;
    int count;              // entries
    int index_base;         // subtracted from an index
    int64_t *initial;       // count numbers (masks and numbers)
    uint64_t *initial_sets; // count sets, for sets of cells
    int offset, width;      // bytes of an entry; 8 * words for sets; signed if lo < 0
    Span span;
} IrVar;
typedef struct IrEnum { // members of a `some of`
    const char **name;
    int count;
} IrEnum;
typedef struct IrPhrase { // something of the file in another language
    const char *language; // "de"
    const char *from, *to;
} IrPhrase;
typedef struct IrParameter {
    const char *name;
    const char *help;
    const char *allowed; // "1..16", "8, 10 or 16", "yes or no"
    bool boolean, list;
    const char *const *words; // of the values 0, 1, ...; NULL: numbers, or yes and no
    int64_t *values;          // as bound
    int count;
    const char *initial; // default, as text
    Span span;
} IrParameter;

typedef struct IrInputRead {
    const char *name;
    bool letter;
    int slot;
    IrExpr *low, *high; // a range, or
    const char **words; //   words with
    IrExpr **values;    //   their values
    int word_count;
    const char *message;
    Span span;
} IrInputRead;
typedef struct IrInput { // another way to type moves
    IrFrame frame;
    // In order: a read, a check or a named value.
    struct IrInputStep {
        IrInputRead *read;
        IrExpr *check; // with `message`
        IrExpr *value; // into `slot`
        int slot;
        const char *message;
    } * step;
    int steps;
    struct IrInputAnswer {
        const char *choice;
        IrExpr *value;
    } * answer;
    int answers;
    int reads;
} IrInput;

// Where everything is in a state. A state is `size` bytes, a multiple of 8, compared, hashed and
// copied as memory. What positions are told apart by is in the first `identity` bytes (a
// multiple of 8 too); clocks follow.
//
//     | planes | other 8-byte fields | 4 | 2 | 1-byte fields, player, result, pad | clocks, pad |
//     0                                                                   identity            size
typedef struct IrLayout {
    int size;
    int identity;
    const uint64_t *mask; // identity / 8 words: the bits that count; NULL: all of them
    int player;           // offset of the byte with the player on move
    int result; // offset of the byte: 0 while the game goes on, else RESULT_OVER | winners
    int stack_offset, stack_width; // stack boards: per cell 2, 4 or 8 bytes,
    int stack_bits;                //   1 followed by this many bits a piece, bottom first
    double bits;                   // of information: log2 of the number of states
} IrLayout;

#define RESULT_OVER 0x80 // | a bit for each winner; nobody: a draw (a lost puzzle)

struct IrKnowledge; // relations.h

typedef struct IrGame {
    Arena *arena;
    const Source *source;
    const char *title, *about, *origin;
    const char **also;
    int also_count;
    IrPhrase *phrase; // by language, in the order of the file
    int phrases;
    const char **player; // names
    const char **player_letter;
    int players;
    IrParameter *parameter;
    int parameters;
    Board *board;
    IrKind *kind;
    int kinds;
    IrPlane *plane;
    int planes;
    IrAttr *attr;
    int attrs;
    IrVar *var;
    int vars;
    IrEnum *enums;
    int enum_count;
    IrTable **table;
    int tables, table_cap;
    IrFunc **func;
    int funcs, func_cap;
    IrProc **proc;
    int procs, proc_cap;
    IrSite *site;
    int sites, site_cap;
    const uint64_t *hidden;              // cells whose content tells no positions apart; NULL: none
    const Look *look;                    // NULL: nothing is said about pictures, cameras and arms
    const LookTable *on_table;           // NULL: nothing is said about a table with an arm
    const struct IrKnowledge *knowledge; // NULL: the file says nothing about good moves
    IrStmt *setup, *turn;
    IrFrame setup_frame, turn_frame;
    IrRules end, stuck, all_stuck;
    int repeated;                          // draw when a position occurs this often; 0: never
    const char *repeated_why;              // as IrRule.why
    int64_t scramble_moves, scramble_seed; // after setup: so many random moves
    IrInput *input;                        // NULL if there is none
    IrLayout layout;
    int move_bits;    // the most a move takes
    int most_choices; // in a move
} IrGame;

// --- ir.c: building ---
IrGame *ir_new(Arena *arena, const Source *source);
int ir_add_slot(IrGame *g, IrFrame *frame, IrType type, const char *name);
int ir_add_table(IrGame *g, IrTable *table); // returns its id
// When the turn is complete: notes where it chooses (IrStmt.chooses), and counts what a move takes
// (move_bits, most_choices). False if moves can be too long.
bool ir_note_choices(IrGame *g);
void ir_add_board_tables(IrGame *g);        // TABLE_STEP .. TABLE_LINE, first of all tables
static inline bool ir_is_set(IrType type) { // takes words, not a number
    return type.kind == TY_SET;
}
bool ir_reads_board(IrOp op); // what stands where
// The number of values of a scalar type: players, cells, … without none; ints by lo..hi.
int ir_domain_size(const IrGame *g, IrType type, int32_t lo, int32_t hi);
const char *ir_type_name(const IrGame *g, IrType type); // "a cell", "a set of cells", …
// --- layout.c ---
// Gives planes, variables and attributes their places; false (reported) if a state is too large.
// `board` is the place in the rules that such a message points at.
bool ir_lay_out(IrGame *g, Span board, Diags *diags);
// --- eval.c: values, found in the plainest way ---
typedef union IrValue {
    int64_t number;
    uint64_t set[BOARD_MAX_WORDS];
} IrValue;
// `locals` holds a value per slot. False if the expression depends on the state, or if `steps`
// (counted down) runs out.
// `locals` must have room for every slot below 32; larger frames are not evaluated.
bool ir_eval(const IrGame *g, const IrExpr *e, IrValue *locals, IrValue *out, long *steps);
// What an expression can ask about besides constants and locals.
typedef struct IrView {
    const uint8_t *state;
    int me;
    const struct IrKnowledge *knowledge; // with `known`: IR_KNOWN...; else NULL
    const uint64_t *const *known;        // [relations]: a bit for each tuple that holds
    const struct IrView *before;         // what IR_BEFORE asks; else NULL
} IrView;
typedef struct IrEval {
    const IrGame *g;
    const IrView *view;
    IrValue *locals;
    int slots;   // that `locals` has
    long *steps; // counted down: about one for each simple operation
} IrEval;
// The value of any expression. False if the steps run out (they are below 0 then), or memory.
bool ir_value(IrEval *v, const IrExpr *e, IrValue *out);
// Calls `visit` for each member that passes the domain's `where`, ascending, with its slot set,
// until it returns false. False if that is so, or as above.
typedef bool (*IrVisit)(void *with, int64_t member);
bool ir_each(IrEval *v, const IrDomain *d, IrVisit visit, void *with);
// --- silent.c ---
// Which clocks (silent[vars]) decide nothing: states that differ only there have as many moves,
// which lead to states that differ only there. Working memory comes from the arena.
void ir_silent(const IrGame *g, Arena *arena, bool *silent);
// --- print.c ---
void ir_print(const IrGame *g, Text *out); // the whole game, readable (`ludens ir`)
void ir_print_expr(const IrGame *g, const IrFrame *frame, const IrExpr *e, Text *out);

#endif
