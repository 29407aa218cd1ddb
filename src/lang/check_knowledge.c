// check_knowledge: facts, rules, worth and prefer, in the order in which they are checked. See
// check_knowledge.h.

#include "lang/check_knowledge.h"

// --- declarations ---

static void add_line(Checker *c, int relation, const Node *line) {
    Relation *r = &c->know->relation[relation];
    ARENA_GROW(c->arena, const Node *, r->line, r->lines, r->line_cap);
    r->line[r->lines++] = line;
}

// The relation of a line: a new one, or one of the lines above. -1 if something is wrong.
static int declare(Checker *c, const Node *atom, bool derived) {
    struct Knower *know = c->know;
    Symbol *old = names_find(c, atom->word);
    if (old && old->kind == SYM_RELATION && old->id >= know->first) {
        const IrRelation *r = &know->k->relation[old->id];
        if (r->derived != derived) {
            diag_error(c->diags, atom->extra_span, "`%s` is a %s, declared %s", atom->word,
                       relation_noun(r), names_place(c, old));
            diag_help(c->diags, "a name is a fact or a rule, not both: choose another name");
            return -1;
        }
        if (r->params != atom->count) {
            diag_error(c->diags, atom->span, "`%s` has %d argument%s in line %d, not %d",
                       atom->word, r->params, r->params == 1 ? "" : "s", old->span.line,
                       atom->count);
            return -1;
        }
        return old->id;
    }
    if (atom->count > IR_MAX_ARGS) {
        diag_error(c->diags, atom->span, "`%s` has %d arguments; at most %d are possible",
                   atom->word, atom->count, IR_MAX_ARGS);
        return -1;
    }
    int id = know->k->relations;
    if (id == IR_MAX_RELATIONS) {
        diag_error(c->diags, atom->extra_span, "there are more than %d facts and rules",
                   IR_MAX_RELATIONS);
        return -1;
    }
    if (!names_add(c, SYM_RELATION, id, atom->word, atom->extra_span))
        return -1;
    know->k->relations++;
    know->k->relation[id] = (IrRelation){
        .name = atom->word, .params = atom->count, .derived = derived, .span = atom->extra_span};
    know->relation[id] = (Relation){.component = -1};
    return id;
}

static bool has_knowledge(const Node *file) {
    for (int i = 0; i < file->count; i++) {
        NodeKind kind = file->kids[i]->kind;
        if (kind == N_FACTS || kind == N_RULES || kind == N_WORTH || kind == N_PREFER)
            return true;
    }
    return false;
}

void check_declare_knowledge(Checker *c, const Node *file) {
    if (!has_knowledge(file))
        return;
    if (!c->know) {
        c->know = ARENA_NEW(c->arena, struct Knower);
        c->know->k = ARENA_NEW(c->arena, IrKnowledge);
        c->know->k->relation = ARENA_ARRAY(c->arena, IrRelation, IR_MAX_RELATIONS);
    }
    c->know->first = c->know->k->relations;
    for (int i = 0; i < file->count; i++) {
        const Node *part = file->kids[i];
        bool derived = part->kind == N_RULES;
        for (int k = 0; (derived || part->kind == N_FACTS) && k < part->count; k++) {
            int id = declare(c, part->kids[k]->kids[0], derived);
            if (id >= 0)
                add_line(c, id, part->kids[k]);
        }
    }
}

// --- what the whole says about each relation ---

typedef struct Uses { // a walk through checked expressions and the functions they call
    const IrGame *g;
    bool *func;
    bool me;
} Uses;

static void find_me(Uses *u, const IrExpr *e) {
    if (!e || u->me)
        return;
    u->me |= e->op == IR_ME;
    if (e->op == IR_CALL) {
        const IrFunc *f = u->g->func[e->id];
        for (int i = 0; i < f->params; i++)
            find_me(u, e->args[i]);
        if (!u->func[e->id]) {
            u->func[e->id] = true;
            find_me(u, f->body);
        }
    }
    for (int i = 0; e->op >= IR_KNOWN && e->op <= IR_KNOWN_SET && i < IR_MAX_ARGS; i++)
        find_me(u, e->args[i]);
    for (int i = 0; i < 3; i++)
        find_me(u, e->kid[i]);
    if (e->domain) {
        find_me(u, e->domain->a);
        find_me(u, e->domain->b);
        find_me(u, e->domain->where);
    }
}

static bool depends_on_me(Checker *c, const IrRelation *r) {
    Uses u = {.g = c->g, .func = ARENA_ARRAY(c->arena, bool, c->g->funcs + 1)};
    for (int i = 0; i < r->clauses; i++) {
        const IrClause *clause = &r->clause[i];
        for (int k = 0; k < r->params; k++)
            find_me(&u, clause->head[k]);
        for (int k = 0; k < clause->literals; k++) {
            const IrLiteral *lit = &clause->literal[k];
            find_me(&u, lit->cond);
            for (int t = 0; t < IR_MAX_ARGS; t++)
                find_me(&u, lit->term[t].value);
            if (lit->domain) {
                find_me(&u, lit->domain->a);
                find_me(&u, lit->domain->b);
                find_me(&u, lit->domain->where);
            }
        }
    }
    return u.me;
}

// Strata and dependence on `me`, by components in their order: what a member asks for outside its
// component is settled.
static void settle_component(Checker *c, int component) {
    struct Knower *know = c->know;
    int stratum = 0;
    bool me = false;
    for (int i = know->first; i < know->k->relations; i++) {
        const Relation *r = &know->relation[i];
        if (r->component != component)
            continue;
        stratum = know->k->relation[i].derived && stratum < 1 ? 1 : stratum;
        me |= depends_on_me(c, &know->k->relation[i]);
        for (int k = 0; k < r->asked; k++) {
            const IrRelation *to = &know->k->relation[r->asks[k].relation];
            if (know->relation[r->asks[k].relation].component == component)
                continue;
            stratum = to->stratum >= stratum ? to->stratum + 1 : stratum;
            me |= to->of_me;
        }
    }
    for (int i = know->first; i < know->k->relations; i++)
        if (know->relation[i].component == component) {
            know->k->relation[i].stratum = stratum;
            know->k->relation[i].of_me = me;
            know->k->strata = stratum + 1 > know->k->strata ? stratum + 1 : know->k->strata;
        }
}

static void put_in_order(Checker *c) {
    IrKnowledge *k = c->know->k;
    k->order = ARENA_ARRAY(c->arena, int, k->relations + 1);
    int n = 0;
    for (int stratum = 0; stratum < k->strata; stratum++)
        for (int i = 0; i < k->relations; i++)
            if (k->relation[i].stratum == stratum)
                k->order[n++] = i;
}

static bool check_relations(Checker *c) {
    struct Knower *know = c->know;
    for (int i = know->first; i < know->k->relations; i++)
        if (know->k->relation[i].derived)
            check_note_asked(c, i);
    int from = know->components;
    bool ok = check_components(c);
    for (int component = from; ok && component < know->components; component++) {
        ok &= check_component(c, component);
        settle_component(c, component);
    }
    return ok;
}

void check_knowledge(Checker *c, const Node *file) {
    if (!has_knowledge(file) || c->diags->errors)
        return;
    Local *ended = c->ended;
    c->place = AT_KNOWLEDGE;
    c->hidden = NULL;
    c->steps += CHECK_STEPS; // what the game has used up is not the fault of its knowledge
    if (check_relations(c)) {
        put_in_order(c);
        check_worth(c, file);
        check_prefer(c, file);
    }
    c->ended = ended;
    c->locals = NULL;
    c->g->knowledge = c->know->k;
}
