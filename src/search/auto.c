// auto: looks at the game and picks the player that suits it.
//
// Puzzles are solved. In games of two, alpha-beta is stronger where it can look several moves
// ahead, or where the heuristic knows more than random games do: pieces move about, or lines are to
// be made. Random games tell more where pieces are laid and stay and there are so many moves that
// alpha-beta sees little, and with more than two players. The look counts positions and not time,
// so that the choice is always the same.
//
// In games of placing pieces, what can be proven about the moves is proven first (certain.h). Only
// moves that are proven to win are looked at if there are any, moves that are proven to be worse
// than another one are left out, and whoever has lost plays one of those that were hardest to
// refute.
#include "search/levels.h"

#include "search/alphabeta.h"
#include "search/certain.h"
#include "search/evaluate.h"
#include "search/mcts.h"
#include "search/prove.h"

#include <string.h>

#define LOOK_GAMES 16
#define LOOK_PLIES 400
#define LOOK_SECONDS 3 // where estimates are as slow as that, it does not matter how far it sees
#define LOOK_NODES 10000
#define DEEP 4             // plies within LOOK_NODES: from here on alpha-beta is better
#define FIRST_SHARE 20     // of what is allowed: a move before anything is proven,
#define FIRST_SECONDS 0.05 //   so long at most
#define CONTEMPT 1         // usual changes of the estimate that a draw is worse than nothing

typedef struct Auto {
    Player *main;     // who searches
    Player *second;   // puzzles: if the first finds no way; else who helps (levels, approach)
    Certain *certain; // NULL: not for this game, or level
} Auto;

// What random games say.
typedef struct Impression {
    double moves; // to choose from
    double plies; // of a game
    double draws; // share
    double first; // share of games that the first player wins
    int depth;    // of alpha-beta
} Impression;

static bool look(const Player *p, Impression *out) {
    const Game *g = p->game;
    Runner *r = p->runner;
    uint8_t *state = mem_alloc((size_t)game_state_size(g));
    int64_t plies = 0, moves = 0;
    int draws = 0, first = 0;
    Rng rng;
    rng_seed(&rng, 1);
    bool ok = state != NULL;
    for (int i = 0; ok && i < LOOK_GAMES; i++) {
        memcpy(state, g->start, (size_t)game_state_size(g));
        int n = 0, result = 0;
        while (ok && n < LOOK_PLIES && result == 0 && !(p->stop && atomic_load(p->stop))) {
            Move move;
            int64_t count = runner_count(r, state);
            ok = count >= 0 && runner_random(r, state, rng_next(&rng), &move) > 0 &&
                 runner_apply(r, state, move, state);
            result = ok ? runner_result(r, state) : 0;
            ok = ok && result >= 0;
            moves += count;
            n++;
        }
        plies += n;
        draws += (result & ~RESULT_OVER) == 0;
        first += result & 1;
    }
    *out = (Impression){.moves = plies ? (double)moves / (double)plies : 0,
                        .plies = (double)plies / LOOK_GAMES,
                        .draws = (double)draws / LOOK_GAMES,
                        .first = (double)first / LOOK_GAMES};
    mem_free(state);
    return ok;
}

static Player *make(const Player *p, const char *name, Text *why) {
    Text text = {0};
    bool threads = strcmp(name, "astar") != 0 && strcmp(name, "bestfirst") != 0 &&
                   strcmp(name, "table-alphabeta") != 0;
    const Auto *a = p->own;
    int64_t memory = a->certain ? (p->options.memory_mb + 1) / 2 : p->options.memory_mb;
    text_f(&text, "%s:memory=%lld", name, (long long)memory);
    if (threads)
        text_f(&text, ",threads=%lld", (long long)p->options.threads);
    Player *made = player_stoppable(p->game, text_c(&text), p->knowledge, p->stop, why);
    text_free(&text);
    return made;
}

// The depth that alpha-beta reaches from the beginning of the game.
static bool look_ahead(Player *searcher, Impression *seen) {
    Record *record = record_new(searcher->runner, NULL);
    SearchTask task = {.record = record,
                       .limits = {.seconds = LOOK_SECONDS, .nodes = LOOK_NODES},
                       .stop = searcher->stop};
    SearchResult result = {0};
    if (record)
        player_search(searcher, &task, &result);
    record_free(record);
    seen->depth = result.depth;
    return record != NULL;
}

static bool pick_for_puzzle(Player *p, Auto *a, Text *why) {
    a->main = make(p, "astar", why);
    a->second = a->main ? make(p, "bestfirst", why) : NULL;
    text_add(&p->why, "a puzzle: A*, and best-first where that takes too long");
    if (p->options.level)
        text_add(&p->why, "; levels are for games of two and more");
    return a->second != NULL;
}

// Whether random games say more than the heuristic where alpha-beta cannot look far.
static bool is_for_playouts(const Player *alphabeta, const Player *mcts) {
    const Mcts *m = mcts->own;
    bool knows = strcmp(evaluation_name(alphabeta->evaluation), "none") != 0;
    return !knows || (m->laying && alphabeta->game->ir->board->lines == 0);
}

// Takes the place of alpha-beta where it is better. False with the reason.
static bool try_mcts(Player *p, Auto *a, Text *why) {
    Player *mcts = make(p, "mcts", why);
    if (!mcts)
        return false;
    bool better = !a->main || is_for_playouts(a->main, mcts);
    player_free(better ? a->main : mcts);
    a->main = better ? mcts : a->main;
    return true;
}

static void explain(Player *p, const Impression *seen) {
    const Auto *a = p->own;
    int players = p->game->ir->players;
    text_f(&p->why, "%s: ", a->main->kind->name);
    if (p->stop && atomic_load(p->stop)) {
        text_add(&p->why, "stopped before it had looked at the game");
        return;
    }
    text_f(&p->why, "about %.0f moves to choose from, random games of %.0f moves", seen->moves,
           seen->plies);
    if (seen->draws >= 0.1)
        text_f(&p->why, ", %.0f %% of them not won", 100 * seen->draws);
    if (players > 2)
        text_f(&p->why, ", %d players", players);
    else
        text_f(&p->why, "; alpha-beta sees %d move%s ahead in %d positions", seen->depth,
               seen->depth == 1 ? "" : "s", LOOK_NODES);
    if (a->certain)
        text_add(&p->why, "; moves are proven where that is possible");
    if (a->main->evaluation)
        text_f(&p->why, "; heuristic %s", evaluation_name(a->main->evaluation));
}

static bool pick_for_game(Player *p, Auto *a, Text *why) {
    Impression seen;
    if (!look(p, &seen)) {
        text_f(why, "%s", runner_error(p->runner)[0] ? runner_error(p->runner) : "out of memory");
        return false;
    }
    bool many = p->game->ir->players > 2;
    if (!many && !level_nodes((int)p->options.level))
        a->certain = certain_new(p->game, p->runner, (size_t)p->options.memory_mb << 19);
    if (!many) {
        Text none = {0};
        a->main = make(p, "alphabeta", &none);
        text_free(&none);
        if (!a->main)
            a->main = make(p, "table-alphabeta", why);
        if (!a->main)
            return false;
        if (a->main->kind->search == search_alphabeta)
            alphabeta_weigh_turn(a->main);
        if (!look_ahead(a->main, &seen)) {
            text_add(why, "out of memory");
            return false;
        }
    }
    bool deep = !many && seen.depth >= DEEP;
    if (!deep && !try_mcts(p, a, why))
        return false;
    if (a->main->kind->search == search_alphabeta)
        alphabeta_despise_draws(a->main, CONTEMPT * alphabeta_usual_change(a->main));
    a->second = many ? NULL : player_stoppable(p->game, level_helper(), p->knowledge, p->stop, why);
    if (!many && !a->second)
        return false;
    explain(p, &seen);
    return true;
}

bool auto_begin(Player *p, Text *why) {
    Auto *a = p->own = mem_alloc(sizeof *a);
    if (!a) {
        text_add(why, "out of memory");
        return false;
    }
    int level = (int)p->options.level;
    if (p->game->ir->players == 1)
        return pick_for_puzzle(p, a, why);
    if (level == 0 || level > LEVEL_NOISY)
        return pick_for_game(p, a, why);
    a->second = player_stoppable(p->game, level_helper(), p->knowledge, p->stop, why);
    text_f(&p->why, "level %d, %s", level, level_name(level));
    return a->second != NULL;
}

void auto_end(Player *p) {
    Auto *a = p->own;
    if (!a)
        return;
    player_free(a->main);
    player_free(a->second);
    certain_free(a->certain);
    mem_free(a);
}

static bool solve(Player *p, Auto *a, SearchTask *task, SearchResult *result) {
    double seconds = task->limits.seconds;
    task->limits.seconds = seconds / 2;
    bool found = player_search(a->main, task, result);
    bool stopped = task->stop && atomic_load(task->stop);
    if (result->exact || value_is_proven(result->value) || stopped)
        return found;
    int64_t nodes = result->nodes;
    double used = result->seconds;
    task->limits.seconds = seconds > 0 ? (seconds > used ? seconds - used : 0.001) : 0;
    (void)p;
    found = player_search(a->second, task, result);
    result->nodes += nodes;
    result->seconds += used;
    return found;
}

// --- what is proven ---

static void tell_proven(const CertainResult *r, SearchResult *result) {
    result->exact = true;
    result->value = 0;
    if (r->low == PROVE_WON)
        result->value = VALUE_WIN - r->length;
    if (r->high == PROVE_LOST)
        result->value = r->length - VALUE_WIN;
}

static void subtract_work(SearchTask *task, double seconds, int64_t nodes) {
    Limits *l = &task->limits;
    if (l->seconds > 0)
        l->seconds = l->seconds > seconds ? l->seconds - seconds : 0.001;
    if (l->nodes)
        l->nodes = l->nodes > nodes ? l->nodes - nodes : 1;
}

// A move in case that somebody stops the search while it is proving. What is found stays in the
// table, so little time is lost.
static void search_first(const Auto *a, SearchTask *task, SearchResult *first) {
    SearchTask quick = *task;
    quick.limits.seconds = task->limits.seconds / FIRST_SHARE;
    if (quick.limits.seconds > FIRST_SECONDS)
        quick.limits.seconds = FIRST_SECONDS;
    quick.limits.nodes = (task->limits.nodes + FIRST_SHARE - 1) / FIRST_SHARE;
    player_search(a->main, &quick, first);
    subtract_work(task, first->seconds, first->nodes);
}

static void play_proven(const CertainResult *r, SearchResult *result) {
    Move best = r->move[certain_best(r)].move;
    *result = (SearchResult){.found = true, .move = best, .line = {best}, .line_length = 1};
}

// Asks the other player, without the moves that are proven to be worse than others.
static void search_others(Player *main, SearchTask *task, const CertainResult *r,
                          const SearchResult *first, SearchResult *result) {
    Move *worse = mem_alloc(sizeof *worse * (size_t)r->count);
    for (int i = 0; worse && i < r->count; i++)
        if (certain_is_worse(r, i))
            worse[task->without_count++] = r->move[i].move;
    task->without = worse;
    subtract_work(task, r->seconds, r->nodes);
    bool good = worse != NULL;
    if (task->stop && atomic_load(task->stop)) {
        *result = *first;
    } else {
        good = good && player_search(main, task, result);
        result->nodes += first->nodes;
        result->seconds += first->seconds;
    }
    for (int i = 0; good && i < task->without_count; i++) // not everybody leaves them out
        good = !move_equal(result->move, worse[i]);
    mem_free(worse);
    if (!good)
        play_proven(r, result);
}

static bool search_knowing(const Auto *a, SearchTask *task, const CertainResult *r,
                           const SearchResult *first, SearchResult *result) {
    search_others(a->main, task, r, first, result); // a proof does not say how soon
    if (r->low == r->high && !value_is_proven(result->value))
        tell_proven(r, result);
    result->nodes += r->nodes;
    result->seconds += r->seconds;
    if (task->tell)
        task->tell(task->with, result);
    return true;
}

bool search_auto(Player *p, const SearchTask *task, SearchResult *result) {
    Auto *a = p->own;
    int level = (int)p->options.level;
    SearchTask own = *task;
    Rng rng;
    player_random(p, task, &rng);
    own.seed = rng_next(&rng);
    own.limits.seconds = player_seconds(p, task);
    own.limits.nodes = player_nodes(p, task);
    own.limits.depth = player_depth(p, task);
    if (p->game->ir->players == 1)
        return solve(p, a, &own, result);
    if (level && level <= LEVEL_NOISY)
        return levels_search(p, a->second, level, task, result);
    int64_t most = level ? level_nodes(level) : 0;
    if (most && (!own.limits.nodes || own.limits.nodes > most))
        own.limits.nodes = most;
    CertainResult proven;
    bool whole = !task->trace && task->best <= 1 && !own.limits.depth;
    SearchResult first;
    bool proves = a->certain && whole && (own.limits.seconds > 0 || own.limits.nodes);
    if (proves)
        search_first(a, &own, &first);
    if (proves && certain_look(a->certain, p, &own, &proven))
        return search_knowing(a, &own, &proven, &first, result);
    bool found = player_search(a->main, &own, result);
    if (found && a->second)
        approach(p, a->second, task, result);
    return found;
}
