// knowledge_load: knowledge from the game's own file, or from a rules file beside it. See
// knowledge.h.
//
//     rules text --parse--> tree --check_rules_file, with the game's text--> IrGame with knowledge
#include "base/file.h"
#include "game/library.h"
#include "knowledge/knowledge_parts.h"
#include "lang/check.h"
#include "lang/parse.h"
#include "s3/s3.h"

#include <string.h>

static const Span nowhere = {0};

Knowledge *knowledge_own(const Game *game) {
    if (!game->ir->knowledge)
        return NULL;
    Knowledge *k = mem_alloc(sizeof *k);
    if (!k)
        return NULL;
    *k = (Knowledge){
        .game = game, .ir = game->ir, .what = game->ir->knowledge, .title = game->ir->title};
    arena_init(&k->arena, NULL);
    return k;
}

// The game once more, with what the rules file says. A state of the one is a state of the other.
static const IrGame *understand(Knowledge *k, Diags *diags) {
    const Game *game = k->game;
    Node *rules = parse_file(&k->arena, &k->source, diags);
    if (diags->errors)
        return NULL;
    Diags of_game = {.source = &game->source, .silent = true}; // said when the game was loaded
    const IrGame *ir = NULL;
    if (s3_recognised(game->source.text, game->source.size)) {
        const S3File *file = s3_read(&k->arena, &game->source, &of_game);
        IrGame *g =
            file ? s3_lower(&k->arena, file, game->params, game->param_count, &of_game) : NULL;
        ir = g ? check_rules_for(g, rules, &k->source, diags) : NULL;
    } else {
        Node *file = parse_file(&k->arena, &game->source, &of_game);
        ir = check_rules_file(&k->arena, file, &game->source, game->params, game->param_count,
                              rules, &k->source, diags);
    }
    return ir;
}

static bool understand_guarded(Knowledge *k, Diags *diags) {
    jmp_buf recovery;
    k->arena.recovery = &recovery;
    if (setjmp(recovery)) {
        diag_error(diags, nowhere, "out of memory: the rules are too large");
        return false;
    }
    k->ir = understand(k, diags);
    k->arena.recovery = NULL;
    if (!k->ir || diags->errors)
        return false;
    k->what = k->ir->knowledge;
    k->title = k->what->title ? k->what->title : k->source.name;
    return true;
}

static bool has_ending(const char *name, const char *ending) {
    size_t n = strlen(name), m = strlen(ending);
    return n > m && strcmp(name + n - m, ending) == 0;
}

Knowledge *knowledge_compile(const Game *game, const char *title, const char *text, size_t size,
                             Diags *diags) {
    Knowledge *k = mem_alloc(sizeof *k);
    if (!k) {
        diag_error(diags, nowhere, "out of memory");
        return NULL;
    }
    *k = (Knowledge){.game = game};
    arena_init(&k->arena, NULL);
    k->source = (Source){mem_text(title), mem_text_n(text, size), size};
    diags->source = &k->source;
    bool ok = k->source.name && k->source.text;
    if (!ok) {
        diags->source = NULL;
        diag_error(diags, nowhere, "out of memory");
    }
    if (ok)
        ok = has_ending(title, ".clp") ? knowledge_read_clips(k, diags)
                                       : understand_guarded(k, diags);
    if (ok && knowledge_try(k, diags))
        return k;
    diags->source = NULL;
    knowledge_free(k);
    return NULL;
}

static Knowledge *load_file(const Game *game, const char *path, Diags *diags) {
    Text why = {0};
    size_t size;
    char *text = file_read(path, FILE_LIMIT, &size, &why);
    Knowledge *k = NULL;
    if (text)
        k = knowledge_compile(game, path, text, size, diags);
    else
        diag_error(diags, nowhere, "%s", text_c(&why));
    mem_free(text);
    text_free(&why);
    return k;
}

static void report_unknown(const char *name, Diags *diags) {
    diag_error(diags, nowhere, "there is no rule set `%s`", name);
    const char **names = mem_alloc(sizeof *names * (size_t)(library_rules_count + 1));
    if (!names)
        return;
    for (int i = 0; i < library_rules_count; i++)
        names[i] = library_rules[i].name;
    const char *near = text_nearest(name, names, library_rules_count);
    if (near)
        diag_help(diags, "did you mean `%s`?", near);
    else
        diag_help(diags, "a file is written with its ending or its folder, `%s.rules` or `./%s`",
                  name, name);
    mem_free(names);
}

static bool is_path(const char *name) {
    return strchr(name, '/') || has_ending(name, ".rules") || has_ending(name, ".clp");
}

Knowledge *knowledge_load(const Game *game, const char *name, Diags *diags) {
    diags->source = NULL;
    if (is_path(name))
        return load_file(game, name, diags);
    for (int i = 0; i < library_rules_count; i++) {
        const LibraryGame *entry = &library_rules[i];
        if (strcmp(entry->name, name) != 0)
            continue;
        Text title = {0};
        text_f(&title, "%s.rules", name);
        Knowledge *k = knowledge_compile(game, text_c(&title), entry->text, entry->size, diags);
        text_free(&title);
        return k;
    }
    report_unknown(name, diags);
    return NULL;
}

void knowledge_free(Knowledge *k) {
    if (!k)
        return;
    native_job_end(k->job);
    arena_free(&k->arena);
    mem_free((char *)k->source.name);
    mem_free((char *)k->source.text);
    mem_free(k);
}

const IrKnowledge *knowledge_ir(const Knowledge *k) {
    return k->what;
}

const IrGame *knowledge_game(const Knowledge *k) {
    return k->ir;
}

const char *knowledge_title(const Knowledge *k) {
    return k->title;
}
