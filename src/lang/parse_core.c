// parse_core: the token window, messages, nodes and lines for the parser (parser.h).
// Nothing here knows the grammar, except for what people write by mistake after an expression.
#include "lang/parser.h"

#include <stdarg.h>
#include <string.h>

// ---- Tokens ---------------------------------------------------------------------------------

const Token *parse_peek(const Parser *p, int ahead) {
    if (p->failed)
        return &p->stop;
    int i = p->at + ahead;
    return &p->tokens.items[i < p->tokens.count ? i : p->tokens.count - 1];
}

const Token *parse_take(Parser *p) {
    const Token *token = parse_peek(p, 0);
    if (!p->failed && p->at < p->tokens.count - 1)
        p->at++;
    return token;
}

bool parse_sees_ahead(const Parser *p, int ahead, const char *text) {
    const Token *token = parse_peek(p, ahead);
    return (token->kind == TOK_NAME || token->kind == TOK_SYMBOL) && strcmp(token->text, text) == 0;
}

bool parse_sees(const Parser *p, const char *text) {
    return parse_sees_ahead(p, 0, text);
}

bool parse_sees_any(const Parser *p, const char *const *texts) {
    const Token *token = parse_peek(p, 0);
    return (token->kind == TOK_NAME || token->kind == TOK_SYMBOL) &&
           lex_in_list(token->text, texts);
}

bool parse_sees_kind(const Parser *p, TokenKind kind) {
    return parse_peek(p, 0)->kind == kind;
}

bool parse_accept(Parser *p, const char *text) {
    if (!parse_sees(p, text))
        return false;
    parse_take(p);
    return true;
}

bool parse_operand_ahead(const Parser *p, int ahead) {
    static const char *const operators[] = {"and", "or",   "not",  "in", "within", "where",
                                            "if",  "then", "else", "of", NULL};
    const Token *token = parse_peek(p, ahead);
    if (token->kind == TOK_SYMBOL)
        return *token->text == '(' || *token->text == '{';
    return token->kind == TOK_INT ||
           (token->kind == TOK_NAME && !lex_in_list(token->text, operators));
}

// ---- Messages -------------------------------------------------------------------------------

static void parse_report(Parser *p, Span at, const char *help, const char *format, va_list args) {
    Text message = {0};
    text_vf(&message, format, args);
    diag_error(p->diags, at, "%s", text_c(&message));
    if (help)
        diag_help(p->diags, "%s", help);
    text_free(&message);
}

void parse_fail(Parser *p, Span at, const char *help, const char *format, ...) {
    if (p->failed)
        return;
    p->failed = true;
    const Token *here = &p->tokens.items[p->at];
    if (here->kind == TOK_BAD || (here->kind == TOK_STRING && here->number))
        return; // the lexer has said what is wrong
    va_list args;
    va_start(args, format);
    parse_report(p, at, help, format, args);
    va_end(args);
}

void parse_complain(Parser *p, Span at, const char *help, const char *format, ...) {
    if (p->failed)
        return;
    va_list args;
    va_start(args, format);
    parse_report(p, at, help, format, args);
    va_end(args);
}

// Words of any length come from the file; messages show their beginning.
static const char *parse_describe(Parser *p, const Token *token) {
    switch (token->kind) {
    case TOK_NAME:
    case TOK_SYMBOL: return arena_printf(p->arena, "`%.40s`", token->text);
    case TOK_INT: return arena_printf(p->arena, "`%d`", token->number);
    case TOK_STRING: return "a text";
    case TOK_INDENT: return "an indented line";
    case TOK_NEWLINE:
    case TOK_DEDENT:
    case TOK_BAD: return "the end of the line";
    case TOK_END: break;
    }
    return "the end of the file";
}

void parse_expected(Parser *p, const char *what, const char *help) {
    if (p->failed)
        return;
    const Token *found = parse_peek(p, 0);
    parse_fail(p, found->span, help, "expected %s, found %s", what, parse_describe(p, found));
}

const char *parse_suggest(Parser *p, const char *word, const char *const *words, const char *help) {
    int n = 0;
    while (words[n])
        n++;
    const char *near = text_nearest(word, words, n);
    return near ? arena_printf(p->arena, "did you mean `%s`?", near) : help;
}

void parse_expect(Parser *p, const char *text, const char *what, const char *help) {
    if (p->failed || parse_accept(p, text))
        return;
    const Token *found = parse_peek(p, 0);
    if (found->kind == TOK_NAME) {
        const char *const words[] = {text, NULL};
        help = parse_suggest(p, found->text, words, help);
    }
    parse_expected(p, what ? what : arena_printf(p->arena, "`%s`", text), help);
}

// What a word means that stands after a complete expression and does not belong there.
static const char *parse_stray_word_help(Parser *p, const char *word) {
    static const struct {
        const char *word;
        const char *help;
    } helps[] = {
        {"then", "an `if` that begins a line has no `then`; what it does is indented below it"},
        {"else", "`else` stands on a line of its own, or in `if a then b else c`"},
        {"where", "only one `where` is possible; join its conditions with `and`"},
        {"through", "`through` follows `lines`, or stands in `flood(from a through empty)`"},
        {"until", "`until` stands inside a call: `ray(from, n until occupied)`"},
        {"while", "`while` stands inside a call: `ray(from, n while empty)`"},
        {"if", "`if` begins a line; in `end` the condition follows `when`"},
        {"do", "leave `do` out; the block is indented below the line"},
        {"with", "`with` stands in `place`, in `piece`, and in `the x in SET with least VALUE`"},
        {"is", "write `==` to ask whether two values are equal"},
        {"equals", "write `==` to ask whether two values are equal"},
        {"mod", "the remainder of a division is `%`"},
        {"xor", "write `!=` to ask whether two conditions differ"},
    };
    static const char *const operators[] = {"and", "or", "in", "within", "where", "not", NULL};
    for (size_t i = 0; i < sizeof helps / sizeof *helps; i++)
        if (strcmp(word, helps[i].word) == 0)
            return helps[i].help;
    if (parse_is_statement(word))
        return arena_printf(p->arena, "`%s` begins a line of its own", word);
    return parse_suggest(p, word, operators, NULL);
}

static void parse_stray(Parser *p, const char *what, const char *help) {
    const Token *found = parse_peek(p, 0);
    if (found->kind == TOK_NAME) {
        const char *known = parse_stray_word_help(p, found->text);
        help = known ? known : help;
    }
    if (parse_sees(p, "="))
        parse_fail(p, found->span, "write `==` to ask whether two values are equal",
                   "`=` sets a value and does not compare");
    else if (parse_sees(p, "{"))
        parse_fail(p, found->span, "indent the lines of the block by four blanks instead",
                   "blocks are made by indentation, not by `{` and `}`");
    else
        parse_expected(p, what, help);
}

void parse_after(Parser *p, const char *text, const char *what, const char *help) {
    if (p->failed || parse_accept(p, text))
        return;
    const Token *found = parse_peek(p, 0);
    if (found->kind == TOK_NAME) {
        const char *const words[] = {text, NULL};
        const char *near = parse_suggest(p, found->text, words, NULL);
        if (near) {
            parse_expected(p, what ? what : arena_printf(p->arena, "`%s`", text), near);
            return;
        }
    }
    parse_stray(p, what ? what : arena_printf(p->arena, "`%s`", text), help);
}

void parse_line_end(Parser *p) {
    if (p->failed)
        return;
    if (parse_sees(p, ":") && parse_peek(p, 1)->kind == TOK_NEWLINE) {
        parse_complain(p, parse_peek(p, 0)->span, "leave it out; the block is indented below",
                       "no `:` is needed at the end of a line");
        parse_take(p);
    }
    if (parse_sees_kind(p, TOK_NEWLINE))
        parse_take(p);
    else if (!parse_sees_kind(p, TOK_END))
        parse_stray(p, "the end of the line", NULL);
}

const Token *parse_name(Parser *p, const char *what) {
    const Token *token = parse_peek(p, 0);
    if (token->kind == TOK_NAME && !lex_is_reserved(token->text))
        return parse_take(p);
    if (token->kind == TOK_NAME)
        parse_fail(p, token->span,
                   arena_printf(p->arena, "take another name, such as `my_%.40s`", token->text),
                   "`%.40s` is a reserved word and cannot be the name of %s", token->text, what);
    else
        parse_expected(p, arena_printf(p->arena, "the name of %s", what),
                       parse_sees(p, ":") ? "leave the `:` out" : NULL);
    return &p->stop;
}

const Token *parse_string(Parser *p, const char *what, const char *help) {
    if (parse_sees_kind(p, TOK_STRING))
        return parse_take(p);
    parse_expected(p, what, help);
    return &p->stop;
}

void parse_sentence(Parser *p, Node *node) {
    if (parse_sees_kind(p, TOK_STRING))
        node->extra = parse_take(p)->text;
}

// ---- Nodes ----------------------------------------------------------------------------------

// Every node the parser makes has this behind it; nobody else sees it.
typedef struct Grown {
    Node node;
    int cap;    // of node.kids
    int height; // 1 without children
} Grown;

Node *parse_node(Parser *p, NodeKind kind, int first) {
    Grown *grown = ARENA_NEW(p->arena, Grown);
    grown->height = 1;
    grown->node.kind = kind;
    grown->node.span = p->tokens.items[first].span;
    grown->node.offset = p->tokens.items[first].offset;
    return &grown->node;
}

Node *parse_word_node(Parser *p, NodeKind kind, const Token *token) {
    Node *node = parse_node(p, kind, p->at);
    node->span = token->span;
    node->offset = token->offset;
    node->word = token->text;
    return node;
}

void parse_add(Parser *p, Node *parent, Node *kid) {
    Grown *grown = (Grown *)parent;
    if (parent->count == grown->cap) {
        grown->cap = grown->cap ? 2 * grown->cap : 2;
        Node **kids = ARENA_ARRAY(p->arena, Node *, grown->cap);
        for (int i = 0; i < parent->count; i++)
            kids[i] = parent->kids[i];
        parent->kids = kids;
    }
    parent->kids[parent->count++] = kid;
    int height = kid ? ((Grown *)kid)->height + 1 : 1;
    if (height > grown->height)
        grown->height = height;
    if (height > PARSE_HEIGHT && parent->kind != N_FILE)
        parse_fail(p, parent->span, "split it with `let`", "this is too long or nested too deeply");
}

Node *parse_close(Parser *p, Node *node, int first) {
    const Token *begin = &p->tokens.items[first];
    const Token *end = p->at > first ? &p->tokens.items[p->at - 1] : begin;
    bool same_line = end->span.line == begin->span.line;
    int stop = same_line ? end->span.column + end->span.length : begin->line_end;
    node->span = begin->span;
    node->offset = begin->offset;
    node->span.length = stop - begin->span.column;
    return node;
}

void parse_declare(Node *node, const Token *name) {
    node->word = name->text;
    node->extra_span = name->span;
}

Node *parse_nothing(Parser *p) {
    return parse_node(p, N_LIST, p->at);
}

bool parse_enter(Parser *p) {
    if (p->failed)
        return false;
    if (p->depth >= PARSE_DEPTH) {
        parse_fail(p, parse_peek(p, 0)->span, "split it with `let`",
                   "this is nested more than %d levels deep", PARSE_DEPTH);
        return false;
    }
    p->depth++;
    return true;
}

void parse_leave(Parser *p) {
    p->depth--;
}

// ---- Lines ----------------------------------------------------------------------------------

static void parse_skip_block(Parser *p) {
    int open = 0;
    do {
        if (parse_sees_kind(p, TOK_INDENT))
            open++;
        else if (parse_sees_kind(p, TOK_DEDENT))
            open--;
        else if (parse_sees_kind(p, TOK_END))
            return;
        parse_take(p);
    } while (open > 0);
}

static void parse_skip_line(Parser *p) {
    while (!parse_sees_kind(p, TOK_NEWLINE) && !parse_sees_kind(p, TOK_INDENT) &&
           !parse_sees_kind(p, TOK_DEDENT) && !parse_sees_kind(p, TOK_END))
        parse_take(p);
    if (parse_sees_kind(p, TOK_NEWLINE))
        parse_take(p);
    if (parse_sees_kind(p, TOK_INDENT))
        parse_skip_block(p);
}

// Drops the rest of the line and the block under it; then the branches of an `if` or `either`
// that was lost, which would look like orphans.
void parse_recover(Parser *p) {
    static const char *const branches[] = {"else", "elif", "or", NULL};
    p->failed = false;
    parse_skip_line(p);
    while (parse_sees_any(p, branches))
        parse_skip_line(p);
}

static void parse_one_line(Parser *p, Node *parent, ParseLine line) {
    int before = p->at;
    Node *node = line(p);
    if (!p->failed)
        parse_add(p, parent, node);
    if (p->failed || p->at == before)
        parse_recover(p);
}

// A line that is indented for no reason is reported and read as if it stood right.
void parse_lines(Parser *p, Node *parent, ParseLine line) {
    if (!parse_sees_kind(p, TOK_INDENT))
        return;
    int open = 0;
    do {
        if (parse_sees_kind(p, TOK_INDENT)) {
            if (open++ > 0)
                parse_complain(p, parse_peek(p, 1)->span, "indent it like the line above it",
                               "this line is indented more, but nothing above opens a block");
            parse_take(p);
        } else if (parse_sees_kind(p, TOK_DEDENT)) {
            open--;
            parse_take(p);
        } else if (parse_sees_kind(p, TOK_END)) {
            return;
        } else {
            parse_one_line(p, parent, line);
        }
    } while (open > 0);
}

void parse_body(Parser *p, Node *parent, ParseLine line, Span header, const char *owner) {
    if (!parse_sees_kind(p, TOK_INDENT))
        parse_complain(p, header, "put what belongs to it below, indented by four blanks",
                       "`%s` has no lines below it", owner);
    parse_lines(p, parent, line);
}
