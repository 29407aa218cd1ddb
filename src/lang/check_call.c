// check_call: built-in functions, and the rules' own definitions (`let`). See checker.h.

#include "lang/checker.h"

// --- tables of the board ---

static IrTable *cell_numbers(Checker *c, const char *name, IrType type) {
    IrTable *t = ARENA_NEW(c->arena, IrTable);
    int n = c->g->board->cells + 1;
    *t = (IrTable){.name = name, .type = type, .dims = 1, .size = {n}};
    t->numbers = ARENA_ARRAY(c->arena, int32_t, n);
    return t;
}

// Row and column of `none` are 0.
static int coordinate_table(Checker *c, bool row) {
    int *id = row ? &c->row_table : &c->column_table;
    if (*id < 0) {
        IrTable *t = cell_numbers(c, row ? "row" : "column", type_plain(TY_INT));
        for (int i = 0; i < c->g->board->cells; i++)
            t->numbers[i] = row ? c->g->board->cell[i].row : c->g->board->cell[i].column;
        *id = ir_add_table(c->g, t);
    }
    return *id;
}

IrExpr *check_column(Checker *c, const Node *node, IrExpr *cell, bool row) {
    if (!cell)
        return NULL;
    IrExpr *e = expr_new(c, IR_TABLE, type_plain(TY_INT), node);
    e->id = coordinate_table(c, row);
    e->kid[0] = cell;
    e->lo = cell->type.optional ? 0 : 1;
    e->hi = row ? c->g->board->height : c->g->board->width;
    return expr_done(c, e);
}

static int distance_table(Checker *c) {
    if (c->distance_table >= 0)
        return c->distance_table;
    int n = c->g->board->cells + 1;
    IrTable *t = ARENA_NEW(c->arena, IrTable);
    *t = (IrTable){.name = "distance", .type = type_plain(TY_INT), .dims = 2, .size = {n, n}};
    t->numbers = ARENA_ARRAY(c->arena, int32_t, n * n);
    for (int i = 0; i < n * n; i++)
        t->numbers[i] = c->g->board->distance[i];
    return c->distance_table = ir_add_table(c->g, t);
}

static int opposite_table(Checker *c) {
    if (c->opposite_table >= 0)
        return c->opposite_table;
    int n = c->g->board->directions;
    IrTable *t = ARENA_NEW(c->arena, IrTable);
    *t = (IrTable){.name = "opposite", .type = type_plain(TY_DIRECTION), .dims = 1, .size = {n}};
    t->numbers = ARENA_ARRAY(c->arena, int32_t, n);
    for (int i = 0; i < n; i++)
        t->numbers[i] = c->g->board->opposite[i];
    return c->opposite_table = ir_add_table(c->g, t);
}

// --- arguments ---

// How a built-in function is called.
static void help_usage(Checker *c, const char *name) {
    static const struct {
        const char *name, *usage;
    } usages[] = {
        {"next", "next(c)` or `next(mine)"},
        {"step", "step(c, n)` or `step(mine, n)"},
        {"distance", "distance(a, b)"},
        {"cell", "cell(column, row)"},
        {"row", "row(c)` or `row 2"},
        {"column", "column(c)` or `column 2"},
        {"opposite", "opposite(d)"},
        {"abs", "abs(x)"},
        {"min", "min(a, b)"},
        {"max", "max(a, b)"},
        {"piece", "piece(c)` or `piece(c, level)"},
        {"owner", "owner(c)` or `owner(c, level)"},
        {"height", "height(c)"},
    };
    for (size_t i = 0; i < sizeof usages / sizeof usages[0]; i++)
        if (!strcmp(name, usages[i].name))
            diag_help(c->diags, "write `%s`", usages[i].usage);
}

// Checks the number of arguments and that none carries a label.
static bool arguments(Checker *c, const Node *node, int least, int most) {
    for (int i = 0; i < node->count; i++)
        if (node->kids[i]->kind == N_LABELLED) {
            diag_error(c->diags, node->kids[i]->span, "`%s` does not take `%s`", node->word,
                       node->kids[i]->word);
            help_usage(c, node->word);
            return false;
        }
    if (node->count >= least && node->count <= most)
        return true;
    diag_error(c->diags, node->span, "`%s` takes %s%d argument%s, not %d", node->word,
               least < most ? "1 or " : "", most, most == 1 ? "" : "s", node->count);
    help_usage(c, node->word);
    return false;
}

static IrExpr *cell_argument(Checker *c, const Node *node, int i) {
    return check_typed(c, node->kids[i], type_plain(TY_CELL));
}

static IrExpr *direction_argument(Checker *c, const Node *node, int i) {
    return check_typed(c, node->kids[i], type_plain(TY_DIRECTION));
}

// The argument if it carries the label.
static const Node *labelled(const Node *node, int i, const char *label) {
    bool found =
        i < node->count && node->kids[i]->kind == N_LABELLED && !strcmp(node->kids[i]->word, label);
    return found ? node->kids[i] : NULL;
}

static bool has_directions(Checker *c, const Node *node) {
    if (c->g->board->directions)
        return true;
    diag_error(c->diags, node->span, "this board has no directions");
    diag_help(c->diags, "on a board of lines use `next(c)` and `lines through c`");
    return false;
}

// --- the functions ---

typedef IrExpr *(*BuiltIn)(Checker *c, const Node *node);

static IrExpr *check_next(Checker *c, const Node *node) {
    if (!arguments(c, node, 1, 1))
        return NULL;
    IrExpr *of = check_cell_or_set(c, node->kids[0]);
    if (!of)
        return NULL;
    IrExpr *e =
        expr_new(c, of->type.kind == TY_CELL ? IR_TABLE : IR_IMAGE, type_plain(TY_SET), node);
    e->id = TABLE_NEXT;
    e->kid[0] = of;
    return expr_done(c, e);
}

// step(n, c): the wrong way round.
static bool swapped(Checker *c, const Node *node) {
    const Node *first = node->kids[0];
    if (first->kind != N_NAME || names_local(c, first->word) || names_find(c, first->word) ||
        board_direction_named(c->g->board, first->word) < 0)
        return false;
    diag_error(c->diags, first->span, "the direction comes second");
    diag_help(c->diags, "write `%s(%s, %s)`", node->word,
              ast_text(c->source, node->kids[1], c->arena), first->word);
    return true;
}

static IrExpr *check_step(Checker *c, const Node *node) {
    if (!arguments(c, node, 2, 2) || !has_directions(c, node) || swapped(c, node))
        return NULL;
    IrExpr *from = check_cell_or_set(c, node->kids[0]);
    IrExpr *way = direction_argument(c, node, 1);
    if (!from || !way)
        return NULL;
    bool cell = from->type.kind == TY_CELL;
    IrType type = cell ? (IrType){.kind = TY_CELL, .optional = true} : type_plain(TY_SET);
    IrExpr *e = expr_new(c, cell ? IR_TABLE : IR_IMAGE, type, node);
    e->id = TABLE_STEP;
    e->kid[0] = from;
    e->kid[1] = way;
    return expr_done(c, e);
}

static IrExpr *all_cells_set(Checker *c, const Node *node) {
    uint64_t *words = ARENA_ARRAY(c->arena, uint64_t, c->g->board->words);
    for (int i = 0; i < c->g->board->cells; i++)
        words[i / 64] |= (uint64_t)1 << (i % 64);
    return expr_const_set(c, words, node);
}

// ray(c, d), ray(c, d while S), ray(c, d until S); past(c, d while S)
static IrExpr *check_ray(Checker *c, const Node *node) {
    bool past = !strcmp(node->word, "past");
    if (node->count != 3 && (past || node->count != 2)) {
        diag_error(c->diags, node->span, "`%s` takes a cell, a direction and `while`%s with a set",
                   node->word, past ? "" : " or `until`");
        diag_help(c->diags, "for example `%s(c, n while empty)`", node->word);
        return NULL;
    }
    if (!has_directions(c, node) || swapped(c, node))
        return NULL;
    IrExpr *cell = cell_argument(c, node, 0), *way = direction_argument(c, node, 1), *set;
    bool until = false;
    if (node->count == 3) {
        const Node *last = node->kids[2];
        until = last->kind == N_LABELLED && !strcmp(last->word, "until");
        bool label = last->kind == N_LABELLED && (until || !strcmp(last->word, "while"));
        if (!label || (past && until)) {
            diag_error(c->diags, last->span, "after the direction comes `while`%s",
                       past ? "" : " or `until`");
            diag_help(c->diags, "for example `%s(c, n while empty)`", node->word);
            return NULL;
        }
        set = check_set(c, last->kids[0]);
    } else {
        set = all_cells_set(c, node);
    }
    if (!cell || !way || !set)
        return NULL;
    IrType type = past ? (IrType){.kind = TY_CELL, .optional = true} : type_plain(TY_SET);
    IrExpr *e = expr_new(c, past ? IR_PAST : until ? IR_RAY_UNTIL : IR_RAY_WHILE, type, node);
    e->kid[0] = cell;
    e->kid[1] = way;
    e->kid[2] = set;
    return expr_done(c, e);
}

static IrExpr *check_flood(Checker *c, const Node *node) {
    const Node *from = labelled(node, 0, "from"), *through = labelled(node, 1, "through");
    if (node->count != 2 || !from || !through) {
        diag_error(c->diags, node->span, "`flood` takes `from` and `through`");
        diag_help(c->diags, "for example `flood(from mine & row 1 through mine)`");
        return NULL;
    }
    return expr_binary(c, IR_FLOOD, type_plain(TY_SET), node, check_set(c, from->kids[0]),
                       check_set(c, through->kids[0]));
}

static IrExpr *check_distance(Checker *c, const Node *node) {
    if (!arguments(c, node, 2, 2))
        return NULL;
    IrExpr *a = cell_argument(c, node, 0), *b = cell_argument(c, node, 1);
    if (!a || !b)
        return NULL;
    IrExpr *e = expr_new(c, IR_TABLE, type_plain(TY_INT), node);
    e->id = distance_table(c);
    e->kid[0] = a;
    e->kid[1] = b;
    e->hi = c->g->board->cells;
    return expr_done(c, e);
}

static IrExpr *check_opposite(Checker *c, const Node *node) {
    if (!arguments(c, node, 1, 1) || !has_directions(c, node))
        return NULL;
    IrExpr *way = direction_argument(c, node, 0);
    if (!way)
        return NULL;
    IrExpr *e = expr_new(c, IR_TABLE, type_plain(TY_DIRECTION), node);
    e->id = opposite_table(c);
    e->kid[0] = way;
    return expr_done(c, e);
}

// cell(column, row): a table over the range the arguments can have.
static IrExpr *check_cell(Checker *c, const Node *node) {
    if (!arguments(c, node, 2, 2))
        return NULL;
    const Board *b = c->g->board;
    IrExpr *column = check_number(c, node->kids[0]), *row = check_number(c, node->kids[1]);
    if (!column || !row)
        return NULL;
    int64_t w = (int64_t)column->hi - column->lo + 1, h = (int64_t)row->hi - row->lo + 1;
    if (w > 1024 || h > 1024 || w * h > CHECK_TABLE_ENTRIES) {
        diag_error(c->diags, node->span, "the column or row can have more than 1024 values");
        return NULL;
    }
    int64_t x0, y0;
    if (expr_is_constant(column, &x0) && expr_is_constant(row, &y0)) {
        int at = board_cell_at(b, (int)x0, (int)y0);
        IrExpr *e = expr_const(c, (IrType){.kind = TY_CELL, .optional = at == b->cells}, at, node);
        e->bound = column->bound || row->bound;
        return e;
    }
    IrTable *t = ARENA_NEW(c->arena, IrTable);
    *t = (IrTable){.name = "cell",
                   .type = {.kind = TY_CELL, .optional = true},
                   .dims = 2,
                   .size = {(int)w, (int)h},
                   .base = {column->lo, row->lo}};
    t->numbers = ARENA_ARRAY(c->arena, int32_t, w * h);
    for (int x = 0; x < w; x++)
        for (int y = 0; y < h; y++)
            t->numbers[x * h + y] = board_cell_at(b, x + column->lo, y + row->lo);
    IrExpr *e = expr_new(c, IR_TABLE, t->type, node);
    e->id = ir_add_table(c->g, t);
    e->kid[0] = column;
    e->kid[1] = row;
    return expr_done(c, e);
}

// row 2: a table over the range the number can have; empty beyond the board.
static IrExpr *row_set(Checker *c, const Node *node, IrExpr *of, bool row) {
    const Board *b = c->g->board;
    int side = row ? b->height : b->width;
    if ((of->lo > side || of->hi < 1) && !of->bound)
        check_warn(c, node->span, "the board has %s 1..%d: this set is always empty",
                   row ? "rows" : "columns", side);
    if ((int64_t)of->hi - of->lo >= 1024) {
        diag_error(c->diags, node->span, "the %s can have more than 1024 values", node->word);
        return NULL;
    }
    int n = of->hi - of->lo + 1;
    IrTable *t = ARENA_NEW(c->arena, IrTable);
    *t = (IrTable){.name = row ? "row_cells" : "column_cells",
                   .type = type_plain(TY_SET),
                   .dims = 1,
                   .size = {n},
                   .base = {of->lo}};
    t->sets = ARENA_ARRAY(c->arena, uint64_t, n * b->words);
    for (int i = 0; i < b->cells; i++) {
        int at = (row ? b->cell[i].row : b->cell[i].column) - of->lo;
        if (at >= 0 && at < n)
            t->sets[at * b->words + i / 64] |= (uint64_t)1 << (i % 64);
    }
    if (n == 1) {
        IrExpr *known = expr_const_set(c, t->sets, node);
        known->bound = of->bound;
        return known;
    }
    IrExpr *e = expr_new(c, IR_TABLE, t->type, node);
    e->id = ir_add_table(c->g, t);
    e->kid[0] = of;
    return expr_done(c, e);
}

// row(c) is a number, row 2 a set of cells.
static IrExpr *check_row(Checker *c, const Node *node) {
    bool row = !strcmp(node->word, "row");
    if (!arguments(c, node, 1, 1))
        return NULL;
    IrExpr *of = check_expr(c, node->kids[0]);
    if (!of)
        return NULL;
    if (of->type.kind != TY_INT)
        return check_column(c, node, check_convert(c, of, type_plain(TY_CELL), node->kids[0]), row);
    return row_set(c, node, of, row);
}

static IrExpr *check_stack_level(Checker *c, const Node *node) {
    if (c->g->board->stack == 1) {
        diag_error(c->diags, node->span, "this board has no stacks");
        diag_help(c->diags, "say `stacks of 8` under `board`");
        return NULL;
    }
    return check_number(c, node->kids[1]);
}

// piece(c), piece(c, level), owner(c), owner(c, level)
static IrExpr *check_what_stands(Checker *c, const Node *node) {
    if (!arguments(c, node, 1, 2))
        return NULL;
    bool owner = !strcmp(node->word, "owner");
    IrType type = {.kind = owner ? TY_PLAYER : TY_KIND, .optional = true};
    IrExpr *cell = cell_argument(c, node, 0);
    if (node->count == 1)
        return expr_unary(c, owner ? IR_OWNER_AT : IR_KIND_AT, type, node, cell);
    IrExpr *level = check_stack_level(c, node);
    return expr_binary(c, owner ? IR_OWNER_IN : IR_KIND_IN, type, node, cell, level);
}

static IrExpr *check_height(Checker *c, const Node *node) {
    if (!arguments(c, node, 1, 1))
        return NULL;
    IrExpr *cell = cell_argument(c, node, 0);
    if (!cell)
        return NULL;
    IrExpr *e = expr_new(c, IR_HEIGHT, type_plain(TY_INT), node);
    e->kid[0] = cell;
    e->hi = c->g->board->stack;
    return expr_done(c, e);
}

static IrExpr *check_abs(Checker *c, const Node *node) {
    if (!arguments(c, node, 1, 1))
        return NULL;
    IrExpr *x = check_number(c, node->kids[0]);
    if (!x)
        return NULL;
    IrExpr *e = expr_new(c, IR_ABS, type_plain(TY_INT), node);
    e->kid[0] = x;
    e->hi = -x->lo > x->hi ? -x->lo : x->hi;
    e->lo = x->lo > 0 ? x->lo : x->hi < 0 ? -x->hi : 0;
    return expr_done(c, e);
}

static IrExpr *check_min(Checker *c, const Node *node) {
    if (!arguments(c, node, 2, 2))
        return NULL;
    bool min = !strcmp(node->word, "min");
    IrExpr *a = check_number(c, node->kids[0]), *b = check_number(c, node->kids[1]);
    if (!a || !b)
        return NULL;
    IrExpr *e = expr_new(c, min ? IR_LOWER : IR_HIGHER, type_plain(TY_INT), node);
    e->kid[0] = a;
    e->kid[1] = b;
    e->lo = (min ? a->lo < b->lo : a->lo > b->lo) ? a->lo : b->lo;
    e->hi = (min ? a->hi < b->hi : a->hi > b->hi) ? a->hi : b->hi;
    return expr_done(c, e);
}

static const struct {
    const char *name;
    BuiltIn check;
    bool state; // looks at the position
} functions[] = {
    {"next", check_next, false},        {"step", check_step, false},
    {"ray", check_ray, false},          {"past", check_ray, false},
    {"flood", check_flood, false},      {"distance", check_distance, false},
    {"cell", check_cell, false},        {"row", check_row, false},
    {"column", check_row, false},       {"opposite", check_opposite, false},
    {"abs", check_abs, false},          {"min", check_min, false},
    {"max", check_min, false},          {"piece", check_what_stands, true},
    {"owner", check_what_stands, true}, {"height", check_height, true},
};

static IrExpr *check_attribute(Checker *c, Symbol *s, const Node *node) {
    s->used = true;
    if (!arguments(c, node, 1, 1))
        return NULL;
    IrExpr *cell = cell_argument(c, node, 0);
    if (!cell)
        return NULL;
    const IrAttr *a = &c->g->attr[s->id];
    IrExpr *e = expr_new(c, IR_ATTR, a->type, node);
    e->id = s->id;
    e->kid[0] = cell;
    e->lo = a->lo < 0 ? a->lo : 0; // 0 where no such piece stands
    e->hi = a->hi > 0 ? a->hi : 0;
    return expr_done(c, e);
}

IrExpr *check_call(Checker *c, const Node *node) {
    Symbol *s = names_find(c, node->word);
    if (s && s->kind == SYM_LET)
        return check_let(c, s, node);
    if (s && s->kind == SYM_RELATION)
        return check_known(c, s, node, ASK_VALUE);
    bool arithmetic =
        !strcmp(node->word, "abs") || !strcmp(node->word, "min") || !strcmp(node->word, "max");
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (strcmp(node->word, functions[i].name) != 0)
            continue;
        if (!c->g->board && !arithmetic) {
            diag_error(c->diags, node->span, "`%s` needs the board, which is not known here",
                       node->word);
            if (c->place == AT_BOARD && names_local(c, node->word))
                diag_help(c->diags, "write `%s` alone: the cell is the one that is asked about",
                          node->word);
            return NULL;
        }
        if (functions[i].state && c->place < AT_SETUP) {
            diag_error(c->diags, node->span,
                       "`%s` depends on the position, which is not known here", node->word);
            return NULL;
        }
        return functions[i].check(c, node);
    }
    if (s && s->kind == SYM_ATTR)
        return check_attribute(c, s, node);
    if (s || names_local(c, node->word)) {
        diag_error(c->diags, node->span, "`%s` is not a function", node->word);
        if (s && s->kind == SYM_VAR)
            diag_help(c->diags, "write `%s[…]`", node->word);
        return NULL;
    }
    names_unknown(c, node->word, names_word(node),
                  arena_printf(c->arena, "define it with `let %s(c) = …`", node->word));
    return NULL;
}

// --- definitions ---

static bool same_arguments(const Instance *i, const Symbol *let, IrExpr **args, int count) {
    if (i->let != let || i->count != count)
        return false;
    for (int k = 0; k < count; k++) {
        const IrExpr *a = i->args[k], *b = args[k];
        bool number = a->type.kind == TY_INT;
        if (!type_same(a->type, b->type) || a->type.optional != b->type.optional ||
            (number && (a->lo != b->lo || a->hi != b->hi)))
            return false;
    }
    return true;
}

// How many values an argument can have, `none` included, and the least.
static int argument_values(Checker *c, const IrExpr *a, int *base) {
    *base = a->type.kind == TY_INT ? a->lo : 0;
    if (a->type.kind == TY_SET || a->type.kind == TY_MASK)
        return 0;
    if (a->type.kind == TY_INT)
        return (int64_t)a->hi - a->lo > CHECK_TABLE_ENTRIES ? 0 : a->hi - a->lo + 1;
    return ir_domain_size(c->g, a->type, a->lo, a->hi) +
           (a->type.kind == TY_CELL || a->type.kind == TY_PLAYER || a->type.kind == TY_KIND);
}

// Evaluates a definition that needs no state for all its arguments. NULL if there are too many.
static IrTable *make_table(Checker *c, const IrFunc *f, const Instance *in) {
    IrTable *t = ARENA_NEW(c->arena, IrTable);
    *t = (IrTable){.name = f->name, .type = f->body->type, .dims = in->count, .size = {1, 1}};
    if (in->count > 2 || f->body->type.kind == TY_LINES || f->body->type.kind == TY_MASK)
        return NULL;
    for (int i = 0; i < in->count; i++)
        t->size[i] = argument_values(c, in->args[i], &t->base[i]);
    int64_t entries = (int64_t)t->size[0] * t->size[1];
    int words = c->g->board ? c->g->board->words : 0;
    if (!entries || entries > CHECK_TABLE_ENTRIES)
        return NULL;
    bool sets = ir_is_set(f->body->type);
    if (sets)
        t->sets = ARENA_ARRAY(c->arena, uint64_t, entries * words);
    else
        t->numbers = ARENA_ARRAY(c->arena, int32_t, entries);
    // Tables are made while a person waits: a definition that takes longer stays a function.
    long steps = CHECK_TABLE_STEPS;
    for (int i = 0; i < entries; i++) {
        IrValue locals[32], value = {.set = {0}};
        locals[0].number = (in->count == 2 ? i / t->size[1] : i) + t->base[0];
        locals[1].number = (in->count == 2 ? i % t->size[1] : 0) + t->base[1];
        if (!expr_evaluate(c, f->body, locals, &value, &steps))
            return NULL;
        if (sets)
            memcpy(t->sets + i * words, value.set, 8 * (size_t)words);
        else
            t->numbers[i] = (int32_t)value.number;
    }
    return t;
}

// Checks the body of a definition for arguments of these types.
static Instance *instantiate(Checker *c, Symbol *s, IrExpr **args, int count) {
    const Node *let = s->node;
    Instance *in = ARENA_NEW(c->arena, Instance);
    *in = (Instance){.let = s, .count = count, .busy = true, .func_id = -1, .table_id = -1};
    in->args = ARENA_ARRAY(c->arena, const IrExpr *, count ? count : 1);
    in->next = c->instances;
    c->instances = in;
    c->instance_count++;
    IrFunc *f = ARENA_NEW(c->arena, IrFunc);
    *f = (IrFunc){.name = s->name, .params = count, .span = s->span};
    // The body knows nothing of the place it is used in: neither its names nor its slots.
    IrFrame *outer_frame = c->frame;
    Local *outer = c->locals, *outer_reuse = c->reuse, *outer_hidden = c->hidden;
    int outer_deepest = c->deepest;
    const Source *outer_source = c->source;
    c->source = c->diags->source = s->source; // what is wrong in the body is wrong there
    c->frame = &f->frame;
    c->hidden = outer ? outer : outer_hidden;
    c->locals = c->reuse = NULL;
    c->deepest = c->level;
    for (int i = 0; i < count; i++) {
        in->args[i] = args[i];
        const Node *p = let->kids[i + 1];
        // Numbers bring their range; anything else can be all that its type allows.
        IrExpr any = *args[i];
        if (any.type.kind != TY_INT)
            any = *expr_new(c, IR_LOCAL, any.type, p);
        names_push(c, p->word, p->span, any.type, any.lo, any.hi);
    }
    f->body = check_expr(c, let->kids[0]);
    names_pop(c, NULL);
    in->busy = false;
    in->levels = c->deepest - c->level;
    c->deepest = c->deepest > outer_deepest ? c->deepest : outer_deepest;
    c->locals = outer;
    c->reuse = outer_reuse;
    c->hidden = outer_hidden;
    c->frame = outer_frame;
    bool ok = f->body && f->body->type.kind != TY_NONE && f->body->type.kind != TY_LINES;
    if (f->body && !ok)
        diag_error(c->diags, let->kids[0]->span, "a definition cannot be %s",
                   ir_type_name(c->g, f->body->type));
    c->source = c->diags->source = outer_source;
    in->func = ok ? f : NULL;
    return ok ? in : NULL;
}

// Decides what an instance becomes: a constant, a table or a function.
static void settle(Checker *c, Instance *in) {
    IrFunc *f = in->func;
    if (in->count == 0 && (f->body->op == IR_CONST || f->body->op == IR_SET)) {
        in->constant = f->body;
        return;
    }
    IrTable *t = f->body->dynamic || !in->count ? NULL : make_table(c, f, in);
    if (t) {
        in->table_id = ir_add_table(c->g, t);
        return;
    }
    ARENA_GROW(c->arena, IrFunc *, c->g->func, c->g->funcs, c->g->func_cap);
    in->func_id = c->g->funcs;
    c->g->func[c->g->funcs++] = f;
}

static IrExpr *call_instance(Checker *c, const Instance *in, IrExpr **args, const Node *node) {
    const IrExpr *body = in->func->body;
    IrExpr *e = expr_new(c,
                         in->constant        ? body->op
                         : in->table_id >= 0 ? IR_TABLE
                                             : IR_CALL,
                         body->type, node);
    if (in->constant) {
        *e = *in->constant;
        e->span = node->span;
        return e;
    }
    e->lo = body->lo;
    e->hi = body->hi;
    e->bound = body->bound;
    if (in->table_id >= 0) {
        e->id = in->table_id;
        for (int i = 0; i < in->count; i++)
            e->kid[i] = args[i];
    } else {
        e->id = in->func_id;
        e->args = ARENA_ARRAY(c->arena, IrExpr *, in->count ? in->count : 1);
        for (int i = 0; i < in->count; i++)
            e->args[i] = args[i];
    }
    return expr_done(c, e);
}

// The arguments of a call of a definition; lines and kinds stay what they are.
static bool let_arguments(Checker *c, const Symbol *s, const Node *node, IrExpr **args) {
    int wanted = s->node->count - 1, given = node->kind == N_CALL ? node->count : 0;
    if (wanted != given) {
        diag_error(c->diags, node->span, "`%s` takes %d argument%s, not %d", s->name, wanted,
                   wanted == 1 ? "" : "s", given);
        diag_help(c->diags, "it is defined %s", names_place(c, s));
        return false;
    }
    for (int i = 0; i < wanted; i++) {
        args[i] = check_expr(c, node->kids[i]);
        if (args[i] && args[i]->type.kind == TY_NONE) {
            diag_error(c->diags, node->kids[i]->span, "`none` of what? A definition must know");
            return false;
        }
        if (args[i] && args[i]->type.kind == TY_LINES) {
            diag_error(c->diags, node->kids[i]->span, "lines cannot be given to a definition");
            diag_help(c->diags, "use `lines` in the definition, or give it a cell or one line");
            return false;
        }
        if (!args[i])
            return false;
    }
    return true;
}

// What is wrong in a definition of another file may be wrong here.
static void help_use(Checker *c, const Symbol *s, const Node *node) {
    const Diags *d = c->diags;
    if (s->source != c->source && d->last_kept && !d->items[d->count - 1].help)
        diag_help(c->diags, "it is used for this in line %d of %s", node->span.line,
                  c->source->name);
}

IrExpr *check_let(Checker *c, Symbol *s, const Node *node) {
    s->used = true;
    int count = s->node->count - 1;
    IrExpr **args = ARENA_ARRAY(c->arena, IrExpr *, count + 1);
    if (!let_arguments(c, s, node, args))
        return NULL;
    for (Instance *i = c->instances; i; i = i->next) {
        if (i->busy && i->let == s) {
            diag_error(c->diags, node->span, "`%s` is defined by itself", s->name);
            diag_help(c->diags, "definitions cannot be recursive; see `flood` and `ray`");
            return NULL;
        }
        if (!same_arguments(i, s, args, count))
            continue;
        if (!i->func || !expr_descend(c, node, i->levels))
            return NULL; // what is wrong with it has been said
        return call_instance(c, i, args, node);
    }
    if (c->instance_count == CHECK_INSTANCES) {
        diag_error(c->diags, node->span,
                   "the definitions are used for more than %d kinds of "
                   "arguments",
                   CHECK_INSTANCES);
        diag_help(c->diags, "numbers with other ranges count as another kind");
        c->expressions = CHECK_EXPRESSIONS + 1; // enough
        return NULL;
    }
    Instance *in = instantiate(c, s, args, count);
    if (!in) {
        help_use(c, s, node);
        return NULL;
    }
    settle(c, in);
    return call_instance(c, in, args, node);
}
