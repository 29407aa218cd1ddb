// convert_print: expressions and statements as text, and the names in it.
#include "s3/convert_parts.h"

#include <ctype.h>
#include <string.h>

// How tightly the parts of the language bind, from loose to tight.
enum { L_IF, L_WHERE, L_OR, L_AND, L_NOT, L_COMPARE, L_RANGE, L_SUM, L_PRODUCT, L_UNARY, L_ATOM };

static const char *const reserved[] = {
    "and",    "or",       "not",   "in",    "within",   "where",     "if",       "then",  "else",
    "some",   "all",      "no",    "count", "sum",      "min",       "max",      "union", "the",
    "of",     "yes",      "true",  "false", "none",     "it",        "me",       "mine",  "theirs",
    "empty",  "occupied", "cells", "lines", "players",  "opponent",  "step",     "ray",   "row",
    "column", "next",     "past",  "flood", "distance", "cell",      "opposite", "piece", "owner",
    "height", "abs",      "say",   "turn",  "end",      "directions"};

static bool is_reserved(const char *name) {
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (strcmp(reserved[i], name) == 0)
            return true;
    return false;
}

bool cv_taken(const Convert *c, const char *name) {
    if (is_reserved(name))
        return true;
    for (int i = 0; i < c->taken_count; i++)
        if (strcmp(c->taken[i], name) == 0)
            return true;
    return false;
}

// A word of the language that looks like `wish`.
static const char *word(Convert *c, const char *wish) {
    char *s = arena_text(c->arena, wish, strlen(wish));
    int n = 0;
    for (const char *p = wish; *p && n < 40; p++)
        if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (n && *p >= '0' && *p <= '9') ||
            (n && *p == '_'))
            s[n++] = *p;
    s[n] = '\0';
    return n ? s : "x";
}

const char *cv_name(Convert *c, const char *wish) {
    const char *base = word(c, wish), *name = base;
    if (is_reserved(base))
        name = base = arena_printf(c->arena, "%sOf", base);
    for (int i = 2; cv_taken(c, name); i++)
        name = arena_printf(c->arena, "%s%d", base, i);
    if (c->taken_count == (int)(sizeof c->taken / sizeof c->taken[0]))
        cv_fail(c, (Span){0}, "the file has too many names");
    c->taken[c->taken_count++] = name;
    return name;
}

const char *gx_name(Convert *c, Names *names, Gx *local, const char *wish) {
    const char *base = word(c, wish), *name = base;
    for (int i = 2;; i++) {
        bool used = cv_taken(c, name);
        for (int k = 0; k < names->n; k++)
            used |= strcmp(names->name[k], name) == 0;
        if (!used)
            break;
        name = arena_printf(c->arena, "%s%d", base, i);
    }
    if (names->n == 64)
        cv_fail(c, (Span){0}, "too many quantifiers inside each other");
    names->local[names->n] = local;
    names->name[names->n++] = name;
    return name;
}

static const char *name_of(const Names *names, const Gx *local) {
    for (int i = names->n - 1; i >= 0; i--)
        if (names->local[i]->value == local->value)
            return names->name[i];
    return local->text;
}

static int level_of(const char *op) {
    if (strcmp(op, "or") == 0)
        return L_OR;
    if (strcmp(op, "and") == 0)
        return L_AND;
    if (strchr("+-|", op[0]) && !op[1])
        return L_SUM;
    if (strchr("*/%&", op[0]) && !op[1])
        return L_PRODUCT;
    return L_COMPARE;
}

static void kids(Convert *c, const Gx *x, Names *names, Text *out) {
    for (int i = 0; i < x->kids; i++) {
        text_add(out, i ? ", " : "");
        gx_print(c, x->kid[i], names, L_IF, out);
    }
}

static void quantifier(Convert *c, const Gx *x, Names *names, Text *out) {
    bool range = x->op == GX_RANGE;
    Text set = {0};
    gx_print(c, x->kid[1], names, range ? L_SUM : L_SUM, &set);
    if (range) {
        text_add(&set, " .. ");
        gx_print(c, x->kid[2], names, L_SUM, &set);
    }
    const char *name = gx_name(c, names, x->kid[0], x->kid[0]->text);
    text_f(out, "%s %s in %s : ", x->text, name, text_c(&set));
    text_free(&set);
    gx_print(c, x->kid[x->kids - 1], names, L_OR, out);
    names->n--;
}

static int level(const Gx *x) {
    switch (x->op) {
    case GX_INT: return x->value < 0 ? L_UNARY : L_ATOM;
    case GX_BINARY: return level_of(x->text);
    case GX_NOT: return L_NOT;
    case GX_NEG: return L_UNARY;
    case GX_IF: return L_IF;
    case GX_WORD: return strchr(x->text, ' ') ? L_UNARY : L_ATOM;
    case GX_RANGE:
    case GX_EACH: return L_OR; // what follows would belong to its body
    case GX_BY_ME: return L_IF;
    default: return L_ATOM;
    }
}

// Whether an `or` after it would belong to a quantifier at its end.
static bool open_end(const Gx *x) {
    if (x->op == GX_BINARY && level_of(x->text) == L_OR)
        return open_end(x->kid[1]);
    return x->op == GX_RANGE || x->op == GX_EACH || x->op == GX_IF;
}

void gx_print(Convert *c, const Gx *x, Names *names, int outside, Text *out) {
    int mine = level(x);
    bool brackets = mine < outside;
    text_add(out, brackets ? "(" : "");
    switch (x->op) {
    case GX_INT: text_f(out, "%d", (int)x->value); break;
    case GX_BOOL: text_add(out, x->value ? "yes" : "false"); break;
    case GX_BY_ME:
        for (int i = 0; i + 1 < c->players; i++)
            text_f(out, "if me == %s then %d else ", c->player[i + 1], (int)x->by[i]);
        text_f(out, "%d", (int)x->by[c->players - 1]);
        break;
    case GX_LOCAL: text_add(out, name_of(names, x)); break;
    case GX_WORD: text_add(out, x->text); break;
    case GX_CALL:
        text_add(out, x->text);
        if (x->kids) {
            text_char(out, '(');
            kids(c, x, names, out);
            text_char(out, ')');
        }
        break;
    case GX_ENTRY:
        text_f(out, "%s[", x->text);
        kids(c, x, names, out);
        text_char(out, ']');
        break;
    case GX_BINARY: {
        bool chain = mine == L_OR || mine == L_AND || strcmp(x->text, "+") == 0;
        bool tight = mine == L_COMPARE || (mine == L_OR && open_end(x->kid[0]));
        gx_print(c, x->kid[0], names, tight ? mine + 1 : mine, out);
        text_f(out, " %s ", x->text);
        gx_print(c, x->kid[1], names, chain ? mine : mine + 1, out);
        break;
    }
    case GX_NOT:
        text_add(out, "not ");
        gx_print(c, x->kid[0], names, L_NOT + 1, out);
        break;
    case GX_NEG:
        text_char(out, '-');
        gx_print(c, x->kid[0], names, L_ATOM, out);
        break;
    case GX_IF:
        text_add(out, "if ");
        gx_print(c, x->kid[0], names, L_OR, out);
        text_add(out, " then ");
        gx_print(c, x->kid[1], names, L_OR, out);
        text_add(out, " else ");
        gx_print(c, x->kid[2], names, L_IF, out);
        break;
    case GX_RANGE:
    case GX_EACH: quantifier(c, x, names, out); break;
    }
    text_add(out, brackets ? ")" : "");
}

static void line(Text *out, int indent) {
    for (int i = 0; i < indent; i++)
        text_add(out, "    ");
}

static void loop(Convert *c, const St *s, Names *names, int indent, Text *out) {
    Text set = {0};
    gx_print(c, s->b, names, L_SUM, &set);
    if (s->what == DO_RANGE) {
        text_add(&set, " .. ");
        gx_print(c, s->c, names, L_SUM, &set);
    }
    text_f(out, "for %s in %s\n", gx_name(c, names, s->a, s->a->text), text_c(&set));
    text_free(&set);
    st_print(c, s->body, names, indent + 1, out);
    names->n--;
}

static void branch(Convert *c, const St *s, Names *names, int indent, Text *out) {
    Gx *cond = s->body ? s->a : gx_not(c, s->a);
    text_add(out, "if ");
    gx_print(c, cond, names, L_IF, out);
    text_char(out, '\n');
    st_print(c, s->body ? s->body : s->other, names, indent + 1, out);
    if (s->body && s->other) {
        line(out, indent);
        text_add(out, "else\n");
        st_print(c, s->other, names, indent + 1, out);
    }
}

void st_print(Convert *c, const St *s, Names *names, int indent, Text *out) {
    for (; s; s = s->next) {
        if (s->what == DO_IF && !s->body && !s->other)
            continue;
        line(out, indent);
        switch (s->what) {
        case DO_MOVE:
            text_add(out, "move ");
            gx_print(c, s->a, names, L_SUM, out);
            text_add(out, " to ");
            gx_print(c, s->b, names, L_SUM, out);
            text_char(out, '\n');
            break;
        case DO_REMOVE:
            text_add(out, "remove ");
            gx_print(c, s->a, names, L_SUM, out);
            text_char(out, '\n');
            break;
        case DO_SET:
        case DO_ADD:
            gx_print(c, s->a, names, L_ATOM, out);
            text_add(out, s->what == DO_SET ? " = " : " += ");
            gx_print(c, s->b, names, L_IF, out);
            text_char(out, '\n');
            break;
        case DO_EACH:
        case DO_RANGE: loop(c, s, names, indent, out); break;
        case DO_IF: branch(c, s, names, indent, out); break;
        case DO_AGAIN: text_add(out, "again\n"); break;
        }
    }
}
