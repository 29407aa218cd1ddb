// check_calls: finds the named expressions that are called, and calls that can only fail in play.
// The original notices these when it gets there, so they are warnings.
#include "s3/reader.h"

#include <string.h>

static const char *nearest_name(Reader *r, const char *name) {
    const S3File *file = r->file;
    if (r->warnings > S3_MAX_WARNINGS)
        return NULL;
    int most = file->functions + S3_NEXTPLAYER, count = 0;
    const char **names = ARENA_ARRAY(r->arena, const char *, most + 1);
    for (int i = 0; i < file->functions; i++)
        names[count++] = file->function[i].name;
    for (S3Op op = S3_AND; op <= S3_NEXTPLAYER; op++)
        names[count++] = s3_op_name(op);
    return s3_nearest(r, name, names, count);
}

static void bind(Reader *r, S3Node *node) {
    const S3File *file = r->file;
    for (int i = 0; i < file->functions && node->function < 0; i++)
        if (strcmp(file->function[i].name, node->name) == 0)
            node->function = i;
    Span at = s3_span_at(node->span, 0, strlen(node->name));
    if (node->function < 0) {
        s3_warn(r, at, "there is no expression `%s`", node->name);
        const char *near = nearest_name(r, node->name);
        if (*node->name == '!')
            s3_warn_help(r, "write `NOT %s`", node->name + 1);
        else if (near)
            s3_warn_help(r, "did you mean `%s`?", near);
        return;
    }
    const S3Function *function = &file->function[node->function];
    if (function->params != node->kids) {
        s3_warn(r, at, "`%s` has %d parameter%s, not %d", node->name, function->params,
                function->params == 1 ? "" : "s", node->kids);
        s3_warn_help(r, "calling it so is an error when the game gets there");
    }
}

static void check_built(Reader *r, const S3Node *node) {
    int wanted = s3_op_arguments(node->op);
    Span at = s3_span_at(node->span, 0, strlen(node->name));
    if (node->kids < wanted)
        s3_warn(r, at, "`%s` has %d argument%s, not %d", node->name, wanted, wanted == 1 ? "" : "s",
                node->kids);
    else if (node->kids > wanted)
        s3_warn(r, node->kid[wanted]->span, "`%s` has only %d argument%s; this does not count",
                node->name, wanted, wanted == 1 ? "" : "s");
    if ((node->op == S3_FORALL || node->op == S3_FORSOME) && node->kids > 0 &&
        node->kid[0]->kind != S3_VAR)
        s3_warn(r, node->kid[0]->span, "`%s` counts with a variable, such as `$I`", node->name);
}

// Trees are no deeper than the parser allows.
static void walk(Reader *r, S3Node *node) {
    if (!node)
        return;
    if (node->kind == S3_CALL)
        bind(r, node);
    else if (node->kind == S3_BUILT)
        check_built(r, node);
    else if (node->op == S3_ASSIGN && node->kid[0]->kind != S3_VAR) {
        s3_warn(r, node->kid[0]->span, "only a variable can be given a value");
        s3_warn_help(r, "`==` compares");
    }
    for (int i = 0; i < node->kids; i++)
        walk(r, node->kid[i]);
}

static void walk_awards(Reader *r, const S3Award *award, int count) {
    for (int i = 0; i < count; i++) {
        walk(r, award[i].player);
        walk(r, award[i].score);
    }
}

void s3_bind_calls(Reader *r) {
    const S3File *file = r->file;
    for (int i = 0; i < file->functions; i++)
        for (int j = 0; j < file->function[i].lines; j++)
            walk(r, file->function[i].line[j]);
    for (int i = 0; i < file->scorings; i++) {
        walk(r, file->scoring[i].situation);
        walk_awards(r, file->scoring[i].award, file->scoring[i].awards);
    }
    for (int i = 0; i < file->ends; i++) {
        walk(r, file->end[i].situation);
        walk(r, file->end[i].winner);
    }
    for (int i = 0; i < file->rules; i++) {
        const S3Rule *rule = &file->rule[i];
        walk(r, rule->state);
        walk(r, rule->player);
        walk(r, rule->condition);
        walk(r, rule->followup);
        walk(r, rule->to_locations);
        walk_awards(r, rule->award, rule->awards);
    }
}
