// The lines of the board that a clause is about, 64 at a time: how many cells of a set are on each
// line is one vector, and a condition on such numbers is one word of a row.
//
//     three(p, l) for l in lines where count (l & empty) == 1 and count (l & men of p) == 3
//
// A count fills a byte, so boards have at most 64 cells.
#include "native/emit_relation.h"

// Vectors of 64 bytes, or two of 32; else loops, of which a C compiler may make what it can.
//
// The counts of a word have their lines in order, because those of a group are eight apart in the
// table: the numbers of group i become byte i of each lane.
static void print_table(Emitter *em) {
    const Board *b = em->b;
    int words = (b->lines + 63) / 64;
    text_f(em->constants,
           "#define LINES %d\n#define LINE_WORDS %d\n"
           "#if defined(__AVX512VPOPCNTDQ__) && defined(__AVX512BW__) && !defined(__clang__)\n"
           "#define LINE_PARTS 1\n"
           "#elif defined(__AVX2__) && !defined(__clang__)\n"
           "#define LINE_PARTS 2\n"
           "#endif\n"
           "#ifdef LINE_PARTS\n"
           "typedef uint64_t LineLanes __attribute__((vector_size(64 / LINE_PARTS), may_alias));\n"
           "typedef char LineBytes __attribute__((vector_size(64 / LINE_PARTS)));\n"
           "static const uint64_t line_lanes[LINE_WORDS][8][8] __attribute__((aligned(64))) = {\n",
           b->lines, words);
    for (int w = 0; w < words; w++) {
        text_add(em->constants, "    {\n");
        for (int i = 0; i < 8; i++) {
            text_add(em->constants, "        {");
            for (int j = 0; j < 8; j++) {
                int line = 64 * w + 8 * j + i;
                text_f(em->constants, "%sUINT64_C(%llu)", j ? ", " : "",
                       (unsigned long long)(line < b->lines ? b->line_set[line] : 0));
            }
            text_add(em->constants, "},\n");
        }
        text_add(em->constants, "    },\n");
    }
    text_add(em->constants, "};\n#endif\n\n");
}

static void print_counts(Emitter *em) {
    if (!emit_once(em, "line_counts"))
        return;
    emit_line_sets(em);
    print_table(em);
    text_add(em->helpers,
             "#ifdef LINE_PARTS\n"
             "// The bits of each lane.\n"
             "static INLINE LineLanes lanes_count(const LineLanes x) {\n"
             "#if LINE_PARTS == 1\n"
             "    typedef long long Words __attribute__((vector_size(64)));\n"
             "    return (LineLanes)__builtin_ia32_vpopcountq_v8di((Words)x);\n"
             "#else\n"
             "    const LineBytes bits = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,\n"
             "                            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};\n"
             "    const LineBytes half = (LineBytes){0} + (char)15, none = {0};\n"
             "    const LineBytes low = (LineBytes)x & half, high = (LineBytes)(x >> 4) & half;\n"
             "    return (LineLanes)__builtin_ia32_psadbw256(\n"
             "        __builtin_ia32_pshufb256(bits, low) + __builtin_ia32_pshufb256(bits, high),\n"
             "        none);\n"
             "#endif\n"
             "}\n"
             "#endif\n\n"
             "// How many cells of a set each line has, a byte each.\n"
             "typedef struct LineCounts {\n"
             "#ifdef LINE_PARTS\n"
             "    LineLanes v[LINE_WORDS][LINE_PARTS];\n"
             "#else\n"
             "    uint8_t n[64 * LINE_WORDS];\n"
             "#endif\n"
             "} LineCounts;\n"
             "static INLINE LineCounts line_counts(const Set x) {\n"
             "    LineCounts c;\n"
             "#ifdef LINE_PARTS\n"
             "    for (int w = 0; w < LINE_WORDS; w++)\n"
             "        for (int p = 0; p < LINE_PARTS; p++) {\n"
             "            c.v[w][p] = (LineLanes){0};\n"
             "            for (int i = 0; i < 8 && 64 * w + 32 * p + i < LINES; i++)\n"
             "                c.v[w][p] |=\n"
             "                    lanes_count(*(const LineLanes *)&line_lanes[w][i][4 * p] & x)\n"
             "                    << 8 * i;\n"
             "        }\n"
             "#else\n"
             "    for (int n = 0; n < 64 * LINE_WORDS; n++)\n"
             "        c.n[n] = n < LINES ? (uint8_t)POPCOUNT(line_set[n] & x) : 0;\n"
             "#endif\n"
             "    return c;\n"
             "}\n\n");
}

// lines_equal and lines_less: the lines of word w with that number, or fewer.
static const char *print_compare(Emitter *em, bool less) {
    const char *name = less ? "lines_less" : "lines_equal", *op = less ? "<" : "==";
    if (emit_once(em, name))
        text_f(
            em->helpers,
            "static INLINE uint64_t %s(const LineCounts c, const int n, const int w) {\n"
            "#ifdef LINE_PARTS\n"
            "    const LineBytes all = (LineBytes){0} + (char)n;\n"
            "#endif\n"
            "#if defined(LINE_PARTS) && LINE_PARTS == 1\n"
            "    return (uint64_t)__builtin_ia32_cmpb512_mask((LineBytes)c.v[w][0], all, %d, -1);\n"
            "#elif defined(LINE_PARTS)\n"
            "    const LineBytes low = (LineBytes)((LineBytes)c.v[w][0] %s all);\n"
            "    const LineBytes high = (LineBytes)((LineBytes)c.v[w][1] %s all);\n"
            "    return (uint32_t)__builtin_ia32_pmovmskb256(low) |\n"
            "           (uint64_t)(uint32_t)__builtin_ia32_pmovmskb256(high) << 32;\n"
            "#else\n"
            "    uint64_t found = 0;\n"
            "    for (int i = 0; i < 64; i++)\n"
            "        found |= (uint64_t)(c.n[64 * w + i] %s n) << i;\n"
            "    return found;\n"
            "#endif\n"
            "}\n",
            name, less ? 1 : 0, op, op, op);
    return name;
}

typedef struct Lines {
    ClausePlan *p;
    const char *word; // which 64 lines
} Lines;

static bool is_line(EmitFrame *f, const IrExpr *e) {
    e = emit_resolve(&f, e);
    return e->op == IR_LINE_SET && emit_is_it(f, e->kid[0]);
}

// The counts of a set for each line; NULL if it is something else.
static const char *counts_of(const Lines *l, EmitFrame *f, const IrExpr *e) {
    Emitter *em = l->p->em;
    e = emit_resolve(&f, e);
    if (e->op == IR_CALL)
        return counts_of(l, emit_call_frame(em, f, e), em->g->func[e->id]->body);
    if (e->op != IR_AND && e->op != IR_MINUS)
        return NULL;
    int at = is_line(f, e->kid[0]) ? 0 : 1;
    if (!is_line(f, e->kid[at]) || (e->op == IR_MINUS && at == 1) ||
        emit_depends(em, f, e->kid[1 - at]))
        return NULL;
    const char *set = emit_expr(em, f, e->kid[1 - at]);
    if (e->op == IR_MINUS)
        set = emit_minus(em, "SET_ALL", set);
    print_counts(em);
    return emit_temp(em, "LineCounts", emit_f(em, "line_counts(%s)", set));
}

static const char *equal(const Lines *l, const char *counts, const char *number) {
    return emit_f(l->p->em, "%s(%s, %s, %s)", print_compare(l->p->em, false), counts, number,
                  l->word);
}

// Lines with fewer cells than a number, which no count is below or above by much.
static const char *less(const Lines *l, const char *counts, int64_t number) {
    Emitter *em = l->p->em;
    if (number <= 0)
        return "UINT64_C(0)";
    number = number > 100 ? 100 : number;
    return emit_f(em, "%s(%s, %d, %s)", print_compare(em, true), counts, (int)number, l->word);
}

static const char *compared(const Lines *l, EmitFrame *f, const IrExpr *e) {
    Emitter *em = l->p->em;
    for (int at = 0; at < 2; at++) {
        EmitFrame *in = f;
        const IrExpr *count = emit_resolve(&in, e->kid[at]);
        int64_t number;
        if (count->op != IR_COUNT || !emit_constant(em, f, e->kid[1 - at], &number))
            continue;
        const char *counts = counts_of(l, in, count->kid[0]);
        if (!counts)
            return NULL;
        if (e->op == IR_EQ || e->op == IR_NE) {
            if (number < 0 || number > 100)
                return e->op == IR_EQ ? "UINT64_C(0)" : "~UINT64_C(0)";
            return emit_f(em, "%s%s", e->op == IR_NE ? "~" : "",
                          equal(l, counts, emit_number(em, number)));
        }
        bool equals = e->op == IR_LE;
        return at == 0 ? less(l, counts, number + equals)
                       : emit_f(em, "~%s", less(l, counts, number + !equals));
    }
    return NULL;
}

// The lines of the word for which e holds, and perhaps others that there are not.
static const char *lines_with(const Lines *l, EmitFrame *f, const IrExpr *e) {
    Emitter *em = l->p->em;
    e = emit_resolve(&f, e);
    if (!emit_depends(em, f, e))
        return emit_f(em, "-(uint64_t)!!%s", emit_expr(em, f, e));
    switch (e->op) {
    case IR_CALL: return lines_with(l, emit_call_frame(em, f, e), em->g->func[e->id]->body);
    case IR_BOTH:
    case IR_EITHER: {
        const char *a = lines_with(l, f, e->kid[0]);
        const char *b = a ? lines_with(l, f, e->kid[1]) : NULL;
        return b ? emit_f(em, "(%s %s %s)", a, e->op == IR_BOTH ? "&" : "|", b) : NULL;
    }
    case IR_NOT: {
        const char *a = lines_with(l, f, e->kid[0]);
        return a ? emit_f(em, "~%s", a) : NULL;
    }
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE: return compared(l, f, e);
    case IR_SOME: {
        const char *counts = counts_of(l, f, e->kid[0]);
        return counts ? emit_f(em, "~%s", equal(l, counts, "0")) : NULL;
    }
    case IR_WITHIN: {
        if (!is_line(f, e->kid[0]) || emit_depends(em, f, e->kid[1]))
            return NULL;
        print_counts(em);
        const char *rest = emit_minus(em, "SET_ALL", emit_expr(em, f, e->kid[1]));
        return equal(l, emit_temp(em, "LineCounts", emit_f(em, "line_counts(%s)", rest)), "0");
    }
    default: return NULL;
    }
}

static bool write_row(const Lines *l, const char *row, int var, uint64_t lits) {
    ClausePlan *p = l->p;
    Emitter *em = p->em;
    EmitLocal *it = &p->f->local[p->var[var].slot], kept = *it, *outer = em->it;
    const char *all = NULL;
    bool ok = true;
    em->it = it;
    *it = (EmitLocal){.kind = BIND_IT};
    while (ok && lits) {
        const ClauseLit *lit = &p->lit[bits_pop(&lits)];
        if (lit->implied || lit->kind == CLAUSE_NAME || lit->kind == CLAUSE_MEMBER)
            continue;
        const char *found = lit->kind == CLAUSE_COND ? lines_with(l, p->f, lit->cond) : NULL;
        ok = found != NULL;
        all = !all ? found : emit_f(em, "%s & %s", all, found);
    }
    *it = kept;
    em->it = outer;
    if (!ok || !all)
        return false;
    emit_open(em, "for (int %s = 0; %s < LINE_WORDS; %s++)", l->word, l->word, l->word);
    emit_line(em, "%s |= %s & (%s == LINE_WORDS - 1 ? UINT64_C(%llu) : ~UINT64_C(0));",
              p->to->rel->words == 1 ? row : emit_f(em, "%s.w[%s]", row, l->word), all, l->word,
              (unsigned long long)(~(uint64_t)0 >> (63 - (em->b->lines - 1) % 64)));
    emit_close(em);
    return true;
}

bool clause_lines(ClausePlan *p, const char *row, int var, uint64_t lits) {
    Emitter *em = p->em;
    const EmitRelation *rel = p->to->rel;
    const struct ClauseVar *v = &p->var[var];
    if (!em->one || v->type.kind != TY_LINE || v->lo != 0 || v->hi != em->b->lines - 1 ||
        rel->r->lo[rel->bit] != 0)
        return false;
    for (uint64_t left = lits; left;) { // all lines, not those through a cell
        const ClauseLit *l = &p->lit[bits_pop(&left)];
        if (l->kind == CLAUSE_MEMBER && (l->domain->kind != DOM_LINES || l->domain->a))
            return false;
    }
    Lines lines = {p, emit_new(em)};
    int knowns = em->knowns;
    Text *outer = emit_capture(em);
    em->indent--;
    bool ok = write_row(&lines, row, var, lits);
    em->indent++;
    Text *inner = emit_uncapture(em, outer);
    if (ok)
        text_add(em->t, text_c(inner));
    else
        em->knowns = knowns;
    return ok;
}
