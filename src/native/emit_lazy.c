// Random moves without looking at what hardly ever matters.
//
// Some members of a choice go on to another one, from a set that is laborious to find (the mill:
// which men may be taken). A random move needs the number of its members, unless a larger set is at
// hand of which it is a part: then as many moves are counted as that one has members, the set
// itself is found only if one of these moves is drawn, and if the move is none, another one is
// drawn. Each move is as likely as any other.
//
//     cond(some L, L, U)   L part of U: empty only if U is, and never larger
//
// Pairs apart: choose from in S, choose to in T whatever `from` is, and some pairs go on. Which
// ones is known only for each pair; but men that leave a cell complete no more lines than they did
// before, so that no pair goes on whose `to` is not in a set that is the same for all.
#include "native/emitter.h"

// The set that all members of e are from, if it is plain to see.
static const IrExpr *wider(const Emitter *em, const IrExpr *e) {
    switch (e->op) {
    case IR_FILTER: return e->domain->kind == DOM_SET ? e->domain->a : NULL;
    case IR_AND:
    case IR_MINUS: return e->kid[0];
    case IR_CALL: {
        const IrFunc *func = em->g->func[e->id];
        return func->params == 0 ? wider(em, func->body) : NULL;
    }
    default: return NULL;
    }
}

const IrExpr *emit_bound(const Emitter *em, const IrExpr *e) {
    while (e->op == IR_CALL && em->g->func[e->id]->params == 0)
        e = em->g->func[e->id]->body;
    if (e->op != IR_COND || e->kid[0]->op != IR_SOME ||
        !emit_same(em, e->kid[0]->kid[0], e->kid[1]) || emit_expensive(em, e->kid[2]))
        return NULL;
    const IrExpr *u = wider(em, e->kid[1]);
    return u && emit_same(em, u, e->kid[2]) ? u : NULL;
}

void emit_lazy_product(Emitter *em, const EmitLazy *lazy) {
    const char *each = emit_temp(em, "int64_t", emit_f(em, "set_count(%s)", lazy->bound));
    const char *count = emit_temp(em, "int64_t", emit_f(em, "(%s) * %s", lazy->count, each));
    emit_open(em, "if (mode == MODE_SELECT && k->left < %s)", count);
    emit_line(em, "const int first = (int)k->left / (int)%s, second = (int)k->left %% (int)%s;",
              each, each);
    const char *last = emit_temp(em, "Set", emit_expr(em, lazy->f, lazy->third));
    emit_line(em, "if (second >= set_count(%s)) return AGAIN;", last);
    emit_line(em, "k->split = 1;");
    emit_line(em, "k->found = move_put(%s, %s, set_nth(%s, second) - %d);", lazy->move,
              lazy->at_third, last, lazy->third_lo);
    emit_line(em, "return 1;");
    emit_close(em);
    emit_line(em, "k->left -= %s;", count);
    emit_line(em, "k->n += %s;", count);
}

const char *emit_lazy_if(Emitter *em, EmitFrame *f, const IrExpr *const *plain, int plains) {
    const char *text = "k->lazy && (mode == MODE_COUNT || mode == MODE_SELECT)";
    for (int n = 0; n < plains; n++)
        text = emit_f(em, "%s && (%s)", text, emit_expr(em, f, plain[n]));
    return text;
}

// Draws from all pairs of S and T, those that may go on counted as often as they can.
void emit_lazy_pairs(Emitter *em, const EmitLazy *lazy, const EmitApart *apart) {
    const char *on = emit_temp(em, "Set", emit_and(em, apart->to, emit_closing(em, apart->men)));
    const char *off = emit_temp(em, "Set", emit_minus(em, apart->to, on));
    emit_line(em, "const int from_n = set_count(%s), off_n = set_count(%s), on_n = set_count(%s);",
              apart->from, off, on);
    emit_line(em, "const int each = set_count(%s), quiet = from_n * off_n;", lazy->bound);
    emit_line(em, "const int64_t all = quiet + (int64_t)from_n * on_n * each;");
    emit_open(em, "if (mode == MODE_SELECT && k->left < all)");
    emit_line(em, "const int left = (int)k->left;");
    emit_line(em, "k->split = 0;");
    emit_open(em, "if (left < quiet)");
    emit_line(em, "const int one = set_nth(%s, left / off_n), two = set_nth(%s, left %% off_n);",
              apart->from, off);
    emit_line(em, "k->found = %s;", lazy->move);
    emit_line(em, "return 1;");
    emit_close(em);
    emit_line(em, "const int second = (left - quiet) %% each, pair = (left - quiet) / each;");
    emit_line(em, "const int one = set_nth(%s, pair / on_n), two = set_nth(%s, pair %% on_n);",
              apart->from, on);
    emit_line(em, "k->found = %s;", lazy->move);
    const char *still = emit_closing(em, emit_minus(em, apart->men, emit_single(em, "one", false)));
    emit_line(em, "if (!%s) return second ? AGAIN : 1;", emit_has(em, still, "two", false));
    const char *last = emit_temp(em, "Set", emit_expr(em, lazy->f, lazy->third));
    emit_line(em, "if (second >= set_count(%s)) return AGAIN;", last);
    emit_line(em, "k->split = 1;");
    emit_line(em, "k->found = move_put(k->found, %s, set_nth(%s, second) - %d);", lazy->at_third,
              last, lazy->third_lo);
    emit_line(em, "return 1;");
    emit_close(em);
    emit_line(em, "k->left -= all;");
    emit_line(em, "k->n += all;");
}

void emit_note_split(Emitter *em, const IrStmt *branch) {
    em->splits_differ |= em->split && em->split != branch;
    em->split = branch;
}
