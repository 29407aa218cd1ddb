// Knowledge by the reference evaluator, against checks of the same things written in C: lines and
// forks of a mill, places of Domineering, groups by a flood fill. The order of clauses and literals
// changes nothing; reasons are well-founded; priorities follow the choices and the position before.
#include "bare_game.h"
#include "base/bits.h"
#include "base/rng.h"
#include "game/movetext.h"
#include "game/statetext.h"
#include "knowledge/knowledge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STATES 300 // random positions of each check

typedef struct Bench {
    Game *game;
    Runner *runner;
    Knowledge *k;
    const IrKnowledge *ir;
    Reasoner *reasoner;
    const Relations *found;
    Rng rng;
    uint64_t state[IR_MAX_STATE / 8];
} Bench;

static const char mill_game[] =
    "game \"Mill\"\n"
    "players White, Black\n"
    "board\n"
    "    lines\n"
    "        a7 d7 g7\n        b6 d6 f6\n        c5 d5 e5\n        a4 b4 c4\n"
    "        e4 f4 g4\n        c3 d3 e3\n        b2 d2 f2\n        a1 d1 g1\n"
    "        a7 a4 a1\n        b6 b4 b2\n        c5 c4 c3\n        d7 d6 d5\n"
    "        d3 d2 d1\n        e5 e4 e3\n        f6 f4 f2\n        g7 g4 g1\n"
    "piece man of White, Black\n"
    "var hand[player] : 0..9 = 9\n"
    "let milled(p) = some l in lines through p : l within men of owner(p)\n"
    "turn\n"
    "    if hand[me] > 0\n"
    "        choose to in empty\n"
    "        place man at to\n"
    "        hand[me] -= 1\n"
    "    else\n"
    "        choose from in mine\n"
    "        choose to in empty & next(from)\n"
    "        move from to to\n"
    "    if milled(to) and some theirs\n"
    "        choose victim in theirs\n"
    "        remove victim\n"
    "end\n"
    "    opponent loses when hand[opponent] == 0 and count theirs < 3\n"
    "when stuck\n"
    "    me loses\n";

static const char mill_knowledge[] =
    "facts\n"
    "    pair(p, l)  for p in players, l in lines where count(l & men of p) == 2 and "
    "count(l & empty) == 1\n"
    "    shut(p, l)  for p in players, l in lines where l within men of p\n"
    "rules\n"
    "    fork(p, c)  if pair(p, l), pair(p, k), l != k, c in l & k & empty\n"
    "    swing(p)    if shut(p, l), pair(p, k), a in l, b in k & empty, b in next(a)\n"
    "    calm(p)     if p in players, not pair(p, _), count shut(p, _) < 2\n"
    "worth\n"
    "    shut(me, _)  12  \"a mill\"\n"
    "    pair(me, _)   8  \"two in a line\"\n"
    "    fork(me, c)  20 + row(c)\n"
    "    swing(me)    60\n"
    "    opponent     -1\n"
    "prefer\n"
    "    times 8    if some l in lines through to : l within mine  \"closes a mill\"\n"
    "    times 7/2  if before (some l in lines through to : count(l & theirs) == 2)\n"
    "    times 3    if before no pair(me, _) and some pair(me, _)\n"
    "    times 1/3  if victim in cells and distance(from, to) == 1\n"
    "    times 2    if mover == opponent and before mover == me\n";

// --- the bench ---

static Bench *bench_of(const char *game, const char *knowledge) {
    Bench *b = calloc(1, sizeof *b);
    Diags diags = {0};
    Text text = {0};
    text_add(&text, game);
    text_add(&text, knowledge);
    b->game = game_compile("test.game", text.s, text.n, NULL, 0, &diags);
    if (!b->game) {
        text_clear(&text);
        diag_print(&diags, &text, false);
        print_error("%s\n", text_c(&text));
        fail();
    }
    text_free(&text);
    diag_free(&diags);
    b->runner = runner_new(b->game);
    b->k = knowledge_own(b->game);
    assert_non_null(b->k);
    b->ir = knowledge_ir(b->k);
    b->reasoner = reasoner_new(b->k);
    assert_non_null(b->reasoner);
    rng_seed(&b->rng, 11);
    memcpy(b->state, b->game->start, (size_t)game_state_size(b->game));
    return b;
}

static void bench_free(Bench *b) {
    reasoner_free(b->reasoner);
    knowledge_free(b->k);
    runner_free(b->runner);
    game_free(b->game);
    free(b);
}

static uint8_t *bytes(Bench *b) {
    return (uint8_t *)b->state;
}

// A random move; from the start again at the end of a game.
static void play_on(Bench *b) {
    Move move;
    if (runner_random(b->runner, bytes(b), rng_next(&b->rng), &move) != 1 ||
        !runner_apply(b->runner, bytes(b), move, bytes(b)))
        memcpy(b->state, b->game->start, (size_t)game_state_size(b->game));
}

static void conclude(Bench *b, int me) {
    b->found = reasoner_conclude(b->reasoner, bytes(b), me);
    if (!b->found)
        fail_msg("%s", reasoner_error(b->reasoner));
}

static int relation_named(const IrKnowledge *k, const char *name) {
    for (int i = 0; i < k->relations; i++)
        if (strcmp(k->relation[i].name, name) == 0)
            return i;
    fail_msg("there is no relation %s", name);
    return -1;
}

static bool has(const Bench *b, int relation, int tuple) {
    return b->found->bits[relation][tuple / 64] >> (tuple % 64) & 1;
}

static bool has2(const Bench *b, const char *name, int x, int y) {
    int n = relation_named(b->ir, name);
    const IrRelation *r = &b->ir->relation[n];
    assert_int_equal(r->params, 2);
    return has(b, n, (x - r->lo[0]) * r->size[1] + y - r->lo[1]);
}

static bool has1(const Bench *b, const char *name, int x) {
    int n = relation_named(b->ir, name);
    assert_int_equal(b->ir->relation[n].params, 1);
    return has(b, n, x - b->ir->relation[n].lo[0]);
}

static int owner_at(Bench *b, int cell) {
    int plane = state_plane(b->game, bytes(b), cell, 0);
    return state_height(b->game, bytes(b), cell) ? b->game->ir->plane[plane].owner : -1;
}

// --- mill ---

static int on_line(Bench *b, int line, int owner) {
    const BoardLine *l = &b->game->ir->board->line[line];
    int n = 0;
    for (int i = 0; i < l->count; i++)
        n += owner_at(b, l->cells[i]) == owner;
    return n;
}

static bool is_pair(Bench *b, int p, int line) {
    return on_line(b, line, p) == 2 && on_line(b, line, -1) == 1;
}

static bool line_has(Bench *b, int line, int cell) {
    const BoardLine *l = &b->game->ir->board->line[line];
    for (int i = 0; i < l->count; i++)
        if (l->cells[i] == cell)
            return true;
    return false;
}

static bool is_fork(Bench *b, int p, int cell) {
    int n = 0;
    for (int l = 0; l < b->game->ir->board->lines; l++)
        n += is_pair(b, p, l) && line_has(b, l, cell) && owner_at(b, cell) < 0;
    return n >= 2;
}

static bool is_swing(Bench *b, int p) {
    const Board *board = b->game->ir->board;
    for (int l = 0; l < board->lines; l++)
        for (int k = 0; k < board->lines; k++) {
            if (on_line(b, l, p) < 3 || !is_pair(b, p, k))
                continue;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    int from = board->line[l].cells[i], to = board->line[k].cells[j];
                    if (owner_at(b, to) < 0 && board->next[from] >> to & 1)
                        return true;
                }
        }
    return false;
}

static int64_t mill_worth(Bench *b, int p) {
    const Board *board = b->game->ir->board;
    int64_t sum = 0;
    for (int l = 0; l < board->lines; l++)
        sum += 12 * (on_line(b, l, p) == 3) + 8 * is_pair(b, p, l);
    for (int c = 0; c < board->cells; c++)
        sum += is_fork(b, p, c) ? 20 + board->cell[c].row : 0;
    return sum + 60 * is_swing(b, p);
}

static void check_mill(Bench *b, int *seen) {
    const Board *board = b->game->ir->board;
    conclude(b, 0);
    for (int p = 0; p < 2; p++) {
        int pairs = 0, mills = 0;
        for (int l = 0; l < board->lines; l++) {
            assert_true(has2(b, "pair", p, l) == is_pair(b, p, l));
            assert_true(has2(b, "shut", p, l) == (on_line(b, l, p) == 3));
            pairs += is_pair(b, p, l);
            mills += on_line(b, l, p) == 3;
        }
        for (int c = 0; c < board->cells; c++) {
            assert_true(has2(b, "fork", p, c) == is_fork(b, p, c));
            seen[0] += is_fork(b, p, c);
        }
        assert_true(has1(b, "swing", p) == is_swing(b, p));
        assert_true(has1(b, "calm", p) == (pairs == 0 && mills < 2));
        seen[1] += is_swing(b, p);
    }
    int64_t white = mill_worth(b, 0), black = mill_worth(b, 1);
    assert_true(reasoner_worth(b->reasoner, bytes(b), 0) == white - black);
    assert_true(reference_worth(b->reasoner, bytes(b), 1) == black - white);
}

static void test_mill(void **state) {
    (void)state;
    Bench *b = bench_of(mill_game, mill_knowledge);
    int seen[2] = {0};
    for (int i = 0; i < STATES; i++, play_on(b))
        check_mill(b, seen);
    assert_true(seen[0] > 10 && seen[1] > 3); // there was something to see
    bench_free(b);
}

// --- prefer ---

// The factor of a move, from the position before and after it alone.
static double mill_factor(Bench *b, Bench *after) {
    int me = game_player(b->game, bytes(b)), pairs[2] = {0}, to = -1;
    const Board *board = b->game->ir->board;
    for (int c = 0; c < board->cells; c++)
        if (owner_at(after, c) == me && owner_at(b, c) != me)
            to = c;
    bool closes = false, stops = false, took = false;
    for (int c = 0; c < board->cells; c++)
        took |= owner_at(b, c) == 1 - me && owner_at(after, c) != 1 - me;
    for (int l = 0; l < board->lines; l++) {
        closes |= line_has(b, l, to) && on_line(after, l, me) == 3;
        stops |= line_has(b, l, to) && on_line(b, l, 1 - me) == 2;
        pairs[0] += is_pair(b, me, l);
        pairs[1] += is_pair(after, me, l);
    }
    double factor = closes ? 8 : 1;
    factor *= stops ? 3.5 : 1;
    factor *= !pairs[0] && pairs[1] ? 3 : 1;
    // `from` and `victim` are in this line: it only counts where both were chosen.
    bool moved = state_variable(b->game, bytes(b), 0, me) == 0;
    factor *= moved && took ? 1 / 3.0 : 1;
    return factor * 2;
}

static void test_prefer(void **state) {
    (void)state;
    Bench *b = bench_of(mill_game, mill_knowledge), *after = bench_of(mill_game, mill_knowledge);
    int different = 0;
    for (int i = 0; i < STATES; i++, play_on(b)) {
        const Move *moves;
        int n = runner_moves(b->runner, bytes(b), &moves);
        for (int m = 0; m < n && m < 12; m++) {
            assert_true(runner_apply(after->runner, bytes(b), moves[m], bytes(after)));
            int64_t p = reasoner_priority(b->reasoner, bytes(b), moves[m], bytes(after));
            double want = mill_factor(b, after) * PRIORITY_ONE;
            assert_true((double)p > want - 2 && (double)p < want + 2);
            different += p != 2 * PRIORITY_ONE;
        }
    }
    assert_true(different > 50);
    Move never = {{~(uint64_t)0, 0}};
    assert_true(reasoner_priority(b->reasoner, bytes(b), never, bytes(b)) == -1);
    bench_free(b);
    bench_free(after);
}

// Without `prefer` all moves are equally good, and what is no move is still found out.
static void test_no_prefer(void **state) {
    (void)state;
    Bench *b = bench_of(mill_game, "facts\n    free(c) for c in empty\nworth\n    free(_) 1\n");
    const Move *moves;
    assert_true(runner_moves(b->runner, bytes(b), &moves) > 0);
    assert_true(reasoner_priority(b->reasoner, bytes(b), moves[0], bytes(b)) == PRIORITY_ONE);
    Move never = {{~(uint64_t)0, 0}};
    assert_true(reasoner_priority(b->reasoner, bytes(b), never, bytes(b)) == -1);
    bench_free(b);
}

// --- Domineering ---

static int beside(Bench *b, int cell, int columns, int rows) {
    const Board *board = b->game->ir->board;
    if (cell >= board->cells)
        return cell;
    return board_cell_at(board, board->cell[cell].column + columns, board->cell[cell].row + rows);
}

static bool has_room(Bench *b, int p, int c) {
    int none = b->game->ir->board->cells;
    if (c >= none || owner_at(b, c) >= 0)
        return false;
    int to = beside(b, c, p, 1 - p);
    return to < none && owner_at(b, to) < 0;
}

// Nothing that the other one can do touches the place.
static bool is_safe(Bench *b, int p, int c) {
    int d = beside(b, c, p, 1 - p);
    int near[] = {
        c, d, beside(b, c, -1, 0), beside(b, d, -1, 0), beside(b, c, 0, -1), beside(b, d, 0, -1)};
    for (int i = 0; i < 6; i++)
        if (has_room(b, 1 - p, near[i]))
            return false;
    return has_room(b, p, c);
}

static void test_domineering(void **state) {
    (void)state;
    Bench *b =
        bench_of("game \"Domineering\"\n"
                 "players Vertical, Horizontal\n"
                 "board square 7 x 6\n"
                 "piece domino of Vertical, Horizontal\n"
                 "let other(c) = step(c, if me == Vertical then n else e)\n"
                 "turn\n"
                 "    choose at in empty where other(it) in empty\n"
                 "    place domino at {at, other(at)}\n"
                 "when stuck\n"
                 "    me loses\n",
                 "facts\n"
                 "    room(p, c)  for p in players, c in empty where "
                 "step(c, if p == Vertical then n else e) in empty\n"
                 "    mine_now(c) for c in empty where other(it) in empty\n"
                 "rules\n"
                 "    safe(p, c)  if room(p, c), d = step(c, if p == Vertical then n else e),"
                 " q in players, q != p, no room(q, _) & {c, d, step(c, w), step(d, w), "
                 "step(c, s), step(d, s)}\n"
                 "worth\n"
                 "    room(me, _)         1\n"
                 "    room(opponent, _)  -1\n"
                 "    mine_now(_)       100\n");
    int safes = 0;
    for (int i = 0; i < STATES; i++, play_on(b)) {
        const Board *board = b->game->ir->board;
        int rooms[2] = {0};
        conclude(b, 1);
        for (int p = 0; p < 2; p++)
            for (int c = 0; c < board->cells; c++) {
                bool room = has_room(b, p, c), safe = is_safe(b, p, c);
                assert_true(has2(b, "room", p, c) == room);
                assert_true(has2(b, "safe", p, c) == safe);
                safes += safe;
                assert_true(p == 0 || has1(b, "mine_now", c) == room); // `me` is who asks
                rooms[p] += room;
            }
        assert_true(reasoner_worth(b->reasoner, bytes(b), 0) == 101 * rooms[0] - rooms[1]);
        assert_true(reasoner_worth(b->reasoner, bytes(b), 1) == 101 * rooms[1] - rooms[0]);
    }
    assert_true(safes > 20);
    bench_free(b);
}

// --- stacks, numbers, a rules file beside a game ---

static const char tower_rules[] =
    "knowledge \"Towers\"\n"
    "let beside(c) = next(c) & occupied\n"
    "facts\n"
    "    tower(p, c, n)  for c in occupied, p in players where it == owner(c), n in 1 .. 8 where "
    "it == height(c)\n"
    "    under(c)        for c in occupied where some i in 0 .. height(it) - 1 : "
    "owner(it, i) != owner(it)\n"
    "    turn_of(p)      for p in players where it == mover\n"
    "rules\n"
    "    both(c, d, n + m)  if tower(_, c, n), tower(_, d, m), d in beside(c), n + m <= 8\n"
    "    eight(p, d)       if tower(p, c, _), both(c, d, 8)\n"
    "    most(n)           if tower(_, _, n), no tower(_, _, n + 1), k in 1 .. 8, k == n, "
    "count tower(_, _, n) > 0\n"
    "worth\n"
    "    tower(me, _, n)  n * n\n"
    "    eight(me, _)     50\n"
    "    turn_of(me)      7\n"
    "    turn_of(opponent) -7\n";

static int top_at(Bench *b, int cell) {
    int n = state_height(b->game, bytes(b), cell);
    return n ? b->game->ir->plane[state_plane(b->game, bytes(b), cell, n - 1)].owner : -1;
}

static void check_towers(Bench *b) {
    const Board *board = b->game->ir->board;
    int64_t worth[2] = {0};
    bool eight[2][BOARD_MAX_CELLS] = {{0}}, high[10] = {0};
    int tower = relation_named(b->ir, "tower"), sums = relation_named(b->ir, "both");
    const IrRelation *t = &b->ir->relation[tower], *s = &b->ir->relation[sums];
    conclude(b, 0);
    for (int c = 0; c < board->cells; c++) {
        int h = state_height(b->game, bytes(b), c), top = top_at(b, c);
        bool mixed = false;
        for (int i = 0; i < h; i++)
            mixed |= b->game->ir->plane[state_plane(b->game, bytes(b), c, i)].owner != top;
        assert_true(has1(b, "under", c) == mixed);
        for (int p = 0; p < 2; p++)
            for (int n = 1; n <= 8; n++)
                assert_true(has(b, tower, (p * t->size[1] + c) * t->size[2] + n - t->lo[2]) ==
                            (top == p && h == n));
        if (top >= 0)
            worth[top] += h * h;
        high[h] = true;
        for (int d = 0; d < board->cells; d++) {
            int g = state_height(b->game, bytes(b), d);
            bool next = h && g && board->next[c] >> d & 1 && h + g <= 8;
            for (int n = s->lo[2]; n < s->lo[2] + s->size[2]; n++)
                assert_true(has(b, sums, (c * s->size[1] + d) * s->size[2] + n - s->lo[2]) ==
                            (next && n == h + g));
            if (next && h + g == 8)
                eight[top][d] = true;
        }
    }
    for (int n = 1; n <= 8; n++)
        assert_true(has1(b, "most", n) == (high[n] && !high[n + 1]));
    for (int p = 0; p < 2; p++)
        for (int c = 0; c < board->cells; c++)
            worth[p] += 50 * eight[p][c];
    worth[game_player(b->game, bytes(b))] += 7;
    worth[1 - game_player(b->game, bytes(b))] -= 7;
    assert_true(reasoner_worth(b->reasoner, bytes(b), 0) == worth[0]);
    assert_true(reasoner_worth(b->reasoner, bytes(b), 1) == worth[1]);
}

static void test_towers(void **state) {
    (void)state;
    Bench *b = calloc(1, sizeof *b);
    Diags diags = {0};
    Text byte = {0};
    assert_true(bare_game("byte", &byte));
    b->game = game_compile("byte.game", text_c(&byte), byte.n, NULL, 0, &diags);
    text_free(&byte);
    assert_non_null(b->game);
    b->runner = runner_new(b->game);
    b->k = knowledge_compile(b->game, "towers.rules", tower_rules, sizeof tower_rules - 1, &diags);
    if (!b->k) {
        Text text = {0};
        diag_print(&diags, &text, false);
        fail_msg("%s", text_c(&text));
    }
    diag_free(&diags);
    b->ir = knowledge_ir(b->k);
    b->reasoner = reasoner_new(b->k);
    assert_string_equal(knowledge_title(b->k), "Towers");
    rng_seed(&b->rng, 3);
    memcpy(b->state, b->game->start, (size_t)game_state_size(b->game));
    for (int i = 0; i < 120; i++, play_on(b))
        check_towers(b);
    bench_free(b);
}

// --- groups and chains ---

static const char stones[] = "game \"Stones\"\n"
                             "players Black, White\n"
                             "board square 6 x 6\n"
                             "    directions n, e, s, w\n"
                             "piece stone of Black, White\n"
                             "turn\n"
                             "    choose at in empty\n"
                             "    place stone at at\n"
                             "when stuck\n"
                             "    draw\n";

static void flood(Bench *b, int from, bool *in) {
    const Board *board = b->game->ir->board;
    in[from] = true;
    for (int c = 0; c < board->cells; c++)
        if (!in[c] && board->next[from] >> c & 1 && owner_at(b, c) == owner_at(b, from))
            flood(b, c, in);
}

static const char groups[] =
    "facts\n"
    "    stone_of(p, c)  for p in players, c in stones of p\n"
    "rules\n"
    "    linked(c, d)  if stone_of(p, c), stone_of(p, d), c == d\n"
    "    linked(c, e)  if linked(c, d), e in next(d), stone_of(p, d), "
    "stone_of(p, e)\n"
    "    breathes(c)   if linked(c, d), some next(d) & empty\n"
    "    dead(p, c)    if stone_of(p, c), not breathes(c)\n"
    "    head(c)       if linked(c, _), not smaller(c)\n"
    "    smaller(c)    if linked(c, d), distance(d, a1) < distance(c, a1)\n"
    "    smaller(c)    if linked(c, d), distance(d, a1) == distance(c, a1), "
    "row(d) < row(c)\n"
    "    big(c)        if head(c), count linked(c, _) > 3\n";

static void check_groups(Bench *b) {
    const Board *board = b->game->ir->board;
    conclude(b, 0);
    int heads = 0, seeds = 0;
    bool counted[BOARD_MAX_CELLS] = {0};
    for (int c = 0; c < board->cells; c++) {
        bool in[BOARD_MAX_CELLS] = {0}, free_next = false;
        int size = 0;
        if (owner_at(b, c) >= 0)
            flood(b, c, in);
        for (int d = 0; d < board->cells; d++) {
            assert_true(has2(b, "linked", c, d) == in[d]);
            size += in[d];
            for (int e = 0; in[d] && e < board->cells; e++)
                free_next |= owner_at(b, e) < 0 && board->next[d] >> e & 1;
            if (in[d] && !counted[c])
                counted[d] = d != c;
        }
        seeds += owner_at(b, c) >= 0 && !counted[c];
        heads += has1(b, "head", c);
        assert_true(has1(b, "breathes", c) == free_next);
        for (int p = 0; p < 2; p++)
            assert_true(has2(b, "dead", p, c) == (owner_at(b, c) == p && !free_next));
        assert_true(has1(b, "big", c) == (has1(b, "head", c) && size > 3));
    }
    assert_int_equal(heads, seeds); // one head in each group
}

static void test_groups(void **state) {
    (void)state;
    Bench *b = bench_of(stones, groups);
    for (int i = 0; i < 150; i++, play_on(b))
        check_groups(b);
    bench_free(b);
}

// --- the order of clauses and literals ---

// The rules above with the literals of each line turned round by `turn`, and the lines backwards.
static void permute(const char *text, int turn, bool backwards, Text *out) {
    char *copy = strdup(text), *line[64];
    int n = 0, rules = 0;
    for (char *l = strtok(copy, "\n"); l; l = strtok(NULL, "\n"))
        line[n++] = l;
    while (rules < n && strcmp(line[rules], "rules") != 0)
        text_f(out, "%s\n", line[rules++]);
    text_add(out, "rules\n");
    for (int i = 1; rules + i < n; i++) {
        char *at = line[backwards ? n - i : rules + i], *body = strstr(at, " if ") + 4, *part[16];
        int parts = 0;
        text_add_n(out, at, (size_t)(body - at));
        for (char *p = body; p;) {
            // A literal ends at a comma that is not inside an atom.
            int depth = 0;
            char *end = p;
            for (; *end && !(depth == 0 && *end == ','); end++)
                depth += (*end == '(') - (*end == ')');
            part[parts++] = p;
            p = *end ? end + 2 : NULL;
            *end = '\0';
        }
        for (int k = 0; k < parts; k++)
            text_f(out, "%s%s", k ? ", " : "", part[(k + turn) % parts]);
        text_char(out, '\n');
    }
    free(copy);
}

static void test_order(void **state) {
    (void)state;
    Bench *b = bench_of(stones, groups);
    for (int turn = 0; turn < 6; turn++) {
        Text text = {0};
        permute(groups, turn, turn % 2, &text);
        Bench *other = bench_of(stones, text_c(&text));
        text_free(&text);
        for (int i = 0; i < 30; i++, play_on(b)) {
            memcpy(other->state, b->state, sizeof b->state);
            conclude(b, 0);
            conclude(other, 0);
            for (int r = 0; r < b->ir->relations; r++) {
                int same = relation_named(other->ir, b->ir->relation[r].name);
                size_t words = (size_t)(b->ir->relation[r].tuples + 63) / 64;
                assert_memory_equal(b->found->bits[r], other->found->bits[same], 8 * words);
            }
        }
        bench_free(other);
    }
    bench_free(b);
}

// --- reasons ---

// All that a tuple rests on holds, down to the facts, without ever coming back to itself.
static void check_reason(Bench *b, int relation, int tuple, int depth) {
    const IrRelation *r = &b->ir->relation[relation];
    assert_true(depth < 60); // 36 cells and a few steps more
    assert_true(has(b, relation, tuple));
    const Reason *reason = reasoner_reason(b->reasoner, relation, tuple);
    assert_non_null(reason);
    assert_true(reason->clause >= r->clause && reason->clause < r->clause + r->clauses);
    assert_true(r->derived || reason->supports == 0);
    Support support[32];
    int n = reason->supports;
    assert_true(n <= 32);
    memcpy(support, reason->support, sizeof *support * (size_t)n);
    for (int i = 0; i < n; i++)
        check_reason(b, support[i].relation, support[i].tuple, depth + 1);
}

static void test_reasons(void **state) {
    (void)state;
    Bench *b = bench_of(stones, groups);
    for (int i = 0; i < 30; i++)
        play_on(b);
    conclude(b, 0);
    for (int r = 0; r < b->ir->relations; r++)
        for (int t = 0; t < b->ir->relation[r].tuples; t++)
            if (has(b, r, t) && t % 5 == 0)
                check_reason(b, r, t, 0);
            else if (!has(b, r, t))
                assert_null(reasoner_reason(b->reasoner, r, t));
    bench_free(b);
}

static void test_texts(void **state) {
    (void)state;
    Bench *b = bench_of(mill_game, mill_knowledge);
    Text why = {0}, text = {0};
    assert_true(state_read(b->game, "1W1/1W1/3/4B1/3/3/B1B w hand=7,6", bytes(b), &why));
    conclude(b, 0);
    int pair = relation_named(b->ir, "pair");
    for (int t = 0; t < b->ir->relation[pair].tuples; t++)
        if (has(b, pair, t)) {
            text_add(&text, text.n ? "; " : "");
            knowledge_tuple_text(b->k, pair, t, &text);
        }
    assert_string_equal(text_c(&text), "pair(White, d7 d6 d5); pair(Black, a1 d1 g1)");
    const WorthPart *parts;
    assert_int_equal(reasoner_worth_parts(b->reasoner, 1, &parts), 1);
    assert_int_equal(parts[0].weight, 8);
    text_free(&why);
    text_free(&text);
    bench_free(b);
}

// --- limits ---

static void test_limits(void **state) {
    (void)state;
    Bench *b =
        bench_of(stones, "facts\n"
                         "    far(c)  for c in cells, d in cells, e in cells, f in cells, "
                         "g in cells where distance(c, d) + distance(e, f) > 90 + column(g)\n"
                         "worth\n"
                         "    far(_)  1\n");
    assert_null(reasoner_conclude(b->reasoner, bytes(b), 0));
    assert_non_null(strstr(reasoner_error(b->reasoner), "test.game:12:5: this needs more than"));
    assert_true(reasoner_worth(b->reasoner, bytes(b), 0) == 0);
    assert_non_null(reasoner_error(b->reasoner));
    Diags diags = {0};
    assert_false(knowledge_try(b->k, &diags));
    assert_int_equal(diags.errors, 1);
    diag_free(&diags);
    bench_free(b);
}

static void test_memory(void **state) {
    (void)state;
    Bench *b = bench_of(stones, groups);
    Reasoner *r = NULL;
    for (long n = 1; !r; n++) {
        mem_fail_at(n);
        r = reasoner_new(b->k);
        bool failed = mem_fail_at(0) == 0;
        assert_true(failed == !r);
    }
    assert_non_null(reasoner_conclude(r, bytes(b), 0));
    reasoner_free(r);
    bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mill),      cmocka_unit_test(test_prefer),
        cmocka_unit_test(test_no_prefer), cmocka_unit_test(test_domineering),
        cmocka_unit_test(test_towers),    cmocka_unit_test(test_groups),
        cmocka_unit_test(test_order),     cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_texts),     cmocka_unit_test(test_limits),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("knowledge", tests, NULL, NULL);
}
