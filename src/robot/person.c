// person: which legal move explains what a camera sees; see robot.h.
//
// Every content of a cell has a cost: how much less likely it is than what the cell looks like
// most, as a logarithm. A board costs what its cells cost together. Only the board counts: what was
// taken people put anywhere.
#include "robot/person_parts.h"

#include "base/mem.h"
#include "game/statetext.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIT 3.0       // a cell is not what it looks 20 times less like than something else
#define MARGIN 3.0    // of two boards one is certain if it is 20 times more likely
#define COST_MOST 9.0 // one cell does not outweigh all others

static float cost_of(const Person *p, int cell, uint8_t kind) {
    int at = kind == SCENE_NOTHING ? p->kinds : kind;
    return p->cost[cell * (p->kinds + 1) + at];
}

static void note_costs(Person *p, const Sight *sight) {
    for (int c = 0; c < p->cells; c++) {
        const float *support = sight->seen[c].support;
        float best = support[VIEW_KINDS];
        for (int k = 0; k < p->kinds; k++)
            best = fmaxf(best, support[k]);
        p->seen[c] = SCENE_NOTHING;
        for (int k = 0; k <= p->kinds; k++) {
            float cost = best - support[k == p->kinds ? VIEW_KINDS : k];
            // Not a number: the picture says nothing about it.
            p->cost[c * (p->kinds + 1) + k] = cost >= 0 ? fminf(cost, COST_MOST) : 0;
            if (k < p->kinds && support[k] >= best && support[k] > support[VIEW_KINDS])
                p->seen[c] = (uint8_t)k;
        }
    }
}

static void note_tops(const Person *p, const uint8_t *state, uint8_t *top) {
    for (int c = 0; c < p->cells; c++) {
        int height = state_height(p->game, state, c);
        top[c] = height ? (uint8_t)state_plane(p->game, state, c, height - 1) : SCENE_NOTHING;
    }
}

static double board_cost(const Person *p, const uint8_t *top, double *worst) {
    double sum = 0;
    *worst = 0;
    for (int c = 0; c < p->cells; c++) {
        double cost = cost_of(p, c, top[c]);
        sum += cost;
        *worst = fmax(*worst, cost);
    }
    return sum;
}

bool person_play(Person *p, Move move) {
    if (!runner_apply(p->runner, p->state, move, p->next))
        return false;
    note_tops(p, p->next, p->after);
    return true;
}

static int compare(const void *a, const void *b) {
    const Candidate *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return x->order - y->order;
}

static bool weigh_moves(Person *p, Text *why) {
    const Move *moves;
    int n = runner_moves(p->runner, p->state, &moves);
    p->move = n > 0 ? mem_alloc(sizeof *p->move * (size_t)n) : NULL;
    if (n > 0 && !p->move) {
        text_add(why, "out of memory");
        return false;
    }
    for (int i = 0; i < n; i++)
        p->move[i] = (Candidate){.move = moves[i], .order = i};
    bool ok = n >= 0;
    for (int i = 0; i < n && ok; i++) {
        Candidate *c = &p->move[i];
        ok = person_play(p, c->move);
        if (ok) {
            c->cost = board_cost(p, p->after, &c->worst);
            c->key = game_hash(p->game, p->next);
        }
    }
    if (!ok) {
        text_add(why, runner_error(p->runner));
        return false;
    }
    p->moves = n;
    if (n > 0)
        qsort(p->move, (size_t)n, sizeof *p->move, compare);
    return true;
}

// The best that lead to different positions.
static void name_best(const Person *p, PersonMove *found) {
    uint64_t key[3];
    for (int i = 0; i < p->moves && found->bests < 3; i++) {
        const Candidate *c = &p->move[i];
        bool known = c->worst >= FIT;
        for (int j = 0; j < found->bests; j++)
            known = known || key[j] == c->key;
        if (!known) {
            key[found->bests] = c->key;
            found->best[found->bests++] = c->move;
        }
    }
}

// How much likelier the best is than the next that leads elsewhere.
static double lead(const Person *p) {
    for (int i = 1; i < p->moves; i++)
        if (p->move[i].key != p->move[0].key)
            return p->move[i].cost - p->move[0].cost;
    return COST_MOST;
}

static bool decide(Person *p, PersonMove *found, Text *why) {
    double worst, before = board_cost(p, p->before, &worst);
    const Candidate *best = p->moves ? &p->move[0] : NULL;
    bool still = worst < FIT, fits = best && best->worst < FIT;
    if (still && (!fits || best->cost >= before)) {
        bool sure = !fits || best->cost - before >= MARGIN || best->cost == before;
        found->found = sure ? PERSON_NOTHING : PERSON_UNSURE;
    } else if (fits) {
        bool sure = lead(p) >= MARGIN && !(still && before - best->cost < MARGIN);
        found->found = sure ? PERSON_MOVE : PERSON_UNSURE;
        found->move = best->move;
    } else if (person_half(p, why)) {
        found->found = PERSON_HALF;
    } else {
        found->found = PERSON_WRONG;
        return person_wrong(p, why);
    }
    if (found->found == PERSON_UNSURE)
        name_best(p, found);
    return true;
}

bool person_find(const Table *t, Runner *r, const uint8_t *state, const Sight *sight,
                 PersonMove *found, Text *why) {
    *found = (PersonMove){.found = PERSON_NOTHING};
    Person p = {.table = t,
                .game = t->game,
                .runner = r,
                .state = state,
                .cells = t->cells,
                .kinds = t->kinds};
    size_t cells = (size_t)p.cells;
    p.cost = mem_alloc(sizeof *p.cost * cells * (size_t)(p.kinds + 1));
    p.seen = mem_alloc(3 * cells);
    p.next = mem_alloc((size_t)game_state_size(t->game));
    bool ok = p.cost && p.seen && p.next && sight->places >= t->cells;
    if (!ok) {
        text_add(why, p.cost && p.seen && p.next ? "the picture does not show the whole board"
                                                 : "out of memory");
    } else {
        p.before = p.seen + cells;
        p.after = p.before + cells;
        note_costs(&p, sight);
        note_tops(&p, state, p.before);
        ok = weigh_moves(&p, why) && decide(&p, found, why);
    }
    mem_free(p.cost);
    mem_free(p.seen);
    mem_free(p.next);
    mem_free(p.move);
    return ok;
}
