// bot: see bot.h.
#include "base/now.h"
#include "match/bot_parts.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOG_COLUMNS 160 // bytes of a line that are kept
#define SAY_SECONDS 5   // that a full pipe may take

const BotPatience bot_patience = {.hello = 20, .ready = 30, .grace = 1, .longest = 600};

// --- the log ---

static void note(Bot *b, char mark, const char *line) {
    Text *t = &b->log[b->logged++ % BOT_LOG_LINES];
    size_t n = strlen(line);
    text_clear(t);
    text_f(t, "%c ", mark);
    text_visible(t, line, n < LOG_COLUMNS ? n : LOG_COLUMNS);
    text_add(t, n > LOG_COLUMNS ? " ..." : "");
}

void bot_log(const Bot *b, Text *out) {
    int first = b->logged > BOT_LOG_LINES ? b->logged - BOT_LOG_LINES : 0;
    for (int i = first; i < b->logged; i++)
        text_f(out, "%s\n", text_c(&b->log[i % BOT_LOG_LINES]));
    if (b->ended.n)
        text_f(out, "the bot %s\n", text_c(&b->ended));
    if (b->errors.n)
        text_f(out, "standard error:\n%s%s", text_c(&b->errors),
               b->errors.s[b->errors.n - 1] == '\n' ? "" : "\n");
}

static void keep_errors(Bot *b) {
    text_clear(&b->errors);
    for (const char *s = process_errors(b->process); *s;) {
        size_t n = strcspn(s, "\n");
        text_visible(&b->errors, s, n);
        text_char(&b->errors, '\n');
        s += n + (s[n] == '\n');
    }
}

// --- failing ---

static void end_process(Bot *b) {
    if (b->process)
        keep_errors(b);
    process_free(b->process);
    b->process = NULL;
}

bool bot_fail(Bot *b, Ending ending, const char *format, ...) {
    if (b->failed == END_RULES) {
        va_list args;
        va_start(args, format);
        text_clear(&b->why);
        text_vf(&b->why, format, args);
        va_end(args);
        b->failed = ending;
    }
    end_process(b);
    return false;
}

// Its output has ended, or it does not read: what became of it.
static bool fail_ended(Bot *b) {
    text_clear(&b->ended);
    bool limit = process_ending(b->process, &b->ended);
    return bot_fail(b, limit ? END_LIMIT : END_CRASH, "%s", text_c(&b->ended));
}

Ending bot_failed(const Bot *b, const char **why) {
    if (why)
        *why = text_c(&b->why);
    return b->failed;
}

const char *bot_name(const Bot *b) {
    return text_c(&b->name);
}

bool bot_running(const Bot *b) {
    return b->process != NULL;
}

// --- lines ---

bool bot_say(Bot *b, const char *line) {
    if (!b->process)
        return false;
    note(b, '>', line);
    return process_say(b->process, line, now_seconds() + SAY_SECONDS) || fail_ended(b);
}

// Anything is text but control characters.
static bool is_text(const Text *line) {
    for (size_t i = 0; i < line->n; i++) {
        unsigned char c = (unsigned char)line->s[i];
        if ((c < 32 && c != '\t') || c == 127)
            return false;
    }
    return true;
}

bool bot_hear(Bot *b, double deadline, const atomic_bool *stop, Text *line) {
    if (!b->process)
        return false;
    Heard heard = process_hear(b->process, deadline, stop, line);
    switch (heard) {
    case HEARD_LINE: break;
    case HEARD_NOTHING: return false;
    case HEARD_STOPPED: return bot_fail(b, END_STOPPED, "stopped");
    case HEARD_END: return fail_ended(b);
    case HEARD_TOO_LONG:
    case HEARD_FLOOD:
    case HEARD_LIMIT: return bot_fail(b, END_LIMIT, "%s", text_c(line));
    }
    while (line->n > 0 && strchr("\r \t", line->s[line->n - 1]) && line->s[line->n - 1])
        line->s[--line->n] = '\0';
    note(b, '<', text_c(line));
    return is_text(line) || bot_fail(b, END_NONSENSE, "a line that is no text");
}

bool bot_wait_for(Bot *b, const char *word, double seconds) {
    double deadline = now_seconds() + seconds;
    Text line = {0};
    bool found = false;
    while (!found && bot_hear(b, deadline, b->stop, &line)) {
        size_t n;
        const char *first = protocol_word(text_c(&line), &n);
        found = protocol_is(first, n, word);
        if (!found && protocol_is(first, n, "bestmove"))
            bot_fail(b, END_NONSENSE, "`bestmove` when nobody had said `go`");
    }
    text_free(&line);
    return found || bot_fail(b, END_SILENCE, "no `%s` within %g s", word, seconds);
}

// --- the beginning ---

// `option name Game type string ...`, `id name ...`
static void take_introduction(Bot *b, const char *line) {
    size_t n;
    const char *s = protocol_word(line, &n);
    bool option = protocol_is(s, n, "option"), id = protocol_is(s, n, "id");
    const char *name = protocol_word(s + n, &n);
    if (!protocol_is(name, n, "name"))
        return;
    const char *value = protocol_word(name + n, &n);
    if (option)
        text_f(&b->options, " %.*s ", (int)n, value);
    else if (id && !b->name.n)
        text_visible(&b->name, value, strnlen(value, LOG_COLUMNS));
}

bool bot_has_option(const Bot *b, const char *name) {
    Text wanted = {0};
    text_f(&wanted, " %s ", name);
    bool has = strstr(text_c(&b->options), text_c(&wanted)) != NULL;
    text_free(&wanted);
    return has;
}

static bool shake_hands(Bot *b) {
    double deadline = now_seconds() + b->patience.hello;
    Text line = {0};
    bool done = false, spoke = false;
    text_clear(&b->name);
    text_clear(&b->options);
    bool ok = bot_say(b, "ugi");
    while (ok && !done && bot_hear(b, deadline, b->stop, &line)) {
        size_t n;
        const char *word = protocol_word(text_c(&line), &n);
        spoke = spoke || n > 0;
        done = protocol_is(word, n, "ugiok");
        if (protocol_is(word, n, "uciok"))
            bot_fail(b, END_NONSENSE, "says `uciok`: this is the protocol of chess programs");
        else if (protocol_is(word, n, "bestmove"))
            bot_fail(b, END_NONSENSE, "`bestmove` when nobody had said `go`");
        else
            take_introduction(b, text_c(&line));
    }
    text_free(&line);
    if (done)
        return true;
    if (spoke)
        return bot_fail(b, END_NONSENSE, "it speaks, but never says `ugiok`");
    return bot_fail(b, END_SILENCE, "no answer to `ugi` within %g s", b->patience.hello);
}

static bool start(Bot *b) {
    const char *needed[COMMAND_WORDS + 4];
    char self[PATH_MAX];
    int n = 0;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = '\0';
        needed[n++] = self;
    }
    for (int i = 0; b->command.files[i]; i++)
        needed[n++] = b->command.files[i];
    if (text_c(&b->game_text)[0] == '/')
        needed[n++] = text_c(&b->game_text);
    needed[n] = NULL;
    ProcessSetup setup = {.command = b->command.word,
                          .folder = b->command.folder,
                          .rules = text_c(&b->rules),
                          .needed = needed};
    Text why = {0};
    b->process = process_start(&setup, &why);
    bool ok = b->process || bot_fail(b, END_CRASH, "%s", text_c(&why));
    text_free(&why);
    return ok && shake_hands(b);
}

static bool set_option(Bot *b, const char *name, const char *value) {
    Text line = {0};
    text_f(&line, "setoption name %s value %s", name, value);
    bool ok = !bot_has_option(b, name) || bot_say(b, text_c(&line));
    text_free(&line);
    return ok;
}

bool bot_begin(Bot *b, uint64_t seed, const atomic_bool *stop) {
    b->stop = stop;
    bool fresh = !b->process || b->failed != END_RULES;
    if (fresh) {
        end_process(b);
        b->failed = END_RULES;
        b->logged = 0;
        text_clear(&b->ended);
        text_clear(&b->errors);
    }
    char number[32];
    snprintf(number, sizeof number, "%llu", (unsigned long long)(seed & 0x1fffffffffffff));
    bool ok = !fresh || start(b);
    ok = ok && (!fresh || set_option(b, "Game", text_c(&b->game_text)));
    ok = ok && set_option(b, "Seed", number);
    ok = ok && bot_say(b, "uginewgame") && bot_say(b, "isready");
    ok = ok && bot_wait_for(b, "readyok", b->patience.ready);
    b->stop = NULL;
    return ok;
}

// --- making ---

// How the bot starts the rules server, for a shell.
static void make_rules(Bot *b) {
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    command_quote(n > 0 ? self : "ludens", &b->rules);
    text_add(&b->rules, " serve-rules");
    const char *game = text_c(&b->game_text), *params = strstr(game, "=");
    Text name = {0}; // up to the first parameter: a path may have blanks
    while (params && params > game && *params != ' ')
        params--;
    text_add_n(&name, game, params ? (size_t)(params - game) : strlen(game));
    text_char(&b->rules, ' ');
    command_quote(text_c(&name), &b->rules);
    text_add(&b->rules, params ? params : "");
    text_free(&name);
}

Bot *bot_new(const Game *game, const char *command, const BotPatience *patience, Text *why) {
    Bot *b = mem_alloc(sizeof *b);
    if (!b) {
        text_add(why, "out of memory");
        return NULL;
    }
    b->game = game;
    b->patience = *patience;
    b->runner = runner_new(game);
    bool ok = command_read(command, &b->command, why);
    protocol_game(game, &b->game_text);
    make_rules(b);
    if (ok && (!b->runner || b->rules.failed)) {
        text_add(why, "out of memory");
        ok = false;
    }
    if (ok)
        return b;
    bot_free(b);
    return NULL;
}

void bot_quit(Bot *b, double seconds) {
    Text line = {0};
    double deadline = now_seconds() + seconds;
    if (b->process && process_say(b->process, "quit", deadline))
        while (process_hear(b->process, deadline, NULL, &line) == HEARD_LINE &&
               now_seconds() < deadline)
            ;
    text_free(&line);
    end_process(b);
}

bool bot_check_program(const Bot *b, Text *why) {
    return process_find(b->command.word, why);
}

void bot_free(Bot *b) {
    if (!b)
        return;
    end_process(b);
    runner_free(b->runner);
    command_free(&b->command);
    Text *all[] = {&b->game_text, &b->rules, &b->name, &b->options, &b->why, &b->ended, &b->errors};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        text_free(all[i]);
    for (int i = 0; i < BOT_LOG_LINES; i++)
        text_free(&b->log[i]);
    mem_free(b);
}
