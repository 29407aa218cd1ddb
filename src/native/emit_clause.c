// A clause as loops and conditions. Which literal comes next is decided while the text is made:
// what can be tested is tested at once, then comes what gives the fewest values; the variable that
// the bits of the head stand for comes last, as a set.
#include "native/emit_relation.h"

#include <string.h>

#define EXTRA_SLOTS 64
#define UNROLL_PLAYERS 4

static void step(ClausePlan *p, ClauseNow now);

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
    bool known =
        rel->bit < 0 || l->atom.value[rel->bit] || (var >= 0 && next->now.bound >> var & 1);
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

// Whether the row that an atom tells has any bit.
static const char *some_bit(ClausePlan *p, const ClauseLit *l) {
    const EmitRelation *rel = l->atom.rel;
    IrExpr e = *l->cond;
    IrExpr *args[IR_MAX_ARGS];
    for (int n = 0; n < rel->r->params; n++)
        args[n] = n == rel->bit ? NULL : l->cond->args[n];
    e.args = args;
    return emit_expr(p->em, p->f, &e);
}

// Goes on only if the last round found something that fits an atom so far.
static void if_new(ClausePlan *p, const ClauseLit *l, const ClauseNow *now) {
    const EmitRelation *rel = l->atom.rel;
    bool whole = l->atom.where == KNOWN_LAST && !(l->needs & ~now->bound);
    for (int n = 0; n < rel->r->params; n++)
        whole &= n == rel->bit || l->var[n] < 0 || (now->bound >> l->var[n] & 1);
    if (whole)
        emit_open(p->em, "if (%s)", some_bit(p, l));
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

// The one value that the variable can have.
static void fixed_value(ClausePlan *p, const ClauseLit *l, const ClauseNow *now) {
    Emitter *em = p->em;
    const struct ClauseVar *v = &p->var[l->fixes];
    EmitLocal *to = &p->f->local[v->slot], kept = *to;
    ClauseNow next = *now;
    const char *x = emit_temp(em, "int", emit_expr(em, l->value_frame, l->value));
    emit_open(em, "if (%s >= %d && %s <= %d)", x, (int)v->lo, x, (int)v->hi);
    *to = (EmitLocal){.kind = BIND_TEXT, .text = x};
    next.bound |= (uint64_t)1 << l->fixes;
    next.left &= ~((uint64_t)1 << (l - p->lit));
    go_on(p, &next);
    emit_close(em);
    *to = kept;
}

static void each_cell(ClausePlan *p, int var, const ClauseNow *now) {
    Emitter *em = p->em;
    ClauseNow next = *now;
    uint64_t lits = clause_alone(p, now, var);
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

// --- the next literal ---

static void give_values(ClausePlan *p, const ClauseNow *now) {
    ClauseChoice best = clause_choose(p, now);
    if (!best.l)
        return;
    const ClauseLit *l = best.l;
    uint64_t open = l->gives & ~now->bound;
    int only = bits_count(open) == 1 ? bits_pop(&open) : -1;
    if (best.value_of < 0 && l->fixes >= 0) {
        fixed_value(p, l, now);
    } else if (best.value_of >= 0) {
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
        *to = (EmitLocal){
            .kind = BIND_TEXT,
            .text = emit_temp(em, emit_type(l->cond->type), emit_expr(em, p->f, l->cond))};
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
        if (l->implied || (emit_constant(em, p->f, l->cond, &value) && value))
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

// Whether all arguments of an atom have values but that of the bits, and only that is open.
static bool tells_row(const ClauseLit *l, const ClauseNow *now) {
    const EmitRelation *rel = l->atom.rel;
    if (l->kind != CLAUSE_ATOM || l->implied || rel->bit < 0 || l->needs & ~now->bound)
        return false;
    for (int n = 0; n < rel->r->params; n++)
        if (n != rel->bit && !l->atom.value[n] && (l->var[n] < 0 || !(now->bound >> l->var[n] & 1)))
            return false;
    return true;
}

// What has to be so for anything to follow: a bit in each row that is known by now. NULL: nothing.
// Not in rounds, which come to their end by other means.
static const char *ask_rows(ClausePlan *p, ClauseNow *now) {
    const char *all = NULL;
    if (clause_open(p, now) == 0 || p->to->rel->loops)
        return NULL;
    for (uint64_t left = now->left & ~now->some; left;) {
        int n = bits_pop(&left);
        if (!tells_row(&p->lit[n], now))
            continue;
        all = both(p->em, all, some_bit(p, &p->lit[n]));
        now->some |= (uint64_t)1 << n;
    }
    return all;
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
        if (l->kind == CLAUSE_COND && !l->implied)
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
    const char *set = clause_set(p, var, clause_alone(p, now, var));
    if (var == p->set_var)
        add_row(p, set);
    else
        add_tuple(p, now, emit_some(em, set));
    return true;
}

// All is open but one variable, a line, which the bits of the head stand for.
static bool finish_as_lines(ClausePlan *p, const ClauseNow *now, uint64_t open) {
    const EmitRelation *rel = p->to->rel;
    int var = bits_pop(&open);
    if (open || rel->bit < 0 || p->head[rel->bit]->op != IR_LOCAL ||
        clause_var(p, p->head[rel->bit]->id) != var)
        return false;
    for (int n = 0; n < rel->r->params; n++)
        if (n != rel->bit && clause_vars(p, p->head[n]) >> var & 1)
            return false;
    EmitAtom a = head_atom(p);
    const char *only, *place = emit_row_place(p->em, p->f, &a, &only);
    const char *row = emit_f(p->em, "%s[%s]", p->to->rows, place);
    return !only && clause_lines(p, row, var, now->left);
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

// What follows where `cond` holds (NULL: always), all tests being made.
static void derive(ClausePlan *p, ClauseNow now, const char *cond) {
    Emitter *em = p->em;
    const char *only;
    int opened = 0;
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
    } else if (!finish_as_set(p, &now, open) && !finish_as_lines(p, &now, open)) {
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

static void step(ClausePlan *p, ClauseNow now) {
    Emitter *em = p->em;
    const char *cond = NULL;
    int opened = test(p, &now, &cond);
    const char *some = ask_rows(p, &now);
    Text *outer = some ? emit_capture(em) : NULL;
    derive(p, now, cond);
    if (some) {
        // Most rows have no bit, which saves loops; where none come, asking takes longer.
        Text *inner = emit_uncapture(em, outer);
        if (strstr(text_c(inner), "for ("))
            emit_open(em, "if (%s)", some);
        else
            emit_scope(em);
        text_add(em->t, text_c(inner));
        emit_close(em);
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

// Whether what a variable is, as far as it depends on the one that is to be a set, can be asked for
// all members at once. Where not, it is better found for each.
static bool fixes_as_sets(ClausePlan *p) {
    Emitter *em = p->em;
    EmitLocal *kept = keep_locals(p), *outer = em->it;
    bool ok = true;
    for (int n = 0; n < p->vars; n++)
        p->f->local[p->var[n].slot] = (EmitLocal){.kind = BIND_TEXT, .text = "x"};
    em->it = &p->f->local[p->var[p->set_var].slot];
    *em->it = (EmitLocal){.kind = BIND_IT};
    Text *text = emit_capture(em);
    for (int n = 0; n < p->lits; n++) {
        const ClauseLit *l = &p->lit[n];
        if (l->fixes >= 0 && !l->implied && l->needs >> p->set_var & 1)
            ok = ok && emit_lift(em, p->f, l->cond);
    }
    emit_uncapture(em, text);
    em->it = outer;
    memcpy(p->f->local, kept, (size_t)p->f->ir->slots * sizeof(EmitLocal));
    return ok;
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
    if (!clause_read(p, clause, last))
        return false;
    for (int n = 0; n < rel->r->params; n++) {
        p->head[n] = clause->head[n];
        p->head_vars |= clause_vars(p, p->head[n]);
    }
    if (rel->cells && p->head[rel->bit]->op == IR_LOCAL)
        p->set_var = clause_var(p, p->head[rel->bit]->id);
    for (int n = 0; n < rel->r->params; n++) // a diagonal is no row
        if (n != rel->bit && p->set_var >= 0 && clause_vars(p, p->head[n]) >> p->set_var & 1)
            p->set_var = -1;
    if (p->set_var >= 0 && !fixes_as_sets(p))
        p->set_var = -1;
    ClauseNow now = {.left = ((uint64_t)1 << p->lits) - 1};
    emit_scope(em);
    go_on(p, &now);
    emit_close(em);
    return true;
}
