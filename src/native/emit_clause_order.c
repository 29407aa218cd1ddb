// Which literal of a clause comes next: the one that gives the fewest values, as far as can be told
// from the sizes of the types. Rows are gone through before their bits, so that conditions on what
// tells rows apart come first and the bits of several rows are taken together.
#include "native/emit_relation.h"

#define COST_LAST 1e12 // for the variable that is to come last
#define COST_FIXED 60  // for all values of a variable of which some literal will tell the only one
#define LESS 0.3       // of the members that pass one more condition, roughly
#define ELSEWHERE 10   // times as dear: what has nothing to do with the values so far

static double values_of(const ClausePlan *p, int var) {
    return (double)p->var[var].hi - p->var[var].lo + 1;
}

uint64_t clause_alone(const ClausePlan *p, const ClauseNow *now, int var) {
    uint64_t lits = 0;
    for (uint64_t left = now->left; left;) {
        int n = bits_pop(&left);
        const ClauseLit *l = &p->lit[n];
        if (l->kind != CLAUSE_NAME && ((l->needs | l->gives) & ~now->bound) == (uint64_t)1 << var)
            lits |= (uint64_t)1 << n;
    }
    return lits;
}

static bool repeats(const ClauseLit *l, uint64_t open) {
    for (int n = 0; n < l->atom.rel->r->params; n++)
        for (int i = 0; i < n; i++)
            if (l->var[n] >= 0 && l->var[n] == l->var[i] && open >> l->var[n] & 1)
                return true;
    return false;
}

// Whether the values that a literal gives are among those that the variable may have.
static bool inside(const ClausePlan *p, const ClauseLit *l, uint64_t open) {
    const IrRelation *r = l->kind == CLAUSE_ATOM ? l->atom.rel->r : NULL;
    for (int n = 0; r && n < r->params; n++) {
        int var = l->var[n];
        if (var >= 0 && open >> var & 1 &&
            (r->lo[n] < p->var[var].lo || r->lo[n] + r->size[n] - 1 > p->var[var].hi))
            return false;
    }
    if (r || l->kind != CLAUSE_MEMBER || l->domain->kind != DOM_RANGE)
        return true;
    return l->domain->a->lo >= p->var[l->x].lo && l->domain->b->hi <= p->var[l->x].hi;
}

static void consider(ClauseChoice *best, const ClauseLit *l, int value_of, double cost) {
    if (cost < best->cost)
        *best = (ClauseChoice){l, value_of, cost};
}

// Variables that some literal will tell.
static uint64_t fixed_later(const ClausePlan *p, const ClauseNow *now) {
    uint64_t vars = 0;
    for (uint64_t left = now->left; left;) {
        const ClauseLit *l = &p->lit[bits_pop(&left)];
        if (l->fixes >= 0)
            vars |= (uint64_t)1 << l->fixes;
    }
    return vars & ~now->bound;
}

static double cost_of_cells(const ClausePlan *p, const ClauseNow *now, int var) {
    double cost = values_of(p, var);
    for (int n = bits_count(clause_alone(p, now, var)); n > 0; n--)
        cost *= LESS;
    return cost;
}

static double cost_of_var(const ClausePlan *p, const ClauseNow *now, int var, uint64_t fixed) {
    if (var == p->set_var)
        return COST_LAST;
    if (p->var[var].type.kind == TY_CELL)
        return cost_of_cells(p, now, var);
    return values_of(p, var) + (fixed >> var & 1 ? COST_FIXED : 0);
}

static void consider_atom(const ClausePlan *p, const ClauseNow *now, const ClauseLit *l,
                          uint64_t fixed, ClauseChoice *best) {
    const EmitRelation *rel = l->atom.rel;
    uint64_t open = l->gives & ~now->bound;
    int bit = rel->bit >= 0 ? l->var[rel->bit] : -1;
    uint64_t bit_var = bit >= 0 && open >> bit & 1 ? (uint64_t)1 << bit : 0;
    double times = l->atom.where == KNOWN_LAST                           ? 0.01
                   : now->bound && !((l->gives | l->needs) & now->bound) ? ELSEWHERE
                                                                         : 1;
    bool twice = repeats(l, open);
    if (!twice && bits_count(open) == 1) {
        double cost = cost_of_var(p, now, bits_pop(&open), fixed);
        consider(best, l, -1, cost * times * (bit_var && rel->cells ? 1 : LESS));
        return;
    }
    for (uint64_t left = twice ? open : open & ~bit_var; left;) {
        int var = bits_pop(&left);
        consider(best, l, var, cost_of_var(p, now, var, fixed) * times);
    }
}

ClauseChoice clause_choose(const ClausePlan *p, const ClauseNow *now) {
    ClauseChoice best = {.value_of = -1, .cost = 1e300};
    uint64_t fixed = fixed_later(p, now);
    for (uint64_t lits = now->left; lits;) {
        const ClauseLit *l = &p->lit[bits_pop(&lits)];
        uint64_t open = l->gives & ~now->bound;
        if (!open || l->needs & ~now->bound || !inside(p, l, open))
            continue;
        if (l->kind == CLAUSE_ATOM) {
            consider_atom(p, now, l, fixed, &best);
        } else if (l->kind == CLAUSE_COND) {
            consider(&best, l, -1, 0.1);
        } else {
            bool few = l->domain->kind == DOM_LINES && l->domain->a;
            double cost = few ? 4 : cost_of_var(p, now, l->x, fixed);
            bool elsewhere = now->bound && !l->needs && p->var[l->x].type.kind != TY_PLAYER;
            consider(&best, l, -1, elsewhere ? cost * ELSEWHERE : cost);
        }
    }
    return best;
}
