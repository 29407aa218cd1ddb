// run: the loop of the interpreter.
//
// One function runs every program. When moves are generated it goes back to the last choice
// (`point`) at FAIL and EMIT; the state is not undone but left alone: a choice remembers which
// state it saw, and FORK makes a copy before the first change behind it.
//
//     states:  given ──CHOOSE──► given ──FORK──► copy 0 ──CHOOSE──► copy 0 ──FORK──► copy 1
//
// Time is bounded by a budget: going backwards costs as much as the code between.
#include "vm/sets.h"

#include <stdio.h>
#include <string.h>

#if defined(__GNUC__) && !defined(VM_SWITCH)
#define VM_GOTO 1
#else
#define VM_GOTO 0
#endif

#if VM_GOTO
#pragma GCC diagnostic ignored "-Wpedantic" // labels as values
#define CASE(name) L_##name:
#define GO                                                                                         \
    do {                                                                                           \
        pc++;                                                                                      \
        goto *labels[INSN->op];                                                                    \
    } while (0)
#else
#define CASE(name) case OP_##name:
#define GO goto dispatch
#endif

// The instruction being executed: pc is already behind it.
#define INSN (pc - 1)
#define A r[INSN->a]
#define B r[INSN->b]
#define C r[INSN->c]
#define SA (&r[INSN->a])
#define SB (&r[INSN->b])
#define SC (&r[INSN->c])
#define NA ((int64_t)r[INSN->a])
#define NB ((int64_t)r[INSN->b])
#define NC ((int64_t)r[INSN->c])
#define IB ((int16_t)INSN->b)
#define IC ((int16_t)INSN->c)
#define JUMP_IF(condition)                                                                         \
    do {                                                                                           \
        if (condition)                                                                             \
            pc += IC;                                                                              \
        GO;                                                                                        \
    } while (0)
#define PLANE(n) ((uint64_t *)(void *)(s + (n)))
#define SPEND(n)                                                                                   \
    do {                                                                                           \
        budget -= (n);                                                                             \
        if (budget < 0)                                                                            \
            goto out_of_steps;                                                                     \
    } while (0)

#define LOAD(type) (int64_t)(*(const type *)(const void *)(s + INSN->b))
#define LOADX(type)                                                                                \
    do {                                                                                           \
        const VmField *field = &p->field[INSN->c];                                                 \
        uint64_t at_ = B - (uint64_t)field->base;                                                  \
        A = at_ < field->count                                                                     \
                ? (uint64_t)(int64_t)((const type *)(const void *)(s + field->offset))[at_]        \
                : 0;                                                                               \
        GO;                                                                                        \
    } while (0)

static VmStatus fault(Vm *vm, const VmInsn *i, const char *message) {
    vm->fault.message = message;
    vm->fault.span = vm->p->span[i - vm->p->code];
    return RUN_FAULT;
}

static VmStatus bad_range(Vm *vm, const VmInsn *i, int var, int64_t value) {
    const VmRange *range = &vm->p->range[var];
    const IrVar *v = &vm->p->game->var[var];
    if (v->type.kind == TY_INT)
        snprintf(vm->message, sizeof vm->message, "`%s` would become %lld, outside %lld..%lld",
                 v->name, (long long)value, (long long)range->lo, (long long)range->hi);
    else
        snprintf(vm->message, sizeof vm->message, "`%s` would become none", v->name);
    return fault(vm, i, vm->message);
}

static VmStatus bad_index(Vm *vm, const VmInsn *i, const VmField *field, int64_t index) {
    const IrVar *v = &vm->p->game->var[field->var];
    if (v->index.kind == TY_INT)
        snprintf(vm->message, sizeof vm->message, "`%s` has no entry %lld", v->name,
                 (long long)index);
    else
        snprintf(vm->message, sizeof vm->message, "`%s` has no entry for none", v->name);
    return fault(vm, i, vm->message);
}

// The next choice of the move that is followed, into *value.
static VmStatus read_choice(Vm *vm, int site, uint64_t *value) {
    const VmSite *at = &vm->p->site[site];
    int64_t x;
    if (vm->mode == MODE_PLAY) {
        if (vm->at + at->bits > IR_MOVE_BITS)
            return RUN_ILLEGAL;
        x = (int64_t)move_get(vm->move, vm->at, at->bits) + at->lo;
        if (x > at->hi)
            return RUN_ILLEGAL;
        vm->at += at->bits;
        if (vm->recorded < vm->record_cap)
            vm->record[vm->recorded] = (VmChoice){site, x};
        vm->recorded++;
    } else {
        vm->stop.site = site;
        if (vm->used == vm->value_count)
            return RUN_ASKS;
        x = vm->values[vm->used];
        if (x < at->lo || x > at->hi || vm->at + at->bits > IR_MOVE_BITS)
            return RUN_REFUSED;
        vm->at = move_put(&vm->move, vm->at, (uint64_t)(x - at->lo), at->bits);
        vm->used++;
    }
    *value = (uint64_t)x;
    return RUN_DONE;
}

static bool rest_is_zero(Move m, int at) {
    if (at < 64)
        return m.w[1] == 0 && m.w[0] >> at == 0;
    return m.w[1] >> (at - 64) == 0;
}

// A move for each member of one word of a set.
static void emit_word(Vm *vm, const VmSite *site, uint64_t set, int64_t first) {
    int64_t n = vm->found;
    while (set && n < vm->cap) {
        Move m = vm->move;
        move_put(&m, vm->at, (uint64_t)(first + bits_pop(&set) - site->lo), site->bits);
        vm->out[n++] = m;
    }
    vm->found = n + bits_count(set);
}

static void emit_range(Vm *vm, const VmSite *site, int64_t low, int64_t high) {
    int64_t x = low;
    for (; x <= high && vm->found < vm->cap; x++) {
        Move m = vm->move;
        move_put(&m, vm->at, (uint64_t)(x - site->lo), site->bits);
        vm->out[vm->found++] = m;
    }
    if (x <= high)
        vm->found += high - x + 1;
}

// Makes room for a choice whose other members come later.
#define PUSH(resume)                                                                               \
    do {                                                                                           \
        if (++point == last_point)                                                                 \
            goto too_many_choices;                                                                 \
        point->pc = (resume);                                                                      \
        point->state = s;                                                                          \
        point->move = vm->move;                                                                    \
        point->at = vm->at;                                                                        \
        if (save_count)                                                                            \
            memcpy(SAVED, saved_regs, save_size);                                                  \
    } while (0)
#define SAVED (vm->saved + (point - vm->point) * save_count)
#define RESTORE                                                                                    \
    do {                                                                                           \
        SPEND(p->resume_cost);                                                                     \
        s = point->state;                                                                          \
        vm->move = point->move;                                                                    \
        vm->at = point->at;                                                                        \
        if (save_count)                                                                            \
            memcpy(saved_regs, SAVED, save_size);                                                  \
    } while (0)
// After a member was taken in a resumed choice: keep the choice with the others, or drop it.
#define KEEP(more)                                                                                 \
    do {                                                                                           \
        if (!(more))                                                                               \
            point--;                                                                               \
        else if (save_count)                                                                       \
            memcpy(SAVED, saved_regs, save_size);                                                  \
    } while (0)
#define PUT(n, value)                                                                              \
    do {                                                                                           \
        const VmSite *site_ = &p->site[n];                                                         \
        if (vm->at + site_->bits > IR_MOVE_BITS)                                                   \
            goto too_many_choices;                                                                 \
        vm->at = move_put(&vm->move, vm->at, (value) - (uint64_t)site_->lo, site_->bits);          \
    } while (0)
#define FAIL                                                                                       \
    do {                                                                                           \
        pc = point->pc;                                                                            \
        GO;                                                                                        \
    } while (0)

VmStatus vm_run(Vm *vm, int entry, uint8_t *state) {
#if VM_GOTO
    static const void *const labels[] = {
#define X(op, operands, meaning) &&L_##op,
        VM_OPS(X)
#undef X
    };
#endif
    const VmProgram *const p = vm->p;
    uint64_t *const r = vm->reg;
    const int words = p->words;
    const int save_count = p->save_count;
    const size_t save_size = (size_t)save_count * sizeof *r;
    uint64_t *const saved_regs = r + p->save;
    const VmInsn *pc = p->code + entry;
    uint8_t *s = state;
    VmPoint *point = vm->point;
    VmPoint *const last_point = vm->point + VM_MAX_CHOICES;
    long budget = vm->budget, calls = 0;
    int depth = 0; // of calls

    point->pc = p->code; // HALT
    point->state = state;
    const int me = state[p->game->layout.player];
    r[VM_ME] = (uint64_t)me;
    if (vm->me != me && me < p->players) {
        memcpy(r + p->first_mine, p->mine + me * p->mines, (size_t)p->mines * sizeof *r);
        vm->me = me;
    }
    r[VM_AGAIN] = 0;

#if VM_GOTO
    GO;
#else
dispatch:
    pc++;
    switch ((VmOp)INSN->op) {
    case OP_LAST:
#endif
    CASE(EXT)
    CASE(HALT) {
        return RUN_DONE;
    }
    CASE(NOTE) {
        vm->noted[INSN->a] = true;
        GO;
    }
    CASE(FAIL) FAIL;
    CASE(JUMP) {
        pc += IC;
        GO;
    }
    CASE(BACK) {
        SPEND(-IC);
        pc += IC;
        GO;
    }
    CASE(SWITCH) {
        pc += A;
        GO;
    }
    CASE(RETURN) {
        vm->value = NA;
        return RUN_DONE;
    }
    CASE(CALL) {
        const VmProc *proc = &p->proc[INSN->a];
        SPEND(proc->cost);
        calls = depth ? calls + 1 : 1;
        if (depth == IR_MAX_CALLS)
            return fault(vm, INSN, "the rules call themselves too deeply");
        if (calls > IR_MOST_CALLS)
            return fault(vm, INSN, "the rules call themselves too often");
        size_t size = (size_t)proc->regs * sizeof *r;
        memcpy(vm->call_regs + (size_t)depth * (size_t)p->proc_regs, r + proc->first, size);
        memset(r + proc->first, 0, size);
        vm->call[depth++] = (VmCall){pc, proc};
        pc = p->code + proc->entry;
        GO;
    }
    CASE(LEAVE) {
        const VmCall *call = &vm->call[--depth];
        memcpy(r + call->proc->first, vm->call_regs + (size_t)depth * (size_t)p->proc_regs,
               (size_t)call->proc->regs * sizeof *r);
        pc = call->pc;
        GO;
    }
    CASE(FAULT) {
        vm->fault = (VmFault){p->unmet[INSN->a].why, p->unmet[INSN->a].span};
        return RUN_FAULT;
    }

    CASE(JZ) JUMP_IF(A == 0);
    CASE(JNZ) JUMP_IF(A != 0);
    CASE(JEQ) JUMP_IF(A == B);
    CASE(JNE) JUMP_IF(A != B);
    CASE(JLT) JUMP_IF(NA < NB);
    CASE(JLE) JUMP_IF(NA <= NB);
    CASE(JBIT) JUMP_IF(has_bit(A, B));
    CASE(JNBIT) JUMP_IF(!has_bit(A, B));
    CASE(JBIT_N) JUMP_IF(has_bit_n(SA, B, words));
    CASE(JNBIT_N) JUMP_IF(!has_bit_n(SA, B, words));
    CASE(JSOME_N) JUMP_IF(some(SA, words));
    CASE(JNONE_N) JUMP_IF(!some(SA, words));
    CASE(JSAME_N) JUMP_IF(same(SA, SB, words));
    CASE(JDIFFER_N) JUMP_IF(!same(SA, SB, words));
    CASE(JMEET) JUMP_IF((A & B) != 0);
    CASE(JAPART) JUMP_IF((A & B) == 0);
    CASE(JMEET_N) JUMP_IF(meet(SA, SB, words));
    CASE(JAPART_N) JUMP_IF(!meet(SA, SB, words));
    CASE(JWITHIN) JUMP_IF((A & ~B) == 0);
    CASE(JBEYOND) JUMP_IF((A & ~B) != 0);
    CASE(JWITHIN_N) JUMP_IF(within(SA, SB, words));
    CASE(JBEYOND_N) JUMP_IF(!within(SA, SB, words));
    CASE(JLINE) {
        SPEND(p->line_cost);
        JUMP_IF(some_line_1(p, A, B));
    }
    CASE(JNLINE) {
        SPEND(p->line_cost);
        JUMP_IF(!some_line_1(p, A, B));
    }
    CASE(JLINE_N) {
        SPEND(p->line_cost);
        JUMP_IF(some_line(p, A, SB));
    }
    CASE(JNLINE_N) {
        SPEND(p->line_cost);
        JUMP_IF(!some_line(p, A, SB));
    }
    CASE(JLINES)
    CASE(JLINES_N) {
        SPEND(p->game->board->lines);
        JUMP_IF(any_line(p, SA));
    }
    CASE(JNLINES)
    CASE(JNLINES_N) {
        SPEND(p->game->board->lines);
        JUMP_IF(!any_line(p, SA));
    }

    CASE(MOVE) {
        A = B;
        GO;
    }
    CASE(MOVE_N) {
        EACH_WORD SA[w] = SB[w];
        GO;
    }
    CASE(INT) {
        A = (uint64_t)(int64_t)IB;
        GO;
    }
    CASE(ZERO_N) {
        EACH_WORD SA[w] = 0;
        GO;
    }
    CASE(LOAD_U8) {
        A = s[INSN->b];
        GO;
    }
    CASE(LOAD_I8) {
        A = (uint64_t)LOAD(int8_t);
        GO;
    }
    CASE(LOAD_U16) {
        A = (uint64_t)LOAD(uint16_t);
        GO;
    }
    CASE(LOAD_I16) {
        A = (uint64_t)LOAD(int16_t);
        GO;
    }
    CASE(LOAD_I32) {
        A = (uint64_t)LOAD(int32_t);
        GO;
    }
    CASE(LOAD_64) {
        A = *PLANE(INSN->b);
        GO;
    }
    CASE(LOAD_N) {
        EACH_WORD SA[w] = PLANE(INSN->b)[w];
        GO;
    }
    CASE(LOADX_U8) LOADX(uint8_t);
    CASE(LOADX_I8) LOADX(int8_t);
    CASE(LOADX_U16) LOADX(uint16_t);
    CASE(LOADX_I16) LOADX(int16_t);
    CASE(LOADX_I32) LOADX(int32_t);
    CASE(LOADX_64) LOADX(int64_t);
    CASE(LOADX_N) {
        const VmField *field = &p->field[INSN->c];
        uint64_t n = B - (uint64_t)field->base;
        if (n < field->count)
            memcpy(SA, s + field->offset + n * field->width, field->width);
        else
            EACH_WORD SA[w] = 0;
        GO;
    }
    CASE(BITX) {
        A = has_bit_n(PLANE(INSN->c), B, words);
        GO;
    }
    CASE(TABLE) {
        const VmView *view = &p->view[INSN->c];
        uint64_t n = B - (uint64_t)view->base[0];
        A = n < view->size[0] ? (uint64_t)(int64_t)view->numbers[n * view->stride] : 0;
        GO;
    }
    CASE(TABLE2) {
        const VmView *view = &p->view[pc->a];
        uint64_t n = B - (uint64_t)view->base[0], m = C - (uint64_t)view->base[1];
        bool in = n < view->size[0] && m < view->size[1];
        A = in ? (uint64_t)(int64_t)view->numbers[n * view->stride + m] : 0;
        pc++;
        GO;
    }
    CASE(SETS) {
        const VmView *view = &p->view[INSN->c];
        uint64_t n = B - (uint64_t)view->base[0];
        A = n < view->size[0] ? view->sets[n * view->stride] : 0;
        GO;
    }
    CASE(SETS_N) {
        const VmView *view = &p->view[INSN->c];
        uint64_t n = B - (uint64_t)view->base[0];
        if (n < view->size[0])
            memcpy(SA, view->sets + n * view->stride * (uint64_t)words, (size_t)words * 8);
        else
            EACH_WORD SA[w] = 0;
        GO;
    }
    CASE(SETS2) {
        const VmView *view = &p->view[pc->a];
        uint64_t n = B - (uint64_t)view->base[0], m = C - (uint64_t)view->base[1];
        if (n < view->size[0] && m < view->size[1])
            memcpy(SA, view->sets + (n * view->stride + m) * (uint64_t)words, (size_t)words * 8);
        else
            EACH_WORD SA[w] = 0;
        pc++;
        GO;
    }
    CASE(ADD) {
        A = B + C;
        GO;
    }
    CASE(SUB) {
        A = B - C;
        GO;
    }
    CASE(MUL) {
        A = B * C;
        GO;
    }
    CASE(DIV) {
        A = (uint64_t)quotient(NB, NC);
        GO;
    }
    CASE(MOD) {
        A = (uint64_t)remainder_of(NB, NC);
        GO;
    }
    CASE(NEG) {
        A = 0 - B;
        GO;
    }
    CASE(WRAP) {
        A = (uint64_t)(int64_t)(int32_t)(uint32_t)B;
        GO;
    }
    CASE(ABS) {
        A = NB < 0 ? 0 - B : B;
        GO;
    }
    CASE(LOWER) {
        A = NB < NC ? B : C;
        GO;
    }
    CASE(HIGHER) {
        A = NB > NC ? B : C;
        GO;
    }
    CASE(INC) {
        A++;
        GO;
    }

    CASE(OCCUPIED) {
        SPEND(p->board_cost);
        const uint64_t *plane = PLANE(0);
        uint64_t sum = 0;
        for (int n = 0; n < p->planes; n++)
            sum |= plane[n];
        A = sum;
        GO;
    }
    CASE(EMPTY) {
        SPEND(p->board_cost);
        const uint64_t *plane = PLANE(0);
        uint64_t sum = 0;
        for (int n = 0; n < p->planes; n++)
            sum |= plane[n];
        A = p->all[0] & ~sum;
        GO;
    }
    CASE(OCCUPIED_N) {
        SPEND(p->board_cost);
        occupied(p, s, SA);
        GO;
    }
    CASE(EMPTY_N) {
        SPEND(p->board_cost);
        occupied(p, s, SA);
        EACH_WORD SA[w] = p->all[w] & ~SA[w];
        GO;
    }
    CASE(LIST) {
        SPEND(p->board_cost);
        union_list(p, s, p->list[INSN->b], SA);
        GO;
    }
    CASE(PLANEX) {
        VmList list = p->list[INSN->c + B];
        A = list.count ? *PLANE(p->list_offset[list.first]) : 0;
        GO;
    }
    CASE(LISTX) {
        SPEND(p->board_cost);
        union_list(p, s, p->list[INSN->c + B], SA);
        GO;
    }
    CASE(KIND_AT) {
        SPEND(p->board_cost);
        int plane = top_plane(p, s, B);
        A = (uint64_t)(plane < 0 ? p->game->kinds : p->game->plane[plane].kind);
        GO;
    }
    CASE(OWNER_AT) {
        SPEND(p->board_cost);
        int plane = top_plane(p, s, B);
        A = (uint64_t)(plane < 0 ? p->players : p->game->plane[plane].owner);
        GO;
    }
    CASE(KIND_IN) {
        int plane = vm_plane_in(p, s, B, NC);
        A = (uint64_t)(plane < 0 ? p->game->kinds : p->game->plane[plane].kind);
        GO;
    }
    CASE(OWNER_IN) {
        int plane = vm_plane_in(p, s, B, NC);
        A = (uint64_t)(plane < 0 ? p->players : p->game->plane[plane].owner);
        GO;
    }
    CASE(HEIGHT) {
        A = (uint64_t)vm_height(p, s, B);
        GO;
    }

    CASE(AND) {
        A = B & C;
        GO;
    }
    CASE(OR) {
        A = B | C;
        GO;
    }
    CASE(ANDN) {
        A = B & ~C;
        GO;
    }
    CASE(AND_N) {
        EACH_WORD SA[w] = SB[w] & SC[w];
        GO;
    }
    CASE(OR_N) {
        EACH_WORD SA[w] = SB[w] | SC[w];
        GO;
    }
    CASE(ANDN_N) {
        EACH_WORD SA[w] = SB[w] & ~SC[w];
        GO;
    }
    CASE(SINGLE) {
        A = B < INSN->c ? (uint64_t)1 << (B & 63) : 0;
        GO;
    }
    CASE(SINGLE_N) {
        uint64_t bit = B;
        EACH_WORD SA[w] = 0;
        if (bit < INSN->c)
            SA[bit >> 6] = (uint64_t)1 << (bit & 63);
        GO;
    }
    CASE(ADDBIT) {
        if (B < 64)
            A |= (uint64_t)1 << B;
        GO;
    }
    CASE(ADDBIT_N) {
        uint64_t bit = B;
        if (bit < 64 * (uint64_t)words)
            SA[bit >> 6] |= (uint64_t)1 << (bit & 63);
        GO;
    }
    CASE(COUNT) {
        A = (uint64_t)bits_count(B);
        GO;
    }
    CASE(COUNT_N) {
        A = (uint64_t)count(SB, words);
        GO;
    }
    CASE(FIRST) {
        A = B ? (uint64_t)bits_lowest(B) : INSN->c;
        GO;
    }
    CASE(FIRST_N) {
        uint64_t first = INSN->c;
        for (int w = words - 1; w >= 0; w--)
            if (SB[w])
                first = 64 * (uint64_t)w + (uint64_t)bits_lowest(SB[w]);
        A = first;
        GO;
    }
    CASE(IMAGE) {
        const VmView *view = &p->view[INSN->c];
        uint64_t sum = 0;
        for (uint64_t left = B; left;) {
            uint64_t cell = (uint64_t)bits_pop(&left);
            if (cell < view->size[0])
                sum |= view->sets[cell * view->stride];
        }
        A = sum;
        GO;
    }
    CASE(IMAGE_N) {
        SPEND(p->cells);
        image(p, &p->view[INSN->c], SB, SA);
        GO;
    }
    CASE(STEPS) {
        SPEND(p->cells);
        steps(p, &p->view[pc->a], SB, C, SA);
        pc++;
        GO;
    }
    CASE(SHIFT) {
        A = shift(p, B, C);
        GO;
    }
    CASE(UNSHIFT) {
        A = unshift(p, B, C);
        GO;
    }
    CASE(SHIFTS) {
        A = shifts(p, B, C);
        GO;
    }
    CASE(HOPS) {
        A = hops(p, B, C, r[pc->a]);
        pc++;
        GO;
    }
    CASE(RAY_WHILE) {
        SPEND(p->ray_cost);
        if (words == 1 && p->ray)
            A = ray_1(p, B, C, ~r[pc->a], false);
        else
            ray_while(p, B, C, &r[pc->a], SA);
        pc++;
        GO;
    }
    CASE(RAY_UNTIL) {
        SPEND(p->ray_cost);
        if (words == 1 && p->ray)
            A = ray_1(p, B, C, r[pc->a], true);
        else
            ray_until(p, B, C, &r[pc->a], SA);
        pc++;
        GO;
    }
    CASE(SLIDE) {
        SPEND(8 * p->ray_cost);
        if (words == 1 && p->ray)
            A = slide_1(p, B, C, pc->b ? ~r[pc->a] : r[pc->a], !pc->b);
        else
            slide(p, B, C, &r[pc->a], !pc->b, SA);
        pc++;
        GO;
    }
    CASE(PAST) {
        SPEND(p->ray_cost);
        if (words == 1 && p->ray)
            A = past_1(p, B, C, r[pc->a]);
        else
            A = past(p, B, C, &r[pc->a]);
        pc++;
        GO;
    }
    CASE(FLOOD) {
        SPEND(p->cells * words);
        flood(p, SB, SC, SA);
        GO;
    }

    CASE(EACH) {
        uint64_t set = B;
        if (set) {
            SA[1] = (uint64_t)bits_pop(&set);
            SA[0] = set;
        } else {
            pc += IC;
        }
        GO;
    }
    CASE(NEXT) {
        if (SA[0]) {
            SA[1] = (uint64_t)bits_pop(&SA[0]);
            SPEND(-IC);
            pc += IC;
        }
        GO;
    }
    CASE(EACH_N) {
        EACH_WORD SA[w] = SB[w];
        int first = pop(SA, words);
        if (first >= 0)
            SA[words] = (uint64_t)first;
        else
            pc += IC;
        GO;
    }
    CASE(NEXT_N) {
        int next = pop(SA, words);
        if (next >= 0) {
            SA[words] = (uint64_t)next;
            SPEND(-IC);
            pc += IC;
        }
        GO;
    }
    CASE(NEXT_INT) {
        if ((int64_t)SA[1] < (int64_t)SA[0]) {
            SA[1]++;
            SPEND(-IC);
            pc += IC;
        }
        GO;
    }
    CASE(LINES) {
        const Board *b = p->game->board;
        uint64_t cell = B < (uint64_t)p->cells ? B : (uint64_t)p->cells;
        SA[0] = (uint64_t)b->through_start[cell];
        SA[2] = (uint64_t)b->through_start[cell + 1];
        if (SA[0] < SA[2])
            SA[1] = (uint64_t)b->through[SA[0]++];
        else
            pc += IC;
        GO;
    }
    CASE(NEXT_LINE) {
        if (SA[0] < SA[2]) {
            SA[1] = (uint64_t)p->game->board->through[SA[0]++];
            SPEND(-IC);
            pc += IC;
        }
        GO;
    }
    CASE(ZERO_W) {
        for (int w = 0; w < IB; w++)
            SA[w] = 0;
        GO;
    }
    CASE(ADDBIT_W) {
        if (B < 64 * (uint64_t)IC)
            SA[B >> 6] |= (uint64_t)1 << (B & 63);
        GO;
    }
    CASE(NEXT_W) {
        int next = pop(SA, IB);
        if (next >= 0) {
            SA[IB] = (uint64_t)next;
            SPEND(IB - IC);
            pc += IC;
        }
        GO;
    }
    CASE(ROUND) {
        if (A == 0)
            pc += IC;
        else
            A--;
        GO;
    }

    CASE(FORK) {
        if (s == point->state) {
            uint8_t *copy = s == state ? vm->states : s + p->game->layout.size;
            copy_state(copy, s, p->game->layout.size);
            s = copy;
        }
        GO;
    }
    CASE(STORE_8) {
        s[INSN->b] = (uint8_t)A;
        GO;
    }
    CASE(STORE_16) {
        *(uint16_t *)(void *)(s + INSN->b) = (uint16_t)A;
        GO;
    }
    CASE(STORE_32) {
        *(uint32_t *)(void *)(s + INSN->b) = (uint32_t)A;
        GO;
    }
    CASE(STORE_64) {
        *PLANE(INSN->b) = A;
        GO;
    }
    CASE(STORE_N) {
        EACH_WORD PLANE(INSN->b)[w] = SA[w];
        GO;
    }
    CASE(STOREX) {
        const VmField *field = &p->field[INSN->c];
        uint64_t n = B - (uint64_t)field->base;
        if (n >= field->count)
            return bad_index(vm, INSN, field, NB);
        store(s, field, n, SA);
        GO;
    }
    CASE(CHECK) {
        if (NA < p->range[INSN->b].lo || NA > p->range[INSN->b].hi)
            return bad_range(vm, INSN, INSN->b, NA);
        GO;
    }
    CASE(SET_ATTR) {
        if (B < (uint64_t)p->cells && !vm_set_attr(vm, s, INSN->c, (int)B, NA))
            return fault(vm, INSN, vm->message);
        GO;
    }
    CASE(PLANE_OF) {
        int plane = p->plane_of[B * (uint64_t)(p->players + 1) + C];
        if (plane < 0)
            return fault(vm, INSN, "there is no such piece of that owner");
        A = (uint64_t)plane;
        GO;
    }
    CASE(PLACE_1) {
        if (A < 64) {
            uint64_t bit = (uint64_t)1 << A & p->all[0];
            uint64_t *plane = PLANE(0);
            for (int n = 0; n < p->planes; n++)
                plane[n] &= ~bit;
            plane[B] |= bit;
        }
        GO;
    }
    CASE(MOVE_1) {
        if (A < (uint64_t)p->cells && B < (uint64_t)p->cells && A != B) {
            uint64_t *plane = PLANE(0);
            uint64_t others = ~((uint64_t)1 << A | (uint64_t)1 << B);
            for (int n = 0; n < p->planes; n++)
                plane[n] = (plane[n] & others) | (plane[n] >> A & 1) << B;
        }
        GO;
    }
    CASE(REMOVE_1) {
        if (A < 64) {
            uint64_t *plane = PLANE(0);
            for (int n = 0; n < p->planes; n++)
                plane[n] &= ~((uint64_t)1 << A);
        }
        GO;
    }
    CASE(CHANGE_1) {
        if (A < 64)
            change_set(p, PLANE(0), (uint64_t)1 << A, B);
        GO;
    }
    CASE(PLACE_SET_1) {
        place_set(p, PLANE(0), A, B);
        GO;
    }
    CASE(CHANGE_SET_1) {
        change_set(p, PLANE(0), A, B);
        GO;
    }
    CASE(REMOVE_SET_1) {
        uint64_t *plane = PLANE(0);
        for (int n = 0; n < p->planes; n++)
            plane[n] &= ~A;
        GO;
    }
    CASE(PLACE) {
        SPEND(p->board_cost);
        if (A < (uint64_t)p->cells && !vm_place(vm, s, (int)A, (int)B))
            return fault(vm, INSN, vm->message);
        GO;
    }
    CASE(PLACE_SET) {
        SPEND(p->cells * (p->board_cost + 1));
        for (int w = 0; w < words; w++)
            for (uint64_t set = SA[w]; set;)
                if (!vm_place(vm, s, 64 * w + bits_pop(&set), (int)B))
                    return fault(vm, INSN, vm->message);
        GO;
    }
    CASE(CHANGE) {
        SPEND(p->board_cost);
        if (A < (uint64_t)p->cells)
            vm_change(vm, s, (int)A, (int)B);
        GO;
    }
    CASE(CHANGE_SET) {
        SPEND(p->cells * (p->board_cost + 1));
        for (int w = 0; w < words; w++)
            for (uint64_t set = SA[w]; set;)
                vm_change(vm, s, 64 * w + bits_pop(&set), (int)B);
        GO;
    }
    CASE(REMOVE) {
        SPEND(p->board_cost);
        if (A < (uint64_t)p->cells)
            vm_remove(vm, s, (int)A);
        GO;
    }
    CASE(REMOVE_SET) {
        SPEND(p->cells * (p->board_cost + 1));
        for (int w = 0; w < words; w++)
            for (uint64_t set = SA[w]; set;)
                vm_remove(vm, s, 64 * w + bits_pop(&set));
        GO;
    }
    CASE(CLEAR) {
        SPEND(p->board_cost);
        if (A < (uint64_t)p->cells)
            vm_clear(vm, s, (int)A);
        GO;
    }
    CASE(CLEAR_SET) {
        SPEND(p->cells * (p->board_cost + 1));
        for (int w = 0; w < words; w++)
            for (uint64_t set = SA[w]; set;)
                vm_clear(vm, s, 64 * w + bits_pop(&set));
        GO;
    }
    CASE(MOVE_PIECE) {
        SPEND(p->board_cost);
        if (A < (uint64_t)p->cells && B < (uint64_t)p->cells && A != B)
            vm_move(vm, s, (int)A, (int)B);
        GO;
    }
    CASE(MOVE_STACK) {
        SPEND(p->board_cost);
        if (A < (uint64_t)p->cells && B < (uint64_t)p->cells && A != B &&
            !vm_move_stack(vm, s, (int)A, (int)B, NC))
            return fault(vm, INSN, vm->message);
        GO;
    }
    CASE(MOVE_TOP) {
        SPEND(p->board_cost);
        if (A < (uint64_t)p->cells && B < (uint64_t)p->cells && A != B &&
            !vm_move_stack(vm, s, (int)A, (int)B, vm_height(p, s, A) - 1))
            return fault(vm, INSN, vm->message);
        GO;
    }
    CASE(SCATTER) {
        SPEND(p->cells * (p->board_cost + 1));
        if (!vm_scatter(vm, s, SA, NB, (int)C, r[pc->a]))
            return fault(vm, INSN, vm->message);
        pc++;
        GO;
    }

    CASE(CHOOSE) {
        uint64_t set = B;
        if (set == 0)
            FAIL;
        SA[1] = (uint64_t)bits_pop(&set);
        SA[0] = set;
        if (set)
            PUSH(pc);
        PUT(INSN->c, SA[1]);
        pc++;
        GO;
    }
    CASE(CHOOSE_NEXT) {
        RESTORE;
        SA[1] = (uint64_t)bits_pop(&SA[0]);
        KEEP(SA[0]);
        PUT(INSN->c, SA[1]);
        GO;
    }
    CASE(CHOOSE_N) {
        EACH_WORD SA[w] = SB[w];
        int first = pop(SA, words);
        if (first < 0)
            FAIL;
        SA[words] = (uint64_t)first;
        if (some(SA, words))
            PUSH(pc);
        PUT(INSN->c, SA[words]);
        pc++;
        GO;
    }
    CASE(CHOOSE_NEXT_N) {
        RESTORE;
        SA[words] = (uint64_t)pop(SA, words);
        KEEP(some(SA, words));
        PUT(INSN->c, SA[words]);
        GO;
    }
    CASE(CHOOSE_INT) {
        if ((int64_t)SA[1] > (int64_t)SA[0])
            FAIL;
        if ((int64_t)SA[1] < (int64_t)SA[0])
            PUSH(pc);
        PUT(INSN->c, SA[1]);
        pc++;
        GO;
    }
    CASE(CHOOSE_NEXT_INT) {
        RESTORE;
        SA[1]++;
        KEEP((int64_t)SA[1] < (int64_t)SA[0]);
        PUT(INSN->c, SA[1]);
        GO;
    }
    CASE(CHOOSE_LINE) {
        const Board *b = p->game->board;
        uint64_t cell = B < (uint64_t)p->cells ? B : (uint64_t)p->cells;
        SA[0] = (uint64_t)b->through_start[cell];
        SA[2] = (uint64_t)b->through_start[cell + 1];
        if (SA[0] == SA[2])
            FAIL;
        SA[1] = (uint64_t)b->through[SA[0]++];
        if (SA[0] < SA[2])
            PUSH(pc);
        PUT(INSN->c, SA[1]);
        pc++;
        GO;
    }
    CASE(CHOOSE_NEXT_LINE) {
        RESTORE;
        SA[1] = (uint64_t)p->game->board->through[SA[0]++];
        KEEP(SA[0] < SA[2]);
        PUT(INSN->c, SA[1]);
        GO;
    }
    CASE(BRANCH) {
        PUSH(pc + IC);
        PUT(INSN->a, INSN->b);
        GO;
    }
    CASE(BRANCH_NEXT) {
        RESTORE;
        point->pc = pc + IC;
        PUT(INSN->a, INSN->b);
        GO;
    }
    CASE(BRANCH_LAST) {
        RESTORE;
        point--;
        PUT(INSN->a, INSN->b);
        GO;
    }
    CASE(BRANCH_ONLY) {
        PUT(INSN->a, INSN->b);
        GO;
    }
    CASE(EMIT) {
        if (vm->found < vm->cap)
            vm->out[vm->found] = vm->move;
        if (++vm->found >= vm->stop_at)
            goto enough;
        FAIL;
    }
    CASE(EMIT_SET) {
        const VmSite *site = &p->site[INSN->c];
        if (vm->at + site->bits > IR_MOVE_BITS)
            goto too_many_choices;
        emit_word(vm, site, A, 0);
        if (vm->found >= vm->stop_at)
            goto enough;
        FAIL;
    }
    CASE(EMIT_SET_N) {
        const VmSite *site = &p->site[INSN->c];
        if (vm->at + site->bits > IR_MOVE_BITS)
            goto too_many_choices;
        EACH_WORD emit_word(vm, site, SA[w], 64 * w);
        if (vm->found >= vm->stop_at)
            goto enough;
        FAIL;
    }
    CASE(EMIT_INT) {
        const VmSite *site = &p->site[INSN->c];
        if (vm->at + site->bits > IR_MOVE_BITS)
            goto too_many_choices;
        emit_range(vm, site, NA, NB);
        if (vm->found >= vm->stop_at)
            goto enough;
        FAIL;
    }

    CASE(READ) {
        VmStatus status = read_choice(vm, INSN->c, &A);
        if (status != RUN_DONE)
            return status;
        GO;
    }
    CASE(NAME) {
        if (vm->mode == MODE_PLAY) {
            if (vm->recorded < vm->record_cap)
                vm->record[vm->recorded] = (VmChoice){INSN->c, (int64_t)A};
            vm->recorded++;
        }
        GO;
    }
    CASE(REFUSE) {
        if (vm->mode == MODE_PLAY)
            return RUN_ILLEGAL;
        vm->used--;
        GO;
    }
    CASE(PROBE) {
        const IrSite *site = &p->game->site[INSN->c];
        if (IB >= 0) {
            vm->stop.why = site->probes[IB].text;
            vm->stop.span = site->probes[IB].span;
        }
        return RUN_REFUSED;
    }
    CASE(UNMET) {
        vm->stop.why = p->unmet[INSN->a].why;
        vm->stop.span = p->unmet[INSN->a].span;
        return RUN_UNMET;
    }
    CASE(TURN_END) {
        if (vm->mode != MODE_PLAY)
            return RUN_DONE;
        if (!rest_is_zero(vm->move, vm->at))
            return RUN_ILLEGAL;
        if (vm->record)
            return RUN_DONE;
        GO;
    }

    CASE(WINS) {
        vm->value = RESULT_OVER | (A < (uint64_t)p->players ? 1 << A : 0);
        return RUN_DONE;
    }
    CASE(LOSES) {
        vm->value = RESULT_OVER;
        if (A < (uint64_t)p->players)
            vm->value |= ((1 << p->players) - 1) & ~(1 << A);
        return RUN_DONE;
    }
    CASE(DRAW) {
        vm->value = RESULT_OVER;
        return RUN_DONE;
    }
    CASE(SCORE) {
        // SC[0] the best so far, SC[1] the players who have it; SC[1] == 0: nobody yet.
        if (SC[1] == 0 || NA > NC) {
            SC[0] = A;
            SC[1] = (uint64_t)1 << IB;
        } else if (A == C) {
            SC[1] |= (uint64_t)1 << IB;
        }
        GO;
    }
    CASE(LEADER) {
        vm->value = RESULT_OVER | (bits_count(SA[1]) == 1 ? (int64_t)SA[1] : 0);
        return RUN_DONE;
    }
#if !VM_GOTO
}
#endif

enough : if (vm->found <= VM_MAX_MOVES) return RUN_DONE;
return fault(vm, INSN, "there are more than a million moves");
out_of_steps : return fault(vm, INSN, "the rules take too many steps");
too_many_choices : return fault(vm, INSN, "a move has too many choices");
}
