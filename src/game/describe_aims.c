// describe_aims: cells that belong to a player by the rules, such as the sides of a Hex board or
// the far row: sets that a rule of `end` names with a definition of its own, and that depend on
// nothing but the player. A board shows them in the player's colour.
#include "game/describe.h"

#include <string.h>

#define STEPS 100000L
#define FUNCS 64 // definitions that are looked at

typedef struct Aims {
    const IrGame *ir;
    bool used[FUNCS]; // by a rule of the end, directly or not
} Aims;

// Calls `visit` for an expression and all within it.
static bool each(const IrGame *ir, const IrExpr *e, bool (*visit)(void *with, const IrExpr *e),
                 void *with) {
    if (!e)
        return true;
    if (!visit(with, e))
        return false;
    for (int i = 0; i < 3; i++)
        if (!each(ir, e->kid[i], visit, with))
            return false;
    for (int i = 0; e->op == IR_CALL && i < ir->func[e->id]->params; i++)
        if (!each(ir, e->args[i], visit, with))
            return false;
    return !e->domain ||
           (each(ir, e->domain->a, visit, with) && each(ir, e->domain->b, visit, with) &&
            each(ir, e->domain->where, visit, with));
}

// Functions do not call themselves, so this comes to an end.
static bool note_calls(void *with, const IrExpr *e) {
    Aims *a = with;
    if (e->op != IR_CALL || e->id >= FUNCS || a->used[e->id])
        return true;
    a->used[e->id] = true;
    return each(a->ir, a->ir->func[e->id]->body, note_calls, a);
}

static bool is_of_player(void *with, const IrExpr *e) {
    const IrGame *ir = with;
    if (ir_reads_board(e->op) || e->op == IR_VAR || e->op == IR_ATTR)
        return false;
    return e->op != IR_CALL || each(ir, ir->func[e->id]->body, is_of_player, with);
}

static bool value_for(const Game *g, const IrExpr *e, int player, uint64_t *set) {
    IrValue locals[32], out;
    long steps = STEPS;
    IrView view = {.state = g->start, .me = player};
    IrEval eval = {.g = g->ir, .view = &view, .locals = locals, .slots = 32, .steps = &steps};
    memset(locals, 0, sizeof locals);
    if (!ir_value(&eval, e, &out))
        return false;
    memcpy(set, out.set, sizeof *set * (size_t)g->ir->board->words);
    return true;
}

// Whether a definition is an aim: the players have sets of their own, which then are in
// set[player].
static bool is_aim(const Game *g, const IrFunc *func, uint64_t (*set)[BOARD_MAX_WORDS]) {
    const IrGame *ir = g->ir;
    if (func->params > 0 || !ir_is_set(func->body->type) || !func->body->dynamic ||
        !each(ir, func->body, is_of_player, (void *)(uintptr_t)ir))
        return false;
    for (int p = 0; p < ir->players; p++)
        if (!value_for(g, func->body, p, set[p]))
            return false;
    return memcmp(set[0], set[1], sizeof *set[0] * (size_t)ir->board->words) != 0;
}

static void add_cells(const IrGame *ir, const uint64_t *set, Text *out) {
    bool first = true;
    text_char(out, '[');
    for (int c = 0; c < ir->board->cells; c++) {
        if (!(set[c >> 6] >> (c & 63) & 1))
            continue;
        text_f(out, first ? "%d" : ",%d", c);
        first = false;
    }
    text_char(out, ']');
}

void describe_aims(const Game *g, Text *out) {
    const IrGame *ir = g->ir;
    uint64_t set[IR_MAX_PLAYERS][BOARD_MAX_WORDS];
    Text sides[IR_MAX_PLAYERS] = {{0}};
    Aims a = {.ir = ir};
    for (int i = 0; ir->players > 1 && i < ir->end.count; i++) {
        each(ir, ir->end.rule[i].cond, note_calls, &a);
        each(ir, ir->end.rule[i].player, note_calls, &a);
    }
    for (int f = 0; f < ir->funcs && f < FUNCS; f++) {
        if (!a.used[f] || !is_aim(g, ir->func[f], set))
            continue;
        for (int p = 0; p < ir->players; p++) {
            text_add(&sides[p], sides[p].n ? "," : "");
            add_cells(ir, set[p], &sides[p]);
        }
    }
    text_add(out, ",\"aims\":[");
    for (int p = 0; p < ir->players; p++) {
        if (sides[p].n)
            text_f(out, p ? ",[%s]" : "[%s]", text_c(&sides[p]));
        out->failed = out->failed || sides[p].failed;
        text_free(&sides[p]);
    }
    text_char(out, ']');
}
