// eval: the value of expressions that need no state, found while a game is loaded.
//
// This is how constants fold and how static definitions become tables. It works in small steps
// of its own and shares nothing with the interpreter, which makes it a second opinion on the
// meaning of the operators.

#include "ir/ir.h"

#include <string.h>

// Frames larger than this are left to the interpreter; they would make this recursion heavy.
#define EVAL_SLOTS 32

typedef struct Eval {
    const IrGame *g;
    IrValue *locals;
    long *steps;
} Eval;

static bool eval(Eval *v, const IrExpr *e, IrValue *out);

static bool number(Eval *v, const IrExpr *e, int64_t *out) {
    IrValue value;
    if (!eval(v, e, &value))
        return false;
    *out = value.number;
    return true;
}

static bool has(const uint64_t *set, int64_t cell) {
    return (set[cell / 64] >> (cell % 64)) & 1;
}

static void insert(uint64_t *set, int64_t cell) {
    set[cell / 64] |= (uint64_t)1 << (cell % 64);
}

// --- loops ---

typedef enum Flow { FLOW_ON, FLOW_STOP, FLOW_FAIL } Flow;
typedef Flow (*Visit)(Eval *v, const IrExpr *e, int64_t member, IrValue *acc);

static Flow visit_member(Eval *v, const IrExpr *e, int64_t member, Visit visit, IrValue *acc) {
    const IrDomain *d = e->domain;
    v->locals[d->slot].number = member;
    if (d->where) {
        int64_t pass;
        if (!number(v, d->where, &pass))
            return FLOW_FAIL;
        if (!pass)
            return FLOW_ON;
    }
    return visit(v, e, member, acc);
}

static Flow visit_lines(Eval *v, const IrExpr *e, Visit visit, IrValue *acc) {
    const Board *b = v->g->board;
    int64_t cell = -1;
    if (e->domain->a && !number(v, e->domain->a, &cell))
        return FLOW_FAIL;
    int from = cell < 0 ? 0 : b->through_start[cell];
    int to = cell < 0 ? b->lines : b->through_start[cell + 1];
    Flow flow = FLOW_ON;
    for (int i = from; i < to && flow == FLOW_ON; i++)
        flow = visit_member(v, e, cell < 0 ? i : b->through[i], visit, acc);
    return flow;
}

// Calls `visit` for each member of the loop's domain, in ascending order.
static bool each(Eval *v, const IrExpr *e, Visit visit, IrValue *acc) {
    const IrDomain *d = e->domain;
    Flow flow = FLOW_ON;
    IrValue a, b;
    if (d->slot >= EVAL_SLOTS)
        return false;
    if (d->kind == DOM_LINES)
        return visit_lines(v, e, visit, acc) != FLOW_FAIL;
    if (!eval(v, d->a, &a))
        return false;
    if (d->kind == DOM_RANGE) {
        if (!eval(v, d->b, &b))
            return false;
        for (int64_t i = a.number; i <= b.number && flow == FLOW_ON; i++)
            flow = visit_member(v, e, i, visit, acc);
    } else {
        int n = d->kind == DOM_MASK ? 64 : v->g->board->cells;
        *v->steps -= n / 16;
        uint64_t mask = d->kind == DOM_MASK ? (uint64_t)a.number : 0;
        for (int i = 0; i < n && flow == FLOW_ON; i++)
            if (d->kind == DOM_MASK ? (mask >> i) & 1 : has(a.set, i))
                flow = visit_member(v, e, i, visit, acc);
    }
    return flow != FLOW_FAIL;
}

static Flow visit_any(Eval *v, const IrExpr *e, int64_t member, IrValue *acc) {
    (void)member;
    if (!number(v, e->kid[0], &acc->number))
        return FLOW_FAIL;
    return acc->number ? FLOW_STOP : FLOW_ON;
}

static Flow visit_all(Eval *v, const IrExpr *e, int64_t member, IrValue *acc) {
    (void)member;
    if (!number(v, e->kid[0], &acc->number))
        return FLOW_FAIL;
    return acc->number ? FLOW_ON : FLOW_STOP;
}

static Flow visit_sum(Eval *v, const IrExpr *e, int64_t member, IrValue *acc) {
    (void)member;
    int64_t n;
    if (!number(v, e->kid[0], &n))
        return FLOW_FAIL;
    acc->number += n;
    return FLOW_ON;
}

// acc->set[0] holds the best so far, set[1] whether there is one, set[2] its member.
static Flow visit_best(Eval *v, const IrExpr *e, int64_t member, IrValue *acc) {
    int64_t n;
    if (!number(v, e->kid[0], &n))
        return FLOW_FAIL;
    bool least = e->op == IR_MIN || e->op == IR_LEAST;
    int64_t best = (int64_t)acc->set[0];
    if (!acc->set[1] || (least ? n < best : n > best)) {
        acc->set[0] = (uint64_t)n;
        acc->set[1] = 1;
        acc->set[2] = (uint64_t)member;
    }
    return FLOW_ON;
}

static Flow visit_union(Eval *v, const IrExpr *e, int64_t member, IrValue *acc) {
    (void)member;
    IrValue set;
    if (!eval(v, e->kid[0], &set))
        return FLOW_FAIL;
    for (int i = 0; i < v->g->board->words; i++)
        acc->set[i] |= set.set[i];
    return FLOW_ON;
}

static Flow visit_filter(Eval *v, const IrExpr *e, int64_t member, IrValue *acc) {
    (void)v, (void)e;
    insert(acc->set, member);
    return FLOW_ON;
}

static bool eval_loop(Eval *v, const IrExpr *e, IrValue *out) {
    IrValue acc = {.set = {0}};
    switch (e->op) {
    case IR_ALL:
        acc.number = 1;
        if (!each(v, e, visit_all, &acc))
            return false;
        break;
    case IR_ANY:
        if (!each(v, e, visit_any, &acc))
            return false;
        break;
    case IR_SUM:
    case IR_TALLY:
        if (!each(v, e, visit_sum, &acc))
            return false;
        break;
    case IR_UNION:
        if (!each(v, e, visit_union, &acc))
            return false;
        break;
    case IR_FILTER:
        if (!each(v, e, visit_filter, &acc))
            return false;
        break;
    default: // IR_MIN IR_MAX IR_LEAST IR_MOST
        if (!each(v, e, visit_best, &acc))
            return false;
        bool member = e->op == IR_LEAST || e->op == IR_MOST;
        acc.number = acc.set[1] ? (int64_t)acc.set[member ? 2 : 0] : e->value;
    }
    *out = acc;
    return true;
}

// --- geometry ---

static bool eval_table(Eval *v, const IrExpr *e, IrValue *out) {
    const IrTable *t = v->g->table[e->id];
    int64_t at = 0;
    for (int i = 0; i < t->dims; i++) {
        int64_t index;
        if (!number(v, e->kid[i], &index))
            return false;
        index -= t->base[i];
        if (index < 0 || index >= t->size[i])
            return false;
        at = i ? at * t->size[1] + index : index;
    }
    if (t->sets)
        memcpy(out->set, t->sets + at * v->g->board->words, 8 * (size_t)v->g->board->words);
    else
        out->number = t->numbers[at];
    return true;
}

static bool eval_ray(Eval *v, const IrExpr *e, IrValue *out) {
    const Board *b = v->g->board;
    int64_t cell, direction;
    IrValue stop;
    if (!number(v, e->kid[0], &cell) || !number(v, e->kid[1], &direction) ||
        !eval(v, e->kid[2], &stop))
        return false;
    memset(out, 0, sizeof *out);
    // A ray can only come back to its cell on a board that wraps, so it ends after `cells` steps.
    int64_t at = cell;
    for (int i = 0; i < b->cells; i++) {
        at = b->step[at * b->directions + direction];
        if (at == b->cells)
            break;
        bool in = has(stop.set, at);
        if (e->op == IR_RAY_UNTIL ? in : !in) {
            if (e->op == IR_RAY_UNTIL)
                insert(out->set, at);
            break;
        }
        if (e->op != IR_PAST)
            insert(out->set, at);
    }
    if (e->op == IR_PAST)
        out->number = at;
    return true;
}

static bool eval_flood(Eval *v, const IrExpr *e, IrValue *out) {
    const Board *b = v->g->board;
    IrValue through;
    if (!eval(v, e->kid[0], out) || !eval(v, e->kid[1], &through))
        return false;
    for (bool grew = true; grew;) {
        grew = false;
        *v->steps -= b->cells; // a step is what a simple operation costs
        if (*v->steps < 0)
            return false;
        for (int c = 0; c < b->cells; c++) {
            if (!has(out->set, c))
                continue;
            for (int i = 0; i < b->words; i++) {
                uint64_t more = b->next[c * b->words + i] & through.set[i] & ~out->set[i];
                out->set[i] |= more;
                grew |= more != 0;
            }
        }
    }
    return true;
}

static bool eval_image(Eval *v, const IrExpr *e, IrValue *out) {
    const Board *b = v->g->board;
    IrValue from;
    int64_t direction = 0;
    if (!eval(v, e->kid[0], &from) || (e->kid[1] && !number(v, e->kid[1], &direction)))
        return false;
    memset(out, 0, sizeof *out);
    *v->steps -= b->cells / 8;
    for (int c = 0; c < b->cells; c++) {
        if (!has(from.set, c))
            continue;
        if (!e->kid[1]) {
            for (int i = 0; i < b->words; i++)
                out->set[i] |= b->next[c * b->words + i];
        } else if (b->step[c * b->directions + direction] < b->cells) {
            insert(out->set, b->step[c * b->directions + direction]);
        }
    }
    return true;
}

// --- sets and numbers ---

static bool eval_set_pair(Eval *v, const IrExpr *e, IrValue *out) {
    IrValue a, b;
    if (!eval(v, e->kid[0], &a) || !eval(v, e->kid[1], &b))
        return false;
    bool cells = ir_is_set(e->kid[0]->type);
    int words = cells ? v->g->board->words : 1;
    bool same = true, within = true;
    if (!cells) {
        a.set[0] = (uint64_t)a.number;
        b.set[0] = (uint64_t)b.number;
    }
    memset(out, 0, sizeof *out);
    for (int i = 0; i < words; i++) {
        same = same && a.set[i] == b.set[i];
        within = within && !(a.set[i] & ~b.set[i]);
        if (e->op == IR_AND)
            out->set[i] = a.set[i] & b.set[i];
        else if (e->op == IR_OR)
            out->set[i] = a.set[i] | b.set[i];
        else if (e->op == IR_MINUS)
            out->set[i] = a.set[i] & ~b.set[i];
    }
    if (e->op == IR_WITHIN)
        out->number = within;
    else if (e->op == IR_EQ)
        out->number = same;
    else if (e->op == IR_NE)
        out->number = !same;
    return true;
}

static bool eval_member(Eval *v, const IrExpr *e, IrValue *out) {
    IrValue set;
    int64_t x;
    if (!number(v, e->kid[0], &x) || !eval(v, e->kid[1], &set))
        return false;
    if (ir_is_set(e->kid[1]->type))
        out->number = x < v->g->board->cells && has(set.set, x);
    else
        out->number = x >= 0 && x < 64 && ((uint64_t)set.number >> x & 1);
    return true;
}

// Some, count, first and complement of a set of cells or a mask.
static bool eval_of_set(Eval *v, const IrExpr *e, IrValue *out) {
    const IrExpr *of = e->kid[0];
    IrValue set;
    if (!eval(v, of, &set))
        return false;
    int n = ir_is_set(of->type) ? v->g->board->cells : 64, count = 0, first = -1;
    *v->steps -= n / 16;
    for (int i = 0; i < n; i++)
        if (has(set.set, i)) {
            count++;
            first = first < 0 ? i : first;
        }
    memset(out, 0, sizeof *out);
    if (e->op == IR_NOT_SET) {
        for (int i = 0; i < n; i++)
            if (!has(set.set, i))
                insert(out->set, i);
    } else if (e->op == IR_FIRST) {
        out->number = first < 0 ? n : first;
    } else {
        out->number = e->op == IR_COUNT ? count : count > 0;
    }
    return true;
}

static int64_t arithmetic(IrOp op, int64_t a, int64_t b) {
    switch (op) {
    case IR_ADD: return a + b;
    case IR_SUB: return a - b;
    case IR_MUL: return a * b;
    case IR_DIV: return b ? a / b : 0;
    case IR_MOD: return b ? a % b : 0;
    case IR_LOWER: return a < b ? a : b;
    case IR_HIGHER: return a > b ? a : b;
    case IR_EQ: return a == b;
    case IR_NE: return a != b;
    case IR_LT: return a < b;
    default: return a <= b; // IR_LE
    }
}

static bool eval_pair(Eval *v, const IrExpr *e, IrValue *out) {
    int64_t a, b;
    if (!number(v, e->kid[0], &a) || !number(v, e->kid[1], &b))
        return false;
    out->number = arithmetic(e->op, a, b);
    return true;
}

static bool eval_one(Eval *v, const IrExpr *e, IrValue *out) {
    int64_t a;
    if (!number(v, e->kid[0], &a))
        return false;
    memset(out, 0, sizeof *out);
    switch (e->op) {
    case IR_NEG: out->number = -a; break;
    case IR_WRAP: out->number = (int32_t)(uint32_t)(uint64_t)a; break;
    case IR_ABS: out->number = a < 0 ? -a : a; break;
    case IR_NOT: out->number = !a; break;
    case IR_MASK_OF: out->number = (int64_t)((uint64_t)1 << (a & 63)); break;
    case IR_SINGLE:
        if (a < v->g->board->cells)
            insert(out->set, a);
        break;
    default: // IR_LINE_SET
        memcpy(out->set, v->g->board->line_set + a * v->g->board->words,
               8 * (size_t)v->g->board->words);
    }
    return true;
}

static bool eval_call(Eval *v, const IrExpr *e, IrValue *out) {
    const IrFunc *f = v->g->func[e->id];
    IrValue locals[EVAL_SLOTS];
    if (f->frame.slots > EVAL_SLOTS)
        return false;
    for (int i = 0; i < f->params; i++)
        if (!eval(v, e->args[i], &locals[i]))
            return false;
    Eval inner = {v->g, locals, v->steps};
    return eval(&inner, f->body, out);
}

static bool eval(Eval *v, const IrExpr *e, IrValue *out) {
    if (e->dynamic || --*v->steps < 0)
        return false;
    int64_t cond;
    switch (e->op) {
    case IR_CONST: out->number = e->value; return true;
    case IR_SET:
        memset(out, 0, sizeof *out);
        memcpy(out->set, e->set, 8 * (size_t)v->g->board->words);
        return true;
    case IR_LOCAL:
        if (e->id >= EVAL_SLOTS)
            return false;
        *out = v->locals[e->id];
        return true;
    case IR_TABLE: return eval_table(v, e, out);
    case IR_CALL: return eval_call(v, e, out);
    case IR_COND: return number(v, e->kid[0], &cond) && eval(v, e->kid[cond ? 1 : 2], out);
    case IR_BOTH:
        if (!number(v, e->kid[0], &cond))
            return false;
        out->number = 0;
        return !cond || eval(v, e->kid[1], out);
    case IR_EITHER:
        if (!number(v, e->kid[0], &cond))
            return false;
        out->number = 1;
        return cond || eval(v, e->kid[1], out);
    case IR_AND:
    case IR_OR:
    case IR_MINUS:
    case IR_WITHIN: return eval_set_pair(v, e, out);
    case IR_EQ:
    case IR_NE: return ir_is_set(e->kid[0]->type) ? eval_set_pair(v, e, out) : eval_pair(v, e, out);
    case IR_MEMBER: return eval_member(v, e, out);
    case IR_NOT_SET:
    case IR_SOME:
    case IR_COUNT:
    case IR_FIRST: return eval_of_set(v, e, out);
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_DIV:
    case IR_MOD:
    case IR_LOWER:
    case IR_HIGHER:
    case IR_LT:
    case IR_LE: return eval_pair(v, e, out);
    case IR_NEG:
    case IR_WRAP:
    case IR_ABS:
    case IR_NOT:
    case IR_SINGLE:
    case IR_MASK_OF:
    case IR_LINE_SET: return eval_one(v, e, out);
    case IR_IMAGE: return eval_image(v, e, out);
    case IR_RAY_WHILE:
    case IR_RAY_UNTIL:
    case IR_PAST: return eval_ray(v, e, out);
    case IR_FLOOD: return eval_flood(v, e, out);
    case IR_FILTER:
    case IR_ANY:
    case IR_ALL:
    case IR_TALLY:
    case IR_SUM:
    case IR_MIN:
    case IR_MAX:
    case IR_UNION:
    case IR_LEAST:
    case IR_MOST: return eval_loop(v, e, out);
    default: return false; // everything else reads the state
    }
}

bool ir_eval(const IrGame *g, const IrExpr *e, IrValue *locals, IrValue *out, long *steps) {
    Eval v = {g, locals, steps};
    return eval(&v, e, out);
}
