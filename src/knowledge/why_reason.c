// why_reason: the reasons of a tuple as a tree.
//
//     swing(White)
//       swing(p) if mill(p, l), pair(p, k), a in l, b in k & empty, b in next(a)
//       p = White, l = a1 d1 g1, k = a4 b4 c4, a = a1, b = a4
//         mill(White, a1 d1 g1)
//         pair(White, a4 b4 c4)
#include "knowledge/why.h"

#include <string.h>

// How far reasons go: to what a conclusion rests on, or with --deep to the facts.
#define USUAL_DEPTH 1
#define DEEP_DEPTH 40

static bool was_told(Why *w, int relation, int tuple) {
    for (int i = 0; i < w->told_count; i++)
        if (w->told[i].relation == relation && w->told[i].tuple == tuple)
            return true;
    if (w->told_count == w->told_cap) {
        int cap = w->told_cap ? 2 * w->told_cap : 64;
        Support *told = mem_resize(w->told, sizeof *told * (size_t)cap);
        if (!told) {
            w->out->failed = true;
            return true;
        }
        w->told = told;
        w->told_cap = cap;
    }
    w->told[w->told_count++] = (Support){relation, tuple};
    return false;
}

// Whether a local has a name that a person gave it, and a value that can be shown.
static bool is_named(const IrFrame *frame, int slot) {
    const char *name = frame->name[slot];
    if (slot == IR_MOVER || !name || ir_is_set(frame->type[slot]))
        return false;
    bool letter = (name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z');
    for (int i = 0; i < slot; i++)
        if (frame->name[i] && strcmp(frame->name[i], name) == 0)
            return false;
    return letter && strcmp(name, "it") != 0;
}

// Which locals of a clause its literals set: those of loops inside expressions tell nothing.
static bool is_bound(const IrClause *c, int slot) {
    for (int i = 0; i < c->literals; i++) {
        const IrLiteral *lit = &c->literal[i];
        if (lit->kind == LIT_EACH && lit->domain->slot == slot)
            return true;
        if (lit->kind == LIT_LET && lit->term[0].slot == slot)
            return true;
        for (int k = 0; lit->kind == LIT_KNOWN && k < IR_MAX_ARGS; k++)
            if (!lit->term[k].value && lit->term[k].slot == slot)
                return true;
    }
    return false;
}

static void add_bindings(Why *w, const Reason *reason, int indent) {
    const IrClause *c = reason->clause;
    int n = 0;
    for (int i = 0; i < c->frame.slots; i++) {
        if (!is_bound(c, i) || !is_named(&c->frame, i))
            continue;
        if (n++)
            text_add(w->out, ", ");
        else
            text_f(w->out, "%*s", indent, "");
        text_f(w->out, "%s = ", c->frame.name[i]);
        knowledge_value_text(w->k, c->frame.type[i], reason->local[i], w->out);
    }
    if (n)
        text_char(w->out, '\n');
}

// A clause as one line, whatever the file's layout.
static void add_clause(Text *out, const char *text) {
    for (bool blank = false; *text; text++) {
        if (*text == ' ' || *text == '\n' || *text == '\t' || *text == '\r') {
            blank = true;
            continue;
        }
        if (blank)
            text_char(out, ' ');
        blank = false;
        text_char(out, *text);
    }
}

// The reason in memory of its own: the reasoner keeps only the last one.
static Support *copy_supports(const Reason *reason) {
    size_t size = sizeof(Support) * (size_t)(reason->supports + 1);
    Support *copy = mem_alloc(size);
    if (copy && reason->supports)
        memcpy(copy, reason->support, sizeof(Support) * (size_t)reason->supports);
    return copy;
}

static void add_tree(Why *w, int relation, int tuple, int indent, int depth) {
    const IrRelation *r = &w->ir->relation[relation];
    if ((!r->derived && !w->deep) || depth == 0 || was_told(w, relation, tuple))
        return;
    if (w->lines <= 0) {
        if (w->lines-- == 0)
            text_f(w->out, "%*s… and more: see --deep\n", indent, "");
        return;
    }
    const Reason *reason = reasoner_reason(w->reasoner, relation, tuple);
    if (!reason)
        return;
    w->lines -= 2 + reason->supports;
    text_f(w->out, "%*s", indent, "");
    add_clause(w->out, reason->clause->text);
    text_char(w->out, '\n');
    add_bindings(w, reason, indent);
    int n = reason->supports;
    Support *support = copy_supports(reason);
    if (!support)
        w->out->failed = true;
    for (int i = 0; support && i < n; i++) {
        text_f(w->out, "%*s", indent + 2, "");
        knowledge_tuple_text(w->k, support[i].relation, support[i].tuple, w->out);
        text_char(w->out, '\n');
        add_tree(w, support[i].relation, support[i].tuple, indent + 4, depth - 1);
    }
    mem_free(support);
}

void why_tuple(Why *w, int relation, int tuple, int64_t weight, bool weighed, int indent) {
    text_f(w->out, "%*s", indent, "");
    knowledge_tuple_text(w->k, relation, tuple, w->out);
    if (weighed)
        text_f(w->out, "  %+lld", (long long)weight);
    text_char(w->out, '\n');
    add_tree(w, relation, tuple, indent + 2, w->deep ? DEEP_DEPTH : USUAL_DEPTH);
}

// --- JSON ---

static void json_name(Why *w, int relation, int tuple) {
    Text text = {0};
    knowledge_tuple_text(w->k, relation, tuple, &text);
    text_add(w->out, "\"holds\":");
    text_json(w->out, text_c(&text));
    text_free(&text);
}

static void json_bindings(Why *w, const Reason *reason) {
    const IrClause *c = reason->clause;
    Text text = {0};
    int n = 0;
    text_add(w->out, ",\"with\":{");
    for (int i = 0; i < c->frame.slots; i++) {
        if (!is_bound(c, i) || !is_named(&c->frame, i))
            continue;
        text_add(w->out, n++ ? "," : "");
        text_json(w->out, c->frame.name[i]);
        text_clear(&text);
        knowledge_value_text(w->k, c->frame.type[i], reason->local[i], &text);
        text_char(w->out, ':');
        text_json(w->out, text_c(&text));
    }
    text_char(w->out, '}');
    text_free(&text);
}

static void json_tree(Why *w, int relation, int tuple, int depth) {
    const IrRelation *r = &w->ir->relation[relation];
    json_name(w, relation, tuple);
    if ((!r->derived && !w->deep) || depth == 0 || w->lines <= 0 || was_told(w, relation, tuple))
        return;
    const Reason *reason = reasoner_reason(w->reasoner, relation, tuple);
    if (!reason)
        return;
    Text text = {0};
    add_clause(&text, reason->clause->text);
    text_add(w->out, ",\"by\":");
    text_json(w->out, text_c(&text));
    text_free(&text);
    json_bindings(w, reason);
    int n = reason->supports;
    w->lines -= 2 + n;
    Support *support = copy_supports(reason);
    if (!support)
        w->out->failed = true;
    text_add(w->out, ",\"because\":[");
    for (int i = 0; support && i < n; i++) {
        text_add(w->out, i ? ",{" : "{");
        json_tree(w, support[i].relation, support[i].tuple, depth - 1);
        text_char(w->out, '}');
    }
    text_char(w->out, ']');
    mem_free(support);
}

void why_tuple_json(Why *w, int relation, int tuple, int64_t weight) {
    text_f(w->out, "{\"weight\":%lld,", (long long)weight);
    json_tree(w, relation, tuple, w->deep ? DEEP_DEPTH : USUAL_DEPTH);
    text_char(w->out, '}');
}
