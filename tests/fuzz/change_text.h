// change_text: parts of a text, for fuzz targets that change texts as a person would.
#ifndef LUDENS_CHANGE_TEXT_H
#define LUDENS_CHANGE_TEXT_H

#include "base/rng.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

// Part of a text: a line with its newline, or a word, number or symbol.
typedef struct Part {
    size_t from, length;
} Part;

static inline size_t token_length(const char *s, size_t n) {
    size_t i = 1;
    if (isalnum((unsigned char)s[0]) || s[0] == '_')
        while (i < n && (isalnum((unsigned char)s[i]) || s[i] == '_'))
            i++;
    else if (strchr("=!<>+-.", s[0]) && n > 1 && (s[1] == '=' || s[1] == '.'))
        i = 2;
    return i;
}

// The line or token around a random place.
static inline Part pick(const char *s, size_t n, bool line, Rng *rng) {
    Part p = {rng_below(rng, n), 0};
    if (line) {
        while (p.from > 0 && s[p.from - 1] != '\n')
            p.from--;
        const char *end = memchr(s + p.from, '\n', n - p.from);
        p.length = end ? (size_t)(end - s) - p.from + 1 : n - p.from;
        return p;
    }
    while (p.from + 1 < n && s[p.from] == ' ')
        p.from++;
    while (p.from > 0 && isalnum((unsigned char)s[p.from]) && isalnum((unsigned char)s[p.from - 1]))
        p.from--;
    p.length = token_length(s + p.from, n - p.from);
    return p;
}

// Puts `with` in the place of a part. Returns the new size; too large a change is left out.
static inline size_t replace(char *s, size_t n, size_t most, Part at, const char *with,
                             size_t length) {
    if (n - at.length + length > most)
        return n;
    memmove(s + at.from + length, s + at.from + at.length, n - at.from - at.length);
    memcpy(s + at.from, with, length);
    return n - at.length + length;
}

#endif
