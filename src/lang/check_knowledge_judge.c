// check_knowledge_judge: what relations are worth, and priorities of moves. See check_knowledge.h.

#include "lang/check_knowledge.h"

// --- worth ---

static const char *near_relation(Checker *c, const char *word) {
    const char **names = ARENA_ARRAY(c->arena, const char *, c->symbols + 1);
    int n = 0;
    for (int i = 0; i < c->symbols; i++)
        if (c->symbol[i].kind == SYM_RELATION)
            names[n++] = c->symbol[i].name;
    return text_nearest(word, names, n);
}

static bool check_worth_line(Checker *c, const Node *node, IrWorth *out) {
    const Node *atom = node->kids[0];
    Symbol *s = check_relation_of(c, atom);
    *out = (IrWorth){
        .sentence = node->extra, .text = ast_text(c->source, node, c->arena), .span = node->span};
    check_begin_frame(c, &out->frame);
    if (!s) {
        diag_error(c->diags, atom->extra_span, "there is no fact or rule `%s`", atom->word);
        const char *near = near_relation(c, atom->word);
        if (near)
            diag_help(c->diags, "did you mean `%s`?", near);
        else
            diag_help(c->diags, "say what it is under `facts` or `rules`");
        return false;
    }
    bool ok = check_worth_atom(c, s, atom, &out->atom);
    out->weight = ok ? check_number(c, node->kids[1]) : NULL;
    names_pop(c, NULL);
    return out->weight != NULL;
}

static bool check_opponent(Checker *c, const Node *node) {
    IrKnowledge *k = c->know->k;
    int64_t times;
    if (c->g->players != 2) {
        diag_error(c->diags, node->span, "`opponent` is for games of two players; this has %d",
                   c->g->players);
        diag_help(c->diags, "say what is worth how much for each: `mill(%s, _) 12`",
                  c->g->player[0]);
        return false;
    }
    if (k->opponent) {
        diag_error(c->diags, node->span, "`opponent` is given twice");
        return false;
    }
    if (!check_constant(c, node->kids[0], &times))
        return false;
    if (times < -IR_MAX_TIMES || times > IR_MAX_TIMES) {
        diag_error(c->diags, node->kids[0]->span,
                   "what the opponent has counts %d..%d times, not %lld", -IR_MAX_TIMES,
                   IR_MAX_TIMES, (long long)times);
        return false;
    }
    if (!times)
        check_warn(c, node->kids[0]->span, "0 times what the opponent has is nothing");
    k->opponent = times;
    return true;
}

bool check_worth(Checker *c, const Node *file) {
    IrKnowledge *k = c->know->k;
    int lines = 0;
    for (int i = 0; i < file->count; i++)
        lines += file->kids[i]->kind == N_WORTH ? file->kids[i]->count : 0;
    if (!lines)
        return true;
    k->worth = ARENA_ARRAY(c->arena, IrWorth, lines);
    k->worths = 0;
    k->opponent = 0;
    bool ok = true;
    for (int i = 0; i < file->count; i++) {
        const Node *part = file->kids[i];
        for (int n = 0; part->kind == N_WORTH && n < part->count; n++) {
            const Node *line = part->kids[n];
            if (line->kind == N_WORTH_OPPONENT)
                ok &= check_opponent(c, line);
            else if (check_worth_line(c, line, &k->worth[k->worths]))
                k->worths++;
            else
                ok = false;
        }
    }
    return ok;
}

// --- prefer ---

// Choices of one name whose types differ.
static bool report_differ(Checker *c, const Node *name, const IrSite *a, const IrSite *b) {
    diag_error(c->diags, name->span, "`%s` is %s in line %d, but %s in line %d", a->name,
               ir_type_name(c->g, a->type), a->span.line, ir_type_name(c->g, b->type),
               b->span.line);
    diag_help(c->diags, "give the two choices different names");
    return false;
}

// The choices of that name become one, if there are any.
static bool add_choice(Checker *c, const Node *name) {
    IrKnowledge *k = c->know->k;
    const IrSite *first = NULL;
    for (int i = 0; i < c->g->sites; i++) {
        const IrSite *site = &c->g->site[i];
        if (ir_is_either(site) || strcmp(site->name, name->word) != 0)
            continue;
        if (first && !type_same(first->type, site->type))
            return report_differ(c, name, first, site);
        if (first && k->site_choice[i] >= 0)
            return true;
        IrChoiceName *choice = &k->choice[k->choices];
        if (!first) {
            if (k->site_choice[i] >= 0)
                return true; // named before
            if (k->choices == 64) {
                diag_error(c->diags, name->span, "`prefer` uses more than 64 choices");
                return false;
            }
            first = site;
            *choice = (IrChoiceName){site->name, site->type, site->lo, site->hi, 0};
            choice->slot = ir_add_slot(c->g, &k->prefer_frame, site->type, site->name);
        }
        choice->lo = site->lo < choice->lo ? site->lo : choice->lo;
        choice->hi = site->hi > choice->hi ? site->hi : choice->hi;
        k->site_choice[i] = k->choices;
    }
    k->choices += first != NULL;
    return true;
}

static bool find_choices(Checker *c, const Node *node) {
    bool ok = true;
    if (!node)
        return true;
    if (node->kind == N_NAME && !names_find(c, node->word))
        ok = add_choice(c, node);
    for (int i = 0; i < node->count; i++)
        ok &= find_choices(c, node->kids[i]);
    return ok;
}

// 8, 1/2: `over` says which part
static bool check_factor_part(Checker *c, const Node *node, int64_t least, int64_t *value) {
    if (!check_constant(c, node, value))
        return false;
    if (*value >= least && *value <= IR_MAX_TIMES)
        return true;
    diag_error(c->diags, node->span, "a priority is made of numbers %d..%d, not %lld", (int)least,
               IR_MAX_TIMES, (long long)*value);
    diag_help(c->diags, "moves begin with 1; `times 1/2` makes one half as good");
    return false;
}

static bool check_factor(Checker *c, const Node *node, IrPrefer *out) {
    bool part = node->kind == N_BINARY && !strcmp(node->word, "/");
    out->over = 1;
    return check_factor_part(c, part ? node->kids[0] : node, 0, &out->times) &&
           (!part || check_factor_part(c, node->kids[1], 1, &out->over));
}

static Span choice_span(Checker *c, int choice) {
    int i = 0;
    while (c->know->k->site_choice[i] != choice)
        i++;
    return c->g->site[i].span;
}

static bool check_prefer_line(Checker *c, const Node *node, IrPrefer *out) {
    IrKnowledge *k = c->know->k;
    *out = (IrPrefer){
        .sentence = node->extra, .text = ast_text(c->source, node, c->arena), .span = node->span};
    check_begin_frame(c, &k->prefer_frame);
    bool ok = check_factor(c, node->kids[0], out);
    check_push_mover(c);
    for (int i = 0; i < k->choices; i++) {
        const IrChoiceName *choice = &k->choice[i];
        names_alias(c, choice->name, choice_span(c, i), choice->slot, choice->type, choice->lo,
                    choice->hi);
    }
    out->cond = check_cond(c, node->kids[1]);
    for (Local *l = c->locals; l; l = l->up)
        for (int i = 0; i < k->choices; i++)
            if (l->slot == k->choice[i].slot) {
                out->choices |= l->used ? (uint64_t)1 << i : 0;
                l->used = true; // not all lines need it
            }
    names_pop(c, NULL);
    int64_t v;
    if (ok && expr_is_constant(out->cond, &v) && !out->cond->bound)
        check_warn(c, node->kids[1]->span, "this is always %s", v ? "true" : "false");
    return ok && out->cond;
}

bool check_prefer(Checker *c, const Node *file) {
    IrKnowledge *k = c->know->k;
    int lines = 0;
    for (int i = 0; i < file->count; i++)
        lines += file->kids[i]->kind == N_PREFER ? file->kids[i]->count : 0;
    if (!lines && k->site_choice)
        return true; // those of the game stay
    k->prefer = ARENA_ARRAY(c->arena, IrPrefer, lines + 1);
    k->prefers = k->choices = 0;
    k->prefer_frame = (IrFrame){0};
    k->choice = ARENA_ARRAY(c->arena, IrChoiceName, 64);
    k->site_choice = ARENA_ARRAY(c->arena, int, c->g->sites + 1);
    for (int i = 0; i < c->g->sites; i++)
        k->site_choice[i] = -1;
    c->know->prefers = true;
    check_begin_frame(c, &k->prefer_frame);
    bool ok = true;
    for (int i = 0; i < file->count; i++)
        for (int n = 0; file->kids[i]->kind == N_PREFER && n < file->kids[i]->count; n++)
            ok &= find_choices(c, file->kids[i]->kids[n]->kids[1]);
    for (int i = 0; ok && i < file->count; i++)
        for (int n = 0; file->kids[i]->kind == N_PREFER && n < file->kids[i]->count; n++)
            if (check_prefer_line(c, file->kids[i]->kids[n], &k->prefer[k->prefers]))
                k->prefers++;
    c->know->prefers = false;
    return ok;
}
