// check_knowledge_order: which relations depend on which, and in what order they can be worked out.
// See check_knowledge.h.

#include "lang/check_knowledge.h"

// --- what is mentioned ---

// A walk through an expression and the definitions it uses, each once.
typedef struct Walk {
    Checker *c;
    bool *seen;     // symbols
    int relation;   // whose line it is, or -1: only look
    bool complete;  // what is asked for here
    const Node *at; // what stands in the line itself, not in a definition
    int found;      // the first relation, or -1
    Span where;
} Walk;

static void note(Walk *w, int to, const Node *node) {
    Checker *c = w->c;
    const Node *at = w->at ? w->at : node;
    if (w->found < 0) {
        w->found = to;
        w->where = at->span;
    }
    if (w->relation < 0)
        return;
    Relation *r = &c->know->relation[w->relation];
    for (int i = 0; i < r->asked; i++)
        if (r->asks[i].relation == to && r->asks[i].complete == w->complete)
            return;
    ARENA_GROW(c->arena, Asked, r->asks, r->asked, r->asks_cap);
    r->asks[r->asked++] = (Asked){to, w->complete, ast_text(c->source, at, c->arena), at->span};
}

static void walk(Walk *w, const Node *node) {
    if (!node)
        return;
    Checker *c = w->c;
    Symbol *s = node->kind == N_NAME || node->kind == N_CALL ? names_find(c, node->word) : NULL;
    // A word alone that should have arguments is no question, but the wrong name for something.
    if (s && s->kind == SYM_RELATION &&
        (node->kind == N_CALL || !c->know->k->relation[s->id].params))
        note(w, s->id, node);
    if (s && s->kind == SYM_LET && !w->seen[s - c->symbol]) {
        const Node *outer = w->at;
        w->seen[s - c->symbol] = true;
        w->at = outer ? outer : node;
        walk(w, s->node->kids[0]);
        w->at = outer;
    }
    for (int i = 0; i < node->count; i++)
        walk(w, node->kids[i]);
}

int check_mentioned(Checker *c, const Node *node, Span *where) {
    Walk w = {.c = c, .relation = -1, .found = -1};
    w.seen = ARENA_ARRAY(c->arena, bool, c->symbols + 1);
    walk(&w, node);
    *where = w.where;
    return w.found;
}

// A literal that is an atom asks for what is there so far; all else for what is complete.
static void note_literal(Walk *w, const Node *node) {
    if (node->kind == N_BINARY && !strcmp(node->word, "and")) {
        note_literal(w, node->kids[0]);
        note_literal(w, node->kids[1]);
        return;
    }
    Symbol *s = check_relation_of(w->c, node);
    if (!s) {
        walk(w, node);
        return;
    }
    w->complete = false;
    note(w, s->id, node);
    w->complete = true;
    for (int i = 0; i < node->count; i++)
        walk(w, node->kids[i]);
}

void check_note_asked(Checker *c, int relation) {
    const Relation *r = &c->know->relation[relation];
    for (int i = 0; i < r->lines; i++) {
        const Node *line = r->line[i];
        Walk w = {.c = c, .relation = relation, .found = -1, .complete = true};
        w.seen = ARENA_ARRAY(c->arena, bool, c->symbols + 1);
        for (int k = 0; k < line->kids[0]->count; k++)
            walk(&w, line->kids[0]->kids[k]);
        for (int k = 1; k < line->count; k++)
            note_literal(&w, line->kids[k]);
    }
}

// --- components ---

// Tarjan's search for relations that depend on each other. A component is complete when all that it
// depends on is: the numbers come in the order of work.
typedef struct Search {
    Checker *c;
    int number[IR_MAX_RELATIONS]; // in the order of the search, from 1
    int lowest[IR_MAX_RELATIONS]; // that can be reached and is still open
    int stack[IR_MAX_RELATIONS], open;
    int next;
} Search;

// At most IR_MAX_RELATIONS deep.
static void search(Search *s, int i) {
    struct Knower *know = s->c->know;
    Relation *r = &know->relation[i];
    s->number[i] = s->lowest[i] = ++s->next;
    s->stack[s->open++] = i;
    for (int k = 0; k < r->asked; k++) {
        int to = r->asks[k].relation;
        if (know->relation[to].component >= 0)
            continue;
        if (!s->number[to])
            search(s, to);
        int low = s->lowest[to] < s->number[to] ? s->lowest[to] : s->number[to];
        s->lowest[i] = low < s->lowest[i] ? low : s->lowest[i];
    }
    if (s->lowest[i] < s->number[i])
        return;
    int member;
    do {
        member = s->stack[--s->open];
        know->relation[member].component = know->components;
    } while (member != i);
    know->components++;
}

// The way from one relation to another inside their component, as "`a`, which needs `b`".
static const char *way_between(Checker *c, int from, int to) {
    struct Knower *know = c->know;
    int before[IR_MAX_RELATIONS], queue[IR_MAX_RELATIONS], n = 0;
    for (int i = 0; i < IR_MAX_RELATIONS; i++)
        before[i] = -1;
    queue[n++] = from;
    before[from] = from;
    for (int at = 0; at < n && before[to] < 0; at++) {
        const Relation *r = &know->relation[queue[at]];
        for (int k = 0; k < r->asked; k++) {
            int next = r->asks[k].relation;
            if (before[next] >= 0 || know->relation[next].component != r->component)
                continue;
            before[next] = queue[at];
            queue[n++] = next;
        }
    }
    const char *text = arena_printf(c->arena, "`%s`", know->k->relation[to].name);
    for (int i = to; i != from; i = before[i])
        text = arena_printf(c->arena, "`%s`%s needs %s", know->k->relation[before[i]].name,
                            before[i] == from ? "" : ", which", text);
    return text;
}

static void report_circle(Checker *c, int from, const Asked *asked) {
    const IrRelation *a = &c->know->k->relation[from];
    const IrRelation *b = &c->know->k->relation[asked->relation];
    if (asked->relation != from)
        diag_error(c->diags, asked->span, "`%s` must be complete before `%s`, but it depends on it",
                   b->name, a->name);
    else
        diag_error(c->diags, asked->span, "`%s` would have to be complete before itself", a->name);
    if (asked->relation == from)
        diag_help(c->diags,
                  "a rule can need itself only as a plain condition, not by `not`, `count` "
                  "or in an expression");
    else
        diag_help(c->diags,
                  "%s; a circle can have plain conditions only, not `not`, `count` or "
                  "expressions",
                  way_between(c, asked->relation, from));
}

bool check_components(Checker *c) {
    struct Knower *know = c->know;
    Search s = {.c = c};
    for (int i = know->first; i < know->k->relations; i++)
        if (know->relation[i].component < 0)
            search(&s, i);
    bool ok = true;
    for (int i = know->first; i < know->k->relations; i++) {
        Relation *r = &know->relation[i];
        for (int k = 0; k < r->asked; k++) {
            bool same = know->relation[r->asks[k].relation].component == r->component;
            if (!same)
                continue;
            know->k->relation[i].recursive = true;
            if (r->asks[k].complete) {
                report_circle(c, i, &r->asks[k]);
                ok = false;
            }
        }
    }
    return ok;
}
