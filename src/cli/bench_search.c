// bench --search: see bench_search.h.
//
//     apply      moves made in a second by a walk through the whole tree that makes every move,
//                those of the last ply too, and does nothing else but list and make moves
//     nodes      positions of alphabeta in a second; each is a move made
//     two/one    how many times faster two threads reach the same depth, the geometric mean of
//                runs in turns, each with a new player that knows nothing, from other positions.
//                By the clock on the wall, and (free) estimated by the processor's, as if each
//                thread had a core for itself
//     apart      the yardstick of two/one: how many times more two searches that have nothing to
//                do with each other get done at once than one alone. 2 where each has a core
//     games      random games in a second, and playouts of mcts
//     stop       how long a search that is told to stop takes to return, the longest of some
// Rates are per second of the processor. They are measured in turns, ROUNDS times: what else runs
// on the machine slows all of them down alike. The median counts, of rates and of ratios.
#include "cli/bench_search.h"

#include "base/now.h"
#include "base/rng.h"
#include "game/record.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEPTH_MOST 60
#define GAMES 3     // random games, and positions of each, in which two threads are compared
#define POSITIONS 9 //   with one
#define REPEATS (GAMES * POSITIONS)
#define LEAST 0.1 // of the time: below, a position is left out
#define ROUNDS 3
#define STOPS 4
#define STOP_AFTER 0.06 // seconds
#define ONE "alphabeta:threads=1"
#define TWO "alphabeta:threads=2"
#define MCTS "mcts:judge=0,threads=1"
// The search is measured, not what the rules of a game know about it: that is `bench --knowledge`.
#define LEARNED ",heuristic=learned"

typedef struct SearchSpeed {
    double apply, nodes;        // per second
    double games, playouts;     // per second
    double nodes_share;         // of apply
    double playouts_share;      //   and of games
    double one, two, two_times; // seconds; how many times faster
    double two_free;            //   by the seconds of the processor
    double apart;               // two searches at once against one alone
    double stop;                // seconds
    int depth;                  // at which threads are compared in the first position
} SearchSpeed;

// --- the rules alone ---

typedef struct Walk {
    Runner *runner;
    double until; // of cli_cpu
    bool stopped;
    int64_t made;
    struct {
        uint8_t *state;
        Move *moves;
        int cap;
    } level[DEPTH_MOST + 1];
} Walk;

static bool level_begin(Walk *w, int depth, const Move *moves, int n) {
    size_t size = (size_t)game_state_size(runner_game(w->runner));
    if (!w->level[depth].state)
        w->level[depth].state = mem_alloc(size);
    if (n > w->level[depth].cap) {
        Move *room = mem_resize(w->level[depth].moves, sizeof *room * (size_t)n);
        if (!room)
            return false;
        w->level[depth].moves = room;
        w->level[depth].cap = n;
    }
    if (n > 0)
        memcpy(w->level[depth].moves, moves, sizeof *moves * (size_t)n);
    return w->level[depth].state != NULL;
}

static bool walk(Walk *w, const uint8_t *state, int depth) {
    const Move *moves;
    int n = runner_moves(w->runner, state, &moves);
    if (n < 0 || !level_begin(w, depth, moves, n))
        return false;
    uint8_t *next = w->level[depth].state;
    for (int i = 0; i < n && !w->stopped; i++) {
        if (!runner_apply(w->runner, state, w->level[depth].moves[i], next))
            return false;
        w->made++;
        if (depth > 1 && !walk(w, next, depth - 1))
            return false;
    }
    if (depth == 3) // often enough, and seldom enough to cost nothing
        w->stopped = w->stopped || cli_cpu() > w->until || cli_interrupted();
    return true;
}

static bool measure_apply(const Desk *t, double seconds, double *apply) {
    Walk w = {.runner = t->runner};
    double start = cli_cpu();
    bool ok = true;
    w.until = start + seconds;
    while (ok && !w.stopped) { // a small game is walked through before the time is over
        int64_t before = 0, last = 0;
        for (int depth = 1; ok && !w.stopped && depth <= DEPTH_MOST; depth++) {
            before = w.made;
            ok = walk(&w, t->start, depth);
            if (w.made - before == last)
                break;
            last = w.made - before;
        }
        w.stopped = w.stopped || last == 0 || cli_cpu() > w.until || cli_interrupted();
    }
    *apply = (double)w.made / (cli_cpu() - start);
    for (int i = 0; i <= DEPTH_MOST; i++) {
        mem_free(w.level[i].state);
        mem_free(w.level[i].moves);
    }
    return ok;
}

// --- players ---

typedef struct Search {
    const Desk *desk;
    Record *record;
    SearchTask task;
    SearchResult result;
    double cpu, wall;         // what it took; cpu of all threads
    pthread_barrier_t *start; // where it waits for others before it begins; NULL: for nobody
} Search;

static double all_cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A new player searches once. False with a report if there is none.
static bool search(Search *s, const char *player, Limits limits) {
    Text why = {0}, text = {0};
    text_f(&text, "%s" LEARNED, player);
    Player *p = player_new(s->desk->game, text_c(&text), &why);
    if (!p) { // games in which nothing is learnt
        text_clear(&why);
        p = player_new(s->desk->game, player, &why);
    }
    if (!p)
        cli_error("%s: %s", player, text_c(&why));
    text_free(&why);
    text_free(&text);
    if (s->start)
        pthread_barrier_wait(s->start);
    if (!p)
        return false;
    s->task.record = s->record;
    s->task.limits = limits;
    s->task.seed = 1;
    double cpu = all_cpu(), wall = now_seconds();
    bool ok = player_search(p, &s->task, &s->result);
    s->cpu = all_cpu() - cpu;
    s->wall = now_seconds() - wall;
    player_free(p);
    return ok;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double geometric_mean(const double *values, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += log(values[i]);
    return exp(sum / count);
}

// Goes to the position after some moves of a random game, or as many as there are. False without
// memory.
static bool go_on(Search *run, uint64_t seed, int moves) {
    const Desk *t = run->desk;
    size_t size = (size_t)game_state_size(t->game);
    uint8_t *state = mem_alloc(size), *next = mem_alloc(size);
    Rng rng;
    rng_seed(&rng, seed);
    bool ok = state && next;
    if (ok)
        memcpy(state, t->start, size);
    for (int i = 0; ok && i < moves; i++) {
        Move move;
        if (runner_random(t->runner, state, rng_next(&rng), &move) != 1 ||
            !runner_apply(t->runner, state, move, next) || runner_result(t->runner, next) != 0)
            break;
        memcpy(state, next, size);
    }
    record_free(run->record);
    run->record = ok ? record_new(t->runner, state) : NULL;
    mem_free(state);
    mem_free(next);
    return run->record != NULL;
}

static void *search_one(void *with) {
    Search *s = with;
    return search(s, ONE, s->task.limits) ? s : NULL;
}

// What the machine gives to two threads that share nothing: two searches that begin together, each
// with a player of its own, against one that took `alone` seconds.
static bool search_apart(const Search *run, Limits limits, double alone, double *times) {
    pthread_barrier_t start;
    Search one = *run, other = *run;
    pthread_t thread;
    void *done = NULL;
    if (pthread_barrier_init(&start, NULL, 2) != 0)
        return false;
    one.task.limits = other.task.limits = limits;
    one.start = other.start = &start;
    bool ok = pthread_create(&thread, NULL, search_one, &other) == 0;
    if (ok) {
        ok = search_one(&one) != NULL;
        pthread_join(thread, &done);
        *times = alone / one.wall + alone / other.wall;
    }
    pthread_barrier_destroy(&start);
    return ok && done;
}

// How large a tree is depends on luck, also with one thread, and two threads walk through 0.7
// to 1.8 times as many positions: there are many runs, each from another position. The depth is one
// less than one thread reaches in time: the last one was reached because its tree happened to be
// small, and two threads would be compared with that. Trees that one thread has done with at once
// have nothing to share. Ratios are 0 where there are no others.
static bool measure_threads(Search *run, double seconds, SearchSpeed *s) {
    double one[REPEATS], two[REPEATS], times[REPEATS], free[REPEATS], apart[REPEATS];
    int n = 0;
    for (int i = 0; i < REPEATS; i++) {
        if (cli_interrupted() || !go_on(run, 1 + (uint64_t)(i / POSITIONS), 2 * (i % POSITIONS)) ||
            !search(run, ONE, (Limits){.seconds = seconds}))
            return false;
        Limits limits = {.depth = run->result.depth > 2 ? run->result.depth - 1 : 1};
        s->depth = i == 0 ? limits.depth : s->depth;
        if (!search(run, ONE, limits))
            return false;
        if (run->wall < LEAST * seconds)
            continue;
        one[n] = run->wall;
        free[n] = 2 * run->cpu;
        if (!search_apart(run, limits, one[n], &apart[n]))
            return false;
        if (!search(run, TWO, limits))
            return false;
        two[n] = run->wall;
        times[n] = one[n] / two[n];
        free[n] /= run->cpu;
        n++;
    }
    if (n > 0) {
        s->one = median(one, n);
        s->two = median(two, n);
        s->two_times = geometric_mean(times, n);
        s->two_free = geometric_mean(free, n);
        s->apart = median(apart, n);
    }
    return go_on(run, 1, 0);
}

typedef struct Stopper {
    double after, at; // seconds; when
    atomic_bool stop;
} Stopper;

static void *stop_later(void *with) {
    Stopper *s = with;
    struct timespec wait = {.tv_nsec = (long)(1e9 * s->after)};
    nanosleep(&wait, NULL);
    s->at = now_seconds();
    atomic_store(&s->stop, true);
    return NULL;
}

static bool measure_stop(Search *run, SearchSpeed *s) {
    for (int i = 0; i < STOPS && !cli_interrupted(); i++) {
        Stopper stopper = {.after = STOP_AFTER + 0.0071 * i};
        Text why = {0};
        Player *p = player_new(run->desk->game, i % 2 ? "mcts" : "alphabeta", &why);
        text_free(&why);
        pthread_t thread;
        if (!p || pthread_create(&thread, NULL, stop_later, &stopper) != 0) {
            player_free(p);
            return false;
        }
        run->task.record = run->record;
        run->task.limits = (Limits){.seconds = 10};
        run->task.stop = &stopper.stop;
        bool ok = player_search(p, &run->task, &run->result);
        double over = now_seconds();
        pthread_join(thread, NULL);
        run->task.stop = NULL;
        player_free(p);
        if (!ok)
            return false;
        s->stop = over - stopper.at > s->stop ? over - stopper.at : s->stop;
    }
    return true;
}

static double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

// 0 where a game has no such player.
static double rate(Search *run, const char *player, double seconds) {
    if (!search(run, player, (Limits){.seconds = seconds}))
        return 0;
    return (double)(run->result.playouts ? run->result.playouts : run->result.nodes) / run->cpu;
}

static bool measure_rates(Search *run, double seconds, SearchSpeed *s) {
    double apply[ROUNDS], nodes[ROUNDS], games[ROUNDS], playouts[ROUNDS];
    double nodes_share[ROUNDS], playouts_share[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        RandomSpeed random;
        if (cli_interrupted() || !measure_apply(run->desk, seconds, &apply[i]))
            return false;
        nodes[i] = rate(run, ONE, seconds);
        if (cli_interrupted() || !bench_random(run->desk, seconds, &random))
            return false;
        games[i] = random.games;
        playouts[i] = rate(run, MCTS, seconds);
        nodes_share[i] = ratio(nodes[i], apply[i]);
        playouts_share[i] = ratio(playouts[i], games[i]);
    }
    s->apply = median(apply, ROUNDS);
    s->nodes = median(nodes, ROUNDS);
    s->games = median(games, ROUNDS);
    s->playouts = median(playouts, ROUNDS);
    s->nodes_share = median(nodes_share, ROUNDS);
    s->playouts_share = median(playouts_share, ROUNDS);
    return true;
}

static bool measure(const Desk *t, double seconds, SearchSpeed *s) {
    Search run = {.desk = t, .record = record_new(t->runner, t->start)};
    bool ok = run.record && measure_rates(&run, seconds, s) &&
              (s->nodes == 0 || measure_threads(&run, seconds, s)) &&
              (s->playouts == 0 || measure_stop(&run, s));
    record_free(run.record);
    return ok;
}

// --- printing ---

void bench_search_head(void) {
    printf("%-17s %10s %10s %5s %10s %10s %5s %5s %7s %7s %7s %5s %5s %8s\n", "game", "apply/s",
           "nodes/s", "ratio", "games/s", "mcts/s", "ratio", "depth", "one", "two", "two/one",
           "free", "apart", "stop");
}

static void print(const Game *g, const SearchSpeed *s, bool json, bool first, Text *out) {
    if (json) {
        text_add(out, first ? "[{" : ",\n {");
        cli_json_game(g, out);
        text_f(out,
               ",\"apply_per_second\":%.0f,\"alphabeta_nodes_per_second\":%.0f,"
               "\"alphabeta_ratio\":%.3f,\"games_per_second\":%.1f,"
               "\"mcts_playouts_per_second\":%.1f,\"mcts_ratio\":%.3f,\"depth\":%d,"
               "\"one_thread_seconds\":%.4f,\"two_threads_seconds\":%.4f,\"threads_ratio\":%.3f,"
               "\"threads_ratio_free\":%.3f,\"apart_ratio\":%.3f,\"stop_ms\":%.2f}",
               s->apply, s->nodes, s->nodes_share, s->games, s->playouts, s->playouts_share,
               s->depth, s->one, s->two, s->two_times, s->two_free, s->apart, 1000 * s->stop);
    } else {
        text_f(out,
               "%-17s %10.0f %10.0f %5.2f %10.1f %10.1f %5.2f %5d %5.2f s %5.2f s %7.2f %5.2f "
               "%5.2f %5.1f ms\n",
               g->name, s->apply, s->nodes, s->nodes_share, s->games, s->playouts,
               s->playouts_share, s->depth, s->one, s->two, s->two_times, s->two_free, s->apart,
               1000 * s->stop);
    }
    cli_print(out);
    fflush(stdout);
}

int bench_search(const Cli *cli, const char *name, double seconds, bool first, Text *out) {
    Desk t;
    SearchSpeed s = {0};
    int status = desk_open_game(cli, name, cli->params, cli->param_count, &t);
    if (status == EXIT_OK)
        status = desk_backend(cli, &t, BACKEND_NATIVE);
    if (status == EXIT_OK) {
        if (measure(&t, seconds, &s))
            print(t.game, &s, cli->option[OPT_JSON], first, out);
        else if (!cli_interrupted())
            status = cli_error("%s: %s", name, runner_error(t.runner));
    }
    desk_close(&t);
    return status;
}
