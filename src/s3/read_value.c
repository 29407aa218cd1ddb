// read_value: numbers, points and names in the fields of S3 files, and messages about them.
#include "s3/reader.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// The first errors must find room among the messages that are kept.
void s3_warn(Reader *r, Span at, const char *format, ...) {
    if (r->warnings++ >= S3_MAX_WARNINGS)
        return;
    Text message = {0};
    va_list args;
    va_start(args, format);
    text_vf(&message, format, args);
    va_end(args);
    diag_warn(r->diags, at, "%s", text_c(&message));
    text_free(&message);
}

void s3_warn_help(Reader *r, const char *format, ...) {
    if (r->warnings > S3_MAX_WARNINGS)
        return;
    Text message = {0};
    va_list args;
    va_start(args, format);
    text_vf(&message, format, args);
    va_end(args);
    diag_help(r->diags, "%s", text_c(&message));
    text_free(&message);
}

const char *s3_nearest(const Reader *r, const char *word, const char *const *words, int n) {
    return r->warnings <= S3_MAX_WARNINGS ? text_nearest(word, words, n) : NULL;
}

Span s3_span_at(Span span, size_t from, size_t length) {
    return (Span){span.line, span.column + (int)from, (int)length};
}

// A number as Java reads one, without its rarer forms; blanks around it do not count.
static bool parse_double(const char *s, size_t n, double *value) {
    char buffer[64];
    while (n > 0 && isspace((unsigned char)*s))
        s++, n--;
    while (n > 0 && isspace((unsigned char)s[n - 1]))
        n--;
    if (n == 0 || n >= sizeof buffer)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!strchr("0123456789+-.eE", s[i]))
            return false;
    memcpy(buffer, s, n);
    buffer[n] = '\0';
    char *end;
    *value = strtod(buffer, &end);
    return *end == '\0' && isfinite(*value);
}

static bool parse_int(const char *s, size_t n, int32_t *value) {
    double number;
    for (size_t i = 0; i < n; i++)
        if (s[i] == '.' || s[i] == 'e' || s[i] == 'E')
            return false;
    if (!parse_double(s, n, &number) || number < INT32_MIN || number > INT32_MAX)
        return false;
    *value = (int32_t)number;
    return true;
}

bool s3_read_int(Reader *r, const Field *field, int32_t *value) {
    if (parse_int(field->value, strlen(field->value), value))
        return true;
    diag_error(r->diags, field->value_span, "`%s` wants a whole number, not `%s`", field->key,
               field->value);
    return false;
}

bool s3_read_double(Reader *r, const Field *field, double *value) {
    if (parse_double(field->value, strlen(field->value), value))
        return true;
    diag_error(r->diags, field->value_span, "`%s` wants a number, not `%s`", field->key,
               field->value);
    return false;
}

int s3_read_list(Reader *r, const Field *field, double *value, int most) {
    const char *s = field->value;
    for (int count = 0;;) {
        size_t n = strcspn(s, ",");
        Span at = s3_span_at(field->value_span, (size_t)(s - field->value), n);
        double number;
        if (!parse_double(s, n, &number)) {
            diag_error(r->diags, at, "`%.*s` is no number", (int)n, s);
            diag_help(r->diags, "`%s` wants numbers between commas", field->key);
            return -1;
        }
        if (count == most) {
            diag_error(r->diags, at, "`%s` has more than %d numbers", field->key, most);
            return -1;
        }
        value[count++] = number;
        if (s[n] == '\0')
            return count;
        s += n + 1;
    }
}

bool s3_read_point(Reader *r, const Field *field, int *x, int *y) {
    const char *comma = strchr(field->value, ',');
    int32_t a, b;
    if (!comma || !parse_int(field->value, (size_t)(comma - field->value), &a) ||
        !parse_int(comma + 1, strlen(comma + 1), &b)) {
        diag_error(r->diags, field->value_span, "`%s` wants two whole numbers", field->key);
        diag_help(r->diags, "write them as `%s=120,45`", field->key);
        return false;
    }
    *x = a;
    *y = b;
    return true;
}

const char *s3_read_name(Reader *r, const Field *field) {
    const char *name = field->value;
    size_t n = strlen(name);
    if (n == 0) {
        diag_error(r->diags, field->key_span, "there is no name after `%s=`", field->key);
    } else if (n > S3_MAX_NAME) {
        diag_error(r->diags, field->value_span, "this name has more than %d bytes", S3_MAX_NAME);
        n = S3_MAX_NAME;
    } else if (strpbrk(name, " \t")) {
        s3_warn(r, field->value_span, "a name with blanks in it");
        s3_warn_help(r, "blanks vanish in expressions and patterns, so that they never mean it");
    }
    return arena_text(r->arena, name, n);
}

bool s3_has_room(Reader *r, Span at, int count, int most, const char *what) {
    if (count < most)
        return true;
    diag_error(r->diags, at, "more than %d %s", most, what);
    return false;
}
