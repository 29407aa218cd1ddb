// parse_stmt: the statements of turn, setup and input.
// A table at the end finds the function by the line's first word; any other word is a target.
#include "lang/parser.h"

#include <string.h>

// block = INDENT { statement } DEDENT
static Node *parse_statement(Parser *p);
Node *parse_block(Parser *p, Span header, const char *owner) {
    bool indented = parse_sees_kind(p, TOK_INDENT);
    Node *block = parse_node(p, N_BLOCK, indented ? p->at + 1 : p->at); // INDENT is never last
    if (!parse_enter(p))
        return block;
    parse_body(p, block, parse_statement, header, owner);
    parse_leave(p);
    return block;
}

// The header ends here; then the block below it.
static void parse_header_end(Parser *p, Node *node, int first) {
    parse_close(p, node, first);
    parse_line_end(p);
}

// { "," … } with at least one expression, into a node
static void parse_expr_list(Parser *p, Node *node) {
    do {
        parse_add(p, node, parse_expr(p));
    } while (parse_accept(p, ","));
}

// NAME "=" expr
Node *parse_init(Parser *p, const char *what) {
    int first = p->at;
    Node *node = parse_node(p, N_INIT, first);
    parse_declare(node, parse_name(p, what));
    parse_expect(p, "=", NULL, NULL);
    parse_add(p, node, parse_expr(p));
    return parse_close(p, node, first);
}

static void parse_init_list(Parser *p, Node *node, const char *what) {
    do {
        parse_add(p, node, parse_init(p, what));
    } while (parse_accept(p, ","));
}

// ---- Choices and conditions -----------------------------------------------------------------

// "say" STRING NL
static Node *parse_say(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_SAY, first);
    parse_take(p);
    node->word = parse_string(p, "a text after `say`", "write `say \"Choose a man.\"`")->text;
    parse_header_end(p, node, first);
    return node;
}

// NAME "in", for choose and for
static void parse_chosen(Parser *p, Node *node, const char *word, const char *what) {
    if (parse_sees(p, "in")) {
        parse_fail(p, parse_peek(p, 0)->span, arena_printf(p->arena, "write `%s x in SET`", word),
                   "a name is missing after `%s`", word);
        return;
    }
    const Token *name = parse_name(p, what);
    parse_declare(node, name);
    parse_expect(p, "in", arena_printf(p->arena, "`in` after `%s %.40s`", word, name->text),
                 arena_printf(p->arena, "write `%s %.40s in SET`", word, name->text));
}

// "choose" NAME "in" domain NL
static Node *parse_choose(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_CHOOSE, first);
    parse_take(p);
    parse_chosen(p, node, "choose", "a choice");
    parse_add(p, node, parse_domain(p));
    parse_header_end(p, node, first);
    return node;
}

// "for" NAME "in" domain NL block
static Node *parse_for(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_FOR, first);
    parse_take(p);
    parse_chosen(p, node, "for", "a variable");
    parse_add(p, node, parse_domain(p));
    parse_header_end(p, node, first);
    parse_add(p, node, parse_block(p, node->span, "for"));
    return node;
}

// ("either" | "or") [STRING] NL block
static Node *parse_branch(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_BRANCH, first);
    const char *word = parse_take(p)->text;
    if (parse_sees_kind(p, TOK_STRING)) {
        node->extra_span = parse_peek(p, 0)->span;
        node->word = parse_take(p)->text;
    }
    parse_header_end(p, node, first);
    parse_add(p, node, parse_block(p, node->span, word));
    return node;
}

// "either" [STRING] NL block "or" [STRING] NL block { "or" [STRING] NL block }
static Node *parse_either(Parser *p) {
    Node *node = parse_node(p, N_EITHER, p->at);
    Span header = node->span;
    parse_add(p, node, parse_branch(p));
    if (!parse_sees(p, "or"))
        parse_complain(p, header, "add an `or` line with its own block, at the same indentation",
                       "`either` has only one branch");
    while (parse_sees(p, "or"))
        parse_add(p, node, parse_branch(p));
    return node;
}

// "require" expr [STRING] NL
static Node *parse_require(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_REQUIRE, first);
    parse_take(p);
    parse_add(p, node, parse_condition(p, "require"));
    if (parse_sees_kind(p, TOK_STRING))
        node->word = parse_take(p)->text;
    parse_header_end(p, node, first);
    return node;
}

// `elif` and its like: understood, and reported.
static bool parse_sees_elif(const Parser *p) {
    static const char *const words[] = {"elif", "elsif", "elseif", NULL};
    return parse_sees_any(p, words) && parse_operand_ahead(p, 1);
}

// Takes `else if`, if it stands here.
static bool parse_accept_else_if(Parser *p) {
    if (parse_sees(p, "else") && parse_sees_ahead(p, 1, "if")) {
        parse_take(p);
        parse_take(p);
        return true;
    }
    if (!parse_sees_elif(p))
        return false;
    const Token *word = parse_take(p);
    parse_complain(p, word->span, "write `else if`", "there is no `%s`", word->text);
    return true;
}

// expr NL block, after `if`
static Node *parse_if_branch(Parser *p, int first) {
    Node *node = parse_node(p, N_IF, first);
    parse_add(p, node, parse_condition(p, "if"));
    parse_header_end(p, node, first);
    parse_add(p, node, parse_block(p, node->span, "if"));
    return node;
}

// [ "else" NL block ]
static Node *parse_else(Parser *p) {
    Span header = parse_peek(p, 0)->span;
    if (!parse_accept(p, "else"))
        return NULL;
    parse_line_end(p);
    return parse_block(p, header, "else");
}

// "if" expr NL block { "else" "if" expr NL block } [ "else" NL block ]
// A loop, so that a long row of `else if` takes no stack; then the branches are joined from the
// last to the first.
static Node *parse_if(Parser *p) {
    Node *branches[PARSE_DEPTH];
    int n = 0;
    int first = p->at;
    parse_take(p);
    do {
        if (n == PARSE_DEPTH)
            parse_fail(p, p->tokens.items[first].span, NULL, "more than %d branches", PARSE_DEPTH);
        else
            branches[n++] = parse_if_branch(p, first);
        first = p->at;
    } while (parse_accept_else_if(p));
    Node *last = parse_else(p);
    while (n > 0) {
        parse_add(p, branches[--n], last);
        last = branches[n];
    }
    return last;
}

// "while" expr "up" "to" expr NL block
static Node *parse_while(Parser *p) {
    static const char help[] = "every loop has a bound: `while COND up to 8`";
    int first = p->at;
    Node *node = parse_node(p, N_WHILE, first);
    parse_take(p);
    parse_add(p, node, parse_condition(p, "while"));
    if (parse_sees_kind(p, TOK_NEWLINE) || parse_sees(p, ":"))
        parse_fail(p, node->span, help, "this `while` has no bound");
    parse_after(p, "up", "`up to` and a number", help);
    parse_expect(p, "to", NULL, help);
    parse_add(p, node, parse_expr(p));
    parse_header_end(p, node, first);
    parse_add(p, node, parse_block(p, node->span, "while"));
    return node;
}

// ---- Names and values -----------------------------------------------------------------------

// "let" NAME "=" expr NL
static Node *parse_local_let(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_LET, first);
    parse_take(p);
    parse_declare(node, parse_name(p, "a value"));
    if (parse_sees(p, "("))
        parse_fail(p, parse_peek(p, 0)->span, "put the `let` outside, at the beginning of a line",
                   "a `let` inside a block has no parameters");
    parse_expect(p, "=", NULL, "write `let name = value`");
    parse_add(p, node, parse_expr(p));
    parse_header_end(p, node, first);
    return node;
}

// "var" NAME ":" type "=" expr NL
static Node *parse_local_var(Parser *p) {
    static const char help[] = "write `var name : 0..9 = 0`";
    int first = p->at;
    Node *node = parse_node(p, N_LOCAL, first);
    parse_take(p);
    parse_declare(node, parse_name(p, "a variable"));
    parse_expect(p, ":", "`:` and a type", help);
    parse_add(p, node, parse_type(p));
    parse_expect(p, "=", "`=` and the first value", help);
    parse_add(p, node, parse_expr(p));
    parse_header_end(p, node, first);
    return node;
}

// target: NAME | NAME "[" expr "]" | NAME "(" expr ")"
static Node *parse_target(Parser *p) {
    const Token *word = parse_peek(p, 0);
    if (word->kind == TOK_NAME && lex_is_reserved(word->text))
        parse_fail(p, word->span, NULL, "`%s` cannot be set", word->text);
    Node *target = parse_postfix(p);
    if (target->kind == N_CALL && target->count != 1)
        parse_fail(p, target->span, "write `attribute(cell) = value`",
                   "a value is set on one cell at a time");
    return target;
}

static void parse_assign_operator(Parser *p, Node *node) {
    static const char *const operators[] = {"=", "+=", "-=", NULL};
    static const char help[] = "write `name = value`, `name += value` or `name -= value`";
    const Token *found = parse_peek(p, 0);
    if (parse_sees_any(p, operators))
        node->word = parse_take(p)->text;
    else if (parse_sees(p, "=="))
        parse_fail(p, found->span, "write `=` to set a value, `require` to check one",
                   "`==` compares and does not set a value");
    else if (parse_sees_ahead(p, 1, "="))
        parse_fail(p, found->span, help, "there is no `%.10s=`", found->text);
    else
        parse_expected(p, "`=`, `+=` or `-=`", help);
}

// target ("=" | "+=" | "-=") expr NL
static Node *parse_assign(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_ASSIGN, first);
    parse_add(p, node, parse_target(p));
    parse_assign_operator(p, node);
    parse_add(p, node, parse_expr(p));
    parse_header_end(p, node, first);
    return node;
}

// ---- Pieces ---------------------------------------------------------------------------------

// "place" piecexpr "at" expr {"," expr} [ "with" NAME "=" expr {"," NAME "=" expr} ] NL
static Node *parse_place(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_PLACE, first);
    parse_take(p);
    parse_add(p, node, parse_postfix(p));
    parse_expect(p, "at", NULL, "write `place man at CELL`");
    int cells_at = p->at;
    Node *cells = parse_node(p, N_LIST, cells_at);
    parse_expr_list(p, cells);
    parse_add(p, node, parse_close(p, cells, cells_at));
    int inits_at = p->at;
    Node *inits = parse_node(p, N_LIST, inits_at);
    if (parse_accept(p, "with")) {
        parse_init_list(p, inits, "an attribute");
        parse_close(p, inits, inits_at);
    }
    parse_add(p, node, inits);
    parse_header_end(p, node, first);
    return node;
}

// "move" expr [ "above" expr ] "to" expr NL
static Node *parse_move(Parser *p) {
    static const char help[] = "write `move CELL to CELL`";
    int first = p->at;
    Node *node = parse_node(p, N_MOVE, first);
    parse_take(p);
    Node *from = parse_expr(p);
    Node *above = parse_accept(p, "above") ? parse_expr(p) : NULL;
    parse_after(p, "to", NULL, help);
    Node *to = parse_expr(p);
    parse_add(p, node, from);
    parse_add(p, node, to);
    parse_add(p, node, above);
    parse_header_end(p, node, first);
    return node;
}

// ("remove" | "clear") expr {"," expr} NL
static Node *parse_remove(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, parse_sees(p, "remove") ? N_REMOVE : N_CLEAR, first);
    parse_take(p);
    parse_expr_list(p, node);
    parse_header_end(p, node, first);
    return node;
}

// "change" expr "to" piecexpr NL
static Node *parse_change(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_CHANGE, first);
    parse_take(p);
    parse_add(p, node, parse_expr(p));
    parse_after(p, "to", NULL, "write `change CELL to queen`");
    parse_add(p, node, parse_postfix(p));
    parse_header_end(p, node, first);
    return node;
}

// "again" NL
static Node *parse_again(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_AGAIN, first);
    parse_take(p);
    parse_line_end(p);
    return node;
}

// ---- Setup and input ------------------------------------------------------------------------

// "scatter" expr piecexpr "on" expr "by" expr NL
static Node *parse_scatter(Parser *p) {
    static const char help[] = "write `scatter 5 rock on CELLS by SEED`";
    int first = p->at;
    Node *node = parse_node(p, N_SCATTER, first);
    parse_take(p);
    parse_add(p, node, parse_expr(p));
    parse_add(p, node, parse_postfix(p));
    parse_expect(p, "on", NULL, help);
    parse_add(p, node, parse_expr(p));
    parse_after(p, "by", NULL, help);
    parse_add(p, node, parse_expr(p));
    parse_header_end(p, node, first);
    return node;
}

// "scramble" expr "by" expr NL
static Node *parse_scramble(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_SCRAMBLE, first);
    parse_take(p);
    parse_add(p, node, parse_expr(p));
    parse_after(p, "by", NULL, "write `scramble NUMBER by SEED`");
    parse_add(p, node, parse_expr(p));
    parse_header_end(p, node, first);
    return node;
}

static Node *parse_diagram_row(Parser *p) {
    static const char help[] = "write each row as a text: \"..x..\"";
    const Token *row = parse_string(p, "a row of the diagram", help);
    Node *node = parse_word_node(p, N_STRING, row);
    parse_line_end(p);
    return node;
}

// "diagram" NL INDENT { STRING NL } DEDENT
static Node *parse_diagram(Parser *p) {
    Node *node = parse_node(p, N_DIAGRAM, p->at);
    parse_take(p);
    parse_line_end(p);
    parse_body(p, node, parse_diagram_row, node->span, "diagram");
    return node;
}

// "in" domain | "in" NAME "=" expr {"," NAME "=" expr} | "as" "letter"
static Node *parse_read_domain(Parser *p, Node *node) {
    if (parse_accept(p, "as")) {
        parse_expect(p, "letter", NULL, "write `read name as letter \"message\"`");
        node->number = 1;
        return NULL;
    }
    parse_expect(p, "in", "`in` or `as`", "write `read name in SET \"message\"`");
    if (!parse_sees_kind(p, TOK_NAME) || !parse_sees_ahead(p, 1, "="))
        return parse_domain(p);
    int first = p->at;
    Node *words = parse_node(p, N_LIST, first);
    parse_init_list(p, words, "a word");
    return parse_close(p, words, first);
}

// "read" NAME ( … ) STRING NL
static Node *parse_read(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_READ, first);
    parse_take(p);
    parse_declare(node, parse_name(p, "a word that is read"));
    parse_add(p, node, parse_read_domain(p, node));
    node->extra =
        parse_string(p, "the message for a wrong word", "write `read name in SET \"message\"`")
            ->text;
    parse_header_end(p, node, first);
    return node;
}

// "answer" NAME "=" expr {"," NAME "=" expr} NL
static Node *parse_answer(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_ANSWER, first);
    parse_take(p);
    parse_init_list(p, node, "a choice");
    parse_header_end(p, node, first);
    return node;
}

// ---- Which statement ------------------------------------------------------------------------

// An `else` or `or` that nothing opened.
static Node *parse_orphan(Parser *p) {
    const Token *word = parse_peek(p, 0);
    if (parse_sees(p, "or"))
        parse_fail(p, word->span, "an `or` branch has the same indentation as its `either`",
                   "`or` without `either`");
    else
        parse_fail(p, word->span, "an `else` has the same indentation as its `if`",
                   "`%s` without `if`", word->text);
    return parse_nothing(p);
}

static const struct Statement {
    const char *word;
    ParseLine read;
} parse_statements[] = {
    {"say", parse_say},
    {"choose", parse_choose},
    {"either", parse_either},
    {"require", parse_require},
    {"if", parse_if},
    {"for", parse_for},
    {"while", parse_while},
    {"let", parse_local_let},
    {"var", parse_local_var},
    {"place", parse_place},
    {"move", parse_move},
    {"remove", parse_remove},
    {"clear", parse_remove},
    {"change", parse_change},
    {"again", parse_again},
    {"scatter", parse_scatter},
    {"scramble", parse_scramble},
    {"diagram", parse_diagram},
    {"read", parse_read},
    {"answer", parse_answer},
    {"else", parse_orphan},
    {"or", parse_orphan},
};

#define STATEMENTS ((int)(sizeof parse_statements / sizeof *parse_statements))

static ParseLine parse_find_statement(const char *word) {
    for (int i = 0; i < STATEMENTS; i++)
        if (strcmp(word, parse_statements[i].word) == 0)
            return parse_statements[i].read;
    return NULL;
}

bool parse_is_statement(const char *word) {
    return parse_find_statement(word);
}

static Node *parse_unknown_statement(Parser *p) {
    const Token *word = parse_peek(p, 0);
    p->failed = parse_peek(p, 1)->kind == TOK_BAD; // `hp(c = 1`: said already
    const char *words[STATEMENTS + 1] = {0};
    for (int i = 0; i < STATEMENTS; i++)
        words[i] = parse_statements[i].word;
    const char *help = parse_suggest(p, word->text, words,
                                     "a line here begins with a word such as choose, either, "
                                     "if, for, place, move, or sets a value: `name = value`");
    if (parse_is_item(word->text))
        parse_fail(p, word->span, "begin the line with it, without indentation",
                   "`%s` begins a section and cannot stand inside a block", word->text);
    else
        parse_fail(p, word->span, help, "there is no statement `%.40s`", word->text);
    return parse_nothing(p);
}

// A statement's word may also be a name: `move = 3` sets a variable, `from[1] = 2` an element.
static bool parse_sees_assignment(const Parser *p) {
    static const char *const signs[] = {"=", "+=", "-=", "==", "*", "/", "[", NULL};
    const Token *next = parse_peek(p, 1);
    return next->kind == TOK_SYMBOL && lex_in_list(next->text, signs);
}

// statement = … (see the functions above)
static Node *parse_statement(Parser *p) {
    if (!parse_sees_kind(p, TOK_NAME)) {
        parse_expected(p, "a statement", NULL);
        return parse_nothing(p);
    }
    if (parse_sees_assignment(p))
        return parse_assign(p);
    ParseLine read = parse_find_statement(parse_peek(p, 0)->text);
    if (read)
        return read(p);
    if (parse_sees_elif(p))
        return parse_orphan(p);
    return parse_sees_ahead(p, 1, "(") ? parse_assign(p) : parse_unknown_statement(p);
}
