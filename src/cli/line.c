// line: see line.h for the contract.
#include "cli/line.h"

#include "base/mem.h"
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LUDENS_HAVE_LIBEDIT
#include <histedit.h>
#include <locale.h>
#endif

struct Line {
    bool terminal;
    LineComplete *complete;
    void *context;
    char *buffer; // of getline
    size_t size;
    const char *prompt;
#ifdef LUDENS_HAVE_LIBEDIT
    Text text; // the line read last
    EditLine *edit;
    History *history;
#endif
};

static void cut_end(char *s) {
    size_t n = strlen(s);
    while (n > 0 && (s[n - 1] == '\n' || s[n - 1] == '\r'))
        s[--n] = '\0';
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

static void edit_open(Line *line) {
    setlocale(LC_CTYPE, ""); // letters beyond ASCII; numbers keep their point
    line->edit = el_init("ludens", stdin, stdout, stderr);
    line->history = history_init();
    if (!line->edit)
        return;
    HistEvent event;
    el_set(line->edit, EL_CLIENTDATA, line);
    el_set(line->edit, EL_PROMPT, prompt_of);
    el_set(line->edit, EL_EDITOR, "emacs");
    el_set(line->edit, EL_ADDFN, "complete", "complete a move or a command", complete);
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
    text_free(&line->text);
}

static const char *edit_read(Line *line) {
    int n = 0;
    const char *s = el_gets(line->edit, &n);
    if (!s || n <= 0 || cli_interrupted())
        return NULL;
    HistEvent event;
    if (line->history && n > 1)
        history(line->history, &event, H_ENTER, s);
    text_clear(&line->text);
    text_add(&line->text, s);
    if (line->text.s)
        cut_end(line->text.s);
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
    free(line->buffer);
    mem_free(line);
}

const char *line_read(Line *line, const char *prompt) {
    line->prompt = prompt;
    fflush(stdout);
    if (edit_ready(line))
        return edit_read(line);
    if (line->terminal) {
        fputs(prompt, stdout);
        fflush(stdout);
    }
    if (cli_interrupted() || getline(&line->buffer, &line->size, stdin) < 0 || cli_interrupted())
        return NULL;
    cut_end(line->buffer);
    return line->buffer;
}
