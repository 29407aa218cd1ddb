// forcing: see forcing.h.
#include "search/forcing.h"

#include "base/bits.h"
#include "base/mem.h"

#include <string.h>

#define WATCH_GAMES 4
#define WATCH_PLIES 100
#define WATCH_MOVES 24 // of a position: some games have thousands
#define OFTEN 0.4      // of the moves: more than that is the usual course of the game

static uint64_t word_of(const uint8_t *state, const IrPlane *plane, int word) {
    uint64_t w;
    memcpy(&w, state + plane->offset + 8 * word, sizeof w);
    return w;
}

// Whether the others than the player on move before have fewer pieces after. Mostly these stand
// where they stood, and need not be counted.
static bool loses_pieces(const Forcing *f, const uint8_t *before, const uint8_t *after) {
    const IrGame *ir = f->game->ir;
    int player = game_player(f->game, before), words = ir->board->words, more = 0;
    for (int i = 0; i < ir->planes; i++) {
        const IrPlane *p = &ir->plane[i];
        for (int k = 0; k < words && p->owner != player && p->owner != ir->players; k++) {
            uint64_t a = word_of(before, p, k), b = word_of(after, p, k);
            if (a != b)
                more += bits_count(b) - bits_count(a);
        }
    }
    return more < 0;
}

static bool field_changes(const struct ForcingField *field, const uint8_t *a, const uint8_t *b) {
    return memcmp(a + field->offset, b + field->offset, (size_t)field->size) != 0;
}

bool forcing_is(const Forcing *f, const uint8_t *before, const uint8_t *after) {
    if (f->pieces && loses_pieces(f, before, after))
        return true;
    for (int i = 0; i < f->fields; i++)
        if (field_changes(&f->field[i], before, after))
            return true;
    return false;
}

// --- watching ---

typedef struct Watch {
    Forcing all; // every candidate
    int moves, lost, changed[FORCING_FIELDS];
    int answered;      // moves that took something, where the next could take, too
    bool took;         // the last move did
    bool again;        // somebody moved twice
    int taking, mixed; // positions with a taking move; of these, with other moves besides
    int some[FORCING_FIELDS], some_mixed[FORCING_FIELDS]; // the same about numbers
    uint8_t *state, *next;
} Watch;

static void list_candidates(Forcing *f) {
    const IrGame *ir = f->game->ir;
    for (int i = 0; i < ir->vars && f->fields < FORCING_FIELDS; i++) {
        const IrVar *v = &ir->var[i];
        if (!v->clock && v->type.kind == TY_INT && v->indexed && v->index.kind == TY_PLAYER)
            f->field[f->fields++] = (struct ForcingField){v->offset, v->width * v->count};
    }
}

static void count_position(int times, int seen, int *some, int *mixed) {
    *some += times > 0;
    *mixed += times > 0 && times < seen;
}

// What some, and what all, moves of the position do.
static bool watch_position(Watch *w, Runner *r) {
    const Move *moves;
    int n = runner_moves(r, w->state, &moves), taking = 0, seen = 0;
    int changing[FORCING_FIELDS] = {0};
    int step = n > WATCH_MOVES ? n / WATCH_MOVES : 1;
    for (int i = 0; i < n; i += step, seen++) {
        if (!runner_apply(r, w->state, moves[i], w->next))
            return false;
        taking += loses_pieces(&w->all, w->state, w->next);
        for (int k = 0; k < w->all.fields; k++)
            changing[k] += field_changes(&w->all.field[k], w->state, w->next);
    }
    count_position(taking, seen, &w->taking, &w->mixed);
    w->answered += w->took && taking > 0;
    for (int k = 0; k < w->all.fields; k++)
        count_position(changing[k], seen, &w->some[k], &w->some_mixed[k]);
    return n >= 0;
}

// One move; 0 at the end of the game, -1 on a fault.
static int watch_move(Watch *w, Runner *r, Rng *rng) {
    Move move;
    if (!watch_position(w, r))
        return -1;
    int found = runner_random(r, w->state, rng_next(rng), &move);
    if (found != 1)
        return found;
    if (!runner_apply(r, w->state, move, w->next))
        return -1;
    w->moves++;
    w->took = loses_pieces(&w->all, w->state, w->next);
    w->lost += w->took;
    bool over = w->next[w->all.game->ir->layout.result];
    int player = game_player(w->all.game, w->state);
    w->again = w->again || (!over && game_player(w->all.game, w->next) == player);
    for (int i = 0; i < w->all.fields; i++)
        w->changed[i] += field_changes(&w->all.field[i], w->state, w->next);
    uint8_t *state = w->state;
    w->state = w->next;
    w->next = state;
    return 1;
}

static bool tells(const Watch *w, int times) {
    return times > 0 && times < OFTEN * w->moves;
}

static void conclude(const Watch *w, Forcing *f) {
    // On boards with stacks only the pieces on top are counted; what is covered is not lost.
    f->pieces = f->game->ir->board->stack == 1 && tells(w, w->lost);
    f->again = w->again;
    f->exchanges = f->pieces && 2 * w->answered >= w->lost;
    f->compulsory = f->pieces && w->taking > 0 && w->mixed == 0;
    // What every move does for a while, such as placing a piece from the hand, is no choice.
    for (int i = 0; i < w->all.fields; i++)
        if (tells(w, w->changed[i]) && 2 * w->some_mixed[i] >= w->some[i])
            f->field[f->fields++] = w->all.field[i];
}

bool forcing_begin(Forcing *f, const Game *game, Runner *r) {
    size_t size = (size_t)game_state_size(game);
    *f = (Forcing){.game = game};
    Watch w = {.all = {.game = game}};
    list_candidates(&w.all);
    w.state = mem_alloc(size);
    w.next = mem_alloc(size);
    bool ok = w.state && w.next;
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < WATCH_GAMES && ok && game->ir->players > 1; i++) {
        memcpy(w.state, game->start, size);
        int more = 1;
        w.took = false;
        for (int ply = 0; ply < WATCH_PLIES && more > 0; ply++)
            more = watch_move(&w, r, &rng);
    }
    if (ok)
        conclude(&w, f);
    mem_free(w.state);
    mem_free(w.next);
    return ok;
}
