// Comparing a number out of a table with another, for all cells at once: the cells whose entry is
// at most v are a set for each v.
//
//     distance(c, it) == n      upto[c][n] - upto[c][n - 1]
//     min o in S : distance(c, o)      the first n for which S meets upto[c][n]
#include "native/emitter.h"

#define MOST_SETS 4096 // of a table: 32 kB on small boards
#define EIGHT 8        // levels that a vector has
#define FEW_LEVELS 16  // that are looked at one and all, rather than up to the first

typedef struct Levels {
    const char *name;
    int lo, hi;          // of the entries
    const IrExpr *other; // the index that is not the member; NULL if the table has one index
} Levels;

static bool is_cell_index(const Emitter *em, const IrTable *t, int dim) {
    return t->base[dim] == 0 && t->size[dim] == em->cells + 1;
}

// Prints upto[other][v - lo + 1] (entry 0 is empty), the member being index `dim`. `none`: the
// other index may be the cell that is none, whose numbers are often larger than all others.
static bool print_levels(Emitter *em, int id, int dim, bool none, Levels *levels) {
    const IrTable *t = em->g->table[id];
    int others = t->dims == 2 ? t->size[1 - dim] : 1;
    int row = t->dims == 2 ? t->size[1] : 1;
    bool first = true;
    if (!none)
        others--;
    for (int o = 0; o < others; o++)
        for (int c = 0; c < em->cells; c++) {
            int v = t->numbers[dim == 0 ? c * row + o : o * row + c];
            levels->lo = first || v < levels->lo ? v : levels->lo;
            levels->hi = first || v > levels->hi ? v : levels->hi;
            first = false;
        }
    if (first || (int64_t)(levels->hi - levels->lo + 2) * others * em->words > MOST_SETS)
        return false;
    levels->name = emit_f(em, "upto_%s_%d_%d%s", emit_word(em, t->name ? t->name : ""), id, dim,
                          none ? "" : "_some");
    if (!emit_once(em, levels->name))
        return true;
    int sets = levels->hi - levels->lo + 2;
    text_f(em->constants, "static const Set %s[%d][%d] = {\n", levels->name, others,
           sets > EIGHT ? sets : EIGHT + 1);
    for (int o = 0; o < others; o++) {
        text_add(em->constants, "    {");
        for (int v = levels->lo - 1; v <= levels->hi; v++) {
            uint64_t set[BOARD_MAX_WORDS] = {0};
            for (int c = 0; c < em->cells; c++)
                if (t->numbers[dim == 0 ? c * row + o : o * row + c] <= v)
                    set[c / 64] |= (uint64_t)1 << (c % 64);
            text_f(em->constants, "%s%s", v < levels->lo ? "" : ", ", emit_set_initial(em, set));
        }
        text_add(em->constants, "},\n");
    }
    text_add(em->constants, "};\n\n");
    return true;
}

// A table of numbers with the member as one index, and the other not depending on it.
static bool find_levels(Emitter *em, EmitFrame *f, const IrExpr *e, Levels *levels) {
    if (e->op != IR_TABLE || !em->g->table[e->id]->numbers)
        return false;
    const IrTable *t = em->g->table[e->id];
    for (int dim = 0; dim < t->dims; dim++) {
        const IrExpr *other = t->dims == 2 ? e->kid[1 - dim] : NULL;
        if (!emit_is_it(f, e->kid[dim]) || !is_cell_index(em, t, dim))
            continue;
        if (other && (emit_depends(em, f, other) || other->lo < t->base[1 - dim] ||
                      other->hi >= t->base[1 - dim] + t->size[1 - dim]))
            continue;
        *levels = (Levels){.other = other};
        bool none = !other || other->type.kind != TY_CELL || !is_cell_index(em, t, 1 - dim) ||
                    emit_may_be_none(em, other);
        return print_levels(em, e->id, dim, none, levels);
    }
    return false;
}

static const char *row_of(Emitter *em, EmitFrame *f, const IrExpr *e, const Levels *levels) {
    if (!levels->other)
        return emit_f(em, "%s[0]", levels->name);
    const IrTable *t = em->g->table[e->id];
    int dim = levels->other == e->kid[0] ? 0 : 1;
    const char *x = emit_expr(em, f, levels->other);
    return t->base[dim] ? emit_f(em, "%s[%s - (%d)]", levels->name, x, t->base[dim])
                        : emit_f(em, "%s[%s]", levels->name, x);
}

// The set of cells whose entry is at most v (a text), with v kept inside the table.
static const char *at_most(Emitter *em, const char *row, const Levels *levels, const char *v) {
    v = emit_temp(em, "int", v);
    return emit_f(em, "%s[%s < %d ? 0 : %s > %d ? %d : %s - (%d)]", row, v, levels->lo, v,
                  levels->hi, levels->hi - levels->lo + 1, v, levels->lo - 1);
}

const char *emit_lift_levels(Emitter *em, EmitFrame *f, const IrExpr *e) {
    Levels levels;
    for (int n = 0; n < 2; n++) {
        const IrExpr *table = e->kid[n], *value = e->kid[1 - n];
        if (emit_depends(em, f, value) || !find_levels(em, f, table, &levels))
            continue;
        const char *row = row_of(em, f, table, &levels);
        const char *v = emit_temp(em, "int", emit_expr(em, f, value));
        const char *before = emit_f(em, "%s - 1", v);
        switch (e->op) {
        case IR_EQ:
        case IR_NE: {
            const char *set =
                emit_minus(em, at_most(em, row, &levels, v), at_most(em, row, &levels, before));
            return e->op == IR_EQ ? set : emit_not(em, set);
        }
        case IR_LT: // table < v, or v < table
            return n == 0 ? at_most(em, row, &levels, before)
                          : emit_not(em, at_most(em, row, &levels, v));
        default:
            return n == 0 ? at_most(em, row, &levels, v)
                          : emit_not(em, at_most(em, row, &levels, before));
        }
    }
    return NULL;
}

static void print_missed(Emitter *em) {
    if (!emit_once(em, "missed"))
        return;
    text_add(em->helpers,
             "// How many of the first n levels a set misses; there are eight to look at.\n"
             "static INLINE int missed(const Set *const level, const Set x, const int n) {\n"
             "#if defined(__AVX512F__) && !defined(__clang__)\n"
             "    typedef long long Eight __attribute__((vector_size(64)));\n"
             "    typedef Eight __attribute__((aligned(8), may_alias)) Stored;\n"
             "    const Eight all = (Eight){0} + (long long)x;\n"
             "    return POPCOUNT(__builtin_ia32_ptestnmq512(*(const Stored *)level, all,\n"
             "                                               (uint8_t)((1 << n) - 1)));\n"
             "#else\n"
             "    int count = 0;\n"
             "    for (int v = 0; v < n; v++) count += !(level[v] & x);\n"
             "    return count;\n"
             "#endif\n"
             "}\n\n");
}

// How far the first level is that a set meets, without jumps.
static const char *few_levels(Emitter *em, const IrExpr *e, const char *row, const Levels *levels,
                              const char *set) {
    const char *n = emit_number(em, levels->lo);
    int last = levels->hi - levels->lo;
    if (em->one && last <= EIGHT) {
        print_missed(em);
        n = emit_f(em, "%s + missed(%s + 1, %s, %d)", n, row, set, last);
    }
    for (int v = 1; v <= last && !(em->one && last <= EIGHT); v++)
        n = emit_f(em, "%s + !%s", n,
                   emit_some(em, emit_and(em, set, emit_f(em, "%s[%d]", row, v))));
    n = emit_temp(em, "int", n);
    const char *none = emit_number(em, e->value);
    return emit_temp(em, "int",
                     emit_f(em, "%s && %s < %s ? %s : %s", emit_some(em, set), n, none, n, none));
}

// min c in S : table[c, x]: the first level that S meets. NULL if it is not that.
const char *emit_least_level(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const IrDomain *d = e->domain;
    Levels levels;
    if (e->op != IR_MIN || d->kind != DOM_SET)
        return NULL;
    EmitLocal kept = f->local[d->slot], *it = em->it;
    em->it = &f->local[d->slot];
    *em->it = (EmitLocal){.kind = BIND_IT};
    bool found = find_levels(em, f, e->kid[0], &levels);
    const char *row = found ? row_of(em, f, e->kid[0], &levels) : NULL;
    *em->it = kept;
    em->it = it;
    if (!found)
        return NULL;
    const char *set = emit_temp(em, "Set", emit_members(em, f, d));
    if (levels.hi - levels.lo < FEW_LEVELS)
        return few_levels(em, e, row, &levels, set);
    const char *to = emit_new(em);
    emit_line(em, "int %s = %s;", to, emit_number(em, e->value));
    emit_open(em, "if (SET_SOME(%s))", set);
    const char *v = emit_new(em);
    emit_line(em, "int %s = 1;", v);
    emit_line(em, "while (!%s) %s++;",
              emit_some(em, emit_and(em, set, emit_f(em, "%s[%s]", row, v))), v);
    emit_line(em, "%s += %d;", v, levels.lo - 1);
    emit_line(em, "if (%s < %s) %s = %s;", v, to, to, v);
    emit_close(em);
    return to;
}

// some c in S : table[c, x] < n: whether S meets a level. NULL if it is not that.
const char *emit_some_level(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const IrDomain *d = e->domain;
    const IrExpr *cond = e->kid[0];
    if (e->op != IR_ANY || d->kind != DOM_SET || cond->op < IR_EQ || cond->op > IR_LE)
        return NULL;
    EmitLocal kept = f->local[d->slot], *it = em->it;
    em->it = &f->local[d->slot];
    *em->it = (EmitLocal){.kind = BIND_IT};
    int knowns = em->knowns;
    Text *outer = emit_capture(em);
    em->indent--;
    const char *level = emit_lift_levels(em, f, cond);
    em->indent++;
    Text *inner = emit_uncapture(em, outer);
    *em->it = kept;
    em->it = it;
    if (!level) {
        em->knowns = knowns;
        return NULL;
    }
    text_add(em->t, text_c(inner));
    return emit_some(em, emit_and(em, emit_members(em, f, d), level));
}
