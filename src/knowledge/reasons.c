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

// --- what conditions ask ---
//
// A condition may ask for conclusions as well, `c in reach(p, _)`. They are of lower strata, so
// found before, and belong to the reason where it plainly rests on them.

static void add_support(Walk *w, int relation, int tuple) {
    Reason *reason = &w->r->reason;
    for (int i = 0; i < reason->supports; i++)
        if (reason->support[i].relation == relation && reason->support[i].tuple == tuple)
            return;
    if (reason->supports < w->r->support_cap)
        reason->support[reason->supports++] = (Support){relation, tuple};
}

// The first tuple that fits what is asked, with `member` for what is not given if it is not NULL.
static void add_asked(Walk *w, const IrExpr *e, const int64_t *member) {
    const IrRelation *r = &w->r->k->what->relation[e->id];
    int64_t value[IR_MAX_ARGS], given[IR_MAX_ARGS];
    for (int i = 0; i < r->params; i++) {
        IrValue v;
        if (e->args[i] && !ir_value(&w->eval, e->args[i], &v))
            return;
        given[i] = e->args[i] ? v.number : member ? *member : 0;
    }
    for (int t = 0; t < r->tuples; t++) {
        if (!tuple_holds(w->found->bits[e->id], t))
            continue;
        bool fits = true;
        tuple_values(r, t, value);
        for (int i = 0; i < r->params; i++)
            fits = fits && ((!e->args[i] && !member) || value[i] == given[i]);
        if (fits) {
            add_support(w, e->id, t);
            return;
        }
    }
}

static void add_from_set(Walk *w, const IrExpr *set, int64_t member) {
    if (set->op == IR_KNOWN_SET) {
        add_asked(w, set, &member);
    } else if (set->op == IR_AND) {
        add_from_set(w, set->kid[0], member);
        add_from_set(w, set->kid[1], member);
    }
}

static void add_from_cond(Walk *w, const IrExpr *e) {
    IrValue x;
    if (e->op == IR_BOTH) {
        add_from_cond(w, e->kid[0]);
        add_from_cond(w, e->kid[1]);
    } else if (e->op == IR_KNOWN) {
        add_asked(w, e, NULL);
    } else if (e->op == IR_SOME && e->kid[0]->op == IR_KNOWN_SET) {
        add_asked(w, e->kid[0], NULL);
    } else if (e->op == IR_MEMBER && ir_is_set(e->kid[1]->type)) {
        if (ir_value(&w->eval, e->kid[0], &x))
            add_from_set(w, e->kid[1], x.number);
    }
}

static void add_from_literals(Walk *w) {
    for (int i = 0; i < w->literals; i++) {
        const IrLiteral *lit = &w->literal[i];
        if (lit->kind == LIT_COND)
            add_from_cond(w, lit->cond);
        if (lit->kind == LIT_EACH && lit->domain->kind == DOM_SET)
            add_from_set(w, lit->domain->a, w->r->locals[lit->domain->slot].number);
        if (lit->kind == LIT_EACH && lit->domain->where)
            add_from_cond(w, lit->domain->where);
    }
}

// --- reasons ---

typedef struct Wanted {
    int relation, tuple;
    bool found;
} Wanted;

static bool explains(Walk *w) {
    Wanted *want = w->with;
    Reason *reason = &w->r->reason;
    int tuple;
    if (!walk_head(w, &tuple))
        return false;
    if (tuple != want->tuple || !rests_on_earlier(w, w->found->rank[want->relation][want->tuple]))
        return true;
    reason->clause = w->clause;
    reason->supports = w->supports;
    memcpy(reason->support, w->r->support, sizeof *reason->support * (size_t)w->supports);
    for (int i = 0; i < w->clause->frame.slots; i++)
        reason->local[i] = ir_is_set(w->clause->frame.type[i]) ? 0 : w->r->locals[i].number;
    add_from_literals(w);
    want->found = true;
    return false;
}

const Reason *reasoner_reason(Reasoner *r, int relation, int tuple) {
    const IrRelation *rel = &r->k->what->relation[relation];
    if (!r->concluded || tuple < 0 || tuple >= rel->tuples ||
        !tuple_holds(r->now.bits[relation], tuple))
        return NULL;
    Wanted want = {relation, tuple, false};
    r->steps = r->limit;
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
    r->steps = r->limit;
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

void knowledge_tuple_cells(const Knowledge *k, int relation, int tuple,
                           uint64_t cells[BOARD_MAX_WORDS]) {
    const IrRelation *rel = &k->what->relation[relation];
    const Board *b = k->ir->board;
    int64_t value[IR_MAX_ARGS];
    tuple_values(rel, tuple, value);
    memset(cells, 0, sizeof *cells * BOARD_MAX_WORDS);
    for (int i = 0; i < rel->params; i++) {
        IrTypeKind kind = rel->type[i].kind;
        if (kind == TY_CELL && value[i] >= 0 && value[i] < b->cells)
            cells[value[i] / 64] |= (uint64_t)1 << (value[i] % 64);
        for (int c = 0; kind == TY_LINE && c < b->line[value[i]].count; c++) {
            int cell = b->line[value[i]].cells[c];
            cells[cell / 64] |= (uint64_t)1 << (cell % 64);
        }
    }
}
