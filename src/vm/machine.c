// machine: the calls of vm.h: sets up a run, starts the loop, makes sense of how it ended.
#include "base/now.h"
#include "vm/code.h"

#include <string.h>

Vm *vm_new(const VmProgram *p) {
    size_t size = (size_t)p->game->layout.size;
    Vm *vm = mem_alloc(sizeof *vm);
    if (!vm)
        return NULL;
    vm->p = p;
    vm->me = -1;
    vm->limit = VM_STEPS;
    size_t input = p->game->input ? (size_t)p->game->input->frame.slots : 0;
    vm->reg = mem_alloc((size_t)(p->regs + 1) * sizeof *vm->reg);
    vm->point = mem_alloc((VM_MAX_CHOICES + 1) * sizeof *vm->point);
    vm->saved = mem_alloc((VM_MAX_CHOICES + 1) * (size_t)(p->save_count + 1) * sizeof *vm->saved);
    // A choice leaves its state alone, so there is one more copy than choices.
    vm->states = mem_alloc((VM_MAX_CHOICES + 2) * size);
    bool calls = p->game->procs > 0;
    if (calls) {
        vm->call = mem_alloc(IR_MAX_CALLS * sizeof *vm->call);
        vm->call_regs = mem_alloc(IR_MAX_CALLS * (size_t)(p->proc_regs + 1) * sizeof(uint64_t));
    }
    vm->scratch = mem_alloc(size);
    vm->input_state = mem_alloc(size);
    vm->input = mem_alloc((input + 1) * BOARD_MAX_WORDS * sizeof *vm->input);
    vm->noted = p->notes ? mem_alloc((size_t)p->notes) : NULL;
    if (!vm->reg || !vm->point || !vm->saved || !vm->states || !vm->scratch || !vm->input_state ||
        !vm->input || (p->notes && !vm->noted) || (calls && (!vm->call || !vm->call_regs))) {
        vm_free(vm);
        return NULL;
    }
    if (p->consts)
        memcpy(vm->reg + p->first_const, p->constant, (size_t)p->consts * sizeof *vm->reg);
    return vm;
}

void vm_free(Vm *vm) {
    if (!vm)
        return;
    mem_free(vm->reg);
    mem_free(vm->point);
    mem_free(vm->saved);
    mem_free(vm->states);
    mem_free(vm->call);
    mem_free(vm->call_regs);
    mem_free(vm->scratch);
    mem_free(vm->input_state);
    mem_free(vm->input);
    mem_free(vm->noted);
    mem_free(vm);
}

VmFault vm_fault(const Vm *vm) {
    return vm->fault;
}

void vm_limit(Vm *vm, long steps, double seconds) {
    vm->limit = steps > 0 && steps < VM_STEPS ? steps : VM_STEPS;
    vm->deadline = seconds > 0 ? now_seconds() + seconds : 0;
}

bool vm_noted(const Vm *vm, Span at) {
    for (int i = 0; i < vm->p->notes; i++)
        if (vm->noted[i] && vm->p->note[i].line == at.line && vm->p->note[i].column == at.column)
            return true;
    return false;
}

static void begin(Vm *vm) {
    bool late = vm->deadline > 0 && now_seconds() > vm->deadline;
    vm->budget = late ? 0 : vm->limit;
    vm->fault = (VmFault){NULL, {0, 0, 0}};
    vm->out = NULL;
    vm->cap = vm->found = 0;
    vm->stop_at = VM_MAX_MOVES + 1;
    vm->mode = MODE_PLAY;
    vm->move = (Move){{0, 0}};
    vm->at = 0;
    vm->values = NULL;
    vm->value_count = vm->used = 0;
    vm->record = NULL;
    vm->record_cap = vm->recorded = 0;
    vm->value = 0;
}

// --- setup ---

static void put_initial(uint8_t *state, const IrVar *v, int words) {
    for (int n = 0; n < (v->indexed ? v->count : 1); n++) {
        uint8_t *to = state + v->offset + n * v->width;
        if (v->type.kind == TY_SET) {
            if (v->initial_sets)
                memcpy(to, v->initial_sets + n * words, (size_t)words * 8);
            continue;
        }
        int64_t x = v->initial ? v->initial[n] : 0;
        switch (v->width) {
        case 1: *to = (uint8_t)x; break;
        case 2: *(uint16_t *)(void *)to = (uint16_t)x; break;
        case 4: *(uint32_t *)(void *)to = (uint32_t)x; break;
        default: *(uint64_t *)(void *)to = (uint64_t)x; break;
        }
    }
}

static void put_empty_stacks(uint8_t *state, const IrGame *g) {
    const IrLayout *l = &g->layout;
    for (int cell = 0; l->stack_width > 0 && cell < g->board->cells; cell++) {
        uint8_t *to = state + l->stack_offset + cell * l->stack_width;
        switch (l->stack_width) {
        case 1: *to = 1; break;
        case 2: *(uint16_t *)(void *)to = 1; break;
        case 4: *(uint32_t *)(void *)to = 1; break;
        default: *(uint64_t *)(void *)to = 1; break;
        }
    }
}

bool vm_setup(Vm *vm, uint8_t *state) {
    const IrGame *g = vm->p->game;
    begin(vm);
    memset(state, 0, (size_t)g->layout.size);
    for (int n = 0; n < g->vars; n++)
        put_initial(state, &g->var[n], vm->p->words);
    put_empty_stacks(state, g);
    return vm_run(vm, vm->p->setup, state) == RUN_DONE;
}

// --- moves ---

// The state is given to generate, which only ever writes copies of it.
static uint8_t *borrowed(const uint8_t *state) {
    return (uint8_t *)(uintptr_t)state;
}

int vm_moves(Vm *vm, const uint8_t *state, Move *out, int cap) {
    begin(vm);
    vm->out = out;
    vm->cap = cap;
    if (vm_run(vm, vm->p->generate, borrowed(state)) != RUN_DONE)
        return -1;
    return (int)vm->found;
}

int64_t vm_count(Vm *vm, const uint8_t *state) {
    return vm_moves(vm, state, NULL, 0);
}

int vm_any(Vm *vm, const uint8_t *state) {
    begin(vm);
    vm->stop_at = 1;
    if (vm_run(vm, vm->p->generate, borrowed(state)) != RUN_DONE)
        return -1;
    return vm->found > 0;
}

static void next_player(const VmProgram *p, uint8_t *state) {
    uint8_t *player = state + p->game->layout.player;
    *player = (uint8_t)(*player + 1 < p->players ? *player + 1 : 0);
}

bool vm_apply(Vm *vm, const uint8_t *from, Move move, uint8_t *to) {
    const VmProgram *p = vm->p;
    size_t size = (size_t)p->game->layout.size;
    begin(vm);
    if (move_is_pass(move)) {
        if (!move_equal(move, MOVE_PASS))
            return false;
        memmove(to, from, size);
        next_player(p, to);
        return true;
    }
    vm->move = move;
    memcpy(vm->scratch, from, size);
    if (vm_run(vm, p->apply, vm->scratch) != RUN_DONE)
        return false;
    vm->scratch[p->game->layout.result] = (uint8_t)vm->value;
    uint64_t next = vm->reg[VM_AGAIN] - VM_NEXT; // the player that ST_NEXT names
    if (next < (uint64_t)p->players)
        vm->scratch[p->game->layout.player] = (uint8_t)next;
    else if (vm->reg[VM_AGAIN] != 1)
        next_player(p, vm->scratch);
    memcpy(to, vm->scratch, size);
    return true;
}

int vm_stuck(Vm *vm, const uint8_t *state, bool all) {
    begin(vm);
    int entry = all ? vm->p->all_stuck : vm->p->stuck;
    if (vm_run(vm, entry, borrowed(state)) != RUN_DONE)
        return -1;
    return (int)vm->value;
}

int vm_choices(Vm *vm, const uint8_t *state, Move move, VmChoice *out, int cap) {
    VmChoice none[1];
    begin(vm);
    if (move_is_pass(move))
        return 0;
    vm->move = move;
    vm->record = out ? out : none;
    vm->record_cap = out ? cap : 0;
    memcpy(vm->scratch, state, (size_t)vm->p->game->layout.size);
    VmStatus status = vm_run(vm, vm->p->apply, vm->scratch);
    vm->record = NULL;
    // A move that was found has no fault before its last choice, and later ones are not asked for.
    bool told = status == RUN_DONE || (status == RUN_FAULT && vm->recorded > 0);
    return told ? vm->recorded : -1;
}

VmStop vm_follow(Vm *vm, const uint8_t *state, const int64_t *values, int count) {
    begin(vm);
    vm->mode = MODE_FOLLOW;
    vm->values = values;
    vm->value_count = count;
    vm->stop = (VmStop){.site = -1};
    memcpy(vm->scratch, state, (size_t)vm->p->game->layout.size);
    VmStatus status = vm_run(vm, vm->p->apply, vm->scratch);
    VmStop *stop = &vm->stop;
    stop->index = vm->used;
    stop->move = vm->move;
    switch (status) {
    case RUN_DONE: stop->kind = VM_DONE; break;
    case RUN_ASKS: stop->kind = VM_ASKS; break;
    case RUN_UNMET: stop->kind = VM_FAILED; break;
    case RUN_ILLEGAL:
    case RUN_REFUSED:
        stop->kind = VM_REFUSED;
        if (!stop->why)
            stop->span = vm->p->game->site[stop->site].span;
        break;
    case RUN_FAULT:
        stop->kind = VM_FAULT;
        stop->why = vm->fault.message;
        stop->span = vm->fault.span;
        break;
    }
    return *stop;
}

// --- input ---

void vm_input_begin(Vm *vm, const uint8_t *state) {
    begin(vm);
    memcpy(vm->input_state, state, (size_t)vm->p->game->layout.size);
    if (vm->p->game->input)
        memset(vm->input, 0,
               (size_t)vm->p->game->input->frame.slots * BOARD_MAX_WORDS * sizeof *vm->input);
}

void vm_input_set(Vm *vm, int slot, int64_t value) {
    vm->input[slot * BOARD_MAX_WORDS] = (uint64_t)value;
}

// Other runs use the same registers, so the input's locals are kept apart and put in place.
static bool input_run(Vm *vm, int entry, int64_t *value) {
    const VmProgram *p = vm->p;
    const IrFrame *frame = &p->game->input->frame;
    begin(vm);
    for (int n = 0; n < frame->slots; n++) {
        size_t words = frame->type[n].kind == TY_SET ? (size_t)p->words : 1;
        memcpy(vm->reg + p->input_slot[n], vm->input + n * BOARD_MAX_WORDS, words * 8);
    }
    if (vm_run(vm, entry, vm->input_state) != RUN_DONE)
        return false;
    *value = vm->value;
    return true;
}

bool vm_input_step(Vm *vm, int step, int64_t *value) {
    const struct IrInputStep *s = &vm->p->game->input->step[step];
    if (!input_run(vm, vm->p->input_step[step], value))
        return false;
    if (s->value)
        vm_input_set(vm, s->slot, *value);
    return true;
}

bool vm_input_answer(Vm *vm, int answer, int64_t *value) {
    return input_run(vm, vm->p->input_answer[answer], value);
}

bool vm_input_bounds(Vm *vm, int step, int64_t *low, int64_t *high) {
    return input_run(vm, vm->p->input_low[step], low) &&
           input_run(vm, vm->p->input_high[step], high);
}

bool vm_input_word(Vm *vm, int step, int word, int64_t *value) {
    return input_run(vm, vm->p->input_word[step][word], value);
}
