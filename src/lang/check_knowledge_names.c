// check_knowledge_names: the names of a clause: which get a value, and which have none. See
// check_knowledge.h.

#include "lang/check_knowledge.h"
#include "lang/lex.h"

bool check_is_new_name(Checker *c, const char *word, IrTypeKind wanted) {
    int kind;
    bool plural;
    if (names_local(c, word) || names_find(c, word) || lex_is_reserved(word) ||
        names_kind(c, word, &kind, &plural) || !strcmp(word, "_"))
        return false;
    // A name such as a1 is nothing but that cell.
    bool digit = strpbrk(word, "0123456789");
    if ((wanted == TY_CELL || digit) && board_cell_named(c->g->board, word) >= 0)
        return false;
    return wanted != TY_DIRECTION || board_direction_named(c->g->board, word) < 0;
}

Variable *clause_variable(const Clause *k, const char *name) {
    for (int i = 0; i < k->variables; i++)
        if (!strcmp(k->variable[i].name, name))
            return &k->variable[i];
    return NULL;
}

static void add_variable(Clause *k, const char *name) {
    if (clause_variable(k, name))
        return;
    ARENA_GROW(k->c->arena, Variable, k->variable, k->variables, k->variable_cap);
    k->variable[k->variables++] = (Variable){.name = name};
}

static bool is_skipped(const Clause *k, const char *name) {
    const Skip *s = k->skip;
    while (s && strcmp(s->name, name) != 0)
        s = s->up;
    return s;
}

// Notes the first name in the expression that has no value yet.
static void find_open(Clause *k, const Node *node) {
    if (!node || k->open)
        return;
    if (node->kind == N_NAME) {
        const Variable *v = clause_variable(k, node->word);
        if (v && !v->local && !is_skipped(k, node->word))
            k->open = node;
    }
    const Skip *outer = k->skip, here = {node->extra, outer};
    if (node->kind == N_QUANT || node->kind == N_THE)
        k->skip = &here;
    for (int i = 0; i < node->count; i++)
        find_open(k, node->kids[i]);
    k->skip = outer;
}

bool clause_has_values(Clause *k, const Node *node) {
    k->open = NULL;
    find_open(k, node);
    return !k->open;
}

// The names that a literal can give a value.
void clause_find_variables(Clause *k, const Node *node) {
    Checker *c = k->c;
    Symbol *s = check_relation_of(c, node);
    const IrRelation *r = s ? &c->know->k->relation[s->id] : NULL;
    for (int i = 0; r && i < node->count && i < r->params; i++) {
        const Node *t = node->kids[i];
        if (t->kind == N_NAME && check_is_new_name(c, t->word, r->type[i].kind))
            add_variable(k, t->word);
    }
    if (node->kind == N_BINARY && !strcmp(node->word, "in") && node->kids[0]->kind == N_NAME) {
        const char *word = node->kids[0]->word;
        const Node *d = node->kids[1]->kind == N_WHERE ? node->kids[1]->kids[0] : node->kids[1];
        if (check_is_new_name(c, word, d->kind == N_RANGE ? TY_INT : TY_CELL))
            add_variable(k, word);
    }
    if (node->kind == N_BIND)
        add_variable(k, node->word);
}

void clause_report_open(Checker *c, const Node *name, const char *help) {
    diag_error(c->diags, name->span, "`%s` is never given a value", name->word);
    const char *near = names_near(c, name->word);
    if (near && strcmp(near, name->word) != 0)
        diag_help(c->diags, "did you mean `%s`?", near);
    else
        diag_help(c->diags, help, name->word, name->word);
}

typedef struct Unknown {
    Clause *k;
    bool calls; // look for calls, else for names
    const Node *found;
} Unknown;

static bool is_unknown_call(Checker *c, const Node *node) {
    return node->kind == N_CALL && !names_find(c, node->word) && !names_reserved_call(node->word);
}

// Names that nothing gives a value and that mean nothing else.
static void find_unknown(Unknown *u, const Node *node) {
    if (!node || u->found)
        return;
    Clause *k = u->k;
    bool skip = node->kind == N_NAME && is_skipped(k, node->word);
    if (u->calls && is_unknown_call(k->c, node))
        u->found = node;
    if (!u->calls && node->kind == N_NAME && !skip && !clause_variable(k, node->word) &&
        check_is_new_name(k->c, node->word, TY_DIRECTION) &&
        check_is_new_name(k->c, node->word, TY_CELL) && strcmp(node->word, "row") != 0 &&
        strcmp(node->word, "column") != 0)
        u->found = node;
    const Skip *outer = k->skip, here = {node->extra, outer};
    if (node->kind == N_QUANT || node->kind == N_THE)
        k->skip = &here;
    for (int i = 0; i < node->count; i++)
        find_unknown(u, node->kids[i]);
    k->skip = outer;
}

// A relation that is not there would leave its names without a value: it is reported first.
bool clause_calls_known(Clause *k, const Node *node) {
    Unknown u = {.k = k, .calls = true};
    find_unknown(&u, node);
    if (u.found)
        names_unknown(k->c, u.found->word, names_word(u.found),
                      "say what it is under `facts` or `rules`, or define it with `let`");
    return !u.found;
}

bool clause_names_known(Clause *k, const Node *node) {
    Unknown u = {.k = k};
    find_unknown(&u, node);
    if (u.found)
        clause_report_open(k->c, u.found,
                           "what gives it one: `%s in …`, `%s = …`, or a fact or rule that has it");
    return !u.found;
}
