// workshop: rules that are being written: compiled as one types, laid out, saved.
#include "server/insight.h"
#include "server/parts.h"
#include "server/rules_text.h"

#include "base/mem.h"
#include "game/movetext.h"
#include "lang/format.h"

#include <string.h>

#define MOVES_SHOWN 200

// --- messages with their places ---

// How many units of 16 bits, as browsers count them, the bytes are.
static int units_of(const char *s, int bytes) {
    int n = 0;
    for (int i = 0; i < bytes && s[i];) {
        int length = text_utf8(s + i, (size_t)(bytes - i));
        n += length == 4 ? 2 : 1;
        i += length ? length : 1;
    }
    return n;
}

static const char *line_of(const char *text, int line) {
    for (; text && line > 1; line--) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

static void add_text(const char *name, const char *text, Text *out) {
    text_f(out, ",\"%s\":", name);
    if (text)
        text_json(out, text);
    else
        text_add(out, "null");
}

static void add_diags(const Diags *d, const char *text, Text *out) {
    text_add(out, "\"diagnostics\":[");
    for (int i = 0; i < d->count; i++) {
        const Diag *item = &d->items[i];
        Span at = item->span;
        const char *line = at.line > 0 ? line_of(text, at.line) : NULL;
        int column = line ? units_of(line, at.column - 1) + 1 : at.column;
        int length = line ? units_of(line, at.column - 1 + at.length) + 1 - column : at.length;
        text_f(out, "%s{\"severity\":\"%s\",\"line\":%d,\"column\":%d,\"length\":%d", i ? "," : "",
               item->severity == SEV_ERROR ? "error" : "warning", at.line, column, length);
        add_text("message", item->message, out);
        add_text("help", item->help, out);
        text_char(out, '}');
    }
    text_char(out, ']');
}

// --- compile ---

typedef struct Compile {
    int64_t id;
    Rules rules;
    bool done;
    Text out;
} Compile;

// Rules that fail in their first position have a mistake, too: it is added to `diags`.
static void add_moves(Runner *r, const uint8_t *start, Diags *diags, Text *out) {
    const Move *moves;
    int n = runner_moves(r, start, &moves);
    int shown = n < MOVES_SHOWN ? n : MOVES_SHOWN;
    Move own[MOVES_SHOWN];
    if (shown > 0)
        memcpy(own, moves, sizeof *own * (size_t)shown); // a text may need the runner's list
    Text text = {0};
    text_add(out, ",\"moves\":[");
    for (int i = 0; i < shown; i++) {
        text_clear(&text);
        move_text(r, start, own[i], &text);
        text_add(out, i ? "," : "");
        text_json(out, text_c(&text));
    }
    text_f(out, "],\"count\":%d", n);
    if (n < 0) {
        Span at;
        const char *reason = runner_reason(r, &at);
        diag_error(diags, at, "%s", reason);
        add_text("problem", runner_error(r), out);
    }
    text_free(&text);
}

static void run_compile(Task *task, void *with) {
    Compile *c = with;
    Diags diags = {0};
    (void)task;
    bool ok = rules_compile(&c->rules, &diags);
    Runner *r = ok ? runner_new(c->rules.game) : NULL;
    if (r) {
        const Game *g = c->rules.game;
        text_add(&c->out, "\"game\":");
        describe_game(g, &c->out);
        text_add(&c->out, ",\"position\":");
        describe_position(r, g->start, &c->out);
        add_moves(r, g->start, &diags, &c->out);
    } else {
        text_add(&c->out, "\"game\":null,\"position\":null,\"moves\":[],\"count\":0");
    }
    text_char(&c->out, ',');
    add_diags(&diags, c->rules.text, &c->out);
    diag_free(&diags);
    runner_free(r);
    c->done = true;
}

static void free_compile(Hub *hub, Compile *c) {
    rules_free(hub, &c->rules);
    text_free(&c->out);
    mem_free(c);
}

static void end_compile(Hub *hub, Task *task, void *with) {
    Compile *c = with;
    Client *client = task_client(task);
    if (client && c->done && !c->out.failed)
        client_reply(client, c->id, text_c(&c->out));
    else if (client)
        client_error(client, c->id, "failed", NULL, "the rules could not be compiled");
    free_compile(hub, c);
}

static void begin(Hub *hub, Client *client, const cJSON *in, int64_t id,
                  void (*run)(Task *task, void *with),
                  void (*end)(Hub *hub, Task *task, void *with)) {
    Compile *c = mem_alloc(sizeof *c);
    if (!c) {
        client_error(client, id, "failed", NULL, "out of memory");
        return;
    }
    c->id = id;
    if (rules_read(&c->rules, client, in, id)) {
        if (task_begin(hub_think(hub), client, TASK_QUICK, run, end, c)) {
            client_later(client, id);
            return;
        }
        client_error(client, id, "busy", NULL, "too much is going on already");
    }
    free_compile(hub, c);
}

void hub_do_compile(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    begin(hub, client, in, id, run_compile, end_compile);
}

// --- format ---

static void run_format(Task *task, void *with) {
    Compile *c = with;
    const char *text = c->rules.text;
    Source source = {"rules.game", text, strlen(text)};
    Diags diags = {.source = &source};
    Text formatted = {0};
    (void)task;
    c->done = format_file(&source, &diags, &formatted) && !formatted.failed;
    if (c->done) {
        text_add(&c->out, "\"text\":");
        text_json(&c->out, text_c(&formatted));
    } else {
        add_diags(&diags, text, &c->out);
    }
    text_free(&formatted);
    diag_free(&diags);
}

static void end_format(Hub *hub, Task *task, void *with) {
    Compile *c = with;
    Client *client = task_client(task);
    if (client && c->done && !c->out.failed)
        client_reply(client, c->id, text_c(&c->out));
    else if (client)
        client_error(client, c->id, "illegal", c->out.n && !c->out.failed ? text_c(&c->out) : NULL,
                     "a file with mistakes is not laid out");
    free_compile(hub, c);
}

void hub_do_format(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    const char *text;
    if (in_text(client, id, in, "text", &text))
        begin(hub, client, in, id, run_format, end_format);
}

// --- the part: nothing is kept ---

bool workshop_begin(Hub *hub, Text *why) {
    (void)hub, (void)why;
    return true;
}

void workshop_end(Hub *hub) {
    (void)hub;
}

int workshop_tick(Hub *hub, double now) {
    (void)hub, (void)now;
    return -1;
}

void workshop_leave(Hub *hub, Client *c) {
    (void)hub, (void)c;
}
