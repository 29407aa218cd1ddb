// goal: how far a puzzle is from its goal, worked out of its rules; see evaluate.h.
//
// Three bounds, and the largest of them counts:
//
//     cells    What stands on a cell can be at odds with every way to win, whatever stands
//              elsewhere. All such cells have to change, and one move changes only so many.
//     travel   If a move does nothing to the board but bring one piece from one cell to an empty
//              one, every piece has to go, move by move, to a cell where it is not at odds with
//              winning. Which piece can go where in one move follows from the choices (travel.c).
//     demand   Then, too, a piece has to go to every cell that may not stay empty: for each the
//              nearest that can stand there.
//
// For sliding tiles the second is the sum of the ways of all tiles, the Manhattan distance. None
// is ever too large: where the rules are too difficult to see through, the numbers get smaller.
#include "search/evaluate.h"

#include "base/bits.h"
#include "game/statetext.h"
#include "search/travel.h"

#include <string.h>

// Contents of a cell, a piece with certain values of its attributes, that are told apart; times
// the cells that is the size of a table.
#define CONTENTS_MAX 4096
// Steps of guessing for one question, and for all: a second or so. What is left is open.
#define GUESS_STEPS 100000L
#define GUESS_STEPS_ALL 20000000L

typedef struct Goal {
    int cells;
    int first[IR_MAX_KINDS * (IR_MAX_PLAYERS + 1)]; // by plane: its first content; 0 is empty
    int contents;
    uint8_t *odds;   // [content * cells + cell]: 1 if it is at odds with winning
    uint16_t *way;   // likewise: moves to a cell where it is not; NULL: not known
    uint16_t *reach; // [(plane * cells + to) * cells + from]: moves of a piece; with `way`
    int changes;     // cells that one move changes at most
} Goal;

// --- contents ---

static int attribute_values(const IrAttr *a) {
    return a->type.kind == TY_BOOL ? 2 : a->hi - a->lo + 1;
}

// How many contents a plane has; CONTENTS_MAX + 1 if too many.
static int contents_of(const IrGame *ir, int plane) {
    const IrKind *kind = &ir->kind[ir->plane[plane].kind];
    int64_t n = 1;
    for (int a = 0; a < ir->attrs && n <= CONTENTS_MAX; a++)
        if (kind->attributes >> a & 1)
            n *= attribute_values(&ir->attr[a]);
    return n > CONTENTS_MAX ? CONTENTS_MAX + 1 : (int)n;
}

static void values_of(const IrGame *ir, int plane, int number, int64_t *values) {
    const IrKind *kind = &ir->kind[ir->plane[plane].kind];
    for (int a = 0; a < ir->attrs; a++) {
        values[a] = 0;
        if (!(kind->attributes >> a & 1))
            continue;
        int n = attribute_values(&ir->attr[a]);
        values[a] = (ir->attr[a].type.kind == TY_BOOL ? 0 : ir->attr[a].lo) + number % n;
        number /= n;
    }
}

static int number_of(const Game *g, const uint8_t *state, int plane, int cell) {
    const IrGame *ir = g->ir;
    const IrKind *kind = &ir->kind[ir->plane[plane].kind];
    int number = 0, factor = 1;
    for (int a = 0; a < ir->attrs; a++) {
        if (!(kind->attributes >> a & 1))
            continue;
        int64_t value = state_attribute(g, state, a, cell);
        value -= ir->attr[a].type.kind == TY_BOOL ? 0 : ir->attr[a].lo;
        number += factor * (int)value;
        factor *= attribute_values(&ir->attr[a]);
    }
    return number;
}

// --- what is at odds with winning ---

static bool can_win_with(const IrGame *ir, GuessCell known, const GuessFrame *frame, long *steps) {
    bool can = false;
    for (int i = 0; i < ir->end.count && !can; i++) {
        const IrRule *rule = &ir->end.rule[i];
        long most = *steps < GUESS_STEPS ? *steps : GUESS_STEPS;
        Guesser gs = {.game = ir, .known = {known}, .known_count = 1, .steps = most};
        if (rule->outcome == OUT_WINS)
            can = !rule->cond || guess_can_hold(&gs, frame, rule->cond);
        *steps -= most - gs.steps;
    }
    return can;
}

static bool find_odds(const IrGame *ir, Goal *goal) {
    GuessFrame *frame = mem_alloc(sizeof *frame);
    int64_t *values = mem_alloc(sizeof *values * (size_t)(ir->attrs + 1));
    bool ok = frame && values;
    long steps = GUESS_STEPS_ALL;
    for (int i = 0; ok && i < GUESS_SLOTS; i++)
        guess_open(&frame->local[i]);
    for (int plane = -1; ok && plane < ir->planes; plane++) {
        int n = plane < 0 ? 1 : contents_of(ir, plane);
        for (int k = 0; k < n; k++) {
            if (plane >= 0)
                values_of(ir, plane, k, values);
            uint8_t *odds = goal->odds + ((plane < 0 ? 0 : goal->first[plane]) + k) * goal->cells;
            for (int c = 0; c < goal->cells; c++)
                odds[c] = !can_win_with(ir, (GuessCell){c, plane, values}, frame, &steps);
        }
    }
    mem_free(frame);
    mem_free(values);
    return ok;
}

// --- ways ---

// Moves from every cell by a plane's steps to the nearest of those that are marked 0 in `odds`:
// breadth first, backwards.
static void find_ways(int n, const uint8_t *steps, const uint8_t *odds, uint16_t *way, int *queue) {
    int head = 0, tail = 0;
    for (int c = 0; c < n; c++) {
        way[c] = odds[c] ? TRAVEL_NEVER : 0;
        if (!odds[c])
            queue[tail++] = c;
    }
    while (head < tail) {
        int to = queue[head++];
        for (int from = 0; from < n; from++) {
            if (!steps[from * n + to] || way[from] != TRAVEL_NEVER)
                continue;
            way[from] = (uint16_t)(way[to] + 1);
            queue[tail++] = from;
        }
    }
}

// For one plane: the ways of its contents, and those to each single cell.
static void set_plane(const IrGame *ir, Goal *goal, int plane, const uint8_t *steps, uint8_t *all,
                      int *queue) {
    int n = goal->cells;
    for (int k = goal->first[plane]; k < goal->first[plane] + contents_of(ir, plane); k++)
        find_ways(n, steps, goal->odds + k * n, goal->way + k * n, queue);
    for (int to = 0; to < n; to++) {
        memset(all, 1, (size_t)n);
        all[to] = 0;
        find_ways(n, steps, all, goal->reach + (plane * n + to) * n, queue);
    }
}

static bool set_ways(const IrGame *ir, Goal *goal) {
    uint8_t *steps = travel_steps(ir);
    if (!steps)
        return true; // the bound by cells remains
    size_t n = (size_t)goal->cells;
    int *queue = mem_alloc(sizeof *queue * n);
    uint8_t *all = mem_alloc(n);
    goal->way = mem_alloc(sizeof *goal->way * n * (size_t)goal->contents);
    goal->reach = mem_alloc(sizeof *goal->reach * n * n * (size_t)ir->planes);
    bool ok = queue && all && goal->way && goal->reach;
    for (int p = 0; ok && p < ir->planes; p++)
        set_plane(ir, goal, p, steps + (size_t)p * n * n, all, queue);
    mem_free(queue);
    mem_free(all);
    mem_free(steps);
    return ok;
}

// --- making ---

static bool win_only_by_condition(const IrGame *ir) {
    const IrRules *all[] = {&ir->end, &ir->stuck, &ir->all_stuck};
    bool some = false;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < all[i]->count; k++) {
            IrOutcome outcome = all[i]->rule[k].outcome;
            bool wins = outcome == OUT_WINS || outcome == OUT_MOST || outcome == OUT_LEAST;
            if (wins && (i > 0 || outcome != OUT_WINS))
                return false;
            some = some || wins;
        }
    }
    return some;
}

static bool says_something(const Goal *goal) {
    for (int i = 0; i < goal->contents * goal->cells; i++)
        if (goal->odds[i])
            return true;
    return false;
}

static bool count_contents(const IrGame *ir, Goal *goal) {
    goal->cells = ir->board->cells;
    goal->contents = 1;
    for (int p = 0; p < ir->planes; p++) {
        goal->first[p] = goal->contents;
        goal->contents += contents_of(ir, p);
        if (goal->contents > CONTENTS_MAX)
            return false;
    }
    return true;
}

bool evaluate_goal_begin(Evaluation *e, Text *why) {
    const IrGame *ir = e->game->ir;
    Goal *goal = mem_alloc(sizeof *goal);
    e->own = goal;
    if (!goal) {
        text_add(why, "out of memory");
        return false;
    }
    bool fits = ir->players == 1 && ir->board->stack == 1 && win_only_by_condition(ir) &&
                count_contents(ir, goal);
    if (!fits) {
        text_add(why, ir->players == 1 ? "not available for this game: its goal is no condition "
                                         "on what stands where"
                                       : "not available for this game: it is no puzzle");
        return false;
    }
    goal->changes = travel_changes(ir);
    goal->odds = mem_alloc((size_t)goal->contents * (size_t)goal->cells);
    if (!goal->odds || !find_odds(ir, goal) || !set_ways(ir, goal)) {
        text_add(why, "out of memory");
        return false;
    }
    if (says_something(goal))
        return true;
    text_add(why, "not available for this game: its goal is too difficult to see through");
    return false;
}

void evaluate_goal_end(Evaluation *e) {
    Goal *goal = e->own;
    if (goal) {
        mem_free(goal->odds);
        mem_free(goal->way);
        mem_free(goal->reach);
    }
    mem_free(goal);
}

// --- asking ---

typedef struct Piece {
    int16_t cell, plane;
    int content;
} Piece;

static int list_pieces(const Game *g, const Goal *goal, const uint8_t *state, Piece *list) {
    int n = 0;
    for (int p = 0; p < g->ir->planes; p++) {
        for (int w = 0; w < g->ir->board->words; w++) {
            uint64_t set;
            memcpy(&set, state + g->ir->plane[p].offset + 8 * w, sizeof set);
            while (set) {
                int cell = 64 * w + bits_pop(&set);
                int content = goal->first[p] + number_of(g, state, p, cell);
                list[n++] = (Piece){(int16_t)cell, (int16_t)p, content};
            }
        }
    }
    return n;
}

static int sum_of_ways(const Goal *goal, const Piece *list, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int way = goal->way[list[i].content * goal->cells + list[i].cell];
        if (way == TRAVEL_NEVER)
            return TRAVEL_NEVER;
        sum += way;
    }
    return sum;
}

static int sum_of_demands(const Goal *goal, const Piece *list, int n) {
    int sum = 0, cells = goal->cells;
    for (int c = 0; c < cells; c++) {
        int nearest = TRAVEL_NEVER;
        for (int i = 0; goal->odds[c] && i < n; i++) {
            int way = goal->reach[(list[i].plane * cells + c) * cells + list[i].cell];
            if (way < nearest && !goal->odds[list[i].content * cells + c])
                nearest = way;
        }
        if (goal->odds[c] && nearest == TRAVEL_NEVER)
            return TRAVEL_NEVER;
        sum += goal->odds[c] ? nearest : 0;
    }
    return sum;
}

int evaluate_goal_distance(const Evaluation *e, Runner *r, const uint8_t *state) {
    (void)r;
    const Goal *goal = e->own;
    Piece list[BOARD_MAX_CELLS];
    int n = list_pieces(e->game, goal, state, list), odds = 0;
    for (int c = 0; c < goal->cells; c++)
        odds += goal->odds[c]; // as if it were empty
    for (int i = 0; i < n; i++)
        odds += goal->odds[list[i].content * goal->cells + list[i].cell] - goal->odds[list[i].cell];
    int most = (odds + goal->changes - 1) / goal->changes;
    if (goal->way) {
        int ways = sum_of_ways(goal, list, n), demands = sum_of_demands(goal, list, n);
        most = ways > most ? ways : most;
        most = demands > most ? demands : most;
    }
    return most < TRAVEL_NEVER ? most : TRAVEL_NEVER;
}

Value evaluate_goal(const Evaluation *e, Runner *r, const uint8_t *state, int player) {
    (void)player;
    return -10 * evaluate_goal_distance(e, r, state);
}
