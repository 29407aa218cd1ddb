// Expressions X: made once each, simplified as they are made, turned into tables where they hang
// on one thing only. See lower.h.

#include "s3/lower_make.h"

#include <limits.h>

// Things with more values than this are not tabulated.
#define MOST_VALUES 4096
#define MOST_MADE 400000

// --- making each once ---

static uint32_t mix(uint32_t h, uint64_t v) {
    h = (h ^ (uint32_t)v) * 0x9e3779b1u;
    h = (h ^ (h >> 15) ^ (uint32_t)(v >> 32)) * 0x85ebca6bu;
    return h ^ (h >> 13);
}

int l_words(const Lower *l) {
    return (l->f->locations + 63) / 64;
}

int x_domain(const X *x) {
    int64_t n = (int64_t)x->hi - x->lo + 1;
    return n > MOST_VALUES ? MOST_VALUES + 1 : (int)n;
}

static size_t words_of(const Lower *l, const X *x) {
    if (x->op == X_CELLS)
        return (size_t)l_words(l);
    if (x->op == X_SETS)
        return (size_t)l_words(l) * (size_t)l->f->locations;
    return 0;
}

static size_t tab_of(const X *x) {
    return x->op == X_FUN ? (size_t)x_domain(x->kid[0]) : x->op == X_SUM ? (size_t)x->kids : 0;
}

static uint32_t hash_of(const Lower *l, const X *x) {
    uint32_t h = mix((uint32_t)x->op * 7 + (uint32_t)x->type, (uint64_t)x->value);
    h = mix(h, x->mask);
    h = mix(h, (uint64_t)(uintptr_t)x->shape + (uint64_t)x->space);
    for (int i = 0; i < x->kids; i++)
        h = mix(h, (uint64_t)(uintptr_t)x->kid[i]);
    for (size_t i = 0; i < tab_of(x); i++)
        h = mix(h, (uint32_t)x->tab[i]);
    for (size_t i = 0; i < words_of(l, x); i++)
        h = mix(h, x->words[i]);
    return h;
}

static bool same(const Lower *l, const X *a, const X *b) {
    if (a->op != b->op || a->type != b->type || a->value != b->value || a->mask != b->mask ||
        a->kids != b->kids || a->shape != b->shape || a->space != b->space)
        return false;
    for (int i = 0; i < a->kids; i++)
        if (a->kid[i] != b->kid[i])
            return false;
    size_t tab = tab_of(a), words = words_of(l, a);
    return (!tab || !memcmp(a->tab, b->tab, tab * sizeof *a->tab)) &&
           (!words || !memcmp(a->words, b->words, words * sizeof *a->words));
}

static bool is_atom(const X *x) {
    return x->op >= X_LOCAL && x->op <= X_DEPTH;
}

static void add_atom(X *x, X *atom) {
    for (int i = 0; i < x->atoms && i < 2; i++)
        if (x->atom[i] == atom)
            return;
    if (x->atoms < 2)
        x->atom[x->atoms] = atom;
    if (x->atoms < 3)
        x->atoms++;
}

static void gather(X *x) {
    int weight = 1;
    for (int i = 0; i < x->kids; i++) {
        const X *k = x->kid[i];
        x->reads |= k->reads;
        x->top = k->top > x->top ? k->top : x->top;
        weight += k->weight;
        if (!is_atom(x) && x->type != T_SET)
            for (int n = 0; n < k->atoms; n++) {
                if (n < 2)
                    add_atom(x, k->atom[n]);
                else
                    x->atoms = 3;
            }
    }
    x->weight = weight > 1000000 ? 1000000 : weight;
    if (x->op == X_FUN)
        x->weight = 1 + x->kid[0]->weight;
}

X *x_intern(Lower *l, const X *draft) {
    uint32_t hash = hash_of(l, draft);
    X **bucket = &l->table[hash % 4096];
    for (X *x = *bucket; x; x = x->chain)
        if (x->hash == hash && same(l, x, draft))
            return x;
    if (++l->made > MOST_MADE)
        l->too_large = true;
    X *x = ARENA_NEW(l->arena, X);
    *x = *draft;
    x->kid = ARENA_ARRAY(l->arena, X *, x->kids ? x->kids : 1);
    for (int i = 0; i < x->kids; i++)
        x->kid[i] = draft->kid[i];
    size_t tab = tab_of(x), words = words_of(l, x);
    if (tab) {
        x->tab = ARENA_ARRAY(l->arena, int32_t, tab);
        memcpy(x->tab, draft->tab, tab * sizeof *x->tab);
    }
    if (words) {
        x->words = ARENA_ARRAY(l->arena, uint64_t, words);
        memcpy(x->words, draft->words, words * sizeof *x->words);
    }
    x->hash = hash;
    x->table = -1;
    x->chain = *bucket;
    *bucket = x;
    gather(x);
    if (is_atom(x)) {
        x->atom[0] = x;
        x->atoms = 1;
    }
    return x;
}

// --- constants and atoms ---

X *x_const(Lower *l, XType type, int64_t value) {
    return x_intern(l, &(X){.op = X_CONST,
                            .type = type,
                            .value = value,
                            .lo = (int32_t)value,
                            .hi = (int32_t)value});
}
X *x_int(Lower *l, int64_t value) {
    return x_const(l, T_INT, value);
}
X *x_bool(Lower *l, bool value) {
    return x_const(l, T_BOOL, value);
}
X *x_cell(Lower *l, int cell) {
    return x_const(l, T_CELL, cell);
}

bool x_known(const X *x, int64_t *value) {
    *value = x->value;
    return x->op == X_CONST;
}

int x_new_slot(Lower *l, XType type, int32_t lo, int32_t hi, const char *name, uint64_t *domain) {
    ARENA_GROW(l->arena, Slot, l->slot, l->slots, l->slot_cap);
    X draft = {.op = X_LOCAL, .type = type, .value = l->slots, .lo = lo, .hi = hi};
    X *x = x_intern(l, &draft);
    x->words = domain;
    x->top = l->slots + 1;
    if (type == T_SET)
        x->atoms = 3;
    l->slot[l->slots] =
        (Slot){.type = type, .lo = lo, .hi = hi, .name = name, .x = x, .frame = l->frame};
    return l->slots++;
}

X *x_local(Lower *l, int slot) {
    return l->slot[slot].x;
}

X *x_local_in(Lower *l, int slot, uint64_t *domain, int tag) {
    X draft = *l->slot[slot].x;
    draft.mask = (uint64_t)tag;
    draft.atoms = 0;
    X *x = x_intern(l, &draft);
    x->words = domain;
    x->top = slot + 1;
    return x;
}

X *x_atom(Lower *l, XOp op, X *kid, int64_t value, int32_t lo, int32_t hi, unsigned reads) {
    X draft = {.op = op, .value = value, .lo = lo, .hi = hi, .reads = reads};
    draft.type = op == X_WHERE ? T_CELL : T_INT;
    if (kid) {
        draft.kid = &kid;
        draft.kids = 1;
    }
    return x_intern(l, &draft);
}

X *x_plane(Lower *l, X *cell) {
    if (x_is(cell, l->f->locations) || (cell == l->to && !l->moved && l->to))
        return x_int(l, l->planes); // a target is free before the move
    if (cell == l->from && l->from) {
        if (!l->moved && l->from_plane)
            return l->from_plane;
    }
    X draft = {.op = X_PLANE, .hi = l->planes, .reads = READS_PLACES | READS_LOOKS};
    draft.mask = l->planes == 64 ? ~(uint64_t)0 : ((uint64_t)1 << (l->planes + 1)) - 1;
    if (cell->op == X_WHERE && cell->kid[0]->op == X_CONST) { // an element stays what it is
        int e = (int)cell->kid[0]->value - 1;
        bool off = l->f->element[e].location < 0 || l->start[l->f->element[e].location] != e + 1;
        draft.mask = l->element_planes[e] | (off ? (uint64_t)1 << l->planes : 0);
    }
    draft.kid = &cell;
    draft.kids = 1;
    return x_intern(l, &draft);
}

X *x_plane_in(Lower *l, X *cell, uint64_t mask) {
    X draft = {.op = X_PLANE, .hi = l->planes, .reads = READS_PLACES | READS_LOOKS, .mask = mask};
    draft.kid = &cell;
    draft.kids = 1;
    X *x = x_intern(l, &draft);
    for (int p = 0; p < l->planes; p++)
        if (mask == (uint64_t)1 << p)
            return x_int(l, p);
    return x;
}

X *x_elem(Lower *l, X *cell) {
    if (x_is(cell, l->f->locations) || (cell == l->to && !l->moved && l->to))
        return x_int(l, 0);
    if (cell == l->from && !l->moved && l->element)
        return l->element;
    return x_atom(l, X_ELEM, cell, 0, 0, l->f->elements, READS_PLACES);
}

X *x_where(Lower *l, X *element) {
    if (x_is(element, 0))
        return x_cell(l, l->f->locations);
    if (element->op == X_ELEM) // on that cell, if anything is
        return x_cond(l, x_compare(l, X_EQ, element, x_int(l, 0)), x_cell(l, l->f->locations),
                      element->kid[0]);
    if (element == l->element && element && !l->moved)
        return l->from;
    return x_atom(l, X_WHERE, element, 0, 0, l->f->locations, READS_PLACES);
}

bool x_in_domain(const X *atom, int64_t v) {
    if (atom->op == X_PLANE)
        return atom->mask >> v & 1;
    if (atom->op == X_LOCAL && atom->type == T_CELL && atom->words)
        return v < atom->hi + 1 && (atom->words[v / 64] >> (v % 64) & 1);
    return true;
}

// --- values of what is known ---

static int32_t wrap(int64_t v) {
    return (int32_t)(uint32_t)(uint64_t)v;
}

static int64_t eval_in(Lower *l, const X *x, X *const *atom, const int64_t *value) {
    if (x->op == X_CONST)
        return x->value;
    for (int i = 0; i < 2; i++)
        if (x == atom[i])
            return value[i];
    int64_t a = 0, b = 0;
    if (x->op != X_NAME && x->op != X_SUM && x->op != X_COND && x->kids > 0)
        a = eval_in(l, x->kid[0], atom, value);
    switch (x->op) {
    case X_FUN: {
        int64_t n = a - x->kid[0]->lo;
        return n < 0 || n >= x_domain(x->kid[0]) ? x->tab[0] : x->tab[n];
    }
    case X_NAME: {
        int64_t index[16];
        for (int i = 0; i < x->kids; i++)
            index[i] = eval_in(l, x->kid[i], atom, value);
        int word = word_fill(l, x->shape, index);
        if (x->space == SP_WORD)
            return word;
        if (x->space == SP_CELL)
            return l->word[word]->cell < 0 ? l->f->locations : l->word[word]->cell;
        return l->word[word]->element + 1;
    }
    case X_SUM: {
        int64_t sum = x->value;
        for (int i = 0; i < x->kids; i++)
            sum += x->tab[i] * eval_in(l, x->kid[i], atom, value);
        return sum;
    }
    case X_COND: return eval_in(l, x->kid[eval_in(l, x->kid[0], atom, value) ? 1 : 2], atom, value);
    case X_ABS: return wrap(a < 0 ? -a : a);
    case X_WRAP: return wrap(a);
    case X_NOT: return !a;
    case X_BOTH: return a && eval_in(l, x->kid[1], atom, value);
    case X_EITHER: return a || eval_in(l, x->kid[1], atom, value);
    case X_HAS: return a < l->f->locations && (x->kid[1]->words[a / 64] >> (a % 64) & 1);
    default: break;
    }
    b = x->kids > 1 ? eval_in(l, x->kid[1], atom, value) : 0;
    switch (x->op) {
    case X_MUL: return wrap((int64_t)((uint64_t)a * (uint64_t)b));
    case X_DIV: return b ? wrap(a / b) : 0;
    case X_MOD: return b ? a % b : 0;
    case X_EQ: return a == b;
    case X_LT: return a < b;
    default: return 0;
    }
}

int64_t x_eval(Lower *l, const X *x, int64_t first, int64_t second) {
    return eval_in(l, x, x->atom, (int64_t[]){first, second});
}

// What only asks of the element on a cell what kind of piece it is asks for the kind.
static X *by_plane(Lower *l, const X *x, const X *atom, const int32_t *tab) {
    int32_t plane[IR_MAX_KINDS + 1] = {0};
    bool known[IR_MAX_KINDS + 1] = {0};
    plane[l->planes] = tab[0];
    for (int e = 0; e < l->f->elements; e++)
        for (int p = 0; p < l->planes; p++) {
            if (!(l->element_planes[e] >> p & 1))
                continue;
            if (known[p] && plane[p] != tab[e + 1])
                return NULL;
            plane[p] = tab[e + 1];
            known[p] = true;
        }
    X *at = x_plane(l, atom->kid[0]);
    return x_map(l, at, x->type, plane + at->lo);
}

// A function of one atom as a table, a constant, or the atom itself.
X *x_fold(Lower *l, X *x) {
    if (x->op == X_CONST || x->type == T_SET || is_atom(x))
        return x;
    if (x->atoms == 0)
        return x_const(l, x->type, x_eval(l, x, 0, 0));
    if (x->atoms != 1)
        return x;
    X *atom = x->atom[0];
    int n = x_domain(atom);
    if (n > MOST_VALUES || (x->op == X_FUN && x->kid[0] == atom && x->value == 1))
        return x;
    int32_t *tab = ARENA_ARRAY(l->arena, int32_t, n);
    bool first = true, alike = true, itself = x->type == atom->type;
    int32_t lo = 0, hi = 0, any = 0;
    for (int i = 0; i < n; i++) {
        if (!x_in_domain(atom, atom->lo + i))
            continue;
        tab[i] = (int32_t)x_eval(l, x, atom->lo + i, 0);
        if (first)
            any = lo = hi = tab[i];
        first = false;
        lo = tab[i] < lo ? tab[i] : lo;
        hi = tab[i] > hi ? tab[i] : hi;
        alike &= tab[i] == any;
        itself &= tab[i] == atom->lo + i;
    }
    if (alike || first)
        return x_const(l, x->type, any);
    if (itself)
        return atom;
    X *better = atom->op == X_ELEM ? by_plane(l, x, atom, tab) : NULL;
    if (better)
        return better;
    for (int i = 0; i < n; i++)
        if (!x_in_domain(atom, atom->lo + i))
            tab[i] = any;
    // `value` marks that it is in its final form.
    return x_intern(l, &(X){.op = X_FUN,
                            .type = x->type,
                            .lo = lo,
                            .hi = hi,
                            .kid = &atom,
                            .kids = 1,
                            .tab = tab,
                            .value = 1});
}

X *x_make(Lower *l, XOp op, XType type, int64_t lo, int64_t hi, X *a, X *b, X *c) {
    X *kid[3] = {a, b, c};
    X draft = {.op = op, .type = type, .lo = (int32_t)lo, .hi = (int32_t)hi, .kid = kid};
    draft.kids = c ? 3 : b ? 2 : 1;
    return x_fold(l, x_intern(l, &draft));
}

X *x_map(Lower *l, X *x, XType type, const int32_t *tab) {
    int64_t v;
    if (x_known(x, &v))
        return x_const(l, type, tab[0]);
    int n = x_domain(x);
    if (x->op == X_COND && x->type != T_SET) {
        X *kid[2];
        for (int i = 0; i < 2; i++)
            kid[i] = x_map(l, x->kid[i + 1], type, tab + (x->kid[i + 1]->lo - x->lo));
        return x_cond(l, x->kid[0], kid[0], kid[1]);
    }
    int32_t lo = tab[0], hi = tab[0];
    for (int i = 1; i < n && i < MOST_VALUES; i++) {
        lo = tab[i] < lo ? tab[i] : lo;
        hi = tab[i] > hi ? tab[i] : hi;
    }
    if (lo == hi)
        return x_const(l, type, lo);
    if (n > MOST_VALUES) { // cannot be: what is mapped are cells, elements, words and indices
        l->too_large = true;
        return x_const(l, type, lo);
    }
    X draft = {.op = X_FUN, .type = type, .lo = lo, .hi = hi, .kid = &x, .kids = 1};
    draft.tab = ARENA_ARRAY(l->arena, int32_t, n);
    memcpy(draft.tab, tab, (size_t)n * sizeof *tab);
    if (x->atoms == 1) {
        X *made = x_intern(l, &draft);
        return x_fold(l, made);
    }
    return x_intern(l, &draft);
}

X *x_name(Lower *l, const Shape *shape, Space space, X **index) {
    X draft = {
        .op = X_NAME, .shape = shape, .space = (int)space, .kid = index, .kids = shape->indices};
    draft.type = space == SP_CELL ? T_CELL : T_INT;
    draft.hi = space == SP_CELL      ? l->f->locations
               : space == SP_ELEMENT ? l->f->elements
                                     : MOST_VALUES - 1;
    return x_fold(l, x_intern(l, &draft));
}
