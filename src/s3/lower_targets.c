// Where a rule lets a piece go: a set of cells over the cell that it comes from. See lower.h.

#include "s3/lower.h"

static bool has_cell(const uint64_t *words, int c) {
    return words[c / 64] >> (c % 64) & 1;
}

typedef struct Parts { // of a condition: all must hold
    X *of_from, *fixed, *rest;
} Parts;

static void split(Lower *l, X *x, const X *from, const X *it, Parts *p) {
    if (x->op == X_BOTH) {
        split(l, x->kid[0], from, it, p);
        split(l, x->kid[1], from, it, p);
        return;
    }
    bool mine = x_is_static(x);
    for (int i = 0; mine && i < x->atoms; i++)
        mine = x->atom[i] == from || x->atom[i] == it;
    X **part = mine ? &p->fixed : x_mentions(x, it) ? &p->rest : &p->of_from;
    *part = *part ? x_both(l, *part, x) : x;
}

// By from cell: which targets the part that needs no position allows.
static void find_fixed(Lower *l, RuleUse *use, X *from, X *it, const uint64_t *to, X *fixed) {
    int words = l_words(l);
    for (int f = 0; f < l->f->locations; f++) {
        if (!has_cell(from->words, f))
            continue;
        for (int t = 0; t < l->f->locations; t++) {
            if (!has_cell(to, t))
                continue;
            int64_t value[2] = {0};
            for (int i = 0; fixed && i < fixed->atoms; i++)
                value[i] = fixed->atom[i] == from ? f : fixed->atom[i] == it ? t : 0;
            if (!fixed || x_eval(l, fixed, value[0], value[1]))
                use->fixed[f * words + t / 64] |= (uint64_t)1 << (t % 64);
        }
    }
}

// The fixed targets as a set: a constant if they are the same from everywhere.
static X *fixed_set(Lower *l, const RuleUse *use, X *from) {
    int words = l_words(l);
    const uint64_t *first = NULL;
    bool same = true;
    for (int f = 0; f < l->f->locations; f++) {
        if (!has_cell(from->words, f))
            continue;
        if (!first)
            first = use->fixed + f * words;
        same &= memcmp(first, use->fixed + f * words, sizeof *first * (size_t)words) == 0;
    }
    if (!first)
        return x_pieces(l, 0);
    return same ? x_cells(l, first) : x_sets(l, from, use->fixed);
}

// A condition that has statements: a loop that collects the cells where it holds.
static X *collect(Lower *l, const Block *steps, X *cond, X *among, X *it) {
    int set = x_new_slot(l, T_SET, 0, 0, "targets", NULL);
    Y *begin = y_add(l, ST_LET, l->at);
    begin->id = set;
    begin->x[0] = x_pieces(l, 0);
    Y *loop = y_add(l, ST_FOR, l->at);
    loop->id = (int)it->value;
    loop->x[0] = among;
    Block body = *steps, *outer = l->block;
    l->block = &body;
    Y *test = y_add(l, ST_IF, l->at);
    test->x[0] = cond;
    Block add = {0};
    l->block = &add;
    Y *y = y_add(l, ST_LET, l->at);
    y->id = set;
    y->x[0] = x_set(l, X_OR, x_local(l, set), x_single(l, it));
    test->body = add.first;
    l->block = outer;
    loop->body = body.first;
    return x_local(l, set);
}

// from, to and condition.
static void by_condition(Lower *l, RuleUse *use, X *from, uint64_t *cells, int player) {
    const S3Rule *r = use->rule;
    int slot = x_new_slot(l, T_CELL, 0, l->f->locations - 1, "it", cells);
    X *it = x_local(l, slot), *cond = x_bool(l, true);
    Block steps = {0}, *outer = l->block;
    l->block = &steps;
    apply_clear(l, player);
    apply_bind_rule(l, r, x_elem(l, l->named_from), l->named_from, player);
    apply_bind(l, r->to, it, SP_CELL);
    l->from = from;
    l->to = it;
    l->moved = false;
    l->position_fixed = true;
    if (r->condition)
        cond = follow_true(l, r->condition);
    l->position_fixed = false;
    l->block = outer;
    l->to = NULL;
    l->dead = false;
    Parts p = {0};
    if (!steps.first)
        split(l, cond, from, it, &p);
    find_fixed(l, use, from, it, cells, p.fixed);
    X *among = x_set(l, X_AND, x_free(l), fixed_set(l, use, from));
    if (steps.first) {
        use->ok = collect(l, &steps, cond, among, it);
        return;
    }
    use->ok = p.rest ? x_filter(l, among, slot, p.rest) : among;
    if (p.of_from)
        use->ok = x_cond(l, p.of_from, use->ok, x_pieces(l, 0));
}

// A member that is there, and whose target names no place.
static X *there_but_unknown(Lower *l, X *when, X *cell) {
    Kept kept = flow_keep(l);
    flow_own_facts(l);
    flow_assume(l, when, true);
    X *none = flow_known(l, x_compare(l, X_EQ, cell, x_cell(l, l->f->locations)));
    flow_put_back(l, &kept);
    return x_both(l, when, none);
}

// toLocations: a set of places, or of places with an action.
static void by_list(Lower *l, RuleUse *use, X *from, uint64_t *cells, int player) {
    const S3Rule *r = use->rule;
    apply_clear(l, player);
    apply_bind_rule(l, r, x_elem(l, l->named_from), l->named_from, player);
    l->from = from;
    l->moved = false;
    l->position_fixed = true;
    Value v = need_kind(l, follow(l, r->to_locations, false), V_SET, r->to_locations->span);
    X *set = x_pieces(l, 0);
    for (int i = 0; i < v.items && !l->dead; i++) {
        const Value *action;
        X *cell = apply_target(l, &v.item[i].value, &action, r->to_locations->span);
        X *none = there_but_unknown(l, v.item[i].when, cell);
        flow_fail_if(l, none, r->to_locations->span, "toLocations names a place that is not there");
        set = x_set(l, X_OR, set, x_cond(l, v.item[i].when, x_single(l, cell), x_pieces(l, 0)));
    }
    X *cond = x_bool(l, true);
    if (r->condition && !l->dead)
        cond = follow_true(l, r->condition);
    l->position_fixed = false;
    l->dead = false;
    find_fixed(l, use, from, from, cells, NULL);
    set = x_set(l, X_AND, set, x_set(l, X_AND, x_free(l), x_cells(l, cells)));
    use->ok = x_cond(l, cond, set, x_pieces(l, 0));
}

bool targets_find(Lower *l, RuleUse *use, X *from, uint64_t *cells, int player) {
    use->fixed = ARENA_ARRAY(l->arena, uint64_t, l_words(l) * l->f->locations + 1);
    if (use->rule->to_locations)
        by_list(l, use, from, cells, player);
    else
        by_condition(l, use, from, cells, player);
    return !l->broken && !l->too_large;
}
