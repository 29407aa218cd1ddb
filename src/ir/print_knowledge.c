// What is known about a game as text: the end of `ludens ir`. See print.c for the rest.
#include "ir/printer.h"
#include "ir/relations.h"

static void print_term(const Printer *p, const IrTerm *t) {
    if (t->value) {
        printer_expr(p, t->value);
    } else if (t->slot < 0) {
        text_char(p->out, '_');
    } else {
        text_char(p->out, '?');
        printer_local(p, t->slot);
    }
}

static void print_literal(const Printer *p, const IrLiteral *lit) {
    const IrRelation *r = lit->kind == LIT_KNOWN ? &p->g->knowledge->relation[lit->relation] : NULL;
    switch (lit->kind) {
    case LIT_EACH: printer_domain(p, lit->domain); return;
    case LIT_COND: printer_expr(p, lit->cond); return;
    case LIT_LET:
        printer_local(p, lit->term[0].slot);
        text_add(p->out, " = ");
        printer_expr(p, lit->cond);
        return;
    case LIT_KNOWN: break;
    }
    text_add(p->out, r->name);
    for (int i = 0; i < r->params; i++) {
        text_add(p->out, i ? ", " : "(");
        print_term(p, &lit->term[i]);
    }
    text_add(p->out, r->params ? ")" : "");
}

static void print_clause(Printer *p, const IrRelation *r, const IrClause *clause) {
    p->frame = &clause->frame;
    text_f(p->out, "        %s", r->name);
    for (int i = 0; i < r->params; i++) {
        text_add(p->out, i ? ", " : "(");
        printer_expr(p, clause->head[i]);
    }
    text_add(p->out, r->params ? ")" : "");
    for (int i = 0; i < clause->literals; i++) {
        text_add(p->out, i ? ", " : " if ");
        print_literal(p, &clause->literal[i]);
    }
    text_char(p->out, '\n');
}

static void print_relation(Printer *p, int id) {
    const IrRelation *r = &p->g->knowledge->relation[id];
    text_f(p->out, "    %d %s", id, r->name);
    for (int i = 0; i < r->params; i++) {
        text_add(p->out, i ? ", " : "(");
        if (r->type[i].kind == TY_INT)
            text_f(p->out, "%d..%d", r->lo[i], r->lo[i] + r->size[i] - 1);
        else
            text_add(p->out, ir_type_name(p->g, r->type[i]));
    }
    text_f(p->out, "%s    # %s, stratum %d, %d tuple%s%s%s\n", r->params ? ")" : "",
           r->derived ? "rule" : "fact", r->stratum, r->tuples, r->tuples == 1 ? "" : "s",
           r->recursive ? ", recursive" : "", r->of_me ? ", of me" : "");
    for (int i = 0; i < r->clauses; i++)
        print_clause(p, r, &r->clause[i]);
}

void printer_knowledge(Printer *p) {
    const IrKnowledge *k = p->g->knowledge;
    text_add(p->out, k->relations ? "\nrelations\n" : "");
    for (int i = 0; i < k->relations; i++)
        print_relation(p, k->order[i]);
    text_add(p->out, k->worths ? "\nworth\n" : "");
    for (int i = 0; i < k->worths; i++) {
        const IrWorth *w = &k->worth[i];
        p->frame = &w->frame;
        text_add(p->out, "    ");
        print_literal(p, &w->atom);
        text_add(p->out, " : ");
        printer_expr(p, w->weight);
        printer_sentence(p, w->sentence);
    }
    if (k->opponent)
        text_f(p->out, "    opponent : %lld\n", (long long)k->opponent);
    text_add(p->out, k->prefers ? "\nprefer\n" : "");
    p->frame = &k->prefer_frame;
    for (int i = 0; i < k->choices; i++) {
        text_f(p->out, "    choice %d ", i);
        printer_local(p, k->choice[i].slot);
        text_f(p->out, " : %s\n", ir_type_name(p->g, k->choice[i].type));
    }
    for (int i = 0; i < k->prefers; i++) {
        const IrPrefer *line = &k->prefer[i];
        text_f(p->out, "    times %lld/%lld if ", (long long)line->times, (long long)line->over);
        printer_expr(p, line->cond);
        printer_sentence(p, line->sentence);
    }
    p->frame = NULL;
}
