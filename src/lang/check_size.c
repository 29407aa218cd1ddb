// check_size: how much a move can hold. See checker.h.

#include "lang/checker.h"

static double domain_size(const IrGame *g, const IrDomain *d) {
    if (d->kind == DOM_RANGE)
        return d->b->hi < d->a->lo ? 0 : (double)d->b->hi - d->a->lo + 1;
    if (d->kind != DOM_MASK)
        return d->kind == DOM_SET ? g->board->cells : g->board->lines;
    IrType member = {.kind = d->a->type.of, .of_enum = d->a->type.of_enum};
    return member.kind == TY_INT ? 64 : ir_domain_size(g, member, 0, 0);
}

static void count_branches(const IrGame *g, const IrStmt *s, double *bits, double *choices) {
    double most_bits = 0, most_choices = 0;
    for (const IrStmt *b = s->body; b; b = b->sibling) {
        double x = 0, y = 0;
        check_count_choices(g, b->body, &x, &y);
        most_bits = x > most_bits ? x : most_bits;
        most_choices = y > most_choices ? y : most_choices;
    }
    *bits += most_bits + g->site[s->id].bits;
    *choices += most_choices + 1;
}

void check_count_choices(const IrGame *g, const IrStmt *s, double *bits, double *choices) {
    for (; s; s = s->next) {
        double x = 0, y = 0, u = 0, v = 0, times = 1;
        if (s->kind == ST_CHOOSE) {
            *bits += g->site[s->id].bits;
            *choices += 1;
        } else if (s->kind == ST_EITHER) {
            count_branches(g, s, bits, choices);
        } else if (s->body || s->other) {
            check_count_choices(g, s->body, &x, &y);
            check_count_choices(g, s->other, &u, &v);
            if (s->kind == ST_FOR)
                times = domain_size(g, s->domain);
            else if (s->kind == ST_WHILE)
                times = s->id;
            *bits += times * (x > u ? x : u);
            *choices += times * (y > v ? y : v);
        }
    }
}
