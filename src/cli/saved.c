// saved: see saved.h for the contract.
#include "cli/saved.h"

#include "base/file.h"

#include <string.h>

#define NAME_SIZE 4096

static int open_game(const Cli *cli, const char *path, const char *text, Saved *s) {
    char name[NAME_SIZE];
    Text why = {0};
    int status = EXIT_OK;
    if (!record_read_game(text, name, sizeof name, &s->params, &s->param_count, &why))
        status = cli_error("%s: %s", path, text_c(&why));
    if (status == EXIT_OK)
        status =
            table_open_game(cli, name, (const char *const *)s->params, s->param_count, &s->table);
    if (status == EXIT_OK) {
        s->record = record_new(s->table.runner, NULL);
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
    char *text = file_read(path, FILE_LIMIT, NULL, &why);
    int status = text ? open_game(cli, path, text, s) : cli_error("%s", text_c(&why));
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
    table_close(&s->table);
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

bool saved_load_into(Record *record, const Game *g, const char *path, Text *why) {
    char name[NAME_SIZE];
    char **params = NULL;
    int count = 0;
    char *text = file_read(path, FILE_LIMIT, NULL, why);
    bool ok = text && record_read_game(text, name, sizeof name, &params, &count, why);
    if (ok) {
        Diags diags = {0};
        Game *other = game_load(name, (const char *const *)params, count, &diags);
        ok = other && same_game(g, other);
        if (!ok)
            text_f(why, "this is a game of `%s` with other rules: start it with --load", name);
        game_free(other);
        diag_free(&diags);
    }
    ok = ok && record_load(record, text, why);
    free_params(params, count);
    mem_free(text);
    return ok;
}
