// probe: see probe.h for the contract.
#include "game/probe.h"

#include "base/now.h"
#include "base/rng.h"
#include "game/mirror.h"
#include "game/move_parts.h"
#include "game/movetext.h"
#include "game/runner.h"
#include "game/state_parts.h"
#include "game/statetext.h"

#include <stdlib.h>
#include <string.h>

// Of a position with more moves than this only the first are compared by text.
#define COMPARED_MAX 4096

typedef struct Probe {
    const Game *game;
    Runner *r;
    Diags *diags;
    ProbeLimits limits;
    double since;
    Rng rng;
    uint8_t *state, *copy; // of the game played; for tests
    Move *moves;           // of the position, kept while the runner does other things
    int count, cap;
    uint64_t *hashes[2]; // of the positions after each move, here and in the mirror image
    bool failed;
} Probe;

static const Span nowhere = {0};

// Also asked within a position: each of its moves may take long.
static bool must_stop(const Probe *p) {
    return (p->limits.seconds > 0 && now_seconds() - p->since > p->limits.seconds) ||
           (p->limits.stop && p->limits.stop());
}

// --- reporting ---

// Reports a fault; the position lets the author look at it. `help` may be NULL.
static bool fault(Probe *p, Span at, const char *message, const char *help) {
    Text state = {0};
    state_text(p->game, p->state, &state);
    diag_error(p->diags, at, "%s", message);
    diag_help(p->diags, "%s%slook at it with --state \"%s\"", help ? help : "", help ? "; " : "",
              text_c(&state));
    text_free(&state);
    p->failed = true;
    return false;
}

static bool runner_failed(Probe *p) {
    VmFault f = vm_fault(p->r->vm);
    return fault(p, f.span, f.message ? f.message : runner_error(p->r), NULL);
}

static bool out_of_memory(Probe *p) {
    diag_error(p->diags, nowhere, "out of memory");
    p->failed = true;
    return false;
}

typedef struct Choices {
    VmChoice made[VM_MAX_CHOICES];
    int count;
} Choices;

static void find_choices(Probe *p, Move move, Choices *c) {
    c->count = vm_choices(p->r->vm, p->state, move, c->made, VM_MAX_CHOICES);
}

// "from a1, to b2, branch 2": all choices by name, also those that the text leaves out.
static void add_choices(Probe *p, const Choices *c, Text *out) {
    const IrGame *ir = p->game->ir;
    for (int i = 0; i < c->count; i++) {
        const IrSite *site = &ir->site[c->made[i].site];
        text_add(out, i ? ", " : "");
        if (ir_is_either(site)) {
            text_f(out, "branch %lld", (long long)c->made[i].value + 1);
        } else {
            text_f(out, "%s ", site->name);
            move_add_choice(ir, c->made[i].site, c->made[i].value, out);
        }
    }
}

// The place of the first choice that differs; NULL if none does.
static const IrSite *differing_site(const IrGame *ir, const Choices *a, const Choices *b) {
    for (int i = 0; i < a->count && i < b->count; i++)
        if (a->made[i].site != b->made[i].site || a->made[i].value != b->made[i].value)
            return &ir->site[a->made[i].site];
    return NULL;
}

// --- texts ---

static bool check_state_text(Probe *p) {
    Text text = {0}, why = {0}, message = {0};
    state_text(p->game, p->state, &text);
    bool read = state_read(p->game, text_c(&text), p->copy, &why);
    bool ok = read && memcmp(p->copy, p->state, (size_t)game_state_size(p->game)) == 0;
    if (!read)
        text_f(&message, "the text of a position does not read back: %s", text_c(&why));
    else if (!ok)
        text_add(&message, "the text of a position reads back as another position");
    if (!ok)
        fault(p, nowhere, text_c(&message), NULL);
    text_free(&text);
    text_free(&why);
    text_free(&message);
    return ok;
}

static bool check_move_text(Probe *p, Move move) {
    Text text = {0}, why = {0}, message = {0};
    Move found = {{0, 0}};
    bool written = move_text(p->r, p->state, move, &text);
    bool read = written && move_read(p->r, p->state, text_c(&text), &found, &why);
    bool ok = read && move_equal(found, move);
    if (!written)
        runner_failed(p);
    else if (!read)
        text_f(&message, "the move `%s` does not read back: %s", text_c(&text), text_c(&why));
    else if (!ok)
        text_f(&message, "the move `%s` reads back as another move", text_c(&text));
    if (!ok && written)
        fault(p, nowhere, text_c(&message), NULL);
    text_free(&text);
    text_free(&why);
    text_free(&message);
    return ok;
}

typedef struct NamedMove {
    char *text;
    int move;
} NamedMove;

static int compare_names(const void *a, const void *b) {
    return strcmp(((const NamedMove *)a)->text, ((const NamedMove *)b)->text);
}

static bool report_same_name(Probe *p, NamedMove first, NamedMove second) {
    Text message = {0};
    Choices a, b;
    find_choices(p, p->moves[first.move], &a);
    find_choices(p, p->moves[second.move], &b);
    text_f(&message, "two different moves are written `%s`: ", first.text);
    add_choices(p, &a, &message);
    text_add(&message, "; and ");
    add_choices(p, &b, &message);
    const IrSite *site = differing_site(p->game->ir, &a, &b);
    const char *help = NULL;
    if (site)
        help = ir_is_either(site) ? "label the branches: `either \"...\"`, `or \"...\"`"
                                  : "change `notation` so that the texts differ";
    fault(p, site ? site->span : nowhere, text_c(&message), help);
    text_free(&message);
    return false;
}

// Two moves of a position must not have the same text.
static bool check_names(Probe *p) {
    int n = p->count < COMPARED_MAX ? p->count : COMPARED_MAX;
    NamedMove *list = mem_alloc(sizeof *list * (size_t)(n + 1));
    bool ok = list || out_of_memory(p);
    int made = 0;
    for (; ok && made < n && !must_stop(p); made++) {
        Text text = {0};
        ok = move_text(p->r, p->state, p->moves[made], &text) || runner_failed(p);
        ok = ok && (text.s || out_of_memory(p));
        list[made] = (NamedMove){text.s, made};
    }
    if (ok) {
        qsort(list, (size_t)made, sizeof *list, compare_names);
        for (int i = 1; ok && i < made; i++)
            if (strcmp(list[i - 1].text, list[i].text) == 0)
                ok = report_same_name(p, list[i - 1], list[i]);
    }
    for (int i = 0; i < made; i++)
        mem_free(list[i].text);
    mem_free(list);
    return ok;
}

// --- symmetries ---

// Values that name places in another way than by cells have no mirror image here.
static bool is_mappable(IrType type) {
    return type.kind != TY_DIRECTION && type.kind != TY_LINE &&
           !(type.kind == TY_MASK && type.of != TY_PLAYER && type.of != TY_KIND);
}

static bool has_symmetry(const Game *g) {
    const IrGame *ir = g->ir;
    bool ok = ir->board->symmetries > 1;
    for (int i = 0; i < ir->vars; i++)
        ok = ok && is_mappable(ir->var[i].type) &&
             (!ir->var[i].indexed || ir->var[i].index.kind == TY_PLAYER);
    for (int i = 0; i < ir->attrs; i++)
        ok = ok && is_mappable(ir->attr[i].type) && ir->attr[i].type.kind != TY_CELL;
    return ok;
}

static int compare_hashes(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// The positions after each move of `state`, in the mirror (NULL: as they are), as sorted hashes.
// Returns how many, at most `cap`; -1 on a fault.
static int hash_successors(Probe *p, const uint8_t *state, const Mirror *mirror, uint64_t *hashes) {
    const Move *moves;
    int n = runner_moves(p->r, state, &moves);
    uint64_t room[2][IR_MAX_STATE / sizeof(uint64_t)];
    uint8_t *next = (uint8_t *)room[0], *mapped = (uint8_t *)room[1];
    for (int i = 0; i < n && i < p->cap && !must_stop(p); i++) {
        if (!runner_apply(p->r, state, moves[i], next))
            return -1;
        if (mirror)
            mirror_state(p->game, mirror, next, mapped);
        hashes[i] = game_hash(p->game, mirror ? mapped : next);
    }
    if (n > 0)
        qsort(hashes, (size_t)(n < p->cap ? n : p->cap), sizeof *hashes, compare_hashes);
    return n;
}

// Moving and mirroring must give the same positions as mirroring and moving.
static bool check_symmetry(Probe *p) {
    const Board *b = p->game->ir->board;
    int s = 1 + (int)rng_below(&p->rng, (uint64_t)b->symmetries - 1);
    Mirror mirror = mirror_declared(b, s);
    mirror_state(p->game, &mirror, p->state, p->copy);
    int here = hash_successors(p, p->state, &mirror, p->hashes[0]);
    int there = here < 0 ? -1 : hash_successors(p, p->copy, NULL, p->hashes[1]);
    if (here < 0 || there < 0)
        return runner_failed(p);
    if (must_stop(p)) // and perhaps not all of them are known
        return true;
    if (here == there &&
        memcmp(p->hashes[0], p->hashes[1], sizeof *p->hashes[0] * (size_t)here) == 0)
        return true;
    Text message = {0};
    text_add(&message, "the rules do not have the symmetry that `board` declares: mirrored as ");
    state_text(p->game, p->copy, &message);
    if (here != there)
        text_f(&message, " a position has %d moves instead of %d", there, here);
    else
        text_add(&message, " a position has moves that lead elsewhere");
    fault(p, nowhere, text_c(&message), NULL);
    text_free(&message);
    return false;
}

// --- playing ---

static void *resized(Probe *p, void *old, size_t size) {
    void *grown = mem_resize(old, size);
    if (!grown)
        out_of_memory(p);
    return grown ? grown : old;
}

static bool keep_moves(Probe *p, const Move *moves, int n) {
    if (n >= p->cap) {
        int cap = 2 * n + 1;
        p->moves = resized(p, p->moves, sizeof(Move) * (size_t)cap);
        for (int i = 0; i < 2; i++)
            p->hashes[i] = resized(p, p->hashes[i], sizeof(uint64_t) * (size_t)cap);
        if (p->failed)
            return false;
        p->cap = cap;
    }
    memcpy(p->moves, moves, sizeof *moves * (size_t)n);
    p->count = n;
    return true;
}

// All tests on the position, then one random move. 1, 0 if the game is over, -1 on a fault.
static int probe_ply(Probe *p) {
    const Move *moves;
    int n = runner_moves(p->r, p->state, &moves);
    if (n < 0 || runner_result(p->r, p->state) < 0) {
        runner_failed(p);
        return -1;
    }
    n = runner_moves(p->r, p->state, &moves);
    if (!keep_moves(p, moves, n) || !check_state_text(p) || !check_names(p))
        return -1;
    if (has_symmetry(p->game) && !check_symmetry(p))
        return -1;
    if (n == 0 || must_stop(p))
        return 0;
    Move move = p->moves[rng_below(&p->rng, (uint64_t)n)];
    if (!check_move_text(p, move))
        return -1;
    if (!runner_apply(p->r, p->state, move, p->copy)) {
        runner_failed(p);
        return -1;
    }
    memcpy(p->state, p->copy, (size_t)game_state_size(p->game));
    return 1;
}

static void play_games(Probe *p, ProbeFindings *found) {
    size_t size = (size_t)game_state_size(p->game);
    while (p->limits.games == 0 || found->games < p->limits.games) {
        memcpy(p->state, p->game->start, size);
        int plies = 0, more = 1;
        while (more > 0 && plies < PROBE_PLIES) {
            if (must_stop(p))
                return;
            more = probe_ply(p);
            plies += more > 0;
            found->plies += more > 0;
            found->longest = plies > found->longest ? plies : found->longest;
        }
        if (more < 0 || (more == 0 && p->count > 0)) // a fault, or stopped within a position
            return;
        found->games++;
        found->ended += more == 0;
    }
}

bool probe_game(const Game *g, ProbeLimits limits, ProbeFindings *findings, Diags *diags) {
    *findings = (ProbeFindings){0};
    Probe p = {.game = g, .diags = diags, .limits = limits, .since = now_seconds()};
    p.r = runner_new(g);
    p.state = mem_alloc((size_t)game_state_size(g));
    p.copy = mem_alloc((size_t)game_state_size(g));
    rng_seed(&p.rng, limits.seed);
    if (p.r && p.state && p.copy)
        play_games(&p, findings);
    else
        out_of_memory(&p);
    runner_free(p.r);
    mem_free(p.state);
    mem_free(p.copy);
    mem_free(p.moves);
    mem_free(p.hashes[0]);
    mem_free(p.hashes[1]);
    return !p.failed;
}
