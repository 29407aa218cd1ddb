// text: see text.h for the contract.
#include "base/text.h"

#include "base/mem.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define REPLACEMENT "\xEF\xBF\xBD" // U+FFFD

// Room for n more bytes and the final NUL.
static bool text_room(Text *t, size_t n) {
    if (t->failed)
        return false;
    if (n >= TEXT_LIMIT - t->n) {
        t->failed = true;
        return false;
    }
    size_t need = t->n + n + 1;
    if (need <= t->cap)
        return true;
    size_t cap = t->cap ? t->cap : 64;
    while (cap < need)
        cap *= 2;
    char *s = mem_resize(t->s, cap);
    if (!s) {
        t->failed = true;
        return false;
    }
    t->s = s;
    t->cap = cap;
    return true;
}

void text_add(Text *t, const char *s) {
    text_add_n(t, s, strlen(s));
}

void text_add_n(Text *t, const char *s, size_t n) {
    if (!text_room(t, n))
        return;
    if (n)
        memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = '\0';
}

void text_char(Text *t, char c) {
    text_add_n(t, &c, 1);
}

void text_f(Text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_vf(t, format, args);
    va_end(args);
}

void text_vf(Text *t, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (n < 0) {
        t->failed = true;
    } else if (text_room(t, (size_t)n)) {
        vsnprintf(t->s + t->n, (size_t)n + 1, format, again);
        t->n += (size_t)n;
    }
    va_end(again);
}

// Table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF.
int text_utf8(const char *s, size_t n) {
    const unsigned char *b = (const unsigned char *)s;
    if (n == 0)
        return 0;
    if (b[0] < 0x80)
        return 1;
    int length = b[0] < 0xC2 ? 0 : b[0] < 0xE0 ? 2 : b[0] < 0xF0 ? 3 : b[0] < 0xF5 ? 4 : 0;
    if (length == 0 || (size_t)length > n)
        return 0;
    for (int i = 1; i < length; i++)
        if ((b[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (b[0] == 0xE0 && b[1] < 0xA0) || (b[0] == 0xF0 && b[1] < 0x90);
    bool outside = (b[0] == 0xED && b[1] > 0x9F) || (b[0] == 0xF4 && b[1] > 0x8F);
    return overlong || outside ? 0 : length;
}

static void json_char(Text *t, unsigned char c) {
    static const char letters[] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
    if (c == '"' || c == '\\')
        text_f(t, "\\%c", c);
    else if (c < sizeof letters && letters[c])
        text_f(t, "\\%c", letters[c]);
    else if (c < 0x20 || c == 0x7F)
        text_f(t, "\\u%04x", c);
    else
        text_char(t, (char)c);
}

void text_json(Text *t, const char *s) {
    text_char(t, '"');
    for (size_t left = strlen(s); left;) {
        int n = text_utf8(s, left);
        if (n == 1)
            json_char(t, (unsigned char)*s);
        else if (n)
            text_add_n(t, s, (size_t)n);
        else
            text_add(t, REPLACEMENT);
        s += n ? n : 1;
        left -= n ? (size_t)n : 1;
    }
    text_char(t, '"');
}

// Terminals obey U+0080 to U+009F as they obey ESC.
static bool is_control(const char *s, int length) {
    unsigned char first = (unsigned char)s[0];
    if (length == 1)
        return (first < 0x20 && first != '\t') || first == 0x7F;
    return length == 2 && first == 0xC2 && (unsigned char)s[1] < 0xA0;
}

void text_visible(Text *t, const char *s, size_t n) {
    while (n) {
        int length = text_utf8(s, n);
        if (length == 0)
            text_add(t, REPLACEMENT);
        else if (is_control(s, length))
            text_char(t, '?');
        else
            text_add_n(t, s, (size_t)length);
        s += length ? length : 1;
        n -= length ? (size_t)length : 1;
    }
}

void text_stop(Text *t) {
    if (t->n > 0 && !strchr(".?!", t->s[t->n - 1]))
        text_char(t, '.');
}

void text_clear(Text *t) {
    t->n = 0;
    t->failed = false;
    if (t->s)
        t->s[0] = '\0';
}

const char *text_c(const Text *t) {
    return t->s ? t->s : "";
}

void text_free(Text *t) {
    mem_free(t->s);
    *t = (Text){0};
}

int text_columns(const char *s) {
    int columns = 0;
    for (size_t left = strlen(s); left; columns++) {
        int n = text_utf8(s, left);
        s += n ? n : 1;
        left -= n ? (size_t)n : 1;
    }
    return columns;
}

// Longer words than this are not names that a person mistyped; it bounds the rows on the stack.
#define NEAREST_MAX 64

static int least(int a, int b) {
    return a < b ? a : b;
}

// The number of insertions, deletions, replacements and swaps of neighbours that turn a into b,
// row by row: row[k][j] is the distance of the first i - k bytes of a to the first j bytes of b.
static int edit_distance(const char *a, int na, const char *b, int nb) {
    int rows[3][NEAREST_MAX + 1];
    int *row[3] = {rows[0], rows[1], rows[2]};
    for (int j = 0; j <= nb; j++)
        row[0][j] = j;
    for (int i = 1; i <= na; i++) {
        int *oldest = row[2];
        row[2] = row[1];
        row[1] = row[0];
        row[0] = oldest;
        row[0][0] = i;
        for (int j = 1; j <= nb; j++) {
            int d = row[1][j - 1] + (a[i - 1] != b[j - 1]);
            d = least(d, least(row[1][j], row[0][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d = least(d, row[2][j - 2] + 1);
            row[0][j] = d;
        }
    }
    return row[0][nb];
}

const char *text_nearest(const char *word, const char *const *words, int n) {
    const char *best = NULL;
    int best_distance = INT_MAX;
    size_t length = strlen(word);
    if (length > NEAREST_MAX)
        return NULL;
    for (int i = 0; i < n; i++) {
        size_t other = strlen(words[i]);
        if (other > NEAREST_MAX)
            continue;
        int allowed = (int)(length > other ? length : other) / 3;
        int d = 0;
        if (strcasecmp(word, words[i]) != 0) {
            d = edit_distance(word, (int)length, words[i], (int)other);
            if (d > allowed)
                continue;
        }
        if (d < best_distance) {
            best = words[i];
            best_distance = d;
        }
    }
    return best;
}
