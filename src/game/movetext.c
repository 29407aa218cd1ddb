// movetext: moves as text, and choice by choice; see movetext.h for the contract. Reading is in
// moveread.c.
#include "game/movetext.h"

#include "game/move_parts.h"
#include "game/statetext.h"

#include <stdlib.h>
#include <string.h>

// --- writing ---

static const char *label_of(const IrSite *s, int64_t value) {
    return value >= s->lo && value <= s->hi ? s->labels[value - s->lo] : "?";
}

void move_add_choice(const IrGame *ir, int site, int64_t value, Text *out) {
    const IrSite *s = &ir->site[site];
    if (s->labels)
        text_add(out, label_of(s, value));
    else
        value_text(ir, s->type, value, out);
}

bool move_choice_shown(const IrGame *ir, VmChoice c) {
    const IrSite *site = &ir->site[c.site];
    return !site->labels || label_of(site, c.value)[0];
}

void move_add_choices(const IrGame *ir, const VmChoice *choices, int n, bool bare, Text *out) {
    size_t start = out->n;
    for (int i = 0; i < n; i++) {
        if (!move_choice_shown(ir, choices[i]))
            continue;
        const IrSite *site = &ir->site[choices[i].site];
        bool leading = out->n == start && strcmp(site->before, "-") == 0;
        if (bare)
            text_add(out, out->n == start ? "" : " ");
        else if (!leading)
            text_add(out, site->before);
        move_add_choice(ir, choices[i].site, choices[i].value, out);
        if (!bare)
            text_add(out, site->after);
    }
}

bool move_add(Runner *r, const uint8_t *state, Move move, bool bare, Text *out) {
    if (move_is_pass(move)) {
        text_add(out, "pass");
        return true;
    }
    VmChoice choices[VM_MAX_CHOICES];
    int n = vm_choices(r->vm, state, move, choices, VM_MAX_CHOICES);
    if (n < 0)
        return runner_fault(r);
    size_t start = out->n;
    move_add_choices(r->game->ir, choices, n, bare, out);
    if (out->n == start)
        text_add(out, "go"); // a turn without a choice
    return true;
}

bool move_add_brief(Runner *r, const uint8_t *state, Move move, Text *out) {
    const IrGame *ir = r->game->ir;
    VmChoice choices[VM_MAX_CHOICES];
    int n = move_is_pass(move) ? 0 : vm_choices(r->vm, state, move, choices, VM_MAX_CHOICES);
    if (n < 0)
        return runner_fault(r);
    int kept = 0;
    for (int i = 0; i < n; i++) {
        const IrSite *site = &ir->site[choices[i].site];
        if (!site->labels || ir_is_either(site))
            choices[kept++] = choices[i];
    }
    move_add_choices(ir, choices, kept, false, out);
    return true;
}

bool move_text(Runner *r, const uint8_t *state, Move move, Text *out) {
    return move_add(r, state, move, false, out);
}

bool move_continues(Runner *r, const uint8_t *state, Move move, const MoveBegun *begun) {
    Text bare = {0};
    size_t n = begun->words.n;
    bool yes = move_add(r, state, move, true, &bare) && bare.n > n &&
               memcmp(text_c(&bare), text_c(&begun->words), n) == 0;
    yes = yes && (n == 0 || text_c(&bare)[n] == ' ');
    text_free(&bare);
    return yes;
}

// --- choice by choice ---

static int compare_values(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// The values of the choice at bit `at` in those of the n moves that begin like `prefix`.
static int collect_values(Runner *r, int n, Move prefix, int at, const IrSite *site) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        Move m = r->moves[i];
        Move low = {{0, 0}};
        for (int bit = 0; bit < at; bit += 32) {
            int bits = at - bit < 32 ? at - bit : 32;
            move_put(&low, bit, move_get(m, bit, bits), bits);
        }
        if (move_equal(low, prefix))
            r->values[count++] = (int64_t)move_get(m, at, site->bits) + site->lo;
    }
    qsort(r->values, (size_t)count, sizeof *r->values, compare_values);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (kept == 0 || r->values[i] != r->values[kept - 1])
            r->values[kept++] = r->values[i];
    return kept;
}

static bool make_room(Runner *r, int n) {
    if (n <= r->value_cap)
        return true;
    int64_t *values = mem_resize(r->values, sizeof *values * (size_t)n);
    if (!values)
        return runner_fail(r, "out of memory");
    r->values = values;
    r->value_cap = n;
    return true;
}

int move_values(Runner *r, const uint8_t *state, Move move, int64_t *values, int cap) {
    if (move_is_pass(move))
        return 0;
    for (int i = 0, at = 0;; i++) {
        VmStop stop = vm_follow(r->vm, state, values, i);
        if (stop.kind == VM_DONE)
            return i;
        if (stop.kind != VM_ASKS || i == cap) {
            runner_fault(r);
            return -1;
        }
        const IrSite *site = &r->game->ir->site[stop.site];
        values[i] = (int64_t)move_get(move, at, site->bits) + site->lo;
        at += site->bits;
    }
}

bool move_options(Runner *r, const uint8_t *state, const int64_t *values, int count,
                  MoveOptions *out) {
    *out = (MoveOptions){0};
    // The bits of the choices made: the turn tells whose they are.
    Move prefix = {{0, 0}};
    int at = 0;
    VmStop stop;
    for (int i = 0;; i++) {
        stop = vm_follow(r->vm, state, values, i);
        if (stop.kind == VM_FAULT)
            return runner_fault(r);
        if (i == count || stop.kind != VM_ASKS)
            break;
        const IrSite *site = &r->game->ir->site[stop.site];
        if (values[i] < site->lo || values[i] > site->hi)
            return runner_fail(r, "%lld is not a value of the choice", (long long)values[i]);
        at = move_put(&prefix, at, (uint64_t)(values[i] - site->lo), site->bits);
    }
    const Move *moves;
    int n = runner_moves(r, state, &moves);
    if (n < 0)
        return false;
    if (n == 0)
        return runner_fail(r, "the game is over");
    if (count == 0 && move_is_pass(moves[0])) {
        out->complete = true;
        out->move = MOVE_PASS;
        return true;
    }
    if (stop.kind == VM_DONE) {
        out->complete = true;
        out->move = stop.move;
        return true;
    }
    if (stop.kind != VM_ASKS)
        return runner_fail(r, "no legal move begins with these choices");
    if (!make_room(r, n))
        return false;
    const IrSite *site = &r->game->ir->site[stop.site];
    out->site = stop.site;
    out->say = site->say;
    out->count = collect_values(r, n, prefix, at, site);
    out->values = r->values;
    return true;
}
