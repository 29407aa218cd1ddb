// plan_steps: which pieces go where, in which order; see plan.h.
//
// A pile of the board is right from its foot up to the first difference. What stands above that is
// *surplus* and has to go; what the state has there is a *need*. A surplus piece that is needed
// elsewhere goes there, in one step; of a kind that has more surplus than needs the rest goes to
// stores, of one that has more needs the rest comes from stores. Only the top of a pile can go, and
// a need is open only when nothing wrong is below it: where that blocks every step (circles, piles
// that are carried in order), a piece is put aside.
#include "robot/plan.h"

#include <math.h>
#include <string.h>

#define NOWHERE (-1)

typedef struct Work {
    const Table *t;
    Scene now, goal;
    int right[BOARD_MAX_CELLS];  // levels of each cell that are right
    int height[BOARD_MAX_CELLS]; // of each cell now
    int surplus[VIEW_KINDS], needs[VIEW_KINDS];
    Plan *plan;
    Text *why;
} Work;

void plan_free(Plan *p) {
    mem_free(p->step);
    *p = (Plan){0};
}

bool scene_step(Scene *s, const Step *step) {
    const Table *t = s->table;
    if (step->from < 0 || step->from >= t->sites || step->to < 0 || step->to >= t->sites ||
        step->from == step->to || step->kind < 0 || step->kind >= t->kinds)
        return false;
    const Site *to = &t->site[step->to];
    int height = scene_height(s, step->to);
    if (scene_top(s, step->from) != step->kind || height >= to->room || height >= SCENE_LEVELS ||
        !(to->takes >> step->kind & 1))
        return false;
    s->kind[step->from * SCENE_LEVELS + scene_height(s, step->from) - 1] = SCENE_NOTHING;
    s->kind[step->to * SCENE_LEVELS + height] = (uint8_t)step->kind;
    return true;
}

void step_text(const Table *t, const Step *step, Text *out) {
    text_f(out, "%s from %s to %s", t->kind[step->kind].name, t->site[step->from].name,
           t->site[step->to].name);
}

// --- what is to be done ---

static int kind_at(const Scene *s, int site, int level) {
    return level < SCENE_LEVELS ? s->kind[site * SCENE_LEVELS + level] : SCENE_NOTHING;
}

static void compare(Work *w) {
    memset(w->surplus, 0, sizeof w->surplus);
    memset(w->needs, 0, sizeof w->needs);
    for (int c = 0; c < w->t->cells; c++) {
        int level = 0;
        while (kind_at(&w->now, c, level) != SCENE_NOTHING &&
               kind_at(&w->now, c, level) == kind_at(&w->goal, c, level))
            level++;
        w->right[c] = level;
        w->height[c] = scene_height(&w->now, c);
        for (int i = level; kind_at(&w->now, c, i) != SCENE_NOTHING; i++)
            w->surplus[kind_at(&w->now, c, i)]++;
        for (int i = level; kind_at(&w->goal, c, i) != SCENE_NOTHING; i++)
            w->needs[kind_at(&w->goal, c, i)]++;
    }
}

static bool has_surplus(const Work *w, int cell) {
    return w->height[cell] > w->right[cell];
}

// The kind that a cell waits for, if nothing wrong stands there.
static int open_need(const Work *w, int cell) {
    return has_surplus(w, cell) ? SCENE_NOTHING : kind_at(&w->goal, cell, w->right[cell]);
}

// Pieces have to come here, as soon as others have gone.
static bool waits(const Work *w, int cell) {
    return kind_at(&w->goal, cell, w->right[cell]) != SCENE_NOTHING;
}

static double apart(const Work *w, int a, int b) {
    const Site *s = w->t->site;
    return hypot(s[a].at.x - s[b].at.x, s[a].at.y - s[b].at.y);
}

// --- stores ---

// How well a store suits a piece: 0 for its own kind, and the more the worse it is to have it
// there.
static double store_cost(const Work *w, int site, int kind, int from) {
    const Site *s = &w->t->site[site];
    int top = scene_top(&w->now, site);
    double cost = apart(w, from, site);
    if (s->takes != (uint64_t)1 << kind)
        cost += 1000; // others may need it
    if (top != SCENE_NOTHING && top != kind)
        cost += 100000; // it would be on top of what may be needed first
    return cost;
}

static int free_store(const Work *w, int kind, int from) {
    int best = NOWHERE;
    double least = HUGE_VAL;
    for (int i = w->t->cells; i < w->t->sites; i++) {
        const Site *s = &w->t->site[i];
        if (i == from || !(s->takes >> kind & 1) || scene_height(&w->now, i) >= s->room)
            continue;
        double cost = store_cost(w, i, kind, from);
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

// Where a piece can be put aside: a store, else a cell that nobody waits for.
static int aside(const Work *w, int kind, int from) {
    int store = free_store(w, kind, from), best = NOWHERE;
    if (store != NOWHERE)
        return store;
    for (int c = 0; c < w->t->cells; c++)
        if (w->height[c] == 0 && !waits(w, c) &&
            (best == NOWHERE || apart(w, from, c) < apart(w, from, best)))
            best = c;
    return best;
}

static int store_with(const Work *w, int kind, int to) {
    int best = NOWHERE;
    for (int i = w->t->cells; i < w->t->sites; i++)
        if (scene_top(&w->now, i) == kind &&
            (best == NOWHERE || apart(w, i, to) < apart(w, best, to)))
            best = i;
    return best;
}

// The store in which a piece of a kind has the fewest on top of it.
static int store_buried(const Work *w, int kind) {
    int best = NOWHERE, least = SCENE_LEVELS;
    for (int i = w->t->cells; i < w->t->sites; i++) {
        int height = scene_height(&w->now, i);
        for (int level = 0; level < height; level++)
            if (kind_at(&w->now, i, level) == kind && height - level < least) {
                least = height - level;
                best = i;
            }
    }
    return best;
}

// --- steps ---

static bool out_of_memory(Work *w) {
    text_add(w->why, "out of memory");
    return false;
}

static bool take_step(Work *w, int from, int to) {
    Plan *p = w->plan;
    if (p->steps == p->cap) {
        int cap = p->cap ? 2 * p->cap : 16;
        Step *grown = mem_resize(p->step, (size_t)cap * sizeof *grown);
        if (!grown)
            return out_of_memory(w);
        p->step = grown;
        p->cap = cap;
    }
    Step step = {from, to, scene_top(&w->now, from)};
    if (!scene_step(&w->now, &step)) {
        text_f(w->why, "%s cannot take another piece", w->t->site[to].name);
        return false;
    }
    p->step[p->steps++] = step;
    return true;
}

typedef enum Done { DONE_NOTHING, DONE_STEP, DONE_FAILED } Done;

static Done step_done(Work *w, int from, int to) {
    return take_step(w, from, to) ? DONE_STEP : DONE_FAILED;
}

static Done no_store(Work *w, int cell) {
    text_f(w->why, "there is no free store for the %s on %s",
           w->t->kind[scene_top(&w->now, cell)].name, w->t->site[cell].name);
    return DONE_FAILED;
}

// What is taken goes first: pieces that nobody needs, and those that are too many and in the way.
static Done take_off(Work *w, bool in_the_way) {
    for (int c = 0; c < w->t->cells; c++) {
        if (!has_surplus(w, c))
            continue;
        int kind = scene_top(&w->now, c);
        bool spare = w->surplus[kind] > w->needs[kind];
        if (!spare || (in_the_way && w->needs[kind] > 0 && !waits(w, c)))
            continue;
        int to = free_store(w, kind, c);
        if (to != NOWHERE)
            return step_done(w, c, to);
        if (!in_the_way) // other steps may make room
            return no_store(w, c);
    }
    return DONE_NOTHING;
}

// From where it is wrong to where it is right, the shortest way first.
static Done move_over(Work *w) {
    int from = NOWHERE, to = NOWHERE;
    for (int c = 0; c < w->t->cells; c++) {
        int kind = open_need(w, c);
        for (int d = 0; kind != SCENE_NOTHING && d < w->t->cells; d++)
            if (has_surplus(w, d) && scene_top(&w->now, d) == kind &&
                (from == NOWHERE || apart(w, d, c) < apart(w, from, to) - 1e-9)) {
                from = d;
                to = c;
            }
    }
    return from == NOWHERE ? DONE_NOTHING : step_done(w, from, to);
}

static Done missing(Work *w, int kind, int cell) {
    text_f(w->why, "%s should get a %s, but there is none left beside the board",
           w->t->site[cell].name, w->t->kind[kind].name);
    return DONE_FAILED;
}

static Done dig(Work *w, int kind, int cell) {
    int store = store_buried(w, kind);
    if (store == NOWHERE)
        return missing(w, kind, cell);
    int to = aside(w, scene_top(&w->now, store), store);
    if (to != NOWHERE)
        return step_done(w, store, to);
    text_f(w->why, "the %s in %s is below others, and there is no free store for them",
           w->t->kind[kind].name, w->t->site[store].name);
    return DONE_FAILED;
}

static Done bring(Work *w) {
    for (int c = 0; c < w->t->cells; c++) {
        int kind = open_need(w, c);
        if (kind == SCENE_NOTHING || w->needs[kind] <= w->surplus[kind])
            continue;
        int from = store_with(w, kind, c);
        return from == NOWHERE ? dig(w, kind, c) : step_done(w, from, c);
    }
    return DONE_NOTHING;
}

// How many pieces have to be put aside here until something else can go on: a piece comes up that
// has an open place, or the cell is clear for what waits.
static int pieces_above(const Work *w, int cell) {
    for (int level = w->height[cell] - 1; level >= w->right[cell]; level--)
        for (int c = 0; c < w->t->cells; c++)
            if (open_need(w, c) == kind_at(&w->now, cell, level))
                return w->height[cell] - 1 - level;
    return waits(w, cell) ? w->height[cell] - w->right[cell] : SCENE_LEVELS;
}

static Done put_aside(Work *w) {
    int best = NOWHERE, least = SCENE_LEVELS + 1;
    for (int c = 0; c < w->t->cells; c++)
        if (has_surplus(w, c) && pieces_above(w, c) < least) {
            least = pieces_above(w, c);
            best = c;
        }
    if (best == NOWHERE)
        return DONE_NOTHING;
    int to = aside(w, scene_top(&w->now, best), best);
    return to == NOWHERE ? no_store(w, best) : step_done(w, best, to);
}

static Done next_step(Work *w) {
    Done done = take_off(w, true);
    if (done == DONE_NOTHING)
        done = move_over(w);
    if (done == DONE_NOTHING)
        done = bring(w);
    if (done == DONE_NOTHING)
        done = take_off(w, false);
    if (done == DONE_NOTHING)
        done = put_aside(w);
    return done;
}

// Each piece moves a few times at most; more means that there is no way to put them aside.
static int most_steps(const Work *w) {
    int pieces = 8;
    for (int k = 0; k < w->t->kinds; k++)
        pieces += w->surplus[k] + w->needs[k];
    return 4 * pieces;
}

static bool find_steps(Work *w) {
    compare(w);
    for (int left = most_steps(w); left > 0; left--) {
        Done done = next_step(w);
        if (done != DONE_STEP)
            return done == DONE_NOTHING;
        compare(w);
    }
    text_add(w->why, "there are too few free places to put pieces aside");
    return false;
}

bool plan_to_state(Plan *p, const Scene *now, const uint8_t *state, Text *why) {
    Work w = {.t = now->table, .plan = p, .why = why};
    p->steps = 0;
    bool ok = scene_init(&w.now, w.t) && scene_init(&w.goal, w.t);
    if (ok) {
        scene_copy(&w.now, now);
        scene_of_state(&w.goal, state);
        ok = find_steps(&w);
    } else {
        out_of_memory(&w);
    }
    scene_free(&w.now);
    scene_free(&w.goal);
    return ok;
}
