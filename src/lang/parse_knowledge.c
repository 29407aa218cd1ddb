// parse_knowledge: `facts`, `rules`, `worth` and `prefer`, and files that hold nothing else.
// The words are special only here: elsewhere they are names like any other.
#include "lang/parser.h"

#include <string.h>

// NAME [ "(" expr {"," expr} ")" ]: a relation and its arguments, as a node of `kind`
static Node *parse_atom(Parser *p, NodeKind kind, const char *what, const char *help) {
    int first = p->at;
    Node *node = parse_node(p, kind, first);
    parse_declare(node, parse_name(p, what));
    if (parse_accept(p, "(")) {
        node->number = 1;
        do {
            parse_add(p, node, parse_expr(p));
        } while (parse_accept(p, ","));
        parse_after(p, ")", "`,` or `)`", help);
    }
    return parse_close(p, node, first);
}

// HEADER NL INDENT { line } DEDENT
static Node *parse_part(Parser *p, NodeKind kind, ParseLine line) {
    Node *node = parse_node(p, kind, p->at);
    const char *word = parse_take(p)->text;
    parse_line_end(p);
    parse_body(p, node, line, node->span, word);
    return node;
}

// ---- facts ----------------------------------------------------------------------------------

// NAME "in" expr
static Node *parse_each(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_EACH, first);
    parse_declare(node, parse_name(p, "a member"));
    parse_expect(p, "in", NULL, "write `for p in players, c in empty where …`");
    parse_add(p, node, parse_expr(p));
    return parse_close(p, node, first);
}

// atom [ "for" each { "," each } | "when" expr ] NL
static Node *parse_fact(Parser *p) {
    static const char help[] = "write `name(c) for c in empty where …` or `name when …`";
    int first = p->at;
    Node *node = parse_node(p, N_FACT, first);
    parse_add(p, node, parse_atom(p, N_ATOM, "a fact", help));
    Node *condition = NULL;
    if (parse_accept(p, "when"))
        condition = parse_condition(p, "when");
    parse_add(p, node, condition);
    if (!condition && parse_accept(p, "for")) {
        do {
            parse_add(p, node, parse_each(p));
        } while (parse_accept(p, ","));
    } else if (parse_sees(p, "if")) {
        parse_expected(p, "`for` or `when`", "a line with `if` stands under `rules`");
    } else if (!condition && !parse_sees_kind(p, TOK_NEWLINE)) {
        parse_expected(p, "`for`, `when` or the end of the line", help);
    }
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

Node *parse_facts(Parser *p) {
    return parse_part(p, N_FACTS, parse_fact);
}

// ---- rules ----------------------------------------------------------------------------------

// literal = NAME "=" expr | expr
static Node *parse_literal(Parser *p) {
    if (!parse_sees_kind(p, TOK_NAME) || !parse_sees_ahead(p, 1, "="))
        return parse_condition(p, "if");
    int first = p->at;
    Node *node = parse_node(p, N_BIND, first);
    parse_declare(node, parse_name(p, "a value"));
    parse_take(p);
    parse_add(p, node, parse_expr(p));
    return parse_close(p, node, first);
}

// atom "if" literal { "," literal } NL
static Node *parse_clause(Parser *p) {
    static const char help[] = "write `name(c) if other(c), c in empty`";
    int first = p->at;
    Node *node = parse_node(p, N_CLAUSE, first);
    parse_add(p, node, parse_atom(p, N_ATOM, "a rule", help));
    static const char *const of_facts[] = {"for", "when", NULL};
    if (parse_sees_any(p, of_facts) || parse_sees_kind(p, TOK_NEWLINE))
        parse_expected(p, "`if`", "what the position alone decides stands under `facts`");
    parse_expect(p, "if", NULL, help);
    do {
        parse_add(p, node, parse_literal(p));
    } while (parse_accept(p, ","));
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

Node *parse_rules(Parser *p) {
    return parse_part(p, N_RULES, parse_clause);
}

// ---- worth ----------------------------------------------------------------------------------

// ( atom | "opponent" ) expr [STRING] NL
static Node *parse_worth_line(Parser *p) {
    static const char help[] = "write `mill(me, _) 12 \"a mill\"` or `opponent -1`";
    int first = p->at;
    bool opponent = parse_sees(p, "opponent");
    Node *node = parse_node(p, opponent ? N_WORTH_OPPONENT : N_WORTH_LINE, first);
    if (opponent)
        parse_take(p);
    else
        parse_add(p, node, parse_atom(p, N_ATOM, "a fact or rule", help));
    if (parse_sees_kind(p, TOK_NEWLINE) || parse_sees_kind(p, TOK_STRING))
        parse_expected(p, "what it is worth", help);
    parse_add(p, node, parse_expr(p));
    parse_sentence(p, node);
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

Node *parse_worth(Parser *p) {
    return parse_part(p, N_WORTH, parse_worth_line);
}

// ---- prefer ---------------------------------------------------------------------------------

// "times" sum "if" expr [STRING] NL
static Node *parse_times(Parser *p) {
    static const char help[] = "write `times 8 if CONDITION \"why\"`";
    int first = p->at;
    Node *node = parse_node(p, N_TIMES, first);
    parse_expect(p, "times", NULL, help);
    parse_add(p, node, parse_sum(p));
    parse_after(p, "if", "`if` and a condition", help);
    parse_add(p, node, parse_condition(p, "if"));
    parse_sentence(p, node);
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

Node *parse_prefer(Parser *p) {
    p->prefers = true;
    Node *node = parse_part(p, N_PREFER, parse_times);
    p->prefers = false;
    return node;
}

// ---- A file of its own ----------------------------------------------------------------------

// knowledge = "knowledge" STRING NL
Node *parse_knowledge(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_KNOWLEDGE, first);
    parse_take(p);
    node->word = parse_string(p, "a title", "write `knowledge \"Title\"`")->text;
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}
