// ast: printing trees and the source text of nodes (ast.h).
// The names and the meaning of `number` come from the table of kinds.
#include "lang/ast.h"

#include <string.h>

static const struct {
    const char *name;
    const char *number;
} ast_kinds[] = {
#define X(kind, word, number, children) {#kind, number},
    AST_KINDS(X)
#undef X
};

// Words and operators as they are, everything else quoted.
static void ast_print_word(const char *word, Text *out) {
    bool plain = *word != '\0';
    for (const char *c = word; *c; c++)
        plain = plain && *c > ' ' && *c < 0x7F && *c != '"';
    text_char(out, ' ');
    if (plain)
        text_add(out, word);
    else
        text_json(out, word);
}

static void ast_print_at(const Node *node, int depth, Text *out) {
    for (int i = 0; i < depth; i++)
        text_add(out, "  ");
    if (!node) {
        text_add(out, "-\n");
        return;
    }
    text_add(out, ast_kinds[node->kind].name);
    if (node->word)
        ast_print_word(node->word, out);
    bool always = node->kind == N_INT || node->kind == N_BOOL || node->kind == N_LANGUAGE;
    if (always || (node->number != 0 && *ast_kinds[node->kind].number))
        text_f(out, " %lld", (long long)node->number);
    if (node->extra) {
        text_add(out, " ;");
        ast_print_word(node->extra, out);
    }
    text_char(out, '\n');
    for (int i = 0; i < node->count; i++)
        ast_print_at(node->kids[i], depth + 1, out);
}

void ast_print(const Node *node, Text *out) {
    ast_print_at(node, 0, out);
}

// Where the span begins in the source, NULL if it has no place there.
static const char *ast_find(const Source *source, Span span) {
    const char *s = source->text;
    const char *end = source->text + source->size;
    if (span.line < 1 || span.column < 1)
        return NULL;
    for (int line = 1; line < span.line; line++) {
        s = memchr(s, '\n', (size_t)(end - s));
        if (!s)
            return NULL;
        s++;
    }
    return end - s >= span.column - 1 ? s + span.column - 1 : NULL;
}

const char *ast_text(const Source *source, const Node *node, Arena *arena) {
    const char *from = node->offset ? source->text + node->offset : ast_find(source, node->span);
    if (!from)
        return "";
    size_t left = (size_t)(source->text + source->size - from);
    size_t length = node->span.length > 0 ? (size_t)node->span.length : 0;
    char *text = arena_text(arena, from, length < left ? length : left);
    char *to = text;
    for (const char *c = text; *c && *c != '\n'; c++) {
        bool blank = *c == ' ' || *c == '\t' || *c == '\r';
        if (!blank)
            *to++ = *c;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    }
    while (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
    return text;
}
