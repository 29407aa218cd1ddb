// lex: rules text -> tokens (lex.h).
// One physical line at a time; whether a line goes on is decided when the next one begins.
#include "lang/lex.h"

#include <string.h>

typedef struct Lexer {
    Arena *arena;
    Diags *diags;
    const char *text;
    size_t size;
    size_t at;
    int line;
    size_t line_start; // offset of the line's first byte

    Tokens out;
    int *levels; // indentation of the open blocks, in blanks; levels[0] is 0
    int level_count;
    int level_cap;
    int *brackets; // the tokens of the open brackets
    int open;
    int bracket_cap;

    // The logical line in progress.
    bool in_line;
    int first;          // its first token
    int indent;         // its indentation
    int quantifiers;    // `some x in` and the like whose `:` has not come yet
    bool colon_is_ours; // the last `:` belonged to a quantifier

    // What is said once and not again.
    bool told_tab;
    bool told_encoding;
    int told_indent;    // a wrong indentation that was reported, -1 if none
    int told_character; // the line of the last unexpected character
} Lexer;

bool lex_in_list(const char *word, const char *const *list) {
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

bool lex_is_reserved(const char *word) {
    static const char *const reserved[] = {
        "and",   "or",       "not",   "in",    "within",   "where",      "if",
        "then",  "else",     "some",  "all",   "no",       "count",      "sum",
        "min",   "max",      "union", "the",   "of",       "yes",        "true",
        "false", "none",     "it",    "me",    "opponent", "mine",       "theirs",
        "empty", "occupied", "cells", "lines", "players",  "directions", NULL};
    return lex_in_list(word, reserved);
}

// ---- Places and tokens ----------------------------------------------------------------------

static Span lex_span(const Lexer *l, size_t from, size_t to) {
    return (Span){.line = l->line,
                  .column = (int)(from - l->line_start) + 1,
                  .length = to > from ? (int)(to - from) : 1};
}

static char lex_char(const Lexer *l, size_t ahead) {
    return l->at + ahead < l->size ? l->text[l->at + ahead] : '\0';
}

static bool lex_at_line_end(const Lexer *l) {
    if (l->at >= l->size || l->text[l->at] == '\n')
        return true;
    return l->text[l->at] == '\r' && (l->at + 1 == l->size || l->text[l->at + 1] == '\n');
}

static Token *lex_push(Lexer *l, TokenKind kind, Span span, const char *text) {
    Tokens *out = &l->out;
    ARENA_GROW(l->arena, Token, out->items, out->count, out->cap);
    Token *token = &out->items[out->count++];
    *token = (Token){.kind = kind, .span = span, .text = text};
    token->offset = l->line_start + (size_t)(span.column - 1);
    return token;
}

static const Token *lex_last(const Lexer *l, int back) {
    int i = l->out.count - 1 - back;
    return i >= l->first ? &l->out.items[i] : NULL;
}

static bool lex_is(const Token *token, const char *text) {
    return token && (token->kind == TOK_NAME || token->kind == TOK_SYMBOL) &&
           strcmp(token->text, text) == 0;
}

// ---- What other languages and text programs write --------------------------------------------

static bool lex_starts_with(const Lexer *l, const char *prefix) {
    size_t n = strlen(prefix);
    return l->size - l->at >= n && memcmp(l->text + l->at, prefix, n) == 0;
}

// What is written elsewhere, and what it is here.
static const struct Mistake {
    const char *wrong;
    const char *right;
    TokenKind kind;
} lex_mistakes[] = {
    {"&&", "and", TOK_NAME},
    {"||", "or", TOK_NAME},
    {"===", "==", TOK_SYMBOL},
    {"!==", "!=", TOK_SYMBOL},
    {"<>", "!=", TOK_SYMBOL},
    {"=>", ">=", TOK_SYMBOL},
    {"=<", "<=", TOK_SYMBOL},
    {":=", "=", TOK_SYMBOL},
    {"...", "..", TOK_SYMBOL},
    {"\342\200\246", "..", TOK_SYMBOL}, // …
    {"\342\211\240", "!=", TOK_SYMBOL}, // ≠
    {"\342\211\244", "<=", TOK_SYMBOL}, // ≤
    {"\342\211\245", ">=", TOK_SYMBOL}, // ≥
    {"\342\210\222", "-", TOK_SYMBOL},  // minus sign
    {"\342\200\223", "-", TOK_SYMBOL},  // en dash
    {"\303\227", "*", TOK_SYMBOL},      // multiplication sign
};

static const struct Mistake *lex_find_mistake(const Lexer *l) {
    for (size_t i = 0; i < sizeof lex_mistakes / sizeof *lex_mistakes; i++)
        if (lex_starts_with(l, lex_mistakes[i].wrong))
            return &lex_mistakes[i];
    return NULL;
}

static const char *lex_character_help(const Lexer *l) {
    static const struct {
        const char *character;
        const char *help;
    } helps[] = {
        {".", "numbers are whole; a range is written `1 .. 8`, in `prefer` a fraction `1/2`"},
        {"\342\200\234", "texts stand between straight quotes: \"like this\""},
        {"\342\200\235", "texts stand between straight quotes: \"like this\""},
        {"\342\200\236", "texts stand between straight quotes: \"like this\""},
        {"\302\240", "this is a no-break space; write an ordinary blank"},
        {"\342\210\210", "write `in`"},
        {"?", "a value that depends on a condition: `if a then b else c`"},
        {"^", "powers are written as products: `n * n`"},
        {"!", "write `not`"},
    };
    for (size_t i = 0; i < sizeof helps / sizeof *helps; i++)
        if (lex_starts_with(l, helps[i].character))
            return helps[i].help;
    return NULL;
}

// ---- Words and numbers ----------------------------------------------------------------------

static bool lex_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool lex_is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool lex_is_word(char c) {
    return lex_is_letter(c) || lex_is_digit(c) || c == '_';
}

static void lex_push_name(Lexer *l, size_t from, size_t to) {
    static const char *const quantifiers[] = {"some", "all", "no",    "count", "sum",
                                              "min",  "max", "union", NULL};
    lex_push(l, TOK_NAME, lex_span(l, from, to), arena_text(l->arena, l->text + from, to - from));
    const Token *quantifier = lex_last(l, 2);
    if (lex_is(lex_last(l, 0), "in") && quantifier && quantifier->kind == TOK_NAME &&
        lex_last(l, 1)->kind == TOK_NAME && !lex_is_reserved(lex_last(l, 1)->text) &&
        lex_in_list(quantifier->text, quantifiers))
        l->quantifiers++;
}

// Words are ASCII; a word with other letters in it is reported as a whole.
static void lex_word(Lexer *l) {
    size_t from = l->at;
    bool foreign = false;
    for (; l->at < l->size; l->at++) {
        bool high = l->text[l->at] & 0x80;
        if (!high && !lex_is_word(l->text[l->at]))
            break;
        if (high && (lex_find_mistake(l) || lex_character_help(l)))
            break;
        foreign = foreign || high;
    }
    if (!foreign) {
        lex_push_name(l, from, l->at);
        return;
    }
    Span span = lex_span(l, from, l->at);
    diag_error(l->diags, span, "names are made of the letters a-z and A-Z, digits and `_`");
    diag_help(l->diags, "other letters are fine inside texts: \"M\303\274hle\"");
    lex_push(l, TOK_BAD, span, "");
}

static void lex_push_number(Lexer *l, size_t from, size_t to) {
    int64_t value = 0;
    for (size_t i = from; i < to && value <= LEX_NUMBER_LIMIT; i++)
        value = 10 * value + (l->text[i] - '0');
    Span span = lex_span(l, from, to);
    if (value > LEX_NUMBER_LIMIT) {
        diag_error(l->diags, span, "this number is too large");
        diag_help(l->diags, "numbers go up to %d", LEX_NUMBER_LIMIT);
        value = LEX_NUMBER_LIMIT;
    }
    lex_push(l, TOK_INT, span, "")->number = (int)value;
}

static void lex_digits(Lexer *l) {
    size_t from = l->at;
    while (lex_is_digit(lex_char(l, 0)))
        l->at++;
    lex_push_number(l, from, l->at);
}

// `8x8`: what a person writes for a board's size. Read it as if the blanks were there.
static void lex_glued_size(Lexer *l, size_t from) {
    size_t x = l->at++;
    size_t to = l->at;
    while (to < l->size && lex_is_digit(l->text[to]))
        to++;
    diag_error(l->diags, lex_span(l, from, to), "a size needs blanks around its `x`");
    diag_help(l->diags, "write `%.*s x %.*s`", (int)(x - from), l->text + from,
              to > l->at ? (int)(to - l->at) : 1, to > l->at ? l->text + l->at : "8");
    lex_push_name(l, x, x + 1);
    if (to > l->at)
        lex_digits(l);
}

static void lex_number(Lexer *l) {
    size_t from = l->at;
    lex_digits(l);
    if (!lex_is_word(lex_char(l, 0)))
        return;
    if (lex_char(l, 0) == 'x' && (lex_is_digit(lex_char(l, 1)) || !lex_is_word(lex_char(l, 1)))) {
        lex_glued_size(l, from);
        return;
    }
    while (lex_is_word(lex_char(l, 0)))
        l->at++;
    Span span = lex_span(l, from, l->at);
    diag_error(l->diags, span, "a name cannot begin with a digit");
    l->out.count--;
    lex_push(l, TOK_BAD, span, "");
}

// ---- Texts ----------------------------------------------------------------------------------

// How many bytes the UTF-8 character at `s` has, 0 if it is none (RFC 3629).
static size_t lex_utf8(const char *s, size_t left) {
    unsigned char c = (unsigned char)s[0];
    if (c < 0x80)
        return 1;
    size_t n = c >= 0xC2 && c <= 0xDF ? 2 : (c & 0xF0) == 0xE0 ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
    if (n == 0 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    unsigned char d = (unsigned char)s[1];
    bool overlong = (c == 0xE0 && d < 0xA0) || (c == 0xF0 && d < 0x90);
    bool beyond = (c == 0xED && d > 0x9F) || (c == 0xF4 && d > 0x8F);
    return overlong || beyond ? 0 : n;
}

// Reports the first byte that is not UTF-8; a file in another encoding would have many.
static bool lex_check_utf8(Lexer *l, size_t at) {
    if (lex_utf8(l->text + at, l->size - at) > 0)
        return true;
    if (!l->told_encoding) {
        diag_error(l->diags, lex_span(l, at, at + 1), "the byte 0x%02X is not UTF-8 text",
                   (unsigned)(unsigned char)l->text[at]);
        diag_help(l->diags, "save the file in the encoding UTF-8");
    }
    l->told_encoding = true;
    return false;
}

static void lex_check_control(Lexer *l, const char *where) {
    unsigned char c = (unsigned char)l->text[l->at];
    if (c < 0x20 && c != '\t')
        diag_error(l->diags, lex_span(l, l->at, l->at + 1), "the control character 0x%02X in a %s",
                   (unsigned)c, where);
}

// One character of a text goes into `buffer`; returns how many bytes it has there.
static size_t lex_text_char(Lexer *l, char *buffer) {
    char c = l->text[l->at];
    if (c == '\\') {
        char escaped = lex_char(l, 1);
        if (escaped == '"' || escaped == '\\') {
            l->at += 2;
            buffer[0] = escaped;
            return 1;
        }
        diag_error(l->diags, lex_span(l, l->at, l->at + 1),
                   "`\\` in a text stands before `\"` or `\\`");
        diag_help(l->diags, "for a single `\\` write `\\\\`");
    }
    lex_check_control(l, "text");
    size_t n = lex_check_utf8(l, l->at) ? lex_utf8(l->text + l->at, l->size - l->at) : 1;
    memcpy(buffer, l->text + l->at, n);
    l->at += n;
    return n;
}

static void lex_string(Lexer *l, char quote) {
    size_t from = l->at++;
    size_t end = l->at;
    while (end < l->size && l->text[end] != '\n' && l->text[end] != quote)
        end += l->text[end] == '\\' && end + 1 < l->size && l->text[end + 1] != '\n' ? 2 : 1;
    char *buffer = arena_alloc(l->arena, end - l->at + 1);
    size_t n = 0;
    while (!lex_at_line_end(l) && l->text[l->at] != quote)
        n += lex_text_char(l, buffer + n);
    bool closed = !lex_at_line_end(l);
    if (closed) {
        l->at++;
    } else {
        diag_error(l->diags, lex_span(l, from, l->at), "this text has no closing `\"`");
        diag_help(l->diags, "a text stands on one line: \"like this\"");
    }
    // A NUL byte inside is an error already; the text simply ends there.
    Token *token = lex_push(l, TOK_STRING, lex_span(l, from, l->at), buffer);
    token->number = !closed || quote != '"';
}

static void lex_comment(Lexer *l) {
    size_t from = l->at;
    size_t to = l->at;
    while (!lex_at_line_end(l)) {
        lex_check_control(l, "comment");
        size_t n = lex_check_utf8(l, l->at) ? lex_utf8(l->text + l->at, l->size - l->at) : 1;
        if (l->text[l->at] != ' ' && l->text[l->at] != '\t' && l->text[l->at] != '\r')
            to = l->at + n;
        l->at += n;
    }
    Tokens *out = &l->out;
    ARENA_GROW(l->arena, Comment, out->comments, out->comment_count, out->comment_cap);
    out->comments[out->comment_count++] = (Comment){lex_span(l, from, to), from};
}

// ---- Symbols --------------------------------------------------------------------------------

static bool lex_mistake(Lexer *l) {
    const struct Mistake *m = lex_find_mistake(l);
    if (m) {
        size_t from = l->at;
        l->at += strlen(m->wrong);
        Span span = lex_span(l, from, l->at);
        diag_error(l->diags, span, "there is no `%s` in the rules language", m->wrong);
        diag_help(l->diags, "write `%s`", m->right);
        lex_push(l, m->kind, span, m->right);
        return true;
    }
    if (lex_char(l, 0) != '!' || lex_char(l, 1) == '=')
        return false;
    Span span = lex_span(l, l->at, l->at + 1);
    diag_error(l->diags, span, "there is no `!` in the rules language");
    diag_help(l->diags, "write `not`");
    lex_push(l, TOK_NAME, span, "not");
    l->at++;
    return true;
}

static void lex_open_bracket(Lexer *l) {
    ARENA_GROW(l->arena, int, l->brackets, l->open, l->bracket_cap);
    l->brackets[l->open++] = l->out.count - 1;
}

static const char *lex_partner(const Token *opener) {
    return *opener->text == '(' ? ")" : *opener->text == '[' ? "]" : "}";
}

static void lex_close_bracket(Lexer *l, Token *closer) {
    if (l->open == 0) {
        diag_error(l->diags, closer->span, "this `%s` closes nothing", closer->text);
        closer->kind = TOK_BAD;
        return;
    }
    const Token *opener = &l->out.items[l->brackets[--l->open]];
    const char *wanted = lex_partner(opener);
    if (strcmp(closer->text, wanted) == 0)
        return;
    diag_error(l->diags, closer->span, "`%s` cannot close the `%s` opened at %d:%d", closer->text,
               opener->text, opener->span.line, opener->span.column);
    diag_help(l->diags, "write `%s`, or close the inner bracket first", wanted);
    closer->kind = TOK_BAD;
}

static bool lex_symbol(Lexer *l) {
    static const char *const symbols[] = {"==", "!=", "<=", ">=", "+=", "-=", "..", "+", "-",
                                          "*",  "/",  "%",  "&",  "|",  "<",  ">",  "=", "(",
                                          ")",  "[",  "]",  "{",  "}",  ",",  ":",  "_"};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        if (!lex_starts_with(l, symbols[i]))
            continue;
        size_t from = l->at;
        l->at += strlen(symbols[i]);
        Token *token = lex_push(l, TOK_SYMBOL, lex_span(l, from, l->at), symbols[i]);
        if (strchr("([{", *token->text))
            lex_open_bracket(l);
        else if (strchr(")]}", *token->text))
            lex_close_bracket(l, token);
        else if (*token->text == ':') {
            l->colon_is_ours = l->quantifiers > 0;
            l->quantifiers -= l->colon_is_ours ? 1 : 0;
        }
        return true;
    }
    return false;
}

// ---- Characters that nothing begins with ----------------------------------------------------

// One message per line is enough: a stray picture in the file would give hundreds.
static void lex_tell_character(Lexer *l, size_t n) {
    if (l->told_character == l->line)
        return;
    l->told_character = l->line;
    Span span = lex_span(l, l->at, l->at + n);
    unsigned char c = (unsigned char)l->text[l->at];
    if (c < 0x20 || c == 0x7F)
        diag_error(l->diags, span, "unexpected character 0x%02X", (unsigned)c);
    else
        diag_error(l->diags, span, "unexpected character `%.*s`", (int)n, l->text + l->at);
    const char *help = lex_character_help(l);
    if (help)
        diag_help(l->diags, "%s", help);
}

static bool lex_only_blanks_follow(const Lexer *l, size_t at) {
    while (at < l->size && (l->text[at] == ' ' || l->text[at] == '\t' || l->text[at] == '\r'))
        at++;
    return at >= l->size || l->text[at] == '\n' || l->text[at] == '#';
}

static void lex_unexpected(Lexer *l) {
    size_t n = lex_utf8(l->text + l->at, l->size - l->at);
    if (!lex_check_utf8(l, l->at)) {
        n = 1;
    } else if (l->text[l->at] == ';' && lex_only_blanks_follow(l, l->at + 1)) {
        diag_error(l->diags, lex_span(l, l->at, l->at + 1), "a line ends without `;`");
        l->at++;
        return;
    } else if ((l->text[l->at] & 0x80) && !lex_character_help(l)) {
        lex_word(l);
        return;
    } else {
        lex_tell_character(l, n);
    }
    lex_push(l, TOK_BAD, lex_span(l, l->at, l->at + n), "");
    l->at += n;
}

static void lex_foreign_comment(Lexer *l) {
    Span span = lex_span(l, l->at, l->at + 2);
    diag_error(l->diags, span, "a comment begins with `#`");
    while (!lex_at_line_end(l))
        l->at++;
}

static void lex_single_quotes(Lexer *l) {
    diag_error(l->diags, lex_span(l, l->at, l->at + 1), "a text stands between double quotes");
    diag_help(l->diags, "write \"like this\"");
    size_t end = l->at + 1;
    while (end < l->size && l->text[end] != '\n' && l->text[end] != '\'')
        end++;
    if (end < l->size && l->text[end] == '\'') {
        lex_string(l, '\'');
        return;
    }
    lex_push(l, TOK_BAD, lex_span(l, l->at, l->at + 1), "");
    l->at++;
}

// ---- Lines ----------------------------------------------------------------------------------

static void lex_token(Lexer *l) {
    char c = l->text[l->at];
    if (c == ' ' || c == '\t')
        l->at++;
    else if (c == '#')
        lex_comment(l);
    else if (lex_is_letter(c))
        lex_word(l);
    else if (lex_is_digit(c))
        lex_number(l);
    else if (c == '"')
        lex_string(l, '"');
    else if (c == '\'')
        lex_single_quotes(l);
    else if (lex_starts_with(l, "//") || lex_starts_with(l, "/*"))
        lex_foreign_comment(l);
    else if (!lex_mistake(l) && !lex_symbol(l))
        lex_unexpected(l);
}

// A `:` at the end of `if x > 0:` ends the line all the same: the parser says that it is not
// needed and goes on. In `if some x in S :` it belongs to the quantifier and the line goes on.
static bool lex_colon_goes_on(const Lexer *l) {
    static const char *const block_words[] = {"if",     "elif",    "else",    "for",      "while",
                                              "either", "or",      "turn",    "setup",    "end",
                                              "when",   "game",    "input",   "notation", "board",
                                              "lines",  "diagram", "players", "table",    NULL};
    const Token *first = &l->out.items[l->first];
    return l->colon_is_ours || first->kind != TOK_NAME || !lex_in_list(first->text, block_words);
}

// Whether the last token of the line asks for more.
static bool lex_wants_more(const Lexer *l) {
    static const char *const symbols[] = {"==", "!=", "<=", ">=", "+=", "-=", "..", "+", "-", "*",
                                          "/",  "%",  "&",  "|",  "<",  ">",  "=",  ",", NULL};
    static const char *const words[] = {"and",   "or",   "not",  "in", "within",
                                        "where", "then", "else", NULL};
    const Token *last = lex_last(l, 0);
    if (!last)
        return false;
    if (last->kind == TOK_SYMBOL)
        return *last->text == ':' ? lex_colon_goes_on(l) : lex_in_list(last->text, symbols);
    // A lone `or` or `else` begins a branch.
    return last->kind == TOK_NAME && l->out.count - 1 > l->first && lex_in_list(last->text, words);
}

// Only the innermost open bracket is named; the outermost stops the parser.
static void lex_unclosed(Lexer *l) {
    if (l->open == 0)
        return;
    const Token *inner = &l->out.items[l->brackets[l->open - 1]];
    diag_error(l->diags, inner->span, "this `%s` is never closed", inner->text);
    diag_help(l->diags, "add `%s`; %s", lex_partner(inner),
              *inner->text == '{' ? "if this is meant as a block, indentation alone makes it"
                                  : "a line that goes on inside brackets is indented more");
    l->out.items[l->brackets[0]].kind = TOK_BAD;
    l->open = 0;
}

static void lex_end_line(Lexer *l) {
    if (!l->in_line)
        return;
    lex_unclosed(l);
    l->in_line = false;
    if (l->out.count == l->first)
        return;
    Token last = l->out.items[l->out.count - 1];
    Span span = last.span;
    span.column += span.length;
    span.length = 1;
    Token *token = lex_push(l, TOK_NEWLINE, span, "");
    token->offset = last.offset + (size_t)last.span.length;
}

static void lex_push_level(Lexer *l, int column) {
    ARENA_GROW(l->arena, int, l->levels, l->level_count, l->level_cap);
    l->levels[l->level_count++] = column;
}

// Writes the open levels for the message: "0, 4 or 8".
static const char *lex_level_list(Lexer *l) {
    const char *list = "";
    int shown = l->level_count > 8 ? l->level_count - 8 : 0;
    for (int i = shown; i < l->level_count; i++) {
        const char *between = i == shown ? "" : i + 1 == l->level_count ? " or " : ", ";
        list = arena_printf(l->arena, "%s%s%d", list, between, l->levels[i]);
    }
    return list;
}

// A line between two levels stays in the deeper block, where the lines after it most likely
// belong, and is itself given up.
static void lex_dedent(Lexer *l, int column) {
    while (l->level_count > 1 && l->levels[l->level_count - 2] >= column) {
        l->level_count--;
        lex_push(l, TOK_DEDENT, lex_span(l, l->at, l->at + 1), "");
    }
    if (l->levels[l->level_count - 1] == column)
        return;
    if (column != l->told_indent) {
        diag_error(l->diags, lex_span(l, l->line_start, l->at),
                   "this line is indented by %d, which fits no block above", column);
        diag_help(l->diags, "indent it by %s", lex_level_list(l));
    }
    l->told_indent = column;
    lex_push(l, TOK_BAD, lex_span(l, l->at, l->at + 1), "");
}

static void lex_begin_line(Lexer *l, int column) {
    int top = l->levels[l->level_count - 1];
    if (column < l->told_indent)
        l->told_indent = -1;
    if (column > top) {
        lex_push_level(l, column);
        lex_push(l, TOK_INDENT, lex_span(l, l->line_start, l->at), "");
    } else if (column < top) {
        lex_dedent(l, column);
    }
    l->in_line = true;
    l->first = l->out.count;
    l->indent = column;
    l->quantifiers = 0;
    l->colon_is_ours = false;
}

// Blanks at the beginning of a line; a tab counts as up to four of them.
static int lex_indentation(Lexer *l) {
    int column = 0;
    size_t tab = l->size;
    for (; lex_char(l, 0) == ' ' || lex_char(l, 0) == '\t'; l->at++) {
        bool is_tab = lex_char(l, 0) == '\t';
        column = is_tab ? (column + 4) / 4 * 4 : column + 1;
        tab = is_tab && tab == l->size ? l->at : tab;
    }
    if (tab < l->size && !l->told_tab && !lex_at_line_end(l) && lex_char(l, 0) != '#') {
        diag_error(l->diags, lex_span(l, tab, tab + 1), "a tab in the indentation");
        diag_help(l->diags, "indent with blanks, four for each level (said once per file)");
        l->told_tab = true;
    }
    return column;
}

static bool lex_is_closer(char c) {
    return c == ')' || c == ']' || c == '}';
}

static bool lex_goes_on(const Lexer *l, int column) {
    if (!l->in_line)
        return false;
    if (l->open > 0)
        return column > l->indent || lex_is_closer(lex_char(l, 0));
    return column > l->indent && lex_wants_more(l);
}

static void lex_line(Lexer *l) {
    int column = lex_indentation(l);
    if (!lex_at_line_end(l) && lex_char(l, 0) != '#' && !lex_goes_on(l, column)) {
        lex_end_line(l);
        lex_begin_line(l, column);
    }
    while (!lex_at_line_end(l))
        lex_token(l);
    while (l->at < l->size && l->text[l->at] != '\n')
        l->at++;
    if (l->at < l->size) {
        l->at++;
        l->line++;
        l->line_start = l->at;
    }
}

static void lex_finish(Lexer *l) {
    lex_end_line(l);
    Span span = lex_span(l, l->at, l->at + 1);
    for (; l->level_count > 1; l->level_count--)
        lex_push(l, TOK_DEDENT, span, "");
    lex_push(l, TOK_END, span, "");
    Tokens *out = &l->out;
    for (int i = out->count - 1; i >= 0; i--) {
        Token *token = &out->items[i];
        bool last = i + 1 == out->count || token[1].span.line != token->span.line ||
                    token[1].kind == TOK_NEWLINE;
        token->line_end = last ? token->span.column + token->span.length : token[1].line_end;
    }
}

Tokens lex_file(Arena *arena, const Source *source, Diags *diags) {
    Lexer l = {.arena = arena, .diags = diags, .text = source->text, .size = source->size};
    l.line = 1;
    l.told_indent = -1;
    lex_push_level(&l, 0);
    if (l.size > LEX_FILE_LIMIT) {
        diag_error(diags, (Span){1, 1, 1}, "the file is too large: more than %zu bytes",
                   LEX_FILE_LIMIT);
        l.size = 0;
    }
    if (lex_starts_with(&l, "\357\273\277")) // a byte order mark
        l.at = 3;
    while (l.at < l.size)
        lex_line(&l);
    lex_finish(&l);
    return l.out;
}
