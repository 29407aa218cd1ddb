// knowledge_parts: the inside of a Knowledge and of a Reasoner, for the files of knowledge/ alone;
// others see knowledge.h.
#ifndef LUDENS_KNOWLEDGE_PARTS_H
#define LUDENS_KNOWLEDGE_PARTS_H

#include "knowledge/knowledge.h"
#include "native/load_knowledge.h"

struct Knowledge {
    const Game *game;
    const IrGame *ir;        // what its expressions belong to: the game's own, or one with more
    const IrKnowledge *what; //   definitions for a rules file; the layout of states is the same
    const char *title;       // of a rules file, else of the game
    Arena arena;             // of a rules file: everything that was made for it
    Source source;           //   and its text, owned
    bool clips;              // the file is one of CLIPS: worth comes from there
    NativeJob *job;          // compiles it to machine code; NULL: not asked for
    _Atomic(const NativeKnowledge *) native; // what it has made, as soon as it is there
};

// The relations of one position, as one player sees them.
typedef struct Found {
    uint8_t *state; // a copy
    uint64_t **bits;
    uint32_t **rank; // [relations][tuples]: conclusions in the order in which they were found
    IrView view;
} Found;

struct Reasoner {
    const Knowledge *k;
    struct Clips *clips; // of a CLIPS file, from the first time on
    Vm *vm;              // reads moves
    Found now, before;
    Relations relations; // of `now`
    bool concluded;      // `now` is complete
    IrValue *locals;     // of the frame in use
    int slots;           //   which has at most so many
    long limit;          // of steps for a call
    long steps;          // left in this call
    uint32_t ranks;      // given so far
    Support *support;    // of the literals passed so far
    int support_cap;     // and what a reason can have
    Reason reason;       // what reasoner_reason found
    WorthPart *parts;
    int part_count, part_cap;
    Text error;
    Span at;      // the place in the rules file that it names, or none
    size_t place; // and how much of the text that takes
};

// About a second of work: far more than the rules of any sensible game, little enough that a
// person who wrote rules that explode gets the answer at once.
#define REFERENCE_STEPS 50000000L

// Of what conditions ask, besides a clause's literals, a reason has at most so much.
#define REASON_ASKED 16

// --- clauses.c: all ways in which literals hold ---
// What is done when all literals of a clause hold; false ends the walk. r->locals and r->support
// (one entry for each LIT_KNOWN, in order) say how.
typedef struct Walk Walk;
typedef bool (*WalkDone)(Walk *w);
struct Walk {
    Reasoner *r;
    const Found *found;
    const IrLiteral *literal;
    int literals;
    int supports;
    IrEval eval;
    WalkDone done;
    const IrRelation *relation; // of the head, and
    const IrClause *clause;     //   the clause, for `done`
    void *with;
};
// Walks with fresh locals of this frame. False if `done` said so, or out of steps or memory:
// r->steps is below 0 then, or r->error says what.
bool walk_literals(Reasoner *r, const Found *f, const IrLiteral *literal, int literals,
                   const IrFrame *frame, Walk *w);
// The number of the tuple that the values make; -1 if one of them is outside.
int tuple_number(const IrRelation *r, const int64_t *value);
// The tuple that the head of the clause says now, -1 if it has none. False as ir_value.
bool walk_head(Walk *w, int *tuple);
void tuple_values(const IrRelation *r, int tuple, int64_t *value);
static inline bool tuple_holds(const uint64_t *bits, int tuple) {
    return bits[tuple / 64] >> (tuple % 64) & 1;
}

// --- knowledge_native.c ---
// The machine code, NULL if there is none yet.
static inline const NativeKnowledge *knowledge_native(const Knowledge *k) {
    return atomic_load_explicit(&k->native, memory_order_acquire);
}
int64_t native_priority(Reasoner *r, const NativeKnowledge *n, const uint8_t *before, Move move,
                        const uint8_t *after);

// --- knowledge_clips.c ---
// The rest of knowledge_compile for a file of CLIPS.
bool knowledge_read_clips(Knowledge *k, Diags *diags);

// --- reference.c ---
// Fills in all relations; false with r->error.
bool reference_fill(Reasoner *r, Found *f, const uint8_t *state, int me);
bool reasoner_fail(Reasoner *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
