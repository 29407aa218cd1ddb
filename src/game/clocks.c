// clocks: see clocks.h.
#include "game/clocks.h"

#include "base/mem.h"

#include <setjmp.h>

// The clock says its most, as in `100 moves without …`, whatever else is asked.
static bool asks_for_most(const IrGame *ir, const IrExpr *e) {
    if (!e)
        return false;
    if (e->op == IR_BOTH)
        return asks_for_most(ir, e->kid[0]) || asks_for_most(ir, e->kid[1]);
    bool turned = e->op == IR_EQ && e->kid[0]->op == IR_VAR;
    const IrExpr *most = e->kid[turned ? 1 : 0], *clock = e->kid[turned ? 0 : 1];
    if ((e->op != IR_LE && e->op != IR_EQ) || most->op != IR_CONST || clock->op != IR_VAR)
        return false;
    const IrVar *v = &ir->var[clock->id];
    return v->clock && !v->indexed && v->lo >= 0 && most->value == v->hi;
}

static bool all_silent(const IrGame *ir, Arena *arena) {
    bool *silent = ARENA_ARRAY(arena, bool, ir->vars + 1);
    ir_silent(ir, arena, silent);
    for (int i = 0; i < ir->vars; i++)
        if (ir->var[i].clock && !silent[i])
            return false;
    return true;
}

static Clocks look(const IrGame *ir, Arena *arena) {
    if (all_silent(ir, arena))
        return CLOCKS_SILENT;
    IrGame other = *ir; // the same without those draws
    other.end.rule = ARENA_ARRAY(arena, IrRule, ir->end.count + 1);
    other.end.count = 0;
    for (int i = 0; i < ir->end.count; i++)
        if (ir->end.rule[i].outcome != OUT_DRAW || !asks_for_most(ir, ir->end.rule[i].cond))
            other.end.rule[other.end.count++] = ir->end.rule[i];
    return all_silent(&other, arena) ? CLOCKS_DRAW : CLOCKS_COUNT;
}

static bool has_clock(const IrGame *ir) {
    for (int i = 0; i < ir->vars; i++)
        if (ir->var[i].clock)
            return true;
    return false;
}

Clocks clocks_of(const Game *g) {
    if (!has_clock(g->ir))
        return CLOCKS_SILENT;
    Arena arena;
    jmp_buf recovery;
    arena_init(&arena, &recovery);
    volatile Clocks clocks = CLOCKS_COUNT; // without memory: to be on the safe side
    if (setjmp(recovery) == 0)
        clocks = look(g->ir, &arena);
    arena_free(&arena);
    return clocks;
}
