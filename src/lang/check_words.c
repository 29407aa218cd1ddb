// check_words: what a file says in other languages (`words`). Rules never depend on it. What is
// translated should stand in the file; a warning tells of a sentence that was changed and forgotten
// here, but it does not keep anybody from playing the changed game.
#include "lang/checker.h"

#include <string.h>

#define WORDS_NEAR 64 // texts that are compared with a wrong one

// Texts and names that people get to see.
static bool is_shown_text(NodeKind kind) {
    return kind == N_GAME || kind == N_ABOUT || kind == N_DEMAND || kind == N_SAY ||
           kind == N_BRANCH || kind == N_REQUIRE;
}

static bool is_shown_name(NodeKind kind) {
    return kind == N_DECLARED || kind == N_PARAMETER || kind == N_ATTRIBUTE || kind == N_VAR ||
           kind == N_CHOOSE;
}

typedef struct Search {
    const Node *phrase;
    const char *near[WORDS_NEAR];
    int count;
    bool found;
} Search;

static void meet(Search *s, const char *text) {
    if (!text)
        return;
    s->found = s->found || strcmp(text, s->phrase->word) == 0;
    if (s->count < WORDS_NEAR)
        s->near[s->count++] = text;
}

static void look(Search *s, const Node *n) {
    if (!n || s->found || n->kind == N_WORDS)
        return;
    bool sentence = n->kind == N_PARAMETER || n->kind == N_RULE || n->kind == N_WORTH_LINE ||
                    n->kind == N_WORTH_OPPONENT || n->kind == N_TIMES || n->kind == N_READ;
    if (s->phrase->number ? is_shown_name(n->kind) : is_shown_text(n->kind))
        meet(s, n->word);
    if (!s->phrase->number && sentence)
        meet(s, n->extra);
    for (int i = 0; i < n->count; i++)
        look(s, n->kids[i]);
}

static bool is_language(const char *word) {
    size_t n = strlen(word);
    return (n == 2 || n == 3) && strspn(word, "abcdefghijklmnopqrstuvwxyz") == n;
}

static bool is_given(const Checker *c, const char *language, const char *from) {
    for (int i = 0; i < c->g->phrases; i++)
        if (!strcmp(c->g->phrase[i].language, language) && !strcmp(c->g->phrase[i].from, from))
            return true;
    return false;
}

static void check_phrase(Checker *c, const char *language, const Node *n) {
    Search s = {.phrase = n};
    look(&s, c->file);
    if (!s.found) {
        diag_warn(c->diags, n->extra_span, "no %s of this file is `%.60s`",
                  n->number ? "name" : "text", n->word);
        const char *meant = text_nearest(n->word, s.near, s.count);
        if (meant)
            diag_help(c->diags, "did you mean `%.60s`?", meant);
        else
            diag_help(c->diags, "write it as it stands in the file");
    } else if (is_given(c, language, n->word)) {
        diag_error(c->diags, n->extra_span, "`%.60s` is translated twice", n->word);
    } else {
        c->g->phrase[c->g->phrases++] = (IrPhrase){language, n->word, n->kids[0]->word};
    }
}

void check_words(Checker *c) {
    int most = 0;
    for (int i = 0; i < c->file->count; i++)
        most += c->file->kids[i]->kind == N_WORDS ? c->file->kids[i]->count : 0;
    c->g->phrase = ARENA_ARRAY(c->arena, IrPhrase, most);
    for (int i = 0; i < c->file->count; i++) {
        const Node *section = c->file->kids[i];
        if (section->kind != N_WORDS)
            continue;
        if (!is_language(section->word)) {
            diag_error(c->diags, section->extra_span, "`%.40s` is no language", section->word);
            diag_help(c->diags, "write its two or three letters: `de`, `hr`, `hu`, `sk`, `sr`");
            continue;
        }
        for (int k = 0; k < section->count; k++)
            check_phrase(c, section->word, section->kids[k]);
    }
}
