// Rows of cells between a cell and the end of the row, in several directions at once: the heart of
// reversi and its kin.
//
//     run(c, d) = if past(c, d while W) in M then ray(c, d while W) else none
//
//     some d in directions : some run(it, d)      enclosing(W, M): from which cells is there one
//     union d in directions : run(c, d)           enclosed(c, W, M): all cells of them
//
// On machines with vectors each direction has a lane: one vector for steps to higher numbers and
// one for steps to lower ones. Rows grow by doubling, as in emit_sets.c.
#include "native/emitter.h"

#include <string.h>

typedef struct Way {
    int d, by;
    uint64_t from; // the cells that have a step
} Way;

typedef struct Ways {
    Way up[4], down[4];
    int ups, downs, steps; // steps of the longest row
    uint64_t mask;
} Ways;

// The directions of a mask, if all their steps are shifts that fit the lanes.
static bool find_ways(const Emitter *em, uint64_t mask, Ways *ways) {
    const Board *b = em->b;
    *ways = (Ways){.mask = mask};
    while (mask) {
        Way way = {.d = bits_pop(&mask)};
        if (way.d >= b->directions)
            return false;
        for (int c = 0; c < b->cells; c++) {
            int to = b->step[c * b->directions + way.d], length = 0;
            if (to >= b->cells)
                continue;
            if (way.by && to - c != way.by)
                return false;
            way.by = to - c;
            way.from |= (uint64_t)1 << c;
            for (; to < b->cells && length < b->cells; length++)
                to = b->step[to * b->directions + way.d];
            ways->steps = length > ways->steps ? length : ways->steps;
        }
        if (!way.by)
            continue;
        if ((way.by > 0 ? ways->ups : ways->downs) == 4)
            return false;
        if (way.by > 0)
            ways->up[ways->ups++] = way;
        else
            ways->down[ways->downs++] = way;
    }
    int most = 1; // the largest of the doubled steps must stay within a word
    while (2 * most < ways->steps)
        most *= 2;
    for (int n = 0; n < 4; n++)
        if ((n < ways->ups && most * ways->up[n].by > 63) ||
            (n < ways->downs && most * -ways->down[n].by > 63))
            return false;
    return ways->ups + ways->downs > 1;
}

typedef struct Run { // the parts of run(c, d)
    EmitFrame *f;
    const IrExpr *cell, *direction, *through, *ends;
} Run;

static bool is_empty_set(const Emitter *em, const IrExpr *e) {
    if (e->op != IR_SET)
        return false;
    for (int w = 0; w < em->words; w++)
        if (e->set[w])
            return false;
    return true;
}

static bool is_run(Emitter *em, EmitFrame *f, const IrExpr *e, Run *run) {
    e = emit_resolve(&f, e);
    while (e->op == IR_CALL) {
        f = emit_call_frame(em, f, e);
        e = em->g->func[e->id]->body;
        e = emit_resolve(&f, e);
    }
    if (e->op != IR_COND || e->kid[0]->op != IR_MEMBER || e->kid[0]->kid[0]->op != IR_PAST ||
        e->kid[1]->op != IR_RAY_WHILE || !is_empty_set(em, e->kid[2]))
        return false;
    const IrExpr *past = e->kid[0]->kid[0], *ray = e->kid[1];
    for (int n = 0; n < 3; n++)
        if (!emit_same(em, past->kid[n], ray->kid[n]))
            return false;
    *run = (Run){f, past->kid[0], past->kid[1], past->kid[2], e->kid[0]->kid[1]};
    return true;
}

// Whether an expression is the direction that the loop runs over.
static bool is_direction(const Run *run, const EmitFrame *f, int slot) {
    EmitFrame *of = run->f;
    const IrExpr *e = emit_resolve(&of, run->direction);
    return of == f && e->op == IR_LOCAL && e->id == slot;
}

// Whether the sets of a run depend on the direction.
static bool sets_vary(Emitter *em, const Run *run, EmitFrame *f, int slot) {
    EmitLocal kept = f->local[slot];
    f->local[slot] = (EmitLocal){.kind = BIND_IT};
    bool vary = emit_depends(em, run->f, run->through) || emit_depends(em, run->f, run->ends) ||
                emit_depends(em, run->f, run->cell);
    f->local[slot] = kept;
    return vary;
}

// --- helpers in the generated file ---

static const char *lanes(Emitter *em, const Way *way, int n, int times) {
    const char *list = "";
    for (int i = 0; i < 4; i++) {
        int by = i < n ? times * (way[i].by > 0 ? way[i].by : -way[i].by) : 0;
        list = emit_f(em, "%s%s%d", list, i ? ", " : "", by);
    }
    return emit_f(em, "(Lanes){%s}", list);
}

// The cells that can be in a row: the way leads to them and goes on.
static const char *lane_masks(Emitter *em, const Way *way, int n) {
    const char *list = "";
    for (int i = 0; i < 4; i++) {
        uint64_t inner = 0;
        if (i < n)
            inner = way[i].from &
                    (way[i].by > 0 ? way[i].from << way[i].by : way[i].from >> -way[i].by);
        list = emit_f(em, "%s%s%s", list, i ? ", " : "", emit_hex(em, inner));
    }
    return emit_f(em, "(Lanes){%s}", list);
}

// Backwards from the ends through open cells, for the ways up or down. What is reached grows by
// `by` cells at a time, which are doubled as long as that saves a round.
static void print_rows_half(Emitter *em, const Way *way, int n, int steps, bool up) {
    const char *sign = up ? ">>" : "<<", *name = up ? "up" : "down";
    if (n == 0) {
        text_f(em->helpers, "    rows.%s = (Lanes){0, 0, 0, 0};\n", name);
        return;
    }
    text_f(em->helpers, "    {\n        Lanes open = through & %s, r = open & all_ends %s %s;\n",
           lane_masks(em, way, n), sign, lanes(em, way, n, 1));
    for (int by = 1, have = 1; have < steps - 1;) {
        text_f(em->helpers, "        r |= open & r %s %s;\n", sign, lanes(em, way, n, by));
        have += by;
        if (steps - 1 - have > by) {
            text_f(em->helpers, "        open &= open %s %s;\n", sign, lanes(em, way, n, by));
            by *= 2;
        }
    }
    text_f(em->helpers, "        rows.%s = r;\n    }\n", name);
}

// Both questions begin with the same rows: where a cell is chosen from those of `enclosing` and
// `enclosed` follows, the compiler finds them once.
static void print_rows(Emitter *em, const Ways *ways) {
    const char *name = emit_f(em, "rows_%llx", (unsigned long long)ways->mask);
    if (!emit_once(em, name))
        return;
    emit_lanes(em);
    if (emit_once(em, "enclose_lanes"))
        text_add(em->helpers,
                 "#ifdef LANES\n"
                 "typedef struct Rows {\n    Lanes up, down;\n} Rows;\n"
                 "typedef uint64_t LanesAt __attribute__((vector_size(32), aligned(8), "
                 "may_alias));\n"
                 "static INLINE Set lanes_union(const Lanes y) {\n"
                 "#if defined(__clang__) || __GNUC__ >= 12\n"
                 "    const Lanes z = y | __builtin_shufflevector(y, y, 2, 3, 0, 1);\n"
                 "    return (z | __builtin_shufflevector(z, z, 1, 0, 3, 2))[0];\n"
                 "#else\n"
                 "    return (y[0] | y[1]) | (y[2] | y[3]);\n"
                 "#endif\n}\n"
                 "#endif\n");
    text_f(em->helpers,
           "#ifdef LANES\n"
           "// The cells in `through`, none of them in `ends`, that lead to one of those.\n"
           "static INLINE Rows %s(const Set through, const Set ends) {\n"
           "    const Lanes all_ends = {ends, ends, ends, ends};\n"
           "    Rows rows;\n",
           name);
    print_rows_half(em, ways->up, ways->ups, ways->steps, true);
    print_rows_half(em, ways->down, ways->downs, ways->steps, false);
    text_add(em->helpers, "    return rows;\n}\n#endif\n");
}

static void print_enclosing(Emitter *em, const char *name, const Ways *ways, const char *scalar) {
    print_rows(em, ways);
    text_f(em->helpers,
           "// The cells from which a row of cells in `through` leads to one in `ends`.\n"
           "#ifdef LANES\n"
           "static INLINE Set %s(const Set through, const Set ends) {\n"
           "    const Rows rows = rows_%llx(through, ends);\n"
           "    return lanes_union(rows.up >> %s | rows.down << %s);\n}\n#else\n"
           "static INLINE Set %s(const Set through, const Set ends) {\n    return %s;\n}\n"
           "#endif\n\n",
           name, (unsigned long long)ways->mask, lanes(em, ways->up, ways->ups, 1),
           lanes(em, ways->down, ways->downs, 1), name, scalar);
}

static uint64_t ray_of(const Board *b, int c, int d) {
    uint64_t ray = 0;
    for (int to = b->step[c * b->directions + d]; to < b->cells && !(ray >> to & 1);
         to = b->step[to * b->directions + d])
        ray |= (uint64_t)1 << to;
    return ray;
}

static void print_lane_rays(Emitter *em, const char *name, const Way *way, int n) {
    text_f(em->constants, "static const uint64_t %s[CELLS + 1][4] = {\n", name);
    for (int c = 0; c <= em->cells; c++) {
        text_add(em->constants, "    {");
        for (int i = 0; i < 4; i++)
            text_f(em->constants, "%s%s", i ? ", " : "",
                   emit_hex(em, i < n ? ray_of(em->b, c, way[i].d) : 0));
        text_add(em->constants, "},\n");
    }
    text_add(em->constants, "};\n\n");
}

static void print_enclosed(Emitter *em, const char *name, const Ways *ways, const char *scalar) {
    print_rows(em, ways);
    const char *up = emit_f(em, "%s_up", name), *down = emit_f(em, "%s_down", name);
    print_lane_rays(em, up, ways->up, ways->ups);
    print_lane_rays(em, down, ways->down, ways->downs);
    text_f(em->helpers,
           "// The rows from c through cells in `through` that end before one in `ends`.\n"
           "#ifdef LANES\n"
           "static INLINE Set %s(const int c, const Set through, const Set ends) {\n"
           "    const Rows rows = rows_%llx(through, ends);\n"
           "    const Lanes up = *(const LanesAt *)%s[c], down = *(const LanesAt *)%s[c];\n"
           "    const Lanes gap = up & ~rows.up; // the nearest is the lowest\n"
           "    Lanes below = down & ~rows.down; // the nearest is the highest\n"
           "#if defined(__AVX512CD__) && defined(__AVX512VL__) && !defined(__clang__)\n"
           "    below = ~(Lanes){0, 0, 0, 0} >> (Lanes)__builtin_ia32_vplzcntq_256_mask(\n"
           "                (LanesTested)below, (LanesTested)below, 255);\n"
           "#else\n",
           name, (unsigned long long)ways->mask, up, down);
    for (int k = 1; k < ways->steps; k *= 2)
        text_f(em->helpers, "    below |= below >> %s;\n", lanes(em, ways->down, ways->downs, k));
    text_f(
        em->helpers,
        "#endif\n"
        "    return lanes_union((up & (gap - 1) & ~gap) | (down & ~below));\n}\n#else\n"
        "static INLINE Set %s(const int c, const Set through, const Set ends) {\n%s}\n#endif\n\n",
        name, scalar);
}

// --- the same without vectors ---

static const char *scalar_enclosing(Emitter *em, uint64_t mask) {
    const char *sum = "SET_EMPTY";
    while (mask) {
        IrExpr d = {.op = IR_CONST, .value = bits_pop(&mask), .type = {.kind = TY_DIRECTION}};
        const char *past = emit_fill(em, NULL, IR_PAST, &d, "through", "ends");
        sum = emit_or(em, sum, emit_and(em, past, emit_shift(em, NULL, "through", &d, true)));
    }
    return sum;
}

static const char *scalar_enclosed(Emitter *em, uint64_t mask) {
    const char *text = "    Set all = 0;\n";
    emit_rays(em);
    while (mask) {
        int d = bits_pop(&mask);
        text = emit_f(
            em, "%s    if (past_set(c, %d, through) & ends) all |= ray_while(c, %d, through);\n",
            text, d, d);
    }
    return emit_f(em, "%s    return all;\n", text);
}

// --- use ---

// The ends of a run that can be reached: those it goes through are none.
static const char *ends_of(Emitter *em, const Run *run, const char *through) {
    const IrExpr *w = run->through, *m = run->ends;
    const char *ends = emit_expr(em, run->f, m);
    if (w->op == IR_OWNED && m->op == IR_OWNED &&
        ((emit_is_opponent(em, w->kid[0]) && m->kid[0]->op == IR_ME) ||
         (emit_is_opponent(em, m->kid[0]) && w->kid[0]->op == IR_ME)))
        return ends;
    return emit_minus(em, ends, through);
}

static bool fixed_mask(Emitter *em, EmitFrame *f, const IrDomain *d, uint64_t *mask) {
    int64_t value;
    if (!em->one || d->kind != DOM_MASK || d->where || d->a->type.of != TY_DIRECTION ||
        !emit_constant(em, f, d->a, &value))
        return false;
    *mask = (uint64_t)value;
    return true;
}

// The set of the cells `it` with some d in DIRECTIONS : some run(it, d); NULL if it is not that.
const char *emit_lift_enclosing(Emitter *em, EmitFrame *f, const IrExpr *e) {
    uint64_t mask;
    Ways ways;
    Run run;
    const IrDomain *d = e->domain;
    const IrExpr *body = e->kid[0];
    if (e->op != IR_ANY || body->op != IR_SOME || !fixed_mask(em, f, d, &mask))
        return NULL;
    EmitLocal kept = f->local[d->slot];
    f->local[d->slot] = (EmitLocal){0};
    bool fits = is_run(em, f, body->kid[0], &run) && is_direction(&run, f, d->slot) &&
                emit_is_it(run.f, run.cell) && !emit_depends(em, run.f, run.through) &&
                !emit_depends(em, run.f, run.ends) && find_ways(em, mask, &ways);
    f->local[d->slot] = kept;
    if (!fits)
        return NULL;
    const char *name = emit_f(em, "enclosing_%llx", (unsigned long long)mask);
    if (emit_once(em, name))
        print_enclosing(em, name, &ways, scalar_enclosing(em, mask));
    const char *through = emit_expr(em, run.f, run.through);
    return emit_f(em, "%s(%s, %s)", name, through, ends_of(em, &run, through));
}

// Whether every cell from which a step in one of the directions leads into a set is in the image of
// that set in the table.
static bool image_has(const Emitter *em, const IrTable *t, uint64_t mask) {
    const Board *b = em->b;
    for (int c = 0; c < b->cells; c++)
        for (uint64_t left = mask; left;) {
            int to = b->step[c * b->directions + bits_pop(&left)];
            if (to < b->cells && !(t->sets[to] >> c & 1))
                return false;
        }
    return true;
}

const char *emit_filter_enclosing(Emitter *em, EmitFrame *f, const IrDomain *d) {
    uint64_t mask;
    const IrExpr *any = d->where, *both = d->a;
    if (both->op != IR_AND || any->op != IR_ANY || !fixed_mask(em, f, any->domain, &mask))
        return NULL;
    for (int n = 0; n < 2; n++) {
        const IrExpr *near = both->kid[n];
        if (near->op != IR_IMAGE || !em->g->table[near->id]->sets ||
            !image_has(em, em->g->table[near->id], mask))
            continue;
        const char *rows = emit_lift_enclosing(em, f, any);
        const char *start = emit_f(em, "enclosing_%llx(%s, ", (unsigned long long)mask,
                                   emit_expr(em, f, near->kid[0]));
        if (rows && strncmp(rows, start, strlen(start)) == 0)
            return emit_and(em, emit_expr(em, f, both->kid[1 - n]), rows);
    }
    return NULL;
}

// union d in DIRECTIONS : run(c, d); NULL if it is not that.
const char *emit_enclosed(Emitter *em, EmitFrame *f, const IrExpr *e) {
    uint64_t mask;
    Ways ways;
    Run run;
    const IrDomain *d = e->domain;
    if (e->op != IR_UNION || !fixed_mask(em, f, d, &mask))
        return NULL;
    EmitLocal kept = f->local[d->slot];
    f->local[d->slot] = (EmitLocal){0};
    bool fits = is_run(em, f, e->kid[0], &run) && is_direction(&run, f, d->slot) &&
                !sets_vary(em, &run, f, d->slot) && find_ways(em, mask, &ways);
    f->local[d->slot] = kept;
    if (!fits)
        return NULL;
    const char *name = emit_f(em, "enclosed_%llx", (unsigned long long)mask);
    if (emit_once(em, name))
        print_enclosed(em, name, &ways, scalar_enclosed(em, mask));
    const char *cell = emit_expr(em, run.f, run.cell);
    const char *through = emit_expr(em, run.f, run.through);
    return emit_f(em, "%s(%s, %s, %s)", name, cell, through, ends_of(em, &run, through));
}
