// eval_loop: the members of domains, and expressions that run over them; see eval.c.

#include "ir/eval.h"

// --- members ---

typedef enum Flow { FLOW_ON, FLOW_STOP, FLOW_FAIL } Flow;
typedef Flow (*Visit)(IrEval *v, int64_t member, void *with);

static Flow visit_member(IrEval *v, const IrDomain *d, int64_t member, Visit visit, void *with) {
    if (--*v->steps < 0)
        return FLOW_FAIL;
    v->locals[d->slot].number = member;
    if (d->where) {
        int64_t pass;
        if (!eval_number(v, d->where, &pass))
            return FLOW_FAIL;
        if (!pass)
            return FLOW_ON;
    }
    return visit(v, member, with);
}

static Flow visit_lines(IrEval *v, const IrDomain *d, Visit visit, void *with) {
    const Board *b = v->g->board;
    int64_t cell = -1;
    if (d->a && !eval_number(v, d->a, &cell))
        return FLOW_FAIL;
    int from = cell < 0 ? 0 : b->through_start[cell];
    int to = cell < 0 ? b->lines : b->through_start[cell + 1];
    Flow flow = FLOW_ON;
    for (int i = from; i < to && flow == FLOW_ON; i++)
        flow = visit_member(v, d, cell < 0 ? i : b->through[i], visit, with);
    return flow;
}

// Calls `visit` for each member of a domain, in ascending order.
static Flow each(IrEval *v, const IrDomain *d, Visit visit, void *with) {
    Flow flow = FLOW_ON;
    IrValue a, b;
    if (d->slot >= v->slots)
        return FLOW_FAIL;
    if (d->kind == DOM_LINES)
        return visit_lines(v, d, visit, with);
    if (!eval(v, d->a, &a))
        return FLOW_FAIL;
    if (d->kind == DOM_RANGE) {
        if (!eval(v, d->b, &b))
            return FLOW_FAIL;
        for (int64_t i = a.number; i <= b.number && flow == FLOW_ON; i++)
            flow = visit_member(v, d, i, visit, with);
    } else {
        int n = d->kind == DOM_MASK ? 64 : v->g->board->cells;
        *v->steps -= n / 16;
        uint64_t mask = d->kind == DOM_MASK ? (uint64_t)a.number : 0;
        for (int i = 0; i < n && flow == FLOW_ON; i++)
            if (d->kind == DOM_MASK ? (mask >> i) & 1 : eval_has(a.set, i))
                flow = visit_member(v, d, i, visit, with);
    }
    return flow;
}

typedef struct Told { // ir_each
    IrVisit visit;
    void *with;
} Told;

static Flow visit_told(IrEval *v, int64_t member, void *with) {
    (void)v;
    const Told *told = with;
    return told->visit(told->with, member) ? FLOW_ON : FLOW_FAIL;
}

bool ir_each(IrEval *v, const IrDomain *d, IrVisit visit, void *with) {
    Told told = {visit, with};
    return each(v, d, visit_told, &told) != FLOW_FAIL;
}

// --- expressions ---

typedef struct Loop {
    const IrExpr *e;
    IrValue acc;
    bool some;      // best: there is one
    int64_t member; //   and its member
} Loop;

// Any and all: until the body has the value that decides.
static Flow visit_cond(IrEval *v, int64_t member, void *with) {
    (void)member;
    Loop *loop = with;
    if (!eval_number(v, loop->e->kid[0], &loop->acc.number))
        return FLOW_FAIL;
    return (loop->acc.number != 0) == (loop->e->op == IR_ANY) ? FLOW_STOP : FLOW_ON;
}

static Flow visit_sum(IrEval *v, int64_t member, void *with) {
    (void)member;
    Loop *loop = with;
    int64_t n;
    if (!eval_number(v, loop->e->kid[0], &n))
        return FLOW_FAIL;
    loop->acc.number += n;
    return FLOW_ON;
}

static Flow visit_best(IrEval *v, int64_t member, void *with) {
    Loop *loop = with;
    int64_t n;
    if (!eval_number(v, loop->e->kid[0], &n))
        return FLOW_FAIL;
    bool least = loop->e->op == IR_MIN || loop->e->op == IR_LEAST;
    if (!loop->some || (least ? n < loop->acc.number : n > loop->acc.number)) {
        loop->acc.number = n;
        loop->some = true;
        loop->member = member;
    }
    return FLOW_ON;
}

static Flow visit_union(IrEval *v, int64_t member, void *with) {
    (void)member;
    Loop *loop = with;
    IrValue set;
    if (!eval(v, loop->e->kid[0], &set))
        return FLOW_FAIL;
    int words = ir_is_set(loop->e->type) ? v->g->board->words : 1;
    for (int i = 0; i < words; i++)
        loop->acc.set[i] |= set.set[i];
    return FLOW_ON;
}

static Flow visit_filter(IrEval *v, int64_t member, void *with) {
    (void)v;
    Loop *loop = with;
    if (member >= 0 && member < BOARD_MAX_CELLS)
        eval_insert(loop->acc.set, member);
    return FLOW_ON;
}

bool eval_loop(IrEval *v, const IrExpr *e, IrValue *out) {
    Loop loop = {.e = e, .acc = {.set = {0}}};
    Visit visit = visit_best;
    switch (e->op) {
    case IR_ANY: visit = visit_cond; break;
    case IR_ALL:
        visit = visit_cond;
        loop.acc.number = 1;
        break;
    case IR_SUM:
    case IR_TALLY: visit = visit_sum; break;
    case IR_UNION: visit = visit_union; break;
    case IR_FILTER: visit = visit_filter; break;
    default: break; // IR_MIN IR_MAX IR_LEAST IR_MOST
    }
    if (each(v, e->domain, visit, &loop) == FLOW_FAIL)
        return false;
    if (visit == visit_best && !loop.some)
        loop.acc.number = e->value;
    else if (e->op == IR_LEAST || e->op == IR_MOST)
        loop.acc.number = loop.member;
    *out = loop.acc;
    return true;
}
