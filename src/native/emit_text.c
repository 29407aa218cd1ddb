// Lines, names and numbers of the generated text.
#include "native/emitter.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

const char *emit_f(Emitter *em, const char *format, ...) {
    va_list args;
    va_start(args, format);
    Text *t = emit_text(em);
    text_vf(t, format, args);
    va_end(args);
    const char *copy = arena_text(em->arena, text_c(t), t->n);
    text_free(t);
    return copy;
}

Text *emit_text(Emitter *em) {
    EmitText *t = ARENA_NEW(em->arena, EmitText);
    t->up = em->texts;
    em->texts = t;
    return &t->text;
}

static void indent(Emitter *em, int levels) {
    for (int n = 0; n < levels; n++)
        text_add(em->t, "    ");
}

void emit_line(Emitter *em, const char *format, ...) {
    va_list args;
    va_start(args, format);
    indent(em, em->indent);
    text_vf(em->t, format, args);
    text_char(em->t, '\n');
    va_end(args);
}

// Whether the parenthesis at s[0] is closed by the last character.
static bool is_wrapped(const char *s, size_t n) {
    int depth = 0;
    for (size_t i = 0; i < n; i++) {
        depth += (s[i] == '(') - (s[i] == ')');
        if (depth == 0)
            return i + 1 == n;
    }
    return false;
}

void emit_open(Emitter *em, const char *format, ...) {
    va_list args;
    va_start(args, format);
    Text *t = emit_text(em);
    text_vf(t, format, args);
    va_end(args);
    // `if ((a == b))` is what one writes for an assignment.
    const char *s = text_c(t);
    size_t n = t->n;
    bool twice = n > 7 && strncmp(s, "if ((", 5) == 0 && is_wrapped(s + 3, n - 3) &&
                 is_wrapped(s + 4, n - 5);
    indent(em, em->indent);
    text_add(em->t, twice ? "if " : "");
    text_add_n(em->t, twice ? s + 4 : s, twice ? n - 5 : n);
    text_add(em->t, " {\n");
    em->indent++;
    text_free(t);
}

void emit_scope(Emitter *em) {
    emit_line(em, "{");
    em->indent++;
}

void emit_close(Emitter *em) {
    em->indent--;
    emit_forget_inner(em);
    emit_line(em, "}");
}

void emit_else(Emitter *em) {
    em->indent--;
    emit_forget_inner(em);
    emit_line(em, "} else {");
    em->indent++;
}

// What the rules say at this place. A backslash at the end would swallow the next line.
void emit_comment(Emitter *em, const char *before, const IrFrame *frame, const IrExpr *e) {
    Text *t = emit_text(em);
    if (e)
        ir_print_expr(em->g, frame, e, t);
    size_t n = t->n;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)t->s[i] < ' ' || t->s[i] == '\\')
            t->s[i] = ' ';
    bool cut = n > 160;
    while (cut && n > 0 && (n > 160 || ((unsigned char)t->s[n] & 0xc0) == 0x80))
        n--;
    emit_line(em, "// %s%.*s%s", before, (int)n, text_c(t), cut ? " ..." : "");
    text_free(t);
}

Text *emit_capture(Emitter *em) {
    Text *outer = em->t;
    em->t = emit_text(em);
    em->indent++;
    return outer;
}

Text *emit_uncapture(Emitter *em, Text *outer) {
    Text *inner = em->t;
    em->t = outer;
    em->indent--;
    emit_forget_inner(em);
    return inner;
}

bool emit_once(Emitter *em, const char *name) {
    for (int n = 0; n < em->onces; n++)
        if (strcmp(em->once[n], name) == 0)
            return false;
    ARENA_GROW(em->arena, const char *, em->once, em->onces, em->once_cap);
    em->once[em->onces++] = name;
    return true;
}

const char *emit_word(Emitter *em, const char *name) {
    char *word = arena_text(em->arena, name, strlen(name));
    for (char *c = word; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    return word;
}

const char *emit_word_line(Emitter *em, const char *text) {
    char *line = arena_text(em->arena, text, strlen(text));
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' || *c == '\\')
            *c = ' ';
    return line;
}

const char *emit_local_name(Emitter *em, const IrFrame *frame, int slot) {
    const char *name = frame->name[slot] ? frame->name[slot] : "";
    return emit_f(em, "%s_%d", *name ? emit_word(em, name) : "x", slot);
}

const char *emit_number(Emitter *em, int64_t value) {
    if (value < 0)
        return emit_f(em, "(%lld)", (long long)value);
    return emit_f(em, "%lld", (long long)value);
}

const char *emit_hex(Emitter *em, uint64_t value) {
    return emit_f(em, "UINT64_C(0x%llx)", (unsigned long long)value);
}

static bool is_all(const Emitter *em, const uint64_t *set) {
    int count = 0;
    for (int w = 0; w < em->words; w++)
        count += bits_count(set[w]);
    return count == em->cells;
}

const char *emit_set_literal(Emitter *em, const uint64_t *set) {
    bool empty = true;
    for (int w = 0; w < em->words; w++)
        empty &= set[w] == 0;
    if (empty)
        return "SET_EMPTY";
    if (is_all(em, set))
        return "SET_ALL";
    return emit_f(em, em->one ? "%s" : "((Set)%s)", emit_set_initial(em, set));
}

const char *emit_set_initial(Emitter *em, const uint64_t *set) {
    if (em->one)
        return emit_hex(em, set[0]);
    const char *list = "";
    for (int w = 0; w < em->words; w++)
        list = emit_f(em, "%s%s%s", list, w ? ", " : "", emit_hex(em, set[w]));
    return emit_f(em, "{{%s}}", list);
}

const char *emit_type(IrType type) {
    return type.kind == TY_SET ? "Set" : type.kind == TY_MASK ? "uint64_t" : "int";
}

const char *emit_new(Emitter *em) {
    return emit_f(em, "t%d", ++em->temps);
}

const char *emit_temp(Emitter *em, const char *type, const char *text) {
    bool plain = true;
    for (const char *c = text; *c; c++)
        plain &= isalnum((unsigned char)*c) || *c == '_';
    if (plain)
        return text;
    const char *name = emit_new(em);
    emit_line(em, "const %s %s = %s;", type, name, text);
    return name;
}

EmitFrame *emit_frame(Emitter *em, const IrFrame *frame) {
    EmitFrame *f = ARENA_NEW(em->arena, EmitFrame);
    f->ir = frame;
    f->local = ARENA_ARRAY(em->arena, EmitLocal, frame->slots + 1);
    return f;
}
