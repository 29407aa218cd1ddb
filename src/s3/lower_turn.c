// The turn: which pieces may move by which rules, and the choices of a move. See lower.h.
//
//     choose from, a cell with a piece that some rule is about
//     choose to, a cell where one of these rules lets it go
//     element, the number of what stands on `from`: it names the piece in the move's text

#include "s3/lower.h"

#define MOST_RULES 200

static uint64_t *new_words(Lower *l) {
    return ARENA_ARRAY(l->arena, uint64_t, l_words(l) + 1);
}
static void add_cell(uint64_t *words, int c) {
    words[c / 64] |= (uint64_t)1 << (c % 64);
}
static bool has_cell(const uint64_t *words, int c) {
    return words[c / 64] >> (c % 64) & 1;
}

// --- rules that can apply ---

typedef struct Candidate {
    const S3Rule *rule;
    uint64_t planes;
    uint64_t *from, *to;
} Candidate;

static uint64_t *cells_like(Lower *l, const S3Node *pattern) {
    uint64_t *words = new_words(l);
    int64_t index[16];
    for (int i = 0; i < l->f->locations; i++)
        if (!pattern || word_match(pattern, l->f->location[i].name, index))
            add_cell(words, i);
    return words;
}

// A number to compare with, a variable to take it, or NULL; anything else never matches.
static bool selects(Lower *l, const S3Node *node, int value, const char *what) {
    if (!node || node->kind == S3_VAR)
        return true;
    if (node->kind == S3_INT)
        return node->value == value;
    lower_warn(l, node->span, "%s= is neither a number nor a variable, so the rule never applies",
               what);
    return false;
}

static int find_candidates(Lower *l, int player, Candidate *out) {
    int64_t index[16];
    int count = 0;
    for (int i = 0; i < l->f->rules && count < MOST_RULES; i++) {
        const S3Rule *r = &l->f->rule[i];
        if (!selects(l, r->player, player, "player"))
            continue;
        Candidate *c = &out[count];
        *c = (Candidate){.rule = r};
        for (int p = 0; p < l->planes; p++)
            if (word_match(r->element, l->f->element[l->plane[p].group].name, index) &&
                selects(l, r->state, l->plane[p].state, "state"))
                c->planes |= (uint64_t)1 << p;
        c->from = cells_like(l, r->from);
        c->to = cells_like(l, r->to);
        count += c->planes != 0;
    }
    return count;
}

// --- pieces that the same rules are about ---

typedef struct Group {
    bool rule[MOST_RULES];
    uint64_t planes;
    uint64_t **cells; // by plane
    uint64_t *all;
    // `from` and the element where their names are asked for: if nobody does, it makes no
    // difference which of several equal pieces in irrelevant places moves.
    X *named_from, *named_element;
} Group;

struct Turn {
    Lower *l;
    int player;
    Candidate *rule;
    int rules;
    Group *group;
    int groups, cap;
    int from_slot;
    Y *choice; // of `from`
    Turn *next;
};

static Group *group_for(Turn *t, const bool *rule) {
    Lower *l = t->l;
    for (int i = 0; i < t->groups; i++)
        if (memcmp(t->group[i].rule, rule, sizeof *rule * (size_t)t->rules) == 0)
            return &t->group[i];
    ARENA_GROW(l->arena, Group, t->group, t->groups, t->cap);
    Group *g = &t->group[t->groups++];
    *g = (Group){.all = new_words(l)};
    memcpy(g->rule, rule, sizeof *rule * (size_t)t->rules);
    g->cells = ARENA_ARRAY(l->arena, uint64_t *, l->planes + 1);
    return g;
}

static void find_groups(Turn *t) {
    Lower *l = t->l;
    for (int p = 0; p < l->planes; p++)
        for (int c = 0; c < l->f->locations; c++) {
            bool rule[MOST_RULES] = {0}, any = false;
            for (int r = 0; r < t->rules; r++) {
                rule[r] = (t->rule[r].planes >> p & 1) && has_cell(t->rule[r].from, c);
                any |= rule[r];
            }
            if (!any)
                continue;
            Group *g = group_for(t, rule);
            g->planes |= (uint64_t)1 << p;
            if (!g->cells[p])
                g->cells[p] = new_words(l);
            add_cell(g->cells[p], c);
            add_cell(g->all, c);
        }
}

// --- moves that differ only in irrelevant places ---

static int place_type(const Lower *l, int cell) {
    return l->f->location[cell].relevant ? -1 : l->f->location[cell].type + 1;
}

// Of the irrelevant cells of a set only the first of each type.
static X *first_of_each(Lower *l, X *set, const uint64_t *within) {
    uint64_t *rest = new_words(l);
    X *out = NULL;
    bool any = false;
    for (int type = 0; type <= l->f->look->place_types; type++) {
        uint64_t *words = new_words(l);
        int n = 0;
        for (int c = 0; c < l->f->locations; c++)
            if (has_cell(within, c) && place_type(l, c) == type) {
                add_cell(words, c);
                n++;
            }
        if (!n)
            continue;
        X *part = x_set(l, X_AND, set, x_cells(l, words));
        if (n > 1)
            part = x_single(l, x_first(l, part));
        out = out ? x_set(l, X_OR, out, part) : part;
    }
    for (int c = 0; c < l->f->locations; c++)
        if (has_cell(within, c) && place_type(l, c) < 0) {
            add_cell(rest, c);
            any = true;
        }
    if (!out)
        return set;
    return any ? x_set(l, X_OR, x_set(l, X_AND, set, x_cells(l, rest)), out) : out;
}

static X *group_set(Turn *t, const Group *g, bool distinct) {
    Lower *l = t->l;
    X *set = x_pieces(l, 0);
    uint64_t done = 0;
    for (int p = 0; p < l->planes; p++) {
        if (!(g->planes >> p & 1) || (done >> p & 1))
            continue;
        uint64_t mask = 0;
        bool irrelevant = false;
        for (int c = 0; c < l->f->locations; c++)
            irrelevant |= has_cell(g->cells[p], c) && place_type(l, c) >= 0;
        for (int q = p; q < l->planes; q++)
            if ((g->planes >> q & 1) && (q == p || !(irrelevant && distinct)) &&
                memcmp(g->cells[p], g->cells[q], sizeof(uint64_t) * (size_t)l_words(l)) == 0)
                mask |= (uint64_t)1 << q;
        done |= mask;
        X *part = x_set(l, X_AND, x_pieces(l, mask), x_cells(l, g->cells[p]));
        if (irrelevant && distinct)
            part = first_of_each(l, part, g->cells[p]);
        set = x_set(l, X_OR, set, part);
    }
    return set;
}

// --- choices ---

static Y *add_choice(Lower *l, const char *name, const char *before, const char *say, int slot) {
    Y *y = y_add(l, ST_CHOOSE, l->at);
    y->id = slot;
    y->name = name;
    y->before = before;
    y->say = say;
    return y;
}

static const char **element_labels(Lower *l) {
    const char **labels = ARENA_ARRAY(l->arena, const char *, l->f->elements + 1);
    for (int i = 0; i < l->f->elements; i++)
        labels[i] = l->f->element[i].name;
    return labels;
}

static void follow_group(Turn *t, Group *g, int tag) {
    Lower *l = t->l;
    RuleUse *use = ARENA_ARRAY(l->arena, RuleUse, t->rules + 1);
    int count = 0;
    X *from = x_local_in(l, t->from_slot, g->all, tag);
    bool irrelevant = false;
    for (int c = 0; c < l->f->locations; c++)
        irrelevant |= has_cell(g->all, c) && place_type(l, c) >= 0;
    l->from = from;
    l->from_plane = x_plane_in(l, from, g->planes);
    l->named_from = from;
    if (irrelevant)
        l->named_from = g->named_from = x_local_in(l, t->from_slot, g->all, tag + 1000);
    X *ok = x_pieces(l, 0);
    uint64_t *to = new_words(l);
    for (int r = 0; r < t->rules; r++) {
        if (!g->rule[r])
            continue;
        use[count].rule = t->rule[r].rule;
        l->at = use[count].rule->span;
        if (!targets_find(l, &use[count], from, t->rule[r].to, t->player))
            return;
        ok = x_set(l, X_OR, ok, use[count].ok);
        for (int i = 0; i < l_words(l); i++)
            to[i] |= t->rule[r].to[i];
        count++;
    }
    if (l->distinct)
        ok = first_of_each(l, ok, to);
    l->at = use[0].rule->span;
    int to_slot = x_new_slot(l, T_CELL, 0, l->f->locations - 1, "to", to);
    add_choice(l, "to", "->", "the place it goes to", to_slot)->x[0] = ok;
    int element = x_new_slot(l, T_INT, 1, l->f->elements, "element", NULL);
    l->element = NULL;
    l->moved = true; // plainly what stands there
    Y *y = add_choice(l, "element", ":", "the element itself", element);
    y->kind = ST_LET;
    y->x[0] = x_elem(l, x_local(l, t->from_slot));
    y->labels = element_labels(l);
    l->chosen_from = from;
    l->chosen_to = x_local(l, to_slot);
    l->chosen_element = l->named_element = x_local(l, element);
    if (irrelevant)
        l->named_element = g->named_element = x_local_in(l, element, NULL, 1);
    apply_move(l, use, count, t->player);
}

static void groups_from(Turn *t, int at) {
    Lower *l = t->l;
    if (at == t->groups - 1) {
        follow_group(t, &t->group[at], at + 1);
        return;
    }
    Block *outer = l->block, body[2] = {0};
    l->block = &body[0];
    follow_group(t, &t->group[at], at + 1);
    l->block = &body[1];
    groups_from(t, at + 1);
    l->block = outer;
    Y *y = y_add(l, ST_IF, l->at);
    y->x[0] = x_has(l, x_local(l, t->from_slot), group_set(t, &t->group[at], false));
    y->body = body[0].first;
    y->other = body[1].first;
}

static void follow_player(Lower *l, int player) {
    Turn *t = ARENA_NEW(l->arena, Turn);
    *t = (Turn){.l = l, .player = player, .next = l->turns};
    l->turns = t;
    t->rule = ARENA_ARRAY(l->arena, Candidate, MOST_RULES);
    t->rules = find_candidates(l, player, t->rule);
    find_groups(t);
    t->from_slot = x_new_slot(l, T_CELL, 0, l->f->locations - 1, "from", NULL);
    t->choice = add_choice(l, "from", "", "the place of the element that moves", t->from_slot);
    t->choice->x[0] = x_pieces(l, 0);
    if (t->groups)
        groups_from(t, 0);
}

void turn_settle(Lower *l) {
    for (Turn *t = l->turns; t; t = t->next) {
        X *set = x_pieces(l, 0);
        for (int i = 0; i < t->groups; i++) {
            Group *g = &t->group[i];
            bool asked = (g->named_from && g->named_from->seen == l->walk) ||
                         (g->named_element && g->named_element->seen == l->walk);
            set = x_set(l, X_OR, set, group_set(t, g, l->distinct && !asked));
        }
        t->choice->x[0] = set;
    }
}

bool turn_build(Lower *l, Block *out) {
    Y **at = &out->first;
    for (int p = 1; p <= l->f->players && !l->broken && !l->too_large; p++) {
        Block body = {0}, test = {0};
        l->block = &body;
        l->at = (Span){0};
        follow_player(l, p);
        if (p == l->f->players) {
            *at = body.first;
            break;
        }
        l->block = &test;
        Y *y = y_add(l, ST_IF, (Span){0});
        y->x[0] =
            x_compare(l, X_EQ, x_atom(l, X_ME, NULL, 0, 0, l->f->players - 1, 0), x_int(l, p - 1));
        y->body = body.first;
        *at = y;
        at = &y->other;
    }
    return !l->broken && !l->too_large;
}
