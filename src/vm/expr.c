// expr: values of expressions into registers.
//
// A register is written once in its scope (a block, a branch, a round of a loop), so that a value
// computed once may be used again until the scope ends or the state changes (known.c). Calls are
// expanded in place: an argument is simply the register that the parameter's slot means there.
#include "vm/code.h"

static int words(const VmCompiler *c) {
    return c->p->words;
}

// Picks the instruction for one word or for any number of them.
static VmOp sized(int width, VmOp one, VmOp any) {
    return width == 1 ? one : any;
}

static bool is_const(const IrExpr *e) {
    return e && e->op == IR_CONST;
}

static bool is_empty(const VmCompiler *c, const IrExpr *e) {
    if (e->op == IR_CONST)
        return e->value == 0;
    for (int n = 0; e->op == IR_SET && n < c->p->words; n++)
        if (e->set[n])
            return false;
    return e->op == IR_SET;
}

static void copy(VmCompiler *c, int width, int to, int from) {
    if (to != from)
        vm_emit(c, sized(width, OP_MOVE, OP_MOVE_N), to, from, 0);
}

static void clear(VmCompiler *c, int width, int to) {
    vm_emit(c, sized(width, OP_INT, OP_ZERO_N), to, 0, 0);
}

// --- variables, attributes, tables ---

static VmOp load_op(int width, bool is_signed, bool indexed) {
    switch (width) {
    case 1:
        if (is_signed)
            return indexed ? OP_LOADX_I8 : OP_LOAD_I8;
        return indexed ? OP_LOADX_U8 : OP_LOAD_U8;
    case 2:
        if (is_signed)
            return indexed ? OP_LOADX_I16 : OP_LOAD_I16;
        return indexed ? OP_LOADX_U16 : OP_LOAD_U16;
    case 4: return indexed ? OP_LOADX_I32 : OP_LOAD_I32;
    case 8: return indexed ? OP_LOADX_64 : OP_LOAD_64;
    default: return indexed ? OP_LOADX_N : OP_LOAD_N;
    }
}

static void variable(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    const IrVar *v = &c->game->var[e->id];
    bool is_signed = v->lo < 0;
    const IrExpr *index = v->indexed ? e->kid[0] : NULL;
    if (!index || is_const(index)) {
        int64_t n = index ? index->value - v->index_base : 0;
        if (n < 0 || n >= (v->indexed ? v->count : 1))
            clear(c, vm_width(c, e->type), to);
        else
            vm_emit(c, load_op(v->width, is_signed, false), to, v->offset + (int)n * v->width, 0);
        return;
    }
    int field = vm_add_field(c, (VmField){v->index_base, (uint64_t)v->count, (uint16_t)v->offset,
                                          (uint16_t)v->width, (int16_t)e->id});
    vm_emit(c, load_op(v->width, is_signed, true), to, vm_expr(c, f, index, -1), field);
}

static void attribute(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    const IrAttr *a = &c->game->attr[e->id];
    int cell = vm_expr(c, f, e->kid[0], -1);
    if (a->width == 0) {
        vm_emit(c, OP_BITX, to, cell, a->offset);
        return;
    }
    int field = vm_add_field(
        c, (VmField){0, (uint64_t)c->p->cells, (uint16_t)a->offset, (uint16_t)a->width, -1});
    vm_emit(c, load_op(a->width, a->lo < 0, true), to, cell, field);
}

static VmView table_view(const IrTable *t, int id) {
    VmView v = {.numbers = t->numbers, .sets = t->sets, .id = id, .stride = 1};
    v.base[0] = t->base[0];
    v.size[0] = (uint64_t)t->size[0];
    if (t->dims == 2) {
        v.base[1] = t->base[1];
        v.size[1] = (uint64_t)t->size[1];
        v.stride = (uint64_t)t->size[1];
    }
    return v;
}

// The row or column of a table of two dimensions at a constant index; false if it is outside.
static bool slice(VmView *v, int dim, int64_t index, int entry_words) {
    uint64_t n = (uint64_t)(index - v->base[dim]);
    if (n >= v->size[dim])
        return false;
    uint64_t skip = dim == 0 ? n * v->stride : n;
    if (v->numbers)
        v->numbers += skip;
    if (v->sets)
        v->sets += skip * (uint64_t)entry_words;
    if (dim == 0) {
        v->base[0] = v->base[1];
        v->size[0] = v->size[1];
        v->stride = 1;
    }
    v->base[1] = 0;
    v->size[1] = 0;
    return true;
}

static void table1(VmCompiler *c, VmView view, int index, int to) {
    VmOp op = view.sets ? sized(words(c), OP_SETS, OP_SETS_N) : OP_TABLE;
    vm_emit(c, op, to, index, vm_add_view(c, view));
}

static void table(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    const IrTable *t = c->game->table[e->id];
    VmView view = table_view(t, e->id);
    const IrExpr *k0 = e->kid[0], *k1 = e->kid[1];
    if (t->dims == 1) {
        table1(c, view, vm_expr(c, f, k0, -1), to);
    } else if (is_const(k1) || is_const(k0)) {
        int dim = is_const(k1) ? 1 : 0;
        if (slice(&view, dim, e->kid[dim]->value, words(c)))
            table1(c, view, vm_expr(c, f, e->kid[1 - dim], -1), to);
        else
            clear(c, vm_width(c, e->type), to);
    } else {
        int a = vm_expr(c, f, k0, -1), b = vm_expr(c, f, k1, -1);
        vm_emit(c, view.sets ? OP_SETS2 : OP_TABLE2, to, a, b);
        vm_emit(c, OP_EXT, vm_add_view(c, view), 0, 0);
    }
}

// --- what stands where ---

static void all_occupied(VmCompiler *c, int to, bool empty) {
    if (words(c) == 1 && c->p->planes_in_row)
        vm_emit(c, empty ? OP_EMPTY : OP_OCCUPIED, to, 0, 0);
    else
        vm_emit(c, empty ? OP_EMPTY_N : OP_OCCUPIED_N, to, 0, 0);
}

// The planes of one list, known now.
static void fixed_list(VmCompiler *c, int kind, int owner, int to) {
    int n = vm_add_lists(c, 1, &kind, &owner);
    const VmProgram *p = c->p;
    if (c->failed)
        return;
    VmList list = p->list[n];
    if (list.count == 0)
        clear(c, words(c), to);
    else if (list.count == 1)
        vm_emit(c, sized(words(c), OP_LOAD_64, OP_LOAD_N), to, p->list_offset[list.first], 0);
    else if (list.count == p->planes)
        all_occupied(c, to, false);
    else
        vm_emit(c, OP_LIST, to, n, 0);
}

// One of the lists first .. first + n - 1.
static void chosen_list(VmCompiler *c, int first, int n, int index, int to) {
    bool single = words(c) == 1;
    for (int k = 0; k < n && !c->failed; k++)
        if (c->p->list[first + k].count > 1)
            single = false;
    vm_emit(c, single ? OP_PLANEX : OP_LISTX, to, index, first);
}

static void lists_by_owner(VmCompiler *c, VmFrame *f, const IrExpr *owner, int kind, int to) {
    int n = c->p->players + 1;
    int kinds[IR_MAX_PLAYERS + 1], owners[IR_MAX_PLAYERS + 1];
    bool by_me = true; // `opponent` and the like: look up by the player on move at once
    for (int k = 0; k < n; k++) {
        uint64_t who[BOARD_MAX_WORDS] = {(uint64_t)k};
        by_me = by_me && vm_fold(c, owner, k < n - 1 ? k : 0, who) && who[0] < (uint64_t)n;
        kinds[k] = kind;
        owners[k] = by_me ? (int)who[0] : k;
    }
    for (int k = 0; k < n && !by_me; k++)
        owners[k] = k;
    int index = by_me ? VM_ME : vm_expr(c, f, owner, -1);
    chosen_list(c, vm_add_lists(c, n, kinds, owners), n, index, to);
}

static void owned(VmCompiler *c, VmFrame *f, const IrExpr *owner, int kind, int to) {
    if (is_const(owner))
        fixed_list(c, kind, (int)owner->value, to);
    else
        lists_by_owner(c, f, owner, kind, to);
}

// Kind and perhaps owner are known only when the rules run: a list for each pair.
static void pieces_of_kind(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    int kinds[(IR_MAX_KINDS + 1) * (IR_MAX_PLAYERS + 1)];
    int owners[(IR_MAX_KINDS + 1) * (IR_MAX_PLAYERS + 1)];
    int row = e->kid[0] ? c->p->players + 1 : 1;
    int n = 0;
    for (int kind = 0; kind <= c->game->kinds; kind++)
        for (int owner = 0; owner < row; owner++, n++) {
            kinds[n] = kind; // no plane has the kind `kinds`: an empty list
            owners[n] = e->kid[0] ? owner : -1;
        }
    int index = vm_expr(c, f, e->kid[1], -1);
    if (row > 1) {
        int owner = vm_expr(c, f, e->kid[0], -1);
        int sum = vm_alloc(c, 1);
        vm_emit(c, OP_MUL, sum, index, vm_number(c, row));
        vm_emit(c, OP_ADD, sum, sum, owner);
        index = sum;
    }
    chosen_list(c, vm_add_lists(c, n, kinds, owners), n, index, to);
}

static void pieces(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    int kind = e->id;
    if (kind < 0 && is_const(e->kid[1]))
        kind = (int)e->kid[1]->value;
    if (kind < 0)
        pieces_of_kind(c, f, e, to);
    else if (!e->kid[0])
        fixed_list(c, kind, -1, to);
    else
        owned(c, f, e->kid[0], kind, to);
}

// --- loops ---

int vm_loop_member(const VmCompiler *c, const IrDomain *d) {
    return d->kind == DOM_SET ? words(c) : 1;
}

int vm_loop_regs(const VmCompiler *c, const IrDomain *d) {
    return vm_loop_member(c, d) + (d->kind == DOM_LINES ? 2 : 1);
}

static void begin_range(VmCompiler *c, int base, int low, int high, int exit) {
    vm_emit(c, OP_MOVE, base, high, 0);
    vm_emit(c, OP_MOVE, base + 1, low, 0);
    vm_jump(c, OP_JLT, base, base + 1, exit);
}

void vm_loop_start(VmCompiler *c, VmFrame *f, const IrDomain *d, int a, int b, int base,
                   VmLoop *loop) {
    *loop = (VmLoop){.domain = d, .body = vm_label(c), .next = vm_label(c), .exit = vm_label(c)};
    loop->base = base >= 0 ? base : vm_alloc(c, vm_loop_regs(c, d));
    switch (d->kind) {
    case DOM_SET: vm_jump(c, sized(words(c), OP_EACH, OP_EACH_N), loop->base, a, loop->exit); break;
    case DOM_MASK: vm_jump(c, OP_EACH, loop->base, a, loop->exit); break;
    case DOM_RANGE: begin_range(c, loop->base, a, b, loop->exit); break;
    case DOM_LINES:
        if (d->a)
            vm_jump(c, OP_LINES, loop->base, a, loop->exit);
        else
            begin_range(c, loop->base, vm_number(c, 0), vm_number(c, c->game->board->lines - 1),
                        loop->exit);
        break;
    }
    vm_bind(c, loop->body);
    f->reg[d->slot] = loop->base + vm_loop_member(c, d);
    loop->mark = vm_mark(c);
}

void vm_loop_begin(VmCompiler *c, VmFrame *f, const IrDomain *d, const IrExpr *body, int base,
                   VmLoop *loop) {
    int a = d->a ? vm_expr(c, f, d->a, -1) : -1;
    int b = d->b ? vm_expr(c, f, d->b, -1) : -1;
    vm_hoist(c, f, d, body);
    vm_loop_start(c, f, d, a, b, base, loop);
    if (d->where)
        vm_cond(c, f, d->where, false, loop->next);
}

void vm_loop_end(VmCompiler *c, VmLoop *loop) {
    const IrDomain *d = loop->domain;
    VmOp op = OP_NEXT_INT;
    if (d->kind == DOM_SET)
        op = sized(words(c), OP_NEXT, OP_NEXT_N);
    else if (d->kind == DOM_MASK)
        op = OP_NEXT;
    else if (d->kind == DOM_LINES && d->a)
        op = OP_NEXT_LINE;
    vm_release(c, loop->mark);
    vm_bind(c, loop->next);
    vm_jump(c, op, loop->base, 0, loop->body);
    vm_bind(c, loop->exit);
}

static int member_reg(const VmCompiler *c, const VmLoop *loop) {
    return loop->base + vm_loop_member(c, loop->domain);
}

// --- filters as set algebra ---

// A condition on the member x that says no more than that x is in some set: S where x in T is
// S & T. Returns that set's register in *set and whether it is the complement, or false.
static bool as_set(VmCompiler *c, VmFrame *f, const IrExpr *cond, int slot, int *set,
                   bool *complement) {
    if (cond->op == IR_NOT) {
        bool found = as_set(c, f, cond->kid[0], slot, set, complement);
        *complement = !*complement;
        return found;
    }
    if (cond->op == IR_CALL) {
        // A definition with the member as its only argument that matters.
        const IrFunc *func = c->game->func[cond->id];
        int inner = -1;
        for (int n = 0; n < func->params; n++)
            if (cond->args[n]->op == IR_LOCAL && cond->args[n]->id == slot) {
                if (inner >= 0)
                    return false;
                inner = n;
            } else if (vm_uses_slot(c, cond->args[n], slot)) {
                return false;
            }
        if (inner < 0 || func->body->op != IR_MEMBER)
            return false;
        VmFrame *g = vm_frame(c, &func->frame);
        for (int n = 0; n < func->params; n++)
            if (n != inner)
                g->reg[n] = vm_expr(c, f, cond->args[n], -1);
        return as_set(c, g, func->body, inner, set, complement);
    }
    if (cond->op != IR_MEMBER || cond->kid[1]->type.kind != TY_SET ||
        vm_uses_slot(c, cond->kid[1], slot))
        return false;
    const IrExpr *x = cond->kid[0];
    *complement = false;
    if (x->op == IR_LOCAL && x->id == slot) {
        *set = vm_expr(c, f, cond->kid[1], -1);
        return true;
    }
    return false;
}

static bool filter_as_algebra(VmCompiler *c, VmFrame *f, const IrDomain *d, int to) {
    int set;
    bool complement = false;
    if (d->kind != DOM_SET || !d->where)
        return false;
    if (!as_set(c, f, d->where, d->slot, &set, &complement))
        return false;
    int from = vm_expr(c, f, d->a, -1);
    if (complement)
        vm_emit(c, sized(words(c), OP_ANDN, OP_ANDN_N), to, from, set);
    else
        vm_emit(c, sized(words(c), OP_AND, OP_AND_N), to, from, set);
    return true;
}

static void filter(VmCompiler *c, VmFrame *f, const IrDomain *d, int to) {
    if (filter_as_algebra(c, f, d, to))
        return;
    int width = d->kind == DOM_SET ? words(c) : 1;
    clear(c, width, to);
    VmLoop loop;
    vm_loop_begin(c, f, d, NULL, -1, &loop);
    vm_emit(c, sized(width, OP_ADDBIT, OP_ADDBIT_N), to, member_reg(c, &loop), 0);
    vm_loop_end(c, &loop);
}

int vm_members(VmCompiler *c, VmFrame *f, const IrDomain *d, int want) {
    if (!d->where)
        return vm_expr(c, f, d->a, want);
    int to = want >= 0 ? want : vm_alloc(c, d->kind == DOM_SET ? words(c) : 1);
    filter(c, f, d, to);
    return to;
}

static void tally(VmCompiler *c, VmFrame *f, const IrDomain *d, const IrExpr *cond, int to) {
    vm_emit(c, OP_INT, to, 0, 0);
    VmLoop loop;
    vm_loop_begin(c, f, d, cond, -1, &loop);
    if (cond)
        vm_cond(c, f, cond, false, loop.next);
    vm_emit(c, OP_INC, to, 0, 0);
    vm_loop_end(c, &loop);
}

// sum, min, max
static void fold(VmCompiler *c, VmFrame *f, const IrExpr *e, VmOp op, int to) {
    if (e->op == IR_SUM)
        vm_emit(c, OP_INT, to, 0, 0);
    else
        copy(c, 1, to, vm_number(c, e->value));
    VmLoop loop;
    vm_loop_begin(c, f, e->domain, e->kid[0], -1, &loop);
    vm_emit(c, op, to, to, vm_expr(c, f, e->kid[0], -1));
    vm_loop_end(c, &loop);
}

static bool is_slot(const IrExpr *e, int slot) {
    return e && e->op == IR_LOCAL && e->id == slot;
}

// `step(S, d)` for the direction d in the slot, on boards where that is a shift; S or NULL.
static const IrExpr *step_of(VmCompiler *c, const IrExpr *e, int slot) {
    if (e->op != IR_IMAGE || e->id != TABLE_STEP || !c->p->shifts || !is_slot(e->kid[1], slot))
        return NULL;
    return e->kid[0];
}

// union d in ways : step(S, d)
static bool union_of_steps(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    int slot = e->domain->slot;
    const IrExpr *set = step_of(c, e->kid[0], slot);
    if (!set || vm_uses_slot(c, set, slot))
        return false;
    int from = vm_expr(c, f, set, -1);
    vm_emit(c, OP_SHIFTS, to, from, vm_expr(c, f, e->domain->a, -1));
    return true;
}

// union d in ways : step(step(S, d) & T, d)
static bool union_of_hops(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    int slot = e->domain->slot;
    const IrExpr *both = step_of(c, e->kid[0], slot);
    if (!both || both->op != IR_AND)
        return false;
    const IrExpr *from = step_of(c, both->kid[0], slot);
    const IrExpr *over = both->kid[1];
    if (!from || vm_uses_slot(c, from, slot) || vm_uses_slot(c, over, slot))
        return false;
    int a = vm_expr(c, f, from, -1), b = vm_expr(c, f, over, -1);
    int ways = vm_expr(c, f, e->domain->a, -1);
    vm_emit(c, OP_HOPS, to, a, b);
    vm_emit(c, OP_EXT, ways, 0, 0);
    return true;
}

// union d in ways : ray(c, d until S)
static bool union_of_rays(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    const IrExpr *ray = e->kid[0];
    int slot = e->domain->slot;
    if ((ray->op != IR_RAY_UNTIL && ray->op != IR_RAY_WHILE) || !is_slot(ray->kid[1], slot) ||
        vm_uses_slot(c, ray->kid[0], slot) || vm_uses_slot(c, ray->kid[2], slot))
        return false;
    int cell = vm_expr(c, f, ray->kid[0], -1);
    int set = vm_expr(c, f, ray->kid[2], -1);
    vm_emit(c, OP_SLIDE, to, cell, vm_expr(c, f, e->domain->a, -1));
    vm_emit(c, OP_EXT, set, ray->op == IR_RAY_WHILE, 0);
    return true;
}

// to = to | e, without making the parts of e that are empty.
static void add_set(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    if (!vm_enter(c))
        return;
    int width = vm_width(c, e->type);
    if (e->op == IR_COND && vm_find_known(c, f, e) < 0) {
        int other = vm_label(c), end = vm_label(c);
        int common = vm_cond(c, f, e->kid[0], false, other);
        VmMark mark = {common, c->reg};
        add_set(c, f, e->kid[1], to);
        vm_jump(c, OP_JUMP, 0, 0, end);
        vm_release(c, mark);
        vm_bind(c, other);
        add_set(c, f, e->kid[2], to);
        vm_release(c, mark);
        vm_bind(c, end);
    } else if (e->op == IR_CALL && vm_find_known(c, f, e) < 0) {
        add_set(c, vm_call(c, f, e), c->game->func[e->id]->body, to);
    } else if (!is_empty(c, e)) {
        vm_emit(c, sized(width, OP_OR, OP_OR_N), to, to, vm_expr(c, f, e, -1));
    }
    vm_leave(c);
}

static void unite(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    bool ways = e->domain->kind == DOM_MASK && !e->domain->where && e->type.kind == TY_SET;
    if (ways &&
        (union_of_steps(c, f, e, to) || union_of_hops(c, f, e, to) || union_of_rays(c, f, e, to)))
        return;
    clear(c, vm_width(c, e->type), to);
    VmLoop loop;
    vm_loop_begin(c, f, e->domain, e->kid[0], -1, &loop);
    add_set(c, f, e->kid[0], to);
    vm_loop_end(c, &loop);
}

static void extreme(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    bool least = e->op == IR_LEAST;
    int best = vm_alloc(c, 1);
    copy(c, 1, best, vm_number(c, least ? INT64_MAX : INT64_MIN));
    copy(c, 1, to, vm_number(c, e->value));
    VmLoop loop;
    vm_loop_begin(c, f, e->domain, e->kid[0], -1, &loop);
    int value = vm_expr(c, f, e->kid[0], -1);
    if (least)
        vm_jump(c, OP_JLE, best, value, loop.next);
    else
        vm_jump(c, OP_JLE, value, best, loop.next);
    copy(c, 1, best, value);
    copy(c, 1, to, member_reg(c, &loop));
    vm_loop_end(c, &loop);
}

// --- the rest ---

static void count(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    const IrExpr *set = e->kid[0];
    if (set->op == IR_FILTER && vm_find_known(c, f, set) < 0 && set->domain->where &&
        set->domain->where->op != IR_MEMBER) {
        tally(c, f, set->domain, NULL, to);
        return;
    }
    int width = vm_width(c, set->type);
    vm_emit(c, sized(width, OP_COUNT, OP_COUNT_N), to, vm_expr(c, f, set, -1), 0);
}

static void image(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    const IrTable *t = c->game->table[e->id];
    int set = vm_expr(c, f, e->kid[0], -1);
    VmView view = table_view(t, e->id);
    if (t->sets) {
        vm_emit(c, sized(words(c), OP_IMAGE, OP_IMAGE_N), to, set, vm_add_view(c, view));
        return;
    }
    int direction = vm_expr(c, f, e->kid[1], -1);
    if (e->id == TABLE_STEP && c->p->shifts) {
        vm_emit(c, OP_SHIFT, to, set, direction);
        return;
    }
    vm_emit(c, OP_STEPS, to, set, direction);
    vm_emit(c, OP_EXT, vm_add_view(c, view), 0, 0);
}

static void ray(VmCompiler *c, VmFrame *f, const IrExpr *e, VmOp op, int to) {
    int cell = vm_expr(c, f, e->kid[0], -1);
    int direction = vm_expr(c, f, e->kid[1], -1);
    int set = vm_expr(c, f, e->kid[2], -1);
    vm_emit(c, op, to, cell, direction);
    vm_emit(c, OP_EXT, set, 0, 0);
}

static void binary(VmCompiler *c, VmFrame *f, const IrExpr *e, VmOp op, int to) {
    int a = vm_expr(c, f, e->kid[0], -1);
    int b = vm_expr(c, f, e->kid[1], -1);
    vm_emit(c, op, to, a, b);
}

static void unary(VmCompiler *c, VmFrame *f, const IrExpr *e, VmOp op, int last, int to) {
    vm_emit(c, op, to, vm_expr(c, f, e->kid[0], -1), last);
}

static void set_and(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    int width = vm_width(c, e->type);
    const IrExpr *a = e->kid[0], *b = e->kid[1];
    for (int n = 0; n < 2; n++) {
        if (b->op == IR_NOT_SET && b->kid[0]->op != IR_OCCUPIED) {
            int left = vm_expr(c, f, a, -1), right = vm_expr(c, f, b->kid[0], -1);
            vm_emit(c, sized(width, OP_ANDN, OP_ANDN_N), to, left, right);
            return;
        }
        const IrExpr *swap = a;
        a = b;
        b = swap;
    }
    binary(c, f, e, sized(width, OP_AND, OP_AND_N), to);
}

static void complement(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    if (e->kid[0]->op == IR_OCCUPIED && vm_find_known(c, f, e->kid[0]) < 0) {
        all_occupied(c, to, true);
        return;
    }
    int all = vm_set_constant(c, c->p->all);
    vm_emit(c, sized(words(c), OP_ANDN, OP_ANDN_N), to, all, vm_expr(c, f, e->kid[0], -1));
}

static void conditional(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    int other = vm_label(c), end = vm_label(c);
    int common = vm_cond(c, f, e->kid[0], false, other);
    VmMark mark = {common, c->reg};
    vm_expr(c, f, e->kid[1], to);
    vm_jump(c, OP_JUMP, 0, 0, end);
    vm_release(c, mark);
    vm_bind(c, other);
    vm_expr(c, f, e->kid[2], to);
    vm_release(c, mark);
    vm_bind(c, end);
}

// A condition as a number.
static void truth(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    int yes = vm_label(c), end = vm_label(c);
    int common = vm_cond(c, f, e, true, yes);
    VmMark mark = {common, c->reg};
    vm_emit(c, OP_INT, to, 0, 0);
    vm_jump(c, OP_JUMP, 0, 0, end);
    vm_release(c, mark);
    vm_bind(c, yes);
    vm_emit(c, OP_INT, to, 1, 0);
    vm_bind(c, end);
}

VmFrame *vm_call(VmCompiler *c, VmFrame *f, const IrExpr *e) {
    const IrFunc *func = c->game->func[e->id];
    VmFrame *inner = vm_frame(c, &func->frame);
    for (int n = 0; n < func->params; n++)
        inner->reg[n] = vm_expr(c, f, e->args[n], -1);
    return inner;
}

static void build(VmCompiler *c, VmFrame *f, const IrExpr *e, int to) {
    int width = vm_width(c, e->type);
    int of = e->kid[0] ? vm_width(c, e->kid[0]->type) : 1;
    switch (e->op) {
    case IR_CONST:
    case IR_SET:
    case IR_LOCAL:
    case IR_ME:
    case IR_CALL: break; // vm_expr itself
    case IR_VAR: variable(c, f, e, to); break;
    case IR_ATTR: attribute(c, f, e, to); break;
    case IR_TABLE: table(c, f, e, to); break;
    case IR_OCCUPIED: all_occupied(c, to, false); break;
    case IR_OWNED: owned(c, f, e->kid[0], -1, to); break;
    case IR_PLANE:
        vm_emit(c, sized(width, OP_LOAD_64, OP_LOAD_N), to, c->game->plane[e->id].offset, 0);
        break;
    case IR_PIECES: pieces(c, f, e, to); break;
    case IR_KIND_AT: unary(c, f, e, OP_KIND_AT, 0, to); break;
    case IR_OWNER_AT: unary(c, f, e, OP_OWNER_AT, 0, to); break;
    case IR_KIND_IN: binary(c, f, e, OP_KIND_IN, to); break;
    case IR_OWNER_IN: binary(c, f, e, OP_OWNER_IN, to); break;
    case IR_HEIGHT: unary(c, f, e, OP_HEIGHT, 0, to); break;
    case IR_AND: set_and(c, f, e, to); break;
    case IR_OR: binary(c, f, e, sized(width, OP_OR, OP_OR_N), to); break;
    case IR_MINUS: binary(c, f, e, sized(width, OP_ANDN, OP_ANDN_N), to); break;
    case IR_NOT_SET: complement(c, f, e, to); break;
    case IR_SINGLE: unary(c, f, e, sized(width, OP_SINGLE, OP_SINGLE_N), c->p->cells, to); break;
    case IR_MASK_OF: unary(c, f, e, OP_SINGLE, vm_none(c, e->kid[0]->type), to); break;
    case IR_COUNT: count(c, f, e, to); break;
    case IR_FIRST: unary(c, f, e, sized(of, OP_FIRST, OP_FIRST_N), vm_none(c, e->type), to); break;
    case IR_FILTER: filter(c, f, e->domain, to); break;
    case IR_IMAGE: image(c, f, e, to); break;
    case IR_RAY_WHILE: ray(c, f, e, OP_RAY_WHILE, to); break;
    case IR_RAY_UNTIL: ray(c, f, e, OP_RAY_UNTIL, to); break;
    case IR_PAST: ray(c, f, e, OP_PAST, to); break;
    case IR_FLOOD: binary(c, f, e, OP_FLOOD, to); break;
    case IR_LINE_SET:
        table1(c,
               (VmView){.sets = c->game->board->line_set,
                        .size = {(uint64_t)c->game->board->lines, 0},
                        .stride = 1,
                        .id = TABLE_LINE},
               vm_expr(c, f, e->kid[0], -1), to);
        break;
    case IR_TALLY: tally(c, f, e->domain, e->kid[0], to); break;
    case IR_SUM: fold(c, f, e, OP_ADD, to); break;
    case IR_MIN: fold(c, f, e, OP_LOWER, to); break;
    case IR_MAX: fold(c, f, e, OP_HIGHER, to); break;
    case IR_UNION: unite(c, f, e, to); break;
    case IR_LEAST:
    case IR_MOST: extreme(c, f, e, to); break;
    case IR_ADD: binary(c, f, e, OP_ADD, to); break;
    case IR_SUB: binary(c, f, e, OP_SUB, to); break;
    case IR_MUL: binary(c, f, e, OP_MUL, to); break;
    case IR_DIV: binary(c, f, e, OP_DIV, to); break;
    case IR_MOD: binary(c, f, e, OP_MOD, to); break;
    case IR_NEG: unary(c, f, e, OP_NEG, 0, to); break;
    case IR_ABS: unary(c, f, e, OP_ABS, 0, to); break;
    case IR_WRAP: unary(c, f, e, OP_WRAP, 0, to); break;
    case IR_LOWER: binary(c, f, e, OP_LOWER, to); break;
    case IR_HIGHER: binary(c, f, e, OP_HIGHER, to); break;
    case IR_COND: conditional(c, f, e, to); break;
    case IR_MEMBER:
    case IR_WITHIN:
    case IR_SOME:
    case IR_ANY:
    case IR_ALL:
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_BOTH:
    case IR_EITHER:
    case IR_NOT: truth(c, f, e, to); break;
    case IR_KNOWN: // the rules of a game never ask what is known about it
    case IR_KNOWN_COUNT:
    case IR_KNOWN_SET:
    case IR_BEFORE: break;
    }
}

// What depends only on the player on move needs no code at all.
static int mine(VmCompiler *c, const IrExpr *e) {
    uint64_t values[IR_MAX_PLAYERS][BOARD_MAX_WORDS];
    if (e->op != IR_COND && e->op != IR_ADD && e->op != IR_SUB && e->op != IR_CALL)
        return -1;
    for (int n = 0; n < c->p->players; n++)
        if (!vm_fold(c, e, n, values[n]))
            return -1;
    return vm_mine(c, (const uint64_t(*)[BOARD_MAX_WORDS])values, vm_width(c, e->type));
}

static int simple(VmCompiler *c, const VmFrame *f, const IrExpr *e) {
    switch (e->op) {
    case IR_CONST: return vm_number(c, e->value);
    case IR_SET: return vm_set_constant(c, e->set);
    case IR_LOCAL: return f->reg[e->id] >= 0 ? f->reg[e->id] : 0;
    case IR_ME: return VM_ME;
    default: return mine(c, e);
    }
}

int vm_expr(VmCompiler *c, VmFrame *f, const IrExpr *e, int want) {
    if (!vm_enter(c))
        return 0;
    int width = vm_width(c, e->type);
    int reg = simple(c, f, e);
    if (reg < 0)
        reg = vm_find_known(c, f, e);
    if (reg < 0 && e->op == IR_CALL) {
        reg = vm_expr(c, vm_call(c, f, e), c->game->func[e->id]->body, want);
        if (want < 0)
            vm_learn(c, f, e, reg);
    }
    if (reg < 0) {
        reg = want >= 0 ? want : vm_alloc(c, width);
        build(c, f, e, reg);
        if (want < 0)
            vm_learn(c, f, e, reg);
    }
    if (want >= 0)
        copy(c, width, want, reg);
    vm_leave(c);
    return want >= 0 ? want : reg;
}
