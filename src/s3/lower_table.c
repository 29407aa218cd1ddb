// Tables: what hangs on one or two small things is looked up. See lower_out.h.

#include "s3/lower_out.h"

// --- tables ---

static bool same_table(const IrTable *a, const IrTable *b, size_t entries, int words) {
    if (a->type.kind != b->type.kind || a->dims != b->dims || a->size[0] != b->size[0] ||
        a->size[1] != b->size[1] || a->base[0] != b->base[0] || a->base[1] != b->base[1])
        return false;
    if (a->sets)
        return memcmp(a->sets, b->sets, entries * (size_t)words * sizeof *a->sets) == 0;
    return memcmp(a->numbers, b->numbers, entries * sizeof *a->numbers) == 0;
}

static int add_table(Lower *l, const IrTable *draft) {
    size_t entries = (size_t)draft->size[0] * (size_t)(draft->dims > 1 ? draft->size[1] : 1);
    for (int i = TABLE_FIRST_FREE; i < l->g->tables; i++)
        if (!l->g->table[i]->sets == !draft->sets &&
            same_table(l->g->table[i], draft, entries, l_words(l)))
            return i;
    IrTable *t = ARENA_NEW(l->arena, IrTable);
    *t = *draft;
    t->name = arena_printf(l->arena, "table%d", l->g->tables - TABLE_FIRST_FREE + 1);
    return ir_add_table(l->g, t);
}

// The sizes of an index: cells and kinds have one entry more.
static void index_range(const Lower *l, const X *x, int *base, int *size) {
    *base = 0;
    if (x->type == T_CELL)
        *size = l->f->locations + 1;
    else if (x->op == X_PLANE)
        *size = l->planes + 1;
    else if (x->op == X_ME)
        *size = l->f->players;
    else {
        *base = x->lo;
        *size = x->hi - x->lo + 1;
    }
}

static IrType value_type(const Lower *l, const X *x, const int32_t *tab, int n) {
    IrType type = out_type(x->type == T_BOOL ? TY_BOOL : x->type == T_CELL ? TY_CELL : TY_INT);
    for (int i = 0; x->type == T_CELL && i < n; i++)
        type.optional |= tab[i] >= l->f->locations;
    return type;
}

IrExpr *out_look_up(Lower *l, const X *x, IrTable *t, IrExpr *a, IrExpr *b) {
    int n = t->size[0] * (t->dims > 1 ? t->size[1] : 1);
    t->type = value_type(l, x, t->numbers, n);
    IrExpr *e = out_new(l, IR_TABLE, t->type, a, b, NULL);
    e->id = add_table(l, t);
    if (x->type == T_INT) {
        e->lo = e->hi = t->numbers[0];
        for (int i = 1; i < n; i++) {
            e->lo = t->numbers[i] < e->lo ? t->numbers[i] : e->lo;
            e->hi = t->numbers[i] > e->hi ? t->numbers[i] : e->hi;
        }
    }
    return e;
}

IrExpr *out_sets(Lower *l, X *cell, const uint64_t *words) {
    IrTable t = {.type = out_type(TY_SET), .dims = 1, .size = {l->f->locations + 1, 0}};
    size_t n = (size_t)l_words(l) * (size_t)l->f->locations;
    t.sets = ARENA_ARRAY(l->arena, uint64_t, n + (size_t)l_words(l));
    memcpy(t.sets, words, n * sizeof *words);
    IrExpr *e = out_new(l, IR_TABLE, t.type, out_convert(l, cell), NULL, NULL);
    e->id = add_table(l, &t);
    return e;
}

// A function of two locals: a table, or for each cell the set of those where it holds.
IrExpr *out_two(Lower *l, X *x) {
    X *a = x->atom[0], *b = x->atom[1];
    int base[2], size[2];
    if ((int64_t)a->hi - a->lo > OUT_MOST_PAIRS || (int64_t)b->hi - b->lo > OUT_MOST_PAIRS)
        return NULL;
    index_range(l, a, &base[0], &size[0]);
    index_range(l, b, &base[1], &size[1]);
    if ((int64_t)size[0] * size[1] > OUT_MOST_PAIRS)
        return NULL;
    if (x->type == T_BOOL && a->type == T_CELL && b->type == T_CELL) {
        int words = l_words(l);
        uint64_t *sets = ARENA_ARRAY(l->arena, uint64_t, words * size[0]);
        for (int i = 0; i < l->f->locations; i++)
            for (int k = 0; k < l->f->locations; k++)
                if (x_in_domain(a, i) && x_in_domain(b, k) && x_eval(l, x, i, k))
                    sets[i * words + k / 64] |= (uint64_t)1 << (k % 64);
        return out_new(l, IR_MEMBER, out_type(TY_BOOL), out_convert(l, b), out_sets(l, a, sets),
                       NULL);
    }
    IrTable t = {.dims = 2, .size = {size[0], size[1]}, .base = {base[0], base[1]}};
    t.numbers = ARENA_ARRAY(l->arena, int32_t, size[0] * size[1]);
    int32_t any = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < size[0]; i++)
            for (int k = 0; k < size[1]; k++) {
                int64_t v = base[0] + i, w = base[1] + k;
                bool in = v >= a->lo && v <= a->hi && w >= b->lo && w <= b->hi &&
                          x_in_domain(a, v) && x_in_domain(b, w);
                if (in)
                    any = t.numbers[i * size[1] + k] = (int32_t)x_eval(l, x, v, w);
                else if (pass)
                    t.numbers[i * size[1] + k] = x->type == T_CELL ? l->f->locations : any;
            }
    return out_look_up(l, x, &t, out_convert(l, a), out_convert(l, b));
}

IrExpr *out_function(Lower *l, X *x) {
    X *atom = x->kid[0];
    OnCell on;
    if (x->type == T_BOOL && out_on_cell(l, x, &on)) {
        IrExpr *e = out_new(l, IR_MEMBER, out_type(TY_BOOL), out_convert(l, on.cell),
                            out_pieces(l, on.mask), NULL);
        return on.none ? out_not(l, e) : e;
    }
    int base, size;
    index_range(l, atom, &base, &size);
    if (x->type == T_BOOL && atom->type == T_CELL) {
        uint64_t *words = ARENA_ARRAY(l->arena, uint64_t, l_words(l) + 1);
        bool none = atom->hi == l->f->locations && x->tab[atom->hi - atom->lo];
        for (int i = atom->lo; i <= atom->hi && i < l->f->locations; i++)
            if (x_in_domain(atom, i) && (x->tab[i - atom->lo] != 0) != none)
                words[i / 64] |= (uint64_t)1 << (i % 64);
        IrExpr *e = out_new(l, IR_MEMBER, out_type(TY_BOOL), out_convert(l, atom),
                            out_cells(l, words), NULL);
        return none ? out_not(l, e) : e;
    }
    if (x->type == T_BOOL) { // one number, or all but one
        int yes = 0, last_yes = 0, last_no = 0;
        for (int i = 0; i < size; i++) {
            yes += x->tab[i] != 0;
            *(x->tab[i] ? &last_yes : &last_no) = i;
        }
        bool one = yes == 1, others = yes == size - 1;
        if ((one || others) && atom->op != X_ME) {
            int64_t v = atom->lo + (one ? last_yes : last_no);
            return out_new(l, one ? IR_EQ : IR_NE, out_type(TY_BOOL), out_convert(l, atom),
                           out_const(l, TY_INT, v), NULL);
        }
        if (one && atom->op == X_ME)
            return out_new(l, IR_EQ, out_type(TY_BOOL), out_convert(l, atom),
                           out_const(l, TY_PLAYER, last_yes), NULL);
    }
    IrTable t = {.dims = 1, .size = {size, 0}, .base = {base, 0}};
    t.numbers = ARENA_ARRAY(l->arena, int32_t, size);
    for (int i = 0; i < size; i++) {
        int64_t at = base + i;
        bool in = at >= atom->lo && at <= atom->hi;
        t.numbers[i] = in ? x->tab[at - atom->lo] : x->tab[0];
        if (x->type == T_CELL && (!in || !x_in_domain(atom, at)))
            t.numbers[i] = l->f->locations; // as few steps as possible for whoever looks for them
    }
    return out_look_up(l, x, &t, out_convert(l, atom), NULL);
}

// --- names with numbers that are known only while playing ---

IrExpr *out_named(Lower *l, X *x) {
    // Numbers that occur in names of this shape.
    int n = x->kids;
    int64_t lo[16], hi[16], index[16];
    for (int k = 0; k < n; k++) {
        lo[k] = x->kid[k]->lo;
        hi[k] = x->kid[k]->hi;
    }
    int64_t least[16], most[16];
    bool any = false;
    for (int w = 2; w < l->words; w++) {
        if (x->space == SP_CELL ? l->word[w]->cell < 0
                                : x->space == SP_ELEMENT && l->word[w]->element < 0)
            continue;
        if (!word_read(l->word[w]->text, x->shape, index))
            continue;
        for (int k = 0; k < n; k++) {
            least[k] = any && least[k] < index[k] ? least[k] : index[k];
            most[k] = any && most[k] > index[k] ? most[k] : index[k];
        }
        any = true;
    }
    int64_t nothing = x->space == SP_CELL ? l->f->locations : x->space == SP_WORD ? 1 : 0;
    IrTypeKind kind = x->type == T_CELL ? TY_CELL : TY_INT;
    if (!any)
        return out_const(l, kind, nothing);
    // One number out of all of them; tests where they can be outside.
    IrExpr *at = NULL, *inside = NULL;
    int64_t size = 1;
    for (int k = 0; k < n; k++) {
        IrExpr *e = out_convert(l, x->kid[k]);
        IrExpr *test = NULL;
        if (lo[k] < least[k])
            test = out_new(l, IR_LE, out_type(TY_BOOL), out_const(l, TY_INT, least[k]), e, NULL);
        if (hi[k] > most[k]) {
            IrExpr *up =
                out_new(l, IR_LE, out_type(TY_BOOL), e, out_const(l, TY_INT, most[k]), NULL);
            test = test ? out_new(l, IR_BOTH, out_type(TY_BOOL), test, up, NULL) : up;
        }
        if (test)
            inside = inside ? out_new(l, IR_BOTH, out_type(TY_BOOL), inside, test, NULL) : test;
        if (test) { // for whoever looks at ranges
            IrExpr *low =
                out_new(l, IR_HIGHER, out_type(TY_INT), e, out_const(l, TY_INT, least[k]), NULL);
            low->lo = (int32_t)least[k];
            low->hi = e->hi > low->lo ? e->hi : low->lo;
            e = out_new(l, IR_LOWER, out_type(TY_INT), low, out_const(l, TY_INT, most[k]), NULL);
            e->lo = (int32_t)least[k];
            e->hi = (int32_t)most[k];
        }
        int64_t span = most[k] - least[k] + 1;
        size *= span;
        if (size > OUT_MOST_PAIRS) {
            l->too_large = true;
            return out_const(l, kind, nothing);
        }
        IrExpr *part =
            out_new(l, IR_SUB, out_type(TY_INT), e, out_const(l, TY_INT, least[k]), NULL);
        part->hi = (int32_t)span - 1;
        part->lo = 0;
        if (at) {
            at = out_new(l, IR_MUL, out_type(TY_INT), at, out_const(l, TY_INT, span), NULL);
            at->hi = (int32_t)(size / span - 1) * (int32_t)span;
            at = out_new(l, IR_ADD, out_type(TY_INT), at, part, NULL);
            at->hi = (int32_t)size - 1;
        } else {
            at = part;
        }
    }
    IrTable t = {.dims = 1, .size = {(int)size, 0}};
    t.numbers = ARENA_ARRAY(l->arena, int32_t, size);
    for (int64_t i = 0; i < size; i++) {
        int64_t left = i;
        for (int k = n - 1; k >= 0; k--) {
            int64_t span = most[k] - least[k] + 1;
            index[k] = least[k] + left % span;
            left /= span;
        }
        const Word *w = l->word[word_fill(l, x->shape, index)];
        t.numbers[i] = x->space == SP_CELL   ? (w->cell < 0 ? l->f->locations : w->cell)
                       : x->space == SP_WORD ? w->number
                                             : w->element + 1;
    }
    IrExpr *e = out_look_up(l, x, &t, at, NULL);
    if (!inside)
        return e;
    IrType type = e->type;
    type.optional |= x->type == T_CELL;
    IrExpr *c = out_new(l, IR_COND, type, inside, e, out_const(l, kind, nothing));
    if (x->type != T_CELL) {
        c->lo = e->lo < nothing ? e->lo : (int32_t)nothing;
        c->hi = e->hi > nothing ? e->hi : (int32_t)nothing;
    }
    return c;
}
