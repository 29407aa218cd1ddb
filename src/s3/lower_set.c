// Sets: lists of members, each with the condition on which it is there. See lower.h.
//
// A set never exists while playing: what is asked of it becomes conditions on its members.

#include "s3/lower.h"

#define MOST_ITEMS 600
// Members that are perhaps there, in sets that are compared: each doubles the ways to compare.
#define MOST_OPEN 8

static void add_item(Lower *l, Value *set, X *when, Value value, int *cap) {
    if (x_is(when, 0))
        return;
    if (set->items == MOST_ITEMS) {
        l->too_large = true;
        return;
    }
    ARENA_GROW(l->arena, Item, set->item, set->items, *cap);
    set->item[set->items++] = (Item){when, value};
}

Value set_literal(Lower *l, const S3Node *node) {
    Value set = {.kind = V_SET, .lazy = node->kind == S3_LAZY};
    int cap = 0;
    for (int i = 0; i < node->kids && !l->dead; i++) {
        const S3Node *kid = node->kid[i];
        unsigned changes = kinds_changes(l, kid);
        Value v;
        if (set.lazy && kid->kind == S3_CALL) { // kept, with its arguments as they are now
            v = (Value){.kind = V_ACTION, .call = kid, .items = kid->kids};
            v.item = ARENA_ARRAY(l->arena, Item, kid->kids + 1);
            for (int k = 0; k < kid->kids; k++)
                v.item[k] = (Item){x_bool(l, true), follow(l, kid->kid[k], false)};
        } else {
            if (changes)
                set = flow_frozen(l, set, changes);
            v = follow(l, kid, false);
        }
        if (changes)
            cap = set.items;
        add_item(l, &set, x_bool(l, true), v, &cap);
    }
    return set;
}

static X *is_in(Lower *l, const Value *v, const Value *set, Span span) {
    X *x = x_bool(l, false);
    for (int i = 0; i < set->items; i++)
        x = x_either(l, x,
                     x_both(l, set->item[i].when, value_equal(l, *v, set->item[i].value, span)));
    return x;
}

// Whether the members from i and k on are the same, in order; only those that are there count.
static X *equal_from(Lower *l, const Value *a, const Value *b, int i, int k, Span span) {
    if (l->too_large || l->dead)
        return x_bool(l, false);
    const Item *x = i < a->items ? &a->item[i] : NULL, *y = k < b->items ? &b->item[k] : NULL;
    if (!x && !y)
        return x_bool(l, true);
    X *here = x_bool(l, false);
    if (x && y) {
        here = value_equal(l, x->value, y->value, span);
        if (!x_is(here, 0))
            here = x_both(l, here, equal_from(l, a, b, i + 1, k + 1, span));
    }
    if (y && !x_is(y->when, 1))
        here = x_cond(l, y->when, here, equal_from(l, a, b, i, k + 1, span));
    if (x && !x_is(x->when, 1))
        here = x_cond(l, x->when, here, equal_from(l, a, b, i + 1, k, span));
    return here;
}

X *set_equal(Lower *l, Value a, Value b, Span span) {
    if (a.kind == V_ACTION && a.call->function != b.call->function)
        return x_bool(l, false);
    int open = 0;
    for (int i = 0; i < a.items + b.items; i++)
        open += !x_is((i < a.items ? a.item[i] : b.item[i - a.items]).when, 1);
    if (!open && a.items != b.items)
        return x_bool(l, false);
    if (open > MOST_OPEN) {
        flow_fail(l, span, "sets of which so little is known cannot be compared");
        return x_bool(l, false);
    }
    return equal_from(l, &a, &b, 0, 0, span);
}

// Members of a, without (or only with) those of b.
static Value sift(Lower *l, const Value *a, const Value *b, bool keep, Span span) {
    Value set = {.kind = V_SET};
    int cap = 0;
    for (int i = 0; i < a->items; i++) {
        X *in = is_in(l, &a->item[i].value, b, span);
        X *when = x_both(l, a->item[i].when, keep ? in : x_not(l, in));
        add_item(l, &set, when, a->item[i].value, &cap);
    }
    return set;
}

Value set_binary(Lower *l, const S3Node *node, Value a, Value b) {
    Span span = node->span;
    b = need_kind(l, b, V_SET, node->kid[1]->span);
    if (node->op == S3_IN)
        return value_bool(is_in(l, &a, &b, span));
    a = need_kind(l, a, V_SET, node->kid[0]->span);
    if (l->dead)
        return a;
    switch (node->op) {
    case S3_SUBSET: {
        X *x = x_bool(l, true);
        for (int i = 0; i < a.items; i++)
            x = x_both(l, x,
                       x_either(l, x_not(l, a.item[i].when), is_in(l, &a.item[i].value, &b, span)));
        return value_bool(x);
    }
    case S3_SETMINUS: return sift(l, &a, &b, false, span);
    case S3_INTERSECT: return sift(l, &a, &b, true, span);
    default: break;
    }
    Value set = {.kind = V_SET};
    int cap = 0;
    for (int i = 0; i < b.items; i++) // the right side comes first
        add_item(l, &set, b.item[i].when, b.item[i].value, &cap);
    Value rest = sift(l, &a, &b, false, span);
    for (int i = 0; i < rest.items; i++)
        add_item(l, &set, rest.item[i].when, rest.item[i].value, &cap);
    return set;
}

// The members of one set or the other.
Value set_merge(Lower *l, X *cond, Value a, Value b) {
    Value set = {.kind = V_SET, .lazy = a.lazy && b.lazy};
    int cap = 0, at = 0;
    for (int i = 0; i < a.items; i++) {
        int same = -1;
        for (int k = at; k < b.items && same < 0; k++)
            if (value_same(&a.item[i].value, &b.item[k].value))
                same = k;
        for (; same >= 0 && at < same; at++)
            add_item(l, &set, x_both(l, x_not(l, cond), b.item[at].when), b.item[at].value, &cap);
        if (same >= 0) {
            add_item(l, &set, x_cond(l, cond, a.item[i].when, b.item[same].when), a.item[i].value,
                     &cap);
            at++;
        } else {
            add_item(l, &set, x_both(l, cond, a.item[i].when), a.item[i].value, &cap);
        }
    }
    for (; at < b.items; at++)
        add_item(l, &set, x_both(l, x_not(l, cond), b.item[at].when), b.item[at].value, &cap);
    return set;
}
