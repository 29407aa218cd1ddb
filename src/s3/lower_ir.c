// Statements as IR, and the numbers of locals. See lower.h.

#include "s3/lower_out.h"

static int bits_for(int64_t values) {
    int bits = 0;
    while (((int64_t)1 << bits) < values)
        bits++;
    return bits;
}

static int add_site(Lower *l, const Y *y) {
    IrGame *g = l->g;
    const Slot *slot = &l->slot[y->id];
    ARENA_GROW(l->arena, IrSite, g->site, g->sites, g->site_cap);
    IrSite *site = &g->site[g->sites];
    *site = (IrSite){.name = y->name,
                     .type = out_type(y->labels ? TY_INT : TY_CELL),
                     .lo = slot->lo,
                     .hi = slot->hi,
                     .say = y->say,
                     .before = y->before,
                     .after = "",
                     .labels = y->labels,
                     .slot = slot->final,
                     .span = y->span};
    if (y->kind == ST_CHOOSE)
        site->bits = bits_for((int64_t)slot->hi - slot->lo + 1);
    return g->sites++;
}

static void choice(Lower *l, const Y *y, IrStmt *s) {
    s->domain = ARENA_NEW(l->arena, IrDomain);
    s->domain->kind = DOM_SET;
    s->domain->a = out_convert(l, y->x[0]);
    s->domain->slot = l->slot[y->id].final;
    if (y->kind == ST_CHOOSE)
        s->id = add_site(l, y);
}

static IrStmt *statements(Lower *l, const Y *list);

static IrStmt *statement(Lower *l, const Y *y) {
    IrStmt *s = ARENA_NEW(l->arena, IrStmt);
    s->kind = y->kind;
    s->id = y->id;
    s->span = y->span;
    s->text = y->text;
    if (y->kind == ST_CHOOSE || y->kind == ST_FOR) {
        choice(l, y, s);
    } else {
        for (int i = 0; i < 3; i++)
            s->e[i] = y->x[i] ? out_convert(l, y->x[i]) : NULL;
    }
    switch (y->kind) {
    case ST_LET:
        s->id = l->slot[y->id].final;
        if (y->name)
            s->value = add_site(l, y) + 1;
        break;
    case ST_ASSIGN:
        if (y->id == VAR_SCORE) {
            IrExpr *who = ARENA_NEW(l->arena, IrExpr);
            *who = *s->e[1];
            who->type = out_type(TY_PLAYER);
            s->e[1] = who;
        }
        s->id =
            y->id < VAR_SCRATCH ? l->var_id[y->id] : l->var_id[VAR_SCRATCH] + y->id - VAR_SCRATCH;
        break;
    case ST_CHANGE: {
        int owner = l->g->plane[y->id].owner;
        if (owner < l->g->players)
            s->e[1] = out_const(l, TY_PLAYER, owner);
        break;
    }
    case ST_NEXT: {
        IrExpr *who = ARENA_NEW(l->arena, IrExpr);
        *who = *s->e[0];
        who->type = out_type(TY_PLAYER);
        s->e[0] = who;
        break;
    }
    default: break;
    }
    s->body = statements(l, y->body);
    s->other = statements(l, y->other);
    return s;
}

static IrStmt *statements(Lower *l, const Y *list) {
    IrStmt *first = NULL, **tail = &first;
    for (const Y *y = list; y; y = y->next) {
        *tail = statement(l, y);
        tail = &(*tail)->next;
    }
    return first;
}

static void number_slots(Lower *l, int frame, IrFrame *out) {
    for (int i = 0; i < l->slots; i++) {
        Slot *s = &l->slot[i];
        if (!s->used || s->frame != frame)
            continue;
        IrType type = out_type(s->type == T_BOOL   ? TY_BOOL
                               : s->type == T_CELL ? TY_CELL
                               : s->type == T_SET  ? TY_SET
                                                   : TY_INT);
        type.optional = s->type == T_CELL && s->hi == l->f->locations;
        s->final = ir_add_slot(l->g, out, type, s->name);
    }
}

void ir_make_turn(Lower *l, Block *turn) {
    IrGame *g = l->g;
    number_slots(l, 0, &g->turn_frame);
    for (Proc *p = l->proc; p; p = p->next) {
        number_slots(l, p->number, &p->ir->frame);
        ARENA_GROW(l->arena, IrProc *, g->proc, g->procs, g->proc_cap);
        g->proc[g->procs++] = p->ir;
    }
    g->turn = statements(l, turn->first);
    for (Proc *p = l->proc; p; p = p->next)
        p->ir->body = statements(l, p->block.first);
}
