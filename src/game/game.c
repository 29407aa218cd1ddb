// game: see game.h for the contract.
//
//     text --parse--> tree --check--> IrGame --vm_compile--> VmProgram --setup, scramble--> start
#include "game/game.h"

#include "base/file.h"
#include "base/rng.h"
#include "game/library.h"
#include "game/runner.h"
#include "lang/check.h"
#include "lang/parse.h"

#include <string.h>
#include <time.h>

// More random moves than this mix no puzzle better, and more time means that the rules are so
// slow that nobody would wait for the first board.
#define SCRAMBLE_MAX 100000
#define SCRAMBLE_SECONDS 5
// A scrambled puzzle that happens to be solved is stirred on, at most so often.
#define SCRAMBLE_EXTRA 100

static const Span nowhere = {0};

// --- loading ---

static bool compile(Game *g, const char *const *params, int count, Diags *diags) {
    Node *file = parse_file(&g->arena, &g->source, diags);
    if (diags->errors)
        return false;
    g->ir = check_game(&g->arena, file, &g->source, params, count, diags);
    if (!g->ir)
        return false;
    g->program = vm_compile(&g->arena, g->ir, diags);
    if (!g->program)
        return false;
    g->start = arena_alloc(&g->arena, (size_t)g->ir->layout.size);
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
static bool scramble(Game *g, Runner *r, Diags *diags) {
    int64_t moves = g->ir->scramble_moves;
    uint8_t *over = &g->start[g->ir->layout.result];
    if (moves > SCRAMBLE_MAX) {
        diag_error(diags, nowhere, "`scramble` asks for %lld moves, more than %d", (long long)moves,
                   SCRAMBLE_MAX);
        return false;
    }
    Rng rng;
    rng_seed(&rng, (uint64_t)g->ir->scramble_seed);
    double limit = processor_seconds() + SCRAMBLE_SECONDS;
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
            diag_error(diags, nowhere, "`scramble` takes more than %d seconds", SCRAMBLE_SECONDS);
            return false;
        }
    }
    *over = 0;
    return true;
}

static bool make_start(Game *g, Diags *diags) {
    Runner *r = runner_new(g);
    if (!r) {
        diag_error(diags, nowhere, "out of memory");
        return false;
    }
    bool ok = vm_setup(r->vm, g->start);
    if (!ok) {
        VmFault fault = vm_fault(r->vm);
        diag_error(diags, fault.span, "in the setup: %s", fault.message);
    } else if (g->ir->scramble_moves > 0) {
        ok = scramble(g, r, diags);
    }
    runner_free(r);
    return ok;
}

static char *copy_text(const char *text, size_t size) {
    char *copy = mem_alloc(size + 1);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

// The file's name without folder and ending.
static char *plain_name(const char *title) {
    const char *slash = strrchr(title, '/');
    const char *name = slash ? slash + 1 : title;
    size_t n = strlen(name);
    if (n > 5 && strcmp(name + n - 5, ".game") == 0)
        n -= 5;
    return copy_text(name, n);
}

Game *game_compile(const char *title, const char *text, size_t size, const char *const *params,
                   int count, Diags *diags) {
    Game *g = mem_alloc(sizeof *g);
    if (!g) {
        diag_error(diags, nowhere, "out of memory");
        return NULL;
    }
    arena_init(&g->arena, NULL);
    g->name = plain_name(title);
    g->source = (Source){copy_text(title, strlen(title)), copy_text(text, size), size};
    diags->source = &g->source;
    bool ok = g->name && g->source.name && g->source.text;
    if (!ok) {
        diags->source = NULL;
        diag_error(diags, nowhere, "out of memory");
    }
    if (ok && compile_guarded(g, params, count, diags) && make_start(g, diags))
        return g;
    diags->source = NULL;
    game_free(g);
    return NULL;
}

static bool is_path(const char *name) {
    size_t n = strlen(name);
    return strchr(name, '/') || (n > 5 && strcmp(name + n - 5, ".game") == 0);
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

static void report_unknown(const char *name, Diags *diags) {
    diag_error(diags, nowhere, "there is no game `%s`", name);
    const char **names = mem_alloc(sizeof *names * (size_t)(library_count + 1));
    if (!names)
        return;
    for (int i = 0; i < library_count; i++)
        names[i] = library_games[i].name;
    const char *near = text_nearest(name, names, library_count);
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
    report_unknown(name, diags);
    return NULL;
}

void game_free(Game *g) {
    if (!g)
        return;
    arena_free(&g->arena);
    mem_free((char *)g->name);
    mem_free((char *)g->source.name);
    mem_free((char *)g->source.text);
    mem_free(g);
}

// --- states ---

uint64_t game_hash(const Game *g, const uint8_t *state) {
    uint64_t h = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < g->ir->layout.identity; i += 8) {
        uint64_t word;
        memcpy(&word, state + i, sizeof word);
        h = (h ^ word) * 0xD6E8FEB86659FD93u;
        h ^= h >> 32;
    }
    h *= 0xD6E8FEB86659FD93u;
    return h ^ (h >> 29);
}

const char *game_result_text(const Game *g, int result, Text *out) {
    const IrGame *ir = g->ir;
    int winners = result & ~RESULT_OVER;
    if (result == 0) {
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

// --- runners ---

Runner *runner_new(const Game *g) {
    Runner *r = mem_alloc(sizeof *r);
    if (!r)
        return NULL;
    r->game = g;
    r->cap = 256;
    r->vm = vm_new(g->program);
    r->moves = mem_alloc(sizeof(Move) * (size_t)r->cap);
    r->other = mem_alloc((size_t)game_state_size(g));
    if (!r->vm || !r->moves || !r->other) {
        runner_free(r);
        return NULL;
    }
    return r;
}

void runner_free(Runner *r) {
    if (!r)
        return;
    if (r->vm)
        vm_free(r->vm);
    mem_free(r->moves);
    mem_free(r->other);
    mem_free(r->values);
    text_free(&r->error);
    mem_free(r);
}

const Game *runner_game(const Runner *r) {
    return r->game;
}

const char *runner_error(const Runner *r) {
    return r->error.n ? text_c(&r->error) : "out of memory";
}

bool runner_fail(Runner *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_clear(&r->error);
    text_vf(&r->error, format, args);
    va_end(args);
    return false;
}

bool runner_fault(Runner *r) {
    VmFault fault = vm_fault(r->vm);
    const char *message = fault.message ? fault.message : "the move is not legal here";
    if (fault.span.line > 0)
        return runner_fail(r, "%s:%d:%d: %s", r->game->source.name, fault.span.line,
                           fault.span.column, message);
    return runner_fail(r, "%s: %s", r->game->source.name, message);
}

int runner_fill(Runner *r, const uint8_t *state) {
    int n = vm_moves(r->vm, state, r->moves, r->cap);
    if (n > r->cap) {
        Move *moves = mem_resize(r->moves, sizeof(Move) * (size_t)n);
        if (!moves) {
            runner_fail(r, "out of memory");
            return -1;
        }
        r->moves = moves;
        r->cap = n;
        n = vm_moves(r->vm, state, r->moves, r->cap);
    }
    if (n < 0)
        runner_fault(r);
    return n;
}

// Whether a player other than the one on move has a move: 1, 0, or -1 on a fault.
static int others_can_move(Runner *r, const uint8_t *state) {
    const IrGame *ir = r->game->ir;
    int me = game_player(r->game, state);
    memcpy(r->other, state, (size_t)ir->layout.size);
    for (int p = 0; p < ir->players; p++) {
        if (p == me)
            continue;
        r->other[ir->layout.player] = (uint8_t)p;
        int any = vm_any(r->vm, r->other);
        if (any)
            return any;
    }
    return 0;
}

// What happens to a player without a move: the result, 0 for a pass, or -1 on a fault.
static int stuck_result(Runner *r, const uint8_t *state) {
    int result = vm_stuck(r->vm, state, false);
    if (result == VM_PASS) {
        int any = others_can_move(r, state);
        if (any == 0) {
            result = vm_stuck(r->vm, state, true);
            if (result == VM_PASS)
                result = RESULT_OVER;
        } else {
            result = any < 0 ? -1 : 0;
        }
    }
    if (result < 0)
        runner_fault(r);
    return result;
}

static bool is_over(const Runner *r, const uint8_t *state) {
    return state[r->game->ir->layout.result] != 0;
}

// 1 if the player on move, who has no move, may pass; 0 if that ends the game; -1 on a fault.
static int may_pass(Runner *r, const uint8_t *state) {
    int result = stuck_result(r, state);
    return result < 0 ? -1 : result == 0;
}

int runner_moves(Runner *r, const uint8_t *state, const Move **moves) {
    *moves = r->moves;
    if (is_over(r, state))
        return 0;
    int n = runner_fill(r, state);
    if (n == 0) {
        n = may_pass(r, state);
        if (n == 1)
            r->moves[0] = MOVE_PASS;
    }
    *moves = r->moves;
    return n;
}

int64_t runner_count(Runner *r, const uint8_t *state) {
    if (is_over(r, state))
        return 0;
    int64_t n = vm_count(r->vm, state);
    if (n < 0)
        runner_fault(r);
    return n == 0 ? may_pass(r, state) : n;
}

int runner_random(Runner *r, const uint8_t *state, uint64_t random, Move *move) {
    const Move *moves;
    int n = runner_moves(r, state, &moves);
    if (n <= 0)
        return n;
    *move = moves[(random >> 32) * (uint64_t)n >> 32];
    return 1;
}

bool runner_apply(Runner *r, const uint8_t *from, Move move, uint8_t *to) {
    return vm_apply(r->vm, from, move, to) || runner_fault(r);
}

int runner_result(Runner *r, const uint8_t *state) {
    if (is_over(r, state))
        return state[r->game->ir->layout.result];
    int any = vm_any(r->vm, state);
    if (any < 0)
        runner_fault(r);
    return any < 0 ? -1 : any ? 0 : stuck_result(r, state);
}
