// known: what the compiler knows about expressions: which values are in registers already, which
// parts of a loop are the same in every round, and what the rest of a turn can still see.
//
// Expressions have no effects and are always defined, so a value may be computed once and used
// again until the state changes, or computed before a loop that might not even need it.
#include "vm/code.h"

#include <string.h>

// Looking further back costs more time than it saves.
#define LOOK_BACK 256
// Expressions looked at in all while hoisting, so that nested definitions cannot take forever.
#define MAX_SCANS 2000000L

typedef struct Bound { // slots bound by the loops around an expression
    int slot, other;
    const struct Bound *up;
} Bound;

static bool has_body(const IrExpr *e) {
    return e->domain != NULL;
}

static bool trivial(const IrExpr *e) {
    return e->op == IR_CONST || e->op == IR_SET || e->op == IR_LOCAL || e->op == IR_ME;
}

// --- equal expressions ---

typedef struct Pairing { // the frames of both sides
    const VmCompiler *c;
    const VmFrame *f, *g;
} Pairing;

static bool same_expr(const Pairing *p, const IrExpr *a, const IrExpr *b, const Bound *bound);

static bool same_local(const Pairing *p, const IrExpr *a, const IrExpr *b, const Bound *bound) {
    for (; bound; bound = bound->up)
        if (bound->slot == a->id || bound->other == b->id)
            return bound->slot == a->id && bound->other == b->id;
    return p->f->reg[a->id] >= 0 && p->f->reg[a->id] == p->g->reg[b->id];
}

static bool same_args(const Pairing *p, const IrExpr *a, const IrExpr *b, const Bound *bound) {
    for (int n = 0; n < p->c->game->func[a->id]->params; n++)
        if (!same_expr(p, a->args[n], b->args[n], bound))
            return false;
    return true;
}

static bool same_domain(const Pairing *p, const IrExpr *a, const IrExpr *b, const Bound *bound) {
    const IrDomain *d = a->domain, *e = b->domain;
    if (d->kind != e->kind || !same_expr(p, d->a, e->a, bound) || !same_expr(p, d->b, e->b, bound))
        return false;
    Bound inner = {d->slot, e->slot, bound};
    return same_expr(p, d->where, e->where, &inner) && same_expr(p, a->kid[0], b->kid[0], &inner);
}

static bool same_expr(const Pairing *p, const IrExpr *a, const IrExpr *b, const Bound *bound) {
    if (!a || !b)
        return a == b;
    if (a->op != b->op || a->type.kind != b->type.kind)
        return false;
    if (a->op == IR_LOCAL)
        return same_local(p, a, b, bound);
    if (a->id != b->id || a->value != b->value || has_body(a) != has_body(b))
        return false;
    if (a->op == IR_SET)
        return memcmp(a->set, b->set, (size_t)p->c->p->words * 8) == 0;
    if (a->op == IR_CALL)
        return same_args(p, a, b, bound);
    if (has_body(a))
        return same_domain(p, a, b, bound);
    for (int n = 0; n < 3; n++)
        if (!same_expr(p, a->kid[n], b->kid[n], bound))
            return false;
    return true;
}

int vm_find_known(VmCompiler *c, const VmFrame *f, const IrExpr *e) {
    int stop = c->knowns > LOOK_BACK ? c->knowns - LOOK_BACK : 0;
    for (int n = c->knowns - 1; n >= stop; n--) {
        const VmKnown *k = &c->known[n];
        if (!k->e || k->e->op != e->op)
            continue;
        Pairing p = {c, f, k->frame};
        if (same_expr(&p, e, k->e, NULL))
            return k->reg;
    }
    return -1;
}

void vm_learn(VmCompiler *c, const VmFrame *f, const IrExpr *e, int reg) {
    if (c->failed)
        return;
    ARENA_GROW(c->arena, VmKnown, c->known, c->knowns, c->known_cap);
    c->known[c->knowns++] = (VmKnown){e, f, reg};
}

void vm_forget(VmCompiler *c) {
    for (int n = 0; n < c->knowns; n++)
        c->known[n].e = NULL;
}

static bool uses_reg(const VmCompiler *c, const VmFrame *f, const IrExpr *e, int reg) {
    if (!e)
        return false;
    if (e->op == IR_LOCAL)
        return f->reg[e->id] == reg;
    if (e->op == IR_CALL) {
        for (int n = 0; n < c->game->func[e->id]->params; n++)
            if (uses_reg(c, f, e->args[n], reg))
                return true;
        return false;
    }
    const IrDomain *d = e->domain;
    if (d &&
        (uses_reg(c, f, d->a, reg) || uses_reg(c, f, d->b, reg) || uses_reg(c, f, d->where, reg)))
        return true;
    for (int n = 0; n < 3; n++)
        if (uses_reg(c, f, e->kid[n], reg))
            return true;
    return false;
}

void vm_forget_reg(VmCompiler *c, int reg) {
    for (int n = 0; n < c->knowns; n++) {
        VmKnown *k = &c->known[n];
        if (k->e && (k->reg == reg || uses_reg(c, k->frame, k->e, reg)))
            k->e = NULL;
    }
}

// --- what does not change in a loop ---

// Whether e depends on a slot in `varies`, or, if that is NULL, on any local from outside of e.
static bool depends(VmCompiler *c, const IrExpr *e, const Bound *varies, const Bound *inner) {
    if (!e)
        return false;
    c->scans++;
    if (e->op == IR_LOCAL) {
        for (; inner; inner = inner->up)
            if (inner->slot == e->id)
                return false;
        if (!varies)
            return true;
        for (; varies; varies = varies->up)
            if (varies->slot == e->id)
                return true;
        return false;
    }
    if (e->op == IR_CALL) {
        for (int n = 0; n < c->game->func[e->id]->params; n++)
            if (depends(c, e->args[n], varies, inner))
                return true;
        return false;
    }
    Bound bound = {0, 0, inner};
    if (has_body(e)) {
        if (depends(c, e->domain->a, varies, inner) || depends(c, e->domain->b, varies, inner))
            return true;
        bound.slot = e->domain->slot;
        inner = &bound;
        if (depends(c, e->domain->where, varies, inner))
            return true;
    }
    for (int n = 0; n < 3; n++)
        if (depends(c, e->kid[n], varies, inner))
            return true;
    return false;
}

bool vm_uses_slot(VmCompiler *c, const IrExpr *e, int slot) {
    Bound bound = {slot, 0, NULL};
    return depends(c, e, &bound, NULL);
}

// Conditions that a jump decides as fast as a value that was computed before.
static bool jumps(const IrExpr *e) {
    switch (e->op) {
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_MEMBER:
    case IR_WITHIN:
    case IR_SOME:
    case IR_BOTH:
    case IR_EITHER:
    case IR_NOT: return true;
    default: return false;
    }
}

// What is in a definition may be hoisted if it depends on no argument; any frame will do for it.
static VmFrame *bare_frame(VmCompiler *c, int func) {
    if (!c->bare[func])
        c->bare[func] = vm_frame(c, &c->game->func[func]->frame);
    return c->bare[func];
}

static void hoist_parts(VmCompiler *c, VmFrame *f, const IrExpr *e, const Bound *varies);

static void hoist(VmCompiler *c, VmFrame *f, const IrExpr *e, const Bound *varies) {
    if (!e || trivial(e) || c->scans > MAX_SCANS || !vm_enter(c))
        return;
    hoist_parts(c, f, e, varies);
    vm_leave(c);
}

static void hoist_parts(VmCompiler *c, VmFrame *f, const IrExpr *e, const Bound *varies) {
    if (!jumps(e) && !depends(c, e, varies, NULL)) {
        vm_expr(c, f, e, -1);
        return;
    }
    const IrExpr *x, *set = vm_bit_set(c, e, &x);
    if (set)
        hoist(c, f, set, varies);
    if (e->op == IR_CALL) {
        const IrFunc *func = c->game->func[e->id];
        for (int n = 0; n < func->params; n++)
            hoist(c, f, e->args[n], varies);
        hoist(c, bare_frame(c, e->id), func->body, NULL);
        return;
    }
    Bound bound = {0, 0, varies};
    const Bound *inside = varies;
    if (has_body(e)) {
        hoist(c, f, e->domain->a, varies);
        hoist(c, f, e->domain->b, varies);
        bound.slot = e->domain->slot;
        inside = varies ? &bound : NULL;
        hoist(c, f, e->domain->where, inside);
    }
    for (int n = 0; n < 3; n++)
        hoist(c, f, e->kid[n], inside);
}

void vm_hoist(VmCompiler *c, VmFrame *f, const IrDomain *d, const IrExpr *body) {
    Bound bound = {d->slot, 0, NULL};
    hoist(c, f, d->where, &bound);
    hoist(c, f, body, &bound);
}

// Worth computing even if it may not be needed: a few instructions at most.
static bool cheap(VmCompiler *c, const IrExpr *e, int limit) {
    if (!e || trivial(e))
        return true;
    if (limit == 0 || has_body(e) || c->scans++ > MAX_SCANS)
        return false;
    switch (e->op) {
    case IR_FLOOD:
    case IR_IMAGE:
    case IR_RAY_WHILE:
    case IR_RAY_UNTIL:
    case IR_PAST:
    case IR_COND: return false;
    case IR_CALL:
        for (int n = 0; n < c->game->func[e->id]->params; n++)
            if (!cheap(c, e->args[n], limit - 1))
                return false;
        return cheap(c, c->game->func[e->id]->body, limit - 1);
    default: break;
    }
    for (int n = 0; n < 3; n++)
        if (!cheap(c, e->kid[n], limit - 1))
            return false;
    return true;
}

static void hoist_cheap_parts(VmCompiler *c, VmFrame *f, const IrExpr *e, const Bound *varies);

static void hoist_cheap(VmCompiler *c, VmFrame *f, const IrExpr *e, const Bound *varies) {
    if (!e || trivial(e) || c->scans > MAX_SCANS || !vm_enter(c))
        return;
    hoist_cheap_parts(c, f, e, varies);
    vm_leave(c);
}

static void hoist_cheap_parts(VmCompiler *c, VmFrame *f, const IrExpr *e, const Bound *varies) {
    if (!jumps(e) && cheap(c, e, 3) && !depends(c, e, varies, NULL)) {
        vm_expr(c, f, e, -1);
        return;
    }
    const IrExpr *x, *set = vm_bit_set(c, e, &x);
    if (set)
        hoist_cheap(c, f, set, varies);
    if (e->op == IR_CALL) {
        const IrFunc *func = c->game->func[e->id];
        for (int n = 0; n < func->params; n++)
            hoist_cheap(c, f, e->args[n], varies);
        hoist_cheap(c, bare_frame(c, e->id), func->body, NULL);
        return;
    }
    if (has_body(e))
        hoist_cheap(c, f, e->domain->a, varies);
    for (int n = 0; n < 3 && !has_body(e); n++)
        hoist_cheap(c, f, e->kid[n], varies);
}

void vm_hoist_cheap(VmCompiler *c, VmFrame *f, int slot, const IrStmt *after) {
    Bound bound = {slot, 0, NULL};
    // Up to the next choice: what is behind it would be computed in vain if it has no members.
    for (; after; after = after->next) {
        if (after->kind == ST_CHOOSE) {
            hoist_cheap(c, f, after->domain->a, &bound);
            return;
        }
        if (after->kind != ST_REQUIRE && after->kind != ST_LET)
            return;
        hoist_cheap(c, f, after->e[0], &bound);
        if (after->kind == ST_LET)
            return;
    }
}

// --- what depends only on the player on move ---

static bool fold_number(VmCompiler *c, const IrExpr *e, int player, int64_t *out) {
    uint64_t words[BOARD_MAX_WORDS];
    if (e->type.kind == TY_SET || !vm_fold(c, e, player, words))
        return false;
    *out = (int64_t)words[0];
    return true;
}

static bool fold_binary(VmCompiler *c, const IrExpr *e, int player, uint64_t *out) {
    int64_t a, b;
    if (!fold_number(c, e->kid[0], player, &a) || !fold_number(c, e->kid[1], player, &b))
        return false;
    switch (e->op) {
    case IR_ADD: *out = (uint64_t)a + (uint64_t)b; break;
    case IR_SUB: *out = (uint64_t)a - (uint64_t)b; break;
    default: *out = (a == b) == (e->op == IR_EQ); break;
    }
    return true;
}

static bool fold(VmCompiler *c, const IrExpr *e, int player, uint64_t *out) {
    int64_t which;
    switch (e->op) {
    case IR_CONST: *out = (uint64_t)e->value; return true;
    case IR_SET: memcpy(out, e->set, (size_t)c->p->words * 8); return true;
    case IR_ME: *out = (uint64_t)player; return true;
    case IR_CALL:
        return c->game->func[e->id]->params == 0 &&
               vm_fold(c, c->game->func[e->id]->body, player, out);
    case IR_COND:
        return fold_number(c, e->kid[0], player, &which) &&
               vm_fold(c, e->kid[which ? 1 : 2], player, out);
    case IR_EQ:
    case IR_NE:
    case IR_SUB:
    case IR_ADD: return fold_binary(c, e, player, out);
    default: return false;
    }
}

bool vm_fold(VmCompiler *c, const IrExpr *e, int player, uint64_t *out) {
    if (!vm_enter(c))
        return false;
    bool folded = fold(c, e, player, out);
    vm_leave(c);
    return folded;
}

// --- what the rest of a turn reads ---

typedef struct Query {
    VmCompiler *c;
    VmWhat what;
    int id; // -1: any
} Query;

static bool expr_reads(const Query *q, const IrExpr *e);
static bool parts_read(const Query *q, const IrExpr *e);

static bool domain_reads(const Query *q, const IrDomain *d) {
    return d && (expr_reads(q, d->a) || expr_reads(q, d->b) || expr_reads(q, d->where));
}

static bool call_reads(const Query *q, const IrExpr *e) {
    const IrFunc *func = q->c->game->func[e->id];
    for (int n = 0; n < func->params; n++)
        if (expr_reads(q, e->args[n]))
            return true;
    // Its locals are others; and once is enough.
    if (q->what == READS_LOCAL || q->c->visited[e->id] == q->c->queries)
        return false;
    q->c->visited[e->id] = q->c->queries;
    return expr_reads(q, func->body);
}

static bool expr_reads(const Query *q, const IrExpr *e) {
    if (!e)
        return false;
    if (!vm_enter(q->c))
        return true;
    bool found = parts_read(q, e);
    vm_leave(q->c);
    return found;
}

static bool parts_read(const Query *q, const IrExpr *e) {
    if (q->what == READS_BOARD && ir_reads_board(e->op))
        return true;
    switch (e->op) {
    case IR_VAR:
        if (q->what == READS_VAR && q->id == e->id)
            return true;
        break;
    case IR_ATTR:
        if (q->what == READS_ATTR && (q->id < 0 || q->id == e->id))
            return true;
        break;
    case IR_LOCAL: return q->what == READS_LOCAL && q->id == e->id;
    case IR_CALL:
        if (call_reads(q, e))
            return true;
        break;
    default: break;
    }
    for (int n = 0; n < 3; n++)
        if (expr_reads(q, e->kid[n]))
            return true;
    return domain_reads(q, e->domain);
}

static bool block_reads(const Query *q, const IrStmt *list, bool tail);

static bool stmt_reads(const Query *q, const IrStmt *s) {
    if (s->kind == ST_CALL && q->what != READS_LOCAL)
        return true; // whatever it may be
    for (int n = 0; n < 3; n++)
        if (expr_reads(q, s->e[n]))
            return true;
    if (domain_reads(q, s->domain) || block_reads(q, s->other, false))
        return true;
    if (s->kind == ST_EITHER) {
        for (const IrStmt *branch = s->body; branch; branch = branch->sibling)
            if (block_reads(q, branch->body, false))
                return true;
        return false;
    }
    return block_reads(q, s->body, false);
}

static bool block_reads(const Query *q, const IrStmt *list, bool tail) {
    for (; list; list = list->next) {
        if (tail && !vm_block_chooses(list))
            return false; // left out when moves are generated
        q->c->scans++;
        if (stmt_reads(q, list))
            return true;
    }
    return false;
}

bool vm_read_later(VmCompiler *c, VmWhat what, int id) {
    if (c->scans > MAX_SCANS)
        return true;
    Query q = {c, what, id};
    c->queries++;
    for (const VmRest *rest = c->rest; rest; rest = rest->up)
        if (block_reads(&q, rest->next, rest->tail) || (rest->loop && stmt_reads(&q, rest->loop)))
            return true;
    return false;
}
