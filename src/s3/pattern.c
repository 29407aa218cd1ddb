// pattern: whether a name of an element or location fits a template (s3.h).
#include "s3/s3.h"

#include <ctype.h>
#include <string.h>

static bool take_text(const char **name, const char *text) {
    for (; *text; text++, (*name)++)
        if (**name != *text || isdigit((unsigned char)*text))
            return false;
    return true;
}

// All digits that follow. A number that does not fit was an error of the original; it fits nothing.
static bool take_number(const char **name, int32_t *value) {
    int64_t number = 0;
    if (!isdigit((unsigned char)**name))
        return false;
    for (; isdigit((unsigned char)**name); (*name)++)
        if (number <= INT32_MAX)
            number = 10 * number + (**name - '0');
    *value = (int32_t)number;
    return number <= INT32_MAX;
}

bool s3_is_lost(const S3Node *s, int part) {
    return part + 1 < s->parts && s->part[part].var && s->part[part + 1].var &&
           !s->part[part + 1].text[0];
}

bool s3_match(const S3Node *pattern, const char *name, int32_t *value) {
    if (pattern->parts == 1)
        return strcmp(pattern->part[0].text, name) == 0;
    if (isdigit((unsigned char)*name))
        return false;
    for (int i = 0; i < pattern->parts; i++) {
        bool lost = s3_is_lost(pattern, i);
        if (lost)
            value[i] = 0;
        if (!take_text(&name, pattern->part[i].text) ||
            (pattern->part[i].var && !lost && !take_number(&name, &value[i])))
            return false;
    }
    return *name == '\0';
}
