// diag: see diag.h for the contract.
#include "base/diag.h"

#include "base/mem.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

// Of a longer source line only this many bytes before and after the place are shown.
#define SHOWN_BEFORE 120
#define SHOWN_AFTER 80

// The text of `t` as a string of its own, NULL if it failed; `t` is used up.
static char *take(Text *t) {
    if (t->failed)
        text_free(t);
    char *s = t->s;
    *t = (Text){0};
    return s;
}

static char *copy(const char *s, size_t n) {
    Text t = {0};
    text_add_n(&t, s, n);
    return take(&t);
}

static char *format_new(const char *format, va_list args) {
    Text t = {0};
    text_vf(&t, format, args);
    return take(&t);
}

// A copy of the line without its end; NULL if the source has no such line.
static char *copy_line(const Source *source, int line) {
    const char *s = source->text;
    const char *end = s + source->size;
    for (int i = 1; i < line; i++) {
        const char *newline = memchr(s, '\n', (size_t)(end - s));
        if (!newline)
            return NULL;
        s = newline + 1;
    }
    const char *stop = memchr(s, '\n', (size_t)(end - s));
    if (!stop)
        stop = end;
    if (stop > s && stop[-1] == '\r')
        stop--;
    char *text = copy(s, (size_t)(stop - s));
    for (ptrdiff_t i = 0; text && i < stop - s; i++)
        if (text[i] == '\0')
            text[i] = '?';
    return text;
}

static void diag_release(Diag *item) {
    mem_free(item->message);
    mem_free(item->help);
    mem_free(item->source_name);
    mem_free(item->source_line);
}

static bool grow(Diags *d) {
    if (d->count < d->cap)
        return true;
    int cap = d->cap ? 2 * d->cap : 8;
    Diag *items = mem_resize(d->items, sizeof(Diag) * (size_t)cap);
    if (!items)
        return false;
    d->items = items;
    d->cap = cap;
    return true;
}

static void report(Diags *d, Severity severity, Span at, const char *format, va_list args) {
    if (severity == SEV_ERROR && d->errors < INT_MAX)
        d->errors++;
    d->last_kept = false;
    if (d->silent || d->count >= DIAG_MAX || !grow(d))
        return;
    Diag item = {.severity = severity, .span = at, .message = format_new(format, args)};
    bool complete = item.message;
    if (d->source) {
        item.source_name = copy(d->source->name, strlen(d->source->name));
        complete = complete && item.source_name;
        // A line that could not be copied only makes the message poorer.
        if (at.line > 0)
            item.source_line = copy_line(d->source, at.line);
    }
    if (!complete) {
        diag_release(&item);
        return;
    }
    d->items[d->count++] = item;
    d->last_kept = true;
}

void diag_error(Diags *d, Span at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(d, SEV_ERROR, at, format, args);
    va_end(args);
}

void diag_warn(Diags *d, Span at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(d, SEV_WARNING, at, format, args);
    va_end(args);
}

void diag_help(Diags *d, const char *format, ...) {
    if (!d->last_kept)
        return;
    va_list args;
    va_start(args, format);
    char *help = format_new(format, args);
    va_end(args);
    if (!help)
        return;
    Diag *last = &d->items[d->count - 1];
    mem_free(last->help);
    last->help = help;
}

static void add_visible(Text *out, const char *s) {
    text_visible(out, s, strlen(s));
}

static const char *severity_name(Severity severity) {
    return severity == SEV_ERROR ? "error" : "warning";
}

static void print_message(const Diag *item, Text *out, bool colour) {
    const char *tint = item->severity == SEV_ERROR ? "\033[1;31m" : "\033[1;35m";
    text_add(out, colour ? "\033[1m" : "");
    if (item->source_name) {
        add_visible(out, item->source_name);
        if (item->span.line > 0)
            text_f(out, ":%d:%d", item->span.line, item->span.column);
        text_add(out, ": ");
    }
    text_f(out, "%s%s:%s ", colour ? tint : "", severity_name(item->severity),
           colour ? "\033[0m" : "");
    add_visible(out, item->message);
    text_char(out, '\n');
}

// The first byte of the UTF-8 character that the byte i is in.
static size_t char_start(const char *s, size_t size, size_t i) {
    for (size_t back = 1; back <= 3 && back <= i; back++)
        if (text_utf8(s + i - back, size - i + back) > (int)back)
            return i - back;
    return i;
}

// As many blanks as s[from, to) has columns; tabs stay, so that both lines jump alike.
static void pad(Text *out, const char *s, size_t from, size_t to) {
    while (from < to) {
        int n = text_utf8(s + from, to - from);
        text_char(out, s[from] == '\t' ? '\t' : ' ');
        from += n ? (size_t)n : 1;
    }
}

// The source line and below it the caret. Both are built from the same bytes, so that the caret
// is right below characters of several bytes, and below the shown part of a long line.
static void print_place(const Diag *item, Text *out, bool colour) {
    const char *line = item->source_line;
    size_t size = strlen(line);
    size_t at = item->span.column > 1 ? (size_t)item->span.column - 1 : 0;
    at = char_start(line, size, at < size ? at : size);
    size_t length = item->span.length > 1 ? (size_t)item->span.length : 1;
    size_t end = length < size - at ? at + length : size;

    size_t from = at > SHOWN_BEFORE ? char_start(line, size, at - SHOWN_BEFORE) : 0;
    size_t to = size - at > SHOWN_AFTER ? char_start(line, size, at + SHOWN_AFTER) : size;
    if (end > to)
        end = to;

    text_f(out, "%5d | %s", item->span.line, from > 0 ? "..." : "");
    text_visible(out, line + from, to - from);
    text_f(out, "%s\n      | %s", to < size ? "..." : "", from > 0 ? "   " : "");
    pad(out, line, from, at);
    text_add(out, colour ? "\033[1;32m^" : "^");
    for (size_t i = at; i < end;) {
        int n = text_utf8(line + i, end - i);
        if (i > at)
            text_char(out, '~');
        i += n ? (size_t)n : 1;
    }
    text_add(out, colour ? "\033[0m\n" : "\n");
}

void diag_print(const Diags *d, Text *out, bool colour) {
    int shown_errors = 0;
    for (int i = 0; i < d->count; i++) {
        const Diag *item = &d->items[i];
        shown_errors += item->severity == SEV_ERROR;
        print_message(item, out, colour);
        if (item->source_line)
            print_place(item, out, colour);
        if (item->help) {
            text_add(out, "      = help: ");
            add_visible(out, item->help);
            text_char(out, '\n');
        }
    }
    int more = d->errors - shown_errors;
    if (more > 0)
        text_f(out, "%d more error%s not shown\n", more, more == 1 ? "" : "s");
}

static void json_text_or_null(Text *out, const char *key, const char *value) {
    text_f(out, ",\"%s\":", key);
    if (value)
        text_json(out, value);
    else
        text_add(out, "null");
}

void diag_json(const Diags *d, Text *out) {
    text_char(out, '[');
    for (int i = 0; i < d->count; i++) {
        const Diag *item = &d->items[i];
        text_f(out, "%s{\"severity\":\"%s\"", i ? "," : "", severity_name(item->severity));
        json_text_or_null(out, "file", item->source_name);
        text_f(out, ",\"line\":%d,\"column\":%d,\"length\":%d", item->span.line, item->span.column,
               item->span.length);
        json_text_or_null(out, "message", item->message);
        json_text_or_null(out, "help", item->help);
        text_char(out, '}');
    }
    text_char(out, ']');
}

void diag_free(Diags *d) {
    for (int i = 0; i < d->count; i++)
        diag_release(&d->items[i]);
    mem_free(d->items);
    *d = (Diags){.source = d->source};
}
