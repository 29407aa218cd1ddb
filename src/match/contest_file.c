// contest_file: see contest_file.h.
#include "match/contest_file.h"

#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    Contest *c;
    Diags *diags;
    TimeControl time; // of those that have no other
    const char *line; // the current one
    size_t length;    //   without a comment and blanks at its end
    int number;
    size_t at;       // where the value begins
    unsigned seen;   // keys that may come once
    bool in_entrant; // an entrant was the last thing that was not indented
    bool ok_entrant; //   and it was taken
    bool timed_already;
    bool ended; // this is another kind of file: nothing more is said
} Reader;

static Span span_of(const Reader *r, size_t at, size_t n) {
    return (Span){r->number, (int)at + 1, n ? (int)n : 1};
}

static Span value_span(const Reader *r) {
    size_t at = r->at < r->length ? r->at : r->length;
    return span_of(r, at, r->length - at);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// --- values ---

// The value as a C string; freed by the caller.
static Text value_text(const Reader *r) {
    Text t = {0};
    if (r->at < r->length)
        text_add_n(&t, r->line + r->at, r->length - r->at);
    return t;
}

static void read_number(Reader *r, const char *key, int64_t low, int64_t high, int64_t *value) {
    Text t = value_text(r);
    const char *s = text_c(&t);
    size_t n = strspn(s, "0123456789");
    uint64_t number = 0;
    bool ok = n > 0 && n < 20 && !s[n];
    for (size_t i = 0; ok && i < n; i++) {
        ok = number <= (UINT64_MAX - 9) / 10;
        number = number * 10 + (uint64_t)(s[i] - '0');
    }
    if (ok && number <= (uint64_t)INT64_MAX && (int64_t)number >= low && (int64_t)number <= high)
        *value = (int64_t)number;
    else
        diag_error(r->diags, value_span(r), "`%s` is a number from %lld to %lld", key,
                   (long long)low, (long long)high);
    text_free(&t);
}

static void read_int(Reader *r, const char *key, int low, int high, int *value) {
    int64_t number = *value;
    read_number(r, key, low, high, &number);
    *value = (int)number;
}

static void read_title(Reader *r) {
    Text t = value_text(r), why = {0};
    if (!contest_set_title(r->c, text_c(&t), &why))
        diag_error(r->diags, value_span(r), "%s", text_c(&why));
    text_free(&why);
    text_free(&t);
}

static void read_kind(Reader *r) {
    static const char *const words[] = {"match", "round-robin", "gauntlet", "knockout", "swiss"};
    Text t = value_text(r);
    if (!contest_kind_read(text_c(&t), &r->c->kind)) {
        const char *near = text_nearest(text_c(&t), words, 5);
        diag_error(r->diags, value_span(r), "there is no kind `%s`", text_c(&t));
        if (near)
            diag_help(r->diags, "did you mean `%s`?", near);
        else
            diag_help(r->diags, "match, round-robin, gauntlet, knockout or swiss");
    }
    text_free(&t);
}

static void read_swap(Reader *r) {
    Text t = value_text(r);
    bool yes = strcmp(text_c(&t), "yes") == 0;
    if (yes || strcmp(text_c(&t), "no") == 0)
        r->c->swap = yes;
    else
        diag_error(r->diags, value_span(r), "`swap` is yes or no");
    text_free(&t);
}

static void read_time(Reader *r, TimeControl *time) {
    Text t = value_text(r), why = {0};
    if (!time_control_read(text_c(&t), time, &why))
        diag_error(r->diags, value_span(r), "%s", text_c(&why));
    text_free(&why);
    text_free(&t);
}

static void read_sprt(Reader *r) {
    Text t = value_text(r), why = {0};
    if (!sprt_read(text_c(&t), &r->c->sprt, &why))
        diag_error(r->diags, value_span(r), "%s", text_c(&why));
    text_free(&why);
    text_free(&t);
}

// --- games and entrants ---

static void read_game(Reader *r) {
    const char *params[CONTEST_PARAMS + 1];
    Text word[CONTEST_PARAMS + 2] = {0}, why = {0};
    int n = 0;
    for (size_t at = r->at; at < r->length && n < CONTEST_PARAMS + 2; n++) {
        size_t length = 0;
        while (at + length < r->length && !is_blank(r->line[at + length]))
            length++;
        text_add_n(&word[n], r->line + at, length);
        for (at += length; at < r->length && is_blank(r->line[at]);)
            at++;
        if (n > 0)
            params[n - 1] = text_c(&word[n]);
        if (n > 0 && !strchr(params[n - 1], '='))
            diag_error(r->diags, value_span(r), "`%s` is no parameter: one is NAME=VALUE",
                       params[n - 1]);
    }
    if (!contest_add_game(r->c, text_c(&word[0]), params, n - 1, &why))
        diag_error(r->diags, value_span(r), "%s", text_c(&why));
    for (int i = 0; i < n; i++)
        text_free(&word[i]);
    text_free(&why);
}

// `NAME = TEXT`, or a text that is its own name.
static void read_entrant(Reader *r) {
    Text t = value_text(r), name = {0}, why = {0};
    const char *s = text_c(&t), *sign = strstr(s, " = ");
    const char *text = sign ? sign + 3 : s;
    if (sign) {
        size_t n = (size_t)(sign - s);
        while (n > 0 && is_blank(s[n - 1]))
            n--;
        text_add_n(&name, s, n);
    }
    text += strspn(text, " \t");
    if (!sign && t.n >= 2 && strcmp(s + t.n - 2, " =") == 0)
        text_add(&why, "behind `=` comes a player, or `bot:COMMAND`");
    r->ok_entrant = !why.n && contest_add_entrant(r->c, sign ? text_c(&name) : NULL, text, &why);
    if (!r->ok_entrant)
        diag_error(r->diags, value_span(r), "%s", text_c(&why));
    r->in_entrant = true;
    r->timed_already = false;
    text_free(&why);
    text_free(&name);
    text_free(&t);
}

// --- lines ---

typedef enum Key {
    KEY_TITLE,
    KEY_KIND,
    KEY_SEED,
    KEY_EACH,
    KEY_ROUNDS,
    KEY_SWAP,
    KEY_OPENINGS,
    KEY_PLIES,
    KEY_TIME,
    KEY_SPRT,
    KEY_GAME,
    KEY_ENTRANT,
    KEYS
} Key;
static const char *const keys[KEYS] = {"title",    "kind",  "seed", "each", "rounds", "swap",
                                       "openings", "plies", "time", "sprt", "game",   "entrant"};

static void read_value(Reader *r, Key key) {
    Contest *c = r->c;
    int64_t number;
    switch (key) {
    case KEY_TITLE: read_title(r); break;
    case KEY_KIND: read_kind(r); break;
    case KEY_SEED:
        number = (int64_t)c->seed;
        read_number(r, "seed", 0, INT64_MAX, &number);
        c->seed = (uint64_t)number;
        break;
    case KEY_EACH: read_number(r, "each", 1, CONTEST_EACH, &c->each); break;
    case KEY_ROUNDS: read_int(r, "rounds", 1, CONTEST_ROUNDS, &c->rounds); break;
    case KEY_SWAP: read_swap(r); break;
    case KEY_OPENINGS: read_int(r, "openings", 0, CONTEST_OPENING_PLIES, &c->opening_plies); break;
    case KEY_PLIES: read_int(r, "plies", 1, CONTEST_MOST_PLIES, &c->plies); break;
    case KEY_TIME: read_time(r, &r->time); break;
    case KEY_SPRT: read_sprt(r); break;
    case KEY_GAME: read_game(r); break;
    case KEY_ENTRANT: read_entrant(r); break;
    case KEYS: break;
    }
}

static void read_indented(Reader *r, const char *word, size_t at, size_t n) {
    if (!r->in_entrant) {
        diag_error(r->diags, span_of(r, at, n), "only what belongs to an entrant is indented");
        diag_help(r->diags, "begin the line without blanks");
    } else if (strcmp(word, "time") != 0) {
        diag_error(r->diags, span_of(r, at, n), "an entrant has a `time` of its own, no `%s`",
                   word);
    } else if (r->timed_already) {
        diag_error(r->diags, span_of(r, at, n), "this entrant has a `time` already");
    } else {
        TimeControl time = {0};
        read_time(r, &time);
        r->timed_already = true;
        if (r->ok_entrant)
            r->c->entrant[r->c->entrants - 1].time = time;
    }
}

static void read_key(Reader *r, const char *word, size_t n) {
    r->in_entrant = false;
    for (int i = 0; i < KEYS; i++) {
        if (strcmp(word, keys[i]) != 0)
            continue;
        bool again = i < KEY_GAME && (r->seen >> i & 1);
        r->seen |= 1u << i;
        if (again)
            diag_error(r->diags, span_of(r, 0, n), "there is a line `%s` already", word);
        else if (r->at >= r->length)
            diag_error(r->diags, span_of(r, 0, n), "`%s` needs a value", word);
        else
            read_value(r, (Key)i);
        return;
    }
    const char *near = text_nearest(word, keys, KEYS);
    diag_error(r->diags, span_of(r, 0, n), "there is no `%s` in a tournament file", word);
    if (near)
        diag_help(r->diags, "did you mean `%s`?", near);
    else
        diag_help(r->diags, "a line begins with title, kind, game, entrant, each, rounds, "
                            "openings, swap, plies, time, seed or sprt");
}

// A comment begins with `#` at the beginning or behind a blank: a bot's file may have one in its
// name.
static size_t without_comment(const char *line, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (line[i] == '#' && (i == 0 || is_blank(line[i - 1])))
            n = i;
    while (n > 0 && (is_blank(line[n - 1]) || line[n - 1] == '\r'))
        n--;
    return n;
}

static const char header[] = "ludens tournament 1";

static void read_line(Reader *r, bool *headed) {
    size_t indent = 0, n = 0;
    while (indent < r->length && is_blank(r->line[indent]))
        indent++;
    if (indent == r->length)
        return;
    if (!*headed) {
        *headed = true;
        if (r->length != strlen(header) || strncmp(r->line, header, r->length) != 0) {
            diag_error(r->diags, span_of(r, 0, r->length),
                       "a tournament file begins with the line `%s`", header);
            r->ended = true;
        }
        return;
    }
    while (indent + n < r->length && !is_blank(r->line[indent + n]))
        n++;
    for (r->at = indent + n; r->at < r->length && is_blank(r->line[r->at]);)
        r->at++;
    Text word = {0};
    text_add_n(&word, r->line + indent, n);
    if (memchr(r->line, 0, r->length))
        diag_error(r->diags, span_of(r, 0, 1), "the line has a character that is none");
    else if (indent)
        read_indented(r, text_c(&word), indent, n);
    else
        read_key(r, text_c(&word), n);
    text_free(&word);
}

Contest *contest_read(const Source *source, Diags *diags) {
    Reader r = {.c = contest_new(), .diags = diags};
    if (!r.c) {
        diag_error(diags, (Span){0}, "out of memory");
        return NULL;
    }
    bool headed = false;
    const char *end = source->text + source->size;
    for (const char *line = source->text; line < end && !r.ended;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t n = (size_t)((stop ? stop : end) - line);
        r.line = line;
        r.length = without_comment(line, n);
        r.number++;
        read_line(&r, &headed);
        line += n + 1;
    }
    if (!headed)
        diag_error(diags, (Span){1, 1, 1}, "a tournament file begins with the line `%s`", header);
    Text why = {0};
    if (!diags->errors && !contest_finish(r.c, &r.time, &why))
        diag_error(diags, (Span){0}, "%s: %s", source->name, text_c(&why));
    text_free(&why);
    if (!diags->errors)
        return r.c;
    contest_free(r.c);
    return NULL;
}
