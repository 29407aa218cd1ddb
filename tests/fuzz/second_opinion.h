// second_opinion: the interpreter against a plain walk over the IR, and every value on the way
// against the bounds that the checker found for it.
//
// Tables are indexed and registers are sized by these bounds: a value outside is a fault of the
// checker even if nothing crashes.
#ifndef LUDENS_SECOND_OPINION_H
#define LUDENS_SECOND_OPINION_H

#include "game/game.h"
#include "game/statetext.h"

#include <stdio.h>
#include <stdlib.h>

#define WALK_NOTE(walk, expr, value) opinion_bounds((walk)->g, expr, (value).number)

// Numbers of any type lie between lo and hi; `none` only where it is expected.
static inline void opinion_bounds(const IrGame *g, const IrExpr *e, int64_t value) {
    bool number = e->type.kind <= TY_FLAG;
    if (!number || e->type.kind == TY_FLAG || (value >= e->lo && value <= e->hi))
        return;
    Text text = {0};
    ir_print_expr(g, NULL, e, &text);
    fprintf(stderr, "%d:%d: %lld outside %d..%d: %s\n", e->span.line, e->span.column,
            (long long)value, e->lo, e->hi, text_c(&text));
    abort();
}

#include "../unit/walk_ir.h"

// Walking is slow and unbounded: only so many steps are taken for a position, and only so many
// runs of the turn. A run that may take more is left to the interpreter.
#define OPINION_STEPS 20000.0
#define OPINION_RUNS 400

// --- what walking may cost ---

static double cost_of(const IrGame *g, const IrExpr *e);

static double members_of(const IrGame *g, const IrDomain *d) {
    switch (d->kind) {
    case DOM_SET: return g->board->cells;
    case DOM_LINES: return g->board->lines;
    case DOM_MASK: return 64;
    case DOM_RANGE: return d->b->hi < d->a->lo ? 0 : (double)d->b->hi - d->a->lo + 1;
    }
    return 0;
}

// Of finding the members; each of them then costs `each`.
static double cost_of_loop(const IrGame *g, const IrDomain *d, double each) {
    if (members_of(g, d) >= WALK_MAX_MEMBERS)
        return 2 * OPINION_STEPS;
    return cost_of(g, d->a) + cost_of(g, d->b) +
           members_of(g, d) * (1 + cost_of(g, d->where) + each);
}

static double cost_of(const IrGame *g, const IrExpr *e) {
    if (!e)
        return 0;
    // What stands where is looked up cell by cell.
    bool pieces =
        e->op == IR_OCCUPIED || e->op == IR_OWNED || e->op == IR_PLANE || e->op == IR_PIECES;
    double cost = pieces ? g->board->cells : e->type.kind == TY_SET ? g->board->words + 1 : 1;
    for (int i = 0; i < 3 && !(i == 0 && e->domain); i++)
        cost += cost_of(g, e->kid[i]);
    if (e->domain)
        cost += cost_of_loop(g, e->domain, cost_of(g, e->kid[0]));
    if (e->op == IR_FLOOD)
        cost += (double)g->board->cells * g->board->cells * g->board->cells;
    if (e->op == IR_CALL) {
        cost += cost_of(g, g->func[e->id]->body);
        for (int i = 0; i < g->func[e->id]->params; i++)
            cost += cost_of(g, e->args[i]);
    }
    return cost > OPINION_STEPS ? 2 * OPINION_STEPS : cost;
}

static double cost_of_block(const IrGame *g, const IrStmt *s) {
    double cost = 0;
    for (; s && cost <= OPINION_STEPS; s = s->next) {
        double inside = cost_of_block(g, s->body) + cost_of_block(g, s->other);
        for (const IrStmt *b = s->kind == ST_EITHER ? s->body : NULL; b; b = b->sibling)
            inside += cost_of_block(g, b->body);
        for (int i = 0; i < 3; i++)
            cost += cost_of(g, s->e[i]);
        if (s->kind == ST_WHILE)
            inside *= s->id;
        cost += s->domain ? cost_of_loop(g, s->domain, inside) : 1 + inside;
    }
    return cost;
}

static double cost_of_rules(const IrGame *g, const IrRules *rules) {
    double cost = 0;
    for (int i = 0; i < rules->count && cost <= OPINION_STEPS; i++)
        cost += cost_of(g, rules->rule[i].cond) + cost_of(g, rules->rule[i].player) +
                g->players * cost_of(g, rules->rule[i].score);
    return cost;
}

// --- both opinions ---

static _Noreturn void opinions_differ(const Game *g, int move, const uint8_t *from,
                                      const uint8_t *walked, const uint8_t *applied) {
    Text a = {0}, b = {0}, c = {0};
    state_text(g, from, &a);
    state_text(g, walked, &b);
    state_text(g, applied, &c);
    fprintf(stderr, "move %d leads from\n    %s\nto\n    %s\nby walking, but to\n    %s\n", move,
            text_c(&a), text_c(&b), text_c(&c));
    abort();
}

// Stops at what differs. `moves` are those of the interpreter, n of them or -1 after a fault.
static inline void second_opinion(const Game *game, Vm *vm, const uint8_t *state, const Move *moves,
                                  int n) {
    const IrGame *g = game->ir;
    const char *why = n < 0 ? vm_fault(vm).message : NULL;
    if (why && strstr(why, "too many"))
        return; // steps or moves: walking knows no such limits
    double cost = cost_of_block(g, g->turn) + cost_of_rules(g, &g->end) + 1;
    if (cost > OPINION_STEPS)
        return;
    double most = OPINION_STEPS / cost < OPINION_RUNS ? OPINION_STEPS / cost : OPINION_RUNS;
    uint64_t room[2][IR_MAX_STATE / 8];
    uint8_t *walked = (uint8_t *)room[0], *applied = (uint8_t *)room[1];
    Walk w = {.g = g};
    int found = 0, runs = 0;
    bool faulted = false, more = true;
    for (; more && runs < most && !faulted; runs++, more = walk_next(&w)) {
        bool is_move = walk_run(&w, state, walked);
        faulted = w.faulted;
        if (!is_move || n < 0)
            continue;
        if (found >= n || !move_equal(w.move, moves[found])) {
            fprintf(stderr, "walking finds another move %d of %d\n", found, n);
            abort();
        }
        if (!vm_apply(vm, state, moves[found], applied) ||
            memcmp(walked, applied, (size_t)g->layout.size) != 0)
            opinions_differ(game, found, state, walked, applied);
        found++;
    }
    // Listing moves need not run into a fault behind the last choice; applying one does.
    if (faulted)
        return;
    if (!more && n < 0) {
        fprintf(stderr, "the interpreter fails, walking does not: %s\n", why);
        abort();
    }
    if (!more && found != n) {
        fprintf(stderr, "walking finds %d moves, not %d\n", found, n);
        abort();
    }
}

#endif
