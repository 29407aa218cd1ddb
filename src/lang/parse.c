// parse: rules text -> tree (parse.h). The file, its declarations and its sections.
// Then: parse_board.c (boards, pieces, types), parse_table.c, parse_stmt.c, parse_knowledge.c,
// parse_expr.c, in reading order.
#include "lang/parser.h"

#include <string.h>

// ---- The game and its players ---------------------------------------------------------------

// STRING {"," STRING} after "also"
static void parse_also(Parser *p, Node *node) {
    do {
        const Token *name = parse_string(p, "a text", "write `also \"Another name\"`");
        parse_add(p, node, parse_word_node(p, N_STRING, name));
    } while (parse_accept(p, ","));
}

// INT after "language"
static void parse_language(Parser *p, Node *node) {
    if (parse_sees_kind(p, TOK_INT))
        node->number = parse_take(p)->number;
    else
        parse_expected(p, "a number", "write `language 1`");
}

// "also" STRING {"," STRING} | "about" STRING | "source" STRING | "language" INT
static Node *parse_gameline(Parser *p) {
    static const char *const words[] = {"also", "about", "source", "language", NULL};
    static const NodeKind kinds[] = {N_ALSO, N_ABOUT, N_SOURCE, N_LANGUAGE};
    int first = p->at;
    int i = 0;
    while (words[i] && !parse_sees(p, words[i]))
        i++;
    if (!words[i]) {
        parse_expected(p, "`also`, `about`, `source` or `language`",
                       parse_suggest(p, parse_peek(p, 0)->text, words, NULL));
        return parse_nothing(p);
    }
    Node *node = parse_node(p, kinds[i], first);
    parse_take(p);
    if (node->kind == N_ALSO)
        parse_also(p, node);
    else if (node->kind == N_LANGUAGE)
        parse_language(p, node);
    else
        node->word = parse_string(p, "a text", NULL)->text;
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// game = "game" STRING NL [ INDENT { gameline NL } DEDENT ]
static Node *parse_game(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_GAME, first);
    parse_take(p);
    const Token *title = parse_string(p, "the game's title", "write `game \"Title\"`");
    node->word = title->text;
    node->extra_span = title->span;
    parse_close(p, node, first);
    parse_line_end(p);
    parse_lines(p, node, parse_gameline);
    return node;
}

// players = "players" NAME [STRING] { "," NAME [STRING] } NL
static Node *parse_players(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_PLAYERS, first);
    parse_take(p);
    do {
        parse_add(p, node, parse_declared(p, "a player"));
    } while (parse_accept(p, ","));
    if (parse_sees_kind(p, TOK_NAME))
        parse_expected(p, "`,` or the end of the line", "write `players White, Black`");
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// ---- Parameters, variables, definitions -----------------------------------------------------

// "=" expr { "," expr }
static void parse_values(Parser *p, Node *node) {
    do {
        parse_add(p, node, parse_expr(p));
    } while (parse_accept(p, ","));
}

// parameter = "parameter" NAME ":" ptype "=" expr { "," expr } [STRING] NL
static Node *parse_parameter(Parser *p) {
    static const char help[] = "write `parameter size : 1..16 = 8`";
    int first = p->at;
    Node *node = parse_node(p, N_PARAMETER, first);
    parse_take(p);
    parse_declare(node, parse_name(p, "a parameter"));
    parse_expect(p, ":", "`:` and what values it can have", help);
    parse_add(p, node, parse_ptype(p));
    parse_expect(p, "=", "`=` and the usual value", help);
    parse_values(p, node);
    parse_sentence(p, node);
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// demand = "require" expr STRING NL
static Node *parse_demand(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_DEMAND, first);
    parse_take(p);
    parse_add(p, node, parse_condition(p, "require"));
    node->word = parse_string(p, "the message for wrong parameters",
                              "write `require size % 2 == 0 \"the size must be even\"`")
                     ->text;
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// var = ("var" | "clock") NAME [ "[" type "]" ] ":" type [ "=" expr { "," expr } ] NL
static Node *parse_var(Parser *p) {
    static const char help[] = "write `var name : 0..9 = 0` or `var name[player] : 0..9 = 0`";
    int first = p->at;
    Node *node = parse_node(p, N_VAR, first);
    node->number = strcmp(parse_take(p)->text, "clock") == 0;
    parse_declare(node, parse_name(p, "a variable"));
    Node *index = NULL;
    if (parse_accept(p, "[")) {
        index = parse_type(p);
        parse_expect(p, "]", NULL, help);
    }
    parse_add(p, node, index);
    parse_expect(p, ":", "`:` and a type", help);
    parse_add(p, node, parse_type(p));
    if (parse_accept(p, "="))
        parse_values(p, node);
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// let = "let" NAME [ "(" NAME {"," NAME} ")" ] "=" expr NL
static Node *parse_let(Parser *p) {
    static const char help[] = "write `let name = value` or `let name(c) = value`";
    int first = p->at;
    Node *node = parse_node(p, N_LET, first);
    parse_take(p);
    parse_declare(node, parse_name(p, "a value"));
    parse_add(p, node, NULL);
    if (parse_accept(p, "(")) {
        node->number = 1;
        do {
            parse_add(p, node, parse_word_node(p, N_NAME, parse_name(p, "a parameter")));
        } while (parse_accept(p, ","));
        parse_expect(p, ")", "`,` or `)`", help);
    }
    parse_expect(p, "=", NULL, help);
    parse_add(p, node, parse_expr(p)); // at the end, where its height is checked; then first
    node->kids[0] = node->kids[--node->count];
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// ---- Sections -------------------------------------------------------------------------------

// setup = "setup" NL block; turn and input alike
static Node *parse_section(Parser *p, NodeKind kind) {
    Node *node = parse_node(p, kind, p->at);
    const char *word = parse_take(p)->text;
    parse_line_end(p);
    parse_add(p, node, parse_block(p, node->span, word));
    return node;
}

static Node *parse_setup(Parser *p) {
    return parse_section(p, N_SETUP);
}

static Node *parse_turn(Parser *p) {
    return parse_section(p, N_TURN);
}

static Node *parse_input(Parser *p) {
    return parse_section(p, N_INPUT);
}

// Whether a word is an outcome of its own here and not a player's name before `wins`.
static bool parse_sees_outcome(const Parser *p, const char *word) {
    return parse_sees(p, word) && !parse_sees_ahead(p, 1, "wins") &&
           !parse_sees_ahead(p, 1, "loses");
}

// ("most" | "least") expr "wins"
static Node *parse_most(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_MOST, first);
    node->number = strcmp(parse_take(p)->text, "least") == 0;
    parse_add(p, node, parse_expr(p));
    parse_after(p, "wins", NULL, "write `most score[it] wins`");
    return parse_close(p, node, first);
}

// outcome = "draw" | ("most" | "least") expr "wins" | expr ("wins" | "loses")
static Node *parse_outcome(Parser *p) {
    int first = p->at;
    if (parse_sees_outcome(p, "draw")) {
        parse_take(p);
        return parse_node(p, N_DRAW, first);
    }
    if (parse_sees_outcome(p, "most") || parse_sees_outcome(p, "least"))
        return parse_most(p);
    Node *node = parse_node(p, N_WINS, first);
    parse_add(p, node, parse_expr(p));
    static const char *const words[] = {"wins", "loses", NULL};
    const Token *word = parse_peek(p, 0);
    if (parse_sees_any(p, words))
        node->number = strcmp(parse_take(p)->text, "loses") == 0;
    else if (p->at == first + 1 && parse_sees_ahead(p, -1, "pass"))
        parse_fail(p, p->tokens.items[first].span,
                   "say how the game ends here: `draw`, or who wins or loses",
                   "`pass` belongs under `when stuck`");
    else
        parse_expected(p, "`wins` or `loses`",
                       parse_suggest(p, word->text, words,
                                     "write `me wins when ...`, `opponent loses when ...` or "
                                     "`draw when ...`"));
    return parse_close(p, node, first);
}

// endcond = "repeated" expr | expr "moves" "without" "remove" | expr
static Node *parse_endcond(Parser *p) {
    int first = p->at;
    if (parse_sees(p, "repeated") && parse_operand_ahead(p, 1)) {
        Node *node = parse_node(p, N_REPEATED, first);
        parse_take(p);
        parse_add(p, node, parse_expr(p));
        return parse_close(p, node, first);
    }
    Node *condition = parse_condition(p, "when");
    if (!parse_accept(p, "moves"))
        return condition;
    static const char help[] = "write `draw when 100 moves without remove`";
    parse_expect(p, "without", NULL, help);
    parse_expect(p, "remove", NULL, help);
    Node *node = parse_node(p, N_WITHOUT, first);
    parse_add(p, node, condition);
    return parse_close(p, node, first);
}

// The end of a rule: perhaps "when" and a condition, perhaps a sentence for people.
static Node *parse_rule_end(Parser *p, Node *node, int first, Node *(*condition)(Parser *p)) {
    if (parse_sees_kind(p, TOK_NEWLINE) || parse_sees_kind(p, TOK_STRING))
        parse_add(p, node, NULL);
    else {
        parse_expect(p, "when", "`when` and a condition",
                     parse_sees(p, "if") ? "write `when` instead of `if`"
                                         : "write `me wins when ...` or `draw when ...`");
        parse_add(p, node, condition(p));
    }
    parse_close(p, node, first); // the rule itself, without its sentence
    parse_sentence(p, node);
    if (node->extra && parse_sees(p, "when"))
        parse_fail(p, parse_peek(p, -1)->span, "write `draw when CONDITION \"why\"`",
                   "the text stands behind the condition, at the end of the line");
    parse_line_end(p);
    return node;
}

// outcome [ "when" endcond ] [STRING] NL
static Node *parse_end_rule(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_RULE, first);
    parse_add(p, node, parse_outcome(p));
    return parse_rule_end(p, node, first, parse_endcond);
}

static Node *parse_stuck_condition(Parser *p) {
    return parse_condition(p, "when");
}

// ("pass" | outcome) [ "when" expr ] [STRING] NL
static Node *parse_stuck_rule(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_RULE, first);
    if (parse_sees_outcome(p, "pass")) {
        parse_take(p);
        parse_add(p, node, parse_node(p, N_PASS, first));
    } else {
        parse_add(p, node, parse_outcome(p));
    }
    return parse_rule_end(p, node, first, parse_stuck_condition);
}

// The sentence of a rule does not stand beside the name of the section.
static void parse_section_end(Parser *p) {
    if (parse_sees_kind(p, TOK_STRING))
        parse_fail(p, parse_peek(p, 0)->span, "write `draw \"why\"` there",
                   "the text stands at the end of a line below");
    parse_line_end(p);
}

// end = "end" NL INDENT { outcome [ "when" endcond ] [STRING] NL } DEDENT
static Node *parse_end(Parser *p) {
    Node *node = parse_node(p, N_END, p->at);
    parse_take(p);
    parse_section_end(p);
    parse_body(p, node, parse_end_rule, node->span, "end");
    return node;
}

// stuck = "when" ["all"] "stuck" NL
//         INDENT { ("pass" | outcome) [ "when" expr ] [STRING] NL } DEDENT
static Node *parse_stuck(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_STUCK, first);
    parse_take(p);
    node->number = parse_accept(p, "all");
    parse_expect(p, "stuck", node->number ? NULL : "`stuck` or `all stuck`",
                 "write `when stuck`, and below it what happens");
    if (parse_sees_kind(p, TOK_NAME))
        parse_fail(p, parse_peek(p, 0)->span, "indent it by four blanks",
                   "what happens stands on the next line");
    parse_close(p, node, first);
    parse_section_end(p);
    const char *owner = node->number ? "when all stuck" : "when stuck";
    parse_body(p, node, parse_stuck_rule, node->span, owner);
    return node;
}

// NAME STRING NL
static Node *parse_format(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_FORMAT, first);
    parse_declare(node, parse_name(p, "a choice"));
    const Token *text = parse_string(p, "a text after the choice", "write `victim \"x{}\"`");
    parse_add(p, node, parse_word_node(p, N_STRING, text));
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// notation = "notation" NL INDENT { NAME STRING NL } DEDENT
static Node *parse_notation(Parser *p) {
    Node *node = parse_node(p, N_NOTATION, p->at);
    parse_take(p);
    parse_line_end(p);
    parse_body(p, node, parse_format, node->span, "notation");
    return node;
}

// (STRING | NAME) "=" STRING NL
static Node *parse_phrase(Parser *p) {
    static const char help[] = "write `\"Place a man.\" = \"Setze einen Stein.\"`";
    int first = p->at;
    Node *node = parse_node(p, N_PHRASE, first);
    node->number = parse_sees_kind(p, TOK_NAME);
    const Token *from =
        node->number ? parse_take(p) : parse_string(p, "a text or a name of this file", help);
    node->word = from->text;
    node->extra_span = from->span;
    parse_expect(p, "=", NULL, help);
    const Token *text = parse_string(p, "the same in the other language", help);
    parse_add(p, node, parse_word_node(p, N_STRING, text));
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// words = "words" NAME NL INDENT { (STRING | NAME) "=" STRING NL } DEDENT
static Node *parse_words(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_WORDS, first);
    parse_take(p);
    parse_declare(node, parse_name(p, "a language, such as `de`,"));
    parse_close(p, node, first);
    parse_line_end(p);
    parse_body(p, node, parse_phrase, node->span, "words");
    return node;
}

// ---- The file -------------------------------------------------------------------------------

static const struct Item {
    const char *word;
    ParseLine read;
} parse_items[] = {
    {"game", parse_game},      {"players", parse_players},     {"parameter", parse_parameter},
    {"require", parse_demand}, {"board", parse_board},         {"piece", parse_piece},
    {"var", parse_var},        {"clock", parse_var},           {"let", parse_let},
    {"setup", parse_setup},    {"turn", parse_turn},           {"end", parse_end},
    {"when", parse_stuck},     {"notation", parse_notation},   {"input", parse_input},
    {"facts", parse_facts},    {"rules", parse_rules},         {"worth", parse_worth},
    {"prefer", parse_prefer},  {"knowledge", parse_knowledge}, {"words", parse_words},
    {"table", parse_table},
};

#define ITEMS ((int)(sizeof parse_items / sizeof *parse_items))

static ParseLine parse_find_item(const char *word) {
    for (int i = 0; i < ITEMS; i++)
        if (strcmp(word, parse_items[i].word) == 0)
            return parse_items[i].read;
    return NULL;
}

bool parse_is_item(const char *word) {
    return parse_find_item(word);
}

static Node *parse_unknown_item(Parser *p) {
    const Token *word = parse_peek(p, 0);
    const char *words[ITEMS + 1] = {0};
    for (int i = 0; i < ITEMS; i++)
        words[i] = parse_items[i].word;
    if (word->kind == TOK_NAME && parse_is_statement(word->text))
        parse_fail(p, word->span, "indent it by four blanks",
                   "`%s` is a statement and stands inside `turn` or `setup`", word->text);
    else if (word->kind == TOK_NAME)
        parse_fail(p, word->span,
                   parse_suggest(p, word->text, words,
                                 "the sections are game, players, parameter, require, board, "
                                 "piece, var, clock, let, setup, turn, end, when stuck, "
                                 "notation, input, words, table, facts, rules, worth and prefer"),
                   "there is no section `%.40s`", word->text);
    else
        parse_expected(p, "the beginning of a section", NULL);
    return parse_nothing(p);
}

// item = game | players | parameter | demand | board | piece | var | let | setup | turn | …
Node *parse_file_item(Parser *p) {
    ParseLine read = parse_sees_kind(p, TOK_NAME) ? parse_find_item(parse_peek(p, 0)->text) : NULL;
    return read ? read(p) : parse_unknown_item(p);
}

// Indented lines where no section is open. Sections among them are read all the same; other
// lines would only give more messages for the same mistake.
static void parse_stray_block(Parser *p, Node *file) {
    parse_complain(p, parse_peek(p, 1)->span, "begin the line without blanks",
                   "this line is indented, but nothing above opens a block");
    int open = 0;
    do {
        if (parse_sees_kind(p, TOK_INDENT) || parse_sees_kind(p, TOK_DEDENT)) {
            open += parse_sees_kind(p, TOK_INDENT) ? 1 : -1;
            parse_take(p);
        } else if (parse_sees_kind(p, TOK_END)) {
            return;
        } else if (parse_sees_kind(p, TOK_NAME) && parse_is_item(parse_peek(p, 0)->text)) {
            Node *item = parse_file_item(p);
            if (p->failed)
                parse_recover(p);
            else
                parse_add(p, file, item);
        } else {
            parse_recover(p);
        }
    } while (open > 0);
}

// The lexer's messages come before the parser's; people read from the top.
static void parse_sort_messages(Diags *diags, int from) {
    for (int i = from + 1; i < diags->count; i++) {
        Diag moved = diags->items[i];
        int j = i;
        for (; j > from; j--) {
            Span before = diags->items[j - 1].span;
            if (before.line < moved.span.line ||
                (before.line == moved.span.line && before.column <= moved.span.column))
                break;
            diags->items[j] = diags->items[j - 1];
        }
        diags->items[j] = moved;
    }
}

// file = { item }
Node *parse_file(Arena *arena, const Source *source, Diags *diags) {
    int said = diags->count;
    Parser p = {.arena = arena, .source = source, .diags = diags};
    p.stop = (Token){.kind = TOK_NEWLINE, .text = ""};
    p.tokens = lex_file(arena, source, diags);
    Node *file = parse_node(&p, N_FILE, 0);
    while (!parse_sees_kind(&p, TOK_END)) {
        int before = p.at;
        if (parse_sees_kind(&p, TOK_INDENT)) {
            parse_stray_block(&p, file);
            continue;
        }
        Node *item = parse_file_item(&p);
        if (!p.failed)
            parse_add(&p, file, item);
        if (p.failed || p.at == before)
            parse_recover(&p);
        if (p.at == before)
            parse_take(&p);
    }
    parse_sort_messages(diags, said);
    return file;
}
