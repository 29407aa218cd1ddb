// What nobody reads is dropped: values that were kept for nothing, branches without effect. The
// locals that are left get their numbers. See lower.h.

#include "s3/lower.h"

typedef struct Tidy {
    Lower *l;
    bool again;
} Tidy;

static void mark_x(Tidy *t, X *x) {
    Lower *l = t->l;
    if (!x || x->seen == l->walk)
        return;
    x->seen = l->walk;
    if (x->op == X_LOCAL || x->op == X_FILTER) {
        Slot *s = &l->slot[x->value];
        t->again |= !s->used;
        s->used = true;
    }
    if (x->op == X_WHERE) {
        t->again |= !l->uses_at;
        l->uses_at = true;
    }
    for (int i = 0; i < x->kids; i++)
        mark_x(t, x->kid[i]);
}

static bool has_effect(const Lower *l, const Y *y) {
    switch (y->kind) {
    case ST_LET: return y->name || l->slot[y->id].used;
    case ST_ASSIGN: return y->id != VAR_AT || l->uses_at;
    case ST_IF:
    case ST_WHILE:
    case ST_FOR: return false;
    default: return true;
    }
}

static bool mark_list(Tidy *t, Y *list) {
    bool any = false;
    for (Y *y = list; y; y = y->next) {
        bool inside = mark_list(t, y->body);
        inside |= mark_list(t, y->other);
        y->needed |= inside || has_effect(t->l, y);
        if (!y->needed)
            continue;
        any = true;
        for (int i = 0; i < 3; i++)
            mark_x(t, y->x[i]);
        if (y->kind == ST_CHOOSE || y->kind == ST_FOR || y->kind == ST_LET)
            t->l->slot[y->id].used = true;
    }
    return any;
}

static Y *sweep(Y *list) {
    while (list && !list->needed)
        list = list->next;
    for (Y *y = list; y; y = y->next) {
        y->body = sweep(y->body);
        y->other = sweep(y->other);
        while (y->next && !y->next->needed)
            y->next = y->next->next;
    }
    return list;
}

static void mark_all(Lower *l, Block *turn) {
    Tidy t = {.l = l, .again = true};
    while (t.again) {
        t.again = false;
        l->walk++;
        mark_list(&t, turn->first);
        for (Proc *p = l->proc; p; p = p->next)
            mark_list(&t, p->block.first);
    }
}

void tidy_statements(Lower *l, Block *turn) {
    mark_all(l, turn);
    turn_settle(l);
    mark_all(l, turn);
    turn->first = sweep(turn->first);
    for (Proc *p = l->proc; p; p = p->next)
        p->block.first = sweep(p->block.first);
}
