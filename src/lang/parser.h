// parser: what the parts of the parser share; private to parse*.c.
//
// An error makes the parser `failed`: from then on it sees only the end of a line, reports
// nothing and takes nothing, so that no function needs to check the ones it calls. Whoever reads
// lines (parse_lines) drops the broken line with the block under it and goes on with the next.
// Functions that return a node never return NULL; those that return a token neither.
#ifndef LUDENS_PARSER_H
#define LUDENS_PARSER_H

#include "lang/lex.h"
#include "lang/parse.h"

// The tree's height is bounded too (a long `a + a + …` nests to the left): everybody who walks
// the tree may recurse. Four nodes per level of nesting is what `either` blocks take.
#define PARSE_HEIGHT (4 * PARSE_DEPTH)

typedef struct Parser {
    Arena *arena;
    const Source *source;
    Diags *diags;
    Tokens tokens;
    int at;    // the token to read next
    int depth; // open blocks, brackets and prefix operators
    bool failed;
    bool prefers; // inside `prefer`, where `before` is an operator
    Token stop;   // what is seen while failed
} Parser;

// ---- Tokens ---------------------------------------------------------------------------------

const Token *parse_peek(const Parser *p, int ahead);
const Token *parse_take(Parser *p);
// Word or symbol; texts never match.
bool parse_sees(const Parser *p, const char *text);
bool parse_sees_ahead(const Parser *p, int ahead, const char *text);
bool parse_sees_any(const Parser *p, const char *const *texts);
bool parse_sees_kind(const Parser *p, TokenKind kind);
bool parse_accept(Parser *p, const char *text);
// `what` says what was expected; NULL: the text itself. `help` may be NULL.
void parse_expect(Parser *p, const char *text, const char *what, const char *help);
// The same where an expression has just ended: knows what people write there by mistake.
void parse_after(Parser *p, const char *text, const char *what, const char *help);
void parse_line_end(Parser *p);
// A name that may be declared; `what` completes "the name of …".
const Token *parse_name(Parser *p, const char *what);
const Token *parse_string(Parser *p, const char *what, const char *help);
// What a line says to people, if anything: a text, kept in `extra`.
void parse_sentence(Parser *p, Node *node);
// Whether an operand can begin with the token `ahead`.
bool parse_operand_ahead(const Parser *p, int ahead);

// ---- Messages -------------------------------------------------------------------------------

void parse_fail(Parser *p, Span at, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Reports without giving the line up.
void parse_complain(Parser *p, Span at, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void parse_expected(Parser *p, const char *what, const char *help);
// "did you mean `…`?" if one of the words (a list that ends with NULL) is near, else `help`.
const char *parse_suggest(Parser *p, const char *word, const char *const *words, const char *help);

// ---- Nodes ----------------------------------------------------------------------------------

// The node begins at token `first` and, until parse_close, has the length of that token.
Node *parse_node(Parser *p, NodeKind kind, int first);
Node *parse_word_node(Parser *p, NodeKind kind, const Token *token); // one token, its text
void parse_add(Parser *p, Node *parent, Node *kid);                  // kid may be NULL
Node *parse_close(Parser *p, Node *node, int first); // ends with the token taken last
void parse_declare(Node *node, const Token *name);   // sets word and extra_span
Node *parse_nothing(Parser *p);                      // a stand-in after an error
bool parse_enter(Parser *p); // one level deeper; reports and returns false if too deep
void parse_leave(Parser *p);

// ---- Lines ----------------------------------------------------------------------------------

typedef Node *(*ParseLine)(Parser *p);
// Reads the indented lines below a header into `parent`; none: nothing happens.
void parse_lines(Parser *p, Node *parent, ParseLine line);
// The same, and complains at `header` if there is no indented line.
void parse_body(Parser *p, Node *parent, ParseLine line, Span header, const char *owner);
void parse_recover(Parser *p);

// ---- Parts ----------------------------------------------------------------------------------

Node *parse_file_item(Parser *p);
Node *parse_expr(Parser *p);
Node *parse_sum(Parser *p);
Node *parse_postfix(Parser *p);
Node *parse_domain(Parser *p);
Node *parse_condition(Parser *p, const char *owner);
Node *parse_type(Parser *p);
Node *parse_ptype(Parser *p);
Node *parse_declared(Parser *p, const char *what);
Node *parse_init(Parser *p, const char *what);
Node *parse_board(Parser *p);
Node *parse_piece(Parser *p);
Node *parse_table(Parser *p);
Node *parse_facts(Parser *p);
Node *parse_rules(Parser *p);
Node *parse_worth(Parser *p);
Node *parse_prefer(Parser *p);
Node *parse_knowledge(Parser *p);
Node *parse_block(Parser *p, Span header, const char *owner);
bool parse_is_statement(const char *word);
bool parse_is_item(const char *word);

#endif
