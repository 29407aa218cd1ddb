// clauses: all ways in which the literals of a clause hold, found by trying one after the other.

#include "knowledge/knowledge_parts.h"

#include <string.h>

static bool walk_from(Walk *w, int at);

int tuple_number(const IrRelation *r, const int64_t *value) {
    int64_t n = 0;
    for (int i = 0; i < r->params; i++) {
        int64_t v = value[i] - r->lo[i];
        if (v < 0 || v >= r->size[i])
            return -1;
        n = n * r->size[i] + v;
    }
    return (int)n;
}

bool walk_head(Walk *w, int *tuple) {
    int64_t value[IR_MAX_ARGS];
    for (int i = 0; i < w->relation->params; i++) {
        IrValue v;
        if (!ir_value(&w->eval, w->clause->head[i], &v))
            return false;
        value[i] = v.number;
    }
    *tuple = tuple_number(w->relation, value);
    return true;
}

void tuple_values(const IrRelation *r, int tuple, int64_t *value) {
    for (int i = r->params - 1; i >= 0; i--) {
        value[i] = r->lo[i] + tuple % r->size[i];
        tuple /= r->size[i];
    }
}

// --- atoms ---

typedef struct Atom {
    const IrRelation *r;
    const IrTerm *term;
    int64_t value[IR_MAX_ARGS]; // of the terms that have one
    int first, last;            // tuples that can fit
} Atom;

// False without a value; true with no tuples if a value lies outside the relation's range.
static bool atom_begin(Walk *w, const IrLiteral *lit, Atom *a) {
    *a = (Atom){.r = &w->r->k->what->relation[lit->relation], .term = lit->term};
    int block = a->r->tuples;
    bool leading = true, outside = false;
    for (int i = 0; i < a->r->params; i++) {
        const IrTerm *t = &lit->term[i];
        leading = leading && t->value;
        if (!t->value)
            continue;
        IrValue v;
        if (!ir_value(&w->eval, t->value, &v))
            return false;
        a->value[i] = v.number;
        outside |= v.number < a->r->lo[i] || v.number >= a->r->lo[i] + (int64_t)a->r->size[i];
        if (leading && !outside) { // only a part of the tuples begins like this
            block /= a->r->size[i];
            a->first += (int)(v.number - a->r->lo[i]) * block;
        }
    }
    a->last = outside ? a->first - 1 : a->first + block - 1;
    return true;
}

// Whether a tuple fits the terms with values; the others take theirs from it.
static bool atom_fits(Walk *w, const Atom *a, int tuple) {
    int64_t value[IR_MAX_ARGS];
    tuple_values(a->r, tuple, value);
    for (int i = 0; i < a->r->params; i++)
        if (a->term[i].value && value[i] != a->value[i])
            return false;
    for (int i = 0; i < a->r->params; i++)
        if (!a->term[i].value && a->term[i].slot >= 0)
            w->r->locals[a->term[i].slot].number = value[i];
    return true;
}

static bool walk_known(Walk *w, int at) {
    const IrLiteral *lit = &w->literal[at];
    const uint64_t *bits = w->found->bits[lit->relation];
    Atom a;
    if (!atom_begin(w, lit, &a))
        return false;
    int mine = w->supports++;
    bool on = true;
    w->r->steps -= (a.last - a.first) / 64;
    for (int t = a.first; t <= a.last && on; t++) {
        if (t % 64 == 0 && !bits[t / 64]) {
            t += 63;
            continue;
        }
        if (!tuple_holds(bits, t))
            continue;
        on = --w->r->steps >= 0;
        if (!on || !atom_fits(w, &a, t))
            continue;
        w->r->support[mine] = (Support){lit->relation, t};
        on = walk_from(w, at + 1);
    }
    w->supports = mine;
    return on;
}

// --- literals ---

typedef struct Next {
    Walk *w;
    int at;
} Next;

static bool walk_member(void *with, int64_t member) {
    (void)member; // is in its slot
    const Next *next = with;
    return walk_from(next->w, next->at);
}

static bool walk_from(Walk *w, int at) {
    IrValue v;
    if (at == w->literals)
        return w->done(w);
    const IrLiteral *lit = &w->literal[at];
    Next next = {w, at + 1};
    switch (lit->kind) {
    case LIT_EACH: return ir_each(&w->eval, lit->domain, walk_member, &next);
    case LIT_KNOWN: return walk_known(w, at);
    case LIT_COND:
        if (!ir_value(&w->eval, lit->cond, &v))
            return false;
        return !v.number || walk_from(w, at + 1);
    default: // LIT_LET
        if (!ir_value(&w->eval, lit->cond, &v))
            return false;
        w->r->locals[lit->term[0].slot] = v;
        return walk_from(w, at + 1);
    }
}

bool walk_literals(Reasoner *r, const Found *f, const IrLiteral *literal, int literals,
                   const IrFrame *frame, Walk *w) {
    w->r = r;
    w->found = f;
    w->literal = literal;
    w->literals = literals;
    w->supports = 0;
    w->eval = (IrEval){r->k->ir, &f->view, r->locals, frame->slots, &r->steps};
    memset(r->locals, 0, sizeof *r->locals * (size_t)frame->slots);
    r->locals[IR_MOVER].number = f->state[r->k->ir->layout.player];
    return walk_from(w, 0);
}
