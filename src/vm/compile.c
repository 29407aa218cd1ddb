// compile: an IrGame becomes a VmProgram.
//
// One code array holds every program of a game: generating moves, following a given move (with
// the end rules behind it), setup, the rules for stuck players, and each piece of the input
// section. Expressions and statements are translated in expr.c, cond.c and stmt.c; this file has
// what they stand on: instructions, labels, registers, constants, tables.
#include "vm/code.h"

#include <string.h>

void vm_too_large(VmCompiler *c) {
    if (!c->failed)
        diag_error(c->diags, c->at,
                   "the definitions expand to more code than the interpreter can hold");
    c->failed = true;
}

bool vm_enter(VmCompiler *c) {
    if (c->depth >= VM_MAX_DEPTH || ++c->work > VM_MAX_WORK)
        vm_too_large(c);
    if (c->failed)
        return false;
    c->depth++;
    return true;
}

void vm_leave(VmCompiler *c) {
    c->depth--;
}

// --- instructions and labels ---

int vm_emit(VmCompiler *c, VmOp op, int a, int b, int d) {
    VmProgram *p = c->p;
    if (p->count >= VM_MAX_CODE)
        vm_too_large(c);
    if (c->failed)
        return 0;
    if (p->count == c->code_cap) {
        int cap = c->code_cap ? 2 * c->code_cap : 256;
        VmInsn *code = ARENA_ARRAY(c->arena, VmInsn, cap);
        Span *span = ARENA_ARRAY(c->arena, Span, cap);
        if (p->count) {
            memcpy(code, p->code, (size_t)p->count * sizeof *code);
            memcpy(span, p->span, (size_t)p->count * sizeof *span);
        }
        p->code = code;
        p->span = span;
        c->code_cap = cap;
    }
    p->code[p->count] = (VmInsn){(uint16_t)op, (uint16_t)a, (uint16_t)b, (uint16_t)d};
    p->span[p->count] = c->at;
    return p->count++;
}

int vm_label(VmCompiler *c) {
    ARENA_GROW(c->arena, int, c->label, c->labels, c->label_cap);
    c->label[c->labels] = -1;
    return c->labels++;
}

void vm_bind(VmCompiler *c, int label) {
    c->label[label] = c->p->count;
}

void vm_jump(VmCompiler *c, VmOp op, int a, int b, int label) {
    int insn = vm_emit(c, op, a, b, 0);
    if (c->failed)
        return;
    ARENA_GROW(c->arena, struct VmFix, c->fix, c->fixes, c->fix_cap);
    c->fix[c->fixes++] = (struct VmFix){insn, label};
}

static void patch_jumps(VmCompiler *c) {
    for (int n = 0; n < c->fixes && !c->failed; n++) {
        int distance = c->label[c->fix[n].label] - (c->fix[n].insn + 1);
        if (distance < INT16_MIN || distance > INT16_MAX)
            vm_too_large(c);
        c->p->code[c->fix[n].insn].c = (uint16_t)distance;
    }
}

// --- registers and constants ---

void vm_note(VmCompiler *c, Span at) {
    VmProgram *p = c->p;
    if (!c->notes || p->notes > UINT16_MAX)
        return;
    ARENA_GROW(c->arena, Span, p->note, p->notes, p->note_cap);
    p->note[p->notes] = at;
    vm_emit(c, OP_NOTE, p->notes++, 0, 0);
}

int vm_alloc(VmCompiler *c, int n) {
    int first = c->reg;
    if (first + n > VM_FIRST_CONST - 1) {
        vm_too_large(c);
        return first;
    }
    c->reg += n;
    if (c->reg > c->reg_max)
        c->reg_max = c->reg;
    return first;
}

VmMark vm_mark(const VmCompiler *c) {
    return (VmMark){c->knowns, c->reg};
}

void vm_release(VmCompiler *c, VmMark mark) {
    if (c->knowns > mark.known)
        c->knowns = mark.known;
    c->reg = mark.reg > c->floor ? mark.reg : c->floor;
}

static int constant(VmCompiler *c, const uint64_t *words, int n) {
    VmProgram *p = c->p;
    for (int k = 0; k + n <= p->consts; k++)
        if (memcmp(p->constant + k, words, (size_t)n * 8) == 0)
            return VM_FIRST_CONST + k;
    if (p->consts + n > VM_MAX_CONSTS) {
        vm_too_large(c);
        return VM_FIRST_CONST;
    }
    int first = p->consts;
    for (int k = 0; k < n; k++) {
        ARENA_GROW(c->arena, uint64_t, p->constant, p->consts, c->const_cap);
        p->constant[p->consts++] = words[k];
    }
    return VM_FIRST_CONST + first;
}

int vm_number(VmCompiler *c, int64_t value) {
    uint64_t word = (uint64_t)value;
    return constant(c, &word, 1);
}

int vm_set_constant(VmCompiler *c, const uint64_t *words) {
    return constant(c, words, c->p->words);
}

static bool same_mine(const VmCompiler *c, const uint64_t (*values)[BOARD_MAX_WORDS], int n,
                      int at) {
    for (int player = 0; player < c->p->players; player++)
        for (int w = 0; w < n; w++)
            if (c->mine[at + w][player] != values[player][w])
                return false;
    return true;
}

int vm_mine(VmCompiler *c, const uint64_t (*values)[BOARD_MAX_WORDS], int n) {
    VmProgram *p = c->p;
    for (int k = 0; k + n <= p->mines; k++)
        if (same_mine(c, values, n, k))
            return VM_FIRST_MINE + k;
    if (p->mines + n > VM_MAX_MINE) {
        vm_too_large(c);
        return VM_FIRST_MINE;
    }
    int first = p->mines;
    while (p->mines + n > c->mine_cap) {
        int cap = c->mine_cap ? 2 * c->mine_cap : 32;
        uint64_t(*grown)[IR_MAX_PLAYERS] = arena_array(c->arena, sizeof *grown, (size_t)cap);
        if (p->mines)
            memcpy(grown, c->mine, (size_t)p->mines * sizeof *grown);
        c->mine = grown;
        c->mine_cap = cap;
    }
    for (int w = 0; w < n; w++, p->mines++)
        for (int player = 0; player < p->players; player++)
            c->mine[p->mines][player] = values[player][w];
    return VM_FIRST_MINE + first;
}

int vm_width(const VmCompiler *c, IrType type) {
    return type.kind == TY_SET ? c->p->words : 1;
}

// The number of a register in the finished program.
static uint16_t final_register(const VmProgram *p, uint16_t n) {
    if (n >= VM_FIRST_MINE)
        return (uint16_t)(n - VM_FIRST_MINE + p->first_mine);
    return n >= VM_FIRST_CONST ? (uint16_t)(n - VM_FIRST_CONST + p->first_const) : n;
}

// Constants were numbered apart; now they follow the other registers.
static void place_constants(VmCompiler *c) {
    static const char *const operands[] = {
#define X(op, letters, meaning) letters,
        VM_OPS(X)
#undef X
    };
    VmProgram *p = c->p;
    p->first_const = c->reg_max;
    p->first_mine = p->first_const + p->consts;
    p->regs = p->first_mine + p->mines;
    p->mine = ARENA_ARRAY(c->arena, uint64_t, p->players * p->mines + 1);
    for (int n = 0; n < p->mines; n++)
        for (int player = 0; player < p->players; player++)
            p->mine[player * p->mines + n] = c->mine[n][player];
    const char *letters = "---";
    for (int n = 0; n < p->count; n++) {
        VmInsn *i = &p->code[n];
        letters = i->op == OP_EXT ? letters + 4 : operands[i->op];
        uint16_t *operand[3] = {&i->a, &i->b, &i->c};
        for (int k = 0; k < 3; k++)
            if (letters[k] == 'r' || letters[k] == 's')
                *operand[k] = final_register(p, *operand[k]);
    }
}

VmFrame *vm_frame(VmCompiler *c, const IrFrame *frame) {
    VmFrame *f = ARENA_NEW(c->arena, VmFrame);
    f->reg = ARENA_ARRAY(c->arena, int, frame->slots + 1);
    for (int n = 0; n < frame->slots; n++)
        f->reg[n] = -1;
    return f;
}

// --- tables, fields, lists of planes ---

int vm_none(const VmCompiler *c, IrType type) {
    switch (type.kind) {
    case TY_BOOL: return 2;
    case TY_PLAYER: return c->game->players;
    case TY_CELL: return c->game->board->cells;
    case TY_DIRECTION: return c->game->board->directions;
    case TY_KIND: return c->game->kinds;
    case TY_LINE: return c->game->board->lines;
    case TY_FLAG: return c->game->enums[type.of_enum].count;
    default: return 64;
    }
}

static bool same_view(const VmView *a, const VmView *b) {
    return a->numbers == b->numbers && a->sets == b->sets && a->stride == b->stride &&
           a->base[0] == b->base[0] && a->base[1] == b->base[1] && a->size[0] == b->size[0] &&
           a->size[1] == b->size[1];
}

int vm_add_view(VmCompiler *c, VmView view) {
    VmProgram *p = c->p;
    for (int n = 0; n < p->views; n++)
        if (same_view(&p->view[n], &view))
            return n;
    ARENA_GROW(c->arena, VmView, p->view, p->views, p->view_cap);
    p->view[p->views] = view;
    if (p->views == VM_MAX_VIEWS)
        vm_too_large(c);
    return c->failed ? 0 : p->views++;
}

int vm_add_field(VmCompiler *c, VmField field) {
    VmProgram *p = c->p;
    for (int n = 0; n < p->fields; n++)
        if (p->field[n].offset == field.offset && p->field[n].var == field.var)
            return n;
    ARENA_GROW(c->arena, VmField, p->field, p->fields, p->field_cap);
    p->field[p->fields] = field;
    return p->fields++;
}

static void add_list(VmCompiler *c, int kind, int owner) {
    VmProgram *p = c->p;
    ARENA_GROW(c->arena, VmList, p->list, p->lists, p->list_cap);
    VmList *list = &p->list[p->lists++];
    *list = (VmList){(uint16_t)p->list_offsets, 0};
    // Room for one even in a game without pieces: an empty list points somewhere too.
    ARENA_GROW(c->arena, uint16_t, p->list_offset, p->list_offsets, p->list_offset_cap);
    for (int n = 0; n < p->planes; n++) {
        const IrPlane *plane = &c->game->plane[n];
        if ((kind >= 0 && plane->kind != kind) || (owner >= 0 && plane->owner != owner))
            continue;
        ARENA_GROW(c->arena, uint16_t, p->list_offset, p->list_offsets, p->list_offset_cap);
        p->list_offset[p->list_offsets++] = (uint16_t)plane->offset;
        list->count++;
    }
}

// The same lists are asked for again and again: look for a run of them that fits.
static bool lists_at(const VmProgram *p, int first, const VmProgram *q, int from, int n) {
    for (int k = 0; k < n; k++) {
        VmList a = p->list[first + k], b = q->list[from + k];
        if (a.count != b.count || memcmp(p->list_offset + a.first, p->list_offset + b.first,
                                         a.count * sizeof *p->list_offset) != 0)
            return false;
    }
    return true;
}

int vm_add_lists(VmCompiler *c, int n, const int *kinds, const int *owners) {
    VmProgram *p = c->p;
    int first = p->lists, offsets = p->list_offsets;
    for (int k = 0; k < n; k++)
        add_list(c, kinds[k], owners[k]);
    for (int old = 0; old + n <= first; old++)
        if (lists_at(p, old, p, first, n)) {
            p->lists = first;
            p->list_offsets = offsets;
            return old;
        }
    if (p->lists > UINT16_MAX || p->list_offsets > UINT16_MAX) {
        vm_too_large(c);
        p->lists = first;
        p->list_offsets = offsets;
    }
    return first;
}

// --- what is known about the game beforehand ---

static void find_planes(VmCompiler *c) {
    VmProgram *p = c->p;
    const IrGame *g = c->game;
    int row = p->players + 1;
    p->plane_offset = ARENA_ARRAY(c->arena, uint16_t, p->planes + 1);
    p->planes_in_row = true;
    for (int n = 0; n < p->planes; n++) {
        p->plane_offset[n] = (uint16_t)g->plane[n].offset;
        if (g->plane[n].offset != 8 * p->words * n)
            p->planes_in_row = false;
    }
    p->plane_of = ARENA_ARRAY(c->arena, int16_t, (g->kinds + 1) * row);
    for (int n = 0; n < (g->kinds + 1) * row; n++)
        p->plane_of[n] = -1;
    for (int n = 0; n < p->planes; n++)
        p->plane_of[g->plane[n].kind * row + g->plane[n].owner] = (int16_t)n;
}

static void find_lines_through(VmCompiler *c) {
    VmProgram *p = c->p;
    const Board *b = c->game->board;
    int n = b->lines ? b->through_start[b->cells] : 0;
    p->through_set = ARENA_ARRAY(c->arena, uint64_t, n * p->words + 1);
    for (int k = 0; k < n; k++)
        memcpy(p->through_set + k * p->words, b->line_set + b->through[k] * p->words,
               (size_t)p->words * 8);
    int most = 0;
    for (int cell = 0; b->lines && cell < b->cells; cell++)
        if (b->through_start[cell + 1] - b->through_start[cell] > most)
            most = b->through_start[cell + 1] - b->through_start[cell];
    p->line_cost = most * p->words / 4;
}

static int lowest_cell(const Board *b, int line) {
    int lowest = b->cells;
    for (int n = 0; n < b->line[line].count; n++)
        if (b->line[line].cells[n] < lowest)
            lowest = b->line[line].cells[n];
    return lowest;
}

// A line can only be within a set if its lowest cell is in it.
static void find_first_lines(VmCompiler *c) {
    VmProgram *p = c->p;
    const Board *b = c->game->board;
    p->first_set = ARENA_ARRAY(c->arena, uint64_t, b->lines * p->words + 1);
    p->first_start = ARENA_ARRAY(c->arena, int, b->cells + 2);
    int *next = ARENA_ARRAY(c->arena, int, b->cells + 2);
    for (int n = 0; n < b->lines; n++)
        p->first_start[lowest_cell(b, n) + 1]++;
    for (int cell = 0; cell < b->cells; cell++)
        next[cell + 1] = p->first_start[cell + 1] += p->first_start[cell];
    for (int n = 0; n < b->lines; n++)
        memcpy(p->first_set + next[lowest_cell(b, n)]++ * p->words, b->line_set + n * p->words,
               (size_t)p->words * 8);
}

// Adds the step from `cell` by `delta`; false if there are too many different ones.
static bool add_part(VmStep *step, int cell, int delta) {
    for (int n = 0; n < step->parts; n++)
        if (step->delta[n] == delta) {
            step->mask[n] |= (uint64_t)1 << cell;
            return true;
        }
    if (step->parts == VM_MAX_PARTS)
        return false;
    step->delta[step->parts] = delta;
    step->mask[step->parts++] = (uint64_t)1 << cell;
    return true;
}

static void find_shifts(VmCompiler *c) {
    VmProgram *p = c->p;
    const Board *b = c->game->board;
    p->step = ARENA_ARRAY(c->arena, VmStep, b->directions + 1);
    p->shifts = p->words == 1;
    for (int d = 0; d < b->directions && p->shifts; d++)
        for (int cell = 0; cell < b->cells && p->shifts; cell++) {
            int to = b->step[cell * b->directions + d];
            if (to < b->cells)
                p->shifts = add_part(&p->step[d], cell, to - cell);
        }
}

// Whether every step in direction d leads to a higher (or every one to a lower) cell.
static bool goes_one_way(const Board *b, int d, bool up) {
    for (int cell = 0; cell < b->cells; cell++) {
        int to = b->step[cell * b->directions + d];
        if (to < b->cells && (to > cell) != up)
            return false;
    }
    return true;
}

// Rays to the edge. Along them cell numbers only grow or only fall, so that the first cell of a
// set on a ray is its lowest or highest member.
static void find_rays(VmCompiler *c) {
    VmProgram *p = c->p;
    const Board *b = c->game->board;
    bool *up = ARENA_ARRAY(c->arena, bool, b->directions + 1);
    p->ray_cost = b->cells; // walked step by step
    for (int d = 0; d < b->directions; d++) {
        up[d] = goes_one_way(b, d, true);
        if (!up[d] && !goes_one_way(b, d, false))
            return;
    }
    uint64_t *ray = ARENA_ARRAY(c->arena, uint64_t, b->cells * b->directions * p->words + 1);
    for (int cell = 0; cell < b->cells; cell++)
        for (int d = 0; d < b->directions; d++) {
            uint64_t *set = ray + (cell * b->directions + d) * p->words;
            for (int to = cell; (to = b->step[to * b->directions + d]) < b->cells;)
                set[to >> 6] |= (uint64_t)1 << (to & 63);
        }
    p->ray = ray;
    p->ray_up = up;
    p->ray_cost = p->words;
}

static void find_ranges(VmCompiler *c) {
    const IrGame *g = c->game;
    c->p->range = ARENA_ARRAY(c->arena, VmRange, g->vars + 1);
    for (int n = 0; n < g->vars; n++) {
        const IrVar *v = &g->var[n];
        VmRange range = {v->lo, v->hi, false};
        if (v->type.kind != TY_INT)
            range = (VmRange){0, vm_none(c, v->type) - !v->type.optional, v->type.optional};
        c->p->range[n] = range;
    }
    c->p->site = ARENA_ARRAY(c->arena, VmSite, g->sites + 1);
    for (int n = 0; n < g->sites; n++)
        c->p->site[n] = (VmSite){g->site[n].lo, g->site[n].hi, g->site[n].bits};
}

// --- programs ---

static void begin_stream(VmCompiler *c, int *entry) {
    *entry = c->p->count;
    c->reg = c->floor;
    c->knowns = 0;
    c->stream = STREAM_PLAIN;
    c->rest = NULL;
    c->forked = false;
    c->choice_loops = 0;
}

static void score_rule(VmCompiler *c, VmFrame *f, const IrRule *rule) {
    int best = vm_alloc(c, 2);
    vm_emit(c, OP_INT, best + 1, 0, 0);
    for (int player = 0; player < c->p->players; player++) {
        VmMark mark = vm_mark(c);
        f->reg[rule->slot] = vm_number(c, player);
        int score = vm_expr(c, f, rule->score, -1);
        if (rule->outcome == OUT_LEAST) {
            int negative = vm_alloc(c, 1);
            vm_emit(c, OP_NEG, negative, score, 0);
            score = negative;
        }
        vm_emit(c, OP_SCORE, score, player, best);
        vm_release(c, mark);
    }
    vm_emit(c, OP_LEADER, best, 0, 0);
}

static void outcome(VmCompiler *c, VmFrame *f, const IrRule *rule) {
    switch (rule->outcome) {
    case OUT_DRAW: vm_emit(c, OP_DRAW, 0, 0, 0); break;
    case OUT_WINS: vm_emit(c, OP_WINS, vm_expr(c, f, rule->player, -1), 0, 0); break;
    case OUT_LOSES: vm_emit(c, OP_LOSES, vm_expr(c, f, rule->player, -1), 0, 0); break;
    case OUT_MOST:
    case OUT_LEAST: score_rule(c, f, rule); break;
    case OUT_PASS: vm_emit(c, OP_RETURN, vm_number(c, VM_PASS), 0, 0); break;
    }
}

// The rules from top to bottom; `otherwise` if none holds.
static void rules(VmCompiler *c, const IrRules *list, int64_t otherwise) {
    VmFrame *f = vm_frame(c, &list->frame);
    for (int n = 0; n < list->count; n++) {
        const IrRule *rule = &list->rule[n];
        c->at = rule->span;
        int skip = vm_label(c);
        int common = c->knowns;
        if (rule->cond)
            common = vm_cond(c, f, rule->cond, false, skip);
        VmMark mark = {common, c->reg};
        vm_note(c, rule->span);
        outcome(c, f, rule);
        vm_release(c, mark);
        vm_bind(c, skip);
    }
    vm_emit(c, OP_RETURN, vm_number(c, otherwise), 0, 0);
}

// Each procedure has registers of its own, before those of the programs that call it.
static void procedures(VmCompiler *c) {
    const IrGame *g = c->game;
    VmProgram *p = c->p;
    p->proc = ARENA_ARRAY(c->arena, VmProc, g->procs + 1);
    for (int n = 0; n < g->procs; n++) {
        VmProc *proc = &p->proc[n];
        c->floor = proc->first = c->reg_max;
        begin_stream(c, &proc->entry);
        vm_turn(c, &g->proc[n]->frame, g->proc[n]->body, STREAM_PLAIN);
        vm_emit(c, OP_LEAVE, 0, 0, 0);
        proc->regs = c->reg_max - proc->first;
        proc->cost = p->count - proc->entry + proc->regs / 2;
        p->proc_regs = proc->regs > p->proc_regs ? proc->regs : p->proc_regs;
    }
    c->base = c->floor = c->reg_max;
}

static void turn_streams(VmCompiler *c) {
    const IrGame *g = c->game;
    begin_stream(c, &c->p->generate);
    vm_turn(c, &g->turn_frame, g->turn, STREAM_GENERATE);
    c->p->resume_cost = 8 + (c->p->count - c->p->generate) / 16;
    c->floor = c->base; // nothing of it is resumed by the other programs
    begin_stream(c, &c->p->apply);
    vm_turn(c, &g->turn_frame, g->turn, STREAM_APPLY);
    c->knowns = 0;
    rules(c, &g->end, 0);
    begin_stream(c, &c->p->setup);
    vm_turn(c, &g->setup_frame, g->setup, STREAM_PLAIN);
    vm_emit(c, OP_RETURN, vm_number(c, 0), 0, 0);
    begin_stream(c, &c->p->stuck);
    rules(c, &g->stuck, RESULT_OVER);
    begin_stream(c, &c->p->all_stuck);
    rules(c, &g->all_stuck, RESULT_OVER);
}

static void input_value(VmCompiler *c, VmFrame *f, const IrExpr *e, int *entry) {
    if (!e)
        return;
    VmMark mark = vm_mark(c);
    *entry = c->p->count;
    c->at = e->span;
    vm_emit(c, OP_RETURN, vm_expr(c, f, e, -1), 0, 0);
    vm_release(c, mark);
}

static void input_read(VmCompiler *c, VmFrame *f, const IrInputRead *read, int step) {
    VmProgram *p = c->p;
    input_value(c, f, read->low, &p->input_low[step]);
    input_value(c, f, read->high, &p->input_high[step]);
    p->input_word[step] = ARENA_ARRAY(c->arena, int, read->word_count + 1);
    for (int n = 0; n < read->word_count; n++)
        input_value(c, f, read->values[n], &p->input_word[step][n]);
}

static void input_streams(VmCompiler *c) {
    const IrInput *in = c->game->input;
    VmProgram *p = c->p;
    if (!in)
        return;
    int begin;
    begin_stream(c, &begin);
    VmFrame *f = vm_frame(c, &in->frame);
    for (int n = 0; n < in->frame.slots; n++)
        f->reg[n] = vm_alloc(c, vm_width(c, in->frame.type[n]));
    p->input_slot = f->reg;
    p->input_step = ARENA_ARRAY(c->arena, int, in->steps + 1);
    p->input_low = ARENA_ARRAY(c->arena, int, in->steps + 1);
    p->input_high = ARENA_ARRAY(c->arena, int, in->steps + 1);
    p->input_word = ARENA_ARRAY(c->arena, int *, in->steps + 1);
    p->input_answer = ARENA_ARRAY(c->arena, int, in->answers + 1);
    for (int n = 0; n < in->steps; n++) {
        if (in->step[n].read)
            input_read(c, f, in->step[n].read, n);
        else
            input_value(c, f, in->step[n].check ? in->step[n].check : in->step[n].value,
                        &p->input_step[n]);
    }
    for (int n = 0; n < in->answers; n++)
        input_value(c, f, in->answer[n].value, &p->input_answer[n]);
}

static VmProgram *compile(Arena *arena, const IrGame *game, Diags *diags, bool notes) {
    VmProgram *p = ARENA_NEW(arena, VmProgram);
    p->game = game;
    p->words = game->board->words;
    p->cells = game->board->cells;
    p->planes = game->planes;
    p->players = game->players;
    for (int n = 0; n < p->cells; n++)
        p->all[n >> 6] |= (uint64_t)1 << (n & 63);
    VmCompiler *c = ARENA_NEW(arena, VmCompiler);
    *c = (VmCompiler){.arena = arena, .game = game, .diags = diags, .p = p, .notes = notes};
    c->reg = c->reg_max = c->floor = VM_FIRST_REG;
    c->visited = ARENA_ARRAY(arena, int, game->funcs + 1);
    c->bare = ARENA_ARRAY(arena, VmFrame *, game->funcs + 1);
    p->board_cost = p->planes * p->words / 8;
    find_planes(c);
    find_lines_through(c);
    find_first_lines(c);
    find_shifts(c);
    find_rays(c);
    find_ranges(c);
    vm_emit(c, OP_HALT, 0, 0, 0); // where a run without choices left ends
    procedures(c);
    turn_streams(c);
    input_streams(c);
    patch_jumps(c);
    if (c->failed)
        return NULL;
    place_constants(c);
    return p;
}

VmProgram *vm_compile(Arena *arena, const IrGame *game, Diags *diags) {
    return compile(arena, game, diags, false);
}

VmProgram *vm_compile_noted(Arena *arena, const IrGame *game, Diags *diags) {
    return compile(arena, game, diags, true);
}
