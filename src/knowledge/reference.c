// reference: relations, worth and priorities by plain evaluation; see knowledge.h.
//
// Facts are found by trying all members; conclusions stratum by stratum, each clause again and
// again until a round brings nothing new. Slow, and simple enough to hold machine code to account.

#include "knowledge/knowledge_parts.h"

#include <stdarg.h>
#include <string.h>

bool reasoner_fail(Reasoner *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_clear(&r->error);
    r->at = (Span){0};
    r->place = 0;
    text_vf(&r->error, format, args);
    va_end(args);
    return false;
}

// Whether a relation is of the game's own file, also beside a rules file.
static bool of_game(const Knowledge *k, const IrRelation *rel) {
    const IrKnowledge *own = k->game->ir->knowledge;
    for (int i = 0; own && i < own->relations; i++)
        if (strcmp(own->relation[i].name, rel->name) == 0)
            return true;
    return false;
}

// Out of steps, or of memory. `rel` is NULL for lines of `worth` and `prefer`.
static bool too_long(Reasoner *r, const IrRelation *rel, Span at) {
    bool rules = r->k->source.name && !(rel && of_game(r->k, rel));
    if (r->steps >= 0)
        return reasoner_fail(r, "out of memory");
    reasoner_fail(r, "%s:%d:%d: ", rules ? r->k->source.name : r->k->game->source.name, at.line,
                  at.column);
    if (rules) { // then messages can point at it
        r->at = at;
        r->place = r->error.n;
    }
    text_f(&r->error, "this needs more than %ld steps in a position", r->limit);
    return false;
}

// --- relations ---

typedef struct Derive {
    Found *found;
    int relation;
    bool grew;
} Derive;

static bool derived(Walk *w) {
    Derive *d = w->with;
    int tuple;
    if (!walk_head(w, &tuple))
        return false;
    uint64_t *bits = d->found->bits[d->relation];
    if (tuple < 0 || tuple_holds(bits, tuple))
        return true;
    bits[tuple / 64] |= (uint64_t)1 << (tuple % 64);
    d->found->rank[d->relation][tuple] = w->r->ranks++;
    d->grew = true;
    return true;
}

// One round of all clauses of a relation; *grew if it found something new.
static bool derive(Reasoner *r, Found *f, int relation, bool *grew) {
    const IrRelation *rel = &r->k->what->relation[relation];
    Derive d = {f, relation, false};
    for (int i = 0; i < rel->clauses; i++) {
        const IrClause *c = &rel->clause[i];
        Walk w = {.done = derived, .relation = rel, .clause = c, .with = &d};
        if (!walk_literals(r, f, c->literal, c->literals, &c->frame, &w))
            return too_long(r, rel, c->span);
    }
    *grew |= d.grew;
    return true;
}

// The relations of `order` from..to-1, which are all of one stratum, to the fixed point.
static bool derive_stratum(Reasoner *r, Found *f, int from, int to) {
    const IrKnowledge *k = r->k->what;
    for (bool grew = true; grew;) {
        grew = false;
        for (int i = from; i < to; i++)
            if (!derive(r, f, k->order[i], &grew))
                return false;
        grew = grew && k->relation[k->order[from]].stratum > 0; // facts ask no relation
    }
    return true;
}

bool reference_fill(Reasoner *r, Found *f, const uint8_t *state, int me) {
    const IrKnowledge *k = r->k->what;
    memcpy(f->state, state, (size_t)r->k->ir->layout.size);
    f->view = (IrView){
        .state = f->state, .me = me, .knowledge = k, .known = (const uint64_t *const *)f->bits};
    r->ranks = 0;
    for (int i = 0; i < k->relations; i++)
        memset(f->bits[i], 0, 8 * (size_t)((k->relation[i].tuples + 63) / 64));
    for (int from = 0, to; from < k->relations; from = to) {
        int stratum = k->relation[k->order[from]].stratum;
        for (to = from; to < k->relations && k->relation[k->order[to]].stratum == stratum;)
            to++;
        if (!derive_stratum(r, f, from, to))
            return false;
    }
    return true;
}

static void begin(Reasoner *r) {
    text_clear(&r->error);
    r->steps = r->limit;
    r->concluded = false;
}

const Relations *reasoner_conclude(Reasoner *r, const uint8_t *state, int me) {
    begin(r);
    r->concluded = reference_fill(r, &r->now, state, me);
    return r->concluded ? &r->relations : NULL;
}

// --- worth ---

typedef struct Sum {
    const IrWorth *worth;
    uint64_t sum; // goes round, as machine code does
} Sum;

static bool add_weight(Walk *w) {
    Sum *s = w->with;
    IrValue v;
    if (!ir_value(&w->eval, s->worth->weight, &v))
        return false;
    s->sum += (uint64_t)v.number;
    return true;
}

static bool add_worth(Reasoner *r, const uint8_t *state, int me, int64_t times, uint64_t *total) {
    const IrKnowledge *k = r->k->what;
    if (!reference_fill(r, &r->now, state, me))
        return false;
    for (int i = 0; i < k->worths; i++) {
        const IrWorth *worth = &k->worth[i];
        Sum s = {worth, 0};
        Walk w = {.done = add_weight, .with = &s};
        if (!walk_literals(r, &r->now, &worth->atom, 1, &worth->frame, &w))
            return too_long(r, NULL, worth->span);
        *total += s.sum * (uint64_t)times;
    }
    return true;
}

int64_t reference_worth(Reasoner *r, const uint8_t *state, int me) {
    const IrKnowledge *k = r->k->what;
    uint64_t total = 0;
    if (r->k->clips) {
        const ClipsFound *found = reasoner_clips(r, state, me, CLIPS_VALUE);
        return found ? found->value : 0;
    }
    begin(r);
    if (!add_worth(r, state, me, 1, &total))
        return 0;
    if (k->opponent && !add_worth(r, state, 1 - me, k->opponent, &total))
        return 0;
    return (int64_t)total;
}

// --- priorities ---

// Puts the choices of a move into the slots of prefer_frame; a bit for each name that was chosen
// goes to *made. False if this is no move of the position.
static bool read_choices(Reasoner *r, const uint8_t *before, Move move, uint64_t *made) {
    const IrKnowledge *k = r->k->what;
    VmChoice choices[VM_MAX_CHOICES];
    int n = vm_choices(r->vm, before, move, choices, VM_MAX_CHOICES);
    *made = 0;
    memset(r->locals, 0, sizeof *r->locals * (size_t)k->prefer_frame.slots);
    for (int i = 0; i < n && i < VM_MAX_CHOICES; i++) {
        int choice = k->site_choice[choices[i].site];
        if (choice < 0)
            continue;
        r->locals[k->choice[choice].slot].number = choices[i].value;
        *made |= (uint64_t)1 << choice;
    }
    return n >= 0;
}

bool reference_prefer(Reasoner *r, const uint8_t *before, Move move, const uint8_t *after,
                      bool *holds) {
    const IrKnowledge *k = r->k->what;
    const IrGame *g = r->k->ir;
    uint64_t made;
    int me = before[g->layout.player];
    begin(r);
    if (!reference_fill(r, &r->before, before, me) || !reference_fill(r, &r->now, after, me) ||
        !read_choices(r, before, move, &made))
        return false;
    r->locals[IR_MOVER].number = after[g->layout.player];
    r->now.view.before = &r->before.view;
    IrEval eval = {g, &r->now.view, r->locals, k->prefer_frame.slots, &r->steps};
    for (int i = 0; i < k->prefers; i++) {
        const IrPrefer *p = &k->prefer[i];
        IrValue v = {.number = 0};
        if (!(p->choices & ~made) && !ir_value(&eval, p->cond, &v))
            return too_long(r, NULL, p->span);
        holds[i] = v.number != 0;
    }
    return true;
}

int64_t reference_priority(Reasoner *r, const uint8_t *before, Move move, const uint8_t *after) {
    const IrKnowledge *k = r->k->what;
    bool *holds = mem_alloc(sizeof *holds * (size_t)(k->prefers + 1));
    int64_t priority = PRIORITY_ONE;
    if (!holds) {
        reasoner_fail(r, "out of memory");
    } else if (!reference_prefer(r, before, move, after, holds)) {
        priority = reasoner_error(r) ? PRIORITY_ONE : -1;
    } else {
        for (int i = 0; i < k->prefers; i++) {
            if (!holds[i])
                continue;
            __extension__ __int128 next = (__int128)priority * k->prefer[i].times;
            next /= k->prefer[i].over;
            priority = next > PRIORITY_MOST ? PRIORITY_MOST : (int64_t)next;
        }
    }
    mem_free(holds);
    return priority;
}

// --- loading ---

bool knowledge_try(const Knowledge *k, Diags *diags) {
    Reasoner *r = reasoner_new(k);
    bool ok = r != NULL;
    for (int p = 0; ok && p < k->ir->players; p++) {
        reference_worth(r, k->game->start, p);
        ok = !reasoner_error(r);
    }
    if (!r)
        diag_error(diags, (Span){0}, "out of memory");
    else if (!ok)
        diag_error(diags, r->at, "%s", text_c(&r->error) + r->place);
    reasoner_free(r);
    return ok;
}
