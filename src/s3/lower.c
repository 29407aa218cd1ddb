// From an S3 file to an IrGame: see s3.h for the contract, lower.h for how.

#include "s3/lower.h"

// Each finds a function that needs to be a procedure, or kinds of its variables.
#define MOST_ATTEMPTS 60

// --- parameters ---

static bool read_parameters(const char *const *params, int count, IrGame *g, Diags *diags,
                            bool *distinct) {
    static const char *const words[] = {"distinct", "all"};
    IrParameter *p = g->parameter = ARENA_NEW(g->arena, IrParameter);
    g->parameters = 1;
    *p = (IrParameter){.name = "moves",
                       .help = "moves that differ only in irrelevant places once, or all of them",
                       .allowed = "distinct or all",
                       .words = words,
                       .count = 1,
                       .initial = "distinct"};
    p->values = ARENA_ARRAY(g->arena, int64_t, 1);
    for (int i = 0; i < count; i++) {
        if (strncmp(params[i], "moves=", 6) != 0) {
            diag_error(diags, (Span){0}, "there is no parameter `%.*s`",
                       (int)strcspn(params[i], "="), params[i]);
            diag_help(diags, "games of S3 files have one: moves=distinct or moves=all");
            return false;
        }
        int value = -1;
        for (int k = 0; k < 2; k++)
            if (strcmp(params[i] + 6, words[k]) == 0)
                value = k;
        if (value < 0) {
            diag_error(diags, (Span){0}, "`moves` is distinct or all, not `%s`", params[i] + 6);
            return false;
        }
        p->values[0] = value;
    }
    *distinct = p->values[0] == 0;
    return true;
}

// --- the frame of the game ---

static IrExpr *number(Arena *arena, IrTypeKind kind, int64_t value) {
    IrExpr *e = ARENA_NEW(arena, IrExpr);
    *e = (IrExpr){.op = IR_CONST,
                  .type = {.kind = kind},
                  .value = value,
                  .lo = (int32_t)value,
                  .hi = (int32_t)value};
    return e;
}

static void add_rule(Lower *l, IrRules *rules, IrOutcome outcome, int player, const char *text) {
    IrRule *r = &rules->rule[rules->count++];
    *r = (IrRule){.outcome = outcome, .text = text};
    if (outcome == OUT_WINS)
        r->player = number(l->arena, TY_PLAYER, player - 1);
    if (l->f->ends == 0 || rules == &l->g->stuck)
        return;
    const IrVar *v = &l->g->var[l->var_id[VAR_WINNER]];
    IrExpr *winner = ARENA_NEW(l->arena, IrExpr), *is = ARENA_NEW(l->arena, IrExpr);
    *winner = (IrExpr){.op = IR_VAR,
                       .type = v->type,
                       .id = l->var_id[VAR_WINNER],
                       .lo = v->lo,
                       .hi = v->hi,
                       .dynamic = true};
    *is = (IrExpr){.op = IR_EQ,
                   .type = {.kind = TY_BOOL},
                   .hi = 1,
                   .dynamic = true,
                   .kid = {winner, number(l->arena, TY_INT, player + 1)}};
    r->cond = is;
}

static void make_rules(Lower *l) {
    IrGame *g = l->g;
    g->end.rule = ARENA_ARRAY(l->arena, IrRule, g->players + 1);
    g->stuck.rule = ARENA_ARRAY(l->arena, IrRule, 1);
    for (int p = 1; p <= g->players && l->f->ends; p++)
        add_rule(l, &g->end, OUT_WINS, p, "winner is a player");
    if (l->f->ends)
        add_rule(l, &g->end, OUT_DRAW, 0, "winner is 0");
    add_rule(l, &g->stuck, OUT_DRAW, 0, "no move");
}

static bool has_sizes(const S3File *f, Diags *diags) {
    if (f->locations < 1 || f->locations > BOARD_MAX_CELLS)
        diag_error(diags, (Span){0}, "a game has 1..%d places, this has %d", BOARD_MAX_CELLS,
                   f->locations);
    else if (f->players < 1 || f->players > IR_MAX_PLAYERS)
        diag_error(diags, (Span){0}, "a game has 1..%d players, this has %d", IR_MAX_PLAYERS,
                   f->players);
    else if (f->elements < 1 || f->elements > 2000)
        diag_error(diags, (Span){0}, "a game has 1..2000 elements, this has %d", f->elements);
    else
        return true;
    return false;
}

// --- attempts ---

// From the names on, with what earlier attempts have found.
static bool attempt(Lower *l, Block *turn) {
    l->calls = ARENA_ARRAY(l->arena, int, l->f->functions + 1);
    l->player = x_int(l, 1);
    if (!word_prepare(l) || !kinds_prepare(l))
        return false;
    l->scratch_of = ARENA_ARRAY(l->arena, int, l->vars + 1);
    for (int i = 0; i < l->vars; i++)
        l->scratch_of[i] = -1;
    l->scratch_result = l->scratch_player = -1;
    return turn_build(l, turn);
}

static Lower *begin(IrGame *g, const S3File *file, Diags *diags, bool distinct) {
    Lower *l = ARENA_NEW(g->arena, Lower);
    l->arena = g->arena;
    l->f = file;
    l->diags = diags;
    l->g = g;
    l->distinct = distinct;
    return l;
}

IrGame *s3_lower(Arena *arena, const S3File *file, const char *const *params, int count,
                 Diags *diags) {
    IrGame *g = ir_new(arena, file->source);
    bool distinct;
    g->title = file->name;
    g->about = "";
    g->player = file->player;
    g->players = file->players;
    g->look = file->look;
    if (!read_parameters(params, count, g, diags, &distinct) || !has_sizes(file, diags))
        return NULL;
    bool *as_proc = ARENA_ARRAY(arena, bool, file->functions + 1);
    ProcKinds *kinds = ARENA_ARRAY(arena, ProcKinds, file->functions + 1);
    int attempts = 0;
    Lower *l;
    Block turn;
    for (int frugal = 0;;) {
        l = begin(g, file, diags, distinct);
        l->as_proc = as_proc;
        l->proc_kinds = kinds;
        l->frugal = frugal;
        turn = (Block){0};
        if (attempt(l, &turn))
            break;
        if (l->broken)
            return NULL;
        if (l->again && ++attempts < MOST_ATTEMPTS)
            continue;
        if (frugal++ == 1) {
            diag_error(diags, (Span){0}, "the rules grow too large when they are written out");
            diag_help(diags, "fewer loops inside loops and calls inside calls would help");
            return NULL;
        }
    }
    tidy_statements(l, &turn);
    if (!kinds_finish(l))
        return NULL;
    make_rules(l);
    ir_make_turn(l, &turn);
    if (l->too_large || !ir_note_choices(g)) {
        diag_error(diags, (Span){0}, "the rules grow too large when they are written out");
        return NULL;
    }
    return ir_lay_out(g, (Span){0}, diags) ? g : NULL;
}
