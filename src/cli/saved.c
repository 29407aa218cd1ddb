// saved: see saved.h for the contract.
#include "cli/saved.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NAME_SIZE 4096

// --- the rules ---

// The folder of `path` and a name in it; false if that is too long or there is no such file.
static bool beside(const char *path, const char *name, char *found) {
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    int n = snprintf(found, NAME_SIZE, "%.*s%s", folder, path, name);
    return n > 0 && n < NAME_SIZE && access(found, F_OK) == 0;
}

// A rules file that a saved game names is looked for as it stands there, then beside the saved
// game: the two may have been moved together. Changes `name` (NAME_SIZE bytes) if so.
static void find_rules(const char *path, char *name) {
    size_t n = strlen(name);
    bool is_file = strchr(name, '/') || (n > 5 && strcmp(name + n - 5, ".game") == 0);
    if (!is_file || access(name, F_OK) == 0)
        return;
    char found[NAME_SIZE];
    const char *slash = strrchr(name, '/');
    if ((name[0] != '/' && beside(path, name, found)) || (slash && beside(path, slash + 1, found)))
        memcpy(name, found, strlen(found) + 1);
}

// --- opening ---

static int open_game(const Cli *cli, const char *path, const char *text, Saved *s) {
    char name[NAME_SIZE];
    Text why = {0};
    int status = EXIT_OK;
    if (!record_read_game(text, name, sizeof name, &s->params, &s->param_count, &why))
        status = cli_error("%s: %s", path, text_c(&why));
    if (status == EXIT_OK) {
        find_rules(path, name);
        status =
            desk_open_game(cli, name, (const char *const *)s->params, s->param_count, &s->desk);
    }
    if (status == EXIT_OK) {
        s->record = record_new(s->desk.runner, NULL);
        if (!s->record)
            status = cli_error("out of memory");
        else if (!record_load(s->record, text, &why))
            status = cli_error("%s: %s", path, text_c(&why));
    }
    text_free(&why);
    return status;
}

int saved_open(const Cli *cli, const char *path, Saved *s) {
    *s = (Saved){0};
    Text why = {0};
    size_t size = 0;
    char *text = file_read(path, FILE_LIMIT, &size, &why);
    int status;
    if (text && strlen(text) < size)
        status = cli_error("%s: there is a byte 0 in it: this is no saved game", path);
    else
        status = text ? open_game(cli, path, text, s) : cli_error("%s", text_c(&why));
    mem_free(text);
    text_free(&why);
    return status;
}

static void free_params(char **params, int count) {
    for (int i = 0; i < count; i++)
        mem_free(params[i]);
    mem_free(params);
}

void saved_close(Saved *s) {
    record_free(s->record);
    desk_close(&s->desk);
    free_params(s->params, s->param_count);
    *s = (Saved){0};
}

// Whether two games are the same rules with the same parameters.
static bool same_game(const Game *a, const Game *b) {
    if (a->source.size != b->source.size ||
        memcmp(a->source.text, b->source.text, a->source.size) != 0)
        return false;
    for (int i = 0; i < a->ir->parameters; i++) {
        const IrParameter *p = &a->ir->parameter[i], *q = &b->ir->parameter[i];
        if (p->count != q->count ||
            memcmp(p->values, q->values, sizeof *p->values * (size_t)p->count) != 0)
            return false;
    }
    return true;
}

// Why rules could not be read: the first error, on one line.
static void say_unreadable(const Diags *diags, Text *why) {
    for (int i = 0; i < diags->count; i++) {
        const Diag *d = &diags->items[i];
        if (d->severity != SEV_ERROR)
            continue;
        if (d->source_name && d->span.line > 0)
            text_f(why, "%s:%d:%d: ", d->source_name, d->span.line, d->span.column);
        text_add(why, d->message);
        if (d->help)
            text_f(why, "; %s", d->help);
        return;
    }
    text_add(why, "the rules cannot be read");
}

bool saved_load_into(Record *record, const Game *g, const char *path, Text *why) {
    char name[NAME_SIZE];
    char **params = NULL;
    int count = 0;
    char *text = file_read(path, FILE_LIMIT, NULL, why);
    bool ok = text && record_read_game(text, name, sizeof name, &params, &count, why);
    if (ok) {
        Diags diags = {0};
        find_rules(path, name);
        Game *other = game_load(name, (const char *const *)params, count, &diags);
        ok = other && same_game(g, other);
        if (!other)
            say_unreadable(&diags, why);
        else if (!ok)
            text_f(why, "this is a game of `%s` with other rules: start it with --load", name);
        game_free(other);
        diag_free(&diags);
    }
    ok = ok && record_load(record, text, why);
    free_params(params, count);
    mem_free(text);
    return ok;
}
