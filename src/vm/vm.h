// vm: the interpreter. IR -> bytecode -> legal moves, one at a time or all at once.
//
// A VmProgram is immutable and shared; it lives in the arena it was compiled into. A Vm is one
// thread's working memory (registers, stacks) and is freed with vm_free. Nothing here allocates
// while moves are generated or applied. Every run is bounded: by VM_STEPS instructions and by
// the number of choices that fit in a move. When a bound is hit, or a variable would leave its
// range, the call fails and vm_fault tells what happened and where in the rules.
//
// States are blocks of layout.size bytes, 8-byte aligned (see IrLayout).
#ifndef LUDENS_VM_H
#define LUDENS_VM_H

#include "ir/ir.h"
#include "ir/move.h"

typedef struct VmProgram VmProgram;
typedef struct Vm Vm;

// About a second of work: far more than a turn of any sensible game, little enough that a
// person who wrote a runaway rule gets the answer at once.
#define VM_STEPS 100000000L
#define VM_MAX_MOVES (1 << 20)

typedef struct VmFault {
    const char *message; // static or owned by the Vm, valid until its next call
    Span span;           // in the rules; line 0 if it has no place
} VmFault;

// NULL (reported) if the rules need more registers or code than the machine has.
VmProgram *vm_compile(Arena *arena, const IrGame *game, Diags *diags);
void vm_print(const VmProgram *p, Text *out); // disassembly
// The same rules with notes in between: vm_noted knows then where vm_apply and vm_stuck have been.
VmProgram *vm_compile_noted(Arena *arena, const IrGame *game, Diags *diags);

Vm *vm_new(const VmProgram *p); // NULL when out of memory
void vm_free(Vm *vm);
VmFault vm_fault(const Vm *vm);
// For rules that are not trusted: each run takes at most `steps` instructions (0: VM_STEPS), and
// all runs from now on together about `seconds` (0: without limit). Beyond, they fail.
void vm_limit(Vm *vm, long steps, double seconds);
// Whether a statement, or the outcome of a rule of the end, at this place of the rules was run
// since vm_new; false for programs without notes.
bool vm_noted(const Vm *vm, Span at);

// Runs `setup` on a state: all zero but for initial values. Scramble is the caller's.
bool vm_setup(Vm *vm, uint8_t *state);

// Legal moves of the player on move by the turn program alone: no pass, no test for the end.
// Returns how many there are (also beyond `cap`, of which the first are stored), or -1.
// The order is that of the rules: choices in ascending order, branches from top to bottom.
int vm_moves(Vm *vm, const uint8_t *state, Move *out, int cap);
int64_t vm_count(Vm *vm, const uint8_t *state); // the same number, without storing
int vm_any(Vm *vm, const uint8_t *state);       // 1 if there is a move, 0 if not, -1

// Plays a move: turn, end rules (`me` is still the mover), result, next player. The player on
// move changes unless the rules said `again`, also when the game is over. `to` may be `from`; it
// is written only on success. Every choice is checked, so a move from anywhere may be tried.
// MOVE_PASS only hands the turn on. False on a fault, or without one if the move is not legal.
bool vm_apply(Vm *vm, const uint8_t *from, Move move, uint8_t *to);

// What happens to the player on move who has no move (when stuck / when all stuck).
// Returns a result byte (RESULT_OVER | winners), VM_PASS, or -1 on a fault.
#define VM_PASS 0
int vm_stuck(Vm *vm, const uint8_t *state, bool all);

// The choices that make up a move of this state, in order; returns how many, or -1. A fault of the
// rules behind the last choice does not matter here.
typedef struct VmChoice {
    int site;
    int64_t value; // a number of the site's type; the branch for either/or
} VmChoice;
int vm_choices(Vm *vm, const uint8_t *state, Move move, VmChoice *out, int cap);
#define VM_MAX_CHOICES 128

// Follows the turn along given values of the choices, as a person makes them.
typedef enum VmStopKind {
    VM_DONE,    // a complete move: `move`
    VM_ASKS,    // more choices wanted: `site` is the next
    VM_REFUSED, // values[index] is not in the domain of `site`; `why` says which part refused it
    VM_FAILED,  // a `require` after the given choices refused: `why`
    VM_FAULT,
} VmStopKind;
typedef struct VmStop {
    VmStopKind kind;
    int index; // how many values were used
    int site;
    Move move;
    const char *why; // the message or the source text of what refused; NULL if not known
    Span span;
} VmStop;
VmStop vm_follow(Vm *vm, const uint8_t *state, const int64_t *values, int count);

// The `input` section: set what was read, evaluate checks, values and answers in order.
void vm_input_begin(Vm *vm, const uint8_t *state);
void vm_input_set(Vm *vm, int slot, int64_t value);
bool vm_input_step(Vm *vm, int step, int64_t *value); // check or named value (stored too)
bool vm_input_answer(Vm *vm, int answer, int64_t *value);
bool vm_input_bounds(Vm *vm, int step, int64_t *low, int64_t *high); // of a read with a range
bool vm_input_word(Vm *vm, int step, int word, int64_t *value);      // of a read with words

#endif
