// Branches, and the values that come out of them. See lower.h.

#include "s3/lower.h"

// Values that are larger than this get a local of their own when they are kept.
#define HEAVY 48

// --- merging ---

bool value_same(const Value *a, const Value *b) {
    if (a->kind != b->kind || a->x != b->x)
        return false;
    switch (a->kind) {
    case V_UNBOUND: return true;
    case V_STRING:
        if (a->space != b->space)
            return false;
        if (a->space != SP_TEXT)
            return true;
        if (a->shape != b->shape)
            return false;
        for (int i = 0; i < a->shape->indices; i++)
            if (a->index[i] != b->index[i])
                return false;
        return true;
    case V_SET:
    case V_ACTION:
        if (a->items != b->items || a->call != b->call || a->lazy != b->lazy)
            return false;
        for (int i = 0; i < a->items; i++)
            if (a->item[i].when != b->item[i].when ||
                !value_same(&a->item[i].value, &b->item[i].value))
                return false;
        return true;
    case V_EITHER: return value_same(a->a, b->a) && value_same(a->b, b->b);
    default: return true;
    }
}

static Value merge_strings(Lower *l, X *cond, Value a, Value b) {
    Value v = a;
    if (a.space == SP_TEXT && b.space == SP_TEXT && a.shape == b.shape) {
        v.index = ARENA_ARRAY(l->arena, X *, a.shape->indices + 1);
        for (int i = 0; i < a.shape->indices; i++)
            v.index[i] = x_cond(l, cond, a.index[i], b.index[i]);
        return v;
    }
    Space space = a.space == b.space && a.space != SP_TEXT ? a.space : SP_WORD;
    // "" is nothing in every space.
    if (a.space == SP_WORD && x_is(a.x, 0) && b.space != SP_TEXT)
        space = b.space;
    if (b.space == SP_WORD && x_is(b.x, 0) && a.space != SP_TEXT)
        space = a.space;
    return value_string(space, x_cond(l, cond, string_as(l, a, space), string_as(l, b, space)));
}

Value value_merge(Lower *l, X *cond, Value a, Value b) {
    if (cond->op == X_CONST)
        return cond->value ? a : b;
    if (value_same(&a, &b))
        return a;
    if (a.kind == b.kind) {
        switch (a.kind) {
        case V_INT: return value_int(x_cond(l, cond, a.x, b.x));
        case V_BOOL: return value_bool(x_cond(l, cond, a.x, b.x));
        case V_STRING: return merge_strings(l, cond, a, b);
        case V_SET: return set_merge(l, cond, a, b);
        default: break;
        }
    }
    // The alternatives of an alternative are brought together by kind.
    if (a.kind == V_EITHER && b.kind != V_EITHER) {
        if (a.a->kind == b.kind && b.kind != V_EITHER)
            return value_merge(l, x_both(l, cond, x_not(l, a.x)), *a.b,
                               value_merge(l, cond, *a.a, b));
        if (a.b->kind == b.kind)
            return value_merge(l, x_both(l, cond, a.x), *a.a, value_merge(l, cond, *a.b, b));
    }
    if (b.kind == V_EITHER && a.kind != V_EITHER)
        return value_merge(l, x_not(l, cond), b, a);
    if (a.kind == V_EITHER && b.kind == V_EITHER && a.a->kind == b.a->kind &&
        a.b->kind == b.b->kind)
        return value_merge(l, x_cond(l, cond, a.x, b.x), value_merge(l, cond, *a.a, *b.a),
                           value_merge(l, cond, *a.b, *b.b));
    Value *both = ARENA_ARRAY(l->arena, Value, 2);
    both[0] = a;
    both[1] = b;
    return (Value){.kind = V_EITHER, .x = cond, .a = &both[0], .b = &both[1]};
}

// --- branches ---

Value *env_copy(Lower *l) {
    Value *env = ARENA_ARRAY(l->arena, Value, l->vars + 1);
    memcpy(env, l->env, sizeof *env * (size_t)l->vars);
    return env;
}

void flow_fork(Lower *l, Fork *k, X *cond, unsigned changes) {
    if (cond->reads & changes)
        cond = y_let(l, cond, "cond");
    *k = (Fork){.cond = cond,
                .facts = l->facts,
                .slots = l->slots,
                .env = l->env,
                .player = l->player,
                .block = l->block,
                .dead = l->dead};
}

void flow_enter(Lower *l, Fork *k, int which) {
    l->env = k->env;
    l->env = env_copy(l);
    l->player = k->player;
    l->dead = k->dead;
    l->block = &k->path[which].block;
    // Facts of the other branch may have replaced what was known before: keep the stack apart.
    if (which == 0)
        k->fact = l->fact;
    l->fact = k->fact;
    l->facts = k->facts;
    flow_own_facts(l);
    flow_assume(l, k->cond, which == 0);
}

void flow_leave(Lower *l, Fork *k, int which, Value value) {
    Path *p = &k->path[which];
    p->env = l->env;
    p->player = l->player;
    p->dead = l->dead;
    p->value = value;
    p->fact = l->fact;
    p->facts = l->facts;
}

// Whether a value can be used behind the branch that it was found in.
static bool lasts(const Fork *k, const X *x) {
    return x->top <= k->slots;
}

// One value for both branches: chosen by the condition, or in a local that both assign.
static X *join_x(Lower *l, Fork *k, X *a, X *b, bool pure) {
    if (a == b)
        return a;
    if (pure || (lasts(k, a) && lasts(k, b) && !a->reads && !b->reads)) {
        X *x = x_cond(l, k->cond, a, b);
        if (x->weight < HEAVY || pure)
            return x;
    }
    int32_t lo = a->lo < b->lo ? a->lo : b->lo, hi = a->hi > b->hi ? a->hi : b->hi;
    int slot = x_new_slot(l, a->type, lo, hi, "joined", NULL);
    Block *outer = l->block;
    for (int i = 0; i < 2; i++) {
        l->block = &k->path[i].block;
        Y *y = y_add(l, ST_LET, l->at);
        y->id = slot;
        y->x[0] = i ? b : a;
    }
    l->block = outer;
    return x_local(l, slot);
}

// Brings both to the same form, so that their parts can be joined one by one.
static Value join_value(Lower *l, Fork *k, Value a, Value b, bool pure) {
    if (value_same(&a, &b))
        return a;
    if (pure)
        return value_merge(l, k->cond, a, b);
    if (a.kind == b.kind && (a.kind == V_INT || a.kind == V_BOOL)) {
        a.x = join_x(l, k, a.x, b.x, false);
        return a;
    }
    if (a.kind == V_STRING && b.kind == V_STRING) {
        Space space = a.space == b.space && a.space != SP_TEXT ? a.space : SP_WORD;
        return value_string(space,
                            join_x(l, k, string_as(l, a, space), string_as(l, b, space), false));
    }
    Carrier both_ways = carrier_of(&(Value){.kind = V_EITHER, .a = &a, .b = &b});
    if (both_ways.kind != V_EITHER && both_ways.kind != V_LOST) {
        X *x[2], *has[2];
        carrier_pack(l, both_ways, &a, &x[0], &has[0]);
        carrier_pack(l, both_ways, &b, &x[1], &has[1]);
        return carrier_value(l, both_ways, join_x(l, k, x[0], x[1], false),
                             join_x(l, k, has[0], has[1], false));
    }
    if (a.kind == V_EITHER || b.kind == V_EITHER || a.kind != b.kind) {
        // Which branch it was decides which kind it has. What is in the branches must last.
        Value *both = ARENA_ARRAY(l->arena, Value, 2);
        X *cond = k->cond->reads ? NULL : k->cond;
        if (!cond || !lasts(k, cond))
            cond = join_x(l, k, x_bool(l, true), x_bool(l, false), false);
        Block *outer = l->block;
        for (int i = 0; i < 2; i++) {
            l->block = &k->path[i].block;
            both[i] = flow_frozen(l, i ? b : a, ~0u);
        }
        l->block = outer;
        return (Value){.kind = V_EITHER, .x = cond, .a = &both[0], .b = &both[1]};
    }
    return value_merge(l, k->cond, a, b); // sets: of things that last, or else found out later
}

Value flow_join(Lower *l, Fork *k) {
    Path *p = k->path;
    l->env = k->env;
    l->player = k->player;
    l->block = k->block;
    l->fact = k->fact;
    l->facts = k->facts;
    l->fact_cap = k->facts; // what comes next gets a place of its own
    bool pure = !p[0].block.first && !p[1].block.first;
    Value value = p[0].value;
    if (p[0].dead || p[1].dead) {
        const Path *live = p[0].dead ? &p[1] : &p[0];
        l->env = live->env;
        l->player = live->player;
        l->dead = live->dead;
        value = live->value;
        l->fact = live->fact;
        l->facts = l->fact_cap = live->facts;
    } else {
        l->dead = false;
        Value *env = env_copy(l);
        for (int i = 0; i < l->vars; i++)
            env[i] = join_value(l, k, p[0].env[i], p[1].env[i], pure);
        l->env = env;
        l->player = join_x(l, k, p[0].player, p[1].player, pure);
        value = join_value(l, k, p[0].value, p[1].value, pure);
        // A change of the position in a branch ends what was known.
        for (int i = 0; i < k->facts; i++)
            if (!p[0].fact[i].x || !p[1].fact[i].x) {
                if (l->fact == k->fact) {
                    Fact *copy = ARENA_ARRAY(l->arena, Fact, k->facts + 1);
                    memcpy(copy, k->fact, sizeof *copy * (size_t)k->facts);
                    l->fact = copy;
                }
                l->fact[i].x = NULL;
            }
    }
    if (p[0].block.first || p[1].block.first) {
        Y *y = y_add(l, ST_IF, l->at);
        y->x[0] = k->cond;
        y->body = p[0].block.first;
        y->other = p[1].block.first;
    }
    return value;
}
