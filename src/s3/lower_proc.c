// Named expressions that call themselves without an end in sight: procedures. See lower.h.
//
// A procedure has locals of its own, so the variables that it reads or assigns are handed to it and
// back in variables of the state. Which kinds of values they have is found by trying: when a call
// brings something new, everything is followed again with what is known then.

#include "s3/lower.h"

static int new_scratch(Lower *l) {
    ARENA_GROW(l->arena, Scratch, l->scratches, l->scratch, l->scratch_cap);
    l->scratches[l->scratch] = (Scratch){0, 0};
    return l->scratch++;
}

static int scratch_for(Lower *l, int *where, int count) {
    if (*where < 0) {
        *where = new_scratch(l);
        for (int i = 1; i < count; i++)
            new_scratch(l);
    }
    return *where;
}

static void store(Lower *l, int scratch, X *x) {
    Scratch *s = &l->scratches[scratch];
    s->lo = x->lo < s->lo ? x->lo : s->lo;
    s->hi = x->hi > s->hi ? x->hi : s->hi;
    Y *y = y_add(l, ST_ASSIGN, l->at);
    y->id = VAR_SCRATCH + scratch;
    y->x[0] = x;
}

// A variable of the state as a value of that type, in a local of its own.
static X *load(Lower *l, int scratch, XType type, int32_t lo, int32_t hi) {
    Scratch *s = &l->scratches[scratch];
    s->lo = lo < s->lo ? lo : s->lo;
    s->hi = hi > s->hi ? hi : s->hi;
    X *x = x_atom(l, X_VAR, NULL, scratch, lo, hi, READS_SCRATCH);
    if (type == T_BOOL)
        x = x_compare(l, X_EQ, x, x_int(l, 1));
    if (type == T_CELL) {
        int32_t *tab = ARENA_ARRAY(l->arena, int32_t, hi - lo + 1);
        for (int i = 0; i <= hi - lo; i++)
            tab[i] = lo + i;
        x = x_map(l, x, T_CELL, tab);
    }
    return y_let(l, x, "loaded");
}

static void store_value(Lower *l, int scratch, Carrier c, const Value *v) {
    X *x, *has;
    carrier_pack(l, c, v, &x, &has);
    store(l, scratch, x);
    store(l, scratch + 1, has);
}

static Value load_value(Lower *l, int scratch, Carrier c) {
    XType type;
    int32_t lo, hi;
    if (c.kind == V_UNBOUND)
        return (Value){.kind = V_UNBOUND};
    carrier_range(l, c, &type, &lo, &hi);
    X *x = load(l, scratch, type, lo, hi);
    XType tag;
    int32_t most;
    X *has = carrier_tagged(c, &tag, &most) ? load(l, scratch + 1, tag, 0, most) : NULL;
    return carrier_value(l, c, x, has);
}

static void learn(Lower *l, Carrier *old, Carrier now) {
    Carrier both = carrier_join(*old, now);
    if (both.kind != old->kind || both.space != old->space || both.maybe != old->maybe)
        l->again = l->too_large = true;
    *old = both;
}

// Variables that the function reads or assigns.
static bool *touched(Lower *l, const S3Node *call) {
    bool *out = ARENA_ARRAY(l->arena, bool, l->vars + 1);
    bool *seen = ARENA_ARRAY(l->arena, bool, l->f->functions + 1);
    const S3Function *f = &l->f->function[call->function];
    for (int i = 0; i < f->lines; i++)
        kinds_reads(l, f->line[i], out, seen);
    for (int i = 0; i < f->params; i++)
        out[word_var(l, f->param[i])] = true;
    const Effects *e = &l->effects[call->function];
    for (int v = 0; v < l->vars; v++)
        out[v] |= e->assigns[v / 64] >> (v % 64) & 1;
    return out;
}

static bool changes_var(const Lower *l, int function, int v) {
    return l->effects[function].assigns[v / 64] >> (v % 64) & 1;
}

// The statements of the procedure.
static void write_body(Lower *l, Proc *p, const bool *vars) {
    const S3Function *f = &l->f->function[p->function];
    ProcKinds *k = &l->proc_kinds[p->function];
    Kept kept = flow_keep(l);
    l->frame = p->number;
    l->block = &p->block;
    l->env = ARENA_ARRAY(l->arena, Value, l->vars + 1);
    l->fact = NULL;
    l->facts = l->fact_cap = 0;
    l->dead = l->position_fixed = false;
    l->from = l->to = l->element = l->from_plane = NULL;
    l->moved = true;
    for (int v = 0; v < l->vars; v++)
        if (vars[v])
            l->env[v] = load_value(l, l->scratch_of[v], k->in[v]);
    l->player = load(l, l->scratch_player, T_INT, 1, l->f->players);
    Value result = follow_lines(l, f);
    if (!l->too_large && !l->broken && !l->dead) {
        for (int v = 0; v < l->vars; v++) {
            if (!vars[v] || !changes_var(l, p->function, v))
                continue;
            learn(l, &k->out[v], carrier_of(&l->env[v]));
            store_value(l, l->scratch_of[v], k->out[v], &l->env[v]);
        }
        learn(l, &k->result, carrier_of(&result));
        store_value(l, l->scratch_result, k->result, &result);
        store(l, l->scratch_player, l->player);
    }
    flow_put_back(l, &kept);
}

static Proc *find_proc(Lower *l, const S3Node *node, const bool *vars) {
    Proc **at = &l->proc;
    int number = 1;
    for (; *at; at = &(*at)->next, number++)
        if ((*at)->function == node->function)
            return *at;
    Proc *p = *at = ARENA_NEW(l->arena, Proc);
    p->function = node->function;
    p->number = number;
    p->ir = ARENA_NEW(l->arena, IrProc);
    p->ir->name = l->f->function[node->function].name;
    p->ir->span = l->f->function[node->function].span;
    write_body(l, p, vars);
    return p;
}

static void prepare(Lower *l, const S3Node *node, const bool *vars) {
    ProcKinds *k = &l->proc_kinds[node->function];
    if (!k->known) {
        *k = (ProcKinds){.known = true};
        k->in = ARENA_ARRAY(l->arena, Carrier, l->vars + 1);
        k->out = ARENA_ARRAY(l->arena, Carrier, l->vars + 1);
    }
    for (int v = 0; v < l->vars; v++)
        if (vars[v])
            scratch_for(l, &l->scratch_of[v], 2);
    scratch_for(l, &l->scratch_result, 2);
    scratch_for(l, &l->scratch_player, 1);
}

Value proc_call(Lower *l, const S3Node *node) {
    const Effects *e = &l->effects[node->function];
    const bool *vars = touched(l, node);
    ProcKinds *k = &l->proc_kinds[node->function];
    unsigned changes = e->moves ? READS_PLACES | READS_LOOKS : e->looks ? READS_LOOKS : 0;
    prepare(l, node, vars);
    if (l->position_fixed && (changes || e->next)) {
        lower_error(l, node->span, "a condition must not change the position");
        return value_bool(x_bool(l, false));
    }
    for (int v = 0; v < l->vars; v++)
        if (vars[v])
            learn(l, &k->in[v], carrier_of(&l->env[v]));
    if (!l->too_large && !l->broken) {
        for (int v = 0; v < l->vars; v++)
            if (vars[v])
                store_value(l, l->scratch_of[v], k->in[v], &l->env[v]);
        store(l, l->scratch_player, l->player);
        flow_freeze(l, changes);
        int number = find_proc(l, node, vars)->number;
        y_add(l, ST_CALL, node->span)->id = number - 1;
    }
    for (int v = 0; v < l->vars; v++)
        if (vars[v] && changes_var(l, node->function, v))
            l->env[v] = load_value(l, l->scratch_of[v], k->out[v]);
    if (e->next)
        l->player = load(l, l->scratch_player, T_INT, 1, l->f->players);
    if (changes)
        l->moved = true;
    if (k->result.kind == V_UNBOUND) // not known yet
        return value_bool(x_bool(l, false));
    return load_value(l, l->scratch_result, k->result);
}
