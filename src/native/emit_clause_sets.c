// The last variables of a clause as sets of cells: what a loop would try member by member is found
// for all members at once.
//
//     c in empty, R(p, c), not S(c)          empty & row of R & ~row of S
//     w in A, v in next(w) & B               next(A) & B, w being of no further use
//     w in A, w in next(v)                   cells whose neighbours meet A
#include "native/emit_relation.h"

uint64_t clause_open(const ClausePlan *p, const ClauseNow *now) {
    uint64_t open = p->head_vars;
    for (uint64_t left = now->left; left;) {
        const ClauseLit *l = &p->lit[bits_pop(&left)];
        open |= l->kind == CLAUSE_NAME || l->implied ? 0 : l->needs | l->gives;
    }
    return open & ~now->bound;
}

static IrExpr *new_expr(ClausePlan *p, IrOp op, IrTypeKind type) {
    IrExpr *e = ARENA_NEW(p->em->arena, IrExpr);
    e->op = op;
    e->type.kind = type;
    e->dynamic = true;
    return e;
}

IrExpr *clause_local(ClausePlan *p, int var) {
    const struct ClauseVar *v = &p->var[var];
    IrExpr *e = new_expr(p, IR_LOCAL, v->type.kind);
    e->type = v->type;
    e->id = v->slot;
    e->lo = v->lo;
    e->hi = v->hi;
    e->dynamic = false;
    return e;
}

static IrExpr *join(ClausePlan *p, IrOp op, IrTypeKind type, const IrExpr *a, const IrExpr *b) {
    if (!a)
        return (IrExpr *)(uintptr_t)b;
    IrExpr *e = new_expr(p, op, type);
    e->kid[0] = (IrExpr *)(uintptr_t)a;
    e->kid[1] = (IrExpr *)(uintptr_t)b;
    return e;
}

// A set that is in a C variable, as an expression.
static IrExpr *given_set(ClausePlan *p, const char *text) {
    IrExpr *e = new_expr(p, IR_LOCAL, TY_SET);
    e->id = p->extra++;
    p->f->local[e->id] = (EmitLocal){.kind = BIND_TEXT, .text = text};
    return e;
}

// The row of an atom whose bits are the variable, if it is nowhere else in it.
static const IrExpr *atom_set(ClausePlan *p, const ClauseLit *l, int var) {
    const EmitRelation *rel = l->atom.rel;
    if (!rel->cells || l->var[rel->bit] != var || l->needs >> var & 1)
        return NULL;
    IrExpr *e = new_expr(p, IR_KNOWN_SET, TY_SET);
    e->id = l->cond->id;
    e->value = l->atom.where;
    e->args = ARENA_ARRAY(p->em->arena, IrExpr *, IR_MAX_ARGS);
    for (int n = 0; n < rel->r->params; n++) {
        if (n != rel->bit && l->var[n] == var)
            return NULL;
        e->args[n] = n == rel->bit ? NULL : l->cond->args[n];
    }
    return e;
}

const char *clause_set(ClausePlan *p, int var, uint64_t lits) {
    const IrExpr *set = NULL, *cond = NULL;
    while (lits) {
        const ClauseLit *l = &p->lit[bits_pop(&lits)];
        const IrExpr *part = NULL;
        if (l->implied)
            continue;
        if (l->kind == CLAUSE_MEMBER && l->x == var && l->domain->kind == DOM_SET)
            part = l->domain->a;
        else if (l->kind == CLAUSE_ATOM)
            part = atom_set(p, l, var);
        if (part)
            set = join(p, IR_AND, TY_SET, set, part);
        if (!part && l->kind != CLAUSE_NAME)
            cond = join(p, IR_BOTH, TY_BOOL, cond, l->cond);
    }
    IrDomain d = {.kind = DOM_SET,
                  .a = set ? (IrExpr *)(uintptr_t)set : given_set(p, "SET_ALL"),
                  .slot = p->var[var].slot,
                  .where = (IrExpr *)(uintptr_t)cond};
    return emit_members(p->em, p->f, &d);
}

// --- the cells that the members of a set lead to ---

static const char *image(ClausePlan *p, EmitFrame *f, const IrExpr *e, const char *from);

static const char *image_through(ClausePlan *p, EmitFrame *f, int table, const IrExpr *way,
                                 const char *from) {
    IrExpr *e = new_expr(p, IR_IMAGE, TY_SET);
    IrExpr *set = given_set(p, from);
    e->id = table;
    e->kid[0] = set;
    e->kid[1] = (IrExpr *)(uintptr_t)way;
    // The set is a local of the clause; a definition has locals of its own.
    if (f != p->f && way)
        return NULL;
    return emit_image(p->em, p->f, e);
}

static const char *image_single(ClausePlan *p, EmitFrame *f, const IrExpr *x, const char *from) {
    Emitter *em = p->em;
    x = emit_resolve(&f, x);
    if (emit_is_it(f, x))
        return from;
    if (x->op != IR_TABLE || !emit_is_step(em, em->g->table[x->id]) ||
        em->g->table[x->id]->dims != 2 || !emit_is_it(f, x->kid[0]) ||
        emit_depends(em, f, x->kid[1]))
        return NULL;
    return image_through(p, f, x->id, x->kid[1], from);
}

static bool is_cell_sets(const Emitter *em, const IrTable *t) {
    return t->sets && t->dims == 1 && t->base[0] == 0 && t->size[0] == em->cells + 1;
}

// The union of e over the members of `from`, one of which e asks for; NULL if it cannot be had
// without a loop.
static const char *image(ClausePlan *p, EmitFrame *f, const IrExpr *e, const char *from) {
    Emitter *em = p->em;
    e = emit_resolve(&f, e);
    if (!emit_depends(em, f, e))
        return emit_f(em, "(%s ? %s : SET_EMPTY)", emit_some(em, from), emit_expr(em, f, e));
    switch (e->op) {
    case IR_SINGLE: return image_single(p, f, e->kid[0], from);
    case IR_TABLE:
        if (!is_cell_sets(em, em->g->table[e->id]) || !emit_is_it(f, e->kid[0]))
            return NULL;
        return image_through(p, f, e->id, NULL, from);
    case IR_CALL: return image(p, emit_call_frame(em, f, e), em->g->func[e->id]->body, from);
    case IR_OR: {
        const char *a = image(p, f, e->kid[0], from);
        const char *b = a ? image(p, f, e->kid[1], from) : NULL;
        return b ? emit_or(em, a, b) : NULL;
    }
    case IR_AND:
    case IR_MINUS: {
        bool first = !emit_depends(em, f, e->kid[1]);
        if (!first && (e->op == IR_MINUS || emit_depends(em, f, e->kid[0])))
            return NULL;
        const char *a = image(p, f, e->kid[first ? 0 : 1], from);
        const char *b = a ? emit_expr(em, f, e->kid[first ? 1 : 0]) : NULL;
        return !b ? NULL : e->op == IR_AND ? emit_and(em, a, b) : emit_minus(em, a, b);
    }
    case IR_COND: {
        if (emit_depends(em, f, e->kid[0]))
            return NULL;
        const char *c = emit_expr(em, f, e->kid[0]);
        const char *a = image(p, f, e->kid[1], from);
        const char *b = a ? image(p, f, e->kid[2], from) : NULL;
        return b ? emit_f(em, "(%s ? %s : %s)", c, a, b) : NULL;
    }
    default: return NULL;
    }
}

// --- variables that nobody needs any more ---

typedef struct Dropped {
    int var;
    uint64_t alone; // literals about it only
    int link;       // the literal with one more variable; -1: there is none
} Dropped;

static bool find_link(const ClausePlan *p, const ClauseNow *now, Dropped *d) {
    d->link = -1;
    d->alone = 0;
    for (uint64_t left = now->left; left;) {
        int n = bits_pop(&left);
        const ClauseLit *l = &p->lit[n];
        uint64_t all = (l->needs | l->gives) & ~now->bound;
        if (l->kind == CLAUSE_NAME || l->implied || !(all >> d->var & 1))
            continue;
        if (bits_count(all) == 1)
            d->alone |= (uint64_t)1 << n;
        else if (bits_count(all) == 2 && d->link < 0 && l->kind == CLAUSE_MEMBER)
            d->link = n;
        else
            return false;
    }
    if (d->link < 0)
        return true;
    const ClauseLit *l = &p->lit[d->link];
    return l->domain->kind == DOM_SET && p->var[l->x].type.kind == TY_CELL &&
           (l->x == d->var || !(l->needs >> l->x & 1));
}

// The literal about the other variable of the link.
static bool drop(ClausePlan *p, const Dropped *d, ClauseLit *to, const char **only) {
    Emitter *em = p->em;
    const char *set = emit_temp(em, "Set", clause_set(p, d->var, d->alone));
    if (d->link < 0) {
        *only = emit_some(em, set);
        return true;
    }
    const ClauseLit *l = &p->lit[d->link];
    if (l->x == d->var) { // a member of what the other leads to
        IrExpr *meet = new_expr(p, IR_SOME, TY_BOOL);
        meet->kid[0] = join(p, IR_AND, TY_SET, l->domain->a, given_set(p, set));
        *to = (ClauseLit){.kind = CLAUSE_COND, .cond = meet, .needs = l->needs};
        return true;
    }
    EmitLocal *it = &p->f->local[p->var[d->var].slot], kept = *it, *outer = em->it;
    em->it = it;
    *it = (EmitLocal){.kind = BIND_IT};
    const char *found = image(p, p->f, l->domain->a, set);
    *it = kept;
    em->it = outer;
    if (!found)
        return false;
    IrDomain *domain = ARENA_NEW(em->arena, IrDomain);
    *domain = *l->domain;
    domain->a = given_set(p, emit_temp(em, "Set", found));
    IrExpr *member = new_expr(p, IR_MEMBER, TY_BOOL);
    member->kid[0] = clause_local(p, l->x);
    member->kid[1] = domain->a;
    *to = *l;
    to->domain = domain;
    to->cond = member;
    to->needs &= ~((uint64_t)1 << d->var);
    return true;
}

bool clause_drop_var(ClausePlan *p, ClauseNow *now, const char **only) {
    Emitter *em = p->em;
    *only = NULL;
    if (p->lits >= CLAUSE_MOST || p->extra + 8 > p->f->ir->slots)
        return false;
    for (uint64_t open = clause_open(p, now) & ~p->head_vars; open;) {
        Dropped d = {.var = bits_pop(&open)};
        if (p->var[d.var].type.kind != TY_CELL || !find_link(p, now, &d) ||
            (d.link < 0 && !d.alone))
            continue;
        int knowns = em->knowns, extra = p->extra;
        Text *outer = emit_capture(em);
        em->indent--;
        ClauseLit to;
        bool ok = drop(p, &d, &to, only);
        em->indent++;
        Text *inner = emit_uncapture(em, outer);
        if (!ok) {
            em->knowns = knowns;
            p->extra = extra;
            continue;
        }
        text_add(em->t, text_c(inner));
        now->left &= ~d.alone;
        if (d.link >= 0) {
            now->left &= ~((uint64_t)1 << d.link);
            p->lit[p->lits] = to;
            now->left |= (uint64_t)1 << p->lits++;
        }
        return true;
    }
    return false;
}
