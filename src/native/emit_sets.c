// Sets: algebra, steps of whole sets as shifts, rays, floods, tables.
//
// A step of a whole set is a shift of its bits for every distance at which steps lead:
//
//     n on an 8 x 8 board:   S << 8
//     e:                     (S & all but the last column) << 1
//     ne on dark cells:      (S & odd rows) << 4 | (S & even rows) << 5
#include "native/emitter.h"

#include <string.h>

// A step with more distances than this goes cell by cell: the board has no regular shape.
#define MOST_SHIFTS 24

// --- algebra ---

static bool is(const char *text, const char *name) {
    return strcmp(text, name) == 0;
}

const char *emit_and(Emitter *em, const char *a, const char *b) {
    if (is(a, "SET_EMPTY") || is(b, "SET_ALL"))
        return a;
    if (is(b, "SET_EMPTY") || is(a, "SET_ALL"))
        return b;
    return emit_f(em, em->one ? "(%s & %s)" : "set_and(%s, %s)", a, b);
}

const char *emit_or(Emitter *em, const char *a, const char *b) {
    if (is(b, "SET_EMPTY") || is(a, "SET_ALL"))
        return a;
    if (is(a, "SET_EMPTY") || is(b, "SET_ALL"))
        return b;
    return emit_f(em, em->one ? "(%s | %s)" : "set_or(%s, %s)", a, b);
}

const char *emit_minus(Emitter *em, const char *a, const char *b) {
    if (is(a, "SET_EMPTY") || is(b, "SET_EMPTY"))
        return a;
    if (is(b, "SET_ALL"))
        return "SET_EMPTY";
    return emit_f(em, em->one ? "(%s & ~%s)" : "set_minus(%s, %s)", a, b);
}

const char *emit_not(Emitter *em, const char *a) {
    if (is(a, "SET_EMPTY"))
        return "SET_ALL";
    return emit_minus(em, "SET_ALL", a);
}

const char *emit_some(Emitter *em, const char *a) {
    if (is(a, "SET_EMPTY"))
        return "0";
    return emit_f(em, em->one ? "(%s != 0)" : "set_some(%s)", a);
}

// Four words side by side, where the machine has them.
void emit_lanes(Emitter *em) {
    if (!emit_once(em, "lanes"))
        return;
    text_add(
        em->helpers,
        "#if defined(__AVX2__) && defined(__GNUC__)\n"
        "#define LANES 4\n"
        "typedef uint64_t Lanes __attribute__((vector_size(32)));\n"
        "typedef long long LanesTested __attribute__((vector_size(32)));\n"
        "#define LANES_SOME(y) (!__builtin_ia32_ptestz256((LanesTested)(y), (LanesTested)(y)))\n"
        "#endif\n");
}

// --- tables ---

const char *emit_table(Emitter *em, int id) {
    const IrTable *t = em->g->table[id];
    const char *name = emit_f(em, "table_%s_%d", emit_word(em, t->name ? t->name : ""), id);
    if (!emit_once(em, name))
        return name;
    int n = t->size[0] * (t->dims == 2 ? t->size[1] : 1);
    int32_t lo = 0, hi = 0;
    for (int i = 0; t->numbers && i < n; i++) {
        lo = t->numbers[i] < lo ? t->numbers[i] : lo;
        hi = t->numbers[i] > hi ? t->numbers[i] : hi;
    }
    const char *type = t->sets                      ? "Set"
                       : lo >= 0 && hi < 256        ? "uint8_t"
                       : lo >= -32768 && hi < 32768 ? "int16_t"
                                                    : "int32_t";
    text_f(em->constants, "static const %s %s[%d]", type, name, t->size[0] > 0 ? t->size[0] : 1);
    if (t->dims == 2)
        text_f(em->constants, "[%d]", t->size[1] > 0 ? t->size[1] : 1);
    text_add(em->constants, " = {\n    ");
    int row = t->dims == 2 ? t->size[1] : 0;
    for (int i = 0; i < n; i++) {
        if (row && i % row == 0)
            text_add(em->constants, "{");
        if (t->sets)
            text_add(em->constants, emit_set_initial(em, t->sets + (size_t)i * (size_t)em->words));
        else
            text_f(em->constants, "%d", t->numbers[i]);
        text_add(em->constants, row && (i + 1) % row == 0 ? "}" : "");
        bool wrap = row ? (i + 1) % row == 0 : (i + 1) % (t->sets ? 4 : 16) == 0;
        text_add(em->constants, i + 1 == n ? "" : wrap ? ",\n    " : ", ");
    }
    text_add(em->constants, n ? "\n};\n\n" : "0\n};\n\n");
    return name;
}

bool emit_is_step(const Emitter *em, const IrTable *t) {
    const Board *b = em->b;
    if (t->dims != 2 || !t->numbers || t->base[0] || t->base[1] || t->size[0] != b->cells + 1 ||
        t->size[1] != b->directions)
        return false;
    for (int i = 0; i < t->size[0] * t->size[1]; i++)
        if (t->numbers[i] != b->step[i])
            return false;
    return true;
}

bool emit_is_next(const Emitter *em, const IrTable *t) {
    const Board *b = em->b;
    return t->dims == 1 && t->sets && !t->base[0] && t->size[0] == b->cells + 1 &&
           memcmp(t->sets, b->next, (size_t)(b->cells + 1) * (size_t)em->words * 8) == 0;
}

void emit_step_table(Emitter *em) {
    const Board *b = em->b;
    if (!emit_once(em, "step_table"))
        return;
    text_f(em->constants, "static const int16_t step_table[%d][%d] = {\n", b->cells + 1,
           b->directions > 0 ? b->directions : 1);
    for (int c = 0; c <= b->cells; c++) {
        text_add(em->constants, "    {");
        for (int d = 0; d < b->directions; d++)
            text_f(em->constants, "%s%d", d ? ", " : "", b->step[c * b->directions + d]);
        text_add(em->constants, b->directions ? "},\n" : "0},\n");
    }
    text_add(em->constants, "};\n\n");
}

// --- relations of cells as shifts ---

typedef struct Pairs {
    int n, cap;
    int *from, *to;
} Pairs;

static void add_pair(Emitter *em, Pairs *p, int from, int to) {
    if (p->n == p->cap) {
        int n = p->n, cap = p->cap;
        ARENA_GROW(em->arena, int, p->from, n, cap);
        cap = p->cap;
        ARENA_GROW(em->arena, int, p->to, n, cap);
        p->cap = cap;
    }
    p->from[p->n] = from;
    p->to[p->n++] = to;
}

static const char *shifted(Emitter *em, const char *set, int by) {
    if (by == 0)
        return set;
    if (em->one)
        return emit_f(em, by > 0 ? "%s << %d" : "%s >> %d", set, by > 0 ? by : -by);
    return emit_f(em, by > 0 ? "set_up(%s, %d)" : "set_down(%s, %d)", set, by > 0 ? by : -by);
}

// The C text of the image of `set` (a name); NULL if it takes too many shifts.
static const char *image_text(Emitter *em, const Pairs *p, const char *set) {
    const char *sum = "SET_EMPTY";
    int shifts = 0;
    for (int by = 1 - em->cells; by < em->cells; by++) {
        uint64_t mask[BOARD_MAX_WORDS] = {0};
        int n = 0;
        for (int i = 0; i < p->n; i++)
            if (p->to[i] - p->from[i] == by) {
                mask[p->from[i] / 64] |= (uint64_t)1 << (p->from[i] % 64);
                n++;
            }
        if (n == 0)
            continue;
        if (++shifts > MOST_SHIFTS)
            return NULL;
        const char *part = emit_and(em, set, emit_set_literal(em, mask));
        sum = emit_or(em, sum, emit_f(em, em->one ? "(%s)" : "%s", shifted(em, part, by)));
    }
    return sum;
}

static void print_shift(Emitter *em, const char *name, const Pairs *p) {
    const char *text = image_text(em, p, "x");
    text_f(em->helpers, "static INLINE Set %s(const Set x) {\n", name);
    if (text) {
        text_f(em->helpers, "    return %s;\n}\n\n", text);
        return;
    }
    const char *table = emit_f(em, "%s_table", name);
    uint64_t *sets = ARENA_ARRAY(em->arena, uint64_t, em->cells * em->words);
    for (int i = 0; i < p->n; i++)
        sets[p->from[i] * em->words + p->to[i] / 64] |= (uint64_t)1 << (p->to[i] % 64);
    text_f(em->constants, "static const Set %s[CELLS] = {\n", table);
    for (int c = 0; c < em->cells; c++)
        text_f(em->constants, "    %s,\n", emit_set_initial(em, sets + c * em->words));
    text_add(em->constants, "};\n\n");
    text_add(em->helpers, "    Set r = SET_EMPTY;\n    for (Set left = x; SET_SOME(left);)\n");
    text_f(em->helpers, "        r = %s;\n    return r;\n}\n\n",
           emit_or(em, "r", emit_f(em, "%s[set_pop(&left)]", table)));
}

static const char *direction_word(Emitter *em, int d) {
    return emit_word(em, em->b->direction_name[d]);
}

static const char *shift_name(Emitter *em, int d, bool back) {
    const char *name = emit_f(em, back ? "back_%s" : "step_%s", direction_word(em, d));
    const Board *b = em->b;
    if (!emit_once(em, name))
        return name;
    Pairs p = {0};
    for (int c = 0; c < em->cells; c++) {
        int to = b->step[c * b->directions + d];
        if (to < em->cells)
            add_pair(em, &p, back ? to : c, back ? c : to);
    }
    text_f(em->helpers,
           back ? "// The cells whose step %s leads into x.\n"
                : "// The cells one step %s of those of x.\n",
           b->direction_name[d]);
    print_shift(em, name, &p);
    return name;
}

static const char *any_shift(Emitter *em, bool back) {
    const char *name = back ? "back_any" : "step_any";
    if (!emit_once(em, name))
        return name;
    const char *cases = "";
    for (int d = 0; d < em->b->directions; d++)
        cases = emit_f(em, "%s    case %d: return %s(x);\n", cases, d, shift_name(em, d, back));
    text_f(em->helpers, "static INLINE Set %s(const Set x, const int d) {\n    switch (d) {\n%s",
           name, cases);
    text_add(em->helpers, "    default: return SET_EMPTY;\n    }\n}\n\n");
    return name;
}

const char *emit_shift(Emitter *em, EmitFrame *f, const char *set, const IrExpr *d, bool back) {
    int64_t n;
    if (is(set, "SET_EMPTY"))
        return set;
    if (emit_constant(em, f, d, &n) && n >= 0 && n < em->b->directions)
        return emit_f(em, "%s(%s)", shift_name(em, (int)n, back), set);
    const char *text = emit_expr(em, f, d);
    return emit_f(em, "%s(%s, %s)", any_shift(em, back), set, text);
}

const char *emit_moved(Emitter *em, const char *set, const int *to, bool back) {
    Pairs p = {0};
    uint64_t hash = back;
    if (is(set, "SET_EMPTY"))
        return set;
    for (int c = 0; c < em->cells; c++) {
        hash = (hash ^ (uint64_t)to[c]) * 0x100000001b3u + 1;
        if (to[c] >= 0 && to[c] < em->cells)
            add_pair(em, &p, back ? to[c] : c, back ? c : to[c]);
    }
    const char *name = emit_f(em, "moved_%llx", (unsigned long long)hash);
    if (!p.n)
        return "SET_EMPTY";
    if (emit_once(em, name))
        print_shift(em, name, &p);
    return emit_f(em, "%s(%s)", name, set);
}

// Neighbours in eight directions are found with four: first beside, then before and behind.
static bool print_around(Emitter *em, const char *name, const IrTable *t) {
    const Board *b = em->b;
    int d[4];
    for (int n = 0; n < 4; n++) {
        d[n] = board_direction_named(b, (const char *const[]){"e", "w", "n", "s"}[n]);
        if (d[n] < 0)
            return false;
    }
    for (int c = 0; c < em->cells; c++) {
        bool near[BOARD_MAX_CELLS + 1] = {false};
        int beside[3] = {c, b->step[c * b->directions + d[0]], b->step[c * b->directions + d[1]]};
        near[beside[1]] = near[beside[2]] = true;
        for (int i = 0; i < 3; i++)
            for (int k = 2; k < 4; k++)
                near[b->step[beside[i] * b->directions + d[k]]] = true;
        for (int x = 0; x < em->cells; x++)
            if (near[x] != (bool)(t->sets[c * em->words + x / 64] >> (x % 64) & 1))
                return false;
    }
    const char *beside = emit_or(em, emit_f(em, "%s(x)", shift_name(em, d[0], false)),
                                 emit_f(em, "%s(x)", shift_name(em, d[1], false)));
    const char *behind = emit_or(em, emit_f(em, "%s(row)", shift_name(em, d[2], false)),
                                 emit_f(em, "%s(row)", shift_name(em, d[3], false)));
    text_f(em->helpers,
           "static INLINE Set %s(const Set x) {\n"
           "    const Set beside = %s, row = %s;\n    return %s;\n}\n\n",
           name, beside, emit_or(em, "x", "beside"), emit_or(em, "beside", behind));
    return true;
}

static const char *table_image(Emitter *em, int id, bool back) {
    const IrTable *t = em->g->table[id];
    const char *name =
        emit_f(em, back ? "into_%s_%d" : "from_%s_%d", emit_word(em, t->name ? t->name : ""), id);
    if (!emit_once(em, name))
        return name;
    Pairs p = {0};
    for (int c = 0; c < em->cells && c < t->size[0]; c++)
        for (int x = 0; x < em->cells; x++)
            if (t->sets[c * em->words + x / 64] >> (x % 64) & 1)
                add_pair(em, &p, back ? x : c, back ? c : x);
    // Neighbours have each other as neighbours: both ways are the same.
    if (emit_is_next(em, t) && print_around(em, name, t))
        return name;
    text_f(em->helpers,
           back ? "// The cells whose `%s` meets x.\n" : "// The union of `%s` over x.\n",
           t->name ? t->name : "");
    print_shift(em, name, &p);
    return name;
}

const char *emit_image(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const IrTable *t = em->g->table[e->id];
    const char *set = emit_expr(em, f, e->kid[0]);
    if (!t->sets)
        return emit_shift(em, f, set, e->kid[1], false);
    return emit_f(em, "%s(%s)", table_image(em, e->id, false), set);
}

const char *emit_meeting(Emitter *em, int table, const char *set) {
    const IrTable *t = em->g->table[table];
    if (t->dims != 1 || !t->sets || t->base[0] != 0 || t->size[0] != em->cells + 1)
        return NULL;
    for (int w = 0; w < em->words; w++) // none must have no neighbours
        if (t->sets[em->cells * em->words + w])
            return NULL;
    return emit_f(em, "%s(%s)", table_image(em, table, true), set);
}

// --- rays ---

// Whether cells along each ray have rising (bit set) or falling numbers; false: neither.
static bool ray_signs(const Emitter *em, uint64_t *up) {
    const Board *b = em->b;
    *up = 0;
    if (!em->one || b->directions > 64)
        return false;
    for (int d = 0; d < b->directions; d++) {
        bool rises = false, falls = false;
        for (int c = 0; c < b->cells; c++) {
            int to = b->step[c * b->directions + d];
            rises |= to < b->cells && to > c;
            falls |= to < b->cells && to < c;
        }
        if (rises && falls)
            return false;
        if (rises)
            *up |= (uint64_t)1 << d;
    }
    return true;
}

static void print_ray_table(Emitter *em) {
    const Board *b = em->b;
    text_f(em->constants, "static const uint64_t rays[%d][CELLS + 1] = {\n", b->directions);
    for (int d = 0; d < b->directions; d++) {
        text_f(em->constants, "    { // %s\n        ", b->direction_name[d]);
        for (int c = 0; c <= b->cells; c++) {
            uint64_t ray = 0;
            int to = b->step[c * b->directions + d];
            for (; to < b->cells && !(ray >> to & 1); to = b->step[to * b->directions + d])
                ray |= (uint64_t)1 << to;
            text_f(em->constants, "%s%s", emit_hex(em, ray),
                   c == b->cells ? "},\n"
                   : c % 4 == 3  ? ",\n        "
                                 : ", ");
        }
    }
    text_add(em->constants, "};\n\n");
}

// On one word the first hit along a ray is the lowest or the highest bit of a set.
static void print_word_rays(Emitter *em, uint64_t up) {
    print_ray_table(em);
    text_f(em->helpers, "#define RISES(d) (%s >> (d) & 1)\n", emit_hex(em, up));
    text_add(em->helpers,
             "// The cells from c in direction d while in x.\n"
             "static INLINE Set ray_while(const int c, const int d, const Set x) {\n"
             "    const Set ray = rays[d][c], hit = ray & ~x;\n"
             "    if (RISES(d))\n"
             "        return ray & ~hit & (hit - 1);\n"
             "    return ray & ~(hit ? ~UINT64_C(0) >> CLZ(hit) : 0);\n"
             "}\n\n"
             "// The cells from c in direction d up to and with the first in x.\n"
             "static INLINE Set ray_until(const int c, const int d, const Set x) {\n"
             "    const Set ray = rays[d][c], hit = ray & x;\n"
             "    if (RISES(d))\n"
             "        return ray & (hit ^ (hit - 1));\n"
             "    return ray & ~UINT64_C(0) << (63 - CLZ(hit | 1));\n"
             "}\n\n"
             "// The first cell from c in direction d that is not in x, as a number and as a set.\n"
             "static INLINE int past(const int c, const int d, const Set x) {\n"
             "    const Set hit = rays[d][c] & ~x;\n"
             "    return !hit ? CELLS : RISES(d) ? CTZ(hit) : 63 - CLZ(hit);\n"
             "}\n"
             "static INLINE Set past_set(const int c, const int d, const Set x) {\n"
             "    const Set hit = rays[d][c] & ~x;\n"
             "    return hit & (RISES(d) ? 0 - hit : UINT64_C(1) << 63 >> CLZ(hit | 1));\n"
             "}\n\n");
}

static void print_step_rays(Emitter *em) {
    emit_step_table(em);
    text_add(em->helpers, "// The cells from c in direction d while in x.\n"
                          "static INLINE Set ray_while(int c, const int d, const Set x) {\n"
                          "    Set r = SET_EMPTY;\n"
                          "    for (int n = 0; n < CELLS; n++) {\n"
                          "        c = step_table[c][d];\n"
                          "        if (!set_has_checked(x, c))\n"
                          "            break;\n"
                          "        set_add(&r, c);\n"
                          "    }\n"
                          "    return r;\n"
                          "}\n\n"
                          "// The cells from c in direction d up to and with the first in x.\n"
                          "static INLINE Set ray_until(int c, const int d, const Set x) {\n"
                          "    Set r = SET_EMPTY;\n"
                          "    for (int n = 0; n < CELLS; n++) {\n"
                          "        c = step_table[c][d];\n"
                          "        if (c >= CELLS)\n"
                          "            break;\n"
                          "        set_add(&r, c);\n"
                          "        if (set_has(x, c))\n"
                          "            break;\n"
                          "    }\n"
                          "    return r;\n"
                          "}\n\n"
                          "// The first cell from c in direction d that is not in x.\n"
                          "static INLINE int past(int c, const int d, const Set x) {\n"
                          "    for (int n = 0; n < CELLS; n++) {\n"
                          "        c = step_table[c][d];\n"
                          "        if (!set_has_checked(x, c))\n"
                          "            return c;\n"
                          "    }\n"
                          "    return CELLS;\n"
                          "}\n"
                          "static INLINE Set past_set(const int c, const int d, const Set x) {\n"
                          "    return set_single_checked(past(c, d, x));\n"
                          "}\n\n");
}

static const char *ray_text(Emitter *em, EmitFrame *f, const IrExpr *e, bool as_set);

void emit_rays(Emitter *em) {
    uint64_t up;
    if (!emit_once(em, "rays"))
        return;
    if (ray_signs(em, &up))
        print_word_rays(em, up);
    else
        print_step_rays(em);
}

const char *emit_ray(Emitter *em, EmitFrame *f, const IrExpr *e) {
    return ray_text(em, f, e, false);
}

const char *emit_past_set(Emitter *em, EmitFrame *f, const IrExpr *e) {
    return ray_text(em, f, e, true);
}

static const char *ray_text(Emitter *em, EmitFrame *f, const IrExpr *e, bool as_set) {
    if (em->b->directions == 0)
        return e->op == IR_PAST && !as_set ? "CELLS" : "SET_EMPTY";
    emit_rays(em);
    const char *cell = emit_expr(em, f, e->kid[0]), *d = emit_expr(em, f, e->kid[1]);
    const char *set = emit_expr(em, f, e->kid[2]);
    const char *name = e->op == IR_RAY_WHILE   ? "ray_while"
                       : e->op == IR_RAY_UNTIL ? "ray_until"
                       : as_set                ? "past_set"
                                               : "past";
    return emit_f(em, "%s(%s, %s, %s)", name, cell, d, set);
}

// How many steps the longest ray has.
static int longest_ray(const Emitter *em, int d) {
    const Board *b = em->b;
    int most = 0;
    for (int c = 0; c < b->cells; c++) {
        int n = 0;
        for (int to = c; n < b->cells; n++) {
            to = b->step[to * b->directions + d];
            if (to >= b->cells)
                break;
        }
        most = n > most ? n : most;
    }
    return most;
}

// The distance of all steps in a direction, 0 if they differ; *from: the cells that have one.
static int uniform_step(const Emitter *em, int d, uint64_t *from) {
    const Board *b = em->b;
    int by = 0;
    memset(from, 0, sizeof(uint64_t) * BOARD_MAX_WORDS);
    for (int c = 0; c < b->cells; c++) {
        int to = b->step[c * b->directions + d];
        if (to >= b->cells)
            continue;
        if (by && to - c != by)
            return 0;
        by = to - c;
        from[c / 64] |= (uint64_t)1 << (c % 64);
    }
    return by;
}

// Through cells that are open the set r grows backwards, 1, 2, 4 ... steps at a time.
static void print_doubling(Emitter *em, int by, const uint64_t *from, int steps) {
    text_f(em->helpers, "    Set open = %s;\n",
           emit_and(em, "through", emit_set_literal(em, from)));
    for (int n = 1; n <= steps; n *= 2) {
        const char *moved = emit_f(em, em->one ? "(%s)" : "%s", shifted(em, "r", -by * n));
        text_f(em->helpers, "    r = %s;\n", emit_or(em, "r", emit_and(em, "open", moved)));
        moved = emit_f(em, em->one ? "(%s)" : "%s", shifted(em, "open", -by * n));
        if (2 * n <= steps)
            text_f(em->helpers, "    open = %s;\n", emit_and(em, "open", moved));
    }
}

// Back from x in direction d: through cells in `through`; `past`: x is beyond them.
static const char *fill_name(Emitter *em, IrOp op, int d) {
    bool past = op == IR_PAST;
    const char *name = emit_f(em, past ? "back_past_%s" : "back_through_%s", direction_word(em, d));
    if (!emit_once(em, name))
        return name;
    const char *back = shift_name(em, d, true);
    uint64_t from[BOARD_MAX_WORDS];
    int by = uniform_step(em, d, from), steps = longest_ray(em, d) - 1;
    text_f(em->helpers, "static INLINE Set %s(const Set through, const Set x) {\n    Set r = %s;\n",
           name, past ? emit_minus(em, "x", "through") : "x");
    if (by && steps > 0)
        print_doubling(em, by, from, steps);
    else if (steps > 0)
        text_f(em->helpers, "    for (int n = 0; n < %d; n++) r = %s;\n", steps,
               emit_or(em, "r", emit_and(em, emit_f(em, "%s(r)", back), "through")));
    text_f(em->helpers, "    return %s(r);\n}\n\n", back);
    return name;
}

static const char *any_fill(Emitter *em, IrOp op) {
    const char *name = op == IR_PAST ? "back_past_any" : "back_through_any";
    if (!emit_once(em, name))
        return name;
    const char *cases = "";
    for (int d = 0; d < em->b->directions; d++)
        cases =
            emit_f(em, "%s    case %d: return %s(through, x);\n", cases, d, fill_name(em, op, d));
    text_f(em->helpers,
           "static INLINE Set %s(const int d, const Set through, const Set x) {\n"
           "    switch (d) {\n%s    default: return SET_EMPTY;\n    }\n}\n\n",
           name, cases);
    return name;
}

const char *emit_fill(Emitter *em, EmitFrame *f, IrOp op, const IrExpr *d, const char *through,
                      const char *set) {
    int64_t n;
    // while: the cells reached are open too; until: those that are not stopped at are open.
    if (op == IR_RAY_UNTIL)
        through = emit_not(em, through);
    through = emit_temp(em, "Set", through);
    if (op == IR_RAY_WHILE)
        set = emit_and(em, set, through);
    if (emit_constant(em, f, d, &n) && n >= 0 && n < em->b->directions)
        return emit_f(em, "%s(%s, %s)", fill_name(em, op, (int)n), through, set);
    const char *way = emit_expr(em, f, d);
    return emit_f(em, "%s(%s, %s, %s)", any_fill(em, op), way, through, set);
}

// --- floods ---

const char *emit_flood(Emitter *em, EmitFrame *f, const IrExpr *e) {
    int next = -1;
    for (int id = 0; id < em->g->tables && next < 0; id++)
        if (emit_is_next(em, em->g->table[id]))
            next = id;
    const char *from = emit_expr(em, f, e->kid[0]), *through = emit_expr(em, f, e->kid[1]);
    if (emit_once(em, "flood")) {
        const char *step = emit_f(em, "%s(r)", table_image(em, next < 0 ? 0 : next, false));
        text_f(em->helpers,
               "// x and all of `through` that is reached from it inside `through`.\n"
               "static INLINE Set flood(const Set x, const Set through) {\n"
               "    Set r = x;\n"
               "    for (;;) {\n"
               "        const Set more = %s;\n"
               "        if (SET_SAME(more, r))\n"
               "            return r;\n"
               "        r = more;\n"
               "    }\n"
               "}\n\n",
               emit_or(em, "r", emit_and(em, step, "through")));
    }
    return emit_f(em, "flood(%s, %s)", from, through);
}
