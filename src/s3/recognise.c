// recognise: tells S3 files from rules files by how they begin (s3.h).
#include "s3/s3.h"

#include <ctype.h>
#include <string.h>

// [LETTERS AND BLANKS], also in small letters: a misspelt name is an error of an S3 file, not a
// sign of a rules file.
static bool is_header(const char *s, size_t n) {
    if (n < 3 || s[0] != '[')
        return false;
    size_t i = 1;
    while (i < n && (isalpha((unsigned char)s[i]) || s[i] == ' '))
        i++;
    return i > 1 && i < n && s[i] == ']';
}

// Blank lines, comments and fields may come before the first section, nothing else. No rules file
// has a line that begins with `[` before its first section.
bool s3_recognised(const char *text, size_t size) {
    size_t i = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (i < size) {
        size_t n = 0;
        while (i + n < size && text[i + n] != '\n' && text[i + n] != '\r')
            n++;
        const char *s = text + i;
        i += n + 1;
        while (n > 0 && (unsigned char)*s <= ' ')
            s++, n--;
        if (is_header(s, n))
            return true;
        bool comment = n >= 2 && s[0] == '/' && s[1] == '/';
        if (n > 1 && !comment && (*s == '#' || !memchr(s, '=', n)))
            return false;
    }
    return false;
}
