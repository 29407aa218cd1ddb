// relations: what a game's file says about good positions and good moves: relations over the
// members of finite types, rules that derive more of them, what they are worth, and priorities of
// moves. The rules of a game never depend on it.
//
// A relation is a set of tuples, told apart by number: for arguments a, b, c the tuple's number is
// ((a - lo[0]) * size[1] + b - lo[1]) * size[2] + c - lo[2]. Those of `facts` are found from the
// state alone, those of `rules` from other relations too, stratum by stratum until nothing new
// follows.
//
// In all expressions here `me` (IR_ME) is the player for whom the position is judged; local 0 of
// each frame is the player on move in the position, a TY_PLAYER called `mover`.
#ifndef LUDENS_IR_RELATIONS_H
#define LUDENS_IR_RELATIONS_H

#include "ir/ir.h"

#define IR_MAX_ARGS 4
#define IR_MAX_TUPLES 65536 // of a relation
#define IR_MAX_RELATIONS 200
#define IR_MAX_TIMES 1000 // of a line of `prefer`, and of `opponent`: no sensible sum overflows
#define IR_MOVER 0        // the local of each frame

// An argument of a relation where it is asked: a value that is known, a local that takes what is
// found, or anything (`_`). A value may lie outside the relation's range (none, or a number beyond
// it; its type and bounds tell whether it can): then no tuple fits. So may args of IR_KNOWN....
typedef struct IrTerm {
    IrExpr *value; // NULL: not known
    int slot;      // without a value: the local, -1 for `_`
} IrTerm;

typedef enum IrLiteralKind {
    LIT_EACH,  // domain->slot takes each member
    LIT_KNOWN, // each tuple of `relation` that fits the terms
    LIT_COND,  // only if `cond`, in which relations of lower strata may occur (IR_KNOWN…)
    LIT_LET,   // the term's slot takes the value of `cond`
} IrLiteralKind;

typedef struct IrLiteral {
    IrLiteralKind kind;
    IrDomain *domain;
    IrExpr *cond;
    int relation;
    IrTerm term[IR_MAX_ARGS];
    const char *text; // as in the file
    Span span;
} IrLiteral;

// One way to derive a tuple: for all that passes the literals, in this order, the head holds. Each
// literal uses only locals that earlier ones have set.
typedef struct IrClause {
    IrFrame frame;
    IrLiteral *literal;
    int literals;
    IrExpr *head[IR_MAX_ARGS]; // always inside the relation's ranges
    const char *text;          // as in the file
    Span span;
} IrClause;

typedef struct IrRelation {
    const char *name;
    int params;
    IrType type[IR_MAX_ARGS]; // scalars, never `none`
    int32_t lo[IR_MAX_ARGS];
    int size[IR_MAX_ARGS];
    int tuples;     // 1 without parameters
    bool derived;   // by `rules`
    bool recursive; // a clause of its stratum asks for a relation of the same stratum
    bool of_me;     // depends on `me`, itself or through others
    int stratum;    // of facts 0; of conclusions 1 and more
    IrClause *clause;
    int clauses;
    Span span;
} IrRelation;

// For each tuple that fits the terms, the position is worth `weight` more to me.
typedef struct IrWorth {
    IrFrame frame;
    IrLiteral atom;       // LIT_KNOWN
    IrExpr *weight;       // a number, over the frame's locals
    const char *sentence; // NULL: none is given
    const char *text;
    Span span;
} IrWorth;

// A move is `times / over` as good if the condition holds in the position after it. IR_BEFORE asks
// about the position before; `me` is who made the move in both. Choices are locals; a line that
// uses one that the move did not make does not count.
typedef struct IrPrefer {
    IrExpr *cond;
    int64_t times, over;
    uint64_t choices; // bit i: choice i of IrKnowledge.choice is used
    const char *sentence;
    const char *text;
    Span span;
} IrPrefer;

typedef struct IrChoiceName { // all choices of the turn with that name are one
    const char *name;
    IrType type;
    int32_t lo, hi;
    int slot; // of prefer_frame
} IrChoiceName;

typedef struct IrKnowledge {
    const char *title; // of a file of its own; NULL
    IrRelation *relation;
    int relations;
    int *order; // of relations: facts first, then by stratum
    int strata;
    IrWorth *worth;
    int worths;
    int64_t opponent; // all of `worth` counts again with me and opponent exchanged, so often; 0
    IrPrefer *prefer;
    int prefers;
    IrFrame prefer_frame;
    IrChoiceName *choice;
    int choices;
    int *site_choice; // [sites]: which of `choice` a site is, -1 for either/or
} IrKnowledge;

#endif
