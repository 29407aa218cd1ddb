// incoming: what a page sent, checked before anything else looks at it.
#include "base/mem.h"
#include "server/hub_inside.h"
#include "server/room.h"

#include <math.h>
#include <string.h>

// What cJSON would let pass or take too much memory for. It checks the rest of the syntax.
typedef struct Scan {
    int depth;
    int items;
    bool quoted;
    const char *wrong;
} Scan;

static void scan_quoted(Scan *s, const char *at) {
    if (*at == '"')
        s->quoted = false;
    else if ((unsigned char)*at < 0x20)
        s->wrong = "a control character inside a text";
    else if (strncmp(at, "\\u0000", 6) == 0) // texts end there in C: what follows would be lost
        s->wrong = "a text with a zero in it";
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
        if (!s.quoted)
            scan_plain(&s, text[i]);
        else
            scan_quoted(&s, text + i);
        // What is behind a backslash ends no text; a NUL there is found above.
        bool escape = s.quoted && text[i] == '\\' && i + 1 < size;
        i += (size_t)length;
        if (escape && (unsigned char)text[i] >= 0x20 && (unsigned char)text[i] < 0x7F)
            i++;
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

// A copy, since versions of cJSON look a byte too far when a text ends early.
cJSON *incoming_parse(const char *message, size_t size, Text *why) {
    char *copy = mem_alloc(size + 8); // the rest is zero
    if (!copy) {
        text_add(why, "out of memory");
        return NULL;
    }
    memcpy(copy, message, size);
    cJSON *in = parse_copy(copy, size, why);
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
