// Variables that make no difference to which moves there are and how a game goes on: ir_silent.
//
// Such are the names of pieces that look alike: they are copied from place to place and written
// into moves, but nothing is decided by them. All clocks are taken to be silent at first, and all
// locals; whoever is read where something is decided is not, until nothing changes any more.
#include "ir/ir.h"

typedef struct Silence {
    const IrGame *g;
    bool *var;   // still silent
    bool *local; // of the frame looked at
    bool *func;  // definitions that were looked into
    bool changed;
} Silence;

static void loud(Silence *s, const IrExpr *e);

static void loud_domain(Silence *s, const IrDomain *d) {
    if (!d)
        return;
    loud(s, d->a);
    loud(s, d->b);
    loud(s, d->where);
}

static void drop(Silence *s, bool *flag) {
    s->changed |= *flag;
    *flag = false;
}

// Everything that e reads decides something.
static void loud(Silence *s, const IrExpr *e) {
    if (!e)
        return;
    if (e->op == IR_LOCAL && s->local)
        drop(s, &s->local[e->id]);
    if (e->op == IR_VAR)
        drop(s, &s->var[e->id]);
    if (e->op == IR_CALL) {
        for (int n = 0; n < s->g->func[e->id]->params; n++)
            loud(s, e->args[n]);
        if (!s->func[e->id]) {
            bool *kept = s->local;
            s->func[e->id] = true;
            s->local = NULL; // the locals of a definition are its own
            loud(s, s->g->func[e->id]->body);
            s->local = kept;
        }
    }
    for (int n = 0; n < 3; n++)
        loud(s, e->kid[n]);
    loud_domain(s, e->domain);
}

// What is only copied stays silent: a local, or an entry of a variable.
static void copied(Silence *s, const IrExpr *e) {
    if (e->op == IR_VAR)
        loud(s, e->kid[0]); // which entry it is decides
    else if (e->op != IR_LOCAL)
        loud(s, e);
}

static bool is_silent(const Silence *s, const IrExpr *e) {
    if (e->op == IR_LOCAL)
        return s->local[e->id];
    return e->op == IR_VAR ? s->var[e->id] : false;
}

// `to` gets the value of e, which has to be in lo..hi. If that is certain and nothing is decided by
// `to`, nothing is decided by what e reads either.
static void give(Silence *s, bool *to, const IrExpr *e, int32_t lo, int32_t hi) {
    if (!*to)
        loud(s, e);
    else if (e->op == IR_VAR || e->op == IR_LOCAL || e->lo < lo || e->hi > hi)
        copied(s, e);
}

// A choice of one number with a text, such as the name of a piece.
static bool names_one(const IrGame *g, const IrStmt *s) {
    const IrSite *site = &g->site[s->id];
    const IrDomain *d = s->domain;
    if (!site->labels || d->kind != DOM_RANGE || d->where)
        return false;
    const IrExpr *a = d->a, *b = d->b;
    if (a == b)
        return true;
    if (a->op != b->op || a->id != b->id)
        return false;
    if (a->op != IR_VAR)
        return a->op == IR_LOCAL;
    const IrExpr *m = a->kid[0], *n = b->kid[0];
    return m == n || (m && n && m->op == IR_LOCAL && n->op == IR_LOCAL && m->id == n->id);
}

static void visit(Silence *s, const IrStmt *list) {
    for (; list; list = list->kind == ST_BRANCH ? list->sibling : list->next) {
        switch (list->kind) {
        case ST_LET: give(s, &s->local[list->id], list->e[0], INT32_MIN, INT32_MAX); break;
        case ST_ASSIGN:
            loud(s, list->e[1]);
            give(s, &s->var[list->id], list->e[0], s->g->var[list->id].lo, s->g->var[list->id].hi);
            break;
        case ST_CHOOSE:
            if (names_one(s->g, list) && is_silent(s, list->domain->a)) {
                give(s, &s->local[list->domain->slot], list->domain->a, INT32_MIN, INT32_MAX);
            } else {
                drop(s, &s->local[list->domain->slot]);
                loud_domain(s, list->domain);
            }
            break;
        default:
            if (list->domain)
                drop(s, &s->local[list->domain->slot]);
            for (int n = 0; n < 3; n++)
                loud(s, list->e[n]);
            loud_domain(s, list->domain);
            break;
        }
        visit(s, list->body);
        visit(s, list->other);
    }
}

static void visit_rules(Silence *s, const IrRules *rules) {
    s->local = NULL;
    for (int i = 0; i < rules->count; i++) {
        loud(s, rules->rule[i].cond);
        loud(s, rules->rule[i].player);
        loud(s, rules->rule[i].score);
    }
}

static void start_locals(bool *local, int slots) {
    for (int i = 0; i < slots; i++)
        local[i] = true;
}

void ir_silent(const IrGame *g, Arena *arena, bool *silent) {
    int bodies = g->procs + 1;
    bool **local = ARENA_ARRAY(arena, bool *, bodies);
    Silence s = {.g = g, .var = silent, .func = ARENA_ARRAY(arena, bool, g->funcs + 1)};
    for (int i = 0; i < g->vars; i++)
        silent[i] = g->var[i].clock;
    for (int i = 0; i < bodies; i++) {
        int slots = i ? g->proc[i - 1]->frame.slots : g->turn_frame.slots;
        local[i] = ARENA_ARRAY(arena, bool, slots + 1);
        start_locals(local[i], slots);
    }
    do {
        s.changed = false;
        for (int i = 0; i < bodies; i++) {
            s.local = local[i];
            visit(&s, i ? g->proc[i - 1]->body : g->turn);
        }
        visit_rules(&s, &g->end);
        visit_rules(&s, &g->stuck);
        visit_rules(&s, &g->all_stuck);
    } while (s.changed);
}
