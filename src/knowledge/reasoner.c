// reasoner: one thread's working memory for a Knowledge; see knowledge.h.
//
// Worth and priority come from machine code as soon as there is some, else from the reference
// evaluator: both give the same numbers.

#include "knowledge/clips.h"
#include "knowledge/knowledge_parts.h"

static int larger(int a, int b) {
    return a > b ? a : b;
}

// The largest frame, and the most literals that can rest on tuples.
static void measure(const IrKnowledge *k, int *slots, int *literals) {
    *slots = k->prefer_frame.slots;
    *literals = 1;
    for (int i = 0; i < k->worths; i++)
        *slots = larger(*slots, k->worth[i].frame.slots);
    for (int i = 0; i < k->relations; i++)
        for (int c = 0; c < k->relation[i].clauses; c++) {
            *slots = larger(*slots, k->relation[i].clause[c].frame.slots);
            *literals = larger(*literals, k->relation[i].clause[c].literals);
        }
}

static bool found_new(const Knowledge *k, Found *f) {
    int n = k->what->relations;
    f->state = mem_alloc((size_t)k->ir->layout.size);
    f->bits = mem_alloc(sizeof *f->bits * (size_t)(n + 1));
    f->rank = mem_alloc(sizeof *f->rank * (size_t)(n + 1));
    bool ok = f->state && f->bits && f->rank;
    for (int i = 0; ok && i < n; i++) {
        size_t tuples = (size_t)k->what->relation[i].tuples;
        f->bits[i] = mem_alloc(8 * ((tuples + 63) / 64 + 1));
        f->rank[i] = mem_alloc(sizeof **f->rank * (tuples + 1));
        ok = f->bits[i] && f->rank[i];
    }
    return ok;
}

static void found_free(const Knowledge *k, Found *f) {
    for (int i = 0; i < k->what->relations; i++) {
        mem_free(f->bits ? f->bits[i] : NULL);
        mem_free(f->rank ? f->rank[i] : NULL);
    }
    mem_free(f->bits);
    mem_free(f->rank);
    mem_free(f->state);
}

Reasoner *reasoner_new(const Knowledge *k) {
    Reasoner *r = mem_alloc(sizeof *r);
    if (!r)
        return NULL;
    int literals;
    r->k = k;
    r->limit = REFERENCE_STEPS;
    measure(k->what, &r->slots, &literals);
    r->vm = vm_new(k->game->program);
    r->locals = mem_alloc(sizeof *r->locals * (size_t)(r->slots + 1));
    r->support_cap = literals + REASON_ASKED;
    r->support = mem_alloc(sizeof *r->support * (size_t)r->support_cap);
    r->reason.support = mem_alloc(sizeof *r->reason.support * (size_t)r->support_cap);
    r->reason.local = mem_alloc(sizeof *r->reason.local * (size_t)(r->slots + 1));
    if (!r->vm || !r->locals || !r->support || !r->reason.support || !r->reason.local ||
        !found_new(k, &r->now) || !found_new(k, &r->before)) {
        reasoner_free(r);
        return NULL;
    }
    r->relations.bits = (const uint64_t *const *)r->now.bits;
    return r;
}

void reasoner_limit(Reasoner *r, long steps) {
    r->limit = steps > 0 && steps < REFERENCE_STEPS ? steps : REFERENCE_STEPS;
    vm_limit(r->vm, steps, 0);
}

void reasoner_free(Reasoner *r) {
    if (!r)
        return;
    if (r->vm)
        vm_free(r->vm);
    clips_free_all(r->clips);
    found_free(r->k, &r->now);
    found_free(r->k, &r->before);
    mem_free(r->locals);
    mem_free(r->support);
    mem_free(r->reason.support);
    mem_free(r->reason.local);
    mem_free(r->parts);
    text_free(&r->error);
    mem_free(r);
}

const char *reasoner_error(const Reasoner *r) {
    return r->error.n ? text_c(&r->error) : NULL;
}

int64_t reasoner_worth(Reasoner *r, const uint8_t *state, int me) {
    const NativeKnowledge *n = knowledge_native(r->k);
    return n ? n->worth(state, me) : reference_worth(r, state, me);
}

int64_t reasoner_priority(Reasoner *r, const uint8_t *before, Move move, const uint8_t *after) {
    const NativeKnowledge *n = knowledge_native(r->k);
    return n ? native_priority(r, n, before, move, after)
             : reference_priority(r, before, move, after);
}
