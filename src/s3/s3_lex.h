// s3_lex: one expression of an S3 file as tokens.
//
// As in the original, blanks and tabs are gone before anything else is looked at: they end a word,
// but `< =` is `<=` and "a b" is the text ab. Tokens live in the arena of the caller.
#ifndef LUDENS_S3_LEX_H
#define LUDENS_S3_LEX_H

#include "s3/s3.h"

typedef enum S3TokenKind {
    S3_TOKEN_END,    // of the text
    S3_TOKEN_INT,    // value
    S3_TOKEN_BOOL,   // value
    S3_TOKEN_STRING, // part, parts
    S3_TOKEN_VAR,    // text, without $
    S3_TOKEN_WORD,   // text: the name of an expression
    S3_TOKEN_SIGN,   // op: an operator
    S3_TOKEN_BUILT,  // op: a built-in function
    S3_TOKEN_MARK,   // text: one of ( ) { } [ ] ,
} S3TokenKind;

typedef struct S3Token {
    S3TokenKind kind;
    S3Op op;
    int32_t value;
    const char *text; // as written, but without blanks; NULL at the end
    S3Part *part;
    int parts;
    Span span;
} S3Token;

// All tokens of `text`, the last an S3_TOKEN_END; NULL (reported) if it cannot be cut.
S3Token *s3_lex(Arena *arena, const char *text, Span at, Diags *diags);
// The inside of a string: `text` without the quotes. False (reported) if a `$` has no name.
bool s3_lex_string(Arena *arena, const char *text, Span at, Diags *diags, S3Token *token);

#endif
