// check_rules_file: a file with knowledge that stands beside a game. See check.h.

#include "lang/check_knowledge.h"

// The sections of such a file.
static void check_sections(Checker *c, const Node *file) {
    const Node *title = NULL;
    bool any = false;
    for (int i = 0; i < file->count; i++) {
        const Node *item = file->kids[i];
        switch (item->kind) {
        case N_KNOWLEDGE:
            if (title)
                diag_error(c->diags, item->span, "`knowledge` is given twice");
            title = item;
            break;
        case N_FACTS:
        case N_RULES:
        case N_WORTH:
        case N_PREFER: any = true; break;
        case N_LET: break;
        default:
            diag_error(c->diags, item->span, "this belongs to the game's file");
            diag_help(c->diags, "a rules file beside a game has `knowledge`, `let`, `facts`, "
                                "`rules`, `worth` and `prefer`");
        }
    }
    if (!any && !c->diags->errors) {
        diag_error(c->diags, (Span){1, 1, 1}, "this file says nothing about good moves");
        diag_help(c->diags, "add `worth` or `prefer`, with `facts` and `rules` that they need");
    }
}

// A choice of the turn hides nothing: what the file declares must have another name.
static void check_choices(Checker *c, int from) {
    for (int i = from; i < c->symbols; i++)
        for (int k = 0; k < c->g->sites; k++) {
            const Symbol *s = &c->symbol[i];
            if (ir_is_either(&c->g->site[k]) || strcmp(c->g->site[k].name, s->name) != 0)
                continue;
            diag_error(c->diags, s->span, "`%s` is the name of a choice", s->name);
            diag_help(c->diags, "`prefer` could not tell the two apart: choose another name");
            break;
        }
}

static IrGame *add_rules(Checker *c, const Node *rules, const Source *source, Diags *diags) {
    int from = c->symbols, before = diags->errors;
    c->source = diags->source = source;
    c->diags = diags;
    c->file = rules;
    c->ended = NULL;
    check_sections(c, rules);
    check_declare_lets(c, rules);
    check_declare_knowledge(c, rules);
    check_choices(c, from);
    check_knowledge(c, rules);
    check_unused_lets(c, from);
    if (diags->errors > before)
        return NULL;
    names_report_unused(c, from);
    const Node *title = check_find_item(c, N_KNOWLEDGE);
    c->know->k->title = title ? title->word : NULL;
    return c->g;
}

IrGame *check_rules_file(Arena *arena, const Node *game, const Source *game_source,
                         const char *const *params, int count, const Node *rules,
                         const Source *source, Diags *diags) {
    Checker c;
    Diags of_game = {.silent = true}; // all has been said when the game was loaded
    check_whole_game(&c, arena, game, game_source, params, count, &of_game);
    if (!of_game.errors)
        return add_rules(&c, rules, source, diags);
    diags->source = source;
    diag_error(diags, (Span){0}, "the game itself cannot be loaded again");
    return NULL;
}

// Names that a text of this language can have; others cannot be asked for.
static void declare_known(Checker *c, SymbolKind kind, int id, const char *name) {
    if (!name || !*name || names_find(c, name))
        return;
    Symbol *s = names_add(c, kind, id, name, (Span){0});
    if (s)
        s->used = true;
}

IrGame *check_rules_for(IrGame *g, const Node *rules, const Source *source, Diags *diags) {
    Diags quiet = {.silent = true};
    Checker c = check_new(g->arena, g->source, &quiet);
    c.g = g;
    for (int i = 0; i < g->players; i++)
        declare_known(&c, SYM_PLAYER, i, g->player[i]);
    for (int i = 0; i < g->kinds; i++)
        declare_known(&c, SYM_KIND, i, g->kind[i].name);
    for (int i = 0; i < g->attrs; i++)
        declare_known(&c, SYM_ATTR, i, g->attr[i].name);
    for (int i = 0; i < g->vars; i++)
        declare_known(&c, SYM_VAR, i, g->var[i].name);
    return add_rules(&c, rules, source, diags);
}
