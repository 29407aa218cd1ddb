// lex: rules text -> words, numbers, texts, symbols, and the line structure.
//
// The whole file is read at once into an array of tokens that lives in the arena. Indentation
// becomes TOK_INDENT and TOK_DEDENT, the end of a logical line TOK_NEWLINE; comments are kept
// aside for the formatter. Every lexical error is reported; where one clear repair exists the
// token stream goes on as if it had been made (`&&` reads as `and`), otherwise a TOK_BAD stands
// there, which tells the parser to give the line up without a second message.
#ifndef LUDENS_LEX_H
#define LUDENS_LEX_H

#include "base/diag.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

// Rules files have a few hundred lines. A megabyte of tokens and tree still fits in an arena.
#define LEX_FILE_LIMIT ((size_t)1 << 20)

// Far beyond any count in a board game, and sums of a few such numbers still fit in 32 bits.
#define LEX_NUMBER_LIMIT 1000000000

typedef enum TokenKind {
    TOK_END,     // after the last line; always the last token
    TOK_NEWLINE, // the end of a logical line; never twice in a row
    TOK_INDENT,
    TOK_DEDENT,
    TOK_NAME, // any word, reserved or not
    TOK_INT,
    TOK_STRING,
    TOK_SYMBOL,
    TOK_BAD, // the error is already reported
} TokenKind;

typedef struct Token {
    TokenKind kind;
    Span span;
    int line_end;     // the column just after the last token of the same line
    int number;       // of a TOK_INT; of a TOK_STRING, 1 if an error was reported in it
    const char *text; // word, symbol, or text without quotes and escapes; "" otherwise
    size_t offset;    // of its first byte in the source
} Token;

// A comment from its `#` to the last byte that is not blank.
typedef struct Comment {
    Span span;
    size_t offset;
} Comment;

typedef struct Tokens {
    Token *items;
    int count;
    int cap;
    Comment *comments;
    int comment_count;
    int comment_cap;
} Tokens;

Tokens lex_file(Arena *arena, const Source *source, Diags *diags);

// Words that cannot be declared as names.
bool lex_is_reserved(const char *word);
// Whether `word` is in a list that ends with NULL.
bool lex_in_list(const char *word, const char *const *list);

#endif
