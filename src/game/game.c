// game: see game.h for the contract.
//
//     text --parse--> tree --check--> IrGame --vm_compile--> VmProgram --setup, scramble--> start
//     S3 file --s3_read--> S3File --s3_lower--^
#include "game/game.h"

#include "base/file.h"
#include "base/rng.h"
#include "game/library.h"
#include "game/runner.h"
#include "lang/check.h"
#include "lang/parse.h"
#include "s3/s3.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

// More random moves than this mix no puzzle better, and more time means that the rules are so
// slow that nobody would wait for the first board.
#define SCRAMBLE_MAX 100000
#define SCRAMBLE_SECONDS 5
// A scrambled puzzle that happens to be solved is stirred on, at most so often.
#define SCRAMBLE_EXTRA 100

static const Span nowhere = {0};

// --- loading ---

// What a file is, its content says: files of both languages may have any name.
static const IrGame *understand(Game *g, const char *const *params, int count, Diags *diags) {
    if (s3_recognised(g->source.text, g->source.size)) {
        const S3File *file = s3_read(&g->arena, &g->source, diags);
        return !file || diags->errors ? NULL : s3_lower(&g->arena, file, params, count, diags);
    }
    Node *file = parse_file(&g->arena, &g->source, diags);
    return diags->errors ? NULL : check_game(&g->arena, file, &g->source, params, count, diags);
}

static bool compile(Game *g, const char *const *params, int count, Diags *diags) {
    g->ir = understand(g, params, count, diags);
    if (!g->ir || diags->errors)
        return false;
    g->program = vm_compile(&g->arena, g->ir, diags);
    if (!g->program)
        return false;
    g->start = arena_alloc(&g->arena, (size_t)g->ir->layout.size);
    g->params = ARENA_ARRAY(&g->arena, const char *, count + 1);
    for (g->param_count = 0; g->param_count < count; g->param_count++)
        g->params[g->param_count] =
            arena_text(&g->arena, params[g->param_count], strlen(params[g->param_count]));
    return true;
}

// Everything that takes memory from the arena, with the place to go when there is none left.
static bool compile_guarded(Game *g, const char *const *params, int count, Diags *diags) {
    jmp_buf recovery;
    g->arena.recovery = &recovery;
    if (setjmp(recovery)) {
        diag_error(diags, nowhere, "out of memory: the game is too large");
        return false;
    }
    bool ok = compile(g, params, count, diags);
    g->arena.recovery = NULL;
    return ok;
}

static double processor_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

// Random legal moves from the initial position; whatever they lead to, the game begins there.
static bool scramble(Game *g, Runner *r, double seconds, Diags *diags) {
    int64_t moves = g->ir->scramble_moves;
    uint8_t *over = &g->start[g->ir->layout.result];
    if (moves > SCRAMBLE_MAX) {
        diag_error(diags, nowhere, "`scramble` asks for %lld moves, more than %d", (long long)moves,
                   SCRAMBLE_MAX);
        return false;
    }
    Rng rng;
    rng_seed(&rng, (uint64_t)g->ir->scramble_seed);
    double limit = processor_seconds() + seconds;
    for (int64_t i = 0; i < moves || (*over && i < moves + SCRAMBLE_EXTRA); i++) {
        *over = 0;
        Move move;
        int found = runner_random(r, g->start, rng_next(&rng), &move);
        if (found < 0 || (found && !runner_apply(r, g->start, move, g->start))) {
            diag_error(diags, nowhere, "`scramble` fails: %s", runner_error(r));
            return false;
        }
        if (!found)
            break;
        if (processor_seconds() > limit) {
            diag_error(diags, nowhere, "`scramble` takes more than %g seconds", seconds);
            return false;
        }
    }
    *over = 0;
    return true;
}

static bool make_start(Game *g, double seconds, Diags *diags) {
    Runner *r = runner_new(g);
    if (!r) {
        diag_error(diags, nowhere, "out of memory");
        return false;
    }
    runner_limit(r, 0, seconds);
    bool ok = vm_setup(r->vm, g->start);
    if (!ok) {
        VmFault fault = vm_fault(r->vm);
        diag_error(diags, fault.span, "in the setup: %s", fault.message);
    } else if (g->ir->scramble_moves > 0) {
        ok = scramble(g, r, seconds > 0 ? seconds : SCRAMBLE_SECONDS, diags);
    }
    runner_free(r);
    return ok;
}

// The file's name without folder and ending.
static char *plain_name(const char *title) {
    const char *slash = strrchr(title, '/');
    const char *name = slash ? slash + 1 : title;
    size_t n = strlen(name);
    const char *dot = strrchr(name, '.');
    if (dot && dot > name && dot[1])
        n = (size_t)(dot - name);
    return mem_text_n(name, n);
}

Game *game_compile(const char *title, const char *text, size_t size, const char *const *params,
                   int count, Diags *diags) {
    return game_compile_within(0, title, text, size, params, count, diags);
}

Game *game_compile_within(double seconds, const char *title, const char *text, size_t size,
                          const char *const *params, int count, Diags *diags) {
    Game *g = mem_alloc(sizeof *g);
    if (!g) {
        diag_error(diags, nowhere, "out of memory");
        return NULL;
    }
    arena_init(&g->arena, NULL);
    g->name = plain_name(title);
    g->source = (Source){mem_text(title), mem_text_n(text, size), size};
    diags->source = &g->source;
    g->steps = seconds > 0 ? GAME_STRANGE_STEPS : 0;
    bool ok = g->name && g->source.name && g->source.text;
    if (!ok) {
        diags->source = NULL;
        diag_error(diags, nowhere, "out of memory");
    }
    if (ok && compile_guarded(g, params, count, diags) && make_start(g, seconds, diags))
        return g;
    diags->source = NULL;
    game_free(g);
    return NULL;
}

static bool is_path(const char *name) {
    size_t n = strlen(name);
    return strchr(name, '/') || (n > 5 && strcmp(name + n - 5, ".game") == 0);
}

static bool is_file(const char *name) {
    struct stat info;
    return stat(name, &info) == 0 && S_ISREG(info.st_mode);
}

static Game *load_file(const char *path, const char *const *params, int count, Diags *diags) {
    Text why = {0};
    size_t size;
    char *text = file_read(path, FILE_LIMIT, &size, &why);
    Game *g = NULL;
    if (text)
        g = game_compile(path, text, size, params, count, diags);
    else
        diag_error(diags, nowhere, "%s", text_c(&why));
    mem_free(text);
    text_free(&why);
    return g;
}

// Whether a library game is called that way at its head: its title, or what it is also called.
static bool is_called(const LibraryGame *entry, const char *quoted) {
    const char *end = strstr(entry->text, "\nplayers");
    size_t n = strlen(quoted);
    for (const char *s = entry->text; end && s < end; s++)
        if (strncasecmp(s, quoted, n) == 0)
            return true;
    return false;
}

static const char *named_by_title(const char *name) {
    const char *found = NULL;
    Text quoted = {0};
    text_f(&quoted, "\"%s\"", name);
    for (int i = 0; i < library_count && !found; i++)
        if (is_called(&library_games[i], text_c(&quoted)))
            found = library_games[i].name;
    text_free(&quoted);
    return found;
}

static void report_unknown(const char *name, Diags *diags) {
    diag_error(diags, nowhere, "there is no game `%s`", name);
    const char **names = mem_alloc(sizeof *names * (size_t)(library_count + 1));
    if (!names)
        return;
    for (int i = 0; i < library_count; i++)
        names[i] = library_games[i].name;
    const char *near = named_by_title(name);
    if (!near)
        near = text_nearest(name, names, library_count);
    if (near)
        diag_help(diags, "did you mean `%s`? `ludens games` lists all games", near);
    else
        diag_help(diags,
                  "`ludens games` lists all games; a rules file is written with its ending "
                  "or its folder, `%s.game` or `./%s`",
                  name, name);
    mem_free(names);
}

Game *game_load(const char *name, const char *const *params, int count, Diags *diags) {
    diags->source = NULL;
    if (is_path(name))
        return load_file(name, params, count, diags);
    for (int i = 0; i < library_count; i++) {
        const LibraryGame *entry = &library_games[i];
        if (strcmp(entry->name, name) != 0)
            continue;
        Text title = {0};
        text_f(&title, "%s.game", name);
        Game *g = game_compile(text_c(&title), entry->text, entry->size, params, count, diags);
        text_free(&title);
        return g;
    }
    if (is_file(name)) // an S3 file has no ending as a rule
        return load_file(name, params, count, diags);
    report_unknown(name, diags);
    return NULL;
}

bool game_use(Game *g, Backend backend, Text *why) {
    if (backend == BACKEND_INTERP)
        return true;
    if (!g->job)
        g->job = native_job_start(g->ir, &g->native);
    if (!g->job) {
        text_add(why, "no thread can be had to compile the game");
        return false;
    }
    return backend == BACKEND_AUTO || game_wait(g, why);
}

bool game_wait(Game *g, Text *why) {
    if (!g->job)
        return false;
    native_job_wait(g->job);
    bool ok = atomic_load(&g->native) != NULL;
    if (!ok)
        text_add(why, native_job_why(g->job));
    return ok;
}

void game_free(Game *g) {
    if (!g)
        return;
    native_job_end(g->job);
    arena_free(&g->arena);
    mem_free((char *)g->name);
    mem_free((char *)g->source.name);
    mem_free((char *)g->source.text);
    mem_free(g);
}

// --- states ---

bool game_same(const Game *g, const uint8_t *a, const uint8_t *b) {
    const IrLayout *l = &g->ir->layout;
    if (!l->mask)
        return memcmp(a, b, (size_t)l->identity) == 0;
    for (int i = 0; i < l->identity / 8; i++) {
        uint64_t x, y;
        memcpy(&x, a + 8 * i, sizeof x);
        memcpy(&y, b + 8 * i, sizeof y);
        if ((x ^ y) & l->mask[i])
            return false;
    }
    return true;
}

const char *game_result_text(const Game *g, int result, Text *out) {
    const IrGame *ir = g->ir;
    int winners = result & ~RESULT_OVER;
    if (result < 0) {
        text_add(out, "unknown: the rules fail");
    } else if (result == 0) {
        text_add(out, "unfinished");
    } else if (winners == 0 && ir->players == 1) {
        text_f(out, "%s loses", ir->player[0]);
    } else if (winners == 0) {
        text_add(out, "a draw");
    } else {
        int count = __builtin_popcount((unsigned)winners);
        for (int p = 0, seen = 0; p < ir->players; p++) {
            if (!(winners >> p & 1))
                continue;
            text_add(out, seen == 0 ? "" : seen == count - 1 ? " and " : ", ");
            text_add(out, ir->player[p]);
            seen++;
        }
        text_add(out, count == 1 ? " wins" : " win");
    }
    return text_c(out);
}
