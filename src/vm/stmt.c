// stmt: a turn becomes code, three times over.
//
// GENERATE finds all moves. Nothing is executed behind the last place where a choice or a
// requirement can still come: from there on every run is a move. Changes that nothing later reads
// are left out. Registers that a resumed choice may read are never used again behind it; those
// that loops with choices change are kept together and saved with every choice.
//
// APPLY follows a move that is given choice by choice, refuses what is not in a choice's domain,
// and makes all changes. PLAIN is for setup: no choices.
#include "vm/code.h"

#include <string.h>

// --- what is in a statement ---

static bool block_has(const IrStmt *list, bool requirements);

// A choice, or also a requirement, in a statement or deeper.
static bool has(const IrStmt *s, bool requirements) {
    switch (s->kind) {
    case ST_CHOOSE:
    case ST_EITHER: return true;
    case ST_REQUIRE: return requirements;
    default: return block_has(s->body, requirements) || block_has(s->other, requirements);
    }
}

static bool block_has(const IrStmt *list, bool requirements) {
    for (; list; list = list->next)
        if (has(list, requirements))
            return true;
    return false;
}

bool vm_block_chooses(const IrStmt *list) {
    return block_has(list, true);
}

static bool is_loop(const IrStmt *s) {
    return s->kind == ST_FOR || s->kind == ST_WHILE;
}

// --- registers of locals ---

typedef struct Locals {
    VmCompiler *c;
    VmFrame *f;
    const IrFrame *frame;
    int *lets;  // statements that give a slot its value
    bool saved; // this pass gives registers to those that choices save, or to the others
} Locals;

static void each_stmt(Locals *l, const IrStmt *list, bool in_loop,
                      void (*visit)(Locals *, const IrStmt *, bool)) {
    for (; list; list = list->next) {
        visit(l, list, in_loop);
        bool inside = in_loop || (is_loop(list) && has(list, false));
        if (list->kind == ST_EITHER)
            for (const IrStmt *branch = list->body; branch; branch = branch->sibling)
                each_stmt(l, branch->body, inside, visit);
        else
            each_stmt(l, list->body, inside, visit);
        each_stmt(l, list->other, inside, visit);
    }
}

// The slot that a statement gives a value, or -1. Branches may choose into the same slot.
static int slot_of(const IrStmt *s) {
    if (s->kind == ST_LET)
        return s->id;
    return s->kind == ST_CHOOSE || s->kind == ST_FOR ? s->domain->slot : -1;
}

static void count_lets(Locals *l, const IrStmt *s, bool in_loop) {
    (void)in_loop;
    if (slot_of(s) >= 0)
        l->lets[slot_of(s)]++;
}

static int add_counter(VmCompiler *c, const IrStmt *s, int regs) {
    ARENA_GROW(c->arena, struct VmCounter, c->counter, c->counters, c->counter_cap);
    int reg = vm_alloc(c, regs);
    c->counter[c->counters++] = (struct VmCounter){s, reg};
    return reg;
}

static int counter_of(const VmCompiler *c, const IrStmt *s) {
    for (int n = 0; n < c->counters; n++)
        if (c->counter[n].stmt == s)
            return c->counter[n].reg;
    return 0;
}

// Loops over numbers or lines with a condition: the members are marked before the loop begins,
// whatever its body changes. As many words as the largest number of lines takes.
#define MAX_MARK_WORDS (BOARD_MAX_LINES / 64)

static bool marks_members(const IrStmt *s) {
    const IrDomain *d = s->domain;
    return s->kind == ST_FOR && d->where && (d->kind == DOM_RANGE || d->kind == DOM_LINES);
}

static int64_t first_mark(const IrDomain *d) {
    return d->kind == DOM_RANGE ? d->a->lo : 0;
}

static int mark_words(VmCompiler *c, const IrStmt *s) {
    const IrDomain *d = s->domain;
    int64_t n = c->game->board->lines;
    if (d->kind == DOM_RANGE)
        n = (int64_t)d->b->hi - d->a->lo + 1;
    if (n > 64 * MAX_MARK_WORDS) {
        if (!c->failed)
            diag_error(c->diags, s->span, "a loop with a condition can count up to %d numbers",
                       64 * MAX_MARK_WORDS);
        c->failed = true;
    }
    return n < 1 || c->failed ? 1 : (int)((n + 63) / 64);
}

// A slot with one source has its register there; with several it has one of its own, to which the
// sources are copied.
static void give_slot(Locals *l, int slot) {
    if (l->f->reg[slot] < 0)
        l->f->reg[slot] = vm_alloc(l->c, vm_width(l->c, l->frame->type[slot]));
}

static void give_regs(Locals *l, const IrStmt *s, bool in_loop) {
    VmCompiler *c = l->c;
    bool generate = c->stream == STREAM_GENERATE;
    bool saved = generate && (in_loop || (is_loop(s) && has(s, false)));
    int slot = slot_of(s);
    bool shared = slot >= 0 && l->lets[slot] > 1;
    if (shared && (generate == l->saved))
        give_slot(l, slot);
    if (saved != l->saved)
        return;
    if (s->kind == ST_WHILE) {
        add_counter(c, s, 1);
    } else if (s->kind == ST_CHOOSE || s->kind == ST_FOR) {
        int member = marks_members(s) ? mark_words(c, s) : vm_loop_member(c, s->domain);
        int base = add_counter(c, s, marks_members(s) ? member + 1 : vm_loop_regs(c, s->domain));
        if (!shared)
            l->f->reg[slot] = base + member;
    } else if (s->kind == ST_LET) {
        give_slot(l, slot);
    }
}

static int *give_all_regs(VmCompiler *c, VmFrame *f, const IrFrame *frame, const IrStmt *list) {
    Locals l = {.c = c, .f = f, .frame = frame, .saved = true};
    l.lets = ARENA_ARRAY(c->arena, int, frame->slots + 1);
    c->counters = 0;
    each_stmt(&l, list, false, count_lets);
    int first = c->reg;
    each_stmt(&l, list, false, give_regs);
    if (c->stream == STREAM_GENERATE) {
        c->p->save = first;
        c->p->save_count = c->reg - first;
    }
    l.saved = false;
    each_stmt(&l, list, false, give_regs);
    return l.lets;
}

// --- why a requirement refuses ---

static const char *source_text(const VmCompiler *c, Span at) {
    const Source *source = c->game->source;
    if (!source || at.line < 1 || at.length < 1)
        return NULL;
    const char *s = source->text, *end = s + source->size;
    for (int line = 1; line < at.line && s; line++) {
        s = memchr(s, '\n', (size_t)(end - s));
        s = s ? s + 1 : NULL;
    }
    if (!s || at.column < 1 || end - s < at.column - 1 + at.length)
        return NULL;
    return arena_text(c->arena, s + at.column - 1, (size_t)at.length);
}

static int add_unmet(VmCompiler *c, const IrStmt *s) {
    VmProgram *p = c->p;
    ARENA_GROW(c->arena, VmUnmet, p->unmet, p->unmets, p->unmet_cap);
    Span at = s->e[0] && s->e[0]->span.line ? s->e[0]->span : s->span;
    p->unmet[p->unmets] = (VmUnmet){s->text ? s->text : source_text(c, at), at};
    if (p->unmets == UINT16_MAX)
        vm_too_large(c);
    return c->failed ? 0 : p->unmets++;
}

// --- statements ---

static void block(VmCompiler *c, VmFrame *f, const IrStmt *list, bool tail);

// Puts the member that a choice or loop took where the slot is, if that is elsewhere.
static void bind_slot(VmCompiler *c, VmFrame *f, int slot, int member, int reg) {
    f->reg[slot] = reg;
    if (member == reg)
        return;
    vm_emit(c, OP_MOVE, reg, member, 0);
    vm_forget_reg(c, reg);
}

// Behind a choice: what was computed so far may be read again whenever it is resumed.
static void after_choice(VmCompiler *c) {
    c->forked = false;
    if (c->choice_loops)
        vm_forget(c); // a later round writes those registers anew
    if (c->reg > c->floor)
        c->floor = c->reg;
}

static void choose_first(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    const IrDomain *d = s->domain;
    int base = counter_of(c, s);
    VmOp first = OP_CHOOSE_INT, next = OP_CHOOSE_NEXT_INT;
    int from = 0, slot = f->reg[d->slot];
    if (d->kind == DOM_SET || d->kind == DOM_MASK) {
        from = vm_members(c, f, d, -1);
        bool any = d->kind == DOM_SET && c->p->words > 1;
        first = any ? OP_CHOOSE_N : OP_CHOOSE;
        next = any ? OP_CHOOSE_NEXT_N : OP_CHOOSE_NEXT;
    } else if (d->kind == DOM_LINES && d->a) {
        from = vm_expr(c, f, d->a, -1);
        first = OP_CHOOSE_LINE;
        next = OP_CHOOSE_NEXT_LINE;
    } else {
        bool lines = d->kind == DOM_LINES;
        int low = lines ? vm_number(c, 0) : vm_expr(c, f, d->a, -1);
        int high = lines ? vm_number(c, c->game->board->lines - 1) : vm_expr(c, f, d->b, -1);
        vm_emit(c, OP_MOVE, base, high, 0);
        vm_emit(c, OP_MOVE, base + 1, low, 0);
    }
    if (!c->choice_loops)
        vm_hoist_cheap(c, f, d->slot, s->next);
    vm_emit(c, first, base, from, s->id);
    vm_emit(c, next, base, 0, s->id);
    after_choice(c);
    bind_slot(c, f, d->slot, base + vm_loop_member(c, d), slot);
    if (d->where && d->kind != DOM_SET && d->kind != DOM_MASK)
        vm_cond(c, f, d->where, false, c->fail);
}

static void generate_choose(VmCompiler *c, VmFrame *f, const IrStmt *s, bool last) {
    const IrDomain *d = s->domain;
    if (last && (d->kind == DOM_SET || d->kind == DOM_MASK)) {
        int set = vm_members(c, f, d, -1);
        bool any = d->kind == DOM_SET && c->p->words > 1;
        vm_emit(c, any ? OP_EMIT_SET_N : OP_EMIT_SET, set, 0, s->id);
    } else if (last && d->kind == DOM_RANGE && !d->where) {
        int low = vm_expr(c, f, d->a, -1), high = vm_expr(c, f, d->b, -1);
        vm_emit(c, OP_EMIT_INT, low, high, s->id);
    } else {
        choose_first(c, f, s);
        if (last)
            vm_emit(c, OP_EMIT, 0, 0, 0);
    }
}

// The parts of a domain that can refuse a member, one after the other: which was it?
static void probes(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    const IrSite *site = &c->game->site[s->id];
    vm_emit(c, OP_REFUSE, 0, 0, s->id);
    for (int n = 0; n < site->probe_count; n++) {
        VmMark mark = vm_mark(c);
        int next = vm_label(c);
        vm_cond(c, f, site->probes[n].cond, true, next);
        vm_emit(c, OP_PROBE, 0, n, s->id);
        vm_bind(c, next);
        vm_release(c, mark);
    }
    vm_emit(c, OP_PROBE, 0, -1, s->id);
}

static void apply_choose(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    const IrDomain *d = s->domain;
    int x = f->reg[d->slot];
    vm_emit(c, OP_READ, x, 0, s->id);
    vm_forget_reg(c, x);
    VmMark mark = vm_mark(c);
    int fits = vm_label(c);
    vm_member(c, f, x, d, true, fits);
    vm_release(c, mark);
    probes(c, f, s);
    vm_release(c, mark);
    vm_bind(c, fits);
}

static void generate_either(VmCompiler *c, VmFrame *f, const IrStmt *s, bool last) {
    int end = vm_label(c), next = -1, n = 0;
    if (!s->body->sibling) {
        vm_emit(c, OP_BRANCH_ONLY, s->id, 0, 0);
        block(c, f, s->body->body, last);
        return;
    }
    for (const IrStmt *branch = s->body; branch; branch = branch->sibling, n++) {
        if (n > 0)
            vm_bind(c, next);
        next = vm_label(c);
        if (branch->sibling)
            vm_jump(c, n ? OP_BRANCH_NEXT : OP_BRANCH, s->id, n, next);
        else
            vm_emit(c, OP_BRANCH_LAST, s->id, n, 0);
        after_choice(c);
        VmMark mark = vm_mark(c);
        block(c, f, branch->body, last);
        vm_release(c, mark);
        if (!last)
            vm_jump(c, OP_JUMP, 0, 0, end);
    }
    c->forked = false;
    vm_bind(c, end);
}

static void apply_either(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    int end = vm_label(c), first = c->labels, n = 0;
    for (const IrStmt *branch = s->body; branch; branch = branch->sibling)
        n++;
    for (int k = 0; k < n; k++)
        vm_label(c);
    int which = vm_alloc(c, 1);
    vm_emit(c, OP_READ, which, 0, s->id);
    vm_emit(c, OP_SWITCH, which, n, 0);
    for (int k = 0; k < n; k++)
        vm_jump(c, OP_JUMP, 0, 0, first + k);
    int k = 0;
    for (const IrStmt *branch = s->body; branch; branch = branch->sibling, k++) {
        VmMark mark = vm_mark(c);
        vm_bind(c, first + k);
        block(c, f, branch->body, false);
        vm_jump(c, OP_JUMP, 0, 0, end);
        vm_release(c, mark);
    }
    vm_bind(c, end);
}

static void require(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    if (c->stream == STREAM_GENERATE) {
        vm_cond(c, f, s->e[0], false, c->fail);
        return;
    }
    int met = vm_label(c);
    int common = vm_cond(c, f, s->e[0], true, met);
    VmMark mark = {common, c->reg};
    vm_emit(c, OP_UNMET, add_unmet(c, s), 0, 0);
    vm_release(c, mark);
    vm_bind(c, met);
}

static void if_else(VmCompiler *c, VmFrame *f, const IrStmt *s, bool last) {
    int other = vm_label(c), end = vm_label(c);
    int common = vm_cond(c, f, s->e[0], false, other);
    VmMark mark = {common, c->reg};
    bool forked = c->forked;
    block(c, f, s->body, last);
    bool both = c->forked;
    // Behind a last statement nobody comes back; otherwise meet the other branch.
    if (!(last && c->stream == STREAM_GENERATE) && s->other)
        vm_jump(c, OP_JUMP, 0, 0, end);
    vm_release(c, mark);
    vm_bind(c, other);
    c->forked = forked;
    if (s->other || (last && c->stream == STREAM_GENERATE))
        block(c, f, s->other, last);
    c->forked = c->forked && both;
    vm_release(c, mark);
    vm_bind(c, end);
}

static void loop_body(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    VmRest rest = {NULL, s, false, c->rest};
    c->rest = &rest;
    block(c, f, s->body, false);
    c->rest = rest.up;
}

// What is true before a loop must be true at the beginning of each round.
static bool enter_loop(VmCompiler *c, const IrStmt *s) {
    bool choices = c->stream == STREAM_GENERATE && has(s, false);
    vm_forget(c);
    c->choice_loops += choices;
    c->forked = c->forked && !choices;
    return choices;
}

static void leave_loop(VmCompiler *c, bool choices, bool forked) {
    c->choice_loops -= choices;
    c->forked = forked;
    vm_forget(c);
}

static void while_loop(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    int head = vm_label(c), exit = vm_label(c);
    int rounds = counter_of(c, s);
    vm_emit(c, OP_MOVE, rounds, vm_number(c, s->id), 0);
    bool choices = enter_loop(c, s);
    bool forked = c->forked;
    VmMark mark = vm_mark(c);
    vm_bind(c, head);
    vm_jump(c, OP_ROUND, rounds, 0, exit);
    vm_cond(c, f, s->e[0], false, exit);
    loop_body(c, f, s);
    vm_jump(c, OP_BACK, 0, 0, head);
    vm_release(c, mark);
    vm_bind(c, exit);
    leave_loop(c, choices, forked);
}

static void mark_members(VmCompiler *c, VmFrame *f, const IrStmt *s, int base, int words) {
    VmMark mark = vm_mark(c);
    const IrDomain *d = s->domain;
    vm_emit(c, OP_ZERO_W, base, words, 0);
    VmLoop loop;
    vm_loop_begin(c, f, d, NULL, -1, &loop);
    int index = vm_alloc(c, 1);
    vm_emit(c, OP_SUB, index, f->reg[d->slot], vm_number(c, first_mark(d)));
    vm_emit(c, OP_ADDBIT_W, base, index, words);
    vm_loop_end(c, &loop);
    vm_release(c, mark);
}

static void marked_for_loop(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    int base = counter_of(c, s), words = mark_words(c, s), slot = f->reg[s->domain->slot];
    int body = vm_label(c), next = vm_label(c);
    mark_members(c, f, s, base, words);
    bool choices = enter_loop(c, s);
    bool forked = c->forked;
    vm_jump(c, OP_JUMP, 0, 0, next);
    vm_bind(c, body);
    VmMark mark = vm_mark(c);
    vm_emit(c, OP_ADD, base + words, base + words, vm_number(c, first_mark(s->domain)));
    bind_slot(c, f, s->domain->slot, base + words, slot);
    loop_body(c, f, s);
    vm_release(c, mark);
    vm_bind(c, next);
    vm_jump(c, OP_NEXT_W, base, words, body);
    leave_loop(c, choices, forked);
}

static void for_loop(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    const IrDomain *d = s->domain;
    if (marks_members(s)) {
        marked_for_loop(c, f, s);
        return;
    }
    bool set = d->kind == DOM_SET || d->kind == DOM_MASK;
    int a = -1, b = -1, slot = f->reg[d->slot];
    if (set)
        a = vm_members(c, f, d, -1); // fixed now, whatever the body changes
    else if (d->a)
        a = vm_expr(c, f, d->a, -1);
    if (d->b)
        b = vm_expr(c, f, d->b, -1);
    bool choices = enter_loop(c, s);
    bool forked = c->forked;
    VmLoop loop;
    vm_loop_start(c, f, d, a, b, counter_of(c, s), &loop);
    bind_slot(c, f, d->slot, f->reg[d->slot], slot);
    loop_body(c, f, s);
    vm_loop_end(c, &loop);
    leave_loop(c, choices, forked);
}

static void let(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    int slot = f->reg[s->id];
    if (c->lets[s->id] == 1) {
        vm_expr(c, f, s->e[0], slot);
    } else {
        int value = vm_expr(c, f, s->e[0], -1);
        if (vm_width(c, s->e[0]->type) == 1)
            vm_emit(c, OP_MOVE, slot, value, 0);
        else
            vm_emit(c, OP_MOVE_N, slot, value, 0);
        vm_forget_reg(c, slot);
    }
    if (s->value > 0 && c->stream == STREAM_APPLY)
        vm_emit(c, OP_NAME, slot, 0, (int)s->value - 1);
}

// --- changes of the state ---

static void fork(VmCompiler *c) {
    if (c->stream == STREAM_GENERATE && !c->forked)
        vm_emit(c, OP_FORK, 0, 0, 0);
    c->forked = true;
}

static bool wanted(VmCompiler *c, VmWhat what, int id) {
    if (what == READS_BOARD)
        return vm_read_later(c, READS_BOARD, -1) || vm_read_later(c, READS_ATTR, -1);
    return vm_read_later(c, what, id);
}

static bool block_live(VmCompiler *c, const IrStmt *list);

// Whether a statement makes a difference for which moves there are.
static bool live(VmCompiler *c, const IrStmt *s) {
    switch (s->kind) {
    case ST_CHOOSE:
    case ST_EITHER:
    case ST_BRANCH:
    case ST_REQUIRE: return true;
    case ST_IF: return block_live(c, s->body) || block_live(c, s->other);
    case ST_FOR:
    case ST_WHILE: return block_live(c, s->body);
    case ST_LET: return vm_read_later(c, READS_LOCAL, s->id);
    case ST_ASSIGN: return wanted(c, READS_VAR, s->id);
    case ST_SET_ATTR: return wanted(c, READS_ATTR, s->id);
    case ST_AGAIN:
    case ST_NEXT: return false;
    case ST_FAIL:
    case ST_CALL: return true;
    default: return wanted(c, READS_BOARD, -1);
    }
}

static bool block_live(VmCompiler *c, const IrStmt *list) {
    for (; list; list = list->next) {
        VmRest rest = {list->next, NULL, false, c->rest};
        c->rest = &rest;
        bool found = live(c, list);
        c->rest = rest.up;
        if (found)
            return true;
    }
    return false;
}

static void store(VmCompiler *c, VmFrame *f, const IrVar *v, const IrStmt *s, int value) {
    const IrExpr *index = v->indexed ? s->e[1] : NULL;
    int64_t n = index && index->op == IR_CONST ? index->value - v->index_base : 0;
    if (index && (index->op != IR_CONST || n < 0 || n >= v->count)) {
        VmField field = {v->index_base, (uint64_t)v->count, (uint16_t)v->offset, (uint16_t)v->width,
                         (int16_t)s->id};
        int at = vm_expr(c, f, index, -1);
        fork(c);
        vm_emit(c, OP_STOREX, value, at, vm_add_field(c, field));
        return;
    }
    fork(c);
    VmOp op = OP_STORE_N;
    switch (v->width) {
    case 1: op = OP_STORE_8; break;
    case 2: op = OP_STORE_16; break;
    case 4: op = OP_STORE_32; break;
    case 8: op = OP_STORE_64; break;
    default: break;
    }
    vm_emit(c, op, value, v->offset + (int)n * v->width, 0);
}

static void assign(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    const IrVar *v = &c->game->var[s->id];
    const VmRange *range = &c->p->range[s->id];
    const IrExpr *e = s->e[0];
    int value = vm_expr(c, f, e, -1);
    int skip = vm_label(c);
    if (v->indexed && s->e[1]->type.optional) { // nothing to do for none
        int none = vm_number(c, vm_none(c, s->e[1]->type));
        fork(c);
        vm_jump(c, OP_JEQ, vm_expr(c, f, s->e[1], -1), none, skip);
    }
    bool whole = v->type.kind == TY_SET || v->type.kind == TY_MASK || v->type.kind == TY_BOOL;
    if (!whole && (e->lo < range->lo || e->hi > range->hi))
        vm_emit(c, OP_CHECK, value, s->id, 0);
    store(c, f, v, s, value);
    vm_bind(c, skip);
    vm_forget(c);
}

static void set_attr(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    int value = vm_expr(c, f, s->e[0], -1);
    int cell = vm_expr(c, f, s->e[1], -1);
    fork(c);
    vm_emit(c, OP_SET_ATTR, value, cell, s->id);
    vm_forget(c);
}

// The register with the plane that a statement puts on the board.
static int plane_reg(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    const IrExpr *owner = s->e[1];
    bool fixed = s->id >= 0 && (!owner || owner->op == IR_CONST);
    int row = c->p->players + 1;
    int64_t who = owner ? owner->value : c->p->players;
    if (fixed && c->p->plane_of[s->id * row + who] >= 0)
        return vm_number(c, c->p->plane_of[s->id * row + who]);
    uint64_t planes[IR_MAX_PLAYERS][BOARD_MAX_WORDS];
    bool by_me = s->id >= 0 && owner;
    for (int n = 0; n < c->p->players && by_me; n++) {
        by_me = vm_fold(c, owner, n, planes[n]) && planes[n][0] < (uint64_t)row &&
                c->p->plane_of[s->id * row + (int)planes[n][0]] >= 0;
        if (by_me)
            planes[n][0] = (uint64_t)c->p->plane_of[s->id * row + (int)planes[n][0]];
    }
    if (by_me)
        return vm_mine(c, (const uint64_t(*)[BOARD_MAX_WORDS])planes, 1);
    int kind = s->id >= 0 ? vm_number(c, s->id) : vm_expr(c, f, s->e[2], -1);
    int of = owner ? vm_expr(c, f, owner, -1) : vm_number(c, c->p->players);
    int plane = vm_alloc(c, 1);
    vm_emit(c, OP_PLANE_OF, plane, kind, of);
    return plane;
}

// Boards whose changes are a few operations on words.
static bool plain_board(const VmCompiler *c) {
    return c->p->words == 1 && c->game->layout.stack_width == 0 && c->game->attrs == 0 &&
           c->p->planes_in_row;
}

// place, change, remove, clear: on a cell or a set.
static void put(VmCompiler *c, VmFrame *f, const IrStmt *s, VmOp cell, VmOp set) {
    int at = vm_expr(c, f, s->e[0], -1);
    int plane = s->kind == ST_PLACE || s->kind == ST_CHANGE ? plane_reg(c, f, s) : 0;
    fork(c);
    vm_emit(c, s->e[0]->type.kind == TY_SET ? set : cell, at, plane, 0);
}

static void move_piece(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    int from = vm_expr(c, f, s->e[0], -1), to = vm_expr(c, f, s->e[1], -1);
    int level = s->kind == ST_MOVE_ABOVE && s->e[2] ? vm_expr(c, f, s->e[2], -1) : -1;
    fork(c);
    if (level >= 0)
        vm_emit(c, OP_MOVE_STACK, from, to, level);
    else if (c->game->layout.stack_width > 0)
        vm_emit(c, OP_MOVE_TOP, from, to, 0);
    else
        vm_emit(c, plain_board(c) ? OP_MOVE_1 : OP_MOVE_PIECE, from, to, 0);
}

static void scatter(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    int set = vm_expr(c, f, s->e[0], -1);
    int wanted_count = vm_expr(c, f, s->e[2], -1);
    IrStmt piece = *s;
    piece.e[2] = NULL;
    vm_emit(c, OP_SCATTER, set, wanted_count, plane_reg(c, f, &piece));
    vm_emit(c, OP_EXT, vm_number(c, s->value), 0, 0);
}

static void change_board(VmCompiler *c, VmFrame *f, const IrStmt *s) {
    bool plain = plain_board(c);
    switch (s->kind) {
    case ST_PLACE:
        put(c, f, s, plain ? OP_PLACE_1 : OP_PLACE, plain ? OP_PLACE_SET_1 : OP_PLACE_SET);
        break;
    case ST_CHANGE:
        put(c, f, s, plain ? OP_CHANGE_1 : OP_CHANGE, plain ? OP_CHANGE_SET_1 : OP_CHANGE_SET);
        break;
    case ST_REMOVE:
        put(c, f, s, plain ? OP_REMOVE_1 : OP_REMOVE, plain ? OP_REMOVE_SET_1 : OP_REMOVE_SET);
        break;
    case ST_CLEAR:
        put(c, f, s, plain ? OP_REMOVE_1 : OP_CLEAR, plain ? OP_REMOVE_SET_1 : OP_CLEAR_SET);
        break;
    case ST_SCATTER: scatter(c, f, s); break;
    default: move_piece(c, f, s); break;
    }
    vm_forget(c);
}

static void statement(VmCompiler *c, VmFrame *f, const IrStmt *s, bool last) {
    bool generate = c->stream == STREAM_GENERATE;
    switch (s->kind) {
    case ST_CHOOSE:
        if (generate)
            generate_choose(c, f, s, last);
        else
            apply_choose(c, f, s);
        break;
    case ST_EITHER:
        if (generate)
            generate_either(c, f, s, last);
        else
            apply_either(c, f, s);
        break;
    case ST_BRANCH: break; // inside ST_EITHER only
    case ST_REQUIRE: require(c, f, s); break;
    case ST_IF: if_else(c, f, s, last); break;
    case ST_FOR: for_loop(c, f, s); break;
    case ST_WHILE: while_loop(c, f, s); break;
    case ST_LET: let(c, f, s); break;
    case ST_ASSIGN: assign(c, f, s); break;
    case ST_SET_ATTR: set_attr(c, f, s); break;
    case ST_PLACE:
    case ST_MOVE:
    case ST_MOVE_ABOVE:
    case ST_REMOVE:
    case ST_CLEAR:
    case ST_CHANGE:
    case ST_SCATTER: change_board(c, f, s); break;
    case ST_AGAIN:
        if (!generate)
            vm_emit(c, OP_INT, VM_AGAIN, 1, 0);
        break;
    case ST_NEXT:
        if (!generate)
            vm_emit(c, OP_ADD, VM_AGAIN, vm_expr(c, f, s->e[0], -1), vm_number(c, VM_NEXT));
        break;
    case ST_FAIL: vm_emit(c, OP_FAULT, add_unmet(c, s), 0, 0); break;
    case ST_CALL:
        fork(c); // the procedure writes the state as it is
        vm_emit(c, OP_CALL, s->id, 0, 0);
        vm_forget(c);
        break;
    }
}

static bool changes_state(const IrStmt *s) {
    return s->kind >= ST_ASSIGN && s->kind != ST_AGAIN && s->kind != ST_NEXT && s->kind != ST_FAIL;
}

// `tail`: nothing behind this block can choose or require. When moves are generated such a block
// ends in EMIT on every way through it.
static void block(VmCompiler *c, VmFrame *f, const IrStmt *list, bool tail) {
    bool generate = c->stream == STREAM_GENERATE;
    VmMark start = vm_mark(c);
    for (const IrStmt *s = list; s && !c->failed; s = s->next) {
        bool later = block_has(s->next, true);
        if (generate && tail && !later && !has(s, true))
            break;
        Span kept = c->at;
        VmRest rest = {s->next, NULL, tail, c->rest};
        c->at = s->span;
        c->rest = &rest;
        if (!generate)
            vm_note(c, s->span);
        if (!generate || live(c, s))
            statement(c, f, s, tail && !later);
        c->rest = rest.up;
        c->at = kept;
        if (changes_state(s))
            vm_release(c, start); // nothing computed so far is known any longer
        bool closed = s->kind == ST_CHOOSE || s->kind == ST_EITHER || s->kind == ST_IF;
        if (generate && tail && !later && closed)
            return;
    }
    if (generate && tail)
        vm_emit(c, OP_EMIT, 0, 0, 0);
}

void vm_turn(VmCompiler *c, const IrFrame *frame, const IrStmt *list, VmStream stream) {
    VmFrame *f = vm_frame(c, frame);
    c->stream = stream;
    c->lets = give_all_regs(c, f, frame, list);
    c->floor = c->reg;
    c->fail = vm_label(c);
    block(c, f, list, true);
    if (stream == STREAM_GENERATE) {
        vm_bind(c, c->fail);
        vm_emit(c, OP_FAIL, 0, 0, 0);
    } else if (stream == STREAM_APPLY) {
        vm_emit(c, OP_TURN_END, 0, 0, 0);
    }
}
