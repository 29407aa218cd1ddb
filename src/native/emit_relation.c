// Relations as rows of bits, and what expressions ask of them.
#include "native/emit_relation.h"

#include <string.h>

#define UNROLL_PLAYERS 4 // at most: then which row it is, is known to the C compiler

// --- which argument the bits are ---

static int row_words(const Emitter *em, const IrRelation *r, int arg) {
    return r->type[arg].kind == TY_CELL ? em->words : (r->size[arg] + 63) / 64;
}

// Cells before lines before others, the last of several; unless that takes far more room.
static int rank(const IrRelation *r, int arg) {
    IrTypeKind kind = r->type[arg].kind;
    return kind == TY_CELL ? 2 : kind == TY_LINE ? 1 : 0;
}

static size_t size_by(const Emitter *em, const IrRelation *r, int arg) {
    return (size_t)(r->tuples / r->size[arg]) * (size_t)row_words(em, r, arg) * 8;
}

void emit_choose_rows(Emitter *em, EmitRelation *rel) {
    const IrRelation *r = rel->r;
    rel->bit = -1;
    rel->rows = 1;
    rel->words = 1;
    if (r->params == 0)
        return;
    int best = r->params - 1, least = best;
    for (int n = r->params - 2; n >= 0; n--) {
        if (rank(r, n) > rank(r, best))
            best = n;
        if (size_by(em, r, n) < size_by(em, r, least))
            least = n;
    }
    if (size_by(em, r, best) > 4096 && size_by(em, r, best) > 4 * size_by(em, r, least))
        best = least;
    rel->bit = best;
    rel->cells = r->type[best].kind == TY_CELL;
    rel->rows = r->tuples / r->size[best];
    rel->words = row_words(em, r, best);
}

size_t emit_rows_size(const Emitter *em, const EmitRelation *rel) {
    return (size_t)rel->rows * 8 * (size_t)(rel->cells ? em->words : rel->words);
}

// --- rows ---

static bool is_set(const EmitRelation *rel) {
    return rel->cells;
}

static bool is_word(const EmitRelation *rel) {
    return !rel->cells && rel->words == 1;
}

const char *emit_row_type(Emitter *em, const EmitRelation *rel) {
    return is_set(rel) ? "Set" : is_word(rel) ? "uint64_t" : emit_f(em, "Row%d", rel->words);
}

const char *emit_row_empty(Emitter *em, const EmitRelation *rel) {
    return is_set(rel)    ? "SET_EMPTY"
           : is_word(rel) ? "UINT64_C(0)"
                          : emit_f(em, "((Row%d){{0}})", rel->words);
}

const char *emit_row_or(Emitter *em, const EmitRelation *rel, const char *a, const char *b) {
    return is_set(rel)    ? emit_or(em, a, b)
           : is_word(rel) ? emit_f(em, "(%s | %s)", a, b)
                          : emit_f(em, "row%d_or(%s, %s)", rel->words, a, b);
}

const char *emit_row_and(Emitter *em, const EmitRelation *rel, const char *a, const char *b) {
    return is_set(rel)    ? emit_and(em, a, b)
           : is_word(rel) ? emit_f(em, "(%s & %s)", a, b)
                          : emit_f(em, "row%d_and(%s, %s)", rel->words, a, b);
}

const char *emit_row_minus(Emitter *em, const EmitRelation *rel, const char *a, const char *b) {
    return is_set(rel)    ? emit_minus(em, a, b)
           : is_word(rel) ? emit_f(em, "(%s & ~%s)", a, b)
                          : emit_f(em, "row%d_minus(%s, %s)", rel->words, a, b);
}

const char *emit_row_some(Emitter *em, const EmitRelation *rel, const char *row) {
    return is_set(rel)    ? emit_some(em, row)
           : is_word(rel) ? emit_f(em, "(%s != 0)", row)
                          : emit_f(em, "row%d_some(%s)", rel->words, row);
}

const char *emit_row_count(Emitter *em, const EmitRelation *rel, const char *row) {
    return is_set(rel)    ? emit_f(em, "set_count(%s)", row)
           : is_word(rel) ? emit_f(em, "POPCOUNT(%s)", row)
                          : emit_f(em, "row%d_count(%s)", rel->words, row);
}

const char *emit_row_has(Emitter *em, const EmitRelation *rel, const char *row, const char *bit) {
    return is_set(rel)    ? emit_f(em, "set_has(%s, %s)", row, bit)
           : is_word(rel) ? emit_f(em, "(int)(%s >> %s & 1)", row, bit)
                          : emit_f(em, "row%d_has(%s, %s)", rel->words, row, bit);
}

void emit_row_add(Emitter *em, const EmitRelation *rel, const char *row, const char *bit,
                  const char *only) {
    if (is_word(rel) || (is_set(rel) && em->one)) { // without a jump
        if (only) // where it does not hold, the bit may be none, which is 64 on some boards
            emit_line(em, "%s |= (uint64_t)!!(%s) << ((%s) & 63);", row, only, bit);
        else
            emit_line(em, "%s |= UINT64_C(1) << %s;", row, bit);
        return;
    }
    if (only)
        emit_open(em, "if (%s)", only);
    if (is_set(rel))
        emit_line(em, "set_add(&%s, %s);", row, bit);
    else
        emit_line(em, "%s.w[(%s) >> 6] |= UINT64_C(1) << ((%s) & 63);", row, bit, bit);
    if (only)
        emit_close(em);
}

static const char *const row_text = "typedef struct Row@ {\n"
                                    "    uint64_t w[@];\n"
                                    "} Row@;\n"
                                    "static INLINE Row@ row@_or(Row@ x, const Row@ y) {\n"
                                    "    for (int i = 0; i < @; i++) x.w[i] |= y.w[i];\n"
                                    "    return x;\n"
                                    "}\n"
                                    "static INLINE Row@ row@_and(Row@ x, const Row@ y) {\n"
                                    "    for (int i = 0; i < @; i++) x.w[i] &= y.w[i];\n"
                                    "    return x;\n"
                                    "}\n"
                                    "static INLINE Row@ row@_minus(Row@ x, const Row@ y) {\n"
                                    "    for (int i = 0; i < @; i++) x.w[i] &= ~y.w[i];\n"
                                    "    return x;\n"
                                    "}\n"
                                    "static INLINE int row@_some(const Row@ x) {\n"
                                    "    uint64_t all = 0;\n"
                                    "    for (int i = 0; i < @; i++) all |= x.w[i];\n"
                                    "    return all != 0;\n"
                                    "}\n"
                                    "static INLINE int row@_count(const Row@ x) {\n"
                                    "    int n = 0;\n"
                                    "    for (int i = 0; i < @; i++) n += POPCOUNT(x.w[i]);\n"
                                    "    return n;\n"
                                    "}\n"
                                    "static INLINE int row@_has(const Row@ x, const int n) {\n"
                                    "    return (int)(x.w[n >> 6] >> (n & 63) & 1);\n"
                                    "}\n\n";

void emit_row_types(Emitter *em, Text *out) {
    for (int n = 0; n < em->knowing->k->relations; n++) {
        const EmitRelation *rel = &em->knowing->rel[n];
        if (is_set(rel) || is_word(rel) || !emit_once(em, emit_row_type(em, rel)))
            continue;
        const char *words = emit_f(em, "%d", rel->words);
        for (const char *c = row_text; *c; c++) {
            if (*c == '@')
                text_add(out, words);
            else
                text_char(out, *c);
        }
    }
}

const char *emit_rows(Emitter *em, const EmitRelation *rel, int64_t where) {
    if (where == KNOWN_LAST)
        return emit_f(em, "last_%s", rel->name);
    return emit_f(em, "%s->%s", em->knowing->in, rel->name);
}

const char *emit_from_zero(Emitter *em, const char *value, int lo) {
    if (lo == 0)
        return value;
    return emit_f(em, lo > 0 ? "(%s - %d)" : "(%s + %d)", value, lo > 0 ? lo : -lo);
}

// --- rows that fit ---

static bool is_inside(const IrExpr *e, const IrRelation *r, int arg) {
    return !e->type.optional && e->lo >= r->lo[arg] && e->hi < r->lo[arg] + r->size[arg];
}

// The number of argument n, from 0; a condition on it is added to `only`.
static const char *arg_number(Emitter *em, EmitFrame *f, const EmitAtom *a, int n,
                              const char **only) {
    const IrRelation *r = a->rel->r;
    const IrExpr *e = a->value[n];
    int64_t known;
    if (emit_constant(em, f, e, &known)) {
        known -= r->lo[n];
        if (known < 0 || known >= r->size[n]) {
            *only = "0";
            known = 0;
        }
        return emit_number(em, known);
    }
    const char *x = emit_from_zero(em, emit_expr(em, f, e), r->lo[n]);
    if (is_inside(e, r, n))
        return x;
    x = emit_temp(em, "int", x);
    const char *check = emit_f(em, "(unsigned)%s < %d", x, r->size[n]);
    *only = *only ? emit_f(em, "%s && %s", *only, check) : check;
    return x;
}

const char *emit_bit_number(Emitter *em, EmitFrame *f, const EmitAtom *a, const char **only) {
    *only = NULL;
    return a->rel->bit < 0 ? "0" : arg_number(em, f, a, a->rel->bit, only);
}

static const char *add_place(Emitter *em, const char *place, const char *number, int times) {
    bool zero = strcmp(number, "0") == 0;
    if (zero)
        return place;
    if (times != 1)
        number = emit_f(em, "%s * %d", number, times);
    return strcmp(place, "0") == 0 ? number : emit_f(em, "%s + %s", place, number);
}

const char *emit_row_place(Emitter *em, EmitFrame *f, const EmitAtom *a, const char **only) {
    const EmitRelation *rel = a->rel;
    const char *place = "0";
    int left = rel->rows;
    *only = NULL;
    for (int n = 0; n < rel->r->params; n++) {
        if (n == rel->bit)
            continue;
        left /= rel->r->size[n];
        if (a->value[n])
            place = add_place(em, place, arg_number(em, f, a, n, only), left);
    }
    return place;
}

typedef struct Rows {
    const EmitAtom *a;
    EmitRow *body;
    void *context;
} Rows;

static void each_row(Emitter *em, EmitFrame *f, const Rows *rows, int n, const char *place,
                     int left) {
    const EmitAtom *a = rows->a;
    const IrRelation *r = a->rel->r;
    if (n == a->rel->bit)
        n++;
    if (n >= r->params) {
        rows->body(em, f, emit_f(em, "%s[%s]", emit_rows(em, a->rel, a->where), place),
                   rows->context);
        return;
    }
    left /= r->size[n];
    if (a->value[n]) {
        const char *only = NULL;
        const char *x = arg_number(em, f, a, n, &only);
        if (only)
            emit_open(em, "if (%s)", only);
        each_row(em, f, rows, n + 1, add_place(em, place, x, left), left);
        if (only)
            emit_close(em);
        return;
    }
    EmitLocal none = {0}, *to = a->slot[n] >= 0 ? &f->local[a->slot[n]] : &none;
    EmitLocal kept = *to;
    bool few = r->type[n].kind == TY_PLAYER && r->size[n] <= UNROLL_PLAYERS;
    if (few || r->size[n] == 1) {
        for (int i = 0; i < r->size[n]; i++) {
            *to = (EmitLocal){.kind = BIND_VALUE, .value = i + r->lo[n]};
            emit_scope(em);
            each_row(em, f, rows, n + 1, add_place(em, place, emit_number(em, i), left), left);
            emit_close(em);
        }
    } else {
        const char *i = emit_new(em);
        emit_open(em, "for (int %s = 0; %s < %d; %s++)", i, i, r->size[n], i);
        const char *value = i;
        if (r->lo[n] != 0)
            value = emit_temp(em, "int", emit_f(em, "%s + (%d)", i, r->lo[n]));
        *to = (EmitLocal){.kind = BIND_TEXT, .text = value};
        each_row(em, f, rows, n + 1, add_place(em, place, i, left), left);
        emit_close(em);
    }
    *to = kept;
}

void emit_each_row(Emitter *em, EmitFrame *f, const EmitAtom *a, EmitRow *body, void *context) {
    Rows rows = {a, body, context};
    each_row(em, f, &rows, 0, "0", a->rel->rows);
}

void emit_each_bit(Emitter *em, EmitFrame *f, const EmitRelation *rel, const char *row, int slot) {
    const char *member;
    if (is_set(rel) || is_word(rel)) {
        member = emit_each_member(em, is_set(rel), row, NULL, NULL);
    } else {
        const char *word = emit_new(em), *left = emit_new(em);
        member = emit_new(em);
        emit_line(em, "for (int %s = 0; %s < %d; %s++)", word, word, rel->words, word);
        emit_open(em, "for (uint64_t %s = %s.w[%s]; %s; %s &= %s - 1)", left, row, word, left, left,
                  left);
        emit_line(em, "const int %s = 64 * %s + CTZ(%s);", member, word, left);
    }
    int lo = rel->bit < 0 ? 0 : rel->r->lo[rel->bit];
    if (lo != 0)
        member = emit_temp(em, "int", emit_f(em, "%s + (%d)", member, lo));
    if (slot >= 0)
        f->local[slot] = (EmitLocal){.kind = BIND_TEXT, .text = member};
}

// --- what expressions ask ---

static EmitAtom atom_of(const Emitter *em, const IrExpr *e) {
    EmitAtom a = {.rel = &em->knowing->rel[e->id], .where = e->value};
    for (int n = 0; n < IR_MAX_ARGS; n++) {
        a.value[n] = n < a.rel->r->params ? e->args[n] : NULL;
        a.slot[n] = -1;
    }
    return a;
}

typedef struct Gather {
    const EmitRelation *rel;
    const char *to;
    const char *bit; // of the rows, NULL for all
    bool count;
    int slot; // of a column of cells
} Gather;

static void gather(Emitter *em, EmitFrame *f, const char *row, void *context) {
    const Gather *g = context;
    if (g->slot >= 0) {
        const EmitLocal *l = &f->local[g->slot];
        const char *c = l->kind == BIND_VALUE ? emit_number(em, l->value) : l->text;
        emit_open(em, "if (%s)", emit_row_has(em, g->rel, row, g->bit));
        emit_line(em, "set_add(&%s, %s);", g->to, c);
        emit_close(em);
    } else if (g->count) {
        emit_line(em, "%s += %s;", g->to,
                  g->bit ? emit_row_has(em, g->rel, row, g->bit) : emit_row_count(em, g->rel, row));
    } else {
        emit_line(em, "%s = %s;", g->to, emit_row_or(em, g->rel, g->to, row));
    }
}

// How many rows fit, if all known arguments are inside.
static int rows_that_fit(const EmitAtom *a) {
    int n = 1;
    for (int i = 0; i < a->rel->r->params; i++)
        n *= i != a->rel->bit && !a->value[i] ? a->rel->r->size[i] : 1;
    return n;
}

// The row of known arguments, or the union of all rows that fit.
static const char *union_of_rows(Emitter *em, EmitFrame *f, const EmitAtom *a) {
    const EmitRelation *rel = a->rel;
    if (rows_that_fit(a) == 1) {
        const char *only = NULL, *place = emit_row_place(em, f, a, &only);
        const char *row = emit_f(em, "%s[%s]", emit_rows(em, rel, a->where), place);
        return only ? emit_f(em, "(%s ? %s : %s)", only, row, emit_row_empty(em, rel)) : row;
    }
    Gather g = {.rel = rel, .to = emit_new(em), .slot = -1};
    emit_line(em, "%s %s = %s;", emit_row_type(em, rel), g.to, emit_row_empty(em, rel));
    emit_each_row(em, f, a, gather, &g);
    return g.to;
}

static const char *known(Emitter *em, EmitFrame *f, const EmitAtom *a) {
    const EmitRelation *rel = a->rel;
    const char *only = NULL, *bit = NULL;
    if (rel->bit < 0 || a->value[rel->bit])
        bit = emit_bit_number(em, f, a, &only);
    const char *row = union_of_rows(em, f, a);
    const char *has = bit ? emit_row_has(em, rel, row, bit) : emit_row_some(em, rel, row);
    return only ? emit_f(em, "(%s && %s)", only, has) : has;
}

static const char *known_count(Emitter *em, EmitFrame *f, const EmitAtom *a) {
    const EmitRelation *rel = a->rel;
    if (rel->bit < 0 || (a->value[rel->bit] && rows_that_fit(a) == 1))
        return known(em, f, a);
    if (!a->value[rel->bit] && rows_that_fit(a) == 1)
        return emit_row_count(em, rel, union_of_rows(em, f, a));
    const char *only = NULL;
    Gather g = {.rel = rel, .to = emit_new(em), .count = true, .slot = -1};
    if (a->value[rel->bit])
        g.bit = emit_temp(em, "int", emit_bit_number(em, f, a, &only));
    emit_line(em, "int %s = 0;", g.to);
    if (only)
        emit_open(em, "if (%s)", only);
    emit_each_row(em, f, a, gather, &g);
    if (only)
        emit_close(em);
    return g.to;
}

// The cells for an argument that tells rows apart: one bit of each.
static const char *known_column(Emitter *em, EmitFrame *f, EmitAtom *a) {
    // A frame with one slot more, for the cell.
    EmitFrame *inner = ARENA_NEW(em->arena, EmitFrame);
    inner->ir = f->ir;
    inner->local = ARENA_ARRAY(em->arena, EmitLocal, f->ir->slots + 1);
    memcpy(inner->local, f->local, (size_t)f->ir->slots * sizeof *f->local);
    const char *only = NULL;
    Gather g = {.rel = a->rel, .to = emit_new(em), .slot = f->ir->slots};
    g.bit = emit_temp(em, "int", emit_bit_number(em, f, a, &only));
    for (int n = 0; n < a->rel->r->params; n++)
        if (!a->value[n])
            a->slot[n] = g.slot;
    emit_line(em, "Set %s = SET_EMPTY;", g.to);
    if (only)
        emit_open(em, "if (%s)", only);
    emit_each_row(em, inner, a, gather, &g);
    if (only)
        emit_close(em);
    return g.to;
}

static const char *before(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const char *s = em->s, *in = em->knowing->in;
    EmitLocal mover = f->local[IR_MOVER];
    em->s = "b";
    em->knowing->in = "was";
    f->local[IR_MOVER] = (EmitLocal){.kind = BIND_TEXT, .text = "mover_before"};
    const char *value = emit_expr(em, f, e->kid[0]);
    f->local[IR_MOVER] = mover;
    em->s = s;
    em->knowing->in = in;
    return value;
}

const char *emit_known_expr(Emitter *em, EmitFrame *f, const IrExpr *e) {
    if (e->op == IR_BEFORE)
        return before(em, f, e);
    EmitAtom a = atom_of(em, e);
    if (e->op == IR_KNOWN)
        return known(em, f, &a);
    if (e->op == IR_KNOWN_COUNT)
        return known_count(em, f, &a);
    if (a.rel->cells && !a.value[a.rel->bit])
        return union_of_rows(em, f, &a);
    return known_column(em, f, &a);
}

const char *emit_known_lift(Emitter *em, EmitFrame *f, const IrExpr *e, EmitPreimage *preimage) {
    EmitAtom a = atom_of(em, e);
    for (int n = 0; n < a.rel->r->params; n++)
        if (a.value[n] && n != a.rel->bit && emit_depends(em, f, a.value[n]))
            return NULL;
    if (!a.rel->cells || !a.value[a.rel->bit])
        return NULL;
    const IrExpr *x = a.value[a.rel->bit];
    a.value[a.rel->bit] = NULL;
    return preimage(em, f, x, union_of_rows(em, f, &a));
}

bool emit_asks(const Emitter *em, const IrExpr *e) {
    if (!e)
        return false;
    if (e->op >= IR_KNOWN && e->op <= IR_BEFORE)
        return true;
    if (e->op == IR_CALL) {
        for (int n = 0; n < em->g->func[e->id]->params; n++)
            if (emit_asks(em, e->args[n]))
                return true;
        return emit_asks(em, em->g->func[e->id]->body);
    }
    const IrDomain *d = e->domain;
    if (d && (emit_asks(em, d->a) || emit_asks(em, d->b) || emit_asks(em, d->where)))
        return true;
    return emit_asks(em, e->kid[0]) || emit_asks(em, e->kid[1]) || emit_asks(em, e->kid[2]);
}
