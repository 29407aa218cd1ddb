// parse_board: boards, pieces and types.
#include "lang/parser.h"

#include <string.h>

// ---- Types ----------------------------------------------------------------------------------

// sum ".." sum, into a node
static Node *parse_bounds(Parser *p, Node *node, int first) {
    parse_add(p, node, parse_sum(p));
    parse_expect(p, "..", "`..` and the highest number", "a range is written `0..9`");
    parse_add(p, node, parse_sum(p));
    return parse_close(p, node, first);
}

// What other languages call their types.
static const char *parse_type_help(Parser *p, const char *word) {
    static const char *const numbers[] = {"int", "integer", "number", "num", "byte", "float", NULL};
    static const char *const bools[] = {"boolean", "Boolean", "bolean", "flag", NULL};
    static const char *const types[] = {"bool",  "player",    "cell", "cells",
                                        "piece", "direction", "some", NULL};
    if (lex_in_list(word, numbers))
        return "a number has its bounds as type: `0..9`";
    if (lex_in_list(word, bools))
        return "did you mean `bool`?";
    return parse_suggest(p, word, types,
                         "the types are bool, player, cell, cells, direction, piece, "
                         "a range such as `0..9`, and `some of a, b`");
}

// Whether a single word stands where a type must, which no range begins with.
static bool parse_sees_unknown_type(const Parser *p) {
    static const char *const enders[] = {"=", ",", "]", "or", NULL};
    const Token *next = parse_peek(p, 1);
    if (!parse_sees_kind(p, TOK_NAME))
        return false;
    return next->kind == TOK_NEWLINE || next->kind == TOK_STRING ||
           ((next->kind == TOK_SYMBOL || next->kind == TOK_NAME) &&
            lex_in_list(next->text, enders));
}

static Node *parse_unknown_type(Parser *p) {
    const Token *word = parse_peek(p, 0);
    parse_fail(p, word->span, parse_type_help(p, word->text), "there is no type `%.40s`",
               word->text);
    return parse_nothing(p);
}

// "some" "of" NAME {"," NAME}; in a list of attributes, `, NAME :` begins the next one
static Node *parse_some_of(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_TYPE_SOME_OF, first);
    parse_take(p);
    parse_take(p);
    do {
        Node *flag = parse_node(p, N_DECLARED, p->at);
        parse_declare(flag, parse_name(p, "a flag"));
        parse_add(p, flag, NULL);
        parse_add(p, node, flag);
    } while (!parse_sees_ahead(p, 2, ":") && parse_accept(p, ","));
    return parse_close(p, node, first);
}

// "bool" | "player" | "cell" | "cells" | "direction" | "piece", then ["or" "none"]
static Node *parse_named_type(Parser *p) {
    int first = p->at;
    Node *node = parse_word_node(p, N_TYPE_NAME, parse_take(p));
    if (parse_accept(p, "or")) {
        parse_expect(p, "none", NULL, "write `cell or none`");
        node->number = 1;
    }
    return parse_close(p, node, first);
}

// type = ("bool" | … | expr ".." expr | "some" "of" NAME {"," NAME}) ["or" "none"]
Node *parse_type(Parser *p) {
    static const char *const names[] = {"bool",      "player", "cell", "cells",
                                        "direction", "piece",  NULL};
    if (parse_sees_any(p, names) && !parse_sees_ahead(p, 1, "..") && !parse_sees_ahead(p, 1, "("))
        return parse_named_type(p);
    Node *node;
    if (parse_sees(p, "some") && parse_sees_ahead(p, 1, "of"))
        node = parse_some_of(p);
    else if (parse_sees_unknown_type(p))
        return parse_unknown_type(p);
    else
        node = parse_bounds(p, parse_node(p, N_TYPE_RANGE, p->at), p->at);
    if (parse_sees(p, "or"))
        parse_fail(p, parse_peek(p, 0)->span, "only a player, a cell or a piece can be none",
                   "a number or a set of flags cannot be `none`");
    return node;
}

// "one" "of" expr { "," expr }
static Node *parse_one_of(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_TYPE_ONE_OF, first);
    parse_take(p);
    parse_take(p);
    do {
        parse_add(p, node, parse_expr(p));
    } while (parse_accept(p, ","));
    return parse_close(p, node, first);
}

// ptype = "bool" | expr ".." expr | "one" "of" expr { "," expr } | "list" "of" expr ".." expr
Node *parse_ptype(Parser *p) {
    int first = p->at;
    if (parse_sees(p, "bool"))
        return parse_word_node(p, N_TYPE_NAME, parse_take(p));
    if (parse_sees(p, "one") && parse_sees_ahead(p, 1, "of"))
        return parse_one_of(p);
    if (parse_sees(p, "list") && parse_sees_ahead(p, 1, "of")) {
        Node *list = parse_node(p, N_TYPE_LIST_OF, first);
        parse_take(p);
        parse_take(p);
        return parse_bounds(p, list, first);
    }
    if (!parse_sees_unknown_type(p))
        return parse_bounds(p, parse_node(p, N_TYPE_RANGE, first), first);
    parse_fail(p, parse_peek(p, 0)->span,
               "a parameter is `bool`, a range `1..8`, `one of 6, 8, 10` or `list of 0..64`",
               "there is no type `%.40s` for parameters", parse_peek(p, 0)->text);
    return parse_nothing(p);
}

// ---- Pieces ---------------------------------------------------------------------------------

// NAME [STRING]
Node *parse_declared(Parser *p, const char *what) {
    int first = p->at;
    Node *node = parse_node(p, N_DECLARED, first);
    parse_declare(node, parse_name(p, what));
    Node *look = NULL;
    if (parse_sees_kind(p, TOK_STRING))
        look = parse_word_node(p, N_STRING, parse_take(p));
    parse_add(p, node, look);
    return parse_close(p, node, first);
}

// NAME [STRING] {"," NAME [STRING]}
static Node *parse_declared_list(Parser *p, const char *what) {
    int first = p->at;
    Node *list = parse_node(p, N_LIST, first);
    do {
        parse_add(p, list, parse_declared(p, what));
    } while (parse_accept(p, ","));
    return parse_close(p, list, first);
}

// attribute = NAME ":" type [ "=" expr ]
static Node *parse_attribute(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_ATTRIBUTE, first);
    parse_declare(node, parse_name(p, "an attribute"));
    parse_expect(p, ":", "`:` and a type", "write `with hp : 0..9 = 9`");
    parse_add(p, node, parse_type(p));
    parse_add(p, node, parse_accept(p, "=") ? parse_expr(p) : NULL);
    return parse_close(p, node, first);
}

static Node *parse_attribute_list(Parser *p) {
    int first = p->at;
    Node *list = parse_node(p, N_LIST, first);
    do {
        parse_add(p, list, parse_attribute(p));
    } while (parse_accept(p, ","));
    return parse_close(p, list, first);
}

// piece = "piece" NAME [STRING] {"," …} [ "of" NAME [STRING] {"," …} ]
//         [ "with" attribute { "," attribute } ] NL
Node *parse_piece(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_PIECE, first);
    parse_take(p);
    parse_add(p, node, parse_declared_list(p, "a piece"));
    bool owned = parse_accept(p, "of");
    parse_add(p, node, owned ? parse_declared_list(p, "a player") : parse_node(p, N_LIST, p->at));
    bool with = parse_accept(p, "with");
    parse_add(p, node, with ? parse_attribute_list(p) : parse_node(p, N_LIST, p->at));
    parse_close(p, node, first);
    if (!with && !parse_sees_kind(p, TOK_NEWLINE))
        parse_expected(p,
                       owned ? "`,`, `with` or the end of the line"
                             : "`,`, `of`, `with` or the end of the line",
                       "write `piece man of White, Black with hp : 0..9 = 9`");
    parse_line_end(p);
    return node;
}

// ---- Board lines ----------------------------------------------------------------------------

// NAME NAME { NAME } NL
static Node *parse_line_of_names(Parser *p) {
    int first = p->at;
    Node *line = parse_node(p, N_LINE, first);
    do {
        parse_add(p, line, parse_word_node(p, N_NAME, parse_name(p, "a cell")));
        if (parse_sees(p, ","))
            parse_fail(p, parse_peek(p, 0)->span, "write `a1 b1 c1`",
                       "only blanks stand between the cells of a line");
    } while (parse_sees_kind(p, TOK_NAME));
    if (line->count < 2)
        parse_fail(p, line->span, "write `a1 b1 c1`", "a line has at least two cells");
    parse_close(p, line, first);
    parse_line_end(p);
    return line;
}

// "lines" NL INDENT { NAME NAME { NAME } NL } DEDENT | "lines" "of" expr NL
static Node *parse_board_lines(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, parse_sees_ahead(p, 1, "of") ? N_LINES_OF : N_LINES, first);
    parse_take(p);
    if (parse_accept(p, "of")) {
        parse_add(p, node, parse_expr(p));
        parse_close(p, node, first);
        parse_line_end(p);
        return node;
    }
    parse_line_end(p);
    parse_body(p, node, parse_line_of_names, node->span, "lines");
    return node;
}

// "cells" "where" expr NL
static Node *parse_cells_where(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_CELLS_WHERE, first);
    parse_take(p);
    parse_expect(p, "where", NULL, "write `cells where (column + row) % 2 == 0`");
    parse_add(p, node, parse_condition(p, "where"));
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// "directions" NAME { "," NAME } [ "where" expr ] NL
static Node *parse_directions(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_DIRECTIONS, first);
    parse_take(p);
    parse_add(p, node, NULL);
    do {
        parse_add(p, node, parse_word_node(p, N_NAME, parse_name(p, "a direction")));
    } while (parse_accept(p, ","));
    Node *condition = parse_accept(p, "where") ? parse_condition(p, "where") : NULL;
    if (condition) {
        parse_add(p, node, condition); // checks the height
        node->kids[0] = node->kids[--node->count];
    }
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// "stacks" "of" expr NL
static Node *parse_stacks(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_STACKS_OF, first);
    parse_take(p);
    parse_expect(p, "of", NULL, "write `stacks of 8`");
    parse_add(p, node, parse_expr(p));
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// "symmetry" NAME { "," NAME } NL; the words are the checker's, `all` among them
static Node *parse_symmetry(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_SYMMETRY, first);
    parse_take(p);
    do {
        if (!parse_sees_kind(p, TOK_NAME))
            parse_expected(p, "the name of a symmetry",
                           "write `symmetry all`, or leave the line out");
        parse_add(p, node, parse_word_node(p, N_NAME, parse_take(p)));
    } while (parse_accept(p, ","));
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// "coordinates" NAME NL
static Node *parse_coordinates(Parser *p) {
    static const char *const known[] = {"chess", "matrix", NULL};
    int first = p->at;
    Node *node = parse_node(p, N_COORDINATES, first);
    parse_take(p);
    const Token *word = parse_peek(p, 0);
    if (parse_sees_any(p, known))
        node->word = parse_take(p)->text;
    else
        parse_expected(p, "`chess` or `matrix`", parse_suggest(p, word->text, known, NULL));
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// "point" NAME "at" expr "," expr NL
static Node *parse_point(Parser *p) {
    static const char help[] = "write `point a1 at 0, 0`";
    int first = p->at;
    Node *node = parse_node(p, N_POINT, first);
    parse_take(p);
    parse_declare(node, parse_name(p, "a cell"));
    parse_expect(p, "at", NULL, help);
    parse_add(p, node, parse_expr(p));
    parse_after(p, ",", "`,` and the second number", help);
    parse_add(p, node, parse_expr(p));
    parse_close(p, node, first);
    parse_line_end(p);
    return node;
}

// boardline = "lines" … | "cells" … | "directions" … | "stacks" … | "symmetry" … | …
static Node *parse_boardline(Parser *p) {
    static const char *const words[] = {"lines",    "cells",       "directions", "stacks",
                                        "symmetry", "coordinates", "point",      NULL};
    static const ParseLine readers[] = {parse_board_lines, parse_cells_where, parse_directions,
                                        parse_stacks,      parse_symmetry,    parse_coordinates,
                                        parse_point};
    const Token *word = parse_peek(p, 0);
    for (int i = 0; words[i]; i++)
        if (parse_sees(p, words[i]))
            return readers[i](p);
    if (word->kind != TOK_NAME)
        parse_expected(p, "a line about the board", NULL);
    else
        parse_fail(p, word->span,
                   parse_suggest(p, word->text, words,
                                 "a board has lines, cells, directions, stacks, symmetry, "
                                 "coordinates and point"),
                   "a board has no `%.40s`", word->text);
    return parse_nothing(p);
}

// ---- The board ------------------------------------------------------------------------------

// expr "x" expr
static void parse_size(Parser *p, Node *node) {
    const char *help = arena_printf(p->arena, "write `board %s%s 8 x 8`",
                                    strcmp(node->word, "square") == 0 ? "" : "hex ", node->word);
    if (parse_sees_kind(p, TOK_NEWLINE))
        parse_expected(p, "the size of the board", help);
    parse_add(p, node, parse_expr(p));
    parse_after(p, "x", "`x` between width and height", help);
    parse_add(p, node, parse_expr(p));
}

// "rhombus" expr "x" expr | "hexagon" expr | "triangle" expr
static void parse_hex(Parser *p, Node *node) {
    static const char *const shapes[] = {"rhombus", "hexagon", "triangle", NULL};
    static const char help[] = "write `hex rhombus 11 x 11`, `hex hexagon 5` or `hex triangle 6`";
    const Token *word = parse_peek(p, 0);
    if (!parse_sees_any(p, shapes)) {
        parse_expected(p, "`rhombus`, `hexagon` or `triangle`",
                       parse_suggest(p, word->text, shapes, help));
        return;
    }
    node->word = parse_take(p)->text;
    if (strcmp(node->word, "rhombus") == 0) {
        parse_size(p, node);
        return;
    }
    parse_add(p, node, parse_expr(p));
    parse_add(p, node, NULL);
}

static void parse_shape(Parser *p, Node *node) {
    static const char *const shapes[] = {"square", "hex", NULL};
    const Token *word = parse_peek(p, 0);
    if (parse_sees(p, "square")) {
        node->word = parse_take(p)->text;
        parse_size(p, node);
    } else if (parse_accept(p, "hex")) {
        parse_hex(p, node);
    } else if (parse_sees_kind(p, TOK_NEWLINE) || parse_sees(p, ":")) {
        node->word = "lines";
        parse_add(p, node, NULL);
        parse_add(p, node, NULL);
    } else {
        parse_expected(p, "`square`, `hex` or the end of the line",
                       parse_suggest(p, word->text, shapes, "write `board square 8 x 8`"));
    }
}

// board = "board" [ "square" expr "x" expr | "hex" … ] NL [ INDENT { boardline } DEDENT ]
Node *parse_board(Parser *p) {
    int first = p->at;
    Node *node = parse_node(p, N_BOARD, first);
    parse_take(p);
    parse_shape(p, node);
    parse_close(p, node, first);
    parse_line_end(p);
    if (!p->failed && strcmp(node->word, "lines") == 0 && !parse_sees_kind(p, TOK_INDENT))
        parse_complain(p, node->span, "write `board square 8 x 8`, or put `lines` below",
                       "this board has neither a size nor lines");
    parse_lines(p, node, parse_boardline);
    return node;
}
