// Values that were computed already. A C compiler finds equal expressions itself, but not equal
// loops: a definition with a loop in it is computed once and kept, and what does not depend on a
// loop's member is computed before the loop begins.
#include "native/emitter.h"

#include <string.h>

#define DEEP 64 // definitions in definitions that are looked into

static bool is_loop(const IrExpr *e) {
    return e->op == IR_FILTER || e->op == IR_FLOOD || (e->op >= IR_ANY && e->op <= IR_MOST);
}

static bool expensive(const Emitter *em, const IrExpr *e, int depth) {
    if (!e)
        return false;
    if (is_loop(e) || depth > DEEP)
        return true;
    for (int n = 0; n < emit_args(em, e); n++)
        if (expensive(em, e->args[n], depth))
            return true;
    if (e->op == IR_CALL)
        return expensive(em, em->g->func[e->id]->body, depth + 1);
    for (int n = 0; n < 3; n++)
        if (expensive(em, e->kid[n], depth))
            return true;
    return false;
}

bool emit_expensive(const Emitter *em, const IrExpr *e) {
    return (e->op == IR_CALL || is_loop(e)) && expensive(em, e, 0);
}

static bool same_local(const EmitLocal *a, const EmitLocal *b) {
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case BIND_TEXT: return a->text == b->text || (a->text && b->text && !strcmp(a->text, b->text));
    case BIND_VALUE: return a->value == b->value;
    case BIND_EXPR: return a->expr == b->expr && a->in == b->in;
    default: return false;
    }
}

// Equal expressions without loops of their own, in frames that may differ.
static bool same(const Emitter *em, const EmitFrame *f, const IrExpr *a, const EmitFrame *g,
                 const IrExpr *b) {
    if (!a || !b)
        return a == b;
    if (a == b && f == g && a->op != IR_LOCAL)
        return true;
    if (a->op != b->op || a->type.kind != b->type.kind)
        return false;
    if (a->op == IR_LOCAL)
        return same_local(&f->local[a->id], &g->local[b->id]);
    if (a->id != b->id || a->value != b->value || a->domain != b->domain || (a->domain && f != g))
        return false;
    if (a->op == IR_SET)
        return memcmp(a->set, b->set, (size_t)em->words * 8) == 0;
    for (int n = 0; n < emit_args(em, a); n++)
        if (!same(em, f, a->args[n], g, b->args[n]))
            return false;
    for (int n = 0; n < 3; n++)
        if (!same(em, f, a->kid[n], g, b->kid[n]))
            return false;
    return true;
}

const char *emit_find_known(Emitter *em, const EmitFrame *f, const IrExpr *e) {
    for (int n = em->knowns - 1; n >= em->known_base; n--) {
        const struct EmitKnown *k = &em->known[n];
        if (k->e->op == e->op && strcmp(k->s, em->s) == 0 && same(em, f, e, k->f, k->e))
            return k->text;
    }
    return NULL;
}

void emit_learn(Emitter *em, EmitFrame *f, const IrExpr *e, const char *text) {
    ARENA_GROW(em->arena, struct EmitKnown, em->known, em->knowns, em->known_cap);
    // The frame may change while the value stays.
    EmitFrame *copy = emit_frame(em, f->ir);
    memcpy(copy->local, f->local, (size_t)f->ir->slots * sizeof *copy->local);
    em->known[em->knowns++] =
        (struct EmitKnown){.e = e, .f = copy, .text = text, .s = em->s, .indent = em->indent};
}

// A block was closed: what was computed in it is gone.
void emit_forget_inner(Emitter *em) {
    while (em->knowns > em->known_base && em->known[em->knowns - 1].indent > em->indent)
        em->knowns--;
}

void emit_forget_known(Emitter *em) {
    em->knowns = em->known_base;
}

typedef struct Bound { // slots that vary
    int slot;
    const struct Bound *up;
} Bound;

static bool varies(const Emitter *em, const IrExpr *e, const Bound *bound) {
    for (; bound; bound = bound->up)
        if (emit_uses(em, e, bound->slot))
            return true;
    return false;
}

static bool has_it(Emitter *em, EmitFrame *f, const IrExpr *e) {
    return em->it && emit_depends(em, f, e);
}

static void hoist(Emitter *em, EmitFrame *f, const IrExpr *e, const Bound *bound) {
    if (!e)
        return;
    if (emit_expensive(em, e) && !varies(em, e, bound)) {
        if (!has_it(em, f, e))
            emit_expr(em, f, e); // learnt on the way
        return;
    }
    for (int n = 0; n < emit_args(em, e); n++)
        hoist(em, f, e->args[n], bound);
    if (e->op == IR_BEFORE) // another state
        return;
    Bound inner = {0, bound};
    const Bound *inside = bound;
    if (e->domain) {
        hoist(em, f, e->domain->a, bound);
        hoist(em, f, e->domain->b, bound);
        inner.slot = e->domain->slot;
        inside = &inner;
        hoist(em, f, e->domain->where, inside);
    }
    for (int n = 0; n < 3; n++)
        hoist(em, f, e->kid[n], inside);
}

void emit_hoist(Emitter *em, EmitFrame *f, const IrDomain *d, const IrExpr *body) {
    Bound bound = {d->slot, NULL};
    hoist(em, f, d->where, &bound);
    hoist(em, f, body, &bound);
}

void emit_hoist_over(Emitter *em, EmitFrame *f, const int *slots, int count, const IrExpr *e) {
    Bound *bound = ARENA_ARRAY(em->arena, Bound, count + 1);
    for (int n = 0; n < count; n++)
        bound[n] = (Bound){slots[n], n > 0 ? &bound[n - 1] : NULL};
    hoist(em, f, e, count > 0 ? &bound[count - 1] : NULL);
}
