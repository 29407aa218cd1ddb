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
