// read_function: the section EXPRESSIONS. A header `Name` or `Name($A,$B)`, lines, END.
#include "s3/reader.h"

#include <string.h>
#include <strings.h>

void s3_close_function(Reader *r) {
    if (r->function < 0)
        return;
    const S3Function *function = &r->file->function[r->function];
    r->function = -1;
    if (function->lines == 0 && r->diags->errors == 0)
        s3_warn(r, function->span, "`%s` has no lines; calling it is an error", function->name);
}

static const char *trim(Reader *r, const char *s, size_t n, size_t *from) {
    size_t start = 0;
    while (start < n && (s[start] == ' ' || s[start] == '\t'))
        start++;
    while (n > start && (s[n - 1] == ' ' || s[n - 1] == '\t'))
        n--;
    *from = start;
    return arena_text(r->arena, s + start, n - start);
}

// Behind the opening parenthesis of a header.
static void take_params(Reader *r, S3Function *function, const char *text, Span at, size_t from) {
    const char *s = text + from;
    const char *close = strchr(s, ')');
    if (!close) {
        diag_error(r->diags, s3_span_at(at, from - 1, 1), "this `(` is never closed");
        return;
    }
    size_t rest;
    const char *behind = trim(r, close + 1, strlen(close + 1), &rest);
    if (*behind)
        s3_warn(r, s3_span_at(at, (size_t)(close - text) + 1 + rest, strlen(behind)),
                "what follows the parameters does not count");
    function->param = ARENA_ARRAY(r->arena, const char *, S3_MAX_PARAMS);
    while (s <= close) {
        size_t n = strcspn(s, ",)"), start;
        const char *param = trim(r, s, n, &start);
        Span span = s3_span_at(at, (size_t)(s - text) + start, strlen(param));
        if (*param == '\0' && function->params == 0 && s + n == close) {
            diag_error(r->diags, s3_span_at(at, from - 1, (size_t)(close - text) - from + 2),
                       "an expression without parameters is written without parentheses");
            return;
        }
        if (*param == '\0') {
            diag_error(r->diags, s3_span_at(at, (size_t)(s - text) + n, 1),
                       "a parameter is missing here");
            return;
        }
        if (*param != '$' || param[1] == '\0') {
            diag_error(r->diags, span, "a parameter is written `$NAME`, not `%s`", param);
            return;
        }
        if (!s3_has_room(r, span, function->params, S3_MAX_PARAMS, "parameters"))
            return;
        if (strpbrk(param + 1, "=!<>+-*/% \t(\"${}[]"))
            s3_warn(r, span, "no expression can write the variable `%s`", param);
        function->param[function->params++] = param + 1;
        s += n + 1;
    }
}

static void warn_header(Reader *r, const char *name, Span at) {
    if (!strpbrk(name, "=!<>+-*/% \t,\"${}[]")) {
        for (S3Op op = 1; op <= S3_NEXTPLAYER; op++)
            if (strcmp(s3_op_name(op), name) == 0) {
                s3_warn(r, at, "`%s` is part of the language; this expression is never called",
                        name);
                return;
            }
        return;
    }
    s3_warn(r, at, "this cannot be the name of an expression");
    s3_warn_help(r, "is there an END too many above? An expression is `Name`, lines, `END`");
}

static void take_header(Reader *r, const char *text, Span at) {
    S3File *file = r->file;
    size_t n = strcspn(text, "("), from;
    const char *name = trim(r, text, n, &from);
    Span span = s3_span_at(at, 0, n);
    int i = 0;
    while (i < file->functions && strcmp(file->function[i].name, name) != 0)
        i++;
    warn_header(r, name, span);
    if (i < file->functions) {
        s3_warn(r, span, "there are two expressions `%s`", name);
        s3_warn_help(r, "the one of line %d does not count", file->function[i].span.line);
    } else {
        if (!s3_has_room(r, at, i, S3_MAX_FUNCTIONS, "expressions")) {
            r->section = S3_SECTIONS; // its lines would be taken for headers
            return;
        }
        ARENA_GROW(r->arena, S3Function, file->function, file->functions, r->function_cap);
        file->functions++;
    }
    r->function = i;
    r->line_cap = 0;
    file->function[i] = (S3Function){.name = name, .span = span};
    if (text[n] == '(')
        take_params(r, &file->function[i], text, at, n + 1);
}

void s3_take_function_line(Reader *r, const char *text, Span at) {
    bool end = strcasecmp(text, "END") == 0;
    if (end && r->function < 0) {
        s3_warn(r, at, "this END closes nothing");
    } else if (end) {
        s3_close_function(r);
    } else if (r->function < 0) {
        take_header(r, text, at);
    } else {
        S3Node *node = s3_parse(r->arena, text, at, r->diags);
        S3Function *function = &r->file->function[r->function];
        if (!node)
            return;
        ARENA_GROW(r->arena, S3Node *, function->line, function->lines, r->line_cap);
        function->line[function->lines++] = node;
    }
}
