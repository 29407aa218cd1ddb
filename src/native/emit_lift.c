// Conditions on a member as set algebra: {it : COND(it)} in one go instead of cell by cell.
//
//     it in T                          T
//     step(it, n) in T                 T moved back: back_n(T)
//     past(it, n while W) in T         back_n of T, again through W, and again
//     some S(it) & T                   pushed down S to where `it` is
//     not, and, or, if                 complement, intersection, union
//     what needs no state              a constant set
//
// The member is the local bound as BIND_IT; definitions are followed with their arguments left as
// expressions. What cannot be lifted gives NULL, and the member is tested in a loop.
#include "native/emit_relation.h"

#include <string.h>

#define UNROLL 8 // as in emit_loop.c

static const char *meets(Emitter *em, EmitFrame *f, const IrExpr *e, const char *set);
static bool depends(Emitter *em, EmitFrame *f, const IrExpr *e);

// --- what depends on the member ---

bool emit_uses(const Emitter *em, const IrExpr *e, int slot) {
    if (!e)
        return false;
    if (e->op == IR_LOCAL)
        return e->id == slot;
    for (int n = 0; n < emit_args(em, e); n++)
        if (emit_uses(em, e->args[n], slot))
            return true;
    const IrDomain *d = e->domain;
    if (d &&
        (emit_uses(em, d->a, slot) || emit_uses(em, d->b, slot) || emit_uses(em, d->where, slot)))
        return true;
    for (int n = 0; n < 3; n++)
        if (emit_uses(em, e->kid[n], slot))
            return true;
    return false;
}

// What an expression stands for: names of expressions are followed.
const IrExpr *emit_resolve(EmitFrame **f, const IrExpr *e) {
    while (e->op == IR_LOCAL && (*f)->local[e->id].kind == BIND_EXPR) {
        const EmitLocal *l = &(*f)->local[e->id];
        e = l->expr;
        *f = l->in;
    }
    return e;
}

bool emit_is_it(EmitFrame *f, const IrExpr *e) {
    e = emit_resolve(&f, e);
    return e->op == IR_LOCAL && f->local[e->id].kind == BIND_IT;
}

bool emit_is_opponent(const Emitter *em, const IrExpr *e) {
    return em->g->players == 2 && e->op == IR_SUB && e->kid[0]->op == IR_CONST &&
           e->kid[0]->value == 1 && e->kid[1]->op == IR_ME;
}

// Whose pieces all members of a set are, if it says so.
static const IrExpr *owner_of(Emitter *em, EmitFrame **f, const IrExpr *e) {
    e = emit_resolve(f, e);
    switch (e->op) {
    case IR_OWNED: return e->kid[0];
    case IR_PIECES: return e->kid[0];
    case IR_MINUS: return owner_of(em, f, e->kid[0]);
    case IR_FILTER: return owner_of(em, f, e->domain->a);
    case IR_CALL: *f = emit_call_frame(em, *f, e); return owner_of(em, f, em->g->func[e->id]->body);
    case IR_AND: {
        EmitFrame *first = *f;
        const IrExpr *owner = owner_of(em, f, e->kid[0]);
        if (owner)
            return owner;
        *f = first;
        return owner_of(em, f, e->kid[1]);
    }
    default: return NULL;
    }
}

// The opponent, or the owner of a piece of theirs.
static bool is_other_side(const Emitter *em, EmitFrame *f, const IrExpr *e) {
    e = emit_resolve(&f, e);
    if (e->op != IR_OWNER_AT)
        return emit_is_opponent(em, e);
    e = emit_resolve(&f, e->kid[0]);
    return e->op == IR_LOCAL && f->local[e->id].facts & FACT_THEIRS;
}

// In a choice that is looked at as a whole, the member stands on my side of the board already.
static bool reads_change(const Emitter *em, EmitFrame *f, const IrExpr *e) {
    switch (e->op) {
    case IR_OWNED:
    case IR_PIECES:
        if (e->op == IR_PIECES && e->id >= 0 && e->id != em->grown_kind)
            return false;
        return !e->kid[0] || !is_other_side(em, f, e->kid[0]);
    case IR_OWNER_AT: return !is_other_side(em, f, e);
    case IR_OCCUPIED:
    case IR_PLANE:
    case IR_KIND_AT:
    case IR_KIND_IN:
    case IR_OWNER_IN:
    case IR_HEIGHT:
    case IR_ATTR: return true;
    case IR_VAR: return em->changed_vars & emit_bit(e->id);
    case IR_LOCAL: return f->ir == &em->g->turn_frame && em->changed_slots & emit_bit(e->id);
    default: return false;
    }
}

bool emit_depends(Emitter *em, EmitFrame *f, const IrExpr *e) {
    return depends(em, f, e);
}

static bool depends(Emitter *em, EmitFrame *f, const IrExpr *e) {
    if (!e)
        return false;
    if (e->op == IR_OWNER_AT && em->owner_expr && emit_is_it(f, e->kid[0]))
        return false; // known from the domain
    if (em->grown && reads_change(em, f, e))
        return true;
    if (e->op == IR_LOCAL) {
        const EmitLocal *l = &f->local[e->id];
        return l->kind == BIND_IT || (l->kind == BIND_EXPR && depends(em, l->in, l->expr));
    }
    if (e->op == IR_CALL && em->grown) // what the definition reads counts too
        return depends(em, emit_call_frame(em, f, e), em->g->func[e->id]->body);
    for (int n = 0; n < emit_args(em, e); n++)
        if (depends(em, f, e->args[n]))
            return true;
    const IrDomain *d = e->domain;
    if (!d)
        return depends(em, f, e->kid[0]) || depends(em, f, e->kid[1]) || depends(em, f, e->kid[2]);
    if (depends(em, f, d->a) || depends(em, f, d->b))
        return true;
    EmitFrame *of = f;
    const IrExpr *owner = d->kind == DOM_SET ? owner_of(em, &of, d->a) : NULL;
    EmitLocal kept = f->local[d->slot];
    f->local[d->slot] = (EmitLocal){0};
    if (owner && emit_is_opponent(em, owner))
        f->local[d->slot].facts = FACT_THEIRS;
    bool any = depends(em, f, d->where) || depends(em, f, e->kid[0]);
    f->local[d->slot] = kept;
    return any;
}

// --- constant conditions ---

static bool eval_cells(Emitter *em, EmitFrame *f, const IrExpr *cond, int player, uint64_t *set) {
    EmitLocal *it = em->it;
    EmitLocal kept = *it;
    bool ok = true;
    for (int w = 0; w < em->words; w++)
        set[w] = 0;
    for (int c = 0; ok && c < em->cells; c++) {
        IrValue v;
        *it = (EmitLocal){.kind = BIND_VALUE, .value = c};
        ok = emit_eval(em, f, cond, player, &v);
        if (ok && v.number)
            set[c / 64] |= (uint64_t)1 << (c % 64);
    }
    *it = kept;
    return ok;
}

static const char *constant_set(Emitter *em, EmitFrame *f, const IrExpr *cond) {
    uint64_t set[BOARD_MAX_WORDS];
    if (eval_cells(em, f, cond, -1, set))
        return emit_set_literal(em, set);
    const char *text = NULL;
    for (int p = em->g->players - 1; p >= 0; p--) {
        if (!eval_cells(em, f, cond, p, set))
            return NULL;
        const char *value = emit_set_literal(em, set);
        text = text ? emit_f(em, "me == %d ? %s : %s", p, value, text) : value;
    }
    return emit_f(em, "(%s)", text);
}

// --- {it : x(it) in set} ---

static const char *choose_between(Emitter *em, EmitFrame *f, const IrExpr *cond, const char *yes,
                                  const char *no) {
    if (!yes || !no)
        return NULL;
    if (!depends(em, f, cond))
        return emit_f(em, "(%s ? %s : %s)", emit_expr(em, f, cond), yes, no);
    const char *c = emit_lift(em, f, cond);
    if (!c)
        return NULL;
    c = emit_temp(em, "Set", c);
    return emit_or(em, emit_and(em, c, yes), emit_minus(em, no, c));
}

static const char *all_if(Emitter *em, const char *cond) {
    if (strcmp(cond, "0") == 0 || strcmp(cond, "1") == 0)
        return *cond == '0' ? "SET_EMPTY" : "SET_ALL";
    return emit_f(em, "(%s ? SET_ALL : SET_EMPTY)", cond);
}

// Where it leads needs no state: a map of the cells.
static bool fixed_map(Emitter *em, EmitFrame *f, const IrExpr *x, int *to) {
    EmitLocal *it = em->it;
    EmitLocal kept = *it;
    bool ok = x->type.kind == TY_CELL;
    for (int c = 0; ok && c < em->cells; c++) {
        IrValue v;
        *it = (EmitLocal){.kind = BIND_VALUE, .value = c};
        ok = emit_eval(em, f, x, -1, &v);
        to[c] = ok && v.number >= 0 && v.number < em->cells ? (int)v.number : em->cells;
    }
    *it = kept;
    return ok;
}

static const char *preimage(Emitter *em, EmitFrame *f, const IrExpr *x, const char *set) {
    int to[BOARD_MAX_CELLS];
    x = emit_resolve(&f, x);
    if (emit_is_it(f, x))
        return set;
    if (!depends(em, f, x))
        return all_if(em, emit_has(em, set, emit_expr(em, f, x), emit_may_be_none(em, x)));
    switch (x->op) {
    case IR_TABLE:
        if (em->g->table[x->id]->dims != 2 || !emit_is_step(em, em->g->table[x->id]) ||
            depends(em, f, x->kid[1]))
            return fixed_map(em, f, x, to) ? emit_moved(em, set, to, true) : NULL;
        return preimage(em, f, x->kid[0], emit_shift(em, f, set, x->kid[1], true));
    case IR_PAST:
        if (depends(em, f, x->kid[1]) || depends(em, f, x->kid[2]))
            return NULL;
        return preimage(em, f, x->kid[0],
                        emit_fill(em, f, IR_PAST, x->kid[1], emit_expr(em, f, x->kid[2]), set));
    case IR_COND:
        set = emit_temp(em, "Set", set);
        return choose_between(em, f, x->kid[0], preimage(em, f, x->kid[1], set),
                              preimage(em, f, x->kid[2], set));
    case IR_CALL: return preimage(em, emit_call_frame(em, f, x), em->g->func[x->id]->body, set);
    default: return NULL;
    }
}

// --- {it : S(it) meets set} ---

// A union over a few directions: each in turn, as a constant. `body` lifts one of them.
static const char *over_mask(Emitter *em, EmitFrame *f, const IrExpr *e, const char *set,
                             bool condition) {
    const IrDomain *d = e->domain;
    if (d->kind != DOM_MASK || d->where || depends(em, f, d->a))
        return NULL;
    uint64_t bound = emit_mask_bound(em, f, d->a);
    int64_t known;
    if (bits_count(bound) > UNROLL)
        return NULL;
    const char *mask = emit_constant(em, f, d->a, &known)
                           ? NULL
                           : emit_temp(em, "uint64_t", emit_expr(em, f, d->a));
    const char *sum = "SET_EMPTY";
    EmitLocal kept = f->local[d->slot];
    while (bound && sum) {
        int n = bits_pop(&bound);
        f->local[d->slot] = (EmitLocal){.kind = BIND_VALUE, .value = n};
        const char *part = condition ? emit_lift(em, f, e->kid[0]) : meets(em, f, e->kid[0], set);
        if (part && mask)
            part = emit_f(em, "(%s >> %d & 1 ? %s : SET_EMPTY)", mask, n, part);
        sum = part ? emit_or(em, sum, part) : NULL;
    }
    f->local[d->slot] = kept;
    return sum;
}

static const char *meets_and(Emitter *em, EmitFrame *f, const IrExpr *e, const char *set) {
    const IrExpr *a = e->kid[0], *b = e->kid[1];
    if (!depends(em, f, b)) {
        const char *other = emit_expr(em, f, b);
        return meets(em, f, a,
                     e->op == IR_AND ? emit_and(em, set, other) : emit_minus(em, set, other));
    }
    if (e->op == IR_AND && !depends(em, f, a))
        return meets(em, f, b, emit_and(em, set, emit_expr(em, f, a)));
    return NULL;
}

static const char *meets_ray(Emitter *em, EmitFrame *f, const IrExpr *e, const char *set) {
    if (depends(em, f, e->kid[1]) || depends(em, f, e->kid[2]))
        return NULL;
    const char *through = emit_expr(em, f, e->kid[2]);
    if (e->op == IR_RAY_WHILE && strcmp(set, "SET_ALL") == 0) // all cells: is there a first?
        return preimage(em, f, e->kid[0], emit_shift(em, f, through, e->kid[1], true));
    if (e->op == IR_RAY_UNTIL && strcmp(set, "SET_ALL") == 0)
        return preimage(em, f, e->kid[0], emit_shift(em, f, set, e->kid[1], true));
    return preimage(em, f, e->kid[0], emit_fill(em, f, e->op, e->kid[1], through, set));
}

static const char *meets(Emitter *em, EmitFrame *f, const IrExpr *e, const char *set) {
    e = emit_resolve(&f, e);
    if (!depends(em, f, e))
        return all_if(em, emit_some(em, emit_and(em, emit_expr(em, f, e), set)));
    switch (e->op) {
    case IR_SINGLE: return preimage(em, f, e->kid[0], set);
    case IR_AND:
    case IR_MINUS: return meets_and(em, f, e, set);
    case IR_OR: {
        set = emit_temp(em, "Set", set);
        const char *a = meets(em, f, e->kid[0], set);
        const char *b = a ? meets(em, f, e->kid[1], set) : NULL;
        return b ? emit_or(em, a, b) : NULL;
    }
    case IR_COND: {
        set = emit_temp(em, "Set", set);
        const char *a = meets(em, f, e->kid[1], set);
        const char *b = a ? meets(em, f, e->kid[2], set) : NULL;
        return choose_between(em, f, e->kid[0], a, b);
    }
    case IR_IMAGE:
        if (em->g->table[e->id]->sets) {
            const char *back = emit_meeting(em, e->id, set);
            return back ? meets(em, f, e->kid[0], back) : NULL;
        }
        if (depends(em, f, e->kid[1]))
            return NULL;
        return meets(em, f, e->kid[0], emit_shift(em, f, set, e->kid[1], true));
    case IR_TABLE: {
        if (em->g->table[e->id]->dims != 1)
            return NULL;
        const char *back = emit_meeting(em, e->id, set);
        return back ? preimage(em, f, e->kid[0], back) : NULL;
    }
    case IR_RAY_WHILE:
    case IR_RAY_UNTIL: return meets_ray(em, f, e, set);
    case IR_UNION: return over_mask(em, f, e, emit_temp(em, "Set", set), false);
    case IR_CALL: return meets(em, emit_call_frame(em, f, e), em->g->func[e->id]->body, set);
    default: return NULL;
    }
}

// --- conditions ---

static const char *lift_two(Emitter *em, EmitFrame *f, const IrExpr *e, bool both) {
    const char *a = emit_lift(em, f, e->kid[0]);
    const char *b = a ? emit_lift(em, f, e->kid[1]) : NULL;
    if (!b)
        return NULL;
    return both ? emit_and(em, a, b) : emit_or(em, a, b);
}

static const char *lift_equal(Emitter *em, EmitFrame *f, const IrExpr *e) {
    IrExpr *set = ARENA_NEW(em->arena, IrExpr);
    const IrExpr *x = emit_bit_set(em, e, set);
    if (x && !depends(em, f, set))
        return preimage(em, f, x, emit_expr(em, f, set));
    for (int n = 0; n < 2; n++) {
        const IrExpr *a = e->kid[n], *b = e->kid[1 - n];
        if (a->type.kind == TY_CELL && !depends(em, f, b) && !emit_may_be_none(em, b))
            return preimage(em, f, a, emit_cell_set(em, f, b));
    }
    return NULL;
}

static const char *complement(Emitter *em, const char *set) {
    return set ? emit_not(em, set) : NULL;
}

// My pieces with the member among them: which members complete a line?
static const char *closing_lines(Emitter *em, EmitFrame *f, const IrExpr *set) {
    set = emit_resolve(&f, set);
    if (set->op != IR_OWNED && (set->op != IR_PIECES || set->id != em->grown_kind))
        return NULL;
    EmitFrame *of = f;
    const IrExpr *owner = set->kid[0] ? emit_resolve(&of, set->kid[0]) : NULL;
    bool mine = owner &&
                (owner->op == IR_ME || (owner->op == IR_OWNER_AT && emit_is_it(of, owner->kid[0])));
    if (!mine)
        return NULL;
    IrExpr me = {.op = IR_ME, .type = {.kind = TY_PLAYER}, .hi = em->g->players - 1};
    IrExpr men = *set;
    men.kid[0] = &me;
    const char *x = emit_expr(em, f, &men);
    if (em->grown_minus)
        x = emit_minus(em, x, em->grown_minus);
    if (em->closing_only) { // the caller knows better how to find them
        em->closing_men = x;
        return "SET_ALL";
    }
    return emit_closing(em, x);
}

// some x in S : COND(it, x), S being the same for all: the union over x.
static const char *any_member(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const IrDomain *d = e->domain;
    if (depends(em, f, d->a) || d->where)
        return NULL;
    const char *set = emit_expr(em, f, d->a);
    const char *to = emit_new(em);
    emit_hoist(em, f, d, e->kid[0]);
    emit_line(em, "Set %s = SET_EMPTY;", to);
    const char *member = emit_each_member(em, true, set, NULL, NULL);
    EmitLocal kept = f->local[d->slot];
    f->local[d->slot] = (EmitLocal){.kind = BIND_TEXT, .text = member};
    const char *part = emit_lift(em, f, e->kid[0]);
    if (part)
        emit_line(em, "%s = %s;", to, emit_or(em, to, part));
    emit_close(em);
    f->local[d->slot] = kept;
    return part ? to : NULL;
}

// Any line of the board: the member completes one, or there is one without it.
static const char *lift_some_line(Emitter *em, EmitFrame *f, const IrExpr *e, const IrExpr *set) {
    const char *closing = closing_lines(em, f, set);
    return closing ? emit_or(em, closing, all_if(em, emit_some_line(em, f, e))) : NULL;
}

static const char *lift_any(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const IrExpr *set = emit_line_within(em, e);
    if (set && !e->domain->a && em->grown && !em->grown_minus && !em->closing_only)
        return lift_some_line(em, f, e, set);
    if (set && e->domain->a && emit_is_it(f, e->domain->a)) {
        if (!depends(em, f, set))
            return emit_lined(em, emit_expr(em, f, set));
        return em->grown ? closing_lines(em, f, set) : NULL;
    }
    if (e->domain->kind == DOM_SET)
        return any_member(em, f, e);
    const char *rows = emit_lift_enclosing(em, f, e);
    if (rows)
        return rows;
    return over_mask(em, f, e, NULL, true);
}

static bool is_empty_set(const IrExpr *e) {
    return e->op == IR_NOT_SET && e->kid[0]->op == IR_OCCUPIED;
}

// The member takes an empty cell: is there another?
static const char *others_empty(Emitter *em) {
    const char *empty = emit_temp(em, "Set", emit_not(em, emit_f(em, "occupied(%s)", em->s)));
    return all_if(em, emit_some(em, emit_f(em, "(%s & (%s - 1))", empty, empty)));
}

static const char *lift(Emitter *em, EmitFrame *f, const IrExpr *e) {
    e = emit_resolve(&f, e);
    if (!depends(em, f, e))
        return all_if(em, emit_expr(em, f, e));
    const char *fixed = constant_set(em, f, e);
    if (fixed)
        return fixed;
    switch (e->op) {
    case IR_NOT: return complement(em, emit_lift(em, f, e->kid[0]));
    case IR_BOTH: return lift_two(em, f, e, true);
    case IR_EITHER: return lift_two(em, f, e, false);
    case IR_COND: {
        const char *a = emit_lift(em, f, e->kid[1]);
        return a ? choose_between(em, f, e->kid[0], a, emit_lift(em, f, e->kid[2])) : NULL;
    }
    case IR_CALL: return emit_lift(em, emit_call_frame(em, f, e), em->g->func[e->id]->body);
    case IR_SOME:
        if (e->kid[0]->type.kind != TY_SET)
            return NULL;
        if (em->grown && !em->grown_minus && !em->closing_only && em->one &&
            is_empty_set(e->kid[0]))
            return others_empty(em);
        return meets(em, f, e->kid[0], "SET_ALL");
    case IR_MEMBER:
        if (e->kid[1]->type.kind != TY_SET)
            return NULL;
        if (!depends(em, f, e->kid[1]))
            return preimage(em, f, e->kid[0], emit_expr(em, f, e->kid[1]));
        if (!depends(em, f, e->kid[0]))
            return meets(em, f, e->kid[1], emit_cell_set(em, f, e->kid[0]));
        return NULL;
    case IR_WITHIN:
        if (e->kid[0]->type.kind != TY_SET || depends(em, f, e->kid[1]))
            return NULL;
        return complement(em, meets(em, f, e->kid[0], emit_not(em, emit_expr(em, f, e->kid[1]))));
    case IR_EQ: {
        const char *set = lift_equal(em, f, e);
        return set ? set : emit_lift_levels(em, f, e);
    }
    case IR_NE: {
        const char *set = complement(em, lift_equal(em, f, e));
        return set ? set : emit_lift_levels(em, f, e);
    }
    case IR_LT:
    case IR_LE: return emit_lift_levels(em, f, e);
    case IR_ANY: return lift_any(em, f, e);
    case IR_KNOWN: return emit_known_lift(em, f, e, preimage);
    default: return NULL;
    }
}

// What was written on the way to a failure is dropped.
const char *emit_lift(Emitter *em, EmitFrame *f, const IrExpr *cond) {
    int knowns = em->knowns;
    Text *outer = emit_capture(em);
    em->indent--;
    const char *set = lift(em, f, cond);
    em->indent++;
    Text *inner = emit_uncapture(em, outer);
    if (set)
        text_add(em->t, text_c(inner));
    else
        em->knowns = knowns;
    return set;
}

// --- filters ---

typedef struct Parts {
    const IrExpr **rest;
    int count, cap;
} Parts;

// Takes the parts of a condition joined by `and` that can be lifted; the others are the rest.
static const char *lift_parts(Emitter *em, EmitFrame *f, const IrExpr *cond, const char *set,
                              Parts *parts) {
    if (cond->op == IR_BOTH) {
        set = lift_parts(em, f, cond->kid[0], set, parts);
        return lift_parts(em, f, cond->kid[1], set, parts);
    }
    const char *lifted = emit_lift(em, f, cond);
    if (lifted)
        return emit_and(em, set, lifted);
    ARENA_GROW(em->arena, const IrExpr *, parts->rest, parts->count, parts->cap);
    parts->rest[parts->count++] = cond;
    return set;
}

const char *emit_filter(Emitter *em, EmitFrame *f, const IrDomain *d) {
    const char *set = emit_expr(em, f, d->a);
    EmitLocal kept = f->local[d->slot];
    EmitLocal *outer_it = em->it;
    EmitFrame *owner_frame = f;
    const IrExpr *owner = owner_of(em, &owner_frame, d->a);
    const IrExpr *outer_owner = em->owner_expr;
    EmitFrame *outer_frame = em->owner_frame;
    em->owner_expr = owner;
    em->owner_frame = owner_frame;
    em->it = &f->local[d->slot];
    *em->it = (EmitLocal){.kind = BIND_IT};
    Parts parts = {0};
    const char *lifted = emit_filter_enclosing(em, f, d);
    if (!lifted)
        lifted = lift_parts(em, f, d->where, set, &parts);
    em->it = outer_it;
    em->owner_expr = outer_owner;
    em->owner_frame = outer_frame;
    if (parts.count > 0) {
        for (int n = 0; n < parts.count; n++)
            emit_hoist(em, f, d, parts.rest[n]);
        const char *result = emit_new(em);
        emit_line(em, "Set %s = SET_EMPTY;", result);
        const char *member = emit_each_member(em, true, lifted, NULL, NULL);
        f->local[d->slot] = (EmitLocal){.kind = BIND_TEXT, .text = member};
        for (int n = 0; n < parts.count; n++)
            emit_open(em, "if (%s)", emit_expr(em, f, parts.rest[n]));
        emit_line(em, em->one ? "%s |= set_single(%s);" : "set_add(&%s, %s);", result, member);
        for (int n = 0; n < parts.count; n++)
            emit_close(em);
        emit_close(em);
        lifted = result;
    }
    f->local[d->slot] = kept;
    return lifted;
}
