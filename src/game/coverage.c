// coverage: see coverage.h.
#include "game/coverage.h"

#include <setjmp.h>

struct Coverage {
    const Game *game;
    Arena arena;
    const VmProgram *program;
    Vm *vm;
    uint8_t *state; // behind a move
};

static const VmProgram *compile(Coverage *c) {
    jmp_buf recovery;
    Diags diags = {.source = &c->game->source};
    c->arena.recovery = &recovery;
    if (setjmp(recovery)) {
        diag_free(&diags);
        return NULL;
    }
    const VmProgram *p = vm_compile_noted(&c->arena, c->game->ir, &diags);
    c->arena.recovery = NULL;
    diag_free(&diags); // rules that are too large with notes are as if memory were short
    return p;
}

Coverage *coverage_new(const Game *g) {
    Coverage *c = mem_alloc(sizeof *c);
    if (!c)
        return NULL;
    c->game = g;
    arena_init(&c->arena, NULL);
    c->program = compile(c);
    c->vm = c->program ? vm_new(c->program) : NULL;
    c->state = mem_alloc((size_t)game_state_size(g));
    if (c->vm && c->state)
        return c;
    coverage_free(c);
    return NULL;
}

void coverage_free(Coverage *c) {
    if (!c)
        return;
    if (c->vm)
        vm_free(c->vm);
    mem_free(c->state);
    arena_free(&c->arena);
    mem_free(c);
}

bool coverage_move(Coverage *c, const uint8_t *state, Move move) {
    if (move_is_pass(move))
        return coverage_stuck(c, state, false);
    return vm_apply(c->vm, state, move, c->state);
}

// If somebody may pass, but nobody can move any more, the rules for all decide.
bool coverage_stuck(Coverage *c, const uint8_t *state, bool over) {
    int result = vm_stuck(c->vm, state, false);
    if (over && result == VM_PASS)
        result = vm_stuck(c->vm, state, true);
    return result >= 0;
}

// Parameters switch parts of the rules off: what is constant is no gap.
static bool is_constant(const IrExpr *cond) {
    return cond && cond->op == IR_CONST;
}

bool coverage_rule(const Coverage *c, const IrRule *rule) {
    return is_constant(rule->cond) || vm_noted(c->vm, rule->span);
}

// --- gaps ---

typedef struct Walk {
    const Coverage *c;
    CoverageVisit *visit;
    void *with;
} Walk;

static bool walk(const Walk *w, const IrStmt *list);

static bool walk_body(const Walk *w, const IrStmt *at, const IrStmt *body, bool otherwise) {
    if (!body || vm_noted(w->c->vm, body->span))
        return walk(w, body);
    CoverageGap gap = {at, otherwise, body};
    // What comes from nowhere in the file, as in games of S3, has no place to tell.
    return body->span.line == 0 || w->visit(w->with, &gap);
}

static bool walk(const Walk *w, const IrStmt *list) {
    bool ok = true;
    for (const IrStmt *s = list; ok && s; s = s->next) {
        bool has_body = s->kind == ST_IF || s->kind == ST_FOR || s->kind == ST_WHILE;
        if (has_body && (s->kind == ST_FOR || !is_constant(s->e[0])))
            ok = walk_body(w, s, s->body, false) && walk_body(w, s, s->other, true);
        else if (has_body)
            ok = walk(w, s->e[0]->value ? s->body : s->other);
        for (const IrStmt *b = s->kind == ST_EITHER ? s->body : NULL; ok && b; b = b->sibling)
            if (b->body && vm_noted(w->c->vm, b->body->span)) // branches are told as choices
                ok = walk(w, b->body);
    }
    return ok;
}

bool coverage_gaps(const Coverage *c, CoverageVisit *visit, void *with) {
    Walk w = {c, visit, with};
    return walk(&w, c->game->ir->turn);
}
