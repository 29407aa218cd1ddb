// ir: making the parts of an IrGame. See ir.h.

#include "ir/ir.h"

IrGame *ir_new(Arena *arena, const Source *source) {
    IrGame *g = ARENA_NEW(arena, IrGame);
    g->arena = arena;
    g->source = source;
    return g;
}

int ir_add_slot(IrGame *g, IrFrame *frame, IrType type, const char *name) {
    if (frame->slots == frame->cap) {
        int cap = frame->cap ? 2 * frame->cap : 8;
        IrType *types = ARENA_ARRAY(g->arena, IrType, cap);
        const char **names = ARENA_ARRAY(g->arena, const char *, cap);
        for (int i = 0; i < frame->slots; i++) {
            types[i] = frame->type[i];
            names[i] = frame->name[i];
        }
        frame->type = types;
        frame->name = names;
        frame->cap = cap;
    }
    frame->type[frame->slots] = type;
    frame->name[frame->slots] = name;
    return frame->slots++;
}

int ir_add_table(IrGame *g, IrTable *table) {
    ARENA_GROW(g->arena, IrTable *, g->table, g->tables, g->table_cap);
    g->table[g->tables] = table;
    return g->tables++;
}

void ir_add_board_tables(IrGame *g) {
    const Board *b = g->board;
    IrTable *step = ARENA_NEW(g->arena, IrTable), *next = ARENA_NEW(g->arena, IrTable),
            *line = ARENA_NEW(g->arena, IrTable);
    *step = (IrTable){.name = "step",
                      .type = {.kind = TY_CELL, .optional = true},
                      .dims = 2,
                      .size = {b->cells + 1, b->directions}};
    step->numbers = ARENA_ARRAY(g->arena, int32_t, (b->cells + 1) * b->directions + 1);
    for (int i = 0; i < (b->cells + 1) * b->directions; i++)
        step->numbers[i] = b->step[i];
    *next = (IrTable){.name = "next",
                      .type = {.kind = TY_SET},
                      .dims = 1,
                      .size = {b->cells + 1},
                      .sets = b->next};
    *line = (IrTable){.name = "line",
                      .type = {.kind = TY_SET},
                      .dims = 1,
                      .size = {b->lines},
                      .sets = b->line_set};
    ir_add_table(g, step);
    ir_add_table(g, next);
    ir_add_table(g, line);
}

// --- what a move takes ---

static bool note_chooses(IrStmt *s) {
    bool any = false;
    for (; s; s = s->kind == ST_BRANCH ? s->sibling : s->next) {
        bool inside = note_chooses(s->body);
        inside |= note_chooses(s->other);
        s->chooses =
            inside || s->kind == ST_CHOOSE || s->kind == ST_EITHER || s->kind == ST_REQUIRE;
        any |= s->chooses;
    }
    return any;
}

typedef struct Need {
    double bits, choices;
} Need;

static Need larger(Need a, Need b) {
    return (Need){a.bits > b.bits ? a.bits : b.bits, a.choices > b.choices ? a.choices : b.choices};
}

// The most rounds of a loop.
static double rounds(const IrGame *g, const IrStmt *s) {
    const IrDomain *d = s->domain;
    if (s->kind == ST_WHILE)
        return s->id;
    if (s->kind != ST_FOR)
        return 1;
    switch (d->kind) {
    case DOM_SET: return g->board->cells;
    case DOM_MASK: return 64;
    case DOM_LINES: return g->board->lines;
    case DOM_RANGE: break;
    }
    double n = (double)d->b->hi - d->a->lo + 1;
    return n > 0 ? n : 0;
}

static Need need_of(const IrGame *g, const IrStmt *s) {
    Need sum = {0, 0};
    for (; s; s = s->next) {
        Need most = {0, 0};
        if (s->kind == ST_EITHER)
            for (const IrStmt *b = s->body; b; b = b->sibling)
                most = larger(most, need_of(g, b->body));
        else
            most = larger(need_of(g, s->body), need_of(g, s->other));
        bool choice = s->kind == ST_CHOOSE || s->kind == ST_EITHER;
        double times = rounds(g, s);
        sum.bits += times * most.bits + (choice ? g->site[s->id].bits : 0);
        sum.choices += times * most.choices + choice;
    }
    return sum;
}

bool ir_note_choices(IrGame *g) {
    note_chooses(g->turn);
    Need need = need_of(g, g->turn);
    g->move_bits = (int)(need.bits < 1e6 ? need.bits : 1e6);
    g->most_choices = (int)(need.choices < 1e6 ? need.choices : 1e6);
    return need.bits <= IR_MOVE_BITS;
}

int ir_domain_size(const IrGame *g, IrType type, int32_t lo, int32_t hi) {
    switch (type.kind) {
    case TY_BOOL: return 2;
    case TY_INT: return hi - lo + 1;
    case TY_PLAYER: return g->players;
    case TY_CELL: return g->board->cells;
    case TY_DIRECTION: return g->board->directions;
    case TY_KIND: return g->kinds;
    case TY_LINE: return g->board->lines;
    case TY_FLAG: return g->enums[type.of_enum].count;
    default: return 0;
    }
}

const char *ir_type_name(const IrGame *g, IrType type) {
    (void)g;
    switch (type.kind) {
    case TY_BOOL: return "yes or no";
    case TY_INT: return "a number";
    case TY_PLAYER: return "a player";
    case TY_CELL: return "a cell";
    case TY_DIRECTION: return "a direction";
    case TY_KIND: return "a kind of piece";
    case TY_LINE: return "a line";
    case TY_FLAG: return "a flag";
    case TY_SET: return "a set of cells";
    case TY_LINES: return "lines";
    case TY_RANGE: return "a range of numbers";
    case TY_NONE: return "none";
    case TY_MASK: break;
    }
    switch (type.of) {
    case TY_PLAYER: return "a set of players";
    case TY_DIRECTION: return "a set of directions";
    case TY_KIND: return "a set of kinds of piece";
    case TY_FLAG: return "a set of flags";
    default: return "a set of numbers";
    }
}

bool ir_reads_board(IrOp op) {
    switch (op) {
    case IR_OCCUPIED:
    case IR_OWNED:
    case IR_PLANE:
    case IR_PIECES:
    case IR_KIND_AT:
    case IR_OWNER_AT:
    case IR_KIND_IN:
    case IR_OWNER_IN:
    case IR_HEIGHT: return true;
    default: return false;
    }
}
