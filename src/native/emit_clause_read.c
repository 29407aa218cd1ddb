// The literals of a clause as they are planned: conditions in their parts, members of domains,
// atoms; what can give a value to a variable, and what only asks.
#include "native/emit_relation.h"

int clause_var(const ClausePlan *p, int slot) {
    for (int n = 0; n < p->vars; n++)
        if (p->var[n].slot == slot)
            return n;
    return -1;
}

// The variables of an expression, by their names for expressions too.
uint64_t clause_vars(const ClausePlan *p, const IrExpr *e) {
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
    *l = (ClauseLit){.kind = kind, .x = -1, .var = {-1, -1, -1, -1}, .fixes = -1};
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
    int var = e->op == IR_MEMBER && e->kid[0]->op == IR_LOCAL ? clause_var(p, e->kid[0]->id) : -1;
    if (var >= 0 && e->kid[1]->type.kind == TY_SET && p->var[var].type.kind == TY_CELL &&
        !(clause_vars(p, e->kid[1]) >> var & 1)) {
        IrDomain *d = ARENA_NEW(p->em->arena, IrDomain);
        *d = (IrDomain){.kind = DOM_SET, .a = e->kid[1], .slot = p->var[var].slot};
        return add_member(p, d, var);
    }
    ClauseLit *l = add_lit(p, CLAUSE_COND);
    if (!l)
        return false;
    l->cond = e;
    l->needs = clause_vars(p, e);
    for (int n = 0; n < 2 && e->op == IR_EQ && e->kid[0]->type.kind != TY_SET; n++) {
        int x = e->kid[n]->op == IR_LOCAL ? clause_var(p, e->kid[n]->id) : -1;
        uint64_t rest = clause_vars(p, e->kid[1 - n]);
        if (x < 0 || rest >> x & 1 || p->var[x].type.kind == TY_CELL)
            continue;
        l->fixes = x;
        l->value = e->kid[1 - n];
        l->value_frame = p->f;
        l->needs = rest;
        l->gives = (uint64_t)1 << x;
        break;
    }
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
    int cell = d->a->op == IR_LOCAL ? clause_var(p, d->a->id) : -1;
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
    l->needs = clause_vars(p, d->a) | clause_vars(p, d->b);
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
    int var = clause_var(p, d->slot);
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

// What else is in the clause that makes a relation: a local that is none of its arguments.
static bool uses_others(const ClausePlan *p, const IrClause *c, int params, const IrExpr *e) {
    for (int slot = IR_MOVER + 1; slot < c->frame.slots; slot++) {
        bool arg = false, bound = false;
        for (int n = 0; n < params; n++)
            arg |= c->head[n]->id == slot;
        for (int n = 0; n < c->literals; n++) {
            const IrLiteral *l = &c->literal[n];
            bound |= l->kind == LIT_EACH && l->domain->slot == slot;
            for (int i = 0; i < IR_MAX_ARGS && l->kind != LIT_EACH && l->kind != LIT_COND; i++)
                bound |= !l->term[i].value && l->term[i].slot == slot;
        }
        if (bound && !arg && emit_uses(p->em, e, slot))
            return true;
    }
    return false;
}

// A part `x == E` of what makes a relation says what argument x is, where the others are known.
static bool add_fixing(ClausePlan *p, const IrExpr *e, const IrClause *c, const ClauseLit *atom) {
    const IrRelation *r = atom->atom.rel->r;
    if (e->op == IR_BOTH)
        return add_fixing(p, e->kid[0], c, atom) && add_fixing(p, e->kid[1], c, atom);
    for (int k = 0; k < 2 && e->op == IR_EQ && e->kid[0]->op != IR_SET; k++)
        for (int n = 0; n < r->params && e->kid[k]->op == IR_LOCAL; n++) {
            const IrExpr *value = e->kid[1 - k];
            if (c->head[n]->id != e->kid[k]->id || atom->var[n] < 0 || r->type[n].kind == TY_CELL ||
                emit_uses(p->em, value, c->head[n]->id) || uses_others(p, c, r->params, value))
                continue;
            EmitFrame *f = emit_frame(p->em, &c->frame);
            uint64_t needs = 0;
            bool all = true;
            f->local[IR_MOVER] = (EmitLocal){.kind = BIND_TEXT, .text = "mover"};
            for (int i = 0; i < r->params; i++) {
                IrExpr *arg = atom->cond->args[i];
                if (!emit_uses(p->em, value, c->head[i]->id))
                    continue;
                all &= arg != NULL;
                needs |= clause_vars(p, arg);
                f->local[c->head[i]->id] = (EmitLocal){.kind = BIND_EXPR, .expr = arg, .in = p->f};
            }
            ClauseLit *l = all && !(needs >> atom->var[n] & 1) ? add_lit(p, CLAUSE_COND) : NULL;
            if (!l)
                return true;
            l->fixes = atom->var[n];
            l->gives = (uint64_t)1 << l->fixes;
            l->needs = needs;
            l->value = value;
            l->value_frame = f;
            l->implied = true;
        }
    return true;
}

// Where one clause alone makes the relation, it may say what an argument is.
static void add_implied(ClausePlan *p, const ClauseLit *atom) {
    const EmitRelation *rel = atom->atom.rel;
    const IrClause *c = rel->r->clauses == 1 && !rel->loops ? rel->r->clause : NULL;
    for (int n = 0; c && n < rel->r->params; n++)
        if (c->head[n]->op != IR_LOCAL)
            return;
    for (int n = 0; c && n < c->literals; n++) {
        if (c->literal[n].kind == LIT_COND)
            add_fixing(p, c->literal[n].cond, c, atom);
        if (c->literal[n].kind == LIT_EACH && c->literal[n].domain->where)
            add_fixing(p, c->literal[n].domain->where, c, atom);
    }
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
        if (!t->value && t->slot >= 0 && clause_var(p, t->slot) < 0 &&
            !add_var(p, t->slot, r->lo[n], r->lo[n] + r->size[n] - 1))
            return false;
        int slot = t->value ? (t->value->op == IR_LOCAL ? t->value->id : -1) : t->slot;
        int var = slot >= 0 ? clause_var(p, slot) : -1;
        l->var[n] = var;
        l->atom.value[n] = var < 0 ? t->value : NULL;
        l->atom.slot[n] = -1;
        e->args[n] = var < 0 ? t->value : clause_local(p, var);
        l->needs |= clause_vars(p, l->atom.value[n]);
        l->gives |= var < 0 ? 0 : (uint64_t)1 << var;
    }
    if (p->lits < CLAUSE_MOST / 2 && !last)
        add_implied(p, l);
    return true;
}

static bool add_name(ClausePlan *p, const IrLiteral *from) {
    ClauseLit *l = add_lit(p, CLAUSE_NAME);
    if (!l)
        return false;
    l->x = from->term[0].slot;
    l->cond = from->cond;
    p->lits--; // not to be found in itself
    l->needs = clause_vars(p, from->cond);
    p->lits++;
    p->f->local[l->x] = (EmitLocal){.kind = BIND_EXPR, .expr = from->cond, .in = p->f};
    return true;
}

bool clause_read(ClausePlan *p, const IrClause *clause, int last) {
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
