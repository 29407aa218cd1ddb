// parse_table: where the board lies on a real table, for an arm and a camera (`table`).
#include "lang/parser.h"

#include <string.h>

// expr "," expr
static void parse_two(Parser *p, Node *node, const char *help) {
    parse_add(p, node, parse_expr(p));
    parse_after(p, ",", "`,` and how far forward", help);
    parse_add(p, node, parse_expr(p));
}

// "middle" expr "," expr
static Node *parse_middle(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_TABLE_MIDDLE, first);
    parse_take(p);
    parse_two(p, node, "write `middle 0, 210`: millimetres right and forward of the arm's base");
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// WORD expr
static Node *parse_measure(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_TABLE_NUMBER, first);
    node->word = parse_take(p)->text;
    parse_add(p, node, parse_expr(p));
    return parse_close(p, node, first);
}

// ("pitch" | "turn" | "surface") expr
static Node *parse_number_line(Parser *p) {
    Node *node = parse_measure(p);
    parse_line_end(p);
    return node;
}

// "piece" { ("height" | "width" | "grip") expr }
static Node *parse_piece_size(Parser *p) {
    static const char *const words[] = {"height", "width", "grip", NULL};
    int first = p->at;
    Node *node = parse_node(p, N_TABLE_PIECE, first);
    parse_take(p);
    if (!parse_sees_any(p, words))
        parse_expected(p, "`height`, `width` or `grip`", "write `piece height 12 width 22 grip 8`");
    while (parse_sees_any(p, words))
        parse_add(p, node, parse_measure(p));
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// NAME ["of" NAME]
static void parse_which(Parser *p, Node *node) {
    Node *owner = NULL;
    parse_declare(node, parse_name(p, "a kind of piece"));
    if (parse_accept(p, "of"))
        owner = parse_word_node(p, N_NAME, parse_name(p, "a player"));
    parse_add(p, node, owner);
}

static Node *parse_after_word(Parser *p, const char *word) {
    return parse_accept(p, word) ? parse_expr(p) : NULL;
}

// "store" [NAME ["of" NAME]] "at" expr "," expr ["step" expr "," expr] ["places" expr]
// ["stack" expr]
static Node *parse_store(Parser *p) {
    static const char help[] = "write `store man of White at -120, 120 step 0, 30 places 9`";
    int first = p->at;
    Node *node = parse_node(p, N_TABLE_STORE, first);
    parse_take(p);
    if (parse_sees(p, "at"))
        parse_add(p, node, NULL);
    else
        parse_which(p, node);
    parse_expect(p, "at", NULL, help);
    parse_two(p, node, help);
    if (parse_accept(p, "step")) {
        parse_two(p, node, help);
    } else {
        parse_add(p, node, NULL);
        parse_add(p, node, NULL);
    }
    parse_add(p, node, parse_after_word(p, "places"));
    parse_add(p, node, parse_after_word(p, "stack"));
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// expr ".." expr
static Node *parse_span(Parser *p, const char *help) {
    int first = p->at;
    Node *node = parse_node(p, N_TYPE_RANGE, first);
    parse_add(p, node, parse_sum(p));
    parse_after(p, "..", "`..` and the upper end", help);
    parse_add(p, node, parse_sum(p));
    return parse_close(p, node, first);
}

// "colour" NAME ["of" NAME] (NAME | "hue" span ["saturation" span] ["value" span])
static Node *parse_colour(Parser *p) {
    static const char *const parts[] = {"hue", "saturation", "value"};
    static const char help[] = "write `colour man of White yellow`, or `colour man of White "
                               "hue 40..60 saturation 40..100 value 30..100`";
    int first = p->at;
    Node *node = parse_node(p, N_TABLE_COLOUR, first);
    parse_take(p);
    parse_which(p, node);
    bool named = parse_sees_kind(p, TOK_NAME) && !parse_sees(p, "hue");
    if (named) {
        const Token *name = parse_take(p);
        node->extra = name->text;
        node->number = name->span.column;
    } else if (!parse_sees(p, "hue")) {
        parse_expected(p, "a colour", help);
    }
    for (int i = 0; i < 3; i++)
        parse_add(p, node, !named && parse_accept(p, parts[i]) ? parse_span(p, help) : NULL);
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

static Node *parse_tableline(Parser *p) {
    static const char *const words[] = {"middle", "pitch", "turn",   "surface",
                                        "piece",  "store", "colour", NULL};
    static const ParseLine readers[] = {parse_middle,      parse_number_line, parse_number_line,
                                        parse_number_line, parse_piece_size,  parse_store,
                                        parse_colour};
    for (int i = 0; words[i]; i++)
        if (parse_sees(p, words[i]))
            return readers[i](p);
    const Token *word = parse_peek(p, 0);
    const char *help = "its lines are middle, pitch, turn, surface, piece, store and colour";
    if (word->kind == TOK_NAME)
        parse_fail(p, word->span, parse_suggest(p, word->text, words, help),
                   "a table has no line `%.40s`", word->text);
    else
        parse_expected(p, "a line about the table", help);
    return parse_nothing(p);
}

// table = "table" NL INDENT { tableline NL } DEDENT
Node *parse_table(Parser *p) {
    Node *node = parse_node(p, N_TABLE, p->at);
    parse_take(p);
    parse_line_end(p);
    parse_body(p, node, parse_tableline, node->span, "table");
    return node;
}
