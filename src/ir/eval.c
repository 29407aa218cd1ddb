// eval: the value of expressions, found in the plainest way.
//
// While a game is loaded this is how constants fold and how static definitions become tables; with
// a view it also knows what a state says, and what is known about it (knowledge). It works in
// small steps of its own and shares nothing with the interpreter and the machine code, which makes
// it a second opinion on the meaning of the operators.

#include "ir/eval.h"

#include <string.h>

// --- sets and numbers ---

static bool eval_set_pair(IrEval *v, const IrExpr *e, IrValue *out) {
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

static bool eval_member(IrEval *v, const IrExpr *e, IrValue *out) {
    IrValue set;
    int64_t x;
    if (!eval_number(v, e->kid[0], &x) || !eval(v, e->kid[1], &set))
        return false;
    if (ir_is_set(e->kid[1]->type))
        out->number = x >= 0 && x < v->g->board->cells && eval_has(set.set, x);
    else
        out->number = x >= 0 && x < 64 && ((uint64_t)set.number >> x & 1);
    return true;
}

// Some, count, first and complement of a set of cells or a mask.
static bool eval_of_set(IrEval *v, const IrExpr *e, IrValue *out) {
    const IrExpr *of = e->kid[0];
    IrValue set;
    if (!eval(v, of, &set))
        return false;
    int n = ir_is_set(of->type) ? v->g->board->cells : 64, count = 0, first = -1;
    *v->steps -= n / 16;
    for (int i = 0; i < n; i++)
        if (eval_has(set.set, i)) {
            count++;
            first = first < 0 ? i : first;
        }
    memset(out, 0, sizeof *out);
    if (e->op == IR_NOT_SET) {
        for (int i = 0; i < n; i++)
            if (!eval_has(set.set, i))
                eval_insert(out->set, i);
    } else if (e->op == IR_FIRST) {
        out->number = first < 0 ? eval_none(v->g, e->type) : first;
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

static bool eval_pair(IrEval *v, const IrExpr *e, IrValue *out) {
    int64_t a, b;
    if (!eval_number(v, e->kid[0], &a) || !eval_number(v, e->kid[1], &b))
        return false;
    out->number = arithmetic(e->op, a, b);
    return true;
}

static bool eval_one(IrEval *v, const IrExpr *e, IrValue *out) {
    int64_t a;
    if (!eval_number(v, e->kid[0], &a))
        return false;
    memset(out, 0, sizeof *out);
    switch (e->op) {
    case IR_NEG: out->number = -a; break;
    case IR_WRAP: out->number = (int32_t)(uint32_t)(uint64_t)a; break;
    case IR_ABS: out->number = a < 0 ? -a : a; break;
    case IR_NOT: out->number = !a; break;
    case IR_MASK_OF:
        if (a != eval_none(v->g, e->kid[0]->type))
            out->number = (int64_t)((uint64_t)1 << (a & 63));
        break;
    case IR_SINGLE:
        if (a >= 0 && a < v->g->board->cells)
            eval_insert(out->set, a);
        break;
    default: // IR_LINE_SET
        if (a < 0 || a >= v->g->board->lines)
            break;
        memcpy(out->set, v->g->board->line_set + a * v->g->board->words,
               8 * (size_t)v->g->board->words);
    }
    return true;
}

// --- calls ---

static bool call_with(IrEval *v, const IrExpr *e, IrValue *locals, IrValue *out) {
    const IrFunc *f = v->g->func[e->id];
    for (int i = 0; i < f->params; i++)
        if (!eval(v, e->args[i], &locals[i]))
            return false;
    IrEval inner = {v->g, v->view, locals, f->frame.slots, v->steps};
    return eval(&inner, f->body, out);
}

static bool eval_call(IrEval *v, const IrExpr *e, IrValue *out) {
    int slots = v->g->func[e->id]->frame.slots;
    if (slots <= EVAL_SLOTS) {
        IrValue locals[EVAL_SLOTS];
        return call_with(v, e, locals, out);
    }
    IrValue *locals = v->view ? mem_alloc(sizeof *locals * (size_t)slots) : NULL;
    bool ok = locals && call_with(v, e, locals, out);
    mem_free(locals);
    return ok;
}

// The player on move in that position is another one: local 0 in the frames of knowledge.
static bool eval_before(IrEval *v, const IrExpr *e, IrValue *out) {
    const IrView *before = v->view ? v->view->before : NULL;
    if (!before || v->slots < 1)
        return false;
    IrValue mover = v->locals[0];
    v->locals[0].number = before->state[v->g->layout.player];
    IrEval inner = {v->g, before, v->locals, v->slots, v->steps};
    bool ok = eval(&inner, e->kid[0], out);
    v->locals[0] = mover;
    return ok;
}

bool eval(IrEval *v, const IrExpr *e, IrValue *out) {
    if ((e->dynamic && !v->view) || --*v->steps < 0)
        return false;
    int64_t cond;
    switch (e->op) {
    case IR_CONST: out->number = e->value; return true;
    case IR_SET:
        memset(out, 0, sizeof *out);
        memcpy(out->set, e->set, 8 * (size_t)v->g->board->words);
        return true;
    case IR_LOCAL:
        if (e->id >= v->slots)
            return false;
        *out = v->locals[e->id];
        return true;
    case IR_TABLE: return eval_table(v, e, out);
    case IR_CALL: return eval_call(v, e, out);
    case IR_COND: return eval_number(v, e->kid[0], &cond) && eval(v, e->kid[cond ? 1 : 2], out);
    case IR_BOTH:
        if (!eval_number(v, e->kid[0], &cond))
            return false;
        out->number = 0;
        return !cond || eval(v, e->kid[1], out);
    case IR_EITHER:
        if (!eval_number(v, e->kid[0], &cond))
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
    case IR_KNOWN:
    case IR_KNOWN_COUNT:
    case IR_KNOWN_SET: return eval_known(v, e, out);
    case IR_BEFORE: return eval_before(v, e, out);
    default: return v->view && eval_state(v, e, out);
    }
}

bool ir_eval(const IrGame *g, const IrExpr *e, IrValue *locals, IrValue *out, long *steps) {
    IrEval v = {g, NULL, locals, EVAL_SLOTS, steps};
    return eval(&v, e, out);
}

bool ir_value(IrEval *v, const IrExpr *e, IrValue *out) {
    return eval(v, e, out);
}
