// check_knowledge_judge: what relations are worth, and priorities of moves. See check_knowledge.h.

#include "lang/check_knowledge.h"

// --- worth ---

static bool check_worth_line(Checker *c, const Node *node, IrWorth *out) {
    const Node *atom = node->kids[0];
    Symbol *s = check_relation_of(c, atom);
    *out = (IrWorth){
        .sentence = node->extra, .text = ast_text(c->source, node, c->arena), .span = node->span};
    check_begin_frame(c, &out->frame);
    if (!s) {
        diag_error(c->diags, atom->extra_span, "there is no fact or rule `%s`", atom->word);
        const char *near = names_near(c, atom->word);
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

bool check_prefer(Checker *c, const Node *file) {
    (void)c;
    (void)file;
    return true;
}
