// reasons: why a tuple holds and what makes a line of `worth` count; texts of tuples. See
// knowledge.h.
//
// While relations are filled in, each tuple gets a rank: its place in the order in which they were
// found. A derivation explains a tuple only if all it rests on has a lower rank, so that reasons
// never go in circles. The one that found it is such a derivation.

#include "knowledge/knowledge_parts.h"

#include "game/statetext.h"

#include <string.h>

static bool rests_on_earlier(const Walk *w, uint32_t rank) {
    for (int i = 0; i < w->supports; i++) {
        Support s = w->r->support[i];
        if (w->found->rank[s.relation][s.tuple] >= rank)
            return false;
    }
    return true;
}

typedef struct Wanted {
    int relation, tuple;
    bool found;
} Wanted;

static bool explains(Walk *w) {
    Wanted *want = w->with;
    Reason *reason = &w->r->reason;
    int64_t value[IR_MAX_ARGS];
    for (int i = 0; i < w->relation->params; i++) {
        IrValue v;
        if (!ir_value(&w->eval, w->clause->head[i], &v))
            return false;
        value[i] = v.number;
    }
    if (tuple_number(w->relation, value) != want->tuple ||
        !rests_on_earlier(w, w->found->rank[want->relation][want->tuple]))
        return true;
    reason->clause = w->clause;
    reason->supports = w->supports;
    memcpy(reason->support, w->r->support, sizeof *reason->support * (size_t)w->supports);
    for (int i = 0; i < w->clause->frame.slots; i++)
        reason->local[i] = ir_is_set(w->clause->frame.type[i]) ? 0 : w->r->locals[i].number;
    want->found = true;
    return false;
}

const Reason *reasoner_reason(Reasoner *r, int relation, int tuple) {
    const IrRelation *rel = &r->k->what->relation[relation];
    if (!r->concluded || tuple < 0 || tuple >= rel->tuples ||
        !tuple_holds(r->now.bits[relation], tuple))
        return NULL;
    Wanted want = {relation, tuple, false};
    r->steps = REFERENCE_STEPS;
    for (int i = 0; i < rel->clauses && !want.found; i++) {
        const IrClause *c = &rel->clause[i];
        Walk w = {.done = explains, .relation = rel, .clause = c, .with = &want};
        if (!walk_literals(r, &r->now, c->literal, c->literals, &c->frame, &w) && !want.found)
            return NULL;
    }
    return want.found ? &r->reason : NULL;
}

// --- worth ---

static bool add_part(Walk *w) {
    Reasoner *r = w->r;
    const IrWorth *worth = w->with;
    IrValue v;
    if (!ir_value(&w->eval, worth->weight, &v))
        return false;
    if (r->part_count == r->part_cap) {
        int cap = r->part_cap ? 2 * r->part_cap : 64;
        WorthPart *parts = mem_resize(r->parts, sizeof *parts * (size_t)cap);
        if (!parts)
            return reasoner_fail(r, "out of memory");
        r->parts = parts;
        r->part_cap = cap;
    }
    r->parts[r->part_count++] = (WorthPart){r->support[0].tuple, v.number};
    return true;
}

int reasoner_worth_parts(Reasoner *r, int worth, const WorthPart **parts) {
    IrWorth *line = &r->k->what->worth[worth];
    r->part_count = 0;
    r->steps = REFERENCE_STEPS;
    Walk w = {.done = add_part, .with = line};
    if (!r->concluded || !walk_literals(r, &r->now, &line->atom, 1, &line->frame, &w))
        return -1;
    *parts = r->parts;
    return r->part_count;
}

// --- texts ---

void knowledge_value_text(const Knowledge *k, IrType type, int64_t value, Text *out) {
    const Board *b = k->ir->board;
    if (type.kind != TY_LINE || value < 0 || value >= b->lines) {
        value_text(k->ir, type, value, out);
        return;
    }
    for (int i = 0; i < b->line[value].count; i++)
        text_f(out, "%s%s", i ? " " : "", b->cell[b->line[value].cells[i]].name);
}

void knowledge_tuple_text(const Knowledge *k, int relation, int tuple, Text *out) {
    const IrRelation *rel = &k->what->relation[relation];
    int64_t value[IR_MAX_ARGS];
    tuple_values(rel, tuple, value);
    text_add(out, rel->name);
    for (int i = 0; i < rel->params; i++) {
        text_add(out, i ? ", " : "(");
        knowledge_value_text(k, rel->type[i], value[i], out);
    }
    text_add(out, rel->params ? ")" : "");
}
