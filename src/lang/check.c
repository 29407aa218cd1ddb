// check: the order in which a file is checked. See check.h and checker.h.

#include "lang/check.h"
#include "lang/checker.h"

const Node *check_find_item(Checker *c, NodeKind kind) {
    for (int i = 0; i < c->file->count; i++)
        if (c->file->kids[i]->kind == kind)
            return c->file->kids[i];
    return NULL;
}

// Sections that may stand once only.
static void check_duplicates(Checker *c) {
    static const struct {
        NodeKind kind;
        const char *word;
        int64_t number;
    } once[] = {{N_GAME, "game", 0},        {N_PLAYERS, "players", 0},
                {N_BOARD, "board", 0},      {N_SETUP, "setup", 0},
                {N_TURN, "turn", 0},        {N_END, "end", 0},
                {N_INPUT, "input", 0},      {N_NOTATION, "notation", 0},
                {N_STUCK, "when stuck", 0}, {N_STUCK, "when all stuck", 1},
                {N_TABLE, "table", 0}};
    for (size_t k = 0; k < sizeof once / sizeof once[0]; k++) {
        const Node *first = NULL;
        for (int i = 0; i < c->file->count; i++) {
            const Node *item = c->file->kids[i];
            if (item->kind != once[k].kind || item->number != once[k].number)
                continue;
            if (first) {
                diag_error(c->diags, item->span, "`%s` is given twice", once[k].word);
                diag_help(c->diags, "the first is in line %d", first->span.line);
            } else {
                first = item;
            }
        }
    }
}

// False if this is no game at all.
static bool check_head(Checker *c) {
    const Node *game = check_find_item(c, N_GAME), *beside = check_find_item(c, N_KNOWLEDGE);
    if (beside) {
        diag_error(c->diags, beside->span,
                   "`knowledge` begins a rules file that stands beside a game");
        diag_help(c->diags, "give the file to a game: `ludens play GAME --knowledge FILE`");
        return false;
    }
    if (!game) {
        diag_error(c->diags, (Span){1, 1, 1}, "the file does not begin with `game`");
        diag_help(c->diags, "the first line names the game: `game \"Tic-tac-toe\"`");
        return true;
    }
    c->g->title = game->word;
    c->g->also = ARENA_ARRAY(c->arena, const char *, 64);
    for (int i = 0; i < game->count; i++) {
        const Node *line = game->kids[i];
        if (line->kind == N_ABOUT)
            c->g->about = line->word;
        else if (line->kind == N_SOURCE)
            c->g->origin = line->word;
        else if (line->kind == N_LANGUAGE && line->number != 1)
            diag_error(c->diags, line->span, "this program knows language 1 only");
        for (int k = 0; line->kind == N_ALSO && k < line->count && c->g->also_count < 64; k++)
            c->g->also[c->g->also_count++] = line->kids[k]->word;
    }
    return true;
}

void check_declare_lets(Checker *c, const Node *file) {
    for (int i = 0; i < file->count; i++) {
        const Node *n = file->kids[i];
        if (n->kind != N_LET)
            continue;
        Symbol *s = names_add(c, SYM_LET, 0, n->word, n->extra_span);
        if (s)
            s->node = n;
        for (int k = 1; k < n->count; k++)
            for (int j = 1; j < k; j++)
                if (!strcmp(n->kids[k]->word, n->kids[j]->word))
                    diag_error(c->diags, n->kids[k]->span, "`%s` is declared twice",
                               n->kids[k]->word);
    }
}

// `N moves without remove` needs a clock of its own.
static bool declare_quiet_clock(Checker *c) {
    const Node *end = check_find_item(c, N_END);
    for (int i = 0; end && i < end->count; i++) {
        const Node *cond = end->kids[i]->count > 1 ? end->kids[i]->kids[1] : NULL;
        int64_t n;
        if (!cond || cond->kind != N_WITHOUT)
            continue;
        if (!check_constant(c, cond->kids[0], &n))
            return false;
        if (n < 1 || n > 10000) {
            diag_error(c->diags, cond->kids[0]->span, "the number of moves can be 1..10000");
            return false;
        }
        if (c->quiet_var < 0) {
            Symbol *s = names_add(c, SYM_VAR, c->g->vars, "quiet", cond->span);
            if (!s) {
                diag_help(c->diags, "`moves without remove` counts in a clock of that name");
                return false;
            }
            s->used = true;
            c->quiet_var = c->g->vars++;
            IrVar *v = &c->g->var[c->quiet_var];
            *v = (IrVar){.name = "quiet",
                         .type = type_plain(TY_INT),
                         .clock = true,
                         .count = 1,
                         .span = cond->span};
            v->initial = ARENA_ARRAY(c->arena, int64_t, 1);
        }
        c->quiet_limit = (int)n > c->quiet_limit ? (int)n : c->quiet_limit;
        c->g->var[c->quiet_var].hi = c->quiet_limit;
    }
    return true;
}

// quiet = if removed then 0 else min(quiet + 1, limit)
static IrStmt *tick_quiet_clock(Checker *c, const Node *node) {
    IrType number = type_plain(TY_INT);
    IrExpr *clock = expr_new(c, IR_VAR, number, node);
    clock->id = c->quiet_var;
    clock->hi = c->quiet_limit;
    IrExpr *one = expr_const(c, number, 1, node);
    IrExpr *more = expr_sum(c, IR_ADD, node, expr_done(c, clock), one);
    IrExpr *limit = expr_const(c, number, c->quiet_limit, node);
    IrExpr *next = expr_sum(c, IR_LOWER, node, more, limit);
    IrExpr *removed = expr_new(c, IR_LOCAL, type_plain(TY_BOOL), node);
    removed->id = c->removed_slot;
    IrExpr *value = expr_new(c, IR_COND, number, node);
    value->kid[0] = expr_done(c, removed);
    value->kid[1] = expr_const(c, number, 0, node);
    value->kid[2] = next;
    value->hi = c->quiet_limit;
    IrStmt *s = check_new_stmt(c, ST_ASSIGN, node);
    s->id = c->quiet_var;
    s->e[0] = expr_done(c, value);
    return s;
}

static void check_setup(Checker *c) {
    const Node *setup = check_find_item(c, N_SETUP);
    c->place = AT_SETUP;
    c->frame = &c->g->setup_frame;
    c->locals = NULL;
    if (setup)
        c->g->setup = check_block(c, setup->kids[0]);
}

// Puts the bookkeeping of the quiet clock around the turn.
static void wrap_turn(Checker *c, const Node *turn) {
    IrStmt *begin = check_new_stmt(c, ST_LET, turn);
    begin->id = c->removed_slot;
    begin->e[0] = expr_const(c, type_plain(TY_BOOL), 0, turn);
    begin->next = c->g->turn;
    IrStmt *last = begin;
    while (last->next)
        last = last->next;
    last->next = tick_quiet_clock(c, turn);
    c->g->turn = begin;
}

static void check_turn(Checker *c) {
    const Node *turn = check_find_item(c, N_TURN);
    if (!turn) {
        diag_error(c->diags, (Span){1, 1, 1}, "the game has no `turn`");
        diag_help(c->diags, "say what a player does: `turn`, and indented under it `choose …`");
        return;
    }
    c->place = AT_TURN;
    c->frame = &c->g->turn_frame;
    c->locals = c->ended = NULL;
    if (c->quiet_var >= 0)
        c->removed_slot = ir_add_slot(c->g, c->frame, type_plain(TY_BOOL), "removed");
    c->g->turn = check_block(c, turn->kids[0]);
    if (c->quiet_var >= 0)
        wrap_turn(c, turn);
    if (!c->g->sites && !c->diags->errors) {
        diag_error(c->diags, turn->span, "a turn without a choice: nobody plays this game");
        diag_help(c->diags, "offer something: `choose to in empty`");
    }
    double bits = 0, choices = 0;
    check_count_choices(c->g, c->g->turn, &bits, &choices);
    c->g->move_bits = (int)(bits < 1e6 ? bits : 1e6);
    c->g->most_choices = (int)(choices < 1e6 ? choices : 1e6);
    if (bits > IR_MOVE_BITS) {
        diag_error(c->diags, turn->span, "a move can take %.0f bits of choices; %d fit", bits,
                   IR_MOVE_BITS);
        diag_help(c->diags, "fewer rounds in `while … up to`, or `again` for another move");
    }
}

// Definitions are checked where they are used; one that is not used can still be wrong.
void check_unused_lets(Checker *c, int from) {
    c->place = c->know ? AT_KNOWLEDGE : AT_END;
    for (int i = from; i < c->symbols; i++) {
        Symbol *s = &c->symbol[i];
        if (s->kind != SYM_LET || s->used || s->node->count > 1)
            continue;
        check_let(c, s, &(Node){.kind = N_NAME, .word = s->name, .span = s->span});
        s->used = false;
    }
}

// Everything from the board on; stops where going on would only repeat errors.
static void check_body(Checker *c) {
    const Node *board = check_find_item(c, N_BOARD);
    if (!check_players(c))
        return;
    if (!board) {
        diag_error(c->diags, (Span){1, 1, 1}, "the game has no board");
        diag_help(c->diags, "add a line such as `board square 3 x 3`");
        return;
    }
    if (!check_board(c, board))
        return;
    c->place = AT_DECLARATION;
    IrFrame frame = {0};
    c->frame = &frame;
    bool pieces = check_pieces(c);
    if (!check_vars(c) || !pieces)
        return;
    check_declare_lets(c, c->file);
    check_declare_knowledge(c, c->file);
    if (!declare_quiet_clock(c))
        return;
    check_setup(c);
    check_turn(c);
    check_end(c);
    check_notation(c);
    check_input(c);
    check_words(c);
    check_table(c);
    check_knowledge(c, c->file);
    check_unused_lets(c, 0);
    if (!c->diags->errors && ir_lay_out(c->g, board->span, c->diags))
        names_report_unused(c, 0);
}

Checker check_new(Arena *arena, const Source *source, Diags *diags) {
    return (Checker){.arena = arena,
                     .source = source,
                     .diags = diags,
                     .removed_slot = -1,
                     .quiet_var = -1,
                     .distance_table = -1,
                     .column_table = -1,
                     .row_table = -1,
                     .cell_table = -1,
                     .opposite_table = -1,
                     .steps = CHECK_STEPS};
}

void check_whole_game(Checker *c, Arena *arena, const Node *file, const Source *source,
                      const char *const *params, int count, Diags *diags) {
    *c = check_new(arena, source, diags);
    c->file = file;
    c->g = ir_new(arena, source);
    diags->source = source;
    IrFrame frame = {0};
    c->frame = &frame;
    check_duplicates(c);
    if (check_head(c) && check_parameters(c, params, count))
        check_body(c);
    c->frame = NULL;
}

IrGame *check_game(Arena *arena, const Node *file, const Source *source, const char *const *params,
                   int count, Diags *diags) {
    Checker c;
    int before = diags->errors;
    check_whole_game(&c, arena, file, source, params, count, diags);
    return diags->errors > before ? NULL : c.g;
}
