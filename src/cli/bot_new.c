// bot_new: see bot_new.h.
#include "cli/bot_new.h"

#include "base/file.h"
#include "base/mem.h"
#include "cli/templates.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// In the bot that the folder is about, these words become its own.
#define SIMPLE "random_bot"

typedef struct Language {
    const char *option, *title, *program;
    const char *ending, *call; // of the file to change; what is told to be called
} Language;

static const Language languages[] = {
    {"c", "C", "Random in C", ".c", ""},
    {"python", "Python", "Random in Python", ".py", ".py"},
    {"js", "JavaScript", "Random in JavaScript", ".js", ".js"},
};

static const Language *find_language(const char *option) {
    for (int i = 0; i < 3; i++)
        if (strcmp(languages[i].option, option) == 0)
            return &languages[i];
    return NULL;
}

// The name goes into programs and names of files.
static bool is_plain(const char *name) {
    return *name && strlen(name) <= 60 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
               strlen(name);
}

static void add_changed(const char *text, const Language *l, const char *name, Text *out) {
    while (*text) {
        if (strncmp(text, SIMPLE, strlen(SIMPLE)) == 0) {
            text_add(out, "bot");
            text += strlen(SIMPLE);
        } else if (strncmp(text, l->program, strlen(l->program)) == 0) {
            text_add(out, name);
            text += strlen(l->program);
        } else {
            text_char(out, *text++);
        }
    }
}

static bool write_file(const ClientFile *file, const Language *l, const char *folder,
                       const char *name, Text *why) {
    Text path = {0}, text = {0};
    text_f(&path, "%s/", folder);
    add_changed(file->name, l, name, &path);
    add_changed(file->text, l, name, &text);
    bool ok = !path.failed && !text.failed &&
              file_write_atomic(text_c(&path), text_c(&text), text.n, why);
    if (ok && text.n > 2 && memcmp(text.s, "#!", 2) == 0)
        ok = chmod(text_c(&path), 0755) == 0;
    text_free(&path);
    text_free(&text);
    return ok;
}

static void remove_folder(const char *folder, const Language *l) {
    for (const ClientFile *f = client_files; f->name; f++) {
        Text path = {0};
        text_f(&path, "%s/", folder);
        add_changed(f->name, l, "", &path);
        if (strcmp(f->language, l->option) == 0)
            unlink(text_c(&path));
        text_free(&path);
    }
    rmdir(folder);
}

static bool make_folder(const char *path, const Language *l, const char *name, Text *why) {
    Text beside = {0};
    text_f(&beside, "%s.new-%ld", path, (long)getpid());
    bool made = !beside.failed && mkdir(text_c(&beside), 0777) == 0, ok = made;
    for (const ClientFile *f = client_files; ok && f->name; f++)
        if (strcmp(f->language, l->option) == 0)
            ok = write_file(f, l, text_c(&beside), name, why);
    if (ok)
        ok = rename(text_c(&beside), path) == 0;
    if (!ok && !why->n)
        text_f(why, "cannot make `%s`: %s", path, strerror(errno));
    if (!ok && made)
        remove_folder(text_c(&beside), l);
    text_free(&beside);
    return ok;
}

static void tell(const Language *l, const char *path) {
    const char *here = path[0] == '/' ? "" : "./";
    printf("%s has a bot in %s:\n", path, l->title);
    printf("  bot%-13s plays any legal move: change it\n", l->ending);
    printf("  alphabeta_bot%-3s looks ahead, as an example\n\n", l->ending);
    if (strcmp(l->option, "c") == 0)
        printf("  make -C %s\n", path);
    printf("  ludens bot check %s%s/bot%s\n", here, path, l->call);
    printf("  ludens play tic-tac-toe --players human,bot:%s%s/bot%s\n", here, path, l->call);
}

int bot_new_folder(const Cli *cli, const char *language, const char *path) {
    const Language *l = find_language(language);
    if (!l)
        return cli_usage(cli, "--lang is c, python or js, not `%s`", language);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (!is_plain(name))
        return cli_usage(cli, "`%s`: a name has letters, digits, `-` and `_`", name);
    if (access(path, F_OK) == 0)
        return cli_error("`%s` is there already; nothing was changed", path);
    Text why = {0};
    int status = EXIT_OK;
    if (make_folder(path, l, name, &why))
        tell(l, path);
    else
        status = cli_error("%s", text_c(&why));
    text_free(&why);
    return status;
}
