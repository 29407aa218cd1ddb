// s3_lex: see s3_lex.h for the contract.
#include "s3/s3_lex.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

typedef struct Lexer {
    Arena *arena;
    Diags *diags;
    const char *text;
    Span at;
    size_t pos;
    S3Token *token;
    int count, cap;
    char *buffer; // for the text of a string, as large as the whole
    size_t gathered;
} Lexer;

// A piece of the text between separators, or one separator.
typedef struct Piece {
    const char *s;
    size_t n; // 0 at the end of the text
} Piece;

static bool is_separator(char c) {
    return c != '\0' && strchr("=!<>+-*/% \t(),\"${}[]", c) != NULL;
}

static Piece next_piece(Lexer *l) {
    while (l->text[l->pos] == ' ' || l->text[l->pos] == '\t')
        l->pos++;
    const char *s = l->text + l->pos;
    size_t n = 0;
    if (is_separator(*s))
        n = 1;
    else
        while (s[n] != '\0' && !is_separator(s[n]))
            n++;
    l->pos += n;
    return (Piece){s, n};
}

static Piece peek_piece(const Lexer *l) {
    Lexer copy = *l;
    return next_piece(&copy);
}

static bool piece_is(Piece p, char c) {
    return p.n == 1 && *p.s == c;
}

static bool piece_is_word(Piece p) {
    return p.n > 0 && !is_separator(*p.s);
}

// From the first byte of `from` to where the lexer stands.
static Span span_from(const Lexer *l, const char *from) {
    Span span = l->at;
    span.column += (int)(from - l->text);
    span.length = (int)(l->text + l->pos - from);
    return span;
}

static S3Token *add_token(Lexer *l, S3TokenKind kind, Piece from) {
    ARENA_GROW(l->arena, S3Token, l->token, l->count, l->cap);
    S3Token *token = &l->token[l->count++];
    *token = (S3Token){.kind = kind, .span = span_from(l, from.s)};
    token->text = arena_text(l->arena, from.s, from.n);
    return token;
}

// ---- Strings ---------------------------------------------------------------------------------

static bool lex_variable(Lexer *l, Piece dollar, const char **name) {
    Piece p = peek_piece(l);
    if (!piece_is_word(p)) {
        diag_error(l->diags, span_from(l, dollar.s), "`$` is not followed by a name");
        diag_help(l->diags, "a variable is a word after `$`, such as `$X`");
        return false;
    }
    next_piece(l);
    *name = arena_text(l->arena, p.s, p.n);
    return true;
}

// Closes a part with the text gathered so far. A part that had no text and a variable is replaced:
// the original keeps variables by their place in the text, and the second at one place wins.
static void end_part(Lexer *l, S3Token *token, int *cap, const char *var, Piece from) {
    S3Part *last = token->parts > 0 ? &token->part[token->parts - 1] : NULL;
    if (last && var && l->gathered == 0) {
        diag_warn(l->diags, span_from(l, from.s), "`$%s` and `$%s` stand at the same place",
                  last->var, var);
        diag_help(l->diags, "only the second counts; put text between them");
        last->var = var;
        return;
    }
    ARENA_GROW(l->arena, S3Part, token->part, token->parts, *cap);
    S3Part *part = &token->part[token->parts++];
    part->text = arena_text(l->arena, l->buffer, l->gathered);
    part->var = var;
    l->gathered = 0;
}

// Up to a closing quote, or to the end of the text if `open` (a template).
static bool lex_parts(Lexer *l, Piece quote, bool open, S3Token *token) {
    int cap = 0;
    if (!l->buffer)
        l->buffer = arena_alloc(l->arena, strlen(l->text) + 1);
    l->gathered = 0;
    for (;;) {
        Piece p = next_piece(l);
        if (p.n == 0 && !open) {
            diag_error(l->diags, span_from(l, quote.s), "this text has no closing `\"`");
            return false;
        }
        if (piece_is(p, '"') && open) {
            diag_error(l->diags, span_from(l, p.s), "a pattern is written without quotes");
            return false;
        }
        if (p.n == 0 || piece_is(p, '"'))
            break;
        if (piece_is(p, '$')) {
            const char *var = NULL;
            if (!lex_variable(l, p, &var))
                return false;
            end_part(l, token, &cap, var, p);
        } else {
            memcpy(l->buffer + l->gathered, p.s, p.n);
            l->gathered += p.n;
        }
    }
    end_part(l, token, &cap, NULL, quote);
    return true;
}

bool s3_lex_string(Arena *arena, const char *text, Span at, Diags *diags, S3Token *token) {
    Lexer l = {.arena = arena, .diags = diags, .text = text, .at = at};
    *token = (S3Token){.kind = S3_TOKEN_STRING, .text = text, .span = at};
    return lex_parts(&l, (Piece){text, 0}, true, token);
}

// ---- Words and signs -------------------------------------------------------------------------

typedef struct KnownWord {
    const char *text;
    S3Op op;
    S3TokenKind kind;
    int arguments;
} KnownWord;

static const KnownWord known_words[] = {
#define X(op, text) {text, op, S3_TOKEN_SIGN, 0},
    S3_OPERATORS(X)
#undef X
#define X(op, text, arguments) {text, op, S3_TOKEN_BUILT, arguments},
        S3_BUILT_INS(X)
#undef X
};
#define KNOWN_WORDS ((int)(sizeof known_words / sizeof known_words[0]))

static const KnownWord *find_known(const char *text) {
    for (int i = 0; i < KNOWN_WORDS; i++)
        if (strcmp(known_words[i].text, text) == 0)
            return &known_words[i];
    return NULL;
}

const char *s3_op_name(S3Op op) {
    for (int i = 0; i < KNOWN_WORDS; i++)
        if (known_words[i].op == op)
            return known_words[i].text;
    return "";
}

int s3_op_arguments(S3Op op) {
    for (int i = 0; i < KNOWN_WORDS; i++)
        if (known_words[i].op == op)
            return known_words[i].arguments;
    return 0;
}

static bool lex_number(Lexer *l, Piece p) {
    int64_t value = 0;
    for (size_t i = 0; i < p.n; i++) {
        if (!isdigit((unsigned char)p.s[i])) {
            diag_error(l->diags, span_from(l, p.s), "`%.*s` is no number", (int)p.n, p.s);
            if (memchr(p.s, '.', p.n))
                diag_help(l->diags, "expressions know whole numbers only");
            else
                diag_help(l->diags, "a name does not begin with a digit");
            return false;
        }
        if (value <= INT32_MAX)
            value = value * 10 + (p.s[i] - '0');
    }
    if (value > INT32_MAX) {
        diag_error(l->diags, span_from(l, p.s), "this number is too large");
        diag_help(l->diags, "numbers go up to %d", INT32_MAX);
        return false;
    }
    add_token(l, S3_TOKEN_INT, p)->value = (int32_t)value;
    return true;
}

// A word, and what looks like one: operators and functions in capitals, true and false.
static void lex_word(Lexer *l, const char *text, Piece p) {
    const KnownWord *known = find_known(text);
    bool yes = strcasecmp(text, "true") == 0;
    if (known)
        add_token(l, known->kind, p)->op = known->op;
    else if (yes || strcasecmp(text, "false") == 0)
        add_token(l, S3_TOKEN_BOOL, p)->value = yes;
    else
        add_token(l, S3_TOKEN_WORD, p);
    l->token[l->count - 1].text = text;
}

// `!` is glued to what follows, and = to < > = before it.
static bool lex_sign(Lexer *l, Piece p) {
    Piece next = peek_piece(l);
    char glued[3] = {*p.s, '\0', '\0'};
    if (*p.s == '!' && piece_is_word(next)) {
        next_piece(l);
        lex_word(l, arena_printf(l->arena, "!%.*s", (int)next.n, next.s), p);
        return true;
    }
    if (*p.s == '!' && !piece_is(next, '=')) {
        diag_error(l->diags, span_from(l, p.s), "`!` stands only in `!=`");
        diag_help(l->diags, "write `NOT`");
        return false;
    }
    if (strchr("<>=!", *p.s) && piece_is(next, '=')) {
        next_piece(l);
        glued[1] = '=';
    }
    lex_word(l, arena_text(l->arena, glued, strlen(glued)), p);
    return true;
}

static bool lex_token(Lexer *l, Piece p) {
    if (piece_is(p, '$')) {
        const char *name = NULL;
        if (!lex_variable(l, p, &name))
            return false;
        add_token(l, S3_TOKEN_VAR, p)->text = name;
    } else if (piece_is(p, '"')) {
        S3Token string = {0};
        if (!lex_parts(l, p, false, &string))
            return false;
        S3Token *token = add_token(l, S3_TOKEN_STRING, p);
        token->part = string.part;
        token->parts = string.parts;
    } else if (strchr("(){}[],", *p.s)) {
        add_token(l, S3_TOKEN_MARK, p);
    } else if (is_separator(*p.s)) {
        return lex_sign(l, p);
    } else if (isdigit((unsigned char)*p.s)) {
        return lex_number(l, p);
    } else {
        lex_word(l, arena_text(l->arena, p.s, p.n), p);
    }
    return true;
}

S3Token *s3_lex(Arena *arena, const char *text, Span at, Diags *diags) {
    Lexer l = {.arena = arena, .diags = diags, .text = text, .at = at};
    for (;;) {
        Piece p = next_piece(&l);
        if (p.n == 0) {
            add_token(&l, S3_TOKEN_END, p);
            return l.token;
        }
        if (!lex_token(&l, p))
            return NULL;
    }
}
