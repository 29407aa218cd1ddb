// cond: conditions as jumps. `and`, `or`, `not` and quantifiers become jumps out of the middle, so
// that nothing is computed that the answer does not need.
#include "vm/code.h"

static VmOp choose_op(bool sense, VmOp yes, VmOp no) {
    return sense ? yes : no;
}

static bool one_word(const VmCompiler *c, const IrExpr *e) {
    return vm_width(c, e->type) == 1;
}

static int jump(VmCompiler *c, VmOp op, int a, int b, int label) {
    vm_jump(c, op, a, b, label);
    return c->knowns;
}

static int constant(VmCompiler *c, bool value, bool sense, int label) {
    if (value == sense)
        vm_jump(c, OP_JUMP, 0, 0, label);
    return c->knowns;
}

// Both kids must be `all` for the whole to be: k0 and k1 if all is true; for `or`, both false.
static int both(VmCompiler *c, VmFrame *f, const IrExpr *e, bool all, bool sense, int label) {
    if (sense != all) {
        int common = vm_cond(c, f, e->kid[0], !all, label);
        int second = vm_cond(c, f, e->kid[1], !all, label);
        return common < second ? common : second;
    }
    int out = vm_label(c);
    int common = vm_cond(c, f, e->kid[0], !all, out);
    vm_cond(c, f, e->kid[1], all, label);
    vm_bind(c, out);
    if (c->knowns > common)
        c->knowns = common;
    return common;
}

// --- quantifiers ---

// `l within S` for the line in the loop's slot, with an S that does not depend on it.
static const IrExpr *line_within(VmCompiler *c, const IrExpr *e) {
    const IrDomain *d = e->domain;
    const IrExpr *body = e->kid[0];
    if (e->op != IR_ANY || d->kind != DOM_LINES || d->where || body->op != IR_WITHIN)
        return NULL;
    const IrExpr *line = body->kid[0];
    bool is_line = line->op == IR_LINE_SET || (line->op == IR_TABLE && line->id == TABLE_LINE);
    if (!is_line || line->kid[0]->op != IR_LOCAL || line->kid[0]->id != d->slot)
        return NULL;
    return vm_uses_slot(c, body->kid[1], d->slot) ? NULL : body->kid[1];
}

static int some_line(VmCompiler *c, VmFrame *f, const IrExpr *e, const IrExpr *set, bool sense,
                     int label) {
    int to = vm_expr(c, f, set, -1);
    bool one = c->p->words == 1;
    if (e->domain->a) {
        int cell = vm_expr(c, f, e->domain->a, -1);
        VmOp op =
            one ? choose_op(sense, OP_JLINE, OP_JNLINE) : choose_op(sense, OP_JLINE_N, OP_JNLINE_N);
        return jump(c, op, cell, to, label);
    }
    VmOp op =
        one ? choose_op(sense, OP_JLINES, OP_JNLINES) : choose_op(sense, OP_JLINES_N, OP_JNLINES_N);
    return jump(c, op, to, 0, label);
}

// Whether some member's body is `body_sense`; body NULL: whether there is a member at all.
static int some(VmCompiler *c, VmFrame *f, const IrDomain *d, const IrExpr *body, bool body_sense,
                bool sense, int label) {
    int found = sense ? label : vm_label(c);
    VmLoop loop;
    vm_loop_begin(c, f, d, body, -1, &loop);
    if (body)
        vm_cond(c, f, body, body_sense, found);
    else
        vm_jump(c, OP_JUMP, 0, 0, found);
    vm_loop_end(c, &loop);
    if (!sense) {
        vm_jump(c, OP_JUMP, 0, 0, label);
        vm_bind(c, found);
    }
    return c->knowns;
}

// --- members ---

// Sets of which it is faster to ask for one member than to make the whole.
static bool lazy(VmCompiler *c, const IrExpr *e) {
    bool is = false;
    if (!vm_enter(c))
        return false;
    switch (e->op) {
    case IR_FILTER:
    case IR_SINGLE:
    case IR_COND: is = true; break;
    case IR_UNION: // unions of rays and steps are one instruction
        is = e->domain->kind != DOM_MASK || e->kid[0]->op == IR_COND || e->kid[0]->op == IR_CALL;
        break;
    case IR_AND:
    case IR_OR:
    case IR_MINUS: is = lazy(c, e->kid[0]) || lazy(c, e->kid[1]); break;
    case IR_NOT_SET: is = lazy(c, e->kid[0]); break;
    case IR_CALL: is = lazy(c, c->game->func[e->id]->body); break;
    default: break;
    }
    vm_leave(c);
    return is;
}

static void in_set(VmCompiler *c, VmFrame *f, int x, const IrExpr *e, bool sense, int label);

// x in both sets; `negate`: in the first and not in the second.
static void in_both(VmCompiler *c, VmFrame *f, int x, const IrExpr *e, bool negate, bool sense,
                    int label) {
    if (!sense) {
        in_set(c, f, x, e->kid[0], false, label);
        in_set(c, f, x, e->kid[1], negate, label);
        return;
    }
    int out = vm_label(c);
    VmMark mark = vm_mark(c);
    in_set(c, f, x, e->kid[0], false, out);
    in_set(c, f, x, e->kid[1], !negate, label);
    vm_release(c, mark);
    vm_bind(c, out);
}

static void in_one_of(VmCompiler *c, VmFrame *f, int x, const IrExpr *e, bool sense, int label) {
    if (sense) {
        in_set(c, f, x, e->kid[0], true, label);
        in_set(c, f, x, e->kid[1], true, label);
        return;
    }
    int out = vm_label(c);
    VmMark mark = vm_mark(c);
    in_set(c, f, x, e->kid[0], true, out);
    in_set(c, f, x, e->kid[1], false, label);
    vm_release(c, mark);
    vm_bind(c, out);
}

static void in_conditional(VmCompiler *c, VmFrame *f, int x, const IrExpr *e, bool sense,
                           int label) {
    int other = vm_label(c), end = vm_label(c);
    int common = vm_cond(c, f, e->kid[0], false, other);
    VmMark mark = {common, c->reg};
    in_set(c, f, x, e->kid[1], sense, label);
    vm_jump(c, OP_JUMP, 0, 0, end);
    vm_release(c, mark);
    vm_bind(c, other);
    in_set(c, f, x, e->kid[2], sense, label);
    vm_release(c, mark);
    vm_bind(c, end);
}

static void in_union(VmCompiler *c, VmFrame *f, int x, const IrExpr *e, bool sense, int label) {
    int found = sense ? label : vm_label(c);
    VmLoop loop;
    vm_loop_begin(c, f, e->domain, e->kid[0], -1, &loop);
    in_set(c, f, x, e->kid[0], true, found);
    vm_loop_end(c, &loop);
    if (!sense) {
        vm_jump(c, OP_JUMP, 0, 0, label);
        vm_bind(c, found);
    }
}

// Jumps if x, which is not none, is in the set e (or not).
static void in_set(VmCompiler *c, VmFrame *f, int x, const IrExpr *e, bool sense, int label) {
    if (!vm_enter(c))
        return;
    if (!lazy(c, e) || vm_find_known(c, f, e) >= 0) {
        int set = vm_expr(c, f, e, -1);
        if (one_word(c, e))
            vm_jump(c, choose_op(sense, OP_JBIT, OP_JNBIT), set, x, label);
        else
            vm_jump(c, choose_op(sense, OP_JBIT_N, OP_JNBIT_N), set, x, label);
        vm_leave(c);
        return;
    }
    switch (e->op) {
    case IR_AND: in_both(c, f, x, e, false, sense, label); break;
    case IR_MINUS: in_both(c, f, x, e, true, sense, label); break;
    case IR_OR: in_one_of(c, f, x, e, sense, label); break;
    case IR_NOT_SET: in_set(c, f, x, e->kid[0], !sense, label); break;
    case IR_SINGLE:
        vm_jump(c, choose_op(sense, OP_JEQ, OP_JNE), x, vm_expr(c, f, e->kid[0], -1), label);
        break;
    case IR_COND: in_conditional(c, f, x, e, sense, label); break;
    case IR_UNION: in_union(c, f, x, e, sense, label); break;
    case IR_FILTER: vm_member(c, f, x, e->domain, sense, label); break;
    default: in_set(c, vm_call(c, f, e), x, c->game->func[e->id]->body, sense, label); break;
    }
    vm_leave(c);
}

// The part of a domain before `where`.
static void in_base(VmCompiler *c, VmFrame *f, int x, const IrDomain *d, bool sense, int label) {
    switch (d->kind) {
    case DOM_SET:
    case DOM_MASK: in_set(c, f, x, d->a, sense, label); break;
    case DOM_RANGE: {
        int low = vm_expr(c, f, d->a, -1), high = vm_expr(c, f, d->b, -1);
        int out = sense ? vm_label(c) : label;
        vm_jump(c, OP_JLT, x, low, out);
        if (sense) {
            vm_jump(c, OP_JLE, x, high, label);
            vm_bind(c, out);
        } else {
            vm_jump(c, OP_JLT, high, x, label);
        }
        break;
    }
    case DOM_LINES: {
        if (!d->a) {
            constant(c, true, sense, label);
            break;
        }
        IrExpr line = {.op = IR_LOCAL, .id = d->slot, .type = {.kind = TY_LINE}};
        IrExpr set = {.op = IR_LINE_SET, .type = {.kind = TY_SET}, .kid = {&line}};
        int cell = vm_expr(c, f, d->a, -1);
        int kept = f->reg[d->slot];
        f->reg[d->slot] = x;
        VmMark mark = vm_mark(c); // `set` must not be remembered: it is gone when we return
        int cells = vm_expr(c, f, &set, -1);
        if (c->p->words == 1)
            vm_jump(c, choose_op(sense, OP_JBIT, OP_JNBIT), cells, cell, label);
        else
            vm_jump(c, choose_op(sense, OP_JBIT_N, OP_JNBIT_N), cells, cell, label);
        vm_release(c, mark);
        f->reg[d->slot] = kept;
        break;
    }
    }
}

void vm_member(VmCompiler *c, VmFrame *f, int x, const IrDomain *d, bool sense, int label) {
    if (!d->where) {
        in_base(c, f, x, d, sense, label);
        return;
    }
    int out = sense ? vm_label(c) : label;
    VmMark mark = vm_mark(c);
    in_base(c, f, x, d, false, out);
    int kept = f->reg[d->slot];
    f->reg[d->slot] = x;
    vm_cond(c, f, d->where, sense, label);
    f->reg[d->slot] = kept;
    vm_release(c, mark); // what was learnt speaks of x by the name of the slot
    if (sense)
        vm_bind(c, out);
}

static int member(VmCompiler *c, VmFrame *f, const IrExpr *e, bool sense, int label) {
    const IrExpr *x = e->kid[0], *set = e->kid[1];
    int reg = vm_expr(c, f, x, -1);
    if (!lazy(c, set) || vm_find_known(c, f, set) >= 0) {
        in_set(c, f, reg, set, sense, label);
        return c->knowns;
    }
    VmMark mark = vm_mark(c);
    int none = vm_none(c, x->type);
    int out = sense ? vm_label(c) : label;
    if (x->type.kind != TY_INT && (x->type.optional || x->hi >= none))
        vm_jump(c, OP_JEQ, reg, vm_number(c, none), out);
    in_set(c, f, reg, set, sense, label);
    vm_release(c, mark);
    if (sense)
        vm_bind(c, out);
    return c->knowns;
}

// --- leaves ---

static int some_members(VmCompiler *c, VmFrame *f, const IrExpr *set, bool sense, int label);

static bool is_empty(const VmCompiler *c, const IrExpr *e) {
    for (int n = 0; e->op == IR_SET && n < c->p->words; n++)
        if (e->set[n])
            return false;
    return e->op == IR_SET || e->value == 0;
}

// Which of two sets it is may tell that there is no member, without making one of them.
static int some_of_either(VmCompiler *c, VmFrame *f, const IrExpr *set, bool sense, int label) {
    int other = vm_label(c), end = vm_label(c);
    int common = vm_cond(c, f, set->kid[0], false, other);
    VmMark mark = {common, c->reg};
    some_members(c, f, set->kid[1], sense, label);
    vm_jump(c, OP_JUMP, 0, 0, end);
    vm_release(c, mark);
    vm_bind(c, other);
    some_members(c, f, set->kid[2], sense, label);
    vm_release(c, mark);
    vm_bind(c, end);
    return c->knowns;
}

static int some_members(VmCompiler *c, VmFrame *f, const IrExpr *set, bool sense, int label) {
    bool known = vm_find_known(c, f, set) >= 0;
    bool one = one_word(c, set);
    if (!known && set->op == IR_COND)
        return some_of_either(c, f, set, sense, label);
    // A definition without parameters is likely to be used again, so it is worth making whole.
    if (!known && set->op == IR_CALL && c->game->func[set->id]->params > 0 &&
        c->game->func[set->id]->body->op == IR_COND)
        return some_of_either(c, vm_call(c, f, set), c->game->func[set->id]->body, sense, label);
    if (set->op == IR_SET || set->op == IR_CONST)
        return constant(c, !is_empty(c, set), sense, label);
    if (!known && set->op == IR_FILTER && set->domain->where && set->domain->where->op != IR_MEMBER)
        return some(c, f, set->domain, NULL, true, sense, label);
    if (!known && (set->op == IR_AND || set->op == IR_MINUS)) {
        int a = vm_expr(c, f, set->kid[0], -1), b = vm_expr(c, f, set->kid[1], -1);
        VmOp meets =
            one ? choose_op(sense, OP_JMEET, OP_JAPART) : choose_op(sense, OP_JMEET_N, OP_JAPART_N);
        VmOp beyond = one ? choose_op(sense, OP_JBEYOND, OP_JWITHIN)
                          : choose_op(sense, OP_JBEYOND_N, OP_JWITHIN_N);
        return jump(c, set->op == IR_AND ? meets : beyond, a, b, label);
    }
    int reg = vm_expr(c, f, set, -1);
    VmOp op = one ? choose_op(sense, OP_JNZ, OP_JZ) : choose_op(sense, OP_JSOME_N, OP_JNONE_N);
    return jump(c, op, reg, 0, label);
}

static int within(VmCompiler *c, VmFrame *f, const IrExpr *e, bool sense, int label) {
    int a = vm_expr(c, f, e->kid[0], -1), b = vm_expr(c, f, e->kid[1], -1);
    VmOp op = one_word(c, e->kid[0]) ? choose_op(sense, OP_JWITHIN, OP_JBEYOND)
                                     : choose_op(sense, OP_JWITHIN_N, OP_JBEYOND_N);
    return jump(c, op, a, b, label);
}

static bool is_bit(const VmCompiler *c, const IrExpr *what, const IrExpr *is) {
    if (what->op == IR_KIND_AT)
        return is->op == IR_CONST && is->value < c->game->kinds;
    if (what->op != IR_OWNER_AT || is->type.optional)
        return false;
    return is->op == IR_ME || is->op == IR_LOCAL ||
           (is->op == IR_CONST && is->value < c->game->players);
}

const IrExpr *vm_bit_set(VmCompiler *c, const IrExpr *e, const IrExpr **x) {
    if (e->op != IR_EQ && e->op != IR_NE)
        return NULL;
    for (int n = 0; n < 2; n++) {
        const IrExpr *what = e->kid[n];
        IrExpr *is = e->kid[1 - n];
        if (!is_bit(c, what, is))
            continue;
        bool kind = what->op == IR_KIND_AT;
        IrExpr *set = ARENA_NEW(c->arena, IrExpr);
        *set = (IrExpr){.op = kind ? IR_PIECES : IR_OWNED, .type = {.kind = TY_SET}};
        set->dynamic = true;
        if (kind)
            set->id = (int)is->value;
        else
            set->kid[0] = is;
        *x = what->kid[0];
        return set;
    }
    return NULL;
}

static int as_bit(VmCompiler *c, VmFrame *f, const IrExpr *set, const IrExpr *x, bool sense,
                  int label) {
    int cell = vm_expr(c, f, x, -1);
    int reg = vm_expr(c, f, set, -1);
    VmOp op = c->p->words == 1 ? choose_op(sense, OP_JBIT, OP_JNBIT)
                               : choose_op(sense, OP_JBIT_N, OP_JNBIT_N);
    return jump(c, op, reg, cell, label);
}

static int equal(VmCompiler *c, VmFrame *f, const IrExpr *e, bool sense, int label) {
    const IrExpr *k0 = e->kid[0], *k1 = e->kid[1];
    const IrExpr *x, *set = vm_bit_set(c, e, &x);
    if (set && vm_find_known(c, f, k0) < 0 && vm_find_known(c, f, k1) < 0)
        return as_bit(c, f, set, x, sense, label);
    int a = vm_expr(c, f, k0, -1), b = vm_expr(c, f, k1, -1);
    if (!one_word(c, k0))
        return jump(c, choose_op(sense, OP_JSAME_N, OP_JDIFFER_N), a, b, label);
    if (k1->op == IR_CONST && k1->value == 0)
        return jump(c, choose_op(sense, OP_JZ, OP_JNZ), a, 0, label);
    return jump(c, choose_op(sense, OP_JEQ, OP_JNE), a, b, label);
}

static int less(VmCompiler *c, VmFrame *f, const IrExpr *e, VmOp yes, VmOp no, bool sense,
                int label) {
    int a = vm_expr(c, f, e->kid[0], -1), b = vm_expr(c, f, e->kid[1], -1);
    return sense ? jump(c, yes, a, b, label) : jump(c, no, b, a, label);
}

static int conditional(VmCompiler *c, VmFrame *f, const IrExpr *e, bool sense, int label) {
    int other = vm_label(c), end = vm_label(c);
    int common = vm_cond(c, f, e->kid[0], false, other);
    VmMark mark = {common, c->reg};
    vm_cond(c, f, e->kid[1], sense, label);
    vm_jump(c, OP_JUMP, 0, 0, end);
    vm_release(c, mark);
    vm_bind(c, other);
    vm_cond(c, f, e->kid[2], sense, label);
    vm_release(c, mark);
    vm_bind(c, end);
    return c->knowns;
}

static int decide(VmCompiler *c, VmFrame *f, const IrExpr *e, bool sense, int label) {
    const IrExpr *lines;
    switch (e->op) {
    case IR_CONST: return constant(c, e->value != 0, sense, label);
    case IR_NOT: return vm_cond(c, f, e->kid[0], !sense, label);
    case IR_BOTH: return both(c, f, e, true, sense, label);
    case IR_EITHER: return both(c, f, e, false, sense, label);
    case IR_EQ: return equal(c, f, e, sense, label);
    case IR_NE: return equal(c, f, e, !sense, label);
    case IR_LT: return less(c, f, e, OP_JLT, OP_JLE, sense, label);
    case IR_LE: return less(c, f, e, OP_JLE, OP_JLT, sense, label);
    case IR_SOME: return some_members(c, f, e->kid[0], sense, label);
    case IR_WITHIN: return within(c, f, e, sense, label);
    case IR_MEMBER: return member(c, f, e, sense, label);
    case IR_COND: return conditional(c, f, e, sense, label);
    case IR_ANY:
        if ((lines = line_within(c, e)))
            return some_line(c, f, e, lines, sense, label);
        return some(c, f, e->domain, e->kid[0], true, sense, label);
    case IR_ALL: return some(c, f, e->domain, e->kid[0], false, !sense, label);
    case IR_CALL: return vm_cond(c, vm_call(c, f, e), c->game->func[e->id]->body, sense, label);
    default: return jump(c, choose_op(sense, OP_JNZ, OP_JZ), vm_expr(c, f, e, -1), 0, label);
    }
}

int vm_cond(VmCompiler *c, VmFrame *f, const IrExpr *e, bool sense, int label) {
    if (!vm_enter(c))
        return c->knowns;
    int common;
    int known = e->op == IR_CONST || e->op == IR_LOCAL ? -1 : vm_find_known(c, f, e);
    if (known >= 0)
        common = jump(c, choose_op(sense, OP_JNZ, OP_JZ), known, 0, label);
    else
        common = decide(c, f, e, sense, label);
    vm_leave(c);
    return common;
}
