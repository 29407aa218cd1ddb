// check_names: what the words of a rules file stand for. See checker.h.

#include "lang/check_knowledge.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

// Built-in functions, in the order of docs/language.md.
static const char *const built_in[] = {"piece", "owner", "height",   "next",    "step",  "ray",
                                       "past",  "cell",  "column",   "row",     "flood", "abs",
                                       "min",   "max",   "distance", "opposite"};
static const char *const built_in_names[] = {"me",    "opponent", "mine",    "theirs",
                                             "empty", "occupied", "cells",   "none",
                                             "it",    "lines",    "players", "directions"};
#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

bool names_reserved_call(const char *name) {
    for (int i = 0; i < COUNT(built_in); i++)
        if (!strcmp(name, built_in[i]))
            return true;
    return false;
}

bool check_warn(Checker *c, Span span, const char *format, ...) {
    Text message = {0};
    va_list args;
    va_start(args, format);
    text_vf(&message, format, args);
    va_end(args);
    bool said = false;
    for (int i = 0; i < c->diags->count && !said; i++) {
        const Diag *d = &c->diags->items[i];
        said = d->span.line == span.line && d->span.column == span.column &&
               !strcmp(d->message, text_c(&message));
    }
    if (!said)
        diag_warn(c->diags, span, "%s", text_c(&message));
    text_free(&message);
    return !said;
}

Symbol *names_find(Checker *c, const char *name) {
    for (int i = 0; i < c->symbols; i++)
        if (!strcmp(c->symbol[i].name, name))
            return &c->symbol[i];
    return NULL;
}

static const char *symbol_noun(Checker *c, const Symbol *s) {
    static const char *const noun[] = {[SYM_PARAMETER] = "parameter",
                                       [SYM_PLAYER] = "player",
                                       [SYM_KIND] = "piece",
                                       [SYM_ATTR] = "attribute",
                                       [SYM_VAR] = "variable",
                                       [SYM_LET] = "definition",
                                       [SYM_FLAG] = "flag"};
    return s->kind == SYM_RELATION ? relation_noun(&c->know->k->relation[s->id]) : noun[s->kind];
}

const char *names_place(Checker *c, const Symbol *s) {
    if (s->source == c->source)
        return arena_printf(c->arena, "in line %d", s->span.line);
    return arena_printf(c->arena, "in line %d of %s", s->span.line, s->source->name);
}

Symbol *names_add(Checker *c, SymbolKind kind, int id, const char *name, Span span) {
    Symbol *old = names_find(c, name);
    if (old) {
        diag_error(c->diags, span, "`%s` is declared twice", name);
        diag_help(c->diags, "it is already a %s, declared %s", symbol_noun(c, old),
                  names_place(c, old));
        return NULL;
    }
    if ((kind == SYM_LET || kind == SYM_ATTR || kind == SYM_RELATION) &&
        names_reserved_call(name)) {
        diag_error(c->diags, span, "`%s` is a function of the language", name);
        diag_help(c->diags, "choose another name");
        return NULL;
    }
    if (c->symbols >= CHECK_SYMBOLS) {
        diag_error(c->diags, span, "more than %d names are declared", CHECK_SYMBOLS);
        return NULL;
    }
    ARENA_GROW(c->arena, Symbol, c->symbol, c->symbols, c->symbol_cap);
    Symbol *s = &c->symbol[c->symbols++];
    *s = (Symbol){.name = name, .kind = kind, .id = id, .span = span, .source = c->source};
    return s;
}

Local *names_local(Checker *c, const char *name) {
    for (Local *l = c->locals; l; l = l->up)
        if (!strcmp(l->name, name))
            return l;
    return NULL;
}

Local *names_alias(Checker *c, const char *name, Span span, int slot, IrType type, int32_t lo,
                   int32_t hi) {
    Symbol *clash = names_find(c, name);
    if (clash) {
        diag_error(c->diags, span, "`%s` already means something else", name);
        diag_help(c->diags, "it is a %s, declared %s; choose another name", symbol_noun(c, clash),
                  names_place(c, clash));
    } else if (strcmp(name, "it") != 0 && names_local(c, name)) {
        diag_error(c->diags, span, "`%s` is already in use here", name);
        diag_help(c->diags, "it was introduced in line %d; choose another name",
                  names_local(c, name)->span.line);
    }
    Local *l = ARENA_NEW(c->arena, Local);
    *l = (Local){.name = name, .slot = slot, .type = type, .lo = lo, .hi = hi, .span = span};
    l->up = c->locals;
    c->locals = l;
    return l;
}

Local *names_declare(Checker *c, const char *name, Span span, IrType type, int32_t lo, int32_t hi) {
    for (Local *l = c->reuse; l; l = l->up)
        if (!strcmp(l->name, name) && type_same(l->type, type) && !l->broken)
            return names_alias(c, name, span, l->slot, type, lo, hi);
    return names_push(c, name, span, type, lo, hi);
}

Local *names_push(Checker *c, const char *name, Span span, IrType type, int32_t lo, int32_t hi) {
    int slot = ir_add_slot(c->g, c->frame, type, name);
    if (c->frame->slots > CHECK_SLOTS && c->expressions <= CHECK_EXPRESSIONS) {
        diag_error(c->diags, span, "more than %d names are declared in one section", CHECK_SLOTS);
        c->expressions = CHECK_EXPRESSIONS + 1; // enough
    }
    return names_alias(c, name, span, slot, type, lo, hi);
}

void names_broken(Checker *c, const char *name, Span span) {
    if (names_local(c, name) || names_find(c, name))
        return;
    Local *l = ARENA_NEW(c->arena, Local);
    *l = (Local){.name = name, .slot = -1, .broken = true, .used = true, .span = span};
    l->up = c->locals;
    c->locals = l;
}

void names_end(Checker *c, const Local *list) {
    for (; list; list = list->up) {
        Local *l = ARENA_NEW(c->arena, Local);
        *l = *list;
        l->up = c->ended;
        c->ended = l;
    }
}

Span names_word(const Node *node) {
    Span span = node->span;
    span.length = (int)strlen(node->word);
    return span;
}

const char *names_list(Checker *c, const char *const *names, int count) {
    const char *list = count ? names[0] : "";
    for (int i = 1; i < count; i++)
        list = arena_printf(c->arena, "%s%s%s", list, i == count - 1 ? " and " : ", ", names[i]);
    return list;
}

void names_unused(Checker *c, const Local *l) {
    bool tell = !l->used && l->span.line && strcmp(l->name, "it") != 0 && !c->diags->errors;
    if (tell && check_warn(c, l->span, "`%s` is never used", l->name) && c->place == AT_KNOWLEDGE)
        diag_help(c->diags, "among the arguments of a fact or rule, `_` stands for anything");
}

void names_pop(Checker *c, Local *until) {
    while (c->locals != until) {
        names_unused(c, c->locals);
        c->locals = c->locals->up;
    }
}

// Whether `word` is a plural of `name`: fighters, foxes, men, bodies, wolves.
static bool is_plural(const char *word, const char *name) {
    size_t n = strlen(name), w = strlen(word);
    if (w == n + 1 && !strncmp(word, name, n) && word[n] == 's')
        return true;
    if (w == n + 2 && !strncmp(word, name, n) && !strcmp(word + n, "es"))
        return true;
    if (w == n && n >= 3 && !strncmp(word, name, n - 3) && !strcmp(name + n - 3, "man") &&
        !strcmp(word + n - 3, "men"))
        return true;
    if (n >= 2 && w == n + 2 && !strncmp(word, name, n - 1)) {
        if (name[n - 1] == 'y' && !strcmp(word + n - 1, "ies"))
            return true;
        if (name[n - 1] == 'f' && !strcmp(word + n - 1, "ves"))
            return true;
    }
    return false;
}

bool names_kind(Checker *c, const char *word, int *kind, bool *plural) {
    for (int i = 0; i < c->g->kinds; i++) {
        *plural = is_plural(word, c->g->kind[i].name);
        if (*plural || !strcmp(word, c->g->kind[i].name)) {
            *kind = i;
            return true;
        }
    }
    return false;
}

static const Local *find_in(const Local *list, const char *name) {
    while (list && strcmp(list->name, name) != 0)
        list = list->up;
    return list;
}

// Whether the name is known elsewhere, where people expect it to be known here too; says so.
static bool known_elsewhere(Checker *c, const char *word, Span span) {
    const Local *hidden = find_in(c->hidden, word), *ended = find_in(c->ended, word);
    if (hidden) {
        diag_error(c->diags, span, "a definition does not know `%s`", word);
        diag_help(c->diags, "it knows its own parameters: make `%s` one of them", word);
    } else if (ended && c->place == AT_KNOWLEDGE) {
        diag_error(c->diags, span, "`%s` is known in the turn only", word);
        diag_help(c->diags, "`prefer` knows the choices of the turn, and nothing else of it");
    } else if (ended && c->place == AT_END) {
        diag_error(c->diags, span, "`%s` is not known after the turn", word);
        diag_help(c->diags, "keep it in a variable: `var last : cell or none`");
    } else if (ended && !c->hidden) {
        diag_error(c->diags, span, "`%s` is not known any more", word);
        diag_help(c->diags,
                  "it ended with the block of line %d; what all branches declare, with the same "
                  "type, goes on after them",
                  ended->span.line);
    }
    bool after = c->place == AT_END || c->place == AT_KNOWLEDGE;
    return hidden || (ended && (after || !c->hidden));
}

int names_choices(Checker *c, const char ***names) {
    const char **list = *names = ARENA_ARRAY(c->arena, const char *, c->g->sites + 1);
    int n = 0;
    for (int i = 0; i < c->g->sites; i++) {
        bool known = !c->g->site[i].name[0];
        for (int k = 0; k < n; k++)
            known |= !strcmp(list[k], c->g->site[i].name);
        if (!known)
            list[n++] = c->g->site[i].name;
    }
    return n;
}

static const char *choice_names(Checker *c) {
    const char **names;
    int n = names_choices(c, &names);
    return names_list(c, names, n);
}

// Where not every cell of the grid exists, the first and the last one tell little.
static void help_cells(Checker *c, const char *word) {
    const Board *b = c->g->board;
    const char *digits = word + strcspn(word, "0123456789");
    int row = b->matrix ? tolower((unsigned char)word[0]) - 'a' + 1 : atoi(digits);
    int first = -1, last = -1;
    for (int i = 0; i < b->cells && b->cells < b->width * b->height; i++)
        if (b->cell[i].row == row) {
            first = first < 0 ? i : first;
            last = i;
        }
    if (first >= 0)
        diag_help(c->diags, "its row goes from %s to %s", b->cell[first].name, b->cell[last].name);
    else
        diag_help(c->diags, "the cells of this board are %s to %s", b->cell[0].name,
                  b->cell[b->cells - 1].name);
}

// Whether somebody means a direction, whatever this board calls it.
static bool is_way(const char *word) {
    static const char *const ways[] = {"north", "east",      "south",     "west",      "up",
                                       "down",  "left",      "right",     "n",         "ne",
                                       "e",     "se",        "s",         "sw",        "w",
                                       "nw",    "northeast", "southeast", "southwest", "northwest"};
    for (int i = 0; i < COUNT(ways); i++)
        if (strcasecmp(word, ways[i]) == 0)
            return true;
    return false;
}

static void help_unknown(Checker *c, const char *word) {
    const Board *b = c->g->board;
    size_t n = strlen(word);
    bool grid = b && b->shape != BOARD_LINES;
    if (c->know && c->know->prefers)
        diag_help(c->diags, "the choices of the turn are %s", choice_names(c));
    else if (grid && n <= 4 && isalpha((unsigned char)word[0]) &&
             isdigit((unsigned char)word[n - 1]))
        help_cells(c, word);
    else if (b && b->directions > 0 && is_way(word))
        diag_help(c->diags, "the directions of this board are %s",
                  names_list(c, b->direction_name, b->directions));
    else if (c->place <= AT_BOARD)
        diag_help(c->diags, "declare it first: `parameter %s : 1..9 = 3`", word);
    else
        diag_help(c->diags, "define it with `let %s = …`, or use a name that exists", word);
}

const char *names_near(Checker *c, const char *word) {
    int n = 0, most = c->symbols + COUNT(built_in) + COUNT(built_in_names) + c->g->kinds;
    for (Local *l = c->locals; l; l = l->up)
        most++;
    if (c->g->board)
        most += c->g->board->cells + c->g->board->directions;
    const char **words = ARENA_ARRAY(c->arena, const char *, most);
    for (Local *l = c->locals; l; l = l->up)
        words[n++] = l->name;
    for (int i = 0; i < c->symbols; i++)
        words[n++] = c->symbol[i].name;
    for (int i = 0; i < c->g->kinds; i++)
        words[n++] = arena_printf(c->arena, "%ss", c->g->kind[i].name);
    for (int i = 0; i < COUNT(built_in); i++)
        words[n++] = built_in[i];
    for (int i = 0; i < COUNT(built_in_names); i++)
        words[n++] = built_in_names[i];
    if (c->g->board) {
        for (int i = 0; i < c->g->board->directions; i++)
            words[n++] = c->g->board->direction_name[i];
        for (int i = 0; i < c->g->board->cells; i++)
            words[n++] = c->g->board->cell[i].name;
    }
    return text_nearest(word, words, n);
}

void names_unknown(Checker *c, const char *word, Span span, const char *otherwise) {
    if (known_elsewhere(c, word, span))
        return;
    diag_error(c->diags, span, "there is nothing called `%s` here", word);
    if (!c->diags->last_kept)
        return;
    const char *near = names_near(c, word);
    if (near)
        diag_help(c->diags, "did you mean `%s`?", near);
    else if (otherwise)
        diag_help(c->diags, "%s", otherwise);
    else
        help_unknown(c, word);
}

void names_report_unused(Checker *c, int from) {
    for (int i = from; i < c->symbols; i++) {
        const Symbol *s = &c->symbol[i];
        if (s->used || s->kind == SYM_PLAYER || s->kind == SYM_FLAG)
            continue;
        diag_warn(c->diags, s->span, "the %s `%s` is never used", symbol_noun(c, s), s->name);
    }
}
