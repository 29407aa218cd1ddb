// code: what the parts of the interpreter share: the compiled program, a machine, the compiler.
//
// Private to vm/. Files: compile.c (programs), known.c (values already computed), cond.c and
// expr.c (expressions), stmt.c (statements), run.c (the loop), effects.c (changes of a state),
// machine.c (vm.h's calls), disasm.c.
#ifndef LUDENS_VM_CODE_H
#define LUDENS_VM_CODE_H

#include "vm/ops.h"
#include "vm/vm.h"

#include "base/bits.h"

typedef enum VmOp {
#define X(op, operands, meaning) OP_##op,
    VM_OPS(X)
#undef X
        OP_LAST
} VmOp;

typedef struct VmInsn {
    uint16_t op, a, b, c;
} VmInsn;

// A jump reaches 32,767 instructions; two megabytes of code are far more than a game needs that
// a person can read.
#define VM_MAX_CODE 200000
// Registers are numbered below 65,536. While a program is compiled, constants are numbered from
// VM_FIRST_CONST, and values that depend only on the player on move from VM_FIRST_MINE; they move
// behind the last other register when it is finished.
#define VM_FIRST_CONST 0x8000
#define VM_MAX_CONSTS 0x2000
#define VM_FIRST_MINE 0xC000
#define VM_MAX_MINE 0x1000
// Expressions translated in all: definitions that call each other multiply.
#define VM_MAX_WORK 2000000L
// Tables that the code reads, each row or column of them counted.
#define VM_MAX_VIEWS 8192
// Nested calls and expressions: keeps the compiler's own stack small.
#define VM_MAX_DEPTH 1500

// Fixed registers. VM_AGAIN: 0, 1 after `again`, or VM_NEXT and the player who moves next.
#define VM_NEXT 2
enum { VM_ME, VM_AGAIN, VM_FIRST_REG };

typedef struct VmView { // a table, or one row or column of it, as the machine reads it
    const int32_t *numbers;
    const uint64_t *sets;
    int64_t base[2];
    uint64_t size[2];
    uint64_t stride; // in entries, of the first index
    int id;          // of the IR's table, for the disassembly
} VmView;

typedef struct VmField { // an array in a state
    int64_t base;
    uint64_t count;
    uint16_t offset, width;
    int16_t var; // for messages; -1: an attribute
} VmField;

typedef struct VmList { // planes: offsets in VmProgram.list_offset
    uint16_t first, count;
} VmList;

typedef struct VmSite {
    int64_t lo, hi;
    int bits;
} VmSite;

// A step in one direction on a board of one word is a few shifts: of all cells on square boards,
// of the odd and of the even rows where only every second cell is used. Seven are enough for the
// cross of peg solitaire.
#define VM_MAX_PARTS 8
typedef struct VmStep {
    int parts; // 0: no step anywhere, or too many parts: then VmProgram.shifts is false
    uint64_t mask[VM_MAX_PARTS];
    int delta[VM_MAX_PARTS];
} VmStep;

// Procedures have registers of their own. A call keeps what is in them on a stack, so that a
// procedure that is entered again finds its locals as they were when it goes on.
typedef struct VmProc {
    int entry;
    int first, regs; // its registers
    long cost;       // of a call: every instruction once
} VmProc;

typedef struct VmUnmet { // a requirement, or a fault of the rules
    const char *why;
    Span span;
} VmUnmet;

typedef struct VmRange { // what a variable may hold
    int64_t lo, hi;
    bool none; // hi is `none`
} VmRange;

struct VmProgram {
    // What instructions cost that do not take the same time on every board.
    long resume_cost, line_cost, ray_cost, board_cost;
    const IrGame *game;
    int words, cells, planes, players;
    uint64_t all[BOARD_MAX_WORDS]; // every cell
    VmInsn *code;
    Span *span; // of each instruction
    int count;
    int generate, apply, setup, stuck, all_stuck; // where programs begin
    int *input_step, *input_low, *input_high, *input_answer, **input_word;
    int *input_slot; // registers of the input's locals
    int regs;        // with constants, which are the last
    int first_const, consts;
    uint64_t *constant;
    int first_mine, mines; // behind the constants
    uint64_t *mine;        // [player * mines]
    int save, save_count;  // registers that a choice must restore
    VmView *view;
    int views, view_cap;
    VmField *field;
    int fields, field_cap;
    VmList *list;
    int lists, list_cap;
    uint16_t *list_offset;
    int list_offsets, list_offset_cap;
    VmSite *site;
    VmProc *proc;
    int proc_regs; // of the procedure that has most
    VmUnmet *unmet;
    int unmets, unmet_cap;
    Span *note; // where the notes are, if there are any
    int notes, note_cap;
    VmRange *range;         // of each variable
    uint16_t *plane_offset; // of each plane
    bool planes_in_row;     // planes stand one after the other from offset 0
    int16_t *plane_of;      // [kind * (players + 1) + owner], -1; a row for no kind too
    uint64_t *through_set;  // the sets of Board.through
    VmStep *step;           // per direction, if `shifts`
    bool shifts;
    uint64_t *first_set; // sets of the lines, those with the same lowest cell together:
    int *first_start;    //   per cell where they begin, and where the last ends
    uint64_t *ray; // [(cell * directions + d) * words]: to the edge; NULL if rays go up and down
    bool *ray_up;  // per direction: cell numbers grow along it
};

typedef enum VmMode { MODE_PLAY, MODE_FOLLOW } VmMode;
typedef enum VmStatus {
    RUN_DONE,
    RUN_ILLEGAL,
    RUN_FAULT,
    RUN_ASKS,
    RUN_REFUSED,
    RUN_UNMET
} VmStatus;

typedef struct VmPoint { // a choice that has members left
    const VmInsn *pc;    // where to go on
    uint8_t *state;      // as it was
    Move move;           // so far
    int at;
} VmPoint;

typedef struct VmCall {
    const VmInsn *pc; // where to go on
    const VmProc *proc;
} VmCall;

struct Vm {
    const VmProgram *p;
    VmCall *call;        // IR_MAX_CALLS, if there are procedures
    uint64_t *call_regs; // proc_regs for each
    int me;              // the player that the registers of mine are for, or -1
    uint64_t *reg;
    VmPoint *point;   // VM_MAX_CHOICES + 1; the first is the end
    uint64_t *saved;  // save_count for each
    uint8_t *states;  // a copy for each choice and one more
    uint8_t *scratch; // the state being made by apply and follow
    uint8_t *input_state;
    uint64_t *input; // locals of the input
    long limit;      // of steps in a run
    double deadline; // of all runs, in seconds of the monotonic clock; 0: none
    // of the current run
    long budget;
    Move *out;
    int64_t cap, found, stop_at;
    VmMode mode;
    Move move;
    int at;
    const int64_t *values;
    int value_count, used;
    VmChoice *record;
    int record_cap, recorded;
    int64_t value;
    VmStop stop;
    VmFault fault;
    char message[256];
    bool *noted; // of each note of the program; NULL if it has none
};

// --- run.c ---
// Runs the program at `entry` on `state`, which is written only by programs that are not
// `generate`. Results are in vm.
VmStatus vm_run(Vm *vm, int entry, uint8_t *state);

// --- effects.c: all take a cell below `cells`; false: vm->message says why ---
bool vm_place(Vm *vm, uint8_t *s, int cell, int plane);
void vm_remove(Vm *vm, uint8_t *s, int cell);
void vm_clear(Vm *vm, uint8_t *s, int cell);
void vm_change(Vm *vm, uint8_t *s, int cell, int plane);
void vm_move(Vm *vm, uint8_t *s, int from, int to);
bool vm_move_stack(Vm *vm, uint8_t *s, int from, int to, int64_t level);
bool vm_set_attr(Vm *vm, uint8_t *s, int attr, int cell, int64_t value);
bool vm_scatter(Vm *vm, uint8_t *s, const uint64_t *set, int64_t count, int plane, uint64_t seed);
int vm_plane_at(const VmProgram *p, const uint8_t *s, uint64_t cell);
int vm_plane_in(const VmProgram *p, const uint8_t *s, uint64_t cell, int64_t level);
int vm_height(const VmProgram *p, const uint8_t *s, uint64_t cell);

// --- the compiler ---
typedef struct VmFrame { // the locals of a body: the register of each, -1 while it has none
    int *reg;
} VmFrame;

typedef struct VmKnown { // an expression whose value is in a register
    const IrExpr *e;     // NULL once a change of the state made it worthless
    const VmFrame *frame;
    int reg;
} VmKnown;

typedef struct VmRest { // the statements that follow the one being compiled
    const IrStmt *next;
    const IrStmt *loop; // not NULL: then this statement begins again
    bool tail;          // nothing behind these chooses: those that do not either are left out
    const struct VmRest *up;
} VmRest;

typedef enum VmStream { STREAM_GENERATE, STREAM_APPLY, STREAM_PLAIN } VmStream;

typedef struct VmMark {
    int known, reg;
} VmMark;

typedef struct VmCompiler {
    Arena *arena;
    const IrGame *game;
    Diags *diags;
    VmProgram *p;
    bool failed;
    bool notes; // are wanted
    int depth;
    Span at;
    int code_cap;
    int reg, reg_max;
    int base;  // registers below it are those of procedures
    int floor; // registers below it may be wanted by a choice that is resumed
    int const_cap;
    uint64_t (*mine)[IR_MAX_PLAYERS]; // values for each player
    int mine_cap;
    long work;
    int *visited; // functions, by the number of the query that came by last
    int queries;
    VmFrame **bare; // of each function: a frame without arguments
    int *label;     // where each is, -1 while unknown
    int labels, label_cap;
    struct VmFix {
        int insn, label;
    } * fix; // jumps
    int fixes, fix_cap;
    VmKnown *known;
    int knowns, known_cap;
    // of the stream
    VmStream stream;
    bool forked;      // the state is surely our own
    int choice_loops; // around us
    int fail;         // label
    const VmRest *rest;
    struct VmCounter {
        const IrStmt *stmt;
        int reg;
    } * counter; // registers of `while` and `for`
    int counters, counter_cap;
    const int *lets; // how many statements give each local its value
    long scans;      // expressions looked at for hoisting, bounded
} VmCompiler;

// --- compile.c ---
void vm_too_large(VmCompiler *c);                         // reports it once
int vm_emit(VmCompiler *c, VmOp op, int a, int b, int d); // returns the place of the instruction
void vm_jump(VmCompiler *c, VmOp op, int a, int b, int label);
int vm_label(VmCompiler *c);
void vm_bind(VmCompiler *c, int label);
void vm_note(VmCompiler *c, Span at); // if notes are wanted
int vm_alloc(VmCompiler *c, int n);   // registers
VmMark vm_mark(const VmCompiler *c);
void vm_release(VmCompiler *c, VmMark mark);
int vm_number(VmCompiler *c, int64_t value); // constants
int vm_set_constant(VmCompiler *c, const uint64_t *words);
// The register of something that depends only on the player on move: n words for each player.
int vm_mine(VmCompiler *c, const uint64_t (*values)[BOARD_MAX_WORDS], int n);
int vm_width(const VmCompiler *c, IrType type); // registers a value takes
bool vm_enter(VmCompiler *c); // false: too deep or too much; else vm_leave must follow
void vm_leave(VmCompiler *c);
VmFrame *vm_frame(VmCompiler *c, const IrFrame *frame);
int vm_none(const VmCompiler *c, IrType type); // the number of values: also `none`
int vm_add_view(VmCompiler *c, VmView view);
int vm_add_field(VmCompiler *c, VmField field);
// Lists first .. first + n - 1, the i-th with the planes of owner owners[i] (-1: any) and kind
// kinds[i] (-1: any). Returns the first.
int vm_add_lists(VmCompiler *c, int n, const int *kinds, const int *owners);

// --- known.c ---
int vm_find_known(VmCompiler *c, const VmFrame *f, const IrExpr *e); // a register or -1
void vm_learn(VmCompiler *c, const VmFrame *f, const IrExpr *e, int reg);
void vm_forget(VmCompiler *c);              // the state changed
void vm_forget_reg(VmCompiler *c, int reg); // the local in this register changed
// Computes what does not depend on the loop's member before the loop begins.
void vm_hoist(VmCompiler *c, VmFrame *f, const IrDomain *d, const IrExpr *body);
bool vm_uses_slot(VmCompiler *c, const IrExpr *e, int slot);

// What statements that follow may read.
typedef enum VmWhat { READS_BOARD, READS_VAR, READS_ATTR, READS_LOCAL } VmWhat;
bool vm_read_later(VmCompiler *c, VmWhat what, int id);
bool vm_block_chooses(const IrStmt *list); // stmt.c: a choice or requirement in it
// Computes what is cheap and does not depend on the choice before it is made.
void vm_hoist_cheap(VmCompiler *c, VmFrame *f, int slot, const IrStmt *after);
// The value of e if `player` is on move, as words; false if it depends on more than that.
bool vm_fold(VmCompiler *c, const IrExpr *e, int player, uint64_t *out);

// --- expr.c ---
// The register with the value of e; `want` >= 0: that register.
int vm_expr(VmCompiler *c, VmFrame *f, const IrExpr *e, int want);
VmFrame *vm_call(VmCompiler *c, VmFrame *f, const IrExpr *e); // arguments of a call
typedef struct VmLoop {
    const IrDomain *domain;
    int base;             // first register
    int body, next, exit; // labels
    VmMark mark;
} VmLoop;
int vm_loop_regs(const VmCompiler *c, const IrDomain *d);   // how many it takes
int vm_loop_member(const VmCompiler *c, const IrDomain *d); // which of them is the member
// `base` < 0: fresh registers. Members that fail `where` jump to loop->next.
void vm_loop_begin(VmCompiler *c, VmFrame *f, const IrDomain *d, const IrExpr *body, int base,
                   VmLoop *loop);
// The same with the domain's parts already in registers a and b, and without `where`.
void vm_loop_start(VmCompiler *c, VmFrame *f, const IrDomain *d, int a, int b, int base,
                   VmLoop *loop);
void vm_loop_end(VmCompiler *c, VmLoop *loop);
// The members of a domain of cells or of a mask, `where` included, as a set.
int vm_members(VmCompiler *c, VmFrame *f, const IrDomain *d, int want);

// --- cond.c ---
// Jumps to the label if e is `sense`. Returns how many known values hold at both ends; the ones
// beyond hold only where it does not jump.
int vm_cond(VmCompiler *c, VmFrame *f, const IrExpr *e, bool sense, int label);
// Jumps if the number in register x, which is not none, is in the domain (or not).
void vm_member(VmCompiler *c, VmFrame *f, int x, const IrDomain *d, bool sense, int label);
// `piece(x) == man` and `owner(x) == me` ask for one bit of a set: returns that set and x, or NULL.
const IrExpr *vm_bit_set(VmCompiler *c, const IrExpr *e, const IrExpr **x);

// --- stmt.c ---
void vm_turn(VmCompiler *c, const IrFrame *frame, const IrStmt *list, VmStream stream);

#endif
