// What following a text can do: variables it assigns and reads, changes of the position. Found from
// the text alone, before anything is followed. See lower.h.

#include "s3/lower.h"

static void add_var(Lower *l, Effects *e, const char *name) {
    int v = word_var(l, name);
    e->assigns[v / 64] |= (uint64_t)1 << (v % 64);
}

// A call in a lazy set waits until a move is made: only its arguments are followed here.
static bool waits(const S3Node *node, int kid) {
    return node->kind == S3_LAZY && node->kid[kid]->kind == S3_CALL;
}

static void note(Lower *l, const S3Node *node, Effects *e) {
    if (!node)
        return;
    if (node->kind == S3_BINARY && node->op == S3_ASSIGN && node->kid[0]->kind == S3_VAR)
        add_var(l, e, node->kid[0]->name);
    if (node->kind == S3_BUILT) {
        e->moves |= node->op == S3_MOVE;
        e->looks |= node->op == S3_SETSTATE || node->op == S3_SETOWNER || node->op == S3_SETZINDEX;
        e->next |= node->op == S3_NEXTPLAYER;
        if ((node->op == S3_FORALL || node->op == S3_FORSOME) && node->kids &&
            node->kid[0]->kind == S3_VAR)
            add_var(l, e, node->kid[0]->name);
    }
    if (node->kind == S3_CALL && node->function >= 0) {
        const Effects *f = &l->effects[node->function];
        for (int i = 0; i <= l->vars / 64; i++)
            e->assigns[i] |= f->assigns[i];
        e->moves |= f->moves;
        e->looks |= f->looks;
        e->next |= f->next;
        const S3Function *s = &l->f->function[node->function];
        for (int i = 0; i < s->params; i++)
            add_var(l, e, s->param[i]);
    }
    for (int i = 0; i < node->kids; i++) {
        const S3Node *kid = node->kid[i];
        if (!waits(node, i))
            note(l, kid, e);
        else
            for (int k = 0; k < kid->kids; k++)
                note(l, kid->kid[k], e);
    }
}

Effects *kinds_effects(Lower *l, const S3Node *node, Effects *out) {
    *out = (Effects){.assigns = ARENA_ARRAY(l->arena, uint64_t, l->vars / 64 + 1)};
    note(l, node, out);
    return out;
}

unsigned kinds_changes(const Lower *l, const S3Node *node) {
    unsigned changes = 0;
    bool moves = node->kind == S3_BUILT && node->op == S3_MOVE;
    bool looks = node->kind == S3_BUILT &&
                 (node->op == S3_SETSTATE || node->op == S3_SETOWNER || node->op == S3_SETZINDEX);
    if (node->kind == S3_CALL && node->function >= 0) {
        const Effects *e = &l->effects[node->function];
        moves = e->moves;
        looks = e->looks;
        if (l->as_proc[node->function])
            changes |= READS_SCRATCH;
    }
    changes |= moves ? READS_PLACES | READS_LOOKS : looks ? READS_LOOKS : 0;
    for (int i = 0; i < node->kids; i++) {
        const S3Node *kid = node->kid[i];
        if (!waits(node, i))
            changes |= kinds_changes(l, kid);
        else
            for (int k = 0; k < kid->kids; k++)
                changes |= kinds_changes(l, kid->kid[k]);
    }
    return changes;
}

void kinds_find_effects(Lower *l) {
    const S3File *f = l->f;
    l->effects = ARENA_ARRAY(l->arena, Effects, f->functions + 1);
    for (int i = 0; i < f->functions; i++)
        l->effects[i].assigns = ARENA_ARRAY(l->arena, uint64_t, l->vars / 64 + 1);
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < f->functions; i++) {
            Effects e;
            kinds_effects(l, NULL, &e);
            for (int k = 0; k < f->function[i].lines; k++)
                note(l, f->function[i].line[k], &e);
            Effects *old = &l->effects[i];
            bool same = e.moves == old->moves && e.looks == old->looks && e.next == old->next;
            for (int k = 0; k <= l->vars / 64; k++)
                same &= e.assigns[k] == old->assigns[k];
            *old = e;
            again |= !same;
        }
    }
}

void kinds_reads(Lower *l, const S3Node *node, bool *reads, bool *seen) {
    if (!node)
        return;
    if (node->kind == S3_VAR)
        reads[word_var(l, node->name)] = true;
    const char *var[16];
    int n = node->kind == S3_STRING ? word_variables(node, var) : 0;
    for (int i = 0; i < n; i++)
        reads[word_var(l, var[i])] = true;
    for (int i = 0; i < node->kids; i++) {
        bool target = node->kind == S3_BINARY && node->op == S3_ASSIGN && i == 0;
        bool counter =
            node->kind == S3_BUILT && i == 0 && (node->op == S3_FORALL || node->op == S3_FORSOME);
        if (!target && !counter)
            kinds_reads(l, node->kid[i], reads, seen);
    }
    if (node->kind == S3_CALL && node->function >= 0 && !seen[node->function]) {
        const S3Function *f = &l->f->function[node->function];
        seen[node->function] = true;
        for (int i = 0; i < f->lines; i++)
            kinds_reads(l, f->line[i], reads, seen);
    }
}
