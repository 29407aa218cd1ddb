// record_words: see record_words.h.
#include "match/record_words.h"

#include <stdio.h>
#include <string.h>

void record_words_begin(RecordWords *w, const char *record) {
    const char *moves = strstr(record, "\nmoves\n");
    *w = (RecordWords){.at = moves ? moves + strlen("\nmoves\n") : NULL, .line = true};
}

void record_words_end(RecordWords *w) {
    text_free(&w->word);
    w->at = NULL;
}

// A word; in quotes, with \ before quotes and backslashes, if there are blanks in it.
static void take_word(RecordWords *w) {
    const char *s = w->at;
    text_clear(&w->word);
    if (*s != '"') {
        size_t n = strcspn(s, " \n");
        text_add_n(&w->word, s, n);
        w->at = s + n;
        return;
    }
    for (s++; *s && *s != '"' && *s != '\n'; s++) {
        if (*s == '\\' && s[1] && s[1] != '\n')
            s++;
        text_char(&w->word, *s);
    }
    w->at = *s == '"' ? s + 1 : s;
}

// `12.`, and behind it `White:` if the record says who moves.
static void take_head(RecordWords *w) {
    size_t n = strspn(w->at, "0123456789");
    if (n == 0 || w->at[n] != '.')
        return;
    w->at += n + 1;
    w->at += strspn(w->at, " ");
    n = strcspn(w->at, " \n");
    if (n > 1 && w->at[n - 1] == ':' && w->at[0] != '"') {
        snprintf(w->name, sizeof w->name, "%.*s", (int)(n - 1), w->at);
        w->at += n;
    }
}

bool record_words_next(RecordWords *w) {
    while (w->at && *w->at) {
        if (*w->at == '\n') {
            w->line = true;
            w->at++;
        } else if (*w->at == ' ') {
            w->at++;
        } else if (w->line && strncmp(w->at, "result", 6) == 0) {
            w->at = NULL;
        } else if (w->line) {
            w->line = false;
            w->name[0] = '\0';
            take_head(w);
        } else {
            take_word(w);
            return !w->word.failed;
        }
    }
    return false;
}
