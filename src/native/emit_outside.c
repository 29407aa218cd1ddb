// States as they stand in memory outside, and how exported functions come from them and go back.
//
// What is changed last are single bytes: who is on move, a result, a counter. Written one by one
// and then copied as a whole, the copy has to wait until all of them are in memory, longer than the
// move itself takes. So small states are put together in registers, word by word:
//
//     w[2] = player | result << 8
//
// and whoever reads a word outside afterwards (a hash, the next move) need not wait either.
#include "native/emitter.h"

#define PARTS_MOST 16 // beyond that the shifts take longer than the wait

typedef struct Part { // of a word
    int offset, width;
    const char *text;
} Part;

typedef struct Parts {
    Part part[PARTS_MOST];
    int count;
    bool fits;
} Parts;

static void add(Parts *p, int offset, int width, const char *text) {
    p->fits = p->fits && p->count < PARTS_MOST && offset % 8 + width <= 8;
    if (p->fits)
        p->part[p->count++] = (Part){offset, width, text};
}

static void add_var(Emitter *em, Parts *p, int var) {
    const IrVar *v = &em->g->var[var];
    for (int k = 0; k < v->count && p->fits; k++)
        add(p, v->offset + k * v->width, v->width,
            emit_f(em, v->indexed ? "s->%s[%d]" : "s->%s", emit_var_field(em, var), k));
}

// All members of a state; `fits` only if it is a small one.
static Parts parts_of(Emitter *em) {
    const IrGame *g = em->g;
    Parts p = {.fits = em->one && g->attrs == 0 && g->layout.stack_width == 0};
    for (int n = 0; n < g->planes && p.fits; n++)
        add(&p, g->plane[n].offset, 8, emit_f(em, "s->plane[%s]", emit_plane_name(em, n)));
    for (int n = 0; n < g->vars && p.fits; n++)
        add_var(em, &p, n);
    add(&p, g->layout.player, 1, "s->player");
    add(&p, g->layout.result, 1, "s->result");
    return p;
}

static void print_word(const Parts *p, int word, Text *out) {
    const char *between = "";
    text_f(out, "    w[%d] = ", word);
    for (int n = 0; n < p->count; n++) {
        const Part *part = &p->part[n];
        if (part->offset / 8 != word)
            continue;
        if (part->width == 8)
            text_f(out, "%s%s", between, part->text);
        else
            text_f(out, "%s(uint64_t)(uint%d_t)%s << AT(%d, %d)", between, 8 * part->width,
                   part->text, part->offset % 8, part->width);
        between = " | ";
    }
    text_add(out, *between ? ";\n" : "0;\n"); // a gap: always 0
}

static void print_leave(Emitter *em, const Parts *p, Text *out) {
    int words = em->g->layout.size / 8;
    text_add(out, "static INLINE void leave(void *const state, const State *const s) {\n");
    if (p->fits) {
        text_add(out, "    uint64_t *const w = ((Outside *)state)->w;\n");
        for (int n = 0; n < words; n++)
            print_word(p, n, out);
    } else {
        text_f(out,
               "    Outside u = {*s};\n"
               "    for (int n = 0; n < %d; n++) ((Outside *)state)->w[n] = u.w[n];\n",
               words);
    }
    text_add(out, "}\n\n");
}

static void print_enter(Emitter *em, Text *out) {
    const char *sum = "SET_EMPTY";
    for (int n = 0; n < em->g->planes; n++)
        sum = emit_or(em, sum, emit_f(em, "s.plane[%s]", emit_plane_name(em, n)));
    text_f(out,
           "static INLINE State enter(const void *const state) {\n"
           "    const uint64_t *const w = ((const Outside *)state)->w;\n"
           "    Outside u;\n"
           "    for (int n = 0; n < %d; n++) u.w[n] = w[n];\n"
           "    State s = u.s;\n"
           "    s.empty = SET_ALL & ~%s;\n"
           "    return s;\n}\n",
           em->g->layout.size / 8, sum);
}

void emit_print_outside(Emitter *em, Text *out) {
    Parts parts = parts_of(em);
    em->leaves_whole = !em->kept && !parts.fits;
    if (em->leaves_whole)
        return;
    text_add(out, "// How far a part of a word is shifted that begins at a byte of it.\n"
                  "#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__\n"
                  "#define AT(byte, bytes) (64 - 8 * ((byte) + (bytes)))\n"
                  "#else\n"
                  "#define AT(byte, bytes) (8 * (byte))\n"
                  "#endif\n"
                  "typedef union Outside {\n    State s;\n    uint64_t w[sizeof(State) / 8];\n} "
                  "Outside;\n");
    if (em->kept)
        print_enter(em, out);
    print_leave(em, &parts, out);
}

const char *emit_enter(Emitter *em, const char *from) {
    return emit_f(em, em->kept ? "enter(%s)" : "*(const State *)%s", from);
}

const char *emit_leave(Emitter *em, const char *to) {
    return emit_f(em, em->leaves_whole ? "*(State *)%s = *s" : "leave(%s, s)", to);
}
