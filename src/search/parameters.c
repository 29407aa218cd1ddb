// parameters: see parameters.h. Everything comes from the rows of PLAYER_OPTIONS.
#include "search/parameters.h"

#include "search/evaluate.h"
#include "search/levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum Form {
    FORM_TIME,
    FORM_COUNT,
    FORM_SIZE,
    FORM_REAL,
    FORM_HEURISTIC,
    FORM_KNOWLEDGE,
    FORM_CLOCK,
    FORM_LEVEL
} Form;

static const struct Row {
    const char *name;
    Form form;
    double usual, least, most;
    size_t offset;
    const char *help;
} rows[] = {
#define X(field, name, form, usual, least, most, help)                                             \
    {name,                                                                                         \
     FORM_##form,                                                                                  \
     (double)(usual),                                                                              \
     (double)(least),                                                                              \
     (double)(most),                                                                               \
     offsetof(PlayerOptions, field),                                                               \
     help},
    PLAYER_OPTIONS(X)
#undef X
};
enum { ROWS = sizeof rows / sizeof rows[0] };

typedef struct Unit {
    const char *name;
    double factor;
} Unit;
static const Unit time_units[] = {{"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"min", 60e3}, {NULL, 0}};
static const Unit count_units[] = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {NULL, 0}};
static const Unit size_units[] = {{"", 1},     {"M", 1},     {"MB", 1},
                                  {"G", 1024}, {"GB", 1024}, {NULL, 0}};
static const Unit real_units[] = {{"", 1}, {NULL, 0}};

static const Unit *units_of(Form form) {
    return form == FORM_TIME || form == FORM_CLOCK ? time_units
           : form == FORM_COUNT                    ? count_units
           : form == FORM_SIZE                     ? size_units
                                                   : real_units;
}

static void store(PlayerOptions *o, const struct Row *row, double value) {
    char *at = (char *)o + row->offset;
    if (row->form == FORM_REAL)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &(int64_t){llround(value)}, sizeof(int64_t));
}

static double load(const PlayerOptions *o, const struct Row *row) {
    const char *at = (const char *)o + row->offset;
    double real;
    int64_t number;
    memcpy(&real, at, sizeof real);
    memcpy(&number, at, sizeof number);
    return row->form == FORM_REAL ? real : (double)number;
}

bool parameters_limit(const PlayerOptions *o) {
    return o->time_ms || o->clock_ms || o->nodes || o->depth || o->iterations;
}

// --- values as text ---

// A whole number of the largest unit that gives one.
static void add_value(const struct Row *row, double value, Text *out) {
    const Unit *best = NULL;
    for (const Unit *u = units_of(row->form); u->name; u++) {
        bool whole = fmod(value, u->factor) == 0 && value >= u->factor;
        if (whole && (!best || u->factor > best->factor))
            best = u;
    }
    if (row->form == FORM_REAL || (!best && units_of(row->form) != time_units))
        text_f(out, "%g", value);
    else
        text_f(out, "%.0f%s", value / (best ? best->factor : 1), best ? best->name : "ms");
}

void parameters_text(const PlayerOptions *o, Text *out) {
    bool first = true;
    for (int i = 0; i < ROWS; i++) {
        if (!(o->given >> i & 1))
            continue;
        text_f(out, "%c%s=", first ? ':' : ',', rows[i].name);
        if (rows[i].form == FORM_HEURISTIC)
            text_add(out, o->heuristic);
        else if (rows[i].form == FORM_KNOWLEDGE)
            text_add(out, o->knowledge);
        else
            add_value(&rows[i], load(o, &rows[i]), out);
        if (rows[i].form == FORM_CLOCK && o->increment_ms > 0) {
            text_char(out, '+');
            add_value(&rows[i], (double)o->increment_ms, out);
        }
        first = false;
    }
}

// --- reading ---

// What stands behind a name in the options of a kind: `=value`, a blank or nothing. NULL if the
// kind does not read that parameter.
static const char *behind_name(const PlayerKind *kind, const char *name) {
    size_t n = strlen(name);
    for (const char *s = kind->options; *s; s += strspn(s, " ")) {
        if (strcspn(s, " =") == n && strncmp(s, name, n) == 0)
            return s + n;
        s += strcspn(s, " ");
    }
    return NULL;
}

bool parameters_has(const PlayerKind *kind, const char *name) {
    // who can be told the time for a move can divide more of it
    return behind_name(kind, strcmp(name, "clock") == 0 ? "time" : name) != NULL;
}

// The usual value that a kind has of its own.
static bool own_usual(const PlayerKind *kind, const char *name, Text *out) {
    const char *s = kind ? behind_name(kind, name) : NULL;
    if (s && *s == '=')
        text_add_n(out, s + 1, strcspn(s + 1, " "));
    return s && *s == '=';
}

static void add_reason_for_name(const PlayerKind *kind, const char *name, Text *why) {
    const char *known[ROWS];
    int n = 0;
    bool exists = false;
    for (int i = 0; i < ROWS; i++) {
        exists = exists || strcmp(rows[i].name, name) == 0;
        if (parameters_has(kind, rows[i].name))
            known[n++] = rows[i].name;
    }
    const char *near = text_nearest(name, known, n);
    text_f(why, exists ? "`%s` makes no use of `%s`" : "`%s` has no parameter `%s`", kind->name,
           name);
    if (near) {
        text_f(why, "; did you mean `%s`?", near);
        return;
    }
    text_add(why, n ? "; it has " : "; it has none");
    for (int i = 0; i < n; i++)
        text_f(why, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", known[i]);
}

static bool refuse(const struct Row *row, const char *value, const char *what, Text *why) {
    static const char *const forms[] = {
        "a time such as 500ms, 2s or 1m",
        "a number such as 4, 10k or 2M",
        "a number of megabytes such as 64, or 2GB",
        "a number such as 0.5",
        "a heuristic",
        "a file such as mine.rules, or the name of a rule set",
        "a time for the whole game such as 5m, or 5m+3s with 3 seconds more for each move",
        "a number from 1 to 10, or a name"};
    text_f(why, "`%s=%s`: ", row->name, value);
    if (what)
        text_add(why, what);
    else
        text_f(why, "%s is wanted", forms[row->form]);
    return false;
}

static bool read_heuristic(const struct Row *row, const char *value, PlayerOptions *o, Text *why) {
    o->heuristic = evaluation_find(value);
    if (o->heuristic)
        return true;
    int n = 0;
    while (evaluation_names[n])
        n++;
    const char *near = text_nearest(value, evaluation_names, n);
    Text what = {0};
    text_add(&what, "there is no such heuristic; ");
    if (near)
        text_f(&what, "did you mean `%s`?", near);
    else
        for (int i = 0; i < n; i++)
            text_f(&what, "%s%s",
                   i == 0       ? "there are "
                   : i + 1 == n ? " and "
                                : ", ",
                   evaluation_names[i]);
    refuse(row, value, text_c(&what), why);
    text_free(&what);
    return false;
}

static bool read_number(const struct Row *row, const char *value, PlayerOptions *o, Text *why) {
    char *end;
    double number = strtod(value, &end);
    // strtod also takes "inf", "nan", blanks and hexadecimal numbers.
    bool digits = strspn(value, "0123456789.") == (size_t)(end - value) && end != value;
    const Unit *unit = units_of(row->form);
    while (unit->name && strcmp(unit->name, end) != 0)
        unit++;
    if (!digits || !unit->name)
        return refuse(row, value, NULL, why);
    number *= unit->factor;
    if (row->form == FORM_COUNT && number != floor(number))
        return refuse(row, value, "a whole number is wanted", why);
    if (number < row->least || number > row->most) {
        Text range = {0};
        text_add(&range, "it is between ");
        add_value(row, row->least, &range);
        text_add(&range, " and ");
        add_value(row, row->most, &range);
        refuse(row, value, text_c(&range), why);
        text_free(&range);
        return false;
    }
    store(o, row, number);
    return true;
}

// `5m+3s`: the part behind the plus is one more time.
static bool read_clock(const struct Row *row, const char *value, PlayerOptions *o, Text *why) {
    const char *plus = strchr(value, '+');
    Text base = {0};
    text_add_n(&base, value, plus ? (size_t)(plus - value) : strlen(value));
    if (base.failed)
        text_add(why, "out of memory");
    Text reason = {0}; // about a part of it: the whole is named
    bool ok = !base.failed && (!plus || read_number(row, plus + 1, o, &reason));
    o->increment_ms = plus ? o->clock_ms : 0;
    ok = ok && read_number(row, text_c(&base), o, &reason);
    if (!ok && !base.failed) {
        const char *colon = strstr(text_c(&reason), "`: ");
        refuse(row, value, colon ? colon + 3 : text_c(&reason), why);
    }
    text_free(&reason);
    text_free(&base);
    return ok;
}

static bool read_knowledge(const struct Row *row, const char *value, PlayerOptions *o, Text *why) {
    if (!value[0])
        return refuse(row, value, NULL, why);
    size_t size = strlen(value) + 1;
    o->knowledge = mem_alloc(size);
    if (o->knowledge)
        memcpy(o->knowledge, value, size);
    else
        text_add(why, "out of memory");
    return o->knowledge != NULL;
}

void parameters_end(PlayerOptions *o) {
    mem_free(o->knowledge);
    o->knowledge = NULL;
}

static bool read_level(const struct Row *row, const char *value, PlayerOptions *o, Text *why) {
    o->level = level_find(value);
    if (o->level > 0)
        return true;
    const char *names[LEVELS];
    for (int i = 0; i < LEVELS; i++)
        names[i] = level_name(i + 1);
    const char *near = text_nearest(value, names, LEVELS);
    Text what = {0};
    text_add(&what, "there is no such level; ");
    if (near)
        text_f(&what, "did you mean `%s`?", near);
    else
        text_add(&what, "it is a number from 1 to 10, or ");
    for (int i = 0; i < LEVELS && !near; i++)
        text_f(&what, "%s%s", i == 0 ? "" : i + 1 == LEVELS ? " or " : ", ", names[i]);
    refuse(row, value, text_c(&what), why);
    text_free(&what);
    return false;
}

static bool read_value(const struct Row *row, const char *value, PlayerOptions *o, Text *why) {
    switch (row->form) {
    case FORM_HEURISTIC: return read_heuristic(row, value, o, why);
    case FORM_KNOWLEDGE: return read_knowledge(row, value, o, why);
    case FORM_CLOCK: return read_clock(row, value, o, why);
    case FORM_LEVEL: return read_level(row, value, o, why);
    default: return read_number(row, value, o, why);
    }
}

static bool read_one(const PlayerKind *kind, char *pair, PlayerOptions *o, Text *why) {
    char *equals = strchr(pair, '=');
    if (!equals) {
        text_f(why, "`%s`: parameters are written `name=value`", pair);
        return false;
    }
    *equals = '\0';
    int i = 0;
    while (i < ROWS && strcmp(rows[i].name, pair) != 0)
        i++;
    if (i == ROWS || !parameters_has(kind, pair)) {
        add_reason_for_name(kind, pair, why);
        return false;
    }
    if (o->given >> i & 1) {
        text_f(why, "`%s` is given twice", pair);
        return false;
    }
    o->given |= 1u << i;
    return read_value(&rows[i], equals + 1, o, why);
}

void parameters_init(const PlayerKind *kind, PlayerOptions *o) {
    *o = (PlayerOptions){0};
    for (int i = 0; i < ROWS; i++) {
        Text own = {0}, ignored = {0};
        if (own_usual(kind, rows[i].name, &own))
            read_value(&rows[i], text_c(&own), o, &ignored);
        else if (rows[i].form != FORM_HEURISTIC && rows[i].form != FORM_KNOWLEDGE)
            store(o, &rows[i], rows[i].usual);
        text_free(&own);
        text_free(&ignored);
    }
}

bool parameters_read(const PlayerKind *kind, const char *text, PlayerOptions *o, Text *why) {
    bool ok = true;
    while (ok && *text) {
        size_t n = strcspn(text, ",");
        Text pair = {0};
        text_add_n(&pair, text, n);
        if (pair.failed)
            text_add(why, "out of memory");
        ok = !pair.failed && n > 0 && read_one(kind, pair.s, o, why);
        if (n == 0)
            text_add(why, "a parameter is missing before or behind a comma");
        text_free(&pair);
        text += n + (text[n] == ',');
    }
    return ok;
}

// --- listing ---

// Of a kind, or of most of them if that is NULL.
static void add_usual(const PlayerKind *kind, const struct Row *row, Text *out) {
    if (own_usual(kind, row->name, out))
        return;
    if (row->form == FORM_HEURISTIC)
        text_add(out, "auto");
    else if (row->usual > 0)
        add_value(row, row->usual, out);
}

void parameters_names(const PlayerKind *kind, Text *out) {
    int n = 0;
    for (int i = 0; i < ROWS; i++)
        if (parameters_has(kind, rows[i].name)) {
            text_f(out, "%s%s", n++ ? " " : "", rows[i].name);
            Text own = {0};
            if (own_usual(kind, rows[i].name, &own))
                text_f(out, "=%s", text_c(&own));
            text_free(&own);
        }
}

void parameters_json(const PlayerKind *kind, Text *out) {
    int n = 0;
    text_char(out, '[');
    for (int i = 0; i < ROWS; i++) {
        if (!parameters_has(kind, rows[i].name))
            continue;
        Text usual = {0};
        add_usual(kind, &rows[i], &usual);
        text_f(out, "%s{\"name\":\"%s\",\"usual\":", n++ ? "," : "", rows[i].name);
        text_json(out, text_c(&usual));
        text_add(out, ",\"help\":");
        text_json(out, rows[i].help);
        text_char(out, '}');
        text_free(&usual);
    }
    text_char(out, ']');
}

void parameters_explain(const PlayerKind *kind, Text *out) {
    for (int i = 0; i < ROWS; i++) {
        if (kind && !parameters_has(kind, rows[i].name))
            continue;
        Text usual = {0};
        add_usual(kind, &rows[i], &usual);
        text_f(out, "  %-14s %s", rows[i].name, rows[i].help);
        text_f(out, usual.n ? " (%s)\n" : "%s\n", text_c(&usual));
        text_free(&usual);
    }
}
