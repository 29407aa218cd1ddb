// command: see command.h.
#include "match/command.h"

#include "base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// One word to `word`; where it ends, NULL if a quotation does not.
static const char *read_word(const char *s, Text *word) {
    for (; *s && *s != ' ' && *s != '\t'; s++) {
        if (*s == '\'' || *s == '"') {
            const char *end = strchr(s + 1, *s);
            if (!end)
                return NULL;
            text_add_n(word, s + 1, (size_t)(end - s - 1));
            s = end;
        } else {
            if (*s == '\\' && s[1])
                s++;
            text_char(word, *s);
        }
    }
    return s;
}

// Programs that are found by PATH have no folder of theirs.
static bool note_files(Command *c) {
    int files = 0;
    bool ok = true;
    for (int i = 0; i < c->count && ok; i++) {
        char path[PATH_MAX];
        struct stat info;
        bool is_path = i > 0 || strchr(c->word[i], '/');
        if (!is_path || !realpath(c->word[i], path) || stat(path, &info) != 0)
            continue;
        c->files[files++] = mem_text(path);
        ok = c->files[files - 1] != NULL;
        bool of_system = strncmp(path, "/usr/", 5) == 0 || strncmp(path, "/bin/", 5) == 0;
        if (!ok || c->folder || of_system || !S_ISREG(info.st_mode))
            continue;
        const char *slash = strrchr(path, '/');
        c->folder = mem_text_n(path, slash > path ? (size_t)(slash - path) : 1);
        ok = c->folder != NULL;
    }
    return ok;
}

bool command_read(const char *text, Command *c, Text *why) {
    *c = (Command){0};
    const char *s = text;
    while (s && *(s += strspn(s, " \t"))) {
        Text word = {0};
        if (c->count == COMMAND_WORDS) {
            text_f(why, "the command has more than %d words", COMMAND_WORDS);
            return false;
        }
        s = read_word(s, &word);
        c->word[c->count++] = mem_text_n(text_c(&word), word.n);
        bool ok = !word.failed && c->word[c->count - 1];
        text_free(&word);
        if (!ok) {
            text_add(why, "out of memory");
            return false;
        }
    }
    if (!s)
        text_add(why, "a quotation mark has no partner");
    else if (c->count == 0)
        text_add(why, "there is no command");
    if (!s || c->count == 0)
        return false;
    bool ok = note_files(c);
    if (!ok)
        text_add(why, "out of memory");
    return ok;
}

void command_free(Command *c) {
    for (int i = 0; i < COMMAND_WORDS; i++) {
        mem_free(c->word[i]);
        mem_free(c->files[i]);
    }
    mem_free(c->folder);
    *c = (Command){0};
}

void command_quote(const char *word, Text *out) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "/._-=,+:@";
    if (*word && strspn(word, plain) == strlen(word)) {
        text_add(out, word);
        return;
    }
    text_char(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            text_add(out, "'\\''");
        else
            text_char(out, *word);
    }
    text_char(out, '\'');
}
