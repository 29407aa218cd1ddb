// check_board: the `board` section becomes a BoardSpec, then a Board. See ir/board.h.

#include "lang/checker.h"

typedef struct BoardSpecLine SpecLine;
typedef struct BoardSpecPoint SpecPoint;
typedef struct BoardSpecDirection SpecDirection;
typedef struct BoardSpecSymmetry SpecSymmetry;

// Evaluates a condition on `column` and `row` for every position of the grid.
static const bool *grid_condition(Checker *c, const BoardSpec *spec, const Node *cond) {
    int width, height;
    if (!board_grid(spec, &width, &height, c->diags))
        return NULL;
    IrFrame frame = {0}, *outer = c->frame;
    Local *mark = c->locals;
    c->frame = &frame;
    names_push(c, "column", (Span){0}, type_plain(TY_INT), 1, width);
    names_push(c, "row", (Span){0}, type_plain(TY_INT), 1, height);
    IrExpr *e = check_cond(c, cond);
    c->locals = mark;
    c->frame = outer;
    if (!e)
        return NULL;
    bool *result = ARENA_ARRAY(c->arena, bool, width *height);
    long steps = CHECK_TABLE_STEPS;
    for (int i = 0; i < width * height; i++) {
        IrValue locals[32], value;
        locals[0].number = i % width + 1;
        locals[1].number = i / width + 1;
        if (!expr_evaluate(c, e, locals, &value, &steps)) {
            diag_error(c->diags, cond->span, "this takes too long to decide for every cell");
            return NULL;
        }
        result[i] = value.number != 0;
    }
    return result;
}

static bool side(Checker *c, const Node *node, int *out) {
    int64_t n;
    if (!check_constant(c, node, &n))
        return false;
    if (n < 1 || n > BOARD_MAX_SIDE) {
        diag_error(c->diags, node->span, "a side of the board can be 1..%d, not %d", BOARD_MAX_SIDE,
                   (int)n);
        return false;
    }
    *out = (int)n;
    return true;
}

static BoardShape shape_named(const char *word) {
    static const char *const names[] = {"square", "rhombus", "hexagon", "triangle"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(word, names[i]))
            return (BoardShape)i;
    return BOARD_LINES;
}

static void add_line(Checker *c, BoardSpec *spec, const Node *line) {
    SpecLine *l = &spec->lines[spec->line_count++];
    l->count = line->count;
    l->names = ARENA_ARRAY(c->arena, const char *, line->count);
    l->spans = ARENA_ARRAY(c->arena, Span, line->count);
    for (int i = 0; i < line->count; i++) {
        l->names[i] = line->kids[i]->word;
        l->spans[i] = line->kids[i]->span;
    }
}

static bool add_directions(Checker *c, BoardSpec *spec, const Node *node) {
    const bool *from = NULL;
    if (node->kids[0] && !(from = grid_condition(c, spec, node->kids[0])))
        return false;
    for (int i = 1; i < node->count; i++)
        spec->directions[spec->direction_count++] =
            (SpecDirection){node->kids[i]->word, node->kids[i]->span, from};
    return true;
}

static bool small_constant(Checker *c, const Node *node, int least, int most, const char *what,
                           int *out) {
    int64_t n;
    if (!check_constant(c, node, &n))
        return false;
    if (n < least || n > most) {
        diag_error(c->diags, node->span, "%s can be %d..%d, not %d", what, least, most, (int)n);
        return false;
    }
    *out = (int)n;
    return true;
}

static bool only_once(Checker *c, const Node *line, const char *word, bool given) {
    if (given)
        diag_error(c->diags, line->span, "`%s` is given twice", word);
    return !given;
}

static bool add_boardline(Checker *c, BoardSpec *spec, const Node *line) {
    switch (line->kind) {
    case N_LINES:
        for (int i = 0; i < line->count; i++)
            add_line(c, spec, line->kids[i]);
        return true;
    case N_LINES_OF:
        if (!only_once(c, line, "lines of", spec->lines_of)) {
            diag_help(c->diags, "lines of one length only; name others under `lines`");
            return false;
        }
        return small_constant(c, line->kids[0], 2, BOARD_MAX_SIDE, "the length of a line",
                              &spec->lines_of);
    case N_CELLS_WHERE:
        if (!only_once(c, line, "cells where", spec->keep))
            return false;
        return (spec->keep = grid_condition(c, spec, line->kids[0])) != NULL;
    case N_DIRECTIONS: return add_directions(c, spec, line);
    case N_STACKS_OF:
        if (!only_once(c, line, "stacks of", spec->stack > 1))
            return false;
        return small_constant(c, line->kids[0], 2, BOARD_MAX_STACK, "the height of a stack",
                              &spec->stack);
    case N_SYMMETRY:
        for (int i = 0; i < line->count; i++)
            spec->symmetries[spec->symmetry_count++] =
                (SpecSymmetry){line->kids[i]->word, line->kids[i]->span};
        return true;
    case N_COORDINATES:
        spec->matrix = !strcmp(line->word, "matrix");
        if (!spec->matrix && strcmp(line->word, "chess") != 0) {
            diag_error(c->diags, line->span, "there are no coordinates called `%s`", line->word);
            diag_help(c->diags, "`chess`: a1 at the bottom left; `matrix`: A1 at the top left");
            return false;
        }
        return true;
    case N_POINT: {
        int64_t x, y;
        if (!check_constant(c, line->kids[0], &x) || !check_constant(c, line->kids[1], &y))
            return false;
        spec->points[spec->point_count++] =
            (SpecPoint){line->word, line->extra_span, (int)x, (int)y};
        return true;
    }
    default: return true;
    }
}

// Room for every list of the spec: none has more entries than the section has nodes.
static void make_room(Checker *c, BoardSpec *spec, const Node *board) {
    int n = 1;
    for (int i = 2; i < board->count; i++)
        n += board->kids[i]->count + 1;
    spec->lines = ARENA_ARRAY(c->arena, SpecLine, n);
    spec->directions = ARENA_ARRAY(c->arena, SpecDirection, n);
    spec->points = ARENA_ARRAY(c->arena, SpecPoint, n);
    spec->symmetries = ARENA_ARRAY(c->arena, SpecSymmetry, n);
}

bool check_board(Checker *c, const Node *board) {
    BoardSpec spec = {.shape = shape_named(board->word), .stack = 1, .span = board->span};
    c->place = AT_BOARD;
    if (board->kids[0] && !side(c, board->kids[0], &spec.width))
        return false;
    spec.height = spec.width;
    if (board->kids[1] && !side(c, board->kids[1], &spec.height))
        return false;
    make_room(c, &spec, board);
    bool ok = true;
    for (int i = 2; i < board->count; i++)
        ok &= add_boardline(c, &spec, board->kids[i]);
    if (!ok)
        return false;
    c->g->board = board_build(c->arena, &spec, c->diags);
    if (!c->g->board)
        return false;
    ir_add_board_tables(c->g);
    return true;
}
