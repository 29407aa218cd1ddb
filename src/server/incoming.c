// incoming: what a page sent, checked before anything else looks at it.
#include "base/mem.h"
#include "server/hub_inside.h"
#include "server/room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ID_MOST (INT64_C(1) << 53) // as far as numbers of JavaScript are exact

// What cJSON would let pass or take too much memory for. It checks the rest of the syntax.
typedef struct Scan {
    int depth;
    int items;
    bool quoted;
    const char *wrong;
} Scan;

// What is behind `\u` there, or -1: it is no such thing.
static long unit_at(const char *at) {
    char digits[5] = {0};
    if (at[0] != '\\' || at[1] != 'u')
        return -1;
    for (int i = 0; i < 4 && at[i + 2]; i++)
        digits[i] = at[i + 2];
    return strspn(digits, "0123456789abcdefABCDEF") == 4 ? strtol(digits, NULL, 16) : -1;
}

static bool is_half(long unit, long first) {
    return unit >= first && unit < first + 0x400;
}

// Behind a backslash; characters behind U+FFFF are two halves. How many bytes that is.
static size_t scan_escape(Scan *s, const char *at) {
    long unit = unit_at(at);
    bool pair = is_half(unit, 0xD800) && is_half(unit_at(at + 6), 0xDC00);
    if (unit == 0) // texts end there in C: what follows would be lost
        s->wrong = "a text with a zero in it";
    else if (!pair && (is_half(unit, 0xD800) || is_half(unit, 0xDC00)))
        s->wrong = "a text with half a character in it";
    if (unit >= 0)
        return pair ? 12 : 6;
    return (unsigned char)at[1] >= 0x20 && (unsigned char)at[1] < 0x7F ? 2 : 1;
}

// `length` is that of the character.
static size_t scan_quoted(Scan *s, const char *at, int length) {
    if (*at == '\\')
        return scan_escape(s, at);
    if (*at == '"')
        s->quoted = false;
    else if ((unsigned char)*at < 0x20)
        s->wrong = "a control character inside a text";
    return (size_t)length;
}

static void scan_plain(Scan *s, char c) {
    if (c == '"')
        s->quoted = true;
    else if (c == '[' || c == '{')
        s->depth++, s->items++;
    else if (c == ']' || c == '}')
        s->depth--;
    else if (c == ',')
        s->items++;
    if (s->depth > HUB_DEPTH)
        s->wrong = "lists inside lists, too many";
    else if (s->items > HUB_ITEMS)
        s->wrong = "too many values";
}

// `text` ends with a NUL that `size` does not count.
static const char *scan_message(const char *text, size_t size) {
    Scan s = {0};
    for (size_t i = 0; i < size && !s.wrong;) {
        int length = text_utf8(text + i, size - i);
        if (length == 0 || text[i] == 0)
            return "not a text in UTF-8";
        if (s.quoted) {
            i += scan_quoted(&s, text + i, length);
        } else {
            scan_plain(&s, text[i]);
            i += (size_t)length;
        }
    }
    return s.wrong;
}

static cJSON *parse_copy(const char *copy, size_t size, Text *why) {
    const char *wrong = scan_message(copy, size);
    if (wrong) {
        text_add(why, wrong);
        return NULL;
    }
    const char *end = NULL;
    cJSON *in = cJSON_ParseWithLengthOpts(copy, size + 1, &end, true);
    if (in && cJSON_IsObject(in))
        return in;
    text_add(why, in ? "a message is an object" : "not JSON");
    cJSON_Delete(in);
    return NULL;
}

// --- whose answer it is ---

static int64_t read_id(const cJSON *in) {
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(in, "id");
    if (!cJSON_IsNumber(id) || !(id->valuedouble >= 0 && id->valuedouble <= (double)ID_MOST) ||
        id->valuedouble != (double)(int64_t)id->valuedouble)
        return HUB_NO_ID;
    return (int64_t)id->valuedouble;
}

// Behind the text that begins at the quote `s`; at the end if it has none.
static const char *skip_text(const char *s) {
    for (s++; *s && *s != '"'; s++)
        s += *s == '\\' && s[1];
    return *s ? s + 1 : s;
}

static const char *skip_blanks(const char *s) {
    return s + strspn(s, " \t\r\n");
}

// A whole number behind the colon at `s`, to its end.
static int64_t value_of_id(const char *s) {
    s = skip_blanks(s + 1);
    size_t n = strspn(s, "0123456789");
    const char *end = skip_blanks(s + n);
    int64_t id = n > 0 && n <= 16 ? strtoll(s, NULL, 10) : HUB_NO_ID;
    return (*end == ',' || *end == '}') && id <= ID_MOST ? id : HUB_NO_ID;
}

// The `id` of a message that cannot be taken as a whole: the page that waits for an answer is to
// get it.
static int64_t find_id(const char *s) {
    int depth = 0;
    s = skip_blanks(s);
    while (*s && (depth > 0 || *s == '{')) {
        const char *value = depth == 1 && strncmp(s, "\"id\"", 4) == 0 ? skip_blanks(s + 4) : s;
        if (*value == ':' && value != s)
            return value_of_id(value);
        depth += (*s == '{' || *s == '[') - (*s == '}' || *s == ']');
        s = *s == '"' ? skip_text(s) : s + 1;
    }
    return HUB_NO_ID;
}

// A copy, since versions of cJSON look a byte too far when a text ends early.
cJSON *incoming_parse(const char *message, size_t size, int64_t *id, Text *why) {
    char *copy = mem_alloc(size + 8); // the rest is zero
    *id = HUB_NO_ID;
    if (!copy) {
        text_add(why, "out of memory");
        return NULL;
    }
    memcpy(copy, message, size);
    cJSON *in = parse_copy(copy, size, why);
    *id = in ? read_id(in) : find_id(copy);
    mem_free(copy);
    return in;
}

bool in_text(Client *c, int64_t id, const cJSON *in, const char *name, const char **out) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(in, name);
    if (cJSON_IsString(item)) {
        *out = item->valuestring;
        return true;
    }
    client_error(c, id, "bad", NULL, item ? "`%s` is a text" : "`%s` is missing", name);
    return false;
}

bool in_number(Client *c, int64_t id, const cJSON *in, const char *name, double low, double high,
               double *out) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(in, name);
    if (cJSON_IsNumber(item) && item->valuedouble >= low && item->valuedouble <= high) {
        *out = item->valuedouble;
        return true;
    }
    if (!item)
        client_error(c, id, "bad", NULL, "`%s` is missing", name);
    else
        client_error(c, id, "bad", NULL, "`%s` is a number from %g to %g", name, low, high);
    return false;
}

bool in_whole(Client *c, int64_t id, const cJSON *in, const char *name, int64_t low, int64_t high,
              int64_t *out) {
    double number;
    if (!in_number(c, id, in, name, (double)low, (double)high, &number))
        return false;
    if (number == floor(number)) {
        *out = (int64_t)number;
        return true;
    }
    client_error(c, id, "bad", NULL, "`%s` is a whole number", name);
    return false;
}

bool in_room(Client *c, int64_t id, const cJSON *in, Room **out) {
    const char *name;
    if (!in_text(c, id, in, "room", &name))
        return false;
    Room *room = room_find(c->hub, name);
    if (!room) {
        client_error(c, id, "gone", NULL, "there is no such room");
        return false;
    }
    if (!room_joined(room, c)) {
        client_error(c, id, "denied", NULL, "join the room first");
        return false;
    }
    *out = room;
    return true;
}

bool in_seq(Client *c, int64_t id, const cJSON *in, Room *room) {
    int64_t seq;
    if (!in_whole(c, id, in, "seq", 0, (int64_t)1 << 53, &seq))
        return false;
    if (seq == room_seq(room))
        return true;
    Text now = {0};
    text_add(&now, "\"room\":");
    room_json(room, c, &now);
    if (now.failed)
        client_error(c, id, "failed", NULL, "out of memory");
    else
        client_error(c, id, "behind", text_c(&now), "the game has gone on meanwhile");
    text_free(&now);
    return false;
}
