// time_control: how much time and work a side has, as text; see contest_make.h.
#include "match/contest_make.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 864000.0 // ten days: more is a mistake
#define USUAL_MARGIN 0.2 // seconds: a busy machine is nobody's fault
#define MOST_NODES 1e15
#define MOST_DEPTH 10000

static const char help[] = "a time is `0.5s` for each move or `5m+3s` for a game; more with "
                           "time=, clock=, margin=, nodes=, depth=";

static bool refuse(Text *why, const char *text, size_t n) {
    text_f(why, "`%.*s` is none: %s", (int)n, text, help);
    return false;
}

typedef struct Unit {
    const char *name;
    double factor;
} Unit;
static const Unit seconds_units[] = {{"", 1},     {"s", 1},    {"ms", 1e-3}, {"m", 60},
                                     {"min", 60}, {"h", 3600}, {NULL, 0}};
static const Unit count_units[] = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {NULL, 0}};

// A number with a unit up to one of `ends`; moves *s there. Plain decimals only: what strtod takes
// besides (hexadecimal, infinity) is no time.
static bool take_number(const char **s, const char *ends, const Unit *units, double most,
                        double *value) {
    size_t n = strspn(*s, "0123456789.");
    size_t all = strcspn(*s, ends);
    if (n == 0 || n > 30 || n > all)
        return false;
    char *end;
    double number = strtod(*s, &end);
    for (int i = 0; units[i].name && end == *s + n; i++) {
        if (strlen(units[i].name) != all - n || strncmp(units[i].name, *s + n, all - n) != 0)
            continue;
        *value = number * units[i].factor;
        *s += all;
        return isfinite(*value) && *value >= 0 && *value <= most;
    }
    return false;
}

static bool take_clock(const char **s, TimeControl *t) {
    if (!take_number(s, "+,", seconds_units, LONGEST, &t->game) || t->game <= 0)
        return false;
    if (**s != '+')
        return true;
    ++*s;
    return take_number(s, ",", seconds_units, LONGEST, &t->increment);
}

static bool take_count(const char **s, double most, double *value) {
    return take_number(s, ",", count_units, most, value) && *value >= 1;
}

static bool takes(const char **s, const char *name) {
    size_t n = strlen(name);
    if (strncmp(*s, name, n) != 0)
        return false;
    *s += n;
    return true;
}

static bool take_part(const char **s, TimeControl *t) {
    double number = 0;
    bool ok;
    if (takes(s, "clock="))
        return take_clock(s, t);
    if (takes(s, "margin="))
        return take_number(s, ",", seconds_units, LONGEST, &t->margin);
    if (takes(s, "nodes=")) {
        ok = take_count(s, MOST_NODES, &number);
        t->nodes = (int64_t)number;
        return ok;
    }
    if (takes(s, "depth=")) {
        ok = take_count(s, MOST_DEPTH, &number);
        t->depth = (int)number;
        return ok;
    }
    bool named = takes(s, "time=");
    if (!named && (*s)[strcspn(*s, "+,")] == '+')
        return take_clock(s, t);
    return take_number(s, ",", seconds_units, LONGEST, &t->move) && t->move > 0;
}

bool time_control_read(const char *text, TimeControl *time, Text *why) {
    TimeControl t = {.margin = -1};
    for (const char *s = text;; s++) {
        const char *part = s;
        if (!take_part(&s, &t) || (*s && *s != ','))
            return refuse(why, part, strcspn(part, ","));
        if (!*s)
            break;
    }
    if (t.margin < 0)
        t.margin = t.move > 0 || t.game > 0 ? USUAL_MARGIN : 0;
    *time = t;
    return true;
}

bool time_control_limits(const TimeControl *t) {
    return t->move > 0 || t->game > 0 || t->margin > 0 || t->nodes || t->depth;
}

// In plain decimals, which read back.
static void add_seconds(Text *out, const char *name, double seconds) {
    char digits[48];
    int n = snprintf(digits, sizeof digits, "%.6f", seconds);
    while (n > 0 && digits[n - 1] == '0')
        n--;
    n -= n > 0 && digits[n - 1] == '.';
    text_f(out, "%s%.*ss", name, n, digits);
}

void time_control_text(const TimeControl *t, Text *out) {
    const char *comma = "";
    if (t->move > 0) {
        add_seconds(out, "time=", t->move);
        comma = ",";
    }
    if (t->game > 0) {
        text_add(out, comma);
        add_seconds(out, "clock=", t->game);
        if (t->increment > 0)
            add_seconds(out, "+", t->increment);
        comma = ",";
    }
    if (t->margin > 0 || comma[0]) {
        text_add(out, comma);
        add_seconds(out, "margin=", t->margin);
        comma = ",";
    }
    if (t->nodes) {
        text_f(out, "%snodes=%lld", comma, (long long)t->nodes);
        comma = ",";
    }
    if (t->depth)
        text_f(out, "%sdepth=%d", comma, t->depth);
}

// --- SPRT ---

bool sprt_read(const char *text, Sprt *sprt, Text *why) {
    double number[4] = {0, 0, 0.05, 0.05};
    int n = 0;
    const char *s = text;
    while (n < 4) {
        char *end;
        size_t length = strspn(s, "+-0123456789.");
        double value = strtod(s, &end);
        if (length == 0 || end != s + length || !isfinite(value))
            break;
        number[n++] = value;
        s = end;
        if (*s != ',')
            break;
        s++;
    }
    bool ok = !*s && n >= 2 && n != 3 && s > text && s[-1] != ',' && number[0] < number[1] &&
              fabs(number[0]) <= 1000 && fabs(number[1]) <= 1000;
    for (int i = 2; i < 4; i++)
        ok = ok && number[i] > 0 && number[i] < 0.5;
    if (!ok) {
        text_f(why,
               "`%s` is no test: it is `0,10`, two differences in Elo, the smaller first, perhaps "
               "with the errors allowed, `0,10,0.05,0.05`",
               text);
        return false;
    }
    *sprt = (Sprt){true, number[0], number[1], number[2], number[3]};
    return true;
}
