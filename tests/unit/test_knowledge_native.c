// test_knowledge_native: rule sets as machine code, held against the reference evaluator on the
// positions of random games: every relation, what it is worth to each player, and the priority of
// moves.
//
// Rule sets like those of the library, and others made for the corners of the emitter: recursion of
// all shapes, negation, counting, arguments of every type, boards of one, two and more words,
// stacks, attributes, three players, relations too wide for a word. A compiler is needed; without
// one the test is skipped.

#include "../fuzz/random_rules.h"
#include "bare_game.h"
#include "base/mem.h"
#include "base/rng.h"
#include "game/game.h"
#include "knowledge/knowledge_parts.h"
#include "native/emit.h"
#include "sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STATES (SANITIZED_ADDRESS ? 150 : 900)

static const char *const mill_rules =
    "facts\n"
    "    pair(p, l)   for p in players, l in lines where count(l & men of p) == 2 and "
    "count(l & empty) == 1\n"
    "    shut(p, l)   for p in players, l in lines where l within men of p\n"
    "    stone(p, c)  for p in players, c in men of p\n"
    "    late         when count occupied < 8\n"
    "    own(p, c)    for p in players, c in men of p where owner(c) == me and row(c) > 1\n"
    "    corner(a1)\n"
    "    corner(g7)\n"
    "rules\n"
    "    fork(p, c)   if pair(p, l), pair(p, k), l != k, c in l & k & empty\n"
    "    swing(p)     if shut(p, l), pair(p, k), a in l, b in k & empty, b in next(a)\n"
    "    threat(p, c) if c in empty, l in lines through c, pair(p, l)\n"
    "    reach(p, c)  if stone(p, c), not corner(c)\n"
    "    reach(p, d)  if d in next(c) & men of p, reach(p, c)\n"
    "    stuck(p, c)  if stone(p, c), no next(c) & empty\n"
    "    far(c, 0)    if c in {a1}\n"
    "    far(d, min(n + 1, 9))  if far(c, n), d in next(c)\n"
    "    same(c, d)   if far(c, n), far(d, n), n > 0, c != d\n"
    "    loop(n)      if far(a1, n), same(x, x)\n"
    "    busy(p)      if count reach(p, _) > 3, p in players, late\n"
    "    open(p, c)   if c in reach(p, _), p in players where it == mover, some far(c, _)\n"
    "worth\n"
    "    shut(me, _)    12   \"a mill\"\n"
    "    pair(me, _)     8   \"two in a line and room for the third\"\n"
    "    fork(me, _)    25   \"two mills from one point\"\n"
    "    swing(me)      60   \"a mill that opens and closes every move\"\n"
    "    stone(me, c)    row(c) + 1 \"men on good points\"\n"
    "    stuck(me, _)   -3\n"
    "    threat(me, _)   4\n"
    "    busy(me)        3\n"
    "    open(me, _)     1\n"
    "    loop(_)         2\n"
    "    opponent       -1\n"
    "prefer\n"
    "    times 8   if some l in lines through to : l within mine            \"closes a mill\"\n"
    "    times 7   if before (some l in lines through to : count(l & theirs) == 2)\n"
    "    times 7   if before some fork(opponent, _) and not some fork(opponent, _)\n"
    "    times 1/2 if not corner(to)   \"off the corners\"\n"
    "    times 2   if mover != me and before mover == me and victim in cells\n";

static const char *const byte_rules =
    "facts\n"
    "    top(p, c)      for p in players, c in occupied where owner(c) == p\n"
    "    tall(c, h)     for c in occupied, h in 1 .. 7 where height(c) == h\n"
    "    man(p, c, k)   for c in occupied, k in 0 .. height(c) - 1, p in players "
    "where owner(c, k) == p\n"
    "    won(p, n)      for p in players, n in 0 .. 14 where bytes[p] == n\n"
    "rules\n"
    "    merge(c, d)    if tall(c, h), d in next(c), tall(d, g), h + g <= 8\n"
    "    can(p, c, d)   if man(p, c, k), tall(c, h), d in next(c), tall(d, g), g > k, "
    "g + h - k <= 8\n"
    "    ends(p, c, d)  if man(p, c, k), tall(c, h), d in next(c), tall(d, g), g > k, "
    "g + h - k == 8, top(p, c)\n"
    "    blocked(c)     if tall(c, _), not merge(c, _), not can(_, c, _)\n"
    "    group(c, d)    if c in occupied, d in next(c) & occupied\n"
    "    group(c, e)    if group(c, d), group(d, e)\n"
    "    alone(c)       if c in occupied, not group(c, _)\n"
    "    free(p, c)     if top(p, c), some can(p, c, _)\n"
    "    even(c)        if tall(c, h), h % 2 == 0\n"
    "    next_eight(p)  if ends(p, _, _)\n"
    "worth\n"
    "    won(me, n)        100 * n   \"stacks that are mine\"\n"
    "    top(me, c)        2 + height(c)\n"
    "    free(me, _)       1\n"
    "    next_eight(me)    40        \"an eight is next\"\n"
    "    ends(me, _, _)    5\n"
    "    opponent          -1\n"
    "prefer\n"
    "    times 9   if before ends(me, from, to)\n"
    "    times 2   if top(me, to) and level > 0\n"
    "    times 1/4 if next_eight(opponent)\n"
    "    times 3   if blocked(to) or alone(to)\n";

static const char *const domineering_rules =
    "facts\n"
    "    place(p, c)  for p in players, c in empty where step(c, if p == Vertical then n else e) "
    "in empty\n"
    "rules\n"
    "    both_ends(p, c) if place(p, c), place(p, step(c, if p == Vertical then n else e))\n"
    "    taken(p, c)  if q in players, q != p, place(q, c), p in players\n"
    "    taken(p, step(c, if p == Vertical then e else n)) if place(opponent, c), p in players, "
    "step(c, if p == Vertical then e else n) != none\n"
    "    safe(p, c)   if place(p, c), d = step(c, if p == Vertical then n else e), "
    "not taken(p, c), not taken(p, d)\n"
    "    many(p)      if p in players, count place(p, _) > 20\n"
    "worth\n"
    "    place(me, _)  2\n"
    "    safe(me, _)   5   \"a place that nobody can take\"\n"
    "    many(me)      1\n"
    "    opponent     -1\n"
    "prefer\n"
    "    times 3/2 if count place(opponent, _) < 10\n"
    "    times 2   if before safe(me, at)\n";

// All that can be said of 64 lines at a time, and some that cannot.
static const char *const line_rules =
    "let held(p, l) = count (l & discs of p)\n"
    "facts\n"
    "    three(p, l)  for p in players, l in lines where held(p, l) == 3 and some l & empty\n"
    "    few(p, l)    for p in players, l in lines where held(p, l) < 2 and held(p, l) > 0\n"
    "    most(p, l)   for p in players, l in lines where held(p, l) >= 2 or not l & empty == l\n"
    "    other(p, l)  for p in players, l in lines where held(p, l) != 1 and held(p, l) <= 2\n"
    "    full(l)      for l in lines where l within occupied\n"
    "    bare(l)      for l in lines where not some l - empty\n"
    "    odd(l)       for l in lines where count (l - empty) % 2 == 1\n"
    "    never(p, l)  for p in players, l in lines where held(p, l) > 4 or held(p, l) < 0\n"
    "    late(l)      for l in lines where count occupied > 9 and count (l & empty) <= 1\n"
    "    turn(p, l)   for p in players, l in lines where p == mover and held(p, l) == 1\n"
    "worth\n"
    "    three(me, _)  30\n"
    "    few(me, _)     2\n"
    "    most(me, _)    3\n"
    "    other(me, _)   5\n"
    "    full(_)        7\n"
    "    bare(_)       11\n"
    "    odd(_)        13\n"
    "    never(me, _)  17\n"
    "    late(_)       19\n"
    "    turn(me, _)   23\n";

static const char *const hex_rules =
    "facts\n"
    "    red(c)       for c in stones of Red\n"
    "    blue(c)      for c in stones of Blue\n"
    "rules\n"
    "    low(p, c)    if p in players, c in stones of p & (if p == Red then row 1 else column 1)\n"
    "    low(p, d)    if low(p, c), d in next(c) & stones of p\n"
    "    near(p, c, 0)  if p in players, c in (empty | stones of p) & (if p == Red then row 1 "
    "else column 1)\n"
    "    near(p, d, n)  if near(p, c, n), c in stones of p, d in next(c) & (empty | stones of p)\n"
    "    near(p, d, min(n + 1, 6)) if near(p, c, n), c in empty, d in next(c) & (empty | stones of "
    "p)\n"
    "    way(p, n)    if near(p, c, n), c in (if p == Red then row size else column size)\n"
    "    bridge(c, d) if c in mine, d in mine, c != d, not d in next(c), "
    "count(next(c) & next(d) & empty) == 2\n"
    "    joined(p)    if low(p, c), c in (if p == Red then row size else column size)\n"
    "worth\n"
    "    way(me, n)     -3 * n\n"
    "    bridge(_, _)   2\n"
    "    joined(me)     100\n"
    "    low(me, _)     1\n"
    "    opponent      -1\n"
    "prefer\n"
    "    times 5  if joined(me)\n"
    "    times 2  if some bridge(at, _)\n";

static const char *const skirmish_rules =
    "facts\n"
    "    fighter_of(p, c, h) for p in players, c in fighters of p, h in 0 .. 10 where hp(c) == h\n"
    "    total(p, n)   for p in players, n in 0 .. 40 where n == sum c in fighters of p : hp(c)\n"
    "rules\n"
    "    beside(p, c, d)  if p in players, c in fighters of p, d in next(c) - fighters of p, "
    "d in occupied, d in fighters\n"
    "    hurt(c)       if fighter_of(_, c, h), h < 10\n"
    "    apart(c, n)   if c in mine, d in theirs, n = min(distance(c, d), 15)\n"
    "    closest(c, n) if apart(c, n), no m in 0 .. n - 1 : apart(c, m)\n"
    "    weaker(p)     if total(p, n), total(q, m), p != q, n < m\n"
    "worth\n"
    "    fighter_of(me, _, h)  h\n"
    "    beside(me, c, d)      2 + hp(c) - hp(d)\n"
    "    closest(_, n)        -n\n"
    "    weaker(me)           -20\n"
    "    opponent             -1\n"
    "prefer\n"
    "    times 4   if before (target in theirs)\n"
    "    times 2   if some beside(me, target, _)\n"
    "    times 1/2 if hurt(hero) and weaker(me)\n";

static const char *const kinds_game = "game \"Kinds\"\n"
                                      "players White, Black, Green\n"
                                      "board square 5 x 3\n"
                                      "    lines of 3\n"
                                      "piece man of White \"W\", Black \"B\", Green \"G\"\n"
                                      "piece king of White \"k\", Black \"q\", Green \"l\"\n"
                                      "piece rock \"x\"\n"
                                      "var purse[player] : -3..20 = 6\n"
                                      "var marked : cells\n"
                                      "var rights : some of A, B, C = {A, C}\n"
                                      "var last : direction\n"
                                      "var who : player or none = none\n"
                                      "var odd : bool = no\n"
                                      "turn\n"
                                      "    choose at in empty - marked\n"
                                      "    choose bid in 0 .. max(0, min(2, purse[me]))\n"
                                      "    choose kind in man, king\n"
                                      "    choose way in n, ne, e\n"
                                      "    if kind == king\n"
                                      "        place king at at\n"
                                      "    else\n"
                                      "        place man at at\n"
                                      "    if A in rights and bid == 2\n"
                                      "        rights -= A\n"
                                      "        rights += B\n"
                                      "    purse[me] -= bid\n"
                                      "    odd = not odd\n"
                                      "    last = way\n"
                                      "    who = owner(step(at, way))\n"
                                      "    marked += step(at, way)\n"
                                      "    if count occupied > 5\n"
                                      "        place rock at the empty\n"
                                      "end\n"
                                      "    most count kings of it wins when no empty - marked\n"
                                      "    draw when some p in players : purse[p] < -2\n"
                                      "when stuck\n"
                                      "    pass\n"
                                      "when all stuck\n"
                                      "    draw\n";

static const char *const kinds_rules =
    "facts\n"
    "    stands(k, p, c)  for k in {man, king}, p in players, c in cells where piece(c) == k and "
    "owner(c) == p\n"
    "    rich(p, n)       for p in players, n in -3 .. 20 where purse[p] >= n\n"
    "    right(f)         for f in rights\n"
    "    ray_of(c, d)     for c in occupied, d in directions where step(c, d) in occupied\n"
    "    full(l)          for l in lines where no l & empty\n"
    "    is_odd(odd)\n"
    "    whose(who)       when who != none\n"
    "    lately(last)\n"
    "rules\n"
    "    pointed(d)       if lately(d), ray_of(_, d)\n"
    "    run(c, d, e)     if ray_of(c, d), e = step(c, d)\n"
    "    run(c, d, e)     if run(c, d, x), ray_of(x, d), e = step(x, d)\n"
    "    long_run(d)      if run(c, d, e), distance(c, e) > 1\n"
    "    poorer(p, q)     if p in players, q in players, n in -3 .. 20, rich(q, n), "
    "not rich(p, n)\n"
    "    poorest(p)       if p in players, not poorer(_, p)\n"
    "    line_of(p, l)    if full(l), p in players, count(l & (men of p | kings of p)) >= 2\n"
    "    hard(k)          if stands(k, p, c), poorest(p), c in marked\n"
    "    mixed(l, k)      if line_of(_, l), stands(k, _, c), c in l\n"
    "    next_right(f, n) if right(f), n = count occupied % 4\n"
    "    turned(p)        if stands(_, p, c), stands(_, q, d), q != p, d in next(c), whose(q)\n"
    "    diagonal(c)      if run(c, _, c)\n"
    "    diagonal(c)      if pointed(d), run(x, d, c), run(c, d, _), x != c\n"
    "    odd_now          if is_odd(yes)\n"
    "    calm             if not odd_now, no turned(_)\n"
    "worth\n"
    "    stands(k, me, _)   if k == king then 5 else 2\n"
    "    rich(me, n)        n\n"
    "    poorer(me, _)     -4\n"
    "    line_of(me, _)     7\n"
    "    mixed(_, king)     1\n"
    "    next_right(A, n)   n + 1\n"
    "    long_run(_)        3\n"
    "    diagonal(c)        column(c)\n"
    "    odd_now           11\n"
    "    calm              13\n"
    "prefer\n"
    "    times 3   if hard(kind)\n"
    "    times 5/3 if before ray_of(at, way) or pointed(way)\n"
    "    times 2   if rich(me, bid + 3)\n";

static const char *const wide_game =
    "game \"Wide\"\n"
    "players White, Black\n"
    "board square 9 x 9\n"
    "    directions n, e, s, w\n"
    "piece guard, captain of White, Black with charge : -300..300 = -5, awake : bool = yes\n"
    "piece tower of White, Black with level : 0..70000 = 9\n"
    "clock ticks : 0..500 = 0\n"
    "let reach(c) = union d in directions : ray(c, d until occupied)\n"
    "setup\n"
    "    place guard of White at a1, e1, i5\n"
    "    place guard of Black at a9, e9, i9 with charge = 7\n"
    "    place tower of Black at c7 with level = 66000\n"
    "turn\n"
    "    choose from in mine\n"
    "    choose to in reach(from) - mine\n"
    "    move from to to\n"
    "    charge(to) = (charge(to) + 37) % 50\n"
    "    if charge(to) > 4 and piece(to) == guard\n"
    "        change to to captain\n"
    "    awake(to) = no\n"
    "    ticks += 1\n"
    "end\n"
    "    me wins when no theirs\n"
    "    draw when ticks == 60\n"
    "when stuck\n"
    "    me loses\n";

static const char *const wide_rules =
    "let guarded(c) = some sees(_, c)\n"
    "facts\n"
    "    charged(c, n)  for c in guards | captains, n in 0 .. 9 where charge(c) / 5 == n\n"
    "    wakes(c)       for c in occupied where awake(c)\n"
    "    high(c)        for c in towers where level(c) > 100\n"
    "rules\n"
    "    sees(c, d)     if c in occupied, w in directions, d in ray(c, w until occupied)\n"
    "    attacks(c, d)  if sees(c, d), c in mine, d in theirs\n"
    "    calls(c, d)    if charged(c, n), charged(d, n), wakes(c), c != d\n"
    "    calls(c, e)    if calls(c, d), attacks(d, e)\n"
    "    walled(c)      if c in empty, d in next(c), d in occupied, not attacks(_, d), "
    "not attacks(d, _)\n"
    "    space(c)       if c in {e5}, c in empty\n"
    "    space(d)       if space(c), d in next(c) & empty\n"
    "    odd(c)         if even(d), c in next(d) & space(_)\n"
    "    even(c)        if odd(d), c in next(d) & empty, not walled(c)\n"
    "    even(e5)       if e5 in empty\n"
    "    lonely(c)      if c in occupied, count sees(c, _) < 7, count calls(_, c) == 0\n"
    "    watch(n)       if n in 0 .. 81, n == count space(_)\n"
    "    safe(c)        if c in mine, not guarded(c)\n"
    "worth\n"
    "    attacks(_, d)  3 + column(d)\n"
    "    space(_)       1\n"
    "    odd(_)         2\n"
    "    lonely(_)     -1\n"
    "    safe(_)        4\n"
    "    high(c)        row(c)\n"
    "    calls(c, d)    distance(c, d)\n"
    "    watch(n)       n\n"
    "    opponent      -2\n"
    "prefer\n"
    "    times 2 if guarded(to)\n"
    "    times 4 if before guarded(from) and not guarded(to)\n"
    "    times 3 if some odd(_) & next(to)\n";

// Lines in rows of more than one word, numbers too, on a board of more than two words.
static const char *const large_game = "game \"Large\"\n"
                                      "players White, Black\n"
                                      "board square 13 x 13\n"
                                      "    lines of 5\n"
                                      "piece man of White, Black\n"
                                      "turn\n"
                                      "    choose at in empty where column(it) in 3 .. 9 and "
                                      "row(it) in 4 .. 10\n"
                                      "    place man at at\n"
                                      "end\n"
                                      "    me wins when some l in lines : l within mine\n"
                                      "    draw when count occupied > 40\n";

static const char *const large_rules =
    "facts\n"
    "    has(p, l, n)   for p in players, l in lines, n in 0 .. 5 where count(l & men of p) == n\n"
    "    sum_of(n)      for n in 0 .. 200 where n == sum c in mine : column(c)\n"
    "rules\n"
    "    dead(l)        if has(White, l, n), has(Black, l, m), n > 0, m > 0\n"
    "    alive(p, l)    if has(p, l, n), n > 1, not dead(l)\n"
    "    hot(p, c)      if alive(p, l), has(p, l, n), n > 2, c in l & empty\n"
    "    cross(p, c)    if alive(p, l), alive(p, k), l != k, c in l & k & empty\n"
    "    chain(c)       if c in mine, c in column 6\n"
    "    chain(d)       if chain(c), d in mine, distance(c, d) <= 2\n"
    "    up_to(n)       if sum_of(n)\n"
    "    up_to(max(m - 1, 0)) if up_to(m)\n"
    "worth\n"
    "    hot(me, _)     9\n"
    "    cross(me, _)   4\n"
    "    alive(me, _)   1\n"
    "    chain(c)       row(c)\n"
    "    up_to(_)       1\n"
    "    opponent      -1\n"
    "prefer\n"
    "    times 8 if before cross(me, at)\n"
    "    times 6 if before hot(opponent, at)\n";

// --- comparing ---

typedef struct Pair {
    Knowledge *k;
    Reasoner *r;
    Runner *runner;
    const NativeKnowledge *n;
    Rng rng;
    uint64_t *out;
    bool random; // made at random: the rules may tell nothing, need too long, or fail
} Pair;

static Game *compile(const char *game, const char *rules) {
    Diags diags = {0};
    Text text = {0};
    text_add(&text, game);
    text_add(&text, rules);
    Game *g = game_compile("test.game", text_c(&text), text.n, NULL, 0, &diags);
    if (!g) {
        text_clear(&text);
        diag_print(&diags, &text, false);
        print_error("%s", text_c(&text));
    }
    text_free(&text);
    diag_free(&diags);
    assert_non_null(g);
    assert_non_null(g->ir->knowledge);
    return g;
}

static void dump(const Game *g) {
    const char *path = getenv("LUDENS_TEST_DUMP");
    FILE *file = path ? fopen(path, "w") : NULL;
    Text text = {0};
    if (file && native_emit_knowledge(g->ir, g->ir->knowledge, &text))
        fputs(text_c(&text), file);
    if (file)
        fclose(file);
    text_free(&text);
}

static void check_relations(Pair *p, const uint8_t *state, int me) {
    const IrKnowledge *k = p->k->what;
    const Relations *found = reasoner_conclude(p->r, state, me);
    if (!found && p->random)
        return; // rules that explode
    assert_non_null(found);
    p->n->relations(state, me, p->out);
    const uint64_t *at = p->out;
    for (int n = 0; n < k->relations; n++) {
        int words = (k->relation[n].tuples + 63) / 64;
        if (memcmp(at, found->bits[n], (size_t)words * 8) != 0)
            fail_msg("%s differs", k->relation[n].name);
        at += words;
    }
}

static void check_priority(Pair *p, const uint8_t *before, Move move, const uint8_t *after) {
    assert_int_equal(reasoner_priority(p->r, before, move, after),
                     reference_priority(p->r, before, move, after));
}

// Random games one after the other, so many positions in all.
static void play(Pair *p, int states) {
    uint64_t now[IR_MAX_STATE / 8], next[IR_MAX_STATE / 8];
    size_t size = (size_t)game_state_size(p->k->game);
    int64_t different = 0, first = 0;
    memcpy(now, p->k->game->start, size);
    for (int i = 0; i < states; i++) {
        const uint8_t *state = (const uint8_t *)now;
        for (int me = 0; me < p->k->ir->players; me++) {
            check_relations(p, state, me);
            int64_t worth = reasoner_worth(p->r, state, me);
            assert_int_equal(worth, reference_worth(p->r, state, me));
            first = i == 0 && me == 0 ? worth : first;
            different += worth != first;
        }
        const Move *moves;
        int count = runner_moves(p->runner, state, &moves);
        assert_true(count >= 0 || p->random);
        Move move = count > 0 ? moves[rng_below(&p->rng, (uint64_t)count)] : (Move){0};
        if (count <= 0 || !runner_apply(p->runner, state, move, (uint8_t *)next)) {
            memcpy(now, p->k->game->start, size);
            continue;
        }
        check_priority(p, state, move, (const uint8_t *)next);
        memcpy(now, next, size);
    }
    assert_true(p->random || different > states / 4); // the rules really told something
}

static void compare_game(Game *g, int states, bool random) {
    Pair p = {.k = knowledge_own(g), .random = random};
    Text why = {0};
    int words = 1;
    for (int n = 0; n < p.k->what->relations; n++)
        words += (p.k->what->relation[n].tuples + 63) / 64;
    p.r = reasoner_new(p.k);
    p.runner = runner_new(g);
    p.out = mem_alloc((size_t)words * 8);
    dump(g);
    if (!knowledge_use(p.k, BACKEND_NATIVE, &why))
        print_error("%s\n", text_c(&why));
    p.n = knowledge_native(p.k);
    assert_non_null(p.n);
    rng_seed(&p.rng, 5);
    play(&p, states);
    text_free(&why);
    mem_free(p.out);
    runner_free(p.runner);
    reasoner_free(p.r);
    knowledge_free(p.k);
    game_free(g);
}

static void compare(const char *game, const char *rules, int states) {
    compare_game(compile(game, rules), states, false);
}

// A rule set beside a game of the library.
static Game *compile_beside(const char *name, const char *rules) {
    Text text = {0};
    assert_true(bare_game(name, &text));
    Game *g = compile(text_c(&text), rules);
    text_free(&text);
    return g;
}

static void compare_beside(const char *name, const char *rules, int states) {
    Text text = {0};
    assert_true(bare_game(name, &text));
    compare(text_c(&text), rules, states);
    text_free(&text);
}

static void test_mill(void **state) {
    (void)state;
    compare_beside("mill", mill_rules, 2 * STATES);
}

static void test_byte(void **state) {
    (void)state;
    compare_beside("byte", byte_rules, STATES);
}

static void test_domineering(void **state) {
    (void)state;
    compare_beside("domineering", domineering_rules, 2 * STATES);
}

static void test_hex(void **state) {
    (void)state;
    compare_beside("hex", hex_rules, STATES / 6);
}

// With vectors of the widest kind, with narrower ones, and without, as far as the machine has them.
static void test_lines(void **state) {
    (void)state;
    static const char *const compilers[] = {"cc", "cc -mno-avx512f", "cc -mno-avx2"};
    for (int i = 0; i < 3; i++) {
        Text try = {0};
        text_f(&try, "echo 'int x;' | %s -x c -c -o /dev/null - 2> /dev/null", compilers[i]);
        bool known = system(text_c(&try)) == 0; // other processors have other options
        text_free(&try);
        if (!known)
            continue;
        setenv("CC", compilers[i], 1);
        compare_beside("connect-four", line_rules, STATES);
        compare_beside(
            "mill",
            "facts\n"
            "    mill(p, l) for p in players, l in lines where l within men of p\n"
            "    two(p, l)  for p in players, l in lines where count (l & men of p) == 2\n"
            "worth\n"
            "    mill(me, _) 9\n"
            "    two(me, _)  4\n"
            "    opponent   -1\n",
            STATES);
    }
    unsetenv("CC");
}

static void test_skirmish(void **state) {
    (void)state;
    compare_beside("skirmish", skirmish_rules, STATES);
}

static void test_kinds(void **state) {
    (void)state;
    compare(kinds_game, kinds_rules, STATES);
}

static void test_wide(void **state) {
    (void)state;
    compare(wide_game, wide_rules, STATES / 6);
}

static void test_large(void **state) {
    (void)state;
    compare(large_game, large_rules, STATES / 6);
}

// Rules made at random; LUDENS_TEST_RULES=N for more of them, from seed LUDENS_TEST_SEED on.
static void test_random_rules(void **state) {
    (void)state;
    const char *more = getenv("LUDENS_TEST_RULES"), *from = getenv("LUDENS_TEST_SEED");
    int left = more ? atoi(more) : STATES < 900 ? 2 : 6;
    for (uint64_t seed = from ? (uint64_t)atoi(from) : 1; left > 0; seed++) {
        Text text = {0};
        Rng rng;
        Diags diags = {0};
        rng_seed(&rng, seed);
        Maker m = {.rng = &rng, .out = &text};
        make_game(&m);
        Game *g = game_compile("random.game", text_c(&text), text.n, NULL, 0, &diags);
        if (g && g->ir->knowledge) {
            if (more)
                print_message("# seed %d\n", (int)seed);
            compare_game(g, 60, true);
            left--;
        } else {
            game_free(g);
        }
        diag_free(&diags);
        text_free(&text);
    }
}

// The cache is keyed by the text: the same rules must give the same bytes.
static void test_same_text(void **state) {
    (void)state;
    Game *one = compile(kinds_game, kinds_rules), *two = compile(kinds_game, kinds_rules);
    Text a = {0}, b = {0};
    assert_true(native_emit_knowledge(one->ir, one->ir->knowledge, &a));
    assert_true(native_emit_knowledge(two->ir, two->ir->knowledge, &b));
    assert_int_equal(a.n, b.n);
    assert_memory_equal(text_c(&a), text_c(&b), a.n);
    text_free(&a);
    text_free(&b);
    game_free(one);
    game_free(two);
}

// Every allocation fails once; the emitter says so and keeps nothing (the sanitizers look).
static void test_out_of_memory(void **state) {
    (void)state;
    Game *g = compile_beside("domineering", domineering_rules);
    bool ok = false;
    for (long n = 1; !ok && n < 1000000; n += 1 + n / 8) {
        Text text = {0};
        mem_fail_at(n);
        ok = native_emit_knowledge(g->ir, g->ir->knowledge, &text);
        mem_fail_at(0);
        text_free(&text);
    }
    assert_true(ok);
    game_free(g);
}

// Compiled rule sets of this test go to a folder of their own.
static int own_cache(void **state) {
    static char folder[] = P_tmpdir "/ludens-knowledge-XXXXXX";
    *state = mkdtemp(folder);
    return *state && setenv("XDG_CACHE_HOME", folder, 1) == 0 ? 0 : -1;
}

static int remove_cache(void **state) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    return system(command);
}

int main(int argc, char **argv) {
    if (system("cc --version > /dev/null 2>&1") != 0) {
        puts("1..0 # SKIP there is no C compiler");
        return 0;
    }
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_text),    cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_mill),         cmocka_unit_test(test_byte),
        cmocka_unit_test(test_domineering),  cmocka_unit_test(test_hex),
        cmocka_unit_test(test_skirmish),     cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_wide),         cmocka_unit_test(test_large),
        cmocka_unit_test(test_random_rules), cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, own_cache, remove_cache);
}
