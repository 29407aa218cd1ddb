// clips_engine: CLIPS with a rules file, made ready, run and thrown away; see clips.h.
#include "knowledge/clips_parts.h"

#include <stdarg.h>
#include <string.h>

// --- what CLIPS says ---

bool clips_fail(Clips *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_clear(&c->errors);
    text_vf(&c->errors, format, args);
    va_end(args);
    c->failed = true;
    return false;
}

static int is_ours(void *env, const char *name) {
    static const char *const all[] = {"stdin",   "stdout",   "t",        "nil",    "wprompt",
                                      "wdialog", "wdisplay", "wwarning", "werror", "wtrace"};
    (void)env;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i]) == 0)
            return TRUE;
    return FALSE;
}

static int print(void *env, const char *name, const char *text) {
    Clips *c = GetEnvironmentRouterContext(env);
    Text *to = strcmp(name, "werror") == 0 ? &c->errors : &c->printed;
    bool shown = to == &c->errors || strcmp(name, "stdout") == 0;
    size_t n = strlen(text);
    if (shown && to->n < CLIPS_PRINTED)
        text_add_n(to, text, n < CLIPS_PRINTED - to->n ? n : CLIPS_PRINTED - to->n);
    clips_heap_look();
    return TRUE;
}

static int get_nothing(void *env, const char *name) {
    (void)env, (void)name;
    return EOF;
}

static int unget_nothing(void *env, int c, const char *name) {
    (void)env, (void)name;
    return c;
}

// "[EXPRNPSR3] Missing function declaration for foo." on one line, without the source that CLIPS
// prints behind ERROR.
static void one_line(const char *text, Text *out) {
    bool blank = false;
    for (const char *s = text; *s; s++) {
        if (strncmp(s, "\nERROR:", 7) == 0)
            break;
        if ((unsigned char)*s <= ' ') {
            blank = true;
            continue;
        }
        if (blank && out->n)
            text_char(out, ' ');
        blank = false;
        text_char(out, *s);
    }
}

// The line from its first character to its last.
static Span line_span(const Source *source, long line) {
    const char *s = source->text, *end;
    Span span = {.line = (int)line, .column = 1, .length = 1};
    for (long i = 1; i < line && s; i++) {
        s = strchr(s, '\n');
        s = s ? s + 1 : NULL;
    }
    if (!s)
        return span;
    size_t blanks = strspn(s, " \t");
    end = strchr(s, '\n');
    size_t n = end ? (size_t)(end - s) : strlen(s);
    while (n > blanks && (unsigned char)s[n - 1] <= ' ')
        n--;
    if (n > blanks) {
        span.column = (int)blanks + 1;
        span.length = (int)(n - blanks);
    }
    return span;
}

static void report(void *env, const char *file, const char *warning, const char *error, long line) {
    Clips *c = GetEnvironmentContext(env);
    Text *text = &c->word;
    (void)file;
    text_clear(text);
    one_line(error ? error : warning, text);
    if (!c->diags || !text->n)
        return;
    if (error)
        diag_error(c->diags, line_span(&c->k->source, line), "%s", text_c(text));
    else if (strstr(text_c(text), "defrule")) // others may be meant: functions are declared so
        diag_warn(c->diags, line_span(&c->k->source, line), "%s", text_c(text));
}

// --- reading the file ---

// What the reader of CLIPS cannot bear. Strings and comments are left out.
static bool is_readable(const Source *source, Diags *diags) {
    int depth = 0, line = 1;
    if (strlen(source->text) != source->size) {
        diag_error(diags, (Span){0}, "`%s` is not a text", source->name);
        return false;
    }
    for (const char *s = source->text, *begin = s; *s; s++) {
        if (*s == ';') {
            s += strcspn(s, "\n\r") - 1;
        } else if (*s == '"') {
            for (s++; *s && *s != '"'; s++) {
                line += *s == '\n';
                begin = *s == '\n' ? s + 1 : begin;
                s += *s == '\\' && s[1];
            }
            if (!*s)
                break;
        } else if (*s == '\n') {
            line++;
            begin = s + 1;
        } else if (*s == ')') {
            depth -= depth > 0;
        } else if (*s == '(' && ++depth > CLIPS_DEPTH) {
            diag_error(diags, (Span){line, (int)(s - begin) + 1, 1},
                       "more than %d parentheses inside one another", CLIPS_DEPTH);
            return false;
        }
    }
    return true;
}

static void open_file(void *with) {
    Clips *c = with;
    static char name[] = "rules";
    void *env = CreateEnvironment();
    SetEnvironmentContext(env, c);
    EnvAddRouterWithContext(env, "ludens", 30, is_ours, print, get_nothing, unget_nothing, NULL, c);
    EnvSetParserErrorCallback(env, report);
    SetPrintWhileLoading(env, TRUE);
    ConstructData(env)->WatchCompilations = TRUE; // warns of rules with the same name
    clips_restrict(env);
    clips_limit(c, env);
    clips_declare(c, env);
    OpenStringSource(env, name, c->k->source.text, 0);
    EnvSetParsingFileName(env, name);
    bool ok = LoadConstructsFromLogicalName(env, name);
    EnvSetParsingFileName(env, NULL);
    CloseStringSource(env, name);
    c->env = env;
    EnvSetCurrentModule(env, EnvFindDefmodule(env, "MAIN"));
    c->failed = !ok || !clips_find_templates(c);
}

static void throw_away(Clips *c) {
    clips_heap_free(&c->heap);
    c->env = NULL;
}

static bool open_guarded(Clips *c, Diags *diags) {
    c->diags = diags;
    c->failed = false;
    text_clear(&c->errors);
    bool ok = is_readable(&c->k->source, diags);
    int errors = diags->errors;
    if (ok && !clips_heap_run(&c->heap, open_file, c)) {
        ok = false;
        diag_error(diags, (Span){0}, "%s", c->heap.why ? c->heap.why : "out of memory");
    } else if (ok && c->failed) {
        ok = false;
        if (diags->errors == errors) {
            text_clear(&c->word);
            one_line(text_c(&c->errors), &c->word);
            diag_error(diags, (Span){0}, "%s", c->word.n ? text_c(&c->word) : "CLIPS gave up");
        }
    }
    c->diags = NULL;
    if (!ok)
        throw_away(c);
    return ok;
}

bool clips_read(Clips *c, Diags *diags) {
    return c->env || open_guarded(c, diags);
}

// --- running ---

static void run(void *with) {
    Clips *c = with;
    void *env = c->env;
    c->worths = 0;
    EnvReset(env);
    clips_assert_position(c);
    long long given = FactData(env)->NextFactIndex;
    long long fired = EnvRun(env, CLIPS_FIRINGS);
    if (c->errors.n) {
        c->failed = true;
    } else if (fired >= CLIPS_FIRINGS) {
        clips_fail(c, "more than %d rules fire in this position", CLIPS_FIRINGS);
    } else {
        clips_gather(c, given);
    }
}

static bool run_guarded(Clips *c, Text *why) {
    c->failed = false;
    text_clear(&c->errors);
    text_clear(&c->printed);
    arena_free(&c->arena);
    c->arena.recovery = &c->heap.stop;
    bool done = clips_heap_run(&c->heap, run, c);
    if (done && !c->failed)
        return true;
    if (done)
        one_line(text_c(&c->errors), why);
    else
        text_add(why, c->heap.why ? c->heap.why : "out of memory");
    throw_away(c); // whatever state it is in, the next position finds a new one
    return false;
}

const ClipsFound *clips_run(Clips *c, const uint8_t *state, int me, const uint64_t *const *facts,
                            ClipsDetail detail, Text *why) {
    Diags diags = {.source = &c->k->source};
    c->state = state;
    c->me = me;
    c->facts = facts;
    c->detail = detail;
    bool ok = clips_read(c, &diags);
    if (!ok)
        text_add(why, diags.count ? diags.items[0].message : "out of memory");
    diag_free(&diags);
    return ok && run_guarded(c, why) ? &c->found : NULL;
}

// --- life ---

Clips *clips_new(const Knowledge *k) {
    Clips *c = mem_alloc(sizeof *c);
    if (!c)
        return NULL;
    *c = (Clips){.k = k};
    c->own = mem_alloc(sizeof *c->own * (size_t)(k->what->relations + 1));
    arena_init(&c->arena, NULL);
    if (c->own)
        return c;
    mem_free(c);
    return NULL;
}

void clips_free_all(Clips *c) {
    if (!c)
        return;
    clips_heap_free(&c->heap);
    arena_free(&c->arena);
    text_free(&c->errors);
    text_free(&c->printed);
    text_free(&c->word);
    mem_free(c->own);
    mem_free(c);
}
