// text: a growing string, for everything that is printed or written to a file.
//
// A Text owns its buffer; text_free releases it. It is always NUL-terminated once touched.
// Growing past TEXT_LIMIT or out of memory sets `failed` and drops what does not fit; writers
// need not check each call, whoever uses the result checks `failed` once. What was added before
// the failure stays, nothing after it is added; text_clear starts afresh.
#ifndef LUDENS_TEXT_H
#define LUDENS_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#define TEXT_LIMIT ((size_t)64 << 20)

typedef struct Text {
    char *s; // NULL while nothing was added; use text_c() to get a C string in any case
    size_t n;
    size_t cap;
    bool failed;
} Text;

void text_add(Text *t, const char *s);
void text_add_n(Text *t, const char *s, size_t n);
void text_char(Text *t, char c);
void text_f(Text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vf(Text *t, const char *format, va_list args);

// s as a quoted JSON string; bytes that are not UTF-8 become U+FFFD.
void text_json(Text *t, const char *s);

// n bytes made safe for a terminal, one column per column of text_columns: control characters
// but the tab become `?`, bytes that are not UTF-8 become U+FFFD.
void text_visible(Text *t, const char *s, size_t n);

// The end of a sentence: a full stop, unless there is one already, or a question mark.
void text_stop(Text *t);

void text_clear(Text *t);
const char *text_c(const Text *t);
void text_free(Text *t);

// The length in bytes, 1 to 4, of the UTF-8 character at the start of s; 0 if those (at most n)
// bytes are not one.
int text_utf8(const char *s, size_t n);

// How many columns a UTF-8 string takes on a terminal, counting one per code point
// and one per byte that is not UTF-8.
int text_columns(const char *s);

// The word of `words` (n of them) that `word` most likely means, or NULL if none is near:
// the smallest edit distance (two neighbours swapped count as one edit), at most a third of the
// longer word's length. Words that differ only in upper and lower case are nearest of all.
const char *text_nearest(const char *word, const char *const *words, int n);

#endif
