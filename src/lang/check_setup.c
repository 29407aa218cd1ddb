// check_setup: statements that only a setup has. See checker.h.

#include "lang/checker.h"

#include <inttypes.h>

IrStmt *check_scatter(Checker *c, const Node *node) {
    IrStmt *s = check_new_stmt(c, ST_SCATTER, node);
    IrExpr *kind_expr;
    s->e[2] = check_number(c, node->kids[0]);
    if (!s->e[2] || !check_piece(c, node->kids[1], &s->id, &kind_expr, &s->e[1]))
        return NULL;
    s->e[0] = check_set(c, node->kids[2]);
    if (!s->e[0] || !check_constant(c, node->kids[3], &s->value))
        return NULL;
    if (kind_expr) {
        diag_error(c->diags, node->kids[1]->span, "which piece must be known before the game");
        return NULL;
    }
    return s;
}

bool check_scramble(Checker *c, const Node *node) {
    int64_t n;
    if (!check_constant(c, node->kids[0], &n) ||
        !check_constant(c, node->kids[1], &c->g->scramble_seed))
        return false;
    if (n < 0 || n > 100000) {
        diag_error(c->diags, node->kids[0]->span, "scramble takes 0..100000 moves, not %" PRId64,
                   n);
        return false;
    }
    c->g->scramble_moves = n;
    return true;
}

static int plane_lettered(const IrGame *g, const char *s, int n) {
    for (int i = 0; i < g->planes; i++)
        if ((int)strlen(g->plane[i].letter) == n && !strncmp(g->plane[i].letter, s, (size_t)n))
            return i;
    return -1;
}

// The cells of a row of the screen, from the left; rows count from the top.
static int row_cells(Checker *c, int row, bool full, int16_t *cells) {
    const Board *b = c->g->board;
    int n = 0, line = b->matrix ? row + 1 : b->height - row;
    if (full) {
        for (int x = 1; x <= b->width; x++)
            cells[n++] = (int16_t)board_cell_at(b, x, line);
        return n;
    }
    for (int i = 0; i < b->cells; i++)
        if (b->cell[i].row == line)
            cells[n++] = (int16_t)i;
    return n;
}

// One row of a diagram: a character for each place of the row, or for each cell that exists.
static bool diagram_row(Checker *c, const Node *text, int row, uint64_t *planes) {
    const Board *b = c->g->board;
    int16_t cells[BOARD_MAX_CELLS];
    int n = 0;
    for (const char *s = text->word; *s; s += text_utf8(s, strlen(s)) ? text_utf8(s, strlen(s)) : 1)
        n += *s != ' ';
    int most = row_cells(c, row, b->shape == BOARD_SQUARE, cells);
    if (n != most)
        most = row_cells(c, row, false, cells);
    if (n != most) {
        diag_error(c->diags, text->span, "row %d of the diagram has %d places, the board %d",
                   row + 1, n, most);
        return false;
    }
    n = 0;
    for (const char *s = text->word; *s;) {
        int bytes = text_utf8(s, strlen(s));
        bytes = bytes ? bytes : 1;
        int plane = plane_lettered(c->g, s, bytes);
        if (plane < 0 && *s != '.' && *s != ' ') {
            diag_error(c->diags, text->span, "no piece has the letter `%.*s`", bytes, s);
            return false;
        }
        if (plane >= 0 && cells[n] >= b->cells) {
            diag_error(c->diags, text->span, "`%.*s` stands where the board has no cell", bytes, s);
            return false;
        }
        if (plane >= 0)
            planes[plane * b->words + cells[n] / 64] |= (uint64_t)1 << (cells[n] % 64);
        n += *s != ' ';
        s += bytes;
    }
    return true;
}

IrStmt *check_diagram(Checker *c, const Node *node) {
    const Board *b = c->g->board;
    if (node->count != b->height) {
        diag_error(c->diags, node->span, "the diagram has %d rows, the board %d", node->count,
                   b->height);
        return NULL;
    }
    uint64_t *planes = ARENA_ARRAY(c->arena, uint64_t, c->g->planes * b->words + 1);
    for (int i = 0; i < node->count; i++)
        if (!diagram_row(c, node->kids[i], i, planes))
            return NULL;
    Statements out = {0};
    for (int i = 0; i < c->g->planes; i++) {
        const IrPlane *p = &c->g->plane[i];
        uint64_t any = 0;
        for (int k = 0; k < b->words; k++)
            any |= planes[i * b->words + k];
        if (!any)
            continue;
        IrStmt *s = check_new_stmt(c, ST_PLACE, node);
        s->id = p->kind;
        s->e[0] = expr_const_set(c, planes + i * b->words, node);
        s->e[1] =
            p->owner < c->g->players ? expr_const(c, type_plain(TY_PLAYER), p->owner, node) : NULL;
        names_find(c, c->g->kind[p->kind].name)->used = true;
        block_append(&out, s);
    }
    if (!out.first) {
        diag_error(c->diags, node->span, "the diagram is empty");
        return NULL;
    }
    return out.first;
}
