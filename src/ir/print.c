// The IR as text, for `ludens ir` and for whoever debugs a compiler stage: everything the back
// ends see, in the words of the rules where there are any. Statements come first, then the game
// from its players to its layout; expressions are in print_expr.c.
#include "ir/printer.h"

static const char *or_nothing(const char *s) {
    return s ? s : "";
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
        printer_operand(p, kind);
    if (s->e[1]) {
        text_add(p->out, " of ");
        printer_operand(p, s->e[1]);
    }
}

static void print_words(const Printer *p, const char *a, const IrExpr *x, const char *b,
                        const IrExpr *y) {
    text_f(p->out, "%s ", a);
    printer_expr(p, x);
    if (y) {
        text_f(p->out, " %s ", b);
        printer_expr(p, y);
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
        printer_domain(p, s->domain);
        text_f(p->out, "    # site %d", s->id);
        break;
    case ST_REQUIRE:
        print_words(p, "require", s->e[0], "", NULL);
        if (s->text)
            text_f(p->out, "  \"%s\"", s->text);
        break;
    case ST_LET:
        printer_local(p, s->id);
        print_words(p, " =", s->e[0], "", NULL);
        if (s->value > 0)
            text_f(p->out, "    # site %d", (int)s->value - 1);
        break;
    case ST_ASSIGN:
        if (s->e[1])
            printer_arguments(p, g->var[s->id].name, &s->e[1], 1, "[]");
        else
            text_add(p->out, g->var[s->id].name);
        print_words(p, " =", s->e[0], "", NULL);
        break;
    case ST_SET_ATTR:
        printer_arguments(p, g->attr[s->id].name, &s->e[1], 1, "()");
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
    case ST_NEXT: print_words(p, "next", s->e[0], "", NULL); break;
    case ST_FAIL: text_f(p->out, "fail \"%s\"", or_nothing(s->text)); break;
    case ST_CALL: text_f(p->out, "call %s", or_nothing(p->g->proc[s->id]->name)); break;
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
        printer_domain(p, s->domain);
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
            if (it->words)
                text_f(p->out, " %s", it->words[it->values[j]]);
            else if (it->boolean)
                text_add(p->out, it->values[j] ? " yes" : " no");
            else
                text_f(p->out, "%s %lld", j ? "," : "", (long long)it->values[j]);
        text_f(p->out, "    # %s\n", or_nothing(it->allowed));
    }
}

static void print_board(const Printer *p) {
    static const char *const shapes[] = {"square",       "hex rhombus", "hex hexagon",
                                         "hex triangle", "lines",       "places"};
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
        printer_plane(p, i);
        text_f(p->out, " \"%s %s\"    # offset %d\n", g->plane[i].letter, g->plane[i].symbol,
               g->plane[i].offset);
    }
}

static void print_initial(const Printer *p, const IrVar *v) {
    text_add(p->out, " =");
    for (int i = 0; i < v->count; i++) {
        text_add(p->out, i ? ", " : " ");
        if (v->type.kind == TY_SET && v->initial_sets)
            printer_set(p, &v->initial_sets[i * p->g->board->words]);
        else if (v->type.kind == TY_SET)
            text_add(p->out, "{}");
        else
            printer_value(p, v->type, v->initial ? v->initial[i] : 0);
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
        printer_value(p, a->type, a->initial);
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
        text_f(p->out, "    %d ", i);
        printer_function(p, i);
        text_char(p->out, '(');
        for (int a = 0; a < f->params; a++) {
            text_add(p->out, a ? ", " : "");
            printer_local(p, a);
            text_f(p->out, " : %s", ir_type_name(g, f->frame.type[a]));
        }
        text_add(p->out, ") = ");
        printer_expr(p, f->body);
        text_char(p->out, '\n');
    }
    p->frame = NULL;
}

static void print_sites(const Printer *p) {
    const IrGame *g = p->g;
    text_add(p->out, g->sites ? "\nsites\n" : "");
    for (int i = 0; i < g->sites; i++) {
        const IrSite *s = &g->site[i];
        text_f(p->out, "    %d %s : ", i, ir_is_either(s) ? "either" : s->name);
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

void printer_sentence(const Printer *p, const char *sentence) {
    if (sentence)
        text_f(p->out, "  \"%s\"", sentence);
    text_char(p->out, '\n');
}

static void print_rule(const Printer *p, const IrRule *r) {
    static const char *const words[] = {"draw", "wins", "loses", "most", "least", "pass"};
    const char *word = words[r->outcome];
    if (r->outcome == OUT_WINS || r->outcome == OUT_LOSES) {
        printer_operand(p, r->player);
        text_f(p->out, " %s", word);
    } else if (r->outcome == OUT_MOST || r->outcome == OUT_LEAST) {
        text_f(p->out, "%s over ", word);
        printer_local(p, r->slot);
        text_add(p->out, " : ");
        printer_operand(p, r->score);
        text_add(p->out, " wins");
    } else {
        text_add(p->out, word);
    }
    if (r->cond) {
        text_add(p->out, " when ");
        printer_expr(p, r->cond);
    }
    printer_sentence(p, r->why);
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
    if (l->mask)
        text_add(p->out, "    what stands on hidden cells does not\n");
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
    for (int i = 0; i < g->procs; i++) {
        Text title = {0};
        text_f(&title, "procedure %s", or_nothing(g->proc[i]->name));
        print_body_of(p, text_c(&title), g->proc[i]->body, &g->proc[i]->frame);
        text_free(&title);
    }
    print_rules(p, "end", &g->end);
    if (g->repeated) {
        text_f(out, "    draw when repeated %d", g->repeated);
        printer_sentence(p, g->repeated_why);
    }
    print_rules(p, "when stuck", &g->stuck);
    print_rules(p, "when all stuck", &g->all_stuck);
    if (g->knowledge)
        printer_knowledge(p);
    if (g->on_table)
        printer_table(p);
    print_layout(p);
}
