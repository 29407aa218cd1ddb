// Values and expressions of the IR as text; see print.c for the whole.
#include "base/bits.h"
#include "ir/printer.h"
#include "ir/relations.h"

#include <string.h>

// --- Values ---

static const char *name_in(const char *const *names, int count, int64_t i) {
    return i >= 0 && i < count ? names[i] : i == count ? "none" : "?";
}

static void print_mask(const Printer *p, IrType type, uint64_t mask);

void printer_value(const Printer *p, IrType type, int64_t value) {
    const IrGame *g = p->g;
    const Board *b = g->board;
    switch (type.kind) {
    case TY_BOOL: text_add(p->out, value ? "yes" : "no"); return;
    case TY_PLAYER: text_add(p->out, name_in(g->player, g->players, value)); return;
    case TY_DIRECTION: text_add(p->out, name_in(b->direction_name, b->directions, value)); return;
    case TY_CELL:
        text_add(p->out, value >= 0 && value < b->cells ? b->cell[value].name : "none");
        return;
    case TY_KIND:
        text_add(p->out, value >= 0 && value < g->kinds ? g->kind[value].name : "none");
        return;
    case TY_FLAG: {
        const IrEnum *flags = &g->enums[type.of_enum];
        text_add(p->out, name_in(flags->name, flags->count, value));
        return;
    }
    case TY_LINE: text_f(p->out, "line %lld", (long long)value); return;
    case TY_MASK: print_mask(p, type, (uint64_t)value); return;
    case TY_NONE: text_add(p->out, "none"); return;
    default: text_f(p->out, "%lld", (long long)value); return;
    }
}

static void print_mask(const Printer *p, IrType type, uint64_t mask) {
    IrType member = {.kind = type.of, .of_enum = type.of_enum};
    text_char(p->out, '{');
    for (int n = 0; mask; n++) {
        text_add(p->out, n ? ", " : "");
        printer_value(p, member, bits_pop(&mask));
    }
    text_char(p->out, '}');
}

void printer_set(const Printer *p, const uint64_t *set) {
    const Board *b = p->g->board;
    int count = 0, shown = 0;
    for (int w = 0; w < b->words; w++)
        count += bits_count(set[w]);
    if (count == b->cells) {
        text_add(p->out, "cells");
        return;
    }
    text_char(p->out, '{');
    for (int c = 0; c < b->cells && shown < SHOWN_MEMBERS; c++)
        if (set[c / 64] >> (c % 64) & 1)
            text_f(p->out, "%s%s", shown++ ? ", " : "", b->cell[c].name);
    if (count > shown)
        text_f(p->out, ", … %d cells", count);
    text_char(p->out, '}');
}

// A local by its name; by name and slot where several locals of the body have that name.
void printer_local(const Printer *p, int slot) {
    const IrFrame *f = p->frame;
    const char *name = f && slot >= 0 && slot < f->slots ? f->name[slot] : NULL;
    if (!name || !*name) {
        text_f(p->out, "$%d", slot);
        return;
    }
    bool unique = true;
    for (int i = 0; i < f->slots; i++)
        unique &= i == slot || !f->name[i] || strcmp(f->name[i], name) != 0;
    text_add(p->out, name);
    if (!unique)
        text_f(p->out, "$%d", slot);
}

void printer_plane(const Printer *p, int plane) {
    const IrGame *g = p->g;
    if (plane < 0 || plane >= g->planes) {
        text_f(p->out, "plane %d", plane);
        return;
    }
    const IrPlane *it = &g->plane[plane];
    text_add(p->out, g->kind[it->kind].name);
    if (it->owner < g->players)
        text_f(p->out, " of %s", g->player[it->owner]);
}

// A definition has one function for each list of argument types: then its number is added.
void printer_function(const Printer *p, int id) {
    const char *name = p->g->func[id]->name;
    bool unique = true;
    for (int i = 0; i < p->g->funcs; i++)
        unique &= i == id || strcmp(p->g->func[i]->name, name) != 0;
    text_add(p->out, name);
    if (!unique)
        text_f(p->out, "$%d", id);
}

// --- Expressions ---

static const char *op_name(IrOp op) {
    static const char *const names[] = {
#define X(op, name, meaning) name,
        IR_OPS(X)
#undef X
    };
    return names[op];
}

static bool is_infix(IrOp op) {
    switch (op) {
    case IR_AND:
    case IR_OR:
    case IR_MINUS:
    case IR_MEMBER:
    case IR_WITHIN:
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_DIV:
    case IR_MOD:
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_BOTH:
    case IR_EITHER: return true;
    default: return false;
    }
}

static bool is_loop(IrOp op) {
    return op == IR_FILTER || (op >= IR_ANY && op <= IR_MOST);
}

// a or b or c needs no parentheses.
static bool groups_left(IrOp op) {
    return op == IR_AND || op == IR_OR || op == IR_BOTH || op == IR_EITHER || op == IR_ADD;
}

static bool is_arithmetic(IrOp op) {
    return op >= IR_ADD && op <= IR_MOD;
}

// As an operand: in parentheses unless it is one word or a call.
void printer_operand(const Printer *p, const IrExpr *e) {
    bool open = e && (is_infix(e->op) || is_loop(e->op) || e->op == IR_COND || e->op == IR_NOT ||
                      e->op == IR_PLANE || (e->op == IR_CONST && e->value < 0));
    text_add(p->out, open ? "(" : "");
    printer_expr(p, e);
    text_add(p->out, open ? ")" : "");
}

// Arithmetic on players and cells is on their numbers: the other of two players is 1 - me.
static void print_side(const Printer *p, IrOp op, const IrExpr *e) {
    if (is_arithmetic(op) && e && e->op == IR_CONST)
        text_f(p->out, "%lld", (long long)e->value);
    else
        printer_operand(p, e);
}

void printer_arguments(const Printer *p, const char *name, IrExpr *const *args, int n,
                       const char *brackets) {
    text_add(p->out, name);
    text_char(p->out, brackets[0]);
    for (int i = 0, shown = 0; i < n; i++) {
        if (!args[i])
            continue;
        text_add(p->out, shown++ ? ", " : "");
        printer_expr(p, args[i]);
    }
    text_char(p->out, brackets[1]);
}

// x in D where C
void printer_domain(const Printer *p, const IrDomain *d) {
    printer_local(p, d->slot);
    text_add(p->out, " in ");
    if (d->kind == DOM_LINES) {
        text_add(p->out, d->a ? "lines through " : "lines");
        if (d->a)
            printer_operand(p, d->a);
    } else {
        printer_operand(p, d->a);
        if (d->kind == DOM_RANGE) {
            text_add(p->out, " .. ");
            printer_operand(p, d->b);
        }
    }
    if (d->where) {
        text_add(p->out, " where ");
        printer_expr(p, d->where);
    }
}

static void print_loop(const Printer *p, const IrExpr *e) {
    text_f(p->out, "%s ", op_name(e->op));
    printer_domain(p, e->domain);
    if (e->kid[0]) {
        text_add(p->out, " : ");
        printer_expr(p, e->kid[0]);
    }
}

static void print_pieces(const Printer *p, const IrExpr *e) {
    text_add(p->out, "pieces(");
    if (e->id >= 0)
        text_add(p->out, p->g->kind[e->id].name);
    else
        printer_expr(p, e->kid[1]);
    if (e->kid[0]) {
        text_add(p->out, " of ");
        printer_operand(p, e->kid[0]);
    }
    text_char(p->out, ')');
}

static void print_image(const Printer *p, const IrExpr *e) {
    text_f(p->out, "image %s[", p->g->table[e->id]->name);
    printer_expr(p, e->kid[0]);
    if (e->kid[1]) {
        text_add(p->out, ", ");
        printer_expr(p, e->kid[1]);
    }
    text_char(p->out, ']');
}

static void print_cond(const Printer *p, const IrExpr *e) {
    text_add(p->out, "if ");
    printer_expr(p, e->kid[0]);
    text_add(p->out, " then ");
    printer_operand(p, e->kid[1]);
    text_add(p->out, " else ");
    printer_operand(p, e->kid[2]);
}

// known pair(p, _)
static void print_known(const Printer *p, const IrExpr *e) {
    const IrRelation *r = &p->g->knowledge->relation[e->id];
    text_f(p->out, "%s %s", op_name(e->op), r->name);
    for (int i = 0; i < r->params; i++) {
        text_add(p->out, i ? ", " : "(");
        if (e->args[i])
            printer_expr(p, e->args[i]);
        else
            text_char(p->out, '_');
    }
    text_add(p->out, r->params ? ")" : "");
}

void printer_expr(const Printer *p, const IrExpr *e) {
    const IrGame *g = p->g;
    if (!e) {
        text_char(p->out, '?');
        return;
    }
    switch (e->op) {
    case IR_CONST: printer_value(p, e->type, e->value); return;
    case IR_SET: printer_set(p, e->set); return;
    case IR_LOCAL: printer_local(p, e->id); return;
    case IR_VAR:
        if (e->kid[0])
            printer_arguments(p, g->var[e->id].name, e->kid, 1, "[]");
        else
            text_add(p->out, g->var[e->id].name);
        return;
    case IR_ATTR: printer_arguments(p, g->attr[e->id].name, e->kid, 1, "()"); return;
    case IR_TABLE: printer_arguments(p, g->table[e->id]->name, e->kid, 2, "[]"); return;
    case IR_CALL:
        printer_function(p, e->id);
        printer_arguments(p, "", e->args, g->func[e->id]->params, "()");
        return;
    case IR_ME:
    case IR_OCCUPIED: text_add(p->out, op_name(e->op)); return;
    case IR_PLANE: printer_plane(p, e->id); return;
    case IR_PIECES: print_pieces(p, e); return;
    case IR_IMAGE: print_image(p, e); return;
    case IR_COND: print_cond(p, e); return;
    case IR_KNOWN:
    case IR_KNOWN_COUNT:
    case IR_KNOWN_SET: print_known(p, e); return;
    case IR_NOT:
    case IR_NOT_SET:
        text_add(p->out, e->op == IR_NOT ? "not " : "~");
        printer_operand(p, e->kid[0]);
        return;
    default: break;
    }
    if (is_loop(e->op)) {
        print_loop(p, e);
    } else if (is_infix(e->op)) {
        if (e->kid[0] && e->kid[0]->op == e->op && groups_left(e->op))
            printer_expr(p, e->kid[0]);
        else
            print_side(p, e->op, e->kid[0]);
        text_f(p->out, " %s ", op_name(e->op));
        print_side(p, e->op, e->kid[1]);
    } else {
        printer_arguments(p, op_name(e->op), e->kid, 3, "()");
    }
}

void ir_print_expr(const IrGame *g, const IrFrame *frame, const IrExpr *e, Text *out) {
    Printer p = {.g = g, .frame = frame, .out = out};
    printer_expr(&p, e);
}
