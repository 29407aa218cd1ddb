// Loops over members: quantifiers, sums, unions, filters that stay loops.
#include "native/emitter.h"

#include <string.h>

// Masks with at most so many possible members become straight code: then a direction is a
// constant for the C compiler, and a step a shift.
#define UNROLL 8

const char *emit_each_member(Emitter *em, bool is_set, const char *set, const char *name,
                             const char *stop) {
    const char *left = emit_new(em);
    const char *member = name ? name : emit_new(em);
    const char *and_on = stop ? emit_f(em, " && !%s", stop) : "";
    if (!is_set || em->one) {
        emit_open(em, "for (uint64_t %s = %s; %s%s; %s &= %s - 1)", left, set, left, and_on, left,
                  left);
        emit_line(em, "const int %s = CTZ(%s);", member, left);
        return member;
    }
    const char *whole = emit_temp(em, "Set", set), *word = emit_new(em);
    emit_line(em, "for (int %s = 0; %s < WORDS%s; %s++)", word, word, and_on, word);
    emit_open(em, "for (uint64_t %s = %s.w[%s]; %s%s; %s &= %s - 1)", left, whole, word, left,
              and_on, left, left);
    emit_line(em, "const int %s = 64 * %s + CTZ(%s);", member, word, left);
    return member;
}

// The numbers of the lines through c: from lines_start[c] on, up to lines_start[c + 1].
void emit_lines_through(Emitter *em) {
    const Board *b = em->b;
    if (!emit_once(em, "lines_through"))
        return;
    text_f(em->constants, "static const int32_t lines_start[%d] = {", em->cells + 2);
    for (int c = 0; c < em->cells + 2; c++)
        text_f(em->constants, "%s%d", c ? ", " : "", b->lines ? b->through_start[c] : 0);
    text_f(em->constants, "};\nstatic const int16_t lines_through[] = {");
    int count = b->lines ? b->through_start[em->cells] : 0;
    for (int i = 0; i < count; i++)
        text_f(em->constants, "%d, ", b->through[i]);
    text_add(em->constants, "0};\n\n");
}

static void lines_loop(Emitter *em, EmitFrame *f, const IrDomain *d, const char *stop,
                       const char **member) {
    const char *n = emit_new(em), *and_on = stop ? emit_f(em, " && !%s", stop) : "";
    const Board *b = em->b;
    if (!d->a) {
        emit_open(em, "for (int %s = 0; %s < %d%s; %s++)", n, n, b->lines, and_on, n);
        *member = n;
        return;
    }
    emit_lines_through(em);
    const char *cell = emit_temp(em, "int", emit_expr(em, f, d->a));
    emit_open(em, "for (int %s = lines_start[%s]; %s < lines_start[%s + 1]%s; %s++)", n, cell, n,
              cell, and_on, n);
    *member = emit_new(em);
    emit_line(em, "const int %s = lines_through[%s];", *member, n);
}

static void pass(Emitter *em, EmitFrame *f, const IrExpr *where, EmitBody *body, void *context) {
    if (!where) {
        body(em, f, context);
        return;
    }
    emit_open(em, "if (%s)", emit_expr(em, f, where));
    body(em, f, context);
    emit_close(em);
}

// Each possible member in turn, as a constant.
static void unrolled(Emitter *em, EmitFrame *f, const IrDomain *d, uint64_t bound, const char *stop,
                     EmitBody *body, void *context) {
    int64_t known;
    bool fixed = emit_constant(em, f, d->a, &known);
    const char *mask = fixed ? NULL : emit_temp(em, "uint64_t", emit_expr(em, f, d->a));
    bool first = true;
    while (bound) {
        int n = bits_pop(&bound);
        f->local[d->slot] = (EmitLocal){.kind = BIND_VALUE, .value = n};
        Text *outer = emit_capture(em);
        pass(em, f, d->where, body, context);
        Text *inner = emit_uncapture(em, outer);
        const char *go = stop && !first ? emit_f(em, "!%s", stop) : "";
        const char *in = fixed ? "" : emit_f(em, "(%s >> %d & 1)", mask, n);
        first = false;
        if (*go || *in)
            emit_open(em, "if (%s%s%s)", go, *go && *in ? " && " : "", in);
        else
            emit_scope(em);
        text_add(em->t, text_c(inner));
        emit_close(em);
    }
}

void emit_each(Emitter *em, EmitFrame *f, const IrDomain *d, const char *stop, EmitBody *body,
               void *context) {
    EmitLocal kept = f->local[d->slot];
    const char *member = NULL;
    if (d->kind == DOM_MASK) {
        uint64_t bound = emit_mask_bound(em, f, d->a);
        if (bits_count(bound) <= UNROLL) {
            unrolled(em, f, d, bound, stop, body, context);
            f->local[d->slot] = kept;
            return;
        }
    }
    switch (d->kind) {
    case DOM_SET: {
        // Conditions that are sets are taken care of before the loop.
        const char *set = emit_members(em, f, d);
        member = emit_each_member(em, true, set, NULL, stop);
        f->local[d->slot] = (EmitLocal){.kind = BIND_TEXT, .text = member};
        body(em, f, context);
        emit_close(em);
        f->local[d->slot] = kept;
        return;
    }
    case DOM_MASK: member = emit_each_member(em, false, emit_expr(em, f, d->a), NULL, stop); break;
    case DOM_RANGE: {
        const char *low = emit_temp(em, "int", emit_expr(em, f, d->a));
        const char *high = emit_temp(em, "int", emit_expr(em, f, d->b));
        member = emit_new(em);
        emit_open(em, "for (int %s = %s; %s <= %s%s; %s++)", member, low, member, high,
                  stop ? emit_f(em, " && !%s", stop) : "", member);
        break;
    }
    case DOM_LINES: lines_loop(em, f, d, stop, &member); break;
    }
    f->local[d->slot] = (EmitLocal){.kind = BIND_TEXT, .text = member};
    pass(em, f, d->where, body, context);
    emit_close(em);
    f->local[d->slot] = kept;
}

typedef struct Fold {
    const IrExpr *e;
    const char *to, *best;
} Fold;

static void fold(Emitter *em, EmitFrame *f, void *context) {
    const Fold *fold = context;
    const IrExpr *e = fold->e;
    const char *value = emit_expr(em, f, e->kid[0]);
    const EmitLocal *l = &f->local[e->domain->slot];
    const char *member = l->kind == BIND_VALUE ? emit_number(em, l->value) : l->text;
    switch (e->op) {
    case IR_ANY: emit_line(em, "if (%s) %s = 1;", value, fold->to); break;
    case IR_ALL: emit_line(em, "if (!%s) %s = 1;", value, fold->to); break;
    case IR_TALLY: emit_line(em, "%s += %s != 0;", fold->to, value); break;
    case IR_SUM: emit_line(em, "%s += %s;", fold->to, value); break;
    case IR_UNION:
        if (strcmp(value, "SET_EMPTY") != 0)
            emit_line(em, "%s = %s;", fold->to, emit_or(em, fold->to, value));
        break;
    case IR_MIN:
    case IR_MAX:
        value = emit_temp(em, "int", value);
        emit_line(em, "if (%s %s %s) %s = %s;", value, e->op == IR_MIN ? "<" : ">", fold->to,
                  fold->to, value);
        break;
    default: // the first member with the least or the most
        value = emit_temp(em, "int", value);
        emit_open(em, "if (%s %s %s)", value, e->op == IR_LEAST ? "<" : ">", fold->best);
        emit_line(em, "%s = %s;", fold->best, value);
        emit_line(em, "%s = %s;", fold->to, member);
        emit_close(em);
        break;
    }
}

const char *emit_loop(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const char *line = emit_some_line(em, f, e);
    if (!line)
        line = emit_least_level(em, f, e);
    if (!line)
        line = emit_some_level(em, f, e);
    if (!line)
        line = emit_enclosed(em, f, e);
    if (line)
        return line;
    emit_hoist(em, f, e->domain, e->kid[0]);
    Fold context = {.e = e, .to = emit_new(em)};
    bool stops = e->op == IR_ANY || e->op == IR_ALL;
    if (e->op == IR_LEAST || e->op == IR_MOST) {
        context.best = emit_new(em);
        emit_line(em, "int %s = %s;", context.best, e->op == IR_LEAST ? "INT32_MAX" : "INT32_MIN");
    }
    bool starts = e->op == IR_LEAST || e->op == IR_MOST || e->op == IR_MIN || e->op == IR_MAX;
    emit_line(em, "%s %s = %s;", emit_type(e->type), context.to,
              e->type.kind == TY_SET ? "SET_EMPTY" : emit_number(em, starts ? e->value : 0));
    emit_each(em, f, e->domain, stops ? context.to : NULL, fold, &context);
    return e->op == IR_ALL ? emit_f(em, "(!%s)", context.to) : context.to;
}

static void add_member(Emitter *em, EmitFrame *f, void *context) {
    const Fold *fold = context;
    const EmitLocal *l = &f->local[fold->e->domain->slot];
    const char *member = l->kind == BIND_VALUE ? emit_number(em, l->value) : l->text;
    emit_line(em, "%s |= UINT64_C(1) << %s;", fold->to, member);
}

const char *emit_members(Emitter *em, EmitFrame *f, const IrDomain *d) {
    if (!d->where)
        return emit_expr(em, f, d->a);
    if (d->kind == DOM_SET)
        return emit_filter(em, f, d);
    IrExpr e = {.domain = (IrDomain *)(uintptr_t)d};
    Fold context = {.e = &e, .to = emit_new(em)};
    emit_line(em, "uint64_t %s = 0;", context.to);
    emit_each(em, f, d, NULL, add_member, &context);
    return context.to;
}
