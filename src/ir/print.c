// The IR as text, for `ludens ir` and for whoever debugs a compiler stage: everything the back
// ends see, in the words of the rules where there are any. Expressions come first, then
// statements, then the game from its players to its layout.
#include "base/bits.h"
#include "ir/ir.h"

#include <string.h>

typedef struct Printer {
    const IrGame *g;
    const IrFrame *frame; // what names the locals; may be NULL
    Text *out;
    int indent;
} Printer;

// Longer sets are cut short and counted.
#define SHOWN_MEMBERS 16

static void print_expr(const Printer *p, const IrExpr *e);

static const char *or_nothing(const char *s) {
    return s ? s : "";
}

// --- Values ---

static const char *name_in(const char *const *names, int count, int64_t i) {
    return i >= 0 && i < count ? names[i] : i == count ? "none" : "?";
}

static void print_mask(const Printer *p, IrType type, uint64_t mask);

static void print_value(const Printer *p, IrType type, int64_t value) {
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
        print_value(p, member, bits_pop(&mask));
    }
    text_char(p->out, '}');
}

static void print_set(const Printer *p, const uint64_t *set) {
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
static void print_local(const Printer *p, int slot) {
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

static void print_plane(const Printer *p, int plane) {
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

// As an operand: in parentheses unless it is one word or a call.
static void print_operand(const Printer *p, const IrExpr *e) {
    bool open = e && (is_infix(e->op) || is_loop(e->op) || e->op == IR_COND || e->op == IR_NOT ||
                      e->op == IR_PLANE || (e->op == IR_CONST && e->value < 0));
    text_add(p->out, open ? "(" : "");
    print_expr(p, e);
    text_add(p->out, open ? ")" : "");
}

static void print_arguments(const Printer *p, const char *name, IrExpr *const *args, int n,
                            const char *brackets) {
    text_add(p->out, name);
    text_char(p->out, brackets[0]);
    for (int i = 0, shown = 0; i < n; i++) {
        if (!args[i])
            continue;
        text_add(p->out, shown++ ? ", " : "");
        print_expr(p, args[i]);
    }
    text_char(p->out, brackets[1]);
}

// x in D where C
static void print_domain(const Printer *p, const IrDomain *d) {
    print_local(p, d->slot);
    text_add(p->out, " in ");
    if (d->kind == DOM_LINES) {
        text_add(p->out, d->a ? "lines through " : "lines");
        if (d->a)
            print_operand(p, d->a);
    } else {
        print_operand(p, d->a);
        if (d->kind == DOM_RANGE) {
            text_add(p->out, " .. ");
            print_operand(p, d->b);
        }
    }
    if (d->where) {
        text_add(p->out, " where ");
        print_expr(p, d->where);
    }
}

static void print_loop(const Printer *p, const IrExpr *e) {
    text_f(p->out, "%s ", op_name(e->op));
    print_domain(p, e->domain);
    if (e->kid[0]) {
        text_add(p->out, " : ");
        print_expr(p, e->kid[0]);
    }
}

static void print_pieces(const Printer *p, const IrExpr *e) {
    text_add(p->out, "pieces(");
    if (e->id >= 0)
        text_add(p->out, p->g->kind[e->id].name);
    else
        print_expr(p, e->kid[1]);
    if (e->kid[0]) {
        text_add(p->out, " of ");
        print_operand(p, e->kid[0]);
    }
    text_char(p->out, ')');
}

static void print_image(const Printer *p, const IrExpr *e) {
    text_f(p->out, "image %s[", p->g->table[e->id]->name);
    print_expr(p, e->kid[0]);
    if (e->kid[1]) {
        text_add(p->out, ", ");
        print_expr(p, e->kid[1]);
    }
    text_char(p->out, ']');
}

static void print_cond(const Printer *p, const IrExpr *e) {
    text_add(p->out, "if ");
    print_expr(p, e->kid[0]);
    text_add(p->out, " then ");
    print_operand(p, e->kid[1]);
    text_add(p->out, " else ");
    print_operand(p, e->kid[2]);
}

static void print_expr(const Printer *p, const IrExpr *e) {
    const IrGame *g = p->g;
    if (!e) {
        text_char(p->out, '?');
        return;
    }
    switch (e->op) {
    case IR_CONST: print_value(p, e->type, e->value); return;
    case IR_SET: print_set(p, e->set); return;
    case IR_LOCAL: print_local(p, e->id); return;
    case IR_VAR:
        if (e->kid[0])
            print_arguments(p, g->var[e->id].name, e->kid, 1, "[]");
        else
            text_add(p->out, g->var[e->id].name);
        return;
    case IR_ATTR: print_arguments(p, g->attr[e->id].name, e->kid, 1, "()"); return;
    case IR_TABLE: print_arguments(p, g->table[e->id]->name, e->kid, 2, "[]"); return;
    case IR_CALL:
        print_arguments(p, g->func[e->id]->name, e->args, g->func[e->id]->params, "()");
        return;
    case IR_ME:
    case IR_OCCUPIED: text_add(p->out, op_name(e->op)); return;
    case IR_PLANE: print_plane(p, e->id); return;
    case IR_PIECES: print_pieces(p, e); return;
    case IR_IMAGE: print_image(p, e); return;
    case IR_COND: print_cond(p, e); return;
    case IR_NOT:
        text_add(p->out, "not ");
        print_operand(p, e->kid[0]);
        return;
    default: break;
    }
    if (is_loop(e->op)) {
        print_loop(p, e);
    } else if (is_infix(e->op)) {
        print_operand(p, e->kid[0]);
        text_f(p->out, " %s ", op_name(e->op));
        print_operand(p, e->kid[1]);
    } else {
        print_arguments(p, op_name(e->op), e->kid, 3, "()");
    }
}

void ir_print_expr(const IrGame *g, const IrFrame *frame, const IrExpr *e, Text *out) {
    Printer p = {.g = g, .frame = frame, .out = out};
    print_expr(&p, e);
}

// --- Statements ---

static void print_block(Printer *p, const IrStmt *s);

static void print_margin(const Printer *p) {
    for (int i = 0; i < p->indent; i++)
        text_add(p->out, "    ");
}

static void print_body(Printer *p, const IrStmt *s) {
    p->indent++;
    print_block(p, s);
    p->indent--;
}

// kind, or the kind expression, and its owner
static void print_piece(const Printer *p, const IrStmt *s, const IrExpr *kind) {
    if (s->id >= 0)
        text_add(p->out, p->g->kind[s->id].name);
    else
        print_operand(p, kind);
    if (s->e[1]) {
        text_add(p->out, " of ");
        print_operand(p, s->e[1]);
    }
}

static void print_words(const Printer *p, const char *a, const IrExpr *x, const char *b,
                        const IrExpr *y) {
    text_f(p->out, "%s ", a);
    print_expr(p, x);
    if (y) {
        text_f(p->out, " %s ", b);
        print_expr(p, y);
    }
}

static void print_either(Printer *p, const IrStmt *s) {
    const IrSite *site = &p->g->site[s->id];
    int n = 0;
    for (const IrStmt *branch = s->body; branch; branch = branch->sibling, n++) {
        if (n)
            print_margin(p);
        text_add(p->out, n ? "or" : "either");
        if (site->labels && or_nothing(site->labels[n])[0])
            text_f(p->out, " \"%s\"", site->labels[n]);
        if (!n)
            text_f(p->out, "    # site %d", s->id);
        text_char(p->out, '\n');
        print_body(p, branch->body);
    }
}

static void print_if(Printer *p, const IrStmt *s) {
    print_words(p, "if", s->e[0], "", NULL);
    text_char(p->out, '\n');
    print_body(p, s->body);
    if (!s->other)
        return;
    print_margin(p);
    text_add(p->out, "else\n");
    print_body(p, s->other);
}

// Everything that takes one line.
static void print_simple(const Printer *p, const IrStmt *s) {
    const IrGame *g = p->g;
    switch (s->kind) {
    case ST_CHOOSE:
        text_add(p->out, "choose ");
        print_domain(p, s->domain);
        text_f(p->out, "    # site %d", s->id);
        break;
    case ST_REQUIRE:
        print_words(p, "require", s->e[0], "", NULL);
        if (s->text)
            text_f(p->out, "  \"%s\"", s->text);
        break;
    case ST_LET:
        print_local(p, s->id);
        print_words(p, " =", s->e[0], "", NULL);
        break;
    case ST_ASSIGN:
        if (s->e[1])
            print_arguments(p, g->var[s->id].name, &s->e[1], 1, "[]");
        else
            text_add(p->out, g->var[s->id].name);
        print_words(p, " =", s->e[0], "", NULL);
        break;
    case ST_SET_ATTR:
        print_arguments(p, g->attr[s->id].name, &s->e[1], 1, "()");
        print_words(p, " =", s->e[0], "", NULL);
        break;
    case ST_PLACE:
        text_add(p->out, "place ");
        print_piece(p, s, s->e[2]);
        print_words(p, " at", s->e[0], "", NULL);
        break;
    case ST_MOVE: print_words(p, "move", s->e[0], "to", s->e[1]); break;
    case ST_MOVE_ABOVE:
        print_words(p, "move", s->e[0], "above", s->e[2]);
        print_words(p, " to", s->e[1], "", NULL);
        break;
    case ST_REMOVE: print_words(p, "remove", s->e[0], "", NULL); break;
    case ST_CLEAR: print_words(p, "clear", s->e[0], "", NULL); break;
    case ST_CHANGE:
        print_words(p, "change", s->e[0], "", NULL);
        text_add(p->out, " to ");
        print_piece(p, s, s->e[2]);
        break;
    case ST_AGAIN: text_add(p->out, "again"); break;
    case ST_SCATTER:
        print_words(p, "scatter", s->e[2], "", NULL);
        text_char(p->out, ' ');
        print_piece(p, s, NULL);
        print_words(p, " on", s->e[0], "", NULL);
        text_f(p->out, " by %lld", (long long)s->value);
        break;
    default: break;
    }
    text_char(p->out, '\n');
}

static void print_stmt(Printer *p, const IrStmt *s) {
    print_margin(p);
    switch (s->kind) {
    case ST_EITHER: print_either(p, s); return;
    case ST_IF: print_if(p, s); return;
    case ST_FOR:
        text_add(p->out, "for ");
        print_domain(p, s->domain);
        text_char(p->out, '\n');
        print_body(p, s->body);
        return;
    case ST_WHILE:
        print_words(p, "while", s->e[0], "", NULL);
        text_f(p->out, " up to %d\n", s->id);
        print_body(p, s->body);
        return;
    default: print_simple(p, s);
    }
}

static void print_block(Printer *p, const IrStmt *s) {
    if (!s) {
        print_margin(p);
        text_add(p->out, "nothing\n");
    }
    for (; s; s = s->next)
        print_stmt(p, s);
}

// --- The game ---

static void print_type(const Printer *p, IrType type, int32_t lo, int32_t hi) {
    if (type.kind == TY_INT)
        text_f(p->out, "%d..%d", lo, hi);
    else
        text_add(p->out, ir_type_name(p->g, type));
    if (type.optional)
        text_add(p->out, " or none");
}

static void print_head(const Printer *p) {
    const IrGame *g = p->g;
    text_f(p->out, "game \"%s\"\n\nplayers\n", or_nothing(g->title));
    for (int i = 0; i < g->players; i++)
        text_f(p->out, "    %d %s\n", i, g->player[i]);
    if (g->parameters)
        text_add(p->out, "\nparameters\n");
    for (int i = 0; i < g->parameters; i++) {
        const IrParameter *it = &g->parameter[i];
        text_f(p->out, "    %s =", it->name);
        for (int j = 0; j < it->count; j++)
            if (it->boolean)
                text_add(p->out, it->values[j] ? " yes" : " no");
            else
                text_f(p->out, "%s %lld", j ? "," : "", (long long)it->values[j]);
        text_f(p->out, "    # %s\n", or_nothing(it->allowed));
    }
}

static void print_board(const Printer *p) {
    static const char *const shapes[] = {"square", "hex rhombus", "hex hexagon", "hex triangle",
                                         "lines"};
    const Board *b = p->g->board;
    text_f(p->out, "\nboard %s %d x %d\n    %d cells, sets of %d word%s\n", shapes[b->shape],
           b->width, b->height, b->cells, b->words, b->words == 1 ? "" : "s");
    if (b->stack > 1)
        text_f(p->out, "    stacks of %d\n", b->stack);
    if (b->directions)
        text_add(p->out, "    directions");
    for (int d = 0; d < b->directions; d++)
        text_f(p->out, "%s%s", d ? ", " : " ", b->direction_name[d]);
    text_add(p->out, b->directions ? "\n" : "");
    if (b->lines)
        text_f(p->out, "    %d lines\n", b->lines);
    if (b->symmetries)
        text_f(p->out, "    %d symmetries\n", b->symmetries);
}

static void print_kinds(const Printer *p) {
    const IrGame *g = p->g;
    text_add(p->out, g->kinds ? "\nkinds\n" : "");
    for (int i = 0; i < g->kinds; i++) {
        const IrKind *kind = &g->kind[i];
        text_f(p->out, "    %d %s", i, kind->name);
        for (int o = 0, n = 0; o < g->players; o++)
            if (kind->owners >> o & 1)
                text_f(p->out, "%s%s", n++ ? ", " : " of ", g->player[o]);
        for (int a = 0, n = 0; a < g->attrs; a++)
            if (kind->attributes >> a & 1)
                text_f(p->out, "%s%s", n++ ? ", " : " with ", g->attr[a].name);
        text_char(p->out, '\n');
    }
    text_add(p->out, g->planes ? "\nplanes\n" : "");
    for (int i = 0; i < g->planes; i++) {
        text_f(p->out, "    %d ", i);
        print_plane(p, i);
        text_f(p->out, " \"%s %s\"    # offset %d\n", g->plane[i].letter, g->plane[i].symbol,
               g->plane[i].offset);
    }
}

static void print_initial(const Printer *p, const IrVar *v) {
    text_add(p->out, " =");
    for (int i = 0; i < v->count; i++) {
        text_add(p->out, i ? ", " : " ");
        if (v->type.kind == TY_SET && v->initial_sets)
            print_set(p, &v->initial_sets[i * p->g->board->words]);
        else if (v->type.kind == TY_SET)
            text_add(p->out, "{}");
        else
            print_value(p, v->type, v->initial ? v->initial[i] : 0);
        if (i == SHOWN_MEMBERS && v->count > i + 1) {
            text_add(p->out, ", …");
            return;
        }
    }
}

static void print_storage(const Printer *p) {
    const IrGame *g = p->g;
    text_add(p->out, g->vars ? "\nvariables\n" : "");
    for (int i = 0; i < g->vars; i++) {
        const IrVar *v = &g->var[i];
        text_f(p->out, "    %d %s %s", i, v->clock ? "clock" : "var", v->name);
        if (v->indexed)
            text_f(p->out, "[%d]", v->count);
        text_add(p->out, " : ");
        print_type(p, v->type, v->lo, v->hi);
        print_initial(p, v);
        text_f(p->out, "    # offset %d, width %d\n", v->offset, v->width);
    }
    text_add(p->out, g->attrs ? "\nattributes\n" : "");
    for (int i = 0; i < g->attrs; i++) {
        const IrAttr *a = &g->attr[i];
        text_f(p->out, "    %d %s : ", i, a->name);
        print_type(p, a->type, a->lo, a->hi);
        text_add(p->out, " = ");
        print_value(p, a->type, a->initial);
        text_f(p->out, "    # offset %d, width %d\n", a->offset, a->width);
    }
}

static void print_tables(const Printer *p) {
    const IrGame *g = p->g;
    text_add(p->out, g->tables ? "\ntables\n" : "");
    for (int i = 0; i < g->tables; i++) {
        const IrTable *t = g->table[i];
        if (!t)
            continue;
        text_f(p->out, "    %d %s", i, t->name);
        for (int d = 0; d < t->dims; d++)
            text_f(p->out, "[%d..%d]", t->base[d], t->base[d] + t->size[d] - 1);
        text_f(p->out, " : %s\n", ir_type_name(g, t->type));
    }
}

static void print_functions(Printer *p) {
    const IrGame *g = p->g;
    text_add(p->out, g->funcs ? "\nfunctions\n" : "");
    for (int i = 0; i < g->funcs; i++) {
        const IrFunc *f = g->func[i];
        p->frame = &f->frame;
        text_f(p->out, "    %d %s(", i, f->name);
        for (int a = 0; a < f->params; a++) {
            text_add(p->out, a ? ", " : "");
            print_local(p, a);
            text_f(p->out, " : %s", ir_type_name(g, f->frame.type[a]));
        }
        text_add(p->out, ") = ");
        print_expr(p, f->body);
        text_char(p->out, '\n');
    }
    p->frame = NULL;
}

static void print_sites(const Printer *p) {
    const IrGame *g = p->g;
    text_add(p->out, g->sites ? "\nsites\n" : "");
    for (int i = 0; i < g->sites; i++) {
        const IrSite *s = &g->site[i];
        text_f(p->out, "    %d %s : ", i, s->labels ? "either" : s->name);
        print_type(p, s->type, s->lo, s->hi);
        text_f(p->out, ", %d bit%s, \"%s{}%s\"", s->bits, s->bits == 1 ? "" : "s",
               or_nothing(s->before), or_nothing(s->after));
        if (s->say)
            text_f(p->out, "    # %s", s->say);
        text_char(p->out, '\n');
    }
}

static void print_body_of(Printer *p, const char *title, const IrStmt *s, const IrFrame *frame) {
    if (!s)
        return;
    text_f(p->out, "\n%s    # %d locals\n", title, frame->slots);
    p->frame = frame;
    print_body(p, s);
    p->frame = NULL;
}

static void print_rule(const Printer *p, const IrRule *r) {
    static const char *const words[] = {"draw", "wins", "loses", "most", "least", "pass"};
    const char *word = words[r->outcome];
    if (r->outcome == OUT_WINS || r->outcome == OUT_LOSES) {
        print_operand(p, r->player);
        text_f(p->out, " %s", word);
    } else if (r->outcome == OUT_MOST || r->outcome == OUT_LEAST) {
        text_f(p->out, "%s over ", word);
        print_local(p, r->slot);
        text_add(p->out, " : ");
        print_operand(p, r->score);
        text_add(p->out, " wins");
    } else {
        text_add(p->out, word);
    }
    if (r->cond) {
        text_add(p->out, " when ");
        print_expr(p, r->cond);
    }
    text_char(p->out, '\n');
}

static void print_rules(Printer *p, const char *title, const IrRules *rules) {
    if (!rules->count)
        return;
    text_f(p->out, "\n%s\n", title);
    p->frame = &rules->frame;
    for (int i = 0; i < rules->count; i++) {
        text_add(p->out, "    ");
        print_rule(p, &rules->rule[i]);
    }
    p->frame = NULL;
}

static void print_layout(const Printer *p) {
    const IrGame *g = p->g;
    const IrLayout *l = &g->layout;
    text_f(p->out, "\nlayout\n    %d bytes, the first %d tell positions apart; %.1f bits\n",
           l->size, l->identity, l->bits);
    if (l->stack_width)
        text_f(p->out, "    stacks at %d, %d bytes a cell, %d bit%s a piece\n", l->stack_offset,
               l->stack_width, l->stack_bits, l->stack_bits == 1 ? "" : "s");
    text_f(p->out, "    player at %d, result at %d\n", l->player, l->result);
    text_f(p->out, "    a move takes at most %d choices and %d bits\n", g->most_choices,
           g->move_bits);
}

void ir_print(const IrGame *g, Text *out) {
    Printer printer = {.g = g, .out = out};
    Printer *p = &printer;
    print_head(p);
    print_board(p);
    print_kinds(p);
    print_storage(p);
    print_tables(p);
    print_functions(p);
    print_sites(p);
    print_body_of(p, "setup", g->setup, &g->setup_frame);
    if (g->scramble_moves)
        text_f(out, "    scramble %lld by %lld\n", (long long)g->scramble_moves,
               (long long)g->scramble_seed);
    print_body_of(p, "turn", g->turn, &g->turn_frame);
    print_rules(p, "end", &g->end);
    if (g->repeated)
        text_f(out, "    draw when repeated %d\n", g->repeated);
    print_rules(p, "when stuck", &g->stuck);
    print_rules(p, "when all stuck", &g->all_stuck);
    print_layout(p);
}
