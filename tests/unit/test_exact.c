// Tests of what claims to be proven: random small games, each solved here by listing all its
// positions, against every player, every puzzle solver and every way to prove.
//
// A game is made by its number. LUDENS_ALL=1 plays many more of them; LUDENS_GAMES=7 or
// LUDENS_GAMES=1000..2000 those, and shows the rules of the one that fails. LUDENS_PLAYER=mcts
// takes only players and ways to prove with that in their text; LUDENS_SHOW=1 shows rules that are
// refused.
#include "random_rules.h"
#include "sanitized.h"
#include "search_fixture.h"

#include "game/movetext.h"
#include "search/prove.h"

#include <stdio.h>
#include <stdlib.h>

// --- all positions ---

#define MOST_POSITIONS 6000
#define MOST_USUAL 800 // unless LUDENS_ALL is set

typedef struct Graph {
    const Game *game;
    Runner *runner;
    size_t size;
    int count, most, edges;
    uint64_t room[MOST_POSITIONS + 1][IR_MAX_STATE / 64]; // small games have small states
    int result[MOST_POSITIONS];
    int first[MOST_POSITIONS + 1]; // of its edges
    int edge[MOST_POSITIONS * 12];
    int slot[4 * MOST_POSITIONS + 1]; // a hash table: number + 1
} Graph;

static const uint8_t *state_of(const Graph *g, int i) {
    return (const uint8_t *)g->room[i];
}

// Its number; a new one gets the next. -1: there is no room.
static int number_of(Graph *g, const uint8_t *state) {
    uint64_t hash = 1;
    for (size_t i = 0; i < g->size; i++)
        hash = (hash ^ state[i]) * 0x100000001b3u;
    unsigned slots = sizeof g->slot / sizeof *g->slot, at = (unsigned)((hash ^ hash >> 29) % slots);
    for (; g->slot[at]; at = (at + 1) % slots)
        if (memcmp(state_of(g, g->slot[at] - 1), state, g->size) == 0)
            return g->slot[at] - 1;
    if (g->count == g->most)
        return -1;
    g->slot[at] = g->count + 1;
    memcpy(g->room[g->count], state, g->size);
    return g->count++;
}

// False if there are more than that.
static bool list_positions(Graph *g, const Game *game, Runner *r, int most) {
    memset(g->slot, 0, sizeof g->slot);
    g->game = game;
    g->runner = r;
    g->size = (size_t)game_state_size(game);
    g->count = g->edges = 0;
    g->most = most;
    if (g->size > sizeof g->room[0])
        return false;
    number_of(g, game->start);
    uint64_t next[IR_MAX_STATE / 8];
    for (int i = 0; i < g->count; i++) {
        const Move *moves;
        int n = runner_moves(r, state_of(g, i), &moves);
        g->result[i] = runner_result(r, state_of(g, i));
        g->first[i] = g->edges;
        if (n < 0 || g->result[i] < 0 || g->edges + n > (int)(sizeof g->edge / sizeof *g->edge))
            return false;
        assert_true((n == 0) == (g->result[i] != 0));
        Move list[100];
        if (n > 100)
            return false;
        memcpy(list, moves, sizeof *list * (size_t)n);
        for (int k = 0; k < n; k++) {
            if (!runner_apply(r, state_of(g, i), list[k], (uint8_t *)next))
                return false;
            int to = number_of(g, (uint8_t *)next);
            if (to < 0)
                return false;
            g->edge[g->edges++] = to;
        }
    }
    g->first[g->count] = g->edges;
    return true;
}

// --- what they are worth ---

// To one player, whom all others play against. A game that never ends is drawn; so is one that
// comes to a position as often as the rules allow. Positions that have occurred so often but once
// are ends here: nobody needs to come to any other position twice to win.
enum { LOST, DRAWN, SHARED, WON };

typedef struct Truth {
    int me;
    bool ends[MOST_POSITIONS]; // drawn by repetition
    int8_t value[MOST_POSITIONS];
    int moves[MOST_POSITIONS]; // to the win or loss, with best play
} Truth;

static int value_at_end(const Graph *g, int i, int me) {
    int winners = g->result[i] & ~RESULT_OVER, players = g->game->ir->players;
    if (players == 1)
        return winners ? WON : LOST;
    if (winners == 0 || winners == (1 << players) - 1)
        return DRAWN;
    return winners == 1 << me ? WON : winners >> me & 1 ? SHARED : LOST;
}

// Marks where one side (`mine`: me, else the others) can force a value of at least (at most) that.
static void force(const Graph *g, Truth *t, bool mine, int wanted) {
    static int rank[MOST_POSITIONS];
    bool changed = true;
    for (int i = 0; i < g->count; i++) {
        bool end = g->result[i] != 0;
        int value = end ? value_at_end(g, i, t->me) : DRAWN;
        if (t->ends[i])
            value = g->game->ir->players == 1 ? LOST : DRAWN;
        end = end || t->ends[i];
        rank[i] = end && (mine ? value >= wanted : value <= wanted) ? 0 : -1;
    }
    for (int depth = 1; changed; depth++) {
        changed = false;
        for (int i = 0; i < g->count; i++) {
            if (rank[i] >= 0 || g->result[i] || t->ends[i])
                continue;
            bool chooses = (game_player(g->game, state_of(g, i)) == t->me) == mine;
            int good = 0, all = g->first[i + 1] - g->first[i];
            for (int e = g->first[i]; e < g->first[i + 1]; e++)
                good += rank[g->edge[e]] >= 0 && rank[g->edge[e]] < depth;
            if (chooses ? good > 0 : good == all) {
                rank[i] = depth;
                changed = true;
            }
        }
    }
    for (int i = 0; i < g->count; i++)
        if (rank[i] >= 0) {
            t->value[i] = (int8_t)wanted;
            t->moves[i] = rank[i];
        }
}

static void find_truth(const Graph *g, const Record *record, int me, Truth *t) {
    t->me = me;
    int times = g->game->ir->repeated;
    for (int i = 0; i < g->count; i++) {
        int seen = 0;
        for (int k = 0; record && times && k <= record_length(record); k++)
            seen += game_same(g->game, record_state(record, k), state_of(g, i));
        bool here = record && game_same(g->game, record_now(record), state_of(g, i));
        t->ends[i] = times && seen >= times - 1 && !here;
        t->value[i] = DRAWN;
        t->moves[i] = 0;
    }
    force(g, t, false, LOST);
    force(g, t, true, SHARED);
    force(g, t, true, WON);
    for (int i = 0; i < g->count && g->game->ir->players == 1; i++)
        t->value[i] = t->value[i] == WON ? WON : LOST;
}

// --- comparing ---

static uint64_t game_number;
static const char *game_text;
static char claims[500]; // who claims what

static void wrong(const Record *record, const char *what) {
    Text text = {0};
    if (record)
        record_save((Record *)(uintptr_t)record, NULL, 0, &text);
    fail_msg("game %llu: %s: %s\n%s%s", (unsigned long long)game_number, claims, what,
             getenv("LUDENS_GAMES") ? game_text : "", text_c(&text));
}

typedef struct Kind {
    const char *text;
    bool exact_distance; // if it ended before its limits
    bool each;           // for himself, not all against one
    int64_t nodes;
} Kind;

static int class_of(Value value) {
    return value >= VALUE_SURE ? WON : value <= -VALUE_SURE ? LOST : value == 500 ? SHARED : DRAWN;
}

static void check_claim(const Graph *g, const Truth *t, const Record *record, const Kind *kind,
                        const SearchResult *r) {
    int i = number_of((Graph *)(uintptr_t)g, record_now(record)), players = g->game->ir->players;
    snprintf(claims, sizeof claims, "%s says %d%s (%lld nodes), but it is %d in %d", kind->text,
             r->value, r->exact ? ", proven" : "", (long long)r->nodes, t->value[i], t->moves[i]);
    if (!r->exact && !value_is_proven(r->value))
        return;
    int said = class_of(r->value), is = t->value[i];
    int distance = VALUE_WIN - (r->value < 0 ? -r->value : r->value);
    if (kind->each) {
        if (said < is)
            wrong(record, "worse than against all");
        return;
    }
    if (players == 1 && said != WON) // a draw is no way to the goal, either
        said = LOST;
    if (said != is)
        wrong(record, "not true");
    bool no_way = players == 1 && said != WON; // there is no distance
    if (no_way || (said != WON && said != LOST))
        return;
    if (distance < t->moves[i] && said == WON)
        wrong(record, "there is no win so soon");
    if (kind->exact_distance && r->nodes < kind->nodes && distance != t->moves[i])
        wrong(record, "the distance is not true");
}

// The move must keep what was claimed, and the line must be one and lead there.
static void check_line(const Graph *g, const Truth *t, const Record *record, const Kind *kind,
                       const SearchResult *r) {
    uint64_t room[IR_MAX_STATE / 8];
    uint8_t *now = (uint8_t *)room;
    memcpy(now, record_now(record), g->size);
    bool proven = r->exact || value_is_proven(r->value);
    int claim = t->value[number_of((Graph *)(uintptr_t)g, now)];
    if (r->found && r->line_length > 0 && !move_equal(r->line[0], r->move))
        wrong(record, "the line begins with another move");
    for (int i = 0; i < r->line_length; i++) {
        if (!runner_is_legal(g->runner, now, r->line[i]))
            wrong(record, "a move of the line is not legal");
        assert_true(runner_apply(g->runner, now, r->line[i], now));
        int at = number_of((Graph *)(uintptr_t)g, now);
        int end = g->result[at] ? value_at_end(g, at, t->me) : t->value[at];
        if (proven && !kind->each && (i == 0 || kind->exact_distance) && end != claim)
            wrong(record, i == 0 ? "the move does not keep the value" : "the line leads elsewhere");
        if (kind->exact_distance && r->nodes < kind->nodes && i == 0 && proven && claim == WON &&
            g->game->ir->players <= 2 &&
            t->moves[at] + 1 != t->moves[number_of((Graph *)(uintptr_t)g, record_now(record))])
            wrong(record, "the move wins later");
    }
}

// --- repetition and clocks together ---

// Where clocks decide and repetition draws, what a position is worth depends on the way to it: all
// ways are walked. The clock ends these games after a few moves.
#define MOST_WALKED 2000

static int walked;

static Value walk(Fixture *f, int me, int ply) {
    int result = record_result(f->record);
    if (result)
        return value_of_result(f->game, result, me, ply);
    const Move *moves;
    int n = runner_moves(f->runner, record_now(f->record), &moves);
    Move list[100];
    assert_in_range(n, 1, 100);
    memcpy(list, moves, sizeof *list * (size_t)n);
    bool max = game_player(f->game, record_now(f->record)) == me;
    Value best = max ? -VALUE_WIN : VALUE_WIN;
    for (int i = 0; i < n && ++walked < MOST_WALKED; i++) {
        assert_true(record_play(f->record, list[i]));
        Value value = walk(f, me, ply + 1);
        assert_true(record_undo(f->record));
        best = max == (value > best) ? value : best;
    }
    return best;
}

static bool walk_all(Fixture *f, int me, Value *value) {
    walked = 0;
    *value = walk(f, me, 0);
    return walked < MOST_WALKED;
}

static void check_by_walk(Fixture *f, const Kind *kind, const SearchResult *r) {
    int me = game_player(f->game, record_now(f->record)), players = f->game->ir->players;
    Value is, behind;
    if ((!r->exact && !value_is_proven(r->value)) || !walk_all(f, me, &is))
        return;
    snprintf(claims, sizeof claims, "%s says %d%s (%lld nodes), but it is %d", kind->text, r->value,
             r->exact ? ", proven" : "", (long long)r->nodes, is);
    int said = class_of(r->value), wanted = class_of(is);
    said = players == 1 && said != WON ? LOST : said;
    if (kind->each ? said < wanted : said != wanted)
        wrong(f->record, "not true");
    if (kind->each)
        return;
    if (said == WON && r->value > is)
        wrong(f->record, "there is no win so soon");
    if (kind->exact_distance && r->nodes < kind->nodes && r->value != is &&
        (players > 1 || said == WON))
        wrong(f->record, "the distance is not true");
    assert_true(record_play(f->record, r->move));
    bool known = walk_all(f, me, &behind);
    assert_true(record_undo(f->record));
    if (known && class_of(behind) != wanted)
        wrong(f->record, "the move does not keep the value");
}

// --- players ---

static const Kind of_one[] = {
    {"bfs", true, false, 1 << 30},
    {"dfs", false, false, 1 << 30},
    {"iddfs:nodes=20k", true, false, 20000},
    {"astar", true, false, 1 << 30},
    {"idastar:nodes=20k", true, false, 20000},
    {"bestfirst", false, false, 1 << 30},
    {"alphabeta:threads=1,nodes=20k,heuristic=plain,memory=1", true, false, 20000},
    {"alphabeta:threads=2,nodes=20k,heuristic=none,memory=1", true, false, 20000},
    {"table-alphabeta:nodes=3k,memory=1", true, false, 3000},
    {"mcts:iterations=300,heuristic=none,memory=1", false, false, 1 << 30},
    {"auto:nodes=20k,threads=1,memory=2", false, false, 20000},
};
static const Kind of_more[] = {
    {"minimax:nodes=3k,depth=4", true, false, 3000},
    {"plain-alphabeta:nodes=3k,depth=5", true, false, 3000},
    {"ordered-alphabeta:nodes=3k,depth=5", true, false, 3000},
    {"deepening-alphabeta:nodes=3k", true, false, 3000},
    {"stochastic-minimax:nodes=3k,depth=4", false, false, 3000},
    {"table-alphabeta:nodes=4k,memory=1", true, false, 4000},
    {"alphabeta:threads=1,nodes=20k,heuristic=plain,memory=1", true, false, 20000},
    {"alphabeta:threads=1,nodes=5k,heuristic=none,memory=1", true, false, 5000},
    {"alphabeta:threads=2,nodes=20k,heuristic=none,memory=1", true, false, 20000},
    {"alphabeta:threads=1,nodes=5k,heuristic=plain,memory=1,maxn=1", false, true, 5000},
    {"mcts:iterations=200,heuristic=none,memory=1", false, false, 1 << 30},
    {"mcts:iterations=100,heuristic=plain,memory=1,threads=2", false, false, 1 << 30},
    {"mcts:iterations=100,heuristic=plain,memory=1,judge=1,reuse=0", false, false, 1 << 30},
    {"auto:nodes=20k,threads=1,memory=2", false, false, 20000},
};
enum {
    ONE = sizeof of_one / sizeof *of_one,
    MORE = sizeof of_more / sizeof *of_more,
    KINDS = MORE
};

static bool looked(const char *only, const char *text) {
    return !only || strstr(text, only);
}

// All players, kept over one random game. Without a graph every way is walked.
static void compare_players(const Graph *g, Fixture *f, uint64_t number) {
    static Truth truth;
    const Kind *kind = f->game->ir->players == 1 ? of_one : of_more;
    int kinds = f->game->ir->players == 1 ? ONE : MORE;
    const char *only = getenv("LUDENS_PLAYER");
    Player *player[KINDS];
    atomic_bool stop = true; // nothing is learnt
    for (int i = 0; i < kinds; i++) {
        Text why = {0};
        bool wanted = looked(only, kind[i].text) && (!kind[i].each || f->game->ir->players > 2);
        player[i] = wanted ? player_stoppable(f->game, kind[i].text, NULL, &stop, &why) : NULL;
        if (wanted && !player[i])
            fail_msg("%s: %s", kind[i].text, text_c(&why));
        text_free(&why);
    }
    Rng rng;
    rng_seed(&rng, number);
    for (int ply = 0; ply < 12 && record_result(f->record) == 0; ply++) {
        if (g)
            find_truth(g, f->record, game_player(f->game, record_now(f->record)), &truth);
        Move move = MOVE_PASS;
        bool moved = false;
        for (int i = 0; i < kinds; i++) {
            SearchResult r;
            SearchTask task = {.record = f->record, .seed = number};
            if (!player[i] || (ply > 0 && rng_below(&rng, 3) == 0))
                continue;
            bool found = player_search(player[i], &task, &r);
            if (!found) // no way to a goal: any move is played
                wrong(f->record, "no move");
            if (g) {
                check_claim(g, &truth, f->record, &kind[i], &r);
                check_line(g, &truth, f->record, &kind[i], &r);
            } else {
                check_by_walk(f, &kind[i], &r);
            }
            if (rng_below(&rng, 12) == 0) {
                move = r.move;
                moved = true;
            }
        }
        if (!moved)
            assert_true(runner_random(f->runner, record_now(f->record), rng_next(&rng), &move) > 0);
        assert_true(record_play(f->record, move));
    }
    for (int i = 0; i < kinds; i++)
        player_free(player[i]);
}

// --- faults there were ---

// One player, asked about all positions of a game; its moves have blanks between them.
static void follow(const char *rules, const char *moves, const char *player, bool whole_way) {
    static Graph graph;
    static Truth truth;
    Fixture f = compile_game(rules);
    static const char *const inexact[] = {"stochastic", "dfs", "bestfirst", "mcts"};
    Kind kind = {player, true, false, 1 << 30};
    for (size_t i = 0; i < sizeof inexact / sizeof *inexact; i++)
        if (strncmp(player, inexact[i], strlen(inexact[i])) == 0)
            kind.exact_distance = false;
    game_text = rules;
    Player *p = make_player(f.game, player);
    Text why = {0};
    char words[200];
    snprintf(words, sizeof words, "%s", moves);
    if (!whole_way)
        assert_true(list_positions(&graph, f.game, f.runner, MOST_POSITIONS));
    for (char *rest, *word = strtok_r(words, " ", &rest);; word = strtok_r(NULL, " ", &rest)) {
        SearchResult r;
        SearchTask task = {.record = f.record};
        assert_true(player_search(p, &task, &r));
        if (whole_way) {
            check_by_walk(&f, &kind, &r);
        } else {
            find_truth(&graph, f.record, game_player(f.game, record_now(f.record)), &truth);
            check_claim(&graph, &truth, f.record, &kind, &r);
            check_line(&graph, &truth, f.record, &kind, &r);
        }
        Move move;
        if (!word)
            break;
        if (!move_read(f.runner, record_now(f.record), word, &move, &why))
            fail_msg("%s", text_c(&why));
        assert_true(record_play(f.record, move));
    }
    text_free(&why);
    player_free(p);
    close_game(&f);
}

// Moves that are left out by chance may save who seems lost.
static void test_left_out(void **unused) {
    (void)unused;
    for (int seed = 0; seed < 20; seed++) {
        char player[80];
        snprintf(player, sizeof player, "stochastic-minimax:depth=4,seed=%d", seed);
        follow("game \"Left out\"\n"
               "players Red, Blue\n"
               "board square 3 x 3\n"
               "    directions n, e, s, w\n"
               "piece king\n"
               "var burnt : cells\n"
               "setup\n"
               "    place king at b1\n"
               "turn\n"
               "    choose to in next(the king) - burnt\n"
               "    burnt += the king\n"
               "    move the king to to\n"
               "end\n"
               "    opponent wins when the king == a3\n"
               "when stuck\n"
               "    Red wins\n",
               "c1 c2", player, false);
    }
}

// What the table has of another mirror image, or of a smaller depth, is no part of the line.
static void test_mirrors(void **unused) {
    (void)unused;
    static const char *const ends[] = {
        "    require not (some l in lines : l within mine)\nend\n    draw when no empty\n"
        "when stuck\n    me loses\nwhen all stuck\n    most count men of it wins\n",
        "end\n    me wins when some l in lines : l within mine\n"
        "    most count men of it wins when no empty\nwhen stuck\n    me loses\n"};
    for (int i = 0; i < 2; i++) {
        char rules[600];
        snprintf(rules, sizeof rules,
                 "game \"Mirrors\"\n"
                 "players Red, Blue\n"
                 "board square 3 x 3\n"
                 "    lines of 3\n"
                 "    directions n, e, s, w\n"
                 "    symmetry all\n"
                 "piece man of Red \"R\", Blue \"B\"\n"
                 "turn\n"
                 "    choose to in empty where no next(it) & mine\n"
                 "    place man at to\n%s",
                 ends[i]);
        static const char *const games[] = {"a1 c3", "a1 b1 c1", "b2 a1", "a1 b2 c3", "a2 b1 c2"};
        for (size_t k = 0; k < sizeof games / sizeof *games; k++) {
            follow(rules, games[k], "alphabeta:threads=1,heuristic=none", false);
            follow(rules, games[k], "alphabeta:threads=1,heuristic=plain", false);
        }
    }
}

// What the table kept from the move before knows a win that lies deeper than the search: there may
// be a nearer one.
static void test_kept_distance(void **unused) {
    (void)unused;
    follow("game \"Kept\"\n"
           "players Red, Blue\n"
           "board square 3 x 2\n"
           "    lines of 2\n"
           "    directions n, e, s, w\n"
           "piece man of Red \"R\", Blue \"B\"\n"
           "setup\n"
           "    place man of Red at a2\n"
           "    place man of Blue at c2\n"
           "turn\n"
           "    if some c in mine : some next(c) & theirs\n"
           "        choose from in mine where some next(it) & theirs\n"
           "        choose to in next(from) & theirs\n"
           "        move from to to\n"
           "    else\n"
           "        choose from in mine\n"
           "        choose to in empty & next(from)\n"
           "        move from to to\n"
           "end\n"
           "    me loses when some l in lines : l within mine\n"
           "    me wins when count mine == 2\n"
           "    draw when repeated 3\n"
           "when stuck\n"
           "    me loses\n",
           "a2-a1 c2-c1", "table-alphabeta:heuristic=mobility", false);
}

#define TRAVELS(players, setup, turn, ends)                                                        \
    "game \"Travels\"\n"                                                                           \
    "players " players "\n"                                                                        \
    "board square 3 x 3\n"                                                                         \
    "    directions n, e, s, w\n" setup "turn\n" turn "end\n" ends

// The game so far makes some positions draws. A way there is no way to the goal.
static void test_puzzle_repeats(void **unused) {
    (void)unused;
    static const char *const solvers[] = {"bfs",
                                          "dfs",
                                          "iddfs",
                                          "astar",
                                          "idastar",
                                          "bestfirst",
                                          "alphabeta:threads=1",
                                          "table-alphabeta:depth=8"};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        const char *rules = TRAVELS("Red",
                                    "piece man of Red \"R\"\n"
                                    "setup\n"
                                    "    place man of Red at c2, a2\n",
                                    "    choose from in mine\n"
                                    "    choose to in empty & next(from)\n"
                                    "    move from to to\n",
                                    "    me wins when {c1, a2} within mine\n"
                                    "    draw when repeated 2\n");
        follow(rules, "a2-b2", solvers[i], false);
        follow(rules, "a2-a3 c2-c3 a3-b3", solvers[i], false);
    }
}

// What a table knows from earlier moves of the game does not hold where a position has occurred
// again since.
static void test_table_repeats(void **unused) {
    (void)unused;
    static const char *const players[] = {"table-alphabeta:depth=8",
                                          "alphabeta:threads=1,heuristic=none",
                                          "mcts:iterations=3k,heuristic=none"};
    for (size_t i = 0; i < sizeof players / sizeof *players; i++)
        follow(TRAVELS("Red, Blue",
                       "piece man of Red \"R\", Blue \"B\"\n"
                       "setup\n"
                       "    place man of Red at c3\n"
                       "    place man of Blue at a2, c1\n",
                       "    if some c in mine : some next(c) & theirs\n"
                       "        choose from in mine where some next(it) & theirs\n"
                       "        choose to in next(from) & theirs\n"
                       "        move from to to\n"
                       "    else\n"
                       "        choose from in mine\n"
                       "        choose to in empty & next(from)\n"
                       "        move from to to\n"
                       "    require not ({c1, a1} within mine)\n",
                       "    me wins when {b3, a2} within mine\n"
                       "    Blue wins when no theirs\n"
                       "    draw when repeated 3\n"
                       "when stuck\n"
                       "    me wins\n"),
               "c3-b3 a2-a3 b3-a3 c1-b1 a3-b3 b1-a1 b3-c3 a1-b1 c3-b3 b1-a1", players[i], false);
}

#define WAITS                                                                                      \
    TRAVELS("Red, Blue",                                                                           \
            "piece king\n"                                                                         \
            "clock steps : 0..5 = 0\n"                                                             \
            "setup\n"                                                                              \
            "    place king at c2\n",                                                              \
            "    choose to in next(the king)\n"                                                    \
            "    move the king to to\n"                                                            \
            "    steps = min(steps + 1, 5)\n",                                                     \
            "    Blue wins when the king == c3\n"                                                  \
            "    me wins when the king == a2\n"                                                    \
            "    Red wins when steps == 5\n"                                                       \
            "    draw when repeated 3\n")
#define WANDERS                                                                                    \
    TRAVELS("Red, Blue",                                                                           \
            "piece king\n"                                                                         \
            "clock steps : 0..4 = 0\n"                                                             \
            "setup\n"                                                                              \
            "    place king at c1\n",                                                              \
            "    choose to in next(the king)\n"                                                    \
            "    move the king to to\n"                                                            \
            "    if some kings & {a1, b1}\n"                                                       \
            "        again\n"                                                                      \
            "    steps = min(steps + 1, 4)\n",                                                     \
            "    me wins when some kings & row 2\n"                                                \
            "    draw when steps == 4\n"                                                           \
            "    draw when repeated 2\n")

// Two ways lead to the same position at the same time, but on one of them it goes on, and on the
// other one the next position is a draw.
static void test_whole_way(void **unused) {
    (void)unused;
    static const char *const players[] = {"table-alphabeta:depth=8",
                                          "alphabeta:threads=1,heuristic=none",
                                          "mcts:iterations=3k,heuristic=none"};
    for (size_t i = 0; i < sizeof players / sizeof *players; i++)
        follow(WAITS, "", players[i], true);
}

// --- proofs ---

static void compare_proofs(const Graph *g, Rng *rng) {
    static Truth truth;
    static const char *const ways[] = {
#define X(constant, name) name,
        PROVE_WAYS(X)
#undef X
    };
    for (int round = 0; round < 3; round++) {
        int i = round == 0 ? 0 : (int)rng_below(rng, (uint64_t)g->count);
        if (g->result[i])
            continue;
        find_truth(g, NULL, game_player(g->game, state_of(g, i)), &truth);
        int is = truth.value[i] >= SHARED ? 1 : truth.value[i] == DRAWN ? 0 : -1;
        if (g->game->ir->players == 1)
            is = truth.value[i] == WON ? 1 : -1;
        for (int way = PROVE_AUTO; way <= PROVE_PATH; way++) {
            ProveResult r;
            Text why = {0};
            ProveTask task = {.game = g->game,
                              .state = state_of(g, i),
                              .memory = (size_t)1 << 20,
                              .way = (ProveWay)way,
                              .nodes = 20000};
            if (!looked(getenv("LUDENS_PLAYER"), ways[way]))
                continue;
            bool ok = prove_position(&task, &r, &why);
            text_free(&why);
            if (!ok)
                continue;
            snprintf(claims, sizeof claims, "prove by %s (%s) says %d..%d at %d, but it is %d",
                     ways[way], r.way, r.low, r.high, i, is);
            if (is < r.low || is > r.high)
                wrong(NULL, "not true");
            if (r.low < r.high && r.nodes < 20000 &&
                (way == PROVE_ALPHABETA || way == PROVE_RETROGRADE || way == PROVE_AUTO))
                wrong(NULL, "nothing proven");
            int at = i;
            uint64_t room[IR_MAX_STATE / 8];
            memcpy(room, state_of(g, i), g->size);
            for (int k = 0; k < r.line_length; k++) {
                if (!runner_is_legal(g->runner, (uint8_t *)room, r.line[k]))
                    wrong(NULL, "a move of the line is not legal");
                assert_true(runner_apply(g->runner, (uint8_t *)room, r.line[k], (uint8_t *)room));
                at = number_of((Graph *)(uintptr_t)g, (uint8_t *)room);
                int end = g->result[at] ? value_at_end(g, at, truth.me) : truth.value[at];
                end = end >= SHARED ? 1 : end == DRAWN && g->game->ir->players > 1 ? 0 : -1;
                if (r.low == r.high && end != is)
                    wrong(NULL, "the line leads elsewhere");
            }
            if (r.low == r.high && is > 0 && r.nodes < 20000 && !g->result[at])
                wrong(NULL, "the line does not come to the end");
        }
    }
}

static void compare_proofs_by_walk(Fixture *f) {
    Value is;
    int me = game_player(f->game, f->game->start);
    if (!walk_all(f, me, &is))
        return;
    int wanted = is > 0 ? 1 : is < 0 ? -1 : 0;
    for (int way = PROVE_AUTO; way <= PROVE_PATH; way++) {
        ProveResult r;
        Text why = {0};
        ProveTask task = {
            .game = f->game, .memory = (size_t)1 << 20, .way = (ProveWay)way, .nodes = 20000};
        bool ok = prove_position(&task, &r, &why);
        text_free(&why);
        if (!ok)
            continue;
        snprintf(claims, sizeof claims, "prove by %s says %d..%d, but it is %d", r.way, r.low,
                 r.high, wanted);
        if (wanted < r.low || wanted > r.high)
            wrong(f->record, "not true");
        for (int k = 0; k < r.line_length; k++) {
            if (record_result(f->record) ||
                !runner_is_legal(f->runner, record_now(f->record), r.line[k]))
                wrong(f->record, "a move of the line is not legal");
            assert_true(record_play(f->record, r.line[k]));
            if (walk_all(f, me, &is) && (is > 0 ? 1 : is < 0 ? -1 : 0) != wanted)
                wrong(f->record, "the line leads elsewhere");
        }
        if (r.low == r.high && wanted > 0 && r.nodes < 20000 && !record_result(f->record))
            wrong(f->record, "the line does not come to the end");
        record_restart(f->record);
    }
}

static void test_proof_repeats(void **unused) {
    (void)unused;
    static const char *const rules[] = {WAITS, WANDERS};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        Fixture f = compile_game(rules[i]);
        game_text = rules[i];
        compare_proofs_by_walk(&f);
        close_game(&f);
    }
}

// --- games ---

static int played, refused;

static void play(uint64_t number) {
    static Graph graph;
    int most = getenv("LUDENS_ALL") ? MOST_POSITIONS : MOST_USUAL;
    Maker m;
    make_rules(&m, number);
    game_number = number;
    game_text = text_c(&m.text);
    Diags diags = {0};
    Game *game = game_compile("exact.game", game_text, m.text.n, NULL, 0, &diags);
    if (!game && getenv("LUDENS_SHOW"))
        fprintf(stderr, "%s%s\n", game_text, diags.count ? diags.items[0].message : "?");
    diag_free(&diags);
    refused += !game;
    if (game) {
        Fixture f = begin_game(game, NULL);
        bool both = m.repeated && m.counts;
        if (both && runner_result(f.runner, game->start) == 0) {
            played++;
            compare_proofs_by_walk(&f);
            compare_players(NULL, &f, number);
        } else if (runner_result(f.runner, game->start) == 0 &&
                   list_positions(&graph, game, f.runner, most)) {
            played++;
            compare_players(&graph, &f, number);
            compare_proofs(&graph, &m.rng);
        }
        close_game(&f);
    }
    text_free(&m.text);
}

static void test_games(void **unused) {
    (void)unused;
    const char *games = getenv("LUDENS_GAMES");
    unsigned long long first = 1, last = getenv("LUDENS_ALL") ? 2000 : 80;
    if (games) {
        char *rest;
        first = last = strtoull(games, &rest, 10);
        if (strncmp(rest, "..", 2) == 0)
            last = strtoull(rest + 2, NULL, 10);
    }
    for (unsigned long long n = first; n <= last; n++)
        play(n);
    if (getenv("LUDENS_SHOW"))
        fprintf(stderr, "%d games, %d refused\n", played, refused);
    assert_true(games || played > 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_left_out),      cmocka_unit_test(test_mirrors),
        cmocka_unit_test(test_kept_distance), cmocka_unit_test(test_puzzle_repeats),
        cmocka_unit_test(test_table_repeats), cmocka_unit_test(test_whole_way),
        cmocka_unit_test(test_proof_repeats), cmocka_unit_test(test_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
