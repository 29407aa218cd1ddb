// check_knowledge: what the files check_knowledge*.c share; private to them. See checker.h.
//
// The order of work: all relations are declared; facts are checked, whose arguments give the types
// of their relations; rules are checked in the order in which they depend on each other, those that
// go in a circle together. Only then are `worth` and `prefer` looked at.
#ifndef LUDENS_CHECK_KNOWLEDGE_H
#define LUDENS_CHECK_KNOWLEDGE_H

#include "ir/relations.h"
#include "lang/checker.h"

// That a relation asks for another. What is asked by `not`, `count` or as a set must be complete
// before: then the other must not depend on the first.
typedef struct Asked {
    int relation;
    bool complete;
    const char *text; // of what asks, for messages
    Span span;
} Asked;

typedef struct Relation {
    const Node **line; // N_FACT or N_CLAUSE
    int lines, line_cap;
    bool typed;     // its types and ranges are known, perhaps not yet the whole ranges
    bool wrong;     // and reported
    int first_line; // where the types come from
    Asked *asks;
    int asked, asks_cap;
    int component; // of relations that depend on each other, -1: not found yet
} Relation;

// Everything about the relations of a game and of a rules file beside it.
struct Knower {
    IrKnowledge *k;
    Relation relation[IR_MAX_RELATIONS]; // as those of `k`
    int first;                           // of the file that is checked
    int components;
    bool prefers; // `before` may be asked
    bool before;  // inside it
};

static inline const char *relation_noun(const IrRelation *r) {
    return r->derived ? "rule" : "fact";
}

// --- check_knowledge_ask.c: relations in expressions and as atoms ---
bool check_is_any(const Node *node); // `_`
bool check_argument_count(Checker *c, const Symbol *s, int given, Span span);

// A name that gets its value in the clause.
typedef struct Variable {
    const char *name;
    Local *local; // NULL: none yet
} Variable;

typedef struct Skip { // what quantifiers around an expression introduce
    const char *name;
    const struct Skip *up;
} Skip;

typedef struct Clause { // being built
    Checker *c;
    IrClause *out;
    int cap; // of out->literal
    const Node **literal;
    bool *done;
    int literals, literal_cap;
    Variable *variable;
    int variables, variable_cap;
    const Node *open; // a name without a value
    const Skip *skip;
} Clause;

// --- check_knowledge_names.c ---
// Whether the word can only be a new name where a value of that type may stand.
bool check_is_new_name(Checker *c, const char *word, IrTypeKind wanted);
Variable *clause_variable(const Clause *k, const char *name); // NULL: none of that name
// Whether all names in the expression have a value; else k->open is the first that has none.
bool clause_has_values(Clause *k, const Node *node);
void clause_find_variables(Clause *k, const Node *literal);
// Whether all calls, and all names, mean something; reports the first that does not.
bool clause_calls_known(Clause *k, const Node *node);
bool clause_names_known(Clause *k, const Node *node);
// The help may have two `%s` for the name.
void clause_report_open(Checker *c, const Node *name, const char *help);

// --- check_knowledge_literal.c ---
IrLiteral *clause_add(Clause *k, IrLiteralKind kind, const Node *node);
bool clause_add_condition(Clause *k, IrExpr *cond, const Node *node);
bool clause_is_member(const Clause *k, const Node *node); // `x in D` that can give x a value
bool clause_atom(Clause *k, Symbol *s, const Node *node);
bool clause_literal(Clause *k, const Node *node);

// --- check_knowledge_clause.c ---
// Both give a clause whose head has the types of the relation; they widen the ranges of numbers.
bool check_fact_line(Checker *c, int relation, const Node *line, IrClause *clause);
bool check_clause_line(Checker *c, int relation, const Node *line, IrClause *clause);
void check_begin_frame(Checker *c, IrFrame *frame); // gives `mover` its place
void check_push_mover(Checker *c);                  // and its name
// The atom of a line of `worth`, whose names stay known for its weight.
bool check_worth_atom(Checker *c, Symbol *s, const Node *atom, IrLiteral *out);
bool check_same_type(Checker *c, int relation, int i, const IrExpr *e, const Node *node);

// --- check_knowledge_order.c: what depends on what ---
void check_note_asked(Checker *c, int relation);
// Relations that depend on each other become one component; those are numbered in the order in
// which they can be worked out. False if a circle goes through `not` or the like, reported.
bool check_components(Checker *c);
// The first relation that the expression asks for, also by way of definitions; -1.
int check_mentioned(Checker *c, const Node *node, Span *where);

// --- check_knowledge_range.c ---
bool check_component(Checker *c, int component);
bool check_tuples(Checker *c, int relation); // whether they are not too many

// --- check_knowledge_judge.c: worth and prefer ---
bool check_worth(Checker *c, const Node *file);
bool check_prefer(Checker *c, const Node *file);

#endif
