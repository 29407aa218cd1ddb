// What is known while the text is made: values that need no state, or only the player on move.
#include "native/emit_relation.h"

#include <string.h>

int emit_none(const Emitter *em, IrType type) {
    switch (type.kind) {
    case TY_BOOL: return 2;
    case TY_PLAYER: return em->g->players;
    case TY_CELL: return em->cells;
    case TY_DIRECTION: return em->b->directions;
    case TY_KIND: return em->g->kinds;
    case TY_LINE: return em->b->lines;
    case TY_FLAG: return em->g->enums[type.of_enum].count;
    default: return 64;
    }
}

int emit_args(const Emitter *em, const IrExpr *e) {
    if (e->op == IR_CALL)
        return em->g->func[e->id]->params;
    return e->op >= IR_KNOWN && e->op <= IR_KNOWN_SET ? em->knowing->k->relation[e->id].params : 0;
}

typedef struct Eval {
    Emitter *em;
    EmitFrame *f;
    int player;
} Eval;

static bool number(const Eval *v, const IrExpr *e, int64_t *out) {
    IrValue value;
    if (!emit_eval(v->em, v->f, e, v->player, &value))
        return false;
    *out = value.number;
    return true;
}

static bool eval_local(const Eval *v, const IrExpr *e, IrValue *out) {
    const EmitLocal *l = &v->f->local[e->id];
    if (l->kind == BIND_VALUE) {
        out->number = l->value;
        return true;
    }
    return l->kind == BIND_EXPR && emit_eval(v->em, l->in, l->expr, v->player, out);
}

static bool eval_table(const Eval *v, const IrExpr *e, IrValue *out) {
    const IrTable *t = v->em->g->table[e->id];
    int64_t at = 0;
    for (int n = 0; n < t->dims; n++) {
        int64_t index;
        if (!number(v, e->kid[n], &index))
            return false;
        index -= t->base[n];
        if (index < 0 || index >= t->size[n])
            return false;
        at = at * t->size[n] + index;
    }
    if (t->sets)
        memcpy(out->set, t->sets + at * v->em->words, (size_t)v->em->words * 8);
    else
        out->number = t->numbers[at];
    return true;
}

// Sets and masks: a mask is a set of one word.
static bool eval_algebra(const Eval *v, const IrExpr *e, IrValue *out) {
    IrValue a, b;
    int words = e->type.kind == TY_SET ? v->em->words : 1;
    if (!emit_eval(v->em, v->f, e->kid[0], v->player, &a) ||
        !emit_eval(v->em, v->f, e->kid[1], v->player, &b))
        return false;
    for (int w = 0; w < words; w++)
        out->set[w] = e->op == IR_AND  ? a.set[w] & b.set[w]
                      : e->op == IR_OR ? a.set[w] | b.set[w]
                                       : a.set[w] & ~b.set[w];
    return true;
}

static bool eval_arithmetic(const Eval *v, const IrExpr *e, IrValue *out) {
    int64_t a, b;
    if (e->kid[0]->type.kind == TY_SET || !number(v, e->kid[0], &a) || !number(v, e->kid[1], &b))
        return false;
    switch (e->op) {
    case IR_ADD: out->number = a + b; return true;
    case IR_SUB: out->number = a - b; return true;
    case IR_MUL: out->number = a * b; return true;
    case IR_EQ: out->number = a == b; return true;
    case IR_NE: out->number = a != b; return true;
    case IR_LT: out->number = a < b; return true;
    case IR_LE: out->number = a <= b; return true;
    default: return false;
    }
}

static bool eval_logic(const Eval *v, const IrExpr *e, IrValue *out) {
    int64_t a, b;
    bool decides = e->op == IR_EITHER; // the value that decides alone
    bool known = number(v, e->kid[0], &a);
    if (known && (a != 0) == decides) {
        out->number = decides;
        return true;
    }
    if (!number(v, e->kid[1], &b))
        return false;
    out->number = b;
    return known || (b != 0) == decides;
}

static bool eval_member(const Eval *v, const IrExpr *e, IrValue *out) {
    int64_t x;
    IrValue set;
    if (!number(v, e->kid[0], &x) || !emit_eval(v->em, v->f, e->kid[1], v->player, &set))
        return false;
    int words = e->kid[1]->type.kind == TY_SET ? v->em->words : 1;
    out->number = x >= 0 && x < 64 * words && (set.set[x / 64] >> (x % 64) & 1);
    return true;
}

static bool eval_single(const Eval *v, const IrExpr *e, IrValue *out) {
    int64_t x;
    if (!number(v, e->kid[0], &x))
        return false;
    memset(out, 0, sizeof *out);
    if (x >= 0 && x < emit_none(v->em, e->kid[0]->type))
        out->set[x / 64] |= (uint64_t)1 << (x % 64);
    return true;
}

static bool eval_not_set(const Eval *v, const IrExpr *e, IrValue *out) {
    if (!emit_eval(v->em, v->f, e->kid[0], v->player, out))
        return false;
    for (int c = 0; c < 64 * v->em->words; c++)
        if (c < v->em->cells)
            out->set[c / 64] ^= (uint64_t)1 << (c % 64);
    return true;
}

// Loops and the like, if they need neither locals nor the state.
static bool eval_rest(const Eval *v, const IrExpr *e, IrValue *out) {
    if (e->dynamic || e->uses || (e->op >= IR_KNOWN && e->op <= IR_BEFORE))
        return false;
    IrValue locals[32] = {0};
    long steps = 1000000;
    return ir_eval(v->em->g, e, locals, out, &steps);
}

bool emit_eval(Emitter *em, EmitFrame *f, const IrExpr *e, int player, IrValue *out) {
    Eval v = {em, f, player};
    int64_t which;
    switch (e->op) {
    case IR_CONST: out->number = e->value; return true;
    case IR_SET: memcpy(out->set, e->set, (size_t)em->words * 8); return true;
    case IR_LOCAL: return eval_local(&v, e, out);
    case IR_ME: out->number = player; return player >= 0;
    case IR_TABLE: return eval_table(&v, e, out);
    case IR_CALL:
        return emit_eval(em, emit_call_frame(em, f, e), em->g->func[e->id]->body, player, out);
    case IR_AND:
    case IR_OR:
    case IR_MINUS: return eval_algebra(&v, e, out);
    case IR_NOT_SET: return eval_not_set(&v, e, out);
    case IR_SINGLE:
    case IR_MASK_OF: return eval_single(&v, e, out);
    case IR_MEMBER: return eval_member(&v, e, out);
    case IR_BOTH:
    case IR_EITHER: return eval_logic(&v, e, out);
    case IR_NOT:
        if (!number(&v, e->kid[0], &which))
            return false;
        out->number = !which;
        return true;
    case IR_NEG:
        if (!number(&v, e->kid[0], &which))
            return false;
        out->number = -which;
        return true;
    case IR_WRAP:
        if (!number(&v, e->kid[0], &which))
            return false;
        out->number = (int32_t)(uint32_t)(uint64_t)which;
        return true;
    case IR_COND:
        return number(&v, e->kid[0], &which) &&
               emit_eval(em, f, which ? e->kid[1] : e->kid[2], player, out);
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE: return eval_arithmetic(&v, e, out);
    default: return eval_rest(&v, e, out);
    }
}

bool emit_constant(Emitter *em, EmitFrame *f, const IrExpr *e, int64_t *value) {
    IrValue v;
    if (e->type.kind == TY_SET || !emit_eval(em, f, e, -1, &v))
        return false;
    *value = v.number;
    return true;
}

static const char *literal(Emitter *em, IrType type, const IrValue *v) {
    if (type.kind == TY_SET)
        return emit_set_literal(em, v->set);
    if (type.kind == TY_MASK)
        return emit_hex(em, (uint64_t)v->number);
    return emit_number(em, v->number);
}

const char *emit_fixed(Emitter *em, EmitFrame *f, const IrExpr *e) {
    IrValue v;
    if (emit_eval(em, f, e, -1, &v))
        return literal(em, e->type, &v);
    const char *text = NULL;
    bool same = true;
    const char *first = NULL;
    for (int p = em->g->players - 1; p >= 0; p--) {
        if (!emit_eval(em, f, e, p, &v))
            return NULL;
        const char *value = literal(em, e->type, &v);
        if (!first)
            first = value;
        same = same && strcmp(first, value) == 0;
        text = text ? emit_f(em, "me == %d ? %s : %s", p, value, text) : value;
    }
    return same ? first : emit_f(em, "(%s)", text);
}

static uint64_t whole_mask(const Emitter *em, IrType type) {
    int n =
        type.of == TY_INT ? 64 : emit_none(em, (IrType){.kind = type.of, .of_enum = type.of_enum});
    return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

uint64_t emit_mask_bound(Emitter *em, EmitFrame *f, const IrExpr *e) {
    IrValue v;
    if (emit_eval(em, f, e, -1, &v))
        return (uint64_t)v.number;
    switch (e->op) {
    case IR_COND: return emit_mask_bound(em, f, e->kid[1]) | emit_mask_bound(em, f, e->kid[2]);
    case IR_OR: return emit_mask_bound(em, f, e->kid[0]) | emit_mask_bound(em, f, e->kid[1]);
    case IR_AND: return emit_mask_bound(em, f, e->kid[0]) & emit_mask_bound(em, f, e->kid[1]);
    case IR_MINUS: return emit_mask_bound(em, f, e->kid[0]);
    case IR_CALL: return emit_mask_bound(em, emit_call_frame(em, f, e), em->g->func[e->id]->body);
    case IR_LOCAL:
        if (f->local[e->id].kind == BIND_EXPR)
            return emit_mask_bound(em, f->local[e->id].in, f->local[e->id].expr);
        return whole_mask(em, e->type);
    default: return whole_mask(em, e->type);
    }
}

bool emit_same(const Emitter *em, const IrExpr *a, const IrExpr *b) {
    if (!a || !b)
        return a == b;
    if (a == b)
        return true;
    if (a->op != b->op || a->type.kind != b->type.kind || a->id != b->id || a->value != b->value ||
        a->domain || b->domain)
        return false;
    if (a->op == IR_SET)
        return memcmp(a->set, b->set, (size_t)em->words * 8) == 0;
    for (int n = 0; n < emit_args(em, a); n++)
        if (!emit_same(em, a->args[n], b->args[n]))
            return false;
    for (int n = 0; n < 3; n++)
        if (!emit_same(em, a->kid[n], b->kid[n]))
            return false;
    return true;
}
