// test_native: rules that library games do not have, as machine code and interpreted.
//
// test_backends compares all library games; here are small games made for the corners of the
// emitter: loops with choices in each other, choices of every type, three players, stacks,
// attributes of every width, boards of several words, moves of two words, and rules that fail.
// The text itself is looked at too: it is the same every time, and running out of memory while it
// is made is reported. A compiler is needed; without one the test is skipped.

#include "base/mem.h"
#include "base/rng.h"
#include "game/game.h"
#include "native/emit.h"
#include "native/load.h"
#include "sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOVES 65536
#define GAMES 12
#define PLIES 60
#define ENOUGH 2000 // sequences that make perft no deeper

static const char *const loops_in_loops =
    "game \"Loops\"\n"
    "players White, Black\n"
    "board square 3 x 4\n"
    "    lines of 3\n"
    "piece man of White, Black\n"
    "var total : -50..50 = 0\n"
    "turn\n"
    "    choose start in empty\n"
    "    var at : cell or none = start\n"
    "    var steps : 0..4 = 0\n"
    "    place man at start\n"
    "    for i in 1 .. 2\n"
    "        while steps < 3 and some next(at) & empty up to 1\n"
    "            either \"stay\"\n"
    "                steps = 3\n"
    "            or \"go\"\n"
    "                choose to in next(at) & empty where column(it) > 1\n"
    "                place man of opponent at to\n"
    "                at = to\n"
    "    for c in next(start) & theirs\n"
    "        if row(c) == 2\n"
    "            choose way in n, e\n"
    "            remove step(c, way)\n"
    "    total = total - 1\n"
    "end\n"
    "    draw when total < -12\n"
    "when stuck\n"
    "    pass\n";

// Numbers of all widths, some of them negative, in a small state, with free cells that are kept and
// without: states are put together out of them.
#define NUMBERS(choice)                                                                            \
    "game \"Numbers\"\n"                                                                           \
    "players White, Black\n"                                                                       \
    "board square 3 x 3\n"                                                                         \
    "piece man of White, Black\n"                                                                  \
    "var low : -100..100 = -1\n"                                                                   \
    "var wide : -3000..3000 = -7\n"                                                                \
    "var large : -1000000..1000000 = -70000\n"                                                     \
    "var purse[player] : -500..500 = -3\n"                                                         \
    "turn\n" choice "    place man at to\n"                                                        \
    "    low = low - 1\n"                                                                          \
    "    wide = wide - 111\n"                                                                      \
    "    large = large - 9999\n"                                                                   \
    "    purse[me] = purse[me] - 30\n"                                                             \
    "when stuck\n"                                                                                 \
    "    draw\n"
static const char *const numbers = NUMBERS("    choose to in empty\n");
static const char *const numbers_of_pairs =
    NUMBERS("    choose at in empty\n    choose to in next(at) & empty\n");

static const char *const choices_of_all_kinds =
    "game \"Kinds\"\n"
    "players White, Black\n"
    "board square 5 x 3\n"
    "    lines of 3\n"
    "piece man of White, Black\n"
    "piece king of White, Black\n"
    "piece rock\n"
    "var purse[player] : 0..20 = 6\n"
    "var marked : cells\n"
    "var rights : some of A, B, C = {A, C}\n"
    "var last : direction\n"
    "var who : player or none = none\n"
    "turn\n"
    "    choose at in empty - marked\n"
    "    choose l in lines through at where no rocks & it\n"
    "    choose bid in 0 .. min(2, purse[me])\n"
    "    choose kind in man, king\n"
    "    require kind == man or bid > 0 \"a king has his price\"\n"
    "    choose way in n, ne, e\n"
    "    require some l & empty \"a line with room\"\n"
    "    if kind == king\n"
    "        place king at at\n"
    "    else\n"
    "        place man at at\n"
    "    if A in rights and bid == 2\n"
    "        rights -= A\n"
    "        rights += B\n"
    "    purse[me] -= bid\n"
    "    last = way\n"
    "    who = owner(step(at, way))\n"
    "    marked += step(at, way)\n"
    "    for d in {n, s} | {w}\n"
    "        if step(at, d) in theirs & men\n"
    "            change step(at, d) to king of me\n"
    "    if count occupied > 5\n"
    "        place rock at the empty\n"
    "        again\n"
    "end\n"
    "    most count kings of it wins when no empty - marked\n"
    "when stuck\n"
    "    me loses when purse[me] > 3\n"
    "    pass\n"
    "when all stuck\n"
    "    least purse[it] wins\n";

static const char *const three_players_and_stacks =
    "game \"Towers\"\n"
    "players Red, Green, Blue\n"
    "board hex hexagon 2\n"
    "    stacks of 4\n"
    "piece disc of Red, Green, Blue\n"
    "piece block \"X\"\n"
    "var won[player] : 0..3\n"
    "setup\n"
    "    place disc of Red at b1, b2\n"
    "    place disc of Green at b3\n"
    "turn\n"
    "    either\n"
    "        choose at in cells where height(it) < 4\n"
    "        place disc at at\n"
    "    or\n"
    "        choose from in mine\n"
    "        choose level in 0 .. height(from) - 1 where owner(from, it) == me\n"
    "        choose to in next(from) where height(it) + height(from) - level <= 4\n"
    "        move from above level to to\n"
    "    or\n"
    "        choose low in occupied where height(it) > 1 and piece(it, 0) != block\n"
    "        remove low\n"
    "        change low to block\n"
    "    for c in cells where height(it) == 4\n"
    "        if owner(c) != none and won[owner(c)] < 3\n"
    "            won[owner(c)] += 1\n"
    "        clear c\n"
    "end\n"
    "    me wins when won[me] == 2\n"
    "    draw when count occupied == 7 and all c in cells : height(c) > 1\n"
    "when stuck\n"
    "    pass\n";

static const char *const attributes_and_words =
    "game \"Wide\"\n"
    "players White, Black\n"
    "board square 9 x 9\n"
    "    directions n, e, s, w\n"
    "piece guard, captain of White, Black with charge : -300..300 = -5, awake : bool = yes\n"
    "piece tower of White, Black with level : 0..70000 = 9\n"
    "var far : cell or none = none\n"
    "clock ticks : 0..500 = 0\n"
    "let reach(c) = union d in directions : ray(c, d until occupied)\n"
    "setup\n"
    "    place guard of White at a1, e1, i5\n"
    "    place guard of Black at a9, e9, i9 with charge = 7\n"
    "    place tower of Black at c7 with level = 66000\n"
    "turn\n"
    "    choose from in mine where awake(it) or charge(it) < 0 or level(it) > 0\n"
    "    choose to in reach(from) - mine\n"
    "    charge(from) += distance(from, to)\n"
    "    if to in theirs\n"
    "        awake(from) = no\n"
    "    move from to to\n"
    "    if charge(to) > 4 and piece(to) == guard\n"
    "        change to to captain\n"
    "    else if charge(to) > 9\n"
    "        change to to tower\n"
    "        level(to) -= column(to)\n"
    "    far = the c in mine with most distance(c, to)\n"
    "    for c in next(to) & mine\n"
    "        awake(c) = yes\n"
    "    ticks += 1\n"
    "end\n"
    "    me wins when no theirs\n"
    "    White wins when flood(from {a1} through empty) == {} and ticks > 3\n"
    "    draw when ticks == 60\n"
    "when stuck\n"
    "    me loses\n";

static const char *const long_moves =
    "game \"Long\"\n"
    "players White, Black\n"
    "board square 8 x 8\n"
    "piece man of White, Black\n"
    "setup\n"
    "    place man of White at row 1\n"
    "    place man of Black at row 4\n"
    "turn\n"
    "    choose at in mine\n"
    "    var now : cell = at\n"
    "    var left : 0..11 = 11\n"
    "    while left > 0 and some next(now) & empty & row (row(now) + 1) up to 11\n"
    "        choose to in next(now) & empty & row (row(now) + 1)\n"
    "        move now to to\n"
    "        now = to\n"
    "        left = max(0, left - 1)\n"
    "    require now != at \"a man must move\"\n"
    "    either \"stay\"\n"
    "        remove at\n"
    "    or \"leave\"\n"
    "        choose rest in mine & row 8\n"
    "        remove rest\n"
    "end\n"
    "    me wins when no theirs\n"
    "when stuck\n"
    "    me loses\n";

static const char *const mills_of_two_kinds =
    "game \"Small mill\"\n"
    "players White, Black\n"
    "board\n"
    "    lines\n"
    "        a3 b3 c3\n"
    "        a2 b2 c2\n"
    "        a1 b1 c1\n"
    "        a1 a2 a3\n"
    "        b1 b2 b3\n"
    "        c1 c2 c3\n"
    "        a1 b2 c3\n"
    "        a3 b2 c1\n"
    "piece man of White, Black\n"
    "var hand[player] : 0..4 = 4\n"
    "let milled(p) = some l in lines through p : l within men of owner(p)\n"
    "let loose = theirs where not milled(it)\n"
    "turn\n"
    "    if hand[me] > 0\n"
    "        choose to in empty\n"
    "        place man at to\n"
    "        hand[me] -= 1\n"
    "    else\n"
    "        choose from in mine\n"
    "        choose to in if count mine == 2 then empty else empty & next(from)\n"
    "        move from to to\n"
    "    if milled(to) and some loose\n"
    "        choose victim in loose\n"
    "        remove victim\n"
    "end\n"
    "    opponent loses when hand[opponent] == 0 and count theirs < 2\n"
    "    draw when 30 moves without remove\n"
    "when stuck\n"
    "    me loses\n";

// Perft: choices that end the game are known beforehand, by a line and by the last free cell;
// players pass.
static const char *const apart =
    "game \"Apart\"\n"
    "players White, Black\n"
    "board square 5 x 4\n"
    "    lines of 3\n"
    "piece man of White, Black\n"
    "var moves_made : 0..100 = 0\n"
    "turn\n"
    "    choose at in empty where not (it in next(mine)) or row(it) == 2\n"
    "    place man at at\n"
    "    moves_made += 1\n"
    "end\n"
    "    me wins when some l in lines : l within mine\n"
    "    draw when no empty\n"
    "    draw when moves_made == 14\n"
    "when stuck\n"
    "    pass\n";

// Perft on sets of two words, for three players.
static const char *const three_in_turn =
    "game \"Trio\"\n"
    "players Red, Green, Blue\n"
    "board square 9 x 9\n"
    "    lines of 5\n"
    "piece man of Red, Green, Blue\n"
    "turn\n"
    "    choose at in empty - next(theirs) where column(it) != 5\n"
    "    place man at at\n"
    "end\n"
    "    me wins when some l in lines : l within mine\n"
    "when stuck\n"
    "    pass\n";

// Perft: pairs of cells, some of which take a piece.
static const char *const steps_that_take =
    "game \"Steps\"\n"
    "players White, Black\n"
    "board square 4 x 4\n"
    "    lines of 3\n"
    "piece man of White, Black\n"
    "var hand[player] : 0..3 = 2\n"
    "setup\n"
    "    place man of White at a1, b1, c1, d2\n"
    "    place man of Black at a4, b4, c4, d3\n"
    "turn\n"
    "    choose from in mine\n"
    "    choose to in next(from) - mine\n"
    "    if hand[me] > 0 and to in theirs\n"
    "        hand[me] -= 1\n"
    "    move from to to\n"
    "end\n"
    "    me wins when no theirs\n"
    "    opponent loses when hand[opponent] == 0 and count theirs < 3\n"
    "when stuck\n"
    "    pass\n";

// Men that fly and take, from the first move on; some of those that may be taken are in mills.
static const char *const flying_mills =
    "game \"Flying\"\n"
    "players White, Black\n"
    "board\n"
    "    lines\n"
    "        a3 b3 c3\n"
    "        a2 b2 c2\n"
    "        a1 b1 c1\n"
    "        a1 a2 a3\n"
    "        b1 b2 b3\n"
    "        c1 c2 c3\n"
    "piece man of White, Black\n"
    "let milled(p) = some l in lines through p : l within men of owner(p)\n"
    "let loose = theirs where not milled(it)\n"
    "let prey = if some loose then loose else theirs\n"
    "setup\n"
    "    place man of White at a1, b1, c2\n"
    "    place man of Black at a3, b3, c3, b2\n"
    "turn\n"
    "    choose from in mine\n"
    "    choose to in if count mine <= 3 then empty else empty & next(from)\n"
    "    move from to to\n"
    "    if milled(to) and some prey\n"
    "        choose victim in prey\n"
    "        remove victim\n"
    "end\n"
    "    opponent loses when count theirs < 2\n"
    "    draw when 30 moves without remove\n"
    "when stuck\n"
    "    me loses\n";

// Falling pieces: downwards from a board in order, and to the west with gaps from the start.
static const char *const falling = "game \"Falling\"\n"
                                   "players White, Black\n"
                                   "board square 5 x 4\n"
                                   "    lines of 3\n"
                                   "piece disc of White, Black\n"
                                   "setup\n"
                                   "    place disc of Black at a1, a2, c1\n"
                                   "turn\n"
                                   "    choose at in empty - step(empty, n)\n"
                                   "    place disc at at\n"
                                   "end\n"
                                   "    me wins when some l in lines : l within mine\n"
                                   "    draw when no empty\n";

static const char *const falling_with_gaps = "game \"Gaps\"\n"
                                             "players White, Black\n"
                                             "board square 5 x 4\n"
                                             "    lines of 3\n"
                                             "piece disc of White, Black\n"
                                             "var last : cell or none = none\n"
                                             "setup\n"
                                             "    place disc of Black at b1, d1, c2\n"
                                             "turn\n"
                                             "    choose at in empty - step(empty, e)\n"
                                             "    place disc at at\n"
                                             "    last = at\n"
                                             "end\n"
                                             "    me wins when some l in lines : l within mine\n"
                                             "    draw when no empty\n";

// A free board: the first plies of random games are played without a look at the end.
static const char *const falling_from_free = "game \"Free\"\n"
                                             "players White, Black\n"
                                             "board square 3 x 4\n"
                                             "    lines of 3\n"
                                             "piece disc of White, Black\n"
                                             "turn\n"
                                             "    choose at in empty - step(empty, n)\n"
                                             "    place disc at at\n"
                                             "end\n"
                                             "    me wins when some l in lines : l within mine\n"
                                             "    draw when no empty\n";

// The same where all discs are the first player's: a line can be there after three plies. A full
// board is no end by the rules.
static const char *const falling_of_one = "game \"One\"\n"
                                          "players White, Black\n"
                                          "board square 3 x 4\n"
                                          "    lines of 3\n"
                                          "piece disc of White, Black\n"
                                          "turn\n"
                                          "    choose at in empty - step(empty, n)\n"
                                          "    place disc of White at at\n"
                                          "end\n"
                                          "    me wins when some l in lines : l within mine\n";

// Pairs of cells: more than 64 moves, then fewer.
static const char *const many_pairs =
    "game \"Many\"\n"
    "players White, Black\n"
    "board square 8 x 8\n"
    "piece man of White, Black\n"
    "let ahead = if me == White then {n, nw, ne} else {s, sw}\n"
    "setup\n"
    "    place man of White at row 1 | row 3 | row 5\n"
    "    place man of Black at row 7\n"
    "turn\n"
    "    choose from in mine\n"
    "    choose to in (union d in ahead : step({from}, d) - mine)\n"
    "    move from to to\n"
    "end\n"
    "    me wins when some mine & row 8 or no theirs\n"
    "when stuck\n"
    "    me loses\n";

// Enclosed rows whose ends may be cells that rows go through.
static const char *const enclosed_overlap =
    "game \"Overlap\"\n"
    "players White, Black\n"
    "board square 6 x 5\n"
    "piece disc of White, Black\n"
    "piece stone\n"
    "let run(c, d) = if past(c, d while theirs | stones) in mine | stones then "
    "ray(c, d while theirs | stones) else none\n"
    "let enclosed(c) = union d in {n, e, s, w, ne} : run(c, d)\n"
    "setup\n"
    "    place disc of White at c2, d3\n"
    "    place disc of Black at c3, d2\n"
    "    place stone at b2, e3, c4\n"
    "turn\n"
    "    choose at in empty where some d in {n, e, s, w, ne} : some run(it, d)\n"
    "    change enclosed(at) & theirs to disc of me\n"
    "    place disc at at\n"
    "when stuck\n"
    "    pass\n"
    "when all stuck\n"
    "    most count discs of it wins\n";

// Rules that stop the game: a score that leaves its range, a stack that grows too high.
static const char *const failing = "game \"Failing\"\n"
                                   "players White, Black\n"
                                   "board square 3 x 3\n"
                                   "    stacks of 2\n"
                                   "piece man of White\n"
                                   "piece stone of White, Black\n"
                                   "var score[player] : 0..3\n"
                                   "turn\n"
                                   "    choose at in cells\n"
                                   "    either \"man\"\n"
                                   "        require me == White or column(at) == 2\n"
                                   "        place man of me at at\n"
                                   "    or \"stone\"\n"
                                   "        place stone at at\n"
                                   "    score[me] += row(at) - 1\n"
                                   "end\n"
                                   "    draw when count occupied == 9\n";

static Game *compile(const char *text) {
    Diags diags = {0};
    Game *g = game_compile("test.game", text, strlen(text), NULL, 0, &diags);
    if (!g) {
        Text message = {0};
        diag_print(&diags, &message, false);
        print_error("%s", text_c(&message));
        text_free(&message);
    }
    diag_free(&diags);
    assert_non_null(g);
    return g;
}

static Native *load(const Game *g) {
    Text why = {0};
    Native *n = native_load(g->ir, NULL, &why);
    if (!n)
        print_error("%s\n", text_c(&why));
    text_free(&why);
    assert_non_null(n);
    return n;
}

typedef struct Pair {
    const Game *g;
    const Native *n;
    Vm *vm;
    Rng rng;
} Pair;

// The moves of both, which must be the same; -1 if the rules fail.
static int same_moves(Pair *p, const uint8_t *state, Move *moves) {
    static Move compiled[MOVES];
    int count = vm_moves(p->vm, state, moves, MOVES);
    if (count < 0)
        return count;
    assert_true(count <= MOVES);
    assert_int_equal(p->n->moves(state, compiled, MOVES), count);
    assert_memory_equal(moves, compiled, sizeof(Move) * (size_t)count);
    assert_true(p->n->count(state) == count);
    assert_int_equal(p->n->any(state), count > 0);
    assert_int_equal(p->n->moves(state, compiled, 1), count); // no room: still counted
    for (int all = 0; all < 2; all++)
        assert_int_equal(p->n->stuck(state, all), vm_stuck(p->vm, state, all));
    assert_true(p->n->hash(state) == game_hash(p->g, state));
    return count;
}

// Plays a move on both; false if the rules fail, which both must say.
static bool same_apply(Pair *p, const uint8_t *state, Move move, uint8_t *to) {
    uint64_t other[IR_MAX_STATE / 8];
    bool ok = vm_apply(p->vm, state, move, to);
    int fault = p->n->apply(state, &move, other);
    assert_int_equal(ok, fault == 0);
    if (ok)
        assert_memory_equal(to, other, (size_t)game_state_size(p->g));
    else
        assert_true(fault < 0);
    return ok;
}

// Perft of two plies is not the loop over perft of one; where rules fail it need not agree.
static void same_perft(const Pair *p, const uint8_t *state, const Move *moves, int count) {
    uint64_t next[IR_MAX_STATE / 8];
    int64_t sum = 0;
    for (int i = 0; i < count && sum >= 0; i++) {
        int64_t below = p->n->apply(state, &moves[i], next) ? -1 : p->n->perft(next, 1);
        sum = below < 0 ? -1 : sum + below;
    }
    if (count > 0 && sum >= 0)
        assert_true(p->n->perft(state, 2) == sum);
}

static int play_one(Pair *p) {
    static Move moves[MOVES];
    uint64_t now[IR_MAX_STATE / 8], next[IR_MAX_STATE / 8];
    size_t size = (size_t)game_state_size(p->g);
    memcpy(now, p->g->start, size);
    const uint8_t *state = (const uint8_t *)now;
    int ply = 0;
    for (; ply < PLIES && !state[p->g->ir->layout.result]; ply++) {
        int count = same_moves(p, state, moves);
        if (count < 0 || (count == 0 && p->n->stuck(state, 0) != VM_PASS))
            break;
        for (int i = 0; i < count && i < 40; i++)
            same_apply(p, state, moves[i], (uint8_t *)next);
        if (count < 200)
            same_perft(p, state, moves, count);
        Move move = count ? moves[rng_below(&p->rng, (uint64_t)count)] : MOVE_PASS;
        if (!same_apply(p, state, move, (uint8_t *)next))
            break;
        memcpy(now, next, size);
    }
    return ply;
}

static int64_t walk(Runner *r, const uint8_t *state, int depth) {
    if (depth == 1)
        return runner_count(r, state);
    const Move *moves;
    int n = runner_moves(r, state, &moves);
    if (n < 0)
        return -1;
    Move *kept = mem_alloc(sizeof *kept * (size_t)(n + 1));
    uint64_t next[IR_MAX_STATE / 8];
    int64_t total = 0;
    memcpy(kept, moves, sizeof *kept * (size_t)n);
    for (int i = 0; i < n && total >= 0; i++) {
        int64_t below = -1;
        if (runner_apply(r, state, kept[i], (uint8_t *)next))
            below = walk(r, (const uint8_t *)next, depth - 1);
        total = below < 0 ? -1 : total + below;
    }
    mem_free(kept);
    return total;
}

// One random ply, often: every successor must come up, about as often as the others.
static void check_uniform(Pair *p, const void *start) {
    static Move moves[MOVES];
    enum { EACH = 60 };
    size_t size = (size_t)game_state_size(p->g);
    int count = vm_moves(p->vm, start, moves, MOVES);
    if (count <= 0)
        return;
    uint8_t *after = mem_alloc((size_t)count * size);
    int *hits = mem_alloc(sizeof *hits * (size_t)count);
    uint64_t rng[4] = {42, 1, 2, 3}, now[IR_MAX_STATE / 8];
    for (int i = 0; i < count; i++)
        if (!vm_apply(p->vm, start, moves[i], after + (size_t)i * size))
            count = 0; // the rules fail here
    for (int t = 0; t < EACH * count; t++) {
        memcpy(now, start, size);
        assert_int_equal(p->n->playout(now, rng, 1), 1);
        int i = 0;
        while (i < count && memcmp(after + (size_t)i * size, now, size) != 0)
            i++;
        assert_true(i < count);
        hits[i]++;
    }
    for (int i = 0; i < count; i++) {
        int share = 0, first = 1; // moves that lead to the same state count together
        for (int j = 0; j < count; j++)
            if (memcmp(after + (size_t)i * size, after + (size_t)j * size, size) == 0) {
                share++;
                first = first && j >= i;
            }
        if (first)
            assert_in_range(hits[i], share * EACH / 3, share * EACH * 2);
    }
    mem_free(hits);
    mem_free(after);
}

// The same some plies later, where that is no long list.
static void check_uniform_later(Pair *p) {
    static Move moves[MOVES];
    uint64_t now[IR_MAX_STATE / 8], next[IR_MAX_STATE / 8];
    memcpy(now, p->g->start, (size_t)game_state_size(p->g));
    for (int ply = 1; ply <= 20; ply++) {
        const uint8_t *state = (const uint8_t *)now;
        int count = state[p->g->ir->layout.result] ? 0 : vm_moves(p->vm, state, moves, MOVES);
        if (count <= 0)
            return;
        if (ply % 3 == 0 && count < 200)
            check_uniform(p, now);
        if (!vm_apply(p->vm, state, moves[rng_below(&p->rng, (uint64_t)count)], (uint8_t *)next))
            return;
        memcpy(now, next, sizeof now);
    }
}

// How likely random games are to last n plies and end with a result: [n][result].
enum { MOST_PLIES = 64 };
typedef double Chances[MOST_PLIES][256];

static void add_chances(Pair *p, const void *state, int ply, double chance, Chances to) {
    Move moves[64];
    uint64_t next[IR_MAX_STATE / 8];
    int result = ((const uint8_t *)state)[p->g->ir->layout.result];
    int count = result ? 0 : vm_moves(p->vm, state, moves, 64);
    assert_in_range(count, 0, 64);
    if (count == 0)
        to[ply][result] += chance;
    for (int i = 0; i < count; i++) {
        assert_true(vm_apply(p->vm, state, moves[i], (uint8_t *)next));
        add_chances(p, next, ply + 1, chance / count, to);
    }
}

// Whole random games last as long, and end as often in each way, as the tree of moves tells. The
// limit on plies is never reached, which some games are played differently for.
static void check_whole_games(const char *text, int from_ply) {
    static Chances chance, hits;
    enum { SAMPLES = 40000 };
    Game *g = compile(text);
    Native *n = load(g);
    Pair p = {.g = g, .n = n, .vm = vm_new(g->program)};
    uint64_t start[IR_MAX_STATE / 8], state[IR_MAX_STATE / 8], rng[4] = {9, 8, 7, 6};
    size_t size = (size_t)game_state_size(g);
    memset(chance, 0, sizeof chance);
    memset(hits, 0, sizeof hits);
    memcpy(start, g->start, size);
    assert_int_equal(n->playout(start, rng, from_ply), from_ply);
    add_chances(&p, start, 0, 1, chance);
    for (int i = 0; i < SAMPLES; i++) {
        memcpy(state, start, size);
        int played = n->playout(state, rng, 1000);
        assert_in_range(played, 0, MOST_PLIES - 1);
        hits[played][((const uint8_t *)state)[g->ir->layout.result]]++;
    }
    for (int ply = 0; ply < MOST_PLIES; ply++)
        for (int r = 0; r < 256; r++) {
            double off = hits[ply][r] - chance[ply][r] * SAMPLES;
            assert_true(off * off <= 25 * (chance[ply][r] * SAMPLES + 1));
        }
    vm_free(p.vm);
    native_free(n);
    game_free(g);
}

static void compare(const char *text, bool fails) {
    Game *g = compile(text);
    Native *n = load(g);
    Pair p = {.g = g, .n = n, .vm = vm_new(g->program)};
    assert_non_null(p.vm);
    rng_seed(&p.rng, 7);
    int plies = 0;
    for (int i = 0; i < GAMES; i++)
        plies += play_one(&p);
    assert_true(plies > GAMES); // the rules were really played
    Runner *r = runner_new(g);
    int64_t expected = 0;
    for (int depth = 1; depth <= 3 && expected < ENOUGH; depth++) {
        expected = walk(r, g->start, depth);
        int64_t found = n->perft(g->start, depth);
        assert_true(expected < 0 ? found < 0 : found == expected);
    }
    runner_free(r);
    check_uniform(&p, g->start);
    for (int i = 0; i < 3 && !fails; i++)
        check_uniform_later(&p);
    uint64_t rng[4] = {5, 6, 7, 8}, state[IR_MAX_STATE / 8];
    for (int i = 0; i < GAMES; i++) {
        memcpy(state, g->start, (size_t)game_state_size(g));
        int played = n->playout(state, rng, 200);
        assert_true(played >= 0 || fails);
        if (played >= 0 && played < 200)
            assert_true(((const uint8_t *)state)[g->ir->layout.result] & RESULT_OVER);
    }
    vm_free(p.vm);
    native_free(n);
    game_free(g);
}

static void test_loops(void **state) {
    (void)state;
    compare(loops_in_loops, false);
    compare(long_moves, false);
}

static void test_numbers(void **state) {
    (void)state;
    compare(numbers, false);
    compare(numbers_of_pairs, false);
}

static void test_choices(void **state) {
    (void)state;
    compare(choices_of_all_kinds, true);
    compare(mills_of_two_kinds, false);
}

static void test_boards(void **state) {
    (void)state;
    compare(three_players_and_stacks, true);
    compare(attributes_and_words, true);
}

static void test_leaves(void **state) {
    (void)state;
    compare(apart, false);
    compare(three_in_turn, false);
    compare(steps_that_take, false);
}

// Parts of stacks: in lanes of bytes, of two and of four bytes, with a lane for each cell and with
// more lanes than cells. The cells are found by ways, by ways and one by one, and otherwise.
#define COLUMNS(board, most, pieces, begin, last)                                                  \
    "game \"Columns\"\n"                                                                           \
    "players Black, White\n"                                                                       \
    "board square " board "\n"                                                                     \
    "    directions n, ne, e, se, s, sw, w, nw\n"                                                  \
    "    stacks of " most "\n"                                                                     \
    "piece " pieces " of Black, White\n"                                                           \
    "var turns : 0..60 = 0\n"                                                                      \
    "let busy(c) = count (next(c) & occupied) > 1\n"                                               \
    "setup\n"                                                                                      \
    "    for c in cells where (row(it) + column(it)) % 3 != 0\n"                                   \
    "        place man of (if row(c) % 2 == 0 then Black else White) at c\n"                       \
    "        if column(c) % 2 == 0\n"                                                              \
    "            place man of (if row(c) % 2 == 0 then White else Black) at c\n"                   \
    "turn\n" begin "    choose from in occupied where row(it) > 1 or owner(it) == me\n"            \
    "    choose level in 0 .. height(from) - 1 where piece(from, it) == man and\n"                 \
    "        (owner(from, it) != me or it > 1)\n"                                                  \
    "    if height(from) > 1 and level > 0\n"                                                      \
    "        choose to in next(from) - theirs where height(it) + height(from) - level <= " most    \
    " and\n"                                                                                       \
    "            (height(it) != level or row(it) < 4)\n"                                           \
    "    else if level == 0 and turns % 2 == 0\n"                                                  \
    "        choose to in next(from) where busy(it) and height(from) + height(it) <= " most "\n"   \
    "    else\n"                                                                                   \
    "        require height(from) - level < 3\n" last "    move from above level to to\n"          \
    "    turns += 1\n"                                                                             \
    "    if height(to) == " most "\n"                                                              \
    "        clear to\n"                                                                           \
    "end\n"                                                                                        \
    "    draw when turns > 40\n"                                                                   \
    "when stuck\n"                                                                                 \
    "    pass\n"
#define BY_DISTANCE "        choose to in empty where distance(it, from) == level + 1\n"
#define BY_WAYS "        choose to in next(from) & empty where column(it) <= column(from)\n"

static void test_columns(void **state) {
    (void)state;
    compare(COLUMNS("6 x 5", "4", "man, king", "", BY_DISTANCE), false);
    compare(COLUMNS("8 x 4", "8", "man", "    turns += 1\n", BY_WAYS), false);
    if (SANITIZED_ADDRESS && !getenv("LUDENS_ALL"))
        return; // the compiler takes ten times as long for each
    compare(COLUMNS("8 x 4", "4", "man, king", "", BY_WAYS), false);
    compare(COLUMNS("8 x 4", "9", "man", "", BY_WAYS), false);
    compare(COLUMNS("5 x 4", "7", "man, king", "", BY_WAYS), false);
    compare(COLUMNS("4 x 4", "12", "man, king", "", BY_WAYS), false);
    compare(COLUMNS("9 x 4", "8", "man", "", BY_WAYS), false); // too many cells for a vector
}

static void test_failing(void **state) {
    (void)state;
    compare(failing, true);
}

static void test_whole_games(void **state) {
    (void)state;
    compare(falling_from_free, false);
    compare(falling_of_one, false);
    check_whole_games(falling_from_free, 0);
    check_whole_games(falling_from_free, 1); // the second player begins
    check_whole_games(falling_from_free, 2);
    check_whole_games(falling, 0);
    check_whole_games(falling_of_one, 0);
}

static void test_random_moves(void **state) {
    (void)state;
    compare(flying_mills, false);
    compare(falling, false);
    compare(falling_with_gaps, false);
    compare(many_pairs, false);
    compare(enclosed_overlap, false);
}

// The cache is keyed by the text: the same rules must give the same bytes.
static void test_same_text(void **state) {
    (void)state;
    Game *one = compile(choices_of_all_kinds), *two = compile(choices_of_all_kinds);
    Text a = {0}, b = {0};
    assert_true(native_emit(one->ir, &a));
    assert_true(native_emit(two->ir, &b));
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
    Game *g = compile(mills_of_two_kinds);
    bool ok = false;
    for (long n = 1; !ok && n < 1000000; n += 1 + n / 8) {
        Text text = {0};
        mem_fail_at(n);
        ok = native_emit(g->ir, &text);
        mem_fail_at(0);
        text_free(&text);
    }
    assert_true(ok);
    game_free(g);
}

// Compiled games of this test go to a folder of their own.
static int own_cache(void **state) {
    static char folder[] = P_tmpdir "/ludens-native-XXXXXX";
    *state = mkdtemp(folder);
    return *state && setenv("XDG_CACHE_HOME", folder, 1) == 0 ? 0 : -1;
}

static int remove_cache(void **state) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    return system(command);
}

int main(void) {
    if (system("cc --version > /dev/null 2>&1") != 0) {
        puts("1..0 # SKIP there is no C compiler");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_text),   cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_numbers),     cmocka_unit_test(test_loops),
        cmocka_unit_test(test_choices),     cmocka_unit_test(test_boards),
        cmocka_unit_test(test_failing),     cmocka_unit_test(test_leaves),
        cmocka_unit_test(test_columns),     cmocka_unit_test(test_random_moves),
        cmocka_unit_test(test_whole_games),
    };
    return cmocka_run_group_tests(tests, own_cache, remove_cache);
}
