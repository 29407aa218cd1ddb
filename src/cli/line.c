// line: see line.h for the contract.
#include "cli/line.h"

#include "base/mem.h"
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef LUDENS_HAVE_LIBEDIT
#include <histedit.h>
#include <locale.h>
#include <wchar.h>
#endif

// A longer line is cut: no move and no file name needs it, and a pipe cannot exhaust memory.
#define LINE_MAX_BYTES ((size_t)1 << 16)

struct Line {
    bool terminal;
    LineComplete *complete;
    void *context;
    const char *prompt;
    Text text;         // the line read last
    char buffer[4096]; // what was read beyond it
    size_t start, end; //   and is still to be used
#ifdef LUDENS_HAVE_LIBEDIT
    EditLine *edit;
    History *history;
#endif
};

// More bytes into the empty buffer; false at the end of input or on Ctrl-C.
static bool fill(Line *line) {
    line->start = line->end = 0;
    fflush(stdout); // a program at the other end of a pipe waits for it
    if (!cli_wait_for_input(STDIN_FILENO))
        return false;
    ssize_t n = read(STDIN_FILENO, line->buffer, sizeof line->buffer);
    line->end = n > 0 ? (size_t)n : 0;
    return n > 0;
}

static bool next_byte(Line *line, char *c) {
    if (line->start == line->end && !fill(line))
        return false;
    *c = line->buffer[line->start++];
    return true;
}

// --- with libedit ---

#ifdef LUDENS_HAVE_LIBEDIT

// More candidates than this are not shown; one more letter narrows them down.
#define SHOWN_MAX 60

static Line *line_of(EditLine *edit) {
    void *line = NULL;
    el_get(edit, EL_CLIENTDATA, &line);
    return line;
}

static char *prompt_of(EditLine *edit) {
    return (char *)line_of(edit)->prompt;
}

// The number of candidates, and the bytes that all of them begin with.
static int common_start(const char *candidates, size_t *length) {
    int count = 0;
    *length = strcspn(candidates, "\n");
    for (const char *s = candidates; *s; count++) {
        size_t n = strcspn(s, "\n"), same = 0;
        while (same < n && same < *length && s[same] == candidates[same])
            same++;
        *length = same;
        s += n + (s[n] == '\n');
    }
    return count;
}

static void show_candidates(const char *candidates, int count) {
    putchar('\n');
    for (int i = 0; *candidates && i < SHOWN_MAX; i++) {
        size_t n = strcspn(candidates, "\n");
        printf("%.*s  ", (int)n, candidates);
        candidates += n + (candidates[n] == '\n');
    }
    puts(count > SHOWN_MAX ? "..." : "");
}

static unsigned char complete(EditLine *edit, int key) {
    (void)key;
    Line *line = line_of(edit);
    const LineInfo *info = el_line(edit);
    Text typed = {0}, candidates = {0};
    text_add_n(&typed, info->buffer, (size_t)(info->cursor - info->buffer));
    line->complete(line->context, text_c(&typed), &candidates);
    size_t length;
    int count = common_start(text_c(&candidates), &length);
    unsigned char answer = CC_ERROR;
    if (count > 0 && length > typed.n) {
        Text rest = {0};
        text_add_n(&rest, text_c(&candidates) + typed.n, length - typed.n);
        answer = el_insertstr(edit, text_c(&rest)) == 0 ? CC_REFRESH : CC_ERROR;
        text_free(&rest);
    } else if (count > 1) {
        show_candidates(text_c(&candidates), count);
        answer = CC_REDISPLAY;
    }
    text_free(&typed);
    text_free(&candidates);
    return answer;
}

// One character for libedit. Its own reading can miss a Ctrl-C that comes just before it waits.
static int next_char(EditLine *edit, wchar_t *out) {
    mbstate_t state = {0};
    char c;
    while (next_byte(line_of(edit), &c)) {
        size_t n = mbrtowc(out, &c, 1, &state);
        if (n != (size_t)-2)
            return n == (size_t)-1 ? -1 : 1;
    }
    return cli_interrupted() ? -1 : 0;
}

static void edit_open(Line *line) {
    setlocale(LC_CTYPE, ""); // letters beyond ASCII; numbers keep their point
    line->edit = el_init("ludens", stdin, stdout, stderr);
    line->history = history_init();
    if (!line->edit)
        return;
    HistEvent event;
    el_set(line->edit, EL_CLIENTDATA, line);
    el_set(line->edit, EL_PROMPT, prompt_of);
    el_set(line->edit, EL_GETCFN, next_char);
    el_set(line->edit, EL_EDITOR, "emacs");
    // The wide form keeps these texts; the other copies them and never frees the copies.
    el_wset(line->edit, EL_ADDFN, L"complete", L"complete a move or a command", complete);
    el_set(line->edit, EL_BIND, "^I", "complete", NULL);
    if (line->history) {
        history(line->history, &event, H_SETSIZE, 500);
        el_set(line->edit, EL_HIST, history, line->history);
    }
}

static void edit_close(Line *line) {
    if (line->history)
        history_end(line->history);
    if (line->edit)
        el_end(line->edit);
}

static const char *edit_read(Line *line) {
    int n = 0;
    el_set(line->edit, EL_PREP_TERM, 1); // before the prompt, so that no key comes too early
    const char *s = el_gets(line->edit, &n);
    if (!s || n <= 0 || cli_interrupted())
        return NULL;
    HistEvent event;
    if (line->history && n > 1)
        history(line->history, &event, H_ENTER, s);
    text_clear(&line->text);
    text_add_n(&line->text, s, strcspn(s, "\r\n"));
    return text_c(&line->text);
}

static bool edit_ready(const Line *line) {
    return line->edit;
}

#else

static void edit_open(Line *line) {
    (void)line;
}
static void edit_close(Line *line) {
    (void)line;
}
static const char *edit_read(Line *line) {
    (void)line;
    return NULL;
}
static bool edit_ready(const Line *line) {
    (void)line;
    return false;
}

#endif

// --- either way ---

Line *line_open(bool terminal, LineComplete *complete_with, void *context) {
    Line *line = mem_alloc(sizeof *line);
    if (!line)
        return NULL;
    line->terminal = terminal;
    line->complete = complete_with;
    line->context = context;
    if (terminal)
        edit_open(line);
    return line;
}

void line_close(Line *line) {
    if (!line)
        return;
    edit_close(line);
    text_free(&line->text);
    mem_free(line);
}

static const char *plain_read(Line *line) {
    text_clear(&line->text);
    char c;
    bool any = false;
    while (next_byte(line, &c)) {
        any = true;
        if (c == '\n')
            break;
        if (c != '\r' && c != '\0' && line->text.n < LINE_MAX_BYTES)
            text_char(&line->text, c);
    }
    return any && !cli_interrupted() ? text_c(&line->text) : NULL;
}

const char *line_read(Line *line, const char *prompt) {
    line->prompt = prompt;
    if (line->terminal && !edit_ready(line))
        fputs(prompt, stdout);
    fflush(stdout);
    return edit_ready(line) ? edit_read(line) : plain_read(line);
}
