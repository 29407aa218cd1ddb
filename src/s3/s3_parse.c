// s3_parse: expressions of S3 files as trees.
//
//     expr    := UNARY expr | primary BINARY expr | primary
//     primary := number | true | false | string | $VAR | ( expr ) | { items } | [ items ]
//              | word | word ( items ) | BUILT-IN | BUILT-IN ( items )
//     items   := [ expr ] { , [ expr ] }
//
// There is no precedence: every operator takes the whole rest as its right operand, as in the
// original. Items that are empty are left out.
#include "s3/s3_lex.h"

#include <string.h>

// Of operators and brackets inside one another. The longest expression of the known games has 15;
// whoever walks a tree may recurse that deep.
#define MAX_DEPTH 200

typedef struct Parser {
    Arena *arena;
    Diags *diags;
    const S3Token *token;
    const S3Node *grouped; // what was in parentheses last
    int depth;
} Parser;

static S3Node *parse_expr(Parser *p);

static Span span_join(Span from, Span to) {
    from.length = to.column + to.length - from.column;
    return from;
}

static S3Node *new_node(Parser *p, S3Kind kind, Span span) {
    S3Node *node = ARENA_NEW(p->arena, S3Node);
    *node = (S3Node){.kind = kind, .function = -1, .span = span};
    return node;
}

static void add_kid(Parser *p, S3Node *node, S3Node *kid, int *cap) {
    ARENA_GROW(p->arena, S3Node *, node->kid, node->kids, *cap);
    node->kid[node->kids++] = kid;
}

static S3Node *new_operator(Parser *p, S3Kind kind, const S3Token *sign, S3Node *a, S3Node *b) {
    S3Node *node = new_node(p, kind, sign->span);
    node->op = sign->op;
    int cap = 0;
    if (a)
        add_kid(p, node, a, &cap);
    add_kid(p, node, b, &cap);
    node->span = span_join(a ? a->span : sign->span, b->span);
    return node;
}

static bool sees(const Parser *p, char mark) {
    return p->token->kind == S3_TOKEN_MARK && *p->token->text == mark;
}

static const char *found(const Parser *p) {
    const S3Token *t = p->token;
    if (t->kind == S3_TOKEN_END)
        return "the end of the line";
    return arena_printf(p->arena, "`%s%s`", t->kind == S3_TOKEN_VAR ? "$" : "", t->text);
}

// ---- Messages --------------------------------------------------------------------------------

// What people write who know other languages, or the wiki of the original.
static const struct {
    const char *written, *meant;
} foreign[] = {
    {"and", "AND"},           {"or", "OR"},  {"And", "AND"}, {"Or", "OR"},           {"in", "IN"},
    {"union", "UNION"},       {"&&", "AND"}, {"||", "OR"},   {"ISPARTOF", "SUBSET"}, {"mod", "%"},
    {"EXCEPTOF", "SETMINUS"},
};

static S3Node *fail_after_operand(Parser *p) {
    if (sees(p, ',')) {
        diag_error(p->diags, p->token->span, "a `,` stands only between arguments or items");
        return NULL;
    }
    if (sees(p, ')') || sees(p, '}') || sees(p, ']')) {
        diag_error(p->diags, p->token->span, "this `%s` closes nothing", p->token->text);
        return NULL;
    }
    diag_error(p->diags, p->token->span, "expected an operator, found %s", found(p));
    if (p->token->kind == S3_TOKEN_WORD)
        for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
            if (strcmp(p->token->text, foreign[i].written) == 0)
                diag_help(p->diags, "write `%s`", foreign[i].meant);
    return NULL;
}

static S3Node *fail_operand(Parser *p) {
    diag_error(p->diags, p->token->span, "expected a value, found %s", found(p));
    if (p->token->kind == S3_TOKEN_SIGN && p->token->op != S3_NO_OP)
        diag_help(p->diags, "`%s` stands between two values", s3_op_name(p->token->op));
    return NULL;
}

static S3Node *fail_bracket(Parser *p, const S3Token *open, char close, bool list) {
    const S3Token *t = p->token;
    if (t->kind == S3_TOKEN_END) {
        diag_error(p->diags, open->span, "this `%s` is never closed", open->text);
    } else if (sees(p, ')') || sees(p, '}') || sees(p, ']')) {
        diag_error(p->diags, t->span, "`%s` cannot close the `%s` opened at %d:%d", t->text,
                   open->text, open->span.line, open->span.column);
    } else if (sees(p, ',') && !list) {
        diag_error(p->diags, t->span, "a `,` stands only between arguments or items");
        diag_help(p->diags, "these parentheses only group; a set is written `{ 1, 2 }`");
    } else {
        fail_after_operand(p);
        if (close == ')' && t->kind == S3_TOKEN_MARK)
            diag_help(p->diags, "is a `)` missing before it?");
    }
    return NULL;
}

// `a < 1 AND b` is `a < (1 AND b)`, which can only fail; nobody means it.
static void warn_grouping(Parser *p, const S3Token *sign, const S3Node *right) {
    if (right == p->grouped || right->kind != S3_BINARY ||
        (right->op != S3_AND && right->op != S3_OR))
        return;
    S3Kind left = right->kid[0]->kind;
    bool equality = sign->op == S3_EQ || sign->op == S3_NE;
    bool order = sign->op >= S3_LT && sign->op <= S3_GE;
    if (!order && !(equality && (left == S3_INT || left == S3_STRING)))
        return;
    diag_warn(p->diags, sign->span, "`%s` takes everything up to the end as its right side",
              s3_op_name(sign->op));
    diag_help(p->diags, "put the comparison before `%s` in parentheses", s3_op_name(right->op));
}

// ---- Grammar ---------------------------------------------------------------------------------

// From behind the opening bracket to behind the closing one.
static bool parse_items(Parser *p, const S3Token *open, char close, S3Node *node) {
    int cap = 0;
    while (!sees(p, close)) {
        if (sees(p, ',')) {
            diag_warn(p->diags, p->token->span, "there is nothing before this `,`");
            p->token++;
            continue;
        }
        if (p->token->kind == S3_TOKEN_END) {
            fail_bracket(p, open, close, true);
            return false;
        }
        S3Node *kid = parse_expr(p);
        if (!kid)
            return false;
        add_kid(p, node, kid, &cap);
        if (sees(p, ',')) {
            p->token++;
        } else if (!sees(p, close)) {
            fail_bracket(p, open, close, true);
            return false;
        }
    }
    node->span = span_join(node->span, p->token->span);
    p->token++;
    return true;
}

static S3Node *parse_group(Parser *p) {
    const S3Token *open = p->token++;
    if (p->token->kind == S3_TOKEN_END)
        return fail_bracket(p, open, ')', false);
    S3Node *node = parse_expr(p);
    if (!node)
        return NULL;
    if (!sees(p, ')'))
        return fail_bracket(p, open, ')', false);
    node->span = span_join(open->span, p->token->span);
    p->token++;
    p->grouped = node;
    return node;
}

static S3Node *parse_call(Parser *p) {
    const S3Token *t = p->token++;
    S3Node *node = new_node(p, t->kind == S3_TOKEN_BUILT ? S3_BUILT : S3_CALL, t->span);
    node->op = t->op;
    node->name = t->text;
    if (!sees(p, '('))
        return node;
    const S3Token *open = p->token++;
    return parse_items(p, open, ')', node) ? node : NULL;
}

static S3Node *parse_primary(Parser *p) {
    const S3Token *t = p->token;
    S3Node *node = NULL;
    switch (t->kind) {
    case S3_TOKEN_INT:
    case S3_TOKEN_BOOL:
        node = new_node(p, t->kind == S3_TOKEN_INT ? S3_INT : S3_BOOL, t->span);
        node->value = t->value;
        break;
    case S3_TOKEN_STRING:
        node = new_node(p, S3_STRING, t->span);
        node->part = t->part;
        node->parts = t->parts;
        break;
    case S3_TOKEN_VAR:
        node = new_node(p, S3_VAR, t->span);
        node->name = t->text;
        break;
    case S3_TOKEN_WORD:
    case S3_TOKEN_BUILT: return parse_call(p);
    case S3_TOKEN_MARK:
        if (sees(p, '('))
            return parse_group(p);
        if (!sees(p, '{') && !sees(p, '['))
            return fail_operand(p);
        node = new_node(p, sees(p, '{') ? S3_SET : S3_LAZY, t->span);
        p->token++;
        return parse_items(p, t, node->kind == S3_SET ? '}' : ']', node) ? node : NULL;
    case S3_TOKEN_END:
    case S3_TOKEN_SIGN: return fail_operand(p);
    }
    p->token++;
    return node;
}

static bool is_unary(const S3Token *t) {
    return t->kind == S3_TOKEN_SIGN && (t->op == S3_NOT || t->op == S3_ABS || t->op == S3_SUB);
}

static bool is_binary(const S3Token *t) {
    return t->kind == S3_TOKEN_SIGN && t->op != S3_NOT && t->op != S3_ABS;
}

static S3Node *parse_operation(Parser *p) {
    const S3Token *sign = p->token;
    if (is_unary(sign)) {
        p->token++;
        S3Node *operand = parse_expr(p);
        return operand ? new_operator(p, S3_UNARY, sign, NULL, operand) : NULL;
    }
    S3Node *left = parse_primary(p);
    sign = p->token;
    if (!left || !is_binary(sign))
        return left;
    p->token++;
    S3Node *right = parse_expr(p);
    if (!right)
        return NULL;
    warn_grouping(p, sign, right);
    return new_operator(p, S3_BINARY, sign, left, right);
}

static S3Node *parse_expr(Parser *p) {
    if (p->depth == MAX_DEPTH) {
        diag_error(p->diags, p->token->span, "this is nested more than %d levels deep", MAX_DEPTH);
        diag_help(p->diags, "split it into named expressions");
        return NULL;
    }
    p->depth++;
    S3Node *node = parse_operation(p);
    p->depth--;
    return node;
}

S3Node *s3_parse(Arena *arena, const char *text, Span at, Diags *diags) {
    const S3Token *token = s3_lex(arena, text, at, diags);
    if (!token)
        return NULL;
    Parser p = {.arena = arena, .diags = diags, .token = token};
    S3Node *node = parse_expr(&p);
    if (node && p.token->kind != S3_TOKEN_END)
        return fail_after_operand(&p);
    return node;
}

S3Node *s3_parse_template(Arena *arena, const char *text, Span at, Diags *diags) {
    S3Token token;
    if (!s3_lex_string(arena, text, at, diags, &token))
        return NULL;
    Parser p = {.arena = arena, .diags = diags};
    S3Node *node = new_node(&p, S3_STRING, at);
    node->part = token.part;
    node->parts = token.parts;
    return node;
}
