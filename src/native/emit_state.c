// The state as a C type, and what is read from it.
//
// Members stand exactly where IrLayout says; the gaps are members too, so that copies are whole.
#include "native/emitter.h"

#include <string.h>

const char *emit_var_field(Emitter *em, int var) {
    return emit_f(em, "var_%s", emit_word(em, em->g->var[var].name));
}

const char *emit_attr_field(Emitter *em, int attr) {
    return emit_f(em, "attr_%s", emit_word(em, em->g->attr[attr].name));
}

const char *emit_plane_name(Emitter *em, int plane) {
    const IrPlane *p = &em->g->plane[plane];
    const char *kind = emit_word(em, em->g->kind[p->kind].name);
    if (p->owner >= em->g->players)
        return emit_f(em, "PLANE_%s", kind);
    return emit_f(em, "PLANE_%s_%s", kind, emit_word(em, em->g->player[p->owner]));
}

// --- the type ---

typedef struct Field {
    int offset, bytes;
    const char *declaration;
} Field;

typedef struct Fields {
    Field *field;
    int count, cap;
} Fields;

static void add_field(Emitter *em, Fields *fields, int offset, int bytes, const char *text) {
    ARENA_GROW(em->arena, Field, fields->field, fields->count, fields->cap);
    int k = fields->count++;
    for (; k > 0 && fields->field[k - 1].offset > offset; k--)
        fields->field[k] = fields->field[k - 1];
    fields->field[k] = (Field){offset, bytes, text};
}

static const char *int_type(int width, bool is_signed) {
    switch (width) {
    case 1: return is_signed ? "int8_t" : "uint8_t";
    case 2: return is_signed ? "int16_t" : "uint16_t";
    case 4: return "int32_t";
    default: return "uint64_t";
    }
}

static void add_vars(Emitter *em, Fields *fields) {
    for (int n = 0; n < em->g->vars; n++) {
        const IrVar *v = &em->g->var[n];
        const char *type = v->type.kind == TY_SET ? "Set" : int_type(v->width, v->lo < 0);
        const char *count = v->indexed ? emit_f(em, "[%d]", v->count) : "";
        add_field(em, fields, v->offset, v->width * v->count,
                  emit_f(em, "%s %s%s;", type, emit_var_field(em, n), count));
    }
}

static void add_attrs(Emitter *em, Fields *fields) {
    for (int n = 0; n < em->g->attrs; n++) {
        const IrAttr *a = &em->g->attr[n];
        const char *name = emit_attr_field(em, n);
        add_field(em, fields, a->offset, a->width ? a->width * em->cells : 8 * em->words,
                  a->width ? emit_f(em, "%s %s[CELLS];", int_type(a->width, a->lo < 0), name)
                           : emit_f(em, "Set %s;", name));
    }
}

void emit_state(Emitter *em, Text *out) {
    const IrLayout *l = &em->g->layout;
    Fields fields = {0};
    if (em->g->planes)
        add_field(em, &fields, em->g->plane[0].offset, 8 * em->words * em->g->planes,
                  "Set plane[PLANES]; // where each kind of piece is (on top)");
    add_vars(em, &fields);
    add_attrs(em, &fields);
    if (l->stack_width)
        add_field(em, &fields, l->stack_offset, l->stack_width * em->cells,
                  emit_f(em, "%s stack[CELLS]; // 1, then %d bit%s a piece, the lowest first",
                         int_type(l->stack_width, false), l->stack_bits,
                         l->stack_bits == 1 ? "" : "s"));
    add_field(em, &fields, l->player, 1, "uint8_t player; // on move");
    add_field(em, &fields, l->result, 1, "uint8_t result; // 0, or RESULT_OVER | winners");
    text_add(out, "enum {");
    for (int n = 0; n < em->g->planes; n++)
        text_f(out, " %s,", emit_plane_name(em, n));
    text_add(out, " PLANES };\n\ntypedef struct State {\n");
    int at = 0, pads = 0;
    for (int n = 0; n < fields.count; n++) {
        const Field *f = &fields.field[n];
        if (f->offset > at)
            text_f(out, "    uint8_t pad_%d[%d];\n", pads++, f->offset - at);
        text_f(out, "    %s\n", f->declaration);
        at = f->offset + f->bytes;
    }
    if (l->size > at)
        text_f(out, "    uint8_t pad_%d[%d];\n", pads++, l->size - at);
    emit_kept_field(em, out);
    text_f(out,
           "} State;\n_Static_assert(%s == %d, \"size\");\n"
           "_Static_assert(offsetof(State, player) == %d, \"player\");\n"
           "_Static_assert(offsetof(State, result) == %d, \"result\");\n",
           em->kept ? "offsetof(State, empty)" : "sizeof(State)", l->size, l->player, l->result);
    for (int n = 0; n < em->g->vars; n++)
        text_f(out, "_Static_assert(offsetof(State, %s) == %d, \"layout\");\n",
               emit_var_field(em, n), em->g->var[n].offset);
    for (int n = 0; n < em->g->attrs; n++)
        text_f(out, "_Static_assert(offsetof(State, %s) == %d, \"layout\");\n",
               emit_attr_field(em, n), em->g->attr[n].offset);
    if (l->stack_width)
        text_f(out, "_Static_assert(offsetof(State, stack) == %d, \"layout\");\n", l->stack_offset);
    text_add(out, "\n");
}

// --- what stands where ---

// The union of the planes of a kind (-1: any) and an owner (-1: any), of the state `s`.
static const char *planes_of(Emitter *em, int kind, int owner) {
    const char *sum = "SET_EMPTY";
    for (int n = 0; n < em->g->planes; n++) {
        const IrPlane *p = &em->g->plane[n];
        if ((kind < 0 || p->kind == kind) && (owner < 0 || p->owner == owner))
            sum = emit_or(em, sum, emit_f(em, "s->plane[%s]", emit_plane_name(em, n)));
    }
    return sum;
}

static void print_by_owner(Emitter *em, const char *name, int kind) {
    const char *text = planes_of(em, kind, em->g->players);
    for (int p = em->g->players - 1; p >= 0; p--)
        text = emit_f(em, "owner == %d ? %s : %s", p, planes_of(em, kind, p), text);
    text_f(em->helpers,
           "static INLINE Set %s(const State *const s, const int owner) {\n    return %s;\n}\n\n",
           name, text);
}

const char *emit_owned(Emitter *em, const char *owner) {
    if (emit_once(em, "owned")) {
        text_add(em->helpers, "// Cells with a piece of this player on top.\n");
        print_by_owner(em, "owned", -1);
    }
    return emit_f(em, "owned(%s, %s)", em->s, owner);
}

static const char *pieces_of(Emitter *em, int kind, const char *owner) {
    const char *name = emit_f(em, "pieces_%s_%d", emit_word(em, em->g->kind[kind].name), kind);
    const char *all = emit_f(em, "%s_all", name);
    if (!owner) {
        if (emit_once(em, all))
            text_f(em->helpers,
                   "static INLINE Set %s(const State *const s) {\n    return %s;\n}\n\n", all,
                   planes_of(em, kind, -1));
        return emit_f(em, "%s(%s)", all, em->s);
    }
    if (emit_once(em, name))
        print_by_owner(em, name, kind);
    return emit_f(em, "%s(%s, %s)", name, em->s, owner);
}

const char *emit_pieces(Emitter *em, EmitFrame *f, const IrExpr *e) {
    int64_t kind = e->id;
    const char *owner = e->kid[0] ? emit_expr(em, f, e->kid[0]) : NULL;
    if (kind >= 0 || emit_constant(em, f, e->kid[1], &kind))
        return kind < em->g->kinds ? pieces_of(em, (int)kind, owner) : "SET_EMPTY";
    const char *which = emit_expr(em, f, e->kid[1]);
    const char *name = owner ? "pieces_of" : "pieces_all";
    if (emit_once(em, name)) {
        const char *kept = em->s, *text = "SET_EMPTY";
        em->s = "s";
        for (int k = em->g->kinds - 1; k >= 0; k--)
            text = emit_f(em, "kind == %d ? %s : %s", k, pieces_of(em, k, owner ? "owner" : NULL),
                          text);
        em->s = kept;
        text_f(em->helpers,
               "static INLINE Set %s(const State *const s, const int kind%s) {\n"
               "    return %s;\n}\n\n",
               name, owner ? ", const int owner" : "", text);
    }
    if (owner)
        return emit_f(em, "pieces_of(%s, %s, %s)", em->s, which, owner);
    return emit_f(em, "pieces_all(%s, %s)", em->s, which);
}

// kind_at and owner_at: the plane is looked for kind by kind, owner by owner.
static void print_what_at(Emitter *em, bool kind) {
    int n = kind ? em->g->kinds : em->g->players + 1;
    text_f(em->helpers, "static INLINE int %s(const State *const s, const int c) {\n",
           kind ? "kind_at" : "owner_at");
    text_add(em->helpers, "    if (c >= CELLS) return ");
    text_f(em->helpers, "%d;\n", kind ? em->g->kinds : em->g->players);
    for (int k = 0; k < n; k++) {
        if (!kind && k == em->g->players)
            continue; // the same number as none
        const char *set = planes_of(em, kind ? k : -1, kind ? -1 : k);
        if (strcmp(set, "SET_EMPTY") != 0)
            text_f(em->helpers, "    if (set_has(%s, c)) return %d;\n", set, k);
    }
    text_f(em->helpers, "    return %d;\n}\n\n", kind ? em->g->kinds : em->g->players);
}

static void print_stacks(Emitter *em) {
    const IrLayout *l = &em->g->layout;
    if (!emit_once(em, "stacks"))
        return;
    text_f(em->helpers,
           "#define STACK_BITS %d\n"
           "#define STACK_PIECE UINT64_C(0x%llx)\n"
           "#define STACK_MOST %d\n\n"
           "static INLINE int stack_height(const uint64_t v) {\n"
           "    return (63 - CLZ(v | 1)) / STACK_BITS;\n"
           "}\n\n"
           "static INLINE int height_at(const State *const s, const int c) {\n"
           "    return c < CELLS ? stack_height(s->stack[c]) : 0;\n"
           "}\n\n"
           "// The plane of the piece at a level of a stack; -1 if there is none.\n"
           "static INLINE int plane_in(const State *const s, const int c, const int level) {\n"
           "    if (c >= CELLS || level < 0) return -1;\n"
           "    const uint64_t v = s->stack[c];\n"
           "    const int above = stack_height(v) - 1 - level;\n"
           "    return above < 0 ? -1 : (int)(v >> above * STACK_BITS & STACK_PIECE);\n"
           "}\n\n",
           l->stack_bits, (1ULL << l->stack_bits) - 1, em->b->stack);
}

static void print_of_plane(Emitter *em, bool kind) {
    const char *name = kind ? "kind_of_plane" : "owner_of_plane";
    if (!emit_once(em, name))
        return;
    text_f(em->helpers, "static INLINE int %s(const int plane) {\n    return ", name);
    for (int n = 0; n < em->g->planes; n++)
        text_f(em->helpers, "plane == %s ? %d : ", emit_plane_name(em, n),
               kind ? em->g->plane[n].kind : em->g->plane[n].owner);
    text_f(em->helpers, "%d;\n}\n\n", kind ? em->g->kinds : em->g->players);
}

void emit_stacks(Emitter *em) {
    print_stacks(em);
}

const char *emit_read_board(Emitter *em, EmitFrame *f, const IrExpr *e) {
    bool stacks = em->g->layout.stack_width > 0;
    bool kind = e->op == IR_KIND_AT || e->op == IR_KIND_IN;
    if (e->op == IR_OWNER_AT && em->owner_expr && emit_is_it(f, e->kid[0]))
        return emit_expr(em, em->owner_frame, em->owner_expr);
    if (e->op == IR_OWNER_AT) {
        EmitFrame *of = f;
        const IrExpr *x = emit_resolve(&of, e->kid[0]);
        unsigned facts = x->op == IR_LOCAL ? of->local[x->id].facts : 0;
        if (facts & (FACT_MINE | FACT_THEIRS))
            return facts & FACT_MINE ? "me" : "(1 - me)";
    }
    const char *cell = emit_expr(em, f, e->kid[0]);
    if (e->op == IR_HEIGHT) {
        if (!stacks)
            return emit_has(em, emit_f(em, "occupied(%s)", em->s), cell,
                            emit_may_be_none(em, e->kid[0]));
        print_stacks(em);
        return emit_f(em, "height_at(%s, %s)", em->s, cell);
    }
    const char *at = kind ? "kind_at" : "owner_at";
    if (e->op == IR_KIND_AT || e->op == IR_OWNER_AT || !stacks) {
        if (emit_once(em, at))
            print_what_at(em, kind);
        const char *top = emit_f(em, "%s(%s, %s)", at, em->s, cell);
        if (e->op == IR_KIND_AT || e->op == IR_OWNER_AT)
            return top;
        return emit_f(em, "(%s == 0 ? %s : %d)", emit_expr(em, f, e->kid[1]), top,
                      kind ? em->g->kinds : em->g->players);
    }
    print_stacks(em);
    print_of_plane(em, kind);
    return emit_f(em, "%s(plane_in(%s, %s, %s))", kind ? "kind_of_plane" : "owner_of_plane", em->s,
                  cell, emit_expr(em, f, e->kid[1]));
}
