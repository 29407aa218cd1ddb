// A clause as loops and conditions. Which literal comes next is decided while the text is made: what
// can be tested is tested at once, then comes what gives the fewest values; the variable that the
// bits of the head stand for comes last, as a set.
#include "native/emit_relation.h"

#include <string.h>

#define EXTRA_SLOTS 64
#define UNROLL_PLAYERS 4

static void step(ClausePlan *p, ClauseNow now);

// --- literals ---

static int var_of_slot(const ClausePlan *p, int slot) {
    for (int n = 0; n < p->vars; n++)
        if (p->var[n].slot == slot)
            return n;
    return -1;
}

// The variables of an expression, by their names for expressions too.
static uint64_t vars_of(const ClausePlan *p, const IrExpr *e) {
    uint64_t vars = 0;
    if (!e)
        return 0;
    for (int n = 0; n < p->vars; n++)
        if (emit_uses(p->em, e, p->var[n].slot))
            vars |= (uint64_t)1 << n;
    for (int n = 0; n < p->lits; n++)
        if (p->lit[n].kind == CLAUSE_NAME && emit_uses(p->em, e, p->lit[n].x))
            vars |= p->lit[n].needs;
    return vars;
}

static bool add_var(ClausePlan *p, int slot, int32_t lo, int32_t hi) {
    if (p->vars == CLAUSE_MOST)
        return false;
    p->var[p->vars++] = (struct ClauseVar){slot, p->f->ir->type[slot], lo, hi};
    return true;
}

static ClauseLit *add_lit(ClausePlan *p, ClauseLitKind kind) {
    if (p->lits == CLAUSE_MOST)
        return NULL;
    ClauseLit *l = &p->lit[p->lits++];
    *l = (ClauseLit){.kind = kind, .x = -1, .var = {-1, -1, -1, -1}};
    return l;
}

static IrExpr *new_expr(ClausePlan *p, IrOp op, IrTypeKind type) {
    IrExpr *e = ARENA_NEW(p->em->arena, IrExpr);
    e->op = op;
    e->type.kind = type;
    e->dynamic = true;
    return e;
}

static bool add_member(ClausePlan *p, const IrDomain *d, int var);

// The parts of a condition one by one; membership of a variable in a set is a literal of its own.
static bool add_cond(ClausePlan *p, const IrExpr *e) {
    if (e->op == IR_BOTH)
        return add_cond(p, e->kid[0]) && add_cond(p, e->kid[1]);
    int var = e->op == IR_MEMBER && e->kid[0]->op == IR_LOCAL ? var_of_slot(p, e->kid[0]->id) : -1;
    if (var >= 0 && e->kid[1]->type.kind == TY_SET && p->var[var].type.kind == TY_CELL &&
        !(vars_of(p, e->kid[1]) >> var & 1)) {
        IrDomain *d = ARENA_NEW(p->em->arena, IrDomain);
        *d = (IrDomain){.kind = DOM_SET, .a = e->kid[1], .slot = p->var[var].slot};
        return add_member(p, d, var);
    }
    ClauseLit *l = add_lit(p, CLAUSE_COND);
    if (!l)
        return false;
    l->cond = e;
    l->needs = vars_of(p, e);
    return true;
}

// Whether a value is in a domain, as an expression.
static const IrExpr *member_cond(ClausePlan *p, const IrDomain *d, int var) {
    IrExpr *x = clause_local(p, var);
    IrExpr *e = new_expr(p, IR_MEMBER, TY_BOOL);
    if (d->kind == DOM_RANGE) {
        IrExpr *low = new_expr(p, IR_LE, TY_BOOL), *high = new_expr(p, IR_LE, TY_BOOL);
        low->kid[0] = d->a;
        low->kid[1] = x;
        high->kid[0] = x;
        high->kid[1] = d->b;
        e->op = IR_BOTH;
        e->kid[0] = low;
        e->kid[1] = high;
    } else if (d->kind == DOM_LINES && !d->a) {
        *e = (IrExpr){.op = IR_CONST, .type = {.kind = TY_BOOL}, .value = 1, .lo = 1, .hi = 1};
    } else if (d->kind == DOM_LINES) { // through a cell
        IrExpr *cells = new_expr(p, IR_LINE_SET, TY_SET);
        cells->kid[0] = x;
        e->kid[0] = d->a;
        e->kid[1] = cells;
    } else {
        e->kid[0] = x;
        e->kid[1] = d->a;
    }
    return e;
}

// `l in lines through c` is `c in l` as well, where c is a variable.
static bool add_through(ClausePlan *p, const IrDomain *d, int line) {
    int cell = d->a->op == IR_LOCAL ? var_of_slot(p, d->a->id) : -1;
    if (cell < 0)
        return true;
    IrExpr *cells = new_expr(p, IR_LINE_SET, TY_SET);
    cells->kid[0] = clause_local(p, line);
    IrDomain *back = ARENA_NEW(p->em->arena, IrDomain);
    *back = (IrDomain){.kind = DOM_SET, .a = cells, .slot = p->var[cell].slot};
    return add_member(p, back, cell);
}

static bool add_member(ClausePlan *p, const IrDomain *d, int var) {
    ClauseLit *l = add_lit(p, CLAUSE_MEMBER);
    if (!l)
        return false;
    l->x = var;
    l->domain = d;
    l->cond = member_cond(p, d, var);
    l->needs = vars_of(p, d->a) | vars_of(p, d->b);
    l->gives = (uint64_t)1 << var;
    return d->kind != DOM_LINES || !d->a || add_through(p, d, var);
}

static bool add_each(ClausePlan *p, const IrDomain *d) {
    IrType type = p->f->ir->type[d->slot];
    int32_t lo = 0, hi = emit_none(p->em, type) - 1;
    if (d->kind == DOM_RANGE) {
        lo = d->a->lo;
        hi = d->b->hi;
    }
    int var = var_of_slot(p, d->slot);
    if (var < 0) {
        var = p->vars;
        if (!add_var(p, d->slot, lo, hi))
            return false;
    }
    IrDomain *bare = ARENA_NEW(p->em->arena, IrDomain);
    *bare = *d;
    bare->where = NULL;
    return add_member(p, bare, var) && (!d->where || add_cond(p, d->where));
}

static bool add_atom(ClausePlan *p, const IrLiteral *from, bool last) {
    const EmitRelation *rel = &p->em->knowing->rel[from->relation];
    IrExpr *e = new_expr(p, IR_KNOWN, TY_BOOL);
    ClauseLit *l = add_lit(p, CLAUSE_ATOM);
    if (!l)
        return false;
    e->id = from->relation;
    e->hi = 1;
    e->args = ARENA_ARRAY(p->em->arena, IrExpr *, IR_MAX_ARGS);
    e->value = last ? KNOWN_LAST : KNOWN_ALL;
    l->atom = (EmitAtom){.rel = rel, .where = e->value};
    l->cond = e;
    for (int n = 0; n < rel->r->params; n++) {
        const IrTerm *t = &from->term[n];
        const IrRelation *r = rel->r;
        if (!t->value && t->slot >= 0 && var_of_slot(p, t->slot) < 0 &&
            !add_var(p, t->slot, r->lo[n], r->lo[n] + r->size[n] - 1))
            return false;
        int slot = t->value ? (t->value->op == IR_LOCAL ? t->value->id : -1) : t->slot;
        int var = slot >= 0 ? var_of_slot(p, slot) : -1;
        l->var[n] = var;
        l->atom.value[n] = var < 0 ? t->value : NULL;
        l->atom.slot[n] = -1;
        e->args[n] = var < 0 ? t->value : clause_local(p, var);
        l->needs |= vars_of(p, l->atom.value[n]);
        l->gives |= var < 0 ? 0 : (uint64_t)1 << var;
    }
    return true;
}

static bool add_name(ClausePlan *p, const IrLiteral *from) {
    ClauseLit *l = add_lit(p, CLAUSE_NAME);
    if (!l)
        return false;
    l->x = from->term[0].slot;
    l->cond = from->cond;
    p->lits--; // not to be found in itself
    l->needs = vars_of(p, from->cond);
    p->lits++;
    p->f->local[l->x] = (EmitLocal){.kind = BIND_EXPR, .expr = from->cond, .in = p->f};
    return true;
}

static bool add_literals(ClausePlan *p, const IrClause *clause, int last) {
    bool ok = true;
    for (int n = 0; ok && n < clause->literals; n++) {
        const IrLiteral *l = &clause->literal[n];
        switch (l->kind) {
        case LIT_EACH: ok = add_each(p, l->domain); break;
        case LIT_KNOWN: ok = add_atom(p, l, n == last); break;
        case LIT_COND: ok = add_cond(p, l->cond); break;
        case LIT_LET: ok = add_name(p, l); break;
        }
    }
    return ok;
}

// --- the head ---

static EmitAtom head_atom(const ClausePlan *p) {
    EmitAtom a = {.rel = p->to->rel};
    for (int n = 0; n < p->to->rel->r->params; n++)
        a.value[n] = p->head[n];
    return a;
}

static const char *both(Emitter *em, const char *a, const char *b) {
    return !a ? b : !b ? a : emit_f(em, "%s && %s", a, b);
}

// The bit of the head, if `cond`; with `*stop` it is told where to go on.
static void add_tuple(ClausePlan *p, const ClauseNow *now, const char *cond) {
    Emitter *em = p->em;
    EmitAtom a = head_atom(p);
    const char *only_row, *only_bit;
    const char *place = emit_row_place(em, p->f, &a, &only_row);
    const char *bit = emit_bit_number(em, p->f, &a, &only_bit);
    const char *only = both(em, both(em, only_row, only_bit), cond);
    const char *row = emit_f(em, "%s[%s]", p->to->rows, place);
    if (now->stop && only) {
        emit_open(em, "if (%s)", only);
        emit_row_add(em, p->to->rel, row, bit, NULL);
        emit_line(em, "goto %s;", now->stop);
        emit_close(em);
        return;
    }
    if (only_row)
        emit_open(em, "if (%s)", only_row);
    emit_row_add(em, p->to->rel, row, bit, both(em, only_bit, cond));
    if (now->stop)
        emit_line(em, "goto %s;", now->stop);
    if (only_row)
        emit_close(em);
}

static void add_row(ClausePlan *p, const char *set) {
    Emitter *em = p->em;
    EmitAtom a = head_atom(p);
    const char *only, *place = emit_row_place(em, p->f, &a, &only);
    const char *row = emit_f(em, "%s[%s]", p->to->rows, place);
    if (only)
        emit_open(em, "if (%s)", only);
    emit_line(em, "%s = %s;", row, emit_row_or(em, p->to->rel, row, set));
    if (only)
        emit_close(em);
}

// --- values for variables ---

typedef struct Next {
    ClausePlan *p;
    ClauseNow now;
    const ClauseLit *l;
} Next;

// The frame as it was, once loops inside are written.
static EmitLocal *keep_locals(const ClausePlan *p) {
    size_t size = (size_t)p->f->ir->slots * sizeof(EmitLocal);
    EmitLocal *kept = ARENA_ARRAY(p->em->arena, EmitLocal, p->f->ir->slots);
    memcpy(kept, p->f->local, size);
    return kept;
}

static void go_on(ClausePlan *p, const ClauseNow *now) {
    EmitLocal *kept = keep_locals(p);
    int lits = p->lits, extra = p->extra;
    step(p, *now);
    p->lits = lits;
    p->extra = extra;
    memcpy(p->f->local, kept, (size_t)p->f->ir->slots * sizeof(EmitLocal));
}

static void after_row(Emitter *em, EmitFrame *f, const char *row, void *context) {
    const Next *next = context;
    const ClauseLit *l = next->l;
    const EmitRelation *rel = l->atom.rel;
    int var = rel->bit < 0 ? -1 : l->var[rel->bit];
    bool known = rel->bit < 0 || l->atom.value[rel->bit] || (var >= 0 && next->now.bound >> var & 1);
    ClauseNow now = next->now;
    now.bound |= l->gives;
    if (!known && var >= 0) {
        emit_each_bit(em, f, rel, row, next->p->var[var].slot);
    } else if (known) {
        EmitAtom a = l->atom;
        const char *only = NULL;
        if (var >= 0)
            a.value[rel->bit] = l->cond->args[rel->bit];
        const char *bit = emit_bit_number(em, f, &a, &only);
        emit_open(em, "if (%s)", both(em, only, emit_row_has(em, rel, row, bit)));
    } else {
        emit_open(em, "if (%s)", emit_row_some(em, rel, row));
    }
    go_on(next->p, &now);
    emit_close(em);
}

static void each_tuple(ClausePlan *p, const ClauseLit *l, const ClauseNow *now) {
    Next next = {p, *now, l};
    EmitAtom a = l->atom;
    for (int n = 0; n < a.rel->r->params; n++) {
        if (l->var[n] < 0 || n == a.rel->bit)
            continue;
        if (now->bound >> l->var[n] & 1)
            a.value[n] = l->cond->args[n];
        else
            a.slot[n] = p->var[l->var[n]].slot;
    }
    next.now.left &= ~((uint64_t)1 << (l - p->lit));
    emit_each_row(p->em, p->f, &a, after_row, &next);
}

static void after_value(Emitter *em, EmitFrame *f, void *context) {
    (void)em;
    (void)f;
    const Next *next = context;
    go_on(next->p, &next->now);
}

// Goes on only if the last round found something that fits an atom so far.
static void if_new(ClausePlan *p, const ClauseLit *l, const ClauseNow *now) {
    const EmitRelation *rel = l->atom.rel;
    bool whole = l->atom.where == KNOWN_LAST && !(l->needs & ~now->bound);
    for (int n = 0; n < rel->r->params; n++)
        whole &= n == rel->bit || l->var[n] < 0 || (now->bound >> l->var[n] & 1);
    if (whole) {
        IrExpr e = *l->cond;
        IrExpr *args[IR_MAX_ARGS];
        memcpy(args, e.args, sizeof args);
        args[rel->bit] = NULL;
        e.args = args;
        emit_open(p->em, "if (%s)", emit_expr(p->em, p->f, &e));
    }
    go_on(p, now);
    if (whole)
        emit_close(p->em);
}

// Every value that the variable can have; the literals that speak of it come later.
static void each_value(ClausePlan *p, const ClauseLit *l, int var, const ClauseNow *now) {
    Emitter *em = p->em;
    const struct ClauseVar *v = &p->var[var];
    EmitLocal *to = &p->f->local[v->slot], kept = *to;
    ClauseNow next = *now;
    next.bound |= (uint64_t)1 << var;
    if (v->type.kind == TY_PLAYER && v->hi - v->lo < UNROLL_PLAYERS) {
        for (int32_t i = v->lo; i <= v->hi; i++) {
            *to = (EmitLocal){.kind = BIND_VALUE, .value = i};
            emit_scope(em);
            if_new(p, l, &next);
            emit_close(em);
        }
    } else {
        const char *i = emit_new(em);
        emit_open(em, "for (int %s = %d; %s <= %d; %s++)", i, (int)v->lo, i, (int)v->hi, i);
        *to = (EmitLocal){.kind = BIND_TEXT, .text = i};
        if_new(p, l, &next);
        emit_close(em);
    }
    *to = kept;
}

// The literals that leave no variable but this one open.
static uint64_t alone(const ClausePlan *p, const ClauseNow *now, int var) {
    uint64_t lits = 0;
    for (uint64_t left = now->left; left;) {
        int n = bits_pop(&left);
        const ClauseLit *l = &p->lit[n];
        if (l->kind != CLAUSE_NAME && ((l->needs | l->gives) & ~now->bound) == (uint64_t)1 << var)
            lits |= (uint64_t)1 << n;
    }
    return lits;
}

static void each_cell(ClausePlan *p, int var, const ClauseNow *now) {
    Emitter *em = p->em;
    ClauseNow next = *now;
    uint64_t lits = alone(p, now, var);
    const char *set = clause_set(p, var, lits);
    const char *member = emit_each_member(em, true, set, NULL, NULL);
    EmitLocal *to = &p->f->local[p->var[var].slot], kept = *to;
    *to = (EmitLocal){.kind = BIND_TEXT, .text = member};
    next.left &= ~lits;
    next.bound |= (uint64_t)1 << var;
    go_on(p, &next);
    emit_close(em);
    *to = kept;
}

// --- which literal comes next ---

static double values_of(const ClausePlan *p, int var) {
    return (double)p->var[var].hi - p->var[var].lo + 1;
}

static bool repeats(const ClausePlan *p, const ClauseLit *l, uint64_t open) {
    for (int n = 0; n < l->atom.rel->r->params; n++)
        for (int i = 0; i < n; i++)
            if (l->var[n] >= 0 && l->var[n] == l->var[i] && open >> l->var[n] & 1)
                return true;
    (void)p;
    return false;
}

// Whether the values that an atom gives are among those that the variable may have.
static bool inside(const ClausePlan *p, const ClauseLit *l, uint64_t open) {
    const IrRelation *r = l->kind == CLAUSE_ATOM ? l->atom.rel->r : NULL;
    for (int n = 0; r && n < r->params; n++) {
        int var = l->var[n];
        if (var >= 0 && open >> var & 1 &&
            (r->lo[n] < p->var[var].lo || r->lo[n] + r->size[n] - 1 > p->var[var].hi))
            return false;
    }
    if (r || l->domain->kind != DOM_RANGE)
        return true;
    return l->domain->a->lo >= p->var[l->x].lo && l->domain->b->hi <= p->var[l->x].hi;
}

typedef struct Choice {
    const ClauseLit *l;
    int value_of; // or all values of this variable, -1
    double cost;
} Choice;

static void consider(Choice *best, Choice c) {
    if (c.cost < best->cost)
        *best = c;
}

#define COST_LAST 1e12 // for the variable that is to come last

static void consider_lit(const ClausePlan *p, const ClauseNow *now, const ClauseLit *l,
                         Choice *best) {
    uint64_t open = l->gives & ~now->bound;
    if (!open || l->needs & ~now->bound || !inside(p, l, open))
        return;
    double cost = 1;
    uint64_t set_bit = p->set_var >= 0 ? (uint64_t)1 << p->set_var : 0;
    bool ends = open & set_bit;
    if (l->kind == CLAUSE_MEMBER) {
        const IrDomain *d = l->domain;
        cost = d->kind == DOM_LINES && d->a ? 4 : values_of(p, l->x);
        cost *= d->kind == DOM_SET ? 0.3 : 1;
        consider(best, (Choice){l, -1, cost + (ends ? COST_LAST : 0)});
        return;
    }
    const EmitRelation *rel = l->atom.rel;
    // The members of a row stay together as long as the head does not ask for each.
    int bit_var = rel->bit >= 0 ? l->var[rel->bit] : -1;
    bool in_rows = bit_var >= 0 && open >> bit_var & 1 && rel->cells &&
                   (bit_var == p->set_var || !(p->head_vars >> bit_var & 1));
    bool last = l->atom.where == KNOWN_LAST;
    for (uint64_t left = open; left;) {
        int var = bits_pop(&left);
        cost *= var == p->set_var ? 1 : values_of(p, var);
        if ((in_rows && var != bit_var) || repeats(p, l, open))
            consider(best, (Choice){l, var, values_of(p, var) * (last ? 0.01 : 0.2)});
    }
    if (!repeats(p, l, open))
        consider(best, (Choice){l, -1, cost * (last ? 0.01 : 0.25) + (ends ? COST_LAST : 0)});
}

static void give_values(ClausePlan *p, const ClauseNow *now) {
    Choice best = {.value_of = -1, .cost = 1e300};
    for (uint64_t left = now->left; left;)
        consider_lit(p, now, &p->lit[bits_pop(&left)], &best);
    if (!best.l)
        return;
    const ClauseLit *l = best.l;
    uint64_t open = l->gives & ~now->bound;
    int only = bits_count(open) == 1 ? bits_pop(&open) : -1;
    if (best.value_of >= 0) {
        each_value(p, l, best.value_of, now);
    } else if (only >= 0 && p->var[only].type.kind == TY_CELL) {
        each_cell(p, only, now);
    } else if (l->kind == CLAUSE_ATOM) {
        each_tuple(p, l, now);
    } else {
        Next next = {p, *now, l};
        next.now.left &= ~((uint64_t)1 << (l - p->lit));
        next.now.bound |= l->gives;
        emit_each(p->em, p->f, l->domain, NULL, after_value, &next);
    }
}

// --- a step ---

static void bind_name(ClausePlan *p, const ClauseLit *l) {
    Emitter *em = p->em;
    int64_t value;
    EmitLocal *to = &p->f->local[l->x];
    if (emit_constant(em, p->f, l->cond, &value))
        *to = (EmitLocal){.kind = BIND_VALUE, .value = value};
    else
        *to = (EmitLocal){.kind = BIND_TEXT,
                          .text = emit_temp(em, emit_type(l->cond->type),
                                            emit_expr(em, p->f, l->cond))};
}

// What can be tested now. Returns how many blocks were opened; where nothing but conditions is
// left, they go to `*cond` as far as they are short.
static int test(ClausePlan *p, ClauseNow *now, const char **cond) {
    Emitter *em = p->em;
    int opened = 0;
    bool end = clause_open(p, now) == 0;
    for (uint64_t left = now->left; left;) {
        int n = bits_pop(&left);
        const ClauseLit *l = &p->lit[n];
        if ((l->needs | l->gives) & ~now->bound)
            continue;
        now->left &= ~((uint64_t)1 << n);
        if (l->kind == CLAUSE_NAME) {
            bind_name(p, l);
            continue;
        }
        int64_t value;
        if (emit_constant(em, p->f, l->cond, &value) && value)
            continue;
        const char *text = emit_expr(em, p->f, l->cond);
        if (end) {
            *cond = *cond ? emit_f(em, "%s & %s", *cond, text) : text;
            continue;
        }
        emit_open(em, "if (%s)", text);
        opened++;
    }
    return opened;
}

// Before a loop: what does not depend on variables that have no value yet.
static void hoist(ClausePlan *p, const ClauseNow *now) {
    int slots[2 * CLAUSE_MOST], count = 0;
    uint64_t open = clause_open(p, now);
    for (int n = 0; n < p->vars; n++)
        if (open >> n & 1)
            slots[count++] = p->var[n].slot;
    for (uint64_t left = now->left; left;) {
        const ClauseLit *l = &p->lit[bits_pop(&left)];
        if (l->kind == CLAUSE_NAME)
            slots[count++] = l->x;
    }
    for (uint64_t left = now->left; left;) {
        const ClauseLit *l = &p->lit[bits_pop(&left)];
        if (l->kind == CLAUSE_COND)
            emit_hoist_over(p->em, p->f, slots, count, l->cond);
        if (l->kind == CLAUSE_MEMBER)
            emit_hoist_over(p->em, p->f, slots, count, l->domain->a);
    }
}

// All is open but one variable, which is a set.
static bool finish_as_set(ClausePlan *p, const ClauseNow *now, uint64_t open) {
    Emitter *em = p->em;
    int var = bits_pop(&open);
    if (open || p->var[var].type.kind != TY_CELL || (p->head_vars >> var & 1 && var != p->set_var))
        return false;
    const char *set = clause_set(p, var, alone(p, now, var));
    if (var == p->set_var)
        add_row(p, set);
    else
        add_tuple(p, now, emit_some(em, set));
    return true;
}

// The head has all its values; whatever gives values to the rest, once is enough.
static void find_one(ClausePlan *p, ClauseNow *now) {
    Emitter *em = p->em;
    EmitAtom a = head_atom(p);
    const char *only_row, *only_bit;
    const char *place = emit_row_place(em, p->f, &a, &only_row);
    const char *bit = emit_bit_number(em, p->f, &a, &only_bit);
    const char *label = emit_f(em, "%s_known", emit_new(em));
    const char *has = emit_row_has(em, p->to->rel, emit_f(em, "%s[%s]", p->to->rows, place), bit);
    const char *only = both(em, only_row, only_bit);
    emit_open(em, "if (%s)", both(em, only, emit_f(em, "!%s", has)));
    now->stop = label;
    go_on(p, now);
    emit_close(em);
    emit_line(em, "%s:;", label);
}

static void step(ClausePlan *p, ClauseNow now) {
    Emitter *em = p->em;
    const char *cond = NULL, *only;
    int opened = test(p, &now, &cond);
    while (clause_drop_var(p, &now, &only)) {
        if (only) {
            emit_open(em, "if (%s)", only);
            opened++;
        }
        opened += test(p, &now, &cond);
    }
    uint64_t open = clause_open(p, &now);
    if (open == 0) {
        add_tuple(p, &now, cond);
    } else if (!finish_as_set(p, &now, open)) {
        if (!(open & p->head_vars) && !now.stop) {
            find_one(p, &now);
        } else {
            hoist(p, &now);
            give_values(p, &now);
        }
    }
    for (; opened > 0; opened--)
        emit_close(em);
}

// The clause's frame with room for sets on the way.
static EmitFrame *wider_frame(Emitter *em, const IrFrame *frame) {
    IrFrame *wide = ARENA_NEW(em->arena, IrFrame);
    int slots = frame->slots + EXTRA_SLOTS;
    *wide = (IrFrame){.slots = slots,
                      .cap = slots,
                      .type = ARENA_ARRAY(em->arena, IrType, slots),
                      .name = ARENA_ARRAY(em->arena, const char *, slots)};
    for (int n = 0; n < frame->slots; n++) {
        wide->type[n] = frame->type[n];
        wide->name[n] = frame->name[n];
    }
    for (int n = frame->slots; n < slots; n++)
        wide->type[n] = (IrType){.kind = TY_SET};
    return emit_frame(em, wide);
}

bool emit_clause(Emitter *em, const EmitTarget *to, const IrClause *clause, int last) {
    ClausePlan *p = ARENA_NEW(em->arena, ClausePlan);
    const EmitRelation *rel = to->rel;
    p->em = em;
    p->f = wider_frame(em, &clause->frame);
    p->f->local[IR_MOVER] = (EmitLocal){.kind = BIND_TEXT, .text = "mover"};
    p->to = to;
    p->lit = ARENA_ARRAY(em->arena, ClauseLit, CLAUSE_MOST);
    p->extra = clause->frame.slots;
    p->set_var = -1;
    if (!add_literals(p, clause, last))
        return false;
    for (int n = 0; n < rel->r->params; n++) {
        p->head[n] = clause->head[n];
        p->head_vars |= vars_of(p, p->head[n]);
    }
    if (rel->cells && p->head[rel->bit]->op == IR_LOCAL)
        p->set_var = var_of_slot(p, p->head[rel->bit]->id);
    for (int n = 0; n < rel->r->params; n++) // a diagonal is no row
        if (n != rel->bit && p->set_var >= 0 && vars_of(p, p->head[n]) >> p->set_var & 1)
            p->set_var = -1;
    ClauseNow now = {.left = ((uint64_t)1 << p->lits) - 1};
    emit_scope(em);
    go_on(p, &now);
    emit_close(em);
    return true;
}
