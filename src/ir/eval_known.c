// eval_known: what expressions ask about the relations of knowledge; see eval.c.

#include "ir/eval.h"
#include "ir/relations.h"

#include <string.h>

// What is asked: values for some arguments, anything for the others.
typedef struct Asked {
    const IrRelation *r;
    const uint64_t *bits;
    bool given[IR_MAX_ARGS];
    int64_t value[IR_MAX_ARGS]; // counted from 0
    bool outside;               // no tuple has such a value
} Asked;

static bool ask(IrEval *v, const IrExpr *e, Asked *a) {
    if (!v->view || !v->view->knowledge || !v->view->known)
        return false;
    *a = (Asked){.r = &v->view->knowledge->relation[e->id], .bits = v->view->known[e->id]};
    for (int i = 0; i < a->r->params; i++) {
        a->given[i] = e->args[i] != NULL;
        if (!a->given[i])
            continue;
        if (!eval_number(v, e->args[i], &a->value[i]))
            return false;
        a->value[i] -= a->r->lo[i];
        a->outside |= a->value[i] < 0 || a->value[i] >= a->r->size[i];
    }
    return true;
}

// Whether a tuple fits; the place of the argument that is not given goes to *open.
static bool fits(const Asked *a, int64_t tuple, int64_t *open) {
    for (int i = a->r->params - 1; i >= 0; i--) {
        int64_t value = tuple % a->r->size[i];
        tuple /= a->r->size[i];
        if (!a->given[i])
            *open = value + a->r->lo[i];
        else if (value != a->value[i])
            return false;
    }
    return true;
}

bool eval_known(IrEval *v, const IrExpr *e, IrValue *out) {
    Asked a;
    if (!ask(v, e, &a))
        return false;
    memset(out, 0, sizeof *out);
    if (a.outside)
        return true;
    int64_t count = 0, open = 0;
    *v->steps -= a.r->tuples / 64;
    for (int t = 0; t < a.r->tuples; t++) {
        if (t % 64 == 0 && !a.bits[t / 64]) {
            t += 63;
            continue;
        }
        if (!eval_has(a.bits, t))
            continue;
        --*v->steps;
        if (!fits(&a, t, &open))
            continue;
        count++;
        if (e->op == IR_KNOWN_SET && open >= 0 && open < v->g->board->cells)
            eval_insert(out->set, open);
        else if (e->op == IR_KNOWN)
            break;
    }
    if (e->op != IR_KNOWN_SET)
        out->number = count;
    return true;
}
