// parse_expr: expressions, one function per level of precedence, loosest first.
// The grammar is in docs/language.md; each rule stands above its function.
#include "lang/parser.h"

#include <string.h>

static Node *parse_disjunct(Parser *p);
static Node *parse_range(Parser *p);
static Node *parse_product(Parser *p);
static Node *parse_unary(Parser *p);

typedef Node *(*ParseLevel)(Parser *p);

// Reads an operand one level deeper; the bound on depth is what ends `- - - - …`.
static Node *parse_deeper(Parser *p, ParseLevel level) {
    if (!parse_enter(p))
        return parse_nothing(p);
    Node *node = level(p);
    parse_leave(p);
    return node;
}

static Node *parse_binary(Parser *p, int first, Node *left, const char *op, Node *right) {
    Node *node = parse_node(p, N_BINARY, first);
    node->word = op;
    parse_add(p, node, left);
    parse_add(p, node, right);
    return parse_close(p, node, first);
}

// operand { op operand }, grouping to the left
static Node *parse_chain(Parser *p, const char *const *operators, ParseLevel operand) {
    int first = p->at;
    Node *left = operand(p);
    while (parse_sees_any(p, operators)) {
        const char *op = parse_take(p)->text;
        left = parse_binary(p, first, left, op, operand(p));
    }
    return left;
}

// ---- From `if` to comparisons ---------------------------------------------------------------

// "if" expr "then" expr "else" expr
static Node *parse_conditional(Parser *p) {
    static const char help[] = "a value that depends on a condition: `if a then b else c`";
    int first = p->at;
    Node *node = parse_node(p, N_COND, first);
    parse_take(p);
    parse_add(p, node, parse_expr(p));
    parse_after(p, "then", "`then` after the condition", help);
    parse_add(p, node, parse_expr(p));
    parse_after(p, "else", "`else` and the other value", help);
    parse_add(p, node, parse_expr(p));
    return parse_close(p, node, first);
}

// where = disjunct [ "where" disjunct ]
static Node *parse_where(Parser *p) {
    int first = p->at;
    Node *domain = parse_disjunct(p);
    if (!parse_accept(p, "where"))
        return domain;
    Node *node = parse_node(p, N_WHERE, first);
    parse_add(p, node, domain);
    parse_add(p, node, parse_disjunct(p));
    return parse_close(p, node, first);
}

// expr = "if" expr "then" expr "else" expr | where
static Node *parse_expr_level(Parser *p) {
    return parse_sees(p, "if") ? parse_conditional(p) : parse_where(p);
}

Node *parse_expr(Parser *p) {
    return parse_deeper(p, parse_expr_level);
}

// In `prefer`, `before` and something to ask is an operator; elsewhere it is a name.
static bool parse_sees_before(const Parser *p) {
    return p->prefers && parse_sees(p, "before") &&
           (parse_operand_ahead(p, 1) || parse_sees_ahead(p, 1, "not"));
}

// negation = "not" negation | "before" negation | compare
static Node *parse_compare(Parser *p);
static Node *parse_negation(Parser *p) {
    if (!parse_sees(p, "not") && !parse_sees_before(p))
        return parse_compare(p);
    int first = p->at;
    Node *node = parse_node(p, N_UNARY, first);
    node->word = parse_take(p)->text;
    parse_add(p, node, parse_deeper(p, parse_negation));
    return parse_close(p, node, first);
}

// conjunct = negation { "and" negation }
static Node *parse_conjunct(Parser *p) {
    static const char *const operators[] = {"and", NULL};
    return parse_chain(p, operators, parse_negation);
}

// disjunct = conjunct { "or" conjunct }
static Node *parse_disjunct(Parser *p) {
    static const char *const operators[] = {"or", NULL};
    return parse_chain(p, operators, parse_conjunct);
}

// Takes a comparison operator, if there is one; `not in` and `not within` are one operator.
static const char *parse_comparison(Parser *p) {
    static const char *const operators[] = {"==", "!=", "<", "<=", ">", ">=", "in", "within", NULL};
    if (parse_sees_any(p, operators))
        return parse_take(p)->text;
    bool negated =
        parse_sees(p, "not") && (parse_sees_ahead(p, 1, "in") || parse_sees_ahead(p, 1, "within"));
    if (!negated)
        return NULL;
    parse_take(p);
    return strcmp(parse_take(p)->text, "in") == 0 ? "not in" : "not within";
}

// For `a < b < c`: "write `a < b and b < ...`".
static const char *parse_chained_help(Parser *p, const Node *left, const char *op) {
    if (!strchr("<>=!", *left->word) || !strchr("<>=!", *op))
        return "put one of the comparisons in parentheses";
    return arena_printf(p->arena, "write `%.60s and %.60s %s ...`",
                        ast_text(p->source, left, p->arena),
                        ast_text(p->source, left->kids[1], p->arena), op);
}

// compare = range [ ("==" | … | ["not"] "in" | ["not"] "within") range ]
static Node *parse_compare(Parser *p) {
    int first = p->at;
    Node *left = parse_range(p);
    const char *op = parse_comparison(p);
    if (!op)
        return left;
    Node *right = parse_range(p);
    Node *node = parse_binary(p, first, left, op, right);
    Span second = parse_peek(p, 0)->span;
    const char *next_op = parse_comparison(p);
    if (next_op)
        parse_fail(p, second, parse_chained_help(p, node, next_op), "comparisons do not chain");
    return node;
}

// range = sum [ ".." sum ]
static Node *parse_range(Parser *p) {
    int first = p->at;
    Node *low = parse_sum(p);
    if (!parse_accept(p, ".."))
        return low;
    Node *node = parse_node(p, N_RANGE, first);
    parse_add(p, node, low);
    parse_add(p, node, parse_sum(p));
    return parse_close(p, node, first);
}

// sum = product { ("+" | "-" | "|") product }
Node *parse_sum(Parser *p) {
    static const char *const operators[] = {"+", "-", "|", NULL};
    return parse_chain(p, operators, parse_product);
}

// product = unary { ("*" | "/" | "%" | "&") unary }
static Node *parse_product(Parser *p) {
    static const char *const operators[] = {"*", "/", "%", "&", NULL};
    return parse_chain(p, operators, parse_unary);
}

// ---- Quantifiers and prefix words -----------------------------------------------------------

// Whether `some x in` and the like stand here: a variable and `in` after the word.
// `count mine in 1 .. 3` asks something else.
static bool parse_sees_variable(const Parser *p) {
    const Token *variable = parse_peek(p, 1);
    return variable->kind == TOK_NAME && !lex_is_reserved(variable->text) &&
           parse_sees_ahead(p, 2, "in");
}

static Node *parse_prefix(Parser *p, ParseLevel operand) {
    int first = p->at;
    Node *node = parse_node(p, N_UNARY, first);
    node->word = parse_take(p)->text;
    parse_add(p, node, parse_deeper(p, operand));
    return parse_close(p, node, first);
}

// setlevel = sum [ "where" disjunct ]
static Node *parse_setlevel(Parser *p) {
    int first = p->at;
    Node *set = parse_sum(p);
    if (!parse_accept(p, "where"))
        return set;
    Node *node = parse_node(p, N_WHERE, first);
    parse_add(p, node, set);
    parse_add(p, node, parse_disjunct(p));
    return parse_close(p, node, first);
}

// NAME "in" domain, for quantifiers
static void parse_variable(Parser *p, Node *node) {
    const Token *variable = parse_name(p, "a variable");
    node->extra = variable->text;
    node->extra_span = variable->span;
    parse_expect(p, "in", NULL, NULL);
    parse_add(p, node, parse_expr(p));
}

static const char *parse_quantifier_help(Parser *p, const char *word) {
    static const char *const asking[] = {"some", "all", "no", "count", NULL};
    return arena_printf(p->arena, "write `%s x in SET : %s`", word,
                        lex_in_list(word, asking) ? "condition" : "value");
}

// ("some" | "no" | "all" | "count" | "sum" | "min" | "max" | "union") NAME "in" domain ":" expr
static Node *parse_quantifier(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_QUANT, first);
    node->word = parse_take(p)->text;
    parse_variable(p, node);
    parse_after(p, ":", "`:` and what to ask of each member", parse_quantifier_help(p, node->word));
    parse_add(p, node, parse_expr(p));
    return parse_close(p, node, first);
}

// "the" NAME "in" domain [ "with" ("least" | "most") sum ] | "the" setlevel
static Node *parse_the(Parser *p) {
    if (!parse_sees_variable(p))
        return parse_prefix(p, parse_setlevel);
    int first = p->at;
    Node *node = parse_node(p, N_THE, first);
    parse_take(p);
    parse_variable(p, node);
    Node *score = NULL;
    if (parse_accept(p, "with")) {
        if (parse_sees(p, "least") || parse_sees(p, "most"))
            node->word = parse_take(p)->text;
        else
            parse_expected(p, "`least` or `most`",
                           "write `the c in SET with least VALUE` or `with most VALUE`");
        score = parse_sum(p);
    }
    parse_add(p, node, score);
    return parse_close(p, node, first);
}

// Words that follow an expression, such as `up` in `while a == no up to 5`: an operand only if
// no operand comes after them.
static bool parse_sees_follower(const Parser *p, int ahead) {
    static const char *const followers[] = {"with",  "up",      "by",    "to",    "at", "on",
                                            "above", "through", "while", "until", "x",  "from",
                                            "wins",  "loses",   "when",  "moves", NULL};
    const Token *token = parse_peek(p, ahead);
    return token->kind == TOK_NAME && lex_in_list(token->text, followers) &&
           parse_operand_ahead(p, ahead + 1);
}

// Whether the word that stands here has an operand: `no mine` but not `x == no`.
static bool parse_has_operand(const Parser *p) {
    return parse_operand_ahead(p, 1) && !parse_sees_follower(p, 1);
}

// "yes" | "true" | "no" | "false"
static Node *parse_bool(Parser *p) {
    bool value = parse_sees(p, "yes") || parse_sees(p, "true");
    Node *node = parse_word_node(p, N_BOOL, parse_take(p));
    node->word = NULL;
    node->number = value ? 1 : 0;
    return node;
}

// "no": with an operand the set is empty, otherwise the value
static Node *parse_no(Parser *p) {
    if (parse_has_operand(p))
        return parse_prefix(p, parse_setlevel);
    return parse_bool(p);
}

// "all", "sum" and "union" without a variable; "min" and "max" without brackets either
static Node *parse_bare_quantifier(Parser *p) {
    const Token *word = parse_peek(p, 0);
    parse_fail(p, word->span, parse_quantifier_help(p, word->text),
               "`%s` needs a variable and a set", word->text);
    return parse_nothing(p);
}

// unary = "-" unary | quantifiers | ("some" | "no" | "the") setlevel | "count" unary | postfix
static Node *parse_unary(Parser *p) {
    static const char *const quantifiers[] = {"some", "no",  "all",   "count", "sum",
                                              "min",  "max", "union", NULL};
    if (parse_sees(p, "-") || (parse_sees(p, "count") && !parse_sees_variable(p)))
        return parse_prefix(p, parse_unary);
    if (parse_sees(p, "the"))
        return parse_the(p);
    if (!parse_sees_any(p, quantifiers))
        return parse_postfix(p);
    if (parse_sees_variable(p))
        return parse_quantifier(p);
    if (parse_sees(p, "some"))
        return parse_prefix(p, parse_setlevel);
    if (parse_sees(p, "no"))
        return parse_no(p);
    bool call = (parse_sees(p, "min") || parse_sees(p, "max")) && parse_sees_ahead(p, 1, "(");
    return call ? parse_postfix(p) : parse_bare_quantifier(p);
}

// ---- Operands -------------------------------------------------------------------------------

// arg = expr | ("from" | "through" | "while" | "until") expr
static Node *parse_arg(Parser *p) {
    static const char *const labels[] = {"from", "through", "while", "until", NULL};
    if (!parse_sees_any(p, labels) || !parse_operand_ahead(p, 1))
        return parse_expr(p);
    int first = p->at;
    Node *node = parse_node(p, N_LABELLED, first);
    node->word = parse_take(p)->text;
    parse_add(p, node, parse_expr(p));
    return parse_close(p, node, first);
}

// Between arguments: a comma, or a label that says by itself where the next one begins.
static bool parse_more_args(Parser *p) {
    static const char *const labels[] = {"from", "through", "while", "until", NULL};
    if (parse_accept(p, ","))
        return true;
    if (!parse_sees_any(p, labels))
        return false;
    const Token *label = parse_peek(p, 0);
    if (!parse_operand_ahead(p, 1))
        parse_fail(p, label->span, "for instance `ray(from, n until occupied)`",
                   "`%s` needs a set after it", label->text);
    return !p->failed;
}

// NAME "(" arg {"," arg} ")"
static Node *parse_call(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_CALL, first);
    node->word = parse_take(p)->text;
    parse_take(p);
    if (parse_sees(p, ")"))
        parse_fail(p, parse_peek(p, 0)->span,
                   arena_printf(p->arena, "write `%.40s` alone", node->word),
                   "nothing stands between the brackets of `%.40s`", node->word);
    do {
        parse_add(p, node, parse_arg(p));
    } while (parse_more_args(p));
    parse_after(p, ")", "`,` or `)`", NULL);
    return parse_close(p, node, first);
}

// NAME "[" expr "]"
static Node *parse_index(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_INDEX, first);
    node->word = parse_take(p)->text;
    parse_take(p);
    parse_add(p, node, parse_expr(p));
    parse_after(p, "]", NULL, NULL);
    return parse_close(p, node, first);
}

// "(" expr ")": leaves no trace in the tree
static Node *parse_parentheses(Parser *p) {
    parse_take(p);
    Node *node = parse_expr(p);
    const char *help =
        parse_sees(p, ",") ? "a set of several things stands in braces: `{a, b}`" : NULL;
    parse_after(p, ")", NULL, help);
    return node;
}

// "{" [ expr {"," expr} ] "}"
static Node *parse_braces(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_BRACES, first);
    parse_take(p);
    if (!parse_sees(p, "}")) {
        do {
            parse_add(p, node, parse_expr(p));
        } while (parse_accept(p, ","));
    }
    parse_after(p, "}", "`,` or `}`", NULL);
    return parse_close(p, node, first);
}

// "lines" ["through" unary]
static Node *parse_lines_through(Parser *p) {
    int first = p->at;
    const Token *word = parse_take(p);
    if (!parse_accept(p, "through"))
        return parse_word_node(p, N_NAME, word);
    Node *node = parse_node(p, N_LINES_THROUGH, first);
    parse_add(p, node, parse_deeper(p, parse_unary));
    return parse_close(p, node, first);
}

// ("row" | "column") [unary]: `row 2` is a call like `row(2)`; the checker tells them apart
static Node *parse_row(Parser *p) {
    if (!parse_has_operand(p))
        return parse_word_node(p, N_NAME, parse_take(p));
    int first = p->at;
    Node *node = parse_node(p, N_CALL, first);
    node->word = parse_take(p)->text;
    parse_add(p, node, parse_deeper(p, parse_unary));
    return parse_close(p, node, first);
}

// A word where an operand must stand: an operator, or a name.
static Node *parse_word(Parser *p) {
    static const char *const operators[] = {"and",  "or",   "in", "within", "where",
                                            "then", "else", "of", NULL};
    const Token *word = parse_peek(p, 0);
    if (parse_sees(p, "not") || parse_sees(p, "if"))
        parse_expected(p, "a value",
                       arena_printf(p->arena, "put it in parentheses: `(%s ...)`", word->text));
    else if (parse_sees_any(p, operators))
        parse_expected(p, "a value", NULL);
    else
        parse_take(p);
    return parse_word_node(p, N_NAME, word);
}

static Node *parse_name_or_call(Parser *p) {
    if (parse_sees_ahead(p, 1, "("))
        return parse_call(p);
    if (parse_sees_ahead(p, 1, "["))
        return parse_index(p);
    static const char *const bools[] = {"yes", "true", "no", "false", NULL};
    if (parse_sees_any(p, bools))
        return parse_bool(p);
    if (parse_sees(p, "lines"))
        return parse_lines_through(p);
    if (parse_sees(p, "row") || parse_sees(p, "column"))
        return parse_row(p);
    return parse_word(p);
}

static Node *parse_int(Parser *p) {
    const Token *token = parse_take(p);
    Node *node = parse_word_node(p, N_INT, token);
    node->word = NULL;
    node->number = token->number;
    return node;
}

// primary = INT | "yes" | "true" | "no" | "false" | NAME | NAME "(" … ")" | NAME "[" expr "]"
//         | "(" expr ")" | "{" … "}" | "lines" ["through" unary] | ("row" | "column") [unary]
//         | "_", anything, as an argument of a relation
static Node *parse_primary(Parser *p) {
    if (parse_sees_kind(p, TOK_NAME))
        return parse_name_or_call(p);
    if (parse_sees_kind(p, TOK_INT))
        return parse_int(p);
    if (parse_sees(p, "("))
        return parse_parentheses(p);
    if (parse_sees(p, "{"))
        return parse_braces(p);
    if (parse_sees(p, "_"))
        return parse_word_node(p, N_NAME, parse_take(p));
    const char *help = parse_sees_kind(p, TOK_NEWLINE)
                           ? "a line that goes on in the next one is indented more there"
                           : NULL;
    parse_expected(p, "a value", help);
    return parse_nothing(p);
}

// postfix = primary [ "of" unary ]
Node *parse_postfix(Parser *p) {
    int first = p->at;
    Node *piece = parse_primary(p);
    if (!parse_accept(p, "of"))
        return piece;
    Node *node = parse_node(p, N_OF, first);
    parse_add(p, node, piece);
    parse_add(p, node, parse_deeper(p, parse_unary));
    return parse_close(p, node, first);
}

// ---- Expressions in their places ------------------------------------------------------------

// domain = expr; after `choose x in` and `for x in` also: expr {"," expr}, meaning a set
Node *parse_domain(Parser *p) {
    int first = p->at;
    Node *domain = parse_expr(p);
    if (!parse_sees(p, ","))
        return domain;
    Node *node = parse_node(p, N_BRACES, first);
    parse_add(p, node, domain);
    while (parse_accept(p, ","))
        parse_add(p, node, parse_expr(p));
    return parse_close(p, node, first);
}

// An expression that decides; `=` in it is nearly always meant as `==`.
Node *parse_condition(Parser *p, const char *owner) {
    if (parse_sees_kind(p, TOK_NEWLINE) || parse_sees_kind(p, TOK_STRING)) {
        parse_expected(p, arena_printf(p->arena, "a condition after `%s`", owner), NULL);
        return parse_nothing(p);
    }
    Node *node = parse_expr(p);
    if (parse_sees(p, "="))
        parse_fail(p, parse_peek(p, 0)->span, "write `==` to ask whether two values are equal",
                   "`=` sets a value and does not compare");
    return node;
}
